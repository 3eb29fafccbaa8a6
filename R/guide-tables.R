# Several tables in one object: which they are, and which published cell is in which of them; and
# the cells of a protected table before and after, in one form whatever the method.

# A named list with, for each published table, `variables` (names as the formula has them),
# `crossings`, and `roots` (the total of each variable); NULL where the object is one table.
tables_of <- function(x) UseMethod("tables_of")

#' @export
tables_of.default <- function(x) NULL

#' @export
tables_of.sdc_table <- function(x) {
  if (is.null(table_crossings(x))) {
    return(NULL)
  }
  if (is.null(x$layout$formula)) tables_of_crossings(x, root_nodes(x)) else tables_of_formula(x)
}

#' @export
tables_of.sdc_magnitude <- function(x) {
  if (is.null(x$crossings)) {
    return(NULL)
  }
  nodes <- new_table(x$dimnames, list(keys = raw(), counts = numeric()),
                     new_layout(x$hierarchies, x$total_label))
  tables_of_crossings(x, root_nodes(nodes))
}

#' @export
tables_of.sdc_suppressed <- tables_of.sdc_magnitude

#' @export
tables_of.sdc_rounded_publication <- tables_of.sdc_magnitude

#' @export
tables_of.sdc_suppression <- function(x) tables_of(x$original)

#' @export
tables_of.sdc_rounding <- tables_of.sdc_suppression

# Perturbed tables or their publications, one by one.
#' @export
tables_of.list <- function(x) {
  levels <- lapply(x, function(one) (one$original %||% one$table)$dimnames)
  total <- total_of_tables(x)
  variables <- unique(unlist(lapply(levels, names)))
  several_tables(lapply(unname(levels), function(some) {
    nodes <- lapply(rlang::set_names(variables), function(v) c(some[[v]], total))
    list(variables = names(some), crossings = list(nodes),
         roots = rlang::set_names(rep(total, length(variables)), variables))
  }))
}

# The terms that are in no other term, each with those that lie in it.
tables_of_formula <- function(x) {
  terms <- formula_terms(stats::as.formula(x$layout$formula, env = baseenv()))
  inside <- function(a, b) length(a) < length(b) && all(a %in% b)
  largest <- Filter(function(term) !any(vapply(terms, inside, NA, a = term)), terms)
  each <- lapply(largest, function(term) {
    list(variables = term, crossings = crossings_inside(x, term, terms), roots = root_nodes(x))
  })
  several_tables(each)
}

crossings_inside <- function(x, term, terms) {
  parts <- Filter(function(t) all(t %in% term), terms)
  no_total <- if (all(lengths(terms) > 0)) "- 1"
  texts <- vapply(Filter(length, parts), function(t) {
    paste(vapply(t, function(name) deparse(as.name(name), backtick = TRUE), ""), collapse = ":")
  }, "")
  formula <- stats::as.formula(paste("~", paste(c(texts, "1")[seq_len(max(1, length(texts)))],
                                                collapse = " + "), no_total))
  formula_crossings(formula, x) %||% list(node_labels(x))
}

# Without a formula each crossing is a table, but for the grand total alone.
tables_of_crossings <- function(x, roots) {
  each <- lapply(table_crossings(x), function(crossing) {
    over <- vapply(names(crossing), function(v) !identical(crossing[[v]], roots[[v]]), NA)
    list(variables = names(crossing)[over], crossings = list(crossing), roots = roots)
  })
  each <- Filter(function(one) length(one$variables) > 0, each)
  last <- vapply(each, function(one) max(match(one$variables, names(x$dimnames))), 0)
  several_tables(each[order(last)])
}

several_tables <- function(each) {
  if (length(each) < 2) {
    return(NULL)
  }
  names <- vapply(each, function(one) set_title(one$variables), "")
  rlang::set_names(each, make.unique(names, " "))
}

# Names that the user gave, in place of "region x size". `titles`: a named list of sets of
# variables.
with_titles <- function(tables, titles) {
  for (title in names(titles)) {
    at <- vapply(tables, function(one) setequal(one$variables, titles[[title]]), NA)
    if (nzchar(title) && any(at)) names(tables)[which(at)[1]] <- title
  }
  if (anyDuplicated(names(tables))) names(tables) <- make.unique(names(tables), " ")
  tables
}

# The object with one of its tables alone.
one_table_of <- function(x, one) {
  if (is_sdc_table(x)) {
    return(set_layout(x, new_layout(table_trees(x), table_total_label(x), one$crossings)))
  }
  x$crossings <- one$crossings
  x
}

# The rows, with a label for each variable, that a table shows. `labels`: vectors or factors.
rows_of_table <- function(labels, one) {
  each <- lapply(one$crossings, function(crossing) {
    Reduce(`&`, lapply(names(labels), function(v) as.character(labels[[v]]) %in% crossing[[v]]))
  })
  which(Reduce(`|`, each))
}

# The rows of cells that belong to each table, with its own columns alone: a list with the fields
# `at` (rows), `labels` and `total`.
parts_of_tables <- function(labels, tables) {
  lapply(tables, function(one) {
    at <- rows_of_table(labels, one)
    columns <- columns_of_table(one)
    place <- lapply(columns, function(v) total_last(labels[[v]][at], one$roots[[v]]))
    at <- at[do.call(order, rev(place))]
    own <- lapply(labels[columns], `[`, at)
    total <- Reduce(`|`, Map(function(label, v) as.character(label) == one$roots[[v]], own,
                             names(own)))
    list(at = at, labels = own, total = total)
  })
}

