# The same work by 1, 2 and 4 workers: processes of this machine, a cluster whose workers a command
# starts as ssh would, and jobs of Slurm where SLURM_CONF is set (see inst/cluster/slurm-node.sh).
#   Rscript inst/bench/workers.R [CHAINS, 8 unless given] [PROPOSALS, 2e5]
# Every line must say that the release is identical to the one without workers.
library(sdcLattice)
library(future)

given <- as.numeric(commandArgs(TRUE))
chains <- if (length(given) > 0) given[1] else 8
proposals <- if (length(given) > 1) given[2] else 2e5

search <- function() {
  took <- system.time({
    found <- release_anneal(cps13, risk_width(3), seed = 1, chains = chains, proposals = proposals)
  })
  list(sets = found$sets, value = found$value, chains = found$chains$value,
       seconds = took[["elapsed"]])
}

say <- function(plan, workers, found) {
  same <- identical(found[-4], alone[-4])
  cat(sprintf("%-12s %d workers: %6.1f s, %s\n", plan, workers, found$seconds,
              if (same) "identical" else "DIFFERENT"))
}

# ssh HOST COMMAND, on this machine whatever the host is
command <- tempfile()
writeLines(c("#!/bin/sh", "while [ $# -gt 2 ]; do shift; done", "shift", "exec sh -c \"$*\""),
           command)
Sys.chmod(command, "755")

alone <- search()
cat(sprintf("no workers: %.1f s\n", alone$seconds))
for (workers in c(1, 2, 4)) {
  plan(multisession, workers = I(workers))
  say("multisession", workers, search())
  nodes <- parallelly::makeClusterPSOCK(
    paste0("host", seq_len(workers)), rshcmd = command, rshopts = character(), master = "localhost",
    revtunnel = FALSE, rscript = file.path(R.home("bin"), "Rscript")
  )
  plan(cluster, workers = nodes)
  say("cluster", workers, search())
  plan(sequential)
  parallel::stopCluster(nodes)
  if (nzchar(Sys.getenv("SLURM_CONF"))) {
    template <- system.file("cluster", "slurm.tmpl", package = "sdcLattice")
    plan(future.batchtools::batchtools_slurm, template = template, workers = workers)
    say("slurm", workers, search())
    plan(sequential)
  }
}
