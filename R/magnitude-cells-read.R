# The rows of a frame of ready cells, in units, and the contributors that stand for them.

# Positions of the columns, each with one part to play.
ready_columns <- function(data, dimVar, totalVar, countVar, topVar, holdingVar) {
  at <- list(
    total = resolve_columns(totalVar, data, "totalVar", one = TRUE),
    count = resolve_columns(countVar, data, "countVar", one = TRUE),
    holding = resolve_columns(holdingVar, data, "holdingVar", one = TRUE),
    top = resolve_columns(topVar, data, "topVar")
  )
  if (is.null(at$total)) check_string(totalVar)
  if (length(at$top) == 0) {
    abort_sdc("input", c(
      "{.arg topVar} must name at least one column of largest contributions.", x = "It names none."
    ))
  }
  if (is.null(at$count) && is.null(at$holding)) {
    abort_sdc("input", c(
      "{.arg countVar} must name the column with the numbers of contributors, unless
       {.arg holdingVar} names that of holdings.",
      x = "Both are NULL."
    ))
  }
  at$dim <- resolve_columns(variable_names(dimVar, "dimVar"), data, "dimVar")
  if (length(at$dim) == 0) {
    abort_sdc("input", c("{.arg dimVar} must name at least one variable.", x = "It names none."))
  }
  all <- unlist(at)
  check_whole_columns(data, all)
  twice <- unique(all[duplicated(all)])
  if (length(twice) == 0) {
    return(at)
  }
  abort_sdc("input", c(
    "A column must be a dimension, the total, a number of contributors or a contribution.",
    x = "{.val {names(data)[twice]}} is used for more than one of them."
  ))
}

# For each variable `levels`; `held`: for each total the levels that it holds; `at`: for each label
# of the frame its place among the levels and the totals behind them.
ready_nodes <- function(columns, trees, total_label) {
  check_hierarchies(trees, names(columns))
  lapply(rlang::set_names(names(columns)), function(v) {
    labels <- columns[[v]]$levels
    nodes <- if (is.null(trees[[v]]) || is_total_name(trees[[v]])) {
      levels <- setdiff(labels, trees[[v]] %||% total_label)
      list(levels = levels, held = variable_totals(trees[[v]], levels, v, total_label))
    } else {
      tree_nodes(trees[[v]], labels, v, total_label)
    }
    if (length(nodes$levels) == 0) {
      abort_sdc("input", c(
        "Each variable must have cells besides its total.",
        x = "{.val {v}} has no label but {.val {total_label}}."
      ))
    }
    c(nodes, list(at = match(labels, c(nodes$levels, names(nodes$held)))))
  })
}

# `code`: for each variable the node of each row; `leaf`: is it a cell? Amounts are units.
ready_rows <- function(data, at, columns, nodes, unit, round, tolerance) {
  n <- nrow(data)
  total <- number_column(data, at$total, "totalVar")
  counts <- ready_counts(data, at)
  top <- ready_tops(data, at$top, counts$judged)
  check_no_negative(data, cbind(total, top), c(at$total, at$top))
  amounts <- cbind(total, top)
  found <- ready_units(amounts, unit, round)
  units <- found$units
  # values that were rounded to a power of two do not add up to the last unit
  slack <- if (found$divides) 0 else n
  per_unit <- if (is.na(found$per_unit)) 1 / found$unit else found$per_unit
  code <- ready_codes(columns, nodes)
  leaf <- Reduce(`&`, Map(function(code, node) code <= length(node$levels), code, nodes))
  check_listed_once(code, nodes)
  if (all(counts$judged[leaf] == 0)) {
    abort_sdc("input", c("Some cell must have contributors.", x = "No cell of {.arg data} has."))
  }
  check_room_for_units(units[leaf, 1])
  c(found[c("unit", "per_unit", "divides")], list(
    code = code, leaf = leaf, total = units[, 1], top = units[, -1, drop = FALSE],
    count = counts$judged, people = counts$people, holdings = !is.null(at$holding),
    given = tolerance, tolerance = floor(tolerance * per_unit * (1 + 1e-12)) + slack
  ))
}

# `judged`: what the rules count; `people`: the numbers of contributors beside those of holdings.
ready_counts <- function(data, at) {
  read <- function(at, arg) if (!is.null(at)) whole_counts(unclass(data)[[at]], arg)
  count <- read(at$count, "countVar")
  holding <- read(at$holding, "holdingVar")
  if (is.null(holding)) {
    return(list(judged = count))
  }
  below <- if (!is.null(count)) which(count < holding)
  if (length(below) > 0) {
    abort_sdc("input", c(
      "No cell can have more holdings than contributors.",
      x = "Row {below[1]} has, and {length(below) - 1} other{?s}."
    ))
  }
  list(judged = holding, people = count)
}

# A matrix with a column for each of the largest contributions. What is missing beyond the number of
# contributors is 0.
ready_tops <- function(data, at, count) {
  out <- vapply(seq_along(at), function(j) {
    x <- unclass(data)[[at[j]]]
    x[is.na(x) & count < j] <- 0
    data <- list2data_frame(rlang::set_names(list(x), names(data)[at[j]]), nrow(data))
    number_column(data, 1, "topVar")
  }, numeric(nrow(data)))
  matrix(out, nrow(data))
}

