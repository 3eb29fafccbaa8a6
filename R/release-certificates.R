# The file of a certified release, for an auditor who has neither R nor trust, and the picture of
# a certificate.

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
  if (!inherits(x$certificates, "sdc_certificates")) {
    abort_sdc("input", c(
      "{.arg x} must be a release with certificates.",
      x = "This one was chosen by the method \"{x$method}\" and has none.",
      i = "{.fn release_reducible} makes certificates."
    ))
  }
  folder <- dir.exists(file)
  if (folder || (file.exists(file) && !overwrite)) {
    abort_sdc("input", c(
      "{.arg file} must not be there yet.",
      x = "There is a {if (folder) 'folder' else 'file'} {.file {file}}.",
      i = if (!folder) "{.code overwrite = TRUE} replaces it."
    ))
  }
  check_release_holds(x, "Only a release that is verified can be written with its certificates.",
                      "See {.code verify_release(x)}.")
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
    error = function(cnd) {
      ours <- inherits(cnd, "sdc_error")
      why <- if (ours) "Its content is not valid." else conditionMessage(cnd)
      abort_sdc("input", c(
        "{.arg file} must be a file that {.fn write_certificates} has written, unchanged.",
        x = "{.file {basename(file)}}: {why}"
      ), parent = if (ours) cnd)
    }
  )
}

certified_release <- function(parts) {
  texts <- c(names(parts$dimnames), unlist(parts$dimnames))
  need(all(validUTF8(texts)), "A label is not in UTF-8.")
  parts <- parts_by_level(parts)
  risk <- if (is.null(parts$at_cells)) risk_width(parts$beta, parts$at_risk) else
    risk_width(parts$beta, cells = parts$at_cells)
  new_release(
    bare_problem(parts$x, risk, "width"), parts$sets, method = "reading a file of certificates",
    width = no_width(), guarantee = "claimed by the file, not checked; see verify_release()",
    certificates = new_certificates(parts$certificates)
  )
}

new_certificates <- function(x) {
  structure(x, class = sdc_class("sdc_certificates", mark = "private"))
}

#' @export
format.sdc_certificates <- function(x, ...) {
  paste0("PRIVATE: two tables for each of ", plural(length(x$target), "cell"), " at risk, ",
         plural(length(x$cell), "difference"), " from the original in all")
}

# Of a release as a file shows it: names and labels, what is coarser than what, the keys of the
# cells, and the certificates. A table by level has, behind the coarsest level of a variable, the
# numbers of children (table-level.R); a file has the categories themselves, as auditors know them.
shown_cells_of <- function(release) {
  x <- release$problem$x
  steps <- table_steps(x)
  if (is.null(steps)) {
    return(list(dimnames = x$dimnames, coarser = list(), keys = x$keys,
                certificates = release$certificates))
  }
  dimnames <- rlang::set_names(steps$categories, steps$names)
  keys <- function(codes) cpp_pack_keys(lengths(dimnames), codes)
  # for each step that has a finer one: its category for each category of that
  finer <- next_steps(steps, length(steps$variable))
  coarser <- lapply(seq_along(finer), function(step) {
    if (!is.na(finer[step])) coarse_categories(steps, finer[step], step)
  })
  list(dimnames = dimnames, coarser = coarser, keys = keys(categories_at(steps, stored_codes(x))),
       certificates = show_certificates(release$certificates, x, keys))
}

# For each category of a fine step that of a coarser one of its variable.
coarse_categories <- function(steps, fine, coarse) {
  steps$maps[[coarse]][match(seq_along(steps$categories[[fine]]), steps$maps[[fine]])]
}

# Of cells the category at each level; NA for combinations of steps that stand for none.
categories_at <- function(steps, codes) {
  lapply(seq_along(codes), function(step) {
    own <- which(steps$variable == steps$variable[step] & seq_along(codes) <= step)
    category_codes(steps, own, codes[own])
  })
}

