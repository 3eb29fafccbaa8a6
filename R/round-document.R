# Files of rounded tables.

#' @export
to_document.sdc_rounded_publication <- function(x) {
  check_one_table(x)
  labels <- x$table$dimnames
  table_document(
    what = paste0(
      "A table of counts, ",
      if (x$method == "small") "of which small ones" else "each", " rounded to a multiple of base.",
      " The rounded table is additive: rounded totals are the sums of rounded counts."
    ),
    label_names = names(labels), labels = csv_cells(labels),
    columns = list(count = exact_decimal(dense_counts(x$table))),
    words = list(count = "the rounded count"),
    layout = paste("one line for each cell, zeros included;", in_order),
    variables = variables_document(labels, x$hierarchies),
    parameters = list(
      base = verbatim_number(x$base), reach = verbatim_number(x$reach),
      reach_in_words = paste(
        paste0("No count, and none of the totals listed in margins, nor the grand total, is ",
               "further than reach"),
        "from what it was before."
      ),
      method = x$method, distance = x$distance, solver = x$solver,
      method_in_words = rounding_in_words[[x$method]],
      margins = I(lapply(x$margins, I)), total_label = x$total_label, totals_in_words = total_words
    )
  )
}

rounding_in_words <- c(
  stochastic = "Rounded at random, without bias, up or down to an adjacent multiple.",
  nearest = "The rounding with the least sum of changes, over the cells or over cells and margins.",
  small = paste(
    "Only counts below base changed, to 0 or base, so that no count and no total is between 0 and",
    "base. A count above base is exact."
  )
)

# Multiples of the base, or counts none of which is small.
are_rounded <- function(counts, base, method) {
  if (method == "small") all(counts == 0 | counts >= base) else all(counts %% base == 0)
}

#' @export
from_document.sdc_rounded_publication <- function(kind, document, lines) {
  p <- document$parameters
  labels <- document_labels(document)
  lines <- lines[-1]
  need(length(lines) == prod(lengths(labels)), "table.csv has not one line for each cell")
  counts <- decimal_fields(last_fields(lines, "count")$count)
  base <- read_number(p$base)
  method <- strings(list(p$method))
  need(base >= 1 && are_rounded(counts, base, method), "a count is not rounded to the base")
  structure(
    list(
      table = table_from_dense(counts, labels), base = base, method = method,
      distance = if (!is.null(p$distance)) strings(list(p$distance)),
      solver = strings(list(p$solver)), reach = read_number(p$reach),
      margins = lapply(p$margins, strings),
      hierarchies = plain_trees(read_trees(document$variables), labels),
      total_label = strings(list(p$total_label))
    ),
    class = sdc_class("sdc_rounded_publication")
  )
}
