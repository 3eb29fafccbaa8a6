# Files of redistributed magnitudes.

#' @export
to_document.sdc_magnitude_publication <- function(x) {
  counts <- !is.null(x$cells$count)
  totals <- if (!is.null(x$hierarchies)) magnitude_total_lines(x)
  table_document(
    what = paste(
      "A table of totals of a variable of magnitude, changed so that no total gives a contributor",
      "away. Cells that are not listed have no contributors."
    ),
    label_names = names(x$dimnames),
    labels = c(label_starts(x$dimnames, x$cells$cell), totals$labels),
    columns = c(list(total = exact_decimal(c(x$cells$total, totals$total))),
                if (counts) list(count = exact_decimal(c(x$cells$count, totals$count)))),
    words = c(list(total = "the published total"),
              if (counts) list(count = "the published number of contributors")),
    layout = paste0("one line for each cell with contributors; ", in_order,
                    if (!is.null(totals)) "; then one line for each total that is not empty"),
    variables = variables_document(x$dimnames, x$hierarchies),
    parameters = list(
      variable = x$variable, unit = verbatim_number(x$unit),
      per_unit = if (!is.na(x$per_unit)) verbatim_number(x$per_unit),
      unit_in_words = "All published totals are multiples of unit, which is 1 / per_unit if given.",
      counts = counts, max_change = if (!is.null(x$max_change)) verbatim_number(x$max_change),
      max_change_in_words = if (!is.null(x$max_change)) {
        "No total of a cell was changed by more than max_change."
      },
      total_label = x$total_label, totals_in_words = total_words
    ),
    reserved = c("total", "count")
  )
}

magnitude_total_lines <- function(x) {
  rows <- as.data.frame(x, totals = TRUE)
  codes <- lapply(unclass(rows)[names(x$dimnames)], as.integer)
  total <- Reduce(`|`, Map(function(code, levels) code > length(levels), codes, x$dimnames))
  labels <- lapply(unclass(rows)[names(x$dimnames)], levels)
  at <- combine_codes(codes, lengths(labels, FALSE), nrow(rows))
  list(labels = label_starts(labels, at[total]), total = rows$total[total],
       count = rows$count[total])
}

#' @export
from_document.sdc_magnitude_publication <- function(kind, document, lines) {
  p <- document$parameters
  labels <- document_labels(document)
  lines <- lines[-1]
  names <- c("total", if (isTRUE(p$counts)) "count")
  values <- lapply(last_fields(lines, names), decimal_fields)
  need(all(values$total >= 0), "a total is negative")
  codes <- first_codes(lines, labels)
  # the lines of totals follow; what is written again shows whether they are right
  leaves <- !Reduce(`|`, lapply(codes, is.na))
  values <- lapply(values, `[`, leaves)
  cell <- combine_codes(lapply(codes, `[`, leaves), lengths(labels, FALSE), sum(leaves))
  need(!is.unsorted(cell, strictly = TRUE), "table.csv has other cells, or another order")
  structure(
    list(
      dimnames = labels, cells = c(list(cell = cell), values),
      variable = strings(list(p$variable)), unit = read_number(p$unit),
      per_unit = read_number(p$per_unit) %||% NA,
      hierarchies = plain_trees(read_trees(document$variables), labels),
      total_label = strings(list(p$total_label)), max_change = read_number(p$max_change)
    ),
    class = sdc_class("sdc_magnitude_publication")
  )
}
