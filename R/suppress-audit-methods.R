# What an audit of a suppression says, of counts and of magnitudes.

# ---- counts -------------------------------------------------------------------------------------

#' @rdname audit.sdc_suppression
#' @export
format.sdc_suppression_audit <- function(x, ...) {
  if (inherits(x, "sdc_magnitude_suppression_audit")) {
    return(format_unit_audit(x))
  }
  lines <- c(
    shown_primary_words(x$shown), paste0("FAILS: ", x$implied, recycle0 = TRUE),
    known_words(x, sum(x$cells$known == "exactly")),
    if (open_primary(x) > 0) unsure_words("everybody knows", open_primary(x)),
    if (!is.null(x$learned)) learned_words(x$learned, x$unsure),
    near_words(x),
    paste0("tables that agree: ", if (is.null(x$tables)) x$no_count else format(x$tables)),
    method_reader_words(x)
  )
  failing <- startsWith(lines, "FAILS")
  c(lines[failing], lines[!failing])
}

shown_primary_words <- function(n) {
  if (isTRUE(n > 0)) paste0("FAILS: ", plural(n, "primary cell"), " ", is_are(n), " published")
}

unsure_words <- function(who_knows, n) {
  paste0("FAILS: what ", who_knows, " of ", plural(n, "primary cell"), " was not found in time")
}

# A known cell is a failure unless it is known to be secondary.
known_words <- function(x, known) {
  n <- nrow(x$cells)
  of <- paste(" of", plural(n, "suppressed cell"))
  failing <- is.null(x$cells$primary) || any(x$cells$primary & x$cells$known == "exactly")
  if (n == 0) {
    return("no cell is suppressed")
  }
  if (known == 0) {
    return(paste0("none", of, " is ", if (!all(x$cells$sharp)) "found to be ", "exactly known"))
  }
  paste0(if (failing) "FAILS: ", format_count(known), of, " ", is_are(known), " exactly known",
         primary_words(x, "exactly"))
}

near_words <- function(x) {
  n <- nrow(x$cells)
  near <- sum(x$cells$known == "nearly")
  share <- if (x$relative > 0) paste0(", or ", percent(x$relative, 7), " of the upper end")
  c(
    if (n > 0) paste0("nearly known, to within ", format_count(x$within), share, ": ",
                      format_count(near), " of ", plural(n, "suppressed cell"),
                      if (near > 0) primary_words(x, "nearly")),
    if (any(!x$cells$sharp)) paste0("outer intervals: ", format_count(sum(!x$cells$sharp)),
                                    ", which may be known better")
  )
}

primary_words <- function(x, how) {
  if (is.null(x$cells$primary)) {
    return("")
  }
  n <- sum(x$cells$primary & x$cells$known == how)
  paste0(", ", if (n == 0) "none" else format_count(n), " of them primary")
}

# ---- magnitudes ---------------------------------------------------------------------------------

format_unit_audit <- function(x) {
  n <- x$counts
  of <- function(name) format_count(n[[name]])
  c(
    shown_primary_words(n[["shown"]]),
    if (n[["unprotected"]] > 0) paste0(
      "FAILS: ", of("unprotected"), " of ", plural(n[["primary"]], "primary cell"), " ",
      is_are(n[["unprotected"]]), " not protected, ", of("known"), " of them exactly known"
    ),
    if (n[["near"]] > 0) paste0("FAILS: the second largest contributor knows the largest one of ",
                                plural(n[["near"]], "cell"), " within ", plain_number(x$p), " %"),
    if (n[["unsure"]] > 0) unsure_words("readers know", n[["unsure"]]),
    learned_words(x$learned),
    if (n[["unions"]] > 0) paste0("FAILS: the published totals give away ",
                                  plural(n[["unions"]], "sum"),
                                  " of suppressed cells that ", is_are(n[["unions"]]),
                                  " sensitive"),
    if (n[["unions_unsure"]] > 0) paste0(
      "FAILS: whether sums that follow from the published totals are sensitive ",
      "was not settled for ",
      plural(n[["unions_unsure"]], "group"), " of connected cells"
    ),
    if (x$failures == 0) all_protected_words(n, x$p, x$readers)
  )
}

