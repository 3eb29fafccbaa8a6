# Random trees as correspondence frames, and the same trees written in all formats.

# A frame with columns one, two, ... from coarse to fine; each code occurs on one level only.
random_wide <- function(depth, n_leaves) {
  codes <- paste0(letters[depth], seq_len(n_leaves))
  columns <- list(codes)
  group <- seq_len(n_leaves)
  for (d in rev(seq_len(depth - 1))) {
    n <- max(1, length(unique(group)) %/% sample(1:3, 1))
    group <- match(sample(n, max(group), replace = TRUE)[group], seq_len(n))
    group <- match(group, unique(group))
    columns <- c(list(paste0(letters[d], group)), columns)
  }
  names(columns) <- c("one", "two", "three", "four", "five")[seq_len(depth)]
  as.data.frame(columns)
}

# Parent and child, written from the frame by base R alone.
pairs_of_wide <- function(wide, total = "Total") {
  rows <- cbind(total, as.matrix(wide))
  pairs <- do.call(rbind, lapply(seq_len(ncol(rows) - 1), function(k) {
    data.frame(parent = rows[, k], child = rows[, k + 1])
  }))
  unique(pairs[pairs$parent != pairs$child, ])
}

# Depth and code by a walk from the root.
walk_tree <- function(pairs, node = "Total", depth = 1) {
  below <- pairs$child[pairs$parent == node]
  rest <- lapply(below, function(child) walk_tree(pairs, child, depth + 1))
  rbind(data.frame(depth = depth, code = node), do.call(rbind, rest))
}

# Columns that make the same groups are one level, and a column with one code is the root: such a
# frame is another tree than that of pairs_of_wide().
has_plain_columns <- function(wide) {
  groups <- lapply(wide, function(x) match(x, unique(x)))
  anyDuplicated(groups) == 0 && all(vapply(groups[-length(groups)], max, 1L) > 1)
}

# The tree in each format that the package reads.
all_formats <- function(wide, file = tempfile(fileext = ".hrc")) {
  pairs <- pairs_of_wide(wide)
  walk <- walk_tree(pairs)
  at <- data.frame(levels = strrep("@", walk$depth), codes = walk$code)
  lines <- paste0(strrep("@", walk$depth[-1] - 2), walk$code[-1])
  writeLines(lines, file)
  c(if (has_plain_columns(wide)) {
    list(wide = wide, wide_reversed = rev(wide[sample(nrow(wide)), , drop = FALSE]))
  }, list(
    pairs = pairs, pairs_mixed = pairs[sample(nrow(pairs)), ],
    rooted = rbind(data.frame(parent = NA, child = "Total"), pairs),
    nodes = data.frame(root = c("Total", pairs$parent), leaf = c("Total", pairs$child),
                       level = walk$depth[match(c("Total", pairs$child), walk$code)]),
    at = at, file = file, lines = if (any(startsWith(lines, "@"))) lines else file,
    maps = data.frame(mapsFrom = pairs$child, mapsTo = pairs$parent, sign = 1L, level = 1),
    vector = stats::setNames(pairs$parent, pairs$child),
    factors = as.data.frame(lapply(pairs, factor)),
    several = list(pairs, at)
  ))
}
