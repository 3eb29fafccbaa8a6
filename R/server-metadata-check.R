# Reading metadata from YAML, and what is wrong with them. A text becomes a character vector named
# by the languages, the first of which stands first.

# Scalars stay the texts that they are in the file: levels of tables are called "no", "1" or "1e5".
read_yaml_texts <- function(path) {
  if (!file.exists(path) || dir.exists(path)) {
    abort_sdc("input", c("{.arg path} must name a file.", x = "There is no file {.file {path}}."))
  }
  kinds <- c("bool#yes", "bool#no", "int", "int#hex", "int#oct", "int#base60", "float#fix",
             "float#exp", "float#base60", "float#nan", "float#inf", "float#neginf", "null",
             "timestamp#iso8601", "timestamp#spaced", "timestamp#ymd")
  handlers <- rlang::rep_named(kinds, list(function(text) text))
  # by the file's own encoding: yaml reads through a connection in the locale's
  text <- paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  tryCatch(
    yaml::yaml.load(enc2utf8(text), handlers = handlers, eval.expr = FALSE),
    error = function(cnd) {
      found <- conditionMessage(cnd)
      abort_sdc("input", c("{.arg path} must be a file in YAML.", x = "{found}"))
    }
  )
}

metadata_texts <- c("title", "description", "universe", "source", "contact", "licence", "address")

# The names that a file may use for categories: levels, and totals of trees.
metadata_nodes <- function(x) {
  steps <- table_steps(x)
  if (is.null(steps)) lapply(node_labels(x), level_texts) else nodes_of_steps(steps)
}

nodes_of_steps <- function(steps) {
  by <- split(steps$categories, steps$variable)
  nodes <- lapply(unname(by), function(own) unique(level_texts(unlist(own))))
  rlang::set_names(nodes, names(finest_dimnames(steps)))
}

# Those that a server of the table shows: its levels, and coarser categories.
shown_nodes <- function(x) {
  steps <- steps_to_show(x)
  if (is.null(steps)) lapply(x$dimnames, level_texts) else nodes_of_steps(steps)
}

# Of a table by level its own, of others those of their trees.
steps_to_show <- function(x) table_steps(x) %||% read_steps(x)

# The names that a file may use for the levels of variables with trees.
metadata_levels <- function(x) {
  steps <- steps_to_show(x)
  if (!is.null(steps)) {
    rlang::set_names(unname(split(steps$level, steps$variable)), names(finest_dimnames(steps)))
  }
}

checked_metadata <- function(found, nodes, levels) {
  known <- c("languages", metadata_texts, "topics", "variables")
  check_members(found, known, "The file")
  languages <- found$languages %||% "en"
  check_languages(languages, "languages")
  if (is.null(found$title)) {
    abort_sdc("input", c("Metadata must have a {.field title}.", x = "The file has none."))
  }
  text <- function(value, what) metadata_text(value, what, languages)
  out <- lapply(rlang::set_names(metadata_texts), function(part) text(found[[part]], part))
  out$languages <- languages
  out$variables <- metadata_variables(found$variables, nodes, levels, text)
  out$topics <- metadata_topics(found$topics, names(nodes), text)
  out$hash <- paste(as.character(openssl::sha256(charToRaw(to_json(plain_lists(out))))),
                    collapse = "")
  structure(out, class = sdc_class("sdc_metadata"))
}

# As to_json() takes them: a named vector is an object, any other an array.
plain_lists <- function(x) {
  if (is.list(x)) lapply(x, plain_lists) else if (!is.null(x)) as.list(x)
}

check_languages <- function(languages, arg = rlang::caller_arg(languages)) {
  ok <- is.character(languages) && length(languages) > 0 && !anyDuplicated(languages) &&
    all(grepl("^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", languages))
  if (ok) {
    return(invisible(languages))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be codes of languages, each once, such as {.val en} and {.val de}.",
    x = if (is.character(languages)) "It is {.val {languages}}." else
      "It is {.obj_type_friendly {languages}}."
  ))
}

# A map whose keys are all known.
check_members <- function(found, known, what) {
  if (!is.list(found) || is.null(names(found))) {
    abort_sdc("input", c(
      "{what} must have the parts {.val {known}}, each after its name and a colon.",
      x = "It is {.obj_type_friendly {found}}."
    ))
  }
  strange <- setdiff(names(found), known)
  if (length(strange) > 0) {
    abort_sdc("input", c(
      "{what} must have no other parts than {.val {known}}.",
      x = "It has {.val {strange}}.",
      i = did_you_mean(strange, known)
    ))
  }
}

