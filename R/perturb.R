# Perturbing a table: the confidential side.

#' Perturb a table
#'
#' Runs a [mechanism()] once over a confidential table. Margins that the cycles keep stay exactly as
#' they are, and no cell becomes negative. The result is **private**: it holds the original.
#' [publish()] makes the object that may leave the building.
#'
#' @details
#' **Coins.** Each step of the mechanism uses one 64-bit number, whether or not the step is skipped.
#' The numbers come from a secret key, in a way that any implementation can repeat:
#' 1. cipher key = SHA-256 of the bytes of the key (32 bytes from the operating system when `key` is
#'    `NULL`; for `seed = s` the ASCII bytes of `sdcLattice seed 1:` followed by `s` in decimal);
#' 2. stream = AES-256 in counter mode over zero bytes, the initial counter block 16 zero bytes,
#'    counting up as one big-endian number;
#' 3. coin `i` = bytes 8(i - 1) + 1 to 8 i of the stream, the lowest byte first;
#' 4. A = floor(alpha 2^64), B = floor(beta 2^64): a coin below A adds the cycle, one from A to A +
#'    B - 1 takes it away. With alpha = 1 every coin adds; where alpha + beta is 1 (in double
#'    precision) every other coin takes away.
#'
#' Only integers are compared, so the same key gives the same table on every platform. Never use a
#' key twice: two tables perturbed with the same key reveal information about each other. The key
#' is not stored. Anybody who knows it, or the coins, can undo the perturbation.
#'
#' **Nothing is drawn twice**, and nothing after the draw looks at the difference between the
#' original and the result: to draw until the result pleases changes the mechanism, and makes every
#' posterior computed from the published one wrong. Protection is judged before the draw, by
#' [expected_protection()]: `perturb()` stops when less than `min_protection` of the cells with a
#' count of 1 or 2 are expected to change (of all cells with a count, where none is 1 or 2).
#' The default, 0.2, is the level below which the best guess at a small count is right in about four
#' cases of five (uniform prior, Poisson and census tables, two covers at .25): bidiagonal sets on
#' sparse tables change 0 to 13 percent of them, and are refused; bands of pairs change 20 to 81.
#'
#' **Many zeros.** `perturb()` refuses to apply fixed cycles under the zero rule `"blocked"` when
#' more than a fifth of the cells are zero (the one limit for zeros in this package): most moves
#' would be blocked, and the intruder's best guess of a small count would be right about 75% of the
#' time. Cells on no cycle, and those under a margin that the cycles keep and that is itself zero,
#' are not counted. There are three alternatives, and none of them is chosen silently: a set that
#' skips zeros (`cycles_banded(skip_zeros = TRUE)`: unbiased), the rule `"nonnegative"` (biased; it
#' also hides which counts are positive at all), or `insist = TRUE`.
#'
#' **No certainty.** `perturb()` refuses a design, before it draws, when
#' * more than 1 percent of the counts of 1 and 2 would on average be known for certain to everybody
#'   (`certain_small` of [risk_utility()]): a posterior has a single value there; or
#' * more than 25 percent of them are given away by one other known cell in whatever is published,
#'   because the set changes both together: the partner in a pair of rows, the diagonal of a
#'   bidiagonal ring ([determined_cells()]). This is the part of `insider_cell` that does not depend
#'   on the draw; [risk_utility()] computes all of it, which takes much longer.
#'
#' The refusal names a design that passes, the first of a short list: the same cycles under
#' `"nonnegative"`, other groups of [cycles_banded()] under both zero rules and with zeros skipped,
#' more covers. `insist = TRUE` overrides it.
#'
#' Certainty is judged over all publications of a component of the set where these are few, and over
#' 200 simulated ones elsewhere: a cell is certain unless one of up to 200 runs in reverse leads to
#' an original with another value there. So a rare original may be missed, and the share is then
#' too large, never too small. In large tables some groups of lines, taken at random, stand for all,
#' about a second of work. The judgement depends on the table and the design, never on the coins:
#' a design is refused for every key or for none, and the posterior of what is published stays
#' right. But whether a design is refused depends on the table, and the design that is used is
#' public: who knows how it was chosen learns that it passed, and perhaps that another did not.
#'
#' **Trees and links.** Cycles that were made for a table with trees or a `formula` keep all its
#' published totals: they move counts within siblings, levels that lie in the same totals. Cells
#' without siblings never change. Other cycles are accepted only when they keep these totals as
#' well. The published table has the trees and crossings of the original.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The confidential table, with at least one
#'   count.
#' @param mechanism (sdc_mechanism) The mechanism, made for the shape and labels of `x`.
#' @param key (raw vector of at least 16 bytes, or NULL) The secret key. `NULL` takes 32 bytes from
#'   the operating system.
#' @param seed (whole number from 0 to 2147483647, or NULL) **For examples only**: makes the result
#'   reproducible by anybody. [publish()] refuses it unless told otherwise.
#' @param insist (flag) `TRUE` proceeds even if the table has many zeros, the expected protection
#'   is below `min_protection`, counts would be known for certain, or the cycles change published
#'   totals of trees or crossings.
#' @param min_protection (number from 0 to 1) The least expected share of small cells that change.
#' @param record (sdc_record or `NULL`) What is out, see [publication_record()]. `perturb()` then
#'   refuses, before it draws, designs that no record can judge, a second perturbation of the same
#'   people, and totals that its cycles keep where a protected count would be known from them
#'   together with what is out. What is drawn is judged by [publish()] alone.
#' @param ... Must be empty.
#' @return An object of class `sdc_perturbation`: a list with `original`, `published` (sdc_table),
#'   `mechanism`, `coefficients` (for each step +1, -1 or 0 as applied), `reproducible`,
#'   `seal` (see [publish()]) and `expected_protection`.
#' @section Errors:
#' `sdc_error_input` when `x` has other levels than the mechanism, totals that its cycles, made
#' without trees, would change, or no count at all, for a short
#' key, and when both `key` and `seed` are given. `sdc_error_refused` when the zero rule is for
#' analysis only, a set that skips zeros sweeps over a group of lines more than six times (no
#' posterior could be computed: triads have at most two covers, pairs beside triads three), the
#' cycles change published totals, the table has many zeros, the expected protection is below the
#' limit, or small counts would be known for certain. `sdc_error_infeasible` when every published
#' number is a total that the cycles keep. Nothing has been drawn then.
#' @section Guarantee:
#' Exact: the law of the result given the original is that of the mechanism, up to 2^-64 in each
#' step's probabilities. Linear in the entries of the steps.
#' @template ref-slides
#' @template ref-lenz
#' @family perturb
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 3))
#' me <- mechanism(cycles_banded(x, seed = 11))
#' pe <- perturb(x, me, seed = 1)
#' pe
#' @export
perturb <- function(x, mechanism, key = NULL, seed = NULL, insist = FALSE, min_protection = .2,
                    record = NULL, ...) {
  check_no_dots(...)
  check_record(record)
  x_name <- substitute(x)
  mechanism_name <- substitute(mechanism)
  x <- one_level_argument(x)
  check_class(mechanism, "sdc_mechanism", make = "mechanism")
  check_fits_cycles(x, mechanism$cycles)
  mechanism <- mechanism_of_table(mechanism, x)
  check_can_perturb(mechanism)
  check_flag(insist)
  check_number(min_protection, min = 0, max = 1)
  secret <- check_key(key, seed)
  counts <- dense_counts(x)
  check_some_count(counts)
  check_zero_pattern(counts, mechanism$cycles)
  if (!insist) {
    check_all_totals_stay(mechanism$cycles)
    if (!is.null(table_crossings(x))) check_some_cell(crossing_flags(x), x$dimnames)
    check_few_zeros(counts, mechanism)
  }
  check_design_beside(x, mechanism, record)
  expected <- rehearse(counts, mechanism)
  if (!insist) {
    check_protection(expected, min_protection)
    check_no_certainty(x, counts, mechanism, min_protection, list(x_name, mechanism_name))
  }
  coins <- coin_bytes(secret, step_count(mechanism))
  drawn <- with_core(cpp_perturb_counts(counts, mechanism, coins))
  out <- structure(
    list(
      original = x,
      published = drawn_table(drawn$counts, mechanism, x$layout),
      mechanism = mechanism,
      coefficients = drawn$applied,
      reproducible = !is.null(seed),
      expected_protection = expected
    ),
    class = sdc_class("sdc_perturbation", mark = "private")
  )
  out$seal <- seal_of("perturbation", perturbation_parts(out))
  out
}

