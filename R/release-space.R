# The query space: all sub-tables of a table, which are released and which may not be.

#' All sub-tables of a table, and which are released
#'
#' The query space of a table with K variables: its 2^K sub-tables, ordered by inclusion of their
#' variables. Releasing some (the *direct* releases) releases all sub-tables of theirs too (the
#' *indirect* ones). The **released frontier** are the maximal released sub-tables; the
#' **unreleasable frontier** are the minimal ones that may not be released any more, and all
#' sub-tables above them may not either.
#'
#' # By level
#' A table by level (see [level_table()]), and releases, publications and servers of such tables,
#' have a sub-table for each choice of a level, or of none, for each variable. Coarser sub-tables
#' are below finer ones. `risk` then judges each sub-table together with the one-way tables of the
#' variables with several levels, as every release by level has them.
#'
#' @param x (table, [sdc_release], its publication, [sdc_server], or character vector) What has the
#'   variables: a table, a chosen release, a table server, or their names.
#' @param released (list of character vectors or formulas, or labels like `"A:B"`) The direct
#'   releases; by default the frontier of a chosen release or of a server, or none.
#' @param unreleasable (the same) Sub-tables that are known to be unreleasable; of a server those
#'   that it has refused for risk.
#' @param risk ([risk_width()] or another rule, or `NULL`) Finds the unreleasable sub-tables: those
#'   that would break the rule together with what is released. It needs the full table and at most
#'   `max_variables` variables, because each sub-table may have to be judged by integer bounds.
#' @param max_variables (whole number from 1 to 25) The most variables, levels counted, for which
#'   `risk` is asked.
#' @param time_limit_s (number, seconds of processor time) For each judgement by `risk`.
#' @return An object of class `sdc_sub_tables`: a list with `variables` (by level the labels of all
#'   levels, and `steps`, what they stand for), `direct`, the frontiers
#'   `released` and `unreleasable` (lists of variable numbers), `outside` (the minimal sub-tables
#'   that are not released), `undecided` (minimal sub-tables of which `risk` could not tell), and
#'   `by_dimension` (a data frame: `dimension` from 0 on, `total`, `released`, `unreleasable`,
#'   `open`). See [sub_tables-methods].
#' @section Errors: `sdc_error_input` for unknown variables, and when a sub-table is both released
#'   and unreleasable; `sdc_error_too_large` for `risk` with too many variables, and when there are
#'   more than 100,000 minimal sub-tables outside of the release.
#' @section Guarantee: Exact. Sub-tables found by `risk` are certainly unreleasable: proved by
#'   bounds that are exact, or too wide.
#' @section Complexity: 2^K bytes and K 2^K steps up to 25 variables (by level up to some 10^6
#'   sub-tables). Beyond, nothing is laid out: the sub-tables are counted through the intersections
#'   of the frontier's.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' space <- sub_tables(czech_workers, list(c("B", "F"), c("A", "B", "C", "E"), ~ A + D + E))
#' space
#' head(as.data.frame(space))
#' sub_tables(paste0("v", 1:40), released = list(c("v1", "v2", "v3"), c("v3", "v40")))
#'
#' # by level: the age by decades lies below the age by years
#' ages <- c("19" = "10-19", "21" = "20-29", "25" = "20-29")
#' people <- data.frame(age = rep(names(ages), c(3, 2, 4)), sex = rep(c("f", "m", "m"), 3))
#' x <- level_table(sdc_table(people, c("age", "sex"), hierarchies = list(age = ages)))
#' as.data.frame(sub_tables(x, released = "age@level 1:sex"))
sub_tables <- function(x, released = NULL, unreleasable = NULL, risk = NULL, max_variables = 8,
                       time_limit_s = 10) {
  check_given(x)
  check_whole(max_variables, min = 1, max = 25)
  known <- known_space(x)
  if (length(known$variables) == 0) {
    abort_sdc("input", c("{.arg x} must have variables.", x = "It has none."))
  }
  direct <- given_sets(released %||% known$released, known, "released")
  above <- given_sets(unreleasable %||% known$unreleasable, known, "unreleasable")
  undecided <- list()
  if (!is.null(risk)) {
    found <- find_unreleasable(known$table %||% x, direct, risk, max_variables, time_limit_s)
    above <- c(above, found$unreleasable)
    undecided <- found$undecided
  }
  new_sub_tables(known, direct, minimal_sets(above), undecided)
}

