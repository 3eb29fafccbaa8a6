# What the database is asked for.

quoted_columns <- function(data, names) {
  vapply(names, function(n) as.character(DBI::dbQuoteIdentifier(data$con, n)), "",
         USE.NAMES = FALSE)
}

listed <- function(columns) paste(columns, collapse = ", ")

select_sql <- function(data, names) {
  paste("SELECT", listed(quoted_columns(data, names)), "FROM", data$source, "AS sdc")
}

# One row for each combination of values, its number of records last. The last variable is the first
# that is grouped by, so that an engine that sorts gives the cells in the order of the table. Of a
# table that lies in parts, each part is counted first, where it lies, and the counts are added up.
count_sql <- function(data, names, where = NULL) {
  columns <- quoted_columns(data, names)
  part <- setdiff(data$partition, names)
  if (length(part) == 0) {
    return(groups_sql(data$source, columns, "COUNT(*)", where))
  }
  n <- unused_name("sdc_n", c(names, part))
  inner <- groups_sql(data$source, c(columns, quoted_columns(data, part)),
                      paste("COUNT(*) AS", n), where)
  groups_sql(paste0("(", inner, ")"), columns, paste0("COALESCE(SUM(", n, "), 0)"))
}

groups_sql <- function(source, columns, number, where = NULL) {
  paste(c(
    "SELECT", listed(c(columns, number)), "FROM", source, "AS sdc",
    if (!is.null(where)) c("WHERE", where),
    if (length(columns) > 0) c("GROUP BY", listed(rev(columns)))
  ), collapse = " ")
}

unused_name <- function(name, taken) {
  while (tolower(name) %in% tolower(taken)) name <- paste0(name, "_")
  name
}
