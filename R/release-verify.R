# Checks of a release, cell by cell, by code that shares nothing with the methods that chose it.

#' Check a release, cell by cell
#'
#' Whether a release keeps every cell at risk within an interval of at least `beta`, by code that
#' shares nothing with the methods that chose it.
#'
#' # What is checked
#' The cells at risk are found anew from the counts of `x`. Then
#' * **a release with certificates** ([release_reducible()]): each cell at risk must have one; both
#'   of its tables must have no negative count; in every margin of the frontier, and in the total,
#'   the differences from `x` must sum to zero; and the counts of the two tables at the cell must
#'   differ by at least `beta`. All of it is computed from the differences alone, in whole numbers.
#' * **any other release**: bounds as by [bounds_margins()]: in closed form where the release is
#'   decomposable, else by components in whole numbers. The search knows `x`, and ends for a cell as
#'   soon as two tables with the released margins differ there by at least `beta`, or a proof says
#'   that none do. Where it finds neither (time, size), [width()] is found anew.
#' * **a rule that judges each sub-table alone**: each sub-table of the frontier.
#'
#' A release that is not verified need not be unsafe, unless `refuted` is `TRUE`: then bounds prove
#' it. Where both are `FALSE` the limits of time and size ended the search before any proof.
#'
#' # What the object says of itself
#' An `sdc_release` also makes claims: its sets and their labels, the number of sub-tables, the
#' rule, its value, its width, an upper bound, that it is optimal. Each is worked out anew, unless
#' you give another `risk` or other `cells`, and a release with a false claim is not verified. An
#' optimum is searched anew for tables of up to 6 variables and 20,000 cells; elsewhere it is
#' reported as "claimed, not verified". The table inside the object is the only copy: a checksum
#' shows that it was edited, and `x` compares it with yours.
#'
#' @param release (sdc_release, or sets of variables as a list of character vectors, formulas or
#'   labels) The release. Without an `sdc_release`, `x` and `risk` must be given.
#' @param x (sdc_table, or what [as_sdc_table()] takes, or `NULL`) The full table; `NULL`: that of
#'   `release`. Its variables must be those of the release.
#' @param certificates (sdc_certificates, or `NULL`) `NULL`: those of `release`, if it has any.
#' @param cells (cells as in [bounds_margins()], or `NULL`) The cells to protect; `NULL`: those of
#'   the rule.
#' @param ... Must be empty.
#' @param risk (sdc_release_risk, or `NULL`) The rule; `NULL`: that of `release`.
#' @param time_limit_s (number of at least 0, seconds of processor time, of all threads together)
#'   For bounds in whole numbers.
#' @param progress (flag) Show a progress bar?
#' @param threads (whole number >= 1) How many threads check certificates, and the margins that
#'   bound the claimed width; see [sdcLattice-threads]. The verdict does not depend on it.
#' @return An object of class `sdc_release_verification`: a list with
#'   * `verified` (flag), `refuted` (flag: is it proved unsafe?),
#'   * `how`: `"certificates"`, `"closed form"`, `"bounds"`, `"attained counts"` or `"each alone"`,
#'   * `beta`, `n_cells` (cells at risk), `n_failed`, `n_margins` (of the released frontier),
#'   * `width`: the least over the cells at risk, as far as it is proved,
#'   * `fault`: what failed first, in words (`NA` when nothing did), `margin`: the released margin
#'     in which, if any; `time_s`,
#'   * `claims`: for an `sdc_release` a data frame with `claim` and `status`: `"verified"`,
#'     `"false"` or `"claimed, not verified"`.
#'
#'   `as.data.frame()` gives them as one row. Prints show no counts.
#' @section Errors: `sdc_error_input` for a release that is none, another set of variables, or no
#'   cell at risk. Certificates that are damaged are no error: they fail.
#' @section Complexity: With certificates O(differences x margins), shared by the threads: about a
#'   second of processor time for 61,421 cells at risk in 14 variables.
#' @template ref-releases
#' @family release
#' @export
#' @examples
#' re <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
#' verify_release(re)
#'
#' # one more sub-table than the certificates allow
#' re$sets <- c(re$sets, list(1:6))
#' verify_release(re)
#'
#' # any release
#' verify_release(c("A:B", "B:C", "D", "E", "F"), czech_workers, risk = risk_width(3))
verify_release <- function(release, x = NULL, certificates = NULL, cells = NULL, ...,
                           risk = NULL, time_limit_s = 60, progress = rlang::is_interactive(),
                           threads = default_threads()) {
  check_no_dots(...)
  use_threads(threads)
  begin <- work_seconds()
  check_given(release)
  check_number(time_limit_s, min = 0)
  check_flag(progress)
  task <- verification_task(release, x, certificates, cells, risk)
  found <- with_progress("Checking", function(tick) {
    verify_task(task, release, time_limit_s, tick, TRUE)
  }, show = progress)
  structure(
    c(found, list(beta = task$risk$beta %||% NA_real_, n_cells = length(task$at_risk),
                  n_margins = length(task$sets), time_s = work_seconds() - begin)),
    class = sdc_class("sdc_release_verification")
  )
}

