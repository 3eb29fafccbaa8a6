# A slow judge in plain R: the ladder of a table server, rung by rung, over lists of sets. It knows
# the width of a release by listing all tables (every_table()), and shares no code with the core.

slow_judge <- function(x, policy, at_risk = 1:2) {
  k <- length(dim(x))
  width <- every_table(x, at_risk)$width
  out <- as.list(seq_len(k))
  refused <- list()
  n_refused <- 0
  within <- function(set, sets) any(vapply(sets, function(s) all(set %in% s), NA))
  above <- function(set, sets) any(vapply(sets, function(s) all(s %in% set), NA))
  maximal <- function(sets) sets[!vapply(seq_along(sets), function(i) within(sets[[i]], sets[-i]),
                                 NA)]
  less_one <- function(set) lapply(seq_along(set), function(i) set[-i])
  is_out <- function(set) length(set) == 0 || within(set, out)
  next_to <- function(set) {
    from <- less_one(set)
    if (policy$step == "any") any(vapply(from, is_out, NA)) else any(from %in% maximal(out))
  }
  may_ask <- function(set) {
    length(set) <= (policy$max_dimension %||% Inf) &&
      (policy$rule == "myopic" || next_to(set))
  }
  safe <- function(set, with = out) width(c(with, list(set))) >= policy$risk$beta
  n_closed <- function(set) {
    all <- lapply(seq_len(2^k - 1), function(mask) which(bitwAnd(mask, 2^(seq_len(k) - 1)) > 0))
    near <- Filter(function(s) !is_out(s) && may_ask(s) && !above(s, refused) && !all(s %in% set),
                   all)
    sum(vapply(near, function(s) safe(s) && !safe(s, c(out, list(set))), NA))
  }
  say <- function(outcome, public = NA_character_, private = NA_character_) {
    c(outcome = outcome, public = public, private = private)
  }
  refuse <- function(set, private, lasting = TRUE) {
    n_refused <<- n_refused + 1
    if (lasting) refused <<- c(refused, list(set))
    say("refused", "risk", private)
  }
  # in the order of the ladder
  function(set) {
    if (is_out(set)) return(say("already"))
    if (!may_ask(set)) return(say("refused", "structural"))
    if (n_refused >= policy$max_risk_refusals) {
      return(say("refused", "structural", "refusals are spent"))
    }
    if (above(set, refused)) {
      # the same sub-table is counted once
      if (!list(set) %in% refused) n_refused <<- n_refused + 1
      return(say("refused", "risk", "holds a refused sub-table"))
    }
    if (!safe(set)) return(refuse(set, "refuted"))
    if (policy$rule == "guarded" && n_closed(set) > policy$max_closed) {
      return(refuse(set, "guarded", lasting = FALSE))
    }
    out <<- c(out, list(set))
    say("released", private = "certified")
  }
}
