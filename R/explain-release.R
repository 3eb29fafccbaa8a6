# Releases, their checks and the table server, in words.

story.sdc_release <- function(x) {
  say(
    "{x$n_sub_tables} of {sets_words(x$problem)} sub-tables may be released; {length(x$frontier)} of
     them {?implies/imply} all others, for a table determines its margins.",
    "The rule: {format(x$risk)}. The guarantee: {x$guarantee}.",
    if (isTRUE(x$optimal)) "It is proved that no release of its class is worth more." else
      "A better release may exist.",
    "The object holds the full table: publish() makes what may leave."
  )
}

story.sdc_release_publication <- function(x) {
  problem <- publication_space(x)
  tables <- frontier_words(names(x$tables))
  say(
    "{sum(count_inside(problem, x$sets)[-1])} of {sets_words(problem)} sub-tables are published, as
     {length(x$tables)} maximal table{?s}: {tables}.",
    "They were chosen by this rule: {x$rule}.",
    "Every other released sub-table is a margin of one of these."
  )
}

story.sdc_release_risk <- function(x) {
  say(
    "This is the rule that a release must satisfy: {format(x)}.",
    if (inherits(x, "sdc_risk_width")) "The width of a cell is its upper minus its lower bound given
      all that is released; a small one tells a reader the count nearly." else "The rule judges each
      sub-table by itself; it does not see what several of them tell together."
  )
}

