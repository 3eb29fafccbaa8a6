# What a user says of single cells: codes as sdcTable and tau-ARGUS have them, and costs.

cell_codes <- c("u", "x", "z", "s", "w")

# `status`: the user's frame, or NULL. The rows of the measure's cells that it names, with the code
# and the cost of each, NA where it says none.
read_status <- function(status, measure) {
  if (is.null(status)) {
    return(NULL)
  }
  code <- check_status_codes(status)
  cost <- check_status_costs(status, code)
  row <- pattern_rows(status, measure$table, measure$cells, "status")
  # zeros without a row are published in any case
  named <- !is.na(row) | code %in% c("u", "x")
  row[is.na(row) & named] <- 0
  out <- list2data_frame(list(row = as.double(row[named]), sdcStatus = code[named],
                              cost = cost[named]), sum(named))
  check_status_cells(out, measure)
  out
}

check_status_codes <- function(status) {
  if (!is.data.frame(status) || is.null(status[["sdcStatus"]])) {
    abort_sdc("input", c(
      "{.arg status} must be a data frame that names cells by the variables, with a column
       {.field sdcStatus}.",
      x = if (is.data.frame(status)) "It has no such column." else
        "It is {.obj_type_friendly {status}}."
    ))
  }
  code <- as.character(status[["sdcStatus"]])
  bad <- which(!code %in% cell_codes)[1]
  if (!is.na(bad)) {
    abort_sdc("input", c(
      "{.field sdcStatus} of {.arg status} must be one of {.or {.val {cell_codes}}} in each row.",
      x = "Row {bad} has {.val {code[bad]}}."
    ))
  }
  code
}

# Only cells that may be suppressed, or not, have a choice to pay for.
check_status_costs <- function(status, code) {
  cost <- status[["cost"]]
  if (is.null(cost)) cost <- rep(NA_real_, length(code))
  free <- code %in% c("s", "w")
  ok <- if (is.numeric(cost)) ifelse(is.na(cost), code != "w", free & is.finite(cost) & cost > 0)
  bad <- if (is.numeric(cost)) which(!ok)[1]
  if (is.numeric(cost) && is.na(bad)) {
    return(as.double(cost))
  }
  abort_sdc("input", c(
    "The column {.field cost} of {.arg status} must have finite numbers above 0 for cells with
     {.val w}, and may have them for those with {.val s}.",
    x = if (!is.numeric(cost)) {
      "It is {.obj_type_friendly {cost}}."
    } else if (is.na(cost[bad])) {
      "Row {bad} has none."
    } else if (free[bad]) {
      "Row {bad} has another value."
    } else {
      "Row {bad} has one, and {.val {code[bad]}} leaves no choice."
    }
  ))
}

check_status_cells <- function(named, measure) {
  hide <- named$row[named$sdcStatus %in% c("u", "x")]
  stay <- named$row[named$sdcStatus == "z"]
  number <- cells_by_leaves(measure)
  hidden <- number %in% number[c(hide[hide > 0], which(measure$primary))]
  faults <- c(
    "suppresses {n} cell{?s} that no crossing shows" = sum(!measure$open[hide[hide > 0]]),
    "suppresses {n} zero{?s}, and zeros are published" =
      sum(hide == 0) + sum(!may_be_hidden(measure)[hide[hide > 0]]),
    "keeps {n} cell{?s} published that {?is/are} withheld by the rule, or under another label with
     the same leaves" = sum(hidden[stay])
  )
  n <- faults[faults > 0][1]
  if (!is.na(n)) {
    abort_sdc("input", c(
      "{.arg status} must name cells that can have their code.", x = paste0("It ", names(n), "."),
      i = if (grepl("zeros are published$", names(n))) {
        "{.code protectZeros = TRUE} suppresses zeros. A {.arg record} of a publication that did so
         needs it, too."
      }
    ))
  }
}

# The costs with those that a frame of codes names.
status_costs <- function(cost, named) {
  at <- !is.na(named$cost)
  cost[named$row[at]] <- named$cost[at]
  cost
}

# A user's list and last year's pattern say which cells to hide: they are for a choice of cells, and
# a reader who knows the method must find the same primary cells by the rule alone.
check_wishes_fit <- function(wishes, pattern) {
  given <- c(if (!is.null(wishes$status)) "status", if (!is.null(wishes$previous)) "previous")
  if (length(given) > 0 && !is.null(pattern)) {
    abort_sdc("input", c(
      "{.arg {given}} must be given without {.arg pattern}.",
      x = "{.arg pattern} says which cells are suppressed."
    ))
  }
  if ("method" %in% wishes$readers && is.data.frame(wishes$status) &&
        any(c("u", "x") %in% wishes$status$sdcStatus)) {
    abort_sdc("input", c(
      "For the reader {.val method} only {.arg maxN} may say which cells are primary.",
      x = "{.arg status} names cells with {.val u} or {.val x}.",
      i = "{.code readers = c(\"outsider\", \"contributor\")} leaves this reader out."
    ))
  }
}

# ---- what a suppression says of it --------------------------------------------------------------

# Cells whose code the suppression does not follow.
status_faults <- function(x) {
  n <- nrow(x$cells)
  shown <- sum(rows_with_code(x$status, c("u", "x"), n) & !is_hidden(x))
  hidden <- sum(rows_with_code(x$status, "z", n) & is_hidden(x))
  c(
    if (shown > 0) paste(plural(shown, "cell"), "that `status` suppresses", is_are(shown),
                         "published."),
    if (hidden > 0) paste(plural(hidden, "cell"), "that `status` keeps published", is_are(hidden),
                          "suppressed.")
  )
}

status_words <- function(x) {
  if (is.null(x$status)) {
    return(NULL)
  }
  n <- table(factor(x$status$sdcStatus, cell_codes))
  said <- c(
    if (n[["u"]] > 0) paste(format_count(n[["u"]]), "primary"),
    if (n[["x"]] > 0) paste(format_count(n[["x"]]), "suppressed"),
    if (n[["z"]] > 0) paste(format_count(n[["z"]]), "kept published"),
    if (any(!is.na(x$status$cost))) paste(format_count(sum(!is.na(x$status$cost))),
                                          "with a cost of their own")
  )
  if (length(said) > 0) paste("by the user's status:", paste(said, collapse = ", "))
}
