# What several tables of the same people show together, though none of them shows it alone.

# Beyond so many published cells, or cells inside, differences are not looked for.
compared_cells_at_most <- 2000
inside_cells_at_most <- 20000

new_risks <- function(risk, n, of, why) {
  data.frame(risk = risk, n = as.numeric(n), of = as.numeric(of), why = why)
}

# Two rows of risks. `hide(x, pattern)` suppresses; NULL where there is one table.
risks_of_differences <- function(x, tables, hide, maxN = NULL, seconds = 10) {
  if (is.null(tables)) {
    return(NULL)
  }
  apart <- tryCatch(shown_when_apart(x, tables, hide), sdc_error = function(cnd) not_looked_for)
  hidden <- new_risks("hidden one by one", apart$n, apart$of, paste(
    "If each table were protected by itself, the tables together would show these cells: what one",
    "of them hides another shows, or it follows by subtraction."
  ))
  if (is.null(maxN)) {
    return(hidden)
  }
  inside <- given_away_inside(x, maxN, seconds)
  rbind(hidden, new_risks("differences", inside$n, inside$of, paste(
    "No table shows these counts, but whoever subtracts one table from another knows them."
  )), risks_of_overlaps(x, tables, maxN))
}

not_looked_for <- list(n = NA, of = NA)

# Cells at risk that are safe where each table is protected alone, and that readers of all tables
# know too well.
shown_when_apart <- function(x, tables, hide) {
  if (number_of_published(x) > compared_cells_at_most) {
    return(not_looked_for)
  }
  alone <- lapply(tables, function(one) quietly_hidden(hide(one_table_of(x, one))))
  frames <- lapply(alone, as.data.frame)
  variables <- names(x$dimnames)
  hidden <- lapply(frames, function(frame) frame$sdcStatus %in% c("u", "x"))
  of_all <- function(which) {
    unlist(Map(function(frame, at) label_words(frame[variables])[at], frames, which))
  }
  all <- do.call(rbind, lapply(frames, function(frame) frame[variables]))
  all <- all[!duplicated(label_words(all)), , drop = FALSE]
  key <- label_words(all)
  all$suppressed <- key %in% of_all(hidden) & !key %in% of_all(lapply(hidden, `!`))
  primary <- unique(of_all(lapply(frames, function(frame) frame$sdcStatus == "u")))
  if (length(primary) == 0) {
    return(list(n = 0, of = 0))
  }
  shown <- setdiff(primary, key[all$suppressed])
  known <- exposed_cells(quietly_hidden(hide(x, all)), variables)
  before <- unlist(lapply(alone, exposed_cells, variables))
  list(n = length(setdiff(intersect(union(shown, known), primary), before)), of = length(primary))
}

number_of_published <- function(x) {
  crossings <- table_crossings(x)
  sum(vapply(crossings, function(crossing) prod(lengths(crossing)), 0))
}

# That a pattern gives cells away is what is asked for here, and no warning.
quietly_hidden <- function(code) {
  withCallingHandlers(code, sdc_warning_unsafe = function(cnd) rlang::cnd_muffle(cnd))
}

# The cells of which it is proved that readers know too much.
exposed_cells <- function(su, variables) {
  row <- unique(su$lacking$row[su$lacking$exposed])
  label_words(su$cells[variables])[row]
}

# Small counts of combinations that no table shows, and that follow from the tables.
given_away_inside <- function(x, maxN, seconds) {
  if (prod(dim(x)) > inside_cells_at_most) {
    return(not_looked_for)
  }
  found <- tryCatch(
    as.data.frame(bounds_margins(x, progress = FALSE, time_limit_s = seconds)),
    sdc_error = function(cnd) NULL, warning = function(cnd) NULL
  )
  if (is.null(found)) {
    return(not_looked_for)
  }
  codes <- lapply(found[names(x$dimnames)], as.integer)
  inside <- !is_published(x, codes)
  known <- inside & found$lower == found$upper & found$lower %in% seq_len(min(maxN, 1e6))
  list(n = sum(known), of = sum(inside), cells = found[known, names(x$dimnames), drop = FALSE])
}

# Two groupings of one thing, such as ages by tens and by fifteens, overlap in few combinations, and
# whoever knows which computes them by subtraction. That the combinations form no circle tells them
# from other variables. Tables that were put together do not say which combinations there are.
risks_of_overlaps <- function(x, tables, maxN) {
  if (is_put_together(x)) {
    return(NULL)
  }
  variables <- lapply(tables, function(one) intersect(one$variables, names(x$dimnames)))
  pairs <- utils::combn(length(variables), 2, simplify = FALSE)
  found <- do.call(rbind, lapply(pairs, function(pair) {
    overlaps_between(x, variables[[pair[1]]], variables[[pair[2]]], maxN)
  }))
  found <- found[!duplicated(found$risk), ]
  if (NROW(found) > 0) found
}

overlaps_between <- function(x, a, b, maxN) {
  shared <- intersect(a, b)
  each <- expand.grid(a = setdiff(a, b), b = setdiff(b, a), stringsAsFactors = FALSE)
  do.call(rbind, Map(function(u, w) {
    both <- margin(x, c(u, w))
    if (!has_no_circle(stored_codes(both), dim(both))) {
      return(NULL)
    }
    counts <- margin(x, c(u, w, shared))$counts
    new_risks(paste("overlap of", u, "and", w), sum(counts <= maxN), length(counts), paste(
      "These look like two groupings of the same. Whoever knows how they overlap computes such a",
      "count by subtraction. Plans are measured by this where the finest grouping is a variable,",
      "and the others are levels of its trees."
    ))
  }, each$a, each$b))
}

# Is the graph of two variables' levels, with an edge for each combination, a forest?
has_no_circle <- function(codes, size) {
  n <- length(codes[[1]])
  if (min(size) < 2 || n >= sum(size)) {
    return(FALSE)
  }
  group <- seq_len(sum(size))
  ends <- cbind(codes[[1]], size[[1]] + codes[[2]])
  for (i in seq_len(n)) {
    joined <- group[ends[i, ]]
    if (joined[1] == joined[2]) {
      return(FALSE)
    }
    group[group == joined[2]] <- joined[1]
  }
  TRUE
}
