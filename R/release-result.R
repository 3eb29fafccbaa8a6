# The class sdc_release: a chosen set of sub-tables, with what is proved of it.

# `sets`: the frontier, each a vector of variable numbers. `width`: c(inner =, outer =), the true
# width lies between; equal when it is exact. `upper_bound`: no release of `bound_class` has a
# larger utility. Holds the table: private.
new_release <- function(problem, sets, method, width, guarantee, utility = utility_tables(),
                        value = NULL, upper_bound = NA_real_, bound_class = NA_character_,
                        optimal = FALSE, log = NULL, seed = NULL, time_s = NA_real_,
                        stopped = FALSE, ..., record = NULL) {
  sets <- frontier_of(sets)
  by_dimension <- count_inside(problem, sets)
  out <- structure(
    list(
      frontier = labels_in(problem, sets), sets = sets,
      n_sub_tables = sum(by_dimension[-1]), by_dimension = by_dimension, width = width,
      guarantee = guarantee, method = method, risk = problem$risk, utility = utility,
      value = value %||% release_utility(utility, sets, problem),
      upper_bound = upper_bound, bound_class = bound_class, optimal = optimal, log = log,
      seed = seed, time_s = time_s, stopped = stopped, ..., problem = problem,
      seal = seal_release(problem, sets)
    ),
    class = sdc_class("sdc_release", mark = "private")
  )
  release_beside(out, record)
}

release_beside <- function(x, record) {
  beside_record(x, record, release_entry(x, public_release(x)))
}

# The cells at risk of a release keep the width of its rule, for readers of all publications. Rules
# that judge each sub-table alone promise nothing of them.
release_entry <- function(x, public) {
  entry <- open_entry(public)
  if (!inherits(x$risk, "sdc_risk_width")) {
    return(entry)
  }
  held <- x$problem$x
  at <- find_at_risk(held, x$risk, FALSE)
  entry$guarded <- guarded_cells(held, at, x$risk$beta, FALSE)
  entry
}

no_width <- function() c(inner = NA_real_, outer = NA_real_)

seal_release <- function(problem, sets) {
  x <- problem$x
  risk <- problem$risk
  magnitude <- unclass(problem$magnitude)
  parts <- Filter(length, unclass(risk)[c("beta", "at_risk", "cells", "n", "p")])
  held <- list(x$dimnames, x$keys, as.numeric(x$counts), c(list(kind = risk_kind(risk)), parts),
               lapply(unname(sets), as.numeric),
               table_steps(x)[c("variable", "level", "names", "categories", "maps")],
               magnitude[c("cell", "start", "holder", "value", "unit", "per_unit")])
  # the first bytes name the version of R
  bytes <- serialize(plain(Filter(length, held)), NULL, version = 2)[-(1:14)]
  paste(as.character(openssl::sha256(bytes)), collapse = "")
}

# `dimnames` has each variable, by level at each of its levels, under its label; `steps`: which
# category of each level lies in which of the coarser ones, and no more of the trees. The tables
# have the variables under their own names, as margins() of the release has them, so that nobody
# takes two levels of a variable for two variables.
public_release <- function(x) {
  tables <- lapply(x$sets, function(set) published_sub_table(x$problem, set))
  steps <- table_steps(x$problem$x)
  if (!is.null(steps)) {
    steps <- plain(steps[c("variable", "level", "names", "categories", "maps")])
  }
  dimnames <- if (is.null(steps)) plain(x$problem$x$dimnames) else
    rlang::set_names(steps$categories, steps$names)
  labels <- set_labels(x$sets, names(dimnames), steps)
  new_release_publication(dimnames, plain(unname(x$sets)),
                          rlang::set_names(tables, plain(labels)), plain(format(x$risk)), steps)
}

# `steps`: of a release by level.
new_release_publication <- function(dimnames, sets, tables, rule, steps) {
  structure(
    c(list(dimnames = dimnames, sets = sets, tables = tables, rule = rule),
      if (!is.null(steps)) list(steps = steps)),
    class = sdc_class("sdc_release_publication")
  )
}

