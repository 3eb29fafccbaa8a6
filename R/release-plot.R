# Pictures of sets of sub-tables, as in the report on tabular releases.

#' @usage \method{autoplot}{sdc_release}(object, type = c("frontier", "graph", "tree", "lattice",
#'   "dimension", "log", "certificate"), cell = NULL, ...)
#' @rdname sdc_release
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_release <- function(object, type = c("frontier", "graph", "tree", "lattice",
                                                  "dimension", "log", "certificate"),
                                 cell = NULL, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw a release")
  type <- check_choice(type, c("frontier", "graph", "tree", "lattice", "dimension", "log",
                               "certificate"))
  switch(type, log = draw_search(object), certificate = draw_certificate(object, cell),
         draw_space(sub_tables(object), type))
}

#' @usage \method{autoplot}{sdc_sub_tables}(object, type = c("lattice", "frontier", "graph", "tree",
#'   "dimension"), ...)
#' @rdname sub_tables-methods
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_sub_tables <- function(object, type = c("lattice", "frontier", "graph", "tree",
                                                     "dimension"), ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw sub-tables")
  draw_space(object, check_choice(type, c("lattice", "frontier", "graph", "tree", "dimension")))
}

#' @usage \method{autoplot}{sdc_release_publication}(object, type = c("frontier", "graph", "tree",
#'   "lattice", "dimension"), ...)
#' @param object (sdc_release_publication) The publication.
#' @param type (string) The picture; see [sub_tables-methods].
#' @rdname sdc_release_publication
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_release_publication <- function(object, type = c("frontier", "graph", "tree",
                                                              "lattice", "dimension"), ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw sub-tables")
  type <- check_choice(type, c("frontier", "graph", "tree", "lattice", "dimension"))
  draw_space(sub_tables(object), type)
}

draw_space <- function(x, type) {
  if (!is.null(x$steps) && type %in% c("graph", "tree")) {
    abort_sdc("input", c(
      "{.arg type} must be {.val lattice}, {.val frontier} or {.val dimension} for tables by
       level.",
      x = "It is {.val {type}}, which shows variables of one level each."
    ))
  }
  switch(type, lattice = draw_lattice(x), frontier = draw_frontier(x), graph = draw_graph(x),
         tree = draw_tree(x), dimension = draw_dimensions(x))
}

space_colours <- c(direct = "#08519c", indirect = "#6baed6", unreleasable = "#de2d26",
                   open = "grey80")

# Figure 1: a row for each dimension, the full table on top. By level a row for each number of
# levels, so that a line goes up from each sub-table to those that are one level finer.
draw_lattice <- function(x) {
  k <- length(x$variables)
  if (k > 12) {
    abort_sdc("too_large", c(
      "The lattice is drawn for at most 12 variables, levels counted.",
      x = "There are {k}, and {sets_words(x, empty = TRUE)} sub-tables.",
      i = "{.code plot(x, type = \"dimension\")} shows how many there are of each dimension, where
           {.arg x} comes from {.fn sub_tables}, or is {.code after} of {.fn what_if}."
    ))
  }
  points <- as.data.frame(x)
  points$row <- count_held(points$mask, seq_len(k))
  points$x <- row_places(points$row)
  points$frontier_words <- ifelse(points$frontier, "on a frontier", "elsewhere")
  picture <- ggplot2::ggplot(points, ggplot2::aes(.data$x, .data$row)) +
    (if (k <= 7) lattice_lines(points, k)) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$state, shape = .data$frontier_words),
                        size = if (k <= 7) 4 else 1.5) +
    ggplot2::scale_colour_manual(values = space_colours) +
    ggplot2::scale_shape_manual(values = c(`on a frontier` = 17, elsewhere = 16)) +
    ggplot2::scale_y_continuous(breaks = 0:k) +
    ggplot2::labs(x = NULL, colour = "sub-table", shape = NULL,
                  y = paste("number of", if (is.null(x$steps)) "variables" else "levels")) +
    sdc_theme() +
    ggplot2::theme(axis.text.x = ggplot2::element_blank(), panel.grid = ggplot2::element_blank())
  if (k > 6) {
    return(picture)
  }
  picture + lattice_text(points, x$variables, points$frontier)
}

