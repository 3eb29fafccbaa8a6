# All margins that leave out one dimension, by sums over dense arrays.
keeps_margins_without <- function(move, v) all(apply(move, setdiff(seq_along(dim(move)), v), sum) == 0)

blank <- function(...) plain_table(array(0, c(...)))

expect_margin_set <- function(set, long = which(dim(set) > 1)) {
  moves <- bare_moves(set)
  for (v in long) {
    keeps <- function(a) if (length(dim(a)) == 1) sum(a) == 0 else keeps_margins_without(a, v)
    expect_true(all(vapply(moves, keeps, NA)))
  }
  expect_true(all(Reduce(`+`, lapply(moves, pmax, 0)) == 1))
  expect_true(all(Reduce(`+`, lapply(moves, pmin, 0)) == -1))
}

shapes <- c(
  list(2, 3, 6, c(1, 4), c(5, 1, 2)),
  lapply(seq_len(25), function(i) c((i - 1) %% 5 + 2, (i - 1) %/% 5 + 2)),
  list(
    c(2, 2, 2), c(2, 2, 3), c(4, 3, 5), c(4, 4, 3), c(5, 4, 4), c(3, 3, 4), c(3, 3, 3), c(2, 3, 4), c(5, 3, 2),
    c(6, 2, 2), c(7, 2, 3), c(2, 7, 2), c(5, 5, 2), c(4, 4, 4), c(3, 4, 6), c(6, 5, 7), c(2, 1, 3), c(1, 3, 3),
    c(2, 2, 2, 2), c(2, 2, 2, 3), c(3, 2, 3, 2), c(2, 3, 2, 5), c(3, 3, 3, 3), c(4, 2, 3, 2), c(2, 5, 2, 2),
    c(2, 1, 2, 4), c(2, 2, 2, 2, 2), c(2, 3, 2, 2, 2), c(2, 2, 3, 3, 2), c(3, 2, 2, 2, 4), c(3, 1, 2, 3, 2)
  )
)

test_that("property: 61 shapes up to five ways, and every ring", {
  expect_length(shapes, 61)
  for (size in shapes) {
    x <- blank(size)
    each <- as.list(names(dimnames(x)))
    expect_margin_set(cycles_margin(x, each, set = "margin"))
    for (ring in which(size > 1)) {
      if (size[[ring]] == 2 && any(size[-ring] %% 2 == 1 & size[-ring] > 1)) {
        expect_error(cycles_margin(x, each, ring), class = "sdc_error_input")
      } else {
        set <- cycles_margin(x, each, ring)
        expect_margin_set(set)
        of_band <- split(bare_moves(set), (seq_along(set) - 1) %/% size[[ring]])
        expect_true(all(vapply(of_band, function(moves) all(Reduce(`+`, moves) == 0), NA)))
        expect_true(all(Reduce(`+`, lapply(of_band, function(moves) Reduce(`|`, lapply(moves, `!=`,
                                                                                       0)))) == 1))
      }
    }
  }
})

test_that("published: the set of the reference for 4 x 4 x 3 keeps the same margins as ours", {
  frame <- utils::read.csv(test_path("fixtures", "C_cycles_4x4x3.csv"))
  x <- blank(4, 4, 3)
  names(frame) <- c("cycle", "A", "B", "C", "coefficient")
  set <- cycles(transform(frame, cycle = cycle + 1), x)
  expect_margin_set(set)
  # Level k of cycle c is P_{a_k + c} - P_{a_{k+1} + c}, P_s the cells with j - i = s mod 4.
  for (c in 0:3) {
    s <- (outer(0:3, 0:3, function(i, j) j - i) - c) %% 4
    wanted <- vapply(0:2, function(k) (s == k) - (s == (k + 1) %% 3), matrix(0, 4, 4))
    expect_equal(bare_moves(set)[[c + 1]], wanted, ignore_attr = TRUE)
  }
  ours <- cycles_margin(x)
  expect_identical(ours$preserves, set$preserves)
  expect_identical(ours$parameters$ring, 3L)
  sizes <- function(set) unique(vapply(bare_moves(set), function(a) sum(a != 0), 0L))
  expect_identical(list(sizes(set), sizes(ours), sizes(cycles_margin(x, ring = "A"))),
                   list(24L, 8L, 12L))
})

test_that("property: two ways along the columns are bands in the order of the rows", {
  for (m in 2:7) {
    for (n in 3:6) {
      x <- blank(m, n)
      bands <- cycles_banded(x, group = 2, shuffle = FALSE)
      expect_identical(bare_moves(cycles_margin(x, ring = 2)), bare_moves(bands))
      expect_identical(cycles_margin(x, group = 2, shuffle = FALSE), bands)
    }
  }
})

