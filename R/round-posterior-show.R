# How the posterior of a rounded table is shown.

#' Ask the posterior of a rounded table
#'
#' @param x,object (sdc_rounding_posterior) What [posterior_rounding()] returned.
#' @template param-cells
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @return `as.data.frame()`: the variables, `value`, `probability`, and after a simulation
#'   `std_error`; a row for each cell and possible original count. `summary()`: an object whose
#'   `as.data.frame()` has a row for each cell: the variables, `rounded`, `mean`, `sd`, `entropy`
#'   (bits), `lower` and `upper` (the least and the largest possible count), `mode` (the smallest
#'   most probable count) and `p_mode`. `autoplot()`: the laws of some cells as a ggplot object.
#' @section Errors: `sdc_error_input` when ggplot2 is needed and not installed, for cells that are
#'   not there, and when a variable has the name of a column of the result.
#' @family round
#' @name sdc_rounding_posterior-methods
#' @examples
#' small <- matrix(c(1, 4, 7, 2, 5, 3), 2)
#' pub <- publish(round_controlled(small, base = 3, seed = 1), insist = TRUE)
#' po <- posterior_rounding(pub)
#' as.data.frame(po, cells = 1)
#' as.data.frame(summary(po))
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(po)
NULL

#' @rdname sdc_rounding_posterior-methods
#' @export
as.data.frame.sdc_rounding_posterior <- function(x, row.names = NULL, optional = FALSE,
                                                 cells = NULL, ...) {
  check_no_dots(...)
  labels <- shown_labels(x)
  check_free_names(labels, c("value", "probability", "std_error"))
  of_cell <- split(seq_along(x$cell), x$cell)
  rows <- unlist(of_cell[as.character(resolve_cells(cells, labels))], use.names = FALSE)
  columns <- list(value = x$value[rows], probability = x$probability[rows])
  if (!x$exact) columns$std_error <- x$std_error[rows]
  list2data_frame(c(cell_factors(x$cell[rows], labels), columns), length(rows))
}

#' @rdname sdc_rounding_posterior-methods
#' @export
format.sdc_rounding_posterior <- function(x, ...) {
  table <- x$publication$table
  per_cell <- summarise_laws(x)
  how <- switch(x$method,
    enumeration = paste0("exact, by enumeration of ", format_count(x$n_compatible),
                         " tables, of which ", format_count(x$n_tables),
                         " can have been the original"),
    fibre = "exact, by counting all tables within the intervals",
    formula = "exact, by the formula for tables without zeros",
    montecarlo = paste0("simulated, ", format_count(x$draws), " draws worth ",
                        format(x$effective, digits = 3), "; s.e. of a probability at most ",
                        format(max(x$std_error), digits = 2))
  )
  c(
    paste0("rounded table: ", paste(dim(table), collapse = " x "), " cells (",
           paste(names(table$dimnames), collapse = ", "), "), base ",
           format_count(x$publication$base)),
    paste0("reader: knows the ", x$reader, "; prior: ", format(x$prior)),
    how,
    paste0("best guess of a cell right with probability ",
           format(mean(per_cell$p_mode), digits = 3), " on average"),
    if (x$exact) paste0("known for certain: ", sum(per_cell$lower == per_cell$upper), " of ",
                        nrow(per_cell), " cells")
  )
}

# A row for each cell.
summarise_laws <- function(x) {
  n <- prod(dim(x$publication$table))
  over <- function(v) as.vector(rowsum(v, factor(x$cell, seq_len(n)), reorder = TRUE))
  mean <- over(x$probability * x$value)
  by <- order(x$cell, -round(x$probability, 12), x$value)
  best <- by[!duplicated(x$cell[by])]
  first <- !duplicated(x$cell)
  last <- !duplicated(x$cell, fromLast = TRUE)
  data.frame(
    rounded = shown_counts(x), mean = mean,
    sd = sqrt(pmax(0, over(x$probability * (x$value - mean[x$cell])^2))),
    entropy = over(-x$probability * log2(x$probability)),
    lower = x$value[first], upper = x$value[last], mode = x$value[best],
    p_mode = x$probability[best]
  )
}

#' @rdname sdc_rounding_posterior-methods
#' @export
summary.sdc_rounding_posterior <- function(object, cells = NULL, ...) {
  check_no_dots(...)
  labels <- shown_labels(object)
  cells <- resolve_cells(cells, labels)
  structure(
    list(
      labels = cell_labels(cells, labels), cells = summarise_laws(object)[cells, ],
      header = format(object)
    ),
    class = sdc_class("sdc_rounding_posterior_summary")
  )
}

#' @export
as.data.frame.sdc_rounding_posterior_summary <- function(x, row.names = NULL, optional = FALSE,
                                                         ...) {
  check_no_dots(...)
  check_free_names(x$labels, names(x$cells))
  list2data_frame(c(x$labels, x$cells), nrow(x$cells))
}

#' @export
format.sdc_rounding_posterior_summary <- function(x, ...) {
  entropy <- x$cells$entropy
  c(
    x$header,
    paste0("entropy of a cell (bits): ", format_number(min(entropy)), " to ",
           format_number(max(entropy)), ", mean ", format_number(mean(entropy))),
    paste0("possible counts of a cell: ", format_number(mean(x$cells$upper - x$cells$lower + 1)),
           " on average")
  )
}

#' @rdname sdc_rounding_posterior-methods
#' @usage \method{autoplot}{sdc_rounding_posterior}(object, cells = NULL, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_rounding_posterior <- function(object, cells = NULL, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  labels <- shown_labels(object)
  rounded <- shown_counts(object)
  n <- length(rounded)
  title <- if (is.null(cells)) part_title("smallest counts, of", min(16, n), n)
  cells <- resolve_cells(cells %||% utils::head(order(rounded), 16), labels)
  panel <- do.call(paste, c(unname(cell_factors(cells, labels)), sep = " / "))
  rows <- which(object$cell %in% cells)
  at <- match(object$cell[rows], cells)
  bars <- data.frame(
    panel = factor(panel[at], panel), value = object$value[rows],
    probability = object$probability[rows]
  )
  marks <- data.frame(panel = factor(panel, panel), value = rounded[cells])
  ggplot2::ggplot(bars, ggplot2::aes(.data$value, .data$probability)) +
    ggplot2::geom_col(width = .7, fill = "#0072B2") +
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$value), marks, colour = "#D55E00", linetype = 2
    ) +
    ggplot2::facet_wrap("panel", scales = "free_x") +
    ggplot2::scale_x_continuous(breaks = whole_breaks, expand = ggplot2::expansion(add = .6)) +
    ggplot2::labs(
      x = "original count", y = "posterior probability", title = title,
      caption = paste0(
        "Cells: ", paste(names(labels), collapse = " / "), ". Dashed line: rounded count."
      )
    ) +
    sdc_theme()
}
