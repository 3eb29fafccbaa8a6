# A release of margins, read and checked, and the cells that somebody asks about.

# What is released as margins: an sdc_margins object, one table, or a list of tables. NULL when it
# is anything else.
released_tables <- function(release) {
  if (inherits(release, "sdc_margins")) {
    check_some_margin(release)
    return(unclass(release))
  }
  if (is_table_like(release)) {
    x <- table_argument(release, "release")
    return(rlang::set_names(list(x), margin_label(names(x$dimnames))))
  }
  if (!is.list(release) || is.object(release) || length(release) == 0) {
    return(NULL)
  }
  if (!all(vapply(release, is_table_like, NA))) {
    return(NULL)
  }
  tables <- lapply(release, table_argument, arg = "release")
  labels <- vapply(tables, function(x) margin_label(names(x$dimnames)), "")
  given <- names(release)
  if (!is.null(given)) labels[nzchar(given)] <- given[nzchar(given)]
  rlang::set_names(tables, labels)
}

# Of linked tables the crossings are released, and not the leaves.
is_table_like <- function(x) {
  (is_sdc_table(x) && is.null(table_crossings(x))) || inherits(x, "ftable") ||
    (is.array(x) && !is.data.frame(x))
}

# `dimnames`: variables and levels of the whole table; `tables`: the margins; `sets`: their
# variables as numbers, in their own order; `structure`: see study_release().
read_release <- function(tables, dimnames) {
  dimnames <- whole_dimnames(tables, dimnames)
  sets <- lapply(tables, function(x) match(names(x$dimnames), names(dimnames)))
  out <- list(
    dimnames = dimnames, tables = tables, sets = sets,
    structure = study_release(length(dimnames), unname(sets))
  )
  check_agreement(out)
  out
}

# Variables in an order that all margins have, when there is one; else as they come first.
whole_dimnames <- function(tables, dimnames) {
  shown <- lapply(tables, function(x) x$dimnames)
  variables <- names(dimnames)
  if (is.null(variables)) variables <- order_variables(lapply(shown, names))
  out <- rlang::set_names(vector("list", length(variables)), variables)
  for (v in names(dimnames)) out[[v]] <- as.character(dimnames[[v]])
  for (i in seq_along(shown)) {
    for (v in names(shown[[i]])) {
      levels <- shown[[i]][[v]]
      if (!v %in% variables) abort_unknown_variable(v, names(tables)[i])
      if (is.null(out[[v]])) out[[v]] <- levels
      if (!identical(out[[v]], levels)) abort_levels(v, tables, i, is.null(dimnames))
    }
  }
  out
}

abort_unknown_variable <- function(variable, margin) {
  abort_sdc("input", c(
    "The whole table must have all variables of the margins.",
    x = "Margin {.val {margin}} has {.val {variable}}, which it lacks."
  ))
}

abort_levels <- function(variable, tables, i, among_margins) {
  has <- vapply(tables, function(x) variable %in% names(x$dimnames), NA)
  abort_sdc("input", c(
    "A variable must have the same levels, in the same order, in all margins.",
    x = if (among_margins) {
      "The levels of {.val {variable}} differ between {.val {names(tables)[which(has)[1]]}} and
       {.val {names(tables)[i]}}."
    } else {
      "The levels of {.val {variable}} in {.val {names(tables)[i]}} are not those of the whole
       table."
    }
  ))
}

order_variables <- function(orders) {
  left <- unique(unlist(orders))
  first <- left
  out <- character()
  while (length(left) > 0) {
    waits <- vapply(left, function(v) {
      any(vapply(orders, function(o) v %in% o && o[o %in% left][1] != v, NA))
    }, NA)
    if (all(waits)) {
      return(first)
    }
    out <- c(out, left[!waits][1])
    left <- setdiff(left, out)
  }
  out
}

# ---- agreement --------------------------------------------------------------------------------

# Margins agree when each one that lies inside another is its margin, and any two of the largest
# ones have the same table over the variables that they share: all other pairs follow.
check_agreement <- function(release) {
  frontier <- release$structure$frontier
  for (i in setdiff(seq_along(release$sets), frontier)) {
    holds <- vapply(frontier, function(f) all(release$sets[[i]] %in% release$sets[[f]]), NA)
    compare_margins(release, frontier[holds][1], i)
  }
  for (a in seq_along(frontier)) {
    for (b in seq_len(a - 1)) compare_margins(release, frontier[b], frontier[a])
  }
}

compare_margins <- function(release, i, j) {
  shared <- intersect(release$sets[[i]], release$sets[[j]])
  found <- cpp_compare_margins(
    bridge_margin(release$tables[[i]], release$sets[[i]]),
    bridge_margin(release$tables[[j]], release$sets[[j]]),
    match(shared, release$sets[[i]]), match(shared, release$sets[[j]]),
    lengths(release$dimnames[shared], use.names = FALSE), 6L
  )
  if (!is.null(found)) abort_disagreement(release, i, j, shared, found)
}

# Released margins are public, so that the message may show what they say.
abort_disagreement <- function(release, i, j, shared, found) {
  labels <- release$dimnames[shared]
  cells <- vapply(seq_len(nrow(found$levels)), function(r) {
    at <- vapply(seq_along(labels), function(v) {
      paste(names(labels)[v], "=", labels[[v]][found$levels[r, v]])
    }, "")
    at <- if (length(at) > 0) paste(at, collapse = ", ") else "the total"
    paste0(at, " (", format_count(found$counts[r, 1]), " and ", format_count(found$counts[r, 2]),
           ")")
  }, "")
  where <- paste0(paste(utils::head(cells, 5), collapse = "; "), if (length(cells) > 5) "; ...")
  margins <- names(release$tables)[c(i, j)]
  abort_sdc("infeasible", c(
    "The margins of {.arg release} must agree on what they share.",
    x = "{.val {margins[1]}} and {.val {margins[2]}} disagree at {where}.",
    i = "Margins of the same table agree; look whether one was changed or rounded."
  ), margins = margins, cells = utils::head(cells, 5))
}

