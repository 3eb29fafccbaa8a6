test_that("property: tidy() and as_tibble() have the rows of as.data.frame()", {
  skip_if_not_installed("generics")
  skip_if_not_installed("tibble")
  x <- sdc_table(Titanic, c("Class", "Survived"))
  su <- suppress(roehrig, maxN = 1, pattern = roehrig == 1)
  results <- list(x, su, round_controlled(roehrig, 3, seed = 1),
                  bounds_margins(margins(roehrig, list("row", "column"))),
                  audit(su, count = FALSE), release_greedy(czech_workers, risk_width(3)))
  for (one in results) {
    found <- generics::tidy(one)
    expect_s3_class(found, "tbl_df")
    expect_equal(as.data.frame(found), as.data.frame(as.list(as.data.frame(one))),
                 ignore_attr = TRUE)
    expect_identical(tibble::as_tibble(one), found)
  }
  expect_equal(nrow(generics::tidy(x, totals = TRUE)), 15)
  expect_error(generics::tidy(mechanism(cycles_banded(roehrig, seed = 1))),
               class = "sdc_error_input")
})

test_that("property: tidy() is a data frame that dplyr takes", {
  skip_if_not_installed("generics")
  skip_if_not_installed("dplyr")
  x <- sdc_table(Titanic, c("Class", "Survived"))
  cells <- dplyr::filter(generics::tidy(x, totals = TRUE), .data$freq < 200)
  expect_equal(sum(cells$freq), 178 + 167 + 118 + 122)
})

test_that("property: glance() has one row with the figures of the object", {
  skip_if_not_installed("generics")
  x <- as_sdc_table(roehrig)
  one <- generics::glance(x)
  expect_equal(c(nrow(one), one$variables, one$cells, one$total),
               c(1, 2, length(roehrig), sum(roehrig)))
  expect_equal(one$n1, sum(roehrig == 1))
  su <- suppress(roehrig, maxN = 1, pattern = roehrig > 0 & roehrig <= 2)
  expect_equal(unlist(generics::glance(su)[c("primary", "secondary")]),
               c(primary = sum(roehrig == 1), secondary = sum(roehrig == 2)))
  public <- publish(su, insist = TRUE)
  expect_equal(generics::glance(public)$suppressed, sum(roehrig %in% 1:2))
  mg <- magnitude_table(data.frame(a = c("x", "x", "y"), v = c(2, 3, 4)), "a", "v")
  expect_equal(unlist(generics::glance(mg)),
               c(variables = 1, cells = 2, with_contributors = 2, contributions = 3, total = 9))
  ro <- round_controlled(roehrig, 3, method = "nearest")
  expect_equal(generics::glance(ro)$violations, 0)
  expect_equal(generics::glance(publish(ro))$base, 3)
  pub <- publication(roehrig, mechanism(cycles_banded(roehrig, seed = 1)))
  expect_equal(generics::glance(pub)$total, sum(roehrig))
  release <- margins(roehrig, list("row", "column"))
  found <- generics::glance(bounds_margins(release))
  expect_equal(c(found$cells, found$sharp, found$known), c(16, 16, 0))
  expect_equal(generics::glance(count_tables(release))$tables, "18272363056")
  r <- release_greedy(czech_workers, risk_width(3))
  expect_equal(generics::glance(r)$sub_tables, r$n_sub_tables)
  expect_error(generics::glance(audit(su, count = FALSE)), "summary", class = "sdc_error_input")
})
