# Seals of private results: a checksum of all fields that publish() reads, so that it finds out when
# one of them was changed by hand. A seal is no secret: it stops accidents and shortcuts, not
# forgers, who have the original anyway. What can be recomputed is recomputed besides.

# `parts`: what publish() reads, in any storage: numbers are compared as doubles, text as UTF-8. The
# first 14 bytes name the version of R: a result that was kept is whole after an update of R, too.
seal_of <- function(kind, parts) {
  bytes <- serialize(list(kind, sealed_form(parts)), NULL, version = 2)[-(1:14)]
  paste(as.character(as.vector(unclass(openssl::sha256(bytes)))), collapse = "")
}

# Values, names and levels, and nothing of how R keeps them.
sealed_form <- function(x) {
  if (is.null(x)) {
    return(list())
  }
  if (is.function(x)) {
    # a function that was called may hold what R compiled of it
    x <- deparse(x, control = c("keepInteger", "keepNA", "digits17"))
  } else if (is.factor(x)) {
    x <- list(levels = levels(x), codes = as.integer(x))
  }
  names <- if (is.null(names(x))) list() else enc2utf8(names(x))
  values <- if (is.list(x)) {
    lapply(unname(unclass(x)), sealed_form)
  } else if (is.numeric(x)) {
    sealed_numbers(x)
  } else if (is.character(x)) {
    enc2utf8(as.vector(x))
  } else {
    as.vector(x)
  }
  attributes(values) <- NULL
  list(names, values)
}

# Many numbers by the checksums of their pieces: the seal of a table of millions of cells takes no
# copies of it.
sealed_numbers <- function(x, piece = 2^18) {
  if (length(x) <= piece) {
    return(as.double(x))
  }
  first <- seq(1, length(x), by = piece)
  sums <- vapply(first, function(i) {
    some <- as.double(x[i:min(length(x), i + piece - 1)])
    as.character(openssl::sha256(writeBin(some, raw(), endian = "little")))
  }, "")
  c(as.character(length(x)), sums)
}

check_seal <- function(x, kind, parts, make) {
  if (identical(x$seal, seal_of(kind, parts))) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "Only a result as {.fn {make}} returned it can be published.",
    x = "This one was changed afterwards, or comes from another version of the package.",
    i = "Run {.fn {make}} again."
  ))
}

# Runs a verification. What was taken apart by hand may fail anywhere, with errors of R itself;
# their words are shown when they hold no number, as numbers may be counts, and their calls never.
verified <- function(make, expr) {
  tryCatch(expr, error = function(cnd) {
    if (inherits(cnd, "sdc_error")) rlang::cnd_signal(cnd)
    said <- conditionMessage(cnd)
    abort_sdc("refused", c(
      "Only a result as {.or {.fn {make}}} returned it can be published.",
      x = "A part of this one cannot be read.",
      i = "Run {.or {.fn {make}}} again."
    ), parent = if (!grepl("[0-9]", said)) simpleError(said))
  })
}

# What the fields of a private result say does not follow from each other.
abort_untrue <- function(what, make) {
  abort_sdc("refused", c(
    "Only a result whose parts fit together can be published.",
    x = "{what}",
    i = "Run {.fn {make}} again."
  ))
}
