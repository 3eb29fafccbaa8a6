# Magnitude tables of ready cells.

four_rules <- function(k) {
  c(rule_threshold(3), rule_p_percent(10), rule_nk(k, 85), rule_max_share(60))
}

test_that("oracle: ready cells are judged as their contributors are, under all rules", {
  withr::local_seed(601)
  trees <- list(NULL, nation, list(nation, coast))
  for (i in seq_len(rounds(5, 36))) {
    tree <- trees[[i %% 3 + 1]]
    data <- firm_records(sample(2:40, 1), mean = sample(c(0, 2), 1))
    data$value <- data$value * (runif(nrow(data)) > .1) + (i %% 4 == 0)
    k <- sample(2:5, 1)
    given <- if (!is.null(tree)) list(region = tree)
    frame <- ready_of_firms(data, k, tree)
    frame <- frame[sample(nrow(frame)), ]
    mg <- firm_table(data, contributorVar = NULL, hierarchies = given)
    ready <- ready_table_of(frame, k, hierarchies = given)
    for (totals in c(FALSE, TRUE)) {
      a <- in_order_of_labels(sensitive(mg, four_rules(k), totals = totals))
      b <- in_order_of_labels(sensitive(ready, four_rules(k), totals = totals))
      if (any(data$value == 0)) a$needed <- b$needed <- NULL
      expect_equal(b, a)
    }
    # totals follow from the cells
    cells <- frame[frame$region %in% letters & frame$branch %in% LETTERS & frame$n > 0, ]
    again <- ready_table_of(cells, k, hierarchies = given)
    expect_equal(in_order_of_labels(sensitive(again, four_rules(k), totals = TRUE)),
                 in_order_of_labels(sensitive(ready, four_rules(k), totals = TRUE)))
  }
})

test_that("oracle: holdings with parts in several cells are judged as their contributors are", {
  withr::local_seed(602)
  trees <- list(NULL, nation, list(nation, coast))
  few <- 0
  for (i in seq_len(rounds(6, 30))) {
    tree <- trees[[i %% 3 + 1]]
    data <- firm_records(sample(8:30, 1))
    data$firm <- sample(8, nrow(data), TRUE)
    k <- sample(2:4, 1)
    given <- if (!is.null(tree)) list(region = tree)
    frame <- ready_of_firms(data, k, tree, data$firm)
    frame <- frame[sample(nrow(frame)), ]
    mg <- firm_table(data, hierarchies = given)
    count <- if (i %% 2 == 0) "people"
    ready <- ready_table_of(frame, k, holdingVar = "n", countVar = count, hierarchies = given)
    a <- in_order_of_labels(sensitive(mg, four_rules(k), totals = TRUE))
    expect_equal(in_order_of_labels(sensitive(ready, four_rules(k), totals = TRUE)), a)
    few <- few + (sum(frame$n) < sum(frame$people))
    # a total that is not listed
    gone <- which(frame$n > 0 & !(frame$region %in% letters & frame$branch %in% LETTERS))[1]
    expect_error(ready_table_of(frame[-gone, ], k, holdingVar = "n", hierarchies = given),
                 class = "sdc_error_input")
  }
  expect_gt(few, rounds(5, 10))
})

test_that("property: a holding that is alone in a total is the same one in all its cells", {
  frame <- data.frame(
    region = c("a", "b", "c", "Total"), total = c(5, 7, 8, 20), n = c(1, 1, 1, 2),
    max1 = c(5, 7, 8, 12), max2 = c(0, 0, 0, 8)
  )
  tree <- data.frame(parent = c("Total", "Total", "ab", "ab"), child = c("ab", "c", "a", "b"))
  frame <- rbind(frame, data.frame(region = "ab", total = 12, n = 1, max1 = 12, max2 = 0))
  x <- magnitude_cells(frame, "region", "total", NULL, c("max1", "max2"), "n",
                       hierarchies = list(region = tree))
  holder <- x$holder
  expect_equal(holder[1], holder[2])
  expect_false(holder[3] == holder[1])
  at <- which(x$totals$labels$region == "ab")
  expect_equal(x$totals$holder[x$totals$start[at] + 1], holder[1])
})

