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
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "The names of {.arg total} must be variables of the table.",
      x = "There is no variable {.val {unknown}}.",
      i = did_you_mean(unknown, names(dimnames), "variable")
    ))
  }
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
  if (is.null(total) || identical(total, FALSE) || ok) {
    return(invisible(total))
  }
  abort_sdc("input", c(
    "{.arg total} must be levels that are totals, a list of them by variable, FALSE or NULL.",
    x = "{describe(total)}"
  ))
}

check_known_totals <- function(unknown, variable, levels) {
  if (length(unknown) == 0) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.arg total} must name levels of the table.",
    x = if (is.null(variable)) {
      "No variable has a level {.val {unknown}}."
    } else {
      "{.val {variable}} has no level {.val {unknown}}."
    },
    i = did_you_mean(unknown, levels, "level")
  ))
}

drop_totals <- function(x, totals) {
  for (v in which(lengths(totals) > 0)) {
    wrong <- totals_that_do_not_add_up(x, v, match(totals[[v]], x$dimnames[[v]]))
    if (length(wrong) > 0) abort_no_total(names(totals)[v], x$dimnames[[v]][wrong])
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

abort_no_total <- function(variable, levels) {
  abort_sdc("input", c(
    "Each level that {.arg total} names must be the sum of other levels, in every combination of the
     other variables.",
    x = "In {.val {variable}} this does not hold for {.val {levels}}.",
    i = "A rounded or suppressed total does not add up. Leave out the rows of totals before the
         call, and their levels."
  ))
}

# ---- what the table says ------------------------------------------------------------------------

# `totals`: for each one found `variable`, `level`, `of` (the levels that it sums), `all` (are these
# all that are no totals?). `named`: levels with the name of a total that are none, by variable.
find_totals <- function(x, among = seq_along(x$dimnames)) {
  found <- lapply(among, function(v) find_totals_of(x, v))
  by_variable <- lapply(found, function(f) f$named)
  names(by_variable) <- names(x$dimnames)[among]
  list(totals = unlist(lapply(found, `[[`, "totals"), recursive = FALSE),
       named = by_variable[lengths(by_variable) > 0])
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
    paste0(paste0("\"", of[-n], "\"", collapse = ", "), " and \"", of[n], "\"")
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
