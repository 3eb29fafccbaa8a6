# Requests that were refused because nothing could be proved. Unlike what was proved to be unsafe
# they may be asked again when there is more to prove with: a higher limit of time, another plan, or
# a machine that is less busy. The private reason of the refusal holds what there was; each further
# answer is a decision of its own in the ledger.
#
# Why this is safe: a set that is released later is certified then, together with all that is out by
# then, as any other. Who knows the policy learns from the pair of answers that the first one was
# for want of a proof, which depends on the machine, and that no cell was too narrow. The audit of
# such readers (server-audit.R) takes the first answer to tell nothing, since the exact judge would
# have released.

undecided_start <- "undecided: "

undecided_reason <- function(server, now, how) {
  plan <- plan_key_of(now)
  paste0(
    undecided_start, how, if (how == "time") paste0(" (", seconds_key(server), " s)"),
    if (nzchar(plan)) paste0("; plan ", plan)
  )
}

seconds_key <- function(server) sprintf("%.6g", server$policy$time_limit_s)
plan_key_of <- function(now) if (now$planned) substr(now$plan$hash %||% "", 1, 8) else ""

# `reasons`: private reasons that begin as above. "busy": the clock on the wall ended it. A refusal
# of a version that wrote no limit down is looked at again once.
may_ask_again <- function(server, now, reasons) {
  plan <- ifelse(grepl("; plan ", reasons), sub(".*; plan ", "", reasons), "")
  how <- sub(";.*", "", substring(reasons, nchar(undecided_start) + 1))
  given <- suppressWarnings(as.numeric(sub("^time [(](.*) s[)]$", "\\1", how)))
  plan != plan_key_of(now) | how %in% c("busy", "time") |
    (!is.na(given) & given < as.numeric(seconds_key(server)))
}

# The sub-tables that are undecided and stay refused for now.
still_undecided <- function(server, now) {
  if (length(now$undecided) == 0) {
    return(character())
  }
  names(now$undecided)[!may_ask_again(server, now, now$undecided)]
}
