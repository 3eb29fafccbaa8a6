# Suppression of tables of magnitudes that may be negative.

signed_table <- function(data, ...) {
  magnitude_table(data, c("a", "b"), "v", ..., negative = "absolute")
}

signed_records <- function(n, rows = 3, columns = 3) {
  data.frame(
    a = factor(sample(rows, n, TRUE), seq_len(rows)),
    b = factor(sample(columns, n, TRUE), seq_len(columns)),
    v = round(rnorm(n, 4, 12)), who = sample(n, n, TRUE)
  )
}

# Which cells of the table each cell or total holds: a row of flags for each.
incidence <- function(frame) {
  inner <- frame$a != "Total" & frame$b != "Total"
  leaves <- frame[inner, ]
  t(vapply(seq_len(nrow(frame)), function(i) {
    as.numeric((frame$a[i] == "Total" | as.character(leaves$a) == frame$a[i]) &
                 (frame$b[i] == "Total" | as.character(leaves$b) == frame$b[i]))
  }, numeric(sum(inner))))
}

# Does row k follow from the rows that are known?
follows <- function(m, known, k) {
  rank <- function(x) if (nrow(x) == 0) 0 else qr(x)$rank
  rank(m[known, , drop = FALSE]) == rank(m[c(known, k), , drop = FALSE])
}

random_pattern <- function(x, share) array(runif(prod(dim(x))) < share, dim(x))

test_that("oracle: without a limit a total is known just where it follows from published ones", {
  known <- open <- 0
  for (seed in seq_len(rounds(6, 12))) {
    withr::local_seed(seed)
    x <- signed_table(signed_records(30), unit = 1)
    pattern <- as.data.frame(suppress(x, rule_nk(1, 60), pattern = array(TRUE, dim(x)),
                                      lowest = -Inf, audit = FALSE))
    pattern$suppressed <- runif(nrow(pattern)) < .5
    su <- suppress(x, rule_nk(1, 60), pattern = pattern[c("a", "b", "suppressed")], lowest = -Inf,
                   audit = FALSE)
    cells <- as.data.frame(su)
    hidden <- cells$sdcStatus %in% c("u", "x")
    m <- incidence(cells)
    found <- as.data.frame(audit(su, progress = FALSE, readers = "outsider"))
    at <- match(paste(found$a, found$b), paste(cells$a, cells$b))
    for (i in seq_along(at)) {
      sure <- follows(m, which(!hidden), at[i])
      expect_identical(found$known[i], sure)
      expect_identical(c(found$lower[i], found$upper[i]),
                       if (sure) rep(cells$total[at[i]], 2) else c(-Inf, Inf))
      if (found$primary[i]) expect_identical(found$protected[i], !sure)
      known <- known + sure
      open <- open + !sure
    }
    # who has the publication alone finds the same
    pub <- publish(su, insist = TRUE)
    expect_identical(pub$lowest, -Inf)
    public <- as.data.frame(audit(pub, progress = FALSE))
    by <- match(paste(public$a, public$b), paste(found$a, found$b))
    expect_identical(public$lower, found$lower[by])
    expect_identical(public$upper, found$upper[by])
  }
  expect_gt(known, rounds(6, 20))
  expect_gt(open, rounds(6, 20))
})

test_that("oracle: of linked tables a total is known just where it follows from published ones", {
  known <- open <- 0
  for (seed in 1:8) {
    withr::local_seed(seed)
    x <- signed_table(signed_records(40, 4, 3), unit = 1, formula = ~ a + b)
    rows <- data.frame(a = c(1:4, rep("Total", 3)), b = c(rep("Total", 4), 1:3))
    rows$suppressed <- runif(7) < .5
    lowest <- c(-Inf, min(-30, as.data.frame(x)$value) * 40)[seed %% 2 + 1]
    su <- suppress(x, rule_nk(1, 12), pattern = rows, lowest = lowest, audit = FALSE)
    cells <- su$cells
    shown <- which(cells$sdcStatus %in% c("s", "z"))
    m <- incidence(cells)
    found <- as.data.frame(audit(su, progress = FALSE, readers = "outsider"))
    at <- match(paste(found$a, found$b), paste(cells$a, cells$b))
    expect_setequal(at, which(cells$sdcStatus %in% c("u", "x")))
    sure <- vapply(at, function(k) follows(m, shown, k), NA)
    expect_identical(found$known, sure)
    expect_identical(found$lower[sure], cells$total[at[sure]])
    expect_identical(is.finite(found$lower), sure | is.finite(lowest))
    known <- known + sum(sure)
    open <- open + sum(!sure)
  }
  expect_gt(known, 2)
  expect_gt(open, 10)
})

