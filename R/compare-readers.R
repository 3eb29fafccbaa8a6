# What the intruder of a comparison infers from one publication.

# Figures over the small cells (and entropy over all), `how` the probabilities came about, the
# number of tables as text, and notes on what is missing.
read_publication_of <- function(method, publication, release, ask) {
  UseMethod("read_publication_of")
}

#' @export
read_publication_of.default <- function(method, publication, release, ask) {
  laws <- try_reading(fibre_laws(release, ask))
  sum_up(laws, sharp_intervals(release, laws, ask), count_agreeing(release, laws, ask), ask)
}

#' @export
read_publication_of.sdc_method_rounding <- function(method, publication, release, ask) {
  uniform <- is_uniform(ask$prior)
  unknown <- method$reader == "procedure" && publication$solver != "network"
  reader <- if (unknown) "intervals" else method$reader
  laws <- if (reader == "intervals" && uniform) {
    try_reading(fibre_laws(release, ask))
  } else {
    reading_with_enough_draws(rounding_laws(publication, reader, ask))
  }
  large <- is_reason(laws) && !isTRUE(attr(laws, "impossible"))
  if (large && reader == "procedure" && publication$method == "stochastic") {
    laws <- try_reading(rounding_laws_alone(publication, ask))
  }
  if (unknown && is.list(laws)) laws$note <- "rounded by a solver: the reader knows intervals only"
  sum_up(laws, sharp_intervals(release, NULL, ask), count_agreeing(release, laws, ask), ask)
}

#' @export
read_publication_of.sdc_method_cyclic <- function(method, publication, release, ask) {
  found <- try_reading(posterior(publication, ask$prior, progress = FALSE))
  if (!inherits(found, "sdc_posterior")) {
    drawn <- simulated_posterior(publication, ask)
    return(sum_up(drawn, found, found, ask))
  }
  laws <- posterior_laws(found)
  counted <- try_reading(as.character(count_originals(found, progress = FALSE)))
  sum_up(laws, with_kept_totals(law_intervals(laws, ask), publication, ask), counted, ask)
}

# Small maps: all originals.
#' @export
read_publication_of.sdc_method_redistribution <- function(method, publication, release, ask) {
  found <- if (length(publication$q) < length(ask$counts)) {
    "cells of the map were suppressed or emptied: its originals cannot be listed"
  } else {
    try_reading(attack(publication))
  }
  if (is_reason(found)) {
    return(sum_up(found, found, found, ask))
  }
  laws <- try_reading(weigh_tables(t(found$originals), ask, "exact"))
  intervals <- if (is.list(laws)) law_intervals(laws, ask) else laws
  sum_up(laws, intervals, as.character(found$n_originals), ask)
}

# Beyond the exact methods: draws, whose support says nothing of the intervals.
simulated_posterior <- function(publication, ask) {
  reading_with_enough_draws(posterior_laws(posterior(
    publication, ask$prior, "montecarlo", draws = 2000, seed = ask$seed, progress = FALSE
  )))
}

# Draws of which few carry the answer are no answer.
reading_with_enough_draws <- function(code) {
  tryCatch(try_reading(code), sdc_warning_uneven = function(cnd) {
    "too large for exact laws, and too few draws carry the answer"
  })
}

# The number of tables that agree: exact, or estimated where it is too large.
count_agreeing <- function(release, laws, ask) {
  if (is.list(laws) && !is.null(laws$tables)) {
    return(laws$tables)
  }
  exact <- try_reading(as.character(within_limits(count_tables, release, ask)))
  if (is_digits(exact)) {
    return(exact)
  }
  try_reading(count_tables(
    release, "importance", n_draws = 5000, seed = ask$seed, progress = FALSE
  ))
}

within_limits <- function(count, release, ask) {
  count(release, max_states = ask$max_states, max_steps = ask$max_steps, progress = FALSE)
}

# The value, or the first words of why there is none.
try_reading <- function(code) {
  tryCatch(
    code,
    sdc_error_too_large = first_words,
    sdc_error_infeasible = function(cnd) structure(first_words(cnd), impossible = TRUE),
    sdc_error_input = first_words
  )
}

is_reason <- is.character

# ---- laws: cell (number), value, probability, and how they were computed ----------------------