test_that("oracle: suppress(), audit() and publish() do with ready cells as with contributors", {
  skip_if_not_installed("GaussSuppression")
  withr::local_seed(603)
  rules <- c(rule_threshold(3), rule_p_percent(10))
  hidden <- 0
  for (i in seq_len(rounds(3, 6))) {
    data <- firm_records(40, mean = 3)
    tree <- if (i %% 2 == 0) nation
    given <- if (!is.null(tree)) list(region = tree)
    mg <- firm_table(data, contributorVar = NULL, hierarchies = given)
    ready <- ready_table_of(ready_of_firms(data, 3, tree), 3, hierarchies = given)
    a <- suppress(mg, rules, method = "GaussSuppression", repair = FALSE)
    b <- suppress(ready, rules, method = "GaussSuppression", repair = FALSE)
    expect_equal(as.data.frame(b), as.data.frame(a))
    expect_equal(b$audit$counts, a$audit$counts)
    columns <- setdiff(names(a$audit$cells), "sharp")
    expect_equal(as.data.frame(b$audit)[columns], as.data.frame(a$audit)[columns])
    pub <- publish(b, insist = TRUE, counts = TRUE)
    expect_equal(as.data.frame(pub), as.data.frame(publish(a, insist = TRUE, counts = TRUE)))
    expect_false(any(c("original", "holder", "top") %in% names(pub)))
    hidden <- hidden + sum(a$cells$sdcStatus == "u")
  }
  expect_gt(hidden, rounds(5, 10))
})

test_that("oracle: suppression of holdings has the primary cells of their microdata", {
  skip_if_not_installed("GaussSuppression")
  withr::local_seed(611)
  rules <- c(rule_threshold(3), rule_p_percent(10))
  primary <- 0
  for (i in seq_len(rounds(3, 6))) {
    data <- firm_records(40, mean = 3)
    data$firm <- sample(15, nrow(data), TRUE)
    mg <- firm_table(data)
    frame <- ready_of_firms(data, 2, firm = data$firm)
    ready <- ready_table_of(frame, 2, countVar = NULL, holdingVar = "n")
    a <- suppress(mg, rules, method = "GaussSuppression", audit = FALSE, repair = FALSE)
    b <- suppress(ready, rules, method = "GaussSuppression", repair = FALSE)
    expect_equal(b$cells$sdcStatus == "u", a$cells$sdcStatus == "u")
    expect_equal(b$cells[c("count", "rules", "total")], a$cells[c("count", "rules", "total")])
    expect_equal(b$audit$counts[["primary"]], sum(b$cells$sdcStatus == "u"))
    # the same patterns are judged alike by the outsider
    outsider <- c("unprotected", "known", "near", "shown")
    expect_equal(audit(b, readers = "outsider")$counts[outsider],
                 audit(suppress(mg, rules, pattern = as.data.frame(b)),
                       readers = "outsider")$counts[outsider])
    pub <- publish(b, insist = TRUE)
    expect_equal(is.na(pub$cells$total), b$cells$sdcStatus %in% c("u", "x"))
    primary <- primary + sum(b$cells$sdcStatus == "u")
  }
  expect_gt(primary, rounds(7, 15))
})

