# Cell suppression: the public side.

#' Publish a table with suppressed cells, and look at it
#'
#' What [publish()] makes of a suppression: the published cells and totals, which others are
#' suppressed, and nothing that depends on the original in any other way. Of counts it is a part of
#' a release for [constraints()], [bounds_margins()], [count_tables()] and their kin. [audit()] says
#' what it still gives away.
#'
#' @details No true count or total of a suppressed cell is in it, and no status: a reader who knows
#' which cells are primary knows something of their counts or contributors. The result frames of
#' sdcTable and GaussSuppression have both.
#'
#' The rule stays behind too, unless `rule = TRUE`: who knows `maxN`, and how secondary cells are
#' chosen, can sometimes tell which cells are primary. Many offices publish it nevertheless.
#'
#' A certified table with more than 1,000,000 cells and totals (the option `sdcLattice.full_cells`)
#' lists those that are not zero: all others are published zeros. `as.table()` fills them in, up to
#' the size of the option `sdcLattice.max_cells`. Such a table has no audit, and makes no
#' constraints.
#'
#' Of **magnitudes** the rules are never published, and no numbers of contributors, unless
#' `counts = TRUE`: then those of the published cells and totals, from which those of suppressed
#' cells can often be computed. That a cell has one contributor is then no secret. `unit` is the one
#' that the published totals show; that of the data may be finer.
#'
#' @param x,object (private result of [suppress()] for `publish()`, else sdc_suppressed) The
#'   suppression, or its publication.
#' @param insist (flag) `TRUE` publishes a pattern that fails its audit.
#' @param rule (flag) Should the publication say `maxN` and `protectZeros`?
#' @param record (sdc_record or `NULL`) What is out, see [publication_record()]: the publication is
#'   judged together with it, and entered, or nothing is published.
#' @param counts (flag) Publish the numbers of contributors of published cells and totals?
#' @param totals (flag) Give rows, or levels of the array, for totals? Draw them? By default they
#'   are drawn where the table has trees or crossings.
#' @param variables (character vector or `NULL`) One or two variables: the picture then shows them
#'   with their totals, over all levels of the others. `NULL`: of a table with trees or crossings
#'   the first two of the largest crossing.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @return `publish()`: an object of class `sdc_suppressed`: a list with `cells` (data frame: a
#'   factor for each variable, with the totals as its last levels, `freq`, `NA` where suppressed,
#'   `suppressed`), `dimnames` (levels without totals), `hierarchies`, `total_label`, `maxN` and
#'   `protectZeros` (`NULL` unless `rule = TRUE`). Of magnitudes it is of class
#'   `sdc_magnitude_suppressed` too, `cells` have `total`, and `count` where published, instead of
#'   `freq`, and there are `variable` and `unit` instead of the rule. `as.data.frame()`: `cells`.
#'   `as.table()`: an array, `NA` where suppressed. `summary()`: a data frame with the numbers of
#'   cells and totals, and of those suppressed. `autoplot()`: a ggplot object.
#' @section Errors:
#' `sdc_error_refused` when the object was edited: its cells, status, rules and trees are worked out
#' again from the original; and, unless `insist = TRUE`, when its [audit()] with the default
#' readers, which is always run again, fails: a primary cell is published, is known exactly or (of
#' magnitudes) within its protection levels, a contributor or whoever knows that no zero is
#' suppressed learns one, or time did not do; for a
#' certified suppression when [verify_suppression()] fails, which takes the place of the audit;
#' `sdc_error_input` when ggplot2 is needed and not installed, and for unknown arguments.
#' @section Guarantee:
#' All parts are fresh copies. Two originals that lead to the same publication give identical
#' objects, and identical bytes in `serialize()` and `saveRDS()`.
#' @family suppress
#' @family magnitude
#' @name sdc_suppressed-methods
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
#' pub <- publish(suppress(roehrig, maxN = 1, pattern = hidden))
#' pub
#' as.table(pub, totals = TRUE)
#' head(as.data.frame(pub), 3)
#' bounds_margins(pub, hidden)
#' sample_tables(pub, 1, seed = 1)
#' firms <- data.frame(
#'   region = rep(c("north", "middle", "south"), c(3, 4, 4)),
#'   turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' as.data.frame(publish(suppress(mg, rule_p_percent(10), pattern = c(TRUE, TRUE, FALSE))))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(pub)
NULL

#' @rdname sdc_suppressed-methods
#' @export
publish.sdc_suppression <- function(x, insist = FALSE, rule = FALSE, record = NULL, ...) {
  check_no_dots(...)
  check_flag(rule)
  check_record(record)
  out <- publish_suppression(x, insist, rule = rule)
  let_out(out, record, suppression_entry(x, out), insist)
}

