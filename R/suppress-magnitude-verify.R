# What certificates of magnitudes prove. It shares no code with the search: totals come from the
# code that adds up magnitudes, the levels from the rules, what contributors have from the records,
# and sums of suppressed cells from the equations, as in audit().

# 0 nothing, 1 another total in a published cell, 2 a total below 0, or below the limit that readers
# know of a table that may be negative.
unit_certificate_faults <- function(x, changed) {
  status <- x$cells$sdcStatus[changed$row]
  low <- unit_totals(x)[changed$row] + changed$change < unit_limits(x)[changed$row]
  out <- numeric(n_certificates(x))
  out[changed$certificate[low]] <- 2
  out[changed$certificate[!status %in% c("u", "x", "n")]] <- 1
  out
}

unit_limits <- function(x) {
  held <- x$original
  if (is.null(x$lowest)) {
    return(numeric(nrow(x$cells)))
  }
  least_values(x$cells, held$dimnames, held$hierarchies, held$total_label,
               lowest_units(x$lowest, held))
}

unit_totals <- function(x) in_units(x$cells$total, x$original)

# As proved_intervals(). `open` names contributors by their number in `who`, and has a row for each
# part of a sum that follows and is sensitive: the reader is "sum", and `who` the sum's number.
# `sums`: asks for these, and returns them, see sensitive_sums().
proved_units <- function(x, changed, measure = measure_of(x), sums = TRUE) {
  needs <- outsider_needs(measure)
  values <- changed[changed$row %in% needs$row, ]
  if (knows_no_limit(measure)) values <- with_multiples(values)
  at <- match(values$row, needs$row)
  n <- nrow(needs)
  cells <- list2data_frame(list(row = needs$row, fall = -reached(-values$change, at, n),
                                rise = reached(values$change, at, n)), n)
  met <- cells$rise >= needs$up & -cells$fall >= needs$down & cells$rise - cells$fall >= 1
  unmet <- needs$row[!met]
  asked <- list(outsider = c(readers = 1, pairs = n, lacking = length(unmet)))
  open <- open_cells(unmet, "outsider")
  if ("contributor" %in% x$readers) {
    found <- open_to_holders(x, measure, values[met[at], ], changed, needs)
    open <- rbind(open, open_cells(found$row, "contributor", found$who))
    pairs <- found$pairs_of(needs$row)
    asked$contributor <- c(readers = found$readers, pairs = pairs,
                           lacking = nrow(found$open) + found$pairs_of(unmet))
  }
  if (sums) {
    sums <- sensitive_sums(x, measure, changed)
    open <- rbind(open, lacking_sums(sums))
  }
  list(cells = cells, needs = needs, open = open, asked = asked, sums = sums)
}

# Where readers know no limit every multiple of a certificate is another table, also what it takes
# away instead.
with_multiples <- function(values) {
  values <- values[rep(seq_len(nrow(values)), each = 2), ]
  values$change <- rep(c(-Inf, Inf), length.out = nrow(values))
  values
}

lacking_sums <- function(sums) {
  number <- rep(seq_along(sums$rows), lengths(sums$rows))
  open <- open_cells(as.numeric(unlist(sums$rows)), "sum", number)
  if (sums$unsure > 0) {
    more <- open_cells(rep(NA_real_, sums$unsure), "sum", length(sums$rows) + seq_len(sums$unsure))
    open <- rbind(open, more)
  }
  open
}

# A row for each primary cell, for the check's reader.
certified_units <- function(x, proved) {
  at <- proved$cells$row
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], function(column) column[at])
  flags <- lapply(rlang::set_names(names(proved$asked)), function(reader) {
    !at %in% proved$open$row[proved$open$reader %in% up_to_reader(reader)]
  })
  total <- unit_totals(x)[at]
  list2data_frame(c(labels, list(
    total = x$cells$total[at], least = in_values(total + proved$cells$fall, x$original),
    most = in_values(total + proved$cells$rise, x$original),
    need_least = in_values(total - proved$needs$down, x$original),
    need_most = in_values(total + proved$needs$up, x$original)
  ), flags), length(at))
}

# ---- contributors -------------------------------------------------------------------------------

