# Releases that are frames with gaps.

# All tables of 3 x n cells with the total `sum`, a column for each.
tables_of_sum <- function(n_cells, sum) {
  if (n_cells == 1) {
    return(matrix(sum, 1))
  }
  do.call(cbind, lapply(0:sum, function(first) rbind(first, tables_of_sum(n_cells - 1, sum - first))))
}

# The cells that each row of a frame sums, by the definition of the nodes.
cells_below <- function(frame, held) {
  grid <- expand.grid(region = letters[1:3], v = c("x", "y"), stringsAsFactors = FALSE)
  lapply(seq_len(nrow(frame)), function(i) {
    grid$region %in% held$region[[as.character(frame$region[i])]] &
      grid$v %in% held$v[[as.character(frame$v[i])]]
  })
}

test_that("oracle: bounds and counts of tables from frames with gaps are those of enumeration", {
  withr::local_seed(801)
  several <- 0
  for (i in seq_len(rounds(12, 24))) {
    trees <- if (i %% 2 == 0) list(nation) else list(nation, coast)
    held <- list(region = held_levels(letters[1:3], trees), v = held_levels(c("x", "y"), NULL))
    counts <- rmultinom(1, 6, rep(1, 6))[, 1]
    frame <- expand.grid(region = names(held$region), v = names(held$v), stringsAsFactors = FALSE)
    below <- cells_below(frame, held)
    frame$freq <- vapply(below, function(at) sum(counts[at]), 0)
    # a total of all is always listed, so that the tables are finite; others are missing, not
    # known, or known by limits
    root <- which(frame$region == "all" & frame$v == "Total")
    kind <- replace(sample(c("count", "unknown", "limits", "absent"), nrow(frame), TRUE,
                           c(.3, .2, .2, .3)), root, "count")
    frame$lower <- frame$upper <- NA
    limited <- kind == "limits"
    frame$lower[limited] <- pmax(0, frame$freq[limited] - 1)
    frame$upper[limited] <- ifelse(runif(sum(limited)) < .5, NA, frame$freq[limited] + 1)
    frame$freq[kind != "count"] <- NA
    listed <- kind != "absent"
    given <- frame[listed, ]
    given <- given[sample(nrow(given)), ]
    if (i %% 3 == 0) given <- given[names(given) != "upper"]
    release <- constraints(given, hierarchies = list(region = trees),
                           dimnames = list(region = letters[1:3], v = c("x", "y")))
    all <- unname(tables_of_sum(6, 6))
    agree <- rep(TRUE, ncol(all))
    for (k in which(listed)) {
      sums <- colSums(all[below[[k]], , drop = FALSE])
      agree <- agree & (is.na(frame$freq[k]) | sums == frame$freq[k]) &
        (is.na(frame$lower[k]) | sums >= frame$lower[k]) &
        (is.na(frame$upper[k]) | i %% 3 == 0 | sums <= frame$upper[k])
    }
    agreeing <- all[, agree, drop = FALSE]
    found <- bounds_margins(release)
    expect_equal(found$lower, apply(agreeing, 1, min))
    expect_equal(found$upper, apply(agreeing, 1, max))
    expect_equal(as.numeric(as.character(count_tables(release))), ncol(agreeing))
    asked <- frame[c("region", "v")]
    sums <- bounds_margins(release, cells = asked)
    of_table <- vapply(below, function(at) range(colSums(agreeing[at, , drop = FALSE])), c(0, 0))
    expect_equal(cbind(sums$lower, sums$upper), t(of_table))
    several <- several + (ncol(agreeing) > 1)
  }
  expect_gt(several, rounds(5, 15))
})

test_that("property: a frame without gaps gives the cells, and a table of it is no other release", {
  x <- sdc_table(matrix(c(4, 0, 7, 1, 2, 3), 3, dimnames = list(region = letters[1:3],
                                                               v = c("x", "y"))),
                 hierarchies = list(region = nation))
  frame <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  found <- bounds_margins(constraints(frame, hierarchies = list(region = nation),
                                      dimnames = dimnames(x)))
  expect_equal(found$lower, as.vector(as.array(x)))
  expect_equal(found$upper, found$lower)
})

test_that("property: limits and counts must agree, and what is no number is an error", {
  frame <- data.frame(a = c("x", "y", "Total"), freq = c(2, NA, 5), lower = c(1, 2, NA),
                      upper = c(3, 9, NA))
  found <- bounds_margins(constraints(frame))
  expect_equal(found$lower, c(2, 3))
  frame$upper[1] <- 1
  expect_error(constraints(frame), "row 1", class = "sdc_error_infeasible")
  expect_error(constraints(transform(frame, freq = c(NA, NA, 5.5))), "Row 3",
               class = "sdc_error_input")
  # a gap before the row that is wrong
  expect_error(constraints(data.frame(a = c("x", "y", "z"), freq = c(NA, 1, -2))), "Row 3",
               class = "sdc_error_input")
  # nothing is known of any cell
  open <- bounds_margins(constraints(data.frame(a = c("x", "y", "Total"), freq = c(NA, NA, 4))))
  expect_equal(c(open$lower, open$upper), c(0, 0, 4, 4))
  none <- constraints(data.frame(a = c("x", "y"), freq = NA))
  expect_equal(c(none$lower, none$upper), c(0, 0, Inf, Inf))
  expect_error(constraints(data.frame(a = "x", freq = c("1", "2"))), class = "sdc_error_input")
})
