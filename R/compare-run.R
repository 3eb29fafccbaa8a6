# The publications of all methods, one item of work each, and the measures of each and of several.

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
    return(list(publication = NULL, measures = measure_rows(
      c(names(comparison_kinds), names(ask$user)), note = notes[[1]]
    )))
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

# ---- measures -----------------------------------------------------------------------------------

# For each measure its kind, and its title on an axis; those of the user have their own names.
measure_table <- list(
  width_small = c("risk", "mean width of the interval of a small cell"),
  known_small = c("risk", "small cells with width 0 (share)"),
  guess_small = c("risk", "mean probability of the best guess, small cells"),
  right_small = c("risk", "small cells where the best guess is right (share)"),
  entropy_small = c("risk", "mean posterior entropy of a small cell (bits)"),
  entropy = c("risk", "mean posterior entropy of a cell (bits)"),
  log10_tables = c("risk", "log10 of the number of tables that agree"),
  abs_change = c("utility", "mean absolute change of a cell"),
  abs_change_small = c("utility", "mean absolute change of a small cell"),
  hellinger = c("utility", "Hellinger distance"),
  chi_square = c("utility", "relative change of chi-square"),
  cramer_v = c("utility", "mean change of Cramer's V"),
  log_odds = c("utility", "mean change of log odds ratios"),
  total_change = c("utility", "mean change of one-way totals"),
  additivity = c("utility", "largest gap between a total and its cells"),
  withheld = c("utility", "cells not shown (share)")
)
comparison_kinds <- vapply(measure_table, `[[`, "", 1)
measure_titles <- vapply(measure_table, `[[`, "", 2)

measure_publication <- function(method, publication, ask) {
  # made when it is needed
  trees <- if (!is.null(ask$published)) full_trees(ask$x)
  delayedAssign("release", constraints(publication, dimnames = ask$x$dimnames, hierarchies = trees))
  inferred <- read_publication_of(method, publication, release, ask)
  utility <- measure_utility(publication, release, ask)
  value <- c(inferred$value, unclass(utility))
  c(list(value = value, fit_note = attr(utility, "note")),
    inferred[c("how", "count_how", "note", "tables")])
}

measure_rows <- function(measure, value = NA_real_, error = NA_real_, how = NA_character_, note,
                         exact = "") {
  kind <- comparison_kinds[measure]
  data.frame(measure = measure, kind = unname(ifelse(is.na(kind), "utility", kind)), value = value,
             std_error = error, how = how, exact = exact, note = note)
}

# Means over publications, with standard errors where there are several.
average_measures <- function(found, random) {
  n <- length(found)
  values <- vapply(found, `[[`, found[[1]]$value, "value")
  values <- matrix(values, ncol = n, dimnames = list(names(found[[1]]$value), NULL))
  error <- if (n > 1) apply(values, 1, stats::sd) / sqrt(n) else if (random) NA_real_ else 0
  measure <- rownames(values)
  by_laws <- measure %in% c("guess_small", "right_small", "entropy_small", "entropy")
  inferred <- measure %in% names(comparison_kinds)[comparison_kinds == "risk"]
  mean <- rowMeans(values)
  missing <- is.na(mean)
  # simulated as soon as one publication was
  worst <- function(name) {
    if ("simulated" %in% vapply(found, `[[`, "", name)) "simulated" else "exact"
  }
  how <- ifelse(by_laws, worst("how"), ifelse(measure == "log10_tables", worst("count_how"), "exact"))
  notes <- function(name) paste(unique(unlist(lapply(found, `[[`, name))), collapse = "; ")
  note <- ifelse(!inferred, notes("fit_note"), ifelse(missing | by_laws, notes("note"), ""))
  measure_rows(
    measure, ifelse(missing, NA, mean), ifelse(missing, NA, error), ifelse(missing, NA, how), note,
    ifelse(measure == "log10_tables" & n == 1, found[[1]]$tables, "")
  )
}

bind_measures <- function(judged, labels) {
  do.call(rbind, Map(function(one, label) {
    cbind(data.frame(method = rep(label, nrow(one$measures))), one$measures)
  }, judged, labels))
}
