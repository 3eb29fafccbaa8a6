# What a table server says of levels: names of sets of steps (table-level.R), and what is near a
# sub-table that cannot be had.

# Sets from names that answers give: of variables, each at its level.
set_named <- function(server, names) close_set(server$steps, match(names, server$variables))

# With levels, a named element says at which level: c(age = "decade") is "age@decade".
at_levels <- function(server, variables) {
  if (is.list(variables)) {
    return(lapply(variables, function(some) at_levels(server, some)))
  }
  if (!is.character(variables) || is.null(names(variables))) {
    return(variables)
  }
  of <- names(variables)
  finest <- names(finest_dimnames(server$steps))
  out <- vapply(seq_along(variables), function(i) {
    if (!nzchar(of[i])) variables[[i]] else level_label(server$steps, of[i], variables[[i]], finest)
  }, "")
  # several names are one sub-table, one may be a label
  if (length(out) == 1) as.list(out) else out
}

level_label <- function(steps, variable, level, finest) {
  at <- which(steps$variable == match(variable, finest))
  if (length(at) == 0) {
    abort_sdc("input", c(
      "Names of {.arg variables} must be variables of the table.",
      x = "There is no variable {.val {variable}}.",
      i = "Its variables are {.val {finest}}."
    ))
  }
  found <- at[match(level, steps$level[at])]
  if (is.na(found)) {
    abort_sdc("input", c(
      "{.arg variables} must name levels that the server offers.",
      x = "{.val {variable}} has no level {.val {level}}.",
      i = "Its levels are {.val {steps$level[at]}}."
    ))
  }
  steps$names[found]
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

# Of each step the variable, the name and the label of its level, and the id of the next coarser
# one.
levels_of_steps <- function(server, ids, lang = NULL) {
  steps <- server$steps
  if (is.null(steps)) {
    return(list(NULL))
  }
  finest <- names(finest_dimnames(steps))
  lapply(seq_along(steps$variable), function(step) {
    list(variable = finest[steps$variable[step]], level = steps$level[step],
         level_label = level_labels(server, lang, step),
         coarser = if (!is_first_step(steps, step)) ids[step - 1])
  })
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
  shown <- utils::head(open, 3)
  more <- length(open) - length(shown)
  c(
    if (length(open) > 0) {
      paste0("coarser, may be asked for: ", paste(shown, collapse = ", "),
             if (more > 0) paste(", and", more, "more"))
    },
    if (length(out) > 0) paste0("coarser, is out: ", out)
  )
}

# Asks for what is near, one after the other, until something is out. The requests have ids that
# follow from the id of the refused one, so that who asks it again is led to the same answers, and
# one that was cut off goes on. `ask(set, id)` gives an answer.
ask_coarser <- function(server, set, refused, ask) {
  tried <- list()
  asked <- list()
  for (n in seq_len(max_tried)) {
    key <- coarser_key(refused$request_id, n)
    next_set <- set_asked_under(server, refused$user, key) %||%
      first_new(coarser_sets(server, set, max_tried), asked)
    if (is.null(next_set)) break
    answer <- ask(next_set, key)
    tried <- c(tried, list(answer))
    asked <- c(asked, list(next_set))
    if (answer$outcome %in% c("released", "already")) {
      refused$outcome <- "coarser"
      refused$parts <- list(answer$variables)
      break
    }
  }
  refused$tried <- tried
  refused
}

first_new <- function(sets, known) {
  new <- sets[!sets %in% known]
  if (length(new) > 0) new[[1]]
}

set_asked_under <- function(server, user, key) {
  rows <- find_decisions(server$store,
                         "user_id = CAST($1 AS TEXT) AND request_id = CAST($2 AS TEXT)",
                         user, key, limit = 1)
  if (nrow(rows) == 1) decode_masks(rows$mask, length(server$variables))[[1]]
}

coarser_key <- function(request_id, n) {
  paste0("coarser-", n, "-", substr(chain_hash()$text(request_id), 1, 40))
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
