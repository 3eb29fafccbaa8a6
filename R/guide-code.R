# The lines of R of a guide: which design a plan of perturbation takes, as perturb() refuses some (see
# perturb-certain.R), and where the table came from.

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

# ---- where the table came from ------------------------------------------------------------------

# Puts the line before the others, in place of one that was there.
with_origin <- function(done, line, sets = NULL) {
  replaced <- length(done$made)
  put <- function(lines) c(line, lines[seq_along(lines) > replaced])
  if (!is.null(line)) {
    done$code <- if (is.list(done$code)) lapply(done$code, put) else put(done$code)
    done$made <- line
  }
  if (!is.null(sets)) done$titles <- sets[nzchar(rlang::names2(sets))]
  done
}

# "x <- sdc_table(people, dimVar = c("region", "sex"))". `written`: the arguments as the user wrote
# them.
made_line <- function(make, data, written = NULL) {
  call <- as.call(c(list(as.name(make), short_name(data)), written))
  paste("x <-", call_text(call))
}

# Values that a program passed in place of names would fill pages.
short_name <- function(data) {
  if (is.symbol(data) || is.call(data) && nchar(call_text(data)) <= 60) data else quote(data)
}

call_text <- function(call) paste(deparse(call, 500), collapse = " ")

# NULL where the table has the name that all lines use.
same_line <- function(data) {
  if (is.symbol(data) && !identical(data, quote(x))) paste("x <-", as.character(data))
}

linked_lines <- function(data, has_frames, written) {
  name <- short_name(data)
  if (has_frames) {
    call <- as.call(c(list(quote(lapply), name, quote(sdc_table)), written))
    return(c(paste("tables <-", call_text(call)), "x <- link_tables(tables)"))
  }
  made_line("link_tables", name)
}

# Where `dimVar` is a list of sets, the arguments with the formula that it means.
sets_in_arguments <- function(given, written, data) {
  names <- rlang::names2(given)
  at <- c(which(names == "dimVar"), which(names == ""))[1]
  is_list <- !is.na(at) && is.list(given[[at]]) && !is.object(given[[at]])
  if (!is_list) {
    return(list(given = given, written = written))
  }
  if (!is.null(given$formula)) {
    abort_sdc("input", c(
      "{.arg dimVar} must be no list where {.arg formula} is given.",
      x = "Both say which tables are published.", i = "Leave one of them out."
    ))
  }
  sets <- checked_sets(given[[at]], given, data)
  formula <- formula_of_sets(sets)
  text <- formula
  attributes(text) <- NULL
  list(given = c(given[-at], list(formula = formula)),
       written = c(written[-at], list(formula = text)), sets = sets)
}

checked_sets <- function(sets, given, data) {
  if (length(sets) == 0) {
    abort_sdc("input", c("{.arg dimVar} must name the variables of each table.",
                         x = "{.arg dimVar} is an empty list."))
  }
  trees <- c(given$hierarchies, given$dimList)
  for (i in seq_along(sets)) {
    arg <- paste0("dimVar[[", i, "]]")
    sets[i] <- list(variable_names(sets[[i]], arg))
    check_names_given(sets[[i]], arg)
    if (length(sets[[i]]) == 0) {
      abort_sdc("input", c("{.arg {arg}} must name a variable.", x = "It is empty."))
    }
    if (is.null(trees)) resolve_columns(sets[[i]], data, arg)
  }
  check_other_variables(unname(sets), paste0("dimVar[[", seq_along(sets), "]]"))
  sets
}
