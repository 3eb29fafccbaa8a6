#' @param cells (`NULL`, whole numbers, logical array, matrix or data frame) the cells meant: cell
#'   numbers, first variable fastest; a logical array of the table's shape; a matrix with one column
#'   of level numbers for each variable; or a data frame with one column for each variable that names
#'   their levels. `NULL`: all cells.
