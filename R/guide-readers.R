# What readers of a publication learn, for reports: by the publication alone; the original is only
# compared with the result.

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
  held <- names(dimnames(published$table))
  simulated <- if (po$method == "montecarlo") ", by a simulation,"
  list(labels = found[held], lower = found$lower, upper = found$upper,
       how = paste0("the interval that", simulated,
                    " holds it with a probability of at least 95 %"),
       posterior = list(po), simulated = !is.null(simulated))
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
    return(no_intervals(published))
  }
  each <- lapply(unname(published), intervals_of, cells, seconds)
  labels <- common_labels(lapply(each, `[[`, "labels"), total_of_tables(published))
  list(labels = list2data_frame(labels, length(labels[[1]])),
       lower = unlist(lapply(each, `[[`, "lower")), upper = unlist(lapply(each, `[[`, "upper")),
       how = each[[1]]$how, posterior = unlist(lapply(each, `[[`, "posterior"), FALSE),
       simulated = any(vapply(each, `[[`, NA, "simulated")))
}

no_intervals <- function(published, cells, seconds) {
  list(note = "Readers see single totals; see the methods of the package for what they can infer.")
}

#' @export
intervals_of.sdc_hex_publication <- no_intervals

#' @export
intervals_of.sdc_magnitude_publication <- no_intervals

# How often the truth lies in the reader's interval, and how many values are known exactly.
report_reader_words <- function(cells, known) {
  if (!is.null(known$note)) {
    return(paste("Intervals of readers were not computed:", known$note))
  }
  truth <- truth_of(known, cells)
  inside <- sum(truth >= known$lower & truth <= known$upper, na.rm = TRUE)
  exact <- known$lower == known$upper
  small <- !is.na(truth) & truth > 0 & truth <= 2
  c(
    paste0("For each cell a reader can compute ", known$how, ". The original is inside in ",
           format_count(inside), " of ", plural(sum(!is.na(truth)), "cell"), "."),
    paste0(format_count(sum(exact & small)), " of ", plural(sum(small), "cell"),
           " with a count of 1 or 2 can be known exactly.")
  )
}

# The original values of the cells that a reader has intervals of.
truth_of <- function(known, cells) {
  cells$original[match(label_words(known$labels), label_words(cells$labels))]
}

public_reader_words <- function(known) {
  if (!is.null(known$note)) {
    return("What readers can compute of the original values was not listed here.")
  }
  width <- known$upper - known$lower
  exact <- sum(width == 0)
  c(
    paste0("For each cell a reader can compute ", known$how, "."),
    paste0("On average these intervals are ", format_mean(mean(width)), " wide; of ",
           plural(length(width), "cell"), " ", format_count(exact), " ", is_are(exact),
           " known exactly.")
  )
}
