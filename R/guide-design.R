# Which design a plan of perturbation takes: perturb() refuses some, see perturb-certain.R.

# As code on `x`, the `set` of cycles, and the `design` of these `cycles`: the usual ones, or those
# that `perturb()` takes where it refuses them. `other_sets`: may others be taken for `set`?
taken_design <- function(x, set, s, other_sets = TRUE) {
  usual <- bquote(mechanism(cycles, alpha = .(s$alpha), beta = .(s$beta), covers = .(s$covers)))
  taken <- list(set = set, design = usual, other = FALSE)
  other <- if (!s$insist) other_design(x, set, usual, other_sets)
  if (is.null(other)) {
    return(taken)
  }
  if (!identical(other[[2]], own_set)) taken$set <- other[[2]]
  other[[2]] <- quote(cycles)
  list(set = taken$set, design = other, other = TRUE)
}

own_set <- quote(usual$cycles)
banded_set <- quote(cycles_banded(x, seed = 1))

# NULL where the usual design passes, and where none does: then perturb() says why. Larger tables
# would take too long.
other_design <- function(x, set, usual, other_sets) {
  counts <- dense_counts(x)
  if (length(counts) > 1e5) {
    return(NULL)
  }
  least <- formals(perturb)$min_protection
  tryCatch(
    {
      cycles <- eval(set, list(x = x), topenv())
      me <- mechanism_of_table(eval(usual, list(cycles = cycles), topenv()), x)
      if (would_perturb(x, counts, me, least)) {
        return(NULL)
      }
      designs <- other_designs(x, me, list(quote(x), quote(usual)))
      if (!other_sets) designs <- Filter(function(call) identical(call[[2]], own_set), designs)
      find_other_design(x, counts, least, designs, list(x = x, usual = me))
    },
    sdc_error = function(cnd) NULL
  )
}

# The seed only shuffles lines, and is published with the set.
cyclic_calls <- function(s, x) {
  two_way <- length(dim(x)) == 2
  set <- if (two_way) banded_set else margin_set_call(1, x, quote(x))
  taken <- taken_design(x, set, s)
  protected <- insisting(bquote(perturb(x, .(taken$design))), s)
  structure(list(cycles = taken$set, protected = protected),
            said = if (taken$other) other_design_words)
}

# Each table by itself: bands of two variables, and cycles over ways of one variable each, keep all
# totals that two tables can share.
linked_cyclic_calls <- function(s, x, sets) {
  set_calls <- as.call(c(quote(list), lapply(sets, function(set) {
    if (length(set) == 1) set else as.call(c(quote(c), as.list(set)))
  })))
  taken <- lapply(unclass(margins(x, sets)), function(one) {
    two_way <- length(dim(one)) == 2
    ways <- quote(cycles_margin(x, as.list(names(dimnames(x)))))
    taken_design(one, if (two_way) banded_set else ways, s, other_sets = two_way)
  })
  each <- function(field) {
    as.call(c(quote(list), unname(Map(function(one, i) {
      on_table(one[[field]], list(x = bquote(tables[[.(i)]]), cycles = bquote(cycles[[.(i)]])))
    }, taken, as.double(seq_along(taken))))))
  }
  other <- any(vapply(taken, `[[`, NA, "other"))
  usual <- taken[[1]]$design
  usual[[1]] <- quote(lapply)
  calls <- list(
    tables = bquote(margins(x, .(set_calls))), cycles = each("set"),
    designs = if (other) each("design") else as.call(append(as.list(usual), quote(mechanism), 2)),
    protected = insisting(quote(Map(perturb, tables, designs)), s)
  )
  structure(calls, said = if (other) other_design_words)
}

# A plan that insists says so in its code.
insisting <- function(call, s) if (s$insist) as.call(c(as.list(call), insist = TRUE)) else call

on_table <- function(call, by) do.call(substitute, list(call, by))

other_design_words <-
  "perturb() refuses the usual design here: the lines below take the first one that passes."

# For the comparison: by the design that is taken, and not at all where none passes.
plan_method_cyclic <- function(s, x) {
  out <- method_cyclic(alpha = s$alpha, beta = s$beta, covers = s$covers, label = "perturbation")
  if (!s$insist) {
    calls <- cyclic_calls(s, x)
    out$run <- function(x, map, seed) {
      cycles <- eval(calls$cycles, list(x = x), topenv())
      me <- eval(calls$protected[[3]], list(cycles = cycles), topenv())
      publish(perturb(x, me, seed = seed), insist = TRUE)
    }
  }
  out
}
