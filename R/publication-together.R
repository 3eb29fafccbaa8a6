# What all publications of a record tell together.

check_record <- function(record) {
  if (!is.null(record)) check_class(record, "sdc_record")
}

most_seconds_together <- 60
most_cells_named <- 3

# `held`: what read_entries() gives. All of it and the new entry must leave every guarded cell
# unknown.
check_together <- function(held, entry) {
  if (check_redistributed(held, entry)) {
    return(invisible())
  }
  check_perturbed_once(held, entry)
  found <- tryCatch(known_together(c(held$entries, list(entry)), held$years),
                    sdc_error_infeasible = function(cnd) abort_other_people(held$years))
  if (length(found$cells) == 0) {
    return(invisible())
  }
  dates <- dates_that_tell(held, entry, found$cells)
  cells <- utils::head(found$cells, most_cells_named)
  more <- length(found$cells) - length(cells)
  abort_sdc("refused", c(
    "Only what leaves the protected cells of all publications unknown can be entered in a record.",
    x = if (length(dates) > 0) {
      "Together with the {cli::qty(length(dates))}publication{?s} of {dates}, {.val {cells}}
       {cli::qty(length(found$cells))}{?is/are} {found$how}."
    } else {
      "{.val {cells}} {cli::qty(length(found$cells))}{?is/are} {found$how}."
    },
    x = if (more > 0) "So {?is/are} {more} more.",
    i = "Choose the cells again with {.code suppress(..., record = )}, or publish less."
  ))
}

# The date of the earlier publication that gives some of the cells away alone with this one, where
# there is one, or of the years before; else of all.
dates_that_tell <- function(held, entry, cells) {
  tells <- function(entries, years) {
    length(intersect(known_together(entries, years)$cells, cells)) > 0
  }
  of <- function(lines) unique(substr(lines$at, 1, 10))
  one <- which(vapply(held$entries, function(before) tells(list(before, entry), list()), NA))
  if (length(one) > 0) {
    return(of(held$lines[one[1], ]))
  }
  before <- unlist(lapply(held$years, function(year) of(year$lines)))
  if (length(before) > 0 && tells(list(entry), held$years)) {
    return(sort(before))
  }
  sort(unique(c(before, of(held$lines))))
}

check_can_be_judged <- function(x) {
  if (is_perturbed(x)) check_steps_can_be_judged(x$mechanism)
  if (is_redistributed(x)) {
    return(check_alone_in_record(x))
  }
  kinds <- c("sdc_suppressed", "sdc_rounded_publication", "sdc_margins", "sdc_table", "data.frame",
             "sdc_release_publication", "sdc_publication")
  takes <- inherits(x, kinds) || is.array(x)
  by_level <- inherits(x, "sdc_release_publication") && !is.null(x$steps)
  of_amounts <- inherits(x, "sdc_magnitude_suppressed") ||
    inherits(x, "sdc_release_publication") && any(vapply(x$tables, is.data.frame, NA))
  if (takes && !by_level && !of_amounts) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "A record takes tables of counts: suppressed, rounded and perturbed ones, margins, and
     releases; and what {.fn redistribute} makes, alone.",
    x = if (by_level) {
      "This is a release by level, and what its levels tell together with others is not judged."
    } else {
      "This is {.obj_type_friendly {x}}, and what it tells together with others is not judged."
    },
    i = if (by_level) "Publish its tables as {.fn margins} of a table with trees."
  ))
}

# The guarded cells that some reader knows, in words, and `how`: for sure, or not settled. `years`:
# those before, see publication-years.R.
known_together <- function(entries, years = list()) {
  guarded <- c(list(guarded_of(entries)), lapply(years, function(year) guarded_of(year$entries)))
  if (all(vapply(guarded, NROW, 1L) == 0)) {
    contradictions(entries)
    return(list(cells = character()))
  }
  found <- bound_together(entries, guarded[[1]], years)
  asked <- unlist(lapply(guarded, `[[`, "width"))
  width <- found$bounds$upper - found$bounds$lower
  narrow <- width < asked
  open <- !narrow & !found$bounds$sharp
  learned <- learned_together(found$system, guarded[[1]], found$people)
  words <- unlist(Map(function(cells, k) year_words(guarded_words(cells), k), guarded,
                      seq_along(guarded) - 1))
  exact <- words[narrow & width == 0 | seq_along(width) %in% learned$known]
  if (length(exact) > 0) {
    return(list(cells = unique(exact), how = "known"))
  }
  if (any(narrow)) {
    return(list(cells = unique(words[narrow]), how = "known more closely than was promised"))
  }
  unsure <- unique(words[open | seq_along(width) %in% learned$unsure])
  list(cells = unsure, how = "not shown to be unknown in time")
}