all_protected_words <- function(n, p, readers) {
  if (n[["primary"]] == 0) {
    return("no cell is sensitive")
  }
  kinds <- c(contributor = "contributor", coalition = "pair of contributors")
  who <- kinds[setdiff(readers, "outsider")]
  c(
    paste0("each interval of ", plural(n[["primary"]], "primary cell"), " reaches its protection ",
           "levels; the second largest contributor knows none within ", plain_number(p), " %"),
    if (length(who) > 0) paste("no", paste(who, collapse = " and no "),
                               "learns another's value by the rules")
  )
}

# One line for each of up to three sums.
union_lines <- function(unions, most = 3) {
  words <- label_words(lapply(unclass(unions)[setdiff(names(unions), c("union", "rules"))],
                              as.character))
  sums <- split(words, unions$union)
  rules <- unions$rules[!duplicated(unions$union)]
  lines <- paste0("    ", cut_text(vapply(sums, paste, "", collapse = " + "), 70), ": ", rules)
  more <- length(lines) - most
  c(utils::head(lines, most), if (more > 0) paste("    and", plural(more, "more sum")))
}

# ---- both ---------------------------------------------------------------------------------------

#' @rdname audit.sdc_suppression
#' @export
print.sdc_suppression_audit <- function(x, ...) {
  NextMethod()
  units <- inherits(x, "sdc_magnitude_suppression_audit")
  worst <- if (units) failing_unit_cells(x) else nearly_known_cells(x)
  shown <- utils::head(worst, 5)
  labels <- lapply(unclass(shown)[setdiff(names(shown), "how")], as.character)
  if (nrow(shown) > 0) cat(paste0("    ", cut_text(label_words(labels), 70), ": ", shown$how),
                           sep = "\n")
  more <- nrow(worst) - nrow(shown)
  if (more > 0) cat("    and", plural(more, "more cell"), "\n")
  if (NROW(x$learned) > 0) cat(learned_lines(x$learned), sep = "\n")
  if (NROW(x$unions) > 0) cat(union_lines(x$unions), sep = "\n")
  invisible(x)
}

# The variables of the cells that a print lists, worst first, and `how` they are known.
nearly_known_cells <- function(x) {
  cells <- x$cells[x$cells$known != "no", ]
  cells <- cells[order(cells$width), ]
  within <- paste("to within", format_count(cells$width))
  how <- ifelse(cells$known == "exactly", "exactly", within)
  c_frame(cells, "lower", how)
}

failing_unit_cells <- function(x) {
  cells <- x$cells
  cells <- cells[cells$primary & (!(cells$protected %in% TRUE) | cells$near), ]
  open <- is.na(cells$protected)
  how <- ifelse(cells$known, "exactly known",
                ifelse(cells$near, "near", ifelse(open, "unsure", "too narrow")))
  c_frame(cells, "primary", how)
}

# The columns of `cells` before `until`, and `how`.
c_frame <- function(cells, until, how) {
  variables <- seq_len(match(until, names(cells)) - 1)
  list2data_frame(c(unclass(cells)[variables], list(how = how)), nrow(cells))
}

#' @rdname audit.sdc_suppression
#' @export
summary.sdc_suppression_audit <- function(object, ...) {
  check_no_dots(...)
  if (inherits(object, "sdc_magnitude_suppression_audit")) {
    return(data.frame(what = names(object$counts), cells = unname(object$counts)))
  }
  cells <- object$cells
  kinds <- list(known = cells$known)
  if (!is.null(cells$primary)) kinds$primary <- factor(cells$primary, c(TRUE, FALSE))
  out <- as.data.frame(table(kinds), responseName = "cells")
  if (!is.null(out$primary)) out$primary <- out$primary == "TRUE"
  out
}
