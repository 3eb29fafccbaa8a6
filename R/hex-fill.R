# A map is filled: first its outliers are dealt with, then counts move.

# The map after its outliers were dealt with, the moves that this took, and what was suppressed. The
# moves are between cells of `x`.
treat_outliers <- function(x, ask) {
  if (ask$outliers == "keep" || length(x$q) == 0) {
    return(list(map = x, from = seq_along(x$q), moves = NULL, suppressed = integer()))
  }
  if (ask$outliers == "suppress") {
    number <- with_core(cpp_find_outliers(hex_cells(x), ask$threshold))
    kept <- which(number == 0)
    return(list(map = hex_subset(x, kept, x$count), from = kept, moves = NULL,
                suppressed = which(number > 0)))
  }
  found <- with_core(cpp_redistribute_outliers(hex_cells(x), ask$threshold))
  kept <- which(found$count > 0)
  list(map = hex_subset(x, kept, found$count), from = kept, moves = found$moves,
       suppressed = integer())
}

hex_subset <- function(x, kept, count) {
  new_sdc_hex(x$q[kept], x$r[kept], count[kept], x$geometry)
}

# Filling needs the threshold in every cell, emptying in one.
can_be_filled <- function(map, ask) {
  cells <- if (ask$empty) min(1, length(map$q)) else length(map$q)
  sum(map$count) >= ask$threshold * cells
}

fill_hexagons <- function(map, ask, tick) {
  found <- with_core(
    cpp_fill_hexagons(hex_cells(map), ask$threshold, ask$method, ask$order, -1, tick)
  )
  found$bound <- if (ask$method == "optimal") found$mu else 0
  found$solver <- if (ask$method == "local") "transport" else "flow"
  found
}
