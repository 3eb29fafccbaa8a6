# Publications of magnitudes, judged by the program in inst/checker: from the records, the rules and
# linear programmes of its own.

# Who learns which row by an audit() of the package; as the program names people.
learned_by_audit <- function(one, readers) {
  found <- audit(one$su, progress = FALSE, readers = readers)
  rows <- as.data.frame(one$pub)[names(one$mg$dimnames)]
  row_of <- function(frame) match(do.call(paste, frame[names(rows)]), do.call(paste, rows))
  cells <- as.data.frame(found)
  who <- vapply(strsplit(found$learned$who, " and "), function(w) paste(sort(as.numeric(w)), collapse = ","), "")
  failed <- cells$primary & (cells$protected %in% FALSE | cells$near)
  list(
    learned = sort(c(paste0(rep("outsider - ", sum(failed)), row_of(cells[failed, ])),
                     do.call(paste, list(found$learned$reader, who, row_of(found$learned))))),
    shown = nrow(found$shown), sums = nrow(found$unions) > 0,
    # NA: it was not settled whether a sum follows that is sensitive
    safe = if (found$counts[["unions_unsure"]] < max(1, found$failures)) found$failures == 0 else NA
  )
}

learned_by_program <- function(found) {
  words <- strsplit(grep("^open", found$said, value = TRUE), "[ :]+")
  list(
    learned = sort(vapply(words, function(w) paste(w[2:4], collapse = " "), "")),
    shown = sum(grepl("^shown", found$said)), sums = any(grepl("^derived", found$said)),
    safe = found$verdict == "safe"
  )
}

test_that("oracle: of patterns of any quality the program says what audit() says, for each reader", {
  set.seed(491)
  readers <- c("outsider", "contributor", "coalition")
  kinds <- setdiff(names(magnitude_kinds), c("library", "status", "optimal", "costs"))
  drawn <- lapply(rep(kinds, rounds(6, 250)), draw_any_pattern)
  found <- run_auditor(lapply(drawn, function(one) case_of_magnitudes("x", one, readers = readers)))
  expect_false("undecided" %in% vapply(found, `[[`, "", "verdict"))
  n <- 0
  for (k in seq_along(drawn)) {
    by_audit <- learned_by_audit(drawn[[k]], readers)
    by_program <- learned_by_program(found[[k]])
    # audit() does not look for sums of cells that fail anyway, and not all are settled
    if (length(by_audit$learned) > 0 || is.na(by_audit$safe)) by_audit$sums <- by_audit$sums || by_program$sums
    # the program does not look for sums with sensitive cells that are shown
    if (by_audit$shown > 0) by_audit$sums <- by_program$sums <- by_audit$sums || by_program$sums
    if (is.na(by_audit$safe)) by_audit$safe <- by_program$safe
    expect_identical(by_program, by_audit, info = paste(c(drawn[[k]]$kind, found[[k]]$said), collapse = "\n"))
    n <- n + c(!by_audit$safe, by_audit$safe, any(grepl("coalition", by_audit$learned)))
  }
  expect_true(all(n > rounds(5, 200)))
})

test_that("property: nobody learns from published magnitudes what they promise to keep", {
  set.seed(492)
  kinds <- rep(setdiff(names(magnitude_kinds), "library"), rounds(10, 400))
  if (requireNamespace("GaussSuppression", quietly = TRUE)) kinds <- c(kinds, rep("library", rounds(3, 60)))
  for (some in split(kinds, ceiling(seq_along(kinds) / 500))) {
    drawn <- lapply(some, draw_magnitudes)
    found <- run_auditor(lapply(drawn, function(one) case_of_magnitudes(one$kind, one)))
    for (k in seq_along(drawn)) {
      expect_identical(found[[k]]$verdict, "safe",
                       info = paste(c(found[[k]]$said, deparse(drawn[[k]]$asked)), collapse = "\n"))
    }
  }
})

test_that("property: two publications of one table of magnitudes are judged together", {
  # one firm has most of one cell; each publication hides enough beside it, and both together nothing
  data <- expand.grid(part = 1:4, region = factor(letters[1:3]), branch = factor(LETTERS[1:3]))
  data$value <- ifelse(data$region == "b" & data$branch == "A", c(100, 3, 2, 1)[data$part], 25)
  data$firm <- seq_len(nrow(data))
  mg <- firm_table(data)
  masks <- list(matrix(FALSE, 3, 3), matrix(FALSE, 3, 3))
  masks[[1]][1:2, 1:2] <- TRUE
  masks[[2]][2:3, c(1, 3)] <- TRUE
  two <- lapply(masks, function(mask) {
    su <- suppress(mg, rule_p_percent(10), pattern = mask, method = "certified")
    list(su = su, pub = publish(su), mg = mg, unit = 1, rule_lines = "rule p_percent 10",
         records = data.frame(leaf = leaf_numbers(data, mg$dimnames), who = data$firm, value = data$value))
  })
  cases <- lapply(two, function(one) case_of_magnitudes("x", one))
  expect_identical(vapply(run_auditor(cases), `[[`, "", "verdict"), c("safe", "safe"))
  both <- c(head(cases[[1]], -1), grep("^sum ", cases[[2]], value = TRUE), "end")
  found <- run_auditor(list(both))[[1]]
  expect_identical(found$verdict, "open")
  # everybody knows the total of the cell
  expect_true("open outsider - : 2 106 106" %in% found$said)
})
