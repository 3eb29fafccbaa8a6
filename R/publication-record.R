# A record of what is out: publications of one table of people, one after the other, each judged
# together with all that went before it. What is in the file is private: it names the cells that
# must not become known, with their counts.
#
# An entry is a list: `publication`, as it left; `guarded`, a frame of the cells that are to be
# protected (the variables, `freq`, and `width`, how wide the interval must be); `people`, a frame
# of what single people know of their own (`who`, and the cells, each of count 1); and `floored`, a
# frame of the cells of which everybody knows that they are not 0. In all frames a variable that is
# missing is summed over.

#' A record of what is out
#'
#' A reader has all publications of a table, not one of them. A record keeps them, in a file, and
#' [publish()] with `record =` judges a new one together with all that is in it: no count that one
#' of them protects may become known. What passes is entered as it leaves; else nothing leaves.
#'
#' @details
#' **What is judged.** For each primary cell and total of each suppression, for each small count
#' that no crossing shows, for each count below the base of a rounding, and for each cell at risk of
#' a release by [risk_width()], the interval that all publications leave together, over whole
#' numbers: for a reader who has the publications, and who knows that a suppressed count is not 0
#' where zeros are published; and for each single person who is alone in a cell of one of these
#' tables, and knows its count and those of all totals in which she is alone. A person who is alone
#' in cells of several tables knows all of them: each set of cells that may be one person's is asked
#' about. The interval of the first reader must be as wide as the suppression, or the rule of the
#' release, asked for, and the others must not know the count. The cells of a release are asked of
#' the first reader only, as its rule is. Margins are judged as the exact totals that they are.
#'
#' **The same cells** are those with the same labels. A table that has fewer variables shows totals
#' of one that has more, so that a sub-table that was suppressed by a call of its own is judged as a
#' part of the whole. Levels must be the same in all tables, or those of a coarser table must be
#' nodes of a tree that the finest one has: before it or after it.
#'
#' **Give the record to [suppress()], too**: cells that are out stay published, those that an
#' earlier publication suppressed stay suppressed, and further ones are chosen beside these. The
#' same table, or a sub-table, then has the pattern that it has already. [round_controlled()],
#' [round_small()] and the searches for releases take it as well, and refuse a result that
#' [publish()] would refuse; [perturb()] looks before it draws, at what holds for all coins. Who
#' draws again because a result was refused chooses among results, and the law of the last one is no
#' longer quite that of the mechanism.
#'
#' **Perturbed tables** tell which originals can have led to them by some steps of the mechanism,
#' each of which the zero rule let pass: all of these, and no others, are in the interval, also
#' beside suppressed tables and totals. A perturbed table guards the counts of 1 and 2 that it
#' leaves unknown by itself, from the first reader. This is about what is certain: with a second
#' publication a reader's best guess becomes better before it becomes certain, and no record judges
#' that. So the same people are perturbed once: the noise of two tables averages out, and a second
#' one is refused where it is not the same.
#'
#' **Other years** have other people, and a record of their own, which knows that of the year
#' before: `publication_record("2025.sqlite", previous = last, change = 2)`. Then the counts of a
#' cell of the whole table (that of all variables) in both years differ by no more than `change`,
#' and so on for earlier years. The protected cells of all these years must stay unknown, by the
#' intervals that [audit_years()] gives for two publications; this year's single people are asked
#' for this year's cells. What is entered later in the record of an earlier year is not judged
#' together with this year.
#'
#' **Redistributed maps** are judged for readers who know the method, and the number of people.
#' Which originals lead to a map no sums say, but each can be tried: for every count below the
#' threshold the record looks for originals with another count there, also among those in which a
#' person who is alone in a hexagon has her one count, and sends them through the method again. A
#' map for which it finds too few is refused. So is one with `empty = TRUE`, as its search depends
#' on time; and one whose bounds are those of the data, unless outliers are kept. **Redistributed
#' magnitudes** are as good as [audit()] says; a record does not judge them again. What either of
#' them tells together with other publications is not judged, so it **stands alone**: a record that
#' has one takes nothing else, and a record that has something else takes none of them. The number
#' of people (`margins(x, list(character()))`) can stand beside a map.
#'
#' **What cannot be judged is refused**: perturbed tables whose set skips zeros, or whose alpha and
#' beta add up to 1; magnitudes with suppressed cells; releases by level; what the time left open;
#' and tables that contradict what is out, as those of other people do.
#'
#' Two people who act together, and readers who know how suppressed cells were chosen, are asked by
#' no record. A reader of several roundings, or of a rounding and a perturbed table, knows the
#' intervals of both; what the coins say beyond them is not judged.
#'
#' @param path (string or `NULL`) The file, which is made where it does not exist; `NULL`: a record
#'   that ends with the session. The file is as confidential as the tables.
#' @param previous,change (sdc_record, and as in [audit_years()]; or `NULL`, both) The record of the
#'   year before, and how far a count of the table can change from then to this year: this year's
#'   publications are then judged together with those of the years before.
#' @param record (sdc_record) The record.
#' @param x (sdc_record; for `enter_publication()` an sdc_table, an array or a data frame with
#'   counts, margins, or what [as_publication()] makes of a table with suppressed cells) What others
#'   have published of the same people, as [constraints()] takes it.
#' @param note (string or `NULL`) What it is, for your eyes only.
#' @param row.names,optional Ignored; present for compatibility with [data.frame()].
#' @param ... Not used.
#' @return `publication_record()`: an object of class `sdc_record`, which is private, and stays
#'   connected to its file. `enter_publication()`: the record, invisibly. `as.data.frame()`: a row
#'   for each publication: `at` (time, UTC), `kind`, `note`, `protects` (how many cells).
#' @section Errors: `sdc_error_refused` when a publication is not judged safe together with what
#'   is out, and when a line of the file was changed, left out or put elsewhere (its lines are
#'   chained by hashes); `sdc_error_too_large` when too many people may be alone in cells of several
#'   tables; `sdc_error_input` for a file that is no record, and where RSQLite is not
#'   installed.
#' @section Guarantee: Exact for the readers above: an interval is that of all tables of whole
#'   numbers that agree with everything, or the publication is refused. Of a rounding that is its
#'   published reach, of a perturbed table all that its mechanism can have done. A map is judged on
#'   the safe side: what is found are originals that lead to it, but some may be missed, and then it
#'   is refused. What two people know together, and what follows from the choice of cells, is not
#'   covered.
#' @section Complexity: That of [bounds_margins()] for the published cells of all tables together,
#'   with two unknowns for each step of a perturbed one: tables of some hundred cells. A map is
#'   redistributed at least once for each sensitive cell.
#' @template experimental
#' @family suppress
#' @export
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' out <- publication_record()
#' x <- as_sdc_table(HairEyeColor)
#' first <- publish(suppress(x, 3), record = out)
#' # a sub-table chosen by itself may give away what the whole one hides
#' hair <- table_margin(x, c("Hair", "Eye"))
#' second <- publish(suppress(hair, 3, record = out), record = out)
#' as.data.frame(out)
publication_record <- function(path = NULL, previous = NULL, change = NULL) {
  if (!is.null(path)) check_string(path)
  change <- check_years_argument(previous, change)
  held <- new.env(parent = emptyenv())
  held$con <- connect_sqlite(path, record_busy_s)
  reg.finalizer(held, function(held) DBI::dbDisconnect(held$con), onexit = TRUE)
  there <- with_database(DBI::dbListTables(held$con))
  if (length(there) > 0 && !identical(there, "publications")) abort_no_record()
  DBI::dbExecute(held$con, paste(
    "CREATE TABLE IF NOT EXISTS publications (id INTEGER PRIMARY KEY, at TEXT NOT NULL,",
    "kind TEXT NOT NULL, note TEXT NOT NULL, protects INTEGER NOT NULL, entry BLOB NOT NULL,",
    "hash TEXT NOT NULL)"
  ))
  class <- sdc_class("sdc_record", mark = "private")
  out <- structure(list(held = held, path = path, previous = previous, change = change),
                   class = class)
  check_years_given(read_entries(out)$entries, previous)
  out
}

