# What an intruder can tell of the cells, over all publications of a design or a sample of them.

intruder_names <- c("guess", "certain", "insider_cell", "insider_row")

intruder_shares <- c(
  "guess", "guess_small", "certain", "certain_small", "insider_cell", "insider_row"
)

# All publications, each component's with their probabilities, where these are few; simulated ones
# elsewhere. Every one gets its exact posterior.
intruder_stage <- function(ask, tick) {
  plan <- if (ask$insider && any(ask$small)) plan_insiders(ask)
  all <- if (is.null(ask$replicates)) all_publications(ask, plan, tick)
  all %||% some_publications(ask, plan, tick)
}

# What the intruder infers of a component depends on what is published of it, and on nothing else.
# So table t of every component together make one publication, and each cell is given the weight
# that its component's table has. NULL where simulation does better.
all_publications <- function(ask, plan, tick) {
  n <- length(ask$counts)
  tables <- cpp_component_tables(ask$counts, ask$mechanism, max(8, min(1000, 5e4 / n)), 1e7)
  if (is.null(tables)) {
    return(NULL)
  }
  k <- ncol(tables$change)
  plan$all <- k
  shared <- list(ask = ask, plan = plan, tables = tables,
                 component = cpp_cell_components(ask$mechanism$cycles))
  sums <- NULL
  spent <- 0
  began <- work_seconds()
  late <- FALSE
  work_apply(seq_len(k), judge_listed, shared, tick = tick, done = function(found, t) {
    sums <<- add_cells(sums, found$cells)
    spent <<- spent + found$seconds
    late <<- max(spent, work_seconds() - began) / t * k > ask$until
  })
  if (late) {
    return(NULL)
  }
  found <- list(cells = sums[intruder_names], n = k, all = TRUE, draws = sums$draws > 0)
  found$figures <- cbind(intruder_row(ask, sums))
  found$note <- unseen_words(ask, found$figures[, 1])
  found
}

# Publication t of all, with its weight.
judge_listed <- function(t, ready, tick) {
  began <- work_seconds()
  tables <- ready$tables
  weight <- c(t == 1, tables$weight[, t])[ready$component + 1]
  cells <- judge_publication(ready$ask, ready$plan, ready$ask$counts + tables$change[, t], t - 1)
  cells[intruder_names] <- lapply(cells[intruder_names], `*`, weight)
  list(cells = cells, seconds = work_seconds() - began)
}

judge_simulated <- function(r, ready, tick) {
  began <- work_seconds()
  ask <- ready$ask
  published <- cpp_simulate_publication(ask$counts, ask$mechanism, ask$seed, r - 1)
  cells <- judge_publication(ask, ready$plan, published, r - 1)
  list(cells = cells, seconds = work_seconds() - began)
}

# How many there are to be depends on what the first ones show, in their order. The time that each
# took is counted where it was judged, and so is that of this process as a whole: many that are
# shorter than a step of the clock add up there.
some_publications <- function(ask, plan, tick) {
  least <- if (length(ask$counts) < 1000) 8 else 4
  late <- FALSE
  sums <- NULL
  shares <- list()
  spent <- 0
  began <- work_seconds()
  judged <- seq_len(ask$replicates %||% 1000)
  work_apply(judged, judge_simulated, list(ask = ask, plan = plan), tick = tick,
             done = function(found, r) {
    sums <<- add_cells(sums, found$cells)
    shares[[r]] <<- intruder_row(ask, found$cells)
    spent <<- spent + found$seconds
    if (!is.null(ask$replicates) || r < 2) {
      return(FALSE)
    }
    late <<- max(spent, work_seconds() - began) > ask$until
    late || ((r >= least && r %% max(1, r %/% 20) == 0) && is_near(shares, ask$target))
  })
  n <- length(shares)
  list(
    cells = lapply(sums[intruder_names], `/`, n), figures = do.call(cbind, shares), n = n,
    all = FALSE, draws = sums$draws > 0,
    note = c(
      unseen_words(ask, shares[[1]]),
      if (late) "stopped by the time limit before the target was reached"
    )
  )
}

is_near <- function(shares, target) {
  max(0, std_errors(do.call(cbind, shares)), na.rm = TRUE) <= target
}

add_cells <- function(a, b) if (is.null(a)) b else Map(`+`, a, b)

unseen_words <- function(ask, figures) {
  if (!ask$insider || !any(ask$small)) {
    return(NULL)
  }
  c(
    if (is.na(figures[["insider_cell"]])) "insider_cell left out: too large for draws",
    if (is.na(figures[["insider_row"]])) "insider_row left out: it needs too many posteriors"
  )
}

intruder_row <- function(ask, cells) {
  small <- function(name) mean_or_na(cells[[name]][ask$small])
  c(
    guess = mean(cells$guess), guess_small = small("guess"),
    certain = mean(cells$certain), certain_small = small("certain"),
    insider_cell = small("insider_cell"), insider_row = small("insider_row")
  )
}

# The figures of each cell, and whether draws were needed.
judge_publication <- function(ask, plan, published, replicate) {
  found <- infer_design(ask, published)
  out <- judge_guess(found, published - ask$counts)
  given <- rep(NA_real_, length(published))
  out$insider_cell <- given
  out$insider_row <- given
  out$draws <- 0
  if (!is.null(plan$targets)) {
    known <- plan$targets[out$p_true[plan$targets] >= ask$level]
    given[plan$targets] <- 0
    given[known] <- 1
    by_cell <- given_by_cell(ask, plan, given, published, found, replicate)
    out$insider_cell <- by_cell$given
    out$draws <- by_cell$draws
    out$insider_row <- given_by_row(ask, plan, given, published, found)
  }
  out[c(intruder_names, "draws")]
}

# Posterior probability of the truth of each cell, whether the best guess is right (ties split), and
# whether the cell is known. `change` is published - original.
judge_guess <- function(found, change) {
  moving <- found$law != 0
  law <- abs(found$law[moving])
  p <- true_probability(found, change)
  out <- list(p_true = p, guess = rep(1, length(change)), certain = rep(1, length(change)))
  if (!any(moving)) {
    return(out)
  }
  top <- largest(found$laws) * (1 - 1e-9)
  ties <- law_rows(1 * (found$laws >= rep(top, each = nrow(found$laws))), `+`)
  out$guess[moving] <- (p[moving] >= top[law]) / ties[law]
  out$certain[moving] <- as.numeric(top[law] > 1 - 1e-8)
  out
}

no_intruder_cells <- function(ask) {
  missing <- rep(NA_real_, length(ask$counts))
  stats::setNames(rep(list(missing), 4), intruder_names)
}
