# What leaves of a perturbation, what publish() asks of it, and what it tells as constraints and
# in files.

#' @rdname publish
#' @export
publish.sdc_perturbation <- function(x, insist = FALSE, record = NULL, ...) {
  check_no_dots(...)
  check_flag(insist)
  check_record(record)
  verified("perturb", verify_perturbation(x))
  if (x$reproducible && !insist) {
    abort_sdc("refused", c(
      "Only a perturbation with secret coins can be published.",
      x = "This one was made with {.arg seed}: anybody can repeat its coins and undo it.",
      i = "Run {.fn perturb} without {.arg seed}; {.code insist = TRUE} publishes an example."
    ))
  }
  out <- new_sdc_publication(x$published, x$mechanism)
  let_out(out, record, perturbation_entry(x, out), insist)
}

perturbation_parts <- function(x) {
  me <- x$mechanism
  list(
    table_parts(x$original), table_parts(x$published), x$coefficients, x$reproducible,
    unclass(me$cycles)[c("rule", "version", "dimnames", "parameters", "preserves")],
    unclass(me)[c("alpha", "beta", "covers", "order", "zero_rule")]
  )
}

# What publish() asks of a perturbation: nothing goes on the word of a field that can be edited.
# Coins that ask for the recorded moves lead from the original to what is published, each of them
# obeyed; the mechanism could have asked for them; and its margins stay.
verify_perturbation <- function(x) {
  check_seal(x, "perturbation", perturbation_parts(x), "perturb")
  untrue <- function(what) abort_untrue(what, "perturb")
  counts <- dense_counts(x$original)
  published <- dense_counts(x$published)
  moves <- as.integer(x$coefficients)
  me <- x$mechanism
  if (length(moves) != step_count(me) || !all(moves %in% -1:1)) {
    untrue("The recorded moves are not those of the steps of the mechanism.")
  }
  could <- possible_moves(me)
  if (any(moves == 1 & !could$plus) || any(moves == -1 & !could$minus)) {
    untrue("The mechanism never asks for some of the recorded moves.")
  }
  again <- replay(counts, me, moves)
  if (!identical(as.integer(again$applied), moves) || !identical(again$counts, published)) {
    untrue("The recorded moves do not lead from the original to the table that would be published.")
  }
  same <- vapply(me$cycles$preserves, function(set) {
    level <- level_numbers(dim(me$cycles), match(set, names(dimnames(me$cycles))))
    identical(rowsum(counts, level), rowsum(published, level))
  }, NA)
  if (!all(same) || sum(counts) != sum(published)) {
    untrue("The published table does not have the margins that the cycles keep.")
  }
  layout <- me$cycles$layout
  if (isTRUE(me$cycles$totals_kept) &&
        !identical(totals_alone(x$original, layout), totals_alone(x$published, layout))) {
    untrue("The published table does not have the totals that the cycles keep.")
  }
}

# The published totals that are not zero, without the cells of levels alone.
totals_alone <- function(x, layout) {
  all <- published_table(set_layout(x, layout))
  codes <- stored_codes(all)
  total <- Reduce(`|`, Map(function(code, n) n > 1 & code > n, codes, dim(x)))
  list(at = combine_codes(codes, dim(all), length(total))[total], count = all$counts[total])
}

# With both probabilities a quarter, a coin of 0 adds, one of 2^62 takes away, the largest stays.
replay <- function(counts, me, moves) {
  me$alpha <- me$beta <- .25
  bytes <- matrix(as.raw(255), 8, length(moves))
  bytes[, moves != 0] <- as.raw(0)
  bytes[8, moves == -1] <- as.raw(64)
  with_core(cpp_perturb_counts(counts, me, as.vector(bytes)))
}

# What a record keeps of a perturbation. It guards the counts of 1 and 2 that the publication alone
# leaves unknown, from readers of all publications.
perturbation_entry <- function(x, public) {
  held <- x$original
  small <- which(held$counts %in% 1:2)
  guarded <- guarded_cells(held, small, 1, FALSE)
  entry <- open_entry(public)
  if (length(small) > 0) {
    bounds <- bound_together(list(entry), guarded)$bounds
    entry$guarded <- guarded[!(bounds$sharp & bounds$lower == bounds$upper), , drop = FALSE]
  }
  entry$people <- people_alone(held, public)
  entry
}

