# What can be asked of a set of cycles: its entries, its chances, its picture.

#' Work with a set of cycles
#'
#' `length()` is the number of cycles; `dim()` and `dimnames()` are those of the table; `as.list()`
#' gives the cycles as arrays of coefficients, `as.data.frame()` as one row for each cell that a
#' cycle changes. `[[` gives one cycle, `[` a list of some. Of a set that skips zeros these are the
#' moves that are made where no cell is zero.
#'
#' @param x (sdc_cycles) The set.
#' @param ... Not used.
#' @param row.names,optional,stringsAsFactors Ignored; present for compatibility with
#'   [data.frame()].
#' @param max_rows (whole number) `as.data.frame()` stops above this number of rows, `as.list()`
#'   above this number of numbers.
#' @param i (whole numbers; for `[` also a logical vector as long as the set) The cycles, by number;
#'   negative numbers leave out, for `[`. `[[` takes one number, or the name of a field of the
#'   object.
#' @return `as.data.frame()`: columns `cycle` (integer), one factor for each variable,
#'   `coefficient` (integer). `as.list()` and `[`: one integer array for each cycle. `[[`: one such
#'   array. A list of some cycles becomes a set again with [cycles()].
#' @section Errors:
#' `sdc_error_too_large` above `max_rows`, with the size in the message; `sdc_error_input` when a
#' variable is itself called `cycle` or `coefficient`, for a number that is no cycle's, and for
#' unknown arguments.
#' @family cycle
#' @name sdc_cycles-methods
#' @examples
#' set <- cycles_bidiagonal(matrix(0, 3, 3))
#' length(set)
#' head(as.data.frame(set))
#' set[[2]]
NULL

#' @rdname sdc_cycles-methods
#' @export
length.sdc_cycles <- function(x) as.integer(cpp_count_cycles(x))

#' @rdname sdc_cycles-methods
#' @export
dim.sdc_cycles <- function(x) lengths(x$dimnames, use.names = FALSE)

#' @rdname sdc_cycles-methods
#' @export
dimnames.sdc_cycles <- function(x) x$dimnames

#' @rdname sdc_cycles-methods
#' @export
as.list.sdc_cycles <- function(x, ..., max_rows = 1e7) {
  check_no_dots(...)
  cycle_arrays(x, seq_len(length(x)), max_rows)
}

cycle_arrays <- function(x, numbers, limit) {
  cells <- prod(dim(x))
  check_size(cells * length(numbers), limit, "numbers in arrays of cycles")
  all <- expand_cycles(x)
  lapply(numbers, function(c) {
    at <- entries_of(all, c)
    move <- integer(cells)
    move[all$cell[at]] <- all$coefficient[at]
    array(move, dim = dim(x), dimnames = dimnames(x))
  })
}

# A string is the name of a field: what code that walks over lists asks for.
#' @rdname sdc_cycles-methods
#' @export
`[[.sdc_cycles` <- function(x, i, ...) {
  check_no_dots(...)
  if (is.character(i)) {
    return(unclass(x)[[i]])
  }
  check_whole(i, min = 1, max = length(x))
  cycle_arrays(x, i, Inf)[[1]]
}

#' @rdname sdc_cycles-methods
#' @export
`[.sdc_cycles` <- function(x, i, ...) {
  check_no_dots(...)
  numbers <- seq_len(length(x))
  if (!missing(i)) {
    check_cycle_numbers(i, length(x))
    numbers <- numbers[i]
  }
  cycle_arrays(x, numbers, 1e7)
}

# What R's own vectors take for an index, but nothing recycled, missing, mixed or cut off.
check_cycle_numbers <- function(i, n) {
  whole <- is_whole_vector(i) && all(abs(i) >= 1 & abs(i) <= n) && (all(i > 0) || all(i < 0))
  if (whole || (is.logical(i) && length(i) == n && !anyNA(i))) {
    return(invisible(i))
  }
  abort_sdc("input", c(
    "{.arg i} must hold numbers of cycles from 1 to {n} (or all negative), or one flag for each
     cycle.",
    x = "{describe_index(i, n)}",
    i = "{.fn as.list} gives all cycles."
  ))
}

describe_index <- function(i, n) {
  if (!is_whole_vector(i)) {
    return(describe(i, "i"))
  }
  bad <- which(abs(i) < 1 | abs(i) > n)
  if (length(bad)) paste0("Position ", bad[[1]], " is ", i[[bad[[1]]]], ".") else "It mixes signs."
}

#' @rdname sdc_cycles-methods
#' @export
as.data.frame.sdc_cycles <- function(x, row.names = NULL, optional = FALSE, ..., max_rows = 1e7,
                                     stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_free_names(dimnames(x), c("cycle", "coefficient"))
  check_size(count_entries(x), max_rows, "rows")
  all <- expand_cycles(x)
  out <- data.frame(cycle = rep(seq_len(length(x)), diff(all$start)))
  out[names(dimnames(x))] <- cell_factors(all$cell, dimnames(x))
  out$coefficient <- all$coefficient
  out
}