guarded_of <- function(entries) unique(bind_cells(lapply(entries, `[[`, "guarded")))

guarded_variables <- function(guarded) setdiff(names(guarded), c("freq", "width", "alone"))

guarded_words <- function(guarded) {
  if (NROW(guarded) > 0) label_words(guarded[guarded_variables(guarded)])
}

# What all publications together leave of the guarded cells, this year's first: `system`, `people`,
# and `bounds`, for who has the publications alone.
bound_together <- function(entries, guarded, years = list()) {
  levels <- if (length(years) > 0) levels_of_years(entries, years)
  found <- system_together(entries, guarded, levels)
  if (length(years) > 0) {
    before <- lapply(years, function(year) {
      system_together(year$entries, guarded_of(year$entries), levels)
    })
    found <- join_years(c(list(found), before), lapply(years, `[[`, "change"))
  }
  target <- seq_len(found$n)
  targets <- replace(found$system, c("asked", "value"), list(
    found$asked_years %||% found$system$asked[target],
    found$value_years %||% found$system$value[target]
  ))
  found$bounds <- bound_in_cells(targets, list(
    method = "auto", solver = "exact", seconds = most_seconds_together, max_cells = Inf,
    progress = FALSE, truth = NULL
  ))
  found
}

# The system of one year, in which the guarded cells are asked first, then those of single people.
# With `levels`, of variables that other years have, all leaf cells are asked last.
system_together <- function(entries, guarded, levels = NULL) {
  style <- part_style()
  perturbed <- unique(Filter(is_perturbed, lapply(entries, `[[`, "publication")))
  parts <- parts_together(entries, style)
  labels <- part_labels(parts, NULL, style$total_label, unseen_variables(entries, parts, levels))
  people <- joined_people(bind_cells(lapply(entries, `[[`, "people")), labels)
  moved <- lapply(perturbed, leaf_labels)
  leaves <- if (!is.null(levels)) all_leaves(labels)
  asked <- bind_cells(c(list(guarded[guarded_variables(guarded)], people$cells), moved,
                        list(leaves)))
  system <- cell_system(parts, labels, asked_codes(asked, labels, style$total_label), NROW(asked),
                        Inf)
  first <- cumsum(c(NROW(guarded) + NROW(people$cells), vapply(moved, nrow, 1L)))
  for (i in seq_along(perturbed)) {
    at <- first[i] + seq_len(nrow(moved[[i]]))
    system <- add_steps(system, perturbed[[i]], system$asked[at], system$value[at])
  }
  list(system = system, people = people, leaves = leaves, n = NROW(guarded))
}

part_style <- function() list(freqVar = "freq", total_label = "Total", tolerance = .5)

parts_together <- function(entries, style) {
  floored <- Filter(NROW, lapply(entries, `[[`, "floored"))
  quietly_parts(c(lapply(entries, `[[`, "publication"), lapply(floored, function(frame) {
    cbind(frame, lower = rep(1, nrow(frame)))
  })), style)
}

# The levels of all variables of some years, each as the first of them has it.
levels_of_years <- function(entries, years) {
  found <- lapply(c(list(entries), lapply(years, `[[`, "entries")), function(entries) {
    if (length(entries) == 0) {
      return(list())
    }
    style <- part_style()
    labels <- part_labels(parts_together(entries, style), NULL, style$total_label, NULL)
    lapply(labels, `[[`, "levels")
  })
  found <- unlist(found, recursive = FALSE)
  found[!duplicated(names(found))]
}

# The levels of variables that a release has in none of its tables, or that other years have.
unseen_variables <- function(entries, parts, levels = NULL) {
  shown <- unlist(lapply(parts, function(part) names(part$columns)))
  known <- unlist(lapply(entries, function(entry) {
    if (inherits(entry$publication, "sdc_release_publication")) entry$publication$dimnames
  }), recursive = FALSE)
  known <- c(known, levels)
  unseen <- known[!names(known) %in% shown]
  if (length(unseen) > 0) unseen[!duplicated(names(unseen))]
}

# Two tables that contradict one another stop here.
contradictions <- function(entries) {
  style <- part_style()
  parts <- quietly_parts(lapply(entries, `[[`, "publication"), style)
  labels <- part_labels(parts, NULL, style$total_label, NULL)
  cell_system(parts, labels, lapply(labels, function(label) integer()), 0, Inf)
  invisible()
}

quietly_parts <- function(given, style) {
  parts <- unlist(lapply(given, function(one) {
    # a frame of sums has them once
    if (is.data.frame(one)) one <- unique(one)
    release_parts(list(one), style)
  }), recursive = FALSE)
  on_finest_levels(parts, style$total_label)
}

