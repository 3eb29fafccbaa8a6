# A list or object with other values of some fields; NULL takes a field out.
within_list <- function(x, ...) {
  new <- list(...)
  for (name in names(new)) x[[name]] <- new[[name]]
  x
}
