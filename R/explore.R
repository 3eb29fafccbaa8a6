# The explorer: one page with the data and the code of all its scenes in it.

#' Explore the ideas of this package in a page
#'
#' Writes one HTML page that works from its file: it needs no server and no network. Its scenes let
#' you flip the coins of cycles, move the probabilities of a mechanism, release margins one by one,
#' suppress cells, and move counts on a map. Without `x` the page shows examples of the package.
#'
#' @details
#' **Scenes**, each with its anchor in the page:
#' * `#coins`, the coins of a cycle: margins stay, zeros block. For two-way tables, perturbations
#'   and publications.
#' * `#posterior`, what a reader infers: the exact [posterior()] of each cell, for any `alpha` and
#'   `beta`. For two-way tables, perturbations and publications.
#' * `#margins`, margins released one by one: [bounds_margins()] of the six smallest counts. For
#'   tables of 2 to 6 variables.
#' * `#suppress`, suppressed cells and the attacker: the intervals of [audit()]. For two-way tables.
#' * `#map`, counts that move on a map: [redistribute()], move by move. For maps of hexagons.
#'
#' A two-way table takes the cycles of [cycles_bidiagonal()]. A perturbation shows its own cycles,
#' coins and published table. A publication starts the coins from the published table.
#'
#' **Limits.** Coins: 64 cells and 12 cycles, of a set that does not skip zeros. Posterior: those
#' of the coins, 9 steps, and one `alpha` and one `beta` for all cycles. Margins: 128 cells.
#' Suppression: 100 cells. Margins and suppression: a total of at most 10^9. Map: 200 hexagons that
#' span at most 40 rows and 40 columns. Scenes beyond their limit are left out, and the page says
#' so.
#'
#' **Private data.** A page of a table, a perturbation or a map shows original counts, and says so
#' in a banner. Nothing is sent anywhere, but the file itself is as confidential as the data. A page
#' of a publication holds only what is published.
#'
#' @param x (sdc_table or what [as_sdc_table()] takes, sdc_perturbation, sdc_publication, sdc_hex,
#'   sdc_hex_redistribution) What to explore; the examples, if missing.
#' @param file (string) The file to write; a temporary one by default.
#' @param open (flag) Open the page in a browser?
#' @param threshold (whole number of at least 2) For an `sdc_hex`, the least count of a hexagon
#'   after redistribution.
#' @return The path of the page, invisibly.
#' @section Errors:
#' `sdc_error_too_large` when `x` is too large for each scene: the message says all limits;
#' `sdc_error_input` when `x` is something else, or when `file` cannot be written;
#' `sdc_error_infeasible` when a map has too few counts for `threshold`.
#' @section Guarantee:
#' The figures of the page are exact: intervals equal those of [bounds_margins()] and [audit()], and
#' probabilities those of [posterior()] to 12 digits. An interval whose search needs more
#' than 200 steps is marked "at least" in the scene. The same `x` gives the same bytes.
#' @template experimental
#' @family explore
#' @export
#' @examples
#' page <- explore(open = FALSE)
#' file.size(page)
#'
#' # what is published, and nothing else
#' me <- mechanism(cycles_bidiagonal(roehrig))
#' pub <- publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE)
#' explore(pub, open = FALSE)
explore <- function(x, file = tempfile("explorer", fileext = ".html"), open = interactive(),
                    threshold = 3) {
  check_string(file)
  check_flag(open)
  check_threshold(threshold)
  content <- if (missing(x)) explorer_examples() else explorer_content(x, threshold)
  write_page(explorer_page(content), file)
  cli::cli_inform(c(
    "The page is in {.file {file}}.",
    "!" = if (content$kind == "private") {
      "It shows original counts: the file is as confidential as the data."
    },
    i = if (content$kind == "public") "It holds only what is published."
  ))
  if (open) utils::browseURL(file)
  invisible(file)
}

# What the page gets: who may see it, its scenes, and why others were left out.
explorer_content <- function(x, threshold) {
  if (inherits(x, "sdc_publication")) {
    return(gather_scenes("public", mechanism_scenes(x$table, x$table, x$mechanism)))
  }
  scenes <- if (inherits(x, "sdc_perturbation")) {
    mechanism_scenes(x$original, x$published, x$mechanism, x$coefficients)
  } else if (inherits(x, c("sdc_hex", "sdc_hex_redistribution"))) {
    list(map = map_scene(x, threshold))
  } else {
    table_scenes(one_level_argument(x))
  }
  gather_scenes("private", scenes)
}

# ---- the file -----------------------------------------------------------------------------------

