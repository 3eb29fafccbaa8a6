# Self-consistent announcements: the envelope of a table server, chosen so that a reader who knows
# how it was chosen learns no more than the server promises. For tables that can be listed together
# with all others that have the same one-way tables, their class; the construction and its proof are
# in the head of core/server/announce.hpp.
#
# The envelope depends on the original through its block only. A reader knows the class, which is
# public, can run the same construction, and is left with the tables of the block.

# Tables times cells of a class, and its cells.
max_listed <- 2e7
max_listed_cells <- 4096

# All tables with the one-way tables of `x`, a column each. `hints`: for the error when they are
# more than `limit`, or take too long to find.
list_one_way <- function(x, limit, hints = list()) {
  # enough for so many tables; more would only take long to find that there are too many
  effort <- fibre_options("auto", 10 * limit + 1e4, 1e3 * limit + 1e6)
  start <- one_way_sets(table_steps(x), length(x$dimnames))
  named <- lapply(start, function(set) names(x$dimnames)[set])
  one_way <- as_constraints(margins(without_levels(x), named))
  with_core(cpp_enumerate_tables(one_way, effort, limit, NULL), hints = hints)
}

# As release_problem(), for any table: neither cells at risk nor safe one-way tables are asked for.
planned_problem <- function(x, risk) {
  bare_problem(x, risk, kinds = c("width", "n"), needs_risk = FALSE)
}

# The class of the table; NULL when it is not listed, which depends on its one-way tables only.
list_class <- function(problem, limit) {
  n <- prod(problem$dim)
  by_count <- inherits(problem$risk, "sdc_risk_width") && is.null(problem$risk$cells)
  limit <- min(limit, floor(max_listed / n))
  if (!by_count || n > max_listed_cells || limit < 1) {
    return(NULL)
  }
  tryCatch(list_one_way(problem$x, limit), sdc_error_too_large = function(cnd) NULL)
}

max_envelope_variables <- 5

# The announcement for each table of a class; NULL when the time is over. `sets`: the only envelope
# that may be announced, or NULL for all. `steps`: see core/server/announce.hpp; two of the three
# keep the promise. `levels`: of each variable.
announce_class <- function(tables, dim, risk, sets = NULL, max_dimension = NULL, steps = 3,
                           seconds = Inf, threads = 1, progress = NULL,
                           levels = rep(1L, length(dim))) {
  with_core(cpp_announce(
    tables, dim, levels, as.numeric(risk$at_risk), integer(), risk$beta,
    if (!is.null(sets)) list(sets), min(max_dimension, length(dim)), steps, seconds, threads,
    progress
  ))
}

# The envelope of table number `i` as maximal sets, with the one-way tables.
announced_sets <- function(found, i, one_way) {
  sets <- if (found$envelope[i] > 0) found$sets[[found$envelope[i]]]
  order_sets(maximal_sets(c(sets, one_way)))
}

table_number <- function(tables, counts) which(colSums(tables != counts) == 0)

# Looks through a block, with nothing taken from how it was found but its tables: is the original
# one of them, do all agree in the sets of the envelope, and does every cell at risk of each of them
# take values at least `beta` apart? Left out are tables with a cell at risk that is narrower
# already from the one-way tables. That the block is all that a reader is left with is shown by
# announcing anew: see audit().
check_announced <- function(problem, sets, block) {
  counts <- dense_counts(problem$x)
  fault <- if (!is_block(block, length(counts))) {
    "its tables cannot be read"
  } else if (anyDuplicated(block, MARGIN = 2) > 0 || length(table_number(block, counts)) != 1) {
    "the original is not one of its tables"
  } else if (!all(vapply(sets, agree_in, NA, block = block, size = problem$dim))) {
    "its tables differ in what is announced"
  } else if (breaks_promise(problem, block)) {
    "a cell at risk is narrow"
  }
  list(verified = is.null(fault), fault = fault %||% NA_character_)
}

is_block <- function(block, n) {
  is.matrix(block) && is.numeric(block) && nrow(block) == n && ncol(block) > 0 && !anyNA(block) &&
    all(block >= 0 & block == floor(block))
}

agree_in <- function(set, block, size) {
  sums <- rowsum(block, cell_sums(set, size))
  all(sums == sums[, 1])
}

