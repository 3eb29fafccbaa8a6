# Cycles of tables with trees. Levels that lie in the same totals are siblings; a move that stays
# within siblings in every variable keeps every total. So the levels of each variable are cut into
# classes of siblings, and each block of cells, one class of each variable, gets a set of its own.

# The set that `make` makes of the labels of a table: for the whole table, or for each block.
# `make(labels)` returns a rule and its parameters. `is_movable(size)`: can a block of this shape
# move? `kept`: do moves within blocks keep all published totals?
sibling_cycles <- function(x, labels, make, preserves, is_movable = all_movable(labels),
                           kept = TRUE) {
  layout <- cycle_layout(x)
  if (is.null(layout)) {
    of <- make(labels)
    return(new_sdc_cycles(of$rule, labels, of$parameters, preserves))
  }
  classes <- sibling_classes(labels, layout, free = kept)
  of <- if (all(lengths(classes) == 1)) {
    make(labels)
  } else {
    list(rule = "nested", parameters = nested_parameters(labels, classes, make, is_movable))
  }
  new_sdc_cycles(of$rule, labels, of$parameters, preserves, layout, kept)
}

# A variable of one level plays no part; in all others there must be siblings.
all_movable <- function(labels) {
  single <- lengths(labels, FALSE) == 1
  function(size) all(size > 1 | single)
}

nested_parameters <- function(labels, classes, make, is_movable) {
  at <- as.matrix(expand.grid(lapply(unname(classes), seq_along)))
  size <- matrix(mapply(function(of, k) lengths(of)[k], classes, as.data.frame(at)),
                 nrow(at))
  at <- at[apply(size, 1, is_movable), , drop = FALSE]
  check_some_block(at, labels, classes)
  parts <- lapply(seq_len(nrow(at)), function(i) {
    of <- make(block_labels(labels, classes, at[i, ]))
    list(at = unname(as.integer(at[i, ])), rule = of$rule, version = 1L,
         parameters = of$parameters)
  })
  list(classes = unname(lapply(classes, unname)), parts = parts)
}

block_labels <- function(labels, classes, at) {
  Map(function(l, of, k) l[of[[k]]], labels, unname(classes), at)
}

check_some_block <- function(at, labels, classes) {
  if (nrow(at) > 0) {
    return(invisible(at))
  }
  alone <- mapply(function(of, l) length(l) > 1 && all(lengths(of) == 1), classes, labels)
  abort_sdc("infeasible", c(
    "Some levels of each variable must be siblings: cycles that keep all totals move counts only
     between levels that lie in the same totals.",
    x = if (any(alone)) "{.field {names(labels)[alone]}} {?has/have} no two such levels.",
    x = if (!any(alone)) "No block of siblings has room for a cycle.",
    i = "Give the table fewer totals, or publish fewer crossings by {.arg formula}."
  ))
}

# ---- parts of a nested set ----------------------------------------------------------------------

# The set on the table of a block. `n`: the numbers of some parts.
part_sets <- function(x, n = seq_along(x$parameters$parts)) {
  lapply(x$parameters$parts[n], function(part) {
    labels <- block_labels(x$dimnames, x$parameters$classes, part$at)
    structure(
      list(rule = part$rule, version = part$version, dimnames = labels,
           parameters = part$parameters, preserves = margins_without_one(labels)),
      class = sdc_class("sdc_cycles")
    )
  })
}

# Every cell of a block is on some cycle of its.
cells_in_blocks <- function(x) {
  size <- lapply(x$parameters$classes, lengths)
  sum(vapply(x$parameters$parts, function(part) prod(mapply(`[`, size, part$at)), 0))
}

# Lines for the print of a set on a table with trees or crossings.
totals_kept_words <- function(x) {
  if (is.null(x$layout)) {
    return(NULL)
  }
  cells <- prod(dim(x))
  still <- if (x$rule == "nested") cells - cells_in_blocks(x) else 0
  c(
    paste0("published totals kept: ", if (x$totals_kept) "all" else "some", " (", paste(c(
      if (!is.null(x$layout$trees)) tree_words_of(x$layout, ", "),
      if (!is.null(x$layout$crossings)) plural(length(x$layout$crossings), "crossing")
    ), collapse = "; "), ")", if (!x$totals_kept) "; changed_totals() lists the others"),
    if (still > 0) {
      paste0("cells that never change: ", format_count(still), " of ", format_count(cells),
             ", which have no siblings")
    }
  )
}

# ---- documents ----------------------------------------------------------------------------------

# The words of each kind of part stand once; a part says which are its own.
nested_words <- function(set) vapply(part_sets(set), rule_in_words, "")

#' @export
rule_in_words.rule_nested <- function(set) {
  words <- unique(nested_words(set))
  paste(c(
    paste(
      "The levels of each variable are cut into 'classes' of levels that lie in the same published",
      "totals. A part is the table of the levels of one class of each variable, 'at', in the order",
      "in which the class lists them; its levels are numbered from 1 in this order. Its cycles",
      "are those of its own rule on this table. Cycles are numbered part after part, and one cover",
      "takes part after part."
    ),
    if (length(words) > 1) paste0("Parts with words = ", seq_along(words), ": ", words) else words
  ), collapse = " ")
}

#' @export
rule_document.rule_nested <- function(set) {
  words <- nested_words(set)
  list(
    classes = I(lapply(set$parameters$classes, function(of) I(lapply(of, I)))),
    parts = I(Map(function(part, sub, words) {
      list(at = I(part$at), words = words, rule = part$rule, version = part$version,
           parameters = rule_document(sub))
    }, set$parameters$parts, part_sets(set), match(words, unique(words))))
  )
}

#' @export
read_rule.rule_nested <- function(rule, p, labels, margins) {
  classes <- lapply(p$classes, function(of) lapply(of, whole_numbers))
  need(length(classes) == length(labels), "the classes are not those of the variables")
  cut <- mapply(function(of, l) identical(sort(unlist(of)), seq_along(l)), classes, labels)
  need(all(cut), "the classes do not hold each level once")
  parts <- lapply(p$parts, function(part) {
    at <- whole_numbers(part$at)
    need(length(at) == length(classes) && all(at >= 1 & at <= lengths(classes)),
         "a part has a class that is not there")
    of <- block_labels(labels, classes, at)
    sub <- read_rule(strings(list(part$rule)), part$parameters, of, NULL)
    list(at = at, rule = sub$rule, version = 1L, parameters = sub$parameters)
  })
  need(length(parts) > 0, "a nested set has no parts")
  set <- new_sdc_cycles("nested", labels, list(classes = classes, parts = parts),
                        lapply(margins, strings))
  need(identical(whole_numbers(lapply(p$parts, `[[`, "words")),
                 match(nested_words(set), unique(nested_words(set)))),
       "the words of the parts differ from their rules")
  set
}
