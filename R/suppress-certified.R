# Suppression whose cells this package chooses itself, with a certificate for each primary cell.

# ---- what is asked for --------------------------------------------------------------------------

# `wishes`: the arguments that only these methods read. `given`: those that the user gave.
check_wishes <- function(wishes, given, method, pattern) {
  if (is.null(pattern) && method %in% certified_methods) {
    return(certified_wishes(wishes))
  }
  given <- intersect(names(wishes), given)
  if (length(given) > 0) {
    abort_sdc("input", c(
      "{.arg {given}} {cli::qty(given)}{?is an argument/are arguments} of
       {.or {.code method = {.val {certified_methods}}}}.",
      x = if (is.null(pattern)) "{.arg method} is {.val {method}}." else
        "The cells of {.arg pattern} are suppressed as they are."
    ))
  }
}

certified_wishes <- function(wishes) {
  check_whole(wishes$width, min = 1, max = 2^31, arg = "width")
  wishes$readers <- check_audit_readers(wishes$readers, c("outsider", "contributor"))
  check_number(wishes$total_cost, min = 0, arg = "total_cost")
  if (wishes$total_cost == 0) {
    abort_sdc("input", c("{.arg total_cost} must be above 0.", x = "{.arg total_cost} is 0."))
  }
  check_number(wishes$time_limit_s, min = 0, arg = "time_limit_s")
  check_flag(wishes$progress, "progress")
  wishes$seed <- draw_seed(wishes$seed)
  wishes
}

# Zeros that are hidden would be unknowns like others, and a table has too many of them.
check_can_certify <- function(x) {
  if (!x$protectZeros) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg method} must be a library when zeros are protected.",
    x = "{.code protectZeros = TRUE}, and {.val {certified_methods}} publish all zeros.",
    i = "{.code method = \"GaussSuppression\"} hides zeros."
  ))
}

# ---- the search ---------------------------------------------------------------------------------

# `x`: a suppression without cells; `ask`: the method and the wishes.
suppress_certified <- function(x, ask) {
  check_can_certify(x)
  wishes <- ask$wishes
  measure <- measure_of(x)
  cost <- cell_costs(wishes$cost, wishes$total_cost, measure)
  kept <- kept_rows(wishes$published, measure)
  found <- search_pattern(x$original, measure, cost, kept, ask)
  x$cells <- measured_cells(measure, found$suppressed, measure$primary)
  x <- structure(c(unclass(x), list(
    method = ask$method, further = wishes[names(wishes) != "progress"], notes = NULL,
    width = wishes$width, readers = wishes$readers, certificates = found$certificates,
    lacking = NULL, cost = sum(cost[x$cells$sdcStatus == "x"]), bound = found$bound,
    optimal = found$optimal, stopped = found$stopped, audit = NULL
  )), class = class(x))
  x <- list_lacking(x, found$impossible)
  if (ask$audit) x["audit"] <- list(audit(x))
  x$seal <- seal_of(suppression_kind(x), suppression_parts(x))
  x
}

# All that the search says is looked at before anybody relies on it.
list_lacking <- function(x, impossible) {
  changed <- if (certificates_fit(x)) changed_cells(x)
  if (is.null(changed) || any(certificate_faults_of(x, changed) > 0) || any(is_shown(x))) {
    abort_sdc("internal", c(
      "The certificates of a suppression must hold.",
      x = "The search returned one that does not. This is a mistake in the package.",
      i = "Please report it, and use another {.arg seed} or {.arg method}."
    ))
  }
  open <- proved_intervals(x, changed)$open
  open$impossible <- paste(open$row, open$who) %in% paste(impossible$row, impossible$who)
  x$lacking <- open
  if (nrow(open) > 0) warn_of_lacking(open)
  x
}

warn_of_lacking <- function(open) {
  n <- length(unique(open$row))
  never <- length(unique(open$row[open$impossible]))
  warn_sdc("unsafe", c(
    "{n} primary cell{?s} {?is/are} not certified, and {.fn publish} will refuse the table.",
    "!" = if (never > 0) {
      "{never} of them cannot be protected: with all other cells suppressed readers would still
       know too much."
    },
    i = if (never < n) "A longer {.arg time_limit_s} or another {.arg seed} may find certificates.",
    i = "{.field lacking} of the result lists the cells, for your eyes only. Merge small levels, or
         lower {.arg maxN} or {.arg width}."
  ))
}

