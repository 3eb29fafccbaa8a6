# What an object is, what its main figures mean and what follows from them. A class says it in a
# function story.<class>, which returns sentences; one that has none shows its figures.

#' @rdname explain
#' @export
explain.sdc_object <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (!is.null(cell)) {
    abort_sdc("input", c(
      "{.fn explain} can say something about one cell of tables, bounds, laws, cycles, results of
       methods, publications and posteriors.",
      x = "{.arg x} is an object of class {.cls {class(x)[1]}}.",
      i = "{.code explain(x)} explains the whole object."
    ))
  }
  explain_object(x)
}

explain_object <- function(x) {
  new_explanation(object_name(x), story_of(x), private = is_private(x))
}

# "a set of cycles", where the class has a name in words.
object_name <- function(x) {
  known <- intersect(class(x), names(object_names))
  if (length(known) > 0) object_names[[known[1]]] else paste("an object of class", class(x)[1])
}

object_names <- c(
  sdc_table = "a table of counts", sdc_margins = "released margins",
  sdc_constraints = "constraints on a table", sdc_intervals = "intervals around published counts",
  sdc_bounds = "bounds of cells", sdc_bounds_certificates = "certificates of bounds",
  sdc_bounds_verification = "the check of bounds", sdc_disclosed = "disclosed cells",
  sdc_count = "a number of tables", sdc_count_estimate = "an estimated number of tables",
  sdc_fibre = "laws of cells over a fibre", sdc_tables = "tables of a fibre",
  sdc_estimate = "an estimated table", sdc_conditionals = "released rates",
  sdc_cycles = "a set of cycles", sdc_mechanism = "a mechanism of cyclic perturbation",
  sdc_perturbation = "a perturbed table", sdc_publication = "a published perturbed table",
  sdc_posterior = "a posterior", sdc_prior = "a prior", sdc_readers = "readers compared",
  sdc_risk = "risk and utility of a design", sdc_tuning = "designs compared",
  sdc_protection = "expected protection", sdc_rounding = "a rounded table",
  sdc_rounded_publication = "a published rounded table",
  sdc_rounding_posterior = "a posterior of a rounded table",
  sdc_suppression = "a table with suppressed cells",
  sdc_suppressed = "a published table with suppressed cells",
  sdc_suppression_audit = "an audit of a suppression",
  sdc_years_audit = "an audit of two years of a suppressed table",
  sdc_suppression_verification = "the check of a suppression",
  sdc_tau_argus = "cells of files of tau-ARGUS", sdc_comparison = "methods compared",
  sdc_method = "a method of protection", sdc_hex = "a map of hexagons",
  sdc_hex_redistribution = "a redistributed map", sdc_hex_publication = "a published map",
  sdc_hex_risk = "risk and utility of a map", sdc_hex_attack = "an attack on a map",
  sdc_magnitude = "a magnitude table", sdc_weighted = "a table of weighted counts",
  sdc_rules = "sensitivity rules",
  sdc_sensitivity = "judged cells of a magnitude table",
  sdc_magnitude_redistribution = "redistributed magnitudes",
  sdc_magnitude_publication = "published magnitudes",
  sdc_magnitude_audit = "an audit of redistributed magnitudes",
  sdc_release = "a chosen release", sdc_release_publication = "a published release",
  sdc_release_risk = "a rule for releases", sdc_release_utility = "the worth of a release",
  sdc_release_structure = "the structure of a release",
  sdc_release_verification = "the check of a release", sdc_certificates = "certificates",
  sdc_sub_tables = "the space of sub-tables", sdc_critical_widths = "critical widths",
  sdc_width = "the width of a release", sdc_server = "a table server",
  sdc_server_policy = "the policy of a table server",
  sdc_server_plan = "the planned envelope of a table server",
  sdc_answer = "an answer of a table server",
  sdc_what_if = "what a request would lead to", sdc_server_audit = "the audit of a table server",
  sdc_plan = "a plan of protection", sdc_proposal = "a proposal how to protect a table",
  sdc_protected = "a protected table", sdc_policy_audit = "what refusals tell",
  sdc_store = "the store of a table server", sdc_metadata = "the metadata of a table server"
)

story_of <- function(x) {
  tell <- Find(Negate(is.null), lapply(class(x), function(class) own_method("story", class)))
  if (is.null(tell)) story_figures(x) else unname(tell(x))
}

