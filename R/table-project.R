# Fewer variables or fewer levels: the sums of a table over some of them, and what some levels hold.

# `maps`: for each new variable NULL, or for each old level the new one, 0 for those left out.
project_table <- function(x, keep, maps, dimnames) {
  cells <- with_core(
    cpp_project_table(dim(x), x$keys, x$counts, lengths(dimnames), keep, maps,
                      projection_plan(length(x$counts), lengths(dimnames), maps))
  )
  new_table(dimnames, cells)
}

# `index`: for each variable the levels to keep, in their new order.
select_levels <- function(x, index) {
  maps <- Map(function(i, levels) {
    if (identical(i, seq_along(levels))) {
      return(NULL)
    }
    map <- integer(length(levels))
    map[i] <- seq_along(i)
    map
  }, index, unname(x$dimnames))
  dimnames <- Map(function(levels, i) levels[i], x$dimnames, index)
  project_table(x, seq_along(index), unname(maps), dimnames)
}
