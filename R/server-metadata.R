# Metadata of a table server: what the table is about, in words for the public and in their
# languages. They come from a file that an office writes; they are no part of the identity of the
# store, so a spelling may be mended while the ledger goes on. server-labels.R gives its words to
# the views and to the downloads.

#' Metadata of a table server
#'
#' The page and the downloads of a table server show a table in everyday words when [table_server()]
#' gets `metadata`: title and description, labels of variables and of categories, topics, source,
#' contact and licence, in one language or in several. They are written in a YAML file.
#' `write_metadata()` writes such a file from a table, to be filled in; `server_metadata()` reads
#' and checks it.
#'
#' # The file
#' ```yaml
#' languages: [en, de]
#' title:
#'   en: Health of car workers
#'   de: Gesundheit von Automobilarbeitern
#' source: Biometrika 72, 339-351
#' topics:
#' - name: {en: Way of life, de: Lebensweise}
#'   variables: [F]
#' variables:
#'   F:
#'     label: {en: Smoking, de: Rauchen}
#'     categories:
#'       no: {en: does not smoke, de: raucht nicht}
#'       yes: {en: smokes, de: raucht}
#' ```
#' * A text is one string, which then holds for all languages, or one string for each language.
#' * `languages` are codes such as `en`, `de` or `fr`; the first is the one for readers of none of
#'   them. The page itself speaks English and German.
#' * `title` is needed. `description`, `universe` (whom the counts are of), `source`, `contact`,
#'   `licence` and `address` (where the server is found, for citations) may be left out, as may any
#'   label: names and levels of the table then stand for themselves.
#' * Variables and categories are named as in the table: categories by its levels, or by the totals
#'   of its trees. A variable with a tree may have `levels:` beside `categories:`, labels of the
#'   levels by which it may be asked for (see [level_table()]). `yes`, `no`, `on`, `off` and numbers
#'   are read as they are written.
#'
#' Examples for two data sets of the package, in English and German, are
#' `system.file("extdata", "czech-workers.yml", package = "sdcLattice")` and `"cps13.yml"`.
#'
#' Metadata are public: the server shows them to everybody who may ask. They belong neither to the
#' identity of its store nor to the hash of a released table, so they may be changed at any time:
#' open the server anew with the new file.
#'
#' @param path (string) The file.
#' @param x (`sdc_table`, or what [as_sdc_table()] takes) The full table of the server. Of it only
#'   names of variables and levels are used, never counts.
#' @return `server_metadata()`: an object of class `sdc_metadata`. `write_metadata()`: `path`,
#'   invisibly.
#' @section Errors: `sdc_error_input` when there is no such file, it is not YAML, names variables or
#'   categories that the table does not have, lacks a language, or has something of another kind
#'   than it must be; for `write_metadata()` when there is such a file already; and when the package
#'   yaml, by which `server_metadata()` reads, is not installed.
#' @template experimental
#' @family server
#' @export
#' @examplesIf requireNamespace("yaml", quietly = TRUE)
#' path <- system.file("extdata", "czech-workers.yml", package = "sdcLattice")
#' server_metadata(path, czech_workers)
#'
#' draft <- tempfile(fileext = ".yml")
#' write_metadata(czech_workers, draft, languages = c("en", "fr"))
#' cat(head(readLines(draft), 12), sep = "\n")
server_metadata <- function(path, x) {
  check_string(path)
  x <- as_sdc_table(x)
  check_installed("yaml", "to read metadata")
  # scalars stay the texts that they are in the file: levels are called "no", "1" or "1e5"
  kinds <- c("bool#yes", "bool#no", "int", "int#hex", "int#oct", "int#base60", "float#fix",
             "float#exp", "float#base60", "float#nan", "float#inf", "float#neginf", "null",
             "timestamp#iso8601", "timestamp#spaced", "timestamp#ymd")
  found <- read_yaml(path, "{.arg path}", "{.arg path} must be a file in YAML.",
                     handlers = rlang::rep_named(kinds, list(function(text) text)))
  checked_metadata(found, metadata_nodes(x), metadata_levels(x))
}

