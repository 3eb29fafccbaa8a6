# What fails in an audit, as numbers.

# How many things fail, by kind; all 0 where publish() has nothing to refuse. A publication does not
# know which cells are primary.
faults_of <- function(x) {
  if (is.null(x$learned)) {
    return(c(shown = 0))
  }
  if (inherits(x, "sdc_magnitude_suppression_audit")) {
    return(x$counts[c("shown", "unprotected", "near", "learned", "unsure", "unions",
                      "unions_unsure")])
  }
  cells <- x$cells
  learned <- unique(x$learned[learned_variables(x$learned)])
  c(
    shown = x$shown, known = sum(cells$primary & cells$known == "exactly"), learned = nrow(learned),
    unsure = max(open_primary(x), x$unsure), implied = length(x$implied)
  )
}

# Primary cells whose intervals the time left too wide. What was not found may be known.
open_primary <- function(x) {
  sum(x$cells$primary & !x$cells$sharp & x$cells$known != "exactly")
}

learned_variables <- function(learned) {
  setdiff(names(learned), c("reader", "who", "lower", "upper", "how"))
}
