# Tables by level: a variable whose levels have a tree becomes several, one for each level of the
# tree, so that the search for releases, and the table server, may coarsen a variable instead of
# leaving it out. core/table/level_steps.hpp says why a search over sets of variables then needs no
# change.
#
# `steps` says what the variables of such a table, its steps, stand for; NULL where each variable
# has one level. By step, coarse to fine for each variable: `variable` (its number) and `level` (its
# name); `names` (the label of the variable at that level); `categories`, and `maps` from the levels
# of the variable to these. `trees`: the trees of the categories, where there are some.

#' A table by level
#'
#' Makes of each level of a tree a variable of its own. [release_reducible()], [release_greedy()],
#' [release_anneal()], [release_exact()] and [table_server()] take such a table, and choose for each
#' released sub-table not only its variables but also how finely they are divided: occupations by
#' their major groups, say, where all occupations would be too risky.
#'
#' # Levels
#' A variable of the table stands for one at a certain level. Its label is the variable's name for
#' the finest level, and otherwise has the name of the level behind `@`, as in `age@decade`; see
#' [notation]. A sub-table has, with a variable at some level, also all its coarser levels: the
#' label `age:sex` means the finest level of age, and so does a formula `~ age + sex`.
#' `age@decade:age` is the same as `age`.
#'
#' What a reader knows, and all guarantees, are those of the tables as they are released: at their
#' levels. A coarse margin is a margin of the fine one, so what is released with a sub-table is
#' everything coarser than it.
#'
#' @param x (`sdc_table`, or what [as_sdc_table()] takes) The table, with the trees of its
#'   variables; see [hierarchies].
#' @param levels (`NULL`, or named list of character vectors) For some variables the names of the
#'   levels to offer, besides the finest, from coarse to fine; others have their finest level alone.
#'   `NULL`: all levels of the first tree of each variable. A level with all categories in one, and
#'   one with the same categories as another, is left out. Levels of a tree without names are called
#'   `"level 1"`, `"level 2"`, ... from the total on.
#' @return An object of class `sdc_table`, whose cells at risk and counts are those of `x`; it is as
#'   private as `x`. The first variable of a tree has the coarse categories; each further one says
#'   which child of its parent a category is, by number. `x` itself when no variable has coarser
#'   levels.
#' Take such a table: [release_reducible()], [release_greedy()], [release_anneal()] and
#' [release_exact()], with [verify_release()], [publish()], [write_certificates()], `margins()` and
#' `as.data.frame()` of their results, [critical_widths()], [sub_tables()], [utility()], [width()]
#' and [table_server()]. All variables of several levels belong, at their finest, to each release by
#' level. Methods that publish whole tables ([suppress()], [perturb()], [round_controlled()],
#' [protect()], ...) take `x` itself instead, with totals at all levels of its trees.
#' @section Errors: `sdc_error_input` for levels that no tree has or that do not lie inside one
#'   another; `sdc_error_too_large` for more than 64 levels in all.
#' @section Complexity: One pass over the stored cells.
#' @template experimental
#' @family table
#' @export
#' @examples
#' decade <- c(a1 = "10-19", a2 = "10-19", a3 = "20-29", a4 = "20-29")
#' people <- data.frame(
#'   age = rep(c("a1", "a2", "a3", "a4"), c(3, 5, 2, 4)),
#'   sex = rep(c("f", "m"), 7)
#' )
#' x <- sdc_table(people, c("age", "sex"), hierarchies = list(age = decade))
#' level_table(x)
#' level_table(x, levels = list(age = character()))
level_table <- function(x, levels = NULL) {
  check_given(x)
  x <- table_argument(x, "x")
  if (!is.null(table_steps(x))) {
    return(x)
  }
  step_table(x, read_steps(x, levels))
}

table_steps <- function(x) x$layout$steps

# For methods that would take each level for a variable of its own, and publish numbers of children.
one_level_argument <- function(x, arg = rlang::caller_arg(x), ...) {
  x <- table_argument(x, arg, ...)
  check_one_level(x, arg)
  x
}

check_one_level <- function(x, arg = rlang::caller_arg(x)) {
  check_that(
    is.null(table_steps(x)),
    "{.arg {arg}} must be a table whose variables have one level each.",
    x = "It is a table by level, as {.fn level_table} makes them.",
    i = "Give the table that it was made of, whose trees have totals at all levels."
  )
}