breaks_promise <- function(problem, block) {
  at_risk <- matrix(block %in% problem$risk$at_risk, nrow(block))
  range <- cpp_range_of_tables(block, seq_len(ncol(block)))
  narrow <- range$upper - range$lower < problem$risk$beta
  kept <- colSums(at_risk & narrow_in_class(problem)) == 0
  any(at_risk[narrow, kept])
}

# Which cells are narrow from the one-way tables, in closed form.
narrow_in_class <- function(problem) {
  counts <- lapply(one_way_sets(problem$steps, length(problem$dim)), function(set) {
    dense_counts(sub_table(problem, set))[cell_sums(set, problem$dim)]
  })
  lower <- pmax(0, Reduce(`+`, counts) - sum(problem$x) * (length(counts) - 1))
  do.call(pmin, counts) - lower < problem$risk$beta
}

# To which count of the sub-table each cell adds.
cell_sums <- function(set, size) {
  codes <- split_codes(seq_len(prod(size)), size)[set]
  stride <- cumprod(c(1, size[set]))
  as.integer(Reduce(`+`, Map(function(code, step) (code - 1) * step, codes, stride[seq_along(set)]),
                    rep(1, prod(size))))
}

# ---- what answers tell --------------------------------------------------------------------------

# What the answers of a table server tell a reader who knows the policy.
#
# The promise of a release is about the tables that are out: each cell at risk lies in an interval
# that is wide enough. But a refusal tells something too: that the original is a table for which the
# judge refuses. Here that is computed, by brute force, for tables small enough: list every table
# with the one-way tables of the original; for each, replay the requests as the judge would have
# decided them had it been the original; keep those that give the answers that were given; and see
# between what the cells at risk lie among them.
#
# The judge is the exact one: a sub-table is released when each cell at risk of the original has an
# interval of at least `beta` among all tables that agree with what is then out. (A judge with a
# time limit also refuses what it cannot prove; see `answers`.) A server starts only where there is
# a cell at risk (where they are named, each has a count above 0), the one-way tables are safe and,
# with an envelope, all of it at once. A reader knows that as well: other originals are left out.
#
# Exact for that judge. O(tables times cells times requests), and the tables are listed: at most
# `limit` of them. The core is in listed_tables.hpp.

# `requests`: in the order in which they were decided, sets of variables: numbers, names or labels.
# `beta`, and `at_risk` counts, or `cells` at risk (numbers of cells, known to the reader too), as
# in risk_width(). `rule`, `step`, `max_dimension`: which requests may be made at all, as in
# server_policy().
# `answers`: what the server really said to each, where that is known: "released", "refused" (for
# risk), "structural", "already", or "recorded" for what came out by other means, not judged. A
# refusal of what the exact judge releases was for want of a proof, and a release of what it refuses
# was undecided: such an answer is taken to tell nothing but the margin.
# `envelope`: sets of variables that were published beforehand.
# `announced`: the envelope was announced by the rule of server-announce.R, for `sets` only, unless
# they are NULL, and sets of up to `max_dimension` variables. The server starts for every table.
# `needs_risk = FALSE`: the server would start without any cell at risk, too.
#
# Gives a list of class `sdc_policy_audit`, as confidential as the table:
# * `answers`: "released", "refused", "structural", "already" or "recorded", to each request.
# * `unproved`: which decisions the exact judge would not have made.
# * `n_margins_only`, `n_policy_aware`: how many tables agree with what is out, and with the answers
#   too.
# * `cells`: a row for each cell at risk of the original: the variables; `lower`, `upper` from what
#   is out; `lower_aware`, `upper_aware` from the answers too; `broken`: is that narrower than
#   `beta`?
policy_learns <- function(x, requests, beta, at_risk = 1:2, cells = NULL,
                          rule = c("one_step", "myopic"), step = c("any", "frontier"),
                          max_dimension = NULL, answers = NULL, envelope = NULL,
                          announced = NULL, needs_risk = TRUE, limit = 1e5) {
  x <- table_argument(x, "x")
  check_flag(needs_risk)
  rule <- check_choice(rule, c("one_step", "myopic"))
  step <- check_choice(step, c("any", "frontier"))
  check_whole(limit, min = 1, max = 1e7)
  risk <- if (is.null(cells)) risk_width(beta, at_risk) else risk_width(beta, cells = cells)
  sets <- requested_sets(requests, names(x$dimnames), table_steps(x))
  check_said(answers, length(sets))
  reader <- new_reader(x, risk, needs_risk, limit, announced)
  if (!is.null(envelope) && is.null(announced)) {
    reader$aware <- intersect(reader$aware, accepting(reader, envelope))
  }
  may_ask <- function(set) {
    is_step(set, reader, rule, step) && length(set) <= (max_dimension %||% Inf)
  }
  said <- character(length(sets))
  unproved <- logical(length(sets))
  for (i in seq_along(sets)) {
    told <- hear(reader, sets[[i]], may_ask, answers[i])
    said[i] <- told$answer
    unproved[i] <- told$unproved
    reader <- told$reader
  }
  new_policy_audit(reader, x, risk, said, unproved)
}

