# Moving value out of the sensitive cells of a magnitude table: one entry, three methods.

#' Redistribute a magnitude table
#'
#' Changes a magnitude table so that its sensitive cells can be published. All amounts are whole
#' units, and the grand total stays exactly. The result is **private**; [audit()] says how well it
#' protects, and [publish()] makes what may be released.
#'
#' @details
#' **`method = "minimal"`** (the default, and the sound one) changes the published **totals**, with
#' the true contributors held in mind: the sum of absolute changes is made least, by linear
#' programming, such that
#' * each sensitive cell is published at or above its upper protection level, or at or below its
#'   lower one. With `directions = "random"` which of them is drawn for each cell with secret coins;
#'   so is how far beyond the level the cell must go, a whole number of units from 0 to `spread`
#'   times the level. `"up"` draws amounts only; it costs least and tells a reader who knows the
#'   method that true totals of sensitive cells are lower. `"free"` lets an integer programme choose
#'   directions (package highs);
#' * no cell that is not sensitive falls so far that it would become so, or below 0;
#' * the same holds for the totals over variables and trees, which stay the sums of their cells
#'   (`totals = FALSE` leaves out this part);
#' * totals of `keep_margins`, and always the grand total, do not change.
#'
#' The upper level is reached at `x1 + x2 + m` with m = `p x1 / 100` (p percent rule) or `100 / k
#' (x1 + ... + xn)`. The lower is `x1 + x2 - m`, and then the total must not fall below `x1 + x3 +
#' m`: contributor 2 estimates x1 too low, and all others too high. Where there is no room between
#' (x2 - x3 < 2 m) it is `x1 - m`: everybody's estimate is too low. (`x1 + x2 - m` alone keeps
#' contributor 2 away; but contributor 3, or a reader who knows nobody, could then hit x1.) For
#' shares it is `(2 - 100 / k) (x1 + ... + xn)`, where k is at least 50. A rule set without a p
#' percent rule is taken with that of `p`, and so are cells that only [rule_threshold()] finds
#' sensitive. Counts of contributors are not changed, and not published unless you ask for it.
#'
#' **`method = "iterative"`** is the source's: it changes the **contributors**. First cells with too
#' few contributors (see [rules]) get the smallest one of the nearest cells that can spare one.
#' Then value moves: `scale = "cap"` lowers all values of a sensitive cell above a level to that
#' level, the largest at which no rule fires; `scale = "paper"` scales the largest contributors, one
#' rule after the other, as the source does (it may need many rounds). The excess is spread in
#' proportion over the nearest cell that holds the smallest contributor; left-over units go to the
#' smallest contributors. Afterwards **the modified contributors obey the rules; the true ones need
#' not be protected**: contributor 2 subtracts her true value. See [audit()] and
#' `vignette("magnitudes")`.
#'
#' **`method = "contributors"`** is the least change of contributors' values after which the rules
#' of dominance hold, a linear programme, rounded to whole units (so that it may be some units above
#' the least). It is there for comparison: like `"iterative"` it protects
#' modified contributors only, and it cannot mend cells with too few contributors.
#'
#' **Neighbours** (for `"iterative"`): `"steps"`: cells one step apart along one variable, in the
#' order of its levels; `along` says along which variables (others must be equal). `"hexagon"`: the
#' two variables are axial coordinates q and r, with whole numbers as labels. A data frame with
#' columns `from` and `to`: pairs of neighbours, by label for one variable, else by cell number
#' (first variable fastest). Where no neighbour will do, the search continues at distance 2, 3, ...,
#' up to `max_distance`. Cells without contributors take no part.
#'
#' @param x (sdc_magnitude) The table, with whole units and no negative values.
#' @param rules (sdc_rules) The rules; see [rules].
#' @param method (string) See below.
#' @param scale,neighbours,along,max_distance For `"iterative"`: see below. `max_distance` is a
#'   number of steps.
#' @param max_steps (whole number or `NULL`) For `"iterative"`: how many cells are capped or scaled
#'   before it gives up; `NULL`: 100 and 20 times the cells.
#' @param p (number, percent) By how much an estimate of the largest contributor must miss where the
#'   rules have no p percent rule.
#' @param totals (flag) Will totals over variables and trees be published too? Then they are
#'   audited, and `"minimal"` protects them.
#' @param directions,spread,keep_margins For `"minimal"`: see below. `spread` is a number from 0 to
#'   10; `keep_margins` a list with the variables of each margin whose totals stay.
#' @param max_change (number or `NULL`) For `"minimal"`: no cell changes by more than this, in the
#'   unit of the data. Only what is published with the table needs to be given here.
#' @param key,seed As in [perturb()]; for `"minimal"` only.
#' @param time_limit_s (number, seconds) How long the programmes may take: processor time in all,
#'   and each by the clock of its solver.
#' @param record (sdc_record or `NULL`) What is out, see [publication_record()]: where anything is,
#'   the table is refused, before any work. It is entered by [publish()].
#' @param ... Not used.
#' @return An object of class `sdc_magnitude_redistribution`, `sdc_redistribution`: a list with
#'   `original`, `rules`, `method`, `cells` (data frame: `cell`, `true`, `published`, `change`, in
#'   values), `contributors` (modified; `NULL` for `"minimal"`), `moves` (data frame, the private
#'   log), `mu` (steps that contributors moved in all), `settled` (flag: did it stop by itself,
#'   before `max_steps`? It says nothing about safety), `remaining` (data frame of the
#'   cells that are still sensitive, with what fires), `p`, `keep_margins`, `max_change`,
#'   `reproducible`, `audit` and `seal` (see [publish()]); see
#'   [sdc_magnitude_redistribution-methods].
#' @section Errors: `sdc_error_infeasible` when a total that must stay is itself sensitive, or no
#' table of whole units meets all conditions; `sdc_error_too_large` when none is found in time;
#' `sdc_error_refused` beside a `record` that has a publication;
#' `sdc_error_input` for anything else.
#' @section Guarantee:
#' `"minimal"`: whoever takes the published totals for true misses the largest contributor of every
#' sensitive cell by at least p %, also who knows any other contributor of the cell exactly; and
#' where the total was raised, whoever knows any one contributor misses every other by as much.
#' Checked in whole units after the solver. It is no guarantee against readers who learn the
#' directions and amounts of change. The change is least for the directions and amounts drawn, up to
#' the solver's floating point. `"iterative"`, `"contributors"`: heuristic; see above.
#' @section Complexity:
#' `"iterative"`: near linear in the contributors. `"minimal"`: a linear programme with up to two
#' columns for each cell; an integer one when its solution is not whole.
#' @template ref-magnitude
#' @family magnitude
#' @family redistribute
#' @export
#' @examples
#' firms <- data.frame(
#'   region = rep(c("north", "middle", "south"), c(3, 4, 4)),
#'   turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' redistribute(mg, rule_p_percent(10), method = "iterative")
#' @examplesIf requireNamespace("lpSolve", quietly = TRUE)
#' re <- redistribute(mg, rule_p_percent(10), seed = 1)
#' re
#' publish(re, insist = TRUE)
redistribute.sdc_magnitude <- function(x, rules, method = c("minimal", "iterative", "contributors"),
                                       scale = c("cap", "paper"), neighbours = "steps",
                                       along = NULL, max_distance = Inf, max_steps = NULL, p = 10,
                                       directions = c("random", "up", "free"), spread = 1,
                                       totals = TRUE, keep_margins = NULL, max_change = NULL,
                                       key = NULL, seed = NULL, time_limit_s = 60,
                                       record = NULL, ...) {
  check_no_dots(...)
  check_record(record)
  validate_sdc_magnitude(x)
  check_sensitivity_rules(rules)
  method <- check_choice(method, c("minimal", "iterative", "contributors"))
  check_units(x, "be redistributed", "that is redistributed")
  check_not_sampled(x, "be redistributed")
  check_percent(p, 1000)
  check_number(time_limit_s, min = 0)
  check_flag(totals)
  secret <- redistribution_key(method, key, seed)
  if (!is.null(record)) check_none_out(read_entries(record), "redistributed table of magnitudes")
  found <- switch(
    method,
    minimal = {
      directions <- check_choice(directions, c("random", "up", "free"))
      check_number(spread, min = 0, max = 10)
      keep <- kept_margins(x, keep_margins)
      limit <- change_limit(max_change, x)
      least_change(x, rules, p, directions, spread, totals, keep, limit, secret, time_limit_s)
    },
    iterative = {
      scale <- check_choice(scale, c("cap", "paper"))
      map <- cell_map(x, neighbours, along)
      move_by_steps(x, rules, scale, map, max_distance, max_steps)
    },
    contributors = least_contributors(x, rules, time_limit_s)
  )
  new_magnitude_redistribution(
    x, rules, method, found, p, totals, keep_margins, max_change, !is.null(seed)
  )
}

