# What two years of a table tell together. Whoever knows how far a count can change from one year to
# the next has one system of equations for both tables: that of each, and a row for each cell of the
# table itself that is suppressed in both, which says how far it can change. A cell that is
# suppressed in one year alone lies within the reach of the count that the other year publishes.

#' What two years of a suppressed table tell together
#'
#' A suppressed count need not have changed much since last year. `audit_years()` looks at the
#' publications of two years as a reader would who has both, and knows how far a count of the table
#' can change: for each suppressed cell and total it gives the interval by its own year alone, and
#' by both.
#'
#' @details
#' Each year has the system of [audit()][audit.sdc_suppression]: counts are whole and not negative,
#' and totals add up. `change` says of each cell of the table itself (not of totals, whose changes
#' follow) how far this year's count can be below and above last year's: `change = 2` is at most 2
#' either way, `c(0, Inf)` that people only enter, and `c(-Inf, 0)` that they only leave. Most is
#' learned where a cell is published in one year and suppressed in the other: its suppressed count
#' lies within reach of the published one. [suppress()] with `previous` has many cells suppressed in
#' both years.
#'
#' Cells are the same where their labels are; what only one year has is not linked. The reader is
#' everybody who has the publications; what somebody knows as she is alone in a cell is not added.
#'
#' @param x,previous (sdc_suppression or sdc_suppressed, of counts) This year's table and last
#'   year's: what [suppress()] returned, or its publication.
#' @param change (whole number >= 0, or two numbers) How far a count can change from last year to
#'   this year: down and up by at most so much, or the least and the largest change, which may be
#'   infinite.
#' @param time_limit_s (number, seconds of processor time) How long each of three searches for
#'   intervals may take: last year's alone, this year's alone, and both.
#' @param progress (flag) Show a progress bar?
#' @param object (sdc_years_audit) The audit.
#' @param row.names,optional Ignored; present for compatibility with [data.frame()].
#' @param ... Not used.
#' @return An object of class `sdc_years_audit`, **confidential** unless both tables are
#'   publications: a list with `cells`, `change` (the least and the largest), and `asked`, how wide
#'   the interval of a primary cell of each year must be: the `width` of a certified suppression,
#'   and 1 for others.
#'
#'   `as.data.frame()` gives `cells`, a row for each suppressed cell or total of each year: `year`
#'   (`"last"` or `"this"`), the variables, `lower_alone` and `upper_alone` (by its own year),
#'   `lower` and `upper` (by both), `sharp`, `known` (exactly, by both), `primary` (`NA` for a
#'   publication) and `protected`: is the interval of a primary cell as wide as asked? `NA` for
#'   other cells, and where the time did not do. `summary()` gives a data frame of numbers for each
#'   year: of `suppressed` cells, of those known by the year `alone` and by `both`, of those whose
#'   interval is `narrower` by both, of `primary` cells, and of those among them that are not
#'   protected (`failing`) or of which the time did not tell (`unsure`).
#' @section Errors:
#' `sdc_error_input` for magnitudes, for tables made with a `formula`, for different variables, and
#' for a `change` that is none; `sdc_error_infeasible` when the two tables differ by more than
#' `change`; `sdc_error_refused` when the cells of a private object were edited. A warning
#' `sdc_warning_outer` when the time ended before all intervals were sharp.
#' @section Guarantee: Exact where `sharp`: both ends are attained by two tables of whole numbers,
#'   each of which agrees with its publication, and which differ by no more than `change`. Other
#'   intervals are outer: what is called known is known.
#' @section Complexity: That of [bounds_margins()], for as many unknowns as both years have
#'   suppressed cells and totals.
#' @template experimental
#' @family suppress
#' @export
#' @examples
#' last <- roehrig
#' this <- last + c(1, 0, 0, 1)
#' before <- suppress(last, maxN = 3)
#' now <- suppress(this, maxN = 3)
#' both <- audit_years(now, before, change = 1)
#' both
#' summary(both)
#'
#' # with last year's cells in mind
#' audit_years(suppress(this, maxN = 3, previous = before), before, change = 1)
audit_years <- function(x, previous, change, time_limit_s = 60,
                        progress = rlang::is_interactive(), ...) {
  check_no_dots(...)
  check_given(x)
  check_given(previous)
  check_given(change)
  change <- check_yearly_change(change)
  check_number(time_limit_s, min = 0)
  check_flag(progress)
  years <- list(last = year_of(previous, "previous"), this = year_of(x, "x"))
  check_years_alike(years)
  pairs <- linked_cells_of_years(years)
  check_within_change(years, pairs, change)
  bounds_of <- function(system, truth) {
    found <- reader_bounds(system, time_limit_s, progress, truth = truth)
    found[c("lower", "upper", "sharp", "attained")]
  }
  alone <- lapply(years, function(year) bounds_of(year$system, year$truth))
  truth <- if (!is.null(years$last$truth) && !is.null(years$this$truth)) {
    c(years$last$truth, years$this$truth)
  }
  both <- bounds_of(system_of_years(years, pairs, change), truth)
  is_private <- !is.null(years$last$primary) || !is.null(years$this$primary)
  structure(
    list(cells = cells_of_years(years, alone, both), change = change,
         asked = c(last = years$last$asked, this = years$this$asked)),
    class = sdc_class("sdc_years_audit", mark = if (is_private) "confidential")
  )
}