# Others may be judging for so long.
record_busy_s <- 300

abort_no_record <- function() {
  abort_sdc("input", c(
    "{.arg path} must be the file of a record, or a new one.", x = "It is another database."
  ))
}

#' @rdname publication_record
#' @export
enter_publication <- function(record, x, note = NULL, ...) {
  check_no_dots(...)
  check_given(x)
  check_class(record, "sdc_record")
  if (!is.null(note)) check_string(note)
  check_made_here(x)
  check_can_be_judged(x)
  enter_judged(record, open_entry(x), note %||% "")
  invisible(record)
}

# ---- the file -----------------------------------------------------------------------------------

line_hash <- function(before, at, kind, note, protects, entry) {
  parts <- c(before, at, kind, note, format(protects), as.character(openssl::sha256(entry)))
  as.character(openssl::sha256(paste(parts, collapse = "\n")))
}

# All lines, checked against their hashes, with `entries`.
read_entries <- function(record) {
  lines <- tryCatch(
    DBI::dbGetQuery(record$held$con, paste(
      "SELECT at, kind, note, protects, entry, hash FROM publications ORDER BY id"
    )),
    error = function(cnd) abort_no_record()
  )
  before <- ""
  for (i in seq_len(nrow(lines))) {
    of <- lines[i, ]
    hash <- line_hash(before, of$at, of$kind, of$note, of$protects, of$entry[[1]])
    if (!identical(hash, of$hash)) {
      abort_sdc("refused", c(
        "The lines of a record must be as they were entered.",
        x = "Line {i} was changed, or one before it is missing.",
        i = "Go back to a copy of the file."
      ))
    }
    before <- of$hash
  }
  list(lines = lines[c("at", "kind", "note", "protects")], last = before,
       entries = lapply(lines$entry, unserialize), years = years_before(record))
}

