# A pattern of somebody else's as one more start of the search.

started <- function(x, start, ..., readers = "outsider") {
  suppressWarnings(
    suppress(x, 2, start = start, readers = readers, time_limit_s = 20, total_cost = 1, progress = FALSE, ...),
    classes = "sdc_warning_unsafe"
  )
}
n_open <- function(su) sum(!su$lacking$impossible)

test_that("property: the result is no dearer than without a start, nor than a start that is certified", {
  set.seed(2301)
  certified <- 0
  for (k in seq_len(rounds(6, 12))) {
    d <- sample(4:6, 2)
    x <- as.table(array(rpois(prod(d), 3), d))
    without <- started(x, NULL, seed = k)
    # a pattern that hides much, as a frame and as flags; zeros do no harm
    flags <- array(runif(prod(d)) < 0.6, d)
    frame <- as.data.frame(suppress(x, 2, audit = FALSE, pattern = flags | x %in% 1:2))
    with <- started(x, if (k %% 2 == 0) flags else frame, seed = k)
    expect_true(verify_suppression(with)$verified, info = k)
    expect_lte(n_open(with), n_open(without))
    if (n_open(with) == n_open(without)) expect_lte(with$cost, without$cost)
    primary <- as.data.frame(with)$sdcStatus == "u"
    pattern <- frame[setdiff(names(frame), "sdcStatus")]
    pattern$suppressed <- frame$sdcStatus %in% c("u", "x") & frame$freq > 0 | primary
    own <- suppressWarnings(suppress(x, 2, pattern = pattern, method = "certified", readers = "outsider",
                                     total_cost = 1, progress = FALSE, time_limit_s = 20))
    if (any(primary) && nrow(own$lacking) == 0) {
      certified <- certified + 1
      expect_lte(with$cost, own$cost)
    }
  }
  expect_gt(certified, 0)
})

test_that("property: GaussSuppression's pattern is a start by name", {
  skip_if_not_installed("GaussSuppression")
  su <- started(HairEyeColor, "GaussSuppression")
  expect_identical(su$method, "certified")
  expect_identical(su$version, as.character(utils::packageVersion("GaussSuppression")))
  expect_identical(su$further$start, "GaussSuppression")
  expect_true(verify_suppression(su)$verified)
  expect_lte(su$cost, started(HairEyeColor, NULL)$cost)
  # the explanation searches without it
  at <- which(su$cells$sdcStatus == "x")[1]
  expect_no_error(explain(su, su$cells[at, names(dimnames(HairEyeColor))], without = TRUE))
  expect_s3_class(publish(started(HairEyeColor, "GaussSuppression", readers = c("outsider", "contributor"))),
                  "sdc_suppressed")
})

test_that("property: a start that does not fit is an error", {
  fails <- function(words, ...) {
    expect_error(suppress(roehrig, 3, ..., progress = FALSE), words, class = "sdc_error_input")
  }
  fails("pattern or .GaussSuppression.", start = "sdcTable")
  fails("logical array", start = 1:3)
  fails("reader", start = roehrig > 5, readers = c("outsider", "method"))
  fails("without `pattern`", start = roehrig > 5, pattern = roehrig > 5, method = "certified")
  fails("start", start = roehrig > 5, method = "GaussSuppression")
  fails("start.*suppressed", start = data.frame(a = 1))
})