# The names of the points of a lattice below them: of all in a row where they fit beside each other,
# else of those that matter, and of none that would lie upon another. Letters need no marks between.
lattice_text <- function(points, variables, matters) {
  letters <- all(nchar(variables) == 1)
  label <- cut_text(if (letters) gsub(":", "", points$sub_table,
                                      fixed = TRUE) else points$sub_table, 40)
  widest <- stats::ave(nchar(label), points$row, FUN = max)
  fits <- stats::ave(widest, points$row, FUN = length) * (widest + 1) <= 90
  points$label <- ifelse(fits | matters, label, "")
  points <- points[order(!matters), ]
  ggplot2::geom_text(ggplot2::aes(label = .data$label), points[points$label != "", ], size = 2.4,
                     vjust = 2.3, check_overlap = TRUE)
}

# Places of points in rows, each row centred.
row_places <- function(row) {
  centred <- function(i) (seq_along(i) - (length(i) + 1) / 2) / length(i)
  stats::ave(seq_along(row), row, FUN = centred)
}

# A line from each sub-table to each that has one variable, or level, more.
lattice_lines <- function(points, k) {
  ends <- do.call(rbind, lapply(seq_len(k), function(v) {
    low <- which(!mask_holds(points$mask, v))
    high <- match(points$mask[low] + 2^(v - 1), points$mask)
    data.frame(low, high)[!is.na(high), ]
  }))
  lines <- data.frame(x = points$x[ends$low], y = points$row[ends$low],
                      xend = points$x[ends$high], yend = points$row[ends$high])
  ggplot2::geom_segment(
    ggplot2::aes(.data$x, .data$y, xend = .data$xend, yend = .data$yend), data = lines,
    colour = "grey85", linewidth = .2
  )
}

#' @usage \method{autoplot}{sdc_critical_widths}(object, ...)
#' @rdname critical_widths
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_critical_widths <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw critical widths")
  draw_critical(object)
}

# Figure 6: a row for each dimension, the sub-tables in the order of their numbers, the widths as
# colours from the most dangerous on; the most dangerous of each dimension are ringed, and joined
# when they form a chain. Lines from each sub-table to those with one variable more, where they can
# be told apart.
draw_critical <- function(x) {
  variables <- attr(x, "variables")
  k <- length(variables)
  x$mask <- attr(x, "masks")
  whole <- all_critical(x)
  worst <- most_dangerous(x)
  points <- x[]
  points$worst <- seq_len(nrow(points)) %in% worst$rows
  points <- points[order(points$mask), ]
  points$row <- points$dimension
  points$x <- row_places(points$row)
  few <- k <= 7 && whole && is.null(attr(x, "steps"))
  chain <- points[points$worst, ]
  chain <- chain[order(chain$row), ]
  # 0, 1, 3, 10, 30, ... as far as there are widths
  breaks <- c(0, as.vector(outer(c(1, 3), 10^(0:15))))
  ggplot2::ggplot(points, ggplot2::aes(.data$x, .data$row)) +
    (if (few) lattice_lines(points, k)) +
    (if (worst$chain) ggplot2::geom_path(data = chain, colour = "black", linewidth = .8)) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$width), size = if (few) 4 else 1.5,
                        shape = if (few) 16 else 15) +
    ggplot2::geom_point(data = chain, shape = 21, fill = NA, colour = "black",
                        size = if (few) 5.5 else 3.5, stroke = .9) +
    (if (k <= 6 && whole) lattice_text(points, variables, points$worst)) +
    ggplot2::scale_colour_viridis_c(option = "plasma", trans = "log1p",
                                    breaks = breaks[breaks <= max(points$width, 1)]) +
    ggplot2::scale_y_continuous(breaks = seq_len(max(points$row))) +
    ggplot2::labs(
      x = NULL, y = "dimension", colour = "critical\nwidth",
      title = "Confidential: critical widths",
      subtitle = paste("ringed: the most dangerous of each dimension, which form",
                       if (worst$chain) "a chain" else "no chain")
    ) +
    sdc_theme() +
    ggplot2::theme(axis.text.x = ggplot2::element_blank(),
                   panel.grid = ggplot2::element_blank())
}

