# Reports on what protect() made: one for those who may see the original, one for everybody.

#' @rdname write_report
#' @export
write_report.sdc_protected <- function(x, path, title = NULL, audience = c("private", "public"),
                                       overwrite = FALSE, ...) {
  check_no_dots(...)
  check_string(path)
  audience <- check_choice(audience, c("private", "public"))
  private <- audience == "private"
  usual <- if (private) "A table before and after its protection" else "A published table"
  title <- title %||% usual
  check_string(title)
  check_flag(overwrite)
  page <- file.path(path, "index.html")
  check_report_folder(path, page, overwrite)
  if (private) {
    return(write_html(private_page(x, title), page))
  }
  # nothing but the publication goes into what everybody may read
  write_published(x$published, file.path(path, "publication"), overwrite)
  write_html(public_page(x$published, title), page)
}

# Of tables that were perturbed one by one each has a folder, numbered, as names need not be names
# of files.
write_published <- function(published, folder, overwrite) {
  if (!is_table_list(published) || length(published) == 0) {
    return(write_publication(published, folder, overwrite = overwrite))
  }
  for (i in seq_along(published)) {
    write_publication(published[[i]], file.path(folder, i), overwrite = overwrite)
  }
}

# ---- the private page ---------------------------------------------------------------------------

private_page <- function(x, title) {
  cells <- before_after(x$protected)
  tables <- with_titles(tables_of(x$protected), x$titles)
  known <- reader_intervals(x$published, if (!is.null(tables)) {
    list2data_frame(cells$labels, length(cells$original))
  })
  parts <- parts_of_cells(cells, tables)
  body <- c(
    "<p class=\"warning\">Private: this page shows original values. Do not publish it.</p>",
    html_heading("What was done"),
    html_text("The plan was to ", plan_words(x$plan), ". ", cell_sums_words(cells)),
    html_code(x$code), picture_of_changes(cells),
    html_heading("Before and after"),
    html_text(legend_words),
    parts_on_page(both_part, parts),
    html_heading("Totals"), total_part(parts),
    html_heading("What readers learn"), html_list(report_reader_words(cells, known)),
    if (is.null(known$note)) picture_of_intervals(known, truth_of(known, cells)),
    contributor_part(x$protected, x$published, cells, known)
  )
  html_page(title, c(body, glossary_part(body)))
}

# The cells of each table; without several tables one part without a name.
parts_of_cells <- function(cells, tables) {
  if (is.null(tables)) {
    return(list(cells))
  }
  lapply(parts_of_tables(cells$labels, tables), function(part) {
    new_before_after(part$labels, cells$original[part$at], cells$published[part$at], part$total)
  })
}

# Each with its name, where there are several.
parts_on_page <- function(show, parts) {
  if (is.null(names(parts))) {
    return(show(parts[[1]]))
  }
  unlist(Map(show, parts, names(parts)), use.names = FALSE)
}

both_part <- function(cells, title = NULL) {
  c(if (!is.null(title)) html_subheading(title), picture_of_places(cells, title), both_table(cells))
}

total_part <- function(parts) {
  if (is.null(names(parts))) {
    return(html_text(changed_total_words(parts[[1]])))
  }
  c(html_list(paste0(names(parts), ": ", vapply(parts, changed_total_words, ""))),
    html_text("What two tables share is published with the same values in both."))
}

legend_words <- paste(
  "Each entry is the original value and, after an arrow, what is published in its place. Entries",
  "without an arrow are published as they are. A cross stands for a hidden value."
)

# At most so many cells are shown side by side.
shown_cells_at_most <- 2000

# The last variable across, all others down.
both_table <- function(cells) {
  n <- length(cells$original)
  if (n > shown_cells_at_most) {
    return(changed_table(cells))
  }
  wide_table(cells$labels, both_texts(cells), both_classes(cells))
}

both_texts <- function(cells) {
  before <- value_texts(cells$original)
  after <- value_texts(cells$published)
  hidden <- is.na(cells$published)
  moved <- !hidden & cells$published != cells$original
  before[hidden] <- paste(before[hidden], "\u2192 \u00d7")
  before[moved] <- paste(before[moved], "\u2192", after[moved])
  before
}

both_classes <- function(cells) {
  hidden <- is.na(cells$published)
  ifelse(hidden, "hidden", ifelse(cells$published != cells$original, "changed", ""))
}

# Too large to be read side by side: the cells that are hidden or changed, the smallest first.
changed_table <- function(cells) {
  at <- which(is.na(cells$published) | cells$published != cells$original)
  at <- utils::head(at[order(cells$original[at])], 200)
  c(
    html_text("The table is too large for a page. These are up to 200 of the cells that are ",
              "hidden or changed, the smallest first."),
    html_table(
      c(lapply(cells$labels, function(v) as.character(v)[at]),
        list(value_texts(cells$original[at]), published_texts(cells$published[at]))),
      c(names(cells$labels), "original", "published"), "Hidden and changed cells"
    )
  )
}

published_texts <- function(v) ifelse(is.na(v), "\u00d7", value_texts(v))