#' @rdname sdc_suppressed-methods
#' @export
publish.sdc_magnitude_suppression <- function(x, insist = FALSE, counts = FALSE, record = NULL,
                                              ...) {
  check_no_dots(...)
  check_flag(counts)
  check_record(record)
  out <- publish_suppression(x, insist, counts = counts)
  let_out(out, record, open_entry(out))
}

publish_suppression <- function(x, insist, ...) {
  check_flag(insist)
  verify_made_suppression(x)
  if (!insist) if (is_certified(x)) check_certified(x) else check_protects(x)
  public_suppression(x, ...)
}

# Certificates are proof: no audit need find it out.
check_certified <- function(x) {
  found <- tryCatch(verify_certified(x), error = function(cnd) {
    list(faults = "Its certificates cannot be read.")
  })
  if (length(found$faults) == 0) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "Only a suppression whose certificates protect every primary cell can be published.",
    rlang::set_names(escape_braces(found$faults), rep("x", length(found$faults))),
    i = "{.fn verify_suppression} shows what is not certified, for your eyes only.",
    i = "Give the search more time by {.arg time_limit_s}, merge small levels, or ask for less by
         {.arg maxN}, {.arg width} or {.arg readers}.",
    i = "{.code insist = TRUE} publishes the table as it is."
  ))
}

check_protects <- function(x) {
  found <- quietly_audit(x)
  n <- faults_of(found)
  if (all(n == 0)) {
    return(invisible(x))
  }
  said <- c(failure_words[setdiff(names(n)[n > 0], "implied")], escape_braces(found$implied))
  # singular or plural: of a cell when one fails, of a total when several cells do
  abort_sdc("refused", c(
    "Only a suppression that protects every primary cell can be published.",
    rlang::set_names(said, rep("x", length(said))),
    i = if (any(n[names(n) != "shown"] > 0)) {
      "{.fn audit} shows who learns what, for your eyes only."
    },
    i = if (x$method == "pattern" && n[["shown"]] > 0) {
      "Add {cli::qty(n[['shown']])}{?this cell/these cells} to {.arg pattern}:
       {.code {shown_code(x)}} lists {cli::qty(n[['shown']])}{?it/them}, for your eyes
       only. A total takes a {.arg pattern} that is a data frame."
    } else if (x$method == "pattern") {
      "Add further cells to {.arg pattern}, or leave it out: then {.fn suppress} chooses the cells."
    } else if (x$method == "sdcTable") {
      "Try {.code method = \"GaussSuppression\"}, whose patterns are repaired, or add cells by
       {.arg pattern}."
    } else {
      "Ask {.pkg GaussSuppression} for more, as by {.code {more_code(x)}}, or add cells by
       {.arg pattern}."
    },
    i = "{.code insist = TRUE} publishes the table as it is."
  ))
}

# Each fault of faults_of() in words; `n` has the numbers.
failure_words <- c(
  shown = "{n[['shown']]} primary cell{?s} {?is/are} published.",
  known = "{n[['known']]} primary cell{?s} can be computed exactly from what is published.",
  unprotected = "The interval{?s} of {n[['unprotected']]} primary cell{?s} {?does/do} not reach the
    protection levels.",
  near = "The second largest contributor comes near the largest one in {n[['near']]} cell{?s}.",
  learned = "{n[['learned']]} primary cell{?s} {?is/are} learned by readers who know more than
    what is published.",
  unsure = "What readers know of {n[['unsure']]} primary cell{?s} was not found in time.",
  unions = "The published totals give away {n[['unions']]} sum{?s} of suppressed cells that
    {?is/are} sensitive.",
  unions_unsure = "Whether sums that follow from the published totals are sensitive was not settled
    for {n[['unions_unsure']]} group{?s} of connected cells."
)

shown_code <- function(x) {
  paste0("subset(as.data.frame(x), ", if (of_units(x)) {
    "sdcStatus %in% c(\"s\", \"z\") & rules != \"\""
  } else {
    paste("sdcStatus == \"s\" & freq <=", format_count(x$maxN))
  }, ")")
}

more_code <- function(x) paste0("lpPackage = \"lpSolve\"", if (!of_units(x)) ", rangeMin = 3")

# ---- methods ------------------------------------------------------------------------------------

#' @rdname sdc_suppressed-methods
#' @export
format.sdc_suppressed <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  c(
    "public", suppressed_words(x),
    if (!is.null(x$maxN)) paste0("rule: ", rule_words(x), ", and others that protect them"),
    if (of_units(x)) paste("unit", plain_number(x$unit)),
    lowest_words(x$lowest),
    if (of_units(x) && is.null(x$cells$count)) "numbers of contributors are not published"
  )
}

