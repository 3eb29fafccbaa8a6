# Redistribution of counts on a map of hexagons: the private result.

#' Redistribute counts on a map of hexagons
#'
#' Moves counts between data cells so that each ends at the threshold or above, and no count is
#' lost. The result is **private**: it holds the original and the log of all moves, which together
#' with the published map gives the original back.
#'
#' @details **What is moved.** A data cell is sensitive when its count is below `threshold`. Cells
#' above the threshold give to sensitive ones, which end at exactly the threshold; a giver stops
#' there. The cost `mu` is the total distance over all single counts that move.
#'
#' **Outliers** (see [sensitive()]) come first. `"suppress"` removes them, and their counts with
#' them: the lost mass is in `suppressed`. `"redistribute"` moves each count to the data cells
#' nearest to it, one each: by distance, then the larger count, then position; the smallest outlier
#' first; a cell that has meanwhile reached the threshold no longer counts as an outlier. These
#' moves are part of `mu` (stage `"outlier"`). `"keep"` treats outliers as all other cells.
#'
#' **`method = "local"`** is algorithm 1 of the source: each sensitive cell in turn (`order`) grows
#' a cluster, by distance, then larger count, then position, until its mean count is at least the
#' threshold; within the cluster counts move at least distance. Among such moves those are taken
#' that use givers which joined early, which makes the final map unique.
#'
#' **`method = "global"`** is algorithm 2: all cells above the threshold give one each in full
#' rounds, as long as they number at most what is still needed; the last round takes those nearest
#' to a sensitive cell, then larger counts, then position. What they give moves at least total
#' distance. The time grows faster than the number of hexagons: 0.5 seconds for 30,819 data
#' cells on 72,790 hexagons, and 2.3 seconds for 61,516 data cells on 185,663 hexagons.
#'
#' **`method = "optimal"`** is the least `mu` that filling can have, by minimum cost flow on the
#' graph of hexagons (package's own, proven by its potentials). The other two are never below it.
#' Which of them is lower is not a theorem: local mostly, but on a line of hexagons 0, 1, 3, 6 with
#' counts 2, 4, 1, 5 it needs 11, and global 7.
#'
#' **`empty = TRUE`** (`"optimal"` only) lets a sensitive cell also end at 0. This lowers `mu`
#' much, and it removes cells from the picture: the number of cells lost is always printed beside
#' `mu`. `empty_cost` is added to the cost for each cell that is emptied; a large one empties only
#' what must be. Cells at or above the threshold are never emptied, and hexagons without data are
#' never entered. Which cells to empty is decided by trying all sets where 10 or fewer cells are
#' sensitive, otherwise by an integer programme (the package's own search, in whole numbers), in
#' `time_limit_s` seconds; where package highs is installed and a fifth of the time does not
#' suffice, highs has the rest (in floating point: `solver` is then `"highs"`). Moves for the
#' chosen set are solved exactly as a flow. The better of this, of pure filling, and of emptying
#' every sensitive cell is taken, and `gap` says how far at most it is from the optimum, relative
#' to its cost. A cost with decimals is read as a fraction: 0.1 is 1/10. Programmes with more than
#' 2,000,000 pairs of cells are not tried.
#'
#' **What is and is not protected.** A map without a sensitive cell is left as it is. So the
#' published map is itself a possible original: nobody can be certain that a given cell was below
#' the threshold, even knowing the method. **Not** protected: probabilities (a cell shown at exactly
#' the threshold is likely to have been smaller; see [attack()]); readers who know other cells, or
#' who know how many cases there were while outliers are suppressed; a first choice of `xbins` that
#' readers know when `coarsen` was used; and readers who get the log of moves.
#'
#' **Beside a record** the map is refused before any work where something is out that it cannot
#' stand beside, and afterwards where somebody who knows the method may know a count below the
#' threshold; see [publication_record()].
#'
#' @param x (sdc_hex) The confidential map, of [hex_table()].
#' @param threshold (whole number of at least 2) The least count that is not sensitive.
#' @param method (string) `"optimal"`, `"local"` or `"global"`.
#' @param outliers (string) `"suppress"`, `"redistribute"` or `"keep"`.
#' @param order (string) For `"local"`, which sensitive cells come first; position decides ties.
#' @param empty (flag) May sensitive cells be emptied?
#' @param empty_cost (number of at least 0) What emptying one cell costs, in steps.
#' @param coarsen (flag) Where the map cannot be filled, take the first coarser one that can:
#'   `xbins` less 1, 2, .... The map must have its points. A known first choice of `xbins` tells
#'   readers that the finer maps could not be filled.
#' @param time_limit_s (positive number, seconds) How long the integer programme may take: processor
#'   time, for highs by the clock. Where the time ends, or the user interrupts, the best choice so
#'   far is taken.
#' @param progress (flag) Show a progress bar?
#' @template param-record
#' @param ... Not used.
#' @return An object of class `c("sdc_hex_redistribution", "sdc_redistribution")`: a list with
#'   `original` (sdc_hex), `map` (sdc_hex, after), `mu`, `moves` (data frame: `from_q`, `from_r`,
#'   `to_q`, `to_r`, `count`, `distance`, `stage`), `suppressed` (data frame: `q`, `r`, `count`),
#'   `lost_cells` (data cells emptied by filling or emptying, outliers not counted), `threshold`,
#'   `method`, `outliers`, `order`, `empty`, `empty_cost`, `coarsened` (flag), `bound` (no
#'   redistribution of this kind costs less), `gap`, `solver` and `seal` (see [publish()]). See
#'   [sdc_hex_redistribution-methods].
#' @section Errors:
#' `sdc_error_infeasible` when there are too few counts: it says how many are missing and, with
#' points at hand, the first coarser `xbins` that would do. `sdc_error_too_large` when `mu` exceeds
#' 2^53. `sdc_error_refused` beside a `record` that cannot take the map. `sdc_error_input` for
#' anything else. A warning `sdc_warning_time` when an emptying is not
#' proven to be the best.
#' @section Guarantee:
#' Exact: counts are conserved (but for suppressed outliers), every data cell ends at the threshold
#' or above (or at 0 where that was allowed), and `mu` is the sum of `count * distance` over
#' `moves`. `"optimal"` filling is a proven optimum; emptying within `gap`. Nothing is random: the
#' same map gives the same result.
#' @section Complexity:
#' Memory grows with the data cells, never with the area of the map. Filling 20,000 data cells takes
#' a fraction of a second. See `system.file("bench", package = "sdcLattice")`.
#' @template ref-hexagons
#' @family hex
#' @export
#' @examplesIf requireNamespace("hexbin", quietly = TRUE)
#' x <- hex_table(reiter_data("piecewise", seed = 1), dimVar = c("x1", "residual"))
#' h <- redistribute(x, threshold = 3, method = "local")
#' h
#' h$mu
#' head(h$moves, 3)
#' redistribute(x, threshold = 3, method = "optimal")$mu
redistribute.sdc_hex <- function(x, threshold, method = c("optimal", "local", "global"),
                                 outliers = c("suppress", "redistribute", "keep"),
                                 order = c("smallest", "largest", "position"), empty = FALSE,
                                 empty_cost = 0, coarsen = FALSE, time_limit_s = 60,
                                 progress = rlang::is_interactive(), record = NULL, ...) {
  check_no_dots(...)
  check_threshold(threshold)
  ask <- list(
    threshold = threshold, method = check_choice(method, c("optimal", "local", "global")),
    outliers = check_choice(outliers, c("suppress", "redistribute", "keep")),
    order = check_choice(order, c("smallest", "largest", "position")), empty = check_flag(empty),
    empty_cost = check_number(empty_cost, min = 0, max = 1e9),
    seconds = check_seconds(time_limit_s),
    progress = check_flag(progress)
  )
  check_flag(coarsen)
  check_can_empty(ask)
  check_map_beside(record, x$geometry, ask)
  start <- treat_outliers(x, ask)
  coarsened <- FALSE
  if (!can_be_filled(start$map, ask)) {
    coarser <- coarser_map(x, ask)
    if (!coarsen || is.null(coarser)) abort_too_few(start$map, x, coarser, ask)
    x <- coarser
    start <- treat_outliers(x, ask)
    coarsened <- TRUE
  }
  found <- with_progress("Redistributing", show = ask$progress, function(tick) {
    if (ask$empty) empty_hexagons(start$map, ask, tick) else fill_hexagons(start$map, ask, tick)
  })
  out <- new_hex_redistribution(x, start, found, coarsened, ask)
  beside_record(out, record, map_entry(out, public_map(out)))
}

