# town x sector and county x branch: no crossing shows a town by a branch.
linked_towns <- function() {
  sdc_table(town_firms, formula = ~ town * sector + county * branch)
}

test_that("oracle: totals of roundings are explained with their sums", {
  trees <- list(town = unique(town_firms[c("county", "town")]))
  x <- sdc_table(town_firms, c("town", "branch"), hierarchies = trees)
  coast <- town_firms$county == "Coast" & town_firms$branch == "food"
  cell <- data.frame(town = "Coast", branch = "food")
  for (ro in list(round_small(x), round_controlled(x, base = 5, method = "nearest"))) {
    inside <- c("Arden", "Bray", "Corby")
    rounded <- sum(as.table(ro$rounded)[inside, "food"])
    said <- explain(ro, cell)
    expect_match(said$lines[2], paste0("It is ", sum(coast), " in"), fixed = TRUE)
    expect_match(said$lines[3], paste0("add up to ", rounded, "."), fixed = TRUE)
    expect_true(is_private(said))
    public <- explain(publish(ro), cell)
    known <- as.data.frame(bounds_margins(publish(ro), cells = cell))
    expect_match(public$lines[2], paste0("Shown as ", rounded, "."), fixed = TRUE)
    expect_match(public$lines[3], interval_words(known$lower, known$upper), fixed = TRUE)
    expect_false(is_private(public))
  }
})

test_that("oracle: a cell that no crossing publishes is said to be none", {
  x <- linked_towns()
  ro <- round_controlled(x, base = 5, method = "nearest")
  pub <- publish(ro)
  hidden <- data.frame(town = "Bray", branch = "food")
  shown <- data.frame(town = "Bray", branch = "industry")
  expect_match(explain(ro, hidden)$lines, "No crossing")
  expect_match(explain(pub, hidden)$lines[1], "No crossing")
  cells <- as.data.frame(pub)
  count <- cells$count[cells$town == "Bray" & cells$branch == "industry"]
  expect_match(explain(pub, shown)$lines[1], paste0("Shown as ", count, "."), fixed = TRUE)
  for (cell in list(hidden, shown)) {
    known <- as.data.frame(bounds_margins(pub, cells = cell))
    said <- explain(pub, cell)$lines[2]
    expect_match(said, interval_words(known$lower, known$upper), fixed = TRUE)
    expect_no_match(said, "NA")
  }
})

test_that("property: a table of which only kept totals are published is not perturbed", {
  x <- linked_towns()
  trees <- list(town = unique(town_firms[c("county", "town")]),
                branch = unique(town_firms[c("sector", "branch")]))
  whole <- sdc_table(town_firms, c("town", "branch"), hierarchies = trees)
  me <- mechanism(cycles_banded(whole, seed = 1))
  expect_error(perturb(x, me, seed = 2), "is a total", class = "sdc_error_infeasible")
  pe <- perturb(x, me, seed = 2, insist = TRUE)
  expect_identical(as.data.frame(pe$published, totals = TRUE), as.data.frame(x, totals = TRUE))
  hidden <- data.frame(town = "Bray", branch = "food")
  expect_match(explain(pe, hidden)$lines, "No crossing")
  expect_match(explain(publish(pe, insist = TRUE), hidden)$lines, "No crossing")
})

test_that("property: overlapping cells of linked tables have no share of the grand total", {
  x <- linked_towns()
  expect_no_match(format(summary(suppress(x, maxN = 2))), "share of the grand total")
  flat <- sdc_table(town_firms, c("county", "branch"))
  expect_match(format(summary(suppress(flat, maxN = 2))), "share of the grand total", all = FALSE)
})
