# Tables, and what records make of their publications.

three_way <- function(seed) {
  set.seed(seed)
  labels <- list(A = paste0("a", 1:4), B = paste0("b", 1:4), C = paste0("c", 1:3))
  as_sdc_table(array(rpois(48, 2.5), c(4, 4, 3), labels))
}

# The primary cells of a suppression that all publications together leave one count, by the bounds of
# other code, from publications alone.
known_primary <- function(su, ...) {
  cells <- su$cells[su$cells$sdcStatus == "u", names(su$original$dimnames)]
  found <- as.data.frame(suppressWarnings(bounds_margins(constraints(...), cells)))
  sum(found$lower == found$upper)
}

entered <- function(x, record) {
  tryCatch(publish(x, record = record), sdc_error_refused = function(cnd) NULL)
}

# All originals that can have led to a perturbed table, listed step by step from the end: a row each.
originals_of <- function(public) {
  me <- public$mechanism
  all <- expand_cycles(me$cycles)
  now <- matrix(as.vector(as.array(public$table)), 1)
  for (cycle in rev(rep_len(me$order, length(me$order) * me$covers))) {
    at <- seq(all$start[cycle] + 1, all$start[cycle + 1])
    move <- replace(numeric(ncol(now)), all$cell[at], all$coefficient[at])
    before <- lapply(c(-1, 1), function(side) {
      was <- sweep(now, 2, side * move)
      needed <- if (me$zero_rule == "blocked") abs(move) else pmax(0, -side * move)
      was[apply(was, 1, function(counts) all(counts >= needed)), , drop = FALSE]
    })
    now <- unique(do.call(rbind, c(list(now), before)))
  }
  now
}

# Does a two-way table agree with a suppressed publication of it?
agrees_with <- function(counts, public) {
  shown <- as.table(public, totals = TRUE)
  totals <- unclass(stats::addmargins(matrix(counts, nrow(shown) - 1)))
  all(ifelse(is.na(shown), totals >= 1, totals == shown))
}

# All tables that agree with suppressed publications of one two-way table, listed.
agreeing <- function(x, ...) {
  tables <- all_two_way(as.array(x), max(as.array(x)) + 3)
  Filter(function(table) {
    totals <- unclass(stats::addmargins(table))
    all(vapply(list(...), function(pub) {
      shown <- as.table(pub, totals = TRUE)
      all(ifelse(is.na(shown), totals >= 1, totals == shown))
    }, NA))
  }, tables)
}

# Tables of 2 x 3 with the same grand total.
all_two_way <- function(x, most) {
  n <- sum(x)
  grid <- as.matrix(expand.grid(rep(list(0:most), 5)))
  last <- n - rowSums(grid)
  grid <- cbind(grid, last)[last >= 0 & last <= most, , drop = FALSE]
  lapply(seq_len(nrow(grid)), function(i) array(grid[i, ], dim(x)))
}
