# Labels of values as haven reads them, and names without quotes.

labelled <- function(x, labels, ...) {
  structure(x, labels = labels, class = c("haven_labelled", "vctrs_vctr", typeof(x)), ...)
}

test_that("oracle: labels become levels, as haven::as_factor() makes them", {
  skip_if_not_installed("haven")
  withr::local_seed(61)
  columns <- list(
    haven::labelled(sample(c(1, 2, 5), 50, TRUE), c(male = 1, female = 2)),
    haven::labelled(sample(3L, 50, TRUE), c(c = 3L, a = 1L, b = 2L, unused = 9L)),
    haven::labelled(sample(c("x", "y"), 50, TRUE), c(ex = "x", why = "y"))
  )
  for (column in columns) {
    data <- data.frame(v = seq_len(50))
    data$v <- column
    expected <- haven::as_factor(column)
    x <- sdc_table(data)
    expect_setequal(dimnames(x)$v, levels(expected))
    expect_equal(as.array(x)[levels(expected)], c(table(expected)), ignore_attr = TRUE)
  }
})

test_that("property: labels are read by their attributes, declared missing values are missing", {
  data <- data.frame(value = 1:5)
  data$v <- labelled(c(2, 1, 2, 8, 9), c(yes = 1, no = 2, refused = 8), na_values = 9)
  expect_error(sdc_table(data, "v"), "missing in 1 row", class = "sdc_error_input")
  expect_equal(dimnames(sdc_table(data, "v", na = "level"))$v, c("yes", "no", "refused", NA))
  data$v <- labelled(c(2, 1, 2, 8, 9), c(yes = 1, no = 2, refused = 8), na_range = c(8, 9))
  expect_equal(as.vector(sdc_table(data, "v", na = "level")), c(1, 2, 2))
  mg <- magnitude_table(data[1:3, ], "v", "value")
  expect_equal(dimnames(mg)$v, c("yes", "no"))
})

test_that("snapshot: labels that are no levels, and names without quotes", {
  data <- data.frame(region = c("a", "b"), gender = c("f", "m"), v = 1:2)
  twice <- clash <- data
  twice$v <- labelled(c(1, 2), c(a = 1, a = 2))
  clash$v <- labelled(c(1, 2), c("2" = 1))
  expect_snapshot(error = TRUE, {
    sdc_table(twice, "v")
    sdc_table(clash, "v")
    sdc_table(data, dimVar = c(region, gender))
    sdc_table(data, dimVar = region, freqVar = "v")
    sdc_table(data, c("region", "gender"), freqVar = v)
    magnitude_table(data, c("region", "gender"), numVar = v)
    margin(sdc_table(Titanic), c(Class, Sex))
  })
  gender <- "region"
  expect_equal(names(dimnames(sdc_table(data, gender))), "region")
  expect_error(sdc_table(data, c("region", no_such_object)), "no_such_object")
})
