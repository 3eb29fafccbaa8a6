# Cycles, mechanisms, what they draw, posteriors, and designs and methods compared, in words.

# ---- cycles and mechanisms ----------------------------------------------------------------------

story.sdc_cycles <- function(x) {
  margins <- toString(vapply(x$preserves, margin_name, ""))
  met <- cycles_of_cells(x)
  least_most <- paste(unique(format_count(range(met))), collapse = " to ")
  kept <- if (nzchar(margins)) say(", so that these margins stay as they are: {margins}") else ""
  idle <- sum(met == 0)
  none <- if (idle > 0) say("; {idle} cell{?s} {?lies/lie} on none and cannot change") else ""
  say(
    "A set of {length(x)} cycle{?s} on a table of {shape_words(dimnames(x))}. Each adds to some
     cells and takes as much from others{kept}.",
    if (!is.null(x$layout) && x$totals_kept) "They move counts only between levels that lie in the
      same totals of {layout_words_of(x$layout)}, so that every published total stays as it is.",
    if (!is.null(x$layout) && !x$totals_kept) "Some published totals of trees or crossings change
      with the cells: changed_totals() lists them.",
    "A cell lies on {least_most} of the cycles{none}.",
    "The more cycles pass through a cell, the further it can move, and the wider is the interval in
     which readers must place the original."
  )
}

# How many cycles pass through each cell.
cycles_of_cells <- function(x) tabulate(expand_cycles(x)$cell, prod(dim(x)))

cell_story.sdc_cycles <- function(x, cell) {
  one <- function(at) {
    n <- cycles_of_cells(x)[at]
    all <- expand_cycles(x)
    most <- n * max(0, abs(all$coefficient[all$cell == at]))
    say(
      if (n == 0) "{n} cycles pass through this cell, so it cannot change." else
        if (skips_zeros(x)) "{n} cycle{?s} {?passes/pass} through this cell where no count is zero;
          where some are, other cycles may." else "{n} cycle{?s} {?passes/pass} through this cell:
          in one cover of the set it can change by at most {most}.",
      if (n > 0) "Other cells of the same cycles balance every change, so that the margins stay."
    )
  }
  explain_one(x, cell, dimnames(x), one, cycles_on_total(x), x$layout)
}

