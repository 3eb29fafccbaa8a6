small_rules <- c(rule_threshold(2), rule_p_percent(20), rule_nk(1, 80))

# A table with a random pattern that hides what the rules call sensitive and something more.
small_suppressed <- function(trees) {
  data <- firm_records(sample(6:8, 1), .3, .6, 3, 2)
  mg <- firm_table(data, hierarchies = if (!is.null(trees)) list(region = trees))
  frame <- as.data.frame(suppress(mg, small_rules, pattern = matrix(FALSE, 3, 2), audit = FALSE))
  inner <- frame$region %in% letters & frame$branch %in% LETTERS
  hidden <- which(inner & frame$region %in% sample(letters[1:3], 2))
  if (runif(1) < .3) {
    hidden <- sort(c(sample(which(inner), 4), sample(setdiff(which(!inner), nrow(frame)), 1)))
  }
  frame$suppressed <- seq_len(nrow(frame)) %in% hidden
  frame$sdcStatus <- NULL
  list(data = data, frame = frame, hidden = hidden,
       su = suppress(mg, small_rules, pattern = frame, audit = FALSE))
}

# By the formulas of the help page, for one cell: the total that readers must find possible.
needed_total <- function(value, firm, who) {
  if (length(value) == 0) return(list(total = 0, need = 0, own = 0, alone = FALSE))
  held <- tapply(value, firm, sum)
  total <- sum(held)
  own <- sum(held[names(held) %in% who])
  other <- max(0, held[!names(held) %in% who])
  x <- sort(as.vector(held), decreasing = TRUE)
  rest <- sum(x) - sum(head(x, 2))
  few <- length(x) < 2
  near <- total > 0 && rest < .2 * x[1]
  much <- x[1] > .8 * total
  ask <- c(if (few) total + .2 * other, if (near) own + 1.2 * other, if (much) own + other / .8)
  most <- c(if (few) total + .2 * x[1], if (near) sum(head(x, 2)) + .2 * x[1], if (much) x[1] / .8)
  list(total = total, need = ceiling(min(max(0, ask), max(most, total)) - 1e-9), own = own,
       alone = all(names(held) %in% who))
}

# Which hidden rows a group of firms learns, by listing.
learned_units <- function(case, all, who, targets) {
  records <- row_records(case$frame, case$data, case$trees)[case$hidden]
  said <- lapply(records, function(r) needed_total(case$data$value[r], case$data$firm[r], who))
  fits <- rep(TRUE, nrow(all))
  for (k in seq_along(said)) {
    fits <- fits & all[, k] >= said[[k]]$own & (!said[[k]]$alone | all[, k] == said[[k]]$own)
  }
  all <- all[fits, , drop = FALSE]
  Filter(function(k) {
    one <- said[[k]]
    if (one$alone) return(FALSE)
    if (one$need <= one$total) return(all(all[, k] == one$total))
    max(all[, k]) < one$need
  }, targets)
}

test_that("oracle: what contributors and pairs of them learn, by listing all tables", {
  set.seed(rounds(7, 182))
  learned <- c(contributor = 0, coalition = 0)
  for (i in seq_len(rounds(15, 30))) {
    trees <- if (i %% 2) nation
    case <- c(small_suppressed(trees), list(trees = trees))
    all <- agreeing_units(case$frame, case$hidden, case$data, trees)
    found <- quiet_audit(case$su, readers = c("contributor", "coalition"))
    expect_identical(found$readers, c("outsider", "contributor", "coalition"))
    cells <- as.data.frame(found)
    at <- match(paste(case$frame$region, case$frame$branch)[case$hidden],
                paste(cells$region, cells$branch))
    targets <- which(cells$primary[at] & cells$protected[at] %in% TRUE & !cells$near[at])
    words <- paste(case$frame$region, case$frame$branch)[case$hidden]
    firms <- sort(unique(case$data$firm))
    alone <- lapply(firms, function(firm) learned_units(case, all, firm, targets))
    said <- unlist(Map(function(firm, k) if (length(k)) paste(firm, words[k]), firms, alone))
    own <- found$learned[found$learned$reader == "contributor", ]
    expect_setequal(paste(own$who, own$region, own$branch), as.character(said))
    pairs <- utils::combn(length(firms), 2, simplify = FALSE)
    said <- unlist(lapply(pairs, function(pair) {
      k <- setdiff(learned_units(case, all, firms[pair], targets), unlist(alone[pair]))
      if (length(k) > 0) paste(paste(sort(firms[pair]), collapse = " "), words[k])
    }))
    both <- found$learned[found$learned$reader == "coalition", ]
    who <- vapply(strsplit(both$who, " and "),
                  function(w) paste(sort(as.numeric(w)), collapse = " "), "")
    expect_setequal(paste(who, both$region, both$branch), as.character(said))
    learned <- learned + c(nrow(own), nrow(both))
  }
  expect_gt(learned[[1]], 5)
  expect_gt(learned[[2]], 5)
})

