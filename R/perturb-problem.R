# What perturb() asks of a design before it draws: which mechanisms it takes, what they are expected
# to change, and that no publication gives counts away; which design it proposes instead; and secret
# keys with the coins that come from them.

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

# Which mechanisms perturb() takes at all, whatever the counts. No method of posterior() follows
# more sweeps that skip zeros: nobody could say what such a publication tells.
check_can_perturb <- function(mechanism) {
  if (is_analysis_only(mechanism)) {
    abort_sdc("refused", c(
      "A table is perturbed under the zero rules {.val blocked} or {.val nonnegative} only.",
      x = "The rule of {.arg mechanism} is {.val {mechanism$zero_rule}}, which is for analysis
           only."
    ))
  }
  if (!skips_zeros(mechanism$cycles)) {
    return(invisible(mechanism))
  }
  each <- sweeps_per_cover(mechanism$cycles)
  if (mechanism$covers * each > most_sweeps) {
    abort_sdc("refused", c(
      "A set that skips zeros may sweep over a group of lines at most {most_sweeps} times: no
       posterior can be computed beyond.",
      x = "{mechanism$covers} cover{?s} sweep {mechanism$covers * each} times over some group.
           Nothing was drawn.",
      i = "Use at most {most_sweeps %/% each} {.arg covers}."
    ))
  }
}

most_sweeps <- 6

# The most sweeps over one group in a cover: three over a triad, two over a pair beside triads.
sweeps_per_cover <- function(cycles) {
  if (cycles$rule == "merged") cycles <- merged_set(cycles)
  if (cycles$rule == "nested") {
    return(max(vapply(part_sets(cycles), sweeps_per_cover, 0)))
  }
  if (cycles$parameters$group == 2) 1 else max(lengths(cycles$parameters$groups))
}

# Whoever made such a set was told; who perturbs by it may not know.
check_all_totals_stay <- function(cycles) {
  if (is.null(cycles$layout) || cycles$totals_kept) {
    return(invisible(cycles))
  }
  abort_sdc("refused", c(
    "The cycles must keep the published totals of the table.",
    x = "They change some of them, because they merge variables or were made to keep single margins.
         Nothing was drawn.",
    i = "{.fn changed_totals} lists these totals; {.fn cycles_banded} and {.fn cycles_margin} make
         cycles that keep all.",
    i = "{.code insist = TRUE} perturbs the table nevertheless."
  ))
}

#' What protection to expect, before anything is drawn
#'
#' Runs a mechanism many times over the confidential table with random numbers of its own, and
#' counts how many cells would change. This is the moment to choose another set of cycles, more
#' covers or another zero rule: after the draw it is too late (see [perturb()]).
#'
#' The random numbers come from a fixed internal seed. They have nothing to do with the coins of
#' [perturb()], and the answer is always the same for the same arguments.
#'
#' @inheritParams perturb
#' @param replicates (whole number, or NULL) How often the mechanism is run. `NULL` chooses by the
#'   work of one run: between 4 and 1000.
#' @return An object of class `sdc_protection`, a data frame with the rows `small` (share of the
#'   cells with a count of 1 or 2 that change), `nonzero` (share of the cells with a count that
#'   change) and `prevented` (share of the coins that ask for a move and are not obeyed), and the
#'   columns `expected` and `std_error`; `NA` where there is no such cell or coin. The number of
#'   runs is in the attribute `replicates`. **The answer comes from the confidential table: keep it
#'   inside.**
#' @section Errors:
#' As for [perturb()].
#' @section Guarantee:
#' A simulation: unbiased, with standard errors.
#' @family perturb
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' expected_protection(x, mechanism(cycles_banded(x, seed = 11)))
#' @export
expected_protection <- function(x, mechanism, replicates = NULL, insist = FALSE) {
  x <- one_level_argument(x)
  check_class(mechanism, "sdc_mechanism", make = "mechanism")
  check_fits_cycles(x, mechanism$cycles)
  check_can_perturb(mechanism)
  if (!is.null(replicates)) {
    check_whole(replicates, min = 2, max = 1e6)
  }
  check_flag(insist)
  counts <- dense_counts(x)
  check_zero_pattern(counts, mechanism$cycles)
  if (!insist) {
    check_few_zeros(counts, mechanism)
  }
  rehearse(counts, mechanism, replicates)
}

