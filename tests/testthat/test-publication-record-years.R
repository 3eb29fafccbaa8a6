# Records of several years: each publication is judged together with those of the year before.

two_years <- function(seed) {
  set.seed(seed)
  labels <- list(r = c("r1", "r2"), c = c("c1", "c2", "c3"))
  last <- matrix(sample(c(1, 1, 2, 3), 6, TRUE), 2, dimnames = labels)
  this <- last + sample(c(0, 0, 1), 6, TRUE)
  hide <- function(x) suppress(as_sdc_table(x), 1, audit = FALSE,
                               pattern = array(stats::runif(6) < .85 | x == 1, dim(x)))
  list(last = hide(last), this = hide(this))
}

test_that("oracle: what two years tell together is what pairs of listed tables say", {
  skip_if_not_installed("RSQLite")
  told <- narrower <- 0
  for (seed in if (is_long()) 1:60 else 1:8) {
    years <- two_years(seed)
    shown <- lapply(years, publish, insist = TRUE)
    tables <- Map(function(su, pub) {
      t(vapply(agreeing(su$original, pub), as.vector, numeric(6)))
    }, years, shown)
    pairs <- expand.grid(last = seq_len(nrow(tables$last)), this = seq_len(nrow(tables$this)))
    step <- tables$this[pairs$this, , drop = FALSE] - tables$last[pairs$last, , drop = FALSE]
    pairs <- pairs[apply(step >= 0 & step <= 1, 1, all), ]
    expect_gt(nrow(pairs), 0)
    cells <- cbind(expand.grid(dimnames(years$this$original), stringsAsFactors = FALSE),
                   freq = 1, width = 1, alone = FALSE)
    entries <- Map(function(su, pub) replace(suppression_entry(su, pub), "guarded", list(cells)),
                   years, shown)
    before <- list(list(entries = list(entries$last), change = c(0, 1)))
    said <- bound_together(list(entries$this), cells, before)$bounds
    expect_true(all(said$sharp))
    both <- cbind(tables$this[pairs$this, , drop = FALSE], tables$last[pairs$last, , drop = FALSE])
    expect_identical(said$lower, as.numeric(apply(both, 2, min)))
    expect_identical(said$upper, as.numeric(apply(both, 2, max)))
    alone <- bound_together(list(entries$this), cells)$bounds
    told <- told + any(said$upper == said$lower)
    narrower <- narrower + any((said$upper - said$lower)[1:6] < alone$upper - alone$lower)
  }
  expect_gt(told, 2)
  expect_gt(narrower, 2)
})

test_that("property: a year that gives the one before away is refused, and one with its cells is entered", {
  skip_if_not_installed("RSQLite")
  refused <- passed <- 0
  paths <- c(withr::local_tempfile(fileext = ".sqlite"), withr::local_tempfile(fileext = ".sqlite"))
  for (seed in if (is_long()) 1:40 else 1:4) {
    unlink(paths)
    change <- list(c(0, 1), c(-3, 3))[[1 + seed %% 2]]
    before <- three_way(seed + 700)
    set.seed(seed)
    after <- as_sdc_table(as.array(before) + stats::rbinom(48, 1, .1))
    last <- publication_record(paths[1])
    old <- suppress(before, 2)
    publish(old, record = last)
    record <- publication_record(paths[2], previous = last, change = change)
    for (su in list(suppress(after, 2), suppress(after, 2, previous = old))) {
      audit <- summary(suppressWarnings(audit_years(su, old, change = change)))
      out <- tryCatch(publish(su, record = record), sdc_error_refused = function(cnd) cnd)
      if (inherits(out, "condition")) {
        refused <- refused + 1
        expect_match(conditionMessage(out), "Together with the publications? of|not shown")
        expect_identical(nrow(as.data.frame(record)), 0L)
      } else {
        passed <- passed + 1
        expect_identical(sum(audit$failing), 0L)
        expect_error(publication_record(paths[2]), "previous", class = "sdc_error_input")
        break
      }
    }
  }
  expect_gt(refused, 1)
  expect_gt(passed, 1)
})

test_that("property: a change that the years contradict, and half of the arguments, are refused", {
  skip_if_not_installed("RSQLite")
  last <- publication_record()
  x <- three_way(1)
  enter_publication(last, margins(x, list(c("A", "B"))))
  record <- publication_record(previous = last, change = 0)
  publish(suppress(x, 2), record = record)
  expect_match(paste(format(record), collapse = " "), "beside that of the year before")
  other <- publication_record(previous = last, change = 0)
  more <- as_sdc_table(as.array(x) + 1)
  expect_error(publish(suppress(more, 2), record = other), "change", class = "sdc_error_refused")
  expect_error(publication_record(previous = last), "together", class = "sdc_error_input")
  expect_error(publication_record(change = 1), "together", class = "sdc_error_input")
  expect_error(publication_record(previous = last, change = -1), "whole", class = "sdc_error_input")
})
