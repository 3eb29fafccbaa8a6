# The fibre as a graph: tables are points, and a line joins two that a smallest move leads between.

#' Draw listed tables as points joined by moves
#'
#' What [enumerate_tables()] lists, or the different tables among those that [sample_tables()] drew,
#' as points. A line joins two tables that differ as little as any two of them do: in a two-way
#' table with given margins by a basic move, +1 and -1 in four cells.
#'
#' Where a point lies follows from the counts alone, the same on every machine: each column of the
#' table has a direction, and a count moves the point that far. For 2 x 2 tables the points lie on a
#' line, for 2 x 3 tables on a triangular lattice; larger fibres have more dimensions than a sheet
#' of paper and are seen at an angle.
#'
#' @param object (sdc_tables) The tables.
#' @param labels (string) `"table"`: each point is labelled by its table, `"number"`: by its number,
#'   `"auto"`: by its table where there is room.
#' @param ... Not used.
#' @return A ggplot object. `plot()` prints it and returns it invisibly.
#' @section Errors: `sdc_error_input` when ggplot2 is not installed, and for bad arguments;
#'   `sdc_error_too_large` above 60 different tables.
#' @references Diaconis, P. and Sturmfels, B. (1998). Algebraic algorithms for sampling from
#'   conditional distributions. *Annals of Statistics* 26, 363-397.
#' @family fibre
#' @name sdc_tables-plot
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' # all tables with row sums 3, 2 and column sums 2, 2, 1: from each one can walk to each other one
#' x <- matrix(c(2, 0, 1, 1, 0, 1), 2)
#' plot(enumerate_tables(margins(x, list("Var1", "Var2"))))
#' @usage \method{autoplot}{sdc_tables}(object, labels = c("auto", "table", "number"), ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_tables <- function(object, labels = c("auto", "table", "number"), ...) {
  check_no_dots(...)
  check_installed("ggplot2", "to draw tables")
  labels <- check_choice(labels, c("auto", "table", "number"))
  k <- length(dim(object))
  all <- matrix(unclass(object), ncol = dim(object)[k])
  different <- which(!duplicated(t(all)))
  check_few_tables(length(different))
  size <- dim(object)[-k]
  draw_fibre(all[, different, drop = FALSE], size, different, names(dimnames(object))[k],
             if (labels == "auto") room_for_tables(size, length(different)) else labels)
}

max_drawn_tables <- 60

check_few_tables <- function(n) {
  if (n == 0) {
    abort_sdc("input", c("A picture needs at least one table.", x = "{.arg object} has none."))
  }
  if (n <= max_drawn_tables) {
    return(invisible(n))
  }
  abort_sdc("too_large", c(
    "At most {max_drawn_tables} different tables are drawn as points.",
    x = "There are {format_count(n)}.",
    i = "Release more, or draw the law of each cell: {.fn fibre_distribution}."
  ))
}

room_for_tables <- function(size, n) {
  fits <- length(size) == 2 && n * size[1] <= 48 && n * size[2] <= 60
  if (fits) "table" else "number"
}

draw_fibre <- function(tables, size, numbers, by, labels) {
  places <- fibre_places(tables, size)
  points <- data.frame(places, number = numbers)
  points$label <- if (labels == "table") table_texts(tables, size) else as.character(numbers)
  joined <- fibre_joins(tables)
  lines <- data.frame(
    x = places$x[joined$from], y = places$y[joined$from], xend = places$x[joined$to],
    yend = places$y[joined$to]
  )
  size <- if (ncol(tables) <= 12) 3.8 else 3
  family <- if (labels == "table") "mono" else ""
  ggplot2::ggplot(points, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_segment(ggplot2::aes(xend = .data$xend, yend = .data$yend), lines,
                          colour = "grey60") +
    ggplot2::geom_label(ggplot2::aes(label = .data$label), family = family, size = size,
                        lineheight = .9, fill = "#deebf7") +
    ggplot2::coord_equal(clip = "off") +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(.12)) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(.15)) +
    ggplot2::labs(x = NULL, y = NULL, title = plural(ncol(tables), "table"),
                  caption = join_words(joined$distance, labels, by)) +
    sdc_theme(grid = FALSE) +
    ggplot2::theme(axis.text = ggplot2::element_blank())
}

join_words <- function(distance, labels, by) {
  paste0(
    if (labels == "number") paste0("Each point is a table, with its number along \"", by, "\". "),
    if (is.na(distance)) NULL else if (distance == 4) {
      "A line is a basic move: +1 and -1 in four cells."
    } else {
      paste0("A line joins tables whose counts differ by ", format_count(distance), " in all.")
    }
  )
}

# Pairs of tables at the least distance that any two have.
fibre_joins <- function(tables) {
  n <- ncol(tables)
  if (n == 1) {
    return(list(from = integer(), to = integer(), distance = NA_real_))
  }
  distance <- as.matrix(stats::dist(t(tables), method = "manhattan"))
  distance[!upper.tri(distance)] <- Inf
  least <- min(distance)
  at <- which(distance == least, arr.ind = TRUE)
  list(from = at[, 1], to = at[, 2], distance = least)
}

# Each column pulls in a direction of its own, each row by a weight of its own; the last row follows
# from the others. Two rows and three columns give a triangular lattice.
fibre_places <- function(tables, size) {
  rows <- c(size, 1)[1]
  columns <- nrow(tables) / rows
  code <- split_codes(seq_len(nrow(tables)), c(rows, columns))
  weight <- ifelse(code[[1]] < rows | rows == 1, .63^(code[[1]] - 1), 0)
  length <- if (columns <= 3) 1 else 1 + .17 * (code[[2]] - 1)
  angle <- 2 * pi * (code[[2]] - 1) / columns + .37 * (code[[1]] - 1)
  place <- function(direction) round(colSums(tables * weight * length * direction), 9)
  list(x = place(cos(angle)), y = place(sin(angle)))
}

# The lines of each table, the columns under each other; layers beside each other.
table_texts <- function(tables, size) {
  vapply(seq_len(ncol(tables)), function(i) {
    cells <- matrix(formatC(tables[, i], width = max(nchar(format_count(tables))), format = "d"),
                    c(size, 1)[1])
    paste(apply(cells, 1, paste, collapse = " "), collapse = "\n")
  }, "")
}
