# Which of several plans is proposed for a table, and why: the figures of each plan, and the choice.

propose <- function(x, plans, ask, risks) {
  kind <- if (is_sdc_magnitude(x)) "audited" else if (!is.null(tables_of(x))) "linked" else "one"
  measured <- guide_size(x) <= ask$most
  compares <- kind == "one" && measured
  figures <- if (guide_size(x) > tried_cells && !compares) {
    new_figures(plans, change = NA_real_, hidden = NA_real_, note = "")
  } else if (compares) {
    compared_figures(x, plans, ask)
  } else {
    figures_of_plans(plans, function(plan) {
      switch(
        kind, audited = audited_figure(x, plan, if (measured) ask$seconds),
        linked = linked_figure(x, plan, if (measured) ask),
        change_figures(before_after(run_plan(plan, x)$protected))
      )
    })
  }
  chosen <- if (all(risks$n %in% 0)) nothing_at_risk else if (all(failed_plans(figures)))
    no_plan_works else
    switch(kind, audited = choose_audited_plan(figures),
           linked = choose_linked_plan(figures, risks, ask$guess), choose_plan(figures, ask$guess))
  structure(
    c(list(table = x, risks = risks, figures = figures, plans = plans,
           code = lapply(plans, plan_lines, x), compared = compares), chosen),
    class = sdc_class("sdc_proposal", mark = "private")
  )
}

nothing_at_risk <- list(proposed = NULL, reason = paste(
  "Nothing is at risk by these rules, so no plan is proposed. Publish the table as it is, or ask",
  "for more."
))

no_plan_works <- list(proposed = NULL, reason = "No plan could be carried out; the notes say why.")

# A first answer should come within a minute: plans for larger tables are not carried out for it.
tried_cells <- 20000

# The number of cells, with the totals over each variable; of several tables of what they publish.
guide_size <- function(x) {
  if (!is.null(tables_of(x))) {
    return(number_of_published(x))
  }
  if (inherits(x, "sdc_hex")) length(x$count) else prod(lengths(x$dimnames) + 1)
}

# A proposal is a list that a user can edit.
check_proposal <- function(x) {
  has <- function(frame, columns) is.data.frame(frame) && all(columns %in% names(frame))
  fits <- c(
    table = inherits(x$table, c("sdc_table", "sdc_magnitude", "sdc_hex")),
    risks = has(x$risks, c("risk", "n", "of", "why")),
    plans = is.list(x$plans) && length(x$plans) > 0 && !is.null(names(x$plans)),
    figures = has(x$figures, c("plan", "known", "guess", "loss", "change", "hidden", "note")) &&
      setequal(x$figures$plan, names(x$plans)),
    proposed = is.null(x$proposed) || rlang::is_string(x$proposed, names(x$plans)),
    reason = rlang::is_string(x$reason),
    code = is.list(x$code) && setequal(names(x$code), names(x$plans))
  )
  if (all(fits)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "Only what {.fn protect} proposed can be shown or carried out.",
    x = "The field {.field {names(fits)[!fits][1]}} is not as {.fn protect} made it.",
    i = "Run {.fn protect} again."
  ))
}

# ---- the figures of plans -----------------------------------------------------------------------

new_figures <- function(plans, known = NA_real_, guess = NA_real_, loss = NA_real_, change, hidden,
                        note) {
  data.frame(plan = names(plans), known = known, guess = guess, loss = loss, change = change,
             hidden = hidden, note = note)
}

# Each plan is carried out once by `figure(plan)`, which gives its figures; or a note says why
# it cannot be. What is not among the figures was not measured.
figures_of_plans <- function(plans, figure) {
  each <- lapply(plans, function(plan) {
    tryCatch(figure(plan), sdc_error = function(cnd) list(note = first_words(cnd)))
  })
  number <- function(name) {
    vapply(each, function(one) one[[name]] %||% NA_real_, 0, USE.NAMES = FALSE)
  }
  note <- vapply(each, function(one) one$note %||% "", "", USE.NAMES = FALSE)
  new_figures(plans, number("known"), number("guess"), number("loss"), number("change"),
              number("hidden"), note)
}

change_figures <- function(cells) {
  list(change = mean_or_na(abs(cells$published - cells$original)[!is.na(cells$published)]),
       hidden = mean(is.na(cells$published)))
}