# The sets first, then what the object says of itself. `optimal`: search optima anew?
verify_task <- function(task, release, seconds, tick, optimal) {
  found <- if (is.null(task$at_risk)) {
    verify_alone(task)
  } else if (is.null(task$certificates)) {
    verify_by_bounds(task, seconds)
  } else {
    verify_by_certificates(task, tick)
  }
  if (inherits(release, "sdc_release") && task$own_rule) {
    claims <- check_claims(release, task, found, optimal, seconds)
    wrong <- claims$claim[claims$status == "false"]
    if (found$verified && length(wrong) > 0) {
      found$verified <- FALSE
      found$fault <- paste("the object's own claims are false:", paste(wrong, collapse = ", "))
    }
    found$claims <- claims
  }
  found[setdiff(names(found), "exact")]
}

# What the check of a release finds, NULL where it is verified. Nothing is taken from the object's
# own word. An object that was taken apart by hand may fail anywhere.
release_fault <- function(x) {
  found <- tryCatch(
    verify_task(verification_task(x, NULL, NULL, NULL, NULL), x, 60, NULL, FALSE),
    error = function(cnd) list(verified = FALSE, fault = "its parts do not fit each other")
  )
  if (!isTRUE(found$verified)) found$fault
}

check_release_holds <- function(x, must, advice) {
  fault <- release_fault(x)
  if (!is.null(fault)) {
    abort_sdc("refused", c(must, x = "The check of this one found: {fault}.", i = advice))
  }
}

# The table, its cells at risk, the released sets and beta; nothing of it taken from a search.
verification_task <- function(release, x, certificates, cells, risk) {
  chosen <- inherits(release, "sdc_release")
  if (!chosen && (is.null(x) || is.null(risk))) {
    abort_sdc("input", c(
      "{.arg release} must be an {.cls sdc_release}, or {.arg x} and {.arg risk} must be given.",
      x = "{.arg release} is {.obj_type_friendly {release}}."
    ))
  }
  own_rule <- is.null(risk) && is.null(cells)
  risk <- check_made_rule(check_release_risk(risk %||% release$risk))
  if (!is.null(cells)) risk <- risk_width(check_release_risk(risk, "width")$beta, cells = cells)
  own <- if (inherits(risk, "sdc_risk_np")) own_magnitude else own_table
  task <- bare_problem(x %||% own(release), risk, searched = FALSE)
  variables <- task$variables
  if (chosen) check_same_variables(variables, release$problem$variables)
  if (inherits(release, "sdc_margins")) {
    release <- lapply(unclass(release), function(table) names(table$dimnames))
  }
  sets <- if (chosen) release$sets else sub_table_sets(release, variables, "release", task$steps)
  check_own_sets(sets, length(variables))
  check_level_sets(sets, task$steps)
  if (chosen) certificates <- certificates %||% release$certificates
  if (!is.null(certificates)) check_class(certificates, "sdc_certificates")
  c(task, list(sets = sets, own_rule = own_rule, certificates = certificates,
               claimed_width = if (chosen && own_rule) claimed_width(release)))
}

# What an object that cannot be trusted says of its width: how far it is to be looked at.
claimed_width <- function(release) {
  claimed <- unlist(release$width)
  claimed <- if (is.numeric(claimed)) claimed[is.finite(claimed)]
  if (length(claimed) > 0) min(max(claimed), 2^53)
}

# The table of an object that cannot be trusted.
own_table <- function(release) {
  x <- release$problem$x
  counts <- x$counts
  ok <- inherits(x, "sdc_table") && is.numeric(counts) && !anyNA(counts) &&
    all(counts > 0 & counts <= 2^53 & counts == floor(counts)) &&
    all(lengths(x$dimnames) > 0) && !anyDuplicated(names(x$dimnames))
  if (!ok) abort_no_own_table()
  x
}

