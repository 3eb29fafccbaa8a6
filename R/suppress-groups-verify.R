# The check that rows do not give their people away as a group: from the original table, the status
# of the cells and the certificates, by other code than that which chose the zeros to suppress.

# The rows of people by a variable: `of`, the row of each cell, and which cells are of a category;
# and of each row what given_away() says.
people_rows <- function(x, v) {
  variables <- names(x$original$dimnames)
  size <- node_numbers(x$cells, variables)
  code <- lapply(unclass(x$cells)[variables], as.integer)
  levels <- x$original$dimnames[[v]]
  at <- match(v, variables)
  code[[at]] <- rep(1L, nrow(x$cells))
  of <- combine_codes(unname(code), size, nrow(x$cells))
  is_category <- as.integer(x$cells[[v]]) <= length(levels)
  row <- unique(of[is_category])
  of <- match(of, row)
  c(list(of = of, is_category = is_category),
    given_away(x, x$cells$freq[is_category], of[is_category], length(row)))
}

# Which of `n` rows give their people away: to everybody, as all are in one category (`alike`); to
# one of them, or some who act together, as all others are (`near`); as they are few. `freq` and
# `of`: of their categories.
given_away <- function(x, freq, of, n) {
  people <- sum_by(freq, of, n)
  kinds <- tabulate(of[freq > 0], n)
  # of several counts for one place the last one stays
  by <- order(freq)
  largest <- replace(numeric(n), of[by], freq[by])
  near <- kinds > 1 & people - largest <= group_room(x)
  few <- people > 0 & people <= x$small_groups
  list(alike = kinds == 1, near = near, few = few, given = kinds == 1 | near | few)
}

# The counts of people who may be among the few that know what the rest of their row is: but for
# some other category there are no more than few in the row.
is_apart <- function(x, rows) {
  freq <- ifelse(rows$is_category, x$cells$freq, 0)
  n <- length(rows$given)
  rest <- freq > 0 & sum_by(freq, rows$of, n)[rows$of] - freq <= group_room(x)
  freq > 0 & tabulate(rows$of[rest], n)[rows$of] > rest
}

# Rows of people that are given away as no zero is suppressed: in words, or NULL.
group_faults <- function(x) {
  if (is.null(x$groups)) {
    return(NULL)
  }
  zero <- x$cells$freq == 0
  hidden <- hides_zero(x) & x$cells$sdcStatus == "u"
  box <- node_box(x, x$cells)
  all <- lapply(x$groups, function(v) people_rows(x, v))
  never <- zero & !Reduce(`|`, lapply(all, function(rows) rows$given[rows$of]))
  told_anyway <- told_by(box, never)
  n <- vapply(all, function(rows) {
    has <- tabulate(rows$of[hidden & rows$is_category], length(rows$given)) > 0
    open <- rows$few[rows$of] & rows$is_category & zero & !hidden
    # a larger row may tell it
    open <- open & !told_by(box, zero & !is_withheld(x) & !open)
    # what the others are some know who know that nobody else is like them; they must not be told
    can <- rows$of[rows$is_category & zero & !told_anyway]
    told <- rows$of[is_apart(x, rows) & x$cells$sdcStatus != "u"]
    near <- which(rows$near & !has)
    length(unique(c(which(rows$alike & !has), rows$of[open], intersect(near, c(can, told)))))
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
  pairs <- unique(data.frame(certificate = own$certificate, row = rows$of[own$row]))
  pairs <- pairs[rows$given[pairs$row], ]
  categories <- which(rows$is_category)
  all <- matches(pairs$row, rows$of[categories])
  cell <- categories[all$y]
  at <- match(paste(pairs$certificate[all$x], cell), paste(own$certificate, own$row))
  freq <- x$cells$freq[cell] + ifelse(is.na(at), 0, own$change[at])
  lost <- !given_away(x, freq, all$x, nrow(pairs))$given
  list(certificate = pairs$certificate[lost], row = pairs$row[lost], of = rows$of,
       given = rows$given)
}
