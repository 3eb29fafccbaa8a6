# Sets of variables, as vectors of their numbers and as numbers whose bits they are.

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
  with_core(cpp_count_inside(level_counts(problem$steps, length(problem$variables)), sets))
}

# The same of all.
all_sets <- function(problem) count_inside(problem, list(seq_along(problem$variables)))

# By level: each set has with a level all coarser ones, and each variable of several levels is
# released at its finest, since that shows which combinations of steps stand for no category.
check_level_sets <- function(sets, steps) {
  fault <- level_sets_fault(sets, steps)
  if (is.null(fault)) {
    return(invisible(sets))
  }
  abort_sdc("input", c(
    "A release by level must hold all coarser levels with each level, and all variables of several
     levels at their finest.",
    x = fault
  ))
}

# NULL when nothing is wrong.
level_sets_fault <- function(sets, steps) {
  if (is.null(steps)) {
    return(NULL)
  }
  closed <- vapply(sets, function(set) setequal(set, close_set(steps, set)), NA)
  one_way <- shown_sets(steps)
  shown <- vapply(one_way, is_inside, NA, sets = sets)
  if (!all(closed)) {
    return(paste("Set", which(!closed)[1], "has a level without a coarser one."))
  }
  missing <- set_labels(one_way[!shown], steps$names, steps)
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
