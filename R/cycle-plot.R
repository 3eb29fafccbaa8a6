#' Draw the first cycles of a set, or walk one through a table
#'
#' `"moves"`: small multiples, one panel for each cycle (and each combination of the third and
#' further variables), rows and columns as in the table, +1 and -1 in colour. `"walk"`: three
#' frames, a table before, the moves of one cycle, the table after. In a two-way table arrows lead
#' from each cell of the cycle to the next.
#'
#' @param object (sdc_cycles) The set.
#' @param type (string) `"moves"` or `"walk"`. A number here is taken for `n`, as version 0.1.0 did;
#'   this is deprecated, and a warning of class `sdc_warning_deprecated` says so.
#' @param n (whole number) How many cycles `"moves"` draws.
#' @param table (sdc_table, or what [as_sdc_table()] takes) For `"walk"`: the table before. The
#'   picture shows its counts.
#' @param which (whole number) For `"walk"`: the number of the cycle.
#' @param step (1 or -1) For `"walk"`: add the cycle or subtract it.
#' @param zero_rule (string) For `"walk"`: what [mechanism()] calls the zero rule. A step that it
#'   prevents leaves the table as it was, and the caption says so.
#' @param ... Not used.
#' @return A ggplot object. `plot()` prints it and returns it invisibly.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is not installed or the table has one variable only, and for
#' arguments that do not fit; `sdc_error_too_large` above a million cells to draw.
#' @family cycle
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(cycles_bidiagonal(matrix(0, 4, 4)))
#' # every row and every column gains 1 and loses 1, so all sums stay as they were
#' plot(cycles_bidiagonal(roehrig), "walk", table = roehrig, which = 2)
#' @usage \method{autoplot}{sdc_cycles}(object, type = c("moves", "walk"), n = 6, table = NULL,
#'   which = 1, step = 1, zero_rule = c("blocked", "nonnegative"), ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_cycles <- function(object, type = c("moves", "walk"), n = 6, table = NULL, which = 1,
                                step = 1, zero_rule = c("blocked", "nonnegative"), ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw cycles")
  if (is.numeric(type)) {
    warn_deprecated("The number of cycles as the second argument of a picture", "Name it: `n = `.")
    n <- type
    type <- "moves"
  }
  type <- check_choice(type, c("moves", "walk"))
  zero_rule <- check_choice(zero_rule, c("blocked", "nonnegative"))
  if (type == "walk") draw_walk(object, table, which, step, zero_rule) else draw_cycles(object, n)
}

draw_cycles <- function(object, n) {
  check_whole(n, min = 1)
  labels <- dimnames(object)
  if (length(labels) < 2) {
    abort_sdc("input", "A table must have at least two variables to be drawn.")
  }
  n <- min(n, length(object))
  check_size(n * prod(dim(object)), 1e6, "cells")
  all <- expand_cycles(object)
  cells <- prod(dim(object))
  frame <- as.data.frame(cell_factors(rep(seq_len(cells), n), labels), optional = TRUE)
  names(frame) <- c(".row", ".column", paste0(".further", seq_along(labels)))[seq_along(labels)]
  frame$.panel <- panel_names(frame, rep(seq_len(n), each = cells))
  frame$.move <- 0L
  for (c in seq_len(n)) {
    at <- entries_of(all, c)
    frame$.move[(c - 1) * cells + all$cell[at]] <- all$coefficient[at]
  }
  draw_moves(frame, names(labels), dim(object))
}

# Of many lines only those that some shown cycle changes.
keep_moving_lines <- function(frame, size) {
  for (axis in c(".row", ".column")[size[1:2] > 12]) {
    moving <- unique(as.character(frame[[axis]])[frame$.move != 0])
    frame <- frame[frame[[axis]] %in% moving, , drop = FALSE]
    frame[[axis]] <- droplevels(frame[[axis]])
  }
  frame
}

panel_names <- function(frame, cycle) {
  further <- frame[setdiff(names(frame), c(".row", ".column"))]
  names <- do.call(paste, c(list(paste("cycle", cycle)), lapply(further, as.character), sep = ", "))
  factor(names, levels = unique(names))
}

# White figures on the tiles that the scale makes dark: those of the largest moves.
draw_moves <- function(frame, variables, size) {
  frame$.row <- named_level(frame$.row)
  frame$.column <- named_level(frame$.column)
  all <- c(nlevels(frame$.row), nlevels(frame$.column))
  frame <- keep_moving_lines(frame, size)
  shown <- c(nlevels(frame$.row), nlevels(frame$.column))
  frame$.ink <- ifelse(abs(frame$.move) > max(abs(frame$.move)) / 2, "white", "black")
  frame$.label <- ifelse(frame$.move == 0, "", sprintf("%+d", frame$.move))
  words <- tile_words(frame$.label, shown[2], shown[1], nlevels(frame$.panel))
  if (!is.null(words)) words$mapping$colour <- quote(.data$.ink)
  ggplot2::ggplot(frame, ggplot2::aes(x = .data$.column, y = .data$.row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$.move),
                       colour = tile_border(prod(shown) * nlevels(frame$.panel))) +
    words +
    ggplot2::scale_colour_identity() +
    ggplot2::scale_fill_gradient2(guide = "none") +
    level_axes(levels(frame$.column), levels(frame$.row)) +
    ggplot2::facet_wrap(~.panel) +
    ggplot2::labs(
      x = variables[[2]], y = variables[[1]],
      caption = if (any(shown < all)) paste0("Only the rows and columns that these cycles change ",
                                             "are shown.")
    )
}