new_magnitude_redistribution <- function(x, rules, method, found, p, totals, keep_margins,
                                         max_change, reproducible) {
  true <- cell_totals(x)
  out <- structure(
    list(
      original = x, rules = rules, method = method,
      cells = list2data_frame(list(
        cell = x$cell, true = in_values(true, x), published = in_values(found$totals, x),
        change = in_values(found$totals - true, x)
      ), length(true)),
      contributors = found$contributors, units = found$totals,
      moves = found$moves, mu = sum(found$moves$distance[found$moves$kind == "contributor"]),
      settled = found$settled, remaining = remaining_cells(x, rules, found),
      p = p, totals = totals, keep_margins = keep_margins, max_change = max_change,
      reproducible = reproducible
    ),
    class = sdc_class("sdc_magnitude_redistribution", "sdc_redistribution", mark = "private")
  )
  out$audit <- audit(out)
  out$seal <- seal_of("magnitudes", redistribution_parts(out))
  out
}

redistribution_key <- function(method, key, seed) {
  if (method == "minimal") {
    return(c(charToRaw("sdcLattice redistribute_magnitude 1:"), check_key(key, seed)))
  }
  if (is.null(key) && is.null(seed)) {
    return(NULL)
  }
  abort_sdc("input", c(
    "{.arg key} and {.arg seed} are for {.code method = \"minimal\"}.",
    x = "The method is {.val {method}}, which draws nothing."
  ))
}

