# The random mechanism: which cycle is applied when, with which probabilities, and when a step is
# skipped. All of it is published.

#' The random mechanism of cyclic perturbation
#'
#' A mechanism takes the cycles of a set one after the other, in a published order. Each step flips
#' a three-sided coin: with probability `alpha` the cycle is added to the table, with probability
#' `beta` it is taken from it, else nothing happens. A step that the zero rule forbids is skipped.
#'
#' @details
#' The zero rules:
#' * `"blocked"`: a step is skipped, whatever its coin, when a cell on the cycle is smaller than the
#'   size of its coefficient (for coefficients of +1 and -1: when a cell is 0). With `alpha = beta`
#'   the published table is exactly unbiased. A zero never changes, and a published positive count
#'   was positive.
#' * `"nonnegative"`: a step is skipped only when a cell would become negative. It protects
#'   zeros, and is biased near them.
#' * `"none"` (no step is ever skipped) and `"roehrig"` (an improper recursion behind a published
#'   example; no probability model) are **for analysis only**: [perturb()] refuses them.
#'
#' A set that skips zeros (see [cycles_banded()]) has the rule `"blocked"` and its own order.
#' [perturb()] refuses it with more covers than [posterior()] can follow: two for triads, six for
#' sets of pairs.
#'
#' Where more than a fifth of the cells are zero, `"blocked"` prevents most moves of fixed cycles:
#' [perturb()] and [expected_protection()] refuse them there, and so does `mechanism()` when it is
#' given the table `x`. Fewer zeros can be too many; [perturb()] judges that as well.
#' [expected_protection()] tells how much protection to expect before anything is drawn.
#'
#' @param cycles (sdc_cycles) The cycles; see [cycles_bidiagonal()], [cycles_banded()], [cycles()].
#' @param alpha,beta (number from 0 to 1, or one for each cycle) The probabilities of adding and of
#'   taking away a cycle; `alpha + beta` is at most 1. If it is close to 1, almost every step moves
#'   the cell and the parity of its count is revealed.
#' @param covers (whole number, at least 1) How often the set is applied. One cover applies each
#'   cycle once, but the cycles of a pair of lines in a set of triads twice (see [cycles_banded()]).
#' @param order (whole-number vector, or NULL) The order of application: the cycle numbers of one
#'   cover, used in each cover, or the whole sequence; each cycle stands in it as often as in one
#'   cover or in all. `NULL` is the set's own order: 1, 2, ..., for triads and pairs group after
#'   group. It is published and must not depend on the counts.
#' @param zero_rule (string) `"blocked"`, `"nonnegative"`, `"none"` or `"roehrig"`.
#' @param x (sdc_table or what [as_sdc_table()] takes, or NULL) The confidential table, to be told
#'   here already when the mechanism cannot protect it because of its zeros. Nothing of it is kept.
#' @param ... Must be empty.
#' @return An object of class `sdc_mechanism`. A sequence that repeats one cover is kept as that
#'   cover. `summary()` tells what a mechanism does where nothing is blocked.
#' @section Errors:
#' `sdc_error_input` for probabilities outside 0 to 1, with a sum above 1, or of another length; for
#' an order in which a cycle is missing or repeated; for another zero rule or order than a set that
#' skips zeros has; when `x` has other levels than the cycles; `sdc_error_too_large` above 2^28
#' steps; `sdc_error_refused` when `x` has many zeros.
#' @section Guarantee:
#' Nothing is random here: the same arguments give the same object.
#' @family perturb
#' @examples
#' set <- cycles_banded(matrix(0, 4, 5), seed = 11)
#' me <- mechanism(set, alpha = .25, beta = .25, covers = 2)
#' me
#' summary(me)
#' @export
mechanism <- function(cycles, alpha = .25, beta = .25, covers = 1, order = NULL,
                      zero_rule = c("blocked", "nonnegative", "none", "roehrig"), x = NULL,
                      ...) {
  check_no_dots(...)
  check_class(cycles, "sdc_cycles", make = "cycles_banded")
  n <- length(cycles)
  check_probabilities(alpha, n)
  check_probabilities(beta, n)
  check_sum(alpha, beta)
  check_whole(covers, min = 1)
  check_steps(cover_length(cycles) * covers)
  order <- check_order(order, cycles, covers)
  zero_rule <- check_choice(zero_rule, c("blocked", "nonnegative", "none", "roehrig"))
  check_sweeps(cycles, order, zero_rule)
  out <- new_sdc_mechanism(cycles, as.double(alpha), as.double(beta), as.integer(covers), order,
                           zero_rule)
  if (!is.null(x)) {
    x <- one_level_argument(x)
    check_fits_cycles(x, cycles)
    check_few_zeros(dense_counts(x), out, "perturb(insist = TRUE)")
  }
  out
}

new_sdc_mechanism <- function(cycles, alpha, beta, covers, order, zero_rule) {
  structure(
    list(cycles = cycles, alpha = alpha, beta = beta, covers = covers, order = order,
         zero_rule = zero_rule),
    class = sdc_class("sdc_mechanism")
  )
}

