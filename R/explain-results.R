# Rounded, suppressed and redistributed tables and their audits, in words.

story.sdc_rounding <- function(x) {
  found <- summary(x)
  c(
    paste0(multiples_words(x, "counts and totals"), ", and they add up. ",
           count_of(round(found$changed * found$cells), found$cells, "cell"), " were changed, by ",
           format_mean(found$change), " per cell on average."),
    if (nrow(x$violations) > 0) paste0(
      plural(nrow(x$violations), "cell or total lies", "cells or totals lie"),
      " outside of the two multiples next to the original: no rounding that adds up avoids it."
    ),
    "The object holds the original table: publish() makes what may leave."
  )
}

story.sdc_rounded_publication <- function(x) {
  c(
    paste0(multiples_words(x, "published counts"),
           if (is.null(x$crossings)) paste0(", with the total ", format_count(sum(x$table))), "."),
    if (x$method == "small") {
      "A reader knows each count above the base, and that each other one lies near what is
       published: constraints() turns this into limits."
    } else {
      "A reader knows of each count that it lies near the published multiple: constraints() turns
       this into limits, and posterior_rounding() into probabilities."
    }
  )
}

multiples_words <- function(x, what) {
  base <- format_count(x$base)
  if (x$method == "small") {
    paste0("No published count or total is between 0 and ", base)
  } else {
    paste0("All ", what, " are multiples of ", base)
  }
}

story.sdc_rounding_posterior <- function(x) {
  cells <- summarise_laws(x)
  c(
    paste0("For each of ", plural(nrow(cells), "cell"), ", the probability of each original count
      for
      a reader who knows the ", x$reader, " and has this prior: ", format(x$prior), "."),
    paste0("The best guess of a cell is right with probability ",
           format(mean(cells$p_mode), digits = 3), " on average, and ",
           format_number(mean(cells$upper - cells$lower + 1)), " counts are possible on average.")
  )
}

story.sdc_suppression <- function(x) {
  hidden <- x$cells$sdcStatus
  c(
    paste0(plural(sum(hidden == "u"), "cell or total is", "cells and totals are"),
           " primary, withheld by the rule (", rule_words(x), "), and ",
           plural(sum(hidden == "x"), "more is", "more are"),
           " withheld so that these cannot be computed by subtraction."),
    if (is_certified(x)) {
      certified_story(x)
    } else if (is.null(x$audit)) {
      "What readers can compute all the same was not audited: audit() does it."
    } else if (any(startsWith(format(x$audit), "FAILS"))) {
      "The audit FAILS: some reader computes what should be hidden. print() says who."
    } else {
      "The audit found no reader who computes a withheld cell that should be hidden."
    },
    "The object holds the original table: publish() makes what may leave."
  )
}

story.sdc_suppressed <- function(x) {
  n <- sum(x$cells$suppressed)
  c(
    paste0(count_of(n, nrow(x$cells), "cell"), " and totals are suppressed."),
    "What is published still limits them: constraints() and bounds_margins() give the interval of
     each, and explain() with a cell the sums that it follows from."
  )
}

story.sdc_suppression_audit <- function(x) {
  lines <- format(x)
  fails <- startsWith(lines, "FAILS")
  c(
    if (any(fails)) {
      "Readers can compute what the suppression should hide:"
    } else {
      "No reader of this audit computes what the suppression should hide:"
    },
    as_sentences(lines),
    "An interval of width 0 gives a cell away; a narrow one nearly does."
  )
}

# "none of 6 cells is known" -> "None of 6 cells is known."
as_sentences <- function(lines) {
  paste0(toupper(substr(lines, 1, 1)), substring(lines, 2), ifelse(grepl("[.]$", lines), "", "."))
}

# ---- maps ---------------------------------------------------------------------------------------

story.sdc_hex <- function(x) {
  c(
    paste0("A map of ", plural(length(x$q), "hexagon"), " with data and ",
           plural(sum(x$count), "point"), "; ", format_count(sum(x$count == 1)),
           " of the hexagons hold one point."),
    "redistribute() moves counts between hexagons until none is below a threshold; sensitive() lists
     the hexagons that are."
  )
}

#' @rdname explain
#' @export
explain.sdc_hex <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  at <- one_hexagon(cell, x)
  steps <- steps_apart(x$q - x$q[at], x$r - x$r[at])
  near <- sum(steps == 1)
  new_explanation(paste0("hexagon q = ", x$q[at], ", r = ", x$r[at]), c(
    paste0("The count is ", format_count(x$count[at]), ". Of the 6 hexagons beside it ", near,
           if (near == 1) " has data." else " have data."),
    if (near == 0 && length(steps) > 1) {
      paste0("The nearest with data is ", plural(min(steps[-at]), "step"), " away.")
    }
  ), private = is_private(x))
}

story.sdc_hex_redistribution <- function(x) {
  c(
    paste0("Every hexagon with data now has a count of at least ", format_count(x$threshold),
           if (x$empty) " or none", ". This took mu = ", plural(x$mu, "step"),
           " over all counts that moved, by the method \"", x$method, "\"",
           if (x$method == "optimal" && !x$empty) ": no filling takes fewer", "."),
    if (nrow(x$suppressed) > 0) {
      paste0(plural(nrow(x$suppressed), "outlier was", "outliers were"), " suppressed, with ",
             plural(sum(x$suppressed$count), "count"), ".")
    },
    "The moves give the original back, so they stay with the agency: publish() makes what may
      leave."
  )
}

