# Do ready cells agree with themselves, and totals with their cells? Amounts are units, but in
# contradictions, which a person reads.

# The rows that are wrong, as contradictions, or NULL.
contradict <- function(rows, nodes, wrong, relation, shown, summed, money = TRUE) {
  at <- which(wrong)
  if (length(at) == 0) {
    return(NULL)
  }
  scale <- function(x) if (money) in_values(x[at], rows) else as.double(x[at])
  new_contradictions(ready_labels(rows, nodes, at), relation, scale(shown), scale(summed))
}

check_ready_rows <- function(rows, nodes) {
  top <- rows$top
  k <- ncol(top)
  largest <- rowSums(top)
  left <- rows$total - largest
  others <- pmax(0, rows$count - k)
  near <- rows$tolerance
  say <- function(...) contradict(rows, nodes, ...)
  order <- lapply(seq_len(k)[-1], function(j) {
    say(top[, j] > top[, j - 1] + near, paste("contribution", j, "is larger than the one before"),
        top[, j], top[, j - 1])
  })
  found <- do.call(rbind, c(order, list(
    say(rowSums(top > 0) > rows$count, "it has more contributions than contributors",
        rowSums(top > 0), rows$count, money = FALSE),
    say(left < -near | top[, 1] + left < 0, "its contributions exceed its total", largest,
        rows$total),
    say(others == 0 & left > near, "all its contributions are less than its total", largest,
        rows$total),
    say(left > others * (top[, k] + near) + near & others > 0,
        "its other contributors would hold more than the largest", left, others * top[, k])
  )))
  if (!is.null(found)) {
    abort_contradictions(found, "The total, the number of contributors and the largest contributions
                                 of each row must agree.", tolerance_advice(rows))
  }
}

tolerance_advice <- function(rows) {
  if (rows$given == 0) c(i = "{.arg tolerance} accepts the differences of rounded figures.")
}

# ---- totals -------------------------------------------------------------------------------------

# Cells of a variable without a tree that are sums of others: totals under another name.
check_no_hidden_totals <- function(x, total_label) {
  found <- find_totals(units_table(x))$totals
  flat <- setdiff(names(x$dimnames), names(x$hierarchies))
  found <- Filter(function(total) total$variable %in% flat, found)
  if (length(found) == 0) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "No cell may be the sum of others: it would be counted twice.",
    additive_lines(found),
    i = "{.arg total_label}, which is {.val {total_label}}, must be the name of the total of a
         variable without a tree. Inner totals need a tree in {.arg hierarchies}, which also says
         which labels are no totals."
  ))
}

# The table, with `totals` where there are holdings.
check_ready_totals <- function(x, rows, nodes) {
  summed <- rows$total
  found <- absent <- list()
  together <- list()
  accepted <- 0
  for (family in total_families(x)) {
    of <- rows_in_family(rows$code, nodes, family)
    sums <- cells_of_family(x, rows, nodes, family)
    at <- which(!is.na(of) & !rows$leaf)
    sums <- sums_of_rows(sums, of[at])
    summed[at] <- sums$total
    found <- c(found, list(total_faults(rows, nodes, at, sums)))
    accepted <- accepted + sum(abs(rows$total[at] - sums$total) > 0)
    if (rows$holdings && !is_leaf_family(family)) {
      absent <- c(absent, list(absent_totals(x, family, of)))
      together <- c(together, cells_of_one(x, family, of[at][rows$count[at] == 1]))
    }
  }
  if (rows$holdings) found <- c(found, list(parents_that_hold_less(x, rows, nodes)))
  found <- unique(do.call(rbind, found))
  if (NROW(found) > 0) abort_unequal_totals(found, rows)
  if (length(unlist(absent)) > 0) abort_absent(unlist(absent))
  tell_accepted(accepted, rows$given)
  if (rows$holdings) with_listed_totals(x, rows, nodes, summed, together) else x
}

