# How dangerous each sub-table is by itself.

#' Critical widths: how dangerous is each sub-table by itself?
#'
#' For each sub-table the width of its **most parsimonious release**: of the sub-table and the
#' one-way tables of all variables that it lacks. It is the least distance between the upper and the
#' lower bound of a cell at risk. Any release with the sub-table has at most this width, so that the
#' smaller it is, the more dangerous the sub-table is.
#'
#' @details The most parsimonious release is decomposable. A cell has the least of the counts of its
#' margins as upper bound; the lower bound is the sum of these counts less (number of margins - 1)
#' times the total, or 0. The report defines the critical width by a maximum that is infinite when
#' taken literally; with this width all the numbers that it prints come out.
#'
#' The report asked whether the most dangerous sub-tables of all dimensions always form a chain,
#' each inside the next. They need not: see the example in the tests. `summary()` says whether they
#' do; among equally dangerous ones it takes those that form a chain, if some do.
#'
#' # Order
#' The width decreases, so that the safest sub-tables come first. Among those of the same width the
#' dimension decreases, and among those of the same dimension the sub-table comes first whose first
#' variable stands earlier in the table, then the second, and so on.
#'
#' # By level
#' Of a table by [level_table()] the sub-tables are those of variables at levels, and what is
#' released with each are the one-way tables of all variables at their finest levels.
#'
#' @param x (sdc_table, or what [as_sdc_table()] takes) The table.
#' @param at_risk (whole numbers from 1 on) The counts that are at risk.
#' @param risk ([risk_width()], or `NULL`) Cells at risk as in this rule, instead of `at_risk`; its
#'   `beta` plays no part.
#' @param max_variables (whole number from 1 to 30) Tables with more variables, by level with more
#'   levels in all, are refused: there are 2^K sub-tables.
#' @param max_dimension (whole number of at least 1, or `NULL`) Only sub-tables with at most so many
#'   variables. `NULL`: all.
#' @param time_limit_s (number of at least 0, seconds of processor time) When to stop and return the
#'   widths that are known by then; `Inf` for never. Sub-tables with few variables come first, so
#'   that all of some dimension and below are known.
#' @param progress (flag) Show a progress bar?
#' @param object,... (sdc_critical_widths) The widths; otherwise not used.
#' @return A data frame of class `sdc_critical_widths` (a selection of it is a plain one) with a row
#'   for each of the sub-tables with variables (2^K - 1 where each has one level), or of those that
#'   are asked for and known in time: `sub_table` (such as `"A:B"`), `dimension`, `width`. The
#'   attribute `complete` says up to which dimension no sub-table is missing; the print says how
#'   many are known. It is **private**: widths are counts of the table, or differences of them.
#'   `summary()`: an object of class `sdc_critical_summary` with `most_dangerous` (a row for each
#'   dimension that is complete, with `n_ties`, how many are as dangerous) and `chain` (flag).
#'   `autoplot()`: a ggplot object with a point for each sub-table, a row for each dimension;
#'   `plot()` draws it and returns it invisibly.
#' @section Guarantee: Exact, also for the widths that a limit of time leaves.
#' @section Complexity:
#' Each sub-table is projected from one with one variable more: time O(sum of the numbers of
#' non-zero cells of the sub-tables), memory O(K non-zero cells). The 8,191 of [cps13] take half a
#' second, and each further variable doubles that at least. With `max_dimension` d about the
#' binomial coefficient of K + 1 and d + 1 takes the place of 2^K. With a limit of time the work is
#' done in passes over more and more dimensions, which take at most a third more than one pass.
#' @section Errors:
#' `sdc_error_too_large` above `max_variables`, and when the time ends before the one-way tables are
#' done; `sdc_error_input` when no cell is at risk. A warning `sdc_warning_time` when the time ended
#' before all were known, `sdc_warning_stopped` after an interrupt; both keep what is known.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' cw <- critical_widths(czech_workers)
#' cw
#' summary(cw)
#' cw[cw$dimension == 2, ]
#'
#' # of a table with many variables: the sub-tables with at most two
#' critical_widths(cps13, max_dimension = 2)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(cw)
critical_widths <- function(x, at_risk = 1:2, risk = NULL, max_variables = 25,
                            max_dimension = NULL, time_limit_s = 60, ...,
                            progress = rlang::is_interactive()) {
  check_no_dots(...)
  check_given(x)
  check_whole(max_variables, min = 1, max = 30)
  if (!is.null(max_dimension)) check_whole(max_dimension, min = 1)
  check_number(time_limit_s, min = 0)
  check_flag(progress)
  x <- table_argument(x)
  if (is.null(risk)) {
    check_at_risk(at_risk)
    risk <- new_release_risk("width", beta = 1, at_risk = sort(unique(at_risk)))
  } else if (!missing(at_risk)) {
    abort_sdc("input", c(
      "Supply either {.arg at_risk} or {.arg risk}.",
      x = "Both were supplied."
    ))
  }
  problem <- bare_problem(x, risk, "width")
  k <- length(problem$variables)
  if (k > max_variables) {
    counted <- if (!is.null(problem$steps)) ", levels counted" else ""
    abort_sdc("too_large", c(
      "Critical widths are computed for tables of at most {max_variables}
       variable{?s}{counted}.",
      x = "The table has {k}, and {sets_words(problem, empty = TRUE)} sub-tables.",
      i = "Raise {.arg max_variables} (up to 30), or take a {.fn margin}."
    ))
  }
  n <- n_variables_in(problem$steps, seq_len(k))
  measure_critical(problem, min(max_dimension, n), time_limit_s, progress)
}

