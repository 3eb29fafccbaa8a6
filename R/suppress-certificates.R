# Certificates of a suppression. Each is another table that agrees with all that is published, as
# its difference from the true one: the cells of the table itself that change (`row` of $cells), and
# by how much (`change`). All totals follow from these. Whoever has only the publication cannot tell
# the two tables apart.
#
# What is here decides whether certificates hold and what they prove. It shares no code with the
# search: totals come from the code that publishes tables, and nothing is read but the table, the
# status of the cells, the required width and the certificates.

# ---- the frame ----------------------------------------------------------------------------------

certificate_columns <- c("certificate", "row", "change")

# Is the frame what it should be? Certificates are numbered from 1, and stand one after the other.
certificates_fit <- function(x) {
  made <- x$certificates
  n <- NROW(made)
  fits <- function(column) is.numeric(column) && length(column) == n && all(is_whole(column))
  ok <- identical(class(made), "data.frame") && identical(names(made), certificate_columns) &&
    all(vapply(unclass(made), fits, NA))
  if (!ok || n == 0) {
    return(ok)
  }
  all(made$row %in% inner_rows(x$cells, x$original$dimnames)) && all(made$change != 0) &&
    all(abs(made$change) <= 2^53) && made$certificate[1] == 1 &&
    all(diff(made$certificate) %in% 0:1) && !anyDuplicated(cell_in_certificate(made, nrow(x$cells)))
}

# One number for each pair of a certificate and a row.
cell_in_certificate <- function(made, n_rows) (made$certificate - 1) * n_rows + made$row

n_certificates <- function(x) max(x$certificates$certificate, 0)

# All cells and totals that certificates change: `certificate`, `row`, `change`. The row of a cell
# that has none, a published zero, is NA. `made`: some of the certificates, whole. They are added up
# a part at a time, so that what is on the way takes little memory.
changed_cells <- function(x, made = x$certificates) {
  if (nrow(made) == 0) {
    return(made)
  }
  numbers <- numbers_of_rows(x$cells, names(x$original$dimnames))
  parts <- lapply(certificate_parts(x, made), function(rows) {
    changed_by(x, made[rows, ], numbers)
  })
  join <- function(name) unlist(lapply(parts, `[[`, name))
  out <- list(certificate = join("certificate"), row = join("row"), change = join("change"))
  list2data_frame(out, length(out$row))
}

# Rows of the frame, by whole certificates, which change a few million cells at most.
certificate_parts <- function(x, made, most = 4e6) {
  depth <- Map(function(totals, levels) {
    max(1 + tabulate(unlist(totals), length(levels)))
  }, table_totals(x$original), x$original$dimnames)
  own <- !duplicated(made$certificate)
  part <- ceiling(which(own) * prod(unlist(depth)) / most)
  unname(split(seq_len(nrow(made)), part[cumsum(own)]))
}

# What some certificates change. `numbers`: of all rows of the cells.
changed_by <- function(x, made, numbers) {
  names <- unique(made$certificate)
  made$certificate <- match(made$certificate, names)
  more <- summed_changes(x, made[made$change > 0, ])
  less <- summed_changes(x, made[made$change < 0, ])
  both <- match(less$key, more$key)
  also <- !is.na(both)
  more$size[both[also]] <- more$size[both[also]] - less$size[also]
  key <- c(more$key, less$key[!also])
  change <- c(more$size, -less$size[!also])
  by <- order(key)
  by <- by[change[by] != 0]
  at <- key[by] - 1
  box <- prod(node_numbers(x$cells, names(x$original$dimnames)))
  list(certificate = names[at %/% box + 1], row = match_numbers(at %% box + 1, numbers),
       change = change[by])
}

# The sizes of changes added up over all nodes that hold them: a table with one more variable, the
# certificate, which has no total.
summed_changes <- function(x, made) {
  if (nrow(made) == 0) {
    return(list(key = numeric(), size = numeric()))
  }
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], levels)
  codes <- lapply(unclass(x$cells)[names(labels)], function(column) as.integer(column)[made$row])
  # no label of a total is a level of the further variable
  label <- if (of_units(x)) x$original$total_label else x$total_label
  number <- paste0(label, seq_len(max(made$certificate)))
  columns <- c(list(as_level_factor(as.integer(made$certificate), number)),
               Map(as_level_factor, unname(codes), unname(x$original$dimnames)))
  names <- make.unique(c(names(labels), "certificate"))
  names <- c(names[length(names)], names(labels))
  cells <- tabulate_records(encode_columns(columns, names, "error"), nrow(made), abs(made$change))
  shown <- list(rlang::set_names(c(list(number), labels), names))
  whole <- published_table(set_layout(cells, new_layout(suppression_trees(x), label, shown)))
  codes <- stored_codes(whole)
  cell <- combine_codes(codes[-1], lengths(labels, FALSE), length(codes[[1]]))
  list(key = (codes[[1]] - 1) * prod(lengths(labels)) + cell, size = whole$counts)
}

