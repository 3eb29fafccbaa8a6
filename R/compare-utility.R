# What a user of a publication loses.

# `table`: the cells as a user takes them; `shown`: which of them are published; `totals`: for each
# variable its published totals, NULL where they are the sums of the cells; `published`: of a table
# with trees or crossings all published cells, NA where withheld, NULL where they are the sums of
# the cells. `release` as for read_publication_of().
user_view <- function(publication, release, ask) {
  UseMethod("user_view")
}

#' @export
user_view.sdc_margins <- function(publication, release, ask) {
  fit <- fitted_inside(release)
  list(table = fit$table, shown = rep(FALSE, length(fit$table)), totals = NULL,
       published = shown_in_margins(publication, ask$published), note = fit$note)
}

# A margin shows the published cells that stand at the total of all its other variables.
shown_in_margins <- function(margins, published) {
  if (is.null(published)) {
    return(NULL)
  }
  out <- rep(NA_real_, length(published$at))
  for (m in margins) {
    others <- setdiff(names(published$labels), names(dimnames(m)))
    inside <- Reduce(`&`, Map(`==`, published$codes[match(others, names(published$labels))],
                              published$roots[others]), rep(TRUE, length(out)))
    out[inside] <- published$counts[inside]
  }
  out
}

# As many rounds as take a second or so.
fitted_inside <- function(release) {
  rounds <- max(2000, floor(5e7 / max(1, length(release$rows$cell))))
  fit <- withCallingHandlers(
    estimate_table(release, max_rounds = min(rounds, 1e6), progress = FALSE),
    sdc_warning_time = function(cnd) rlang::cnd_muffle(cnd)
  )
  off <- fit$gap > 1e-3
  list(table = fit$table, note = if (off) {
    paste("the fit of the inside is still", format(fit$gap, digits = 2), "off a released sum")
  })
}

# Holes are filled by the fit; a one-way total that is withheld is the sum of what is there.
#' @export
user_view.sdc_suppressed <- function(publication, release, ask) {
  fit <- fitted_inside(release)
  list(
    table = fit$table, shown = !is.na(as.vector(as.table(publication))),
    totals = if (is.null(ask$published)) shown_totals(publication, fit$table),
    published = shown_published(publication, ask$published), note = fit$note
  )
}

# Of a table with suppressed cells: what it shows of each published cell.
shown_published <- function(publication, published) {
  if (is.null(published)) {
    return(NULL)
  }
  rows <- publication$cells
  codes <- Map(function(v, labels) match(as.character(rows[[v]]), labels),
               names(published$labels), published$labels)
  at <- combine_codes(codes, lengths(published$labels, FALSE), nrow(rows))
  freq <- ifelse(rows$suppressed, NA, rows$freq)
  shown <- published$at %in% at
  out <- freq[match(published$at, at)]
  ifelse(shown, out, 0)
}

shown_totals <- function(publication, table) {
  if (length(dim(table)) < 2 || length(publication$hierarchies) > 0) {
    return(NULL)
  }
  all <- as.table(publication, totals = TRUE)
  Map(function(v, sums) {
    at <- matrix(rep(dim(all), each = length(sums)), length(sums))
    at[, v] <- seq_along(sums)
    ifelse(is.na(all[at]), sums, all[at])
  }, seq_along(dim(table)), one_way_sums(table))
}

# Of linked tables a rounding shows the nodes that are published. Cells of levels that no crossing
# shows are filled by the fit.
#' @export
user_view.sdc_rounded_publication <- function(publication, release, ask) {
  if (is.null(publication$crossings)) {
    return(shown_table(publication$table))
  }
  published <- ask$published
  shown <- dense_counts(publication$table)[published$at]
  leaf <- !is.na(published$leaf)
  size <- lengths(publication$dimnames, FALSE)
  if (sum(leaf) == prod(size)) {
    counts <- numeric(prod(size))
    counts[published$leaf[leaf]] <- shown[leaf]
    view <- list(table = as.table(array(counts, size, publication$dimnames)))
  } else {
    fit <- fitted_inside(release)
    view <- list(table = fit$table, note = fit$note)
  }
  view$shown <- seq_len(prod(size)) %in% published$leaf
  view$published <- shown
  view
}

#' @export
user_view.sdc_publication <- function(publication, release, ask) {
  shown_table(publication$table)
}

# Suppressed outliers are missing from the map.
#' @export
user_view.sdc_hex_publication <- function(publication, release, ask) {
  at <- hex_match(ask$map, publication)
  counts <- ifelse(is.na(at), 0, publication$count[at])
  view <- shown_table(table_from_dense(counts, ask$x$dimnames))
  view$shown <- !is.na(at)
  view
}

