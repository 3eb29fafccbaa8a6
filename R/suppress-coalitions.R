# Some people who put together what they know, of a table whose rows of people are protected
# (suppress-groups.R).
#
# A coalition of at most k people knows of a cell that it has at least as many people as are its own
# there, and where all of them are, how many it has. Certificates keep min(count, k) people in every
# suppressed cell, so that those of whom a cell has others as well know no more than everybody. What
# is left is to ask of coalitions that are all people of some cells of the table itself
# (sets_of_people()).
#
# Of a row of people they learn what the others are only if all of these are in one category. Then
# all who are in another category of the row are in the coalition, so that they are k at most: the
# rows that are judged are all that matter, and any further members may be anywhere.

# ---- what is asked for --------------------------------------------------------------------------

# How many people are judged to know their own together, of a row of people: none, one, or a
# coalition.
group_room <- function(x) {
  if ("coalition" %in% x$readers) x$coalition %||% 2 else as.numeric("contributor" %in% x$readers)
}

# What the search is told: 0 without groups.
people_together <- function(wishes) if (is.null(wishes$groups)) 0 else group_room(wishes)

# Whoever asks for a coalition asks for that reader.
with_coalition <- function(wishes) {
  k <- wishes$coalition
  if (!is.null(k)) {
    check_whole(k, min = 2, max = 2^31, arg = "coalition")
    if (is.null(wishes$groups)) {
      abort_sdc("input", c(
        "{.arg coalition} must come with {.arg groups}.",
        x = "No variable is named whose categories tell something about people.",
        i = "Without groups {.code readers = \"coalition\"} is for pairs of people."
      ))
    }
    wishes$readers <- check_audit_readers(c(setdiff(wishes$readers, "coalition"), "coalition"))
    check_pairs_alone(wishes$readers)
  } else if (!is.null(wishes$groups) && "coalition" %in% wishes$readers) {
    wishes$coalition <- 2
  }
  wishes
}

# ---- rows of people -----------------------------------------------------------------------------

# Of each row of counts those of people who may be among the few that know what the rest is. `n`: the
# people of the row. Where two categories may be the rest all people may be.
apart <- function(count, n, room) {
  rest <- count > 0 & n - count <= room
  count > 0 & (!rest | rowSums(rest) > 1)
}

# Suppressed zeros in rows of people that nobody is in but few, together at most a coalition: `row`,
# the zero, and `of`, the cells of the table itself that these are in. It tells them nothing of
# others.
zeros_of_coalitions <- function(x, cells, hidden) {
  most <- group_room(x)
  if (most < 2 || !any(hidden)) {
    return(list())
  }
  box <- node_box(x, cells)
  held <- cells_above(box, which(box$freq > 0 & box$freq <= most & is_inner(box)))
  held <- held[box$freq[held$above] <= most, ]
  parts <- lapply(rows_of_groups(x, box), function(rows) {
    zero <- which(hidden & rows$given[rows$of])
    total <- rows$total[rows$of[zero]]
    few <- box$freq[total] <= most
    found <- matches(total[few], held$above)
    list(many = zero[!few], row = zero[few][found$x], of = held$cell[found$y])
  })
  row <- unlist(lapply(parts, `[[`, "row"))
  of <- unlist(lapply(parts, `[[`, "of"))
  alone <- !row %in% unlist(lapply(parts, `[[`, "many"))
  found <- lapply(split(of[alone], row[alone]), unique)
  unname(Map(function(row, of) list(row = row, of = of), as.numeric(names(found)), found))
}

# ---- who they are -------------------------------------------------------------------------------

# How many sets of cells with counts have from 2 to `most` people.
number_of_sets <- function(counts, most) {
  n <- c(1, numeric(most))
  for (k in seq_len(most)) {
    same <- sum(counts == k)
    times <- seq(0, most %/% k)
    now <- numeric(most + 1)
    for (t in times) {
      to <- seq(k * t, most) + 1
      now[to] <- now[to] + choose(same, t) * n[to - k * t]
    }
    n <- now
  }
  sum(n[-(1:2)])
}

# All sets of cells with counts that have from 2 to `most` people: `set`, the number of one, and
# `cell`, a row for each of its cells.
sets_of_people <- function(cell, count, most) {
  by <- order(count, cell)
  cell <- cell[by]
  count <- count[by]
  sets <- matrix(seq_along(cell)[count <= most], ncol = 1)
  out <- list()
  before <- 0
  while (nrow(sets) > 0) {
    n <- rowSums(matrix(count[sets], nrow(sets)))
    whole <- sets[n > 1, , drop = FALSE]
    out <- c(out, list(list2data_frame(list(
      set = before + as.numeric(row(whole)), cell = cell[as.vector(whole)]
    ), length(whole))))
    before <- before + nrow(whole)
    last <- sets[, ncol(sets)]
    # cells that come later have no less
    more <- findInterval(most - n, count) - last
    at <- rep(seq_along(last), pmax(more, 0))
    sets <- cbind(sets[at, , drop = FALSE], last[at] + sequence(pmax(more, 0)))
  }
  do.call(rbind, out)
}

# As paired_contributors(): `who` and `with`, the first and the last of the rows of a coalition's
# cells. `single`: what each of them knows alone.
coalitions_of <- function(x, single) {
  stored <- rows_of_stored(x)
  counts <- x$original$counts
  zeros <- zeros_of_coalitions(x, x$cells, hides_zero(x))
  of <- data.frame(zero = rep(seq_along(zeros), lengths(lapply(zeros, `[[`, "of"))),
                   row = as.numeric(unlist(lapply(zeros, `[[`, "of"))))
  told <- counts >= 1 & (is_hidden(x)[stored] | stored %in% c(single$who, of$row))
  sets <- sets_of_people(stored[told], counts[told], group_room(x))
  if (NROW(sets) == 0) {
    return(no_pairs)
  }
  alone <- matches(sets$cell, single$who[single$known$reader])
  own <- which(is_hidden(x)[sets$cell])
  known <- zeros_known(sets, of, lengths(lapply(zeros, `[[`, "of")))
  reader <- c(sets$set[alone$x], sets$set[own], known$set)
  row <- c(single$known$row[alone$y], sets$cell[own],
           vapply(zeros, `[[`, 0, "row")[known$zero])
  new <- !duplicated(reader * (nrow(x$cells) + 1) + row)
  n <- max(sets$set)
  list(who = -reached(-sets$cell + nrow(x$cells), sets$set, n) + nrow(x$cells),
       with = reached(sets$cell, sets$set, n),
       known = list(reader = reader[new], row = row[new]))
}

# Which zeros are whose own: all cells that they are `of` are in the set. `size`: how many these are.
zeros_known <- function(sets, of, size) {
  found <- matches(sets$cell, of$row)
  pair <- sets$set[found$x] + (of$zero[found$y] - 1) * max(sets$set)
  one <- sort(unique(pair))
  n <- tabulate(match(pair, one), length(one))
  zero <- (one - 1) %/% max(sets$set) + 1
  whole <- n == size[zero]
  list(set = (one - 1)[whole] %% max(sets$set) + 1, zero = zero[whole])
}
