# One table through several methods, and the same measures for all of them.

#' Compare methods on one table
#'
#' Protects the same table by several methods and measures for each what an intruder can still infer
#' and what a user loses. **Confidential**: everything is computed from the original table.
#'
#' @details
#' A method is applied `replicates` times where it draws at random, and figures are means over the
#' publications, with standard errors. The intruder sees one publication, knows the method and its
#' parameters, and has the prior `intruder`.
#'
#' **Risk**, over the *small* cells (those whose true count is in `small`):
#' * `width_small`: mean width of the sharp interval: the largest less the smallest count that any
#'   table in agreement with the publication has in this cell;
#' * `known_small`: share of cells with width 0;
#' * `guess_small`: mean probability, to the intruder, that the best guess is right;
#' * `right_small`: share of cells where the best guess is right (equally good ones share);
#' * `entropy_small`, `entropy`: mean posterior entropy in bits, of small cells and of all;
#' * `log10_tables`: decimal logarithm of the number of tables that agree with the publication;
#'   `as.data.frame()` has all digits in column `exact`. Where it is too large to be counted within
#'   the limits it is estimated (`how` is `"simulated"`).
#'
#' For margins, suppression and rounding the tables that agree are those of [constraints()]; under a
#' uniform prior the laws are those of [fibre_distribution()], under others they are weighed one by
#' one. Rounding has the reader that [method_rounding()] says. For cyclic perturbation the tables
#' that agree are those of positive posterior probability ([posterior()], [count_originals()]).
#' For the cell key method each cell is judged by its own published count alone, as the changes of
#' cells are independent but for what the totals tell: the intervals take the totals into account,
#' the probabilities do not. Where the joint law of a rounded table is too large, its cells are
#' judged so as well, and `note` says it; such a reader is weaker than one who uses all cells. The
#' originals of a redistributed map are listed by [attack()], for at most 7 cells.
#'
#' **Utility**, of the table that a user takes for the original: what is published, or, of margins
#' and suppressed tables, what [estimate_table()] makes of it:
#' * `abs_change`: mean absolute change of a cell; `abs_change_small`: of a small cell;
#' * `hellinger`: Hellinger distance of the two distributions over the cells;
#' * `chi_square`: relative change of Pearson's chi-square for independence of all variables;
#' * `cramer_v`: mean absolute change of Cramer's V over all pairs of variables;
#' * `log_odds`: mean absolute change of the log odds ratios of adjacent 2 x 2 tables (0.5 added);
#' * `total_change`: mean absolute change of the one-way totals, as published;
#' * `additivity`: largest difference between a published one-way total and the sum of its cells;
#' * `withheld`: share of the cells that are not shown;
#' * and one for each function in `user`: the absolute change of its value.
#'
#' **Tables with trees or a `formula`** go to every method as they are, so that all methods publish
#' the same cells and totals. `abs_change`, `abs_change_small` and `withheld` are then over all
#' published cells, totals among them; `total_change` and `additivity` over all published totals;
#' `width_small` and `known_small` over all published cells with a small count. Probabilities and
#' entropies, and the measures of association, are those of the cells of levels alone, without
#' totals. Cyclic perturbation and rounding publish totals that add up. The cell key method changes
#' each total by itself: its totals do not add up, and `additivity` says by how much.
#'
#' What cannot be computed within the limits is `NA`, and `note` says why. That is so too for a
#' method that cannot be applied to the table.
#'
#' @param x (sdc_table, what [as_sdc_table()] takes, or [hex_table()]) The confidential table, with
#'   at least one count; trees and crossings as [sdc_table()] makes them. A map of hexagons is a
#'   table of one variable to all methods but redistribution.
#' @param methods (list of sdc_method, or `NULL`) See [methods]. `NULL`: margins only, certified
#'   suppression of the small counts, rounding to base 3 (of more than two variables the nearest),
#'   and cyclic perturbation with one cover; of maps optimal redistribution instead.
#' @param intruder (sdc_prior) The intruder's [prior].
#' @param user (named list of functions, or `NULL`) What users compute: each takes a [table] and
#'   returns a number.
#' @param small (whole numbers of at least 0) The counts at risk.
#' @param replicates (whole number from 1 to 10000) Publications of each random method.
#' @param seed (whole number from 0 to 2147483647) Seed of all draws. Your random stream stays where
#'   it is.
#' @param max_states,max_steps (numbers) Limits of exact counts, as in [count_tables()].
#' @param time_limit_s (positive number, seconds of processor time) For the intervals of one
#'   publication.
#' @param progress (flag) Show a progress bar?
#' @return An object of class `sdc_comparison`; see [sdc_comparison-methods]. Its element
#'   `publications` has for each method its (first) publication.
#' @section Errors: `sdc_error_input` for arguments that are not as described.
#' @section Guarantee: Intervals and counts are exact. Probabilities and entropies are exact for
#'   each publication unless `how` says `"simulated"`. Means over publications have standard errors.
#' @template ref-slides
#' @family compare
#' @export
#' @examples
#' co <- compare_methods(roehrig, list(method_margins(), method_cyclic(covers = 2)), replicates = 3)
#' co
#' head(as.data.frame(co), 3)
compare_methods <- function(x, methods = NULL, intruder = prior_uniform(), user = NULL,
                            small = 1:2, replicates = 10, seed = 1, max_states = 5e6,
                            max_steps = 5e9, time_limit_s = 20,
                            progress = rlang::is_interactive()) {
  check_given(x)
  map <- if (inherits(x, "sdc_hex")) x
  x <- if (is.null(map)) one_level_argument(x) else map_table(map)
  check_small(small)
  methods <- if (is.null(methods)) usual_methods(x, small, map) else check_methods(methods)
  check_class(intruder, "sdc_prior", make = "prior_uniform")
  check_user(user)
  check_whole(replicates, min = 1, max = 1e4)
  check_whole(seed, min = 0, max = .Machine$integer.max)
  check_number(max_states, min = 1, max = 1e12)
  check_number(max_steps, min = 1, max = 1e18)
  check_seconds(time_limit_s)
  check_flag(progress)
  counts <- dense_counts(x)
  check_some_count(counts)
  for (f in user) user_number(f, as.table(x))
  published <- published_of(x, small)
  ask <- list(
    x = x, map = map, counts = counts,
    small = counts %in% small & (is.null(published) | seq_along(counts) %in% published$leaf),
    published = published, prior = intruder, user = user, replicates = replicates, seed = seed,
    max_states = max_states, max_steps = max_steps, seconds = time_limit_s
  )
  judged <- with_progress("Comparing methods", show = progress, function(tick) {
    judge_methods(methods, ask, tick)
  })
  labels <- vapply(methods, `[[`, "", "label")
  structure(
    list(
      measures = bind_measures(judged, labels), publications = lapply(judged, `[[`, "publication"),
      methods = methods, shape = comparison_shape(x, published), small = sort(unique(small)),
      prior = intruder, replicates = replicates
    ),
    class = sdc_class("sdc_comparison", mark = "confidential")
  )
}

