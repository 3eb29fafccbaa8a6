layers_of <- function(picture, geom) {
  Filter(function(layer) inherits(layer$geom, geom), picture$layers)
}

big_table <- function(rows, columns, largest) {
  withr::local_seed(rows)
  counts <- matrix(floor(stats::runif(rows * columns)^6 * largest), rows)
  dimnames(counts) <- list(
    district = sprintf("the district of the number %02d", seq_len(rows)),
    industry = sprintf("industry %02d", seq_len(columns))
  )
  sdc_table(as.table(counts))
}

test_that("property: tables from 2 x 2 to 50 x 50 are drawn without overprinting", {
  skip_if_not_installed("ggplot2")
  withr::local_pdf(NULL)
  for (size in c(2, 12, 50)) {
    picture <- ggplot2::autoplot(big_table(size, size, 1e5))
    built <- ggplot2::ggplot_build(picture)
    words <- layers_of(picture, "GeomText")
    # numbers only where each has a place: their widths together are less than the picture's
    expect_length(words, if (size < 50) 1 else 0)
    for (layer in words) {
      width <- max(nchar(picture$data$.label)) * .6 * layer$aes_params$size
      expect_lt(width * size, 130)
    }
    scale <- built$layout$panel_params[[1]]
    expect_lte(sum(!is.na(scale$x$breaks)), 30)
    expect_lte(sum(!is.na(scale$y$breaks)), 40)
    expect_lte(max(nchar(scale$y$get_labels())), 24)
    expect_identical(built$plot$scales$get_scales("fill")$trans$name, "log1p")
  }
})

test_that("property: colours are linear where a logarithm is not needed", {
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(sdc_table(matrix(1:4, 2)))
  expect_identical(picture$scales$get_scales("fill")$trans$name, "identity")
})

test_that("property: of many panels the first are drawn, and the caption says so", {
  skip_if_not_installed("ggplot2")
  x <- plain_table(array(1, c(2, 2, 6, 5)))
  picture <- draw_tiles(dimnames(x), as.vector(x))
  expect_identical(picture$labels$caption, "Panels: C / D; the first 25 of 30.")
  expect_identical(nlevels(droplevels(picture$data$.panel)), 25L)
  few <- draw_tiles(dimnames(x)[1:3], rep(1, 24))
  expect_identical(few$labels$caption, "Panels: C.")
  expect_no_error(ggplot2::ggplot_build(few))
})

test_that("oracle: tiles lie where the cells of the array are", {
  skip_if_not_installed("ggplot2")
  x <- plain_table(array(1:24, c(2, 3, 4)))
  data <- draw_tiles(dimnames(x), as.vector(x))$data
  at <- cbind(as.character(data$.row), as.character(data$.column), as.character(data$.panel))
  expect_identical(unclass(x)[at], as.integer(data$.amount))
  missing <- draw_tiles(list(a = c("x", NA), b = c("y", "z")), c(1, NA, 3, 4))$data
  expect_identical(levels(missing$.row), c("x", "<NA>"))
  expect_identical(missing$.label, c("1", "x", "3", "4"))
})

test_that("property: amounts are short", {
  expect_identical(
    short_amount(c(0, 99999, 123456, 1234567, 2.5e9, 7e13, 1.23456)),
    c("0", "99,999", "123k", "1.23M", "2.5bn", "70tn", "1.23")
  )
})

test_that("property: whatever is suppressed is drawn first among what a reader can know", {
  skip_if_not_installed("ggplot2")
  hidden <- (row(roehrig) + col(roehrig)) %% 2 == 1 & row(roehrig) < 4
  pub <- publish(suppress(roehrig, 1, pattern = hidden | roehrig <= 1), insist = TRUE)
  f <- fibre_distribution(constraints(pub))
  picture <- ggplot2::autoplot(f)
  open <- tabulate(f$law$at, length(f$cells)) > 1
  expect_gt(sum(open), 0)
  expect_lt(sum(open), length(open))
  cells <- paste(as.integer(row(roehrig)), as.integer(col(roehrig)), sep = " / ")
  expect_setequal(levels(droplevels(picture$data$panel)), cells[f$cells[open]])
  expect_match(picture$labels$caption, paste(sum(!open), "cells known exactly"), fixed = TRUE)
})