# A table of counts; for magnitudes a frame of the cells with contributors, and their totals.
published_sub_table <- function(problem, set) {
  if (is.null(problem$magnitude)) {
    table <- if (is.null(table_steps(problem$x))) sub_table(problem, set) else
      level_margin(problem$x, set)
    cells <- list(keys = plain(table$keys), counts = plain(table$counts))
    return(new_table(plain(table$dimnames), cells))
  }
  over <- magnitude_over(problem$magnitude, set)
  n <- length(over$cell)
  totals <- rowsum(over$value, factor(rep(seq_len(n), diff(over$start)), seq_len(n)))
  columns <- c(cell_factors(over$cell, plain(over$dimnames)),
               list(total = in_values(as.numeric(totals), over)))
  list2data_frame(columns, n)
}

#' A chosen set of sub-tables
#'
#' [release_greedy()], [release_anneal()], [release_reducible()] and [release_exact()] return an
#' object of class `sdc_release`: which sub-tables may be published, and what is proved of them. It
#' is **private**, for it holds the full table; [publish()] makes what may leave.
#'
#' # Elements
#' * `frontier`: labels of the maximal released sub-tables; they imply all others. `sets`: the same
#'   as variable numbers. `n_sub_tables`: how many sub-tables are released, the empty one not
#'   counted; `by_dimension`: from dimension 0 on.
#' * `width`: `inner` is certified, the true width is at least that; `outer`: it is at most that.
#'   Equal when the width is known exactly. `guarantee` says in words how it is known.
#' * `value`, `utility`: what the release is worth, and by which measure; `upper_bound`: no release
#'   of the class in `bound_class` is worth more; `optimal`: is that proved to be reached?
#' * `method`, `log` (a data frame of what the method did), `seed`, `time_s` (seconds of processor
#'   time), `stopped` (did time, or in annealing an interrupt, end it?), and what the method adds.
#' * `left_out`: variables that are in no released sub-table.
#' * `problem`: the table and the rule. `seal`: a checksum of table, rule and sets.
#'
#' # Changes by hand
#' [publish()] and [verify_release()] take no element on trust: sets are judged anew, and every
#' other element must be what follows from the table, the rule and the sets. A changed element is
#' refused. The table and the rule inside are the only copies: the seal shows that they were changed
#' by hand, but whoever makes a new release of another table has a new seal. Compare with the table
#' that you hold by `verify_release(release, x)`.
#'
#' @param x,object (sdc_release) The release.
#' @param type (string) The picture: `"frontier"`, the maximal sub-tables as rows of crosses (the
#'   report's Figure 4); `"graph"`, the independence graph with the maximal sub-tables (Figure 5);
#'   `"tree"`, the clique tree of a decomposable release, with its separators;
#'   `"lattice"`, all sub-tables by dimension (Figure 1), up to 12 variables; `"dimension"`, how
#'   many of each dimension (Table 1); `"log"`, the course of an annealing search; `"certificate"`,
#'   the two tables that certify one cell at risk, side by side, of [release_reducible()]. By level
#'   (see [level_table()]) not `"graph"` and `"tree"`.
#' @param cell (cell as in [explain()], or `NULL`) For `"certificate"`: the cell at risk; `NULL`:
#'   the first.
#' @param sets (list, or missing) For `margins()`: some released sub-tables; missing: the frontier.
#' @param frontier (flag) For `as.data.frame()`: only the maximal sub-tables?
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @return
#' * `as.data.frame()`: a row for each released sub-table: `sub_table`, `dimension`, `cells`, and
#'   `frontier` (is it maximal?). Up to 25 variables unless `frontier` is `TRUE`.
#' * `summary()`: an object with the counts by dimension as in the report's Table 1, which prints
#'   with the frontier as rows of crosses.
#' * `as.matrix()`: the frontier as a logical matrix, a row for each maximal sub-table and a column
#'   for each variable.
#' * `margins()`: the released tables themselves, an `sdc_margins`.
#' * `autoplot()`: a ggplot object, which `plot()` draws and returns invisibly.
#' @section Errors:
#' `sdc_error_refused` from `margins()` for a sub-table that is not released.
#' @family release
#' @name sdc_release
#' @examples
#' re <- release_greedy(czech_workers, risk_width(6))
#' re
#' summary(re)
#' head(as.data.frame(re), 3)
#' margins(re)
#' margins(re, list(c("A", "B")))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(re)
#' plot(re, "dimension")
#' # cliques in boxes, on each line the variables that both ends share
#' plot(release_exact(czech_workers, risk_width(3), "decomposable"), "tree")
#' # both tables have all released margins, and differ by at least 3 at the framed cell
#' plot(release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE), "certificate")
NULL