comparison_shape <- function(x, published) {
  totals <- sum(is.na(published$leaf))
  say(if (is.null(published)) "{table_shape(x)}" else
    "{table_shape(x)}; {length(published$at)} published cell{?s}, {totals} of them totals")
}

check_methods <- function(methods) {
  if (inherits(methods, "sdc_method")) methods <- list(methods)
  ok <- is.list(methods) && length(methods) > 0 && all(vapply(methods, inherits, NA, "sdc_method"))
  if (!ok) {
    more <- if (is.list(methods)) " with other elements"
    abort_sdc("input", c(
      "{.arg methods} must be a list of methods.",
      x = if (identical(methods, list())) {
        "{.arg methods} is empty."
      } else {
        "{.arg methods} is {.obj_type_friendly {methods}}{more}."
      },
      i = "Make one with {.fn method_rounding}, {.fn method_cyclic}, ..."
    ))
  }
  given <- names(methods) %||% rep("", length(methods))
  for (i in which(nzchar(given))) methods[[i]]$label <- given[[i]]
  labels <- vapply(methods, `[[`, "", "label")
  if (anyDuplicated(labels)) {
    abort_sdc("input", c(
      "The {.arg methods} must have different labels.",
      x = "{.val {labels[duplicated(labels)][1]}} is used more than once.",
      i = "Give each a {.arg label}, or name the list."
    ))
  }
  unname(methods)
}

