# The check that rows do not give their people away as a group: from the original table, the status
# of the cells and the certificates, by other code than that which chose the zeros to suppress.

# The rows of people by a variable: `n` and `kinds`, how many people and how many categories with
# people each has; `of`: the row of each cell, and which cells are of a category.
people_rows <- function(x, v) {
  variables <- names(x$original$dimnames)
  size <- node_numbers(x$cells, variables)
  code <- lapply(unclass(x$cells)[variables], as.integer)
  levels <- x$original$dimnames[[v]]
  at <- match(v, variables)
  code[[at]] <- rep(1L, nrow(x$cells))
  of <- combine_codes(unname(code), size, nrow(x$cells))
  is_category <- as.integer(x$cells[[v]]) <= length(levels)
  own <- of[is_category]
  freq <- x$cells$freq[is_category]
  row <- unique(own)
  list(of = match(of, row), is_category = is_category,
       n = sum_by(freq, match(own, row), length(row)),
       kinds = tabulate(match(own[freq > 0], row), length(row)))
}

# Rows of people that are given away as no zero is suppressed: in words, or NULL.
group_faults <- function(x) {
  if (is.null(x$groups)) {
    return(NULL)
  }
  zero <- x$cells$freq == 0
  hidden <- hides_zero(x) & x$cells$sdcStatus == "u"
  box <- node_box(x, x$cells)
  n <- vapply(x$groups, function(v) {
    rows <- people_rows(x, v)
    has <- tabulate(rows$of[hidden & rows$is_category], length(rows$n)) > 0
    few <- rows$n > 0 & rows$n <= x$small_groups
    open <- few[rows$of] & rows$is_category & zero & !hidden
    # a larger row may tell it
    open <- open & !told_by(box, zero & !is_withheld(x) & !open)
    length(unique(c(which(rows$kinds == 1 & !has), rows$of[open])))
  }, 0)
  if (sum(n) > 0) paste(plural(sum(n), "row", "rows"), "of people", is_are(sum(n)), "given away.")
}

# A reader may know that zeros are suppressed in such rows alone. So she rules out a table with a
# zero in a suppressed cell of a row that is no longer one of them. The numbers of the certificates
# of such tables. `changed`: of certificates that hold, so that no count falls to zero.
ruled_out_by_groups <- function(x, changed) {
  if (is.null(x$groups) || nrow(changed) == 0) {
    return(numeric())
  }
  lost <- lapply(x$groups, function(v) lost_rows(x, changed, people_rows(x, v)))
  zeros <- which(hides_zero(x))
  pairs <- lapply(lost, function(one) {
    found <- matches(one$row, one$of[zeros])
    data.frame(certificate = one$certificate[found$x], cell = zeros[found$y])
  })
  pairs <- unique(do.call(rbind, pairs))
  risen <- paste(pairs$certificate, pairs$cell) %in% paste(changed$certificate, changed$row)
  pairs <- pairs[!risen, ]
  # another variable may be the reason
  for (one in lost) {
    row <- one$of[pairs$cell]
    gone <- paste(pairs$certificate, row) %in% paste(one$certificate, one$row)
    pairs <- pairs[gone | !one$given[row], ]
  }
  unique(pairs$certificate)
}

# Pairs of a certificate and a row of people that is no longer given away; `given`: which rows are.
lost_rows <- function(x, changed, rows) {
  own <- changed[rows$is_category[changed$row], ]
  row <- rows$of[own$row]
  pair <- paste(own$certificate, row)
  first <- which(!duplicated(pair))
  at <- match(pair, pair[first])
  certificate <- own$certificate[first]
  row <- row[first]
  n <- rows$n[row] + sum_by(own$change, at, length(first))
  kinds <- rows$kinds[row] + tabulate(at[x$cells$freq[own$row] == 0], length(first))
  given <- rows$kinds == 1 | (rows$n > 0 & rows$n <= x$small_groups)
  lost <- given[row] & !(kinds == 1 | n <= x$small_groups)
  list(certificate = certificate[lost], row = row[lost], of = rows$of, given = given)
}
