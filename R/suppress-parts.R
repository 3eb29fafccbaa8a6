# What the publication of a table with suppressed cells tells, as constraints.

# The cells and the totals that are published. A variable without a tree brings its total as one.
#' @export
as_parts.sdc_suppressed <- function(x, name, arg, style) {
  check_lists_zeros(x, x$dimnames, "to make constraints of its publication")
  variables <- names(x$dimnames)
  inner <- seq_len(nrow(x$cells)) %in% inner_rows(x$cells, x$dimnames)
  part <- function(set, rows, complete, columns) {
    freq <- x$cells$freq[rows]
    new_part(part_name(name, set), rlang::set_names(columns, variables), freq, freq, complete)
  }
  shown <- !x$cells$suppressed
  cells <- which(inner & shown)
  codes <- lapply(variables, function(v) as.integer(x$cells[[v]]))
  columns <- Map(function(code, levels) as_level_factor(code[cells], levels), codes, x$dimnames)
  cells <- part("published cells", cells, TRUE, columns)
  flat <- setdiff(variables, names(x$hierarchies))
  cells$hierarchies <- c(x$hierarchies, lapply(x$dimnames[flat], function(levels) {
    n <- length(levels)
    list(list2data_frame(list(parent = rep(x$total_label, n), child = levels), n))
  }))
  totals <- which(!inner & shown)
  labels <- lapply(unclass(x$cells)[variables], function(column) as.character(column[totals]))
  list(cells, part("published totals", totals, FALSE, labels))
}

#' @export
as_parts.sdc_magnitude_suppressed <- function(x, name, arg, style) {
  abort_sdc("input", c(
    "A release of constraints must be of counts, which are whole numbers.",
    x = "This publication has totals of {.val {x$variable}}.",
    i = "{.code audit(x)} gives the intervals of its suppressed totals."
  ))
}