# What the cells of a family's sums are together, a place for each sum that has contributors.
cells_of_family <- function(x, rows, nodes, family) {
  held <- family_contributors(x, family)
  k <- x$top
  out <- list(part = held$cell, total = cell_totals(held), count = diff(held$start),
              top = top_values(held, k))
  if (!rows$holdings) {
    return(out)
  }
  part <- family_part(x, family)
  inside <- part > 0
  most <- top_values(x, k)
  for (j in seq_len(k)[-1]) most[, j] <- most[, j - 1] + most[, j]
  order <- match(out$part, sort(unique(part[inside])))
  out$most <- rowsum(most[inside, , drop = FALSE], part[inside])[order, , drop = FALSE]
  size <- diff(x$start)
  out$least_count <- as.vector(tapply(size[inside], part[inside], max))[order]
  people <- people_of_cells(x, rows, nodes)
  if (!is.null(people)) out$people <- as.vector(rowsum(people[inside], part[inside]))[order]
  out
}

# The numbers of contributors of the cells, where they stand beside those of holdings.
people_of_cells <- function(x, rows, nodes) {
  if (is.null(rows$people)) {
    return(NULL)
  }
  at <- which(rows$leaf)
  cell <- combine_codes(lapply(rows$code, `[`, at), lengths(x$dimnames, FALSE), length(at))
  rows$people[at][match(x$cell, cell)]
}

# The sums for some of them; 0 where a sum has no contributors.
sums_of_rows <- function(sums, part) {
  at <- match(part, sums$part)
  lapply(sums[-1], function(x) {
    if (is.matrix(x)) {
      out <- x[at, , drop = FALSE]
    } else {
      out <- x[at]
    }
    out[is.na(out)] <- 0
    out
  })
}

# Rows `at` against what their cells are together.
total_faults <- function(rows, nodes, at, sums) {
  own <- rows
  own[c("total", "count", "people")] <- lapply(rows[c("total", "count", "people")], `[`, at)
  own$top <- rows$top[at, , drop = FALSE]
  own$code <- lapply(rows$code, `[`, at)
  near <- rows$tolerance
  say <- function(...) contradict(own, nodes, ...)
  total <- say(abs(own$total - sums$total) > near, "its total is not the sum of its cells",
               own$total, sums$total)
  of_contributors <- if (rows$holdings) holding_faults else contributor_faults
  rbind(total, of_contributors(own, sums, near, say))
}

contributor_faults <- function(own, sums, near, say) {
  tops <- lapply(seq_len(ncol(own$top)), function(j) {
    say(abs(own$top[, j] - sums$top[, j]) > near,
        paste("its contribution", j, "is not that of its cells"), own$top[, j], sums$top[, j])
  })
  do.call(rbind, c(list(
    say(own$count != sums$count, "its number of contributors is not the sum over its cells",
        own$count, sums$count, money = FALSE)
  ), tops))
}

# A total has at least the holdings of one of its cells, and at most those of all. Its largest j
# hold at least what they would if no holding had two parts, and at most what the largest j of each
# cell hold together.
holding_faults <- function(own, sums, near, say) {
  tops <- lapply(seq_len(ncol(own$top)), function(j) {
    largest <- rowSums(own$top[, seq_len(j), drop = FALSE])
    least <- rowSums(sums$top[, seq_len(j), drop = FALSE])
    rbind(
      say(largest < least - j * near, paste("its largest", j, "hold less than those of its cells"),
          largest, least),
      say(largest > sums$most[, j] + j * near,
          paste("its largest", j, "hold more than those of its cells together"), largest,
          sums$most[, j])
    )
  })
  do.call(rbind, c(list(
    say(own$count < sums$least_count, "it has fewer holdings than one of its cells", own$count,
        sums$least_count, money = FALSE),
    say(own$count > sums$count, "it has more holdings than its cells together", own$count,
        sums$count, money = FALSE),
    if (!is.null(own$people)) {
      say(own$people != sums$people, "its number of contributors is not the sum over its cells",
          own$people, sums$people, money = FALSE)
    }
  ), tops))
}

