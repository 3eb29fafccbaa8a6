# The cells of a publication in one form, whatever its kind: what all formats for other programs,
# spreadsheets and reports are made of.

# `dimnames`: the levels of each variable, then its totals; `codes`: of each cell the number of its
# level of each variable; `values`: NA where a cell is suppressed; `leaves`: how many levels of each
# variable are no totals; `measure`: the name of the values; `counts`: are they counts? `marks`: may
# cells be suppressed? `whole`: are these all cells, the first variable fastest? If not, `note` says
# what the others are. `blocks`: how many kinds of values follow each other, see with_measures().
new_shown_cells <- function(dimnames, codes, values, leaves, measure, counts, marks = FALSE,
                                note = "Cells that are not listed are not published.",
                                blocks = 1) {
  n <- prod(lengths(dimnames))
  whole <- n == length(values) &&
    identical(combine_codes(codes, lengths(dimnames, FALSE), length(values)), as.double(seq_len(n)))
  list(dimnames = dimnames, codes = unname(codes), values = values, leaves = unname(leaves),
       measure = measure, counts = counts, marks = marks, whole = whole,
       note = if (!whole) note, blocks = blocks)
}

#' @export
shown_cells.default <- function(x) {
  held <- x$dimnames %||% x$table$dimnames
  frame <- shown_frame(x, held)
  value <- intersect(c("freq", "total", "count"), names(frame))
  measures <- rlang::set_names(lapply(value, function(name) frame[[name]]), value)
  labels <- lapply(rlang::set_names(names(held)), function(v) levels(frame[[v]]))
  codes <- lapply(rlang::set_names(names(held)), function(v) as.integer(frame[[v]]))
  cells <- with_measures(labels, codes, lengths(held, FALSE), measures)
  new_shown_cells(
    cells$dimnames, cells$codes, cells$values, cells$leaves,
    x$variable %||% "count", is.null(x$variable), !is.null(frame$suppressed),
    unlisted_words(x), length(measures)
  )
}

unlisted_words <- function(x) {
  if (inherits(x, "sdc_suppressed") && !lists_zeros(x$cells, names(x$dimnames))) {
    return("Cells that are not listed are zero.")
  }
  if (is.null(x$cells$cell)) "Cells that are not listed are not published." else
    "Cells that are not listed have no contributors."
}

# One row for each published cell and total.
shown_frame <- function(x, held) {
  # of linked tables that were rounded the levels of the table are nodes
  if (is_sdc_table(x$table) && is.null(x$crossings)) {
    layout <- x$table$layout %||% new_layout(
      x$hierarchies, x$total_label %||% free_name("Total", unlist(held))
    )
    return(published_rows(set_layout(x$table, layout), TRUE, free_name("count", names(held))))
  }
  methods <- lapply(class(x), function(class) own_method("as.data.frame", class))
  method <- Find(Negate(is.null), methods)
  if ("totals" %in% names(formals(method))) as.data.frame(x, totals = TRUE) else as.data.frame(x)
}

# Several values of a cell, such as total and number of contributors, become a variable more.
with_measures <- function(dimnames, codes, leaves, measures) {
  if (length(measures) == 1) {
    return(list(dimnames = dimnames, codes = codes, leaves = leaves, values = measures[[1]]))
  }
  n <- length(measures[[1]])
  k <- length(measures)
  codes <- lapply(codes, rep, times = k)
  name <- free_name("measure", names(dimnames))
  dimnames[[name]] <- names(measures)
  codes[[name]] <- rep(seq_len(k), each = n)
  list(dimnames = dimnames, codes = codes, leaves = c(leaves, k),
       values = unlist(measures, use.names = FALSE))
}

#' @export
shown_cells.sdc_margins <- function(x) {
  joined_tables(unclass(x), margins_dimnames(unclass(x)), "count")
}

# Several tables as one: a variable that a table does not have is summed over.
joined_tables <- function(tables, dimnames, value) {
  layouts <- Filter(Negate(is.null), lapply(tables, function(table) {
    if (is_sdc_table(table)) table$layout
  }))
  total <- if (length(layouts) > 0) layouts[[1]]$total_label else
    free_name("Total", unlist(dimnames))
  trees <- unlist(lapply(unname(layouts), `[[`, "trees"), recursive = FALSE)
  all <- table_from_nothing(dimnames, new_layout(trees[unique(names(trees))], total))
  labels <- node_labels(all)
  roots <- root_nodes(all)
  parts <- lapply(tables, function(table) {
    frame <- table_rows(table, value)
    codes <- lapply(rlang::set_names(names(labels)), function(v) {
      if (v %in% names(frame)) match(as.character(frame[[v]]), labels[[v]]) else
        rep(match(roots[[v]], labels[[v]]), nrow(frame))
    })
    list(number = combine_codes(codes, lengths(labels, FALSE), nrow(frame)),
         value = frame[[length(frame)]])
  })
  number <- unlist(lapply(parts, `[[`, "number"), use.names = FALSE)
  values <- unlist(lapply(parts, `[[`, "value"), use.names = FALSE)
  # tables of one release may show the same total
  first <- !duplicated(number)
  new_shown_cells(
    labels, split_codes(number[first], lengths(labels, FALSE)), values[first],
    lengths(dimnames, FALSE), value, value == "count",
    note = "Cells that are not listed are not published, or are sums of those that are."
  )
}

# The cells of a table, with the totals of its trees and crossings.
table_rows <- function(table, value) {
  if (!is_sdc_table(table)) {
    return(table)
  }
  name <- free_name(value, names(table$dimnames))
  if (has_nodes(table$layout)) published_rows(table, TRUE, name) else
    as.data.frame(table, zeros = TRUE, totals = FALSE, responseName = name)
}

#' @export
shown_cells.sdc_hex_publication <- function(x) {
  dimnames <- lapply(x[c("q", "r")], function(v) whole_text(sort(unique(v))))
  codes <- Map(function(v, labels) match(whole_text(v), labels), unclass(x)[c("q", "r")], dimnames)
  new_shown_cells(dimnames, codes, x$count, lengths(dimnames, FALSE), "count", TRUE,
                      note = "Hexagons that are not listed have no data.")
}

# ---- what the formats ask -----------------------------------------------------------------------

# Is each cell a total?
total_cells <- function(cells) {
  over <- Map(function(code, leaves) code > leaves, cells$codes, cells$leaves)
  Reduce(`|`, over, logical(length(cells$values)))
}

# For format_parts().
published_source <- function(cells) {
  texts <- exact_decimal(cells$values)
  texts[is.na(cells$values)] <- NA
  new_source(cells$dimnames, length(texts), function(at) {
    list(codes = lapply(cells$codes, `[`, at), values = texts[at])
  }, cells$whole, cells$note, cells$marks)
}
