# A redistributed map in a record: does nobody who knows the method know a sensitive count?
#
# Which originals lead to a published map no linear constraints say. But each of them can be tried:
# the method draws nothing, so that a reader, too, can run it on any map. A count is unknown when
# another original, which has another count there, leads to the same publication, has as many
# people, and has the one count that the reader knows. Such originals are made here from the moves,
# and every one of them goes through the method again.

# What leaves of a redistributed map.
public_map <- function(x) {
  structure(
    list(
      q = plain(x$map$q), r = plain(x$map$r), count = plain(x$map$count),
      geometry = rapply(plain(x$map$geometry), as.double, "integer", how = "replace"),
      threshold = as.double(x$threshold), method = plain(x$method), outliers = plain(x$outliers),
      order = if (x$method == "local") plain(x$order), empty = plain(x$empty)
    ),
    class = sdc_class("sdc_hex_publication")
  )
}

# What a record keeps of a redistributed map: the original without its points, and the moves.
map_entry <- function(x, public) {
  original <- new_sdc_hex(x$original$q, x$original$r, x$original$count, x$original$geometry)
  ask <- list(threshold = x$threshold, method = x$method, outliers = x$outliers, order = x$order,
              empty = FALSE)
  c(open_entry(public), list(map = list(original = original, moves = x$moves, ask = ask),
                             protects = sum(original$count < x$threshold)))
}

# Before any work.
check_map_beside <- function(record, geometry, ask) {
  check_record(record)
  if (is.null(record)) {
    return(invisible())
  }
  check_map_can_be_judged(ask$empty, ask$outliers, geometry)
  check_stands_beside(read_entries(record), function(before) {
    shows_people_alone(before) || inherits(before, "sdc_hex_publication") &&
      before$threshold == ask$threshold && before$method == ask$method &&
      before$outliers == ask$outliers
  }, "redistributed map")
}

# Bounds that are those of the data tell of outliers that are no longer shown.
check_map_can_be_judged <- function(empty, outliers, geometry) {
  lost <- geometry$from_data && outliers != "keep"
  if (!empty && !lost) {
    return(invisible())
  }
  abort_sdc("refused", c(
    "A record takes a map whose readers can try each original again.",
    x = if (empty) {
      "With {.code empty = TRUE} which hexagons are emptied depends on the time of a search."
    } else {
      "The bounds of the map are, or may be, those of the data, and tell where outliers were."
    },
    i = if (empty) "Fill the map: {.code empty = FALSE}." else
      "Give {.fn hex_table} {.arg xbnds} and {.arg ybnds} of your own, or keep the outliers."
  ))
}

#' @export
check_alone_in_record.sdc_hex_publication <- function(public, entry = NULL) {
  check_map_can_be_judged(public$empty, public$outliers, public$geometry)
  if (!is.null(entry)) check_map_unknown(entry)
}

check_map_unknown <- function(entry) {
  original <- entry$map$original
  open <- maybe_known(entry$map, entry$publication, most_seconds_together)
  if (length(open) == 0) {
    return(invisible())
  }
  shown <- utils::head(open, most_cells_named)
  cells <- paste0("q = ", original$q[shown], ", r = ", original$r[shown])
  more <- length(open) - length(shown)
  abort_sdc("refused", c(
    "Only a map that leaves its counts below the threshold unknown, also to who is alone in a
     hexagon, can be entered in a record.",
    x = "{cli::qty(length(open))}The count{?s} of {.val {cells}} {?is/are} not shown to be
         unknown.",
    x = if (more > 0) "So {?is/are} {more} more.",
    i = "Take another {.arg method}, a larger {.arg threshold} or larger hexagons."
  ))
}

# The sensitive cells whose count somebody may know: who has the publication, or who is alone in
# another cell, too.
maybe_known <- function(map, public, seconds) {
  end <- work_seconds() + seconds
  late <- function() work_seconds() > end
  count <- map$original$count
  alone <- which(count == 1)
  open <- Filter(function(cell) {
    others <- setdiff(alone, cell)
    for (other in originals_without(map, cell)) {
      if (late()) break
      differs <- other$count[cell] != count[cell] && all(other$count[others] == 1)
      if (differs && leads_to(other, map, public)) return(FALSE)
    }
    TRUE
  }, which(count < map$ask$threshold))
  readers <- if (length(open) > 0) c(0, alone)
  left <- lapply(readers, function(reader) {
    left <- setdiff(open, reader)
    for (other in originals_with(map, reader)) {
      if (length(left) == 0 || late()) break
      if (leads_to(other, map, public)) left <- left[other$count[left] == count[left]]
    }
    left
  })
  sort(unique(unlist(left)))
}

