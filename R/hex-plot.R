# Pictures of maps of hexagons, of moves, and of risk and utility.

draw_hexagons <- function(frame, geometry) {
  ggplot2::ggplot(hex_corners(frame, geometry), ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_polygon(
      ggplot2::aes(group = .data$hexagon, fill = .data$count), colour = "grey80", linewidth = .1
    ) +
    ggplot2::scale_fill_viridis_c(trans = "log10", direction = -1) +
    ggplot2::labs(x = geometry$names[1], y = geometry$names[2], fill = "count") +
    sdc_theme()
}

#' @rdname sdc_hex_redistribution-methods
#' @usage \method{autoplot}{sdc_hex_redistribution}(object, what = c("maps", "moves", "clusters"),
#'   ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_hex_redistribution <- function(object, what = c("maps", "moves", "clusters"), ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw maps")
  what <- check_choice(what, c("maps", "moves", "clusters"))
  switch(what, maps = draw_before_after(object), moves = draw_hex_arrows(object),
         clusters = draw_clusters(object))
}

draw_before_after <- function(x) {
  stages <- c("before", "after")
  frames <- Map(function(map, stage) cbind(hex_frame(map), stage = rep(stage, length(map$q))),
                list(x$original, x$map), stages)
  both <- do.call(rbind, frames)
  both$stage <- factor(both$stage, stages)
  draw_hexagons(both, x$original$geometry) +
    ggplot2::facet_wrap("stage") +
    ggplot2::labs(title = paste0("Confidential: ", x$method, ", mu = ", format_count(x$mu)))
}

draw_hex_arrows <- function(x) {
  geometry <- x$original$geometry
  moves <- x$moves
  from <- hex_centres(moves$from_q, moves$from_r, geometry)
  to <- hex_centres(moves$to_q, moves$to_r, geometry)
  arrows <- data.frame(x = from$x, y = from$y, xend = to$x, yend = to$y)
  draw_hexagons(hex_frame(x$map), geometry) +
    ggplot2::geom_segment(
      ggplot2::aes(xend = .data$xend, yend = .data$yend), arrows, colour = "#D55E00",
      linewidth = .3, arrow = ggplot2::arrow(length = ggplot2::unit(1.5, "mm"))
    ) +
    ggplot2::labs(title = paste0("Confidential: moves, ", x$method, ", mu = ", format_count(x$mu)))
}

#' @rdname sdc_hex_redistribution-methods
#' @usage \method{autoplot}{sdc_hex_publication}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_hex_publication <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw maps")
  draw_hexagons(hex_frame(object), object$geometry) +
    ggplot2::labs(caption = paste0("Counts below ", format_count(object$threshold),
                                   " were redistributed."))
}

#' @rdname sdc_hex_risk
#' @usage \method{autoplot}{sdc_hex_risk}(object, what = c("U1", "U2", "U3", "counts"), ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_hex_risk <- function(object, what = c("U1", "U2", "U3", "counts"), ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw curves")
  what <- check_choice(what, c("U1", "U2", "U3", "counts"))
  frame <- object$by_count
  frame$label <- factor(frame$label, unique(frame$label))
  frame$height <- frame[[if (what == "counts") "U3" else what]]
  frame$across <- if (what == "counts") frame$u else frame$R1
  shown <- is.finite(frame$across) & is.finite(frame$height)
  left_out <- sum(!shown)
  frame <- frame[shown, ]
  words <- c(U1 = "U1: mean absolute change (%)", U2 = "U2: mean absolute change",
             U3 = "U3: steps", counts = "U3: steps")
  picture <- ggplot2::ggplot(
    frame, ggplot2::aes(.data$across, .data$height, colour = .data$label, shape = .data$label)
  ) +
    ggplot2::geom_point(size = 2) +
    ggplot2::labs(
      x = if (what == "counts") "original count" else "R1: 1 / variance of the change",
      y = words[[what]], colour = NULL, shape = NULL, title = "Confidential: risk and utility",
      caption = if (left_out > 0) {
        paste0(plural(left_out, "original count is", "original counts are"), " not shown,\n",
               "where R1 is infinite or undefined: the change has no variance.")
      }
    ) +
    sdc_theme()
  if (what == "counts") picture + ggplot2::geom_line() else picture
}
