# Sets on a table whose variables are merged into ways, and the margins that they keep.

# In the order of combn(): without the last first.
margins_without_one <- function(labels, ways = as.list(seq_along(labels))) {
  long <- way_sizes(ways, labels) > 1
  rev(lapply(ways[long], function(at) names(labels)[-at]))
}

way_sizes <- function(ways, labels) vapply(ways, function(at) prod(lengths(labels)[at]), 0)

# Does no way merge two variables that move?
keeps_totals <- function(ways, labels) {
  all(vapply(ways, function(at) sum(lengths(labels)[at] > 1) <= 1, NA))
}

merged_rule <- function(labels, ways, make) {
  if (identical(as.integer(unlist(ways)), seq_along(labels)) && all(lengths(ways) == 1)) {
    return(make(labels))
  }
  of <- make(merged_labels(labels, ways))
  list(rule = "merged", parameters = list(
    ways = lapply(ways, as.integer),
    of = list(rule = of$rule, version = 1L, parameters = of$parameters)
  ))
}

# The set on the table of the ways, from a merged set.
merged_set <- function(x) {
  labels <- merged_labels(x$dimnames, x$parameters$ways)
  of <- x$parameters$of
  structure(
    list(
      rule = of$rule, version = of$version, dimnames = labels, parameters = of$parameters,
      preserves = margins_without_one(labels)
    ),
    class = sdc_class("sdc_cycles")
  )
}

# Levels of a way are numbers: labels put together might be the same for two of them.
merged_labels <- function(labels, ways) {
  size <- way_sizes(ways, labels)
  stats::setNames(lapply(size, function(n) as.character(seq_len(n))), paste("way", seq_along(ways)))
}
