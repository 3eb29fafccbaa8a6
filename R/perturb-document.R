# Files of perturbed tables: the counts, and everything that is known of the mechanism.

# Made again of its parts, an object that was changed by hand differs or is none.
#' @export
to_document.sdc_publication <- function(x) {
  if (!identical(new_sdc_publication(x$table, x$mechanism), x)) abort_changed()
  labels <- dimnames(x$table)
  lines <- table_lines(x$table)
  new_document(
    what = paste(
      "A table of counts, perturbed once by a random mechanism along cycles that keep its margins.",
      "This document and the table are all that is needed to compute what the table tells."
    ),
    label_names = names(labels), labels = lines$labels,
    columns = list(count = sprintf("%.0f", lines$counts)),
    table = list(
      cells = sprintf("%.0f", prod(dim(x$table))), total = sprintf("%.0f", sum(x$table)),
      layout = line_order(x$table$layout)
    ),
    members = c(
      list(variables = variables_document(labels, x$table$layout$trees)),
      if (!is.null(x$table$layout)) list(totals = layout_document(x$table$layout)),
      list(cycles = cycles_document(x$mechanism$cycles),
           mechanism = mechanism_document(x$mechanism))
    ),
    format = "mechanism"
  )
}

#' @export
from_document.sdc_publication <- function(kind, document, lines) {
  labels <- read_variables(document$variables)
  counts <- read_counts(lines[seq_len(min(length(lines), prod(lengths(labels)) + 1))], labels)
  need(identical(document$table$total, sprintf("%.0f", sum(counts))),
       "the counts do not add up to the total")
  layout <- read_layout(document, labels)
  set <- read_cycles(document$cycles, labels, layout)
  table <- set_layout(table_from_dense(counts, labels), layout)
  written <- table_lines(table)
  need(identical(lines[-1], paste0(written$labels, sprintf("%.0f", written$counts))),
       "the lines of totals are not the sums of the cells")
  publication(table, read_mechanism(document$mechanism, set))
}

read_counts <- function(lines, labels) {
  need(length(lines) == prod(lengths(labels)) + 1, "table.csv has not one line for each cell")
  header <- paste(quoted(c(names(labels), "count")), collapse = ",")
  need(identical(lines[[1]], header), "the header of table.csv has other variables")
  lines <- lines[-1]
  cells <- label_starts(labels)
  need(all(startsWith(lines, cells)), "table.csv has other cells or another order")
  digits <- substring(lines, nchar(cells) + 1)
  need(all(grepl("^(0|[1-9][0-9]{0,15})$", digits)), "a count is no plain whole number")
  counts <- as.numeric(digits)
  need(all(counts <= 2^53), "a count is too large")
  counts
}
