# How a proposal and what was protected are shown and explained.

#' Look at a proposal
#'
#' `print()` says what is at risk, what each plan does to the table, and which one is proposed and
#' why. It shows numbers of cells, and no count of the table. `as.data.frame()` has a row for each
#' plan; `summary()` a row for each risk.
#'
#' @param x,object (sdc_proposal) What [protect()] proposed.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param ... Not used.
#' @return `as.data.frame()`: `plan`; `known`, the share of small counts that are exactly known;
#'   `guess`, the mean probability that an intruder's best guess of a small count is right; `loss`,
#'   the Hellinger distance between the original and what a user takes for it; `change`, the mean
#'   absolute change of a cell; `hidden`, the share of cells that are not shown; `note`, why a
#'   figure is missing. Of several tables `known` is the share of the cells at risk that readers of
#'   all tables know exactly, differences among them; `guess` is that of somebody who has all tables
#'   (where `note` says so, a lower bound); and `loss` is not measured. Of
#'   magnitudes `known` is the share of the sensitive cells of which, by [audit()], some reader
#'   estimates a contributor more closely than the rules allow; `loss` compares the cells with what
#'   a user takes for them: the middle of the interval of a hidden one, and equal parts of a merged
#'   one; and `guess` is not measured.
#'   `summary()`: `risk`, `n` (cells, or groups), `of` (how many there are),
#'   `why`.
#' @family guide
#' @name sdc_proposal-methods
#' @examples
#' proposal <- protect(roehrig, replicates = 2)
#' summary(proposal)[c("risk", "n", "of")]
#' as.data.frame(proposal)[c("plan", "known", "guess", "loss")]
NULL

#' @rdname sdc_proposal-methods
#' @export
as.data.frame.sdc_proposal <- function(x, row.names = NULL, optional = FALSE, ...,
                                       stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_proposal(x)
  x$figures
}

#' @rdname sdc_proposal-methods
#' @export
summary.sdc_proposal <- function(object, ...) {
  check_no_dots(...)
  check_proposal(object)
  object$risks
}

#' @rdname sdc_proposal-methods
#' @export
format.sdc_proposal <- function(x, ...) {
  check_no_dots(...)
  check_proposal(x)
  several <- tables_of(x$table)
  c(
    if (!is.null(several)) several_lines(with_titles(several, x$titles), x$table),
    if (is.null(several)) "At risk in this table:" else "At risk in these tables:",
    indent(risk_lines(x$risks)),
    "Plans:", indent(unlist(lapply(names(x$plans), plan_summary, x))),
    if (!is.null(several) && is_sdc_magnitude(x$table)) wrapped(one_plan_words),
    wrapped(if (is.null(x$proposed)) x$reason else
      paste0("Proposed is ", x$proposed, ": ", x$reason)),
    if (!is.null(x$proposed)) c(
      paste0("To do it: protect(proposal, plan = \"", x$proposed, "\"), which is the same as"),
      indent(x$code[[x$proposed]])
    )
  )
}

one_plan_words <- paste(
  "There is no other plan for several tables of magnitudes: redistribution would publish cells",
  "inside that no table shows, and a coarser table would have to be one for each of them."
)

several_lines <- function(tables, x) {
  over <- vapply(tables, function(one) set_title(one$variables), "")
  named <- ifelse(names(tables) == over, over, paste0(names(tables), " (", over, ")"))
  list <- paste(named, collapse = "; ")
  wrapped(say(
    if (is_put_together(x)) "{length(tables)} table{?s} of the same people, protected together:
      {list}. They do not say who of one table is who of another, so that people who are alone in
      cells of several tables are judged by one possible way." else "{length(tables)} table{?s} of
      the same people, protected together: {list}."
  ))
}

indent <- function(lines) paste0("  ", lines)

wrapped <- function(text) strwrap(text, 90, exdent = 2)

risk_lines <- function(risks) {
  unlist(Map(function(risk, n, of, why) {
    wrapped(say(if (is.na(n)) "{risk}: not looked for, as the tables are too large." else
      if (n > 0) "{risk}: {n} of {of}. {why}" else "{risk}: {n} of {of}"))
  }, risks$risk, risks$n, risks$of, risks$why), use.names = FALSE)
}

