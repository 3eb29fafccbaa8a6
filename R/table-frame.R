#' A table as a long data frame, with totals
#'
#' One row for each cell: a factor for each variable, with all its levels in their order (or
#' strings, by `stringsAsFactors = FALSE`, which forget the order and the levels without a count),
#' and the count. The rows stand in the order of the cells, first variable fastest. With
#' `totals = TRUE` there are rows for totals as well.
#'
#' # Totals
#' A total is a level of a variable that stands for several levels; its count is the sum of theirs.
#' With `totals = TRUE` every variable gets one, named `total_label`, over all its levels, unless
#' the table has trees for it, or `hierarchies` names some. There the variable gets a total for each
#' inner node of the tree. A table made with a `formula` has rows for the cells of its crossings
#' alone. Totals come after the levels of the table, in the order of the tree. See [hierarchies] for
#' the formats that a tree can have, and for what is checked. A leaf that does not occur in the
#' table has no records: the table gets it as a level of zeros, after its own levels. A variable may
#' have several trees, given as a list of them, or under its name several times.
#'
#' # Complexity
#' One variable after the other is aggregated. For each it takes time in proportion to the cells so
#' far that are not zero, times the nodes above a leaf; nothing is sorted unless a crossing has
#' fewer
#' nodes of a variable than it has leaves. `max_cells` is checked before the memory is taken.
#'
#' @param x (`sdc_table`) the table.
#' @param row.names,optional ignored; there for the generic.
#' @param ... must be empty.
#' @param totals (flag) add totals? The default is yes when `hierarchies` are given.
#' @param hierarchies (named list) for some variables a tree, or a list of trees; see [hierarchies].
#' @param dimList (named list) another name for `hierarchies`.
#' @param zeros (flag) add the rows of cells (and totals) whose count is zero?
#' @param responseName (string) name of the column of counts.
#' @param stringsAsFactors (flag) make the variables factors, or else strings?
#' @param total_label (string or `NULL`) name of the total of a variable without a tree; `NULL`:
#'   that
#'   of the table, which is "Total" unless it was made with another one. Trees and the label of
#'   totals belong to the table or are given here, but not both.
#' @param max_cells (number) largest number of rows; the default is the option
#'   `sdcLattice.max_cells`, or 5e7.
#' @return A data frame. `sdc_table(as.data.frame(x), freqVar = "freq")` gives `x` back.
#' @section Errors: `sdc_error_input` for a tree that would not add up, a total with the name of a
#'   level, or a `responseName` that is a variable; `sdc_error_too_large` when there would be more
#'   than `max_cells` rows.
#' @family table
#' @export
#' @examples
#' x <- margin(sdc_table(Titanic), c("Class", "Survived"))
#' as.data.frame(x, totals = TRUE)
#'
#' class <- data.frame(
#'   parent = c("All", "All", "Passengers", "Passengers", "Passengers"),
#'   child = c("Passengers", "Crew", "1st", "2nd", "3rd")
#' )
#' as.data.frame(x, hierarchies = list(Class = class))
#'
#' # the same, with the tree in the table
#' y <- sdc_table(Titanic, c("Class", "Survived"), hierarchies = list(Class = class))
#' y
#' as.data.frame(y, totals = TRUE)
as.data.frame.sdc_table <- function(x, row.names = NULL, optional = FALSE, ...,
                                    totals = !is.null(hierarchies) || !is.null(dimList),
                                    hierarchies = NULL, dimList = NULL, zeros = FALSE,
                                    responseName = "freq", stringsAsFactors = TRUE,
                                    total_label = NULL,
                                    max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_no_dots(...)
  check_flag(totals)
  check_flag(zeros)
  check_string(responseName)
  check_flag(stringsAsFactors)
  if (!is.null(total_label)) check_string(total_label)
  check_response_name(responseName, x)
  if (!totals) check_no_trees(hierarchies, dimList)
  out <- if (totals) {
    x <- with_layout(x, hierarchies, dimList, total_label)
    published_rows(x, zeros, responseName, max_cells)
  } else if (zeros) {
    all_rows(x, responseName, max_cells)
  } else {
    stored_rows(x, responseName, max_cells)
  }
  if (stringsAsFactors) out else factors_as_strings(out, length(x$dimnames))
}

check_no_trees <- function(hierarchies, dimList) {
  if (is.null(one_of_two(hierarchies, dimList))) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg hierarchies} are for totals.",
    x = "{.arg totals} is FALSE."
  ))
}

# A row for each published cell, with its totals.
published_rows <- function(x, zeros, name,
                           max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  published <- published_table(x, max_cells)
  if (!zeros) {
    return(stored_rows(published, name, max_cells))
  }
  if (is.null(table_crossings(x))) {
    return(all_rows(published, name, max_cells))
  }
  at <- published_numbers(x, max_cells)
  held <- combine_codes(stored_codes(published), dim(published), length(published$counts))
  counts <- published$counts[match(at, held)]
  counts[is.na(counts)] <- 0
  count_frame(unname(cell_factors(at, published$dimnames)), counts, published, name)
}

# The first `n` columns are the factors. Not by name: names need not be unique to a data frame.
factors_as_strings <- function(data, n) {
  columns <- unclass(data)
  columns[seq_len(n)] <- lapply(columns[seq_len(n)], as.character)
  list2data_frame(columns, nrow(data))
}

check_response_name <- function(responseName, x) {
  if (responseName %in% names(x$dimnames)) {
    abort_sdc("input", c(
      "The column of counts must not have the name of a variable.",
      x = "Pass {.arg responseName}: {.val {responseName}} is a variable of the table."
    ))
  }
}

stored_rows <- function(x, name, max_cells) {
  check_cells(length(x$counts), max_cells, "rows")
  columns <- Map(as_level_factor, stored_codes(x), unname(x$dimnames))
  count_frame(columns, x$counts, x, name)
}

all_rows <- function(x, name, max_cells) {
  check_cells(length(x), max_cells, "rows")
  n <- length(x)
  each <- cumprod(c(1, dim(x)))
  columns <- lapply(seq_along(x$dimnames), function(v) {
    as_level_factor(rep(rep(seq_len(dim(x)[v]), each = each[v]), length.out = n), x$dimnames[[v]])
  })
  count_frame(columns, dense_counts(x, max_cells), x, name)
}

count_frame <- function(columns, counts, x, name) {
  columns <- c(columns, list(counts))
  names(columns) <- c(names(x$dimnames), name)
  list2data_frame(columns, length(counts))
}