# For each certificate what is wrong with it: 0 nothing, 1 it changes a published cell, 2 it takes a
# count below the least that readers reckon with.
certificate_faults_of <- function(x, changed) {
  status <- x$cells$sdcStatus[changed$row]
  least <- pmax(least_counts(x), kept_counts(x, x$cells, hides_zero(x)))
  low <- x$cells$freq[changed$row] + changed$change < least[changed$row]
  out <- numeric(n_certificates(x))
  out[changed$certificate[which(low)]] <- 2
  out[changed$certificate[!status %in% c("u", "x", "n")]] <- 1
  out
}

# ---- what they prove ----------------------------------------------------------------------------

# `changed`: of certificates that hold. `cells`: for each primary cell how far other tables fall
# below its count and rise above it. `open`: what is not proved (`row`, `reader`, and `who`, the row
# of a cell whose one person is not kept from learning it; of two people the other's is in `with`).
# `asked`: the numbers of readers, of pairs of a reader and a cell, and of those that are lacking.
proved_intervals <- function(x, changed) {
  check_number_of_pairs(x$readers, x$original$counts, length(guarded_rows(x)), x$coalition)
  changed <- changed[!changed$certificate %in% ruled_out_by_groups(x, changed), ]
  single <- if ("contributor" %in% x$readers) single_contributors(x) else no_contributors
  both <- if (!"coalition" %in% x$readers) no_pairs else if (is.null(x$groups)) {
    paired_contributors(x, single)
  } else {
    coalitions_of(x, single)
  }
  proved <- proved_by(x, changed, single, both)
  primary <- proved$cells$row
  open <- rbind(open_cells(proved$unmet, "outsider"), proved$people,
                open_to_both_alone(proved$pairs, proved$people))
  lacking <- lacking_pairs(proved, single)
  asked <- list(outsider = c(readers = 1, pairs = length(primary), lacking = length(proved$unmet)))
  if ("contributor" %in% x$readers) {
    asked$contributor <- c(readers = length(single$who), pairs = pairs_of(single, primary),
                           lacking = lacking - length(proved$unmet))
  }
  if ("coalition" %in% x$readers) {
    asked$coalition <- c(readers = length(both$who), pairs = pairs_of(both, primary),
                         lacking = nrow(proved$pairs) + pairs_of(both, proved$unmet))
  }
  if ("method" %in% x$readers) {
    kept <- if (isTRUE(x$value_free)) keeps_status(x, changed) else integer()
    of_method <- proved_by(x, changed[changed$certificate %in% kept, ], single)
    open <- rbind(open, open_to_method(of_method, open))
    asked$method <- c(readers = 1 + length(single$who),
                      pairs = length(primary) + pairs_of(single, primary),
                      lacking = lacking_pairs(of_method, single))
  }
  list(cells = proved$cells, open = open, asked = asked)
}

# What these certificates prove for readers of the publication (`unmet`: rows of which it is not
# proved), for `single` people (`people`: pairs of a row and one of them besides), and for two of
# them (`pairs`).
proved_by <- function(x, changed, single, both = no_pairs) {
  primary <- guarded_rows(x)
  values <- changed[changed$row %in% primary, ]
  at <- match(values$row, primary)
  cells <- list2data_frame(list(
    row = primary, fall = -reached(-values$change, at, length(primary)),
    rise = reached(values$change, at, length(primary))
  ), length(primary))
  met <- cells$rise - cells$fall >= x$width
  values <- values[met[at], ]
  found <- open_to_contributors(x, values, changed, single)
  found_both <- open_to_contributors(x, values, changed, both)
  list(cells = cells, unmet = primary[!met],
       people = open_cells(found$row, "contributor", single$who[found$reader]),
       pairs = open_cells(found_both$row, "coalition", both$who[found_both$reader],
                          both$with[found_both$reader]))
}