check_probabilities <- function(p, n, arg = rlang::caller_arg(p)) {
  if (!is.numeric(p) || !length(p) %in% c(1, n)) {
    abort_sdc("input", c(
      "{.arg {arg}} must be one probability, or one for each of the {n} cycles.",
      x = "{describe(p, arg)}"
    ))
  }
  bad <- which(is.na(p) | p < 0 | p > 1)
  if (length(bad)) {
    abort_sdc("input", c(
      "{.arg {arg}} must hold probabilities from 0 to 1.",
      x = "Position {bad[[1]]} is {format(p[[bad[[1]]]], digits = 15)}."
    ))
  }
}

check_sum <- function(alpha, beta) {
  bad <- which(alpha + beta > 1)
  if (length(bad) == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg alpha} + {.arg beta} must be at most 1.",
    x = "At position {bad[[1]]} the sum is {format((alpha + beta)[[bad[[1]]]], digits = 15)}."
  ))
}

# 2^28 steps draw 2 GB of coins.
check_steps <- function(steps) {
  if (steps <= 2^28) {
    return(invisible(steps))
  }
  abort_sdc("too_large", c(
    "A mechanism may have at most 2^28 steps.",
    x = "It would have {steps}: the cycles times {.arg covers}."
  ))
}

# The order of one cover, or the whole sequence where the covers differ.
check_order <- function(order, cycles, covers) {
  if (is.null(order)) {
    return(cover_order(cycles))
  }
  n <- length(cycles)
  steps <- cover_length(cycles)
  if (!is_whole_vector(order) || !length(order) %in% c(steps, steps * covers)) {
    abort_sdc("input", c(
      "{.arg order} must be the order of one cover, {steps} steps, or of the whole sequence,
       {steps * covers}.",
      x = "{describe(order)}"
    ))
  }
  bad <- which(order < 1 | order > n)
  if (length(bad)) {
    abort_sdc("input", c(
      "{.arg order} must hold cycle numbers from 1 to {n}.",
      x = "Position {bad[[1]]} is {format(order[[bad[[1]]]])}."
    ))
  }
  times <- cover_times(cycles)
  check_times(tabulate(order, n), times * (length(order) / steps))
  shorten_order(as.integer(order), times, steps)
}

check_times <- function(found, wanted) {
  bad <- which(found != wanted)
  if (length(bad) == 0) {
    return(invisible(found))
  }
  at <- bad[[1]]
  abort_sdc("input", c(
    "{.arg order} must hold each cycle as often as the covers do.",
    x = "Cycle {at} stands {found[[at]]} time{?s} in it instead of {wanted[[at]]}."
  ))
}

# One cover for a sequence that repeats it: equal mechanisms are identical objects.
shorten_order <- function(order, times, steps) {
  first <- order[seq_len(steps)]
  same <- all(tabulate(first, length(times)) == times) && all(order == first)
  if (same) first else order
}

step_count <- function(x) cover_length(x$cycles) * x$covers

# Every step's cycle, over all covers.
steps_of <- function(x) rep_len(x$order, step_count(x))

is_analysis_only <- function(x) x$zero_rule %in% c("none", "roehrig")

#' @export
format.sdc_mechanism <- function(x, ...) {
  c(
    paste0("alpha ", span(x$alpha), ", beta ", span(x$beta), ", zero rule ", x$zero_rule),
    paste0(
      plural(x$covers, "cover"), ": ", plural(step_count(x), "step"), " in ", order_words(x)
    ),
    format(x$cycles),
    if (is_analysis_only(x)) "for analysis only: perturb() refuses this zero rule"
  )
}

# Sweeps run along their rings, and know one rule for zeros.
check_sweeps <- function(cycles, order, zero_rule) {
  if (!skips_zeros(cycles)) {
    return(invisible(cycles))
  }
  if (zero_rule != "blocked") {
    abort_sdc("input", c(
      "{.arg zero_rule} must be {.val blocked} for a set that skips zeros.",
      x = "{.arg zero_rule} is {.val {zero_rule}}.",
      i = "Other rules are for fixed cycles: {.code cycles_banded(skip_zeros = FALSE)}."
    ))
  }
  if (!identical(order, cover_order(cycles))) {
    abort_sdc("input", c(
      "{.arg order} must be NULL for a set that skips zeros.",
      x = "{.arg order} differs from the order of the sweeps along the rings."
    ))
  }
}

order_words <- function(x) {
  if (identical(x$order, seq_len(length(x$cycles)))) {
    "the order of the numbers"
  } else if (identical(x$order, cover_order(x$cycles))) {
    "the order of the set"
  } else {
    "an order of their own"
  }
}

