# For whom suppress() certifies where the user names no readers: readers who know the method, too,
# where that costs little.
#
# The decision must give nothing away itself. It depends on the arguments, on the numbers of cells,
# on which cells are zero and which are primary, and on whether a level suffices, which tables of
# one status that support each other decide alike (core: blind_levels.hpp). The choice needs no
# secret, so that the same call suppresses the same cells.

# How much more than the usual choice without a look at counts a level may cost.
most_price <- 1.25
few_more <- 2

# `search`: what chooses cells for the wishes of `asked`. Adds `readers`; and `left_out`, where the
# user named none and readers who know the method are not among them; `without`, what would be
# hidden without them, unless the wishes are `unpriced`.
search_for_readers <- function(search, x, asked) {
  readers <- asked$ask$wishes$readers
  usual <- usual_ask(asked)
  if (!is.null(readers) && !"method" %in% readers || !any(asked$measure$primary)) {
    usual$ask$wishes$readers <- readers %||% usual_readers
    return(c(search(usual), list(readers = usual$ask$wishes$readers)))
  }
  why <- if (is.null(readers)) why_not_offered(x, asked)
  if (is.null(why)) {
    found <- search(if (is.null(readers)) offered_ask(asked) else asked)
    why <- if (is.null(readers)) why_not_taken(found)
  }
  if (!is.null(why)) {
    return(c(search(usual), list(readers = usual_readers, left_out = why)))
  }
  priced <- !isTRUE(asked$ask$wishes$unpriced) && has_few_cells(asked$measure)
  c(with_price(found, if (priced) search(usual)),
    list(readers = readers %||% offered_readers))
}

# The question without readers who know the method.
usual_ask <- function(asked) {
  wishes <- asked$ask$wishes
  if (!is.null(wishes$key)) wishes["seed"] <- key_numbers(wishes$key, 0)["seed"]
  if ("method" %in% wishes$readers) wishes$time_limit_s <- min(wishes$time_limit_s, 2)
  wishes["key"] <- list(NULL)
  wishes$readers <- setdiff(wishes$readers %||% usual_readers, "method")
  asked$ask$wishes <- wishes
  asked
}

# The question for all readers, where the user left open whether to ask it. A choice that looks at
# no count must come to its end.
offered_ask <- function(asked) {
  wishes <- asked$ask$wishes
  wishes$offered <- TRUE
  wishes$readers <- offered_readers
  wishes$time_limit_s <- 15 * wishes$time_limit_s
  asked$ask$wishes <- wishes
  asked
}

has_few_cells <- function(measure) sum(measure$open & measure$amount > 0) <= 300

# Whoever is certified for more readers is so for fewer: what these need at least, all need.
with_price <- function(found, usual) {
  if (is.null(usual)) {
    return(found)
  }
  found$bound <- usual$bound
  found$without <- usual$suppressed
  found
}

# By what everybody may know.
why_not_offered <- function(x, asked) {
  ask <- asked$ask
  wishes <- ask$wishes
  code <- if (!identical(ask$method, "certified") || !is.null(ask$pattern)) {
    "chosen"
  } else if (!identical(wishes$cost, "cells") || !is.null(wishes$groups) || !is.null(ask$start) ||
               any(c("u", "x") %in% wishes$status[["sdcStatus"]])) {
    "arguments"
  } else if (!is.null(table_crossings(x$original))) {
    "linked"
  } else if (x$protectZeros) {
    "zeros"
  } else if (x$maxN - 1 < wishes$width) {
    "narrow"
  } else if (!has_few_cells(asked$measure)) {
    "large"
  }
  if (!is.null(code)) list(reason = code)
}

# Of a search of levels.
why_not_taken <- function(found) {
  if (found$level > 0) {
    NULL
  } else if (!found$value_free) {
    list(reason = "time")
  } else if (found$dear_cost > 0) {
    list(reason = "dear", cost = found$dear_cost, usual = found$usual_cost)
  } else {
    list(reason = "open")
  }
}

# Why readers who know the method are not covered, in brackets.
left_out_words <- function(x) {
  out <- x$left_out
  if (is.null(out)) {
    return("")
  }
  said <- switch(
    out$reason,
    linked = "it is not offered for linked tables",
    zeros = "where zeros are protected `readers` must name them",
    narrow = "for them `maxN` must be above `width`",
    large = "of more than 300 cells that are not zero `readers` must name them",
    time = "the time limit ended the choice",
    dear = paste0("a choice without a look at counts would cost ", format_number(out$cost),
                  " or more where ", format_number(out$usual), " is usual"),
    open = "no choice without a look at counts was found to suffice",
    arguments = "an argument such as `cost` or `groups` may look at counts"
  )
  if (is.null(said)) "" else paste0(" (", said, ")")
}

# What protecting from readers who know the method costs.
price_words <- function(x) {
  if (is.null(x$price)) {
    return(NULL)
  }
  more <- x$cost - x$price
  paste0("to protect from readers who know the method costs ",
         if (more > 0) paste(format_number(more), "more than", format_number(x$price)) else
           "nothing more")
}
