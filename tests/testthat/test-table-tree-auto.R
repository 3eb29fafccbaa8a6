# Trees that are found in the data.

# Each level of a occurs with one level of b, by a loop.
lies_inside_twin <- function(a, b) {
  all(vapply(unique(a), function(l) length(unique(b[a == l])) == 1, NA))
}

random_columns <- function(n) {
  area <- sample(sample(4:12, 1), n, replace = TRUE)
  of <- function(x, k, prefix) paste0(prefix, sample(k, 20, replace = TRUE)[x])
  county <- of(area, 4, "c")
  data <- data.frame(
    area = paste0("a", area), county = county,
    district = of(area, 3, "d"), state = of(match(county, unique(county)), 2, "s"),
    sex = sample(c("f", "m"), n, replace = TRUE), age = sample(5, n, replace = TRUE)
  )
  data[sample(6, sample(2:6, 1))]
}

test_that("oracle: the columns that are found are those of a loop over all pairs", {
  withr::local_seed(81)
  for (round in seq_len(rounds(30, 60))) {
    data <- random_columns(sample(c(30, 80), 1))
    found <- auto_trees(data, names(data))
    n <- vapply(data, function(x) length(unique(x)), 1)
    inside <- outer(seq_along(data), seq_along(data), Vectorize(function(i, j) {
      i != j && n[j] > 1 && lies_inside_twin(data[[i]], data[[j]])
    }))
    same <- inside & t(inside)
    coarse <- colSums(inside & !same) > 0
    again <- vapply(seq_along(data), function(j) any(same[seq_len(j - 1), j]), NA)
    expect_identical(found$variables, names(data)[!coarse & !again])
    expect_setequal(c("", names(found$columns)), c("", names(data)[rowSums(inside) + colSums(inside) > 0]))
    for (v in names(found$columns)) {
      fine <- found$columns[[v]]$variable
      expect_true(v == fine || inside[match(fine, names(data)), match(v, names(data))])
    }
  }
})

test_that("oracle: totals of trees that are found are those of aggregate()", {
  withr::local_seed(82)
  for (round in 1:40) {
    data <- random_columns(60)
    # the same numbers on all levels, so that codes clash
    if (round %% 2 == 0) data[] <- lapply(data, function(x) match(x, unique(x)))
    found <- auto_trees(data, names(data))
    x <- suppressMessages(sdc_table(data, hierarchies = "auto"))
    expect_identical(names(x$dimnames), found$variables)
    cells <- as.data.frame(x, totals = TRUE, stringsAsFactors = FALSE)
    for (v in names(found$columns)) {
      at <- found$columns[[v]]
      others <- setdiff(found$variables, at$variable)
      alone <- Reduce(`&`, lapply(cells[others], `==`, "Total"), TRUE)
      nodes <- cells[alone & cells[[at$variable]] %in% at$nodes, ]
      expect_equal(sort(nodes$freq), sort(as.vector(table(data[[v]]))))
      if (!v %in% names(found$same)) {
        expect_setequal(level_nodes(found$trees[[at$variable]], v), at$nodes)
      }
    }
  }
})

test_that("oracle: what SSBtools::FindDimLists() finds is found", {
  skip_if_not_installed("SSBtools")
  for (name in c("sp_emp_withEU", "d2", "d3", "z1", "z2", "z3")) {
    data <- SSBtools::SSBtoolsData(name)
    data <- data[vapply(data, function(x) is.character(x) || is.factor(x), NA)]
    data <- data[vapply(data, function(x) length(unique(x)) > 1, NA)]
    theirs <- SSBtools::FindDimLists(data)
    ours <- auto_trees(data, names(data))
    expect_setequal(ours$variables, unique(names(theirs)))
    for (v in names(ours$trees)) {
      levels <- stats::setNames(list(unique(as.character(data[[v]]))), v)
      their_trees <- plain_trees(theirs[names(theirs) == v], levels)
      sums <- function(trees) {
        lapply(variable_totals(trees, levels[[v]], v, "Total"), function(held) levels[[v]][held])
      }
      expect_true(all(sums(their_trees[[v]]) %in% sums(ours$trees[[v]])))
    }
  }
})

test_that("property: levels without rows, missing values, single levels, names of codes", {
  data <- data.frame(
    region = factor(c("a", "b", "c", "a"), c("a", "b", "c", "d")),
    name = c("A", "B", "C", "A"), county = c("x", "x", "y", "x"), country = "N"
  )
  found <- auto_trees(data, names(data))
  expect_identical(found$variables, c("region", "country"))
  expect_identical(found$same, c(name = "region"))
  expect_identical(found$trees$region[[1]]$child, c("Total", "x", "y", "a", "b", "c", "d"))
  expect_identical(found$trees$region[[1]]$parent, c(NA, "Total", "Total", "x", "x", "y", "Total"))
  expect_identical(level_nodes(found$trees$region, "county"), c("x", "y"))
  x <- suppressMessages(sdc_table(data, hierarchies = "auto"))
  expect_equal(dimnames(x)$region, c("a", "b", "c", "d"))
  # a county that is not known is no node
  data$county[3] <- NA
  expect_identical(auto_trees(data, c("region", "county"))$variables, c("region", "county"))
  # a region that is not known is a leaf
  data <- data.frame(region = c("a", "b", NA), county = c("x", "x", "y"))
  expect_identical(auto_trees(data, c("county", "region"))$trees$region[[1]]$child,
                   c("Total", "x", "y", "a", "b", NA))
  expect_identical(auto_trees(data[0, ], names(data))$variables, names(data))
})

test_that("property: a name in a formula means the nodes of its level, merged ones too", {
  data <- data.frame(region = c("03", "1101", "1102", "1101", "1501"),
                     county = c("03", "11", "11", "11", "15"), sex = c("f", "m", "f", "f", "m"))
  x <- sdc_table(data, formula = ~ county * sex)
  expected <- as.data.frame(table(data$county, data$sex), stringsAsFactors = FALSE)
  found <- as.data.frame(x, totals = TRUE, stringsAsFactors = FALSE)
  at <- match(paste(expected$Var1, expected$Var2), paste(found$county, found$sex))
  expect_equal(found$freq[at[expected$Freq > 0]], expected$Freq[expected$Freq > 0])
  x <- sdc_table(data, formula = ~ county * sex + region)
  found <- as.data.frame(x, totals = TRUE, stringsAsFactors = FALSE)
  at <- match(paste(expected$Var1, expected$Var2), paste(found$region, found$sex))
  expect_equal(found$freq[at[expected$Freq > 0]], expected$Freq[expected$Freq > 0])
  expect_false(any(found$region == "1101" & found$sex != "Total"))
})

test_that("snapshot: what is said about trees that are found", {
  data <- data.frame(
    region = rep(1:6, 20), county = rep(c(1, 1, 2, 2, 3, 3), 20),
    coast = rep(c("sea", "land", "sea", "land", "sea", "sea"), 20),
    name = rep(letters[1:6], 20), sex = rep(c("f", "m"), each = 60)
  )
  expect_snapshot({
    x <- sdc_table(data, hierarchies = "auto")
    x <- sdc_table(data[c("region", "sex")], hierarchies = "auto")
    x <- sdc_table(data[1:12, c("region", "county")], hierarchies = "auto")
  })
  expect_snapshot(error = TRUE, sdc_table(data, formula = ~ name * sex + region))
})
