# Counts on a map of hexagons: the confidential map.

#' Counts on a map of hexagons
#'
#' `hex_table()` makes the confidential map from which [redistribute()] starts: from points, by the
#' package hexbin; from a `hexbin` object; or from a data frame with a row for each hexagon.
#'
#' @details **Coordinates.** A hexagon has axial coordinates (`q`, `r`): its neighbours are
#' `(q +- 1, r)`, `(q, r +- 1)`, `(q + 1, r - 1)` and `(q - 1, r + 1)`, and the distance between two
#' hexagons is the number of steps on the unbounded lattice. Only hexagons with a count above 0 are
#' stored (**data cells**), by position: `r` ascending, then `q`.
#'
#' **Points** are binned by `hexbin::hexbin()`: the range of `x` is cut into `xbins` hexagons. Where
#' all points have the same `x` (or `y`), the bounds are widened by one half either way. The points
#' are kept with the map, so that [redistribute()] can say which coarser map would do;
#' `keep_points = FALSE` leaves them out. They are as confidential as they were before.
#'
#' **Bounds.** By default the map begins at the least and ends at the largest coordinate. Whoever
#' sees the published map then knows these exactly, so [publish()] warns. Give `xbnds` and `ybnds`
#' of your own, such as the borders of a region, for maps that are to be published.
#'
#' **Hexagons.** With `freqVar` the columns `dimVar` are axial coordinates, whole numbers within
#' 2^40 of 0, and each hexagon has one row. Counts of 0 are left out. Cells may be far apart:
#' nothing grows with the area between them.
#'
#' @param x (numeric vector, data frame, or hexbin) Horizontal coordinates of the points, or a data
#'   frame with the columns `dimVar`, or a result of `hexbin::hexbin()`.
#' @param y (numeric vector) Vertical coordinates of the points.
#' @param dimVar (two strings) The columns with the coordinates, horizontal first; with `freqVar`
#'   the columns with `q` and `r`.
#' @param freqVar (string or `NULL`) The column with the counts of hexagons, whole numbers of at
#'   least 0; `NULL`: each row is a point.
#' @param xbins (whole number from 1 to 10,000) Number of hexagons across.
#' @param shape (positive number) Height of the map by its width, as it will be drawn.
#' @param xbnds,ybnds (two numbers, ascending, or `NULL`) Bounds of the map; `NULL`: those of the
#'   points.
#' @param keep_points (flag) Keep the points for coarser maps?
#' @param ... Not used.
#' @return An object of class `sdc_hex`: a list with `q`, `r`, `count`, `geometry` and `points`. It
#'   answers `print()`, `summary()`, `as.data.frame()`, `plot()`, [sensitive()] and
#'   [redistribute()]. It is **private**.
#' @section Errors:
#' `sdc_error_input` for coordinates that are missing, infinite or of unequal numbers, points
#' outside of the bounds, no points without bounds, unknown columns, counts that are no whole
#' numbers from 0 to 2^53, hexagons listed twice; `sdc_error_too_large` when the counts sum to more
#' than 2^53, or the grid of hexbin would have more than 50 million hexagons.
#' @section Complexity: Time and memory linear in the points and, in hexbin, in the hexagons of its
#'   grid; for a frame of hexagons O(n log n).
#' @template ref-hexagons
#' @family hex
#' @export
#' @examplesIf requireNamespace("hexbin", quietly = TRUE)
#' # earthquakes near Fiji, a data set of R
#' hex_table(quakes, dimVar = c("long", "lat"), xbins = 20)
#' # hexagons: three in a row, and one far away
#' hex_table(data.frame(q = c(0, 1, 2, 1e9), r = 0, n = c(5, 1, 2, 7)), c("q", "r"), freqVar = "n")
hex_table <- function(x, ...) {
  check_given(x)
  UseMethod("hex_table")
}

