# Evaluates `code` with R's generator seeded by `seed` (a fixed kind of generator, whatever the
# user's), and puts the user's stream back; with `seed = NULL` the user's stream goes on. Returns
# the value and the seed that led to it, as stats::simulate() has it.
with_seed_kept <- function(seed, code) {
  if (is.null(seed)) {
    if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1)
    state <- get(".Random.seed", globalenv())
    return(list(value = code, seed = state))
  }
  check_seed(seed)
  before <- globalenv()$.Random.seed
  on.exit(restore_seed(before))
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  list(value = code, seed = structure(seed, kind = as.list(RNGkind())))
}

# Also where the method that runs draws nothing.
check_seed <- function(seed) {
  limit <- .Machine$integer.max
  if (!is.null(seed)) check_whole(seed, min = -limit, max = limit)
}

restore_seed <- function(before) {
  if (is.null(before)) {
    rm(".Random.seed", envir = globalenv())
  } else {
    assign(".Random.seed", before, envir = globalenv())
  }
}

# Public random choices: `seed`, or a seed from the operating system; never the user's stream.
with_public_seed <- function(seed, code) {
  if (is.null(seed)) {
    seed <- sum(as.integer(openssl::rand_bytes(3)) * c(1, 256, 65536))
  }
  with_seed_kept(seed, code)$value
}
