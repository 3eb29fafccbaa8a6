# No design that publishes certainty: what perturb() refuses before it draws, and what it proposes.

most_certain <- .01 # of the counts of 1 and 2, known to everybody
most_given <- .25 # of them, given away by one other known cell in every publication

# The shares of the small counts. From table and design alone: the coins have no part in it.
judge_certainty <- function(counts, mechanism) {
  small <- counts %in% 1:2
  if (!any(small)) {
    return(c(certain = 0, given = 0))
  }
  found <- cpp_certain_cells(counts, small, mechanism, 20160181, 200, 200, 2e7)
  mates <- mates_of(cpp_count_preserved(mechanism$cycles)$class)
  c(certain = found[["certain"]] / found[["seen"]], given = mean(mates[small] > 0))
}

passes_certainty <- function(judged) {
  judged[["certain"]] <= most_certain && judged[["given"]] <= most_given
}

# `expressions`: those of the table and of the mechanism in the call.
check_no_certainty <- function(x, counts, mechanism, min_protection, expressions) {
  judged <- with_core(judge_certainty(counts, mechanism))
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
      passes_certainty(with_core(judge_certainty(counts, mechanism)))
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
