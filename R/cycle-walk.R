# A cycle walked through a table: before, the moves, after.

draw_walk <- function(cycles, table, which, step, zero_rule) {
  if (is.null(table)) {
    abort_sdc("input", c(
      "{.code type = \"walk\"} needs the table through which a cycle walks.",
      x = "{.arg table} is NULL.",
      i = "Call {.code plot(cycles, \"walk\", table = x, which = 1)}."
    ))
  }
  x <- table_argument(table, "table")
  check_fits_cycles(x, cycles, "table")
  check_whole(which, min = 1, max = length(cycles))
  check_step(step)
  if (length(dim(x)) < 2) {
    abort_sdc("input", c(
      "A table must have at least two variables to be drawn.",
      x = "{.arg table} has {length(dim(x))}."
    ))
  }
  check_size(3 * prod(dim(x)), 1e4, "cells")
  before <- dense_counts(x)
  move <- step * as.vector(cycles[[which]])
  stopped <- is_prevented(before, move, zero_rule)
  after <- before + if (stopped) 0 else move
  draw_frames(x$dimnames, before, move, after, which,
              if (stopped) zero_rule_words[[zero_rule]] else kept_words(cycles))
}

check_step <- function(step) {
  if (is.numeric(step) && length(step) == 1 && step %in% c(-1, 1)) {
    return(invisible(step))
  }
  abort_sdc("input", c("{.arg step} must be 1 or -1.", x = "{describe(step)}"))
}

# Does the zero rule stop the move? A blocked one is stopped by any zero on its cycle.
is_prevented <- function(before, move, zero_rule) {
  if (zero_rule == "blocked") any(before[move != 0] == 0) else any(before + move < 0)
}

walk_stages <- function(which) c("before", paste("moves of cycle", which), "after")

draw_frames <- function(labels, before, move, after, which, words) {
  places <- tile_places(labels)
  n <- length(before)
  stages <- walk_stages(which)
  frame <- data.frame(
    row = rep(places$.row, 3), column = rep(places$.column, 3), panel = rep(places$.panel, 3),
    stage = factor(rep(stages, each = n), stages), value = c(before, move, after),
    sign = factor(rep(sign(move), 3), c(1, 0, -1))
  )
  frame$label <- ifelse(frame$stage == stages[2],
                        ifelse(frame$value == 0, "", sprintf("%+d", as.integer(frame$value))),
                        short_amount(frame$value))
  frame$changed <- frame$sign != 0
  path <- cycle_path(array(move, lengths(labels, FALSE)), frame$stage[n + 1])
  further <- names(labels)[-(1:2)]
  walk_picture(frame, path) + ggplot2::labs(
    x = names(labels)[2], y = names(labels)[1],
    caption = paste(c(panel_words(further, 1, 1), words), collapse = "\n")
  )
}

walk_picture <- function(frame, path) {
  columns <- nlevels(frame$column) * 3
  rows <- nlevels(frame$row) * nlevels(frame$panel)
  size <- min(3.9, 200 / (columns * (max(nchar(frame$label)) + 1)), 80 / rows)
  ggplot2::ggplot(frame, ggplot2::aes(.data$column, .data$row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$sign), colour = "grey70", width = 1, height = 1) +
    path +
    (if (size >= 1.8) ggplot2::geom_text(
      ggplot2::aes(label = .data$label, fontface = ifelse(.data$changed, "bold", "plain")),
      size = size
    )) +
    ggplot2::scale_fill_manual(
      values = c(`1` = "#92c5de", `0` = "white", `-1` = "#f4a582"), drop = FALSE, name = NULL,
      labels = c(`1` = "gains (+)", `0` = "stays", `-1` = "loses (-)")
    ) +
    level_axes(levels(frame$column), levels(frame$row)) +
    (if (nlevels(frame$panel) > 1) {
      ggplot2::facet_grid(panel ~ stage)
    } else {
      ggplot2::facet_wrap("stage")
    }) +
    ggplot2::theme(panel.spacing = ggplot2::unit(4, "mm"))
}

zero_rule_words <- c(
  blocked = paste("A cell of the cycle is 0, so the zero rule \"blocked\" stops the step: nothing",
                  "changes."),
  nonnegative = paste("A count would become negative, so the zero rule \"nonnegative\" stops the",
                      "step: nothing changes.")
)

kept_words <- function(cycles) {
  kept <- vapply(cycles$preserves, margin_name, "")
  if (length(kept) > 0) {
    paste0("Margins that stay as they were: ", paste(kept, collapse = ", "), ".")
  }
}

# Arrows from cell to cell, along a row and along a column in turn; none where the cycle is not one
# closed walk of a two-way table.
cycle_path <- function(move, stage) {
  at <- walk_order(move)
  if (is.null(at)) {
    return(NULL)
  }
  to <- at[c(seq_len(nrow(at))[-1], 1), , drop = FALSE]
  # labels stand in the middle of the tiles: arrows begin and end beside them
  gap <- .27 * sign(to - at)
  up <- nrow(move) + 1
  arrows <- data.frame(
    x = at[, 2] + gap[, 2], y = up - at[, 1] - gap[, 1], xend = to[, 2] - gap[, 2],
    yend = up - to[, 1] + gap[, 1], stage = stage
  )
  ggplot2::geom_segment(
    ggplot2::aes(.data$x, .data$y, xend = .data$xend, yend = .data$yend), arrows,
    colour = "grey30", linewidth = .4, inherit.aes = FALSE,
    arrow = ggplot2::arrow(length = ggplot2::unit(1.6, "mm"), type = "closed")
  )
}

# The cells of a cycle as a matrix of row and column, in the order of the walk; NULL where lines do
# not hold two cells of opposite sign each, or several walks are closed.
walk_order <- function(move) {
  if (length(dim(move)) != 2 || any(abs(move) > 1)) {
    return(NULL)
  }
  cells <- which(move != 0, arr.ind = TRUE)
  lines <- c(rowSums(abs(move)), colSums(abs(move)))
  if (nrow(cells) < 4 || !all(lines %in% c(0, 2))) {
    return(NULL)
  }
  order <- 1
  for (i in seq_len(nrow(cells) - 1)) {
    here <- order[i]
    along <- if (i %% 2 == 1) 1 else 2
    order[i + 1] <- setdiff(which(cells[, along] == cells[here, along]), here)
  }
  if (anyDuplicated(order)) NULL else unname(cells[order, , drop = FALSE])
}
