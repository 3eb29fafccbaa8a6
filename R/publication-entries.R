# What a record keeps of each kind of publication, and the door through which publications leave.

# Gives `public` back, judged together with what is out, and entered; or says once in a session that
# it was judged alone. `entry` is made only where it is needed.
let_out <- function(public, record, entry, insist = FALSE) {
  if (!is.null(record)) enter_judged(record, entry, insist = insist) else if (!insist) say_alone()
  public
}

# Gives a private result back where its publication can stand beside what is out: it is judged and
# not entered.
beside_record <- function(x, record) {
  if (!is.null(record)) {
    if (inherits(x, "sdc_rounding")) {
      entry <- rounding_entry(x, public_rounding(x))
    } else {
      entry <- release_entry(x, public_release(x))
    }
    check_can_be_judged(entry$publication)
    check_together(read_entries(record), entry)
  }
  x
}

alone_said <- new.env()

# Not while tests run or a book is made: what they show would depend on what was shown before.
say_alone <- function() {
  if (!is.null(alone_said$once) || identical(Sys.getenv("TESTTHAT"), "true") ||
      isTRUE(getOption("knitr.in.progress"))) {
    return(invisible())
  }
  alone_said$once <- TRUE
  inform_sdc("alone", c(
    "publish() judged this publication alone, not together with what is out already.",
    i = "publication_record() makes a record of what is out, for the argument `record`."
  ))
}

# For what is compared, and does not leave.
publish_quietly <- function(...) {
  said <- alone_said$once
  on.exit(alone_said$once <- said)
  alone_said$once <- TRUE
  publish(...)
}

# A publication that guards nothing: it is judged, and counts for those that follow.
open_entry <- function(public) {
  list(publication = public, guarded = NULL, people = NULL, floored = NULL)
}

# The cells at risk of a release keep the width of its rule, for readers of all publications. Rules
# that judge each sub-table alone promise nothing of them.
release_entry <- function(x, public) {
  entry <- open_entry(public)
  if (!inherits(x$risk, "sdc_risk_width")) {
    return(entry)
  }
  held <- own_table(x)
  at <- find_at_risk(held, x$risk, FALSE)
  labels <- Map(function(level, code) level[code[at]], held$dimnames, stored_codes(held))
  entry$guarded <- cbind(list2data_frame(labels, length(at)), freq = held$counts[at],
                         width = rep(x$risk$beta, length(at)), alone = rep(FALSE, length(at)))
  entry
}

# What a record keeps of a rounding: counts below its base, which must not be known, and the people
# who are alone.
rounding_entry <- function(x, public) {
  held <- as.data.frame(x$original)
  variables <- names(x$original$dimnames)
  labels <- list2data_frame(lapply(unclass(held)[variables], as.character), nrow(held))
  small <- held$freq > 0 & held$freq < x$base
  list(publication = public,
       guarded = cbind(labels[small, , drop = FALSE], freq = held$freq[small],
                       width = rep(1, sum(small)), alone = rep(TRUE, sum(small))),
       people = people_alone(x$original, public), floored = NULL)
}

# Who is alone in a cell knows its count.
people_alone <- function(held, public) {
  alone <- which(held$counts == 1)
  labels <- Map(function(level, code) level[code[alone]], held$dimnames, stored_codes(held))
  people <- list2data_frame(labels, length(alone))
  people$person <- paste0(rlang::hash(public), "-", seq_along(alone), recycle0 = TRUE)
  people$own <- rep(TRUE, length(alone))
  people
}

# The tables of a release are margins of one table. Those by level have variables of other levels.
#' @export
as_parts.sdc_release_publication <- function(x, name, arg, style) {
  check_can_be_judged(x)
  as_parts(margins(x), name, arg, style)
}
