# The cells of a protected table before and after, in one form whatever the method: what reports and
# figures are made of. It holds the original counts.

# `labels` (a list of factors), `original` and `published` (NA where it is hidden), `total` (flags).
before_after <- function(x) UseMethod("before_after")

new_before_after <- function(labels, original, published, total) {
  list(labels = labels, original = original, published = published, total = total)
}

# Are cells totals? `dimnames`: the levels of each variable alone.
total_rows <- function(labels, dimnames) {
  over <- Map(function(label, levels) !as.character(label) %in% levels, labels, dimnames)
  Reduce(`|`, over, logical(length(labels[[1]])))
}

#' @export
before_after.default <- function(x) {
  abort_sdc("input", c(
    "Only what {.fn protect} returned can be shown before and after.",
    x = "Its {.code $protected} is {.obj_type_friendly {x}}.",
    i = "Run {.fn protect} again."
  ))
}

#' @export
before_after.sdc_suppression <- function(x) {
  cells <- as.data.frame(x)
  labels <- unclass(cells)[names(x$original$dimnames)]
  value <- intersect(c("freq", "total"), names(cells))[[1]]
  hidden <- cells$sdcStatus %in% c("u", "x")
  new_before_after(labels, cells[[value]], ifelse(hidden, NA, cells[[value]]),
                   total_rows(labels, x$original$dimnames))
}

#' @export
before_after.sdc_perturbation <- function(x) {
  layout <- x$published$layout %||% all_totals_layout(x$original)
  before <- published_rows(set_layout(x$original, layout), TRUE, "original")
  after <- published_rows(set_layout(x$published, layout), TRUE, "published")
  labels <- unclass(before)[names(x$original$dimnames)]
  new_before_after(labels, before$original, after$published,
                   total_rows(labels, x$original$dimnames))
}

# Totals over each variable, without trees.
all_totals_layout <- function(x) new_layout(NULL, free_name("Total", unlist(x$dimnames)))

#' @export
before_after.sdc_rounding <- function(x) {
  cells <- as.data.frame(x, totals = TRUE)
  labels <- unclass(cells)[names(x$original$dimnames)]
  new_before_after(labels, cells$original, cells$rounded, total_rows(labels, x$original$dimnames))
}

#' @export
before_after.sdc_hex_redistribution <- function(x) {
  cells <- as.data.frame(x)
  labels <- lapply(unclass(cells)[c("q", "r")], function(v) factor(whole_text(v)))
  new_before_after(labels, cells$original, cells$redistributed, logical(nrow(cells)))
}

#' @export
before_after.sdc_magnitude_redistribution <- function(x) {
  cells <- as.data.frame(x)
  labels <- unclass(cells)[names(x$original$dimnames)]
  new_before_after(labels, cells$true, cells$published, logical(nrow(cells)))
}