test_that("oracle: ready cells have the primary cells that sdcTable finds in the microdata", {
  skip_if_not_installed("sdcTable")
  skip_if_not_installed("SSBtools")
  data <- SSBtools::SSBtoolsData("magnitude1")
  data$value <- data$value + seq_len(nrow(data)) / 1000
  variables <- c("sector4", "geo")
  labels <- lapply(data[variables], function(column) sort(unique(as.character(column))))
  trees <- lapply(labels, function(l) data.frame(c("@", rep("@@", length(l))), c("Total", l)))
  problem <- quietly_made(sdcTable::makeProblem(data, trees, numVarInd = "value"))
  frame <- ready_frame(data, lapply(labels, held_levels, trees = NULL), 2)
  ready <- ready_table_of(frame, 2, dimVar = variables)
  primary <- 0
  for (rule in list(list("p", p = 10), list("p", p = 40), list("nk", n = 2, k = 90),
                    list("nk", n = 1, k = 60))) {
    theirs <- quietly_made(do.call(sdcTable::primarySuppression, c(
      list(problem, rule[[1]], numVarName = "value"), rule[-1]
    )))
    theirs <- sdcTable::sdcProb2df(theirs, addDups = TRUE, dimCodes = "original")
    own <- if (rule[[1]] == "p") rule_p_percent(rule$p) else rule_nk(rule$n, rule$k)
    ours <- as.data.frame(sensitive(ready, own, totals = TRUE))
    at <- match(paste(ours$sector4, ours$geo), paste(theirs$sector4, theirs$geo))
    expect_equal(ours$sdcStatus == "u", theirs$sdcStatus[at] == "u")
    primary <- primary + sum(ours$sdcStatus == "u")
  }
  expect_gt(primary, 20)
})

test_that("property: every contradiction is found, and no message shows a figure", {
  withr::local_seed(604)
  data <- firm_records(60, mean = 6)
  frame <- ready_of_firms(data, 2)
  expect_no_error(ready_table_of(frame, 2))
  cells <- frame$region %in% letters & frame$branch %in% LETTERS
  broken <- function(at, column, value) {
    frame[at, column] <- value
    tryCatch(ready_table_of(frame, 2), sdc_error_input = identity)
  }
  inner <- which(cells & frame$n > 3)[1]
  outer <- which(!cells)[1]
  slips <- list(
    broken(inner, "max2", frame$max1[inner] + 12345), broken(inner, "max1", 7654321),
    broken(inner, "total", 7654321), broken(inner, "n", 1), broken(inner, "n", 2),
    broken(inner, "n", 91234), broken(outer, "total", 7654321), broken(outer, "n", 98765),
    broken(outer, "max1", frame$max1[outer] + 1), broken(outer, "max2", 1),
    broken(inner, c("total", "n", "max1", "max2"), list(0, 0, 0, 0))
  )
  for (cnd in slips) {
    expect_s3_class(cnd, "sdc_error_input")
    found <- cnd$contradictions
    expect_s3_class(found, "data.frame")
    expect_equal(found$difference, found$shown - found$summed)
    expect_true(all(found$difference != 0))
    figures <- setdiff(format(c(found$shown, found$summed), trim = TRUE), as.character(0:40))
    message <- gsub(",", "", conditionMessage(cnd))
    for (figure in figures) expect_false(grepl(paste0("\\b", figure, "\\b"), message))
  }
  # of holdings
  cnd <- tryCatch(ready_table_of(transform(frame, n = replace(n, outer, 9999)), 2,
                                 holdingVar = "n", countVar = NULL), sdc_error_input = identity)
  expect_match(cnd$contradictions$relation, "more holdings", all = FALSE)
  cnd <- tryCatch(ready_table_of(transform(frame, n = replace(n, outer, 3)), 2,
                                 holdingVar = "n", countVar = NULL), sdc_error_input = identity)
  expect_match(cnd$contradictions$relation, "holdings|contributors", all = FALSE)
})

test_that("property: rounded frames are taken within the tolerance, and not beyond it", {
  withr::local_seed(605)
  beyond <- 0
  for (i in seq_len(rounds(6, 10))) {
    data <- firm_records(50, mean = 7)
    frame <- ready_of_firms(data, 2)
    amounts <- c("total", "max1", "max2")
    frame[amounts] <- lapply(frame[amounts], function(x) 10 * round(x / 10))
    expect_error(ready_table_of(frame, 2), class = "sdc_error_input")
    expect_message(x <- ready_table_of(frame, 2, tolerance = 100), class = "sdc_message_tolerance")
    expect_equal(sum(x), sum(frame$total[frame$region %in% letters & frame$branch %in% LETTERS]))
    off <- abs(frame$total[frame$region == "Total" & frame$branch == "Total"] - sum(x))
    if (off == 0) next
    expect_error(ready_table_of(frame, 2, tolerance = off - 1), class = "sdc_error_input")
    beyond <- beyond + 1
  }
  expect_gt(beyond, rounds(1, 3))
})

