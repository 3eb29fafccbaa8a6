# Margins leave as they are.

#' @rdname publish
#' @export
publish.sdc_margins <- function(x, record = NULL, ...) {
  check_no_dots(...)
  check_record(record)
  check_some_margin(x)
  verify_margins(x)
  tables <- lapply(unclass(x), function(m) {
    table <- table_from_dense(plain(dense_counts(m)), plain(m$dimnames))
    set_layout(table, plain_layout(m$layout))
  })
  out <- new_margins(rlang::set_names(tables, plain(names(x))))
  let_out(out, record, open_entry(out))
}

#' @export
format.sdc_margins <- function(x, ...) {
  if (...length() > 0) return(marked_table(x, ...))
  vapply(seq_along(x), function(i) {
    paste0(names(x)[i], ": ", table_shape(x[[i]]))
  }, "")
}
