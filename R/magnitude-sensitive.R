# Which cells and totals of a magnitude table are sensitive, and by how much they would have to
# change.

#' Which cells of a magnitude table are sensitive
#'
#' Judges every cell that has contributors, and with `totals = TRUE` every total, by
#' [rules]: a cell is sensitive when any rule fires. A long data frame, **confidential**.
#'
#' @param x (sdc_magnitude) The table.
#' @param rules (sdc_rules) One or more rules, combined by `c()`.
#' @param totals (flag) Judge the totals over variables and the nodes of the hierarchies too? What
#'   one contributor holds in several cells counts there as one. [suppress()] judges totals always,
#'   so that it may have more primary cells than `totals = FALSE` shows.
#' @param ... Not used.
#' @param threads (whole number >= 1) How many threads judge the cells; see [sdcLattice-threads].
#' @return A data frame of class `sdc_sensitivity`, a row for each cell, first variable fastest,
#'   then the totals. One factor for each variable, and
#'   * `count`, contributors; `total`; `share1`, `share2`, the percent that the largest and the
#'     second largest hold (`NA` where the total is 0);
#'   * `rules`: the rules that fire, separated by commas;
#'   * `upper`: the upper protection level, by how much the total would have to rise so that no rule
#'     fired if nobody's value changed (`100/k (x1 + ... + xn) - T`, `p/100 x1 - rest`; the largest
#'     over the rules, rounded up to whole units); 0 where no rule fires; for a cell that is
#'     sensitive by [rule_threshold()] the level is `p/100 x1` of the strictest p percent rule, and
#'     `NA` where there is none: such a cell has no level of its own;
#'   * `needed`: how many further contributors of positive value (for the threshold rule, of any) a
#'     sensitive cell would need so that it can be mended at all;
#'   * `sdcStatus`: `"u"` for sensitive, `"s"` for the others.
#'
#'   With `weights = "sample"` the shares are those of the contributions that the sample stands for.
#'   With negative values there is also `absolute`, the sum of absolute values, to which shares and
#'   levels belong. `summary()` counts cells by status and by rule.
#' @section Errors:
#' `sdc_error_input` when `rules` are none, or a variable has the name of a column of the result.
#' @section Guarantee:
#' Exact in units of the table; see [magnitude_table()].
#' @section Complexity:
#' One pass over the contributors for the cells, and a sort of them for each kind of total, both
#' shared by the threads.
#' @family magnitude
#' @export
#' @examples
#' firms <- data.frame(region = "a", turnover = c(178, 99, 2, 1, 4, 3, 2))
#' mg <- magnitude_table(firms, "region", "turnover")
#' sensitive(mg, c(rule_threshold(3), rule_p_percent(10)))
#' summary(sensitive(mg, rule_max_share(90)))
sensitive.sdc_magnitude <- function(x, rules, totals = !is.null(x$crossings), ...,
                                    threads = default_threads()) {
  check_no_dots(...)
  use_threads(threads)
  validate_sdc_magnitude(x)
  check_sensitivity_rules(rules)
  check_flag(totals)
  check_tops_suffice(x, rules, totals)
  check_free_names(x$dimnames, sensitivity_columns)
  families <- if (totals) total_families(x) else list(leaf_family(x))
  labels <- family_labels(x, families)
  parts <- lapply(families, function(family) {
    held <- family_contributors(x, family)
    judged_frame(held, apply_rules(held, rules, 0), family, labels, x, rules)
  })
  out <- if (length(parts) == 1) parts[[1]] else bind_frames(parts)
  if (totals && !is.null(x$crossings)) {
    out <- out[open_rows(out, x$crossings), ]
    rownames(out) <- NULL
  }
  structure(
    out, sdc_rules = rules, sdc_totals = totals,
    class = sdc_class("sdc_sensitivity", mark = "confidential", of = "data.frame")
  )
}

sensitivity_columns <- c(
  "count", "total", "absolute", "share1", "share2", "rules", "upper", "needed", "sdcStatus"
)

# Judgements of the core, by cell. `otherwise`: percent for threshold rules without a p percent
# rule, 0 for none.
apply_rules <- function(x, rules, otherwise) {
  with_core(
    cpp_judge_cells(c(x[c("cell", "start", "value", "holder")], sampled_contributions(x)),
                    unclass(rules), rules_percent(rules, otherwise), default_threads())
  )
}

# ---- kinds of totals --------------------------------------------------------------------------

