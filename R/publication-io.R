# Files of a publication: a CSV with the counts and a JSON document with everything else. They are
# made from the publication alone, byte for byte the same for the same publication.
#
# A kind of publication is a class with methods for to_document() and from_document(), which stand
# with the class: the one describes an object as text columns and parameters, the other builds an
# object of them. Nothing here knows the kinds.

#' Write and read a publication
#'
#' `write_publication()` writes a publication into a folder. `format = "csv"` writes two files that
#' `read_publication()` gives back as the identical object: `table.csv` with what is published and
#' `mechanism.json` (of a perturbed table) or `publication.json` (of all others) with everything
#' that a reader needs to know, in words and in exact numbers. The other formats are for other
#' programs and for people: SDMX, JSON-stat and spreadsheets. `saveRDS()` and `readRDS()` work too.
#'
#' @details
#' All kinds of publications can be written: of perturbed, rounded, suppressed and redistributed
#' tables, of counts or magnitudes, of maps, releases of sub-tables and margins.
#'
#' **`table.csv`**: UTF-8, lines end in a line feed. The header has the variables, then `count`. One
#' line for each cell, zeros included, the first variable running fastest; labels in double quotes,
#' a double quote in a label doubled, and a missing level (`NA`) as an empty field without quotes;
#' counts as plain digits. Where the table has trees or crossings, a line for each published total
#' follows, with the label of the node. The tables of a release and of margins follow each other, a
#' variable that a table does not have is an empty field, and the last column is the number of the
#' table.
#'
#' **`mechanism.json`** (format version 1): `table` (file, number of cells, total, SHA-256 of its
#' bytes), `variables` (name and levels in their order, `null` for a missing level), `cycles` (rule,
#' version, parameters and the rule in words; the cells and coefficients of each cycle where they
#' are the user's own; the margins kept), `mechanism` (`alpha` and `beta`, one for all cycles or one
#' for each, each as a decimal and as an exact fraction; covers; zero rule, also in words; sign
#' convention; `drawn`; the cycle number of every step in the order of application). Levels and
#' cycles are numbered from 1 on. The last member, `sha256`, is the SHA-256 of all bytes before its
#' line.
#'
#' **`publication.json`** (format version 1): `kind` (the class), `what` (in words), `table` (file,
#' number of rows, layout, what the columns hold, SHA-256), `variables` (name, levels, for tables
#' with suppressed cells the labels of totals, trees), `parameters` (with words for what they mean)
#' and `sha256`. A suppressed count is an empty field. Numbers have as many digits as identify them.
#'
#' **The other formats** have all published cells and their totals. A variable that a table of a
#' release does not have is summed over. Where both totals and numbers of contributors are
#' published, a further variable `measure` tells them apart.
#'
#' | `format` | files | suppressed cells |
#' |---|---|---|
#' | `"sdmx-csv"` | `table.sdmx.csv`, `structure.xml` | empty, `OBS_STATUS` is `Q` |
#' | `"sdmx-ml"` | `table.sdmx.xml`, `structure.xml` | no `ObsValue`, `OBS_STATUS` is `Q` |
#' | `"json-stat"` | `table.json` | `null`, `status` is `c` |
#' | `"xlsx"` | `table.xlsx`, by package openxlsx | the sign `suppressed` |
#'
#' The versions are SDMX-CSV 1.0, generic SDMX-ML 2.1 and JSON-stat 2.0; `structure.xml` is the
#' structure message of SDMX-ML 2.1. The observation status `Q` says that a value is missing because
#' it is suppressed.
#'
#' A spreadsheet has three sheets: the table (its header and labels frozen, totals bold, the last
#' variable across where all cells are published), a legend of the signs, and metadata: the method
#' and what is guaranteed, in the words of `publication.json`. SDMX demands a date: that of writing,
#' unless `meta` has one. The others have a date only where it is given.
#'
#' @param x (publication, or sdc_margins) What [publish()] or [publication()] returned.
#' @param path (string) The folder. It is made when it is not there.
#' @param overwrite (flag) Whether files of these names may be replaced.
#' @param format (string) `"csv"`, `"sdmx-csv"`, `"sdmx-ml"`, `"json-stat"` or `"xlsx"`.
#' @param meta (list) For the formats other than `"csv"`: any of `id` (letters, digits, `_` and
#'   `-`), `title`, `agency` (letters, digits, `_` and `-`, parts separated by dots), `prepared`
#'   (the date, UTC, as in `"2026-01-31T09:00:00Z"`), `measure` (what the values are) and `note`.
#' @param suppressed (string) The sign of a suppressed cell in a spreadsheet: `"c"`, or `":"`.
#' @param ... Must be empty.
#' @return `write_publication()`: the folder, invisibly. `read_publication()`: the
#'   publication.
#' @section Errors:
#' `sdc_error_input` when files are there already, cannot be written, are missing, or have been
#' changed in any byte; when they do not describe a publication; when `x` is another object (the
#' error names what can be written) or was changed by hand; when a variable is itself called
#' `count`, or a label holds a control character such as a line break (such tables can go through
#' `saveRDS()`); for arguments that the format does not read, and when openxlsx is needed and not
#' installed. `sdc_error_too_large` for more lines than a spreadsheet has.
#' @section Guarantee:
#' `read_publication(write_publication(x, path))` is identical to `x`, including every bit of the
#' probabilities. The checksums detect accidents, not forgers. No file holds anything that `x` does
#' not show.
#' @family perturb
#' @family publication
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' pub <- publication(x, mechanism(cycles_banded(x, seed = 11)))
#' folder <- write_publication(pub, tempfile())
#' writeLines(head(readLines(file.path(folder, "table.csv")), 3))
#' identical(read_publication(folder), pub)
#' write_publication(pub, folder, format = "sdmx-csv", meta = list(agency = "OFFICE"))
#' writeLines(head(readLines(file.path(folder, "table.sdmx.csv")), 3))
#' @export
write_publication <- function(x, path, overwrite = FALSE, format = "csv", meta = list(),
                              suppressed = "c", ...) {
  check_no_dots(...)
  check_writable(x)
  check_string(path)
  check_flag(overwrite)
  format <- check_choice(format, publication_formats)
  # whatever the format, only what publish() made is written
  texts <- checked_texts(x)
  check_fits_format(format, meta, missing(suppressed))
  if (format != "csv") texts <- exchange_files(x, format, meta, suppressed)
  files <- file.path(path, names(texts))
  others <- if (format == "csv") setdiff(file.path(path, document_files()), files)
  if (!overwrite) {
    check_not_there(c(files, others))
  }
  if (!dir.exists(path) && !dir.create(path, recursive = TRUE, showWarnings = FALSE)) {
    abort_sdc("input", c(
      "{.arg path} must be a folder that can be made.", x = "{.file {path}} cannot."
    ))
  }
  unlink(others)
  Map(write_beside, texts, files)
  invisible(path)
}