requested_sets <- function(requests, variables, steps = NULL) {
  if (!is.list(requests)) requests <- as.list(requests)
  lapply(requests, function(set) {
    if (is.numeric(set)) set <- variables[set]
    sub_table_sets(list(set), variables, "requests", steps)[[1]]
  })
}

check_said <- function(answers, n) {
  known <- c("released", "refused", "structural", "already", "recorded")
  if (is.null(answers) || (length(answers) == n && all(answers %in% known))) {
    return(invisible(answers))
  }
  abort_sdc("input", c(
    "{.arg answers} must be one of {.or {.val {known}}} for each request.",
    x = if (length(answers) == n) {
      "{.arg answers[{which(!answers %in% known)[1]}]} is {.val {answers[!answers %in% known][1]}}."
    } else {
      "There are {length(answers)}, for {n} request{?s}."
    }
  ))
}

# A reader has the `tables` that agree with the one-way tables, a column each; `agree`: those that
# agree with what is `out`; `aware`: those that give the same answers. `truth`: the original.
new_reader <- function(x, risk, needs_risk, limit, announced) {
  problem <- if (is.null(announced)) release_problem(x, risk, kinds = "width") else
    planned_problem(x, risk)
  start <- one_way_sets(problem$steps, length(problem$variables))
  tables <- list_one_way(x, limit, list(too_large = paste0(
    "What a reader learns is found by listing all tables that agree with the one-way tables, ",
    "of which there may be ", format_count(limit), "."
  )))
  reader <- list(
    tables = tables, truth = table_number(tables, dense_counts(x)), dim = dim(x),
    counts = as.numeric(risk$at_risk), cells = named_cells(problem, risk), width = risk$beta,
    agree = seq_len(ncol(tables)), out = c(list(integer()), start),
    levels = level_counts(problem$steps, length(problem$dim))
  )
  reader$aware <- if (is.null(announced)) starting(reader, needs_risk) else
    announced_block(reader, risk, announced)
  reader
}

# For which originals does the server start?
starting <- function(reader, needs_risk) {
  start <- judge_for(reader, integer())
  start$among[start$safe & (!needs_risk | has_risk(reader))]
}

# For which originals would the same have been announced, with the same sub-tables in it?
announced_block <- function(reader, risk, announced) {
  found <- announce_class(reader$tables, reader$dim, risk, announced$sets, announced$max_dimension,
                          threads = default_threads(), levels = reader$levels)
  which(found$block == found$block[reader$truth])
}

# Is there a cell at risk, in each table?
has_risk <- function(reader) {
  tables <- reader$tables
  if (length(reader$cells) > 0) {
    return(colSums(tables[reader$cells, , drop = FALSE] == 0) == 0)
  }
  colSums(array(tables %in% reader$counts, dim(tables))) > 0
}

# For which originals is an envelope safe, all of it at once? Tables that agree in all of its
# sub-tables have one number, judged as a sub-table of its own; below 0 it is no count at risk.
accepting <- function(reader, envelope) {
  numbers <- Reduce(function(number, set) {
    key <- paste(number, judge_for(reader, set)$group)
    match(key, unique(key))
  }, envelope, 0)
  alike <- c(rep(1L, nrow(reader$tables)), 2L)
  judged <- with_core(cpp_judge_tables(rbind(reader$tables, -numbers), reader$agree, alike,
                                       reader$counts, reader$cells, reader$width))
  which(judged$safe)
}

