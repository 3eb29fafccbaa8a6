# Bounds of a system whose parts workers share: what no row connects any more, once all that is
# known is taken out, can be bounded apart.

# Asked cells times cells of their part: less is not worth sending. Tests share less.
least_share_work <- function() getOption("sdcLattice.least_share", 1e7)

# NULL where there are no workers, or no two shares that are worth it. As search_constraints().
search_by_workers <- function(system, at, style) {
  if (!has_workers() || style$solver != "exact" || length(system$rates) > 0) {
    return(NULL)
  }
  share <- worthy_shares(system, at)
  if (is.null(share)) {
    return(NULL)
  }
  cells <- split(seq_along(at), share)
  found <- with_progress("Bounds", function(tick) {
    work_apply(cells, bound_share, list(system = system, at = at, style = style), tick = tick,
               keep = TRUE)
  }, style$progress)
  join_shares(found, cells, system, at)
}

# The same of margins that are one component, of tables that are not too large to be laid out in R.
margins_by_workers <- function(release, asked, style, seconds) {
  small <- prod(lengths(release$dimnames)) <= min(1e6, style$max_cells)
  if (!has_workers() || style$solver != "exact" || !small || !is.null(style$truth) ||
      !is.null(style$enough)) {
    return(NULL)
  }
  style$seconds <- seconds
  style$max_cells <- 5e7
  at <- combine_codes(asked$codes, lengths(release$dimnames, FALSE), asked$n)
  search_by_workers(margin_system(release, style), as.integer(at), style)
}

# For each asked cell a number from 1; shares with little work are one.
worthy_shares <- function(system, at) {
  dealt <- with_core(cpp_part_shares(system, at, min(4 * n_workers(), 1000), NULL),
                     hints = list(infeasible = "No table agrees with all that was released."))
  worthy <- dealt$work >= least_share_work()
  if (sum(worthy) < 2) {
    return(NULL)
  }
  match(ifelse(worthy, seq_along(worthy), 0)[dealt$share], c(which(worthy), 0))
}

# A tick that is TRUE ends the search, which then has what is proved so far.
bound_share <- function(cells, ready, tick) {
  style <- ready$style
  solve_bounds(ready$system, ready$at[cells], FALSE, "exact", style$seconds, "choose",
               keeping_tick(tick), style$truth)[c("lower", "upper", "sharp", "effort", "least",
                                                  "most")]
}

# After an interrupt some shares are missing: of their cells the outer limits are known.
join_shares <- function(found, cells, system, at) {
  ends <- c("lower", "upper", "sharp", "least", "most")
  out <- list(lower = numeric(length(at)), upper = numeric(length(at)),
              sharp = logical(length(at)), least = rep(NA_real_, length(at)),
              most = rep(NA_real_, length(at)))
  late <- length(found) < length(cells)
  if (late) {
    outer <- cpp_tighten_constraints(system, FALSE)
    out[c("lower", "upper")] <- list(outer$lower[at], outer$upper[at])
  }
  for (i in seq_along(found)) {
    for (end in ends) out[[end]][cells[[i]]] <- found[[i]][[end]]
  }
  out$effort <- sum_efforts(lapply(found, `[[`, "effort"))
  if (late) out$effort[c("stopped", "interrupted")] <- TRUE
  out["real"] <- list(NULL)
  out
}

# What several searches did: numbers add up; a flag says that one of them did so, but `feasible`
# that all were.
sum_efforts <- function(efforts) {
  fields <- unique(unlist(lapply(efforts, names)))
  if (length(fields) == 0) {
    return(NULL)
  }
  lapply(rlang::set_names(fields), function(f) {
    values <- unlist(lapply(efforts, `[[`, f))
    if (is.numeric(values)) sum(values) else if (f == "feasible") all(values) else any(values)
  })
}
