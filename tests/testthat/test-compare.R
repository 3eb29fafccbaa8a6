measure <- function(co, measure, method = NULL) {
  rows <- as.data.frame(co)
  rows <- rows[rows$measure == measure, ]
  if (is.null(method)) rows$value else rows$value[rows$method == method]
}

test_that("published: the slides' table, margins only and rounding to 3", {
  co <- compare_methods(roehrig, list(
    method_margins(), method_rounding(3, reader = "intervals"), method_cyclic()
  ), replicates = 2)
  rows <- as.data.frame(co)
  margins <- rows[rows$method == "margins only", ]
  expect_equal(margins$exact[margins$measure == "log10_tables"], "18272363056")
  counts <- names(jsonlite::read_json(test_path("fixtures", "B_counts.json"))$rounding$counts)
  one <- publish(round_controlled(roehrig, 3, seed = 1), insist = TRUE)
  expect_true(as.character(count_tables(constraints(one))) %in% counts)
  # the order of the slides: margins leave most tables, then rounding, then perturbation
  expect_true(all(diff(measure(co, "log10_tables")) < 0))
  # and perturbation alone leaves margins and cells to look at
  expect_equal(measure(co, "total_change") > 1e-6, c(FALSE, TRUE, FALSE))
  expect_equal(measure(co, "withheld"), c(1, 0, 0))
})

test_that("oracle: what a reader of margins infers, by listing all tables", {
  x <- sdc_table(matrix(c(1, 0, 2, 3, 1, 1), 2))
  all <- enumerate_tables(margins(x, list("Var1", "Var2")))
  all <- matrix(all, nrow = 6)
  truth <- as.vector(as.table(x))
  small <- truth %in% 1:2
  by_hand <- function(weight) {
    laws <- lapply(1:6, function(i) tapply(weight, all[i, ], sum) / sum(weight))
    best <- vapply(laws, max, 0)
    right <- vapply(1:6, function(i) {
      top <- names(laws[[i]])[laws[[i]] > best[i] - 1e-9]
      (as.character(truth[i]) %in% top) / length(top)
    }, 0)
    entropy <- vapply(laws, function(p) -sum(p[p > 0] * log2(p[p > 0])), 0)
    c(mean(best[small]), mean(right[small]), mean(entropy[small]), mean(entropy))
  }
  names <- c("guess_small", "right_small", "entropy_small", "entropy")
  plain <- compare_methods(x, method_margins())
  expect_equal(vapply(names, function(m) measure(plain, m), 0, USE.NAMES = FALSE),
               by_hand(rep(1, ncol(all))))
  widths <- apply(all, 1, max) - apply(all, 1, min)
  expect_equal(measure(plain, "width_small"), mean(widths[small]))
  expect_equal(measure(plain, "known_small"), mean(widths[small] == 0))
  expect_equal(10^measure(plain, "log10_tables"), ncol(all))
  guided <- compare_methods(x, method_margins(), intruder = prior_poisson(2))
  weight <- apply(all, 2, function(t) prod(dpois(t, 2)))
  expect_equal(vapply(names, function(m) measure(guided, m), 0, USE.NAMES = FALSE), by_hand(weight))
  expect_equal(measure(guided, "width_small"), measure(plain, "width_small"))
})

test_that("oracle: cyclic figures are those of the posterior", {
  set.seed(2)
  x <- as_sdc_table(matrix(rpois(16, 3), 4))
  me <- mechanism(cycles_banded(x, seed = 1))
  co <- compare_methods(x, method_cyclic(me), replicates = 1, seed = 5)
  po <- posterior(co$publications[[1]])
  s <- as.data.frame(summary(po, level = 1))
  small <- as.vector(as.table(x)) %in% 1:2
  expect_equal(measure(co, "guess_small"), mean(s$p_mode[small]))
  expect_equal(measure(co, "entropy"), mean(s$entropy))
  expect_equal(measure(co, "width_small"), mean((s$upper - s$lower)[small]))
  expect_equal(10^measure(co, "log10_tables"), as.numeric(count_originals(po)))
})

