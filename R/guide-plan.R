# Plans of protection: which method, with which settings. A plan is data; the calls that carry it
# out are made from it, and are those that the user is shown.

# `kind`: of which tables, "counts", "magnitudes" or "map"; `name`: the method, for protect(plan =
# ); `settings`: its arguments, a named list.
new_plan <- function(kind, name, settings) {
  structure(list(kind = kind, name = name, settings = settings), class = sdc_class("sdc_plan"))
}

# For each kind and name: `words()` says what is done, `calls()` gives the lines of R, in which `x`
# is the table, and `method()`, for counts and maps, what compare_methods() takes.
plan_forms <- list(
  counts = list(
    suppression = list(
      words = function(s) say("hide the counts from 1 to {s$maxN}, and as few others as needed"),
      calls = function(s, x) list(protected = bquote(suppress(x, maxN = .(s$maxN)))),
      method = function(s, x) method_suppression(s$maxN, label = "suppression")
    ),
    rounding = list(
      words = function(s) {
        say("round every count and total to a multiple of {s$base}, so that the
             table still adds up")
      },
      calls = function(s, x) {
        list(protected = bquote(round_controlled(x, base = .(s$base), method = .(s$method))))
      },
      method = function(s, x) method_rounding(s$base, s$method, label = "rounding")
    ),
    perturbation = list(
      words = function(s) {
        say("move counts at random, while all margins stay exact ({s$covers}
             cover{?s})")
      },
      calls = function(s, x) {
        sets <- unname(lapply(tables_of(x), `[[`, "variables"))
        simple <- length(sets) > 0 && all(unlist(sets) %in% names(x$dimnames))
        if (simple) linked_cyclic_calls(s, x, sets) else cyclic_calls(s, x)
      },
      method = function(s, x) plan_method_cyclic(s, x)
    )
  ),
  magnitudes = list(
    suppression = list(
      words = function(s) "hide the sensitive cells, and as few others as needed",
      calls = function(s, x) list(rules = s$rules, protected = quote(suppress(x, rules)))
    ),
    redistribution = list(
      words = function(s) "change sensitive cells and their neighbours as little as possible",
      calls = function(s, x) list(rules = s$rules, protected = quote(redistribute(x, rules)))
    ),
    coarser = list(
      words = function(s) {
        say("publish a coarser table, without {s$over} or with its categories
             merged, and hide what is sensitive then")
      },
      calls = function(s, x) {
        list(rules = s$rules, coarser = bquote(coarser_table(x, .(s$over))),
             protected = quote(suppress(coarser, rules)))
      }
    )
  ),
  map = list(
    redistribution = list(
      words = function(s) {
        say("move people to near hexagons until none has a count from 1 to
             {s$threshold - 1}")
      },
      calls = function(s, x) {
        list(protected = bquote(redistribute(x, threshold = .(s$threshold))))
      },
      method = function(s, x) method_redistribution(s$threshold, label = "redistribution")
    ),
    emptying = list(
      words = function(s) "the same, where hexagons may also be emptied into their neighbours",
      calls = function(s, x) {
        list(protected = bquote(redistribute(x, threshold = .(s$threshold), empty = TRUE)))
      },
      method = function(s, x) method_redistribution(s$threshold, empty = TRUE, label = "emptying")
    ),
    suppression = list(
      words = function(s) {
        say("hide the counts from 1 to {s$maxN}, and as few others as needed, of a
             table of the hexagons by their coordinates")
      },
      calls = function(s, x) {
        list(cells = quote(as_sdc_table(x)),
             protected = bquote(suppress(cells, maxN = .(s$maxN))))
      },
      method = function(s, x) method_suppression(s$maxN, label = "suppression")
    )
  )
)

plan_form <- function(plan) {
  known <- is.list(plan) && rlang::is_string(plan$kind) && rlang::is_string(plan$name)
  form <- if (known) plan_forms[[plan$kind]][[plan$name]]
  if (!is.null(form)) {
    return(form)
  }
  abort_sdc("input", c(
    "Only what {.fn protect} returned can be shown.", x = "Its {.code $plan} is no plan.",
    i = "Run {.fn protect} again."
  ))
}

plan_words <- function(plan) plan_form(plan)$words(plan$settings)

# The lines of R that carry a plan out on a table `x`, as named calls.
plan_calls <- function(plan, x) {
  calls <- plan_form(plan)$calls(plan$settings, x)
  calls$published <- if (is.null(calls$tables)) quote(publish(protected)) else
    quote(lapply(protected, publish))
  calls
}

# With a record the lines make the result beside what is out, and enter it.
calls_beside <- function(calls, record) {
  if (is.null(record)) {
    return(calls)
  }
  if (!is.null(calls$tables)) {
    abort_sdc("refused", c(
      "Several tables cannot be perturbed beside a record.",
      x = "The people of a record are perturbed once: the noise of two tables averages out.",
      i = "Take another plan, or one table with all variables."
    ))
  }
  for (name in c("protected", "published")) {
    calls[[name]] <- as.call(c(as.list(calls[[name]]), list(record = quote(record))))
  }
  calls
}

check_plan_of_record <- function(record, plan) {
  check_record(record)
  if (!is.null(record) && is.null(plan)) {
    abort_sdc("input", c(
      "{.arg record} must go with a {.arg plan}.",
      x = "A proposal compares plans for this table alone.",
      i = "Choose a plan first, and then {.code protect(..., plan = , record = )}."
    ))
  }
}

plan_lines <- function(plan, x, calls = plan_calls(plan, x)) {
  paste(names(calls), "<-", vapply(calls, call_text, ""))
}

# What the lines make, by their names.
run_plan <- function(plan, x, calls = plan_calls(plan, x), record = NULL) {
  room <- new.env(parent = topenv(environment()))
  assign("x", x, room)
  assign("record", record, room)
  for (name in names(calls)) assign(name, eval(calls[[name]], room), room)
  mget(c("protected", "published"), envir = room)
}

# ---- which plans there are ----------------------------------------------------------------------

# All plans for a table, in the order in which they are proposed where nothing else decides.
plans_for <- function(x, ...) UseMethod("plans_for")

# `settings`: of each plan, by its name.
plans_of_kind <- function(kind, ...) {
  settings <- list(...)
  Map(function(name, own) new_plan(kind, name, own), names(settings), settings)
}

#' @export
plans_for.sdc_table <- function(x, maxN, ...) {
  two_way <- length(dim(x)) <= 2 && is.null(cycle_layout(x))
  plans_of_kind(
    "counts", suppression = list(maxN = maxN),
    rounding = list(base = max(3, maxN + 1), method = if (two_way) "stochastic" else "nearest"),
    perturbation = list(alpha = .25, beta = .25, covers = 2, insist = FALSE)
  )
}

#' @export
plans_for.sdc_magnitude <- function(x, rules, ...) {
  settings <- list(rules = rules_call(rules))
  # of several tables redistribution would publish the cells inside, which no table shows
  if (!is.null(tables_of(x))) {
    return(plans_of_kind("magnitudes", suppression = settings))
  }
  plans_of_kind("magnitudes", suppression = settings, redistribution = settings,
                coarser = c(settings, list(over = coarser_variable(x, rules))))
}

#' @export
plans_for.sdc_hex <- function(x, maxN, ...) {
  settings <- list(threshold = maxN + 1)
  plans_of_kind("map", redistribution = settings, emptying = settings,
                suppression = list(maxN = maxN))
}

# The variable without which, or with whose categories merged, most cells are not sensitive. The
# first where no table is coarser: coarser_table() says why, and with it the plan.
coarser_variable <- function(x, rules) {
  safe <- vapply(names(x$dimnames), function(variable) {
    tryCatch({
      judged <- sensitive(coarser_table(x, variable), rules, totals = TRUE)
      sum(!nzchar(as.character(judged$rules)))
    }, sdc_error = function(cnd) -1L)
  }, 0L)
  names(safe)[which.max(safe)]
}

# A call that makes these rules again.
rules_call <- function(rules) {
  each <- lapply(paste0("rule_", rules$label), str2lang)
  if (length(each) == 1) each[[1]] else as.call(c(quote(c), each))
}

# ---- which design a plan of perturbation takes --------------------------------------------------
# perturb() refuses some, see perturb-certain.R.

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
