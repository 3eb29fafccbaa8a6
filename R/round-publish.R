# What leaves of a rounding, what publish() asks of it, and what it tells as constraints and in
# files.

#' @rdname publish
#' @export
publish.sdc_rounding <- function(x, insist = FALSE, record = NULL, ...) {
  check_no_dots(...)
  check_flag(insist)
  check_record(record)
  make <- if (identical(x$method, "small")) "round_small" else "round_controlled"
  verified(make, verify_rounding(x, make))
  if (x$reproducible && !insist) {
    abort_sdc("refused", c(
      "Only a rounding with secret coins can be published.",
      x = "This one was made with {.arg seed}: anybody can repeat its coins.",
      i = "Run {.fn round_controlled} without {.arg seed}; {.code insist = TRUE} publishes an
           example."
    ))
  }
  out <- public_rounding(x)
  let_out(out, record, rounding_entry(x, out), insist)
}

# What publish() asks of a rounding: nothing goes on the word of a field that can be edited.
# Multiples of the base, each cell and each released sum next to its original or as far away as
# `reach` says; what a network rounds to the nearest is rounded again.
verify_rounding <- function(x, make) {
  check_seal(x, "rounding", rounding_parts(x), make)
  untrue <- function(what) abort_untrue(what, make)
  if (!identical(x$original$dimnames, x$rounded$dimnames)) {
    untrue("The rounded table has other levels than the original.")
  }
  if (x$method == "small") {
    return(verify_small_rounding(x, untrue))
  }
  if (any(x$rounded$counts %% x$base != 0)) {
    untrue("Some rounded counts are no multiples of the base.")
  }
  broken <- rounding_violations(x$original, x$rounded, x$margins, x$base)
  network <- x$solver == "network"
  if (network && nrow(broken) > 0) {
    untrue("Some rounded counts or sums are not next to their originals.")
  }
  if (x$reach != x$base - 1 + x$base * max(0, abs(broken$by))) {
    untrue("Rounded counts or sums lie further from their originals than {.field reach} says.")
  }
  if (network && x$method == "nearest") {
    again <- round_by_network(x$original, x$margins, x$base, "nearest", x$distance, NULL)$rounded
    if (!identical(again$keys, x$rounded$keys) ||
          !identical(again$counts, as.double(x$rounded$counts))) {
      untrue("The rounded table is not the nearest one.")
    }
  }
}

# Only counts below the base changed, to 0 or the base; no published number is small; and none is
# further from its original than `reach` says.
verify_small_rounding <- function(x, untrue) {
  from <- x$original$counts
  to <- counts_beside(x$original, x$rounded)
  if (anyNA(match_cells(x$rounded, x$original)) ||
        any(from != to & !(from < x$base & to %in% c(0, x$base)))) {
    untrue("Some counts changed that are not small, or to something else than 0 or the base.")
  }
  found <- published_distance(x$original, x$rounded, x$margins, x$base)
  if (found$small_left > 0 || found$far > 0) {
    untrue("Some published numbers are small, or were small and are more than the base.")
  }
  if (x$reach != found$max) {
    untrue("Published numbers lie further from their originals than {.field reach} says.")
  }
}

# Each cell, each released sum and the total.
#' @export
as_parts.sdc_rounded_publication <- function(x, name, arg, style) {
  if (!is.null(x$crossings)) {
    return(linked_parts(x, name))
  }
  labels <- x$table$dimnames
  counts <- dense_counts(x$table)
  columns <- unclass(cell_factors(seq_along(counts), labels))
  cells <- new_part(part_name(name, "rounded cells"), columns, counts, counts, complete = TRUE)
  cells$hierarchies <- x$hierarchies
  sums <- released_sums(labels, x$margins, x$hierarchies, x$total_label)
  rows <- lapply(sums, function(s) {
    held <- s$part > 0
    parts <- sort(unique(s$part[held]))
    set <- part_name(name, paste("rounded", margin_label(s$variables[s$shown])))
    part <- new_part(set, sum_columns(s, parts), parts, parts, complete = FALSE)
    around(part, add_up(counts[held], s$part[held], s$n)[parts], x$reach)
  })
  total <- new_part(part_name(name, "rounded total"), list(), 0, 0, complete = TRUE)
  c(list(around_cells(cells, counts, x)), rows, list(around(total, sum(counts), x$reach)))
}

