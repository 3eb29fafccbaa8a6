# Rows that give their people away as a group. A row is a cell of all variables but one, with the
# categories of that one below it: the people of an area and an age group by illness. Who knows that
# somebody belongs to a row knows her category when all people of the row are in it, and knows that
# she is not in a category that is empty.
#
# Somebody of the row who is alone in her category learns that of the others where all of them are
# in one, and so do some who act together, of a row of all but these. Such rows are judged where
# single people, or coalitions, are among the readers (suppress-coalitions.R).
#
# A combination of categories (suppress-combinations.R) is judged like a category: those outside it
# are apart, and a zero outside it protects the row.
#
# Such a row is protected by suppressed zeros: another table that agrees has people there. Of a row
# whose people all, or all but a few, are in one category one zero suffices, and those few know
# their own counts. Of a small row all zeros are suppressed. Where no zero of a row of all but a few
# can rise, these know by themselves what the others are once they know that nobody else is like
# them; then their counts are primary, so that the publication does not tell them that.
#
# A reader may know that zeros are suppressed in such rows alone, and then rules out all tables that
# have a zero in a suppressed cell of another row (suppress-groups-verify.R). So the search is told
# that, while the suppressed zero of a row is zero, no more people than those few are apart.

# ---- what is asked for --------------------------------------------------------------------------

check_people_groups <- function(wishes, x, given) {
  groups <- wishes$groups
  small <- wishes$small_groups
  check_whole(small, min = 0, max = 2^53, arg = "small_groups")
  if (is.null(groups)) {
    if (small > 0) {
      abort_sdc("input", c(
        "{.arg small_groups} must come with {.arg groups}.",
        x = "No variable is named whose categories tell something about people."
      ))
    }
    return(invisible())
  }
  check_group_names(read_people_groups(groups, x)$groups, x$original$dimnames)
  reason <- if (x$protectZeros) {
    "{.arg protectZeros} is TRUE, so that all zeros are primary anyway."
  } else if ("method" %in% wishes$readers) {
    "{.arg readers} names {.val method}, and the zeros of such rows depend on counts."
  } else if (leaves_zeros_out(x)) {
    "The table has {format_count(prod(lengths(node_labels(x$original))))} cells and totals, and all
     zeros of tables with more than {format_count(max_full_box())} are published."
  }
  if (!is.null(reason)) {
    abort_sdc("input", c(
      "{.arg groups} must be asked of a table whose zeros can be suppressed one by one.",
      x = reason
    ))
  }
}

# What is said of groups, and for whom, before the search says it again.
with_groups <- function(x, wishes) {
  if (!is.null(wishes$groups)) {
    read <- read_people_groups(wishes$groups, x)
    x$groups <- read$groups
    if (length(read$combinations) > 0) x$combinations <- read$combinations
    x$small_groups <- wishes$small_groups
    x$readers <- wishes$readers %||% usual_readers
    x$coalition <- if ("coalition" %in% x$readers) wishes$coalition
  }
  x
}

# ---- which cells are primary --------------------------------------------------------------------

# `cells`: a row for each cell and total, zeros too; `x`: a suppression. Which of them are primary
# so that rows of people are not given away: `zero`, and `single`, counts of people who would know
# the rest.
group_cells <- function(x, cells) {
  none <- logical(length(cells$freq))
  if (is.null(x$groups)) {
    return(list(zero = none, single = none))
  }
  box <- node_box(x, cells)
  all <- chosen_of_groups(x, box)
  single <- lapply(all, function(rows) closed_few(rows, rows$chosen | rows$small, group_room(x)))
  at <- unlist(Map(function(rows, some) rows$cell[some], all, single))
  list(zero = above_categories(box, all, lapply(all, function(rows) rows$chosen | rows$small)),
       single = replace(none, at, rep(TRUE, length(at))))
}

# The rows of people by each variable, with the zeros that are primary: one that is `chosen`, and
# those of a `small` row.
chosen_of_groups <- function(x, box) {
  zero <- box$freq == 0 & box$open
  all <- rows_of_groups(x, box)
  never <- zero & !Reduce(`|`, lapply(all, function(rows) rows$given))
  told <- told_by(box, never)
  all <- lapply(all, function(rows) {
    rows$chosen <- chosen_zeros(box, rows, never)
    rows$small <- rows$count == 0 & rows$few & !told[rows$cell]
    rows
  })
  hidden <- above_categories(box, all, lapply(all, function(rows) rows$chosen | rows$small))
  # what a larger row tells, which has another zero suppressed, tells nothing about a small one
  told <- told_by(box, zero & !hidden)
  lapply(all, function(rows) {
    rows$small <- rows$small & !told[rows$cell]
    rows
  })
}

# How many people are judged to know their own together, of a row of people: none, one, or a
# coalition.
group_room <- function(x) {
  if ("coalition" %in% x$readers) x$coalition %||% 2 else as.numeric("contributor" %in% x$readers)
}

# Of each row of counts those of people who may be among the few that know what the rest is. `n`:
# the people of the row. Where two categories may be the rest all people may be.
apart <- function(count, n, room) {
  rest <- count > 0 & n - count <= room
  count > 0 & (!rest | rowSums(rest) > 1)
}

# The same in rows of each kind that have no zero outside it that is suppressed. `hidden`: flags for
# the cells of the rows.
closed_few <- function(rows, hidden, room) {
  Reduce(`|`, lapply(rows$kinds, function(kind) {
    closed <- rowSums(hidden & beyond(kind, hidden)) == 0
    few <- if (is_combination(kind)) rows$count > 0 & beyond(kind, hidden) else
      apart(rows$count, rows$n, room)
    kind$near & closed & few
  }))
}

