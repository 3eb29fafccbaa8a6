# Pictures that explain maps: distances on the lattice, and the clusters of algorithm 1.

# Steps between hexagons: each step changes q, r or both in opposite directions by one.
steps_apart <- function(q, r) (abs(q) + abs(r) + abs(q + r)) / 2

# All hexagons within `reach` steps of one data cell, and the data cells among them.
draw_distances <- function(x, from, reach) {
  at <- if (is.null(from)) least_hexagon(x) else one_hexagon(from, x)
  check_whole(reach, min = 1, max = 30)
  near <- expand.grid(q = -reach:reach, r = -reach:reach)
  near <- near[steps_apart(near$q, near$r) <= reach, ]
  q <- near$q + x$q[at]
  r <- near$r + x$r[at]
  centres <- hex_centres(q, r, x$geometry)
  data <- hex_match(list(q = q, r = r), x)
  frame <- data.frame(q, r, x = centres$x, y = centres$y, steps = steps_apart(near$q, near$r),
                      count = x$count[data])
  frame$label <- ifelse(is.na(data), as.character(frame$steps),
                        paste0(frame$steps, "\n(", format_count(frame$count), ")"))
  hexagon_tiles(frame, x$geometry, ggplot2::aes(group = .data$hexagon, fill = .data$steps)) +
    hexagon_outline(frame[!is.na(data), ], x$geometry) +
    ggplot2::geom_text(ggplot2::aes(.data$x, .data$y, label = .data$label), frame,
                       size = min(3, 16 / reach), lineheight = .85) +
    ggplot2::scale_fill_gradient(low = "#fdae61", high = "white",
                                 breaks = function(range) whole_breaks(range)) +
    ggplot2::labs(
      x = x$geometry$names[1], y = x$geometry$names[2], fill = "steps",
      title = paste0("Confidential: distances from q = ", x$q[at], ", r = ", x$r[at]),
      caption = "Numbers: steps. Framed: hexagons with data, with their counts in brackets."
    )
}

least_hexagon <- function(x) {
  if (length(x$q) > 0) {
    return(which.min(x$count))
  }
  abort_sdc("input", c("The map must have a hexagon with data.", x = "It has none."))
}

