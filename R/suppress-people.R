# Who knows more than what a certified suppression publishes: people who are alone in a cell, and
# two people who put together what they know. What is here is for the verification, and shares no
# code with the search.
#
# Two who are alone in cells of their own know what either of them knows, and the totals in which
# nobody else is. The two of one cell know that it has 2, and the totals of 2 that hold it.

# ---- what is asked for --------------------------------------------------------------------------

max_people_pairs <- 50000
max_pair_questions <- 5e6

# Each pair is asked about each primary cell. `counts`: of the stored cells; `most`: how many people
# act together, where these are not pairs.
check_number_of_pairs <- function(readers, counts, n_primary, most = NULL) {
  n <- number_of_sets(counts, most %||% 2)
  is_small <- n <= max_people_pairs && n * n_primary <= max_pair_questions
  if (is_small || !"coalition" %in% readers) {
    return(invisible(readers))
  }
  abort_sdc("too_large", c(
    if (is.null(most)) "For the reader {.val coalition} a table may have at most
      {format_count(max_people_pairs)} pairs of people who are alone in a cell or are the two of
      one, and {format_count(max_pair_questions)} pairs times primary cells." else
      "With {.arg coalition} a table may have at most {format_count(max_people_pairs)} sets of
       cells with at most so many people together, and {format_count(max_pair_questions)} of these
       times primary cells.",
    x = "It has more.",
    i = "Merge small levels, or leave {.val coalition} out of {.arg readers}.",
    i = if (isTRUE(most > 2)) "A smaller {.arg coalition} has fewer."
  ))
}

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

check_pairs_alone <- function(readers) {
  if (!all(c("coalition", "method") %in% readers)) {
    return(invisible(readers))
  }
  abort_sdc("input", c(
    "{.arg readers} must not name both {.val coalition} and {.val method}.",
    x = "Cells that are chosen without a look at counts are not chosen for pairs of people.",
    i = "Leave one of the two out."
  ))
}

# ---- single people ------------------------------------------------------------------------------

no_contributors <- list(who = numeric(), known = list(reader = integer(), row = numeric()))

# The people who are alone in a cell: `who`, the row of each one's cell, and `known`: which rows
# that are not published have the count 1 that is hers.
single_contributors <- function(x) {
  found <- sole_readers(x)
  stored <- rows_of_stored(x)
  # linked tables need not show the cell itself
  alone <- which(x$original$counts == 1 & is_hidden(x)[stored])
  cell <- c(found$who[[1]][found$reader], alone)
  row <- c(which(is_hidden(x))[found$row], stored[alone])
  new <- !duplicated(as.numeric(cell) * nrow(x$cells) + row)
  who <- unique(cell)
  list(who = stored[who], known = list(reader = match(cell, who)[new], row = row[new]))
}

# The row of each stored cell of the table itself.
rows_of_stored <- function(x) {
  variables <- names(x$original$dimnames)
  number <- combine_codes(stored_codes(x$original), node_numbers(x$cells, variables),
                          length(x$original$counts))
  rows_of_cells(number, x$cells, variables)
}

# ---- two of them --------------------------------------------------------------------------------

no_pairs <- list(who = numeric(), with = numeric(),
                 known = list(reader = integer(), row = numeric()))

# As single_contributors(): `who` and `with`, the rows of the two cells, the same one for the two of
# a cell, and `known`, which rows that are not published have a count that is theirs alone.
paired_contributors <- function(x, single = single_contributors(x)) {
  both <- pairs_of_two(x)
  n <- length(single$who)
  before <- if (n > 1) seq_len(n - 1) else integer()
  one <- single$who[rep(before, n - before)]
  other <- single$who[sequence(n - before, before + 1)]
  who <- c(pmin(one, other), both$who)
  with <- c(pmax(one, other), both$with)
  key <- function(who, with) who * (nrow(x$cells) + 1) + with
  new <- !duplicated(key(who, with))
  who <- who[new]
  with <- with[new]
  own <- lapply(list(who, with), function(side) {
    found <- matches(side, single$who[single$known$reader])
    list(reader = found$x, row = single$known$row[found$y])
  })
  shared <- matches(key(who, with), key(both$who, both$with))
  reader <- c(own[[1]]$reader, own[[2]]$reader, shared$x)
  row <- c(own[[1]]$row, own[[2]]$row, both$row[shared$y])
  new <- !duplicated(reader * (nrow(x$cells) + 1) + row)
  list(who = who, with = with, known = list(reader = reader[new], row = row[new]))
}

# The rows of two people: totals, and also cells that linked tables do not show.
pairs_of_two <- function(x) {
  found <- rows_of_two(x)
  stored <- rows_of_stored(x)
  shared <- which(x$original$counts == 2 & is_hidden(x)[stored])
  one <- stored[c(found$first, shared)]
  other <- stored[c(found$second, shared)]
  list(row = c(found$row, stored[shared]), who = pmin(one, other), with = pmax(one, other))
}

# ---- what is open to them -----------------------------------------------------------------------

# A row for each of them that is open to a reader.
open_cells <- function(row, reader, who = rep(NA_real_, length(row)),
                       with = rep(NA_real_, length(row))) {
  n <- length(row)
  list2data_frame(list(row = as.numeric(row), reader = rep(reader, n), who = as.numeric(who),
                       with = as.numeric(with)), n)
}

# What is open to one of the two is said of her.
open_to_both_alone <- function(pairs, people) {
  said <- paste(people$row, people$who)
  new <- !paste(pairs$row, pairs$who) %in% said & !paste(pairs$row, pairs$with) %in% said
  open_cells(pairs$row[new], "coalition", pairs$who[new], pairs$with[new])
}

# ---- words --------------------------------------------------------------------------------------

pairs_sentence <- function(open) {
  n <- nrow(open)
  if (n > 0) {
    paste0("FAILS: no certificate keeps ", plural(n, "pair"), " of people who put together what ",
           "they know from learning it.")
  }
}
