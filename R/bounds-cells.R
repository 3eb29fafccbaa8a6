# The system of a release in its cells: an unknown for each cell that is not published exactly, and
# a row for each total that has one in it or below it, as long as the total has parts.
#
# Each level of a tree counts as a variable of its own: region x activity of four digits and
# province x activity of two digits are sets that share region and two digits. The graph of the sets
# that rows restrict is split into prime components; each is a box of nodes, down to some level of
# each variable. Tables of whole numbers on the boxes that agree where neighbours meet are margins
# of one table of whole numbers (the help page of bounds_margins() says how two are glued). So each
# box needs its own finest cells only, and these only where the published cells do not say more.

# Can the parts be laid out in cells? Rates cannot: their rows are no sums of cells.
in_cells <- function(held, style) {
  !is.null(held) && style$method %in% c("auto", "lp", "ip") &&
    all(vapply(held$parts, function(part) is.null(part$make_rows), NA)) &&
    all(vapply(held$labels, function(label) !is.null(label$trees), NA))
}

# `codes`: for each variable the label of each asked cell. `asked`: the unknown of each, 0 where its
# count, `value`, is published. `nodes`: those of each unknown, a vector for each variable.
# `variables`: names, families and labels of nodes, for row_cells(). `detail`: with `all` cells and
# how they are laid out, for certify_cells().
cell_system <- function(parts, labels, codes, n_asked, max_cells, detail = FALSE) {
  nodes <- lapply(labels, label_nodes)
  listed <- listed_cells(parts, labels, nodes, codes, n_asked)
  boxes <- node_boxes(listed$levels, listed$n, names(labels))
  shared <- shared_cells(boxes, nodes, max_cells)
  join <- function(name) unlist(c(list(listed[[name]]), lapply(shared, `[[`, name)))
  found <- with_core(cpp_cell_system(
    unname(lapply(nodes, `[[`, "families")),
    lapply(seq_along(nodes), function(v) {
      unlist(c(list(listed$nodes[[v]]), lapply(shared, function(s) s$nodes[[v]])))
    }),
    join("lower"), join("upper"), c(boxes$of, join("box")), boxes$cuts, max_cells, TRUE, detail
  ), hints = list(
    infeasible = "No table agrees with all that was released.",
    too_large = "Ask for fewer {.arg cells}, or raise {.arg max_cells}."
  ))
  at <- listed$n - n_asked + seq_len(n_asked)
  list(lower = found$lower, upper = found$upper, rows = found$rows, asked = found$listed[at],
       value = found$value[at], cells = found$cells, note = boxes$note,
       nodes = found$nodes, variables = Map(node_names, nodes, labels),
       all = if (detail) c(found$all, list(
         boxes = boxes$cuts[c(1, vapply(boxes$links, function(link) link$pair[2], 1))],
         asked = lapply(listed$nodes, `[`, at), codes = lapply(nodes, node_codes)
       )))
}

# The first label of each node; the root of a variable without totals has none.
node_names <- function(nodes, label) {
  c(nodes["families"], list(labels = label$names[match(seq_len(nodes$families$n_nodes),
                                                       nodes$node)]))
}

# The number of the first label of each node; 0: the root of a variable without totals.
node_codes <- function(nodes) {
  code <- match(seq_len(nodes$families$n_nodes), nodes$node)
  ifelse(is.na(code), 0L, code)
}

# What a row says: the cells that add up along a variable, the total first. A column for each
# variable; `along`: the variable.
row_cells <- function(system, row) {
  along <- system$rows$variable[row]
  family <- system$rows$family[row]
  families <- system$variables[[along]]$families
  at <- seq(families$start[family] + 1, families$start[family + 1])
  nodes <- lapply(system$rows$parent, function(column) rep(column[row], length(at) + 1))
  nodes[[along]][-1] <- families$child[at]
  columns <- Map(function(variable, node) variable$labels[node], system$variables, nodes)
  list(along = names(system$variables)[along], cells = list2data_frame(columns, length(at) + 1))
}

# The nodes of a variable: of each label, and what adds up to what.
label_nodes <- function(label) {
  n <- length(label$levels)
  totals <- label$held[-seq_len(n)]
  with_core(cpp_merge_labels(n, totals, label$trees))
}

# What is said of each cell, and last the cells that are asked.
listed_cells <- function(parts, labels, nodes, codes, n_asked) {
  lapply(parts, check_part_limits)
  nodes_of <- function(code, v) {
    # of a variable without totals nobody has a name for the sum
    c(nodes[[v]]$root, nodes[[v]]$node)[ifelse(is.na(code), 0L, code) + 1L]
  }
  columns <- lapply(rlang::set_names(names(labels)), function(v) {
    said <- lapply(parts, function(part) nodes_of(match_labels(part, v, labels[[v]]), v))
    unlist(c(said, list(nodes_of(codes[[v]], v))), use.names = FALSE)
  })
  list(
    nodes = unname(columns),
    levels = Map(function(column, node) node$level[column], columns, nodes),
    lower = c(unlist(lapply(parts, `[[`, "lower")), numeric(n_asked)),
    upper = c(unlist(lapply(parts, `[[`, "upper")), rep(Inf, n_asked)),
    n = base::sum(vapply(parts, function(part) length(part$lower), 1)) + n_asked
  )
}

