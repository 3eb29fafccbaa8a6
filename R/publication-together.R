# What all publications of a record tell together.

check_record <- function(record) {
  if (!is.null(record)) check_class(record, "sdc_record")
}

most_seconds_together <- 60
most_cells_named <- 3

# `held`: what read_entries() gives. All of it and the new entry must leave every guarded cell
# unknown.
check_together <- function(held, entry) {
  check_perturbed_once(held, entry)
  found <- tryCatch(known_together(c(held$entries, list(entry))),
                    sdc_error_infeasible = function(cnd) abort_other_people())
  if (length(found$cells) == 0) {
    return(invisible())
  }
  # the earlier publication that does it alone, where there is one
  one <- which(vapply(held$entries, function(before) {
    length(intersect(known_together(list(before, entry))$cells, found$cells)) > 0
  }, NA))
  dates <- substr(held$lines$at, 1, 10)
  dates <- unique(if (length(one) > 0) dates[one[1]] else dates)
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

abort_other_people <- function() {
  abort_sdc("refused", c(
    "All publications of a record must be of the same people.",
    x = "No table agrees with this one and with those that are out.",
    i = "Make a record for each table of people, and for each year."
  ))
}

check_can_be_judged <- function(x) {
  if (is_perturbed(x)) check_steps_can_be_judged(x$mechanism)
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
     releases.",
    x = if (by_level) {
      "This is a release by level, and what its levels tell together with others is not judged."
    } else {
      "This is {.obj_type_friendly {x}}, and what it tells together with others is not judged."
    },
    i = if (by_level) "Publish its tables as {.fn margins} of a table with trees."
  ))
}

# The guarded cells that some reader knows, in words, and `how`: for sure, or not settled.
known_together <- function(entries) {
  guarded <- unique(bind_cells(lapply(entries, `[[`, "guarded")))
  if (NROW(guarded) == 0) {
    contradictions(entries)
    return(list(cells = character()))
  }
  found <- bound_together(entries, guarded)
  width <- found$bounds$upper - found$bounds$lower
  narrow <- width < guarded$width
  open <- !narrow & !found$bounds$sharp
  learned <- learned_together(found$system, guarded, found$people)
  words <- label_words(guarded[found$variables[found$variables %in% names(guarded)]])
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

# What all publications together leave of the guarded cells: `system`, `variables`, `people`, and
# `bounds`, for who has the publications alone.
bound_together <- function(entries, guarded) {
  style <- part_style()
  floored <- Filter(NROW, lapply(entries, `[[`, "floored"))
  perturbed <- unique(Filter(is_perturbed, lapply(entries, `[[`, "publication")))
  given <- c(lapply(entries, `[[`, "publication"),
             lapply(floored, function(frame) cbind(frame, lower = rep(1, nrow(frame)))))
  parts <- quietly_parts(given, style)
  labels <- part_labels(parts, NULL, style$total_label, NULL)
  people <- joined_people(lapply(entries, `[[`, "people"), names(labels))
  leaves <- lapply(perturbed, leaf_labels)
  asked <- bind_cells(c(list(guarded[names(guarded) %in% names(labels)], people$cells), leaves))
  system <- cell_system(parts, labels, asked_codes(asked, labels, style$total_label), nrow(asked),
                        Inf)
  first <- cumsum(c(NROW(guarded) + NROW(people$cells), vapply(leaves, nrow, 1L)))
  for (i in seq_along(perturbed)) {
    at <- first[i] + seq_len(nrow(leaves[[i]]))
    system <- add_steps(system, perturbed[[i]], system$asked[at], system$value[at])
  }
  target <- seq_len(nrow(guarded))
  asked_first <- replace(system, c("asked", "value"), list(system$asked[target],
                                                           system$value[target]))
  bounds <- bound_in_cells(asked_first, list(
    method = "auto", solver = "exact", seconds = most_seconds_together, max_cells = Inf,
    progress = FALSE, truth = NULL
  ))
  list(system = system, variables = names(labels), people = people, bounds = bounds)
}

part_style <- function() list(freqVar = "freq", total_label = "Total", tolerance = .5)

# Two tables that contradict one another stop here.
contradictions <- function(entries) {
  style <- part_style()
  parts <- quietly_parts(lapply(entries, `[[`, "publication"), style)
  labels <- part_labels(parts, NULL, style$total_label, NULL)
  cell_system(parts, labels, lapply(labels, function(label) integer()), 0, Inf)
  invisible()
}

quietly_parts <- function(given, style) {
  unlist(lapply(given, function(one) {
    # a frame of sums has them once
    if (is.data.frame(one)) one <- unique(one)
    release_parts(list(one), style)
  }), recursive = FALSE)
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

# What single people know: `cells`, each once for each of them, and `reader`. Who is alone in a cell
# of a coarser table is alone in one of a finer table below it, and has what both show.
joined_people <- function(people, variables) {
  all <- bind_cells(people)
  if (NROW(all) == 0) {
    return(list(cells = NULL, reader = integer(), n = 0L))
  }
  for (v in setdiff(variables, names(all))) all[[v]] <- "Total"
  own <- all[all$own, variables, drop = FALSE]
  known <- all[variables]
  who <- unique(own)
  holds <- function(cell, leaf) {
    Reduce(`&`, Map(function(a, b) a == b | a == "Total", cell[variables], leaf[variables]))
  }
  rows <- lapply(seq_len(nrow(who)), function(p) {
    # the cells of all whose own cell holds hers
    same <- which(all$own)[holds(own, who[p, ])]
    which(all$person %in% all$person[same])
  })
  at <- unlist(rows)
  list(cells = known[at, , drop = FALSE], reader = rep(seq_along(rows), lengths(rows)),
       n = length(rows))
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

# Who is alone in a cell knows its count.
people_alone <- function(held, public) {
  alone <- which(held$counts == 1)
  labels <- Map(function(level, code) level[code[alone]], held$dimnames, stored_codes(held))
  people <- list2data_frame(labels, length(alone))
  people$person <- paste0(rlang::hash(public), "-", seq_along(alone), recycle0 = TRUE)
  people$own <- rep(TRUE, length(alone))
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
    i = "Publish that table again, or a coarser one that is made of it."
  ))
}