test_that("property: names of points and axes of maps are words that fit", {
  skip_if_not_installed("ggplot2")
  points <- data.frame(loss = c(0, 1, 9, 10), risk = 1:4)
  layer <- point_names(points, letters[1:4])[[1]]
  expect_identical(layer$data$.side, c(-.08, -.08, 1.08, 1.08))
  expect_setequal(names(figure_titles), names(figure_kinds))
  expect_setequal(names(measure_titles), names(comparison_kinds))
  expect_lte(max(nchar(strsplit(axis_title("Risk", "guess_small", figure_titles), "\n")[[1]])), 46)
  expect_identical(axis_title("Loss", "mine", measure_titles), "Loss: mine")
})

test_that("property: labels of a lattice lie beside each other, and what matters has its name", {
  skip_if_not_installed("ggplot2")
  masks <- seq_len(63)
  held <- outer(masks, 1:6, function(mask, v) bitwAnd(mask, 2^(v - 1)) > 0)
  for (variables in list(LETTERS[1:6], paste("a long name of", LETTERS[1:6]))) {
    labels <- apply(held, 1, function(row) paste(variables[row], collapse = ":"))
    points <- data.frame(sub_table = labels, row = rowSums(held), x = 0)
    shown <- lattice_text(points, variables, masks == 21)$data
    own <- shown$row %in% as.integer(names(which(table(shown$row) > 1)))
    width <- tapply(nchar(shown$label[own]) + 1, shown$row[own], sum)
    expect_true(all(width <= 90))
    expect_identical(shown$sub_table[1], labels[21])
  }
  expect_identical(sum(table(shown$dimension) > 1), 0L)
})

test_that("property: tiles of suppressed cells cover no cell beside them", {
  skip_if_not_installed("ggplot2")
  hidden <- matrix(FALSE, 4, 4)
  hidden[c(1, 3), c(1, 3)] <- TRUE
  su <- suppress(roehrig, maxN = 3, pattern = hidden, audit = FALSE)
  layers <- ggplot2::ggplot_build(ggplot2::autoplot(su))$data
  tiles <- Filter(function(d) all(c("xmin", "xmax", "ymin", "ymax") %in% names(d)), layers)
  expect_gt(length(tiles), 1)
  for (d in tiles) {
    expect_equal(as.numeric(d$xmax - d$xmin), rep(1, nrow(d)))
    expect_equal(as.numeric(d$ymax - d$ymin), rep(1, nrow(d)))
  }
})

test_that("property: a curve says which counts it cannot show", {
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("hexbin")
  x <- hex_table(reiter_data("piecewise", seed = 1), dimVar = c("x1", "residual"))
  risk <- risk_utility(redistribute(x, 3, "local"))
  missing <- sum(!is.finite(risk$by_count$R1) | !is.finite(risk$by_count$U1))
  expect_gt(missing, 0)
  expect_match(ggplot2::autoplot(risk, "U1")$labels$caption,
               paste0("^", missing, " original count"))
})

test_that("property: ticks of a scale of roots are round and apart", {
  for (top in c(1, 3, 7, 45, 46, 1000, 123456)) {
    ticks <- root_breaks(c(0, top))
    expect_identical(ticks[1], 0)
    expect_true(all(diff(sqrt(ticks)) >= sqrt(top) / 9 - 1e-12))
    expect_true(all(signif(ticks, 1) == ticks))
  }
  expect_identical(root_breaks(c(0, 45)), c(0, 1, 4, 8, 20, 30, 40))
})

test_that("property: one file chooses the look of pictures", {
  lines <- source_lines("R", "[.]R$")
  own <- grepl("theme_(minimal|grey|gray|bw|classic|light)", lines)
  expect_identical(unique(sub(":.*", "", names(lines)[own])), "base-picture.R")
})

test_that("property: pictures of some cells say so in their title", {
  skip_if_not_installed("ggplot2")
  expect_null(part_title("narrowest of", 40, 40))
  bounds <- bounds_margins(margins(sdc_table(HairEyeColor), list("Hair", "Eye", "Sex")))
  expect_identical(ggplot2::autoplot(bounds, most = 5)$labels$title, "The 5 narrowest of 32 cells")
  expect_null(ggplot2::autoplot(bounds)$labels$title)
  rounded <- publish(round_controlled(sdc_table(HairEyeColor[, , 1]), 3, seed = 1), insist = TRUE)
  po <- posterior_rounding(rounded, method = "montecarlo", draws = 100, seed = 1)
  expect_null(ggplot2::autoplot(po)$labels$title)
  expect_null(ggplot2::autoplot(po, cells = 1:2)$labels$title)
})
