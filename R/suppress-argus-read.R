# Files of tau-ARGUS: tabular data, a priori files, and the safe tables that it writes.

#' Read files of tau-ARGUS
#'
#' Reads tabular data (`.tab`) with the description of its columns (`.rda`) and the trees (`.hrc`),
#' statuses from an a priori file (`.hst`), and the safe tables that tau-ARGUS writes.
#' `tau_argus_table()` makes the table of them. Both are **private**.
#'
#' @details
#' **Metadata.** All keywords of tabular data are read: `<SEPARATOR>`, `<SAFE>`, `<UNSAFE>`,
#' `<PROTECT>`; `<RECODEABLE>`, `<TOTCODE>`, `<HIERARCHICAL>`, `<HIERCODELIST>`, `<HIERLEADSTRING>`,
#' `<HIERLEVELS>`; `<NUMERIC>`, alone or with `<SHADOW>`, `<COST>`, `<COSTVAR>`, `<LOWERPL>` or
#' `<UPPERPL>`; `<FREQUENCY>`, `<MAXSCORE>`, `<STATUS>`. `<CODELIST>`, `<DISTANCE>`, `<DECIMALS>`
#' and codes for missing values are kept in `metadata` and not used. Any other keyword is an error.
#' A tree file is looked for beside the metadata first, and then at its path.
#'
#' **Cells.** Codes and statuses are read without spaces at their ends. Numbers may have a decimal
#' comma, unless the comma is the separator. An empty number or `-` is a cell without contributors.
#' The total may be written in other capitals, as tau-ARGUS allows.
#'
#' **Statuses** become those of sdcTable in column `sdcStatus`:
#'
#' | | in `.tab` | in `.hst` | in a safe table | in SBS |
#' |---|---|---|---|---|
#' | `s`, safe | `<SAFE>` | `s` | 1, 2, 13 | `V` |
#' | `u`, primary | `<UNSAFE>` | `u` | 3 to 9 | `A`, `B`, `C`, `F` |
#' | `x`, secondary | `M` | `m`, `ml` | 11, 12 | `D` |
#' | `z`, must be published, or empty | `<PROTECT>`, `E` or nothing | `p` | 10, 14 | `-` |
#'
#' A safe table without statuses gets `x` where it shows an `x` instead of a value: it does not tell
#' primary and secondary cells apart.
#'
#' **A priori files** may also have `c` or `w` and a number (column `cost`), `pl` and two numbers
#' (columns `lower_pl` and `upper_pl`, the protection levels), and `ab` and two numbers
#' (`lower_bound`, `upper_bound`, the bounds that are known a priori). Any other command, and a cell
#' that the table does not have, is an error. Of two lines for one cell the later counts.
#'
#' @param file (string) The `.tab` file, or the safe table.
#' @param rda (string or `NULL`) The metadata; `NULL`: the file of the same name that ends in
#'   `.rda`.
#' @param hst (string or `NULL`) An a priori file.
#' @param format (string) `"tab"`: tabular data, also what tau-ARGUS writes as intermediate file;
#'   `"safe"`: a code-value file or the CSV file for a pivot table, with or without header and
#'   status; `"sbs"`: the SBS output format.
#' @param hst_separator (string or `NULL`) The separator of the a priori file; `NULL`: that of the
#'   table.
#' @param x (sdc_tau_argus) What `read_tau_argus()` returned.
#' @param ... Not used.
#' @return `read_tau_argus()`: an object of class `sdc_tau_argus`, a list with `cells` (data frame:
#'   a factor for each variable, then the columns of the file and `sdcStatus` where there are
#'   statuses), `roles` (the columns of each kind), `hierarchies` (trees as frames with `parent` and
#'   `child`), `total_codes` and `metadata`. It can be a part of a release for [constraints()] and
#'   [bounds_margins()] where it has counts, and its `cells` are a `pattern` for [suppress()].
#'
#'   `tau_argus_table()`: an `sdc_table` with its trees, of a file whose values are frequencies;
#'   otherwise an `sdc_magnitude`, see [magnitude_cells()], for which the file needs frequencies and
#'   at least one `<MAXSCORE>`.
#' @section Errors:
#' `sdc_error_input`, naming file and line, for files that are not there, lines with too few or too
#' many fields, values that are no numbers, cells given twice, unknown keywords, statuses and
#' commands. `tau_argus_table()`: when a total is not the sum of its cells, naming the total, and
#' when the file shows suppressed cells only by a sign.
#' @section Guarantee: Nothing of the files is ignored but what the details say.
#' @source Formats: tau-ARGUS 4.2 (Statistics Netherlands, \emph{User's manual}, sections 5.1 and
#'   5.2).
#' @family suppress
#' @seealso [write_tau_argus()]
#' @export
#' @examples
#' hidden <- roehrig < 0
#' hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
#' su <- suppress(roehrig, maxN = 1, pattern = hidden)
#' files <- write_tau_argus(su, tempfile())
#' x <- read_tau_argus(files[["tab"]], hst = files[["hst"]])
#' x
#' again <- suppress(tau_argus_table(x), maxN = 1, pattern = x$cells)
#' identical(as.table(again), as.table(su))
read_tau_argus <- function(file, rda = NULL, hst = NULL, format = c("tab", "safe", "sbs"),
                           hst_separator = NULL, ...) {
  check_no_dots(...)
  check_string(file)
  if (is.null(rda)) rda <- paste0(sub("[.][^.]*$", "", file), ".rda")
  check_string(rda)
  if (!is.null(hst)) check_string(hst)
  if (!is.null(hst_separator)) check_string(hst_separator)
  format <- check_choice(format, c("tab", "safe", "sbs"))
  meta <- read_argus_metadata(rda)
  columns <- switch(format, tab = tab_columns(file, meta), safe = safe_columns(file, meta),
                    sbs = sbs_columns(file, meta))
  if (!is.null(hst)) {
    separator <- hst_separator %||% meta$separator
    columns <- with_apriori(columns, hst, separator, names(argus_totals(meta)))
  }
  new_tau_argus(columns, meta, rda, file)
}

