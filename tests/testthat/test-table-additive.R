# Totals among the levels of a table.

sums <- function(...) expect_error(sdc_table(...), class = "sdc_error_input")

test_that("oracle: addmargins() is recognised, and taking its totals away gives the table back", {
  withr::local_seed(41)
  for (i in seq_len(rounds(6, 30))) {
    dim <- sample(2:5, sample(1:3, 1), replace = TRUE)
    x <- sdc_table(lettered_table(rpois(prod(dim), 4) + 1, dim))
    with_sums <- stats::addmargins(as.table(x))
    sums(with_sums)
    expect_error(as_sdc_table(with_sums), class = "sdc_error_input")
    expect_equal(sdc_table(with_sums, total = "Sum"), x)
    frame <- as.data.frame(with_sums, responseName = "n")
    frame <- frame[sample(nrow(frame)), ]
    sums(frame, freqVar = "n")
    expect_equal(sdc_table(frame, freqVar = "n", total = "Sum"), x)
    by_variable <- lapply(dimnames(x), function(levels) "Sum")
    expect_equal(sdc_table(frame, freqVar = "n", total = by_variable), x)
    expect_equal(length(sdc_table(frame, freqVar = "n", total = FALSE)), prod(dim + 1))
  }
})

test_that("oracle: all totals of trees are found, whatever their names and order", {
  withr::local_seed(42)
  for (i in seq_len(rounds(5, 20))) {
    leaves <- paste0("l", 1:8)
    tree <- data.frame(parent = c("r", "r", "p", "p", "p", "p", "q", "q", "q", "s", "s"),
                       child = c("p", "q", "l1", "l2", "l3", "s", "l4", "l5", "l6", "l7", "l8"))
    x <- sdc_table(array(rpois(48, 30), c(8, 6), list(A = leaves, B = 1:6)))
    frame <- as.data.frame(x, hierarchies = list(A = tree))
    frame <- droplevels(frame[frame$B != "Total", ])
    frame$A <- sample(letters, 26)[as.integer(factor(frame$A, c(leaves, "r", "p", "q", "s")))]
    cnd <- tryCatch(sdc_table(frame, c("A", "B"), freqVar = "freq"), sdc_error_input = identity)
    expect_s3_class(cnd, "sdc_error_input")
    expect_match(conditionMessage(cnd), "is the sum of")
    label <- unique(frame$A[rowsum(frame$freq, frame$A)[frame$A, 1] == sum(x)])
    expect_match(conditionMessage(cnd), paste0("Level \"", label, "\" of \"A\""))
    found <- sdcLattice:::find_totals(sdc_table(frame, c("A", "B"), freqVar = "freq",
                                                total = FALSE))
    expect_equal(length(found$totals), 4)
    expect_equal(length(unique(unlist(lapply(found$totals, `[[`, "of")))), 11)
    dropped <- vapply(found$totals, `[[`, "", "level")
    again <- sdc_table(frame, c("A", "B"), freqVar = "freq", total = list(A = dropped))
    expect_equal(dim(again), c(8, 6))
    expect_equal(sum(again), sum(x))
  }
})

test_that("property: tables where sums agree by chance are tables", {
  withr::local_seed(43)
  refused <- 0
  for (i in seq_len(rounds(100, 400))) {
    dim <- sample(1:5, sample(1:3, 1), replace = TRUE)
    x <- lettered_table(rpois(prod(dim), sample(c(.3, 1, 5), 1)), dim)
    refused <- refused + inherits(try(sdc_table(x), silent = TRUE), "try-error")
  }
  expect_equal(refused, 0)
  # equal expectations of a level and of the sum of the others
  for (i in seq_len(rounds(50, 200))) {
    x <- lettered_table(rpois(9, c(20, 10, 10)), c(3, 3))
    refused <- refused + inherits(try(sdc_table(x), silent = TRUE), "try-error")
  }
  expect_lte(refused, 1)
  expect_equal(sum(sdc_table(matrix(c(0, 5, 0, 3), 2))), 8)
  expect_equal(sum(sdc_table(lettered_table(c(2, 2), 2))), 4)
  expect_equal(sum(sdc_table(lettered_table(c(1, 1, 2), 3))), 4)
  expect_equal(sum(sdc_table(lettered_table(0, c(3, 2)))), 0)
})

test_that("property: names of totals need no evidence, and no sum makes them levels", {
  small <- data.frame(v = c("a", "b", "Total"), n = c(1, 0, 1))
  sums(small, freqVar = "n")
  sums(transform(small, v = c("a", "b", "")), freqVar = "n")
  expect_equal(sum(sdc_table(transform(small, v = letters[1:3]), freqVar = "n")), 2)
  wrong <- transform(small, n = c(1, 2, 4))
  expect_warning(x <- sdc_table(wrong, freqVar = "n"), class = "sdc_warning_total")
  expect_equal(sum(x), 7)
  expect_no_warning(sdc_table(wrong, freqVar = "n", total = FALSE))
  # rounded thousands agree sooner
  thousand <- data.frame(v = c("a", "b", "c"), n = c(1000, 2000, 3000))
  expect_equal(sum(sdc_table(thousand, freqVar = "n")), 6000)
  # records are no cells
  expect_equal(sum(sdc_table(data.frame(v = c("a", "Total")))), 2)
})

