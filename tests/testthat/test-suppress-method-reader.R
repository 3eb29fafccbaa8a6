# The reader who runs the method on every table that agrees.

read_method <- function(x, ...) {
  usual <- list(time_limit_s = 60, max_tables = 1000, max_states = 1e6, max_steps = 1e8, within = 2,
                relative = 0)
  method_reader(x, utils::modifyList(usual, list(...)), FALSE)
}

# The same by brute force: every value of every hidden cell, and the library called by hand.
method_by_hand <- function(x, maxN) {
  su <- gauss(x, maxN, audit = FALSE)
  cells <- as.data.frame(publish(su, insist = TRUE))
  names <- names(dimnames(as_sdc_table(x)))
  held <- lapply(rlang::set_names(names), function(v) {
    held_by_label(setdiff(levels(cells[[v]]), "Total"))
  })
  sums <- all_agreeing(publish(su, insist = TRUE), held)
  direct <- function(freq) {
    frame <- cells
    frame$freq <- freq
    inner <- Reduce(`&`, lapply(names, function(v) frame[[v]] != "Total"))
    own <- frame[inner, c(names, "freq")]
    own[names] <- lapply(own[names], function(v) paste0("l", v))
    out <- GaussSuppression::SuppressSmallCounts(
      own, maxN = maxN, freqVar = "freq", dimVar = names, protectZeros = FALSE, printInc = FALSE
    )
    key <- function(f) do.call(paste, lapply(f[names], function(v) sub("^lTotal$", "Total", v)))
    wide <- frame[names]
    wide[] <- lapply(wide, function(v) ifelse(v == "Total", "Total", paste0("l", v)))
    out$suppressed[match(key(wide), key(out))]
  }
  # each of them is a run of the library
  if (nrow(sums) > 25) {
    return(list(su = su, before = nrow(sums)))
  }
  same <- apply(sums, 1, function(freq) identical(direct(freq), cells$suppressed))
  hidden <- sums[, cells$suppressed, drop = FALSE]
  list(su = su, before = nrow(sums), all = hidden, after = hidden[same, , drop = FALSE])
}

test_that("published: of six tables that agree with a library's pattern of Titanic one remains", {
  skip_if_not_installed("GaussSuppression")
  su <- gauss(Titanic, audit = FALSE)
  skip_if(sum(su$cells$sdcStatus %in% c("u", "x")) != 28, "another version of the library")
  expect_identical(as.character(count_tables(publish(su, insist = TRUE))), "6")
  au <- audit(su, readers = "method")
  expect_identical(au$reader_counts$method,
                   c(tables_before = 6L, tables_after = 1L, untried = 0L, ended = 0L, refused = 0L))
  expect_identical(au$readers, c("outsider", "method"))
  # all are known exactly, the four primary ones first, with their true counts
  cells <- au$method_cells
  expect_true(all(cells$known == "exactly"))
  expect_identical(cells$primary, rep(c(TRUE, FALSE), c(4, 24)))
  words <- function(frame) do.call(paste, lapply(frame[names(dimnames(Titanic))], as.character))
  expect_equal(cells$lower, su$cells$freq[match(words(cells), words(su$cells))])
  expect_identical(words(au$learned), words(cells[1:4, ]))
  expect_match(format(au), "left with 1 of 6 tables: 28 of 28 suppressed cells exactly known, 4",
               all = FALSE)
  expect_match(format(au), "FAILS: a reader who knows the method learns 4 primary cells",
               all = FALSE)
})

test_that("oracle: what remains is what the library called by hand on all tables leaves", {
  skip_if_not_installed("GaussSuppression")
  set.seed(81)
  less <- 0
  for (i in seq_len(rounds(3, 8))) {
    x <- array(rpois(9, 4) + 1, c(3, 3), list(a = c("p", "q", "r"), b = c("x", "y", "z")))
    hand <- method_by_hand(x, 3)
    if (!any(hand$su$cells$sdcStatus == "u") || hand$before > 25) next
    found <- read_method(hand$su, within = 1)
    expect_identical(found$counts[1:2],
                     c(tables_before = hand$before, tables_after = nrow(hand$after)))
    low <- unname(apply(hand$after, 2, min))
    high <- unname(apply(hand$after, 2, max))
    hidden <- hand$su$cells[hand$su$cells$sdcStatus %in% c("u", "x"), ]
    at <- match(paste(found$cells$a, found$cells$b), paste(hidden$a, hidden$b))
    expect_equal(found$cells$lower, low[at])
    expect_equal(found$cells$upper, high[at])
    expect_identical(as.character(found$cells$known),
                     c("exactly", "nearly", "no")[findInterval(high - low, c(0, 1, 2))][at])
    expect_identical(found$cells$primary, (hidden$sdcStatus == "u")[at])
    expect_false(is.unsorted(!found$cells$primary))
    known <- high == low & hidden$sdcStatus == "u" &
      apply(hand$all, 2, max) > apply(hand$all, 2, min)
    expect_identical(nrow(found$learned), sum(known))
    less <- less + (nrow(hand$after) < hand$before)
  }
  expect_gt(less, 0)
})

