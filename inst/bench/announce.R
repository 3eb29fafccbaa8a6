# What a reader who knows the policy learns, and how much is released, over all 2 x 2 x 2 tables with
# N records that are not hopeless: requests AB, AC, BC judged one after another; for each table the
# largest envelope that is safe for it; and self-consistent announcements after each of their steps.
#   Rscript announce.R [records, beta; "9 2", "9 3" and "12 2" unless given]

args <- as.numeric(commandArgs(trailingOnly = TRUE))
cases <- if (length(args) == 2) list(args) else list(c(9, 2), c(9, 3), c(12, 2))
suppressPackageStartupMessages(library(sdcLattice))
announce <- asNamespace("sdcLattice")$announce_class
pairs <- list(AB = 1:2, AC = c(1, 3), BC = 2:3)
cell <- arrayInd(1:8, c(2, 2, 2))

all_tables <- function(n, cells) {
  if (cells == 1) {
    return(matrix(n))
  }
  do.call(rbind, lapply(0:n, function(i) cbind(i, all_tables(n - i, cells - 1), deparse.level = 0)))
}

# One number for the margins of each row: counts of the cells with the same levels.
margin <- function(tables, set) {
  group <- do.call(paste, as.data.frame(cell[, set, drop = FALSE]))
  do.call(paste, as.data.frame(t(rowsum(t(tables), group))))
}

# Has a table a cell at risk that is narrow among the tables with the same key?
breaks <- function(tables, key, beta) {
  out <- logical(length(key))
  for (same in split(seq_along(key), key)) {
    group <- tables[same, , drop = FALSE]
    narrow <- apply(group, 2, max) - apply(group, 2, min) < beta
    at_risk <- group == 1 | group == 2
    out[same] <- rowSums(at_risk[, narrow, drop = FALSE]) > 0
  }
  out
}

# The sets, and their margins.
joint <- function(keys, sets, n) {
  do.call(paste, c(list(rep(paste(sets, collapse = "+"), n)), keys[sets]))
}

# Each gives what a reader sees of each table, and how many two-way tables are released.
one_step <- function(own, keys, beta) {
  n <- nrow(own)
  seen <- rep("", n)
  out <- matrix(FALSE, n, 3)
  for (i in 1:3) {
    before <- apply(out, 1, which, simplify = FALSE)
    for (sets in unique(before)) {
      same <- vapply(before, identical, NA, sets)
      out[same, i] <- !breaks(own, joint(keys, c(sets, i), n), beta)[same]
    }
    seen <- paste(seen, ifelse(out[, i], keys[[i]], "refused"))
  }
  list(seen = seen, out = rowSums(out))
}

largest <- function(own, keys, beta) {
  seen <- rep(NA_character_, nrow(own))
  out <- numeric(nrow(own))
  for (size in 3:0) {
    for (sets in utils::combn(3, size, simplify = FALSE)) {
      key <- joint(keys, sets, nrow(own))
      new <- is.na(seen) & !breaks(own, key, beta)
      seen[new] <- key[new]
      out[new] <- size
    }
  }
  list(seen = seen, out = out)
}

announced <- function(own, beta, steps) {
  found <- announce(t(own), c(2, 2, 2), risk_width(beta), steps = steps)
  inside <- function(sets) sum(vapply(pairs, function(pair) any(vapply(sets, function(set) all(pair %in% set), NA)), NA))
  list(seen = found$block, out = c(0, vapply(found$sets, inside, 1))[found$envelope + 1])
}

for (case in cases) {
  n <- case[1]
  beta <- case[2]
  tables <- all_tables(n, 8)
  class <- do.call(paste, lapply(1:3, function(v) margin(tables, v)))
  start <- 0
  sums <- matrix(0, 5, 2, dimnames = list(
    c("one after another", "largest for each", "announced, step 1", "steps 1, 2", "steps 1 to 3"),
    c("broken", "out")
  ))
  for (rows in split(seq_along(class), class)) {
    own <- tables[rows, , drop = FALSE]
    starts <- !breaks(own, rep("", nrow(own)), beta)
    if (!any(starts)) next
    start <- start + sum(starts)
    keys <- lapply(pairs, function(pair) margin(own, pair))
    # a server that judges starts for these tables only, which a reader knows
    told <- c(lapply(list(one_step, largest), function(rule) {
      said <- rule(own, keys, beta)
      said$seen <- ifelse(starts, said$seen, "does not start")
      said
    }), lapply(1:3, function(steps) announced(own, beta, steps)))
    for (i in 1:5) {
      broken <- breaks(own, told[[i]]$seen, beta)
      sums[i, ] <- sums[i, ] + c(sum(broken[starts]), sum(told[[i]]$out[starts]))
    }
  }
  cat(sprintf("N = %g, beta = %g: %d of %d tables start\n", n, beta, start, nrow(tables)))
  cat(sprintf("  %-18s promise broken in %4.1f %%, %.2f of 3 released\n", rownames(sums),
              100 * sums[, "broken"] / start, sums[, "out"] / start), sep = "")
}