# Known before anything is expanded: two entries for each line on a cycle's band.
count_entries <- function(x) {
  p <- x$parameters
  switch(x$rule,
    user = ,
    data = length(p$cell),
    banded = if (p$group == 3) {
      4 * length(x)
    } else {
      2 * sum(lengths(p$groups)) * (length(p$rings[[1]]) - p$open)
    },
    merged = count_entries(merged_set(x)),
    nested = sum(vapply(part_sets(x), count_entries, 0)),
    2 * prod(dim(x))
  )
}

# The cycles of one cover, in its order, and how often it applies each.
cover_order <- function(x) with_core(cpp_cover_cycles(x))

cover_length <- function(x) cpp_count_steps(x)

cover_times <- function(x) tabulate(cover_order(x), length(x))

expand_cycles <- function(x) with_core(cpp_expand_cycles(x))

entries_of <- function(all, c) seq.int(all$start[[c]] + 1, all$start[[c + 1]])

#' @rdname sdc_cycles-methods
#' @export
format.sdc_cycles <- function(x, ...) {
  kept <- vapply(x$preserves, margin_name, "")
  kept <- if (length(kept) > 4) c(kept[1:4],
                                  paste(format_count(length(kept) - 4), "more")) else kept
  c(
    paste0(rule_name(x), " on ", paste(dim(x), collapse = " x "), " cells"),
    if (x$rule == "merged") {
      paste0("ways: ", ways_words(x$dimnames, x$parameters$ways), " (",
             paste(dim(merged_set(x)), collapse = " x "), ")")
    },
    paste0("cycles: ", cycle_words(x)),
    paste0("margins kept: ", if (length(kept)) paste(kept, collapse = ", ") else "none claimed"),
    totals_kept_words(x),
    if (x$rule == "data") data_cycle_words(x)
  )
}

# "96", or "96, 128 steps a cover" where some cycles are applied more than once.
cycle_words <- function(x) {
  steps <- cover_length(x)
  again <- if (steps != length(x)) paste0(", ", plural(steps, "step"), " a cover")
  paste0(format_count(length(x)), again)
}

rule_name <- function(x) {
  parameters <- x$parameters
  turned <- isTRUE(parameters$transposed)
  switch(x$rule,
    bidiagonal = paste0("bidiagonal set, walk \"", parameters$walk, "\"",
                        if (turned) " along the columns"),
    banded = paste0("banded set of ", band_words(parameters), ring_words(parameters)),
    user = "set of user's moves",
    data = "data cycles",
    margin = paste0("margin set along ", names(x$dimnames)[[parameters$ring]]),
    merged = paste0(rule_name(merged_set(x)), ", variables merged,"),
    nested = paste0(part_rule_name(x), " in ", plural(length(parameters$parts), "block"),
                    " of siblings,")
  )
}

# The rule of the parts; the numbers in its name are those of the first.
part_rule_name <- function(x) {
  of <- part_sets(x, 1)[[1]]
  if (of$rule == "merged") of <- merged_set(of)
  switch(of$rule, bidiagonal = "bidiagonal sets", margin = "margin sets", user = "user's moves",
         banded = paste0("banded sets of ", if (of$parameters$group == 3) "triads and ", "pairs",
                         ring_words(of$parameters)))
}

ring_words <- function(parameters) {
  if (parameters$skip_zeros) ", skipping zeros" else if (parameters$open) ", open rings"
}

skips_zeros <- function(x) {
  switch(x$rule,
    merged = skips_zeros(merged_set(x)),
    nested = skips_zeros(part_sets(x, 1)[[1]]),
    isTRUE(x$parameters$skip_zeros)
  )
}

# "2 triads and 1 pair of rows", "2 pairs of rows and 1 band of three rows"
band_words <- function(parameters) {
  size <- lengths(parameters$groups)
  lines <- if (parameters$transposed) "columns" else "rows"
  threes <- group_words(sum(size == 3), if (parameters$group == 3) "triad of" else "band of three",
                        lines)
  pairs <- group_words(sum(size == 2), "pair of", lines)
  paste(if (parameters$group == 3) c(threes, pairs) else c(pairs, threes), collapse = " and ")
}

# "2 pairs of rows"; nothing for none.
group_words <- function(n, noun, lines) {
  if (n > 0) paste(n, if (n == 1) noun else sub("^([a-z]+)", "\\1s", noun), lines)
}

#' @rdname sdc_cycles-methods
#' @export
print.sdc_cycles <- function(x, ...) {
  NextMethod()
  pairs <- pair_words(x)
  if (length(pairs) > 0) cat(paste0("  ", pairs), sep = "\n")
  invisible(x)
}

# What the pairs that a number of lines leaves beside triads give away; nothing without any.
pair_words <- function(x) {
  if (x$rule != "banded" || x$parameters$group != 3 || all(lengths(x$parameters$groups) == 3)) {
    return(NULL)
  }
  turned <- x$parameters$transposed
  across <- if (turned) "row" else "column"
  other <- dim(x)[[if (turned) 1 else 2]]
  c(
    paste0("in a pair each known cell gives away the other one of its ", across),
    if (other %% 3 == 0) {
      paste0("`transposed = ", !turned, "` makes triads of all ", other, " ", across, "s")
    }
  )
}

# length() counts cycles, which the default method would take for the number of fields.
#' @importFrom utils str
#' @export
str.sdc_cycles <- function(object, ...) {
  cat(" <sdc_cycles> ", paste(format(object), collapse = "; "), "\n", sep = "")
}
