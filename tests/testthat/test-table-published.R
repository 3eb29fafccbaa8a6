# Published cells of random tables, and their twin: aggregate() over the columns of records.

nested_records <- function(n) {
  n_regions <- sample(4:9, 1)
  county <- c("c1", "c1", "c2", "c2", sample(paste0("c", 1:3), n_regions - 4, TRUE))
  group <- c("g1", "g1", "g2", "g2", sample(c("g1", "g2"), 2, TRUE))
  region <- sample(n_regions, n, TRUE)
  sector <- sample(6, n, TRUE, 6:1)
  data.frame(
    region = paste0("r", region), county = county[region], sector = paste0("s", sector),
    group = group[sector], sex = sample(c("f", "m"), n, TRUE)
  )
}

# The sums over some columns of records, as "r1 | Total | f" and so on.
aggregated <- function(data, variables, columns) {
  labels <- lapply(variables, function(levels) {
    of <- intersect(columns, levels)
    if (length(of) > 0) data[[of]] else rep("Total", nrow(data))
  })
  out <- stats::aggregate(list(freq = rep(1, nrow(data))), labels, sum)
  rlang::set_names(out$freq, do.call(paste, c(out[names(variables)], sep = " | ")))
}

expect_published <- function(x, data, variables, sets) {
  cells <- as.data.frame(x, totals = TRUE, stringsAsFactors = FALSE)
  found <- rlang::set_names(cells$freq, do.call(paste, c(cells[names(variables)], sep = " | ")))
  twin <- unlist(lapply(sets, function(columns) aggregated(data, variables, columns)))
  twin <- twin[!duplicated(names(twin))]
  expect_false(anyDuplicated(names(found)) > 0)
  expect_identical(found[order(names(found))], twin[order(names(twin))])
}

variables <- list(region = c("region", "county"), sector = c("sector", "group"), sex = "sex")
combined <- function(...) {
  choices <- expand.grid(..., stringsAsFactors = FALSE)
  lapply(seq_len(nrow(choices)), function(i) unlist(choices[i, ], use.names = FALSE))
}
tree_of <- function(data, fine, coarse) {
  pairs <- unique(data[c(coarse, fine)])
  data.frame(parent = c("Total", pairs[[1]])[c(rep(1, length(unique(pairs[[1]]))),
                                              seq_along(pairs[[1]]) + 1)],
             child = c(unique(pairs[[1]]), pairs[[2]]))
}

test_that("oracle: all crossings of trees are the sums of aggregate()", {
  withr::local_seed(213)
  for (n in c(1, 3, 20, 20, 200, 200)) {
    data <- nested_records(n)
    x <- sdc_table(data, names(variables), hierarchies = list(
      region = tree_of(data, "region", "county"), sector = tree_of(data, "sector", "group")
    ))
    expect_published(x, data, variables, combined(
      c("region", "county", "none"), c("sector", "group", "none"), c("sex", "none")
    ))
  }
})

test_that("oracle: the crossings of a formula are the sums of aggregate(), each once", {
  withr::local_seed(214)
  for (n in c(40, 40, 200, 200)) {
    data <- nested_records(n)
    made <- function(formula, dimVar = names(variables)) sdc_table(data, dimVar, formula = formula)
    expect_published(
      made(~ region * group + county * sector * sex), data, variables,
      c(combined(c("region", "none"), c("group", "none")),
        combined(c("county", "none"), c("sector", "none"), c("sex", "none")))
    )
    expect_published(made(~ county:sex + region:group), data, variables,
                     list("none", c("county", "sex"), c("region", "group")))
    # the leaves of sector are gone before the regions are aggregated
    expect_published(made(~ region:group + group, c("region", "sector")), data, variables[1:2],
                     list("none", c("region", "group"), "group"))
  }
})

test_that("property: too many cells are refused at the number of cells", {
  withr::local_seed(215)
  data <- nested_records(50)
  x <- sdc_table(data, c("region", "sector", "sex"))
  n <- nrow(as.data.frame(x, totals = TRUE))
  expect_identical(nrow(as.data.frame(x, totals = TRUE, max_cells = n)), n)
  expect_error(as.data.frame(x, totals = TRUE, max_cells = n - 1), class = "sdc_error_too_large")
})

test_that("property: lists of nodes that do not fit are refused", {
  x <- sdc_table(data.frame(a = c("x", "y", "y")), "a")
  cells <- function(start, node) {
    with_core(cpp_published_cells(dim(x), x$keys, x$counts, 3L, list(list(
      list(start = start, node = node)
    )), 10))
  }
  expect_identical(cells(c(0L, 2L, 4L), c(0L, 2L, 1L, 2L))$counts, c(1, 2, 3))
  for (bad in list(list(c(0L, 2L), c(0L, 2L)), list(c(0L, 2L, 1L), 0L), list(c(0L, 1L, 2L), 0:2),
                   list(c(0L, 1L, 2L), c(0L, 3L)), list(c(0L, 1L, 2L), c(-1L, 0L)),
                   list(c(1L, 1L, 2L), 0:1))) {
    expect_error(cells(bad[[1]], bad[[2]]), class = "sdc_error_input")
  }
})

test_that("property: variables stand in the order in which a formula names them or their levels", {
  withr::local_seed(216)
  data <- nested_records(200)
  trees <- list(sector = unique(data[c("group", "sector")]),
                region = unique(data[c("county", "region")]))
  order_of <- function(...) names(dimnames(sdc_table(data, ..., hierarchies = trees)))
  expect_identical(order_of(formula = ~ region * sex * sector), c("region", "sex", "sector"))
  expect_identical(order_of(formula = ~ county * sex + group), c("region", "sex", "sector"))
  expect_identical(order_of(formula = ~ sex + group), c("sex", "sector", "region"))
  expect_identical(order_of(c("sex", "region", "sector"), formula = ~ sector * county),
                   c("sex", "region", "sector"))
})