own_magnitude <- function(release) {
  x <- release$problem$magnitude
  levels <- lengths(x$dimnames)
  n <- length(x$cell)
  fits <- function(part, length, most) {
    is.numeric(part) && length(part) == length && !anyNA(part) && all(part >= 0 & part <= most)
  }
  ok <- inherits(x, "sdc_magnitude") && length(levels) > 0 && all(levels > 0) &&
    !anyDuplicated(names(x$dimnames)) && fits(x$cell, n, prod(levels)) && all(x$cell >= 1) &&
    fits(x$start, n + 1, length(x$value)) && !is.unsorted(x$start) &&
    x$start[n + 1] == length(x$value) && length(x$holder) == length(x$value) &&
    is.numeric(x$value) && !anyNA(x$value)
  if (!ok) abort_no_own_table()
  x
}

abort_no_own_table <- function() {
  abort_sdc("input", c(
    "{.arg release} must hold the table that it was made of.",
    x = "Its table is damaged."
  ))
}

# The sets of an object that cannot be trusted.
check_own_sets <- function(sets, k) {
  ok <- is.list(sets) && length(sets) > 0
  good <- vapply(if (ok) sets else list(), function(set) {
    is.numeric(set) && all(set %in% seq_len(k)) && !anyDuplicated(set)
  }, NA)
  if (!ok || !all(good)) {
    abort_sdc("input", c(
      "{.arg release} must hold sets of variables, as numbers from 1 to {k}.",
      x = if (!ok) "It holds no sets." else
        "Set {which(!good)[1]} holds another value, or a number twice."
    ))
  }
}

check_same_variables <- function(found, wanted) {
  if (!identical(found, wanted)) {
    abort_sdc("input", c(
      "{.arg x} must have the variables of the release, in their order.",
      x = "It has {.val {found}}, the release {.val {wanted}}."
    ))
  }
}

# Rules that judge each sub-table alone: what holds of a table holds of all its margins.
verify_alone <- function(task) {
  safe <- vapply(task$sets, function(set) is_safe_alone(task, set), NA)
  first <- if (!all(safe)) labels_in(task, task$sets[!safe][1])
  new_verification("each alone", if (all(safe)) 0 else 8, sum(!safe), NA_real_, first)
}

# Are there the parts that the core reads, of their types and whole?
is_whole_certificate <- function(x) {
  x <- unclass(x)
  whole <- function(part) {
    is.numeric(part) && !anyNA(part) && all(is.finite(part)) && all(part == floor(part))
  }
  is.list(x) && all(c("keys", "start", "target", "cell", "by") %in% names(x)) && is.raw(x$keys) &&
    whole(x$start) && whole(x$target) && whole(x$cell) && whole(x$by)
}

verify_by_certificates <- function(task, tick) {
  if (!is_whole_certificate(task$certificates)) {
    return(new_verification("certificates", 1, length(task$at_risk), NA_real_, NULL))
  }
  found <- check_by_blocks(task, tick)
  margin <- if (found$fault == 4) {
    if (found$margin == 0) "(total)" else
      labels_in(task, task$sets[found$margin])
  }
  new_verification("certificates", found$fault, found$n_failed,
                   if (found$least_width < 0) NA_real_ else found$least_width, margin)
}

# Workers check the certificates of the cells at risk in blocks. The first fault is that of the
# first block that has one.
check_by_blocks <- function(task, tick) {
  n <- length(task$at_risk)
  blocks <- if (has_workers()) max(1, min(2 * n_workers(), n %/% least_block())) else 1
  if (blocks == 1) {
    return(ask_checker(task, task$at_risk, tick))
  }
  shared <- task[c("x", "at_risk", "sets", "risk", "certificates")]
  ends <- floor(n * seq(0, blocks) / blocks)
  items <- Map(c, ends[-length(ends)] + 1, ends[-1])
  found <- work_apply(items, check_block, shared, tick = tick)
  of <- function(name) vapply(found, `[[`, 0, name)
  first <- found[[c(which(of("fault") != 0), 1)[1]]]
  widths <- of("least_width")
  list(fault = first$fault, margin = first$margin, n_failed = sum(of("n_failed")),
       least_width = if (any(widths >= 0)) min(widths[widths >= 0]) else -1)
}

# A block is worth the trip to a worker from so many cells on.
least_block <- function() getOption("sdcLattice.least_block", 500)

check_block <- function(block, ready, tick) {
  ask_checker(ready, ready$at_risk[seq(block[1], block[2])], NULL)
}

# `task`: a table, released sets, a rule and certificates.
ask_checker <- function(task, at_risk, tick) {
  x <- task$x
  with_core(
    cpp_check_certificates(dim(x), x$keys, x$counts, at_risk, task$sets, task$risk$beta,
                           task$certificates, default_threads(), tick)
  )
}

