# What all publications of a record leave of the protected cells, one after the other.

#' What is left beside what is out
#'
#' `summary()` says, for each publication of a record, how many cells were protected by it and all
#' before it, and how wide the intervals were that all of these left. `plot()` draws it: what is
#' out, by date, and what it leaves.
#'
#' @details An interval is that of a reader who has all publications until then, see
#' [publication_record()]. Each publication is asked once, with all before it: it takes as long as
#' it took to enter them. Redistributed maps and magnitudes have no intervals.
#'
#' @param object (sdc_record) The record.
#' @param ... Not used.
#' @return `summary()`: a data frame, **confidential**, with a row for each publication: `at`,
#'   `kind`, `protected` (how many cells are protected until then), `known` (those whose interval is
#'   one count: none, where nothing was published by `insist = TRUE`), `narrowest` and `median`
#'   (widths of the intervals, `NA` where nothing is protected yet). `autoplot()`: a ggplot object.
#' @section Errors: `sdc_error_refused` when a line of the record was changed; `sdc_error_input`
#'   when ggplot2 is needed and not installed, for unknown arguments, and for a picture of a record
#'   that protects nothing.
#' @section Guarantee: An interval is exact, or contains the exact one where the time of a search
#'   ended.
#' @family suppress
#' @name sdc_record-methods
#' @examplesIf all(vapply(c("RSQLite", "ggplot2"), requireNamespace, NA, quietly = TRUE))
#' out <- publication_record()
#' x <- as_sdc_table(HairEyeColor)
#' first <- publish(suppress(x, 3), record = out)
#' second <- publish(margins(x, list(c("Hair", "Sex"))), record = out)
#' summary(out)
#' plot(out)
NULL

#' @rdname sdc_record-methods
#' @export
summary.sdc_record <- function(object, ...) {
  check_no_dots(...)
  held <- read_entries(object)
  widths <- widths_in_record(held)
  of <- function(measure) {
    vapply(widths, function(width) if (length(width) > 0) measure(width) else NA_real_, 1)
  }
  cbind(held$lines[c("at", "kind")], protected = lengths(widths),
        known = vapply(widths, function(width) sum(width == 0), 1L),
        narrowest = of(min), median = of(stats::median))
}

# For each publication the widths that it and all before it leave of the cells protected by then.
widths_in_record <- function(held) {
  lapply(seq_along(held$entries), function(i) {
    entries <- held$entries[seq_len(i)]
    guarded <- guarded_of(entries)
    if (NROW(guarded) == 0) {
      return(numeric())
    }
    guarded <- guarded[!duplicated(guarded[guarded_variables(guarded)]), ]
    bounds <- bound_together(entries, guarded, held$years)$bounds
    (bounds$upper - bounds$lower)[seq_len(nrow(guarded))]
  })
}

#' @rdname sdc_record-methods
#' @usage \method{autoplot}{sdc_record}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_record <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  held <- read_entries(object)
  widths <- widths_in_record(held)
  if (sum(lengths(widths)) == 0) {
    abort_sdc("input", c(
      "A record has a picture when its publications protect cells.",
      x = "It has {length(widths)} publication{?s}, which protect none."
    ))
  }
  number <- rep(seq_along(widths), lengths(widths))
  kinds <- gsub("_", " ", sub("^sdc_", "", held$lines$kind))
  names <- paste0(seq_along(widths), "\n", substr(held$lines$at, 1, 10), "\n", kinds)
  draw_record(list2data_frame(list(
    publication = factor(names[number], names), width = width_class(unlist(widths))
  ), length(number)))
}

width_classes <- c("0: known", "1", "2", "3 to 5", "6 to 10", "more than 10")

width_class <- function(width) {
  cut(width, c(-Inf, 0, 1, 2, 5, 10, Inf), width_classes)
}

draw_record <- function(cells) {
  ggplot2::ggplot(cells, ggplot2::aes(.data$publication, fill = .data$width)) +
    ggplot2::geom_bar(width = .7) +
    ggplot2::scale_x_discrete(drop = FALSE) +
    ggplot2::scale_y_continuous(breaks = function(limits) unique(floor(pretty(limits)))) +
    ggplot2::scale_fill_manual(
      values = rlang::set_names(c("#d7191c", "#fdae61", "#ffe08a", "#abd9e9", "#5e9fcb", "#2c5f8a"),
                                width_classes),
      name = "width of\nthe interval"
    ) +
    ggplot2::labs(x = NULL, y = "protected cells",
                  title = "What is out, and what it leaves of the protected cells",
                  caption = "Confidential: it says how many cells are protected.") +
    sdc_theme()
}
