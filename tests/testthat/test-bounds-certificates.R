certified <- function(...) bounds_margins(..., certificates = TRUE, progress = FALSE)

# Intervals, and what the check says of them.
expect_certified <- function(b, all = NULL, info = NULL) {
  checked <- verify_bounds(b)
  expect_true(checked$verified, info = info)
  expect_true(all(b$sharp), info = info)
  if (!is.null(all)) {
    expect_equal(b$lower, apply(all, 1, min), info = info)
    expect_equal(b$upper, apply(all, 1, max), info = info)
  }
  invisible(checked)
}

test_that("oracle: both ends of random margins are certified, and are those of all tables", {
  set.seed(1)
  for (case in seq_len(rounds(12, 36))) {
    dim <- list(c(2, 2, 2), c(3, 2, 2), c(2, 3), c(1, 3, 2), c(4, 2), 3)[[case %% 6 + 1]]
    x <- lettered_table(rpois(prod(dim), sample(c(.4, 1.2), 1)), dim)
    k <- length(dim)
    sets <- if (case %% 2 && k == 3) {
      combn(3, 2, simplify = FALSE)
    } else if (k > 1) {
      random_release(k)
    } else {
      list(integer())
    }
    released <- margins(x, named_sets(x, sets))
    b <- certified(released, dimnames = dimnames(x))
    expect_certified(b, enumerate_by_margins(x, sets), paste("case", case))
    expect_true(verify_bounds(b, released)$verified)
  }
})

# A table with its totals, some suppressed, some within limits.
random_frame <- function(x) {
  cells <- as.data.frame(sdc_table(x), totals = TRUE, zeros = TRUE)
  n <- nrow(cells)
  kind <- sample(3, n, TRUE, c(3, 3, 2))
  known <- cells$freq
  cells$freq[kind > 1] <- NA
  cells$lower <- ifelse(kind == 3, pmax(0, known - sample(0:1, n, TRUE)), NA)
  cells$upper <- ifelse(kind == 3, known + sample(0:1, n, TRUE), NA)
  cells$freq[1:2] <- known[1:2]
  total <- rowSums(cells[names(dimnames(x))] == "Total") == length(dim(x))
  cells$freq[total] <- known[total]
  cells[c("lower", "upper")][!is.na(cells$freq), ] <- NA
  cells
}

test_that("oracle: cells and sums of suppressed tables are certified, against all tables", {
  set.seed(2)
  for (case in seq_len(rounds(8, 24))) {
    x <- lettered_table(rpois(4 + 2 * (case %% 2), .8), c(2, 2 + case %% 2))
    cells <- random_frame(x)
    all <- all_with_total(length(x), sum(x))
    shown <- sums_in_tables(cells, dimnames(x), all)
    least <- ifelse(is.na(cells$freq), pmax(0, cells$lower, na.rm = TRUE), cells$freq)
    most <- ifelse(is.na(cells$freq), ifelse(is.na(cells$upper), Inf, cells$upper), cells$freq)
    keep <- colSums(shown < least | shown > most) == 0
    release <- constraints(cells, dimnames = dimnames(x))
    expect_certified(certified(release), all[, keep, drop = FALSE], paste("cells, case", case))
    asked <- cells[sample(nrow(cells), 4), names(dimnames(x))]
    b <- certified(release, asked)
    expect_certified(b, sums_in_tables(asked, dimnames(x), all[, keep, drop = FALSE]),
                     paste("sums, case", case))
    expect_true(verify_bounds(b, release)$verified)
  }
})

test_that("oracle: sums of margins and of linked tables are certified", {
  set.seed(10)
  x <- lettered_table(rpois(8, 1), c(2, 2, 2))
  sets <- combn(3, 2, simplify = FALSE)
  released <- margins(x, named_sets(x, sets))
  asked <- data.frame(A = c("a1", "a2", "Total"), C = c("c1", "Total", "c2"))
  b <- certified(released, asked)
  expect_certified(b, sums_in_tables(asked, dimnames(x), enumerate_by_margins(x, sets)))
  expect_true(verify_bounds(b, released)$verified)
  linked <- list(margin.table(x, c(1, 2)), margin.table(x, c(2, 3)))
  asked <- data.frame(A = c("a1", "a2"), B = "b1", C = "c1")
  b <- certified(linked, asked)
  expect_certified(b)
  expect_true(verify_bounds(b, linked)$verified)
  expect_false(verify_bounds(b, rev(linked))$verified)
})

