# Sets of variables, as users name them, as vectors of their numbers, and as numbers whose bits
# they are.

# What a user names as sub-tables: a list of character vectors or formulas, or labels like "A:B". A
# label is the variables with ":" between them; a variable may have a ":" of its own. Returns their
# variables as numbers, ascending; `steps`: of a table by level, so that each set has with a level
# the coarser ones.
sub_table_sets <- function(sets, variables, arg, steps = NULL) {
  if (is.character(sets)) sets <- as.list(sets)
  if (rlang::is_formula(sets)) sets <- list(sets)
  if (!is.list(sets) || is.object(sets)) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a list with the variables of each sub-table, or labels like
       {.val A:B}.",
      x = "{.arg {arg}} is {.obj_type_friendly {sets}}."
    ))
  }
  out <- lapply(seq_along(sets), function(i) {
    set <- sets[[i]]
    if (is.character(set) && length(set) == 1 && !is.na(set) && !set %in% variables) {
      set <- if (set == "(total)") character() else strsplit(set, ":", fixed = TRUE)[[1]]
    }
    named <- paste0(arg, "[[", i, "]]")
    found <- variable_names(set, named)
    check_names_given(found, named)
    at <- match(found, variables)
    if (anyNA(at)) {
      abort_sdc("input", c(
        "{.arg {named}} must name variables of the table.",
        x = "There is no variable {.val {found[is.na(at)]}}.",
        i = "Its variables are {.val {variables}}."
      ))
    }
    close_set(steps, sort(at))
  })
  unique(out)
}

# None when none are given.
given_sets <- function(sets, problem, arg) {
  if (is.null(sets)) list() else sub_table_sets(sets, problem$variables, arg, problem$steps)
}

# Sub-tables that a release must have: the maximal ones.
forced_sets <- function(forced, problem) {
  maximal_sets(Filter(length, given_sets(forced, problem, "forced")))
}

# Of what has `variables` and, by level, their `steps`: the labels of sets, the names of their
# variables, the one-way tables, and how many levels each variable has.
labels_in <- function(space, sets) set_labels(sets, space$variables, space$steps)

names_in <- function(space, sets) lapply(sets, function(set) space$variables[set])

one_way_in <- function(space) one_way_sets(space$steps, length(space$variables))

levels_in <- function(space) level_counts(space$steps, length(space$variables))

# The maximal sets.
maximal_sets <- function(sets) sets[cpp_frontier_of(sets)]

frontier_of <- function(sets) {
  order_sets(maximal_sets(lapply(sets, function(set) sort(as.integer(set)))))
}

# Large sets first, then by their variables.
order_sets <- function(sets) {
  key <- vapply(sets, function(set) paste(sprintf("%02d", set), collapse = " "), "")
  sets[order(-lengths(sets), key, method = "radix")]
}

# Sets of variables from numbers whose bits they are, by size, then in order of their variables.
mask_sets <- function(masks, k) {
  sets <- unpack_masks(masks, k)
  key <- lapply(seq_len(k), function(v) -mask_holds(masks, v))
  sets[do.call(order, c(list(lengths(sets)), key))]
}

# The same in the order of the masks.
unpack_masks <- function(masks, k) {
  held <- lapply(seq_len(k), function(v) which(mask_holds(masks, v)))
  variable <- rep(seq_len(k), lengths(held))
  unname(split(variable, factor(unlist(held), seq_along(masks))))
}

# By level the masks of the sets that hold with each step the coarser ones; else all.
closed_masks <- function(steps, k) {
  if (is.null(steps)) {
    return(seq_len(2^k) - 1L)
  }
  ladders <- lapply(one_way_sets(steps, k), function(set) c(0, cumsum(2^(set - 1))))
  sort(as.integer(Reduce(function(a, b) outer(a, b, `+`), ladders)))
}

# For each of the masks of closed_masks(): 1 below one of `below`, 2 above one of `above`, else 0.
masks_held <- function(mask, k, steps, below, above = list()) {
  if (is.null(steps)) {
    return(cpp_lay_out(k, below, above))
  }
  out <- integer(length(mask))
  for (part in set_masks(above)) out[bitwAnd(mask, as.integer(part)) == part] <- 2L
  for (whole in set_masks(below)) out[bitwOr(mask, as.integer(whole)) == whole] <- 1L
  out
}

