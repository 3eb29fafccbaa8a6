# Sets of cycles, mechanisms and what comes of them, in words.

story.sdc_cycles <- function(x) {
  kept <- vapply(x$preserves, margin_name, "")
  met <- cycles_of_cells(x)
  c(
    paste0("A set of ", plural(length(x), "cycle"), " on a table of ", shape_words(dimnames(x)),
           ". Each adds to some cells and takes as much from others",
           if (length(kept) > 0) {
             paste0(", so that these margins stay as they are: ", paste(kept, collapse = ", "))
           }, "."),
    totals_story(x),
    paste0("A cell lies on ", paste(unique(format_count(range(met))), collapse = " to "),
           " of the cycles",
           if (any(met == 0)) {
             paste0("; ", plural(sum(met == 0), "cell lies", "cells lie"),
                    " on none and cannot change")
           }, "."),
    "The more cycles pass through a cell, the further it can move, and the wider is the interval in
     which readers must place the original."
  )
}

# Nothing for a flat table.
totals_story <- function(x) {
  if (is.null(x$layout)) {
    return(NULL)
  }
  if (!x$totals_kept) {
    return("Some published totals of trees or crossings change with the cells: changed_totals()
      lists them.")
  }
  paste0("They move counts only between levels that lie in the same totals of ",
         layout_words_of(x$layout), ", so that every published total stays as it is.")
}

# How many cycles pass through each cell.
cycles_of_cells <- function(x) tabulate(expand_cycles(x)$cell, prod(dim(x)))

#' @rdname explain
#' @export
explain.sdc_cycles <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  total <- explain_total(cell, dimnames(x), x$layout, is_private(x), function(cells) {
    total_cycle_words(x, cells)
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, dimnames(x))
  n <- cycles_of_cells(x)[at]
  new_explanation(cell_words(at, dimnames(x)), c(
    paste0(plural(n, "cycle passes", "cycles pass"), " through this cell",
           if (n == 0) ", so it cannot change." else if (skips_zeros(x)) {
             " where no count is zero; where some are, other cycles may."
           } else {
             paste0(": in one cover of the set it can change by at most ",
                    format_count(n * largest_move(x, at)), ".")
           }),
    if (n > 0) "Other cells of the same cycles balance every change, so that the margins stay."
  ), private = is_private(x))
}

largest_move <- function(x, at) {
  all <- expand_cycles(x)
  max(abs(all$coefficient[all$cell == at]))
}

story.sdc_mechanism <- function(x) {
  chance <- range(x$alpha + x$beta)
  balanced <- isTRUE(all.equal(x$alpha, x$beta))
  c(
    paste0("In each of ", plural(step_count(x), "step"), " a cycle is added with probability ",
           span(x$alpha), ", subtracted with probability ", span(x$beta),
           ", and otherwise left alone: a step asks for a move with probability ", span(chance),
           "."),
    if (balanced) {
      "Adding and subtracting are equally likely, so no count is biased before the zero rule acts."
    } else {
      "Adding and subtracting are not equally likely, so single steps are biased."
    },
    zero_rule_story(x),
    "The mechanism is published with the table; what stays secret is how each step fell out."
  )
}

zero_rule_story <- function(x) {
  if (skips_zeros(x$cycles)) {
    return("Steps of this set reach over zeros to the next count: zeros stay zeros, and readers know
      it.")
  }
  switch(
    x$zero_rule,
    blocked = "Under the zero rule \"blocked\" a cycle that meets a zero does not move: zeros stay
      zeros, and readers know it.",
    nonnegative = "Under the zero rule \"nonnegative\" only steps that would make a count negative
      are left out: zeros can become positive, and positive counts zero.",
    "This zero rule is for analysis only: perturb() refuses it."
  )
}

#' @rdname explain
#' @export
explain.sdc_mechanism <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- dimnames(x$cycles)
  total <- explain_total(cell, labels, x$cycles$layout, is_private(x), function(cells) {
    total_cycle_words(x$cycles, cells)
  })
  if (!is.null(total)) {
    return(total)
  }
  at <- one_cell(cell, labels)
  new_explanation(cell_words(at, labels), paste0(
    "All steps together can change this cell by at most ", format_count(mechanism_reach(x)[at]),
    ": a reader knows that the original lies within that distance of the published count."
  ), private = is_private(x))
}

story.sdc_perturbation <- function(x) {
  before <- dense_counts(x$original)
  after <- dense_counts(x$published)
  changed <- before != after
  c(
    paste0(count_of(sum(changed), length(changed), "cell"), " were changed, by ",
           format_mean(mean(abs(after - before))), " per cell on average and by ",
           format_count(max(0, abs(after - before))), " at most."),
    if (isTRUE(x$mechanism$cycles$totals_kept)) {
      "All published totals of the trees and crossings are as before."
    },
    "All margins of the set of cycles are as before. The object holds the original table: publish()
     makes what may leave."
  )
}

story.sdc_publication <- function(x) {
  reach <- mechanism_reach(x$mechanism)
  c(
    paste0("A perturbed table with the total ", format_count(sum(x$table)),
           ", and the mechanism that perturbed it."),
    if (isTRUE(x$mechanism$cycles$totals_kept)) {
      "Its cells are perturbed. Every total of its trees and crossings is the original one."
    },
    paste0("Each original count lies within ",
           paste(unique(format_count(range(reach))), collapse = " to "),
           " of the published one", if (length(unique(range(reach))) > 1) ", depending on the cell",
           "."),
    "posterior() computes how probable each original count is, for a reader with a given prior."
  )
}

story.sdc_posterior <- function(x) {
  published <- per_cell(x, function(laws, change) laws[change == 0, ], untouched = 1)
  known <- sum(per_cell(x, function(laws, change) largest(laws), untouched = 1) > 1 - 1e-12)
  c(
    paste0("For each of ", plural(length(x$law), "cell"), ", the probability of each original count
      for a reader who knows the mechanism and has this prior: ", format(x$prior), "."),
    paste0("The published count is the original with probability ",
           format(mean(published), digits = 3), " on average."),
    if (known > 0) {
      paste0(plural(known, "cell is", "cells are"), " known for certain: the mechanism cannot have
        changed them.")
    } else {
      "No cell is known for certain."
    }
  )
}

story.sdc_prior <- function(x) {
  c(
    paste0("The prior is ", format(x), ": what a reader holds for probable before the
      publication."),
    if (is_uniform(x)) {
      "All tables are equally likely a priori, so the posterior shows what the publication alone
       tells."
    } else {
      "The posterior combines it with what the publication tells."
    }
  )
}

story.sdc_readers <- function(x) {
  names <- attr(x, "readers")
  c(
    paste0("The posteriors of ", length(names), " readers (", paste(names, collapse = ", "),
           ") in ", plural(nrow(x), "cell"), "."),
    paste0("The distance of their laws is ", format(mean(x$distance), digits = 3),
           " on average and ", format(max(x$distance), digits = 3), " at most: 0 where the readers
      agree, 1 where no count is possible for both."),
    "Where the distance is large, prior knowledge matters more than the publication."
  )
}

story.sdc_protection <- function(x) {
  share <- function(k) if (is.na(x$expected[k])) "none there" else percent(x$expected[k])
  c(
    paste0("Before the draw: of the small cells (1, 2) ", share(1), " are expected to change, of all
      non-zero cells ", share(2), "; ", share(3), " of the moves are prevented by the zero rule."),
    paste0("The shares are averages over ", attr(x, "replicates"), " simulated runs."),
    "Many prevented moves mean that much of the noise never reaches the table."
  )
}

story.sdc_risk <- function(x) {
  f <- figure_words(x)
  c(
    paste0("Risk: ", f("unchanged_small"), " of the small cells (",
           paste(x$small, collapse = ", "), ") stay as they are, and an intruder's best guess is
      right for ", f("guess_small"), " of them; ", f("certain_small"), " are known for certain."),
    paste0("Utility: a cell changes by ", f("abs_change"), " on average, and log odds ratios by ",
           f("log_odds"), "."),
    "Both are averages over publications of this table by this design. A design is better where both
     risk and change are smaller; usually one costs the other."
  )
}

#' @rdname explain
#' @export
explain.sdc_risk <- function(x, cell = NULL, ...) {
  check_no_dots(...)
  if (is.null(cell)) {
    return(explain_object(x))
  }
  labels <- dimnames(x$original)
  at <- one_cell(cell, labels)
  own <- lapply(x$cells, function(v) if (length(v) >= at) v[at])
  new_explanation(cell_words(at, labels), c(
    paste0("The count ", format_count(dense_counts(x$original)[at]), " is published unchanged with
      probability ", share_words(own$unchanged), "; it changes by ", share_words(own$abs_change),
           " on average."),
    if (is.numeric(own$guess) && !is.na(own$guess)) {
      paste0("An intruder's best guess of it is right with probability ", share_words(own$guess),
             ".")
    }
  ), private = TRUE)
}

story.sdc_tuning <- function(x) {
  best <- which(x$designs$frontier)
  c(
    paste0("Of ", plural(nrow(x$designs), "design"), ", ",
           plural(length(best), "lies", "lie"), " on the frontier of risk (",
           figure_titles[[x$risk]], ") and loss (", figure_titles[[x$loss]], ")."),
    "A design on the frontier is beaten by no other in both; every design beside it is worse than
      one
     of these in one figure and no better in the other.",
    "Choose the least loss among the designs whose risk you accept."
  )
}

story.sdc_comparison <- function(x) {
  m <- x$measures
  pick <- function(measure) {
    own <- m[m$measure == measure & !is.na(m$value), ]
    if (nrow(own) > 0) {
      paste0(own$method[which.min(own$value)], " (", format_number(min(own$value)), ")")
    }
  }
  guess <- pick("guess_small")
  change <- pick("abs_change")
  c(
    paste0(plural(length(x$methods), "method"), " on one table of ", x$shape, ", judged by the same
      intruder and the same user."),
    if (!is.null(guess)) {
      paste0("The intruder's best guess of a small cell is least probable under ", guess, ".")
    },
    if (!is.null(change)) paste0("Cells change least under ", change, "."),
    "No method is best in everything: read the risk beside the loss, as plot() draws them."
  )
}

story.sdc_method <- function(x) {
  c(
    paste0("The method \"", x$label, "\" for compare_methods(), which runs it beside others on the
      same table."),
    if (x$random) {
      "It draws, so that each publication differs; several are averaged."
    } else {
      "It draws nothing: the same table always gives the same publication."
    }
  )
}
