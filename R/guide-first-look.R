# The first look: five scenes on one table, each with a picture and a sentence or two.

#' A first look at the package
#'
#' Shows in a minute what the package does, on a table of its own or on yours: what is at risk in a
#' table, the same table after random changes and after suppression, what published rates give
#' away, and a request to a table server. Each of these prints a few sentences and draws a picture;
#' a page has all of them.
#'
#' @details From a checkout `sh tools/first-look.sh my.csv` does the same, and installs what is
#' missing. Of a file or data frame without `dimVar` the columns are guessed: the first two with 2
#' to 30 categories are the variables, and a column of whole numbers with a name such as `freq` or
#' `count` has the counts. What was taken and what was left out is said. For anything beyond a look
#' begin with [protect()].
#'
#' @param folder (string) Where the page and the files go; it is made when it is not there.
#' @param data (path of a CSV file, data frame, or `NULL`) Your data; `NULL`: people who earn over
#'   50,000, by occupation and position in the household, from [cps13].
#' @param dimVar (character vector, or `NULL`) One to six columns of `data` that make the table.
#'   `NULL`: they are guessed.
#' @param freqVar (string, or `NULL`) The column with counts. `NULL`: guessed together with
#'   `dimVar`; with `dimVar` each row is a person.
#' @param overwrite (flag) May files of an earlier look be replaced?
#' @return The path of the page, invisibly. In the folder: `index.html` with its pictures; the
#'   folders `perturbation` and `suppression` with private reports of [write_report()], original
#'   and published values side by side; `published` with the files of the perturbed table, which
#'   are the only ones that may leave. **All others are as confidential as the data.**
#' @section Errors: `sdc_error_input` when the data cannot be read as a table, or files are there.
#'   A scene that a table does not allow is left out, and says why.
#' @template experimental
#' @family guide
#' @seealso [protect()]
#' @export
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' folder <- tempfile()
#' page <- first_look(folder, data.frame(region = c("N", "N", "S", "S"), sex = c("f", "m"),
#'                                       freq = c(3, 1, 8, 5)))
#' list.files(folder)
first_look <- function(folder = "sdcLattice-first-look", data = NULL, dimVar = NULL,
                       freqVar = NULL, overwrite = FALSE) {
  check_string(folder)
  check_flag(overwrite)
  check_installed("ggplot2", "for the pictures of a first look")
  table <- look_table(data, dimVar, freqVar)
  page <- file.path(folder, "index.html")
  check_report_folder(folder, page, overwrite)
  shown <- list()
  for (name in names(look_scenes)) {
    scene <- tryCatch(look_scenes[[name]](table$x, folder), sdc_error = function(cnd) {
      list(title = look_titles[[name]], said = paste("Not for this table:", first_words(cnd)))
    })
    if (name == "table") scene$said <- c(table$said, scene$said)
    shown[[name]] <- show_scene(scene, name, folder)
  }
  write_html(look_page(shown, folder), page)
}

look_table <- function(data, dimVar, freqVar) {
  if (is.null(data)) {
    return(list(x = look_example(), said = "High earners with a high school diploma, of cps13."))
  }
  if (is.character(data)) data <- read_any_csv(data)
  check_class(data, "data.frame", make = "data.frame")
  said <- NULL
  if (is.null(dimVar)) {
    guess <- guess_columns(data)
    data <- guess$data
    dimVar <- guess$dimVar
    freqVar <- guess$freqVar
    said <- guess$said
  }
  data <- counts_as_numbers(data, freqVar)
  x <- sdc_table(data, dimVar = dimVar, freqVar = freqVar)
  if (length(dim(x)) > 6) {
    abort_sdc("input", c("{.arg dimVar} must have at most 6 columns for a first look.",
                         x = "It has {length(dim(x))}.", i = "Use {.fn protect} for more."))
  }
  list(x = x, said = said)
}

look_example <- function() {
  cells <- as.data.frame(
    table_margin(sdcLattice::cps13, c("occupation", "household", "education", "salary"))
  )
  kept <- cells$education == "high school graduate" & cells$salary == "over 50000"
  cells <- cells[kept, ]
  levels(cells$occupation) <- c("none or army", "executive", "professional", "technician", "sales",
                                "administration", "service", "farm, craft, transport")
  levels(cells$household) <- c("householder", "spouse", "child", "other relative", "no relative")
  sdc_table(cells, dimVar = c("occupation", "household"), freqVar = "freq")
}

# ---- the scenes ---------------------------------------------------------------------------------
# Each gives `title`, `said` (sentences) and `picture`, and may write files below the folder.

look_titles <- c(
  table = "1. The confidential table, and what is at risk in it",
  perturbation = "2. Small random changes, with all totals exact",
  suppression = "3. Small counts hidden, and the proof that they stay so",
  rates = "4. What a table of rates gives away",
  server = "5. A table server that decides what may be published"
)

