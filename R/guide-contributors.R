# What people learn who are in a cell themselves, for the private report: more than outsiders, as
# they know that its count is at least 1.

# `published`, `cells`: before and after; `known`: the intervals of outsiders.
contributor_part <- function(protected, published, cells, known) UseMethod("contributor_part")

#' @export
contributor_part.default <- function(protected, published, cells, known) NULL

#' @export
contributor_part.sdc_suppression <- function(protected, published, cells, known) {
  contributor_list(format(audit(protected)))
}

#' @export
contributor_part.sdc_magnitude_redistribution <- contributor_part.sdc_suppression

#' @export
contributor_part.sdc_perturbation <- function(protected, published, cells, known) {
  if (is.null(known$posterior)) {
    return(NULL)
  }
  people <- Reduce(joined, lapply(known$posterior, people_of_laws))
  contributor_list(people_law_words(people, truth_of(known, cells), known$simulated))
}

# Tables that were perturbed one by one.
#' @export
contributor_part.list <- contributor_part.sdc_perturbation

#' @export
contributor_part.sdc_rounding <- function(protected, published, cells, known) {
  if (!is.null(known$note)) {
    return(NULL)
  }
  contributor_list(people_interval_words(known, truth_of(known, cells)))
}

contributor_list <- function(words) {
  c(html_heading("What single contributors learn"), html_list(words))
}

# ---- by posteriors ------------------------------------------------------------------------------

# For each cell, to an outsider and to somebody in it: `best`, the probability of the best guess of
# its count, and `known`; `alone`, the probability to be the only one; and `zero`, that nobody is in
# it, to an outsider. As the prior leaves cells independent of what else a person knows, a person's
# law is the outsider's without 0.
people_of_laws <- function(po) {
  laws <- posterior_laws(po)
  n <- nrow(summary(po)$cells)
  inside <- laws$value >= 1
  zero <- alone <- numeric(n)
  zero[laws$cell[!inside]] <- laws$probability[!inside]
  one <- laws$value == 1
  alone[laws$cell[one]] <- laws$probability[one]
  list(
    zero = zero, alone = alone / (1 - zero),
    best_outside = largest_of(laws$probability, laws$cell, n),
    best = largest_of(laws$probability[inside], laws$cell[inside], n) / (1 - zero),
    known_outside = tabulate(laws$cell, n) == 1, known = tabulate(laws$cell[inside], n) == 1
  )
}

largest_of <- function(value, cell, n) {
  by <- order(cell, -value)
  first <- by[!duplicated(cell[by])]
  replace(numeric(n), cell[first], value[first])
}

joined <- function(a, b) Map(c, a, b)

# `truth`: the original counts of the same cells.
people_law_words <- function(people, truth, simulated = FALSE) {
  there <- !is.na(truth) & truth > 0
  if (!any(there)) {
    return("There is nobody in the cells.")
  }
  small <- there & truth <= 2
  single <- there & truth == 1
  c(
    paste0("Whoever is in a cell knows that its count is at least 1", if (simulated) {
      " (probabilities are estimated by a simulation)"
    }, ". ", presence_words(sum(people$zero[there] > 0), sum(there))),
    known_people_words(sum(people$known[there]), sum(people$known_outside[there]), sum(there)),
    if (any(small)) paste0(
      "In the ", plural(sum(small), "cell"), " with a count of 1 or 2, the best guess of the ",
      "count is right with a mean probability of ", percent(mean(people$best[small])), " to ",
      "people in the cell, and of ", percent(mean(people$best_outside[small])), " to others."
    ),
    if (any(single)) paste0(
      alone_words(sum(single)), ". That this is so has, to them, a mean probability of ",
      percent(mean(people$alone[single])), "; ", format_count(sum(people$known[single])),
      " can be sure."
    )
  )
}

alone_words <- function(n) paste(plural(n, "person", "people"), is_are(n), "alone in a cell")

presence_words <- function(open, all) {
  if (open == 0) {
    return("Outsiders know that as well, so that people learn no more than outsiders.")
  }
  paste0("In ", format_count(open), " of ", plural(all, "cell"), " with people outsiders do not ",
         "know that; in the others people learn no more than outsiders.")
}

known_people_words <- function(people, outsiders, all) {
  paste0("People who are in a cell know its count exactly in ", format_count(people), " of ",
         plural(all, "cell"), " with people, and outsiders in ", format_count(outsiders), ".")
}

# ---- by intervals -------------------------------------------------------------------------------

# The interval of the others in the cell is the outsider's, where 0 is impossible, less the person.
people_interval_words <- function(known, truth) {
  there <- !is.na(truth) & truth > 0
  if (!any(there)) {
    return("There is nobody in the cells.")
  }
  lower <- pmax(1, known$lower[there])
  upper <- known$upper[there]
  single <- truth[there] == 1
  sure <- lower == upper
  c(
    paste("Whoever is in a cell knows that its count is at least 1.",
          presence_words(sum(known$lower[there] < 1), sum(there))),
    known_people_words(sum(sure), sum(known$lower[there] == known$upper[there]), sum(there)),
    paste0("A person knows for certain that the others in the cell are at least ",
           format_mean(mean(lower - 1)), " and at most ", format_mean(mean(upper - 1)),
           ", on average over these cells."),
    if (any(single)) paste0(alone_words(sum(single)), "; ", format_count(sum(sure & single)),
                            " can be sure of it.")
  )
}

# ---- in print -----------------------------------------------------------------------------------

# At most so many cells are small enough to be asked for a print.
printed_cells_at_most <- 100

# A sentence about people in small cells; NULL where it is not cheap to say.
people_line <- function(x, cells) {
  counts <- inherits(x$protected, c("sdc_perturbation", "sdc_rounding"))
  if (!counts || length(cells$original) > printed_cells_at_most) {
    return(NULL)
  }
  tryCatch(people_line_of(x$protected, x$published, cells), sdc_error = function(cnd) NULL)
}

people_line_of <- function(protected, published, cells) UseMethod("people_line_of")

#' @export
people_line_of.sdc_perturbation <- function(protected, published, cells) {
  po <- posterior(published, method = "enumeration", max_tables = 1e5, progress = FALSE)
  people <- people_of_laws(po)
  truth <- as.vector(as.table(protected$original))
  known_people_words(sum(people$known[truth > 0]), sum(people$known_outside[truth > 0]),
                     sum(truth > 0))
}

#' @export
people_line_of.sdc_rounding <- function(protected, published, cells) {
  several <- !is.null(tables_of(published))
  asked <- if (several) list2data_frame(cells$labels, length(cells$original))
  known <- intervals_of(published, asked, 2)
  there <- truth_of(known, cells) > 0
  lower <- known$lower[there]
  upper <- known$upper[there]
  known_people_words(sum(pmax(1, lower) == upper), sum(lower == upper), sum(there))
}
