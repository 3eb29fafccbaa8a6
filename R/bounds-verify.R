#' Verify bounds by their certificates
#'
#' Checks the certificates that [bounds_margins()] gives with `certificates = TRUE`, cell by cell
#' and end by end, by code that shares nothing with the search for bounds: whoever does not trust
#' the search need only trust this check, which is short and uses exact arithmetic.
#'
#' # What a certificate is
#' For each end of each asked cell there are
#' * **a table** of whole numbers that agrees with the release and has the cell at this end;
#' * **a proof** that no such table goes beyond. Suppose that the cell lies beyond its end. A
#'   combination of rows, each times a whole number, adds up to a sum of cells with coefficients.
#'   Over the limits of the cells this sum is at least some number; by the limits of the rows it is
#'   at most another one, which is less: so the cell cannot lie there. Where one combination does
#'   not do, the proof splits the values of some cell in two, and each side has a proof of its own.
#'
#' For margins, and wherever rates are released, the unknowns are the cells of the full cross of the
#' variables, first variable fastest, and after them a column for each asked sum of several cells.
#' The rows are the sums that the release publishes, in its order, and after them one for each asked
#' sum: its cells less its column make 0. A published sum has a lower and an upper limit, which are
#' equal where it is published exactly.
#'
#' For all else (data frames with totals and trees, linked tables, [constraints()] made of them) the
#' certificates need no full cross. `cells` has a label of each variable for each cell that they
#' speak of (0: all levels), totals among them. What the release says of a cell are its limits. The
#' rows are `relations`: along `variable`, the first cell is the sum of the others. A table is given
#' by the finest cells with a count: `leaves` has their levels.
#'
#' A cell without an upper limit has a direction instead: a change of cells that can be added to a
#' table again and again.
#'
#' # What is checked
#' The rows are made anew from `release`; of relations, whether they hold: their cells differ in one
#' variable, and there the levels of the total are those of its parts, each once. Each table is
#' compared with each published sum and each limit. Each combination is added up anew. All numbers
#' are whole and stay below 2^53, where doubles are exact, or are split into two halves; a
#' certificate with larger ones is refused. No tolerance is used. Then the ends are compared with
#' `lower`, `upper` and `sharp` of `x`: an interval that is `sharp` must be attained and proved at
#' both ends, any other must be proved. Fields that no proof covers, such as the words of the print,
#' are protected by a checksum.
#'
#' @param x (sdc_bounds) the bounds, with certificates.
#' @param release (what [bounds_margins()] takes as a release, or `NULL`) what was released. `NULL`:
#'   the release that `x` holds. Give it when you do not trust that `x` holds what was released.
#' @param ... must be empty.
#' @param hierarchies,dimList (named list) trees of variables of data frames in `release`, as
#'   [bounds_margins()] takes them.
#' @return An object of class `sdc_bounds_verification`. `as.data.frame()` has two rows for each
#'   cell: the variables, `end` (`"lower"`, `"upper"`), `value`, `attained` and `proved` (flags) and
#'   `how` it is proved: `"limit"` (of the cell itself), `"sums"` (one combination of published
#'   sums), `"cases"` (several), `"direction"` (there is no limit) or `"none"`; and its `verdict`:
#'   `"verified"`, `"open"` (`x` gives no proof of the end, or no table for it although it is
#'   called sharp; what it gives holds) or `"false"` (what it gives does not hold). Fields:
#'   `verdict` (of everything that `x` says), `verified` (flag: is that `"verified"`?), `verdicts`
#'   (of each cell), `cells` (flag for each cell: verified?), `faults` (in words, what is wrong with
#'   the object as a whole: then the verdict is `"false"`).
#' @section Errors: `sdc_error_input` when `x` has no certificates, or `release` cannot be read.
#'   Certificates that are damaged are no error here: they fail. [explain()] and `print()` give
#'   `sdc_error_input` for them.
#' @section Guarantee: A cell that is verified has the interval that `x` says, whatever method found
#'   it.
#' @section Complexity: Time and memory grow with the entries of the release, the differences of the
#'   tables and the entries of the rows in the proofs.
#' @references V. Chvatal (1983), Linear Programming, Freeman, chapter 5 (duality as a proof of
#'   optimality).
#' @family bounds
#' @export
#' @examples
#' release <- margins(roehrig, list("row", "column"))
#' b <- bounds_margins(release, certificates = TRUE)
#' b$certificates
#' checked <- verify_bounds(b, release)
#' checked
#' as.data.frame(checked)[c(1, 17), ]
#' # the proof of an end, in words
#' explain(b, list(row = "2", column = "4"))
#'
#' # a table with a tree: the proofs are in cells and totals
#' cells <- data.frame(region = c("Total", "north", "n1", "n2", "south"),
#'                     freq = c(60, 41, NA, NA, NA), upper = c(NA, NA, NA, 15, NA))
#' trees <- list(region = data.frame(parent = c("Total", "Total", "north", "north"),
#'                                   child = c("north", "south", "n1", "n2")))
#' b <- bounds_margins(list(cells), cells["region"], hierarchies = trees, certificates = TRUE)
#' verify_bounds(b, list(cells), hierarchies = trees)
#' explain(b, data.frame(region = "n1"))
#'
#' # bounds that were narrowed by hand have no proof
#' b$upper[3] <- b$upper[3] - 1
#' verify_bounds(b)
verify_bounds <- function(x, release = NULL, ..., hierarchies = NULL, dimList = NULL) {
  check_no_dots(...)
  check_class(x, "sdc_bounds", make = "bounds_margins")
  if (!inherits(x$certificates, "sdc_bounds_certificates")) {
    abort_sdc("input", c(
      "{.arg x} must hold certificates.",
      x = "It has none.",
      i = "Ask for them: {.code bounds_margins(..., certificates = TRUE)}."
    ))
  }
  hierarchies <- one_of_two(hierarchies, dimList)
  if (!is.null(release)) release <- read_stated(release, hierarchies, x)
  found <- tryCatch(verify_certificates(x, release), error = function(cnd) {
    if (inherits(cnd, "sdc_error_input") && !is.null(release)) rlang::cnd_signal(cnd)
    list(faults = "A part of the object cannot be read.")
  })
  new_bounds_verification(x, found)
}

