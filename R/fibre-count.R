#' How many tables agree with a release, and which
#'
#' The fibre of a release is the set of all tables that agree with it. `count_tables()` counts it,
#' `sample_tables()` draws from it, each table as likely as the others, `enumerate_tables()` lists
#' it, and [fibre_distribution()] gives the exact law of every cell over it.
#'
#' # Guarantee
#' Exact, whatever the number of digits, but for `method = "importance"`. Draws are independent and
#' exactly uniform, up to the generator (SplitMix64), and the same for the same seed on every
#' machine. The whole numbers of the fibre are those of the [constraints()]: structural zeros,
#' intervals and all.
#'
#' # Methods
#' The system is first reduced: what bounds propagation fixes is taken out, and so are rows that
#' others imply; what no row connects any more is counted apart, and the counts are multiplied. A
#' release of two margins that share variables thereby becomes a product of two-way tables, one for
#' each level of what they share.
#' * `"twoway"`: tables with row and column sums, both exact or in intervals (as rounding
#'   publishes), with or without limits of the cells: a dynamic programme over the lines from both
#'   ends, whose state is what the columns hold so far. Where no cell has a limit of its own, the
#'   order of the columns does not matter to a count, and their sorted sums will do (Miller and
#'   Harrison 2013): tables of many columns with small sums.
#' * `"polynomial"`: tables with exact row and column sums and cells without limits of their own:
#'   iterated residues of the generating function. Counts enter by their digits only.
#' * `"diagram"`: anything, such as margins of three-way tables or conditional rates: a layered
#'   diagram of the sums of the rows that are open while cell after cell is filled in.
#' * `"importance"`: an estimate, by sequential importance sampling; for what is beyond the others.
#'
#' `"auto"` takes for each part the cheapest of the first three.
#'
#' # Complexity
#' With rows r and columns c, `"twoway"` takes about the product of (c_j + 1) over all columns but
#' the widest, times (r_i + 1) for all rows but the two largest, times the number of columns: for n
#' x n tables of a fixed shape it grows as the n-th power of the total. With three columns (or rows)
#' the factor (r_i + 1) falls away, whatever the limits of the cells: 20 x 3 with margins near 100
#' takes some tenths of a second. By sorted sums a count of n x n tables with margins near c takes
#' some n + c times the binomial coefficient of n + c over c: 9 x 9 and 10 x 10 with margins near 10
#' take a tenth of a second, 12 x 12 one second. `"polynomial"` does not grow with the counts but by
#' their digits; it grows exponentially with rows and columns: 4 x 4 takes less than a millisecond,
#' 6 x 4 a hundredth of a second, 8 x 4, 6 x 5 and 6 x 6 some tenths, 12 x 3 a second. `"diagram"`
#' grows with the number of different sums of the open rows.
#'
#' What the programme of `"twoway"` takes is known before it starts, so beyond `max_states` and
#' `max_steps` it ends at once, with an error that names both. `"auto"` tries residues for at most a
#' quarter of these steps. The progress bar of long work says how many steps it takes at most. The
#' other methods stop with the same error when they reach a limit.
#'
#' @param release ([margins()], [constraints()], or what `constraints()` takes) what was released.
#' @param method (string) see Methods.
#' @param max_states (number) how many numbers a programme may hold at a time, of 8 bytes or more.
#' @param max_steps (number) how many additions it may take; some 10^9 take a second.
#' @param n_draws (whole number from 100 to 10^8) draws of `"importance"`.
#' @param seed (whole number or `NULL`) seed of the draws. `NULL`: drawn from R's stream.
#' @param progress (flag) show a progress bar?
#' @param threads (whole number >= 1) how many threads count the independent parts of a release; see
#'   [sdcLattice-threads]. Each part has the limits of its own.
#' @return `count_tables()`: an [sdc_count], with the `methods` that were used; by `"importance"` an
#'   [sdc_count_estimate].
#'
#'   `sample_tables()`: an array whose last dimension, `draw`, numbers the tables. The other
#'   dimensions have the order of [constraints()]: for [margins()] that of their table.
#'
#'   `enumerate_tables()`: an array whose last dimension, `table`, numbers the tables, in the order
#'   in which the first cell varies slowest.
#' @section Errors: `sdc_error_input` for bad arguments, for a cell without an upper limit
#'   (infinitely many tables would agree) and for constraints that do not fit the `method`;
#'   `sdc_error_too_large` beyond the limits; `sdc_error_infeasible` for margins that contradict
#'   each other, and for draws where no table agrees with the release. The count of such a release
#'   is 0.
#' @references Chen, Y., Diaconis, P., Holmes, S. P. and Liu, J. S. (2005). Sequential Monte Carlo
#'   methods for statistical analysis of tables. *Journal of the American Statistical Association*
#'   100, 109-120.
#'
#'   Miller, J. W. and Harrison, M. T. (2013). Exact sampling and counting for fixed-margin
#'   matrices. *The Annals of Statistics* 41, 1569-1592.
#' @template ref-slides
#' @family fibre
#' @name count_tables
#' @examples
#' release <- margins(roehrig, list("row", "column"))
#' count_tables(release)
#'
#' # rounded to multiples of 3: cells, row and column sums are known to within 2
#' x <- sdc_table(roehrig)
#' around <- function(m) intervals(3 * round(as.table(m) / 3), 2)
#' count_tables(constraints(around(x), around(margin(x, "row")), around(margin(x, "column"))))
#'
#' sample_tables(release, 2, seed = 1)
#' dim(enumerate_tables(margins(matrix(c(1, 0, 2, 1), 2), list("Var1", "Var2"))))
NULL