# What is directly below a node never holds more than the node: totals against totals.
parents_that_hold_less <- function(x, rows, nodes) {
  key <- ready_keys(rows$code, nodes)
  found <- lapply(seq_along(nodes), function(v) {
    node <- nodes[[v]]
    below <- family_tree(c(node$levels, names(node$held)), length(node$levels),
                         x$hierarchies[[names(nodes)[v]]])
    pair <- matches(rows$code[[v]], below$child)
    up <- lapply(rows$code, `[`, pair$x)
    up[[v]] <- below$parent[pair$y]
    parent <- match(ready_keys(up, nodes), key)
    child <- pair$x[!is.na(parent)]
    parent <- parent[!is.na(parent)]
    do.call(rbind, lapply(seq_len(ncol(rows$top)), function(j) {
      largest <- rowSums(rows$top[, seq_len(j), drop = FALSE])
      worst <- tapply(largest[child], factor(parent, seq_along(key)), max, default = 0)
      contradict(rows, nodes, largest < worst - j * rows$tolerance,
                 paste("its largest", j, "hold less than those of a part of it"), largest,
                 as.vector(worst))
    }))
  })
  do.call(rbind, found)
}

abort_unequal_totals <- function(found, rows) {
  counts <- any(grepl("number of contributors", found$relation))
  abort_contradictions(
    found, "Totals of ready cells must agree with their cells.",
    c(tolerance_advice(rows),
      i = "Is a cell missing from the frame? Cells that are not listed have no contributors.",
      i = if (counts && !rows$holdings) {
        "Where a contributor has parts in several cells, {.arg holdingVar} must name the column of
         numbers, in place of {.arg countVar}."
      })
  )
}

# ---- holdings -----------------------------------------------------------------------------------

# Totals of a family that are not zero and that no row lists, in words.
absent_totals <- function(x, family, listed) {
  part <- setdiff(family_part(x, family), c(0, listed))
  if (length(part) == 0) {
    return(NULL)
  }
  labels <- family_labels(x, list(family))
  columns <- family_factors(sort(part), family, labels)
  open <- open_rows(columns, x$crossings)
  label_words(lapply(columns, function(column) as.character(column)[open]))
}

abort_absent <- function(words) {
  words <- unique(words)
  abort_sdc("input", c(
    "With {.arg holdingVar} every published total that is not zero must be listed: its holdings
     cannot be computed from its cells.",
    x = "{length(words)} {cli::qty(length(words))}{?is/are} not listed:
         {utils::head(words, 5)}{if (length(words) > 5) ', ...' else ''}."
  ))
}

# For each of some of a family's sums the cells below it, as positions.
cells_of_one <- function(x, family, parts) {
  part <- family_part(x, family)
  unname(split(which(part %in% parts), part[part %in% parts]))
}

# The contributors of the listed totals. Cells below a total with one holding belong to it.
with_listed_totals <- function(x, rows, nodes, summed, together) {
  rows$total <- summed
  label <- seq_along(x$cell)
  repeat {
    before <- label
    for (group in together) label[group] <- min(label[group])
    if (identical(label, before)) break
  }
  own <- x$start[-length(x$start)] + 1
  linked <- which(label != seq_along(label))
  x$holder[own[linked]] <- x$holder[own[label[linked]]]
  at <- which(!rows$leaf & rows$count > 0)
  held <- ready_contributors(rows, at, seq_along(at), length(x$holders) + 1)
  x$holders <- c(x$holders, ready_holders(rows, nodes, at, held, x$top))
  grouped <- with_core(cpp_group_contributors(as.double(held$cell), held$holder, held$value))
  alone <- which(rows$count[at] == 1)
  grouped$holder[grouped$start[alone] + 1] <-
    holder_below(x, rows, nodes, at[alone], grouped$holder[grouped$start[alone] + 1])
  x$totals <- c(list(labels = ready_labels(rows, nodes, at)), grouped[-1])
  x
}

# The holding of each of some totals that have one: that of a cell below it.
holder_below <- function(x, rows, nodes, at, otherwise) {
  out <- otherwise
  for (family in total_families(x)) {
    of <- rows_in_family(lapply(rows$code, `[`, at), nodes, family)
    cell <- match(of, family_part(x, family))
    found <- which(!is.na(of) & !is.na(cell))
    out[found] <- x$holder[x$start[cell[found]] + 1]
  }
  out
}