# What an intruder knows of small counts, and what a user loses; `note` says why a figure is
# missing.
compared_figures <- function(x, plans, ask) {
  methods <- lapply(plans, function(plan) plan_form(plan)$method(plan$settings, x))
  measures <- compare_methods(x, methods, small = ask$small, replicates = ask$replicates,
                              seed = ask$seed, time_limit_s = ask$seconds,
                              progress = FALSE)$measures
  of <- function(name) {
    row <- measures[measures$measure == name, ]
    row$value[match(names(plans), row$method)]
  }
  notes <- vapply(names(plans), function(name) {
    notes <- measures$note[measures$method == name & is.na(measures$value)]
    c(notes[nzchar(notes)], "")[[1]]
  }, "", USE.NAMES = FALSE)
  new_figures(plans, of("known_small"), of("guess_small"), of("hellinger"), of("abs_change"),
              of("withheld"), notes)
}

# ---- the choice ---------------------------------------------------------------------------------

failed_plans <- function(figures) is.na(figures$change) & nzchar(figures$note)

proposal_of <- function(figures, at, ...) list(proposed = figures$plan[at], reason = paste(...))

choose_plan <- function(figures, guess) {
  failed <- failed_plans(figures)
  measured <- !is.na(figures$guess) & !is.na(figures$known)
  fine <- which(measured & figures$known == 0 & figures$guess <= guess)
  if (length(fine) > 0) {
    best <- fine[which.min(figures$loss[fine])]
    return(proposal_of(figures, best, say(
      "no small count is exactly known, an intruder's best guess is right with a probability of
       {percent(figures$guess[best])} (at most {percent(guess)} is acceptable), and of the plans for
       which that holds it distorts the table least."
    ), if (!all(measured | failed)) "Of the others it is not known what an intruder guesses."))
  }
  if (any(measured)) {
    best <- which(measured)[order(figures$known[measured] > 0, figures$guess[measured])[1]]
    return(proposal_of(
      figures, best, "no plan is acceptable by both measures, and an intruder knows least with
       this",
      "one. Merge small categories, or ask for more protection."
    ))
  }
  first_plan(figures, which(!failed)[1])
}

first_plan <- function(figures, first, rest = "What an intruder would guess was not measured.") {
  proposal_of(figures, first, if (is.na(figures$change[first]))
    "the table is too large to try all plans for a proposal." else
      "it was tried, and its result is verified.", rest)
}

# The first plan that lets nobody estimate a contributor too closely, or else the best by that.
choose_audited_plan <- function(figures) {
  failed <- failed_plans(figures)
  known <- ifelse(failed, Inf, figures$known)
  if (all(is.na(known[!failed]))) {
    return(first_plan(figures, which(!failed)[1], "Its audit was not run for the proposal."))
  }
  best <- which.min(known)
  if (known[best] == 0) {
    return(first_plan(figures, best, paste("By its audit nobody estimates a contributor of a",
                                           "sensitive cell more closely than the rules allow.")))
  }
  proposal_of(
    figures, best, "its audit finds the fewest sensitive cells in which somebody estimates a",
    "contributor more closely than the rules allow, but it finds some: merge small categories."
  )
}

choose_linked_plan <- function(figures, risks, guess) {
  failed <- failed_plans(figures)
  overlaps <- any(startsWith(risks$risk, "overlap of ") & !risks$n %in% c(0, NA))
  rounding <- which(figures$plan == "rounding" & !failed)
  if (overlaps && length(rounding) > 0) {
    return(proposal_of(
      figures, rounding, "it changes totals, while the other plans keep totals from which overlaps",
      "follow exactly.", guess_words(figures[rounding, ], guess)
    ))
  }
  known <- ifelse(failed, Inf, figures$known)
  if (all(is.na(known[!failed]))) {
    return(first_plan(figures, which(!failed)[1]))
  }
  best <- order(known, guess_rank(figures, guess))[1]
  proposal_of(
    figures, best,
    if (known[best] == 0) "it was tried, and readers of all tables know no cell at risk exactly."
    else paste("of the plans that were tried it leaves the fewest cells at risk exactly known, but",
               "it leaves some: merge small categories, or publish fewer tables."),
    guess_words(figures[best, ], guess)
  )
}

# Acceptable, not known (not measured, or a lower bound that is not too high), not acceptable.
guess_rank <- function(figures, limit) {
  high <- (figures$guess > limit) %in% TRUE
  open <- is.na(figures$guess) | is_lower_bound(figures)
  ifelse(high, 2, ifelse(open, 1, 0))
}

