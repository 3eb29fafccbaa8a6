# Publications of releases by level. `dimnames` then has each variable at each of its levels, under
# its label, and `steps` says what these are, as in table-level.R. The published tables have the
# variables under their own names, as margins() of the release has them, so that nobody takes two
# levels of a variable for two variables.

# Which category of each level lies in which of the coarser ones, and no more of the trees.
published_steps <- function(steps) {
  if (is.null(steps)) {
    return(NULL)
  }
  plain(steps[c("variable", "level", "names", "categories", "maps")])
}

# What functions of problems know of a publication.
publication_space <- function(x) list(variables = names(x$dimnames), steps = x$steps)

# The variables and categories of the whole table.
published_shape <- function(x) if (is.null(x$steps)) x$dimnames else finest_dimnames(x$steps)

# The dimnames of the table over a set.
dimnames_of_set <- function(x, set) {
  if (is.null(x$steps)) x$dimnames[set] else level_dimnames(x$steps, set)
}

# The tables with variables at levels under the labels of these, for frames and files.
labelled_tables <- function(x) {
  if (is.null(x$steps)) {
    return(x$tables)
  }
  Map(function(table, set) {
    at <- finest_steps(x$steps, set)
    new_table(x$dimnames[at], list(keys = table$keys, counts = table$counts))
  }, x$tables, x$sets)
}

# From the table over a set that over one inside of it: coarser, or without some variables.
coarsen_table <- function(table, steps, from, to) {
  fine <- finest_steps(steps, from)
  coarse <- finest_steps(steps, to)
  at <- match(steps$variable[coarse], steps$variable[fine])
  maps <- Map(function(f, c) {
    first <- match(seq_along(steps$categories[[f]]), steps$maps[[f]])
    steps$maps[[c]][first]
  }, fine[at], coarse)
  project_table(table, at, maps, level_dimnames(steps, to))
}

# ---- is it whole? -------------------------------------------------------------------------------

# Do the steps of a publication, which may have been edited, fit its variables and each other?
are_whole_steps <- function(steps, dimnames) {
  k <- length(dimnames)
  if (!identical(lengths(steps, FALSE), rep(k, 5)) ||
      !identical(rlang::set_names(steps$categories, steps$names), dimnames)) {
    return(FALSE)
  }
  v <- steps$variable
  in_order <- identical(v, sort(v)) && setequal(v, seq_len(max(v))) &&
    !anyDuplicated(paste(v, steps$level))
  in_order && all(vapply(seq_len(k), is_whole_step, NA, steps = steps))
}

# The finest level has a category for each of its own; each category lies in one of the level above.
is_whole_step <- function(step, steps) {
  map <- steps$maps[[step]]
  n <- length(steps$categories[[step]])
  finest <- is.na(next_steps(steps, length(steps$variable))[step])
  all(map %in% seq_len(n)) && setequal(map, seq_len(n)) &&
    (!finest || identical(map, seq_len(n))) &&
    (is_first_step(steps, step) || refines_level(map, steps$maps[[step - 1]]))
}

refines_level <- function(fine, coarse) {
  length(fine) == length(coarse) && !anyDuplicated(unique(cbind(fine, coarse))[, 1])
}

# The same sums over all that two tables share, for sets by level.
have_same_level_margins <- function(x) {
  for (i in seq_along(x$sets)[-1]) {
    for (j in utils::tail(seq_len(i - 1), 50)) {
      shared <- intersect(x$sets[[i]], x$sets[[j]])
      own <- lapply(c(i, j), function(at) {
        coarsen_table(x$tables[[at]], x$steps, x$sets[[at]], shared)
      })
      if (!has_same_cells(own[[1]], own[[2]])) {
        return(FALSE)
      }
    }
  }
  TRUE
}

# ---- the file -----------------------------------------------------------------------------------

# For each column of a variable at some level what it is; read_published_steps() reads it again.
steps_document <- function(steps) {
  if (is.null(steps)) {
    return(NULL)
  }
  lapply(seq_along(steps$variable), function(step) {
    finest <- max(which(steps$variable == steps$variable[step]))
    list(column = steps$names[step], variable = steps$names[finest], level = steps$level[step],
         category_of = I(steps$maps[[step]]))
  })
}

levels_in_words <- paste(
  "a variable that has several levels is a column for each of them, from coarse to fine;",
  "category_of says for each category of its finest level in which category of the column it lies,",
  "by number"
)

read_published_steps <- function(given, dimnames) {
  if (is.null(given)) {
    return(NULL)
  }
  of <- function(name) strings(lapply(given, `[[`, name))
  variables <- of("variable")
  need(identical(of("column"), names(dimnames)), "the levels are not those of the columns")
  steps <- list(variable = match(variables, unique(variables)), level = of("level"),
                names = names(dimnames), categories = unname(dimnames),
                maps = lapply(given, function(step) whole_numbers(step$category_of)))
  need(are_whole_steps(steps, dimnames), "the levels contradict each other")
  steps
}
