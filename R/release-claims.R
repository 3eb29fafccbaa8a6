# What a release says of itself, checked against its table, its rule and its sets.

# A row for each claim: "verified", "false", or "claimed, not verified". All fields of a release can
# be edited. Its sets are judged anew by verify_release(); here the rest is worked out again from
# the table, the rule and the sets and compared. Of these three there is no second copy: a seal
# tells edits by hand, though nobody who makes a seal of his own.
check_claims <- function(release, task, found, optimal, seconds) {
  by_dimension <- count_inside(task, release$sets)
  of_object <- c(
    sets = is_frontier(release$sets),
    frontier = identical(unname(release$frontier), labels_in(task, release$sets)),
    "number of sub-tables" = identical(as.numeric(release$by_dimension), by_dimension) &&
      identical(as.numeric(release$n_sub_tables), sum(by_dimension[-1])),
    rule = is_made_rule(release$risk) && identical(release$risk, release$problem$risk),
    table = has_own_table(release, task),
    seal = identical(release$seal, seal_release(release$problem, release$sets))
  )
  status <- c(
    ifelse(of_object, "verified", "false"), value = value_status(release),
    width = width_status(release$width, found, task)
  )
  clean <- found$verified && !"false" %in% status
  status <- c(status, bound_status(release, task, clean && optimal, seconds))
  status <- status[!is.na(status)]
  data.frame(claim = names(status), status = unname(status))
}

is_frontier <- function(sets) identical(unname(sets), frontier_of(sets))

# A rule such as the functions that make rules would make it.
is_made_rule <- function(risk) {
  force(risk)
  made <- tryCatch(switch(
    class(risk)[2],
    sdc_risk_width = if (is.null(risk$cells)) risk_width(risk$beta, risk$at_risk) else
      risk_width(risk$beta, cells = risk$cells),
    sdc_risk_n = risk_n(risk$n), sdc_risk_np = risk_np(risk$n, risk$p)
  ), error = function(cnd) NULL)
  identical(made, risk)
}

check_made_rule <- function(risk) {
  if (!is_made_rule(risk)) {
    abort_sdc("input", c(
      "The rule must be as {.fn risk_width}, {.fn risk_n} or {.fn risk_np} makes it.",
      x = "It was changed."
    ))
  }
  invisible(risk)
}

# Do the parts of the table fit each other, and the table that was given, if one was?
has_own_table <- function(release, task) {
  held <- release$problem
  x <- held$x
  same <- identical(held$variables, names(x$dimnames)) &&
    identical(as.numeric(held$dim), as.numeric(dim(x))) && has_same_cells(x, task$x)
  same && (is.null(task$at_risk) ||
             identical(as.numeric(held$at_risk), as.numeric(task$at_risk))) &&
    (is.null(task$magnitude) || identical(held$magnitude, task$magnitude))
}

value_status <- function(release) {
  check_release_utility(release$utility)
  if (release$utility$kind == "accuracy" && prod(release$problem$dim) > 1e5) {
    return("claimed, not verified")
  }
  value <- release_utility(release$utility, release$sets, release$problem)
  if (isTRUE(all.equal(value, release$value))) "verified" else "false"
}

# The width as it was found anew: exactly, or from below, and never wider than the narrowest margin.
width_status <- function(claimed, found, task) {
  if (is.null(task$at_risk) || all(is.na(claimed))) {
    return(NA)
  }
  inner <- claimed[["inner"]]
  outer <- claimed[["outer"]]
  known <- found$width
  if (is.na(known)) {
    return("claimed, not verified")
  }
  if (isTRUE(outer < known) || isTRUE(inner > outer)) {
    return("false")
  }
  if (found$exact) {
    return(if (isTRUE(inner > known)) "false" else "verified")
  }
  x <- task$x
  most <- with_core(
    cpp_narrowest_margin(dim(x), x$keys, x$counts, task$at_risk, task$sets, default_threads())
  )
  if (isTRUE(inner > most)) "false" else
    if (isTRUE(inner <= known) &&
        (is.na(outer) || outer >= most)) "verified" else "claimed, not verified"
}

# An optimum is searched anew where the tables are few enough for that.
bound_status <- function(release, task, search, seconds) {
  bound <- release$upper_bound
  says_best <- isTRUE(release$optimal)
  of_both <- function(bound, optimal) {
    c("upper bound" = bound, optimal = if (says_best) optimal else NA)
  }
  if (is.null(bound) || (all(is.na(bound)) && !says_best)) {
    return(of_both(NA, "false"))
  }
  if (length(bound) != 1 || !is.numeric(bound) || length(release$value) != 1) {
    return(of_both("false", "false"))
  }
  slack <- 1e-9 * max(1, abs(bound))
  if (is.na(bound) || release$value > bound + slack ||
      (says_best && release$value < bound - slack)) {
    return(of_both("false", "false"))
  }
  best <- if (search && says_best) search_anew(release, task, seconds)
  status <- if (is.null(best)) "claimed, not verified" else
    if (best > bound + slack) "false" else "verified"
  of_both(status, status)
}

# The value of the best release of the class that the release speaks of; NULL when that would take
# too long.
search_anew <- function(release, task, seconds) {
  restricted <- length(release$forced) + length(release$forbidden) > 0
  large <- length(task$variables) > 6 || prod(task$dim) > 20000
  among <- c("all releases" = "all", "decomposable releases" = "decomposable")[release$bound_class]
  if (large || restricted || release$utility$kind == "accuracy" || is.na(among) ||
      (!is.null(task$steps) && among == "decomposable")) {
    return(NULL)
  }
  found <- release_exact(task$magnitude %||% task$x, task$risk, unname(among), release$utility,
                         time_limit_s = min(seconds, 20), progress = FALSE)
  if (found$optimal) found$value
}

claim_words <- function(claims) {
  words <- c("verified" = "the object's own claims, verified: ",
             "false" = "the object's own claims, FALSE: ",
             "claimed, not verified" = "claimed, not verified: ")
  status <- intersect(names(words), claims$status)
  unlist(lapply(status, function(s) {
    paste0(words[[s]], paste(claims$claim[claims$status == s], collapse = ", "))
  }))
}
