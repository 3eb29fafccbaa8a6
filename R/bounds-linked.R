# Bounds of published sums, and of tables that are linked by common variables, without their full
# cross.
#
# Each row of a release speaks of some variables. The graph of these sets of variables is split into
# prime components; each component is laid out as a table of its own, and neighbours have the same
# sums over the variables that they share. Tables of whole numbers that agree in this way are
# margins of one table of whole numbers (the help page of bounds_margins() says how two of them are
# glued), so that the bounds are those over the full cross, and as sharp. A sum that is asked for
# becomes a column of its own, equal to the sum of its cells.

# Does a data frame of cells ask for sums: is a variable missing, or a value no level?
asks_for_sums <- function(cells, labels) {
  is.data.frame(cells) && !all(vapply(names(labels), function(v) {
    v %in% names(cells) && all(as.character(cells[[v]]) %in% labels[[v]]$levels)
  }, NA))
}

# A list of several parts is a linked release.
bounds_of_parts <- function(release, dimnames, cells, style, hierarchies = NULL) {
  if (is_sdc_constraints(release)) {
    check_own_trees(hierarchies)
    release <- as_constraints(release, "release", dimnames)
    held <- release$made_of
  } else {
    style_of_parts <- list(freqVar = "freq", total_label = "Total", tolerance = .5)
    several <- is.list(release) && !is.object(release)
    parts <- release_parts(if (several) release else list(release), style_of_parts,
                           if (several) paste("part", seq_along(release)) else "release")
    held <- list(parts = parts, labels = part_labels(parts, hierarchies, "Total", dimnames))
  }
  sums <- !is.null(held) && asks_for_sums(cells, held$labels)
  if (in_cells(held, style)) {
    return(bounds_of_cells(release, held, cells, sums, style))
  }
  if (sums && any(vapply(held$parts, has_rates, NA)) && full_cross(held$labels) <= most_leaves) {
    if (!is_sdc_constraints(release)) {
      release <- compose_constraints(held$parts, held$labels, 5e7)
    }
    return(bounds_of_leaf_sums(release, held$labels, cells, style))
  }
  if (sums) {
    return(bounds_of_sums(held$parts, held$labels, cells, style))
  }
  if (!is_sdc_constraints(release)) {
    release <- compose_constraints(held$parts, held$labels, 5e7)
  }
  bounds_of_constraints(release, cells, style)
}

check_own_trees <- function(hierarchies) {
  if (!is.null(hierarchies)) {
    abort_sdc("input", c(
      "{.arg hierarchies} must be left out where {.arg release} has trees of its own.",
      x = "{.arg release} is an {.cls sdc_constraints}.",
      i = "Give the trees to {.fn constraints}."
    ))
  }
}

bounds_of_cells <- function(release, held, cells, sums, style) {
  asked <- if (sums) {
    asked_sums(cells, held$labels)
  } else {
    resolve_asked(cells, lapply(held$labels, `[[`, "levels"), style$max_cells)
  }
  codes <- rlang::set_names(asked$codes, names(held$labels))
  system <- cell_system(held$parts, held$labels, codes, asked$n, style$max_cells,
                        isTRUE(style$certificates))
  found <- bound_in_cells(system, style)
  warn_of_outer(found)
  out <- new_bounds(
    lapply(held$labels, if (sums) function(label) label$names else function(label) label$levels),
    unname(asked$codes), found$lower, found$upper, found$sharp,
    if (style$method == "auto") "auto (whole numbers)" else style$method,
    real = found$real, effort = found$effort, attained = attained_ends(found), note = system$note,
    release = if (!sums) leaf_release(release, held)
  )
  if (isTRUE(style$certificates)) certify_cells(out, system, held, style) else out
}

# The constraints in the leaves, which disclosed() reads its reasons from, unless they are long.
leaf_release <- function(release, held) {
  if (is_sdc_constraints(release)) {
    return(release)
  }
  tryCatch(compose_constraints(held$parts, held$labels, most_reason_entries),
           sdc_error_too_large = function(cnd) NULL)
}

