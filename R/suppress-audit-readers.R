# Readers of a publication with suppressed cells who know more than what is published.

# Adds to an audit of counts what each kind of reader learns beyond what the publication says. Where
# no zero is suppressed, outsiders are asked about who know that; what they learn all others do. The
# work of a kind returns a list with `learned` (a learned_frame()), `unsure` (of how many cells the
# time left open what is learned), `open` (an open_frame() of them, or NULL), `interrupted` and
# `counts` (named numbers of its own, or NULL). After an interrupt the further kinds have no time.
add_readers <- function(out, x, readers, limits, progress) {
  known <- out$cells$known == "exactly"
  kinds <- c(if (any(told_least(x)[is_hidden(x)] > 0)) "outsider", setdiff(readers, "outsider"))
  found <- list()
  for (kind in kinds) {
    found[[kind]] <- switch(
      kind,
      outsider = count_outsiders(x, known, limits, progress),
      contributor = count_contributors(x, known, limits, progress),
      coalition = count_coalitions(x, known, found$contributor, limits, progress),
      method = method_reader(x, limits, progress)
    )
    if (kind == "outsider") known[found$outsider$row] <- TRUE
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

knowing_words <- c(outsider = "whoever knows that no zero is suppressed",
                   method = "a reader who knows the method")

# "FAILS: 2 contributors learn 3 cells exactly" of each kind of reader that learns anything.
learned_words <- function(learned, unsure = NULL) {
  kinds <- unique(learned$reader)
  c(
    vapply(kinds, function(kind) {
      at <- learned$reader == kind
      readers <- length(unique(learned$who[at]))
      cells <- nrow(unique(learned[at, learned_variables(learned), drop = FALSE]))
      who <- if (kind %in% names(knowing_words)) knowing_words[[kind]] else plural(readers, kind)
      how <- unique(learned$how[at])
      paste0("FAILS: ", who, if (readers == 1) " learns " else " learn ",
             plural(cells, "primary cell"), " ", paste(sort(how), collapse = " or "))
    }, "", USE.NAMES = FALSE),
    vapply(names(unsure)[unsure > 0], function(kind) {
      who <- c(knowing_words, coalition = "pairs of contributors", contributor = "a contributor")
      paste0("FAILS: what ", who[[kind]], if (kind == "coalition") " learn of " else " learns of ",
             plural(unsure[[kind]], "primary cell"), " was not found in time")
    }, "", USE.NAMES = FALSE)
  )
}

# Who learns, with the verb.
reader_words <- function(reader, who) {
  ifelse(reader == "coalition", paste(who, "together learn"),
         ifelse(reader %in% names(knowing_words), paste(knowing_words[reader], "learns"),
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
