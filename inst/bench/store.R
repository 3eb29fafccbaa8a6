# The store of the table server: opening and verifying, deciding, and backing up.
#   Rscript store.R [decisions, 1e5 unless given]
# The decisions of the large store are written directly, hundreds of times faster than one by one.

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) > 0) as.numeric(args[1]) else 1e5
suppressPackageStartupMessages(library(sdcLattice))
ns <- asNamespace("sdcLattice")
folder <- tempfile("store")
dir.create(folder)

variables <- paste0("v", 1:14)
open <- function(path, ...) ns$open_store(path, "bench", list(beta = 3), variables, ...)

# A ledger as many days of requests would leave it: one release in 250.
fill <- function(store, n) {
  set.seed(1)
  sets <- sample(2^14, n, TRUE) - 1
  outcome <- ifelse(seq_len(n) %% 250 == 0, "released", "refused")
  rows <- data.frame(
    seq = ns$whole_text(seq_len(n)), v = "1", at = ns$utc_now(),
    user_id = paste("user", sample(50, n, TRUE)), request_id = sprintf("%032x", seq_len(n)),
    mask = sprintf("%04x", sets), form = "table", outcome = outcome,
    reason_public = ifelse(outcome == "refused", "risk", NA),
    reason_private = ifelse(outcome == "refused", "refuted", NA), parts = "",
    release_no = ns$whole_text(cumsum(outcome == "released")),
    table_hash = ifelse(outcome == "released", strrep("ab", 32), NA),
    certificate_hash = ifelse(outcome == "released", strrep("cd", 32), NA)
  )
  rows$prev <- rows$hash <- store$genesis
  columns <- as.list(rows)
  for (i in seq_len(n)) {
    if (i > 1) columns$prev[i] <- columns$hash[i - 1]
    columns$hash[i] <- store$chain$rows(lapply(columns, `[`, i))
  }
  rows[c("prev", "hash")] <- columns[c("prev", "hash")]
  DBI::dbWriteTable(store$con, "decision", rows, append = TRUE)
}

seconds <- function(expr) system.time(expr)[["elapsed"]]

for (size in unique(c(n / 100, n / 10, n))) {
  path <- file.path(folder, paste0("large", size))
  store <- open(path)
  fill(store, size)
  ns$close_store(store)
  times <- replicate(3, {
    gc()
    took <- system.time(store <- open(path))
    ns$close_store(store)
    c(took[["elapsed"]], took[["user.self"]] + took[["sys.self"]])
  })
  cat(sprintf("%8.0f decisions: opened and verified in %.2f s (processor %.2f s), file %.1f MB\n",
              size, min(times[1, ]), min(times[2, ]), file.size(path) / 1e6))
}
store <- open(path)
cat(sprintf("  history as a data frame %.2f s, backup %.2f s\n",
            seconds(ns$store_history(store)),
            seconds(ns$backup_store(store, file.path(folder, "copy")))))
one <- function(store, i) {
  request <- list(user_id = "bench", request_id = paste0("b", i), mask = "0001")
  seconds(ns$append_decision(store, request, function(state) list(outcome = "already")))
}
show <- function(what, store, count = 200) {
  took <- 1000 * vapply(seq_len(count), function(i) one(store, i), 1)
  cat(sprintf("  %-42s p50 %5.1f ms, p99 %5.1f ms\n", what, stats::median(took),
              stats::quantile(took, .99)))
}
cat("One decision with its commit and its anchor, an instant judge:\n")
show(sprintf("WAL and FULL, after %.0f decisions", n), store)
show("the same, answered before", store)
ns$close_store(store)
for (durability in c("wal", "delete")) {
  store <- open(file.path(folder, durability), durability = durability)
  show(paste0("new store, durability \"", durability, "\""), store)
  ns$close_store(store)
}
store <- open(NULL)
show("in memory", store)
ns$close_store(store)

# Several processes at one store, none of them waiting: decisions per second of all together.
script <- file.path(folder, "worker.R")
writeLines(c(
  "a <- commandArgs(TRUE); ns <- loadNamespace('sdcLattice')",
  "store <- ns$open_store(a[1], 'bench', list(), 'x')",
  "file.create(paste0(a[1], '-ready', a[2]))",
  "while (length(Sys.glob(paste0(a[1], '-ready*'))) < as.numeric(a[3])) Sys.sleep(.005)",
  "for (i in 1:200) ns$append_decision(store, list(user_id = a[2], mask = '1'), ",
  "  function(state) list(outcome = 'released'), tries = 1000)",
  "file.create(paste0(a[1], '-done', a[2]))"
), script)
for (processes in c(1, 2, 4)) {
  path <- file.path(folder, paste0("shared", processes))
  for (i in seq_len(processes)) {
    system2(file.path(R.home("bin"), "Rscript"), shQuote(c(script, path, i, processes)),
            wait = FALSE, stdout = FALSE)
  }
  while (length(Sys.glob(paste0(path, "-ready*"))) < processes) Sys.sleep(.001)
  took <- seconds(while (length(Sys.glob(paste0(path, "-done*"))) < processes) Sys.sleep(.005))
  cat(sprintf("releases only, processes: %d, decisions/s: %.0f\n", processes,
              200 * processes / took))
}
unlink(folder, recursive = TRUE)
