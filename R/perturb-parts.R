# What the publication of a perturbed table tells, as constraints.

# A perturbed table: the margins that the cycles keep, and the reach of their moves. Under "blocked"
# a cell that was zero stays zero, so that a published positive count was positive.
#' @export
as_parts.sdc_publication <- function(x, name, arg, style) {
  table <- x$table
  reach <- mechanism_reach(x$mechanism)
  counts <- dense_counts(table)
  positive <- if (x$mechanism$zero_rule == "blocked") as.numeric(counts > 0) else 0
  columns <- unclass(cell_factors(seq_along(counts), table$dimnames))
  reachable <- new_part(part_name(name, "reach of the moves"), columns,
                        pmax(positive, counts - reach), counts + reach, complete = TRUE)
  kept <- lapply(x$mechanism$cycles$preserves, function(variables) {
    m <- take_margin(table, variables, "variables")
    margin_part(m, part_name(name, margin_label(variables)))
  })
  if (!isTRUE(x$mechanism$cycles$totals_kept)) {
    return(c(kept, list(reachable)))
  }
  reachable$hierarchies <- full_trees(table)
  c(kept, list(reachable, totals_part(table, part_name(name, "published totals"))))
}

# All published totals of a table with trees or crossings, exact. Each variable has a tree.
totals_part <- function(x, set) {
  rows <- published_rows(x, zeros = TRUE, name = "freq")
  labels <- lapply(unclass(rows)[names(x$dimnames)], as.character)
  total <- !Reduce(`&`, Map(`%in%`, labels, x$dimnames))
  counts <- rows$freq[total]
  new_part(set, lapply(labels, `[`, total), counts, counts, complete = FALSE)
}

# How far all steps together can move each cell.
mechanism_reach <- function(mechanism) {
  all <- expand_cycles(mechanism$cycles)
  of_cycle <- rep(seq_len(length(mechanism$cycles)), diff(all$start))
  times <- mechanism$covers * cover_times(mechanism$cycles)[of_cycle]
  add_up(times * abs(all$coefficient), all$cell, prod(dim(mechanism$cycles)))
}
