# Plans for several tables: what each of them leaves to readers of all tables.

# Each plan is carried out once. Where the tables are small, `known` is the share of the cells at
# risk that a reader of all that is published knows exactly, and `guess` the mean probability that
# the best guess of a small count is right.
linked_figures <- function(x, plans, ask) {
  measures <- !is.null(ask) && number_of_published(x) <= ask$most
  figures_of_plans(plans, function(plan) linked_figure(x, plan, if (measures) ask))
}

linked_figure <- function(x, plan, ask) {
  made <- run_plan(plan, x)
  cells <- before_after(made$protected)
  figures <- change_figures(cells)
  measured <- if (is.null(ask)) list(known = NA_real_, guess = NA_real_) else
    linked_measures(x, cells, made$published, ask)
  figures$note <- measured$note %||% ""
  c(measured[c("known", "guess")], figures)
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
    return(list(known = NA_real_, guess = NA_real_, note = known$note))
  }
  at <- match(label_words(asked), label_words(known$labels))
  exact <- known$lower[at] == known$upper[at]
  exact[is.na(at)] <- is_exact_total(asked, x)[is.na(at)]
  c(list(known = mean(exact, na.rm = TRUE)),
    linked_guess(labels[intersect(small, level_rows(cells$labels, x)), , drop = FALSE], x,
                 published, known, ask))
}

# Perturbed tables keep all totals over all variables but one.
is_exact_total <- function(asked, x) {
  roots <- root_nodes(x)
  open <- Reduce(`+`, lapply(names(asked), function(v) asked[[v]] != roots[[v]]))
  ifelse(open < 2, TRUE, NA)
}

# The rows that are no total in the table that they are in.
level_rows <- function(labels, x) {
  parts <- parts_of_tables(labels, tables_of(x))
  unique(unlist(lapply(parts, function(part) part$at[!part$total])))
}

is_table_list <- function(x) is.list(x) && !is.object(x)

choose_linked_plan <- function(figures, risks, guess) {
  failed <- is.na(figures$change) & nzchar(figures$note)
  if (all(failed)) {
    return(choose_plan(figures, 1))
  }
  overlaps <- any(startsWith(risks$risk, "overlap of ") & !risks$n %in% c(0, NA))
  if (overlaps && "rounding" %in% figures$plan[!failed]) {
    return(list(proposed = "rounding", reason = paste(
      "it changes totals, while the other plans keep totals from which overlaps follow exactly.",
      guess_words(figures[figures$plan == "rounding", ], guess)
    )))
  }
  known <- ifelse(failed, Inf, figures$known)
  if (all(is.na(known[!failed]))) {
    return(first_plan(figures, which(!failed)[1]))
  }
  best <- order(known, guess_rank(figures, guess))[1]
  list(proposed = figures$plan[best], reason = paste(
    if (known[best] == 0) "it was tried, and readers of all tables know no cell at risk exactly."
    else paste("of the plans that were tried it leaves the fewest cells at risk exactly known, but",
               "it leaves some: merge small categories, or publish fewer tables."),
    guess_words(figures[best, ], guess)
  ))
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
  paste0("An intruder's best guess of a small count is right with a probability of ",
         if (bound) "at least ", percent(row$guess), " (at most ", percent(limit), " is acceptable",
         if (bound && guess_rank(row, limit) == 1) ": whether it is, was not measured", ").")
}
