# Many designs side by side: the risk-utility map.

#' Compare designs by risk and utility
#'
#' Runs [risk_utility()] for every combination of sets of cycles, probabilities, covers and zero
#' rules on one table, and marks the designs that no other one beats. `autoplot()` draws the
#' risk-utility map.
#'
#' @details
#' All designs see the same random numbers (the same `seed`), which makes their differences more
#' precise than each figure alone. A design is on the **frontier** when no other has at most its
#' risk and at most its loss, and less of one of them. Estimates are compared as they are: two
#' designs within a few standard errors of each other are equal for all purposes.
#'
#' Choose the axes by what matters: `risk` any share that [risk_utility()] lists as risk, except
#' `positive_false` (of which more is better), `loss` any of its utility figures (the size of a
#' bias). A design that cannot be made or judged keeps its row, with `NA` and the `reason`.
#'
#' **Confidential**, as all figures come from the table. To show a map outside, make it on a
#' [synthetic_table()] with the published margins. The choice of a design by the confidential table
#' is itself seen by the public; it is one of few, and no posterior that the public can compute
#' accounts for it. Choosing on a synthetic table avoids that.
#'
#' @inheritParams risk_utility
#' @param sets (sdc_cycles, or a named list of such) The sets of cycles to compare, all for `x`.
#' @param alpha (numbers from 0 to 1) Probabilities of adding a cycle.
#' @param beta (numbers from 0 to 1, or NULL) Probabilities of taking a cycle away, each combined
#'   with each `alpha`. `NULL`: the same as `alpha`.
#' @param covers (whole numbers of at least 1) Numbers of covers.
#' @param zero_rule (strings) `"blocked"`, `"nonnegative"` or both.
#' @param risk,loss (string) The figures that are the axes of the map.
#' @param ... Further arguments of [risk_utility()], the same for all designs: `prior`, `small`,
#'   `target`, `replicates`, `insider`, `level`, `max_tables`, `time_limit_s`.
#' @return An object of class `sdc_tuning`; see [sdc_tuning-methods]. Its element `mechanisms` holds
#'   the mechanism of each design, by its name.
#' @section Errors:
#' `sdc_error_input` for a grid with other values, for sets without names or for other tables than
#' `x`, and for figures that are not known; `sdc_error_too_large` above 1000 designs.
#' @section Guarantee:
#' That of [risk_utility()] for each design. The cost is the sum of theirs.
#' @template ref-lenz
#' @family risk
#' @export
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' sets <- list(bands = cycles_banded(x, seed = 11), rings = cycles_bidiagonal(x))
#' tu <- tune(x, sets, alpha = c(.1, .25), covers = 2, replicates = 20)
#' tu
#' as.data.frame(tu)[c("design", "guess_small", "abs_change", "frontier")]
tune <- function(x, sets, alpha = .25, beta = NULL, covers = 1, zero_rule = "blocked",
                 risk = "guess_small", loss = "abs_change", seed = 1, ...,
                 progress = rlang::is_interactive()) {
  x <- one_level_argument(x)
  sets <- check_sets(sets, x)
  check_grid(alpha, "alpha", 0, 1)
  if (!is.null(beta)) check_grid(beta, "beta", 0, 1)
  check_grid(covers, "covers", 1, 1e6, whole = TRUE)
  check_rules(zero_rule)
  check_axes(risk, loss)
  check_further(...)
  check_flag(progress)
  grid <- design_grid(names(sets), alpha, beta, covers, zero_rule)
  if (nrow(grid) > 1000) {
    abort_sdc("too_large", c(
      "At most 1,000 designs are compared at once.",
      x = "The grid has {nrow(grid)}.",
      i = "Compare few values first, then more near the best."
    ))
  }
  judged <- with_progress("Judging designs", show = progress, function(tick) {
    shared <- list(x = x, sets = sets, grid = grid, seed = seed, more = list(...))
    work_apply(seq_len(nrow(grid)), judge_design_row, shared, tick = tick)
  })
  new_sdc_tuning(grid, judged, risk, loss)
}

