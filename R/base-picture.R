# What all pictures share: the look, axes of levels, colours of counts, and numbers that fit.

# `turn`: do the labels under the x axis stand at an angle?
sdc_theme <- function(turn = FALSE, grid = TRUE) {
  list(
    ggplot2::theme_minimal(),
    if (turn) ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 45, hjust = 1)),
    if (!grid) ggplot2::theme(panel.grid = ggplot2::element_blank())
  )
}

# ---- tiles --------------------------------------------------------------------------------------

# Axes of tiles: the levels of `across` from the left, of `down` from the top. Long labels are cut,
# and of many levels only some are named, as many as there is room for.
level_axes <- function(across, down) {
  list(
    ggplot2::scale_x_discrete(breaks = spaced(across, 30), labels = short_level,
                              expand = ggplot2::expansion(0)),
    ggplot2::scale_y_discrete(limits = rev, breaks = spaced(down, 40), labels = short_level,
                              expand = ggplot2::expansion(0)),
    sdc_theme(turn = crowded(across), grid = FALSE)
  )
}

crowded <- function(levels) sum(nchar(short_level(spaced(levels, 30))) + 2) > 70

short_level <- function(levels) cut_text(shown_levels(levels), 24)

# At most `room` of the levels, at equal distances from the first on.
spaced <- function(levels, room) levels[seq(1, length(levels), by = ceiling(length(levels) / room))]

# White for 0, on a logarithmic scale where the largest is more than a hundred times 1: there a
# linear one would show the largest cells only.
fill_amounts <- function(values, high = "#4a80bd", ...) {
  largest <- max(c(values, 1), na.rm = TRUE)
  if (largest <= 100 || any(values < 0, na.rm = TRUE)) {
    return(ggplot2::scale_fill_gradient(low = "white", high = high, na.value = "grey60",
                                        labels = format_count, ...))
  }
  least <- max(1, min(values[values > 0], na.rm = TRUE))
  powers <- 10^(floor(log10(least)):floor(log10(largest)))
  if (length(powers) < 4) powers <- sort(c(powers, 3 * powers))
  ggplot2::scale_fill_gradient(
    low = "white", high = high, na.value = "grey60", trans = "log1p",
    breaks = spaced(powers, 6), labels = format_count, ...
  )
}

# The words of the column `.label`, as large as `columns` by `rows` tiles in `panels` panels have
# room for; NULL where nobody could read them.
tile_words <- function(words, columns, rows, panels = 1) {
  across <- ceiling(sqrt(panels)) * columns * (max(nchar(words), 1) + 1)
  down <- ceiling(panels / ceiling(sqrt(panels))) * rows
  size <- min(3.9, 200 / across, 80 / down)
  if (size >= 1.8) ggplot2::geom_text(ggplot2::aes(label = .data$.label), size = size)
}

# A heat map of a table: the first variable down, the second across, a panel for each combination
# of the others, or the first of them where there are too many. `amounts` of the cells in the order
# of an array, NA where suppressed; `kind`, if known, "primary" or "secondary" where suppressed.
draw_tiles <- function(labels, amounts, name = "count", kind = NULL) {
  check_size(prod(lengths(labels)), 1e6, "cells")
  places <- tile_places(labels)
  frame <- list2data_frame(
    c(places, list(.amount = amounts, .label = tile_labels(amounts, kind))), length(amounts)
  )
  shown <- utils::head(levels(places$.panel), max_panels)
  frame <- frame[frame$.panel %in% shown, , drop = FALSE]
  if (!is.null(kind)) frame$.kind <- kind[places$.panel %in% shown]
  size <- c(lengths(labels, FALSE), 1)[2:1]
  further <- names(labels)[-(1:2)]
  ggplot2::ggplot(frame, ggplot2::aes(.data$.column, .data$.row)) +
    ggplot2::geom_tile(
      ggplot2::aes(fill = .data$.amount), colour = tile_border(prod(size)), width = 1, height = 1
    ) +
    fill_amounts(amounts) +
    mark_hidden(frame) +
    tile_words(frame$.label, size[1], size[2], length(shown)) +
    level_axes(levels(places$.column), levels(places$.row)) +
    (if (length(further) > 0) ggplot2::facet_wrap(".panel",
                                                  labeller = ggplot2::label_wrap_gen(22))) +
    ggplot2::labs(x = c(names(labels), "")[2], y = names(labels)[1], fill = name,
                  caption = caption_lines(
                    panel_words(further, length(shown), nlevels(places$.panel)),
                    hidden_words(amounts, kind)
                  ))
}

max_panels <- 25

tile_border <- function(n) if (n <= 900) "grey80" else NA