cycles_on_total <- function(set) {
  function(cells) {
    n <- cycles_that_change(set, cells)
    say(if (n > 0) "{n} cycle{?s} {?changes/change} it." else "No cycle changes it: what one cell of
      the total gains another one loses, or both lie outside.")
  }
}

# How many cycles change the sum of some cells.
cycles_that_change <- function(set, cells) {
  all <- expand_cycles(set)
  cycle <- rep(seq_len(length(set)), diff(all$start))
  inside <- all$cell %in% cells
  sum(rowsum(as.numeric(all$coefficient[inside]), cycle[inside]) != 0)
}

story.sdc_mechanism <- function(x) {
  zero_rule <- if (skips_zeros(x$cycles)) "skipping" else x$zero_rule
  say(
    "In each of {step_count(x)} step{?s} a cycle is added with probability {span(x$alpha)},
     subtracted with probability {span(x$beta)}, and otherwise left alone: a step asks for a move
     with probability {span(x$alpha + x$beta)}.",
    if (isTRUE(all.equal(x$alpha, x$beta))) "Adding and subtracting are equally likely, so no count
      is biased before the zero rule acts." else "Adding and subtracting are not equally likely, so
      single steps are biased.",
    switch(
      zero_rule,
      skipping = "Steps of this set reach over zeros to the next count: zeros stay zeros, and
        readers know it.",
      blocked = "Under the zero rule \"blocked\" a cycle that meets a zero does not move: zeros stay
        zeros, and readers know it.",
      nonnegative = "Under the zero rule \"nonnegative\" only steps that would make a count negative
        are left out: zeros can become positive, and positive counts zero.",
      "This zero rule is for analysis only: perturb() refuses it."
    ),
    "The mechanism is published with the table; what stays secret is how each step fell out."
  )
}

cell_story.sdc_mechanism <- function(x, cell) {
  one <- function(at) {
    say("All steps together can change this cell by at most {mechanism_reach(x)[at]}: a reader knows
         that the original lies within that distance of the published count.")
  }
  set <- x$cycles
  explain_one(x, cell, dimnames(set), one, cycles_on_total(set), set$layout)
}

# ---- what was drawn -----------------------------------------------------------------------------

story.sdc_perturbation <- function(x) {
  change <- abs(dense_counts(x$published) - dense_counts(x$original))
  say(
    "{sum(change > 0)} of {length(change)} cell{?s} were changed, by {format_mean(mean(change))} per
     cell on average and by {max(0, change)} at most.",
    if (isTRUE(x$mechanism$cycles$totals_kept)) "All published totals of the trees and crossings are
      as before.",
    "All margins of the set of cycles are as before. The object holds the original table: publish()
     makes what may leave."
  )
}

cell_story.sdc_perturbation <- function(x, cell) {
  one <- function(at) {
    n <- dense_counts(x$original)[at]
    shown <- dense_counts(x$published)[at]
    c(
      say(if (n == shown) "The count {n} is published as it is." else
        "The count {n} is published as {shown}."),
      if (skips_zeros(x$mechanism$cycles)) "The steps of this set reach over zeros to the next
        count, so that which of them met the cell depends on the counts that they found; all margins
        of the set are as before." else moves_words(moves_of_cell(x, at), n, x$mechanism)
    )
  }
  total <- function(cells) {
    c(say("It is {sum(dense_counts(x$original)[cells])} in the original."),
      published_total_words(x$published, x$mechanism$cycles, cells))
  }
  explain_one(x, cell, x$published$dimnames, one, total, x$published$layout, closed = TRUE)
}

# Steps whose cycles pass through the cell, and what each did to it.
moves_of_cell <- function(x, at) {
  all <- expand_cycles(x$mechanism$cycles)
  of_cycle <- rep(seq_len(length(x$mechanism$cycles)), diff(all$start))
  here <- all$cell == at
  coefficient <- numeric(length(x$mechanism$cycles))
  coefficient[of_cycle[here]] <- all$coefficient[here]
  cycle <- steps_of(x$mechanism)
  through <- which(coefficient[cycle] != 0)
  x$coefficients[through] * coefficient[cycle[through]]
}

moves_words <- function(moves, n, mechanism) {
  if (length(moves) == 0) {
    return("No cycle passes through it, so it cannot change.")
  }
  rule <- c(blocked = "it would have met a zero",
            nonnegative = "a count would have become negative")[[mechanism$zero_rule]]
  say(
    "{length(moves)} step{?s} of the mechanism {?passes/pass} through it: {sum(moves > 0)} raised
     it, {sum(moves < 0)} lowered it, {sum(moves == 0)} did nothing (by its coin, or because
     {rule}).",
    if (n == 0 && mechanism$zero_rule == "blocked") "A zero stays a zero under this rule.",
    "Each step moves the same amount into and out of every line of its cycle, so that all margins
     of the set are as before."
  )
}

# What the readers of a perturbed table see of a total, and know.
published_total_words <- function(table, set, cells) {
  say(
    "Published as {sum(dense_counts(table)[cells])}.",
    if (cycles_that_change(set, cells) == 0) "No cycle changes it, so this is the original total:
      every reader knows it." else "Cycles change it, so the original total may be another one."
  )
}

story.sdc_publication <- function(x) {
  reach <- unique(format_count(range(mechanism_reach(x$mechanism))))
  within <- paste(reach, collapse = " to ")
  say(
    "A perturbed table with the total {sum(x$table)}, and the mechanism that perturbed it.",
    if (isTRUE(x$mechanism$cycles$totals_kept)) "Its cells are perturbed. Every total of its trees
      and crossings is the original one.",
    if (length(reach) > 1) "Each original count lies within {within} of the published one, depending
      on the cell." else "Each original count lies within {within} of the published one.",
    "posterior() computes how probable each original count is, for a reader with a given prior."
  )
}

cell_story.sdc_publication <- function(x, cell) {
  one <- function(at) {
    shown <- dense_counts(x$table)[at]
    reach <- mechanism_reach(x$mechanism)[at]
    positive <- if (x$mechanism$zero_rule == "blocked" && shown > 0) {
      " A published positive count was positive before."
    } else {
      ""
    }
    c(
      say("Published as {shown}; all steps together can move it by at most {reach}.{positive}"),
      released_words(x, at)[1],
      "Who uses the whole mechanism can know more, and how probable each count is: posterior()."
    )
  }
  total <- function(cells) published_total_words(x$table, x$mechanism$cycles, cells)
  explain_one(x, cell, x$table$dimnames, one, total, x$table$layout, closed = TRUE)
}

story.sdc_posterior <- function(x) {
  published <- per_cell(x, function(laws, change) laws[change == 0, ], untouched = 1)
  known <- sum(per_cell(x, function(laws, change) largest(laws), untouched = 1) > 1 - 1e-12)
  say(
    "For each of {length(x$law)} cell{?s}, the probability of each original count for a reader who
     knows the mechanism and has this prior: {format(x$prior)}.",
    "The published count is the original with probability {format(mean(published), digits = 3)} on
     average.",
    if (known == 0) "No cell is known for certain." else "{known} cell{?s} {?is/are} known for
      certain: the mechanism cannot have changed them."
  )
}

cell_story.sdc_posterior <- function(x, cell) {
  table <- x$publication$table
  one <- function(at) {
    s <- as.data.frame(summary(x, cells = at, level = 1))
    c(
      say("Published as {s$published}. By the mechanism and the prior ({format(x$prior)}) the
           original was {law_words(s)}."),
      if (x$method == "montecarlo") drawn_words(x) else if (s$lower == s$upper) "Every original
        that the mechanism could have led to this table has this count." else say("Each possible
        original of the table counts by the probability that the steps of the mechanism lead from it
        to what is published; what is left open amounts to {format(s$entropy, digits = 3)} bits.")
    )
  }
  total <- function(cells) published_total_words(table, x$publication$mechanism$cycles, cells)
  explain_one(x, cell, shown_labels(x), one, total, table$layout)
}

story.sdc_prior <- function(x) {
  say(
    "The prior is {format(x)}: what a reader holds for probable before the publication.",
    if (is_uniform(x)) "All tables are equally likely a priori, so the posterior shows what the
      publication alone tells." else "The posterior combines it with what the publication tells."
  )
}

story.sdc_readers <- function(x) {
  names <- attr(x, "readers")
  number <- function(v) format(v, digits = 3)
  say(
    "The posteriors of {length(names)} readers ({toString(names)}) in {nrow(x)} cell{?s}.",
    "The distance of their laws is {number(mean(x$distance))} on average and
     {number(max(x$distance))} at most: 0 where the readers agree, 1 where no count is possible for
     both.",
    "Where the distance is large, prior knowledge matters more than the publication."
  )
}

# ---- designs and methods ------------------------------------------------------------------------

story.sdc_protection <- function(x) {
  share <- ifelse(is.na(x$expected), "none there", percent(x$expected))
  say(
    "Before the draw: of the small cells (1, 2) {share[1]} are expected to change, of all non-zero
     cells {share[2]}; {share[3]} of the moves are prevented by the zero rule.",
    "The shares are averages over {paste(attr(x, 'replicates'))} simulated runs.",
    "Many prevented moves mean that much of the noise never reaches the table."
  )
}

story.sdc_risk <- function(x) {
  figure <- figure_words(x)
  say(
    "Risk: {figure('unchanged_small')} of the small cells ({paste(x$small, collapse = ', ')}) stay
     as they are, and an intruder's best guess is right for {figure('guess_small')} of them;
     {figure('certain_small')} are known for certain.",
    "Utility: a cell changes by {figure('abs_change')} on average, and log odds ratios by
     {figure('log_odds')}.",
    "Both are averages over publications of this table by this design. A design is better where both
     risk and change are smaller; usually one costs the other."
  )
}

cell_story.sdc_risk <- function(x, cell) {
  one <- function(at) {
    own <- lapply(x$cells, function(v) if (length(v) >= at) v[at])
    say(
      "The count {dense_counts(x$original)[at]} is published unchanged with probability
       {share_words(own$unchanged)}; it changes by {share_words(own$abs_change)} on average.",
      if (is.numeric(own$guess) && !is.na(own$guess)) "An intruder's best guess of it is right with
        probability {share_words(own$guess)}."
    )
  }
  explain_one(x, cell, dimnames(x$original), one)
}

story.sdc_tuning <- function(x) {
  best <- sum(x$designs$frontier)
  say(
    "Of {nrow(x$designs)} design{?s}, {best} {?lies/lie} on the frontier of risk
     ({figure_titles[[x$risk]]}) and loss ({figure_titles[[x$loss]]}).",
    "A design on the frontier is beaten by no other in both; every design beside it is worse than
     one of these in one figure and no better in the other.",
    "Choose the least loss among the designs whose risk you accept."
  )
}

story.sdc_comparison <- function(x) {
  best <- function(measure) {
    own <- x$measures[x$measures$measure == measure & !is.na(x$measures$value), ]
    if (nrow(own) > 0) {
      paste0(own$method[which.min(own$value)], " (", format_number(min(own$value)), ")")
    }
  }
  guess <- best("guess_small")
  change <- best("abs_change")
  say(
    "{length(x$methods)} method{?s} on one table of {x$shape}, judged by the same intruder and the
     same user.",
    if (!is.null(guess)) "The intruder's best guess of a small cell is least probable under
      {guess}.",
    if (!is.null(change)) "Cells change least under {change}.",
    "No method is best in everything: read the risk beside the loss, as plot() draws them."
  )
}

story.sdc_method <- function(x) {
  say(
    "The method \"{x$label}\" for compare_methods(), which runs it beside others on the same
     table.",
    if (x$random) "It draws, so that each publication differs; several are averaged." else
      "It draws nothing: the same table always gives the same publication."
  )
}