# Some tens of millions of entries in all, unless it is said how many.
rehearse <- function(counts, mechanism, replicates = NULL) {
  if (is.null(replicates)) {
    a_step <- count_entries(mechanism$cycles) / length(mechanism$cycles)
    entries <- a_step * step_count(mechanism) + prod(dim(mechanism$cycles))
    replicates <- min(1000, max(4, floor(2e7 / entries)))
  }
  run <- with_core(cpp_rehearse_mechanism(counts, mechanism, replicates, 20160180))
  shares <- list(
    small = run$changed_small / run$small,
    nonzero = run$changed_nonzero / run$nonzero,
    prevented = run$prevented / run$asked
  )
  shares <- lapply(shares, function(s) s[is.finite(s)])
  structure(
    data.frame(
      expected = vapply(shares, mean_or_na, 0),
      std_error = vapply(shares, function(s) stats::sd(s) / sqrt(length(s)), 0)
    ),
    replicates = as.integer(replicates),
    class = sdc_class("sdc_protection", mark = "confidential", of = "data.frame")
  )
}

check_protection <- function(expected, min_protection) {
  what <- if (is.na(expected["small", "expected"])) "nonzero" else "small"
  share <- expected[what, "expected"]
  if (share >= min_protection) {
    return(invisible(expected))
  }
  cells <- c(small = "cells with a count of 1 or 2", nonzero = "cells with a count")[[what]]
  abort_sdc("refused", c(
    "At least {percent(min_protection)} of the {cells} must be expected to change.",
    x = "About {percent(share)} would be. Nothing was drawn.",
    i = "Try {.fn cycles_banded}, more {.arg covers} or another {.arg zero_rule};
         {.fn expected_protection} compares them.",
    i = "{.code insist = TRUE} perturbs the table nevertheless."
  ))
}

#' @export
format.sdc_protection <- function(x, ...) {
  words <- c(
    small = "small cells (1, 2) that change", nonzero = "non-zero cells that change",
    prevented = "moves prevented"
  )
  value <- ifelse(
    is.na(x$expected), "none there",
    sprintf("%.3f (s.e. %.3f)", x$expected, x$std_error)
  )
  c(
    paste0(words, ": ", value),
    paste0("expected shares, from ", attr(x, "replicates"), " simulated runs")
  )
}

most_certain <- .01 # of the counts of 1 and 2, known to everybody

most_given <- .25 # of them, given away by one other known cell in every publication

# The shares of the small counts. From table and design alone: the coins have no part in it.
judge_certainty <- function(counts, mechanism) {
  small <- counts %in% 1:2
  if (!any(small)) {
    return(c(certain = 0, given = 0))
  }
  found <- with_core(cpp_certain_cells(counts, small, mechanism, 20160181, 200, 200, 2e7))
  mates <- mates_of(with_core(cpp_count_preserved(mechanism$cycles))$class)
  c(certain = found[["certain"]] / found[["seen"]], given = mean(mates[small] > 0))
}

passes_certainty <- function(judged) {
  judged[["certain"]] <= most_certain && judged[["given"]] <= most_given
}

# `expressions`: those of the table and of the mechanism in the call.
check_no_certainty <- function(x, counts, mechanism, min_protection, expressions) {
  judged <- judge_certainty(counts, mechanism)
  if (passes_certainty(judged)) {
    return(invisible(judged))
  }
  other <- named_other_design(x, counts, mechanism, min_protection, expressions)
  cells <- "of the cells with a count of 1 or 2"
  abort_sdc("refused", c(
    "At most {percent(most_certain)} {cells} may be known for certain, and at most
     {percent(most_given)} given away by one other known cell.",
    x = if (judged[["certain"]] > most_certain) {
      "About {percent(judged[['certain']])} would be known for certain. Nothing was drawn."
    } else {
      "The set gives {percent(judged[['given']])} away. Nothing was drawn."
    },
    i = if (is.null(other)) {
      paste0("No design that was tried would do: publish a coarser table, or other cycles",
             if (length(dim(x)) > 2) " on merged variables ({.code cycles_margin(ways = )})", ".")
    } else {
      "This design would do: {.code {other}}"
    },
    i = "{.code insist = TRUE} perturbs the table nevertheless."
  ))
}

