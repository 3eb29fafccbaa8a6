# Perturbed counts for the program in inst/checker: its file is written here from the mechanism by its
# definition. See helper-auditor.R.

# Moves, and for each step those that are tried in turn.
design_of <- function(me) {
  if (is.null(me$cycles$parameters$skip_zeros) || !me$cycles$parameters$skip_zeros) {
    return(list(moves = lapply(bare_moves(me$cycles), as.vector), steps = as.list(steps_of(me))))
  }
  p <- me$cycles$parameters
  dim <- dim(me$cycles)
  moves <- list()
  steps <- list()
  for (cover in seq_len(me$covers)) {
    for (g in seq_along(p$groups)) {
      lines <- p$groups[[g]]
      ring <- p$rings[[g]]
      bands <- if (length(lines) == 3) list(lines[1:2], lines[2:3], lines[c(3, 1)]) else list(lines)
      if (p$group == 3 && length(lines) == 2) bands <- rep(bands, 2)
      for (band in bands) {
        for (i in seq_len(length(ring) - 1)) {
          tried <- lapply(seq(i + 1, length(ring)), function(k) {
            move <- matrix(0, dim[p$transposed + 1], dim[2 - p$transposed])
            move[band, ring[c(i, k)]] <- c(1, -1, -1, 1)
            as.vector(if (p$transposed) t(move) else move)
          })
          steps <- c(steps, list(length(moves) + seq_along(tried)))
          moves <- c(moves, tried)
        }
      }
    }
  }
  list(moves = moves, steps = steps)
}

# `claims`, `limits`: named shares; `told`: cells whose counts are known.
case_of_perturbation <- function(counts, pub, me, claims = NULL, limits = c(certain_small = .01, given_small = .25),
                                 told = NULL, limit = 2000) {
  # chances are multiples of a hundredth
  chances <- round(100 * c(me$alpha[1], me$beta[1], 1))
  by <- max(which(vapply(1:100, function(d) all(chances %% d == 0), NA)))
  design <- design_of(me)
  shares <- function(key, of) if (length(of) > 0) paste(key, names(of), sprintf("%.6f", of))
  c(
    "case perturbed", "kind perturbation", paste(c("truth", counts), collapse = " "), "small 2",
    paste("limit", limit), paste(c("published", pub), collapse = " "),
    vapply(design$moves, function(move) paste(c("move", move), collapse = " "), ""),
    vapply(design$steps, function(step) paste(c("step", step), collapse = " "), ""),
    paste(c("chances", chances / by), collapse = " "), paste("stops", me$zero_rule),
    shares("claim", claims), shares("most", limits), if (length(told) > 0) paste(c("told", told), collapse = " "), "end"
  )
}

# Designs of all kinds for small tables.
draw_design <- function() {
  size <- one_of_list(list(c(2, 3), c(3, 2), c(3, 3), c(3, 3), c(3, 4)))
  repeat {
    x <- random_table(size[1], size[2], one_of_list(c(1.5, 2.5)))
    if (any(x %in% 1:2) && sum(x) < 30) break
  }
  chances <- one_of_list(list(c(.25, .25), c(.4, .2), c(.1, .1)))
  seed <- sample.int(1000, 1)
  set <- switch(
    one_of_list(c("bands", "bands", "bands", "turned", "pairs", "ring", "skips")),
    bands = cycles_banded(x, seed = seed), turned = cycles_banded(x, seed = seed, transposed = TRUE),
    pairs = cycles_banded(x, group = 2, seed = seed), ring = cycles_bidiagonal(x),
    skips = cycles_banded(x, seed = seed, skip_zeros = TRUE)
  )
  rule <- if (isTRUE(set$parameters$skip_zeros)) "blocked" else one_of_list(c("blocked", "nonnegative"))
  covers <- if (prod(size) <= 6) sample(1:2, 1) else 1
  list(counts = as.vector(x), x = x, me = mechanism(set, chances[1], chances[2], covers = covers, zero_rule = rule))
}

# What perturb() makes of it, `refused` or not; NULL where it refuses for another reason.
perturb_drawn <- function(one) {
  said <- tryCatch(perturb(one$x, one$me, seed = one$seed %||% 1, min_protection = 0), error = identity)
  one$refused <- inherits(said, "sdc_error_refused")
  if (one$refused && !grepl("for certain|away", conditionMessage(said))) {
    return(NULL)
  }
  if (one$refused) said <- perturb(one$x, one$me, seed = one$seed %||% 1, insist = TRUE)
  one$pub <- as.vector(as.array(publish(said, insist = TRUE)$table))
  one
}

draw_perturbed <- function(n) {
  out <- list()
  while (length(out) < n) {
    one <- perturb_drawn(c(draw_design(), seed = sample.int(1e6, 1)))
    if (!is.null(one)) out <- c(out, list(one))
  }
  out
}

# The shares that risk_utility() knows exactly.
claimed_shares <- function(one) {
  figures <- as.data.frame(summary(risk_utility(one$x, one$me, target = 1, progress = FALSE, threads = 1)))
  figures <- figures[figures$figure %in% c("certain_small", "insider_cell") & figures$method %in% "exact", ]
  given <- judge_certainty(as.double(one$counts), one$me)[["given"]]
  c(stats::setNames(figures$estimate, figures$figure), given_small = given)
}
