# Certificates of suppressions in words: which other tables readers must reckon with.

certified_story <- function(x) {
  n <- length(unique(x$lacking$row))
  c(
    paste0("Each certificate is another table with the same published cells and totals. There are ",
           format_count(n_certificates(x)), ", and they differ from the original in the primary
           cells: who has only the publication cannot tell which table is the true one."),
    if (n > 0) {
      paste0(plural(n, "primary cell is", "primary cells are"),
             " NOT certified for some reader: $lacking lists them.")
    } else {
      paste0("Every primary cell is certified for every reader that was asked for: ",
             paste(kinds_of(of_units(x), x$coalition)[x$readers], collapse = ", "),
             "; verify_suppression() checks it.")
    }
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
  paste0("Readers who know the method cannot exclude ", format_count(n), " of ",
         if (nrow(own) == 1) "this 1 table" else paste("these", format_count(nrow(own)), "tables"),
         ", as small counts stay small there, and all others above `maxN`.")
}

# The tables with the largest and the least count in the cell.
protecting_tables <- function(x, at, changed, own) {
  if (nrow(own) == 0) {
    return("No certificate changes it.")
  }
  ends <- unique(c(which.max(own$change), which.min(own$change)))
  ends <- ends[order(own$change[ends])]
  c(
    paste0("Certified: ", plural(nrow(own), "other table has", "other tables have"), " the same
           published cells and totals, and from ",
           amount_in(x, at, min(own$change, 0)), " to ", amount_in(x, at, max(own$change, 0)),
           " here."),
    vapply(ends, function(i) one_table(x, at, changed, own[i, ]), "")
  )
}

# "One has 4 here; besides 3 cells differ: A = a1, B = Total is 7 instead of 6; ..."
one_table <- function(x, at, changed, end, most = 5) {
  others <- changed[changed$certificate == end$certificate & changed$row != at, ]
  others <- others[is_withheld(x)[others$row], ]
  shown <- utils::head(others, most)
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], function(v) {
    as.character(v[shown$row])
  })
  paste0(
    "One has ", amount_in(x, at, end$change), " here, and ",
    plural(nrow(others), "other suppressed cell differs", "other suppressed cells differ"), ": ",
    paste0(label_words(labels), " is ", amount_in(x, shown$row, shown$change), " instead of ",
           amount_in(x, shown$row, 0), collapse = "; "),
    if (nrow(others) > most) "; and so on", "."
  )
}

# The count or total of rows in another table.
amount_in <- function(x, row, change) {
  format_count(if (of_units(x)) in_values(unit_totals(x)[row] + change, x$original) else
    x$cells$freq[row] + change)
}

served_cells <- function(x, at, changed, own) {
  rows <- unique(changed$row[changed$certificate %in% own$certificate])
  rows <- rows[x$cells$sdcStatus[rows] == "u"]
  if (length(rows) == 0) {
    return("No certificate changes it: it need not be suppressed.")
  }
  c(
    paste0("It is part of ", plural(length(unique(own$certificate)), "certificate"), ", which ",
           if (length(unique(own$certificate)) == 1) "protects " else "protect ",
           listed_rows(x, rows), "."),
    needed_sentence(x, at, changed_cells(x), length(rows))
  )
}

lacking_sentence <- function(x, at) {
  open <- x$lacking[x$lacking$row %in% at, ]
  if (nrow(open) == 0) {
    return(NULL)
  }
  if ("outsider" %in% open$reader) {
    return(paste0("FAILS: no certificate shows that readers do not know it",
                  if (any(open$impossible)) "; no choice of cells can protect it", "."))
  }
  people <- sum(open$reader == "contributor")
  c(
    if (any(open$reader == "sum")) {
      "FAILS: it is part of a sum of suppressed cells that is sensitive, or may be, and follows
       from published totals."
    },
    if (people > 0 && of_units(x)) {
      paste0("FAILS: no certificate keeps ", plural(people, "contributor"), " from learning it.")
    } else if (people > 0) {
      paste0("FAILS: no certificate keeps ", plural(people, "person", "people"), " who ",
             is_are(people), " alone in a cell from learning it.")
    },
    pairs_sentence(open[open$reader == "coalition", ]),
    method_sentence(open[open$reader == "method", ])
  )
}

method_sentence <- function(open) {
  if (nrow(open) == 0) {
    return(NULL)
  }
  paste0("FAILS: no certificate that keeps small counts small and all others above `maxN` ",
         if (anyNA(open$who)) "shows that readers who know the method do not know it" else
           paste("protects it from", plural(nrow(open), "person", "people"), "who",
                 is_are(nrow(open)), "alone in a cell and", know_knows(nrow(open)), "the method"),
         ".")
}

know_knows <- function(n) if (n == 1) "knows" else "know"

story.sdc_suppression_verification <- function(x) {
  c(
    if (x$verified) {
      "VERIFIED: every certificate is a table with the published cells and totals, and for each
       reader that was asked for they leave every primary cell wide enough."
    } else {
      paste("NOT VERIFIED:", x$faults)
    },
    if (!is.null(x$readers)) {
      paste0("Readers: ", paste(reader_lines(x), collapse = "; "), ".")
    },
    "The check adds up all totals anew, and shares no code with the search."
  )
}
