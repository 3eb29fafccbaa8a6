# What published conditional rates and the total tell about each cell.

#' Bounds of cells from conditional rates
#'
#' Given conditional rates ([conditionals()]) and the total of the table, the interval in which
#' each count is known to lie. The rates may be one set or several sets of one table, such as P(A |
#' B) and P(B | A), exact or rounded, and margins may be known as well.
#'
#' # Methods
#' With a_ij the rate of cell j in row i, N the total and R the number of rows:
#' * `"sharp"`: the least and the largest value over all tables of whole numbers with these rates
#'   and this total. Exact rates: the total of a row is a multiple of the least common denominator
#'   of its rates, and the multiples of all rows sum to N. Rounded rates: a total t is possible for
#'   a row when whole numbers within (rate +- tolerance) t, limits included, sum to t. A dynamic
#'   programme over sums of totals (see Complexity) tells which totals of each row extend to a
#'   whole table: [feasible_totals()].
#' * `"lp"`: the linear relaxation in closed form: a_ij to (N - (R - 1)) a_ij.
#' * `"formula2"`: formula (2) of the source: with l_i the least positive rate of row i, a_ij / l_i
#'   to (N - sum of 1 / l_k over the other rows) a_ij.
#' * `"improved"`: the algorithm that the source gives in words: the other rows take at least the
#'   sums of their lower bounds, rounded up. It is tighter than the formula and still right.
#'
#' The last three round the lower limits up and the upper ones down (allowing 1e-9 for the
#' arithmetic); the unrounded limits are `lower_real` and `upper_real`. For rounded rates each uses
#' the ends of the rates' intervals, cut to what the other rates of the row leave.
#'
#' When variables are **left out** (partial conditionals), the counts of the rates are sums over
#' them. A sum may split in any way: a cell lies between 0 and the upper bound of its sum. `of =
#' "margins"` gives the bounds of the sums themselves. Without variables left out both are the same.
#'
#' # Several sets of rates, and margins
#' A list of rates, `margins`, or an interval for `n` make a system, which a search over whole
#' numbers solves, in three steps:
#' * each sum of cells that a rate is about, and each total of a row, is one unknown, whichever sets
#'   it occurs in. For each row the totals that it may have are listed. A total leaves the list when
#'   the cells of its row, within the limits that the other sets and the margins leave them, have no
#'   whole numbers with the published rates, and when the totals of the other rows cannot reach what
#'   it leaves of `n`. Limits travel from set to set until nothing changes;
#' * a rounded rate becomes the convex hull of the pairs (total, count) that are left. Its sides
#'   have small coefficients, where the rate itself has coefficients of some 10^digits, with which
#'   linear relaxations are weak. The counts of an exact row are multiples of one unknown;
#' * [bounds_margins()] bounds the cells by its search (`"ip"`). It has 30 percent
#'   of `time_limit_s`, and 90 percent where the table has more than 150 cells. For an end that is
#'   still open then, the cell is put at this end and all three steps are done again: a table is
#'   found, or no table has it.
#'
#' `method` is `"sharp"`, or `"lp"` for the linear relaxation of the rates as they are. `cells` may
#' be a data frame of sums: a variable that it leaves out is summed over, so that the totals of rows
#' can be bounded, too. `margins` is what [constraints()] takes, or a list of such parts: margins,
#' data frames with `lower` and `upper` for totals that are known to lie in an interval, suppressed
#' or rounded tables. [constraints()] takes rates, too; [bounds_margins()] and this function then
#' search in the same way.
#'
#' The total of a row that is absent is 0, and so are its cells: they are not listed, but with
#' `cells` they can be asked for.
#'
#' # Guarantee
#' `"sharp"`: both ends of each interval are attained by tables that agree with the rates and the
#' total (all arithmetic is in whole numbers). The other methods give outer bounds: the true count
#' lies inside. All of this is for an intruder who knows the rates and N (and `margins`) and nothing
#' else. A system may be too hard for `time_limit_s`. A warning of class `sdc_warning_outer` says so
#' and how far the open ends may move; an interval that is not `sharp` is outer, and `least` and
#' `most` say what tables attain. A reader who knows that a rate was rounded, but not how, is right
#' with a tolerance of half a unit; a careless publisher may need more, and when no table agrees the
#' error says how much.
#'
#' # How many tables
#' `x$n_tables` is the number of tables with these rates and this total, an [sdc_count]: of tables
#' of the sums for `of = "margins"`, of all cells for `of = "cells"`. It is `NULL` where counting
#' would take more than `max_products` additions or products of large numbers; the bounds need none.
#' The tables of a system are counted by [count_tables()], with at most a million numbers at a time.
#'
#' # Complexity
#' Rows with the same rates are one kind. A set of sums is a string of bits, which costs a pass over
#' N / 64 words for each generator of a kind's totals (one when exact; no more than the least
#' total); sums from which on everything can be reached are not stored. All rows but one: kinds
#' times log2(kinds) passes, and as many sets as the logarithm says. 2,000 rows with N = 300,000:
#' see `system.file("bench", package = "sdcLattice")`. The closed forms are proportional to the
#' rates. Systems: each total in a list is looked at for each rate of its row, some times; then the
#' search takes what it takes, up to `time_limit_s`.
#'
#' @param x (sdc_conditionals, or a list of them) published rates; names of the list are used in
#'   errors. `feasible_totals()`: sharp bounds of one set.
#' @param n (whole number, or two of them) the total of the table, N, or the least and the largest
#'   total. It may be left out where `margins` are given.
#' @param method (string) see below.
#' @param tolerance (number of at least 0, with at most 6 decimals) for rounded rates: how far the
#'   true rate may lie from the published one, in units of the last digit. Exact rates have none.
#' @param of (string) bounds of `"cells"` of the whole table, or of `"margins"`: the sums over
#'   variables that were left out.
#' @template param-cells
#' @param count (flag) count the tables, too? For sharp bounds.
#' @param max_products (number) work that counting may take, in products of large numbers.
#' @param max_memory_mb (number) memory that sets of sums may take, in megabytes.
#' @param progress (flag) show a progress bar?
#' @param ... must be empty.
#' @param margins (what [constraints()] takes, a list of such parts, or `NULL`) what else is known
#'   of the table.
#' @param time_limit_s (number, seconds of processor time) how long the search may take, for
#'   systems.
#' @return `bounds_conditional()`: an object of class `sdc_bounds`, see [bounds-methods], with
#'   `n_tables`. `feasible_totals()`: a data frame with a row for each published row: the given
#'   variables, `n_totals`, the least and the largest possible total (`lower`, `upper`); with
#'   `values = TRUE` a list of all possible totals of each row, under its label.
#' @section Errors: `sdc_error_input` for bad arguments. `sdc_error_infeasible` when no table has
#'   these rates and this total; the condition has the fields `rows` (the rows at fault, none when
#'   it is no single one), `row_tolerance` (what each of them needs when the others stay as they
#'   are) and `tolerance` (what would do for all, in steps of 0.001). For a system the fields are
#'   `parts` (the names of parts that contradict each other, as far as a short search shows: without
#'   any one of them there is a table) and `tolerance` (with which a table was found).
#'   `sdc_error_too_large` above `max_memory_mb`.
#' @template ref-conditional
#' @family conditional
#' @export
#' @examples
#' co <- conditionals(koch, "Recovery", c("Center", "Status", "Treatment"))
#' b <- bounds_conditional(co, n = 193)
#' b
#' b$n_tables
#' feasible_totals(b)
#' feasible_totals(b, values = TRUE)[[7]]
#' bounds_conditional(co, n = 193, method = "lp")
#'
#' # rounded rates: these disclose the same three rows
#' rounded <- conditionals(koch, "Recovery", c("Center", "Status", "Treatment"), digits = 3)
#' feasible_totals(bounds_conditional(rounded, n = 193))
#'
#' # rates of recovery, and by treatment within centres: more than each of them alone
#' recovery <- conditionals(koch, "Recovery", c("Center", "Status"), digits = 2)
#' treatment <- conditionals(koch, "Treatment", c("Center", "Status", "Recovery"), digits = 1)
#' bounds_conditional(list(recovery, treatment), n = 193)
#' # of sums: the patients of each centre
#' centres <- data.frame(Center = c("1", "2"))
#' bounds_conditional(list(recovery, treatment), n = c(190, 195), cells = centres)
bounds_conditional <- function(x, n, method = c("sharp", "lp", "formula2", "improved"),
                               tolerance = .5, of = c("cells", "margins"), cells = NULL,
                               count = TRUE, max_products = 2e7, max_memory_mb = 512,
                               progress = rlang::is_interactive(), ..., margins = NULL,
                               time_limit_s = 60) {
  check_no_dots(...)
  sets <- rate_sets(x)
  if (missing(n) && !is.null(margins)) n <- NULL
  check_given(n)
  if (!is.null(n) || is.null(margins)) check_grand_total(n)
  method <- check_choice(method, c("sharp", "lp", "formula2", "improved"))
  of <- check_choice(of, c("cells", "margins"))
  check_flag(count)
  check_flag(progress)
  check_number(max_products, min = 0)
  check_number(max_memory_mb, min = 1, max = 1e6)
  check_number(time_limit_s, min = 0)
  room <- tolerance_fraction(tolerance)
  asked <- list(
    method = method, tolerance = tolerance, of = of, cells = cells, count = count,
    max_products = max_products, seconds = time_limit_s, progress = progress
  )
  if (length(sets) > 1 || length(n) != 1 || !is.null(margins)) {
    return(bounds_of_rate_sets(sets, n, margins, asked))
  }
  bounds_of_one_set(sets[[1]], n, room, max_memory_mb * 2^23, asked)
}

