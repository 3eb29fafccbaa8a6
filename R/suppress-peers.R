# Results of other packages, as publications and as parts of a release.

#' Publications made by other packages
#'
#' Makes, of the result of another package or of files of tau-ARGUS, the publication of a table with
#' suppressed cells: what a reader sees, and nothing else. [audit()], [bounds_margins()],
#' [count_tables()], [write_publication()] and [compare_readers()] then work on it as on a
#' publication of this package.
#'
#' @details
#' * **sdcTable**: the problem that `protectTable()` returns, or the frame of
#'   `getInfo(x, "finalData")` with its trees as `hierarchies`.
#' * **GaussSuppression**: the frame that its functions return, with the `hierarchies` that they
#'   were given.
#' * **tau-ARGUS**: its files, see [read_tau_argus()].
#' * **SmallCountRounding** and **cellKey**: the results of `PLSrounding()`, and tables that
#'   `perturb()` has changed, are parts of a release: [constraints()] and [bounds_margins()] read
#'   them as they are.
#' * **Tables of others**, as they stand on a page: a frame with a row for each cell and total, and
#'   missing values where cells are suppressed. [enter_publication()] takes the result.
#'
#' Results of packages hold the original counts of suppressed or rounded cells; here only what is
#' published is read. The choice of cells is not judged: to judge it, give the frame to [suppress()]
#' as `pattern`, with the original table.
#'
#' **SmallCountRounding.** Of the published cells, those that are inner cells of the table are read.
#' With the usual `maxRound`, a count of 0 was less than the base, a count that is the base was from
#' 1 to the base, and all others are exact. In general a multiple of the base may have been any
#' count up to `maxRound` that is less than the base away. Published totals are sums of rounded
#' cells and tell nothing more.
#'
#' **cellKey.** Each cell and each total lies, by itself, within what the table of transitions
#' allows for the count that is shown.
#'
#' @param x (data frame, sdcProblem or sdc_tau_argus) The result.
#' @param dimVar (character vector or `NULL`) The variables of the table. `NULL`: all columns but
#'   those of values and statuses.
#' @param freqVar (string or `NULL`) The column of counts. `NULL`: `freq` or `Freq`.
#' @param numVar (string or `NULL`) The column of totals, of a magnitude table.
#' @param hierarchies,dimList (named list or `NULL`) Trees, in any form that [hierarchies] lists.
#' @param total_label (string or `NULL`) The total of a variable without a tree. `NULL`: that which
#'   the frame of GaussSuppression names, or `"Total"`.
#' @param unlisted (string) What a cell or total without a row is: an `"error"`, `"suppressed"`, as
#'   it is not published, or `"zero"`.
#' @param ... Not used.
#' @return An object of class `sdc_suppressed`, see [sdc_suppressed-methods]; with `numVar` also of
#'   class `sdc_magnitude_suppressed`.
#' @section Errors:
#' `sdc_error_input` for columns that are not there, labels that are neither levels nor nodes, cells
#' without a row or with two, counts that are not whole, and published totals that are not the sums
#' of their cells, or less than the published part of them.
#' @section Guarantee: Exactly what the result publishes; no count of a suppressed cell.
#' @family suppress
#' @family publication
#' @export
#' @examples
#' shown <- data.frame(
#'   sex = c("f", "m", "Total", "f", "m", "Total", "f", "m", "Total"),
#'   area = rep(c("north", "south", "Total"), each = 3),
#'   freq = c(2, 14, 16, 8, 5, 13, 10, 19, 29),
#'   suppressed = c(TRUE, TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE)
#' )
#' pub <- as_publication(shown)
#' format(pub, suppressed = "c")
#' as.data.frame(bounds_margins(pub))
as_publication <- function(x, ...) {
  check_given(x)
  UseMethod("as_publication")
}

#' @export
as_publication.default <- function(x, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a data frame of cells, a problem of sdcTable, or files of tau-ARGUS.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = if (inherits(x, c("PLSrounded", "cellkey_obj"))) "{.fn bounds_margins} reads it."
  ))
}

#' @rdname as_publication
#' @export
as_publication.data.frame <- function(x, dimVar = NULL, freqVar = NULL, numVar = NULL,
                                      hierarchies = NULL, dimList = NULL, total_label = NULL,
                                      unlisted = c("error", "suppressed", "zero"), ...) {
  check_no_dots(...)
  unlisted <- check_choice(unlisted, c("error", "suppressed", "zero"))
  if (!is.null(total_label)) check_string(total_label)
  columns <- peer_columns(x, dimVar, freqVar, numVar)
  trees <- one_of_two(hierarchies, dimList)
  label <- total_label %||% peer_total(x, setdiff(names(columns$labels), names(trees)))
  box <- peer_box(columns$labels, trees, label)
  at <- peer_cells(columns$labels, box$labels)
  public_cells(at, columns, box, unlisted)
}