#' @rdname sdc_release
#' @export
format.sdc_release <- function(x, ...) {
  empty <- isTRUE(x$utility$empty)
  k <- length(x$problem$variables)
  all <- if (is.null(x$problem$steps)) format_sets(k, empty) else
    format_count(sum(all_sets(x$problem)) - !empty)
  levels <- x$admissible
  known <- cumprod(levels$least == levels$most)
  c(
    "PRIVATE: holds the full table; publish() makes what may be released",
    paste0(format_count(x$n_sub_tables + empty), " of ", all, " sub-tables (the empty one ",
           if (!empty) "not ", "counted) by ", x$method),
    paste0("rule: ", format(x$risk)),
    paste0("guarantee: ", x$guarantee),
    if (x$utility$kind != "tables") {
      paste0("worth: ", format_number(x$value, 6), " ", format(x$utility))
    },
    if (x$optimal) {
      paste0("optimal among ", x$bound_class, ", proved")
    } else if (!is.na(x$upper_bound)) {
      paste0("at most ", format_number(x$upper_bound, 9), " among ", x$bound_class)
    },
    # where the sub-tables that may be released were counted in part
    if (!all(known == 1)) {
      paste0("at most ", format_number(sum(levels$most), 9), " sub-tables in any release at all; ",
             "counted up to dimension ", sum(known))
    },
    if (isTRUE(x$stopped)) "stopped by a limit or an interrupt: more may be possible",
    if (length(x$left_out) > 0) {
      paste0("left out, with all sub-tables that hold them: ", paste(x$left_out, collapse = ", "))
    },
    paste0("frontier: ", frontier_words(x$frontier))
  )
}

# As many labels as stand in two lines.
frontier_words <- function(frontier) {
  labels <- paste0("[", gsub(":", " ", frontier, fixed = TRUE), "]")
  shown <- max(1, sum(cumsum(nchar(labels) + 1) <= 160))
  paste0(cut_text(paste(utils::head(labels, shown), collapse = " "), 160),
         if (length(labels) > shown) paste0(" and ", format_count(length(labels) - shown), " more"))
}

#' @rdname sdc_release
#' @export
summary.sdc_release <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(
      header = utils::head(format(object), -1), crosses = as.matrix(object),
      by_dimension = dimension_table(object$by_dimension, all_sets(object$problem)),
      width = object$width, time_s = object$time_s
    ),
    class = sdc_class("sdc_release_summary", mark = "confidential")
  )
}

# The report's Table 1, from the number of sub-tables of dimension 0, 1, ...
dimension_table <- function(by_dimension, all) {
  total <- all[-1]
  data.frame(dimension = seq_along(total), released = by_dimension[-1], total = total,
             percent = 100 * by_dimension[-1] / total)
}

# A row for each dimension; NULL when there was no time to count. No sub-table with a variable that
# is left out may be released.
admissible_frame <- function(levels, problem) {
  if (is.null(levels)) {
    return(NULL)
  }
  total <- all_sets(problem)[-1]
  k <- length(total)
  zeros <- numeric(k - length(levels$least))
  data.frame(dimension = seq_len(k), total = total,
             least = c(levels$least, zeros), most = c(levels$most, zeros))
}