bounds_of_one_set <- function(x, n, room, max_sums, asked) {
  ask <- list(
    x = x, n = n, room = if (is_exact(x)) c(0, 1) else room, max_sums = max_sums,
    progress = asked$progress
  )
  check_rows_fit(ask)
  splits <- if (asked$of == "cells") prod(lengths(x$dimnames[free_variables(x)])) else 1
  sharp <- asked$method == "sharp"
  found <- if (sharp) sharp_bounds(ask) else closed_bounds(ask, asked$method)
  if (sharp && asked$count) {
    found$n_tables <- count_conditional(ask, splits, asked$max_products)
    found$note <- count_note(found$n_tables)
  }
  at <- bounded_cells(x, asked$of, asked$cells)
  spread_bounds(at, found, splits, asked$method, x)
}

# Each row that is published has a count.
check_rows_fit <- function(ask) {
  n_rows <- length(ask$x$scale)
  if (ask$n >= n_rows) {
    return(invisible())
  }
  abort_sdc("infeasible", c(
    "{.arg n} must be at least the number of rows with rates: each has a count.",
    x = "{.arg n} is {ask$n}; there are {n_rows} rows.",
    i = "{.arg n} is the total of the table."
  ), rows = integer())
}

# ---- sharp bounds -----------------------------------------------------------------------------

