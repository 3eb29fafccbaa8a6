# The one mint of conditions. A message says what must hold (first line), what was found and where
# ("x"), and what to do ("i"). No message may show a confidential count.

# `kind` is one of "input", "infeasible", "too_large", "refused", "server"; the classes of the
# condition run from exact to general: sdc_error_<kind>, sdc_error.
abort_sdc <- function(kind, message, ..., call = caller_env(), .envir = parent.frame()) {
  cli::cli_abort(
    mark_numbers(message),
    class = c(paste0("sdc_error_", kind), "sdc_error"),
    ...,
    call = bare_call(call),
    .envir = speaking(.envir),
    .frame = .envir
  )
}

# Each `{expression}` of a message goes through for_people(), but where its type is asked for.
# `{.arg name}`, `{?s}` and the doubled braces of a user's text are not expressions.
mark_numbers <- function(message) {
  valid <- validEnc(message)
  message[valid] <- gsub("(?<!\\{|friendly )\\{([^.?{}][^{}]*)\\}", "{for_people(\\1)}",
                         message[valid], perl = TRUE)
  message
}

speaking <- function(envir) rlang::env(envir, for_people = for_people)

# The name of the function that the user called. Its arguments stay out of the condition: called by
# value (`do.call()`), they are the confidential table itself. An index keeps its words.
bare_call <- function(call) {
  if (is.environment(call)) call <- rlang::error_call(call)
  if (rlang::is_call(call, c("[", "[["))) {
    if (!is.symbol(call[[2]])) call[[2]] <- quote(x)
    return(call)
  }
  named <- is.call(call) && (is.symbol(call[[1]]) || rlang::is_call(call[[1]], c("::", ":::")))
  if (named) as.call(list(call[[1]]))
}

# Runs a call of the core and maps its exceptions by type to ours. The core's texts name no counts.
# `hints` says what to do, by kind.
with_core <- function(expr, call = caller_env(), hints = list()) {
  force(call)
  rethrow <- function(kind) {
    function(cnd) {
      text <- conditionMessage(cnd)
      abort_sdc(kind, c("{text}", i = hints[[kind]]), call = call)
    }
  }
  tryCatch(
    expr,
    `sdclattice::InputError` = rethrow("input"),
    `sdclattice::InfeasibleError` = rethrow("infeasible"),
    `sdclattice::TooLargeError` = rethrow("too_large"),
    `std::bad_alloc` = function(cnd) abort_memory(call),
    `std::length_error` = function(cnd) abort_memory(call)
  )
}

abort_memory <- function(call) {
  abort_sdc("too_large", c(
    "The memory of this machine must suffice for the task.",
    x = "The allocation failed.",
    i = "Ask for less, or lower the limits so that the work stops earlier."
  ), call = call)
}

# A result that is right but weaker than what was asked for.
warn_sdc <- function(kind, message, ..., call = caller_env(), .envir = parent.frame()) {
  cli::cli_warn(
    mark_numbers(message),
    class = c(paste0("sdc_warning_", kind), "sdc_warning"),
    ...,
    call = call,
    .envir = speaking(.envir)
  )
}