# A year as a reader has it: `public`, the `hidden` rows, the `system` of these, and of a private
# object their counts (`truth`) and which are `primary`.
year_of <- function(x, arg) {
  check_is_of_year(x, arg)
  private <- inherits(x, "sdc_suppression")
  if (private) {
    fault <- suppression_fault(x)
    if (!is.null(fault)) abort_edited(fault, "audited")
  }
  check_lists_zeros(x, if (private) x$original$dimnames else x$dimnames, "to audit it")
  public <- if (private) public_suppression(x) else x
  hidden <- which(public$cells$suppressed)
  list(
    public = public, hidden = hidden, system = reader_system(public),
    truth = if (private) x$cells$freq[hidden],
    primary = if (private) x$cells$sdcStatus[hidden] == "u",
    asked = if (private && is_certified(x)) x$width else 1
  )
}

check_is_of_year <- function(x, arg) {
  ok <- inherits(x, c("sdc_suppression", "sdc_suppressed"))
  if (ok && !of_units(x) && is.null(suppression_crossings(x))) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be a suppressed table of counts, or its publication.",
    x = if (!ok) "It is {.obj_type_friendly {x}}." else if (of_units(x)) "It has magnitudes." else
      "It was made with a {.arg formula}, so that not all its cells are published or suppressed."
  ))
}

check_years_alike <- function(years) {
  names <- lapply(years, function(year) names(year$public$dimnames))
  if (!identical(names$last, names$this)) {
    abort_sdc("input", c(
      "{.arg x} and {.arg previous} must have the same variables in the same order.",
      x = "{.arg x} has {.val {names$this}}, and {.arg previous} has {.val {names$last}}."
    ))
  }
}

# Rows of the cells of the table itself that both years have.
linked_cells_of_years <- function(years) {
  inner <- lapply(years, function(year) inner_rows(year$public$cells, year$public$dimnames))
  key <- Map(function(year, rows) {
    codes <- lapply(names(year$public$dimnames), function(v) {
      match(as.character(year$public$cells[[v]][rows]),
            unlist(lapply(years, function(one) one$public$dimnames[[v]])))
    })
    do.call(paste, codes)
  }, years, inner)
  at <- match(key$this, key$last)
  list(last = inner$last[at[!is.na(at)]], this = inner$this[!is.na(at)])
}

# Published counts of both years, and of private tables all counts.
check_within_change <- function(years, pairs, change) {
  freq <- Map(function(year, rows) {
    all <- year$public$cells$freq
    if (!is.null(year$truth)) all[year$hidden] <- year$truth
    all[rows]
  }, years, pairs)
  gap <- freq$this - freq$last
  n <- sum(gap < change[1] | gap > change[2], na.rm = TRUE)
  if (n > 0) {
    abort_sdc("infeasible", c(
      "{.arg change} must be true of the two tables.",
      x = "{n} cell{?s} of the table change{?s/} otherwise from last year to this year."
    ))
  }
}

# The unknowns of last year, then those of this year.
system_of_years <- function(years, pairs, change) {
  n <- length(years$last$hidden)
  at <- Map(function(year, rows) match(rows, year$hidden), years, pairs)
  shown <- Map(function(year, rows) year$public$cells$freq[rows], years, pairs)
  lower <- c(years$last$system$lower, years$this$system$lower)
  upper <- c(years$last$system$upper, years$this$system$upper)
  narrow <- function(unknown, least, most) {
    lower[unknown] <<- pmax(lower[unknown], least)
    upper[unknown] <<- pmin(upper[unknown], most)
  }
  now <- which(is.na(at$last) & !is.na(at$this))
  narrow(n + at$this[now], shown$last[now] + change[1], shown$last[now] + change[2])
  before <- which(!is.na(at$last) & is.na(at$this))
  narrow(at$last[before], shown$this[before] - change[2], shown$this[before] - change[1])
  both <- which(!is.na(at$last) & !is.na(at$this))
  m <- length(both)
  link <- list(
    start = 2 * (0:m), cell = as.integer(rbind(at$last[both], n + at$this[both])),
    coefficient = rep(c(-1, 1), m), lower = rep(change[1], m), upper = rep(change[2], m),
    label = rep("a change between the years", m)
  )
  own <- years$this$system$rows
  own$cell <- as.integer(own$cell + n)
  rows <- join_rows(list(years$last$system$rows, own, link))
  new_constraints(list(cell = as.character(seq_along(lower))), list(seq_along(lower)), lower, upper,
                  rows, c("last year", "this year", "changes"))
}

