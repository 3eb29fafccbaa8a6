# What a table does not do. Without these methods base R would answer about the inner parts of the
# object, or spoil it.

abort_edit <- function(what) {
  abort_sdc("input", c(
    "Tables must not be edited in place.",
    x = "{.code {what}} would do so.",
    i = "Make a new one: {.code sdc_table(y)} of an edited {.code y <- as.array(x)}, or of an edited
         data frame."
  ))
}

abort_no_array <- function(what) {
  abort_sdc("input", c(
    "{.code {what}} must have an array or a vector of counts.",
    x = "An {.cls sdc_table} is neither.",
    i = "Take {.code as.array(x)}, or {.code as.data.frame(x)} for the cells that are not zero."
  ))
}

#' @export
`[<-.sdc_table` <- function(x, ..., value) abort_edit("x[...] <- value")

#' @export
`[[<-.sdc_table` <- function(x, ..., value) abort_edit("x[[...]] <- value")

#' @export
`$<-.sdc_table` <- function(x, name, value) abort_edit(paste0("x$", name, " <- value"))

#' @export
`dim<-.sdc_table` <- function(x, value) abort_edit("dim(x) <- value")

#' @export
`dimnames<-.sdc_table` <- function(x, value) abort_edit("dimnames(x) <- value")

#' @export
`names<-.sdc_table` <- function(x, value) abort_edit("names(x) <- value")

#' @export
`length<-.sdc_table` <- function(x, value) abort_edit("length(x) <- value")

#' @export
`is.na<-.sdc_table` <- function(x, value) abort_edit("is.na(x) <- value")

#' @export
`[[.sdc_table` <- function(x, ...) abort_no_array("x[[...]]")

#' @export
Ops.sdc_table <- function(e1, e2) abort_no_array(.Generic)

#' @export
Math.sdc_table <- function(x, ...) abort_no_array(paste0(.Generic, "()"))

#' @export
Summary.sdc_table <- function(..., na.rm = FALSE) abort_no_array(paste0(.Generic, "()"))

#' @export
is.na.sdc_table <- function(x) abort_no_array("is.na()")

#' @export
as.list.sdc_table <- function(x, ...) abort_no_array("as.list()")

# ggplot2's margin(), which puts its arguments into one vector, was called for ours.
is_called_by_ggplot2_margin <- function(n) {
  if (!isNamespaceLoaded("ggplot2")) {
    return(FALSE)
  }
  theirs <- getExportedValue("ggplot2", "margin")
  any(vapply(seq_len(n), function(k) identical(sys.function(k), theirs), NA))
}

abort_masked_margin <- function() {
  abort_sdc("input", c(
    "{.fn margin} of this package must be called for a table.",
    x = "The one of {.pkg ggplot2} was called: it was attached later and masks ours.",
    i = "Write {.fn table_margin}, which nobody masks, or {.code sdcLattice::margin()}."
  ))
}

#' @export
cbind.sdc_table <- function(..., deparse.level = 1) abort_no_array("cbind()")

#' @export
unique.sdc_table <- function(x, incomparables = FALSE, ...) abort_no_array("unique()")

#' @export
duplicated.sdc_table <- function(x, incomparables = FALSE, ...) abort_no_array("duplicated()")

#' @export
rev.sdc_table <- function(x) abort_no_array("rev()")

#' @export
rep.sdc_table <- function(x, ...) abort_no_array("rep()")

#' @export
sort.sdc_table <- function(x, decreasing = FALSE, ...) abort_no_array("sort()")

#' @export
mean.sdc_table <- function(x, ...) abort_no_array("mean()")
