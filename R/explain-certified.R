# Certified suppressions in words: which other tables readers must reckon with, and what would
# follow if a secondary cell were published.

certified_story <- function(x) {
  lacking <- length(unique(x$lacking$row))
  readers <- toString(kinds_of(of_units(x), x$coalition)[x$readers])
  say(
    "Each certificate is another table with the same published cells and totals. There are
     {n_certificates(x)}, and they differ from the original in the primary cells: who has only the
     publication cannot tell which table is the true one.",
    if (lacking > 0) "{lacking} primary cell{?s} {?is/are} NOT certified for some reader: $lacking
      lists them." else "Every primary cell is certified for every reader that was asked for:
      {readers}; verify_suppression() checks it."
  )
}

story.sdc_suppression_verification <- function(x) {
  c(
    if (x$verified) {
      "VERIFIED: every certificate is a table with the published cells and totals, and for each
       reader that was asked for they leave every primary cell wide enough."
    } else {
      paste("NOT VERIFIED:", x$faults)
    },
    if (!is.null(x$readers)) paste0("Readers: ", paste(reader_lines(x), collapse = "; "), "."),
    "The check adds up all totals anew, and shares no code with the search."
  )
}

# Of one suppressed cell: the tables that protect it, or the primary cells that it helps to protect.
certificate_sentences <- function(x, at) {
  if (!certificates_fit(x)) {
    return("Its certificates are damaged: run suppress() again.")
  }
  # what a secondary cell is needed for depends on all others
  primary <- x$cells$sdcStatus[at] == "u"
  changed <- changed_cells(x, if (primary) certificates_over(x, at) else x$certificates)
  own <- changed[changed$row == at, ]
  c(
    if (primary) protecting_tables(x, at, changed, own) else served_cells(x, at, changed, own),
    lacking_sentence(x, at), if (primary) keeping_sentence(x, changed, own)
  )
}

# Those that change a cell of the table that this cell is, or holds.
certificates_over <- function(x, at) {
  made <- x$certificates
  if (of_units(x)) {
    return(made)
  }
  inside <- Map(function(column, levels, totals) {
    node <- as.integer(column[at])
    held <- if (node <= length(levels)) node else totals[[node - length(levels)]]
    as.integer(column)[made$row] %in% held
  }, unclass(x$cells)[names(x$original$dimnames)], x$original$dimnames, table_totals(x$original))
  made[made$certificate %in% made$certificate[Reduce(`&`, inside)], ]
}