# Figure 4: a row for each maximal sub-table, a cross for each of its variables.
draw_frontier <- function(x) {
  n <- length(x$released)
  if (n == 0) {
    abort_sdc("input", c(
      "At least one sub-table must be released to draw the frontier.",
      x = "No sub-table is released."
    ))
  }
  crosses <- data.frame(
    variable = factor(x$variables[unlist(x$released)], x$variables),
    row = rep(seq_len(n), lengths(x$released))
  )
  ggplot2::ggplot(crosses, ggplot2::aes(.data$variable, .data$row)) +
    ggplot2::geom_tile(fill = space_colours[["indirect"]], colour = "white") +
    (if (n <= 60) ggplot2::geom_text(label = "X", size = 3)) +
    ggplot2::scale_x_discrete(drop = FALSE, position = "top") +
    ggplot2::scale_y_reverse(breaks = NULL) +
    ggplot2::labs(x = NULL, y = paste0("the ", plural(n, "maximal released sub-table"),
                                       ", a row for each")) +
    sdc_theme() +
    ggplot2::theme(panel.grid = ggplot2::element_blank(),
                   axis.text.x = ggplot2::element_text(angle = 45, hjust = 0))
}

# Figure 5: variables on a circle, a line where some released sub-table holds both.
draw_graph <- function(x) {
  k <- length(x$variables)
  angle <- pi / 2 - 2 * pi * (seq_len(k) - 1) / k
  at <- data.frame(x = cos(angle), y = sin(angle), variable = x$variables)
  several <- x$released[lengths(x$released) > 1]
  shown <- utils::head(several, 12)
  words <- vapply(shown, function(set) paste(x$variables[set], collapse = " "), "")
  words <- cut_text(paste0("[", words, "]", recycle0 = TRUE), 40)
  pairs <- lapply(several, function(set) t(utils::combn(set, 2)))
  edges <- unique(do.call(rbind, c(list(matrix(0, 0, 2)), pairs)))
  corners <- cbind(at[unlist(shown), c("x", "y")],
                   clique = factor(rep(words, lengths(shown)), unique(words)))
  lines <- data.frame(x = at$x[edges[, 1]], y = at$y[edges[, 1]], xend = at$x[edges[, 2]],
                      yend = at$y[edges[, 2]])
  some <- length(several) > 0
  ggplot2::ggplot(at, ggplot2::aes(.data$x, .data$y)) +
    (if (some) ggplot2::geom_polygon(ggplot2::aes(fill = .data$clique), data = corners,
                                     alpha = .25)) +
    (if (some) ggplot2::geom_segment(
      ggplot2::aes(.data$x, .data$y, xend = .data$xend, yend = .data$yend), data = lines
    )) +
    ggplot2::geom_label(ggplot2::aes(label = .data$variable)) +
    ggplot2::coord_equal(clip = "off") +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(.2)) +
    ggplot2::labs(fill = "maximal sub-tables") +
    ggplot2::theme_void()
}

draw_dimensions <- function(x) {
  counts <- x$by_dimension[-1, ]
  states <- c("released", "unreleasable", "open")
  long <- data.frame(
    dimension = rep(counts$dimension, 3),
    state = factor(rep(states, each = nrow(counts)), rev(states)),
    sub_tables = unlist(counts[states], use.names = FALSE)
  )
  colours <- c(released = space_colours[["direct"]], space_colours[c("unreleasable", "open")])
  ggplot2::ggplot(long, ggplot2::aes(.data$dimension, .data$sub_tables, fill = .data$state)) +
    ggplot2::geom_col() +
    ggplot2::scale_fill_manual(values = colours, breaks = states) +
    ggplot2::scale_x_continuous(breaks = counts$dimension) +
    ggplot2::labs(x = "number of variables", y = "sub-tables", fill = NULL) +
    sdc_theme()
}

# The course of a search whose log has proposals and values.
draw_search <- function(x) {
  log <- x$log
  if (!all(c("proposal", "value", "chain") %in% names(log))) {
    abort_sdc("input", c(
      "{.code type = \"log\"} draws the course of an annealing search.",
      x = "The method {x$method} has none.",
      i = "Look at {.code x$log}."
    ))
  }
  ggplot2::ggplot(log, ggplot2::aes(.data$proposal, .data$value, colour = factor(.data$chain))) +
    ggplot2::geom_step() +
    (if (!is.na(x$upper_bound)) ggplot2::geom_hline(yintercept = x$upper_bound, linetype = 2)) +
    ggplot2::labs(x = "proposal", y = format(x$utility), colour = "chain") +
    sdc_theme()
}

