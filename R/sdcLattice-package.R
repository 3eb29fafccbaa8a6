#' @keywords internal
#' @useDynLib sdcLattice, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang .data %||% caller_arg caller_env
"_PACKAGE"
