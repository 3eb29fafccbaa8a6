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
    parts_of(given[[i]], names[[i]], args[[i]], style)
  })
  parts <- unlist(parts, recursive = FALSE)
  check_dim_var_used(parts, style)
  parts
}

# A name in `dimVar` that no data frame has is a slip: its sums would be taken over another table.
check_dim_var_used <- function(parts, style) {
  unknown <- setdiff(style$dimVar, unlist(lapply(parts, function(p) if (!p$complete) names(p$columns))))
  if (length(unknown) > 0) {
    abort_sdc("input", c(
      "{.arg dimVar} must name columns of the data frames of the release.",
      x = "There is no column {.val {unknown}}."
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

parts_of <- function(x, name, arg, style) {
  if (inherits(x, "sdc_margins")) {
    check_some_margin(x)
    return(lapply(names(x), function(set) margin_part(x[[set]], paste0(name, if (nzchar(name)) " ", set))))
  }
  if (is_sdc_constraints(x)) {
    return(constraint_parts(x))
  }
  if (inherits(x, "sdc_publication")) {
    return(publication_parts(x, name))
  }
  if (inherits(x, "sdc_conditionals")) {
    return(rate_parts(x, name, style))
  }
  if (inherits(x, "sdc_rounded_publication")) {
    return(rounded_parts(x, name))
  }
  if (inherits(x, "sdc_suppressed")) {
    return(suppressed_parts(x, name))
  }
  if (inherits(x, "sdc_intervals")) {
    return(lapply(names(x), function(set) {
      part <- x[[set]]
      part$set <- paste0(name, if (nzchar(name)) " ", set)
      part
    }))
  }
  if (inherits(x, "sdcProblem")) {
    return(problem_parts(x, if (nzchar(name)) name else arg, style))
  }
  if (is.data.frame(x)) {
    return(list(frame_part(x, if (nzchar(name)) name else arg, style)))
  }
  x <- table_argument(x, arg, "margins, intervals, a data frame, an {.cls sdc_table},")
  list(margin_part(x, if (nzchar(name)) name else margin_label(names(x$dimnames))))
}

# A margin: all cells, exact.
margin_part <- function(x, set) {
  counts <- dense_counts(x)
  columns <- unclass(cell_factors(seq_along(counts), x$dimnames))
  new_part(set, columns, counts, counts, complete = TRUE)
}

# Constraints made before: their rows as they are, of which those of one cell are its limits.
constraint_parts <- function(x) {
  columns <- lapply(x$dimnames, function(levels) factor(character(), levels))
  of_set <- split(seq_along(x$rows$lower), factor(x$rows$set, seq_along(x$sets)))
  lapply(seq_along(x$sets), function(s) {
    part <- new_part(x$sets[s], columns, numeric(), numeric(), complete = TRUE)
    part$labels <- x$made_of$labels
    part$origin <- if (!is.null(x$made_of)) if (s == 1) x$made_of$parts else list()
    part$make_rows <- function(labels) {
      if (!identical(names(labels), names(x$dimnames))) {
        abort_sdc("input", c(
          "Constraints made before must have all variables of the release, in its order.",
          x = "They have {.val {names(x$dimnames)}}, the release {.val {names(labels)}}."
        ))
      }
      select_rows(x$rows, of_set[[s]])
    }
    part
  })
}

select_rows <- function(rows, at) {
  size <- diff(rows$start)[at]
  entries <- sequence(size, from = rows$start[at] + 1)
  list(
    start = cumsum(c(0, size)), cell = rows$cell[entries], coefficient = rows$coefficient[entries],
    lower = rows$lower[at], upper = rows$upper[at], label = rows$label[at]
  )
}

# A perturbed table: the margins that the cycles keep, and the reach of their moves. Under "blocked"
# a cell that was zero stays zero, so that a published positive count was positive.
publication_parts <- function(x, name) {
  table <- x$table
  reach <- mechanism_reach(x$mechanism)
  counts <- dense_counts(table)
  positive <- if (x$mechanism$zero_rule == "blocked") as.numeric(counts > 0) else 0
  columns <- unclass(cell_factors(seq_along(counts), table$dimnames))
  reachable <- new_part(paste0(name, if (nzchar(name)) " ", "reach of the moves"), columns,
                        pmax(positive, counts - reach), counts + reach, complete = TRUE)
  kept <- lapply(x$mechanism$cycles$preserves, function(variables) {
    m <- take_margin(table, variables, "variables")
    margin_part(m, paste0(name, if (nzchar(name)) " ", margin_label(variables)))
  })
  c(kept, list(reachable))
}

# How far all steps together can move each cell.
mechanism_reach <- function(mechanism) {
  all <- expand_cycles(mechanism$cycles)
  of_cycle <- rep(seq_len(length(mechanism$cycles)), diff(all$start))
  times <- mechanism$covers * cover_times(mechanism$cycles)[of_cycle]
  add_up(times * abs(all$coefficient), all$cell, prod(dim(mechanism$cycles)))
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
  key <- if (length(codes) == 0) rep("", n) else do.call(paste, codes)
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

frame_limits <- function(data, set, style) {
  if (all(c("lower", "upper") %in% names(data))) {
    return(interval_limits(data$lower, data$upper, set))
  }
  hidden <- suppressed_rows(data, set)
  if (!style$freqVar %in% names(data)) {
    abort_sdc("input", c(
      "A data frame must have a column of counts, or {.field lower} and {.field upper}.",
      x = "{.val {set}} has no column {.field {style$freqVar}}.",
      i = "{.arg freqVar} names the column."
    ))
  }
  counts <- data[[style$freqVar]]
  shown <- whole_counts(counts[!hidden], set)
  lower <- numeric(nrow(data))
  upper <- rep(Inf, nrow(data))
  lower[!hidden] <- upper[!hidden] <- shown
  if (!is.null(style$known)) {
    truth <- whole_counts(counts[hidden], set)
    lower[hidden] <- pmax(0, ceiling(truth - style$known[1]))
    upper[hidden] <- floor(truth + style$known[2])
  }
  list(lower = lower, upper = upper)
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
    expected <- "{.field sdcStatus} must be one of s, z, w (published), u, x (suppressed) for each row."
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
problem_parts <- function(x, set, style) {
  check_installed("sdcTable", "to read its problems")
  data <- as.data.frame(sdcTable::sdcProb2df(x, addDups = FALSE, dimCodes = "original"))
  variables <- x@dimInfo@dimInfo
  style$dimVar <- names(variables)
  style$freqVar <- "freq"
  part <- frame_part(data, set, style)
  part$hierarchies <- lapply(variables, function(v) {
    data.frame(level = strrep("@", v@levels), code = v@codesOriginal)
  })
  list(part)
}
