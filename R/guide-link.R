# Several tables of the same people as one table: what is published are the tables, and the cells
# inside are one way to put them together.

#' Several tables of the same people, as one
#'
#' Makes one [sdc_table()] of tables that count the same people by different variables, so that they
#' can be protected together: what is published are these tables, with their totals. [protect()]
#' does this with a list of tables.
#'
#' @details
#' The tables do not say which combinations of all variables there are. `link_tables()` takes
#' **one** way to put them together; no reader can tell it from others, and what is published does
#' not depend on it. So protection from readers of the publication is what it would be with the
#' records. Protection from people who are alone in a cell of several tables is not: it takes
#' somebody for the same person in two tables who may be two. Where you have the records, give
#' these, with a `formula`.
#'
#' Tables whose variables form no circle are put together without any search. Others, such as A by
#' B, B by C and A by C, are searched for a table that has all of them, which suits small ones.
#'
#' @param tables (list of tables, or [margins()]) At least one table without trees, in any form that
#'   [as_sdc_table()] takes, each over other variables. Variables of the same name are the same, and
#'   have the same levels in the same order.
#' @param ... Must be empty.
#' @return An `sdc_table` whose published crossings are the tables, see [sdc_table()]. It is as
#'   confidential as they are.
#' @section Errors: `sdc_error_input` for anything else; `sdc_error_infeasible` when the tables
#'   disagree about what they share, or no table has all of them; `sdc_error_too_large` when the
#'   search is.
#' @section Guarantee: Each of `tables` is the margin of the result over its variables.
#' @family guide
#' @export
#' @examples
#' x <- as_sdc_table(HairEyeColor)
#' linked <- link_tables(list(
#'   hair = as.table(margin(x, c("Sex", "Hair"))), eyes = as.table(margin(x, c("Sex", "Eye")))
#' ))
#' linked
#' suppress(linked, maxN = 8)
link_tables <- function(tables, ...) {
  check_no_dots(...)
  check_given(tables)
  linked_of(tables, "tables")
}

# `arg`: what the user calls the tables.
linked_of <- function(tables, arg) {
  release <- linked_release(tables, arg)
  sets <- lapply(release$tables, function(x) names(x$dimnames))
  joint <- joint_table(release)
  total <- free_name("Total", unlist(joint$dimnames))
  structure(laid_out(joint, NULL, total, formula_of_sets(sets)), put_together = TRUE)
}

# Are the cells inside one way of many?
is_put_together <- function(x) isTRUE(attr(x, "put_together"))

# "region x size", for headings.
set_title <- function(names) paste(names, collapse = " x ")

# Each set with all its totals.
formula_of_sets <- function(sets) {
  terms <- vapply(sets, function(set) {
    paste(vapply(set, function(name) deparse(as.name(name), backtick = TRUE), ""), collapse = " * ")
  }, "")
  stats::as.formula(paste("~", paste(terms, collapse = " + ")), env = baseenv())
}

# ---- what was given -----------------------------------------------------------------------------

linked_release <- function(tables, arg) {
  if (inherits(tables, "sdc_margins")) tables <- unclass(tables)
  if (!is.list(tables) || is.object(tables) || length(tables) == 0) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a list of tables.", x = "{.arg {arg}} is {describe_list(tables)}."
    ))
  }
  names <- names(tables) %||% rep("", length(tables))
  place <- ifelse(nzchar(names), paste0("$", names), paste0("[[", seq_along(names), "]]"))
  whose <- paste0(arg, place)
  tables <- Map(flat_table, unname(tables), whose)
  sets <- lapply(tables, function(x) names(x$dimnames))
  titles <- ifelse(nzchar(names), names, vapply(sets, set_title, ""))
  check_other_variables(sets, whose)
  with_private_errors(read_release(rlang::set_names(tables, titles), NULL))
}

describe_list <- function(tables) {
  if (is.list(tables) && !is.object(tables)) "an empty list" else
    cli::format_inline("{.obj_type_friendly {tables}}")
}

flat_table <- function(x, arg) {
  if (is_sdc_magnitude(x)) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a table of counts.", x = "It is a table of magnitudes.",
      i = "Tables of magnitudes are protected together by their contributors: give the records to
           {.fn magnitude_table} or {.fn protect}, with a {.arg formula}."
    ))
  }
  check_own_names(x, arg)
  x <- one_level_argument(x, arg)
  if (!is.null(table_trees(x)) || leaves_crossings_out(x)) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a table without trees and crossings.",
      x = "It has some.",
      i = "Give the records to {.fn protect} or {.fn sdc_table}, with {.arg hierarchies} and a
           {.arg formula}."
    ))
  }
  set_layout(x, NULL)
}