# The unbiased rounding is for up to two variables without trees.
usual_methods <- function(x, small, map) {
  two_way <- length(dim(x)) <= 2 && is.null(cycle_layout(x))
  c(
    list(method_margins(), method_suppression(max(small))),
    list(
      method_rounding(3, if (two_way) "stochastic" else "nearest"),
      if (is.null(map)) method_cyclic() else method_redistribution(max(2, small + 1))
    )
  )
}

check_user <- function(user) {
  ok <- is.null(user) || is.list(user) && all(vapply(user, is.function, NA)) &&
    length(names(user)) == length(user) && all(nzchar(names(user))) && !anyDuplicated(names(user))
  clash <- intersect(names(user), names(comparison_kinds))
  if (ok && length(clash) == 0) {
    return(invisible(user))
  }
  abort_sdc("input", c(
    "{.arg user} must be a list of functions, each with a name of its own.",
    x = if (ok) "{.val {clash}} is a measure already." else "{user_fault(user)}"
  ))
}

user_fault <- function(user) {
  if (!is.list(user)) {
    return(describe(user))
  }
  other <- which(!vapply(user, is.function, NA))[1]
  if (!is.na(other)) paste0("Element ", other, " is no function.") else names_fault(user)
}

# ---- the publications of all methods, one item of work each -------------------------------------

judge_methods <- function(methods, ask, tick) {
  n <- vapply(methods, function(method) if (method$random) ask$replicates else 1, 0)
  items <- Map(list, method = rep(seq_along(methods), n), replicate = sequence(n))
  shared <- list(methods = methods, ask = ask)
  judged <- if (all_travel(methods, ask$user)) {
    work_apply(items, judge_one, shared, ready_to_judge, tick = tick)
  } else {
    work_here(items, judge_one, shared, ready_to_judge, tick = tick)
  }
  method <- rep(seq_along(methods), n)
  lapply(seq_along(methods), function(i) join_method(judged[method == i], methods[[i]], ask))
}

# `failed`: the first publication of each method that failed in this process.
ready_to_judge <- function(shared) {
  c(shared, list(failed = new.env(parent = emptyenv())))
}

# One publication. What is wrong with a method is its note, not an error; those after the first that
# fails do not count.
judge_one <- function(item, ready, tick) {
  name <- as.character(item$method)
  if (item$replicate > (ready$failed[[name]] %||% Inf)) {
    return(NULL)
  }
  ask <- ready$ask
  method <- ready$methods[[item$method]]
  tryCatch(
    {
      publication <- method$run(ask$x, ask$map, (ask$seed + 7919 * (item$replicate - 1)) %% 2^31)
      found <- measure_publication(method, publication, ask)
      list(publication = if (item$replicate == 1) publication, found = found)
    },
    # those of other packages and of the user's functions too
    error = function(cnd) {
      ready$failed[[name]] <- item$replicate
      list(note = first_words(cnd))
    }
  )
}

join_method <- function(each, method, ask) {
  notes <- unlist(lapply(each, `[[`, "note"))
  if (length(notes) > 0) {
    return(list(publication = NULL, measures = measure_rows(
      c(names(comparison_kinds), names(ask$user)), note = notes[[1]]
    )))
  }
  list(publication = each[[1]]$publication,
       measures = average_measures(lapply(each, `[[`, "found"), method$random))
}

# Functions of the user may call others that only this session has.
all_travel <- function(methods, user) {
  all(vapply(user, travels, NA)) && all(vapply(methods, function(method) {
    inside <- Filter(is.function, as.list(environment(method$run)))
    travels(method$run) && all(vapply(inside, travels, NA))
  }, NA))
}

