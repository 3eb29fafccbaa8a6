# Some people who put together what they know, of a table whose rows of people are protected
# (suppress-groups.R).
#
# A coalition of at most k people knows of a cell that it has at least as many people as are its own
# there, and where all of them are, how many it has. Certificates keep min(count - 1, k) people in
# every suppressed cell, so that those of whom a cell has others as well exclude none of the tables.
# What is left is to ask of coalitions that are all people of some cells of the table itself
# (sets_of_people()).
#
# Of a row of people they learn what the others are only if all of these are in one category. Then
# all who are in another category of the row are in the coalition, so that they are k at most: the
# rows that are judged are all that matter, and any further members may be anywhere.

# ---- what is asked for --------------------------------------------------------------------------

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

# ---- who they are -------------------------------------------------------------------------------

# All sets of cells with counts that have from 2 to `most` people: `set`, the number of one, and
# `cell`, a row for each of its cells.
sets_of_people <- function(cell, count, most) {
  by <- order(count, cell)
  cell <- cell[by]
  count <- count[by]
  sets <- matrix(seq_along(cell)[count <= most], ncol = 1)
  out <- list(data.frame(set = numeric(), cell = numeric()))
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
  out <- do.call(rbind, out)
  out[order(out$set, out$cell), ]
}

# As paired_contributors(): `who` and `with`, the first and the last of the rows of a coalition's
# cells. `single`: what each of them knows alone.
coalitions_of <- function(x, single) {
  stored <- rows_of_stored(x)
  counts <- x$original$counts
  own <- own_of_coalitions(x, x$cells, hides_zero(x))
  size <- lengths(lapply(own, `[[`, "of"))
  of <- data.frame(own = rep(seq_along(own), size),
                   row = as.numeric(unlist(lapply(own, `[[`, "of"))))
  told <- counts >= 1 & (is_hidden(x)[stored] | stored %in% c(single$who, of$row))
  sets <- sets_of_people(stored[told], counts[told], group_room(x))
  if (nrow(sets) == 0) {
    return(no_pairs)
  }
  alone <- matches(sets$cell, single$who[single$known$reader])
  inner <- which(is_hidden(x)[sets$cell])
  known <- own_of_sets(sets, of, size)
  row <- c(single$known$row[alone$y], sets$cell[inner], vapply(own, `[[`, 0, "row")[known$own])
  reader <- c(sets$set[alone$x], sets$set[inner], known$set)[is_hidden(x)[row]]
  row <- row[is_hidden(x)[row]]
  new <- !duplicated(reader * (nrow(x$cells) + 1) + row)
  list(who = sets$cell[!duplicated(sets$set)],
       with = sets$cell[!duplicated(sets$set, fromLast = TRUE)],
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

# ---- what an audit asks -------------------------------------------------------------------------

# Two who put together what they know: two who are alone in cells of their own, or the two of one
# cell. Both know the totals in which nobody else is. `single`: what each learns by herself, which
# is not told again.
count_coalitions <- function(x, outsider, single, limits, progress) {
  pairs <- if (is.null(x$groups)) paired_readers(x) else pairs_beside_groups(x)
  search_count_readers(x, pairs, outsider, single, limits, progress, "coalition")
}

paired_readers <- function(x) {
  alone <- sole_readers(x)
  both <- rows_of_two(x)
  at <- match(both$row, which(is_hidden(x)))
  single <- alone$who[[1]]
  check_size(length(single)^2 / 2, 5e5, "pairs of people who are alone in a cell")
  pairs <- if (length(single) > 1) t(utils::combn(sort(single), 2)) else matrix(0, 0, 2)
  pairs <- unique(rbind(pairs, cbind(both$first, both$second)))
  own <- lapply(1:2, function(side) {
    found <- matches(pairs[, side], single[alone$reader])
    data.frame(reader = found$x, row = alone$row[found$y])
  })
  shared <- matches(paste(pairs[, 1], pairs[, 2]), paste(both$first, both$second))
  all <- rbind(own[[1]], own[[2]], data.frame(reader = shared$x, row = at[shared$y]))
  list(who = list(pairs[, 1], pairs[, 2]), reader = all$reader, row = all$row)
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
