refused <- function(x) expect_error(publish(x), class = "sdc_error_refused")

wide_mask <- function() {
  hidden <- roehrig < 0
  hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
  hidden
}


# Functions of an object `o` that each make one of the given assignments in it.
edits_of <- function(...) {
  home <- parent.frame()
  lapply(as.list(substitute(list(...)))[-1], function(edit) {
    function(o) {
      inside <- list2env(list(o = o), parent = home)
      eval(edit, inside)
      inside$o
    }
  })
}

test_that("property: publish() refuses a suppression of counts that was edited", {
  su <- suppress(roehrig, 1, pattern = wide_mask())
  expect_s3_class(publish(su), "sdc_suppressed")
  u <- which(su$cells$sdcStatus == "u")[1]
  x <- which(su$cells$sdcStatus == "x")[1]
  s <- which(su$cells$sdcStatus == "s")[1]
  tree <- list(row = data.frame(parent = c("all", "all", "n", "n", "n"),
                                child = c("n", "4", "1", "2", "3")))
  edits <- edits_of(
    o$cells$sdcStatus[u] <- "s",
    o$cells$sdcStatus[u] <- "x",
    o$cells$sdcStatus[u] <- NA,
    o$cells$sdcStatus[s] <- "z",
    o$cells$sdcStatus[s] <- "published",
    o$cells$freq[s] <- o$cells$freq[s] + 1,
    o$cells$freq[u] <- 5,
    o$cells <- o$cells[-u, ],
    o$cells <- o$cells[rev(seq_len(nrow(o$cells))), ],
    levels(o$cells$row)[1] <- "7",
    o$cells$more <- o$cells$freq,
    o$original <- as_sdc_table(roehrig + 1),
    o$original <- NULL,
    o$hierarchies <- tree,
    o$total_label <- "All",
    o$maxN <- 20,
    o$maxN <- "one",
    o$protectZeros <- NA
  )
  for (edit in edits) refused(edit(su))
  # what is worked out again finds them without the seal
  reseal <- function(o) within_list(o, seal = seal_of("suppression", suppression_parts(o)))
  for (edit in edits[-13]) refused(reseal(edit(su)))
  # who insists publishes a pattern that fails, but nothing that was edited; the first edit is what
  # a pattern that publishes a primary cell gives
  for (edit in edits[-1]) {
    expect_error(publish(edit(su), insist = TRUE), class = "sdc_error_refused")
  }
  # a secondary cell shown, which takes the protection away
  open <- su
  at <- su$cells$sdcStatus == "x" & su$cells$row %in% c("3", "4")
  open$cells$sdcStatus[at] <- "s"
  refused(open)
  # the audit is run again
  fails <- suppress(roehrig, 1, pattern = slides_mask())
  fails$audit <- su$audit
  refused(fails)
  fails$audit <- NULL
  refused(fails)
  by <- suppress(roehrig, 2)
  weaker <- by
  weaker$maxN <- 1
  refused(weaker)
})

test_that("property: publish() refuses a suppression of magnitudes that was edited", {
  set.seed(191)
  skip_if_not_installed("GaussSuppression")
  mg <- firm_table(firm_records(150, 4, 1.5, 5, 6))
  su <- suppress(mg, c(rule_threshold(3), rule_p_percent(10)), method = "GaussSuppression")
  expect_s3_class(publish(su), "sdc_magnitude_suppressed")
  u <- which(su$cells$sdcStatus == "u")[1]
  s <- which(su$cells$sdcStatus == "s")[1]
  edits <- edits_of(
    o$cells$sdcStatus[u] <- "s",
    o$cells$sdcStatus[u] <- "x",
    o$cells$sdcStatus[s] <- "u",
    {
      o$cells$rules[u] <- ""
      o$cells$sdcStatus[u] <- "s"
    },
    o$cells$total[s] <- 1,
    o$cells$count[s] <- 99,
    o$cells <- o$cells[-s, ],
    levels(o$cells$region)[1] <- "7",
    o$rules <- rule_threshold(2),
    o$rules$percent[2] <- 1e6,
    o$rules$label[2] <- "p_percent(50)",
    o$rules <- NULL,
    o$p <- "ten",
    o$original$value[1] <- o$original$value[1] + 1,
    o$original$hierarchies <- list(region = nation),
    o$original$total_label <- "All"
  )
  for (edit in edits) refused(edit(su))
  fails <- suppress(mg, su$rules, pattern = matrix(FALSE, 5, 6))
  fails$audit <- su$audit
  refused(fails)
  # one secondary cell shown
  shown <- vapply(which(su$cells$sdcStatus == "x"), function(at) {
    one <- su
    one$cells$sdcStatus[at] <- "s"
    inherits(try(publish(one), silent = TRUE), "try-error")
  }, NA)
  expect_true(any(shown))
})

