certified <- function() {
  release_reducible(czech_workers, risk_width(6), seed = 1, effort = .2, progress = FALSE)
}

test_that("property: a release with its certificates is verified", {
  release <- certified()
  check <- verify_release(release)
  expect_true(check$verified)
  expect_false(check$refuted)
  expect_identical(check$how, "certificates")
  expect_equal(check$n_cells, 3)
  expect_gte(check$width, 6)
  expect_identical(check$width, release$width[["inner"]])
  expect_identical(verify_release(release, czech_workers, release$certificates)$verified, TRUE)
})

test_that("property: what is tampered with is not verified", {
  release <- certified()
  verify <- function(part) {
    bad <- release
    bad$certificates <- structure(part, class = "sdc_certificates")
    verify_release(bad)
  }
  good <- unclass(release$certificates)
  tamper <- function(what, at, value) {
    good[[what]][at] <- value
    verify(good)
  }
  for (i in seq_along(good$by)) {
    expect_false(tamper("by", i, good$by[i] + 1L)$verified)
    expect_false(tamper("cell", i, (good$cell[i] + 1L) %% max(good$cell))$verified)
  }
  expect_false(tamper("keys", 1, xor(good$keys[1], as.raw(1)))$verified)
  expect_match(tamper("keys", 8, as.raw(255))$fault, "damaged")
  expect_match(tamper("start", 2, NA)$fault, "damaged")
  expect_match(tamper("start", 2, 1e9)$fault, "damaged")
  expect_match(tamper("cell", 1, -1L)$fault, "damaged")
  expect_match(tamper("cell", 1, NA)$fault, "damaged")
  expect_match(tamper("target", 1, 10000L)$fault, "damaged")
  last <- length(good$target)
  kept <- seq_len(good$start[2 * last - 1])
  lost <- verify(list(keys = good$keys, target = good$target[-last],
                      start = good$start[seq_len(2 * last - 1)], cell = good$cell[kept],
                      by = good$by[kept]))
  expect_match(lost$fault, "no certificate")
  expect_equal(lost$n_failed, 1)
  good$by <- good$by[-1]
  expect_error(verify(good), class = "sdc_error_input")
})

test_that("property: another release or another table is not verified", {
  release <- certified()
  wider <- release
  wider$sets <- c(release$sets, list(1:6))
  check <- verify_release(wider)
  expect_false(check$verified)
  expect_identical(check$margin, "A:B:C:D:E:F")
  # certificates of a release hold for every part of it; the object speaks of other sets
  part <- c("A:B", "C:D", "E", "F")
  expect_true(verify_release(part, czech_workers, release$certificates,
                             risk = release$risk)$verified)
  narrower <- release
  narrower$sets <- list(1:2, 3:4, 5, 6)
  check <- verify_release(narrower)
  expect_false(check$verified)
  expect_match(check$fault, "claims are false: sets, frontier")
  frame <- as.data.frame(as.table(czech_workers), stringsAsFactors = TRUE)
  frame$Freq <- rev(frame$Freq)
  other <- sdc_table(frame, names(frame)[1:6], freqVar = "Freq")
  expect_false(verify_release(release, other)$verified)
  # a cell that the rule does not protect has no certificate
  check <- verify_release(release, cells = matrix(c(1, 1, 1, 1, 1, 1), 1))
  expect_match(check$fault, "no certificate")
  stricter <- verify_release(release, risk = risk_width(2000))
  expect_match(stricter$fault, "too little")
})

test_that("oracle: releases without certificates are checked by bounds", {
  closed <- verify_release(c("A:B", "B:C", "D", "E", "F"), czech_workers, risk = risk_width(3))
  expect_true(closed$verified)
  expect_identical(closed$how, "closed form")
  free <- verify_release(c("A:B", "B:C"), czech_workers, risk = risk_width(3))
  expect_true(free$verified)
  loop <- verify_release(c("A:B", "B:C", "A:C"), czech_workers, risk = risk_width(3))
  expect_identical(loop$how, "bounds")
  expect_true(loop$verified)
  refuted <- verify_release(list(LETTERS[1:6]), czech_workers, risk = risk_width(3))
  expect_true(refuted$refuted)
  expect_equal(refuted$width, 0)
  expect_equal(refuted$n_failed, 3)
})

