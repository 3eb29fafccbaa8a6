# The measures of risk and utility in a comparison, for one publication and for several.

comparison_kinds <- c(
  width_small = "risk", known_small = "risk", guess_small = "risk", right_small = "risk",
  entropy_small = "risk", entropy = "risk", log10_tables = "risk", abs_change = "utility",
  abs_change_small = "utility", hellinger = "utility", chi_square = "utility",
  cramer_v = "utility", log_odds = "utility", total_change = "utility", additivity = "utility",
  withheld = "utility"
)

# The same measures as titles of axes; those of the user have their own names.
measure_titles <- c(
  width_small = "mean width of the interval of a small cell",
  known_small = "small cells with width 0 (share)",
  guess_small = "mean probability of the best guess, small cells",
  right_small = "small cells where the best guess is right (share)",
  entropy_small = "mean posterior entropy of a small cell (bits)",
  entropy = "mean posterior entropy of a cell (bits)",
  log10_tables = "log10 of the number of tables that agree",
  abs_change = "mean absolute change of a cell",
  abs_change_small = "mean absolute change of a small cell", hellinger = "Hellinger distance",
  chi_square = "relative change of chi-square", cramer_v = "mean change of Cramer's V",
  log_odds = "mean change of log odds ratios", total_change = "mean change of one-way totals",
  additivity = "largest gap between a total and its cells", withheld = "cells not shown (share)"
)

measure_publication <- function(method, publication, ask) {
  # made when it is needed
  trees <- if (!is.null(ask$published)) full_trees(ask$x)
  delayedAssign("release", constraints(publication, dimnames = ask$x$dimnames, hierarchies = trees))
  inferred <- read_publication_of(method, publication, release, ask)
  utility <- measure_utility(publication, release, ask)
  value <- c(inferred$value, unclass(utility))
  c(list(value = value, fit_note = attr(utility, "note")),
    inferred[c("how", "count_how", "note", "tables")])
}

no_measures <- function(ask, note) {
  names <- c(names(comparison_kinds), names(ask$user))
  measure_rows(names, NA_real_, NA_real_, NA_character_, note, "")
}

measure_rows <- function(measure, value, error, how, note, exact) {
  n <- length(measure)
  kind <- unname(comparison_kinds[measure])
  list2data_frame(
    list(
      measure = measure, kind = ifelse(is.na(kind), "utility", kind), value = rep_len(value, n),
      std_error = rep_len(error, n), how = rep_len(how, n), exact = rep_len(exact, n),
      note = rep_len(note, n)
    ),
    n
  )
}

# Means over publications, with standard errors where there are several.
average_measures <- function(found, random) {
  n <- length(found)
  values <- vapply(found, `[[`, found[[1]]$value, "value")
  values <- matrix(values, ncol = n, dimnames = list(names(found[[1]]$value), NULL))
  error <- if (n > 1) apply(values, 1, stats::sd) / sqrt(n) else if (random) NA_real_ else 0
  measure <- rownames(values)
  by_laws <- measure %in% c("guess_small", "right_small", "entropy_small", "entropy")
  inferred <- measure %in% names(comparison_kinds)[comparison_kinds == "risk"]
  tables <- vapply(found, `[[`, "", "tables")
  note <- unique(unlist(lapply(found, `[[`, "note")))
  mean <- rowMeans(values)
  missing <- is.na(mean)
  measure_rows(
    measure, ifelse(missing, NA, mean), ifelse(missing, NA, error),
    ifelse(missing, NA, how_of(measure, by_laws, found)),
    notes_of(inferred & (missing | by_laws), note, !inferred, found),
    ifelse(measure == "log10_tables" & n == 1, tables[[1]], "")
  )
}

# Simulated as soon as one publication was.
how_of <- function(measure, by_laws, found) {
  worst <- function(name) {
    how <- vapply(found, `[[`, "", name)
    if ("simulated" %in% how) "simulated" else "exact"
  }
  ifelse(by_laws, worst("how"), ifelse(measure == "log10_tables", worst("count_how"), "exact"))
}

notes_of <- function(inferred, note, fitted, found) {
  fit <- unique(unlist(lapply(found, `[[`, "fit_note")))
  ifelse(inferred, paste(note, collapse = "; "),
         ifelse(fitted, paste(fit, collapse = "; "), ""))
}

bind_measures <- function(judged, labels) {
  each <- lapply(seq_along(judged), function(i) {
    rows <- judged[[i]]$measures
    cbind(data.frame(method = rep(labels[[i]], nrow(rows))), rows)
  })
  do.call(rbind, each)
}