design_grid <- function(sets, alpha, beta, covers, zero_rule) {
  at <- expand.grid(
    beta = if (is.null(beta)) NA_real_ else unique(beta), alpha = unique(alpha),
    covers = unique(covers), zero_rule = unique(zero_rule), set = sets,
    KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE
  )
  at$beta <- ifelse(is.na(at$beta), at$alpha, at$beta)
  words <- list(
    at$set, paste("alpha", format(at$alpha, digits = 3, trim = TRUE)),
    if (!is.null(beta)) paste("beta", format(at$beta, digits = 3, trim = TRUE)),
    paste(at$covers, ifelse(at$covers == 1, "cover", "covers")), at$zero_rule
  )
  varies <- vapply(words, function(w) length(unique(w)) > 1, NA)
  varies[[1]] <- TRUE
  list2data_frame(
    list(
      design = do.call(paste, c(words[varies], sep = ", ")), set = at$set, alpha = at$alpha,
      beta = at$beta, covers = at$covers, zero_rule = at$zero_rule
    ),
    nrow(at)
  )
}

check_sets <- function(sets, x) {
  check_given(sets, "sets")
  if (inherits(sets, "sdc_cycles")) {
    sets <- rlang::set_names(list(sets), sets$rule)
  }
  ok <- is.list(sets) && !is.object(sets) && length(sets) > 0 &&
    all(vapply(sets, inherits, NA, "sdc_cycles"))
  if (!ok) {
    more <- if (is.list(sets)) " with something else in it"
    abort_sdc("input", c(
      "{.arg sets} must be a set of cycles, or a named list of sets of cycles.",
      x = if (identical(sets, list())) {
        "{.arg sets} is empty."
      } else {
        "{.arg sets} is {.obj_type_friendly {sets}}{more}."
      },
      i = "Make one with {.fn cycles_banded}."
    ))
  }
  if (is.null(names(sets)) || !all(nzchar(names(sets))) || anyDuplicated(names(sets))) {
    abort_sdc("input", c(
      "Every element of {.arg sets} must have a unique name.",
      x = "{names_fault(sets)}"
    ))
  }
  for (set in sets) check_fits_cycles(x, set)
  sets
}

check_grid <- function(values, arg, min, max, whole = FALSE) {
  good <- if (is.numeric(values)) {
    values >= min & values <= max & (!whole | values == floor(values))
  }
  if (length(good) > 0 && isTRUE(all(good))) {
    return(invisible(values))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be {if (whole) 'whole ' else ''}numbers{format_range(min, max)}.",
    x = if (is.numeric(values) && length(values) > 1) "{describe_first(values, good, arg)}" else
      "{describe(values, arg)}"
  ))
}

check_rules <- function(zero_rule) {
  strings <- is.character(zero_rule) && length(zero_rule) > 0
  if (!strings || !all(zero_rule %in% c("blocked", "nonnegative"))) {
    abort_sdc("input", c(
      "{.arg zero_rule} must hold {.val blocked}, {.val nonnegative} or both.",
      x = if (strings) "{.arg zero_rule} is {.val {zero_rule}}." else "{describe(zero_rule)}"
    ))
  }
}

# A published positive count is no figure to choose by: under "blocked" it is 0.
check_axes <- function(risk, loss) {
  risks <- names(figure_kinds)[figure_kinds == "risk"]
  check_choice(risk, setdiff(risks, "positive_false"))
  check_choice(loss, names(figure_kinds)[figure_kinds == "utility"])
}

check_further <- function(...) {
  known <- c(
    "prior", "small", "target", "replicates", "insider", "level", "max_tables", "time_limit_s"
  )
  given <- names(list(...)) %||% rep("", ...length())
  strange <- given[!given %in% known]
  if (length(strange) > 0) {
    abort_sdc("input", c(
      "{.arg ...} must hold arguments of {.fn risk_utility}: {.arg {known}}.",
      x = if (nzchar(strange[[1]])) "There is {.arg {strange[[1]]}}." else
        "There is an argument without a name."
    ))
  }
}

