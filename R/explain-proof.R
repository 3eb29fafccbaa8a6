# Certificates of bounds in words: "At most 7, because the total of B = 2 (12) less the published
# cells C = 1 (3) and C = 2 (2) leaves 7, and no count is negative."

# Of the k-th cell, the upper end first.
certificate_words <- function(x, k) {
  said <- read_bound_certificates(x)
  n <- length(x$lower)
  upper <- end_words(x, said, n + k)
  lower <- end_words(x, said, k)
  if (x$lower[k] == x$upper[k] && substring(upper, 8) == substring(lower, 9)) {
    return(paste0("Exactly", substring(upper, 8)))
  }
  c(upper, lower)
}

# What the release says; an error where the certificates do not fit it.
read_bound_certificates <- function(x) {
  unreadable <- function(cnd) "A part of the object cannot be read."
  said <- tryCatch(stated_system(x, NULL), error = unreadable)
  faults <- if (is.character(said)) said else tryCatch(
    said$faults %||% c(bounds_faults(x, said), certificate_faults(x, said)), error = unreadable
  )
  if (length(faults) > 0) abort_damaged(faults[1])
  said
}

end_words <- function(x, said, e) {
  end <- x$certificates$ends[e, ]
  is_upper <- end$end == "upper"
  head <- paste(if (is_upper) "At most" else "At least", format_count(end$value))
  kind <- proof_kinds(x$certificates)[e]
  if (kind == "none") {
    return(say("{head}: this is what the search found. The certificates hold no proof of it."))
  }
  if (kind == "direction") {
    return("There is no upper bound: the release allows counts without end.")
  }
  why <- switch(
    kind, cases = case_words(x$certificates$proofs, said, end$proof),
    sums = leaf_words(x, said, end, is_upper),
    limit = if (x$lower[end$cell] == x$upper[end$cell]) "the release publishes the cell itself" else
      if (end$value == 0 && !is_upper) "no count is negative" else
        "the release limits the cell itself"
  )
  say("{head}, because {why}.")
}

# Ends that the certificates do not show to be attained.
unattained_words <- function(x, k) {
  ends <- x$certificates$ends[c(k, length(x$lower) + k), ]
  none <- ends$end[is.na(ends$table) & is.na(ends$direction)]
  which <- if (length(none) == 2) "bounds" else paste(none, "bound")
  if (length(none) > 0) say("The certificates hold no table that attains the {which}.")
}

