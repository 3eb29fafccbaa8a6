# What a reader can still work out of a table with suppressed cells.

#' What a table with suppressed cells still gives away
#'
#' Looks at a suppression as a reader of its publication would: who has the published cells and
#' totals, knows that totals add up and that counts are whole and not negative. For each suppressed
#' cell and total it gives the interval in which the count must lie, and for all together the number
#' of tables that agree.
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
#' trees over two variables, suppressed with the defaults of [suppress()], 36 of 1,524 suppressed
#' cells are exactly known, 14 of them primary, though none is over the reals. GaussSuppression can
#' be asked for wider intervals, which it finds by linear programmes:
#' `suppress(x, lpPackage = "lpSolve", rangeMin = 3)`; then audit again.
#'
#' **Readers.** Whoever knows more than the publication has more equations. `readers` says whom the
#' audit of a private suppression asks about:
#' * `"outsider"`, always: has the publication and nothing else.
#' * `"contributor"`: somebody who is alone in a cell, and knows it. The count of that cell, and of
#'   every total in which she is alone, is 1: one more row of the system for each. She must not
#'   learn the count of another primary cell. Somebody who shares her cell with others knows only
#'   that it is not empty, and is not asked about.
#' * `"coalition"`: two people who put together what they know: two who are alone in cells of their
#'   own, or the two of a cell of two. Only what neither learns alone is told, so that
#'   `"contributor"` is asked about as well.
#'
#' * `"method"`: somebody who knows the library, `maxN`, `protectZeros`, the trees and all further
#'   arguments. She lists the tables that agree, runs the same call of [suppress()] on each, and
#'   keeps those that lead to the same publication. For small tables, as each run takes the
#'   library's time; not for a `pattern`, where there is no method to run.
#'
#' A reader *learns* a primary cell when all tables that agree with the publication and with her own
#' rows have one and the same count in it, and the outsider does not know it anyway. Cells in which
#' she is alone are her own, and not learned.
#'
#' **The choice is no secret.** All readers but `"method"` ignore the rule and the way in which the
#' cells were chosen, and so does [publish()]. But the libraries follow published algorithms without
#' chance, and who repeats them can know far more: see the last example.
#'
#' @param x (sdc_suppression or sdc_suppressed) What [suppress()] returned, or its publication.
#' @param within (number >= 0) A cell is *nearly known* when its interval has `upper - lower` of at
#'   most this,
#' @param relative (number >= 0) or of at most this share of `upper`.
#' @param count (flag) Count the tables?
#' @param time_limit_s (number, seconds of processor time) How long bounds may be searched for.
#' @param max_states,max_steps (number) How much counting may take, as in [count_tables()]; the
#'   defaults are for some tenths of a second. `count_tables(publish(x), method = "importance")`
#'   estimates what is beyond them.
#' @param progress (flag) Show a progress bar?
#' @param readers (character vector) Which readers to ask about: `"outsider"`, `"contributor"`,
#'   `"coalition"`, `"method"`; see below. A publication says nothing of its contributors, so that
#'   only `"outsider"` fits one.
#' @param max_tables (whole number) The most tables on which the reader `"method"` runs the method.
#' @param object (sdc_suppression_audit) The audit.
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @return An object of class `sdc_suppression_audit`: a list with `cells`, `tables` (an
#'   [sdc_count], or `NULL`), `no_count` (why there is no count), `within`, `relative`, `n` (the
#'   number of all cells and totals), and, of a private `x`, `shown`: how many cells are primary
#'   by the rule and published all the same, `readers`, `learned` (a **confidential** data frame
#'   with a row for each reader and primary cell that she learns: `reader`, the kind, `who`, by the
#'   cells of the people, the variables of the cell, `lower`, `upper`, `how`), `unsure` (for each
#'   kind, of how many primary cells the time left open what is learned) and `reader_counts` (for
#'   each kind the numbers of readers, of pairs of a reader and a cell, and of programmes; for
#'   `"method"` the numbers of tables before and after, and of those that the time left untried).
#'   With `"method"` also `method_cells` (**confidential**): a row for each suppressed cell or
#'   total, primary ones first, with its interval before and after and whether it is `known`.
#'
#'   `as.data.frame()` gives `cells`: a row for each suppressed cell or total: the variables,
#'   `lower`, `upper`, `width`, `sharp`, `known` (`"exactly"`, `"nearly"` or `"no"`), and, of a
#'   private `x`, `primary`, which makes it **confidential**. `summary()` gives the numbers of
#'   cells by `known` and `primary`, as a data frame.
#' @section Errors:
#' `sdc_error_infeasible` when no table agrees with a publication (which cannot be of one that
#' [publish()] made); `sdc_error_input` for arguments that do not fit, and for the reader
#' `"method"` of a pattern; `sdc_error_too_large` when more than `max_tables` tables agree. A warning
#' `sdc_warning_outer` when the time ended before all intervals were sharp.
#' @section Guarantee:
#' Exact: where `sharp`, both ends of an interval are attained by tables of whole numbers. Other
#' intervals are outer, so that what is called known is known, and more may be. The number of tables
#' is exact; beyond `max_states` and `max_steps` it is not computed. What a reader is said to learn she
#' does learn, and every other reader has another table of whole numbers in which the cell differs;
#' where time did not do for that, `unsure` says so.
#' @section Complexity:
#' Readers times cells are not searched pair by pair: one table that agrees with what many readers
#' know settles a cell for all of them. A cell that nobody learns takes few programmes, and each
#' reader who learns one some 2 log2 of the number of readers. Each kind of reader has a time limit
#' of its own.
#' @family suppress
#' @name audit.sdc_suppression
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' su <- suppress(roehrig, maxN = 1, pattern = hidden, audit = FALSE)
#' audit(su)
#' audit(su)$learned
#' as.data.frame(audit(publish(su, insist = TRUE)))
#' @examplesIf requireNamespace("GaussSuppression", quietly = TRUE)
#' x <- array(c(2, 1, 5, 5, 2, 2, 2, 4, 4, 5, 4, 4, 1, 1, 4, 4, 1, 2, 3, 4, 2, 6, 4, 3, 3, 3, 7),
#'            c(3, 3, 3))
#' su <- suppress(x, maxN = 2, protectZeros = TRUE)
#' audit(su)
#' try(publish(su))
#' @examplesIf all(vapply(c("GaussSuppression", "lpSolve"), requireNamespace, NA, quietly = TRUE))
#' # wider intervals
#' audit(suppress(x, maxN = 2, protectZeros = TRUE, lpPackage = "lpSolve", rangeMin = 3))
#' @examplesIf requireNamespace("GaussSuppression", quietly = TRUE)
#' # a reader who repeats the call on all tables that agree
#' audit(suppress(Titanic, audit = FALSE), readers = "method")
NULL

#' @rdname audit.sdc_suppression
#' @export
audit.sdc_suppression <- function(x, within = 2, relative = 0, count = TRUE, time_limit_s = 60,
                                  max_states = 1e6, max_steps = 1e8,
                                  progress = rlang::is_interactive(),
                                  readers = c("outsider", "contributor"), max_tables = 1000,
                                  ...) {
  check_no_dots(...)
  readers <- check_audit_readers(readers)
  check_whole(max_tables, min = 1, max = 1e6)
  out <- audit_public(public_suppression(x), within, relative, count, time_limit_s, max_states,
                      max_steps, progress)
  hidden <- is_hidden(x)
  out$cells$primary <- x$cells$sdcStatus[hidden] == "u"
  out$shown <- sum(is_shown(x))
  limits <- list(time_limit_s = time_limit_s, max_states = max_states, max_steps = max_steps,
                 max_tables = max_tables, within = within, relative = relative)
  add_readers(out, x, readers, limits, progress)
}

#' @rdname audit.sdc_suppression
#' @export
audit.sdc_suppressed <- function(x, within = 2, relative = 0, count = TRUE, time_limit_s = 60,
                                 max_states = 1e6, max_steps = 1e8,
                                 progress = rlang::is_interactive(), readers = "outsider",
                                 ...) {
  check_no_dots(...)
  check_audit_readers(readers, "outsider")
  audit_public(x, within, relative, count, time_limit_s, max_states, max_steps, progress)
}

# Cells that the rule calls primary, and that a pattern publishes.
is_shown <- function(x) {
  is_primary(x$cells$freq, x[c("maxN", "protectZeros")]) & !is_hidden(x)
}

audit_public <- function(x, within, relative, count, time_limit_s, max_states, max_steps, progress) {
  check_number(within, min = 0)
  check_number(relative, min = 0)
  check_flag(count)
  check_number(time_limit_s, min = 0)
  check_number(max_states, min = 1, max = 1e12)
  check_number(max_steps, min = 1, max = 1e18)
  check_flag(progress)
  system <- reader_system(x)
  bounds <- reader_bounds(system, time_limit_s, progress)
  tables <- if (count) reader_count(system, max_states, max_steps, progress)
  structure(
    list(
      cells = audited_cells(x, bounds, within, relative), tables = tables$count,
      no_count = if (count) tables$why else "not asked for", within = within, relative = relative,
      n = nrow(x$cells)
    ),
    class = "sdc_suppression_audit"
  )
}

audited_cells <- function(x, bounds, within, relative) {
  hidden <- which(x$cells$suppressed)
  variables <- setdiff(names(x$cells), c("freq", "suppressed"))
  labels <- lapply(unclass(x$cells)[variables], function(column) column[hidden])
  width <- bounds$upper - bounds$lower
  share <- if (relative > 0) relative * bounds$upper else 0
  narrow <- width <= pmax(within, share)
  known <- ifelse(width == 0, "exactly", ifelse(narrow & is.finite(width), "nearly", "no"))
  columns <- list(lower = bounds$lower, upper = bounds$upper, width = width, sharp = bounds$sharp,
                  known = factor(known, c("exactly", "nearly", "no")))
  list2data_frame(c(labels, columns), length(hidden))
}

reader_bounds <- function(system, time_limit_s, progress, method = "auto") {
  if (length(system$lower) == 0) {
    return(list(lower = numeric(), upper = numeric(), sharp = logical()))
  }
  style <- list(method = method, solver = "exact", seconds = time_limit_s, max_cells = Inf,
                progress = progress)
  bounds_of_constraints(system, NULL, style)
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

# ---- the reader's system ------------------------------------------------------------------------

# An unknown for each suppressed row of the cells, in their order, and an equation for each total
# that has one in it: what is directly below it, less the total, is 0.
reader_system <- function(x) {
  labels <- lapply(unclass(x$cells)[setdiff(names(x$cells), c("freq", "suppressed"))], levels)
  hidden <- which(x$cells$suppressed)
  n_levels <- lengths(x$dimnames)
  terms <- lapply(seq_along(labels), function(v) {
    tree <- family_tree(labels[[v]], n_levels[[v]], x$hierarchies[[names(labels)[v]]])
    equation_terms(tree, v, hidden, lengths(labels, FALSE))
  })
  before <- cumsum(c(0, vapply(terms, function(t) max(t$equation, 0), 0)))[seq_along(terms)]
  join <- function(name) unlist(lapply(terms, `[[`, name))
  equation <- join("equation") + rep(before, vapply(terms, function(t) length(t$row), 0))
  solve_known(equation, join("row"), join("sign"), x$cells, hidden)
}

# The terms of all equations along variable `v` that have a hidden row in them. Rows are cell
# numbers, so that another level of `v` is a step away.
equation_terms <- function(tree, v, hidden, size) {
  stride <- cumprod(c(1, size))[[v]]
  code <- split_codes(hidden, size)[[v]]
  node <- (tree$tree - 1) * size[[v]] + tree$parent
  nodes <- unique(data.frame(node = node, parent = tree$parent))
  up <- matches(code, tree$child)
  down <- matches(code, nodes$parent)
  touched <- unique(data.frame(
    row = c(hidden[up$x] + (tree$parent[up$y] - code[up$x]) * stride, hidden[down$x]),
    node = c(node[up$y], nodes$node[down$y])
  ))
  below <- matches(touched$node, node)
  step <- (tree$child - tree$parent)[below$y] * stride
  list(
    equation = c(below$x, seq_len(nrow(touched))),
    row = c(touched$row[below$x] + step, touched$row),
    sign = rep(c(1, -1), c(length(below$x), nrow(touched)))
  )
}

# All pairs of positions with equal values.
matches <- function(x, y) {
  of_value <- split(seq_along(y), factor(y, unique(y)))
  at <- match(x, unique(y))
  found <- !is.na(at)
  partners <- of_value[at[found]]
  list(x = rep(which(found), lengths(partners)), y = unlist(partners, use.names = FALSE))
}

# Published terms go to the other side.
solve_known <- function(equation, row, sign, cells, hidden) {
  unknown <- match(row, hidden)
  open <- !is.na(unknown)
  n <- max(equation, 0)
  value <- numeric(n)
  shown <- rowsum(sign[!open] * cells$freq[row[!open]], equation[!open])
  value[as.integer(rownames(shown))] <- -shown
  by <- which(open)[order(equation[open], unknown[open])]
  m <- length(hidden)
  # a total that is the one unknown of its equation has coefficient -1: the other way round
  size <- tabulate(equation[open], n)
  turn <- ifelse(size == 1, sign[by][cumsum(size)], 1)
  rows <- list(
    start = cumsum(c(0, size)), cell = unknown[by], coefficient = sign[by] * rep(turn, size),
    lower = value * turn, upper = value * turn, set = rep(1L, n), label = rep("a published sum", n)
  )
  limits <- list(lower = numeric(m), upper = rep(Inf, m))
  limits <- narrow_cells(limits, rows, list(set = "sums"))
  new_constraints(
    list(cell = as.character(seq_len(m))), list(seq_len(m)), limits$lower, limits$upper, rows,
    "sums"
  )
}

# ---- methods ------------------------------------------------------------------------------------

#' @rdname audit.sdc_suppression
#' @export
format.sdc_suppression_audit <- function(x, ...) {
  n <- nrow(x$cells)
  known <- table(x$cells$known)
  of <- paste(" of", plural(n, "suppressed cell"))
  near <- if (x$relative > 0) {
    paste0(", or ", percent(x$relative, 7), " of the upper end")
  }
  c(
    if (isTRUE(x$shown > 0)) paste0("FAILS: ", plural(x$shown, "primary cell"), " by the rule ",
                                    is_are(x$shown), " published"),
    if (known[["exactly"]] > 0) paste0(if (known_fails(x)) "FAILS: ",
                                       format_count(known[["exactly"]]), of, " ",
                                       is_are(known[["exactly"]]), " exactly known",
                                       primary_words(x, "exactly")),
    if (open_primary(x) > 0) paste0("FAILS: what everybody knows of ",
                                    plural(open_primary(x), "primary cell"),
                                    " was not found in time"),
    if (!is.null(x$learned)) learned_words(x$learned, x$unsure),
    if (n > 0 && known[["exactly"]] == 0) {
      paste0("none", of, " is ", if (!all(x$cells$sharp)) "found to be ", "exactly known")
    },
    if (n == 0) "no cell is suppressed",
    if (n > 0) paste0("nearly known, to within ", format_count(x$within), near, ": ",
                      format_count(known[["nearly"]]), of,
                      if (known[["nearly"]] > 0) primary_words(x, "nearly")),
    if (any(!x$cells$sharp)) paste0("outer intervals: ", format_count(sum(!x$cells$sharp)),
                                    ", which may be known better"),
    paste0("tables that agree: ", if (is.null(x$tables)) x$no_count else format(x$tables)),
    method_reader_words(x)
  )
}

primary_words <- function(x, how) {
  if (is.null(x$cells$primary)) {
    return("")
  }
  n <- sum(x$cells$primary & x$cells$known == how)
  paste0(", ", if (n == 0) "none" else format_count(n), " of them primary")
}

# Primary cells whose intervals the time left too wide. What was not found may be known.
open_primary <- function(x) {
  sum(x$cells$primary & !x$cells$sharp & x$cells$known != "exactly")
}

# A known cell is a failure unless it is known to be secondary.
known_fails <- function(x) {
  is.null(x$cells$primary) || any(x$cells$primary & x$cells$known == "exactly")
}

#' @rdname audit.sdc_suppression
#' @export
print.sdc_suppression_audit <- function(x, ...) {
  cat("<sdc_suppression_audit>", paste0("  ", format(x)), sep = "\n")
  worst <- which(x$cells$known != "no")
  worst <- worst[order(x$cells$width[worst])]
  shown <- utils::head(worst, 5)
  variables <- seq_len(match("lower", names(x$cells)) - 1)
  labels <- lapply(unclass(x$cells)[variables], function(column) as.character(column[shown]))
  words <- label_words(labels)
  within <- paste("to within", format_count(x$cells$width[shown]))
  how <- ifelse(x$cells$known[shown] == "exactly", "exactly", within)
  if (length(shown) > 0) cat(paste0("    ", cut_text(words, 70), ": ", how), sep = "\n")
  more <- length(worst) - length(shown)
  if (more > 0) cat("    and", plural(more, "more cell"), "\n")
  if (NROW(x$learned) > 0) cat(learned_lines(x$learned), sep = "\n")
  invisible(x)
}

#' @rdname audit.sdc_suppression
#' @export
summary.sdc_suppression_audit <- function(object, ...) {
  check_no_dots(...)
  cells <- object$cells
  kinds <- list(known = cells$known)
  if (!is.null(cells$primary)) kinds$primary <- factor(cells$primary, c(TRUE, FALSE))
  out <- as.data.frame(table(kinds), responseName = "cells")
  if (!is.null(out$primary)) out$primary <- out$primary == "TRUE"
  out
}

#' @rdname audit.sdc_suppression
#' @export
as.data.frame.sdc_suppression_audit <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  x$cells
}
