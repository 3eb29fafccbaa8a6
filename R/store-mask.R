# Masks: a set of variables as text, for ledgers. Lower-case hex of fixed width, variable v being
# worth 2^(v - 1); the last digit holds the variables 1 to 4. Any number of variables.

mask_width <- function(k) max(1, ceiling(k / 4))

# `sets`: a list of vectors of variable numbers.
encode_masks <- function(sets, k) {
  width <- mask_width(k)
  bits <- matrix(FALSE, 4 * width, length(sets))
  bits[cbind(as.integer(unlist(sets)), rep(seq_along(sets), lengths(sets)))] <- TRUE
  digits_text(matrix(colSums(matrix(bits, nrow = 4) * c(1, 2, 4, 8)), nrow = width))
}

decode_masks <- function(masks, k) {
  digits <- mask_digits(masks, k)
  bits <- matrix(FALSE, 4 * nrow(digits), ncol(digits))
  for (b in 1:4) {
    bits[4 * (seq_len(nrow(digits)) - 1) + b, ] <- bitwAnd(digits, bitwShiftL(1L, b - 1L)) > 0
  }
  lapply(seq_along(masks), function(i) which(bits[, i]))
}

# One column a mask, the digit of the variables 1 to 4 first.
mask_digits <- function(masks, k) {
  width <- mask_width(k)
  codes <- utf8ToInt(paste(masks, collapse = ""))
  digits <- match(codes, utf8ToInt("0123456789abcdef")) - 1L
  matrix(digits, nrow = width)[rev(seq_len(width)), , drop = FALSE]
}

digits_text <- function(digits) {
  letters16 <- strsplit("0123456789abcdef", "")[[1]]
  rows <- lapply(rev(seq_len(nrow(digits))), function(i) letters16[digits[i, ] + 1])
  do.call(paste0, rows)
}

# Of the right width, and of variables that there are.
is_mask <- function(masks, k) {
  width <- mask_width(k)
  spare <- 4 * width - k
  first <- substr("0123456789abcdef", 1, 16 / 2^spare)
  grepl(sprintf("^[%s][0-9a-f]{%d}\\z", first, width - 1), masks, perl = TRUE)
}
