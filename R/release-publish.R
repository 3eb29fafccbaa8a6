# What may leave the building of a chosen set of sub-tables.

#' @rdname publish
#' @export
publish.sdc_release <- function(x, insist = FALSE, ...) {
  check_no_dots(...)
  check_flag(insist)
  if (!insist) check_certified(x)
  tables <- lapply(x$sets, function(set) published_sub_table(x$problem, set))
  structure(
    list(
      dimnames = plain(x$problem$x$dimnames), sets = plain(unname(x$sets)),
      tables = rlang::set_names(tables, plain(x$frontier)), rule = plain(format(x$risk))
    ),
    class = "sdc_release_publication"
  )
}

check_certified <- function(x, call = caller_env()) {
  needed <- x$risk$beta
  if (is.null(needed) || isTRUE(x$width[["inner"]] >= needed)) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "Only a release whose width is certified can be published.",
    x = "It is not certified that no cell at risk is held within less than {needed}.",
    i = "Ask {.fn width}; {.code insist = TRUE} publishes it all the same."
  ), call = call)
}

# A table of counts; for magnitudes a frame of the cells with contributors, and their totals.
published_sub_table <- function(problem, set) {
  if (is.null(problem$magnitude)) {
    table <- sub_table(problem, set)
    cells <- list(keys = plain(table$keys), counts = plain(table$counts))
    return(new_table(plain(table$dimnames), cells))
  }
  over <- magnitude_over(problem$magnitude, set)
  columns <- c(cell_factors(over$cell, plain(over$dimnames)),
               list(total = in_values(contributor_totals(over), over)))
  list2data_frame(columns, length(over$cell))
}

contributor_totals <- function(x) {
  cell <- rep(seq_along(x$cell), diff(x$start))
  as.numeric(rowsum(x$value, factor(cell, seq_along(x$cell))))
}

#' Published sub-tables
#'
#' What [publish()] makes of a release: the tables of the frontier, which imply all other released
#' sub-tables, the variables and levels of the full table, and the rule by which they were chosen.
#' It holds nothing else: not which cells are at risk, nor how wide their intervals are.
#'
#' The choice itself depends on the data: that a sub-table is **not** there tells that it would have
#' broken the rule, which can say something about the counts.
#'
#' @param x (sdc_release_publication) The publication.
#' @param sets (list, or missing) Some released sub-tables; missing: the frontier.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Not used; they stand here because [data.frame()] gives
#'   them.
#' @return `margins()`: an `sdc_margins`. `summary()`, `as.matrix()`: as of [sub_tables()].
#'   `as.data.frame()`: a row for each cell of the frontier's
#'   tables: `sub_table`, the variables (`NA` for those that it does not have) and `count` (`total`
#'   for magnitudes).
#' @section Errors: `sdc_error_refused` from `margins()` for a sub-table that is not released.
#' @family release
#' @name sdc_release_publication
#' @examples
#' pub <- publish(release_greedy(czech_workers, risk_width(6)))
#' pub
#' margins(pub, list(c("A", "B")))
#' bounds_margins(pub$tables, cells = 26:28)
NULL

#' @rdname sdc_release_publication
#' @export
margins.sdc_release_publication <- function(x, sets, ...) {
  check_no_dots(...)
  if (is.data.frame(x$tables[[1]])) abort_magnitude_margins(environment())
  if (missing(sets)) {
    return(structure(x$tables, class = "sdc_margins"))
  }
  variables <- names(x$dimnames)
  sets <- sub_table_sets(sets, variables, "sets")
  found <- lapply(sets, function(set) {
    holds <- which(vapply(x$sets, function(s) all(set %in% s), NA))
    if (length(holds) == 0) {
      abort_sdc("refused", c(
        "{.arg sets} must be published sub-tables.",
        x = "{.val {margin_label(variables[set])}} is not."
      ), call = environment(margins.sdc_release_publication))
    }
    margin(x$tables[[holds[1]]], variables[set])
  })
  structure(rlang::set_names(found, set_labels(sets, variables)), class = "sdc_margins")
}

#' @export
format.sdc_release_publication <- function(x, ...) {
  k <- length(x$dimnames)
  n <- sum(cpp_count_below(k, x$sets)[-1])
  c(
    paste0(format_count(n), " of ", format_sets(k),
           " sub-tables (the empty one not counted), ", plural(length(x$tables), "table"),
           " on the frontier"),
    paste0("of ", shape_words(x$dimnames)),
    paste0("rule: ", x$rule),
    paste0("frontier: ", frontier_words(names(x$tables)))
  )
}

#' @rdname sdc_release_publication
#' @export
print.sdc_release_publication <- function(x, ...) {
  cat("<sdc_release_publication>", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @rdname sdc_release_publication
#' @export
summary.sdc_release_publication <- function(object, ...) {
  check_no_dots(...)
  summary(sub_tables(object))
}

#' @rdname sdc_release_publication
#' @export
as.matrix.sdc_release_publication <- function(x, ...) {
  check_no_dots(...)
  frontier_matrix(x$sets, names(x$dimnames))
}

#' @rdname sdc_release_publication
#' @export
as.data.frame.sdc_release_publication <- function(x, row.names = NULL, optional = FALSE, ...,
                                                  stringsAsFactors = FALSE) {
  check_no_dots(...)
  measure <- if (is.data.frame(x$tables[[1]])) "total" else "count"
  check_free_names(x$dimnames, c("sub_table", measure))
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