test_that("property: a rule that needs more contributions is refused, unless all are listed", {
  withr::local_seed(606)
  data <- firm_records(40)
  frame <- ready_of_firms(data, 1)
  one <- ready_table_of(frame, 1)
  expect_error(sensitive(one, rule_p_percent(10)), class = "sdc_error_input")
  expect_error(sensitive(one, rule_nk(2, 80)), class = "sdc_error_input")
  expect_error(suppress(one, rule_p_percent(10)), class = "sdc_error_input")
  found <- sensitive(one, rule_np(3, 60))
  expect_true(all(is.na(found$share2[found$count > 1])))
  whole <- sensitive(firm_table(data, contributorVar = NULL), rule_np(3, 60))
  expect_equal(found$sdcStatus, whole$sdcStatus)
  expect_error(sensitive(one, rule_np(3, 60), totals = TRUE), NA)
  # two contributors are all that there are
  small <- data.frame(a = c("x", "y"), total = c(5, 9), n = c(2, 1), max1 = c(3, 9), max2 = c(2, NA))
  mg <- magnitude_cells(small, "a", "total", "n", c("max1", "max2"))
  expect_equal(sensitive(mg, rule_nk(3, 80))$sdcStatus, c("u", "u"))
  expect_error(sensitive(mg, rule_nk(3, 80), totals = TRUE), class = "sdc_error_input")
})

test_that("property: with one known contribution the audit takes the second for the largest it can be", {
  withr::local_seed(609)
  for (i in seq_len(rounds(5, 10))) {
    data <- firm_records(25)
    frame <- ready_of_firms(data, 2)
    one <- ready_table_of(frame, 1)
    size <- diff(one$start)
    second <- ifelse(size > 1, one$value[one$start[-length(one$start)] + pmin(2, size)], 0)
    total <- sdcLattice:::cell_totals(one)
    first <- sdcLattice:::top_values(one, 1)[, 1]
    expect_equal(second, ifelse(size > 1, pmin(first, total - first), 0))
    hidden <- expand.grid(region = letters[1:3], branch = LETTERS[1:3])
    hidden$suppressed <- TRUE
    rules <- rule_np(3, 60)
    cautious <- suppress(one, rules, pattern = hidden)$audit$counts
    exact <- suppress(ready_table_of(frame, 2), rules, pattern = hidden)$audit$counts
    expect_equal(cautious[["primary"]], exact[["primary"]])
    expect_gte(cautious[["near"]], exact[["near"]])
    expect_gte(cautious[["learned"]] + cautious[["near"]], exact[["learned"]])
  }
})

test_that("property: slips are errors", {
  data <- firm_records(30)
  frame <- ready_of_firms(data, 2)
  slip <- function(..., f = frame) {
    expect_error(ready_table_of(f, 2, ...), class = "sdc_error_input")
  }
  slip(countVar = NULL)
  slip(countVar = "max1")
  slip(countVar = "absent")
  slip(totalVar = "n")
  slip(tolerance = -1)
  slip(unit = 0)
  slip(total_label = "Sum", f = frame)
  slip(hierarchies = list(region = nation))
  slip(hierarchies = list(area = nation))
  slip(f = rbind(frame, frame[1, ]))
  slip(f = transform(frame, max1 = -max1))
  slip(f = transform(frame, total = replace(total, 2, NA)))
  slip(f = transform(frame, max1 = replace(max1, which(n > 2)[1], NA)))
  slip(f = transform(frame, n = n + .5))
  slip(f = frame[0, ])
  slip(f = as.list(frame))
  expect_error(magnitude_cells(frame, "region", "total", "n"), class = "sdc_error_input")
  expect_error(magnitude_cells(frame, "region", "total", "n", character()),
               class = "sdc_error_input")
  expect_error(magnitude_cells(frame, c("region", "branch"), total, "n", "max1"),
               class = "sdc_error_input")
  slip(dimVar = character())
  slip(f = transform(frame, n = 0, total = 0, max1 = 0, max2 = 0))
  only <- data.frame(a = "Total", total = 3, n = 1, max1 = 3)
  expect_error(magnitude_cells(only, "a", "total", "n", "max1"), class = "sdc_error_input")
})

