# Whatever perturb() accepts can be analysed.

# Sets of every kind, where they exist for a table.
kinds_of_sets <- list(
  triads = function(x) cycles_banded(x, seed = 1),
  open_triads = function(x) cycles_banded(x, seed = 1, open = TRUE),
  skipping_triads = function(x) cycles_banded(x, seed = 1, skip_zeros = TRUE),
  pairs = function(x) cycles_banded(x, group = 2, seed = 1),
  open_pairs = function(x) cycles_banded(x, group = 2, seed = 1, open = TRUE),
  skipping_pairs = function(x) cycles_banded(x, group = 2, seed = 1, skip_zeros = TRUE),
  walk = function(x) cycles_bidiagonal(x),
  chain = function(x) cycles_bidiagonal(x, walk = "chain"),
  margin = function(x) cycles_margin(x, set = "margin"),
  merged = function(x) cycles_margin(x, ways = list(names(dimnames(x))[1], names(dimnames(x))[-1]), seed = 1),
  data = function(x) cycles_data(x, seed = 1),
  large_steps = function(x) cycles(lapply(as.list(cycles_margin(x, set = "margin")), `*`, 2), x)
)

test_that("property: what perturb() accepts has a posterior, over all kinds of sets", {
  withr::local_seed(40)
  long <- is_long()
  tables <- list(
    plain_table(stats::rpois(9, 2), c(3, 3)), plain_table(stats::rpois(8, 2), c(4, 2)),
    plain_table(stats::rpois(12, 2), c(2, 2, 3))
  )
  if (long) tables <- c(tables, list(plain_table(stats::rpois(15, 2), c(5, 3)),
                                     plain_table(stats::rpois(12, 2), c(3, 4))))
  outcome <- character()
  turn <- 0
  for (kind in names(kinds_of_sets)) {
    for (x in tables) {
      set <- tryCatch(kinds_of_sets[[kind]](x), sdc_error = function(cnd) NULL)
      if (is.null(set)) next
      turn <- turn + 1
      for (covers in c(1:2, if (long) c(3, 4, 7), 13)) {
        for (rule in c("blocked", if (!skips_zeros(set)) "nonnegative")) {
          # in the short form half of them: each kind of set meets each number of covers
          if (!long && (turn + covers + (rule == "blocked")) %% 2 > 0) next
          me <- mechanism(set, covers = covers, zero_rule = rule)
          pe <- tryCatch(perturb(x, me, seed = 1, insist = TRUE),
                         sdc_error_refused = function(cnd) NULL)
          if (is.null(pe)) {
            # only sweeps are refused, and only those that posterior() cannot follow
            expect_true(skips_zeros(set))
            expect_error(posterior(publication(x, me)), class = "sdc_error_too_large")
            outcome <- c(outcome, "refused")
            next
          }
          pub <- publish(pe, insist = TRUE)
          exact <- tryCatch(posterior(pub), sdc_error_too_large = function(cnd) NULL)
          po <- exact
          if (is.null(po)) {
            po <- suppressWarnings(posterior(pub, method = "montecarlo", draws = rounds(100, 200),
                                             seed = 1))
          }
          expect_equal(unname(vapply(laws_of(po), sum, 0)), rep(1, length(x)))
          outcome <- c(outcome, if (is.null(exact)) "simulated" else "exact")
        }
      }
    }
  }
  expect_setequal(outcome, c("exact", "simulated", "refused"))
})

test_that("oracle: two covers of triads that skip zeros, and six sweeps over pairs", {
  withr::local_seed(41)
  for (round in 1:3) {
    x <- plain_table(stats::rpois(9, 1), c(3, 3))
    me <- mechanism(cycles_banded(x, seed = round, skip_zeros = TRUE), .3, .2, covers = 2)
    pub <- drawn_publication(x, me)
    expect_like_slow(posterior(pub), slow_posterior(list(pub)))
    y <- plain_table(stats::rpois(8, 1), c(2, 4))
    pub <- drawn_publication(y, mechanism(cycles_banded(y, group = 2, seed = round,
                                                        skip_zeros = TRUE), covers = 6))
    expect_like_slow(posterior(pub), slow_posterior(list(pub)))
  }
})

test_that("snapshot: more sweeps than posterior() can follow are refused before anything is drawn",
          {
  x <- plain_table(matrix(2, 5, 4))
  refused <- function(set, covers) {
    me <- mechanism(set, covers = covers)
    expect_error(perturb(x, me), "Nothing was drawn", class = "sdc_error_refused")
    expect_error(expected_protection(x, me), class = "sdc_error_refused")
  }
  refused(cycles_banded(x, seed = 1, skip_zeros = TRUE), 3)
  refused(cycles_margin(x, seed = 1, skip_zeros = TRUE), 3)
  refused(cycles_banded(x, groups = list(1:2, 3:5), skip_zeros = TRUE), 3)
  pairs <- x[1:4, ]
  me <- function(covers) mechanism(cycles_banded(pairs, group = 2, seed = 1, skip_zeros = TRUE),
                                   covers = covers)
  expect_s3_class(perturb(pairs, me(6), seed = 1, insist = TRUE), "sdc_perturbation")
  expect_error(perturb(pairs, me(7), seed = 1), class = "sdc_error_refused")
  expect_snapshot(error = TRUE, perturb(pairs, me(7)))
})
