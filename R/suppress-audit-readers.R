# Readers of a publication with suppressed cells who know more than what is published.

# Adds to an audit of counts what each further kind of reader learns beyond the outsider. The work
# of a kind returns a list with `learned` (a learned_frame()), `unsure` (of how many cells the time
# left open what is learned), `open` (an open_frame() of them, or NULL), `interrupted` and `counts`
# (named numbers of its own, or NULL). After an interrupt the further kinds have no time.
add_readers <- function(out, x, readers, limits, progress) {
  known <- out$cells$known == "exactly"
  kinds <- setdiff(readers, "outsider")
  found <- list()
  for (kind in kinds) {
    found[[kind]] <- switch(
      kind,
      contributor = count_contributors(x, known, limits, progress),
      coalition = count_coalitions(x, known, found$contributor, limits, progress),
      method = method_reader(x, limits, progress)
    )
    if (isTRUE(found[[kind]]$interrupted)) limits$time_limit_s <- 0
  }
  warn_audit_interrupted(found)
  labels <- unclass(x$cells)[names(x$original$dimnames)]
  none <- learned_frame(labels = lapply(labels, function(column) column[0]))
  out$readers <- readers
  out$learned <- Reduce(rbind, lapply(found, `[[`, "learned"), none)
  out$unsure <- vapply(found, function(part) as.double(part$unsure), 0)
  out$open <- Reduce(rbind, Filter(Negate(is.null), lapply(found, `[[`, "open")),
                     open_frame(labels = lapply(labels, function(column) column[0])))
  out$reader_counts <- lapply(found, `[[`, "counts")
  out$method_cells <- found$method$cells
  out
}

warn_audit_interrupted <- function(found) {
  if (any(vapply(found, function(part) isTRUE(part$interrupted), NA))) {
    warn_sdc("stopped", c(
      "The audit was stopped by an interrupt.",
      i = "What was found until then is kept; {.code $open} has the cells that are not settled."
    ))
  }
}

# ---- words --------------------------------------------------------------------------------------

# "FAILS: 2 contributors learn 3 cells exactly" of each kind of reader that learns anything.
learned_words <- function(learned, unsure = NULL) {
  kinds <- unique(learned$reader)
  c(
    vapply(kinds, function(kind) {
      at <- learned$reader == kind
      readers <- length(unique(learned$who[at]))
      cells <- nrow(unique(learned[at, learned_variables(learned), drop = FALSE]))
      who <- if (kind == "method") "a reader who knows the method" else plural(readers, kind)
      how <- unique(learned$how[at])
      paste0("FAILS: ", who, if (readers == 1 || kind == "method") " learns " else " learn ",
             plural(cells, "primary cell"), " ", paste(sort(how), collapse = " or "))
    }, "", USE.NAMES = FALSE),
    vapply(names(unsure)[unsure > 0], function(kind) {
      paste0("FAILS: what ", if (kind == "coalition") "pairs of contributors learn of " else
        paste0("a ", kind, " learns of "), plural(unsure[[kind]], "primary cell"),
        " was not found in time")
    }, "", USE.NAMES = FALSE)
  )
}

# Who learns, with the verb.
reader_words <- function(reader, who) {
  ifelse(reader == "coalition", paste(who, "together learn"),
         ifelse(reader == "method", "a reader who knows the method learns",
                paste(reader, who, "learns")))
}

# Up to five lines: who learns which cell.
learned_lines <- function(learned, most = 5) {
  shown <- utils::head(learned, most)
  if (nrow(shown) == 0) {
    return(character())
  }
  cells <- label_words(lapply(unclass(shown)[learned_variables(learned)], as.character))
  words <- paste0("    ", reader_words(shown$reader, cut_text(shown$who, 40)), " ",
                  cut_text(cells, 50), " ", shown$how)
  more <- nrow(learned) - nrow(shown)
  c(words, if (more > 0) paste("    and", plural(more, "more line"), "of $learned"))
}
