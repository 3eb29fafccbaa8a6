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
  node <- code[[at]]
  code[[at]] <- rep(1L, nrow(x$cells))
  of <- combine_codes(unname(code), size, nrow(x$cells))
  is_category <- node <= length(levels)
  row <- unique(of[is_category])
  of <- match(of, row)
  # rows of which a crossing does not show all categories are nobody's to read
  open <- in_crossings(x)
  own <- which(is_category & !of %in% of[is_category & !open])
  c(list(of = of, node = node, is_category = is_category, v = v),
    given_away(x, v, x$cells$freq[own], of[own], node[own], length(row)))
}

# Which of `n` rows give their people away: to everybody, as all are in one category or combination
# (`alike`); to one of them, or some who act together, as all others are (`near`): for each of the
# `kinds`, of which some categories are outside; as they are `few`. `given`: where zeros may be
# suppressed by that, a column for each level and total of `v`. `freq`, `of`, `category`: of the
# cells of categories.
given_away <- function(x, v, freq, of, category, n) {
  levels <- x$original$dimnames[[v]]
  people <- sum_by(freq, of, n)
  few <- people > 0 & people <= x$small_groups
  kinds <- lapply(unname(x$combinations[[v]]), function(set) {
    outside <- !levels %in% set
    rest <- sum_by(freq * outside[category], of, n)
    list(outside = outside, set = set, alike = people > 0 & rest == 0,
         near = rest > 0 & rest < people & rest <= group_room(x))
  })
  filled <- tabulate(of[freq > 0], n)
  # of several counts for one place the last one stays
  by <- order(freq)
  largest <- replace(numeric(n), of[by], freq[by])
  kinds <- c(kinds, list(list(outside = !logical(length(levels)), set = NULL, alike = filled == 1,
                              near = filled > 1 & people - largest <= group_room(x))))
  held <- table_totals(x$original)[[match(v, names(x$original$dimnames))]]
  given <- vapply(c(as.list(seq_along(levels)), held), function(leaves) {
    by_kind <- lapply(kinds, function(kind) any(kind$outside[leaves]) & (kind$alike | kind$near))
    few | Reduce(`|`, by_kind)
  }, logical(n))
  list(kinds = kinds, few = few, given = matrix(given, n, length(levels) + length(held)))
}

# Of which cells may zeros be suppressed as their rows are given away?
given_cells <- function(rows) rows$given[cbind(rows$of, rows$node)]

# The counts of people who may be among the few that know what the rest of their row is: outside the
# combination; but for some other category there are no more than few in the row.
is_apart <- function(x, rows, kind) {
  freq <- ifelse(rows$is_category, x$cells$freq, 0)
  if (!is.null(kind$set)) {
    return(freq > 0 & !as.character(x$cells[[rows$v]]) %in% kind$set)
  }
  n <- nrow(rows$given)
  rest <- freq > 0 & sum_by(freq, rows$of, n)[rows$of] - freq <= group_room(x)
  freq > 0 & tabulate(rows$of[rest], n)[rows$of] > rest
}

# Rows of people that are given away as no zero is suppressed: in words, or NULL.
group_faults <- function(x) {
  if (is.null(x$groups)) {
    return(NULL)
  }
  zero <- x$cells$freq == 0 & in_crossings(x)
  hidden <- hides_zero(x) & x$cells$sdcStatus == "u"
  box <- node_box(x, x$cells)
  all <- lapply(x$groups, function(v) people_rows(x, v))
  never <- zero & !Reduce(`|`, lapply(all, given_cells))
  told_anyway <- told_by(box, never)
  n <- vapply(all, function(rows) {
    open <- rows$few[rows$of] & rows$is_category & zero & !hidden
    # a larger row may tell it
    open <- open & !told_by(box, zero & !is_withheld(x) & !open)
    by_kind <- lapply(rows$kinds, function(kind) {
      beside <- rows$is_category & !as.character(x$cells[[rows$v]]) %in% kind$set
      has <- seq_along(kind$alike) %in% rows$of[hidden & beside]
      # what the others are some know who know that nobody else is like them; they must not be told
      can <- rows$of[beside & zero & !told_anyway]
      told <- rows$of[is_apart(x, rows, kind) & x$cells$sdcStatus != "u"]
      c(which(kind$alike & !has), intersect(which(kind$near & !has), c(can, told)))
    })
    length(unique(c(unlist(by_kind), rows$of[open])))
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
  all <- lapply(x$groups, function(v) rows_after(x, changed, people_rows(x, v)))
  zeros <- which(hides_zero(x))
  pairs <- unique(do.call(rbind, lapply(all, function(one) {
    found <- matches(one$row, one$of[zeros])
    data.frame(certificate = one$certificate[found$x], cell = zeros[found$y])
  })))
  risen <- paste(pairs$certificate, pairs$cell) %in% paste(changed$certificate, changed$row)
  pairs <- pairs[!risen, ]
  # any variable may be the reason
  reason <- lapply(all, function(one) {
    at <- match(paste(pairs$certificate, one$of[pairs$cell]), paste(one$certificate, one$row))
    after <- one$after[cbind(at, one$node[pairs$cell])]
    ifelse(is.na(at), given_cells(one)[pairs$cell], after)
  })
  unique(pairs$certificate[!Reduce(`|`, reason)])
}

# With the pairs of a certificate and a row of people that it changes, and where zeros may be
# suppressed in its table (`after`).
rows_after <- function(x, changed, rows) {
  own <- changed[rows$is_category[changed$row], ]
  pairs <- unique(data.frame(certificate = own$certificate, row = rows$of[own$row]))
  pairs <- pairs[rowSums(rows$given[pairs$row, , drop = FALSE]) > 0, ]
  categories <- which(rows$is_category)
  all <- matches(pairs$row, rows$of[categories])
  cell <- categories[all$y]
  at <- match(paste(pairs$certificate[all$x], cell), paste(own$certificate, own$row))
  freq <- x$cells$freq[cell] + ifelse(is.na(at), 0, own$change[at])
  found <- given_away(x, rows$v, freq, all$x, rows$node[cell], nrow(pairs))
  c(rows, list(certificate = pairs$certificate, row = pairs$row, after = found$given))
}
