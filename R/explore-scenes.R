# The data of the explorer's scenes, or a string that says why a scene is left out.

explorer_examples <- function() {
  published <- sdcLattice::roehrig
  published[] <- c(16, 21, 2, 11, 0, 11, 11, 13, 2, 9, 11, 8, 2, 14, 1, 3)
  counts <- table_argument(sdcLattice::roehrig)
  map <- hex_table(example_map(), c("q", "r"), freqVar = "n")
  scenes <- c(
    mechanism_scenes(counts, table_argument(published), mechanism(cycles_bidiagonal(counts))),
    list(
      margins = margins_scene(table_argument(sdcLattice::czech_workers)),
      suppress = suppress_scene(counts), map = map_scene(map, 3)
    )
  )
  gather_scenes("examples", scenes)
}

# Hexagons within two steps of the middle.
example_map <- function() {
  map <- expand.grid(q = -2:2, r = -2:2)
  map <- map[abs(map$q + map$r) <= 2, ]
  map$n <- c(1, 4, 7, 2, 9, 12, 3, 1, 6, 15, 8, 1, 5, 10, 2, 4, 3, 1, 6)
  map
}

table_scenes <- function(x) {
  two_way <- length(dim(x)) == 2 && all(dim(x) >= 2)
  c(
    if (two_way) mechanism_scenes(x, x, mechanism(cycles_bidiagonal(x))),
    list(margins = margins_scene(x)),
    if (two_way) list(suppress = suppress_scene(x))
  )
}

# ---- coins and posterior ------------------------------------------------------------------------

mechanism_scenes <- function(start, published, mechanism, drawn = NULL) {
  fault <- coins_fault(start, mechanism)
  if (!is.null(fault)) {
    return(list(coins = fault))
  }
  common <- mechanism_content(mechanism)
  coins <- c(list(table = table_content(start)), common,
             list(drawn = if (is.null(drawn)) FALSE else as.list(drawn)))
  fault <- posterior_fault(mechanism)
  posterior <- fault %||% c(list(table = table_content(published)), common)
  list(coins = coins, posterior = posterior)
}

coins_fault <- function(x, mechanism) {
  if (length(dim(x)) != 2 || prod(dim(x)) > 64) {
    return(left_out("coins", "two-way tables of at most 64 cells", size_words(x)))
  }
  if (skips_zeros(mechanism$cycles)) {
    return(left_out("coins", "cycles that do not depend on zeros", "a set that skips zeros"))
  }
  n <- length(mechanism$cycles)
  if (n > 12) left_out("coins", "at most 12 cycles", plural(n, "cycle"))
}

posterior_fault <- function(mechanism) {
  if (length(mechanism$alpha) > 1 || length(mechanism$beta) > 1) {
    return(left_out("the posterior", "one alpha and one beta", "one for each cycle"))
  }
  n <- step_count(mechanism)
  if (n > 9) left_out("the posterior", "at most 9 steps", plural(n, "step"))
}

left_out <- function(scene, limit, found) {
  paste0("The scene of ", scene, " takes ", limit, "; here: ", found, ".")
}

size_words <- function(x) {
  if (length(dim(x)) == 1) {
    return(paste("1 variable with", plural(dim(x), "level")))
  }
  paste(paste(dim(x), collapse = " x "), if (prod(dim(x)) == 1) "cell" else "cells")
}

# Numbers of cells and cycles start at 0.
mechanism_content <- function(mechanism) {
  all <- expand_cycles(mechanism$cycles)
  cycles <- lapply(seq_len(length(mechanism$cycles)), function(c) {
    lapply(entries_of(all, c), function(at) list(all$cell[at] - 1, all$coefficient[at]))
  })
  list(cycles = cycles, order = as.list(steps_of(mechanism) - 1), alpha = mechanism$alpha[[1]],
       beta = mechanism$beta[[1]], rule = mechanism$zero_rule)
}

table_content <- function(x) {
  labels <- lapply(dimnames(x), function(levels) ifelse(is.na(levels), "NA", levels))
  list(names = as.list(names(labels)), levels = lapply(unname(labels), as.list),
       counts = as.list(dense_counts(x)))
}

