#' Attack a published map of hexagons
#'
#' Lists **all** original maps that lead to a published one, for maps of up to 7 data cells, and
#' computes how probable it is that each cell was sensitive. The reader knows the method and the
#' threshold, and that these hexagons, and no others, have data.
#'
#' @details Originals are equally probable beforehand, or as `weights` says. A cell that shows more
#' than the threshold was not sensitive; a cell at exactly the threshold may have been anything.
#' With outliers suppressed or redistributed, originals that have an outlier are left out: its cells
#' would not be shown, so that the reader does not look for them. Where `weights` is `NULL`, the
#' published map itself is always among the originals (unless it has no data), so that no
#' probability is 1.
#'
#' @param x (sdc_hex_publication) The published map, filled by any method. A map in which cells may
#'   have been emptied is refused: its originals may have data where it shows none.
#' @param weights (function or `NULL`) Of a numeric vector of counts: the prior weight of each; the
#'   weight of an original is the product over its cells. `NULL`: all originals weigh the same.
#' @param max_originals (whole number from 1 to 1e8) How many candidates to try at most.
#' @param ... Not used.
#' @return An object of class `sdc_hex_attack`: a list with `n_originals`, `originals` (matrix, a
#'   row for each, a column for each cell), `probability` (of each original) and `cells`, a data
#'   frame with `q`, `r`, `published`, `sensitive` (probability of having been so), `certain` (is
#'   the original count certain?), `lower`, `upper` and `mean` of the original count.
#'   `as.data.frame()` gives `cells`.
#' @section Errors:
#' `sdc_error_too_large` for more than 7 data cells or more than `max_originals` candidates;
#' `sdc_error_input` for bad arguments and maps with emptying; `sdc_error_infeasible` when `weights`
#' excludes all originals.
#' @section Guarantee: Exact, by enumeration: every candidate goes through the method again.
#' @section Complexity: Exponential in the number of cells at the threshold.
#' @family hex
#' @family attack
#' @export
#' @examples
#' x <- hex_table(data.frame(q = 0:4, r = 0, n = c(7, 1, 2, 4, 6)), c("q", "r"), freqVar = "n")
#' pub <- publish(redistribute(x, threshold = 3, outliers = "keep"))
#' as.data.frame(pub)
#' attack(pub)
attack.sdc_hex_publication <- function(x, weights = NULL, max_originals = 1e6, ...) {
  check_no_dots(...)
  check_whole(max_originals, min = 1, max = 1e8)
  if (!is.null(weights) && !is.function(weights)) {
    abort_sdc("input", c(
      "{.arg weights} must be a function of counts, or NULL.",
      x = "{.arg weights} is {.obj_type_friendly {weights}}."
    ))
  }
  check_can_attack(x)
  found <- with_core(cpp_hex_originals(
    hex_cells(x), x$threshold, x$method, if (is.null(x$order)) "smallest" else x$order,
    x$outliers != "keep", max_originals
  ))
  originals <- t(found)
  probability <- original_probabilities(originals, weights)
  structure(
    list(
      n_originals = nrow(originals), originals = originals, probability = probability,
      cells = attacked_cells(x, originals, probability), threshold = x$threshold
    ),
    class = sdc_class("sdc_hex_attack")
  )
}

check_can_attack <- function(x) {
  if (x$empty) {
    abort_sdc("input", c(
      "The map must be filled.", x = "Cells of this one may have been emptied.",
      i = "Its originals may have data in any hexagon, so that they cannot be listed."
    ))
  }
  if (length(x$q) > 7) {
    abort_sdc("too_large", c(
      "The map must have at most 7 data cells.", x = "It has {length(x$q)}."
    ))
  }
}

returned_fault <- function(value, n) {
  if (!is.numeric(value)) {
    return(cli::format_inline("It returned {.obj_type_friendly {value}}."))
  }
  if (length(value) != n) {
    return(paste0("It returned ", plural(length(value), "number"), " for ", plural(n, "count"),
                  "."))
  }
  paste0("It returned ", show_value(value[!is.finite(value) | value < 0][1]), ".")
}

original_probabilities <- function(originals, weights) {
  n <- nrow(originals)
  if (is.null(weights)) {
    return(rep(1 / n, n))
  }
  prior <- weights(as.vector(originals))
  ok <- is.numeric(prior) && length(prior) == length(originals) &&
    all(is.finite(prior) & prior >= 0)
  if (!ok) {
    abort_sdc("input", c(
      "{.arg weights} must return one finite number of at least 0 for each count.",
      x = "{returned_fault(prior, length(originals))}"
    ))
  }
  log_weight <- rowSums(matrix(log(prior), n))
  if (n > 0 && all(log_weight == -Inf)) {
    abort_sdc("infeasible", c(
      "{.arg weights} must leave at least one original.", x = "It leaves none."
    ))
  }
  weight <- exp(log_weight - max(log_weight))
  weight / sum(weight)
}

attacked_cells <- function(x, originals, probability) {
  possible <- originals[probability > 0, , drop = FALSE]
  extreme <- function(f) vapply(seq_along(x$q), function(i) f(possible[, i]), 0)
  lower <- extreme(min)
  upper <- extreme(max)
  data.frame(
    q = x$q, r = x$r, published = x$count,
    sensitive = as.vector(probability %*% (originals < x$threshold)), certain = lower == upper,
    lower = lower, upper = upper, mean = as.vector(probability %*% originals)
  )
}

#' @export
format.sdc_hex_attack <- function(x, ...) {
  c(
    paste0(plural(x$n_originals, "possible original"), " of ", plural(nrow(x$cells), "data cell")),
    if (nrow(x$cells) > 0) paste0(
      "probability of having been sensitive (below ", format_count(x$threshold), "): at most ",
      format(max(x$cells$sensitive), digits = 3)
    ),
    paste0("cells with a certain original count: ", sum(x$cells$certain))
  )
}

#' @export
print.sdc_hex_attack <- function(x, ...) {
  NextMethod()
  if (nrow(x$cells) > 0) print_frame(x$cells, digits = 3)
  invisible(x)
}

#' @export
summary.sdc_hex_attack <- function(object, ...) {
  check_no_dots(...)
  object$cells
}