# The figures of a summary, or of what has no sentences of its own.
story_figures <- function(x) {
  summary <- grepl("summary", class(x)[1])
  c(if (summary) "These are the main figures of an object; explain() of the object itself says what
       follows from them.",
    sub("^ *(<[^>]*>)? *", "", format(x)), quantile_words(x))
}

# Summaries of bounds and of magnitudes hold quantiles.
quantile_words <- function(x) {
  values <- if (is.list(x)) c(x$widths, x$totals)
  if (is.numeric(values) && length(values) == 5) {
    paste0("Least, quartiles and largest: ", paste(format_number(values), collapse = ", "), ".")
  }
}

count_of <- function(n, whole, one) paste(format_count(n), "of", plural(whole, one))

share_words <- function(x) format(signif(x, 3))

# ---- tables -------------------------------------------------------------------------------------

story.sdc_table <- function(x) {
  n <- prod(dim(x))
  zero <- n - length(x$counts)
  small <- sum(x$counts %in% 1:2)
  c(
    paste0("The table counts ", plural(sum(x), "unit"), " in ", plural(n, "cell"), ", ",
           paste(dim(x), collapse = " x "), " levels of ",
           paste(names(x$dimnames), collapse = ", "), "."),
    paste0(plural(zero, "cell is", "cells are"), " zero, and ", format_count(small),
           if (small == 1) " has" else " have", " a count of 1 or 2."),
    "Small counts are what methods of disclosure limitation protect: each describes few people."
  )
}

#' @rdname explain
#' @export
explain.sdc_table <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  total <- explain_total(cell, x$dimnames, x$layout, is_private(x), function(cells) {
    paste0("It is ", format_count(sum(dense_counts(x)[cells])), ".")
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, x$dimnames)
  n <- dense_counts(x)[at]
  new_explanation(cell_words(at, x$dimnames), c(
    paste0("The count is ", format_count(n), if (sum(x) > 0) paste0(
      ", ", percent(n / sum(x)), " of the total of ", format_count(sum(x))
    ), "."),
    if (n == 0) {
      "A zero says that nobody is in this cell, which can disclose something, too."
    } else if (n <= 2) {
      "A count this small lets people recognise whom it describes."
    }
  ), private = is_private(x))
}

story.sdc_margins <- function(x) {
  labels <- as_constraints(x)$dimnames
  c(
    paste0("Sums of a table of ", shape_words(labels), " were released: ",
           paste(names(x), collapse = "; "), "."),
    paste0("They have ", plural(sum(vapply(x, function(m) prod(dim(m)), 0)), "entry", "entries"),
           ", while the table has ", plural(prod(lengths(labels)), "cell"), "."),
    "Many tables can have these margins: count_tables() counts them, and bounds_margins() finds the
     interval of each cell over them."
  )
}

story.sdc_constraints <- function(x) {
  exact <- sum(x$rows$lower == x$rows$upper)
  n <- length(x$rows$lower)
  c(
    paste0("What a reader knows about a table of ", shape_words(x$dimnames), ", as ",
           plural(n, "sum"), " of cells with limits; ", format_count(exact),
           " of them are known exactly."),
    "A table agrees with the release exactly when all these sums lie within their limits and no
     count is negative."
  )
}

story.sdc_intervals <- function(x) {
  reach <- attr(x, "reach")
  paste0("Each true count lies between ", reach[1], " below and ", reach[2],
         " above the published one. constraints() takes these intervals as what is known.")
}

