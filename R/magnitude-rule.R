# Sensitivity rules: plain values that combine with c() and are judged in the core.

#' Rules that say which cells of a magnitude table are sensitive
#'
#' A rule looks at the contributors of a cell, largest first: \eqn{x_1 \ge x_2 \ge \ldots}{x1 >= x2
#' >= ...} with the sum T. Rules combine with `c()`: a cell is sensitive when any of them fires.
#'
#' @details
#' | rule | a cell is sensitive when |
#' | --- | --- |
#' | `rule_threshold(n)` | it has fewer than `n` contributors |
#' | `rule_max_share(k)` | x1 is more than `k` % of T |
#' | `rule_nk(n, k)` | x1 + ... + xn is more than `k` % of T |
#' | `rule_p_percent(p)` | T - x1 - x2 is less than `p` % of x1: so near comes T - x2 |
#' | `rule_np(n, p)` | it has fewer than `n` contributors, or one has more than `p` % of T |
#'
#' **At the limit a cell is not sensitive**, for all rules. Contributors of value 0 count for
#' `rule_threshold()`; they are no rest. A cell whose total is 0 fires no other rule.
#'
#' **Contributors needed.** Whatever they hold, too few contributors of positive value always fire a
#' rule: fewer than `ceiling(100 / k)` for `rule_max_share()`, `max(n + 1, ceiling(100 n / k))` for
#' `rule_nk()`, `2 + ceiling(p / 100)` for `rule_p_percent()`. No change of values mends such a
#' cell.
#'
#' @param n (whole number from 1 to 1e6) Contributors.
#' @param k,p (number, percent) The limit in percent: 90 is 90 %. From 1 to 100, for
#'   `rule_p_percent()` to 1000, with at most six decimals. A share like 0.9 is an error.
#' @param ... Must be empty.
#' @return An object of class `sdc_rules`. It answers `c()`, `length()`, `print()`, `format()` and
#'   `as.data.frame()` (a row for each rule: `rule`, `n`, `percent`, `contributors_needed`).
#' @section Errors:
#' `sdc_error_input` for limits out of range, and from `c()` for anything that is no rule.
#' @section Guarantee:
#' Exact: rules are compared in whole numbers of 128 bits.
#' @template ref-magnitude
#' @references Karr, A. F., Dobra, A., Sanil, A. P. and Fienberg, S. E. (2002). *Software systems
#'   for tabular data releases*. Technical Report 125, National Institute of Statistical Sciences,
#'   section 2: the (n, p) rule.
#' @family magnitude
#' @name rules
#' @examples
#' rules <- c(rule_threshold(3), rule_p_percent(10))
#' rules
#' as.data.frame(c(rules, rule_nk(2, 85)))
NULL

#' @rdname rules
#' @export
rule_threshold <- function(n = 3, ...) {
  check_no_dots(...)
  check_whole(n, min = 1, max = 1e6)
  new_rules("threshold", n, 0, sprintf("threshold(%s)", plain_number(n)))
}

#' @rdname rules
#' @export
rule_max_share <- function(k = 90, ...) {
  check_no_dots(...)
  check_percent(k, 100)
  warn_of_low_share(1, k)
  new_rules("nk", 1, k, sprintf("max_share(%s)", plain_number(k)))
}

#' @rdname rules
#' @export
rule_nk <- function(n, k, ...) {
  check_no_dots(...)
  check_given(n)
  check_given(k)
  check_whole(n, min = 1, max = 1e6)
  check_percent(k, 100)
  warn_of_low_share(n, k)
  new_rules("nk", n, k, sprintf("nk(%s, %s)", plain_number(n), plain_number(k)))
}

#' @rdname rules
#' @export
rule_p_percent <- function(p, ...) {
  check_no_dots(...)
  check_given(p)
  check_percent(p, 1000)
  new_rules("p_percent", 0, p, sprintf("p_percent(%s)", plain_number(p)))
}

#' @rdname rules
#' @export
rule_np <- function(n = 3, p = 60, ...) {
  check_no_dots(...)
  check_whole(n, min = 1, max = 1e6)
  check_percent(p, 100)
  c(rule_threshold(n), rule_max_share(p))
}

new_rules <- function(kind, n, percent, label) {
  structure(list(kind = kind, n = n, percent = round(percent * 1e6), label = label),
            class = sdc_class("sdc_rules"))
}

# A limit that every cell of so many contributors breaks is seldom meant.
warn_of_low_share <- function(n, k) {
  if (k >= 10 && k > n) {
    return(invisible(k))
  }
  warn_sdc("input", c(
    if (n == 1) {
      "{.arg k} is the percentage that the largest contributor may hold."
    } else {
      "{.arg k} is the percentage that the largest {n} contributors may hold together."
    },
    x = "{.arg k} is {k}: almost every cell would be sensitive.",
    i = if (k < n && n > 10) "Are the two arguments swapped? Then write {.code n = {k}, k = {n}}."
  ))
}