# ---- an attack that shares no code with the audit -----------------------------------------------

# Largest and least total of a row of a publication, for a reader with `least` in each hidden inner
# cell and `exact` cells, by lpSolve over the hidden inner cells.
attack_row <- function(system, row, least, exact) {
  shift <- system$inside %*% least
  rest <- system$rest - shift[system$given]
  fixed <- which(exact)
  rows <- rbind(system$inside[system$given, , drop = FALSE],
                diag(length(least))[fixed, , drop = FALSE])
  rhs <- c(rest, rep(0, length(fixed))) / system$scale
  vapply(c("min", "max"), function(way) {
    found <- lpSolve::lp(way, system$inside[row, ], rows, rep("=", nrow(rows)), rhs)
    if (found$status == 0) found$objval * system$scale + shift[row] + system$shown[row] else
      if (way == "max") Inf else 0
  }, 0)
}

published_system <- function(pub, data, trees) {
  frame <- as.data.frame(pub)
  held <- list(held_levels(levels(data$region), trees), held_levels(levels(data$branch), NULL))
  inner <- frame$region %in% levels(data$region) & frame$branch %in% levels(data$branch)
  unknown <- which(frame$suppressed & inner)
  parts <- lapply(seq_len(nrow(frame)), function(row) {
    which(inner & frame$region %in% held[[1]][[as.character(frame$region[row])]] &
            frame$branch %in% held[[2]][[as.character(frame$branch[row])]])
  })
  inside <- t(vapply(parts, function(p) as.numeric(unknown %in% p), numeric(length(unknown))))
  shown <- vapply(parts, function(p) sum(frame$total[setdiff(p, unknown)]), 0)
  given <- which(!frame$suppressed & rowSums(inside) > 0)
  list(frame = frame, unknown = unknown, inside = inside, shown = shown, given = given,
       rest = frame$total[given] - shown[given], scale = 1e3)
}

# How many pairs of a firm and a sensitive cell give the largest other value away: exactly, or to
# less than 10 % above it.
attack_table <- function(pub, data, trees, firms) {
  system <- published_system(pub, data, trees)
  records <- row_records(system$frame, data, trees)
  learned <- 0
  for (row in which(system$frame$suppressed)) {
    held <- tapply(data$value[records[[row]]], as.character(data$firm[records[[row]]]), sum)
    fires <- length(held) < 3 ||
      sum(held) - sum(head(sort(held, decreasing = TRUE), 2)) < .1 * max(held)
    if (length(held) == 0 || !fires) next
    for (firm in firms) {
      others <- held[names(held) != firm]
      if (length(others) == 0) next
      mine <- vapply(system$unknown, function(i) {
        r <- records[[i]]
        c(sum(data$value[r][data$firm[r] == firm]), all(data$firm[r] == firm) && length(r) > 0)
      }, c(0, 0))
      if (all(mine[1, ] == 0)) next
      ends <- attack_row(system, row, mine[1, ], mine[2, ] == 1)
      own <- sum(held[names(held) == firm])
      exact <- ends[2] - ends[1] < .5
      near <- length(held) >= 3 && ends[2] - own < 1.1 * max(others) - 1.5
      learned <- learned + (exact || near)
    }
  }
  learned
}