guess_words <- function(row, limit) {
  if (is.na(row$guess)) {
    return("What an intruder would guess was not measured.")
  }
  bound <- is_lower_bound(row)
  open <- if (bound && guess_rank(row, limit) == 1) ": whether it is, was not measured" else ""
  share <- paste0(if (bound) "at least ", percent(row$guess))
  say("An intruder's best guess of a small count is right with a probability of {share} (at most
       {percent(limit)} is acceptable{open}).")
}

at_least_note <- paste(
  "`guess` is a lower bound, by the number of values that each count can have, as the tables that",
  "agree are too many to be counted"
)

is_lower_bound <- function(figures) figures$note %in% at_least_note

# ---- what a plan leaves to readers of several tables -------------------------------------------

# Where `ask` is given, `known` is the share of the cells at risk that a reader of all that is
# published knows exactly, and `guess` the mean probability that the best guess of a small count is
# right.
linked_figure <- function(x, plan, ask) {
  made <- run_plan(plan, x)
  cells <- before_after(made$protected)
  c(if (!is.null(ask)) linked_measures(x, cells, made$published, ask), change_figures(cells))
}

# At risk are small published counts, and those that no table shows and that follow from the
# original tables. Of tables that were perturbed each is known by itself, as what they share is
# exact.
linked_measures <- function(x, cells, published, ask) {
  labels <- list2data_frame(lapply(cells$labels, as.character), length(cells$original))
  small <- which(cells$original %in% seq_len(min(ask$maxN, 1e6)))
  asked <- labels[small, , drop = FALSE]
  inside <- given_away_inside(x, ask$maxN, ask$seconds)$cells
  if (!is.null(inside) && !is_table_list(published)) {
    inside[] <- lapply(inside, as.character)
    asked <- rbind(asked, inside[names(asked)])
  }
  if (nrow(asked) == 0) {
    return(list(known = 0, guess = 0))
  }
  known <- reader_intervals(published, asked, ask$seconds)
  if (!is.null(known$note)) {
    return(list(note = known$note))
  }
  at <- match(label_words(asked), label_words(known$labels))
  exact <- known$lower[at] == known$upper[at]
  exact[is.na(at)] <- is_exact_total(asked, x)[is.na(at)]
  # the rows that are no total in the table that they are in
  parts <- parts_of_tables(cells$labels, tables_of(x))
  inner <- unlist(lapply(parts, function(part) part$at[!part$total]))
  c(list(known = mean(exact, na.rm = TRUE)),
    linked_guess(labels[intersect(small, inner), , drop = FALSE], x, published, known, ask))
}

# Perturbed tables keep all totals over all variables but one.
is_exact_total <- function(asked, x) {
  roots <- root_nodes(x)
  open <- Reduce(`+`, lapply(names(asked), function(v) asked[[v]] != roots[[v]]))
  ifelse(open < 2, TRUE, NA)
}

is_table_list <- function(x) is.list(x) && !is.object(x)

# ---- guesses ------------------------------------------------------------------------------------

# `asked`: labels of small cells that are no totals; `known`: the intervals of readers. As for one
# table, all original tables that agree with the publication are equally likely, and each perturbed
# table is judged by its posterior. Where tables are too many to be counted, what is left is a lower
# bound: whatever the law, the likeliest of n values has a probability of at least 1 / n.
linked_guess <- function(asked, x, published, known, ask) {
  if (nrow(asked) == 0) {
    return(list(guess = 0))
  }
  at <- match(label_words(asked), label_words(known$labels))
  if (!is.null(known$posterior)) {
    best <- unlist(lapply(known$posterior, function(po) summary(po)$cells$p_mode))
    return(list(guess = mean(best[at])))
  }
  best <- tryCatch(guesses_together(asked, x, published, ask$seed), sdc_error = function(cnd) NULL)
  values <- known$upper[at] - known$lower[at] + 1
  list(guess = mean(best %||% (1 / values)), note = if (is.null(best)) at_least_note)
}

# Up to so many tables that agree are listed, of more so many are drawn; and so many numbers of them
# are held at once.
listed_tables_at_most <- 5000
numbers_at_most <- 1e7

# The probability of the best guess of each of the cells; NULL where the tables are too large.
guesses_together <- function(asked, x, published, seed) {
  inside <- prod(dim(x))
  if (inside * listed_tables_at_most > numbers_at_most) {
    return(NULL)
  }
  release <- constraints(published)
  limits <- list(max_states = 5e6, max_steps = 5e9, progress = FALSE)
  count <- as.numeric(do.call(count_tables, c(list(release), limits)))
  tables <- if (count <= listed_tables_at_most) {
    do.call(enumerate_tables, c(list(release, listed_tables_at_most), limits))
  } else {
    do.call(sample_tables, c(list(release, listed_tables_at_most, seed = seed), limits))
  }
  values <- leaf_sums_of_cells(asked, x) %*% matrix(as.numeric(tables), inside)
  laws <- weigh_tables(values, list(prior = prior_uniform(), x = x), "")
  largest_of(laws$probability, laws$cell, nrow(asked))
}

