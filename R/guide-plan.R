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
      words = function(s) say("round every count and total to a multiple of {s$base}, so that the
        table still adds up"),
      calls = function(s, x) {
        list(protected = bquote(round_controlled(x, base = .(s$base), method = .(s$method))))
      },
      method = function(s, x) method_rounding(s$base, s$method, label = "rounding")
    ),
    perturbation = list(
      words = function(s) say("move counts at random, while all margins stay exact ({s$covers}
        cover{?s})"),
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
      words = function(s) say("publish a coarser table, without {s$over} or with its categories
        merged, and hide what is sensitive then"),
      calls = function(s, x) {
        list(rules = s$rules, coarser = bquote(coarser_table(x, .(s$over))),
             protected = quote(suppress(coarser, rules)))
      }
    )
  ),
  map = list(
    redistribution = list(
      words = function(s) say("move people to near hexagons until none has a count from 1 to
        {s$threshold - 1}"),
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
      words = function(s) say("hide the counts from 1 to {s$maxN}, and as few others as needed, of a
        table of the hexagons by their coordinates"),
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
