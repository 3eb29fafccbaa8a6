# The picture of critical widths.

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
  k <- length(attr(x, "variables"))
  by_level <- !is.null(attr(x, "steps"))
  x$mask <- attr(x, "masks")
  whole <- all_critical(x)
  worst <- most_dangerous(x)
  points <- x[]
  points$worst <- seq_len(nrow(points)) %in% worst$rows
  points <- points[order(points$mask), ]
  points$row <- points$dimension
  points$x <- row_places(points$row)
  few <- k <= 7 && whole && !by_level
  chain <- points[points$worst, ]
  chain <- chain[order(chain$dimension), ]
  ggplot2::ggplot(points, ggplot2::aes(.data$x, .data$dimension)) +
    (if (few) critical_lines(points, k)) +
    (if (worst$chain) ggplot2::geom_path(data = chain, colour = "black", linewidth = .8)) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$width), size = if (few) 4 else 1.5,
                        shape = if (few) 16 else 15) +
    ggplot2::geom_point(data = chain, shape = 21, fill = NA, colour = "black",
                        size = if (few) 5.5 else 3.5, stroke = .9) +
    (if (k <= 6 && whole) lattice_text(points, attr(x, "variables"), points$worst)) +
    ggplot2::scale_colour_viridis_c(option = "plasma", trans = "log1p",
                                    breaks = width_breaks(points$width)) +
    ggplot2::scale_y_continuous(breaks = seq_len(max(points$dimension))) +
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

# 0, 1, 3, 10, 30, ... as far as there are widths.
width_breaks <- function(width) {
  steps <- c(0, as.vector(outer(c(1, 3), 10^(0:15))))
  steps[steps <= max(width, 1)]
}

# The empty sub-table has no point here.
critical_lines <- function(points, k) {
  ends <- do.call(rbind, lapply(seq_len(k), function(v) {
    low <- points$mask[!mask_holds(points$mask, v)]
    data.frame(low = low, high = low + 2^(v - 1))
  }))
  lines <- data.frame(x = points$x[ends$low], y = points$dimension[ends$low],
                      xend = points$x[ends$high], yend = points$dimension[ends$high])
  ggplot2::geom_segment(
    ggplot2::aes(.data$x, .data$y, xend = .data$xend, yend = .data$yend), data = lines,
    colour = "grey85", linewidth = .2
  )
}
