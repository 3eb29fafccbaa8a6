# Kinds of readers of a publication with suppressed cells.

# Those that an audit of a private suppression can be asked about.
audit_readers <- c("outsider", "contributor", "coalition", "method")

# The outsider is always one of them, as whoever knows more knows what the publication says; and so
# is each member of a coalition.
check_audit_readers <- function(readers, kinds = audit_readers) {
  ok <- is.character(readers) && length(readers) > 0 && !anyNA(readers) &&
    !anyDuplicated(readers) &&
    all(readers %in% kinds)
  if (ok) {
    return(intersect(kinds, c("outsider", if ("coalition" %in% readers) "contributor", readers)))
  }
  strange <- if (is.character(readers)) setdiff(readers, kinds)
  abort_sdc("input", c(
    "{.arg readers} must name some of {.or {.val {kinds}}}, each once.",
    x = if (length(strange) > 0) {
      "{.val {strange}} {cli::qty(strange)}{?is/are} not among them."
    } else if (is.character(readers) && anyDuplicated(readers)) {
      "{.val {readers[duplicated(readers)][1]}} occurs twice."
    } else {
      "{describe(readers)}"
    },
    i = if (length(kinds) == 1) "A publication says nothing of its contributors; audit the private
      suppression for other readers.",
    i = if ("method" %in% strange &&
            length(kinds) > 1) "The tables of values that agree with a publication are too
      many to run the method on each: {.val method} is for counts."
  ))
}

# In words, of those whom certificates are for.
reader_kinds <- c(
  outsider = "readers of the publication", contributor = "single people who are alone in a cell",
  coalition = "pairs of people who are alone in cells or are the two of one",
  method = "readers who know the method"
)

# Those that certificates of magnitudes are for.
unit_readers <- c("outsider", "contributor")

# Who contributes to magnitudes is a reader wherever she has a part.
kinds_of <- function(units, coalition = NULL) {
  if (units) {
    return(replace(reader_kinds, "contributor", "single contributors"))
  }
  together <- paste("any", coalition, "people who act together", recycle0 = TRUE)
  if (is.null(coalition)) reader_kinds else replace(reader_kinds, "coalition", together)
}

# Each of these knows what those before her know. What is open to one is open to those after her,
# and is said once.
up_to_reader <- function(reader) names(reader_kinds)[seq_len(match(reader, names(reader_kinds)))]

# Of counts, where the user names none, and where readers who know the method cost little.
usual_readers <- c("outsider", "contributor")
offered_readers <- c(usual_readers, "method")