# Arguments that a format does not read are refused.
check_fits_format <- function(format, meta, usual_sign) {
  if (format == "csv" && length(meta) > 0) {
    abort_sdc("input", c(
      "{.arg meta} is for the formats {.val {setdiff(publication_formats, 'csv')}}.",
      x = "{.arg format} is {.val csv}."
    ))
  }
  if (format != "xlsx" && !usual_sign) {
    abort_sdc("input", c(
      "{.arg suppressed} is for {.code format = \"xlsx\"}.",
      x = "{.arg format} is {.val {format}}, which has its own sign."
    ))
  }
}

# ---- kinds --------------------------------------------------------------------------------------

# The classes that have files: those with a method, whoever registered it.
document_kinds <- function() {
  registered <- get(".__S3MethodsTable__.", envir = topenv())
  sub("^to_document[.]", "", ls(registered, pattern = "^to_document[.]"))
}

document_kind <- function(x) Find(function(kind) kind %in% document_kinds(), class(x))

check_writable <- function(x) {
  check_given(x, "x")
  if (!is.null(document_kind(x))) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg x} must be a publication of class {.or {.val {document_kinds()}}}.",
    x = if (is_private(x)) "{.arg x} is {.obj_type_friendly {x}}, which is private." else
      "{.arg x} is {.obj_type_friendly {x}}.",
    i = "{.fn publish} makes one of a perturbed, suppressed, rounded or redistributed table."
  ))
}

# ---- texts --------------------------------------------------------------------------------------

# What is read from a file with `again` is written again and must give the same bytes, and what is
# written is read before: so files and objects cannot differ in anything, and an object that was
# changed by hand is not written. The cycles of a mechanism may be many: reading it compares its
# words with its numbers instead.
document_formats <- list(
  mechanism = list(file = "mechanism.json", name = "sdcLattice publication", again = FALSE),
  table = list(file = "publication.json", name = "sdcLattice published table", again = TRUE)
)

document_files <- function() {
  c("table.csv", vapply(document_formats, `[[`, "", "file", USE.NAMES = FALSE))
}

# The texts of the files, by their names.
document_texts <- function(document, kind) {
  csv <- document_csv(document)
  json <- document_json(document, kind, csv)
  rlang::set_names(c(csv, json), c("table.csv", document_formats[[document$format]]$file))
}

document_csv <- function(document) {
  header <- paste(quoted(c(document$label_names, names(document$columns))), collapse = ",")
  rows <- do.call(paste, c(unname(document$columns), sep = ","))
  paste0(paste(c(header, paste0(document$labels, rows)), collapse = "\n"), "\n")
}

