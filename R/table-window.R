# Parts of what is shown: a window of a table with its totals, and the published cells by level.

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
  open <- which(is.na(tree$parent))
  level <- 0
  node <- integer()
  depth <- numeric()
  while (length(open) > 0 && length(node) < most) {
    at <- open[1]
    node <- c(node, at)
    depth <- c(depth, level[1])
    children <- which(tree$parent %in% tree$child[at])
    level <- c(rep(level[1] + 1, length(children)), level[-1])
    open <- c(children, open[-1])
  }
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

# ---- cells by level ------------------------------------------------------------------------------

# A data frame with a row for each combination of levels that has a published cell. It has a factor
# for each variable: the name of the level where its tree has one, the depth below the total where
# it has none, and the name of a variable without trees. Then come the numbers of published cells,
# of `nonzero` ones, and of those with count 1, 2, ... (`n1`, `n2`, ...) up to maxN. NULL when there
# are too many combinations to be of use, or more than `max_cells` cells that are not zero.
count_by_level <- function(x, maxN = 3, max_cells = getOption("sdcLattice.max_cells", 5e7),
                           max_rows = 1e4) {
  labels <- node_labels(x)
  levels <- node_levels(x, labels)
  size <- vapply(levels, nlevels, 1L)
  if (prod(size) > max_rows) {
    return(NULL)
  }
  whole <- rlang::try_fetch(published_table(x, max_cells), sdc_error_too_large = function(e) NULL)
  if (is.null(whole)) {
    return(NULL)
  }
  out <- cells_by_level(levels, crossing_flags(x, labels))
  found <- with_core(cpp_count_in_groups(dim(whole), whole$keys, whole$counts,
                                         unname(lapply(levels, as.integer)), size, maxN))
  at <- match(out$number, combine_codes(matrix_columns(found$group), size, nrow(found$group)))
  counts <- found$cells[at, , drop = FALSE]
  counts[is.na(counts)] <- 0
  columns <- Map(as_level_factor, split_codes(out$number, size), lapply(levels, base::levels))
  list2data_frame(
    c(rlang::set_names(columns, names(levels)), list(cells = out$cells),
      rlang::set_names(matrix_columns(counts), c("nonzero", paste0("n", seq_len(maxN))))),
    length(out$number)
  )
}

matrix_columns <- function(x) lapply(seq_len(ncol(x)), function(j) x[, j])

# ---- levels of trees ----------------------------------------------------------------------------

# The level of each node, a factor for each variable, the total first.
node_levels <- function(x, labels = node_labels(x)) {
  lapply(rlang::set_names(names(labels)), function(v) {
    nodes <- labels[[v]]
    trees <- table_trees(x)[[v]]
    if (is.null(trees)) trees <- list(flat_tree(nodes, v))
    places <- do.call(rbind, lapply(trees, named_levels))
    places <- places[match(nodes, places$node), ]
    factor(places$level, unique(places$level[order(places$depth)]))
  })
}

# The total of a variable without trees is its last node.
flat_tree <- function(nodes, name) {
  root <- nodes[length(nodes)]
  leaves <- nodes[-length(nodes)]
  list(parent = c(NA, rep(root, length(leaves))), child = c(root, leaves),
       level = c(NA, rep(name, length(leaves))))
}

named_levels <- function(tree) {
  found <- tree_levels(tree)
  level <- ifelse(found$depth == 0, tree$child, found$depth)
  list2data_frame(list(node = tree$child, depth = found$depth,
                       level = ifelse(is.na(found$name), level, found$name)), length(level))
}

# ---- published cells on them --------------------------------------------------------------------

# The number of published cells, zero or not, on each combination of levels that has some; nodes
# that are on the same level and in the same crossings are counted together.
cells_by_level <- function(levels, flags) {
  so_far <- list(number = 1, inside = matrix(TRUE, 1, length(flags)), n = 1)
  stride <- 1
  for (v in seq_along(levels)) {
    kinds <- node_kinds(levels[[v]], lapply(flags, `[[`, v))
    so_far <- cross_kinds(so_far, kinds, stride)
    stride <- stride * nlevels(levels[[v]])
  }
  cells <- rowsum(so_far$n, so_far$number)
  list(number = as.numeric(rownames(cells)), cells = as.vector(cells))
}

node_kinds <- function(level, inside) {
  code <- as.integer(level)
  kind <- do.call(paste, c(list(code), inside))
  first <- which(!duplicated(kind))
  list(number = code[first] - 1, n = tabulate(match(kind, kind[first])),
       inside = matrix(unlist(lapply(inside, `[`, first)), length(first)))
}

cross_kinds <- function(so_far, kinds, stride) {
  a <- rep(seq_along(so_far$n), times = length(kinds$n))
  b <- rep(seq_along(kinds$n), each = length(so_far$n))
  inside <- so_far$inside[a, , drop = FALSE] & kinds$inside[b, , drop = FALSE]
  some <- rowSums(inside) > 0
  list(number = (so_far$number[a] + kinds$number[b] * stride)[some],
       inside = inside[some, , drop = FALSE], n = (so_far$n[a] * kinds$n[b])[some])
}
