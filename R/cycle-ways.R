# The margins that sets of cycles keep when variables are merged into ways.

# In the order of combn(): without the last first.
margins_without_one <- function(labels, ways = as.list(seq_along(labels))) {
  long <- way_sizes(ways, labels) > 1
  rev(lapply(ways[long], function(at) names(labels)[-at]))
}

way_sizes <- function(ways, labels) vapply(ways, function(at) prod(lengths(labels)[at]), 0)
