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

# ---- several margins ----------------------------------------------------------------------------

# The groups of all sets in one result; of the finest table's groups when that is `short`.
grouping_sql <- function(data, sets, weightVar, short) {
  all <- unique(unlist(sets))
  used <- c(all, weightVar)
  columns <- quoted_columns(data, used)
  marks <- vapply(grouping_blocks(all), function(block) {
    paste0("GROUPING(", listed(quoted_columns(data, block)), ")")
  }, "")
  groups <- vapply(sets, function(set) {
    paste0("(", listed(quoted_columns(data, c(set, weightVar))), ")")
  }, "")
  n <- if (short) unused_name("sdc_n", c(used, data$partition))
  source <- if (short) {
    part <- quoted_columns(data, setdiff(data$partition, used))
    paste0("(", groups_sql(data$source, c(columns, part), paste("COUNT(*) AS", n)), ")")
  } else {
    data$source
  }
  number <- if (short) paste0("COALESCE(SUM(", n, "), 0)") else "COUNT(*)"
  paste("SELECT", listed(c(columns, marks, number)), "FROM", source,
        "AS sdc GROUP BY GROUPING SETS", paste0("(", listed(groups), ")"))
}

# GROUPING() takes some 31 columns at most.
grouping_blocks <- function(names) unname(split(names, (seq_along(names) - 1) %/% 30))

# What GROUPING() says of each block: a bit for each column, the last one lowest, that is 1 where
# the set does not have it.
grouping_numbers <- function(all, set) {
  vapply(grouping_blocks(all), function(block) {
    sum((!block %in% set) * 2^(rev(seq_along(block)) - 1))
  }, 1)
}

# How many groups the first records have, and how many those are.
sample_sql <- function(data, names, n) {
  columns <- listed(quoted_columns(data, names))
  some <- paste("SELECT", columns, "FROM", data$source, "AS sdc LIMIT", sprintf("%.0f", n))
  size <- unused_name("sdc_n", names)
  groups <- paste("SELECT COUNT(*) AS", size, "FROM", paste0("(", some, ")"), "AS some GROUP BY",
                  columns)
  paste0("SELECT COUNT(*), COALESCE(SUM(", size, "), 0) FROM (", groups, ") AS sdc")
}