test_that("property: the ring is odd, then long", {
  ring <- function(...) cycles_margin(blank(...), set = "margin")$parameters$ring
  expect_identical(ring(4, 4, 3), 3L)
  expect_identical(ring(3, 8, 5), 3L)
  expect_identical(ring(4, 6, 8), 3L)
  expect_identical(ring(6, 6, 2), 1L)
  expect_identical(ring(5, 2), 1L)
  expect_identical(ring(1, 2), 2L)
})

test_that("property: many variables become two ways as equal as possible", {
  ways <- function(...) lapply(cycles_margin(blank(...), seed = 1)$parameters$ways, identity)
  expect_identical(ways(2, 2, 2, 2, 2, 2), list(1:3, 4:6))
  expect_identical(ways(8, 2, 2, 2), list(1L, 2:4))
  expect_identical(ways(2, 2, 2, 8), list(1:3, 4L))
  expect_identical(ways(2, 3, 4, 6), list(c(1L, 4L), 2:3))
  expect_identical(ways(1, 2, 2, 2, 2), list(1:3, 4:5))
  expect_identical(ways(3, 1, 4), list(1:2, 3L))
  set.seed(5)
  for (i in 1:30) {
    size <- sample(2:5, sample(4:6, 1), TRUE)
    found <- vapply(ways(size), function(at) prod(size[at]), 0)
    subsets <- lapply(seq_len(2^length(size) - 2),
                      function(b) bitwAnd(b, 2^(seq_along(size) - 1)) > 0)
    best <- min(vapply(subsets, function(s) max(prod(size[s]), prod(size[!s])), 0))
    expect_identical(max(found), best)
    expect_identical(ways(size)[[1]][[1]], 1L)
  }
})

# Moves of the table of the ways, cell by cell through the level numbers of its variables.
unmerged_by_hand <- function(move, size, ways) {
  out <- array(0L, size)
  at <- arrayInd(seq_along(out), size)
  of_way <- vapply(ways, function(v) {
    stride <- cumprod(c(1, size[v]))[seq_along(v)]
    as.integer(1 + (at[, v, drop = FALSE] - 1) %*% stride)
  }, integer(length(out)))
  out[] <- move[of_way]
  out
}

test_that("oracle: merged sets are the sets of the merged table", {
  x <- blank(2, 3, 2, 4)
  for (ways in list(list(c(3, 1), c(4, 2)), list(c(4, 1, 3), 2), list(2, c(1, 3), 4),
                    list(4, 3, 2, 1))) {
    named <- lapply(ways, function(at) LETTERS[at])
    merged <- blank(vapply(ways, function(at) prod(dim(x)[at]), 0))
    two <- length(ways) == 2
    set <- if (two) cycles_margin(x, named, seed = 4) else cycles_margin(x, named)
    of <- if (two) cycles_banded(merged, seed = 4) else cycles_margin(merged,
                                                                      as.list(names(dimnames(merged))))
    expect_length(set, length(of))
    by_hand <- lapply(bare_moves(of), unmerged_by_hand, dim(x), ways)
    expect_identical(bare_moves(set), by_hand)
    expect_setequal(set$preserves, lapply(ways, function(at) LETTERS[1:4][-at]))
    expect_identical(bare_moves(merged_set(set)), bare_moves(of))
    expect_identical(nrow(as.data.frame(set)),
                     as.integer(sum(vapply(by_hand, function(a) sum(a != 0), 0L))))
  }
})

test_that("property: counts play no part, and the seed is public", {
  set.seed(2)
  a <- plain_table(array(rpois(48, 1), c(2, 3, 4, 2)))
  b <- plain_table(array(rpois(48, 9), c(2, 3, 4, 2)))
  expect_true(identical(cycles_margin(a, seed = 1), cycles_margin(b, seed = 1)))
  expect_false(identical(cycles_margin(a, seed = 1), cycles_margin(a, seed = 2)))
  expect_true(identical(cycles_margin(a, list("A", c("B", "D"), "C")),
                        cycles_margin(b, list("A", c("B", "D"), "C"))))
})

test_that("oracle: posteriors of margin and merged sets are those by enumeration", {
  set.seed(9)
  tables <- list(blank(2, 2, 2), blank(2, 2, 3), blank(2, 3, 2), blank(2, 2, 2, 2), blank(1, 2, 3))
  for (x in tables) {
    x[] <- rpois(length(x), 2) + 1
    sets <- list(cycles_margin(x, as.list(names(dimnames(x))), set = "margin"))
    if (length(x) <= 12) sets <- c(sets,
                                   list(cycles_margin(x, list(c("C", "A"), "B"), set = "margin")))
    for (set in sets) {
      for (rule in c("blocked", "nonnegative")) {
        pub <- publication(x, mechanism(set, alpha = .2, beta = .3, zero_rule = rule))
        a <- posterior(pub)
        b <- posterior(pub, method = "enumeration")
        expect_equal(a$log_evidence, b$log_evidence, tolerance = 1e-10)
        expect_equal(laws_of(a), laws_of(b), tolerance = 1e-10)
      }
    }
  }
})

