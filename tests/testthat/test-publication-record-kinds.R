# Kinds of publications in a record: margins, releases, and what is said without one.

test_that("property: margins and releases are entered, and judged as the exact totals that they are", {
  skip_if_not_installed("RSQLite")
  entered_of <- c(margins = 0, release = 0)
  refused_of <- c(margins = 0, release = 0)
  for (seed in if (is_long()) 1:40 else 1:12) {
    x <- three_way(seed + 100)
    su <- suppress(margin(x, c("A", "B")), 5)
    sets <- list(c("A", "C"), c("B", "C"), c("A", "B"))[c(1, if (seed %% 2 == 0) 2, if (seed %% 3 == 0) 3)]
    # those of A x B show the suppressed cells themselves
    out <- list(margins = margins(x, sets))
    release <- tryCatch(release_greedy(x, risk_width(1)), sdc_error = function(cnd) NULL)
    if (!is.null(release)) out$release <- release
    for (kind in names(out)) {
      record <- publication_record()
      first <- publish(su, record = record)
      second <- entered(out[[kind]], record)
      shown <- if (kind == "margins") out[[kind]] else margins(publish(out[[kind]]))
      exposed <- known_primary(su, first, shown) > 0
      if (exposed) expect_null(second)
      if (!is.null(second)) {
        expect_false(exposed)
        entered_of[[kind]] <- entered_of[[kind]] + 1
      } else {
        refused_of[[kind]] <- refused_of[[kind]] + 1
      }
      expect_identical(nrow(as.data.frame(record)), 2L - is.null(second))
    }
  }
  expect_gt(entered_of[["margins"]], 1)
  expect_gt(refused_of[["margins"]], 1)
  expect_gt(entered_of[["release"]] + refused_of[["release"]], 3)
})

test_that("property: the cells at risk of a release keep the width of its rule beside what follows", {
  skip_if_not_installed("RSQLite")
  x <- as_sdc_table(czech_workers)
  release <- release_greedy(x, risk_width(3))
  record <- publication_record()
  first <- publish(release, record = record)
  expect_identical(as.data.frame(record)$protects, sum(x$counts %in% 1:2))
  # what is out already adds nothing
  expect_error(publish(margins(first), record = record), NA)
  pairs <- utils::combn(names(dimnames(x)), 5, simplify = FALSE)
  seen <- 0
  for (set in list(pairs[1:3], pairs[4:6], pairs[1:6])) {
    more <- margins(x, set)
    cells <- as.data.frame(x)[as.vector(as.array(x)) %in% 1:2, names(dimnames(x))]
    found <- as.data.frame(bounds_margins(constraints(margins(first), more), cells))
    if (any(found$upper - found$lower < 3)) {
      expect_error(publish(more, record = record), "Together with the publication of",
                   class = "sdc_error_refused")
      seen <- seen + 1
    }
  }
  expect_gt(seen, 1)
  expect_identical(nrow(as.data.frame(record)), 2L)
})

test_that("property: publish() says once that it judged a publication alone", {
  withr::local_envvar(TESTTHAT = "false")
  said <- alone_said$once
  withr::defer(alone_said$once <- said)
  alone_said$once <- NULL
  x <- margins(as_sdc_table(HairEyeColor), list("Hair"))
  expect_message(publish(x), "alone", class = "sdc_message_alone")
  expect_message(publish(x), NA)
  alone_said$once <- NULL
  withr::local_options(knitr.in.progress = TRUE)
  expect_message(publish(x), NA)
})

test_that("property: what is made beside a record is what publish() takes, or is refused as publish() does", {
  skip_if_not_installed("RSQLite")
  made <- refused <- 0
  for (seed in if (is_long()) 1:40 else 1:8) {
    x <- three_way(seed + 300)
    record <- publication_record()
    publish(suppress(margin(x, c("A", "B")), 5), record = record)
    enter_publication(record, margins(x, list(c("A", "C"), c("B", "C"))))
    held <- as.data.frame(record)
    calls <- list(
      function(...) round_controlled(margin(x, c("A", "B")), 3, method = "nearest", ...),
      function(...) round_small(margin(x, c("A", "B")), 3, ...),
      function(...) release_exact(x, risk_width(1), ...),
      function(...) release_greedy(x, risk_width(1), ...)
    )
    for (make in calls) {
      plain <- make()
      beside <- tryCatch(make(record = record), sdc_error_refused = function(cnd) NULL)
      expect_identical(as.data.frame(record), held)
      out <- entered(plain, record)
      expect_identical(is.null(out), is.null(beside))
      if (is.null(out)) refused <- refused + 1 else made <- made + 1
      held <- as.data.frame(record)
    }
  }
  expect_gt(made, 3)
  expect_gt(refused, 3)
})

