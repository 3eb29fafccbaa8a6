# Nothing that a publication does not show is in it: each kind is turned into bytes, as an object, as
# files, as a report for the public and as a picture, and these are searched for every private number
# and label, in each form that a number can have.

test_that("property: the search finds what is there", {
  for (n in c(70001, 1000003, 2^40 + 1)) {
    word <- format(n, scientific = FALSE)
    expect_identical(found_in(serialize(n, NULL), n, character()), word)
    expect_identical(found_in(charToRaw(paste0("x", word)), n, "x"), c(word, "x"))
  }
  expect_identical(found_in(serialize(list(b = 70001L), NULL), 70001, "x"), "70001")
  expect_identical(found_in(serialize(c(firm = 1), NULL), 70001, "firm"), "firm")
  expect_length(found_in(serialize(1:9, NULL), 1000003, "firm"), 0)
})

test_that("property: suppressed counts are nowhere in what is published", {
  x <- large_table()
  hidden <- array(FALSE, c(3, 4))
  hidden[2:3, c(1, 4)] <- TRUE
  su <- suppress(x, 1, pattern = hidden)
  forms <- expect_no_leak(publish(su), primes[hidden])
  expect_true(all(c("object", "text", "print", "csv", "json-stat", "sdmx-ml") %in% forms))
  if (requireNamespace("ggplot2", quietly = TRUE)) expect_true("picture" %in% forms)
  # what hangs on a private object does not come along
  attr(su$cells, "note") <- primes
  expect_no_leak(publish(su), primes[hidden])
  expect_no_leak(publish(su, rule = TRUE), primes[hidden])
  # by the search, with a primary cell
  y <- as.array(x)
  y[1, 1] <- 2
  su <- suppress(as_sdc_table(y), 3, seed = 760013, status = data.frame(
    area = "a3", job = "j3", sdcStatus = "x"
  ))
  shown <- su$cells$sdcStatus %in% c("s", "z")
  secret <- setdiff(su$cells$freq[!shown & su$cells$freq > 1e6], su$cells$freq[shown])
  expect_gt(length(secret), 2)
  expect_no_leak(publish(su), c(secret, 760013))
})

test_that("property: counts of linked tables that nobody publishes are nowhere", {
  d <- as.data.frame(as.table(as.array(large_table())))
  d$group <- ifelse(d$job %in% c("j1", "j2"), "gA", "gB")
  x <- sdc_table(d, c("area", "job"), "Freq", formula = ~ area + job)
  expect_no_leak(publish(suppress(x, 3)), primes)
})

test_that("property: suppressed magnitudes, contributions and contributors are nowhere", {
  d <- firms()
  mg <- magnitude_table(d, c("area", "job"), "v", contributorVar = "firm")
  su <- suppress(mg, c(rule_p_percent(10), rule_threshold(3)))
  shown <- su$cells$sdcStatus %in% c("s", "z")
  secret <- setdiff(c(su$cells$total[!shown], d$v), su$cells$total[shown])
  expect_gt(length(secret), 20)
  expect_no_leak(publish(su), secret, d$firm)
  expect_no_leak(publish(su, counts = TRUE), secret, d$firm)
})

test_that("property: rounded tables have none of the counts", {
  x <- large_table()
  for (ro in list(round_controlled(x, 1000), round_controlled(x, 10, method = "nearest"))) {
    pub <- publish(ro)
    expect_no_leak(pub, setdiff(c(primes, sum(primes)), as.array(pub$table)))
  }
})

test_that("property: perturbed tables have none of the counts that changed", {
  x <- large_table()
  me <- mechanism(cycles_bidiagonal(x))
  pe <- perturb(x, me, key = as.raw(1:16)) # a key that moves something
  pub <- publish(pe)
  secret <- setdiff(primes, c(as.array(pub$table), rowSums(as.array(x)), colSums(as.array(x))))
  expect_gt(length(secret), 0)
  expect_no_leak(pub, secret)
})

test_that("property: redistributed values are nowhere in what is published", {
  d <- firms()
  mg <- magnitude_table(d, c("area", "job"), "v", contributorVar = "firm")
  re <- tryCatch(redistribute(mg, rule_p_percent(10)), sdc_error = function(cnd) NULL)
  skip_if(is.null(re), "no redistribution")
  pub <- publish(re)
  shown <- unlist(lapply(unclass(pub), function(part) if (is.numeric(part)) part))
  shown <- c(shown, unlist(Filter(is.numeric, as.list(as.data.frame(pub)))))
  before <- unlist(Filter(is.numeric, as.list(as.data.frame(mg))))
  expect_no_leak(pub, setdiff(c(before[before > 1e5], d$v), shown), d$firm)
})

test_that("property: errors name no count of the table", {
  x <- large_table()
  y <- as.array(x)
  y[1, 1] <- 2
  bare <- suppress(as_sdc_table(y), 3, pattern = array(FALSE, c(3, 4)))
  said <- tryCatch(publish(bare), error = function(cnd) conditionMessage(cnd))
  expect_match(said, "primary cell")
  numbers <- c(primes, sum(y), rowSums(y), colSums(y))
  expect_length(found_in(charToRaw(said), numbers, character()), 0)
  edited <- suppress(x, 3)
  edited$cells$freq[1] <- 5
  said <- tryCatch(publish(edited), error = function(cnd) conditionMessage(cnd))
  expect_length(found_in(charToRaw(said), numbers, character()), 0)
})

test_that("property: the public report of a guide has no count that is not published", {
  x <- large_table()
  y <- as.array(x)
  y[1, 1] <- 2
  y[2, 2] <- 1
  done <- suppressWarnings(protect(as_sdc_table(y), plan = "suppression"))
  page <- write_report(done, withr::local_tempfile(), audience = "public")
  pub <- done$published
  if (!inherits(pub, "sdc_suppressed")) pub <- pub[[1]]
  shown <- pub$cells$freq[!pub$cells$suppressed]
  secret <- setdiff(y[y > 1e6], shown)
  expect_gt(length(secret), 0)
  expect_length(found_in(file_contents(page), secret, character()), 0)
})