most_reason_entries <- 1e6

# Labels of cells and of sums, and their number.
asked_sums <- function(cells, labels) {
  check_some_variable(cells, labels)
  asked <- new_part("cells", cells_of_sums(cells, labels), numeric(nrow(cells)),
                    rep(Inf, nrow(cells)), complete = FALSE)
  codes <- lapply(rlang::set_names(names(labels)), function(v) {
    code <- match_labels(asked, v, labels[[v]])
    ifelse(code == 0, whole_label(labels[[v]]), code)
  })
  check_each_once(codes, nrow(cells))
  new_asked(codes, nrow(cells))
}

bounds_of_sums <- function(parts, labels, cells, style) {
  codes <- asked_sums(cells, labels)$codes
  asked <- new_part("cells", cells_of_sums(cells, labels), numeric(nrow(cells)),
                    rep(Inf, nrow(cells)), complete = FALSE)
  pieces <- split_by_variables(c(parts, list(asked)), labels)
  system <- linked_system(pieces, labels, style$max_cells)
  found <- bound_system(system, system$asked, style)
  warn_of_outer(found)
  out <- new_bounds(
    lapply(labels, `[[`, "names"), unname(codes), found$lower, found$upper, found$sharp,
    if (style$method == "auto") "auto (whole numbers)" else style$method,
    real = found$real, effort = found$effort, attained = attained_ends(found), note = system$note
  )
  certify_leaves(out, NULL, list(parts = parts, labels = labels), style)
}

# Leaves up to which sums are bounded over all of them.
most_leaves <- 1e6

# The same over the leaves of the full cross, where the search knows rates as such.
bounds_of_leaf_sums <- function(release, labels, cells, style) {
  codes <- asked_sums(cells, labels)$codes
  system <- with_asked_sums(release, labels, codes, nrow(cells))
  found <- bound_system(system, system$asked, style)
  warn_of_outer(found)
  out <- new_bounds(
    lapply(labels, `[[`, "names"), unname(codes), found$lower, found$upper, found$sharp,
    if (style$method == "auto") "auto (whole numbers)" else style$method,
    real = found$real, effort = found$effort, attained = attained_ends(found)
  )
  certify_leaves(out, release, list(labels = labels), style)
}

check_some_variable <- function(cells, labels) {
  if (any(names(labels) %in% names(cells))) {
    return(invisible(cells))
  }
  abort_sdc("input", c(
    "{.arg cells} must have a column for some variable of the release.",
    x = "Its columns are {.val {names(cells)}}.",
    i = "The variables are {.val {names(labels)}}."
  ))
}

cells_of_sums <- function(cells, labels) {
  shown <- intersect(names(labels), names(cells))
  lapply(rlang::set_names(shown), function(v) frame_column(cells[[v]], v, "cells"))
}

# The label that holds all levels, as rows have it that say nothing of the variable.
whole_label <- function(label) {
  whole <- which(lengths(label$held) == length(label$levels))
  c(whole[whole > length(label$levels)], whole)[1]
}

# The parts by the variables that their rows restrict: a total of A restricts no A. The last part
# is what is asked; its pieces keep the numbers of their rows in `asked`.
split_by_variables <- function(parts, labels) {
  pieces <- lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    if (!is.null(part$make_rows)) {
      return(list(c(part, list(shown = names(part$columns)))))
    }
    restricts <- lapply(rlang::set_names(as.character(names(part$columns))), function(v) {
      code <- match_labels(part, v, labels[[v]])
      c(FALSE, lengths(labels[[v]]$held) < length(labels[[v]]$levels))[code + 1]
    })
    pattern <- pattern_of(restricts, length(part$lower))
    lapply(unique(pattern), function(p) {
      at <- which(pattern == p)
      shown <- names(restricts)[vapply(restricts, function(r) r[at[1]], NA)]
      piece <- new_part(part$set, lapply(part$columns[shown], `[`, at), part$lower[at],
                        part$upper[at], complete = FALSE)
      c(piece, list(shown = shown, asked = if (i == length(parts)) at))
    })
  })
  unlist(pieces, recursive = FALSE)
}

