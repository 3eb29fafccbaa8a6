# Ways to protect a table, as objects: what compare_methods() runs side by side.

#' Ways to protect a table
#'
#' Each of these functions describes one way to protect a table of counts, for [compare_methods()].
#'
#' * `method_margins()`: release of margins only; see [estimate_table()].
#' * `method_release()`: the sub-tables that a method such as [release_greedy()] chooses, published.
#' * `method_suppression()`: [suppress()], with the margins of the table released around the holes.
#' * `method_rounding()`: [round_controlled()], or [round_small()] as method `"small"`.
#' * `method_cyclic()`: [perturb()] by a [mechanism()].
#' * `method_redistribution()`: [redistribute()] of a map of hexagons.
#' * `method_cell_key()`: the cell key method of package cellKey, which must be installed.
#'
#' @param sets (list of character vectors, or `NULL`) The variables of each released margin. `NULL`:
#'   all margins without one of the variables.
#' @param risk (sdc_release_risk) When sub-tables are safe to release; see [risk_width()].
#' @param choose (function) What chooses sub-tables: [release_greedy()], [release_exact()],
#'   [release_anneal()] or [release_reducible()]. `...` are its further arguments.
#' @param base (whole number from 1 to 1e9) The base of rounding.
#' @param method (string) `"stochastic"` or `"nearest"`, see [round_controlled()], or `"small"`, see
#'   [round_small()].
#' @param reader (string) What the intruder uses of a rounded table: `"procedure"` or `"intervals"`;
#'   see [posterior_rounding()]. Where the table is rounded by a solver, whose choice among equals
#'   is not known, it is `"intervals"` all the same.
#' @param mechanism (sdc_mechanism, or `NULL`) A mechanism for the table. `NULL`: triads of cycles
#'   ([cycles_banded()]) for two-way tables, [cycles_margin()] for others, with `alpha`, `beta`,
#'   `covers`.
#' @param alpha,beta,covers As in [mechanism()]; not used when a `mechanism` is given.
#' @param maxN,... As in [suppress()], and further arguments of it, such as `pattern` or `method`.
#'   Exposed cells do not stop a comparison: it shows them.
#' @param threshold As in [redistribute.sdc_hex()], where `...` takes its further arguments.
#' @param D,V (numbers) Largest change and variance of the cell key noise, as in package ptable.
#' @param label (string, or `NULL`) What the comparison calls the method.
#' @return An object of class `sdc_method`.
#' @section Errors: `sdc_error_input` for arguments that no table could take.
#' @family compare
#' @name methods
#' @examples
#' # a method does nothing by itself: compare_methods() runs it on a table
#' methods <- list(method_margins(), method_rounding(3), method_cyclic())
#' found <- summary(compare_methods(roehrig, methods, replicates = 3))
#' # released margins show no cell (withheld: 1), so a user must estimate them all; the two others
#' # change each count a little, and an intruder guesses small ones more easily
#' found[found$measure %in% c("guess_small", "abs_change", "withheld"), ]
#' # arguments are those of the function that the method calls; the label names it in the result
#' method_cyclic(covers = 2, label = "two covers")
#' @examplesIf requireNamespace("cellKey", quietly = TRUE)
#' # the cell key method changes each number by itself: totals then differ from their cells
#' keyed <- compare_methods(roehrig, list(method_cell_key(D = 3, V = 2)), replicates = 3)
#' summary(keyed)[summary(keyed)$measure == "additivity", ]
NULL

# `random`: does each run give another publication? `run(x, map, seed)` gives a public object
# of a table, or of the map of which it is the table.
new_method <- function(kind, label, random, run, ...) {
  structure(
    list(label = label, random = random, run = run, ...),
    class = sdc_class("sdc_method", paste0("sdc_method_", kind))
  )
}

method_label <- function(label, otherwise) {
  if (is.null(label)) {
    return(otherwise)
  }
  check_string(label)
  if (grepl("[[:cntrl:]]", label) || label %in% c("measure", "kind")) {
    abort_sdc("input", c(
      "{.arg label} must be one line, and neither {.val measure} nor {.val kind}.",
      x = "{.arg label} is {encodeString(label, quote = '\"')}."
    ))
  }
  label
}

#' @rdname methods
#' @export
method_margins <- function(sets = NULL, label = NULL) {
  if (!is.null(sets) && (!is.list(sets) || length(sets) == 0)) {
    abort_sdc("input", c(
      "{.arg sets} must be a list with the variables of each margin, or NULL.",
      x = if (is.list(sets)) "{.arg sets} is empty.",
      x = if (!is.list(sets)) "{.arg sets} is {.obj_type_friendly {sets}}."
    ))
  }
  run <- function(x, map, seed) publish_quietly(margins(x, sets %||% largest_margins(x)))
  new_method("margins", method_label(label, "margins only"), FALSE, run)
}

# All margins without one of the variables.
largest_margins <- function(x) {
  variables <- names(dimnames(x))
  lapply(seq_along(variables), function(v) variables[-v])
}