test_that("property: what needs all contributors says so, and the object is no source of them", {
  withr::local_seed(607)
  frame <- ready_of_firms(firm_records(30), 2)
  x <- ready_table_of(frame, 2)
  expect_error(redistribute(x, rule_p_percent(10)), class = "sdc_error_input")
  expect_error(release_exact(x, risk_np(3, 60)), class = "sdc_error_input")
  shown <- as.data.frame(x)
  expect_named(shown, c("region", "branch", "total", "count", "top1", "top2"))
  at <- match(paste(shown$region, shown$branch), paste(frame$region, frame$branch))
  expect_equal(as.matrix(unname(shown[3:6])),
               as.matrix(unname(frame[at, c("total", "n", "max1", "max2")])), ignore_attr = TRUE)
  expect_equal(utils::capture.output(str(x)), utils::capture.output(print(x)))
  expect_s3_class(explain(x), "sdc_explanation")
  expect_match(format(x), "PRIVATE", all = FALSE)
  edited <- x
  edited$top <- 9
  expect_error(sensitive(edited, rule_nk(5, 80)), NA)
  edited$top <- "two"
  expect_error(sensitive(edited, rule_p_percent(10)), class = "sdc_error_input")
})

test_that("property: pictures show the known contributions and the others together", {
  skip_if_not_installed("ggplot2")
  withr::local_seed(608)
  frame <- ready_of_firms(firm_records(60), 2)
  x <- ready_table_of(frame, 2)
  p <- ggplot2::autoplot(x, rules = rule_p_percent(10))
  expect_lte(max(table(p$data$cell)), 3)
  expect_equal(sum(p$data$value), sum(x))
  expect_error(ggplot2::autoplot(x, rules = rule_nk(4, 80)), class = "sdc_error_input")
})

test_that("snapshot: ready cells", {
  cells <- data.frame(
    region = c("north", "south", "Total"), turnover = c(243, 125, 368), n = c(3, 4, 7),
    max1 = c(132, 40, 132), max2 = c(99, 35, 99)
  )
  x <- magnitude_cells(cells, "region", "turnover", "n", c("max1", "max2"))
  expect_snapshot({
    x
    summary(x)
    sensitive(x, rule_p_percent(10), totals = TRUE)
    sensitive(x, rule_nk(3, 80))
    magnitude_cells(transform(cells, turnover = c(243, 125, 360)), "region", "turnover", "n",
                    c("max1", "max2"))
    magnitude_cells(transform(cells, n = c(3, 4, 6)), "region", "turnover", "n",
                    c("max1", "max2"))
    magnitude_cells(transform(cells, max1 = c(-132, 40, 132)), "region", "turnover", "n",
                    c("max1", "max2"))
  }, error = TRUE)
})

test_that("oracle: crossings of ready cells are judged as those of their contributors", {
  withr::local_seed(610)
  for (i in seq_len(rounds(5, 10))) {
    data <- firm_records(40)
    data$firm <- sample(12, nrow(data), TRUE)
    holdings <- i %% 2 == 0
    frame <- ready_of_firms(data, 2, nation, if (holdings) data$firm else seq_len(nrow(data)))
    rules <- c(rule_threshold(3), rule_p_percent(10))
    publishes <- ~ region + branch
    mg <- firm_table(data, contributorVar = if (holdings) "firm", formula = publishes,
                     hierarchies = list(region = nation))
    # the other rows are not needed, but for the cells
    cell <- frame$region %in% letters & frame$branch %in% LETTERS
    frame <- frame[cell | frame$region == "all" | frame$branch == "Total", ]
    ready <- ready_table_of(frame, 2, formula = publishes, hierarchies = list(region = nation),
                            countVar = if (!holdings) "n", holdingVar = if (holdings) "n")
    a <- in_order_of_labels(sensitive(mg, rules))
    b <- in_order_of_labels(sensitive(ready, rules))
    expect_equal(b, a)
    expect_gt(nrow(a), 3)
  }
})
