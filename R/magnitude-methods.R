#' Look at a magnitude table
#'
#' `print()`, `format()` and `summary()` show no value of a contributor and no total but the grand
#' one. `as.data.frame()` lists all contributors and is as confidential as the microdata.
#'
#' @param x,object (sdc_magnitude) The table.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @return `as.data.frame()`: a row for each contributor of a cell, largest first in each cell: one
#'   factor for each variable, `contributor` (the labels of `contributorVar`, or row numbers) and
#'   `value`, of a sample the weighted value, and `weight` beside it. `dim()`, `dimnames()`: of the
#'   table. `sum()`: the grand total. `summary()`: numbers of
#'   cells, contributors and contributors by cell.
#' @section Errors:
#' `sdc_error_input` for unknown arguments, and from `as.data.frame()` when a variable is
#' itself called `contributor` or `value`.
#' @family magnitude
#' @name sdc_magnitude-methods
#' @examples
#' firms <- data.frame(region = c("a", "a", "b"), turnover = c(5, 3, 4))
#' mg <- magnitude_table(firms, "region", "turnover")
#' summary(mg)
#' as.data.frame(mg)
NULL

#' @rdname sdc_magnitude-methods
#' @export
dim.sdc_magnitude <- function(x) unname(lengths(.subset2(x, "dimnames")))

#' @rdname sdc_magnitude-methods
#' @export
dimnames.sdc_magnitude <- function(x) .subset2(x, "dimnames")

#' @rdname sdc_magnitude-methods
#' @param na.rm Ignored: a table has no missing values.
#' @export
sum.sdc_magnitude <- function(x, ..., na.rm = FALSE) {
  check_no_dots(...)
  in_values(base::sum(x$value), x)
}

magnitude_words <- function(x) {
  unit <- if (x$divides) plain_number(x$unit) else "none: values are not whole"
  c(
    paste0("magnitude table of ", x$variable, ": ", paste(dim(x), collapse = " x "), " cells (",
           paste(names(x$dimnames), collapse = ", "), "), ",
           format_count(length(x$cell)), " with contributors"),
    paste0(plural(length(x$value), "contribution"), ", unit ", unit),
    weight_words(x),
    if (!is.null(x$top)) ready_words(x),
    if (length(x$hierarchies) > 0) {
      paste0("trees over ", paste(names(x$hierarchies), collapse = ", "))
    },
    if (!is.null(x$crossings)) paste("published:", plural(length(x$crossings), "crossing"))
  )
}

ready_words <- function(x) {
  paste0("ready cells: of each the ", if (x$top == 1) "largest contribution is known" else
    paste("largest", x$top, "contributions are known"),
    if (!is.null(x$totals)) "; holdings with parts in several cells")
}

#' @rdname sdc_magnitude-methods
#' @export
format.sdc_magnitude <- function(x, ...) {
  c("PRIVATE: holds the contributors", magnitude_words(x))
}

#' @rdname sdc_magnitude-methods
#' @export
summary.sdc_magnitude <- function(object, ...) {
  check_no_dots(...)
  count <- diff(object$start)
  structure(
    list(
      header = format(object), total = sum(object),
      contributors = c(
        one = base::sum(count == 1), two = base::sum(count == 2), more = base::sum(count > 2)
      ),
      zeros = base::sum(object$value == 0)
    ),
    class = sdc_class("sdc_magnitude_summary", mark = "confidential")
  )
}

#' @export
format.sdc_magnitude_summary <- function(x, ...) {
  n <- vapply(x$contributors, format_count, "")
  c(
    x$header,
    paste0("CONFIDENTIAL: cells with one contributor: ", n[["one"]], ", two: ", n[["two"]],
           ", more: ", n[["more"]]),
    paste0("CONFIDENTIAL: contributions of value 0: ", format_count(x$zeros))
  )
}

