# What a reader can still work out of a table with suppressed cells.

#' What a table with suppressed cells still gives away
#'
#' Looks at a suppression as a reader of its publication would: who has the published cells and
#' totals, knows that totals add up and that counts are whole and not negative. For each suppressed
#' cell and total it gives the interval in which the count must lie, and for all together the number
#' of tables that agree. Private suppressions of magnitudes have a page of their own:
#' [audit.sdc_magnitude_suppression]. Of published ones it gives the intervals of the totals.
#'
#' @details
#' The reader's system has an unknown for each suppressed cell and total, and an equation for each
#' total that has one in it: what stands directly below a total (all levels, or the children of a
#' node of a tree) sums to it. So its size goes with the suppressed cells, not with the table.
#' [bounds_margins()] and [count_tables()] answer it. `constraints(publish(x))` is the same in terms
#' of all cells, and goes together with other releases.
#'
#' Reasoning over real numbers, as the libraries do, is not enough. In the last example, found by
#' random search, GaussSuppression suppresses 20 of 27 cells by its own defaults, each of which has
#' an interval over the reals, and yet only one table of whole numbers agrees: all 20 are exactly
#' known. Nor is that a matter of tiny tables or of zeros: of a random table of 60 x 12 x 5 with
#' trees over two variables, suppressed by GaussSuppression with its usual arguments, 36 of 1,524
#' suppressed cells are exactly known, 14 of them primary, though none is over the reals. The
#' certified method of [suppress()] leaves no such cell. GaussSuppression can be asked for wider
#' intervals, which it finds by linear programmes, with the further arguments
#' `lpPackage = "lpSolve", rangeMin = 3`; then audit again.
#'
#' **Magnitudes.** The publication of a suppressed table of magnitudes does not say of which unit
#' the suppressed totals are multiples, and that of the data may be finer than the one that the
#' published totals show. So its intervals are those over real numbers that are not negative, and
#' there is no number of tables.
#'
#' **Readers.** Whoever knows more than the publication has more equations. `readers` says whom the
#' audit of a private suppression asks about:
#' * `"outsider"`, always: has the publication and nothing else. The intervals of the cells are
#'   those of this reader. Where no zero is suppressed (`protectZeros = FALSE`, and none by a
#'   `pattern`), an outsider may know that none ever is, so that every suppressed count is at least
#'   1. What she learns then is told in `learned`, and all further readers know it, too.
#' * `"contributor"`: somebody who is alone in a cell, and knows it. The count of that cell, and of
#'   every total in which she is alone, is 1: one more row of the system for each. She must not
#'   learn the count of another primary cell. Somebody who shares her cell with others knows only
#'   that it is not empty, and is not asked about.
#' * `"coalition"`: two people who put together what they know: two who are alone in cells of their
#'   own, or the two of a cell of two. Only what neither learns alone is told, so that
#'   `"contributor"` is asked about as well.
#'
#' * `"method"`: somebody who knows the method, `maxN`, `protectZeros`, the trees and all further
#'   arguments. She lists the tables that agree, runs the same call of [suppress()] on each, and
#'   keeps those that lead to the same publication. Tables for which the call ends with an error, or
#'   with primary cells that are not certified where all of `x` are, would have been refused, and
#'   are excluded. Where the time limit of a search ended it, another run may end elsewhere: such
#'   tables are kept. For small tables, as each run takes the method's time; not for a `pattern`,
#'   where there is no method to run.
#'
#' A reader *learns* a primary cell when all tables that agree with the publication and with what
#' she knows besides have one and the same count in it, and outsiders do not know it anyway. Cells
#' in which she is alone are her own, and not learned.
#'
#' **The choice is no secret.** All readers but `"method"` ignore the rule and the way in which the
#' cells were chosen, and so does [publish()]. But the libraries follow published algorithms without
#' chance, and who repeats them can know far more: see the last example.
#'
#' @param x (sdc_suppression or sdc_suppressed) What [suppress()] returned, or its publication.
#' @param within (number >= 0) A cell is *nearly known* when its interval has `upper - lower` of at
#'   most this (for published magnitudes 0),
#' @param relative (number >= 0) or of at most this share of `upper`.
#' @param count (flag) Count the tables?
#' @param time_limit_s (number, seconds of processor time, of all threads together) How long bounds
#'   may be searched for.
#' @param max_states,max_steps (number) How much counting may take, as in [count_tables()]; the
#'   defaults are for some tenths of a second. `count_tables(publish(x), method = "importance")`
#'   estimates what is beyond them.
#' @param progress (flag) Show a progress bar?
#' @param readers (character vector) Which readers to ask about: `"outsider"`, `"contributor"`,
#'   `"coalition"`, `"method"`; see below. A publication says nothing of its contributors, so that
#'   only `"outsider"` fits one.
#' @param max_tables (whole number) The most tables on which the reader `"method"` runs the method.
#' @param threads (whole number >= 1) How many threads search for bounds in large systems, and for
#'   what readers with knowledge of their own learn; see [sdcLattice-threads]. The audit does not
#'   depend on it.
#' @param object (sdc_suppression_audit) The audit.
#' @param ... Not used.
#' @return An object of class `sdc_suppression_audit`: a list with `cells`, `tables` (an
#'   [sdc_count], or `NULL`), `no_count` (why there is no count), `within`, `relative`, `n` (the
#'   number of all cells and totals), and, of a private `x`, `shown`: how many cells are primary
#'   by the rule and published all the same, `implied`: which small counts that no crossing shows
#'   follow from published ones (**confidential**, in words), `readers`, `learned` (a
#'   **confidential** data frame
#'   with a row for each reader and primary cell that she learns: `reader`, the kind, `who`, by the
#'   cells of the people, the variables of the cell, `lower`, `upper`, `how`), `unsure` (for each
#'   kind, of how many primary cells the time left open what is learned), `open` (a **confidential**
#'   data frame of these cells: `reader`, the kind, and the variables) and `reader_counts` (for
#'   each kind the numbers of readers, of pairs of a reader and a cell, and of programmes; for
#'   `"method"` the numbers of tables before and after, and of those that the time left `untried`,
#'   for which the time limit of the search `ended` it, and that would have been `refused`).
#'   With `"method"` also `method_cells` (**confidential**): a row for each suppressed cell or
#'   total, primary ones first, with its interval before and after and whether it is `known`.
#'
#'   `as.data.frame()` gives `cells`: a row for each suppressed cell or total: the variables,
#'   `lower`, `upper`, `width`, `sharp`, `known` (`"exactly"`, `"nearly"` or `"no"`), and, of a
#'   private `x`, `primary`, which makes it **confidential**. Where not all intervals are sharp it
#'   has `least` and `most` too: the smallest and largest count that a table was found for, `NA` for
#'   none. So `lower` may still rise to `least`, and `upper` fall to `most`. The audit of a private
#'   `x` starts from the true counts, which are among those found. `summary()` gives the numbers of
#'   cells by `known` and `primary`, as a data frame.
#' @section Errors:
#' `sdc_error_refused` when the cells of a private `x` were edited: they are worked out again from
#' the original; `sdc_error_infeasible` when no table agrees with a publication (which cannot be of
#' one that [publish()] made); `sdc_error_input` for arguments that do not fit, and for the reader
#' `"method"` of a pattern; `sdc_error_too_large` when more than `max_tables` tables agree. A
#' warning `sdc_warning_outer` when the time ended before all intervals were sharp, and
#' `sdc_warning_stopped` after an interrupt: what was found until then is kept.
#' @section Guarantee:
#' Exact: where `sharp`, both ends of an interval are attained by tables of whole numbers. Other
#' intervals are outer, so that what is called known is known, and more may be. The number of tables
#' is exact; beyond `max_states` and `max_steps` it is not computed. What a reader is said to learn
#' she does learn, and every other reader has another table of whole numbers in which the cell
#' differs; where time did not do for that, `unsure` says so.
#' @section Complexity:
#' Readers times cells are not searched pair by pair: one table that agrees with what many readers
#' know settles a cell for all of them. A cell that nobody learns takes few programmes, and each
#' reader who learns one some 2 log2 of the number of readers. Each kind of reader has a time limit
#' of its own. Large systems are made smaller once for all readers; there, other tables are found by
#' small changes of the true one, and proofs that there is none by the search of [bounds_margins()].
#' @family suppress
#' @name audit.sdc_suppression
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' su <- suppress(roehrig, maxN = 1, pattern = hidden, audit = FALSE)
#' found <- audit(su)
#' found
#' found$learned
#' as.data.frame(audit(publish(su, insist = TRUE)))
#' @examplesIf requireNamespace("GaussSuppression", quietly = TRUE)
#' x <- array(c(2, 1, 5, 5, 2, 2, 2, 4, 4, 5, 4, 4, 1, 1, 4, 4, 1, 2, 3, 4, 2, 6, 4, 3, 3, 3, 7),
#'            c(3, 3, 3))
#' # the pattern of a library as it is, which suppress() would audit and repair
#' su <- suppress(x, maxN = 2, method = "GaussSuppression", protectZeros = TRUE, audit = FALSE)
#' audit(su)
#' try(publish(su))
#'
#' # a reader who repeats the call on all tables that agree
#' audit(suppress(Titanic, method = "GaussSuppression", audit = FALSE), readers = "method")
NULL

