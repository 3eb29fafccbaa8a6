# Self-consistent announcements: the envelope of a table server, chosen so that a reader who knows
# how it was chosen learns no more than the server promises. For tables that can be listed together
# with all others that have the same one-way tables, their class; the construction and its proof are
# in the head of core/server/announce.hpp.
#
# The envelope depends on the original through its block only. A reader knows the class, which is
# public, can run the same construction, and is left with the tables of the block.

# Tables times cells of a class, and its cells.
max_listed <- 2e7
max_listed_cells <- 4096

# All tables with the one-way tables of `x`, a column each. `hints`: for the error when they are
# more than `limit`, or take too long to find.
list_one_way <- function(x, limit, hints = list()) {
  # enough for so many tables; more would only take long to find that there are too many
  effort <- fibre_options("auto", 10 * limit + 1e4, 1e3 * limit + 1e6)
  start <- one_way_sets(table_steps(x), length(x$dimnames))
  named <- lapply(start, function(set) names(x$dimnames)[set])
  one_way <- as_constraints(margins(without_levels(x), named))
  with_core(cpp_enumerate_tables(one_way, effort, limit, NULL), hints = hints)
}

# The class of the table; NULL when it is not listed, which depends on its one-way tables only.
list_class <- function(problem, limit) {
  n <- prod(problem$dim)
  by_count <- inherits(problem$risk, "sdc_risk_width") && is.null(problem$risk$cells)
  limit <- min(limit, floor(max_listed / n))
  if (!by_count || n > max_listed_cells || limit < 1) {
    return(NULL)
  }
  tryCatch(list_one_way(problem$x, limit), sdc_error_too_large = function(cnd) NULL)
}

max_envelope_variables <- 5

# The announcement for each table of a class; NULL when the time is over. `sets`: the only envelope
# that may be announced, or NULL for all. `steps`: see core/server/announce.hpp; two of the three
# keep the promise. `levels`: of each variable.
announce_class <- function(tables, dim, risk, sets = NULL, max_dimension = NULL, steps = 3,
                           seconds = Inf, threads = 1, progress = NULL,
                           levels = rep(1L, length(dim))) {
  with_core(cpp_announce(
    tables, dim, levels, as.numeric(risk$at_risk), integer(), risk$beta,
    if (!is.null(sets)) list(sets), min(max_dimension, length(dim)), steps, seconds, threads,
    progress
  ))
}

# The envelope of table number `i` as maximal sets, with the one-way tables.
announced_sets <- function(found, i, one_way) {
  sets <- if (found$envelope[i] > 0) found$sets[[found$envelope[i]]]
  order_sets(maximal_sets(c(sets, one_way)))
}

table_number <- function(tables, counts) which(colSums(tables != counts) == 0)

# ---- the block, checked -------------------------------------------------------------------------

# Looks through a block, with nothing taken from how it was found but its tables: is the original
# one of them, do all agree in the sets of the envelope, and does every cell at risk of each of them
# take values at least `beta` apart? Left out are tables with a cell at risk that is narrower
# already from the one-way tables. That the block is all that a reader is left with is shown by
# announcing anew: see audit().
check_announced <- function(problem, sets, block) {
  counts <- dense_counts(problem$x)
  fault <- if (!is_block(block, length(counts))) {
    "its tables cannot be read"
  } else if (anyDuplicated(block, MARGIN = 2) > 0 || length(table_number(block, counts)) != 1) {
    "the original is not one of its tables"
  } else if (!all(vapply(sets, agree_in, NA, block = block, size = problem$dim))) {
    "its tables differ in what is announced"
  } else if (breaks_promise(problem, block)) {
    "a cell at risk is narrow"
  }
  list(verified = is.null(fault), fault = fault %||% NA_character_)
}

is_block <- function(block, n) {
  is.matrix(block) && is.numeric(block) && nrow(block) == n && ncol(block) > 0 && !anyNA(block) &&
    all(block >= 0 & block == floor(block))
}

agree_in <- function(set, block, size) {
  sums <- rowsum(block, cell_sums(set, size))
  all(sums == sums[, 1])
}

breaks_promise <- function(problem, block) {
  at_risk <- matrix(block %in% problem$risk$at_risk, nrow(block))
  range <- cpp_range_of_tables(block, seq_len(ncol(block)))
  narrow <- range$upper - range$lower < problem$risk$beta
  kept <- colSums(at_risk & narrow_in_class(problem)) == 0
  any(at_risk[narrow, kept])
}

# Which cells are narrow from the one-way tables, in closed form.
narrow_in_class <- function(problem) {
  counts <- lapply(one_way_sets(problem$steps, length(problem$dim)), function(set) {
    dense_counts(sub_table(problem, set))[cell_sums(set, problem$dim)]
  })
  lower <- pmax(0, Reduce(`+`, counts) - sum(problem$x) * (length(counts) - 1))
  do.call(pmin, counts) - lower < problem$risk$beta
}

# To which count of the sub-table each cell adds.
cell_sums <- function(set, size) {
  codes <- split_codes(seq_len(prod(size)), size)[set]
  stride <- cumprod(c(1, size[set]))
  as.integer(Reduce(`+`, Map(function(code, step) (code - 1) * step, codes, stride[seq_along(set)]),
                    rep(1, prod(size))))
}
