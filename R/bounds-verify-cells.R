# What a release says of its cells and of the relations between them: read anew from its parts, for
# verify_bounds(). Nothing here is shared with the search for bounds.
#
# A cell has a label of each variable, 0 for all of its levels. Labels that hold the same levels are
# the same: they have one class. What the release says of a cell are its limits. A relation is true
# when its cells differ in one variable alone, and there the levels of the total are those of the
# parts, each once. A table has counts of finest cells; the release holds for it when each sum of
# them lies within what was said of it.

# `x`: bounds; `given`: parts and labels. The cells of the certificates are the unknowns, and their
# relations the rows; `counts`: the rows over the finest cells that occur in tables; `inside`: which
# of these lie in which asked cell.
stated_cells <- function(x, given) {
  made <- x$certificates
  labels <- given$labels
  said <- list(
    dimnames = lapply(labels, `[[`, "levels"), names = lapply(labels, `[[`, "names"),
    faults = cells_faults(made, labels, x)
  )
  if (length(said$faults) > 0) {
    return(said)
  }
  classes <- lapply(labels, label_classes)
  size <- vapply(classes, max, 1)
  asked <- classes_of(x$codes, classes)
  cells <- classes_of(made$cells, classes)
  n <- length(made$cells[[1]] %||% 1)
  key <- tuples(cells, size, n)
  sums <- stated_sums(given$parts, labels, classes)
  at <- match(tuples(sums$classes, size, length(sums$lower)), key)
  met <- which(!is.na(at))
  said <- c(said, said_limits(at[met], sums$lower[met], sums$upper[met], n), list(
    asked = match(tuples(asked, size, length(x$lower)), key),
    words = stated_words(made$cells, cells, labels, classes)
  ))
  if (anyDuplicated(key)) said$faults <- "The certificates name a cell twice."
  inside <- class_levels(labels, classes)
  relations <- made$relations
  if (!all(relations_hold(relations, cells, inside))) {
    said$faults <- c(said$faults, "A relation of the certificates does not hold in the release.")
  }
  first <- seq_along(relations$cell) %in% (relations$start + 1)
  m <- length(relations$variable)
  c(said, list(
    start = relations$start, cell = relations$cell, coefficient = ifelse(first, -1, 1),
    lower = numeric(m), upper = numeric(m),
    counts = stated_counts(made$leaves, sums, inside, length(made$base)),
    inside = leaf_pairs(made$leaves, asked, inside, length(made$base), length(x$lower))
  ))
}

# Are labels, places and starts those of something?
cells_faults <- function(made, labels, x) {
  n <- length(made$cells[[1]] %||% 1)
  within <- function(columns, least, field, n) {
    is.list(columns) && length(columns) == length(labels) && all(lengths(columns) == n) &&
      all(vapply(columns, is.numeric, NA)) &&
      all(mapply(function(column, label) {
        all(column %in% least:length(label[[field]]))
      }, columns, labels) %in% TRUE)
  }
  c(
    if (!within(x$codes, 1, "names", length(x$lower))) {
      "Field `codes` does not name a cell for each interval."
    },
    if (!within(made$cells, 0, "names", n) ||
          !identical(as.character(names(made$cells)), as.character(names(labels)))) {
      "The cells of the certificates are damaged."
    },
    if (!relations_fit(made$relations, n, length(labels))) {
      "The relations of the certificates are damaged."
    },
    if (!is.numeric(made$base) || !within(made$leaves, 1, "levels", length(made$base))) {
      "The tables of the certificates are damaged."
    }
  )
}

relations_fit <- function(relations, n_cells, n_variables) {
  is.list(relations) && is.numeric(relations$cell) && is.numeric(relations$variable) &&
    starts_fit(relations$start, length(relations$cell)) &&
    length(relations$start) == length(relations$variable) + 1 &&
    all(diff(relations$start) > 1) && all(relations$cell %in% seq_len(n_cells)) &&
    all(relations$variable %in% seq_len(n_variables))
}

# ---- labels -----------------------------------------------------------------------------------

# A number for all levels together, then for each label; the same for the same levels.
label_classes <- function(label) {
  held <- c(list(seq_along(label$levels)), label$held)
  key <- vapply(held, function(levels) paste(sort(levels), collapse = " "), "")
  match(key, unique(key))
}

# Labels, 0 for all levels, as classes.
classes_of <- function(codes, classes) {
  Map(function(code, class) class[code + 1], unname(codes), unname(classes))
}

tuples <- function(columns, size, n) {
  if (length(columns) == 0) rep(1, n) else cell_keys(columns, size)
}

# The levels of each class.
class_levels <- function(labels, classes) {
  Map(function(label, class) {
    held <- c(list(seq_along(label$levels)), label$held)
    held[match(seq_len(max(class)), class)]
  }, unname(labels), unname(classes))
}

# What the parts say, row after row.
stated_sums <- function(parts, labels, classes) {
  columns <- lapply(seq_along(labels), function(v) {
    unlist(lapply(parts, function(part) {
      shown <- part$columns[[names(labels)[v]]]
      code <- match(as.character(shown), labels[[v]]$names)
      if (is.null(shown)) code <- numeric(length(part$lower))
      classes[[v]][code + 1]
    }))
  })
  list(classes = columns, lower = unlist(lapply(parts, `[[`, "lower")),
       upper = unlist(lapply(parts, `[[`, "upper")))
}

