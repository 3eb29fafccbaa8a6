quiet_audit <- function(...) audit(..., progress = FALSE)

nation <- data.frame(
  parent = c("all", "all", "north", "north"), child = c("north", "c", "a", "b")
)
coast <- data.frame(parent = c("all", "all", "sea", "sea"), child = c("sea", "a", "b", "c"))

# A table of firms, some of which are in several cells.
firm_records <- function(n, mean = 2, sd = 1.2, regions = 3, branches = 3) {
  data.frame(
    region = factor(sample(letters[seq_len(regions)], n, TRUE), letters[seq_len(regions)]),
    branch = factor(sample(LETTERS[seq_len(branches)], n, TRUE), LETTERS[seq_len(branches)]),
    value = ceiling(exp(rnorm(n, mean, sd))), firm = sample(n, n, TRUE)
  )
}

firm_table <- function(data, ..., contributorVar = "firm") {
  magnitude_table(data, c("region", "branch"), "value", contributorVar, ...)
}

# Which levels each level and total of a variable holds.
held_levels <- function(levels, trees, total = "Total") {
  out <- as.list(rlang::set_names(levels))
  if (is.null(trees)) {
    return(c(out, rlang::set_names(list(levels), total)))
  }
  below <- function(tree, node) {
    children <- tree$child[tree$parent == node]
    if (length(children) == 0) node else unlist(lapply(children, below, tree = tree))
  }
  for (tree in if (is.data.frame(trees)) list(trees) else trees) {
    for (node in unique(tree$parent)) out[[node]] <- below(tree, node)
  }
  out
}

# For each row of a frame with totals, the records in it.
row_records <- function(frame, data, trees = NULL) {
  held <- list(held_levels(levels(data$region), trees), held_levels(levels(data$branch), NULL))
  lapply(seq_len(nrow(frame)), function(i) {
    which(data$region %in% held[[1]][[as.character(frame$region[i])]] &
            data$branch %in% held[[2]][[as.character(frame$branch[i])]])
  })
}

# What rules say of the holdings of one cell, by the formulas: does any fire, and the level.
by_formula <- function(value, firm, threshold, percent, top, share) {
  x <- sort(as.vector(tapply(value, firm, sum)), decreasing = TRUE)
  total <- sum(x)
  two <- sum(utils::head(x, 2))
  first <- max(x, 0)
  few <- length(x) < threshold
  near <- total > 0 && total - two < percent / 100 * first
  much <- total > 0 && sum(utils::head(x, top)) > share / 100 * total
  up <- c(
    if (few) total + percent / 100 * first, if (near) two + percent / 100 * first,
    if (much) 100 / share * sum(utils::head(x, top))
  )
  list(fires = few || near || much, up = ceiling(max(up, total) - 1e-9), first = first,
       second = two - first)
}

# All tables of whole units that agree with a frame whose `hidden` rows are suppressed: a column for
# each of these rows.
agreeing_units <- function(frame, hidden, data, trees) {
  inner <- frame$region %in% letters & frame$branch %in% LETTERS
  free <- intersect(hidden, which(inner))
  cells <- as.matrix(expand.grid(rep(list(0:sum(data$value)), length(free))))
  grid <- matrix(frame$total, nrow(cells), nrow(frame), byrow = TRUE)
  grid[, free] <- cells
  labels <- list(held_levels(levels(data$region), trees), held_levels(levels(data$branch), NULL))
  all <- vapply(seq_len(nrow(frame)), function(row) {
    parts <- inner & frame$region %in% labels[[1]][[as.character(frame$region[row])]] &
      frame$branch %in% labels[[2]][[as.character(frame$branch[row])]]
    rowSums(grid[, parts, drop = FALSE])
  }, numeric(nrow(grid)))
  same <- colSums(t(all[, -hidden, drop = FALSE]) != frame$total[-hidden]) == 0
  all[same, hidden, drop = FALSE]
}