plan_summary <- function(name, x) {
  row <- x$figures[x$figures$plan == name, ]
  mark <- if (identical(name, x$proposed)) "* " else "- "
  wrapped(paste0(mark, name, ": ", plan_words(x$plans[[name]]), ". ",
                 plan_figure_words(row, isTRUE(x$compared), x$plans[[name]]$kind)))
}

# What an intruder learns and a user loses, in words; or why that is not known.
plan_figure_words <- function(row, compared, kind) {
  if (failed_plans(row)) {
    return(paste0("It cannot be carried out: ", row$note))
  }
  at_least <- if (is_lower_bound(row)) "at least " else ""
  off <- format_number(row$change)
  known <- if (kind == "magnitudes") {
    "of the sensitive cells let somebody estimate a contributor too closely"
  } else {
    "of the small counts are exactly known"
  }
  words <- say(
    if (!is.na(row$known)) "{percent(row$known)} {known}",
    if (!is.na(row$guess)) "the best guess of one is right with probability
      {at_least}{percent(row$guess)}",
    if (!is.na(row$hidden) && row$hidden > 0) "{percent(row$hidden)} of the cells are hidden",
    if (!is.na(row$change)) if (compared) "what users take for a value is {off} off on average" else
      "what is shown is {off} off on average"
  )
  paste0(if (length(words) > 0) paste0(first_capital(paste(words, collapse = "; ")), "."),
         if (compared && is.na(row$guess)) {
           paste0(" What an intruder guesses is not known: ", row$note)
         })
}

#' Look at what was protected
#'
#' `print()` says what was done, what was checked, and the lines of R that do the same; of small
#' tables that were rounded or perturbed also how many counts the people in the cells know exactly,
#' from the publication and from knowing that they are there.
#' `as.data.frame()` has each published cell and total before and after: **private**.
#'
#' @param x (sdc_protected) What [protect()] returned.
#' @inheritParams sdc_proposal-methods
#' @return `as.data.frame()`: the labels, `original`, `published` (`NA` where it is hidden), `total`
#'   (is it a total?).
#' @family guide
#' @name sdc_protected-methods
#' @examples
#' done <- protect(roehrig, plan = "suppression")
#' head(as.data.frame(done), 4)
NULL

#' @rdname sdc_protected-methods
#' @export
as.data.frame.sdc_protected <- function(x, row.names = NULL, optional = FALSE, ...,
                                        stringsAsFactors = FALSE) {
  check_no_dots(...)
  cells <- before_after(x$protected)
  check_free_names(cells$labels, c("original", "published", "total"))
  list2data_frame(c(cells$labels, cells[c("original", "published", "total")]),
                  length(cells$original))
}

#' @rdname sdc_protected-methods
#' @export
format.sdc_protected <- function(x, ...) {
  check_no_dots(...)
  cells <- before_after(x$protected)
  people <- people_line(x, cells)
  c(
    wrapped(paste0("Done: ", plan_words(x$plan), ".")), wrapped(cell_sums_words(cells)),
    if (rlang::is_string(x$said)) wrapped(x$said),
    if (!is.null(people)) wrapped(people),
    "In R:", indent(x$code),
    "`published` is public and was verified; `protected` is private.",
    "A report: write_report(x, \"folder\"), or with audience = \"public\" for readers."
  )
}

# How many cells are hidden and changed, in a sentence.
cell_sums_words <- function(cells) {
  changed <- sum(cells$published != cells$original, na.rm = TRUE)
  say("Of {length(cells$original)} published cell{?s} and totals {sum(is.na(cells$published))}
       {?is/are} hidden and {changed} {?is/are} changed.")
}

#' @export
format.sdc_plan <- function(x, ...) {
  check_no_dots(...)
  c(paste0(x$name, ", for ", guide_kinds[[x$kind]]), plan_words(x))
}

story.sdc_proposal <- function(x) c(format(x))

story.sdc_protected <- function(x) {
  c(paste0("The method was: ", plan_words(x$plan), "."), cell_sums_words(before_after(x$protected)),
    "Publish `published` and nothing else of this object.")
}

story.sdc_plan <- function(x) paste0("The plan is to ", plan_words(x), ".")
