# The variables of a table in documents: names, levels, trees, and the labels of each line.

# The lines of the CSV up to the counts: what a reader can expect from the labels alone.
csv_cells <- function(labels) {
  out <- ""
  for (l in labels) {
    cell <- paste0(quoted(l), ",")
    out <- paste0(rep(out, times = length(cell)), rep(cell, each = length(out)))
  }
  enc2utf8(out)
}

# The start of the line of each of some cells.
label_starts <- function(labels, cells) {
  codes <- split_codes(cells, lengths(labels, FALSE))
  enc2utf8(do.call(paste0, c(list(character(length(cells))), unname(Map(function(l, code) {
    paste0(quoted(l), ",")[code]
  }, labels, codes)))))
}

check_writable_labels <- function(labels) {
  text <- c(names(labels), unlist(labels))
  bad <- grep("[[:cntrl:]]", text, value = TRUE)
  if (length(bad) == 0) {
    return(invisible(labels))
  }
  abort_sdc("input", c(
    "Names and labels must hold no control characters, such as line breaks, to be written.",
    x = "One is {encodeString(bad[[1]], quote = '\"')}.",
    i = "{.fn saveRDS} takes any label."
  ))
}

# `totals`: for each variable the labels of its totals that table.csv names besides its levels.
variables_document <- function(dimnames, hierarchies, totals = NULL) {
  unname(lapply(names(dimnames), function(v) {
    trees <- lapply(hierarchies[[v]], function(tree) {
      c(list(parent = I(tree$parent), child = I(tree$child)),
        if (!is.null(tree$level)) list(level = I(tree$level)))
    })
    c(
      list(name = v, levels = I(dimnames[[v]])),
      if (!is.null(totals)) list(totals = I(totals[[v]])),
      if (length(trees) > 0) list(trees = I(unname(trees)))
    )
  }))
}

read_variables <- function(variables) {
  labels <- lapply(variables, function(v) read_levels(v$levels))
  names(labels) <- vapply(variables, function(v) strings(list(v$name)), "")
  need(length(labels) > 0 && all(lengths(labels) > 0), "there are no variables or levels")
  need(!anyDuplicated(names(labels)), "a variable is given twice")
  need(!any(vapply(labels, anyDuplicated, 0L)), "a level is given twice")
  labels
}

# Variables and levels of a document, which may have none.
document_labels <- function(document) {
  if (length(document$variables) > 0) read_variables(document$variables)
}

read_trees <- function(variables) {
  trees <- lapply(variables, function(v) {
    lapply(v$trees, function(tree) {
      columns <- lapply(tree[intersect(c("parent", "child", "level"), names(tree))], read_levels)
      list2data_frame(columns, length(tree$child))
    })
  })
  names(trees) <- vapply(variables, function(v) strings(list(v$name)), "")
  trees <- trees[lengths(trees) > 0]
  if (length(trees) > 0) trees
}

# A table of zeros: the makers of cycles look at shape and labels only.
labels_only <- function(labels) table_from_dense(numeric(prod(lengths(labels))), labels)

in_order <- "the first variable runs fastest"

total_words <- paste(
  paste0("total_label is the total of a variable without trees; a tree lists each node (child) ",
         "with the node"),
  "that it is part of (parent; null for a root), and a node is the sum of what is directly below it"
)