# Cells at risk by name are the same in every table.
named_cells <- function(problem, risk) {
  if (!is.null(risk$at_risk)) {
    return(integer())
  }
  codes <- lapply(stored_codes(problem$x), function(code) code[problem$at_risk])
  as.integer(cell_numbers(codes, problem$x$dimnames))
}

# What the judge says of a sub-table, for each table of `agree` as the original.
judge_for <- function(reader, set) {
  sums <- cell_sums(set, reader$dim)
  judged <- with_core(cpp_judge_tables(reader$tables, reader$agree, sums, reader$counts,
                                       reader$cells, reader$width))
  at <- match(reader$truth, reader$agree)
  list(among = reader$agree, safe = judged$safe, group = judged$group,
       same = judged$group == judged$group[at], safe_truth = judged$safe[at])
}

is_step <- function(set, reader, rule, step) {
  if (rule == "myopic") {
    return(TRUE)
  }
  from <- if (step == "any") reader$out else maximal_sets(reader$out)
  below <- lapply(set, function(v) setdiff(set, v))
  any(vapply(below, function(part) covers(from, part, exactly = step == "frontier"), NA))
}

# Is the set one of `sets`, or inside of one?
covers <- function(sets, set, exactly = FALSE) {
  any(vapply(sets, function(s) if (exactly) setequal(s, set) else all(set %in% s), NA))
}

# The reader after the answer to a request.
hear <- function(reader, set, may_ask, given) {
  tell <- function(answer, unproved = FALSE) {
    list(answer = answer, unproved = unproved, reader = reader)
  }
  if (covers(reader$out, set)) {
    return(tell("already"))
  }
  # out already, but not by one of the requests
  recorded <- any(given %in% c("recorded", "already"))
  if (!recorded && (identical(given, "structural") || !may_ask(set))) {
    return(tell("structural"))
  }
  judged <- judge_for(reader, set)
  refused <- if (is.null(given)) !judged$safe_truth else given == "refused"
  unproved <- !recorded && refused == judged$safe_truth
  if (!recorded && !unproved) {
    reader$aware <- intersect(reader$aware, judged$among[judged$safe == judged$safe_truth])
  }
  if (refused) {
    return(tell("refused", unproved))
  }
  reader$agree <- judged$among[judged$same]
  reader$aware <- intersect(reader$aware, reader$agree)
  reader$out <- c(reader$out, list(set))
  tell(if (recorded) "recorded" else "released", unproved)
}

new_policy_audit <- function(reader, x, risk, answers, unproved) {
  counts <- reader$tables[, reader$truth]
  at <- if (length(reader$counts) > 0) which(counts %in% reader$counts) else reader$cells
  out <- cpp_range_of_tables(reader$tables, reader$agree)
  aware <- cpp_range_of_tables(reader$tables, reader$aware)
  columns <- list(
    lower = out$lower[at], upper = out$upper[at],
    lower_aware = aware$lower[at], upper_aware = aware$upper[at],
    broken = aware$upper[at] - aware$lower[at] < reader$width
  )
  structure(
    list(
      answers = answers, unproved = unproved, beta = risk$beta,
      n_margins_only = length(reader$agree), n_policy_aware = length(reader$aware),
      cells = list2data_frame(c(cell_factors(at, x$dimnames), columns), length(at))
    ),
    class = sdc_class("sdc_policy_audit", mark = "private")
  )
}

#' @export
format.sdc_policy_audit <- function(x, ...) {
  cells <- x$cells
  exact <- sum(cells$lower_aware == cells$upper_aware)
  c(
    paste0(plural(length(x$answers), "request"), ": ",
           sum(x$answers %in% c("released", "recorded")), " released, ",
           sum(x$answers == "refused"), " refused"),
    paste0(plural(x$n_margins_only, "table"), " with what is out; with the answers too, ",
           format_count(x$n_policy_aware)),
    paste0("of ", plural(nrow(cells), "cell"), " at risk, ", sum(cells$broken),
           " in less than ", format_count(x$beta), " for who knows the policy, ", exact,
           " exactly known")
  )
}
