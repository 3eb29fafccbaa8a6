# The parts of a release in one form: `set`, a name; `columns`, for each variable of the part the
# level of each row; `lower`, `upper`, of each row; `complete`: do the columns have all levels?
# And maybe `hierarchies`, trees that the part brings, or `make_rows`, which makes its rows when all
# labels are known.

release_parts <- function(given, style, args = paste("part", seq_along(given))) {
  if (length(given) == 0) {
    abort_sdc("input", c("Give at least one part of the release.", x = "No part was given."))
  }
  names <- names(given)
  if (is.null(names)) names <- character(length(given))
  parts <- lapply(seq_along(given), function(i) {
    as_parts(given[[i]], names[[i]], args[[i]], style)
  })
  parts <- unlist(parts, recursive = FALSE)
  check_dim_var_used(parts, style)
  parts
}

# A name in `dimVar` that no data frame has is a slip: its sums would be taken over another table.
check_dim_var_used <- function(parts, style) {
  columns <- unlist(lapply(parts, function(p) if (!p$complete) names(p$columns)))
  unknown <- setdiff(style$dimVar, columns)
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.arg dimVar} must name columns of the data frames of the release.",
      x = "There is no column {.val {unknown}}.",
      i = did_you_mean(unknown, columns, "column")
    ))
  }
}

check_some_margin <- function(release) {
  if (length(release) == 0) {
    abort_sdc("input", c(
      "A release must have at least one margin.", x = "The release is empty."
    ))
  }
}

new_part <- function(set, columns, lower, upper, complete) {
  list(set = set, columns = columns, lower = lower, upper = upper, complete = complete)
}

# Conditional rates: see `rates` of constraints.
has_rates <- function(part) isTRUE(part$has_rates)

# What an object tells of a table, as parts. `name`: what the user calls it, or ""; `arg`: its place
# among the arguments; `style`: how data frames and rates are read, see constraints().
as_parts <- function(x, name, arg, style) UseMethod("as_parts")

# The name of a part, after what the user calls the release.
part_name <- function(name, set) paste0(name, if (nzchar(name)) " ", set)

# Tables, arrays and matrices.
#' @export
as_parts.default <- function(x, name, arg, style) {
  x <- table_argument(x, arg, "margins, intervals, a data frame, an {.cls sdc_table},")
  as_parts(x, name, arg, style)
}

#' @export
as_parts.sdc_margins <- function(x, name, arg, style) {
  check_some_margin(x)
  lapply(names(x), function(set) {
    part <- margin_part(x[[set]], part_name(name, set))
    part$variables <- attr(x, "variables")
    part
  })
}

#' @export
as_parts.data.frame <- function(x, name, arg, style) {
  list(frame_part(x, if (nzchar(name)) name else arg, style))
}

# A margin: all cells, exact.
margin_part <- function(x, set) {
  counts <- dense_counts(x)
  columns <- unclass(cell_factors(seq_along(counts), x$dimnames))
  part <- new_part(set, columns, counts, counts, complete = TRUE)
  part$hierarchies <- table_trees(x)
  part
}

# ---- data frames ------------------------------------------------------------------------------

frame_part <- function(data, set, style) {
  own <- c(style$freqVar, "lower", "upper", "sdcStatus", "suppressed", "primary")
  variables <- if (is.null(style$dimVar)) {
    setdiff(names(data), own)
  } else {
    intersect(style$dimVar, names(data))
  }
  twice <- names(data)[duplicated(names(data))]
  if (length(twice) > 0) {
    abort_sdc("input", c(
      "The columns of a data frame must have unique names.",
      x = "{.val {set}} has more than one column {.val {unique(twice)}}."
    ))
  }
  columns <- lapply(rlang::set_names(variables), function(v) frame_column(data[[v]], v, set))
  check_rows_once(columns, nrow(data), set)
  limits <- frame_limits(data, set, style)
  new_part(set, columns, limits$lower, limits$upper, complete = FALSE)
}

check_rows_once <- function(columns, n, set) {
  # by numbers: labels may hold any separator
  codes <- lapply(unname(columns), function(column) match(column, unique(column)))
  size <- vapply(codes, function(code) max(code, 0L), 0L)
  key <- if (length(codes) == 0) rep(0, n) else cell_keys(codes, size)
  again <- which(duplicated(key))[1]
  if (is.na(again)) {
    return(invisible())
  }
  first <- match(key[again], key)
  abort_sdc("input", c(
    "Each row of a data frame must refer to a different sum of cells.",
    x = "Rows {first} and {again} of {.val {set}} refer to the same sum.",
    i = "Is there a variable that {.arg dimVar} does not name?"
  ))
}

frame_column <- function(x, variable, set) {
  if (!is.atomic(x) || is.null(x) || anyNA(x)) {
    abort_sdc("input", c(
      "Variables of a data frame must be vectors or factors without missing values.",
      x = if (is.atomic(x) && !is.null(x)) {
        "{.val {variable}} is missing in row {which(is.na(x))[1]} of {.val {set}}."
      } else {
        "{.val {variable}} of {.val {set}} is {.obj_type_friendly {x}}."
      }
    ))
  }
  if (is.factor(x)) x else as.character(x)
}

