# Some people who put together what they know, of a table whose rows of people are protected
# (suppress-groups.R).
#
# A coalition of at most k people knows of a cell that it has at least as many people as are its own
# there, and where all of them are, how many it has. Certificates keep min(count - 1, k) people in
# every suppressed cell, so that those of whom a cell has others as well know no more than everybody.
# What is left is to ask of coalitions that are all people of some cells of the table itself
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
    closed <- rowSums(matrix(hidden[rows$cell], nrow(rows$cell))) == 0
    few[rows$cell[rows$near & closed & apart(rows$count, rows$n, x$coalition)]] <- TRUE
  }
  few <- told_by(box, few)
  ifelse(is_inner(box), pmin(box$freq, pmax(1, box$freq - !few), x$coalition), 0)
}

# What is a coalition's own: `row`, and `of`, the cells of the table itself whose people know it.
# Suppressed zeros in rows of people that nobody else is in; of others these tell nothing. And totals
# that nobody else is in, of which no other zero below is suppressed.
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
  own <- rbind(own, data.frame(row = held$above, of = held$cell),
               data.frame(row = below$above[more$x], of = own$of[more$y]))
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
    zero <- which(hidden & rows$given[rows$of])
    total <- rows$total[rows$of[zero]]
    found <- matches(total, held$above)
    list(many = zero[!total %in% held$above], row = zero[found$x], of = held$cell[found$y])
  })
  of <- function(name) as.numeric(unlist(lapply(parts, `[[`, name)))
  own <- data.frame(row = of("row"), of = of("of"))
  own[!own$row %in% of("many"), ]
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
  own <- own_of_coalitions(x, x$cells, hides_zero(x))
  size <- lengths(lapply(own, `[[`, "of"))
  of <- data.frame(own = rep(seq_along(own), size), row = as.numeric(unlist(lapply(own, `[[`, "of"))))
  told <- counts >= 1 & (is_hidden(x)[stored] | stored %in% c(single$who, of$row))
  sets <- sets_of_people(stored[told], counts[told], group_room(x))
  if (NROW(sets) == 0) {
    return(no_pairs)
  }
  alone <- matches(sets$cell, single$who[single$known$reader])
  inner <- which(is_hidden(x)[sets$cell])
  known <- own_of_sets(sets, of, size)
  row <- c(single$known$row[alone$y], sets$cell[inner], vapply(own, `[[`, 0, "row")[known$own])
  reader <- c(sets$set[alone$x], sets$set[inner], known$set)[is_hidden(x)[row]]
  row <- row[is_hidden(x)[row]]
  new <- !duplicated(reader * (nrow(x$cells) + 1) + row)
  n <- max(sets$set)
  list(who = -reached(-sets$cell + nrow(x$cells), sets$set, n) + nrow(x$cells),
       with = reached(sets$cell, sets$set, n),
       known = list(reader = reader[new], row = row[new]))
}

# What is whose own: all cells that it is `of` are in the set. `size`: how many these are.
own_of_sets <- function(sets, of, size) {
  found <- matches(sets$cell, of$row)
  pair <- sets$set[found$x] + (of$own[found$y] - 1) * max(sets$set)
  one <- sort(unique(pair))
  n <- tabulate(match(pair, one), length(one))
  own <- (one - 1) %/% max(sets$set) + 1
  whole <- n == size[own]
  list(set = (one - 1)[whole] %% max(sets$set) + 1, own = own[whole])
}

# As paired_readers(), where zeros of rows of people are suppressed.
pairs_beside_groups <- function(x) {
  x$readers <- union(x$readers, c("contributor", "coalition"))
  x$coalition <- 2
  check_size(number_of_sets(x$original$counts, 2), 5e5, "pairs of people")
  found <- coalitions_of(x, single_contributors(x))
  stored <- rows_of_stored(x)
  list(who = list(match(found$who, stored), match(found$with, stored)),
       reader = found$known$reader, row = match(found$known$row, which(is_hidden(x))))
}