# The code of a design for the message. Larger tables would take too long.
named_other_design <- function(x, counts, mechanism, min_protection, expressions) {
  if (length(counts) > 1e5) {
    return(NULL)
  }
  is_name <- vapply(expressions, is.symbol, NA)
  expressions[!is_name] <- list(quote(x), quote(mechanism))[!is_name]
  data <- rlang::set_names(list(x, mechanism), vapply(expressions, as.character, ""))
  designs <- other_designs(x, mechanism, expressions)
  call <- find_other_design(x, counts, min_protection, designs, data)
  if (!is.null(call)) call_text(call)
}

# The first of the `designs`, calls on `data`, that perturb() would take.
find_other_design <- function(x, counts, min_protection, designs, data) {
  for (call in designs) {
    made <- tryCatch(eval(call, data, topenv()), sdc_error = function(cnd) NULL)
    if (!is.null(made) && would_perturb(x, counts, made, min_protection)) {
      return(call)
    }
  }
  NULL
}

would_perturb <- function(x, counts, mechanism, min_protection) {
  tryCatch(
    {
      check_can_perturb(mechanism)
      check_all_totals_stay(mechanism$cycles)
      check_few_zeros(counts, mechanism)
      check_protection(rehearse(counts, mechanism), min_protection)
      passes_certainty(judge_certainty(counts, mechanism))
    },
    sdc_error = function(cnd) FALSE
  )
}

# Calls of mechanism(), the nearest ones first.
other_designs <- function(x, mechanism, expressions) {
  me <- expressions[[2]]
  own <- bquote(.(me)$cycles)
  sets <- other_sets(x, expressions[[1]])
  blocked <- mechanism$zero_rule == "blocked"
  even <- length(mechanism$alpha) == 1 && length(mechanism$beta) == 1
  if (!even) sets <- list()
  chances <- if (!even) {
    list(alpha = bquote(.(me)$alpha), beta = bquote(.(me)$beta))
  } else if (any(c(mechanism$alpha, mechanism$beta) != .25)) {
    mechanism[c("alpha", "beta")]
  }
  design <- function(set, rule = NULL, covers = mechanism$covers) {
    as.call(c(quote(mechanism), set, chances, if (covers > 1) list(covers = as.double(covers)),
              if (!is.null(rule)) list(zero_rule = rule)))
  }
  fixed <- Filter(function(set) is.null(set$skip_zeros), sets)
  rule <- if (!blocked) "nonnegative"
  c(
    if (blocked) list(design(own, "nonnegative")),
    lapply(if (blocked) sets else fixed, design, rule = rule),
    if (blocked) lapply(fixed, design, rule = "nonnegative"),
    list(design(own, rule, mechanism$covers + 1))
  )
}

# Triads, cut along rows or columns, with groups drawn anew; the last ones skip zeros.
other_sets <- function(x, name) {
  if (sum(dim(x) > 1) != 2 || length(dim(x)) != 2) {
    return(if (length(dim(x)) > 2) unique(lapply(1:5, margin_set_call, x, name)) else list())
  }
  ways <- expand.grid(seed = 1:5, transposed = c(FALSE, TRUE), skip = c(FALSE, TRUE))
  lapply(seq_len(nrow(ways)), function(i) {
    as.call(c(list(quote(cycles_banded), name, seed = as.double(ways$seed[[i]])),
              if (ways$transposed[[i]]) list(transposed = TRUE),
              if (ways$skip[[i]]) list(skip_zeros = TRUE)))
  })
}

# Where the variables are merged into two ways, groups are drawn by the seed. Other sets have none.
margin_set_call <- function(seed, x, name) {
  tryCatch(
    {
      cycles_margin(x, seed = seed)
      bquote(cycles_margin(.(name), seed = .(as.double(seed))))
    },
    sdc_error = function(cnd) bquote(cycles_margin(.(name)))
  )
}
