# Pictures of reports: SVG inside the page, in the colour of its text, so that they are readable on
# paper and on dark screens. They need no library and no other file.

picture_colours <- c(hidden = "#d1495b", changed = "#d98a29")

# At most so many lines and columns are drawn.
drawn_lines_at_most <- 60
drawn_columns_at_most <- 40

svg_number <- function(x) sub("\\.?0+$", "", sprintf("%.2f", x))

svg_picture <- function(width, height, alt, shapes) {
  c(
    paste0("<svg viewBox=\"0 0 ", svg_number(width), " ", svg_number(height), "\" width=\"",
           svg_number(width), "\" role=\"img\" aria-label=\"", escape_html(alt), "\">"),
    paste0("<title>", escape_html(alt), "</title>"), shapes, "</svg>"
  )
}

# `end`: does the text end at x?
svg_text <- function(x, y, text, end = FALSE, turn = FALSE) {
  at <- paste(svg_number(x), svg_number(y))
  place <- if (turn) paste0(" transform=\"translate(", at, ") rotate(-50)\"") else
    paste0(" x=\"", svg_number(x), "\" y=\"", svg_number(y), "\"")
  anchor <- if (end) " text-anchor=\"end\"" else ""
  paste0("<text", place, anchor, ">", escape_html(text), "</text>", recycle0 = TRUE)
}

svg_rect <- function(x, y, width, height, fill = "currentColor", opacity = 1) {
  paste0("<rect x=\"", svg_number(x), "\" y=\"", svg_number(y), "\" width=\"", svg_number(width),
         "\" height=\"", svg_number(height), "\" fill=\"", fill, "\" fill-opacity=\"",
         svg_number(opacity), "\"/>", recycle0 = TRUE)
}

svg_path <- function(d, stroke = "currentColor", fill = "none", width = 1.5) {
  paste0("<path d=\"", d, "\" stroke=\"", stroke, "\" fill=\"", fill, "\" stroke-width=\"", width,
         "\"/>", recycle0 = TRUE)
}

value_texts <- function(v) trimws(show_column(v, 15))

svg_label_width <- function(texts) min(220, 7 * max(0, nchar(texts)) + 10)

# ---- how much was changed -----------------------------------------------------------------------

# A bar for each change, and one for what is hidden.
picture_of_changes <- function(cells) {
  hidden <- is.na(cells$published)
  bars <- change_bars((cells$published - cells$original)[!hidden])
  n <- c(bars$n, if (any(hidden)) sum(hidden))
  labels <- c(bars$labels, if (any(hidden)) "hidden")
  fill <- c(ifelse(bars$labels == "0", "currentColor", picture_colours[["changed"]]),
            if (any(hidden)) picture_colours[["hidden"]])
  left <- svg_label_width(labels)
  y <- 20 * seq_along(n) - 16
  width <- 400 * n / max(n)
  alt <- paste0("Bars: ", paste0(ifelse(labels == "hidden", "hidden", paste("change", labels)),
                                 " in ", format_count(n), collapse = "; "), ".")
  html_picture(
    svg_picture(left + 480, 20 * length(n) + 8, alt, c(
      svg_text(left - 6, y + 12, labels, end = TRUE), svg_rect(left, y, width, 15, fill, .8),
      svg_text(left + width + 6, y + 12, format_count(n))
    )),
    paste0("How much was changed: ", format_count(sum(cells$published == cells$original,
                                                      na.rm = TRUE)),
           " of ", plural(length(hidden), "cell"), " and totals are published as they are.")
  )
}

# Few whole changes each have a bar, others are put together.
change_bars <- function(change) {
  if (length(change) == 0) {
    return(list(labels = character(), n = numeric()))
  }
  values <- sort(unique(change))
  if (length(values) <= 15 && all(values == floor(values))) {
    return(list(labels = signed_texts(values), n = tabulate(match(change, values), length(values))))
  }
  breaks <- pretty(range(change), 10)
  n <- tabulate(findInterval(change[change != 0], breaks, rightmost.closed = TRUE),
                length(breaks) - 1)
  labels <- paste(signed_texts(breaks[-length(breaks)]), "to", signed_texts(breaks[-1]))
  zero <- sum(change == 0)
  list(labels = c(if (zero > 0) "0", labels[n > 0]), n = c(if (zero > 0) zero, n[n > 0]))
}

signed_texts <- function(x) paste0(ifelse(x > 0, "+", ""), trimws(show_column(x, 7)))

# ---- where it was changed -----------------------------------------------------------------------

# The last variable across, all others down, as in the table of the page; NULL where that is too
# large.
picture_places <- function(labels) {
  across <- as.character(labels[[length(labels)]])
  down <- labels[-length(labels)]
  heads <- if (length(down) == 0) rep("", length(across)) else
    do.call(paste, c(lapply(unname(down), as.character), sep = ", "))
  rows <- unique(heads)
  columns <- unique(across)
  if (length(rows) > drawn_lines_at_most || length(columns) > drawn_columns_at_most) {
    return(NULL)
  }
  left <- svg_label_width(cut_text(rows, 30))
  top <- 12 + .8 * svg_label_width(cut_text(columns, 20))
  x <- left + 24 * (match(across, columns) - 1)
  y <- top + 20 * (match(heads, rows) - 1)
  list(
    x = x, y = y, width = left + 24 * length(columns) + top, height = top + 20 * length(rows) + 4,
    names = c(
      svg_text(left - 6, top + 20 * seq_along(rows) - 6, cut_text(rows, 30), end = TRUE),
      svg_text(left + 24 * seq_along(columns) - 10, rep(top - 6, length(columns)),
               cut_text(columns, 20), turn = TRUE)
    )
  )
}

