# The overall figures of a design, and how they are shown.

simulated_figures <- c(
  "unchanged", "unchanged_small", "prevented", "zero_true", "positive_false", "bias_zero",
  "bias_small", "abs_change", "abs_change_small", "relative_change", "chi_square", "log_odds",
  "hellinger"
)

simulated_shares <- c("unchanged", "unchanged_small", "prevented", "zero_true", "positive_false")

intruder_names <- c("guess", "certain", "insider_cell", "insider_row")

intruder_shares <- c(
  "guess", "guess_small", "certain", "certain_small", "insider_cell", "insider_row"
)

# Of the means of rows, over what is not missing.
std_errors <- function(figures) {
  n <- rowSums(!is.na(figures))
  mean <- rowMeans(figures, na.rm = TRUE)
  sqrt(rowSums((figures - mean)^2, na.rm = TRUE) / pmax(n - 1, 0) / n)
}

# Each step has mean 0, whatever came before it.
is_unbiased <- function(mechanism) {
  mechanism$zero_rule == "blocked" && all(mechanism$alpha == mechanism$beta)
}

# The overall figures of a design, as titles of axes.
figure_titles <- c(
  unchanged = "cells that stay as they are (share)",
  unchanged_small = "small cells that stay as they are (share)",
  prevented = "moves that are prevented (share)",
  zero_true = "published zeros that are original zeros (share)",
  positive_false = "published positive counts that are original zeros (share)",
  guess = "cells where the best guess is right (share)",
  guess_small = "small cells where the best guess is right (share)",
  certain = "cells known for certain (share)",
  certain_small = "small cells known for certain (share)",
  insider_cell = "small cells that one known cell gives away (share)",
  insider_row = "small cells that one known row gives away (share)",
  bias_zero = "mean change of original zeros", bias_small = "mean change of small cells",
  abs_change = "mean absolute change of a cell",
  abs_change_small = "mean absolute change of a small cell",
  relative_change = "mean relative change of positive cells",
  chi_square = "mean relative change of chi-square", log_odds = "mean change of log odds ratios",
  hellinger = "Hellinger distance"
)

# Eleven figures of risk, then eight of utility.
figure_kinds <- rlang::set_names(rep(c("risk", "utility"), c(11, 8)), names(figure_titles))

# One row for each figure. What is known replaces what was estimated.
overall_figures <- function(ask, forward, intruder) {
  names <- names(figure_kinds)
  blank <- matrix(NA_real_, length(intruder_shares), 2, dimnames = list(intruder_shares, NULL))
  seen <- list(forward$figures, intruder$figures %||% blank)
  estimate <- unlist(lapply(seen, rowMeans, na.rm = TRUE))[names]
  error <- unlist(lapply(seen, std_errors))[names]
  method <- rlang::rep_named(names, "simulation")
  if (isTRUE(intruder$all)) {
    method[intruder_shares] <- "exact"
    error[intruder_shares] <- 0
  }
  if (isTRUE(intruder$draws)) {
    method[["insider_cell"]] <- "draws"
    if (intruder$all) error[["insider_cell"]] <- NA
  }
  exact <- known_figures(ask, forward)
  at <- names(exact)
  estimate[at] <- exact
  error[at] <- 0
  method[at] <- "exact"
  missing <- is.na(estimate)
  estimate[missing] <- error[missing] <- method[missing] <- NA # not NaN
  list2data_frame(
    list(
      figure = names, kind = unname(figure_kinds), estimate = unname(estimate),
      std_error = unname(error), method = unname(method)
    ),
    length(names)
  )
}

known_figures <- function(ask, forward) {
  cells <- forward$cells
  zero <- ask$counts == 0
  small <- ask$small
  c(
    if (ask$mechanism$zero_rule == "blocked") c(
      positive_false = 0, bias_zero = if (any(zero)) 0
    ),
    if (is_unbiased(ask$mechanism) && any(small)) c(bias_small = 0),
    if (forward$free) c(prevented = 0),
    if (forward$exact) c(
      unchanged = mean(cells$unchanged), unchanged_small = mean_or_na(cells$unchanged[small]),
      bias_zero = if (any(zero)) mean(cells$bias[zero]),
      bias_small = if (any(small)) mean(cells$bias[small]),
      abs_change = mean(cells$abs_change), abs_change_small = mean_or_na(cells$abs_change[small]),
      relative_change = mean(cells$relative_change[!zero])
    )
  )
}