#' @rdname hex_table
#' @export
hex_table.default <- function(x, y, xbins = 30, shape = 1, xbnds = NULL, ybnds = NULL,
                              keep_points = TRUE, ...) {
  check_no_dots(...)
  check_given(y)
  check_coordinates(x, "x")
  check_coordinates(y, "y")
  if (length(x) != length(y)) {
    abort_sdc("input", c(
      "{.arg x} and {.arg y} must have the same length.",
      x = "Their lengths are {length(x)} and {length(y)}."
    ))
  }
  check_flag(keep_points)
  bin_points(as.numeric(x), as.numeric(y), hex_settings(xbins, shape, xbnds, ybnds),
             c("x", "y"), keep_points)
}

#' @rdname hex_table
#' @export
hex_table.data.frame <- function(x, dimVar, freqVar = NULL, xbins = 30, shape = 1, xbnds = NULL,
                                 ybnds = NULL, keep_points = TRUE, ...) {
  check_no_dots(...)
  check_given(dimVar)
  check_hex_columns(x, dimVar, freqVar)
  check_flag(keep_points)
  settings <- hex_settings(xbins, shape, xbnds, ybnds)
  if (!is.null(freqVar)) {
    return(hexagons_from_frame(x, dimVar, freqVar))
  }
  for (name in dimVar) x[[name]] <- labelled_numbers(x[[name]], name)
  check_coordinates(x[[dimVar[1]]], dimVar[1])
  check_coordinates(x[[dimVar[2]]], dimVar[2])
  bin_points(as.numeric(x[[dimVar[1]]]), as.numeric(x[[dimVar[2]]]), settings, dimVar, keep_points)
}

#' @rdname hex_table
#' @export
hex_table.hexbin <- function(x, ...) {
  check_no_dots(...)
  from_hexbin(x, list(from_data = TRUE), c("x", "y"), NULL)
}

#' @rdname hex_table
#' @export
hex_table.sdc_hex <- function(x, ...) {
  check_no_dots(...)
  x
}

hex_settings <- function(xbins, shape, xbnds, ybnds) {
  check_whole(xbins, min = 1, max = 1e4)
  check_number(shape, min = 1e-6, max = 1e6)
  check_limits(xbnds, "xbnds")
  check_limits(ybnds, "ybnds")
  rows <- 2 * floor(xbins * shape / sqrt(3) + 1.5001)
  if (rows * (xbins + 1) > 5e7) {
    abort_sdc("too_large", c(
      "The grid of hexagons must have at most 50 million of them.",
      x = "{.arg xbins} and {.arg shape} ask for more."
    ))
  }
  list(xbins = xbins, shape = shape, xbnds = xbnds, ybnds = ybnds)
}

check_limits <- function(x, arg) {
  ok <- is.null(x) || is.numeric(x) && length(x) == 2 && all(is.finite(x)) && x[1] < x[2]
  if (ok) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be two finite numbers, the lower one first, or NULL.",
    x = if (is.numeric(x) &&
            length(x) == 2) "{.arg {arg}} is {x[1]}, {x[2]}." else "{describe(x, arg)}"
  ))
}

check_coordinates <- function(x, arg) {
  if (!is.numeric(x) || !is.null(dim(x))) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a numeric vector.", x = "{.arg {arg}} is {.obj_type_friendly {x}}."
    ))
  }
  bad <- which(!is.finite(x))
  if (length(bad) > 0) {
    abort_sdc("input", c(
      "Coordinates must be finite.",
      x = "In {.arg {arg}} {length(bad)} {?is/are} missing or infinite, the first at {bad[1]}."
    ))
  }
  invisible(x)
}

