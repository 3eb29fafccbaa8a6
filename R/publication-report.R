#' A report, as a web page
#'
#' Writes a folder with a page that people can read who do not use R.
#' * Of a [posterior()]: what was published by cyclic perturbation, and what a reader can know of
#'   each original count: figures, pictures, and the cells with small published counts. It is made
#'   from the posterior alone, which is made from the publication and the prior alone, so it holds
#'   nothing that is not public, unless the prior does: with the [prior_known()] of an insider the
#'   page is as confidential as what the insider knows.
#' * Of what [protect()] returned: with `audience = "private"` the table before and after, side by
#'   side, with the totals; what was checked; how much readers and single contributors learn; and
#'   a glossary. **It shows the original counts.** With `audience = "public"` the published table,
#'   the method, and what readers can compute, made from the publication alone. Both have
#'   pictures, as parts of the page: how much was changed, which cells are hidden or changed, and
#'   the intervals of readers, with the truth on the private page alone. Several tables are shown
#'   one after the other.
#'
#' @param x (sdc_posterior or sdc_protected) What the report is about.
#' @param path (string) the folder; it is made when it is not there.
#' @param title (string or `NULL`) title of the page. `NULL` is a title by what `x` is.
#' @param small (whole number) cells with at most this published count are listed, at most a hundred
#'   of them, the least certain last.
#' @param audience (string) For whom the report is: `"private"`, for those who may see the original,
#'   or `"public"`.
#' @param overwrite (flag) may files of these names be replaced?
#' @param ... Arguments of the methods.
#' @return The path of the page, `index.html`, invisibly. Of a posterior the folder holds the
#'   pictures `published.png`, `uncertainty.png` and `cells.png` as well. What is public comes with
#'   the files of [write_publication()] in the folder `publication`; tables that were perturbed one
#'   by one have a numbered folder each in it. Pages of `protect()` have all in one file.
#' @section Errors: `sdc_error_input` when files are there already, when the folder cannot be
#'   written, and when pictures are needed and ggplot2 is not installed.
#' @section Guarantee: A public report depends on the publication alone.
#' @family publication
#' @export
#' @examples
#' done <- protect(roehrig, plan = "suppression")
#' page <- write_report(done, tempfile("report"), audience = "public")
#' basename(page)
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' me <- mechanism(cycles_bidiagonal(roehrig))
#' pub <- publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE)
#' page <- write_report(posterior(pub), tempfile("report"))
#' basename(page)
write_report <- function(x, path, ...) {
  check_given(x)
  UseMethod("write_report")
}

#' @export
write_report.default <- function(x, path, ...) {
  abort_sdc("input", c(
    "{.arg x} must be a posterior, or what {.fn protect} returned.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "{.fn write_publication} writes the files of any publication."
  ))
}

#' @rdname write_report
#' @export
write_report.sdc_posterior <- function(x, path, title = NULL, small = 2, overwrite = FALSE, ...) {
  check_no_dots(...)
  check_string(path)
  title <- title %||% "A table published by cyclic perturbation"
  check_string(title)
  check_whole(small, min = 0)
  check_flag(overwrite)
  check_installed("ggplot2", "for the pictures of a report")
  page <- file.path(path, "index.html")
  check_report_folder(path, page, overwrite)
  write_publication(x$publication, file.path(path, "publication"), overwrite = overwrite)
  draw_report(x, path)
  write_html(report_page(x, title, small), page)
}

write_html <- function(lines, page) {
  writeLines(enc2utf8(lines), page, useBytes = TRUE)
  invisible(page)
}

check_report_folder <- function(path, page, overwrite) {
  if (file.exists(page) && !overwrite) {
    abort_sdc("input", c(
      "{.arg path} must be a folder without a report.",
      x = "{.path {page}} is there already.",
      i = "{.code overwrite = TRUE} replaces it."
    ))
  }
  dir.create(path, showWarnings = FALSE, recursive = TRUE)
  if (!dir.exists(path)) {
    abort_sdc("input", c(
      "{.arg path} must be a folder that can be written.",
      x = "{.path {path}} could not be made."
    ))
  }
}

