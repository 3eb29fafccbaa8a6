# A library's pattern may fail the audit: it reasons over real numbers, and about computing cells,
# not about the rules' levels and what contributors know. Then some published cell beside each cell
# that fails is given back to it as a further primary cell, and it runs again: it has to protect
# that cell as well, so that nobody computes it, and the cell that failed has a wider interval.

# `x`: a suppression as the library left it; `again(rows)`: the same with further primary rows. When
# nothing helps the first pattern remains.
repair_suppression <- function(x, again) {
  first <- x
  added <- integer()
  rounds <- 0
  passed <- FALSE
  repeat {
    found <- failing_cells(x)
    passed <- !is.null(found) && length(found$rows) == 0
    if (passed || is.null(found) || rounds == most_rounds) break
    more <- setdiff(neighbours(x, found, added, rounds), added)
    if (length(more) == 0) break
    added <- c(added, more)
    rounds <- rounds + 1
    # what the library cannot do with these cells it cannot do at all
    x <- tryCatch(again(added), sdc_error_infeasible = function(cnd) NULL)
    if (is.null(x)) break
  }
  if (!passed) x <- first
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)],
                   function(column) column[if (passed) added else integer()])
  x$repair <- list(
    passed = passed, rounds = if (passed) rounds else 0,
    added = list2data_frame(labels, if (passed) length(added) else 0L)
  )
  x
}

most_rounds <- 12

# For each cell that fails the cheapest published cell beside it that has room enough, or else the
# largest one; along another sum in each round.
neighbours <- function(x, found, added, round) {
  value <- abs(x$cells[[amount_column(x)]])
  hidden <- is_hidden(x)
  hidden[added] <- TRUE
  sums <- hidden_sums(x$cells, x$original$dimnames, suppression_trees(x), which(hidden))
  sum <- rep(seq_along(sums$parent), sums$size)
  useful <- !hidden & value > 0
  out <- integer()
  for (i in seq_along(found$rows)) {
    own <- sum[sums$child == found$rows[i]]
    at <- which(sum %in% own & useful[sums$child])
    beside <- unname(split(sums$child[at], sum[at]))
    if (length(beside) == 0) {
      above <- sums$parent[own]
      beside <- as.list(above[useful[above]])
    }
    if (length(beside) == 0) next
    rows <- beside[[(round + i) %% length(beside) + 1]]
    if (any(rows %in% out)) next
    enough <- value[rows] >= found$gap[i]
    out <- c(out, if (any(enough)) {
      rows[enough][which.min(value[rows[enough]])]
    } else {
      rows[which.max(value[rows])]
    })
  }
  unique(out)
}

# What print() says of it.
repair_words <- function(repair) {
  n <- NROW(repair$added)
  if (is.null(repair) || (repair$passed && n == 0)) {
    return(NULL)
  }
  if (repair$passed) {
    return(paste0("repaired: ", plural(n, "more cell"), " to protect, in ",
                  plural(repair$rounds, "run"), " of the library"))
  }
  "repair failed: no further cells made the audit pass"
}

# The audit that publish() believes: with the default readers.
quietly_audit <- function(x) {
  withCallingHandlers(
    if (of_units(x)) audit(x, progress = FALSE) else audit(x, count = FALSE, progress = FALSE),
    sdc_warning_outer = function(cnd) rlang::cnd_muffle(cnd)
  )
}

# list(rows, gap): the rows of the cells that fail, and how much room each needs beside it; NULL
# where the time ended.
failing_cells <- function(x) {
  found <- quietly_audit(x)
  n <- faults_of(found)
  if (sum(n[names(n) %in% c("unsure", "unions_unsure")]) > 0) {
    return(NULL)
  }
  if (of_units(x)) failing_units(x, found) else failing_counts(x, found)
}

failing_counts <- function(x, found) {
  known <- which(is_withheld(x))[found$cells$primary & found$cells$known == "exactly"]
  rows <- unique(c(known, named_rows(x, found$learned)))
  list(rows = rows, gap = rep(1, length(rows)))
}

failing_units <- function(x, found) {
  cells <- found$cells
  cells <- cells[cells$primary & (!(cells$protected %in% TRUE) | cells$near | cells$learned), ]
  rows <- named_rows(x, cells)
  of_union <- named_rows(x, found$unions)
  sums <- rowsum(abs(x$cells$total[of_union]), found$unions$union)
  list(
    rows = c(rows, of_union[!duplicated(found$unions$union)]),
    gap = c(cells$need_upper - x$cells$total[rows], sums * found$p / 100)
  )
}

# The rows of the cells that a frame names by its variables.
named_rows <- function(x, frame) {
  variables <- names(x$original$dimnames)
  codes <- lapply(variables, function(v) as.integer(frame[[v]]))
  size <- vapply(variables, function(v) nlevels(x$cells[[v]]), 0L)
  if (NROW(frame) == 0) integer() else as.integer(combine_codes(codes, unname(size), nrow(frame)))
}