# Variables are the same where they have the same name, so that names cannot be made up.
check_own_names <- function(x, arg) {
  named <- names(dimnames(x))
  if (!is.array(x) || (!is.null(named) && all(nzchar(named)))) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have a name for each of its variables.", x = "Some have none.",
    i = "{.code table(region = people$region, sex = people$sex)} has them, and so has
         {.code table(people[c(\"region\", \"sex\")])}."
  ))
}

# Margins of tables with crossings have one that may hold everything.
leaves_crossings_out <- function(x) {
  crossings <- table_crossings(x)
  !is.null(crossings) && !any(vapply(crossings, function(crossing) {
    all(lengths(crossing) == lengths(node_labels(x)[names(crossing)]))
  }, NA))
}

check_other_variables <- function(sets, whose) {
  sorted <- lapply(sets, sort)
  again <- which(duplicated(sorted))[1]
  if (is.na(again)) {
    return(invisible(sets))
  }
  abort_sdc("input", c(
    "Each table must have other variables.",
    x = "{.arg {whose[[match(sorted[again], sorted)]]}} and {.arg {whose[[again]]}} have the same.",
    i = "Tables of the same variables for different people are added up by {.fn c}, or are told
         apart by a variable more."
  ))
}

# The tables are confidential: a message names no count of theirs.
with_private_errors <- function(code) {
  tryCatch(code, sdc_error_infeasible = function(cnd) {
    abort_sdc("infeasible", c(
      "Tables of the same people must agree on what they share.",
      x = "{.val {cnd$margins}} have other totals over the variables that both have.",
      i = "Look whether one of them was rounded, or leaves people out."
    ))
  })
}

# ---- one way to put tables together -------------------------------------------------------------

joint_table <- function(release) {
  frontier <- release$structure$frontier
  tables <- release$tables[frontier]
  order <- running_order(lapply(tables, function(x) names(x$dimnames)))
  if (is.null(order)) {
    return(searched_table(release))
  }
  joint <- as_labels(tables[[order[1]]])
  for (i in order[-1]) joint <- glued_labels(joint, as_labels(tables[[i]]), release$dimnames)
  columns <- Map(function(code, levels) factor(levels[code], levels),
                 joint$codes[names(release$dimnames)], release$dimnames)
  count <- free_name("count", names(columns))
  columns[[count]] <- joint$counts
  frame <- list2data_frame(columns, length(joint$counts))
  # which levels are nested in others is an accident of how the tables were put together
  withCallingHandlers(
    sdc_table(frame, names(release$dimnames), count, drop_unused = FALSE, duplicates = "sum",
              total = FALSE),
    warning = function(cnd) rlang::cnd_muffle(cnd)
  )
}

# An order in which each set shares with all before it what it shares with one of them; NULL where
# there is none. The one that shares most comes next, which finds such an order where there is one.
running_order <- function(sets) {
  order <- 1L
  while (length(order) < length(sets)) {
    seen <- unique(unlist(sets[order]))
    left <- setdiff(seq_along(sets), order)
    shares <- lapply(sets[left], intersect, seen)
    best <- which.max(lengths(shares))
    inside <- vapply(sets[order], function(set) all(shares[[best]] %in% set), NA)
    if (!any(inside)) {
      return(NULL)
    }
    order <- c(order, left[best])
  }
  order
}

as_labels <- function(x) {
  list(codes = rlang::set_names(stored_codes(x), names(x$dimnames)), counts = x$counts)
}

# People of both tables are lined up by what the tables share, in the order of their cells, and
# each is the one of the same place in the other table.
glued_labels <- function(a, b, dimnames) {
  shared <- intersect(names(a$codes), names(b$codes))
  size <- lengths(dimnames[shared], FALSE)
  a <- lined_up(a, shared, size)
  b <- lined_up(b, shared, size)
  last <- sort(unique(c(cumsum(a$counts), cumsum(b$counts))))
  of <- function(x, names) {
    at <- findInterval(last, cumsum(x$counts), left.open = TRUE) + 1
    lapply(x$codes[names], `[`, at)
  }
  list(codes = c(of(a, names(a$codes)), of(b, setdiff(names(b$codes), shared))),
       counts = diff(c(0, last)))
}

lined_up <- function(x, shared, size) {
  at <- order(combine_codes(x$codes[shared], size, length(x$counts)))
  list(codes = lapply(x$codes, `[`, at), counts = x$counts[at])
}

searched_table <- function(release) {
  found <- tryCatch(
    sample_tables(new_margins(release$tables), 1, seed = 1, progress = FALSE),
    sdc_error_too_large = function(cnd) {
      abort_sdc("too_large", c(
        "Tables whose variables form a circle must be small.",
        x = "A table that has all of them was not found within the limits.",
        i = "Give the records, or the cells of all variables, with a {.arg formula}."
      ))
    },
    sdc_error_infeasible = function(cnd) {
      abort_sdc("infeasible", c(
        "Tables of the same people must be those of one table of all variables.",
        x = "There is no such table, although each two of them agree."
      ))
    }
  )
  drawn <- unclass(found)
  variables <- utils::head(names(dimnames(drawn)), -1)
  x <- table_from_dense(as.numeric(drawn), dimnames(drawn)[variables])
  if (identical(variables, names(release$dimnames))) x else margin(x, names(release$dimnames))
}
