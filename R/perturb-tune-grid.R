# The grid of designs that tune() judges.

design_grid <- function(sets, alpha, beta, covers, zero_rule) {
  at <- expand.grid(
    beta = if (is.null(beta)) NA_real_ else unique(beta), alpha = unique(alpha),
    covers = unique(covers), zero_rule = unique(zero_rule), set = sets,
    KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE
  )
  at$beta <- ifelse(is.na(at$beta), at$alpha, at$beta)
  words <- list(
    at$set, paste("alpha", format(at$alpha, digits = 3, trim = TRUE)),
    if (!is.null(beta)) paste("beta", format(at$beta, digits = 3, trim = TRUE)),
    paste(at$covers, ifelse(at$covers == 1, "cover", "covers")), at$zero_rule
  )
  varies <- vapply(words, function(w) length(unique(w)) > 1, NA)
  varies[[1]] <- TRUE
  list2data_frame(
    list(
      design = do.call(paste, c(words[varies], sep = ", ")), set = at$set, alpha = at$alpha,
      beta = at$beta, covers = at$covers, zero_rule = at$zero_rule
    ),
    nrow(at)
  )
}

check_sets <- function(sets, x) {
  check_given(sets, "sets")
  if (inherits(sets, "sdc_cycles")) {
    sets <- rlang::set_names(list(sets), sets$rule)
  }
  ok <- is.list(sets) && !is.object(sets) && length(sets) > 0 &&
    all(vapply(sets, inherits, NA, "sdc_cycles"))
  if (!ok) {
    more <- if (is.list(sets)) " with something else in it"
    abort_sdc("input", c(
      "{.arg sets} must be a set of cycles, or a named list of sets of cycles.",
      x = if (identical(sets, list())) {
        "{.arg sets} is empty."
      } else {
        "{.arg sets} is {.obj_type_friendly {sets}}{more}."
      },
      i = "Make one with {.fn cycles_banded}."
    ))
  }
  if (is.null(names(sets)) || !all(nzchar(names(sets))) || anyDuplicated(names(sets))) {
    abort_sdc("input", c(
      "Every element of {.arg sets} must have a unique name.",
      x = "{names_fault(sets)}"
    ))
  }
  for (set in sets) check_fits_cycles(x, set)
  sets
}

check_grid <- function(values, arg, min, max, whole = FALSE) {
  ok <- is.numeric(values) && length(values) > 0 && !anyNA(values) &&
    all(values >= min & values <= max) && (!whole || all(values == floor(values)))
  if (ok) {
    return(invisible(values))
  }
  several <- is.numeric(values) && length(values) > 1
  good <- if (several) values >= min & values <= max & (!whole | values == floor(values))
  abort_sdc("input", c(
    "{.arg {arg}} must be {if (whole) 'whole ' else ''}numbers{format_range(min, max)}.",
    x = if (several) {
      "{describe_first(values, good, arg)}"
    } else {
      "{describe(values, arg)}"
    }
  ))
}

check_rules <- function(zero_rule) {
  rules <- c("blocked", "nonnegative")
  if (is.character(zero_rule) && length(zero_rule) > 0 && all(zero_rule %in% rules)) {
    return(invisible(zero_rule))
  }
  abort_sdc("input", c(
    "{.arg zero_rule} must hold {.val blocked}, {.val nonnegative} or both.",
    x = if (is.character(zero_rule) && length(zero_rule) > 0) {
      "{.arg zero_rule} is {.val {zero_rule}}."
    } else {
      "{describe(zero_rule)}"
    }
  ))
}

check_designs <- function(n) {
  if (n <= 1000) {
    return(invisible(n))
  }
  abort_sdc("too_large", c(
    "At most 1,000 designs are compared at once.",
    x = "The grid has {n}.",
    i = "Compare few values first, then more near the best."
  ))
}

check_axes <- function(risk, loss) {
  check_choice(risk, risk_axes())
  check_choice(loss, names(figure_kinds)[figure_kinds == "utility"])
}

risk_axes <- function() setdiff(names(figure_kinds)[figure_kinds == "risk"], "positive_false")

check_further <- function(...) {
  known <- c(
    "prior", "small", "target", "replicates", "insider", "level", "max_tables", "time_limit_s"
  )
  given <- names(list(...)) %||% rep("", ...length())
  strange <- given[!given %in% known]
  if (length(strange) == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg ...} must hold arguments of {.fn risk_utility}: {.arg {known}}.",
    x = if (nzchar(strange[[1]])) {
      "There is {.arg {strange[[1]]}}."
    } else {
      "There is an argument without a name."
    }
  ))
}
