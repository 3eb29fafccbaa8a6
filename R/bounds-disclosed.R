#' Cells that a release gives away, and why
#'
#' Lists the cells whose count is known exactly, or to within a width, from [bounds_margins()] or
#' [bounds_conditional()], the narrowest first, and says in words which published figures pin them.
#'
#' # At risk
#' Bounds know what is released, not the counts. `at_risk` names the counts that must not become
#' known. With the confidential table as `x`, exactly the cells with such counts are looked at, and
#' the summary gives, for each count, how many cells have it and how many of them are given away.
#' Without `x` a cell is listed when its interval holds one of these counts: an intruder cannot
#' exclude it.
#'
#' # Reasons
#' A limit is explained by the one published sum that implies it by itself, given what the release
#' implies of the other cells: of a margin, or of any row of [constraints()]. In a decomposable
#' release the lower limit is what the cliques show less what their separators show. A limit that
#' follows only from several sums together is said to be so. Conditional rates are explained by the
#' row totals that they leave.
#'
#' Cells whose own count is published, as most are beside suppressed ones, are no findings: without
#' `at_risk` they are left out.
#'
#' @param bounds (sdc_bounds) the bounds.
#' @param width (whole number >= 0) list the cells with `upper - lower <= width`.
#' @param at_risk (whole numbers or `NULL`) the counts that matter; `NULL`: all.
#' @param x (sdc_table, table, array or `NULL`) the confidential table, of the same variables and
#'   levels. **With it the result is confidential.**
#' @param reasons (whole number) for how many cells, from the first on, reasons are given.
#' @return A data frame of class `sdc_disclosed`: the variables, `lower`, `upper`, `sharp`,
#'   `reason`; with `x` also `count`. `summary()` of it gives a data frame with a row for each
#'   count value: `count`, `cells`, `disclosed`, `share`. Without `x` the counts are those of the
#'   cells known exactly, and `cells` is not known.
#' @section Errors: `sdc_error_input` when `bounds` is not an `sdc_bounds` object, a width or count
#'   is not a whole number, or `x` has other variables or levels, or when a true count lies outside
#'   its bounds (the bounds are of another table).
#' @section Guarantee: Every cell listed as known is indeed known: the bounds are always valid.
#'   Outer bounds (see `sharp`) may miss a disclosure but never report a false one.
#' @family bounds
#' @export
#' @examples
#' cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
#' cells$suppressed <- cells$row %in% c("1", "4") & cells$column %in% c("2", "4")
#' b <- bounds_margins(constraints(cells))
#' disclosed(b, width = 2, at_risk = 1:2)
#' summary(disclosed(b, width = 2, at_risk = 1:2, x = roehrig))
disclosed <- function(bounds, width = 0, at_risk = NULL, x = NULL, reasons = 100) {
  check_class(bounds, "sdc_bounds", make = "bounds_margins")
  check_whole(width, min = 0, max = 2^53)
  check_whole(reasons, min = 0)
  check_at_risk(at_risk)
  counts <- if (!is.null(x)) true_counts(bounds, x)
  open <- !published_cells(bounds) | !is.null(at_risk)
  at <- disclosed_cells(bounds, width, at_risk, counts)
  at <- at[open[at]]
  columns <- list(
    lower = bounds$lower[at], upper = bounds$upper[at], sharp = bounds$sharp[at],
    reason = reason_words(bounds, at, reasons)
  )
  if (!is.null(counts)) columns$count <- counts[at]
  check_free_names(bounds$dimnames, names(columns))
  labels <- lapply(code_factors(bounds), function(f) f[at])
  structure(
    list2data_frame(c(labels, columns), length(at)),
    class = sdc_class(
      "sdc_disclosed", mark = if (!is.null(counts)) "confidential", of = "data.frame"
    ),
    width = width, at_risk = at_risk, n = sum(open), published = sum(!open),
    total = if (!is.null(counts)) count_values(counts[open], at_risk)
  )
}