story.sdc_hex_publication <- function(x) {
  c(
    paste0("A map of ", plural(length(x$q), "hexagon"), " with a total of ",
           format_count(sum(x$count)), "; every hexagon with data shows at least ",
           format_count(x$threshold), "."),
    paste0(plural(sum(x$count == x$threshold), "hexagon shows", "hexagons show"), " exactly ",
           format_count(x$threshold), ": these are the ones that may have been filled.")
  )
}

story.sdc_hex_risk <- function(x) {
  o <- x$overall
  c(
    paste0("For ", o$label, ": ", percent(o$R2), " of the cells are unchanged (R2, the risk), and a
      cell changes by ", format(o$U2, digits = 3), " on average (U2); all moves together take ",
           plural(o$U3, "step"), " (U3).", recycle0 = TRUE),
    "Unchanged cells are a risk because their count is published as it was; steps and changes are
     what a user loses."
  )
}

story.sdc_hex_attack <- function(x) {
  c(
    paste0("From the published map and the method, a reader finds ",
           plural(x$n_originals, "possible original"), "."),
    if (nrow(x$cells) > 0) paste0(
      "A cell was sensitive (below ", format_count(x$threshold), ") with a probability of at most ",
      format(max(x$cells$sensitive), digits = 3), ", all originals being equally likely."
    ),
    paste0("The original count is certain in ", plural(sum(x$cells$certain), "cell"), ".")
  )
}

# ---- magnitudes ---------------------------------------------------------------------------------

story.sdc_magnitude <- function(x) {
  size <- diff(x$start)
  c(
    paste0("Totals of ", x$variable, " in ", plural(length(x$cell), "cell"), " with ",
           plural(length(x$value), "contribution"), "; ", format_count(sum(size == 1)),
           " of the cells have one contributor, ", format_count(sum(size == 2)), " have two."),
    "The total of one contributor is her value, and of two contributors each can subtract her own:
     sensitive() judges all cells by rules."
  )
}

story.sdc_weighted <- function(x) {
  size <- diff(x$start)
  c(
    paste0("Estimates in ", plural(length(x$cell), "cell"), " from ",
           plural(length(x$value), "respondent"), "; ", format_count(sum(size == 1)),
           " of the cells have one respondent, ", format_count(sum(size == 2)), " have two."),
    "suppress() hides the estimates of cells with few respondents. Who knows the weights may find
     out which respondents an estimate is made of: publish estimates in a coarse unit."
  )
}

story.sdc_rules <- function(x) {
  c(
    paste0("A cell of a magnitude table is sensitive when ",
           if (length(x) == 1) "this holds: " else "any of these holds: ",
           paste(sub("^[^:]*: ", "", format(x)), collapse = "; "), "."),
    "At its limit a rule does not fire."
  )
}

story.sdc_sensitivity <- function(x) {
  status <- sum(x$sdcStatus == "u")
  labels <- attr(x, "sdc_rules")$label
  fired <- unlist(split_labels(x$rules[nzchar(x$rules)]))
  c(
    paste0(count_of(status, nrow(x), "cell"), if (status == 1) " is" else " are",
           " sensitive by the rules: ",
           paste0(labels, " fires in ", vapply(labels, function(l) plural(sum(fired == l), "cell"),
                                              ""), collapse = ", "), "."),
    "The totals of sensitive cells let somebody estimate a contributor too closely: suppress() or
     redistribute() protects them."
  )
}

story.sdc_magnitude_redistribution <- function(x) {
  change <- x$cells$change
  c(
    paste0(count_of(sum(change != 0), length(change), "total"), " were changed, in all by ",
           percent(sum(abs(change)) / sum(abs(x$cells$true))), " of the grand total, by the
             method \"",
           x$method, "\"."),
    if (x$audit$failures > 0) {
      paste0("The audit counts ", plural(x$audit$failures, "failure"), ": NOT PROTECTED.")
    } else {
      paste0("The audit found no estimate of a largest contributor within ",
             plain_number(x$audit$p), " %.")
    },
    "The object holds the original table: publish() makes what may leave."
  )
}

story.sdc_magnitude_publication <- function(x) {
  c(
    paste0("Published totals of ", x$variable, " in ", plural(length(x$cells$cell), "cell"),
           ", ", format_count(sum(x$cells$total)), " in all."),
    if (is.null(x$max_change)) {
      "Each may differ from the true total; by how much is not said."
    } else {
      paste0("Each lies within ", plain_number(x$max_change), " of the true total.")
    }
  )
}

story.sdc_magnitude_audit <- function(x) {
  n <- x$counts
  c(
    paste0("Of ", plural(n[["sensitive"]], "sensitive cell"), ", some reader of the published totals
      estimates the largest contributor within ", plain_number(x$p), " % in ",
           format_count(n[["exposed"]]), ": the second largest contributor in ",
           format_count(n[["second"]]), ", an outsider in ", format_count(n[["outsider"]]), "."),
    if (x$failures > 0) {
      paste0("With ", plural(x$failures, "failure"), " the table is NOT PROTECTED.")
    } else {
      "So the changed totals protect them."
    }
  )
}

story.sdc_tau_argus <- function(x) {
  status <- x$cells$sdcStatus
  c(
    paste0("The files have ", plural(nrow(x$cells), "cell and total", "cells and totals"), " over ",
           paste(names(x$total_codes), collapse = ", "), "."),
    if (is.null(status)) {
      "They say of no cell whether it is suppressed."
    } else {
      paste0(plural(sum(status == "u"), "of them is", "of them are"), " primary, and ",
             plural(sum(status == "x"), "is", "are"), " secondary.")
    },
    "tau_argus_table() makes the table of them, suppress() takes their cells as a pattern, and
     as_publication() makes what may leave."
  )
}
