random_frame <- function(n, k, levels = 4) {
  out <- lapply(seq_len(k), function(v) {
    m <- sample.int(levels, 1)
    factor(sample(letters[seq_len(m)], n, replace = TRUE), letters[seq_len(m)])
  })
  names(out) <- paste0("V", seq_len(k))
  list2data_frame(out, n)
}

# The slow twin: pasted labels, summed, in cell order.
pasted_twin <- function(data, weights = rep(1, nrow(data))) {
  codes <- lapply(unname(as.list(data)), function(f) sprintf("%06d", as.integer(f)))
  key <- do.call(paste, c(rev(codes), sep = "."))
  sums <- tapply(weights, key, sum)
  sums[sums > 0]
}

pasted_keys <- function(x) {
  cells <- as.data.frame(x)
  pasted_twin(cells[names(dimnames(x))], cells$freq)
}

test_that("oracle: random microdata agree with table(), of 1 to 6 variables", {
  set.seed(1)
  for (round in seq_len(rounds(30, 300))) {
    data <- random_frame(sample(c(0, 1, 5, 60), 1), sample(6, 1))
    x <- sdc_table(data)
    expect_identical(as.table(x), table(data))
    expect_identical(sum(x), as.numeric(nrow(data)))
    expect_equal(length(x), prod(dim(table(data))))
  }
})

test_that("oracle: weights agree with xtabs(), and cells with microdata", {
  set.seed(2)
  for (round in seq_len(rounds(25, 100))) {
    data <- random_frame(40, sample(4, 1))
    w <- sample(0:5, 40, replace = TRUE)
    x <- sdc_table(cbind(data, w = w), names(data), weightVar = "w")
    expected <- xtabs(w ~ ., cbind(data, w = w))
    expect_equal(as.array(x), unclass(expected), ignore_attr = "call")
    expect_identical(sdc_table(as.data.frame(x), freqVar = "freq"), x)
    expect_identical(sdc_table(as.data.frame(x, zeros = TRUE), freqVar = "freq"), x)
    expect_identical(sdc_table(as.data.frame(table(data)), freqVar = "Freq"), sdc_table(data))
  }
})

test_that("oracle: 40 variables of 4 categories agree with pasted keys", {
  set.seed(3)
  data <- lapply(1:40, function(v) factor(sample(1:4, 1e4, TRUE, c(90, 5, 3, 2)), 1:4))
  names(data) <- paste0("V", 1:40)
  data <- list2data_frame(data, 1e4)
  x <- sdc_table(data)
  expect_identical(length(x), 4^40)
  twin <- pasted_twin(data)
  expect_identical(unname(x$counts), unname(as.numeric(twin)))
  expect_equal(pasted_keys(x), twin, ignore_attr = TRUE)
  expect_identical(names(pasted_keys(x)), names(twin))
  keep <- c("V39", "V2", "V20")
  expect_identical(as.table(margin(x, keep)), table(data[keep]))
  many <- paste0("V", c(40, 3:36))
  expect_identical(margin(x, many), sdc_table(data, many))
  expect_error(as.table(x), class = "sdc_error_too_large")
})

test_that("oracle: every kind of variable gets the levels of factor()", {
  set.seed(4)
  n <- 200
  data <- list2data_frame(list(
    int = sample(c(-3L, 0L, 7L), n, TRUE),
    wide = sample(c(-2147483647L, 0L, 2147483647L), n, TRUE),
    real = sample(c(0.1, -2.5, 1e10, Inf, -Inf), n, TRUE),
    zero = sample(c(0, -0), n, TRUE),
    flag = sample(c(TRUE, FALSE), n, TRUE),
    text = sample(c("b", "a", "\u00e9", ""), n, TRUE),
    day = as.Date("2020-01-01") + sample(0:2, n, TRUE),
    iday = structure(sample(18000:18002, n, TRUE), class = "Date"),
    time = as.POSIXct("2020-01-01", tz = "UTC") + sample(0:2, n, TRUE) * 3600,
    ordered = factor(sample(c("lo", "hi"), n, TRUE), c("lo", "hi"), ordered = TRUE)
  ), n)
  for (name in names(data)) {
    x <- sdc_table(data, name)
    f <- factor(data[[name]])
    expect_identical(dimnames(x), rlang::set_names(list(levels(f)), name))
    expect_identical(x$counts, as.numeric(table(f)))
  }
  expect_identical(as.table(sdc_table(data, c("text", "int"))), table(data[c("text", "int")]))
})

test_that("property: numbers that print alike and strings of two encodings are one level", {
  near <- sdc_table(data.frame(a = c(0.1 + 0.2, 0.3, 1)))
  expect_identical(dimnames(near)$a, levels(factor(c(0.1 + 0.2, 0.3, 1))))
  expect_identical(near$counts, c(2, 1))
  latin <- iconv("\u00e9", "UTF-8", "latin1")
  expect_identical(sdc_table(data.frame(a = c("\u00e9", latin)))$counts, 2)
})