# Whether a design can stand beside what is out, as far as that is so for all coins: the totals that
# its cycles keep leave the protected counts unknown.
check_design_beside <- function(x, mechanism, record) {
  if (is.null(record)) {
    return(invisible())
  }
  check_steps_can_be_judged(mechanism)
  held <- read_entries(record)
  check_none_redistributed(held, "perturbed table")
  out <- lapply(held$entries, `[[`, "publication")
  if (any(vapply(out, is_perturbed, NA))) abort_second_noise(held, out)
  kept <- lapply(mechanism$cycles$preserves, function(set) take_margin(x, set, "preserves"))
  if (length(kept) == 0) kept <- list(take_margin(x, character(), "preserves"))
  names(kept) <- vapply(kept, function(m) margin_label(names(m$dimnames)), "")
  check_together(held, open_entry(new_margins(kept)))
}

#' Look at a perturbation
#'
#' `print()`, `format()` and `summary()` show no count of the original. `as.data.frame()` gives the
#' original and the published counts side by side and is as confidential as the original; it has no
#' column of differences, because nothing should be decided on them. `plot()` and `autoplot()` draw
#' the published counts.
#'
#' @param x,object (sdc_perturbation) The perturbation.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param totals (flag) Whether the data frame has all published totals beside the cells: those of
#'   the trees and crossings of the table, which the cycles keep, or the margins of a table without
#'   any.
#' @return `as.data.frame()`: one factor for each variable, `original`, `published` (whole numbers).
#'   `summary()` an object of class `sdc_perturbation_summary`; `autoplot()` a ggplot object.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown arguments, and
#' from `as.data.frame()` when a variable is itself called `original` or `published`.
#' @family perturb
#' @name sdc_perturbation-methods
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 3))
#' pe <- perturb(x, mechanism(cycles_banded(x, seed = 11)), seed = 1)
#' summary(pe)
#' head(as.data.frame(pe), 3)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(pe)
NULL

