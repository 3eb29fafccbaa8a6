# Maps and tables of magnitudes, what protects them and their cells, in words.

# ---- maps ---------------------------------------------------------------------------------------

story.sdc_hex <- function(x) {
  say(
    "A map of {length(x$q)} hexagon{?s} with data and {sum(x$count)} point{?s};
     {sum(x$count == 1)} of the hexagons hold one point.",
    "redistribute() moves counts between hexagons until none is below a threshold; sensitive() lists
     the hexagons that are."
  )
}

# `one(at)`: what there is to say of a hexagon of `map`.
explain_hexagon <- function(x, cell, one, map = x) {
  at <- one_hexagon(cell, map)
  new_explanation(paste0("hexagon q = ", map$q[at], ", r = ", map$r[at]), one(at), is_private(x))
}

cell_story.sdc_hex <- function(x, cell) {
  explain_hexagon(x, cell, function(at) {
    steps <- steps_apart(x$q - x$q[at], x$r - x$r[at])
    near <- sum(steps == 1)
    say(
      "The count is {x$count[at]}. Of the 6 hexagons beside it {near} {?has/have} data.",
      if (near == 0 && length(steps) > 1) "The nearest with data is {min(steps[-at])} step{?s}
       away."
    )
  })
}

story.sdc_hex_redistribution <- function(x) {
  or_none <- if (x$empty) " or none" else ""
  proved <- if (x$method == "optimal" && !x$empty) ": no filling takes fewer" else ""
  out <- nrow(x$suppressed)
  say(
    "Every hexagon with data now has a count of at least {x$threshold}{or_none}. This took mu =
     {x$mu} step{?s} over all counts that moved, by the method \"{x$method}\"{proved}.",
    if (out > 0) "{out} outlier{?s} {?was/were} suppressed, with {sum(x$suppressed$count)}
      count{?s}.",
    "The moves give the original back, so they stay with the agency: publish() makes what may
     leave."
  )
}

cell_story.sdc_hex_redistribution <- function(x, cell) {
  explain_hexagon(x, cell, map = x$original, function(at) {
    q <- x$original$q[at]
    r <- x$original$r[at]
    n <- x$original$count[at]
    now <- hex_after(x)[at]
    given <- x$moves[x$moves$from_q == q & x$moves$from_r == r, ]
    taken <- x$moves[x$moves$to_q == q & x$moves$to_r == r, ]
    suppressed <- any(x$suppressed$q == q & x$suppressed$r == r)
    c(
      say(if (n < x$threshold) "The count {n} is below the threshold of {x$threshold}: sensitive."
          else "The count {n} is not below the threshold of {x$threshold}."),
      if (suppressed) "It is an outlier, no data cell of others is near, and was suppressed.",
      moved_words("It took", taken, "from", taken$from_q, taken$from_r,
                  "counts that it needed"),
      moved_words("It gave", given, "to", given$to_q, given$to_r,
                  "least that mends the cells around it"),
      if (!suppressed) say(if (now == n) "It is shown as it is: {now}." else
        "It is shown as {now}.")
    )
  })
}

