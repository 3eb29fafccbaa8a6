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

# Two perturbations of the same people tell more than each: what both have is nearer to the truth,
# however unknown each count is for certain.
check_perturbed_once <- function(held, entry) {
  public <- entry$publication
  if (!is_perturbed(public)) {
    return(invisible())
  }
  out <- lapply(held$entries, `[[`, "publication")
  other <- Filter(function(before) is_perturbed(before) && !identical(before, public), out)
  if (length(other) > 0) abort_second_noise(held, out)
}

# Whether a design can stand beside what is out, as far as that is so for all coins: the totals that
# its cycles keep leave the protected counts unknown.
check_design_beside <- function(x, mechanism, record) {
  if (is.null(record)) {
    return(invisible())
  }
  check_steps_can_be_judged(mechanism)
  held <- read_entries(record)
  out <- lapply(held$entries, `[[`, "publication")
  if (any(vapply(out, is_perturbed, NA))) abort_second_noise(held, out)
  kept <- lapply(mechanism$cycles$preserves, function(set) take_margin(x, set, "preserves"))
  if (length(kept) == 0) kept <- list(take_margin(x, character(), "preserves"))
  names(kept) <- vapply(kept, function(m) margin_label(names(m$dimnames)), "")
  check_together(held, open_entry(new_margins(kept)))
}

abort_second_noise <- function(held, out) {
  first <- which(vapply(out, is_perturbed, NA))[1]
  abort_sdc("refused", c(
    "The people of a record can be perturbed once.",
    x = "A perturbed table of {substr(held$lines$at[first], 1, 10)} is out: the noise of two
         averages out.",
    i = "Publish that table again, or a coarser one that is made of it."
  ))
}

# What a record keeps of a perturbation. It guards the counts of 1 and 2 that the publication alone
# leaves unknown, from readers of all publications.
perturbation_entry <- function(x, public) {
  held <- x$original
  small <- which(held$counts %in% 1:2)
  labels <- Map(function(level, code) level[code[small]], held$dimnames, stored_codes(held))
  guarded <- cbind(list2data_frame(labels, length(small)), freq = held$counts[small],
                   width = rep(1, length(small)), alone = rep(FALSE, length(small)))
  entry <- open_entry(public)
  check_can_be_judged(public)
  if (length(small) > 0) {
    bounds <- bound_together(list(entry), guarded)$bounds
    entry$guarded <- guarded[!(bounds$sharp & bounds$lower == bounds$upper), , drop = FALSE]
  }
  entry$people <- people_alone(held, public)
  entry
}
