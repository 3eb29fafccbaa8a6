# Results of other packages, read as they are.

counts_frame <- function() {
  data.frame(a = rep(c("x", "y", "z"), each = 4), b = rep(c("p", "q", "r", "s"), 3),
             f = c(1, 5, 8, 2, 10, 3, 0, 7, 4, 4, 9, 2))
}

test_that("oracle: a problem of sdcTable is the publication of the same pattern", {
  skip_if_not_installed("sdcTable")
  skip_if_not_installed("sdcHierarchies")
  trees <- list(
    a = sdcHierarchies::hier_create("T", c("x", "y", "z")),
    b = sdcHierarchies::hier_add(
      sdcHierarchies::hier_create("all", c("low", "high")), "low", c("p", "q")
    )
  )
  trees$b <- sdcHierarchies::hier_add(trees$b, "high", c("r", "s"))
  data <- counts_frame()
  problem <- sdcTable::makeProblem(data, trees, freqVarInd = "f")
  problem <- sdcTable::primarySuppression(problem, type = "freq", maxN = 2)
  safe <- suppressMessages(sdcTable::protectTable(problem, method = "SIMPLEHEURISTIC"))
  pub <- as_publication(safe)
  final <- as.data.frame(sdcTable::sdcProb2df(safe, addDups = FALSE, dimCodes = "original"))
  own <- suppress(sdc_table(data, c("a", "b"), "f", hierarchies = trees), maxN = 2, pattern = final,
                  audit = FALSE)
  mine <- publish(own, insist = TRUE)
  key <- function(p) sort(do.call(paste, lapply(as.data.frame(p), as.character)))
  expect_identical(key(pub), key(mine))
  expect_identical(as.data.frame(bounds_margins(pub))[c("lower", "upper")],
                   as.data.frame(bounds_margins(mine))[c("lower", "upper")])
  wide <- sdcTable::getInfo(safe, "finalData")
  again <- as_publication(as.data.frame(wide), hierarchies = trees)
  expect_identical(key(again), key(pub))
})

test_that("oracle: a result of GaussSuppression is the publication of the same pattern", {
  skip_if_not_installed("GaussSuppression")
  data <- counts_frame()
  result <- GaussSuppression::SuppressSmallCounts(
    data, maxN = 2, dimVar = c("a", "b"), freqVar = "f", protectZeros = FALSE, printInc = FALSE
  )
  names(result)[names(result) == "f"] <- "freq"
  pub <- as_publication(result)
  x <- sdc_table(data, c("a", "b"), "f")
  mine <- publish(suppress(x, maxN = 2, pattern = result, audit = FALSE), insist = TRUE)
  expect_identical(as.table(pub, totals = TRUE), as.table(mine, totals = TRUE))
  expect_identical(audit(pub)$counts, audit(mine)$counts)
  folder <- write_publication(pub, withr::local_tempfile())
  expect_identical(read_publication(folder), pub)
})

test_that("oracle: bounds of PLSrounding hold the original, and are those of its rule", {
  skip_if_not_installed("SmallCountRounding")
  set.seed(31)
  for (trial in 1:5) {
    data <- counts_frame()
    data$f <- stats::rpois(12, 3)
    result <- suppressWarnings(SmallCountRounding::PLSrounding(
      data, "f", roundBase = 3, dimVar = c("a", "b"), printInc = FALSE
    ))
    rules <- constraints(result)
    inner <- result$inner
    lower <- ifelse(inner$rounded == 3, 1, inner$rounded)
    upper <- ifelse(inner$rounded == 0, 2, inner$rounded)
    expect_true(all(lower <= inner$original & inner$original <= upper))
    bounds <- as.data.frame(bounds_margins(rules))
    at <- match(paste(inner$a, inner$b), paste(bounds$a, bounds$b))
    expect_identical(as.numeric(bounds$lower[at]), as.numeric(lower))
    expect_identical(as.numeric(bounds$upper[at]), as.numeric(upper))
  }
})

test_that("oracle: bounds of PLSrounding hold the original for any maxRound", {
  skip_if_not_installed("SmallCountRounding")
  set.seed(35)
  for (most in c(2, 4, 7)) {
    data <- counts_frame()
    data$f <- stats::rpois(12, 4)
    result <- suppressWarnings(SmallCountRounding::PLSrounding(
      data, "f", roundBase = 3, dimVar = c("a", "b"), maxRound = most, printInc = FALSE
    ))
    bounds <- as.data.frame(bounds_margins(result))
    at <- match(paste(bounds$a, bounds$b), paste(data$a, data$b))
    expect_true(all(bounds$lower <= data$f[at] & data$f[at] <= bounds$upper), info = most)
  }
})

test_that("oracle: ranges of the cell key method hold all counts that can be shown so, and no others", {
  set.seed(32)
  for (trial in seq_len(rounds(15, 30))) {
    top <- sample(1:4, 1)
    moves <- expand.grid(i = 0:top, v = -3:3)
    moves <- moves[moves$i + moves$v >= 0 & (moves$i > 0 | moves$v == 0), ]
    moves$p <- sample(c(0, .2), nrow(moves), TRUE)
    moves$p[moves$v == 0] <- .5
    for (shown in 0:9) {
      from <- Filter(function(n) {
        any(moves$p > 0 & moves$i == min(n, top) & moves$v == shown - n)
      }, 0:15)
      found <- key_ranges(shown, moves)
      expect_equal(c(found$lower, found$upper), range(from))
    }
  }
})

