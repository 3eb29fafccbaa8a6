# The published cells of a table with trees or crossings, totals among them: what users read and
# what intruders look at.

# NULL for a flat table. `at`: the published cells as numbers in the box of all nodes; `codes`:
# their nodes; `counts`: their true counts; `leaf`: the number of the cell, NA for a total; `small`:
# is its count at risk?
published_of <- function(x, small) {
  if (is.null(cycle_layout(x))) {
    return(NULL)
  }
  totals <- table_totals(x)
  labels <- node_labels(x, totals)
  at <- published_numbers(x)
  codes <- split_codes(at, lengths(labels, FALSE))
  out <- list(totals = totals, labels = labels, at = at, codes = codes,
              roots = Map(match, root_nodes(x, totals), labels))
  level <- Reduce(`&`, Map(function(code, n) code <= n, codes, dim(x)))
  out$leaf <- rep(NA_real_, length(at))
  out$leaf[level] <- combine_codes(lapply(codes, `[`, level), dim(x), sum(level))
  out$counts <- published_sums(as.table(x), out)
  out$small <- out$counts %in% small
  out
}

# The sums of a table over all published cells.
published_sums <- function(table, published) {
  sums <- array(as.numeric(table), dim(table))
  for (v in seq_along(dim(table))) sums <- add_nodes(sums, v, published$totals[[v]])
  sums[published$at]
}

# Totals of one dimension behind its levels.
add_nodes <- function(x, v, totals) {
  n <- dim(x)[[v]]
  order <- c(v, seq_along(dim(x))[-v])
  lines <- matrix(aperm(x, order), n)
  more <- vapply(totals, function(held) colSums(lines[held, , drop = FALSE]), numeric(ncol(lines)))
  all <- rbind(lines, t(matrix(more, ncol(lines))))
  aperm(array(all, c(nrow(all), dim(x)[-v])), order(order))
}

# The labels of some published cells, as bounds_margins() takes sums.
published_labels <- function(published, rows) {
  columns <- Map(function(code, labels) labels[code[rows]], published$codes, published$labels)
  list2data_frame(rlang::set_names(columns, names(published$labels)), sum(rows))
}

# The values that a user has of published cells: `shown`, one for each, NA where a value is
# withheld, and the sums of the table that the user takes for the original there.
user_values <- function(table, shown, published) {
  sums <- published_sums(table, published)
  if (is.null(shown)) sums else ifelse(is.na(shown), sums, shown)
}

# The figures that stand for totals too in a table with trees or crossings.
published_figures <- function(view, ask) {
  published <- ask$published
  value <- user_values(view$table, view$published, published)
  change <- abs(value - published$counts)
  total <- is.na(published$leaf)
  withheld <- if (is.null(view$published)) !view$shown[published$leaf] else is.na(view$published)
  withheld[is.na(withheld)] <- all(!view$shown)
  c(
    abs_change = mean(change), abs_change_small = mean_or_na(change[published$small]),
    total_change = mean_or_na(change[total]),
    additivity = largest_gap(value[total], published_sums(view$table, published)[total]),
    withheld = mean(withheld)
  )
}

largest_gap <- function(totals, sums) {
  gap <- max(0, abs(totals - sums))
  if (gap < 1e-3) 0 else gap
}