explorer_scripts <- c(
  "calc-coins.js", "calc-intervals.js", "dom.js", "scene-coins.js", "scene-posterior.js",
  "scene-margins.js", "scene-suppress.js", "scene-map.js", "main.js"
)

explorer_text <- function(names) {
  files <- system.file("explorer", names, package = "sdcLattice", mustWork = TRUE)
  paste(unlist(lapply(files, readLines, encoding = "UTF-8")), collapse = "\n")
}

# In a script element only a "<" could end the data too early.
explorer_page <- function(content) {
  parts <- list(
    style = explorer_text("explorer.css"),
    data = gsub("<", "\\u003c", canonical_json(content), fixed = TRUE),
    script = explorer_text(explorer_scripts)
  )
  pieces <- strsplit(explorer_text("page.html"), "@(style|data|script)@")[[1]]
  paste0(pieces[1], parts$style, pieces[2], parts$data, pieces[3], parts$script, pieces[4], "\n")
}

write_page <- function(text, file) {
  force(text)
  written <- tryCatch(
    {
      suppressWarnings(writeBin(charToRaw(enc2utf8(text)), file))
      TRUE
    },
    error = function(cnd) FALSE
  )
  if (!written) {
    abort_sdc("input", c(
      "{.arg file} must be a file that can be written.",
      x = "Writing to {.file {file}} failed."
    ))
  }
}

# ---- scenes -------------------------------------------------------------------------------------
# The data of each, or a string that says why it is left out.

explorer_examples <- function() {
  published <- sdcLattice::roehrig
  published[] <- c(16, 21, 2, 11, 0, 11, 11, 13, 2, 9, 11, 8, 2, 14, 1, 3)
  counts <- table_argument(sdcLattice::roehrig)
  map <- hex_table(example_map(), c("q", "r"), freqVar = "n")
  scenes <- c(
    mechanism_scenes(counts, table_argument(published), mechanism(cycles_bidiagonal(counts))),
    list(
      margins = margins_scene(table_argument(sdcLattice::czech_workers)),
      suppress = suppress_scene(counts), map = map_scene(map, 3)
    )
  )
  gather_scenes("examples", scenes)
}

# Hexagons within two steps of the middle.
example_map <- function() {
  map <- expand.grid(q = -2:2, r = -2:2)
  map <- map[abs(map$q + map$r) <= 2, ]
  map$n <- c(1, 4, 7, 2, 9, 12, 3, 1, 6, 15, 8, 1, 5, 10, 2, 4, 3, 1, 6)
  map
}

table_scenes <- function(x) {
  two_way <- length(dim(x)) == 2 && all(dim(x) >= 2)
  c(
    if (two_way) mechanism_scenes(x, x, mechanism(cycles_bidiagonal(x))),
    list(margins = margins_scene(x)),
    if (two_way) list(suppress = suppress_scene(x))
  )
}

# ---- coins and posterior ------------------------------------------------------------------------

mechanism_scenes <- function(start, published, mechanism, drawn = NULL) {
  fault <- coins_fault(start, mechanism)
  if (!is.null(fault)) {
    return(list(coins = fault))
  }
  common <- mechanism_content(mechanism)
  list(
    coins = c(list(table = table_content(start)), common,
              list(drawn = if (is.null(drawn)) FALSE else as.list(drawn))),
    posterior = posterior_fault(mechanism) %||% c(list(table = table_content(published)), common)
  )
}

coins_fault <- function(x, mechanism) {
  if (length(dim(x)) != 2 || prod(dim(x)) > 64) {
    return(left_out("coins", "two-way tables of at most 64 cells", size_words(x)))
  }
  if (skips_zeros(mechanism$cycles)) {
    return(left_out("coins", "cycles that do not depend on zeros", "a set that skips zeros"))
  }
  n <- length(mechanism$cycles)
  if (n > 12) left_out("coins", "at most 12 cycles", plural(n, "cycle"))
}

posterior_fault <- function(mechanism) {
  if (length(mechanism$alpha) > 1 || length(mechanism$beta) > 1) {
    return(left_out("the posterior", "one alpha and one beta", "one for each cycle"))
  }
  n <- step_count(mechanism)
  if (n > 9) left_out("the posterior", "at most 9 steps", plural(n, "step"))
}

left_out <- function(scene, limit, found) say("The scene of {scene} takes {limit}; here: {found}.")

size_words <- function(x) {
  if (length(dim(x)) == 1) {
    return(paste("1 variable with", plural(dim(x), "level")))
  }
  paste(paste(dim(x), collapse = " x "), if (prod(dim(x)) == 1) "cell" else "cells")
}

