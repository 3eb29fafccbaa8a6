# A publication of a design that is judged, as a reader asks for its posterior.

infer_design <- function(ask, published, more = list()) {
  infer_posterior(design_question(ask, published, more), "auto", ask$max_tables, FALSE)
}

true_probability <- function(found, change, cells = seq_along(change)) {
  signed <- found$law[cells]
  out <- rep(1, length(cells))
  moving <- signed != 0
  row <- found$reach + 1 + (sign(signed) * change[cells])[moving]
  out[moving] <- found$laws[cbind(row, abs(signed[moving]))]
  out
}

# What an intruder asks of one publication by the design.
design_question <- function(ask, published, more = list()) {
  known <- pattern_factors(ask$mechanism, published)
  list(mechanisms = list(ask$mechanism), published = list(published),
       factors = c(ask$factors, known, more))
}
