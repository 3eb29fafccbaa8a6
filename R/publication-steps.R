# What a perturbed table tells beside other publications: its steps as unknowns of whole numbers.
#
# Each step k has two unknowns of 0 or 1, `up` and `down`: was its cycle added, or taken away? The
# original count of a cell is the published one less all that the steps moved there. A table can
# have led to the publication exactly when some such steps lead from it to there and the zero rule
# let each of them pass: under "nonnegative" no count falls below 0 on the way; under "blocked" the
# cells of a cycle that moves held at least its coefficients before. Both are rows of the system, so
# that its tables of whole numbers are those originals, and no others. That asks of each step that
# it can stay (alpha + beta < 1), and that no step skips zeros.

# `at`: the unknown of each leaf cell of the table, 0 where its count, `value`, is known.
add_steps <- function(system, public, at, value) {
  me <- public$mechanism
  moves <- step_entries(me)
  counts <- dense_counts(public$table)
  n <- length(system$lower)
  m <- step_count(me)
  could <- possible_moves(me)
  up <- n + seq_len(m)
  down <- n + m + seq_len(m)
  rows <- c(
    list(count_rows(moves, counts, at, value, up, down)),
    list(once_rows(up, down), passing_rows(moves, counts, me$zero_rule, up, down))
  )
  system$rows <- append_rows(system$rows, rows)
  system$lower <- c(system$lower, numeric(2 * m))
  system$upper <- c(system$upper, as.numeric(could$plus), as.numeric(could$minus))
  system
}

# The cells of each step: `step`, `cell`, `by`, in the order of the steps.
step_entries <- function(me) {
  all <- expand_cycles(me$cycles)
  cycle <- steps_of(me)
  size <- diff(all$start)[cycle]
  at <- sequence(size, from = all$start[cycle] + 1)
  list(step = rep(seq_along(cycle), size), cell = all$cell[at], by = all$coefficient[at])
}

# Rows, each with entries `row`, `cell`, `coefficient`, and limits.
row_list <- function(row, cell, coefficient, lower, upper) {
  order <- order(row)
  list(start = c(0, cumsum(tabulate(row, length(lower)))), cell = as.integer(cell[order]),
       coefficient = as.numeric(coefficient[order]), lower = lower, upper = upper)
}

append_rows <- function(rows, more) {
  all <- c(list(rows), more)
  field <- function(name) unlist(lapply(all, `[[`, name), use.names = FALSE)
  sizes <- unlist(lapply(all, function(part) diff(part$start)), use.names = FALSE)
  list(start = c(0, cumsum(sizes)), cell = field("cell"), coefficient = field("coefficient"),
       lower = field("lower"), upper = field("upper"))
}

# The original count, and what the steps added to it, are the published count.
count_rows <- function(moves, counts, at, value, up, down) {
  known <- at == 0
  row_list(
    c(which(!known), moves$cell, moves$cell), c(at[!known], up[moves$step], down[moves$step]),
    c(rep(1, sum(!known)), moves$by, -moves$by),
    counts - ifelse(known, value, 0), counts - ifelse(known, value, 0)
  )
}

# No step goes both ways.
once_rows <- function(up, down) {
  m <- length(up)
  row_list(rep(seq_len(m), 2), c(up, down), rep(1, 2 * m), rep(-Inf, m), rep(1, m))
}

# For each entry of a step: what its cell held allows the step. Before step k a cell has the
# published count less what step k and all later ones moved.
passing_rows <- function(moves, counts, rule, up, down) {
  n <- length(moves$step)
  blocked <- rule == "blocked"
  later <- lapply(split(seq_len(n), moves$cell), function(same) {
    pairs <- expand.grid(row = same, entry = same)
    pairs[if (blocked) pairs$entry >= pairs$row else pairs$entry > pairs$row, ]
  })
  later <- do.call(rbind, later)
  by <- moves$by[later$entry]
  step <- moves$step[later$entry]
  own <- if (blocked) abs(moves$by) else rep(0, n)
  both <- seq_len(n)[own > 0]
  row <- c(later$row, later$row, both, both)
  cell <- c(up[step], down[step], up[moves$step[both]], down[moves$step[both]])
  merged <- merge_entries(row, cell, c(by, -by, own[both], own[both]))
  row_list(merged$row, merged$cell, merged$coefficient, rep(-Inf, n), counts[moves$cell])
}

# One entry for each unknown of a row.
merge_entries <- function(row, cell, coefficient) {
  key <- paste(row, cell)
  first <- !duplicated(key)
  sums <- as.numeric(rowsum(coefficient, match(key, key[first])))
  kept <- sums != 0
  list(row = row[first][kept], cell = cell[first][kept], coefficient = sums[kept])
}

# ---- what is judged -----------------------------------------------------------------------------

is_perturbed <- function(x) inherits(x, "sdc_publication")

leaf_labels <- function(public) {
  labels <- public$table$dimnames
  n <- prod(lengths(labels))
  list2data_frame(lapply(unclass(cell_factors(seq_len(n), labels)), as.character), n)
}

check_steps_can_be_judged <- function(me) {
  skips <- skips_zeros(me$cycles)
  if (!skips && all(me$alpha + me$beta < 1)) {
    return(invisible(me))
  }
  abort_sdc("refused", c(
    "A record takes a perturbed table whose steps can all stay, by cycles that are fixed.",
    x = if (skips) {
      "Its set skips zeros, and what that tells together with others is not judged."
    } else {
      "{.arg alpha} and {.arg beta} of its mechanism add up to 1: each step moves where it can."
    }
  ))
}


possible_moves <- function(me) {
  step <- steps_of(me)
  of_step <- function(p) if (length(p) == 1) rep(p, length(step)) else p[step]
  list(plus = of_step(me$alpha) > 0, minus = of_step(me$beta) > 0)
}
