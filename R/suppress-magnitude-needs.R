# What certificates of magnitudes must reach, in units: for everybody, and for each contributor.
# The search asks for it, the check of certificates looks whether they do, and audit() asks the same
# of the equations.

# `measure`: unit_measure(). A row for each primary cell: `up` and `down`, how far from its total
# other tables must lie. What keeps contributor 2 from coming near the largest is one of the two,
# which the levels of some rules leave out: then the upper end goes farther.
outsider_needs <- function(measure) {
  row <- which(measure$primary)
  judged <- lapply(unclass(measure$judged), function(column) column[row])
  total <- measure$cells$freq[row]
  others <- judged$largest + judged$second
  near <- judged$highest - others < judged$reach & judged$lowest - others > -judged$reach
  highest <- ifelse(near, others + judged$reach, judged$highest)
  list2data_frame(list(row = row, up = highest - total, down = total - judged$lowest), length(row))
}

# The contributors to all rows, and what they need: `held`, row_holders(); `size`, how many
# contribute to each row; and `needed(row, own, other)`: how far above the total of a primary row a
# table must lie for somebody who has `own` in it, where `other` is the largest value of another
# contributor. 0: another total is enough, in whichever direction.
contributor_needs <- function(x, measure) {
  held <- row_holders(x, measure$cells)
  n <- nrow(measure$cells)
  size <- tabulate(held$row, n)
  total <- measure$cells$freq
  if (!is.null(measure$least)) {
    # as everybody, see signed_needs()
    high <- if (knows_no_limit(measure)) total else measure$judged$highest
    return(list(held = held, size = size,
                needed = function(row, own, other) pmax(high[row] - total[row], 0)))
  }
  asked <- reader_needs(measure$judged, held, size, measure$rules, measure$p)
  list(held = held, size = size, needed = function(row, own, other) {
    found <- asked(row, own, other)
    ifelse(found$low >= 0, 0, found$high - total[row])
  })
}

# Is a total either known or any number?
knows_no_limit <- function(measure) !all(is.finite(measure$least))

# What contributors have of primary rows: `row`, `holder`, `up`, and whether she is `alone`.
needs_of_parts <- function(needs, primary) {
  held <- needs$held
  at <- held[held$row %in% primary, ]
  who <- list2data_frame(list(first = at$holder, second = rep(NA_integer_, nrow(at))), nrow(at))
  other <- largest_other(held, length(needs$size), at$row, who)
  list2data_frame(list(
    row = at$row, holder = at$holder, up = needs$needed(at$row, at$value, other),
    alone = needs$size[at$row] == 1
  ), nrow(at))
}

# What those need who have no part in a primary row.
needs_without_part <- function(needs, primary) {
  top <- top_holders(needs$held, length(needs$size))$value[primary, 1]
  needs$needed(primary, numeric(length(primary)), top)
}
