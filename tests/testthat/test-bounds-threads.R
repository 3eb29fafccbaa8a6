# Threads share large systems; whatever their number, bounds and effort are the same.

# All totals and most cells of a table are known; the other cells make one large part.
hidden_cells <- function(seed, dim, share) {
  withr::local_seed(seed)
  labels <- lapply(rlang::set_names(dim, c("a", "b", "c")), function(n) paste0("l", seq_len(n)))
  x <- array(stats::rpois(prod(dim), 2), dim, labels)
  cells <- as.data.frame.table(x, responseName = "freq", stringsAsFactors = TRUE)
  list(table = x, truth = as.vector(x), hidden = stats::runif(prod(dim)) < share, cells = cells)
}

same_bounds <- function(...) {
  found <- lapply(c(1, 2, 3), function(threads) {
    bounds_margins(..., threads = threads, progress = FALSE)
  })
  one <- found[[1]]
  for (other in found) {
    expect_identical(as.data.frame(other), as.data.frame(one))
    expect_identical(other$effort, one$effort)
  }
  one
}

test_that("property: bounds from margins are the same for any number of threads", {
  case <- hidden_cells(1, c(9, 8, 7), 1)
  released <- margins(case$table, utils::combn(c("a", "b", "c"), 2, simplify = FALSE))
  found <- same_bounds(released)
  expect_gt(found$effort$sparse, 0)
  expect_true(all(found$sharp))
  expect_true(all(found$lower <= case$truth & case$truth <= found$upper))
})

test_that("property: an audit is the same for any number of threads", {
  case <- hidden_cells(2, c(9, 8, 7), .6)
  su <- suppress(case$table, maxN = 1, pattern = array(case$hidden, dim(case$table)), audit = FALSE)
  audits <- lapply(c(1, 3), function(threads) {
    audit(su, count = FALSE, readers = c("outsider", "contributor"), threads = threads, progress = FALSE)
  })
  expect_identical(audits[[2]], audits[[1]])
  expect_true(all(audits[[1]]$cells$sharp))
  expect_error(audit(su, threads = 0), class = "sdc_error_input")
  expect_error(bounds_margins(constraints(publish(su, insist = TRUE)), threads = 1.5),
               class = "sdc_error_input")
})