#' @rdname sdc_suppressed-methods
#' @export
summary.sdc_suppressed <- function(object, ...) {
  check_no_dots(...)
  open <- in_crossings(object)
  inner <- seq_along(open) %in% inner_rows(object$cells, object$dimnames)
  hidden <- object$cells$suppressed & open
  data.frame(what = c("cells", "totals"), n = c(sum(inner & open), sum(!inner & open)),
             suppressed = c(sum(hidden & inner), sum(hidden & !inner)))
}

#' @rdname sdc_suppressed-methods
#' @export
as.data.frame.sdc_suppressed <- function(x, row.names = NULL, optional = FALSE, ..., totals = TRUE,
                                         stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  keep <- in_crossings(x)
  if (!totals) keep <- keep & seq_along(keep) %in% inner_rows(x$cells, x$dimnames)
  out <- x$cells[keep, ]
  rownames(out) <- NULL
  out
}

#' @rdname sdc_suppressed-methods
#' @export
as.table.sdc_suppressed <- function(x, totals = FALSE, ...) {
  check_no_dots(...)
  check_flag(totals)
  labels <- if (totals) lapply(unclass(x$cells)[names(x$dimnames)], levels) else x$dimnames
  at <- if (totals) seq_len(nrow(x$cells)) else inner_rows(x$cells, x$dimnames)
  size <- lengths(labels, FALSE)
  amount <- x$cells[[amount_column(x)]][at]
  if (!lists_zeros(x$cells, names(labels))) {
    check_cells(prod(size), getOption("sdcLattice.max_cells", 5e7))
    codes <- lapply(unclass(x$cells)[names(labels)], function(column) as.integer(column)[at])
    number <- combine_codes(unname(codes), size, length(at))
    amount <- replace(numeric(prod(size)), number, amount)
  }
  structure(array(amount, size, labels), class = "table")
}

#' @rdname sdc_suppressed-methods
#' @usage \method{autoplot}{sdc_suppressed}(object, ..., totals = has_layout(object),
#'   variables = NULL)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_suppressed <- function(object, ..., totals = has_layout(object), variables = NULL) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  check_flag(totals)
  check_window_variables(variables, object$dimnames)
  draw_suppressed(object, "Table with suppressed cells", totals, variables)
}

check_window_variables <- function(variables, dimnames) {
  ok <- is.null(variables) || is.character(variables) && length(variables) %in% 1:2 &&
    all(variables %in% names(dimnames)) && !anyDuplicated(variables)
  if (!ok) {
    abort_sdc("input", c(
      "{.arg variables} must name one or two variables of the table.",
      x = "It is {show_value(variables)}.",
      i = "The variables are {.val {names(dimnames)}}."
    ))
  }
}

# Has the table trees or crossings?
has_layout <- function(x) {
  if (is_private(x)) x <- public_suppression(x)
  length(x$hierarchies) > 0 || !is.null(x$crossings)
}

# `status` of all rows, of an object that is private: who published it tells no kinds apart.
draw_suppressed <- function(x, title, totals, variables = NULL, status = NULL) {
  if (totals || !is.null(variables)) {
    return(draw_suppressed_window(x, title, variables, status))
  }
  check_lists_zeros(x, x$dimnames, "to draw all of its cells")
  at <- inner_rows(x$cells, x$dimnames)
  kind <- if (!is.null(status)) c(u = "primary", x = "secondary")[as.character(status[at])]
  name <- if (of_units(x)) x$variable else "count"
  draw_tiles(x$dimnames, x$cells[[amount_column(x)]][at], name, unname(kind)) +
    ggplot2::labs(title = title)
}

# The window of a table with its totals, in which rows are cells of the box of all nodes.
draw_suppressed_window <- function(x, title, variables, status) {
  empty <- list(keys = raw(), counts = numeric())
  table <- new_table(x$dimnames, empty, new_layout(x$hierarchies, x$total_label, x$crossings))
  shown <- variables %||% window_variables(table)
  window <- window_nodes(take_margin(table, shown, "shown"), window_rows, window_columns)
  window$over <- setdiff(names(x$dimnames), shown)
  labels <- lapply(unclass(x$cells)[names(x$dimnames)], levels)
  codes <- as.list(match_each(root_nodes(table), labels))
  codes[match(shown, names(x$dimnames))] <- window$at
  number <- combine_codes(codes, lengths(labels, FALSE), length(window$open))
  row <- rows_of_cells(number, x$cells, names(labels))
  window$open <- is.na(row) | in_crossings(x)[row]
  kind <- if (!is.null(status)) unname(c(u = "primary", x = "secondary")[as.character(status[row])])
  name <- if (of_units(x)) x$variable else "count"
  amount <- x$cells[[amount_column(x)]][row]
  draw_window(window, replace(amount, is.na(row), 0), name, title, kind)
}

match_each <- function(values, sets) {
  unname(Map(match, values, sets))
}
