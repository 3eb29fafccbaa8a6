# Counts that no crossing shows, and that follow from those that are shown. Two groupings of areas
# may differ by one area: the difference of two published totals is then its count. Linked tables
# and crossings differ in the same way. Such a count is judged as if it were published.
#
# A cell of the table itself that no crossing shows is primary by the rule, and is asked for
# certificates like all primary cells. Sums of several such cells cannot be asked for so: they are
# looked for in what a pattern publishes (core/suppress/implied_sums.hpp), and where one follows, a
# published cell that it is made of becomes a further primary cell. Its certificates change this
# cell and none of the others that make the sum, hence the sum.
#
# What a reader sees of a table all of whose cells are published or suppressed is not of this kind:
# its sums are sums of cells that were judged.

# The rows for which certificates are wanted.
guarded_rows <- function(x) {
  primary <- x$cells$sdcStatus == "u"
  if (of_units(x) || is.null(table_crossings(x$original))) {
    return(which(primary))
  }
  which(primary | small_unseen(x$cells, in_crossings(x), x$original$dimnames, x))
}

n_unseen <- function(x) length(guarded_rows(x)) - sum(x$cells$sdcStatus == "u")

# ---- sums ---------------------------------------------------------------------------------------

# Steps of the elimination and of the search, some tenths of a second.
max_implied_steps <- 5e7

# The small sums of unseen cells that follow from what is published: `leaves`, rows of the table
# itself; `term`, rows that are published, and `times`, how often each counts in the sum, or none
# where it is made of fractions. `complete`: were all found?
implied_sums <- function(x) {
  none <- list(sums = list(), complete = TRUE)
  crossings <- if (!of_units(x)) table_crossings(x$original)
  inner <- inner_rows(x$cells, x$original$dimnames)
  if (is.null(crossings) || all(in_crossings(x)[inner])) {
    return(none)
  }
  seen <- in_crossings(x) & !is_hidden(x)
  held <- cells_above_leaves(x, inner)
  held <- lapply(held, `[`, seen[held$row])
  zero <- unique(held$leaf[x$cells$freq[held$row] == 0])
  held <- lapply(held, `[`, !held$leaf %in% zero)
  by <- order(held$leaf, held$row)
  shown <- unique(held$row)
  found <- with_core(cpp_implied_sums(
    cumsum(c(0L, tabulate(held$leaf, length(inner)))), match(held$row[by], shown),
    x$cells$freq[inner], length(shown), if (x$protectZeros) 0 else 1, x$maxN, max_implied_steps
  ))
  sums <- lapply(found$sums, function(sum) {
    list(leaves = inner[sum$leaves], term = shown[sum$term], times = sum$times)
  })
  found$sums <- Filter(function(sum) !is_sum_of_primary(sum$leaves, x, inner), sums)
  found
}

# All pairs of a cell of the table itself, `leaf` (its place among them), and the `row` of a cell or
# total that holds it.
cells_above_leaves <- function(x, inner) {
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], levels)
  codes <- lapply(unclass(x$cells)[names(labels)], function(column) as.integer(column)[inner])
  held <- lapply(names(labels), function(v) {
    nodes_of_leaves(v, x$original$dimnames[[v]], x$hierarchies[[v]], labels[[v]])
  })
  pairs <- linked_pairs(unname(codes), held, lengths(labels, FALSE))
  row <- rows_of_cells(pairs$cell, x$cells, names(labels))
  list(leaf = pairs$row, row = row)
}

# Is a sum made of suppressed cells that were judged each by itself? Then it is a sum like those of
# tables without crossings.
is_sum_of_primary <- function(leaves, x, inner) {
  own <- match(leaves, inner)
  primary <- which(x$cells$sdcStatus == "u" & in_crossings(x))
  if (length(primary) == 0) {
    return(FALSE)
  }
  held <- cells_above_leaves(x, inner)
  of <- split(held$leaf, factor(held$row, primary))
  of <- unique(lapply(Filter(function(some) all(some %in% own), of), sort))
  covers <- function(left) {
    if (length(left) == 0) {
      return(TRUE)
    }
    fits <- Filter(function(some) left[1] %in% some && all(some %in% left), of)
    any(vapply(fits, function(some) covers(setdiff(left, some)), NA))
  }
  covers(own)
}

# ---- the search ---------------------------------------------------------------------------------

max_implied_rounds <- 20

# Searches, by `run`, until no small sum follows from what is published. Each time a cell of every
# sum that does becomes primary. What is necessary was proved by the first search.
search_without_sums <- function(run, x, asked) {
  found <- first <- run(asked)
  asked$guards <- logical(nrow(asked$measure$cells))
  if (!is.null(asked$given) && !asked$ask$repair) {
    return(found)
  }
  for (round in seq_len(max_implied_rounds)) {
    x$cells <- measured_cells(asked$measure, found$suppressed, asked$measure$primary)
    more <- unlist(lapply(implied_sums(x)$sums, cheapest_term, x = x, asked = asked))
    if (length(more) == 0) break
    asked$guards[more] <- TRUE
    found <- run(asked)
    found$bound <- first$bound
    found$optimal <- FALSE
  }
  found
}

# The published cell to suppress so that a sum no longer follows: one that it is made of, which
# holds some of its leaves where there are such.
cheapest_term <- function(sum, x, asked) {
  row <- sum$term
  if (length(row) == 0) {
    held <- cells_above_leaves(x, sum$leaves)
    row <- unique(held$row[in_crossings(x)[held$row] & !is_hidden(x)[held$row]])
  }
  row <- row[!asked$kept[row] & x$cells$freq[row] > 0]
  row[which.min(asked$cost[row])]
}

# ---- words --------------------------------------------------------------------------------------

most_named_sums <- 3

# What a pattern gives away, in words that show no count: "g1 - h1 = a2".
implied_faults <- function(x, found = implied_sums(x)) {
  words <- vapply(utils::head(found$sums, most_named_sums), implied_words, "", x = x)
  more <- length(found$sums) - length(words)
  if (length(words) > 0) {
    paste0("Small counts that no crossing shows follow from published ones: ",
           paste(words, collapse = "; "),
           if (more > 0) paste0("; and ", format_count(more), " more"), ".")
  }
}

implied_words <- function(sum, x) {
  columns <- unclass(x$cells)[names(x$original$dimnames)]
  name <- function(rows) {
    labels <- lapply(columns, function(column) as.character(column)[rows])
    do.call(paste, c(unname(labels), sep = " x "))
  }
  by <- order(-sum$times)
  sign <- ifelse(sum$times < 0, " - ", " + ")
  times <- ifelse(abs(sum$times) == 1, "", paste0(abs(sum$times), " "))
  terms <- paste0(paste0(sign, times, name(sum$term), recycle0 = TRUE)[by], collapse = "")
  made <- paste(name(sum$leaves), collapse = " + ")
  if (nzchar(terms)) paste(sub("^ [+] ", "", terms), "=", made) else made
}

unseen_count_words <- function(x) {
  n <- n_unseen(x)
  if (n > 0) paste0(format_count(n), " of them ", if (n == 1) "is" else "are",
                   " shown by no crossing, and judged as what follows from those that are")
}
