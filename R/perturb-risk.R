# What a mechanism will do to a table, and what an intruder will then know: before the draw.

#' Risk and utility of a design, before anything is drawn
#'
#' The agency has the confidential table and thinks of a design: a [mechanism()] on a set of cycles.
#' `risk_utility()` tells what would come of it: how cells change, what the publication discloses,
#' what an intruder who computes the exact [posterior()] then knows, also one who knows a cell or a
#' row already, and what is lost to analysis. Look **before** [perturb()], never after it: a draw
#' that is repeated until it pleases is another mechanism than the published one.
#'
#' @details
#' **Confidential.** All figures are computed from the original table. Keep them inside. To show a
#' comparison of designs outside, make it on a [synthetic_table()] with the published margins.
#'
#' **Cells.** `as.data.frame()` has for each cell the probability that it is `unchanged`, its `bias`
#' (expected published minus original), the expected `abs_change` and `relative_change` (absolute
#' change over the original; `NA` for zeros) and the `variance`; the standard error of `unchanged`
#' (`std_error`), and in `method` where these come from: `"convolution"` and `"enumeration"` are
#' exact, `"simulation"` is not. Then `guess`, the probability that the intruder's best guess is
#' right (the most probable value; ties are split), and `certain`, the probability that the intruder
#' knows the cell for certain. For small cells `insider_cell` and `insider_row`: the probability
#' that somebody who knows one other cell, or one other whole row (level of the first variable),
#' gives the true value a posterior probability of at least `level`. The cell or row is the most
#' revealing one of each publication; whoever knows it need not know that it is.
#'
#' **Overall.** `summary()` and its `as.data.frame()` list, with standard error and method:
#'
#' * `unchanged`, `unchanged_small`: share of the cells, and of the small cells, that stay as
#'   they are.
#' * `prevented`: share of the coins asking for a move that are not obeyed.
#' * `zero_true`: share of the published zeros that are original zeros.
#' * `positive_false`: share of the published positive counts that are original zeros; 0 means
#'   that a published positive count proves a positive one (disclosure of existence).
#' * `guess`, `guess_small`: share of the cells at which the intruder's best guess is right.
#' * `certain`, `certain_small`: share of the cells that the intruder knows for certain.
#' * `insider_cell`, `insider_row`: share of the small cells that one other known cell, or row,
#'   gives away.
#' * `bias_zero`, `bias_small`: mean change of the original zeros, and of the small cells.
#' * `abs_change`, `abs_change_small`: mean absolute change of a cell.
#' * `relative_change`: mean of the absolute change over the original, of the positive cells.
#' * `chi_square`: mean absolute relative change of Pearson's chi-square for independence.
#' * `log_odds`: mean absolute change of the log odds ratios of adjacent 2 x 2 sub-tables (all
#'   pairs of variables, 0.5 added).
#' * `hellinger`: mean Hellinger distance between the two distributions over the cells.
#'
#' # Guarantee
#' Exact where `method` says so. A cell far from zero has an exact law, the convolution of its
#' coins, when no step that reaches it can ever be stopped; and the cells of a component of the
#' set have exact laws by enumeration of all its tables while these are few. Under `"blocked"` a
#' zero never changes, and with `alpha = beta` no cell is biased: this is known, not estimated.
#' The intruder's figures are exact where each component of the set has few tables, which are then
#' all looked at. Everything else is a simulation, unbiased and with standard errors across
#' simulated publications. Every publication gets its exact posterior; what a known cell or row
#' adds to it is exact as well, but for `insider_cell` in larger tables (`method` then says
#' `"draws"`): it comes from posterior draws, the most revealing cell chosen by one half of them
#' and judged by the other, so that the choice does not overstate it.
#'
#' # Complexity
#' A simulated publication costs the entries of all steps, a posterior as [posterior()] says; each
#' publication needs several, for the insiders. The number of publications grows until the standard
#' errors of all shares are at most `target`, or their number or `time_limit_s` is reached;
#' `print()` says how many there were. A 50 x 50 table takes some seconds.
#'
#' # Errors
#' `sdc_error_input` for a table that does not fit the mechanism, and bad arguments;
#' `sdc_error_refused` for a zero rule that is for analysis only; `sdc_error_infeasible` when the
#' prior excludes the original. When the posterior is too large, the intruder's figures are `NA` and
#' the reason is printed.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The confidential table, with at least one
#'   count.
#' @param ... For the generic: arguments of methods. The method for tables has no others.
#' @param mechanism (sdc_mechanism) The design.
#' @param prior (object) The intruder's [prior].
#' @param small (whole numbers of at least 0) The counts that are small, that is, at risk.
#' @param target (number from 0.0001 to 1) The standard error to reach for the shares.
#' @param replicates (whole number from 2 to 1000000, or NULL) A fixed number of simulated
#'   publications, for the cells and for the intruder alike. `NULL` chooses by `target`.
#' @param insider (flag) `FALSE` leaves out the insiders, the costly part.
#' @param level (number from 0.5 to 1) The posterior probability from which a cell is given away.
#' @param seed (whole number from 0 to 2147483647) Seed of the simulation. Designs that are compared
#'   should have the same. It has nothing to do with the coins of [perturb()]; your random stream
#'   stays where it is.
#' @param max_tables (number) Largest number of tables held at one time by enumeration, as in
#'   [posterior()].
#' @param time_limit_s (positive number, seconds of processor time) When to stop simulating for the
#'   intruder, though `target` is not reached. At least two publications are looked at.
#' @param progress (flag) Show a progress bar?
#' @param threads (whole number >= 1) How many threads simulate publications, and share the work of
#'   their posteriors where tables are large; see [sdcLattice-threads]. All figures are the same for
#'   any number of them, unless `time_limit_s` ends the simulation.
#' @return An object of class `sdc_risk`; see [sdc_risk-methods].
#' @template ref-lenz
#' @family risk
#' @export
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' ru <- risk_utility(x, mechanism(cycles_banded(x, seed = 11), covers = 2), replicates = 20)
#' ru
#' head(as.data.frame(ru), 3)
risk_utility <- function(x, ...) {
  check_given(x)
  UseMethod("risk_utility")
}