# Certificates in cells: parts and labels. Else margins as they are, everything else as constraints.
read_stated <- function(release, hierarchies, x) {
  if (is_sdc_constraints(release)) {
    check_own_trees(hierarchies)
    return(release)
  }
  tables <- released_tables(release)
  if (!is.null(x$certificates$relations)) {
    if (!is.null(tables)) release <- list(structure(tables, class = sdc_class("sdc_margins")))
    return(read_parts_of(release, hierarchies, x))
  }
  if (!is.null(tables)) {
    return(structure(tables, class = sdc_class("sdc_margins")))
  }
  several <- is.list(release) && !is.object(release)
  do.call(constraints, c(if (several) release else list(release), list(hierarchies = hierarchies)))
}

# The variables in the order of the bounds, which also say what levels those have that no part has.
read_parts_of <- function(release, hierarchies, x) {
  several <- is.list(release) && !is.object(release)
  style <- list(freqVar = "freq", total_label = "Total", tolerance = .5)
  parts <- release_parts(if (several) release else list(release), style,
                         if (several) paste("part", seq_along(release)) else "release")
  shown <- unlist(lapply(parts, function(part) names(part$columns)))
  labels <- part_labels(parts, hierarchies, "Total", x$dimnames[setdiff(names(x$dimnames), shown)])
  same <- setequal(names(labels), names(x$dimnames))
  list(parts = parts, labels = if (same) labels[names(x$dimnames)] else labels)
}

verify_certificates <- function(x, release) {
  said <- stated_system(x, release)
  faults <- said$faults
  if (length(faults) == 0) faults <- c(bounds_faults(x, said), certificate_faults(x, said))
  if (length(faults) > 0) {
    return(list(faults = faults))
  }
  made <- x$certificates
  counts <- said$counts %||% said
  base <- length(made$base) == 0 || base_holds(counts, made$base)
  same <- made$ends$value == c(x$lower, x$upper)
  tables <- base & tables_hold(counts, made$base, made$tables)
  ways <- base & directions_hold(counts, made$directions)
  attained <- same & ends_attained(made, said, tables, ways)
  proved <- same & ends_proved(made, said)
  list(
    attained = attained, proved = proved, how = proof_kinds(made),
    verdict = end_verdicts(made$ends, same, attained, proved, rep(x$sharp %in% TRUE, 2)),
    faults = c(if (!base) "The table that all others are compared with does not fit the release.",
               seal_faults(x))
  )
}

ends_attained <- function(made, said, tables, ways) {
  ends <- made$ends
  at_end <- end_values(made, said, made$tables, ends$table, made$base) == ends$value
  grows <- end_values(made, said, made$directions, ends$direction, 0 * made$base) > 0
  finite <- is.finite(ends$value)
  ifelse(finite, !is.na(ends$table) & tables[ends$table] & at_end,
         !is.na(ends$direction) & ways[ends$direction] & grows) %in% TRUE
}

# The asked cells in the tables of their ends: cells of the table, or sums of several.
end_values <- function(made, said, changes, table, base) {
  if (!is.null(said$inside)) {
    return(sums_in_tables_of(changes, base, said$inside, table, made$ends$cell))
  }
  cell <- made$at[made$ends$cell]
  value_at(changes, table, cell, base[cell])
}

