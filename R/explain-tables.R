# Tables, what is released of them, bounds, the tables that agree, and rounded tables, in words.

story.sdc_table <- function(x) {
  cells <- prod(dim(x))
  zero <- cells - length(x$counts)
  small <- sum(x$counts %in% 1:2)
  shape <- paste(dim(x), collapse = " x ")
  say(
    "The table counts {sum(x)} unit{?s} in {cells} cell{?s}, {shape} levels of
     {toString(names(x$dimnames))}.",
    "{zero} cell{?s} {?is/are} zero, and {small} {?has/have} a count of 1 or 2.",
    "Small counts are what methods of disclosure limitation protect: each describes few people."
  )
}

cell_story.sdc_table <- function(x, cell) {
  one <- function(at) {
    n <- dense_counts(x)[at]
    c(
      if (sum(x) > 0) say("The count is {n}, {percent(n / sum(x))} of the total of {sum(x)}.") else
        say("The count is {n}."),
      if (n == 0) "A zero says that nobody is in this cell, which can disclose something, too.",
      if (n %in% 1:2) "A count this small lets people recognise whom it describes."
    )
  }
  total <- function(cells) say("It is {sum(dense_counts(x)[cells])}.")
  explain_one(x, cell, x$dimnames, one, total, x$layout)
}

story.sdc_margins <- function(x) {
  labels <- as_constraints(x)$dimnames
  entries <- sum(vapply(x, function(m) prod(dim(m)), 0))
  say(
    "Sums of a table of {shape_words(labels)} were released: {paste(names(x), collapse = '; ')}.",
    "They have {entries} {?entry/entries}, while the table has {prod(lengths(labels))} cell{?s}.",
    "Many tables can have these margins: count_tables() counts them, and bounds_margins() finds the
     interval of each cell over them."
  )
}

cell_story.sdc_margins <- function(x, cell) {
  explain_one(x, cell, as_constraints(x)$dimnames, function(at) released_words(x, at))
}

story.sdc_constraints <- function(x) {
  exact <- sum(x$rows$lower == x$rows$upper)
  say(
    "What a reader knows about a table of {shape_words(x$dimnames)}, as
     {length(x$rows$lower)} sum{?s} of cells with limits; {exact} of them are known exactly.",
    "A table agrees with the release exactly when all these sums lie within their limits and no
     count is negative."
  )
}

cell_story.sdc_constraints <- function(x, cell) {
  explain_one(x, cell, x$dimnames, function(at) released_words(x, at))
}

# What a release says of a cell, or of a total that a frame of labels names.
released_words <- function(x, at) bound_words(bounds_margins(x, cells = at, progress = FALSE), 1)

story.sdc_intervals <- function(x) {
  reach <- attr(x, "reach")
  paste0("Each true count lies between ", reach[1], " below and ", reach[2],
         " above the published one. constraints() takes these intervals as what is known.")
}

story.sdc_bounds <- function(x) {
  width <- x$upper - x$lower
  if (length(width) == 0) {
    return("It holds bounds of 0 cells.")
  }
  known <- sum(width == 0)
  say(
    "For {length(width)} cell{?s}, the least and the largest count that agree with what was
     released: the intervals are {min(width)} to {max(width)} wide.",
    if (known > 0) "{known} cell{?s} {?is/are} known exactly." else "No cell is known exactly.",
    if (all(x$sharp)) "All intervals are sharp: some table attains each end, so no reader can know
      more from the release alone." else "The intervals of {sum(x$sharp)} of them are sharp; the
      others contain the sharp one."
  )
}

cell_story.sdc_bounds <- function(x, cell) {
  one <- function(at) {
    k <- match(at, combine_codes(x$codes, lengths(x$dimnames, FALSE), length(x$lower)))
    if (is.na(k)) abort_no_such_cell("bounds", "There are no bounds for", at, x)
    bound_words(x, k)
  }
  explain_one(x, cell, x$dimnames, one)
}

abort_no_such_cell <- function(what, none, at, x) {
  abort_sdc("input", c("{.arg cell} must be one of the cells that have {what}.",
                       x = "{none} {cell_words(at, x$dimnames)}."))
}

# Of the k-th cell that has bounds.
bound_words <- function(x, k) {
  certified <- inherits(x$certificates, "sdc_bounds_certificates")
  why <- if (certified) c(certificate_words(x, k), unattained_words(x, k))
  reason <- if (certified) NA else reason_words(x, k, 1)
  c(
    paste0("What was released leaves the count ", interval_words(x$lower[k], x$upper[k]),
           if (!is.na(reason)) paste0(", ", reason), "."),
    why,
    if (!x$sharp[k]) "The sharp interval lies inside this one." else if (x$upper[k] < Inf)
      "Both bounds are attained by some table, so the release alone reveals nothing more about this
       cell." else "Some table attains the lower bound, and tables have counts as large as one
       likes, so the release alone reveals nothing more about this cell."
  )
}