search_pattern <- function(x, measure, cost, kept, ask) {
  cells <- measure$cells
  if (!any(measure$primary)) {
    none <- rlang::set_names(rep(list(numeric()), 3), certificate_columns)
    return(list(suppressed = logical(nrow(cells)), certificates = list2data_frame(none, 0L),
                bound = 0, optimal = TRUE, stopped = FALSE))
  }
  at <- which(measure$open & cells$freq > 0)
  asked <- pattern_question(x, measure, at, kept)
  asked$rows$cost <- cost[at]
  wishes <- ask$wishes
  limits <- list(
    width = wishes$width, contributors = "contributor" %in% wishes$readers,
    seconds = wishes$time_limit_s, seed = wishes$seed, exact = ask$method == "optimal"
  )
  found <- with_core(with_progress("Choosing cells", function(tick) {
    cpp_certified_pattern(asked$table, asked$size, asked$rows, limits, keeping_tick(tick))
  }, wishes$progress), hints = list(
    too_large = "{.code method = \"certified\"} takes larger tables than \"optimal\"."
  ))
  suppressed <- logical(nrow(cells))
  suppressed[at[found$hidden]] <- TRUE
  never <- matches(found$impossible$cell, found$cell)
  made <- found$certificates
  c(list(suppressed = suppressed, certificates = list2data_frame(made, length(made$row)),
         impossible = list(row = at[never$y], who = found$impossible$who[never$x])),
    found[c("bound", "optimal", "stopped")])
}

# Labels that hold the same leaves are one node. A cell may be hidden (role 0), stays published (1)
# or is primary (2).
pattern_question <- function(x, measure, at, kept) {
  totals <- table_totals(x)
  nodes <- Map(function(levels, totals) label_nodes(variable_label(levels, totals)), x$dimnames,
               totals)
  node_of <- function(codes, of) of$node[codes]
  codes <- lapply(unclass(measure$cells)[names(x$dimnames)], function(v) as.integer(v)[at])
  crossings <- if (!is.null(table_crossings(x))) {
    lapply(crossing_flags(x), function(flags) {
      unname(Map(function(flag, of) unique(of$node[flag]), unname(flags), unname(nodes)))
    })
  }
  list(
    table = list(
      families = unname(lapply(nodes, `[[`, "families")), counts = x$counts,
      leaves = Map(node_of, stored_codes(x), unname(nodes)), crossings = as.list(crossings)
    ),
    size = lengths(node_labels(x, totals), FALSE),
    rows = list(codes = unname(Map(node_of, codes, nodes)),
                role = ifelse(measure$primary, 2L, as.integer(kept))[at])
  )
}

# ---- words --------------------------------------------------------------------------------------

# What print() says of the certificates.
certified_words <- function(x) {
  n <- sum(x$cells$sdcStatus == "u")
  if (n == 0) {
    return("no cell is primary")
  }
  lacking <- x$lacking
  words <- vapply(x$readers, function(reader) {
    open <- length(unique(lacking$row[lacking$reader %in% c("outsider", reader)]))
    paste0(if (open > 0) "FAILS: ", "certified for ", reader_kinds[[reader]], ": ",
           count_of(n - open, n, "primary cell"))
  }, "")
  never <- length(unique(lacking$row[lacking$impossible]))
  c(
    unname(words),
    if (never > 0) paste0("FAILS: ", plural(never, "primary cell"), " cannot be protected"),
    cost_words(x), uncovered_words(x)
  )
}

cost_words <- function(x) {
  unit <- x$further$cost
  of_cells <- identical(unit, "cells") && identical(x$further$total_cost, 1)
  what <- if (of_cells) plural(x$cost, "secondary cell") else
    paste0("secondary cells cost ", format_number(x$cost),
           if (is.character(unit)) paste0(" (", unit, ")"))
  bound <- format_number(if (of_cells) ceiling(x$bound) else x$bound)
  paste0(what, if (x$optimal) ": no pattern with certificates costs less" else
    paste0(", at least ", bound, if (of_cells) " are" else " is", " necessary"),
    if (x$stopped) "; the time limit ended the search")
}

uncovered_words <- function(x) {
  paste0("not covered: ", if (!"contributor" %in% x$readers) "people who are alone in a cell, ",
         "contributors who act together, readers who know the method, other releases")
}
