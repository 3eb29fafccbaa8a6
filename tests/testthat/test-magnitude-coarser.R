# Coarser tables: what is left after merging is what the merged records give.

some_firms <- function(seed) {
  set.seed(seed)
  n <- 120
  data.frame(
    town = factor(sample(letters[1:6], n, TRUE), letters[1:6]),
    branch = factor(sample(c("x", "y", "z"), n, TRUE), c("x", "y", "z")),
    firm = sample(30, n, TRUE), pay = round(exp(rnorm(n, 3)), 1)
  )
}

# a and b are in N, c and d in S, e is directly below W, beside F with f alone
town_tree <- data.frame(
  parent = c("Total", "Total", "Total", "N", "N", "S", "S", "W", "W", "F"),
  child = c("N", "S", "W", "a", "b", "c", "d", "e", "F", "f")
)

contents <- function(x) {
  rows <- as.data.frame(x)
  rows[] <- lapply(rows, as.character)
  rows <- rows[do.call(order, unname(rows)), ]
  rownames(rows) <- NULL
  rows
}

test_that("oracle: merged categories are those of merged records", {
  for (seed in 1:4) {
    firms <- some_firms(seed)
    mg <- magnitude_table(firms, c("town", "branch"), "pay", "firm",
                          hierarchies = list(town = town_tree))
    once <- coarser_table(mg, "town")
    expect_identical(dimnames(once)$town, c("N", "S", "e", "F"))
    merged <- firms
    merged$town <- c(a = "N", b = "N", c = "S", d = "S", e = "e", f = "F")[as.character(firms$town)]
    again <- magnitude_table(merged, c("town", "branch"), "pay", "firm")
    expect_identical(contents(once), contents(again))
    expect_no_error(validate_sdc_magnitude(once))
    twice <- coarser_table(once, "town")
    expect_identical(dimnames(twice)$town, c("N", "S", "W"))
    left <- coarser_table(twice, "town")
    expect_identical(contents(left), contents(magnitude_table(firms, "branch", "pay", "firm")))
    expect_identical(contents(coarser_table(mg, "branch")),
                     contents(magnitude_table(firms, "town", "pay", "firm")))
    expect_identical(sum(left), sum(mg))
    rules <- c(rule_p_percent(20), rule_threshold(4))
    marks <- function(x) {
      found <- as.data.frame(sensitive(x, rules, totals = TRUE))
      found[] <- lapply(found, as.character)
      sort(do.call(paste, found[names(found) != "cell"]))
    }
    expect_identical(marks(left), marks(magnitude_table(firms, "branch", "pay", "firm")))
  }
})

test_that("snapshot: what cannot be coarser is said", {
  firms <- some_firms(1)
  one <- magnitude_table(firms, "branch", "pay", "firm")
  linked <- magnitude_table(firms, c("town", "branch"), "pay", "firm", formula = ~ town + branch)
  expect_snapshot(error = TRUE, {
    coarser_table(one, "branch")
    coarser_table(one, "town")
    coarser_table(linked, "town")
    coarser_table(firms, "town")
  })
})
