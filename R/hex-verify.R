# What publish() asks of a redistributed map: no field is believed.

# The map after is made again from the original, its outliers and the recorded moves.
verify_hex <- function(x) {
  verified("redistribute", check_map(x))
}

check_map <- function(x) {
  check_seal(x, "map", hex_parts(x), "redistribute")
  untrue <- function(what) abort_untrue(what, "redistribute")
  ask <- list(threshold = x$threshold, outliers = x$outliers)
  lost <- treat_outliers(x$original, ask)$suppressed
  out <- hex_match(x$suppressed, x$original)
  if (!identical(sort(out), sort(lost)) || any(x$suppressed$count != x$original$count[out])) {
    untrue("What is recorded as suppressed are not the outliers of the original.")
  }
  after <- moved_counts(x)
  if (is.null(after)) {
    untrue("Some recorded moves are not between data cells of the original.")
  }
  after[lost] <- after[lost] - x$original$count[lost]
  kept <- after != 0
  made <- new_sdc_hex(x$original$q[kept], x$original$r[kept], after[kept], x$original$geometry)
  same <- c("q", "r", "count", "geometry")
  if (!identical(unclass(made)[same], unclass(x$map)[same])) {
    untrue("The recorded moves do not lead from the original to the map that would be published.")
  }
  if (any(made$count < x$threshold)) {
    untrue("Some data cells of the map are below the threshold.")
  }
  filled <- if (x$outliers == "redistribute") NULL else setdiff(which(!kept), lost)
  if (!x$empty && length(filled) > 0) {
    untrue("Data cells were emptied, which this method does not do.")
  }
}

# NULL where a move has no data cell at an end, or moves no whole number of counts.
moved_counts <- function(x) {
  from <- match(hex_keys(x$moves$from_q, x$moves$from_r), hex_keys(x$original$q, x$original$r))
  to <- match(hex_keys(x$moves$to_q, x$moves$to_r), hex_keys(x$original$q, x$original$r))
  if (anyNA(c(from, to)) || any(x$moves$count < 1 | x$moves$count %% 1 != 0)) {
    return(NULL)
  }
  n <- seq_along(x$original$q)
  sums <- function(cell) as.vector(rowsum(c(x$moves$count, 0 * n), c(cell, n)))
  x$original$count + sums(to) - sums(from)
}
