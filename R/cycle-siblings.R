# Which levels of a table with trees may exchange counts: those that lie in the same totals.

# What cycles must keep of the table besides margins: its layout, when that has trees or crossings.
cycle_layout <- function(x) {
  layout <- x$layout
  if (is.null(layout$trees) && is.null(layout$crossings)) NULL else layout
}

# A table of zeros with these labels and this layout.
laid_out_shape <- function(labels, layout) {
  new_table(labels, list(keys = raw(), counts = numeric()), layout)
}

# "the trees of county and sector and 2 published crossings"
layout_words_of <- function(layout) {
  paste(c(
    if (!is.null(layout$trees)) paste("the", tree_words_of(layout, " and ")),
    if (!is.null(layout$crossings)) {
      plural(length(layout$crossings), "published crossing")
    }
  ), collapse = " and ")
}

tree_words_of <- function(layout, between) {
  paste0(if (sum(lengths(layout$trees)) == 1) "tree" else "trees", " of ",
         paste(names(layout$trees), collapse = between))
}

# For each variable the classes of its levels. Where not all crossings are published, one variable
# may be free of some of its totals: those that no crossing shows beside a level of every other
# variable that moves. A sum over such a total holds whole classes of some other variable, over
# which each cycle adds up to nothing.
sibling_classes <- function(labels, layout, free = TRUE) {
  like <- laid_out_shape(labels, layout)
  totals <- table_totals(like)
  flags <- crossing_flags(like, node_labels(like, totals))
  check_some_cell(flags, labels)
  classes <- Map(classes_in_totals, lengths(labels), totals, lapply(names(labels), function(v) {
    shown_totals_of(v, flags, labels)
  }))
  if (!free || length(flags) == 1) {
    return(classes)
  }
  freed <- lapply(seq_along(labels), function(v) {
    beside <- Filter(function(flag) all(mapply(moves_level, flag, classes)[-v]), flags)
    shown <- shown_totals_of(names(labels)[[v]], beside, labels)
    classes[[v]] <- classes_in_totals(length(labels[[v]]), totals[[v]], shown)
    classes
  })
  best <- which.max(vapply(freed, movable_cells, 0))
  if (movable_cells(freed[[best]]) > movable_cells(classes)) freed[[best]] else classes
}

# Which totals of a variable the crossings show.
shown_totals_of <- function(v, flags, labels) {
  each <- lapply(flags, function(flag) flag[[v]][-seq_along(labels[[v]])])
  Reduce(`|`, each, FALSE)
}

# Does a crossing show a level that moves within its class?
moves_level <- function(flag, classes) {
  moving <- unlist(classes[lengths(classes) > 1])
  length(unlist(classes)) == 1 || any(flag[moving])
}

# Levels in the same totals, in the order of their first level.
classes_in_totals <- function(n, totals, shown) {
  if (n < 2) {
    return(list(seq_len(n)))
  }
  totals <- totals[rep_len(shown, length(totals))]
  level <- unlist(totals, use.names = FALSE)
  total <- rep(seq_along(totals), lengths(totals))
  key <- vapply(split(total, factor(level, seq_len(n))), paste, "", collapse = " ")
  unname(split(seq_len(n), match(key, key)))
}

movable_cells <- function(classes) {
  prod(vapply(classes, function(of) {
    size <- lengths(of)
    if (sum(size) == 1) 1 else sum(size[size > 1])
  }, 0))
}

# Where no crossing shows a cell of levels alone, every published number is a total that stays.
check_some_cell <- function(flags, labels) {
  shown <- vapply(flags, function(flag) {
    all(mapply(function(f, l) any(f[seq_along(l)]) || length(l) == 1, flag, labels))
  }, NA)
  if (any(shown)) {
    return(invisible(flags))
  }
  abort_sdc("infeasible", c(
    "A published crossing must show levels of all variables: cycles keep all totals, and perturb
     the cells beneath them.",
    x = "Every published number of the table is a total, so that none would change.",
    i = "Perturb the {.fn margin} that is published."
  ))
}
