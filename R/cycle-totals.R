# Published totals of a table with trees or crossings, and the cycles that change them.

changed_nodes <- function(cycles, layout, max_rows, first_cycle = FALSE) {
  like <- laid_out_shape(dimnames(cycles), layout)
  totals <- table_totals(like)
  labels <- node_labels(like, totals)
  found <- with_core(cpp_changed_totals(
    cycles, unname(lengths(labels)), crossings_of_cycles(like, totals, labels), first_cycle,
    max_rows
  ))
  columns <- c(
    list(cycle = as.integer(found$cycle)),
    rlang::set_names(Map(as_level_factor, found$node, labels), names(labels)),
    list(change = found$change)
  )
  list2data_frame(columns, length(found$cycle))
}

# For the core: the nodes of each crossing. The total of a variable of one level is that level.
crossings_of_cycles <- function(like, totals, labels) {
  size <- lengths(like$dimnames)
  lapply(crossing_flags(like, labels), function(flags) {
    flags <- Map(function(flag, n) {
      if (n == 1) c(any(flag), rep(FALSE, length(flag) - 1)) else flag
    }, flags, size)
    unname(Map(node_map, totals, size, flags))
  })
}

# Stops where a cycle changes a published total.
check_totals_kept <- function(cycles, layout, what = NULL, hint = NULL) {
  changed <- changed_nodes(cycles, layout, 1e6, first_cycle = TRUE)
  if (nrow(changed) == 0) {
    return(invisible(cycles))
  }
  shown <- label_words(utils::head(changed[names(dimnames(cycles))], 3))
  rest <- nrow(changed) - length(shown)
  abort_sdc("input", c(
    what %||% "Every cycle must keep the published totals of the table.",
    x = "Cycle {changed$cycle[[1]]} changes {.val {shown}}{if (rest > 0) paste(' and', rest,
         'more') else ''}.",
    i = hint %||% "Moves keep all totals when their rows, columns and layers have the same parents
                   in all trees: {.fn cycles_banded} and {.fn cycles_margin} make such moves."
  ))
}
