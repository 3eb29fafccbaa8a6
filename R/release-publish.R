# What may leave the building of a chosen set of sub-tables.

#' @rdname publish
#' @export
publish.sdc_release <- function(x, insist = FALSE, record = NULL, ...) {
  check_no_dots(...)
  check_flag(insist)
  check_record(record)
  if (!insist) check_release_publishable(x)
  check_own_sets(x$sets, length(own_table(x)$dimnames))
  if (!is.null(x$problem$magnitude)) own_magnitude(x)
  check_made_rule(x$risk)
  out <- public_release(x)
  let_out(out, record, release_entry(x, out), insist)
}

check_release_publishable <- function(x) {
  fault <- release_fault(x)
  if (!is.null(fault)) {
    abort_sdc("refused", c(
      "Only a release that is verified can be published.",
      x = "The check of this one found: {fault}.",
      i = "See {.code verify_release(x)}; {.code insist = TRUE} publishes it nevertheless."
    ))
  }
}

# What the check of a release finds, NULL where it is verified. Nothing is taken from the object's
# own word. An object that was taken apart by hand may fail anywhere.
release_fault <- function(x) {
  found <- tryCatch(
    verify_task(verification_task(x, NULL, NULL, NULL, NULL), x, 60, NULL, FALSE),
    error = function(cnd) list(verified = FALSE, fault = "its parts do not fit each other")
  )
  if (!isTRUE(found$verified)) found$fault
}

#' Published sub-tables
#'
#' What [publish()] makes of a release: the tables of the frontier, which imply all other released
#' sub-tables, the variables and levels of the full table, and the rule by which they were chosen.
#' It holds nothing else: not which cells are at risk, nor how wide their intervals are.
#'
#' # By level
#' A release by level (see [level_table()]) has tables of variables at levels: the table
#' `age@half:sex` has the variables `age`, with the categories of that level, and `sex`. The
#' publication also says which category lies in which at all levels that were offered. `margins()`
#' gives any sub-table inside of the published ones, coarser ones too. Frames and files have a
#' column for each level, such as `age@half` and `age`. `plot()` draws the frontier, with a cross
#' for each level, and how many sub-tables there are by the number of their variables; its other
#' pictures, and [sub_tables()], are for variables of one level each.
#'
#' The choice itself depends on the data: that a sub-table is **not** there tells that it would have
#' broken the rule, which can say something about the counts.
#'
#' @param x (sdc_release_publication) The publication.
#' @param sets (list, or missing) Some released sub-tables; missing: the frontier.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @return `margins()`: an `sdc_margins`. `summary()`, `as.matrix()`: as of [sub_tables()].
#'   `as.data.frame()`: a row for each cell of the frontier's
#'   tables: `sub_table`, the variables (`NA` for those that it does not have) and `count` (`total`
#'   for magnitudes).
#' @section Errors: `sdc_error_refused` from `margins()` for a sub-table that is not released;
#'   `sdc_error_input` when the parts of `x` do not fit each other any more.
#' @family release
#' @name sdc_release_publication
#' @examples
#' pub <- publish(release_greedy(czech_workers, risk_width(6)))
#' pub
#' margins(pub, list(c("A", "B")))
#' bounds_margins(pub$tables, cells = 26:28)
#'
#' # by level: classes of passengers, or only whether it was the first
#' upper <- c("1st" = "upper", "2nd" = "lower", "3rd" = "lower", "Crew" = "lower")
#' ships <- sdc_table(Titanic, hierarchies = list(Class = upper))
#' pub <- publish(release_greedy(level_table(ships), risk_width(8, at_risk = 1:5)))
#' pub
#' as.array(margins(pub, "Class@level 1:Sex")[[1]])
NULL

#' @rdname sdc_release_publication
#' @export
margins.sdc_release_publication <- function(x, sets, ...) {
  check_no_dots(...)
  check_release_publication(x)
  if (is.data.frame(x$tables[[1]])) abort_magnitude_margins()
  if (missing(sets)) {
    return(new_margins(x$tables))
  }
  variables <- names(x$dimnames)
  sets <- sub_table_sets(sets, variables, "sets", x$steps)
  labels <- set_labels(sets, variables, x$steps)
  found <- Map(function(set, label) {
    holds <- which(vapply(x$sets, function(s) all(set %in% s), NA))
    if (length(holds) == 0) {
      abort_sdc("refused", c(
        "{.arg sets} must be published sub-tables.",
        x = "{.val {label}} lies in no published sub-table."
      ))
    }
    table <- x$tables[[holds[1]]]
    if (is.null(x$steps)) margin(table, variables[set]) else
      coarsen_table(table, x$steps, x$sets[[holds[1]]], set)
  }, sets, labels)
  new_margins(rlang::set_names(unname(found), labels))
}