svg_crosses <- function(x, y) {
  at <- paste(svg_number(x + 7), svg_number(y + 5), recycle0 = TRUE)
  svg_path(paste0("M", at, "l8 8m0 -8l-8 8", recycle0 = TRUE), "white", width = 2)
}

svg_arrows <- function(x, y, up) {
  svg_path(ifelse(up, paste0("M", svg_number(x + 6), " ", svg_number(y + 13), "l5 -8l5 8z"),
                  paste0("M", svg_number(x + 6), " ", svg_number(y + 5), "l5 8l5 -8z")),
           "none", "white")
}

# Which cells of a table are hidden, raised, lowered or kept.
picture_of_places <- function(cells, title = NULL) {
  place <- picture_places(cells$labels)
  if (is.null(place)) {
    return(NULL)
  }
  hidden <- is.na(cells$published)
  up <- !hidden & cells$published > cells$original
  down <- !hidden & cells$published < cells$original
  fill <- ifelse(hidden, picture_colours[["hidden"]],
                 ifelse(up | down, picture_colours[["changed"]], "currentColor"))
  moved <- which(up | down)
  n <- c(sum(hidden), sum(up), sum(down))
  counts <- paste0(format_count(n),
                   c(" hidden (cross)", " raised (arrow up)", " lowered (arrow down)"))[n > 0]
  words <- paste0(if (!is.null(title)) paste0(title, ", "), plural(length(hidden), "cell"),
                  " and totals: ", if (sum(n) == 0) "none was changed" else and_words(counts), ".")
  html_picture(
    svg_picture(place$width, place$height, paste("Map of the table.", words), c(
      place$names, svg_rect(place$x, place$y, 22, 18, fill,
                            ifelse(fill == "currentColor", .12, 1)),
      svg_crosses(place$x[hidden], place$y[hidden]),
      svg_arrows(place$x[moved], place$y[moved], up[moved])
    )), words
  )
}

# What is published: the darker the larger, and a cross for what is hidden.
picture_of_values <- function(labels, values, total, title = NULL) {
  place <- picture_places(labels)
  if (is.null(place)) {
    return(NULL)
  }
  hidden <- is.na(values)
  most <- max(1e-9, abs(values[!hidden & !total]), abs(values[!hidden])[all(total | hidden)])
  shade <- .06 + .8 * sqrt(pmin(1, abs(values) / most))
  words <- paste0(if (!is.null(title)) paste0(title, ": the ") else "The ",
                  "larger a published value, the ",
                  "stronger its square", if (any(hidden)) {
                    paste0("; a cross stands for one of ", format_count(sum(hidden)),
                           " values that are not published")
                  }, ".")
  html_picture(
    svg_picture(place$width, place$height, paste("Map of the published table.", words), c(
      place$names, svg_rect(place$x, place$y, 22, 18,
                            ifelse(hidden, picture_colours[["hidden"]], "currentColor"),
                            ifelse(hidden, 1, shade)),
      svg_crosses(place$x[hidden], place$y[hidden])
    )), words
  )
}

# ---- what readers know --------------------------------------------------------------------------

# `truth`: the original values, for the private page alone. Of many cells the smallest, or, where
# the truth is not for the page, those that readers know best.
picture_of_intervals <- function(known, truth = NULL) {
  shown <- drawn_intervals(known, truth)
  n <- length(shown)
  if (n == 0) {
    return(NULL)
  }
  names <- cut_text(do.call(paste, c(lapply(unname(as.list(known$labels)), function(label) {
    as.character(label)[shown]
  }), sep = ", ")), 34)
  lower <- known$lower[shown]
  upper <- known$upper[shown]
  most <- max(1, upper[is.finite(upper)], lower, truth[shown])
  left <- svg_label_width(names)
  at <- function(value) left + 420 * pmin(value, most * 1.04) / (most * 1.04)
  y <- 18 * seq_len(n) - 4
  words <- intervals_words(known, truth, n)
  html_picture(svg_picture(left + 480, 18 * n + 28, words, c(
    svg_text(left - 6, y + 4, names, end = TRUE),
    svg_path(paste0("M", svg_number(at(lower)), " ", svg_number(y - 4), "v8m0 -4H",
                    svg_number(at(upper)), ifelse(is.finite(upper), "m0 -4v8", ""))),
    svg_text(at(upper) + 8, y + 4, interval_texts(lower, upper)),
    if (!is.null(truth)) {
      paste0("<circle cx=\"", svg_number(at(truth[shown])), "\" cy=\"", svg_number(y),
             "\" r=\"4\" fill=\"", picture_colours[["hidden"]], "\"/>")
    }
  )), words)
}

# Values that are published as they are tell nothing new.
drawn_intervals <- function(known, truth) {
  width <- known$upper - known$lower
  open <- which(!is.na(width) & width > 0 & is.finite(known$lower))
  if (!is.null(truth)) open <- open[!is.na(truth[open])]
  first <- if (is.null(truth)) order(width[open]) else order(truth[open] == 0, truth[open])
  sort(utils::head(open[first], 30))
}

interval_texts <- function(lower, upper) {
  paste(value_texts(lower), "to", ifelse(is.finite(upper), value_texts(upper), "any value"))
}

intervals_words <- function(known, truth, n) {
  paste0("Each line is ", known$how, ", for ", plural(n, "cell"), " that readers do not know ",
         "exactly", if (!is.null(truth)) "; the point is the original", ".")
}
