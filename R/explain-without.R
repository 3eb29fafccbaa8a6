# What would follow if a secondary cell of a certified suppression were published.

# ---- by the certificates that there are ---------------------------------------------------------

# Which of the primary cells that it serves would have too few certificates without those that
# change it.
needed_sentence <- function(x, at, changed, served) {
  used <- unique(changed$certificate[changed$row == at])
  open_by <- function(changed) {
    if (of_units(x)) proved_units(x, changed, sums = FALSE)$open else
      proved_intervals(x, changed)$open
  }
  before <- open_by(changed)
  after <- open_by(changed[!changed$certificate %in% used, ])
  rows <- setdiff(after$row, before$row)
  if (length(rows) == 0) {
    return("Other certificates, which leave it as it is, would suffice.")
  }
  if (length(rows) == served) {
    return("The certificates that leave it as it is do not suffice for any of these.")
  }
  paste0("The certificates that leave it as it is do not suffice for ", listed_rows(x, rows), ".")
}

# "2 primary cells: A = a1, B = b2; A = a3, B = b2"
listed_rows <- function(x, rows, most = 5) {
  shown <- utils::head(rows, most)
  labels <- lapply(unclass(x$cells)[names(x$original$dimnames)], function(v) as.character(v[shown]))
  paste0(plural(length(rows), "primary cell"), ": ", paste(label_words(labels), collapse = "; "),
         if (length(rows) > most) "; and others")
}

# ---- by another search --------------------------------------------------------------------------

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
  if (length(lost) == 0) {
    return("If this cell were published and all others withheld as before, every primary cell would
            still be certified: it need not be withheld.")
  }
  known <- length(unique(found$lacking$row[new & found$lacking$exposed]))
  c(
    paste0("If this cell were published and all others withheld as before, no certificates were
            found for ", listed_rows(x, lost), "."),
    if (known > 0) {
      paste0("It is proved that some reader would then know too much of ",
             if (length(lost) == 1) "it" else if (known == length(lost)) "all of them" else
               paste(format_count(known), "of them"), ".")
    }
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
    never <- length(intersect(lost, found$lacking$row[found$lacking$impossible]))
    return(paste0("The search found no pattern that publishes this cell and certifies ",
                  listed_rows(x, lost),
                  if (never > 0) ". It is proved that there is none", "."))
  }
  c(
    paste0("The best pattern found that publishes this cell ", pattern_cost(x, found$cost),
           "; this one ", if (found$cost == x$cost) "is as good" else pattern_cost(x, x$cost),
           if (found$cost < x$cost) ", which is MORE: give suppress() the cell as `published`",
           "."),
    if (found$optimal) "It is proved that no pattern that publishes it is better.",
    if (found$stopped) "The time limit ended this search: a better one may exist."
  )
}

pattern_cost <- function(x, cost) {
  unit <- x$further$cost
  if (costs_cells(x)) {
    return(paste("has", plural(cost, "secondary cell")))
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

# What suppress() was given, without what it found.
bare_suppression <- function(x) {
  made <- c("cells", "method", "further", "notes", "audit", "added", "seal", certified_fields)
  structure(unclass(x)[setdiff(names(x), made)], class = class(x))
}
