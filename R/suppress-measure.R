# What a suppression counts, and the rule that judges its cells: all that differs between a table of
# counts and one of magnitudes, whose totals are counts of units. Everything else (patterns,
# libraries, repair, verification, publication) asks the measure.
#
# A measure has `table` (the cells as an sdc_table) and `trees`; `cells`, a row for each cell and
# total with `freq`, the count or the units; `shown`, the columns of them that a suppression has;
# `open`, which rows the crossings publish; `primary`, which of them the rule names; of counts
# `group_zeros`, which zeros are primary as rows of people would be given away, and `unseen`, which
# rows no crossing shows and the rule would name; `protectZeros`;
# `amount`, what costs go by, which is 0 where a cell is a zero for everybody; and
# `rule`, what a library is told: `given` says whether it is told the primary cells or finds them by
# `maxN`.

of_units <- function(x) inherits(x, c("sdc_magnitude_suppression", "sdc_magnitude_suppressed"))

# The column of `$cells` that holds the counts or totals.
amount_column <- function(x) if (of_units(x)) "total" else "freq"

# The trees of the variables of a private suppression, and what its totals are called.
suppression_trees <- function(x) if (of_units(x)) x$original$hierarchies else x$hierarchies

# Which crossings are published; NULL where all are.
suppression_crossings <- function(x) {
  if (is_private(x)) table_crossings(x$original) else x$crossings
}

# Which rows of the cells are published or withheld. The others belong to no crossing: nobody sees
# them, and a reader has to reckon with any count there.
in_crossings <- function(x) open_rows(x$cells, suppression_crossings(x))

# `zeros`: have published zeros a row each? A suppression that has cells says so itself.
measure_of <- function(x, zeros = is.null(x$cells) || has_all_rows(x)) {
  measure <- if (of_units(x)) unit_measure(x$original, x$rules, x$p, x$lowest) else
    count_measure(x, zeros)
  with_marked(measure, rows_with_code(x$status, "u", nrow(measure$cells)))
}

# With further primary cells: those of `rows`, flags.
with_marked <- function(measure, rows) {
  if (!any(rows & measure$open & !measure$primary)) {
    return(measure)
  }
  if (measure$rule$given) measure <- with_marked_units(measure, rows)
  measure$primary <- measure$primary | (rows & measure$open)
  measure
}

has_all_rows <- function(x) {
  of_units(x) || x$protectZeros || !is.null(table_crossings(x$original)) ||
    nrow(x$cells) == prod(lengths(node_labels(x$original)))
}

# The frequency rule: whoever is one of a few.
count_measure <- function(x, zeros) {
  whole <- with_totals(x$original, x$hierarchies, x$total_label, most_cells(zeros))
  cells <- as.data.frame(whole, zeros = zeros)
  open <- open_rows(cells, table_crossings(x$original))
  rule <- list(maxN = x$maxN, protectZeros = x$protectZeros)
  in_groups <- group_cells(x, cells)
  list(
    table = x$original, trees = x$hierarchies, cells = cells, shown = list(freq = cells$freq),
    primary = open & (is_primary(cells$freq, rule) | in_groups$zero | in_groups$single),
    open = open, unseen = small_unseen(cells, open, x$original$dimnames, rule),
    group_zeros = in_groups$zero & open, protectZeros = x$protectZeros, amount = cells$freq,
    rule = c(rule, given = FALSE)
  )
}

# Which rows are cells of the table itself that no crossing shows, and small by the rule.
small_unseen <- function(cells, open, dimnames, rule) {
  if (all(open)) {
    return(logical(length(open)))
  }
  inner <- seq_along(open) %in% inner_rows(cells, dimnames)
  inner & !open & is_primary(cells$freq, rule)
}

is_primary <- function(freq, rule) {
  freq <= rule$maxN & (freq > 0 | rule$protectZeros)
}

# Cells that a user names as primary (suppress-status.R).
is_marked <- function(x) rows_with_code(x$status, "u", nrow(x$cells))

# Which of `n` rows have a code.
rows_with_code <- function(named, code, n) {
  at <- named$row[named$sdcStatus %in% code]
  replace(logical(n), at, rep(TRUE, length(at)))
}

