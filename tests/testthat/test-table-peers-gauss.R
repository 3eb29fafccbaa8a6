# The same totals, primary cells and statuses as GaussSuppression 1.3, on the data sets of SSBtools
# and on the examples of GaussSuppression's vignettes: its own functions are called with its own
# arguments.

nested_sets <- list(
  list("z1", c("region", "hovedint"), "ant"),
  list("z2", c("region", "hovedint"), "ant"),
  list("z2", c("region", "fylke", "hovedint"), "ant"),
  list("z2", c("region", "fylke", "kostragr", "hovedint"), "ant"),
  list("z3", c("region", "fylke", "kostragr", "hovedint", "mnd", "mnd2"), "ant"),
  list("d1", c("region", "main_income"), "freq"),
  list("d2", c("region", "county", "k_group", "main_income"), "freq"),
  list("d2s", c("region", "county", "size", "main_income"), "freq"),
  list("mun_accidents", c("mun", "inj"), "freq"),
  list("example1", c("age", "geo", "eu", "year"), "freq")
)

test_that("oracle: nested columns and flat tables, one and several trees of a variable", {
  skip_without_gauss()
  for (k in seq_along(nested_sets)) {
    set <- nested_sets[[k]]
    data <- ssb_data(set[[1]])
    info <- paste(set[[1]], paste(set[[2]], collapse = ", "))
    x <- silent(sdc_table(data, set[[2]], set[[3]], hierarchies = "auto"))
    for (maxN in rounds(2 + k %% 2, 2:3)) {
      peer <- gauss_counts(data = data, dimVar = set[[2]], freqVar = set[[3]], maxN = maxN)
      expect_same_cells(chosen(x, maxN), peer, set[[3]], paste(info, maxN))
    }
  }
})

test_that("oracle: protected zeros", {
  skip_without_gauss()
  for (set in nested_sets[c(4, 8, 10)]) {
    data <- ssb_data(set[[1]])
    x <- silent(sdc_table(data, set[[2]], set[[3]], hierarchies = "auto"))
    peer <- gauss_counts(data = data, dimVar = set[[2]], freqVar = set[[3]], maxN = 2,
                         protectZeros = TRUE)
    expect_same_cells(chosen(x, 2, protectZeros = TRUE), peer, set[[3]], set[[1]])
  }
})

test_that("oracle: counties, regions and groups of a fictitious country (d4, sosialFiktiv)", {
  skip_without_gauss()
  variables <- c("region", "county", "k_group", "main_income")
  d4 <- stats::aggregate(freq ~ region + county + k_group + main_income, ssb_data("d4"), sum)
  x <- silent(sdc_table(d4, variables, "freq", hierarchies = "auto"))
  peer <- gauss_counts(data = d4, dimVar = variables, freqVar = "freq", maxN = 3)
  expect_same_cells(chosen(x, 3), peer, "freq", "d4")
  expect_gt(nrow(peer), 2000)
  # the same numbers with Norwegian names of incomes, which stand in another order
  sosial <- ssb_data("sosialFiktiv")
  y <- silent(sdc_table(sosial, c("region", "fylke", "kostragr", "hovedint"), "ant",
                        hierarchies = "auto", duplicates = "sum"))
  expect_equal(sort(as.data.frame(y, totals = TRUE)$freq),
               sort(as.data.frame(x, totals = TRUE)$freq))
})

test_that("oracle: records instead of cells", {
  skip_without_gauss()
  d2s <- ssb_data("d2s")
  variables <- c("region", "county", "size", "main_income")
  records <- SSBtools::MakeMicro(d2s, "freq")[variables]
  x <- silent(sdc_table(records, variables, hierarchies = "auto"))
  peer <- gauss_counts(data = records, dimVar = variables, maxN = 3)
  expect_same_cells(chosen(x, 3), peer, "freq", "records of d2s")
})

# The trees of the vignette "Defining tables".
region_dim <- data.frame(levels = c("@", "@@", rep("@@@", 2), rep("@@", 4)),
                         codes = c("Total", "AB", LETTERS[1:6]))