# The place of each cell as factors `.row`, `.column` and `.panel`.
tile_places <- function(labels) {
  codes <- unname(cell_factors(seq_len(prod(lengths(labels))), labels))
  n <- prod(lengths(labels))
  panel <- if (length(codes) > 2) {
    interaction(lapply(codes[-(1:2)], named_level), sep = " / ", lex.order = FALSE)
  } else {
    factor(rep("", n))
  }
  list(
    .row = named_level(codes[[1]]),
    .column = if (length(codes) > 1) named_level(codes[[2]]) else factor(rep("", n)),
    .panel = panel
  )
}

# A level NA is a level of its own on an axis.
named_level <- function(codes) {
  names <- make.unique(shown_levels(levels(codes)))
  factor(as.integer(codes), seq_along(names), names)
}

tile_labels <- function(amounts, kind) {
  hidden <- is.na(amounts)
  out <- character(length(amounts))
  out[!hidden] <- short_amount(amounts[!hidden])
  out[hidden] <- if (is.null(kind)) "x" else c(primary = "u", secondary = "x")[kind[hidden]]
  out
}

# Whole numbers in full up to 99,999; three digits of others.
short_amount <- function(x) {
  whole <- x == floor(x) & abs(x) < 1e5
  unit <- findInterval(abs(x), c(1e5, 1e6, 1e9, 1e12)) + 1
  scaled <- x / c(1, 1e3, 1e6, 1e9, 1e12)[unit]
  ifelse(whole, format_count(ifelse(whole, x, 0)),
         paste0(format_number(signif(scaled, 3)), c("", "k", "M", "bn", "tn")[unit]))
}

panel_words <- function(further, shown, n) {
  if (length(further) > 0) {
    paste0("Panels: ", paste(further, collapse = " / "),
           if (shown < n) paste0("; the first ", shown, " of ", format_count(n)), ".")
  }
}

# What the letters in tiles without an amount stand for.
hidden_words <- function(amounts, kind) {
  if (!anyNA(amounts)) {
    return(NULL)
  }
  if (is.null(kind)) {
    return("x: suppressed")
  }
  words <- c(primary = "u: primary, withheld by the rule",
             secondary = "x: secondary, withheld to protect the primary cells")
  paste(words[intersect(names(words), kind)], collapse = "; ")
}

caption_lines <- function(...) {
  lines <- c(...)
  if (length(lines) > 0) paste(lines, collapse = "\n")
}

hidden_colours <- c(primary = "#cc3311", secondary = "#ee9944")

# Tiles of suppressed cells, told apart where the picture is for those who may know.
mark_hidden <- function(frame) {
  if (is.null(frame$.kind)) {
    return(NULL)
  }
  each <- lapply(names(hidden_colours), function(kind) {
    of <- frame[frame$.kind %in% kind, , drop = FALSE]
    if (nrow(of) > 0) {
      # without a size, tiles would reach half way to the next one of their kind
      ggplot2::geom_tile(ggplot2::aes(colour = .data$.kind), of, fill = hidden_colours[[kind]],
                         width = 1, height = 1)
    }
  })
  used <- intersect(names(hidden_colours), frame$.kind)
  c(each, list(
    ggplot2::scale_colour_manual(
      values = hidden_colours, breaks = used, name = "suppressed",
      labels = c(primary = "primary (u)", secondary = "secondary (x)")[used]
    ),
    ggplot2::guides(colour = ggplot2::guide_legend(
      override.aes = list(fill = unname(hidden_colours[used]))
    ))
  ))
}

# ---- maps of risk and loss ----------------------------------------------------------------------

# Names beside points: on the left half of the picture to their right, on the right half to their
# left, so that none is cut off at the edge.
point_names <- function(points, names, range = base::range(points$loss)) {
  points$.name <- cut_text(as.character(names), 60)
  points$.side <- ifelse(points$loss > mean(range), 1.08, -.08)
  list(
    ggplot2::geom_text(
      ggplot2::aes(label = .data$.name, hjust = .data$.side), points,
      vjust = -.5, size = 3, check_overlap = TRUE
    ),
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(mult = .08)),
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(mult = c(.05, .12))),
    ggplot2::coord_cartesian(clip = "off")
  )
}

# "The 40 narrowest of 44 cells"; no title where all are drawn.
part_title <- function(which, shown, n) {
  if (shown < n) paste("The", format_count(shown), which, plural(n, "cell"))
}

# "Risk: small cells known for certain (share)"
axis_title <- function(axis, measure, words) {
  title <- paste0(axis, ": ", if (measure %in% names(words)) words[[measure]] else measure)
  paste(strwrap(title, 46), collapse = "\n")
}
