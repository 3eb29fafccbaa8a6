# What a reader of a table of magnitudes reasons about.
#
# A total need not be 0 or more where the table may be negative. A limit L > -Inf of its cells is
# one of the shifted table, which has L less in each cell and is not negative. Without a limit
# nothing bounds a suppressed total but the equations: it is known, or may be any number. That is a
# question about directions: can the total change when all equations are kept? It may be asked of a
# table that has the same number in all suppressed cells, as any direction fits below it after
# scaling.

# The number in all suppressed cells and totals of a free system. A direction changes a whole unit
# of a total within it unless it changes others by a million times as much.
free_value <- 2^20

# A reader's system, and how its numbers become totals: `shift` is what to add; `free`: a total is
# known or may be anything; `value`: the numbers of the true table in the system.
reader_view <- function(cells, dimnames, hierarchies, least) {
  system_of <- function(freq) {
    cells$freq <- freq
    reader_system(list(cells = cells, dimnames = dimnames, hierarchies = hierarchies))
  }
  hidden <- which(cells$suppressed)
  if (is.null(least)) {
    return(list(system = system_of(cells$freq), signed = FALSE, free = FALSE,
                value = cells$freq[hidden]))
  }
  total <- cells$freq[hidden]
  if (all(is.finite(least))) {
    return(list(system = system_of(cells$freq - least), signed = TRUE, free = FALSE, total = total,
                shift = least[hidden], value = total - least[hidden]))
  }
  list(system = free_system(system_of(numeric(nrow(cells)))), signed = TRUE, free = TRUE,
       total = total, value = rep(free_value, length(hidden)))
}

# The equations with the right sides that equal unknowns give them.
free_system <- function(system) {
  rows <- system$rows
  n <- length(rows$lower)
  if (n == 0) {
    return(system)
  }
  row <- rep(seq_len(n), diff(rows$start))
  rows$lower <- rows$upper <- sum_by(rows$coefficient * free_value, row, n)
  sums_system(rows, length(system$lower))
}

# The ends of intervals as totals. `found`: lower and upper in the numbers of the system.
view_ends <- function(view, found) {
  if (!view$signed) {
    return(found)
  }
  if (!view$free) {
    return(list(lower = found$lower + view$shift, upper = found$upper + view$shift))
  }
  known <- found$lower == found$upper
  list(lower = ifelse(known, view$total, -Inf), upper = ifelse(known, view$total, Inf))
}

# What a reader knows of the rows in which she has a part: the total where she is alone, and nothing
# otherwise, as the others may hold less than nothing.
signed_knowledge <- function(parts, alone, view) {
  value <- view$value[parts$row]
  list(reader = parts$reader, cell = parts$row, lower = ifelse(alone, value, 0),
       upper = ifelse(alone, value, Inf))
}

# She must reckon with a total at the upper protection level, as everybody must; or, where the total
# is there, with another total.
signed_needs <- function(judged, view) {
  function(row, own, other) {
    if (view$free) {
      n <- length(row)
      return(list(low = rep(free_value - 1, n), high = rep(free_value + 1, n)))
    }
    value <- view$value[row]
    high <- judged$highest[row] - view$shift[row]
    there <- high <= value
    list(low = ifelse(there, value - 1, -1), high = ifelse(there, value + 1, high))
  }
}

# What she learned, as totals.
signed_findings <- function(found, row, view) {
  if (view$free) {
    return(list(lower = view$total[row], upper = view$total[row]))
  }
  list(lower = found$lower + view$shift[row], upper = found$upper + view$shift[row])
}

# ---- bounds -----------------------------------------------------------------------------------

# The bounds of all unknowns. `truth`: their values, where they are known.
reader_bounds <- function(system, time_limit_s, progress, method = "auto", truth = NULL) {
  if (length(system$lower) == 0) {
    return(list(lower = numeric(), upper = numeric(), sharp = logical()))
  }
  style <- list(method = method, solver = "exact", seconds = time_limit_s, max_cells = Inf,
                progress = progress, truth = truth)
  bounds_of_constraints(system, NULL, style)
}

# Up to so many units in a cell whole numbers are searched.
most_whole_units <- 1000

# `sure`: no outer interval. A search over whole numbers takes steps that grow with their size, and
# what it adds goes down with it.
unit_bounds <- function(system, truth, time_limit_s, progress) {
  out <- reader_bounds(system, time_limit_s, progress, "lp")
  if (!all(out$sharp) && all(out$upper <= most_whole_units)) {
    out <- reader_bounds(system, time_limit_s, progress, truth = truth)
  }
  list(lower = out$lower, upper = out$upper, sharp = out$sharp,
       sure = out$sharp | !isTRUE(out$effort$stopped), attained = out$attained)
}

# As unit_bounds(). Where nothing limits a total it is real numbers that count: a direction may
# change a total by part of a unit, and then by any number.
view_bounds <- function(view, time_limit_s, progress) {
  if (!view$free) {
    found <- unit_bounds(view$system, view$value, time_limit_s, progress)
    found[c("lower", "upper")] <- view_ends(view, found[c("lower", "upper")])
    found$attained <- attained_totals(view, found$attained)
    return(found)
  }
  found <- reader_bounds(view$system, time_limit_s, progress, "lp")
  sure <- rep(!isTRUE(found$effort$stopped), length(view$total))
  real <- if (length(sure) > 0) found$real else found
  c(view_ends(view, real), list(sharp = sure, sure = sure))
}

attained_totals <- function(view, found) {
  if (is.null(found)) {
    return(NULL)
  }
  ends <- view_ends(view, list(lower = found$least, upper = found$most))
  list(least = ends$lower, most = ends$upper)
}
