# Suppressions that list the cells that are not zero, and leave published zeros out.

# Counts with zeros; the first variable may have a tree.
sparse_case <- function(seed, d, tree) {
  set.seed(seed)
  labels <- lapply(d, function(k) paste0("l", seq_len(k)))
  names(labels) <- LETTERS[seq_along(d)]
  x <- as_sdc_table(as.table(array(rpois(prod(d), 1.2), d, labels)))
  groups <- data.frame(parent = c("all", "all", rep_len(c("p", "q"), d[1])),
                       child = c("p", "q", labels$A))
  list(x = x, trees = if (tree) list(A = groups))
}
suppress_case <- function(case, ..., time_limit_s = 0.2) {
  suppressWarnings(suppress(case$x, 2, hierarchies = case$trees, method = "certified", seed = 3,
                            progress = FALSE, time_limit_s = time_limit_s, ...))
}
# The same suppression in both forms; a second search may end elsewhere.
both_forms <- function(case, ...) {
  full <- suppress_case(case, ...)
  few <- full
  kept <- which(full$cells$freq > 0)
  few$cells <- full$cells[kept, ]
  rownames(few$cells) <- NULL
  few$certificates$row <- as.double(match(full$certificates$row, kept))
  few$lacking$row <- as.double(match(full$lacking$row, kept))
  few$lacking$who <- as.double(match(full$lacking$who, kept))
  few$seal <- seal_of(suppression_kind(few), suppression_parts(few))
  list(full = full, few = few)
}
case_labels <- function(x, rows) {
  label_words(lapply(unclass(x$cells)[names(x$original$dimnames)], function(v) {
    as.character(v[rows])
  }))
}

test_that("property: both forms have the same cells, certificates, proofs and publications", {
  shapes <- list(list(c(5, 4, 3), FALSE), list(c(8, 6), FALSE), list(c(4, 3, 2, 3), TRUE),
                 list(30, FALSE), list(c(6, 4, 4), TRUE))
  for (i in seq_along(shapes)) {
    made <- both_forms(sparse_case(i, shapes[[i]][[1]], shapes[[i]][[2]]), width = 1 + i %% 2)
    full <- made$full
    few <- made$few
    kept <- which(full$cells$freq > 0)
    expect_lt(nrow(few$cells), nrow(full$cells))
    expect_identical(case_labels(full, kept), case_labels(few, seq_len(nrow(few$cells))))
    expect_identical(full$cells$sdcStatus[kept], few$cells$sdcStatus)
    expect_identical(case_labels(full, full$certificates$row),
                     case_labels(few, few$certificates$row))
    expect_identical(full$certificates$change, few$certificates$change)
    expect_identical(unclass(verify_suppression(full)), unclass(verify_suppression(few)))
    public <- lapply(made, publish, insist = TRUE)
    expect_identical(as.table(public$full), as.table(public$few))
    expect_identical(as.table(public$full, totals = TRUE), as.table(public$few, totals = TRUE))
    expect_identical(summary(few)$lost, summary(full)$lost)
  }
})

test_that("oracle: certificates are added up alike in many parts and in one", {
  su <- suppress_case(sparse_case(7, c(4, 4, 3), TRUE))
  whole <- changed_cells(su)
  parts <- lapply(certificate_parts(su, su$certificates, most = 1), function(rows) {
    changed_by(su, su$certificates[rows, ], numbers_of_rows(su$cells, names(su$original$dimnames)))
  })
  expect_gt(length(parts), 5)
  for (name in names(whole)) expect_equal(unlist(lapply(parts, `[[`, name)), whole[[name]])
  expect_identical(row_parts(c(1, 1, 2, 3, 3), c(2, 2, 9, 1, 1), most = 3), list(1:2, 3L, 4:5))
})

test_that("property: zeros without a row are published, and an edit that changes or suppresses one is refused", {
  case <- sparse_case(1, c(4, 3, 3), FALSE)
  few <- withr::with_options(list(sdcLattice.full_cells = 0), suppress_case(case))
  expect_identical(few$cells[1:4], both_forms(case)$few$cells[1:4])
  expect_true(verify_suppression(few)$verified)
  # a certificate in one cell alone changes totals, and at most some zeros
  edited <- few
  edited$certificates <- few$certificates[few$certificates$certificate == 1, ][1, ]
  expect_false(verify_suppression(edited)$verified)
  edited <- few
  edited$cells <- few$cells[-which(few$cells$sdcStatus == "s")[1], ]
  expect_false(verify_suppression(edited)$verified)
  expect_error(publish(edited), class = "sdc_error_refused")
  withr::local_options(sdcLattice.full_cells = 0)
  hidden <- as.array(case$x) == 0
  expect_error(suppress(case$x, 2, pattern = hidden, method = "certified"), "must be published",
               class = "sdc_error_input")
  expect_error(audit(few), class = "sdc_error_too_large")
  expect_error(constraints(publish(few)), class = "sdc_error_too_large")
})

test_that("property: zeros without a row are explained and may be named as published or as costs", {
  case <- sparse_case(1, c(5, 4, 3), FALSE)
  few <- both_forms(case)$few
  all <- as.data.frame(case$x, zeros = TRUE)
  zero <- all[all$freq == 0, names(dimnames(case$x))][1, ]
  expect_match(format(explain(few, zero)), "its count is 0", all = FALSE)
  expect_match(format(explain(publish(few), zero)), "its count is 0", all = FALSE)
  hidden <- few$cells[which(few$cells$sdcStatus == "x")[1], names(dimnames(case$x))]
  expect_match(format(explain(few, hidden)), "It is part of", all = FALSE)
  expect_match(format(explain(publish(few), hidden)), "Suppressed", all = FALSE)
  withr::local_options(sdcLattice.full_cells = 0)
  named <- suppress_case(case, cost = cbind(rbind(zero, hidden), cost = 5), published = zero)
  expect_identical(named$cells[1:4], few$cells[1:4])
  expect_true(verify_suppression(named)$verified)
  expect_match(format(few), "that are not zero", all = FALSE)
})