# What is known of each row: its count, or limits, or nothing.
frame_limits <- function(data, set, style) {
  given <- intersect(c("lower", "upper"), names(data))
  counted <- style$freqVar %in% names(data)
  if (length(given) == 0 && !counted) {
    abort_sdc("input", c(
      "A data frame must have a column of counts, or {.field lower} and {.field upper}.",
      x = "{.val {set}} has no column {.field {style$freqVar}}.",
      i = "{.arg freqVar} names the column."
    ))
  }
  none <- rep(NA_real_, nrow(data))
  limits <- interval_limits(data$lower %||% none, data$upper %||% none, set)
  if (counted) counted_limits(limits, data[[style$freqVar]], suppressed_rows(data, set), set, style)
  else limits
}

# Counts that are not suppressed are exact, and those that are missing are not known.
counted_limits <- function(limits, counts, hidden, set, style) {
  if (is.logical(counts) && all(is.na(counts))) counts <- as.double(counts)
  gap <- is.na(counts) & !(is.numeric(counts) & is.nan(counts))
  whole <- function(at) whole_counts(counts[at], set, function(k) paste("Row", at[k]))
  at <- which(!hidden & !gap)
  shown <- whole(at)
  outside <- at[shown < limits$lower[at] | shown > limits$upper[at]]
  if (length(outside) > 0) {
    abort_sdc("infeasible", c(
      "A count must lie between {.field lower} and {.field upper} of its row.",
      x = "That of row {outside[1]} of {.val {set}} does not."
    ))
  }
  limits$lower[at] <- limits$upper[at] <- shown
  if (!is.null(style$known)) {
    at <- which(hidden)
    truth <- whole(at)
    limits$lower[at] <- pmax(limits$lower[at], ceiling(truth - style$known[1]))
    limits$upper[at] <- pmin(limits$upper[at], floor(truth + style$known[2]))
  }
  limits
}

suppressed_rows <- function(data, set) {
  if ("suppressed" %in% names(data)) {
    hidden <- data$suppressed
    ok <- is.logical(hidden) && !anyNA(hidden)
    expected <- "{.field suppressed} must be `TRUE` or `FALSE` for each row."
  } else if ("sdcStatus" %in% names(data)) {
    status <- as.character(data$sdcStatus)
    ok <- all(status %in% c("s", "z", "w", "u", "x"))
    hidden <- status %in% c("u", "x")
    expected <- paste0("{.field sdcStatus} must be one of s, z, w (published), u, x (suppressed) ",
                       "for each row.")
  } else {
    return(logical(nrow(data)))
  }
  if (!ok) {
    abort_sdc("input", c(expected, x = "It is not in {.val {set}}."))
  }
  hidden
}

# Limits that a user gave: whole, or NA where there is none.
interval_limits <- function(lower, upper, set) {
  if (!is.numeric(lower) && !all(is.na(lower)) || !is.numeric(upper) && !all(is.na(upper))) {
    abort_sdc("input", c(
      "{.field lower} and {.field upper} must be numbers.",
      x = "In {.val {set}} they are {.obj_type_friendly {lower}} and {.obj_type_friendly {upper}}."
    ))
  }
  lower[is.na(lower)] <- 0
  upper[is.na(upper)] <- Inf
  whole <- lower == floor(lower) & lower < 2^53 & upper == floor(upper) &
    (upper <= 2^53 | upper == Inf)
  ok <- all(whole)
  if (!ok || any(lower > upper)) {
    at <- if (ok) which(lower > upper)[1] else which(!whole)[1]
    abort_sdc(if (ok) "infeasible" else "input", c(
      "{.field lower} and {.field upper} must be whole numbers with {.code lower <= upper}, or NA.",
      x = if (ok) {
        "In row {at} of {.val {set}} {.field lower} is above {.field upper}."
      } else {
        "In row {at} of {.val {set}} one of them is not whole, or too large."
      }
    ))
  }
  list(lower = pmax(0, lower), upper = upper)
}

# ---- sdcTable ---------------------------------------------------------------------------------

# The cells of a problem, with the status that they have now, and the trees of its variables.
#' @export
as_parts.sdcProblem <- function(x, name, arg, style) {
  check_installed("sdcTable", "to read its problems")
  data <- as.data.frame(sdcTable::sdcProb2df(x, addDups = FALSE, dimCodes = "original"))
  variables <- x@dimInfo@dimInfo
  style$dimVar <- names(variables)
  style$freqVar <- "freq"
  part <- frame_part(data, if (nzchar(name)) name else arg, style)
  part$hierarchies <- lapply(variables, function(v) {
    data.frame(level = strrep("@", v@levels), code = v@codesOriginal)
  })
  list(part)
}
