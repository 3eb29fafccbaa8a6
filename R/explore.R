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
  announce_page(file, content$kind)
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

announce_page <- function(file, kind) {
  cli::cli_inform(c(
    "The page is in {.file {file}}.",
    "!" = if (kind == "private") {
      "It shows original counts: the file is as confidential as the data."
    },
    i = if (kind == "public") "It holds only what is published."
  ))
}

# ---- the file -----------------------------------------------------------------------------------

explorer_scripts <- c(
  "calc-coins.js", "calc-intervals.js", "dom.js", "scene-coins.js", "scene-posterior.js",
  "scene-margins.js", "scene-suppress.js", "scene-map.js", "main.js"
)

explorer_text <- function(names) {
  files <- system.file("explorer", names, package = "sdcLattice", mustWork = TRUE)
  lines <- unlist(lapply(files, readLines, encoding = "UTF-8"))
  paste(lines, collapse = "\n")
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