#' What a mechanism does where nothing is blocked
#'
#' @param object (sdc_mechanism) The mechanism.
#' @param ... Not used.
#' @return An object of class `sdc_mechanism_summary`: a list with `chance` (probability that a
#'   step asks for a move, for each cycle), `variance` (variance of the change of each cell, were no
#'   step skipped: the sum over its steps of coefficient^2 (alpha + beta - (alpha - beta)^2); for a
#'   cell with k chances of +-1 in each of r covers this is k r (alpha + beta - (alpha -
#'   beta)^2)), `mean` (expected change of each cell, were no step skipped) and `bias` (a sentence).
#' @section Guarantee:
#' Exact for steps that are never skipped. Skipping makes the variance smaller; its effect on the
#' bias is stated in `bias`. [expected_protection()] judges a mechanism on a table.
#' @family perturb
#' @examples
#' summary(mechanism(cycles_bidiagonal(matrix(0, 4, 4)), alpha = .3, beta = .2))
#' @export
summary.sdc_mechanism <- function(object, ...) {
  check_no_dots(...)
  all <- expand_cycles(object$cycles)
  cells <- prod(dim(object$cycles))
  of_cycle <- rep(seq_len(length(object$cycles)), diff(all$start))
  times <- object$covers * cover_times(object$cycles)[of_cycle]
  alpha <- rep_len(object$alpha, length(object$cycles))
  beta <- rep_len(object$beta, length(object$cycles))
  spread <- (alpha + beta - (alpha - beta)^2)[of_cycle]
  drift <- (alpha - beta)[of_cycle]
  structure(
    list(
      mechanism = object,
      chance = alpha + beta,
      variance = add_up(times * all$coefficient^2 * spread, all$cell, cells),
      mean = add_up(times * all$coefficient * drift, all$cell, cells),
      bias = bias_words(object)
    ),
    class = sdc_class("sdc_mechanism_summary")
  )
}

add_up <- function(x, at, n) {
  out <- numeric(n)
  sums <- rowsum(x, at)
  out[as.integer(rownames(sums))] <- sums
  out
}

bias_words <- function(x) {
  even <- all(x$alpha == x$beta)
  switch(x$zero_rule,
    blocked = if (even) {
      "none: every published count has the original as its mean"
    } else {
      "drifts, as alpha and beta differ; zeros keep theirs"
    },
    nonnegative = "biased in and near cells of zero, also when alpha = beta",
    none = if (even) "none" else "drifts, as alpha and beta differ, unless the cycles balance it",
    roehrig = "not defined: this rule is no probability model"
  )
}

#' @export
format.sdc_mechanism_summary <- function(x, ...) {
  c(
    format(x$mechanism),
    paste0("chance that a step asks for a move: ", span(x$chance)),
    paste0("variance of a cell's change, without skipping: ", span(x$variance)),
    paste0("bias: ", x$bias)
  )
}

# The share of zeros above which fixed cycles are refused under "blocked": a fifth.
most_zeros <- .2

# The message says no share. That the table has many zeros is what "blocked" would publish anyway.
check_few_zeros <- function(counts, mechanism, way_on = "insist = TRUE") {
  fixed <- mechanism$zero_rule == "blocked" && !skips_zeros(mechanism$cycles)
  if (!fixed || !has_many_zeros(counts, mechanism$cycles)) {
    return(invisible(counts))
  }
  abort_sdc("refused", c(
    "Fixed cycles under the zero rule {.val blocked} are for tables with few zeros.",
    x = "More than a fifth of the cells are zero: most moves would be prevented. Nothing was
         drawn.",
    i = "{.code cycles_banded(skip_zeros = TRUE)} reaches over zeros, without bias.",
    i = "{.code zero_rule = \"nonnegative\"} hides which counts are positive, and is biased near
         zeros.",
    i = "{.code {way_on}} perturbs the table nevertheless."
  ))
}

# Cells in lines of blocks, along some variable, whose sum is zero hold nothing.
has_siblings_above_zero <- function(counts, cycles) {
  codes <- split_codes(seq_along(counts), dim(cycles))
  classes <- lapply(cycles$parameters$classes, function(of) class_of_way(list(of)))
  open <- rep(TRUE, length(counts))
  for (v in which(dim(cycles) > 1)) {
    at <- codes
    at[[v]] <- classes[[v]][codes[[v]]]
    line <- combine_codes(at, dim(cycles), length(counts))
    sums <- rowsum(counts, line)
    open <- open & sums[match(line, as.numeric(rownames(sums)))] > 0
  }
  open
}

# Among the cells that could hold a count and move: not those on no cycle, nor under a kept zero.
has_many_zeros <- function(counts, cycles) {
  some_cells <- cycles$rule %in% c("user", "data", "nested")
  # cells with a count are all open then, so that closed zeros only lower the share
  if (!some_cells && mean(counts == 0) <= most_zeros) {
    return(FALSE)
  }
  open <- rep(TRUE, length(counts))
  if (some_cells) {
    open <- with_core(cpp_summarise_cycles(cycles, NULL))$cycles > 0
  }
  for (margin in cycles$preserves) {
    level <- level_numbers(dim(cycles), match(margin, names(dimnames(cycles))))
    open <- open & rowsum(counts, level, reorder = TRUE)[level] > 0
  }
  if (cycles$rule == "nested") open <- open & has_siblings_above_zero(counts, cycles)
  any(open) && mean(counts[open] == 0) > most_zeros
}