# What an object knows of its query space: `variables` and, by level, their `steps`; `released` and
# `unreleasable`, sub-tables by the names of their variables; `table`, what is asked for risk
# instead of the object.
known_space <- function(x) UseMethod("known_space")

#' @export
known_space.default <- function(x) {
  x <- table_argument(x, "x")
  list(variables = names(x$dimnames), steps = table_steps(x))
}

#' @export
known_space.character <- function(x) {
  check_names_given(x, "x")
  list(variables = x)
}

#' @export
known_space.sdc_release <- function(x) known_release(x$problem, x$sets)

#' @export
known_space.sdc_release_publication <- function(x) known_release(publication_space(x), x$sets)

known_release <- function(problem, sets) {
  variables <- problem$variables
  list(variables = variables, steps = problem$steps,
       released = lapply(sets, function(set) variables[set]))
}

# `space`: list(variables, steps). Without levels there may be more than 64 variables.
new_sub_tables <- function(space, direct, unreleasable, undecided = list()) {
  frontier <- order_sets(maximal_sets(direct))
  for (set in unreleasable) {
    if (length(set) == 0 || is_inside(set, frontier)) {
      abort_sdc("input", c(
        "A sub-table must not be both released and unreleasable.",
        x = "{.val {labels_in(space, list(set))}} is."
      ))
    }
  }
  # the grand total belongs to every release
  held <- c(list(integer()), frontier)
  k <- length(space$variables)
  flat <- is.null(space$steps)
  total <- if (flat) choose(k, 0:k) else all_sets(space)
  below <- if (flat) with_core(cpp_count_below(k, held)) else count_inside(space, held)
  above <- count_above(space, unreleasable)
  out <- list(
    variables = space$variables, direct = direct, released = frontier,
    unreleasable = order_sets(unreleasable), undecided = undecided,
    outside = outside_of(space, held),
    by_dimension = data.frame(dimension = seq_along(total) - 1L, total = total, released = below,
                              unreleasable = above, open = total - below - above)
  )
  out$steps <- space$steps
  structure(out, class = sdc_class("sdc_sub_tables"))
}

# How many sub-tables of each dimension hold one of the sets. Without levels their complements lie
# inside one of the sets' complements.
count_above <- function(space, sets) {
  k <- length(space$variables)
  if (!is.null(space$steps)) {
    return(with_core(cpp_count_above(level_counts(space$steps, k), sets)))
  }
  if (length(sets) == 0) {
    return(numeric(k + 1))
  }
  rev(with_core(cpp_count_below(k, lapply(sets, function(set) setdiff(seq_len(k), set)))))
}

# The minimal sub-tables that lie in none of `held`. By level each has the coarser levels of some
# steps that lie in none, and is minimal among such.
outside_of <- function(space, held) {
  found <- with_core(cpp_minimal_outside(length(space$variables), held, 1e5))
  if (is.null(space$steps)) {
    return(found)
  }
  minimal_sets(unique(lapply(found, close_set, steps = space$steps)))
}

#' Look at the sub-tables of a table
#'
#' @param x,object (sdc_sub_tables) The query space.
#' @param type (string) The picture: `"lattice"`, all sub-tables by dimension (the report's
#'   Figure 1), up to 12 variables; `"frontier"`, the maximal released sub-tables as rows of crosses
#'   (Figure 4); `"graph"`, the independence graph with the maximal sub-tables (Figure 5);
#'   `"tree"`, the clique tree of decomposable sub-tables, with its separators; `"dimension"`, how
#'   many of each dimension. By level not `"graph"` and `"tree"`, and the lattice has a row for each
#'   number of levels.
#' @param labels (flag) For `as.data.frame()`: write the labels? By default up to 16 variables.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @return
#' * `as.data.frame()`: a row for each of the 2^K sub-tables, in the order of their masks: `mask`
#'   (variable v counts 2^(v - 1)), `sub_table` (with `labels`), `dimension`, `state` (`"direct"`,
#'   `"indirect"`, `"unreleasable"` or `"open"`) and `frontier` (on one of the two frontiers?).
#'   Up to 25 variables. By level the bits of a mask are levels, and there is a row for each
#'   sub-table that holds with a level the coarser ones.
#' * `summary()`: an object that prints as the report's Table 1, after the released frontier as rows
#'   of crosses. `as.matrix()`: that frontier as a logical matrix, a column for each variable.
#' * `autoplot()`: a ggplot object, which `plot()` draws and returns invisibly.
#' @section Errors: `sdc_error_too_large` for more variables than a listing or picture can have.
#' @family release
#' @name sub_tables-methods
#' @examples
#' space <- sub_tables(czech_workers, released = c("B:F", "A:B:C:E", "A:D:E"),
#'                     unreleasable = "C:D")
#' summary(space)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(space)
#' plot(space, "frontier")
#' plot(space, "graph")
NULL