# Certificates that hold leave combinations that stand for no category at 0: what a search noted
# there adds up to nothing.
show_certificates <- function(certificates, x, keys) {
  held <- unclass(certificates)
  codes <- categories_at(table_steps(x), key_codes(x, held$keys))
  real <- Reduce(`&`, lapply(codes, Negate(is.na)))
  number <- cumsum(real) - 1L
  kept <- real[held$cell + 1]
  list(keys = keys(lapply(codes, `[`, real)), start = c(0, cumsum(kept))[held$start + 1],
       target = number[held$target + 1], cell = number[held$cell[kept] + 1], by = held$by[kept])
}

# The levels of keys that are laid out as those of the table.
key_codes <- function(x, keys) {
  n <- length(keys) / length(x$keys) * length(x$counts)
  lapply(seq_along(x$dimnames), function(v) cpp_unpack_levels(dim(x), keys, numeric(n), v))
}

# What a file has, as the table, sets and certificates of a release.
parts_by_level <- function(parts) {
  x <- new_table(parts$dimnames, parts$cells)
  if (all(vapply(parts$coarser, is.null, NA))) {
    return(c(parts, list(x = x)))
  }
  steps <- steps_of_file(parts$dimnames, parts$coarser)
  finest <- which(is.na(next_steps(steps, length(steps$variable))))
  leaves <- project_table(x, finest, vector("list", length(finest)), x$dimnames[finest])
  parts$x <- step_table(leaves, steps)
  parts$sets <- lapply(parts$sets, close_set, steps = steps)
  need(is.null(level_sets_fault(parts$sets, steps)), "A variable is not released at its finest.")
  codes <- key_codes(x, parts$certificates$keys)
  codes <- lapply(seq_along(codes), function(step) {
    step_codes(step, steps)[codes[[finest[steps$variable[step]]]]]
  })
  parts$certificates$keys <- cpp_pack_keys(dim(parts$x), codes)
  parts$at_cells <- parts$at_cells[, finest, drop = FALSE]
  parts
}

# The names of levels stand behind the names of the variables; the finest has none.
steps_of_file <- function(dimnames, coarser) {
  k <- length(dimnames)
  is_coarser <- lengths(coarser) > 0
  variable <- cumsum(c(TRUE, !is_coarser[-k]))
  maps <- vector("list", k)
  for (step in rev(seq_len(k))) {
    maps[[step]] <- if (is_coarser[step]) coarser[[step]][maps[[step + 1]]] else
      seq_along(dimnames[[step]])
  }
  finest <- names(dimnames)[!is_coarser][variable]
  need(all(startsWith(names(dimnames), ifelse(is_coarser, paste0(finest, "@"), finest))),
       "A level is not called by its variable.")
  level <- ifelse(is_coarser, substring(names(dimnames), nchar(finest) + 2), "finest")
  list(variable = variable, level = level, names = names(dimnames),
       categories = unname(dimnames), maps = maps, trees = vector("list", k),
       total_label = "Total")
}

draw_certificate <- function(release, cell) {
  pair <- certificate_tables(release, cell)
  if (length(pair$tables[[1]]) <= 400) draw_pair(pair) else draw_pair_changes(pair)
}

# The two tables of one cell at risk: dense, with the original and the number of the cell.
certificate_tables <- function(release, cell) {
  x <- release$problem$x
  all <- release$certificates
  if (is.null(all)) {
    abort_sdc("input", c(
      "Only a release with certificates has pairs of tables to draw.",
      x = "This one was chosen by the method \"{release$method}\".",
      i = "{.fn release_reducible} makes certificates."
    ))
  }
  if (prod(dim(x)) > 1e6) {
    abort_sdc("too_large", c(
      "The tables of a certificate are drawn up to a million cells.",
      x = "The table has {format_count(prod(dim(x)))}."
    ))
  }
  number <- cell_numbers(key_codes(x, all$keys), x$dimnames)
  targets <- number[all$target + 1]
  at <- if (is.null(cell)) targets[1] else one_cell(cell, x$dimnames)
  c <- match(at, targets)
  if (is.na(c)) {
    abort_sdc("input", c(
      "{.arg cell} must be a cell at risk: only these have certificates.",
      x = "There is none for {cell_words(at, x$dimnames)}.",
      i = "{.code cell = NULL} takes the first cell at risk."
    ))
  }
  original <- dense_counts(x)
  tables <- lapply(2 * c - 1:0, function(t) {
    entries <- seq_len(all$start[t + 1] - all$start[t]) + all$start[t]
    changed <- number[all$cell[entries] + 1]
    replace(original, changed, original[changed] + all$by[entries])
  })
  if (tables[[1]][at] > tables[[2]][at]) tables <- rev(tables)
  list(tables = tables, original = original, at = at, dimnames = x$dimnames)
}