test_that("property: intervals of whatever method are proved, and outer ones may turn out sharp", {
  set.seed(3)
  x <- lettered_table(rpois(24, 1), c(3, 2, 4))
  released <- margins(x, combn(names(dimnames(x)), 2, simplify = FALSE))
  sharp <- certified(released, method = "ip")
  for (method in c("frechet", "shuttle", "lp", "auto")) {
    b <- certified(released, method = method)
    checked <- verify_bounds(b)
    expect_true(checked$verified, info = method)
    expect_true(all(checked$ends$proved))
    same <- b$lower == sharp$lower & b$upper == sharp$upper
    expect_identical(b$sharp, same, info = method)
    expect_identical(checked$ends$attained, c(b$lower == sharp$lower, b$upper == sharp$upper))
  }
})

test_that("property: limits of rounding, trees, rates, and cells without a limit", {
  set.seed(4)
  rounded <- constraints(intervals(margins(roehrig, list("row", "column", character())), 3))
  expect_certified(certified(rounded))
  open <- data.frame(row = c("1", "2"), freq = c(3, 4))
  b <- certified(constraints(open, dimnames = list(row = c("1", "2", "3"))))
  expect_identical(b$upper, c(3, 4, Inf))
  expect_identical(as.character(as.data.frame(expect_certified(b))$how[6]), "direction")
  x <- lettered_table(1 + rpois(6, 3), c(3, 2))
  rates <- constraints(conditionals(x, "B", "A"), data.frame(freq = sum(x)))
  expect_certified(certified(rates))
  tree <- list(A = data.frame(level = c("@", "@@", "@@@", "@@@", "@@"),
                              code = c("Total", "top", "a1", "a2", "a3")))
  cells <- data.frame(A = c("top", "top", "Total"), B = c("b1", "b2", "b1"),
                      freq = c(sum(x[1:2, 1]), sum(x[1:2, 2]), sum(x[, 1])))
  treed <- constraints(cells, hierarchies = tree, dimnames = dimnames(x))
  expect_certified(certified(treed, data.frame(A = c("a1", "top", "a3"), B = c("b2", "b1", "b1"))))
})

# The relaxation of rounded rates goes further than whole numbers do.
test_that("oracle: proofs that need several cases hold", {
  some_cases <- 0
  for (case in seq_len(rounds(3, 6))) {
    set.seed(case)
    x <- lettered_table(1 + rpois(6, 1), c(3, 2))
    rates <- conditionals(x, "B", "A", digits = 1)
    b <- certified(constraints(rates, data.frame(freq = sum(x))))
    shown <- round(x / rowSums(x), 1)
    all <- all_with_total(6, sum(x))
    fits <- apply(all, 2, function(n) {
      n <- matrix(n, 3)
      all(rowSums(n) > 0 & abs(n - shown * rowSums(n)) <= .05 * rowSums(n) + 1e-9)
    })
    checked <- expect_certified(b, all[, fits, drop = FALSE], case)
    some_cases <- some_cases + sum(checked$ends$how == "cases")
  }
  expect_gt(some_cases, rounds(4, 10))
})

# ---- tampering --------------------------------------------------------------------------------

# All vectors inside an object, as paths of names or numbers.
paths_of <- function(x, path = list()) {
  if (!is.list(x)) {
    return(if (length(x) > 0 && (is.atomic(x))) list(path))
  }
  keys <- seq_along(x)
  unlist(lapply(keys, function(k) paths_of(unclass(x)[[k]], c(path, list(k)))), recursive = FALSE)
}

edit_one <- function(v) {
  i <- sample.int(length(v), 1)
  if (is.factor(v)) {
    return(replace(v, i, setdiff(levels(v), v[i])[1]))
  }
  if (is.raw(v)) {
    return(replace(v, i, xor(v[i], as.raw(1))))
  }
  if (is.character(v)) {
    return(replace(v, i, paste0(v[i], "?")))
  }
  if (is.logical(v)) {
    return(replace(v, i, !v[i] %in% TRUE))
  }
  switch(sample(4, 1),
    replace(v, i, ifelse(is.na(v[i]), 1, v[i] + 1)),
    replace(v, i, ifelse(is.na(v[i]), 2, v[i] - 1)),
    v[-i],
    replace(v, i, NA)
  )
}