#' @export
format.sdc_release_summary <- function(x, ...) {
  c(x$header, if (!is.na(x$time_s)) paste("time:", format(x$time_s, digits = 2), "s"))
}

#' @export
print.sdc_release_summary <- function(x, ...) {
  NextMethod()
  print_crosses(x$crosses)
  print_dimensions(x$by_dimension)
  invisible(x)
}

#' @rdname sdc_release
#' @export
as.matrix.sdc_release <- function(x, ...) {
  check_no_dots(...)
  frontier_matrix(x$sets, x$problem$variables, x$problem$steps)
}

frontier_matrix <- function(sets, variables, steps = NULL) {
  out <- vapply(sets, function(set) seq_along(variables) %in% set, logical(length(variables)))
  matrix(out, length(sets), length(variables), byrow = TRUE,
         dimnames = list(set_labels(sets, variables, steps), variables))
}

# The report's Figure 4, in print, with names so short that all stand in one line, if they can.
print_crosses <- function(held) {
  cat("  frontier: ", plural(nrow(held), "sub-table"), "\n", sep = "")
  shown <- utils::head(held, 20)
  text <- ifelse(shown, "X", ".")
  room <- max(3, getOption("width") %/% ncol(held) - 1)
  dimnames(text) <- list(rep("", nrow(shown)), abbreviate(colnames(held), room, named = FALSE))
  if (nrow(shown) > 0) print(text, quote = FALSE, right = TRUE)
  more <- nrow(held) - nrow(shown)
  if (more > 0) cat("  and ", format_count(more), " more\n", sep = "")
}

print_dimensions <- function(table) {
  last <- max(table$dimension[table$released > 0], 1)
  table <- table[table$dimension <= last, ]
  table$percent <- paste0(formatC(table$percent, digits = 2, format = "f"), "%")
  table$total <- format_count(table$total)
  print_frame(table)
}

#' @rdname sdc_release
#' @export
as.data.frame.sdc_release <- function(x, row.names = NULL, optional = FALSE, ...,
                                      frontier = FALSE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(frontier)
  problem <- x$problem
  steps <- problem$steps
  sets <- x$sets
  if (!frontier) {
    # all released sub-tables but the empty one, small ones first
    k <- length(problem$variables)
    check_enumerable(k, steps)
    masks <- closed_masks(steps, k)
    inside <- masks_held(masks, k, steps, sets) == 1L
    sets <- mask_sets(masks[inside & masks > 0], k)
  }
  sizes <- if (is.null(steps)) problem$dim else lengths(steps$categories)
  out <- data.frame(
    sub_table = set_labels(sets, problem$variables, steps),
    dimension = vapply(sets, n_variables_in, 1L, steps = steps),
    cells = vapply(sets, function(set) prod(sizes[finest_steps(steps, set)]), 1)
  )
  out$frontier <- sets %in% x$sets
  out
}

#' @rdname sdc_release
#' @export
margins.sdc_release <- function(x, sets, ...) {
  check_no_dots(...)
  problem <- x$problem
  if (!is.null(problem$magnitude)) abort_magnitude_margins()
  sets <- if (missing(sets)) x$sets else
    sub_table_sets(sets, problem$variables, "sets", problem$steps)
  labels <- labels_in(problem, sets)
  outside <- labels[!are_inside(sets, x$sets)]
  if (length(outside) > 0) {
    abort_sdc("refused", c(
      "{.arg sets} must be released sub-tables.",
      x = "{.val {outside[1]}} lies in no released sub-table."
    ))
  }
  if (is.null(problem$steps)) {
    return(margins(problem$x, names_in(problem, sets)))
  }
  new_margins(rlang::set_names(lapply(sets, level_margin, x = problem$x), labels))
}

abort_magnitude_margins <- function() {
  abort_sdc("input", c(
    "{.fn margins} gives tables of counts.",
    x = "This is a release of magnitude tables.",
    i = "{.code publish(x)} has their totals."
  ))
}