check_hex_columns <- function(data, dimVar, freqVar) {
  if (!is.character(dimVar) || length(dimVar) != 2 || anyNA(dimVar) || anyDuplicated(dimVar)) {
    abort_sdc("input", c(
      "{.arg dimVar} must name two different columns.",
      x = if (is.character(dimVar)) "{.arg dimVar} is {.val {dimVar}}." else "{describe(dimVar)}"
    ))
  }
  if (!is.null(freqVar)) check_string(freqVar)
  if (anyDuplicated(names(data))) {
    abort_sdc("input", c(
      "The columns of {.arg x} must have different names.",
      x = "The name {.val {names(data)[duplicated(names(data))][1]}} is used more than once."
    ))
  }
  unknown <- setdiff(c(dimVar, freqVar), names(data))
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.arg dimVar} and {.arg freqVar} must be columns of {.arg x}.",
      x = "There is no column {.val {unknown}}.",
      i = did_you_mean(unknown, names(data), "column")
    ))
  }
}

# A range of its own for each direction in which the user gave none.
hex_bounds <- function(x, given, arg) {
  if (is.null(given)) {
    if (length(x) == 0) {
      abort_sdc("input", c(
        "There must be points, or bounds for the map.",
        x = "There are no points, and {.arg {arg}} is NULL."
      ))
    }
    range <- range(x)
    if (range[1] == range[2]) range <- range + c(-1, 1) * max(.5, abs(range) * 1e-6)
    if (!is.finite(range[2] - range[1])) {
      abort_sdc("input", c(
        "The range of coordinates must be finite.", x = "It overflows."
      ))
    }
    return(wide_enough(range))
  }
  if (length(x) > 0 && (min(x) < given[1] || max(x) > given[2])) {
    abort_sdc("input", c(
      "All points must lie within the bounds.", x = "Some are outside of {.arg {arg}}.",
      i = "Leave them out before, or widen the bounds."
    ))
  }
  wide_enough(as.numeric(given))
}

# hexbin divides by the range, and crashes where that overflows.
wide_enough <- function(range) {
  if (range[2] - range[1] >= 1e-290) {
    return(range)
  }
  abort_sdc("input", c(
    "The range of coordinates must be at least 1e-290.", x = "The range is smaller."
  ))
}

bin_points <- function(x, y, settings, names, keep_points) {
  check_installed("hexbin", "to make a map of hexagons from points")
  from_data <- is.null(settings$xbnds) || is.null(settings$ybnds)
  xbnds <- hex_bounds(x, settings$xbnds, "xbnds")
  ybnds <- hex_bounds(y, settings$ybnds, "ybnds")
  points <- if (keep_points) list(x = x, y = y, settings = settings)
  if (length(x) == 0) {
    geometry <- hex_geometry(settings$xbins, settings$shape, xbnds, ybnds, from_data, names)
    return(new_sdc_hex(numeric(), numeric(), numeric(), geometry, points))
  }
  bins <- hexbin::hexbin(x, y, xbins = settings$xbins, shape = settings$shape, xbnds = xbnds,
                         ybnds = ybnds)
  from_hexbin(bins, list(from_data = from_data), names, points)
}

from_hexbin <- function(bins, origin, names, points) {
  check_installed("hexbin", "to read its objects")
  across <- bins@dimen[2]
  r <- (bins@cell - 1) %/% across
  q <- (bins@cell - 1) %% across - r %/% 2
  geometry <- hex_geometry(bins@xbins, bins@shape, bins@xbnds, bins@ybnds, origin$from_data, names)
  new_sdc_hex(as.numeric(q), as.numeric(r), as.numeric(bins@count), geometry, points)
}

hex_geometry <- function(xbins, shape, xbnds, ybnds, from_data, names) {
  list(
    xbins = xbins, shape = shape, xbnds = xbnds, ybnds = ybnds, from_data = from_data,
    names = names, x0 = xbnds[1], y0 = ybnds[1], dx = diff(xbnds) / xbins,
    dy = diff(ybnds) * sqrt(3) / (2 * shape * xbins)
  )
}

# Hexagons of width 1 around (0, 0), where no map of points stands behind them.
unit_geometry <- function(names) {
  list(from_data = FALSE, names = names, x0 = 0, y0 = 0, dx = 1, dy = sqrt(3) / 2)
}

