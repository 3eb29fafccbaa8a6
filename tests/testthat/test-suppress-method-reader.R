# The reader who runs the method on every table that agrees.

limits_of <- function(...) utils::modifyList(list(time_limit_s = 60), list(...))

read_method <- function(x, ...) method_reader(x, limits_of(...), FALSE, rlang::current_env())

# The same by brute force: every value of every hidden cell, and the library called by hand.
method_by_hand <- function(x, maxN) {
  su <- suppress(x, maxN, audit = FALSE)
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
  same <- apply(sums, 1, function(freq) identical(direct(freq), cells$suppressed))
  list(su = su, before = nrow(sums), after = sums[same, cells$suppressed, drop = FALSE])
}

test_that("published: of six tables that agree with suppress(Titanic) one remains", {
  skip_if_not_installed("GaussSuppression")
  su <- suppress(Titanic, audit = FALSE)
  skip_if(sum(su$cells$sdcStatus %in% c("u", "x")) != 28, "another version of the library")
  expect_identical(as.character(count_tables(publish(su, insist = TRUE))), "6")
  found <- read_method(su)
  expect_identical(found$counts, c(tables_before = 6L, tables_after = 1L))
  expect_identical(found$unsure, 0L)
  expect_identical(nrow(found$learned), 28L)
  expect_true(all(found$learned$how == "exactly"))
  # the four primary ones first, with their true counts
  at <- match(do.call(paste, lapply(found$learned[names(dimnames(Titanic))], as.character)),
              do.call(paste, lapply(su$cells[names(dimnames(Titanic))], as.character)))
  expect_identical(su$cells$sdcStatus[at], rep(c("u", "x"), c(4, 24)))
  expect_equal(found$learned$lower, su$cells$freq[at])
})

test_that("oracle: what remains is what the library called by hand on all tables leaves", {
  skip_if_not_installed("GaussSuppression")
  set.seed(81)
  less <- 0
  for (i in 1:8) {
    x <- array(rpois(9, 4) + 1, c(3, 3), list(a = c("p", "q", "r"), b = c("x", "y", "z")))
    hand <- method_by_hand(x, 3)
    if (!any(hand$su$cells$sdcStatus == "u") || hand$before > 300) next
    found <- read_method(hand$su, within = 1)
    expect_identical(found$counts, c(tables_before = hand$before, tables_after = nrow(hand$after)))
    low <- apply(hand$after, 2, min)
    high <- apply(hand$after, 2, max)
    expect_identical(nrow(found$learned), sum(high - low <= 1))
    expect_identical(sum(found$learned$how == "exactly"), sum(high == low))
    hidden <- hand$su$cells[hand$su$cells$sdcStatus %in% c("u", "x"), ]
    at <- match(paste(found$learned$a, found$learned$b), paste(hidden$a, hidden$b))
    expect_equal(found$learned$lower, unname(low[at]))
    expect_equal(found$learned$upper, unname(high[at]))
    less <- less + (nrow(hand$after) < hand$before)
  }
  expect_gt(less, 0)
})

test_that("property: trees, zeros and further arguments are those of the call", {
  skip_if_not_installed("GaussSuppression")
  x <- matrix(c(1, 6, 7, 2, 9, 8, 3, 7, 6, 8, 9, 7), 4,
              dimnames = list(place = c("a", "b", "c", "d"), b = c("x", "y", "z")))
  region <- data.frame(parent = c("all", "all", "north", "north", "south", "south"),
                       child = c("north", "south", "a", "b", "c", "d"))
  su <- suppress(x, 3, hierarchies = list(place = region), total_label = "Sum",
                 singletonMethod = "none", audit = FALSE)
  counts <- read_method(su)$counts
  expect_gte(counts[["tables_after"]], 1)
  expect_lte(counts[["tables_after"]], counts[["tables_before"]])
  none <- read_method(suppress(matrix(5:8, 2), 3))
  expect_identical(none$counts, c(tables_before = 1L, tables_after = 1L))
  expect_identical(nrow(none$learned), 0L)
})

test_that("property: what the time leaves untried stays possible", {
  skip_if_not_installed("GaussSuppression")
  su <- suppress(matrix(c(1, 7, 6, 2, 8, 9, 7, 8, 9), 3), 2, audit = FALSE)
  all <- read_method(su)
  none <- read_method(su, time_limit_s = 0)
  expect_identical(none$unsure, none$counts[["tables_before"]] - 1L)
  expect_gte(none$counts[["tables_after"]], all$counts[["tables_after"]])
})

test_that("property: what cannot be rerun is an error that says why", {
  refused <- function(x, class, words, ...) {
    expect_error(read_method(x, ...), words, class = paste0("sdc_error_", class))
  }
  refused(suppress(roehrig, 1, pattern = slides_mask()), "input", "pattern")
  skip_if_not_installed("GaussSuppression")
  su <- suppress(roehrig, 2, audit = FALSE)
  refused(su, "too_large", "max_tables", max_tables = 1)
  all <- suppress(matrix(1, 1, 2), 3, audit = FALSE)
  refused(all, "too_large", "no upper limit")
  changed <- su
  changed$maxN <- 0
  refused(changed, "input", "hides other cells")
  changed <- su
  changed$cells$sdcStatus[which(su$cells$sdcStatus == "s")[1]] <- "x"
  refused(changed, "input", "hides other cells")
})
