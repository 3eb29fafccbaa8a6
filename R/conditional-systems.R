# Several sets of rates of one table, with margins: bounds by the search over whole numbers.

# The sets of rates that a user gave, as a list, with or without names.
rate_sets <- function(x) {
  if (!missing(x) && inherits(x, "sdc_conditionals")) {
    return(list(x))
  }
  if (missing(x) || !is.list(x) || is.object(x)) {
    check_class(x, "sdc_conditionals", make = "conditionals")
  }
  other <- which(!vapply(x, inherits, NA, "sdc_conditionals"))[1]
  if (length(x) == 0 || !is.na(other)) {
    abort_sdc("input", c(
      "A list {.arg x} must hold objects of class {.cls sdc_conditionals}.",
      x = if (is.na(other)) "It is empty." else
        "Element {other} is {.obj_type_friendly {x[[other]]}}.",
      i = "Make them with {.fn conditionals}."
    ))
  }
  x
}

# The grand total: one number, or the least and the largest.
check_grand_total <- function(n) {
  if (length(n) == 1) {
    return(check_whole(n, min = 0, max = 2^53, arg = "n"))
  }
  ok <- is_whole_vector(n) && length(n) == 2 && n[1] >= 0 && n[2] >= n[1] && n[2] <= 2^53
  if (!ok) {
    abort_sdc("input", c(
      "{.arg n} must be one whole number, or two: the least and the largest total.",
      x = "{describe(n, 'n')}"
    ))
  }
}

# `asked`: method, tolerance, of, cells, count, max_products, seconds, progress.
bounds_of_rate_sets <- function(sets, n, margins, asked) {
  check_system_method(asked)
  parts <- system_parts(sets, n, margins)
  release <- system_release(parts, asked$tolerance)
  style <- list(
    method = if (asked$method == "lp") "lp" else "ip", solver = "exact", seconds = asked$seconds,
    max_cells = getOption("sdcLattice.max_cells", 5e7), progress = asked$progress,
    certificates = FALSE, until = work_seconds() + asked$seconds
  )
  out <- tryCatch(
    bounds_of_parts(release, NULL, asked$cells, style),
    sdc_error_infeasible = function(cnd) NULL
  )
  if (is.null(out)) abort_contradiction(parts, asked, release$dimnames)
  out$method <- asked$method
  if (asked$method == "sharp" && asked$count) {
    out$n_tables <- count_system(out, release, asked)
    out$note <- c(out$note, count_note(out$n_tables))
  }
  out
}

check_system_method <- function(asked) {
  if (!asked$method %in% c("sharp", "lp")) {
    abort_sdc("input", c(
      "{.code method = {.val {asked$method}}} is for one set of rates and a known total.",
      x = "There is more than that.",
      i = "Use {.val sharp} or {.val lp}."
    ))
  }
  if (asked$of == "margins") {
    abort_sdc("input", c(
      "{.code of = \"margins\"} is for one set of rates and a known total.",
      x = "There is more than that.",
      i = "Name the sums in {.arg cells}: in a data frame a variable that is left out is summed
           over."
    ))
  }
}

# The number of tables, where that takes little. The bounds make the programme smaller.
count_system <- function(bounds, release, asked) {
  if (is.null(asked$cells)) {
    at <- cell_numbers(bounds$codes, bounds$dimnames)
    release$lower[at] <- bounds$lower
    release$upper[at] <- bounds$upper
  }
  tryCatch(
    count_tables(release, max_states = 1e6, max_steps = max(1, 50 * asked$max_products),
                 progress = asked$progress),
    sdc_error_too_large = function(cnd) NULL, sdc_error_input = function(cnd) NULL
  )
}
