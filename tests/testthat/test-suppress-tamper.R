# Suppressions whose parts were taken apart by hand, in ways that an assignment of R does not allow.

# A column of $cells that has another length than the frame says.
put_column <- function(x, name, value, class = "data.frame") {
  rows <- attr(x$cells, "row.names")
  cells <- unclass(x$cells)
  cells[name] <- list(value)
  attr(cells, "row.names") <- rows
  class(cells) <- class
  x$cells <- cells
  x
}

small_suppression <- function() {
  hidden <- roehrig < 0
  hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
  suppress(roehrig, maxN = 1, pattern = hidden)
}

few_firms <- data.frame(
  region = rep(c("north", "middle", "south"), c(3, 4, 4)),
  turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
)

small_magnitudes <- function() {
  suppress(magnitude_table(few_firms, "region", "turnover"), rule_p_percent(10),
           pattern = c(TRUE, TRUE, FALSE))
}

refused_both <- function(x, info) {
  for (insist in c(FALSE, TRUE)) {
    told <- tryCatch(publish(x, insist = insist), error = identity)
    expect_true(inherits(told, "sdc_error_refused"), info = paste(info, insist))
    expect_false(inherits(told, "error") && grepl("[0-9]", conditionMessage(told)), info = info)
  }
}

test_that("property: no column of $cells may be short, long, double or of another type", {
  for (su in list(small_suppression(), small_magnitudes())) {
    expect_no_error(publish(su, insist = TRUE))
    status <- su$cells$sdcStatus
    n <- length(status)
    edits <- list(
      empty = put_column(su, "sdcStatus", character()),
      short = put_column(su, "sdcStatus", status[-n]),
      one = put_column(su, "sdcStatus", "s"),
      long = put_column(su, "sdcStatus", c(status, "s")),
      none = put_column(su, "sdcStatus", NULL),
      factor = put_column(su, "sdcStatus", factor(status)),
      list = put_column(su, "sdcStatus", as.list(status)),
      na = put_column(su, "sdcStatus", rep(NA_character_, n)),
      of_class = put_column(su, "sdcStatus", structure(status, class = "mine")),
      frame_of_class = put_column(su, "sdcStatus", status, c("mine", "data.frame")),
      first = put_column(su, 1, su$cells[[1]][0]),
      number = put_column(su, intersect(c("freq", "total"), names(su$cells)), numeric())
    )
    double <- su
    double$cells <- su$cells[c(seq_along(su$cells), length(su$cells))]
    names(double$cells)[length(double$cells)] <- "sdcStatus"
    edits$double <- double
    no_rows <- su
    attr(no_rows$cells, "row.names") <- integer()
    edits$no_rows <- no_rows
    for (name in names(edits)) refused_both(edits[[name]], name)
  }
})