case_words <- function(proofs, said, proof) {
  nodes <- proofs$start[proof] + seq_len(diff(proofs$start)[proof])
  at <- proofs$at[nodes[1]]
  say("{sum(proofs$cell[nodes] == 0)} case{?s} are ruled out, each by published sums; the first
       question is whether {unknown_words(proofs$cell[nodes[1]], said)} is at most {at} or at least
       {at + 1}")
}

# ---- one combination --------------------------------------------------------------------------

leaf_words <- function(x, said, end, is_upper) {
  parts <- combination_parts(x, said, end, is_upper)
  total <- sum(parts$weight * parts$value)
  shown <- parts[parts$value != 0 | parts$kind == "row", ]
  plus <- shown[shown$weight > 0, ]
  less <- shown[shown$weight < 0, ]
  first <- if (nrow(plus) > 0) term_words(plus) else "0"
  words <- if (nrow(shown) == 1 && all(shown$weight == 1)) {
    paste(sub(" [(][^(]*[)]$", "", first), if (shown$exact) "is" else if (shown$at_most)
      "is at most" else "is at least", format_count(shown$value))
  } else {
    paste0(first, if (nrow(less) > 0) paste0(" less ", term_words(less, ", less ")),
           if (nrow(plus) > 1 && nrow(less) == 0) " leave " else " leaves ", mixed_number(total))
  }
  paste0(words, if (total != end$value) ", and counts are whole numbers",
         if (any(parts$value == 0 & parts$kind != "row")) ", and no count is negative")
}

# The published sums and the limits of cells in a proof of one leaf, for one of the asked cell.
# `at_most`: which side of it the proof uses; `exact`: are both sides the same?
combination_parts <- function(x, said, end, is_upper) {
  proofs <- x$certificates$proofs
  leaf <- sum(proofs$cell[seq_len(proofs$start[end$proof] + 1)] == 0)
  at <- proofs$row_start[leaf] + seq_len(diff(proofs$row_start)[leaf])
  row <- proofs$row[at]
  times <- proofs$times[at]
  size <- diff(said$start)[row]
  entry <- sequence(size, said$start[row] + 1)
  sum <- rowsum(as.numeric(rep(times, size) * said$coefficient[entry]), said$cell[entry])
  cell <- as.integer(rownames(sum))
  own <- cell == x$certificates$at[end$cell]
  scale <- abs(sum[own]) * if (is_upper) 1 else -1
  keep <- !own & sum != 0
  cells <- cell[keep]
  of_cells <- list2data_frame(list(
    kind = rep("cell", length(cells)), number = cells, weight = -sum[keep] / scale,
    value = ifelse(sum[keep] > 0, said$least[cells], said$most[cells]),
    exact = said$least[cells] == said$most[cells], at_most = sum[keep] < 0
  ), length(cells))
  if (!is.null(said$words)) {
    shown <- said$words$total[cells] & (of_cells$exact | of_cells$value != 0)
    of_cells$kind[shown] <- "row"
    of_cells$words <- unknown_words(cells, said)
    return(of_cells)
  }
  of_rows <- list2data_frame(list(
    kind = rep("row", length(row)), number = row, weight = times / scale,
    value = ifelse(times > 0, said$upper[row], said$lower[row]),
    exact = said$lower[row] == said$upper[row], at_most = times > 0
  ), length(row))
  published <- row <= n_published(x)
  parts <- rbind(of_rows[published, ], of_cells)
  parts$words <- c(row_words_of(x, row[published]), unknown_words(cells, said))
  parts
}

n_published <- function(x) {
  release <- x$certificates$release %||% x$release
  if (is_sdc_constraints(release)) {
    return(length(release$rows$lower))
  }
  sum(vapply(unclass(release), function(m) prod(dim(m)), 1))
}

# "the total of A = 1 (12) and half of the published cells B = 2 (3) and B = 3 (2)"
term_words <- function(parts, then = ", plus ") {
  parts$size <- abs(parts$weight)
  parts <- parts[order(parts$size != 1, -parts$size), ]
  group <- paste(parts$kind, parts$size)
  said <- vapply(split(parts, factor(group, unique(group))), function(p) {
    few <- utils::head(p, 6)
    side <- ifelse(few$exact, "", ifelse(few$at_most, "at most ", "at least "))
    each <- paste0(few$words, " (", side, vapply(few$value, format_count, ""), ")")
    rest <- p$value[-(1:6)]
    if (nrow(p) > 6) each <- c(each, say("{length(rest)} more ({sum(rest)} in all)"))
    noun <- if (p$kind[1] == "row") "" else paste0("the ", if (all(p$exact)) "published ",
                                                  if (nrow(p) == 1) "cell " else "cells ")
    several <- if (length(each) > 1 && p$size[1] != 1) "the sum of "
    paste0(times_words(p$size[1]), several, noun, and_words(each))
  }, "")
  if (all(parts$size == 1)) and_words(said) else paste(said, collapse = then)
}

# Multipliers of tables are nearly always small fractions: the least denominator, or NA.
small_denominator <- function(x) which(abs(x * 1:720 - round(x * 1:720)) < 1e-9)[1]

# How often something counts.
times_words <- function(size) {
  q <- small_denominator(size)
  p <- round(size * q)
  if (is.na(q)) {
    return(paste(format_number(size, 7), "times "))
  }
  if (q == 1) {
    return(if (p == 1) "" else if (p == 2) "twice " else paste(format_count(p), "times "))
  }
  part <- c("half", "a third", "a quarter")[q - 1]
  if (p == 1 && !is.na(part)) paste(part, "of ") else paste0(p, "/", q, " of ")
}

# 99 2/3
mixed_number <- function(x) {
  q <- small_denominator(x)
  if (is.na(q) || q == 1) {
    return(format_number(x, 15))
  }
  p <- round((x - trunc(x)) * q)
  if (abs(x) < 1) paste0(p, "/", q) else paste0(format_count(trunc(x)), " ", abs(p), "/", q)
}

# ---- names ------------------------------------------------------------------------------------

unknown_words <- function(cell, said) {
  if (!is.null(said$words)) {
    words <- said$words$cell[cell]
    return(ifelse(said$words$total[cell], sum_name(words, FALSE), words))
  }
  inside <- cell <= said$n
  out <- rep("the sum", length(cell))
  levels <- split_codes(cell[inside], lengths(said$dimnames, FALSE))
  if (length(levels) > 0) {
    out[inside] <- label_words(Map(`[`, said$dimnames, levels))
  }
  out
}

row_words_of <- function(x, row) {
  release <- x$certificates$release %||% x$release
  if (is_sdc_constraints(release)) {
    words <- gsub("(^|, )[^,=]+ = Total(?=,|$)", "", release$rows$label[row], perl = TRUE)
    alone <- diff(release$rows$start)[row] == 1
    return(sum_name(sub("^, ", "", words), alone))
  }
  tables <- unclass(release)
  last <- cumsum(vapply(tables, function(m) prod(dim(m)), 1))
  table <- findInterval(row, c(0, last), left.open = TRUE)
  words <- vapply(seq_along(row), function(i) {
    m <- tables[[table[i]]]
    if (length(m$dimnames) == 0) {
      return("")
    }
    at <- row[i] - c(0, last)[table[i]]
    label_words(Map(`[`, m$dimnames, split_codes(at, dim(m))))
  }, "")
  whole <- vapply(tables, function(m) length(m$dimnames) == length(x$dimnames), NA)
  sum_name(words, whole[table])
}

sum_name <- function(words, alone) {
  ifelse(words %in% c("", "total"), "the grand total",
         paste0(ifelse(alone, "the published cell ", "the total of "), words))
}

# ---- objects ----------------------------------------------------------------------------------

story.sdc_bounds_certificates <- function(x) {
  tables <- sum(!is.na(x$ends$table))
  say(
    "For both ends of {length(x$at)} cell{?s}, a table that attains the end and a proof that no
     table goes beyond: {tables} of {nrow(x$ends)} end{?s} have a table, and
     {sum(read_kinds(x) != 'none')} have a proof.",
    "verify_bounds() checks them against the release, and explain() with a cell of the bounds says a
     proof in words."
  )
}

story.sdc_bounds_verification <- function(x) {
  c(
    say(
      if (x$verified) "The bounds are VERIFIED, by code that shares nothing with the search that
        found them." else "The bounds are NOT VERIFIED: they need not be wrong, but their
        certificates do not prove all that they say.",
      "Of {length(x$cells)} cell{?s}, {sum(x$cells)} have an interval that is proved as it
       stands."
    ),
    x$faults
  )
}