# The rules of magnitudes, which look at the contributors.
unit_measure <- function(x, rules, p, lowest = NULL) {
  units <- units_table(x, abs(cell_totals(x)))
  cells <- signed_cells(x)
  limit <- if (!is.null(lowest)) lowest_units(lowest, x)
  least <- least_values(cells, x$dimnames, x$hierarchies, x$total_label, limit)
  open <- open_rows(cells, table_crossings(x))
  judged <- judged_cells(x, cells, rules, p, least)
  judged$primary <- judged$primary & open
  absolute <- if (!is.null(least)) absolute_cells(x)
  amount <- (absolute %||% cells)$freq
  list(
    table = units, trees = x$hierarchies, cells = cells,
    shown = list(total = in_values(cells$freq, x), count = judged$count, rules = judged$rules),
    primary = judged$primary, open = open, protectZeros = FALSE, rule = told_rule(x, cells, judged),
    judged = judged, rules = rules, p = p, least = least, absolute = absolute,
    amount = amount + few_with_nothing(x, cells, judged, amount)
  )
}

# Cells whose few contributors have nothing are primary, and no zeros for everybody: 1 in each of
# them, summed up.
few_with_nothing <- function(x, cells, judged, amount) {
  inner <- inner_rows(cells, x$dimnames)
  few <- nzchar(judged$rules[inner]) & amount[inner] == 0
  if (any(few)) sums_of_leaves(few, x) else 0
}

# Cells that a user calls primary get the levels of cells below a threshold: the user may know of
# readers whom the rest does not mislead.
with_marked_units <- function(measure, rows) {
  at <- which(rows & measure$open & !measure$primary)
  judged <- measure$judged
  total <- measure$cells$freq[at]
  judged$highest[at] <- total + judged$reach[at]
  judged$lowest[at] <- pmax(if (is.null(measure$least)) 0 else measure$least[at],
                            total - judged$reach[at])
  judged$primary[at] <- TRUE
  judged$rules[at] <- marked_label
  measure$judged <- judged
  measure$shown$rules <- judged$rules
  measure
}

# In place of the label of a rule.
marked_label <- "status"

# `$cells` of a suppression. `marked`: rows that a pattern calls primary besides; the rules of
# magnitudes say alone which are.
measured_cells <- function(measure, suppressed, marked) {
  cells <- measure$cells
  primary <- measure$primary | (marked & !measure$rule$given)
  status <- status_codes(cells$freq, suppressed, primary, measure$protectZeros)
  status[!measure$open] <- "n"
  labels <- unclass(cells)[names(measure$table$dimnames)]
  list2data_frame(c(labels, measure$shown, list(sdcStatus = status)), nrow(cells))
}

status_codes <- function(freq, suppressed, primary, protectZeros) {
  status <- ifelse(freq == 0 & !protectZeros, "z", "s")
  status[suppressed] <- "x"
  status[suppressed & primary] <- "u"
  status
}

# Methods of this package, which give certificates.
certified_methods <- c("certified", "optimal")

is_certified <- function(x) {
  is.character(x$method) && length(x$method) == 1 &&
    x$method %in% c(certified_methods, "certified pattern")
}

# A pattern of the user's is left as it is, and sdcTable takes no further cells.
method_is_library <- function(x) x$method == "GaussSuppression"

# Which cells of a suppressed table are withheld.
is_withheld <- function(x) x$cells$sdcStatus %in% c("u", "x")

# Zeros of counts that are suppressed though others are published.
hides_zero <- function(x) x$cells$freq == 0 & is_withheld(x)

# What a reader does not see: these, and what no crossing publishes.
is_hidden <- function(x) x$cells$sdcStatus %in% c("u", "x", "n")

# What chose the cells to withhold, in words.
chosen_by <- function(x, version = NULL) {
  how <- c(pattern = "the pattern", `certified pattern` = if (isTRUE(x$added > 0)) {
    paste0("the pattern, ", format_count(x$added), " of them by repair")
  } else {
    "the pattern"
  }, certified = "certified search", optimal = "exact search")
  if (x$method %in% names(how)) {
    return(paste("by", how[[x$method]]))
  }
  paste(c("by", x$method, version), collapse = " ")
}

# Which rows hold cells of the table itself, not totals. `dimnames`: without the totals.
inner_rows <- function(cells, dimnames) {
  inside <- lapply(names(dimnames), function(v) {
    as.integer(cells[[v]]) <= length(dimnames[[v]])
  })
  which(Reduce(`&`, inside))
}

# ---- magnitudes ---------------------------------------------------------------------------------

