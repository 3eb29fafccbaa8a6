# Risk and utility of a redistributed map, as the source measures them.

#' Risk and utility of a redistributed map
#'
#' The measures of Lee, Choi and O'Keefe for one redistribution, or for several of one map. They are
#' averages and **no disclosure measure**; what a reader can work out is the business of [attack()].
#'
#' @details Let `u` be the original count of a cell, `p` its change. For each `u` that occurs:
#'
#' * `R1`: 1 over the sample variance of `p`; `NA` for fewer than two cells, infinite where all
#'   change alike.
#' * `R2`: share of the cells that do not change.
#' * `U1`: mean of `abs(p) / u`, in percent.
#' * `U2`, `U2_sum`: mean and sum of `abs(p)`. For filling, the sum over all cells is twice the
#'   deficit.
#' * `U3`: distance moved, half of it for the origin and half for the destination, by the original
#'   counts of these. The sum over `u` is `mu`.
#'
#' `summary()` has them over all cells. Cells of suppressed outliers are not counted; what was
#' suppressed stands apart, in `suppressed_cells` and `suppressed`.
#'
#' @param x (sdc_hex_redistribution) The result of [redistribute()].
#' @param label (string) How tables and pictures call it; by default its method.
#' @param ... Not used; in `c()` further objects of class `sdc_hex_risk`.
#' @param object (sdc_hex_risk) What `risk_utility()` returned.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param what (string) `"U1"`, `"U2"`, `"U3"`: a risk-utility curve, that measure over `R1`, a
#'   point for each `u`; `"counts"`: `U3` over `u`.
#' @return An object of class `sdc_hex_risk`, confidential. `as.data.frame()`: `label`, `u`, `cells`
#'   and the measures; `summary()`: a data frame with a row for each label; `c()` puts several
#'   together, for one table or picture.
#' @section Errors: `sdc_error_input` for bad arguments, and when ggplot2 is needed and not
#'   installed.
#' @section Guarantee: Exact.
#' @template ref-hexagons
#' @family hex
#' @name sdc_hex_risk
#' @examplesIf requireNamespace("hexbin", quietly = TRUE)
#' x <- hex_table(reiter_data("piecewise", seed = 1), dimVar = c("x1", "residual"))
#' local <- risk_utility(redistribute(x, threshold = 3, method = "local"))
#' global <- risk_utility(redistribute(x, threshold = 3, method = "global"))
#' both <- c(local, global)
#' summary(both)
#' head(as.data.frame(both), 3)
#' @examplesIf rlang::is_installed(c("ggplot2", "hexbin"))
#' plot(both, "U1")
#' plot(both, "counts")
NULL

#' @rdname sdc_hex_risk
#' @export
risk_utility.sdc_hex_redistribution <- function(x, label = x$method, ...) {
  check_no_dots(...)
  check_string(label)
  counted <- is.na(hex_match(x$original, x$suppressed))
  u <- x$original$count[counted]
  p <- hex_after(x)[counted] - u
  steps <- half_steps(x)[counted]
  levels <- sort(unique(u))
  group <- match(u, levels)
  mean_of <- function(v) as.vector(rowsum(v, group)) / cells
  cells <- tabulate(group, length(levels))
  spread <- as.vector(rowsum((p - mean_of(p)[group])^2, group)) / (cells - 1)
  by_count <- data.frame(
    u = levels, cells = cells, R1 = ifelse(cells < 2, NA, 1 / spread),
    R2 = mean_of(as.numeric(p == 0)),
    U1 = mean_of(100 * abs(p) / u), U2 = mean_of(abs(p)), U2_sum = as.vector(rowsum(abs(p), group)),
    U3 = as.vector(rowsum(steps, group))
  )
  overall <- data.frame(
    cells = length(u), R1 = if (length(u) < 2) NA_real_ else 1 / stats::var(p),
    R2 = mean_or_na(p == 0), U1 = mean_or_na(100 * abs(p) / u), U2 = mean_or_na(abs(p)),
    U2_sum = sum(abs(p)), U3 = sum(steps), lost_cells = x$lost_cells,
    suppressed_cells = nrow(x$suppressed), suppressed = sum(x$suppressed$count)
  )
  label_columns <- function(frame) cbind(label = rep(label, nrow(frame)), frame)
  new_hex_risk(label_columns(by_count), label_columns(overall))
}

new_hex_risk <- function(by_count, overall) {
  structure(
    list(by_count = by_count, overall = overall),
    class = sdc_class("sdc_hex_risk", mark = "confidential")
  )
}

# Of each cell of the original, half the distance of all counts that it gives or takes.
half_steps <- function(x) {
  moves <- x$moves
  half <- moves$count * moves$distance / 2
  keys <- hex_keys(x$original$q, x$original$r)
  at <- match(hex_keys(c(moves$from_q, moves$to_q), c(moves$from_r, moves$to_r)), keys)
  sums <- rowsum(c(half, half), at)
  out <- numeric(length(keys))
  out[as.integer(rownames(sums))] <- sums
  out
}

#' @rdname sdc_hex_risk
#' @export
format.sdc_hex_risk <- function(x, ...) {
  o <- x$overall
  c(
    "CONFIDENTIAL: computed from the original map",
    paste0(o$label, ": mu ", format_count(o$U3), ", ", percent(o$R2),
           " of cells unchanged, mean change ", format(o$U2, digits = 3),
           ", lost cells ", format_count(o$lost_cells))
  )
}

#' @rdname sdc_hex_risk
#' @export
summary.sdc_hex_risk <- function(object, ...) {
  check_no_dots(...)
  object$overall
}

#' @rdname sdc_hex_risk
#' @export
as.data.frame.sdc_hex_risk <- function(x, row.names = NULL, optional = FALSE, ...,
                                       stringsAsFactors = FALSE) {
  check_no_dots(...)
  x$by_count
}

#' @rdname sdc_hex_risk
#' @export
c.sdc_hex_risk <- function(...) {
  all <- list(...)
  for (i in seq_along(all)) {
    check_class(all[[i]], "sdc_hex_risk", paste0("..", i), make = "risk_utility")
  }
  labels <- unlist(lapply(all, function(one) one$overall$label))
  if (anyDuplicated(labels)) {
    abort_sdc("input", c(
      "Results that are put together must have different labels.",
      x = "{.val {labels[duplicated(labels)][1]}} is there twice.",
      i = "Give {.fn risk_utility} a {.arg label}."
    ))
  }
  bind <- function(part) do.call(rbind, lapply(all, `[[`, part))
  new_hex_risk(bind("by_count"), bind("overall"))
}