#' @rdname server_metadata
#' @param languages (character vector) Codes of languages, such as `"en"`.
#' @param title (string) The title, to be translated in the file.
#' @export
write_metadata <- function(x, path, languages = "en", title = "Title of the table") {
  x <- as_sdc_table(x)
  check_string(path)
  check_languages(languages)
  check_string(title)
  if (file.exists(path)) {
    abort_sdc("input", c(
      "{.arg path} must name a new file.",
      x = "There is a file {.file {path}} already.",
      i = "Choose another name: what was filled in by hand is not overwritten."
    ))
  }
  lines <- metadata_template(shown_nodes(x), metadata_levels(x), languages, title)
  writeLines(enc2utf8(lines), path, useBytes = TRUE)
  invisible(path)
}

# ---- the template -------------------------------------------------------------------------------

# Strings in double quotes are the same in YAML as in JSON, whatever is in them.
# `nodes`, `levels`: by variable, as server_metadata() takes them.
metadata_template <- function(nodes, levels, languages, title) {
  text <- function(key, value, indent = "") {
    c(paste0(indent, key, ":"),
      paste0(indent, "  ", languages, ": ", json_strings(value), recycle0 = TRUE))
  }
  flow <- function(value) {
    inside <- vapply(json_strings(value), function(one) {
      paste0(languages, ": ", one, collapse = ", ")
    }, "", USE.NAMES = FALSE)
    paste0("{", inside, "}", recycle0 = TRUE)
  }
  part <- function(key, names) {
    c(if (length(names) > 0) paste0("    ", key, ":"),
      paste0("      ", json_strings(names), ": ", flow(names), recycle0 = TRUE))
  }
  variables <- unlist(lapply(names(nodes), function(name) {
    c(paste0("  ", json_strings(name), ":"), text("label", name, "    "),
      if (length(levels[[name]]) > 1) part("levels", levels[[name]]),
      part("categories", nodes[[name]]))
  }), use.names = FALSE)
  c(
    "# Metadata of a table server. Replace the texts; names before the colons of variables and of",
    "# categories belong to the table. A text that all languages share may be one string.",
    paste0("languages: [", paste(languages, collapse = ", "), "]"),
    text("title", title),
    "# Remove the sign # from what you want to say:",
    "# description: What the table is about, in a sentence or two.",
    "# universe: Whom or what the counts are of.",
    "# source: The survey or register, and its year.",
    "# contact: Who answers questions.",
    "# licence: CC BY 4.0",
    "# address: https://tables.example.org/",
    "# topics:",
    "# - name: A topic, by which readers find variables",
    paste0("#   variables: [", json_strings(names(nodes)[1]), "]", recycle0 = TRUE),
    if (length(nodes) > 0) "variables:",
    variables
  )
}

# ---- the object ---------------------------------------------------------------------------------

#' @export
format.sdc_metadata <- function(x, ...) {
  labelled <- sum(vapply(x$variables, function(one) !is.null(one$label), NA))
  c(
    x$title[[1]],
    paste0("languages: ", paste(x$languages, collapse = ", ")),
    paste0(plural(labelled, "variable"), " with labels, ", plural(length(x$topics), "topic"))
  )
}

# Of another table than it was read for? What a server is given must fit its own.
check_metadata <- function(metadata, x) {
  if (is.null(metadata)) {
    return(NULL)
  }
  check_class(metadata, "sdc_metadata", make = "server_metadata")
  nodes <- metadata_nodes(x)
  check_names_known_of(names(metadata$variables), names(nodes), "metadata", "variable")
  for (name in names(metadata$variables)) {
    named <- names(metadata$variables[[name]]$categories)
    check_names_known_of(named, nodes[[name]], paste0("metadata: ", name), "category")
  }
  metadata
}

# ---- names of the table -------------------------------------------------------------------------

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

# By the file's own encoding: yaml reads through a connection in the locale's.
read_yaml <- function(path, arg, must, handlers = NULL) {
  if (!file.exists(path) || dir.exists(path)) {
    abort_sdc("input", c(paste(arg, "must name a file."), x = "There is no file {.file {path}}."))
  }
  text <- paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  tryCatch(
    yaml::yaml.load(enc2utf8(text), handlers = handlers, eval.expr = FALSE),
    error = function(cnd) {
      found <- conditionMessage(cnd)
      abort_sdc("input", c(must, x = "{found}"))
    }
  )
}

