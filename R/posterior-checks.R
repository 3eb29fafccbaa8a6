# What publications must be for a posterior, and ways on where one is too large.

# A list of publications of one table, from one or several.
check_publications <- function(x) {
  check_given(x)
  if (!is.list(x) || is.object(x)) {
    check_publication(x, "x")
    return(list(x))
  }
  if (length(x) == 0) {
    abort_sdc("input", c("{.arg x} must hold at least one publication.", x = "{.arg x} is empty."))
  }
  for (i in seq_along(x)) {
    check_publication(x[[i]], paste0("x[[", i, "]]"))
    same <- identical(dimnames(x[[i]]$table), dimnames(x[[1]]$table))
    if (!same) {
      abort_sdc("input", c(
        "All publications must be of the same table.",
        x = "Publication {i} has other variables or levels than the first."
      ))
    }
  }
  unname(x)
}

# Another rule changes the reading of one mechanism; of several, which?
check_own_rules <- function(publications, zero_rule) {
  if (length(publications) == 1 || is.null(zero_rule)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "Several publications are analysed by the zero rules of their own mechanisms.",
    x = "There are {length(publications)} publications, and {.arg zero_rule} is
         {.val {zero_rule}}.",
    i = "Leave {.arg zero_rule} out, or ask for one publication at a time."
  ))
}

# Hints name only what will work. Those that are not used are never made.
posterior_hints <- function(ask, enumerate, max_tables) {
  list(
    infeasible = if (length(ask$factors) > 0) {
      "{.arg prior} must leave at least one original table possible."
    } else {
      "Is this the mechanism by which the table was published?"
    },
    too_large = if (enumerate) {
      "Raise {.arg max_tables}, or leave {.arg method} to its default."
    } else {
      ways_on(ask, max_tables)
    }
  )
}

# What can still be asked where exact messages take too much.
ways_on <- function(ask, max_tables) {
  if (length(ask$mechanisms) == 1) {
    if (skips_zeros(ask$mechanisms[[1]]$cycles)) {
      return("Fewer {.arg covers} have an exact posterior, as have groups of two lines.")
    }
    chain <- if (fits_as_chain(ask, max_tables)) {
      "{.code cycles_bidiagonal(walk = \"chain\")} has an exact posterior for this table. Or "
    }
    return(paste0(chain, if (is.null(chain)) "Simulate" else "simulate",
                  " with {.code method = \"montecarlo\"}; fewer {.arg covers} or a set with a narrow
                   front, such as {.code cycles_banded(open = TRUE)}, have an exact posterior."))
  }
  alone <- mapply(function(mechanism, published) {
    fits_alone(mechanism, published, max_tables)
  }, ask$mechanisms, ask$published)
  if (all(alone)) {
    return("Simulate with {.code method = \"montecarlo\"} (on large tables all runs may be lost);
            publications by one and the same set of cycles have an exact posterior.")
  }
  paste0("Ask for one publication at a time: number ", which(!alone)[[1]],
         " has no exact posterior of its own.")
}

# Would the same mechanism have an exact posterior with the other bidiagonal walk?
fits_as_chain <- function(ask, max_tables) {
  mechanism <- ask$mechanisms[[1]]
  cycles <- mechanism$cycles
  if (cycles$rule != "bidiagonal" || cycles$parameters$walk == "chain") {
    return(FALSE)
  }
  of <- bidiagonal_rule(cycles$dimnames, "chain")
  mechanism$cycles <- new_sdc_cycles(of$rule, cycles$dimnames, of$parameters, cycles$preserves)
  fits_alone(mechanism, ask$published[[1]], max_tables)
}

fits_alone <- function(mechanism, published, max_tables) {
  tryCatch({
    cpp_plan_posterior(list(mechanism), list(published), max_tables)
    TRUE
  }, `sdclattice::TooLargeError` = function(cnd) FALSE)
}

# That simulation finds nothing proves nothing.
lost_hints <- function(mechanisms) {
  data <- any(vapply(mechanisms, function(me) me$cycles$rule == "data", NA))
  list(
    infeasible = paste0(
      "Such an original may still exist: more {.arg draws} may find one.",
      if (data) " With {.code zero_pattern = FALSE} a run of data cycles is lost less often."
    ),
    too_large = if (length(mechanisms) > 1) {
      "The draws of several publications need an exact posterior of each one."
    } else if (skips_zeros(mechanisms[[1]]$cycles)) {
      "Leave {.arg method} to its default: sets that skip zeros have exact answers."
    } else {
      "Fewer {.arg draws} need less memory."
    }
  )
}

check_publication <- function(x, arg = rlang::caller_arg(x)) {
  check_given(x, arg)
  if (inherits(x, "sdc_perturbation")) {
    abort_sdc("input", c(
      "{.arg {arg}} must be a publication.",
      x = "{.arg {arg}} is a private perturbation, which holds the original.",
      i = "Use {.code posterior(publish(...))}."
    ))
  }
  check_class(x, "sdc_publication", arg, make = "publish")
  check_class(x$table, "sdc_table", paste0(arg, "$table"))
  check_class(x$mechanism, "sdc_mechanism", paste0(arg, "$mechanism"))
  check_fits_cycles(x$table, x$mechanism$cycles, paste0(arg, "$table"))
  validate_mechanism(x$mechanism)
}

# An object may have been changed by hand since mechanism() made it.
validate_mechanism <- function(x) {
  tryCatch(
    mechanism(x$cycles, x$alpha, x$beta, x$covers, x$order, x$zero_rule),
    sdc_error = function(cnd) {
      abort_sdc("input", "The publication's mechanism must be as {.fn mechanism} made it.",
                parent = cnd)
    }
  )
  invisible(x)
}

# What the core needs to know: the mechanisms and published counts of all publications, and what is
# known before.
posterior_question <- function(x, more = list()) {
  publications <- c(list(x$publication), x$others)
  mechanisms <- lapply(publications, `[[`, "mechanism")
  mechanisms[[1]]$zero_rule <- x$zero_rule
  published <- lapply(publications, function(pub) dense_counts(pub$table))
  factors <- resolve_prior(x$prior, shown_labels(x))
  known <- if (x$zero_pattern) Map(pattern_factors, mechanisms, published)
  list(mechanisms = mechanisms, published = published,
       factors = c(factors, unlist(unname(known), recursive = FALSE), more))
}

# What a set of data cycles tells of the original.
pattern_factors <- function(mechanism, published) {
  if (mechanism$cycles$rule != "data") {
    return(list())
  }
  told <- data_cycle_knowledge(mechanism$cycles)
  at_least <- numeric(length(published))
  at_least[told$at_least_one] <- 1
  fixed <- rep(NaN, length(published))
  fixed[told$fixed] <- published[told$fixed]
  list(list(kind = "at_least", value = at_least, width = 0),
       list(kind = "known", value = fixed, width = 0))
}
