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

# What an intruder knows of small counts, and what a user loses; `note` says why a figure is missing.
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
      figures, best, "no plan is acceptable by both measures, and an intruder knows least with this",
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
