#' Pictures of a posterior
#'
#' @param object (object) an `sdc_posterior`.
#' @param what (string) `"cells"`: the posterior of some cells as small multiples, the published
#'   value marked; `"uncertainty"`: a heat map of the entropy of every cell, in bits (for tables
#'   with more than two variables: one panel for each combination of the others).
#' @param cells (as in [posterior-methods]) cells of the small multiples; by default the sixteen
#'   smallest published counts among the cells that are not known for certain. At most 36 are drawn.
#' @param ... not used.
#' @return A ggplot object; `plot()` draws it and returns it invisibly.
#' @family posterior
#' @usage \method{autoplot}{sdc_posterior}(object, what = c("cells", "uncertainty"), cells = NULL,
#' ...)
#' @exportS3Method ggplot2::autoplot
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' me <- mechanism(cycles_bidiagonal(roehrig), alpha = .25, beta = .25)
#' po <- posterior(publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE))
#' plot(po)
#' plot(po, what = "uncertainty")
autoplot.sdc_posterior <- function(object, what = c("cells", "uncertainty"), cells = NULL, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  what <- check_choice(what, c("cells", "uncertainty"))
  if (what == "uncertainty") plot_uncertainty(object) else plot_cells(object, cells)
}

plot_cells <- function(x, cells) {
  labels <- shown_labels(x)
  published <- shown_counts(x)
  chosen <- cells
  n <- length(published)
  asked <- if (is.null(cells)) most_telling(x, published) else resolve_cells(cells, labels)
  cells <- utils::head(asked, max_cell_panels)
  panel <- do.call(paste, c(unname(cell_factors(cells, labels)), sep = " / "))
  long <- long_law(x, cells)
  bars <- data.frame(
    panel = factor(panel[long$at], levels = unique(panel)),
    value = long$value,
    probability = long$probability
  )
  marks <- data.frame(panel = factor(panel, levels = unique(panel)), value = published[cells])
  ggplot2::ggplot(bars, ggplot2::aes(.data$value, .data$probability)) +
    ggplot2::geom_col(width = .7, fill = "#0072B2") +
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$value), marks, colour = "#D55E00", linetype = 2
    ) +
    ggplot2::facet_wrap(
      "panel",
      scales = "free_x", labeller = ggplot2::label_wrap_gen(22)
    ) +
    ggplot2::scale_x_continuous(breaks = whole_breaks, expand = ggplot2::expansion(add = .6)) +
    ggplot2::labs(
      x = "original count", y = "posterior probability",
      title = if (is.null(chosen)) part_title("smallest counts in doubt, of", length(cells), n),
      caption = paste0(
        "Cells: ", paste(names(labels), collapse = " / "), ". Dashed line: published count.",
        if (length(cells) < length(asked)) {
          paste0(" The first ", length(cells), " of ", format_count(length(asked)), " cells.")
        }
      )
    ) +
    sdc_theme()
}

max_cell_panels <- 36

# The smallest counts that can have been something else: a cell that is known is a single bar.
most_telling <- function(x, published) {
  known <- per_cell(x, function(laws, change) largest(laws), untouched = 1) > 1 - 1e-12
  utils::head(order(known, published), if (all(known)) 16 else min(16, sum(!known)))
}

# Whole numbers, at most seven.
whole_breaks <- function(range) {
  from <- ceiling(range[1])
  to <- floor(range[2])
  seq(from, to, by = max(1, ceiling((to - from) / 6)))
}

plot_uncertainty <- function(x) {
  labels <- shown_labels(x)
  tiles <- cell_labels(seq_along(x$law), labels)
  axes <- heat_axes(labels)
  frame <- data.frame(
    column = named_level(factor(tiles[[axes$column]], labels[[axes$column]])),
    row = named_level(factor(tiles[[axes$row]], labels[[axes$row]])),
    entropy = per_cell(x, function(laws, change) entropy_bits(laws), untouched = 0)
  )
  if (length(axes$panels) > 0) {
    frame$panel <- interaction(tiles[axes$panels], sep = " / ")
    shown <- utils::head(levels(frame$panel), max_panels)
    caption <- panel_words(axes$panels, length(shown), nlevels(frame$panel))
    frame <- frame[frame$panel %in% shown, , drop = FALSE]
  } else {
    caption <- NULL
  }
  ggplot2::ggplot(frame, ggplot2::aes(.data$column, .data$row, fill = .data$entropy)) +
    ggplot2::geom_tile() +
    ggplot2::scale_fill_viridis_c(limits = c(0, NA)) +
    (if (length(axes$panels) > 0) ggplot2::facet_wrap("panel")) +
    ggplot2::labs(x = axes$column, y = axes$row, fill = "entropy\n(bits)", caption = caption) +
    level_axes(levels(frame$column), levels(frame$row))
}

# The first variable down, the second across, the others as panels.
heat_axes <- function(labels) {
  names <- names(labels)
  list(row = names[1], column = names[min(2, length(names))], panels = names[-(1:2)])
}
