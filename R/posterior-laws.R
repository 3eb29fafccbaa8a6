# Laws of cells: the distribution of the change of each, a column for each possible change.

# What was published, of a posterior of any kind.
shown_labels <- function(x) dimnames(x$publication$table)

shown_counts <- function(x) dense_counts(x$publication$table)

# For each cell the number of its law and its sign; cells on no cycle have law NA.
cell_laws <- function(x, cells = NULL) {
  law <- if (is.null(cells)) x$law else x$law[cells]
  list(law = ifelse(law == 0, NA_integer_, abs(law)), sign = sign(law))
}

# Evaluates a function of the laws once for each law and sign, and gives every cell its value.
# `f(laws, change)` gets the matrix of laws (values x laws) and the changes original - published
# that its rows stand for, and returns one number a law.
per_cell <- function(x, f, cells = NULL, untouched) {
  change <- seq(-x$reach, x$reach)
  at <- cell_laws(x, cells)
  up <- f(x$laws, -change)
  down <- f(x$laws, change)
  out <- ifelse(at$sign > 0, up[at$law], down[at$law])
  out[is.na(at$law)] <- untouched
  out
}

entropy_bits <- function(laws) {
  terms <- laws * log2(laws)
  terms[laws == 0] <- 0
  -colSums(terms)
}

# Laws have few rows and many columns: the functions below loop over rows.
law_rows <- function(laws, f) {
  Reduce(f, lapply(seq_len(nrow(laws)), function(k) laws[k, ]))
}

largest <- function(laws) law_rows(laws, pmax)

# Smallest change whose cumulated probability reaches `prob`.
quantile_change <- function(laws, change, prob) {
  ascending <- order(change)
  laws <- laws[ascending, , drop = FALSE]
  for (k in seq_len(nrow(laws))[-1]) {
    laws[k, ] <- laws[k, ] + laws[k - 1, ]
  }
  first <- colSums(laws < prob * (1 - 1e-12) | laws <= 0) + 1
  change[ascending][pmin(first, length(change))]
}

# Smallest most probable change; probabilities that differ by rounding alone count as equal.
mode_change <- function(laws, change) {
  ascending <- order(change)
  laws <- laws[ascending, , drop = FALSE]
  enough <- largest(laws) * (1 - 1e-9)
  mode <- rep(NA_real_, ncol(laws))
  for (k in rev(seq_len(nrow(laws)))) {
    mode[laws[k, ] >= enough] <- change[ascending][k]
  }
  mode
}

# The possible values of cells: `at` is the place in `cells`. Values ascend within a cell. With
# standard errors where the laws were simulated.
long_law <- function(x, cells) {
  published <- shown_counts(x)[cells]
  width <- nrow(x$laws)
  at <- rep(seq_along(cells), each = width)
  of <- cell_laws(x, cells)
  rows <- ifelse(of$sign[at] > 0, width:1, 1:width)
  probability <- x$laws[cbind(rows, of$law[at])]
  value <- published[at] + rep(seq(-x$reach, x$reach), length(cells))
  fixed <- is.na(of$law[at])
  probability[fixed] <- as.numeric(value[fixed] == published[at][fixed])
  keep <- which(probability > 0)
  out <- list(at = at[keep], value = value[keep], probability = probability[keep])
  if (!is.null(x$errors)) {
    out$std_error <- ifelse(fixed, 0, x$errors[cbind(rows, of$law[at])])[keep]
  }
  out
}

quantile_of <- function(prob) {
  function(laws, change) quantile_change(laws, change, prob)
}