test_that("property: tibbles and data.tables are data frames", {
  data <- data.frame(a = c("x", "y", "x"), b = c(1L, 1L, 2L))
  x <- sdc_table(data)
  skip_if_not_installed("tibble")
  expect_identical(sdc_table(tibble::as_tibble(data)), x)
  skip_if_not_installed("data.table")
  expect_identical(sdc_table(data.table::as.data.table(data)), x)
})

test_that("property: the variables stand in the order of dimVar, as names or as a formula", {
  data <- data.frame(a = c("x", "y"), b = c("u", "v"), "c d" = 1:2, check.names = FALSE)
  x <- sdc_table(data, c("c d", "a"))
  expect_identical(names(dimnames(x)), c("c d", "a"))
  expect_identical(sdc_table(data, ~ `c d` + a), x)
  expect_identical(names(dimnames(sdc_table(data, freqVar = "c d"))), c("a", "b"))
  expect_identical(sdc_table(data, ~1), sdc_table(data, character()))
})

test_that("property: tables, arrays, xtabs and ftables come in with their names", {
  for (y in list(Titanic, UCBAdmissions, HairEyeColor, table(c(1, 1, 2), dnn = "k"))) {
    expect_equal(as.table(sdc_table(y)), y)
    expect_identical(sdc_table(y), as_sdc_table(sdc_table(y)))
  }
  expect_equal(as.table(sdc_table(ftable(Titanic, row.vars = 1:2))), Titanic)
  by_sex <- xtabs(Freq ~ Sex + Class, as.data.frame(Titanic))
  expect_equal(c(as.table(sdc_table(by_sex))), c(by_sex))
  expect_identical(sdc_table(Titanic, ~ Age + Sex), margin(sdc_table(Titanic), c("Age", "Sex")))
  bare <- sdc_table(matrix(1:4, 2))
  expect_identical(dimnames(bare), list(Var1 = c("1", "2"), Var2 = c("1", "2")))
  expect_identical(dim(sdc_table(matrix(0, 0, 3))), c(0L, 3L))
  expect_identical(dim(sdc_table(matrix(5, 1, 1))), c(1L, 1L))
})

test_that("property: missing values become a level, as table(useNA = \"ifany\") has it", {
  set.seed(5)
  for (round in seq_len(rounds(13, 50))) {
    data <- random_frame(30, 3)
    data$V4 <- sample(c(1.5, 2), 30, TRUE)
    data$V5 <- sample(c("a", "b"), 30, TRUE)
    data$V6 <- sample(c(TRUE, NA), 30, TRUE)
    for (v in sample(6, 3)) data[[v]][sample(30, 4)] <- NA
    expect_identical(as.table(sdc_table(data, na = "level")), table(data, useNA = "ifany"))
  }
  with_level <- data.frame(a = addNA(factor(c("u", NA))))
  expect_identical(dimnames(sdc_table(with_level))$a, c("u", NA))
  expect_identical(dimnames(sdc_table(data.frame(a = c(NaN, 1)), na = "level"))$a, c("1", NA))
  expect_identical(as_sdc_table(table(with_level, useNA = "always")), sdc_table(with_level))
})

test_that("property: unused levels stay unless they are to be dropped", {
  data <- data.frame(a = factor("u", c("t", "u", "v")), b = "x")
  expect_identical(dim(sdc_table(data)), c(3L, 1L))
  x <- sdc_table(data, drop_unused = TRUE)
  expect_identical(dimnames(x), list(a = "u", b = "x"))
  expect_identical(x$counts, 1)
  zero <- data.frame(a = c("u", "v"), n = c(0, 2))
  expect_identical(dimnames(sdc_table(zero, freqVar = "n"))$a, c("u", "v"))
  expect_identical(dimnames(sdc_table(zero, freqVar = "n", drop_unused = TRUE))$a, "v")
})

test_that("property: cells that are listed twice are added up on request only", {
  cells <- data.frame(a = c("u", "v", "u"), b = c(1.5, 2, 1.5), n = c(0, 2, 3))
  x <- sdc_table(cells, freqVar = "n", duplicates = "sum")
  expect_identical(x$counts, c(3, 2))
  expect_error(sdc_table(cells, freqVar = "n"), class = "sdc_error_input")
})

test_that("property: no records, no variables, one level, no level", {
  none <- data.frame(a = factor(character(), c("u", "v")), b = character())
  x <- sdc_table(none)
  expect_identical(dim(x), c(2L, 0L))
  expect_identical(sum(x), 0)
  expect_equal(length(x), 0)
  total <- sdc_table(data.frame(a = 1:3), dimVar = character())
  expect_identical(c(sum(total), length(total)), c(3, 1))
  expect_identical(as.data.frame(total), data.frame(freq = 3))
  expect_identical(dense_counts(total), 3)
  expect_identical(as.table(sdc_table(data.frame(a = c("x", "x")))), table(a = c("x", "x")))
})