new_laws <- function(cell, value, probability, how = "exact") {
  list(cell = cell, value = value, probability = probability, how = how)
}

posterior_laws <- function(x) {
  laws <- as.data.frame(x)
  labels <- shown_labels(x)
  cell <- cell_numbers(label_codes(laws, labels, "cells"), labels)
  shown <- laws$probability > 0
  how <- if (x$method == "montecarlo") "simulated" else "exact"
  new_laws(cell[shown], laws$value[shown], laws$probability[shown], how)
}

rounding_laws <- function(publication, reader, ask) {
  found <- posterior_rounding(
    publication, reader, ask$prior, draws = 50000, seed = ask$seed, progress = FALSE
  )
  new_laws(found$cell, found$value, found$probability, if (found$exact) "exact" else "simulated")
}

# Too large for the joint law: what each rounded cell says by itself, by the unbiased procedure.
rounding_laws_alone <- function(publication, ask) {
  base <- publication$base
  laws <- laws_alone(dense_counts(publication$table), base - 1, ask, function(shown, value) {
    1 - abs(shown - value) / base
  })
  laws$note <- "too large for joint laws: the reader looks at each cell by itself"
  laws
}

# `chance(shown, value)`: the probability that a count `value` is shown as `shown`, for some values
# at most `reach` apart.
laws_alone <- function(shown, reach, ask, chance) {
  factors <- resolve_prior(ask$prior, ask$x$dimnames)
  laws <- lapply(seq_along(shown), function(i) {
    value <- seq(max(0, shown[i] - reach), shown[i] + reach)
    weight <- chance(shown[i], value)
    for (factor in factors) weight <- weight * factor_weights(factor, i, value)
    keep <- weight > 0
    if (!any(keep)) abort_no_original()
    list(cell = rep(i, sum(keep)), value = value[keep], probability = weight[keep] / sum(weight))
  })
  join <- function(name) unlist(lapply(laws, `[[`, name))
  new_laws(join("cell"), join("value"), join("probability"))
}

# All tables that agree, equally likely, or weighed by the prior: one by one where there are few,
# by exact uniform draws otherwise.
fibre_laws <- function(release, ask) {
  if (is_uniform(ask$prior)) {
    law <- within_limits(fibre_distribution, release, ask)
    laws <- new_laws(law$cells[law$law$at], law$law$value, law$law$probability)
    laws$tables <- as.character(law$count)
    return(laws)
  }
  n <- as.numeric(within_limits(count_tables, release, ask))
  few <- n <= 1e5 && n * length(ask$counts) <= 1e7
  tables <- if (few) {
    enumerate_tables(release, limit = 1e5, progress = FALSE)
  } else {
    sample_tables(release, max(100, floor(min(20000, 1e7 / length(ask$counts)))), seed = ask$seed,
                  progress = FALSE)
  }
  weigh_tables(matrix(tables, nrow = length(ask$counts)), ask, if (few) "exact" else "simulated")
}

# A column for each table.
weigh_tables <- function(tables, ask, how) {
  factors <- resolve_prior(ask$prior, ask$x$dimnames)
  log_weight <- numeric(ncol(tables))
  for (i in seq_len(nrow(tables))) {
    for (factor in factors) log_weight <- log_weight + log(factor_weights(factor, i, tables[i, ]))
  }
  if (all(log_weight == -Inf)) {
    abort_sdc("infeasible", c(
      "The prior must leave at least one table possible.", x = "It leaves none that was looked at."
    ))
  }
  weight <- exp(log_weight - max(log_weight))
  weight <- weight / sum(weight)
  laws <- lapply(seq_len(nrow(tables)), function(i) {
    law <- rowsum(weight, tables[i, ])
    law <- law[law > 0, , drop = FALSE]
    data.frame(cell = i, value = as.numeric(rownames(law)), probability = law[, 1])
  })
  laws <- do.call(rbind, laws)
  new_laws(laws$cell, laws$value, laws$probability, how)
}

# ---- intervals of the small cells --------------------------------------------------------------

law_intervals <- function(laws, ask) {
  cell <- factor(laws$cell, which(ask$small))
  list(lower = tapply(laws$value, cell, min), upper = tapply(laws$value, cell, max))
}