# A family has a kind for each variable: its levels, its total, or nodes of one depth of a tree.
total_families <- function(x) {
  kinds <- lapply(names(x$dimnames), function(v) {
    rev(variable_kinds(x$dimnames[[v]], x$hierarchies[[v]], v, x$total_label))
  })
  choices <- as.matrix(expand.grid(lapply(kinds, seq_along), KEEP.OUT.ATTRS = FALSE))
  lapply(seq_len(nrow(choices)), function(f) Map(function(k, at) k[[at]], kinds, choices[f, ]))
}

leaf_family <- function(x) {
  lapply(x$dimnames, function(levels) {
    list(tree = 0, depth = Inf, group = seq_along(levels), names = levels)
  })
}

is_leaf_family <- function(family) all(vapply(family, function(kind) kind$depth == Inf, NA))

# The number, from 1, of the family's sum that each stored cell belongs to, 0 for none.
family_part <- function(x, family) {
  codes <- split_codes(x$cell, lengths(x$dimnames, FALSE))
  group <- Map(function(kind, code) kind$group[code], family, codes)
  part <- combine_codes(group, family_size(family), length(x$cell))
  inside <- rep(TRUE, length(part))
  for (g in group) inside <- inside & g > 0
  ifelse(inside, part, 0)
}

family_size <- function(family) vapply(unname(family), function(kind) length(kind$names), 0L)

# The contributors of a family's sums: what one holds in several cells is added up.
family_contributors <- function(x, family) {
  if (is_leaf_family(family)) {
    return(x)
  }
  if (!is.null(x$totals)) {
    return(listed_contributors(x, family))
  }
  part <- rep(family_part(x, family), diff(x$start))
  kept <- part > 0
  with_weights_of(cpp_group_contributors(part[kept], x$holder[kept], x$value[kept],
                                         default_threads()), x)
}

# Nodes that hold the same levels are one: for each node the first of them.
same_nodes <- function(node) {
  held <- c(as.list(seq_along(node$levels)), unname(node$held))
  match(held, held)
}

# For each variable the place of each node in the family's kind, NA where it is none of it.
family_places <- function(nodes, family) {
  Map(function(node, kind) {
    same <- same_nodes(node)
    match(same, same[match(kind$names, c(node$levels, names(node$held)))])
  }, nodes, family)
}

# The number of the family's sum that each of some rows is, NA where it is none.
rows_in_family <- function(code, nodes, family) {
  places <- Map(function(place, code) place[code], family_places(nodes, family), code)
  combine_codes(places, family_size(family), length(code[[1]]))
}

# The rows of cells and totals, numbered so that totals over the same levels have the same number.
same_rows <- function(x, cells) {
  codes <- lapply(names(x$dimnames), function(v) {
    levels <- x$dimnames[[v]]
    held <- variable_totals(x$hierarchies[[v]], levels, v, x$total_label)
    same <- same_nodes(list(levels = levels, held = held))
    same[match(levels(cells[[v]]), c(levels, names(held)))][as.integer(cells[[v]])]
  })
  size <- vapply(names(x$dimnames), function(v) nlevels(cells[[v]]), 0L)
  combine_codes(codes, unname(size), nrow(cells))
}

# The contributors of a family's sums, as the frame listed them.
listed_contributors <- function(x, family) {
  nodes <- lapply(rlang::set_names(names(x$dimnames)), function(v) {
    levels <- x$dimnames[[v]]
    list(levels = levels, held = variable_totals(x$hierarchies[[v]], levels, v, x$total_label))
  })
  code <- Map(function(label, node) match(label, c(node$levels, names(node$held))),
              x$totals$labels, nodes)
  of <- rows_in_family(code, nodes, family)
  at <- which(!is.na(of) & !duplicated(of))
  at <- at[order(of[at])]
  size <- diff(x$totals$start)[at]
  entries <- sequence(size, from = x$totals$start[at] + 1)
  # sums of one cell are that cell, which is no total of the frame
  listed <- list(cell = of[at], start = cumsum(c(0, size)), value = x$totals$value[entries],
                 holder = x$totals$holder[entries])
  with_single_cells(listed, x, family)
}

# A node that holds one level is that level: its row may be listed under the name of the level.
with_single_cells <- function(listed, x, family) {
  part <- family_part(x, family)
  missing <- which(part > 0 & !part %in% listed$cell)
  if (length(missing) == 0) {
    return(listed)
  }
  size <- diff(x$start)[missing]
  entries <- sequence(size, from = x$start[missing] + 1)
  cpp_group_contributors(
    as.double(c(rep(listed$cell, diff(listed$start)), rep(part[missing], size))),
    c(listed$holder, x$holder[entries]), c(listed$value, x$value[entries])
  )
}

# Levels of each variable with the names of its totals behind them.
family_labels <- function(x, families) {
  out <- lapply(seq_along(x$dimnames), function(v) {
    unique(c(x$dimnames[[v]], unlist(lapply(families, function(family) family[[v]]$names))))
  })
  rlang::set_names(out, names(x$dimnames))
}

