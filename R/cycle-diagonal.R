# The set of the slides for tables of three variables: cycles that run along diagonals.

# As moves with numbers: a reader needs no rule to use them.
new_diagonal_set <- function(labels, ring) {
  at <- diagonal_roles(lengths(labels, use.names = FALSE), ring)
  entries <- diagonal_entries(lengths(labels, use.names = FALSE), at)
  new_sdc_cycles("user", labels, entries, margins_without_one(labels))
}

# Which variable is the ring, which one gives the rows and which one the layers.
diagonal_roles <- function(size, ring) {
  long <- which(size > 1)
  if (length(long) != 3) {
    abort_sdc("input", c(
      "A diagonal set needs a table of three variables with at least two levels each.",
      x = "The table has {length(long)}.",
      i = "{.code set = \"margin\"} takes any number."
    ))
  }
  roles <- expand.grid(layers = rev(long), rows = long, ring = rev(long))
  roles <- roles[apply(roles, 1, function(at) !anyDuplicated(at)), ]
  fits <- size[roles$rows] %% size[roles$ring] == 0 &
    (size[roles$ring] > 2 | size[roles$layers] %% 2 == 0)
  if (!is.null(ring)) fits <- fits & roles$ring == ring
  if (!any(fits)) abort_no_diagonals(size, ring)
  roles <- roles[fits, ]
  unlist(roles[order(-size[roles$ring])[[1]], ])
}

abort_no_diagonals <- function(size, ring) {
  sizes <- paste(size, collapse = " x ")
  abort_sdc("input", c(
    "A diagonal set needs a variable, the ring, and another one whose number of levels is the same
     or a multiple. A ring of two levels needs an even number of layers.",
    x = if (is.null(ring)) "The table has {sizes} cells: no variable can be the ring.",
    x = if (!is.null(ring)) "The table has {sizes} cells: variable {ring} cannot be the ring.",
    i = "{.code set = \"margin\"} takes any numbers of levels."
  ))
}

# Cycle c has +1 in layer k where ring - row = a_k + c, and -1 where it is a_(k + 1) + c, modulo n.
diagonal_entries <- function(size, at) {
  n <- size[[at[["ring"]]]]
  walk <- diagonal_walk(size[[at[["layers"]]]], n)
  place <- arrayInd(seq_len(prod(size)), size) - 1
  layer <- place[, at[["layers"]]] + 1
  class <- place[, at[["ring"]]] - place[, at[["rows"]]]
  cycle <- c((class - walk[layer]) %% n, (class - c(walk, 0)[layer + 1]) %% n)
  sign <- rep(c(1L, -1L), each = nrow(place))
  cell <- rep(seq_len(nrow(place)), 2)
  by <- order(cycle, cell)
  pack_entries(tabulate(cycle + 1, n), cell[by], sign[by])
}

# A closed walk over the ring, a step for each layer: 0, 1, 2, ... Its last step must not stand
# still, so where it would, it goes back by way of 1.
diagonal_walk <- function(layers, n) {
  walk <- (seq_len(layers) - 1) %% n
  if (walk[[layers]] == 0) walk[[layers]] <- 1
  walk
}