edit_at <- function(x, path) {
  class <- oldClass(x)
  x <- unclass(x)
  k <- path[[1]]
  x[[k]] <- if (length(path) == 1) edit_one(x[[k]]) else edit_at(x[[k]], path[-1])
  structure(x, class = class)
}

test_that("property: every edit of any field is noticed", {
  set.seed(6)
  x <- lettered_table(rpois(12, 1), c(3, 2, 2))
  cells <- random_frame(x)
  released <- margins(x, combn(names(dimnames(x)), 2, simplify = FALSE))
  given <- list(certified(released), certified(constraints(cells)),
                certified(constraints(cells), cells[c(1, 5, nrow(cells)), names(dimnames(x))]))
  for (b in given) {
    expect_true(verify_bounds(b)$verified)
    paths <- paths_of(b[setdiff(names(b), "release")])
    held <- names(b)[setdiff(seq_along(b), match("release", names(b)))]
    for (path in paths[rep(seq_along(paths), 2)]) {
      path[[1]] <- match(held[path[[1]]], names(b))
      if (names(b)[path[[1]]] == "certificates" &&
            identical(names(b$certificates)[path[[2]]], "release")) {
        next
      }
      changed <- edit_at(b, path)
      if (identical(changed, b)) next
      checked <- suppressWarnings(verify_bounds(changed))
      expect_false(checked$verified, info = paste(names(unlist(path)), unlist(path)))
    }
  }
})

test_that("property: edits of the release inside are noticed, or release says otherwise", {
  set.seed(7)
  released <- margins(roehrig, list("row", "column"))
  b <- certified(released)
  for (i in seq_len(rounds(10, 20))) {
    changed <- b
    m <- sample(2, 1)
    k <- sample(4, 1)
    counts <- as.array(changed$release[[m]])
    counts[k] <- counts[k] + sample(c(-1, 1), 1)
    changed$release[[m]] <- sdc_table(counts)
    expect_false(verify_bounds(changed)$verified)
    expect_true(verify_bounds(b, released)$verified)
  }
  other <- roehrig
  other[1] <- other[1] + 1
  expect_false(verify_bounds(b, margins(other, list("row", "column")))$verified)
  expect_false(verify_bounds(b, margins(roehrig, list("row")))$verified)
})

# A forger makes the checksum anew: then only true claims with valid proofs pass.
test_that("property: no edit with a new checksum makes a false interval verified", {
  set.seed(8)
  x <- lettered_table(rpois(12, 1), c(3, 2, 2))
  b <- certified(margins(x, combn(names(dimnames(x)), 2, simplify = FALSE)))
  made <- match("certificates", names(b))
  paths <- paths_of(unclass(b$certificates))
  for (i in seq_len(rounds(50, 200))) {
    changed <- b
    changed$certificates <- edit_at(b$certificates, paths[[sample(length(paths), 1)]])
    if (i %% 2) {
      k <- sample(length(b$lower), 1)
      by <- sample(c(-1, 1), 1)
      end <- sample(c("lower", "upper"), 1)
      changed[[end]][k] <- changed[[end]][k] + by
      ends <- changed$certificates$ends
      at <- suppressWarnings(ends$cell == k & ends$end == end)
      if (isTRUE(sum(at) == 1)) changed$certificates$ends$value[at] <- changed[[end]][k]
    }
    changed$certificates$seal <- seal_of_bounds(changed)
    checked <- suppressWarnings(verify_bounds(changed))
    true <- changed$lower == b$lower & changed$upper == b$upper
    expect_true(all(true[checked$cells]))
  }
})

test_that("property: intervals under the labels of other levels are not verified", {
  released <- margins(roehrig, list("row", "column"))
  b <- certified(released)
  for (v in names(b$dimnames)) {
    changed <- b
    changed$dimnames[[v]] <- rev(changed$dimnames[[v]])
    changed$certificates$seal <- seal_of_bounds(changed)
    expect_false(verify_bounds(changed, released)$verified)
    expect_false(verify_bounds(changed)$verified)
  }
  changed <- b
  names(changed$dimnames) <- rev(names(changed$dimnames))
  changed$certificates$seal <- seal_of_bounds(changed)
  expect_false(verify_bounds(changed, released)$verified)
})