test_that("property: a table of others, with missing values where cells are suppressed, is judged like ours", {
  skip_if_not_installed("RSQLite")
  exposed <- 0
  for (seed in if (is_long()) 1:40 else 1:8) {
    x <- three_way(seed + 500)
    whole <- suppress(x, 3)
    theirs <- publish(suppress(margin(x, c("A", "B")), 6))
    frame <- as.data.frame(theirs)
    frame <- data.frame(lapply(frame[c("A", "B")], as.character), n = frame$freq)
    read <- as_publication(frame, freqVar = "n")
    expect_identical(as.table(read, totals = TRUE), as.table(theirs, totals = TRUE))
    record <- publication_record()
    first <- publish(whole, record = record)
    known <- known_primary(whole, first, theirs)
    entered <- tryCatch(enter_publication(record, read), sdc_error_refused = function(cnd) NULL)
    exposed <- exposed + (known > 0)
    if (known > 0) expect_null(entered)
    if (!is.null(entered)) expect_identical(known, 0L)
  }
  expect_gt(exposed, 1)
  expect_error(as_publication(data.frame(A = c("a", "Total"), freq = c(1, 1))), "missing",
               class = "sdc_error_input")
})

test_that("oracle: what is left of the protected cells, by publication, is what other bounds say", {
  skip_if_not_installed("RSQLite")
  x <- three_way(1)
  record <- publication_record()
  expect_identical(nrow(summary(record)), 0L)
  total <- margins(x, list("C"))
  enter_publication(record, total)
  su <- suppress(x, 3)
  first <- publish(su, record = record)
  second <- publish(margins(x, list(c("A", "C"))), record = record)
  said <- summary(record)
  expect_identical(said$kind, c("sdc_margins", "sdc_suppressed", "sdc_margins"))
  cells <- su$cells[su$cells$sdcStatus == "u", names(dimnames(x))]
  # zeros are published, so that no suppressed count is 0
  hidden <- first$cells[first$cells$suppressed, names(dimnames(x))]
  floor <- cbind(data.frame(lapply(hidden, as.character)), lower = 1)
  widths <- lapply(list(list(total, first, floor), list(total, first, floor, second)), function(out) {
    found <- as.data.frame(suppressWarnings(bounds_margins(do.call(constraints, out), cells)))
    found$upper - found$lower
  })
  expect_identical(said$protected, c(0L, lengths(widths)))
  expect_identical(said$known, c(0L, 0L, 0L))
  expect_identical(said$narrowest, c(NA, vapply(widths, min, 1)))
  expect_identical(said$median, c(NA, vapply(widths, stats::median, 1)))
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(record)
  expect_identical(nlevels(picture$data$publication), 3L)
  expect_identical(as.vector(table(picture$data$publication)), said$protected)
  expect_match(picture$labels$caption, "Confidential")
  empty <- publication_record()
  expect_error(plot(empty), "protect none", class = "sdc_error_input")
})

test_that("property: a release that leaves a variable out is judged by the cells of the whole table", {
  skip_if_not_installed("RSQLite")
  x <- three_way(2)
  release <- release_greedy(x, risk_width(1))
  public <- publish(release, insist = TRUE)
  short <- replace(unclass(public), c("sets", "tables"), list(list(1:2), margins(x, list("A:B" = c("A", "B")))))
  short$tables <- unclass(short$tables)["A:B"]
  class(short) <- class(public)
  entry <- replace(release_entry(release, public), "publication", list(short))
  bounds <- bound_together(list(entry), entry$guarded)$bounds
  counts <- as.array(margin(x, c("A", "B")))
  expect_identical(bounds$lower, numeric(nrow(entry$guarded)))
  expect_identical(bounds$upper, as.numeric(counts[cbind(entry$guarded$A, entry$guarded$B)]))
})
