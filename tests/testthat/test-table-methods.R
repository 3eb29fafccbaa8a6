test_that("property: a table answers as an array does", {
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
  for (round in seq_len(rounds(100, 200))) {
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

test_that("property: pictures are ggplots", {
  skip_if_not_installed("ggplot2")
  x <- sdc_table(Titanic)
  for (keep in list("Class", c("Class", "Sex"), c("Class", "Sex", "Age"), character(0))) {
    p <- ggplot2::autoplot(margin(x, keep))
    expect_s3_class(p, "ggplot")
    expect_silent(ggplot2::ggplot_build(p))
  }
  withr::local_pdf(NULL)
  expect_s3_class(plot(x), "ggplot")
  expect_silent(plot(sdc_table(matrix(0, 2, 2))))
})

test_that("property: indices that are passed on are evaluated where they were written", {
  x <- sdc_table(Titanic)
  pass <- function(x, ...) x[...]
  twice <- function(...) pass(x, ...)
  local_lev <- function() {
    lev <- "Crew"
    c(sum(pass(x, lev, , , )), sum(twice(lev, , , )))
  }
  lev <- "1st"
  expect_identical(local_lev(), c(885, 885))
  expect_identical(sum(pass(x, lev, , , )), 325)
  named <- function(i, j, v = 1:2) x[i, j, , v, drop = TRUE]
  expect_identical(named("Crew"), x["Crew", , , , drop = TRUE])
  expect_identical(named(), x)
  found <- mapply(function(...) sum(x[...]), 1:2, 1:2, 1:2, 1:2)
  expect_identical(found, as.numeric(Titanic[cbind(1:2, 1:2, 1:2, 1:2)]))
  expect_identical(do.call(`[`, list(x, "Crew", rlang::missing_arg(), 1, 2)), x["Crew", , 1, 2])
  expect_identical(do.call("[", list(quote(x), lev, 1, 1, 1, drop = TRUE)),
                   x["1st", 1, 1, 1, drop = TRUE])
  expect_identical(lapply(1:2, function(i) x[i, , , ])[[2]], x["2nd", , , ])
  expect_identical(utils::head(x, 2), x[1:2, , , ])
  expect_error(mapply(function(...) sum(x[...]), 1:2, 1:2), class = "sdc_error_input")
})

test_that("property: two variables are a matrix, and all counts a vector", {
  set.seed(2)
  for (round in seq_len(rounds(10, 20))) {
    y <- as.table(matrix(rpois(12, 1), 3, dimnames = list(a = 1:3, b = letters[1:4])))
    x <- sdc_table(y)
    expect_identical(t(x), sdc_table(t(y)))
    expect_identical(as.matrix(x), as.array(x))
    expect_identical(as.vector(x), as.numeric(y))
    expect_identical(as.numeric(x), as.numeric(y))
    expect_identical(as.vector(x, "character"), as.vector(y, "character"))
  }
  expect_identical(as.numeric(margin(x, character())), as.numeric(sum(y)))
})

test_that("snapshot: what a table does not do", {
  x <- sdc_table(Titanic)
  expect_snapshot(error = TRUE, {
    x["Crew", , , ] <- 1
    x[["Crew"]] <- 1
    x$counts <- 1
    dim(x) <- 32
    dimnames(x) <- NULL
    names(x) <- "a"
    length(x) <- 3
    is.na(x) <- 1
    x[[1]]
    x + 1
    x == x
    sqrt(x)
    range(x)
    is.na(x)
    lapply(x, sum)
    cbind(x, x)
    unique(x)
    duplicated(x)
    rev(x)
    rep(x, 2)
    sort(x)
    mean(x)
    t(x)
    as.matrix(x)
  })
  expect_error(x[1, , , ] <- 1, class = "sdc_error_input")
  expect_error(max(x), class = "sdc_error_input")
  expect_error(-x, class = "sdc_error_input")
})

test_that("snapshot: an index error shows the index and the levels", {
  x <- sdc_table(data.frame(age = 1:9, sex = "f"))
  expect_snapshot(error = TRUE, {
    x[c("2", "12", "13"), ]
    x[factor("{a}"), ]
    sdc_table(data.frame("{b}" = "{c}", check.names = FALSE))["{a}"]
    x[c(1, 0), ]
    x[NA_integer_, ]
    x[c(TRUE, NA, rep(TRUE, 7)), ]
    x[list(1), ]
    x[NULL, ]
    x[sum, ]
    x[, "m"]
    sdc_table(matrix(0, 0, 1))[1, ]
  })
})

test_that("snapshot: long labels are cut with an ellipsis", {
  long <- paste(rep("long", 20), collapse = " ")
  data <- stats::setNames(data.frame(c(long, "b"), "c"), c(long, "none"))
  expect_snapshot({
    sdc_table(data)
    sdc_table(data.frame(a = paste(1:7, long)))
    sdc_table(matrix(0, 0, 2))
  })
})

test_that("snapshot: pictures know no names of variables, and need a cell", {
  skip_if_not_installed("ggplot2")
  for (names in list("freq", c("freq", "count"), c("count", "row"), c("column", "row", "freq"))) {
    y <- array(1:4, rep(2, length(names)), stats::setNames(rep(list(1:2), length(names)), names))
    p <- ggplot2::autoplot(sdc_table(y))
    expect_silent(ggplot2::ggplot_build(p))
  }
  expect_identical(ggplot2::autoplot(sdc_table(matrix(1, 1, 1)))$labels$y, "Var1")
  expect_snapshot(error = TRUE, {
    ggplot2::autoplot(sdc_table(matrix(0, 0, 3)))
    plot(sdc_table(matrix(0, 0, 0)))
  })
})

test_that("property: tables print a window of at most 12 x 8 with their totals", {
  printed <- function(x) utils::capture.output(print(x))
  small <- printed(sdc_table(roehrig))
  whole <- addmargins(as.matrix(sdc_table(roehrig)))
  for (i in 1:4) {
    numbers <- as.numeric(strsplit(trimws(small[3 + i]), " +")[[1]])
    expect_equal(numbers, unname(c(i, whole[i, ])))
  }
  expect_match(small[8], "Total", fixed = TRUE)
  expect_match(printed(sdc_table(matrix(c(1e5, 0, 3, 1e10), 2))), "10,000,000,000", all = FALSE)
  expect_lte(length(printed(sdc_table(array(1, rep(3, 9))))), 13)
  large <- printed(sdc_table(matrix(7, 50, 20)))
  expect_length(large, 1 + 2 + 12 + 1)
  expect_match(large[15], "Total( 350){7} 7,000$")
  expect_match(large[16], "has all")
  wide <- matrix(7, 10, 10, dimnames = list(r = 1:10, c = strrep(letters[1:10], 19)))
  expect_true(all(nchar(printed(sdc_table(wide))) <= getOption("width")))
  expect_length(printed(sdc_table(array(0, c(3, 3, 3)))), 4 + 3 + 4)
  expect_length(printed(margin(sdc_table(roehrig), character(0))), 1)
})

test_that("property: names that nobody masks, and what to do where a name is masked", {
  x <- sdc_table(Titanic)
  expect_identical(table_margin(x, "Class"), margin(x, "Class"))
  bounds <- bounds_margins(margins(roehrig, list("row", "column")))
  expect_identical(explain_cell(bounds, 3), explain(bounds, 3))
  expect_error(attack_map(1), class = "sdc_error_input")
  names <- c("table_margin", "explain_cell", "attack_map", "nested_tree")
  for (package in c("base", "stats", "utils", "ggplot2", "dplyr", "data.table", "sdcTable",
                    "SSBtools",
                    "GaussSuppression")) {
    if (requireNamespace(package, quietly = TRUE)) {
      expect_length(intersect(names, getNamespaceExports(package)), 0)
    }
  }
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::margin(x, "Class"), "table_margin", class = "sdc_error_input")
  expect_error(c(x, 1), "Only tables", class = "sdc_error_input")
  skip_if_not_installed("dplyr")
  expect_identical(dplyr::explain(bounds, 3), explain(bounds, 3))
})

test_that("property: a table with a variable `freq` becomes a frame under another name", {
  cells <- expand.grid(A = letters[1:12], freq = 1:3)
  x <- sdc_table(cells, c("A", "freq"))
  expect_error(as.data.frame(x), "pass `responseName`: \"freq\" is a variable of the table",
               class = "sdc_error_input", ignore.case = TRUE)
  expect_equal(nrow(as.data.frame(x, responseName = "n")), 36)
})
