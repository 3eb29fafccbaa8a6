# explain(): an object, or one of its cells, in words.

#' Explain a result, or one of its cells, in plain words
#'
#' `explain(x)` says what an object is, what its main figures mean and what follows from them.
#' `explain(x, cell)` says of one cell which rule fired, why it was changed or withheld, and from
#' which published numbers its interval follows.
#'
#' @details The explanation of a **private** object ([perturb()], [round_controlled()],
#' [suppress()], [redistribute()], a release, a server) holds confidential counts or figures that
#' were computed from them: the print says so. The explanation of a **public** object (margins,
#' bounds, publications, posteriors) says what any reader can work out.
#'
#' All classes have an explanation as a whole. Cell by cell `explain()` answers for tables, margins,
#' constraints, bounds, laws over a fibre, estimates, cycles, mechanisms, risks, perturbed, rounded,
#' suppressed and redistributed tables, their publications and posteriors, and the cells that
#' [sensitive()] judged.
#'
#' dplyr has an `explain()` too. When it is attached later it masks this one, and both give the same
#' for results of this package; `explain_cell()` is the same function under a name that nobody
#' masks.
#'
#' Intervals are explained by the published sums that give them: for each end a margin, a chain of
#' margins, or a row of the [constraints()] with what the other cells leave; where no single sum
#' does it, the words say that several together do. Bounds with certificates
#' (`bounds_margins(certificates = TRUE)`) say which ones: the sums that are added, those that are
#' taken off, and what they leave.
#'
#' @param x Any result of the package. With `cell`: what [margins()], [constraints()],
#'   [bounds_margins()], [fibre_distribution()] and [estimate_table()] return, tables, cycles,
#'   mechanisms and risks, what a method returns and what [publish()] makes of it, posteriors, maps,
#'   and what [sensitive()] returns for magnitudes.
#' @param cell (whole number, matrix with one row of level numbers, data frame with one row of
#'   labels, or named list or vector of labels; or `NULL`) The cell:
#'   `list(row = "1", column = "2")`. Labels may also name a published total, of tables with trees
#'   or crossings, of cycles, and of perturbed and suppressed tables. For maps a number, or a data
#'   frame or list with `q` and `r`.
#'   `NULL`: the whole object.
#' @param without (flag) Of a secondary cell of a certified suppression: what would follow if it
#'   were published? It takes two more searches: of certificates within the same pattern without it,
#'   and of the cheapest pattern without it.
#' @param time_limit_s (number >= 0, seconds of processor time) When these searches stop, together.
#' @param ... Not used.
#' @return An object of class `sdc_explanation`: `as.character()` gives its sentences, `print()`
#'   shows them; `x$private` says whether they hold what is confidential.
#' @section Errors: `sdc_error_input` when `cell` is not one cell of the table, when `x` has nothing
#'   to say about one cell, or is no object of this package.
#' @section Complexity: That of the bounds of one cell, where these must be computed.
#' @family compare
#' @export
#' @examples
#' # the release as a whole, then one cell of it
#' release <- margins(roehrig, list("row", "column"))
#' explain(release)
#' explain(release, cell = 2)
#' explain(bounds_margins(release), data.frame(row = 2, column = 4))
#' # what a design of perturbation does, and what it did to the first cell
#' me <- mechanism(cycles_banded(roehrig, seed = 11), covers = 2)
#' explain(me)
#' explain(perturb(roehrig, me, seed = 1, insist = TRUE), cell = 1)
#' # a rounded count, to the agency and to a reader
#' ro <- round_controlled(roehrig, base = 3, seed = 1)
#' explain(ro, cell = list(row = "3", column = "1"))
#' explain(publish(ro, insist = TRUE), cell = 3)
#' # a suppressed count, and the sums from which it can be bounded
#' hidden <- roehrig < 0
#' hidden[c(1, 4), c(2, 4)] <- TRUE
#' explain(suppress(roehrig, maxN = 1, pattern = hidden), cell = 13)
#' # a primary cell with its certificates, and whether a secondary one is worth its price
#' su <- suppress(roehrig, maxN = 2, method = "certified", seed = 1)
#' explain(su, list(row = "1", column = "2"))
#' explain(su, list(row = "4", column = "2"), without = TRUE)
explain <- function(x, cell = NULL, ...) {
  check_given(x)
  UseMethod("explain")
}

#' @rdname explain
#' @export
explain_cell <- function(x, cell = NULL, ...) {
  check_given(x)
  explain(x, cell, ...)
}

# For those who attached dplyr later: its generic finds the same methods.
#' @rawNamespace
#' S3method(dplyr::explain, sdc_object)
#' S3method(dplyr::explain, sdc_suppression)
NULL

#' @export
explain.default <- function(x, cell = NULL, ...) {
  abort_sdc("input", c(
    "{.arg x} must be an object that a function of this package returned.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Give a table, margins, bounds, a posterior, a release, a publication, or another result."
  ))
}