test_that("oracle: rounding figures are those of its posterior", {
  x <- matrix(c(1, 4, 7, 2, 5, 3), 2)
  co <- compare_methods(x, method_rounding(3), replicates = 1, seed = 5)
  po <- posterior_rounding(co$publications[[1]])
  s <- as.data.frame(summary(po))
  small <- as.vector(x) %in% 1:2
  expect_equal(measure(co, "guess_small"), mean(s$p_mode[small]))
  expect_equal(measure(co, "entropy_small"), mean(s$entropy[small]))
})

test_that("oracle: measures of utility", {
  set.seed(3)
  a <- as.table(matrix(rpois(12, 6) + 1, 3))
  b <- as.table(matrix(rpois(12, 6) + 1, 3))
  expect_equal(chi_square_of(a), unname(suppressWarnings(chisq.test(a))$statistic))
  expect_equal(hellinger_distance(a, b),
               sqrt(1 - sum(sqrt(a / sum(a) * b / sum(b)))))
  odds <- function(t, i, j) {
    log((t[i, j] + .5) * (t[i + 1, j + 1] + .5) / (t[i + 1, j] + .5) / (t[i, j + 1] + .5))
  }
  at <- expand.grid(i = 1:2, j = 1:3)
  by_hand <- mapply(function(i, j) abs(odds(b, i, j) - odds(a, i, j)), at$i, at$j)
  expect_equal(log_odds_change(a, b), mean(by_hand))
  v <- function(t) sqrt(suppressWarnings(chisq.test(t))$statistic / sum(t) / 2)
  expect_equal(association_change(a, b), unname(abs(v(b) - v(a))))
  cube <- as.table(array(rpois(24, 5) + 1, c(2, 3, 4)))
  expected <- loglin(cube, list(1, 2, 3), fit = TRUE, print = FALSE)$fit
  expect_equal(chi_square_of(cube), sum((cube - expected)^2 / expected))
})

test_that("property: additive methods are additive, margins of cycles stay, a method may fail", {
  x <- sdc_table(as.table(HairEyeColor[1:3, 1:2, ]))
  co <- compare_methods(
    x, list(method_margins(), method_rounding(5, "nearest"), method_cyclic(),
            never = method_rounding(5, "stochastic")),
    replicates = 2, small = 1:5, user = list(brown = function(t) sum(t[, "Brown", ]))
  )
  rows <- as.data.frame(co)
  expect_equal(measure(co, "additivity")[1:3], c(0, 0, 0))
  expect_lt(measure(co, "total_change", "margins only"), 1e-5)
  expect_equal(measure(co, "total_change", "cyclic perturbation, 1 cover"), 0)
  expect_equal(measure(co, "brown", "cyclic perturbation, 1 cover"), 0)
  failed <- rows[rows$method == "never", ]
  expect_true(all(is.na(failed$value)))
  expect_match(failed$note, "two families", all = TRUE)
  expect_equal(nrow(rows), 4 * 17)
  expect_equal(unique(rows$kind), c("risk", "utility"))
  expect_s3_class(co$publications[[2]], "sdc_rounded_publication")
  expect_null(co$publications[[4]])
})

test_that("property: the same seed gives the same figures and leaves the stream", {
  set.seed(1)
  before <- .Random.seed
  run <- function() as.data.frame(compare_methods(roehrig, method_cyclic(), replicates = 2,
                                                  seed = 4))
  expect_identical(run(), run())
  expect_identical(.Random.seed, before)
})

test_that("published: the pattern of the slides, by the comparison", {
  hidden <- roehrig < 0
  hidden[c(1, 4), c(2, 4)] <- TRUE
  co <- compare_methods(roehrig, list(slides = method_suppression(1, pattern = hidden)))
  rows <- as.data.frame(co)
  expect_equal(rows$exact[rows$measure == "log10_tables"], "3")
  expect_equal(measure(co, "withheld"), 4 / 16)
  expect_equal(measure(co, "total_change"), 0, tolerance = 1e-5)
  # of the four small cells two are withheld, with three equally likely counts each
  expect_equal(measure(co, "known_small"), 1 / 4)
  expect_equal(measure(co, "width_small"), mean(c(2, 2, 2, 0)))
})