test_that("oracle: the counts of a table of cellKey lie within its bounds", {
  skip_if_not_installed("cellKey")
  skip_if_not_installed("ptable")
  skip_if_not_installed("sdcHierarchies")
  set.seed(33)
  data <- data.frame(a = sample(c("x", "y"), 60, TRUE), b = sample(c("p", "q", "r"), 60, TRUE))
  data$key <- stats::runif(60)
  dims <- list(a = sdcHierarchies::hier_create("Total", c("x", "y")),
               b = sdcHierarchies::hier_create("Total", c("p", "q", "r")))
  utils::capture.output(suppressMessages({
    x <- cellKey::ck_setup(x = data, rkey = "key", dims = dims)
    x$params_cnts_set(cellKey::ck_params_cnts(ptable::create_cnt_ptable(D = 2, V = 1)))
    x$perturb("total")
  }))
  bounds <- as.data.frame(bounds_margins(x))
  true <- as.data.frame(table(a = data$a, b = data$b))
  at <- match(paste(bounds$a, bounds$b), paste(true$a, true$b))
  expect_true(all(bounds$lower <= true$Freq[at] & true$Freq[at] <= bounds$upper))
  expect_true(all(bounds$upper - bounds$lower <= 4))
})

test_that("property: what was published comes back, with trees, links of files and magnitudes", {
  set.seed(34)
  tree <- list(a = data.frame(parent = c(NA, "T", "T", "xy", "xy"), child = c("T", "xy", "z", "x", "y")))
  for (trial in seq_len(rounds(8, 15))) {
    data <- counts_frame()
    data$f <- stats::rpois(12, 4)
    x <- sdc_table(data, c("a", "b"), "f", hierarchies = tree)
    su <- suppress(x, maxN = 1, pattern = matrix(stats::runif(12) < .4, 3), audit = FALSE)
    pub <- publish(su, insist = TRUE)
    frame <- as.data.frame(pub)[sample(nrow(pub$cells)), ]
    frame[1:3] <- lapply(frame[1:3], function(f) if (is.factor(f)) as.character(f) else f)
    rows <- function(p) sort(do.call(paste, lapply(as.data.frame(p), as.character)))
    expect_identical(rows(as_publication(frame, hierarchies = tree)), rows(pub))
    files <- write_tau_argus(su, withr::local_tempfile(), status = "column", zeros = TRUE)
    expect_identical(rows(as_publication(read_tau_argus(files[["tab"]]))), rows(pub))
  }
  firms <- data.frame(a = rep(c("x", "y", "z"), each = 4), v = c(90, 5, 3, 2, 8, 7, 6, 5, 4, 3, 2, 1) / 4)
  su <- suppress(magnitude_table(firms, "a", "v"), rule_p_percent(10), pattern = c(TRUE, TRUE, FALSE))
  pub <- publish(su, insist = TRUE)
  again <- as_publication(as.data.frame(pub), numVar = "total")
  expect_identical(again$cells, pub$cells)
  expect_s3_class(again, "sdc_magnitude_suppressed")
})

test_that("property: no count of a suppressed cell is in a publication of another package's result", {
  rare <- c(104729, 104743, 104759, 104761)
  shown <- data.frame(
    a = rep(c("x", "y", "Total"), 3), b = rep(c("p", "q", "Total"), each = 3),
    freq = c(rare[1:2], sum(rare[1:2]), rare[3:4], sum(rare[3:4]), rare[1] + rare[3],
             rare[2] + rare[4], sum(rare)),
    suppressed = rep(c(TRUE, TRUE, FALSE), 3) & rep(c(TRUE, TRUE, FALSE), each = 3), primary = TRUE
  )
  pub <- as_publication(shown)
  bytes <- paste(serialize(pub, NULL), collapse = "")
  for (value in rare) {
    expect_false(grepl(paste(utils::tail(serialize(value, NULL), 8), collapse = ""), bytes, fixed = TRUE))
  }
})

test_that("property: input: frames that are no publication are refused", {
  good <- data.frame(a = c("x", "y", "Total"), freq = c(1, 2, 3), suppressed = FALSE)
  refused <- function(frame, what = NULL, ...) {
    expect_error(as_publication(frame, ...), what, class = "sdc_error_input")
  }
  expect_s3_class(as_publication(good), "sdc_suppressed")
  refused(good[-3], "suppressed")
  refused(good[-2], "freq")
  refused(transform(good, freq = c(1, 2, 4)), "sums")
  refused(transform(good, freq = c(1, 2.5, 3.5)))
  refused(good[c(1, 2, 3, 3), ], "repeats")
  refused(good[-1, ], "sums")
  refused(good[-3, ], "has none")
  expect_true(as_publication(good[-3, ], unlisted = "suppressed")$cells$suppressed[3])
  refused(good[-3, ], "sums", unlisted = "zero")
  refused(good, "neither", hierarchies = list(a = data.frame(parent = "T", child = c("x", "y"))))
  refused(good, NULL, dimVar = "b")
  refused(good, NULL, freqVar = "n")
  refused(roehrig, "must be a data frame")
})
