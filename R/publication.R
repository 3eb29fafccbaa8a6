# What may leave the building: the published table and the mechanism, and nothing that depends on
# the original in any other way.

#' Publish a perturbed table
#'
#' `publish()` makes, from a private perturbation, the object that may leave the building: the
#' perturbed table and the whole mechanism. `publication()` makes the same object for a reader who
#' has the published table and the mechanism. Other private results become other publications: a
#' table rounded by [round_controlled()] becomes the rounded table with its base and rule, one with
#' [suppress()]ed cells becomes what is left, and a map or magnitudes changed by [redistribute()]
#' become the map or the totals after the change. Suppressed tables and magnitudes are published
#' only when their [audit()] has no failures. [margins()] are copied.
#'
#' @details
#' The mechanism says everything that a reader needs for exact inference: the cycles in the order of
#' their application, alpha, beta, the number of covers and the zero rule; see
#' [write_publication()] for files that say it in words too. Original, coefficients, key, expected
#' protection and the fact that `insist` was used stay behind.
#'
#' **Verified, not believed.** `publish()` takes nothing on the word of a field that can be edited.
#' It recomputes what it can: the recorded moves of a perturbation or a map must lead from the
#' original to the result, rounded counts and sums must be multiples next to their originals, values
#' of magnitudes must keep their totals and pass the audit again, margins must agree with each
#' other. Besides, [perturb()], [round_controlled()], [suppress()], [redistribute()], [margins()]
#' and the searches for releases leave a seal in their results, a checksum of all that `publish()`
#' reads: it finds any field that was changed afterwards, such as the table, or whether there was a
#' `seed`. It stops accidents and shortcuts, not forgers.
#'
#' @param x (private result, or sdc_margins) What [perturb()], [round_controlled()], [suppress()],
#'   [redistribute()] or [margins()] returned.
#' @param ... Not used.
#' @param record (sdc_record or `NULL`) What is out, see [publication_record()]: the publication is
#'   judged together with it, and entered, or nothing is published. Without it `publish()` says once
#'   in a session that it judged this publication alone.
#' @param insist (flag) `TRUE` publishes a perturbation that anybody can undo because it was made
#'   with `seed`: for examples only.
#' @param table (sdc_table, or what [as_sdc_table()] takes) The published table, in the shape and
#'   with the labels of the mechanism.
#' @param mechanism (sdc_mechanism) The published mechanism, with the zero rule by which the table
#'   was drawn: `"blocked"` or `"nonnegative"`.
#' @return An object of class `sdc_publication`: a list with `table` (sdc_table) and `mechanism`
#'   (sdc_mechanism). For a rounding it is of class `sdc_rounded_publication`; see
#'   [sdc_rounded_publication-methods]. For a redistributed map it is of class
#'   `sdc_hex_publication`; see [sdc_hex_redistribution-methods].
#' @section Errors:
#' `sdc_error_refused` for a result that was changed by hand or whose parts contradict each other,
#' for a perturbation made with `seed`, unless `insist = TRUE`, and for a zero rule that is for
#' analysis only; `sdc_error_input` when table and mechanism differ in their levels, or when the
#' mechanism was changed by hand and is no longer valid.
#' @section Guarantee:
#' All parts are fresh copies, built from the published counts, the labels and the mechanism alone.
#' Two originals that lead to the same published table by the same mechanism give identical objects
#' and identical bytes in `serialize()`, `saveRDS()` and [write_publication()].
#' @family perturb
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' me <- mechanism(cycles_banded(x, seed = 1, transposed = TRUE))
#' pub <- publish(perturb(x, me, seed = 1), insist = TRUE)
#' pub
#' identical(pub, publication(pub$table, me))
#' @export
publish <- function(x, ...) {
  check_given(x)
  UseMethod("publish")
}

#' @export
publish.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a private result, or margins.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "Make one with {.fn perturb}, {.fn round_controlled}, {.fn suppress} or {.fn redistribute}."
  ))
}

#' @rdname publish
#' @export
publication <- function(table, mechanism) {
  table <- one_level_argument(table)
  check_class(mechanism, "sdc_mechanism", make = "mechanism")
  check_fits_cycles(table, mechanism$cycles, "table")
  new_sdc_publication(table, mechanism_of_table(mechanism, table))
}

# Goes through the counts and the fields that a mechanism has, so that nothing else comes along.
new_sdc_publication <- function(table, mechanism) {
  mechanism <- plain_mechanism(mechanism)
  check_can_be_drawn(mechanism)
  layout <- table$layout
  counts <- plain(dense_counts(table))
  check_published_pattern(counts, mechanism$cycles)
  table <- table_from_dense(counts, plain(mechanism$cycles$dimnames))
  layout <- if (is.null(layout)) mechanism$cycles$layout else plain_layout(layout)
  structure(
    list(table = set_layout(table, layout), mechanism = mechanism),
    class = sdc_class("sdc_publication")
  )
}