test_that("property: a four-way table of the survey, from end to end", {
  x <- margin(cps13, c("education", "race", "sex", "marital"))
  set <- cycles_margin(x, group = 2, seed = 11)
  me <- mechanism(set, covers = 2)
  pe <- perturb(x, me, seed = 3, insist = TRUE)
  for (kept in set$preserves) {
    expect_identical(as.table(margin(pe$published, kept)), as.table(margin(x, kept)))
  }
  pub <- publish(pe, insist = TRUE)
  folder <- withr::local_tempdir()
  back <- read_publication(write_publication(pub, file.path(folder, "pub")))
  expect_true(identical(back, pub))
  expect_identical(serialize(back, NULL), serialize(pub, NULL))
  laws <- as.data.frame(posterior(back, progress = FALSE))
  expect_equal(sum(laws$probability), length(x), tolerance = 1e-8)
  cell <- do.call(paste, laws[names(dimnames(x))])
  count <- as.vector(as.table(x))[match(cell, do.call(paste, expand.grid(dimnames(x))))]
  expect_true(all(tapply(laws$probability * (laws$value == count), cell, sum) > 0))
})

test_that("property: round trips of margin and merged sets, and files that lie are refused", {
  x <- plain_table(array(1:24, c(2, 3, 4)))
  for (set in list(
    cycles_margin(x), cycles_margin(x, ring = "B"),
    cycles_margin(x, list("C", c("B", "A")), seed = 1),
    cycles_margin(x, list("C", c("B", "A")), set = "margin"), cycles_margin(x, list("C", "B", "A"))
  )) {
    pub <- publication(x, mechanism(set))
    folder <- withr::local_tempdir()
    back <- read_publication(write_publication(pub, file.path(folder, "pub")))
    expect_identical(serialize(back, NULL), serialize(pub, NULL))
  }
})

test_that("property: an object that was changed by hand is refused, not obeyed", {
  x <- blank(2, 3, 4)
  set <- cycles_margin(x, list("C", c("B", "A")), seed = 1)
  change <- function(set, ...) {
    new <- list(...)
    structure(replace(unclass(set), "parameters", list(replace(set$parameters, names(new), new))),
              class = "sdc_cycles")
  }
  for (ways in list(list(3L, 2L), list(3L, 2:1, 1L), list(4L, 2:1), list(0L, 2:1), list(1L, 3:2))) {
    expect_error(summary(change(set, ways = ways)), class = "sdc_error_input")
  }
  for (ring in c(0L, 4L, 1L, -1L, NA)) {
    expect_error(summary(change(cycles_margin(x), ring = ring)), class = "sdc_error_input")
  }
})

test_that("snapshot: prints of margin and merged sets", {
  expect_snapshot({
    cycles_margin(blank(4, 4, 3))
    cycles_margin(blank(4, 1))
    cycles_margin(sdc_table(czech_workers), list(c("A", "E"), c("B", "C"), c("D", "F")))
    x <- cycles_margin(sdc_table(czech_workers), group = 2, seed = 1)
    x
    summary(x)
    str(x)
    cat(rule_in_words(cycles_margin(blank(4, 4, 3))))
    cat(rule_in_words(x))
  })
})

test_that("snapshot: errors of margin sets", {
  x <- blank(2, 3, 4)
  expect_snapshot(error = TRUE, {
    cycles_margin()
    cycles_margin(NULL)
    cycles_margin(blank(1, 1))
    cycles_margin(x, ways = "A")
    cycles_margin(x, ways = list())
    cycles_margin(x, ways = list("A", 2:3))
    cycles_margin(x, ways = list("A", character()))
    cycles_margin(x, ways = list("A", c("B", "D")))
    cycles_margin(x, ways = list("A", c("B", NA)))
    cycles_margin(x, ways = list("A", c("B", "A")))
    cycles_margin(x, ways = list("A", "B"))
    cycles_margin(x, ring = "A")
    cycles_margin(x, ring = "D")
    cycles_margin(x, ring = 0)
    cycles_margin(x, ring = 1.5)
    cycles_margin(x, ring = NA)
    cycles_margin(blank(3, 1, 3), ring = "B")
    cycles_margin(x, set = "triads")
    cycles_margin(x, set = "banded")
    cycles_margin(blank(4, 1), set = "banded")
    cycles_margin(x, seed = 1)
    cycles_margin(x, ways = list("A", c("B", "C")), walk = "lenz")
    cycles_margin(x, list("A", c("B", "C")), NULL, "auto", 2)
    cycles_margin(x, ways = list("A", c("B", "C")), set = "banded", ring = 1)
    cycles_margin(x, ways = list("A", c("B", "C")), seed = "a")
  })
  expect_error(cycles_margin(x, ways = list("A", c("B", "C")), seed = "a"), class = "sdc_error_input")
  expect_error(cycles_margin(array(0, c(0, 2))), class = "sdc_error_input")
})