#' @rdname count_tables
#' @export
count_tables <- function(release,
                         method = c("auto", "twoway", "polynomial", "diagram", "importance"),
                         max_states = 5e7, max_steps = 5e10, n_draws = 10000, seed = NULL,
                         progress = rlang::is_interactive(), threads = default_threads()) {
  method <- check_choice(method, c("auto", exact_methods, "importance"))
  use_threads(threads)
  options <- fibre_options(method, max_states, max_steps)
  check_whole(n_draws, min = 100, max = 1e8)
  if (!is.null(seed)) check_whole(seed, min = -2^53, max = 2^53)
  check_flag(progress)
  release <- as_constraints(release)
  if (method == "importance") {
    seed <- draw_seed(seed)
    found <- ask_fibre("Drawing tables", cpp_estimate_tables, release, options, n_draws, seed,
                       progress = progress)
    return(new_count_estimate(found, n_draws))
  }
  found <- ask_fibre("Counting tables", cpp_count_tables, release, options, default_threads(),
                     progress = progress)
  out <- new_sdc_count(found$count, TRUE)
  out$methods <- table(factor(found$methods, exact_methods), dnn = NULL)
  out
}

exact_methods <- c("twoway", "polynomial", "diagram")

#' @param n (whole number from 1 to 10^8) how many tables to draw.
#' @rdname count_tables
#' @export
sample_tables <- function(release, n, method = c("auto", "twoway", "polynomial", "diagram"),
                          max_states = 5e7, max_steps = 5e10, seed = NULL,
                          progress = rlang::is_interactive()) {
  check_given(n)
  check_whole(n, min = 1, max = 1e8)
  method <- check_choice(method, c("auto", exact_methods))
  options <- fibre_options(method, max_states, max_steps)
  check_flag(progress)
  release <- as_constraints(release)
  check_free_names(release$dimnames, "draw")
  check_fits_memory(release, n)
  tables <- ask_fibre("Drawing tables", cpp_sample_tables, release, options, n, draw_seed(seed),
                      progress = progress)
  array_of_tables(tables, release, "draw")
}

#' @param limit (whole number from 1 to 10^7) the largest number of tables to list.
#' @rdname count_tables
#' @export
enumerate_tables <- function(release, limit = 1e5, max_states = 5e7, max_steps = 5e10,
                             progress = rlang::is_interactive()) {
  check_whole(limit, min = 1, max = 1e7)
  options <- fibre_options("auto", max_states, max_steps)
  check_flag(progress)
  release <- as_constraints(release)
  check_free_names(release$dimnames, "table")
  tables <- ask_fibre("Listing tables", cpp_enumerate_tables, release, options, limit,
                      progress = progress)
  array_of_tables(tables, release, "table")
}

fibre_options <- function(method, max_states, max_steps) {
  check_number(max_states, min = 1, max = 1e12)
  check_number(max_steps, min = 1, max = 1e18)
  list(method = method, max_states = max_states, max_steps = max_steps)
}

