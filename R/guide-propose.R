# Which of several plans is proposed for a table, and why.

propose <- function(x, plans, ask, risks) {
  size <- guide_size(x)
  compares <- !is.null(ask) && size <= ask$most
  figures <- if (compares) compared_figures(x, plans, ask) else
    if (size <= tried_cells) tried_figures(x, plans) else untried_figures(plans)
  chosen <- if (all(risks$n == 0)) nothing_at_risk else choose_plan(figures, ask$guess)
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

# The number of cells, with the totals over each variable.
guide_size <- function(x) {
  if (inherits(x, "sdc_hex")) length(x$count) else prod(lengths(x$dimnames) + 1)
}

# A first answer should come within a minute: plans for larger tables are not carried out for it.
tried_cells <- 20000

untried_figures <- function(plans) {
  new_figures(plans, change = NA_real_, hidden = NA_real_, note = "")
}

# A row for each plan: what an intruder knows of small counts, and what a user loses.
compared_figures <- function(x, plans, ask) {
  methods <- lapply(plans, function(plan) plan_form(plan)$method(plan$settings))
  found <- compare_methods(x, methods, small = ask$small, replicates = ask$replicates,
                           seed = ask$seed, time_limit_s = ask$seconds, progress = FALSE)
  measures <- found$measures
  of <- function(name) {
    row <- measures[measures$measure == name, ]
    row$value[match(names(plans), row$method)]
  }
  new_figures(plans, known = of("known_small"), guess = of("guess_small"), loss = of("hellinger"),
              change = of("abs_change"), hidden = of("withheld"),
              note = plan_notes(measures, names(plans)))
}

new_figures <- function(plans, known = NA_real_, guess = NA_real_, loss = NA_real_, change, hidden,
                        note) {
  data.frame(plan = names(plans), known = known, guess = guess, loss = loss, change = change,
             hidden = hidden, note = note)
}

# Why a figure of a plan is missing.
plan_notes <- function(measures, names) {
  vapply(names, function(name) {
    notes <- measures$note[measures$method == name & is.na(measures$value)]
    c(notes[nzchar(notes)], "")[[1]]
  }, "", USE.NAMES = FALSE)
}

# Each plan is carried out once.
tried_figures <- function(x, plans) {
  each <- lapply(plans, function(plan) {
    tryCatch(change_figures(before_after(run_plan(plan, x)$protected)), sdc_error = function(cnd) {
      list(change = NA_real_, hidden = NA_real_, note = first_words(cnd))
    })
  })
  column <- function(name, type) vapply(each, `[[`, type, name, USE.NAMES = FALSE)
  new_figures(plans, change = column("change", 0), hidden = column("hidden", 0),
              note = column("note", ""))
}

change_figures <- function(cells) {
  list(change = mean_or_na(abs(cells$published - cells$original)[!is.na(cells$published)]),
       hidden = mean(is.na(cells$published)), note = "")
}

# The plan that is proposed, and the reason in a sentence.
choose_plan <- function(figures, guess) {
  failed <- is.na(figures$change) & nzchar(figures$note)
  if (all(failed)) {
    return(list(proposed = NULL, reason = "No plan could be carried out; the notes say why."))
  }
  measured <- !is.na(figures$guess) & !is.na(figures$known)
  fine <- which(measured & figures$known == 0 & figures$guess <= guess)
  if (length(fine) > 0) {
    best <- fine[which.min(figures$loss[fine])]
    return(list(proposed = figures$plan[best], reason = paste0(
      "no small count is exactly known, an intruder's best guess is right with a probability of ",
      percent(figures$guess[best]), " (at most ", percent(guess),
      " is acceptable), and of the plans for which that holds it distorts the table least."
    )))
  }
  if (any(measured)) {
    best <- which(measured)[order(figures$known[measured] > 0, figures$guess[measured])[1]]
    return(list(proposed = figures$plan[best], reason = paste0(
      "no plan is acceptable by both measures, and an intruder knows least with this one. Merge ",
      "small categories, or ask for more protection."
    )))
  }
  first <- which(!failed)[1]
  list(proposed = figures$plan[first], reason = paste(
    if (is.na(figures$change[first])) "the table is too large to try all plans for a proposal." else
      "it was tried, and its result is verified.",
    "What an intruder would guess was not measured."
  ))
}