sharp_bounds <- function(ask) {
  x <- ask$x
  found <- with_core(
    with_progress("Bounding", function(tick) {
      cpp_sharp_rates(x$units, x$scale, ask$room, ask$n, ask$max_sums, tick)
    }, show = ask$progress),
    hints = list(too_large = "Raise {.arg max_memory_mb}, or take fewer digits.")
  )
  if (!found$feasible) abort_infeasible_rates(ask, found$alone)
  list(
    lower = found$lower[, found$kind], upper = found$upper[, found$kind], sharp = TRUE,
    totals = found[c("kind", "n_totals", "first", "last", "runs")]
  )
}

count_conditional <- function(ask, splits, max_products) {
  x <- ask$x
  digits <- with_core(
    with_progress("Counting tables", function(tick) {
      cpp_count_rate_tables(x$units, x$scale, ask$room, ask$n, splits, max_products, tick)
    }, show = ask$progress)
  )
  if (nzchar(digits)) new_sdc_count(digits, TRUE)
}

# ---- closed forms -----------------------------------------------------------------------------

# Ends of the rates, cut to what the other rates of the row leave.
rate_ends <- function(ask) {
  x <- ask$x
  scale <- rep(x$scale, each = nrow(x$units))
  room <- ask$room[1] / ask$room[2]
  low <- pmax(x$units - room, 0) / scale
  high <- pmin(x$units + room, scale) / scale
  if (is_exact(x)) {
    return(list(low = low, high = high))
  }
  n_rates <- nrow(x$units)
  low_sum <- rep(colSums(low), each = n_rates)
  high_sum <- rep(colSums(high), each = n_rates)
  wrong <- which(colSums(low) > 1 + 1e-9 | colSums(high) < 1 - 1e-9)
  if (length(wrong) > 0) abort_infeasible_rates(ask, wrong)
  list(low = pmax(low, 1 - (high_sum - high)), high = pmin(high, 1 - (low_sum - low)))
}

closed_bounds <- function(ask, method) {
  ends <- rate_ends(ask)
  n_rates <- nrow(ask$x$units)
  n_rows <- length(ask$x$scale)
  least <- rep(1, n_rows)
  taken <- least
  if (method != "lp") {
    # A positive rate has a count of 1 at least; the least rate says most.
    positive <- ifelse(ends$low > 1e-12, ends$high, NA)
    smallest <- do.call(pmin, c(lapply(seq_len(n_rates), function(j) positive[j, ]), na.rm = TRUE))
    least <- ifelse(is.na(smallest), 1, 1 / smallest)
    taken <- least
  }
  lower <- ends$low * rep(least, each = n_rates)
  whole_lower <- round_up(lower)
  if (method == "improved") taken <- pmax(1, colSums(whole_lower), round_up(least))
  left <- rep(ask$n - (sum(taken) - taken), each = n_rates)
  upper <- left * ends$high
  whole_upper <- round_down(upper)
  short <- which(colSums(whole_upper < whole_lower) > 0)
  if (length(short) > 0) abort_infeasible_rates(ask, integer())
  list(
    lower = whole_lower, upper = whole_upper, sharp = FALSE,
    real = list(lower = as.vector(lower), upper = as.vector(upper))
  )
}