# The pairs of a primary row and a contributor who may learn it. A table is no news to her when it
# leaves her the totals that are hers alone, and nowhere less than she has. `values`: the changes of
# primary rows that the outsider does not know.
open_to_holders <- function(x, measure, values, changed, needs) {
  of <- contributor_needs(x$original, measure)
  hidden <- is_hidden(x)
  holders <- sort(unique(of$held$holder[hidden[of$held$row]]))
  alone <- which(of$size == 1)
  out <- list(readers = length(holders), pairs_of = function(rows) {
    length(rows) * as.double(length(holders)) - sum(rows %in% alone)
  })
  excluded <- excluded_pairs(x, changed, of)
  pairs <- pairs_to_ask(values, excluded, needs, n_certificates(x))
  need <- needed_of_pairs(pairs, of)
  asked <- !need$alone
  pairs <- list(row = pairs$row[asked], who = pairs$who[asked])
  up <- need$up[asked]
  tried <- matches(pairs$row, values$row)
  key <- function(certificate, who) paste(certificate, who)
  unseen <- !key(values$certificate[tried$y], pairs$who[tried$x]) %in%
    key(excluded$certificate, excluded$who)
  change <- values$change[tried$y]
  good <- unseen & (change >= up[tried$x] & up[tried$x] > 0 | change != 0 & up[tried$x] == 0)
  open <- !seq_along(pairs$row) %in% tried$x[good]
  c(out, list(row = pairs$row[open], who = pairs$who[open],
              open = list2data_frame(list(row = pairs$row[open]), sum(open))))
}

# The tables that a contributor can exclude: those that change what is hers alone, or have less than
# she has.
excluded_pairs <- function(x, changed, of) {
  held <- of$held
  pair <- matches(changed$row, held$row)
  after <- unit_totals(x)[changed$row] + changed$change
  # parts limit nothing where those of others may be negative
  less <- is.null(x$lowest) & after[pair$x] < held$value[pair$y]
  excluded <- of$size[held$row[pair$y]] == 1 | less
  out <- list(certificate = changed$certificate[pair$x][excluded],
              who = held$holder[pair$y][excluded])
  keep <- !duplicated(paste(out$certificate, out$who))
  lapply(out, `[`, keep)
}

# Of each row the table that serves everybody who does not exclude it: the one that the fewest do,
# of those that reach far enough. So only these few are asked about.
pairs_to_ask <- function(values, excluded, needs, n) {
  far <- values$change >= needs$up[match(values$row, needs$row)]
  by <- values[far, ]
  by <- by[order(by$row, tabulate(excluded$certificate, n)[by$certificate]), ]
  by <- by[!duplicated(by$row), ]
  pair <- matches(by$certificate, excluded$certificate)
  list(row = by$row[pair$x], who = excluded$who[pair$y])
}

# What somebody needs of a primary row, with or without a part in it.
needed_of_pairs <- function(pairs, of) {
  rows <- unique(pairs$row)
  own <- needs_of_parts(of, rows)
  at <- match(paste(pairs$row, pairs$who), paste(own$row, own$holder))
  without <- needs_without_part(of, rows)[match(pairs$row, rows)]
  list(up = ifelse(is.na(at), without, own$up[at]), alone = !is.na(at) & own$alone[at])
}

# ---- sums ---------------------------------------------------------------------------------------

# The sums of suppressed cells that follow from the published totals and are sensitive: `rows` and
# `rules` of each, and for how many groups of cells that was not settled (`unsure`). Large tables
# have more time: a question for each firm takes longer the more cells there are.
sensitive_sums <- function(x, measure, changed, seconds = max(60, sum(is_hidden(x)) / 50)) {
  held <- x$original
  cells <- measure$cells
  cells$suppressed <- is_hidden(x)
  hidden <- which(cells$suppressed)
  view <- reader_view(cells, held$dimnames, held$hierarchies, measure$least)
  known <- rep(FALSE, length(hidden))
  # what some certificate changes nobody knows
  if (!all(hidden %in% changed$row)) {
    bounds <- view_bounds(view, seconds, FALSE)
    known <- bounds$lower == bounds$upper
  }
  is_known <- replace(rep(FALSE, nrow(cells)), hidden, known)
  holders <- row_holders(held, cells)
  holders <- holders[cells$suppressed[holders$row], ]
  unions <- hidden_unions(cells, held$dimnames, held$hierarchies, is_known)
  alone <- as.list(which(is_known & !is_withheld(x)))
  unions <- sensitive_unions(c(unions, alone), holders, measure$rules, measure$p)
  derived <- derived_unions(view$system, hidden, known, holders, unions$rows, measure$rules,
                            measure$p, seconds)
  list(rows = c(unions$rows, derived$rows), rules = c(unions$rules, derived$rules),
       unsure = derived$unsure)
}
