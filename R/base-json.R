# The package's writer of JSON. By hand: the texts are small, most of an answer's time went into a
# general writer, and hashes hang on the canonical form, so that it may depend on nothing else.

# Lists with names become objects, others arrays; all else is one string, number, flag or NA.
to_json <- function(x) {
  if (is.null(x)) {
    return("null")
  }
  if (!is.list(x)) {
    return(json_scalar(x))
  }
  parts <- vapply(x, to_json, "", USE.NAMES = FALSE)
  if (is.null(names(x))) {
    return(paste0("[", paste(parts, collapse = ","), "]"))
  }
  paste0("{", paste0(json_strings(names(x)), ":", parts, recycle0 = TRUE, collapse = ","), "}")
}

json_scalar <- function(x) {
  if (is.na(x)) {
    "null"
  } else if (is.character(x)) {
    json_strings(x)
  } else if (is.logical(x)) {
    if (x) "true" else "false"
  } else if (x == floor(x)) {
    whole_text(x)
  } else {
    format(as.numeric(x), digits = 15)
  }
}

# ---- for people ---------------------------------------------------------------------------------

# A line for each member and each item of a list; vectors on one line. A vector of one is no array,
# unless it is marked by I(); what has the class "json" is written as it stands.
pretty_json <- function(x, indent = "") {
  if (is.null(x)) {
    return("null")
  }
  if (inherits(x, "json")) {
    return(enc2utf8(as.character(x)))
  }
  if (!is.list(x)) {
    return(json_vector(x))
  }
  deeper <- paste0(indent, "  ")
  named <- names(x)
  parts <- vapply(unname(unclass(x)), pretty_json, "", indent = deeper)
  if (!is.null(named)) parts <- paste0(json_strings(named), ": ", parts, recycle0 = TRUE)
  around <- if (is.null(named)) c("[", "]") else c("{", "}")
  if (length(parts) == 0) {
    return(paste(around, collapse = ""))
  }
  paste0(around[1], "\n", paste0(deeper, parts, collapse = ",\n"), "\n", indent, around[2])
}

json_vector <- function(x) {
  if (length(x) == 0) {
    return("[]")
  }
  text <- if (is.character(x)) {
    json_strings(unclass(x))
  } else if (is.logical(x)) {
    ifelse(x, "true", "false")
  } else {
    sprintf("%.15g", x)
  }
  text[is.na(x)] <- "null"
  if (length(x) == 1 && !inherits(x, "AsIs")) {
    return(text)
  }
  paste0("[", paste(text, collapse = ", "), "]")
}

# ---- canonical form -----------------------------------------------------------------------------

# One text for what is the same: no blanks, keys in the order of their bytes. A named list becomes
# an object, an unnamed one or a longer vector an array. Numbers that are not whole are written with
# the 17 digits that tell them from all others.
canonical_json <- function(x, arg = "x") {
  if (is.list(x) && !is.null(names(x))) {
    return(canonical_object(x, arg))
  }
  if (is.list(x) || (is.atomic(x) && length(x) != 1)) {
    items <- vapply(as.list(unname(x)), canonical_json, "", arg = arg)
    return(paste0("[", paste(items, collapse = ","), "]"))
  }
  ok <- is.character(x) || is.logical(x) || (is.numeric(x) && is.finite(x))
  if (!ok || is.na(x)) {
    abort_sdc("input", c(
      "{.arg {arg}} must hold strings, finite numbers and flags only, in named lists.",
      x = "It holds {.obj_type_friendly {x}}."
    ))
  }
  if (is.logical(x)) {
    return(if (x) "true" else "false")
  }
  if (is.character(x)) {
    return(json_strings(x))
  }
  if (x == floor(x) && abs(x) <= 2^53) whole_text(x) else sprintf("%.17g", x)
}

canonical_object <- function(x, arg) {
  keys <- enc2utf8(names(x))
  if (anyDuplicated(keys) || any(!nzchar(keys))) {
    abort_sdc("input", c(
      "Each part of {.arg {arg}} must have a name of its own.",
      x = "{names_fault(x, arg)}"
    ))
  }
  in_order <- order(keys, method = "radix")
  members <- vapply(in_order, function(i) {
    paste0(json_strings(keys[i]), ":", canonical_json(x[[i]], arg))
  }, "")
  paste0("{", paste(members, collapse = ","), "}")
}

# ---- strings ------------------------------------------------------------------------------------

json_strings <- function(x) {
  x <- enc2utf8(x)
  odd <- grepl("[\"\\\\\001-\037]", x, perl = TRUE, useBytes = TRUE)
  if (any(odd)) x[odd] <- escape_json(x[odd])
  out <- paste0("\"", x, "\"")
  out[is.na(x)] <- "null"
  out
}

escape_json <- function(x) {
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  for (code in 1:31) {
    x <- gsub(intToUtf8(code), sprintf("\\u%04x", code), x, fixed = TRUE)
  }
  x
}
