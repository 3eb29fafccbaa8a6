# The plan: sub-tables that are certified together before anybody asks. As long as only such ones
# are out, any of them may follow, and its decision is a look-up. It is an envelope, which is
# published, or what release_reducible() found for a table that is too large for exact bounds, which
# is not.
#
# A plan is kept in the store, so that all processes at one store have the same. It is a cache that
# proves itself: its certificates are checked whenever it is read.

start_plan <- function(server, seed, progress, call) {
  problem <- server$problem
  server$plan <- if (!is.null(server$envelope)) {
    envelope_plan(server, call)
  } else if (server$policy$plan && inherits(problem$risk, "sdc_risk_width") && !is_small(server)) {
    read_plan(server, call) %||% make_plan(server, seed, progress, call)
  }
}

# Its certificates, where it has any, are kept for whoever looks at the ledger later.
envelope_plan <- function(server, call) {
  given <- server$policy$envelope
  plan <- list(kind = "envelope", sets = server$envelope,
               certificates = if (inherits(given, "sdc_release")) given$certificates)
  plan$hash <- read_note(server$store, "plan", call) %||% note_plan(server, plan, call)
  plan
}

is_planned <- function(server, set) {
  !is.null(server$plan) && is_inside(set, server$plan$sets)
}

# NULL when none is kept, or it does not prove itself.
read_plan <- function(server, call) {
  hash <- read_note(server$store, "plan", call)
  kept <- if (!is.null(hash)) read_certificate(server$store, hash, call)
  if (is.null(kept)) {
    return(NULL)
  }
  plan <- decode_plan(kept$body, server)
  checked <- tryCatch(check_plan(server, plan), error = function(cnd) NULL)
  if (isTRUE(checked$verified)) c(list(kind = "plan", hash = hash), plan)
}

check_plan <- function(server, plan) {
  verify_release(sets_release(server$problem, plan$sets, plan$certificates), progress = FALSE)
}

# The first process that has one is followed by all others.
make_plan <- function(server, seed, progress, call) {
  found <- tryCatch(
    release_reducible(server$problem$x, server$problem$risk, seed = seed, progress = progress,
                      time_limit_s = server$policy$plan_time_s),
    sdc_error_infeasible = function(cnd) NULL, sdc_error_too_large = function(cnd) NULL
  )
  if (is.null(found)) {
    return(NULL)
  }
  note_plan(server, found, call)
  read_plan(server, call)
}

note_plan <- function(server, plan, call) {
  hash <- write_certificate(server$store, "plan", encode_plan(plan, server), call)
  claim_note(server$store, "plan", hash, call)
}

encode_plan <- function(plan, server) {
  parts <- unclass(plan$certificates)[plan_parts]
  packed <- lapply(parts[lengths(parts) > 0], function(part) {
    bytes <- if (is.raw(part)) part else writeBin(as.numeric(part), raw(), endian = "little")
    openssl::base64_encode(memCompress(bytes, "gzip"))
  })
  canonical_json(c(
    list(sets = as.list(encode_masks(plan$sets, length(server$variables)))), packed
  ))
}

decode_plan <- function(body, server) {
  read <- jsonlite::fromJSON(body)
  parts <- lapply(read[plan_parts], function(text) {
    memDecompress(openssl::base64_decode(text), "gzip")
  })
  numbers <- setdiff(plan_parts, "keys")
  parts[numbers] <- lapply(parts[numbers], function(bytes) {
    readBin(bytes, "double", length(bytes) / 8, endian = "little")
  })
  whole <- c("target", "cell", "by")
  parts[whole] <- lapply(parts[whole], as.integer)
  list(sets = decode_masks(read$sets, length(server$variables)),
       certificates = structure(parts, class = "sdc_certificates"))
}

plan_parts <- c("keys", "target", "start", "cell", "by")
