# Certified suppressions as users ask for them, against a list of all tables that agree with the
# publication. The list, the people and what they know are made here, label by label.

# ---- random tables ------------------------------------------------------------------------------

region_tree <- data.frame(parent = c("all", "all", "p", "p", "q", "q"),
                          child = c("p", "q", "a1", "a2", "a3", "a4"))
river_tree <- data.frame(parent = c("all", "all", "r", "r", "s", "s"),
                         child = c("r", "s", "a1", "a3", "a2", "a4"))

drawn_counts <- function(size, values = c(0, 0, 1, 1, 2, 2, 3, 5, 9)) {
  labels <- Map(function(name, n) paste0(name, seq_len(n)), letters[seq_along(size)], size)
  names(labels) <- toupper(names(labels))
  array(sample(values, prod(size), TRUE), size, labels)
}

# A table and arguments of suppress(). With protected zeros the counts may be anything.
listing_case <- function(kind) {
  small <- list(maxN = sample(1:3, 1))
  of <- function(x, ...) c(list(x = x), small, list(...))
  switch(
    kind,
    flat = of(drawn_counts(c(3, 4))), wide = of(drawn_counts(c(3, 4)), width = 2),
    cube = of(drawn_counts(c(2, 2, 3))), row = of(drawn_counts(c(1, sample(3:6, 1)))),
    tree = of(drawn_counts(c(4, 3)), hierarchies = list(A = region_tree)),
    trees = of(drawn_counts(c(4, 3)), hierarchies = list(A = list(region_tree, river_tree)),
               width = sample(2, 1)),
    linked = of(sdc_table(as.data.frame(as.table(drawn_counts(c(3, 2, 2)))), c("A", "B", "C"),
                          freqVar = "Freq", formula = ~ A:B + A:C)),
    zeros = of(drawn_counts(c(3, 3), c(0, 0, 1, 1, 2, 3, 6)), protectZeros = TRUE),
    zeros_tree = of(drawn_counts(c(4, 2), c(0, 1, 1, 2, 4)), protectZeros = TRUE,
                    hierarchies = list(A = region_tree), width = sample(2, 1))
  )
}

listing_kinds <- c("flat", "wide", "cube", "row", "tree", "trees", "linked", "zeros", "zeros_tree")

# ---- all tables ---------------------------------------------------------------------------------

# A row for each row of $cells, a column for each cell of the table itself.
cells_inside <- function(su) {
  held <- held_labels(su)
  inner <- do.call(expand.grid, c(su$original$dimnames, stringsAsFactors = FALSE))
  Reduce(`*`, lapply(names(held), function(v) {
    labels <- as.character(su$cells[[v]])
    sapply(inner[[v]], function(level) vapply(labels, function(l) level %in% held[[v]][[l]], NA))
  }))
}

# The counts of all rows of $cells in each table that agrees with what is published, a row for each
# table; NULL where they are more than `most`. No count is taken to be more than `rise` above the
# true one.
tables_that_agree <- function(su, inside, rise = 3, most = 30000) {
  truth <- as.vector(as.array(su$original))
  status <- su$cells$sdcStatus
  shown <- status %in% c("s", "z")
  least <- ifelse(status %in% c("u", "x") & !su$protectZeros, 1, 0)
  known <- inside[shown, , drop = FALSE]
  total <- su$cells$freq[shown]
  tables <- matrix(0, 1, 0)
  for (k in seq_along(truth)) {
    top <- min(truth[k] + rise, total[known[, k] == 1])
    tries <- 0:top
    tables <- cbind(tables[rep(seq_len(nrow(tables)), each = length(tries)), , drop = FALSE],
                    rep(tries, nrow(tables)))
    so_far <- known[, seq_len(k), drop = FALSE]
    sums <- so_far %*% t(tables)
    done <- rowSums(known[, -seq_len(k), drop = FALSE]) == 0
    fits <- colSums(sums > total) == 0 & colSums(sums[done, , drop = FALSE] != total[done]) == 0
    tables <- tables[fits, , drop = FALSE]
    if (nrow(tables) > most) return(NULL)
  }
  all <- tables %*% t(inside)
  all[colSums(t(all) < least) == 0, , drop = FALSE]
}

# ---- who knows what -----------------------------------------------------------------------------

