# What a release says, as rows over the cells of the full cross: read anew from its parts, for
# verify_bounds(). Nothing here is shared with the search for bounds.

# `x`: bounds; `release`: what the user gave, or NULL. With one row for each published sum, in the
# order of the release, and after these one for each sum that was asked for. For certificates in
# cells: see stated_cells().
stated_system <- function(x, release) {
  given <- release %||% x$certificates$release %||% x$release
  if (!is.null(x$certificates$relations)) {
    return(stated_cells(x, if (is_sdc_constraints(given)) given$made_of else given))
  }
  sums_of <- x$certificates$release$dimnames
  said <- if (inherits(given, "sdc_margins") && is.null(sums_of)) {
    stated_margins(unclass(given), x$dimnames)
  } else if (inherits(given, "sdc_margins")) {
    stated_parts(as_constraints(given, "release", sums_of))
  } else {
    stated_parts(as_constraints(given, "release"))
  }
  add_asked_sums(said, x)
}

# The cells of a table of this shape: the level of each variable.
cross_levels <- function(size) {
  n <- prod(size)
  each <- cumprod(c(1, size))
  lapply(seq_along(size), function(v) rep_len(rep(seq_len(size[v]), each = each[v]), n))
}

# The labels of levels are those of the margins; `dimnames` has the variables that no margin has.
stated_margins <- function(tables, dimnames) {
  for (table in tables) dimnames[names(table$dimnames)] <- table$dimnames
  levels <- rlang::set_names(cross_levels(lengths(dimnames, FALSE)), names(dimnames))
  n <- prod(lengths(dimnames))
  rows <- lapply(tables, function(table) {
    size <- dim(table)
    group <- rep(1, n)
    for (v in rev(names(table$dimnames))) {
      group <- (group - 1) * size[[match(v, names(table$dimnames))]] + levels[[v]]
    }
    counts <- dense_counts(table)
    list(cell = order(group), size = tabulate(group, length(counts)), lower = counts,
         upper = counts)
  })
  stack_rows(rows, dimnames, dimnames)
}

# Each part has a label of each variable for each row; a label holds levels.
stated_parts <- function(constraints) {
  dimnames <- constraints$dimnames
  held <- constraints$made_of
  if (is.null(held)) {
    rows <- constraints$rows
    rows$size <- diff(rows$start)
    return(stack_rows(list(rows), dimnames, dimnames))
  }
  rows <- lapply(held$parts, function(part) {
    if (length(part$lower) == 0 && is.null(part$make_rows)) {
      return(NULL)
    }
    if (!is.null(part$make_rows)) {
      made <- part$make_rows(held$labels)
      return(c(made, list(size = diff(made$start))))
    }
    c(sums_of_labels(part$columns, held$labels, length(part$lower)),
      list(lower = part$lower, upper = part$upper))
  })
  stack_rows(rows[lengths(rows) > 0], dimnames, lapply(held$labels, `[[`, "names"), held$labels)
}

# The cells of sums that are given by labels, row after row, each row in ascending order.
sums_of_labels <- function(columns, labels, n) {
  row <- seq_len(n)
  cell <- numeric(n)
  stride <- cumprod(c(1, lengths(lapply(labels, `[[`, "levels"))))
  for (v in seq_along(labels)) {
    label <- labels[[v]]
    shown <- columns[[names(labels)[v]]]
    sets <- c(list(seq_along(label$levels)), label$held)
    code <- if (is.null(shown)) rep(1, n) else match(as.character(shown), label$names) + 1
    size <- lengths(sets)[code[row]]
    level <- unlist(sets[code[row]], use.names = FALSE)
    row <- rep(row, size)
    cell <- rep(cell, size) + (level - 1) * stride[v]
  }
  by <- order(row, cell)
  list(cell = cell[by] + 1, size = tabulate(row, n))
}

# `names`: the labels that cells are asked for by.
stack_rows <- function(rows, dimnames, names, labels = NULL) {
  join <- function(field) as.numeric(unlist(lapply(rows, `[[`, field), use.names = FALSE))
  size <- join("size")
  coefficient <- unlist(lapply(rows, function(r) r$coefficient %||% rep(1, length(r$cell))))
  out <- list(
    dimnames = dimnames, names = names, labels = labels, n = prod(lengths(dimnames)),
    start = cumsum(c(0, size)), cell = join("cell"), coefficient = as.numeric(coefficient),
    lower = join("lower"), upper = join("upper")
  )
  limit_cells(out)
}

# A row of one cell is a limit of the cell.
limit_cells <- function(said) {
  alone <- which(diff(said$start) == 1)
  alone <- alone[said$coefficient[said$start[alone] + 1] == 1]
  cell <- said$cell[said$start[alone] + 1]
  c(said, said_limits(cell, said$lower[alone], said$upper[alone], said$n))
}

# Each asked sum of several cells is one more unknown, with a row: its cells less itself make 0.
add_asked_sums <- function(said, x) {
  labels <- said$labels %||% lapply(said$dimnames, function(levels) {
    list(levels = levels, held = as.list(seq_along(levels)), names = levels)
  })
  shown <- Map(function(label, code) label$names[code], labels, x$codes)
  n <- length(x$lower)
  sums <- sums_of_labels(shown, labels, n)
  several <- sums$size != 1
  row <- rep(seq_len(n), sums$size)
  own <- said$n + cumsum(several)
  said$asked <- replace(own, !several, sums$cell[!several[row]])
  new <- base::sum(several)
  cell <- c(sums$cell[several[row]], own[several])
  by <- order(c(row[several[row]], which(several)))
  said$cell <- c(said$cell, cell[by])
  said$coefficient <- c(said$coefficient,
                        rep(c(1, -1), c(base::sum(several[row]), new))[by])
  said$start <- c(said$start, said$start[length(said$start)] + cumsum(sums$size[several] + 1))
  said$lower <- c(said$lower, numeric(new))
  said$upper <- c(said$upper, numeric(new))
  said$least <- c(said$least, numeric(new))
  said$most <- c(said$most, rep(Inf, new))
  said
}