# The place of each label among the levels, where the total comes last.
total_last <- function(label, total) {
  label <- as.factor(label)
  match(as.character(label), c(setdiff(levels(label), total), total))
}

# The columns over which a table is: the others stand at their total in all of its rows.
columns_of_table <- function(one) {
  over <- lapply(one$crossings, function(crossing) names(crossing)[lengths(crossing) > 1])
  unique(unlist(over))
}

# The finest nodes of a crossing make a table of their own: for each stored cell its group of each
# variable, and its count. Leaves that no node holds are left out.
crossing_codes <- function(x, crossing) {
  totals <- table_totals(x)
  codes <- stored_codes(x)
  groups <- Map(function(code, v) {
    finest_node(x$dimnames[[v]], totals[[v]], crossing[[v]])[code]
  }, codes, names(x$dimnames))
  size <- vapply(groups, function(g) max(0L, g, na.rm = TRUE), 0L)
  kept <- !Reduce(`|`, lapply(groups, is.na))
  list(codes = lapply(groups[size > 1], `[`, kept), size = size[size > 1], n = sum(kept))
}

# For each leaf the number of the smallest node that holds it.
finest_node <- function(leaves, totals, nodes) {
  held <- c(rlang::set_names(as.list(seq_along(leaves)), leaves), totals)[nodes]
  held <- held[order(lengths(held), decreasing = TRUE)]
  out <- rep(NA_integer_, length(leaves))
  for (i in seq_along(held)) out[held[[i]]] <- i
  match(out, sort(unique(out)))
}

# ---- before and after ---------------------------------------------------------------------------
# What reports and figures are made of. It holds the original counts.

# `labels` (a list of factors), `original` and `published` (NA where it is hidden), `total` (flags).
before_after <- function(x) UseMethod("before_after")

new_before_after <- function(labels, original, published, total) {
  list(labels = labels, original = original, published = published, total = total)
}

# Of a frame with the labels of a table; those that are no level are labels of totals.
rows_before_after <- function(rows, x, original, published) {
  labels <- unclass(rows)[names(x$original$dimnames)]
  total <- Map(function(label, levels) !as.character(label) %in% levels, labels,
               x$original$dimnames)
  new_before_after(labels, original, published, Reduce(`|`, total, logical(length(original))))
}

#' @export
before_after.default <- function(x) {
  abort_sdc("input", c(
    "Only what {.fn protect} returned can be shown before and after.",
    x = "Its {.code $protected} is {.obj_type_friendly {x}}.",
    i = "Run {.fn protect} again."
  ))
}

#' @export
before_after.sdc_suppression <- function(x) {
  cells <- as.data.frame(x)
  value <- cells[[intersect(c("freq", "total"), names(cells))[[1]]]]
  hidden <- cells$sdcStatus %in% c("u", "x")
  rows_before_after(cells, x, value, ifelse(hidden, NA, value))
}

#' @export
before_after.sdc_perturbation <- function(x) {
  # without trees the totals over each variable
  layout <- x$published$layout %||%
    new_layout(NULL, free_name("Total", unlist(x$original$dimnames)))
  before <- published_rows(set_layout(x$original, layout), TRUE, "original")
  after <- published_rows(set_layout(x$published, layout), TRUE, "published")
  rows_before_after(before, x, before$original, after$published)
}

#' @export
before_after.sdc_rounding <- function(x) {
  cells <- as.data.frame(x, totals = TRUE)
  rows_before_after(cells, x, cells$original, cells$rounded)
}

#' @export
before_after.sdc_magnitude_redistribution <- function(x) {
  cells <- as.data.frame(x)
  rows_before_after(cells, x, cells$true, cells$published)
}

#' @export
before_after.sdc_hex_redistribution <- function(x) {
  cells <- as.data.frame(x)
  labels <- lapply(unclass(cells)[c("q", "r")], function(v) factor(whole_text(v)))
  new_before_after(labels, cells$original, cells$redistributed, logical(nrow(cells)))
}

# Tables that were perturbed one by one, as rows of one frame: the variables that a table does not
# have stand at their total.
#' @export
before_after.list <- function(x) {
  if (length(x) == 0 || !all(vapply(x, inherits, NA, "sdc_perturbation"))) {
    return(before_after.default(x))
  }
  each <- lapply(unname(x), before_after)
  labels <- common_labels(lapply(each, `[[`, "labels"), total_of_tables(x))
  first <- !duplicated(label_words(labels))
  column <- function(name) unlist(lapply(each, `[[`, name))[first]
  new_before_after(lapply(labels, `[`, first), column("original"), column("published"),
                   column("total"))
}

total_of_tables <- function(x) {
  known <- lapply(x, function(one) (one$published %||% one$table)$layout$total_label)
  unlist(known)[1] %||% "Total"
}

# A column for each variable of all parts, with `total` where a part lacks it.
common_labels <- function(parts, total) {
  variables <- unique(unlist(lapply(parts, names)))
  lapply(rlang::set_names(variables), function(v) {
    each <- lapply(parts, function(labels) {
      if (is.null(labels[[v]])) rep(total, length(labels[[1]])) else as.character(labels[[v]])
    })
    levels <- unlist(lapply(parts, function(labels) levels(labels[[v]])))
    factor(unlist(each), unique(c(levels, total)))
  })
}