#' @rdname risk_utility
#' @export
risk_utility.default <- function(x, ...) {
  x <- one_level_argument(x)
  risk_utility(x, ...)
}

#' @rdname risk_utility
#' @export
risk_utility.sdc_table <- function(x, mechanism, prior = prior_uniform(), small = 1:2,
                                   target = .01, replicates = NULL, insider = TRUE, level = .95,
                                   seed = 1, max_tables = 2e6, time_limit_s = 60,
                                   progress = rlang::is_interactive(),
                                   threads = default_threads(), ...) {
  check_no_dots(...)
  check_class(mechanism, "sdc_mechanism", make = "mechanism")
  check_fits_cycles(x, mechanism$cycles)
  check_can_perturb(mechanism)
  check_class(prior, "sdc_prior", make = "prior_uniform")
  check_small(small)
  check_number(target, min = 1e-4, max = 1)
  if (!is.null(replicates)) {
    check_whole(replicates, min = 2, max = 1e6)
  }
  check_flag(insider)
  check_number(level, min = .5, max = 1)
  check_whole(seed, min = 0, max = .Machine$integer.max)
  check_number(max_tables, min = 1, max = 1e9)
  check_seconds(time_limit_s)
  check_flag(progress)
  use_threads(threads)
  counts <- dense_counts(x)
  check_some_count(counts)
  ask <- list(
    counts = counts, small = counts %in% small, mechanism = mechanism, target = target,
    factors = resolve_prior(prior, dimnames(mechanism$cycles)), replicates = replicates,
    insider = insider, level = level, seed = seed, max_tables = max_tables,
    until = time_limit_s
  )
  check_prior_allows(ask)
  found <- with_progress("Simulating", function(tick) judge_design(ask, tick), show = progress)
  structure(
    c(list(original = x, mechanism = mechanism, prior = prior, small = sort(unique(small))), found),
    class = sdc_class("sdc_risk", mark = "confidential")
  )
}

check_small <- function(small) {
  if (is.numeric(small) && length(small) > 0 && is_whole_vector(small) && all(small >= 0)) {
    return(invisible(small))
  }
  abort_sdc("input", c(
    "{.arg small} must be whole numbers of at least 0: the counts at risk.",
    x = if (is.numeric(small) && length(small) > 1) {
      "{describe_first(small, is.finite(small) & small == floor(small) & small >= 0)}"
    } else {
      "{describe(small)}"
    }
  ))
}