#' @rdname explain
#' @export
explain.sdc_object <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  tell <- method_of_class("cell_story", x)
  if (is.null(tell)) {
    abort_sdc("input", c(
      "{.fn explain} can say something about one cell of tables, bounds, laws, cycles, results of
       methods, publications and posteriors.",
      x = "{.arg x} is an object of class {.cls {class(x)[1]}}.",
      i = "{.code explain(x)} explains the whole object."
    ))
  }
  tell(x, cell)
}

# What a class says of an object stands in a function story.<class>(x), which returns sentences;
# what it says of a cell in cell_story.<class>(x, cell), which returns an explanation.
method_of_class <- function(generic, x) {
  Find(Negate(is.null), lapply(class(x), function(class) own_method(generic, class)))
}

explain_object <- function(x) {
  tell <- method_of_class("story", x) %||% story_figures
  new_explanation(object_name(x), unname(tell(x)), is_private(x))
}

# What has no sentences of its own, such as a summary, is explained by the figures that it shows.
story_figures <- function(x) {
  values <- if (is.list(x)) c(x$widths, x$totals)
  c(
    if (grepl("summary", class(x)[1])) "These are the main figures of an object; explain() of the
      object itself says what follows from them.",
    sub("^ *(<[^>]*>)? *", "", format(x)),
    if (is.numeric(values) && length(values) == 5) {
      paste0("Least, quartiles and largest: ", paste(format_number(values), collapse = ", "), ".")
    }
  )
}

new_explanation <- function(where, lines, private) {
  structure(
    list(where = where, lines = gsub("\\s+", " ", lines), private = private),
    class = sdc_class("sdc_explanation", mark = if (private) "confidential")
  )
}

#' @export
as.character.sdc_explanation <- function(x, ...) x$lines

#' @export
format.sdc_explanation <- function(x, ...) {
  text <- strwrap(x$lines, min(96, getOption("width") - 2), exdent = 2)
  c(paste0(x$where, if (x$private) " (CONFIDENTIAL)"), paste0("  ", text))
}

#' @export
print.sdc_explanation <- function(x, ...) {
  cat("<sdc_explanation> ", paste0(format(x), "\n"), sep = "")
  invisible(x)
}

# ---- which cell is meant ------------------------------------------------------------------------

# Of an object with a table of these `dimnames`: `one(at)` says what there is to say of a cell, and
# `total(cells)`, where it is given, of a published total of these cells. `closed`: does nothing
# come of a cell that no crossing publishes?
explain_one <- function(x, cell, dimnames, one, total = NULL, layout = NULL, closed = FALSE) {
  codes <- if (!is.null(total)) total_nodes(cell, dimnames, layout)
  if (!is.null(codes)) {
    return(explain_total(codes, dimnames, layout, is_private(x), total))
  }
  at <- one_cell(cell, dimnames)
  open <- !closed || is.null(layout$crossings) ||
    is_published(laid_out_shape(dimnames, layout), split_codes(at, lengths(dimnames, FALSE)))
  lines <- if (open) one(at) else "No crossing of the table publishes this cell."
  new_explanation(cell_words(at, dimnames), lines, is_private(x))
}

# The nodes of a cell that is given by labels, one of which is no level; NULL for anything else.
total_nodes <- function(cell, dimnames, layout) {
  cell <- as_cell(cell)
  if (is.null(layout) || !is.data.frame(cell) || nrow(cell) != 1 ||
      !setequal(names(cell), names(dimnames))) {
    return(NULL)
  }
  labels <- node_labels(laid_out_shape(dimnames, layout))
  codes <- Map(function(v, nodes) match(as.character(cell[[v]]), nodes), names(labels), labels)
  if (anyNA(codes) || all(unlist(codes) <= lengths(dimnames))) NULL else codes
}

explain_total <- function(codes, dimnames, layout, private, total) {
  like <- laid_out_shape(dimnames, layout)
  labels <- node_labels(like)
  where <- paste(names(labels), Map(`[`, labels, codes), collapse = ", ")
  if (!is_published(like, codes)) {
    return(new_explanation(where, "No crossing of the table publishes this total.", private))
  }
  held <- Map(function(levels, totals, code) {
    n <- length(levels)
    if (code <= n) code else totals[[code - n]]
  }, dimnames, table_totals(like), codes)
  cells <- combine_codes(unname(as.list(expand.grid(held))), lengths(dimnames, FALSE),
                         prod(lengths(held)))
  new_explanation(where, c(say("A total over {length(cells)} cell{?s}."), total(cells)), private)
}

# By its number among the rows, or by the labels of its variables.
one_row <- function(cell, x, variables = judged_variables(x)) {
  check_given(cell, "cell")
  given <- cell <- as_cell(cell)
  if (is.data.frame(cell) && nrow(cell) == 1 && all(variables %in% names(cell))) {
    cell <- match_row(cell, x, variables)
  }
  if (is.numeric(cell) && length(cell) == 1 && cell %in% seq_len(nrow(x))) {
    return(as.integer(cell))
  }
  abort_sdc("input", c(
    "{.arg cell} must be the number of one row of {.arg x}, from 1 to {nrow(x)}, or a data frame
     with one row of labels.",
    x = "{cell_fault(given)}"
  ))
}

