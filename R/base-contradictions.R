# Relations between the cells of a frame that do not hold. A message may not show a confidential
# count, so that it names cells and relations; the figures stay in the condition.

# `labels`: a column for each variable. `shown`: what the frame says; `summed`: what its other cells
# say.
new_contradictions <- function(labels, relation, shown, summed) {
  list2data_frame(c(labels, list(
    relation = rep_len(relation, length(shown)), shown = shown, summed = summed,
    difference = shown - summed
  )), length(shown))
}

contradiction_columns <- c("relation", "shown", "summed", "difference")

# `advice`: further lines of the message.
abort_contradictions <- function(found, must, advice = NULL) {
  n <- nrow(found)
  first <- utils::head(found, 5)
  labels <- first[setdiff(names(first), contradiction_columns)]
  words <- paste0(label_words(lapply(unclass(labels), as.character)), ": ", first$relation, ".")
  abort_sdc("input", c(
    must,
    x = "{n} {cli::qty(n)}contradiction{?s} {?was/were} found{if (n > 5) ', of which these are the
         first five' else ''}.",
    rlang::set_names(escape_braces(words), rep("*", length(words))),
    i = "The figures are in the condition, which is confidential:
         {.code tryCatch(..., sdc_error_input = function(cnd) cnd$contradictions)}.",
    advice
  ), contradictions = found)
}

tell_accepted <- function(n, tolerance) {
  if (n == 0 || tolerance == 0) {
    return(invisible())
  }
  inform_sdc("tolerance", c(i = paste0(
    plural(n, "total differs", "totals differ"), " from the sum of the cells, by at most ",
    plain_number(tolerance), ", which `tolerance` accepts. The sums of the cells count."
  )))
}