# Of an intruder whose prior excludes the truth nothing sensible can be said.
check_prior_allows <- function(ask) {
  counts <- ask$counts
  allowed <- vapply(ask$factors, function(factor) {
    value <- factor$value
    all(switch(factor$kind,
      poisson = value > 0 | counts == 0,
      at_least = counts >= value,
      known = is.nan(value) | counts == value,
      weights = {
        at <- (seq_along(counts) - 1) * factor$width + pmin(counts, factor$width - 1) + 1
        counts < factor$width & value[at] > 0
      }
    ))
  }, NA)
  if (!all(allowed)) {
    abort_sdc("infeasible", c(
      "{.arg prior} must leave the original table possible.",
      x = "It excludes it."
    ))
  }
}

# The two stages, put together.
judge_design <- function(ask, tick) {
  report_share <- function(from, to) {
    force(from)
    force(to)
    if (!is.null(tick)) function(done) tick(from + (to - from) * done)
  }
  forward <- with_core(forward_stage(ask, report_share(0, .2)))
  intruder <- tryCatch(
    with_core(intruder_stage(ask, report_share(.2, 1))),
    sdc_error_too_large = function(cnd) {
      list(note = paste("intruder not judged:", sub("\n.*", "", conditionMessage(cnd))))
    }
  )
  unknown <- rlang::rep_named(intruder_names, list(rep(NA_real_, length(ask$counts))))
  list(
    cells = c(forward$cells, intruder$cells %||% unknown),
    overall = overall_figures(ask, forward, intruder),
    publications = c(cells = forward$n, intruder = intruder[["n"]] %||% 0L),
    all_publications = isTRUE(intruder$all),
    notes = intruder$note,
    level = ask$level, target = ask$target, seed = ask$seed
  )
}

# Exact laws where they can be had, and as many simulated publications as the target wants.
forward_stage <- function(ask, tick) {
  law <- cpp_forward_figures(
    ask$counts, ask$mechanism, min(ask$max_tables, 1e5), 2e8
  )
  limit <- ask$replicates %||% most_replicates(ask$mechanism)
  batch <- ask$replicates %||% min(100, limit)
  run <- NULL
  repeat {
    n <- length(run$figures) / length(simulated_figures)
    run <- add_runs(run, cpp_simulate_publications(
      ask$counts, dim(ask$mechanism$cycles), ask$small, ask$mechanism, n, batch, ask$seed, tick,
      default_threads()
    ))
    rownames(run$figures) <- simulated_figures
    n <- n + batch
    error <- std_errors(run$figures[simulated_shares, , drop = FALSE])
    if (n >= limit || all(error <= ask$target, na.rm = TRUE)) break
    batch <- min(n, limit - n)
  }
  list(
    cells = forward_cells(ask, law, run, n), figures = run$figures, n = as.integer(n),
    exact = all(law$kind > 0), free = all(law$kind == 1)
  )
}

# A second or so, in all.
most_replicates <- function(mechanism) {
  cells <- prod(dim(mechanism$cycles))
  entries <- count_entries(mechanism$cycles) / length(mechanism$cycles) * step_count(mechanism)
  min(10000, max(20, floor(4e7 / (entries + 3 * cells))))
}

add_runs <- function(a, b) {
  if (is.null(a)) {
    return(b)
  }
  sums <- c("same", "change", "size", "square")
  out <- Map(`+`, a[sums], b[sums])
  out$figures <- cbind(a$figures, b$figures)
  out
}

forward_cells <- function(ask, law, run, n) {
  simulated <- law$kind == 0
  pick <- function(name) ifelse(simulated, run[[name]] / n, law[[name]])
  unchanged <- pick("same")
  bias <- pick("change")
  if (is_unbiased(ask$mechanism)) {
    bias[] <- 0
  } else if (ask$mechanism$zero_rule == "blocked") {
    bias[ask$counts == 0] <- 0
  }
  size <- pick("size")
  list(
    unchanged = unchanged, bias = bias, abs_change = size,
    relative_change = ifelse(ask$counts > 0, size / ask$counts, NA),
    variance = pmax(0, pick("square") - bias^2),
    std_error = ifelse(simulated, sqrt(pmax(0, unchanged * (1 - unchanged)) / (n - 1)), 0),
    method = c("simulation", "convolution", "enumeration")[law$kind + 1]
  )
}
