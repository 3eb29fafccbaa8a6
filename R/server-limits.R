# How much one user, or one address without a valid token, may ask: buckets of requests, each of
# which fills at a rate. They are in memory, so each process counts for itself.

# Addresses and users that are remembered at once; beyond, those with full buckets are forgotten.
max_buckets <- 10000

# What a request costs a bucket; stops by the problem "rate_limited" when it is empty.
spend <- function(service, who, burst = service$burst, rate_per_s = service$rate_per_s) {
  now <- service$clock()
  known <- service$buckets[[who]]
  bucket <- known %||% c(left = burst, at = now)
  # a clock that was set back gives nothing, and takes nothing
  passed <- max(0, now - bucket[["at"]])
  left <- min(burst, bucket[["left"]] + passed * rate_per_s)
  short <- left < 1
  # counting them takes its time, which only those who are new cost
  if (is.null(known) && length(service$buckets) >= max_buckets) forget_buckets(service, now)
  service$buckets[[who]] <- c(left = if (short) left else left - 1, at = now)
  if (short) {
    wait <- ceiling((1 - left) / rate_per_s)
    problem("rate_limited", headers = c(`Retry-After` = whole_text(min(wait, 3600))))
  }
}

# By then each is full again.
forget_buckets <- function(service, now) {
  slowest <- max(service$burst / service$rate_per_s, idle_burst / idle_rate_per_s)
  at <- vapply(as.list(service$buckets, all.names = TRUE), `[[`, 0, "at")
  old <- names(at)[now - at > slowest]
  if (length(old) == 0) old <- names(sort(at))[seq_len(length(at) / 2)]
  rm(list = old, envir = service$buckets)
}

# Who shows no valid token shares a bucket with all others at the same address.
spend_address <- function(service, request) {
  spend(service, paste("address", request$address %||% ""))
}

# Answers that everybody could have worked out, because the sub-table is out or not eligible, stay
# in the ledger like all others. So that nobody fills it with them, each user gets few: more are
# answered 429 before anything is decided. An answer that was given before is repeated without end.
idle_burst <- 200
idle_rate_per_s <- 0.1

spend_idle <- function(service, user, set) {
  if (!is_eligible(service$server, set)) {
    spend(service, paste("idle", user), idle_burst, idle_rate_per_s)
  }
}
