# Data frames without the checks of data.frame(), which take most of the time of a small one.

# A data frame that keeps the names of its columns, whatever they are.
list2data_frame <- function(columns, n) {
  structure(columns, class = "data.frame", row.names = .set_row_names(n))
}
