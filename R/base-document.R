# Documents of plain text: fields of a CSV file, and JSON, written and read back without loss.
# What is read was written by somebody: nothing of it is taken for granted.

damaged <- function(why) {
  stop(structure(class = c("sdc_damaged", "error", "condition"), list(message = why, call = NULL)))
}

need <- function(ok, why) if (!isTRUE(ok)) damaged(why)

# NA is an empty field: no label, as every label is in quotes.
quoted <- function(x) {
  ifelse(is.na(x), "", paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\""))
}

yes_no <- function(x) ifelse(x, "yes", "no")

# The shortest decimal that is read as the same double; "" for NA.
exact_decimal <- function(x) {
  out <- sprintf("%.0f", x)
  open <- which(!is.na(x) & (x != floor(x) | abs(x) >= 2^53))
  for (i in open) {
    tries <- c(sprintf("%.15g", x[i]), sprintf("%.16g", x[i]), sprintf("%.17g", x[i]),
               sprintf("%a", x[i]))
    out[i] <- tries[as.numeric(tries) == x[i]][1]
  }
  out[is.na(x)] <- ""
  out
}

# A JSON number of all digits.
verbatim_number <- function(x) structure(exact_decimal(as.double(x)), class = "json")

read_number <- function(x) {
  if (!is.null(x)) as.numeric(x)
}

# The last fields of each line, which hold no quotes and no commas.
last_fields <- function(lines, names) {
  out <- list()
  for (name in rev(names)) {
    at <- regexpr(",?[^,\"]*$", lines)
    out[[name]] <- sub("^,", "", regmatches(lines, at))
    lines <- substring(lines, 1, at - 1)
  }
  out[names]
}

# The levels that the first fields of each line name, a vector of numbers for each variable; NA for
# what is no level. Fields are as quoted() writes them.
first_codes <- function(lines, dimnames) {
  codes <- lapply(dimnames, function(levels) {
    at <- regexpr("^(\"([^\"]|\"\")*\")?,", lines)
    need(all(at == 1), "a line of table.csv has too few fields")
    field <- substring(lines, 1, attr(at, "match.length") - 1)
    lines <<- substring(lines, attr(at, "match.length") + 1)
    match(field, quoted(levels))
  })
  rlang::set_names(codes, names(dimnames))
}

decimal_fields <- function(text) {
  out <- suppressWarnings(as.numeric(text))
  need(!any(is.na(out) & nzchar(text)), "a value of table.csv is no number")
  out
}

# Strings, or null for a missing level.
read_levels <- function(x) {
  need(is.list(x), "the levels are no list")
  out <- rep(NA_character_, length(x))
  given <- !vapply(x, is.null, NA)
  out[given] <- strings(x[given])
  out
}

strings <- function(x) {
  is_string <- function(s) is.character(s) && length(s) == 1
  need(is.list(x) && all(vapply(x, is_string, NA)), "a label is no string")
  out <- as.character(unlist(x))
  Encoding(out) <- "UTF-8"
  enc2utf8(out)
}

whole_numbers <- function(x) {
  out <- unlist(x)
  need(is.numeric(out) && length(out) == length(x) && is_whole_vector(out), "a number is not whole")
  as.integer(out)
}

read_text <- function(file) {
  need(file.exists(file), paste(basename(file), "is missing"))
  bytes <- readBin(file, "raw", file.size(file))
  need(!any(bytes == 0), paste(basename(file), "is no text"))
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  need(validUTF8(text), paste(basename(file), "is not in UTF-8"))
  text
}

sha256_of <- function(text) {
  paste(as.character(as.vector(unclass(openssl::sha256(charToRaw(text))))), collapse = "")
}

checksum_line <- function(sum) paste0("  \"sha256\": \"", sum, "\"\n}\n")

# The checksum stands in the last line but one; it is that of all bytes before its line.
checked_document <- function(text, file, format) {
  bytes <- charToRaw(text)
  open <- length(bytes) - nchar(checksum_line(strrep("0", 64)))
  need(open > 0, paste(file, "is cut short"))
  head <- rawToChar(bytes[seq_len(open)])
  need(
    identical(rawToChar(bytes[-seq_len(open)]), checksum_line(sha256_of(head))),
    paste(file, "has been changed: its checksum does not fit")
  )
  document <- jsonlite::parse_json(text)
  need(identical(document$format, format), paste(file, "describes something else"))
  need(identical(document$format_version, 1L), "this version of the format is not known")
  document
}

# What the files of an object say. `what`: the kind in words. For each line of the CSV file:
# `labels`, its start, which are those of the variables `label_names`; and `columns`, text by name.
# `table`: what the lines hold, in words. `members`: the others of the JSON file, `variables` among
# them. `reserved`: names that no variable may have.
new_document <- function(what, label_names, labels, columns, table, members, format,
                         reserved = names(columns)) {
  list(what = what, label_names = label_names, labels = labels, columns = columns, table = table,
       members = members, format = format, reserved = reserved)
}

# That of all tables but perturbed ones. `words`: what each column holds; `layout`: the order of
# lines.
table_document <- function(what, label_names, labels, columns, words, layout, variables, parameters,
                           reserved = names(columns)) {
  table <- list(rows = verbatim_number(length(columns[[1]])), layout = layout, columns = words)
  new_document(what, label_names, labels, columns, table,
               list(variables = variables, parameters = parameters), "table", reserved)
}

# ---- JSON ----------------------------------------------------------------------------------------

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
