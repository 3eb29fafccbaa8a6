# Two linked tables, region x sector2 and county x sector4, over common leaves.
linked_firms <- function(seed, n = 60) {
  set.seed(seed)
  region <- c("n1", "n2", "s1", "s2")
  sector <- c("agri", "ind", "pub")
  data <- data.frame(region = sample(region, n, TRUE, c(4, 2, 3, 1)),
                     sector4 = sample(sector, n, TRUE, c(2, 3, 1)))
  data$county <- substr(data$region, 1, 1)
  data$sector2 <- ifelse(data$sector4 == "pub", "state", "priv")
  data
}

linked_table <- function(...) {
  sdc_table(linked_firms(...), formula = ~ region * sector2 + county * sector4)
}

# Intervals of the suppressed cells by integer programmes over the inner cells, written down from
# the records' labels alone.
slow_intervals <- function(public, x, cells = as.data.frame(public)) {
  inner <- expand.grid(region = dimnames(x)$region, sector4 = dimnames(x)$sector4,
                       stringsAsFactors = FALSE)
  inner$county <- substr(inner$region, 1, 1)
  inner$sector2 <- ifelse(inner$sector4 == "pub", "state", "priv")
  holds <- function(row) {
    r <- as.character(cells$region[row])
    s <- as.character(cells$sector4[row])
    as.numeric((r == "Total" | r == inner$region | r == inner$county) &
                 (s == "Total" | s == inner$sector4 | s == inner$sector2))
  }
  A <- t(vapply(seq_len(nrow(cells)), holds, numeric(nrow(inner))))
  shown <- !cells$suppressed
  end <- function(row, dir) {
    found <- lpSolve::lp(dir, A[row, ], A[shown, , drop = FALSE], rep("=", sum(shown)),
                         cells$freq[shown], all.int = TRUE)
    if (found$status == 3) Inf else round(found$objval)
  }
  hidden <- which(cells$suppressed)
  cbind(cells[hidden, 1:2], lower = vapply(hidden, end, 0, "min"),
        upper = vapply(hidden, end, 0, "max"))
}

test_that("oracle: a pattern of linked tables is audited over whole numbers", {
  skip_if_not_installed("lpSolve")
  for (seed in 1:4) {
    x <- linked_table(seed)
    cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    set.seed(seed)
    cells$suppressed <- cells$freq > 0 & seq_len(nrow(cells)) %in% sample(nrow(cells), 9)
    su <- suppress(x, maxN = 2, pattern = cells)
    public <- public_suppression(su)
    expect_equal(as.data.frame(public)$suppressed, cells$suppressed)
    found <- audit(public, count = FALSE)$cells
    slow <- slow_intervals(public, x)
    expect_true(all(found$sharp))
    expect_equal(found$lower, slow$lower)
    expect_equal(found$upper, slow$upper)
  }
})

test_that("property: GaussSuppression protects linked tables together", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  for (seed in 5:8) {
    x <- linked_table(seed)
    su <- gauss(x, maxN = 3)
    frame <- as.data.frame(su)
    expect_equal(nrow(frame), nrow(as.data.frame(x, totals = TRUE, zeros = TRUE)))
    expect_equal(frame$sdcStatus == "u", frame$freq %in% 1:3)
    if (!isTRUE(su$repair$passed)) next
    public <- publish(su)
    slow <- slow_intervals(public, x)
    primary <- frame$sdcStatus[as.data.frame(public)$suppressed] == "u"
    expect_true(all(slow$lower[primary] < slow$upper[primary]))
    expect_equal(sum(as.data.frame(public)$suppressed), sum(frame$sdcStatus %in% c("u", "x")))
  }
})

test_that("oracle: with one crossing of everything links change nothing", {
  skip_if_not_installed("GaussSuppression")
  data <- linked_firms(9)
  trees <- list(region = nested_tree(data, c("county", "region")))
  whole <- sdc_table(data, c("region", "sector4"), hierarchies = trees)
  su <- gauss(whole, maxN = 3)
  # the same crossings, as two that overlap
  layout <- whole$layout
  nodes <- node_labels(whole)
  layout$crossings <- list(nodes, replace(nodes, "region", list("Total")))
  linked <- gauss(set_layout(whole, layout), maxN = 3)
  expect_equal(as.data.frame(linked), as.data.frame(su))
  by_hand <- gauss(sdc_table(data, c("region", "sector4")), maxN = 3, hierarchies = trees)
  expect_equal(as.data.frame(by_hand), as.data.frame(su))
})

test_that("property: linked tables without trees are protected", {
  skip_if_not_installed("GaussSuppression")
  x <- sdc_table(linked_firms(5), formula = ~ region + sector4)
  expect_null(table_trees(x))
  flat <- sdc_table(transform(linked_firms(5), size = rep(c("a", "b"), 30)),
                    formula = ~ sector4 * size + region)
  for (one in list(x, flat)) {
    su <- gauss(one, maxN = 12)
    frame <- as.data.frame(su)
    expect_equal(frame$sdcStatus == "u", frame$freq %in% 1:12)
  }
})

test_that("snapshot: what is said of linked tables", {
  x <- linked_table(5)
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$freq %in% 1:3
  su <- suppress(x, maxN = 3, pattern = cells)
  expect_snapshot({
    su
    explain(su, data.frame(region = "n1", sector4 = "agri"))
    summary(public_suppression(su))
  })
  expect_snapshot(error = TRUE, suppress(x, method = "sdcTable"))
})