insider_case <- function(i) {
  set.seed(2000 + i)
  n_regions <- sample(4:6, 1)
  data <- firm_records(sample(200:300, 1), 4, 1.5, n_regions, sample(4:6, 1))
  data$firm <- sample(240, nrow(data), TRUE)
  tree <- data.frame(parent = c("all", "all", rep("n", 2), rep("s", n_regions - 2)),
                     child = c("n", "s", letters[seq_len(n_regions)]))
  trees <- if (i %% 2) tree
  list(data = data, trees = trees,
       mg = firm_table(data, hierarchies = if (!is.null(trees)) list(region = trees)))
}

test_that("oracle: no firm learns another's value from what publish() lets pass", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  long <- is_long()
  rules <- c(rule_threshold(3), rule_p_percent(10))
  published <- learned <- before <- 0
  for (i in seq_len(if (long) 60 else 2)) {
    case <- insider_case(i)
    su <- suppress(case$mg, rules, method = "GaussSuppression")
    pub <- tryCatch(publish(su), sdc_error_refused = function(cnd) NULL)
    firms <- unique(as.character(case$data$firm))
    if (!long) firms <- sample(firms, 25)
    if (!is.null(pub)) {
      published <- published + 1
      learned <- learned + attack_table(pub, case$data, case$trees, firms)
    }
  }
  expect_equal(learned, 0)
  expect_gte(published, if (long) 50 else 1)
})

test_that("oracle: the attack finds what a wrong method for single contributors gives away", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  found <- SSBtools::SSBtoolsData("magnitude1")
  data <- data.frame(region = factor(found$sector4), branch = factor(found$geo),
                     value = found$value * 10, firm = found$company)
  mg <- firm_table(data)
  wrong <- suppress(mg, rule_threshold(2), method = "GaussSuppression", singletonMethod = "anySum", repair = FALSE)
  refused(wrong)
  leaks <- publish(wrong, insist = TRUE)
  expect_gt(attack_table(leaks, data, NULL, unique(data$firm)), 0)
})

test_that("oracle: what everybody knows of published magnitudes, by lpSolve", {
  skip_if_not_installed("lpSolve")
  set.seed(192)
  narrow <- 0
  for (i in seq_len(rounds(4, 8))) {
    data <- firm_records(60, 4, 1.2, 4, 4)
    data$value <- data$value / c(1, 4)[i %% 2 + 1]
    tree <- data.frame(parent = c("all", "all", "n", "n", "s", "s"),
                       child = c("n", "s", letters[1:4]))
    trees <- if (i %% 3 == 0) tree
    mg <- firm_table(data, hierarchies = if (!is.null(trees)) list(region = trees))
    frame <- as.data.frame(suppress(mg, rule_p_percent(10), pattern = matrix(FALSE, 4, 4),
                                    audit = FALSE))
    frame$sdcStatus <- NULL
    # anything but the grand total
    frame$suppressed <- seq_len(nrow(frame)) %in% sample(nrow(frame) - 1, 9)
    pub <- publish(suppress(mg, rule_p_percent(10), pattern = frame, audit = FALSE), insist = TRUE)
    expect_s3_class(pub, c("sdc_magnitude_suppressed", "sdc_suppressed", "sdc_object"),
                    exact = TRUE)
    system <- published_system(pub, data, trees)
    none <- rep(0, length(system$unknown))
    ends <- vapply(which(frame$suppressed), function(row) {
      attack_row(system, row, none, none > 0)
    }, c(0, 0))
    found <- audit(pub, progress = FALSE)
    expect_equal(found$cells$lower, ends[1, ], tolerance = 1e-6)
    expect_equal(found$cells$upper, ends[2, ], tolerance = 1e-6)
    expect_true(all(found$cells$sharp))
    truth <- frame$total[frame$suppressed]
    expect_true(all(found$cells$lower <= truth + 1e-9 & truth <= found$cells$upper + 1e-9))
    expect_identical(found$cells$known == "exactly", found$cells$width == 0)
    expect_null(found$tables)
    narrow <- narrow + sum(found$cells$width == 0)
    at <- which(frame$suppressed)[1]
    said <- as.character(explain(pub, at))
    expect_match(said[1], "leave it (exactly|from)")
    expect_false(explain(pub, at)$private)
    expect_error(constraints(pub), "audit\\(x\\)", class = "sdc_error_input")
  }
  expect_gt(narrow, rounds(1, 3))
})
