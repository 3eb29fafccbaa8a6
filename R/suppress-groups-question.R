# What a search is told of rows of people that would be given away as a group (suppress-groups.R),
# and what those know of them who are in the rows.

is_inner <- function(box) {
  codes <- split_codes(seq_len(prod(box$size)), box$size)
  Reduce(`&`, Map(function(code, levels) code <= length(levels), codes, unname(box$dimnames)))
}

# Zeros of the table itself below suppressed ones, themselves among them, and below no zero that is
# published.
rising_zeros <- function(x, cells, hidden) {
  box <- node_box(x, cells)
  told <- told_by(box, box$freq == 0 & box$open & !hidden)
  which(told_by(box, hidden) & !told & is_inner(box))
}

# What the search is told of such rows, or NULL: `rises`, the leaves of cells that are zero and not
# published, one cell after the other; of each row of the cells how many people it may have
# (`most`), as small rows with suppressed zeros stay small for every reader; what people know who
# are alone, and what is a coalition's `own`; and the `ties` of other rows.
group_question <- function(x, measure) {
  if (!any(measure$group_zeros) && group_room(x) < 2) {
    return(NULL)
  }
  # what can rise, and of each total one cell below it: where nothing there can rise it is asked for
  at <- union(which(measure$group_zeros), rising_zeros(x, measure$cells, measure$group_zeros))
  nodes <- variable_nodes(x$original)
  leaves <- do.call(rbind, unname(Map(function(column, levels, totals, of) {
    first <- c(seq_along(levels), vapply(totals, `[`, 0L, 1L))
    of$node[first[as.integer(column)[at]]]
  }, unclass(measure$cells)[names(nodes)], x$original$dimnames, table_totals(x$original), nodes)))
  box <- node_box(x, measure$cells)
  most <- rep(Inf, length(box$freq))
  all <- chosen_of_groups(x, box)
  for (rows in all) {
    has <- rowSums(matrix(measure$group_zeros[rows$cell], nrow(rows$cell))) > 0
    most[rows$total[rows$few & has]] <- x$small_groups
  }
  ties <- lapply(all, row_ties, hidden = measure$group_zeros, room = group_room(x))
  c(list(rises = as.integer(leaves), most = most, ties = unlist(ties, recursive = FALSE),
         own = if (group_room(x) > 1) own_of_coalitions(x, measure$cells, measure$group_zeros)),
    people_beside_zeros(x, measure$cells, measure$group_zeros))
}

# While the zero of a row is zero (`row`, of the cells), so many people more than it has are in the
# categories (`others`) outside what the row was chosen for: at most `room`, where rows of all but
# so many are judged too. Of rows that have such others.
row_ties <- function(rows, hidden, room) {
  at <- which(rows$chosen & !rows$few, arr.ind = TRUE)
  largest <- max.col(rows$count, "first")
  ties <- lapply(seq_len(nrow(at)), function(i) {
    row <- at[i, 1]
    others <- lapply(rows$kinds, function(kind) {
      if (kind$outside[at[i, 2]] && (kind$alike | kind$near)[row]) {
        kind$outside[c(at[i, 2], if (!is_combination(kind)) largest[row])] <- FALSE
        cells <- rows$cell[row, kind$outside]
        cells[rows$count[row, kind$outside] > 0 | hidden[cells]]
      }
    })
    others <- Filter(Negate(is.null), others)
    # any of these is reason enough
    others <- others[[which.min(lengths(others))]]
    if (length(others) > 0) {
      list(row = rows$cell[row, at[i, 2]], others = others, room = as.integer(room))
    }
  })
  Filter(Negate(is.null), ties)
}

# Rows that no crossing shows, and of which a search is told something.
unseen_in_groups <- function(groups, least, open) {
  own <- unlist(lapply(groups$own, function(one) c(one$row, one$of)))
  named <- replace(logical(length(open)), c(own, which_known(groups$owner)), TRUE)
  !open & (named | least > 0 | is.finite(groups$most %||% rep(Inf, length(open))))
}

which_known <- function(owner) unique(owner[!is.na(owner)])

# Ties, or what coalitions own, with numbers of the rows `at`.
rows_among <- function(some, at) {
  lapply(some, function(one) {
    rows <- intersect(names(one), c("row", "others", "of"))
    one[rows] <- lapply(one[rows], match, at)
    one
  })
}

# Ties ask for more than readers know: a table that they exclude may be possible. So what a search
# says that no pattern can do, or none that costs less, is no proof.
without_claims <- function(found) {
  found[c("impossible", "exposed")] <- lapply(found[c("impossible", "exposed")], lapply, `[`, 0)
  found$bound <- 0
  found$optimal <- FALSE
  found
}

