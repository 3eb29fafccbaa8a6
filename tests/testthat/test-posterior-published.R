# Posteriors that were published, or were computed before by other programs.

expect_reference_cells <- function(po, cells) {
  laws <- laws_of(po)
  expect_setequal(names(laws), names(cells))
  for (cell in names(cells)) {
    expect_law(
      laws[[cell]], names(cells[[cell]]),
      vapply(cells[[cell]], function(v) fraction(v$frac), 0, USE.NAMES = FALSE)
    )
  }
}

test_that("published: the slides' 4x4 example under every rule, by both methods", {
  reference <- read_fixture("A_posterior_4x4.json", simplifyVector = FALSE)
  rules <- c(zero = "blocked", neg = "nonnegative", none = "none", slides = "roehrig")
  for (name in names(rules)) {
    own <- rules[[name]] %in% c("blocked", "nonnegative")
    pub <- example_publication(if (own) rules[[name]] else "blocked")
    rule <- if (!own) rules[[name]]
    expected <- reference$semantics[[name]]
    for (method in c("auto", "enumeration")) {
      po <- posterior(pub, method = method, zero_rule = rule)
      expect_reference_cells(po, expected$cells)
      expect_equal(po$log_evidence, log(fraction(expected$sum_of_likelihoods)))
    }
    expect_equal(po$n_originals, expected$n_originals)
    tables <- vapply(expected$originals, function(o) {
      density(po, plain_table(matrix(unlist(o$table), 4, byrow = TRUE)))
    }, 0)
    expect_equal(tables, vapply(expected$originals, function(o) o$posterior, 0))
  }
})

test_that("published: the printed posterior table of the slides follows from rule roehrig", {
  printed <- rbind(
    c(.71, .25, .04, 0, 0, 0), c(.06, .25, .38, .25, .06, 0),
    c(0, .71, .25, .04, 0, 0), c(0, .05, .29, .44, .21, .01)
  )
  po <- posterior(example_publication(), zero_rule = "roehrig")
  cells <- data.frame(A = c("1", "1", "3", "4"), B = c("2", "4", "4", "4"))
  long <- as.data.frame(po, cells = cells)
  for (i in 1:4) {
    mine <- long[long$A == cells$A[i] & long$B == cells$B[i], ]
    found <- mine$probability[match(0:5, mine$value)]
    found[is.na(found)] <- 0
    expect_equal(round(found + 1e-9, 2), printed[i, ])
  }
})

test_that("published: the exact cases with one and two covers", {
  for (case in read_fixture("G_enumeration_cases.json", simplifyVector = FALSE)) {
    published <- matrix(unlist(case$published), case$n, byrow = TRUE)
    me <- mechanism(
      cycles_bidiagonal(plain_table(published)),
      alpha = fraction(case$alpha), beta = fraction(case$beta), covers = case$r
    )
    po <- posterior(publication(plain_table(published), me))
    expect_equal(po$log_evidence, log(fraction(case$sum_likelihood)))
    laws <- laws_of(po)
    for (cell in names(case$cells)) {
      values <- case$cells[[cell]]
      expect_law(laws[[cell]], names(values), vapply(values, function(v) v[[2]], 0,
      USE.NAMES = FALSE))
    }
    by_enumeration <- posterior(publication(plain_table(published), me), method = "enumeration")
    expect_equal(by_enumeration$n_originals, case$n_originals)
  }
})

test_that("published: rectangular chains, bands, k-way sets, Lenz's band and user sets", {
  cases <- read_fixture("posterior_cases.json", simplifyVector = FALSE)$cases
  for (case in cases) {
    pub <- case_publication(case)
    po <- posterior(pub, prior = case_prior(case))
    expect_equal(po$log_evidence, case$log_evidence, info = case$name)
    laws <- laws_of(po)
    for (i in seq_along(laws)) {
      expected <- case$posterior[[i]]
      expect_law(
        laws[[i]], vapply(expected, function(v) v$value, 0),
        vapply(expected, function(v) v$p, 0)
      )
    }
    producer <- plain_table(unlist(case$original_that_produced_it), unlist(case$dim))
    expect_equal(density(po, producer), fraction(case$posterior_of_producer), info = case$name)
    best <- plain_table(unlist(case$map_table), unlist(case$dim))
    expect_equal(density(po, best), fraction(case$map_probability), info = case$name)
  }
})

test_that("published: the mode need not be the published value", {
  cases <- read_fixture("A_mode_counterexamples.json", simplifyVector = FALSE)
  rules <- list(
    zero_quarter = list("blocked", 1 / 4), neg_third = list("nonnegative", 1 / 3)
  )
  for (name in names(rules)) {
    published <- plain_table(matrix(unlist(cases[[name]]$published), 3, byrow = TRUE))
    rule <- rules[[name]]
    me <- mechanism(cycles_bidiagonal(published), rule[[2]], rule[[2]], zero_rule = rule[[1]])
    law <- laws_of(posterior(publication(published, me)))[[cases[[name]]$cell]]
    expect_law(law, names(cases[[name]]$posterior),
    unname(fraction(unlist(cases[[name]]$posterior))))
  }
})