check_can_empty <- function(ask) {
  if (!ask$empty || ask$method == "optimal") {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.code empty = TRUE} is for {.code method = \"optimal\"}.",
    x = "The method is {.val {ask$method}}."
  ))
}

# The first coarser map that can be filled; NULL without points, or where there is none.
coarser_map <- function(x, ask) {
  if (is.null(x$points)) {
    return(NULL)
  }
  for (xbins in rev(seq_len(x$geometry$xbins - 1))) {
    settings <- x$points$settings
    settings$xbins <- xbins
    map <- bin_points(x$points$x, x$points$y, settings, x$geometry$names, TRUE)
    if (can_be_filled(treat_outliers(map, ask)$map, ask)) {
      return(map)
    }
  }
  NULL
}

abort_too_few <- function(treated, x, coarser, ask) {
  cells <- if (ask$empty) 1 else length(treated$q)
  missing <- format_count(ask$threshold * cells - sum(treated$count))
  xbins <- coarser$geometry$xbins
  which <- if (ask$empty) "one" else "every"
  abort_sdc("infeasible", c(
    "The counts must suffice for {which} data cell to reach the threshold.",
    x = "Missing: {missing}.",
    i = if (!ask$empty && sum(treated$count) >= ask$threshold) {
      "{.code empty = TRUE} needs the threshold in one cell only, and there are enough counts for
       that; it may empty cells, and needs {.code method = \"optimal\"}."
    },
    i = if (!is.null(coarser)) "The first coarser map that fits has {.code xbins = {xbins}};
        {.code coarsen = TRUE} takes it.",
    i = if (is.null(coarser) && !is.null(x$points)) "No coarser map of these points fits either.",
    i = if (is.null(x$points)) "The map has no points from which to make a coarser one."
  ))
}

new_hex_redistribution <- function(x, start, found, coarsened, ask) {
  outlier <- hex_moves(x, seq_along(x$q), start$moves, "outlier")
  stage <- if (ask$empty) "empty" else "fill"
  moves <- rbind(outlier, hex_moves(x, start$from, found$moves, stage))
  kept <- which(found$count > 0)
  cost <- sum(outlier$count * outlier$distance)
  lost <- length(found$count) - length(kept)
  reached <- found$mu + ask$empty_cost * lost
  out <- structure(
    list(
      original = x, map = hex_subset(start$map, kept, found$count), mu = cost + found$mu,
      moves = moves,
      suppressed = as.data.frame(lapply(hex_cells(x), function(column) column[start$suppressed])),
      lost_cells = lost, threshold = ask$threshold, method = ask$method, outliers = ask$outliers,
      order = ask$order, empty = ask$empty, empty_cost = ask$empty_cost, coarsened = coarsened,
      bound = cost + found$bound,
      gap = if (ask$method == "optimal") relative_gap(reached, found$bound) else NA_real_,
      solver = found$solver
    ),
    class = sdc_class("sdc_hex_redistribution", "sdc_redistribution", mark = "private")
  )
  out$seal <- seal_of("map", hex_parts(out))
  out
}

# `cells`: the numbers in `x` of the cells that the moves speak of.
hex_moves <- function(x, cells, moves, stage) {
  from <- cells[moves$from]
  to <- cells[moves$to]
  list2data_frame(list(
    from_q = x$q[from], from_r = x$r[from], to_q = x$q[to], to_r = x$r[to],
    count = as.numeric(moves$count), distance = as.numeric(moves$distance),
    stage = rep(stage, length(from))
  ), length(from))
}

hex_parts <- function(x) {
  fields <- c("threshold", "method", "outliers", "order", "empty", "moves", "suppressed")
  list(x$original[c("q", "r", "count", "geometry")], x$map[c("q", "r", "count", "geometry")],
       lapply(unclass(x)[fields], unclass))
}
