# Metadata of a table server: what the table is about, in words for the public and in their
# languages. They come from a file that an office writes; they are no part of the identity of the
# store, so a spelling may be mended while the ledger goes on. server-metadata-check.R checks the
# file, server-labels.R gives its words to the views and to the downloads.

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
  checked_metadata(read_yaml_texts(path), metadata_nodes(x), metadata_levels(x))
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