# Is it a function of a package, or made by one?
travels <- function(f) {
  is.primitive(f) || isNamespace(topenv(environment(f)))
}

# ---- measures -----------------------------------------------------------------------------------

# For each measure its kind, and its title on an axis; those of the user have their own names.
measure_table <- list(
  width_small = c("risk", "mean width of the interval of a small cell"),
  known_small = c("risk", "small cells with width 0 (share)"),
  guess_small = c("risk", "mean probability of the best guess, small cells"),
  right_small = c("risk", "small cells where the best guess is right (share)"),
  entropy_small = c("risk", "mean posterior entropy of a small cell (bits)"),
  entropy = c("risk", "mean posterior entropy of a cell (bits)"),
  log10_tables = c("risk", "log10 of the number of tables that agree"),
  abs_change = c("utility", "mean absolute change of a cell"),
  abs_change_small = c("utility", "mean absolute change of a small cell"),
  hellinger = c("utility", "Hellinger distance"),
  chi_square = c("utility", "relative change of chi-square"),
  cramer_v = c("utility", "mean change of Cramer's V"),
  log_odds = c("utility", "mean change of log odds ratios"),
  total_change = c("utility", "mean change of one-way totals"),
  additivity = c("utility", "largest gap between a total and its cells"),
  withheld = c("utility", "cells not shown (share)")
)
comparison_kinds <- vapply(measure_table, `[[`, "", 1)
measure_titles <- vapply(measure_table, `[[`, "", 2)

measure_publication <- function(method, publication, ask) {
  # made when it is needed
  trees <- if (!is.null(ask$published)) full_trees(ask$x)
  delayedAssign("release", constraints(publication, dimnames = ask$x$dimnames, hierarchies = trees))
  inferred <- read_publication_of(method, publication, release, ask)
  utility <- measure_utility(publication, release, ask)
  value <- c(inferred$value, unclass(utility))
  c(list(value = value, fit_note = attr(utility, "note")),
    inferred[c("how", "count_how", "note", "tables")])
}

measure_rows <- function(measure, value = NA_real_, error = NA_real_, how = NA_character_, note,
                         exact = "") {
  kind <- comparison_kinds[measure]
  data.frame(measure = measure, kind = unname(ifelse(is.na(kind), "utility", kind)), value = value,
             std_error = error, how = how, exact = exact, note = note)
}

# Means over publications, with standard errors where there are several.
average_measures <- function(found, random) {
  n <- length(found)
  values <- vapply(found, `[[`, found[[1]]$value, "value")
  values <- matrix(values, ncol = n, dimnames = list(names(found[[1]]$value), NULL))
  error <- if (n > 1) apply(values, 1, stats::sd) / sqrt(n) else if (random) NA_real_ else 0
  measure <- rownames(values)
  by_laws <- measure %in% c("guess_small", "right_small", "entropy_small", "entropy")
  inferred <- measure %in% names(comparison_kinds)[comparison_kinds == "risk"]
  mean <- rowMeans(values)
  missing <- is.na(mean)
  # simulated as soon as one publication was
  worst <- function(name) {
    if ("simulated" %in% vapply(found, `[[`, "", name)) "simulated" else "exact"
  }
  how <- ifelse(by_laws, worst("how"),
                ifelse(measure == "log10_tables", worst("count_how"), "exact"))
  notes <- function(name) paste(unique(unlist(lapply(found, `[[`, name))), collapse = "; ")
  note <- ifelse(!inferred, notes("fit_note"), ifelse(missing | by_laws, notes("note"), ""))
  measure_rows(
    measure, ifelse(missing, NA, mean), ifelse(missing, NA, error), ifelse(missing, NA, how), note,
    ifelse(measure == "log10_tables" & n == 1, found[[1]]$tables, "")
  )
}

bind_measures <- function(judged, labels) {
  do.call(rbind, Map(function(one, label) {
    cbind(data.frame(method = rep(label, nrow(one$measures))), one$measures)
  }, judged, labels))
}