test_that("property: suppression in a comparison: default methods, and a total that is withheld", {
  x <- as_sdc_table(matrix(c(1, 0, 0, 9, 7, 0, 8, 0, 2), 3))
  co <- compare_methods(x, method_suppression(2), replicates = 2)
  expect_false(anyNA(measure(co, "width_small")))
  expect_equal(measure(co, "additivity") < 20, TRUE)
  usual <- vapply(usual_methods(x, 1:2, NULL), `[[`, "", "label")
  expect_equal(usual[2], "suppression up to 2")
  expect_length(usual, 4)
})

test_that("property: readers of single cells: rounding where joint laws are too large", {
  x <- sdc_table(occupationalStatus)
  pub <- publish(round_controlled(x, 3, seed = 1), insist = TRUE)
  ask <- list(prior = prior_uniform(), x = x)
  laws <- rounding_laws_alone(pub, ask)
  shown <- as.vector(as.table(pub))
  total <- tapply(laws$probability, laws$cell, sum)
  expect_equal(as.vector(total), rep(1, 64))
  high <- which(shown >= 3)[1]
  expect_equal(laws$probability[laws$cell == high], c(1, 2, 3, 2, 1) / 9)
  zero <- which(shown == 0)[1]
  expect_equal(laws$probability[laws$cell == zero], c(3, 2, 1) / 6)
})

test_that("oracle: maps of hexagons, by their originals", {
  map <- hex_table(data.frame(q = 0:4, r = 0, n = c(2, 5, 1, 7, 3)), c("q", "r"), "n")
  co <- compare_methods(map, list(method_redistribution(3), method_rounding(3), method_cyclic()),
                        replicates = 2)
  pub <- publish(redistribute(map, 3))
  found <- attack(pub)
  small <- map$count %in% 1:2
  expect_equal(measure(co, "log10_tables")[1], log10(found$n_originals))
  widths <- apply(found$originals, 2, function(v) diff(range(v)))
  expect_equal(measure(co, "width_small")[1], mean(widths[small]))
  expect_equal(measure(co, "abs_change")[1], mean(abs(pub$count - map$count)))
  rows <- as.data.frame(co)
  expect_false(anyNA(rows$value[rows$method == "rounding to 3" & rows$kind == "risk"]))
  table <- compare_methods(roehrig, method_redistribution())
  expect_match(as.data.frame(table)$note, "maps of hexagons", all = TRUE)
  far <- hex_table(data.frame(q = c(0, 1, 50), r = 0, n = c(5, 2, 1)), c("q", "r"), "n")
  lost <- compare_methods(far, method_redistribution(3))
  expect_equal(measure(lost, "withheld"), 1 / 3)
  expect_true(is.na(measure(lost, "guess_small")))
})

test_that("property: variables keep their order whatever the margins name first", {
  x <- sdc_table(margin.table(Titanic, c(1, 2, 4)))
  a <- compare_methods(x, method_margins(list(c("Sex", "Survived"), "Class")), max_steps = 1e7)
  b <- compare_methods(x, method_margins(list("Class", c("Sex", "Survived"))), max_steps = 1e7)
  expect_equal(as.data.frame(a), as.data.frame(b))
  expect_lt(measure(a, "total_change"), 1e-4)
})

test_that("snapshot: cell key: its own margins are not additive, the law is by cell", {
  skip_if_not_installed("cellKey")
  skip_if_not_installed("ptable")
  co <- compare_methods(roehrig, method_cell_key(D = 2, V = 1), replicates = 2)
  pub <- co$publications[[1]]
  expect_true(all(abs(as.vector(as.table(pub$table)) - as.vector(roehrig)) <= 2))
  expect_true(all(abs(pub$totals[[1]] - apply(roehrig, 1, sum)) <= 2))
  expect_gt(measure(co, "guess_small"), 0)
  expect_equal(measure(co, "withheld"), 0)
  ask <- list(prior = prior_uniform(), x = sdc_table(roehrig))
  laws <- cell_key_laws(pub, ask)
  shown <- as.vector(as.table(pub$table))[2]
  steps <- pub$transitions
  by_hand <- vapply(pmax(0, shown - 2):(shown + 2), function(n) {
    p <- steps$probability[steps$from == min(n, 2) & steps$change == shown - n]
    if (length(p) == 0) 0 else p
  }, 0)
  expect_equal(laws$probability[laws$cell == 2], (by_hand / sum(by_hand))[by_hand > 0])
  expect_snapshot(compare_methods(roehrig, method_cell_key(D = 200), replicates = 2), error = TRUE)
})

