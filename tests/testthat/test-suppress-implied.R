# Counts that no crossing shows, and that follow from those that are shown.

# All tables over n cells with this total, a row each.
all_tables <- function(n, total) {
  if (n == 1) {
    return(matrix(total, 1, 1))
  }
  do.call(rbind, lapply(0:total, function(first) {
    cbind(first, all_tables(n - 1, total - first), deparse.level = 0)
  }))
}

# Which cells of the table each row of the cells holds, by labels: a grouping is a frame with a
# column for the leaves and one for the groups.
holds_leaf <- function(cells, leaves, groupings) {
  vapply(seq_len(nrow(leaves)), function(i) {
    Reduce(`&`, lapply(names(leaves), function(v) {
      leaf <- as.character(leaves[[v]][i])
      above <- c(leaf, "Total", unlist(lapply(groupings[[v]], function(g) g[g[[1]] == leaf, 2])))
      as.character(cells[[v]]) %in% above
    }))
  }, logical(nrow(cells)))
}

# The sums of cells that have one count in all tables that agree with a publication, for readers who
# know that a suppressed count is at least 1: a row of flags each.
known_sums <- function(published, leaves, counts, groupings, tables) {
  hold <- holds_leaf(published, leaves, groupings)
  sums <- tables %*% t(hold)
  agree <- rep(TRUE, nrow(tables))
  for (k in seq_len(nrow(published))) {
    agree <- agree & if (published$suppressed[k]) sums[, k] >= 1 else sums[, k] == published$freq[k]
  }
  tables <- tables[agree, , drop = FALSE]
  sets <- as.matrix(expand.grid(rep(list(0:1), length(counts))))[-1, , drop = FALSE]
  values <- tables %*% t(sets)
  known <- apply(values, 2, function(value) all(value == value[1]))
  list(n = nrow(tables), sets = sets[known, , drop = FALSE], hold = hold)
}

# Is the set of leaves made of suppressed cells, each of which was judged?
is_made_of <- function(set, rows) {
  if (all(set == 0)) {
    return(TRUE)
  }
  first <- which(set == 1)[1]
  any(vapply(seq_len(nrow(rows)), function(k) {
    rows[k, first] && all(rows[k, ] <= set) && is_made_of(set - rows[k, ], rows)
  }, NA))
}

random_groupings <- function(labels, names) {
  lapply(names, function(name) {
    n <- sample(2:3, 1)
    of <- c(sample(n), sample(n, max(0, length(labels) - n), replace = TRUE))[seq_along(labels)]
    stats::setNames(data.frame(labels, paste0(tolower(name), sample(of))), c("x", name))
  })
}

# One variable with two groupings, or two variables whose crossing is not shown.
random_case <- function() {
  draw <- function(n) sample(c(0:3, 1, 2, 5, 7), n, replace = TRUE)
  if (stats::runif(1) < .6) {
    leaves <- data.frame(area = paste0("a", seq_len(sample(4:6, 1))))
    groupings <- list(area = random_groupings(leaves$area, c("G", "H")))
    formula <- list(~ G + H, ~ G, ~ H + G)[[sample(3, 1)]]
  } else {
    leaves <- expand.grid(area = paste0("a", 1:3), sex = c("f", "m"), stringsAsFactors = FALSE)
    groupings <- list(area = random_groupings(unique(leaves$area), c("G", "H")))
    formula <- list(~ area + sex, ~ G * sex + H, ~ G * sex + area)[[sample(3, 1)]]
  }
  n <- draw(nrow(leaves))
  if (sum(n) == 0) n[1] <- 1
  trees <- list(area = lapply(groupings$area, function(g) stats::setNames(g, c("area", names(g)[2]))))
  usual <- tryCatch(
    suppressMessages(sdc_table(cbind(leaves, n = n), names(leaves), "n", hierarchies = trees,
                               formula = formula)),
    sdc_error = function(cnd) NULL
  )
  list(x = usual, leaves = leaves, n = n, groupings = groupings)
}