check_at_risk <- function(at_risk) {
  ok <- is.null(at_risk) || (is.numeric(at_risk) && length(at_risk) > 0 && !anyNA(at_risk) &&
    all(at_risk == floor(at_risk) & at_risk >= 0 & at_risk <= 2^53))
  if (!ok) {
    abort_sdc("input", c(
      "{.arg at_risk} must be counts: whole numbers from 0 on.",
      x = if (length(at_risk) > 1 && is.numeric(at_risk)) {
        "{describe_first(at_risk, at_risk >= 0 & at_risk <= 2^53 & at_risk == floor(at_risk))}"
      } else {
        "{describe(at_risk)}"
      }
    ))
  }
}

# The counts of the bounded cells in the confidential table.
true_counts <- function(bounds, x) {
  x <- table_argument(x, "x")
  same <- setequal(names(x$dimnames), names(bounds$dimnames))
  if (same) {
    x <- take_margin(x, names(bounds$dimnames), "x")
    same <- identical(lapply(x$dimnames, plain_strings), lapply(bounds$dimnames, plain_strings))
  }
  if (!same) {
    abort_sdc("input", c(
      "{.arg x} must have the variables and levels of the bounds.",
      x = "Those are {.val {names(bounds$dimnames)}}; {.arg x} has others."
    ))
  }
  counts <- counts_at(x, bounds$codes)
  if (any(counts < bounds$lower | counts > bounds$upper)) {
    abort_sdc("input", c(
      "{.arg x} must be the table that the release was made of.",
      x = "Some of its counts lie outside the bounds."
    ))
  }
  counts
}

disclosed_cells <- function(bounds, width, at_risk, counts) {
  apart <- bounds$upper - bounds$lower
  keep <- apart <= width
  if (!is.null(at_risk)) {
    keep <- keep & if (is.null(counts)) holds_some(bounds, at_risk) else counts %in% at_risk
  }
  at <- which(keep)
  at[order(apart[at])]
}

# Does the interval hold one of these counts?
holds_some <- function(bounds, values) {
  values <- sort(values)
  findInterval(bounds$upper, values) > findInterval(bounds$lower - 1, values)
}

count_values <- function(counts, at_risk) {
  if (!is.null(at_risk)) counts <- counts[counts %in% at_risk]
  table(counts)
}

# ---- reasons ----------------------------------------------------------------------------------

reason_words <- function(bounds, at, most) {
  words <- rep(NA_character_, length(at))
  first <- utils::head(at, most)
  found <- if (length(first) == 0) {
    character()
  } else if (!is.null(bounds$totals)) {
    reasons_of_rates(bounds, first)
  } else if (is_sdc_constraints(bounds$release)) {
    reasons_of_rows(bounds, first)
  } else if (!is.null(bounds$release)) {
    reasons_of_margins(bounds, first)
  }
  words[seq_along(found)] <- paste0("because ", found)
  words
}

# Conditional rates: the totals that they leave to the row of a cell.
reasons_of_rates <- function(bounds, at) {
  totals <- bounds$totals
  size <- lengths(totals$dimnames, FALSE)
  codes <- lapply(rlang::set_names(bounds$codes, names(bounds$dimnames)), function(code) code[at])
  n <- length(at)
  row <- match(combine_codes(codes[names(totals$dimnames)], size, n),
               combine_codes(totals$rows, size, length(totals$kind)))
  kind <- totals$kind[row]
  single <- totals$n_totals[kind] == 1
  shown <- ifelse(
    single, paste("only the row total", format_count(totals$first[kind])),
    paste0(format_count(totals$n_totals[kind]), " row totals, from ",
           format_count(totals$first[kind]),
           " to ", format_count(totals$last[kind]))
  )
  ifelse(is.na(row), "there are no rates where the row total is 0",
         paste0("the rates ", row_words(totals)[row], "leave ", shown))
}

row_words <- function(totals) {
  if (length(totals$dimnames) == 0) {
    return("")
  }
  labels <- Map(function(levels, code) levels[code], totals$dimnames, totals$rows)
  paste0("at ", label_words(labels), " ")
}

