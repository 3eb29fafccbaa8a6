# Views of the query space: how many sub-tables of each dimension are out or open, and lists of
# them. It is laid out up to `max_laid_out` variables; beyond, sub-tables are counted through
# maximal ones. Lists come from a walk that stops when a page is full. All of it is in core/server/.

max_laid_out <- 20L

# Counted among the sub-tables that hold `set`.
view_levels <- function(server, set, operator) {
  k <- length(server$variables)
  counts <- count_levels(server, set, operator, laid_out = is_laid_out(server))
  from <- n_variables_in(server$steps, set)
  at <- (from:n_variables_in(server$steps, seq_len(k))) + 1
  list(levels = lapply(at, function(i) c(list(dimension = i - 1), lapply(counts, `[`, i))))
}

# What cannot be counted is NA.
count_levels <- function(server, set, operator, laid_out) {
  layout <- if (laid_out) space_layout(server, operator) else raw()
  found <- with_core(cpp_space_levels(server_space(server), layout, set))
  found[c("total", "released", "open", if (operator) "refused")]
}

is_laid_out <- function(server) {
  sum(log2(level_counts(server$steps, length(server$variables)) + 1)) <= max_laid_out
}

# A letter for each sub-table: r, o, c, and for operators u.
space_layout <- function(server, operator) {
  remember(server, if (operator) "layout_operator" else "layout",
           cpp_space_layout(server_space(server), operator))
}

view_lattice <- function(server, operator) {
  list(variables = as.list(server$variables), status = rawToChar(space_layout(server, operator)))
}

space_states <- c("all", "released", "open", "closed")

# Sub-tables that hold `set`, of one dimension and state, in lexicographic order of the variables
# that they add to it; `after`: the set that was shown last.
view_space <- function(server, set, dimension, status, after, limit, operator) {
  found <- cpp_walk_space(server_space(server), set, dimension, status, after, limit, operator)
  ids <- vapply(found$sets, function(set) set_id(server, set), "")
  behind <- if (found$more) set_id(server, found$last)
  items <- Map(function(set, state) c(show_set(server, set), status = state),
               found$sets, found$states, USE.NAMES = FALSE)
  if (length(items) == 0) {
    return(list(items = list(), `next` = behind))
  }
  page <- page_of(items, ids, found$more)
  if (length(page$items) == length(items)) page["next"] <- list(behind)
  page
}

view_frontier <- function(server, cursor, limit) {
  sets <- order_sets(server_frontier(server))
  at <- seq_len(max(0, min(limit, length(sets) - cursor))) + cursor
  page_of(show_sets(server, sets[at]), at, cursor + length(at) < length(sets))
}