# Judges an entry together with all that is out, and enters it, in one transaction: others who enter
# something at the same time wait, and judge what is out then.
enter_judged <- function(record, entry, note = "", insist = FALSE) {
  con <- record$held$con
  DBI::dbExecute(con, "BEGIN IMMEDIATE")
  done <- FALSE
  on.exit(if (!done) DBI::dbExecute(con, "ROLLBACK"))
  held <- read_entries(record)
  if (!insist) check_together(held, entry)
  at <- format(Sys.time(), "%Y-%m-%d %H:%M:%S", tz = "UTC")
  kind <- class(entry$publication)[1]
  if (!is.null(record$previous)) entry$beside_years <- TRUE
  bytes <- serialize(entry, NULL, version = 2)
  protects <- entry$protects %||% NROW(entry$guarded)
  hash <- line_hash(held$last, at, kind, note, protects, bytes)
  DBI::dbExecute(con, paste(
    "INSERT INTO publications (at, kind, note, protects, entry, hash) VALUES (?, ?, ?, ?, ?, ?)"
  ), params = list(at, kind, note, protects, list(bytes), hash))
  DBI::dbExecute(con, "COMMIT")
  done <- TRUE
  invisible(record)
}

# ---- other years --------------------------------------------------------------------------------

# The years before that a record was made beside, the nearest first: `entries`, `lines`, and
# `change`, the least and the largest one to the year after.
years_before <- function(record) {
  years <- list()
  while (!is.null(record$previous)) {
    change <- record$change
    record <- record$previous
    held <- read_entries(record)
    years <- c(years, list(c(held[c("entries", "lines")], list(change = change))))
  }
  years
}

check_years_argument <- function(previous, change) {
  check_record(previous)
  if (is.null(previous) != is.null(change)) {
    abort_sdc("input", c(
      "{.arg previous} and {.arg change} must be given together.",
      x = "{.arg {if (is.null(change)) 'change' else 'previous'}} is missing."
    ))
  }
  if (!is.null(change)) check_yearly_change(change)
}

# Whoever opens the file of a record that was kept beside another one names that again.
check_years_given <- function(entries, previous) {
  beside <- vapply(entries, function(entry) isTRUE(entry$beside_years), NA)
  if (any(beside) && is.null(previous)) {
    abort_sdc("input", c(
      "A record that was kept beside that of the year before must be opened with it.",
      x = "{.arg previous} was not given, but line {which(beside)[1]} was judged with one.",
      i = "Give {.arg previous} and {.arg change} as they were."
    ))
  }
}

# ---- methods ------------------------------------------------------------------------------------

#' @rdname publication_record
#' @export
as.data.frame.sdc_record <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_no_dots(...)
  read_entries(x)$lines
}

story.sdc_record <- function(x) {
  n <- nrow(read_entries(x)$lines)
  c(
    paste0("The record holds ", plural(n, "publication"), ", each of which was judged together with
     all before it."),
    "No count that one of them protects is known from all of them, for the readers that its help
     names."
  )
}

#' @export
format.sdc_record <- function(x, ...) {
  check_no_dots(...)
  lines <- read_entries(x)$lines
  c(
    "record of what is out", if (is.null(x$path)) "in memory: it ends with this session",
    if (!is.null(x$previous)) paste0("beside that of the year before: ", change_words(x$change)),
    paste0(plural(nrow(lines), "publication"), if (nrow(lines) > 0) ":"),
    paste0(lines$at, "  ", sub("^sdc_", "", lines$kind), "  ", lines$note, recycle0 = TRUE)
  )
}
