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

n_cells_of <- function(server, set) prod(server$dim[finest_steps(server$steps, set)])

finest_shape <- function(server) {
  if (is.null(server$steps)) server$dimnames else finest_dimnames(server$steps)
}

# How many sub-tables there are, the empty one not counted.
sets_words <- function(x) {
  k <- length(x$variables)
  if (is.null(x$steps)) format_sets(k) else format_count(prod(level_counts(x$steps, k) + 1) - 1)
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
  list(levels = c(named_list(), rlang::set_names(as.list(steps$level[at]), names)))
}

# Of each step the variable, the name of its level, and the id of the next coarser one.
levels_of_steps <- function(server, ids) {
  steps <- server$steps
  if (is.null(steps)) {
    return(list(NULL))
  }
  finest <- names(finest_dimnames(steps))
  lapply(seq_along(steps$variable), function(step) {
    list(variable = finest[steps$variable[step]], level = steps$level[step],
         coarser = if (!is_first_step(steps, step)) ids[step - 1])
  })
}

# ---- coarser instead of refused -----------------------------------------------------------------

# What is near a sub-table that cannot be had: coarser ones that may be asked for, and the finest of
# them that is out. Anybody could work this out from the policy and what is out.
coarser_sets <- function(server, set, most = max_coarser) {
  cpp_coarser_sets(server_space(server), set, as.integer(most))
}

max_coarser <- 10

view_coarser <- function(server, set) {
  sets <- coarser_sets(server, set)
  Map(function(set, status) c(show_set(server, set), status = status), sets,
      set_states(server, sets), USE.NAMES = FALSE)
}