# ---- lines and numbers --------------------------------------------------------------------------

# The fields of each line: a matrix, NA where a line has fewer. `n`: how many there may be.
argus_fields <- function(file, separator, n) {
  lines <- argus_text_lines(file)
  rows <- which(nzchar(lines))
  found <- strsplit(paste0(lines[rows], separator, recycle0 = TRUE), separator, fixed = TRUE)
  size <- lengths(found)
  bad <- which(!size %in% n)[1]
  if (!is.na(bad)) {
    abort_argus(file, rows[bad], "It has {found} fields; {expected} are described.",
                list(found = size[bad], expected = paste(n, collapse = " or ")))
  }
  fields <- matrix(NA_character_, length(rows), max(n))
  at <- cbind(rep(seq_along(size), size), sequence(size))
  fields[at] <- gsub("^\"(.*)\"$", "\\1", trimws(unlist(found)))
  list(fields = fields, rows = rows, size = size)
}

argus_numbers <- function(texts, file, rows, separator) {
  texts[texts == "-"] <- ""
  if (separator != ",") texts <- sub(",", ".", texts, fixed = TRUE)
  out <- suppressWarnings(as.numeric(texts))
  bad <- which(nzchar(texts) & !is.finite(out))[1]
  if (!is.na(bad)) abort_argus(file, rows[bad], "One of its values is no number.")
  out
}

argus_code_list <- function(fields, meta) {
  totals <- argus_totals(meta)
  lapply(rlang::set_names(seq_along(totals), names(totals)), function(i) {
    codes <- trimws(fields[, i])
    replace(codes, tolower(codes) == tolower(totals[[i]]) | codes == "", totals[[i]])
  })
}

# ---- the three formats --------------------------------------------------------------------------

tab_columns <- function(file, meta) {
  read <- argus_fields(file, meta$separator, length(meta$variables))
  roles <- vapply(meta$variables, `[[`, "", "role")
  column <- function(i) read$fields[, i]
  codes <- argus_code_list(read$fields[, roles == "code", drop = FALSE], meta)
  others <- which(!roles %in% c("code", "status"))
  values <- lapply(others, function(i) {
    argus_numbers(column(i), file, read$rows, meta$separator)
  })
  names(values) <- vapply(meta$variables[others], `[[`, "", "name")
  at <- which(roles == "status")
  status <- if (length(at)) tab_status(column(at), meta, file, read$rows)
  list(codes = codes, values = values, roles = roles[others], status = status, rows = read$rows)
}

tab_status <- function(texts, meta, file, rows) {
  known <- c("s", "u", "z", "x", "z", "z")
  names(known) <- c(toupper(c(meta$safe, meta$unsafe, meta$protect)), "M", "E", "")
  status <- unname(known[match(toupper(texts), names(known))])
  bad <- which(is.na(status))[1]
  if (!is.na(bad)) {
    abort_argus(file, rows[bad], "{.val {text}} is no status.", list(text = texts[bad]))
  }
  status
}

# Codes, value, maybe a status; maybe a header.
safe_columns <- function(file, meta) {
  k <- length(argus_totals(meta))
  lines <- argus_text_lines(file)
  head <- gsub("\"", "", trimws(strsplit(lines[1], ",", fixed = TRUE)[[1]]))
  has_head <- identical(tolower(head[seq_len(k)]), tolower(names(argus_totals(meta))))
  # tau-ARGUS 4.1.4 writes an empty name too many
  read <- argus_fields(file, ",", k + 1:(2 + has_head))
  if (has_head) read <- without_head(read, file, k)
  n <- unique(read$size)
  if (length(n) != 1 || n > k + 2) abort_argus(file, read$rows[1], "Its lines differ in length.")
  value <- read$fields[, k + 1]
  hidden <- tolower(value) == "x"
  status <- if (n == k + 2) safe_status(read$fields[, n], file, read$rows) else
    ifelse(hidden, "x", ifelse(value %in% c("", "-"), "z", "s"))
  response <- argus_response(meta)
  list(codes = argus_code_list(read$fields, meta),
       values = rlang::set_names(
         list(argus_numbers(replace(value, hidden, ""), file, read$rows, ",")), response$name
       ), roles = response$role, status = status, rows = read$rows)
}

