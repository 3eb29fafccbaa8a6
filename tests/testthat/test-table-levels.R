# How many cells a table publishes on each combination of levels.

levels_by_hand <- function(x, level_of, maxN = 3) {
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE, stringsAsFactors = FALSE)
  for (v in names(level_of)) cells[[v]] <- unname(level_of[[v]][cells[[v]]])
  key <- do.call(paste, c(cells[names(level_of)], sep = "|"))
  counts <- c(list(cells = cells$freq >= 0, nonzero = cells$freq > 0),
              lapply(seq_len(maxN), function(n) cells$freq == n))
  names(counts)[-(1:2)] <- paste0("n", seq_len(maxN))
  vapply(counts, function(is) c(rowsum(as.numeric(is), key)), numeric(length(unique(key))))
}

expect_levels <- function(x, level_of, maxN = 3) {
  found <- count_by_level(x, maxN)
  expect_identical(names(found), c(names(level_of), "cells", "nonzero", paste0("n", seq_len(maxN))))
  by_hand <- levels_by_hand(x, level_of, maxN)
  key <- do.call(paste, c(lapply(found[names(level_of)], as.character), sep = "|"))
  expect_equal(as.matrix(found[colnames(by_hand)])[order(key), , drop = FALSE], by_hand,
               ignore_attr = TRUE)
}

records_of <- function(n) {
  data.frame(
    region = sample(paste0("r", 1:7), n, TRUE, 7:1), sector = sample(paste0("s", 1:5), n, TRUE),
    sex = sample(c("f", "m"), n, TRUE)
  )
}
county_tree <- data.frame(
  parent = c(NA, "All", "All", "c1", "c1", "c1", "c1", "c2", "c2", "c2"),
  child = c("All", "c1", "c2", paste0("r", 1:7)),
  level = c(NA, "county", "county", rep("region", 7))
)
coast_tree <- data.frame(
  parent = c("All", "All", "coast", "coast", "inland", "inland", "inland", "inland", "inland"),
  child = c("coast", "inland", paste0("r", c(1, 7, 2:6)))
)
# s5 lies right below the root
sector_tree <- data.frame(
  parent = c("Total", "Total", "Total", "A", "A", "B", "B"),
  child = c("A", "B", "s5", "s1", "s2", "s3", "s4")
)
region_levels <- c(All = "All", c1 = "county", c2 = "county", coast = "1", inland = "1",
                   rlang::set_names(rep("region", 7), paste0("r", 1:7)))
sector_levels <- c(Total = "Total", A = "1", B = "1", s5 = "1",
                   rlang::set_names(rep("2", 4), paste0("s", 1:4)))
sex_levels <- c(Total = "Total", f = "sex", m = "sex")

test_that("property: levels are counted as in the list of all cells", {
  withr::local_seed(211)
  for (n in c(0, 1, 5, 40, 200)) {
    data <- rbind(data.frame(region = "r1", sector = "s1", sex = "f"), records_of(n))[-1, ]
    data$sex <- factor(data$sex, c("f", "m"))
    x <- sdc_table(data, names(data), drop_unused = FALSE, hierarchies = list(
      region = list(county_tree, coast_tree), sector = sector_tree
    ))
    expect_levels(x, list(region = region_levels, sector = sector_levels, sex = sex_levels), 1 + n %% 4)
    flat <- sdc_table(data, "sex", drop_unused = FALSE)
    expect_levels(flat, list(sex = sex_levels))
  }
})

test_that("property: cells of several crossings are counted once", {
  withr::local_seed(212)
  data <- records_of(60)
  data$county <- ifelse(data$region %in% paste0("r", 1:4), "c1", "c2")
  levels <- list(region = c(Total = "Total", region_levels[-1]), sector = sector_levels,
                 sex = sex_levels)
  for (formula in list(~ region * sector + county * sex, ~ county:sex + region:sector + sex,
                       ~ county * sector * sex + region)) {
    x <- sdc_table(data, formula = formula, hierarchies = list(sector = sector_tree))
    expect_identical(length(table_crossings(x)) > 1, TRUE)
    expect_levels(x, levels[names(dimnames(x))])
  }
})

test_that("oracle: the levels of a chain of trees stand from the total to the leaves", {
  x <- sdc_table(data.frame(region = paste0("r", c(1, 1, 2, 7))), "region",
                 hierarchies = list(region = county_tree))
  expect_identical(
    count_by_level(x, 2),
    data.frame(
      region = factor(c("All", "county", "region"), c("All", "county", "region")),
      cells = c(1, 2, 7), nonzero = c(1, 2, 3), n1 = c(0, 1, 2), n2 = c(0, 0, 1)
    )
  )
})

test_that("property: a table without variables has one cell", {
  expect_identical(
    count_by_level(sdc_table(data.frame(a = 1:2), character())),
    data.frame(cells = 1, nonzero = 1, n1 = 0, n2 = 1, n3 = 0)
  )
})

test_that("property: too many combinations are not counted", {
  x <- sdc_table(array(1:64, rep(2, 6)))
  expect_null(count_by_level(x, max_rows = 63))
  expect_identical(nrow(count_by_level(x, max_rows = 64)), 64L)
  expect_null(count_by_level(x, max_cells = 3^6 - 1))
  expect_identical(sum(count_by_level(x, max_cells = 3^6)$nonzero), 3^6)
  y <- sdc_table(data.frame(region = paste0("r", 1:7)), hierarchies = list(region = county_tree))
  withr::local_options(sdcLattice.max_cells = 9)
  expect_match(format(summary(y)), "too many to be counted", all = FALSE)
})