draw_report <- function(x, path) {
  pictures <- list(
    published = autoplot.sdc_publication(x$publication),
    uncertainty = autoplot.sdc_posterior(x, "uncertainty"),
    cells = autoplot.sdc_posterior(x, "cells")
  )
  for (name in names(pictures)) {
    suppressMessages(ggplot2::ggsave(
      file.path(path, paste0(name, ".png")), pictures[[name]],
      width = 9, height = if (name == "cells") 7.5 else 5.5, dpi = 110, bg = "white"
    ))
  }
}

# ---- the page ---------------------------------------------------------------------------------

report_page <- function(x, title, small) {
  figures <- summary(x)
  html_page(title, c(
    report_publication(x$publication),
    report_knowledge(x, figures$cells),
    report_small(figures, small)
  ))
}

report_publication <- function(pub) {
  c(
    "<h2>What was published</h2>",
    html_list(format(pub)),
    paste(
      paste0("<p>Each step of the mechanism flipped a coin: with probability alpha a cycle was ",
             "added to the"),
      "table, with probability beta it was subtracted, otherwise nothing happened. Cycles",
      "change no",
      "margin, so all totals are exact. The table was drawn once. The table and a complete",
      "description of the mechanism are in",
      "<a href=\"publication/table.csv\">table.csv</a> and",
      "<a href=\"publication/mechanism.json\">mechanism.json</a>.</p>"
    ),
    html_figure("published.png", "Heat map of the published counts", "The published table.")
  )
}

report_knowledge <- function(x, cells) {
  known <- sum(cells$p_mode > 1 - 1e-12)
  figures <- c(
    "Cells of the table" = format_count(nrow(cells)),
    "Published value is the original, on average" = percent(mean(cells$p_published), 3),
    "Best guess is the original, on average" = percent(mean(cells$p_mode), 3),
    "Cells known for certain" = paste0(format_count(known), " (", percent(known / nrow(cells), 3),
                                       ")"),
    "Entropy of a cell, median" = paste(format_number(stats::median(cells$entropy)), "bits"),
    "Width of the 95 % interval, on average" =
      format_number(mean(cells$upper - cells$lower)),
    "Log evidence" = format(x$log_evidence, digits = 6)
  )
  c(
    "<h2>What a reader can know</h2>",
    paste0("<p>Exact posterior of every original count; prior: ", escape_html(format(x$prior)),
           "; zero rule: ", x$zero_rule,
           if (x$zero_rule == "roehrig") " (which is no probability model)", ".</p>"),
    html_table(list(names(figures), unname(figures)), c("Figure", "Value"),
               "Figures over all cells"),
    html_figure("uncertainty.png", "Heat map of the entropy of every cell",
                uncertainty_caption(cells, known)),
    html_figure("cells.png", "Posterior distributions of the smallest published counts",
                "Posterior distributions of the cells with the smallest published counts.")
  )
}

uncertainty_caption <- function(cells, known) {
  paste(
    paste0("Uncertainty of each original count: 0 bits is certainty, 1 bit that of a coin. The ",
           "darker a cell,"),
    "the better a reader knows it.",
    if (known == 0) {
      paste0("No cell is known for certain; the best known has ",
             format(min(cells$entropy), digits = 2), " bits.")
    } else {
      paste(known, if (known == 1) "cell is" else "cells are", "known for certain.")
    }
  )
}

report_small <- function(figures, small) {
  cells <- figures$cells
  rows <- which(cells$published <= small)
  if (length(rows) == 0) {
    return(paste0("<p>No published count is ", format_count(small), " or less.</p>"))
  }
  rows <- utils::head(rows[order(-cells$p_mode[rows])], 100)
  cells <- cells[rows, ]
  shown <- c(
    lapply(figures$labels, `[`, rows),
    list(
      format_count(cells$published),
      paste(format_count(cells$lower), "to", format_count(cells$upper)), format_count(cells$mode),
      formatC(cells$p_mode, digits = 3, format = "f")
    )
  )
  header <- c(names(figures$labels), "Published", "95 % interval", "Best guess", "Probability")
  c(
    "<h2>Small published counts</h2>",
    html_table(shown, header, paste(
      "Cells with a published count of at most", format_count(small),
      "- those that an intruder knows best first"
    ))
  )
}
