# The file of a certified release, for an auditor who has neither R nor trust.

#' A release with its certificates as a file
#'
#' `write_certificates()` writes a release of [release_reducible()] with all its certificates into
#' one file of plain text, so that somebody else can convince himself that it is safe: the review
#' board, an auditor, another office. A program without R checks it, and `read_certificates()` reads
#' it back for [verify_release()]. **The file is confidential: it holds the full table.**
#'
#' # The file
#' Its first lines say what all the others are, and what has to be checked, so that anybody can
#' write a checker without this package. It holds the rule, the variables and their levels, the
#' frontier of the released sub-tables, the cells of the table, and for each cell at risk two tables
#' as differences from the original. Everything is exact and in whole numbers. The last line is the
#' SHA-256 of all bytes before it, which detects accidents, not forgers. The same release gives the
#' same bytes. Only the user who writes the file may read it, where the system knows such rights.
#'
#' # The checker
#' `sdclattice-check FILE [PUBLISHED.csv ...]` is a program from the package's core. It shares no
#' code with the search, and ends with the exit code
#' * 0: safe as claimed; every cell at risk has two tables without negative counts that agree with
#'   each other in all that is released, and differ by at least `beta` at the cell;
#' * 1: refuted; it says which check failed, and for which cell and which sub-table;
#' * 2: a file cannot be read, or was cut short or changed without a new checksum.
#'
#' It prints the rule and the released sub-tables, for these are what the auditor has to compare
#' with what is really released: the file claims nothing of other sub-tables. `PUBLISHED.csv` are
#' published tables, as [write_publication()] writes `table.csv`, or other CSV with a header of
#' variables and `count` or `freq`, without totals. Each must be released and show the counts of the
#' table in the file. What the program prints is confidential as well, since it
#' names cells at risk. It never prints a count.
#'
#' # By level
#' The file of a release by level (see [level_table()]) has a variable for each level, such as
#' `age@half` and `age`, and says which level of the finer lies in which of the coarser; each cell
#' has all of them. Its first line names version 2 of the format, which differs from version 1, that
#' of all other files, by these lines alone. The checker compares published tables at any level.
#'
#' The program needs a compiler for C++17 and the source package, whose folder `inst/checker` has
#' it: `sh inst/checker/build.sh` compiles, and `sh inst/checker/build.sh --sources FOLDER` copies
#' the few files to be compiled, for somebody who has not the package.
#'
#' @param x (sdc_release) A release with certificates, as [release_reducible()] finds it.
#' @param file (string) The path of the file.
#' @param overwrite (flag) Whether a file of this name may be replaced.
#' @param ... Must be empty.
#' @return `write_certificates()`: the path, invisibly. `read_certificates()`: an
#'   [`sdc_release`][sdc_release] with the table, rule, sets and certificates of the file; it claims
#'   no width and no upper bound. It is not checked: ask [verify_release()].
#' @section Errors:
#' `sdc_error_refused` when [verify_release()] does not verify `x`; `sdc_error_input` when `x` has
#' no certificates, when the file is there already, cannot be written, or is not one of this
#' format, unchanged. No message shows a count.
#' @section Guarantee: Exact. A file that `read_certificates()` reads and `write_certificates()`
#'   writes again has the same bytes.
#' @section Complexity: Linear in the differences. For 14 variables, 70,829 cells and 61,421 cells
#'   at risk the file has 19 MB, and the checker takes about a second of processor time.
#' @template ref-releases
#' @template experimental
#' @family release
#' @export
#' @examples
#' re <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
#' file <- write_certificates(re, tempfile())
#' # what the file says of itself
#' cat(grep("^#", readLines(file), value = TRUE), sep = "\n")
#' verify_release(read_certificates(file))
#' unlink(file)
write_certificates <- function(x, file, overwrite = FALSE, ...) {
  check_no_dots(...)
  check_given(x)
  check_class(x, "sdc_release", make = "release_reducible")
  check_string(file)
  check_flag(overwrite)
  check_release_certified(x)
  check_file_free(file, overwrite)
  check_certificates_hold(x)
  shown <- shown_cells_of(x)
  bytes <- with_core(cpp_write_certificates(
    shown$dimnames, shown$coarser, shown$keys, x$problem$x$counts, x$problem$at_risk, x$sets,
    x$risk$beta, as.numeric(x$risk$at_risk), shown$certificates
  ))
  before <- Sys.umask("077")
  on.exit(Sys.umask(before))
  write_beside(function(path) writeBin(bytes, path), file)
  invisible(file)
}

check_release_certified <- function(x) {
  if (inherits(x$certificates, "sdc_certificates")) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg x} must be a release with certificates.",
    x = "This one was chosen by the method \"{x$method}\" and has none.",
    i = "{.fn release_reducible} makes certificates."
  ))
}

check_file_free <- function(file, overwrite) {
  if (overwrite && !dir.exists(file) || !file.exists(file)) {
    return(invisible(file))
  }
  abort_sdc("input", c(
    "{.arg file} must not be there yet.",
    x = "There is a {if (dir.exists(file)) 'folder' else 'file'} {.file {file}}.",
    i = if (!dir.exists(file)) "{.code overwrite = TRUE} replaces it."
  ))
}

check_certificates_hold <- function(x) {
  fault <- release_fault(x)
  if (is.null(fault)) {
    return(invisible(x))
  }
  abort_sdc("refused", c(
    "Only a release that is verified can be written with its certificates.",
    x = "The check of this one found: {fault}.",
    i = "See {.code verify_release(x)}."
  ))
}

#' @rdname write_certificates
#' @export
read_certificates <- function(file, ...) {
  check_no_dots(...)
  check_string(file)
  tryCatch(
    {
      need(file.exists(file) && !dir.exists(file), "There is no such file.")
      certified_release(cpp_read_certificates(readBin(file, "raw", file.size(file))))
    },
    error = function(cnd) refuse_certificates(file, cnd)
  )
}

refuse_certificates <- function(file, cnd) {
  ours <- inherits(cnd, "sdc_error")
  why <- if (ours) "Its content is not valid." else conditionMessage(cnd)
  abort_sdc("input", c(
    "{.arg file} must be a file that {.fn write_certificates} has written, unchanged.",
    x = "{.file {basename(file)}}: {why}"
  ), parent = if (ours) cnd)
}

certified_release <- function(parts) {
  texts <- c(names(parts$dimnames), unlist(parts$dimnames))
  need(all(validUTF8(texts)), "A label is not in UTF-8.")
  parts <- parts_by_level(parts)
  risk <- if (is.null(parts$at_cells)) risk_width(parts$beta, parts$at_risk) else
    risk_width(parts$beta, cells = parts$at_cells)
  problem <- bare_problem(parts$x, risk, "width")
  new_release(
    problem, parts$sets, method = "reading a file of certificates",
    width = c(inner = NA_real_, outer = NA_real_),
    guarantee = "claimed by the file, not checked; see verify_release()",
    certificates = structure(parts$certificates,
                             class = sdc_class("sdc_certificates", mark = "private"))
  )
}
