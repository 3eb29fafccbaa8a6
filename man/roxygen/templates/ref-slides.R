#' @references Roehrig, S. F. *Cyclic perturbation of tables of counts* (slides): the example of the
#'   4 x 4 table, its four cycles and its posterior.
