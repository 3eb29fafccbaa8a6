# Contributors of cells as stacked bars, with the total that each rule asks for.

#' Draw the contributors of each cell, with the rules
#'
#' A bar for each cell, as long as its total and stacked of its contributors, the largest first. For
#' each rule a mark shows the total that the cell would need beside its largest contributors: **a
#' cell whose bar does not reach a mark is sensitive** by that rule. The number in brackets is that
#' of its contributors, with "< n" where a threshold rule asks for more. **Confidential.**
#'
#' @details The marks are, for contributors x1 >= x2 >= ... with the total T: 100 / k times
#' x1 + ... + xn for `rule_nk(n, k)`, 100 x1 / k for `rule_max_share(k)`, and
#' x1 (1 + p / 100) + x2 for `rule_p_percent(p)`.
#'
#' @param object (sdc_magnitude, or sdc_sensitivity) The table, or what [sensitive()] found. The
#'   latter knows of the two largest contributors of each cell and of the others together; rules
#'   that need more are not drawn.
#' @param type (string) `"contributors"`.
#' @param rules (sdc_rules or `NULL`) For an `sdc_magnitude`: the rules to draw.
#' @param most (whole number) How many cells are drawn: sensitive ones first, then the largest.
#' @param share (flag) Bars in percent of the total of their cell? Then small cells can be read
#'   beside large ones.
#' @param ... Not used.
#' @return A ggplot object. `plot()` prints it and returns it invisibly.
#' @section Errors: `sdc_error_input` when ggplot2 is not installed, and for bad arguments.
#' @family magnitude
#' @name contributors-plot
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' firms <- data.frame(
#'   region = rep(c("north", "south"), c(3, 4)), turnover = c(132, 99, 12, 40, 35, 30, 20)
#' )
#' mg <- magnitude_table(firms, "region", "turnover")
#' # the bar of "north" ends before its mark: it needs 244.2 and has 243
#' plot(mg, "contributors", rules = rule_p_percent(10))
#' @usage \method{autoplot}{sdc_magnitude}(object, type = "contributors", rules = NULL, most = 30,
#'   share = FALSE, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_magnitude <- function(object, type = "contributors", rules = NULL, most = 30,
                                   share = FALSE, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw contributors")
  check_choice(type, "contributors")
  if (!is.null(rules)) check_sensitivity_rules(rules)
  if (!is.null(rules)) check_tops_suffice(object, rules, FALSE)
  check_whole(most, min = 1)
  check_flag(share)
  size <- diff(object$start)
  rank <- sequence(size)
  parts <- data.frame(cell = rep(seq_along(size), size), rank = rank,
                      value = in_values(abs(object$value), object))
  if (!is.null(object$top)) parts <- with_others_together(parts, object$top)
  draw_contributors(cell_texts(object$cell, object$dimnames), parts, size, rules, most, share,
                    has_negative(object))
}

#' @rdname contributors-plot
#' @usage \method{autoplot}{sdc_sensitivity}(object, type = "contributors", most = 30,
#'   share = FALSE, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_sensitivity <- function(object, type = "contributors", most = 30, share = FALSE, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw contributors")
  check_choice(type, "contributors")
  check_whole(most, min = 1)
  check_flag(share)
  n <- nrow(object)
  total <- object$absolute %||% object$total
  held <- function(share) ifelse(is.na(share), 0, share) / 100 * total
  parts <- data.frame(
    cell = rep(seq_len(n), each = 3), rank = rep(1:3, n),
    value = as.vector(rbind(held(object$share1), held(object$share2),
                            total - held(object$share1) - held(object$share2)))
  )
  cells <- do.call(paste, c(lapply(unclass(object)[judged_variables(object)], as.character),
                            sep = " / "))
  draw_contributors(cells, parts, object$count, attr(object, "sdc_rules"), most, share,
                    !is.null(object$absolute), grouped = TRUE)
}

# Of ready cells the others are known together.
with_others_together <- function(parts, top) {
  parts$rank <- pmin(parts$rank, top + 1)
  key <- paste(parts$cell, parts$rank)
  out <- parts[!duplicated(key), ]
  out$value <- as.vector(rowsum(parts$value, key, reorder = FALSE))
  out
}

cell_texts <- function(at, labels) do.call(paste, c(unname(cell_factors(at, labels)), sep = " / "))

