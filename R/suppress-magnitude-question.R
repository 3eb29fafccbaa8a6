# What is asked of the search for magnitudes. Numbers of rows are those of the rows that take part:
# published cells and totals that are not 0, and cells of the table that nobody publishes.

# Contributors who know the same are one knower, a `class`: for each holder of `held` its number;
# and of each class where it is `alone`, and of which parts the `first` or some `other` is its own.
contributor_classes <- function(held, size) {
  place <- sequence(rle(held$row)$lengths)
  kind <- ifelse(size[held$row] == 1, 0, ifelse(place == 1, 1, 2))
  code <- 3 * held$row + kind
  by <- order(held$holder, code)
  known <- split(code[by], held$holder[by])
  key <- vapply(known, function(codes) paste(codes, collapse = " "), "")
  first <- !duplicated(key)
  of_kind <- function(k) {
    lapply(unname(known[first]), function(codes) as.integer(codes[codes %% 3 == k] %/% 3))
  }
  list(holder = as.integer(names(known)), class = match(key, key[first]),
       knowers = list(alone = of_kind(0), first = of_kind(1), other = of_kind(2)))
}

# `at`: the rows that take part; `sums`: lists of rows whose sums must not be known.
unit_question <- function(x, measure, at, sums, readers) {
  needs <- outsider_needs(measure)
  # a certificate may be multiplied
  if (knows_no_limit(measure)) needs$up <- needs$down <- rep(0, nrow(needs))
  place <- function(rows) match(rows, at)
  out <- list(
    parts = list(row = integer(), first = numeric(), second = numeric()), knowers = list(),
    circles = list(integer()),
    demands = list(row = place(needs$row), up = needs$up, down = needs$down,
                   circle = rep(1L, nrow(needs)), outside = rep(FALSE, nrow(needs))),
    who = list(holder = integer(), class = integer())
  )
  if ("contributor" %in% readers) {
    out <- with_contributors(out, contributor_needs(x, measure), x, measure, at)
  }
  out$sums <- lapply(sums, function(rows) place(cells_below(rows, at, measure$table, measure)))
  out
}

with_contributors <- function(out, needs, x, measure, at) {
  held <- needs$held
  inner <- intersect(inner_rows(measure$cells, x$dimnames), at)
  held <- held[held$row %in% inner, ]
  # nobody's part limits a total where those of others may be negative
  if (!is.null(measure$least)) held <- held[needs$size[held$row] == 1, ]
  if (nrow(held) == 0) {
    return(out)
  }
  held$row <- match(held$row, at)
  size <- needs$size[at]
  classes <- contributor_classes(held, size)
  top <- top_holders(held, length(at))$value
  split <- which(size > 1 & seq_along(at) %in% held$row)
  parts <- function(rows) lapply(rows, function(of) match(of, split))
  known <- classes$knowers
  out$parts <- list(row = split, first = top[split, 1], second = top[split, 2])
  out$knowers <- Map(function(alone, first, other) {
    list(alone = alone, first = first, other = other)
  }, known$alone, parts(known$first), parts(known$other))
  out$who <- classes[c("holder", "class")]
  asked <- class_demands(needs, measure, classes)
  n <- length(asked$row)
  out$circles <- c(out$circles, asked$circle)
  add <- list(row = match(asked$row, at), up = asked$up, down = numeric(n),
              circle = 1L + seq_len(n), outside = asked$outside)
  out$demands <- Map(c, out$demands, add)
  out
}

# The demands of classes of contributors: those with a part in a primary row, by what they need, and
# those outside of all these, without one.
class_demands <- function(needs, measure, classes) {
  primary <- which(measure$primary)
  own <- needs_of_parts(needs, primary)
  own$class <- classes$class[match(own$holder, classes$holder)]
  own <- own[!is.na(own$class), ]
  asked <- own[!own$alone, ]
  # of a class the one who needs most
  asked <- asked[order(asked$row, asked$class, -asked$up), ]
  asked <- asked[!duplicated(asked[c("row", "class")]), ]
  asked <- asked[order(asked$row, asked$up, asked$class), ]
  new <- !duplicated(asked[c("row", "up")])
  inside <- unname(split(as.integer(asked$class), cumsum(new)))
  members <- unique(own[order(own$row, own$class), c("row", "class")])
  members <- unname(split(as.integer(members$class), factor(members$row, primary)))
  others <- lengths(members) < length(classes$knowers$alone)
  n <- c(sum(new), sum(others))
  list(row = c(asked$row[new], primary[others]),
       up = c(asked$up[new], needs_without_part(needs, primary[others])),
       circle = c(inside, members[others]), outside = rep(c(FALSE, TRUE), n))
}

# The rows of a sum that take part; in place of a total that does not, the cells below it.
cells_below <- function(rows, at, x, measure) {
  hidden <- setdiff(rows, at)
  if (length(hidden) == 0) {
    return(rows)
  }
  labels <- lapply(unclass(measure$cells)[names(x$dimnames)], as.character)
  held <- Map(function(levels, totals) {
    c(as.list(rlang::set_names(levels)), Map(function(t) levels[t], totals))
  }, x$dimnames, table_totals(x))
  inner <- intersect(inner_rows(measure$cells, x$dimnames), at)
  below <- lapply(hidden, function(row) {
    inside <- Map(function(label, of) label[inner] %in% of[[label[row]]], labels, held)
    inner[Reduce(`&`, inside)]
  })
  unique(c(intersect(rows, at), unlist(below)))
}
