# Pictures of bounds: number lines.

#' @rdname bounds-methods
#' @usage \method{autoplot}{sdc_bounds}(object, most = 40, table = NULL, also = NULL, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_bounds <- function(object, most = 40, table = NULL, also = NULL, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  check_whole(most, min = 1)
  if (!is.null(also)) most <- min(most, max_panels)
  at <- cell_numbers(object$codes, object$dimnames)
  shown <- sort(utils::head(order(object$upper - object$lower), most))
  truth <- if (!is.null(table)) counts_to_mark(table, object$dimnames)[at[shown]]
  if (is.null(also)) {
    picture <- draw_intervals(interval_frame(object, at[shown]), truth)
  } else {
    picture <- draw_releases(releases_to_compare(object, also), at[shown], truth)
  }
  picture + ggplot2::labs(
    title = part_title("narrowest of", length(shown), length(at)),
    caption = paste0("Cells: ", paste(names(object$dimnames), collapse = " / "), ".",
                     if (!is.null(truth)) " Confidential: a cross marks the original count.")
  )
}

# A row for each of the cells `at`.
interval_frame <- function(x, at) {
  k <- match(at, cell_numbers(x$codes, x$dimnames))
  if (anyNA(k)) {
    abort_sdc("input", c(
      "All bounds must be of the same cells.",
      x = "Some of {.arg also} has no bounds for {cell_words(at[is.na(k)][1], x$dimnames)}."
    ))
  }
  cell <- do.call(paste, c(unname(cell_factors(at, x$dimnames)), sep = " / "))
  data.frame(
    cell = factor(cell, unique(cell)), lower = x$lower[k], upper = x$upper[k],
    known = ifelse(x$upper[k] == x$lower[k], "exactly",
                   ifelse(x$sharp[k], "sharp interval", "outer interval"))
  )
}

counts_to_mark <- function(table, dimnames) {
  x <- table_argument(table, "table")
  if (!identical(lapply(x$dimnames, as.character), lapply(dimnames, as.character))) {
    abort_sdc("input", c(
      "{.arg table} must have the variables and levels of the bounds, in their order.",
      x = "{.arg table} is {shape_words(x$dimnames)}, the bounds are of {shape_words(dimnames)}."
    ))
  }
  dense_counts(x)
}

draw_intervals <- function(frame, truth) {
  frame$cell <- factor(frame$cell, rev(levels(frame$cell)))
  interval_layers(frame, "cell", truth) + ggplot2::labs(x = "count", y = NULL, colour = "known")
}

# A panel for each cell, a line for each release.
draw_releases <- function(all, at, truth) {
  frame <- do.call(rbind, lapply(names(all), function(name) {
    cbind(interval_frame(all[[name]], at), release = name)
  }))
  frame$release <- factor(frame$release, rev(names(all)))
  interval_layers(frame, "release", rep(truth, length(all))) +
    ggplot2::facet_wrap("cell", labeller = ggplot2::label_wrap_gen(22)) +
    ggplot2::scale_y_discrete(labels = short_level) +
    ggplot2::labs(x = "count", y = NULL, colour = "known")
}

# A whole number is a point as long as the points can be told apart.
interval_layers <- function(frame, line, truth) {
  frame$truth <- truth
  width <- frame$upper - frame$lower
  inner <- if (all(is.finite(width)) && max(frame$upper) <= 60) {
    frame[rep(seq_len(nrow(frame)), width + 1), ]
  }
  if (!is.null(inner)) inner$count <- inner$lower + sequence(width + 1) - 1
  colours <- c(exactly = "#D55E00", `sharp interval` = "#0072B2", `outer interval` = "#56B4E9")
  ggplot2::ggplot(frame, ggplot2::aes(y = .data[[line]], colour = .data$known)) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), linewidth = 1.2) +
    (if (!is.null(inner)) ggplot2::geom_point(ggplot2::aes(.data$count), inner, size = 1.1)) +
    ggplot2::geom_point(ggplot2::aes(.data$lower), size = 2.2) +
    ggplot2::geom_point(ggplot2::aes(.data$upper), size = 2.2) +
    (if (!is.null(truth)) ggplot2::geom_point(ggplot2::aes(.data$truth), colour = "black",
                                              shape = 4, size = 2.6, stroke = 1.1)) +
    ggplot2::scale_colour_manual(values = colours) +
    ggplot2::scale_x_continuous(labels = format_count) +
    sdc_theme()
}

# `object` under the name that `also` gives it.
releases_to_compare <- function(object, also) {
  ok <- is.list(also) && !is.object(also) && length(also) > 0 && !is.null(names(also)) &&
    all(nzchar(names(also))) && !anyDuplicated(names(also))
  if (!ok) {
    abort_sdc("input", c(
      "{.arg also} must be a list of bounds, each with a name of its own.",
      x = "{.arg also} is {.obj_type_friendly {also}}{if (is.list(also)) ' without such names'}."
    ))
  }
  first <- if (is.character(also$object)) also$object else "this release"
  others <- also[!(names(also) == "object" & vapply(also, is.character, NA))]
  for (one in others) {
    check_class(one, "sdc_bounds", "also", make = "bounds_margins")
    if (!identical(lengths(one$dimnames, FALSE), lengths(object$dimnames, FALSE))) {
      abort_sdc("input", c(
        "All bounds in {.arg also} must be of the same table.",
        x = "One is of {paste(lengths(one$dimnames), collapse = ' x ')} cells."
      ))
    }
  }
  c(rlang::set_names(list(object), first), others)
}