# Linked tables: the leaf cells that are published, and all other published cells.
linked_parts <- function(x, name) {
  shown <- linked_frame(x, zeros = TRUE)
  codes <- lapply(names(x$dimnames), function(v) as.integer(shown[[v]]))
  leaf <- Reduce(`&`, Map(function(code, n) code <= n, codes, lengths(x$dimnames)))
  # what the nodes of each variable hold
  leaves <- linked_layout(x)
  totals <- table_totals(leaves)
  labels <- Map(variable_label, x$dimnames, totals, node_labels(leaves, totals))
  part <- function(set, at, limits) {
    columns <- lapply(unclass(shown)[names(x$dimnames)], function(column) as.character(column[at]))
    part <- new_part(part_name(name, set), columns, 0, 0, complete = FALSE)
    c(limits(part, shown$count[at]), list(labels = labels))
  }
  c(
    if (any(leaf)) {
      list(part("rounded cells", leaf, function(part, at) around_cells(part, at, x)))
    },
    list(part("rounded totals", !leaf, function(part, at) around(part, at, x$reach)))
  )
}

# Within reach of what is shown.
around <- function(part, at, reach) {
  part$lower <- pmax(0, at - reach)
  part$upper <- pmin(at + reach, 2^53)
  part
}

# Where only small counts were rounded, a leaf cell of 0 was less than the base, one of the base was
# at most that, and a larger one is exact.
around_cells <- function(part, at, x) {
  part <- around(part, at, x$reach)
  if (x$method != "small") {
    return(part)
  }
  part$lower <- pmax(part$lower, ifelse(at == 0, 0, ifelse(at == x$base, 1, at)))
  part$upper <- pmin(part$upper, ifelse(at == 0, x$base - 1, at))
  part
}

# The published cells and totals of linked tables.
linked_frame <- function(x, zeros) {
  if (!zeros) {
    return(as.data.frame(x$table, responseName = "count"))
  }
  at <- linked_numbers(x)
  held <- combine_codes(stored_codes(x$table), dim(x$table), length(x$table$counts))
  counts <- x$table$counts[match(at, held)]
  count_frame(unname(cell_factors(at, x$table$dimnames)), replace(counts, is.na(counts), 0),
              x$table, "count")
}

# The numbers of all published cells in the box of all nodes.
linked_numbers <- function(x) published_numbers(linked_layout(x))

# A table without cells that has the leaves and the layout.
linked_layout <- function(x) {
  new_table(x$dimnames, list(keys = raw(), counts = numeric()),
            new_layout(x$hierarchies, x$total_label, x$crossings))
}

#' @export
to_document.sdc_rounded_publication <- function(x) {
  labels <- x$dimnames %||% x$table$dimnames
  linked <- !is.null(x$crossings)
  # cells and, where there are trees, totals; of linked tables the published ones
  lines <- if (linked) {
    list(labels = label_starts(x$table$dimnames, linked_numbers(x)),
         counts = linked_frame(x, TRUE)$count)
  } else {
    table_lines(set_layout(x$table, new_layout(x$hierarchies, x$total_label)))
  }
  table_document(
    what = paste0(
      "A table of counts, ",
      if (x$method == "small") "of which small ones" else "each", " rounded to a multiple of base.",
      " The rounded table is additive: rounded totals are the sums of rounded counts."
    ),
    label_names = names(labels), labels = lines$labels,
    columns = list(count = exact_decimal(lines$counts)),
    words = list(count = "the rounded count"),
    layout = if (linked) {
      paste("one line for each cell and total of a crossing, zeros included;", in_order)
    } else {
      line_order(list(trees = x$hierarchies))
    },
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

rounding_in_words <- c(
  stochastic = "Rounded at random, without bias, up or down to an adjacent multiple.",
  nearest = "The rounding with the least sum of changes, over the cells or over cells and margins.",
  small = paste(
    "Only counts below base changed, to 0 or base, so that no count and no total is between 0 and",
    "base. A count above base is exact."
  )
)

#' @export
from_document.sdc_rounded_publication <- function(kind, document, lines) {
  p <- document$parameters
  labels <- document_labels(document)
  counts <- decimal_fields(last_fields(lines[-1], "count")$count)
  base <- read_number(p$base)
  method <- strings(list(p$method))
  # multiples of the base, or counts none of which is small
  rounded <- if (method == "small") counts == 0 | counts >= base else counts %% base == 0
  need(base >= 1 && all(rounded), "a count is not rounded to the base")
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