check_no_negative <- function(data, amounts, at) {
  if (all(amounts >= 0)) {
    return(invisible(data))
  }
  first <- arrayInd(which(amounts < 0)[1], dim(amounts))
  abort_sdc("input", c(
    "Totals and contributions of ready cells must not be negative: a negative part has no share in a
     total.",
    x = "Column {.val {names(data)[at[first[2]]]}} is negative in row {first[1]}.",
    i = "The rules then need the absolute values of all contributors: give the microdata to
         {.code magnitude_table(..., negative = \"absolute\")}."
  ))
}

# Units of all columns, a row for each row of the frame.
ready_units <- function(amounts, unit, round) {
  if (is.null(unit)) {
    found <- magnitude_unit(as.vector(amounts), NULL, FALSE)
    found$units <- matrix(found$units, nrow(amounts))
    return(found)
  }
  columns <- lapply(seq_len(ncol(amounts)), function(j) given_unit(amounts[, j], unit, round))
  found <- columns[[1]]
  found$units <- vapply(columns, `[[`, numeric(nrow(amounts)), "units")
  found$units <- matrix(found$units, nrow(amounts))
  found
}

# The place of each row's label among the levels and totals of each variable.
ready_codes <- function(columns, nodes) {
  codes <- Map(function(code, column) ifelse(code < 0, column$level_of_missing, code),
               record_codes(columns), columns)
  missing <- vapply(codes, function(code) sum(code < 0), 0)
  if (any(missing > 0)) abort_missing(unname(missing), names(columns))
  Map(function(code, node) node$at[code + 1], codes, nodes)
}

# How many nodes each variable has.
ready_sizes <- function(nodes) {
  vapply(unname(nodes), function(node) length(node$levels) + length(node$held), 0)
}

# A number for each row, as its nodes have it.
ready_keys <- function(code, nodes) {
  size <- ready_sizes(nodes)
  if (prod(size) > 2^53) {
    abort_sdc("too_large", c(
      "A magnitude table must have at most 2^53 cells and totals.", x = "This one has more.",
      i = "Take fewer variables or levels."
    ))
  }
  combine_codes(code, size, length(code[[1]]))
}

check_listed_once <- function(code, nodes) {
  key <- ready_keys(code, nodes)
  again <- which(duplicated(key))[1]
  if (is.na(again)) {
    return(invisible(code))
  }
  abort_sdc("input", c(
    "Each cell must be listed once.",
    x = "Rows {match(key[again], key)} and {again} are the same cell."
  ))
}

ready_labels <- function(rows, nodes, at) {
  Map(function(code, node) c(node$levels, names(node$held))[code[at]], rows$code, nodes)
}

# ---- contributors -------------------------------------------------------------------------------

most_ready_contributors <- 1e8

# For some rows their contributors, as contributors of the cells `cell`: the largest ones, and as
# many others as there are. No other is larger than the last of the largest, so that every rule that
# `top` suffices for is exact. The others share what is left equally; but where the second largest
# is not known, it is as large as it may be, as she is the reader who knows most.
ready_contributors <- function(rows, at, cell, first_holder = 1) {
  count <- rows$count[at]
  if (sum(count) > most_ready_contributors) {
    abort_sdc("too_large", c(
      "Ready cells may have {most_ready_contributors} contributors in all.",
      x = "They have {sum(count)}."
    ))
  }
  k <- ncol(rows$top)
  top <- rows$top[at, , drop = FALSE]
  left <- rows$total[at] - rowSums(top)
  others <- pmax(0, count - k)
  # with a tolerance: what does not fit is the largest one's
  odd <- ifelse(others > 0, pmin(0, left), left)
  top[, 1] <- top[, 1] + odd
  left <- left - odd
  row <- rep(seq_along(at), count)
  rank <- sequence(count)
  value <- if (k == 1) fill_others(left, top[, 1], row, rank) else
    share_others(left, others, row, rank - k)
  known <- rank <= k
  value[known] <- top[cbind(row[known], rank[known])]
  holder <- as.integer(first_holder - 1 + seq_along(value))
  list(cell = cell[row], holder = holder, value = value, row = row, rank = rank)
}

share_others <- function(left, others, row, rank) {
  each <- floor(left / pmax(1, others))
  more <- left - each * others
  each[row] + (rank <= more[row])
}

# One after the other gets as much as the largest has.
fill_others <- function(left, largest, row, rank) {
  before <- (rank - 2) * largest[row]
  pmax(0, pmin(largest[row], left[row] - before))
}

# "1 of north, a" and "others of north, a".
ready_holders <- function(rows, nodes, at, held, k) {
  cells <- do.call(paste, c(unname(ready_labels(rows, nodes, at)), sep = ", "))
  out <- paste("others of", cells)[held$row]
  known <- held$rank <= k
  out[known] <- paste(held$rank[known], "of", cells[held$row[known]])
  out
}

# The table of the cells, and in `totals` the contributors of the listed totals.
ready_table <- function(rows, nodes, variable, trees, total_label, formula) {
  dimnames <- lapply(nodes, `[[`, "levels")
  at <- which(rows$leaf & rows$count > 0)
  size <- lengths(dimnames, FALSE)
  if (prod(size) > 2^53) ready_keys(rows$code, nodes)
  cell <- combine_codes(lapply(rows$code, `[`, at), size, length(at))
  held <- ready_contributors(rows, at, cell)
  k <- ncol(rows$top)
  trees <- plain_trees(trees, dimnames, total_label)
  structure(
    c(
      list(dimnames = dimnames),
      with_core(cpp_group_contributors(held$cell, held$holder, held$value)),
      list(
        holders = ready_holders(rows, nodes, at, held, k), unit = rows$unit,
        per_unit = rows$per_unit, divides = rows$divides, variable = variable,
        hierarchies = trees, total_label = total_label, top = k, totals = NULL
      ),
      magnitude_crossings(dimnames, trees, total_label, formula)
    ),
    class = sdc_class("sdc_magnitude_cells", "sdc_magnitude", mark = "private")
  )
}
