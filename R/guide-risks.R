# What is at risk in a table before anything is done, and what several tables of the same people
# show together: a row for each kind of risk, with a number of cells or groups and a sentence that
# says why it matters.

risks_of <- function(x, ...) UseMethod("risks_of")

new_risks <- function(risk, n, of, why) {
  data.frame(risk = risk, n = as.numeric(n), of = as.numeric(of), why = why)
}

#' @export
risks_of.sdc_table <- function(x, maxN, ...) {
  shown <- published_table(x)
  small <- small_cells(shown, maxN)$counts
  cells <- length(shown$counts)
  groups <- alike_groups(x)
  hide <- function(x, pattern = NULL) {
    suppress(x, maxN = maxN, pattern = pattern, method = "certified", readers = "outsider")
  }
  rbind(new_risks(
    c("small counts", "single people", "groups of one kind"),
    c(length(small), sum(small == 1), groups$alike), c(cells, cells, groups$all),
    c(
      say("Whoever knows one of the people in a cell or total of at most {maxN} can find them in the
           table, and each can find the others."),
      "A count of 1 is one person. Whoever recognises this person learns all that the table says.",
      paste("All people of a group (the levels of all variables but one) are in a single category",
            "of the last variable, so that nobody in the group needs to be recognised.")
    )
  ), risks_of_differences(x, tables_of(x), hide, maxN))
}

# How many groups of people, by all variables but one, are in a single category of that one; of
# several tables in each of them.
alike_groups <- function(x) {
  crossings <- unlist(lapply(tables_of(x), `[[`, "crossings"), recursive = FALSE)
  parts <- if (is.null(crossings)) list(list(codes = stored_codes(x), size = dim(x),
                                             n = length(x$counts))) else
    lapply(crossings, crossing_codes, x = x)
  found <- c(alike = 0, all = 0)
  for (part in parts) {
    first <- !duplicated(combine_codes(part$codes, part$size, part$n))
    codes <- lapply(part$codes, `[`, first)
    for (v in seq_along(codes)) {
      group <- combine_codes(codes[-v], part$size[-v], sum(first))
      held <- tabulate(match(group, unique(group)))
      found <- found + c(sum(held == 1), length(held))
    }
  }
  as.list(found)
}

#' @export
risks_of.sdc_magnitude <- function(x, rules, ...) {
  judged <- sensitive(x, rules, totals = TRUE)
  fired <- unlist(strsplit(as.character(judged$rules), ", ?"))
  hide <- function(x, pattern = NULL) {
    suppress(x, rules, pattern = pattern, method = "certified", readers = "outsider")
  }
  rbind(new_risks(
    paste("rule", rules$label), tabulate(match(fired, rules$label), length(rules$label)),
    nrow(judged), unname(rule_reasons[rules$kind])
  ), risks_of_differences(x, tables_of(x), hide))
}

rule_reasons <- c(
  threshold = "So few contributors know each other, or each other's values.",
  nk = "The largest contributors make up so much of the total that it estimates them closely.",
  p_percent = "The second largest contributor can estimate the largest one too closely."
)

#' @export
risks_of.sdc_hex <- function(x, maxN, ...) {
  small <- x$count > 0 & x$count <= maxN
  new_risks(
    c("small counts", "single people"), c(sum(small), sum(x$count == 1)), sum(x$count > 0),
    c(paste("A hexagon with so few people shows where they are, to whoever knows that they are on",
            "the map."),
      "A count of 1 shows where one person is.")
  )
}

# ---- several tables -----------------------------------------------------------------------------

# Beyond so many published cells, or cells inside, differences are not looked for.
compared_cells_at_most <- 2000
inside_cells_at_most <- 20000

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