# ---- magnitudes ---------------------------------------------------------------------------------

linked_turnover <- function(seed, n = 60) {
  data <- linked_firms(seed, n)
  data$firm <- paste0("f", seq_len(n))
  data$turnover <- round(exp(rnorm(n, 4, 1.3))) + 1
  data
}

test_that("oracle: rules judge the published cells of linked magnitudes alone", {
  data <- linked_turnover(1)
  rule <- c(rule_p_percent(15), rule_threshold(3))
  mg <- magnitude_table(data, numVar = "turnover",
                        formula = ~ region * sector2 + county * sector4)
  expect_named(dimnames(mg), c("region", "sector4"))
  found <- sensitive(mg, rule)
  cells <- as.data.frame(sdc_table(data, formula = ~ region * sector2 + county * sector4),
                         totals = TRUE)
  expect_equal(nrow(found), nrow(cells))
  for (r in list(c("region", "sector2"), c("county", "sector4"))) {
    one <- as.data.frame(sensitive(magnitude_table(data, r, "turnover"), rule, totals = TRUE))
    names(one)[1:2] <- c("region", "sector4")
    both <- merge(as.data.frame(found), one, by = c("region", "sector4"))
    expect_equal(nrow(both), nrow(one))
    expect_equal(both$total.x, both$total.y)
    expect_equal(both$sdcStatus.x, both$sdcStatus.y)
  }
})

test_that("oracle: differences of linked totals give away no sensitive cell of no crossing", {
  # Q1 less P1 is the county b1, of one firm; with four more firms as large it is not sensitive
  one <- data.frame(county = c("a1", "a2", "b1", "b2"), P = c("P1", "P1", "P2", "P2"),
                    Q = c("Q1", "Q1", "Q1", "Q2"))
  firms <- one[rep(1:4, c(5, 6, 1, 9)), ]
  firms$turnover <- c(51:55, 61:66, 900, 81:89)
  rules <- c(rule_p_percent(10), rule_threshold(3))
  none <- data.frame(county = "P1", suppressed = FALSE)
  audit_of <- function(data, pattern) {
    mg <- magnitude_table(data, "county", "turnover", formula = ~ P + Q)
    suppress(mg, rules, pattern = pattern)
  }
  su <- audit_of(firms, none)
  shown <- as.data.frame(su)
  total <- function(code) shown$total[shown$county == code]
  expect_equal(total("Q1") - total("P1"), 900)
  expect_equal(as.character(su$audit$unions$county), "b1")
  expect_equal(su$audit$failures, 1)
  expect_error(publish(su), class = "sdc_error_refused")
  hidden <- data.frame(county = c("Q1", "Q2"), suppressed = TRUE)
  expect_equal(audit_of(firms, hidden)$audit$failures, 0)
  many <- rbind(firms, firms[rep(12, 4), ])
  expect_equal(audit_of(many, none)$audit$failures, 0)
})

test_that("property: suppressed linked magnitudes pass an audit by linear programmes", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  for (seed in 2:3) {
    data <- linked_turnover(seed)
    mg <- magnitude_table(data, numVar = "turnover",
                          formula = ~ region * sector2 + county * sector4)
    su <- suppress(mg, rule_p_percent(15), method = "GaussSuppression")
    frame <- as.data.frame(su)
    expect_equal(nrow(frame), 26)
    if (!isTRUE(su$repair$passed)) next
    public <- publish(su)
    shown <- as.data.frame(public)
    expect_equal(nrow(shown), 26)
    names(shown)[names(shown) == "total"] <- "freq"
    slow <- slow_intervals(public, mg, shown)
    primary <- frame$sdcStatus[shown$suppressed] == "u"
    truth <- frame$total[shown$suppressed]
    expect_true(all(slow$lower[primary] < truth[primary] & truth[primary] < slow$upper[primary]))
  }
})

test_that("property: linked publications are written and read back", {
  x <- linked_table(6)
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$freq %in% 1:3
  pub <- suppressWarnings(publish(suppress(x, maxN = 3, pattern = cells), insist = TRUE))
  mg <- magnitude_table(linked_turnover(6), numVar = "turnover",
                        formula = ~ region * sector2 + county * sector4)
  judged <- as.data.frame(sensitive(mg, rule_threshold(3)))
  judged$suppressed <- judged$sdcStatus == "u"
  mpub <- suppressWarnings(publish(suppress(mg, rule_threshold(3), pattern = judged),
                                   insist = TRUE))
  for (one in list(pub, mpub)) {
    dir <- withr::local_tempdir()
    write_publication(one, file.path(dir, "p"))
    expect_equal(read_publication(file.path(dir, "p")), one)
    expect_length(readLines(file.path(dir, "p", "table.csv")), 27)
  }
})

test_that("oracle: any cell of a linked publication can be asked for", {
  skip_if_not_installed("lpSolve")
  x <- linked_table(7)
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$freq %in% 1:3
  pub <- publish(suppress(x, maxN = 3, pattern = cells), insist = TRUE)
  slow <- slow_intervals(pub, x)
  found <- as.data.frame(bounds_margins(pub, cells = slow[1:2]))
  expect_equal(found$lower, slow$lower)
  expect_equal(found$upper, slow$upper)
})
