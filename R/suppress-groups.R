# Rows that give their people away as a group. A row is a cell of all variables but one, with the
# categories of that one below it: the people of an area and an age group by illness. Who knows that
# somebody belongs to a row knows her category when all people of the row are in it, and knows that
# she is not in a category that is empty.
#
# Somebody of the row who is alone in her category learns that of the others where all of them are
# in one, and so do some who act together, of a row of all but these. Such rows are judged where
# single people, or coalitions, are among the readers (suppress-coalitions.R).
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
  check_group_names(groups, x$original$dimnames)
  reason <- if (x$protectZeros) {
    "{.arg protectZeros} is TRUE, so that all zeros are primary anyway."
  } else if (!is.null(x$crossings)) {
    "{.arg x} was made with a {.arg formula}, and has counts that no crossing shows."
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

check_group_names <- function(groups, dimnames) {
  ok <- is.character(groups) && length(groups) > 0 && !anyNA(groups) && !anyDuplicated(groups) &&
    all(groups %in% names(dimnames)[lengths(dimnames) > 1])
  if (!ok) {
    abort_sdc("input", c(
      "{.arg groups} must name variables of the table that have at least two levels.",
      x = "It is {show_value(groups)}.",
      i = "The variables are {.val {names(dimnames)}}."
    ))
  }
}

# What is said of groups, and for whom, before the search says it again.
with_groups <- function(x, wishes) {
  if (!is.null(wishes$groups)) {
    x[c("groups", "small_groups")] <- wishes[c("groups", "small_groups")]
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
  single <- lapply(all, function(rows) {
    closed <- rowSums(rows$chosen | rows$small) == 0
    rows$near & closed & apart(rows$count, rows$n, group_room(x))
  })
  at <- unlist(Map(function(rows, some) rows$cell[some], all, single))
  list(zero = above_categories(box, all, lapply(all, function(rows) rows$chosen | rows$small)),
       single = replace(none, at, rep(TRUE, length(at))))
}

# The rows of people by each variable, with the zeros that are primary: one that is `chosen`, and
# those of a `small` row.
chosen_of_groups <- function(x, box) {
  zero <- box$freq == 0
  all <- rows_of_groups(x, box)
  never <- zero & !Reduce(`|`, lapply(all, function(rows) rows$given[rows$of]))
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

rows_of_groups <- function(x, box) {
  lapply(match(x$groups, names(box$dimnames)), function(v) {
    group_rows(box, v, x$small_groups, group_room(x))
  })
}

# The box of all nodes: its `size`, the `freq` of its cells; of each variable the labels of the
# levels, and for each node the nodes that hold it, itself among them.
node_box <- function(x, cells) {
  dimnames <- x$original$dimnames
  totals <- unname(table_totals(x$original))
  above <- unname(Map(function(levels, total) {
    node <- length(levels) + rep(seq_along(total), lengths(total))
    over <- unname(split(node, factor(unlist(total), seq_along(levels))))
    c(Map(c, seq_along(levels), over),
      lapply(unname(total), function(leaves) Reduce(intersect, over[leaves])))
  }, dimnames, totals))
  list(size = lengths(above), freq = cells$freq, dimnames = dimnames, above = above)
}

# The numbers of all cells, with a row for each node of variable `v`.
cells_by_node <- function(box, v) {
  all <- array(seq_len(prod(box$size)), box$size)
  matrix(aperm(all, c(v, seq_along(box$size)[-v])), box$size[v])
}

# The rows of people by variable `v`: the numbers of the cells of each category (a column each) and
# of the `total`; how many people are there (`count`, `n`); are they all in one category (`alike`),
# all but at most `room` (`near`), are they few? `given`: any of these; `of`: the row of each cell.
group_rows <- function(box, v, small, room) {
  at <- cells_by_node(box, v)
  categories <- seq_along(box$dimnames[[v]])
  cell <- t(at[categories, , drop = FALSE])
  count <- matrix(box$freq[cell], ncol(at))
  n <- rowSums(count)
  total <- at[Reduce(intersect, box$above[[v]][categories])[1], ]
  of <- integer(length(at))
  of[at] <- col(at)
  kinds <- rowSums(count > 0)
  near <- kinds > 1 & n - count[cbind(seq_along(n), max.col(count, "first"))] <= room
  few <- n > 0 & n <= small
  list(v = v, cell = cell, total = total, count = count, n = n, of = of, alike = kinds == 1,
       near = near, few = few, given = kinds == 1 | near | few)
}

# One zero of each row whose people are alike, or all but a few. Larger rows come first, and others
# take the same category where they can, so that there is a cell that can rise below. The category
# that most rows can have is the first choice of all. Where none can rise the search says so of the
# first, of a row of alike people. `never`: zeros that are published whatever is chosen.
chosen_zeros <- function(box, rows, never) {
  zero <- rows$count == 0 & (rows$alike | rows$near)
  open <- zero & !told_by(box, never)[rows$cell]
  by <- order(-colSums(open))
  depth <- as.numeric(Reduce(outer, lapply(box$above, lengths)))[rows$total]
  out <- matrix(FALSE, nrow(zero), ncol(zero))
  for (level in sort(unique(depth[rowSums(zero) > 0]))) {
    now <- depth == level
    can <- open & !told_by(box, never)[rows$cell]
    same <- told_by(box, replace(logical(length(never)), rows$cell[out], TRUE))[rows$cell]
    for (some in list(can & same, can, open, zero & rows$alike)) {
      for (k in by) out[, k] <- out[, k] | (some[, k] & now & rowSums(out) == 0)
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
  out & box$freq == 0
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
