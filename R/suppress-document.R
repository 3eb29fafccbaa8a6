# Files of tables with suppressed cells: counts and magnitudes.

#' @export
to_document.sdc_suppressed <- function(x) {
  check_lists_zeros(x, x$dimnames, "to write a file with a line for each of them")
  do.call(table_document, c(suppressed_rows_of(x, "freq", "count"), list(
    what = paste(
      "A table of counts with its totals. Some counts and totals are suppressed: their count is",
      "not published. All others are exact, and totals are sums of counts that are whole and not",
      "negative."
    ),
    words = list(
      count = "the published count; empty where it is suppressed",
      suppressed = "yes or no"
    ),
    parameters = c(list(
      total_label = x$total_label, totals_in_words = total_words,
      maxN = if (!is.null(x$maxN)) verbatim_number(x$maxN), protectZeros = x$protectZeros,
      rule_in_words = if (!is.null(x$maxN)) paste(
        paste0("Counts from 1 to maxN, and zeros if protectZeros is true, were suppressed, and ",
               "further counts"),
        "and totals that protect them."
      )
    ), groups_document(x), crossings_document(x$crossings))
  )))
}

# What a publication says of groups of people, with its rule.
groups_document <- function(x) {
  if (is.null(x$groups)) {
    return(NULL)
  }
  sets <- x$combinations
  c(list(groups = as.list(x$groups), small_groups = verbatim_number(x$small_groups)),
    if (!is.null(sets)) list(combinations = lapply(sets, lapply, as.list)),
    list(groups_in_words = paste0(
      "Where all people of a cell of the other variables, or all but a few, are in one category ",
      "of a variable of groups, ", if (!is.null(sets)) "or in one of its combinations, ",
      "one zero beside it may be suppressed; where they are at most small_groups, all may be."
    )))
}

read_groups <- function(p) {
  if (!is.null(p$groups)) {
    c(list(groups = strings(p$groups), small_groups = read_number(p$small_groups)),
      if (length(p$combinations) > 0) list(combinations = lapply(p$combinations, lapply, strings)))
  }
}

# A variable may be called so, too: then it is refused later, as the files have such a column.
has_counts <- function(x) "count" %in% setdiff(names(x$cells), names(x$dimnames))

# What both tables with suppressed cells have: a line for each cell and total.
suppressed_rows_of <- function(x, value, name) {
  all <- lapply(unclass(x$cells)[names(x$dimnames)], levels)
  rows <- which(in_crossings(x))
  columns <- rlang::set_names(list(exact_decimal(x$cells[[value]][rows])), name)
  if (has_counts(x)) columns$count <- exact_decimal(x$cells$count[rows])
  columns$suppressed <- yes_no(x$cells$suppressed[rows])
  totals <- Map(function(all, own) all[-seq_along(own)], all, x$dimnames)
  list(
    label_names = names(all), labels = label_starts(all, rows), columns = columns,
    layout = paste(
      if (is.null(x$crossings)) "one line for each cell and total;" else
        "one line for each cell and total of a crossing;",
      in_order, "and totals follow the levels"
    ),
    variables = variables_document(x$dimnames, x$hierarchies, totals)
  )
}

read_suppressed_rows <- function(document, lines, value, counts) {
  labels <- document_labels(document)
  lines <- lines[-1]
  totals <- lapply(document$variables, function(v) read_levels(v$totals))
  all <- Map(c, labels, totals)
  n <- prod(lengths(all))
  crossings <- read_crossings(document$parameters, labels)
  open <- which(open_rows(cell_labels(seq_len(n), all), crossings))
  need(length(lines) == length(open), "table.csv has not one line for each cell and total")
  fields <- last_fields(lines, c(value, if (counts) "count", "suppressed"))
  values <- lapply(fields[-length(fields)], decimal_fields)
  names(values)[1] <- if (value == "count") "freq" else value
  suppressed <- fields$suppressed == "yes"
  need(all(is.na(values[[1]]) == suppressed), "suppressed cells have values, or others have none")
  least <- document$parameters$lowest %||% "0"
  need(least == "none" || read_number(least) < 0 || all(values[[1]] >= 0, na.rm = TRUE),
       "a value is negative")
  values <- lapply(values, function(value) replace(rep(NA_real_, n), open, value))
  suppressed <- replace(rep(TRUE, n), open, suppressed)
  cells <- c(unclass(cell_factors(seq_len(n), all))[names(all)], values,
             list(suppressed = suppressed))
  list2data_frame(lapply(cells, identity), n)
}

