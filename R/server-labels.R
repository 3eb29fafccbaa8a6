# The words for variables and levels, for views and downloads: of each variable its label, of each
# level, in one language; where there are no metadata, names and levels stand for themselves. And
# what a server says of levels: names of sets of steps (table-level.R), and what is near a
# sub-table that cannot be had.

# ---- words of the metadata ----------------------------------------------------------------------

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
variable_labels <- function(server, lang, set = seq_len(server$k)) {
  vapply(set, function(v) {
    name <- variable_of_step(server, v)
    label <- utf8_text(in_language(about_variable(server, v)$label, lang) %||% name)
    if (name == server$variables[v]) label else
      paste0(label, " (", level_labels(server, lang, v), ")")
  }, "")
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

# ---- sets by name -------------------------------------------------------------------------------

# Of variables: "v1", "v2", ... by their place; never the name of another variable.
variable_ids <- function(variables) {
  prefix <- "v"
  repeat {
    ids <- paste0(prefix, seq_along(variables))
    if (!any(variables %in% ids & variables != ids)) {
      return(ids)
    }
    prefix <- paste0(prefix, "_")
  }
}

# Numbers of variables that are named or given by id; NA for what is unknown.
match_variables <- function(server, named) {
  at <- match(named, variable_ids(server$variables))
  ifelse(is.na(at), match(named, server$variables), at)
}

# NULL when it is none.
id_set <- function(server, id) {
  set <- if (is_mask(id, server$k)) decode_masks(id, server$k)[[1]]
  if (identical(set, close_set(server$steps, set))) set
}

show_set <- function(server, set) {
  c(list(id = set_id(server, set), variables = as.list(set_variables(server, set))),
    show_levels(server, set))
}

show_sets <- function(server, sets) lapply(sets, function(set) show_set(server, set))

show_table <- function(server, set) {
  c(show_set(server, set), dimension = n_variables_in(server$steps, set),
    cells = n_cells_of(server, set))
}

data_link <- function(id) paste0("/v1/tables/", id, "/data")

# Sets from names that answers give: of variables, each at its level.
set_named <- function(server, names) close_set(server$steps, match(names, server$variables))

# With levels, a named element says at which level: c(age = "decade") is "age@decade".
at_levels <- function(server, variables) {
  if (is.list(variables)) {
    return(lapply(variables, function(some) at_levels(server, some)))
  }
  of <- names(variables)
  if (!is.character(variables) || is.null(of)) {
    return(variables)
  }
  named <- nzchar(of)
  check_levels_named(server$steps, of[named], variables[named])
  variables[named] <- step_labels(server$steps, of[named], variables[named])
  variables <- unname(variables)
  # several names are one sub-table, one may be a label
  if (length(variables) == 1) as.list(variables) else variables
}

check_levels_named <- function(steps, variables, levels) {
  finest <- names(finest_dimnames(steps))
  strange <- setdiff(variables, finest)
  if (length(strange) > 0) {
    abort_sdc("input", c(
      "Names of {.arg variables} must be variables of the table.",
      x = "There is no variable {.val {strange[1]}}.",
      i = "Its variables are {.val {finest}}."
    ))
  }
  at <- which(is.na(step_labels(steps, variables, levels)))[1]
  if (!is.na(at)) {
    offered <- steps$level[steps$variable == match(variables[at], finest)]
    abort_sdc("input", c(
      "{.arg variables} must name levels that the server offers.",
      x = "{.val {variables[at]}} has no level {.val {levels[at]}}.",
      i = "Its levels are {.val {offered}}."
    ))
  }
}

# Of variables at levels; NA, which is no name, where there is none.
step_labels <- function(steps, variables, levels) {
  finest <- names(finest_dimnames(steps))
  at <- match(paste(match(variables, finest), levels), paste(steps$variable, steps$level))
  steps$names[at]
}

n_cells_of <- function(server, set) prod(server$dim[finest_steps(server$steps, set)])

finest_shape <- function(server) {
  if (is.null(server$steps)) server$dimnames else finest_dimnames(server$steps)
}

# ---- for the API --------------------------------------------------------------------------------

# The levels of the variables of a set that have several.
show_levels <- function(server, set) {
  steps <- server$steps
  if (is.null(steps)) {
    return(NULL)
  }
  at <- finest_steps(steps, set)
  at <- at[tabulate(steps$variable)[steps$variable[at]] > 1]
  names <- names(finest_dimnames(steps))[steps$variable[at]]
  list(levels = rlang::set_names(as.list(steps$level[at]), names))
}

# Of a step the variable, the name and the label of its level, and the id of the next coarser one.
view_step <- function(server, step, ids, lang) {
  steps <- server$steps
  if (!is.null(steps)) {
    list(variable = variable_of_step(server, step), level = steps$level[step],
         level_label = level_labels(server, lang, step),
         coarser = if (!is_first_step(steps, step)) ids[step - 1])
  }
}

# ---- coarser instead of refused -----------------------------------------------------------------

# What is near a sub-table that cannot be had: coarser ones that may be asked for, and the finest of
# them that is out. Anybody could work this out from the policy and what is out.
coarser_sets <- function(server, set, most = max_coarser) {
  cpp_coarser_sets(server_space(server), set, as.integer(most))
}

# So many are shown, and so many asked for at once.
max_coarser <- 10
max_tried <- 30

coarser_frame <- function(server, set) {
  sets <- coarser_sets(server, set)
  data.frame(sub_table = set_labels(sets, server$variables, server$steps),
             status = as.character(set_states(server, sets)))
}

coarser_words <- function(coarser) {
  open <- coarser$sub_table[coarser$status == "open"]
  out <- coarser$sub_table[coarser$status == "released"]
  more <- length(open) - 3
  c(
    if (length(open) > 0) {
      paste0("coarser, may be asked for: ", paste(utils::head(open, 3), collapse = ", "),
             if (more > 0) paste(", and", more, "more"))
    },
    if (length(out) > 0) paste0("coarser, is out: ", out)
  )
}

# Asks for what is near, one after the other, until something is out. The requests have ids that
# follow from the id of the refused one, so that who asks it again is led to the same answers, and
# one that was cut off goes on. `ask(set, id)` gives an answer.
ask_coarser <- function(server, set, refused, ask) {
  asked <- list()
  refused$tried <- list()
  mark <- substr(chain_hash()$text(refused$request_id), 1, 40)
  for (n in seq_len(max_tried)) {
    key <- paste0("coarser-", n, "-", mark)
    row <- find_row(server$store, list(user_id = refused$user, request_id = key))
    next_set <- if (!is.null(row)) decode_masks(row$mask, server$k) else
      utils::head(setdiff(coarser_sets(server, set, max_tried), asked), 1)
    if (length(next_set) == 0) break
    answer <- ask(next_set[[1]], key)
    refused$tried <- c(refused$tried, list(answer))
    asked <- c(asked, next_set)
    if (answer$outcome %in% c("released", "already")) {
      refused$outcome <- "coarser"
      refused$parts <- list(answer$variables)
      break
    }
  }
  refused
}

check_has_levels <- function(server) {
  if (!is.null(server$steps)) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.code if_refused = \"coarser\"} needs a server that offers levels.",
    x = "Each variable of this one has one level.",
    i = "Make {.arg x} of {.fn table_server} by {.fn sdc_table} with {.arg hierarchies}."
  ))
}
