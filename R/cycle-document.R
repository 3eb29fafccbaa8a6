# Sets of cycles in documents: the rule and its parameters, in words and in numbers. What is written
# and read for a rule stands with the rule.

cycles_document <- function(set) {
  out <- list(
    rule = set$rule,
    version = set$version,
    number = length(set),
    rule_in_words = rule_in_words(set),
    numbers = paste0("lines, positions, levels and cycles are numbered from 1, ",
                     "in the order of 'variables'"),
    parameters = rule_document(set),
    margins_kept = I(lapply(set$preserves, I))
  )
  c(out, if (!is.null(set$layout)) list(totals_kept = set$totals_kept))
}

# `layout`: that of the table, which the cycles of a table with trees share.
read_cycles <- function(document, labels, layout = NULL) {
  need(identical(document$version, 1L), "this version of the cycles' rule is not known")
  p <- document$parameters
  set <- read_rule(document$rule, p, labels, document$margins_kept)
  kept <- lapply(document$margins_kept, strings)
  need(identical(kept, set$preserves), "the margins are not those of the rule")
  need(identical(isTRUE(p$transposed), isTRUE(set$parameters$transposed)),
       "rows and columns are exchanged")
  need(identical(document$rule_in_words, rule_in_words(set)),
       "the words and the codes of the cycles differ")
  need(identical(document$number, length(set)), "the number of cycles does not fit")
  if (is.null(document$totals_kept)) {
    return(set)
  }
  need(rlang::is_bool(document$totals_kept) && !is.null(layout),
       "the cycles keep totals of trees that are not there")
  new_sdc_cycles(set$rule, labels, set$parameters, set$preserves, layout, document$totals_kept)
}

# ---- rules: each has these three methods --------------------------------------------------------

rule_class <- function(rule) structure(list(), class = paste0("rule_", rule))

# The parameters.
rule_document <- function(set) UseMethod("rule_document", rule_class(set$rule))

rule_in_words <- function(set) UseMethod("rule_in_words", rule_class(set$rule))

# The set again, of its parameters `p`, the labels of its table and the margins that it keeps.
read_rule <- function(rule, p, labels, margins) UseMethod("read_rule", rule_class(rule))

#' @export
read_rule.default <- function(rule, p, labels, margins) damaged("the cycles' rule is not known")

# ---- the user's own moves -----------------------------------------------------------------------

#' @export
rule_document.rule_user <- function(set) list(cycles = moves_json(set$parameters, dim(set)))

#' @export
rule_in_words.rule_user <- function(set) {
  paste("Every cycle is listed: its cells, each as one level number for each variable, and their",
        "coefficients.")
}

#' @export
read_rule.rule_user <- function(rule, p, labels, margins) read_moves(p$cycles, labels, margins)

# [{"cells": [[1,1],[2,1]], "coefficients": [1,-1]}, ...], one line for each cycle.
moves_json <- function(p, dim) {
  at <- arrayInd(p$cell, dim)
  cell <- paste0("[", do.call(paste, c(lapply(seq_along(dim), function(v) at[, v]), sep = ",")),
                 "]")
  cycle <- rep(seq_len(length(p$start) - 1), diff(p$start))
  join <- function(x) vapply(split(x, cycle), paste, "", collapse = ",", USE.NAMES = FALSE)
  moves <- paste0("{\"cells\": [", join(cell), "], \"coefficients\": [", join(p$coefficient), "]}")
  structure(paste0("[\n", paste(moves, collapse = ",\n"), "\n]"), class = "json")
}

read_moves <- function(moves, labels, margins) {
  need(is.list(moves) && length(moves) > 0, "there are no cycles")
  size <- lengths(lapply(moves, `[[`, "cells"))
  at <- lapply(moves, function(move) {
    need(length(move$cells) == length(move$coefficients),
         "cells and coefficients of a cycle differ in number")
    vapply(move$cells, whole_numbers, integer(length(labels)))
  })
  at <- matrix(unlist(at), nrow = length(labels))
  need(all(at >= 1 & at <= lengths(labels)), "a cell of a cycle is not in the table")
  stride <- c(1, cumprod(lengths(labels)))[seq_along(labels)]
  coefficient <- whole_numbers(unlist(lapply(moves, `[[`, "coefficients"), recursive = FALSE))
  entries <- pack_entries(size, colSums((at - 1) * stride) + 1, coefficient)
  new_sdc_cycles("user", labels, entries, lapply(margins, strings))
}
