# The kinds of publications that go into table.csv and publication.json: what each tells.
#
# describe(x) gives `what` (in words), `label_names` and `labels` (the start of each line), `columns`
# (text), `words` (what they hold), `layout`, `variables` and `parameters`. build(document, lines,
# labels) gives the object back.

publication_kinds <- function() {
  list(
    sdc_suppressed = list(describe = describe_suppressed, build = build_suppressed),
    sdc_rounded_publication = list(describe = describe_rounded, build = build_rounded),
    sdc_magnitude_publication = list(describe = describe_magnitudes, build = build_magnitudes),
    sdc_magnitude_suppressed = list(
      describe = describe_suppressed_magnitudes, build = build_suppressed_magnitudes
    ),
    sdc_hex_publication = list(describe = describe_hex, build = build_hex)
  )
}

total_words <- paste(
  "total_label is the total of a variable without trees; a tree lists each node (child) with the node",
  "that it is part of (parent; null for a root), and a node is the sum of what is directly below it"
)

in_order <- "the first variable runs fastest"

yes_no <- function(x) ifelse(x, "yes", "no")

# ---- suppressed counts --------------------------------------------------------------------------

describe_suppressed <- function(x) {
  c(suppressed_rows_of(x, "freq", "count"), list(
    what = paste(
      "A table of counts with its totals. Some counts and totals are suppressed: their count is not",
      "published. All others are exact, and totals are sums of counts that are whole and not negative."
    ),
    words = list(
      count = "the published count; empty where it is suppressed",
      suppressed = "yes or no"
    ),
    parameters = list(
      total_label = x$total_label, totals_in_words = total_words,
      maxN = if (!is.null(x$maxN)) verbatim_number(x$maxN), protectZeros = x$protectZeros,
      rule_in_words = if (!is.null(x$maxN)) paste(
        "Counts from 1 to maxN, and zeros if protectZeros is true, were suppressed, and further counts",
        "and totals that protect them."
      )
    )
  ))
}

# What both tables with suppressed cells have: a line for each cell and total.
suppressed_rows_of <- function(x, value, name) {
  all <- lapply(unclass(x$cells)[names(x$dimnames)], levels)
  columns <- rlang::set_names(list(exact_decimal(x$cells[[value]])), name)
  if (!is.null(x$cells$count)) columns$count <- exact_decimal(x$cells$count)
  columns$suppressed <- yes_no(x$cells$suppressed)
  totals <- Map(function(all, own) all[-seq_along(own)], all, x$dimnames)
  list(
    label_names = names(all), labels = csv_cells(all), columns = columns,
    layout = paste("one line for each cell and total;", in_order, "and totals follow the levels"),
    variables = variables_document(x$dimnames, x$hierarchies, totals)
  )
}

read_suppressed_rows <- function(document, lines, labels, value, counts) {
  totals <- lapply(document$variables, function(v) read_levels(v$totals))
  all <- Map(c, labels, totals)
  n <- prod(lengths(all))
  need(length(lines) == n, "table.csv has not one line for each cell and total")
  fields <- last_fields(lines, c(value, if (counts) "count", "suppressed"))
  values <- lapply(fields[-length(fields)], decimal_fields)
  names(values)[1] <- if (value == "count") "freq" else value
  suppressed <- fields$suppressed == "yes"
  need(all(is.na(values[[1]]) == suppressed), "suppressed cells have values, or others have none")
  need(all(values[[1]] >= 0, na.rm = TRUE), "a value is negative")
  cells <- c(unclass(cell_factors(seq_len(n), all))[names(all)], values,
             list(suppressed = suppressed))
  list2data_frame(lapply(cells, identity), n)
}

