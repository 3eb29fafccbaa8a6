# The judge of the table server: random requests until nothing more may be asked.
#
#   Rscript inst/bench/server-judge.R czech [runs]      the judge alone; 200 runs at each beta, each
#                                                       released set checked by integer bounds
#   Rscript inst/bench/server-judge.R cps14 [seed]      435 million cells, with and without envelope
library(sdcLattice)
internal <- asNamespace("sdcLattice")
arguments <- commandArgs(TRUE)
what <- if (length(arguments) > 0) arguments[1] else "czech"
number <- if (length(arguments) > 1) as.numeric(arguments[2]) else NA

# One request after the other, drawn from all that are eligible and not known to be refused.
ask_all <- function(server, ask = function(set) request_table(server, server$variables[set])) {
  force(ask)
  k <- length(server$variables)
  sets <- internal$sets_of_space(server, server$now, "candidates")
  seconds <- numeric()
  outcomes <- character()
  while (length(sets) > 0) {
    at <- sample.int(length(sets), 1)
    set <- sets[[at]]
    begin <- proc.time()[["elapsed"]]
    answer <- ask(set)
    seconds <- c(seconds, proc.time()[["elapsed"]] - begin)
    outcomes <- c(outcomes, answer$outcome)
    sets <- sets[-at]
    if (answer$outcome == "released") {
      # also what one step leads to from the parts that came out with it
      more <- unlist(lapply(internal$sets_inside(set), function(part) {
        lapply(setdiff(seq_len(k), part), function(v) sort(c(part, v)))
      }), recursive = FALSE)
      more <- Filter(function(s) {
        internal$is_eligible(server, s) && !internal$holds_any(s, server$now$refused)
      }, setdiff(unique(more), sets))
      sets <- c(sets, more)
    }
    if (answer$outcome == "refused") {
      sets <- Filter(function(s) !internal$holds_any(s, list(set)), sets)
    }
  }
  list(seconds = seconds, outcomes = outcomes)
}

# Asks the judge alone, without the store.
judge_only <- function(server) {
  state <- list(released = character(), closed = character(), refused = character())
  server$now <- internal$first_state(length(server$variables))
  function(set) {
    decision <- internal$decide(server, server$now, set)
    mask <- internal$encode_masks(list(set), length(server$variables))
    if (decision$outcome == "released") state$released <<- c(state$released, mask)
    if (decision$outcome == "refused") state$closed <<- c(state$closed, mask)
    server$now <- internal$follow_state(server, state)
    undecided <<- undecided + grepl("undecided", c(decision$reason_private, "")[1])
    decision
  }
}

n_out <- function(server) {
  sum(internal$cpp_count_below(length(server$variables), server$now$frontier)[-1])
}

# ---- small: every released set has at least the width asked for, by integer bounds --------------

if (what == "czech") {
  runs <- if (is.na(number)) 200 else number
  widths <- critical_widths(czech_workers)$width
  betas <- sort(unique(c(1 + widths[widths > 0], 3, 5, 6, 9, 10, 15, 20, 50, 100)))
  betas <- betas[betas <= min(width(as.list(LETTERS[1:6]), czech_workers, risk_width(1))$inner)]
  unsafe <- 0
  cat("beta  released (empty one counted): least, mean, most; unsafe runs; undecided;",
      "ms p50, p99\n")
  for (beta in betas) {
    policy <- server_policy(risk_width(beta), time_limit_s = 10)
    server <- table_server(czech_workers, policy, progress = FALSE)
    n <- seconds <- numeric()
    undecided <- bad <- 0
    for (run in seq_len(runs)) {
      set.seed(1000 * run + beta)
      found <- ask_all(server, judge_only(server))
      n <- c(n, n_out(server) + 1)
      seconds <- c(seconds, found$seconds)
      bad <- bad + !internal$verify_server(server)$verified
    }
    close(server)
    unsafe <- unsafe + bad
    cat(sprintf("%4d  %2d %5.1f %2d   %d   %d   %.0f %.0f\n", as.integer(beta), as.integer(min(n)),
                mean(n), as.integer(max(n)), as.integer(bad), as.integer(undecided),
                1000 * median(seconds), 1000 * quantile(seconds, .99)))
  }
  cat(length(betas), "values of beta,", runs, "runs each, unsafe runs:", unsafe, "\n")
}

# ---- large -----------------------------------------------------------------------------------

show <- function(title, server, found, start) {
  check <- verify_release(server_release(server))
  said <- table(found$outcomes)
  cat(sprintf(paste0("%s: ready in %.1f s; %d requests (%s); %d sub-tables out; verified: %s (%s);",
                     " ms p50 %.0f, p95 %.0f, p99 %.0f, most %.0f\n"),
              title, start, length(found$seconds), paste(names(said), said, collapse = ", "),
              as.integer(n_out(server)), check$verified, check$how,
              1000 * median(found$seconds), 1000 * quantile(found$seconds, .95),
              1000 * quantile(found$seconds, .99), 1000 * max(found$seconds)))
  print(table(sub(":.*", "", as.data.frame(server)$reason_private), useNA = "ifany"))
}

if (what == "cps14") {
  seed <- if (is.na(number)) 1 else number
  risk <- risk_width(3, at_risk = 1:3)
  folder <- tempfile("bench")
  dir.create(folder)
  run <- function(title, policy, place, recorded = NULL) {
    begin <- proc.time()[["elapsed"]]
    server <- table_server(cps14, policy, store = file.path(folder, place), seed = seed,
                           progress = FALSE)
    start <- proc.time()[["elapsed"]] - begin
    if (!is.null(recorded)) {
      begin <- proc.time()[["elapsed"]]
      record_release(server, recorded, seed = seed, progress = FALSE)
      cat(sprintf("recorded %s in %.1f s\n", recorded, proc.time()[["elapsed"]] - begin))
    }
    set.seed(seed)
    show(title, server, ask_all(server), start)
    close(server)
    begin <- proc.time()[["elapsed"]]
    close(table_server(cps14, policy, store = file.path(folder, place), progress = FALSE))
    cat(sprintf("  opened again in %.1f s; store of %.0f MB\n", proc.time()[["elapsed"]] - begin,
                file.size(file.path(folder, place)) / 2^20))
  }
  run("no envelope", server_policy(risk), "a.sqlite")
  envelope <- release_reducible(cps14, risk, seed = seed, progress = FALSE)
  run("envelope", server_policy(risk, envelope = envelope), "b.sqlite")
  run("no plan", server_policy(risk, plan = FALSE), "c.sqlite")
  # what came out by other means, and lies outside of the first plan
  run("recorded", server_policy(risk), "d.sqlite", recorded = "workclass:race:tax")
}