#' @rdname sdc_magnitude-methods
#' @export
as.data.frame.sdc_magnitude <- function(x, row.names = NULL, optional = FALSE, ...,
                                        stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_free_names(x$dimnames, c("contributor", "value", "weight"[is_sampled(x)]))
  cells <- rep(x$cell, diff(x$start))
  holder <- if (is.null(x$holders)) x$holder else x$holders[x$holder]
  list2data_frame(
    c(cell_factors(cells, x$dimnames), list(contributor = holder, value = in_values(x$value, x)),
      if (is_sampled(x)) list(weight = x$weight[x$holder] / x$per_weight)),
    length(cells)
  )
}

#' Look at a redistributed magnitude table
#'
#' `print()`, `format()` and `summary()` of the private result show no value, and failures of its
#' [audit()] first. `as.data.frame()` has the true totals and is confidential. The publication holds
#' totals (and counts, where they are published) and nothing else.
#'
#' @param x,object (sdc_magnitude_redistribution, or sdc_magnitude_publication) The table.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param totals (flag) The totals over variables and trees too?
#' @return `as.data.frame()`: one factor for each variable; of the private result `true`,
#'   `published`, `change` and `sensitive`; of a publication `total` and, where published, `count`.
#'   `summary()`: an object with the sums of changes (confidential). `autoplot()`: a ggplot object:
#'   published against true totals, or the published totals.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, for unknown arguments, and
#' from `as.data.frame()` when a variable has the name of a column of the result.
#' @family magnitude
#' @name sdc_magnitude_redistribution-methods
#' @examples
#' firms <- data.frame(
#'   region = rep(c("north", "south"), c(3, 4)), turnover = c(132, 99, 12, 40, 35, 30, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' re <- redistribute(mg, rule_p_percent(10), method = "iterative")
#' summary(re)
#' as.data.frame(publish(re, insist = TRUE), totals = TRUE)
NULL

#' @rdname sdc_magnitude_redistribution-methods
#' @export
format.sdc_magnitude_redistribution <- function(x, ...) {
  how <- c(
    minimal = "least change of totals that protects true contributors",
    iterative = "contributors and value moved step by step: modified contributors obey the rules",
    contributors = "least change of contributors: modified contributors obey the rules"
  )
  words <- format(x$audit)
  failed <- x$audit$failures > 0 || !x$settled
  c(
    if (!x$settled) "NOT PROTECTED: stopped before it settled",
    if (x$audit$failures > 0) words[1],
    "PRIVATE: holds the original table; publish() makes what may be released",
    if (x$reproducible) "reproducible, not for release",
    magnitude_words(x$original),
    how[[x$method]],
    paste0("rules: ", paste(x$rules$label, collapse = ", ")),
    if (!failed) paste0("audit: no estimate of a largest contributor within ",
                        plain_number(x$audit$p), " %")
  )
}

#' @rdname sdc_magnitude_redistribution-methods
#' @export
summary.sdc_magnitude_redistribution <- function(object, ...) {
  check_no_dots(...)
  change <- object$cells$change
  structure(
    list(
      header = format(object), audit = object$audit, changed = sum(change != 0),
      cells = length(change), share = sum(abs(change)) / sum(object$original),
      moves = c(table(factor(object$moves$kind, c("contributor", "value")))), mu = object$mu,
      remaining = object$remaining
    ),
    class = sdc_class("sdc_magnitude_redistribution_summary", mark = "confidential")
  )
}

#' @export
format.sdc_magnitude_redistribution_summary <- function(x, ...) {
  at <- utils::head(x$remaining, 5)
  columns <- lapply(unclass(at)[setdiff(names(at), "rules")], as.character)
  more <- nrow(x$remaining) - nrow(at)
  c(
    x$header,
    paste0("CONFIDENTIAL: ", format_count(x$changed), " of ", plural(x$cells, "cell"),
           " changed, by ", format(100 * x$share, digits = 3), " % of the grand total in all"),
    if (sum(x$moves) > 0) paste0(
      "CONFIDENTIAL: ", plural(x$moves[["contributor"]], "contributor"), " moved (mu = ",
      format_count(x$mu), "), ", plural(x$moves[["value"]], "move"), " of value"
    ),
    format(x$audit),
    if (nrow(at) > 0) paste0("still sensitive: ", label_words(columns), " (", at$rules, ")"),
    if (more > 0) paste0("and ", format_count(more), " more")
  )
}

