# Files of releases: the tables of the frontier.

#' @export
to_document.sdc_release_publication <- function(x) {
  need(is_whole_publication(x), "its parts do not fit each other")
  counts <- !is.data.frame(x$tables[[1]])
  value <- if (counts) "count" else "total"
  do.call(table_document, c(sub_table_rows(x$tables, x$dimnames, value), list(
    what = paste(
      if (counts) "Tables of counts" else "Tables of totals of a variable of magnitude",
      "over some of the variables each. All of them are exact, and so are their sums. They were",
      "chosen by a rule that may depend on the data."
    ),
    parameters = list(
      values = value, rule = x$rule,
      tables = lapply(x$sets, function(set) list(variables = I(names(x$dimnames)[set])))
    ),
    reserved = c(value, "sub_table")
  )))
}

#' @export
from_document.sdc_release_publication <- function(kind, document, lines) {
  p <- document$parameters
  dimnames <- document_labels(document)
  value <- strings(list(p$values))
  need(value %in% c("count", "total"), "values are neither counts nor totals")
  sets <- lapply(p$tables, function(table) match(strings(table$variables), names(dimnames)))
  need(!anyNA(unlist(sets)), "a table has a variable that is not described")
  tables <- read_sub_tables(lapply(sets, function(set) dimnames[set]), dimnames, lines, value)
  out <- structure(
    list(
      dimnames = dimnames, sets = sets,
      tables = rlang::set_names(tables, set_labels(sets, names(dimnames))),
      rule = strings(list(p$rule))
    ),
    class = sdc_class("sdc_release_publication")
  )
  need(is_whole_publication(out), "the tables contradict each other")
  out
}
