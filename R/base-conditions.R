# Conditions of this package: their classes, their call, and what a message may say. A message
# says what must hold (first line), what was found and where ("x"), and what to do ("i"). No
# message may show a confidential count.

# `kind` is one of "input", "infeasible", "too_large", "refused", "server", and "internal" for what
# only a mistake in the package can cause; the classes of the condition run from exact to general:
# sdc_error_<kind>, sdc_error.
abort_sdc <- function(kind, message, ..., .envir = parent.frame()) {
  cli::cli_abort(
    mark_numbers(message),
    class = c(paste0("sdc_error_", kind), "sdc_error"),
    ...,
    call = user_call(),
    .envir = speaking(.envir),
    .frame = .envir
  )
}

# Stops unless `ok`: the first line says what must hold. The lines are made when it does not.
check_that <- function(ok, ..., .kind = "input", .envir = parent.frame()) {
  if (ok) return(invisible(TRUE))
  abort_sdc(.kind, c(...), .envir = .envir)
}

# Each `{expression}` of a message goes through for_people(), but where its type is asked for, which
# is said without the classes that all objects share.
# `{.arg name}`, `{?s}` and the doubled braces of a user's text are not expressions.
mark_numbers <- function(message) {
  valid <- validEnc(message)
  message[valid] <- gsub("(?<!\\{|friendly )\\{([^.?{}][^{}]*)\\}", "{for_people(\\1)}",
                         message[valid], perl = TRUE)
  message[valid] <- gsub("friendly \\{([^{}]*)\\}", "friendly {without_marks(\\1)}", message[valid])
  message
}

speaking <- function(envir) {
  rlang::env(envir, for_people = for_people, without_marks = without_marks)
}

# Sentences in which the values of `{expressions}` of the caller stand, numbers as people read them,
# and `{?s}` or `{?is/are}` go by the value before them, as in messages. The sentences are written
# where say() is called: what comes from data is a value, and never read as an expression.
say <- function(..., .envir = parent.frame()) {
  lines <- gsub("\\s*\n\\s*", " ", as.character(c(...)))
  vapply(mark_numbers(lines), function(line) {
    as.character(cli::pluralize(line, .envir = speaking(.envir)))
  }, "", USE.NAMES = FALSE)
}

# The call that a condition names: the function of this package that was called from outside. From
# caller to caller (not down the stack, where the call that forced an argument lies in between),
# functions of base R and of our own are passed, until one that belongs to somebody else.
user_call <- function() {
  home <- topenv(environment())
  callers <- sys.parents()
  found <- NULL
  k <- callers[sys.nframe()]
  while (k > 0) {
    env <- environment(sys.function(k))
    if (identical(env, home)) {
      found <- k
    } else if (!is.null(env) && !passes_calls(topenv(env), home)) {
      break
    }
    # a frame that eval() made in itself has itself for a caller
    k <- if (callers[k] < k) callers[k] else 0
  }
  if (!is.null(found)) bare_call(rlang::error_call(sys.frame(found)))
}

# Whether functions of a namespace only hand calls on: lapply(), tryCatch(), UseMethod() and the
# like.
passes_calls <- function(space, home) {
  identical(space, home) || environmentName(space) %in%
    c("base", "stats", "utils", "methods", "rlang", "cli")
}

# The name of the function that was called. Its arguments stay out of the condition: called by
# value (`do.call()`), they are the confidential table itself. An index keeps its words.
bare_call <- function(call) {
  if (rlang::is_call(call, c("[", "[["))) {
    if (!is.symbol(call[[2]])) call[[2]] <- quote(x)
    return(call)
  }
  named <- is.call(call) && (is.symbol(call[[1]]) || rlang::is_call(call[[1]], c("::", ":::")))
  if (named) as.call(list(call[[1]]))
}

# Runs a call of the core and maps its exceptions by type to ours. The core's texts name no counts.
# `hints` says what to do, by kind.
with_core <- function(expr, hints = list()) {
  rethrow <- function(kind) {
    function(cnd) {
      text <- conditionMessage(cnd)
      abort_sdc(kind, c("{text}", i = hints[[kind]]))
    }
  }
  out_of_memory <- function(cnd) {
    abort_sdc("too_large", c(
      "The memory of this machine must suffice for the task.",
      x = "The allocation failed.",
      i = "Ask for less, or lower the limits so that the work stops earlier."
    ))
  }
  tryCatch(
    expr,
    `sdclattice::InputError` = rethrow("input"),
    `sdclattice::InfeasibleError` = rethrow("infeasible"),
    `sdclattice::TooLargeError` = rethrow("too_large"),
    `std::bad_alloc` = out_of_memory,
    `std::length_error` = out_of_memory
  )
}

# A result that is right but weaker than what was asked for.
warn_sdc <- function(kind, message, ..., .envir = parent.frame()) {
  cli::cli_warn(
    mark_numbers(message),
    class = c(paste0("sdc_warning_", kind), "sdc_warning"),
    ...,
    call = user_call(),
    .envir = speaking(.envir)
  )
}

deprecations_said <- new.env()

# What an earlier version took, and this one still takes in its old sense. Said once in a session.
warn_deprecated <- function(old, instead) {
  if (!is.null(deprecations_said[[old]])) return(invisible())
  deprecations_said[[old]] <- TRUE
  warn_sdc("deprecated", c("{old} is deprecated since version 0.2.0, and the next one refuses it.",
                           i = "{instead}"))
}

# What was found and done where a user left it open. `lines` are shown as they are.
inform_sdc <- function(kind, lines) {
  cli::cli_inform(escape_braces(lines), class = c(paste0("sdc_message_", kind), "sdc_message"))
}

# What must hold, and what was found, of a condition: its message without the advice.
first_words <- function(cnd) {
  text <- cli::ansi_strip(conditionMessage(cnd))
  text <- sub("(?s)\n[\u2139i] .*", "", text, perl = TRUE)
  trimws(gsub("[[:space:]]+", " ", gsub("\n[\u2716x] ", " ", text)))
}