# What is wrong with one design is its reason; what is wrong with all of them is an error.
judge_design_row <- function(i, ready, tick) {
  row <- ready$grid[i, ]
  made <- NULL
  failed <- function(cnd) {
    reason <- cli::ansi_strip(sub("\n.*", "", conditionMessage(cnd)))
    list(publications = 0L, reason = reason, mechanism = made)
  }
  made <- tryCatch(
    mechanism(ready$sets[[row$set]], row$alpha, row$beta, row$covers, zero_rule = row$zero_rule),
    sdc_error = failed
  )
  if (!inherits(made, "sdc_mechanism")) {
    return(made)
  }
  shared <- list(ready$x, made, seed = ready$seed, progress = FALSE)
  found <- tryCatch(
    do.call(risk_utility, c(shared, ready$more)),
    sdc_error_too_large = failed, sdc_error_infeasible = failed, sdc_error_refused = failed
  )
  if (!inherits(found, "sdc_risk")) {
    return(found)
  }
  list(
    overall = found$overall, publications = found$publications[["intruder"]],
    reason = paste(found$notes, collapse = "; "), mechanism = made
  )
}

new_sdc_tuning <- function(grid, judged, risk, loss) {
  figures <- names(figure_kinds)
  of_figure <- function(column) {
    wide <- vapply(judged, function(j) {
      j$overall[[column]] %||% rep(NA_real_, length(figures))
    }, numeric(length(figures)))
    rlang::set_names(as.data.frame(t(wide)), figures)
  }
  designs <- cbind(grid, of_figure("estimate"))
  errors <- of_figure("std_error")
  designs$risk_std_error <- errors[[risk]]
  designs$loss_std_error <- errors[[loss]]
  designs$publications <- vapply(judged, `[[`, 0L, "publications")
  designs$frontier <- on_frontier(designs[[risk]], abs(designs[[loss]]))
  designs$reason <- vapply(judged, `[[`, "", "reason")
  mechanisms <- rlang::set_names(lapply(judged, `[[`, "mechanism"), grid$design)
  structure(
    list(designs = designs, mechanisms = mechanisms, risk = risk, loss = loss),
    class = sdc_class("sdc_tuning", mark = "confidential")
  )
}

# Sorted by risk, then loss: a point is beaten when an earlier one has less loss, or the same loss
# with less risk. NA where a figure is missing.
on_frontier <- function(risk, loss) {
  out <- rep(NA, length(risk))
  by <- order(risk, loss)
  by <- by[!is.na(risk[by]) & !is.na(loss[by])]
  if (length(by) == 0) {
    return(out)
  }
  r <- risk[by]
  l <- loss[by]
  best <- cummin(c(Inf, l))[seq_along(l)]
  same <- c(FALSE, r[-1] == r[-length(r)] & l[-1] == l[-length(l)])
  out[by] <- l < best
  for (k in which(same)) out[by[k]] <- out[by[k - 1]]
  out
}

#' Look at compared designs
#'
#' @param x,object (sdc_tuning) What [tune()] returned.
#' @param risk,loss (string, or NULL) Other figures for the axes of the map; `NULL` keeps those of
#'   [tune()].
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param ... Not used.
#' @return `as.data.frame()`: one row for each design: `design` (its name), `set`, `alpha`, `beta`,
#'   `covers`, `zero_rule`, all figures of [risk_utility()], `risk_std_error` and `loss_std_error`
#'   of the two axes, `publications` (judged for the intruder), `frontier` (flag, `NA` where an axis
#'   is missing) and `reason` (why figures are missing, or empty). `summary()`: a data frame of the
#'   two axes, by risk. `autoplot()`: a ggplot object, the risk-utility map: risk up, loss to the
#'   right, the frontier joined, two standard errors each way.
#' @section Errors:
#' `sdc_error_input` when ggplot2 is needed and not installed, and for arguments or figures that are
#' not known.
#' @family risk
#' @name sdc_tuning-methods
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' tu <- tune(x, cycles_banded(x, seed = 11), alpha = c(.1, .25), replicates = 20)
#' as.data.frame(tu)$frontier
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' plot(tu)
NULL