test_that("oracle: under rules for single sub-tables each is judged", {
  best <- release_exact(czech_workers, risk_n(5))
  check <- verify_release(best)
  expect_true(check$verified)
  expect_identical(check$how, "each alone")
  labels <- as.data.frame(best)$sub_table
  for (label in c("A:B:C:D:E", "A:C:D:F")) {
    least <- min(margin(sdc_table(czech_workers), strsplit(label, ":")[[1]])$counts)
    expect_equal(verify_release(label, czech_workers, risk = risk_n(5))$verified, least >= 5)
    expect_equal(label %in% labels, least >= 5)
  }
})

test_that("snapshot: prints show no counts, and errors", {
  release <- certified()
  expect_snapshot(release$certificates)
  expect_snapshot(verify_release(release))
  expect_snapshot(verify_release(c("A:B:C:D", "C:D:E:F"), czech_workers, risk = risk_width(200)))
  frame <- as.data.frame(verify_release(release))
  expect_named(frame, c("verified", "refuted", "how", "beta", "width", "n_cells", "n_failed",
                        "n_margins", "fault", "margin", "time_s"))
  expect_equal(nrow(frame), 1)
  expect_identical(summary(verify_release(release))$verified, TRUE)
  expect_snapshot(error = TRUE, {
    verify_release()
    verify_release(release, roehrig)
    verify_release("A:B")
    verify_release("A:B", czech_workers)
    verify_release("A:Z", czech_workers, risk = risk_width(3))
    verify_release(release, certificates = 1)
    verify_release(release, time_limit_s = -1)
    verify_release(release, what = 1)
  })
})

# All two-way margins: no component of it is a margin.
all_pairs <- function(variables) utils::combn(variables, 2, simplify = FALSE)

small_counts <- function(size) {
  names <- lapply(size, function(k) paste0("l", seq_len(k)))
  sdc_table(as.table(array(sample(c(0, 0, 1, 2, 4), prod(size), TRUE), size,
                           rlang::set_names(names, LETTERS[seq_along(size)]))))
}

test_that("oracle: irreducible releases are decided as their tables say", {
  set.seed(228)
  found <- c(verified = 0, refuted = 0)
  while (sum(found) < 30) {
    x <- small_counts(sample(2:3, sample(3:4, 1, prob = c(3, 1)), TRUE))
    at_risk <- which(as.table(x) %in% 1:2)
    sets <- all_pairs(names(x$dimnames))
    tables <- tryCatch(enumerate_tables(margins(x, sets)), sdc_error_too_large = function(e) NULL)
    if (length(at_risk) == 0 || is.null(tables)) next
    counts <- matrix(tables, prod(dim(x)))[at_risk, , drop = FALSE]
    width <- apply(counts, 1, max) - apply(counts, 1, min)
    beta <- sample(3, 1)
    check <- verify_release(sets, x, risk = risk_width(beta))
    expect_identical(check$how, "bounds")
    expect_identical(check$verified, all(width >= beta))
    expect_identical(check$refuted, any(width < beta))
    expect_equal(check$n_failed, sum(width < beta))
    expect_lte(check$width, min(width))
    found <- found + c(check$verified, check$refuted)
  }
  expect_true(all(found > 5))
})

test_that("property: a larger irreducible release is decided, and no proof is no answer", {
  set.seed(229)
  x <- sdc_table(as.table(array(stats::rpois(3^5, 2), rep(3, 5), rlang::set_names(
    rep(list(c("l", "m", "n")), 5), LETTERS[1:5]
  ))))
  sets <- all_pairs(LETTERS[1:5])
  check <- verify_release(sets, x, risk = risk_width(4))
  expect_true(check$verified)
  expect_gte(check$width, 4)
  ring <- verify_release(c("A:B", "B:C", "C:D", "A:D"), x, risk = risk_width(4))
  expect_true(ring$verified)
  late <- verify_release(sets, x, risk = risk_width(4), time_limit_s = 0)
  expect_false(late$verified)
  expect_false(late$refuted)
  expect_match(late$fault, "no proof")
  # more than any table has
  wide <- verify_release(sets, x, risk = risk_width(1000))
  expect_true(wide$refuted)
  expect_equal(wide$n_failed, wide$n_cells)
})

test_that("property: the verdict does not depend on how many threads find it", {
  release <- certified()
  bad <- release
  bad$certificates$by[1] <- bad$certificates$by[1] + 1L
  wide <- release
  wide$width[["outer"]] <- 1e6
  verdict <- function(x, threads) {
    found <- verify_release(x, threads = threads)
    found[setdiff(names(found), "time_s")]
  }
  for (x in list(release, bad, wide)) {
    one <- verdict(x, 1)
    for (threads in 2:3) expect_identical(verdict(x, threads), one)
  }
  expect_error(verify_release(release, threads = 0), class = "sdc_error_input")
})
