# What publish() asks of a perturbation: nothing goes on the word of a field that can be edited.

perturbation_parts <- function(x) {
  me <- x$mechanism
  list(
    table_parts(x$original), table_parts(x$published), x$coefficients, x$reproducible,
    unclass(me$cycles)[c("rule", "version", "dimnames", "parameters", "preserves")],
    unclass(me)[c("alpha", "beta", "covers", "order", "zero_rule")]
  )
}

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
  if (isTRUE(me$cycles$totals_kept)) {
    layout <- me$cycles$layout
    if (!identical(totals_alone(x$original, layout), totals_alone(x$published, layout))) {
      untrue("The published table does not have the totals that the cycles keep.")
    }
  }
}

# The published totals that are not zero, without the cells of levels alone.
totals_alone <- function(x, layout) {
  all <- published_table(set_layout(x, layout))
  codes <- stored_codes(all)
  total <- Reduce(`|`, Map(function(code, n) n > 1 & code > n, codes, dim(x)))
  list(at = combine_codes(codes, dim(all), length(total))[total], count = all$counts[total])
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
