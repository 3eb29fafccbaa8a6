# What may leave the building of a chosen set of sub-tables.

#' @rdname publish
#' @export
publish.sdc_release <- function(x, insist = FALSE, record = NULL, ...) {
  check_no_dots(...)
  check_flag(insist)
  check_record(record)
  if (!insist) {
    check_release_holds(
      x, "Only a release that is verified can be published.",
      "See {.code verify_release(x)}; {.code insist = TRUE} publishes it nevertheless."
    )
  }
  check_own_sets(x$sets, length(own_table(x)$dimnames))
  if (!is.null(x$problem$magnitude)) own_magnitude(x)
  check_made_rule(x$risk)
  out <- public_release(x)
  let_out(out, record, release_entry(x, out), insist)
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
  outside <- labels[!are_inside(sets, x$sets)]
  if (length(outside) > 0) {
    abort_sdc("refused", c(
      "{.arg sets} must be published sub-tables.",
      x = "{.val {outside[1]}} lies in no published sub-table."
    ))
  }
  found <- lapply(sets, function(set) {
    holds <- which(vapply(x$sets, function(s) all(set %in% s), NA))[1]
    coarsen_table(x$tables[[holds]], publication_steps(x), x$sets[[holds]], set)
  })
  new_margins(rlang::set_names(found, labels))
}

# A publication may have been edited since it was made.
check_release_publication <- function(x) {
  if (!tryCatch(is_whole_publication(x), error = function(cnd) FALSE)) {
    abort_sdc("input", c(
      "{.arg x} must be what {.fn publish} made.",
      x = "Its tables, sets and levels do not fit each other."
    ))
  }
}

is_whole_publication <- function(x) {
  variables <- names(x$dimnames)
  steps <- publication_steps(x)
  fits <- function(table, set) {
    if (is.data.frame(table)) {
      return(identical(lapply(table[-length(table)], levels), x$dimnames[set]))
    }
    inherits(table, "sdc_table") && identical(table$dimnames, level_dimnames(steps, set))
  }
  all(lengths(x$dimnames) > 0) && !anyDuplicated(variables) &&
    are_whole_steps(steps, x$dimnames) && all(unlist(x$sets) %in% seq_along(variables)) &&
    is_frontier(x$sets) && is.null(level_sets_fault(x$sets, x$steps)) &&
    identical(names(x$tables), set_labels(x$sets, variables, x$steps)) &&
    rlang::is_string(x$rule) && all(mapply(fits, x$tables, x$sets)) && have_same_margins(x, steps)
}

# Two tables show the same sums over what they share. Sums of magnitudes are of the same records.
have_same_margins <- function(x, steps) {
  counts <- !vapply(x$tables, is.data.frame, NA)
  if (!all(counts)) {
    totals <- vapply(x$tables, function(table) sum(table$total), 1)
    return(!any(counts) && isTRUE(all.equal(max(totals), min(totals))))
  }
  for (i in seq_along(x$sets)[-1]) {
    for (j in utils::tail(seq_len(i - 1), 50)) {
      shared <- intersect(x$sets[[i]], x$sets[[j]])
      own <- lapply(c(i, j), function(at) {
        coarsen_table(x$tables[[at]], steps, x$sets[[at]], shared)
      })
      if (!has_same_cells(own[[1]], own[[2]])) {
        return(FALSE)
      }
    }
  }
  TRUE
}

# Do the steps of a publication, which may have been edited, fit its variables and each other?
are_whole_steps <- function(steps, dimnames) {
  k <- length(dimnames)
  if (!identical(lengths(steps, FALSE), rep(k, 5)) ||
      !identical(rlang::set_names(steps$categories, steps$names), dimnames)) {
    return(FALSE)
  }
  v <- steps$variable
  in_order <- identical(v, sort(v)) && setequal(v, seq_len(max(v))) &&
    !anyDuplicated(paste(v, steps$level))
  in_order && all(vapply(seq_len(k), is_whole_step, NA, steps = steps))
}

# The finest level has a category for each of its own; each category lies in one of the level above.
is_whole_step <- function(step, steps) {
  map <- steps$maps[[step]]
  n <- length(steps$categories[[step]])
  finest <- is.na(next_steps(steps, length(steps$variable))[step])
  above <- if (!is_first_step(steps, step)) steps$maps[[step - 1]]
  all(map %in% seq_len(n)) && setequal(map, seq_len(n)) &&
    (!finest || identical(map, seq_len(n))) &&
    (is.null(above) || (length(map) == length(above) &&
                          !anyDuplicated(unique(cbind(map, above))[, 1])))
}

# Where each variable has one level, it stands for itself.
publication_steps <- function(x) {
  k <- seq_along(x$dimnames)
  x$steps %||% list(variable = k, level = rep("finest", length(k)), names = names(x$dimnames),
                    categories = unname(x$dimnames), maps = lapply(unname(x$dimnames), seq_along))
}

# From the table over a set that over one inside of it: coarser, or without some variables.
coarsen_table <- function(table, steps, from, to) {
  fine <- finest_steps(steps, from)
  coarse <- finest_steps(steps, to)
  at <- match(steps$variable[coarse], steps$variable[fine])
  maps <- Map(function(f, c) coarse_categories(steps, f, c), fine[at], coarse)
  project_table(table, at, maps, level_dimnames(steps, to))
}

