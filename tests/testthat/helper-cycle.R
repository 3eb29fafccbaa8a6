# Tables with random trees, and their totals by base R alone.

# A random tree over some levels as a frame of parents and children: unbalanced, with nodes of one
# child, and levels directly below the root.
random_tree <- function(levels, name, depth = 2) {
  parent <- character()
  child <- character()
  grow <- function(below, node, depth) {
    if (depth == 0 || length(below) == 1 && runif(1) < .5) {
      child <<- c(child, below)
      parent <<- c(parent, rep(node, length(below)))
      return(invisible())
    }
    group <- sample(seq_len(1 + length(below) %/% 2), length(below), replace = TRUE)
    for (g in unique(group)) {
      some <- below[group == g]
      if (runif(1) < .3) {
        child <<- c(child, some)
        parent <<- c(parent, rep(node, length(some)))
      } else {
        inner <- paste0(node, ".", g)
        child <<- c(child, inner)
        parent <<- c(parent, node)
        grow(some, inner, depth - 1)
      }
    }
  }
  root <- paste0(name, ".all")
  grow(levels, root, depth)
  data.frame(parent = c(NA, parent), child = c(root, child))
}

# Poisson counts on levels a1, a2, ..., b1, ...; `trees`: how many for each variable.
random_tree_table <- function(size, trees = rep(1, length(size)), mean = 2) {
  variables <- letters[seq_along(size)]
  labels <- Map(function(v, n) paste0(v, seq_len(n)), variables, size)
  names(labels) <- variables
  hierarchies <- Map(function(v, n) {
    lapply(seq_len(n), function(k) random_tree(labels[[v]], paste0(v, k)))
  }, variables, trees)
  names(hierarchies) <- variables
  hierarchies <- hierarchies[trees > 0]
  cells <- expand.grid(labels, stringsAsFactors = FALSE)
  cells$n <- rpois(nrow(cells), mean)
  cells$n[1] <- cells$n[1] + 1
  sdc_table(cells, dimVar = variables, freqVar = "n",
            hierarchies = if (length(hierarchies) > 0) hierarchies)
}

# The proper ancestors of a level in frames of parents and children.
ancestors_in <- function(level, trees) {
  unique(unlist(lapply(trees, function(tree) {
    up <- character()
    at <- tree$parent[match(level, tree$child)]
    while (!is.na(at)) {
      up <- c(up, at)
      at <- tree$parent[match(at, tree$child)]
    }
    up
  })))
}

# All totals over trees, by aggregate(): each record is repeated for every combination of its level
# and the nodes above it.
totals_by_aggregate <- function(counts, trees) {
  labels <- dimnames(counts)
  records <- expand.grid(labels, stringsAsFactors = FALSE)
  records$n <- as.vector(counts)
  for (v in names(labels)) {
    above <- lapply(labels[[v]], function(l) c(l, if (is.null(trees[[v]])) "Total" else
      ancestors_in(l, trees[[v]])))
    times <- lengths(above)[match(records[[v]], labels[[v]])]
    nodes <- unlist(above[match(records[[v]], labels[[v]])])
    records <- records[rep(seq_len(nrow(records)), times), ]
    records[[v]] <- nodes
  }
  out <- aggregate(records["n"], records[names(labels)], sum)
  inner <- Reduce(`|`, lapply(names(labels), function(v) {
    length(labels[[v]]) > 1 & !out[[v]] %in% labels[[v]]
  }))
  out[inner, ]
}