test_that("property: tables and cells with round numbers are found, in integers and doubles", {
  changes <- list(start = c(0, 1, 3), cell = c(100000L, 7L, 100000L), value = c(4, 5, 6))
  expect_identical(value_at(changes, c(1, 2, 2, 1), c(1e5, 7, 1e5, 7), 0), c(4, 5, 6, 0))
  changes <- list(start = seq(0, 1e5), cell = rep(3L, 1e5), value = rep(c(2, 9), c(99999, 1)))
  expect_identical(value_at(changes, c(1e5, NA), c(3, 3), 0), c(9, 0))
})

test_that("property: sums beyond 2^53 are refused, not rounded", {
  expect_true(exact_positive(c(2^40, -1), c(2^53, 1), c(1, 1), 1) == FALSE)
  expect_true(exact_positive(c(2^20, -2^20), c(2^53, 2^53 - 1), c(1, 1), 1))
  expect_false(exact_positive(c(2^20, -2^20), c(2^53 - 1, 2^53), c(1, 1), 1))
  expect_identical(exact_sums(c(2^52, 2^52, 1), c(1, 1, 2), 2), c(NA, 1))
  set.seed(9)
  for (i in seq_len(rounds(100, 200))) {
    a <- sample(-50:50, 4)
    b <- sample(0:1000, 4) + 2^30
    expect_identical(exact_positive(a, b, rep(1, 4), 1), sum(a * b) > 0)
  }
})

test_that("snapshot: prints, and what is wrong", {
  b <- certified(margins(roehrig, list("row", "column")))
  expect_snapshot({
    b$certificates
    verify_bounds(b)
    summary(verify_bounds(b))
    as.data.frame(verify_bounds(b))[c(1, 17), ]
  })
  b$upper[3] <- 7
  expect_snapshot(verify_bounds(b))
  b$certificates$proofs$row[1] <- 99
  expect_snapshot(verify_bounds(b))
  expect_snapshot(verify_bounds(bounds_margins(margins(roehrig, list("row")))), error = TRUE)
  expect_snapshot(verify_bounds(1), error = TRUE)
})

test_that("property: an end without a proof is open, one with a wrong proof is false", {
  b <- certified(margins(roehrig, list("row", "column")))
  expect_identical(verify_bounds(b)$verdict, "verified")
  expect_identical(unique(verify_bounds(b)$ends$verdict), "verified")
  # the proof of the first end, a limit, is left out, and the table of the fifth, which others share
  bare <- b
  proofs <- bare$certificates$proofs
  expect_identical(c(proofs$start[2], proofs$row_start[2]), c(1, 0))
  bare$certificates$proofs[c("cell", "at", "row_start")] <-
    list(proofs$cell[-1], proofs$at[-1], proofs$row_start[-1])
  bare$certificates$proofs$start <- proofs$start[-1] - 1
  ends <- b$certificates$ends
  bare$certificates$ends$proof <- replace(ends$proof - 1L, 1, NA)
  bare$certificates$ends$table[5] <- NA
  bare$certificates$seal <- seal_of_bounds(bare)
  checked <- verify_bounds(bare)
  expect_identical(checked$verdict, "open")
  expect_false(checked$verified)
  expect_identical(which(checked$ends$verdict == "open"), c(1L, 5L))
  expect_identical(which(checked$verdicts == "open"), c(1L, 5L))
  expect_identical(which(!checked$cells), c(1L, 5L))
  expect_match(format(bare), "without a proof: 1 of 32 ends", all = FALSE)
  # beside an open end, a false one decides
  bare$certificates$ends$value[7] <- bare$lower[7] <- bare$lower[7] + 1
  bare$certificates$seal <- seal_of_bounds(bare)
  checked <- verify_bounds(bare)
  expect_identical(checked$verdict, "false")
  expect_identical(which(checked$ends$verdict == "false"), 7L)
  expect_identical(which(checked$verdicts == "open"), c(1L, 5L))
  # certificates that were taken away by hand are a fault
  bare <- b
  bare$certificates$ends$table[5] <- NA
  expect_identical(verify_bounds(bare)$verdict, "false")
  # sharp cells that are said not to be
  bare <- b
  bare$sharp[2] <- FALSE
  bare$certificates$seal <- seal_of_bounds(bare)
  expect_identical(which(verify_bounds(bare)$verdicts == "false"), 2L)
})
