# Levels that are sums of other levels: totals that would be counted a second time.
#
# A level is a total when it equals the sum of some other levels in every combination of the other
# variables. Candidates are found in a margin, and each is checked on the whole table. Because small
# counts may agree by chance, a total needs evidence, in bits: two Poisson counts of mean s are
# equal with probability about 1 / sqrt(4 pi s), so that each combination with the count s gives
# log2(4 pi s) / 2 of them. A level with the name of a total needs none.

# Takes away the totals that `total` names, and refuses those that it does not name.
without_totals <- function(x, total, maker = "sdc_table") {
  if (identical(total, FALSE) || length(x$counts) == 0) {
    return(x)
  }
  if (!is.null(total)) x <- drop_totals(x, given_totals(total, x$dimnames))
  check_for_totals(x, maker)
}

# No level of the variables `among` may be a total.
check_for_totals <- function(x, maker, among = names(x$dimnames)) {
  if (length(x$counts) == 0) {
    return(x)
  }
  found <- find_totals(x, match(among, names(x$dimnames)))
  if (length(found$totals) > 0) abort_totals(found$totals, maker)
  warn_of_names(found$named)
  x
}

# ---- what the user says -------------------------------------------------------------------------

# For each variable the levels that `total` names.
given_totals <- function(total, dimnames) {
  check_total(total)
  if (is.null(names(total))) {
    labels <- unlist(total)
    check_known_totals(setdiff(labels, unlist(dimnames)), NULL, unlist(dimnames))
    return(lapply(dimnames, intersect, labels))
  }
  unknown <- setdiff(names(total), names(dimnames))
  check_that(
    length(unknown) == 0,
    "The names of {.arg total} must be variables of the table.",
    x = "There is no variable {.val {unknown}}.",
    i = did_you_mean(unknown, names(dimnames), "variable")
  )
  out <- lapply(rlang::set_names(names(dimnames)), function(v) {
    labels <- as.character(unlist(total[names(total) == v], use.names = FALSE))
    check_known_totals(setdiff(labels, dimnames[[v]]), v, dimnames[[v]])
    labels
  })
  out
}

check_total <- function(total) {
  labels <- if (is.list(total)) total else list(total)
  ok <- length(total) > 0 && all(vapply(labels, is.character, NA)) &&
    (is.character(total) || !is.null(names(total)))
  check_that(
    is.null(total) || identical(total, FALSE) || ok,
    "{.arg total} must be levels that are totals, a list of them by variable, FALSE or NULL.",
    x = "{describe(total)}"
  )
}

check_known_totals <- function(unknown, variable, levels) {
  check_that(
    length(unknown) == 0,
    "{.arg total} must name levels of the table.",
    x = if (is.null(variable)) {
      "No variable has a level {.val {unknown}}."
    } else {
      "{.val {variable}} has no level {.val {unknown}}."
    },
    i = did_you_mean(unknown, levels, "level")
  )
}

drop_totals <- function(x, totals) {
  for (v in which(lengths(totals) > 0)) {
    wrong <- totals_that_do_not_add_up(x, v, match(totals[[v]], x$dimnames[[v]]))
    check_that(
      length(wrong) == 0,
      "Each level that {.arg total} names must be the sum of other levels, in every combination of
       the other variables.",
      x = "In {.val {names(totals)[v]}} this does not hold for {.val {x$dimnames[[v]][wrong]}}.",
      i = "A rounded or suppressed total does not add up. Leave out the rows of totals before the
           call, and their levels."
    )
  }
  keep <- Map(function(levels, out) which(!levels %in% out), x$dimnames, totals)
  select_levels(x, unname(keep))
}

totals_that_do_not_add_up <- function(x, v, at) {
  columns <- t(level_matrix(x, v))
  leaves <- setdiff(which(colSums(columns) > 0), at)
  adds_up <- vapply(at, function(total) {
    if (all(columns[, total] == 0)) {
      return(TRUE)
    }
    some <- some_that_add_up(columns, leaves, columns[, total])$some
    !is.null(some) && is_sum(x, v, total, some)
  }, NA)
  at[!adds_up]
}