# How many of the tables that protect a cell also protect it from readers who know the method.
keeping_sentence <- function(x, changed, own) {
  if (!"method" %in% x$readers) {
    return(NULL)
  }
  n <- length(intersect(own$certificate, if (isTRUE(x$value_free)) keeps_status(x, changed)))
  say("Readers who know the method cannot exclude {n} of {cli::qty(nrow(own))}{?this/these}
       {nrow(own)} table{?s}, as small counts stay small there, and all others above `maxN`.")
}

# The tables with the largest and the least count in the cell.
protecting_tables <- function(x, at, changed, own) {
  if (nrow(own) == 0) {
    return("No certificate changes it.")
  }
  ends <- unique(c(which.max(own$change), which.min(own$change)))
  ends <- ends[order(own$change[ends])]
  least <- amount_in(x, at, min(own$change, 0))
  most <- amount_in(x, at, max(own$change, 0))
  c(
    say("Certified: {nrow(own)} other table{?s} {?has/have} the same published cells and totals, and
         from {least} to {most} here."),
    vapply(ends, function(i) one_table(x, at, changed, own[i, ]), "")
  )
}

# "One has 4 here; besides 3 cells differ: A = a1, B = Total is 7 instead of 6; ..."
one_table <- function(x, at, changed, end, most = 5) {
  others <- changed[changed$certificate == end$certificate & changed$row != at, ]
  others <- others[is_withheld(x)[others$row], ]
  shown <- utils::head(others, most)
  here <- amount_in(x, at, end$change)
  cells <- paste0(labels_of_rows(x, shown$row), " is ", amount_in(x, shown$row, shown$change),
                  " instead of ", amount_in(x, shown$row, 0), collapse = "; ")
  rest <- if (nrow(others) > most) "; and so on" else ""
  say("One has {here} here, and {nrow(others)} other suppressed cell{?s} {?differs/differ}:
       {cells}{rest}.")
}

# The labels of rows of the table.
labels_of_rows <- function(x, rows) {
  label_words(lapply(unclass(x$cells)[names(x$original$dimnames)], function(v) {
    as.character(v[rows])
  }))
}

# The count or total of rows in another table.
amount_in <- function(x, row, change) {
  format_count(if (of_units(x)) in_values(unit_totals(x)[row] + change, x$original) else
    x$cells$freq[row] + change)
}

served_cells <- function(x, at, changed, own) {
  used <- unique(own$certificate)
  rows <- unique(changed$row[changed$certificate %in% used])
  rows <- rows[x$cells$sdcStatus[rows] == "u"]
  if (length(rows) == 0) {
    return("No certificate changes it: it need not be suppressed.")
  }
  c(
    say("It is part of {length(used)} certificate{?s}, which {?protects/protect}
         {listed_rows(x, rows)}."),
    needed_sentence(x, changed_cells(x), used, length(rows))
  )
}

# Which of the primary cells that it serves would have too few certificates without those that
# change it.
needed_sentence <- function(x, changed, used, served) {
  open <- function(changed) {
    proved <- if (of_units(x)) proved_units(x, changed, sums = FALSE) else
      proved_intervals(x, changed)
    proved$open$row
  }
  rows <- setdiff(open(changed[!changed$certificate %in% used, ]), open(changed))
  say(
    if (length(rows) == 0) "Other certificates, which leave it as it is, would suffice." else
      if (length(rows) == served) "The certificates that leave it as it is do not suffice for any of
        these." else "The certificates that leave it as it is do not suffice for
        {listed_rows(x, rows)}."
  )
}

# "2 primary cells: A = a1, B = b2; A = a3, B = b2"
listed_rows <- function(x, rows, most = 5) {
  shown <- paste(labels_of_rows(x, utils::head(rows, most)), collapse = "; ")
  say(if (length(rows) > most) "{length(rows)} primary cell{?s}: {shown}; and others" else
    "{length(rows)} primary cell{?s}: {shown}")
}

lacking_sentence <- function(x, at) {
  open <- x$lacking[x$lacking$row %in% at, ]
  if (nrow(open) == 0) {
    return(NULL)
  }
  if ("outsider" %in% open$reader) {
    return(say(if (any(open$impossible)) "FAILS: no certificate shows that readers do not know it;
      no choice of cells can protect it." else "FAILS: no certificate shows that readers do not know
      it."))
  }
  people <- sum(open$reader == "contributor")
  method <- open[open$reader == "method", ]
  c(
    say(
      if (any(open$reader == "sum")) "FAILS: it is part of a sum of suppressed cells that is
        sensitive, or may be, and follows from published totals.",
      if (people > 0 && of_units(x)) "FAILS: no certificate keeps {people} contributor{?s} from
        learning it.",
      if (people > 0 && !of_units(x)) "FAILS: no certificate keeps {people} {?person/people} who
        {?is/are} alone in a cell from learning it."
    ),
    pairs_sentence(open[open$reader == "coalition", ]),
    if (nrow(method) > 0) say(
      if (anyNA(method$who)) "FAILS: no certificate that keeps small counts small and all others
        above `maxN` shows that readers who know the method do not know it." else "FAILS: no
        certificate that keeps small counts small and all others above `maxN` protects it from
        {nrow(method)} {?person/people} who {?is/are} alone in a cell and {?knows/know} the method."
    )
  )
}

# ---- without a secondary cell -------------------------------------------------------------------

# `at`: NULL where no cell is named, NA for a zero without a row.
check_without <- function(x, at) {
  forced <- rows_with_code(x$status, "x", nrow(x$cells))
  if (is_certified(x) && !is.null(at) && x$cells$sdcStatus[at] %in% "x" && !forced[at]) {
    return(invisible())
  }
  abort_sdc("input", c(
    "{.code without = TRUE} must be asked of a secondary cell of a certified suppression.",
    x = if (!is_certified(x)) "The cells of this one were chosen {chosen_by(x)}." else
      if (is.null(at)) "{.arg cell} is missing." else if (forced[at] %in% TRUE)
        "{.arg status} says that this cell is suppressed." else "This cell is not secondary."
  ))
}

# `seconds`: of processor time, for both questions.
without_sentences <- function(x, at, seconds) {
  x$further$time_limit_s <- seconds / 2
  measure <- measure_of(x)
  alike <- cells_by_leaves(if (of_units(x)) with_unit_layout(measure, x) else measure)
  rows <- which(alike == alike[at])
  c(if (!"method" %in% x$readers) published_alone(x, rows), another_pattern(x, rows))
}

# The same pattern without the cell: is every primary cell still certified?
published_alone <- function(x, rows) {
  left <- x$cells[setdiff(names(x$cells), amount_column(x))]
  left$sdcStatus[rows] <- "s"
  left <- left[in_crossings(x), ]
  found <- searched_again(x, "certified", pattern = left)
  new <- !found$lacking$row %in% x$lacking$row
  lost <- unique(found$lacking$row[new])
  known <- length(unique(found$lacking$row[new & found$lacking$exposed]))
  whom <- if (length(lost) == 1) "it" else if (known == length(lost)) "all of them" else
    paste(format_count(known), "of them")
  if (length(lost) == 0) {
    return("If this cell were published and all others withheld as before, every primary cell would
            still be certified: it need not be withheld.")
  }
  say(
    "If this cell were published and all others withheld as before, no certificates were found for
     {listed_rows(x, lost)}.",
    if (known > 0) "It is proved that some reader would then know too much of {whom}."
  )
}

# The cheapest pattern in which the cell is published.
another_pattern <- function(x, rows) {
  kept <- kept_rows(x$further$published, measure_of(x))
  kept[rows] <- TRUE
  stay <- x$cells[kept, names(x$original$dimnames), drop = FALSE]
  found <- searched_again(x, if (x$method == "optimal") "optimal" else "certified",
                          published = stay)
  lost <- setdiff(found$lacking$row, x$lacking$row)
  if (length(lost) > 0) {
    never <- any(lost %in% found$lacking$row[found$lacking$impossible])
    proved <- if (never) ". It is proved that there is none" else ""
    return(say("The search found no pattern that publishes this cell and certifies
                {listed_rows(x, lost)}{proved}."))
  }
  now <- if (found$cost == x$cost) "is as good" else pattern_cost(x, x$cost)
  say(
    if (found$cost < x$cost) "The best pattern found that publishes this cell
      {pattern_cost(x, found$cost)}; this one {now}, which is MORE: give suppress() the cell as
      `published`." else "The best pattern found that publishes this cell
      {pattern_cost(x, found$cost)}; this one {now}.",
    if (found$optimal) "It is proved that no pattern that publishes it is better.",
    if (found$stopped) "The time limit ended this search: a better one may exist."
  )
}

pattern_cost <- function(x, cost) {
  unit <- x$further$cost
  if (costs_cells(x)) {
    return(say("has {cost} secondary cell{?s}"))
  }
  paste0("costs ", format_number(cost),
         if (is.character(unit) && unit != "cells") paste0(" (", unit, ")"))
}

# The suppression again, with other wishes. What it lacks is part of the answer, and no warning.
searched_again <- function(x, method, pattern = NULL, published = x$further$published) {
  wishes <- c(x$further[setdiff(names(x$further), c("published", "start", "readers"))],
              list(published = published, readers = x$readers, unpriced = TRUE,
                   threads = default_threads(), progress = FALSE))
  ask <- list(method = method, pattern = pattern, repair = FALSE, audit = FALSE, wishes = wishes)
  withCallingHandlers(
    (if (of_units(x)) suppress_certified_units else suppress_certified)(bare_suppression(x), ask),
    sdc_warning_unsafe = function(cnd) rlang::cnd_muffle(cnd)
  )
}
