# Sums of leaf cells that follow from published totals, such as differences of two groupings of the
# same leaves: none may be a small count.

test_that("oracle: the program finds the sums that are the same in all tables", {
  set.seed(451)
  drawn <- lapply(rep(c("plain", "trees", "groupings"), rounds(8, 60)), draw_publication)
  pubs <- lapply(drawn, partly_shown)
  cases <- Map(function(one, pub) {
    case_of_suppression("x", one$su, pub, c("limit 2000", "list", "derived"))
  }, drawn, pubs)
  n <- 0
  all <- run_auditor(cases)
  searched <- run_auditor(lapply(cases, sub, pattern = "^limit 2000$", replacement = "limit 0"))
  derived <- function(found) sort(grep("^derived", found$said, value = TRUE))
  for (k in seq_along(cases)) {
    found <- all[[k]]
    if (is.na(found$tables)) next
    if (!any(grepl("^undecided", searched[[k]]$said))) expect_identical(derived(searched[[k]]), derived(found))
    counts <- as.vector(as.array(drawn[[k]]$su$original))
    tables <- do.call(rbind, found$listed)
    shown <- as.data.frame(pubs[[k]])
    shown <- leaves_of_rows(shown[!shown$suppressed, ], dimnames(drawn[[k]]$su$original), held_labels(drawn[[k]]$su))
    open <- which(apply(tables != rep(counts, each = nrow(tables)), 2, any) |
                    counts > 0 & counts <= drawn[[k]]$su$maxN)
    open <- setdiff(open, unlist(shown[lengths(shown) == 1]))
    sets <- lapply(seq_len(2^length(open) - 1), function(s) open[bitwAnd(s, 2^(seq_along(open) - 1)) > 0])
    fixed <- Filter(function(set) {
      sum <- rowSums(tables[, set, drop = FALSE])
      all(sum == sum[1]) && sum[1] >= 1 && sum[1] <= drawn[[k]]$su$maxN
    }, sets)
    least <- Filter(function(set) {
      !any(vapply(fixed, function(other) length(other) < length(set) && all(other %in% set), NA))
    }, fixed)
    said <- sub(".* : ", "", grep("^derived", found$said, value = TRUE))
    expect_setequal(said, vapply(least, paste, "", collapse = " "))
    n <- n + (length(said) > 0)
  }
  expect_gt(n, 2)
})

test_that("property: no difference of two groupings is a small count", {
  people <- data.frame(area = paste0("a", 1:6), n = c(40, 1, 30, 25, 33, 18))
  first <- data.frame(area = people$area, G = c("g1", "g1", "g1", "g2", "g2", "g2"))
  second <- data.frame(area = people$area, H = c("h1", "h2", "h1", "h2", "h2", "h2"))
  x <- sdc_table(people, "area", "n", hierarchies = list(area = list(first, second)), formula = ~ G + H)
  pub <- tryCatch(publish(suppressWarnings(suppress(x, 3))), sdc_error_refused = function(cnd) NULL)
  if (!is.null(pub)) {
    found <- run_auditor(list(case_of_suppression("x", suppress(x, 3), pub, "derived")))[[1]]
    expect_identical(found$verdict, "safe", info = paste(found$said, collapse = "\n"))
  }
})

test_that("property: no sum of leaves that follows from the published totals is small", {
  set.seed(452)
  drawn <- lapply(rep(c("groupings", "linked"), rounds(20, 1000)), draw_publication, hides = FALSE)
  found <- audit_drawn(drawn, rounds(5000, 100000), 0, "derived")$found
  open <- vapply(found, function(one) any(grepl("^derived", one$said)), NA)
  at <- which(open)[1]
  expect_identical(sum(open), 0L, info = paste(c(
    paste(sum(open), "of", length(open)), if (any(open)) found[[at]]$said,
    if (any(open)) deparse(drawn[[at]]$arguments)
  ), collapse = "\n"))
})
