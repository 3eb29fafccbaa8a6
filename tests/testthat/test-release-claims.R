small_releases <- function() {
  set.seed(4)
  firms <- data.frame(a = sample(3, 40, TRUE), b = sample(2, 40, TRUE), c = sample(2, 40, TRUE),
                      v = sample(100, 40), firm = sample(25, 40, TRUE))
  mg <- magnitude_table(firms, c("a", "b", "c"), "v", contributorVar = "firm")
  list(
    exact = release_exact(czech_workers, risk_width(15)),
    decomposable = release_exact(czech_workers, risk_width(10), among = "decomposable"),
    greedy = release_greedy(czech_workers, risk_width(15)),
    anneal = release_anneal(czech_workers, risk_width(10), seed = 1, progress = FALSE),
    reducible = release_reducible(czech_workers, risk_width(6), seed = 1, effort = .2, progress = FALSE),
    counts = release_exact(czech_workers, risk_n(5)),
    magnitude = release_exact(mg, risk_np(2, 60))
  )
}

# Every way to change one element, at every depth that a user reaches with $ and [[.
edits_of <- function(x, depth = 4) {
  class <- oldClass(x)
  x <- unclass(x)
  own <- if (is.list(x) && length(x) > 0) {
    c(list(x[-1], rev(x)), list(x[c(seq_along(x), 1)]))
  } else if (is.raw(x)) {
    list(rev(x), xor(x, as.raw(1)), x[-seq_len(min(8, length(x)))])
  } else if (is.numeric(x)) {
    list(x + 1L, x - 1L, x * 2, x[-1], c(x, x), rev(x), x[NA])
  } else if (is.logical(x)) {
    list(!x, logical())
  } else if (is.character(x)) {
    list(paste0(x, "x"), x[-1], rev(x), rep("A:B", length(x)))
  }
  inner <- if (is.list(x) && depth > 0) {
    lapply(seq_along(x), function(i) {
      lapply(edits_of(x[[i]], depth - 1), function(value) {
        x[i] <- list(value)
        x
      })
    })
  }
  removed <- if (is.list(x)) lapply(seq_along(x), function(i) {
    x[i] <- list(NULL)
    x
  })
  lapply(c(own, removed, unlist(inner, recursive = FALSE)), `oldClass<-`, class)
}

# Some of them, evenly spread; all in the long form.
thinned <- function(x, n) {
  if (is_long() || length(x) <= n) x else
    x[round(seq(1, length(x), length.out = n))]
}

# What leaves: the bytes, or NULL when nothing does.
what_leaves <- function(release, ...) {
  tryCatch(serialize(unclass(publish(release, ...)), NULL), error = function(cnd) NULL)
}

test_that("property: whatever is edited in a release, only what it was made of leaves", {
  found <- lapply(small_releases(), function(release) {
    true <- what_leaves(release)
    expect_false(is.null(true))
    edits <- edits_of(unclass(release))
    edits <- lapply(thinned(edits, rounds(20, 25)), structure, class = "sdc_release")
    # with `insist` the edit decides what leaves: these edits are the ones that matter
    matter <- !vapply(lapply(edits, what_leaves, insist = TRUE), identical, NA, true)
    after <- lapply(edits[matter], what_leaves)
    kept <- vapply(after, is.null, NA)
    expect_true(all(kept | vapply(after, identical, NA, true)))
    refused <- vapply(utils::head(edits[matter], 5), function(edit) {
      inherits(tryCatch(publish(edit), error = identity), "sdc_error_refused")
    }, NA)
    expect_true(all(refused | kept[seq_along(refused)]))
    # an edit that changes nothing that leaves lets nothing else leave
    others <- lapply(edits[!matter], what_leaves)
    expect_true(all(vapply(others, function(b) is.null(b) || identical(b, true), NA)))
    sum(matter)
  })
  expect_gte(sum(unlist(found)), rounds(40, 50))
  expect_true(all(unlist(found) > 2))
})

