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

# Tables that were perturbed one by one, as rows of one frame: the variables that a table does not
# have stand at their total.
#' @export
before_after.list <- function(x) {
  if (length(x) == 0 || !all(vapply(x, inherits, NA, "sdc_perturbation"))) {
    return(before_after.default(x))
  }
  each <- lapply(unname(x), before_after)
  labels <- common_labels(lapply(each, `[[`, "labels"), total_of_tables(x))
  first <- !duplicated(label_words(labels))
  column <- function(name) unlist(lapply(each, `[[`, name))[first]
  new_before_after(lapply(labels, `[`, first), column("original"), column("published"),
                   column("total"))
}

total_of_tables <- function(x) {
  known <- lapply(x, function(one) (one$published %||% one$table)$layout$total_label)
  unlist(known)[1] %||% "Total"
}

# A column for each variable of all parts, with `total` where a part lacks it.
common_labels <- function(parts, total) {
  variables <- unique(unlist(lapply(parts, names)))
  columns <- lapply(rlang::set_names(variables), function(v) {
    each <- lapply(parts, function(labels) {
      if (is.null(labels[[v]])) rep(total, length(labels[[1]])) else as.character(labels[[v]])
    })
    levels <- unlist(lapply(parts, function(labels) levels(labels[[v]])))
    factor(unlist(each), unique(c(levels, total)))
  })
  columns
}
