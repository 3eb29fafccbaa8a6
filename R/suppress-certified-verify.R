# The check of certified suppressions.

#' Check a certified suppression
#'
#' Works out anew whether the cells that [suppress()] chose with `method = "certified"` or
#' `"optimal"` protect every primary cell, by code that shares nothing with the search. [publish()]
#' does the same before it releases such a table.
#'
#' @details
#' **What a certificate is.** Another table of whole numbers with the same published cells and
#' totals. A reader of the publication cannot tell it from the true one. Where the two differ in a
#' primary cell, the publication does not give its count away. No argument about equations over real
#' numbers proves this; an explicit table does.
#'
#' **Magnitudes** are checked alike, in whole units of the data: no total below 0 instead of at
#' least 1; for each primary cell the levels that its rules ask for; for each contributor what she
#' must still reckon with, among the tables that agree with what she knows; and that no sum of
#' suppressed cells which follows from the published totals is sensitive, by the linear programmes
#' of [audit()][audit.sdc_magnitude_suppression].
#'
#' **What is checked**, from the original table, the status of the cells and the certificates alone:
#' * the labels, counts and status in `$cells` follow from the original table and the rule, and no
#'   primary cell is published;
#' * with `groups`, every group of people that would be given away to a reader has a suppressed
#'   zero, or the count of the one who would learn it is primary;
#' * every certificate has the published count in each published cell and total, where all totals
#'   are added up anew; at least 1 in each suppressed one, as readers see that zeros are published,
#'   or at least 0 with `protectZeros = TRUE`; and no negative count in a cell that no crossing
#'   shows;
#' * for each primary cell the certificates reach the `width` that was asked for: the difference
#'   between the largest and the least count in all these tables, the original among them;
#' * for each person who is alone in a cell the certificates that leave her own counts as they are
#'   reach it too, in every primary cell but her own; and for each pair of people, if pairs were
#'   asked for, those that leave alone what the two know together;
#' * for readers who know the method, if they were asked for, the certificates that keep the status
#'   of every cell by the original table and `maxN` do both;
#' * the list `$lacking` names just those cells and people for which this fails; and the stated cost
#'   is that of the secondary cells.
#'
#' That the choice looked at no count, and that the level of a choice for readers who know the
#' method was decided by what is published, is not checked: give the key back to [suppress()], with
#' such a table, to see it.
#'
#' That no pattern costs less, or how many secondary cells are necessary, is not checked. Protection
#' does not depend on it.
#'
#' @param x (sdc_suppression) What [suppress()] returned with `method = "certified"` or `"optimal"`.
#' @param table (sdc_table, or what [as_sdc_table()] takes; of magnitudes sdc_magnitude; or `NULL`)
#'   Your own copy of the original table, to compare with the one inside `x`.
#' @param object (sdc_suppression_verification) The check.
#' @param row.names,optional Ignored; present for compatibility with [data.frame()].
#' @param ... Not used.
#' @return An object of class `sdc_suppression_verification`, which is **confidential**: a list with
#'   * `verified` (flag): is every primary cell certified for every reader, and does all that the
#'     object says hold?
#'   * `faults`: in words, what does not hold;
#'   * `certificates`: their number;
#'   * `cells`: a data frame with a row for each primary cell: the variables, `freq`, `least` and
#'     `most` (the counts that the tables attain), `width`, and a flag for each kind of reader; of
#'     magnitudes `total` instead of `freq`, and `need_least` and `need_most` instead of `width`;
#'   * `readers`: a data frame: `reader`, `readers` (how many), `pairs` (of a reader and a cell that
#'     she must not learn), `lacking` (pairs without certificates);
#'   * `claims`: a data frame: `claim` and `status`: `"verified"`, `"false"` or
#'     `"claimed, not verified"`.
#'
#'   `as.data.frame()` gives `cells`, `summary()` gives `readers`.
#' @section Errors: `sdc_error_input` when `x` is no suppression, or was made by another method,
#'   which gives no certificates: [audit()] judges those. What was damaged or edited is no error: it
#'   is not verified.
#' @section Guarantee: Exact. A cell that is certified for a reader has at least two counts that are
#'   possible to her, with `width` between them. The converse does not hold: a cell without a
#'   certificate may be protected.
#' @section Complexity: Proportional to the cells that change in all certificates, times the totals
#'   that hold each of them; and to the table with its totals.
#' @family suppress
#' @export
#' @examples
#' su <- suppress(roehrig, maxN = 3)
#' su
#' verify_suppression(su)
#'
#' # publish one more cell than the certificates allow
#' at <- which(su$cells$sdcStatus == "x")[1]
#' su$cells$sdcStatus[at] <- "s"
#' verify_suppression(su)
verify_suppression <- function(x, table = NULL, ...) {
  check_no_dots(...)
  check_given(x)
  check_class(x, "sdc_suppression")
  check_has_certificates(x)
  if (!is.null(table)) {
    table <- if (of_units(x)) validate_sdc_magnitude(table, "table") else
      table_argument(table, "table")
  }
  found <- tryCatch(verify_certified(x, table), error = function(cnd) {
    list(faults = "A part of the object cannot be read.")
  })
  new_suppression_verification(found)
}

