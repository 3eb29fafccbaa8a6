# Magnitude tables from cells that were added up elsewhere.

#' Ready cells of a magnitude table
#'
#' Makes a magnitude table of cells that another system has added up: a row for each cell with its
#' total, the number of its contributors, and its largest contributions. This is what tau-ARGUS
#' reads as a table with top contributors. [sensitive()][sensitive.sdc_magnitude],
#' [suppress()][suppress.sdc_magnitude], [audit()][audit.sdc_magnitude_suppression] and [publish()]
#' work from it as from [magnitude_table()]. The object is **private**.
#'
#' @details
#' **What the rules need.** [rule_threshold()] needs the numbers of contributors only,
#' [rule_max_share()] the largest contribution, [rule_p_percent()] the largest two, and
#' `rule_nk(n, k)` the largest `n`. From these a rule is exact: the other contributors count only by
#' their sum. A rule that needs more than `topVar` names is an error, unless no cell has more
#' contributors than are listed. The audit of [suppress()][suppress.sdc_magnitude] asks what the
#' second largest contributor learns: where only the largest is known, it takes the second for as
#' large as it may be, the largest or the rest.
#'
#' **Totals.** Rows for totals stand in the same frame. Such a row has a node of a tree as its
#' label, or `total_label` for a variable without a tree. All rows are checked, and contradictions
#' are an error that names the first of them:
#' * in each row the contributions descend, there are no more of them than contributors, they do not
#'   exceed the total, they are the total where all contributors are listed, and the others have
#'   room below the last of them;
#' * a total is the sum of its cells, its number of contributors is the sum of theirs, and its
#'   largest contributions are the largest of theirs.
#'
#' A cell that is not listed has no contributors. If that is not so, the totals will tell. Totals
#' that are not listed follow from the cells.
#'
#' **Holdings.** The rules above take it that each contributor has a part in one cell only. A
#' holding, or an enterprise with plants in several regions, has parts in several, and is one
#' contributor to their total. Then `holdingVar` names the column with the number of holdings, and
#' `topVar` the largest holdings. The rules judge holdings. What a total has of them cannot be
#' computed from its cells, so every published total that is not zero must be listed; it may have
#' fewer holdings than its cells together, and larger ones. Where a total has one holding, so have
#' all its cells, and it is the same one. Nothing else tells who is in several cells. So the audit
#' credits a holding with what it has in one row, and judges sums of suppressed cells as if their
#' holdings were different ones: there microdata with `contributorVar` would say more.
#'
#' **Units** are found or given as in [magnitude_table()].
#'
#' **Rounded frames.** With `tolerance` figures may differ by so much from what they should be: a
#' total from the sum of its cells, a contribution from that of its cells. The cells count: totals
#' are then the sums of the cells. A message says how many relations were accepted.
#'
#' **What cannot be done** with ready cells: [redistribute()], which moves contributors, and
#' [risk_np()], which judges other tables of the same contributors.
#'
#' @param data (data frame) A row for each cell and total.
#' @param dimVar (character vector or one-sided formula) Names of the dimension variables.
#' @param totalVar (string) The column of totals.
#' @param countVar (string or `NULL`) The column with the number of contributors. `NULL` only with
#'   `holdingVar`.
#' @param topVar (character vector) The columns of the largest contributions, the largest first:
#'   one to as many as there are. A missing value is allowed where a cell has fewer contributors.
#' @param holdingVar (string or `NULL`) The column with the number of holdings, where `topVar` are
#'   holdings that may have parts in several cells.
#' @param hierarchies,dimList (named list or `NULL`) For some variables a tree, or a list of trees,
#'   as in [as.data.frame.sdc_table()]. `dimList` is another name.
#' @param formula (one-sided formula or `NULL`) Which crossings are published, as in [sdc_table()].
#'   `NULL`: all.
#' @param total_label (string) The label of the total of a variable without a tree.
#' @param unit (number or `NULL`) The unit in which values are whole.
#' @param round (flag) Round values to the nearest unit?
#' @param tolerance (number >= 0) The largest difference that is accepted, in the unit of the data.
#'   Counts must always agree.
#' @param na (string) `"error"` or `"level"`: what a missing value in a dimension variable is.
#' @param ... Must be empty.
#' @return An object of class `sdc_magnitude_cells`, which is an `sdc_magnitude`. It answers what
#'   such a table does, see [sdc_magnitude-methods]; `as.data.frame()` has a row for each cell with
#'   contributors: `total`, `count`, and the largest contributions `top1`, `top2`, ...
#' @section Errors:
#' `sdc_error_input` for columns that do not exist or do two things, missing, negative or infinite
#' values, labels that are neither leaves nor nodes, and contradictions. Their figures are not in
#' the message but in the condition, as a confidential data frame `contradictions`: the variables,
#' `relation`, `shown`, `summed` and `difference`. `sdc_error_too_large` for more than 2^53 units
#' or cells, and for more than 100 million contributors.
#' @section Guarantee:
#' Exact, as [sensitive()][sensitive.sdc_magnitude] is for the contributors themselves.
#' @section Complexity:
#' Time O(n log n) and memory O(n) in the number n of contributors, once for each kind of total.
#' @references Hundepool, A. et al. (2012). *Statistical Disclosure Control*. Wiley, section 4.2:
#'   the rules, and what of the contributors they need.
#' @family magnitude
#' @export
#' @examples
#' cells <- data.frame(
#'   region = c("north", "south", "Total"), turnover = c(243, 125, 368), n = c(3, 4, 7),
#'   max1 = c(132, 40, 132), max2 = c(99, 35, 99)
#' )
#' mg <- magnitude_cells(cells, "region", "turnover", "n", c("max1", "max2"))
#' mg
#' sensitive(mg, c(rule_threshold(3), rule_p_percent(10)), totals = TRUE)
#' # the message names the cell whose contributions exceed its total; the condition has the figures
#' cells$max1[2] <- 400
#' try(magnitude_cells(cells, "region", "turnover", "n", c("max1", "max2")))
magnitude_cells <- function(data, dimVar, totalVar, countVar, topVar, holdingVar = NULL,
                            hierarchies = NULL, dimList = NULL, formula = NULL,
                            total_label = "Total", unit = NULL, round = FALSE, tolerance = 0,
                            na = c("error", "level"), ...) {
  check_no_dots(...)
  check_ready_frame(data)
  check_quoted(dimVar, substitute(dimVar), data)
  check_quoted(totalVar, substitute(totalVar), data)
  check_quoted(countVar, substitute(countVar), data)
  check_quoted(topVar, substitute(topVar), data)
  check_quoted(holdingVar, substitute(holdingVar), data)
  check_given(dimVar)
  check_given(totalVar)
  check_given(countVar)
  check_given(topVar)
  check_string(total_label)
  check_unit(unit)
  check_flag(round)
  check_number(tolerance, min = 0)
  na <- check_choice(na, c("error", "level"))
  at <- ready_columns(data, dimVar, totalVar, countVar, topVar, holdingVar)
  columns <- encode_columns(unclass(data)[at$dim], names(data)[at$dim], na)
  trees <- one_of_two(hierarchies, dimList)
  nodes <- ready_nodes(columns, trees, total_label)
  rows <- ready_rows(data, at, columns, nodes, unit, round, tolerance)
  check_ready_rows(rows, nodes)
  x <- ready_table(rows, nodes, totalVar, trees, total_label, formula)
  check_no_hidden_totals(x, total_label)
  x <- check_ready_totals(x, rows, nodes)
  if (!rows$holdings) x$totals <- NULL
  validate_sdc_magnitude(x)
}

check_ready_frame <- function(data) {
  check_class(data, "data.frame", "data")
  if (nrow(data) > 0) {
    return(invisible(data))
  }
  abort_sdc("input", c("{.arg data} must have cells.", x = "{.arg data} has no rows."))
}

#' @export
redistribute.sdc_magnitude_cells <- function(x, ...) {
  check_all_contributors(x, "{.fn redistribute}")
}

# ---- methods ------------------------------------------------------------------------------------

#' @export
as.data.frame.sdc_magnitude_cells <- function(x, row.names = NULL, optional = FALSE, ...,
                                              stringsAsFactors = FALSE) {
  check_no_dots(...)
  tops <- paste0("top", seq_len(x$top))
  check_free_names(x$dimnames, c("total", "count", tops))
  top <- top_values(x, x$top)
  values <- lapply(seq_len(x$top), function(j) in_values(top[, j], x))
  list2data_frame(c(
    cell_factors(x$cell, x$dimnames),
    list(total = in_values(cell_totals(x), x), count = as.double(diff(x$start))),
    rlang::set_names(values, tops)
  ), length(x$cell))
}
