# Combinations of categories of a variable of `groups`: sets of levels that are judged like a level,
# whether or not a total shows them. Nobody may be told that all people of a row are students or
# pensioners.

# ---- what is asked for --------------------------------------------------------------------------

# `groups`: names of variables, or a list with combinations of each. The `groups` are names alone,
# and `combinations` has the labels of each set, by variable.
read_people_groups <- function(groups, x) {
  if (!is.list(groups) || is.data.frame(groups)) {
    return(list(groups = groups))
  }
  dimnames <- x$original$dimnames
  check_group_names(names(groups) %||% groups, dimnames)
  sets <- Map(function(given, name) {
    read_combinations(given, dimnames[[name]], name, x$total_label)
  }, groups, names(groups))
  list(groups = names(groups), combinations = Filter(length, sets))
}

check_group_names <- function(groups, dimnames) {
  ok <- is.character(groups) && length(groups) > 0 && !anyNA(groups) && !anyDuplicated(groups) &&
    all(groups %in% names(dimnames)[lengths(dimnames) > 1])
  if (!ok) {
    abort_sdc("input", c(
      "{.arg groups} must name variables of the table that have at least two levels.",
      x = "It is {show_value(groups)}.",
      i = "The variables are {.val {names(dimnames)}}."
    ))
  }
}

read_combinations <- function(given, levels, name, total_label) {
  sets <- if (is.null(given)) list() else if (are_sets(given)) given else if (are_sums(given)) {
    parts <- strsplit(given, "=", fixed = TRUE)
    rlang::set_names(lapply(strsplit(vapply(parts, `[`, "", 2), "+", fixed = TRUE), trimws),
                     trimws(vapply(parts, `[`, "", 1)))
  } else {
    totals <- variable_totals(variable_trees(given, levels, name, total_label)$trees, levels, name)
    lapply(totals, function(of) levels[of])
  }
  unknown <- setdiff(as.character(unlist(sets)), levels)
  if (length(unknown) > 0 || anyDuplicated(names(sets))) {
    abort_sdc("input", c(
      "Combinations of {.field {name}} in {.arg groups} must have a name each, and be made of its
       levels.",
      x = if (length(unknown) > 0) {
        "{cli::qty(unknown)}The variable lacks the level{?s} {.val {unknown}}."
      } else {
        "{.val {unique(names(sets)[duplicated(names(sets))])}} is there several times."
      },
      i = "Give {.code list({name} = list(name = c(<levels>)))}, or a tree, see
           {.code ?hierarchies}."
    ))
  }
  sets <- lapply(sets, function(set) levels[levels %in% as.character(set)])
  # a level is judged anyway, and that somebody has one of all levels tells nothing
  sets <- sets[lengths(sets) > 1 & lengths(sets) < length(levels)]
  sets <- sets[!duplicated(unname(sets))]
  plain(sets[order(-lengths(sets))])
}

# A list of labels by name: list(injured = c("serious", "light")).
are_sets <- function(given) {
  is.list(given) && !is.data.frame(given) && rlang::is_named(given) &&
    all(vapply(given, function(set) is.atomic(set) && is.null(names(set)), NA))
}

# Sums in words, as SSBtools takes them: "injured = serious + light".
are_sums <- function(given) {
  is.character(given) && is.null(names(given)) && all(grepl("^[^=]+=[^=]+$", given))
}

# Are these sets of labels as read_people_groups() leaves them?
combinations_fit <- function(sets, groups, dimnames) {
  is_set <- function(set, levels) {
    is.character(set) && length(set) %in% setdiff(seq_along(levels), c(1, length(levels))) &&
      !anyDuplicated(set) && all(set %in% levels)
  }
  is.list(sets) && rlang::is_named(sets) && all(names(sets) %in% groups) &&
    !anyDuplicated(names(sets)) && all(unlist(Map(function(some, v) {
      is.list(some) && rlang::is_named(some) && !anyDuplicated(names(some)) &&
        all(vapply(some, is_set, NA, dimnames[[v]]))
    }, sets, names(sets))))
}

# ---- which rows of people they concern ----------------------------------------------------------

# The kinds of rows of people that are given away, the largest combinations first, as what protects
# a row from them protects it from others; all categories one by one come last. Of each kind the
# categories that are `outside`, where a zero must be able to rise (of single categories any: only
# the one of the people is no zero); the rows that are `alike`, as nobody is outside, and `near`, as
# at most `room` people are.
row_kinds <- function(count, n, sets, room) {
  of_sets <- lapply(sets, function(inside) {
    apart <- rowSums(count[, !inside, drop = FALSE])
    list(outside = !inside, alike = apart == 0 & n > 0,
         near = apart > 0 & apart < n & apart <= room)
  })
  filled <- rowSums(count > 0)
  largest <- count[cbind(seq_along(n), max.col(count, "first"))]
  each <- list(outside = rep(TRUE, ncol(count)), alike = filled == 1,
               near = filled > 1 & n - largest <= room)
  c(unname(of_sets), list(each))
}

is_combination <- function(kind) !all(kind$outside)

# Flags for the cells of each row: those of categories outside a kind.
beyond <- function(kind, rows) matrix(kind$outside, nrow(rows), length(kind$outside), byrow = TRUE)
