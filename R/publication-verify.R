# publish() verifies: nothing leaves on the word of a field that a user can edit.

# ---- perturbation -------------------------------------------------------------------------------

perturbation_parts <- function(x) {
  me <- x$mechanism
  list(
    table_parts(x$original), table_parts(x$published), x$coefficients, x$reproducible,
    unclass(me$cycles)[c("rule", "version", "dimnames", "parameters", "preserves")],
    unclass(me)[c("alpha", "beta", "covers", "order", "zero_rule")]
  )
}

table_parts <- function(x) list(x$dimnames, dense_counts(x))

verify_perturbation <- function(x) {
  verified("perturb", {
    check_seal(x, "perturbation", perturbation_parts(x), "perturb")
    check_replay(x)
  })
}

# Coins that ask for the recorded moves lead from the original to what is published, each of them
# obeyed; the mechanism could have asked for them; and its margins stay.
check_replay <- function(x) {
  untrue <- function(what) abort_untrue(what, "perturb")
  counts <- dense_counts(x$original)
  published <- dense_counts(x$published)
  moves <- as.integer(x$coefficients)
  me <- x$mechanism
  if (length(moves) != step_count(me) || !all(moves %in% -1:1)) {
    untrue("The recorded moves are not those of the steps of the mechanism.")
  }
  could <- possible_moves(me)
  if (any(moves == 1 & !could$plus) || any(moves == -1 & !could$minus)) {
    untrue("The mechanism never asks for some of the recorded moves.")
  }
  again <- replay(counts, me, moves)
  if (!identical(as.integer(again$applied), moves) || !identical(again$counts, published)) {
    untrue("The recorded moves do not lead from the original to the table that would be published.")
  }
  same <- vapply(me$cycles$preserves, function(set) {
    level <- level_numbers(dim(me$cycles), match(set, names(dimnames(me$cycles))))
    identical(rowsum(counts, level), rowsum(published, level))
  }, NA)
  if (!all(same) || sum(counts) != sum(published)) {
    untrue("The published table does not have the margins that the cycles keep.")
  }
}

possible_moves <- function(me) {
  step <- steps_of(me)
  of_step <- function(p) if (length(p) == 1) rep(p, length(step)) else p[step]
  list(plus = of_step(me$alpha) > 0, minus = of_step(me$beta) > 0)
}

# With both probabilities a quarter, a coin of 0 adds, one of 2^62 takes away, the largest stays.
replay <- function(counts, me, moves) {
  me$alpha <- me$beta <- .25
  bytes <- matrix(as.raw(255), 8, length(moves))
  bytes[, moves != 0] <- as.raw(0)
  bytes[8, moves == -1] <- as.raw(64)
  with_core(cpp_perturb_counts(counts, me, as.vector(bytes)))
}

# ---- rounding -----------------------------------------------------------------------------------

rounding_parts <- function(x) {
  fields <- c("base", "method", "distance", "margins", "total_label", "reproducible", "solver",
              "reach")
  list(table_parts(x$original), table_parts(x$rounded), lapply(x$hierarchies, lapply, unclass),
       unclass(x)[fields])
}

# Multiples of the base, each cell and each released sum next to its original or as far away as
# `reach` says; what a network rounds to the nearest is rounded again.
verify_rounding <- function(x) {
  verified("round_controlled", check_rounding(x))
}

check_rounding <- function(x) {
  check_seal(x, "rounding", rounding_parts(x), "round_controlled")
  untrue <- function(what) abort_untrue(what, "round_controlled")
  if (!identical(x$original$dimnames, x$rounded$dimnames)) {
    untrue("The rounded table has other levels than the original.")
  }
  counts <- dense_counts(x$original)
  rounded <- dense_counts(x$rounded)
  if (any(rounded %% x$base != 0)) {
    untrue("Some rounded counts are no multiples of the base.")
  }
  sums <- released_sums(x$rounded$dimnames, x$margins, x$hierarchies, x$total_label)
  network <- sum_network(sums)
  broken <- rounding_violations(counts, rounded, sums, x$base, x$rounded$dimnames)
  if (!is.null(network) && nrow(broken) > 0) {
    untrue("Some rounded counts or sums are not next to their originals.")
  }
  if (x$reach != x$base - 1 + x$base * max(0, abs(broken$by))) {
    untrue("Rounded counts or sums lie further from their originals than {.field reach} says.")
  }
  nearest <- !is.null(network) && x$method == "nearest"
  if (nearest && !identical(rounded, as.double(
    round_network(counts, sums, network, x$base, "nearest", x$distance, NULL)
  ))) {
    untrue("The rounded table is not the nearest one.")
  }
}

# ---- maps ---------------------------------------------------------------------------------------

hex_parts <- function(x) {
  fields <- c("threshold", "method", "outliers", "order", "empty", "moves", "suppressed")
  list(x$original[c("q", "r", "count", "geometry")], x$map[c("q", "r", "count", "geometry")],
       lapply(unclass(x)[fields], unclass))
}

# The map after is made again from the original, its outliers and the recorded moves.
verify_hex <- function(x) {
  verified("redistribute", check_map(x))
}