verify_by_bounds <- function(task, time_limit_s) {
  until <- work_seconds() + time_limit_s
  beta <- task$risk$beta
  tables <- margins(without_levels(task$x), names_in(task, task$sets))
  release <- read_release(released_tables(tables), task$x$dimnames)
  closed <- !any(release$structure$kinds == "open")
  # from where on the interval of a cell need not be known better: the required width, or more than
  # the release claims; intervals of parts say nothing of that of the whole
  whole <- length(release$structure$components) <= 1
  style <- list(method = "auto", solver = "exact", seconds = time_limit_s, max_cells = 5e7,
                progress = FALSE, truth = task$x,
                enough = if (whole) max(beta, task$claimed_width + 1, na.rm = TRUE) else Inf)
  found <- mark_points(bound_by_components(release, asked_at_risk(task), style))
  width <- found$upper - found$lower
  narrow <- width < beta
  wide <- found$sharp | (found$most - found$least >= beta) %in% TRUE
  if (!any(narrow) && !all(wide)) {
    return(verify_by_width(task, max(0, until - work_seconds()), sum(!wide)))
  }
  attained <- min(ifelse(found$sharp, width, found$most - found$least))
  new_verification(if (closed) "closed form" else "bounds", if (any(narrow)) 6 else 0, sum(narrow),
                   attained, NULL, exact = identical(attained, min(width)))
}

# Counts that tables with the released margins attain prove a width where bounds stay open.
verify_by_width <- function(task, time_limit_s, n_open) {
  style <- list(seconds = time_limit_s, max_cells = 20000, progress = FALSE)
  found <- measure_width(task, task$sets, style)
  fault <- if (found$outer < task$risk$beta) 6 else if (found$inner < task$risk$beta) 7 else 0
  new_verification("attained counts", fault, if (fault == 0) 0 else n_open, found$inner, NULL,
                   exact = found$exact)
}

# By the number that the core gives.
verification_faults <- c(
  NA, "the certificates are damaged", "a cell at risk has no certificate",
  "a table of a certificate has a negative count",
  "a table of a certificate differs in a released margin",
  "the two tables of a certificate differ by too little at the cell",
  "bounds hold a cell at risk more narrowly than the rule allows",
  "the search found no proof either way, within the limits of time and size",
  "a sub-table breaks the rule by itself"
)

new_verification <- function(how, fault, n_failed, width, margin, exact = FALSE) {
  list(verified = fault == 0, refuted = fault %in% c(6, 8), how = how, width = width,
       n_failed = n_failed, fault = verification_faults[[fault + 1]],
       margin = margin %||% NA_character_, exact = exact)
}

#' Look at the check of a release
#'
#' @param x (sdc_release_verification) What [verify_release()] found.
#' @param ... Not used.
#' @param row.names,optional Ignored; present for compatibility with [data.frame()].
#' @return `as.data.frame()`: one row. `summary()`: the object itself. `format()`: a character
#'   vector.
#' @family release
#' @name sdc_release_verification-methods
#' @examples
#' check <- verify_release(c("A:B", "B:C", "D", "E", "F"), czech_workers, risk = risk_width(3))
#' check
#' as.data.frame(check)
NULL

#' @rdname sdc_release_verification-methods
#' @export
format.sdc_release_verification <- function(x, ...) {
  by <- c(certificates = "two explicit tables for each cell, with the released margins recomputed",
          "closed form" = "the closed form of decomposable releases",
          bounds = "bounds of each cell, in whole numbers",
          "attained counts" = "counts that tables with the released margins attain",
          "each alone" = "each released sub-table judged alone")[[x$how]]
  c(
    if (x$verified) "VERIFIED" else if (x$refuted) "NOT SAFE" else "NOT VERIFIED",
    if (!is.na(x$beta)) {
      paste0("rule: width of at least ", format_count(x$beta), " for ", plural(x$n_cells, "cell"),
             " at risk, ", plural(x$n_margins, "released margin"))
    },
    paste0("how: ", by),
    if (!is.na(x$width)) paste0("least width ", if (!x$verified) "of what holds ", "or more: ",
                                format_count(x$width)),
    if (!x$verified) paste0("first: ", x$fault, if (!is.na(x$margin)) paste0(" (", x$margin, ")")),
    if (x$n_failed > 0) {
      paste0("fails for ", plural(x$n_failed, if (is.na(x$beta)) "sub-table" else "cell"))
    },
    claim_words(x$claims)
  )
}

#' @rdname sdc_release_verification-methods
#' @export
as.data.frame.sdc_release_verification <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  columns <- c("verified", "refuted", "how", "beta", "width", "n_cells", "n_failed", "n_margins",
               "fault", "margin", "time_s")
  list2data_frame(unclass(x)[columns], 1)
}