story.sdc_release_utility <- function(x) {
  say("The worth of a release is measured by its {format(x)}: a search prefers releases that are
       worth more.")
}

story.sdc_release_structure <- function(x) {
  how <- if (x$decomposable) "each of them released: the release is decomposable." else
    if (x$reducible) "not all of them released: the release is reducible."
  parts <- say("The {length(x$frontier)} maximal margin{?s} of {length(x$variables)} variable{?s}
                fall apart into {length(x$components)} component{?s}")
  c(
    paste0(parts, if (is.null(how)) ": the release is irreducible." else paste0(", ", how)),
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
  narrowest <- if (is.na(x$width)) "" else say("; the narrowest that was found is {x$width}")
  say(
    if (x$verified) "The release is VERIFIED, by code that shares nothing with the search that chose
      it." else if (x$refuted) "The release is NOT SAFE: bounds prove that it breaks the rule." else
      "The release is NOT VERIFIED: it need not be unsafe, but the check does not prove it safe.",
    if (!is.na(x$beta)) "{x$n_cells} cell{?s} at risk must have intervals at least {x$beta} wide,
      given {x$n_margins} released margin{?s}{narrowest}.",
    if (x$n_failed > 0) "The check fails for {x$n_failed}: {x$fault}."
  )
}

story.sdc_certificates <- function(x) {
  say(
    "For each of {length(x$target)} cell{?s} at risk two tables that have all released margins and
     differ at the cell, as {length(x$cell)} difference{?s} from the original.",
    "Nobody can tell these tables from the original by the release, so the interval of the cell
     holds both counts."
  )
}

story.sdc_sub_tables <- function(x) {
  sums <- as.list(colSums(x$by_dimension[-1, -1, drop = FALSE]))
  say(
    "Of the {sums$total} sub-tables of {length(x$variables)} variable{?s} these are released:
     {sums$released}; can no longer be released: {sums$unreleasable}; open: {sums$open}.",
    "A released sub-table releases all its margins; one that is too risky makes all larger ones
     too risky as well."
  )
}

story.sdc_critical_widths <- function(x) {
  say(
    "For each of {nrow(x)} sub-table{?s}, how narrow the narrowest interval of a cell at risk
     becomes when it alone is released: from {min(x$width)} to {max(x$width)}.",
    "The most dangerous is {x$sub_table[which.min(x$width)]}. A rule that asks for a width of beta
     excludes every sub-table with a smaller one; several together can be worse than each alone."
  )
}

story.sdc_width <- function(x) {
  say(
    "Over {length(x$cells$lower)} cell{?s} at risk the narrowest interval of the release has a width
     of {width_words(x$inner, x$outer)}.",
    if (x$exact) "This is exact: the release satisfies a rule up to this width, and none beyond."
    else "A rule up to the lower figure is satisfied, one beyond the upper figure is broken; between
       them it is open."
  )
}

# ---- server -------------------------------------------------------------------------------------

story.sdc_server <- function(x) {
  if (is.null(x$store$con)) {
    return("The server is closed; its decisions stay in the store.")
  }
  refresh_server(x)
  say(
    "After {x$store$seq} decision{?s}, {below_sets(x, server_frontier(x))} of {sets_words(x)}
     sub-tables are released.",
    "Each request is judged together with all that was released before; every decision is stored
     before it is answered, and cannot be taken back."
  )
}

story.sdc_server_policy <- function(x) {
  undecided <- c(refuse = "refused", release = "released")[[x$undecided]]
  say(
    "Eligible for release: {policy_rule_words(x)}. The rule of risk: {format(x$risk)}.",
    "Where time does not suffice to decide, the sub-table is {undecided}.",
    if (is.finite(x$max_risk_refusals)) "At most {x$max_risk_refusals} sub-table{?s} {?is/are}
      refused for risk, because refusals can tell something about the table." else
      if (x$rule == "envelope") "Which sub-tables can be released is fixed before the first
        request." else "Refusals can tell something about the table; audit() computes what, for
        small tables."
  )
}

story.sdc_metadata <- function(x) {
  labelled <- sum(vapply(x$variables, function(one) !is.null(one$label), NA))
  say(
    "These are the words with which a table server shows its table: \"{x$title[[1]]}\", in
     {length(x$languages)} language{?s}, with labels of {labelled} variable{?s}.",
    "They hold no counts, and may be changed at any time without a change of the store."
  )
}

story.sdc_server_plan <- function(x) {
  say(
    "A server with this plan will release {x$n_sub_tables} of {sets_words(x$release$problem)}
     sub-tables, whoever asks for them and in whatever order, and nothing else.",
    if (x$guarantee == "self-consistent") "The envelope is self-consistent: whoever knows how it was
      chosen learns no more than the server promises, beyond what the one-way tables tell." else
      "The envelope is one message that depends on the counts: its tables together are safe, and
       whoever knows how it was chosen may learn more."
  )
}

story.sdc_answer <- function(x) {
  c(
    say("Decision {x$seq}: {format(x)[1]}."),
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
  say(
    "If it were requested, {margin_label(x$variables)} would be judged: {x$verdict}.",
    "Sub-tables that would be released with it: {length(x$released)}; that could no longer be
     released: {length(x$unreleasable)}.",
    "Nothing was decided: the ledger is unchanged."
  )
}

story.sdc_server_audit <- function(x) {
  say(
    "The ledger holds {x$decisions} decision{?s}, chained by hashes; the chain is intact.",
    if (x$verified) "What is released was checked again and is VERIFIED." else
      if (x$refuted_release) "What is released is NOT SAFE." else
        "What is released could NOT be VERIFIED.",
    "{x$refused} sub-table{?s} {?was/were} refused for risk; for {x$refuted} it is proved that
     releasing would have broken the rule."
  )
}

story.sdc_policy_audit <- function(x) {
  say(
    "{x$n_margins_only} table{?s} agree with the released margins, and {x$n_policy_aware} of them
     also with the answers, for a reader who knows the policy.",
    "For that reader {sum(x$cells$broken)} of {nrow(x$cells)} cell{?s} at risk have intervals
     narrower than {x$beta}.",
    "The difference between the two numbers is what answers tell beside the tables."
  )
}

story.sdc_store <- function(x) {
  say(
    "The store holds {x$seq} decision{?s} with {x$release_no} release{?s}, and {length(x$refused)}
     sub-table{?s} refused for risk.",
    "Each row contains the hash of the row before it, so that changes show."
  )
}
