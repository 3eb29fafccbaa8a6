# Plans for tables of magnitudes: how they are measured, by audits, and which is proposed.

# Each plan is carried out once; audits of the results take at most `seconds` each, and there are
# none where it is NULL.
audited_figures <- function(x, plans, seconds) {
  figures_of_plans(plans, function(plan) audited_figure(x, plan, seconds))
}

audited_figure <- function(x, plan, seconds) {
  protected <- quietly_hidden(run_plan(plan, x)$protected)
  figures <- change_figures(before_after(protected))
  # what a coarser table does not have is hidden as well
  figures$hidden <- 1 - (1 - figures$hidden) * magnitude_nodes(protected$original) /
    magnitude_nodes(x)
  measured <- if (is.null(seconds)) list(known = NA_real_, loss = NA_real_) else
    audit_measures(protected, x, seconds)
  figures$note <- measured$note %||% ""
  c(measured[c("known", "loss")], figures)
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

# The first plan that lets nobody estimate a contributor too closely, or else the best by that.
choose_audited_plan <- function(figures) {
  failed <- is.na(figures$change) & nzchar(figures$note)
  if (all(failed)) {
    return(choose_plan(figures, 1))
  }
  known <- ifelse(failed, Inf, figures$known)
  if (all(is.na(known[!failed]))) {
    return(first_plan(figures, which(!failed)[1], "Its audit was not run for the proposal."))
  }
  best <- which.min(known)
  if (known[best] == 0) {
    return(first_plan(figures, best, paste("By its audit nobody estimates a contributor of a",
                                           "sensitive cell more closely than the rules allow.")))
  }
  list(proposed = figures$plan[best], reason = paste(
    "its audit finds the fewest sensitive cells in which somebody estimates a contributor more",
    "closely than the rules allow, but it finds some: merge small categories."
  ))
}
