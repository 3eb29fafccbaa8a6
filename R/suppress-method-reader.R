# The reader who knows the method: the library, the rule and all other arguments of suppress().
#
# The libraries draw nothing at random. So the reader can list the tables that agree with the
# publication, run the same call on each, and keep those whose publication is the same. A table
# whose call ends with an error of the library would not have been published, and falls out, too.

# `limits` has time_limit_s, and may have max_tables, within and relative, as audit() takes them.
# Tables that the time left untried stay possible: their number is `unsure`.
method_reader <- function(x, limits, progress, call) {
  check_can_rerun(x, call)
  hidden <- which(is_hidden(x))
  tables <- agreeing_tables(x, limits$max_tables %||% max_method_tables, limits, progress, call)
  check_reruns(x, hidden, call)
  tried <- rerun_tables(x, tables, hidden, limits$time_limit_s, progress)
  kept <- tables[, tried != "other", drop = FALSE]
  list(
    learned = method_learned(x, hidden, kept, limits), unsure = sum(tried == "untried"),
    counts = c(tables_before = ncol(tables), tables_after = ncol(kept))
  )
}

# Some minutes of a library's work.
max_method_tables <- 1000

check_can_rerun <- function(x, call) {
  if (!inherits(x, "sdc_suppression")) {
    abort_sdc("input", c(
      "{.code readers = \"method\"} is for suppressed tables of counts.",
      x = "This is {.obj_type_friendly {x}}: the values that agree with its publication are too many
           to run the method on each."
    ), call = call)
  }
  if (identical(x$method, "pattern")) {
    abort_sdc("input", c(
      "{.code readers = \"method\"} needs a suppression whose cells a library chose.",
      x = "A given {.arg pattern} chose them here, so there is no method to run on other tables."
    ), call = call)
  }
}

# A column for each table that agrees, a row for each hidden cell or total.
agreeing_tables <- function(x, max_tables, limits, progress, call) {
  system <- reader_system(public_suppression(x))
  if (length(system$lower) == 0) {
    return(matrix(0, 0, 1))
  }
  tables <- tryCatch(
    enumerate_tables(system, max_tables, limits$max_states %||% 1e6, limits$max_steps %||% 1e8,
                     progress = progress),
    sdc_error_too_large = function(cnd) abort_too_many_tables(max_tables, call),
    sdc_error_input = function(cnd) {
      abort_sdc("too_large", c(
        "{.code readers = \"method\"} lists all tables that agree with the publication.",
        x = "Some suppressed cell has no upper limit, so there are infinitely many."
      ), call = call)
    }
  )
  matrix(tables, length(system$lower))
}

abort_too_many_tables <- function(max_tables, call) {
  abort_sdc("too_large", c(
    "{.code readers = \"method\"} lists all tables that agree with the publication and runs the
     method on each.",
    x = "More than {.arg max_tables} = {format_count(max_tables)} tables agree, or listing them takes
         more than {.arg max_states} and {.arg max_steps}.",
    i = "Raise these limits, or audit a part of the table."
  ), call = call)
}

# Fields may have been changed, or the library updated: what does not lead to this publication says
# nothing of it.
check_reruns <- function(x, hidden, call) {
  if (identical(hidden_by_method(x, x$original), hidden)) {
    return(invisible(x))
  }
  version <- as.character(utils::packageVersion(x$method))
  abort_sdc("input", c(
    "{.arg x} must be as {.fn suppress} returned it, by the installed version of the library.",
    x = "The same call, with {.pkg {x$method}} {version}, hides other cells.",
    i = "Run {.fn suppress} again."
  ), call = call)
}

# "same", "other" or "untried", for each table.
rerun_tables <- function(x, tables, hidden, seconds, progress) {
  inner <- inner_rows(x$cells, x$original$dimnames)
  start <- own_seconds()
  with_progress("Running the method", function(tick) {
    out <- rep("untried", ncol(tables))
    for (i in seq_along(out)) {
      if (i > 1 && own_seconds() - start > seconds) break
      freq <- x$cells$freq
      freq[hidden] <- tables[, i]
      table <- table_from_dense(freq[inner], x$original$dimnames)
      out[i] <- if (identical(hidden_by_method(x, table), hidden)) "same" else "other"
      if (!is.null(tick)) tick(i / length(out))
    }
    out
  }, progress)
}

own_seconds <- function() sum(proc.time()[c("user.self", "sys.self")])

# Which rows the same call hides of another table; NULL when the library ends with an error.
hidden_by_method <- function(x, table) {
  asked <- list(
    table, maxN = x$maxN, method = x$method, hierarchies = x$hierarchies,
    total_label = x$total_label, protectZeros = x$protectZeros, audit = FALSE
  )
  tryCatch(
    withCallingHandlers(
      which(is_hidden(do.call(suppress, c(asked, x$further)))),
      sdc_warning_library = function(cnd) rlang::cnd_muffle(cnd)
    ),
    sdc_error_infeasible = function(cnd) NULL
  )
}

# What all remaining tables say alike, or nearly: primary cells first.
method_learned <- function(x, hidden, kept, limits) {
  rows <- seq_len(nrow(kept))
  lower <- vapply(rows, function(row) min(kept[row, ]), 0)
  upper <- vapply(rows, function(row) max(kept[row, ]), 0)
  reach <- pmax(limits$within %||% 2, (limits$relative %||% 0) * upper)
  known <- which(upper - lower <= reach)
  primary <- x$cells$sdcStatus[hidden] == "u"
  known <- known[order(!primary[known], upper[known] > lower[known])]
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], function(column) {
    column[hidden[known]]
  })
  n <- length(known)
  who <- paste("who knows", x$method, "and its arguments")
  list2data_frame(c(
    list(reader = rep("method", n), who = rep(who, n)), labels,
    list(lower = lower[known], upper = upper[known],
         how = ifelse(upper[known] == lower[known], "exactly", "nearly"))
  ), n)
}