test_that("property: the work of the search is bounded, and the total of 437 levels is found", {
  withr::local_seed(45)
  frame <- expand.grid(region = sprintf("r%03d", 1:437), b = letters[1:4], c = letters[1:3])
  compare <- sdcLattice:::those_below
  comparisons <- numbers <- 0
  local_mocked_bindings_store(those_below = function(columns, open, left) {
    comparisons <<- comparisons + 1
    numbers <<- numbers + length(open) * length(left)
    compare(columns, open, left)
  })
  # small counts of equal size, counts of very different sizes, large ones
  sizes <- list(rep(3, 437), 2000 / (1:437), rep(500, 437))
  for (size in sizes) {
    frame$n <- stats::rpois(nrow(frame), size)
    comparisons <- numbers <- 0
    x <- sdc_table(frame, freqVar = "n")
    expect_equal(sum(x), sum(frame$n))
    expect_lte(comparisons, 20 * 437)
    expect_lte(numbers, 3 * (sdcLattice:::max_work + nrow(frame)))
    with_sum <- rbind(frame, cbind(region = "whole", stats::aggregate(n ~ b + c, frame, sum)))
    sums(with_sum, freqVar = "n")
    expect_equal(sdc_table(with_sum, freqVar = "n", total = "whole"), x)
  }
  # enough cells for a subset to be believed: the search ends where its work does
  wide <- expand.grid(a = 1:300, b = 1:300)
  wide$n <- stats::rpois(nrow(wide), 3000 / wide$a)
  comparisons <- numbers <- 0
  x <- sdc_table(wide, freqVar = "n")
  expect_gt(comparisons, 0)
  # for each of two variables: the work, its last step, two comparisons for each level before it
  most <- sdcLattice:::max_work
  least <- sdcLattice:::least_work
  expect_lte(numbers, 2 * (most + nrow(wide)))
  expect_lte(least * comparisons, 2 * (most + nrow(wide) + 2 * 300 * least))
})

test_that("oracle: magnitudes with totals are recognised, and given back without them", {
  withr::local_seed(44)
  cells <- expand.grid(A = c("a1", "a2", "a3"), B = c("b1", "b2"), stringsAsFactors = TRUE)
  cells$v <- round(stats::rlnorm(6, 6), 1)
  with_sums <- as.data.frame(stats::addmargins(stats::xtabs(v ~ A + B, cells)), responseName = "v")
  expect_error(magnitude_table(with_sums, c("A", "B"), "v"), class = "sdc_error_input")
  expect_equal(magnitude_table(with_sums, c("A", "B"), "v", total = "Sum"),
               magnitude_table(cells, c("A", "B"), "v"))
  as_levels <- magnitude_table(with_sums, c("A", "B"), "v", total = FALSE)
  expect_equal(dim(as_levels), c(4, 3))
})

test_that("oracle: output of GaussSuppression is recognised", {
  skip_if_not_installed("GaussSuppression")
  data <- data.frame(A = rep(c("a", "b", "c"), each = 4), B = c("x", "y"), freq = c(1:6, 9:4))
  utils::capture.output(found <- suppressMessages(
    GaussSuppression::SuppressSmallCounts(data, c("A", "B"), freqVar = "freq", maxN = 2)
  ))
  sums(found, c("A", "B"), freqVar = "freq")
  expect_equal(
    sdc_table(found, c("A", "B"), freqVar = "freq", total = "Total"),
    sdc_table(data, c("A", "B"), freqVar = "freq", duplicates = "sum")
  )
})

test_that("snapshot: what is said about totals", {
  cells <- data.frame(geo = c("n1", "n2", "North", "s", "Total"), n = c(40, 31, 71, 55, 126))
  cells <- rbind(cbind(cells, sex = "f"),
                 cbind(transform(cells, n = n + c(1, 2, 3, 4, 7)), sex = "m"))
  firms <- stats::addmargins(stats::xtabs(n ~ geo + sex, cells[cells$geo %in% c("n1", "s"), ]))
  expect_snapshot(error = TRUE, {
    sdc_table(cells, c("geo", "sex"), freqVar = "n")
    sdc_table(cells, c("geo", "sex"), freqVar = "n", total = list(geo = c("Total", "North")))
    sdc_table(cells, c("geo", "sex"), freqVar = "n", total = "s")
    sdc_table(cells, c("geo", "sex"), freqVar = "n", total = "All")
    sdc_table(cells, c("geo", "sex"), freqVar = "n", total = list(sex = "Total"))
    sdc_table(cells, c("geo", "sex"), freqVar = "n", total = list(place = "Total"))
    sdc_table(cells, c("geo", "sex"), freqVar = "n", total = TRUE)
    sdc_table(cells, c("geo", "sex"), total = "Total")
    magnitude_table(as.data.frame(firms), c("geo", "sex"), "Freq")
    count_tables(firms)
  })
})
