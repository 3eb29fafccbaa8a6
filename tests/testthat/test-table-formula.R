firms <- function() {
  data.frame(
    region = c("n1", "n1", "n2", "s1", "s1", "s2", "n2", "s1", "s2", "s2"),
    county = c("N", "N", "N", "S", "S", "S", "N", "S", "S", "S"),
    sector4 = c("agri", "ind", "ind", "agri", "pub", "pub", "pub", "ind", "agri", "agri"),
    sector2 = c("priv", "priv", "priv", "priv", "state", "state", "state", "priv", "priv", "priv")
  )
}

linked <- function(data = firms()) sdc_table(data, formula = ~ region * sector2 + county * sector4)

# The published cells by aggregate(): all subsets of the columns of each product.
by_aggregate <- function(data, products) {
  rows <- lapply(products, function(columns) {
    lapply(0:3, function(bits) {
      shown <- columns[c(bits %% 2 == 1, bits >= 2)]
      labels <- data.frame(region = rep("Total", nrow(data)), sector4 = "Total")
      for (column in shown) {
        labels[[if (column %in% c("region", "county")) 1 else 2]] <- data[[column]]
      }
      aggregate(list(freq = rep(1, nrow(data))), labels, sum)
    })
  })
  unique(do.call(rbind, unlist(rows, recursive = FALSE)))
}

sorted <- function(data) {
  data[] <- lapply(data, function(x) if (is.factor(x)) as.character(x) else x)
  data <- data[do.call(order, data), ]
  rownames(data) <- NULL
  data
}

test_that("oracle: linked tables are the union of their crossings", {
  x <- linked()
  expect_equal(names(x$dimnames), c("region", "sector4"))
  found <- as.data.frame(x, totals = TRUE)
  expect_equal(sorted(found), sorted(by_aggregate(firms(), list(c("region", "sector2"),
                                                                c("county", "sector4")))))
})

test_that("oracle: random tables have the published cells of SSBtools", {
  skip_if_not_installed("SSBtools")
  set.seed(3)
  for (k in 1:6) {
    data <- firms()[sample(10, 40, replace = TRUE), ]
    data$size <- sample(c("big", "small"), 40, replace = TRUE)
    formula <- list(~ region * sector2 + county * sector4, ~ region + county:sector2 + size,
                    ~ region * size * sector4 - region:size, ~ county:sector2 - 1,
                    ~ (region + sector4)^2, ~ region * sector4 + county * sector2 + size)[[k]]
    x <- sdc_table(data, formula = formula)
    data$freq <- 1
    made <- SSBtools::ModelMatrix(data, formula = formula, crossTable = TRUE)
    counts <- as.vector(Matrix::crossprod(made$modelMatrix, data$freq))
    theirs <- cbind(as.data.frame(made$crossTable), freq = counts)
    expect_setequal(names(theirs), c(names(x$dimnames), "freq"))
    ours <- as.data.frame(x, totals = TRUE)
    expect_equal(sorted(ours), sorted(theirs[names(ours)]))
  }
})

test_that("property: zeros are listed inside crossings alone", {
  x <- linked()
  all <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  some <- as.data.frame(x, totals = TRUE)
  expect_equal(nrow(all), 5 * 3 + 3 * 4 - 1)
  expect_equal(sorted(all[all$freq > 0, ]), sorted(some))
  expect_false(any(all$region %in% c("n1", "n2") & all$sector4 == "agri"))
  expect_equal(published_numbers(x), sort(published_numbers(x)))
})

test_that("property: a margin and an index keep what they can of the layout", {
  x <- linked()
  m <- margin(x, "sector4")
  expect_equal(as.data.frame(m, totals = TRUE)$freq,
               as.data.frame(x, totals = TRUE)$freq[as.data.frame(x, totals = TRUE)$region ==
                                                      "Total"])
  expect_null(x[c("n1", "s1"), ]$layout)
  expect_identical(x[, ], x)
  expect_identical(x[4:1, ]$layout, x$layout)
})

test_that("property: a formula of everything is no restriction", {
  tree <- nested_tree(firms(), c("county", "region"))
  x <- sdc_table(firms(), c("region", "sector4"), hierarchies = list(region = tree))
  y <- sdc_table(firms(), hierarchies = list(region = tree), formula = ~ region * sector4)
  expect_null(table_crossings(y))
  expect_equal(as.data.frame(x, totals = TRUE), as.data.frame(y, totals = TRUE))
  z <- sdc_table(x, formula = ~ region)
  expect_equal(nrow(as.data.frame(z, totals = TRUE)), 7)
})

test_that("property: a further variable of the leaves is summed over", {
  x <- sdc_table(firms(), dimVar = c("county", "sector4"), formula = ~ county)
  expect_equal(names(x$dimnames), c("county", "sector4"))
  expect_equal(as.data.frame(x, totals = TRUE)$freq, c(4, 6, 10))
})

test_that("snapshot: prints of tables with trees and links", {
  expect_snapshot({
    linked()
    summary(linked())
    margin(linked(), "region")
    sdc_table(firms(), c("county", "region", "sector4"), hierarchies = "auto")
    sdc_table(HairEyeColor)
  })
})

test_that("snapshot: formulas that cannot be", {
  expect_snapshot(error = TRUE, {
    sdc_table(firms(), formula = region ~ sector4)
    sdc_table(firms(), formula = ~ log(region))
    sdc_table(firms(), formula = ~ regin * sector4)
    sdc_table(firms(), formula = "region")
    sdc_table(cbind(firms(), type = firms()$region %in% c("n1", "s1")), formula = ~ county:type + region)
    sdc_table(linked(), hierarchies = list(region = nested_tree(firms(), c("county", "region"))))
    as.data.frame(linked(), totals = TRUE, total_label = "All")
    sdc_table(Titanic, hierarchies = "auto")
  })
})

test_that("property: the picture of a window marks totals, suppressed cells and gaps", {
  skip_if_not_installed("ggplot2")
  x <- linked()
  window <- table_window(x, window_rows, window_columns)
  picture <- ggplot2::autoplot(x)
  expect_s3_class(picture, "ggplot")
  expect_equal(picture$labels$x, "sector4")
  expect_equal(picture$labels$y, "region")
  expect_match(picture$labels$caption, "not published")
  data <- picture$data
  expect_equal(nrow(data), 7 * 6)
  expect_equal(sum(data$.label != ""), 26)
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$freq == 1
  su <- suppress(x, maxN = 1, pattern = cells)
  drawn <- ggplot2::autoplot(su)$data
  expect_equal(sum(drawn$.label == "u"), sum(cells$freq == 1))
  public <- ggplot2::autoplot(publish(su, insist = TRUE))$data
  expect_equal(sum(public$.label == "x"), sum(cells$freq == 1))
  expect_false("u" %in% public$.label)
  expect_equal(sum(public$.label != ""), 26)
})

test_that("property: who chooses sub-tables is told that a formula has chosen already", {
  x <- linked()
  for (call in list(quote(release_greedy(x, risk_width(3))), quote(sub_tables(x, risk = risk_width(3))),
                    quote(critical_widths(x)), quote(release_exact(x, risk_width(3))))) {
    expect_error(eval(call), "without crossings", class = "sdc_error_input")
  }
  tree <- list(region = nested_tree(firms(), c("county", "region")))
  y <- sdc_table(firms(), c("region", "sector4"), hierarchies = tree)
  expect_equal(critical_widths(y), critical_widths(sdc_table(firms(), c("region", "sector4"))))
})