rows_of_groups <- function(x, box) {
  lapply(x$groups, function(name) {
    v <- match(name, names(box$dimnames))
    sets <- lapply(x$combinations[[name]], function(set) box$dimnames[[v]] %in% set)
    group_rows(box, v, sets, x$small_groups, group_room(x))
  })
}

# The box of all nodes: its `size`, the `freq` of its cells, and which are `open`, in a crossing; of
# each variable the labels of the levels, and for each node the nodes that hold it, itself among
# them.
node_box <- function(x, cells) {
  dimnames <- x$original$dimnames
  totals <- unname(table_totals(x$original))
  above <- unname(Map(function(levels, total) {
    node <- length(levels) + rep(seq_along(total), lengths(total))
    over <- unname(split(node, factor(unlist(total), seq_along(levels))))
    c(Map(c, seq_along(levels), over),
      lapply(unname(total), function(leaves) Reduce(intersect, over[leaves])))
  }, dimnames, totals))
  list(size = lengths(above), freq = cells$freq, dimnames = dimnames, above = above,
       open = open_rows(cells, table_crossings(x$original)))
}

# The numbers of all cells, with a row for each node of variable `v`.
cells_by_node <- function(box, v) {
  all <- array(seq_len(prod(box$size)), box$size)
  matrix(aperm(all, c(v, seq_along(box$size)[-v])), box$size[v])
}

# The rows of people by variable `v`: the numbers of the cells of each category (a column each) and
# of the `total`; how many people are there (`count`, `n`), none where a crossing does not show all
# categories; the `kinds` of row_kinds(), and are they `few`? `given`: of which cells of the box
# zeros are suppressed in such rows; `of`: the row of each.
group_rows <- function(box, v, sets, small, room) {
  at <- cells_by_node(box, v)
  above <- box$above[[v]]
  categories <- seq_along(box$dimnames[[v]])
  cell <- t(at[categories, , drop = FALSE])
  count <- matrix(box$freq[cell], ncol(at))
  count[rowSums(matrix(!box$open[cell], ncol(at))) > 0, ] <- 0
  n <- rowSums(count)
  of <- integer(length(at))
  of[at] <- col(at)
  few <- n > 0 & n <= small
  kinds <- row_kinds(count, n, sets, room)
  flags <- matrix(few, nrow(at), ncol(at), byrow = TRUE)
  for (kind in kinds) {
    # a group of categories is zero with those outside it
    node <- seq_len(nrow(at)) %in% unlist(above[categories][kind$outside])
    flags <- flags | outer(node, kind$alike | kind$near)
  }
  given <- logical(length(at))
  given[at] <- flags
  list(v = v, cell = cell, total = at[Reduce(intersect, above[categories])[1], ], count = count,
       n = n, of = of, kinds = kinds, few = few, given = given)
}

# One zero of each row whose people are alike, or all but a few; with combinations one outside each.
# Larger rows come first, and others take the same category where they can, so that there is a cell
# that can rise below. The category that most rows can have is the first choice of all. Where none
# can rise the search says so of the first, of a row of alike people. `never`: zeros that are
# published whatever is chosen.
chosen_zeros <- function(box, rows, never) {
  wanted <- lapply(rows$kinds, function(kind) {
    rows$count == 0 & (kind$alike | kind$near) & beyond(kind, rows$count)
  })
  zero <- Reduce(`|`, wanted)
  open <- zero & !told_by(box, never)[rows$cell]
  by <- order(-colSums(open))
  depth <- as.numeric(Reduce(outer, lapply(box$above, lengths)))[rows$total]
  out <- matrix(FALSE, nrow(zero), ncol(zero))
  for (level in sort(unique(depth[rowSums(zero) > 0]))) {
    now <- depth == level
    can <- open & !told_by(box, never)[rows$cell]
    same <- told_by(box, replace(logical(length(never)), rows$cell[out], TRUE))[rows$cell]
    for (i in seq_along(wanted)) {
      kind <- rows$kinds[[i]]
      lacks <- now & rowSums(out & beyond(kind, out)) == 0
      for (some in list(can & same, can, open, kind$alike)) {
        for (k in by[kind$outside[by]]) {
          more <- wanted[[i]][, k] & matrix(some, nrow(out), ncol(out))[, k] & lacks
          out[more, k] <- TRUE
          lacks <- lacks & !more
        }
      }
    }
    never[rows$cell[now & zero & !out & !rows$few]] <- TRUE
  }
  out
}

# The cells of suppressed zeros, and the zeros of groups of categories that hold theirs.
above_categories <- function(box, all, hidden) {
  out <- logical(length(box$freq))
  for (i in seq_along(all)) {
    v <- all[[i]]$v
    stride <- cumprod(c(1, box$size))[v]
    for (k in seq_len(ncol(hidden[[i]]))) {
      at <- all[[i]]$cell[hidden[[i]][, k], k]
      for (node in box$above[[v]][[k]]) out[at + (node - k) * stride] <- TRUE
    }
  }
  out & box$freq == 0 & box$open
}

# Which cells are flagged, or lie below a cell that is.
told_by <- function(box, flags) {
  for (v in seq_along(box$size)) {
    at <- cells_by_node(box, v)
    before <- matrix(flags[at], nrow(at))
    for (node in seq_len(nrow(at))) {
      above <- box$above[[v]][[node]]
      flags[at[node, ]] <- colSums(before[above, , drop = FALSE]) > 0
    }
  }
  flags
}