hexagon_tiles <- function(frame, geometry, mapping) {
  ggplot2::ggplot(hex_corners(frame, geometry), ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_polygon(mapping, colour = "grey80", linewidth = .2) +
    sdc_theme(grid = FALSE)
}

hexagon_outline <- function(frame, geometry, colour = "black") {
  ggplot2::geom_polygon(ggplot2::aes(group = .data$hexagon), hex_corners(frame, geometry),
                        fill = NA, colour = colour, linewidth = .8)
}

# ---- clusters -----------------------------------------------------------------------------------

# The clusters of algorithm 1, grown again on the counts as they stood: a list of row numbers of the
# map after outliers were dealt with, the first of each the sensitive cell that it began with.
hex_clusters <- function(x) {
  start <- x$map
  start$count <- counts_before_filling(x)
  t <- x$threshold
  by <- list(smallest = start$count, largest = -start$count, position = rep(0, length(start$q)))
  sensitive <- which(start$count < t)
  count <- start$count
  moves <- x$moves[x$moves$stage != "outlier", ]
  from <- hex_match(list(q = moves$from_q, r = moves$from_r), start)
  to <- hex_match(list(q = moves$to_q, r = moves$to_r), start)
  out <- list()
  for (i in sensitive[order(by[[x$order]][sensitive])]) {
    if (count[i] >= t) next
    members <- grow_hexagons(start, count, i, t)
    for (k in which(to %in% members[count[members] < t])) {
      count[from[k]] <- count[from[k]] - moves$count[k]
      count[to[k]] <- count[to[k]] + moves$count[k]
    }
    out[[length(out) + 1]] <- members
  }
  out
}

# What the cells of the final map held before counts were moved to fill them.
counts_before_filling <- function(x) {
  moves <- x$moves[x$moves$stage != "outlier", ]
  count <- x$map$count
  to <- hex_match(list(q = moves$to_q, r = moves$to_r), x$map)
  from <- hex_match(list(q = moves$from_q, r = moves$from_r), x$map)
  for (k in seq_along(to)) {
    count[to[k]] <- count[to[k]] - moves$count[k]
    count[from[k]] <- count[from[k]] + moves$count[k]
  }
  count
}

# By distance, then larger count, then position, until the mean count is the threshold.
grow_hexagons <- function(map, count, start, t) {
  steps <- steps_apart(map$q - map$q[start], map$r - map$r[start])
  joining <- order(steps, -count)
  spare <- cumsum(count[joining] - t)
  joining[seq_len(which(spare >= 0)[1])]
}

draw_clusters <- function(x) {
  if (x$method != "local") {
    abort_sdc("input", c(
      "Only {.code method = \"local\"} grows clusters.",
      x = "This map was redistributed by {.val {x$method}}.",
      i = "{.code plot(h, \"moves\")} draws the moves of every method."
    ))
  }
  clusters <- hex_clusters(x)
  before <- x$map
  before$count <- counts_before_filling(x)
  frame <- hex_frame(before)
  frame$label <- format_count(frame$count)
  frame$below <- frame$count < x$threshold
  first <- vapply(clusters, `[`, 1L, 1)
  hexagon_tiles(frame, x$map$geometry,
                ggplot2::aes(group = .data$hexagon, fill = .data$below)) +
    cluster_stars(clusters, frame) +
    (if (nrow(frame) <= 150) ggplot2::geom_text(ggplot2::aes(label = .data$label), frame,
                                                size = 2.8, vjust = -.8)) +
    ggplot2::geom_point(data = frame[first, ], size = 1.4) +
    ggplot2::scale_fill_manual(values = c(`TRUE` = "#fdae61", `FALSE` = "white"),
                               labels = c(`TRUE` = "yes", `FALSE` = "no"),
                               name = paste("below", format_count(x$threshold))) +
    ggplot2::labs(
      x = x$map$geometry$names[1], y = x$map$geometry$names[2],
      title = paste0("Confidential: ", plural(length(clusters), "cluster"), ", ", x$order,
                     " first"),
      caption = paste0("Counts before. A dot is the sensitive cell with which a cluster began; ",
                       "lines lead to\nthe cells that joined it.")
    )
}

# A line from the cell that began a cluster to each that joined it.
cluster_stars <- function(clusters, frame) {
  from <- rep(vapply(clusters, `[`, 1L, 1), lengths(clusters) - 1)
  to <- unlist(lapply(clusters, `[`, -1))
  number <- rep(seq_along(clusters), lengths(clusters) - 1)
  lines <- data.frame(x = frame$x[from], y = frame$y[from], xend = frame$x[to],
                      yend = frame$y[to], cluster = factor(number))
  few <- length(clusters) <= 8
  list(
    ggplot2::geom_segment(
      if (few) ggplot2::aes(xend = .data$xend, yend = .data$yend, colour = .data$cluster) else
        ggplot2::aes(xend = .data$xend, yend = .data$yend),
      lines, linewidth = .8
    ),
    if (few) ggplot2::scale_colour_viridis_d(end = .8)
  )
}

# By its number in the order of the map, or by q and r.
one_hexagon <- function(cell, map) {
  check_given(cell, "cell")
  given <- cell <- as_cell(cell)
  if (is.data.frame(cell) && all(c("q", "r") %in% names(cell))) {
    cell <- hex_match(cell, map)
  }
  ok <- is.numeric(cell) && length(cell) == 1 && cell %in% seq_along(map$q)
  if (ok) {
    return(as.integer(cell))
  }
  abort_sdc("input", c(
    "{.arg cell} must be the number of one data cell of the map, from 1 to {length(map$q)}, or a
     data frame with one row and its columns {.field q} and {.field r}.",
    x = "{cell_fault(given)}"
  ))
}

# The corners of hexagons, six rows for each.
hex_corners <- function(frame, geometry) {
  n <- nrow(frame)
  across <- geometry$dx / 2 * c(1, 1, 0, -1, -1, 0)
  up <- geometry$dy / 3 * c(1, -1, -2, -1, 1, 2)
  out <- frame[rep(seq_len(n), each = 6), , drop = FALSE]
  out$hexagon <- rep(seq_len(n), each = 6)
  out$x <- out$x + rep(across, n)
  out$y <- out$y + rep(up, n)
  out
}
