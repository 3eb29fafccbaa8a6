# What a magnitude table with suppressed cells still gives away.

#' What a magnitude table with suppressed cells still gives away
#'
#' Looks at a suppression as a reader of its publication would: who has the published totals, knows
#' that they add up, that values are not negative and in which unit they are whole. For each
#' suppressed cell and total it gives the interval in which the true total T must lie, and for each
#' primary one whether that interval is as wide as its rules ask for.
#'
#' @details
#' The reader's system is that of [audit.sdc_suppression], in units of the table. Linear programmes
#' in exact arithmetic give the intervals. Where an end of one is not attained by whole units, and
#' no suppressed total can exceed 1,000 units, whole numbers are searched; in larger tables such an
#' interval is that of a reader who reasons over real numbers. The published totals connect
#' suppressed cells in groups. In a group of more than 150 cells and totals what contributors learn
#' is always found over whole units, however large the totals are: there a contributor is credited
#' with the unit.
#'
#' **What the rules ask for.** Let U be the upper protection level of
#' [sensitive()][sensitive.sdc_magnitude]: if T rose by U, no rule would fire. A primary cell is
#' *protected* when its interval reaches up to T + U at least and down to T - U (or 0) at most, and
#' is no point. For a p percent rule the upper end keeps contributor 2, who subtracts her own x2,
#' from knowing that x1 is less than x1 + p %. The lower level is the customary symmetric one: her
#' estimate there is x1 - p % and twice the rest. Cells below the threshold have the level of the
#' strictest p percent rule, or of `p`, as if there were no rest.
#'
#' **Contributor 2** subtracts her own value from both ends and so gets an interval for the estimate
#' of x1, which is given in percent of x1. The cell is *near* when all of it is within p % of x1.
#'
#' **Contributors.** Every contributor is a reader of her own, with her values in all cells, added
#' up by `contributorVar`. She knows the total of each cell that is hers alone, and that no other
#' total is less than her own value in it: further limits of the unknowns. Of a primary cell she
#' wants the largest value x of another contributor, and knows that x is at most the upper end of
#' her interval less her own value v. She *learns* the cell when that interval does not reach up to
#' the largest of
#' * v + x (1 + p / 100) for a p percent rule that fires,
#' * v + x 100 / k for an (n, k) rule that fires,
#' * T + x p / 100 for a threshold rule that fires, as the rest protects nobody from so few;
#'
#' or, where that is more, to the total at which no rule would fire; or when T itself reaches so far
#' and she knows T exactly. So contributor 2 of a cell with a p percent rule learns it when her
#' upper estimate of x1 is less than x1 + p percent, whatever else she knows. Cells that the
#' outsider learns fail anyway, and are not asked again. `"coalition"` asks the same of every two
#' contributors who put together what they know, where neither learns the cell alone.
#'
#' **Tables that may be negative.** What a reader knows instead of "no total is negative" is
#' `lowest` of [suppress()][suppress.sdc_magnitude]. Without a limit (`-Inf`) an interval is a
#' point or all numbers, by exact linear algebra, and so is what a contributor knows, who knows the
#' totals that are hers alone; a part of hers in another total limits nothing. With a limit the
#' interval must reach T + U, and T - U or the limit; that of each contributor must reach T + U.
#' What somebody has with both signs is added up in sums, as in totals, and judged by its absolute
#' value.
#'
#' **Sums of suppressed cells** that follow from the published totals are cells like others: all
#' rules judge them, with what a contributor has in several parts added up. A sum that is sensitive
#' is a failure, as everybody knows it. Such a sum can be what is below one total, less the
#' published parts, or a difference of totals: row 1 + row 2 - column 1 may leave two suppressed
#' cells that one firm dominates. In tables of three or more variables, or with several trees for a
#' variable, a sum may count a cell more than once; the rule is then applied to the holdings with
#' these weights. Where one sum of some connected suppressed cells fails, the audit names what it
#' found and does not look for all others. Of linked tables, cells that no crossing publishes are
#' judged alike: areas of two divisions may differ by one county, whose total is then a difference.
#'
#' The reader of these sums is the outsider. A contributor knows further cells, and so further sums.
#' She is asked what she learns of single cells, as said above, and not about such sums.
#'
#' **What no reader is credited with**: the rules, the levels, and the way in which the cells were
#' chosen.
#'
#' @param x (sdc_magnitude_suppression) What [suppress()][suppress.sdc_magnitude] returned.
#' @param p (number, percent) As in [suppress()][suppress.sdc_magnitude].
#' @param time_limit_s (number, seconds of processor time) How long bounds may be searched for.
#' @param progress (flag) Show a progress bar?
#' @param readers (character vector) Which readers to ask about: `"outsider"` (always),
#'   `"contributor"`, `"coalition"` (for at most some 400 contributors to suppressed cells).
#' @param ... Not used.
#' @return An object of class `sdc_magnitude_suppression_audit`, **confidential**: a list with
#'   * `cells`, a data frame with a row for each suppressed cell or total, failures first: the
#'     variables, `primary`, `rules` (that fire), `lower` and `upper` (the interval), `need_lower`
#'     and `need_upper` (what it must reach; `NA` for secondary cells), `sharp` (both ends are
#'     attained by whole units), `known` (it is a point), `protected` (`NA` for secondary cells, and
#'     where the time ended before that was sure), `second_lower` and `second_upper` (by how many
#'     percent of x1 the ends of contributor 2's interval miss it), `near` and `learned` (some
#'     contributor learns it). Where whole units were searched and not all intervals are sharp,
#'     `least` and `most` after `sharp` are the ends that tables were found for;
#'   * `shown`: a data frame of primary cells that a pattern publishes;
#'   * `readers`, and `learned`: a data frame with a row for each reader and primary cell that she
#'     learns: `reader` (the kind), `who` (by `contributorVar`, or the number of the record), the
#'     variables of the cell, `lower` and `upper` (the interval that she has for T) and `how`
#'     (`"exactly"` or `"within the rule"`);
#'   * `unsure`: for each kind, of how many cells the time left open what is learned; `open`: a data
#'     frame of these cells: `reader`, the kind, and the variables; `reader_counts`: for each kind
#'     the numbers of readers, of pairs of a reader and a cell, and of programmes;
#'   * `unions`: sensitive sums, a row for each part: `union` (a number), the variables, `rules`;
#'   * `counts`: `suppressed`, `primary` (of those), `unprotected`, `known` (primary, a point),
#'     `near`, `unsure` (the time ended before that was sure), `shown`, `learned` (primary cells),
#'     `unions`, `unions_unsure` (groups of connected suppressed cells for which it was not settled
#'     whether a sum is sensitive);
#'   * `failures`: cells that are unprotected, near, unsure, learned or shown, unions, and groups
#'     whose sums were not settled; `p`.
#'
#'   `as.data.frame()` gives `cells`, `summary()` the counts as a data frame.
#' @section Errors:
#' `sdc_error_input` for arguments that do not fit. A warning `sdc_warning_outer` when the time
#' ended before all intervals were sharp, and `sdc_warning_stopped` after an interrupt: what was
#' found until then is kept.
#' @section Guarantee:
#' Exact: where `sharp`, both ends of an interval are attained by tables of whole units that agree
#' with all that is published. Other intervals are exact over real numbers, and rounded inwards to
#' whole units. When the time ended they are outer: what fails does fail, and what does not fail
#' counts as unsure, which is a failure too. What a contributor is said to learn she does learn; for
#' every other there is a table that agrees with all that she knows, of whole units or of real
#' numbers as said above.
#'
#' That no sensitive sum is left out is exact too, over real numbers, for all sums that follow from
#' the published totals. No sum is listed for that: a rule for a largest firm and a second one is a
#' linear condition on a sum. By Farkas' lemma, either some sum that follows fails it, or a linear
#' programme has a solution that proves that none does. Where more than 400 suppressed cells are
#' connected, programmes in floating point propose either, and it counts when it holds in whole
#' numbers. Four cases can stay unsure, which is a failure: the time ended; the programme was too
#' large, or what it proposed did not hold; and, where at most 400 cells are connected, a rule
#' `nk(n, k)` with n > 2, for which the programme asks about the n largest of each cell as if they
#' were the same firms, and a threshold rule when more than 500 sets of fewer than n contributors
#' come into question.
#' @section Complexity:
#' One linear programme or two for each suppressed cell, and for the contributors some few for each
#' primary cell: one table that agrees with what all contributors know settles it for all of them,
#' and only where there is none the contributors are asked in halves. So several hundred
#' contributors and 15 primary cells take some 20 programmes. Sums take one programme for each rule
#' and each group of connected suppressed cells, and more only where that one has no solution: firms
#' are then halved until those are found that fail. In groups of more than 400 cells each firm that
#' could fail is asked about by herself, on one programme that starts from the last answer: that
#' takes few steps for each, as only the cells around hers matter. Each kind of reader has a time
#' limit of its own, and so have sums.
#' @references Cox, L. H. (1981). Linear sensitivity measures in statistical disclosure control.
#'   *Journal of Statistical Planning and Inference* 5, 153-164. Schrijver, A. (1986). *Theory of
#'   Linear and Integer Programming*. Wiley, section 7.3: Farkas' lemma.
#' @family magnitude
#' @family suppress
#' @export
#' @examples
#' firms <- data.frame(
#'   region = rep(c("north", "middle", "south"), c(3, 4, 4)),
#'   turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' su <- suppress(mg, rule_p_percent(10), pattern = c(TRUE, TRUE, FALSE))
#' audit(su)
#' as.data.frame(audit(su))
audit.sdc_magnitude_suppression <- function(x, p = x$p, time_limit_s = 60,
                                            progress = rlang::is_interactive(),
                                            readers = c("outsider", "contributor"), ...) {
  check_no_dots(...)
  check_percent(p, 1000)
  check_number(time_limit_s, min = 0)
  check_flag(progress)
  readers <- check_audit_readers(readers, c("outsider", "contributor", "coalition"))
  held <- validate_sdc_magnitude(x$original, "x$original")
  check_lowest(x$lowest, held)
  measure <- unit_measure(held, x$rules, p, x$lowest)
  measure <- with_marked(measure, rows_with_code(x$status, "u", nrow(measure$cells)))
  cells <- measure$cells
  judged <- measure$judged
  cells$suppressed <- is_hidden(x)
  hidden <- which(cells$suppressed)
  view <- reader_view(cells, held$dimnames, held$hierarchies, measure$least)
  system <- view$system
  bounds <- view_bounds(view, time_limit_s, progress)
  found <- protection_of(judged[hidden, ], bounds)
  labels <- unclass(cells)[names(held$dimnames)]
  holders <- row_holders(held, cells)
  holders <- holders[cells$suppressed[holders$row], ]
  known <- replace(rep(FALSE, nrow(cells)), hidden, found$known)
  unions <- hidden_unions(cells, held$dimnames, held$hierarchies, known)
  # a cell of no crossing is shown nowhere, but differences of linked totals may give it away
  alone <- as.list(which(known & !is_withheld(x)))
  unions <- sensitive_unions(c(unions, alone), holders, x$rules, p)
  derived <- derived_unions(system, hidden, found$known, holders, unions$rows, x$rules, p,
                            time_limit_s)
  unions <- unions_frame(list(rows = c(unions$rows, derived$rows),
                              rules = c(unions$rules, derived$rules)), labels)
  holders$row <- match(holders$row, hidden)
  learned <- magnitude_learners(x, setdiff(readers, "outsider"), holders, judged[hidden, ], found,
                                bounds, p, view, lapply(labels, function(l) l[hidden]),
                                time_limit_s, progress)
  percent <- rules_percent(x$rules, p) / 1e6
  new_suppression_audit(labels, cells$suppressed, judged, bounds, found, held, percent, unions,
                        derived$unsure, c(list(readers = readers), learned), is_withheld(x))
}