region2_dim <- data.frame(levels = c("@", rep(c("@@", rep("@@@", 2)), 2), rep("@@", 2)),
                          codes = c("Total", "AD", "A", "D", "BF", "B", "F", "C", "E"))
income_dim <- data.frame(levels = c("@", "@@", "@@", "@@@", "@@@", "@@@"),
                         codes = c("Total", "wages", "not_wages", "other", "assistance", "pensions"))

test_that("oracle: trees as @-frames, two for one variable, dimLists that SSBtools finds", {
  skip_without_gauss()
  d2s <- ssb_data("d2s")
  sets <- list(
    list(region = region_dim, main_income = income_dim),
    list(region = region_dim, region = region2_dim, main_income = income_dim),
    c(SSBtools::FindDimLists(d2s[c("region", "county", "size")]), list(main_income = income_dim))
  )
  for (trees in sets) {
    x <- sdc_table(d2s, c("region", "main_income"), "freq", hierarchies = trees)
    peer <- gauss_counts(data = d2s, hierarchies = trees, freqVar = "freq", maxN = 3)
    info <- paste(names(trees), collapse = ", ")
    expect_same_cells(chosen(x, 3), peer, "freq", info)
    # trees given to suppress(), under either name
    bare <- sdc_table(d2s, c("region", "main_income"), "freq")
    expect_same_cells(chosen(bare, 3, dimList = trees), peer, "freq", info)
  }
})

formulas <- list(
  ~ region + county,
  ~ county * main_income,
  ~ county + main_income,
  ~ county:main_income,
  ~ region * income2 + (county + size) * main_income
)

test_that("oracle: formulas publish the same cells; linked tables are protected together", {
  skip_without_gauss()
  d2s <- ssb_data("d2s")
  d2s$income2 <- ifelse(d2s$main_income == "wages", "wages", "not_wages")
  for (formula in formulas) {
    x <- silent(sdc_table(d2s, formula = formula, freqVar = "freq", duplicates = "sum"))
    # the threshold is so high that each formula has a primary cell
    for (maxN in c(3, 12)) {
      peer <- gauss_counts(data = d2s, formula = formula, freqVar = "freq", maxN = maxN)
      if (any(peer$primary)) {
        # 'wages' is one of the codes of income2 and of main_income: the peer lists that cell twice
        peer <- peer[!duplicated(cell_keys(peer, names(dimnames(x)))), ]
        expect_same_cells(chosen(x, maxN), peer, "freq", paste(deparse(formula), maxN))
      }
    }
  }
})

test_that("oracle: the linked tables of the vignette", {
  skip_without_gauss()
  data <- ssb_data("example1")
  formula <- ~ age * geo * year + eu * year
  x <- silent(sdc_table(data, formula = formula, freqVar = "freq"))
  peer <- gauss_counts(data = data, formula = formula, freqVar = "freq", maxN = 1)
  expect_same_cells(chosen(x, 1), peer, "freq", "age * geo * year + eu * year")
  # two tables that have only year in common
  few <- data[c(1, 2, 4, 6, 8, 10, 12, 13, 14, 15), ]
  few$freq <- c(6, 8, 9, 1, 2, 4, 3, 7, 2, 2)
  formula <- ~ age * eu * year + geo * year
  x <- silent(sdc_table(few, formula = formula, freqVar = "freq"))
  peer <- gauss_counts(data = few, formula = formula, freqVar = "freq", maxN = 2)
  expect_same_cells(chosen(x, 2), peer, "freq", "age * eu * year + geo * year")
})

# ---- magnitudes ---------------------------------------------------------------------------------

gauss_dominance <- function(...) {
  silent(GaussSuppression::SuppressDominantCells(..., printInc = FALSE))
}

gauss_few <- function(...) {
  silent(GaussSuppression::SuppressFewContributors(..., protectZeros = FALSE, printInc = FALSE))
}

