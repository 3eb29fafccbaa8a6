# The one file that talks to solvers of linear and integer programmes. The package's own solver is
# exact and in the core; lpSolve and highs work in floating point: lpSolve is an independent second
# opinion on bounds, and both solve programmes that the core has no method for.

# Bounds of the cells `asked` of constraints. Returns lower, upper, sharp, for the relaxation
# real_lower and real_upper, and effort. `seconds` is for all cells together. `truth`: the counts of
# all cells of the system, where the caller knows them: the search is shorter.
solve_bounds <- function(constraints, asked, relaxed, solver, seconds, engine, progress,
                         truth = NULL) {
  if (solver == "lpSolve") {
    check_installed("lpSolve", "for `solver = \"lpSolve\"`")
    return(solve_by_lpsolve(constraints, asked, relaxed, seconds, progress))
  }
  if (!relaxed && length(constraints$rates) > 0) constraints <- with_rates_apart(constraints)
  with_core(
    cpp_bound_constraints(constraints, asked, relaxed, seconds, max_tableau(), engine,
                          truth %||% numeric(), progress, default_threads()),
    hints = list(infeasible = "No table agrees with all that was released.")
  )
}

# Entries of an exact tableau, of 8 bytes each.
max_tableau <- function() 2.5e7

# Numbers within this distance of a whole number count as whole. Doubles of a simplex method err by
# some 1e-9 of the largest count; the bound is rounded so that no whole number is cut off.
solver_tolerance <- 1e-6

solve_by_lpsolve <- function(constraints, asked, relaxed, seconds, progress) {
  end <- work_seconds() + seconds
  outer <- if (relaxed) constraints else cpp_tighten_constraints(constraints, FALSE)
  if (is.null(outer)) abort_no_table()
  programme <- lpsolve_programme(constraints, outer)
  n <- length(asked)
  out <- list(lower = outer$lower[asked], upper = outer$upper[asked], sharp = rep(TRUE, n))
  real <- list(lower = out$lower, upper = out$upper)
  stopped <- FALSE
  searches <- 0
  for (k in seq_len(n)) {
    if (outer$lower[asked[k]] == outer$upper[asked[k]]) next
    for (end_of in c("upper", "lower")) {
      stopped <- stopped || work_seconds() >= end
      if (stopped) break
      found <- lpsolve_end(programme, asked[k], end_of, relaxed)
      searches <- searches + 1
      out[[end_of]][k] <- found$whole
      real[[end_of]][k] <- found$real
    }
    out$sharp[k] <- !stopped && !relaxed
    if (!is.null(progress)) progress(k / n)
  }
  c(out, list(
    real_lower = real$lower, real_upper = real$upper,
    effort = list(stopped = stopped, late = stopped, feasible = !relaxed, networks = 0,
                  programmes = 1,
                  searches = searches, branches = NA_real_, witnesses = NA_real_)
  ))
}

# Cells that are fixed go into the right-hand sides; limits of the others become rows.
lpsolve_programme <- function(constraints, outer) {
  rows <- constraints$rows
  row <- rep(seq_along(rows$lower), diff(rows$start))
  fixed <- outer$lower == outer$upper
  free <- which(!fixed)
  held <- numeric(length(rows$lower))
  sums <- rowsum(rows$coefficient * ifelse(fixed, outer$lower, 0)[rows$cell], row)
  held[as.integer(rownames(sums))] <- sums
  at <- match(rows$cell, free)
  kept <- !is.na(at)
  entries <- cbind(row[kept], at[kept], rows$coefficient[kept])
  equal <- rows$lower == rows$upper
  add <- list(entries = list(), dir = character(), rhs = numeric())
  add_rows <- function(add, which_rows, dir, rhs) {
    offset <- length(add$dir)
    place <- match(entries[, 1], which_rows)
    ok <- !is.na(place)
    list(
      entries = c(add$entries, list(cbind(place[ok] + offset, entries[ok, 2], entries[ok, 3]))),
      dir = c(add$dir, rep(dir, length(which_rows))), rhs = c(add$rhs, rhs)
    )
  }
  used <- seq_along(rows$lower) %in% entries[, 1]
  a <- which(equal & used)
  b <- which(!equal & used & rows$lower > -Inf)
  d <- which(!equal & used & rows$upper < Inf)
  add <- add_rows(add, a, "=", rows$lower[a] - held[a])
  add <- add_rows(add, b, ">=", rows$lower[b] - held[b])
  add <- add_rows(add, d, "<=", rows$upper[d] - held[d])
  low <- which(outer$lower[free] > 0)
  high <- which(outer$upper[free] < Inf)
  n <- length(add$dir)
  list(
    free = free,
    entries = rbind(
      do.call(rbind, add$entries),
      cbind(n + seq_along(low), low, rep(1, length(low))),
      cbind(n + length(low) + seq_along(high), high, rep(1, length(high)))
    ),
    dir = c(add$dir, rep(">=", length(low)), rep("<=", length(high))),
    rhs = c(add$rhs, outer$lower[free][low], outer$upper[free][high])
  )
}