# The same cells by steps. What they stand for stays with the table.
step_table <- function(x, steps) {
  if (is.null(steps)) {
    return(x)
  }
  codes <- lapply(seq_along(steps$variable), step_codes, steps = steps)
  labels <- Map(function(code, step) {
    if (is_first_step(steps, step)) steps$categories[[step]] else as.character(seq_len(max(code)))
  }, codes, seq_along(codes))
  out <- project_table(x, steps$variable, codes, rlang::set_names(labels, steps$names))
  layout <- list(trees = NULL, total_label = "Total", crossings = NULL, formula = NULL)
  new_table(out$dimnames, list(keys = out$keys, counts = out$counts),
            c(layout, list(steps = steps)))
}

is_first_step <- function(steps, step) !steps$variable[step] %in% steps$variable[seq_len(step - 1)]

# For each level of the variable: its coarse category, or which child of its parent it lies in.
step_codes <- function(step, steps) {
  map <- steps$maps[[step]]
  if (is_first_step(steps, step)) {
    return(map)
  }
  first <- match(seq_along(steps$categories[[step]]), map)
  parent <- steps$maps[[step - 1]][first]
  child <- stats::ave(seq_along(parent), parent, FUN = seq_along)
  as.integer(child[map])
}

# The margin over a closed set, as a table of its variables at their levels.
level_margin <- function(x, set) {
  steps <- table_steps(x)
  margin <- project_table(x, set, vector("list", length(set)), x$dimnames[set])
  codes <- stored_codes(margin)
  at <- finest_steps(steps, set)
  dimnames <- level_dimnames(steps, set)
  columns <- Map(function(finest, levels) {
    own <- set[steps$variable[set] == steps$variable[finest]]
    list(codes = category_codes(steps, own, codes[match(own, set)]), base = 1L, lookup = NULL,
         levels = levels, level_of_missing = -1L)
  }, at, dimnames)
  out <- tabulate_records(rlang::set_names(columns, names(dimnames)), length(margin$counts),
                          margin$counts)
  trees <- rlang::set_names(steps$trees[at], names(dimnames))
  set_layout(out, new_layout(Filter(length, trees), steps$total_label))
}

# The same cells with steps as variables like others, for what need not know better.
without_levels <- function(x) if (is.null(table_steps(x))) x else set_layout(x, new_layout())

# The closed set of a margin: each of its variables at the level that has its categories.
margin_level_set <- function(table, steps, arg) {
  known <- names(finest_dimnames(steps))
  at <- vapply(names(table$dimnames), function(v) {
    own <- which(steps$variable == match(v, known))
    fits <- vapply(steps$categories[own], setequal, NA, table$dimnames[[v]])
    c(own[fits], NA)[1]
  }, 1L)
  check_that(
    !anyNA(at),
    "{.arg {arg}} must hold margins at levels of the table.",
    x = "{.val {names(at)[is.na(at)]}} {?is no variable of it/are no variables of it}, or
         {?has/have} the categories of no level.",
    i = "Make margins with {.code margins(x, ...)}."
  )
  close_set(steps, sort(unname(at)))
}

# The categories of the variables of a set at their levels, by the names of the variables.
level_dimnames <- function(steps, set) {
  at <- finest_steps(steps, set)
  rlang::set_names(steps$categories[at], names(finest_dimnames(steps))[steps$variable[at]])
}

# From the codes of the steps of one variable, coarse to fine: the categories at the finest of them.
category_codes <- function(steps, own, codes) {
  last <- own[length(own)]
  first <- match(seq_along(steps$categories[[last]]), steps$maps[[last]])
  size <- vapply(own, function(step) max(step_codes(step, steps)), 1)
  key <- function(codes) combine_codes(codes, size, length(codes[[1]]))
  wanted <- key(lapply(own, function(step) step_codes(step, steps)[first]))
  match(key(codes), wanted)
}

# ---- sets of steps ------------------------------------------------------------------------------

# With each step the coarser ones of its variable.
close_set <- function(steps, set) {
  if (is.null(steps) || length(set) == 0) {
    return(set)
  }
  finest <- tapply(set, steps$variable[set], max)
  at <- finest[as.character(steps$variable)]
  unname(which(seq_along(steps$variable) <= ifelse(is.na(at), 0, at)))
}

