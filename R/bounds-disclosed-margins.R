# Why margins leave a cell no more and no less: the least of them above, a chain of them below.

reasons_of_margins <- function(bounds, at) {
  release <- bounds$release
  codes <- lapply(rlang::set_names(bounds$codes, names(bounds$dimnames)), function(code) code[at])
  shown <- vapply(release, function(m) counts_at(m, codes[names(m$dimnames)], length(at)),
                  numeric(length(at)))
  shown <- matrix(shown, length(at))
  upper <- least_margin_words(release, shown, bounds$upper[at], codes)
  lower <- chain_words(release, shown, bounds$lower[at], codes, names(bounds$dimnames))
  whole <- any(vapply(release, function(m) length(m$dimnames) == length(bounds$dimnames), NA))
  both_reasons(lower, upper, bounds$lower[at], bounds$upper[at], whole)
}

least_margin_words <- function(release, shown, upper, codes) {
  first <- max.col(shown == upper, "first")
  words <- vapply(seq_along(upper), function(i) {
    m <- release[[first[i]]]
    paste0("margin [", names(release)[first[i]], "] shows ", format_count(upper[i]),
           where_words(m, codes, i))
  }, "")
  ifelse(rowSums(shown == upper) > 0, words, together)
}

where_words <- function(m, codes, i) {
  if (length(m$dimnames) == 0) {
    return("")
  }
  levels <- Map(function(levels, code) levels[code[i]], m$dimnames, codes[names(m$dimnames)])
  paste0(" at ", paste(names(levels), "=", unlist(levels), collapse = ", "))
}

# The sum over a chain of margins that covers all variables, less what each shares with those
# before it.
chain_words <- function(release, shown, lower, codes, variables) {
  words <- rep(together, length(lower))
  if (all(lower == 0)) {
    return(words)
  }
  chain <- margin_chain(lapply(release, function(m) names(m$dimnames)), variables)
  if (is.null(chain)) {
    return(words)
  }
  overlap <- mapply(function(at, set) {
    m <- take_margin(release[[at]], set, "variables")
    counts_at(m, codes[set], length(lower))
  }, chain$order[-1], chain$overlap[-1])
  overlap <- matrix(overlap, length(lower))
  parts <- shown[, chain$order, drop = FALSE]
  ok <- lower > 0 & rowSums(parts) - rowSums(overlap) == lower
  words[ok] <- vapply(which(ok), function(i) {
    paste0(
      "the margins [", paste(names(release)[chain$order], collapse = "], ["), "] show ",
      paste(format_count(parts[i, ]), collapse = " + "), " there, less ",
      paste(format_count(overlap[i, ]), collapse = " + "), " that they share"
    )
  }, "")
  words
}

# An order of margins in which each shares with all before it what it shares with one of them: the
# largest overlaps first. NULL when there is none, or when the margins do not cover all variables.
margin_chain <- function(sets, variables) {
  frontier <- frontier_sets(sets)
  if (length(frontier) < 2 || !setequal(unlist(sets[frontier]), variables)) {
    return(NULL)
  }
  order <- frontier[1]
  overlap <- list(character())
  while (length(order) < length(frontier)) {
    left <- setdiff(frontier, order)
    shared <- outer(left, order, Vectorize(function(a, b) length(intersect(sets[[a]], sets[[b]]))))
    best <- arrayInd(which.max(shared), dim(shared))
    new <- left[best[1]]
    own <- intersect(sets[[new]], sets[[order[best[2]]]])
    if (!setequal(own, intersect(sets[[new]], unlist(sets[order])))) {
      return(NULL)
    }
    overlap <- c(overlap, list(own))
    order <- c(order, new)
  }
  list(order = order, overlap = overlap)
}

# The places of the sets that no other contains; of equal ones the first.
frontier_sets <- function(sets) {
  inside <- function(a, b) {
    all(sets[[a]] %in% sets[[b]]) && (length(sets[[a]]) < length(sets[[b]]) || b < a)
  }
  keep <- vapply(seq_along(sets), function(a) !any(vapply(seq_along(sets), inside, NA, a = a)), NA)
  which(keep)
}

# The counts of a table in n cells given by their levels.
counts_at <- function(x, codes, n = length(codes[[1]])) {
  size <- dim(x)
  at <- match(combine_codes(codes, size, n), combine_codes(stored_codes(x), size, length(x$counts)))
  ifelse(is.na(at), 0, x$counts[at])
}

# `whole`: does what gives the upper limit speak of the cell alone?
both_reasons <- function(lower, upper, least, most, whole = FALSE) {
  lower[least == 0] <- "no count is negative"
  single <- least == most & upper != together & lower == together & whole
  ifelse(lower == upper | most == 0 | single, upper, paste0(upper, ", and ", lower))
}

together <- "several published sums together, over whole numbers, leave nothing else"
