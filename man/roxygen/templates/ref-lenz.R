#' @references Lenz, R. (2016). Recent advances in cyclic perturbation of frequency tables. *AStA
#'   Wirtschafts- und Sozialstatistisches Archiv* 10, 37-62. \doi{10.1007/s11943-016-0180-6}.
