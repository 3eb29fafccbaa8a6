# "3/4" or "2" as a number.
fraction <- function(x) {
  parts <- strsplit(as.character(x), "/", fixed = TRUE)
  vapply(parts, function(p) as.numeric(p[1]) / if (length(p) == 2) as.numeric(p[2]) else 1, 0)
}

read_fixture <- function(name, ...) {
  jsonlite::fromJSON(test_path("fixtures", name), ...)
}

# A square (or other) table with plain labels.
plain_table <- function(counts, dim = NULL) {
  if (is.null(dim)) dim <- dim(counts)
  labels <- lapply(dim, function(n) as.character(seq_len(n)))
  names(labels) <- LETTERS[seq_along(dim)]
  as.table(array(counts, dim, labels))
}

# The posterior as a list with a named vector of probabilities for each cell.
laws_of <- function(po) {
  long <- as.data.frame(po)
  labels <- dimnames(po$publication$table)
  key <- do.call(paste, c(unname(long[names(labels)]), sep = ","))
  cells <- do.call(paste, c(unname(expand.grid(labels, stringsAsFactors = FALSE)), sep = ","))
  laws <- split(long[c("value", "probability")], factor(key, levels = cells))
  lapply(laws, function(law) stats::setNames(law$probability, law$value))
}

expect_law <- function(found, values, probabilities, tolerance = 1e-10) {
  testthat::expect_identical(names(found), as.character(values))
  testthat::expect_equal(unname(found), probabilities, tolerance = tolerance)
}

# The slow twin: every original in the box of tables within reach of the published one, each run
# forward through all coin sequences by the definition of the mechanism.
forward_likelihood <- function(original, published, moves, sequence, alpha, beta, rule) {
  tables <- list(original)
  weights <- 1
  for (cycle in sequence) {
    move <- moves[[cycle]]
    next_tables <- list()
    next_weights <- numeric()
    for (i in seq_along(tables)) {
      t <- tables[[i]]
      support <- move != 0
      open <- all(t[support] >= abs(move[support]))
      plus <- if (rule == "blocked") open else all(t + move >= 0)
      minus <- if (rule == "blocked") open else all(t - move >= 0)
      stay <- 1 - alpha * plus - beta * minus
      next_tables <- c(next_tables, list(t + move)[plus], list(t - move)[minus], list(t))
      next_weights <- c(next_weights, (weights[i] * alpha)[plus], (weights[i] * beta)[minus],
                        weights[i] * stay)
    }
    key <- vapply(next_tables, paste, "", collapse = " ")
    weights <- as.vector(tapply(next_weights, factor(key, unique(key)), sum))
    tables <- next_tables[!duplicated(key)]
  }
  sum(weights[vapply(tables, function(t) all(t == published), NA)])
}