story.sdc_disclosed <- function(x) {
  width <- attr(x, "width")
  all <- attr(x, "n")
  say(
    if (width == 0) "{nrow(x)} of {all} cell{?s} can be computed from the release exactly." else
      "{nrow(x)} of {all} cell{?s} can be computed from the release to within {width}.",
    if (nrow(x) == 0) "So the release alone discloses none of them that closely." else
      if (width > 0) "Whoever reads the release knows these counts that closely; the column
        `reason` names the sums from which they follow." else "Whoever reads the release knows these
        counts; the column `reason` names the sums from which they follow."
  )
}

# ---- the tables that agree ----------------------------------------------------------------------

story.sdc_count <- function(x) {
  c(
    paste0("The number is ", format(x), if (x$exact) ", exact to the last digit", "."),
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
  say(
    "The number of tables is {format(x)}, from {x$n_draws} draw{?s}.",
    "These are worth {round(x$effective)} equally weighted draws. The true number lies within two
     standard errors in about 95 of 100 such estimates, where that number is large."
  )
}

story.sdc_fibre <- function(x) {
  width <- tabulate(x$law$at, length(x$cells))
  say(
    "For {length(width)} cell{?s}, the probability of each count when all {format(x$count)} tables
     that agree with the release are equally likely.",
    if (length(width) > 0) "A cell has from {min(width)} to {max(width)} possible counts;
      {sum(width == 1)} are known exactly.",
    "Readers who know more than the release have other probabilities: see posterior()."
  )
}

cell_story.sdc_fibre <- function(x, cell) {
  one <- function(at) {
    k <- match(at, x$cells)
    if (is.na(k)) abort_no_such_cell("a law", "There is none for", at, x)
    law <- lapply(x$law, `[`, x$law$at == k)
    mode <- which.max(law$probability)
    mean <- format_mean(sum(law$value * law$probability))
    say(
      "Over the {format(x$count)} tables that agree with the release the count is
       {interval_words(min(law$value), max(law$value))}, on average {mean}.",
      if (length(law$value) > 1) "The most frequent count is {law$value[mode]}, in
        {percent(law$probability[mode])} of them: the best guess of a reader to whom all are equally
        likely."
    )
  }
  explain_one(x, cell, x$dimnames, one)
}

story.sdc_tables <- function(x) {
  k <- length(dim(x))
  what <- names(dimnames(x))[k]
  say(
    "It holds {dim(x)[k]} table{?s} of {shape_words(dimnames(x)[-k])} that agree with a release,
     numbered along the dimension \"{what}\".",
    if (what == "draw") "Each was drawn with the same probability from all tables that agree,
      independently, so shares among them estimate shares of all." else "These are all that agree;
      the original is one of them."
  )
}

story.sdc_estimate <- function(x) {
  gap <- format(max(x$gap, 1e-9), digits = 2)
  say(
    "A fitted table with a total of {format_number(sum(x$table), 7)}: its sums are within {gap} of
     what was released.",
    "It assumes no more association between the variables than the released sums show, and is a
     user's best estimate; its cells are not the original counts."
  )
}

cell_story.sdc_estimate <- function(x, cell) {
  explain_one(x, cell, dimnames(x$table), function(at) {
    say(
      "The estimate is {format_number(x$table[at], 4)}.",
      "It was fitted: the cells of each released sum are scaled in turn, until all sums are as
       released, or within what was released of them. It says nothing about the cell beyond that."
    )
  })
}

story.sdc_conditionals <- function(x) {
  given <- if (length(x$given) > 0) paste(" given", toString(x$given)) else ""
  how <- if (is_exact(x)) "exact." else say("rounded to {x$digits} digit{?s}.")
  say(
    "Rates of {toString(x$response)}{given}: {length(x$scale)} row{?s} of rates that each add up to
     1, {how}",
    if (is_exact(x)) "Exact rates are fractions: the total of each row is a multiple of their least
      common denominator, which can disclose counts. bounds_conditional() computes how much." else
      "Rounded rates allow every fraction that rounds to them. bounds_conditional() computes what
       they disclose."
  )
}

# ---- rounding -----------------------------------------------------------------------------------

story.sdc_rounding <- function(x) {
  found <- summary(x)
  outside <- nrow(x$violations)
  say(
    "{multiples_words(x, 'counts and totals')}, and they add up.
     {round(found$changed * found$cells)} of {found$cells} cell{?s} were changed, by
     {format_mean(found$change)} per cell on average.",
    if (outside > 0) "{outside} cell{?s} or total{?s} {?lies/lie} outside of the two multiples
      next to the original: no rounding that adds up avoids it.",
    "The object holds the original table: publish() makes what may leave."
  )
}

story.sdc_rounded_publication <- function(x) {
  total <- if (is.null(x$crossings)) say(", with the total {sum(x$table)}") else ""
  say(
    "{multiples_words(x, 'published counts')}{total}.",
    if (x$method == "small") "A reader knows each count above the base, and that each other one lies
      near what is published: constraints() turns this into limits." else "A reader knows of each
      count that it lies near the published multiple: constraints() turns this into limits, and
      posterior_rounding() into probabilities."
  )
}

multiples_words <- function(x, what) {
  say(if (x$method == "small") "No published count or total is between 0 and {x$base}" else
    "All {what} are multiples of {x$base}")
}

story.sdc_rounding_posterior <- function(x) {
  cells <- summarise_laws(x)
  say(
    "For each of {nrow(cells)} cell{?s}, the probability of each original count for a reader who
     knows the {x$reader} and has this prior: {format(x$prior)}.",
    "The best guess of a cell is right with probability {format(mean(cells$p_mode), digits = 3)} on
     average, and {format_number(mean(cells$upper - cells$lower + 1))} counts are possible on
     average."
  )
}

cell_story.sdc_rounding <- function(x, cell) {
  one <- function(at) {
    n <- dense_counts(x$original)[at]
    shown <- dense_counts(x$rounded)[at]
    if (x$method == "small") small_words(n, shown, x$base) else rounded_words(n, shown, x)
  }
  total <- function(cells) {
    say("It is {sum(dense_counts(x$original)[cells])} in the original.",
        "Its rounded cells add up to {sum(dense_counts(x$rounded)[cells])}.")
  }
  explain_one(x, cell, x$rounded$dimnames, one, total, x$original$layout, closed = TRUE)
}

small_words <- function(n, shown, base) {
  say(if (n == 0 || n >= base) "The count {n} is not between 0 and {base} and stays." else
    if (shown == n) "The count {n} stays: no published number below {base} holds it." else
      "The count {n} is part of a published number below {base}. It became {shown}: the choice of
       the small counts that go up to {base} keeps the published totals near the original ones.")
}

rounded_words <- function(n, shown, x) {
  base <- x$base
  above <- n %% base
  low <- n - above
  if (n == low && shown == n) {
    return(say("The count {n} is a multiple of {base} and stays."))
  }
  if (shown < low || shown > low + base || n == low) {
    return(say("The count {n} became {shown}, which is no adjacent multiple of {base}: no additive
      rounding to adjacent multiples exists, and this one breaks the restriction least."))
  }
  way <- if (shown > n) "up" else "down"
  apart <- 2 * abs(shown - n)
  say(
    "The count {n} is no multiple of {base}; it went {way} to {shown}.",
    if (x$method == "stochastic") "Before the draw it had probability {above}/{base} to go up, so
      that its expectation is the count itself. It went together with other cells, around cycles
      that keep all released sums adding up." else
      if (apart < base) "This is its nearer multiple." else
        if (apart == base) "Both multiples are equally near; the sum of all distances is least."
        else "Its other multiple is nearer, but then the released sums would not add up, or other
           cells would move further: the sum of all distances is least."
  )
}

cell_story.sdc_rounded_publication <- function(x, cell) {
  labels <- x$table$dimnames
  if (!is.null(x$crossings)) {
    return(explain_one(x, cell, labels, function(at) linked_rounding_words(x, at, labels)))
  }
  one <- function(at) {
    shown <- dense_counts(x$table)[at]
    was <- around_cells(list(), shown, x)
    c(
      say("Shown as {shown}: {rounding_rule_words(x, shown)}, so it was
           {interval_words(was$lower, was$upper)}."),
      released_words(x, at)[1],
      if (x$method != "small") "Who uses how it was rounded can know more: posterior_rounding()."
    )
  }
  total <- function(cells) {
    c(say("Shown as {sum(dense_counts(x$table)[cells])}."), released_words(x, as_cell(cell))[1])
  }
  explain_one(x, cell, labels, one, total, new_layout(x$hierarchies, x$total_label))
}

rounding_rule_words <- function(x, shown) {
  say(if (x$method != "small") "rounding to base {x$base} moves a count by at most {x$reach}" else
    if (shown > x$base) "only counts below {x$base} changed, to 0 or {x$base}" else
      "counts below {x$base} became 0 or {x$base}")
}

# Of linked tables the cells are nodes, and only some of them are published.
linked_rounding_words <- function(x, at, labels) {
  cell <- list2data_frame(Map(`[`, labels, split_codes(at, lengths(labels, FALSE))), 1)
  c(say(if (at %in% linked_numbers(x)) "Shown as {dense_counts(x$table)[at]}." else
    "No crossing of the table publishes this cell."), released_words(x, cell)[1])
}

cell_story.sdc_rounding_posterior <- function(x, cell) {
  one <- function(at) {
    s <- as.data.frame(summary(x, cells = at))
    c(
      say("Shown as {s$rounded}. To a reader who knows the {x$reader} (prior: {format(x$prior)}) the
           original was {law_words(s)}."),
      if (!x$exact) drawn_words(x),
      say("What is left open amounts to {format(s$entropy, digits = 3)} bits.")
    )
  }
  explain_one(x, cell, shown_labels(x), one)
}
