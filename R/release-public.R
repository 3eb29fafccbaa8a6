# The public side of a release, made of its private one.

public_release <- function(x) {
  tables <- lapply(x$sets, function(set) published_sub_table(x$problem, set))
  steps <- published_steps(table_steps(x$problem$x))
  dimnames <- if (is.null(steps)) plain(x$problem$x$dimnames) else
    rlang::set_names(steps$categories, steps$names)
  labels <- set_labels(x$sets, names(dimnames), steps)
  new_release_publication(dimnames, plain(unname(x$sets)),
                          rlang::set_names(tables, plain(labels)), plain(format(x$risk)), steps)
}

# `steps`: of a release by level, see release-publish-level.R.
new_release_publication <- function(dimnames, sets, tables, rule, steps) {
  structure(
    c(list(dimnames = dimnames, sets = sets, tables = tables, rule = rule),
      if (!is.null(steps)) list(steps = steps)),
    class = sdc_class("sdc_release_publication")
  )
}

# A table of counts; for magnitudes a frame of the cells with contributors, and their totals.
published_sub_table <- function(problem, set) {
  if (is.null(problem$magnitude)) {
    by_level <- !is.null(table_steps(problem$x))
    table <- if (by_level) level_margin(problem$x, set) else sub_table(problem, set)
    cells <- list(keys = plain(table$keys), counts = plain(table$counts))
    return(new_table(plain(table$dimnames), cells))
  }
  over <- magnitude_over(problem$magnitude, set)
  columns <- c(cell_factors(over$cell, plain(over$dimnames)),
               list(total = in_values(contributor_totals(over), over)))
  list2data_frame(columns, length(over$cell))
}

contributor_totals <- function(x) {
  cell <- rep(seq_along(x$cell), diff(x$start))
  as.numeric(rowsum(x$value, factor(cell, seq_along(x$cell))))
}