metadata_text <- function(value, what, languages) {
  if (is.null(value)) {
    return(NULL)
  }
  is_text <- function(one) is.character(one) && length(one) == 1 && nzchar(trimws(one))
  if (is_text(value)) {
    return(rlang::rep_named(languages, trimws(value)))
  }
  if (!is.list(value) || is.null(names(value)) || !all(vapply(value, is_text, NA))) {
    abort_sdc("input", c(
      "{.field {what}} must be a text, or a text for each of {.val {languages}}.",
      x = "It is {text_fault(value)}."
    ))
  }
  check_text_languages(names(value), what, languages)
  trimws(unlist(value)[languages])
}

text_fault <- function(value) {
  if (is.list(value) && !is.null(names(value))) {
    return("a map in which a text is missing")
  }
  if (identical(value, "") || identical(value, "~")) "empty" else
    cli::format_inline("{.obj_type_friendly {value}}")
}

check_text_languages <- function(given, what, languages) {
  lacking <- setdiff(languages, given)
  strange <- setdiff(given, languages)
  if (length(lacking) == 0 && length(strange) == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.field {what}} must have a text for each of {.val {languages}}, and for no other language.",
    x = if (length(lacking) > 0) "{.val {lacking}} {?is/are} missing.",
    x = if (length(strange) > 0) "{.val {strange}} {?is/are} not among {.field languages}."
  ))
}

# ---- variables and topics -----------------------------------------------------------------------

metadata_variables <- function(found, nodes, levels, text) {
  if (is.null(found)) found <- rlang::set_names(list(), character())
  check_names_of(names(found), found, names(nodes), "variables", "variable")
  lapply(rlang::set_names(names(found)), function(name) {
    what <- paste0("variables: ", name)
    one <- found[[name]]
    check_members(one, c("label", "description", "categories", "levels"),
                  paste0("Variable \"", name, "\""))
    categories <- one$categories
    check_names_of(names(categories), categories, nodes[[name]], paste0(what, ": categories"),
                   "category")
    check_names_of(names(one$levels), one$levels, levels[[name]], paste0(what, ": levels"), "level")
    texts <- function(found, part) {
      keys <- names(found) %||% character()
      lapply(rlang::set_names(keys), function(key) {
        text(found[[key]], paste0(what, ": ", part, ": ", key))
      })
    }
    list(
      label = text(one$label, paste0(what, ": label")),
      description = text(one$description, paste0(what, ": description")),
      categories = texts(categories, "categories"), levels = texts(one$levels, "levels")
    )
  })
}

# Of a map whose keys are names of the table.
check_names_of <- function(names, found, known, what, kind) {
  if (length(found) > 0 && (!is.list(found) || is.null(names))) {
    abort_sdc("input", c(
      "{.field {what}} must name each {kind} before a colon.",
      x = "It is {.obj_type_friendly {found}}."
    ))
  }
  unknown <- setdiff(names, known)
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.field {what}} must name what the table has.",
      x = "It has no {kind} {.val {unknown}}.",
      i = did_you_mean(unknown, known)
    ))
  }
}

metadata_topics <- function(found, variables, text) {
  if (length(found) > 0 && (!is.list(found) || !is.null(names(found)))) {
    abort_sdc("input", c(
      "{.field topics} must be a list of topics, each after a hyphen.",
      x = "It is {.obj_type_friendly {found}}."
    ))
  }
  lapply(seq_along(found), function(i) {
    one <- found[[i]]
    what <- paste0("topics: ", i)
    check_members(one, c("name", "variables"), paste("Topic", i))
    if (is.null(one$name) || length(one$variables) == 0 || !is.character(one$variables)) {
      abort_sdc("input", c(
        "A topic must have a {.field name} and a list of {.field variables}.",
        x = "Topic {i} lacks one of them."
      ))
    }
    check_names_of(one$variables, list(), variables, paste0(what, ": variables"), "variable")
    list(name = text(one$name, paste0(what, ": name")), variables = one$variables)
  })
}

# Of another table than it was read for? What a server is given must fit its own.
check_metadata <- function(metadata, x) {
  if (is.null(metadata)) {
    return(NULL)
  }
  check_class(metadata, "sdc_metadata", make = "server_metadata")
  nodes <- metadata_nodes(x)
  check_names_of(names(metadata$variables), list(), names(nodes), "metadata", "variable")
  for (name in names(metadata$variables)) {
    named <- names(metadata$variables[[name]]$categories)
    check_names_of(named, list(), nodes[[name]], paste0("metadata: ", name), "category")
  }
  metadata
}
