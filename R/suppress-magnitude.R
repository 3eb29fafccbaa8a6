# Suppression of magnitude tables: the confidential side.

#' Suppress sensitive cells of a magnitude table
#'
#' Takes the cells and totals that [rules] call sensitive out of a table of magnitudes, and further
#' cells so that nobody can estimate them closely. This package chooses the further cells, with
#' proof that can be checked; a library may choose them, or a pattern that you have already, which
#' are audited in whole numbers. A publication holds nothing but what it shows. The result is
#' **private**: it holds the original. [publish()] makes what may leave the building.
#'
#' @details
#' **Primary** are the cells and totals that [sensitive()][sensitive.sdc_magnitude] with
#' `totals = TRUE` calls sensitive, with the trees of the table. Cells without contributors are
#' zeros, and published where the library can do without them.
#'
#' **Certified suppression**, the default. `method = "certified"` chooses secondary cells of low
#' cost, and finds *certificates*: other tables in whole units of the data, with the same published
#' cells and totals, and no cell below 0, or below `lowest`. Readers of the publication alone cannot
#' tell them from the true table. They show that the protection levels are reached, as
#' [audit()][audit.sdc_magnitude_suppression] asks:
#' * for readers of the publication, some table has at least the upper level in a primary cell, and
#'   some table at most the lower one;
#' * for each contributor, some table reaches what she must still reckon with, and agrees with what
#'   she knows: the totals of the cells that are hers alone, also several of them, and that no total
#'   is less than her own value in it. The search credits whoever is not the largest contributor
#'   to a cell with the value of the second largest, which may ask for a little more than the audit
#'   does;
#' * no sum of suppressed cells that follows from the published totals is sensitive. Where one is,
#'   the search begins again and keeps it unknown.
#'
#' [verify_suppression()] checks all this from the records, the rules and the certificates, by code
#' that the search does not use; [publish()] does so, too. Two contributors who act together,
#' readers who know the method and other releases of the same data are not covered.
#'
#' `cost` says what is to be kept small: the number of secondary cells (`"cells"`), the sum of their
#' totals in units of the data (`"totals"`) or of the logarithms `log(1 + total)` (`"log"`). As for
#' counts, with `"cells"` totals are dearer than cells, and the grand total costs as much as all
#' others together; `total_cost = 1` makes all cells alike. The result says which cost is
#' *necessary*: a proved lower bound for patterns with such certificates. `method = "optimal"`
#' searches until no pattern is cheaper, which suits tables of some 100 cells. Cells for which no
#' certificate was found are listed in `lacking`, with a warning `sdc_warning_unsafe`, and
#' [publish()] refuses the result. A `pattern` is certified as it is by `method = "certified"`;
#' `repair = TRUE` suppresses further cells where it does not protect.
#'
#' Whether sums of suppressed cells that follow from published totals are sensitive is asked
#' afterwards, for a minute and longer in large tables. Where the answer stays open for some sum,
#' `lacking` has a row without a cell, and [publish()] refuses the result, though each primary cell
#' is certified. Tables of 11,000 cells were settled in seconds.
#'
#' **Single cells and last year.** `status` and `previous` are what they are for
#' [counts][suppress.default]. Cells with the code `u` are primary besides those of the rules, and
#' have the protection levels of cells below a threshold; `rules` calls them `status`.
#'
#' **The libraries** get the primary cells, and choose the *secondary* ones where `method` names
#' one. No library is needed otherwise.
#' * `"GaussSuppression"` calls `GaussSuppressionFromData()`: no primary cell can then be computed
#'   from the published ones by linear equations. Cells of one contributor are its singletons, with
#'   the method for tables of magnitudes (`singletonMethod = "numttHTT"`, or yours): nobody who is
#'   alone in cells computes another primary cell from what she knows. With
#'   `lpPackage = "lpSolve"` or `"highs"` it also gets the ends that intervals of primary cells must
#'   reach, and adds cells until they do: then the [audit()][audit.sdc_magnitude_suppression] seldom
#'   fails.
#' * `"sdcTable"` calls `protectTable(method = "SIMPLEHEURISTIC")`, which asks for an interval that
#'   is more than a point. One tree for a variable.
#'
#' Not to be computable is less than the rules ask for: a total that is sensitive by p percent must
#' not be known to within p percent of its largest contributor, by anybody, nor may a sum of
#' suppressed cells be sensitive that follows from published totals, also by their differences. So
#' the pattern of GaussSuppression is audited, and **repaired** where it fails: the cheapest
#' published cell beside each cell or sum that fails is given to the library as one more cell to
#' protect, and it runs again, until the audit passes or after 12 times: then the first pattern
#' remains, and `publish()` refuses it. Of 60 random 8 x 5 tables of 200 to 400 records 49 passed as
#' the library left them, and all after repair; 57 and all with a solver.
#'
#' **Negative values.** Where `x` was made with `negative = "absolute"`, the rules judge absolute
#' values, and the question is what readers know instead of "no total is negative". `lowest` says
#' it, and is required:
#' * `lowest = -Inf`: nothing. A suppressed total is then either known from the equations, or may be
#'   any number. So the audit asks whether a primary cell can be computed, by anybody or by a
#'   contributor who knows the cells that are hers alone.
#' * a number of 0 or less: no total of a cell is below it, and everybody knows. Intervals are then
#'   those of the table from which it is taken away, and must reach the levels of the rules:
#'   T + U and T - U, where U is what the absolute values ask for.
#'
#' The smaller `lowest`, the less readers are credited with, and the easier the audit passes. Where
#' readers take most values for positive, as of turnover with a few corrections, a limit near the
#' least total is the careful choice.
#'
#' In certificates no cell falls below `lowest`. Without a limit every multiple of a certificate is
#' one more table, so that one table with another total shows that the total may be any. Costs by
#' totals, and libraries, take the sums of absolute values in place of the totals. tau-ARGUS shifts
#' tables with negative cells alike (manual 4.1, section 2.10), and GaussSuppression judges
#' dominance by absolute values.
#'
#' **A pattern** is what [suppress()] takes for tables of counts. Which cells are primary is said by
#' the rules all the same; what a frame says of that is not used.
#'
#' @param x (sdc_magnitude) The table.
#' @param rules (sdc_rules) One or more rules, combined by `c()`.
#' @param pattern (logical array, table or data frame, or `NULL`) The cells to suppress.
#' @param method (string) What chooses the secondary cells: this package, with certificates
#'   (`"certified"`, `"optimal"`), or a library. With `pattern`: nothing, or `"certified"`.
#' @param p (number, percent) By how much the interval of a cell that is below the threshold must
#'   miss the largest contributor. For rules without a p percent rule only, which says it itself.
#' @param audit (flag) Run [audit()][audit.sdc_magnitude_suppression] at once, and keep it in the
#'   result? By default only of a `pattern` and of a library's choice, for certificates are proof.
#' @param repair (flag) Where the audit of a pattern of GaussSuppression fails, run it again with
#'   further cells to hide, until the audit passes, at most 12 times? Repair runs audits of its own,
#'   with `audit = FALSE` too. With a `pattern` and `method = "certified"`: suppress further cells,
#'   of low cost, until all primary cells are certified? `TRUE` is an error otherwise.
#' @param lowest (number of at most 0, or `NULL`) Of a table that may be negative: what readers know
#'   of the least total of a cell. See below.
#' @param ... With a library as `method` further arguments of it, by name: of GaussSuppression
#'   `lpPackage`, `secondaryZeros` and `singletonMethod`, with `lpPackage` also `rangeMin`,
#'   `rangePercent` and `allInt`; of sdcTable `detectSingletons` and `threshold`. The libraries
#'   ignore what they do not know, so all others are errors. `"certified"` and `"optimal"` take none
#'   of these, and they alone take the arguments that follow.
#' @param readers (character vector) From whom primary cells are protected: `"outsider"` (always)
#'   and `"contributor"`.
#' @param cost (string, function or data frame) What a secondary cell costs: see above, or a
#'   function of a data frame of the published cells that are not zero (the variables, with totals
#'   as further levels, `total` and `count`) that returns a number above 0 for each row; or a data
#'   frame that names cells by the variables and has a column `cost` (other cells cost 1).
#' @param total_cost (number > 0, or `NULL`) A factor on the cost of a total, once for each
#'   variable in which it is one: above 1 totals are suppressed less. `NULL` is 2 with
#'   `cost = "cells"`, and 1 with other costs.
#' @param published (logical array or data frame, or `NULL`) Cells that must stay published, in
#'   either form of `pattern`; a data frame names them by the variables alone.
#' @param status (data frame, or `NULL`) Codes for some cells and totals, which it names by the
#'   variables, in a column `sdcStatus`, and maybe costs in a column `cost`, as for
#'   [counts][suppress.default].
#' @param previous (sdc_suppression, sdc_suppressed, data frame, or `NULL`) Last year's table: what
#'   it suppresses costs half as much to suppress again.
#' @param time_limit_s (number >= 0, seconds of processor time, or `NULL`) When to stop and take the
#'   best. `NULL` is 2 for `"certified"` and at most 300 published cells that are not zero, and 30
#'   otherwise.
#' @param seed (whole number, or `NULL`) For the search; `NULL`: drawn from R's generator.
#' @param progress (flag) Show a progress bar?
#' @return An object of class `sdc_magnitude_suppression`: a list with `original` (sdc_magnitude),
#'   `cells` (data frame: the variables with totals as further levels, `total`, `count`, `rules`,
#'   what fires, and `sdcStatus`: `u`, primary, `x`, secondary, `z`, a published total of zero,
#'   `s`, published), `rules`, `p`, `lowest` (where given), `method` (the method, `"pattern"` or
#'   `"certified pattern"`),
#'   `version` (of the library), `notes` (its warnings), `repair` (`NULL`, or a list: did the audit
#'   pass in the end, after how many `rounds`, which cells were `added`), `audit` (or `NULL`) and
#'   `seal` (see [publish()]).
#'
#'   A certified suppression has `readers`, `certificates`, `cost`, `bound`, `optimal`, `stopped`,
#'   `status`, `previous`, `further`, its arguments, and with `pattern` also `added`, as
#'   [suppress()] describes for counts; a `change` is in units of the data. In `lacking` the
#'   `reader` may be `"sum"`, for the rows of sums that follow and are sensitive, or were not
#'   settled (`NA`), and `who` is the number of the sum or of a contributor.
#' @section Errors:
#' `sdc_error_input` for arguments that do not fit, values without a unit, a `lowest` that is
#' missing or above some cell, a library that is not installed and several trees for a variable
#' with sdcTable; `sdc_error_too_large` for more than 10 million cells and totals;
#' `sdc_error_infeasible` when a library ends with an error or without an answer for each cell. The
#' library's own words are shown when they hold no number, as numbers may be values. A warning
#' `sdc_warning_library` for each warning of the library.
#' @section Guarantee:
#' Which cells are primary is exact. Certified: with `"certified"` and `"optimal"` all that
#' `lacking` does not name is proved to be protected. The number of secondary cells is heuristic,
#' unless `optimal` is `TRUE`. The pattern of a library is as good as the library's. What it
#' protects is exact: see [audit()][audit.sdc_magnitude_suppression].
#' @section Complexity:
#' The judging of totals sorts the contributors once for each kind of total; the rest is
#' proportional to the cells with their totals, and the library's work, or that of
#' the search, which `time_limit_s` ends.
#' @references Fischetti, M. and Salazar, J. J. (2001). Solving the cell suppression problem on
#'   tabular data with linear constraints. *Management Science* 47, 1008-1027. Langsrud, O. (2024).
#'   Secondary cell suppression by Gaussian elimination: an algorithm suitable for handling issues
#'   with zeros and singletons. *Privacy in Statistical Databases*.
#'   \doi{10.1007/978-3-031-69651-0_6}.
#' @family magnitude
#' @family suppress
#' @export
#' @examples
#' firms <- data.frame(
#'   region = rep(c("north", "middle", "south"), c(3, 6, 7)),
#'   branch = c("a", "a", "a", "a", "b", "b", "b", "b", "b", "a", "a", "a", "b", "b", "b", "b"),
#'   turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20, 30, 60, 55, 50, 45)
#' )
#' mg <- magnitude_table(firms, c("region", "branch"), "turnover")
#'
#' # no package is needed: the secondary cells come with proof
#' su <- suppress(mg, rule_p_percent(10))
#' su
#' verify_suppression(su)
#' explain(su, data.frame(region = "north", branch = "a"))
#' as.table(publish(su), totals = TRUE)
#'
#' # one more cell to protect, and one that must stay
#' codes <- data.frame(
#'   region = c("south", "middle"), branch = c("b", "Total"), sdcStatus = c("u", "z")
#' )
#' suppress(mg, rule_p_percent(10), status = codes)
#'
#' # a pattern is audited
#' hidden <- matrix(c(TRUE, TRUE, FALSE, TRUE, TRUE, FALSE), 3)
#' suppress(mg, rule_p_percent(10), pattern = hidden)
#'
#' # corrections of earlier years may be negative: readers know that no cell is below -20
#' firms$turnover[8] <- -15
#' mg <- magnitude_table(firms, c("region", "branch"), "turnover", negative = "absolute")
#' suppress(mg, rule_p_percent(10), lowest = -20)
#' @examplesIf all(vapply(c("GaussSuppression", "lpSolve"), requireNamespace, NA, quietly = TRUE))
#' # a library's choice, audited and repaired
#' mg <- magnitude_table(firms[-8, ], c("region", "branch"), "turnover")
#' suppress(mg, rule_p_percent(10), method = "GaussSuppression", lpPackage = "lpSolve")
suppress.sdc_magnitude <- function(x, rules, pattern = NULL,
                                   method = c("certified", "optimal", "GaussSuppression",
                                              "sdcTable"),
                                   p = 10, audit = TRUE, repair = audit, lowest = NULL, ...,
                                   readers = c("outsider", "contributor"), cost = "cells",
                                   total_cost = NULL, published = NULL, status = NULL,
                                   previous = NULL, time_limit_s = NULL, seed = 1,
                                   progress = rlang::is_interactive()) {
  validate_sdc_magnitude(x, "x")
  check_sensitivity_rules(rules)
  check_tops_suffice(x, rules)
  wishes <- list(readers = readers, cost = cost, total_cost = total_cost, published = published,
                 status = status, previous = previous, time_limit_s = time_limit_s, seed = seed,
                 progress = progress, width = 1, threads = 1, key = NULL)
  ask <- choose_method(pattern, method, audit, repair, wishes, names(match.call()), unit_readers)
  if (!missing(p)) check_percent_is_read(rules)
  suppress_units(x, rules, p, lowest, ask, ...)
}