# ---- what the table says ------------------------------------------------------------------------

# `totals`: for each one found `variable`, `level` and `of` (the levels that it sums). `named`:
# levels with the name of a total that are none, by variable.
find_totals <- function(x, among = seq_along(x$dimnames)) {
  found <- lapply(rlang::set_names(among, names(x$dimnames)[among]), find_totals_of, x = x)
  list(totals = unlist(unname(lapply(found, `[[`, "totals")), recursive = FALSE),
       named = Filter(length, lapply(found, `[[`, "named")))
}

find_totals_of <- function(x, v) {
  levels <- x$dimnames[[v]]
  needed <- evidence_needed(levels)
  if (length(levels) < 2 || (length(levels) == 2 && all(needed > 0))) {
    return(list())
  }
  a <- level_matrix(x, v)
  size <- rowSums(a)
  used <- which(size > 0)
  used <- used[order(size[used], -needed[used])]
  totals <- lapply(believed_sums(x, v, a, used, needed), function(sum) {
    list(variable = names(x$dimnames)[v], level = levels[sum$level], of = levels[sum$at])
  })
  # a missing text is often an empty string
  named <- used[needed[used] == 0]
  named <- named[nzchar(trimws(readable(levels[named])))]
  named <- setdiff(named, match(vapply(totals, `[[`, "", "level"), levels))
  list(totals = totals, named = if (length(used) > 1) levels[named])
}

# Names of totals as they are usual in tables, in some languages, in SDMX ("_T").
total_names <- c("", "total", "totals", "tot", "sum", "all", "overall", "grand total", "_t",
                 "_total_",
                 "(all)", "gesamt", "insgesamt", "summe", "ensemble", "totale", "totaal", "todos")

evidence_needed <- function(levels) {
  plain <- tolower(trimws(readable(levels)))
  needed <- rep(evidence_of_others, length(plain))
  needed[grepl("\\btotals?\\b", plain)] <- 4
  needed[plain %in% total_names] <- 0
  needed
}

# A margin with the variable in rows, and in columns as many others as stay quick to compare.
level_matrix <- function(x, v) {
  size <- dim(x)
  n <- size[v]
  room <- max(20, min(2000, 2e8 / n^2))
  others <- order(size)
  others <- others[others != v]
  others <- others[cumprod(as.numeric(size[others])) <= room]
  keep <- c(v, others)
  if (length(keep) == length(size)) {
    # there is nothing to sum up
    return(matrix(aperm(array(dense_counts(x), size), keep), n))
  }
  y <- project_table(x, keep, vector("list", length(keep)), x$dimnames[keep])
  matrix(dense_counts(y), n)
}

# ---- what the user is told ----------------------------------------------------------------------

abort_totals <- function(totals, maker) {
  what <- additive_lines(totals)
  levels <- split(vapply(totals, `[[`, "", "level"), vapply(totals, `[[`, "", "variable"))
  levels <- levels[unique(vapply(totals, `[[`, "", "variable"))]
  one <- length(unique(unlist(levels))) == 1
  argument <- if (one) deparse1(levels[[1]][1]) else deparse1(levels)
  argument <- paste(strwrap(argument, 1e4), collapse = " ")
  abort_sdc("input", c(
    "No level of a variable may be the sum of others: its counts would be counted twice.",
    what,
    i = "With {.code {maker}(..., total = {argument})} the totals are checked and taken away.",
    i = "If no level is a total, say {.code total = FALSE}."
  ))
}

# A line of a message for each of the first totals.
additive_lines <- function(totals) {
  what <- vapply(utils::head(totals, 5), additive_words, "")
  more <- length(totals) - length(what)
  what <- c(what, if (more > 0) paste("There are", more, "more such levels."))
  rlang::set_names(escape_braces(what), rep("x", length(what)))
}