test_that("oracle: without a limit contributors learn what follows from their own totals", {
  learned <- 0
  for (seed in seq_len(rounds(8, 15))) {
    withr::local_seed(seed)
    d <- signed_records(18)
    x <- signed_table(d, contributorVar = "who", unit = 1)
    su <- suppress(x, rule_threshold(3), pattern = random_pattern(x, .7), lowest = -Inf,
                   audit = FALSE)
    cells <- as.data.frame(su)
    hidden <- which(cells$sdcStatus %in% c("u", "x"))
    shown <- setdiff(seq_len(nrow(cells)), hidden)
    m <- incidence(cells)
    expected <- NULL
    for (who in unique(d$who)) {
      people <- lapply(seq_len(nrow(cells)), function(i) {
        unique(d$who[(cells$a[i] == "Total" | as.character(d$a) == cells$a[i]) &
                       (cells$b[i] == "Total" | as.character(d$b) == cells$b[i])])
      })
      own <- hidden[vapply(people[hidden], identical, NA, who)]
      for (k in setdiff(hidden[cells$sdcStatus[hidden] == "u"], own)) {
        if (follows(m, c(shown, own), k) && !follows(m, shown, k)) {
          expected <- c(expected, paste(who, cells$a[k], cells$b[k]))
        }
      }
    }
    found <- audit(su, progress = FALSE)$learned
    expect_setequal(paste(found$who, found$a, found$b), as.character(expected))
    expect_true(all(found$how == "exactly"))
    true <- cells$total[match(paste(found$a, found$b), paste(cells$a, cells$b))]
    expect_identical(found$lower, true)
    learned <- learned + length(expected)
  }
  expect_gt(learned, rounds(2, 5))
})

test_that("oracle: with a limit intervals are those of all tables above it", {
  for (seed in seq_len(rounds(3, 8))) {
    withr::local_seed(seed)
    d <- data.frame(a = factor(rep(1:2, 3)), b = factor(rep(1:3, each = 2)),
                    v = sample(-2:3, 6, TRUE))
    x <- signed_table(d, unit = 1)
    lowest <- -sample(2:3, 1)
    su <- suppress(x, rule_nk(1, 60), pattern = random_pattern(x, .7), lowest = lowest,
                   audit = FALSE)
    cells <- as.data.frame(su)
    hidden <- which(cells$sdcStatus %in% c("u", "x"))
    inner <- which(cells$a != "Total" & cells$b != "Total")
    m <- incidence(cells)
    open <- match(intersect(inner, hidden), inner)
    most <- sum(d$v) - 5 * lowest
    grid <- as.matrix(expand.grid(rep(list(lowest:min(most, 14)), length(open))))
    all <- matrix(cells$total[inner], nrow(grid), 6, byrow = TRUE)
    all[, open] <- grid
    all <- all %*% t(m)
    agree <- colSums(t(all[, -hidden, drop = FALSE]) != cells$total[-hidden]) == 0
    found <- as.data.frame(audit(su, progress = FALSE, readers = "outsider"))
    for (i in seq_len(nrow(found))) {
      k <- which(cells$a == found$a[i] & cells$b == found$b[i])
      expect_identical(c(found$lower[i], found$upper[i]), as.numeric(range(all[agree, k])))
    }
  }
})

