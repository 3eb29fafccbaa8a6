#' Exact posterior of every original cell
#'
#' A reader who has the published table and the mechanism can compute, for every cell, the
#' probability of each possible original count, by Bayes' theorem over all original tables that can
#' have led to the publication. `posterior()` does so exactly, for any set of cycles and several
#' publications of one table.
#'
#' # Guarantee
#' Exact, up to rounding of double precision: no simulation and no approximation, unless you ask for
#' `method = "montecarlo"`. Cells that always change together share one law. The coins of a cycle
#' matter to its own cells only; so the likelihood factorises, and the coins can be summed out one
#' cycle after the other, in an order found for the set at hand, carrying only cycles that share
#' cells with cycles still to come: the front. Sets that skip zeros are summed out column by column.
#' Several publications of one table by the same set of cycles are summed out together, over the
#' changes that lead them all back to one original; those by different sets over the union of their
#' cycles, or by enumeration where they have few steps.
#'
#' `method = "montecarlo"` runs the mechanism in reverse from the published table, weighted so that
#' any set of fixed cycles and any prior can be had; its evidence is unbiased, and probabilities
#' come with standard errors over independent batches (`std_error` in `as.data.frame()`). Under
#' `"nonnegative"` with `alpha = beta` and a uniform prior the runs are independent exact draws of
#' originals, and the evidence is exactly 1.
#' Elsewhere the runs have weights, the more uneven the more steps and zeros there are, and the
#' error of the evidence tells how uneven: above .3 a warning says that the errors are no longer to
#' be trusted. [Data cycles][cycles_data()] of a 20 x 20 table of mean 1 had probabilities to within
#' .03 with 10,000 draws for a reader who does not use the zero pattern. For several publications
#' the draws come from the exact posterior of the first one, and their weights from the exact
#' likelihoods of the others. With the pattern known
#' all runs may be lost where many zeros are published (then an error says so); a 200 x 200 table is
#' beyond the method.
#'
#' # Evidence
#' `log_evidence` is the logarithm of the sum, over all original tables, of the probability of the
#' published table given the original times the product of the prior weights of its cells. Weights
#' are not normalised: with the uniform prior it is the sum of the likelihoods.
#'
#' # Complexity
#' Linear in the number of cells for the sets of this package but data cycles. Each step of the
#' elimination costs the states of the front: `4^(r k)` for `k` cycles with `r` applications each
#' (`6^(r k)` under "nonnegative"). A ring of pairs has a front of two cycles, an open triad of
#' three, a closed triad of six (one cover of a 20 x 20 table takes about 10 ms, of long tables
#' seconds: use `open = TRUE`). Beyond a limit a `too_large` error names the width. Sets that skip
#' zeros have `5^s` states for `s` sweeps over a group of rows, up to 6. Two publications by one set
#' of closed triads take seconds for 20 columns, and longer the more small counts there are. What
#' would take too much is refused before the work begins.
#'
#' # The rule "roehrig"
#' `zero_rule = "roehrig"` reproduces the posterior table of the slides that introduced the method.
#' It follows from a backward recursion in which standing still has weight 1 when the cycle contains
#' a zero. This is no probability model (the weights of the outcomes of one coin can add up to more
#' than 1); it is offered to reproduce the published numbers, and for nothing else. `"none"` ignores
#' blocking: it is the theory without zeros.
#'
#' @param x (object, or a list of them) a [publication()] or what [publish()] returned. A list holds
#'   several publications of the same original, each perturbed on its own: their likelihoods
#'   multiply. Cells, values and priors are then told with the labels of the first one.
#' @param prior (object) a [prior]; uniform by default.
#' @param method (string) `"auto"`: exact, by elimination, or by enumeration where that is cheaper;
#'   `"enumeration"`: exact, by enumeration of everything, the reference for small tables, which
#'   also counts the originals; `"montecarlo"`: weighted reverse passes, for sets that are too large
#'   for exact answers, of one publication with fixed cycles; weighted exact draws for several
#'   publications, each of which has an exact posterior of its own.
#' @param zero_rule (string or `NULL`) `"roehrig"` or `"none"` analyse the publication under another
#'   rule than that of its mechanism; `NULL`, or the mechanism's own rule, keeps that. For one
#'   publication.
#' @param zero_pattern (flag) whether the reader uses what a set of [data cycles][cycles_data()]
#'   tells of the original: counts of at least 1 in the cells on its cycles, and the published
#'   counts in all others. It matters for such sets only.
#' @param max_tables (number) largest number of tables held at one time by enumeration.
#' @param draws (whole number from 100 to 10000000) number of reverse passes of `"montecarlo"` (for
#'   several publications, of weighted draws), in 20 independent batches.
#' @param seed (whole number or `NULL`) seed of R's generator for `"montecarlo"`; the user's stream
#'   is left as it was. `NULL`: the draws continue that stream.
#' @param progress (flag) show a progress bar?
#' @param threads (whole number >= 1) how many threads share groups of cycles that have no cells in
#'   common, such as the bands of [cycles_banded()]; see [sdcLattice-threads]. The posterior does
#'   not depend on it. `"montecarlo"`, enumeration, and groups that need much memory are left to one
#'   thread.
#' @return An object of class `sdc_posterior`. `log_evidence` is an element, and by enumeration
#'   `n_originals`; by simulation `evidence_error`, the standard error of the evidence relative to
#'   it, `max_error`, the largest standard error of a probability, and `independent`, whether the
#'   runs are independent exact draws. See [summary.sdc_posterior()] and
#'   [posterior-methods] for what it answers, and [posterior-questions] for more.
#' @section Errors: `sdc_error_infeasible` when no original table agrees with the publication and
#'   the prior, or when no run of `"montecarlo"` finds one; `sdc_error_too_large` when a set of
#'   cycles needs more states or tables than allowed: it names the width of the front;
#'   `sdc_error_input` for anything else. A warning `sdc_warning_uneven` when few batches of a
#'   simulation carry the answer.
#' @template ref-slides
#' @template ref-lenz
#' @family posterior
#' @export
#' @examples
#' me <- mechanism(cycles_bidiagonal(roehrig), alpha = .25, beta = .25)
#' published <- roehrig
#' published[] <- c(16, 21, 2, 11, 0, 11, 11, 13, 2, 9, 11, 8, 2, 14, 1, 3)
#' po <- posterior(publication(published, me))
#' po
#' as.data.frame(po, cells = 5)
#'
#' # two publications of one table, each by coins of its own: some of the noise averages out
#' both <- lapply(1:2, function(seed) {
#'   publish(perturb(roehrig, me, seed = seed, insist = TRUE), insist = TRUE)
#' })
#' posterior(both)
posterior <- function(x, prior = prior_uniform(), method = c("auto", "enumeration", "montecarlo"),
                      zero_rule = NULL, zero_pattern = TRUE, max_tables = 2e6, draws = 10000,
                      seed = NULL, progress = rlang::is_interactive(),
                      threads = default_threads()) {
  publications <- check_publications(x)
  check_class(prior, "sdc_prior", make = "prior_uniform")
  method <- check_choice(method, c("auto", "enumeration", "montecarlo"))
  check_flag(zero_pattern)
  check_number(max_tables, min = 1, max = 1e9)
  check_whole(draws, min = 100, max = 1e7)
  check_seed(seed)
  check_flag(progress)
  use_threads(threads)
  check_own_rules(publications, zero_rule)
  own <- publications[[1]]$mechanism$zero_rule
  rule <- if (is.null(zero_rule)) own else check_choice(zero_rule,
                                                        unique(c(own, "roehrig", "none")))
  out <- structure(
    list(publication = publications[[1]], others = publications[-1], prior = prior, method = method,
         zero_rule = rule, zero_pattern = zero_pattern, max_tables = max_tables, draws = draws),
    class = sdc_class("sdc_posterior")
  )
  ask <- posterior_question(out)
  found <- if (method == "montecarlo") {
    simulate_posterior(ask, max_tables, draws, seed, progress)
  } else {
    infer_posterior(ask, method, max_tables, progress)
  }
  out[names(found)] <- found
  out
}

infer_posterior <- function(ask, method, max_tables, progress) {
  enumerate <- method == "enumeration"
  found <- with_core(
    with_progress(
      "Passing messages",
      function(tick) {
        cpp_infer_posterior(ask$mechanisms, ask$published, ask$factors, enumerate, max_tables, tick,
                            default_threads())
      },
      show = progress
    ),
    hints = posterior_hints(ask, enumerate, max_tables)
  )
  if (!enumerate) found$n_originals <- NULL
  found
}

#' @rdname posterior
#' @export
is_posterior <- function(x) inherits(x, "sdc_posterior")