test_that("oracle: no small sum of cells follows from what is published", {
  n_cases <- if (is_long()) 2000 else 120
  withr::local_seed(20)
  tried <- hidden <- refused <- 0
  while (tried < n_cases) {
    case <- random_case()
    if (is.null(case$x) || sum(case$n) > 16) next
    tried <- tried + 1
    maxN <- sample(1:3, 1)
    su <- suppressWarnings(suppress(case$x, maxN, seed = tried, time_limit_s = 2))
    pub <- tryCatch(publish(su), sdc_error_refused = function(cnd) NULL)
    refused <- refused + is.null(pub)
    if (is.null(pub)) next
    shown <- as.data.frame(pub)
    hidden <- hidden + any(shown$suppressed)
    # where the grand total is suppressed others are possible, too
    whole <- Reduce(`&`, lapply(unclass(shown)[names(case$leaves)], `==`, "Total"))
    totals <- sum(case$n) + if (any(shown$suppressed & whole)) -1:2 else 0
    tables <- do.call(rbind, lapply(totals, all_tables, n = length(case$n)))
    found <- known_sums(shown, case$leaves, case$n, case$groupings, tables)
    expect_true(found$n >= 1)
    small <- drop(found$sets %*% case$n)
    sets <- found$sets[small >= 1 & small <= maxN, , drop = FALSE]
    rows <- found$hold[shown$suppressed, , drop = FALSE]
    expect_true(all(apply(sets, 1, is_made_of, rows = rows)))
  }
  expect_gt(hidden, n_cases / 4)
  expect_lt(refused, n_cases / 2)
})

areas <- function(n = c(40, 1, 30, 25, 33, 18), formula = ~ G + H) {
  df <- data.frame(area = paste0("a", seq_along(n)), n = n)
  t1 <- data.frame(area = df$area, G = rep(c("g1", "g2", "g1"), c(3, 3, length(n) - 6)))
  t2 <- data.frame(area = df$area, H = ifelse(df$area %in% c("a1", "a3"), "h1", "h2"))
  sdc_table(df, "area", "n", hierarchies = list(area = list(t1, t2)), formula = formula)
}

test_that("oracle: a difference of two groupings is protected, and refused where it is not", {
  x <- areas()
  su <- suppress(x, 3)
  expect_identical(sum(su$cells$sdcStatus == "x"), 2L)
  expect_true(verify_suppression(su)$verified)
  bounds <- as.data.frame(bounds_margins(constraints(publish(su))))
  expect_true(all(bounds$lower < bounds$upper))
  alone <- bounds$area == "a2"
  expect_true(bounds$lower[alone] <= 1 && bounds$upper[alone] >= 4)
  bare <- data.frame(area = "h1", suppressed = FALSE)
  expect_match(format(audit(suppress(x, 3, pattern = bare, audit = FALSE)))[1], "^FAILS.*g1 - h1 = a2")
  expect_error(publish(suppress(x, 3, pattern = bare)), "g1 - h1 = a2", class = "sdc_error_refused")
  expect_warning(certified <- suppress(x, 3, pattern = bare, method = "certified"),
                 class = "sdc_warning_unsafe")
  expect_error(publish(certified), "g1 - h1 = a2", class = "sdc_error_refused")
  expect_false(verify_suppression(certified)$verified)
  repaired <- suppress(x, 3, pattern = bare, method = "certified", repair = TRUE)
  expect_true(verify_suppression(repaired)$verified)
  # a larger count needs nothing
  expect_identical(sum(suppress(areas(c(40, 9, 30, 25, 33, 18)), 3)$cells$sdcStatus == "x"), 0L)
})

test_that("oracle: a small sum of cells that no crossing shows is protected by a total", {
  x <- areas(c(40, 1, 30, 25, 33, 18, 1))
  su <- suppress(x, 3)
  expect_identical(implied_sums(su)$sums, list())
  expect_identical(sum(su$cells$sdcStatus == "x"), 2L)
  expect_silent(publish(su))
  bare <- suppress(x, 3, pattern = data.frame(area = "h1", suppressed = FALSE))
  expect_error(publish(bare), "g1 - h1 = a2 [+]\\s+a7", class = "sdc_error_refused")
  # with every total kept nothing can protect it
  kept <- data.frame(area = c("Total", "g1", "g2", "h1", "h2"))
  expect_warning(held <- suppress(x, 3, published = kept), class = "sdc_warning_unsafe")
  expect_error(publish(held), "g1 - h1", class = "sdc_error_refused")
})

test_that("property: a sensitive difference of magnitudes makes suppress() hide a total", {
  set.seed(5)
  d <- data.frame(area = rep(paste0("a", 1:6), c(4, 1, 4, 4, 4, 4)), v = sample(8:14, 21, TRUE))
  d$v[5] <- 77
  t1 <- data.frame(area = paste0("a", 1:6), G = rep(c("g1", "g2"), each = 3))
  t2 <- data.frame(area = paste0("a", 1:6), H = c("h1", "h2", "h1", "h2", "h2", "h2"))
  mg <- magnitude_table(d, "area", "v", hierarchies = list(area = list(t1, t2)), formula = ~ G + H)
  su <- suppress(mg, rule_threshold(3))
  expect_true(any(su$cells$sdcStatus == "x"))
  expect_silent(publish(su))
  bare <- suppress(mg, rule_threshold(3), pattern = data.frame(area = "h1", suppressed = FALSE))
  expect_error(publish(bare), class = "sdc_error_refused")
})