# The labels of some of a family's sums, a factor for each variable.
family_factors <- function(at, family, labels) {
  codes <- split_codes(at, family_size(family))
  out <- lapply(seq_along(labels), function(v) {
    as_level_factor(match(family[[v]]$names, labels[[v]])[codes[[v]]], labels[[v]])
  })
  rlang::set_names(out, names(labels))
}

bind_frames <- function(parts) {
  columns <- lapply(names(parts[[1]]), function(name) {
    pieces <- lapply(parts, `[[`, name)
    if (!is.factor(pieces[[1]])) return(unlist(pieces))
    as_level_factor(unlist(lapply(pieces, as.integer)), levels(pieces[[1]]))
  })
  names(columns) <- names(parts[[1]])
  list2data_frame(columns, length(columns[[1]]))
}

# ---- the frame --------------------------------------------------------------------------------

judged_frame <- function(held, judged, family, labels, x, rules) {
  n <- length(held$cell)
  sensitive <- rowSums(judged$fired) > 0
  share <- function(part) ifelse(judged$total > 0, 100 * part / judged$total, NA_real_)
  columns <- c(
    family_factors(held$cell, family, labels),
    list(
      count = judged$count,
      total = in_values(if (has_negative(x)) cell_totals(held) else judged$total, x)
    ),
    if (has_negative(x)) list(absolute = in_values(judged$total, x)),
    list(
      share1 = share(judged$largest), share2 = share(judged$second),
      rules = fired_labels(judged$fired, rules$label),
      upper = ifelse(sensitive, in_values(judged$up - judged$total, x), 0),
      needed = judged$needed, sdcStatus = ifelse(sensitive, "u", "s")
    )
  )
  # of ready cells the second largest contributor may be unknown
  if (identical(x$top, 1L)) columns$share2[columns$count > 1] <- NA
  list2data_frame(columns, n)
}

# The rules that fired in each cell, pasted once for each pattern.
fired_labels <- function(fired, labels) {
  key <- do.call(paste0, lapply(seq_len(ncol(fired)), function(r) as.integer(fired[, r])))
  patterns <- unique(key)
  words <- vapply(strsplit(patterns, ""), function(bits) {
    paste(labels[bits == "1"], collapse = ", ")
  }, "")
  words[match(key, patterns)]
}

# The labels again. Some have a comma of their own: "nk(2, 85)".
split_labels <- function(fired) strsplit(fired, ", (?=[a-z])", perl = TRUE)

totals_words <- "totals are not judged: `totals = TRUE` does that, as suppress() does always"

#' @export
format.sdc_sensitivity <- function(x, ...) {
  said <- if (is.null(x$sdcStatus)) plural(nrow(x), "cell") else
    paste(plural(sum(x$sdcStatus == "u"), "sensitive cell"), "of", format_count(nrow(x)))
  paste("<sdc_sensitivity> CONFIDENTIAL:", said)
}

#' @export
print.sdc_sensitivity <- function(x, ..., n = 10) {
  NextMethod()
  at <- which(x$sdcStatus == "u")
  if (isFALSE(attr(x, "sdc_totals"))) cat("  ", totals_words, "\n", sep = "")
  shown <- utils::head(if (length(at) > 0) at else seq_len(nrow(x)), n)
  print_frame(as.data.frame(x)[shown, , drop = FALSE], digits = 4, row.names = TRUE)
  more <- (if (length(at) > 0) length(at) else nrow(x)) - length(shown)
  if (more > 0) {
    cat("  and ", format_count(more), " more", if (length(at) > 0) " sensitive", "\n", sep = "")
  }
  invisible(x)
}

#' @export
summary.sdc_sensitivity <- function(object, ...) {
  check_no_dots(...)
  labels <- attr(object, "sdc_rules")$label
  fired <- split_labels(object$rules[nzchar(object$rules)])
  structure(
    list(
      status = c(table(factor(object$sdcStatus, c("s", "u")))),
      rules = c(table(factor(unlist(fired), labels))), totals = attr(object, "sdc_totals")
    ),
    class = sdc_class("sdc_sensitivity_summary", mark = "confidential")
  )
}

#' @export
format.sdc_sensitivity_summary <- function(x, ...) {
  c(
    paste0("sensitive (u): ", format_count(x$status[["u"]]), ", not sensitive (s): ",
           format_count(x$status[["s"]])),
    if (isFALSE(x$totals)) totals_words,
    paste0(names(x$rules), " fires in ", vapply(x$rules, plural, "", one = "cell"))
  )
}


judged_variables <- function(x) names(x)[seq_len(match("count", names(x)) - 1)]
