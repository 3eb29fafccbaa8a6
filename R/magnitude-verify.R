# What publish() asks of redistributed magnitudes: nothing goes on the word of a field.

# Published values are whole units; what stays does stay; no value changed by more than the bound.
verify_magnitudes <- function(x) {
  verified("redistribute", check_magnitudes(x))
}

check_magnitudes <- function(x) {
  check_seal(x, "magnitudes", redistribution_parts(x), "redistribute")
  untrue <- function(what) abort_untrue(what, "redistribute")
  held <- x$original
  if (!identical(x$cells$cell, held$cell) ||
      !identical(x$cells$published, in_values(x$units, held)) ||
        any(x$units < 0 | x$units %% 1 != 0)) {
    untrue("The published values are not whole units of the cells of the original.")
  }
  modified <- x$contributors
  if (!is.null(modified) && (!identical(modified$cell, held$cell) ||
                               any(cell_totals(modified) != x$units))) {
    untrue("The published values are not the sums of the modified contributors.")
  }
  true <- cell_totals(held)
  stay <- kept_parts(held, kept_margins(held, x$keep_margins))
  # by contributors cells keep their own totals or the grand total only
  if (x$method != "minimal") stay <- list(seq_along(true))
  if (!all(vapply(stay, function(cells) sum(x$units[cells]) == sum(true[cells]), NA))) {
    untrue("Totals that the redistribution keeps are not those of the original.")
  }
  if (!is.null(x$max_change) && any(abs(x$units - true) > change_limit(x$max_change, held))) {
    untrue("Some values changed by more than {.arg max_change}.")
  }
}

# The audit of what would be published, made now: as asked for, and with totals.
audited_now <- function(x) {
  x$remaining <- remaining_cells(x$original, x$rules, x)
  found <- list(audit(x))
  if (!x$totals) found <- c(found, list(audit(x, totals = TRUE)))
  sum(vapply(found, `[[`, 0, "failures"))
}
