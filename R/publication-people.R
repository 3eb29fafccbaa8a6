# The people of a record, and who is alone in cells of several of its tables.

most_people <- 2e4

# What single people know: `cells`, each once for each of them, and `reader`. Nobody knows whether
# the one person of a cell is that of a cell of another table, where the two cells can have the same
# person. So a reader is each largest set of cells that one person can be alone in, and knows what
# all of them show; that is what she knows if she is, and more if she is not. A cell that is her own
# is not asked of her, but of the rest of the set, who may be somebody else.
joined_people <- function(all, labels) {
  if (NROW(all) == 0) {
    return(list(cells = NULL, reader = integer(), n = 0L))
  }
  variables <- names(labels)
  for (v in setdiff(variables, names(all))) all[[v]] <- "Total"
  held <- held_leaves(all[variables], labels)
  same <- match(leaf_keys(held), unique(leaf_keys(held)))
  who <- which(all$own & !duplicated(ifelse(all$own, same, NA)))
  rows_of <- lapply(who, function(one) {
    which(all$person %in% all$person[all$own & same == same[one]])
  })
  largest <- largest_sets(can_be_one(lapply(held, `[`, who), labels))
  sets <- unique(unlist(lapply(largest, with_rests, lapply(rows_of, function(rows) same[rows])),
                        recursive = FALSE))
  rows <- lapply(sets, function(set) unique(unlist(rows_of[set])))
  at <- unlist(rows)
  list(cells = all[at, variables, drop = FALSE], reader = rep(seq_along(rows), lengths(rows)),
       n = length(rows))
}

# A set, and for each cell that it knows those who do not.
with_rests <- function(set, known) {
  rests <- lapply(unique(unlist(known[set])), function(cell) {
    set[!vapply(known[set], function(cells) cell %in% cells, NA)]
  })
  lapply(c(list(set), Filter(length, rests)), sort)
}

# For each variable the levels that each cell holds; of a sum over all, all of them.
held_leaves <- function(cells, labels) {
  Map(function(label, name) {
    code <- match(cells[[name]], label$names)
    out <- label$held[code]
    out[is.na(code)] <- list(seq_along(label$levels))
    out
  }, labels, names(labels))
}

leaf_keys <- function(held) {
  do.call(paste, c(unname(lapply(held, function(of) vapply(of, paste, "", collapse = " "))),
                   sep = "|"))
}

# Which two cells have a leaf cell of all variables in common?
can_be_one <- function(held, labels) {
  n <- length(held[[1]])
  out <- matrix(TRUE, n, n)
  for (v in names(labels)) {
    holds <- matrix(0, n, length(labels[[v]]$levels))
    holds[cbind(rep(seq_len(n), lengths(held[[v]])), unlist(held[[v]]))] <- 1
    out <- out & tcrossprod(holds) > 0
  }
  diag(out) <- FALSE
  out
}

# The largest sets of which each two fit (Bron and Kerbosch 1973, with a pivot).
largest_sets <- function(fits) {
  out <- list()
  extend <- function(set, some, done) {
    if (length(out) > most_people) abort_many_people()
    if (length(some) == 0 && length(done) == 0) out[[length(out) + 1]] <<- set
    if (length(some) == 0) {
      return(invisible())
    }
    both <- c(some, done)
    pivot <- both[which.max(rowSums(fits[both, some, drop = FALSE]))]
    for (one in some[!fits[pivot, some]]) {
      near <- which(fits[one, ])
      extend(c(set, one), intersect(some, near), intersect(done, near))
      some <- setdiff(some, one)
      done <- c(done, one)
    }
  }
  extend(integer(), seq_len(nrow(fits)), integer())
  out
}

abort_many_people <- function() {
  abort_sdc("too_large", c(
    "The tables of a record may have at most {format_count(most_people)} sets of cells that one
     person can be alone in.",
    x = "They have more.", i = "Merge small levels, so that fewer people are alone."
  ))
}

abort_other_people <- function(years = list()) {
  abort_sdc("refused", c(
    "All publications of a record must be of the same people.",
    x = "No table agrees with this one and with those that are out.",
    i = if (length(years) > 0) {
      "Or do counts change by more than {.arg change} from one year to the next?"
    } else {
      "Make a record for each table of people, and for each year."
    }
  ))
}

# Of cells that are not zero, where zeros have no row.
most_cells <- function(zeros) {
  if (zeros) max_suppressed_cells else getOption("sdcLattice.max_cells", 5e7)
}

# Rows that the libraries could not work on in a day anyway.
max_suppressed_cells <- 1e7
