# The door through which publications leave, and what is made waits beside it.

# Gives `public` back, judged together with what is out, and entered; or says once in a session that
# it was judged alone. `entry` is made only where it is needed.
let_out <- function(public, record, entry, insist = FALSE) {
  if (!is.null(record)) {
    check_can_be_judged(public)
    enter_judged(record, entry, insist = insist)
  } else if (!insist) {
    say_alone()
  }
  public
}

# Gives a private result back where its publication, of which `entry` is what a record keeps, can
# stand beside what is out: it is judged and not entered.
beside_record <- function(x, record, entry) {
  if (!is.null(record)) {
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