suppress_units <- function(x, rules, p, lowest, ask, ...) {
  validate_sdc_magnitude(x, "x")
  check_percent(p, 1000)
  check_magnitude_to_suppress(x)
  check_lowest(lowest, x)
  check_no_solver(lowest, list(...))
  if (!ask$method %in% library_methods) {
    check_no_library_arguments(ask$method, TRUE, ...)
    check_no_dots(...)
  }
  fields <- c(list(original = x, cells = NULL, rules = rules, p = p),
              if (!is.null(lowest)) list(lowest = as.double(lowest)))
  class <- sdc_class("sdc_magnitude_suppression", "sdc_suppression", mark = "private")
  suppress_cells(structure(fields, class = class), ask, list(...))
}

check_percent_is_read <- function(rules) {
  at <- rules$kind == "p_percent"
  if (!any(at)) {
    return(invisible(rules))
  }
  abort_sdc("input", c(
    "{.arg p} must be given only for rules without a p percent rule.",
    x = "The rules have one: {.val {rules$label[at]}}.",
    i = "Leave {.arg p} out, and say the percentage in {.fn rule_p_percent}."
  ))
}


#' @rdname sdc_weighted-methods
#' @export
suppress.sdc_weighted <- function(x, maxN = 3, pattern = NULL,
                                  method = c("GaussSuppression", "sdcTable"), p = 10, audit = TRUE,
                                  repair = audit, ...) {
  check_whole(maxN, min = 0, max = 1e6 - 1)
  ask <- suppression_choice(pattern, method, audit, repair, c(!missing(method), !missing(repair)))
  suppress_units(x, rule_threshold(maxN + 1), p, NULL, ask, ...)
}