# The frame as labels, `values` and flags `hidden`.
peer_columns <- function(x, dimVar, freqVar, numVar) {
  value <- numVar %||% freqVar %||% intersect(c("freq", "Freq"), names(x))[1]
  if (is.na(value) || !is.character(value) || !value %in% names(x)) {
    abort_sdc("input", c(
      "{.arg freqVar} or {.arg numVar} must name the column of values.",
      x = if (is.na(value)) "There is no column {.field freq}." else
        "There is no column {.field {value}}."
    ))
  }
  marked <- any(c("suppressed", "sdcStatus") %in% names(x))
  if (!marked && !anyNA(x[[value]])) {
    abort_sdc("input", c(
      "The data frame must have a column {.field suppressed} or {.field sdcStatus}, or values that
       are missing.",
      x = "It has {.field {names(x)}}, and no value of {.field {value}} is missing.",
      i = "A table without suppressed cells goes into a record as it is: {.fn enter_publication}."
    ))
  }
  others <- c(value, "suppressed", "sdcStatus", "primary", "strID")
  variables <- dimVar %||% setdiff(names(x), others)
  resolve_columns(variables, x, "dimVar")
  labels <- lapply(rlang::set_names(variables), function(v) {
    as.character(frame_column(x[[v]], v, "x"))
  })
  hidden <- if (marked) suppressed_rows(x, "x") else is.na(x[[value]])
  check_columns_agree(x, intersect(c("suppressed", "sdcStatus"), names(x)))
  values <- as.double(x[[value]])
  values[hidden] <- NA
  if (is.null(numVar)) values[!hidden] <- whole_counts(values[!hidden], value)
  list(labels = labels, values = values, hidden = hidden, variable = numVar)
}

# GaussSuppression says what it calls totals.
peer_total <- function(x, flat) {
  said <- unique(unlist(attr(x, "totCode")[flat]))
  if (length(said) == 1) said else "Total"
}

peer_box <- function(labels, trees, total_label) {
  dimnames <- lapply(rlang::set_names(names(labels)), function(v) {
    if (is.null(trees[[v]])) setdiff(unique(labels[[v]]), total_label) else character()
  })
  if (length(trees) > 0) {
    leaves <- plain_leaves(trees, labels, total_label)
    dimnames[names(leaves)] <- leaves
  }
  layout <- new_layout(plain_trees(trees, dimnames, total_label), total_label)
  list(dimnames = dimnames, labels = node_labels(table_from_nothing(dimnames, layout)),
       trees = layout$trees, total_label = total_label)
}

# The leaves of each tree, in its order.
plain_leaves <- function(trees, labels, total_label) {
  check_hierarchies(trees_by_variable(trees), names(labels))
  empty <- lapply(labels, function(label) character())
  found <- dimnames_with_leaves(empty, trees)
  found[names(trees)]
}

peer_cells <- function(labels, all) {
  codes <- Map(function(label, nodes, v) {
    code <- match(label, nodes)
    if (anyNA(code)) {
      abort_sdc("input", c(
        "Labels must be levels of the table, or totals and nodes of {.arg hierarchies}.",
        x = "{.val {v}} has {.val {label[is.na(code)][1]}}, which is neither.",
        i = "{.arg hierarchies} or {.arg total_label} may be missing."
      ))
    }
    code
  }, labels, all[names(labels)], names(labels))
  at <- combine_codes(codes, lengths(all, FALSE), length(labels[[1]]))
  again <- which(duplicated(at))[1]
  if (!is.na(again)) {
    abort_sdc("input", c(
      "Each cell must have one row.",
      x = "Row {again} repeats the cell of row {match(at[again], at)}."
    ))
  }
  at
}

public_cells <- function(at, columns, box, unlisted) {
  n <- prod(lengths(box$labels))
  check_cells(n, getOption("sdcLattice.max_cells", 5e7))
  if (unlisted == "error" && length(at) < n) {
    first <- cell_factors(which(!seq_len(n) %in% at)[1], box$labels)
    abort_sdc("input", c(
      "Each cell and total must have a row.",
      x = "{label_words(lapply(first, as.character))} has none.",
      i = "{.arg unlisted} says what such cells are: {.val suppressed} or {.val zero}."
    ))
  }
  value <- rep(if (unlisted == "zero") 0 else NA_real_, n)
  value[at] <- columns$values
  frame <- c(cell_factors(seq_len(n), box$labels),
             rlang::set_names(list(value), if (is.null(columns$variable)) "freq" else "total"),
             list(suppressed = is.na(value)))
  cells <- list2data_frame(frame, n)
  held <- list(hierarchies = box$trees, total_label = box$total_label)
  if (!is.null(columns$variable)) {
    unit <- magnitude_unit(value[!is.na(value)], NULL, FALSE)$unit
    own <- list(cells = cells, dimnames = box$dimnames, variable = columns$variable, unit = unit)
    return(structure(
      c(own, held),
      class = sdc_class("sdc_magnitude_suppressed", "sdc_suppressed")
    ))
  }
  out <- structure(
    c(list(cells = cells, dimnames = box$dimnames), held, list(maxN = NULL, protectZeros = NULL)),
    class = sdc_class("sdc_suppressed")
  )
  tryCatch(need_sums(out), sdc_damaged = function(cnd) {
    abort_sdc("input", c(
      "The published cells must agree with each other.", x = "{conditionMessage(cnd)}."
    ))
  })
  out
}