# Numbers of cells and cycles start at 0.
mechanism_content <- function(mechanism) {
  all <- expand_cycles(mechanism$cycles)
  cycles <- lapply(seq_len(length(mechanism$cycles)), function(c) {
    lapply(entries_of(all, c), function(at) list(all$cell[at] - 1, all$coefficient[at]))
  })
  list(cycles = cycles, order = as.list(steps_of(mechanism) - 1), alpha = mechanism$alpha[[1]],
       beta = mechanism$beta[[1]], rule = mechanism$zero_rule)
}

table_content <- function(x) {
  labels <- lapply(dimnames(x), function(levels) ifelse(is.na(levels), "NA", levels))
  list(names = as.list(names(labels)), levels = lapply(unname(labels), as.list),
       counts = as.list(dense_counts(x)))
}

# ---- margins and suppression --------------------------------------------------------------------

# The smallest counts that are not zero are the cells at risk.
margins_scene <- function(x) {
  n <- length(dim(x))
  if (n < 2 || n > 6 || prod(dim(x)) > 128) {
    return(left_out("margins", "2 to 6 variables and at most 128 cells", size_words(x)))
  }
  counts <- dense_counts(x)
  some <- which(counts > 0)
  if (length(some) == 0) {
    return(left_out("margins", "tables with at least one count", "none"))
  }
  cells <- utils::head(some[order(counts[some])], 6)
  total_fault("margins", x) %||% list(table = table_content(x), cells = as.list(cells - 1))
}

suppress_scene <- function(x) {
  if (prod(dim(x)) > 100) {
    return(left_out("suppression", "two-way tables of at most 100 cells", size_words(x)))
  }
  total_fault("suppression", x) %||% list(table = table_content(x))
}

# The reason names no count.
total_fault <- function(scene, x) {
  if (sum(x) > 1e9) left_out(scene, "a total of at most 10^9", "a larger one")
}

# ---- map ----------------------------------------------------------------------------------------

map_scene <- function(x, threshold) {
  original <- if (inherits(x, "sdc_hex")) x else x$original
  fault <- map_fault(original)
  if (!is.null(fault)) {
    return(fault)
  }
  runs <- if (inherits(x, "sdc_hex")) all_methods(x, threshold) else list(x)
  list(
    q = as.list(original$q), r = as.list(original$r), counts = as.list(original$count),
    threshold = runs[[1]]$threshold, methods = lapply(runs, moves_content)
  )
}

map_fault <- function(x) {
  n <- length(x$q)
  span <- function(v) max(v) - min(v) + 1
  if (n == 0 || n > 200) {
    return(left_out("the map", "1 to 200 hexagons with data", plural(n, "hexagon")))
  }
  across <- c(span(x$r), span(x$q + floor(x$r / 2)))
  if (any(across > 40)) {
    left_out("the map", "at most 40 rows and 40 columns", paste(across, collapse = " x "))
  }
}

# No outlier is removed, so that no count is lost.
all_methods <- function(x, threshold) {
  lapply(c("optimal", "local", "global"), function(method) {
    redistribute(x, threshold, method = method, outliers = "keep", progress = FALSE)
  })
}

# Each move by the numbers of two hexagons, from 0, its count and its distance. Outliers that were
# suppressed go first, to nowhere.
moves_content <- function(run) {
  number <- function(q, r) match(hex_keys(q, r), hex_keys(run$original$q, run$original$r)) - 1
  gone <- run$suppressed
  from <- c(number(gone$q, gone$r), number(run$moves$from_q, run$moves$from_r))
  to <- c(rep(-1, nrow(gone)), number(run$moves$to_q, run$moves$to_r))
  count <- c(gone$count, run$moves$count)
  distance <- c(rep(0, nrow(gone)), run$moves$distance)
  moves <- lapply(seq_along(from), function(i) list(from[i], to[i], count[i], distance[i]))
  list(name = run$method, mu = run$mu, moves = moves)
}

# A scene that does not fit is a string that says why.
gather_scenes <- function(kind, scenes) {
  fits <- !vapply(scenes, is.character, NA)
  reasons <- unname(unlist(scenes[!fits]))
  if (!any(fits)) {
    abort_sdc("too_large", c(
      "{.arg x} must be within the limits of at least one scene.",
      rlang::set_names(escape_braces(reasons), "x"),
      i = "Merge levels, or take a {.fn margin} or a part of {.arg x}."
    ))
  }
  list(kind = kind, scenes = scenes[fits], left_out = as.list(reasons))
}
