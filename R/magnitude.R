# Magnitude tables: the contributors of each cell, as whole units, grouped by cell.

#' Tables of magnitudes and their contributors
#'
#' A magnitude table shows sums, such as turnover by industry and region. To judge which sums give a
#' contributor away one needs the contributors of each cell: this object holds them. It is
#' **private**.
#'
#' @details
#' * **Contributors.** Without `contributorVar` every record is a contributor of its own. With it,
#'   records of one contributor in the same cell (a holding) are added up and count as one; so they
#'   do across cells, where totals are judged.
#' * **Units.** Values are held as whole numbers of `unit`, so that all rules are exact and
#'   redistribution keeps totals to the last unit. `unit = NULL` finds the largest of 1, 0.1, ...,
#'   1e-6 of which all values are multiples. Where there is none (logarithms, exchange rates) values
#'   are rounded to a power of two so small that the sum of all values has some 2^52 units:
#'   then the rules are exact for values that are right to some 16 digits of the grand total, and
#'   [redistribute()] asks for a table with a `unit`. A `unit` that you give and that does not
#'   divide all values is an error; `round = TRUE` rounds each value to the nearest unit.
#' * **Zeros.** A contributor of value 0 counts as a contributor and holds nothing.
#' * **Negative values** have no shares. They are an error that counts them, after records of one
#'   contributor were added up; with `negative = "absolute"` the rules, shares and protection levels
#'   are those of the absolute values, as is the total that they compare with. Such a table can be
#'   judged and suppressed, where `lowest` of [suppress()][suppress.sdc_magnitude] says what readers
#'   know, but not redistributed.
#' * **Weights** multiply values; cells and totals are sums of weighted values. `weights` says who
#'   the contributors are; see below.
#' * **Ready cells** have no contributors to judge: [magnitude_cells()] takes them. A frame without
#'   `contributorVar` in which each row is a cell of its own, and a column looks like the number of
#'   its contributors (it is called n, freq, count, nContr, ..., holds whole numbers, and some
#'   exceed 1), is refused;
#'   `rows = "records"` says that each row is one contributor all the same.
#' * Variables, levels and missing values of dimensions are as in [sdc_table()], and so are totals
#'   and nested variables.
#'
#' # Weights
#' A contributor of size v and weight w adds v w to the total of its cell. The rules then read the
#' cell in one of two ways.
#' * `weights = "population"`, the default: the record stays **one** contributor, whose contribution
#'   is v w. This protects the respondent from a reader who knows, or may guess, who is in the
#'   sample.
#' * `weights = "sample"`: the record **stands for** w contributors of size v each, as in tau-ARGUS.
#'   The rules judge the cell that is made so: the largest contribution and the second largest may
#'   both be v. Where weights are not whole, the n largest contributions together are what the
#'   largest hold whose weights sum to n. This protects the units of the population from each other,
#'   and trusts that nobody knows who was drawn. `rule_threshold()` counts respondents all the same.
#'
#' Where all weights are 1 or more, every cell that is sensitive as a sample is sensitive as a
#' population, and often not the other way round. The manual of tau-ARGUS has a cell with two
#' respondents: 100 with weight 4, and 10 with weight 7. The total is 470 both times. As a sample
#' the two largest contributions are 100 and 100, and the rest is 270. As a population they are 400
#' and 70, and the rest is 0, so that the second respondent, if she knows the weights, knows the
#' first one's value exactly.
#'
#' In a sample a contributor has one weight, with at most six decimals. Such a table can be judged
#' and suppressed but not redistributed. The audit of a suppression credits each respondent with her
#' own weight.
#'
#' @param data (data frame) The microdata: a row for each record.
#' @param dimVar (character vector or one-sided formula) Names of the dimension variables.
#' @param numVar (string) The column of values.
#' @param contributorVar (string or `NULL`) The column that says whose a record is.
#' @param weightVar (string or `NULL`) A column of weights, 0 or more, by which values are
#'   multiplied. A record of weight 0 is a contributor with the value 0.
#' @param weights (string) `"population"`: each weighted value is one contribution. `"sample"`: a
#'   record stands for as many contributors as its weight says. See below.
#' @param hierarchies,dimList (named list, `"auto"` or `NULL`) For some variables a tree, or a list
#'   of trees, see [hierarchies]: totals then have the inner nodes too. `"auto"` makes trees of
#'   nested columns. `dimList` is another name.
#' @param formula (one-sided formula or `NULL`) Which crossings are published, as in [sdc_table()]:
#'   `~ region * sector2 + county * sector4` are two linked tables. `dimVar` may then be left out.
#' @param total_label (string) What the total of a variable without a tree is called.
#' @param unit (number or `NULL`) The unit in which values are whole.
#' @param round (flag) Round values to the nearest unit?
#' @param negative (string) What negative values are: see below.
#' @param na (string) `"error"` or `"level"`: what a missing value in a dimension variable is.
#' @param total (`NULL`, `FALSE`, character vector or named list) Levels that are totals, as in
#'   [sdc_table()]: their rows are taken away after a check that they add up.
#' @param rows (string) `"records"`: each row is a record, even where the frame looks like ready
#'   cells. `"auto"`: then it is refused.
#' @param ... Must be empty.
#' @param threads (whole number >= 1) How many threads group the contributors; see
#'   [sdcLattice-threads]. The result does not depend on it.
#' @return An object of class `sdc_magnitude`; see [sdc_magnitude-methods], [sensitive()] and
#'   [redistribute()].
#' @section Errors:
#' `sdc_error_input` for what is said above, for unknown columns, no records, and missing or
#' infinite values, which are named by their row and never by their value; `sdc_error_too_large`
#' when the sum of absolute values exceeds 2^53 units, or the table 2^53 cells.
#' @section Complexity:
#' Time O(n log n) in the number of records, where the grouping by cells is shared by the threads;
#' memory O(n), whatever the number of cells.
#' @references Hundepool, A., Domingo-Ferrer, J., Franconi, L., Giessing, S., Schulte Nordholt, E.,
#'   Spicer, K. and de Wolf, P.-P. (2012). *Statistical Disclosure Control*. Wiley, p. 151:
#'   sampling weights in rules. De Wolf, P.-P. et al. (2014). *tau-ARGUS User's Manual, version
#'   4.1*. Statistics Netherlands, section 4.4.4: the example of weights 4 and 7.
#' @family magnitude
#' @export
#' @examples
#' firms <- data.frame(
#'   region = c("north", "north", "north", "south", "south", "south", "south"),
#'   turnover = c(132, 99, 12, 40, 35, 30, 20)
#' )
#' mg <- magnitude_table(firms, dimVar = "region", numVar = "turnover")
#' mg
#' sensitive(mg, rule_p_percent(10))
#'
#' # two readings of weights
#' sampled <- data.frame(branch = "mining", turnover = c(100, 10), w = c(4, 7))
#' for (weights in c("sample", "population")) {
#'   mg <- magnitude_table(sampled, "branch", "turnover", weightVar = "w", weights = weights)
#'   print(sensitive(mg, rule_p_percent(50)))
#' }
magnitude_table <- function(data, dimVar = NULL, numVar, contributorVar = NULL, weightVar = NULL,
                            hierarchies = NULL, dimList = NULL, formula = NULL,
                            total_label = "Total",
                            unit = NULL, round = FALSE, negative = c("error", "absolute"),
                            na = c("error", "level"), total = NULL, rows = c("auto", "records"),
                            weights = c("population", "sample"), ...,
                            threads = default_threads()) {
  check_no_dots(...)
  use_threads(threads)
  check_microdata(data)
  check_quoted(dimVar, substitute(dimVar), data)
  check_quoted(numVar, substitute(numVar), data)
  check_quoted(contributorVar, substitute(contributorVar), data)
  check_quoted(weightVar, substitute(weightVar), data)
  check_given(numVar)
  negative <- check_choice(negative, c("error", "absolute"))
  na <- check_choice(na, c("error", "level"))
  check_flag(round)
  check_string(total_label)
  check_unit(unit)
  check_total(total)
  rows <- check_choice(rows, c("auto", "records"))
  weights <- check_choice(weights, c("population", "sample"))
  check_weights_given(weights, weightVar)
  hierarchies <- one_of_two(hierarchies, dimList)
  plan <- table_plan(data, dimVar, c(numVar, contributorVar, weightVar), hierarchies, formula,
                     total_label)
  hierarchies <- plan$hierarchies
  dimVar <- plan$dimVar
  check_given(dimVar)
  at <- magnitude_columns(data, dimVar, numVar, contributorVar, weightVar)
  columns <- encode_columns(unclass(data)[at$dim], names(data)[at$dim], na)
  labels <- dimnames_with_leaves(lapply(columns, `[[`, "levels"), hierarchies, total_label)
  cell <- record_cells(columns, labels, nrow(data))
  found <- units_of_records(data, at, unit, round, weights)
  kept <- rows_without_totals(columns, nrow(data), found$units, total)
  if (length(kept) < nrow(data)) {
    data <- frame_without_totals(data, kept, total, at)
    return(magnitude_table(data, dimVar, numVar, contributorVar, weightVar, hierarchies, NULL,
                           formula, total_label, unit, round, negative, na, rows = rows,
                           weights = weights))
  }
  check_are_records(data, at, cell, rows)
  warn_of_nested(tabulate_records(columns, nrow(data), NULL))
  holders <- magnitude_holders(data, at)
  grouped <- with_core(cpp_group_contributors(cell, holders$code, found$units,
                                              default_threads()))
  check_signs(grouped$value, negative, numVar)
  trees <- plain_trees(hierarchies, labels, total_label)
  structure(
    c(list(dimnames = labels), grouped, list(
      holders = holders$labels, unit = found$unit, per_unit = found$per_unit,
      divides = found$divides, variable = numVar, hierarchies = trees, total_label = total_label
    ), holder_weights(found, holders$code), if (negative == "absolute") list(signed = TRUE),
    magnitude_crossings(labels, trees, total_label, formula)),
    class = sdc_class("sdc_magnitude", mark = "private")
  )
}

