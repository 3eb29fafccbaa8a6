# The class vectors of all objects of this package.

# `mark`: "private" of what holds an original table, "confidential" of what was computed from one.
# Neither can be printed or looked into without saying so. `of`: a class of R itself.
sdc_class <- function(..., mark = NULL, of = NULL) {
  flag <- if (!is.null(mark)) c(if (mark == "confidential") "sdc_confidential", "sdc_private")
  c(..., flag, "sdc_object", of)
}

is_private <- function(x) inherits(x, "sdc_private")
