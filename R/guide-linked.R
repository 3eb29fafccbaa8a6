# Plans for several tables: what each of them leaves to readers of all tables.

# Each plan is carried out once. Where the tables are small, `known` is the share of the cells at
# risk that a reader of all that is published knows exactly.
linked_figures <- function(x, plans, ask) {
  measures <- !is.null(ask) && number_of_published(x) <= ask$most
  each <- lapply(plans, function(plan) {
    tryCatch(linked_figure(x, plan, if (measures) ask), sdc_error = function(cnd) {
      list(known = NA_real_, change = NA_real_, hidden = NA_real_, note = first_words(cnd))
    })
  })
  column <- function(name, type) vapply(each, `[[`, type, name, USE.NAMES = FALSE)
  new_figures(plans, known = column("known", 0), change = column("change", 0),
              hidden = column("hidden", 0), note = column("note", ""))
}

linked_figure <- function(x, plan, ask) {
  made <- run_plan(plan, x)
  cells <- before_after(made$protected)
  c(known = if (is.null(ask)) NA_real_ else known_share(x, cells, made$published, ask),
    change_figures(cells))
}

# At risk are small published counts, and those that no table shows and that follow from the
# original tables. Of tables that were perturbed each is known by itself, as what they share is
# exact.
known_share <- function(x, cells, published, ask) {
  labels <- lapply(cells$labels, as.character)
  asked <- list2data_frame(labels, length(cells$original))
  asked <- asked[cells$original %in% seq_len(min(ask$maxN, 1e6)), , drop = FALSE]
  inside <- given_away_inside(x, ask$maxN, ask$seconds)$cells
  if (!is.null(inside) && !is_table_list(published)) {
    inside[] <- lapply(inside, as.character)
    asked <- rbind(asked, inside[names(asked)])
  }
  if (nrow(asked) == 0) {
    return(0)
  }
  known <- reader_intervals(published, asked, ask$seconds)
  if (is.null(known$note)) {
    at <- match(label_words(asked), label_words(known$labels))
    mean(known$lower[at] == known$upper[at], na.rm = TRUE)
  } else {
    NA_real_
  }
}

is_table_list <- function(x) is.list(x) && !is.object(x)

choose_linked_plan <- function(figures, risks) {
  failed <- is.na(figures$change) & nzchar(figures$note)
  if (all(failed)) {
    return(choose_plan(figures, 1))
  }
  overlaps <- any(startsWith(risks$risk, "overlap of ") & !risks$n %in% c(0, NA))
  if (overlaps && "rounding" %in% figures$plan[!failed]) {
    return(list(proposed = "rounding", reason = paste(
      "it changes totals, while the other plans keep totals from which overlaps follow exactly.",
      "What an intruder would guess was not measured."
    )))
  }
  known <- ifelse(failed, Inf, figures$known)
  if (all(is.na(known[!failed]))) {
    return(first_plan(figures, which(!failed)[1]))
  }
  best <- which.min(known)
  list(proposed = figures$plan[best], reason = paste(
    if (known[best] == 0) "it was tried, and readers of all tables know no cell at risk exactly."
    else paste("of the plans that were tried it leaves the fewest cells at risk exactly known, but",
               "it leaves some: merge small categories, or publish fewer tables."),
    "What an intruder would guess was not measured."
  ))
}