# The boxes: for each the deepest level of each variable (`cuts`); `of`: the box of each cell;
# `links`: pairs of neighbours.
node_boxes <- function(levels, n, variables) {
  deepest <- vapply(levels, function(level) max(level, 0L), 0L)
  pattern <- rep(1, n)
  if (n > 0 && length(levels) > 0) pattern <- cell_keys(lapply(levels, `+`, 1L), deepest + 1L)
  first <- which(!duplicated(pattern))
  depths <- lapply(first, function(i) vapply(levels, `[`, 0L, i))
  variable <- rep(seq_along(deepest), deepest)
  level <- sequence(deepest)
  sets <- lapply(depths, function(depth) which(level <= depth[variable]))
  components <- release_components(sets, length(variable))
  cut_of <- function(set) {
    vapply(seq_along(deepest), function(v) max(level[set][variable[set] == v], 0L), 0L)
  }
  home <- vapply(sets, function(set) {
    which(vapply(components, function(c) all(set %in% c), NA))[1]
  }, 1L)
  cuts <- lapply(components, cut_of)
  tree <- component_tree(components)
  list(
    cuts = cuts, of = home[match(pattern, pattern[first])],
    links = lapply(seq_len(nrow(tree)), function(k) {
      list(pair = tree[k, ], cut = pmin(cuts[[tree[k, 1]]], cuts[[tree[k, 2]]]))
    }),
    note = component_words(lapply(cuts, function(cut) which(cut > 0)), variables)
  )
}

release_components <- function(sets, n_variables) {
  sets <- unique(sets[lengths(sets) > 0])
  if (length(sets) == 0 || n_variables == 0) {
    return(list(seq_len(n_variables)))
  }
  lapply(study_release(n_variables, sets)$components, sort)
}

component_words <- function(components, variables) {
  if (length(components) == 1) {
    return(character())
  }
  words <- vapply(components, function(c) margin_label(variables[c]), "")
  cut_text(paste0("laid out as ", plural(length(components), "table"), ": ",
                  paste(words, collapse = ", ")), 90)
}

# Each component but the first with the earlier one with which it shares most. As the components
# are those of a graph, each has all that it shares with earlier ones in common with one of them.
component_tree <- function(components) {
  tree <- matrix(0, 0, 2)
  joined <- 1
  left <- seq_along(components)[-1]
  while (length(left) > 0) {
    shared <- outer(joined, left, Vectorize(function(i, j) {
      length(intersect(components[[i]], components[[j]]))
    }))
    best <- arrayInd(which.max(shared), dim(shared))
    tree <- rbind(tree, c(joined[best[1]], left[best[2]]))
    joined <- c(joined, left[best[2]])
    left <- left[-best[2]]
  }
  tree
}

# Where two boxes meet both have the finest cells that they share.
shared_cells <- function(boxes, nodes, max_cells) {
  shared <- lapply(boxes$links, function(link) Map(finest_nodes, nodes, link$cut))
  check_entries(2 * base::sum(vapply(shared, function(s) prod(lengths(s)), 1)), max_cells, "cells")
  Map(function(link, finest) {
    n <- prod(lengths(finest))
    at <- split_codes(seq_len(n), lengths(finest, FALSE))
    cells <- Map(function(node, code) rep(node[code], 2), unname(finest), at)
    list(nodes = cells, lower = numeric(2 * n), upper = rep(Inf, 2 * n),
         box = rep(as.integer(link$pair), each = n))
  }, boxes$links, shared)
}

# The nodes of a variable down to some level that have no parts down to it.
finest_nodes <- function(nodes, cut) {
  families <- nodes$families
  inner <- families$parent[families$level <= cut]
  setdiff(which(nodes$level <= cut), inner)
}

# The bounds of the asked cells; `found` as bound_system() gives it.
bound_in_cells <- function(system, style) {
  unknown <- unique(system$asked[system$asked > 0])
  found <- if (length(unknown) > 0) {
    bound_system(system, unknown, style)
  } else {
    c(known_bounds(numeric(), numeric()), if (style$method == "lp") list(real = known_ends()))
  }
  at <- match(system$asked, unknown)
  fill <- function(x, known) if (!is.null(x)) ifelse(is.na(at), known, x[at])
  found$lower <- fill(found$lower, system$value)
  found$upper <- fill(found$upper, system$value)
  found$sharp <- fill(found$sharp, TRUE)
  found$least <- fill(found$least, system$value)
  found$most <- fill(found$most, system$value)
  if (!is.null(found$real)) found$real <- lapply(found$real, fill, system$value)
  found
}

known_ends <- function() list(lower = numeric(), upper = numeric())
