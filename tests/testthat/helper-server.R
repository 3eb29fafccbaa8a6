# Servers that end with the test, and requests at random until nothing more may be asked.

skip_if_no_server <- function() skip_if_no_store()

local_server <- function(x = czech_workers, policy = server_policy(risk_width(3), time_limit_s = 5),
                         ..., frame = parent.frame()) {
  server <- table_server(x, policy, ..., progress = FALSE)
  withr::defer(close(server), envir = frame)
  server
}

# Sub-tables that are eligible and not known to be refused, as variable numbers.
open_requests <- function(server) {
  internal <- asNamespace("sdcLattice")
  internal$refresh_server(server)
  sets <- internal$sets_of_space(server, server$now, "candidates")
  Filter(function(set) !internal$holds_any(set, server$now$refused), sets)
}

# A data frame of all answers.
ask_until_none <- function(server, most = Inf) {
  answers <- list()
  while (length(answers) < most) {
    sets <- open_requests(server)
    if (length(sets) == 0) break
    answer <- request_table(server, server$variables[sets[[sample.int(length(sets), 1)]]])
    answers[[length(answers) + 1]] <- data.frame(
      sub_table = paste(answer$variables, collapse = ":"), outcome = answer$outcome,
      reason = answer$reason
    )
  }
  do.call(rbind, answers)
}

server_sets <- function(server) server$now$frontier

n_out <- function(server) {
  sum(sdcLattice:::cpp_count_below(length(server$variables), server$now$frontier)[-1])
}
