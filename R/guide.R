# The guide: the first call of somebody who has a table and must publish it.

#' Protect a table: what is at risk, and what to do
#'
#' Begin here. `protect()` looks at a confidential table, says what is at risk and why, tries the
#' methods that suit it on this very table, and proposes one of them. Called again with `plan =` it
#' carries the method out, verifies the result and makes the publication. What it returns are the
#' ordinary objects of the package, with the lines of R that make them.
#'
#' @details
#' **What is looked at.** Of a table of counts: counts and totals from 1 to `maxN`, people who are
#' alone in a cell, and groups whose people are all of one kind. Of a table of magnitudes: the cells
#' and totals that the `rules` find. Of a map: hexagons with counts from 1 to `maxN`.
#'
#' **The plans.**
#' * counts: `"suppression"` ([suppress()]), `"rounding"` ([round_controlled()]) and
#'   `"perturbation"` ([perturb()] with two covers of [cycles_banded()], or of [cycles_margin()]
#'   where there are not two variables; where [perturb()] refuses this design, the first of its
#'   short list that it takes, and the printout says which);
#' * magnitudes: `"suppression"`, `"redistribution"` ([redistribute()]) and `"coarser"`, the
#'   suppression of a [coarser_table()]: of all variables that could be merged or left out the one
#'   with which most cells and totals are not sensitive;
#' * a map: `"redistribution"`, `"emptying"`, which may empty hexagons, and `"suppression"` of a
#'   table of the hexagons ([as_sdc_table()]).
#'
#' Where a plan cannot be carried out the printout says why.
#'
#' **The proposal.** Tables of counts and maps of at most `measured_cells` cells and totals go
#' through [compare_methods()]: each method is applied, and an intruder who knows it guesses the
#' small counts. A plan is *acceptable* when no small count is exactly known and the intruder's
#' best guess is right with a mean probability of at most `guess`. The acceptable plan with the
#' least loss, the Hellinger distance between the original and what a user takes for it, is
#' proposed. Where no plan is acceptable the one with the least probability is proposed, and the
#' printout says so. Tables of magnitudes of at most `measured_cells` cells and totals are audited
#' after each plan ([audit()]), and the first plan is proposed with which nobody estimates a
#' contributor of a sensitive cell more closely than the rules allow. For other tables of at most
#' 20,000 cells and totals each plan is carried out once, and the first plan of the list above that
#' can be carried out is proposed; for larger ones it is the first plan, untried. What an intruder
#' guesses is then not measured.
#'
#' The choice is made by the confidential table, but a method with its settings is no secret: it is
#' published in any case.
#'
#' **Several tables of the same people** are protected together. Give records or cells with
#' `dimVar = list(c("region", "age"), c("region", "sex"))`, each table with its totals, or with a
#' `formula` (see [sdc_table()]); or give a list of tables, or [margins()], which [link_tables()]
#' puts together. Then more risks are looked at:
#' * *hidden one by one*: cells at risk that are safe where each table is protected by itself, while
#'   the tables together show them, or give them away by subtraction;
#' * *differences*: counts from 1 to `maxN` of combinations that no table shows, and that follow
#'   from the tables together;
#' * *overlap*: two variables of different tables that look like groupings of the same, as few of
#'   their combinations occur.
#'
#' Suppression and rounding take the tables as one. Perturbation takes one after the other, each
#' with a key of its own, and keeps all totals that two of them share, so that equal cells stay
#' equal; it cannot take tables that are crossed at several levels of a tree, or a table of one
#' variable. Of magnitudes only suppression is a plan. Each plan is carried out once, and for at
#' most `measured_cells` published cells it is computed which cells at risk readers of *all*
#' tables know exactly, and how probable the intruder's best guess of a small count is that is no
#' total: among all original tables that agree with the publication, counted, or 5,000 of them drawn
#' at random, and of each perturbed table by its [posterior()]. Where the tables are too many for
#' that, the printout has a lower bound ("at least"), by the number of values that each count can
#' have. Of the plans that leave no cell known, or else fewest, the first is proposed whose best
#' guess is acceptable; then the first of which that is not known, as with a lower bound that is not
#' too high; or else the first. Where groupings overlap, it is rounding, as the others keep totals.
#'
#' @param data (data frame, sdc_table, array of counts, list of tables, [margins()], sdc_magnitude,
#'   sdc_hex or sdc_proposal) The confidential data: a table of this package, or several; or
#'   microdata or ready cells, of which the arguments in `...` make one; or what `protect()`
#'   proposed before.
#' @param ... For a data frame, or data frames in a list, the arguments of [sdc_table()], above all
#'   `dimVar` and `freqVar`, or, where `numVar` is among them, of [magnitude_table()]. For a data
#'   frame `dimVar` may be a list of sets of variables, with names for the reports: several tables.
#' @param plan (string, sdc_plan or `NULL`) `NULL` proposes. The name of a plan, or the `plan` of an
#'   earlier result, carries it out.
#' @param maxN (whole number of at least 1) The largest count that is at risk.
#' @param guess (number from 0 to 1) The largest acceptable mean probability that the intruder's
#'   best guess of a count at risk is right.
#' @param rules (sdc_rules) For magnitudes, see [rules].
#' @param measured_cells (whole number) Tables of more cells and totals are not compared by an
#'   intruder, or audited.
#' @param replicates,seed As in [compare_methods()]; for the comparison only. What `plan` carries
#'   out is drawn with secret keys of the operating system.
#' @param time_limit_s (positive number, seconds of processor time) For the intervals of each
#'   publication in the comparison, or its audit.
#' @param record (sdc_record or `NULL`) With `plan`, and for counts: what is out already, see
#'   [publication_record()]. The plan is carried out beside it, and `published` is entered; or
#'   nothing is, with an error. In `code` it is called `record`.
#' @return Without `plan` an `sdc_proposal`, see [sdc_proposal-methods]: `risks` and `figures` (data
#'   frames), `plans` (all plans), `proposed` (the name of one) and `reason`. It is **private**: it
#'   holds the table.
#'
#'   With `plan` an `sdc_protected`, see [sdc_protected-methods]: `plan`, `protected` (what the
#'   method returned, **private**), `published` (what [publish()] made of it, public) and `code`. It
#'   is **private**; [write_report()] makes reports of it. Of several tables that are perturbed
#'   `protected` and `published` are lists with an element for each.
#' @section Errors: `sdc_error_input` for arguments that are not as described, for a `plan` of
#'   another kind of table, and for a table that has nothing in it; with `plan` the errors of the
#'   method, such as `sdc_error_refused` when the result is not safe.
#' @section Guarantee: That of the method: `published` went through [publish()], which verifies.
#'   Figures of the comparison are those of [compare_methods()].
#' @template experimental
#' @family guide
#' @export
#' @examples
#' # what is at risk, and what can be done?
#' proposal <- protect(roehrig, replicates = 1)
#' proposal
#' # do it
#' done <- protect(proposal, plan = "suppression")
#' done
#' done$published
#' # the same for next year's table
#' next_year <- roehrig + 1
#' protect(next_year, plan = done$plan)
#' # several tables of the same firms
#' protect(town_firms, dimVar = list(c("county", "sector"), c("county", "branch")), replicates = 1)
protect <- function(data, ..., plan = NULL) {
  check_given(data)
  UseMethod("protect")
}

