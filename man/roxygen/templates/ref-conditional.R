#' @references
#' Smucker, B., Slavkovic, A. and Zhu, X. (2008) Calculating bounds based on conditional
#' frequencies. Slides, The Pennsylvania State University.
