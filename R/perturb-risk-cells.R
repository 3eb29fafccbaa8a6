# What a design does to each cell, by running it forward: exactly or simulated.

simulated_figures <- c(
  "unchanged", "unchanged_small", "prevented", "zero_true", "positive_false", "bias_zero",
  "bias_small", "abs_change", "abs_change_small", "relative_change", "chi_square", "log_odds",
  "hellinger"
)

simulated_shares <- c("unchanged", "unchanged_small", "prevented", "zero_true", "positive_false")

# Exact laws where they can be had, and as many simulated publications as the target wants.
forward_stage <- function(ask, tick) {
  law <- cpp_forward_figures(
    ask$counts, ask$mechanism, min(ask$max_tables, 1e5), 2e8
  )
  limit <- ask$replicates %||% most_replicates(ask$mechanism)
  batch <- ask$replicates %||% min(100, limit)
  run <- NULL
  repeat {
    n <- length(run$figures) / length(simulated_figures)
    run <- add_runs(run, cpp_simulate_publications(
      ask$counts, dim(ask$mechanism$cycles), ask$small, ask$mechanism, n, batch, ask$seed, tick,
      default_threads()
    ))
    rownames(run$figures) <- simulated_figures
    n <- n + batch
    error <- std_errors(run$figures[simulated_shares, , drop = FALSE])
    if (n >= limit || all(error <= ask$target, na.rm = TRUE)) break
    batch <- min(n, limit - n)
  }
  list(
    cells = forward_cells(ask, law, run, n), figures = run$figures, n = as.integer(n),
    exact = all(law$kind > 0), free = all(law$kind == 1)
  )
}

# A second or so, in all.
most_replicates <- function(mechanism) {
  cells <- prod(dim(mechanism$cycles))
  entries <- count_entries(mechanism$cycles) / length(mechanism$cycles) * step_count(mechanism)
  min(10000, max(20, floor(4e7 / (entries + 3 * cells))))
}

add_runs <- function(a, b) {
  if (is.null(a)) {
    return(b)
  }
  sums <- c("same", "change", "size", "square")
  out <- Map(`+`, a[sums], b[sums])
  out$figures <- cbind(a$figures, b$figures)
  out
}

# Of the means of rows, over what is not missing.
std_errors <- function(figures) {
  n <- rowSums(!is.na(figures))
  mean <- rowMeans(figures, na.rm = TRUE)
  sqrt(rowSums((figures - mean)^2, na.rm = TRUE) / pmax(n - 1, 0) / n)
}

forward_cells <- function(ask, law, run, n) {
  simulated <- law$kind == 0
  pick <- function(name) ifelse(simulated, run[[name]] / n, law[[name]])
  unchanged <- pick("same")
  bias <- pick("change")
  if (is_unbiased(ask$mechanism)) {
    bias[] <- 0
  } else if (ask$mechanism$zero_rule == "blocked") {
    bias[ask$counts == 0] <- 0
  }
  size <- pick("size")
  list(
    unchanged = unchanged, bias = bias, abs_change = size,
    relative_change = ifelse(ask$counts > 0, size / ask$counts, NA),
    variance = pmax(0, pick("square") - bias^2),
    std_error = ifelse(simulated, sqrt(pmax(0, unchanged * (1 - unchanged)) / (n - 1)), 0),
    method = c("simulation", "convolution", "enumeration")[law$kind + 1]
  )
}

# Each step has mean 0, whatever came before it.
is_unbiased <- function(mechanism) {
  mechanism$zero_rule == "blocked" && all(mechanism$alpha == mechanism$beta)
}
