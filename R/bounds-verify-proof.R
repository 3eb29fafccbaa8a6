# The checks of verify_bounds(), in exact arithmetic: doubles hold whole numbers up to 2^53, and
# what might be larger is split into parts or refused.

exact_limit <- 2^53

is_whole <- function(x) is.numeric(x) & !is.na(x) & abs(x) <= exact_limit & x == floor(x)

# Sums of `value` by `group` (1, ..., n); NA where a sum might not be exact. Where all values
# together stay below the limit so does each sum on the way, and one pass over them does.
exact_sums <- function(value, group, n) {
  out <- numeric(n)
  if (length(value) == 0) {
    return(out)
  }
  if (isTRUE(base::sum(abs(value)) < exact_limit)) {
    by <- order(group, method = "radix")
    group <- group[by]
    last <- which(c(group[-1] != group[-length(group)], TRUE))
    out[group[last]] <- diff(c(0, cumsum(value[by])[last]))
    return(out)
  }
  size <- rowsum(abs(value), group)
  at <- as.integer(rownames(size))
  found <- rowsum(value, group)
  found[!is.finite(size) | size >= exact_limit] <- NA
  out[at] <- found
  out
}

# Is the sum of a * b positive, by group? FALSE where it might not be exact.
exact_positive <- function(a, b, group, n) {
  high <- floor(b / 2^26)
  upper <- exact_sums(a * high, group, n)
  lower <- exact_sums(a * (b - high * 2^26), group, n)
  carry <- floor(lower / 2^26)
  out <- upper + carry > 0 | (upper + carry == 0 & lower - carry * 2^26 > 0)
  out & !is.na(out)
}

# ---- tables -----------------------------------------------------------------------------------

# Is each table a solution, if `base` is one? `changes`: the cells in which it differs from it, by
# whole values. Some tables after the other, so that their rows need little memory.
tables_hold <- function(said, base, changes) {
  n <- length(changes$start) - 1
  row <- rep(seq_along(said$lower), diff(said$start))
  sums <- exact_sums(said$coefficient * base[said$cell], row, length(said$lower))
  by <- order(said$cell)
  rows <- list(row = row[by], coefficient = said$coefficient[by],
               start = cumsum(c(0, tabulate(said$cell, length(said$least)))))
  touches <- c(0, cumsum(diff(rows$start)[changes$cell]))[changes$start[-(n + 1)] + 1]
  before <- touches + length(sums) * (seq_len(n) - 1)
  unlist(lapply(split(seq_len(n), before %/% most_touches), function(tables) {
    some_tables_hold(said, base, changes, tables, rows, sums)
  }), use.names = FALSE) %||% logical()
}

most_touches <- 2e6

# `rows`: of each cell the rows that it lies in; `sums`: of the base.
some_tables_hold <- function(said, base, changes, tables, rows, sums) {
  at <- seq(changes$start[tables[1]] + 1, length.out = changes$start[max(tables) + 1] -
              changes$start[tables[1]])
  table <- rep(seq_along(tables), diff(changes$start)[tables])
  cell <- changes$cell[at]
  value <- changes$value[at]
  inside <- value >= said$least[cell] & value <= said$most[cell]
  bad <- unique(table[!inside])
  count <- diff(rows$start)[cell]
  entry <- sequence(count, rows$start[cell] + 1)
  n_rows <- length(sums)
  change <- exact_sums(rows$coefficient[entry] * rep(value - base[cell], count),
                       (rep(table, count) - 1L) * n_rows + rows$row[entry],
                       length(tables) * n_rows)
  moved <- which(is.na(change) | change != 0)
  row <- (moved - 1) %% n_rows + 1
  now <- sums[row] + change[moved]
  ok <- !is.na(now) & now >= said$lower[row] & now <= said$upper[row]
  !seq_along(tables) %in% c(bad, ((moved - 1) %/% n_rows + 1)[!ok])
}

base_holds <- function(said, base) {
  row <- rep(seq_along(said$lower), diff(said$start))
  sums <- exact_sums(said$coefficient * base[said$cell], row, length(said$lower))
  all(!is.na(sums)) && all(sums >= said$lower & sums <= said$upper) &&
    all(base >= said$least & base <= said$most)
}

# Does adding a direction again and again keep all limits?
directions_hold <- function(said, ways) {
  zero <- replace(said, c("least", "most", "lower", "upper"), list(
    ifelse(said$least > -Inf, 0, -Inf), ifelse(said$most < Inf, 0, Inf),
    ifelse(said$lower > -Inf, 0, -Inf), ifelse(said$upper < Inf, 0, Inf)
  ))
  tables_hold(zero, numeric(length(said$least)), ways)
}

