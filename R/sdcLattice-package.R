#' sdcLattice: protect tables before they are published
#'
#' Tables of counts and of sums can disclose what single persons or firms are. This package protects
#' such tables by several methods, and computes, exactly wherever that is possible, what a published
#' table still discloses: to any reader, and to readers who know more than others.
#'
#' @section Where to begin:
#' [protect()] says what is at risk in your table, proposes a method and carries it out. Read
#' `vignette("start-here", package = "sdcLattice")`: five minutes with one table. Every protection
#' has four steps:
#'
#' 1. Make a table: [sdc_table()] for counts, [magnitude_table()] for sums of contributors (turnover
#'    by industry), [hex_table()] for points on a map.
#' 2. Protect it by a method of the list below. What a method returns is *private*: it holds the
#'    original.
#' 3. Look at the risk before anything leaves: [risk_utility()], [audit()], [width()],
#'    [disclosed()].
#' 4. Publish: [publish()] makes an object that holds only what is published, and refuses results
#'    that are not safe; [write_publication()] writes files.
#'
#' The shortest complete example is in [perturb()]. [compare_methods()] takes one table through
#' several methods and judges all by the same intruder and the same user. [notation] explains the
#' terms. [explore()] opens a page in which you can try the ideas, on examples or on your own data.
#'
#' @section What the package does:
#' * **Tables** as offices have them: [sdc_table()], [magnitude_table()], [magnitude_cells()] and
#'   [weighted_table()], with trees ([hierarchies]), linked crossings, ready totals and weights.
#' * **Cyclic perturbation** of counts: [cycles_banded()] and other sets of cycles, [mechanism()],
#'   [perturb()]. Margins stay exact, and the mechanism is public.
#' * **Posteriors**: [posterior()] gives every reader the exact probability of each original count.
#' * **Bounds**: [constraints()] takes any release (margins, suppressed, rounded or perturbed
#'   tables, several linked ones); [bounds_margins()] gives the interval of each cell over whole
#'   numbers, [disclosed()] says what follows.
#' * **Rates**: [conditionals()] and [bounds_conditional()] for published conditional frequencies.
#' * **Counting**: [count_tables()], [sample_tables()] and [fibre_distribution()] for the set of all
#'   tables that agree with a release.
#' * **Rounding**: [round_controlled()], [posterior_rounding()].
#' * **Suppression** of counts and of sums: [suppress()], [audit()].
#' * **Releases**: which sub-tables of one big table can be published together within a limit on
#'   risk: [release_exact()], [release_greedy()], [release_anneal()], [release_reducible()],
#'   [verify_release()].
#' * **Table server**: [table_server()] judges one request after the other by everything that was
#'   released before; [serve()] offers it as a web page and an API.
#' * **Maps**: [redistribute()] moves counts out of sensitive hexagons at the least total distance.
#' * **Magnitudes**: [sensitive()] applies the rules for dominant contributors ([rules]);
#'   [redistribute()] and [suppress()] protect, [audit()] checks against readers.
#' * **Comparison and explanation**: [compare_methods()], [tune()], [explain()].
#'
#' @section The book:
#' The vignettes are one book, to be read in this order. `browseVignettes("sdcLattice")` lists those
#' that are installed.
#'
#' * `start-here`: five minutes, one table, four pictures
#' * What is disclosed: `bounds` (what margins disclose), `counting` (how many tables agree),
#'   `rates` (what rates disclose)
#' * Protecting counts: `cycles` (cyclic perturbation), `designs` (choosing a design), `readers`
#'   (what readers infer), `rounding`, `suppression`, `comparing` (several methods on one table),
#'   `office` (trees, totals, linked tables, ready cells, weights), `scale` (from a laptop to a
#'   cluster)
#' * Maps and magnitudes: `maps` (counts on hexagons), `magnitudes` (sums of contributors)
#' * Many tables: `releases` (which sub-tables to release), `table-server` (answers to requests, one
#'   after the other), `table-server-operations` (running it)
#' * Reference: `validation` (what was proven against what), `glossary`, `cheat-sheet`, `gallery`
#'   (all pictures), `lecturers` (course plans and questions), `design` (how the package is built),
#'   `from-sdcTable` and `from-tau-argus` (for those who come from other programs)
#'
#' @section Guarantees:
#' What is called exact is exact: no simulation, no rounding that matters, whole numbers throughout.
#' What is not exact says so where it is printed: `outer` bounds contain the sharp ones, `~` marks
#' estimates, and these have standard errors. Errors have the class `sdc_error` and one of
#' `sdc_error_input`, `sdc_error_infeasible`, `sdc_error_too_large`, `sdc_error_refused`,
#' `sdc_error_server`, or `sdc_error_internal` for a mistake in the package itself, which should be
#' reported.
#'
#' @section Data:
#' [roehrig], [downloads], [koch] and [czech_workers] are tables of the literature; [cps13] and
#' [cps14] are large tables of a survey; [town_firms] are invented records with trees.
#'
#' @useDynLib sdcLattice, .registration = TRUE
#' @importFrom Rcpp sourceCpp
"_PACKAGE"

# Nothing is imported from rlang, which would take half of the time to attach the package: it is
# loaded when it is called. ggplot2 knows this pronoun by its name.
utils::globalVariables(".data")
