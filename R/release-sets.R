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

mask_holds <- function(mask, v) bitwAnd(mask, bitwShiftL(1L, v - 1L)) != 0L

set_masks <- function(sets) vapply(sets, function(set) sum(2^(set - 1)), 1)

mask_labels <- function(mask, variables) {
  out <- rep("", length(mask))
  for (v in seq_along(variables)) {
    at <- mask_holds(mask, v)
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

check_enumerable <- function(k) {
  if (k > 25) {
    abort_sdc("too_large", c(
      "Sub-tables are listed for at most 25 variables.",
      x = "The table has {k}.",
      i = "The frontier implies all others: {.code as.data.frame(x, frontier = TRUE)}."
    ))
  }
}

has_same_cells <- function(a, b) {
  identical(a$dimnames, b$dimnames) && identical(a$keys, b$keys) &&
    identical(as.numeric(a$counts), as.numeric(b$counts))
}