# The core takes whole millionths of a percent.
check_percent <- function(x, max, arg = rlang::caller_arg(x)) {
  number <- is.numeric(x) && length(x) == 1 && !is.na(x)
  if (number && x > 0 && x < 1) {
    abort_sdc("input", c(
      "{.arg {arg}} must be in percent, from 1 to {max}.",
      x = "{.arg {arg}} is {x}, less than one percent.",
      i = "Is that a share? Then write {100 * x}."
    ))
  }
  check_number(x, min = 1, max = max, arg = arg)
  if (abs(x * 1e6 - round(x * 1e6)) < 1e-4) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must have at most six decimals.",
    x = "{.arg {arg}} is {x}."
  ))
}

#' @export
c.sdc_rules <- function(...) {
  parts <- list(...)
  for (part in parts) check_class(part, "sdc_rules", "...", make = "rule_p_percent")
  fields <- lapply(c("kind", "n", "percent", "label"), function(f) {
    unlist(lapply(parts, function(part) unclass(part)[[f]]))
  })
  again <- duplicated(fields[[4]])
  fields <- lapply(fields, function(f) f[!again])
  new_rules_from(fields)
}

new_rules_from <- function(fields) {
  structure(list(kind = fields[[1]], n = fields[[2]], percent = fields[[3]], label = fields[[4]]),
            class = sdc_class("sdc_rules"))
}

check_sensitivity_rules <- function(rules) {
  if (missing(rules)) {
    abort_sdc("input", c(
      "Argument {.arg rules} is missing.",
      i = "A table of magnitudes needs {.fn rule_p_percent}, {.fn rule_nk}, {.fn rule_threshold} or
           another rule; {.arg maxN} and {.arg threshold} are for tables of counts."
    ))
  }
  if (is.list(rules) && !is.object(rules)) {
    abort_sdc("input", c(
      "{.arg rules} must be rules that {.fn c} combines.",
      x = "{.arg rules} is {.obj_type_friendly {rules}}.",
      i = "Write {.code c(rule_threshold(3), rule_p_percent(10))}."
    ))
  }
  check_class(rules, "sdc_rules", "rules", make = "rule_p_percent")
  if (length(rules) > 64) {
    abort_sdc("input", c(
      "{.arg rules} may hold at most 64 rules.", x = "It holds {length(rules)}."
    ))
  }
  invisible(rules)
}

# The percentage by which published totals shall miss the largest contributor: that of the strictest
# p percent rule, or else the argument.
rules_percent <- function(rules, otherwise) {
  p <- rules$percent[rules$kind == "p_percent"]
  if (length(p) > 0) max(p) else round(otherwise * 1e6)
}

#' @export
length.sdc_rules <- function(x) length(unclass(x)$kind)

#' @export
format.sdc_rules <- function(x, ...) {
  words <- c(
    threshold = "fewer than %n contributor%s",
    nk = "the largest %n contributor%s hold%t more than %k %% of the total",
    p_percent = "the total without the two largest is less than %k %% of the largest"
  )
  out <- words[x$kind]
  for (i in seq_along(out)) {
    one <- x$n[i] == 1
    out[i] <- gsub("%n ", if (one && x$kind[i] == "nk") "" else paste0(plain_number(x$n[i]), " "),
                   out[i], fixed = TRUE)
    out[i] <- gsub("%s", if (one) "" else "s", out[i], fixed = TRUE)
    out[i] <- gsub("%t", if (one) "s" else "", out[i], fixed = TRUE)
    out[i] <- gsub("%k", plain_number(x$percent[i] / 1e6), out[i], fixed = TRUE)
    out[i] <- gsub("%%", "%", out[i], fixed = TRUE)
  }
  paste0(x$label, ": ", unname(out))
}

#' @export
print.sdc_rules <- function(x, ...) {
  cat("<sdc_rules> a cell is sensitive when", paste0("  ", format(x)), sep = "\n")
  invisible(x)
}

#' @export
as.data.frame.sdc_rules <- function(x, row.names = NULL, optional = FALSE, ...,
                                    stringsAsFactors = FALSE) {
  check_no_dots(...)
  percent <- x$percent / 1e6
  needed <- ifelse(
    x$kind == "threshold", x$n,
    ifelse(x$kind == "nk",
           ifelse(percent >= 100, 0, pmax(x$n + 1, ceiling(100 * x$n / percent))),
           2 + ceiling(percent / 100))
  )
  list2data_frame(list(
    rule = x$label, n = ifelse(x$kind == "p_percent", NA, x$n),
    percent = ifelse(x$kind == "threshold", NA, percent), contributors_needed = needed
  ), length(x))
}