#' Look at the risk and utility of a design
#'
#' `print()` shows the overall figures that matter, `summary()` all of them, `as.data.frame()` those
#' of the cells; [risk_utility()] says what they mean. `as.data.frame(summary(x))` has the overall
#' figures as a data frame. **All of it is confidential**, as it comes from the original table;
#' `print()` and `summary()` show no count.
#'
#' @param x,object (sdc_risk) What [risk_utility()] returned.
#' @param what (string) The picture: `"counts"`, the probability that the intruder's best guess is
#'   right against the count, each cell a point; `"cells"`, a heat map of it (a panel for each
#'   combination of further variables). Where the intruder was not judged it is the probability that
#'   the cell is unchanged.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param ... Not used.
#' @return `as.data.frame()`: one row for each cell: a factor for each variable, `count`,
#'   `unchanged`, `bias`, `abs_change`, `relative_change`, `variance`, `std_error`, `method`,
#'   `guess`, `certain`, `insider_cell`, `insider_row`. `summary()`: an object of class
#'   `sdc_risk_summary`, whose `as.data.frame()` has `figure`, `kind` (risk or utility), `estimate`,
#'   `std_error`, `method`. `autoplot()` a ggplot object; `plot()` prints it.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown arguments, and
#' from `as.data.frame()` when a variable has the name of a column of the result.
#' @family risk
#' @name sdc_risk-methods
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' ru <- risk_utility(x, mechanism(cycles_banded(x, seed = 11), covers = 2), replicates = 20)
#' summary(ru)
#' as.data.frame(summary(ru))
#' head(as.data.frame(ru), 3)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(ru)
NULL

#' @rdname sdc_risk-methods
#' @export
format.sdc_risk <- function(x, ...) {
  f <- figure_words(x)
  me <- x$mechanism
  shares <- x$overall$figure %in% c(simulated_shares, intruder_shares)
  error <- x$overall$std_error[shares]
  error <- if (all(is.na(error))) NA_real_ else max(error, na.rm = TRUE)
  proves <- x$overall$estimate[x$overall$figure == "positive_false"]
  c(
    paste0(
      paste(dim(x$original), collapse = " x "), " cells; alpha ", span(me$alpha), ", beta ",
      span(me$beta), ", zero rule ", me$zero_rule, ", ", plural(me$covers, "cover")
    ),
    paste0(
      "unchanged: ", f("unchanged_small"), " of the small cells (",
      paste(x$small, collapse = ", "), "), ", f("unchanged"), " of all; moves prevented: ",
      f("prevented")
    ),
    paste0(
      "a published zero is an original zero: ", f("zero_true"),
      if (!is.na(proves)) {
        if (proves == 0 && me$zero_rule == "blocked") {
          "; a published positive count proves a positive one"
        } else {
          paste0("; a published positive count is an original zero: ", f("positive_false"))
        }
      }
    ),
    paste0(
      "best guess right: ", f("guess_small"), " of the small cells, ", f("guess"),
      " of all; known for certain: ", f("certain_small"), ", ", f("certain")
    ),
    paste0(
      "small cells that one known cell gives away: ", f("insider_cell"), "; one known row: ",
      f("insider_row")
    ),
    paste0(
      "mean |change|: ", f("abs_change"), "; relative: ", f("relative_change"),
      "; log odds ratios: ", f("log_odds"), "; chi-square: ", f("chi_square")
    ),
    paste0("prior of the intruder: ", format(x$prior),
           "; largest standard error of a share: ", format(error, digits = 2)),
    paste0(
      "simulated publications: ", format_count(x$publications[["cells"]]), "; for the intruder: ",
      if (x$all_publications) "all that a component can have, ",
      format_count(x$publications[["intruder"]])
    ),
    if (length(x$notes)) paste(x$notes, collapse = "; ")
  )
}

figure_words <- function(x) {
  function(name) {
    value <- x$overall$estimate[match(name, x$overall$figure)]
    missing <- if (name %in% intruder_shares) "not known" else "none there"
    if (is.na(value)) missing else sprintf("%.3f", value)
  }
}

#' @rdname sdc_risk-methods
#' @export
summary.sdc_risk <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(overall = object$overall, header = format(object)[[1]], notes = object$notes),
    class = sdc_class("sdc_risk_summary", mark = "confidential")
  )
}