check_has_certificates <- function(x) {
  if (is_certified(x)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "Only a suppression with certificates can be verified by them.",
    x = if (is.character(x$method)) "The cells of this one were chosen {chosen_by(x)}.",
    i = "{.fn audit} finds out what readers know of it. {.code method = \"certified\"} makes
         certificates."
  ))
}

# `table`: the user's copy of the original.
verify_certified <- function(x, table = NULL) {
  fault <- suppression_fault(x)
  if (!is.null(fault)) {
    return(list(faults = paste(fault, "does not agree with the original table and the rule.")))
  }
  if (!is.null(damaged_field(x)) || !certificates_fit(x) || !wishes_fit(x)) {
    return(list(faults = "The certificates are damaged."))
  }
  changed <- changed_cells(x)
  wrong <- (if (of_units(x)) unit_certificate_faults else certificate_faults_of)(x, changed)
  prove <- if (of_units(x)) proved_units else proved_intervals
  proved <- prove(x, changed[wrong[changed$certificate] == 0, ])
  implied <- implied_sums(x)
  claims <- checked_claims(x, proved$open, implied)
  list(
    faults = c(
      if (!is.null(table) && !same_table(x$original, table)) {
        "The table inside the object is not the one that was given."
      },
      shown_fault(sum(is_shown(x))), implied_faults(x, implied), status_faults(x),
      group_faults(x), wrong_certificates(wrong),
      open_faults(proved$open, kinds_of(of_units(x), x$coalition)),
      paste0("The object's own claim is false: ", claims$claim[claims$status == "false"], ".",
             recycle0 = TRUE),
      if (!identical(x$seal, seal_of(suppression_kind(x), suppression_parts(x)))) {
        "The object was changed after it was made."
      }
    ),
    units = of_units(x), together = x$coalition, certificates = length(wrong),
    cells = certified_cells(x, proved), readers = asked_readers(proved), claims = claims
  )
}

# What fields must be beside each other.
wishes_fit <- function(x) {
  pairs <- "coalition" %in% x$readers
  of_units(x) ||
    (!pairs || "contributor" %in% x$readers && !"method" %in% x$readers) &&
    (!is.null(x$coalition)) == (pairs && !is.null(x$groups)) &&
    (!"method" %in% x$readers || value_free_fits(x) && is.null(x$left_out))
}

same_table <- function(x, y) {
  if (!is_sdc_table(x)) {
    return(identical(magnitude_parts(x), magnitude_parts(y)))
  }
  identical(x$dimnames, y$dimnames) && identical(x$keys, y$keys) && identical(x$counts, y$counts)
}

shown_fault <- function(n) {
  if (n > 0) paste0(plural(n, "primary cell"), " ", is_are(n), " published.")
}

wrong_certificates <- function(wrong) {
  told <- c("another count in a published cell or total",
            "a count below the least that readers reckon with")
  unlist(lapply(1:2, function(k) {
    n <- sum(wrong == k)
    if (n > 0) paste0(plural(n, "certificate has", "certificates have"), " ", told[k], ".")
  }))
}

# `names`: of the kinds of readers.
open_faults <- function(open, names) {
  kinds <- unique(open$reader)
  vapply(kinds, function(kind) {
    n <- length(unique(open$row[open$reader == kind]))
    if (kind == "sum") {
      return(paste0("Sums of suppressed cells that follow from published totals are sensitive, or ",
                    "may be."))
    }
    paste0(plural(n, "primary cell"), " ", is_are(n), " not certified for ", names[[kind]], ".")
  }, "", USE.NAMES = FALSE)
}

