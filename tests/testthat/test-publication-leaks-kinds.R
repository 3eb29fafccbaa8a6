# Nothing that a publication does not show is in it, nor in reports and errors: releases, margins,
# maps, and the public reports and the errors of all kinds. See test-publication-leaks.R.

test_that("property: releases have no cell of the tables that they leave out", {
  x <- as.array(large_table())
  x[1, 1] <- 1
  x[2, 3] <- 2
  pub <- publish(release_exact(as_sdc_table(x), risk_width(1000)))
  shown <- unlist(lapply(pub$tables, function(table) as.vector(as.array(table))))
  secret <- setdiff(x[x > 1e6], shown)
  expect_gt(length(secret), 5)
  expect_no_leak(pub, secret)
})

test_that("property: margins have no cell of their table", {
  expect_no_leak(publish(margins(large_table(), list("area", "job"))), primes)
})

large_map <- function() {
  hex_table(data.frame(q = 0:6, r = 0, n = c(primes[1], 1, primes[2:3], 2, primes[4:5])), c("q", "r"),
            freqVar = "n")
}

test_that("property: maps have no count that was changed", {
  map <- large_map()
  for (re in list(redistribute(map, threshold = 3), redistribute(map, threshold = 3, empty = TRUE),
                  redistribute(map, threshold = 3, method = "local"))) {
    pub <- publish(re)
    secret <- setdiff(map$count[map$count > 1e6], pub$count)
    expect_gt(length(secret), 0)
    forms <- expect_no_leak(pub, secret)
    if (requireNamespace("ggplot2", quietly = TRUE)) expect_true("pdf" %in% forms)
  }
})

# The numbers of a guide that none of what it publishes shows.
unshown <- function(done) {
  cells <- as.data.frame(done)
  setdiff(cells$original[cells$original > 1e5], cells$published)
}

test_that("property: public reports that hide or redistribute have no number that is not published", {
  x <- as.array(large_table())
  x[2, 3] <- 2
  counts <- as_sdc_table(x)
  mg <- magnitude_table(firms(), c("area", "job"), "v", contributorVar = "firm")
  done <- c(list(protect(counts, plan = "suppression")),
            lapply(c("suppression", "redistribution"), function(plan) {
              protect(mg, plan = plan, rules = rule_p_percent(10))
            }))
  leaking <- 0
  for (one in done) {
    secret <- unshown(one)
    leaking <- leaking + length(secret)
    page <- write_report(one, withr::local_tempfile(), audience = "public")
    expect_identical(found_in(file_contents(page), secret, firms()$firm), character())
  }
  expect_gt(leaking, 2)
})

test_that("property: public reports of roundings and perturbations have no number beside intervals", {
  # far from one another, so that no number is near another cell's
  x <- array(1e6 + 1e5 * (0:11) + c(3, 9, 7, 21, 17, 7, 33, 21, 17, 9, 3, 1), c(3, 4),
             list(area = paste0("a", 1:3), job = paste0("j", 1:4)))
  x[2, 3] <- 2
  leaking <- 0
  for (plan in list("rounding", insisting_plan())) {
    done <- protect(as_sdc_table(x), plan = plan)
    secret <- unshown(done)
    leaking <- leaking + length(secret)
    page <- write_report(done, withr::local_tempfile(), audience = "public")
    text <- rawToChar(file_contents(page))
    # the ends of an interval follow from what is published; a count may be one of them
    text <- gsub("[0-9,]+ to [0-9,]+", "", text)
    expect_identical(found_in(charToRaw(text), secret, character()), character())
  }
  expect_gt(leaking, 10)
})

test_that("property: errors about edited results of all kinds name no number and no contributor", {
  x <- large_table()
  d <- firms()
  mg <- magnitude_table(d, c("area", "job"), "v", contributorVar = "firm")
  map <- large_map()
  numbers <- c(primes, sum(primes), d$v, rowSums(as.array(x)), colSums(as.array(x)))
  pe <- perturb(x, mechanism(cycles_bidiagonal(x)), key = as.raw(1:16), insist = TRUE)
  expect_false(identical(pe$published, x))
  pe$published <- x
  su <- suppress(mg, rule_p_percent(10))
  su$cells$total[1] <- 5
  re <- redistribute(map, threshold = 3)
  re$map$count[1] <- re$map$count[1] - 1
  y <- as.array(x)
  y[1, 1] <- 1
  rl <- release_exact(as_sdc_table(y), risk_width(1000))
  rl$sets <- list(1:2)
  for (edited in list(pe, su, re, rl)) {
    expect_identical(found_in(error_bytes(publish(edited)), numbers, d$firm), character())
  }
  pub <- publish(suppress(x, 3))
  expect_identical(found_in(error_bytes(write_publication(pub, tempfile(), format = "xls")), numbers,
                            character()), character())
  expect_identical(found_in(error_bytes(protect(x, plan = "none")), numbers, character()),
                   character())
})