#' @rdname magnitude_table
#' @param x (any) What may be an `sdc_magnitude`.
#' @export
is_sdc_magnitude <- function(x) inherits(x, "sdc_magnitude")

# The crossings that are published, of a table made with a formula.
magnitude_crossings <- function(labels, trees, total_label, formula) {
  empty <- new_table(labels, list(keys = raw(), counts = numeric()), new_layout(trees, total_label))
  crossings <- formula_crossings(formula, empty)
  if (!is.null(crossings)) list(crossings = crossings)
}

check_microdata <- function(data) {
  check_class(data, "data.frame", "data")
  if (nrow(data) > 0) {
    return(invisible(data))
  }
  abort_sdc("input", c("{.arg data} must have records.", x = "{.arg data} has no rows."))
}

check_unit <- function(unit) {
  if (is.null(unit)) {
    return(invisible())
  }
  check_number(unit, min = 0, arg = "unit")
  if (unit > 0 && is.finite(unit)) {
    return(invisible(unit))
  }
  abort_sdc("input", c("{.arg unit} must be positive and finite.", x = "{.arg unit} is {unit}."))
}

# Positions of the columns, each with one part to play.
magnitude_columns <- function(data, dimVar, numVar, contributorVar, weightVar) {
  check_string(numVar)
  at <- list(
    num = resolve_columns(numVar, data, "numVar"),
    contributor = resolve_columns(contributorVar, data, "contributorVar", one = TRUE),
    weight = resolve_columns(weightVar, data, "weightVar", one = TRUE)
  )
  at$dim <- resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  all <- unlist(at)
  check_whole_columns(data, all)
  twice <- unique(all[duplicated(all)])
  if (length(twice) == 0) {
    warn_of_swapped(data, at)
    return(at)
  }
  abort_sdc("input", c(
    "A column must be a dimension, the value, the contributor or the weight.",
    x = "{.val {names(data)[twice]}} is used for more than one of them."
  ))
}