# What the readers of some kinds learn of primary cells that the outsider does not learn.
magnitude_learners <- function(x, kinds, holders, judged, found, bounds, p, view, labels, seconds,
                               progress) {
  safe <- judged$primary & !found$failed
  whole <- !view$free && all(bounds$upper <= most_whole_units)
  learned <- list()
  for (kind in kinds) {
    learned[[kind]] <- magnitude_readers(
      kind, x, holders, judged, safe, x$rules, p, view, whole,
      if (kind == "coalition") learned$contributor, seconds, progress
    )
    if (learned[[kind]]$interrupted) seconds <- 0
  }
  warn_audit_interrupted(learned)
  frames <- lapply(kinds, function(k) magnitude_learned(k, learned[[k]], labels, x$original))
  none <- learned_frame(labels = lapply(labels, function(column) column[0]))
  left <- lapply(kinds, function(k) {
    open_frame(k, lapply(labels, function(column) column[learned[[k]]$unsure]))
  })
  list(
    learned = Reduce(rbind, frames, none), rows = unlist(lapply(learned, `[[`, "row")),
    open = unlist(lapply(learned, `[[`, "unsure")),
    open_cells = Reduce(rbind, left, open_frame(labels = lapply(labels, function(l) l[0]))),
    unsure = vapply(learned, function(part) as.double(length(part$unsure)), 0),
    reader_counts = lapply(learned, `[[`, "counts")
  )
}

