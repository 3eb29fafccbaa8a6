# Rows of people that would be given away to some who act together, against all tables that agree.

# All ways in which at most `most` people can be chosen from cells with counts: how many from each, a
# column each.
choices_by_hand <- function(counts, most) {
  out <- as.matrix(expand.grid(lapply(counts, function(n) 0:min(n, most))))
  n <- rowSums(out)
  unname(t(out[n > 0 & n <= most, , drop = FALSE]))
}

# Is a coalition told the category of somebody else? `tables`: all that agree, a column each. Of its
# own cells it knows what it must. NULL where no row concerns it.
told_to <- function(su, tables, inner, mine) {
  counts <- su$cells$freq[inner]
  own <- tables[inner, , drop = FALSE]
  agrees <- colSums(own < mine) == 0
  exact <- mine > 0 & mine == counts
  out <- NULL
  for (v in su$groups) for (r in rows_by_hand(su, v)) {
    part <- vapply(r, function(at) below_by_hand(su, at, inner), logical(length(inner)))
    rest <- su$cells$freq[r] - colSums(part * mine)
    if (sum(rest > 0) != 1) next
    minority <- rowSums(part[, rest == 0, drop = FALSE]) > 0 & mine > 0
    # where no zero can rise they are not told that nobody else is like them
    closed <- any(minority) && !any(hides_zero(su)[r])
    sure <- exact & !(closed & minority)
    fits <- agrees & colSums(own[sure, , drop = FALSE] != counts[sure]) == 0
    others <- colSums(tables[r[rest == 0], fits, drop = FALSE]) - sum(mine[rowSums(part) > 0 & part[, rest > 0] == 0])
    out <- rbind(out, data.frame(v, row = r[1], closed, told = all(others <= 0), own = any(minority)))
  }
  out
}

# Which cells of the table itself are in a cell or total?
below_by_hand <- function(su, at, inner) {
  Reduce(`&`, lapply(su$cells[names(su$original$dimnames)], function(column) {
    as.character(column[at]) %in% c("Total", "all") | as.character(column[inner]) == as.character(column[at])
  }))
}

draw_few <- function(dim) {
  names <- list(A = 1:4, B = 1:3, C = 1:2)[seq_along(dim)]
  x <- array(rpois(prod(dim), 3) * rbinom(prod(dim), 1, .6), dim,
             Map(function(level, n) level[seq_len(n)], names, dim))
  # a row of which all but some are alike
  at <- cbind(sample(dim[1], 1), seq_len(dim[2]), if (length(dim) > 2) sample(dim[3], 1))
  x[at] <- sample(c(0, sample(0:2, 1), sample(1:5, 1), numeric(dim[2]))[seq_len(dim[2])])
  x
}

test_that("oracle: no coalition learns what the others of a row are, in all tables that agree", {
  set.seed(421)
  tried <- c(tables = 0, rows = 0, alone = 0, closed = 0, lacking = 0, told = 0)
  for (k in seq_len(rounds(60, 2000))) {
    x <- draw_few(list(c(2, 2), c(3, 2), c(2, 3), c(3, 3), c(4, 3), c(2, 3, 2))[[k %% 6 + 1]])
    few <- k %% 2 + 2
    su <- certify_groups(x, if (k %% 5 == 0) c("A", "B") else "B", maxN = sample(0:2, 1), coalition = few,
                         small_groups = sample(c(0, 0, 2), 1), published = published_totals(x, 8))
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = k)
    tried["lacking"] <- tried["lacking"] + (nrow(su$lacking) > 0)
    tables <- if (nrow(su$lacking) == 0) tables_of_groups(su, su$small_groups)
    if (is.null(tables) || ncol(tables) > 5000) next
    inner <- inner_rows(su$cells, su$original$dimnames)
    mine <- choices_by_hand(su$cells$freq[inner], few)
    all_told <- function(su, tables) {
      do.call(rbind, lapply(seq_len(ncol(mine)), function(i) told_to(su, tables, inner, mine[, i])))
    }
    found <- all_told(su, tables)
    expect_false(any(found$told), info = k)
    tried <- tried + c(1, NROW(found), sum(!(found$own %||% TRUE)), sum(found$closed), 0, 0)
    # the choice for single people is not enough
    less <- certify_groups(x, su$groups, maxN = su$maxN, small_groups = su$small_groups)
    tables <- if (nrow(less$lacking) == 0) tables_of_groups(less, su$small_groups)
    if (!is.null(tables) && ncol(tables) <= 5000) {
      tried["told"] <- tried["told"] + any(all_told(less, tables)$told)
    }
  }
  expect_true(all(tried > rounds(c(25, 1000, 500, 40, 8, 5), c(500, 20000, 1000, 200, 100, 100))))
})