round_up <- function(x) ceiling(x - 1e-9 * pmax(1, abs(x)))

round_down <- function(x) floor(x + 1e-9 * pmax(1, abs(x)))

# ---- cells ------------------------------------------------------------------------------------

# The cells to bound, in order: for each its levels and the position of its rate, 0 in absent rows.
bounded_cells <- function(x, of, cells) {
  variables <- names(x$dimnames)
  if (of == "margins") variables <- setdiff(variables, free_variables(x))
  dimnames <- x$dimnames[variables]
  if (!is.null(cells)) {
    at <- resolve_cells(cells, dimnames)
    codes <- rlang::set_names(split_codes(at, lengths(dimnames)), variables)
    return(list(dimnames = dimnames, codes = codes, rate = match_rates(x, codes)))
  }
  codes <- rate_codes(x)
  rate <- seq_along(x$units)
  size <- lengths(dimnames)
  splits <- prod(size) / prod(size[names(codes)])
  check_rates(length(rate) * splits)
  free <- setdiff(variables, names(codes))
  if (length(free) > 0) {
    part <- split_codes(rep(seq_len(splits), each = length(rate)), size[free])
    codes <- c(lapply(codes, rep, times = splits), rlang::set_names(part, free))
    rate <- rep(rate, splits)
  }
  by <- order(combine_codes(codes[variables], size, length(rate)), method = "radix")
  list(dimnames = dimnames, codes = lapply(codes[variables], function(v) v[by]), rate = rate[by])
}

match_rates <- function(x, codes) {
  size <- lengths(x$dimnames)
  n <- length(codes[[1]])
  row <- match(
    combine_codes(codes[x$given], size[x$given], n),
    combine_codes(x$rows, size[x$given], length(x$scale))
  )
  at <- (row - 1) * nrow(x$units) + combine_codes(codes[x$response], size[x$response], n)
  ifelse(is.na(at), 0, at)
}

spread_bounds <- function(at, found, splits, method, x) {
  pick <- function(values) {
    out <- numeric(length(at$rate))
    out[at$rate > 0] <- values[at$rate]
    out
  }
  whole <- function(values) if (splits > 1) numeric(length(at$rate)) else pick(values)
  real <- if (!is.null(found$real)) {
    list(lower = whole(found$real$lower), upper = pick(found$real$upper))
  }
  new_bounds(
    at$dimnames, at$codes, whole(found$lower), pick(found$upper), found$sharp, method,
    n_tables = found$n_tables,
    totals = if (!is.null(found$totals)) {
      c(found$totals, list(given = x$given, rows = x$rows, dimnames = x$dimnames[x$given]))
    },
    real = real, note = found$note %||% character()
  )
}

#' @rdname bounds_conditional
#' @param values (flag) list all totals?
#' @export
feasible_totals <- function(x, values = FALSE) {
  check_class(x, "sdc_bounds", make = "bounds_conditional")
  check_flag(values)
  totals <- x$totals
  if (is.null(totals)) {
    abort_sdc("input", c(
      "Only sharp bounds from conditional rates tell which totals are possible.",
      x = "These are {.val {x$method}} bounds of another kind.",
      i = "Use {.fn bounds_conditional} with {.code method = \"sharp\"}."
    ))
  }
  if (values) {
    return(list_totals(totals))
  }
  labels <- Map(as_level_factor, totals$rows, totals$dimnames)
  check_free_names(totals$dimnames, c("n_totals", "lower", "upper"))
  columns <- list(n_totals = totals$n_totals, lower = totals$first, upper = totals$last)
  list2data_frame(
    c(labels, lapply(columns, function(column) column[totals$kind])), length(totals$kind)
  )
}

list_totals <- function(totals) {
  n <- sum(totals$n_totals[totals$kind])
  if (!totals$runs$all || n > 5e7) {
    abort_sdc("too_large", c(
      "All totals together must be at most 50,000,000 numbers in 2,000,000 runs.",
      x = "There are {format_count(n)}.",
      i = "Without {.arg values} there are their numbers and ends."
    ))
  }
  of_kind <- lapply(seq_along(totals$n_totals), function(k) {
    at <- totals$runs$start[k] + seq_len(totals$runs$start[k + 1] - totals$runs$start[k])
    unlist(Map(seq, totals$runs$from[at], totals$runs$to[at], totals$runs$by[at]))
  })
  rlang::set_names(of_kind[totals$kind], rate_row_labels(totals, seq_along(totals$kind)))
}