# `learned`: what magnitude_learners() found; `rows` and `open` are among the hidden rows.
new_suppression_audit <- function(labels, suppressed, judged, bounds, found, held, percent, unions,
                                  unions_unsure, learned, withheld) {
  hidden <- which(suppressed)
  primary <- judged$primary[hidden]
  percent_of <- function(part) ifelse(primary, 100 * part / abs(judged$largest[hidden]), NA_real_)
  needed <- function(end) ifelse(primary, in_values(end[hidden], held), NA_real_)
  to_reader <- seq_along(hidden) %in% learned$rows
  cells <- list2data_frame(c(
    lapply(labels, function(column) column[hidden]),
    list(
      primary = primary, rules = judged$rules[hidden], lower = in_values(bounds$lower, held),
      upper = in_values(bounds$upper, held), need_lower = needed(judged$lowest),
      need_upper = needed(judged$highest), sharp = bounds$sharp
    ),
    lapply(bounds$attained, in_values, held),
    list(
      known = found$known,
      protected = found$protected, second_lower = percent_of(found$below),
      second_upper = percent_of(found$above), near = found$near, learned = to_reader
    )
  ), length(hidden))
  open <- seq_along(hidden) %in% learned$open
  failed <- found$failed | to_reader | open
  cells <- cells[order(!failed, !primary), ][withheld[hidden][order(!failed, !primary)], ]
  rownames(cells) <- NULL
  shown <- which(judged$primary & !suppressed)
  n_unions <- length(unique(unions$union))
  counts <- c(
    suppressed = sum(withheld), primary = sum(primary),
    unprotected = sum(found$protected %in% FALSE), known = sum(primary & found$known),
    near = sum(found$near), unsure = sum(primary & (is.na(found$protected) | open)),
    shown = length(shown), learned = sum(to_reader), unions = n_unions,
    unions_unsure = unions_unsure
  )
  structure(
    list(
      cells = cells,
      shown = list2data_frame(c(
        lapply(labels, function(column) column[shown]), list(rules = judged$rules[shown])
      ), length(shown)),
      readers = learned$readers, learned = learned$learned, unsure = learned$unsure,
      open = learned$open_cells, reader_counts = learned$reader_counts, unions = unions,
      counts = counts,
      failures = sum(failed) + length(shown) + n_unions + unions_unsure, p = percent
    ),
    class = sdc_class(
      "sdc_magnitude_suppression_audit", "sdc_suppression_audit", mark = "confidential"
    )
  )
}

# In units. An outer interval that is too narrow is proof; one that is wide enough is none.
protection_of <- function(judged, bounds) {
  primary <- judged$primary
  known <- bounds$lower == bounds$upper
  reached <- bounds$upper >= judged$highest & bounds$lower <= judged$lowest & !known
  protected <- ifelse(primary & (bounds$sure | !reached), reached, NA)
  below <- bounds$lower - judged$second - judged$largest
  above <- bounds$upper - judged$second - judged$largest
  near <- primary & above < judged$reach & below > -judged$reach
  list(known = known, protected = protected, below = below, above = above, near = near,
       failed = primary & (!(protected %in% TRUE) | near))
}
