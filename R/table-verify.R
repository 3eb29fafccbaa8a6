# What publish() asks of margins: nothing goes on the word of a field that can be edited.

# Margins come without their table: besides their seal, what they can be asked is whether they are
# those of one.
verify_margins <- function(x) {
  verified("margins", {
    check_seal(list(seal = attr(x, "seal")), "margins", margins_parts(x), "margins")
    whole <- function(m) tryCatch(is_whole_table(m), error = function(cnd) FALSE)
    if (!all(vapply(unclass(x), whole, NA))) {
      abort_untrue("The levels and cells of a margin do not fit each other.", "margins")
    }
    check_agree(x)
  })
}

# Each stored cell has a place of its own among the levels.
is_whole_table <- function(x) {
  labels <- x$dimnames
  whole <- inherits(x, "sdc_table") && is.list(labels) &&
    (length(labels) == 0 || any(lengths(labels) == 0) || are_levels(labels)) &&
    are_whole(x$counts, length(x$counts), 1, 2^53)
  if (!whole) {
    return(FALSE)
  }
  counts <- dense_counts(x)
  sum(counts > 0) == length(x$counts) && sum(counts) == sum(x$counts)
}

check_agree <- function(x) {
  for (i in seq_along(x)[-1]) {
    for (j in seq_len(i - 1)) {
      if (!agree_on_common(x[[i]], x[[j]])) {
        abort_sdc("refused", c(
          "Only margins of one table can be published.",
          x = "{.val {names(x)[j]}} and {.val {names(x)[i]}} contradict each other.",
          i = "Make them again with {.fn margins}."
        ))
      }
    }
  }
}

agree_on_common <- function(x, y) {
  common <- intersect(names(x$dimnames), names(y$dimnames))
  over <- lapply(list(x, y), margin, common)
  identical(over[[1]]$dimnames, over[[2]]$dimnames) &&
    identical(dense_counts(over[[1]]), dense_counts(over[[2]]))
}
