#' Verify bounds by their certificates
#'
#' Checks the certificates that [bounds_margins()] gives with `certificates = TRUE`, cell by cell
#' and end by end, by code that shares nothing with the search for bounds: whoever does not trust
#' the search need only trust this check, which is short and uses exact arithmetic.
#'
#' # What a certificate is
#' The unknowns are the cells of the full cross of the variables, first variable fastest, and after
#' them a column for each asked sum of several cells. The rows are the sums that the release
#' publishes, in its order, and after them one for each asked sum: its cells less its column make 0.
#' A published sum has a lower and an upper limit, which are equal where it is published exactly.
#' For each end of each asked cell there are
#' * **a table** of whole numbers that agrees with the release and has the cell at this end;
#' * **a proof** that no such table goes beyond. Suppose that the cell lies beyond its end. A
#'   combination of rows, each times a whole number, adds up to a sum of cells with coefficients.
#'   Over the limits of the cells this sum is at least some number; by the limits of the rows it is
#'   at most another one, which is less: so the cell cannot lie there. Where one combination does
#'   not do, the proof splits the values of some cell in two, and each side has a proof of its own.
#'
#' A cell without an upper limit has a direction instead: a change of cells that can be added to a
#' table again and again.
#'
#' # What is checked
#' The rows are made anew from `release`. Each table is compared with each row and each limit. Each
#' combination is added up anew. All numbers are whole and stay below 2^53, where doubles are exact,
#' or are split into two halves; a certificate with larger ones is refused. No tolerance is used.
#' Then the ends are compared with `lower`, `upper` and `sharp` of `x`: an interval that is `sharp`
#' must be attained and proved at both ends, any other must be proved. Fields that no proof covers,
#' such as the words of the print, are protected by a checksum.
#'
#' @param x (sdc_bounds) the bounds, with certificates.
#' @param release (what [bounds_margins()] takes as a release, or `NULL`) what was released. `NULL`:
#'   the release that `x` holds. Give it when you do not trust that `x` holds what was released.
#' @param ... must be empty.
#' @return An object of class `sdc_bounds_verification`. `as.data.frame()` has two rows for each
#'   cell: the variables, `end` (`"lower"`, `"upper"`), `value`, `attained` and `proved` (flags) and
#'   `how` it is proved: `"limit"` (of the cell itself), `"sums"` (one combination of published
#'   sums), `"cases"` (several), `"direction"` (there is no limit) or `"none"`. Fields: `verified`
#'   (flag: everything that `x` says), `cells` (flag for each cell), `faults` (in words, what is
#'   wrong with the object as a whole).
#' @section Errors: `sdc_error_input` when `x` has no certificates. Certificates that are damaged
#'   are no error: they fail.
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
#' # bounds that were narrowed by hand have no proof
#' b$upper[3] <- b$upper[3] - 1
#' verify_bounds(b, release)
verify_bounds <- function(x, release = NULL, ...) {
  check_no_dots(...)
  check_class(x, "sdc_bounds", make = "bounds_margins")
  if (!inherits(x$certificates, "sdc_bounds_certificates")) {
    abort_sdc("input", c(
      "{.arg x} must hold certificates.",
      x = "It has none.",
      i = "Ask for them: {.code bounds_margins(..., certificates = TRUE)}."
    ))
  }
  if (!is.null(release)) release <- read_stated(release)
  found <- tryCatch(verify_certificates(x, release), error = function(cnd) {
    if (inherits(cnd, "sdc_error_input") && !is.null(release)) rlang::cnd_signal(cnd)
    list(faults = "A part of the object cannot be read.")
  })
  new_bounds_verification(x, found)
}

# Margins as they are; everything else as constraints.
read_stated <- function(release) {
  tables <- if (!is_sdc_constraints(release)) released_tables(release)
  if (!is.null(tables)) {
    return(structure(tables, class = sdc_class("sdc_margins")))
  }
  several <- is.list(release) && !is.object(release)
  if (several) do.call(constraints, release) else as_constraints(release)
}

verify_certificates <- function(x, release) {
  said <- stated_system(x, release)
  faults <- c(bounds_faults(x, said), certificate_faults(x, said))
  if (length(faults) > 0) {
    return(list(faults = faults))
  }
  made <- x$certificates
  base <- base_holds(said, made$base)
  same <- made$ends$value == c(x$lower, x$upper)
  tables <- base & tables_hold(said, made$base, made$tables)
  ways <- base & directions_hold(said, made$directions)
  list(
    attained = same & ends_attained(made, tables, ways), proved = same & ends_proved(made, said),
    how = proof_kinds(made),
    faults = c(if (!base) "The table that all others are compared with does not fit the release.",
               seal_faults(x))
  )
}

ends_attained <- function(made, tables, ways) {
  ends <- made$ends
  cell <- made$at[ends$cell]
  at_end <- value_at(made$tables, ends$table, cell, made$base[cell]) == ends$value
  grows <- value_at(made$directions, ends$direction, cell, 0) > 0
  finite <- is.finite(ends$value)
  ifelse(finite, !is.na(ends$table) & tables[ends$table] & at_end,
         !is.na(ends$direction) & ways[ends$direction] & grows) %in% TRUE
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

new_bounds_verification <- function(x, found) {
  n <- length(x$lower)
  no <- rep(FALSE, 2 * n)
  attained <- found$attained %||% no
  proved <- found$proved %||% no
  both <- function(flag) flag[seq_len(n)] & flag[n + seq_len(n)]
  cells <- both(proved) & (both(attained) == (x$sharp %in% TRUE))
  ends <- list(
    end = factor(rep(c("lower", "upper"), each = n)), value = c(x$lower, x$upper),
    attained = attained, proved = proved, how = found$how %||% rep("none", 2 * n)
  )
  structure(
    list(verified = all(cells) && length(found$faults) == 0, cells = cells,
         faults = as.character(found$faults), ends = ends, dimnames = x$dimnames, codes = x$codes),
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
    paste0("<sdc_bounds_verification> ", if (x$verified) "verified" else "NOT VERIFIED", ": ",
           format_count(base::sum(x$cells)), " of ", plural(n, "cell")),
    paste0("  attained by a table: ", of(ends$attained), "; proved: ", of(ends$proved)),
    if (length(x$faults) > 0) paste0("  ", x$faults)
  )
}

#' @export
print.sdc_bounds_verification <- function(x, ...) {
  NextMethod()
  failed <- which(!x$cells)
  if (length(failed) > 0 && any(x$ends$proved)) {
    shown <- utils::head(failed, 6)
    cat("  not verified:\n")
    frame <- as.data.frame(x)
    print_frame(frame[sort(c(shown, shown + length(x$cells))), ])
  }
  invisible(x)
}
