# Secret keys, and the coins that come from them.

# The bytes from which the cipher key is made.
check_key <- function(key, seed) {
  if (!is.null(key) && !is.null(seed)) {
    abort_sdc("input", c(
      "Only one of {.arg key} and {.arg seed} can be given.",
      i = "A secret key is for release, a seed for examples."
    ))
  }
  if (!is.null(seed)) {
    check_whole(seed, min = 0, max = .Machine$integer.max, arg = "seed")
    return(charToRaw(sprintf("sdcLattice seed 1:%.0f", seed)))
  }
  if (is.null(key)) {
    return(openssl::rand_bytes(32))
  }
  if (!is.raw(key) || length(key) < 16) {
    abort_sdc("input", c(
      "{.arg key} must be a raw vector of at least 16 bytes.",
      x = if (is.raw(key)) {
        "{.arg key} has {length(key)} byte{?s}."
      } else {
        "{.arg key} is {.obj_type_friendly {key}}."
      },
      i = "{.code key = NULL} takes a key from the operating system."
    ))
  }
  key
}

# 8 bytes for each step.
coin_bytes <- function(secret, steps) {
  cipher_key <- as.raw(unclass(openssl::sha256(as.vector(secret))))
  stream <- openssl::aes_ctr_encrypt(raw(8 * steps), key = cipher_key, iv = raw(16))
  as.vector(stream)
}