#' @rdname sdc_tuning-methods
#' @export
format.sdc_tuning <- function(x, ...) {
  d <- x$designs
  best <- d[which(d$frontier), ]
  best <- best[order(best[[x$risk]]), ]
  shown <- utils::head(best, 5)
  missing <- sum(is.na(d$frontier))
  c(
    paste0(
      plural(nrow(d), "design"), ", ", nrow(best), " on the frontier of ", x$risk, " and ",
      x$loss,
      if (missing) paste0(", ", missing, " without these figures")
    ),
    sprintf(
      "%s: %s %.3f, %s %.3f", shown$design, rep(x$risk, nrow(shown)), shown[[x$risk]],
      rep(x$loss, nrow(shown)), shown[[x$loss]]
    ),
    if (nrow(best) > 5) paste("and", format_count(nrow(best) - 5), "more on the frontier")
  )
}

#' @rdname sdc_tuning-methods
#' @export
summary.sdc_tuning <- function(object, ...) {
  check_no_dots(...)
  columns <- c("design", object$risk, "risk_std_error", object$loss, "loss_std_error", "frontier")
  object$designs[order(object$designs[[object$risk]]), columns]
}

#' @rdname sdc_tuning-methods
#' @export
as.data.frame.sdc_tuning <- function(x, row.names = NULL, optional = FALSE, ...,
                                     stringsAsFactors = FALSE) {
  check_no_dots(...)
  x$designs
}

#' @rdname sdc_tuning-methods
#' @usage \method{autoplot}{sdc_tuning}(object, risk = NULL, loss = NULL, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_tuning <- function(object, risk = NULL, loss = NULL, ...) {
  check_no_dots(...)
  check_installed("ggplot2", "for pictures")
  own <- is.null(risk) && is.null(loss)
  risk <- risk %||% object$risk
  loss <- loss %||% object$loss
  check_axes(risk, loss)
  d <- object$designs
  frame <- data.frame(
    design = d$design, risk = d[[risk]], loss = abs(d[[loss]]),
    risk_error = if (own) 2 * d$risk_std_error else NA_real_,
    loss_error = if (own) 2 * d$loss_std_error else NA_real_
  )
  frame$frontier <- on_frontier(frame$risk, frame$loss)
  frame <- frame[!is.na(frame$frontier), ]
  if (nrow(frame) == 0) {
    abort_sdc("input", c(
      "At least one design must have both figures.",
      x = "None has {.val {risk}} and {.val {loss}}."
    ))
  }
  draw_map(frame, risk, loss)
}

# Where there are many designs only those of the frontier have their names beside them.
draw_map <- function(frame, risk, loss) {
  front <- frame[frame$frontier, ]
  front <- front[order(front$loss), ]
  named <- if (nrow(frame) <= 12) frame else front
  ggplot2::ggplot(frame, ggplot2::aes(.data$loss, .data$risk)) +
    ggplot2::geom_step(data = front, colour = "grey60", direction = "hv") +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$risk - .data$risk_error, ymax = .data$risk + .data$risk_error),
      colour = "grey70", na.rm = TRUE
    ) +
    ggplot2::geom_linerange(
      ggplot2::aes(xmin = .data$loss - .data$loss_error, xmax = .data$loss + .data$loss_error),
      colour = "grey70", na.rm = TRUE
    ) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$frontier), size = 2.5) +
    point_names(named, named$design, range(frame$loss)) +
    ggplot2::scale_colour_manual(
      values = c(`TRUE` = "#D55E00", `FALSE` = "#0072B2"),
      labels = c(`TRUE` = "undominated", `FALSE` = "dominated")
    ) +
    ggplot2::labs(
      x = axis_title("Loss", loss, figure_titles), y = axis_title("Risk", risk, figure_titles),
      colour = NULL,
      caption = "Confidential: computed from the original table."
    ) +
    sdc_theme() +
    ggplot2::theme(legend.position = "bottom")
}
