# Short words for what several calls need.

# "1 2 / 3 4": the rows of a matrix.
rows_in_words <- function(x) {
  paste(apply(unclass(x), 1, paste, collapse = " "), collapse = " / ")
}

# .375 is .38, as people round.
half_up <- function(x, digits = 2) floor(10^digits * x + .5 + 1e-9) / 10^digits

plain <- function(x, digits) formatC(half_up(x, digits), digits = digits, format = "f")

near <- function(x, y, tolerance = 1e-9) all(abs(x - y) <= tolerance)

table_of <- function(counts, rows) {
  x <- matrix(counts, rows, byrow = TRUE)
  as.table(provideDimnames(x, base = list(as.character(seq_len(max(dim(x)))))))
}