# A holding has few values, and no decimals; a value has no name of a number in a register.
warn_of_swapped <- function(data, at) {
  number <- function(i) {
    x <- if (!is.null(i)) unclass(data)[[i]]
    if (is.numeric(x) && !is.object(x)) as.vector(x)
  }
  measured <- any(number(at$contributor) %% 1 != 0, na.rm = TRUE)
  named <- grepl(holder_columns, names(data)[at$num], ignore.case = TRUE) &&
    all(number(at$num) %% 1 == 0, na.rm = TRUE)
  if (!measured && !named) {
    return(invisible())
  }
  warn_sdc("input", c(
    "{.arg numVar} names the values, and {.arg contributorVar} says whose they are.",
    x = if (measured) "{.val {names(data)[at$contributor]}} as {.arg contributorVar} holds numbers
                       with decimals.",
    x = if (named) "{.val {names(data)[at$num]}} as {.arg numVar} looks like the number of each
                    contributor in a register."
  ))
}

# Names of columns that say whose a record is.
holder_columns <- paste0("(^|[_.])(id|ids|key|code)$|^(firm|company|enterprise|holding|owner|",
                         "contributor|person|unit|respondent)s?([_.]?(id|nr|no|number))?$")

# The number of each record's cell, the first variable fastest.
record_cells <- function(columns, labels, n) {
  if (prod(lengths(labels)) > 2^53) {
    abort_sdc("too_large", c(
      "A magnitude table must have at most 2^53 cells.", x = "This one has more.",
      i = "Take fewer variables or levels."
    ))
  }
  found <- with_core(
    cpp_record_cells(lengths(labels, FALSE), unname(columns), n, default_threads())
  )
  if (length(found$missing) > 0) abort_missing(found$missing, names(columns))
  found$cells
}