# For each published cell, by its labels, a row that says which cells inside it is the sum of.
leaf_sums_of_cells <- function(labels, x) {
  totals <- table_totals(x)
  out <- matrix(1, nrow(labels), 1)
  for (v in names(x$dimnames)) {
    leaves <- x$dimnames[[v]]
    nodes <- c(rlang::set_names(as.list(seq_along(leaves)), leaves), totals[[v]])
    part <- vapply(nodes[as.character(labels[[v]])], tabulate, numeric(length(leaves)),
                   length(leaves))
    part <- t(matrix(part, length(leaves)))
    out <- out[, rep(seq_len(ncol(out)), ncol(part)), drop = FALSE] *
      part[, rep(seq_len(ncol(part)), each = ncol(out)), drop = FALSE]
  }
  out
}

# ---- magnitudes ---------------------------------------------------------------------------------

# The audit of the result takes at most `seconds`; there is none where it is NULL.
audited_figure <- function(x, plan, seconds) {
  protected <- quietly_hidden(run_plan(plan, x)$protected)
  figures <- change_figures(before_after(protected))
  # what a coarser table does not have is hidden as well
  figures$hidden <- 1 - (1 - figures$hidden) * magnitude_nodes(protected$original) /
    magnitude_nodes(x)
  c(if (!is.null(seconds)) audit_measures(protected, x, seconds), figures)
}

# The number of cells and totals that are published where nothing is hidden.
magnitude_nodes <- function(x) {
  if (!is.null(x$crossings)) {
    return(number_of_published(x))
  }
  nodes <- Map(function(levels, v) {
    length(levels) + length(variable_totals(x$hierarchies[[v]], levels, v, x$total_label))
  }, x$dimnames, names(x$dimnames))
  prod(unlist(nodes))
}

# `known`: the share of the sensitive cells of which some reader estimates a contributor too
# closely; `loss`: the Hellinger distance between the totals of the cells of `x` and what a user
# takes for them; or a `note`.
audit_measures <- function(protected, x, seconds) UseMethod("audit_measures")

#' @export
audit_measures.sdc_magnitude_redistribution <- function(protected, x, seconds) {
  counts <- audit(protected)$counts
  values <- protected$cells$published
  list(known = share_of(counts[["exposed"]], counts[["sensitive"]]),
       loss = hellinger_distance(cell_totals(x), values))
}

# A user takes the middle of its interval for a hidden total, and equal parts for merged cells.
#' @export
audit_measures.sdc_magnitude_suppression <- function(protected, x, seconds) {
  found <- audit(protected, time_limit_s = seconds, progress = FALSE)
  cells <- as.data.frame(found)
  failed <- cells$primary & (!cells$protected | cells$near | cells$learned)
  settled <- !anyNA(failed) && found$counts[["unsure"]] == 0
  list(
    known = if (settled) share_of(sum(failed), sum(cells$primary)) else NA_real_,
    loss = if (is_signed(x) || !is.null(x$crossings)) NA_real_ else
      hellinger_distance(cell_totals(x), taken_for_cells(protected, cells, x)),
    note = if (!settled) "The audit of the result did not end in time."
  )
}

share_of <- function(n, all) if (all == 0) 0 else n / all

taken_for_cells <- function(protected, hidden, x) {
  variables <- names(protected$original$dimnames)
  rows <- as.data.frame(protected)
  middle <- (hidden$lower + ifelse(is.finite(hidden$upper), hidden$upper, hidden$lower)) / 2
  key <- label_words(rows[variables])
  at <- match(key, label_words(hidden[variables]))
  value <- ifelse(is.na(at), rows$total, middle[at])
  inside <- cell_factors(x$cell, x$dimnames)[variables]
  merged <- names(inside)[!mapply(identical, x$dimnames[variables],
                                  protected$original$dimnames)]
  for (v in merged) {
    group <- groups_above(x$hierarchies[[v]][[1]], x$dimnames[[v]])
    inside[[v]] <- group[as.integer(inside[[v]])]
  }
  own <- match(label_words(inside), key)
  value[own] / tabulate(own, length(value))[own]
}
