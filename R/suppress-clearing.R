# Is a group of cells cleared: does no sum that its equations give fail a linear rule? See
# R/suppress-derived.R. Small groups have a programme of their own for each question, in exact
# arithmetic; for larger ones the core proves its answer by a change of the cells or by a sum.

# Up to so many cells a group is small.
most_small_group <- 400

is_large <- function(group) length(group$cells) > most_small_group

# Sorted by rows, as the core wants them.
sorted_entries <- function(group) {
  by <- order(group$row, group$cell)
  list(row = group$row[by], cell = group$cell[by], coefficient = as.double(group$coefficient[by]))
}

# As is_cleared(): a proof or NA. `c` is whole.
clears_large <- function(group, c, free, seconds) {
  cpp_clears_cells(sorted_entries(group), replace(as.double(c), free, NA), seconds)
}

# Is there a z >= 0, of any sign where `free`, with A z = A c? NA where the time or the size of the
# programme left that open.
is_cleared <- function(group, c, free, watch) {
  if (all(c[!free] >= 0)) {
    return(TRUE)
  }
  seconds <- watch$end - work_seconds()
  if (seconds <= 0) {
    return(NA)
  }
  if (length(c) > most_small_group) {
    return(clears_large(group, c, free, seconds))
  }
  # "infeasible" is an answer here, which needs no message
  tryCatch({
    found <- cpp_bound_constraints(clearing_system(group, c, free), integer(), TRUE, seconds,
                                   max_tableau(), "choose", numeric(), NULL)
    # a point that no exact programme found needs a proof
    if (found$effort$sparse > 0) clears_large(group, c, free, seconds) else
      if (found$effort$stopped) NA else TRUE
  }, `sdclattice::InfeasibleError` = function(cnd) FALSE,
  `sdclattice::TooLargeError` = function(cnd) NA, `std::bad_alloc` = function(cnd) NA)
}

clearing_system <- function(group, c, free) {
  n <- length(group$cells)
  n_rows <- max(group$row)
  value <- sum_by(group$coefficient * c[group$cell], group$row, n_rows)
  # an unknown of any sign is the difference of two
  twice <- which(free[group$cell])
  row <- c(group$row, group$row[twice])
  cell <- c(group$cell, n + cumsum(free)[group$cell[twice]])
  coefficient <- c(group$coefficient, -group$coefficient[twice])
  # the core takes limits of single cells from the cells, but for coefficients of -1
  turn <- ifelse(tabulate(row, n_rows) == 1 & sum_by(coefficient, row, n_rows) == 1, -1, 1)
  by <- order(row, cell)
  m <- n + sum(free)
  rows <- list(
    start = cumsum(c(0, tabulate(row, n_rows))), cell = as.integer(cell[by]),
    coefficient = (coefficient * turn[row])[by], lower = value * turn, upper = value * turn,
    set = rep(1L, n_rows), label = rep("a published sum", n_rows)
  )
  new_constraints(list(cell = as.character(seq_len(m))), list(seq_len(m)), numeric(m), rep(Inf, m),
                  rows, "sums")
}

# The cells of a sum u with c.u < 0 that holds no smaller one, where there is one: as many cells as
# possible are left out, by halves. NULL where the time ended before that.
smallest_sum <- function(group, c, free, watch) {
  open <- FALSE
  leave_out <- function(at) {
    fewer <- replace(free, at, TRUE)
    cleared <- is_cleared(group, c, fewer, watch)
    if (is.na(cleared)) open <<- TRUE
    if (isFALSE(cleared)) free <<- fewer
    if (!isTRUE(cleared) || length(at) == 1) {
      return(invisible())
    }
    half <- seq_len(length(at) %/% 2)
    leave_out(at[half])
    leave_out(at[-half])
  }
  leave_out(which(!free))
  if (open) NULL else which(!free)
}

sum_by <- function(value, at, n) {
  out <- numeric(n)
  sums <- rowsum(value, at)
  out[as.integer(rownames(sums))] <- sums
  out
}