#' @rdname sdc_perturbation-methods
#' @export
format.sdc_perturbation <- function(x, ...) {
  c(
    "PRIVATE: holds the original table; publish() makes what may be released",
    if (x$reproducible) "reproducible, not for release",
    format(x$mechanism)
  )
}

#' @rdname sdc_perturbation-methods
#' @export
summary.sdc_perturbation <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(header = format(object), expected_protection = object$expected_protection),
    class = sdc_class("sdc_perturbation_summary", mark = "confidential")
  )
}

#' @export
format.sdc_perturbation_summary <- function(x, ...) {
  expected <- format(x$expected_protection)
  c(x$header, "Before the draw it was expected (confidential):", expected[-length(expected)])
}

#' @rdname sdc_perturbation-methods
#' @export
as.data.frame.sdc_perturbation <- function(x, row.names = NULL, optional = FALSE, ...,
                                           totals = FALSE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  labels <- dimnames(x$mechanism$cycles)
  check_free_names(labels, c("original", "published"))
  if (totals) {
    out <- published_rows(set_layout(x$original, x$published$layout), TRUE, "original")
    out$published <- published_rows(x$published, TRUE, "published")$published
    return(out)
  }
  n <- prod(lengths(labels))
  counts <- list(original = dense_counts(x$original), published = dense_counts(x$published))
  list2data_frame(c(cell_factors(seq_len(n), labels), counts), n)
}

#' @rdname sdc_perturbation-methods
#' @usage \method{autoplot}{sdc_perturbation}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_perturbation <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_tiles(dimnames(object$published), dense_counts(object$published)) +
    ggplot2::labs(title = "Perturbed table, not yet published")
}
