# Files of rounded tables.

#' @export
to_document.sdc_rounded_publication <- function(x) {
  labels <- x$dimnames %||% x$table$dimnames
  lines <- rounded_lines(x)
  table_document(
    what = paste0(
      "A table of counts, ",
      if (x$method == "small") "of which small ones" else "each", " rounded to a multiple of base.",
      " The rounded table is additive: rounded totals are the sums of rounded counts."
    ),
    label_names = names(labels), labels = lines$labels,
    columns = list(count = exact_decimal(lines$counts)),
    words = list(count = "the rounded count"),
    layout = if (is.null(x$crossings)) line_order(list(trees = x$hierarchies)) else
      paste("one line for each cell and total of a crossing, zeros included;", in_order),
    variables = variables_document(labels, x$hierarchies),
    parameters = c(list(
      base = verbatim_number(x$base), reach = verbatim_number(x$reach),
      reach_in_words = paste(
        paste0("No count, and none of the totals listed in margins, nor the grand total, is ",
               "further than reach"),
        "from what it was before."
      ),
      method = x$method, distance = x$distance, solver = x$solver,
      method_in_words = rounding_in_words[[x$method]],
      margins = I(lapply(x$margins, I)), total_label = x$total_label, totals_in_words = total_words
    ), crossings_document(x$crossings))
  )
}

# The labels and counts of all lines: cells and, where there are trees, totals; of linked tables the
# published ones.
rounded_lines <- function(x) {
  if (is.null(x$crossings)) {
    return(table_lines(set_layout(x$table, new_layout(x$hierarchies, x$total_label))))
  }
  rows <- linked_frame(x, TRUE)
  list(labels = label_starts(x$table$dimnames, linked_numbers(x)), counts = rows$count)
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
  counts <- decimal_fields(last_fields(lines[-1], "count")$count)
  base <- read_number(p$base)
  method <- strings(list(p$method))
  need(base >= 1 && are_rounded(counts, base, method), "a count is not rounded to the base")
  crossings <- read_crossings(p, labels)
  trees <- plain_trees(read_trees(document$variables), labels)
  total_label <- strings(list(p$total_label))
  structure(
    c(
      list(
        table = read_rounded_table(counts, labels, new_layout(trees, total_label, crossings)),
        base = base, method = method,
        distance = if (!is.null(p$distance)) strings(list(p$distance)),
        solver = strings(list(p$solver)), reach = read_number(p$reach),
        margins = lapply(p$margins, strings), hierarchies = trees, total_label = total_label
      ),
      if (!is.null(crossings)) list(dimnames = labels, crossings = crossings)
    ),
    class = sdc_class("sdc_rounded_publication")
  )
}

# The leaf cells; of linked tables the published cells in the box of all nodes.
read_rounded_table <- function(counts, labels, layout) {
  if (is.null(layout$crossings)) {
    need(length(counts) >= prod(lengths(labels)), "table.csv has not one line for each cell")
    return(table_from_dense(counts[seq_len(prod(lengths(labels)))], labels))
  }
  frame <- table_from_nothing(labels, layout)
  at <- published_numbers(frame)
  need(length(counts) == length(at), "table.csv has not one line for each published cell")
  nodes <- node_labels(frame)
  need_linked_sums(at, counts, nodes, layout, labels)
  check_cells(prod(lengths(nodes)), getOption("sdcLattice.max_cells", 5e7))
  table_from_dense(replace(numeric(prod(lengths(nodes))), at, counts), nodes)
}

# A published total of which all parts are published is their sum.
need_linked_sums <- function(at, counts, nodes, layout, labels) {
  stride <- cumprod(c(1, lengths(nodes, FALSE)))
  for (v in seq_along(nodes)) {
    name <- names(nodes)[v]
    trees <- layout$trees[[name]] %||%
      list(list(parent = rep(layout$total_label, length(labels[[v]])), child = labels[[v]]))
    code <- (at - 1) %/% stride[v] %% length(nodes[[v]]) + 1
    for (tree in trees) {
      for (node in unique(tree$parent[!is.na(tree$parent)])) {
        parent <- match(node, nodes[[v]])
        below <- match(tree$child[tree$parent %in% node], nodes[[v]])
        own <- which(code == parent)
        parts <- match(outer(at[own], (below - parent) * stride[v], `+`), at)
        sums <- rowSums(matrix(counts[parts], length(own)))
        need(all(is.na(sums) | sums == counts[own]), "totals are not the sums of their cells")
      }
    }
  }
}
