#' @references Karr, A. F., Dobra, A., Sanil, A. P. and Fienberg, S. E. (2002). *Software systems
#'   for tabular data releases*. Technical Report 125, National Institute of Statistical Sciences,
#'   sections 3 and 5.
