# What an intruder can tell of the cells, over all publications of a design or a sample of them,
# and what an insider can who knows one cell, or one row, besides.
#
# Knowing a cell tells about its component of the set only. So one posterior, with one known cell in
# each component, answers for all components at once; a pass is such a posterior, and as many passes
# are needed as the largest component has laws. Rows are known together when no component meets two
# of them.

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
  late <- FALSE
  sums <- judge_publications(shared, k, tick, function(cells, t, spent) {
    late <<- spent / t * k > ask$until
  })
  if (late) {
    return(NULL)
  }
  figures <- cbind(intruder_row(ask, sums))
  list(cells = sums[intruder_names], n = k, all = TRUE, draws = sums$draws > 0, figures = figures,
       note = unseen_words(ask, figures[, 1]))
}

# How many there are to be depends on what the first ones show, in their order.
some_publications <- function(ask, plan, tick) {
  least <- if (length(ask$counts) < 1000) 8 else 4
  late <- FALSE
  shares <- list()
  shared <- list(ask = ask, plan = plan)
  sums <- judge_publications(shared, ask$replicates %||% 1000, tick, function(cells, r, spent) {
    shares[[r]] <<- intruder_row(ask, cells)
    if (!is.null(ask$replicates) || r < 2) {
      return(FALSE)
    }
    late <<- spent > ask$until
    late || (r >= least && r %% max(1, r %/% 20) == 0 &&
               max(0, std_errors(do.call(cbind, shares)), na.rm = TRUE) <= ask$target)
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

# Sums over the publications, until `done(cells, number, seconds)` says so. The time that each took
# is counted where it was judged, and so is that of this process as a whole: many that are shorter
# than a step of the clock add up there.
judge_publications <- function(shared, n, tick, done) {
  sums <- NULL
  spent <- 0
  began <- work_seconds()
  work_apply(seq_len(n), judge_one_of, shared, tick = tick, done = function(found, t) {
    sums <<- if (is.null(sums)) found$cells else Map(`+`, sums, found$cells)
    spent <<- spent + found$seconds
    done(found$cells, t, max(spent, work_seconds() - began))
  })
  sums
}

# Publication t: of all, with its weight, or simulated.
judge_one_of <- function(t, ready, tick) {
  began <- work_seconds()
  ask <- ready$ask
  tables <- ready$tables
  published <- if (is.null(tables)) {
    cpp_simulate_publication(ask$counts, ask$mechanism, ask$seed, t - 1)
  } else {
    ask$counts + tables$change[, t]
  }
  cells <- judge_publication(ask, ready$plan, published, t - 1)
  if (!is.null(tables)) {
    weight <- c(t == 1, tables$weight[, t])[ready$component + 1]
    cells[intruder_names] <- lapply(cells[intruder_names], `*`, weight)
  }
  list(cells = cells, seconds = work_seconds() - began)
}

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
  out[c("insider_cell", "insider_row")] <- list(given)
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

infer_design <- function(ask, published, more = list()) {
  infer_posterior(design_question(ask, published, more), "auto", ask$max_tables, FALSE)
}

true_probability <- function(found, change, cells = seq_along(change)) {
  signed <- found$law[cells]
  out <- rep(1, length(cells))
  moving <- signed != 0
  row <- found$reach + 1 + (sign(signed) * change[cells])[moving]
  out[moving] <- found$laws[cbind(row, abs(signed[moving]))]
  out
}

# What an intruder asks of one publication by the design.
design_question <- function(ask, published, more = list()) {
  known <- pattern_factors(ask$mechanism, published)
  list(mechanisms = list(ask$mechanism), published = list(published),
       factors = c(ask$factors, known, more))
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

most_passes_cells <- 1e4 # passes x cells: what is done exactly for each publication

most_row_work <- 5e5

most_draws <- 2000

# What stays the same from publication to publication.
plan_insiders <- function(ask) {
  component <- cpp_cell_components(ask$mechanism$cycles)
  dim <- dim(ask$mechanism$cycles)
  most <- max(8, floor(most_row_work / length(ask$counts)))
  list(
    component = component, targets = which(ask$small),
    row = rep_len(seq_len(dim[[1]]), length(component)),
    row_passes = row_passes(component, dim, most)
  )
}

# A list of sets of cells: rows that meet different components. NULL above `most`.
row_passes <- function(component, dim, most = Inf) {
  row <- rep_len(seq_len(dim[[1]]), length(component))
  meets <- lapply(split(component, row), function(m) unique(m[m > 0]))
  pass <- integer(dim[[1]])
  taken <- list()
  for (i in seq_along(meets)) {
    free <- which(vapply(taken, function(t) !any(t[meets[[i]]]), NA))
    pass[[i]] <- if (length(free)) free[[1]] else length(taken) + 1L
    if (pass[[i]] > most) {
      return(NULL)
    }
    if (!length(free)) taken[[pass[[i]]]] <- logical(max(component, 0))
    taken[[pass[[i]]]][meets[[i]]] <- TRUE
  }
  unname(split(seq_along(component), pass[row]))
}

# A cell that changes with a cell of another row needs no posterior.
given_by_row <- function(ask, plan, given, published, found) {
  law <- abs(found$law)
  pair <- unique(cbind(law, plan$row)[law > 0, , drop = FALSE])
  given <- given_together(plan, given, law, tabulate(pair[, 1], ncol(found$laws)) > 1)
  if (all(given[plan$targets] == 1)) {
    return(given)
  }
  if (is.null(plan$row_passes)) {
    return(given * NA)
  }
  given_by_passes(ask, plan, given, published, plan$row_passes)
}

# Moving targets whose law is `shared` with a cell that is known: each tells the other.
given_together <- function(plan, given, law, shared) {
  moving <- plan$targets[law[plan$targets] > 0]
  replace(given, moving[shared[law[moving]]], 1)
}

# 1 for the cells that one of the passes gives away, on top of what `given` says. Targets not given
# away yet are judged, in the components of the known cells, but not among them.
given_by_passes <- function(ask, plan, given, published, passes) {
  for (known in passes) {
    open <- plan$targets[given[plan$targets] == 0]
    open <- setdiff(open[plan$component[open] %in% plan$component[known]], known)
    if (length(open) == 0) next
    value <- rep(NaN, length(published))
    value[known] <- ask$counts[known]
    more <- list(list(kind = "known", value = value, width = 0))
    found <- infer_design(ask, published, more)
    p <- true_probability(found, published - ask$counts, open)
    given[open[p >= ask$level]] <- 1
  }
  given
}

# `draws`: whether it took draws. They take the place of passes where these are too many: for one of
# several simulated publications, or for one of `plan$all` that there are.
given_by_cell <- function(ask, plan, given, published, found, replicate) {
  law <- abs(found$law)
  given <- given_together(plan, given, law, tabulate(law, ncol(found$laws)) > 1)
  if (all(given[plan$targets] == 1)) {
    return(list(given = given, draws = 0))
  }
  first <- match(seq_len(ncol(found$laws)), law)
  passes <- cell_passes(first, plan$component[first])
  few <- length(passes) * length(plan$component) <= most_passes_cells ||
    (!is.null(plan$all) && length(passes) * plan$all <= 3000)
  if (few) {
    return(list(given = given_by_passes(ask, plan, given, published, passes), draws = 0))
  }
  list(given = given_by_draws(ask, plan, given, published, found, first, replicate), draws = 1)
}

# The k-th law of each component in the k-th pass, each by one of its cells.
cell_passes <- function(cell, component) {
  by <- order(component)
  place <- sequence(rle(component[by])$lengths)
  unname(split(cell[by], place))
}

given_by_draws <- function(ask, plan, given, published, found, first, replicate) {
  n <- min(most_draws, floor(2e7 / length(first)))
  open <- plan$targets[given[plan$targets] == 0]
  if (n < 400) {
    return(given * NA)
  }
  question <- design_question(ask, published)
  shifts <- with_seed_kept((ask$seed + replicate) %% .Machine$integer.max, cpp_sample_posterior(
    question$mechanisms, question$published, question$factors, FALSE, ask$max_tables, n
  ))$value
  truth <- as.integer((sign(found$law) * (published - ask$counts))[first])
  law <- abs(found$law)
  target <- seq_along(first) %in% law[open]
  share <- cpp_most_revealing(shifts, truth, plan$component[first], target, ceiling(n / 80))
  given[open[share[law[open]] >= ask$level]] <- 1
  given
}
