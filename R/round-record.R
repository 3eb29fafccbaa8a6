# What leaves of a rounding, and what a record keeps of it.

# What a record keeps of a rounding: counts below its base, which must not be known, and the people
# who are alone.
rounding_entry <- function(x, public) {
  held <- x$original
  small <- which(held$counts > 0 & held$counts < x$base)
  list(publication = public, guarded = guarded_cells(held, small, 1, TRUE),
       people = people_alone(held, public), floored = NULL)
}

public_rounding <- function(x) {
  labels <- plain(x$rounded$dimnames)
  structure(
    c(
      list(
        table = public_rounded(x),
        base = as.double(x$base), method = plain(x$method),
        distance = if (!is.null(x$distance)) plain(x$distance),
        solver = plain(x$solver), reach = public_reach(x), margins = plain(x$margins),
        hierarchies = plain_trees(x$hierarchies, labels, x$total_label),
        total_label = plain(x$total_label)
      ),
      if (!is.null(x$crossings)) list(dimnames = labels, crossings = plain(x$crossings))
    ),
    class = sdc_class("sdc_rounded_publication")
  )
}

# How far published numbers can be from the original. What small counts were really rounded by would
# tell them: of a single 0 it is the count. So it is what all leaf cells together can change.
public_reach <- function(x) {
  if (x$method != "small") {
    return(as.double(x$reach))
  }
  min((x$base - 1) * prod(lengths(x$rounded$dimnames)), 2^53)
}

# The rounded leaf cells; of linked tables, whose leaf cells need not be published, the published
# cells and totals, with nodes as levels.
public_rounded <- function(x) {
  x <- x$rounded
  if (!is.null(table_crossings(x))) x <- published_table(x)
  new_table(plain(x$dimnames), list(keys = plain(x$keys), counts = plain(as.double(x$counts))))
}