# First without whole numbers; the integer programme only when that solution is not whole.
lpsolve_end <- function(programme, cell, end_of, relaxed) {
  objective <- as.numeric(programme$free == cell)
  run <- function(...) {
    lpSolve::lp(
      if (end_of == "upper") "max" else "min", objective, const.dir = programme$dir,
      const.rhs = programme$rhs, dense.const = programme$entries, ...
    )
  }
  found <- run()
  if (found$status == 3) {
    return(list(real = Inf, whole = Inf))
  }
  if (found$status != 0) abort_no_table()
  real <- found$objval
  is_whole <- all(abs(found$solution - round(found$solution)) < solver_tolerance)
  if (!relaxed && !is_whole) {
    found <- run(all.int = TRUE)
    if (found$status != 0) abort_no_table()
  }
  inward <- if (end_of == "upper") {
    floor(found$objval + solver_tolerance)
  } else {
    ceiling(found$objval - solver_tolerance)
  }
  list(real = real, whole = inward)
}

abort_no_table <- function() {
  abort_sdc("infeasible", c(
    "The release must leave at least one table of whole numbers.",
    x = "It leaves none."
  ))
}

# ---- any programme ----------------------------------------------------------------------------
#
# A programme: `objective`, to be made least; `entries`, a matrix with a row for each coefficient
# (row, column, value), by rows; `direction` ("<=", "=", ">=") and `rhs` of each row; `binary` and
# `whole`, the columns that are 0 or 1, and whole numbers; `upper` of each column, NULL where rows
# and signs say it all. Columns are at least 0. Whole columns need a finite `upper`: highs can crash
# on programmes without.
#
# What a solver says is checked by the caller as far as it matters: both work in floating point, and
# lpSolve has been seen to miss the optimum of programmes with whole columns (never that of linear
# ones), so that such a solution of it counts as "stopped" unless all columns are whole.
#
# The result: `status` ("optimal"; "stopped": feasible, but the time ended before it was proven;
# "infeasible"; "unbounded"; "none": the time ended before anything was found), `solution` (NULL
# where there is none), `objective`, and `bound`, below which no solution lies (-Inf where the
# solver says none).
#
# "exact", the package's own search, takes whole columns alone. It counts processor time, shows
# `progress`, and keeps what it has when it is interrupted (`interrupted`).
solve_programme <- function(programme, seconds, solver = "auto", progress = NULL) {
  switch(
    if (solver == "exact") solver else choose_solver(solver),
    exact = programme_by_core(programme, seconds, progress),
    highs = programme_by_highs(programme, seconds),
    lpSolve = programme_by_lpsolve(programme, seconds)
  )
}

# highs where it is installed: it is faster on all but small programmes, and says its bound.
choose_solver <- function(solver) {
  if (solver == "auto") {
    solver <- if (requireNamespace("highs", quietly = TRUE)) "highs" else "lpSolve"
  }
  check_installed(solver, "to solve linear and integer programmes")
  solver
}

# The package's own search, for programmes whose columns are all whole numbers. The optimum is
# proven in whole numbers, and so is the bound where the time (of the processor) ends it. A solution
# to start from may be in `start`.
programme_by_core <- function(programme, seconds, progress = NULL) {
  upper <- if (is.null(programme$upper)) rep(1, length(programme$objective)) else programme$upper
  upper[programme$binary] <- 1
  by <- order(programme$entries[, 1], programme$entries[, 2])
  costs <- whole_costs(programme$objective, upper)
  given <- list(objective = costs$whole, entries = unname(programme$entries[by, , drop = FALSE]),
                direction = programme$direction, rhs = programme$rhs, upper = upper)
  start <- if (is.null(programme$start)) numeric() else programme$start
  found <- tryCatch(
    with_core(cpp_best_table(given, as.integer(programme$binary), start, seconds,
                             keeping_tick(progress))),
    sdc_error_infeasible = function(cnd) NULL
  )
  if (is.null(found)) {
    return(c(programme_result("infeasible", NULL, NA_real_, -Inf), list(interrupted = FALSE)))
  }
  there <- length(found$values) == length(programme$objective)
  exact <- costs$exact && found$sum == found$bound
  status <- if (!there) "none" else if (exact) "optimal" else "stopped"
  reached <- if (costs$exact) found$sum / costs$scale else sum(programme$objective * found$values)
  if (found$interrupted && !there) rlang::interrupt()
  c(programme_result(status, found$values, reached, found$bound / costs$scale),
    list(interrupted = found$interrupted))
}

# Costs as whole numbers, `scale` times as large. A fraction is read as the one with the smallest
# denominator that is the same double: .1 is 1/10. Where all together would exceed what is exact,
# costs are rounded down, so that bounds hold all the same.
whole_costs <- function(objective, upper) {
  most <- 2^52 / max(1, sum(abs(objective) * upper) + sum(upper))
  scale <- 1
  for (value in unique(objective[objective %% 1 != 0])) {
    if (scale <= most) scale <- common_multiple(scale, denominator_of(value))
  }
  exact <- scale <= most
  if (!exact) scale <- max(1, 2^floor(log2(most)))
  list(whole = if (exact) round(objective * scale) else floor(objective * scale),
       scale = scale, exact = exact)
}

