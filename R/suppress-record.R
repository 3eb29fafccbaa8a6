# What a record keeps of a suppression, and how cells are chosen beside what is out.

# What a record keeps of a suppression.
suppression_entry <- function(x, public) {
  variables <- names(x$original$dimnames)
  total <- x$total_label
  rows_as <- function(rows) {
    columns <- lapply(unclass(x$cells)[variables], function(column) {
      word <- as.character(column)[rows]
      replace(word, word == total, "Total")
    })
    list2data_frame(columns, length(rows))
  }
  guarded <- guarded_rows(x)
  single <- single_contributors(x)
  floored <- which(least_counts(x) == 1 & is_withheld(x) & in_crossings(x))
  people <- rows_as(single$known$row)
  people$person <- paste0(rlang::hash(public), "-", single$known$reader, recycle0 = TRUE)
  people$own <- single$known$row == single$who[single$known$reader]
  list(
    publication = public,
    guarded = cbind(rows_as(guarded), freq = x$cells$freq[guarded],
                    width = rep(if (is_certified(x)) x$width else 1, length(guarded)),
                    alone = rep(TRUE, length(guarded))),
    people = people, floored = if (length(floored) > 0) rows_as(floored)
  )
}

# ---- a choice beside what is out ----------------------------------------------------------------

# The status of the cells of `x` that are out: suppressed again, or published again. What the user
# says of a cell comes first.
status_of_record <- function(record, status, x, maxN) {
  check_record(record)
  held <- if (!is.null(record)) read_entries(record)
  check_none_redistributed(held, "suppressed table")
  entries <- held$entries
  shown <- lapply(entries, function(entry) {
    if (inherits(entry$publication, "sdc_suppressed")) status_of_entry(entry$publication, x, maxN)
  })
  all <- bind_cells(shown)
  if (NROW(all) == 0) {
    return(status)
  }
  # what one of them shows is out
  all <- all[order(all$sdcStatus == "x"), ]
  variables <- setdiff(names(all), "sdcStatus")
  if (is.data.frame(status) && all(variables %in% names(status))) {
    said <- lapply(unclass(status)[variables], as.character)
    all <- all[!label_words(all[variables]) %in% label_words(said), ]
  }
  all <- all[!duplicated(label_words(all[variables])), ]
  if (is.null(status)) {
    return(all)
  }
  for (name in setdiff(names(status), names(all))) all[[name]] <- rep(NA, nrow(all))
  rbind(status, all[names(status)])
}

# The cells of a publication that the table has, too.
status_of_entry <- function(public, x, maxN) {
  variables <- names(x$dimnames)
  cells <- public$cells[in_crossings(public), ]
  over <- setdiff(names(public$dimnames), variables)
  is_total <- Reduce(`&`, lapply(over, function(v) cells[[v]] == public$total_label), TRUE)
  small <- cells$freq %in% 0 | !cells$suppressed & cells$freq <= maxN
  cells <- cells[is_total & !small, ]
  columns <- lapply(rlang::set_names(variables), function(v) {
    if (v %in% names(public$dimnames)) as.character(cells[[v]]) else rep("Total", nrow(cells))
  })
  labels <- node_labels(x)
  there <- Reduce(`&`, Map(function(column, known) column %in% known, columns, labels[variables]),
                  rep(TRUE, nrow(cells)))
  status <- ifelse(cells$suppressed, "x", "z")
  out <- list2data_frame(c(columns, list(sdcStatus = status)), nrow(cells))
  out[there, , drop = FALSE]
}