test_that("oracle: with a limit contributors learn what no table above it lets them doubt", {
  learned <- kept <- 0
  for (seed in seq_len(rounds(20, 40))) {
    withr::local_seed(seed)
    d <- data.frame(a = factor(sample(4, 7, TRUE), 1:4), v = sample(-3:9, 7, TRUE),
                    who = sample(5, 7, TRUE))
    x <- magnitude_table(d, "a", "v", "who", unit = 1, negative = "absolute")
    lowest <- min(0, tapply(d$v, d$a, sum), na.rm = TRUE) - sample(0:3, 1)
    su <- suppress(x, rule_p_percent(25), pattern = sample(4) < 4, lowest = lowest, audit = FALSE)
    audited <- audit(su, progress = FALSE)
    found <- as.data.frame(audited)
    hidden <- which(su$cells$sdcStatus %in% c("u", "x"))
    true <- su$cells$total[hidden]
    # all tables: two of the three hidden cells say the third
    most <- sum(true) - 2 * lowest
    all <- as.matrix(expand.grid(lowest:most, lowest:most))
    all <- cbind(all, sum(true) - rowSums(all))
    all <- all[all[, 3] >= lowest, , drop = FALSE]
    people <- lapply(hidden, function(i) unique(d$who[d$a == as.character(su$cells$a[i])]))
    expected <- NULL
    for (i in which(found$primary & found$protected %in% TRUE & !found$near)) {
      k <- match(as.character(found$a[i]), as.character(su$cells$a[hidden]))
      for (who in unique(d$who)) {
        own <- which(vapply(people, identical, NA, who))
        if (k %in% own) next
        hers <- all[colSums(t(all[, own, drop = FALSE]) != true[own]) == 0, k]
        reach <- found$need_upper[i]
        sure <- if (reach <= true[k]) length(unique(hers)) == 1 else max(hers) < reach
        if (sure) expected <- c(expected, paste(who, found$a[i]))
        kept <- kept + !sure
      }
    }
    expect_setequal(paste(audited$learned$who, audited$learned$a), as.character(expected))
    learned <- learned + length(expected)
  }
  expect_gt(learned, rounds(1, 3))
  expect_gt(kept, rounds(10, 20))
})

test_that("oracle: no sum of suppressed cells that follows and is sensitive is passed over", {
  sensitive_sums <- 0
  rules <- rule_p_percent(25)
  for (seed in seq_len(rounds(13, 25))) {
    withr::local_seed(seed)
    d <- signed_records(24)
    d$who <- sample(8, 24, TRUE)
    x <- signed_table(d, contributorVar = "who", unit = 1)
    su <- suppress(x, rules, pattern = random_pattern(x, .6), lowest = -Inf, audit = FALSE)
    audited <- audit(su, progress = FALSE, readers = "outsider")
    found <- as.data.frame(audited)
    cells <- su$cells
    shown <- which(!cells$sdcStatus %in% c("u", "x"))
    inner <- which(cells$a != "Total" & cells$b != "Total")
    open <- paste(cells$a, cells$b)[inner] %in% paste(found$a, found$b)[!found$known]
    m <- incidence(cells)[shown, ]
    places <- paste(cells$a, cells$b)[inner]
    sets <- lapply(seq_len(2^sum(open) - 1), function(i) which(open)[bitwAnd(i, 2^(0:8)) > 0])
    sensitive_set <- vapply(sets[lengths(sets) > 1], function(set) {
      rows <- paste(d$a, d$b) %in% places[set]
      held <- abs(tapply(d$v[rows], d$who[rows], sum))
      twin_sensitive(held, rules) && {
        flags <- as.numeric(seq_along(inner) %in% set)
        qr(rbind(m, flags))$rank == qr(m)$rank
      }
    }, NA)
    if (any(sensitive_set)) {
      expect_gt(audited$counts[["unions"]] + audited$counts[["unions_unsure"]], 0)
    } else {
      expect_identical(audited$counts[["unions"]], 0L)
    }
    sensitive_sums <- sensitive_sums + any(sensitive_set)
  }
  expect_gt(sensitive_sums, rounds(1, 3))
})

test_that("property: a limit of 0 on values that are not negative is the plain table", {
  rules <- c(rule_p_percent(15), rule_threshold(3))
  for (seed in 1:6) {
    withr::local_seed(seed)
    d <- transform(signed_records(40), v = abs(v))
    pattern <- array(runif(9) < .6, c(3, 3))
    plain <- audit(suppress(magnitude_table(d, c("a", "b"), "v"), rules, pattern = pattern,
                            audit = FALSE), progress = FALSE, readers = "outsider")
    signed <- audit(suppress(signed_table(d), rules, pattern = pattern, lowest = 0,
                             audit = FALSE), progress = FALSE, readers = "outsider")
    expect_equal(as.data.frame(signed), as.data.frame(plain))
    expect_identical(signed$counts, plain$counts)
  }
})

