# Published tables as people print them: suppressed cells as a sign, small counts as a class.

#' A published table for a report
#'
#' `format()` with the argument `suppressed` or `small` gives the published table as text: counts
#' with their totals, a sign in place of each suppressed cell, and small counts as a class if that
#' is wanted. Without these arguments `format()` of an object gives the lines that its print shows.
#'
#' @details
#' A private result, such as what [suppress()] returned, is shown as [publish()] would show it: no
#' suppressed count and no status.
#'
#' `small` changes the look of the table and protects nothing: totals that are shown give many of
#' the counts away. [bounds_margins()] computes what a reader learns.
#'
#' @name marked_table
#' @param x (publication, sdc_margins or sdc_suppression) What [publish()] returned, or a
#'   suppression.
#' @param suppressed (string) The sign of a suppressed cell. `"c"` is usual for confidential, `":"`
#'   for not available.
#' @param small (string or `NULL`) The class of small counts, such as `"<4"`: it stands in place of
#'   counts from 1 to 3. Zeros stay. Only for counts.
#' @param big.mark (string) What parts thousands, as in [format()].
#' @return Of a table of one or two variables a character matrix of class `noquote` with the labels
#'   as names: the levels, then the totals. Of other tables, and where not all cells are published,
#'   a data frame with the labels of each published cell and its text in the last column, named
#'   after what the values are.
#' @section Errors: `sdc_error_input` when `suppressed` or `big.mark` is no string, `small` is not
#'   `"<"` and a whole number, the values of `x` are no counts and `small` is given, or a variable
#'   has the name of the column of values.
#' @section Guarantee: Exactly the values and suppressed cells of the publication.
#' @family publication
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
#' pub <- publish(suppress(roehrig, maxN = 1, pattern = hidden))
#' format(pub, suppressed = "c", small = "<4")
NULL

# What a publication shows, cell by cell, with its totals: see new_shown_cells(). The default
# method reads as.data.frame().
shown_cells <- function(x) UseMethod("shown_cells")

# What format() of a publication gives when it has further arguments.
marked_table <- function(x, suppressed = "c", small = NULL, big.mark = ",", ...) {
  check_no_dots(...)
  check_string(suppressed)
  if (!identical(big.mark, "")) check_string(big.mark)
  cells <- shown_cells(x)
  texts <- marked_texts(cells, suppressed, small_class(small, cells), big.mark)
  if (cells$whole && length(cells$dimnames) %in% 1:2) {
    return(marked_matrix(texts, cells))
  }
  labels <- lapply(cells$dimnames, level_texts)
  check_free_names(labels, cells$measure)
  columns <- Map(function(code, labels) labels[code], cells$codes, unname(labels))
  names(columns) <- names(labels)
  list2data_frame(c(columns, rlang::set_names(list(texts), cells$measure)), length(texts))
}

marked_matrix <- function(texts, cells) {
  labels <- lapply(cells$dimnames, level_texts)
  if (length(labels) == 1) labels <- c(labels, list(cells$measure))
  noquote(matrix(texts, length(labels[[1]]), length(labels[[2]]), dimnames = labels))
}

marked_texts <- function(cells, suppressed, below, big.mark) {
  values <- cells$values
  # as many decimals as the values of a kind need, up to 15 digits
  block <- rep(seq_len(cells$blocks), each = length(values) / cells$blocks)
  texts <- unlist(lapply(split(values, block), format, big.mark = big.mark, trim = TRUE,
                         digits = 15, scientific = FALSE), use.names = FALSE)
  if (length(values) == 0) texts <- character()
  if (!is.null(below)) texts[values > 0 & values < below] <- paste0("<", whole_text(below))
  texts[is.na(values)] <- suppressed
  texts
}

# The number of the class, or NULL.
small_class <- function(small, cells) {
  if (is.null(small)) {
    return(NULL)
  }
  check_string(small)
  if (!grepl("^<[1-9][0-9]{0,8}$", small)) {
    abort_sdc("input", c(
      "{.arg small} must be {.val {'<'}} and a whole number, such as {.val {'<4'}}.",
      x = "{.arg small} is {.val {small}}."
    ))
  }
  if (!cells$counts) {
    abort_sdc("input", c(
      "Only counts have a class of small counts.",
      x = "The values of {.arg x} are of {.val {cells$measure}}.",
      i = "Leave {.arg small} out."
    ))
  }
  as.numeric(substring(small, 2))
}
