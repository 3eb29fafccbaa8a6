# All sums of a table over all sets of its variables, the table itself first.
all_sums <- function(x) {
  k <- length(dim(x))
  sets <- unlist(lapply(k:1, function(size) utils::combn(k, size, simplify = FALSE)),
                 recursive = FALSE)
  c(unlist(lapply(sets, function(set) as.vector(apply(x, set, sum)))), sum(x))
}

# Is each rounded sum one of the two multiples next to the original sum?
is_restricted <- function(original, rounded, base, sums = all_sums) {
  from <- sums(original)
  to <- sums(rounded)
  all(to %% base == 0 & abs(to - from) < base)
}

# All zero-restricted additive roundings, a column each, by trying both multiples in every cell.
all_roundings <- function(x, base, sums = all_sums) {
  low <- x - x %% base
  open <- which(x %% base > 0)
  ups <- if (length(open) > 0) as.matrix(expand.grid(rep(list(0:1),
                                                         length(open)))) else matrix(0, 1, 0)
  tables <- vapply(seq_len(nrow(ups)), function(i) {
    out <- low
    out[open] <- out[open] + base * ups[i, ]
    as.vector(out)
  }, numeric(length(x)))
  tables <- matrix(tables, length(x))
  keep <- apply(tables, 2, function(t) is_restricted(x, array(t, dim(x)), base, sums))
  tables[, keep, drop = FALSE]
}

# The unbiased procedure in slow steps: every outcome of the coins from a two-way table, as a data
# frame of keys and probabilities.
twin_outcomes <- function(x, base) {
  m <- nrow(x)
  n <- ncol(x)
  row <- 2 + seq_len(m)
  column <- 2 + m + seq_len(n)
  edges <- rbind(
    cbind(row[as.vector(row(x))], column[as.vector(col(x))]), cbind(1, row), cbind(column, 2),
    c(2, 1)
  )
  values <- c(x, rowSums(x), colSums(x), sum(x))
  cells <- seq_along(x)
  step <- function(residue, probability) {
    open <- which(residue > 0 & residue < base)
    if (length(open) == 0) {
      return(list(key = paste(x - x %% base + residue[cells], collapse = " "), p = probability))
    }
    at <- edges[open[1], 1]
    seen <- integer()
    used <- sign <- integer()
    while (!at %in% seen) {
      seen <- c(seen, at)
      here <- open[(edges[open, 1] == at | edges[open, 2] == at) & !open %in% utils::tail(used, 1)]
      used <- c(used, here[1])
      sign <- c(sign, if (edges[here[1], 1] == at) 1 else -1)
      at <- setdiff(edges[here[1], ], at)
    }
    on <- match(at, seen):length(used)
    used <- used[on]
    sign <- sign[on]
    up <- min(ifelse(sign > 0, base - residue[used], residue[used]))
    down <- min(ifelse(sign > 0, residue[used], base - residue[used]))
    push <- function(by) {
      residue[used] <- residue[used] + sign * by
      residue
    }
    Map(c, step(push(up), probability * down / (up + down)),
        step(push(-down), probability * up / (up + down)))
  }
  all <- step(values %% base, 1)
  data.frame(key = unique(all$key), p = as.vector(rowsum(all$p, all$key, reorder = FALSE)))
}

# The posterior of each cell of a rounded two-way table over all tables within the intervals, by
# brute force.
twin_rounding_posterior <- function(rounded, base, weight = function(x) 1) {
  sides <- lapply(rounded, function(r) max(0, r - base + 1):(r + base - 1))
  all <- as.matrix(expand.grid(sides))
  key <- paste(rounded, collapse = " ")
  likely <- apply(all, 1, function(t) {
    x <- matrix(t, nrow(rounded))
    if (any(abs(all_sums(x) - all_sums(rounded)) >= base)) return(c(0, 0))
    law <- twin_outcomes(x, base)
    c(sum(law$p[law$key == key]), 1) * weight(x)
  })
  law <- function(w) {
    w <- w / sum(w)
    lapply(seq_along(rounded), function(i) tapply(w, factor(all[, i], sides[[i]]), sum))
  }
  list(procedure = law(likely[1, ]), intervals = law(likely[2, ]), n = rowSums(likely > 0))
}

posterior_laws <- function(po) {
  frame <- as.data.frame(po)
  cell <- interaction(frame[seq_along(dim(po$publication$table))])
  frame[order(as.integer(cell)), ]
}
