# Certified suppression for readers who know the method: the cells are chosen without a look at
# counts, with secret costs that follow from a key.
#
# The choice depends on which cells are published zeros, which are primary, what the user's
# arguments say, and the key, and on nothing else. A certificate that leaves all zeros and all
# primary cells as they are leads to a table for which the same cells would have been chosen.

# `wishes` of a user who asks for the reader "method". All random choices follow from the key.
keyed_wishes <- function(wishes, method, pattern) {
  if (method != "certified" || !is.null(pattern)) {
    abort_sdc("input", c(
      "The reader {.val method} must come with {.code method = \"certified\"} alone.",
      x = if (!is.null(pattern)) "{.arg pattern} is given, and nobody knows how it was chosen." else
        "{.arg method} is {.val {method}}, which looks at counts when it chooses cells.",
      i = "{.code readers = c(\"outsider\", \"contributor\")} leaves this reader out."
    ))
  }
  cost <- wishes$cost
  if (is.function(cost) || !(is.data.frame(cost) || check_cost_name(cost) == "cells")) {
    abort_sdc("input", c(
      "For the reader {.val method} {.arg cost} must not depend on counts.",
      x = if (is.function(cost)) "{.arg cost} is a function, which is told the counts." else
        "{.arg cost} is {.val {cost}}.",
      i = "Use {.code cost = \"cells\"}, or a data frame that does not come from the counts."
    ))
  }
  wishes$key <- check_key(wishes$key, wishes$seed)
  wishes["seed"] <- list(NULL)
  wishes
}

check_no_key <- function(key) {
  if (!is.null(key)) {
    abort_sdc("input", c(
      "{.arg key} must come with the reader {.val method}.",
      x = "{.arg readers} does not name {.val method}, so that nothing is secret.",
      i = "{.arg seed} repeats other searches."
    ))
  }
}

# Counts that nobody publishes may become zero, and the choice would not be the same.
check_can_choose_blindly <- function(x) {
  if (is.null(x$crossings)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "For the reader {.val method} all cells of the table must be published or suppressed.",
    x = "{.arg x} was made with a {.arg formula}, and has counts that no crossing shows.",
    i = "{.code readers = c(\"outsider\", \"contributor\")} leaves this reader out."
  ))
}

# The seed of the choice, and a factor on the cost of each row of the cells: 1, 2, 3 or 4.
key_numbers <- function(key, n_rows) {
  coins <- coin_bytes(c(charToRaw("sdcLattice suppress 1:"), key), 1 + ceiling(n_rows / 8))
  bytes <- as.integer(coins)
  list(seed = sum(bytes[1:6] * 256^(0:5)), factor = 1 + bytes[8 + seq_len(n_rows)] %% 4)
}

# What a suppression says of a choice without a look at counts. What those who do not know the
# method need at least, all need.
say_blind <- function(x, found, cost) {
  x[c("value_free", "level")] <- found[c("value_free", "level")]
  if (!is.null(found$without)) {
    x$price <- sum(cost[found$without & x$cells$sdcStatus != "u"])
    x$bound <- min(x$bound, x$cost)
    x$optimal <- nrow(x$certificates) > 0 && x$bound >= x$cost
  }
  x
}

# Of an object that names the reader "method".
value_free_fits <- function(x) {
  identical(x$method, "certified") && is.null(table_crossings(x$original)) &&
    (isTRUE(x$value_free) || isFALSE(x$value_free)) && length(x$level) == 1 && x$level %in% 0:6
}

# Why cells may be open to readers who know the method.
method_hint <- function(x) {
  if (!isTRUE(x$value_free)) {
    "The time limit ended the choice of cells, and nothing is certified for readers who know the
     method. {.arg time_limit_s} must be longer."
  } else if (x$maxN - (!x$protectZeros) < x$width) {
    "For readers who know the method a primary count can only be from {as.integer(!x$protectZeros)}
     to {.arg maxN} = {.val {x$maxN}}, which is not wide enough. {.arg maxN} must be larger, or
     {.arg width} smaller."
  } else {
    "Leave {.val method} out of {.arg readers} where readers cannot know how cells were chosen."
  }
}

# What the object says of the choice. With a level it says, too, that this level and no lower one
# suffices for all tables of the certificates.
blind_claim <- function(x) {
  if (isTRUE(x$level > 0)) {
    "neither the choice of the cells nor the decision that it suffices looked at a hidden count"
  } else {
    "the choice of the cells looked at no count"
  }
}