bridge_margin <- function(table, set) {
  list(variables = set, dim = dim(table), keys = table$keys, counts = table$counts)
}

# ---- values of margins ------------------------------------------------------------------------

# The values of the margin over `set` (numbers of variables inside some released margin) at cells
# given by their levels.
release_values <- function(release, set, asked) {
  key <- paste(c("set", sort(set)), collapse = " ")
  if (is.null(asked$values[[key]])) {
    table <- release_margin(release, set)
    at <- match(names(table$dimnames), names(release$dimnames))
    asked$values[[key]] <- cpp_values_at(
      dim(table), table$keys, table$counts, unname(asked$codes[at]), asked$n
    )
  }
  asked$values[[key]]
}

# The margin over `set`, from the smallest released one that holds it.
release_margin <- function(release, set) {
  frontier <- release$structure$frontier
  holds <- frontier[vapply(frontier, function(f) all(set %in% release$sets[[f]]), NA)]
  size <- vapply(release$tables[holds], function(x) length(x$counts), 1)
  f <- holds[which.min(size)]
  if (length(set) == length(release$sets[[f]])) {
    return(release$tables[[f]])
  }
  keep <- match(set, release$sets[[f]])
  project_table(release$tables[[f]], keep, vector("list", length(keep)), release$dimnames[set])
}

release_total <- function(release) sum(release$tables[[1]])

# ---- cells of interest ------------------------------------------------------------------------

# The levels of the asked cells, a vector for each variable, their number, and a place for the
# values of margins at them.
new_asked <- function(codes, n) list(codes = codes, n = n, values = new.env())

resolve_asked <- function(cells, dimnames, max_cells) {
  codes <- if (is.null(cells)) {
    all_codes(dimnames, max_cells)
  } else if (is_sdc_table(cells)) {
    table_codes(cells, dimnames)
  } else if (is.data.frame(cells)) {
    label_codes(cells, dimnames, "cells")
  } else if (is.matrix(cells) && is.numeric(cells)) {
    index_codes(cells, dimnames, "cells")
  } else {
    number_codes(cells, dimnames)
  }
  none <- function() if (is.null(cells)) 1 else asked_of_none(cells)
  n <- if (length(codes) > 0) length(codes[[1]]) else none()
  if (!is.null(cells) && !is_sdc_table(cells)) check_each_once(codes, n)
  new_asked(codes, n)
}

# In a table without variables.
asked_of_none <- function(cells) {
  if (is_sdc_table(cells)) length(cells$counts) else NROW(cells)
}

all_codes <- function(dimnames, max_cells) {
  size <- lengths(dimnames)
  n <- prod(size)
  if (n > max_cells) {
    abort_sdc("too_large", c(
      "Bounds of all cells are given for at most {max_cells} cells.",
      x = "The table has {n}.",
      i = "Ask for {.arg cells}, such as those at risk, or raise {.arg max_cells}."
    ))
  }
  each <- cumprod(c(1, size))
  lapply(seq_along(size), function(v) {
    rep(rep(seq_len(size[[v]]), each = each[[v]]), length.out = n)
  })
}

# The non-zero cells of a table.
table_codes <- function(cells, dimnames) {
  if (!setequal(names(cells$dimnames), names(dimnames)) ||
        !identical(cells$dimnames[names(dimnames)], dimnames)) {
    abort_sdc("input", c(
      "A table for {.arg cells} must have the variables and levels of the released margins.",
      x = "Its variables are {.val {names(cells$dimnames)}}; those of the margins are
           {.val {names(dimnames)}}."
    ))
  }
  stored_codes(cells)[match(names(dimnames), names(cells$dimnames))]
}

# Numbers with the first variable fastest, or a logical value for each cell.
number_codes <- function(cells, dimnames) {
  n <- prod(lengths(dimnames))
  if (is.logical(cells) && length(cells) == n && !anyNA(cells)) cells <- which(as.vector(cells))
  whole <- is.numeric(cells)
  ok <- if (whole) !is.na(cells) & cells == floor(cells) & cells >= 1 & cells <= n
  if (!whole || n > 2^53 || !all(ok)) {
    abort_sdc("input", c(
      "{.arg cells} must be cell numbers from 1 to {n}, a logical array of the
       table's shape, a matrix with a column of level numbers for each variable, a data frame with a
       column of labels for each variable, or an {.cls sdc_table}, whose non-zero cells are meant.",
      x = if (whole && n > 2^53) {
        "There are too many cells for numbers of type double; use levels."
      } else {
        "{if (whole) describe_first(cells, ok, 'cells') else describe(cells, 'cells')}"
      }
    ))
  }
  split_codes(cells, lengths(dimnames, FALSE))
}

check_each_once <- function(codes, n) {
  again <- if (length(codes) == 0) {
    if (n > 1) 2 else NA
  } else {
    which(duplicated(cell_keys(codes, vapply(codes, function(code) max(code, 0), 1))))[1]
  }
  if (!is.na(again)) {
    abort_sdc("input", c(
      "{.arg cells} must name each cell once.",
      x = "Element {again} repeats an earlier cell."
    ))
  }
}

# The structure of `k` variables of which the margins over `sets` are released (see the core's
# chordal.hpp). `kinds` of its components: a "margin", a "free" variable that no margin holds, or
# "open", which needs a search.
study_release <- function(k, sets) {
  out <- cpp_study_release(k, sets)
  out$kinds <- c("margin", "free", "open")[out$kinds + 1]
  out
}
