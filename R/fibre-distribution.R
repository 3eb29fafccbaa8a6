#' The exact law of each cell over all tables that agree with a release
#'
#' To a reader who takes every table that agrees with a release for equally likely, these are the
#' probabilities of a cell's counts.
#'
#' Computed from the same programmes as the number of tables: for each cell and each value the
#' tables with that value are counted exactly. Under rounding or suppression this is what a reader
#' knows who does not use how the roundings or suppressions were chosen.
#'
#' @inheritParams count_tables
#' @template param-cells
#' @param method (string) as for [count_tables()], which describes the methods.
#' @param x,object (sdc_fibre) the laws.
#' @param exact (flag) add a column `tables` with the number of tables, all digits, as strings?
#' @param row.names,optional not used.
#' @param ... not used.
#' @return An object of class `sdc_fibre`; `count` is its element with the number of all tables, an
#'   [sdc_count].
#' * `as.data.frame()`: long: the variables, `value`, `probability`, a row for each value that some
#'   table has.
#' * `summary()`: a data frame with a row for each cell: the variables, `lower`, `upper` (the least
#'   and the largest value of any table, so these bounds are sharp), `mean`, `sd`, `mode`, `p_mode`
#'   and `entropy` (in bits).
#' * `autoplot()`, `plot()`: the laws as small multiples, of at most sixteen cells, those of least
#'   entropy first.
#' @section Complexity: about the number of cells of a line times that of counting; for tables with
#'   large counts, that of counting for every value of every cell.
#' @section Errors: as [count_tables()]; `sdc_error_infeasible` when no table agrees with the
#'   release.
#' @template ref-slides
#' @family fibre
#' @export
#' @examples
#' law <- fibre_distribution(margins(roehrig, list("row", "column")), cells = 1:4)
#' law
#' summary(law)
#' head(as.data.frame(law))
fibre_distribution <- function(release, cells = NULL,
                               method = c("auto", "twoway", "polynomial", "diagram"),
                               max_states = 5e7, max_steps = 5e10,
                               progress = rlang::is_interactive()) {
  method <- check_choice(method, c("auto", exact_methods))
  options <- fibre_options(method, max_states, max_steps)
  check_flag(progress)
  release <- as_constraints(release)
  labels <- release$dimnames
  cells <- resolve_cells(cells, labels)
  at <- match(cells, cell_numbers(release$codes, labels))
  found <- ask_fibre("Counting tables", cpp_cell_laws, release, options, at[!is.na(at)],
                     progress = progress)
  new_fibre(labels, cells, which(!is.na(at)), found)
}

# `inside`: which of the cells the constraints have; the others are structural zeros.
new_fibre <- function(labels, cells, inside, found) {
  outside <- setdiff(seq_along(cells), inside)
  at <- c(inside[found$at], outside)
  by <- order(at)
  law <- list(
    at = at[by],
    value = c(found$value, numeric(length(outside)))[by],
    probability = c(found$probability, rep(1, length(outside)))[by],
    tables = c(found$tables, rep(found$count, length(outside)))[by]
  )
  structure(
    list(dimnames = labels, cells = cells, law = law, count = new_sdc_count(found$count, TRUE)),
    class = sdc_class("sdc_fibre")
  )
}

#' @rdname fibre_distribution
#' @export
as.data.frame.sdc_fibre <- function(x, row.names = NULL, optional = FALSE, ..., exact = FALSE) {
  check_no_dots(...)
  check_flag(exact)
  columns <- x$law[c("value", "probability", if (exact) "tables")]
  check_free_names(x$dimnames, names(columns))
  list2data_frame(c(cell_factors(x$cells[x$law$at], x$dimnames), columns), length(x$law$at))
}

#' @rdname fibre_distribution
#' @export
summary.sdc_fibre <- function(object, ...) {
  check_no_dots(...)
  law <- object$law
  cell <- factor(law$at, seq_along(object$cells))
  total <- function(x) as.vector(rowsum(x, law$at, reorder = FALSE))
  mean <- total(law$value * law$probability)
  mode <- tapply(seq_along(law$at), cell, function(i) i[which.max(law$probability[i])])
  figures <- list(
    lower = as.vector(tapply(law$value, cell, min)),
    upper = as.vector(tapply(law$value, cell, max)),
    mean = mean,
    sd = sqrt(total((law$value - mean[law$at])^2 * law$probability)),
    mode = law$value[mode], p_mode = law$probability[mode],
    entropy = -total(law$probability * log2(pmax(law$probability, .Machine$double.xmin)))
  )
  check_free_names(object$dimnames, names(figures))
  list2data_frame(c(cell_factors(object$cells, object$dimnames), figures), length(object$cells))
}

#' @rdname fibre_distribution
#' @export
format.sdc_fibre <- function(x, ...) {
  n <- length(x$cells)
  width <- tabulate(x$law$at, n)
  c(
    paste0("<sdc_fibre> laws of ", plural(n, "cell"), " of ",
           paste(lengths(x$dimnames), collapse = " x "), " (",
           paste(names(x$dimnames), collapse = ", "), ")"),
    paste0("  exact, over ", format(x$count),
           if (x$count$digits == "1") " table" else " tables, all equally likely"),
    if (n > 0) paste0("  possible values of a cell: ", format_count(min(width)), " to ",
                      format_count(max(width)),
                      "; known: ", format_count(sum(width == 1)))
  )
}

#' @rdname fibre_distribution
#' @exportS3Method ggplot2::autoplot
#' @usage \method{autoplot}{sdc_fibre}(object, ...)
autoplot.sdc_fibre <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  if (length(object$cells) == 0) {
    abort_sdc("input", c("A picture needs the laws of at least one cell.",
                         x = "{.arg object} has no cells."))
  }
  entropy <- summary(object)$entropy
  # a cell that is known, such as a published one beside suppressed ones, tells nothing in a picture
  open <- tabulate(object$law$at, length(object$cells)) > 1
  shown <- sort(utils::head(order(!open, entropy), if (any(open)) min(16, sum(open)) else 16))
  long <- which(object$law$at %in% shown)
  panel <- do.call(paste, c(unname(cell_factors(object$cells, object$dimnames)), sep = " / "))
  bars <- data.frame(
    panel = factor(panel[object$law$at[long]], levels = panel[shown]),
    value = object$law$value[long], probability = object$law$probability[long]
  )
  ggplot2::ggplot(bars, ggplot2::aes(.data$value, .data$probability)) +
    ggplot2::geom_col(width = .7, fill = "#0072B2") +
    ggplot2::facet_wrap("panel", scales = "free_x", labeller = ggplot2::label_wrap_gen(22)) +
    ggplot2::scale_x_continuous(breaks = whole_breaks, expand = ggplot2::expansion(add = .6)) +
    ggplot2::labs(
      x = "count", y = "share of the tables that agree with the release",
      caption = paste0("Cells: ", paste(names(object$dimnames), collapse = " / "), "; ",
                       shown_words(length(shown), open), ".")
    ) +
    sdc_theme()
}

shown_words <- function(shown, open) {
  known <- sum(!open)
  if (!any(open)) {
    return("all are known exactly")
  }
  paste0(
    if (shown < sum(open)) paste0("the ", shown, " that are known best of ",
                                  format_count(sum(open))) else
      paste(format_count(shown), "shown"),
    if (known > 0) paste0(", without ", plural(known, "cell"), " known exactly")
  )
}