# Those of the small cells, and behind them those of the small totals. Uniform laws have the sharp
# intervals; otherwise they are computed, and must be sharp.
sharp_intervals <- function(release, laws, ask) {
  intervals <- if (is.list(laws) && is_uniform(ask$prior)) law_intervals(laws, ask) else
    computed_intervals(release, which(ask$small), ask, "")
  rows <- small_totals(ask)
  if (is_reason(intervals) || !any(rows)) {
    return(intervals)
  }
  found <- computed_intervals(release, published_labels(ask$published, rows), ask, " of totals")
  if (is_reason(found)) found else Map(c, intervals, found)
}

# Cycles that keep all totals publish them as they are.
with_kept_totals <- function(intervals, publication, ask) {
  rows <- small_totals(ask)
  if (is_reason(intervals) || !any(rows)) {
    return(intervals)
  }
  if (!isTRUE(publication$mechanism$cycles$totals_kept)) {
    return("the cycles change published totals, whose intervals are not computed")
  }
  lapply(intervals, c, ask$published$counts[rows])
}

# Flags for the published cells of a table with trees or crossings.
small_totals <- function(ask) ask$published$small & is.na(ask$published$leaf)

computed_intervals <- function(release, cells, ask, whose) {
  if (length(cells) == 0) {
    return(list(lower = numeric(), upper = numeric()))
  }
  found <- try_reading(withCallingHandlers(
    bounds_margins(release, cells = cells, time_limit_s = ask$seconds, progress = FALSE),
    sdc_warning = function(cnd) rlang::cnd_muffle(cnd)
  ))
  if (is_reason(found)) {
    return(found)
  }
  if (!all(found$sharp)) {
    return(say("the time limit ended before the intervals{whose} were sharp"))
  }
  list(lower = found$lower, upper = found$upper)
}

# ---- figures ----------------------------------------------------------------------------------

sum_up <- function(laws, intervals, counted, ask) {
  value <- c(interval_figures(intervals), law_figures(laws, ask), log10_tables = log10_of(counted))
  notes <- Filter(function(x) is_reason(x) && !is_digits(x), list(laws, intervals, counted))
  list(
    value = value, how = if (is.list(laws)) laws$how else NA_character_,
    count_how = if (is_digits(counted)) "exact" else "simulated",
    note = c(unlist(notes), if (is.list(laws)) laws$note),
    tables = if (is_digits(counted)) counted else ""
  )
}

is_digits <- function(x) is_reason(x) && grepl("^[0-9]+$", x)

# Of a number with any number of digits, or of an estimate that some draw carries.
log10_of <- function(digits) {
  if (inherits(digits, "sdc_count_estimate")) {
    return(if (digits$log10 == -Inf) NA_real_ else digits$log10)
  }
  if (!is_digits(digits)) {
    return(NA_real_)
  }
  head <- as.numeric(substr(digits, 1, 15))
  log10(head) + max(0, nchar(digits) - 15)
}

interval_figures <- function(intervals) {
  if (is_reason(intervals)) {
    return(c(width_small = NA_real_, known_small = NA_real_))
  }
  width <- intervals$upper - intervals$lower
  c(width_small = mean_or_na(width), known_small = mean_or_na(width == 0))
}

law_figures <- function(laws, ask) {
  if (is_reason(laws)) {
    return(c(guess_small = NA_real_, right_small = NA_real_, entropy_small = NA_real_,
             entropy = NA_real_))
  }
  n <- length(ask$counts)
  cell <- factor(laws$cell, seq_len(n))
  over <- function(v) as.vector(rowsum(v, cell, reorder = TRUE))
  best <- as.vector(tapply(laws$probability, cell, max))
  is_best <- laws$probability >= best[laws$cell] - 1e-9
  is_right <- is_best & laws$value == ask$counts[laws$cell]
  right <- over(as.numeric(is_right)) / over(as.numeric(is_best))
  entropy <- over(-laws$probability * log2(pmax(laws$probability, .Machine$double.xmin)))
  c(
    guess_small = mean_or_na(best[ask$small]), right_small = mean_or_na(right[ask$small]),
    entropy_small = mean_or_na(entropy[ask$small]), entropy = mean(entropy)
  )
}
