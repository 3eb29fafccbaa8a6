# What two years of a suppressed table tell together, against all pairs of tables.

certify_year <- function(x, ...) {
  suppressWarnings(suppress(x, maxN = 2, readers = "outsider", seed = 1, time_limit_s = 1, ...),
                   classes = "sdc_warning_unsafe")
}

# All tables that agree with a publication: a column each, with a row for each cell and total.
tables_of_year <- function(su) {
  public <- public_suppression(su)
  hidden <- which(public$cells$suppressed)
  found <- if (length(hidden) == 0) matrix(0, 0, 1) else tryCatch(
    matrix(enumerate_tables(reader_system(public), limit = 400, max_states = 1e5, max_steps = 1e6), length(hidden)),
    sdc_error = function(cnd) NULL
  )
  if (is.null(found)) {
    return(NULL)
  }
  all <- matrix(su$cells$freq, nrow(su$cells), ncol(found))
  all[hidden, ] <- found
  all
}

totals_of <- function(x) {
  rbind(data.frame(A = rownames(x), B = "Total"), data.frame(A = "Total", B = c(colnames(x), "Total")))
}

test_that("oracle: intervals of two years are those of all pairs of tables that agree", {
  set.seed(421)
  tried <- c(pairs = 0, narrower = 0, failing = 0)
  for (k in seq_len(if (is_long()) 300 else 18)) {
    last <- matrix(rpois(12, 4) + (runif(12) < .8), 3, dimnames = list(A = 1:3, B = 1:4))
    change <- list(1, 2, c(0, Inf), c(-1, 3), c(-Inf, Inf), c(-Inf, 0))[[k %% 6 + 1]]
    this <- last + switch(k %% 6 + 1, sample(-1:1, 12, TRUE), sample(-2:2, 12, TRUE), rpois(12, .5),
                          sample(-1:3, 12, TRUE), rpois(12, 2), -rpois(12, .5))
    this <- pmax(this, 0)
    # another order of levels, and one that is new
    if (k %% 5 == 0) this <- rbind(this[3:1, ], "4" = rpois(4, 5))
    names(dimnames(this)) <- names(dimnames(last))
    years <- lapply(list(last = last, this = this), function(x) {
      suppressWarnings(certify_year(x, published = totals_of(x)[c(rowSums(x), colSums(x), sum(x)) > 2, ]))
    })
    all <- lapply(years, tables_of_year)
    if (any(vapply(all, is.null, NA))) next
    found <- suppressWarnings(audit_years(years$this, years$last, change), classes = "sdc_warning_outer")
    expect_true(all(found$cells$sharp), info = k)
    key <- lapply(years, function(su) paste(su$cells$A, su$cells$B))
    inner <- key$last[inner_rows(years$last$cells, years$last$original$dimnames)]
    inner <- intersect(inner, key$this)
    both <- expand.grid(last = seq_len(ncol(all$last)), this = seq_len(ncol(all$this)))
    gap <- all$this[match(inner, key$this), both$this, drop = FALSE] -
      all$last[match(inner, key$last), both$last, drop = FALSE]
    reach <- if (length(change) == 1) c(-change, change) else change
    both <- both[colSums(gap < reach[1] | gap > reach[2]) == 0, ]
    for (year in c("last", "this")) {
      own <- found$cells[found$cells$year == year, ]
      rows <- match(paste(own$A, own$B), key[[year]])
      expect_identical(rows, which(is_withheld(years[[year]])))
      if (length(rows) == 0) next
      ends <- function(at) apply(all[[year]][rows, at, drop = FALSE], 1, range)
      expect_equal(rbind(own$lower_alone, own$upper_alone), unname(ends(seq_len(ncol(all[[year]])))), info = k)
      expect_equal(rbind(own$lower, own$upper), unname(ends(unique(both[[year]]))), info = paste(k, year))
      primary <- years[[year]]$cells$sdcStatus[rows] == "u"
      expect_identical(own$primary, primary)
      expect_identical(own$protected, ifelse(primary, own$upper > own$lower, NA))
    }
    # a reader has the publications alone
    public <- audit_years(public_suppression(years$this), public_suppression(years$last), change)
    expect_identical(public$cells[1:8], found$cells[1:8])
    tried <- tried + c(1, sum(summary(found)$narrower) > 0, sum(summary(found)$failing) > 0)
  }
  expect_true(all(tried > c(8, 4, 1)))
})

test_that("property: counts of the audit are those of its cells, and words say what fails", {
  last <- matrix(c(5, 1, 8, 4, 7, 9, 6, 4, 3, 8, 5, 6), 3, dimnames = list(A = 1:3, B = 1:4))
  before <- certify_year(last)
  # the same cells hidden, and no count changed
  again <- audit_years(before, before, 0)
  expect_identical(summary(again)$failing, c(0L, 0L))
  expect_identical(as.data.frame(again), again$cells)
  expect_s3_class(again, "sdc_confidential")
  # other cells hidden give all away where no count changes
  other <- certify_year(last, published = before$cells[before$cells$sdcStatus == "x", c("A", "B")])
  both <- audit_years(other, before, 0)
  expect_true(all(summary(both)$both >= summary(both)$alone))
  expect_match(format(both), "FAILS: the interval of 1 primary cell of last year is too narrow", all = FALSE)
  expect_match(format(both), "a count changes by 0 to 0", all = FALSE)
  expect_match(format(audit_years(before, before, c(0, Inf))), "no count falls", all = FALSE)
  expect_match(format(audit_years(before, before, c(-Inf, 0))), "no count rises", all = FALSE)
  expect_match(format(audit_years(before, before, c(-Inf, Inf))), "any number", all = FALSE)
  expect_match(format(audit_years(before, before, c(-2, Inf))), "by -2 at least", all = FALSE)
  # with trees, and nothing hidden in one year
  tree <- data.frame(parent = c("all", "all", "p", "p"), child = c("p", "3", "1", "2"))
  one <- certify_year(last, hierarchies = list(A = tree))
  all_shown <- suppressWarnings(suppress(last, maxN = 0), classes = "sdc_warning_input")
  expect_true(all(as.data.frame(audit_years(one, publish(all_shown), 0))$known))
  expect_identical(nrow(audit_years(all_shown, all_shown, 0)$cells), 0L)
})

test_that("property: what cannot be asked is an error", {
  x <- matrix(c(5, 1, 8, 4, 7, 9, 6, 4, 3, 8, 5, 6), 3, dimnames = list(A = 1:3, B = 1:4))
  su <- certify_year(x)
  fails <- function(words, ..., class = "sdc_error_input") expect_error(audit_years(...), words, class = class)
  for (change in list(-1, NA, "1", 1.5, c(2, 1), 1:3, Inf, NULL)) fails("change", su, su, change)
  fails("missing", su, su)
  fails("suppressed table", x, su, 1)
  fails("suppressed table", su, x, 1)
  fails("same variables", su, certify_year(t(x)), 1)
  fails("true of the two", su, certify_year(x + 2), 1, class = "sdc_error_infeasible")
  fails("1 cell", publish(su), publish(certify_year(replace(x, 6, 20))), 1, class = "sdc_error_infeasible")
  linked <- as.data.frame(as.table(array(1:8, c(2, 2, 2), list(A = 1:2, B = 1:2, C = 1:2))))
  linked <- suppress(sdc_table(linked, c("A", "B", "C"), freqVar = "Freq", formula = ~ A:B + A:C), maxN = 0) |>
    suppressWarnings()
  fails("formula", linked, su, 1)
  edited <- su
  edited$cells$freq[1] <- 9
  fails("original", su, edited, 1, class = "sdc_error_refused")
})
