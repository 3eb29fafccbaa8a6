# The reader who knows the method: the library, the rule and all other arguments of suppress().
#
# The libraries draw nothing at random. So the reader can list the tables that agree with the
# publication, run the same call on each, and keep those whose publication is the same. A table
# whose call ends with an error of the library, or with a result that is refused where this one was
# not, would not have been published, and falls out, too. A search that the clock ended may end
# elsewhere another time: its table stays possible.

# `limits` has time_limit_s, max_tables, max_states, max_steps, within and relative, as audit()
# takes them. Tables that the time left untried or ended stay possible. `cells`: what the reader
# knows of each hidden cell, the primary ones first; `learned`: those that all remaining tables have
# alike and not all that agree with the publication.
method_reader <- function(x, limits, progress) {
  check_can_rerun(x)
  hidden <- which(is_hidden(x))
  tables <- agreeing_tables(x, limits, progress)
  check_reruns(x, hidden)
  tried <- rerun_tables(x, tables, hidden, limits$time_limit_s, progress)
  kept <- tables[, !tried %in% c("other", "refused"), drop = FALSE]
  cells <- method_cells(x, hidden, tables, kept, limits)
  number <- function(outcome) sum(tried == outcome)
  open <- number("untried") + number("ended")
  list(
    learned = method_learned(x, cells),
    unsure = if (open > 0) sum(cells$primary & cells$known != "exactly") else 0,
    counts = c(tables_before = ncol(tables), tables_after = ncol(kept),
               untried = number("untried"), ended = number("ended"), refused = number("refused")),
    cells = cells
  )
}

check_can_rerun <- function(x) {
  if (!inherits(x, "sdc_suppression")) {
    abort_sdc("input", c(
      "{.code readers = \"method\"} is for suppressed tables of counts.",
      x = "This is {.obj_type_friendly {x}}: the values that agree with its publication are too many
           to run the method on each."
    ))
  }
  if (x$method %in% c("pattern", "certified pattern")) {
    abort_sdc("input", c(
      "{.code readers = \"method\"} needs a suppression whose cells a library chose.",
      x = "A given {.arg pattern} chose them here, so there is no method to run on other tables."
    ))
  }
}

# A column for each table that agrees, a row for each hidden cell or total.
agreeing_tables <- function(x, limits, progress) {
  system <- reader_system(public_suppression(x))
  if (length(system$lower) == 0) {
    return(matrix(0, 0, 1))
  }
  tables <- tryCatch(
    enumerate_tables(system, limits$max_tables, limits$max_states, limits$max_steps,
                     progress = progress),
    sdc_error_too_large = function(cnd) abort_too_many_tables(limits$max_tables),
    sdc_error_input = function(cnd) {
      abort_sdc("too_large", c(
        "{.code readers = \"method\"} lists all tables that agree with the publication.",
        x = "Some suppressed cell has no upper limit, so there are infinitely many."
      ))
    }
  )
  matrix(tables, length(system$lower))
}

abort_too_many_tables <- function(max_tables) {
  abort_sdc("too_large", c(
    "{.code readers = \"method\"} lists all tables that agree with the publication and runs the
     method on each.",
    x = "More than {.arg max_tables} = {format_count(max_tables)} tables agree, or listing them
         takes more than {.arg max_states} and {.arg max_steps}.",
    i = "Raise these limits, or audit a part of the table."
  ))
}

# Fields may have been changed, or the library updated: what does not lead to this publication says
# nothing of it.
check_reruns <- function(x, hidden) {
  again <- rerun_method(x, x$original)
  if (!is.null(again) && identical(which(is_hidden(again)), hidden)) {
    return(invisible(x))
  }
  if (was_ended(x) || was_ended(again)) {
    abort_sdc("input", c(
      "{.code readers = \"method\"} needs a choice of cells that the same call repeats.",
      x = "The time limit ended the search, and another run ends elsewhere.",
      i = "Run {.fn suppress} with a longer {.arg time_limit_s}."
    ))
  }
  library <- if (is_certified(x)) "sdcLattice" else x$method
  version <- as.character(utils::packageVersion(library))
  abort_sdc("input", c(
    "{.arg x} must be as {.fn suppress} returned it, by the installed version of the library.",
    x = "The same call, with {.pkg {library}} {version}, hides other cells.",
    i = "Run {.fn suppress} again."
  ))
}

# For each table "same", "other", "refused", "ended" (by the clock, before it was settled) or
# "untried".
rerun_tables <- function(x, tables, hidden, seconds, progress) {
  inner <- inner_rows(x$cells, x$original$dimnames)
  start <- work_seconds()
  with_progress("Running the method", function(tick) {
    out <- rep("untried", ncol(tables))
    for (i in seq_along(out)) {
      if (i > 1 && work_seconds() - start > seconds) break
      freq <- x$cells$freq
      freq[hidden] <- tables[, i]
      table <- set_layout(table_from_dense(freq[inner], x$original$dimnames), x$original$layout)
      out[i] <- rerun_outcome(x, rerun_method(x, table), hidden)
      if (!is.null(tick)) tick(i / length(out))
    }
    out
  }, progress)
}

