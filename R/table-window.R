# Windows of a table with its totals: the first nodes of one or two variables, the others at
# their totals. Prints and pictures show them.

# The first two variables of the crossing that shows most of them.
window_variables <- function(x) {
  variables <- names(x$dimnames)
  crossings <- table_crossings(x)
  if (!is.null(crossings)) {
    roots <- root_nodes(x)
    open <- lapply(crossings, function(crossing) {
      variables[!mapply(identical, crossing[variables], as.list(unname(roots)))]
    })
    open <- open[[which.max(lengths(open))]]
    if (length(open) > 0) variables <- open
  }
  utils::head(variables, 2)
}

# The first nodes of each variable, at most so many rows and columns: `at`, the codes of all their
# combinations; `labels`, `depth` and `total` of the nodes; `open`, which combinations are
# published.
window_nodes <- function(x, rows, columns) {
  most <- if (length(x$dimnames) == 1) rows else c(rows, columns)
  labels <- node_labels(x)
  shown <- Map(function(v, most) first_nodes(x, v, most), seq_along(x$dimnames), most)
  nodes <- lapply(shown, `[[`, "node")
  at <- unname(as.list(expand.grid(nodes, KEEP.OUT.ATTRS = FALSE)))
  list(
    at = at, size = lengths(nodes), open = is_published(x, at),
    labels = rlang::set_names(Map(function(node, labels) labels[node], nodes, unname(labels)),
                              names(x$dimnames)),
    depth = lapply(shown, `[[`, "depth"),
    total = Map(function(node, n) node > n, nodes, dim(x)),
    cut = any(lengths(nodes) < lengths(labels))
  )
}

# The same with `counts`: a matrix, or a vector for one variable; NA where nothing is published.
table_window <- function(x, rows, columns) {
  window <- window_nodes(x, rows, columns)
  published <- published_table(x)
  held <- combine_codes(stored_codes(published), dim(published), length(published$counts))
  number <- combine_codes(window$at, dim(published), length(window$open))
  counts <- published$counts[match(number, held)]
  counts[is.na(counts)] <- 0
  counts[!window$open] <- NA
  window$counts <- array(counts, window$size)
  window
}

# The first nodes of a variable as its first tree reads, each before what is below it, and the total
# at the end.
first_nodes <- function(x, v, most) {
  name <- names(x$dimnames)[v]
  totals <- variable_totals(table_trees(x)[[name]], x$dimnames[[v]], name, table_total_label(x))
  labels <- c(x$dimnames[[v]], names(totals))
  root <- which(lengths(totals) == dim(x)[v])[1] + dim(x)[v]
  tree <- table_trees(x)[[name]][[1]]
  walked <- if (is.null(tree)) list(node = labels[-root], depth = 1) else walk_tree(tree, most + 1)
  node <- match(walked$node, labels)
  depth <- rep_len(walked$depth, length(node))[node != root]
  node <- node[node != root]
  more <- setdiff(seq_along(labels), c(node, root))
  keep <- seq_len(min(most, length(labels)) - 1)
  list(node = c(c(node, more)[keep], root),
       depth = c(c(pmax(depth - 1, 0), numeric(length(more)))[keep], 0))
}

# A walk down from the root over the first nodes, the children of a node in the order of the tree.
walk_tree <- function(tree, most) {
  node <- integer()
  depth <- numeric()
  visit <- function(at, level) {
    if (length(node) == most) return()
    node <<- c(node, at)
    depth <<- c(depth, level)
    for (child in which(tree$parent %in% tree$child[at])) visit(child, level + 1)
  }
  visit(which(is.na(tree$parent)), 0)
  list(node = tree$child[node], depth = depth)
}

# ---- the picture --------------------------------------------------------------------------------

window_rows <- 40

window_columns <- 30

# `amounts`: of all combinations, NA where withheld; `kind`, if known, "primary" or "secondary"
# there. Totals are grey, as their size would hide all others.
draw_window <- function(window, amounts, name, title = NULL, kind = NULL) {
  codes <- unname(as.list(expand.grid(lapply(window$size, seq_len), KEEP.OUT.ATTRS = FALSE)))
  axes <- Map(function(labels, depth) {
    make.unique(paste0(strrep("\u00a0\u00a0", depth), short_level(labels)))
  }, window$labels, window$depth)
  total <- Reduce(`|`, Map(function(total, code) total[code], window$total, codes))
  label <- tile_labels(amounts, kind)
  label[!window$open] <- ""
  frame <- list2data_frame(list(
    .row = factor(axes[[1]][codes[[1]]], axes[[1]]),
    .column = if (length(axes) > 1) factor(axes[[2]][codes[[2]]], axes[[2]]) else
      factor(rep("", length(label))),
    .amount = replace(amounts, total, NA), .label = label
  ), length(label))
  if (!is.null(kind)) frame$.kind <- kind
  draw_window_tiles(frame, total & !is.na(amounts), window, name) +
    ggplot2::labs(title = title, x = c(names(window$labels), "")[2], y = names(window$labels)[1],
                  caption = caption_lines(window_caption(window),
                                          hidden_words(amounts[window$open], kind)))
}

# `total`: which tiles are totals with an amount.
draw_window_tiles <- function(frame, total, window, name) {
  amounts <- frame$.amount
  plain <- function(rows, fill) {
    if (any(rows)) ggplot2::geom_tile(data = frame[rows, ], fill = fill, colour = "grey80")
  }
  ggplot2::ggplot(frame, ggplot2::aes(.data$.column, .data$.row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$.amount), colour = "grey80") +
    fill_amounts(c(0, amounts), limits = range(c(0, 1, amounts), na.rm = TRUE)) +
    plain(total, "grey92") + plain(!window$open, "white") +
    mark_hidden(frame) +
    tile_words(frame$.label, nlevels(frame$.column), nlevels(frame$.row)) +
    level_axes(levels(frame$.column), levels(frame$.row)) +
    ggplot2::theme(axis.text.y = ggplot2::element_text(hjust = 0)) +
    (if (all(is.na(amounts))) ggplot2::guides(fill = "none")) +
    ggplot2::labs(fill = name)
}

window_caption <- function(window) {
  words <- c(
    if (length(window$over) > 0) paste("over all of", paste(window$over, collapse = ", ")),
    "totals are grey", if (!all(window$open)) "what is white is not published",
    if (window$cut) "the first rows and columns"
  )
  cut_text(paste(words, collapse = "; "), 90)
}

# The window of a table with a layout.
plot_window <- function(x) {
  shown <- window_variables(x)
  window <- table_window(take_margin(x, shown, "shown"), window_rows, window_columns)
  window$over <- setdiff(names(x$dimnames), shown)
  draw_window(window, as.vector(window$counts), "count")
}
