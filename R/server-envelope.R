# What planned envelopes and plans share: how they are kept in the store, and whether all of their
# sub-tables are safe together.

plan_key <- function(n) paste0("plan_", n)

encode_plan <- function(plan, server) {
  parts <- c(unclass(plan$certificates), list(block = plan$block))[plan_parts]
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
  parts <- lapply(read[intersect(plan_parts, names(read))], function(text) {
    memDecompress(openssl::base64_decode(text), "gzip")
  })
  numbers <- setdiff(names(parts), "keys")
  parts[numbers] <- lapply(parts[numbers], function(bytes) {
    readBin(bytes, "double", length(bytes) / 8, endian = "little")
  })
  whole <- intersect(c("target", "cell", "by"), names(parts))
  parts[whole] <- lapply(parts[whole], as.integer)
  list(
    sets = decode_masks(read$sets, length(server$variables)),
    certificates = if (length(parts$keys) > 0) {
      structure(parts[setdiff(plan_parts, "block")],
                class = sdc_class("sdc_certificates", mark = "private"))
    },
    block = if (length(parts$block) > 0) matrix(parts$block, prod(server$problem$dim))
  )
}

# Certificates of cells at risk; or the tables that a reader of a self-consistent announcement is
# left with.
plan_parts <- c("keys", "target", "start", "cell", "by", "block")

# A release as verify_release() takes it.
sets_release <- function(problem, sets, certificates = NULL, inner = NA_real_,
                         guarantee = "not looked at") {
  new_release(problem, sets, method = "table server", width = c(inner = inner, outer = NA_real_),
              guarantee = guarantee, certificates = certificates)
}

is_safe_envelope <- function(problem, sets, certificates, progress) {
  if (inherits(problem$risk, "sdc_risk_n")) {
    return(all(vapply(sets, function(set) is_safe_alone(problem, set), NA)))
  }
  verify_release(sets_release(problem, sets, certificates), progress = progress)$verified
}

abort_unsafe_envelope <- function() {
  abort_sdc("refused", c(
    "All of the envelope must be certified to be safe.",
    x = "No certificate was found for it.",
    i = "Find one with {.fn plan_server}, {.fn release_reducible} or {.fn release_anneal}."
  ))
}