# The largest closed set inside: up to the first step that is missing.
open_set <- function(steps, set) {
  if (is.null(steps)) {
    return(set)
  }
  Filter(function(step) all(close_set(steps, step) %in% set), set)
}

# The finest step of each variable: what the set is called by.
finest_steps <- function(steps, set) {
  if (is.null(steps)) {
    return(set)
  }
  set[!((set + 1) %in% set & steps$variable[set + 1] %in% steps$variable[set] &
          steps$variable[set + 1] == steps$variable[set])]
}

n_variables_in <- function(steps, set) {
  if (is.null(steps)) length(set) else length(unique(steps$variable[set]))
}

# How many levels each of the variables has; `k`: the number of steps.
level_counts <- function(steps, k) {
  if (is.null(steps)) rep(1L, k) else tabulate(steps$variable)
}

# The coarsest step of each variable.
first_steps <- function(steps, k) {
  if (is.null(steps)) seq_len(k) else match(unique(steps$variable), steps$variable)
}

# For each step the next finer one of its variable, NA for the finest.
next_steps <- function(steps, k) {
  out <- rep(NA_integer_, k)
  if (is.null(steps)) {
    return(out)
  }
  at <- which(steps$variable[-k] == steps$variable[-1])
  replace(out, at, at + 1L)
}

# All levels of one variable, for each: the one-way tables.
one_way_sets <- function(steps, k) {
  if (is.null(steps)) as.list(seq_len(k)) else unname(split(seq_len(k), steps$variable))
}

# The one-way tables that every release by level has: they show which combinations of steps stand
# for no category.
shown_sets <- function(steps) {
  if (is.null(steps)) list() else
    Filter(function(set) length(set) > 1, one_way_sets(steps, length(steps$variable)))
}

# The labels of the cells' categories at the finest levels.
finest_dimnames <- function(steps) {
  at <- finest_steps(steps, seq_along(steps$variable))
  rlang::set_names(steps$categories[at], steps$names[at])
}

# ---- levels of trees ----------------------------------------------------------------------------

# NULL when each variable has one level.
read_steps <- function(x, levels = NULL) {
  names <- names(x$dimnames)
  check_level_names(levels, names)
  ladders <- lapply(names, function(v) {
    trees <- table_trees(x)[[v]]
    wanted <- if (is.null(levels)) NULL else levels[[v]] %||% character()
    variable_ladder(trees, x$dimnames[[v]], v, wanted, table_total_label(x))
  })
  n <- vapply(ladders, function(ladder) length(ladder$level), 1L)
  if (all(n == 1)) {
    return(NULL)
  }
  check_that(
    sum(n) <= 64,
    "A table by level has at most 64 levels of variables.",
    x = "This one would have {sum(n)}.",
    i = "Choose some of them by {.arg levels}.", .kind = "too_large"
  )
  of <- function(part) unlist(lapply(ladders, `[[`, part), recursive = FALSE)
  variable <- rep(seq_along(names), n)
  finest <- cumsum(n)
  labels <- paste0(names[variable], "@", of("level"))
  labels[finest] <- names
  again <- unique(labels[duplicated(labels)])
  check_that(
    length(again) == 0,
    "Variables must not have the label of another at some level.",
    x = "{.val {again}} is the label of two.",
    i = "Give the variable, or the level of the tree, another name."
  )
  list(variable = variable, level = of("level"), names = labels, categories = of("categories"),
       maps = of("maps"), trees = of("trees"), total_label = table_total_label(x))
}

# The levels of one variable, from coarse to fine, the finest last.
variable_ladder <- function(trees, leaves, name, wanted, total_label) {
  found <- lapply(trees, tree_ladder, leaves = leaves, name = name, total_label = total_label)
  own <- Filter(Negate(is.null), lapply(found, `[[`, "finest"))
  found <- if (is.null(wanted)) utils::head(found, 1) else found
  rungs <- unlist(lapply(found, `[[`, "rungs"), recursive = FALSE)
  if (!is.null(wanted)) rungs <- chosen_rungs(rungs, wanted, name)
  finest <- list(level = if (length(own) > 0) own[[1]] else "finest", maps = seq_along(leaves),
                 categories = leaves, trees = trees)
  rungs <- c(unname(rungs), list(finest))
  list(level = vapply(rungs, `[[`, "", "level"), maps = lapply(rungs, `[[`, "maps"),
       categories = lapply(rungs, `[[`, "categories"), trees = lapply(rungs, `[[`, "trees"))
}

