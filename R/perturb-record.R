# A perturbation leaves, alone or beside what is out.

#' @rdname publish
#' @export
publish.sdc_perturbation <- function(x, insist = FALSE, record = NULL, ...) {
  check_no_dots(...)
  check_flag(insist)
  check_record(record)
  verify_perturbation(x)
  if (x$reproducible && !insist) {
    abort_sdc("refused", c(
      "Only a perturbation with secret coins can be published.",
      x = "This one was made with {.arg seed}: anybody can repeat its coins and undo it.",
      i = "Run {.fn perturb} without {.arg seed}; {.code insist = TRUE} publishes an example."
    ))
  }
  out <- new_sdc_publication(x$published, x$mechanism)
  let_out(out, record, perturbation_entry(x, out), insist)
}

# Whether a design can stand beside what is out, as far as that is so for all coins: the totals that
# its cycles keep leave the protected counts unknown.
check_design_beside <- function(x, mechanism, record) {
  if (is.null(record)) {
    return(invisible())
  }
  check_steps_can_be_judged(mechanism)
  held <- read_entries(record)
  check_none_redistributed(held, "perturbed table")
  out <- lapply(held$entries, `[[`, "publication")
  if (any(vapply(out, is_perturbed, NA))) abort_second_noise(held, out)
  kept <- lapply(mechanism$cycles$preserves, function(set) take_margin(x, set, "preserves"))
  if (length(kept) == 0) kept <- list(take_margin(x, character(), "preserves"))
  names(kept) <- vapply(kept, function(m) margin_label(names(m$dimnames)), "")
  check_together(held, open_entry(new_margins(kept)))
}

# What a record keeps of a perturbation. It guards the counts of 1 and 2 that the publication alone
# leaves unknown, from readers of all publications.
perturbation_entry <- function(x, public) {
  held <- x$original
  small <- which(held$counts %in% 1:2)
  guarded <- guarded_cells(held, small, 1, FALSE)
  entry <- open_entry(public)
  if (length(small) > 0) {
    bounds <- bound_together(list(entry), guarded)$bounds
    entry$guarded <- guarded[!(bounds$sharp & bounds$lower == bounds$upper), , drop = FALSE]
  }
  entry$people <- people_alone(held, public)
  entry
}
