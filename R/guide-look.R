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
      list(said = paste("Not for this table:", first_words(cnd)))
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
# Each gives `said` (sentences) and `picture`, and may write files below the folder.

look_titles <- c(
  table = "1. The confidential table, and what is at risk in it",
  perturbation = "2. Small random changes, with all totals exact",
  suppression = "3. Small counts hidden, and the proof that they stay so",
  rates = "4. What a table of rates gives away",
  server = "5. A table server that decides what may be published"
)

look_scenes <- list(
  table = function(x, folder) {
    risks <- risks_of(x, maxN = 2)
    risks <- risks[risks$n > 0, ]
    said <- if (nrow(risks) == 0) "No count is 1 or 2, and no group is of one kind." else
      paste0(first_capital(risks$risk), ": ", format_count(risks$n), " of ",
             format_count(risks$of), ". ", risks$why)
    shape <- paste0(and_words(names(x$dimnames)), ": ", table_shape(x), ".")
    list(said = c(shape, said), picture = ggplot2::autoplot(x))
  },
  perturbation = function(x, folder) {
    done <- protect(x, plan = "perturbation")
    write_report(done, file.path(folder, "perturbation"), overwrite = TRUE)
    write_publication(done$published, file.path(folder, "published"), overwrite = TRUE)
    moved <- as.array(done$protected$published) != as.array(x)
    known <- summary(reader_posterior(done$published))$cells
    said <- say(
      "{sum(moved)} of {length(moved)} cell{?s} were changed, and every total is the same as
       before.",
      "The mechanism is public. A reader who makes use of it has a best guess for each original
       count, which is right with a probability of {percent(mean(known$p_mode))} on average."
    )
    list(said = said, picture = ggplot2::autoplot(done$protected))
  },
  suppression = function(x, folder) {
    done <- protect(x, plan = "suppression")
    write_report(done, file.path(folder, "suppression"), overwrite = TRUE)
    lines <- c(utils::tail(format(done$published), 1), format(audit(done$protected)))
    list(said = paste0(first_capital(lines), "."), picture = ggplot2::autoplot(done$protected))
  },
  rates = function(x, folder) {
    if (length(dim(x)) < 2) {
      abort_sdc("input", "A table of one variable has no rates within rows.")
    }
    names <- names(x$dimnames)
    found <- bounds_conditional(conditionals(x, names[2], names[1], digits = 2), n = sum(x$counts),
                                margins = margins(x, list(names[1])), progress = FALSE)
    known <- as.data.frame(found)
    width <- known$upper - known$lower
    said <- say(
      "Suppose that percentages are published, of {names[2]} within each {names[1]}, and how many
       people each of them stands for. From that anybody can work out {sum(width == 0)} of
       {length(width)} count{?s} exactly, and {sum(width <= 2)} to within 2."
    )
    list(said = said, picture = ggplot2::autoplot(found))
  },
  server = function(x, folder) {
    check_installed("RSQLite", "for the store of a table server")
    server <- table_server(x, server_policy(risk_width(3)))
    on.exit(close(server))
    answer <- request_table(server, names(x$dimnames), if_refused = "projected")
    said <- say(
      "A server publishes a table only if each small count keeps an interval at least 3 wide,
       whatever was published before. Asked for {margin_label(names(x$dimnames))}, it answers:
       {format(answer)[1]}.",
      "The answer is in its ledger before it is given, and stays the same for ever."
    )
    list(said = said, picture = ggplot2::autoplot(sub_tables(server)))
  }
)

# ---- how a scene is shown -----------------------------------------------------------------------