additive_words <- function(found) {
  of <- found$of
  parts <- if (length(of) > 4) {
    paste0(format_count(length(of)), " other levels, the first of which is \"", of[1], "\"")
  } else if (length(of) == 1) {
    paste0("level \"", of, "\" alone")
  } else {
    n <- length(of)
    paste0(quoted_names(of[-n]), " and \"", of[n], "\"")
  }
  paste0("Level \"", found$level, "\" of \"", found$variable, "\" is the sum of ", parts, ".")
}

warn_of_names <- function(named) {
  for (v in names(named)) {
    warn_sdc("total", c(
      "In {.val {v}} the name {.val {named[[v]]}} is that of a total, but the counts are not sums of
       other levels.",
      i = "It counts as a level like any other. If that is right, say {.code total = FALSE}; if not,
           leave its rows out."
    ))
  }
}

# ---- the search ----------------------------------------------------------------------------------

# The search for levels that are sums of others.
#
# Whether a sum would be believed is known before it is looked for: the evidence depends on the
# counts of the level, and what the choice takes away from it on the number of levels that fit below
# it. Most levels need no search therefore, or only a comparison with the sum of all others.

# Beyond that many levels only those with the name of a total are looked at.
max_levels_searched <- 5000

# The work on one variable, in numbers compared; a comparison counts for `least_work` at least. Each
# level adds an equal share to what may be spent. The largest levels come last: they are most often
# totals, and may spend what the smaller ones have left.
max_work <- 2e7

least_work <- 1000

# For each level that is believed to be a sum `level` and `at`, the levels that it sums. `used`: the
# levels with counts, the smallest first. A sum is looked for among the roots (what is not yet part
# of a total), then among the leaves (what is no total).
believed_sums <- function(x, v, a, used, needed) {
  few <- length(needed) <= max_levels_searched
  needed <- needed[used]
  spare <- level_bits(x, v)[used] - needed
  looked_at <- spare >= 0 & (few | needed == 0)
  if (!any(looked_at)) {
    return(list())
  }
  columns <- t(a[used, colSums(a) > 0, drop = FALSE])
  is_root <- is_leaf <- logical(length(used))
  roots <- leaves <- numeric(nrow(columns))
  out <- list()
  purse <- 0
  for (k in seq_along(used)) {
    purse <- purse + max_work / length(used)
    some <- NULL
    kinds <- list(is_root, if (!identical(is_root, is_leaf)) is_leaf)
    for (kind in if (looked_at[k]) kinds[lengths(kinds) > 0]) {
      # a level with the name of a total may spend all
      most <- purse / if (needed[k] < evidence_of_others) 1 else 4
      whole <- if (identical(kind, is_root)) roots else leaves
      tried <- believed_sum(columns, k, which(kind), whole, spare[k], length(x$dimnames[[v]]), most)
      purse <- purse - tried$work
      enough <- length(tried$some) >= if (needed[k] == 0) 1 else 2
      if (enough && is_sum(x, v, used[k], used[tried$some])) {
        some <- tried$some
        break
      }
    }
    parts <- some[is_root[some]]
    roots <- roots - rowSums(columns[, parts, drop = FALSE]) + columns[, k]
    is_root[parts] <- FALSE
    is_root[k] <- TRUE
    if (is.null(some)) {
      is_leaf[k] <- TRUE
      leaves <- leaves + columns[, k]
    } else {
      out <- c(out, list(list(level = used[k], at = sort(used[some]))))
    }
  }
  out
}

