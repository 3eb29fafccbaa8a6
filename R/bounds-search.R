# Bounds by search over whole numbers: in margins, and in constraints of any kind.

# `method` and `seconds`: of a component, which is searched within what is left of the time.
bound_by_search <- function(release, asked, style, method = style$method, seconds = style$seconds) {
  if (style$solver == "lpSolve" && method != "shuttle") {
    return(search_by_lpsolve(release, asked, style, method, seconds))
  }
  if (method == "ip") {
    found <- margins_by_workers(release, asked, style, seconds)
    if (!is.null(found)) {
      return(if (isTRUE(found$effort$stopped)) narrow_by_chains(found, release, asked) else found)
    }
  }
  frontier <- release$structure$frontier
  margins <- Map(bridge_margin, release$tables[frontier], release$sets[frontier])
  found <- with_progress("Bounds", function(tick) {
    with_core(
      cpp_bound_margins(
        lengths(release$dimnames, use.names = FALSE), unname(margins), unname(asked$codes), asked$n,
        match(method, c("shuttle", "lp", "ip")) - 1L, seconds, style$max_cells,
        max_super_cells, max_tableau(), "choose", bridge_truth(style$truth), style$enough %||% Inf,
        tick, default_threads()
      ),
      hints = list(
        infeasible = "Look whether a margin was changed, rounded, or is of another table.",
        too_large = paste(
          "Use {.code method = \"frechet\"}, release fewer variables, or raise",
          "{.arg max_cells}."
        )
      )
    )
  }, style$progress)
  out <- c(found[c("lower", "upper", "sharp", "effort", "least", "most")], list(
    real = if (method == "lp") list(lower = found$real_lower, upper = found$real_upper),
    note = if (method == "shuttle" && !found$generalized) {
      "Shuttle over the equations of the margins alone: there are too many super-cells."
    }
  ))
  if (method == "shuttle") out[c("effort", "least", "most")] <- NULL
  if (isTRUE(out$effort$stopped)) narrow_by_chains(out, release, asked) else out
}

max_super_cells <- 1e7

# The table itself, where the caller knows it.
bridge_truth <- function(table) {
  if (is.null(table)) list() else bridge_margin(table, seq_along(table$dimnames))
}

search_by_lpsolve <- function(release, asked, style, method, seconds) {
  system <- do.call(constraints, list(
    structure(release$tables, class = sdc_class("sdc_margins")), dimnames = release$dimnames,
    max_entries = style$max_cells
  ))
  at <- combine_codes(asked$codes, lengths(release$dimnames, FALSE), asked$n)
  found <- with_progress("Bounds", function(tick) {
    solve_bounds(system, at, method == "lp", "lpSolve", seconds, "choose", tick)
  }, style$progress)
  c(found[c("lower", "upper", "sharp", "effort")], list(
    real = if (method == "lp") list(lower = found$real_lower, upper = found$real_upper)
  ))
}

bounds_of_constraints <- function(constraints, cells, style) {
  asked <- resolve_asked(cells, constraints$dimnames, style$max_cells)
  at <- as.integer(combine_codes(asked$codes, lengths(constraints$dimnames, FALSE), asked$n))
  found <- bound_system(constraints, at, style)
  warn_of_outer(found, gaps = is.null(style$truth))
  out <- new_bounds(
    constraints$dimnames, asked$codes, found$lower, found$upper, found$sharp,
    if (style$method == "auto") "auto (whole numbers)" else style$method,
    real = found$real, effort = found$effort, release = constraints,
    attained = attained_ends(found)
  )
  if (isTRUE(style$certificates)) add_certificates(out, constraints, at, style) else out
}

bound_system <- function(system, at, style) {
  found <- switch(
    style$method,
    decomposable = abort_sdc("input", c(
      "The closed form is for margins.",
      x = "{.arg release} holds other constraints.",
      i = "Use {.code method = \"auto\"}."
    )),
    frechet = narrow_constraints(system, at, TRUE),
    shuttle = narrow_constraints(system, at, FALSE),
    search_constraints(system, at, style)
  )
  mark_points(found)
}

narrow_constraints <- function(constraints, at, once) {
  found <- cpp_tighten_constraints(constraints, once)
  if (is.null(found)) abort_no_table()
  list(lower = found$lower[at], upper = found$upper[at], sharp = rep(FALSE, length(at)))
}

search_constraints <- function(constraints, at, style) {
  relaxed <- style$method == "lp"
  if (!relaxed) {
    found <- search_by_workers(constraints, at, style)
    if (!is.null(found)) {
      return(found)
    }
  }
  found <- with_progress("Bounds", function(tick) {
    solve_bounds(constraints, at, relaxed, style$solver, style$seconds, "choose", tick, style$truth)
  }, style$progress)
  c(found[c("lower", "upper", "sharp", "effort", "least", "most")],
    list(real = if (relaxed) list(lower = found$real_lower, upper = found$real_upper)))
}

# A single value is that of every table that agrees with the release, however it was found.
mark_points <- function(found) {
  found$sharp <- found$sharp | found$lower == found$upper
  found
}

known_bounds <- function(lower, upper, ...) {
  list(lower = lower, upper = upper, sharp = rep(TRUE, length(lower)), least = lower, most = upper,
       ...)
}

# `gaps`: may the warning say how far ends may move? What is attained may be a true count.
warn_of_outer <- function(found, gaps = TRUE) {
  if (!isTRUE(found$effort$stopped) || all(found$sharp)) {
    return(invisible())
  }
  open <- base::sum(!found$sharp)
  warn_sdc("outer", c(
    "{open} of {length(found$sharp)} cells have
     outer bounds: {why_stopped(found$effort)}.",
    i = if (gaps) gap_words(found),
    i = "Their sharp intervals lie inside. {what_helps(found$effort)}"
  ))
}

why_stopped <- function(effort) {
  if (isTRUE(effort$interrupted)) {
    "the search was interrupted"
  } else if (isTRUE(effort$late)) {
    "the time limit was reached"
  } else if (isTRUE(effort$too_large)) {
    "the table is too large to be searched"
  } else {
    "the search gave up within the time limit"
  }
}

what_helps <- function(effort) {
  late <- isTRUE(effort$interrupted) || isTRUE(effort$late)
  more <- if (late) ", or raise `time_limit_s`" else
    if (isTRUE(effort$too_large)) ", or raise `max_cells`"
  paste0("Ask for fewer `cells`", more, ".")
}

# How far the ends that are not proved may be from the sharp ones: a table attains the others.
gap_words <- function(found) {
  gaps <- c(found$least - found$lower, found$upper - found$most)
  known <- gaps[!is.na(gaps) & gaps > 0]
  if (length(known) > 0 && !anyNA(gaps) && all(is.finite(known))) {
    paste0(plural(length(known), "end"), " may move, by at most ", format_count(max(known)), ".")
  }
}

# What tables attain, where not all intervals are sharp.
attained_ends <- function(found) {
  if (!all(found$sharp) && !all(is.na(found$least))) found[c("least", "most")]
}