# Of all sub-tables with at most so many variables, or of those that are known in time.
measure_critical <- function(problem, dimension, seconds, progress) {
  levels <- levels_in(problem)
  n <- n_sub_tables(levels, dimension)
  label <- paste("Critical widths of", format_count(n), "sub-tables")
  found <- with_progress(label, function(tick) {
    with_core(find_critical(problem, levels, dimension, seconds, tick))
  }, show = progress)
  if (found$complete == 0 && found$interrupted) rlang::interrupt()
  if (found$complete == 0) {
    abort_sdc("too_large", c(
      "The critical widths of the one-way tables must be computed within {.arg time_limit_s}.",
      x = "After {seconds} second{?s} they were not. All that were asked for take about
           {format_count(cpp_critical_steps(levels, dimension))} projections of the table.",
      i = "Raise {.arg time_limit_s}, or take a {.fn margin}."
    ))
  }
  out <- critical_frame(found, problem$variables, problem$steps)
  if (found$late || found$interrupted) {
    why <- if (found$late) "the time limit was reached" else "the work was interrupted"
    warn_sdc(if (found$late) "time" else "stopped", c(
      "{format_count(nrow(out))} of {format_count(n)} critical widths are known: {why}.",
      i = "All sub-tables with at most {found$complete} variable{?s} are among them. Raise
           {.arg time_limit_s}, or lower {.arg max_dimension}."
    ))
  }
  out
}

# Workers share the sub-tables by which of the first variables, or steps, they lack: so many of them
# make parts of some milliseconds at least. Each part has the share of the time that its worker has
# for it, and what is known of all dimensions is what all parts know.
find_critical <- function(problem, levels, dimension, seconds, tick) {
  split <- if (has_workers() && length(problem$variables) > critical_split) critical_split else 0
  parts <- lapply(seq_len(2^split) - 1, function(left) list(split = split, left = left))
  share <- seconds / ceiling(length(parts) / n_workers())
  shared <- list(problem = problem, levels = levels, dimension = dimension, seconds = share)
  found <- work_apply(parts, find_part, shared, tick = tick, keep = TRUE,
                      done = function(found, i) found$interrupted)
  of <- function(name) unlist(lapply(found, `[[`, name))
  cut <- length(found) < length(parts)
  list(mask = of("mask"), width = of("width"), late = any(of("late")),
       complete = if (cut) 0 else min(of("complete")), interrupted = any(of("interrupted")) || cut)
}

# So many of the first variables make parts, of some milliseconds at least.
critical_split <- 6

find_part <- function(part, ready, tick) {
  cpp_critical_widths(ready$problem, ready$levels, ready$dimension, ready$seconds, part,
                      keeping_tick(tick))
}

# How many sub-tables with variables have at most so many; `levels`: of each variable.
n_sub_tables <- function(levels, dimension) {
  ways <- 1
  for (n in levels) ways <- c(ways, 0) + n * c(0, ways)
  sum(ways[1 + seq_len(dimension)])
}

# The masks of `found` are numbers whose bits are the variables of a sub-table, or their steps.
critical_frame <- function(found, variables, steps = NULL) {
  k <- length(variables)
  some <- found$mask > 0
  mask <- as.integer(found$mask[some])
  width <- found$width[some]
  # With the first variable as highest bit, earlier variables make larger numbers.
  early <- Reduce(`+`, lapply(seq_len(k), function(v) mask_holds(mask, v) * 2^(k - v)))
  dimension <- Reduce(`+`, lapply(first_steps(steps, k), function(v) mask_holds(mask, v) + 0L))
  at <- order(-width, -dimension, -early)
  structure(
    list(sub_table = mask_labels(mask[at], variables, steps), dimension = dimension[at],
         width = width[at]),
    class = sdc_class("sdc_critical_widths", mark = "confidential", of = "data.frame"),
    variables = variables, steps = steps, masks = mask[at], complete = found$complete,
    row.names = .set_row_names(length(width))
  )
}

