# Which of several plans is proposed for a table, and why.

propose <- function(x, plans, ask, risks) {
  size <- guide_size(x)
  audited <- is_sdc_magnitude(x)
  several <- !audited && !is.null(tables_of(x))
  compares <- !audited && !several && size <= ask$most
  figures <- if (size > tried_cells && !compares) untried_figures(plans) else
    if (audited) audited_figures(x, plans, if (size <= ask$most) ask$seconds) else
      if (several) linked_figures(x, plans, ask) else
        if (compares) compared_figures(x, plans, ask) else tried_figures(x, plans)
  chosen <- if (all(risks$n %in% 0)) nothing_at_risk else
    if (audited) choose_audited_plan(figures) else
      if (several) choose_linked_plan(figures, risks, ask$guess) else
        choose_plan(figures, ask$guess)
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

# The number of cells, with the totals over each variable; of several tables of what they publish.
guide_size <- function(x) {
  if (!is.null(tables_of(x))) {
    return(number_of_published(x))
  }
  if (inherits(x, "sdc_hex")) length(x$count) else prod(lengths(x$dimnames) + 1)
}

# A first answer should come within a minute: plans for larger tables are not carried out for it.
tried_cells <- 20000

untried_figures <- function(plans) {
  new_figures(plans, change = NA_real_, hidden = NA_real_, note = "")
}

# A row for each plan: what an intruder knows of small counts, and what a user loses.
compared_figures <- function(x, plans, ask) {
  methods <- lapply(plans, function(plan) plan_form(plan)$method(plan$settings, x))
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

# Why a figure of a plan is missing.
plan_notes <- function(measures, names) {
  vapply(names, function(name) {
    notes <- measures$note[measures$method == name & is.na(measures$value)]
    c(notes[nzchar(notes)], "")[[1]]
  }, "", USE.NAMES = FALSE)
}

# Each plan is carried out once.
tried_figures <- function(x, plans) {
  figures_of_plans(plans, function(plan) {
    change_figures(before_after(run_plan(plan, x)$protected))
  })
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
