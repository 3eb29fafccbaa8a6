test_that("a table answers as an array does", {
  x <- sdc_table(Titanic)
  expect_identical(dim(x), dim(Titanic))
  expect_identical(dimnames(x), dimnames(Titanic))
  expect_equal(length(x), 32)
  expect_identical(sum(x), sum(Titanic))
  expect_identical(as.array(x), array(as.integer(Titanic), dim(Titanic), dimnames(Titanic)))
  expect_type(as.array(sdc_table(matrix(3e9, 1, 1))), "double")
  expect_equal(all.equal(x, x), TRUE)
})

test_that("oracle: indices choose what they choose in an array", {
  set.seed(1)
  y <- array(rpois(60, 1), c(5, 4, 3), list(a = letters[1:5], b = letters[1:4], c = letters[1:3]))
  x <- sdc_table(y)
  index <- function(levels) {
    n <- length(levels)
    switch(sample.int(5, 1),
      sample(levels, sample.int(n, 1)), sample.int(n, sample.int(n, 1)),
      -sample.int(n, sample.int(n - 1, 1)), sample(c(TRUE, FALSE), n, TRUE), seq_len(n)
    )
  }
  for (round in 1:200) {
    i <- lapply(dimnames(y), index)
    expect_equal(as.array(x[i[[1]], i[[2]], i[[3]]]), y[i[[1]], i[[2]], i[[3]], drop = FALSE])
  }
  expect_identical(as.array(x["b", , c("c", "a")]), y["b", , c("c", "a"), drop = FALSE])
  expect_equal(as.array(x["b", , c("c", "a"), drop = TRUE]), y["b", , c("c", "a")])
  expect_identical(x[], x)
  expect_identical(x[, , ], x)
  expect_identical(sum(x[0 < 0 & 1:5 > 0, , ]), 0)
  v <- factor("b", c("b", "a"))
  expect_identical(x[v, , ], x["b", , ])
})

test_that("oracle: NA levels can be chosen", {
  x <- sdc_table(data.frame(a = c("u", NA)), na = "level")
  expect_identical(dimnames(x[NA_character_])$a, NA_character_)
})

test_that("snapshot: indices and sizes that are refused", {
  x <- sdc_table(Titanic)
  expect_snapshot(error = TRUE, {
    x[1]
    x[1, 1]
    x["4th", , , ]
    x[9, , , ]
    x[c(1, 1), , , ]
    x[c(TRUE, FALSE), , , ]
    x[c(-1, 2), , , ]
    x[1.5, , , ]
    as.table(x, max_cells = 31)
    as.array(margin(x, character(0)))
    sum(x, 1)
  })
  withr::local_options(sdcLattice.max_cells = 10)
  expect_error(as.table(x), class = "sdc_error_too_large")
  expect_error(as.data.frame(x, zeros = TRUE), class = "sdc_error_too_large")
})

test_that("snapshot: prints", {
  wide <- stats::setNames(rep(list(factor(1, 1:9)), 40), paste0("V", 1:40))
  expect_snapshot({
    sdc_table(Titanic)
    summary(sdc_table(Titanic))
    sdc_table(list2data_frame(wide, 1))
    sdc_table(data.frame(a = c(1, NA)), na = "level")
    margin(sdc_table(Titanic), character(0))
    summary(sdc_table(matrix(0, 0, 0)))
    str(sdc_table(Titanic))
    cat(format(sdc_table(Titanic)), sep = "\n")
  })
})

test_that("pictures are ggplots", {
  skip_if_not_installed("ggplot2")
  x <- sdc_table(Titanic)
  for (keep in list("Class", c("Class", "Sex"), c("Class", "Sex", "Age"), character(0))) {
    p <- ggplot2::autoplot(margin(x, keep))
    expect_s3_class(p, "ggplot")
    expect_silent(ggplot2::ggplot_build(p))
  }
  withr::local_pdf(NULL)
  expect_identical(plot(x), x)
  expect_silent(plot(sdc_table(matrix(0, 2, 2))))
})