# Rows of constraints: the row that implies a limit, given the limits of the other cells.
reasons_of_rows <- function(bounds, at) {
  release <- bounds$release
  cell <- cell_numbers(lapply(bounds$codes, function(code) code[at]), release$dimnames)
  all <- release[c("lower", "upper", "rows")]
  known <- cell_numbers(bounds$codes, release$dimnames)
  all$lower[known] <- pmax(all$lower[known], bounds$lower)
  all$upper[known] <- pmin(all$upper[known], bounds$upper)
  found <- cpp_find_reasons(all, cell)
  lower <- row_reason(release, found$lower_row, found$lower, bounds$lower[at], "at least")
  upper <- row_reason(release, found$upper_row, found$upper, bounds$upper[at], "at most")
  both_reasons(lower, upper, bounds$lower[at], bounds$upper[at])
}

row_reason <- function(release, row, limit, wanted, side) {
  out <- rep(together, length(row))
  ok <- !is.na(row) & limit == wanted
  r <- row[ok]
  shown <- if (side == "at most") release$rows$upper[r] else release$rows$lower[r]
  exact <- release$rows$lower[r] == release$rows$upper[r]
  alone <- diff(release$rows$start)[r] == 1
  out[ok] <- paste0(
    set_shows(release$sets[release$rows$set[r]]), " ", ifelse(exact, "", paste0(side, " ")),
    format_count(shown), " at ", release$rows$label[r],
    ifelse(alone, "", paste0(
      ", where the other cells leave ", side, " ", format_count(wanted[ok])
    ))
  )
  out
}

# The names of parts that this package gives end in "cells" or "totals"; a name of the user's is one
# thing.
set_shows <- function(set) {
  several <- grepl("(^| )(rounded|published) (cells|totals)$", set)
  paste(set, ifelse(several, "show", "shows"))
}

# ---- methods ----------------------------------------------------------------------------------

#' @rdname disclosed
#' @param object (sdc_disclosed) what `disclosed()` returned.
#' @param ... not used.
#' @export
summary.sdc_disclosed <- function(object, ...) {
  check_no_dots(...)
  total <- attr(object, "total")
  if (is.null(total)) {
    known <- object$lower[object$lower == object$upper]
    shown <- table(known)
    return(data.frame(
      count = as.numeric(names(shown)), cells = rep(NA_real_, length(shown)),
      disclosed = as.vector(shown), share = rep(NA_real_, length(shown))
    ))
  }
  value <- as.numeric(names(total))
  given <- tabulate(match(object$count, value), length(value))
  data.frame(count = value, cells = as.vector(total), disclosed = given,
             share = given / as.vector(total))
}

#' @export
format.sdc_disclosed <- function(x, ...) {
  width <- attr(x, "width")
  risk <- attr(x, "at_risk")
  paste0(
    "<sdc_disclosed> ", format_count(nrow(x)), " of ", format_count(attr(x, "n")),
    if (isTRUE(attr(x, "published") > 0)) " unpublished", " cells are known ",
    if (width == 0) "exactly" else paste("to within", format_count(width)),
    if (!is.null(risk)) paste0(", at risk: ",
                               paste(format_count(utils::head(risk, 6)), collapse = ", "),
                               if (length(risk) > 6) ", ..."),
    if (!is.null(attr(x, "total"))) " - CONFIDENTIAL: compared with the original table"
  )
}

#' @export
print.sdc_disclosed <- function(x, ...) {
  NextMethod()
  shown <- utils::head(seq_len(nrow(x)), 5)
  labels <- setdiff(names(x), c("lower", "upper", "sharp", "reason", "count"))
  for (i in shown) {
    where <- paste(labels, "=", vapply(labels, function(v) as.character(x[[v]][i]), ""),
    collapse = ", ")
    is <- if (x$lower[i] == x$upper[i]) {
      paste("is", format_count(x$lower[i]))
    } else {
      paste("is from", format_count(x$lower[i]), "to", format_count(x$upper[i]))
    }
    text <- paste0(where, " ", is, if (!is.na(x$reason[i])) paste0(", ", x$reason[i]))
    cat(strwrap(text, indent = 2, exdent = 4), sep = "\n")
  }
  if (nrow(x) > length(shown)) cat("  and", format_count(nrow(x) - length(shown)), "more\n")
  invisible(x)
}
