# A table of counts with variables A, B, ... and levels a1, a2, ...
lettered_table <- function(counts, dim) {
  names <- LETTERS[seq_along(dim)]
  labels <- Map(function(k, name) paste0(tolower(name), seq_len(k)), dim, names)
  as.table(array(counts, dim, rlang::set_names(labels, names)))
}

# All tables of whole numbers with given margins, cell by cell: each cell takes every value that
# no margin forbids. A column for each table.
enumerate_by_margins <- function(x, sets) {
  index <- lapply(sets, function(set) {
    levels <- arrayInd(seq_along(x), dim(x))[, set, drop = FALSE]
    code <- apply(levels, 1, paste, collapse = " ")
    match(code, unique(code))
  })
  left <- lapply(index, function(at) as.vector(rowsum(as.vector(x), at)))
  last <- lapply(index, function(at) !duplicated(at, fromLast = TRUE))
  found <- list()
  value <- numeric(length(x))
  place <- function(i, left) {
    if (i > length(x)) {
      found[[length(found) + 1]] <<- value
      return(invisible())
    }
    room <- mapply(function(m, at) m[at[i]], left, index)
    closing <- vapply(last, function(l) l[i], NA)
    tries <- if (any(closing)) unique(room[closing]) else seq(0, min(room))
    if (length(tries) > 1 && any(closing)) return(invisible())
    for (v in tries) {
      if (v > min(room)) next
      value[i] <<- v
      place(i + 1, Map(function(m, at) {
        m[at[i]] <- m[at[i]] - v
        m
      }, left, index))
    }
  }
  place(1, left)
  do.call(cbind, found)
}

bounds_frame <- function(...) as.data.frame(bounds_margins(..., progress = FALSE))

# Sets of variables by name.
named_sets <- function(x, sets) lapply(sets, function(set) names(dimnames(x))[set])

random_release <- function(k) {
  sets <- replicate(sample(2:4, 1), sort(sample(k, sample(seq_len(k - 1), 1))), simplify = FALSE)
  unique(c(sets, as.list(setdiff(seq_len(k), unlist(sets)))))
}

# All vectors of n whole numbers with a given sum, a column for each.
all_with_total <- function(n, total) {
  bars <- utils::combn(total + n - 1, n - 1)
  apply(rbind(0, bars, total + n), 2, diff) - 1
}

# The sum of each row of a frame of cells ("Total": all levels) in each table, a row for each sum.
sums_in_tables <- function(frame, labels, tables) {
  cells <- expand.grid(labels, stringsAsFactors = FALSE)
  sums <- vapply(seq_len(nrow(frame)), function(i) {
    held <- rep(TRUE, nrow(cells))
    for (v in intersect(names(labels), names(frame))) {
      level <- as.character(frame[[v]][i])
      if (level != "Total") held <- held & cells[[v]] == level
    }
    colSums(tables[held, , drop = FALSE])
  }, numeric(ncol(tables)))
  matrix(sums, nrow(frame), byrow = TRUE)
}
