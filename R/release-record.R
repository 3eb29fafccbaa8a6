# What a record keeps of a release.

# The cells at risk of a release keep the width of its rule, for readers of all publications. Rules
# that judge each sub-table alone promise nothing of them.
release_entry <- function(x, public) {
  entry <- open_entry(public)
  if (!inherits(x$risk, "sdc_risk_width")) {
    return(entry)
  }
  held <- x$problem$x
  at <- find_at_risk(held, x$risk, FALSE)
  entry$guarded <- guarded_cells(held, at, x$risk$beta, FALSE)
  entry
}

# The tables of a release are margins of one table. Those by level have variables of other levels.
#' @export
as_parts.sdc_release_publication <- function(x, name, arg, style) {
  check_can_be_judged(x)
  as_parts(margins(x), name, arg, style)
}