# Cells whose modified contributors still fire a rule. Totals that were changed for true
# contributors are judged by audit() alone.
remaining_cells <- function(x, rules, found) {
  if (is.null(found$contributors)) {
    return(list2data_frame(c(cell_factors(numeric(), x$dimnames), list(rules = character())), 0))
  }
  fired <- apply_rules(found$contributors, rules, 0)$fired
  at <- which(rowSums(fired) > 0)
  list2data_frame(
    c(cell_factors(x$cell[at], x$dimnames),
      list(rules = fired_labels(fired[at, , drop = FALSE], rules$label))),
    length(at)
  )
}

# ---- step by step -----------------------------------------------------------------------------

move_by_steps <- function(x, rules, scale, map, max_distance, max_steps) {
  check_number(max_distance, min = 1)
  if (is.null(max_steps)) max_steps <- 100 + 20 * length(x$cell)
  check_whole(max_steps, min = 0, max = 2^53)
  found <- with_core(
    with_progress("Moving", function(tick) {
      cpp_redistribute_magnitude(
        x[c("cell", "start", "value", "holder")], unclass(rules), map, scale == "cap",
        min(max_distance, 2^53), max_steps, tick
      )
    })
  )
  totals <- cell_totals(found$contributors)
  stopifnot(sum(totals) == sum(x$value))
  moves <- found$moves
  list(
    contributors = found$contributors, totals = totals, settled = found$settled,
    moves = list2data_frame(list(
      kind = ifelse(moves$contributor, "contributor", "value"), from = x$cell[moves$from],
      to = x$cell[moves$to], value = in_values(moves$value, x), distance = moves$distance
    ), length(moves$from))
  )
}

# Where the cells with contributors lie, as the core takes it (struct CellMap).
cell_map <- function(x, neighbours, along) {
  if (is.data.frame(neighbours)) {
    check_no_along(along)
    return(graph_map(x, neighbours))
  }
  neighbours <- check_choice(neighbours, c("steps", "hexagon"), "neighbours")
  codes <- split_codes(x$cell, lengths(x$dimnames, FALSE))
  if (neighbours == "hexagon") {
    check_no_along(along)
    return(hexagon_map(x, codes))
  }
  variables <- names(x$dimnames)
  open <- if (is.null(along)) seq_along(variables) else margin_variables(x, along, "along")
  list(metric = "steps", at = do.call(rbind, codes), open = as.integer(seq_along(codes) %in% open))
}

check_no_along <- function(along) {
  if (is.null(along)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg along} is for {.code neighbours = \"steps\"}.", x = "{.arg neighbours} is another."
  ))
}

hexagon_map <- function(x, codes) {
  places <- lapply(x$dimnames, function(labels) suppressWarnings(as.numeric(labels)))
  whole <- vapply(places, function(at) !anyNA(at) && all(at == floor(at) & abs(at) < 2^29), NA)
  if (length(places) != 2 || !all(whole)) {
    abort_sdc("input", c(
      "A hexagon map has two variables, the axial coordinates q and r, labelled by whole numbers.",
      x = if (length(places) != 2) {
        "The table has {length(places)} variable{?s}."
      } else {
        "The labels of {.val {names(places)[!whole]}} are no whole numbers."
      }
    ))
  }
  at <- rbind(as.integer(places[[1]][codes[[1]]]), as.integer(places[[2]][codes[[2]]]))
  list(metric = "hexagon", at = at, open = c(1L, 1L))
}

graph_map <- function(x, neighbours) {
  missing <- setdiff(c("from", "to"), names(neighbours))
  if (length(missing) > 0) {
    abort_sdc("input", c(
      "A table of neighbours must have columns {.field from} and {.field to}.",
      x = "Missing: {.val {missing}}."
    ))
  }
  ends <- lapply(c("from", "to"), function(side) {
    column <- neighbours[[side]]
    if (length(x$dimnames) == 1 && !is.numeric(column)) {
      column <- rlang::set_names(list(as.character(column)), names(x$dimnames))
      column <- list2data_frame(column, nrow(neighbours))
    }
    match(resolve_cells(column, x$dimnames, paste0("neighbours$", side)), x$cell)
  })
  there <- !is.na(ends[[1]]) & !is.na(ends[[2]])
  from <- ends[[1]][there]
  to <- ends[[2]][there]
  list(metric = "graph", from = c(from, to), to = c(to, from))
}

redistribution_parts <- function(x) {
  fields <- c("method", "units", "settled", "p", "totals", "keep_margins", "max_change",
              "reproducible")
  c(magnitude_parts(x$original), list(
    unclass(x$rules), unclass(x$contributors), unclass(x$cells)[c("cell", "published")],
    unclass(x)[fields]
  ))
}