check_can_be_drawn <- function(mechanism) {
  if (!is_analysis_only(mechanism)) {
    return(invisible(mechanism))
  }
  abort_sdc("refused", c(
    "A publication has the zero rule by which its table was drawn: {.val blocked} or
     {.val nonnegative}.",
    x = "The rule of {.arg mechanism} is {.val {mechanism$zero_rule}}, which is for analysis only.",
    i = "Give {.arg mechanism} the rule of the draw, and the other one to the analysis:
         {.code posterior(..., zero_rule = \"{mechanism$zero_rule}\")}."
  ))
}

plain_mechanism <- function(x) {
  set <- plain_cycles(x$cycles)
  validate_sdc_cycles(set)
  out <- tryCatch(
    mechanism(set, x$alpha, x$beta, x$covers, x$order, x$zero_rule),
    sdc_error = function(cnd) {
      abort_sdc("input", "{.arg mechanism} must be valid.", parent = cnd)
    }
  )
  new_sdc_mechanism(
    set, plain(out$alpha), plain(out$beta), plain(out$covers), plain(out$order),
    plain(out$zero_rule)
  )
}

plain_cycles <- function(x) {
  fields <- c("rule", "version", "dimnames", "parameters", "preserves")
  layout <- if (!is.null(x$layout)) {
    list(layout = plain_layout(x$layout), totals_kept = plain(x$totals_kept))
  }
  structure(c(plain(unclass(x)[fields]), layout), class = sdc_class("sdc_cycles"))
}

plain_layout <- function(layout) {
  if (is.null(layout)) {
    return(NULL)
  }
  fields <- lapply(layout[setdiff(names(layout), "trees")], function(field) {
    if (!is.null(field)) plain(field)
  })
  trees <- lapply(layout$trees, lapply, function(tree) {
    list2data_frame(plain(unclass(tree)[names(tree)]), nrow(tree))
  })
  new_layout(trees, fields$total_label, fields$crossings, fields$formula)
}

#' Look at a publication
#'
#' @param x,object (sdc_publication) The publication.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param totals (flag) Whether the data frame has all published totals beside the cells: those of
#'   the trees and crossings of the table, or the margins of a table without any.
#' @return `as.data.frame()`: one row for each cell, zeros included: one factor for each variable,
#'   and `count`. `as.table()`: an array of the published counts. `summary()` an object of class
#'   `sdc_publication_summary`; `autoplot()` a ggplot object, `plot()` prints it.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown arguments, and
#' from `as.data.frame()` when a variable is itself called `count`; `sdc_error_too_large` above a
#' million cells to draw.
#' @family perturb
#' @name sdc_publication-methods
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' pub <- publication(x, mechanism(cycles_banded(x, seed = 11)))
#' summary(pub)
#' head(as.data.frame(pub), 3)
#' as.table(pub)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(pub)
NULL

#' @rdname sdc_publication-methods
#' @export
format.sdc_publication <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  c(
    paste0(
      "published table: ", paste(dim(x$table), collapse = " x "), " cells (",
      paste(names(dimnames(x$table)), collapse = ", "), "), total ", format_count(sum(x$table))
    ),
    "public: drawn once by the mechanism below",
    format(x$mechanism)
  )
}

#' @rdname sdc_publication-methods
#' @export
summary.sdc_publication <- function(object, ...) {
  check_no_dots(...)
  counts <- dense_counts(object$table)
  structure(
    list(
      header = format(object),
      zeros = sum(counts == 0),
      small = sum(counts %in% 1:2),
      cells = length(counts),
      mechanism = summary(object$mechanism)
    ),
    class = sdc_class("sdc_publication_summary")
  )
}

#' @export
format.sdc_publication_summary <- function(x, ...) {
  c(
    x$header,
    paste0("published zeros: ", format_count(x$zeros), ", counts of 1 or 2: ",
           format_count(x$small), ", of ", plural(x$cells, "cell")),
    paste0("variance of a cell's change, without skipping: ", span(x$mechanism$variance)),
    paste0("bias: ", x$mechanism$bias)
  )
}

#' @rdname sdc_publication-methods
#' @export
as.data.frame.sdc_publication <- function(x, row.names = NULL, optional = FALSE, ...,
                                          totals = FALSE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  labels <- dimnames(x$table)
  check_free_names(labels, "count")
  if (totals) {
    return(published_rows(x$table, zeros = TRUE, name = "count"))
  }
  counts <- dense_counts(x$table)
  columns <- c(cell_factors(seq_along(counts), labels), list(count = counts))
  list2data_frame(columns, length(counts))
}

#' @rdname sdc_publication-methods
#' @export
as.table.sdc_publication <- function(x, ...) {
  check_no_dots(...)
  as.table(x$table)
}

#' @rdname sdc_publication-methods
#' @usage \method{autoplot}{sdc_publication}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_publication <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  draw_tiles(dimnames(object$table), dense_counts(object$table)) +
    ggplot2::labs(title = "Published table")
}
