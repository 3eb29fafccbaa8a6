# Small tables, all tables with so many records, and their margins: for what readers learn by going
# through all of them.

small_names <- function(size) {
  levels <- lapply(size, function(n) paste0("l", seq_len(n)))
  rlang::set_names(levels, LETTERS[seq_along(size)])
}
small_table <- function(counts, size) sdc_table(array(counts, size, small_names(size)))

# Every table with these counts in all, a row each.
tables_of_total <- function(n, cells) {
  if (cells == 1) {
    return(matrix(n))
  }
  do.call(rbind, lapply(0:n, function(i) cbind(i, tables_of_total(n - i, cells - 1), deparse.level = 0)))
}

margin_key <- function(tables, set, size) {
  if (length(set) == 0) {
    return(rep("", nrow(tables)))
  }
  cell <- as.data.frame(arrayInd(seq_len(prod(size)), size))
  sums <- rowsum(t(tables), do.call(paste, cell[set]))
  apply(sums, 2, paste, collapse = ",")
}

classes_of <- function(tables, size) {
  keys <- do.call(paste, lapply(seq_along(size), function(v) margin_key(tables, v, size)))
  split(seq_len(nrow(tables)), keys)
}