# A publication may have been edited since it was made.
check_release_publication <- function(x) {
  whole <- tryCatch(is_whole_publication(x), error = function(cnd) FALSE)
  if (whole) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg x} must be what {.fn publish} made.",
    x = "Its tables, sets and levels do not fit each other."
  ))
}

is_whole_publication <- function(x) {
  variables <- names(x$dimnames)
  fits <- function(table, set) {
    if (is.data.frame(table)) {
      return(identical(lapply(table[-length(table)], levels), x$dimnames[set]))
    }
    inherits(table, "sdc_table") && identical(table$dimnames, dimnames_of_set(x, set))
  }
  steps <- x$steps
  levels_exist <- all(lengths(x$dimnames) > 0) && !anyDuplicated(variables) &&
    (is.null(steps) || are_whole_steps(steps, x$dimnames))
  levels_exist && all(unlist(x$sets) %in% seq_along(variables)) && is_frontier(x$sets) &&
    is.null(level_sets_fault(x$sets, steps)) &&
    identical(names(x$tables), set_labels(x$sets, variables, steps)) &&
    rlang::is_string(x$rule) && all(mapply(fits, x$tables, x$sets)) &&
    if (is.null(steps)) have_same_margins(x$tables) else have_same_level_margins(x)
}

# Two tables show the same sums over what they share. Sums of magnitudes are of the same records.
have_same_margins <- function(tables) {
  counts <- !vapply(tables, is.data.frame, NA)
  if (!all(counts)) {
    totals <- vapply(tables, function(table) sum(table$total), 1)
    return(!any(counts) && isTRUE(all.equal(max(totals), min(totals))))
  }
  for (i in seq_along(tables)[-1]) {
    for (j in utils::tail(seq_len(i - 1), 50)) {
      shared <- intersect(names(tables[[i]]$dimnames), names(tables[[j]]$dimnames))
      if (!has_same_cells(margin(tables[[i]], shared), margin(tables[[j]], shared))) {
        return(FALSE)
      }
    }
  }
  TRUE
}

#' @export
format.sdc_release_publication <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  problem <- publication_space(x)
  c(
    paste0(format_count(sum(count_inside(problem, x$sets)[-1])), " of ", sets_words(problem),
           " sub-tables (the empty one not counted), ", plural(length(x$tables), "table"),
           " on the frontier"),
    paste0("of ", shape_words(published_shape(x))),
    if (!is.null(x$steps)) paste0("levels: ", ladder_words(x$steps)),
    paste0("rule: ", x$rule),
    paste0("frontier: ", frontier_words(names(x$tables)))
  )
}

#' @rdname sdc_release_publication
#' @export
summary.sdc_release_publication <- function(object, ...) {
  check_no_dots(...)
  if (is.null(object$steps)) {
    return(summary(sub_tables(object)))
  }
  problem <- publication_space(object)
  structure(
    list(header = utils::head(format(object), -1), crosses = as.matrix(object),
         by_dimension = dimension_table(count_inside(problem, object$sets), all_sets(problem))),
    class = sdc_class("sdc_sub_tables_summary")
  )
}

#' @rdname sdc_release_publication
#' @export
as.matrix.sdc_release_publication <- function(x, ...) {
  check_no_dots(...)
  out <- frontier_matrix(x$sets, names(x$dimnames))
  rownames(out) <- names(x$tables)
  out
}

#' @rdname sdc_release_publication
#' @export
as.data.frame.sdc_release_publication <- function(x, row.names = NULL, optional = FALSE, ...,
                                                  stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_release_publication(x)
  measure <- if (is.data.frame(x$tables[[1]])) "total" else "count"
  check_free_names(x$dimnames, c("sub_table", measure))
  x$tables <- labelled_tables(x)
  parts <- lapply(names(x$tables), function(label) long_sub_table(x, label, measure))
  do.call(rbind, parts)
}

# Its cells in the columns of all variables.
long_sub_table <- function(x, label, measure) {
  table <- x$tables[[label]]
  cells <- if (is.data.frame(table)) table else as.data.frame(table)
  values <- cells[[length(cells)]]
  columns <- lapply(names(x$dimnames), function(v) {
    held <- v %in% names(cells)
    code <- if (held) match(cells[[v]], x$dimnames[[v]]) else rep(NA_integer_, nrow(cells))
    factor(x$dimnames[[v]][code], x$dimnames[[v]])
  })
  columns <- rlang::set_names(columns, names(x$dimnames))
  list2data_frame(c(list(sub_table = rep(label, nrow(cells))), columns,
                    rlang::set_names(list(values), measure)), nrow(cells))
}
