# Insiders: what somebody can infer who knows one cell, or one row, besides the publication.
#
# Knowing a cell tells about its component of the set only. So one posterior, with one known cell in
# each component, answers for all components at once; a pass is such a posterior, and as many passes
# are needed as the largest component has laws. Rows are known together when no component meets two
# of them.

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
  shared <- tabulate(pair[, 1], ncol(found$laws)) > 1
  moving <- plan$targets[law[plan$targets] > 0]
  given[moving[shared[law[moving]]]] <- 1
  if (all(given[plan$targets] == 1)) {
    return(given)
  }
  if (is.null(plan$row_passes)) {
    return(given * NA)
  }
  given_by_passes(ask, plan, given, published, plan$row_passes)
}

# 1 for the cells that one of the passes gives away, on top of what `given` says.
given_by_passes <- function(ask, plan, given, published, passes) {
  for (known in passes) {
    open <- cells_to_judge(plan, given, known)
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

# Targets not given away yet, in the components of the known cells, but not among them.
cells_to_judge <- function(plan, given, known) {
  open <- plan$targets[given[plan$targets] == 0]
  near <- plan$component[open] %in% plan$component[known]
  setdiff(open[near], known)
}

# `draws`: whether it took draws.
given_by_cell <- function(ask, plan, given, published, found, replicate) {
  law <- abs(found$law)
  shared <- tabulate(law, ncol(found$laws)) > 1
  moving <- plan$targets[law[plan$targets] > 0]
  given[moving[shared[law[moving]]]] <- 1 # another cell changes with it
  if (all(given[plan$targets] == 1)) {
    return(list(given = given, draws = 0))
  }
  first <- match(seq_len(ncol(found$laws)), law)
  passes <- cell_passes(first, plan$component[first])
  if (few_enough(passes, plan)) {
    return(list(given = given_by_passes(ask, plan, given, published, passes), draws = 0))
  }
  drawn <- given_by_draws(ask, plan, given, published, found, first, replicate)
  list(given = drawn, draws = 1)
}

# For one of several simulated publications, or for one of `plan$all` that there are.
few_enough <- function(passes, plan) {
  if (!is.null(plan$all) && length(passes) * plan$all <= 3000) {
    return(TRUE)
  }
  length(passes) * length(plan$component) <= most_passes_cells
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