# The narrowest of what was said of each of n cells; no count is negative.
said_limits <- function(cell, lower, upper, n) {
  out <- list(least = numeric(n), most = rep(Inf, n))
  by <- order(cell, -lower)
  first <- by[!duplicated(cell[by])]
  out$least[cell[first]] <- pmax(0, lower[first])
  by <- order(cell, upper)
  first <- by[!duplicated(cell[by])]
  out$most[cell[first]] <- upper[first]
  out
}

# "A = a1, B = n"; a cell that holds several others is a total.
stated_words <- function(codes, cells, labels, classes) {
  words <- ""
  total <- FALSE
  for (v in seq_along(labels)) {
    label <- labels[[v]]
    whole <- cells[[v]] == classes[[v]][1]
    several <- lengths(c(list(label$levels), label$held))[codes[[v]] + 1] > 1
    own <- ifelse(whole & several, "", paste(names(labels)[v], "=",
                                             c("", label$names)[codes[[v]] + 1]))
    words <- paste0(words, ifelse(nzchar(words) & nzchar(own), ", ", ""), own)
    total <- total | several
  }
  list(cell = words, total = total)
}

# ---- relations --------------------------------------------------------------------------------

# The first cell of each is the total.
relations_hold <- function(relations, cells, levels) {
  n <- length(relations$variable)
  row <- rep(seq_len(n), diff(relations$start))
  first <- relations$cell[relations$start[-(n + 1)] + 1]
  ok <- rep(TRUE, n)
  family <- character(n)
  for (v in seq_along(cells)) {
    own <- relations$variable == v
    class <- cells[[v]][relations$cell]
    apart <- class != cells[[v]][first][row]
    ok[unique(row[apart & !own[row]])] <- FALSE
    of <- split(class[own[row]], row[own[row]])
    family[own] <- vapply(of, paste, "", collapse = " ")
    for (key in unique(family[own])) {
      held <- levels[[v]][of[[match(key, family[own])]]]
      parts <- unlist(held[-1])
      if (anyDuplicated(parts) || !setequal(parts, held[[1]])) ok[own & family == key] <- FALSE
    }
  }
  ok
}

# ---- counts -----------------------------------------------------------------------------------

# The stated sums over the finest cells of tables.
stated_counts <- function(leaves, sums, levels, n_leaves) {
  n <- length(sums$lower)
  pairs <- leaf_pairs(leaves, sums$classes, levels, n_leaves, n)
  list(
    start = cumsum(c(0, tabulate(pairs$sum, n))), cell = pairs$leaf,
    coefficient = rep(1, length(pairs$leaf)), lower = sums$lower, upper = sums$upper,
    least = numeric(n_leaves), most = rep(Inf, n_leaves)
  )
}

# Which finest cells lie in which sums: pairs, by sums. `classes`: of each sum; `levels`: of each
# class of each variable. Variable after variable, the sums that begin alike are looked at together.
leaf_pairs <- function(leaves, classes, levels, n_leaves, n_sums) {
  begin <- rep(1, n_sums)
  at <- rep(1, n_leaves)
  leaf <- seq_len(n_leaves)
  for (v in seq_along(classes)) {
    n_classes <- length(levels[[v]])
    key <- begin * (n_classes + 1) + classes[[v]]
    distinct <- unique(key)
    used <- sort(unique(classes[[v]]))
    size <- lengths(levels[[v]][used])
    above <- split(rep(used, size), factor(unlist(levels[[v]][used]),
                                           seq_len(max(unlist(levels[[v]])))))
    found <- above[leaves[[v]][leaf]]
    count <- lengths(found)
    next_at <- match(rep(at, count) * (n_classes + 1) + unlist(found, use.names = FALSE), distinct)
    leaf <- rep(leaf, count)[!is.na(next_at)]
    at <- next_at[!is.na(next_at)]
    begin <- match(key, distinct)
  }
  by <- order(begin)
  first <- match(at, begin[by])
  count <- tabulate(begin, max(begin, 1))[at]
  sum <- by[sequence(count, first)]
  leaf <- rep(leaf, count)
  sorted <- order(sum, leaf)
  list(sum = sum[sorted], leaf = leaf[sorted])
}

# The value of asked cells in tables that are given by what differs from `base`.
sums_in_tables_of <- function(changes, base, inside, table, asked) {
  n <- max(inside$sum, asked, 0)
  usual <- exact_sums(base[inside$leaf], inside$sum, n)
  by <- order(inside$leaf)
  first <- findInterval(changes$cell, inside$leaf[by], left.open = TRUE)
  count <- findInterval(changes$cell, inside$leaf[by]) - first
  of <- rep(rep(seq_len(length(changes$start) - 1), diff(changes$start)), count)
  wanted <- unique((table - 1) * n + asked)
  here <- match((of - 1) * n + inside$sum[by[sequence(count, first + 1)]], wanted)
  moved <- rep(changes$value - base[changes$cell], count)
  keep <- !is.na(here)
  change <- exact_sums(moved[keep], here[keep], length(wanted))
  usual[asked] + change[match((table - 1) * n + asked, wanted)]
}
