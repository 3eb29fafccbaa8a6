# Masks: sets of variables as text, for ledgers.

# A set of variables as text: lower-case hex of fixed width, variable v being worth 2^(v - 1); the
# last digit holds the variables 1 to 4. Any number of variables.
mask_width <- function(k) max(1, ceiling(k / 4))
mask_letters <- strsplit("0123456789abcdef", "")[[1]]

# `sets`: a list of vectors of variable numbers.
encode_masks <- function(sets, k) {
  width <- mask_width(k)
  bits <- matrix(FALSE, 4 * width, length(sets))
  bits[cbind(as.integer(unlist(sets)), rep(seq_along(sets), lengths(sets)))] <- TRUE
  digits <- matrix(colSums(matrix(bits, nrow = 4) * c(1, 2, 4, 8)), nrow = width)
  do.call(paste0, lapply(rev(seq_len(width)), function(i) mask_letters[digits[i, ] + 1]))
}

decode_masks <- function(masks, k) {
  width <- mask_width(k)
  # one column a mask, the digit of the variables 1 to 4 first
  codes <- utf8ToInt(paste(masks, collapse = ""))
  digits <- matrix(match(codes, utf8ToInt("0123456789abcdef")) - 1L, nrow = width)
  digits <- digits[rev(seq_len(width)), , drop = FALSE]
  bits <- matrix(FALSE, 4 * width, ncol(digits))
  for (b in 1:4) {
    bits[4 * (seq_len(width) - 1) + b, ] <- bitwAnd(digits, bitwShiftL(1L, b - 1L)) > 0
  }
  lapply(seq_along(masks), function(i) which(bits[, i]))
}

# Of the right width, and of variables that there are.
is_mask <- function(masks, k) {
  width <- mask_width(k)
  spare <- 4 * width - k
  first <- substr("0123456789abcdef", 1, 16 / 2^spare)
  grepl(sprintf("^[%s][0-9a-f]{%d}\\z", first, width - 1), masks, perl = TRUE)
}