# ---- margins and suppression --------------------------------------------------------------------

largest_total <- 1e9

# The smallest counts that are not zero are the cells at risk.
margins_scene <- function(x) {
  n <- length(dim(x))
  if (n < 2 || n > 6 || prod(dim(x)) > 128) {
    return(left_out("margins", "2 to 6 variables and at most 128 cells", size_words(x)))
  }
  fault <- total_fault("margins", x)
  if (!is.null(fault)) {
    return(fault)
  }
  counts <- dense_counts(x)
  some <- which(counts > 0)
  if (length(some) == 0) {
    return(left_out("margins", "tables with at least one count", "none"))
  }
  cells <- utils::head(some[order(counts[some])], 6)
  list(table = table_content(x), cells = as.list(cells - 1))
}

suppress_scene <- function(x) {
  if (prod(dim(x)) > 100) {
    return(left_out("suppression", "two-way tables of at most 100 cells", size_words(x)))
  }
  total_fault("suppression", x) %||% list(table = table_content(x))
}

# The reason names no count.
total_fault <- function(scene, x) {
  if (sum(x) > largest_total) left_out(scene, "a total of at most 10^9", "a larger one")
}

# ---- map ----------------------------------------------------------------------------------------

map_scene <- function(x, threshold) {
  original <- if (inherits(x, "sdc_hex")) x else x$original
  fault <- map_fault(original)
  if (!is.null(fault)) {
    return(fault)
  }
  runs <- if (inherits(x, "sdc_hex")) all_methods(x, threshold) else list(x)
  list(
    q = as.list(original$q), r = as.list(original$r), counts = as.list(original$count),
    threshold = runs[[1]]$threshold, methods = lapply(runs, moves_content)
  )
}

map_fault <- function(x) {
  n <- length(x$q)
  span <- function(v) max(v) - min(v) + 1
  if (n == 0 || n > 200) {
    return(left_out("the map", "1 to 200 hexagons with data", plural(n, "hexagon")))
  }
  across <- c(span(x$r), span(x$q + floor(x$r / 2)))
  if (any(across > 40)) {
    left_out("the map", "at most 40 rows and 40 columns", paste(across, collapse = " x "))
  }
}

# No outlier is removed, so that no count is lost.
all_methods <- function(x, threshold) {
  lapply(c("optimal", "local", "global"), function(method) {
    redistribute(x, threshold, method = method, outliers = "keep", progress = FALSE)
  })
}

# Each move by the numbers of two hexagons, from 0, its count and its distance. Outliers that were
# suppressed go first, to nowhere.
moves_content <- function(run) {
  number <- function(q, r) match(hex_keys(q, r), hex_keys(run$original$q, run$original$r)) - 1
  gone <- run$suppressed
  from <- c(number(gone$q, gone$r), number(run$moves$from_q, run$moves$from_r))
  to <- c(rep(-1, nrow(gone)), number(run$moves$to_q, run$moves$to_r))
  count <- c(gone$count, run$moves$count)
  distance <- c(rep(0, nrow(gone)), run$moves$distance)
  moves <- lapply(seq_along(from), function(i) list(from[i], to[i], count[i], distance[i]))
  list(name = run$method, mu = run$mu, moves = moves)
}

# A scene that does not fit is a string that says why.
gather_scenes <- function(kind, scenes) {
  fits <- !vapply(scenes, is.character, NA)
  if (!any(fits)) abort_no_scene(unlist(scenes))
  list(kind = kind, scenes = scenes[fits], left_out = as.list(unname(unlist(scenes[!fits]))))
}

abort_no_scene <- function(reasons) {
  names(reasons) <- rep("x", length(reasons))
  reasons <- gsub("([{}])", "\\1\\1", reasons)
  abort_sdc("too_large", c(
    "{.arg x} must be within the limits of at least one scene.", reasons,
    i = "Merge levels, or take a {.fn margin} or a part of {.arg x}."
  ))
}