# `parts`: a row for each contributor, or, when `grouped`, for the first, the second and the others.
draw_contributors <- function(cells, parts, count, rules, most, share, absolute, grouped = FALSE) {
  total <- as.vector(rowsum(parts$value, factor(parts$cell, seq_along(cells))))
  marks <- rule_marks(parts, total, rules, grouped)
  few <- count < max(0, threshold_of(rules))
  short <- few | seq_along(cells) %in% marks$cell[marks$need > total[marks$cell] * (1 + 1e-12)]
  shown <- sort(utils::head(order(!short, -total), most))
  name <- make.unique(paste0(short_level(cells), count_labels(count, threshold_of(rules))))
  level <- factor(name[shown], rev(name[shown]))
  unit <- if (share) ifelse(total > 0, 100 / total, 0) else rep(1, length(cells))
  parts <- parts[parts$cell %in% shown, ]
  parts$length <- parts$value * unit[parts$cell]
  parts$held <- factor(contributor_kinds[pmin(parts$rank, 3)], rev(contributor_kinds))
  parts$line <- level[match(parts$cell, shown)]
  marks <- marks[marks$cell %in% shown, ]
  marks$length <- marks$need * unit[marks$cell]
  marks$at <- length(shown) + 1 - match(marks$cell, shown)
  bar_picture(parts, marks) + ggplot2::labs(
    x = if (share) "percent of the total" else if (absolute) "sum of absolute values" else "total",
    y = NULL, title = "Confidential: contributors",
    subtitle = part_title("cells, sensitive ones first, of", length(shown), length(cells)),
    caption = mark_words(rules, grouped)
  )
}

contributor_kinds <- c("largest", "second largest", "others")

bar_picture <- function(parts, marks) {
  ggplot2::ggplot(parts, ggplot2::aes(.data$length, .data$line)) +
    ggplot2::geom_col(ggplot2::aes(fill = .data$held, group = -.data$rank), colour = "white",
                      linewidth = .4, width = .6, orientation = "y") +
    (if (nrow(marks) > 0) ggplot2::geom_segment(
      ggplot2::aes(.data$length, .data$at - .42, xend = .data$length, yend = .data$at + .42,
                   linetype = .data$rule),
      marks, colour = "#D55E00", linewidth = 1, inherit.aes = FALSE
    )) +
    ggplot2::scale_fill_manual(
      values = c(largest = "#08519c", `second largest` = "#6baed6", others = "#c6dbef"),
      breaks = contributor_kinds, name = "contributor"
    ) +
    ggplot2::scale_x_continuous(labels = format_count,
                                expand = ggplot2::expansion(mult = c(0, .05))) +
    ggplot2::labs(linetype = "the bar must reach") +
    sdc_theme()
}

threshold_of <- function(rules) {
  rules <- unclass(rules)
  max(0, rules$n[rules$kind == "threshold"])
}

count_labels <- function(count, least) {
  paste0(" (", format_count(count), ifelse(count < least, paste0(" < ", format_count(least)), ""),
         ")")
}

mark_words <- function(rules, grouped) {
  rules <- unclass(rules)
  words <- c(
    "In brackets: the number of contributors.",
    if (any(rules$kind != "threshold")) {
      "A cell is sensitive where its bar ends before a mark of the rules."
    },
    if (grouped && any(rules$kind == "nk" & rules$n > 2)) {
      "Rules on more than two contributors are not drawn."
    }
  )
  paste(words, collapse = "\n")
}

# The total at which each rule would be content with each cell.
rule_marks <- function(parts, total, rules, grouped) {
  rules <- unclass(rules)
  first <- function(n) {
    held <- parts[parts$rank <= n, ]
    as.vector(rowsum(held$value, factor(held$cell, seq_along(total))))
  }
  drawn <- which(rules$kind == "p_percent" | (rules$kind == "nk" & (!grouped | rules$n <= 2)))
  marks <- lapply(drawn, function(r) {
    percent <- rules$percent[r] / 1e6
    need <- if (rules$kind[r] == "nk") first(rules$n[r]) * 100 / percent else
      first(2) + first(1) * percent / 100
    data.frame(cell = seq_along(total), need = need, rule = rules$label[r])[total > 0, ]
  })
  empty <- data.frame(cell = integer(), need = numeric(), rule = character())
  do.call(rbind, c(list(empty), marks))
}
