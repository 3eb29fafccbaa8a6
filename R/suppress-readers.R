# What the people in a table of counts learn from its publication.
#
# Somebody who is alone in a cell knows that its count is 1, and so does she of every total in which
# she is alone. That is a narrower limit of some unknowns of the reader's system; the search is in
# core/linear/reader_search.hpp.

# `outsider`: which hidden rows everybody knows.
count_contributors <- function(x, outsider, limits, progress) {
  search_count_readers(x, sole_readers(x), outsider, NULL, limits, progress)
}

# Everybody who knows that no zero is suppressed: one reader, with a limit for each count.
count_outsiders <- function(x, outsider, limits, progress) {
  row <- which(told_least(x)[is_hidden(x)] > 0)
  nobody <- list(who = list(NA), reader = rep(1L, length(row)), row = row)
  search_count_readers(x, nobody, outsider, NULL, limits, progress, "outsider")
}

# For each cell and total the sum of the numbers that `value` gives to the stored cells of the table
# itself.
sums_of_cells <- function(x, value) {
  held <- new_table(x$original$dimnames, list(keys = x$original$keys, counts = as.double(value)))
  whole <- with_totals(held, x$hierarchies, x$total_label, most_cells(has_all_rows(x)))
  number <- combine_codes(stored_codes(whole), dim(whole), length(whole$counts))
  row <- rows_of_cells(number, x$cells, names(x$original$dimnames))
  replace(numeric(nrow(x$cells)), row, whole$counts)
}

# `known`: which reader (from 1) knows which hidden row (from 1); `who`: a stored cell for each
# reader, or two. Where zeros are protected she knows her own cell alone: that nobody else is in a
# total would tell her zeros. Of suppressed zeros of rows of people she knows those of her own rows.
sole_readers <- function(x) {
  freq <- x$original$counts
  alone <- sums_of_cells(x, ifelse(freq == 1, seq_along(freq), 0))
  known <- x$cells$freq == 1 & is_withheld(x)
  if (isTRUE(x$protectZeros)) known <- known & holds_one_cell(x)
  if (!is.null(x$groups)) {
    beside <- people_beside_zeros(x, x$cells, hides_zero(x))
    known <- known & !beside$unsure
    zeros <- which(!is.na(beside$owner))
    alone[zeros] <- alone[beside$owner[zeros]]
    known[zeros] <- TRUE
  }
  at <- which(known[is_hidden(x)])
  cell <- alone[is_hidden(x)][at]
  who <- unique(cell)
  list(who = list(who), reader = match(cell, who), row = at)
}

# The rows of two people that both know, and the stored cells of the two. Where zeros are suppressed
# they know their own cells alone. A total of two has one cell of two or two cells of one: the sums
# of the numbers of cells and of their squares, for each person, tell which.
rows_of_two <- function(x) {
  freq <- x$original$counts
  n <- length(freq)
  check_size(n, 5e7, "cells with people, for coalitions")
  few <- ifelse(freq <= 2, freq, 0)
  known <- x$cells$freq == 2 & is_withheld(x)
  if (isTRUE(x$protectZeros) || !is.null(x$groups)) known <- known & holds_one_cell(x)
  row <- which(known)
  sum <- sums_of_cells(x, few * seq_along(freq))[row]
  square <- sums_of_cells(x, few * seq_along(freq)^2)[row]
  gap <- sqrt(2 * square - sum^2)
  list(row = row, first = (sum - gap) / 2, second = (sum + gap) / 2)
}

search_count_readers <- function(x, readers, outsider, single, limits, progress,
                                 kind = "contributor") {
  hidden <- which(is_hidden(x))
  freq <- x$cells$freq[hidden]
  everybody <- kind == "outsider"
  view <- count_view(x, if (everybody) public_suppression(x) else public_as_known(x))
  targets <- which(x$cells$sdcStatus[hidden] == "u" & !outsider)
  told <- view$unknown[readers$row] > 0
  known <- list(reader = readers$reader[told], cell = view$unknown[readers$row[told]],
                lower = freq[readers$row[told]], upper = freq[readers$row[told]])
  if (everybody) known[c("lower", "upper")] <- lapply(c(1, Inf), rep_len, sum(told))
  own <- matches(if (everybody) integer() else readers$row, targets)
  own <- list(target = as.integer(own$y), reader = readers$reader[own$x])
  for (side in if (!is.null(single)) readers$who) {
    again <- matches(side, single$by)
    own$target <- c(own$target, match(single$row[again$y], targets))
    own$reader <- c(own$reader, again$x)
  }
  found <- search_readers(
    view$system, length(readers$who[[1]]), known,
    list(cell = view$unknown[targets], low = freq[targets] - 1, high = freq[targets] + 1),
    c(own, list(low = 0, high = 0, asked = FALSE)), FALSE, limits$time_limit_s, progress, view$truth
  )
  variables <- unclass(x$cells)[names(x$original$dimnames)]
  row <- targets[found$target]
  learned <- learned_frame(
    rep(kind, length(row)), people_words(x, readers$who, found$reader),
    lapply(variables, function(column) column[hidden[row]]), found$lower, found$upper,
    rep("exactly", length(row))
  )
  open <- hidden[targets[found$unsure]]
  list(learned = learned, unsure = length(open), interrupted = found$interrupted,
       open = open_frame(kind, lapply(variables, function(column) column[open])),
       counts = found$counts, by = readers$who[[1]][found$reader], row = row)
}

# The system of a reader of the publication `public`: `unknown` has the unknown of each hidden row,
# 0 where everybody knows the count, or no crossing has the cell; `truth` the count of each unknown.
# A limit of a withheld cell leaves the boxes of linked tables as independent as they are
# (bounds-cells.R).
count_view <- function(x, public) {
  hidden <- is_hidden(x)
  if (is.null(public$crossings)) {
    return(list(system = reader_system(public), unknown = seq_len(sum(hidden)),
                truth = x$cells$freq[hidden]))
  }
  system <- linked_cells(public, x$cells$freq)
  list(system = system, unknown = replace(integer(sum(hidden)), system$at, system$asked),
       truth = system$truth)
}

# The cells of the readers, in words.
people_words <- function(x, who, reader) {
  held <- as.data.frame(x$original)
  words <- label_words(lapply(unclass(held)[names(x$original$dimnames)], as.character))
  sides <- unique(lapply(who, function(cell) {
    # nobody in particular has no cell
    ifelse(is.na(cell[reader]), "", words[cell[reader]])
  }))
  do.call(paste, c(sides, sep = " and "))
}
