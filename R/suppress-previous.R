# Last year's pattern: cells that were suppressed then cost half as much to suppress again, so that
# the two patterns have many cells in common. What is published in one year and suppressed in the
# other may give away a suppressed count to whoever knows how little it changed.

previous_factor <- 0.5

# `previous`: a suppression, its publication, or a frame as suppress() takes it as a pattern; NULL
# for none. A frame of the cells that were suppressed, by labels.
read_previous <- function(previous, variables) {
  if (is.null(previous)) {
    return(NULL)
  }
  frame <- if (inherits(previous, "sdc_suppression")) {
    as.data.frame(public_suppression(previous))
  } else if (inherits(previous, "sdc_suppressed")) {
    as.data.frame(previous)
  } else {
    previous
  }
  if (!is.data.frame(frame)) {
    abort_sdc("input", c(
      "{.arg previous} must be a suppression, its publication, or a data frame.",
      x = "It is {.obj_type_friendly {previous}}."
    ))
  }
  missing <- setdiff(variables, names(frame))
  if (length(missing) > 0 || !any(c("suppressed", "sdcStatus") %in% names(frame))) {
    abort_sdc("input", c(
      "{.arg previous} must have a column for each variable of the table, and
       {.field suppressed} or {.field sdcStatus}.",
      x = if (length(missing) > 0) "It has no {.val {missing}}." else "It has neither of the last."
    ))
  }
  hidden <- suppressed_rows(frame, "previous")
  labels <- lapply(unclass(frame)[variables], function(column) as.character(column)[hidden])
  list2data_frame(c(labels, list(suppressed = rep(TRUE, sum(hidden)))), sum(hidden))
}

# Last year's cells among the rows of this year: `row`, and how many are `gone`, because this table
# has no such cell, or publishes it as a zero without a row.
previous_rows <- function(frame, measure) {
  variables <- names(measure$table$dimnames)
  labels <- lapply(unclass(measure$cells)[variables], levels)
  codes <- unname(Map(match, unclass(frame)[variables], labels))
  known <- Reduce(`&`, lapply(codes, Negate(is.na)))
  number <- combine_codes(lapply(codes, function(code) code[known]), lengths(labels, FALSE),
                          sum(known))
  row <- unique(rows_of_cells(number, measure$cells, variables))
  row <- as.double(sort(row[!is.na(row)]))
  list(row = row[measure$open[row]], gone = as.double(nrow(frame) - sum(measure$open[row])))
}

# What each row costs when codes and last year's pattern have been looked at.
asked_cell_costs <- function(cost, total_cost, measure, named, old) {
  out <- cell_costs(cost, total_cost, measure)
  if (!is.null(named)) out <- status_costs(out, named)
  out[old$row] <- out[old$row] * previous_factor
  check_cost_range(out[measure$open & may_be_hidden(measure)])
  out
}

previous_words <- function(x) {
  if (is.null(x$previous)) {
    return(NULL)
  }
  before <- seq_len(nrow(x$cells)) %in% x$previous$row
  now <- is_withheld(x)
  paste0("suppressed before and now: ", format_count(sum(before & now)), "; before only: ",
         format_count(sum(before & !now)), "; now only: ", format_count(sum(now & !before)),
         if (x$previous$gone > 0) {
           paste0("; ", format_count(x$previous$gone), " of before are no cells of this table")
         })
}