#' @rdname audit.sdc_suppression
#' @export
audit.sdc_suppression <- function(x, within = 2, relative = 0, count = TRUE, time_limit_s = 60,
                                  max_states = 1e6, max_steps = 1e8,
                                  progress = rlang::is_interactive(),
                                  readers = c("outsider", "contributor"), max_tables = 1000,
                                  threads = default_threads(), ...) {
  check_no_dots(...)
  use_threads(threads)
  readers <- check_audit_readers(readers)
  check_whole(max_tables, min = 1, max = 1e6)
  fault <- suppression_fault(x)
  if (!is.null(fault)) abort_edited(fault, "audited")
  check_lists_zeros(x, x$original$dimnames, "to audit it")
  out <- audit_public(public_suppression(x), within, relative, count, time_limit_s, max_states,
                      max_steps, progress, x$cells$freq)
  hidden <- is_hidden(x)
  out$cells$primary <- x$cells$sdcStatus[hidden] == "u"
  out$shown <- sum(is_shown(x))
  out$implied <- implied_faults(x)
  limits <- list(time_limit_s = time_limit_s, max_states = max_states, max_steps = max_steps,
                 max_tables = max_tables, within = within, relative = relative)
  only_withheld(add_readers(out, x, readers, limits, progress), x)
}