test_that("oracle: dominance, p percent and few contributors (magnitude1)", {
  skip_without_gauss()
  data <- ssb_data("magnitude1")
  variables <- c("sector4", "geo")
  x <- magnitude_table(data, variables, "value")
  against <- function(rules, peer) {
    expect_same_cells(chosen(x, rules), peer, "value", paste(rules$label, collapse = ", "))
  }
  dominance <- function(...) gauss_dominance(data = data, numVar = "value", dimVar = variables, ...)
  against(rule_threshold(2), gauss_few(data = data, numVar = "value", dimVar = variables, maxN = 1))
  against(rule_threshold(3), gauss_few(data = data, numVar = "value", dimVar = variables, maxN = 2))
  against(rule_nk(1, 80), dominance(n = 1, k = 80))
  against(rule_max_share(80), dominance(n = 1, k = 80))
  against(c(rule_nk(1, 80), rule_nk(2, 99)), dominance(n = 1:2, k = c(80, 99)))
  against(rule_p_percent(30), dominance(pPercent = 30))
  against(rule_p_percent(10), dominance(pPercent = 10))
})

test_that("oracle: magnitudes with trees (magnitude1, sp_emp_withEU)", {
  skip_without_gauss()
  data <- ssb_data("magnitude1")
  trees <- SSBtools::FindDimLists(data[c("sector4", "sector2", "geo", "eu")])
  x <- magnitude_table(data, c("sector4", "geo"), "value", hierarchies = trees)
  peer <- gauss_dominance(data = data, numVar = "value", hierarchies = trees, n = 1:2,
                          k = c(80, 99))
  expect_same_cells(chosen(x, c(rule_nk(1, 80), rule_nk(2, 99))), peer, "value", "dominance")
  nested <- c("sector4", "sector2", "geo", "eu")
  y <- silent(magnitude_table(data, nested, "value", hierarchies = "auto"))
  expect_same_cells(chosen(y, c(rule_nk(1, 80), rule_nk(2, 99))), peer, "value", "auto")
  sp <- ssb_data("sp_emp_withEU")
  z <- silent(magnitude_table(sp, c("age", "geo", "eu", "year"), "value", hierarchies = "auto"))
  peer <- gauss_dominance(data = sp, numVar = "value", dimVar = c("age", "geo", "eu", "year"),
                          n = 1, k = 80)
  expect_same_cells(chosen(z, rule_nk(1, 80)), peer, "value", "sp_emp_withEU")
})

test_that("oracle: holdings count once in each total (magnitude1, contributorVar)", {
  skip_without_gauss()
  data <- ssb_data("magnitude1")
  nested <- c("sector4", "sector2", "geo", "eu")
  x <- silent(magnitude_table(data, nested, "value", "company", hierarchies = "auto"))
  few <- gauss_few(data = data, numVar = "value", dimVar = nested, maxN = 2,
                   contributorVar = "company")
  expect_same_cells(chosen(x, rule_threshold(3)), few, "value", "holdings")
  # Some versions of Matrix do not have the slot that SSBtools reads in this case.
  peer <- tryCatch(
    gauss_dominance(data = data, numVar = "value", dimVar = nested, n = 1:2, k = c(80, 99),
                    contributorVar = "company"),
    error = function(cnd) NULL
  )
  skip_if(is.null(peer), "GaussSuppression's dominance rule fails with contributorVar")
  expect_same_cells(chosen(x, c(rule_nk(1, 80), rule_nk(2, 99))), peer, "value", "holdings",
                    secondary = FALSE)
})

test_that("oracle: linked magnitudes by a formula", {
  skip_without_gauss()
  data <- ssb_data("magnitude1")
  for (formula in list(~ sector2 * geo + sector4 * eu, ~ sector4 * geo + sector2 * eu)) {
    x <- silent(magnitude_table(data, numVar = "value", formula = formula))
    peer <- gauss_few(data = data, numVar = "value", formula = formula, maxN = 2,
                      removeEmpty = FALSE)
    expect_same_cells(chosen(x, rule_threshold(3)), peer, "value", deparse(formula))
  }
})