# Frames of cells, one below the other; a variable that one of them does not have is summed over.
bind_cells <- function(frames) {
  frames <- Filter(NROW, frames)
  if (length(frames) == 0) {
    return(NULL)
  }
  names <- unique(unlist(lapply(frames, names)))
  do.call(rbind, lapply(frames, function(frame) {
    for (name in setdiff(names, names(frame))) frame[[name]] <- "Total"
    frame[names]
  }))
}

# The label of each cell, NA for the sum over all levels.
asked_codes <- function(cells, labels, total_label) {
  Map(function(label, name) {
    word <- as.character(cells[[name]])
    if (length(word) == 0) word <- rep(total_label, nrow(cells))
    code <- match(word, label$names)
    if (any(is.na(code) & word != total_label)) {
      abort_sdc("input", c(
        "The tables of a record must have the same levels.",
        x = "{.val {word[is.na(code) & word != total_label][1]}} is a level of {.val {name}} in one
             of them, and not in another."
      ))
    }
    code
  }, labels, names(labels))
}

# Which guarded cells some person learns, and of which it is not settled.
learned_together <- function(system, guarded, people) {
  if (people$n == 0) {
    return(list(known = integer(), unsure = integer()))
  }
  n <- nrow(guarded)
  unknown <- system$asked[seq_len(n)]
  held <- system$asked[n + seq_along(people$reader)]
  target <- which(unknown > 0 & guarded$alone)
  told <- held > 0
  reader <- people$reader[told]
  own <- matches(held[told], unknown[target])
  found <- search_readers(
    system, people$n, list(reader = reader, cell = held[told], lower = rep(1, sum(told)),
                           upper = rep(1, sum(told))),
    list(cell = unknown[target], low = guarded$freq[target] - 1, high = guarded$freq[target] + 1),
    list(target = as.integer(own$y), reader = reader[own$x], low = 0, high = 0, asked = FALSE),
    FALSE, most_seconds_together, FALSE, numeric()
  )
  list(known = target[found$target], unsure = target[found$unsure])
}

# ---- entries ------------------------------------------------------------------------------------

# A publication that guards nothing: it is judged, and counts for those that follow.
open_entry <- function(public) {
  list(publication = public, guarded = NULL, people = NULL, floored = NULL)
}

# Stored cells `at` that are to be protected: how wide their intervals must be, and whether single
# people are asked, too.
guarded_cells <- function(held, at, width, alone) {
  labels <- Map(function(level, code) level[code[at]], held$dimnames, stored_codes(held))
  cbind(list2data_frame(labels, length(at)), freq = held$counts[at],
        width = rep(width, length(at)), alone = rep(alone, length(at)))
}

# Who is alone in a cell knows its count, and that of each total in which she is alone.
people_alone <- function(held, public) {
  whole <- function(counts) {
    table <- new_table(held$dimnames, list(keys = held$keys, counts = as.double(counts)))
    as.data.frame(with_totals(table, table_trees(held), "Total", most_cells(FALSE)))
  }
  alone <- held$counts == 1
  people <- whole(held$counts)
  people <- people[people$freq == 1, ]
  # the sum over the numbers of single people, which is that of the one who is there
  owner <- whole(ifelse(alone, seq_along(alone), 0))
  words <- function(frame) label_words(lapply(unclass(frame)[names(held$dimnames)], as.character))
  owner <- owner$freq[match(words(people), words(owner))]
  people <- list2data_frame(
    lapply(unclass(people)[names(held$dimnames)], as.character), length(owner)
  )
  people$person <- paste0(rlang::hash(public), "-", owner, recycle0 = TRUE)
  people$own <- words(people) %in% words(as.data.frame(held))
  people
}

# ---- noise --------------------------------------------------------------------------------------

# Two perturbations of the same people tell more than each: what both have is nearer to the truth,
# however unknown each count is for certain.
check_perturbed_once <- function(held, entry) {
  public <- entry$publication
  if (!is_perturbed(public)) {
    return(invisible())
  }
  out <- lapply(held$entries, `[[`, "publication")
  other <- Filter(function(before) is_perturbed(before) && !identical(before, public), out)
  if (length(other) > 0) abort_second_noise(held, out)
}

abort_second_noise <- function(held, out) {
  first <- which(vapply(out, is_perturbed, NA))[1]
  abort_sdc("refused", c(
    "The people of a record can be perturbed once.",
    x = "A perturbed table of {substr(held$lines$at[first], 1, 10)} is out: the noise of two
         averages out.",
    i = "Publish that table again, or totals of it: they tell nothing new, and are not entered."
  ))
}
