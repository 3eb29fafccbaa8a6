#' Look at a comparison of methods
#'
#' `print()` shows a table with a row for each measure and a column for each method;
#' [compare_methods()] says what the measures are. `autoplot()` draws the risk-utility picture, a
#' point for each method: risk up, loss to the right, so that the best methods are near the lower
#' left corner. **All of it is confidential.**
#'
#' @param x,object (sdc_comparison) What [compare_methods()] returned.
#' @param risk,loss (string) The measures that are the axes of the picture.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param ... Not used.
#' @return `as.data.frame()`: long, a row for each method and measure: `method`, `measure`, `kind`
#'   (`"risk"` or `"utility"`), `value`, `std_error` (over publications, 0 for methods that draw
#'   nothing), `how` (`"exact"` or `"simulated"`, for one publication), `exact` (the number of
#'   tables with all digits, for methods that draw nothing), `note` (why there is no value, or
#'   empty). `summary()`: wide, a row for each measure and a column for each method. `autoplot()`: a
#'   ggplot object; `plot()` prints it.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown measures, and
#' when no method has both.
#' @family compare
#' @name sdc_comparison-methods
#' @examples
#' co <- compare_methods(roehrig, list(method_margins(), method_cyclic(covers = 2)), replicates = 3)
#' summary(co)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(co)
NULL

#' @rdname sdc_comparison-methods
#' @export
as.data.frame.sdc_comparison <- function(x, row.names = NULL, optional = FALSE, ...,
                                         stringsAsFactors = FALSE) {
  check_no_dots(...)
  x$measures
}

#' @rdname sdc_comparison-methods
#' @export
summary.sdc_comparison <- function(object, ...) {
  check_no_dots(...)
  m <- object$measures
  methods <- unique(m$method)
  measures <- unique(m$measure)
  at <- match(paste(rep(measures, length(methods)), rep(methods, each = length(measures))),
              paste(m$measure, m$method))
  wide <- matrix(m$value[at], length(measures), dimnames = list(NULL, methods))
  data.frame(
    measure = measures, kind = m$kind[match(measures, m$measure)], wide, check.names = FALSE
  )
}

#' @rdname sdc_comparison-methods
#' @export
format.sdc_comparison <- function(x, ...) {
  say(
    "{length(x$methods)} method{?s} on {x$shape}",
    if (any(vapply(x$methods, `[[`, NA, "random"))) "small counts: {toString(x$small)}; prior of the
      intruder: {format(x$prior)}; {x$replicates} publication{?s} of each random method" else
      "small counts: {toString(x$small)}; prior of the intruder: {format(x$prior)}"
  )
}

#' @rdname sdc_comparison-methods
#' @export
print.sdc_comparison <- function(x, ...) {
  NextMethod()
  print_measures(x)
  notes <- unique(x$measures[nzchar(x$measures$note), c("method", "note")])
  for (i in seq_len(nrow(notes))) {
    cat(strwrap(paste0(notes$method[i], ": ", notes$note[i]), 100, 2, 4), sep = "\n")
  }
  invisible(x)
}

# Methods in columns, as many side by side as the line holds.
print_measures <- function(x) {
  wide <- summary(x)
  methods <- names(wide)[-(1:2)]
  drawn <- x$measures[x$measures$how %in% "simulated", ]
  columns <- lapply(methods, function(m) {
    paste0(vapply(wide[[m]], value_words, ""),
           ifelse(wide$measure %in% drawn$measure[drawn$method == m], "~", ""))
  })
  heads <- lapply(methods, strwrap, 14)
  depth <- max(lengths(heads))
  all <- cbind(c(rep("", depth), wide$measure), mapply(function(head, column) {
    c(rep("", depth - length(head)), head, column)
  }, heads, columns))
  width <- apply(nchar(all), 2, max)
  for (block in column_blocks(width)) {
    lines <- vapply(c(1, block), function(k) {
      formatC(all[, k], width = if (k == 1) -width[1] else width[k])
    }, character(nrow(all)))
    lines <- apply(lines, 1, paste, collapse = "  ")
    risk <- depth + sum(wide$kind == "risk")
    cat(lines[seq_len(depth)], "risk", lines[(depth + 1):risk], "utility",
        lines[-seq_len(risk)], sep = "\n")
  }
  if (nrow(drawn) > 0) cat("~ simulated\n")
}

value_words <- function(v) {
  if (is.na(v)) {
    return("-")
  }
  if (abs(v) < 5e-5) v <- 0
  if (v == round(v)) {
    return(format_count(v))
  }
  sub("[.]$", "", formatC(v, digits = 3, format = "fg", flag = "#"))
}

# Columns but the first, in groups that fit the line beside it.
column_blocks <- function(width) {
  room <- getOption("width") - width[1]
  blocks <- list()
  left <- 0
  for (k in seq_along(width)[-1]) {
    if (left < width[k] + 2) {
      blocks[[length(blocks) + 1]] <- integer()
      left <- room
    }
    blocks[[length(blocks)]] <- c(blocks[[length(blocks)]], k)
    left <- left - width[k] - 2
  }
  blocks
}

#' @rdname sdc_comparison-methods
#' @usage \method{autoplot}{sdc_comparison}(object, risk = "guess_small", loss = "abs_change", ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_comparison <- function(object, risk = "guess_small", loss = "abs_change", ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  m <- object$measures
  check_choice(risk, unique(m$measure[m$kind == "risk"]))
  check_choice(loss, unique(m$measure[m$kind == "utility"]))
  of <- function(name) m[m$measure == name, ]
  up <- of(risk)
  right <- of(loss)[match(up$method, of(loss)$method), ]
  points <- data.frame(
    method = up$method, risk = up$value, loss = right$value, risk_error = 2 * up$std_error,
    loss_error = 2 * right$std_error
  )
  points <- points[!is.na(points$risk) & !is.na(points$loss), ]
  if (nrow(points) == 0) {
    abort_sdc("input", c(
      "At least one method must have both measures.",
      x = "None has {.val {risk}} and {.val {loss}}."
    ))
  }
  draw_comparison(points, risk, loss)
}

draw_comparison <- function(points, risk, loss) {
  ggplot2::ggplot(points, ggplot2::aes(.data$loss, .data$risk)) +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$risk - .data$risk_error, ymax = .data$risk + .data$risk_error),
      colour = "grey70"
    ) +
    ggplot2::geom_linerange(
      ggplot2::aes(xmin = .data$loss - .data$loss_error, xmax = .data$loss + .data$loss_error),
      colour = "grey70"
    ) +
    ggplot2::geom_point(colour = "#0072B2", size = 2.5) +
    point_names(points, points$method) +
    ggplot2::labs(
      x = axis_title("Loss", loss, measure_titles), y = axis_title("Risk", risk, measure_titles),
      caption = "Confidential: computed from the original table."
    ) +
    sdc_theme()
}