check_map <- function(x) {
  check_seal(x, "map", hex_parts(x), "redistribute")
  untrue <- function(what) abort_untrue(what, "redistribute")
  ask <- list(threshold = x$threshold, outliers = x$outliers)
  lost <- treat_outliers(x$original, ask)$suppressed
  out <- hex_match(x$suppressed, x$original)
  if (!identical(sort(out), sort(lost)) || any(x$suppressed$count != x$original$count[out])) {
    untrue("What is recorded as suppressed are not the outliers of the original.")
  }
  after <- moved_counts(x)
  if (is.null(after)) {
    untrue("Some recorded moves are not between data cells of the original.")
  }
  after[lost] <- after[lost] - x$original$count[lost]
  kept <- after != 0
  made <- new_sdc_hex(x$original$q[kept], x$original$r[kept], after[kept], x$original$geometry)
  same <- c("q", "r", "count", "geometry")
  if (!identical(unclass(made)[same], unclass(x$map)[same])) {
    untrue("The recorded moves do not lead from the original to the map that would be published.")
  }
  if (any(made$count < x$threshold)) {
    untrue("Some data cells of the map are below the threshold.")
  }
  filled <- if (x$outliers == "redistribute") NULL else setdiff(which(!kept), lost)
  if (!x$empty && length(filled) > 0) {
    untrue("Data cells were emptied, which this method does not do.")
  }
}

# NULL where a move has no data cell at an end, or moves no whole number of counts.
moved_counts <- function(x) {
  from <- match(hex_keys(x$moves$from_q, x$moves$from_r), hex_keys(x$original$q, x$original$r))
  to <- match(hex_keys(x$moves$to_q, x$moves$to_r), hex_keys(x$original$q, x$original$r))
  if (anyNA(c(from, to)) || any(x$moves$count < 1 | x$moves$count %% 1 != 0)) {
    return(NULL)
  }
  n <- seq_along(x$original$q)
  sums <- function(cell) as.vector(rowsum(c(x$moves$count, 0 * n), c(cell, n)))
  x$original$count + sums(to) - sums(from)
}

# ---- magnitudes ---------------------------------------------------------------------------------

redistribution_parts <- function(x) {
  fields <- c("method", "units", "settled", "p", "totals", "keep_margins", "max_change",
              "reproducible")
  c(magnitude_parts(x$original), list(
    unclass(x$rules), unclass(x$contributors), unclass(x$cells)[c("cell", "published")],
    unclass(x)[fields]
  ))
}

magnitude_parts <- function(x) {
  held <- c("dimnames", "cell", "start", "value", "holder", "variable", "unit", "per_unit",
            "divides", "total_label")
  list(unclass(x)[held], lapply(x$hierarchies, lapply, unclass))
}

# Published values are whole units; what stays does stay; no value changed by more than the bound.
verify_magnitudes <- function(x) {
  verified("redistribute", check_magnitudes(x))
}

check_magnitudes <- function(x) {
  check_seal(x, "magnitudes", redistribution_parts(x), "redistribute")
  untrue <- function(what) abort_untrue(what, "redistribute")
  held <- x$original
  if (!identical(x$cells$cell, held$cell) || !identical(x$cells$published, in_values(x$units, held)) ||
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

# ---- margins ------------------------------------------------------------------------------------

# Margins come without their table: besides their seal, what they can be asked is whether they are
# those of one.
verify_margins <- function(x) {
  verified("margins", {
    check_seal(list(seal = attr(x, "seal")), "margins", margins_parts(x), "margins")
    whole <- function(m) tryCatch(is_whole_table(m), error = function(cnd) FALSE)
    if (!all(vapply(unclass(x), whole, NA))) {
      abort_untrue("The levels and cells of a margin do not fit each other.", "margins")
    }
    check_agree(x)
  })
}

# Each stored cell has a place of its own among the levels.
is_whole_table <- function(x) {
  labels <- x$dimnames
  whole <- inherits(x, "sdc_table") && is.list(labels) &&
    (length(labels) == 0 || any(lengths(labels) == 0) || are_levels(labels)) &&
    are_whole(x$counts, length(x$counts), 1, 2^53)
  if (!whole) {
    return(FALSE)
  }
  counts <- dense_counts(x)
  sum(counts > 0) == length(x$counts) && sum(counts) == sum(x$counts)
}

check_agree <- function(x) {
  for (i in seq_along(x)[-1]) {
    for (j in seq_len(i - 1)) {
      if (!agree_on_common(x[[i]], x[[j]])) {
        abort_sdc("refused", c(
          "Only margins of one table can be published.",
          x = "{.val {names(x)[j]}} and {.val {names(x)[i]}} contradict each other.",
          i = "Make them again with {.fn margins}."
        ))
      }
    }
  }
}

agree_on_common <- function(x, y) {
  common <- intersect(names(x$dimnames), names(y$dimnames))
  over <- lapply(list(x, y), margin, common)
  identical(over[[1]]$dimnames, over[[2]]$dimnames) &&
    identical(dense_counts(over[[1]]), dense_counts(over[[2]]))
}