# Prints it, draws it into the folder, and gives its part of the page.
show_scene <- function(scene, name, folder) {
  title <- look_titles[[name]]
  cat("\n== ", title, " ==\n", sep = "")
  cat(strwrap(scene$said, width = min(getOption("width"), 100) - 2, indent = 2, exdent = 2),
      sep = "\n")
  figure <- NULL
  if (!is.null(scene$picture)) {
    file <- paste0(name, ".png")
    suppressMessages(ggplot2::ggsave(file.path(folder, file), scene$picture, width = 8,
                                     height = 5, dpi = 110, bg = "white"))
    figure <- html_figure(file, escape_html(scene$said[length(scene$said)]),
                          escape_html(title))
  }
  c(html_heading(title), html_text(paste(scene$said, collapse = " ")), figure)
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

# ---- which columns of a file make a table -------------------------------------------------------
# It is a guess, so everything that is taken or left out is said.

# At most so many categories make a variable of a first look, and so many variables its table.
guessed_levels_at_most <- 30
guessed_variables_at_most <- 2

# Names of columns that hold counts, in lower case.
count_names <- c("freq", "frequency", "count", "counts", "n", "number", "cases", "persons",
                 "people", "anzahl")

# Labels of rows that are totals of others, in lower case.
total_labels <- c("total", "totals", "all", "sum", "insgesamt", "gesamt")

# All columns as text; what is empty becomes a category of its own.
read_any_csv <- function(file) {
  check_string(file, "data")
  if (!file.exists(file) || dir.exists(file)) {
    abort_sdc("input", c(
      "{.arg data} must be a data frame or the path of a CSV file.",
      x = "There is no file {.file {file}}."
    ))
  }
  first <- readLines(file, n = 1, warn = FALSE)
  marks <- c(",", ";", "\t")
  found <- vapply(marks, function(mark) sum(strsplit(first, "")[[1]] == mark), 0L)
  tryCatch(
    utils::read.table(file, header = TRUE, sep = marks[which.max(found)], quote = "\"",
                      colClasses = "character", na.strings = "", check.names = FALSE,
                      comment.char = "", fileEncoding = "UTF-8-BOM"),
    error = function(cnd) {
      abort_sdc("input", c(
        "{.arg data} must be a CSV file with a line of names.",
        x = "{.file {file}} cannot be read as one."
      ), parent = cnd)
    }
  )
}

# The same data with counts that came as text, as they do from a file, as numbers. All else is left
# to sdc_table(), which knows what is wrong with it.
counts_as_numbers <- function(data, freqVar) {
  column <- if (is.character(freqVar) && length(freqVar) == 1) data[[freqVar]]
  if (!is.character(column) && !is.factor(column)) {
    return(data)
  }
  text <- trimws(as.character(column))
  text[!is.na(text) & !nzchar(text)] <- NA
  whole <- is.na(text) | grepl("^[0-9]+$", text)
  if (!all(whole)) abort_count_text(which(!whole)[1], text[!whole][1])
  data[[freqVar]] <- as.numeric(text)
  data
}

# What was found is shown but for its digits, which may be a confidential count.
abort_count_text <- function(row, text) {
  marks <- gsub("[0-9]", "", text)
  found <- if (identical(marks, text)) "is {.val {text}}" else "has {.val {marks}} beside digits"
  abort_sdc("input", c("{.arg freqVar} must hold whole numbers from 0 to 2^53.",
                       x = paste0("Row {row} ", found, "."),
                       i = "Write counts with digits only, or name another column."))
}

# list(data, dimVar, freqVar, said): the rows to take, the columns, and a sentence for each choice.
guess_columns <- function(data) {
  data[] <- lapply(data, function(column) {
    text <- as.character(column)
    text[is.na(text) | !nzchar(text)] <- "(empty)"
    text
  })
  freq <- guess_count_column(data)
  size <- vapply(data, function(column) length(unique(column)), 0L)
  fits <- size >= 2 & size <= guessed_levels_at_most & names(data) != (freq %||% "")
  if (!any(fits)) {
    abort_sdc("input", c(
      "{.arg data} must have a column with 2 to {guessed_levels_at_most} categories.",
      x = "Its {length(size)} column{?s} {?has/have} fewer or more.",
      i = "Name the columns by {.arg dimVar}."
    ))
  }
  taken <- utils::head(names(data)[fits], guessed_variables_at_most)
  found <- leave_out_totals(data, taken, freq)
  list(data = found$data, dimVar = taken, freqVar = freq,
       said = c(column_words(names(data), size, taken, freq), found$said))
}

guess_count_column <- function(data) {
  whole <- vapply(data, function(column) all(grepl("^[0-9]{1,15}$", column)), NA)
  at <- which(tolower(names(data)) %in% count_names & whole)
  if (length(at) > 0) names(data)[at[1]]
}

column_words <- function(names, size, taken, freq) {
  left <- setdiff(names, c(taken, freq))
  say(
    "The variables are {and_words(taken)}, the first columns with 2 to {guessed_levels_at_most}
     categories.",
    if (is.null(freq)) "Each row is one person, as no column has a name such as freq or count." else
      "The counts are in {freq}.",
    if (length(left) > 0) "Left out: {and_words(left)}."
  )
}

# Ready cells often come with their totals, which would be counted twice.
leave_out_totals <- function(data, taken, freq) {
  if (is.null(freq)) {
    return(list(data = data))
  }
  held <- setdiff(names(data), freq)
  total <- Reduce(`|`, lapply(data[held], function(column) tolower(column) %in% total_labels))
  if (!any(total) || all(total)) {
    return(list(data = data))
  }
  list(data = data[!total, , drop = FALSE], said = say("Rows with the label of a total were not
    counted: {sum(total)} of {length(total)}."))
}