# What the rules say of each row of the cells, in units: `highest` and `lowest` are the ends that
# the interval of a primary cell must reach, `reach` is by how much an estimate of the largest
# contributor must miss it.
judged_cells <- function(x, cells, rules, p, least) {
  families <- total_families(x)
  labels <- lapply(unclass(cells)[names(x$dimnames)], levels)
  near <- rule_p_percent(rules_percent(rules, p) / 1e6)
  parts <- lapply(families, function(family) {
    held <- family_contributors(x, family)
    judged <- apply_rules(held, rules, p)
    reach <- apply_rules(held, near, 0)$up - judged$largest - judged$second
    codes <- lapply(family_factors(held$cell, family, labels), as.integer)
    out <- list(
      row = combine_codes(codes, lengths(labels, FALSE), length(held$cell)), count = judged$count,
      primary = rowSums(judged$fired) > 0, rules = fired_labels(judged$fired, rules$label),
      highest = judged$up, lowest = pmax(0, 2 * judged$total - judged$up),
      largest = judged$largest, second = judged$second, reach = reach
    )
    list2data_frame(signed_levels(out, held, judged, least), length(held$cell))
  })
  found <- bind_frames(parts)
  one <- same_rows(x, cells)
  at <- match(one, one[found$row])
  out <- lapply(unclass(found)[-1], function(column) column[at])
  empty <- is.na(at)
  out$count[empty] <- 0
  out$primary[empty] <- FALSE
  out$rules[empty] <- ""
  list2data_frame(out, nrow(cells))
}

# What a library is told: `holder` is whose the inner cells of one contributor are, 0 for the
# others; `highest` and `lowest` are the ends that intervals of primary cells shall reach.
told_rule <- function(x, cells, judged) {
  inner <- inner_rows(cells, x$dimnames)
  alone <- judged$primary[inner] & judged$count[inner] == 1
  own <- match(combine_codes(lapply(unclass(cells)[names(x$dimnames)], function(column) {
    as.integer(column)[inner]
  }), lengths(x$dimnames, FALSE), length(inner)), x$cell)
  holder <- ifelse(alone, x$holder[x$start[own] + 1], 0L)
  list(given = TRUE, primary = judged$primary, holder = as.integer(holder),
       highest = judged$highest, lowest = judged$lowest)
}

# What private and public objects say alike.
suppressed_words <- function(x) {
  open <- in_crossings(x)
  hidden <- x$cells$suppressed & open
  inner <- seq_along(hidden) %in% inner_rows(x$cells, x$dimnames) & open
  total <- open & !inner
  crossings <- length(suppression_crossings(x))
  c(
    paste0(if (of_units(x)) paste0("totals of ", x$variable, ", "), "table with suppressed cells: ",
           shape_words(x$dimnames), if (crossings > 0) {
             paste0(", published as ", plural(crossings, "crossing"))
           }),
    paste0("suppressed: ", if (!lists_zeros(x$cells, names(x$dimnames))) {
      paste0(format_count(sum(hidden[inner])), " of ", plural(sum(inner), "cell"), " and ",
             format_count(sum(hidden[total])), " of ", plural(sum(total), "total"),
             " that are not zero")
    } else if (crossings > 0) {
      paste(format_count(sum(hidden)), "of", plural(sum(open), "published cell"))
    } else {
      paste0(format_count(sum(hidden[inner])), " of ", plural(sum(inner), "cell"), ", ",
             format_count(sum(hidden[total])), " of ", plural(sum(total), "total"))
    }, if (length(x$hierarchies) > 0) {
             paste0("; trees over ", paste(names(x$hierarchies), collapse = ", "))
           })
  )
}

rule_words <- function(x) {
  if (of_units(x)) {
    return(paste(x$rules$label, collapse = ", "))
  }
  zeros <- if (x$protectZeros) "zeros"
  small <- c(
    if (x$maxN == 1) "counts of 1",
    if (x$maxN > 1) paste("counts from 1 to", format_count(x$maxN))
  )
  out <- c(zeros, small, people_group_words(x))
  if (length(out) == 0) "no counts" else paste(out, collapse = " and ")
}

shown_unit <- function(x) magnitude_unit(x$cells$total[!x$cells$suppressed], NULL, FALSE)

# Cells that the rule calls primary, and that a pattern publishes.
is_shown <- function(x) {
  primary <- if (of_units(x)) nzchar(x$cells$rules) else is_primary(x$cells$freq, x) | is_marked(x)
  primary & !is_hidden(x)
}

magnitude_suppression_columns <- c(
  "freq", "units", "total", "count", "rules", "sdcStatus", "suppressed", "primary", "lower",
  "upper", "width", "need_lower", "need_upper", "sharp", "known", "protected", "second_lower",
  "second_upper", "near", "learned", "reader", "who", "how", "union"
)

check_magnitude_to_suppress <- function(x) {
  check_free_names(x$dimnames, magnitude_suppression_columns)
  check_has_unit(x, "whose cells are suppressed")
}