# Of what a reader does not see, that which is withheld: nobody publishes the rest.
only_withheld <- function(out, x) {
  open <- in_crossings(x)
  hidden <- if (is_private(x)) is_hidden(x) else x$cells$suppressed
  out$cells <- out$cells[open[hidden], ]
  out$n <- sum(open)
  out
}

#' @rdname audit.sdc_suppression
#' @export
audit.sdc_suppressed <- function(x, within = if (is.null(x$unit)) 2 else 0, relative = 0,
                                 count = TRUE, time_limit_s = 60, max_states = 1e6, max_steps = 1e8,
                                 progress = rlang::is_interactive(), readers = "outsider",
                                 threads = default_threads(), ...) {
  check_no_dots(...)
  use_threads(threads)
  check_audit_readers(readers, "outsider")
  check_lists_zeros(x, x$dimnames, "to audit it")
  only_withheld(
    audit_public(x, within, relative, count, time_limit_s, max_states, max_steps, progress), x
  )
}

# `freq`: all counts and totals of a private suppression. The search for bounds starts from them;
# its intervals are those of a reader who does not have them.
audit_public <- function(x, within, relative, count, time_limit_s, max_states, max_steps,
                         progress, freq = NULL) {
  check_number(within, min = 0)
  check_number(relative, min = 0)
  check_flag(count)
  check_number(time_limit_s, min = 0)
  check_number(max_states, min = 1, max = 1e12)
  check_number(max_steps, min = 1, max = 1e18)
  check_flag(progress)
  bounds <- public_bounds(x, time_limit_s, progress, freq)
  tables <- if (count && of_units(x)) list(why = "infinitely many: values are no counts") else
    if (count) reader_count(reader_system(x), max_states, max_steps, progress)
  structure(
    list(
      cells = audited_cells(x, bounds, within, relative), tables = tables$count,
      no_count = if (count) tables$why else "not asked for", within = within, relative = relative,
      n = nrow(x$cells)
    ),
    class = sdc_class("sdc_suppression_audit")
  )
}

