# The rules of two-way tables in documents: bidiagonal and banded sets.

#' @export
rule_document.rule_bidiagonal <- function(set) set$parameters

#' @export
rule_in_words.rule_bidiagonal <- function(set) {
  w <- line_words(set)
  paste0(
    "Number the ", w$line, "s k = 0..h-1 and the ", w$position, "s 0..n-1. Cycle i (i = 0..n-1, ",
    "published as number i + 1) has +1 in ", w$line, " k at ", w$position, " (a_k + i) mod n and ",
    "-1 in ", w$line, " k at ", w$position, " (a_{k+1} + i) mod n, where a_h = a_0. ",
    if (set$parameters$walk == "lenz") {
      "The walk is a_k = k mod n."
    } else {
      paste(
        "The walk is a_k = k mod 2 when h is even and h != n; else a_k = k for k < n and",
        "a_k = (k - n) mod 2 for k >= n."
      )
    }
  )
}

#' @export
read_rule.rule_bidiagonal <- function(rule, p, labels, margins) {
  cycles_bidiagonal(labels_only(labels), walk = p$walk)
}

#' @export
rule_document.rule_banded <- function(set) {
  p <- set$parameters
  list(
    group = p$group, groups = I(lapply(p$groups, I)), rings = I(lapply(p$rings, I)),
    transposed = p$transposed, open = p$open, skip_zeros = p$skip_zeros
  )
}

#' @export
rule_in_words.rule_banded <- function(set) {
  w <- line_words(set)
  paste(c(
    groups_in_words(w$line, w$position), bands_in_words(set$parameters, w$line, w$position),
    sweeps_in_words(set$parameters, w$line, w$position)
  ), collapse = " ")
}

# What the set calls the lines of its groups, and the positions on its rings.
line_words <- function(set) {
  turned <- isTRUE(set$parameters$transposed)
  list(line = if (turned) "column" else "row", position = if (turned) "row" else "column")
}

# Nothing where zeros are not skipped.
sweeps_in_words <- function(p, line, position) {
  if (!p$skip_zeros) {
    return(NULL)
  }
  paste0(
    paste0("The set skips zeros: these are its moves where no cell is 0. In general the step of ",
           "cycle s of a band of the "),
    line, "s x and y (a group of two is the band of its first and its second ", line,
    ") is skipped, whatever its coin,",
    " unless both cells of ", position, " p_s are at that time at least 1, and both cells of some ",
    position,
    " p_k with k > s; with the least such k the move is +1 in ", line, " x at ", position,
    " p_s, -1 in ", line,
    " y at ", position, " p_s, -1 in ", line, " x at ", position, " p_k and +1 in ", line, " y at ",
    position, " p_k."
  )
}

groups_in_words <- function(line, position) {
  paste0("Groups hold ", line, "s, rings hold ", position, "s.")
}

# Bands of two and of three lines in one formula; then, for triads, how groups are made of bands.
bands_in_words <- function(p, line, position) {
  last <- if (p$open) "n-1" else "n"
  around <- if (!p$open) "; indices of p are taken modulo n in 1..n"
  if (p$group == 2) {
    return(paste0(
      "For a group (g_1..g_h) with the ring (p_1..p_n), cycle s ",
      "(s = 1..", last, ") has +1 in ", line, " g_k at ", position, " p_{s+k-1} and -1 in ", line,
      " g_k at ", position,
      " p_{s+k} for k < h, and, for k = h, +1 in ", line, " g_h at ", position,
      " p_{s+h-1} and -1 in ", line,
      " g_h at ", position, " p_s", around,
      ". Cycles are numbered along the ring within a group, group after group."
    ))
  }
  paste0(
    "A band (x,y) with the ring (p_1..p_n) has the cycles s = 1..", last, ": +1 in ", line,
    " x at ", position,
    " p_s, -1 in ", line, " y at ", position, " p_s, -1 in ", line, " x at ", position,
    " p_{s+1} and +1 in ", line,
    " y at ", position, " p_{s+1}", around,
    ". A group of three (a,b,c) is the bands (a,b), (b,c) and (c,a) on its ring,",
    paste0(" a group of two (a,b) is the band (a,b). Cycles are numbered along the ring within a ",
           "band, band after band,"),
    paste0(" group after group. One cover applies each band of a group of three once and the ",
           "band of a group of two twice.")
  )
}

#' @export
read_rule.rule_banded <- function(rule, p, labels, margins) {
  cycles_banded(
    labels_only(labels),
    group = whole_numbers(list(p$group)), groups = lapply(p$groups, whole_numbers),
    rings = lapply(p$rings, whole_numbers), transposed = p$transposed, open = p$open,
    skip_zeros = p$skip_zeros
  )
}
