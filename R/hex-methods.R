#' Look at a map of hexagons
#'
#' `print()`, `format()` and `summary()` show no count of a hexagon. `as.data.frame()`, `plot()` and
#' `autoplot()` show all of them and are as confidential as the points.
#'
#' @param x,object (sdc_hex) The map.
#' @param what (string) `"map"`, or `"distance"`: the steps from one hexagon to those around it.
#' @param from (cell as in [explain()], or `NULL`) For `"distance"`: the hexagon with data from
#'   which steps are counted; `NULL`: the first with the smallest count.
#' @param reach (whole number from 1 to 30) For `"distance"`: the largest number of steps drawn.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @return `as.data.frame()`: a row for each data cell with the axial coordinates `q` and `r`, the
#'   centre `x` and `y`, and `count`. `summary()`: an object of class `sdc_hex_summary`,
#'   confidential. `autoplot()`: a ggplot object.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, and for unknown arguments.
#' @family hex
#' @name sdc_hex-methods
#' @examplesIf requireNamespace("hexbin", quietly = TRUE)
#' x <- hex_table(quakes, dimVar = c("long", "lat"), xbins = 20)
#' summary(x)
#' head(as.data.frame(x), 3)
#' @examplesIf rlang::is_installed(c("ggplot2", "hexbin"))
#' plot(x)
#' # a hexagon has 6 neighbours at one step, 12 at two, 18 at three
#' plot(x, "distance")
NULL

#' @rdname sdc_hex-methods
#' @export
format.sdc_hex <- function(x, ...) {
  c(
    "PRIVATE: counts on a map of hexagons",
    paste0(plural(length(x$q), "hexagon"), " with data, total ", format_count(sum(x$count))),
    hex_lattice_words(x$geometry),
    if (!is.null(x$points)) "points kept for coarser maps"
  )
}

hex_lattice_words <- function(geometry) {
  if (is.null(geometry$xbins)) {
    return("axial coordinates")
  }
  paste0("xbins ", format_count(geometry$xbins), ", shape ", format(geometry$shape, digits = 4),
         if (geometry$from_data) ", bounds of the data")
}

#' @rdname sdc_hex-methods
#' @export
summary.sdc_hex <- function(object, ...) {
  check_no_dots(...)
  count <- object$count
  structure(
    list(
      header = format(object), ones = sum(count == 1), twos = sum(count == 2),
      quartiles = if (length(count) > 0) stats::quantile(count, names = FALSE)
    ),
    class = sdc_class("sdc_hex_summary", mark = "confidential")
  )
}

#' @export
format.sdc_hex_summary <- function(x, ...) {
  c(
    x$header,
    paste0("CONFIDENTIAL: hexagons with a count of 1: ", format_count(x$ones), ", of 2: ",
           format_count(x$twos)),
    if (!is.null(x$quartiles)) paste0("CONFIDENTIAL: quartiles of the counts: ",
                                      paste(format_count(x$quartiles), collapse = ", "))
  )
}

#' @rdname sdc_hex-methods
#' @export
as.data.frame.sdc_hex <- function(x, row.names = NULL, optional = FALSE, ...,
                                  stringsAsFactors = FALSE) {
  check_no_dots(...)
  hex_frame(x)
}

#' @rdname sdc_hex-methods
#' @usage \method{autoplot}{sdc_hex}(object, what = c("map", "distance"), from = NULL, reach = 3,
#'   ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_hex <- function(object, what = c("map", "distance"), from = NULL, reach = 3, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw maps")
  what <- check_choice(what, c("map", "distance"))
  if (what == "distance") {
    return(draw_distances(object, from, reach))
  }
  draw_hexagons(hex_frame(object), object$geometry) +
    ggplot2::labs(title = "Original map, confidential")
}
