# Files of releases: the tables of the frontier.

#' @export
to_document.sdc_release_publication <- function(x) {
  need(is_whole_publication(x), "its parts do not fit each other")
  counts <- !is.data.frame(x$tables[[1]])
  value <- if (counts) "count" else "total"
  do.call(table_document, c(sub_table_rows(labelled_tables(x), x$dimnames, value), list(
    what = paste(
      if (counts) "Tables of counts" else "Tables of totals of a variable of magnitude",
      "over some of the variables each. All of them are exact, and so are their sums. They were",
      "chosen by a rule that may depend on the data."
    ),
    parameters = c(
      list(
        values = value, rule = x$rule,
        tables = lapply(x$sets, function(set) {
          list(variables = I(names(x$dimnames)[finest_steps(x$steps, set)]))
        })
      ),
      if (!is.null(x$steps)) {
        list(levels = steps_document(x$steps), levels_in_words = levels_in_words)
      }
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
  steps <- read_published_steps(p$levels, dimnames)
  need(is.null(p$levels) || identical(p$levels_in_words, levels_in_words),
       "the words of the levels differ")
  if (!is.null(steps)) {
    sets <- lapply(sets, close_set, steps = steps)
    tables <- Map(function(table, set) {
      new_table(level_dimnames(steps, set), list(keys = table$keys, counts = table$counts))
    }, tables, sets)
  }
  tables <- rlang::set_names(tables, set_labels(sets, names(dimnames), steps))
  out <- new_release_publication(dimnames, sets, tables, strings(list(p$rule)), steps)
  need(is_whole_publication(out), "the tables contradict each other")
  out
}
