# The publications of all methods, one item of work each.

judge_methods <- function(methods, ask, tick) {
  n <- vapply(methods, function(method) if (method$random) ask$replicates else 1, 0)
  items <- Map(list, method = rep(seq_along(methods), n), replicate = sequence(n))
  shared <- list(methods = methods, ask = ask)
  judged <- if (all_travel(methods, ask$user)) {
    work_apply(items, judge_one, shared, ready_to_judge, tick = tick)
  } else {
    work_here(items, judge_one, shared, ready_to_judge, tick = tick)
  }
  method <- rep(seq_along(methods), n)
  lapply(seq_along(methods), function(i) join_method(judged[method == i], methods[[i]], ask))
}

# `failed`: the first publication of each method that failed in this process.
ready_to_judge <- function(shared) {
  c(shared, list(failed = new.env(parent = emptyenv())))
}

# One publication. What is wrong with a method is its note, not an error; those after the first that
# fails do not count.
judge_one <- function(item, ready, tick) {
  name <- as.character(item$method)
  if (item$replicate > (ready$failed[[name]] %||% Inf)) {
    return(NULL)
  }
  ask <- ready$ask
  method <- ready$methods[[item$method]]
  tryCatch(
    {
      publication <- method$run(ask$x, ask$map, (ask$seed + 7919 * (item$replicate - 1)) %% 2^31)
      found <- measure_publication(method, publication, ask)
      list(publication = if (item$replicate == 1) publication, found = found)
    },
    # those of other packages and of the user's functions too
    error = function(cnd) {
      ready$failed[[name]] <- item$replicate
      list(note = first_words(cnd))
    }
  )
}

join_method <- function(each, method, ask) {
  notes <- unlist(lapply(each, `[[`, "note"))
  if (length(notes) > 0) {
    return(list(publication = NULL, measures = no_measures(ask, notes[[1]])))
  }
  list(publication = each[[1]]$publication,
       measures = average_measures(lapply(each, `[[`, "found"), method$random))
}

# Functions of the user may call others that only this session has.
all_travel <- function(methods, user) {
  all(vapply(user, travels, NA)) && all(vapply(methods, function(method) {
    inside <- Filter(is.function, as.list(environment(method$run)))
    travels(method$run) && all(vapply(inside, travels, NA))
  }, NA))
}

# Is it a function of a package, or made by one?
travels <- function(f) {
  is.primitive(f) || isNamespace(topenv(environment(f)))
}