# A table for the page: one row for each combination of all variables but the last.
wide_table <- function(labels, texts, classes) {
  across <- labels[[length(labels)]]
  down <- labels[-length(labels)]
  columns <- unique(as.character(across))
  heads <- if (length(down) == 0) rep("", length(texts)) else
    do.call(paste, c(lapply(unname(down), as.character), sep = ", "))
  rows <- unique(heads)
  at <- matrix(NA_integer_, length(rows), length(columns))
  at[cbind(match(heads, rows), match(as.character(across), columns))] <- seq_along(texts)
  entry <- ifelse(is.na(at), "<td></td>", paste0(
    "<td class=\"", classes[at], "\">", escape_html(texts[at]), "</td>"
  ))
  entry <- matrix(entry, length(rows))
  lines <- vapply(seq_along(rows), function(i) {
    paste0("<tr><th scope=\"row\">", escape_html(rows[i]), "</th>",
           paste(entry[i, ], collapse = ""), "</tr>")
  }, "")
  head <- paste0("<th scope=\"col\">", escape_html(c(paste(names(down), collapse = ", "), columns)),
                 "</th>", collapse = "")
  c("<div class=\"scroll\"><table>",
    paste0("<caption>", escape_html(paste("across:", names(labels)[length(labels)])), "</caption>"),
    paste0("<thead><tr>", head, "</tr></thead><tbody>"), lines, "</tbody></table></div>")
}

changed_total_words <- function(cells) {
  n <- sum(cells$total)
  if (n == 0) {
    before <- sum(cells$original)
    after <- sum(cells$published)
    return(if (isTRUE(before == after)) "The sum of all values is the same before and after." else
      "No totals are published with these cells, and their sum is not the same.")
  }
  same <- sum(cells$published[cells$total] == cells$original[cells$total], na.rm = TRUE)
  hidden <- sum(is.na(cells$published[cells$total]))
  paste0("Of ", plural(n, "total"), ", ", format_count(same), " ", is_are(same), " published as ",
         "they are, ", format_count(hidden), " ", is_are(hidden), " hidden, and ",
         format_count(n - same - hidden), " ", is_are(n - same - hidden), " changed.")
}

# ---- the public page ----------------------------------------------------------------------------

public_page <- function(published, title) {
  tables <- tables_of(published)
  shown <- shown_parts(published, tables)
  hidden <- anyNA(unlist(lapply(shown, `[[`, "values")))
  known <- reader_intervals(published, if (!is.null(tables)) asked_of_parts(published))
  body <- c(
    html_heading("What is published"), html_list(publication_words(published)),
    if (hidden) html_text("A cross stands for a value that is not published, to protect the ",
                          "people or firms in it."),
    parts_on_page(public_part, shown),
    "<p>The files are in the folder <a href=\"publication/\">publication</a>.</p>",
    html_heading("What readers can compute"), html_list(public_reader_words(known)),
    if (is.null(known$note)) picture_of_intervals(known)
  )
  html_page(title, c(body, glossary_part(body)))
}

publication_words <- function(published) {
  if (is_table_list(published)) unique(unlist(lapply(published, format))) else format(published)
}

# What each table shows: labels, values, and which are totals.
shown_parts <- function(published, tables) {
  if (is_table_list(published)) {
    parts <- lapply(unname(published), one_shown)
    return(rlang::set_names(parts, names(tables)))
  }
  all <- one_shown(published)
  if (is.null(tables)) {
    return(list(all))
  }
  lapply(parts_of_tables(all$labels, tables), function(part) {
    list(labels = part$labels, values = all$values[part$at], total = part$total)
  })
}

one_shown <- function(published) {
  shown <- shown_cells(published)
  labels <- Map(function(labels, code) factor(labels[code], labels), shown$dimnames, shown$codes)
  total <- Map(function(code, leaves) code > leaves, shown$codes, shown$leaves)
  list(labels = labels, values = shown$values, total = Reduce(`|`, total))
}

# The labels of all that is published, of whose values readers know intervals; NULL of tables that
# were perturbed one by one.
asked_of_parts <- function(published) {
  if (is_table_list(published)) {
    return(NULL)
  }
  all <- one_shown(published)
  list2data_frame(all$labels, length(all$values))
}

public_part <- function(shown, title = NULL) {
  hidden <- is.na(shown$values)
  c(
    if (!is.null(title)) html_subheading(title),
    picture_of_values(shown$labels, shown$values, shown$total, title),
    if (length(shown$values) <= shown_cells_at_most) {
      wide_table(shown$labels, published_texts(shown$values), ifelse(hidden, "hidden", ""))
    } else {
      html_text("The table is too large for a page; the files beside it have all cells.")
    }
  )
}

# ---- glossary -----------------------------------------------------------------------------------

# The words of the book's glossary that a page uses.
glossary_part <- function(lines) {
  words <- utils::read.csv(system.file("book", "glossary.csv", package = "sdcLattice"))
  text <- tolower(gsub("<[^>]*>", " ", paste(lines, collapse = " ")))
  used <- vapply(tolower(words$term), function(term) {
    grepl(paste0("\\b", term, "s?\\b"), text)
  }, NA)
  if (!any(used)) {
    return(NULL)
  }
  c(html_heading("Words"), html_table(
    list(words$term[used], words$meaning[used]), c("word", "meaning"), "From the package's glossary"
  ))
}
