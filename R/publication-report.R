#' A report on a published table, as a web page
#'
#' Writes a folder with a page that says what was published and by which mechanism, and what a
#' reader can know of each original count: figures, pictures, and the cells with small published
#' counts. It is made from the posterior alone, which is made from the publication and the prior
#' alone, so it holds nothing that is not public, unless the prior does: with the [prior_known()] of
#' an insider the page is as confidential as what the insider knows.
#'
#' @param x (object) an `sdc_posterior`, from [posterior()].
#' @param path (string) the folder; it is made when it is not there.
#' @param title (string) title of the page.
#' @param small (whole number) cells with at most this published count are listed, at most a hundred
#'   of them, the least certain last.
#' @param overwrite (flag) may files of these names be replaced?
#' @return The path of the page, invisibly. The folder holds `index.html`, the pictures
#'   `published.png`, `uncertainty.png` and `cells.png`, and the files of [write_publication()] in
#'   the folder `publication`.
#' @section Errors: `sdc_error_input` when ggplot2 is not installed, when files are there already,
#'   or when the folder cannot be written.
#' @family posterior
#' @export
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' me <- mechanism(cycles_bidiagonal(roehrig))
#' pub <- publish(perturb(roehrig, me, seed = 1, insist = TRUE), insist = TRUE)
#' page <- write_report(posterior(pub), tempfile("report"))
#' basename(page)
write_report <- function(x, path, title = "A table published by cyclic perturbation", small = 2,
                         overwrite = FALSE) {
  check_class(x, "sdc_posterior", make = "posterior")
  check_string(path)
  check_string(title)
  check_whole(small, min = 0)
  check_flag(overwrite)
  check_installed("ggplot2", "for the pictures of a report")
  page <- file.path(path, "index.html")
  check_report_folder(path, page, overwrite)
  write_publication(x$publication, file.path(path, "publication"), overwrite = overwrite)
  draw_report(x, path)
  writeLines(enc2utf8(report_page(x, title, small)), page, useBytes = TRUE)
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
  c(
    "<!DOCTYPE html>",
    "<html lang=\"en\">",
    "<head>",
    "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    paste0("<title>", escape_html(title), "</title>"),
    "<style>", report_style(), "</style>",
    "</head>",
    "<body>",
    "<main>",
    paste0("<h1>", escape_html(title), "</h1>"),
    report_publication(x$publication),
    report_knowledge(x, figures$cells),
    report_small(figures, small),
    "</main>",
    "</body>",
    "</html>"
  )
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

# ---- HTML -------------------------------------------------------------------------------------

escape_html <- function(x) {
  x <- gsub("&", "&amp;", as.character(x), fixed = TRUE)
  x <- gsub("<", "&lt;", x, fixed = TRUE)
  x <- gsub(">", "&gt;", x, fixed = TRUE)
  gsub("\"", "&quot;", x, fixed = TRUE)
}

html_list <- function(items) {
  c("<ul>", paste0("<li>", escape_html(items), "</li>"), "</ul>")
}

html_figure <- function(file, alt, caption) {
  paste0("<figure><img src=\"", file, "\" alt=\"", alt, "\"><figcaption>", caption,
         "</figcaption></figure>")
}

# The first column heads its rows.
html_table <- function(columns, header, caption) {
  body <- lapply(columns, escape_html)
  body[[1]] <- paste0("<th scope=\"row\">", body[[1]], "</th>")
  body[-1] <- lapply(body[-1], function(cell) paste0("<td>", cell, "</td>"))
  c(
    "<div class=\"scroll\"><table>",
    paste0("<caption>", escape_html(caption), "</caption>"),
    paste0("<thead><tr>", paste0("<th scope=\"col\">", escape_html(header), "</th>", collapse = ""),
           "</tr></thead>"),
    "<tbody>",
    paste0("<tr>", do.call(paste0, unname(body)), "</tr>"),
    "</tbody></table></div>"
  )
}

report_style <- function() {
  c(
    ":root { color-scheme: light dark; --line: #8886; }",
    "body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }",
    "main { max-width: 60rem; margin: 0 auto; padding: 1rem; }",
    "img { max-width: 100%; height: auto; background: white; }",
    "figure { margin: 1.5rem 0; } figcaption, caption { text-align: left; opacity: .8; }",
    ".scroll { overflow-x: auto; } table { border-collapse: collapse; margin: 1rem 0; }",
    "th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: left; }",
    "td { font-variant-numeric: tabular-nums; }"
  )
}