#' @rdname sub_tables-methods
#' @export
format.sdc_sub_tables <- function(x, ...) {
  sums <- colSums(x$by_dimension[-1, -1, drop = FALSE])
  line <- function(what, sets) {
    if (length(sets) > 0) {
      paste0(what, ": ", frontier_words(labels_in(x, sets)))
    }
  }
  c(
    paste0(plural(nrow(x$by_dimension) - 1, "variable"), ", ", plural(sums[["total"]], "sub-table"),
           " (the empty one not counted): ", format_count(sums[["released"]]),
           " released, ", format_count(sums[["unreleasable"]]), " unreleasable, ",
           format_count(sums[["open"]]), " open"),
    line("released frontier", x$released),
    line("unreleasable frontier", x$unreleasable),
    line("undecided", x$undecided)
  )
}

#' @rdname sub_tables-methods
#' @export
summary.sdc_sub_tables <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(header = format(object), crosses = as.matrix(object),
         by_dimension = dimension_table(object$by_dimension$released, object$by_dimension$total)),
    class = sdc_class("sdc_sub_tables_summary")
  )
}

#' @export
format.sdc_sub_tables_summary <- function(x, ...) x$header

#' @export
print.sdc_sub_tables_summary <- print.sdc_release_summary

#' @rdname sub_tables-methods
#' @export
as.matrix.sdc_sub_tables <- function(x, ...) {
  check_no_dots(...)
  frontier_matrix(x$released, x$variables, x$steps)
}

#' @rdname sub_tables-methods
#' @export
as.data.frame.sdc_sub_tables <- function(x, row.names = NULL, optional = FALSE, ...,
                                         labels = length(x$variables) <= 16,
                                         stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(labels)
  k <- length(x$variables)
  check_enumerable(k, x$steps)
  mask <- closed_masks(x$steps, k)
  held <- masks_held(mask, k, x$steps, c(list(integer()), x$released), x$unreleasable)
  held[mask %in% as.integer(set_masks(x$direct))] <- 3L
  out <- list(mask = mask)
  if (labels) out$sub_table <- mask_labels(mask, x$variables, x$steps)
  out$dimension <- count_held(mask, first_steps(x$steps, k))
  out$state <- factor(c("open", "indirect", "unreleasable", "direct")[held + 1L],
                      c("direct", "indirect", "unreleasable", "open"))
  out$frontier <- mask %in% set_masks(c(x$released, x$unreleasable))
  list2data_frame(out, length(mask))
}

# The minimal sub-tables that may not be released any more. By size, so that those above one that is
# found need not be judged.
find_unreleasable <- function(x, direct, risk, max_variables, time_limit_s) {
  if (inherits(x, "sdc_release")) x <- x$problem$magnitude %||% x$problem$x
  problem <- bare_problem(x, risk)
  k <- length(problem$variables)
  if (k > max_variables) {
    abort_sdc("too_large", c(
      "{.arg risk} is asked of all sub-tables of at most {max_variables} variables, levels
       counted.",
      x = "The table has {k}.",
      i = "Name those that you know in {.arg unreleasable}, or raise {.arg max_variables}."
    ))
  }
  candidates <- mask_sets(closed_masks(problem$steps, k)[-1], k)
  found <- list(unreleasable = list(), undecided = list())
  known <- c(direct, shown_sets(problem$steps))
  for (set in candidates[!are_inside(candidates, direct)]) {
    if (holds_any(set, c(found$unreleasable, found$undecided))) next
    answer <- judge_addition(problem, known, set, time_limit_s)
    if (answer != "safe") found[[answer]] <- c(found[[answer]], list(set))
  }
  found
}

judge_addition <- function(problem, direct, set, time_limit_s) {
  if (!is_safe_alone(problem, set)) {
    return("unreleasable")
  }
  if (!inherits(problem$risk, "sdc_risk_width")) {
    return("safe")
  }
  named <- names_in(problem, maximal_sets(c(direct, list(set))))
  found <- width(named, problem$x, problem$risk, time_limit_s = time_limit_s)
  beta <- problem$risk$beta
  if (found$outer < beta) "unreleasable" else if (found$inner >= beta) "safe" else "undecided"
}
