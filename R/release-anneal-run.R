# The chains of annealing: one after the other, or by workers.

# The chains up to the one that gives the answer, and what all share.
run_chains <- function(task, tick) {
  annealer <- make_annealer(task)
  facts <- cpp_annealer_facts(annealer)
  # Without a list the bound may be far above what can be reached.
  scale <- if (is.na(facts$n_admissible)) NA_real_ else facts$limit
  task$temperature <- task$temperature %||% default_temperature(annealer, scale, task)
  levels <- cpp_annealer_levels(annealer, task$problem, task$forbidden, seconds_left(task) / 4)
  chains <- share_chains(task, annealer, tick)
  enough <- vapply(chains, `[[`, NA, "enough")
  answer <- if (any(enough)) which(enough)[1] else which.max(vapply(chains, `[[`, 0, "value"))
  if (any(enough)) chains <- chains[seq_len(answer)]
  c(facts, list(levels = levels, chains = chains, answer = answer, temperature = task$temperature))
}

make_annealer <- function(task) {
  cpp_make_annealer(task$problem, task$parts, task$forced, task$forbidden, task$max_bytes,
                    task$most, seconds_left(task) / 2)
}

seconds_left <- function(task) max(0, task$end - work_seconds())

# Fractions of the bound with which all chains ended at the best release of cps13 and cps14. Without
# a bound, of what a chain reaches that never deletes.
default_temperature <- function(annealer, limit, task) {
  if (is.na(limit)) {
    k <- length(task$problem$variables)
    task$temperature <- c(1e-300, 1e-300)
    task$proposals <- 5 * k * (k - 1) / 2
    limit <- run_chain(annealer, task, 0, 4, NULL)$value
  }
  if (limit > 0) limit * c(.075, .0026) else c(1, 1)
}

# `rounds`: so many chains must share the time that is left, one after the other.
run_chain <- function(annealer, task, chain, rounds, tick) {
  plan <- list(
    seed = task$seed, chain = chain, proposals = task$proposals, hot = task$temperature[1],
    cold = task$temperature[2], seconds = seconds_left(task) / rounds
  )
  c(cpp_anneal(annealer, task$start, plan, tick), chain = chain)
}

# Each worker lists the admissible sub-tables again: that takes less time than a chain, which has
# the same share of the time that is left, whoever runs it. Nothing is drawn from R's generators.
share_chains <- function(task, annealer, tick) {
  if (has_workers()) {
    task$seconds <- seconds_left(task) / ceiling(task$chains / n_workers())
  }
  work_apply(
    seq_len(task$chains), anneal_chain, task, ready_annealer,
    ready = list(task = task, annealer = annealer), tick = tick, keep = TRUE,
    done = function(chain, i) chain$enough || chain$interrupted
  )
}

ready_annealer <- function(task) {
  # the time of another process
  task$end <- work_seconds() + task$seconds
  list(task = task, annealer = make_annealer(task))
}

anneal_chain <- function(chain, ready, tick) {
  task <- ready$task
  rounds <- task$chains - chain + 1
  if (!is.null(task$seconds)) {
    task$end <- work_seconds() + task$seconds
    rounds <- 1
  }
  run_chain(ready$annealer, task, chain, rounds, keeping_tick(tick))
}

# The width anew, from the cells, without what the search kept.
check_annealed <- function(task, sets) {
  width <- with_core(cpp_decomposable_width(task$problem, sets))
  stopifnot(
    "the result of the search is safe" = isTRUE(width >= task$problem$risk$beta),
    "the result has what is forced" = all(released_in(task$forced, sets)),
    "the result lacks what is forbidden" = !any(released_in(task$forbidden, sets))
  )
  c(inner = width, outer = width)
}

# Which sub-tables lie inside one of the cliques?
released_in <- function(sets, cliques) {
  vapply(sets, function(set) {
    any(vapply(cliques, function(clique) all(set %in% clique), NA))
  }, NA)
}

# A row for each dimension; NULL when there was no time to count. No sub-table with a variable that
# is left out may be released.
admissible_frame <- function(levels, problem) {
  if (is.null(levels)) {
    return(NULL)
  }
  total <- all_sets(problem)[-1]
  k <- length(total)
  zeros <- numeric(k - length(levels$least))
  data.frame(dimension = seq_len(k), total = total,
             least = c(levels$least, zeros), most = c(levels$most, zeros))
}

chain_logs <- function(chains) {
  logs <- lapply(chains, function(chain) cbind(chain = chain$chain, chain$log))
  do.call(rbind, logs)
}

chain_frame <- function(chains) {
  of <- function(name) vapply(chains, `[[`, 0, name)
  data.frame(
    chain = of("chain"), value = of("value"), proposals = of("proposals"), judged = of("judged"),
    accepted = of("accepted"), time_s = of("time_s")
  )
}

was_cut <- function(chains) any(vapply(chains, function(x) x$out_of_time || x$interrupted, NA))

warn_interrupted <- function(chains) {
  if (any(vapply(chains, `[[`, NA, "interrupted"))) {
    warn_sdc("stopped", c(
      "The search was stopped by an interrupt.",
      i = "This is the best release so far. It is safe; a better one may exist."
    ))
  }
}