# Of a reader, also a single person, and a cell that is not her own.
lacking_pairs <- function(proved, single) {
  length(proved$unmet) + nrow(proved$people) + pairs_of(single, proved$unmet)
}

# What is open to readers who know the method, and not already `open` to them as readers who do not.
open_to_method <- function(proved, open) {
  unmet <- setdiff(proved$unmet, open$row[open$reader == "outsider"])
  words <- function(frame) paste(frame$row, frame$who)
  people <- proved$people[!words(proved$people) %in% words(open), ]
  rbind(open_cells(unmet, "method"), open_cells(people$row, "method", people$who))
}

# The certificates that lead to tables with the same primary cells and, where zeros are published,
# the same zeros. Where the
# choice of the cells looked at nothing else, it would have been the same for these tables.
keeps_status <- function(x, changed) {
  before <- x$cells$freq[changed$row]
  after <- before + changed$change
  same <- (x$protectZeros | (before > 0) == (after > 0)) &
    is_primary(before, x) == is_primary(after, x)
  setdiff(seq_len(n_certificates(x)), changed$certificate[!same])
}

# Of a person and a cell that is not her own. What everybody may know she may know.
pairs_of <- function(single, rows) {
  as.numeric(length(single$who)) * length(rows) - sum(single$known$row %in% rows)
}

# The largest value of each group (1, ..., n), 0 where it has none above.
reached <- function(value, group, n) {
  out <- numeric(n)
  by <- order(value)
  # of several values for one place the last one stays
  out[group[by]] <- value[by]
  pmax(out, 0)
}

# A table is no news to a person whose cells it leaves as they are. So a cell is open to her when
# the tables that do not reach the width without those that change her cells. Whoever is not
# touched by the tables that a cell needs first is like everybody, and need not be asked about.
open_to_contributors <- function(x, values, changed, single) {
  n <- length(single$who)
  if (n == 0 || nrow(values) == 0) {
    return(list(row = numeric(), reader = numeric()))
  }
  met <- matches(changed$row, single$known$row)
  touched <- unique(pair_of(changed$certificate[met$x], single$known$reader[met$y], n))
  certificate <- (touched - 1) %/% n + 1
  n_touched <- tabulate(certificate, n_certificates(x))
  first <- needed_first(values, n_touched, x$width)
  first <- first[order(first$row), ]
  known <- pair_of(single$known$row, single$known$reader, n)
  parts <- lapply(row_parts(first$row, n_touched[first$certificate]), function(at) {
    near <- matches(first$certificate[at], certificate)
    pair <- unique(pair_of(first$row[at][near$x], (touched[near$y] - 1) %% n + 1, n))
    open_pairs(setdiff(pair, known), n, values, touched, x$width)
  })
  list(row = unlist(lapply(parts, `[[`, "row")), reader = unlist(lapply(parts, `[[`, "reader")))
}

pair_of <- function(what, reader, n) (what - 1) * n + reader

# Parts of sorted rows, each whole, that have some million pairs.
row_parts <- function(row, n_pairs, most = 5e6) {
  own <- !duplicated(row)
  part <- ceiling((cumsum(n_pairs) - n_pairs + 1)[own] / most)
  unname(split(seq_along(row), part[cumsum(own)]))
}

# Of pairs of a cell and a person those that are open.
open_pairs <- function(pair, n, values, touched, width) {
  row <- (pair - 1) %/% n + 1
  reader <- (pair - 1) %% n + 1
  tried <- matches(row, values$row)
  unseen <- !pair_of(values$certificate[tried$y], reader[tried$x], n) %in% touched
  at <- tried$x[unseen]
  change <- values$change[tried$y[unseen]]
  open <- reached(change, at, length(pair)) + reached(-change, at, length(pair)) < width
  list(row = row[open], reader = reader[open])
}

# The tables that reach the width of a cell: one where one does, of these the one that touches the
# fewest people, else the two at the ends.
needed_first <- function(values, n_touched, width) {
  enough <- abs(values$change) >= width
  ends <- function(by, of) {
    by <- by[of[by]]
    by[!duplicated(values$row[by])]
  }
  alone <- ends(order(n_touched[values$certificate]), enough)
  others <- !values$row %in% values$row[alone]
  at <- c(alone, ends(order(values$change), others), ends(order(-values$change), others))
  values[unique(at), ]
}
