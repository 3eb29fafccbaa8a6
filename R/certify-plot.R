# The two tables of a certificate, side by side.

draw_certificate <- function(release, cell) {
  pair <- certificate_tables(release, cell)
  if (length(pair$tables[[1]]) <= 400) draw_pair(pair) else draw_pair_changes(pair)
}

# The two tables of one cell at risk: dense, with the original and the number of the cell.
certificate_tables <- function(release, cell) {
  x <- release$problem$x
  all <- release$certificates
  if (is.null(all)) {
    abort_sdc("input", c(
      "Only a release with certificates has pairs of tables to draw.",
      x = "This one was chosen by the method \"{release$method}\".",
      i = "{.fn release_reducible} makes certificates."
    ))
  }
  if (prod(dim(x)) > 1e6) {
    abort_sdc("too_large", c(
      "The tables of a certificate are drawn up to a million cells.",
      x = "The table has {format_count(prod(dim(x)))}."
    ))
  }
  ones <- rep(1, length(all$keys) / 8)
  codes <- lapply(seq_along(dim(x)), function(v) cpp_unpack_levels(dim(x), all$keys, ones, v))
  number <- cell_numbers(codes, x$dimnames)
  c <- certificate_number(cell, number[all$target + 1], x$dimnames)
  original <- dense_counts(x)
  tables <- lapply(2 * c - 1:0, function(t) {
    entries <- seq_len(all$start[t + 1] - all$start[t]) + all$start[t]
    at <- number[all$cell[entries] + 1]
    replace(original, at, original[at] + all$by[entries])
  })
  at <- number[all$target[c] + 1]
  if (tables[[1]][at] > tables[[2]][at]) tables <- rev(tables)
  list(tables = tables, original = original, at = at, dimnames = x$dimnames)
}

certificate_number <- function(cell, targets, dimnames) {
  if (is.null(cell)) {
    return(1)
  }
  at <- one_cell(cell, dimnames)
  c <- match(at, targets)
  if (is.na(c)) {
    abort_sdc("input", c(
      "{.arg cell} must be a cell at risk: only these have certificates.",
      x = "There is none for {cell_words(at, dimnames)}.",
      i = "{.code cell = NULL} takes the first cell at risk."
    ))
  }
  c
}

pair_names <- function(pair) {
  paste0("table ", 1:2, ": ", vapply(pair$tables, function(t) format_count(t[pair$at]), ""),
         " at the framed cell")
}

# The first half of the variables down, the others across.
draw_pair <- function(pair) {
  k <- length(pair$dimnames)
  down <- seq_len(ceiling(k / 2))
  labels <- cell_factors(seq_along(pair$original), pair$dimnames)
  joint <- function(v) {
    if (length(v) == 0) factor(rep("", length(pair$original))) else
      named_level(interaction(labels[v], sep = " ", lex.order = TRUE))
  }
  frame <- data.frame(row = joint(down), column = joint(setdiff(seq_len(k), down)))
  names <- names(pair$dimnames)
  pair_picture(pair, frame, seq_along(pair$original)) +
    ggplot2::labs(y = paste(names[down], collapse = " / "),
                  x = paste(names[-down], collapse = " / "))
}

# Of a large table the cells that differ from the original in one of the two.
draw_pair_changes <- function(pair) {
  changed <- which(Reduce(`|`, lapply(pair$tables, function(t) t != pair$original)))
  at <- unique(c(pair$at, changed))
  shown <- utils::head(at, 40)
  cell <- do.call(paste, c(unname(cell_factors(shown, pair$dimnames)), sep = " / "))
  frame <- data.frame(row = factor(cell, cell), column = factor(rep("", length(shown))))
  pair_picture(pair, frame, shown) +
    ggplot2::labs(x = NULL, y = NULL, subtitle = paste0(
      format_count(length(shown)), " of ", plural(length(at), "cell"),
      " that differ from the original"
    ))
}

pair_picture <- function(pair, frame, at) {
  names <- pair_names(pair)
  both <- do.call(rbind, lapply(1:2, function(i) {
    data.frame(frame, table = names[i], count = pair$tables[[i]][at],
               change = pair$tables[[i]][at] - pair$original[at], framed = at == pair$at)
  }))
  # a dot of its own tells changes apart where colours are not seen
  both$.label <- paste0(short_amount(both$count),
                       ifelse(both$change > 0, "+", ifelse(both$change < 0, "-", "")))
  both$change <- factor(sign(both$change), c(1, 0, -1))
  ggplot2::ggplot(both, ggplot2::aes(.data$column, .data$row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$change), colour = "grey80", width = 1,
                       height = 1) +
    ggplot2::geom_tile(data = both[both$framed, ], fill = NA, colour = "black", linewidth = 1.1,
                       width = 1, height = 1) +
    tile_words(both$.label, 2 * nlevels(frame$column), nlevels(frame$row)) +
    ggplot2::scale_fill_manual(
      values = c(`1` = "#92c5de", `0` = "white", `-1` = "#f4a582"), drop = FALSE,
      name = "against the\noriginal", labels = c(`1` = "more (+)", `0` = "equal", `-1` = "less (-)")
    ) +
    ggplot2::facet_wrap("table") +
    level_axes(levels(frame$column), levels(frame$row)) +
    ggplot2::theme(panel.spacing = ggplot2::unit(5, "mm")) +
    ggplot2::labs(caption = paste0(
      "Confidential. Both tables have all released margins. Framed: ",
      cut_text(cell_words(pair$at, pair$dimnames), 60), "."
    ))
}