document_json <- function(document, kind, csv) {
  all <- c(
    list(format = document_formats[[document$format]]$name, format_version = 1L),
    if (document$format == "table") list(kind = kind),
    list(
      what = document$what,
      table = c(list(file = "table.csv"), document$table, list(sha256 = sha256_of(csv)))
    ),
    document$members
  )
  open <- paste0(sub("\n}$", "", pretty_json(all)), ",\n")
  paste0(open, checksum_line(sha256_of(open)))
}

checked_texts <- function(x) {
  document <- tryCatch(to_document(x), error = function(cnd) abort_changed())
  labels <- lapply(document$members$variables, function(v) as.vector(v$levels))
  names(labels) <- document$label_names
  check_free_names(labels, document$reserved)
  check_writable_labels(labels)
  check_writable_labels(as.list(document$members$parameters$total_label))
  texts <- document_texts(document, document_kind(x))
  if (document_formats[[document$format]]$again) check_read_again(x, texts)
  texts
}

# Fields that the files do not tell, or that contradict each other, are found before anything is
# there.
check_read_again <- function(x, texts) {
  read <- tryCatch(read_texts(texts), error = function(cnd) NULL, warning = function(cnd) NULL)
  if (!identical(read, x)) abort_changed()
}

abort_changed <- function() {
  abort_sdc("input", c(
    "{.arg x} must be a publication as {.fn publish} returned it.",
    x = "This one was changed afterwards, or its parts contradict each other.",
    i = "Run {.fn publish} again."
  ))
}

# ---- files --------------------------------------------------------------------------------------

check_not_there <- function(files) {
  there <- basename(files[file.exists(files)])
  if (length(there) == 0) {
    return(invisible(files))
  }
  abort_sdc("input", c(
    "The files must not be there yet.",
    x = "{.arg path} holds {.file {there}}.",
    i = "{.code overwrite = TRUE} replaces {cli::qty(there)}{?it/them}."
  ))
}

# Through a file beside it, so that a broken write leaves no half of a publication. `content`: a
# text, or a function that writes a file.
write_beside <- function(content, file) {
  beside <- paste0(file, ".part")
  ok <- tryCatch(
    {
      if (is.function(content)) content(beside) else writeBin(charToRaw(enc2utf8(content)), beside)
      file.rename(beside, file)
    },
    sdc_error = function(cnd) stop(cnd),
    error = function(e) FALSE, warning = function(w) FALSE
  )
  if (!ok) {
    abort_sdc("input", c("The folder must be writable.", x = "{.file {file}} cannot be written."))
  }
}

#' @rdname write_publication
#' @export
read_publication <- function(path, ...) {
  check_no_dots(...)
  check_string(path)
  check_is_folder(path)
  tryCatch(
    read_any_files(path),
    error = function(cnd) refuse_files(path, cnd),
    warning = function(cnd) refuse_files(path, cnd)
  )
}

check_is_folder <- function(path) {
  if (dir.exists(path)) {
    return(invisible(path))
  }
  abort_sdc("input", c(
    "{.arg path} must be a folder that {.fn write_publication} has written.",
    x = if (file.exists(path)) "{.file {path}} is not a folder.",
    x = if (!file.exists(path)) "There is no folder {.file {path}}."
  ))
}

refuse_files <- function(path, cnd) {
  ours <- inherits(cnd, "sdc_error")
  why <- if (inherits(cnd, "sdc_damaged")) {
    conditionMessage(cnd)
  } else if (ours) {
    "the content is not valid"
  } else {
    "the files cannot be understood"
  }
  abort_sdc("input", c(
    "{.arg path} must be a folder with the files of a publication, unchanged.",
    x = "In {.file {basename(path)}}: {why}."
  ), parent = if (ours) cnd)
}

read_any_files <- function(path) {
  found <- Filter(function(f) file.exists(file.path(path, f$file)), document_formats)
  other <- intersect(list.files(path), unlist(exchange_names))
  need(length(found) > 0 || length(other) == 0, paste0(
    "it has only ", paste(other, collapse = ", "),
    ", and only files of format \"csv\" are read back"
  ))
  need(length(found) < 2, "it has both mechanism.json and publication.json")
  file <- c(vapply(found, `[[`, "", "file"), "mechanism.json")[[1]]
  files <- c("table.csv", file)
  read_texts(rlang::set_names(lapply(file.path(path, files), read_text), files))
}

read_texts <- function(texts) {
  format <- Find(function(f) f$file %in% names(texts), document_formats)
  document <- checked_document(texts[[format$file]], format$file, format$name)
  csv <- texts[["table.csv"]]
  need(identical(document$table$sha256, sha256_of(csv)),
       paste("table.csv is not the file that", format$file, "describes"))
  kind <- if (format$again) strings(list(document$kind)) else "sdc_publication"
  out <- from_document(kind, document, strsplit(csv, "\n", fixed = TRUE)[[1]])
  if (format$again) {
    again <- document_texts(to_document(out), kind)
    need(identical(as.list(again), as.list(texts)), "the files contradict themselves")
  }
  out
}