# Somebody who is alone in a row of people learns nothing about others from its zeros. `owner`: of
# each suppressed zero the row of her cell, NA where there is none; `unsure`: the totals with count
# 1 of which she cannot tell that she is alone there, as suppressed zeros of other rows are below.
people_beside_zeros <- function(x, cells, hidden) {
  box <- node_box(x, cells)
  all <- rows_of_groups(x, box)
  alone <- cells_above(box, which(box$freq == 1 & is_inner(box)))
  alone <- alone[box$freq[alone$above] == 1, ]
  who <- replace(rep(NA_real_, length(box$freq)), alone$above, alone$cell)
  owner <- rep(NA_real_, length(box$freq))
  shared <- !hidden
  for (rows in all) {
    given <- which(hidden & rows$given)
    person <- who[rows$total[rows$of[given]]]
    shared[given] <- shared[given] | is.na(person) | !(owner[given] == person) %in% c(TRUE, NA)
    owner[given] <- person
  }
  owner[shared] <- NA
  below <- cells_above(box, rising_zeros(x, cells, hidden))
  below <- below[box$freq[below$above] == 1, ]
  others <- !(owner[below$cell] == who[below$above]) %in% TRUE
  unsure <- replace(logical(length(box$freq)), below$above[others], TRUE)
  for (rows in all) {
    owner[unsure[rows$total][rows$of] & rows$given] <- NA
  }
  list(owner = owner, unsure = unsure)
}

# All pairs of some cells and cells that hold them.
cells_above <- function(box, at) {
  out <- list(cell = at, above = rep(1, length(at)))
  stride <- cumprod(c(1, box$size))
  for (v in seq_along(box$size)) {
    above <- box$above[[v]][split_codes(out$cell, box$size)[[v]]]
    each <- rep(seq_along(above), lengths(above))
    out <- list(cell = out$cell[each],
                above = out$above[each] + (as.numeric(unlist(above)) - 1) * stride[v])
  }
  list2data_frame(out, length(out$cell))
}

# The least counts that certificates keep in the cells of the table itself, 0 in other rows. In rows
# where no zero can rise those few are not told that nobody else is like them: a table says so in
# which they are more. `cells`, `hidden`: the zeros that are suppressed.
kept_counts <- function(x, cells, hidden) {
  if (is.null(x$coalition)) {
    return(numeric(nrow(cells)))
  }
  box <- node_box(x, cells)
  few <- logical(length(box$freq))
  for (rows in rows_of_groups(x, box)) {
    closed <- closed_few(rows, matrix(hidden[rows$cell], nrow(rows$cell)), x$coalition)
    few[rows$cell[closed]] <- TRUE
  }
  few <- told_by(box, few)
  ifelse(is_inner(box), pmin(box$freq, pmax(1, box$freq - !few), x$coalition), 0)
}

# What is a coalition's own: `row`, and `of`, the cells of the table itself whose people know it.
# Suppressed zeros in rows of people that nobody else is in; of others these tell nothing. And
# totals that nobody else is in, of which no other zero below is suppressed.
own_of_coalitions <- function(x, cells, hidden) {
  box <- node_box(x, cells)
  most <- group_room(x)
  held <- cells_above(box, which(box$freq > 0 & box$freq <= most & is_inner(box)))
  held <- held[box$freq[held$above] <= most, ]
  own <- zeros_of_coalitions(rows_of_groups(x, box), box, held, hidden)
  below <- cells_above(box, rising_zeros(x, cells, hidden))
  below <- below[box$freq[below$above] %in% seq_len(most), ]
  open <- below$above[!below$cell %in% own$row]
  more <- matches(below$cell, own$row)
  totals <- rbind(data.frame(row = held$above, of = held$cell),
                  data.frame(row = below$above[more$x], of = own$of[more$y]))
  own <- rbind(own, totals[box$open[totals$row], ])
  own <- unique(own[!own$row %in% c(open, which(is_inner(box) & box$freq > 0)), ])
  found <- split(own$of, own$row)
  people <- vapply(found, function(of) sum(box$freq[of]), 0)
  found <- found[people > 1 & people <= most]
  unname(Map(function(row, of) list(row = row, of = of), as.numeric(names(found)), found))
}

# A row for each zero and each cell of its rows' people. `held`: the cells of few people, and what
# holds them and has few people, too.
zeros_of_coalitions <- function(all, box, held, hidden) {
  parts <- lapply(all, function(rows) {
    zero <- which(hidden & rows$given)
    total <- rows$total[rows$of[zero]]
    found <- matches(total, held$above)
    list(many = zero[!total %in% held$above], row = zero[found$x], of = held$cell[found$y])
  })
  of <- function(name) as.numeric(unlist(lapply(parts, `[[`, name)))
  own <- data.frame(row = of("row"), of = of("of"))
  own[!own$row %in% of("many"), ]
}
