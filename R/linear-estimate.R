# What a user of a release takes the table to be: the fitted inside.

#' The inside of a table, estimated from what was released
#'
#' Iterative proportional fitting: the table, in general not of whole numbers, that agrees with
#' everything released and says nothing beyond it. For margins alone it is the maximum likelihood
#' estimate of the log-linear model with these margins; for a suppressed table it fills the holes.
#'
#' @details **Margins only** is the most cautious way to publish a table. It needs no function of
#' its own: [margins()] makes the release, [publish()] a copy that may leave, `estimate_table()`
#' what a user makes of it, [bounds_margins()] the sharp interval of every cell, [count_tables()]
#' the number of tables that agree, and [fibre_distribution()] the law of every cell when all these
#' tables are equally likely.
#'
#' The cells of each constraint are scaled so that their sum comes within its limits, in turn, until
#' all sums are as released. Where everything released is a sum (margins, totals, cells that are
#' shown), this converges to the table of largest entropy relative to `start`. Intervals, as
#' rounding publishes them, are met as well, by the nearest limit; the result is then a table that
#' agrees, and not more.
#'
#' @param release ([margins()], [constraints()], or what `constraints()` takes) What was released.
#' @param start (numeric array, table, or `NULL`) Where to start, in the shape of the table: what
#'   was known before, up to row and column effects. `NULL`: the same everywhere.
#' @param tolerance (positive number, counts) How far a sum may be off in the end.
#' @param max_rounds (whole number of at least 1) Rounds through all constraints.
#' @param progress (flag) Show a progress bar?
#' @return An object of class `sdc_estimate`: a list with `table` (a [table] of estimates), `rounds`
#'   and `gap` (the largest distance of a sum from what was released). `as.table()`,
#'   `as.data.frame()` (the variables and `estimate`), `print()`.
#' @section Errors:
#' `sdc_error_input` for a release with negative coefficients (conditional rates have them) or a
#' `start` of another shape; `sdc_error_infeasible` when the parts of the release contradict each
#' other. A warning `sdc_warning_time` when `max_rounds` did not suffice.
#' @section Guarantee:
#' Converges where a positive solution exists; linear in the entries of the constraints for each
#' round. The estimate is computed from the release alone: it can be published with it.
#' @references Csiszar, I. (1975). I-divergence geometry of probability distributions and
#'   minimization problems. *The Annals of Probability* 3, 146-158.
#' @family bounds
#' @export
#' @examples
#' release <- margins(roehrig, list("row", "column"))
#' estimate_table(release)
#' bounds_margins(release)
#' count_tables(release)
#' summary(fibre_distribution(release, cells = 1:2))
estimate_table <- function(release, start = NULL, tolerance = 1e-6, max_rounds = 10000,
                           progress = rlang::is_interactive()) {
  check_number(tolerance, min = 1e-12)
  check_whole(max_rounds, min = 1, max = 1e9)
  check_flag(progress)
  release <- as_constraints(release)
  labels <- release$dimnames
  at <- cell_numbers(release$codes, labels)
  first <- estimate_start(start, labels)[at]
  release <- fix_known_cells(release)
  found <- with_core(
    with_progress("Fitting", function(tick) {
      cpp_rake_constraints(release, first, tolerance, max_rounds, tick)
    }, show = progress)
  )
  if (found$gap > tolerance) {
    warn_sdc("time", c(
      "The fit must come to within {.arg tolerance} of what was released.",
      x = "After {.arg max_rounds} rounds it is {format(found$gap, digits = 2)} off.",
      i = "Allow more rounds. Slow fits are common where the release forces cells to 0."
    ))
  }
  values <- numeric(prod(lengths(labels)))
  values[at] <- found$value
  structure(
    list(table = as.table(array(values, lengths(labels, FALSE), labels)), rounds = found$rounds,
         gap = found$gap),
    class = sdc_class("sdc_estimate")
  )
}

# Cells that the release leaves one count are that count: fitting would only creep there.
fix_known_cells <- function(release) {
  outer <- cpp_tighten_constraints(release, FALSE)
  if (is.null(outer)) abort_no_table()
  known <- outer$lower == outer$upper
  release$lower[known] <- release$upper[known] <- outer$lower[known]
  release
}

estimate_start <- function(start, labels) {
  if (is.null(start)) {
    return(rep(1, prod(lengths(labels))))
  }
  ok <- is.numeric(start) && length(start) == prod(lengths(labels)) && all(is.finite(start)) &&
    all(start >= 0) && (is.null(dim(start)) || identical(dim(start), lengths(labels, FALSE)))
  if (ok) {
    return(as.numeric(start))
  }
  abort_sdc("input", c(
    "{.arg start} must be an array of numbers of at least 0 in the shape of the table,
     {paste(lengths(labels), collapse = ' x ')}.",
    x = "{start_fault(start, labels)}"
  ))
}

start_fault <- function(start, labels) {
  if (!is.numeric(start)) {
    return(paste0("`start` is ", show_value(start), "."))
  }
  shape <- dim(start) %||% length(start)
  if (length(start) != prod(lengths(labels)) || length(shape) > 1 &&
      any(shape != lengths(labels))) {
    return(paste0("Its shape is ", paste(shape, collapse = " x "), "."))
  }
  describe_first(start, is.finite(start) & start >= 0)
}

#' @export
format.sdc_estimate <- function(x, ...) {
  d <- dimnames(x$table)
  c(
    paste0("estimate of ", shape_words(d), ", total ", format_number(sum(x$table), 7)),
    paste0("fitted in ", plural(x$rounds, "round"), "; sums are within ",
           format(max(x$gap, 1e-9), digits = 2), " of what was released")
  )
}

#' @export
print.sdc_estimate <- function(x, ...) {
  NextMethod()
  if (length(x$table) <= 100) print_means(x$table)
  invisible(x)
}

#' @export
as.table.sdc_estimate <- function(x, ...) {
  check_no_dots(...)
  x$table
}

#' @export
as.data.frame.sdc_estimate <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  check_free_names(dimnames(x$table), "estimate")
  n <- length(x$table)
  list2data_frame(
    c(cell_factors(seq_len(n), dimnames(x$table)), list(estimate = as.numeric(x$table))), n
  )
}