# `again`: the same call on another table, or NULL. What both let pass, or neither, is no
# difference.
rerun_outcome <- function(x, again, hidden) {
  if (is.null(again)) {
    "refused"
  } else if (was_ended(again)) {
    "ended"
  } else if (!identical(which(is_hidden(again)), hidden)) {
    "other"
  } else if (falls_short(again) && !falls_short(x)) {
    "refused"
  } else {
    "same"
  }
}

# Would publish() refuse it, by what suppress() found? A library's pattern is not audited again.
falls_short <- function(x) is_certified(x) && nrow(x$lacking) > 0

was_ended <- function(x) is_certified(x) && (isTRUE(x$stopped) || isFALSE(x$value_free))

# What the same call returns for another table; NULL when the library ends with an error.
rerun_method <- function(x, table) {
  tryCatch(
    withCallingHandlers(
      (if (is_certified(x)) certified_again else by_library_again)(x, table),
      sdc_warning_library = function(cnd) rlang::cnd_muffle(cnd),
      sdc_warning_unsafe = function(cnd) rlang::cnd_muffle(cnd)
    ),
    sdc_error_infeasible = function(cnd) NULL
  )
}

by_library_again <- function(x, table) {
  asked <- list(
    table, maxN = x$maxN, method = x$method, protectZeros = x$protectZeros, audit = FALSE,
    repair = !is.null(x$repair)
  )
  do.call(suppress, c(asked, x$further))
}

# The wishes are those of the call: without named readers the same decision is made again.
certified_again <- function(x, table) {
  wishes <- c(x$further, list(unpriced = TRUE, threads = default_threads(), progress = FALSE))
  ask <- list(method = x$method, pattern = NULL, repair = FALSE, audit = FALSE, wishes = wishes)
  x <- bare_suppression(x)
  x$original <- table
  suppress_certified(x, ask)
}

# Intervals over all tables that agree, and over those that remain; primary cells first.
method_cells <- function(x, hidden, tables, kept, limits) {
  rows <- seq_along(hidden)
  end <- function(tables, f) vapply(rows, function(row) f(tables[row, ]), 0)
  lower <- end(kept, min)
  upper <- end(kept, max)
  near <- upper - lower <= pmax(limits$within, limits$relative * upper)
  known <- ifelse(lower == upper, "exactly", ifelse(near, "nearly", "no"))
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], function(column) column[hidden])
  out <- list2data_frame(c(labels, list(
    lower_before = end(tables, min), upper_before = end(tables, max), lower = lower, upper = upper,
    known = factor(known, c("exactly", "nearly", "no")),
    primary = x$cells$sdcStatus[hidden] == "u"
  )), length(hidden))
  out[order(!out$primary, out$known), ]
}

method_learned <- function(x, cells) {
  new <- cells$primary & cells$known == "exactly" & cells$lower_before < cells$upper_before
  at <- which(new)
  labels <- lapply(unclass(cells)[names(x$original$dimnames)], function(column) column[at])
  n <- length(at)
  learned_frame(rep("method", n), rep(paste("with", x$method, "and its arguments"), n), labels,
                cells$lower[at], cells$upper[at], rep("exactly", n))
}

# "1 of 6 tables remains: 28 of 28 suppressed cells are exactly known, 4 of them primary".
method_reader_words <- function(x) {
  n <- x$reader_counts$method
  if (is.null(n)) {
    return(NULL)
  }
  exact <- x$method_cells$known == "exactly"
  c(
    paste0("who knows the method is left with ", format_count(n[["tables_after"]]), " of ",
           plural(n[["tables_before"]], "table"), ": ", format_count(sum(exact)), " of ",
           plural(length(exact), "suppressed cell"), " exactly known, ",
           format_count(sum(exact & x$method_cells$primary)), " of them primary"),
    if (n[["refused"]] > 0) {
      paste0(plural(n[["refused"]], "table"), " would have been refused, not published")
    },
    if (n[["untried"]] > 0) {
      paste0("the time left ", plural(n[["untried"]], "table"), " untried: more may be known")
    },
    if (n[["ended"]] > 0) {
      paste0("the time limit of the search ended it for ", plural(n[["ended"]], "table"),
             ", which may be excluded: more may be known")
    }
  )
}


# What suppress() was given, without what it found.
bare_suppression <- function(x) {
  made <- c("cells", "method", "further", "notes", "audit", "added", "seal", certified_fields)
  structure(unclass(x)[setdiff(names(x), made)], class = class(x))
}