cell_fault <- function(cell) {
  if (!is.data.frame(cell)) {
    return(describe(cell))
  }
  say(if (nrow(cell) != 1) "`cell` has {nrow(cell)} row{?s}." else
    "No cell has the labels in `cell`, or a column of them is missing.")
}

row_label <- function(x, at, variables = judged_variables(x)) {
  values <- vapply(variables, function(v) as.character(x[[v]][at]), "")
  if (length(variables) == 0) "the grand total" else paste(variables, values, collapse = ", ")
}

# The row of a frame that has the labels of another frame's row; NA when there is none.
match_row <- function(row, frame, variables) {
  same <- lapply(variables, function(v) as.character(frame[[v]]) == as.character(row[[v]]))
  which(Reduce(`&`, same, rep(TRUE, nrow(frame))))[1]
}

# ---- words --------------------------------------------------------------------------------------

interval_words <- function(lower, upper) {
  if (lower == upper) {
    return(paste("exactly", format_count(lower)))
  }
  if (lower == -Inf && upper == Inf) {
    return("without any limit")
  }
  from <- format_count(lower)
  if (upper == Inf) paste("at least", from) else paste("from", from, "to", format_count(upper))
}

# What is probable of a count. `s`: the row of the summary of a posterior.
law_words <- function(s) {
  say("{interval_words(s$lower, s$upper)}, most probably {s$mode} (probability
       {format(s$p_mode, digits = 3)}), on average {format_mean(s$mean)}")
}

drawn_words <- function(x) {
  say("These figures come from {x$draws} draws: counts that none of them had are possible too.")
}

share_words <- function(x) format(signif(x, 3))

# ---- names --------------------------------------------------------------------------------------

# "a set of cycles", where the class has a name in words.
object_name <- function(x) {
  known <- intersect(class(x), names(object_names))
  if (length(known) > 0) object_names[[known[1]]] else paste("an object of class", class(x)[1])
}

object_names <- c(
  sdc_table = "a table of counts", sdc_margins = "released margins",
  sdc_constraints = "constraints on a table", sdc_intervals = "intervals around published counts",
  sdc_bounds = "bounds of cells", sdc_bounds_certificates = "certificates of bounds",
  sdc_bounds_verification = "the check of bounds", sdc_disclosed = "disclosed cells",
  sdc_count = "a number of tables", sdc_count_estimate = "an estimated number of tables",
  sdc_fibre = "laws of cells over a fibre", sdc_tables = "tables of a fibre",
  sdc_estimate = "an estimated table", sdc_conditionals = "released rates",
  sdc_cycles = "a set of cycles", sdc_mechanism = "a mechanism of cyclic perturbation",
  sdc_perturbation = "a perturbed table", sdc_publication = "a published perturbed table",
  sdc_posterior = "a posterior", sdc_prior = "a prior", sdc_readers = "readers compared",
  sdc_risk = "risk and utility of a design", sdc_tuning = "designs compared",
  sdc_protection = "expected protection", sdc_rounding = "a rounded table",
  sdc_rounded_publication = "a published rounded table",
  sdc_rounding_posterior = "a posterior of a rounded table",
  sdc_suppression = "a table with suppressed cells",
  sdc_suppressed = "a published table with suppressed cells",
  sdc_suppression_audit = "an audit of a suppression",
  sdc_years_audit = "an audit of two years of a suppressed table",
  sdc_suppression_verification = "the check of a suppression",
  sdc_tau_argus = "cells of files of tau-ARGUS", sdc_comparison = "methods compared",
  sdc_method = "a method of protection", sdc_hex = "a map of hexagons",
  sdc_hex_redistribution = "a redistributed map", sdc_hex_publication = "a published map",
  sdc_hex_risk = "risk and utility of a map", sdc_hex_attack = "an attack on a map",
  sdc_magnitude = "a magnitude table", sdc_weighted = "a table of weighted counts",
  sdc_rules = "sensitivity rules",
  sdc_sensitivity = "judged cells of a magnitude table",
  sdc_magnitude_redistribution = "redistributed magnitudes",
  sdc_magnitude_publication = "published magnitudes",
  sdc_magnitude_audit = "an audit of redistributed magnitudes",
  sdc_release = "a chosen release", sdc_release_publication = "a published release",
  sdc_release_risk = "a rule for releases", sdc_release_utility = "the worth of a release",
  sdc_release_structure = "the structure of a release",
  sdc_release_verification = "the check of a release", sdc_certificates = "certificates",
  sdc_sub_tables = "the space of sub-tables", sdc_critical_widths = "critical widths",
  sdc_width = "the width of a release", sdc_server = "a table server",
  sdc_server_policy = "the policy of a table server",
  sdc_server_plan = "the planned envelope of a table server",
  sdc_answer = "an answer of a table server",
  sdc_what_if = "what a request would lead to", sdc_server_audit = "the audit of a table server",
  sdc_plan = "a plan of protection", sdc_proposal = "a proposal how to protect a table",
  sdc_protected = "a protected table", sdc_policy_audit = "what refusals tell",
  sdc_store = "the store of a table server", sdc_metadata = "the metadata of a table server"
)
