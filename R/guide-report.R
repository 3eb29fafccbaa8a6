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

# The parts of a page, one for each of several tables with its name: lists with the fields of `all`
# (vectors or flags for each row) and `labels`. Without several tables one part without a name.
parts_on_page <- function(all, tables) {
  if (is.null(tables)) {
    return(list(all))
  }
  lapply(parts_of_tables(all$labels, tables), function(part) {
    fields <- lapply(all[!names(all) %in% c("labels", "total")], `[`, part$at)
    c(part[c("labels", "total")], fields)
  })
}

# Each with its name, where there are several.
shown_in_turn <- function(show, parts) {
  titles <- names(parts) %||% list(NULL)
  unlist(Map(function(part, title) {
    c(if (!is.null(title)) html_subheading(title), show(part, title))
  }, parts, titles), use.names = FALSE)
}

# ---- the private page ---------------------------------------------------------------------------

private_page <- function(x, title) {
  cells <- before_after(x$protected)
  tables <- with_titles(tables_of(x$protected), x$titles)
  known <- reader_intervals(x$published, if (!is.null(tables)) {
    list2data_frame(cells$labels, length(cells$original))
  })
  parts <- parts_on_page(cells, tables)
  totals <- vapply(parts, changed_total_words, "")
  body <- c(
    "<p class=\"warning\">Private: this page shows original values. Do not publish it.</p>",
    html_heading("What was done"),
    html_text("The plan was to ", plan_words(x$plan), ". ", cell_sums_words(cells)),
    html_code(x$code), picture_of_changes(cells),
    html_heading("Before and after"),
    html_text(legend_words),
    shown_in_turn(function(part, title) c(picture_of_places(part, title), both_table(part)), parts),
    html_heading("Totals"),
    if (is.null(tables)) html_text(totals) else c(
      html_list(paste0(names(parts), ": ", totals)),
      html_text("What two tables share is published with the same values in both.")
    ),
    html_heading("What readers learn"), html_list(report_reader_words(cells, known)),
    if (is.null(known$note)) picture_of_intervals(known, truth_of(known, cells)),
    contributor_part(x$protected, cells, known)
  )
  html_page(title, c(body, glossary_part(body)))
}

legend_words <- paste(
  "Each entry is the original value and, after an arrow, what is published in its place. Entries",
  "without an arrow are published as they are. A cross stands for a hidden value."
)

# At most so many cells are shown side by side.
shown_cells_at_most <- 2000

# The last variable across, all others down.
both_table <- function(cells) {
  if (length(cells$original) > shown_cells_at_most) {
    return(changed_table(cells))
  }
  hidden <- is.na(cells$published)
  moved <- !hidden & cells$published != cells$original
  texts <- value_texts(cells$original)
  texts[hidden | moved] <- paste(texts, "\u2192", published_texts(cells$published))[hidden | moved]
  wide_table(cells$labels, texts, ifelse(hidden, "hidden", ifelse(moved, "changed", "")))
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
  place <- places_in_table(labels)
  rows <- place$rows
  at <- matrix(NA_integer_, length(rows), length(place$columns))
  at[cbind(place$row, place$column)] <- seq_along(texts)
  entry <- ifelse(is.na(at), "<td></td>", paste0(
    "<td class=\"", classes[at], "\">", escape_html(texts[at]), "</td>"
  ))
  entry <- matrix(entry, length(rows))
  lines <- vapply(seq_along(rows), function(i) {
    paste0("<tr><th scope=\"row\">", escape_html(rows[i]), "</th>",
           paste(entry[i, ], collapse = ""), "</tr>")
  }, "")
  head <- paste0("<th scope=\"col\">", escape_html(c(toString(names(labels)[-length(labels)]),
                                                    place$columns)),
                 "</th>", collapse = "")
  c("<div class=\"scroll\"><table>",
    paste0("<caption>", escape_html(paste("across:", names(labels)[length(labels)])), "</caption>"),
    paste0("<thead><tr>", head, "</tr></thead><tbody>"), lines, "</tbody></table></div>")
}

changed_total_words <- function(cells) {
  if (!any(cells$total)) {
    same <- isTRUE(sum(cells$original) == sum(cells$published))
    return(say(if (same) "The sum of all values is the same before and after." else
      "No totals are published with these cells, and their sum is not the same."))
  }
  published <- cells$published[cells$total]
  n <- length(published)
  hidden <- sum(is.na(published))
  same <- sum(published == cells$original[cells$total], na.rm = TRUE)
  say("Of {n} total{?s}, {same} {?is/are} published as they are, {hidden} {?is/are} hidden, and
       {n - same - hidden} {?is/are} changed.")
}

# ---- the public page ----------------------------------------------------------------------------

public_page <- function(published, title) {
  tables <- tables_of(published)
  one_by_one <- is_table_list(published)
  each <- lapply(if (one_by_one) unname(published) else list(published), shown_on_page)
  parts <- if (one_by_one) rlang::set_names(each, names(tables)) else
    parts_on_page(each[[1]], tables)
  # of tables that were perturbed one by one readers know all intervals without asking
  asked <- if (!is.null(tables) && !one_by_one) {
    list2data_frame(each[[1]]$labels, length(each[[1]]$values))
  }
  known <- reader_intervals(published, asked)
  words <- unique(unlist(lapply(if (one_by_one) published else list(published), format)))
  body <- c(
    html_heading("What is published"), html_list(words),
    if (anyNA(unlist(lapply(parts, `[[`, "values")))) {
      html_text("A cross stands for a value that is not published, to protect the people or firms ",
                "in it.")
    },
    shown_in_turn(public_part, parts),
    "<p>The files are in the folder <a href=\"publication/\">publication</a>.</p>",
    html_heading("What readers can compute"), html_list(public_reader_words(known)),
    if (is.null(known$note)) picture_of_intervals(known)
  )
  html_page(title, c(body, glossary_part(body)))
}

# What a publication shows: labels, values, and which are totals.
shown_on_page <- function(published) {
  shown <- shown_cells(published)
  labels <- Map(function(labels, code) factor(labels[code], labels), shown$dimnames, shown$codes)
  total <- Map(function(code, leaves) code > leaves, shown$codes, shown$leaves)
  list(labels = labels, values = shown$values, total = Reduce(`|`, total))
}

public_part <- function(shown, title) {
  c(
    picture_of_values(shown$labels, shown$values, shown$total, title),
    if (length(shown$values) <= shown_cells_at_most) {
      wide_table(shown$labels, published_texts(shown$values),
                 ifelse(is.na(shown$values), "hidden", ""))
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