# Maximal sub-tables in boxes; on each line the separator, what its two ends share.
draw_tree <- function(x) {
  tree <- clique_tree(x$released)
  check_clique_tree(x, tree)
  place <- tree_places(tree$parent)
  name <- function(sets) vapply(sets, function(set) paste(x$variables[set], collapse = " "), "")
  cliques <- data.frame(x = place$x, y = place$y, label = cut_text(name(x$released), 24))
  below <- which(tree$parent > 0)
  lines <- data.frame(x = place$x[tree$parent[below]], y = place$y[tree$parent[below]],
                      xend = place$x[below], yend = place$y[below],
                      label = cut_text(name(tree$separator[below]), 24))
  ggplot2::ggplot(cliques, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_segment(ggplot2::aes(xend = .data$xend, yend = .data$yend), lines,
                          colour = "grey40") +
    ggplot2::geom_label(
      ggplot2::aes((.data$x + .data$xend) / 2, (.data$y + .data$yend) / 2, label = .data$label),
      lines, size = 2.9, label.r = ggplot2::unit(0, "lines"), fill = "white"
    ) +
    ggplot2::geom_label(ggplot2::aes(label = .data$label), size = 3.4, fill = "#deebf7",
                        label.padding = ggplot2::unit(.4, "lines")) +
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(add = .6)) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = .4)) +
    ggplot2::labs(x = NULL, y = NULL, caption = paste0(
      "Boxes: maximal released sub-tables (cliques). On each line: the separator, the variables",
      "\nthat both ends share", if (any(tree$parent[-1] == 0)) "; without a line they share none",
      "."
    )) +
    sdc_theme(grid = FALSE) +
    ggplot2::theme(axis.text = ggplot2::element_blank())
}

check_clique_tree <- function(x, tree) {
  n <- length(x$released)
  if (n == 0) {
    abort_sdc("input", c(
      "At least one sub-table must be released to draw a tree.", x = "No sub-table is released."
    ))
  }
  if (n > 40) {
    abort_sdc("too_large", c(
      "A clique tree is drawn for at most 40 maximal sub-tables.", x = "There are {n}.",
      i = "{.code type = \"frontier\"} shows them as rows."
    ))
  }
  if (!tree$decomposable) {
    abort_sdc("input", c(
      "Only a decomposable release has a clique tree.",
      x = "The {n} maximal sub-table{?s} of this release cannot be joined to one.",
      i = "{.code type = \"graph\"} draws any release; {.fn release_structure} splits it."
    ))
  }
}

# A spanning tree with the largest separators, grown from the first set: `parent`, 0 for a root, and
# `separator`, what a set shares with its parent. The sets are the cliques of a decomposable graph
# exactly when separators take away all but one copy of each variable (Jensen and Jensen 1994).
clique_tree <- function(sets) {
  n <- length(sets)
  parent <- integer(n)
  separator <- rep(list(integer()), n)
  outside <- seq_len(n)[-1]
  while (length(outside) > 0) {
    inside <- setdiff(seq_len(n), outside)
    shared <- outer(inside, outside, Vectorize(function(i, j) {
      length(intersect(sets[[i]], sets[[j]]))
    }))
    best <- arrayInd(which.max(shared), dim(shared))
    new <- outside[best[2]]
    if (shared[best] > 0) {
      parent[new] <- inside[best[1]]
      separator[[new]] <- intersect(sets[[new]], sets[[parent[new]]])
    }
    outside <- setdiff(outside, new)
  }
  spare <- sum(lengths(sets)) - length(unique(unlist(sets)))
  list(parent = parent, separator = separator, decomposable = sum(lengths(separator)) == spare)
}

# Leaves from left to right, a set above the middle of what hangs on it, roots on top.
tree_places <- function(parent) {
  n <- length(parent)
  x <- y <- numeric(n)
  next_leaf <- 0
  place <- function(i, depth) {
    y[i] <<- -depth
    below <- which(parent == i)
    for (j in below) place(j, depth + 1)
    if (length(below) == 0) next_leaf <<- next_leaf + 1
    x[i] <<- if (length(below) > 0) mean(range(x[below])) else next_leaf
  }
  for (root in which(parent == 0)) place(root, 0)
  list(x = x, y = y)
}
