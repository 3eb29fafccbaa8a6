# What a release gives away, and why.

pattern <- function() {
  cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$row %in% c("1", "4") & cells$column %in% c("2", "4")
  constraints(slides = cells)
}

test_that("published: the slides' pattern gives its small counts away to within two", {
  b <- bounds_margins(pattern())
  found <- disclosed(b, width = 2, at_risk = 1:2, x = roehrig)
  expect_equal(nrow(found), 4)
  expect_equal(sort(found$count), c(1, 1, 2, 2))
  expect_equal(sum(found$lower == found$upper), 1)
  expect_equal(summary(found)$disclosed, c(2, 2))
  expect_equal(nrow(disclosed(b, at_risk = 1)), 0)
  # without the counts: cells that may hold one of these
  expect_equal(nrow(disclosed(b, width = 2, at_risk = 0)), 2)
})

# Parses "[set] shows n at ..." and checks it against the margin.
check_words <- function(words, x) {
  shows <- "margin \\[([^]]*)\\] shows ([0-9,]+)(?: at ([^,]+(?:, [^,=]+ = [^,]+)*))?"
  found <- regmatches(words, regexec(shows, words))[[1]]
  if (length(found) == 0) {
    return(NA)
  }
  set <- strsplit(found[2], ":")[[1]]
  m <- as.data.frame(margin(x, set), zeros = TRUE)
  at <- strsplit(strsplit(sub(", and .*", "", found[4]), ", ")[[1]], " = ")
  keep <- Reduce(`&`, lapply(at, function(pair) as.character(m[[pair[1]]]) == pair[2]))
  m$freq[keep] == as.numeric(gsub(",", "", found[3]))
}

test_that("oracle: the margin that is named shows what is said", {
  set.seed(5)
  checked <- 0
  for (trial in seq_len(rounds(10, 20))) {
    x <- sdc_table(array(rpois(24, 1), c(2, 3, 4), list(A = c("a1", "a2"), B = paste0("b", 1:3),
                                                        C = paste0("c", 1:4))))
    b <- bounds_margins(margins(x, list(c("A", "B"), c("B", "C"))))
    found <- disclosed(b, width = 1, x = x)
    for (words in found$reason) {
      ok <- check_words(words, x)
      if (is.na(ok)) next
      checked <- checked + 1
      expect_true(ok)
    }
    # every limit of a decomposable release has a margin or a chain
    expect_false(any(grepl("several", found$reason)))
  }
  expect_gt(checked, rounds(25, 50))
})

test_that("oracle: a chain adds up to the lower bound", {
  x <- sdc_table(array(c(30, 1, 2, 5, 1, 40, 0, 3), c(2, 2, 2), list(A = 1:2, B = 1:2, C = 1:2)))
  b <- bounds_margins(margins(x, list(c("A", "B"), c("B", "C"))))
  found <- disclosed(b, width = 50)
  chained <- grepl("less", found$reason)
  expect_true(any(chained))
  sums <- vapply(found$reason[chained], function(words) {
    parts <- regmatches(words,
                        regexec("show ([0-9]+) \\+ ([0-9]+) there, less ([0-9]+)", words))[[1]]
    sum(as.numeric(parts[2:3])) - as.numeric(parts[4])
  }, 0)
  expect_equal(unname(sums), found$lower[chained])
})

test_that("property: rates are explained by the row totals that they leave", {
  co <- conditionals(koch, "Recovery", c("Center", "Status", "Treatment"))
  found <- disclosed(bounds_conditional(co, 193), x = koch)
  expect_equal(nrow(found), 10)
  expect_true(all(found$lower == found$count))
  expect_match(found$reason[found$Center == "1" & found$Status == "2" & found$Treatment == "1"][1],
               "at Center = 1, Status = 2, Treatment = 1 leave only the row total 29")
})

test_that("property: what is listed is known, whatever the release", {
  set.seed(6)
  for (trial in 1:20) {
    x <- sdc_table(array(rpois(12, 1), c(3, 4)))
    cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    cells$suppressed <- runif(nrow(cells)) < .4
    b <- bounds_margins(constraints(cells, dimnames = dimnames(x)))
    found <- disclosed(b, x = x)
    expect_true(all(found$count == found$lower & found$lower == found$upper))
    expect_equal(sum(summary(found)$disclosed), nrow(found))
    expect_false(anyNA(found$reason))
  }
})

test_that("property: input: wrong arguments", {
  b <- bounds_margins(pattern())
  expect_error(disclosed(roehrig), class = "sdc_error_input")
  expect_error(disclosed(), class = "sdc_error_input")
  for (bad in list(-1, .5, NA, "a", 1:2)) {
    expect_error(disclosed(b, width = bad), class = "sdc_error_input")
  }
  for (bad in list(-1, .5, NA, "a", integer())) {
    expect_error(disclosed(b, at_risk = bad), class = "sdc_error_input")
  }
  expect_error(disclosed(b, x = t(roehrig)[, 1:3]), class = "sdc_error_input")
  expect_error(disclosed(b, x = roehrig + 1L), class = "sdc_error_input")
})

test_that("snapshot: prints", {
  b <- bounds_margins(pattern())
  expect_snapshot({
    disclosed(b, width = 2, at_risk = 1:2)
    disclosed(b, width = 2, at_risk = 1:2, x = roehrig)
    summary(disclosed(b, at_risk = c(2, 3, 7)))
    disclosed(bounds_margins(margins(sdc_table(Titanic), list(c("Class", "Sex", "Age"), c("Class", "Survived")))))
    disclosed(b, x = roehrig + 1L)
  }, error = TRUE)
})

test_that("property: published cells are no findings, but where counts at risk are asked for", {
  set.seed(61)
  found_some <- 0
  for (i in 1:10) {
    x <- array(rpois(12, 3), c(4, 3))
    hidden <- array(runif(12) < .4, c(4, 3))
    pub <- publish(suppress(x, 1, pattern = hidden, audit = FALSE), insist = TRUE)
    known <- audit(pub, progress = FALSE)$cells$known == "exactly"
    b <- bounds_margins(pub, progress = FALSE)
    found <- disclosed(b)
    expect_identical(nrow(found), sum(known))
    expect_equal(sort(found$lower), sort(x[hidden][known]))
    expect_identical(attr(found, "n"), sum(hidden))
    expect_identical(sum(published_cells(b)), sum(!hidden))
    # a published count at risk is given away as well
    expect_identical(nrow(disclosed(b, at_risk = 0:99, x = x)), sum(!hidden) + sum(known))
    expect_identical(sum(summary(disclosed(b, x = x))$cells), sum(hidden))
    found_some <- found_some + sum(known)
  }
  expect_gt(found_some, 0)
  expect_match(format(found), paste("of", sum(hidden), "unpublished cells"))
  expect_match(format(b), paste(sum(!hidden), "of them published"), all = FALSE)
  shown <- capture.output(print(b))
  expect_match(shown, "the narrowest that are not published", all = FALSE)
})
