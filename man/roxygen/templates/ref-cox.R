#' @references Cox, L. H. (1987). A constructive procedure for unbiased controlled rounding. *Journal
#'   of the American Statistical Association* 82, 520-524. \doi{10.1080/01621459.1987.10478456}.
