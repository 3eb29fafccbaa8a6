# How the store fails, and the checks that each of its functions begins with.

# `reason` is what programs look at; see the head of store.R.
abort_store <- function(reason, message, ..., .envir = parent.frame()) {
  abort_sdc("server", message, reason = reason, ..., .envir = .envir)
}

# Errors of `expr` that are not ours become one of the store.
with_store_errors <- function(expr, reason, message, .envir = parent.frame()) {
  force(.envir)
  tryCatch(expr, error = function(cnd) {
    # ours, and what a route has to say of an argument that is looked at only here
    if (inherits(cnd, c("sdc_error", "sdc_problem"))) rlang::cnd_signal(cnd)
    abort_store(reason, message, parent = cnd, .envir = .envir)
  })
}

# Open, and by this process: a connection that two processes share after a fork destroys files.
check_store <- function(store) {
  check_class(store, "sdc_store", "store", make = "open_store")
  if (is.null(store$con)) {
    abort_store("database", c("The store must be open.", x = "It has been closed."))
  }
  if (store$pid != Sys.getpid()) {
    abort_store("database", c(
      "A store must be used by the process that opened it.",
      x = "This one was opened by another process and came here by a fork.",
      i = "Open it anew in each process."
    ))
  }
  invisible(store)
}

abort_other <- function(found) {
  abort_store("other", c(
    "The store must be that of this table and this policy.",
    x = "{found}",
    i = "Another policy needs another store, and what was released before must be recorded in it."
  ))
}

abort_altered <- function(found) {
  abort_store("altered", c(
    "The store must be as it was written.",
    x = "{found}",
    i = "It has been changed by other means: look into a backup."
  ))
}