test_that("published: the only firm of a cell learns no other firm's value", {
  skip_if_not_installed("GaussSuppression")
  data <- SSBtools::SSBtoolsData("magnitude1")
  mg <- magnitude_table(data, c("sector4", "geo"), "value", "company")
  few <- rule_threshold(2)
  # the method for counts of the library leaves two cells open to each other's only firm
  su <- suppress(mg, few, method = "GaussSuppression", singletonMethod = "anySum", repair = FALSE)
  found <- su$audit$learned
  expect_setequal(paste(found$sector4, found$geo), c("Entertainment Iceland", "Industry Spain"))
  expect_setequal(found$who, c("B", "C"))
  expect_identical(found$how, rep("exactly", 2))
  expect_equal(sort(found$upper), c(8.4, 16.8))
  expect_gt(su$audit$failures, 0)
  expect_output(print(su$audit), "2 contributors learn 2 primary cells exactly")
  # its method for magnitudes hides the same cells as the library's own function
  right <- suppress(mg, few, method = "GaussSuppression", repair = FALSE)
  expect_identical(nrow(right$audit$learned), 0L)
  own <- GaussSuppression::SuppressFewContributors(
    data, maxN = 1, numVar = "value", dimVar = c("sector4", "geo"), contributorVar = "company",
    printInc = FALSE
  )
  hidden <- as.data.frame(right)
  hidden <- hidden[hidden$sdcStatus %in% c("u", "x"), ]
  words <- function(frame) paste(frame$sector4, frame$geo)
  expect_setequal(words(hidden), words(own[own$suppressed, ]))
})

test_that("published: a sum of hidden cells that one firm dominates", {
  branch <- rep(letters[1:5], c(4, 4, 4, 5, 5))
  data <- data.frame(
    branch, value = c(900, 15, 10, 5, 700, 15, 8, 4, 500, 9, 5, 3, rep(40, 10)),
    firm = c("X", 1:3, "X", 4:6, "X", 7:9, 11:20)
  )
  mg <- magnitude_table(data, "branch", "value", "firm")
  su <- suppress(mg, c(rule_nk(2, 80), rule_p_percent(10)),
                 pattern = data.frame(branch = letters[1:3], suppressed = TRUE))
  expect_identical(su$cells$sdcStatus, c("u", "u", "u", "s", "s", "s"))
  expect_identical(su$audit$counts[["unions"]], 1L)
  expect_identical(as.character(su$audit$unions$branch), c("a", "b", "c"))
  expect_identical(unique(su$audit$unions$rules), "nk(2, 80), p_percent(10)")
  expect_gt(su$audit$failures, 0)
  expect_error(publish(su), class = "sdc_error_refused")
  # without holdings it is three firms
  apart <- magnitude_table(data, "branch", "value")
  su <- suppress(apart, c(rule_nk(2, 80), rule_p_percent(10)),
                 pattern = data.frame(branch = letters[1:3], suppressed = TRUE))
  expect_identical(su$audit$counts[["unions"]], 0L)
})

# Every sum of hidden inner cells that equations give, judged: all combinations of cells whose sum
# is the same in all tables that agree.
test_that("oracle: sensitive sums are among those that have one value in all tables", {
  set.seed(183)
  n_unions <- 0
  for (i in seq_len(rounds(6, 30))) {
    trees <- if (i %% 2) nation
    case <- c(small_suppressed(trees), list(trees = trees))
    all <- agreeing_units(case$frame, case$hidden, case$data, trees)
    records <- row_records(case$frame, case$data, trees)[case$hidden]
    found <- quiet_audit(case$su, readers = "outsider")$unions
    words <- paste(case$frame$region, case$frame$branch)[case$hidden]
    rows <- lapply(split(match(paste(found$region, found$branch), words), found$union), sort)
    for (k in rows) {
      expect_identical(length(unique(rowSums(all[, k, drop = FALSE]))), 1L)
      expect_false(anyDuplicated(unlist(records[k])) > 0)
      r <- unlist(records[k])
      expect_true(by_formula(case$data$value[r], case$data$firm[r], 2, 20, 1, 80)$fires)
    }
    # each set of disjoint hidden rows with a sum that is sensitive and known holds one of them or a
    # cell that is known and sensitive
    known <- apply(all, 2, function(column) length(unique(column)) == 1)
    sets <- unlist(lapply(2:min(4, length(records)), utils::combn, x = length(records),
                          simplify = FALSE), recursive = FALSE)
    for (k in sets) {
      r <- unlist(records[k])
      if (anyDuplicated(r) || length(unique(rowSums(all[, k, drop = FALSE]))) > 1) next
      if (!by_formula(case$data$value[r], case$data$firm[r], 2, 20, 1, 80)$fires) next
      inside <- vapply(c(rows, as.list(which(known))), function(u) all(unlist(records[u]) %in% r),
                       NA)
      expect_true(any(inside))
      n_unions <- n_unions + 1
    }
  }
  expect_gt(n_unions, rounds(5, 10))
})