# What the object says of itself besides.
checked_claims <- function(x, open, implied) {
  known <- is.character(x$further$cost)
  cost <- if (known) {
    own <- asked_cell_costs(x$further$cost, x$further$total_cost, measure_of(x), x$status,
                            x$previous)
    isTRUE(all.equal(x$cost, sum(own[x$cells$sdcStatus == "x"]), tolerance = 1e-9))
  }
  bound <- is.numeric(x$bound) && length(x$bound) == 1 && isTRUE(x$bound <= x$cost * (1 + 1e-9))
  said <- function(ok) if (is.null(ok)) "claimed, not verified" else if (ok) "verified" else "false"
  blind <- "method" %in% x$readers
  claim <- c("what is lacking", "the cost of the secondary cells",
             if (isTRUE(x$optimal)) "no pattern costs less" else "so much is necessary",
             if (!implied$complete) "no small sum of cells that no crossing shows follows",
             if (blind) blind_claim(x))
  status <- c(said(same_lacking(x$lacking, open)), said(cost), said(if (!bound) FALSE),
              if (!implied$complete) said(NULL),
              if (blind) said(if (!isTRUE(x$value_free)) FALSE))
  list2data_frame(list(claim = claim, status = status), length(claim))
}

same_lacking <- function(said, open) {
  words <- function(frame) sort(paste(frame$row, frame$reader, frame$who, frame$with))
  is.data.frame(said) && all(names(open) %in% names(said)) && identical(words(said), words(open))
}

certified_cells <- function(x, proved) {
  if (of_units(x)) {
    return(certified_units(x, proved))
  }
  at <- proved$cells$row
  freq <- x$cells$freq[at]
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], function(column) column[at])
  open <- proved$open
  flags <- lapply(rlang::set_names(names(proved$asked)), function(reader) {
    !at %in% open$row[open$reader %in% up_to_reader(reader)]
  })
  list2data_frame(c(labels, list(
    freq = freq, least = freq + proved$cells$fall, most = freq + proved$cells$rise,
    width = proved$cells$rise - proved$cells$fall
  ), flags), length(at))
}

asked_readers <- function(proved) {
  kinds <- names(proved$asked)
  of <- function(name) vapply(proved$asked, `[[`, 0, name, USE.NAMES = FALSE)
  list2data_frame(list(
    reader = kinds, readers = of("readers"), pairs = of("pairs"),
    lacking = of("lacking")
  ), length(kinds))
}

new_suppression_verification <- function(found) {
  structure(
    c(list(verified = length(found$faults) == 0, faults = as.character(found$faults)),
      found[intersect(c("units", "together", "certificates", "cells", "readers", "claims"),
                      names(found))]),
    class = sdc_class("sdc_suppression_verification", mark = "confidential")
  )
}

# ---- methods ------------------------------------------------------------------------------------

#' @export
format.sdc_suppression_verification <- function(x, ...) {
  check_no_dots(...)
  c(
    if (x$verified) "VERIFIED" else "NOT VERIFIED", x$faults,
    if (!is.null(x$certificates)) paste(
      plural(x$certificates, "table"), "with the same published cells and totals, for",
      plural(nrow(x$cells), "primary cell")
    ),
    reader_lines(x), claim_words(x$claims)
  )
}

reader_lines <- function(x) {
  readers <- x$readers
  if (is.null(readers)) {
    return(NULL)
  }
  counted <- readers$reader != "outsider"
  alone <- if (isTRUE(x$units)) "single contributors" else "people who are alone in a cell"
  pairs <- is.null(x$together)
  nobody <- ifelse(readers$reader == "coalition",
                   paste0("no ", if (pairs) "two ", "people know more together"),
                   "nobody is alone in a suppressed cell")
  ifelse(counted & readers$readers == 0, nobody, paste0(
    c(outsider = "readers of the publication", contributor = alone,
      coalition = if (pairs) "pairs of people" else "sets of cells of people who act together",
      method = "readers who know the method")[readers$reader],
    ifelse(counted, paste0(" (", format_count(readers$readers), ")"), ""), ": ",
    format_count(readers$pairs - readers$lacking), " of ", plural(readers$pairs, "interval"),
    " wide enough"
  ))
}

#' @rdname verify_suppression
#' @export
as.data.frame.sdc_suppression_verification <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  if (is.null(x$cells)) {
    abort_sdc("input", c(
      "Only the check of an object that can be read has a row for each primary cell.",
      x = "{x$faults[1]}"
    ))
  }
  x$cells
}

#' @rdname verify_suppression
#' @export
summary.sdc_suppression_verification <- function(object, ...) {
  check_no_dots(...)
  if (is.null(object$readers)) object else object$readers
}