without_head <- function(read, file, k) {
  if (any(grepl("_(Round|CTA|Orig)$", read$fields[1, ]))) {
    abort_argus(file, 1, "It has rounded or adjusted values, which are not read.")
  }
  list(fields = read$fields[-1, , drop = FALSE], rows = read$rows[-1], size = read$size[-1])
}

safe_status <- function(texts, file, rows) {
  number <- match(texts, as.character(1:14))
  known <- c("s", "s", rep("u", 7), "z", "x", "x", "s", "z")
  if (anyNA(number)) {
    bad <- which(is.na(number))[1]
    abort_argus(file, rows[bad], "{.val {text}} is no status.", list(text = texts[bad]))
  }
  known[number]
}

# Codes, each maybe with its level, value, frequency, status, and shares of the largest.
sbs_columns <- function(file, meta) {
  k <- length(argus_totals(meta))
  read <- argus_fields(file, ",", k + 3:(5 + k))
  letters <- c(V = "s", A = "u", B = "u", C = "u", F = "u", D = "x", "-" = "z")
  levels <- read$fields[, 2 * seq_len(k), drop = FALSE]
  has_levels <- all(read$fields[, min(2 * k + 3, ncol(read$fields))] %in% names(letters)) &&
    all(grepl("^[0-9]+$", levels))
  fields <- if (has_levels) read$fields[, -2 * seq_len(k), drop = FALSE] else read$fields
  text <- fields[, k + 3]
  status <- unname(letters[match(text, names(letters))])
  bad <- which(is.na(status) | read$size > (1 + has_levels) * k + 5)[1]
  if (!is.na(bad)) {
    abort_argus(file, read$rows[bad], "{.val {text}} is no status.", list(text = text[bad]))
  }
  number <- function(i) argus_numbers(fields[, i], file, read$rows, ",")
  response <- argus_response(meta)
  freq <- if (response$role == "freq") response$name else argus_column(meta, "freq") %||% "freq"
  values <- list(number(k + 1), number(k + 2))
  if (response$role == "freq") values <- values[1]
  list(codes = argus_code_list(fields, meta),
       values = rlang::set_names(values, unique(c(response$name, freq))),
       roles = unique(c(response$role, "freq")), status = status, rows = read$rows)
}

argus_column <- function(meta, role) {
  at <- Find(function(v) v$role == role, meta$variables)
  at$name
}

argus_response <- function(meta) {
  name <- argus_column(meta, "value")
  if (is.null(name)) list(name = argus_column(meta, "freq"), role = "freq") else
    list(name = name, role = "value")
}

# ---- a priori -----------------------------------------------------------------------------------

apriori_commands <- list(
  s = "s", u = "u", p = "z", m = "x", ml = "x", c = "cost", w = "cost",
  pl = c("lower_pl", "upper_pl"), ab = c("lower_bound", "upper_bound")
)

with_apriori <- function(columns, file, separator, variables) {
  k <- length(variables)
  read <- argus_fields(file, separator, k + 1:3)
  command <- tolower(read$fields[, k + 1])
  needed <- c(rep(1, 5), 2, 2, 3, 3)[match(command, names(apriori_commands))]
  bad <- which(is.na(needed) | read$size != k + needed)[1]
  if (!is.na(bad)) {
    abort_argus(file, read$rows[bad], "{.val {command}} is no command, or has other numbers.",
                list(command = command[bad]))
  }
  key <- function(codes) do.call(paste, c(unname(codes), sep = "\r"))
  codes <- lapply(seq_len(k), function(v) {
    code <- read$fields[, v]
    known <- unique(columns$codes[[v]])
    ifelse(code %in% known, code, known[match(tolower(code), tolower(known))])
  })
  at <- match(key(codes), key(columns$codes))
  if (anyNA(at)) {
    abort_argus(file, read$rows[is.na(at)][1], "The table has no such cell.")
  }
  apply_apriori(columns, command, at, read, k, file, separator)
}

apply_apriori <- function(columns, command, at, read, k, file, separator) {
  n <- length(columns$codes[[1]])
  is_status <- command %in% names(apriori_commands)[1:5]
  if (is.null(columns$status)) columns$status <- rep("s", n)
  columns$status[at[is_status]] <- unlist(apriori_commands[command[is_status]])
  for (name in setdiff(unique(command), names(apriori_commands)[1:5])) {
    rows <- which(command == name)
    to <- apriori_commands[[name]]
    for (j in seq_along(to)) {
      text <- read$fields[rows, k + 1 + j]
      value <- argus_numbers(text, file, read$rows[rows], separator)
      held <- which(columns$roles == to[j])
      if (length(held) == 0) {
        columns$values[[free_name(to[j], names(columns$values))]] <- rep(NA_real_, n)
        columns$roles <- c(columns$roles, to[j])
        held <- length(columns$roles)
      }
      columns$values[[held]][at[rows]] <- value
    }
  }
  columns
}