test_that("property: counts up to 2^53 are exact", {
  x <- sdc_table(data.frame(a = c("u", "v"), n = c(2^53 - 1, 1)), freqVar = "n")
  expect_identical(sum(x), 2^53)
  expect_identical(x$counts, c(2^53 - 1, 1))
  expect_identical(sum(margin(x, character())), 2^53)
})

test_that("property: a saved table comes back", {
  x <- sdc_table(Titanic)
  file <- withr::local_tempfile()
  saveRDS(x, file)
  expect_identical(readRDS(file), x)
  expect_identical(table_from_dense(dense_counts(x), dimnames(x)), x)
  expect_true(is_sdc_table(x))
})

test_that("snapshot: what is refused, and how", {
  data <- data.frame(a = c("u", NA, NA), b = c(1, NaN, 2), n = c(1, 2, 3))
  data$l <- list(1, 2, 3)
  twice <- list2data_frame(list(a = 1:2, a = 1:2), 2)
  expect_snapshot(error = TRUE, {
    sdc_table(data, c("a", "b"))
    sdc_table(data, c("a", "missing", "{odd}"))
    sdc_table(data, c("a", "a"))
    sdc_table(data, 1)
    sdc_table(data, c("a", NA))
    sdc_table(data, ~ a * b)
    sdc_table(data, n ~ a)
    sdc_table(data, "l")
    sdc_table(data, c("n", "b"), freqVar = "n")
    sdc_table(data, "b", freqVar = "n", weightVar = "n")
    sdc_table(data, "b", freqVar = c("n", "b"))
    sdc_table(data, "b", weightVar = "a")
    sdc_table(data, "b", na = "drop")
    sdc_table(data, "b", drop = TRUE)
    sdc_table(twice)
    sdc_table(twice, "a")
    sdc_table(list2data_frame(list(1:2), 2))
    sdc_table(1:3)
    sdc_table(NULL)
    sdc_table(Titanic, freqVar = "n")
    as_sdc_table(data)
    as_sdc_table(letters)
  })
})

test_that("snapshot: counts that are none are named by position, never by value", {
  cells <- function(n) data.frame(a = c("u", "v", "w"), n = n)
  counted <- function(n) sdc_table(cells(n), "a", freqVar = "n")
  bad <- matrix(c(1, 2, 3, -987), 2, dimnames = list(sex = c("f", "m"), c("a", "b")))
  expect_snapshot(error = TRUE, {
    counted(c(1, NA, 2))
    counted(c(1, 2, Inf))
    counted(c(1, -987, 2))
    counted(c(1, 98.7, 2))
    counted(c(1, 2^53 + 2, 2))
    counted(c(1, 2^53, 2))
    counted(c(TRUE, FALSE, TRUE))
    sdc_table(cells(c(1, .5, 1)), "a", weightVar = "n")
    sdc_table(data.frame(a = c("u", "v", "u"), b = 1, n = 5), freqVar = "n")
    sdc_table(data.frame(n = 1:2), freqVar = "n")
    as_sdc_table(bad)
    as_sdc_table(array(1, c(2, 2), list(a = 1:2, a = 1:2)))
    as_sdc_table(array(1, 2, list(a = c("u", "u"))))
  })
  expect_error(counted(c(1, 2^53, 2)), class = "sdc_error_too_large")
})

test_that("property: a factor with broken codes is refused", {
  broken <- data.frame(a = structure(c(1L, 5L), levels = c("u", "v"), class = "factor"))
  expect_error(sdc_table(broken), class = "sdc_error_input")
})

test_that("property: counts of class integer64 are read as they are", {
  # The bits of a small whole number k are those of the double k * 2^-1074.
  counted <- function(bits) {
    cells <- list2data_frame(list(a = c("u", "v"), n = structure(bits, class = "integer64")), 2)
    sdc_table(cells, "a", freqVar = "n")
  }
  expect_identical(counted(c(3, 4e9) * 2^-1074)$counts, c(3, 4e9))
  expect_error(counted(c(3 * 2^-1074, -0)), "Row 2 is missing", class = "sdc_error_input")
  expect_error(counted(c(3 * 2^-1074, 1)), "Row 2 is above", class = "sdc_error_input")
  keys <- list2data_frame(list(a = structure(c(7, 2, 7) * 2^-1074, class = "integer64")), 3)
  expected <- list2data_frame(list(a = factor(c(2, 7)), freq = c(1, 2)), 2)
  expect_identical(as.data.frame(sdc_table(keys)), expected)
  large <- list2data_frame(list(a = structure(1, class = "integer64")), 1)
  expect_error(sdc_table(large), "within 2\\^53", class = "sdc_error_input")
  expect_error(counted(c(-1, 0)), "Row 1 is negative", class = "sdc_error_input")
})

