# The words of the metadata, for views and downloads: of each variable its label, of each level, in
# one language. Where there are none, names and levels stand for themselves.

# The language of an answer: the one that was asked for where there is one, else the first. NULL
# without metadata.
label_language <- function(server, lang = NULL) {
  languages <- server$metadata$languages
  if (is.null(languages)) {
    return(NULL)
  }
  bare <- function(code) sub("-.*", "", code)
  at <- c(match(lang, languages), match(bare(lang %||% ""), bare(languages)), 1)
  languages[at[!is.na(at)][1]]
}

in_language <- function(text, lang) if (!is.null(text)) text[[lang]]

# What the metadata say of a variable; with levels, of the one that a step belongs to.
about_variable <- function(server, v) server$metadata$variables[[variable_of_step(server, v)]]

variable_of_step <- function(server, v) {
  steps <- server$steps
  if (is.null(steps)) server$variables[v] else names(finest_dimnames(steps))[steps$variable[v]]
}

# A coarser level stands in brackets behind the label: "Age (decade)".
variable_labels <- function(server, lang, set = seq_along(server$variables)) {
  vapply(set, function(v) {
    name <- variable_of_step(server, v)
    label <- utf8_text(in_language(about_variable(server, v)$label, lang) %||% name)
    if (name == server$variables[v]) label else
      paste0(label, " (", level_labels(server, lang, v), ")")
  }, "")
}

variable_descriptions <- function(server, lang) {
  lapply(seq_along(server$variables), function(v) {
    in_language(about_variable(server, v)$description, lang)
  })
}

# Of the level that a step stands for.
level_labels <- function(server, lang, step) {
  level <- server$steps$level[step]
  in_language(about_variable(server, step)$levels[[level]], lang) %||% level
}

# Of nodes of variable `v`, by default of its levels.
category_labels <- function(server, v, lang, levels = level_texts(server$dimnames[[v]])) {
  known <- about_variable(server, v)$categories
  at <- match(levels, names(known))
  labels <- levels
  labels[!is.na(at)] <- vapply(known[at[!is.na(at)]], function(text) text[[lang]], "")
  labels
}

# What a table is called: the title of all, and its variables.
table_title <- function(server, set, lang) {
  labels <- variable_labels(server, lang, finest_steps(server$steps, set))
  of <- if (length(set) > 0) paste(labels, collapse = " \u00d7 ")
  paste(c(in_language(server$metadata$title, lang), of), collapse = ": ")
}

# Lines for people in a download.
table_notes <- function(server, lang) {
  parts <- c("description", "universe", "source", "contact", "licence", "address")
  texts <- lapply(rlang::set_names(parts), function(part) {
    in_language(server$metadata[[part]], lang)
  })
  unlist(Filter(Negate(is.null), texts))
}

# For the writers of formats (publication-format.R): labels of a table in all languages, the one
# asked for first.
format_labels <- function(server, set, lang) {
  if (is.null(lang)) {
    return(NULL)
  }
  languages <- unique(c(lang, server$metadata$languages))
  at <- finest_steps(server$steps, set)
  names <- vapply(at, function(v) variable_of_step(server, v), "")
  lapply(rlang::set_names(languages), function(language) {
    concepts <- rlang::set_names(variable_labels(server, language), server$variables)
    list(
      title = table_title(server, set, language), concepts = concepts,
      variables = rlang::set_names(concepts[at], names),
      levels = rlang::set_names(lapply(at, function(v) category_labels(server, v, language)), names)
    )
  })
}