build_suppressed <- function(document, lines, labels) {
  p <- document$parameters
  out <- structure(
    list(
      cells = read_suppressed_rows(document, lines, labels, "count", FALSE), dimnames = labels,
      hierarchies = plain_trees(read_trees(document$variables), labels),
      total_label = strings(list(p$total_label)), maxN = read_number(p$maxN),
      protectZeros = p$protectZeros
    ),
    class = "sdc_suppressed"
  )
  need(all(out$cells$freq %% 1 == 0, na.rm = TRUE), "a count is not whole")
  need_sums(out)
  out
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

# ---- suppressed magnitudes ----------------------------------------------------------------------

describe_suppressed_magnitudes <- function(x) {
  counts <- !is.null(x$cells$count)
  c(suppressed_rows_of(x, "total", "total"), list(
    what = paste(
      "A table of totals of a variable of magnitude, with totals over its other variables. Some are",
      "suppressed: their value is not published. All others are exact."
    ),
    words = c(
      list(total = "the published total; empty where it is suppressed"),
      if (counts) list(count = "the number of contributors; empty where it is suppressed"),
      list(suppressed = "yes or no")
    ),
    parameters = list(
      variable = x$variable, unit = verbatim_number(x$unit),
      unit_in_words = "All published totals are multiples of unit.", counts = counts,
      total_label = x$total_label, totals_in_words = total_words
    )
  ))
}

build_suppressed_magnitudes <- function(document, lines, labels) {
  p <- document$parameters
  structure(
    list(
      cells = read_suppressed_rows(document, lines, labels, "total", isTRUE(p$counts)),
      dimnames = labels, variable = strings(list(p$variable)), unit = read_number(p$unit),
      hierarchies = plain_trees(read_trees(document$variables), labels),
      total_label = strings(list(p$total_label))
    ),
    class = c("sdc_magnitude_suppressed", "sdc_suppressed")
  )
}

# ---- rounded counts -----------------------------------------------------------------------------

describe_rounded <- function(x) {
  labels <- x$table$dimnames
  list(
    what = paste(
      "A table of counts, each rounded to a multiple of base. The rounded table is additive: rounded",
      "totals are the sums of rounded counts."
    ),
    label_names = names(labels), labels = csv_cells(labels),
    columns = list(count = exact_decimal(dense_counts(x$table))),
    words = list(count = "the rounded count"),
    layout = paste("one line for each cell, zeros included;", in_order),
    variables = variables_document(labels, x$hierarchies),
    parameters = list(
      base = verbatim_number(x$base), reach = verbatim_number(x$reach),
      reach_in_words = paste(
        "No count, and none of the totals listed in margins, nor the grand total, is further than reach",
        "from what it was before."
      ),
      method = x$method, distance = x$distance, solver = x$solver,
      method_in_words = if (x$method == "stochastic") {
        "Rounded at random, without bias, up or down to an adjacent multiple."
      } else {
        "The rounding with the least sum of changes, over the cells or over cells and margins."
      },
      margins = I(lapply(x$margins, I)), total_label = x$total_label, totals_in_words = total_words
    )
  )
}

build_rounded <- function(document, lines, labels) {
  p <- document$parameters
  need(length(lines) == prod(lengths(labels)), "table.csv has not one line for each cell")
  counts <- decimal_fields(last_fields(lines, "count")$count)
  base <- read_number(p$base)
  need(base >= 1 && all(counts %% base == 0), "a count is no multiple of the base")
  structure(
    list(
      table = table_from_dense(counts, labels), base = base, method = strings(list(p$method)),
      distance = if (!is.null(p$distance)) strings(list(p$distance)),
      solver = strings(list(p$solver)), reach = read_number(p$reach),
      margins = lapply(p$margins, strings),
      hierarchies = plain_trees(read_trees(document$variables), labels),
      total_label = strings(list(p$total_label))
    ),
    class = "sdc_rounded_publication"
  )
}

# Each possible line of a table of magnitudes is looked up by its labels.
max_listed_cells <- 1e7

# ---- redistributed magnitudes -------------------------------------------------------------------

describe_magnitudes <- function(x) {
  counts <- !is.null(x$cells$count)
  list(
    what = paste(
      "A table of totals of a variable of magnitude, changed so that no total gives a contributor",
      "away. Cells that are not listed have no contributors."
    ),
    label_names = names(x$dimnames), labels = label_starts(x$dimnames, x$cells$cell),
    columns = c(list(total = exact_decimal(x$cells$total)),
                if (counts) list(count = exact_decimal(x$cells$count))),
    words = c(list(total = "the published total"),
              if (counts) list(count = "the published number of contributors")),
    layout = paste("one line for each cell with contributors;", in_order),
    variables = variables_document(x$dimnames, x$hierarchies),
    parameters = list(
      variable = x$variable, unit = verbatim_number(x$unit),
      per_unit = if (!is.na(x$per_unit)) verbatim_number(x$per_unit),
      unit_in_words = "All published totals are multiples of unit, which is 1 / per_unit if given.",
      counts = counts, max_change = if (!is.null(x$max_change)) verbatim_number(x$max_change),
      max_change_in_words = if (!is.null(x$max_change)) {
        "No total of a cell was changed by more than max_change."
      },
      total_label = x$total_label, totals_in_words = total_words
    )
  )
}

build_magnitudes <- function(document, lines, labels) {
  p <- document$parameters
  names <- c("total", if (isTRUE(p$counts)) "count")
  values <- lapply(last_fields(lines, names), decimal_fields)
  need(all(values$total >= 0), "a total is negative")
  start <- substring(lines, 1, nchar(lines) - nchar(do.call(paste, c(last_fields(lines, names), sep = ","))))
  n <- prod(lengths(labels))
  need(n <= max_listed_cells, "the table has too many cells")
  cell <- match(start, label_starts(labels, seq_len(n)))
  need(!anyNA(cell) && !is.unsorted(cell, strictly = TRUE), "table.csv has other cells")
  structure(
    list(
      dimnames = labels, cells = c(list(cell = as.double(cell)), values),
      variable = strings(list(p$variable)), unit = read_number(p$unit),
      per_unit = read_number(p$per_unit) %||% NA,
      hierarchies = plain_trees(read_trees(document$variables), labels),
      total_label = strings(list(p$total_label)), max_change = read_number(p$max_change)
    ),
    class = "sdc_magnitude_publication"
  )
}

# ---- maps ---------------------------------------------------------------------------------------

describe_hex <- function(x) {
  g <- x$geometry
  geometry <- lapply(g, function(v) {
    if (is.character(v)) return(I(v))
    if (!is.numeric(v)) return(v)
    if (length(v) == 1) verbatim_number(v) else I(lapply(v, verbatim_number))
  })
  list(
    what = paste(
      "A map of hexagons with counts, moved between hexagons so that each one with data has at least",
      "threshold. Hexagons that are not listed have no data."
    ),
    label_names = NULL, labels = character(length(x$q)),
    columns = lapply(x[c("q", "r", "count")], exact_decimal),
    words = list(q = "first axial coordinate", r = "second axial coordinate (the row)",
                 count = "the published count"),
    layout = "one line for each hexagon with data, row by row",
    variables = list(),
    parameters = list(
      geometry = geometry,
      geometry_in_words = paste(
        "The centre of a hexagon is at x0 + dx (q + r / 2) and y0 + dy r, in the coordinates names.",
        "Neighbours of (q, r) are (q+1, r), (q-1, r), (q, r+1), (q, r-1), (q+1, r-1) and (q-1, r+1).",
        "from_data says whether the bounds of the map may be those of the data."
      ),
      threshold = verbatim_number(x$threshold), method = x$method, order = x$order,
      outliers = x$outliers, empty = x$empty,
      method_in_words = paste(
        "Counts were moved to hexagons below the threshold: optimal with the least sum of counts times",
        "steps, local in clusters, global in rounds. Isolated hexagons below the threshold are outliers:",
        "suppressed, redistributed or kept. If empty is true, hexagons may have been emptied."
      )
    )
  )
}

build_hex <- function(document, lines, labels) {
  p <- document$parameters
  values <- lapply(last_fields(lines, c("q", "r", "count")), decimal_fields)
  threshold <- read_number(p$threshold)
  need(all(values$count >= threshold & values$count %% 1 == 0), "a count is below the threshold")
  geometry <- lapply(p$geometry, function(v) {
    if (is.logical(v)) return(v)
    if (is.list(v) && is.character(v[[1]])) return(strings(v))
    as.double(unlist(v))
  })
  structure(
    c(values, list(
      geometry = geometry, threshold = threshold, method = strings(list(p$method)),
      outliers = strings(list(p$outliers)),
      order = if (!is.null(p$order)) strings(list(p$order)), empty = p$empty
    )),
    class = "sdc_hex_publication"
  )
}