#' @export
format.sdc_risk_summary <- function(x, ...) x$header

#' @export
print.sdc_risk_summary <- function(x, ...) {
  NextMethod()
  shown <- x$overall
  shown$estimate <- round(shown$estimate, 4)
  shown$std_error <- signif(shown$std_error, 2)
  print_frame(shown)
  if (length(x$notes)) cat(paste0("  ", x$notes), sep = "\n")
  invisible(x)
}

#' @export
as.data.frame.sdc_risk_summary <- function(x, row.names = NULL, optional = FALSE, ...,
                                           stringsAsFactors = FALSE) {
  check_no_dots(...)
  x$overall
}

#' @rdname sdc_risk-methods
#' @export
as.data.frame.sdc_risk <- function(x, row.names = NULL, optional = FALSE, ...,
                                   stringsAsFactors = FALSE) {
  check_no_dots(...)
  labels <- dimnames(x$original)
  columns <- c(list(count = dense_counts(x$original)), x$cells)
  check_free_names(labels, names(columns))
  n <- length(columns$count)
  list2data_frame(c(cell_factors(seq_len(n), labels), columns), n)
}

#' @rdname sdc_risk-methods
#' @usage \method{autoplot}{sdc_risk}(object, what = c("counts", "cells"), ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_risk <- function(object, what = c("counts", "cells"), ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  what <- check_choice(what, c("counts", "cells"))
  check_size(length(object$cells$guess), 1e6, "cells")
  judged <- !all(is.na(object$cells$guess))
  risk <- list(
    value = if (judged) object$cells$guess else object$cells$unchanged,
    words = if (judged) "best guess right (probability)" else "unchanged (probability)"
  )
  picture <- if (what == "counts") plot_risk_counts(object, risk) else plot_risk_cells(object, risk)
  picture + ggplot2::labs(caption = "Confidential: computed from the original table.")
}

# Counts are spread a little, so that cells with equal counts do not hide each other.
plot_risk_counts <- function(x, risk) {
  count <- dense_counts(x$original)
  frame <- data.frame(
    count = count, risk = risk$value,
    cells = ifelse(count %in% x$small, "small", "other")
  )
  ggplot2::ggplot(frame, ggplot2::aes(.data$count, .data$risk, colour = .data$cells)) +
    ggplot2::geom_point(
      position = ggplot2::position_jitter(width = .07, height = 0, seed = 1), alpha = .6
    ) +
    ggplot2::scale_colour_manual(values = c(small = "#D55E00", other = "#0072B2")) +
    ggplot2::scale_x_continuous(trans = "sqrt", breaks = root_breaks, labels = format_count) +
    ggplot2::coord_cartesian(ylim = c(0, 1)) +
    ggplot2::labs(x = "original count", y = risk$words, colour = "cells") +
    sdc_theme()
}

# Round numbers, about evenly spread on a scale of square roots.
root_breaks <- function(range) {
  top <- max(range, 1)
  round <- sort(as.vector(outer(c(1, 2, 3, 4, 5, 6, 8), 10^(0:15))))
  kept <- 0
  for (tick in round[round <= top]) {
    if (sqrt(tick) - sqrt(kept[length(kept)]) >= sqrt(top) / 9) kept <- c(kept, tick)
  }
  kept
}

plot_risk_cells <- function(x, risk) {
  labels <- dimnames(x$original)
  tiles <- cell_labels(seq_along(risk$value), labels)
  axes <- heat_axes(labels)
  frame <- data.frame(
    column = tiles[[axes$column]],
    row = factor(tiles[[axes$row]], levels = rev(labels[[axes$row]])),
    risk = risk$value
  )
  if (length(axes$panels) > 0) {
    frame$panel <- interaction(tiles[axes$panels], sep = " / ")
  }
  ggplot2::ggplot(frame, ggplot2::aes(.data$column, .data$row, fill = .data$risk)) +
    ggplot2::geom_tile() +
    ggplot2::scale_fill_viridis_c(limits = c(0, 1)) +
    (if (length(axes$panels) > 0) ggplot2::facet_wrap("panel")) +
    ggplot2::labs(x = axes$column, y = axes$row, fill = sub(" \\(", "\n(", risk$words)) +
    sdc_theme(turn = TRUE)
}
