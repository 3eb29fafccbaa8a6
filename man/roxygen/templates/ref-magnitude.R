#' @references Lee, H., Choi, J. and O'Keefe, C. M. (2012). *Confidentialising count and magnitude
#'   data*. CSIRO Mathematics, Informatics and Statistics, sections 6 and 7.
