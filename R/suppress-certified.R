# Suppression whose cells this package chooses itself, with a certificate for each primary cell.

# ---- what is asked for --------------------------------------------------------------------------

# `wishes`: the arguments that only these methods read. `given`: those that the user gave.
check_wishes <- function(wishes, given, method, pattern, kinds) {
  if (method %in% certified_methods) {
    return(certified_wishes(wishes, given, method, pattern, kinds))
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

certified_wishes <- function(wishes, given, method, pattern, kinds) {
  check_whole(wishes$width, min = 1, max = 2^31, arg = "width")
  if (!is.null(wishes$readers)) {
    wishes$readers <- check_audit_readers(wishes$readers, kinds)
    check_pairs_alone(wishes$readers)
  }
  wishes <- with_coalition(wishes)
  if (is.null(wishes$total_cost)) wishes$total_cost <- usual_total_cost(wishes$cost)
  check_total_cost(wishes$total_cost)
  limit <- wishes$time_limit_s
  if (!is.null(limit)) check_number(limit, min = 0, arg = "time_limit_s")
  check_flag(wishes$progress, "progress")
  check_whole(wishes$threads, min = 1, max = most_threads, arg = "threads")
  check_wishes_fit(wishes, pattern)
  check_start_fits(wishes, pattern)
  if ("method" %in% wishes$readers) {
    # the default seed is no secret
    if (!"seed" %in% given) wishes["seed"] <- list(NULL)
    return(keyed_wishes(wishes, method, pattern))
  }
  check_no_key(wishes$key)
  wishes$seed <- draw_seed(wishes$seed)
  wishes
}

# ---- the search ---------------------------------------------------------------------------------

# `x`: a suppression without cells; `ask`: the method and the wishes.
suppress_certified <- function(x, ask) {
  check_can_hide_zeros(x)
  wishes <- ask$wishes
  if ("method" %in% wishes$readers) check_can_choose_blindly(x)
  check_people_groups(wishes, x)
  x <- with_groups(x, wishes)
  asked <- asked_of_cells(x, measure_of(x, zeros = !leaves_zeros_out(x)), ask)
  check_number_of_pairs(wishes$readers, x$original$counts, sum(asked$measure$primary),
                        x$coalition)
  asked$ask$start <- read_start(wishes, asked$measure)
  found <- search_without_sums(function(asked) {
    search_for_readers(function(asked) search_pattern(x, asked), x, asked)
  }, x, asked)
  x <- certified_fields_of(x, asked, width = wishes$width)
  x$readers <- found$readers
  x <- with_found(x, asked, found)
  if ("method" %in% x$readers) x <- say_blind(x, found, asked$cost)
  x$left_out <- found$left_out
  seal_certified(list_lacking(x, found), asked)
}

# What the user's wishes say of the rows of the measure's cells: `primary` rows of the measure are
# those of the rule and of codes; `cost`, of each row; `kept` and `forced`, which stay published and
# which are hidden though not primary; and `given`, those that a pattern hides, or NULL.
asked_of_cells <- function(x, measure, ask) {
  wishes <- ask$wishes
  ask$wishes$time_limit_s <- wishes$time_limit_s %||% usual_seconds(measure, ask)
  named <- read_status(wishes$status, measure)
  n <- nrow(measure$cells)
  measure <- with_marked(measure, rows_with_code(named, "u", n))
  ask$wishes["previous"] <- list(read_previous(wishes$previous, names(x$original$dimnames)))
  old <- if (!is.null(wishes$previous)) previous_rows(ask$wishes$previous, measure)
  kept <- kept_rows(wishes$published, measure) | rows_with_code(named, "z", n)
  list(
    measure = measure, named = named, old = old, kept = kept,
    cost = asked_cell_costs(wishes$cost, wishes$total_cost, measure, named, old),
    forced = rows_with_code(named, "x", n) & !measure$primary,
    given = if (!is.null(ask$pattern)) given_pattern(ask, measure, kept), ask = ask
  )
}

# Those that are asked of counts alone.
counts_wishes <- c("width", "key")

# The suppression with all its fields, of which the search has still to fill in some. `...`: those
# of one kind of table.
certified_fields_of <- function(x, asked, ...) {
  wishes <- asked$ask$wishes
  x <- structure(c(unclass(x)[names(x) != "readers"], list(
    method = if (is.null(asked$given)) asked$ask$method else "certified pattern",
    version = asked$ask$start$version,
    further = wishes[!names(wishes) %in% c("progress", "threads", if (of_units(x)) counts_wishes)],
    notes = asked$ask$start$notes, ...,
    readers = wishes$readers, certificates = NULL, lacking = NULL, cost = 0, bound = 0,
    optimal = FALSE, stopped = FALSE, audit = NULL
  )), class = class(x))
  x$status <- asked$named
  x$previous <- asked$old
  x
}

# With what the search found, which is looked at later.
with_found <- function(x, asked, found) {
  measure <- asked$measure
  x$cells <- measured_cells(measure, found$suppressed, measure$primary)
  x$certificates <- found$certificates
  secondary <- x$cells$sdcStatus == "x"
  x$cost <- sum(asked$cost[secondary])
  x$bound <- found$bound + sum(asked$cost[forced_rows(asked$forced, measure) & secondary])
  x[c("optimal", "stopped")] <- found[c("optimal", "stopped")]
  if (!is.null(asked$given)) x$added <- sum(found$suppressed) - sum(asked$given)
  x
}

seal_certified <- function(x, asked) {
  if (asked$ask$audit) x["audit"] <- list(audit(x))
  x$seal <- seal_of(suppression_kind(x), suppression_parts(x))
  x
}

# Small tables gain little from a longer search, unless the user asks for proof. A choice that looks
# at no count must come to its end.
usual_seconds <- function(measure, ask) {
  is_quick <- ask$method == "certified" && !"method" %in% ask$wishes$readers
  if (is_quick && has_few_cells(measure)) 2 else 30
}

# All that the search says is looked at before anybody relies on it.
list_lacking <- function(x, found) {
  changed <- if (certificates_fit(x)) changed_cells(x)
  if (is.null(changed) || any(certificate_faults_of(x, changed) > 0) || any(is_shown(x))) {
    abort_wrong_certificate()
  }
  open <- proved_intervals(x, changed)$open
  is_one_of <- function(some) {
    paste(open$row, open$who, open$with) %in% paste(some$row, some$who, some$with)
  }
  open$impossible <- is_one_of(found$impossible)
  open$exposed <- open$impossible | is_one_of(found$exposed)
  x$lacking <- open
  if (nrow(open) > 0) warn_of_lacking(open, x)
  x
}

abort_wrong_certificate <- function() {
  abort_sdc("internal", c(
    "The certificates of a suppression must hold.",
    x = "The search returned one that does not. This is a mistake in the package.",
    i = "Please report it, and use another {.arg seed} or {.arg method}."
  ))
}

warn_of_lacking <- function(open, x) {
  n <- length(unique(open$row))
  never <- length(unique(open$row[open$impossible]))
  known <- length(unique(open$row[open$exposed]))
  warn_sdc("unsafe", c(
    "{n} primary cell{?s} {?is/are} not certified, and {.fn publish} will refuse the table.",
    "!" = if (known > never) "It is proved that readers know too much of {known} of them.",
    "!" = if (never > 0) {
      "{never} of them cannot be protected: with all other cells suppressed readers would still
       know too much."
    },
    i = if ("method" %in% open$reader) method_hint(x),
    i = if (never < n && !all(open$reader == "method")) {
      "A longer {.arg time_limit_s} or another {.arg seed} may find certificates."
    },
    i = "{.field lacking} of the result lists the cells, for your eyes only. Merge small levels, or
         lower {.arg maxN} or {.arg width}."
  ))
}

# `x`: a suppression without cells; `asked`: see asked_of_cells().
search_pattern <- function(x, asked) {
  measure <- asked$measure
  cells <- measure$cells
  if (!any(measure$primary | measure$unseen | asked$guards %||% FALSE)) {
    return(c(nothing_primary(asked), list(value_free = TRUE, level = 1)))
  }
  ask <- asked$ask
  groups <- group_question(x, measure)
  least <- kept_counts(x, cells, measure$group_zeros)
  at <- which(measure$open & may_be_hidden(measure) | measure$unseen |
                unseen_in_groups(groups, least, measure$open))
  question <- pattern_question(x$original, at, asked, groups, least)
  limits <- pattern_limits(ask)
  search <- if (is.null(asked$given)) cpp_certified_pattern else cpp_certify_pattern
  if ("method" %in% ask$wishes$readers) {
    search <- cpp_value_free_pattern
    offered <- isTRUE(ask$wishes$offered)
    if (!is.null(ask$wishes$key)) {
      secret <- key_numbers(ask$wishes$key, nrow(cells))
      question$rows$cost <- question$rows$cost * secret$factor[at]
      limits$seed <- secret$seed
    }
    limits <- c(limits, list(most = measure$rule$maxN, only_levels = offered,
                             most_price = if (offered) most_price else 0, few = few_more))
  }
  found <- with_core(with_progress("Choosing cells", function(tick) {
    search(question$table, question$rows, limits, keeping_tick(tick))
  }, ask$wishes$progress))
  suppressed <- logical(nrow(cells))
  suppressed[at[found$hidden]] <- TRUE
  suppressed[!measure$open] <- FALSE
  row_of <- function(number) rows_of_cells(number, cells, names(x$original$dimnames))
  rows_of <- function(some) {
    pair <- matches(some$cell, found$cell)
    list(row = at[pair$y], who = row_of(some$who)[pair$x], with = row_of(some$with)[pair$x])
  }
  if (length(groups$ties) > 0 || limits$together > 1) found <- without_claims(found)
  made <- found$certificates
  made$row <- as.double(row_of(made$row))
  c(list(suppressed = suppressed, certificates = list2data_frame(made, length(made$row)),
         impossible = rows_of(found$impossible), exposed = rows_of(found$exposed)),
    found[intersect(c("bound", "optimal", "stopped", "value_free", "level",
                      "dear_cost", "usual_cost"), names(found))])
}

# What is found where no cell is primary.
nothing_primary <- function(asked) {
  none <- rlang::set_names(rep(list(numeric()), 3), certificate_columns)
  list(suppressed = asked$given %||% forced_rows(asked$forced, asked$measure), bound = 0,
       optimal = !any(asked$given), certificates = list2data_frame(none, 0L), stopped = FALSE)
}

pattern_limits <- function(ask) {
  wishes <- ask$wishes
  list(width = wishes$width, contributors = "contributor" %in% wishes$readers,
       pairs = "coalition" %in% wishes$readers, together = people_together(wishes),
       seconds = wishes$time_limit_s,
       seed = wishes$seed, exact = ask$method == "optimal", repair = ask$repair,
       threads = allowed_threads(wishes$threads), starts = !is.null(ask$start))
}

# Labels that hold the same leaves are one node. `at`: the rows that take part. A cell may be hidden
# (role 0), stays published (1), is primary (2), is hidden by the given pattern or by one to start
# from (3), or in any case (4). `groups`: what is asked of rows of people; `least`: of all rows.
pattern_question <- function(x, at, asked, groups = NULL, least = NULL) {
  measure <- asked$measure
  totals <- table_totals(x)
  nodes <- variable_nodes(x)
  node_of <- function(codes, of) of$node[codes]
  codes <- lapply(unclass(measure$cells)[names(x$dimnames)], function(v) as.integer(v)[at])
  crossings <- if (!is.null(table_crossings(x))) {
    lapply(crossing_flags(x), function(flags) {
      unname(Map(function(flag, of) unique(of$node[flag]), unname(flags), unname(nodes)))
    })
  }
  role <- as.integer(asked$kept)
  role[measure$primary | measure$unseen %||% FALSE | asked$guards %||% FALSE] <- 2L
  role[asked$forced] <- 4L
  role[asked$given & !measure$primary] <- 3L
  role[asked$ask$start$suppressed & role == 0L] <- 3L
  list(
    table = c(list(
      families = unname(lapply(nodes, `[[`, "families")), counts = x$counts,
      leaves = Map(node_of, stored_codes(x), unname(nodes)), crossings = as.list(crossings),
      size = lengths(node_labels(x, totals), FALSE), zeros = measure$protectZeros
    ), groups["rises"]),
    rows = c(list(codes = unname(Map(node_of, codes, nodes)), role = role[at],
                  cost = asked$cost[at]), if (!is.null(least)) list(least = least[at]),
             if (!is.null(groups)) list(
               most = groups$most[at], unsure = groups$unsure[at],
               owner = match(groups$owner[at], at, nomatch = 0L),
               ties = rows_among(groups$ties, at), own = rows_among(groups$own, at)
             ))
  )
}

# The rows that a user's pattern hides. Where zeros are not primary, certificates suppose that they
# are published. Only the rule says which cells are to be certified.
given_pattern <- function(ask, measure, kept) {
  x <- measure$table
  found <- read_pattern(ask$pattern, x, measure$cells, measure$primary)
  hidden <- found$suppressed & measure$open
  number <- cells_by_leaves(measure)
  same_as <- function(rows) measure$open & number %in% number[rows]
  faults <- c(
    "suppresses {n} zero{?s}, and certificates are for tables whose zeros are published" =
      sum(hidden & !may_be_hidden(measure)),
    "marks {n} cell{?s} as primary that {?is/are} not so by the rule" =
      sum(found$primary & !measure$primary),
    "suppresses {n} cell{?s} of {.arg published}" = sum(hidden & same_as(kept)),
    "publishes {n} cell{?s} that it suppresses under another label with the same leaves" =
      sum(same_as(hidden) & !hidden & !measure$primary),
    "publishes {n} primary cell{?s}, which {.code repair = TRUE} suppresses" =
      if (ask$repair) 0 else sum(measure$primary & !hidden)
  )
  n <- faults[faults > 0][1]
  if (!is.na(n)) {
    abort_sdc("input", c(
      "{.arg pattern} must be one that can be certified.",
      x = paste0("It ", names(n), ".")
    ))
  }
  hidden | measure$primary
}

# ---- words --------------------------------------------------------------------------------------

# What print() says of the certificates.
certified_words <- function(x) {
  n <- length(guarded_rows(x))
  kinds <- kinds_of(of_units(x), x$coalition)
  if (n == 0) {
    return(c("no cell is primary", status_words(x), previous_words(x)))
  }
  lacking <- x$lacking
  what <- if (n_unseen(x) > 0) "small count" else "primary cell"
  words <- vapply(x$readers, function(reader) {
    open <- length(unique(lacking$row[lacking$reader %in% up_to_reader(reader)]))
    paste0(if (open > 0) "FAILS: ", "certified for ", kinds[[reader]], ": ",
           count_of(n - open, n, what), if (reader == "method" && identical(x$level, 0)) {
             ", by the choice of cells, not by the decision to publish"
           })
  }, "")
  of_cells <- lacking$reader != "sum"
  known <- length(unique(lacking$row[lacking$exposed & of_cells]))
  never <- length(unique(lacking$row[lacking$impossible]))
  c(
    unname(words), if (of_units(x)) sums_certified_words(lacking) else certified_group_words(x),
    if (known > 0) {
      paste0("FAILS: it is proved that some reader knows too much of ",
             plural(known, "primary cell"))
    },
    if (never > 0) paste0("FAILS: ", plural(never, "primary cell"), " cannot be protected"),
    unseen_count_words(x), cost_words(x), price_words(x), status_words(x), previous_words(x),
    uncovered_words(x)
  )
}

# Does every cell cost 1?
costs_cells <- function(x) {
  identical(x$further$cost, "cells") && identical(x$further$total_cost, 1) &&
    is.null(x$previous) && all(is.na(x$status$cost))
}

cost_words <- function(x) {
  unit <- x$further$cost
  n <- sum(x$cells$sdcStatus == "x")
  of_cells <- costs_cells(x) || identical(unit, "cells") && x$optimal && x$cost == n
  what <- if (of_cells) {
    plural(n, "secondary cell")
  } else {
    paste0(plural(n, "secondary cell costs", "secondary cells cost"), " ", format_number(x$cost),
           if (x$cost != n) why_not_one(x))
  }
  bound <- if (of_cells) format_count(ceiling(x$bound - 1e-9)) else format_number(x$bound)
  paste0(what, if (x$optimal) {
    ": no pattern with certificates costs less"
  } else if (x$bound > 0) {
    paste0(", at least ", bound, if (of_cells) " are" else " is", " necessary")
  },
    if (x$stopped) "; the time limit ended the search")
}

# What the costs of cells are made of, in brackets.
why_not_one <- function(x) {
  unit <- x$further$cost
  why <- c(
    if (is.character(unit) && unit != "cells") unit,
    if (!identical(x$further$total_cost, 1)) "totals are dearer",
    if (!is.null(x$previous)) "those of last year are cheaper",
    if (any(!is.na(x$status$cost))) "some by `status`"
  )
  if (length(why) > 0) paste0(" (", toString(why), ")")
}

uncovered_words <- function(x) {
  alone <- if (of_units(x)) "single contributors, " else "people who are alone in a cell, "
  paste0("not covered: ", if (!"contributor" %in% x$readers) alone,
         if (!"coalition" %in% x$readers) "contributors who act together, " else
           paste0("more than ", if (is.null(x$coalition)) "two" else format_count(x$coalition),
                  " people who act together, "),
         if (!"method" %in% x$readers) {
           paste0("readers who know the method", left_out_words(x), ", ")
         },
         "other releases")
}

# What print() says of sums of suppressed cells.
sums_certified_words <- function(lacking) {
  n <- length(unique(lacking$who[lacking$reader == "sum"]))
  if (n > 0) {
    return(paste0("FAILS: ", plural(n, "sum"), " of suppressed cells that ",
                  if (n == 1) "follows" else "follow",
                  " from published totals may be sensitive"))
  }
  "no sum of suppressed cells that follows from published totals is sensitive"
}
