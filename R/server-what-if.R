# What a release would do, for operators.

#' What releasing a sub-table would do
#'
#' For operators: which sub-tables would be released with one, and which would become unreleasable,
#' as the report's Figure 1 shows it. Nothing is written and nothing is released.
#'
#' @inheritParams request_table
#' @param time_limit_s (number, seconds of processor time) For each judgement.
#' @return An object of class `sdc_what_if`, which is **private**: a list with `variables`,
#'   `verdict` on its risk (`"certified"`, `"refuted"`, `"undecided"`, or `"released"` when it is
#'   out; the rule may refuse it all the same), `how`,
#'   `released` (labels of the sub-tables that would be out and are not), `unreleasable` (labels of
#'   the minimal sub-tables that would then be certainly too risky and are not now), `among` (which
#'   sub-tables were looked at for that: `"all"`, or in large tables `"one step"`, those that would
#'   be eligible), `before` and `after` (the query space as [sub_tables()] has it).
#'
#'   `autoplot()` draws the lattice after the release, up to 12 variables, levels counted; `plot()`
#'   shows it.
#' @section Errors: `sdc_error_input` for unknown variables.
#' @section Guarantee: `certified` and `refuted` are proved, each sub-table as [request_table()]
#'   would be told. `unreleasable` is a part of the truth: each is proved, and there may be more,
#'   for which the time did not suffice.
#' @section Complexity: Up to 8 variables, levels counted, all sub-tables are judged, at most 256;
#'   beyond, those that one step leads to.
#' @template ref-releases
#' @family server
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' server <- table_server(czech_workers, server_policy(risk_width(6), rule = "myopic"))
#' what_if(server, c("A", "B", "C"))
#' close(server)
what_if <- function(server, variables, time_limit_s = 1) {
  check_server(server)
  set <- one_set(server, variables)
  check_number(time_limit_s, min = 0)
  refresh_server(server)
  now <- server$now <- with_plan(server, server$now)
  out <- is_released(server, set)
  found <- if (out) list(verdict = "released", how = "it is out") else judge_risk(server, now, set)
  small <- length(server$variables) <= 8 &&
    inherits(server$problem$risk, "sdc_risk_width")
  closed <- if (small) unreleasable_sets(server, set, time_limit_s) else
    closed_one_step(server, set)
  new_what_if(server, set, found, closed, if (small) "all" else "one step")
}

# Minimal unreleasable sets, now and with one more release: `before`, `after`.
unreleasable_sets <- function(server, set, time_limit_s) {
  find <- function(direct) {
    find_unreleasable(server$problem$x, direct, server$problem$risk, 8, time_limit_s)$unreleasable
  }
  frontier <- server_frontier(server)
  list(before = find(frontier), after = find(maximal_sets(c(frontier, list(set)))))
}

# Those that are known, and candidates that would be closed.
closed_one_step <- function(server, set) {
  before <- server$now$refused
  list(before = before, after = minimal_sets(c(before, newly_closed(server, server$now, set))))
}

new_what_if <- function(server, set, found, closed, among) {
  frontier <- server_frontier(server)
  inside <- unique(lapply(sets_inside(set), close_set, steps = server$steps))
  released <- inside[!vapply(inside, is_released, NA, server = server)]
  unreleasable <- closed$after[!vapply(closed$after, holds_any, NA, sets = closed$before)]
  labels <- function(sets) set_labels(sets, server$variables, server$steps)
  space <- function(direct, above) {
    above <- above[!vapply(above, is_inside, NA, sets = direct)]
    new_sub_tables(list(variables = server$variables, steps = server$steps), direct, above)
  }
  structure(
    list(
      variables = set_variables(server, set), verdict = found$verdict, how = found$how,
      released = labels(released), unreleasable = labels(unreleasable), among = among,
      before = space(frontier, closed$before),
      after = space(maximal_sets(c(frontier, list(set))), closed$after)
    ),
    class = sdc_class("sdc_what_if", mark = "private")
  )
}

sets_inside <- function(set) {
  unlist(lapply(seq_along(set), function(n) {
    lapply(utils::combn(length(set), n, simplify = FALSE), function(at) set[at])
  }), recursive = FALSE)
}

#' @export
format.sdc_what_if <- function(x, ...) {
  list_words <- function(labels) {
    if (length(labels) == 0) "none" else
      paste0(format_count(length(labels)), ": ", frontier_words(labels))
  }
  c(
    paste0(margin_label(x$variables), ": ", x$verdict, " (", x$how, ")"),
    paste0("would be released with it: ", list_words(x$released)),
    paste0("would become unreleasable",
           if (x$among != "all") " (among those one step away)", ": ", list_words(x$unreleasable))
  )
}

#' @rdname what_if
#' @param object (sdc_what_if) What was found.
#' @param ... Not used.
#' @usage \method{autoplot}{sdc_what_if}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_what_if <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw")
  picture <- draw_lattice(object$after)
  before <- as.character(as.data.frame(object$before)$state)
  after <- as.character(picture$data$state)
  group <- function(state) ifelse(state %in% c("direct", "indirect"), "out", state)
  changed <- picture$data[group(before) != group(after), ]
  picture + ggplot2::geom_point(data = changed, shape = 1, size = 7) +
    ggplot2::labs(title = paste("With", margin_label(object$variables)),
                  subtitle = "rings: what the release would change")
}
