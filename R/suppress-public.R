# What a suppression shows: its cells without the counts or totals that are suppressed.

public_suppression <- function(x, rule = FALSE, counts = FALSE) {
  labels <- plain(x$original$dimnames)
  hidden <- plain(is_hidden(x))
  shown <- if (of_units(x)) shown_units(x, hidden) else list(amount = x$cells$freq)
  values <- rlang::set_names(list(shown$amount, if (counts) as.double(x$cells$count)),
                             c(amount_column(x), "count"))
  values <- lapply(values[c(TRUE, counts)], function(value) replace(plain(value), hidden, NA_real_))
  variables <- lapply(unclass(x$cells)[names(labels)], function(column) {
    as_level_factor(plain(as.integer(column)), plain(levels(column)))
  })
  names(variables) <- plain(names(labels))
  held <- if (of_units(x)) x$original else x
  structure(
    c(
      list(
        cells = list2data_frame(c(variables, values, list(suppressed = hidden)), length(hidden)),
        dimnames = labels
      ),
      if (of_units(x)) list(variable = plain(held$variable), unit = plain(shown$unit)),
      list(hierarchies = plain_trees(held$hierarchies, labels),
           total_label = plain(held$total_label)),
      if (!is.null(suppression_crossings(x))) list(crossings = plain(suppression_crossings(x))),
      if (of_units(x) && !is.null(x$lowest)) list(lowest = as.double(x$lowest)),
      if (!of_units(x)) {
        c(list(maxN = if (rule) as.double(x$maxN), protectZeros = if (rule) plain(x$protectZeros)),
          if (rule && !is.null(x$groups)) {
            c(list(groups = plain(x$groups), small_groups = as.double(x$small_groups)),
              if (!is.null(x$combinations)) list(combinations = plain(x$combinations)))
          })
      }
    ),
    class = sdc_class(if (of_units(x)) "sdc_magnitude_suppressed", "sdc_suppressed")
  )
}

# Totals are written in the unit that they show, so that the unit of the data leaves no trace.
shown_units <- function(x, hidden) {
  x$cells$suppressed <- hidden
  shown <- shown_unit(x)
  list(amount = in_values(in_units(x$cells$total, shown), shown), unit = shown$unit)
}

#' @export
shown_cells.sdc_suppression <- function(x) shown_cells(public_suppression(x))