# `other`: counts, first those of the cells of the original.
leads_to <- function(other, map, public) {
  if (any(other$count < 0)) {
    return(FALSE)
  }
  some <- other$count > 0
  x <- new_sdc_hex(other$q[some], other$r[some], other$count[some], map$original$geometry)
  start <- treat_outliers(x, map$ask)
  if (!can_be_filled(start$map, map$ask)) {
    return(FALSE)
  }
  count <- as.numeric(fill_hexagons(start$map, map$ask, NULL)$count)
  identical(list(q = start$map$q, r = start$map$r, count = count), public[c("q", "r", "count")])
}

# The original after some of its moves.
after_moves <- function(map, which) {
  x <- map$original
  key <- hex_keys(x$q, x$r)
  from <- match(hex_keys(map$moves$from_q, map$moves$from_r), key)
  to <- match(hex_keys(map$moves$to_q, map$moves$to_r), key)
  at <- which(from, to)
  n <- seq_along(x$q)
  sums <- function(cell) as.vector(rowsum(c(map$moves$count[at], 0 * n), c(cell[at], n)))
  list(q = x$q, r = x$r, count = x$count + sums(to) - sums(from))
}

# Originals in which a cell may have another count: the moves from and to it were made before; or,
# where outliers are not shown, those of the other one of a pair; or it lies elsewhere.
originals_without <- function(map, cell) {
  x <- map$original
  moved <- after_moves(map, function(from, to) from == cell | to == cell)
  if (map$ask$outliers == "keep") {
    return(list(moved))
  }
  steps <- expand.grid(q = -2:2, r = -2:2)
  steps <- steps[hex_length(steps$q, steps$r) %in% 1:2, ]
  q <- x$q[cell] + steps$q
  r <- x$r[cell] + steps$r
  free <- which(!hex_keys(q, r) %in% hex_keys(x$q, x$r) & in_bounds(q, r, x$geometry))
  c(list(moved), pair_moved(map, cell), lapply(free, function(i) {
    list(q = c(x$q, q[i]), r = c(x$r, r[i]), count = c(replace(x$count, cell, 0), x$count[cell]))
  }))
}

# Of two neighbours the first one moves to where the second one would go were it alone.
pair_moved <- function(map, cell) {
  x <- map$original
  other <- which(hex_length(x$q - x$q[cell], x$r - x$r[cell]) == 1)
  if (length(other) != 1 || x$count[other] != x$count[cell]) {
    return(list())
  }
  moved <- after_moves(map, function(from, to) from == other | to == other)
  both <- c(cell, other)
  list(replace(moved, "count", list(replace(moved$count, both, moved$count[rev(both)]))))
}

# Originals in which a person is alone in her cell, and most other cells are as published. `reader`
# is 0 for who is in no such cell.
originals_with <- function(map, reader) {
  kept <- after_moves(map, function(from, to) from != reader & to != reader)
  after <- after_moves(map, function(from, to) rep(TRUE, length(from)))
  if (reader == 0 || after$count[reader] < map$ask$threshold) {
    return(list(kept))
  }
  # what she got came from the nearest cells, one each, or all from one of them
  need <- after$count[reader] - 1
  far <- hex_length(after$q - after$q[reader], after$r - after$r[reader])
  others <- setdiff(order(far, -after$count), reader)
  others <- others[after$count[others] >= map$ask$threshold]
  from <- c(list(utils::head(others, need)), utils::head(others, 3))
  c(list(kept), lapply(from[lengths(from) > 0], function(cells) {
    given <- tabulate(rep_len(cells, need), length(far))
    replace(after, "count", list(replace(after$count, reader, 1) + given))
  }))
}

hex_length <- function(q, r) pmax(abs(q), abs(r), abs(q + r))

# Does a hexagon lie within the bounds of a map, with its centre?
in_bounds <- function(q, r, geometry) {
  if (is.null(geometry$xbnds)) {
    return(rep(TRUE, length(q)))
  }
  at <- hex_centres(q, r, geometry)
  within <- function(x, bounds) x >= bounds[1] & x <= bounds[2]
  within(at$x, geometry$xbnds) & within(at$y, geometry$ybnds)
}