# How many of `at` each mask holds.
count_held <- function(mask, at) {
  Reduce(`+`, lapply(at, function(v) mask_holds(mask, v) + 0L), integer(length(mask)))
}

mask_holds <- function(mask, v) bitwAnd(mask, bitwShiftL(1L, v - 1L)) != 0L

set_masks <- function(sets) vapply(sets, function(set) sum(2^(set - 1)), 1)

mask_labels <- function(mask, variables, steps = NULL) {
  out <- rep("", length(mask))
  finer <- next_steps(steps, length(variables))
  for (v in seq_along(variables)) {
    at <- mask_holds(mask, v)
    if (!is.na(finer[v])) at <- at & !mask_holds(mask, finer[v])
    out[at] <- paste0(out[at], ifelse(nzchar(out[at]), ":", ""), variables[v])
  }
  out[mask == 0] <- margin_label(character())
  out
}

is_inside <- function(set, sets) any(vapply(sets, function(s) all(set %in% s), NA))

# The same for each of several sets.
are_inside <- function(sets, others) vapply(sets, is_inside, NA, sets = others)

holds_any <- function(set, sets) any(vapply(sets, function(s) all(s %in% set), NA))

# By complements: the minimal sets are those whose complements are maximal.
minimal_sets <- function(sets) {
  all <- unique(unlist(sets))
  sets[cpp_frontier_of(lapply(sets, function(set) setdiff(all, set)))]
}

check_enumerable <- function(k, steps = NULL) {
  if (k > 25) {
    what <- if (is.null(steps)) "variables" else "levels of variables"
    abort_sdc("too_large", c(
      "Sub-tables are listed for at most 25 {what}.",
      x = "The table has {k}.",
      i = "The maximal ones imply all others."
    ))
  }
}

has_same_cells <- function(a, b) {
  identical(a$dimnames, b$dimnames) && identical(a$keys, b$keys) &&
    identical(as.numeric(a$counts), as.numeric(b$counts))
}

# How many sub-tables of each dimension lie inside of some.
count_inside <- function(problem, sets) {
  with_core(cpp_count_inside(levels_in(problem), sets))
}

# How many sub-tables, the empty one not counted, of what has `variables`.
below_sets <- function(problem, sets) sum(count_inside(problem, sets)[-1])

# The same of all.
all_sets <- function(problem) count_inside(problem, list(seq_along(problem$variables)))

# By level: each set has with a level all coarser ones, and each variable of several levels is
# released at its finest, since that shows which combinations of steps stand for no category.
check_level_sets <- function(sets, steps) {
  fault <- level_sets_fault(sets, steps)
  if (!is.null(fault)) {
    abort_sdc("input", c(
      "A release by level must hold all coarser levels with each level, and all variables of several
       levels at their finest.",
      x = fault
    ))
  }
  invisible(sets)
}

# NULL when nothing is wrong.
level_sets_fault <- function(sets, steps) {
  if (is.null(steps)) {
    return(NULL)
  }
  closed <- vapply(sets, function(set) setequal(set, close_set(steps, set)), NA)
  if (!all(closed)) {
    return(paste("Set", which(!closed)[1], "has a level without a coarser one."))
  }
  one_way <- shown_sets(steps)
  missing <- set_labels(one_way[!are_inside(one_way, sets)], steps$names, steps)
  if (length(missing) > 0) {
    escape_braces(cli::format_inline("{.val {missing}} {?is/are} not in it."))
  }
}

# How many sub-tables there are; the empty one counts where `empty` says so.
sets_words <- function(x, empty = FALSE) {
  k <- length(x$variables)
  if (is.null(x$steps)) {
    return(format_sets(k, empty))
  }
  format_count(prod(level_counts(x$steps, k) + 1) - !empty)
}

# The tables with variables at levels under the labels of these, for frames and files.
labelled_tables <- function(x) {
  if (is.null(x$steps)) {
    return(x$tables)
  }
  Map(function(table, set) {
    at <- finest_steps(x$steps, set)
    new_table(x$dimnames[at], list(keys = table$keys, counts = table$counts))
  }, x$tables, x$sets)
}

# What functions of problems know of a publication.
publication_space <- function(x) list(variables = names(x$dimnames), steps = x$steps)