# `some`: levels of `among`, whose sum is `whole`, with the sum of level `k`, if the choice takes no
# more than `spare` bits: those of one level of `n` for the sum of all, else those of a subset.
believed_sum <- function(columns, k, among, whole, spare, n, most) {
  sum <- columns[, k]
  none <- list(some = NULL, work = 0)
  if (length(among) == 0 || any(whole < sum)) {
    return(none)
  }
  if (all(whole == sum)) {
    if (log2(n) <= spare) none$some <- among
    return(none)
  }
  if (most <= 0) {
    return(none)
  }
  fit <- levels_that_fit(columns, among, whole, sum, most)
  if (length(fit$at) == 0 || length(fit$at) > spare) {
    return(list(some = NULL, work = fit$work))
  }
  found <- some_that_add_up(columns, fit$at, sum, most - fit$work)
  list(some = found$some, work = found$work + fit$work)
}

# The levels that exceed `sum` nowhere; none where that takes more work than `most`. The few columns
# where it is the smallest part of `whole` leave out most of the others.
levels_that_fit <- function(columns, among, whole, sum, most) {
  work <- 0
  for (i in utils::head(order(sum / whole), 8)) {
    work <- work + length(among)
    among <- among[columns[i, among] <= sum[i]]
  }
  if (work + length(among) * length(sum) > most) {
    return(list(at = integer(), work = work))
  }
  list(at = those_below(columns, among, sum), work = work + length(among) * length(sum))
}

those_below <- function(columns, open, left) {
  open[colSums(columns[, open, drop = FALSE] > left) == 0]
}

# `some`: the candidates (columns) whose sum is `sum`, or NULL where there are none, or where they
# are not found in 1000 steps with `most` numbers compared; `work`: the numbers compared.
some_that_add_up <- function(columns, candidates, sum, most = Inf) {
  steps <- work <- 0
  search <- function(inside, open, left) {
    steps <<- steps + 1
    repeat {
      work <<- work + max(least_work, length(open) * length(left))
      if (steps > 1000 || work > most) {
        return(NULL)
      }
      open <- those_below(columns, open, left)
      spare <- rowSums(columns[, open, drop = FALSE]) - left
      if (any(spare < 0)) {
        return(NULL)
      }
      if (all(spare == 0)) {
        return(c(inside, open))
      }
      must <- colSums(columns[, open, drop = FALSE] > spare) > 0
      if (!any(must)) break
      inside <- c(inside, open[must])
      left <- left - rowSums(columns[, open[must], drop = FALSE])
      open <- open[!must]
      if (any(left < 0)) {
        return(NULL)
      }
    }
    found <- search(c(inside, open[1]), open[-1], left - columns[, open[1]])
    if (is.null(found)) search(inside, open[-1], left) else found
  }
  some <- if (length(candidates) > 0) sort(search(integer(), candidates, sum))
  list(some = some, work = work)
}

# The evidence of the counts of each level, if it were a sum.
level_bits <- function(x, v) {
  bits <- log2(4 * pi * x$counts / common_divisor(x$counts)) / 2
  code <- cpp_unpack_levels(dim(x), x$keys, x$counts, v)
  # a factor without the texts that factor() makes and matches
  levels(code) <- as.character(seq_along(x$dimnames[[v]]))
  class(code) <- "factor"
  vapply(split(bits, code), sum, 0, USE.NAMES = FALSE)
}

# Bits that a level without the name of a total needs.
evidence_of_others <- 10

is_sum <- function(x, v, level, some) {
  one <- level_cells(x, v, level)
  several <- level_cells(x, v, some)
  identical(one$keys, several$keys) && identical(one$counts, several$counts)
}

# The cells of one level, or of several together, as a table of the other variables.
level_cells <- function(x, v, levels) {
  map <- integer(length(x$dimnames[[v]]))
  map[levels] <- 1L
  maps <- vector("list", length(x$dimnames))
  maps[[v]] <- map
  dimnames <- x$dimnames
  dimnames[[v]] <- "these"
  project_table(x, seq_along(dimnames), maps, dimnames)
}

# Values in thousands say no more than their thousandth.
common_divisor <- function(counts) {
  out <- counts[1]
  for (count in utils::head(unique(counts), 1000)) {
    while (count > 0) {
      rest <- out %% count
      out <- count
      count <- rest
    }
    if (out == 1) break
  }
  out
}
