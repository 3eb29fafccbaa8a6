# Comparison of our tables with those that other packages make of the same data.

# The peers write what they do, and warn of what they deprecate.
silent <- function(expr) {
  utils::capture.output(out <- suppressMessages(suppressWarnings(expr)))
  out
}

cell_keys <- function(frame, variables) {
  do.call(paste, c(lapply(variables, function(v) as.character(frame[[v]])), sep = "\r"))
}

# `ours`: a suppression. `peer`: a frame with a column of labels for each variable, totals included,
# the amount, and the flags `primary` and `suppressed`. The two must publish the same cells, with the
# same amounts and the same statuses.
expect_same_cells <- function(ours, peer, amount, info, secondary = TRUE) {
  variables <- names(dimnames(ours$original))
  cells <- ours$cells[ours$cells$sdcStatus != "n", ]
  own <- if ("freq" %in% names(cells)) cells$freq else cells$total
  at <- match(cell_keys(cells, variables), cell_keys(peer, variables))
  expect_false(anyNA(at), info = info)
  expect_setequal(cell_keys(peer, variables), cell_keys(cells, variables))
  expect_equal(own, as.numeric(peer[[amount]][at]), info = info)
  expect_identical(cells$sdcStatus == "u", as.logical(peer$primary[at]), info = info)
  if (secondary) {
    expect_identical(cells$sdcStatus %in% c("u", "x"), as.logical(peer$suppressed[at]), info = info)
  }
  # a comparison of nothing shows nothing
  expect_gt(sum(cells$sdcStatus == "u"), 0)
}

ssb_data <- function(name) SSBtools::SSBtoolsData(name)

# The library's own choice: without our repair, and without an audit, which chooses nothing.
chosen <- function(x, ..., method = "GaussSuppression") {
  suppress(x, ..., method = method, audit = FALSE, repair = FALSE)
}

gauss_counts <- function(..., protectZeros = FALSE) {
  silent(GaussSuppression::SuppressSmallCounts(..., protectZeros = protectZeros, printInc = FALSE))
}

skip_without_gauss <- function() {
  skip_if_not_installed("GaussSuppression", "1.3.0")
  skip_if_not_installed("SSBtools")
}

skip_without_sdctable <- function() {
  skip_if_not_installed("sdcTable", "0.34.0")
  skip_if_not_installed("sdcHierarchies")
}

# sdcTable's cells as a frame: it repeats cells whose nodes have a single part.
sdctable_cells <- function(problem, ...) {
  cells <- as.data.frame(sdcTable::sdcProb2df(problem, addDups = TRUE, dimCodes = "original", ...))
  cells$primary <- cells$sdcStatus == "u"
  cells$suppressed <- cells$sdcStatus %in% c("u", "x")
  cells
}

sdctable_data <- function(name) {
  found <- new.env()
  utils::data(list = name, package = "sdcTable", envir = found)
  found[[name]]
}