cells_of_years <- function(years, alone, both) {
  variables <- names(years$last$public$dimnames)
  n <- vapply(years, function(year) length(year$hidden), 0L)
  labels <- lapply(rlang::set_names(variables), function(v) {
    unlist(lapply(years, function(year) as.character(year$public$cells[[v]][year$hidden])),
           use.names = FALSE)
  })
  of_both <- function(field) unlist(lapply(years, `[[`, field), use.names = FALSE)
  primary <- unlist(lapply(years, function(year) year$primary %||% rep(NA, length(year$hidden))),
                    use.names = FALSE)
  asked <- rep(vapply(years, `[[`, 0, "asked", USE.NAMES = FALSE), n)
  end <- function(name) unlist(lapply(alone, `[[`, name), use.names = FALSE)
  # what tables attain is enough, too
  reach <- both$upper - both$lower
  if (!is.null(both$attained)) {
    found <- pmax(both$attained$most - both$attained$least, 0, na.rm = TRUE)
    reach <- ifelse(both$sharp, reach, found)
  }
  protected <- ifelse(reach >= asked, TRUE, ifelse(both$upper - both$lower < asked, FALSE, NA))
  protected[!primary %in% TRUE] <- NA
  list2data_frame(c(
    list(year = factor(rep(names(years), n), names(years))), labels,
    list(lower_alone = end("lower"), upper_alone = end("upper"), lower = both$lower,
         upper = both$upper, sharp = both$sharp, known = both$lower == both$upper,
         primary = as.logical(primary), protected = protected)
  ), sum(n))
}

# ---- methods ------------------------------------------------------------------------------------

#' @rdname audit_years
#' @export
summary.sdc_years_audit <- function(object, ...) {
  check_no_dots(...)
  cells <- object$cells
  count <- function(flag) as.vector(tapply(flag %in% TRUE, cells$year, sum, default = 0L))
  data.frame(
    year = levels(cells$year), suppressed = count(rep(TRUE, nrow(cells))),
    alone = count(cells$lower_alone == cells$upper_alone), both = count(cells$known),
    narrower = count(cells$upper - cells$lower < cells$upper_alone - cells$lower_alone),
    primary = count(cells$primary), failing = count(!cells$protected),
    unsure = count(cells$primary & is.na(cells$protected))
  )
}

#' @rdname audit_years
#' @export
as.data.frame.sdc_years_audit <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  x$cells
}

#' @export
format.sdc_years_audit <- function(x, ...) {
  check_no_dots(...)
  found <- summary(x)
  lines <- unlist(lapply(seq_len(nrow(found)), function(i) {
    of <- as.list(found[i, ])
    year <- paste(of$year, "year")
    c(
      if (of$failing > 0) paste0(
        "FAILS: ", if (of$failing == 1) "the interval of " else "the intervals of ",
        plural(of$failing, "primary cell"), " of ", year, " ", is_are(of$failing), " too narrow"
      ),
      if (of$unsure > 0) paste0("FAILS: what readers know of ", plural(of$unsure, "primary cell"),
                                " of ", year, " was not found in time"),
      paste0(year, ": ", format_count(of$both), " of ", plural(of$suppressed, "suppressed cell"),
             " exactly known from both years, ", format_count(of$alone), " from that year alone; ",
             format_count(of$narrower), " with narrower intervals")
    )
  }))
  failing <- startsWith(lines, "FAILS")
  c(lines[failing], change_words(x$change), lines[!failing],
    if (!all(x$cells$sharp)) paste0("outer intervals: ", format_count(sum(!x$cells$sharp)),
                                    ", which may be known better"))
}

story.sdc_years_audit <- function(x) {
  c(
    "A reader who has the publications of two years, and knows how far a count can change, has one
     system of equations for both.",
    as_sentences(format(x))
  )
}
