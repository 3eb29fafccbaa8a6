# Contingency tables: sdc_table() and as_sdc_table().

#' Contingency tables with any number of variables
#'
#' The table that everything in this package starts from. It is stored as its non-zero cells: a
#' packed key for the levels and a count. The number of cells has no limit; what counts is the
#' number of cells that are not zero.
#'
#' # What can be tabulated
#' * **Microdata**: a data frame (also a tibble or a data.table) with a row for each record; the
#'   variables are those of `dimVar`, or all columns. `weightVar` names a column of whole-number
#'   weights.
#' * **Cells**: a data frame with a row for each cell and the counts in the column `freqVar`. Cells
#'   that are not listed are zero.
#' * **Tables**: a [table()], [xtabs()], [ftable()], matrix or array of counts. Here `dimVar`
#'   selects a margin.
#' * **Databases**: [db_records()], or a lazy table of dbplyr. The database counts; the records stay
#'   there.
#' * **Files** of records, read in chunks: [file_records()]. Tables of their parts are put together
#'   by `c()`, see [merge-tables].
#'
#' # Decisions
#' * Variables and levels are never renamed nor reordered. The levels of a factor are its levels, in
#'   their order; unused ones stay (as [table()] does) unless `drop_unused = TRUE`. A message names
#'   those that no record has, unless `drop_unused` is given. Any other
#'   variable (numbers, strings, logical values, dates) gets the levels that [factor()] would give:
#'   its distinct values, sorted. Numbers of class integer64 are exact up to 2^53 and refused
#'   beyond. The order of strings depends on the locale: make a factor where it
#'   must not. `NaN` counts as missing; infinite values are levels.
#' * **Missing values** in a dimension variable are an error that names the variable and the number
#'   of rows ([table()] drops such rows without a word). With `na = "level"` they become the last
#'   level, `NA`, of the variables that have them, as with `table(useNA = "ifany")`. A level `NA`
#'   that a factor has already (see [addNA()]) is a level like any other. To leave out incomplete
#'   records, do it before the call: `data[complete.cases(data), ]`.
#' * **Counts and weights** are whole numbers from 0 to 2^53, stored as numbers of type double, and
#'   so is their sum. They may be of class integer64, as databases give them. A missing, infinite,
#'   negative or fractional one is an error that names its position and never its value. Nothing is
#'   rounded: fractional weights are an error.
#' * **A cell that is listed twice** is an error that names its rows; `duplicates = "sum"` adds up.
#'   In microdata, of course, records are added up.
#' * Names need not be syntactic; they must be unique. In a table without names of dimensions these
#'   are Var1, Var2, ...; without labels, levels are "1", "2", ...
#' * **Totals are not levels.** In cells and tables (not in microdata) a level that is the sum of
#'   other levels of its variable, in every combination of the other variables, is an error: its
#'   counts would be counted twice. `total` names the levels that are totals; they are taken away
#'   after a check that they add up, and [as.data.frame()][as.data.frame.sdc_table] adds totals
#'   again, along trees too. A level counts as a sum when chance is no explanation (ten bits of
#'   evidence: some three combinations with counts near 30), or when it has the name of a total:
#'   Total, Sum, All, an empty string and their like. Then one count is enough. `total = FALSE` says
#'   that no level is a total. A level with such a name that is no sum is a level, with a warning.
#' * **Complete frames**, with rows for totals at every level, need `hierarchies` where a variable
#'   has a tree: rows whose label is an inner node are totals. `total` names those of the other
#'   variables. All totals that are listed are checked against their cells, and left out: the table
#'   computes them again. A cell without a row is zero, if the totals agree with that. Totals that
#'   do not agree are an error, which names the first of them. Its condition has the figures, a
#'   confidential data frame `contradictions` with the variables, `relation`, `shown`, `summed` and
#'   `difference`. `tolerance` accepts totals that were rounded; a message says how many differ, and
#'   the sums of the cells count.
#' * **Incomplete frames**, with counts that are missing or suppressed, are no table, but they say
#'   much about one: [constraints()] takes them.
#' * **Nested variables**, such as region and county, make cells that no record can be in. Where
#'   each level of one variable of a data frame lies in one level of another, and that would be no
#'   chance for independent variables (twenty bits), a warning proposes a tree, made by
#'   [nested_tree()]. The table is as asked.
#' * **Labels of values**, as haven reads them (class haven_labelled), are the levels, in the order
#'   of the values; a value without a label is a level of its own. Values that are declared missing
#'   are missing. So they are in columns of values, weights, counts and coordinates, where a label
#'   that occurs is a warning: it mostly stands for a code.
#' * **A number column that looks like counts**, called freq, Freq, n, count, Count or N, is a
#'   dimension like any other when neither `dimVar` nor `freqVar` says otherwise, with a warning. So
#'   it is when `dimVar` names it, and the other variables list each cell once; and when `weightVar`
#'   does.
#' * **A column with almost as many values as records**, or a number column with more than 100, is
#'   probably a measurement or a name of each record. It is a variable like any other, with a
#'   warning when `dimVar` does not name it.
#' * No records give a table of zeros. No variables (`dimVar = character(0)`) give the table with
#'   one cell, the total. Variables with one level, or none, are allowed.
#'
#' # Trees, totals and links
#' The table stores its **leaves**: the finest levels. Trees, one or several for a variable, say
#' which totals are published besides. No total is ever stored;
#' [as.data.frame()][as.data.frame.sdc_table]
#' with `totals = TRUE`, `print()`, [suppress()], [round_controlled()] and all others compute them.
#' A leaf that no record has is a level with zeros.
#'
#' `formula` says which **crossings** of the nodes are published, as in SSBtools:
#' `~ region * sector2 + county * sector4` are two linked tables, region by sector2 and county by
#' sector4, each with its totals, over common leaves. They are one object, so that one call protects
#' them together. A name in the formula is
#' * a **level** of a tree: a column of `data` in which other named columns lie, as region lies in
#'   county, or a column of a tree that was given with a column for each level. It means the nodes
#'   of
#'   that level;
#' * a **variable**. It means its levels, or all nodes of its trees where these have no level of
#'   that
#'   name.
#'
#' A variable that a term does not name stands at its total, so that `a * b` publishes a, b, a by b
#' and the grand total, and `a:b` a by b and the grand total, which `- 1` leaves out. With a formula
#' `dimVar` may be left out; a variable of
#' `dimVar` that the formula does not name is a further variable of the leaves.
#'
#' A saved table ([saveRDS()]) is for machines of the same byte order: its keys are kept as they lie
#' in memory.
#'
#' # Complexity
#' One pass over the records, which reads the codes of factors in place, and another one for each
#' variable of strings, dates or fractional numbers. Time O(records times variables), shared by the
#' threads; memory beyond the data O(non-zero cells), and some 30 MB for records on their way;
#' [sdcLattice-memory] says how to limit it. A margin takes O(non-zero cells). See
#' `system.file("bench", package = "sdcLattice")` for measurements.
#'
#' @param data (data frame, table, matrix, array, `sdc_table`, [db_records()] or [file_records()])
#'   what to tabulate; see below.
#' @param dimVar (character vector or one-sided formula) names of the dimension variables, in the
#'   order that the table shall have: `c("A", "B")` or `~ A + B`. `NULL`: all columns but `freqVar`
#'   and `weightVar`.
#' @param freqVar (string or `NULL`) column that holds the counts of the cells.
#' @param weightVar (string or `NULL`) column that holds whole-number weights of the records.
#' @param ... must be empty.
#' @param hierarchies,dimList (named list, or `"auto"`) for some variables a tree, or a list of
#'   trees: see [hierarchies] for the forms that are read. `"auto"` looks for nested columns, such
#'   as
#'   region and county, makes trees of them, and says what it found. `dimList` is another name.
#' @param formula (one-sided formula or `NULL`) which crossings are published; see below. `NULL`:
#'   all crossings of all nodes.
#' @param total_label (string or `NULL`) what the total of a variable without a tree is called;
#'   `NULL` is `"Total"`.
#' @param na (string) `"error"` or `"level"`: what a missing value in a dimension variable is.
#' @param drop_unused (flag) leave out levels without any count?
#' @param duplicates (string) `"error"` or `"sum"`: what a cell is that is listed twice; only with
#'   `freqVar`.
#' @param total (`NULL`, `FALSE`, character vector or named list) which levels of cells or tables
#'   are totals: `"Total"` for all variables that have it,
#'   `list(geo = c("EU", "Total"), age = "All")` by variable. `FALSE`: none is. `NULL`: those that
#'   are recognised are an error. Not needed for inner nodes of trees.
#' @param tolerance (whole number >= 0) by how much a total may differ from the sum of its cells,
#'   because it was rounded.
#' @param threads (whole number >= 1) how many threads count records and sum cells; see
#'   [sdcLattice-threads]. The table does not depend on it.
#' @return An object of class `sdc_table`. It answers [dim()], [dimnames()], [length()] (number of
#'   cells, infinite beyond the range of a double), [sum()] (the grand total), `[`, [as.table()],
#'   [as.array()], [as.data.frame()][as.data.frame.sdc_table], [print()], [summary()], [plot()];
#'   see [table-methods] and [margin()].
#' @section Errors: `sdc_error_input` for what the decisions above call an error;
#'   `sdc_error_too_large` when the grand total exceeds 2^53. `sdc_warning_input` for a column that
#'   looks like counts or has almost as many values as there are records, `sdc_warning_total` for a
#'   level with the name of a total that is none, `sdc_warning_nested` for nested variables;
#'   messages `sdc_message_unused` for levels without records, and `sdc_message_tolerance` when
#'   totals differ within `tolerance`.
#' @family table
#' @seealso [notation] for the terms.
#' @export
#' @examples
#' people <- data.frame(
#'   sex = factor(c("f", "m", "f", "f"), levels = c("f", "m")),
#'   age = c(30, 40, 40, 30)
#' )
#' # records are counted; the object keeps the cells that are not zero
#' x <- sdc_table(people, dimVar = c("sex", "age"))
#' x
#' as.table(x)
#' explain(x)
#'
#' # cells with their counts
#' cells <- data.frame(sex = c("f", "m"), age = c("30", "40"), n = c(2, 1))
#' sdc_table(cells, ~ sex + age, freqVar = "n")
#'
#' # a complete frame: totals at the nodes of a tree, and of the other variable
#' tree <- data.frame(parent = c("all", "all", "north", "north"), child = c("north", "c", "a", "b"))
#' counts <- data.frame(region = letters[1:3], n = c(4, 0, 7))
#' complete <- as.data.frame(sdc_table(counts, "region", "n"), hierarchies = list(region = tree))
#' complete
#' sdc_table(complete, "region", "freq", hierarchies = list(region = tree))
#'
#' # as_sdc_table() makes the same object of an array or a table; functions of this package call it
#' # on their argument
#' summary(as_sdc_table(Titanic))
#' identical(as_sdc_table(Titanic), sdc_table(Titanic))
sdc_table <- function(data, dimVar = NULL, freqVar = NULL, weightVar = NULL, ...,
                      hierarchies = NULL, dimList = NULL, formula = NULL, total_label = NULL,
                      na = c("error", "level"), drop_unused = FALSE,
                      duplicates = c("error", "sum"), total = NULL, tolerance = 0,
                      threads = default_threads()) {
  check_no_dots(...)
  use_threads(threads)
  check_given(data)
  check_quoted(dimVar, substitute(dimVar), data)
  check_quoted(freqVar, substitute(freqVar), data)
  check_quoted(weightVar, substitute(weightVar), data)
  na <- check_choice(na, c("error", "level"))
  duplicates <- check_choice(duplicates, c("error", "sum"))
  check_flag(drop_unused)
  check_that(
    is.null(freqVar) || is.null(weightVar),
    "Give {.arg freqVar} for cells or {.arg weightVar} for microdata.",
    x = "Both are given."
  )
  check_total(total)
  check_whole(tolerance, min = 0, max = 2^53)
  if (!is.null(total_label)) check_string(total_label)
  hierarchies <- one_of_two(hierarchies, dimList)
  if (!is.null(formula) || identical(hierarchies, "auto")) {
    plan <- table_plan(data, dimVar, c(freqVar, weightVar), hierarchies, formula, total_label)
    dimVar <- plan$dimVar
    hierarchies <- plan$hierarchies
  }
  x <- table_from(data, list(
    dimVar = dimVar, freqVar = freqVar, weightVar = weightVar, na = na, duplicates = duplicates,
    hierarchies = hierarchies, total = total, tolerance = tolerance,
    total_label = total_label %||% "Total"
  ))
  if (drop_unused) x <- select_levels(x, levels_in_use(x))
  if (missing(drop_unused) && is.data.frame(data) && is.null(freqVar)) tell_unused_levels(x)
  laid_out(x, hierarchies, total_label, formula)
}

#' @param x (any) what may be, or become, an `sdc_table`: `as_sdc_table()` takes an `sdc_table`,
#'   [table()], [xtabs()], [ftable()], matrix or array of counts, and a map of [hex_table()], whose
#'   hexagons with data become the levels `"q r"` of one variable.
#' @rdname sdc_table
#' @export
as_sdc_table <- function(x) {
  check_given(x)
  if (inherits(x, "sdc_hex")) map_table(x) else table_argument(x, "x")
}
