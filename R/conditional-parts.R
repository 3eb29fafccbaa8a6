# Conditional rates as constraints: with u units of rate j on a scale of s in a row, s times what
# cell j holds equals u times the total of the row; with rounded rates within tolerance units of
# the total.

#' @export
as_parts.sdc_conditionals <- function(x, name, arg, style) {
  room <- if (is_exact(x)) c(0, 1) else tolerance_fraction(style$tolerance)
  set <- part_name(name, paste0("rates of ", paste(x$response, collapse = ":")))
  columns <- lapply(x$dimnames, function(levels) factor(character(), levels))
  part <- new_part(set, columns, numeric(), numeric(), complete = TRUE)
  part$make_rows <- function(labels) rate_rows(x, room, labels)
  list(part, row_total_part(x, paste(set, "(row totals)")))
}

# A row with rates has a count; the others have none.
row_total_part <- function(x, set) {
  levels <- x$dimnames[x$given]
  size <- lengths(levels, FALSE)
  n <- prod(size)
  published <- combine_codes(x$rows, size, length(x$scale))
  lower <- as.numeric(seq_len(n) %in% published)
  columns <- unclass(cell_factors(seq_len(n), levels))
  new_part(set, columns, lower, ifelse(lower > 0, Inf, 0), complete = TRUE)
}

rate_rows <- function(x, room, labels) {
  dimnames <- lapply(labels, function(label) label$levels)
  n_rows <- length(x$scale)
  codes <- lapply(names(labels), function(v) x$rows[[v]] %||% integer(n_rows))
  sums <- cpp_expand_groups(
    unname(lapply(dimnames, function(levels) as.list(seq_along(levels)))),
    lengths(dimnames, FALSE), codes, n_rows
  )
  at <- split_codes(sums$cell, lengths(dimnames, FALSE))
  rate <- combine_codes(at[match(x$response, names(labels))], lengths(dimnames[x$response], FALSE),
                        length(sums$cell))
  row <- rep(seq_len(n_rows), diff(sums$start))
  sides <- if (room[1] == 0) 0 else c(-1, 1)
  parts <- lapply(sides, function(side) {
    lapply(seq_len(nrow(x$units)), function(j) one_rate(x, room, side, j, sums, row, rate))
  })
  join_rows(unlist(parts, recursive = FALSE))
}

# The constraints of rate j in all rows: from below (side -1), from above (1), or both at once (0).
one_rate <- function(x, room, side, j, sums, row, rate) {
  of_total <- room[2] * x$units[j, ] + side * room[1]
  coefficient <- room[2] * x$scale[row] * (rate == j) - of_total[row]
  keep <- coefficient != 0
  n <- length(x$scale)
  list(
    start = cumsum(c(0, tabulate(row[keep], n))), cell = sums$cell[keep],
    coefficient = coefficient[keep],
    lower = rep(if (side > 0) -Inf else 0, n), upper = rep(if (side < 0) Inf else 0, n),
    label = paste0(rate_row_labels(x), ": rate ", j)
  )
}