story.sdc_bounds <- function(x) {
  width <- x$upper - x$lower
  n <- length(width)
  if (n == 0) {
    return("It holds bounds of 0 cells.")
  }
  c(
    paste0("For ", plural(n, "cell"), ", the least and the largest count that agree with what was
      released: the intervals are ", format_count(min(width)), " to ", format_count(max(width)),
           " wide."),
    if (any(width == 0)) {
      paste0(plural(sum(width == 0), "cell is", "cells are"), " known exactly.")
    } else {
      "No cell is known exactly."
    },
    if (all(x$sharp)) {
      "All intervals are sharp: some table attains each end, so no reader can know more from the
       release alone."
    } else {
      paste0("The intervals of ", format_count(sum(x$sharp)), " of them are sharp; the others
        contain the sharp one.")
    }
  )
}

story.sdc_disclosed <- function(x) {
  width <- attr(x, "width")
  c(
    paste0(count_of(nrow(x), attr(x, "n"), "cell"), " can be computed from the release ",
           if (width == 0) "exactly" else paste("to within", format_count(width)), "."),
    if (nrow(x) == 0) {
      "So the release alone discloses none of them that closely."
    } else {
      paste0("Whoever reads the release knows these counts", if (width > 0) " that closely",
             "; the column `reason` names the sums from which they follow.")
    }
  )
}

# ---- fibres -------------------------------------------------------------------------------------

story.sdc_count <- function(x) {
  n <- format(x)
  c(
    paste0("The number is ", n, if (x$exact) ", exact to the last digit." else "."),
    if (x$digits == "1") {
      "Where it counts the tables that agree with a release, the release determines the table."
    } else {
      "Where it counts the tables that agree with a release, a reader who knows nothing else
       considers each of them possible. A large number alone does not protect a cell: all of these
       tables may agree in it."
    }
  )
}

story.sdc_count_estimate <- function(x) {
  c(
    paste0("The number of tables is ", format(x), ", from ", plural(x$n_draws, "draw"), "."),
    paste0("These are worth ", format_count(round(x$effective)), " equally weighted draws. The true
      number lies within two standard errors in about 95 of 100 such estimates, where that number
      is large.")
  )
}

story.sdc_fibre <- function(x) {
  width <- tabulate(x$law$at, length(x$cells))
  c(
    paste0("For ", plural(length(width), "cell"), ", the probability of each count when all ",
           format(x$count), " tables that agree with the release are equally likely."),
    if (length(width) > 0) paste0(
      "A cell has from ", format_count(min(width)), " to ", format_count(max(width)),
      " possible counts; ", format_count(sum(width == 1)), " are known exactly."
    ),
    "Readers who know more than the release have other probabilities: see posterior()."
  )
}

#' @rdname explain
#' @export
explain.sdc_fibre <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  at <- one_cell(cell, x$dimnames)
  k <- match(at, x$cells)
  if (is.na(k)) {
    abort_sdc("input", c(
      "{.arg cell} must be one of the cells that have a law.",
      x = "There is none for {cell_words(at, x$dimnames)}."
    ))
  }
  law <- lapply(x$law, `[`, x$law$at == k)
  mode <- which.max(law$probability)
  new_explanation(cell_words(at, x$dimnames), c(
    paste0("Over the ", format(x$count), " tables that agree with the release the count is ",
           interval_words(min(law$value), max(law$value)), ", on average ",
           format_mean(sum(law$value * law$probability)), "."),
    if (length(law$value) > 1) paste0(
      "The most frequent count is ", format_count(law$value[mode]), ", in ",
      percent(law$probability[mode]), " of them: the best guess of a reader to whom all are equally
        likely."
    )
  ), private = is_private(x))
}

story.sdc_tables <- function(x) {
  k <- length(dim(x))
  what <- names(dimnames(x))[k]
  c(
    paste0("It holds ", plural(dim(x)[k], "table"), " of ", shape_words(dimnames(x)[-k]),
           " that agree with a release, numbered along the dimension \"", what, "\"."),
    if (what == "draw") {
      "Each was drawn with the same probability from all tables that agree, independently, so shares
       among them estimate shares of all."
    } else {
      "These are all that agree; the original is one of them."
    }
  )
}

story.sdc_estimate <- function(x) {
  c(
    paste0("A fitted table with a total of ", format_number(sum(x$table), 7),
           ": its sums are within ",
           format(max(x$gap, 1e-9), digits = 2), " of what was released."),
    "It assumes no more association between the variables than the released sums show, and is a
     user's best estimate; its cells are not the original counts."
  )
}

story.sdc_conditionals <- function(x) {
  c(
    paste0("Rates of ", paste(x$response, collapse = ", "),
           if (length(x$given) > 0) paste(" given", paste(x$given, collapse = ", ")), ": ",
           plural(length(x$scale), "row"), " of rates that each add up to 1, ",
           if (is_exact(x)) "exact." else paste0("rounded to ", plural(x$digits, "digit"), ".")),
    if (is_exact(x)) {
      "Exact rates are fractions: the total of each row is a multiple of their least common
       denominator, which can disclose counts. bounds_conditional() computes how much."
    } else {
      "Rounded rates allow every fraction that rounds to them. bounds_conditional() computes what
        they
       disclose."
    }
  )
}