pattern_of <- function(flags, n) {
  if (length(flags) == 0 || n == 0) {
    return(rep("", n))
  }
  do.call(paste0, c(list(""), lapply(unname(flags), as.integer)))
}

linked_system <- function(pieces, labels, max_cells) {
  sets <- lapply(pieces, function(piece) sort(match(piece$shown, names(labels))))
  components <- release_components(sets, length(labels))
  home <- vapply(sets, function(set) {
    which(vapply(components, function(c) all(set %in% c), NA))[1]
  }, 1)
  size <- vapply(components, function(c) prod(lengths(lapply(labels[c], `[[`, "levels"))), 1)
  check_entries(base::sum(size), max_cells, "cells")
  is_asked <- vapply(pieces, function(piece) !is.null(piece$asked), NA)
  blocks <- lapply(seq_along(components), function(b) {
    compose_constraints(pieces[home == b & !is_asked], labels[components[[b]]], max_cells)
  })
  offset <- cumsum(c(0, vapply(blocks, function(block) length(block$lower), 1)))
  rows <- Map(function(block, from) shifted_rows(block$rows, from), blocks, utils::head(offset, -1))
  tree <- component_tree(components)
  links <- lapply(seq_len(nrow(tree)), function(k) link_rows(blocks, components, offset, tree[k, ]))
  at <- offset[length(offset)]
  asked <- integer(base::sum(lengths(lapply(pieces, `[[`, "asked"))))
  sums <- list()
  for (p in which(is_asked)) {
    n <- length(pieces[[p]]$asked)
    cells <- asked_rows(pieces[[p]], labels[components[[home[p]]]], offset[home[p]], at)
    asked[pieces[[p]]$asked] <- at + seq_len(n)
    sums <- c(sums, list(cells))
    at <- at + n
  }
  list(
    lower = c(unlist(lapply(blocks, `[[`, "lower")), numeric(length(asked))),
    upper = c(unlist(lapply(blocks, `[[`, "upper")), rep(Inf, length(asked))),
    rows = join_rows(c(rows, links, sums)), asked = asked,
    note = component_words(components, names(labels))
  )
}

shifted_rows <- function(rows, offset) {
  rows$cell <- rows$cell + offset
  rows
}

# Two tables have the same sums over what they share.
link_rows <- function(blocks, components, offset, pair) {
  shared <- intersect(components[[pair[1]]], components[[pair[2]]])
  sides <- lapply(1:2, function(side) {
    block <- blocks[[pair[side]]]
    at <- match(shared, components[[pair[side]]])
    size <- lengths(block$dimnames[at], FALSE)
    cell <- seq_along(block$lower)
    list(row = combine_codes(block$codes[at], size, length(cell)), n = prod(size),
         cell = cell + offset[pair[side]], sign = rep(3 - 2 * side, length(cell)))
  })
  row <- c(sides[[1]]$row, sides[[2]]$row)
  n <- sides[[1]]$n
  sorted <- order(row)
  list(
    start = cumsum(c(0, tabulate(row, n))), cell = c(sides[[1]]$cell, sides[[2]]$cell)[sorted],
    coefficient = c(sides[[1]]$sign, sides[[2]]$sign)[sorted], lower = numeric(n),
    upper = numeric(n), label = rep("link", n)
  )
}

# Each asked sum: its cells less its own column, `first` + 1 and so on, make 0.
asked_rows <- function(piece, labels, offset, first) {
  found <- part_rows(piece, labels, Inf)
  n <- length(piece$lower)
  row <- c(rep(seq_len(n), diff(found$start)), seq_len(n))
  sorted <- order(row)
  list(
    start = cumsum(c(0, tabulate(row, n))),
    cell = c(found$cell + offset, first + seq_len(n))[sorted],
    coefficient = c(rep(1, length(found$cell)), rep(-1, n))[sorted], lower = numeric(n),
    upper = numeric(n), label = rep("asked", n)
  )
}
