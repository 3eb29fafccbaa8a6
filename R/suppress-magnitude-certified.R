# Certified suppression of magnitudes: tables of whole units that show how far each primary total
# may lie from the true one.

# `x`: a suppression without cells; `ask`: the method and the wishes.
suppress_certified_units <- function(x, ask) {
  asked <- asked_of_cells(x, with_unit_layout(measure_of(x), x), ask)
  x <- search_units(certified_fields_of(x, asked), asked)
  seal_certified(x, asked)
}

# The table of units that is searched, with the trees and crossings of the table of magnitudes. What
# a cell has in it is at least `lower`, where it is not 0; `taking_part`: the rows that are not 0
# there, and are published or cells of the table.
with_unit_layout <- function(measure, x) {
  held <- x$original
  inner <- inner_rows(measure$cells, held$dimnames)
  units <- searched_units(x, measure, inner)
  measure$lower <- units$lower
  is_inner <- seq_along(measure$amount) %in% inner
  stored <- sums_of_leaves(units$value > 0, held) > 0
  measure$taking_part <- which(stored & (measure$open | is_inner))
  measure$table <- set_layout(table_from_dense(units$value, held$dimnames),
                              new_layout(held$hierarchies, held$total_label, table_crossings(held)))
  measure
}

# Certificates are differences, so that a table may be searched by what its cells have above the
# limit that readers know, and 1: no cell with contributors is 0 then, as those that may change must
# not be. Where readers know no limit any change may be made, and multiplied.
searched_units <- function(x, measure, inner) {
  value <- measure$cells$freq[inner]
  takes_part <- measure$amount[inner] > 0
  if (is.null(x$lowest)) {
    shift <- any(takes_part & value == 0)
    return(list(value = ifelse(takes_part, value + shift, 0), lower = as.numeric(shift)))
  }
  # what nobody publishes may be negative, too
  takes_part <- takes_part | !measure$open[inner]
  limit <- lowest_units(x$lowest, x$original)
  above <- if (is.finite(limit)) value - limit + 1 else free_value
  list(value = ifelse(takes_part, above, 0), lower = 1)
}

most_sum_rounds <- 20

# A sum of suppressed cells that follows from published totals, and is sensitive, must not follow:
# that is asked for, and the search begins again.
search_units <- function(x, asked) {
  end <- work_seconds() + asked$ask$wishes$time_limit_s
  searches <- is.null(asked$given) || asked$ask$repair
  sums <- list()
  for (round in seq_len(most_sum_rounds)) {
    found <- search_units_once(x$original, asked, sums, max(0, end - work_seconds()))
    x <- with_found(x, asked, found)
    x <- list_lacking_units(x, asked$measure, found)
    new <- setdiff(x$sums$rows, sums)
    if (length(new) == 0 || work_seconds() >= end || !searches) break
    sums <- c(sums, new)
  }
  x$sums <- NULL
  warn_of_lacking_units(x)
  x
}

# `sums`: rows whose sums must not be known.
search_units_once <- function(x, asked, sums, seconds) {
  measure <- asked$measure
  if (!any(measure$primary) && length(sums) == 0) {
    return(c(nothing_primary(asked), list(lacking = unit_lacking())))
  }
  ask <- asked$ask
  at <- measure$taking_part
  # zeros of signed tables whose parts nobody sees stay published
  asked$kept <- asked$kept | !may_be_hidden(measure)
  question <- pattern_question(measure$table, at, asked)
  question$rows$role[!measure$open[at]] <- 5L
  # another name of a cell that is published under one
  question$rows$cost[!measure$open[at]] <- 0
  units <- unit_question(x, measure, at, sums, ask$wishes$readers)
  limits <- list(lower = measure$lower, seconds = seconds,
                 seed = ask$wishes$seed, exact = ask$method == "optimal",
                 task = if (is.null(asked$given)) "search" else if (ask$repair) "repair" else
                   "certify")
  found <- with_core(with_progress("Choosing cells", function(tick) {
    cpp_certified_units(question$table, question$rows, c(units, limits), keeping_tick(tick))
  }, ask$wishes$progress))
  suppressed <- logical(nrow(measure$cells))
  suppressed[at[found$hidden]] <- TRUE
  made <- found$certificates
  c(list(suppressed = suppressed, certificates = list2data_frame(made, length(made$row)),
         lacking = unit_lacking(found$lacking, units, at)),
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
list_lacking_units <- function(x, measure, found) {
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