# A code for each record's contributor, and what the codes mean.
magnitude_holders <- function(data, at) {
  if (is.null(at$contributor)) {
    return(list(code = seq_len(nrow(data)), labels = NULL))
  }
  x <- unclass(data)[[at$contributor]]
  if (!is.atomic(x) || !is.null(dim(x))) {
    abort_sdc("input", c(
      "{.arg contributorVar} must name a column of labels.",
      x = "{.val {names(data)[at$contributor]}} is {.obj_type_friendly {x}}."
    ))
  }
  if (inherits(x, "integer64")) x <- cpp_read_integer64(x)
  if (is_labelled(x)) x <- labelled_factor(x, names(data)[at$contributor])
  if (anyNA(x)) {
    abort_sdc("input", c(
      "{.arg contributorVar} must have no missing values.",
      x = "Row {which(is.na(x))[1]} is missing."
    ))
  }
  known <- unique(x)
  list(code = match(x, known), labels = as.character(known))
}

check_signs <- function(value, negative, name) {
  n <- sum(value < 0)
  if (n == 0 || negative == "absolute") {
    return(invisible(value))
  }
  abort_sdc("input", c(
    "The values of {.arg numVar} must not be negative: a negative part has no share in a total.",
    x = "{n} of {length(value)} contributor{?s} to {.val {name}} {cli::qty(n)}{?is/are}.",
    i = "{.code negative = \"absolute\"} judges cells by absolute values."
  ))
}

# Units as values.
in_values <- function(units, x) {
  if (is.na(x$per_unit)) units * x$unit else units / x$per_unit
}

has_negative <- function(x) any(x$value < 0)

# The signed sums of cells.
cell_totals <- function(x) {
  sums <- cumsum(c(0, x$value))
  sums[x$start[-1] + 1] - sums[x$start[-length(x$start)] + 1]
}
