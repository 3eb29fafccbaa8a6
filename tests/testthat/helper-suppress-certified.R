# Certified suppressions for several tests, made once.
certified_cases <- local({
  made <- NULL
  function() {
    if (is.null(made)) made <<- made_once("certified_cases", make_certified_cases)
    made
  }
})

make_certified_cases <- function() {
  set.seed(230)
  draw <- function(dim, mean) {
    x <- array(stats::rpois(prod(dim), mean), dim)
    names <- LETTERS[seq_along(dim)]
    dimnames(x) <- stats::setNames(lapply(seq_along(dim), function(v) {
      paste0(tolower(names[v]), seq_len(dim[v]))
    }), names)
    x
  }
  tree <- data.frame(parent = c("all", "all", "p", "p", "q", "q"), child = c("p", "q", "a1", "a2", "a3", "a4"))
  other <- data.frame(parent = c("all", "all", "r", "r", "s", "s"), child = c("r", "s", "a1", "a3", "a2", "a4"))
  frame <- as.data.frame(as.table(draw(c(4, 3, 3), 1)))
  certify <- function(x, ...) {
    suppress(x, method = "certified", time_limit_s = 2, seed = 1, ...)
  }
  suppressWarnings(classes = "sdc_warning_unsafe", expr = list(
    two = certify(draw(c(5, 5), 3), maxN = 2),
    wide = certify(draw(c(5, 5), 5), maxN = 3, width = 3),
    outsider = certify(draw(c(4, 6), 4), maxN = 1, readers = "outsider"),
    three = certify(draw(c(3, 4, 3), 3), maxN = 2),
    tree = certify(draw(c(4, 5), 3), maxN = 3, hierarchies = list(A = tree)),
    trees = certify(draw(c(4, 4), 4), maxN = 3, hierarchies = list(A = list(tree, other))),
    linked = certify(sdc_table(frame, c("A", "B", "C"), freqVar = "Freq", formula = ~ A:B + A:C), maxN = 2),
    one_level = certify(draw(c(5, 1, 4), 4), maxN = 3),
    one_way = certify(draw(9, 3), maxN = 2)
  ))
}

# The counts of all cells and totals of an array of leaf values, in the order of `cells`: each label
# holds its levels, looked up one by one.
naive_totals <- function(values, dimnames, cells, held) {
  variables <- names(dimnames)
  inside <- lapply(variables, function(v) {
    labels <- as.character(cells[[v]])
    sapply(dimnames[[v]], function(level) vapply(labels, function(l) level %in% held[[v]][[l]], NA))
  })
  codes <- arrayInd(seq_along(values), lengths(dimnames))
  holds <- Reduce(`*`, lapply(seq_along(variables), function(v) {
    matrix(inside[[v]], nrow(cells))[, codes[, v], drop = FALSE]
  }))
  as.vector(holds %*% as.vector(values))
}

# What each label of a suppression holds.
held_labels <- function(su) {
  lapply(stats::setNames(names(su$original$dimnames), names(su$original$dimnames)), function(v) {
    held_by_label(su$original$dimnames[[v]], su$hierarchies[[v]], su$total_label)
  })
}

resealed <- function(su) {
  su$seal <- seal_of("suppression", suppression_parts(su))
  su
}
