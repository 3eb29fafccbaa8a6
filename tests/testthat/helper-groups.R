# Suppressions that protect rows of people, and all tables that agree with one.

certify_groups <- function(x, groups, ..., maxN = 1, method = "certified", time_limit_s = 1) {
  suppressWarnings(
    suppress(x, maxN = maxN, groups = groups, method = method, time_limit_s = time_limit_s, seed = 1, ...),
    classes = "sdc_warning_unsafe"
  )
}

# The people of each row by variable `v`, label by label: the rows of its categories.
rows_by_hand <- function(su, v) {
  others <- setdiff(names(su$original$dimnames), v)
  key <- do.call(paste, c(lapply(su$cells[others], as.character), list(rep("", nrow(su$cells)))))
  own <- which(as.character(su$cells[[v]]) %in% su$original$dimnames[[v]])
  unname(split(own, key[own]))
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
  rows <- lapply(su$groups, function(v) rows_by_hand(su, v))
  of <- lapply(su$groups, function(v) {
    others <- setdiff(names(su$original$dimnames), v)
    row_of <- function(at) do.call(paste, c(lapply(su$cells[others], function(col) as.character(col[at])), ""))
    match(row_of(seq_len(nrow(su$cells))), vapply(rows_by_hand(su, v), function(r) row_of(r[1]), ""))
  })
  few <- if ("contributor" %in% su$readers) max(1, su$coalition) else 0
  fits <- apply(all, 2, function(freq) {
    given <- lapply(rows, function(some) {
      vapply(some, function(r) is_given(freq[r], small) || is_near(freq[r], few), NA)
    })
    all(vapply(hidden[freq[hidden] == 0], function(at) any(mapply(function(g, o) g[o[at]], given, of)), NA))
  })
  all[, fits, drop = FALSE]
}

# Large totals are published, so that the listing ends.
published_totals <- function(x, least = 3) {
  whole <- as.data.frame(with_totals(as_sdc_table(x), NULL, "Total", 1e4), zeros = TRUE)
  variables <- names(dimnames(x))
  is_total <- Reduce(`|`, lapply(whole[variables], function(col) col == "Total"))
  whole[is_total & whole$freq > least, variables]
}