# A perturbed table: the margins that the cycles keep, and the reach of their moves. Under "blocked"
# a cell that was zero stays zero, so that a published positive count was positive.
#' @export
as_parts.sdc_publication <- function(x, name, arg, style) {
  table <- x$table
  reach <- mechanism_reach(x$mechanism)
  counts <- dense_counts(table)
  positive <- if (x$mechanism$zero_rule == "blocked") as.numeric(counts > 0) else 0
  columns <- unclass(cell_factors(seq_along(counts), table$dimnames))
  reachable <- new_part(part_name(name, "reach of the moves"), columns,
                        pmax(positive, counts - reach), counts + reach, complete = TRUE)
  kept <- lapply(x$mechanism$cycles$preserves, function(variables) {
    m <- take_margin(table, variables, "variables")
    margin_part(m, part_name(name, margin_label(variables)))
  })
  if (!isTRUE(x$mechanism$cycles$totals_kept)) {
    return(c(kept, list(reachable)))
  }
  reachable$hierarchies <- full_trees(table)
  c(kept, list(reachable, totals_part(table, part_name(name, "published totals"))))
}

# All published totals of a table with trees or crossings, exact. Each variable has a tree.
totals_part <- function(x, set) {
  rows <- published_rows(x, zeros = TRUE, name = "freq")
  labels <- lapply(unclass(rows)[names(x$dimnames)], as.character)
  total <- !Reduce(`&`, Map(`%in%`, labels, x$dimnames))
  counts <- rows$freq[total]
  new_part(set, lapply(labels, `[`, total), counts, counts, complete = FALSE)
}

# How far all steps together can move each cell.
mechanism_reach <- function(mechanism) {
  all <- expand_cycles(mechanism$cycles)
  of_cycle <- rep(seq_len(length(mechanism$cycles)), diff(all$start))
  times <- mechanism$covers * cover_times(mechanism$cycles)[of_cycle]
  add_up(times * abs(all$coefficient), all$cell, prod(dim(mechanism$cycles)))
}

# Made again of its parts, an object that was changed by hand differs or is none.
#' @export
to_document.sdc_publication <- function(x) {
  if (!identical(new_sdc_publication(x$table, x$mechanism), x)) abort_changed()
  labels <- dimnames(x$table)
  lines <- table_lines(x$table)
  new_document(
    what = paste(
      "A table of counts, perturbed once by a random mechanism along cycles that keep its margins.",
      "This document and the table are all that is needed to compute what the table tells."
    ),
    label_names = names(labels), labels = lines$labels,
    columns = list(count = sprintf("%.0f", lines$counts)),
    table = list(
      cells = sprintf("%.0f", prod(dim(x$table))), total = sprintf("%.0f", sum(x$table)),
      layout = line_order(x$table$layout)
    ),
    members = c(
      list(variables = variables_document(labels, x$table$layout$trees)),
      if (!is.null(x$table$layout)) list(totals = layout_document(x$table$layout)),
      list(cycles = cycles_document(x$mechanism$cycles),
           mechanism = mechanism_document(x$mechanism))
    ),
    format = "mechanism"
  )
}

#' @export
from_document.sdc_publication <- function(kind, document, lines) {
  labels <- read_variables(document$variables)
  counts <- read_counts(lines[seq_len(min(length(lines), prod(lengths(labels)) + 1))], labels)
  need(identical(document$table$total, sprintf("%.0f", sum(counts))),
       "the counts do not add up to the total")
  layout <- read_layout(document, labels)
  set <- read_cycles(document$cycles, labels, layout)
  table <- set_layout(table_from_dense(counts, labels), layout)
  written <- table_lines(table)
  need(identical(lines[-1], paste0(written$labels, sprintf("%.0f", written$counts))),
       "the lines of totals are not the sums of the cells")
  publication(table, read_mechanism(document$mechanism, set))
}

read_counts <- function(lines, labels) {
  need(length(lines) == prod(lengths(labels)) + 1, "table.csv has not one line for each cell")
  header <- paste(quoted(c(names(labels), "count")), collapse = ",")
  need(identical(lines[[1]], header), "the header of table.csv has other variables")
  lines <- lines[-1]
  cells <- label_starts(labels)
  need(all(startsWith(lines, cells)), "table.csv has other cells or another order")
  digits <- substring(lines, nchar(cells) + 1)
  need(all(grepl("^(0|[1-9][0-9]{0,15})$", digits)), "a count is no plain whole number")
  counts <- as.numeric(digits)
  need(all(counts <= 2^53), "a count is too large")
  counts
}
