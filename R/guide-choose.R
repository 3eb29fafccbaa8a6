# The figures of plans, and which plan they speak for.

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
  new_figures(plans, known = number("known"), guess = number("guess"), loss = number("loss"),
              change = number("change"), hidden = number("hidden"),
              note = vapply(each, `[[`, "", "note", USE.NAMES = FALSE))
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
      " is acceptable), and of the plans for which that holds it distorts the table least.",
      if (!all(measured | failed)) " Of the others it is not known what an intruder guesses."
    )))
  }
  if (any(measured)) {
    best <- which(measured)[order(figures$known[measured] > 0, figures$guess[measured])[1]]
    return(list(proposed = figures$plan[best], reason = paste0(
      "no plan is acceptable by both measures, and an intruder knows least with this one. Merge ",
      "small categories, or ask for more protection."
    )))
  }
  first_plan(figures, which(!failed)[1])
}

first_plan <- function(figures, first, rest = "What an intruder would guess was not measured.") {
  list(proposed = figures$plan[first], reason = paste(
    if (is.na(figures$change[first])) "the table is too large to try all plans for a proposal." else
      "it was tried, and its result is verified.", rest
  ))
}
