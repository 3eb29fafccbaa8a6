# Suppressions that protect rows of people, and all tables that agree with one.

certify_groups <- function(x, groups = NULL, ..., maxN = 1, method = "certified", time_limit_s = 1) {
  suppressWarnings(
    suppress(x, maxN = maxN, groups = groups, method = method, time_limit_s = time_limit_s, seed = 1, ...),
    classes = "sdc_warning_unsafe"
  )
}

# The people of each row by variable `v`, label by label: the rows of its categories.
rows_by_hand <- function(su, v) {
  others <- setdiff(names(su$original$dimnames), v)
  # what linked tables do not show with all categories is no row
  open <- function(r) all(su$cells$sdcStatus[r] != "n")
  key <- do.call(paste, c(lapply(su$cells[others], as.character), list(rep("", nrow(su$cells)))))
  own <- which(as.character(su$cells[[v]]) %in% su$original$dimnames[[v]])
  Filter(open, unname(split(own, key[own])))
}

is_given <- function(freq, small) sum(freq > 0) == 1 || (sum(freq) > 0 && sum(freq) <= small)

# All but one, or at most `few`, of the people are in one category, and these are not.
is_near <- function(freq, few = 1) sum(freq) > max(freq) && sum(freq) - max(freq) <= few

# All tables that agree, a column each with all cells; a reader knows that counts are suppressed, and
# that zeros are in rows that would be given away.
tables_of_groups <- function(su, small) {
  public <- public_suppression(su)
  hidden <- which(public$cells$suppressed)
  found <- tryCatch(
    enumerate_tables(reader_system(public), limit = 3e4, max_states = 1e6, max_steps = 1e7),
    sdc_error = function(cnd) NULL
  )
  if (length(hidden) == 0) {
    return(matrix(su$cells$freq))
  }
  if (is.null(found)) {
    return(NULL)
  }
  all <- matrix(su$cells$freq, nrow(su$cells), length(found) / length(hidden))
  all[hidden, ] <- matrix(found, length(hidden))
  few <- if ("contributor" %in% su$readers) max(1, su$coalition) else 0
  withheld <- which(is_withheld(su))
  rows <- lapply(su$groups, function(v) rows_by_hand(su, v))
  fits <- apply(all, 2, function(freq) {
    given <- logical(length(freq))
    for (i in seq_along(rows)) for (r in rows[[i]]) {
      given[r] <- given[r] | is_given(freq[r], small) | is_near(freq[r], few)
      for (inside in kinds_by_hand(su, su$groups[i], r)) {
        rest <- sum(freq[r[!inside]])
        given[r[!inside]] <- given[r[!inside]] | rest <= few & sum(freq[r]) > rest
      }
    }
    all(given[withheld[freq[withheld] == 0]])
  })
  all[, fits, drop = FALSE]
}

# Which categories of a row are one, or one combination: flags for each.
kinds_by_hand <- function(su, v, r) {
  label <- as.character(su$cells[[v]][r])
  lapply(c(as.list(label), unname(su$combinations[[v]])), function(set) label %in% set)
}

# Large totals are published, so that the listing ends.
published_totals <- function(x, least = 3) {
  x <- as_sdc_table(x)
  whole <- as.data.frame(with_totals(x, NULL, "Total", 1e4), zeros = TRUE)
  whole <- whole[open_rows(whole, table_crossings(x)), ]
  variables <- names(x$dimnames)
  is_total <- Reduce(`|`, lapply(whole[variables], function(col) col == "Total"))
  whole[is_total & whole$freq > least, variables]
}

# All ways in which at most `most` people can be chosen from cells with counts: how many from each, a
# column each.
choices_by_hand <- function(counts, most) {
  out <- as.matrix(expand.grid(lapply(counts, function(n) 0:min(n, most))))
  n <- rowSums(out)
  unname(t(out[n > 0 & n <= most, , drop = FALSE]))
}

# Is a coalition told the category of somebody else, or a combination? `tables`: all that agree, a
# column each. Of its own cells it knows what it must. NULL where no row concerns it.
told_to <- function(su, tables, inner, mine) {
  counts <- su$cells$freq[inner]
  own <- tables[inner, , drop = FALSE]
  agrees <- colSums(own < mine) == 0
  exact <- mine > 0 & mine == counts
  out <- NULL
  for (v in su$groups) for (r in rows_by_hand(su, v)) {
    part <- vapply(r, function(at) below_by_hand(su, at, inner), logical(length(inner)))
    rest <- su$cells$freq[r] - colSums(part * mine)
    for (inside in kinds_by_hand(su, v, r)) {
      if (sum(rest[!inside]) > 0 || sum(rest[inside]) == 0) next
      minority <- rowSums(part[, !inside, drop = FALSE]) > 0 & mine > 0
      # where no zero can rise they are not told that nobody else is like them
      closed <- any(minority) && !any(hides_zero(su)[r[!inside]])
      sure <- exact & !(closed & minority)
      fits <- agrees & colSums(own[sure, , drop = FALSE] != counts[sure]) == 0
      others <- colSums(tables[r[!inside], fits, drop = FALSE]) - sum(mine[minority])
      out <- rbind(out, data.frame(v, row = r[1], closed, told = all(others <= 0), own = any(minority),
                                   combination = sum(inside) > 1))
    }
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
  names <- list(A = 1:4, B = 1:4, C = 1:2)[seq_along(dim)]
  x <- array(rpois(prod(dim), 3) * rbinom(prod(dim), 1, .6), dim,
             Map(function(level, n) level[seq_len(n)], names, dim))
  # a row of which all but some are alike
  at <- cbind(sample(dim[1], 1), seq_len(dim[2]), if (length(dim) > 2) sample(dim[3], 1))
  x[at] <- sample(c(0, sample(0:2, 1), sample(1:5, 1), numeric(dim[2]))[seq_len(dim[2])])
  x
}
