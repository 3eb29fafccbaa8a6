# Posteriors by simulation, and draws from those that are exact.

n_batches <- 20

simulate_posterior <- function(ask, max_tables, draws, seed, progress) {
  each <- ceiling(draws / n_batches)
  several <- length(ask$mechanisms) > 1
  simulate <- function(tick) {
    if (several) {
      return(cpp_weighted_posterior(
        ask$mechanisms, ask$published, ask$factors, max_tables, n_batches, each, tick
      ))
    }
    cpp_reverse_posterior(
      ask$mechanisms[[1]], ask$published[[1]], ask$factors, n_batches, each, tick
    )
  }
  found <- with_seed_kept(seed, with_core(
    with_progress(if (several) "Weighing draws" else "Running in reverse", simulate,
                  show = progress),
    hints = lost_hints(ask$mechanisms)
  ))$value
  found$max_error <- max(0, found$errors)
  warn_uneven(found$evidence_error)
  found
}

# With a relative error e of the evidence about n / (1 + n e^2) of n batches carry the answer: where
# these are few, the batches' spread says little.
warn_uneven <- function(error) {
  if (error <= .3) {
    return(invisible())
  }
  warn_sdc("uneven", c(
    "Few of the {n_batches} batches of draws carry the answer.",
    x = "The relative standard error of the evidence is {format(error, digits = 2)}: the other
         errors told are too small.",
    i = "Use more {.arg draws}."
  ))
}

# A table that may be the original, with the trees and crossings of the published one.
original_table <- function(x, counts) {
  set_layout(table_from_dense(counts, shown_labels(x)), x$publication$table$layout)
}

#' @rdname posterior-methods
#' @importFrom stats simulate
#' @export
simulate.sdc_posterior <- function(object, nsim = 1, seed = NULL, ...) {
  check_no_dots(...)
  check_whole(nsim, min = 1, max = 1e6)
  drawn <- with_seed_kept(seed, draw_changes(object, nsim))
  published <- shown_counts(object)
  out <- lapply(seq_len(nsim), function(i) {
    original_table(object, published - drawn$value[, i])
  })
  structure(out, seed = drawn$seed)
}

# Draws of published - original: a row for each cell, a column for each draw.
draw_changes <- function(x, n) {
  ask <- posterior_question(x)
  laws <- with_core(
    if (x$method == "montecarlo") {
      draw_simulated(ask, n, max(n, ceiling(x$draws / n_batches)), x$max_tables)
    } else {
      cpp_sample_posterior(
        ask$mechanisms, ask$published, ask$factors, x$method == "enumeration", x$max_tables, n
      )
    }
  )
  at <- cell_laws(x)
  fixed <- is.na(at$law)
  at$law[fixed] <- 1L
  out <- if (nrow(laws) > 0) at$sign * laws[at$law, , drop = FALSE] else matrix(0, length(at$law),
                                                                                n)
  out[fixed, ] <- 0
  out
}

# Draws in proportion to the weights of one batch of runs.
draw_simulated <- function(ask, n, runs, max_tables) {
  if (length(ask$mechanisms) > 1) {
    return(cpp_weighted_draws(ask$mechanisms, ask$published, ask$factors, max_tables, n, runs))
  }
  cpp_reverse_draws(ask$mechanisms[[1]], ask$published[[1]], ask$factors, n, runs)
}