test_that("snapshot: print of a comparison", {
  local_reproducible_output(width = 90)
  co <- compare_methods(
    roehrig, list(method_margins(), method_rounding(3, "nearest", reader = "intervals"),
                  `two covers` = method_cyclic(covers = 2)),
    replicates = 2, user = list(first = function(t) t[1, 1])
  )
  expect_snapshot(co)
  expect_named(summary(co), c("measure", "kind", "margins only", "nearest rounding to 3",
                              "two covers"))
  expect_snapshot(method_cyclic())
})

test_that("property: pictures of comparisons", {
  skip_if_not_installed("ggplot2")
  co <- compare_methods(roehrig, list(method_margins(), method_cyclic()), replicates = 2)
  picture <- ggplot2::autoplot(co)
  expect_s3_class(picture, "ggplot")
  expect_equal(nrow(picture$data), 2)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_invisible(plot(co, risk = "width_small", loss = "hellinger"))
  expect_error(ggplot2::autoplot(co, risk = "abs_change"), class = "sdc_error_input")
})

test_that("snapshot: bad input of comparisons", {
  expect_snapshot(error = TRUE, {
    compare_methods()
    compare_methods(roehrig, list())
    compare_methods(roehrig, list(3))
    compare_methods(roehrig, list(method_cyclic(), method_cyclic()))
    compare_methods(roehrig, method_cyclic(), user = list(3))
    compare_methods(roehrig, method_cyclic(), user = list(entropy = sum))
    compare_methods(roehrig, method_cyclic(), user = list(two = dim))
    compare_methods(roehrig, method_cyclic(), small = -1)
    compare_methods(roehrig, method_cyclic(), replicates = 0)
    compare_methods(roehrig * 0, method_cyclic())
    method_rounding(0)
    method_cyclic(alpha = 2)
    method_cyclic(mechanism = 3)
    method_margins(list())
    method_suppression(maxN = -1)
  })
})

test_that("property: what fails in one method does not stop the others, and is noted", {
  large <- matrix(c(3e9, 5, 7, 2), 2)
  co <- compare_methods(large, list(method_margins(), method_rounding(3)), replicates = 2)
  expect_false(is.na(measure(co, "guess_small", "rounding to 3")))
  broken <- compare_methods(roehrig, method_margins(), user = list(f = function(t) {
    if (all(t == round(t))) 1 else stop("not whole")
  }))
  expect_match(as.data.frame(broken)$note, "not whole", all = TRUE)
  impossible <- compare_methods(roehrig, method_rounding(3), intruder = prior_at_least(5),
                                replicates = 2)
  rows <- as.data.frame(impossible)
  expect_match(rows$note[rows$measure == "guess_small"], "prior")
  one <- compare_methods(roehrig, method_cyclic(), replicates = 1)
  expect_true(all(is.na(as.data.frame(one)$std_error)))
  known <- compare_methods(array(c(4, 0, 4, 1, 0, 1, 0, 0), c(2, 2, 2)) * 1e6, method_margins(),
                           small = 1e6)
  expect_equal(measure(known, "abs_change"), 0)
  expect_error(method_suppression(2, audit = TRUE), class = "sdc_error_input")
  expect_error(method_cyclic(alpha = .6, beta = .6), class = "sdc_error_input")
  expect_error(method_margins(label = "kind"), class = "sdc_error_input")
  two <- constraints(margins(roehrig, list("row", "column")),
                     margins(roehrig * 2, list("row", "column")))
  expect_error(estimate_table(two), class = "sdc_error_infeasible")
})