test_that("oracle: sums of suppressed cells are judged by absolute values of holdings", {
  sensitive_sums <- 0
  rules <- c(rule_p_percent(20), rule_nk(2, 80))
  for (seed in seq_len(rounds(15, 30))) {
    withr::local_seed(seed)
    d <- data.frame(a = factor(rep(1:4, 2)), v = round(rnorm(8, 0, 30)), who = sample(5, 8, TRUE))
    x <- magnitude_table(d, "a", "v", "who", unit = 1, negative = "absolute")
    pattern <- runif(4) < .6
    if (sum(pattern) < 2) next
    found <- audit(suppress(x, rules, pattern = pattern, lowest = -Inf, audit = FALSE),
                   progress = FALSE)
    rows <- pattern[as.integer(d$a)]
    expected <- twin_sensitive(abs(tapply(d$v[rows], d$who[rows], sum)), rules)
    expect_identical(found$counts[["unions"]] > 0, expected)
    sensitive_sums <- sensitive_sums + expected
  }
  expect_gt(sensitive_sums, rounds(2, 5))
})

test_that("property: a library's pattern passes the audit, is published and read back", {
  skip_if_not_installed("GaussSuppression")
  withr::local_seed(9)
  d <- signed_records(90, 5, 4)
  x <- signed_table(d)
  rules <- rule_nk(1, 60)
  for (lowest in c(-Inf, min(as.data.frame(x)$value) * 3)) {
    su <- suppress(x, rules, method = "GaussSuppression", lowest = lowest)
    expect_identical(su$audit$failures, 0L)
    expect_identical(sum(as.data.frame(su)$sdcStatus == "u"),
                     sum(sensitive(x, rules, totals = TRUE)$sdcStatus == "u"))
    pub <- publish(su)
    shown <- as.data.frame(pub)
    expect_true(any(shown$total < 0, na.rm = TRUE))
    path <- withr::local_tempdir()
    expect_identical(read_publication(write_publication(pub, file.path(path, "t"))), pub)
    expect_true(all(is.finite(audit(pub)$cells$lower) == is.finite(lowest)))
  }
  expect_error(suppress(x, rules, method = "GaussSuppression", lowest = -Inf, lpPackage = "lpSolve"),
               class = "sdc_error_input")
})

test_that("property: what readers know must be said, and be true", {
  withr::local_seed(2)
  x <- signed_table(signed_records(30))
  pattern <- array(TRUE, dim(x))
  bad <- function(...) {
    expect_error(suppress(..., rule_nk(1, 60), pattern = pattern), class = "sdc_error_input")
  }
  bad(x)
  bad(x, lowest = 0)
  bad(x, lowest = 1)
  bad(x, lowest = NA)
  plain <- magnitude_table(transform(signed_records(30), v = abs(v)), c("a", "b"), "v")
  bad(plain, lowest = -Inf)
  su <- suppress(x, rule_nk(1, 60), pattern = pattern, lowest = -1e4)
  su$lowest <- -1e5
  expect_error(publish(su, insist = TRUE), class = "sdc_error_refused")
  expect_error(redistribute(x, rule_nk(1, 60), seed = 1), class = "sdc_error_input")
})

test_that("snapshot: a table that may be negative", {
  d <- data.frame(a = c("x", "x", "x", "y", "y", "y", "z", "z", "z"),
                  v = c(100, -4, 2, 30, -25, 28, 12, 10, -11))
  x <- magnitude_table(d, "a", "v", negative = "absolute")
  expect_snapshot({
    su <- suppress(x, rule_max_share(80), pattern = c(TRUE, TRUE, FALSE), lowest = -Inf)
    su
    as.data.frame(audit(su))
    explain(su, list(a = "x"))
    publish(su)
  })
  expect_snapshot(error = TRUE, {
    suppress(x, rule_max_share(80), pattern = c(TRUE, TRUE, FALSE))
    suppress(x, rule_max_share(80), pattern = c(TRUE, TRUE, FALSE), lowest = 0)
    suppress(x, rule_max_share(10), pattern = c(TRUE, FALSE, FALSE), lowest = 5)
  })
})