test_that("property: trees, zeros and further arguments are those of the call", {
  skip_if_not_installed("GaussSuppression")
  x <- matrix(c(1, 4, 5, 2, 7, 6, 3, 5, 4, 6, 7, 5), 4,
              dimnames = list(place = c("a", "b", "c", "d"), b = c("x", "y", "z")))
  region <- data.frame(parent = c("all", "all", "north", "north", "south", "south"),
                       child = c("north", "south", "a", "b", "c", "d"))
  su <- gauss(x, 3, hierarchies = list(place = region), total_label = "Sum",
              singletonMethod = "none", audit = FALSE)
  counts <- read_method(su)$counts
  expect_gte(counts[["tables_after"]], 1)
  expect_lte(counts[["tables_after"]], counts[["tables_before"]])
  none <- read_method(gauss(matrix(5:8, 2), 3))
  expect_identical(none$counts[1:3], c(tables_before = 1L, tables_after = 1L, untried = 0L))
  expect_identical(nrow(none$learned), 0L)
})

test_that("property: what the time leaves untried stays possible", {
  skip_if_not_installed("GaussSuppression")
  su <- gauss(matrix(c(1, 7, 6, 2, 8, 9, 7, 8, 9), 3), 2, audit = FALSE)
  all <- read_method(su)
  none <- read_method(su, time_limit_s = 0)
  expect_identical(none$counts[["untried"]], none$counts[["tables_before"]] - 1L)
  expect_gt(none$unsure, 0)
  expect_gte(none$counts[["tables_after"]], all$counts[["tables_after"]])
})

test_that("property: what cannot be rerun is an error that says why", {
  refused <- function(x, class, words, ...) {
    expect_error(read_method(x, ...), words, class = paste0("sdc_error_", class))
  }
  refused(suppress(roehrig, 1, pattern = slides_mask()), "input", "pattern")
  expect_error(audit(suppress(roehrig, 1, pattern = slides_mask()), readers = "method"),
               class = "sdc_error_input")
  expect_error(audit(publish(suppress(roehrig, 1, pattern = slides_mask()), insist = TRUE),
                     readers = "method"),
               class = "sdc_error_input")
  skip_if_not_installed("GaussSuppression")
  su <- gauss(roehrig, 2, audit = FALSE)
  refused(su, "too_large", "max_tables", max_tables = 1)
  expect_error(audit(su, readers = "method", max_tables = 1), class = "sdc_error_too_large")
  expect_error(audit(su, max_tables = 0), class = "sdc_error_input")
  all <- gauss(matrix(1, 1, 2), 3, audit = FALSE)
  refused(all, "too_large", "no upper limit")
  changed <- su
  changed$maxN <- 0
  refused(changed, "input", "hides other cells")
  changed <- su
  changed$cells$sdcStatus[which(su$cells$sdcStatus == "s")[1]] <- "x"
  refused(changed, "input", "hides other cells")
})

test_that("property: input: tables of magnitudes have no method to run, and say so", {
  mg <- magnitude_table(data.frame(a = c("x", "x", "y", "y"), v = c(5, 3, 4, 4)), "a", "v")
  su <- suppress(mg, rule_p_percent(10), pattern = c(TRUE, TRUE), audit = FALSE)
  expect_error(audit(su, readers = "method"), "for counts", class = "sdc_error_input")
})

test_that("property: tables that would have been refused are excluded, and told", {
  su <- suppress(margin.table(Titanic, c(1, 2, 4)), time_limit_s = 5)
  other <- su
  other$lacking[1, ] <- other$lacking[NA_integer_, ][1, ]
  hidden <- which(is_hidden(su))
  expect_identical(rerun_outcome(su, su, hidden), "same")
  expect_identical(rerun_outcome(su, NULL, hidden), "refused")
  expect_identical(rerun_outcome(su, other, hidden), "refused")
  expect_identical(rerun_outcome(other, other, hidden), "same")
  expect_identical(rerun_outcome(su, su, hidden[-1]), "other")
  expect_identical(rerun_outcome(su, replace(su, "stopped", TRUE), hidden[-1]), "ended")
  expect_identical(rerun_outcome(su, replace(su, "value_free", FALSE), hidden), "ended")
  # by the results of the calls: what is refused and what is kept add up
  x <- matrix(c(1, 2, 5, 3, 1, 4, 6, 2, 2), 3)
  usual <- c("outsider", "contributor")
  small <- suppress(x, 2, readers = usual)
  tables <- agreeing_tables(small, list(max_tables = 1000, max_states = 1e6, max_steps = 1e8), FALSE)
  outcome <- apply(tables, 2, function(freq) {
    again <- x
    again[] <- replace(small$cells$freq, which(is_hidden(small)), freq)[
      inner_rows(small$cells, small$original$dimnames)]
    again <- suppressWarnings(suppress(again, 2, readers = usual))
    if (!identical(is_hidden(again), is_hidden(small))) "other" else
      if (nrow(again$lacking) > nrow(small$lacking)) "refused" else "same"
  })
  found <- read_method(small)$counts
  expect_identical(found[["tables_before"]], ncol(tables))
  expect_identical(found[["tables_after"]], sum(outcome == "same"))
  expect_identical(found[["refused"]], sum(outcome == "refused"))
})