# The value of a cell in a table that is given by what differs from `usual`. Pairs of numbers are
# compared as numbers: as text, 1e5 and 100000 would differ.
value_at <- function(changes, table, cell, usual) {
  key <- function(table, cell) complex(real = table, imaginary = cell)
  own <- key(rep(seq_len(length(changes$start) - 1), diff(changes$start)), changes$cell)
  at <- match(key(table, cell), own)
  ifelse(is.na(at), usual, changes$value[at])
}

# An end that is infinite needs no proof.
ends_proved <- function(made, said) {
  ends <- made$ends
  proofs <- made$proofs
  of <- match(seq_len(length(proofs$start) - 1), ends$proof)
  leaves <- proof_leaves(proofs, made$at[ends$cell[of]], ends$end[of] == "upper", ends$value[of])
  excluded <- leaves_exclude(said, proofs, leaves)
  whole <- vapply(split(excluded[leaves$leaf], factor(leaves$proof, seq_along(of))), function(ok) {
    length(ok) > 0 && all(ok)
  }, NA)
  is.infinite(ends$value) | (!is.na(ends$proof) & whole[ends$proof]) %in% TRUE
}

# What is given and does not hold is false; what is not given is open.
end_verdicts <- function(ends, same, attained, proved, sharp) {
  shown <- !is.na(ends$table) | !is.na(ends$direction)
  is_false <- !same | (shown & !attained) | (!is.na(ends$proof) & !proved)
  ifelse(is_false %in% FALSE, ifelse(proved & (attained | !sharp), "verified", "open"), "false")
}

verdicts <- c("verified", "open", "false")

new_bounds_verification <- function(x, found) {
  n <- length(x$lower)
  no <- rep(FALSE, 2 * n)
  attained <- found$attained %||% no
  proved <- found$proved %||% no
  verdict <- found$verdict %||% rep("false", 2 * n)
  # that all of it is proved, and yet not called sharp, was changed by hand
  modest <- attained & proved & !rep(x$sharp %in% TRUE, 2)
  worst <- match(verdict, verdicts)
  worst <- pmax(worst[seq_len(n)], worst[n + seq_len(n)],
                ifelse(modest[seq_len(n)] & modest[n + seq_len(n)], 3L, 1L))
  ends <- list(
    end = factor(rep(c("lower", "upper"), each = n)), value = c(x$lower, x$upper),
    attained = attained, proved = proved, how = found$how %||% rep("none", 2 * n),
    verdict = verdict
  )
  overall <- verdicts[max(1L, worst, if (length(found$faults) > 0) 3L)]
  structure(
    list(verdict = overall, verified = overall == "verified", verdicts = verdicts[worst],
         cells = worst == 1L, faults = as.character(found$faults), ends = ends,
         dimnames = x$dimnames, codes = x$codes),
    class = sdc_class("sdc_bounds_verification")
  )
}

# ---- methods ----------------------------------------------------------------------------------

#' @rdname verify_bounds
#' @param row.names,optional not used.
#' @export
as.data.frame.sdc_bounds_verification <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  check_free_names(x$dimnames, names(x$ends))
  labels <- lapply(code_factors(x), rep, 2)
  list2data_frame(c(labels, x$ends), length(x$ends$value))
}

#' @rdname verify_bounds
#' @param object (sdc_bounds_verification) what `verify_bounds()` returned.
#' @export
summary.sdc_bounds_verification <- function(object, ...) {
  check_no_dots(...)
  ends <- object$ends
  list2data_frame(list(
    end = factor(c("lower", "upper")),
    ends = as.vector(table(ends$end)),
    attained = as.vector(tapply(ends$attained, ends$end, base::sum)),
    proved = as.vector(tapply(ends$proved, ends$end, base::sum))
  ), 2)
}

#' @export
format.sdc_bounds_verification <- function(x, ...) {
  n <- length(x$cells)
  ends <- x$ends
  of <- function(flag) paste0(format_count(base::sum(flag)), " of ", plural(length(flag), "end"))
  c(
    paste0("<sdc_bounds_verification> ",
           c(verified = "verified", open = "OPEN", false = "NOT VERIFIED")[[x$verdict]], ": ",
           format_count(base::sum(x$cells)), " of ", plural(n, "cell"),
           if (x$verdict == "open") "; nothing is false"),
    paste0("  attained by a table: ", of(ends$attained), "; proved: ", of(ends$proved)),
    if (any(ends$verdict == "open")) {
      paste0("  open, as no proof or table is given: ", of(ends$verdict == "open"))
    },
    if (length(x$faults) > 0) paste0("  ", x$faults)
  )
}

#' @export
print.sdc_bounds_verification <- function(x, ...) {
  NextMethod()
  failed <- order(match(x$verdicts, rev(verdicts)))[seq_len(base::sum(!x$cells))]
  if (length(failed) > 0 && any(x$ends$proved)) {
    shown <- utils::head(failed, 6)
    cat("  not verified:\n")
    frame <- as.data.frame(x)
    print_frame(frame[sort(c(shown, shown + length(x$cells))), ])
  }
  invisible(x)
}
