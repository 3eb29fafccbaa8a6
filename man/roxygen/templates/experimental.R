#' @section Experimental: This is new in version 0.2.0. Its arguments, and the fields and the print of
#'   its result, may still change; NEWS.md will say how. What it guarantees holds.
