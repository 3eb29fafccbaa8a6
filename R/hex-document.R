# Files of maps.

#' @export
to_document.sdc_hex_publication <- function(x) {
  g <- x$geometry
  geometry <- lapply(g, function(v) {
    if (is.character(v)) return(I(v))
    if (!is.numeric(v)) return(v)
    if (length(v) == 1) verbatim_number(v) else I(lapply(v, verbatim_number))
  })
  table_document(
    what = paste(
      paste0("A map of hexagons with counts, moved between hexagons so that each one with data ",
             "has at least"),
      "threshold. Hexagons that are not listed have no data."
    ),
    label_names = NULL, labels = character(length(x$q)),
    columns = lapply(x[c("q", "r", "count")], exact_decimal),
    words = list(q = "first axial coordinate", r = "second axial coordinate (the row)",
                 count = "the published count"),
    layout = "one line for each hexagon with data, row by row",
    variables = list(),
    parameters = list(
      geometry = geometry,
      geometry_in_words = paste(
        paste0("The centre of a hexagon is at x0 + dx (q + r / 2) and y0 + dy r, ",
               "in the coordinates names."),
        paste0("Neighbours of (q, r) are (q+1, r), (q-1, r), (q, r+1), (q, r-1), (q+1, r-1) and ",
               "(q-1, r+1)."),
        "from_data says whether the bounds of the map may be those of the data."
      ),
      threshold = verbatim_number(x$threshold), method = x$method, order = x$order,
      outliers = x$outliers, empty = x$empty,
      method_in_words = paste(
        paste0("Counts were moved to hexagons below the threshold: optimal with the least sum of ",
               "counts times"),
        paste0("steps, local in clusters, global in rounds. Isolated hexagons below the ",
               "threshold are outliers:"),
        "suppressed, redistributed or kept. If empty is true, hexagons may have been emptied."
      )
    )
  )
}

#' @export
from_document.sdc_hex_publication <- function(kind, document, lines) {
  p <- document$parameters
  values <- lapply(last_fields(lines[-1], c("q", "r", "count")), decimal_fields)
  threshold <- read_number(p$threshold)
  need(all(values$count >= threshold & values$count %% 1 == 0), "a count is below the threshold")
  geometry <- lapply(p$geometry, function(v) {
    if (is.logical(v)) return(v)
    if (is.list(v) && is.character(v[[1]])) return(strings(v))
    as.double(unlist(v))
  })
  structure(
    c(values, list(
      geometry = geometry, threshold = threshold, method = strings(list(p$method)),
      outliers = strings(list(p$outliers)),
      order = if (!is.null(p$order)) strings(list(p$order)), empty = p$empty
    )),
    class = sdc_class("sdc_hex_publication")
  )
}