#' @export
from_document.sdc_suppressed <- function(kind, document, lines) {
  p <- document$parameters
  labels <- document_labels(document)
  fields <- c(
    list(
      cells = read_suppressed_rows(document, lines, "count", FALSE), dimnames = labels,
      hierarchies = plain_trees(read_trees(document$variables), labels),
      total_label = strings(list(p$total_label))
    ),
    read_own_crossings(p, labels),
    list(maxN = read_number(p$maxN), protectZeros = p$protectZeros), read_groups(p)
  )
  out <- structure(fields, class = sdc_class("sdc_suppressed"))
  need(all(out$cells$freq %% 1 == 0, na.rm = TRUE), "a count is not whole")
  need_sums(out)
  out
}

read_own_crossings <- function(parameters, labels) {
  crossings <- read_crossings(parameters, labels)
  if (!is.null(crossings)) list(crossings = crossings)
}

# Published totals are sums of published cells, as far as no suppressed cell is among them.
need_sums <- function(x) {
  shown <- x
  shown$cells$freq[x$cells$suppressed] <- 0
  inner <- inner_rows(x$cells, x$dimnames)
  sums <- function(value) {
    table <- table_from_dense(value[inner], x$dimnames)
    whole <- with_totals(table, x$hierarchies, x$total_label, max_suppressed_cells)
    dense_counts(whole)
  }
  open <- sums(as.double(x$cells$suppressed)) > 0
  found <- sums(shown$cells$freq)
  closed <- !open & !x$cells$suppressed
  need(identical(found[closed], x$cells$freq[closed]), "totals are not the sums of their cells")
  over <- open & !x$cells$suppressed
  need(all(x$cells$freq[over] >= found[over]), "totals are less than the sums of their cells")
}

#' @export
to_document.sdc_magnitude_suppressed <- function(x) {
  counts <- has_counts(x)
  do.call(table_document, c(suppressed_rows_of(x, "total", "total"), list(
    what = paste(
      "A table of totals of a variable of magnitude, with totals over its other variables. Some",
      "are suppressed: their value is not published. All others are exact."
    ),
    words = c(
      list(total = "the published total; empty where it is suppressed"),
      if (counts) list(count = "the number of contributors; empty where it is suppressed"),
      list(suppressed = "yes or no")
    ),
    parameters = c(list(
      variable = x$variable, unit = verbatim_number(x$unit),
      unit_in_words = "All published totals are multiples of unit.", counts = counts,
      total_label = x$total_label, totals_in_words = total_words,
      lowest = if (!is.null(x$lowest)) lowest_text(x$lowest),
      lowest_in_words = if (!is.null(x$lowest)) {
        "No total of a cell is below lowest; where it is none, totals may be any numbers."
      }
    ), crossings_document(x$crossings)),
    reserved = c("total", "count", "suppressed")
  )))
}

#' @export
from_document.sdc_magnitude_suppressed <- function(kind, document, lines) {
  p <- document$parameters
  labels <- document_labels(document)
  fields <- list(
    cells = read_suppressed_rows(document, lines, "total", isTRUE(p$counts)),
    dimnames = labels, variable = strings(list(p$variable)), unit = read_number(p$unit),
    hierarchies = plain_trees(read_trees(document$variables), labels),
    total_label = strings(list(p$total_label))
  )
  structure(
    c(fields, read_own_crossings(p, labels),
      if (!is.null(p$lowest)) list(lowest = read_lowest(p$lowest))),
    class = sdc_class("sdc_magnitude_suppressed", "sdc_suppressed")
  )
}

# What readers know of the least total of a cell: a number as text, or "none".
lowest_text <- function(lowest) if (is.finite(lowest)) exact_decimal(lowest) else "none"

read_lowest <- function(text) {
  if (identical(strings(list(text)), "none")) -Inf else read_number(text)
}
