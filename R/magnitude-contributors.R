# The least change of contributors' values after which the rules of dominance hold.
#
# Values y = x + a - b. The largest n hold at most k %: n z + sum u <= k/100 sum y with u >= y - z.
# p percent: p/100 s + 2 z + sum u <= sum y with s >= y, as s + 2 z + sum u is least when s is the
# largest and 2 z + sum u the sum of the two largest. Both are convex, whatever the order of y.

least_contributors <- function(x, rules, seconds) {
  dominance <- which(rules$kind != "threshold")
  needed <- max(0, as.data.frame(rules)$contributors_needed[dominance])
  cell <- rep(seq_along(x$cell), diff(x$start))
  positive <- tabulate(cell[x$value > 0], length(x$cell))
  at <- which(x$value > 0 & positive[cell] >= needed)
  check_size(length(at), 20000, "contributors in a programme")
  values <- x$value
  for (margin in c(FALSE, TRUE)) {
    found <- solve_contributors(x$value[at], cell[at], rules, dominance, margin, seconds)
    # tables of a few units have no room for rounding: what remains sensitive is listed
    if (is.null(found) && margin) break
    if (is.null(found)) abort_no_values()
    values[at] <- found
    held <- cpp_group_contributors(x$cell[cell], x$holder, values)
    fired <- apply_rules(held, rules, 0)$fired[, dominance, drop = FALSE]
    if (!any(fired[positive >= needed, ])) break
  }
  list(contributors = held, totals = cell_totals(held), moves = no_moves(), settled = TRUE)
}

abort_no_values <- function() {
  abort_sdc("infeasible", c(
    "There must be values of contributors that obey the rules.", x = "None were found."
  ))
}

# NULL where no values obey the rules. With `margin` the rules have room for what rounding to whole
# units takes.
solve_contributors <- function(value, cell, rules, dominance, margin, seconds) {
  if (length(value) == 0 || length(dominance) == 0) {
    return(value)
  }
  programme <- contributor_programme(value, cell, rules, dominance, margin)
  found <- solve_programme(programme, seconds)
  if (is.null(found$solution)) {
    return(NULL)
  }
  n <- seq_along(value)
  round_to_sum(pmax(0, value + found$solution[n] - found$solution[length(value) + n]), sum(value))
}

# Whole numbers near y with the given sum: the largest remainders are rounded up.
round_to_sum <- function(y, total) {
  out <- floor(y + 1e-7)
  more <- total - sum(out)
  up <- order(out - y)[seq_len(max(0, more))]
  out[up] <- out[up] + 1
  out
}

contributor_programme <- function(value, cell, rules, dominance, margin) {
  m <- length(value)
  cells <- unique(cell)
  index <- match(cell, cells)
  size <- tabulate(index)
  total <- as.vector(rowsum(value, index))
  rows <- list(entries = NULL, direction = character(), rhs = numeric())
  n_columns <- 2 * m
  add <- function(rows, row, column, coefficient, direction, rhs) {
    offset <- length(rows$rhs)
    list(entries = rbind(rows$entries, cbind(row + offset, column, coefficient)),
         direction = c(rows$direction, rep(direction, length(rhs))), rhs = c(rows$rhs, rhs))
  }
  j <- seq_len(m)
  g <- seq_along(cells)
  rows <- add(rows, rep(1, 2 * m), c(j, m + j), rep(c(1, -1), each = m), "=", 0)
  for (r in dominance) {
    share <- rules$kind[r] == "nk"
    top <- if (share) rules$n[r] else 2
    percent <- rules$percent[r] / 1e8
    weight <- if (share) percent else 1
    u <- n_columns + j
    z <- n_columns + m + g
    s <- n_columns + m + length(cells) + g
    n_columns <- n_columns + m + length(cells) * (if (share) 1 else 2)
    # u - y + z >= 0
    rows <- add(rows, rep(j, 4), c(u, z[index], j, m + j),
                rep(c(1, 1, -1, 1), each = m), ">=", value)
    room <- if (margin) size + top + percent else 0
    # weight sum y - top z - sum u - (p s) >= room
    held <- list(row = c(g, index, index, index), column = c(z, u, j, m + j),
                 value = c(rep(-top, length(cells)), rep(c(-1, weight, -weight), each = m)))
    if (!share) {
      held <- list(row = c(held$row, g), column = c(held$column, s),
                   value = c(held$value, rep(-percent, length(cells))))
      rows <- add(rows, rep(j, 3), c(s[index], j, m + j), rep(c(1, -1, 1), each = m), ">=", value)
    }
    rows <- add(rows, held$row, held$column, held$value, ">=", room - weight * total)
  }
  c(rows, list(
    objective = rep(c(1, 0), c(2 * m, n_columns - 2 * m)), binary = integer(), whole = integer(),
    upper = c(rep(Inf, m), value, rep(Inf, n_columns - 2 * m))
  ))
}

no_moves <- function() {
  list2data_frame(list(kind = character(), from = numeric(), to = numeric(), value = numeric(),
                       distance = numeric()), 0)
}