shown_table <- function(x) {
  table <- as.table(x)
  list(table = table, shown = rep(TRUE, length(table)), totals = NULL)
}

measure_utility <- function(publication, release, ask) {
  view <- user_view(publication, release, ask)
  original <- as.table(ask$x)
  change <- abs(as.numeric(view$table) - ask$counts)
  sums <- one_way_sums(view$table)
  totals <- view$totals %||% sums
  of_user <- vapply(ask$user, function(f) {
    abs(user_number(f, view$table) - user_number(f, original))
  }, 0)
  figures <- c(
    abs_change = mean(change), abs_change_small = mean_or_na(change[ask$small]),
    hellinger = hellinger_distance(original, view$table),
    chi_square = relative_change(chi_square_of(view$table), chi_square_of(original)),
    cramer_v = association_change(original, view$table),
    log_odds = log_odds_change(original, view$table),
    total_change = mean(abs(unlist(totals) - unlist(one_way_sums(original)))),
    additivity = gap_of_totals(totals, sums), withheld = mean(!view$shown), of_user
  )
  if (!is.null(ask$published)) {
    own <- published_figures(view, ask)
    figures[names(own)] <- own
  }
  structure(figures, note = view$note)
}

# Sums of fitted tables are off by less than the fit's tolerance.
gap_of_totals <- function(totals, sums) {
  gap <- max(0, abs(unlist(totals) - unlist(sums)))
  if (gap < 1e-3) 0 else gap
}

user_number <- function(f, table) {
  value <- f(table)
  if (is.numeric(value) && length(value) == 1) {
    return(as.numeric(value))
  }
  abort_sdc("input", c(
    "Each function of {.arg user} must return one number.",
    x = "One returned {.obj_type_friendly {value}} of length {length(value)}."
  ))
}

one_way_sums <- function(table) {
  lapply(seq_along(dim(table)), function(v) as.numeric(apply(table, v, sum)))
}

# Of the distributions over the cells.
hellinger_distance <- function(a, b) {
  if (sum(b) == 0) {
    return(NA_real_)
  }
  sqrt(sum((sqrt(a / sum(a)) - sqrt(pmax(b, 0) / sum(b)))^2) / 2)
}

relative_change <- function(now, before) {
  if (is.na(before) || before < 1e-9) NA_real_ else abs(now / before - 1)
}

# Pearson's chi-square against independence of all variables.
chi_square_of <- function(table) {
  n <- sum(table)
  if (n == 0) {
    return(NA_real_)
  }
  expected <- n * Reduce(outer, lapply(one_way_sums(table), `/`, n))
  inside <- as.vector(expected) > 0
  sum(as.vector(table)[inside]^2 / as.vector(expected)[inside]) - n
}

# Over all pairs of variables with at least two levels; NA where there is none.
over_pairs <- function(size, change) {
  wide <- which(size > 1)
  if (length(wide) < 2) {
    return(NA_real_)
  }
  values <- unlist(utils::combn(wide, 2, change, simplify = FALSE))
  mean_or_na(values[!is.na(values)])
}

association_change <- function(a, b) {
  over_pairs(dim(a), function(p) abs(cramer_v(apply(b, p, sum)) - cramer_v(apply(a, p, sum))))
}

cramer_v <- function(table) {
  sqrt(max(0, chi_square_of(table)) / sum(table) / (min(dim(table)) - 1))
}

# Log odds ratios of two adjacent levels each of two variables, all others held fixed.
log_odds_change <- function(a, b) {
  change <- array(log((pmax(as.numeric(b), 0) + .5) / (as.numeric(a) + .5)), dim(a))
  over_pairs(dim(a), function(p) abs(step_along(step_along(change, p[[1]]), p[[2]])))
}

# Differences between neighbours along one dimension.
step_along <- function(x, v) {
  n <- dim(x)[[v]]
  stride <- prod(dim(x)[seq_len(v - 1)])
  at <- array(seq_along(x), dim(x))
  level <- (as.vector(at) - 1) %/% stride %% n + 1
  array(x[level > 1] - x[level < n], replace(dim(x), v, n - 1))
}

# ---- published cells ----------------------------------------------------------------------------
# Of a table with trees or crossings, totals among them: what users read and what intruders look at.

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
    additivity = gap_of_totals(value[total], published_sums(view$table, published)[total]),
    withheld = mean(withheld)
  )
}
