#' Bounds of cells from released margins
#'
#' For each cell of a table, the interval in which its count must lie, given what was released: a
#' set of margins, or any [constraints()]: suppressed and rounded tables, hierarchies, linked
#' tables. All reasoning is over whole numbers, exactly.
#'
#' # Methods
#' | method | what it gives | cost |
#' |---|---|---|
#' | `"frechet"` | least margin, best chain. Outer, sharp if decomposable | O(cells x chains) |
#' | `"decomposable"` | cliques and separators. Sharp, or refused | O(cells x margins) |
#' | `"shuttle"` | generalized shuttle algorithm. Outer | O(k prod(k_i + 1)) a sweep |
#' | `"lp"` | linear relaxation, rounded inward. Outer | a linear programme for each end |
#' | `"ip"` | least and largest over all tables of whole numbers. Sharp | exponential at worst |
#' | `"auto"` | the cheapest that is sharp (below) | |
#'
#' * **Chains.** From the margins over U and F follows n(U and F together) >= n(U) + n(F) - n(common
#'   variables), where only F need be released. A lower bound is built up from one margin by adding
#'   others, until all variables are covered. All chains are tried when they have at most 20,000
#'   steps in all (some 12 margins); else one chain from each margin, always adding the margin with
#'   which most is shared.
#' * **Shuttle.** Super-cells have each variable at a level or collapsed; each is the sum over the
#'   levels of each variable that it has collapsed, and limits travel along these sums until none
#'   changes. Above ten million super-cells only the margins' own equations are used, and `note`
#'   says so. A cell is known to be zero only when a margin shows zero there.
#' * **Whole numbers.** Margins start from the limits of the shuttle. Then limits are narrowed by
#'   the published sums, cells that determine each other become one unknown, totals that follow from
#'   others are set apart, and what no sum connects any more is solved in parts:
#'   - *networks* (two-way tables, with suppressed cells or intervals): by augmenting paths;
#'   - *small parts*: by an exact linear programme (in whole numbers over a common denominator,
#'     without any tolerance) and, where its solution is fractional, by branch and bound;
#'   - *large parts*: from outside by linear programmes in floating point over the sums near the
#'     cell, then over more of them, then over all. Their multipliers are rounded to whole numbers,
#'     and the bound is worked out from them in exact whole numbers. It holds for any multipliers,
#'     so that no tolerance decides. From inside by whole tables: walks from known tables that
#'     repair the sums that a changed cell breaks, whole vertices of the programmes, and dives
#'     (fractional cells are fixed one after the other). What is left is branched on, with the same
#'     exact bounds.
#'
#'   Every table that is found bounds all cells from inside, and every bound is carried through the
#'   sums, so that most ends of cells need no search.
#' * **Auto.** The release is split into prime components ([release_structure()]). A component that
#'   is a margin is known; the others are bounded by `"ip"`, each in its own smaller table. Upper
#'   bounds are the least over the components; lower bounds the sum over components less that over
#'   separators, at least 0. So a decomposable release needs no search at all. Both are attained:
#'   the margin over a separator is released, so tables of two components, each with its extreme
#'   count, agree on it; inside one cell of the separator they are the row sums and column sums of a
#'   two-way table, in which a cell can take every value from max(0, row + column - total) to
#'   min(row, column); so two components are glued, then the result and the third, and so on (Dobra
#'   and Fienberg, there for margins).
#'
#' # Published cells of linked tables
#' Tables that share some of their variables are given together, as `constraints(a, b)` or as
#' `list(a, b)`, with the trees of their variables in `hierarchies`. Their full cross may be much
#' larger than they are. With `cells` as a data frame of sums, such as the published cells
#' themselves, the full cross is not laid out. The unknowns are the cells that are not published,
#' totals among them, and each total has a row with what is directly below it along each variable.
#' The release is split into the prime components of the variables that its rows (and `cells`)
#' restrict, where each level of a tree counts as a variable: region x activity of four digits and
#' province x activity of two digits share region and two digits. Neighbours have the same sums over
#' what they share. Cells that no table publishes are added where the published ones do not decide
#' which counts are possible, as for the three tables A x B, A x C, B x C. The intervals are those
#' over the full cross, and as sharp. Only `list(a, b)` never lays out the full cross;
#' [constraints()] does when they are made.
#'
#' # What is guaranteed
#' An interval marked `sharp` is attained at both ends by some table of whole numbers that agrees
#' with the release; otherwise the interval is outer: the sharp one lies inside. An interval of a
#' single value is sharp, whatever method found it. Each end stands by itself: what is proved of it
#' when the time runs out remains, and an end that is still open keeps the outer bound as far as it
#' was narrowed until then. The same holds after an interrupt. A warning of class
#' `sdc_warning_outer` says how many cells are not sharp and why, and, where it is known, how far
#' their ends may move; `least` and `most` are the smallest and largest count that tables were found
#' for. Published cells, and those with a single value after narrowing, are sharp at once. If no
#' table was found in the time, these values hold given that the release has a table. Sharp refers
#' to the release alone: who knows more than that may know more of a cell.
#'
#' # Cost
#' Limits count processor time, that of all threads together. Narrowing takes time in proportion to
#' the entries of the published sums; the search works on the ends of the asked `cells` only, so
#' that a few cells cost little more than finding one table. Sharp intervals are the same on every
#' machine; outer ones depend on the time. Systems with 300 and more unknowns that determine each
#' other are shared by threads: four searches work on ends of their own and tell each other what
#' they find, whatever the number of threads, so that two threads take little more than half of the
#' time on the clock. Proofs for `certificates` run on one thread. Some releases are hard: three-way
#' tables without trees in which nearly all cells are small and suppressed may stay open at many
#' ends. `"lp"` uses the exact programme for small systems; in large ones its limits hold as well,
#' and may be a little wider than the optimum.
#'
#' @param release (`sdc_margins`, table, list of tables, or what [constraints()] takes) what was
#'   released. The order of the margins does not matter, nor does it when one lies inside another.
#' @param cells (see below, or `NULL` for all) the cells to bound: a data frame with a column of
#'   labels for each variable, a matrix with a column of level numbers for each variable, cell
#'   numbers (first variable fastest; also beyond 2^31), a logical array of the table's shape, or an
#'   `sdc_table`, whose non-zero cells are meant.
#'   A data frame may also ask for **sums**: a variable that it leaves out, or whose value is
#'   `"Total"` or a node of the variable's tree, is summed over.
#' @param method (string) one of the methods above.
#' @param ... must be empty.
#' @param dimnames (named list of character vectors, or `NULL`) variables and levels of the whole
#'   table. Needed when no margin has some variable, or to give the order of variables. By default
#'   they are the variables of all margins, in an order that all margins have if there is one; the
#'   variables of `cells`, when that is an `sdc_table`.
#' @param hierarchies,dimList (named list) trees of variables of data frames, as [constraints()]
#'   takes them; see [hierarchies] for their formats. `dimList` is another name.
#' @param solver (string) `"exact"`: the package's own; `"lpSolve"`: the package lpSolve, in
#'   floating point, for `"lp"` and `"ip"`: a second opinion.
#' @param certificates (flag) add `certificates`: for both ends of each cell a table that attains
#'   the end, and a proof that no table goes beyond, for [verify_bounds()] and [explain()]. It takes
#'   what the search leaves of the time. A warning of class `sdc_warning_open` says how many ends
#'   are then not proved. For
#'   margins, rates, and methods other than `"auto"`, `"ip"` and `"lp"` the full cross of the
#'   variables is laid out; else the certificates are in cells and totals, as the bounds are.
#' @param time_limit_s (number, seconds of processor time) how long `"ip"`, `"lp"` and `"auto"` may
#'   search in all.
#' @param max_cells (number) largest number of cells to bound, and of cells of a table that must be
#'   laid out; the default is the option `sdcLattice.max_cells`, or 5e7.
#' @param progress (flag) show a progress bar?
#' @param threads (whole number >= 1) how many threads search large systems; see
#'   [sdcLattice-threads]. Sharp intervals and `effort` do not depend on it.
#' @return An object of class `sdc_bounds`; see [bounds-methods]. `as.data.frame()` has the
#'   variables, `lower`, `upper`, `width`, `sharp`, and for `"lp"` the unrounded limits
#'   `lower_real`, `upper_real`. Further elements: `method` says what was done; `note` what is
#'   weaker than asked. For margins `pins` says why: `pins$upper` is for each cell the margin whose
#'   count is the upper bound (a position in `pins$margins`, 0 when no single margin is),
#'   `pins$lower` is `"zero"`, `"margins"` (a chain, or cliques and separators) or `"search"`.
#'   `effort` counts searches, branches and tables found, and says whether the search `stopped`
#'   before all was proved, and why: `late` (the time limit), `interrupted`, `too_large`, or
#'   `gave_up` (its last effort was spent); `release` is what was released, for
#'   [disclosed()]; `certificates`: see [verify_bounds()].
#' @section Errors: `sdc_error_infeasible` when margins contradict each other: the message names two
#'   margins and the cells where they disagree; or when they agree and yet have no table.
#'   `sdc_error_input` for margins whose levels differ, for unknown cells, for `"decomposable"` with
#'   another release. `sdc_error_too_large` for more than `max_cells` cells.
#' @references A. Dobra and S. E. Fienberg (2000), Bounds for cell entries in contingency tables
#'   given marginal totals and decomposable graphs, PNAS 97, 11885-11892. L. Buzzigoli and A. Giusti
#'   (1999), An algorithm to calculate the lower and upper bounds of the elements of an array given
#'   its marginals, Proc. Statistical Data Protection, 131-147. "Software systems for tabular data
#'   releases", technical report 125, National Institute of Statistical Sciences, 2002, sections 3.1
#'   and 5. Large parts: H. M. Markowitz (1957), The elimination form of the inverse and its
#'   application to linear programming, Management Science 3, 255-269. J. J. H. Forrest and J. A.
#'   Tomlin (1972), Updated triangular factors of the basis to maintain sparsity in the product form
#'   simplex method, Mathematical Programming 2, 263-278. P. M. J. Harris (1973), Pivot selection
#'   methods of the Devex LP code, Mathematical Programming 5, 1-28. D. Goldfarb and J. K. Reid
#'   (1977), A practicable steepest-edge simplex algorithm, Mathematical Programming 12, 361-371. A.
#'   Neumaier and O. Shcherbina (2004), Safe bounds in linear and mixed-integer linear programming,
#'   Mathematical Programming 99, 283-296. F. Boussemart, F. Hemery, C. Lecoutre and L. Sais (2004),
#'   Boosting systematic search by weighting constraints, Proc. ECAI 2004, 146-150.
#' @family bounds
#' @export
#' @examples
#' x <- sdc_table(czech_workers)
#' released <- margins(x, list(c("B", "F"), c("A", "B", "C", "E"), c("A", "D", "E")))
#' at_risk <- as.data.frame(x)[as.data.frame(x)$freq <= 2, ]
#' bounds_margins(released, at_risk)
#'
#' two_way <- margins(x, combn(names(dimnames(x)), 2, simplify = FALSE))
#' as.data.frame(bounds_margins(two_way, at_risk))
#' as.data.frame(bounds_margins(two_way, at_risk, method = "shuttle"))
#' as.data.frame(bounds_margins(two_way, at_risk, method = "lp"))
bounds_margins <- function(release, cells = NULL,
                           method = c("auto", "frechet", "decomposable", "shuttle", "lp", "ip"),
                           ..., dimnames = NULL, hierarchies = NULL, dimList = NULL,
                           solver = c("exact", "lpSolve"), certificates = FALSE, time_limit_s = 60,
                           max_cells = getOption("sdcLattice.max_cells", 5e7),
                           progress = rlang::is_interactive(), threads = default_threads()) {
  check_no_dots(...)
  use_threads(threads)
  check_given(release)
  method <- check_choice(method, bounding_methods)
  solver <- check_choice(solver, c("exact", "lpSolve"))
  check_flag(certificates)
  check_number(time_limit_s, min = 0)
  check_number(max_cells, min = 1)
  check_flag(progress)
  if (solver == "lpSolve") check_installed("lpSolve", "for `solver = \"lpSolve\"`")
  style <- list(method = method, solver = solver, seconds = time_limit_s, max_cells = max_cells,
                progress = progress, certificates = certificates,
                until = work_seconds() + time_limit_s)
  hierarchies <- one_of_two(hierarchies, dimList)
  tables <- if (!is_sdc_constraints(release)) released_tables(release)
  if (is.null(tables)) {
    return(bounds_of_parts(release, dimnames, cells, style, hierarchies))
  }
  if (!is.null(hierarchies)) {
    return(bounds_of_parts(structure(tables, class = sdc_class("sdc_margins")), dimnames, cells,
                           style, hierarchies))
  }
  dimnames <- given_dimnames(dimnames)
  if (is.null(dimnames) && is_sdc_table(cells)) dimnames <- cells$dimnames
  release <- read_release(tables, dimnames)
  if (asks_for_sums(cells, lapply(release$dimnames, function(levels) list(levels = levels)))) {
    return(bounds_of_parts(structure(tables, class = sdc_class("sdc_margins")), release$dimnames,
                           cells, style))
  }
  asked <- resolve_asked(cells, release$dimnames, max_cells)
  bounds_of_margins(release, asked, style)
}