#' @export
format.sdc_release_publication <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  problem <- publication_space(x)
  c(
    paste0(format_count(below_sets(problem, x$sets)), " of ", sets_words(problem),
           " sub-tables (the empty one not counted), ", plural(length(x$tables), "table"),
           " on the frontier"),
    paste0("of ", shape_words(finest_dimnames(publication_steps(x)))),
    if (!is.null(x$steps)) paste0("levels: ", ladder_words(x$steps)),
    paste0("rule: ", x$rule),
    paste0("frontier: ", frontier_words(names(x$tables)))
  )
}

# The levels of each variable that has several, from coarse to fine.
ladder_words <- function(steps) {
  several <- which(tabulate(steps$variable) > 1)
  names <- names(finest_dimnames(steps))
  paste(vapply(several, function(v) {
    coarse <- utils::head(steps$level[steps$variable == v], -1)
    paste0(names[v], " (", paste(coarse, collapse = ", "), ")")
  }, ""), collapse = ", ")
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
  tables <- labelled_tables(x)
  do.call(rbind, lapply(names(tables), function(label) {
    cells <- tables[[label]]
    if (measure == "count") cells <- as.data.frame(cells)
    n <- nrow(cells)
    # its cells in the columns of all variables
    columns <- Map(function(labels, v) {
      code <- if (v %in% names(cells)) match(cells[[v]], labels) else rep(NA_integer_, n)
      factor(labels[code], labels)
    }, x$dimnames, names(x$dimnames))
    list2data_frame(c(list(sub_table = rep(label, n)), columns,
                      rlang::set_names(list(cells[[length(cells)]]), measure)), n)
  }))
}

# The tables of a release are margins of one table. Those by level have variables of other levels.
#' @export
as_parts.sdc_release_publication <- function(x, name, arg, style) {
  check_can_be_judged(x)
  as_parts(margins(x), name, arg, style)
}

#' @export
to_document.sdc_release_publication <- function(x) {
  need(is_whole_publication(x), "its parts do not fit each other")
  counts <- !is.data.frame(x$tables[[1]])
  value <- if (counts) "count" else "total"
  steps <- x$steps
  # for each column of a variable at some level what it is
  levels <- lapply(seq_along(steps$variable), function(step) {
    finest <- max(which(steps$variable == steps$variable[step]))
    list(column = steps$names[step], variable = steps$names[finest], level = steps$level[step],
         category_of = I(steps$maps[[step]]))
  })
  do.call(table_document, c(sub_table_rows(labelled_tables(x), x$dimnames, value), list(
    what = paste(
      if (counts) "Tables of counts" else "Tables of totals of a variable of magnitude",
      "over some of the variables each. All of them are exact, and so are their sums. They were",
      "chosen by a rule that may depend on the data."
    ),
    parameters = c(
      list(
        values = value, rule = x$rule,
        tables = lapply(x$sets, function(set) {
          list(variables = I(names(x$dimnames)[finest_steps(steps, set)]))
        })
      ),
      if (!is.null(steps)) list(levels = levels, levels_in_words = levels_in_words)
    ),
    reserved = c(value, "sub_table")
  )))
}

levels_in_words <- paste(
  "a variable that has several levels is a column for each of them, from coarse to fine;",
  "category_of says for each category of its finest level in which category of the column it lies,",
  "by number"
)

#' @export
from_document.sdc_release_publication <- function(kind, document, lines) {
  p <- document$parameters
  dimnames <- document_labels(document)
  value <- strings(list(p$values))
  need(value %in% c("count", "total"), "values are neither counts nor totals")
  sets <- lapply(p$tables, function(table) match(strings(table$variables), names(dimnames)))
  need(!anyNA(unlist(sets)), "a table has a variable that is not described")
  tables <- read_sub_tables(lapply(sets, function(set) dimnames[set]), dimnames, lines, value)
  steps <- if (!is.null(p$levels)) read_published_steps(p$levels, dimnames)
  if (!is.null(steps)) {
    need(identical(p$levels_in_words, levels_in_words), "the words of the levels differ")
    sets <- lapply(sets, close_set, steps = steps)
    tables <- Map(function(table, set) {
      new_table(level_dimnames(steps, set), list(keys = table$keys, counts = table$counts))
    }, tables, sets)
  }
  tables <- rlang::set_names(tables, set_labels(sets, names(dimnames), steps))
  out <- new_release_publication(dimnames, sets, tables, strings(list(p$rule)), steps)
  need(is_whole_publication(out), "the tables contradict each other")
  out
}

# Of the levels in a file; the steps of a publication.
read_published_steps <- function(given, dimnames) {
  of <- function(name) strings(lapply(given, `[[`, name))
  variables <- of("variable")
  need(identical(of("column"), names(dimnames)), "the levels are not those of the columns")
  steps <- list(variable = match(variables, unique(variables)), level = of("level"),
                names = names(dimnames), categories = unname(dimnames),
                maps = lapply(given, function(step) whole_numbers(step$category_of)))
  need(are_whole_steps(steps, dimnames), "the levels contradict each other")
  steps
}


#' @export
shown_cells.sdc_release_publication <- function(x) {
  value <- if (is.data.frame(x$tables[[1]])) "total" else "count"
  joined_tables(labelled_tables(x), x$dimnames, value)
}