# Asks the core, `f`, about the fibre of constraints.
ask_fibre <- function(label, f, release, options, ..., progress) {
  with_core(
    {
      if (progress) label <- forecast_label(label, release, options)
      with_progress(label, function(tick) f(release, options, ..., tick), show = progress)
    },
    hints = list(
      input = "The help page of {.fn count_tables} says what each method needs.",
      too_large = "Raise {.arg max_states} and {.arg max_steps} (or {.arg limit}), or estimate the
        number: {.code count_tables(method = \"importance\")}."
    )
  )
}

# What a progress bar says before the work starts.
forecast_label <- function(label, release, options) {
  if (options$method == "importance") {
    return(label)
  }
  steps <- cpp_forecast_tables(release, options)
  power <- ceiling(log10(max(steps, 1)))
  if (power < 8) label else paste0(label, ": at most 10^", power, " steps")
}

# A seed of the package's own generator.
draw_seed <- function(seed) {
  if (is.null(seed)) {
    return(floor(stats::runif(1) * 2^53))
  }
  check_whole(seed, min = -2^53, max = 2^53)
}

check_fits_memory <- function(release, n) {
  size <- max(prod(lengths(release$dimnames)), 1) * n
  if (size <= 2^28) {
    return(invisible(n))
  }
  abort_sdc("too_large", c(
    "All draws together must have at most 2^28 cells.",
    x = "They would have {format(size, digits = 3)}.",
    i = "Draw fewer tables at a time."
  ))
}

# A column for each table, whose cells are those of the constraints: cells that these leave out are
# 0.
array_of_tables <- function(tables, release, by) {
  labels <- release$dimnames
  n <- ncol(tables)
  at <- cell_numbers(release$codes, labels)
  n_cells <- prod(lengths(labels))
  if (!identical(at, seq_len(n_cells))) {
    all <- matrix(0, n_cells, n)
    all[at, ] <- tables
    tables <- all
  }
  labels[[by]] <- as.character(seq_len(n))
  structure(
    tables, dim = unname(lengths(labels)), dimnames = labels, class = sdc_class("sdc_tables")
  )
}

#' @export
format.sdc_tables <- function(x, ...) {
  labels <- dimnames(x)
  n <- length(labels)
  paste0("<sdc_tables> ", plural(dim(x)[n], "table"), " of ", shape_words(labels[-n]),
         ", along dimension \"", names(labels)[n], "\"")
}

# All tables where they fit on a page, else the first.
#' @export
print.sdc_tables <- function(x, ...) {
  NextMethod()
  n <- dim(x)[length(dim(x))]
  all <- unclass(x)
  if (length(all) <= 200) {
    print(all)
  } else if (length(all) / n <= 200) {
    first <- matrix(all, ncol = n)[, 1]
    labels <- dimnames(x)[-length(dim(x))]
    print(array(first, lengths(labels, FALSE), labels))
    cat("  and ", plural(n - 1, "more table"), "\n", sep = "")
  }
  invisible(x)
}

#' @export
as.data.frame.sdc_tables <- function(x, ...) as.data.frame(unclass(x), ...)

# Sums, shares and comparisons are arrays like any other.
#' @export
Ops.sdc_tables <- function(e1, e2) {
  f <- get(.Generic)
  if (missing(e2)) f(unclass(e1)) else f(unclass(e1), unclass(e2))
}

# ---- estimates ----------------------------------------------------------------------------------

new_count_estimate <- function(found, n_draws) {
  structure(
    list(estimate = exp(found$log_count), log10 = found$log_count / log(10),
         relative_error = found$relative_error, effective = found$effective, dead = found$dead,
         n_draws = n_draws),
    class = sdc_class("sdc_count_estimate")
  )
}

#' Estimated numbers of tables
#'
#' What [count_tables()] gives by `method = "importance"`: an unbiased estimate with its standard
#' error.
#'
#' The standard error is that of independent draws. Where few draws carry the estimate it is too
#' small itself: look at `effective`, the number of equally weighted draws that would be as good.
#'
#' @param x (sdc_count_estimate) the estimate.
#' @param ... not used.
#' @return `as.double()` and `as.numeric()`: the estimate (`Inf` beyond the doubles; `x$log10` has
#'   its decimal logarithm). `format()` and `as.character()`: the estimate with the digits that its
#'   standard error warrants, and this error. `x$relative_error`: standard error over estimate;
#'   `x$dead`: the share of draws that led nowhere.
#' @name sdc_count_estimate
#' @examples
#' n <- count_tables(margins(roehrig, list("row", "column")), method = "importance",
#'                   n_draws = 500, seed = 1)
#' n
#' n$relative_error
NULL

#' @rdname sdc_count_estimate
#' @export
as.double.sdc_count_estimate <- function(x, ...) x$estimate

#' @rdname sdc_count_estimate
#' @export
as.character.sdc_count_estimate <- function(x, ...) format(x)

#' @rdname sdc_count_estimate
#' @export
format.sdc_count_estimate <- function(x, ...) {
  if (x$log10 == -Inf) {
    return("about 0 (no draw led to a table)")
  }
  digits <- if (x$relative_error <= 0) 7 else min(7, max(1, ceiling(-log10(x$relative_error))) + 1)
  exponent <- floor(x$log10)
  number <- if (exponent < 15) {
    format_count(signif(10^x$log10, digits))
  } else {
    paste0(signif(10^(x$log10 - exponent), digits), " x 10^", exponent)
  }
  paste0("about ", number, " (standard error ", percent(x$relative_error), ")")
}

#' @rdname sdc_count_estimate
#' @export
print.sdc_count_estimate <- function(x, ...) {
  NextMethod()
  cat("  ", format_count(x$n_draws), " draws, as good as ",
      format_count(round(x$effective)), " equally weighted ones",
      if (x$dead > 0) paste0("; ", percent(x$dead), " led nowhere"), "\n", sep = "")
  invisible(x)
}
