# publish() takes no word of a suppression for granted. What the object says of its cells is worked
# out again from the original and compared; then the audit is run again. What cannot be told is
# whether the original, the rule or the trees are those that suppress() was given, where cells,
# status and rule were all edited to fit each other: then the object is what suppress() makes of
# other arguments, and it is that suppression which is verified.

suppression_kind <- function(x) if (of_units(x)) "suppressed magnitudes" else "suppression"

suppression_parts <- function(x) {
  if (of_units(x)) {
    return(c(magnitude_parts(x$original),
             list(unclass(x$cells), unclass(x$rules), x$p, x$lowest,
                  sealed_fields(x, c(said_fields, if (is_certified(x)) certified_fields)))))
  }
  fields <- c("total_label", "crossings", "maxN", "protectZeros", said_fields, certified_fields)
  list(table_parts(x$original), unclass(x$cells), lapply(x$hierarchies, lapply, unclass),
       sealed_fields(x, fields))
}

sealed_fields <- function(x, fields) {
  unclass(x)[intersect(fields, names(x)[lengths(unclass(x)) > 0])]
}

# How the cells were chosen, as print() tells it, and what suppress() can repeat. Nothing is
# published on the word of `audit`, which is run again.
said_fields <- c("method", "version", "further", "notes", "repair", "added")

# What certified methods add, and publish() reads.
certified_fields <- c(
  "width", "readers", "certificates", "lacking", "cost", "bound", "optimal", "stopped",
  "value_free", "level", "price", "left_out", "status", "previous", "groups", "small_groups",
  "combinations", "coalition"
)

verify_made_suppression <- function(x) {
  verified("suppress", {
    check_seal(x, suppression_kind(x), suppression_parts(x), "suppress")
  })
  fault <- tryCatch(suppression_fault(x), error = function(cnd) "A part that cannot be read")
  if (!is.null(fault)) abort_edited(fault, "published")
}

# What does not agree with the original and the rule, or NULL.
suppression_fault <- function(x) {
  check_rule_of(x)
  measure <- measure_of(x)
  none <- rep(FALSE, nrow(measure$cells))
  expected <- measured_cells(measure, none, none)
  fault <- shape_fault(x$cells, expected)
  if (!is.null(fault)) {
    return(fault)
  }
  # a pattern may call cells primary that the rule does not; a library may not
  marked <- x$cells$sdcStatus == "u" & x$method == "pattern"
  expected <- measured_cells(measure, is_hidden(x), marked)
  columns_fault(x$cells, expected)
}

check_rule_of <- function(x) {
  stopifnot(is.null(damaged_field(x, c("status", "previous", "groups", "small_groups",
                                          "combinations", "coalition"))))
  if (!of_units(x)) {
    check_class(x$original, "sdc_table", "original")
    check_whole(x$maxN, min = 0, max = 2^53)
    check_flag(x$protectZeros)
    check_string(x$total_label)
    return(invisible(x))
  }
  validate_sdc_magnitude(x$original, "original")
  check_sensitivity_rules(x$rules)
  check_percent(x$p, 1000)
  check_magnitude_to_suppress(x$original)
  check_lowest(x$lowest, x$original)
  check_rules_as_made(x$rules)
}

abort_edited <- function(fault, what) {
  abort_sdc("refused", c(
    "Only a suppression as {.fn suppress} made it can be {what}.",
    x = "{fault} does not agree with the original table and the rule of the object.",
    i = "Run {.fn suppress} again instead of editing its result; {.arg pattern} takes the cells to
         suppress."
  ))
}

# Does the frame have just these columns, each of full length? Lengths come first: a column that is
# too short would be compared by no more than it has.
shape_fault <- function(found, expected) {
  n <- nrow(expected)
  whole <- identical(class(found), "data.frame") && identical(names(found), names(expected)) &&
    nrow(found) == n && all(lengths(unclass(found)) == n) &&
    identical(class(found$sdcStatus), "character") && !anyNA(found$sdcStatus)
  if (!whole) "The shape of $cells"
}

# Labels, counts and status.
columns_fault <- function(found, expected) {
  for (name in names(expected)) {
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
check_rules_as_made <- function(rules) {
  # who made them was warned then
  made <- suppressWarnings(lapply(seq_along(rules$kind), function(r) {
    percent <- rules$percent[r] / 1e6
    share <- startsWith(rules$label[r], "max_share")
    switch(rules$kind[r], threshold = rule_threshold(rules$n[r]),
           nk = if (share) rule_max_share(percent) else rule_nk(rules$n[r], percent),
           p_percent = rule_p_percent(percent))
  }), classes = "sdc_warning_input")
  stopifnot(identical(unclass(do.call(c, made)), unclass(rules)))
}