test_that("snapshot: dimensions of class integer64 are exact to 2^53, without bit64", {
  # Little-endian bytes, as they lie in a column of class integer64.
  int64 <- function(...) {
    bytes <- as.raw(c(...))
    structure(readBin(bytes, "double", length(bytes) / 8, endian = "little"), class = "integer64")
  }
  minus_five <- c(0xfb, rep(0xff, 7))
  missing <- c(rep(0, 7), 0x80)
  most <- c(rep(0, 6), 0x20, 0)
  one_less <- c(rep(0xff, 6), 0x1f, 0)
  lakh <- c(0xa0, 0x86, 1, rep(0, 5))
  frame <- function(...) list2data_frame(list(a = int64(...)), length(c(...)) / 8)
  x <- sdc_table(frame(most, minus_five, one_less, most, lakh))
  expect_identical(dimnames(x)$a, c("-5", "100000", "9007199254740991", "9007199254740992"))
  expect_identical(as.numeric(x), c(1, 1, 1, 2))
  y <- sdc_table(frame(most, missing, minus_five), na = "level")
  expect_identical(dimnames(y)$a, c("-5", "9007199254740992", NA))
  expect_identical(as.numeric(y), c(1, 1, 1))
  expect_snapshot(error = TRUE, {
    sdc_table(frame(minus_five, missing))
    sdc_table(frame(c(1, rep(0, 5), 0x20, 0)))
    sdc_table(frame(c(rep(0xff, 6), 0xdf, 0xff)))
  })
})

test_that("snapshot: missing arguments, unknown variables, no table", {
  expect_snapshot(error = TRUE, {
    sdc_table()
    as_sdc_table()
    sdc_table(Titanic, "x")
    sdc_table(Titanic, 3)
    sdc_table(Titanic, ~ Age * Sex)
    sdc_table(1:5)
  })
  expect_error(sdc_table(), class = "sdc_error_input")
})

test_that("snapshot: a column that looks like counts is pointed out", {
  cells <- data.frame(a = c("u", "v"), n = c(3, 4), Freq = 1:2)
  expect_snapshot({
    x <- sdc_table(cells)
    x <- sdc_table(cells, freqVar = "Freq")
  })
  expect_warning(sdc_table(cells), class = "sdc_warning_input")
  expect_warning(sdc_table(cells, c("a", "n")), class = "sdc_warning_input")
  expect_warning(sdc_table(cells, "a", weightVar = "n"), class = "sdc_warning_input")
  expect_silent(sdc_table(rbind(cells, cells), c("a", "n")))
  expect_silent(sdc_table(cells[c("a", "n")], freqVar = "n"))
  expect_silent(sdc_table(data.frame(n = factor(1:2), N = c("a", "b"))))
})

test_that("snapshot: damaged frames and tables are refused", {
  short <- structure(
    list(a = factor(c("u", "v")), n = 1:3), class = "data.frame", row.names = c(NA, -3L)
  )
  broken <- sdc_table(data.frame(a = c("u", "v", "w")))
  broken <- unclass(broken)
  broken$keys[] <- as.raw(255)
  class(broken) <- "sdc_table"
  expect_snapshot(error = TRUE, {
    sdc_table(short, "a", freqVar = "n")
    as.array(broken)
  })
})

test_that("property: columns with almost as many values as records are told, unless they are named",
          {
  n <- 150
  data <- data.frame(sex = rep(c("f", "m", "m"), 50), income = seq_len(n) + .5,
                     name = paste0("p", seq_len(n)),
                     age = rep(0:49, 3))
  told <- function(x, ...) tryCatch(sdc_table(x, ...), sdc_warning_input = conditionMessage)
  expect_match(told(data), "\"income\" and \"name\" of")
  expect_match(told(data[c("sex", "income")]), "\"income\" of .* looks like")
  expect_s3_class(told(data[c("sex", "age")]), "sdc_table")
  expect_s3_class(told(data, dimVar = c("sex", "income")), "sdc_table")
  cells <- data.frame(code = paste0("c", seq_len(n)), n = 1)
  expect_s3_class(told(cells, freqVar = "n"), "sdc_table")
  # few records, factors and unused levels
  expect_s3_class(told(data[1:20, ]), "sdc_table")
  few <- data.frame(place = factor(rep("a", 50), c("a", paste0("b", 1:40))), sex = "f")
  expect_s3_class(told(few), "sdc_table")
  many <- data.frame(day = rep(seq_len(110), 30))
  expect_match(told(many), "\"day\"")
})