# The first half of the variables down, the others across.
draw_pair <- function(pair) {
  k <- length(pair$dimnames)
  down <- seq_len(ceiling(k / 2))
  labels <- cell_factors(seq_along(pair$original), pair$dimnames)
  joint <- function(v) {
    if (length(v) == 0) factor(rep("", length(pair$original))) else
      named_level(interaction(labels[v], sep = " ", lex.order = TRUE))
  }
  frame <- data.frame(row = joint(down), column = joint(setdiff(seq_len(k), down)))
  names <- names(pair$dimnames)
  pair_picture(pair, frame, seq_along(pair$original)) +
    ggplot2::labs(y = paste(names[down], collapse = " / "),
                  x = paste(names[-down], collapse = " / "))
}

# Of a large table the cells that differ from the original in one of the two.
draw_pair_changes <- function(pair) {
  changed <- which(Reduce(`|`, lapply(pair$tables, function(t) t != pair$original)))
  at <- unique(c(pair$at, changed))
  shown <- utils::head(at, 40)
  cell <- do.call(paste, c(unname(cell_factors(shown, pair$dimnames)), sep = " / "))
  frame <- data.frame(row = factor(cell, cell), column = factor(rep("", length(shown))))
  pair_picture(pair, frame, shown) +
    ggplot2::labs(x = NULL, y = NULL, subtitle = paste0(
      format_count(length(shown)), " of ", plural(length(at), "cell"),
      " that differ from the original"
    ))
}

pair_picture <- function(pair, frame, at) {
  both <- do.call(rbind, lapply(1:2, function(i) {
    table <- pair$tables[[i]]
    name <- paste0("table ", i, ": ", format_count(table[pair$at]), " at the framed cell")
    data.frame(frame, table = name, count = table[at], change = table[at] - pair$original[at],
               framed = at == pair$at)
  }))
  # a dot of its own tells changes apart where colours are not seen
  both$.label <- paste0(short_amount(both$count),
                        ifelse(both$change > 0, "+", ifelse(both$change < 0, "-", "")))
  both$change <- factor(sign(both$change), c(1, 0, -1))
  ggplot2::ggplot(both, ggplot2::aes(.data$column, .data$row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$change), colour = "grey80", width = 1,
                       height = 1) +
    ggplot2::geom_tile(data = both[both$framed, ], fill = NA, colour = "black", linewidth = 1.1,
                       width = 1, height = 1) +
    tile_words(both$.label, 2 * nlevels(frame$column), nlevels(frame$row)) +
    ggplot2::scale_fill_manual(
      values = c(`1` = "#92c5de", `0` = "white", `-1` = "#f4a582"), drop = FALSE,
      name = "against the\noriginal", labels = c(`1` = "more (+)", `0` = "equal", `-1` = "less (-)")
    ) +
    ggplot2::facet_wrap("table") +
    level_axes(levels(frame$column), levels(frame$row)) +
    ggplot2::theme(panel.spacing = ggplot2::unit(5, "mm")) +
    ggplot2::labs(caption = paste0(
      "Confidential. Both tables have all released margins. Framed: ",
      cut_text(cell_words(pair$at, pair$dimnames), 60), "."
    ))
}