moved_words <- function(verb, moves, side, q, r, why) {
  if (nrow(moves) == 0) {
    return(NULL)
  }
  shown <- utils::head(paste0(format_count(moves$count), " ", side, " (", q, ", ", r, ")"), 5)
  left <- nrow(moves) - length(shown)
  more <- if (left > 0) paste(" and", left, "more") else ""
  say("{verb} {toString(shown)}{more}, over {sum(moves$count * moves$distance)} step{?s} in all, the
       {why}.")
}

story.sdc_hex_publication <- function(x) {
  say(
    "A map of {length(x$q)} hexagon{?s} with a total of {sum(x$count)}; every hexagon with data
     shows at least {x$threshold}.",
    "{sum(x$count == x$threshold)} hexagon{?s} {?shows/show} exactly {x$threshold}: these are the
     ones that may have been filled."
  )
}

cell_story.sdc_hex_publication <- function(x, cell) {
  explain_hexagon(x, cell, function(at) {
    say(
      "Shown as {x$count[at]}; every data cell is shown at {x$threshold} or above.",
      "A map without a sensitive cell is left as it is, so this may be the original: nobody can be
       certain that this cell was below the threshold. A cell at the threshold itself is likely to
       have been: attack() has the probabilities for small maps."
    )
  })
}

story.sdc_hex_risk <- function(x) {
  lines <- Map(function(label, unchanged, change, steps) {
    say("For {label}: {unchanged} of the cells are unchanged (R2, the risk), and a cell changes by
         {change} on average (U2); all moves together take {steps} step{?s} (U3).")
  }, x$overall$label, percent(x$overall$R2), format(x$overall$U2, digits = 3), x$overall$U3)
  c(unlist(lines), "Unchanged cells are a risk because their count is published as it was; steps and
    changes are what a user loses.")
}

story.sdc_hex_attack <- function(x) {
  most <- format(max(0, x$cells$sensitive), digits = 3)
  say(
    "From the published map and the method, a reader finds {x$n_originals} possible original{?s}.",
    if (nrow(x$cells) > 0) "A cell was sensitive (below {x$threshold}) with a probability of at most
      {most}, all originals being equally likely.",
    "The original count is certain in {sum(x$cells$certain)} cell{?s}."
  )
}

# ---- magnitudes ---------------------------------------------------------------------------------

story.sdc_magnitude <- function(x) {
  size <- diff(x$start)
  say(
    "Totals of {x$variable} in {length(x$cell)} cell{?s} with {length(x$value)} contribution{?s};
     {sum(size == 1)} of the cells have one contributor, {sum(size == 2)} have two.",
    "The total of one contributor is her value, and of two contributors each can subtract her own:
     sensitive() judges all cells by rules."
  )
}

story.sdc_weighted <- function(x) {
  size <- diff(x$start)
  say(
    "Estimates in {length(x$cell)} cell{?s} from {length(x$value)} respondent{?s};
     {sum(size == 1)} of the cells have one respondent, {sum(size == 2)} have two.",
    "suppress() hides the estimates of cells with few respondents. Who knows the weights may find
     out which respondents an estimate is made of: publish estimates in a coarse unit."
  )
}

story.sdc_rules <- function(x) {
  rules <- paste(sub("^[^:]*: ", "", format(x)), collapse = "; ")
  say(
    if (length(x) == 1) "A cell of a magnitude table is sensitive when this holds: {rules}." else
      "A cell of a magnitude table is sensitive when any of these holds: {rules}.",
    "At its limit a rule does not fire."
  )
}

story.sdc_sensitivity <- function(x) {
  status <- sum(x$sdcStatus == "u")
  labels <- attr(x, "sdc_rules")$label
  fired <- unlist(split_labels(x$rules[nzchar(x$rules)]))
  cells <- vapply(labels, function(label) say("{sum(fired == label)} cell{?s}"), "")
  each <- paste0(labels, " fires in ", cells, collapse = ", ")
  say(
    if (status == 1) "{status} of {nrow(x)} cell{?s} is sensitive by the rules: {each}." else
      "{status} of {nrow(x)} cell{?s} are sensitive by the rules: {each}.",
    "The totals of sensitive cells let somebody estimate a contributor too closely: suppress() or
     redistribute() protects them."
  )
}

cell_story.sdc_sensitivity <- function(x, cell) {
  at <- one_row(cell, x)
  new_explanation(row_label(x, at), sensitivity_words(x, at), is_private(x))
}

sensitivity_words <- function(x, at) {
  rules <- attr(x, "sdc_rules")
  fired <- rules$label %in% split_labels(x$rules[at])[[1]]
  held <- plain_number(round(x$share1[at], 2))
  share <- if (is.na(x$share1[at])) "" else say(if (is.null(x$absolute)) ", of which the largest
    holds {held} %" else ". The largest holds {held} % of the sum of absolute values")
  c(
    say("{x$count[at]} contributor{?s}; the total is {plain_number(x$total[at])}{share}."),
    if (any(fired)) paste0("Sensitive by ", format(rules)[fired], ".") else "No rule fires.",
    remedy_words(x$needed[at], plain_number(x$total[at] + x$upper[at]), isTRUE(x$upper[at] > 0))
  )
}

# What would protect the cell. Changed values of its contributors do not where they are too few;
# another total in the place of the true one still may.
remedy_words <- function(needed, safe, has_level) {
  say(
    if (needed > 0) "It has {needed} contributor{?s} too few: the rules fire whatever its
      contributors hold.",
    if (has_level && needed > 0) "So it must be withheld, or another total be shown in its place:
      one published at {safe} or above would not give the largest contributor away.",
    if (has_level && needed == 0) "A total published at {safe} or above would keep the largest
      contributor safe."
  )
}

story.sdc_magnitude_redistribution <- function(x) {
  change <- x$cells$change
  share <- percent(sum(abs(change)) / sum(abs(x$cells$true)))
  say(
    "{sum(change != 0)} of {length(change)} total{?s} were changed, in all by {share} of the grand
     total, by the method \"{x$method}\".",
    if (x$audit$failures > 0) "The audit counts {x$audit$failures} failure{?s}: NOT PROTECTED." else
      "The audit found no estimate of a largest contributor within {plain_number(x$audit$p)} %.",
    "The object holds the original table: publish() makes what may leave."
  )
}

cell_story.sdc_magnitude_redistribution <- function(x, cell) {
  judged <- sensitive(x$original, x$rules)
  at <- one_row(cell, judged)
  row <- x$cells[at, ]
  off <- paste(plain_number(abs(row$change)), if (row$change > 0) "more" else "less")
  why <- if (x$method == "iterative") step_words(x$moves, row$cell) else if (row$change != 0) say(
    if (nzchar(judged$rules[at])) "It was sensitive: the change keeps estimates of its largest
      contributor away from the true value." else "It is not sensitive: it makes up for the changes
      of sensitive cells, so that totals stay."
  )
  new_explanation(row_label(judged, at), c(
    sensitivity_words(judged, at),
    say(if (row$change == 0) "Its total is published as it is." else "Its total is published as
      {plain_number(row$published)}, {off} than it is."),
    why
  ), is_private(x))
}

step_words <- function(moves, cell) {
  words <- function(verb, own, side, others) {
    if (nrow(own) > 0) {
      kinds <- paste(unique(own$kind), collapse = " and ")
      say("It {verb} {plain_number(sum(own$value))} ({kinds}) {side} {length(unique(others))}
           neighbour{?s}.")
    }
  }
  given <- moves[moves$from == cell, ]
  taken <- moves[moves$to == cell, ]
  c(words("gave", given, "to", given$to), words("took", taken, "from", taken$from))
}

story.sdc_magnitude_publication <- function(x) {
  total <- format_count(sum(x$cells$total))
  say(
    "Published totals of {x$variable} in {length(x$cells$cell)} cell{?s}, {total} in all.",
    if (is.null(x$max_change)) "Each may differ from the true total; by how much is not said." else
      "Each lies within {plain_number(x$max_change)} of the true total."
  )
}

cell_story.sdc_magnitude_publication <- function(x, cell) {
  shown <- as.data.frame(x)
  variables <- names(x$dimnames)
  at <- one_row(cell, shown, variables)
  new_explanation(row_label(shown, at, variables), say(
    "The published total is {plain_number(shown$total[at])}.",
    if (is.null(x$max_change)) "Whether and how far it was changed is not published." else
      "No total was changed by more than {plain_number(x$max_change)}."
  ), is_private(x))
}

story.sdc_magnitude_audit <- function(x) {
  n <- x$counts
  say(
    "Of {n[['sensitive']]} sensitive cell{?s}, some reader of the published totals estimates the
     largest contributor within {plain_number(x$p)} % in {n[['exposed']]}: the second largest
     contributor in {n[['second']]}, an outsider in {n[['outsider']]}.",
    if (x$failures > 0) "With {x$failures} failure{?s} the table is NOT PROTECTED." else
      "So the changed totals protect them."
  )
}
