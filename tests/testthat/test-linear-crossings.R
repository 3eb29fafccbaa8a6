linked <- function(seed, n = 40) {
  set.seed(seed)
  data <- data.frame(region = sample(c("n1", "n2", "s1", "s2"), n, TRUE),
                     sector = sample(c("a", "b", "c"), n, TRUE),
                     size = sample(c("big", "small"), n, TRUE))
  data$county <- substr(data$region, 1, 1)
  sdc_table(data, formula = ~ region * size + county * sector)
}

test_that("oracle: bounds of linked tables are those of their margins", {
  for (seed in 1:4) {
    x <- linked(seed)
    expect_named(dimnames(x), c("region", "size", "sector"))
    found <- bounds_margins(x)
    by_hand <- constraints(
      as.table(sdc_table(as.data.frame(margin(x, c("region", "size"))), freqVar = "freq")),
      transform(aggregate(freq ~ county + sector, transform(as.data.frame(x),
                                                            county = substr(region, 1, 1)), sum),
                region = paste0(county, "."), county = NULL),
      dimVar = c("region", "sector"),
      hierarchies = list(region = data.frame(
        parent = c(NA, "Total", "Total", "n.", "n.", "s.", "s."),
        child = c("Total", "n.", "s.", "n1", "n2", "s1", "s2")
      ))
    )
    slow <- bounds_margins(by_hand)
    expect_equal(as.data.frame(found)[c("lower", "upper")],
                 as.data.frame(slow)[c("lower", "upper")])
    inside <- as.data.frame(x, zeros = TRUE)$freq
    expect_true(all(as.data.frame(found)$lower <= inside & inside <= as.data.frame(found)$upper))
  }
})

test_that("property: any published cell can be asked for, and is known", {
  x <- linked(5)
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  found <- as.data.frame(bounds_margins(x, cells = cells[names(dimnames(x))]))
  expect_equal(found$lower, cells$freq)
  expect_equal(found$upper, cells$freq)
  # a total that no crossing shows
  asked <- data.frame(region = "n", size = "big", sector = "a")
  open <- as.data.frame(bounds_margins(x, cells = asked))
  truth <- sum(as.array(x[c("n1", "n2"), "big", "a"]))
  expect_true(open$lower <= truth && truth <= open$upper && open$lower < open$upper)
})

test_that("oracle: tables that agree with linked tables are counted", {
  data <- data.frame(region = c("n1", "n2", "s1", "s1"), county = c("n", "n", "s", "s"),
                     sex = c("f", "m", "f", "m"))
  x <- sdc_table(data, formula = ~ region + county * sex)
  tables <- as.matrix(expand.grid(rep(list(0:3), 6)))
  region <- rep(1:3, 2)
  sex <- rep(1:2, each = 3)
  agree <- apply(tables, 1, function(n) {
    all(rowsum(n, region) == c(1, 1, 2)) && sum(n[region < 3 & sex == 1]) == 1 &&
      sum(n[region == 3 & sex == 1]) == 1
  })
  expect_equal(as.character(count_tables(x)), as.character(sum(agree)))
})
