# publish() takes no word of a suppression for granted. What the object says of its cells is worked
# out again from the original and compared; then the audit is run again. What cannot be told is
# whether the original, the rule or the trees are those that suppress() was given, where cells,
# status and rule were all edited to fit each other: then the object is what suppress() makes of
# other arguments, and it is that suppression which is verified.

suppression_parts <- function(x) {
  fields <- c("total_label", "maxN", "protectZeros", "method")
  list(table_parts(x$original), unclass(x$cells), lapply(x$hierarchies, lapply, unclass),
       unclass(x)[fields])
}

verify_suppressed_counts <- function(x) {
  verified("suppress", {
    check_seal(x, "suppression", suppression_parts(x), "suppress")
  })
  with_intact(x, {
    check_class(x$original, "sdc_table", "original")
    check_whole(x$maxN, min = 0, max = 2^53)
    check_flag(x$protectZeros)
    check_string(x$total_label)
    whole <- with_totals(x$original, x$hierarchies, x$total_label, max_suppressed_cells)
    cells <- as.data.frame(whole, zeros = TRUE)
    fault <- frame_fault(x$cells, cells, c(names(x$original$dimnames), "freq", "sdcStatus"))
    if (is.null(fault)) fault <- status_fault(x, cells)
    fault
  })
}

# A pattern may call cells primary that the rule does not; a library may not.
status_fault <- function(x, cells) {
  hidden <- is_hidden(x)
  small <- is_primary(cells$freq, x)
  marked <- x$cells$sdcStatus == "u"
  expected <- status_codes(cells$freq, hidden, small | (marked & x$method == "pattern"),
                           x$protectZeros)
  if (!identical(as.vector(x$cells$sdcStatus), expected)) "Column sdcStatus of $cells"
}

magnitude_suppression_parts <- function(x) {
  c(magnitude_parts(x$original), list(unclass(x$cells), unclass(x$rules), x$p))
}

verify_suppressed_magnitudes <- function(x) {
  verified("suppress", {
    check_seal(x, "suppressed magnitudes", magnitude_suppression_parts(x), "suppress")
  })
  with_intact(x, {
    validate_sdc_magnitude(x$original, "original")
    check_sensitivity_rules(x$rules)
    check_percent(x$p, 1000)
    check_magnitude_to_suppress(x$original)
    fault <- rules_fault(x$rules)
    units <- unit_cells(x$original, units_table(x$original))
    judged <- judged_cells(x$original, units, x$rules, x$p)
    shown <- suppression_frame(x$original, units, judged, rep(FALSE, nrow(units)))
    if (is.null(fault)) fault <- frame_fault(x$cells, shown, names(shown))
    if (is.null(fault)) {
      cells <- suppression_frame(x$original, units, judged, is_hidden(x))
      fault <- columns_fault(x$cells, cells, "sdcStatus")
    }
    fault
  })
}

# `expr`: NULL, or what does not fit. An error of it is a fault of the object as well.
with_intact <- function(x, expr) {
  fault <- tryCatch(expr, error = function(cnd) "A part that cannot be read")
  if (is.null(fault)) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "Only a suppression as {.fn suppress} made it can be published.",
    x = "{fault} does not agree with the original table and the rule of the object.",
    i = "Run {.fn suppress} again instead of editing its result; {.arg pattern} takes the cells to
         suppress."
  ))
}

# Does the frame have just these columns, each of full length, and do the labels, and the counts if
# there are any, agree with what the original gives? Lengths come first: a column that is too short
# would be compared by no more than it has.
frame_fault <- function(found, expected, columns) {
  n <- nrow(expected)
  whole <- identical(class(found), "data.frame") && identical(names(found), columns) &&
    !anyDuplicated(columns) && nrow(found) == n && all(lengths(unclass(found)) == n) &&
    identical(class(found$sdcStatus), "character") && !anyNA(found$sdcStatus)
  if (!whole) {
    return("The shape of $cells")
  }
  columns_fault(found, expected, intersect(columns, setdiff(names(expected), "sdcStatus")))
}

columns_fault <- function(found, expected, columns) {
  for (name in columns) {
    a <- found[[name]]
    b <- expected[[name]]
    same <- identical(class(a), class(b)) && is.null(dim(a)) && if (is.factor(b)) {
      identical(levels(a), levels(b)) && identical(as.integer(a), as.integer(b))
    } else {
      identical(as.vector(a), as.vector(b))
    }
    if (!same) return(paste0("Column ", name, " of $cells"))
  }
  NULL
}

# A rule must be the one that its label names.
rules_fault <- function(rules) {
  made <- lapply(seq_along(rules$kind), function(r) {
    percent <- rules$percent[r] / 1e6
    share <- startsWith(rules$label[r], "max_share")
    switch(rules$kind[r], threshold = rule_threshold(rules$n[r]),
           nk = if (share) rule_max_share(percent) else rule_nk(rules$n[r], percent),
           p_percent = rule_p_percent(percent))
  })
  if (!identical(unclass(do.call(c, made)), unclass(rules))) "A rule"
}
