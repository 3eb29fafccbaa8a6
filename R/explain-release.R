# Releases, their checks and the table server, in words.

story.sdc_release <- function(x) {
  k <- length(x$problem$variables)
  c(
    paste0(format_count(x$n_sub_tables), " of ", sets_words(x$problem),
           " sub-tables may be released; ",
           plural(length(x$frontier), "of them implies", "of them imply"), " all others, for a table
      determines its margins."),
    paste0("The rule: ", format(x$risk), ". The guarantee: ", x$guarantee, "."),
    if (isTRUE(x$optimal)) {
      "It is proved that no release of its class is worth more."
    } else {
      "A better release may exist."
    },
    "The object holds the full table: publish() makes what may leave."
  )
}

story.sdc_release_publication <- function(x) {
  problem <- publication_space(x)
  c(
    paste0(format_count(sum(count_inside(problem, x$sets)[-1])), " of ", sets_words(problem),
           " sub-tables are published, as ",
           plural(length(x$tables), "maximal table"), ": ", frontier_words(names(x$tables)), "."),
    paste0("They were chosen by this rule: ", x$rule, "."),
    "Every other released sub-table is a margin of one of these."
  )
}

story.sdc_release_risk <- function(x) {
  c(
    paste0("This is the rule that a release must satisfy: ", format(x), "."),
    if (inherits(x, "sdc_risk_width")) {
      "The width of a cell is its upper minus its lower bound given all that is released; a small
        one
       tells a reader the count nearly."
    } else {
      "The rule judges each sub-table by itself; it does not see what several of them tell
        together."
    }
  )
}

story.sdc_release_utility <- function(x) {
  paste0("The worth of a release is measured by its ", format(x), ": a search prefers releases that
    are worth more.")
}

story.sdc_release_structure <- function(x) {
  n <- length(x$components)
  c(
    paste0("The ", plural(length(x$frontier), "maximal margin"), " of ",
           plural(length(x$variables), "variable"), " fall apart into ",
           plural(n, "component"), if (x$decomposable) ", each of them released: the release is
      decomposable."
           else if (x$reducible) ", not all of them released: the release is reducible."
           else ": the release is irreducible."),
    if (x$decomposable) {
      "So the sharp bounds of every cell are a closed form: at most the least clique margin, and at
       least the sum of the clique margins minus the separator margins."
    } else if (x$reducible) {
      "Bounds can be computed component by component."
    } else {
      "Bounds need a search over the whole table."
    }
  )
}

story.sdc_release_verification <- function(x) {
  c(
    if (x$verified) {
      "The release is VERIFIED, by code that shares nothing with the search that chose it."
    } else if (x$refuted) {
      "The release is NOT SAFE: bounds prove that it breaks the rule."
    } else {
      "The release is NOT VERIFIED: it need not be unsafe, but the check does not prove it safe."
    },
    if (!is.na(x$beta)) paste0(
      plural(x$n_cells, "cell"), " at risk must have intervals at least ", format_count(x$beta),
      " wide, given ", plural(x$n_margins, "released margin"),
      if (!is.na(x$width)) paste0("; the narrowest that was found is ", format_count(x$width)), "."
    ),
    if (x$n_failed > 0) paste0("The check fails for ", format_count(x$n_failed), ": ", x$fault, ".")
  )
}

story.sdc_certificates <- function(x) {
  c(
    paste0("For each of ", plural(length(x$target), "cell"), " at risk two tables that have all
      released margins and differ at the cell, as ", plural(length(x$cell), "difference"),
           " from the original."),
    "Nobody can tell these tables from the original by the release, so the interval of the cell
     holds both counts."
  )
}

story.sdc_sub_tables <- function(x) {
  sums <- colSums(x$by_dimension[-1, -1, drop = FALSE])
  c(
    paste0("Of the ", format_count(sums[["total"]]), " sub-tables of ",
           plural(length(x$variables), "variable"), " these are released: ",
           format_count(sums[["released"]]), "; can no longer be released: ",
           format_count(sums[["unreleasable"]]), "; open: ", format_count(sums[["open"]]), "."),
    "A released sub-table releases all its margins; one that is too risky makes all larger ones
     too risky as well."
  )
}

story.sdc_critical_widths <- function(x) {
  least <- which.min(x$width)
  c(
    paste0("For each of ", plural(nrow(x), "sub-table"), ", how narrow the narrowest interval of a
      cell at risk becomes when it alone is released: from ", format_count(min(x$width)), " to ",
           format_count(max(x$width)), "."),
    paste0("The most dangerous is ", x$sub_table[least], ". A rule that asks for a width of beta
      excludes every sub-table with a smaller one; several together can be worse than each alone.")
  )
}

story.sdc_width <- function(x) {
  c(
    paste0("Over ", plural(length(x$cells$lower), "cell"), " at risk the narrowest interval of the
      release has a width of ", width_words(x$inner, x$outer), "."),
    if (x$exact) {
      "This is exact: the release satisfies a rule up to this width, and none beyond."
    } else {
      "A rule up to the lower figure is satisfied, one beyond the upper figure is broken; between
       them it is open."
    }
  )
}

# ---- server -------------------------------------------------------------------------------------

story.sdc_server <- function(x) {
  if (is.null(x$store$con)) {
    return("The server is closed; its decisions stay in the store.")
  }
  refresh_server(x)
  c(
    paste0("After ", plural(x$store$seq, "decision"), ", ",
           format_count(below_sets(x, server_frontier(x))), " of ", sets_words(x), " sub-tables",
           " are released."),
    "Each request is judged together with all that was released before; every decision is stored
     before it is answered, and cannot be taken back."
  )
}

story.sdc_server_policy <- function(x) {
  c(
    paste0("Eligible for release: ", policy_rule_words(x), ". The rule of risk: ", format(x$risk),
           "."),
    paste0("Where time does not suffice to decide, the sub-table is ",
           c(refuse = "refused", release = "released")[[x$undecided]], "."),
    if (is.finite(x$max_risk_refusals)) {
      paste0("At most ", plural(x$max_risk_refusals, "sub-table is", "sub-tables are"),
             " refused for risk, because refusals can tell something about the table.")
    } else if (x$rule == "envelope") {
      "Which sub-tables can be released is fixed before the first request."
    } else {
      "Refusals can tell something about the table; audit() computes what, for small tables."
    }
  )
}

story.sdc_metadata <- function(x) {
  labelled <- sum(vapply(x$variables, function(one) !is.null(one$label), NA))
  c(
    paste0("These are the words with which a table server shows its table: \"", x$title[[1]],
           "\", in ", plural(length(x$languages), "language"), ", with labels of ",
           plural(labelled, "variable"), "."),
    "They hold no counts, and may be changed at any time without a change of the store."
  )
}

story.sdc_server_plan <- function(x) {
  c(
    paste0("A server with this plan will release ",
           format_count(x$n_sub_tables), " of ", sets_words(x$release$problem), " sub-tables",
           ", whoever asks for them and in whatever order, and nothing else."),
    if (x$guarantee == "self-consistent") {
      "The envelope is self-consistent: whoever knows how it was chosen learns no more than the
       server promises, beyond what the one-way tables tell."
    } else {
      "The envelope is one message that depends on the counts: its tables together are safe, and
       whoever knows how it was chosen may learn more."
    }
  )
}

story.sdc_answer <- function(x) {
  c(
    paste0("Decision ", format_count(x$seq), ": ", format(x)[1], "."),
    switch(
      x$outcome,
      released = , recorded = "It is released for ever, and all its margins with it.",
      already = "An earlier release contains it, so nothing new is disclosed.",
      refused = "What was released before stays released.",
      projected = "Parts of it were released before, and are given instead.",
      coarser = "A coarser sub-table is released in its place.",
      "It is decided when enough requests have come."
    )
  )
}

story.sdc_what_if <- function(x) {
  c(
    paste0("If it were requested, ", margin_label(x$variables), " would be judged: ", x$verdict,
           "."),
    paste0("Sub-tables that would be released with it: ", format_count(length(x$released)),
           "; that could no longer be released: ", format_count(length(x$unreleasable)), "."),
    "Nothing was decided: the ledger is unchanged."
  )
}

story.sdc_server_audit <- function(x) {
  c(
    paste0("The ledger holds ", plural(x$decisions, "decision"), ", chained by hashes; the chain is
      intact."),
    if (x$verified) {
      "What is released was checked again and is VERIFIED."
    } else if (x$refuted_release) {
      "What is released is NOT SAFE."
    } else {
      "What is released could NOT be VERIFIED."
    },
    paste0(plural(x$refused, "sub-table was", "sub-tables were"), " refused for risk; for ",
           format_count(x$refuted), " it is proved that releasing would have broken the rule.")
  )
}

story.sdc_policy_audit <- function(x) {
  c(
    paste0(plural(x$n_margins_only, "table"), " agree with the released margins, and ",
           format_count(x$n_policy_aware), " of them also with the answers, for a reader who knows
      the policy."),
    paste0("For that reader ", format_count(sum(x$cells$broken)), " of ",
           plural(nrow(x$cells), "cell"), " at risk have intervals narrower than ",
           format_count(x$beta), "."),
    "The difference between the two numbers is what answers tell beside the tables."
  )
}

story.sdc_store <- function(x) {
  c(
    paste0("The store holds ", plural(x$seq, "decision"), " with ", plural(x$release_no, "release"),
           ", and ", plural(length(x$refused), "sub-table"), " refused for risk."),
    "Each row contains the hash of the row before it, so that changes show."
  )
}