#' @export
protect.default <- function(data, ..., plan = NULL) {
  if (is.array(data)) {
    done <- protect(as_sdc_table(data), ..., plan = plan)
    return(with_origin(done, made_line("as_sdc_table", substitute(data))))
  }
  abort_sdc("input", c(
    "{.arg data} must be microdata, cells, a table, several tables or a map.",
    x = "{.arg data} is {.obj_type_friendly {data}}.",
    i = "Give a data frame with {.arg dimVar}, or make a table with {.fn sdc_table},
         {.fn magnitude_table} or {.fn hex_table}."
  ))
}

#' @rdname protect
#' @export
protect.data.frame <- function(data, ..., plan = NULL) {
  given <- list(...)
  written <- match.call(expand.dots = FALSE)$...
  own <- rlang::names2(given) %in% guide_arguments
  several <- sets_in_arguments(given[!own], written[!own], data)
  make <- if ("numVar" %in% names(given)) "magnitude_table" else "sdc_table"
  table <- do.call(match.fun(make), c(list(data), several$given))
  done <- do.call(protect, c(list(table), given[own], list(plan = plan)))
  with_origin(done, made_line(make, substitute(data), several$written), several$sets)
}

guide_arguments <- c("maxN", "guess", "rules", "measured_cells", "replicates", "seed",
                     "time_limit_s", "record")

#' @rdname protect
#' @export
protect.list <- function(data, ..., plan = NULL) {
  name <- substitute(data)
  given <- list(...)
  written <- match.call(expand.dots = FALSE)$...
  own <- rlang::names2(given) %in% guide_arguments
  frames <- vapply(data, is.data.frame, NA)
  if (!any(frames) && !all(own)) check_no_dots(...)
  data[frames] <- lapply(data[frames], function(frame) {
    do.call(sdc_table, c(list(frame), given[!own]))
  })
  done <- do.call(protect, c(list(linked_of(data, "data")), given[own], list(plan = plan)))
  with_origin(done, linked_lines(name, any(frames), written[!own]),
              lapply(data, function(x) names(dimnames(x))))
}

#' @rdname protect
#' @export
protect.sdc_margins <- function(data, ..., plan = NULL) {
  done <- protect(linked_of(data, "data"), ..., plan = plan)
  with_origin(done, made_line("link_tables", substitute(data)),
              lapply(unclass(data), function(x) names(dimnames(x))))
}

#' @rdname protect
#' @export
protect.sdc_table <- function(data, ..., plan = NULL, maxN = 2, guess = .8, measured_cells = 200,
                              replicates = 5, seed = 1, time_limit_s = 20, record = NULL) {
  check_no_dots(...)
  check_one_level(data)
  check_plan_of_record(record, plan)
  ask <- check_measuring(guess, measured_cells, replicates, seed, time_limit_s)
  done <- guide_counts(data, data$counts, plan, maxN, ask, record)
  with_origin(done, same_line(substitute(data)))
}