# Whether all sub-tables of the table are there.
all_critical <- function(x) {
  nrow(x) == prod(level_counts(attr(x, "steps"), length(attr(x, "variables"))) + 1) - 1
}

#' @rdname critical_widths
#' @export
summary.sdc_critical_widths <- function(object, ...) {
  check_no_dots(...)
  worst <- most_dangerous(object)
  structure(
    list(
      most_dangerous = worst$frame, chain = worst$chain, n = nrow(object),
      widths = range(object$width)
    ),
    class = sdc_class("sdc_critical_summary", mark = "confidential")
  )
}

# A most dangerous sub-table of each dimension that is complete. From dimension 1 up, those are kept
# that extend one kept before; when this never ends, they form a chain, which is read off from the
# top.
most_dangerous <- function(x) {
  own <- one_way_sets(attr(x, "steps"), length(attr(x, "variables")))
  mask <- attr(x, "masks")
  whole <- which(x$dimension <= attr(x, "complete"))
  by_dimension <- split(whole, x$dimension[whole])
  ties <- lapply(by_dimension, function(rows) rows[x$width[rows] == min(x$width[rows])])
  kept <- ties
  for (d in seq_along(ties)[-1]) {
    kept[[d]] <- ties[[d]][extends_some(mask[ties[[d]]], mask[kept[[d - 1]]], own)]
  }
  chain <- all(lengths(kept) > 0)
  rows <- vapply(ties, `[`, 1L, 1)
  if (chain) rows <- read_chain(kept, mask, own)
  frame <- data.frame(
    dimension = seq_along(rows), sub_table = x$sub_table[rows], width = x$width[rows],
    n_ties = lengths(ties, use.names = FALSE)
  )
  list(frame = frame, chain = chain, rows = unname(rows))
}

# Is some part what is left without one variable? `own`: the steps of each. By level a part might be
# coarser in the others too: then what is left is as dangerous, and is among the parts.
extends_some <- function(mask, parts, own) {
  found <- logical(length(mask))
  for (steps in own) {
    held <- lapply(steps, function(step) mask_holds(mask, step) * 2^(step - 1))
    holds <- held[[1]] > 0
    left <- mask - Reduce(`+`, held)
    found[holds] <- found[holds] | left[holds] %in% parts
  }
  found
}

read_chain <- function(kept, mask, own) {
  rows <- integer(length(kept))
  rows[length(kept)] <- kept[[length(kept)]][1]
  for (d in rev(seq_along(kept))[-1]) {
    inside <- vapply(kept[[d]], function(row) extends_some(mask[rows[d + 1]], mask[row], own), NA)
    rows[d] <- kept[[d]][inside][1]
  }
  rows
}

#' @export
format.sdc_critical_summary <- function(x, ...) {
  c(
    "<summary of sdc_critical_widths>", "  CONFIDENTIAL: widths come from counts",
    paste0("  ", plural(x$n, "sub-table"), ", widths from ", format_count(x$widths[1]), " to ",
           format_count(x$widths[2])),
    paste("  the most dangerous of each dimension",
          if (x$chain) "form a chain:" else "form no chain:")
  )
}

#' @export
print.sdc_critical_summary <- function(x, ...) {
  NextMethod()
  shown <- x$most_dangerous
  shown$sub_table <- format(cut_text(shown$sub_table, 60))
  print_frame(shown)
  invisible(x)
}

# A selection is a plain data frame.
#' @export
`[.sdc_critical_widths` <- function(x, ...) {
  out <- NextMethod()
  if (is.data.frame(out)) {
    class(out) <- "data.frame"
    attributes(out)[c("variables", "steps", "masks", "complete")] <- NULL
  }
  out
}

#' @rdname critical_widths
#' @export
format.sdc_critical_widths <- function(x, ...) {
  steps <- attr(x, "steps")
  complete <- attr(x, "complete")
  n <- n_variables_in(steps, seq_along(attr(x, "variables")))
  c(
    "PRIVATE: widths come from counts",
    paste0(plural(nrow(x), "sub-table"), " of ", plural(n, "variable"),
           if (!is.null(steps)) " by level", ", the safest first"),
    if (!all_critical(x)) {
      paste0("of ", sets_words(attributes(x)), " in all: each one with at most ",
             plural(complete, "variable"),
             if (any(x$dimension > complete)) ", and some larger ones")
    }
  )
}

#' @rdname critical_widths
#' @export
print.sdc_critical_widths <- function(x, ...) {
  NextMethod()
  frame <- x[]
  frame$sub_table <- cut_text(frame$sub_table, 60)
  if (nrow(frame) <= 12) {
    print_frame(frame, row.names = TRUE)
  } else {
    print_frame(utils::head(frame, 5), row.names = TRUE)
    cat(" ... and", format_count(nrow(frame) - 10), "more ...\n")
    print_frame(utils::tail(frame, 5), row.names = TRUE)
  }
  invisible(x)
}
