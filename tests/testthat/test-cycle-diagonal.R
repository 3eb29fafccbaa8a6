# The diagonal set of tables with three variables.

diagonal <- function(size, ...) cycles_margin(plain_table(rep(0, prod(size)), size),
                                              set = "diagonal", ...)

test_that("published: on 4 x 4 x 3 cells it is the set of the reference", {
  frame <- utils::read.csv(test_path("fixtures", "C_cycles_4x4x3.csv"))
  names(frame) <- c("cycle", "A", "B", "C", "coefficient")
  x <- plain_table(rep(0, 48), c(4, 4, 3))
  expect_identical(diagonal(c(4, 4, 3)), cycles(transform(frame, cycle = cycle + 1), x))
})

test_that("property: cells have two chances, one each way, and all two-way margins are kept", {
  shapes <- list(c(4, 4, 3), c(3, 3, 3), c(4, 4, 4), c(4, 4, 5), c(2, 2, 2), c(3, 6, 2), c(6, 3, 7),
                 c(2, 4, 6), c(3, 2, 9), c(6, 1, 3, 2), c(10, 10, 2))
  for (size in shapes) {
    set <- diagonal(size)
    moves <- bare_moves(set)
    expect_true(all(Reduce(`+`, lapply(moves, `>`, 0)) == 1))
    expect_true(all(Reduce(`+`, lapply(moves, `<`, 0)) == 1))
    expect_length(unique(vapply(moves, function(a) sum(a != 0), 0L)), 1)
    expect_true(all(unlist(moves) %in% -1:1))
    for (kept in utils::combn(which(size > 1), 2, simplify = FALSE)) {
      for (move in moves) expect_true(all(apply(move, kept, sum) == 0))
    }
    expect_length(set$preserves, 3)
  }
})

test_that("property: the ring is the longest that fits, or the one that is asked for", {
  expect_length(diagonal(c(3, 6, 6)), 6)
  expect_length(diagonal(c(3, 6, 6), ring = "A"), 3)
  expect_length(diagonal(c(3, 6, 6), ring = 1), 3)
  expect_length(diagonal(c(2, 2, 4), ring = "B"), 2)
})

test_that("oracle: posteriors of the set are those by enumeration", {
  withr::local_seed(93)
  for (size in list(c(2, 2, 2), c(3, 3, 2), c(3, 3, 3), c(2, 4, 2))) {
    x <- plain_table(1 + rpois(prod(size), 2), size)
    for (rule in c("blocked", "nonnegative")) {
      me <- mechanism(cycles_margin(x, set = "diagonal"), .2, .3, zero_rule = rule)
      pub <- publication(x, me)
      a <- posterior(pub)
      b <- posterior(pub, method = "enumeration")
      expect_equal(a$log_evidence, b$log_evidence, tolerance = 1e-10)
      expect_equal(laws_of(a), laws_of(b), tolerance = 1e-10)
    }
  }
})

test_that("property: counts play no part, and the set survives writing and reading", {
  x <- plain_table(1:48, c(4, 4, 3))
  set <- cycles_margin(x, set = "diagonal")
  expect_true(identical(set, diagonal(c(4, 4, 3))))
  pub <- publish(perturb(x, mechanism(set), seed = 1, insist = TRUE), insist = TRUE)
  folder <- withr::local_tempdir()
  expect_true(identical(read_publication(write_publication(pub, file.path(folder, "pub"))), pub))
})

test_that("snapshot: prints and errors of the diagonal set", {
  expect_snapshot(diagonal(c(4, 4, 3)))
  expect_snapshot(error = TRUE, {
    diagonal(c(3, 4, 5))
    diagonal(c(2, 2, 3))
    diagonal(c(2, 3, 3), ring = "A")
    diagonal(c(2, 3, 3), ring = 4)
    diagonal(c(4, 4))
    diagonal(c(2, 2, 2, 2))
    diagonal(c(2, 2, 2), ways = list("A", c("B", "C")))
    diagonal(c(2, 2, 2), seed = 1)
  })
})
