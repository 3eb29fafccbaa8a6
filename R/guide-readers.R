# What readers of a publication learn, and what people learn who are in a cell themselves, for
# reports: by the publication alone; the original is only compared with the result.

# The interval of each cell to a reader who has the publication: `lower`, `upper`, `labels`, and
# `how` it was found; or a `note` that says why there is none. Of perturbed tables also `posterior`,
# a list of posteriors of these cells, and whether any was `simulated`.
# `cells`: a data frame of labels, of several tables; NULL asks about the cells without totals.
reader_intervals <- function(published, cells = NULL, seconds = 20) {
  tryCatch(intervals_of(published, cells, seconds), sdc_error = function(cnd) {
    list(note = first_words(cnd))
  })
}

intervals_of <- function(published, cells, seconds) UseMethod("intervals_of")

# Intervals that hold for sure.
#' @export
intervals_of.default <- function(published, cells, seconds) {
  if (inherits(published, c("sdc_hex_publication", "sdc_magnitude_publication")) ||
      is.list(published) && length(published) == 0) {
    return(list(note = say("Readers see single totals; see the methods of the package for what they
      can infer.")))
  }
  found <- as.data.frame(bounds_margins(published, cells = cells, progress = FALSE,
                                        time_limit_s = seconds))
  list(labels = found[!names(found) %in% bound_columns], lower = found$lower, upper = found$upper,
       how = "the interval in which it lies for certain")
}

bound_columns <- c("lower", "upper", "width", "sharp", "lower_real", "upper_real", "least", "most")

# Intervals that hold with probability .95, as the mechanism is public.
#' @export
intervals_of.sdc_publication <- function(published, cells, seconds) {
  po <- reader_posterior(published)
  found <- as.data.frame(summary(po))
  simulated <- po$method == "montecarlo"
  list(labels = found[names(dimnames(published$table))], lower = found$lower, upper = found$upper,
       how = paste0("the interval that", if (simulated) ", by a simulation,",
                    " holds it with a probability of at least 95 %"),
       posterior = list(po), simulated = simulated)
}

# Exact, or simulated from a fixed seed where that is too large: the public report of a publication
# is always the same.
reader_posterior <- function(published) {
  tryCatch(posterior(published), sdc_error_too_large = function(cnd) {
    posterior(published, method = "montecarlo", seed = 1)
  })
}

# Of tables that were perturbed one by one: what they share is exact, so that each tells of its own
# cells what it tells alone.
#' @export
intervals_of.list <- function(published, cells, seconds) {
  if (length(published) == 0) {
    return(intervals_of.default(published))
  }
  each <- lapply(unname(published), intervals_of, cells, seconds)
  labels <- common_labels(lapply(each, `[[`, "labels"), total_of_tables(published))
  all <- function(name) unlist(lapply(each, `[[`, name), recursive = FALSE)
  list(labels = list2data_frame(labels, length(labels[[1]])), lower = all("lower"),
       upper = all("upper"), how = each[[1]]$how, posterior = all("posterior"),
       simulated = any(all("simulated")))
}

# The original values of the cells that a reader has intervals of.
truth_of <- function(known, cells) {
  cells$original[match(label_words(known$labels), label_words(cells$labels))]
}

# How often the truth lies in the reader's interval, and how many values are known exactly.
report_reader_words <- function(cells, known) {
  if (!is.null(known$note)) {
    return(paste("Intervals of readers were not computed:", known$note))
  }
  truth <- truth_of(known, cells)
  inside <- sum(truth >= known$lower & truth <= known$upper, na.rm = TRUE)
  small <- !is.na(truth) & truth > 0 & truth <= 2
  exact <- sum(known$lower[small] == known$upper[small])
  say(
    "For each cell a reader can compute {known$how}. The original is inside in {inside} of
     {sum(!is.na(truth))} cell{?s}.",
    "{exact} of {sum(small)} cell{?s} with a count of 1 or 2 can be known exactly."
  )
}

public_reader_words <- function(known) {
  if (!is.null(known$note)) {
    return("What readers can compute of the original values was not listed here.")
  }
  width <- known$upper - known$lower
  say(
    "For each cell a reader can compute {known$how}.",
    "On average these intervals are {format_mean(mean(width))} wide; of {length(width)} cell{?s}
     {sum(width == 0)} {?is/are} known exactly."
  )
}

# ---- people in the cells ------------------------------------------------------------------------
# They know more than outsiders: that its count is at least 1.

# For the private report; NULL where nothing is known of people. `protected`: what the method
# returned; `known`: the intervals of outsiders.
contributor_part <- function(protected, cells, known) {
  words <- if (inherits(protected, c("sdc_suppression", "sdc_magnitude_redistribution"))) {
    format(audit(protected))
  } else if (!is.null(known$posterior)) {
    people <- Reduce(function(a, b) Map(c, a, b), lapply(known$posterior, people_of_laws))
    people_law_words(people, truth_of(known, cells), known$simulated)
  } else if (inherits(protected, "sdc_rounding") && is.null(known$note)) {
    people_interval_words(known, truth_of(known, cells))
  }
  if (!is.null(words)) c(html_heading("What single contributors learn"), html_list(words))
}

# For each cell, to an outsider and to somebody in it: `best`, the probability of the best guess of
# its count, and `known`; `alone`, the probability to be the only one; and `zero`, that nobody is in
# it, to an outsider. As the prior leaves cells independent of what else a person knows, a person's
# law is the outsider's without 0.
people_of_laws <- function(po) {
  laws <- posterior_laws(po)
  n <- nrow(summary(po)$cells)
  inside <- laws$value >= 1
  one <- laws$value == 1
  zero <- replace(numeric(n), laws$cell[!inside], laws$probability[!inside])
  alone <- replace(numeric(n), laws$cell[one], laws$probability[one])
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

# `truth`: the original counts of the same cells.
people_law_words <- function(people, truth, simulated = FALSE) {
  there <- !is.na(truth) & truth > 0
  if (!any(there)) {
    return("There is nobody in the cells.")
  }
  small <- there & truth <= 2
  single <- there & truth == 1
  best <- percent(mean(people$best[small]))
  best_outside <- percent(mean(people$best_outside[small]))
  by <- if (simulated) " (probabilities are estimated by a simulation)" else ""
  c(
    paste0("Whoever is in a cell knows that its count is at least 1", by, ". ",
           presence_words(sum(people$zero[there] > 0), sum(there))),
    known_people_words(people$known[there], people$known_outside[there]),
    say(
      if (any(small)) "In the {sum(small)} cell{?s} with a count of 1 or 2, the best guess of the
        count is right with a mean probability of {best} to people in the cell, and of
        {best_outside} to others.",
      if (any(single)) "{sum(single)} {?person/people} {?is/are} alone in a cell. That this is so
        has, to them, a mean probability of {percent(mean(people$alone[single]))};
        {sum(people$known[single])} can be sure."
    )
  )
}

presence_words <- function(open, all) {
  say(if (open == 0) "Outsiders know that as well, so that people learn no more than outsiders."
      else "In {open} of {all} cell{?s} with people outsiders do not know that; in the others people
        learn no more than outsiders.")
}

# Flags for the cells with people.
known_people_words <- function(people, outsiders) {
  say("People who are in a cell know its count exactly in {sum(people)} of {length(people)} cell{?s}
       with people, and outsiders in {sum(outsiders)}.")
}

# The interval of the others in the cell is the outsider's, where 0 is impossible, less the person.
people_interval_words <- function(known, truth) {
  there <- !is.na(truth) & truth > 0
  if (!any(there)) {
    return("There is nobody in the cells.")
  }
  outside <- known$lower[there]
  lower <- pmax(1, outside)
  upper <- known$upper[there]
  single <- truth[there] == 1
  sure <- lower == upper
  c(
    paste("Whoever is in a cell knows that its count is at least 1.",
          presence_words(sum(outside < 1), sum(there))),
    known_people_words(sure, outside == upper),
    say(
      "A person knows for certain that the others in the cell are at least
       {format_mean(mean(lower - 1))} and at most {format_mean(mean(upper - 1))}, on average over
       these cells.",
      if (any(single)) "{sum(single)} {?person/people} {?is/are} alone in a cell;
        {sum(sure & single)} can be sure of it."
    )
  )
}

# At most so many cells are small enough to be asked for a print.
printed_cells_at_most <- 100

# A sentence about people in small cells; NULL where it is not cheap to say.
people_line <- function(x, cells) {
  if (length(cells$original) > printed_cells_at_most) {
    return(NULL)
  }
  tryCatch(
    if (inherits(x$protected, "sdc_perturbation")) {
      po <- posterior(x$published, method = "enumeration", max_tables = 1e5, progress = FALSE)
      people <- people_of_laws(po)
      there <- as.vector(as.table(x$protected$original)) > 0
      known_people_words(people$known[there], people$known_outside[there])
    } else if (inherits(x$protected, "sdc_rounding")) {
      several <- !is.null(tables_of(x$published))
      asked <- if (several) list2data_frame(cells$labels, length(cells$original))
      known <- intervals_of(x$published, asked, 2)
      there <- truth_of(known, cells) > 0
      known_people_words((pmax(1, known$lower) == known$upper)[there],
                         (known$lower == known$upper)[there])
    },
    sdc_error = function(cnd) NULL
  )
}