# The rows that each reader knows: `who` and `with` as in $lacking, and `rows`.
listed_readers <- function(su, inside) {
  truth <- as.vector(as.array(su$original))
  own_row <- apply(inside, 2, function(holds) {
    found <- which(holds == 1)
    found[which.min(rowSums(inside)[found])]
  })
  hidden <- su$cells$sdcStatus %in% c("u", "x")
  alone_in <- function(cells) {
    # these people and nobody else
    members <- rowSums(inside[, cells, drop = FALSE]) == length(cells)
    rows <- which(hidden & members & su$cells$freq == sum(truth[cells]))
    if (su$protectZeros) rows <- rows[rowSums(inside[rows, , drop = FALSE]) == 1]
    unseen <- if (length(cells) == 1 && su$cells$sdcStatus[own_row[cells]] == "n") own_row[cells]
    c(rows, unseen)
  }
  reader <- function(kind, who, with, rows) list(kind = kind, who = who, with = with, rows = unique(rows))
  one <- which(truth == 1)
  single <- lapply(one, function(cell) reader("contributor", own_row[cell], NA, alone_in(cell)))
  two <- if (length(one) > 1) utils::combn(one, 2, simplify = FALSE)
  pairs <- lapply(two, function(pair) {
    rows <- c(alone_in(pair[1]), alone_in(pair[2]), alone_in(pair))
    own <- sort(own_row[pair])
    reader("coalition", own[1], own[2], rows)
  })
  shared <- lapply(which(truth == 2), function(cell) {
    reader("coalition", own_row[cell], own_row[cell], alone_in(cell))
  })
  c(list(reader("outsider", NA, NA, integer())), single, pairs, shared)
}

# ---- what is claimed ----------------------------------------------------------------------------

# Is the count of a row said to be open to a reader, or to somebody who knows less?
is_said <- function(lacking, row, reader) {
  own <- lacking[lacking$row == row, ]
  people <- c(reader$who, reader$with)
  any(is.na(own$who)) || any(own$reader == "contributor" & own$who %in% people[!is.na(people)]) ||
    any(own$reader == reader$kind & own$who %in% reader$who & own$with %in% reader$with)
}

# One suppression: numbers of what was looked at.
check_listed <- function(su) {
  inside <- cells_inside(su)
  freq <- su$cells$freq
  expect_equal(as.vector(inside %*% as.vector(as.array(su$original))), freq)
  verified <- verify_suppression(su)
  expect_identical(verified$verified, nrow(su$lacking) == 0)
  primary <- which(su$cells$sdcStatus == "u")
  told <- audit(su, readers = "coalition", count = FALSE, progress = FALSE)
  row_of <- function(frame) {
    match(do.call(paste, lapply(frame[names(su$original$dimnames)], as.character)),
          do.call(paste, lapply(su$cells[names(su$original$dimnames)], as.character)))
  }
  expect_true(all(row_of(told$learned) %in% su$lacking$row))
  tables <- tables_that_agree(su, inside)
  out <- c(listed = 0, outsider = 0, contributor = 0, coalition = 0, open = 0, learned = 0, exposed = 0)
  if (is.null(tables)) return(out)
  out["listed"] <- 1
  # every count that the certificates attain is that of a table, unless it rises further
  made <- changed_cells(su)
  for (k in unique(made$certificate)) {
    own <- made[made$certificate == k, ]
    if (any(own$change > 3)) next
    value <- replace(freq, own$row, freq[own$row] + own$change)
    expect_true(any(colSums(t(tables) != value) == 0))
  }
  rises <- max(made$change, 0) > 3
  for (reader in listed_readers(su, inside)) {
    same <- colSums(t(tables[, reader$rows, drop = FALSE]) != freq[reader$rows]) == 0
    left <- tables[same, , drop = FALSE]
    for (row in setdiff(primary, reader$rows)) {
      width <- diff(range(left[, row]))
      if (is_said(su$lacking, row, reader)) {
        out["open"] <- out["open"] + 1
        named <- su$lacking$row == row & su$lacking$reader == reader$kind &
          su$lacking$who %in% reader$who & su$lacking$with %in% reader$with
        if (any(named & su$lacking$exposed)) {
          expect_lt(width, su$width)
          out["exposed"] <- out["exposed"] + 1
        }
        next
      }
      if (!rises) expect_gte(width, su$width)
      out[reader$kind] <- out[reader$kind] + 1
      out["learned"] <- out["learned"] + (width == 0 && !rises)
    }
  }
  out
}

test_that("oracle: what certificates claim holds in the list of all tables, for every reader", {
  long <- is_long()
  n <- if (long) as.integer(Sys.getenv("SDCLATTICE_TABLES", "10000")) else 9
  set.seed(2323)
  seen <- 0
  for (k in seq_len(n)) {
    case <- listing_case(listing_kinds[1 + k %% length(listing_kinds)])
    choose <- function(...) {
      suppressWarnings(classes = "sdc_warning_unsafe", do.call(suppress, c(case, list(
        ..., time_limit_s = .2, seed = 1, total_cost = 1
      ))))
    }
    # cells that were chosen for outsiders alone leave much open to others
    su <- if (k %% 3 > 0) choose(readers = "coalition") else {
      choose(readers = "coalition", method = "certified",
             pattern = as.data.frame(choose(readers = "outsider")))
    }
    seen <- seen + check_listed(su)
    if (long && k %% 500 == 0) print(c(tables = k, seen))
  }
  expect_equal(seen[["learned"]], 0)
  expect_gt(seen[["listed"]], n * .8)
  expect_gt(seen[["contributor"]], n)
  expect_gt(seen[["coalition"]], n)
  expect_gt(seen[["open"]], n / 2)
  expect_gt(seen[["exposed"]], n / 3)
})