# By the convergents of the continued fraction.
denominator_of <- function(value) {
  before <- c(0, 1)
  now <- c(1, 0)
  rest <- value
  repeat {
    whole <- floor(rest)
    nxt <- whole * now + before
    if (nxt[1] / nxt[2] == value || nxt[2] > 2^52) {
      return(nxt[2])
    }
    before <- now
    now <- nxt
    rest <- 1 / (rest - whole)
  }
}

common_multiple <- function(a, b) {
  x <- a
  y <- b
  while (y > 0) {
    z <- x %% y
    x <- y
    y <- z
  }
  a / x * b
}

programme_by_lpsolve <- function(programme, seconds) {
  limit <- if ("timeout" %in% names(formals(lpSolve::lp))) {
    list(timeout = as.integer(max(1, min(seconds, 1e6))))
  }
  whole <- c(programme$binary, programme$whole)
  limited <- which(programme$upper < Inf)
  n <- length(limited)
  used <- rbind(
    programme$entries, cbind(length(programme$rhs) + seq_len(n), limited, rep(1, n))
  )
  colnames(used) <- c("Constraint", "Var", "Value")
  found <- do.call(lpSolve::lp, c(list(
    "min", programme$objective, const.dir = c(programme$direction, rep("<=", n)),
    const.rhs = c(programme$rhs, programme$upper[limited]), dense.const = used,
    binary.vec = programme$binary, int.vec = whole
  ), limit))
  mixed <- !length(whole) %in% c(0, length(programme$objective))
  status <- c("0" = if (mixed) "stopped" else "optimal", "1" = "stopped", "2" = "infeasible",
              "3" = "unbounded")
  status <- status[as.character(found$status)]
  status <- if (is.na(status)) "none" else status[[1]]
  programme_result(status, found$solution, found$objval, -Inf)
}

programme_by_highs <- function(programme, seconds) {
  n <- length(programme$objective)
  m <- length(programme$rhs)
  types <- rep("C", n)
  types[c(programme$binary, programme$whole)] <- "I"
  upper <- if (is.null(programme$upper)) rep(Inf, n) else programme$upper
  upper[programme$binary] <- 1
  stopifnot(is.finite(upper[programme$whole]))
  a <- programme$entries
  # the form of package slam, which need not be installed
  matrix <- structure(
    list(i = as.integer(a[, 1]), j = as.integer(a[, 2]), v = as.numeric(a[, 3]), nrow = m, ncol = n,
         dimnames = NULL),
    class = "simple_triplet_matrix"
  )
  found <- highs::highs_solve(
    L = programme$objective, lower = rep(0, n), upper = upper, A = matrix,
    lhs = ifelse(programme$direction == "<=", -Inf, programme$rhs),
    rhs = ifelse(programme$direction == ">=", Inf, programme$rhs), types = types,
    control = highs::highs_control(time_limit = seconds, mip_rel_gap = 0)
  )
  feasible <- identical(found$info$primal_solution_status, "Feasible")
  status <- switch(
    found$status_message, Optimal = "optimal", Infeasible = "infeasible", Unbounded = "unbounded",
    if (feasible) "stopped" else "none"
  )
  proven <- if (any(types == "I")) found$info$mip_dual_bound else found$objective_value
  programme_result(status, found$primal_solution, found$objective_value, proven)
}

programme_result <- function(status, solution, objective, bound) {
  there <- status %in% c("optimal", "stopped")
  list(
    status = status, solution = if (there) solution, objective = if (there) objective else NA_real_,
    bound = if (status == "optimal") objective else bound
  )
}

relative_gap <- function(reached, bound) if (reached > bound) (reached - bound) / reached else 0

# The core's search. `known`, `targets` and `own` are columns as cpp_search_readers() takes them;
# `truth`: the true numbers of the unknowns, which make the search shorter and change no answer.
search_readers <- function(system, n, known, targets, own, relaxed, seconds, progress, truth) {
  if (n == 0 || length(targets$cell) == 0) {
    return(list(reader = integer(), target = integer(), lower = numeric(), upper = numeric(),
                unsure = integer(), interrupted = FALSE,
                counts = c(readers = n, questions = 0, programmes = 0)))
  }
  own[c("low", "high", "asked")] <- lapply(own[c("low", "high", "asked")], rep_len,
                                           length(own$target))
  out <- with_core(with_progress("Readers", function(tick) {
    cpp_search_readers(system, n, known, targets, own, relaxed, seconds, max_tableau(), truth,
                       keeping_tick(tick), default_threads())
  }, progress))
  # the order does not depend on how the search went
  by <- order(out$reader, out$target)
  learned <- c("reader", "target", "lower", "upper")
  out[learned] <- lapply(out[learned], `[`, by)
  out$counts <- c(readers = n, questions = out$asked, programmes = out$programmes)
  out
}