#' @export
as_publication.sdcProblem <- function(x, ...) {
  check_no_dots(...)
  check_installed("sdcTable", "to read its problems")
  data <- as.data.frame(sdcTable::sdcProb2df(x, addDups = FALSE, dimCodes = "original"))
  variables <- x@dimInfo@dimInfo
  trees <- lapply(variables, function(v) {
    data.frame(level = strrep("@", v@levels), code = v@codesOriginal)
  })
  as_publication(data[c(names(variables), "freq", "sdcStatus")], names(variables), "freq",
                 hierarchies = trees)
}

#' @export
as_publication.sdc_tau_argus <- function(x, unlisted = c("error", "suppressed", "zero"), ...) {
  check_no_dots(...)
  if (is.null(x$cells$sdcStatus)) {
    abort_sdc("input", c("The files must have statuses.", x = "They have none."))
  }
  variables <- names(x$total_codes)
  value <- x$roles$value %||% x$roles$freq
  cells <- x$cells[c(variables, value, "sdcStatus")]
  empty <- is.na(cells[[value]]) & !cells$sdcStatus %in% c("u", "x")
  cells[[value]][empty] <- 0
  flat <- unique(x$total_codes[setdiff(variables, names(x$hierarchies))])
  if (length(flat) > 1) {
    abort_sdc("input", c(
      "The totals of all variables without a tree must have one code.",
      x = "They are {.val {flat}}."
    ))
  }
  as_publication(
    cells, variables, if (is.null(x$roles$value)) value, x$roles$value,
    hierarchies = x$hierarchies, total_label = if (length(flat) == 1) flat, unlisted = unlisted
  )
}

# ---- rounded and perturbed cells ----------------------------------------------------------------

#' @export
as_parts.PLSrounded <- function(x, name, arg, style) {
  variables <- setdiff(names(x$inner), c("original", "rounded", "difference"))
  base <- x$metrics[["roundBase"]]
  most <- x$metrics[["maxRound"]]
  key <- function(frame) {
    do.call(paste, c(unname(lapply(unclass(frame)[variables], as.character)), sep = "\r"))
  }
  shown <- x$inner[key(x$inner) %in% key(x$publish), ]
  count <- shown$rounded
  out <- shown[variables]
  changed <- count %% base == 0 & count - base < most
  out$lower <- ifelse(changed, pmax(count - base + 1, 0), count)
  out$upper <- ifelse(changed, pmax(count, pmin(count + base - 1, most)), count)
  style$dimVar <- variables
  list(frame_part(out, if (nzchar(name)) name else arg, style))
}

#' @export
as_parts.cellkey_obj <- function(x, name, arg, style) {
  check_installed("cellKey", "to read its tables")
  variables <- setdiff(names(x$hierarchy_info()), "")
  shown <- as.data.frame(x$freqtab("total"))
  moves <- as.data.frame(x$params_cnts_get()$total$params$ptable)
  range <- key_ranges(unique(shown$puwc), moves)
  at <- match(shown$puwc, range$shown)
  out <- shown[variables]
  out$lower <- range$lower[at]
  out$upper <- range$upper[at]
  style$dimVar <- variables
  part <- frame_part(out, if (nzchar(name)) name else arg, style)
  part$hierarchies <- lapply(rlang::set_names(variables), function(v) {
    tree <- as.data.frame(x$hierarchy_info()[[v]])
    data.frame(parent = replace(tree$parent, tree$parent == tree$code, NA), child = tree$code)
  })
  list(part)
}

# The least and the greatest count that can be shown as each of some counts. `moves`: the columns i,
# a count, the largest standing for all above, v, its change, and p, the probability.
key_ranges <- function(shown, moves) {
  moves <- moves[moves$p > 0, ]
  top <- max(moves$i)
  pairs <- merge(data.frame(shown = shown), unique(moves[c("i", "v")]))
  pairs$from <- pairs$shown - pairs$v
  pairs <- pairs[pairs$from >= 0 & pmin(pairs$from, top) == pairs$i, ]
  list(shown = shown, lower = as.vector(tapply(pairs$from, factor(pairs$shown, shown), min)),
       upper = as.vector(tapply(pairs$from, factor(pairs$shown, shown), max)))
}