bounding_methods <- c("auto", "frechet", "decomposable", "shuttle", "lp", "ip")

bounds_of_margins <- function(release, asked, style) {
  if (asked$n == 0) {
    found <- known_bounds(numeric(), numeric())
  } else {
    found <- switch(
      style$method,
      auto = bound_by_components(release, asked, style),
      frechet = bound_by_chains(release, asked),
      decomposable = bound_by_formula(release, asked, style),
      bound_by_search(release, asked, style)
    )
  }
  found <- mark_points(found)
  warn_of_outer(found)
  out <- new_bounds(
    release$dimnames, asked$codes, found$lower, found$upper, found$sharp,
    method_words(style$method, release, found),
    real = found$real, note = found$note %||% character(),
    pins = explain_bounds(release, asked, found), effort = found$effort,
    attained = attained_ends(found),
    release = structure(release$tables, class = sdc_class("sdc_margins"))
  )
  if (!style$certificates) {
    return(out)
  }
  at <- combine_codes(asked$codes, lengths(release$dimnames, FALSE), asked$n)
  add_certificates(out, margin_system(release, style), at, style)
}

method_words <- function(method, release, found) {
  parts <- length(release$structure$components)
  searched <- base::sum(release$structure$kinds == "open")
  switch(
    method,
    auto = if (searched == 0) {
      "auto (cliques and separators)"
    } else if (parts == 1) {
      "auto (whole numbers)"
    } else {
      paste0("auto (", parts, " prime components, ", searched, " by whole numbers)")
    },
    method
  )
}

# Which margin shows the upper bound, and where the lower bound comes from.
explain_bounds <- function(release, asked, found) {
  frontier <- release$structure$frontier
  pin <- integer(asked$n)
  for (f in rev(frontier)) {
    pin[release_values(release, release$sets[[f]], asked) == found$upper] <- f
  }
  lower <- rep(if (!any(release$structure$kinds == "open")) "margins" else "search", asked$n)
  if (any(lower == "search" & found$lower > 0)) {
    lower[bound_by_chains(release, asked)$lower == found$lower] <- "margins"
  }
  lower[found$lower == 0] <- "zero"
  list(
    margins = names(release$tables),
    variables = lapply(release$tables, function(x) names(x$dimnames)), upper = pin, lower = lower
  )
}
