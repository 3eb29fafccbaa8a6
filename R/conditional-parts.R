# Conditional rates as constraints: with u units of rate j on a scale of s in a row, s times what
# cell j holds equals u times the total of the row; with rounded rates within tolerance units of
# the total. Beside these rows stand the rates themselves, from which the core makes rows with
# smaller numbers for its own search.

#' @export
as_parts.sdc_conditionals <- function(x, name, arg, style) {
  room <- if (is_exact(x)) c(0, 1) else tolerance_fraction(style$tolerance)
  set <- part_name(name, rates_label(x))
  columns <- lapply(x$dimnames, function(levels) factor(character(), levels))
  part <- new_part(set, columns, numeric(), numeric(), complete = TRUE)
  part$make_rows <- function(labels) rate_rows(x, room, labels)
  part$has_rates <- TRUE
  list(part, row_total_part(x, paste(set, "(row totals)")))
}

rates_label <- function(x) {
  given <- if (length(x$given) > 0) paste(" given", paste(x$given, collapse = ":"))
  paste0("rates of ", paste(x$response, collapse = ":"), given)
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
  rows <- join_rows(unlist(parts, recursive = FALSE))
  rows$rates <- list(summed_rates(x, room, sums$cell, (row - 1) * nrow(x$units) + rate))
  rows
}

# The cells of each rate, rate after rate, row after row.
summed_rates <- function(x, room, cell, rate) {
  list(units = x$units, scale = x$scale, tolerance = room,
       start = cumsum(c(0, tabulate(rate, length(x$units)))), cell = cell[order(rate)])
}

# ---- systems ----------------------------------------------------------------------------------

# What was released: `values`, the parts; `names`, what they are called as families of rows;
# `shown`, what errors call them.
system_parts <- function(sets, n, margins) {
  if (!is.null(margins) && (!is.list(margins) || is.object(margins))) margins <- list(margins)
  total <- if (!is.null(n)) list(data.frame(lower = n[1], upper = n[length(n)]))
  names_of <- function(parts) names(parts) %||% character(length(parts))
  numbers <- if (length(margins) > 1) paste("", seq_along(margins)) else ""
  named <- c(names_of(sets), if (!is.null(n)) "n", names_of(margins))
  usual <- c(vapply(sets, rates_label, ""), if (!is.null(n)) "n",
             if (length(margins) > 0) paste0("margins", numbers))
  list(values = c(unname(sets), total, unname(margins)), names = named,
       shown = make.unique(unname(ifelse(nzchar(named), named, usual)), sep = " "))
}

system_release <- function(parts, tolerance, at = seq_along(parts$values), dimnames = NULL) {
  values <- rlang::set_names(parts$values[at], parts$names[at])
  style <- list(freqVar = "freq", total_label = "Total", tolerance = tolerance)
  read <- release_parts(values, style, parts$shown[at])
  compose_constraints(read, part_labels(read, NULL, "Total", dimnames), 5e7)
}
