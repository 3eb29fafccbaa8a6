# Where annealing starts: a decomposable release that keeps what is forced and is safe.

anneal_constraints <- function(problem, forced, forbidden) {
  forced <- forced_sets(forced, problem)
  forbidden <- given_sets(forbidden, problem, "forbidden")
  check_forbidden(forbidden, problem)
  for (set in forced) {
    inside <- lie_inside(set, forbidden)
    if (any(inside)) {
      abort_sdc("input", c(
        "No sub-table can be both forced and forbidden.",
        x = "{.val {set_labels(list(set), problem$variables, problem$steps)}} is forced, and holds
             {.val {set_labels(forbidden[inside], problem$variables, problem$steps)}}."
      ))
    }
  }
  list(forced = forced, forbidden = forbidden)
}

check_forbidden <- function(forbidden, problem) {
  small <- forbidden[vapply(forbidden, n_variables_in, 1L, steps = problem$steps) < 2]
  if (length(small) == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg forbidden} must hold sub-tables of two or more variables.",
    x = "{.val {set_labels(small[1], problem$variables, problem$steps)}} has fewer.",
    i = "The total and the one-way tables are part of every release; take the {.fn margin} without a
         variable that must not appear."
  ))
}

# Which of some sets lie inside a set?
lie_inside <- function(set, sets) vapply(sets, function(s) all(s %in% set), NA)

# The cliques from which all chains start.
anneal_start <- function(problem, start, bounds) {
  own <- is.null(start)
  sets <- if (own) bounds$forced else start_sets(start, problem)
  cliques <- if (own) {
    triangulate_sets(sets, problem)
  } else {
    decomposable_start(sets, problem)
  }
  if (!own) check_start_keeps(cliques, problem, bounds)
  check_start_safe(cliques, problem, bounds, own)
  cliques
}

# The cliques of a chordal graph that has all sets, and by level the coarser steps with each.
triangulate_sets <- function(sets, problem) {
  k <- length(problem$variables)
  sets <- c(sets, shown_sets(problem$steps))
  repeat {
    cliques <- cpp_triangulate(k, sets)
    sets <- lapply(cliques, close_set, steps = problem$steps)
    if (identical(sets, cliques)) {
      return(cliques)
    }
  }
}

start_sets <- function(start, problem) {
  if (inherits(start, "sdc_release")) {
    start <- lapply(start$sets, function(set) start$problem$variables[set])
  }
  sub_table_sets(start, problem$variables, "start", problem$steps)
}

# The frontier, with the one-way tables of the variables that it lacks.
decomposable_start <- function(sets, problem) {
  sets <- maximal_sets(c(sets, one_way_sets(problem$steps, length(problem$variables))))
  structure <- study_release(length(problem$variables), sets)
  if (all(structure$kinds == "margin")) {
    return(sets)
  }
  open <- structure$components[structure$kinds != "margin"]
  abort_sdc("input", c(
    "{.arg start} must be a decomposable release.",
    x = "Its part {.val {set_labels(open[1], problem$variables, problem$steps)}} is neither a
         released sub-table nor can it be split.",
    i = "{.fn release_structure} shows the parts of a release."
  ))
}

check_start_keeps <- function(cliques, problem, bounds) {
  kept <- released_in(bounds$forced, cliques)
  if (!all(kept)) {
    abort_sdc("input", c(
      "{.arg start} must release what is forced.",
      x = "It lacks {.val {set_labels(bounds$forced[!kept], problem$variables, problem$steps)}}."
    ))
  }
}

check_start_safe <- function(cliques, problem, bounds, own) {
  banned <- released_in(bounds$forbidden, cliques)
  width <- if (any(banned)) NA else with_core(cpp_decomposable_width(problem, cliques))
  if (isTRUE(width >= problem$risk$beta)) {
    return(invisible())
  }
  if (!own) abort_start(bounds$forbidden[banned], problem)
  abort_forced(cliques, problem, bounds)
}

abort_start <- function(banned, problem) {
  abort_sdc("input", c(
    "{.arg start} must be a safe release without forbidden sub-tables.",
    x = if (length(banned) > 0) {
      "{.arg start} has {.val {set_labels(banned, problem$variables, problem$steps)}}."
    } else {
      "{.arg start} breaks the rule: {format(problem$risk)}."
    },
    i = "Without {.arg start} the search begins with the one-way tables."
  ))
}

# When the forced sub-tables make up a decomposable release themselves, nothing else can be done.
abort_forced <- function(cliques, problem, bounds) {
  one_way <- one_way_sets(problem$steps, length(problem$variables))
  added <- !cliques %in% c(bounds$forced, one_way)
  labels <- set_labels(bounds$forced, problem$variables, problem$steps)
  alone <- vapply(bounds$forced, function(set) is_safe_alone(problem, set), NA)
  if (!any(added) || !all(alone)) {
    abort_sdc("infeasible", c(
      "The forced sub-tables must be safe to release.",
      x = if (all(alone)) {
        "Together they break the rule: {format(problem$risk)}."
      } else {
        "{.val {labels[!alone]}} break{?s/} the rule: {format(problem$risk)}."
      },
      i = "Force less, or lower {.arg beta}."
    ))
  }
  abort_sdc("input", c(
    "The search must start from a safe decomposable release with all forced sub-tables.",
    x = "The forced ones are not decomposable, and with
         {.val {set_labels(cliques[added], problem$variables, problem$steps)}} added they are not
         allowed or not safe.",
    i = "Give a {.arg start} that has them, or force less."
  ))
}
