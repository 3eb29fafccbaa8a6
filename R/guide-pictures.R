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

# `inside`: what is between the tags. Each attribute has a value for each shape, or one for all.
svg_shapes <- function(tag, attributes, inside = NULL) {
  given <- Filter(Negate(is.null), attributes)
  each <- Map(function(name, value) {
    paste0(" ", name, "=\"", if (is.numeric(value)) svg_number(value) else value, "\"",
           recycle0 = TRUE)
  }, names(given), given)
  end <- if (is.null(inside)) "/>" else paste0(">", escape_html(inside), "</", tag, ">",
                                               recycle0 = TRUE)
  do.call(paste0, c("<", tag, unname(each), list(end), recycle0 = TRUE))
}

# `end`: does the text end at x?
svg_text <- function(x, y, text, end = FALSE, turn = FALSE) {
  place <- if (!turn) list(x = x, y = y) else
    list(transform = paste0("translate(", svg_number(x), " ", svg_number(y), ") rotate(-50)"))
  svg_shapes("text", c(place, list(`text-anchor` = if (end) "end")), text)
}

svg_rect <- function(x, y, width, height, fill = "currentColor", opacity = 1) {
  svg_shapes("rect", list(x = x, y = y, width = width, height = height, fill = fill,
                          `fill-opacity` = opacity))
}

svg_path <- function(d, stroke = "currentColor", fill = "none", width = 1.5) {
  svg_shapes("path", list(d = d, stroke = stroke, fill = fill, `stroke-width` = width))
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
  same <- sum(cells$published == cells$original, na.rm = TRUE)
  alt <- paste0("Bars: ", paste0(ifelse(labels == "hidden", "hidden", paste("change", labels)),
                                 " in ", format_count(n), collapse = "; "), ".")
  html_picture(
    svg_picture(left + 480, 20 * length(n) + 8, alt, c(
      svg_text(left - 6, y + 12, labels, end = TRUE), svg_rect(left, y, width, 15, fill, .8),
      svg_text(left + width + 6, y + 12, format_count(n))
    )),
    say("How much was changed: {same} of {length(hidden)} cell{?s} and totals are published as they
         are.")
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

# Where each entry stands: the last variable across, all others down.
places_in_table <- function(labels) {
  across <- as.character(labels[[length(labels)]])
  down <- lapply(unname(labels[-length(labels)]), as.character)
  heads <- if (length(down) == 0) rep("", length(across)) else do.call(paste, c(down, sep = ", "))
  rows <- unique(heads)
  columns <- unique(across)
  list(rows = rows, columns = columns, row = match(heads, rows), column = match(across, columns))
}

# As in the table of the page; NULL where that is too large.
picture_places <- function(labels) {
  place <- places_in_table(labels)
  n <- lengths(place[c("rows", "columns")], FALSE)
  if (n[1] > drawn_lines_at_most || n[2] > drawn_columns_at_most) {
    return(NULL)
  }
  rows <- cut_text(place$rows, 30)
  columns <- cut_text(place$columns, 20)
  left <- svg_label_width(rows)
  top <- 12 + .8 * svg_label_width(columns)
  list(
    x = left + 24 * (place$column - 1), y = top + 20 * (place$row - 1),
    width = left + 24 * n[2] + top, height = top + 20 * n[1] + 4,
    names = c(
      svg_text(left - 6, top + 20 * seq_len(n[1]) - 6, rows, end = TRUE),
      svg_text(left + 24 * seq_len(n[2]) - 10, rep(top - 6, n[2]), columns, turn = TRUE)
    )
  )
}

# A square for each cell, with a cross where it is hidden, and `marks` over it.
picture_of_squares <- function(place, title, words, hidden, fill, opacity, marks = NULL) {
  html_picture(
    svg_picture(place$width, place$height, paste(title, words), c(
      place$names, svg_rect(place$x, place$y, 22, 18, fill, opacity),
      svg_crosses(place$x[hidden], place$y[hidden]), marks
    )), words
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
  n <- c("hidden (cross)" = sum(hidden), "raised (arrow up)" = sum(up),
         "lowered (arrow down)" = sum(down))
  n <- n[n > 0]
  counts <- if (length(n) == 0) "none was changed" else and_words(paste(format_count(n), names(n)))
  words <- paste0(if (!is.null(title)) paste0(title, ", "), plural(length(hidden), "cell"),
                  " and totals: ", counts, ".")
  picture_of_squares(place, "Map of the table.", words, hidden, fill,
                     ifelse(fill == "currentColor", .12, 1),
                     svg_arrows(place$x[moved], place$y[moved], up[moved]))
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
  the <- if (is.null(title)) "The" else paste0(title, ": the")
  words <- say(if (any(hidden)) "{the} larger a published value, the stronger its square; a cross
    stands for one of {sum(hidden)} values that are not published." else "{the} larger a published
    value, the stronger its square.")
  picture_of_squares(place, "Map of the published table.", words, hidden,
                     ifelse(hidden, picture_colours[["hidden"]], "currentColor"),
                     ifelse(hidden, 1, shade))
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
  ends <- ifelse(is.finite(upper), value_texts(upper), "any value")
  most <- max(1, upper[is.finite(upper)], lower, truth[shown])
  left <- svg_label_width(names)
  at <- function(value) left + 420 * pmin(value, most * 1.04) / (most * 1.04)
  y <- 18 * seq_len(n) - 4
  point <- if (is.null(truth)) "" else "; the point is the original"
  words <- say("Each line is {known$how}, for {n} cell{?s} that readers do not know
    exactly{point}.")
  html_picture(svg_picture(left + 480, 18 * n + 28, words, c(
    svg_text(left - 6, y + 4, names, end = TRUE),
    svg_path(paste0("M", svg_number(at(lower)), " ", svg_number(y - 4), "v8m0 -4H",
                    svg_number(at(upper)), ifelse(is.finite(upper), "m0 -4v8", ""))),
    svg_text(at(upper) + 8, y + 4, paste(value_texts(lower), "to", ends)),
    if (!is.null(truth)) {
      svg_shapes("circle", list(cx = at(truth[shown]), cy = y, r = 4,
                                fill = picture_colours[["hidden"]]))
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