# ---- proofs -----------------------------------------------------------------------------------

# The leaves of all proofs, and what each one adds to the limits of cells: the cell lies beyond its
# end, and on one side of each split above. A proof whose nodes are no tree has no leaves.
proof_leaves <- function(proofs, cell, is_upper, value) {
  of_node <- rep(seq_along(cell), diff(proofs$start))
  leaf_number <- cumsum(proofs$cell == 0)
  single <- which(diff(proofs$start) == 1 & proofs$cell[utils::head(proofs$start, -1) + 1] == 0)
  several <- which(diff(proofs$start) > 1)
  beyond <- list(
    proof = single, leaf = leaf_number[proofs$start[single] + 1], cell = cell[single],
    lower = ifelse(is_upper, value + 1, -Inf)[single],
    upper = ifelse(is_upper, Inf, value - 1)[single]
  )
  walked <- lapply(several, function(p) {
    nodes <- which(of_node == p)
    tree_leaves_of(p, proofs$cell[nodes], proofs$at[nodes], leaf_number[nodes], cell[p],
                   is_upper[p], value[p])
  })
  bind <- c(list(beyond), walked)
  lapply(rlang::set_names(names(beyond)), function(f) unlist(lapply(bind, `[[`, f)))
}

# One tree, its nodes in the order of a walk: first what lies at or below a split.
tree_leaves_of <- function(proof, cell, at, leaf, root, is_upper, value) {
  path <- data.frame(cell = root, lower = if (is_upper) value + 1 else -Inf,
                     upper = if (is_upper) Inf else value - 1)
  waiting <- list(path)
  out <- list()
  for (k in seq_along(cell)) {
    if (length(waiting) == 0) {
      return(NULL)
    }
    path <- waiting[[length(waiting)]]
    waiting <- utils::head(waiting, -1)
    if (cell[k] == 0) {
      out <- c(out, list(cbind(proof = proof, leaf = leaf[k], path)))
    } else {
      waiting <- c(waiting, list(
        rbind(path, data.frame(cell = cell[k], lower = at[k] + 1, upper = Inf)),
        rbind(path, data.frame(cell = cell[k], lower = -Inf, upper = at[k]))
      ))
    }
  }
  if (length(waiting) == 0) as.list(do.call(rbind, out))
}

# Which leaves exclude all solutions: the sum of their rows is more, over the limits of the cells,
# than the limits of the rows allow; or the limits of a cell cross.
leaves_exclude <- function(said, proofs, leaves) {
  n <- length(proofs$row_start) - 1
  limits <- narrowed_limits(said, leaves)
  crossed <- unique(limits$leaf[limits$lower > limits$upper])
  leaf <- rep(seq_len(n), diff(proofs$row_start))
  size <- diff(said$start)[proofs$row]
  entry <- sequence(size, said$start[proofs$row] + 1)
  key <- (rep(leaf, size) - 1) * length(said$least) + said$cell[entry]
  term <- sort(unique(key))
  sum <- exact_sums(rep(proofs$times, size) * said$coefficient[entry], match(key, term),
                    length(term))
  keep <- is.na(sum) | sum != 0
  term <- term[keep]
  sum <- sum[keep]
  of <- (term - 1) %/% length(said$least) + 1
  cell <- (term - 1) %% length(said$least) + 1
  at <- match(term, (limits$leaf - 1) * length(said$least) + limits$cell)
  least <- ifelse(is.na(at), said$least[cell], limits$lower[at])
  most <- ifelse(is.na(at), said$most[cell], limits$upper[at])
  limit <- c(ifelse(sum > 0, least, most),
             ifelse(proofs$times > 0, said$upper[proofs$row], said$lower[proofs$row]))
  weight <- c(sum, -proofs$times)
  group <- c(of, leaf)
  sound <- is_whole(limit) & is_whole(weight)
  bad <- unique(group[!sound])
  positive <- exact_positive(weight[sound], limit[sound], group[sound], n)
  seq_len(n) %in% crossed | (positive & !seq_len(n) %in% bad)
}

# The limits of the cells that a leaf narrows, each cell once.
narrowed_limits <- function(said, leaves) {
  key <- paste(leaves$leaf, leaves$cell)
  first <- !duplicated(key)
  group <- match(key, key[first])
  largest <- function(x) {
    by <- order(group, -x)
    x[by][!duplicated(group[by])]
  }
  list(
    leaf = leaves$leaf[first], cell = leaves$cell[first],
    lower = pmax(largest(leaves$lower), said$least[leaves$cell[first]]),
    upper = pmin(-largest(-leaves$upper), said$most[leaves$cell[first]])
  )
}
