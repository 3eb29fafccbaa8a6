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

test_that("oracle: declared and tagged missing values of haven are missing wherever they stand", {
  skip_if_not_installed("haven")
  codes <- haven::labelled_spss(c(1, 2, 1, -9), c(yes = 1, no = 2, refused = -9), na_values = -9)
  data <- data.frame(id = 1:4, who = c(1, 2, 3, 3))
  data$v <- codes
  expect_identical(is.na(codes), c(FALSE, FALSE, FALSE, TRUE))
  missing_row <- function(...) {
    expect_error(suppressWarnings(...), "missing", class = "sdc_error_input")
  }
  missing_row(sdc_table(data, "v"))
  missing_row(magnitude_table(data, "who", "v"))
  missing_row(magnitude_table(data, "who", "id", contributorVar = "v"))
  missing_row(magnitude_table(data, "who", "id", weightVar = "v"))
  missing_row(weighted_table(data, "who", "v"))
  missing_row(sdc_table(data, "who", weightVar = "v"))
  missing_row(sdc_table(data[c(1, 2, 4), ], "who", freqVar = "v"))
  # without any label of a value
  data$v <- haven::labelled_spss(c(1, 2, 1, -9), na_values = -9)
  expect_equal(as.vector(sdc_table(data, "v", na = "level")), c(2, 1, 1))
  missing_row(magnitude_table(data, "who", "v"))
  # tagged ones of Stata and SAS
  data$v <- haven::labelled(c(1, 2, haven::tagged_na("a", "z")),
                            c(yes = 1, no = 2, refused = haven::tagged_na("a")))
  expect_equal(dimnames(sdc_table(data, "v", na = "level"))$v, c("yes", "no", NA))
  expect_equal(as.vector(sdc_table(data, "v", na = "level")), c(1, 1, 2))
})

test_that("property: labels of numbers are a warning where they occur, and holders go by labels", {
  data <- data.frame(a = c("x", "x", "y"))
  data$v <- labelled(c(5, 9999998, 7), c(refused = 9999998, "not asked" = 9999999))
  expect_warning(x <- magnitude_table(data, "a", "v"), "refused", class = "sdc_warning_input")
  expect_identical(sum(x), 5 + 9999998 + 7)
  expect_silent(magnitude_table(data[c(1, 3), ], "a", "v"))
  data$w <- labelled(c(1, 0, 1), c(none = 0), na_range = c(90, 99))
  expect_warning(sdc_table(data, "a", weightVar = "w"), "none", class = "sdc_warning_input")
  data$firm <- labelled(c(1, 2, 1), c(Acme = 1, Brown = 2))
  held <- suppressWarnings(magnitude_table(data, "a", "v", "firm"))
  expect_setequal(as.data.frame(held)$contributor, c("Acme", "Brown"))
  data$v <- labelled(c(5, 6, -1), c(refused = -1), na_values = -1)
  expect_error(magnitude_table(data, "a", "v"), "missing", class = "sdc_error_input")
})

test_that("property: coordinates with labels are numbers, and declared missing ones are refused", {
  skip_if_not_installed("hexbin")
  data <- data.frame(x = c(1, 2, 3, 4), y = c(1, 3, 2, 5))
  expected <- hex_table(data, c("x", "y"))
  data$x <- labelled(data$x, c(far = 99))
  expect_equal(hex_table(data, c("x", "y")), expected)
  data$x <- labelled(c(1, 2, 3, -1), c(unknown = -1), na_values = -1)
  expect_error(hex_table(data, c("x", "y")), "missing", class = "sdc_error_input")
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