test_that("property: edits by hand that fit each other are refused when they are unsafe", {
  for (release in small_releases()[c("exact", "greedy", "anneal", "reducible", "counts")]) {
    k <- length(release$problem$variables)
    # all that a forger would think of, the seal as well
    forged <- release
    forged$sets <- list(seq_len(k))
    forged$frontier <- sdcLattice:::set_labels(forged$sets, release$problem$variables)
    forged$n_sub_tables <- 2^k - 1
    forged$by_dimension <- choose(k, 0:k)
    forged$value <- forged$upper_bound <- 2^k - 1
    forged$seal <- sdcLattice:::seal_release(forged$problem, forged$sets)
    expect_error(publish(forged), class = "sdc_error_refused")
    expect_false(verify_release(forged)$verified)
  }
})

test_that("oracle: claims are compared with what follows from table, rule and sets", {
  status <- function(release, claim) {
    claims <- verify_release(release)$claims
    claims$status[claims$claim == claim]
  }
  best <- release_exact(czech_workers, risk_width(15))
  expect_equal(unique(verify_release(best)$claims$status), "verified")
  wrong <- function(field, value, claim) {
    bad <- best
    bad[[field]] <- value
    expect_equal(status(bad, claim), "false")
    expect_error(publish(bad), class = "sdc_error_refused")
  }
  wrong("frontier", rev(best$frontier), "frontier")
  wrong("n_sub_tables", best$n_sub_tables + 1, "number of sub-tables")
  wrong("width", best$width + 1, "width")
  wrong("width", best$width - 1, "width")
  wrong("risk", risk_width(14), "rule")
  wrong("value", best$value + 1, "value")
  wrong("upper_bound", best$value - 1, "upper bound")
  wrong("upper_bound", best$value + 1, "optimal")
  # a safe release that is called the best, though the search finds a better one
  less <- release_greedy(czech_workers, risk_width(15))
  expect_lt(less$value, best$value)
  less$optimal <- TRUE
  less$upper_bound <- less$value
  less$bound_class <- "all releases"
  expect_equal(status(less, "optimal"), "false")
  expect_false(verify_release(less)$verified)
})

test_that("property: what cannot be searched anew is claimed, not verified", {
  release <- release_anneal(cps13, risk_width(500, at_risk = 1:3), seed = 1, chains = 1,
                            proposals = 2000, progress = FALSE)
  release$upper_bound <- release$value
  release$optimal <- TRUE
  check <- verify_release(release)
  expect_true(check$verified)
  expect_equal(check$claims$status[check$claims$claim == "optimal"], "claimed, not verified")
  shown <- format(check)
  expect_match(shown, "^claimed, not verified: upper bound, optimal$", all = FALSE)
  expect_no_match(grep("claims, verified", shown, value = TRUE), "optimal")
})

test_that("property: an edited publication gives nothing", {
  pub <- publish(release_exact(czech_workers, risk_width(15)))
  expect_error(margins(pub, "A"), NA)
  shown <- function(x) lapply(margins(x), function(t) unclass(t)[c("dimnames", "keys", "counts")])
  true <- shown(pub)
  edits <- lapply(thinned(edits_of(unclass(pub), 2), 60), structure,
                  class = "sdc_release_publication")
  given <- lapply(edits, function(edit) {
    tryCatch(shown(edit), error = function(cnd) NULL)
  })
  changed <- !vapply(given, identical, NA, true)
  expect_true(all(vapply(given[changed], is.null, NA)))
  expect_gt(sum(changed), 20)
  tables <- lapply(pub$tables, unclass)
  tables[[1]]$counts[1] <- tables[[1]]$counts[1] + 1
  pub$tables <- lapply(tables, structure, class = "sdc_table")
  expect_error(as.data.frame(pub), class = "sdc_error_input")
})
