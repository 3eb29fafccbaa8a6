# Workers check the certificates of the cells at risk in blocks.

# A block is worth the trip to a worker from so many cells on.
least_block <- function() getOption("sdcLattice.least_block", 500)

ask_checker <- function(x, at_risk, sets, beta, certificates, tick) {
  with_core(
    cpp_check_certificates(dim(x), x$keys, x$counts, at_risk, sets, beta, certificates,
                           default_threads(), tick)
  )
}

check_by_blocks <- function(task, tick) {
  n <- length(task$at_risk)
  blocks <- if (has_workers()) max(1, min(2 * n_workers(), n %/% least_block())) else 1
  if (blocks == 1) {
    return(ask_checker(task$x, task$at_risk, task$sets, task$risk$beta, task$certificates, tick))
  }
  shared <- task[c("x", "at_risk", "sets", "risk", "certificates")]
  ends <- floor(n * seq(0, blocks) / blocks)
  items <- Map(c, ends[-length(ends)] + 1, ends[-1])
  join_checks(work_apply(items, check_block, shared, tick = tick))
}

check_block <- function(block, ready, tick) {
  ask_checker(ready$x, ready$at_risk[seq(block[1], block[2])], ready$sets, ready$risk$beta,
              ready$certificates, NULL)
}

# The first fault is that of the first block that has one.
join_checks <- function(found) {
  of <- function(name) vapply(found, `[[`, 0, name)
  first <- found[[c(which(of("fault") != 0), 1)[1]]]
  widths <- of("least_width")
  list(fault = first$fault, margin = first$margin, n_failed = sum(of("n_failed")),
       least_width = if (any(widths >= 0)) min(widths[widths >= 0]) else -1)
}