# ---- checking the file --------------------------------------------------------------------------

# A text becomes a character vector named by the languages, the first of which stands first.
metadata_texts <- c("title", "description", "universe", "source", "contact", "licence", "address")

checked_metadata <- function(found, nodes, levels) {
  check_members(found, c("languages", metadata_texts, "topics", "variables"), "The file")
  languages <- found$languages %||% "en"
  check_languages(languages, "languages")
  if (is.null(found$title)) {
    abort_sdc("input", c("Metadata must have a {.field title}.", x = "The file has none."))
  }
  text <- function(value, what) metadata_text(value, what, languages)
  out <- lapply(rlang::set_names(metadata_texts), function(part) text(found[[part]], part))
  out$languages <- languages
  check_names_of(found$variables, names(nodes), "variables", "variable")
  out$variables <- Map(function(one, name) {
    what <- paste0("variables: ", name)
    check_members(one, c("label", "description", "categories", "levels"),
                  paste0("Variable \"", name, "\""))
    texts <- function(part, known, kind) {
      check_names_of(one[[part]], known, paste0(what, ": ", part), kind)
      Map(text, one[[part]], paste0(what, ": ", part, ": ", names(one[[part]]), recycle0 = TRUE))
    }
    list(
      label = text(one$label, paste0(what, ": label")),
      description = text(one$description, paste0(what, ": description")),
      categories = texts("categories", nodes[[name]], "category"),
      levels = texts("levels", levels[[name]], "level")
    )
  }, found$variables, names(found$variables) %||% character())
  out$topics <- metadata_topics(found$topics, names(nodes), text)
  out$hash <- sha256_of(to_json(plain_lists(out)))
  structure(out, class = sdc_class("sdc_metadata"))
}

# As to_json() takes them: a named vector is an object, any other an array.
plain_lists <- function(x) {
  if (is.list(x)) lapply(x, plain_lists) else if (!is.null(x)) as.list(x)
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
    check_names_known_of(one$variables, variables, paste0(what, ": variables"), "variable")
    list(name = text(one$name, paste0(what, ": name")), variables = one$variables)
  })
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
  is_filled <- function(one) is_text(one) && nzchar(trimws(one))
  if (is.null(value) || is_filled(value)) {
    return(if (!is.null(value)) rlang::rep_named(languages, trimws(value)))
  }
  is_map <- is.list(value) && !is.null(names(value))
  if (!is_map || !all(vapply(value, is_filled, NA))) {
    fault <- if (is_map) "a map in which a text is missing" else
      if (identical(value, "") || identical(value, "~")) "empty" else
        cli::format_inline("{.obj_type_friendly {value}}")
    abort_sdc("input", c(
      "{.field {what}} must be a text, or a text for each of {.val {languages}}.",
      x = "It is {fault}."
    ))
  }
  lacking <- setdiff(languages, names(value))
  strange <- setdiff(names(value), languages)
  if (length(c(lacking, strange)) > 0) {
    abort_sdc("input", c(
      "{.field {what}} must have a text for each of {.val {languages}}, and for no other language.",
      x = if (length(lacking) > 0) "{.val {lacking}} {?is/are} missing.",
      x = if (length(strange) > 0) "{.val {strange}} {?is/are} not among {.field languages}."
    ))
  }
  trimws(unlist(value)[languages])
}

# Of a map whose keys are names of the table.
check_names_of <- function(found, known, what, kind) {
  if (length(found) > 0 && (!is.list(found) || is.null(names(found)))) {
    abort_sdc("input", c(
      "{.field {what}} must name each {kind} before a colon.",
      x = "It is {.obj_type_friendly {found}}."
    ))
  }
  check_names_known_of(names(found), known, what, kind)
}

check_names_known_of <- function(names, known, what, kind) {
  unknown <- setdiff(names, known)
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.field {what}} must name what the table has.",
      x = "It has no {kind} {.val {unknown}}.",
      i = did_you_mean(unknown, known)
    ))
  }
}
