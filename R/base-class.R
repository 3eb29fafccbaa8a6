# The class vectors of all objects of this package.

# `mark`: "private" of what holds an original table, "confidential" of what was computed from one.
# Neither can be printed or looked into without saying so. `of`: a class of R itself.
sdc_class <- function(..., mark = NULL, of = NULL) {
  flag <- if (!is.null(mark)) c(if (mark == "confidential") "sdc_confidential", "sdc_private")
  c(..., flag, "sdc_object", of)
}

is_private <- function(x) inherits(x, "sdc_private")

# A deep copy without attributes other than names, without compact or growing vectors: equal values
# give equal bytes.
plain <- function(x) {
  x <- unclass(x)
  out <- vector(typeof(x), length(x))
  if (is.list(x)) {
    for (i in seq_along(x)) out[[i]] <- plain(x[[i]])
  } else {
    out[] <- if (is.character(x)) enc2utf8(as.vector(x)) else as.vector(x)
  }
  if (!is.null(names(x))) {
    names(out) <- plain(names(x))
  }
  out
}