hexagons_from_frame <- function(data, dimVar, freqVar) {
  q <- hex_whole(data[[dimVar[1]]], dimVar[1], -2^40, 2^40)
  r <- hex_whole(data[[dimVar[2]]], dimVar[2], -2^40, 2^40)
  count <- hex_whole(data[[freqVar]], freqVar, 0, 2^53)
  twice <- which(duplicated(hex_keys(q, r)))
  if (length(twice) > 0) {
    abort_sdc("input", c(
      "Each hexagon must have one row.", x = "Row {twice[1]} repeats the hexagon of an earlier row."
    ))
  }
  largest <- which.max(count)
  # a sum of doubles is exact only below the limit
  if (length(count) > 0 && sum(count[-largest]) > 2^53 - count[largest]) {
    abort_sdc("too_large", c(
      "The counts must sum to at most 2^53 (9,007,199,254,740,992).", x = "They sum to more."
    ))
  }
  some <- count > 0
  new_sdc_hex(q[some], r[some], count[some], unit_geometry(c("x", "y")), NULL)
}

hex_whole <- function(x, name, min, max) {
  x <- labelled_numbers(x, name)
  if (!is.numeric(x)) {
    abort_sdc("input", c(
      "Column {.val {name}} must be numeric.", x = "The column is {.obj_type_friendly {x}}."
    ))
  }
  x <- as.numeric(x)
  bad <- which(!is.finite(x) | x != floor(x) | x < min | x > max)
  if (length(bad) > 0) {
    range <- format_range(min, max)
    abort_sdc("input", c(
      "Column {.val {name}} must have whole numbers{range}.",
      x = "Row {bad[1]} {number_fault(x[bad[1]], min, max)}."
    ))
  }
  x
}

new_sdc_hex <- function(q, r, count, geometry, points = NULL) {
  order <- order(r, q)
  structure(
    list(q = q[order], r = r[order], count = count[order], geometry = geometry, points = points),
    class = sdc_class("sdc_hex", mark = "private")
  )
}

# Centres of hexagons.
hex_centres <- function(q, r, geometry) {
  list(x = geometry$x0 + geometry$dx * (q + r / 2), y = geometry$y0 + geometry$dy * r)
}

#' @rdname sensitive
#' @param threshold (whole number of at least 2) For maps of hexagons: data cells with a smaller
#'   count are sensitive.
#' @details **Maps of hexagons.** A data cell is sensitive when its count is above 0 and below
#'   `threshold`. An **outlier** is one sensitive cell, or two adjacent ones, with no other data
#'   cell within distance `threshold` (included). For a map the result has a row for each data cell
#'   with `q`, `r`, `count`, `status` (`"safe"`, `"sensitive"` or `"outlier"`) and `outlier`, its
#'   number, or 0. It is as confidential as the map.
#' @return For a map: a data frame.
#' @section Errors: `sdc_error_input` for bad arguments.
#' @export
#' @examples
#' map <- data.frame(q = c(0, 1, 2, 9), r = 0, n = c(6, 1, 2, 1))
#' sensitive(hex_table(map, c("q", "r"), freqVar = "n"), threshold = 3)
sensitive.sdc_hex <- function(x, threshold, ...) {
  check_no_dots(...)
  check_threshold(threshold)
  number <- with_core(cpp_find_outliers(hex_cells(x), threshold))
  status <- ifelse(number > 0, "outlier", ifelse(x$count < threshold, "sensitive", "safe"))
  data.frame(q = x$q, r = x$r, count = x$count, status = status, outlier = number)
}

# What the core takes for a map.
hex_cells <- function(x) list(q = x$q, r = x$r, count = x$count)

hex_frame <- function(x) {
  centres <- hex_centres(x$q, x$r, x$geometry)
  data.frame(q = x$q, r = x$r, x = centres$x, y = centres$y, count = x$count)
}

hex_keys <- function(q, r) complex(real = q, imaginary = r)

# Where the cells of one map stand in another. Complex numbers are compared exactly.
hex_match <- function(x, y) match(hex_keys(x$q, x$r), hex_keys(y$q, y$r))
