# Nested variables, and their trees.

county_data <- function(n, seed) {
  withr::local_seed(seed)
  region <- sample(12, n, replace = TRUE)
  data.frame(region = paste0("r", region), county = paste0("c", (region - 1) %/% 3),
             country = ifelse(region <= 6, "N", "S"), sex = sample(c("f", "m"), n, replace = TRUE))
}

test_that("property: nested variables are proposed as trees, from each to the next coarser", {
  data <- county_data(500, 51)
  said <- list()
  withCallingHandlers(
    sdc_table(data),
    sdc_warning_nested = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  expect_length(said, 2)
  expect_match(said[[1]], "c(\"county\", \"region\")", fixed = TRUE)
  expect_match(said[[2]], "c(\"country\", \"county\")", fixed = TRUE)
  counted <- as.data.frame(table(data[c("region", "sex")]))
  counted$country <- data$country[match(counted$region, data$region)]
  expect_warning(sdc_table(counted, freqVar = "Freq"), class = "sdc_warning_nested")
  firms <- transform(data, v = seq_along(region))
  expect_warning(magnitude_table(firms, c("region", "country"), "v"), class = "sdc_warning_nested")
})

test_that("property: dependence by chance, and variables that only cross, are let alone", {
  expect_no_warning(sdc_table(county_data(500, 52), c("region", "sex")))
  # ten records: each region in one county, but what else could be
  expect_no_warning(sdc_table(county_data(10, 53)))
  withr::local_seed(54)
  for (i in seq_len(rounds(50, 100))) {
    n <- sample(3:40, 1)
    data <- data.frame(A = sample(8, n, TRUE), B = sample(2, n, TRUE, c(.95, .05)),
                       C = sample(3, n, TRUE))
    expect_no_warning(sdc_table(data))
  }
  # the same variable twice is no tree
  expect_no_warning(sdc_table(data.frame(A = rep(1:5, 40), B = rep(letters[1:5], 40))))
})

test_that("oracle: the tree gives the totals of the coarser variables", {
  data <- county_data(300, 55)
  tree <- nested_tree(data, c("country", "county", "region"))
  found <- as.data.frame(sdc_table(data, c("region", "sex")), hierarchies = list(region = tree))
  for (v in c("country", "county")) {
    counts <- as.data.frame(table(data[c(v, "sex")]), stringsAsFactors = FALSE)
    at <- match(paste(counts[[v]], counts$sex), paste(found$region, found$sex))
    expect_equal(found$freq[at], as.numeric(counts$Freq))
  }
  expect_equal(found$freq[found$region == "Total" & found$sex == "Total"], 300)
})

test_that("snapshot: what is said about nested variables", {
  data <- county_data(300, 56)
  expect_snapshot(error = TRUE, {
    x <- sdc_table(data, c("region", "county"))
    nested_tree(data, c("region", "county"))
    nested_tree(transform(data, county = region), c("county", "region"))
    nested_tree(data, c("county", "region"), total_label = "c1")
    nested_tree(data, c("county", "village"))
  })
})