#' @rdname protect
#' @export
protect.sdc_hex <- function(data, ..., plan = NULL, maxN = 2, guess = .8, measured_cells = 200,
                            replicates = 5, seed = 1, time_limit_s = 20) {
  check_no_dots(...)
  ask <- check_measuring(guess, measured_cells, replicates, seed, time_limit_s)
  with_origin(guide_counts(data, data$count, plan, maxN, ask), same_line(substitute(data)))
}

#' @rdname protect
#' @export
protect.sdc_magnitude <- function(data, ..., plan = NULL,
                                  rules = c(rule_p_percent(10), rule_threshold(3)),
                                  measured_cells = 200, time_limit_s = 20) {
  check_no_dots(...)
  check_sensitivity_rules(rules)
  check_whole(measured_cells, min = 0, max = 1e6)
  check_seconds(time_limit_s)
  ask <- list(most = measured_cells, seconds = time_limit_s)
  done <- guide(data, plans_for(data, rules = rules), plan, ask, risks_of(data, rules = rules))
  with_origin(done, same_line(substitute(data)))
}

#' @rdname protect
#' @export
protect.sdc_proposal <- function(data, ..., plan = NULL, record = NULL) {
  check_no_dots(...)
  check_proposal(data)
  check_plan_of_record(record, plan)
  if (is.null(plan)) {
    return(data)
  }
  done <- carry_out(data$table, check_guide_plan(plan, data$plans), record)
  with_origin(done, data$made, data$titles)
}

#' @export
protect.sdc_weighted <- function(data, ..., plan = NULL) {
  abort_sdc("input", c(
    "{.arg data} must not be a table of weighted counts.",
    x = "{.fn protect} has no plan for these.",
    i = "{.fn sensitive} finds the cells at risk, and the unweighted counts can be protected."
  ))
}

# Tables and maps of counts.
guide_counts <- function(data, counts, plan, maxN, ask, record = NULL) {
  check_some_count(counts)
  check_whole(maxN, min = 1, max = 2^53)
  ask$small <- seq_len(min(maxN, 100))
  ask$maxN <- maxN
  guide(data, plans_for(data, maxN = maxN), plan, ask, risks_of(data, maxN = maxN), record)
}

check_measuring <- function(guess, measured_cells, replicates, seed, time_limit_s) {
  check_number(guess, min = 0, max = 1)
  check_whole(measured_cells, min = 0, max = 1e6)
  check_whole(replicates, min = 1, max = 1e4)
  check_whole(seed, min = 0, max = .Machine$integer.max)
  check_seconds(time_limit_s)
  list(guess = guess, most = measured_cells, replicates = replicates, seed = seed,
       seconds = time_limit_s)
}

# `ask`: how to measure the plans.
guide <- function(x, plans, plan, ask, risks, record = NULL) {
  if (is.null(plan)) {
    return(propose(x, plans, ask, risks))
  }
  carry_out(x, check_guide_plan(plan, plans), record)
}

# One of the plans of a kind of table, by its name or as it was used before.
check_guide_plan <- function(plan, plans) {
  if (is.character(plan)) {
    return(plans[[check_choice(plan, names(plans))]])
  }
  check_class(plan, "sdc_plan", make = "protect")
  kind <- plans[[1]]$kind
  known <- identical(plan$kind, kind) && is.character(plan$name) && plan$name %in% names(plans) &&
    identical(names(plan$settings), names(plans[[plan$name]]$settings)) &&
    all(vapply(plan$settings, plain_setting, NA))
  if (!known) {
    abort_sdc("input", c(
      "{.arg plan} must be a plan for {guide_kinds[[kind]]}.",
      x = if (identical(plan$kind, kind)) "Its settings are not those of such a plan." else
        "{.arg plan} is for {guide_kinds[plan$kind]}."
    ))
  }
  plan
}

# Settings become a part of calls: a number, a string, or rules, and no other code.
plain_setting <- function(setting) {
  if (is.call(setting)) {
    inside <- as.list(setting)[-1]
    named <- is.symbol(setting[[1]]) && grepl("^(c|rule_[a-z_]+)$", as.character(setting[[1]]))
    return(named && all(vapply(inside, plain_setting, NA)))
  }
  (is.numeric(setting) || is.character(setting) || isTRUE(setting) || isFALSE(setting)) &&
    length(setting) == 1
}

guide_kinds <- c(counts = "tables of counts", magnitudes = "tables of magnitudes",
                 map = "maps of hexagons")

carry_out <- function(x, plan, record = NULL) {
  calls <- calls_beside(plan_calls(plan, x), record)
  made <- run_plan(plan, x, calls, record)
  structure(
    list(plan = plan, protected = made$protected, published = made$published,
         code = plan_lines(plan, x, calls), said = attr(calls, "said")),
    class = sdc_class("sdc_protected", mark = "private")
  )
}