#' @rdname sdc_magnitude_redistribution-methods
#' @export
as.data.frame.sdc_magnitude_redistribution <- function(x, row.names = NULL, optional = FALSE, ...,
                                                       stringsAsFactors = FALSE) {
  check_no_dots(...)
  held <- x$original
  check_free_names(held$dimnames, c("true", "published", "change", "sensitive"))
  list2data_frame(
    c(cell_factors(held$cell, held$dimnames), unclass(x$cells)[c("true", "published", "change")],
      list(sensitive = rowSums(apply_rules(held, x$rules, 0)$fired) > 0)),
    length(held$cell)
  )
}

#' @rdname sdc_magnitude_redistribution-methods
#' @usage \method{autoplot}{sdc_magnitude_redistribution}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_magnitude_redistribution <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  cells <- as.data.frame(object)
  places <- ggplot2::aes(x = .data$true, y = .data$published, colour = .data$sensitive)
  ggplot2::ggplot(cells, places) +
    ggplot2::geom_abline(colour = "grey70") +
    ggplot2::geom_point() +
    ggplot2::scale_colour_manual(values = c("FALSE" = "grey50", "TRUE" = "#cc3311")) +
    ggplot2::labs(x = "true total", y = "published total", title = "CONFIDENTIAL") +
    sdc_theme()
}

#' @rdname sdc_magnitude_redistribution-methods
#' @export
format.sdc_magnitude_publication <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  c(
    "public",
    paste0("totals of ", x$variable, ": ", paste(lengths(x$dimnames), collapse = " x "), " cells (",
           paste(names(x$dimnames), collapse = ", "), "), ",
           format_count(length(x$cells$cell)), " with contributors"),
    paste0("grand total ", format_count(sum(x$cells$total)), ", unit ", plain_number(x$unit)),
    if (!is.null(x$max_change)) paste0("no cell was changed by more than ",
                                       plain_number(x$max_change)),
    if (is.null(x$cells$count)) "numbers of contributors are not published"
  )
}

#' @rdname sdc_magnitude_redistribution-methods
#' @export
summary.sdc_magnitude_publication <- function(object, ...) {
  check_no_dots(...)
  structure(
    list(header = format(object), totals = summary(object$cells$total)),
    class = sdc_class("sdc_magnitude_publication_summary")
  )
}

#' @export
format.sdc_magnitude_publication_summary <- function(x, ...) x$header

#' @export
print.sdc_magnitude_publication_summary <- function(x, ...) {
  NextMethod()
  print_quantiles(unclass(x$totals))
  invisible(x)
}

#' @rdname sdc_magnitude_redistribution-methods
#' @export
as.data.frame.sdc_magnitude_publication <- function(x, row.names = NULL, optional = FALSE, ...,
                                                    totals = FALSE, stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_flag(totals)
  check_free_names(x$dimnames, c("total", "count"))
  held <- list(dimnames = x$dimnames, cell = x$cells$cell, hierarchies = x$hierarchies,
               total_label = x$total_label)
  families <- if (totals) total_families(held) else list(leaf_family(held))
  labels <- family_labels(held, families)
  parts <- lapply(families, function(family) {
    part <- family_part(held, family)
    inside <- part > 0
    at <- sort(unique(part[inside]))
    sums <- lapply(x$cells[-1], function(v) as.vector(rowsum(v[inside], part[inside])))
    sums$total <- in_values(in_units(sums$total, x), x)
    list2data_frame(c(family_factors(at, family, labels), sums), length(at))
  })
  bind_frames(parts)
}

#' @rdname sdc_magnitude_redistribution-methods
#' @usage \method{autoplot}{sdc_magnitude_publication}(object, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_magnitude_publication <- function(object, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  check_size(prod(lengths(object$dimnames)), 1e6, "cells to draw")
  totals <- numeric(prod(lengths(object$dimnames)))
  totals[object$cells$cell] <- object$cells$total
  draw_tiles(object$dimnames, totals, object$variable) + ggplot2::labs(title = "Published totals")
}