#' @rdname methods
#' @export
method_release <- function(risk = risk_width(3), choose = release_greedy, ..., label = NULL) {
  check_release_risk(risk, "width")
  if (!is.function(choose)) {
    abort_sdc("input", c(
      "{.arg choose} must be a function that chooses sub-tables, such as {.fn release_greedy}.",
      x = "{.arg choose} is {.obj_type_friendly {choose}}."
    ))
  }
  more <- list(...)
  check_no_more(more, c("x", "risk"))
  run <- function(x, map, seed) margins(publish_quietly(do.call(choose, c(list(x, risk), more))))
  words <- paste("sub-tables of width", format_count(risk$beta))
  new_method("release", method_label(label, words), FALSE, run)
}

#' @rdname methods
#' @export
method_suppression <- function(maxN = 2, ..., label = NULL) {
  check_whole(maxN, min = 0, max = 2^53)
  more <- list(...)
  check_no_more(more, c("x", "audit"))
  # nothing of a frame but which cells it hides
  if (is.data.frame(more$pattern)) more$pattern$freq <- NULL
  run <- function(x, map, seed) {
    publish(do.call(suppress, c(list(x, maxN = maxN, audit = FALSE), more)), insist = TRUE)
  }
  new_method("suppression", method_label(label, paste("suppression up to", maxN)), FALSE, run)
}

# Arguments that the comparison sets itself.
check_no_more <- function(more, own) {
  taken <- intersect(names(more), own)
  if (length(taken) > 0) {
    abort_sdc("input", c(
      "{.arg ...} must hold further arguments of the method.",
      x = "The comparison itself sets {.arg {taken}}."
    ))
  }
}

#' @rdname methods
#' @export
method_rounding <- function(base = 3, method = c("stochastic", "nearest", "small"),
                            reader = c("procedure", "intervals"), label = NULL) {
  check_whole(base, min = 1, max = 1e9)
  method <- check_choice(method, c("stochastic", "nearest", "small"))
  reader <- check_choice(reader, c("procedure", "intervals"))
  random <- method == "stochastic"
  run <- function(x, map, seed) {
    rounded <- if (method == "small") {
      round_small(x, base)
    } else {
      round_controlled(x, base, method, seed = if (random) seed)
    }
    publish(rounded, insist = TRUE)
  }
  kind <- c(stochastic = "", nearest = "nearest ", small = "small-count ")[[method]]
  words <- paste0(kind, "rounding to ", format_count(base))
  new_method("rounding", method_label(label, words), random, run, reader = reader)
}

#' @rdname methods
#' @export
method_cyclic <- function(mechanism = NULL, alpha = .25, beta = alpha, covers = 1, label = NULL) {
  if (!is.null(mechanism)) check_class(mechanism, "sdc_mechanism", make = "mechanism")
  check_number(alpha, min = 0, max = 1)
  check_number(beta, min = 0, max = 1)
  if (alpha + beta > 1) {
    abort_sdc("input", c(
      "{.arg alpha} and {.arg beta} must not add up to more than 1.",
      x = "They add up to {format(alpha + beta)}."
    ))
  }
  check_whole(covers, min = 1, max = 1e6)
  run <- function(x, map, seed) {
    me <- mechanism %||% usual_mechanism(x, alpha, beta, covers)
    publish(perturb(x, me, seed = seed, insist = TRUE), insist = TRUE)
  }
  words <- paste0("cyclic perturbation, ", plural(mechanism$covers %||% covers, "cover"))
  new_method("cyclic", method_label(label, words), TRUE, run)
}

# The seed only shuffles lines, and is published with the set.
usual_mechanism <- function(x, alpha, beta, covers) {
  two_way <- length(dimnames(x)) == 2
  set <- if (two_way) cycles_banded(x, seed = 1) else cycles_margin(x)
  mechanism(set, alpha, beta, covers)
}

#' @rdname methods
#' @export
method_redistribution <- function(threshold = 3, ..., label = NULL) {
  check_threshold(threshold)
  more <- list(...)
  check_no_more(more, c("x", "progress"))
  run <- function(x, map, seed) {
    if (is.null(map)) {
      abort_sdc("input", c(
        "Redistribution is for maps of hexagons.", x = "This is a table.",
        i = "Make a map with {.fn hex_table}."
      ))
    }
    withCallingHandlers(
      publish_quietly(do.call(redistribute, c(list(map, threshold), more, list(progress = FALSE)))),
      sdc_warning_bounds = function(cnd) rlang::cnd_muffle(cnd)
    )
  }
  words <- paste0(more$method %||% "optimal", " redistribution to ", format_count(threshold))
  new_method("redistribution", method_label(label, words), FALSE, run)
}

#' @export
format.sdc_method <- function(x, ...) {
  paste0(x$label, if (x$random) " (random)")
}

# For what is compared, and does not leave.
publish_quietly <- function(...) {
  said <- alone_said$once
  on.exit(alone_said$once <- said)
  alone_said$once <- TRUE
  publish(...)
}