scene_table <- function(x, folder) {
  risks <- risks_of(x, maxN = 2)
  risks <- risks[risks$n > 0, ]
  said <- if (nrow(risks) == 0) "No count is 1 or 2, and no group is of one kind." else
    paste0(first_capital(risks$risk), ": ", format_count(risks$n), " of ",
           format_count(risks$of), ". ", risks$why)
  shape <- paste0(and_words(names(x$dimnames)), ": ", table_shape(x), ".")
  list(title = look_titles[["table"]], said = c(shape, said), picture = ggplot2::autoplot(x))
}

scene_perturbation <- function(x, folder) {
  done <- protect(x, plan = "perturbation")
  write_report(done, file.path(folder, "perturbation"), overwrite = TRUE)
  write_publication(done$published, file.path(folder, "published"), overwrite = TRUE)
  moved <- as.array(done$protected$published) != as.array(x)
  known <- summary(reader_posterior(done$published))$cells
  list(
    title = look_titles[["perturbation"]],
    said = c(
      paste0(format_count(sum(moved)), " of ", plural(length(moved), "cell"),
             " were changed, and every total is the same as before."),
      paste0("The mechanism is public. A reader who makes use of it has a best guess for each ",
             "original count, which is right with a probability of ",
             percent(mean(known$p_mode)), " on average.")
    ),
    picture = ggplot2::autoplot(done$protected)
  )
}

scene_suppression <- function(x, folder) {
  done <- protect(x, plan = "suppression")
  write_report(done, file.path(folder, "suppression"), overwrite = TRUE)
  found <- audit(done$protected)
  list(title = look_titles[["suppression"]],
       said = paste0(first_capital(c(utils::tail(format(done$published), 1), format(found))), "."),
       picture = ggplot2::autoplot(done$protected))
}

scene_rates <- function(x, folder) {
  if (length(dim(x)) < 2) {
    abort_sdc("input", "A table of one variable has no rates within rows.")
  }
  variables <- names(x$dimnames)
  rates <- conditionals(x, variables[2], variables[1], digits = 2)
  found <- bounds_conditional(rates, n = sum(x$counts), margins = margins(x, list(variables[1])),
                              progress = FALSE)
  known <- as.data.frame(found)
  exact <- sum(known$upper == known$lower)
  list(
    title = look_titles[["rates"]],
    said = paste0("Suppose that percentages are published, of ", variables[2], " within each ",
                  variables[1], ", and how many people each of them stands for. ",
                  "From that anybody can work out ", format_count(exact), " of ",
                  plural(nrow(known), "count"), " exactly, and ",
                  format_count(sum(known$upper - known$lower <= 2)), " to within 2."),
    picture = ggplot2::autoplot(found)
  )
}

scene_server <- function(x, folder) {
  check_installed("RSQLite", "for the store of a table server")
  server <- table_server(x, server_policy(risk_width(3)))
  on.exit(close(server))
  answer <- request_table(server, names(x$dimnames), if_refused = "projected")
  list(
    title = look_titles[["server"]],
    said = c(
      paste0("A server publishes a table only if each small count keeps an interval at least 3 ",
             "wide, whatever was published before. Asked for ", margin_label(names(x$dimnames)),
             ", it answers: ", format(answer)[1], "."),
      "The answer is in its ledger before it is given, and stays the same for ever."
    ),
    picture = ggplot2::autoplot(sub_tables(server))
  )
}

look_scenes <- list(
  table = scene_table, perturbation = scene_perturbation, suppression = scene_suppression,
  rates = scene_rates, server = scene_server
)

# ---- how a scene is shown -----------------------------------------------------------------------

# Prints it, draws it into the folder, and gives its part of the page.
show_scene <- function(scene, name, folder) {
  cat("\n== ", scene$title, " ==\n", sep = "")
  cat(strwrap(scene$said, width = min(getOption("width"), 100) - 2, indent = 2, exdent = 2),
      sep = "\n")
  figure <- NULL
  if (!is.null(scene$picture)) {
    file <- paste0(name, ".png")
    suppressMessages(ggplot2::ggsave(file.path(folder, file), scene$picture, width = 8,
                                     height = 5, dpi = 110, bg = "white"))
    figure <- html_figure(file, escape_html(scene$said[length(scene$said)]),
                          escape_html(scene$title))
  }
  c(html_heading(scene$title), html_text(paste(scene$said, collapse = " ")), figure)
}

look_page <- function(shown, folder) {
  links <- c(perturbation = "The changed table, cell by cell",
             suppression = "The table with hidden counts, cell by cell")
  links <- links[file.exists(file.path(folder, names(links), "index.html"))]
  items <- paste0("<li><a href=\"", names(links), "/index.html\">", links, "</a></li>",
                  recycle0 = TRUE)
  html_page("A first look at sdcLattice", c(
    "<p class=\"warning\">Private: this page shows original values. Do not publish it.</p>",
    unlist(shown, use.names = FALSE), html_heading("To go on"), "<ul>", items, "</ul>",
    html_code(c("library(sdcLattice)", "protect(my_data, dimVar = c(\"region\", \"sex\"))"))
  ))
}
