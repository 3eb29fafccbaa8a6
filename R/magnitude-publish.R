# What may leave the building of a redistributed magnitude table.

#' @rdname publish
#' @param counts (flag or `NULL`) For a redistributed magnitude table: publish the numbers of
#'   contributors? `NULL`: those of `method = "iterative"`, which were changed with the values.
#' @export
publish.sdc_magnitude_redistribution <- function(x, insist = FALSE, counts = NULL, record = NULL,
                                                 ...) {
  check_no_dots(...)
  check_flag(insist)
  check_record(record)
  verify_magnitudes(x)
  if (is.null(counts)) counts <- x$method == "iterative"
  check_flag(counts)
  if (!insist) check_publishable(x, counts)
  held <- x$original
  cells <- list(cell = plain(held$cell), total = plain(x$cells$published))
  if (counts) cells$count <- plain(published_counts(x))
  labels <- plain(held$dimnames)
  # the unit that the published totals show: that of the data may be finer
  shown <- magnitude_unit(cells$total, NULL, FALSE)
  if (!shown$divides) shown <- held[c("unit", "per_unit")]
  out <- structure(
    list(
      dimnames = labels, cells = cells, variable = plain(held$variable), unit = plain(shown$unit),
      per_unit = plain(shown$per_unit),
      hierarchies = plain_trees(held$hierarchies, labels),
      total_label = plain(held$total_label),
      max_change = if (!is.null(x$max_change)) as.double(x$max_change)
    ),
    class = sdc_class("sdc_magnitude_publication")
  )
  let_out(out, record, c(open_entry(out), list(protects = x$audit$counts[["sensitive"]])))
}

published_counts <- function(x) {
  as.double(diff(if (is.null(x$contributors)) x$original$start else x$contributors$start))
}

check_publishable <- function(x, counts) {
  if (x$reproducible) {
    abort_sdc("refused", c(
      "Only a table with secret coins can be published.",
      x = "This one was made with {.arg seed}: anybody can repeat its coins.",
      i = "Run {.fn redistribute} without {.arg seed}; {.code insist = TRUE} publishes an example."
    ))
  }
  few <- counts && any(published_counts(x) < max(0, x$rules$n[x$rules$kind == "threshold"]))
  # totals are sums of what is published, whether the redistribution looked at them or not
  if (x$settled && !few && audited_now(x) == 0) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "Only a table that protects its sensitive cells can be published.",
    x = "Its audit fails{if (!x$totals) ', totals included'}{if (few) ', or it shows counts
         below the threshold'}.",
    i = "See {.code audit(x)}; {.code method = \"minimal\"} protects true contributors.
         {.code insist = TRUE} publishes it nevertheless."
  ))
}

# The audit was made when the table was published.
#' @export
check_alone_in_record.sdc_magnitude_publication <- function(public, entry = NULL) invisible()