# The levels of one tree between the total and the leaves, those with the categories of another
# left out; and the name of the finest.
tree_ladder <- function(tree, leaves, name, total_label) {
  totals <- variable_totals(list(tree), leaves, name, total_label)
  held <- c(rlang::set_names(as.list(seq_along(leaves)), leaves), unclass(totals))
  places <- tree_levels(tree)
  named <- !is.null(tree$level) && !anyNA(tree$level[places$depth > 0])
  ladder <- if (named) unique(tree$level[order(places$depth)][-1]) else
    paste("level", seq_len(max(places$depth)))
  rungs <- lapply(ladder, function(level) {
    # at that depth, and leaves above it
    at <- match(level, ladder)
    nodes <- if (named) level_nodes(list(tree), level) else
      tree$child[places$depth == at | (!tree$child %in% tree$parent & places$depth < at)]
    new_rung(level, tree, nodes, held, leaves)
  })
  rungs <- rlang::set_names(rungs, ladder)
  maps <- lapply(rungs, `[[`, "maps")
  n <- vapply(maps, max, 1L)
  list(rungs = rungs[n > 1 & n < length(leaves) & !duplicated(maps)],
       finest = if (named) ladder[length(ladder)])
}

# Categories stand in the order of their first leaves.
new_rung <- function(level, tree, nodes, held, leaves) {
  held <- held[nodes]
  map <- integer(length(leaves))
  map[unlist(held)] <- rep(seq_along(held), lengths(held))
  seen <- unique(map)
  categories <- nodes[seen]
  list(level = level, maps = match(map, seen), categories = categories,
       trees = list(cut_tree(tree, categories)))
}

# The tree down to some nodes, which become its leaves.
cut_tree <- function(tree, leaves) {
  keep <- leaves
  repeat {
    up <- unique(stats::na.omit(tree$parent[tree$child %in% keep]))
    if (all(up %in% keep)) break
    keep <- union(keep, up)
  }
  tree[tree$child %in% keep, , drop = FALSE]
}

chosen_rungs <- function(rungs, wanted, name) {
  at <- match(wanted, names(rungs))
  check_that(
    !anyNA(at),
    "{.arg levels} must name levels of the trees of a variable.",
    x = "{.val {name}} has no coarser level {.val {wanted[is.na(at)]}}.",
    i = if (length(rungs) > 0) "Its levels are {.val {names(rungs)}}, and the finest."
  )
  rungs <- rungs[at]
  for (i in seq_along(rungs)[-1]) check_inside(rungs[[i]], rungs[[i - 1]], name)
  rungs
}

check_inside <- function(fine, coarse, name) {
  pairs <- unique(cbind(fine$maps, coarse$maps))
  check_that(
    !anyDuplicated(pairs[, 1]) && max(fine$maps) > max(coarse$maps),
    "{.arg levels} must go from coarse to fine, each inside of the one before it.",
    x = "Level {.val {fine$level}} of {.val {name}} does not lie inside of {.val {coarse$level}}."
  )
}

check_level_names <- function(levels, variables) {
  if (is.null(levels)) {
    return(invisible())
  }
  ok <- is.list(levels) && !is.object(levels) && all(vapply(levels, is.character, NA)) &&
    length(names(levels)) == length(levels) && !anyDuplicated(names(levels))
  unknown <- setdiff(names(levels), variables)
  if (!ok || length(unknown) > 0) {
    abort_sdc("input", c(
      "{.arg levels} must be a list of character vectors, named by variables of the table.",
      x = if (length(unknown) > 0) "There is no variable {.val {unknown}}." else
        "{.arg levels} is {.obj_type_friendly {levels}}."
    ))
  }
}


set_labels <- function(sets, variables, steps = NULL) {
  vapply(sets, function(set) margin_label(variables[finest_steps(steps, set)]), "")
}
