# Certified suppression of magnitudes: tables of whole units that show how far each primary total
# may lie from the true one.

check_can_certify_units <- function(x) {
  if (!is_signed(x$original)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg method} must be a library, or {.arg pattern} be given, where totals may be negative.",
    x = "{.arg method} is one of {.val {certified_methods}}, whose certificates are tables of totals
         that are not negative.",
    i = "{.code method = \"GaussSuppression\"} takes such a table."
  ))
}

# `x`: a suppression without cells; `ask`: the method and the wishes.
suppress_certified_units <- function(x, ask) {
  check_can_certify_units(x)
  wishes <- ask$wishes
  measure <- with_unit_layout(measure_of(x), x$original)
  cost <- cell_costs(wishes$cost, wishes$total_cost, measure)
  kept <- kept_rows(wishes$published, measure)
  given <- if (!is.null(ask$pattern)) given_pattern(ask, measure, kept)
  x <- structure(c(unclass(x), list(
    method = if (is.null(given)) ask$method else "certified pattern",
    further = wishes[!names(wishes) %in% c("progress", "width", "threads", "key")], notes = NULL,
    readers = wishes$readers, certificates = NULL, lacking = NULL, cost = 0, bound = 0,
    optimal = FALSE, stopped = FALSE, audit = NULL
  )), class = class(x))
  x <- search_units(x, measure, cost, kept, given, ask)
  if (!is.null(given)) x$added <- sum(is_withheld(x)) - sum(given)
  if (ask$audit) x["audit"] <- list(audit(x))
  x$seal <- seal_of(suppression_kind(x), suppression_parts(x))
  x
}

# The table of units with the trees and crossings of the table of magnitudes.
with_unit_layout <- function(measure, x) {
  measure$table <- set_layout(measure$table,
                              new_layout(x$hierarchies, x$total_label, table_crossings(x)))
  measure
}

most_sum_rounds <- 20

# A sum of suppressed cells that follows from published totals, and is sensitive, must not follow:
# that is asked for, and the search begins again.
search_units <- function(x, measure, cost, kept, given, ask) {
  end <- work_seconds() + ask$wishes$time_limit_s
  sums <- list()
  for (round in seq_len(most_sum_rounds)) {
    ask$seconds <- max(0, end - work_seconds())
    found <- search_units_once(x$original, measure, cost, kept, given, sums, ask)
    x <- with_found_units(x, measure, cost, found)
    new <- setdiff(x$sums$rows, sums)
    if (length(new) == 0 || work_seconds() >= end || !(is.null(given) || ask$repair)) break
    sums <- c(sums, new)
  }
  x$sums <- NULL
  warn_of_lacking_units(x)
  x
}

# `sums`: rows whose sums must not be known.
search_units_once <- function(x, measure, cost, kept, given, sums, ask) {
  cells <- measure$cells
  if (!any(measure$primary)) {
    none <- rlang::set_names(rep(list(numeric()), 3), certificate_columns)
    return(list(suppressed = given %||% logical(nrow(cells)), bound = 0, optimal = !any(given),
                certificates = list2data_frame(none, 0L), stopped = FALSE,
                lacking = unit_lacking()))
  }
  inner <- seq_len(nrow(cells)) %in% inner_rows(cells, x$dimnames)
  at <- which(cells$freq > 0 & (measure$open | inner))
  asked <- pattern_question(measure$table, measure, at, kept)
  asked$rows$cost <- cost[at]
  asked$rows$role[given[at] & !measure$primary[at]] <- 3L
  asked$rows$role[!measure$open[at]] <- 5L
  question <- unit_question(x, measure, at, sums, ask$wishes$readers)
  limits <- list(seconds = ask$seconds, seed = ask$wishes$seed, exact = ask$method == "optimal",
                 task = if (is.null(given)) "search" else if (ask$repair) "repair" else "certify")
  found <- with_core(with_progress("Choosing cells", function(tick) {
    cpp_certified_units(asked$table, asked$rows, c(question, limits), keeping_tick(tick))
  }, ask$wishes$progress))
  suppressed <- logical(nrow(cells))
  suppressed[at[found$hidden]] <- TRUE
  made <- found$certificates
  c(list(suppressed = suppressed, certificates = list2data_frame(made, length(made$row)),
         lacking = unit_lacking(found$lacking, question, at)),
    found[c("bound", "optimal", "stopped")])
}

# What the search says of what it lacks, by rows and holders: `row`, `who` (NA: the outsider).
unit_lacking <- function(found = NULL, question = NULL, at = NULL) {
  if (length(found$demand) == 0) {
    return(list(row = numeric(), who = numeric(), impossible = logical(), exposed = logical()))
  }
  cell <- found$demand <= length(question$demands$row)
  row <- at[question$demands$row[found$demand[cell]]]
  members <- split(question$who$holder, question$who$class)
  who <- lapply(found$knower[cell], function(k) if (is.na(k)) NA else members[[k]])
  times <- lengths(who)
  list(row = rep(row, times), who = as.numeric(unlist(who)),
       impossible = rep(found$impossible[cell], times), exposed = rep(found$exposed[cell], times))
}

# All that the search says is looked at before anybody relies on it.
with_found_units <- function(x, measure, cost, found) {
  x$cells <- measured_cells(measure, found$suppressed, measure$primary)
  x$certificates <- found$certificates
  x[c("bound", "optimal", "stopped")] <- found[c("bound", "optimal", "stopped")]
  x$cost <- sum(cost[x$cells$sdcStatus == "x"])
  changed <- if (certificates_fit(x)) changed_cells(x)
  if (is.null(changed) || any(unit_certificate_faults(x, changed) > 0) || any(is_shown(x))) {
    abort_wrong_certificate()
  }
  proved <- proved_units(x, changed, measure)
  open <- proved$open
  said <- function(some) {
    paste(open$row, open$who) %in% paste(found$lacking$row, found$lacking$who)[some]
  }
  open$impossible <- said(found$lacking$impossible)
  open$exposed <- open$impossible | said(found$lacking$exposed) | open$reader == "sum"
  x$optimal <- x$optimal && !any(open$reader == "sum")
  x$lacking <- open
  x$sums <- proved$sums
  x
}

warn_of_lacking_units <- function(x) {
  open <- x$lacking[x$lacking$reader != "sum", ]
  n <- length(unique(open$row))
  never <- length(unique(open$row[open$impossible]))
  sums <- length(unique(x$lacking$who[x$lacking$reader == "sum"]))
  if (n + sums == 0) {
    return(invisible(x))
  }
  warn_sdc("unsafe", c(
    if (n > 0) {
      "{n} primary cell{?s} {?is/are} not certified, and {.fn publish} will refuse the table."
    },
    "!" = if (never > 0) {
      "{never} of them cannot be protected: with all other cells suppressed readers would still
       know too much."
    },
    "!" = if (sums > 0) {
      "{sums} sum{?s} of suppressed cells {?is/are} sensitive, or may be, and {?follows/follow} from
       published totals: {.fn publish} will refuse the table."
    },
    i = if (never < n) {
      "A longer {.arg time_limit_s} or another {.arg seed} may find certificates."
    },
    i = "{.field lacking} of the result lists the cells, for your eyes only. Merge small levels, or
         let {.arg method} be {.val GaussSuppression}."
  ))
}
