#' @rdname publish
#' @export
publish.sdc_hex_redistribution <- function(x, record = NULL, ...) {
  check_no_dots(...)
  check_record(record)
  verify_hex(x)
  if (x$map$geometry$from_data) {
    warn_sdc("bounds", c(
      "The bounds of the map are, or may be, those of the data.",
      i = "Readers can work out the least and the largest coordinates; give {.fn hex_table}
           {.arg xbnds} and {.arg ybnds} of your own."
    ))
  }
  out <- public_map(x)
  let_out(out, record, map_entry(x, out))
}

#' Look at a redistributed map, private or published
#'
#' A redistribution is private: `as.data.frame()` shows the original beside the result, and the
#' pictures show it too. What [publish()] makes of it holds the map after, its lattice, the
#' threshold and the method, and which treatment outliers get, whether there were any or not:
#' neither the original, nor the moves, nor `mu`, nor what was suppressed.
#'
#' @details Nothing is told of suppressed mass, not even whether there was any; but a reader who
#' knows the number of cases sees it from the total. Choose `outliers = "redistribute"` or `"keep"`
#' where that is known.
#'
#' @param x,object (sdc_hex_redistribution, or sdc_hex_publication) What to look at.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param what (string) `"maps"`: before and after, with one scale of colours; `"moves"`: the map
#'   after with an arrow for each move; `"clusters"`: for `method = "local"`, the clusters that grew
#'   around sensitive cells, on the counts before.
#' @return `as.data.frame()` of a redistribution: a row for each data cell of the original with `q`,
#'   `r`, `x`, `y`, `original`, `redistributed` and `status` (`"safe"`, `"sensitive"`, `"outlier"`);
#'   of a publication `q`, `r`, `x`, `y`, `count`. `summary()`: an object of class
#'   `sdc_hex_redistribution_summary`, confidential. `autoplot()`: a ggplot object.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, and for unknown arguments.
#' @section Guarantee:
#' All parts of a publication are fresh copies. Two originals that lead to the same published map on
#' the same lattice give identical objects and identical bytes in `serialize()` and `saveRDS()`.
#' @family hex
#' @name sdc_hex_redistribution-methods
#' @examplesIf requireNamespace("hexbin", quietly = TRUE)
#' x <- hex_table(quakes, dimVar = c("long", "lat"), xbins = 15, xbnds = c(165, 190),
#'                ybnds = c(-40, -10))
#' h <- redistribute(x, threshold = 3, outliers = "keep")
#' summary(h)
#' pub <- publish(h)
#' pub
#' head(as.data.frame(pub), 3)
#' @examplesIf rlang::is_installed(c("ggplot2", "hexbin"))
#' plot(h)
#' plot(h, what = "moves")
#' # each sensitive cell begins a cluster, which ends with its mean at the threshold or above
#' plot(redistribute(x, threshold = 3, method = "local", outliers = "keep"), "clusters")
#' plot(pub)
NULL

#' @rdname sdc_hex_redistribution-methods
#' @export
format.sdc_hex_redistribution <- function(x, ...) {
  c(
    "PRIVATE: holds the original map and all moves; publish() makes what may be released",
    hex_result_words(x, x$map),
    paste0("mu: ", plural(x$mu, "step"), " over all moved counts",
           if (x$method == "optimal" && !x$empty) ", the least possible"),
    if (x$empty) paste0(
      "data cells lost: ", format_count(x$lost_cells), "; gap to the optimum: ",
      if (x$gap == 0) "0" else percent(x$gap)
    ),
    if (nrow(x$suppressed) > 0) {
      paste0("outliers suppressed: ", plural(nrow(x$suppressed), "cell"),
             ", whose counts are lost")
    },
    if (x$coarsened) "a coarser map than asked for"
  )
}

# What private and public objects say alike.
hex_result_words <- function(x, map) {
  rule <- switch(x$method,
    local = paste0("local clusters, ", x$order, " first"), global = "global rounds",
    optimal = if (x$empty) "optimal, sensitive cells may be emptied" else "optimal filling"
  )
  c(
    paste0("redistributed map: ", plural(length(map$q), "hexagon"), " with data, total ",
           format_count(sum(map$count))),
    hex_lattice_words(map$geometry),
    paste0("threshold ", format_count(x$threshold), "; ", rule, "; outliers: ", x$outliers)
  )
}

#' @rdname sdc_hex_redistribution-methods
#' @export
summary.sdc_hex_redistribution <- function(object, ...) {
  check_no_dots(...)
  count <- object$original$count
  moves <- object$moves
  stage <- function(name) sum((moves$count * moves$distance)[moves$stage == name])
  structure(
    list(
      header = format(object), sensitive = sum(count < object$threshold), cells = length(count),
      suppressed_cells = nrow(object$suppressed), suppressed = sum(object$suppressed$count),
      moved = sum(moves$count), moves = nrow(moves), longest = max(0, moves$distance),
      mu_outliers = stage("outlier"), mu_cells = stage("fill") + stage("empty")
    ),
    class = sdc_class("sdc_hex_redistribution_summary", mark = "confidential")
  )
}

#' @export
format.sdc_hex_redistribution_summary <- function(x, ...) {
  c(x$header, paste0("CONFIDENTIAL: ", c(
    paste0("sensitive: ", format_count(x$sensitive), " of ", plural(x$cells, "data cell")),
    paste0("suppressed: ", plural(x$suppressed_cells, "cell"), " with ",
           plural(x$suppressed, "count"), " in all, not in the published total"),
    paste0("moved: ", plural(x$moved, "count"), " in ", plural(x$moves, "move"), ", by at most ",
           plural(x$longest, "step")),
    paste0("mu: ", format_count(x$mu_outliers), " for outliers, ", format_count(x$mu_cells),
           " for other cells")
  )))
}

#' @rdname sdc_hex_redistribution-methods
#' @export
as.data.frame.sdc_hex_redistribution <- function(x, row.names = NULL, optional = FALSE, ...,
                                                 stringsAsFactors = FALSE) {
  check_no_dots(...)
  out <- hex_frame(x$original)
  names(out)[5] <- "original"
  out$redistributed <- hex_after(x)
  out$status <- sensitive(x$original, x$threshold)$status
  out
}

# The count after redistribution of each cell of the original.
hex_after <- function(x) {
  after <- numeric(length(x$original$q))
  after[hex_match(x$map, x$original)] <- x$map$count
  after
}

#' @rdname sdc_hex_redistribution-methods
#' @export
format.sdc_hex_publication <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  c("public", hex_result_words(x, x))
}

#' @rdname sdc_hex_redistribution-methods
#' @export
as.data.frame.sdc_hex_publication <- function(x, row.names = NULL, optional = FALSE, ...,
                                              stringsAsFactors = FALSE) {
  check_no_dots(...)
  hex_frame(x)
}