# The unit of the data may be finer than the one that is shown, and nobody is told: of magnitudes
# the intervals are those over real numbers.
public_bounds <- function(x, time_limit_s, progress, freq = NULL) {
  if (!of_units(x)) {
    return(if (is.null(x$crossings)) {
      reader_bounds(reader_system(x), time_limit_s, progress, truth = freq[x$cells$suppressed])
    } else {
      linked_bounds(x, time_limit_s, progress, freq)
    })
  }
  # the published totals in the unit that they show
  system <- public_view(x)$system
  found <- reader_bounds(system, time_limit_s, progress, "lp")
  sure <- !isTRUE(found$effort$stopped)
  ends <- public_ends(x, found$real %||% found, time_limit_s, progress)
  unit <- public_unit(x)
  list(lower = in_values(ends$lower, unit), upper = in_values(ends$upper, unit),
       sharp = rep(sure, length(system$lower)))
}

# The system of a published table, in the unit that its totals and the limit show.
public_view <- function(x, lowest = x$lowest) {
  unit <- public_unit(x)
  x$cells$freq <- in_units(x$cells$total, unit)
  limit <- if (!is.null(lowest)) lowest_units(lowest, unit)
  least <- least_values(x$cells, x$dimnames, x$hierarchies, x$total_label, limit)
  reader_view(x$cells, x$dimnames, x$hierarchies, least)
}

public_unit <- function(x) {
  lowest <- if (!is.null(x$lowest) && is.finite(x$lowest)) x$lowest
  magnitude_unit(c(x$cells$total[!x$cells$suppressed], lowest), NULL, FALSE)
}

# The ends as totals. In a free system the numbers are not those of the table: what is known is the
# same under any limit that leaves a table.
public_ends <- function(x, found, time_limit_s, progress) {
  view <- public_view(x)
  known <- view$free & found$lower == found$upper
  if (any(known)) {
    far <- limited_view(x, time_limit_s, progress)
    view$total[known] <- far[known]
  }
  view_ends(view, found)
}

limited_view <- function(x, time_limit_s, progress) {
  lowest <- -10 * sum(abs(x$cells$total), 1, na.rm = TRUE)
  repeat {
    view <- public_view(x, lowest)
    found <- tryCatch(reader_bounds(view$system, time_limit_s, progress, "lp"),
                      sdc_error_infeasible = function(cnd) NULL)
    if (!is.null(found)) {
      return(view_ends(view, found$real)$lower)
    }
    lowest <- 10 * lowest
  }
}

audited_cells <- function(x, bounds, within, relative) {
  hidden <- which(x$cells$suppressed)
  labels <- lapply(unclass(x$cells)[names(x$dimnames)], function(column) column[hidden])
  width <- bounds$upper - bounds$lower
  share <- if (relative > 0) relative * bounds$upper else 0
  narrow <- width <= pmax(within, share)
  known <- ifelse(width == 0, "exactly", ifelse(narrow & is.finite(width), "nearly", "no"))
  columns <- c(
    list(lower = bounds$lower, upper = bounds$upper, width = width, sharp = bounds$sharp),
    bounds$attained, list(known = factor(known, c("exactly", "nearly", "no")))
  )
  list2data_frame(c(labels, columns), length(hidden))
}

# The number of tables, or why there is none.
reader_count <- function(system, max_states, max_steps, progress) {
  if (length(system$lower) == 0) {
    return(list(count = new_sdc_count("1", TRUE)))
  }
  tryCatch(
    list(count = count_tables(system, max_states = max_states, max_steps = max_steps,
                              progress = progress)),
    sdc_error_too_large = function(cnd) list(why = "too many to be counted within the limits"),
    sdc_error_input = function(cnd) list(why = "infinitely many: some cell has no upper limit")
  )
}
