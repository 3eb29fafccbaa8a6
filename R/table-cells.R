# The cells of a table: how they are stored, counted and summed over variables or levels, which
# ones a user means, and how much memory that may take.

#' @rdname sdc_table
#' @export
is_sdc_table <- function(x) inherits(x, "sdc_table")

# `keys`: raw, 8 bytes a word, in cell order; `counts`: whole numbers > 0, as doubles.
new_table <- function(dimnames, cells, layout = NULL) {
  parts <- list(dimnames = dimnames, keys = cells$keys, counts = cells$counts)
  structure(c(parts, if (!is.null(layout)) list(layout = layout)), class = sdc_class("sdc_table"))
}

#' @name table-methods
#' @rdname table-methods
#' @export
dim.sdc_table <- function(x) unname(lengths(.subset2(x, "dimnames")))

#' @rdname table-methods
#' @export
dimnames.sdc_table <- function(x) .subset2(x, "dimnames")

#' @rdname table-methods
#' @export
length.sdc_table <- function(x) prod(lengths(.subset2(x, "dimnames")))

# All cells, first variable fastest.
dense_counts <- function(x, max_cells = getOption("sdcLattice.max_cells", 5e7)) {
  check_cells(length(x), max_cells)
  with_core(cpp_expand_dense(dim(x), x$keys, x$counts))
}

table_shape <- function(x) {
  paste0(
    plural(length(x), "cell"), " (", format_count(length(x$counts)), " not zero), total ",
    format_count(sum(x))
  )
}

# The levels of the non-zero cells, a vector for each variable.
stored_codes <- function(x) {
  lapply(seq_along(x$dimnames), function(v) cpp_unpack_levels(dim(x), x$keys, x$counts, v))
}

# Some n cells at even distances.
some_cells <- function(x, n) {
  total <- length(x$counts)
  if (total <= n) {
    return(x)
  }
  at <- unique(round(seq(1, total, length.out = n)))
  words <- length(x$keys) / total
  new_table(x$dimnames, list(
    keys = x$keys[rep((at - 1) * words, each = words) + rep(seq_len(words), length(at))],
    counts = x$counts[at]
  ))
}

# ---- memory --------------------------------------------------------------------------------------

#' How much memory tables may take
#'
#' `options(sdcLattice.memory = 2000)` lets [sdc_table()], [margin()], [margins()] and `c()` of
#' tables take 2,000 megabytes (of 1e6 bytes), besides the data and what R holds already. Results
#' never depend on it.
#'
#' # What happens at the limit
#' * **Work** on cells that would take more goes to a file: cells are sorted in the memory that is
#'   allowed, written as sorted runs, and merged. This needs some two to three times the memory, and
#'   room on a disk for at most as many cells as there are records.
#' * **The table** itself is held in memory, with 16 bytes for each cell that is not zero (8 more
#'   for each further 64 bits of a key): 1.6 gigabytes for 10^8 cells. A table that has no room
#'   within the limit is refused before memory is taken, with its size.
#'
#' Tables of records are made this way, be they in a data frame, in files ([file_records()]) or in a
#' database ([db_records()]), and so are margins and selections of tables. Small tables are made in
#' memory.
#'
#' # The default
#' Without the option the limit is three quarters of the memory that is available when the work
#' begins, as Linux and its control groups say. On other systems there is no limit then.
#'
#' # The file
#' It lies in `options(sdcLattice.scratch)`, a folder, or else in [tempdir()]. It holds keys and
#' counts of the confidential table and is removed when the work ends, by an error or an interrupt,
#' too. On Linux and macOS it loses its name when it is opened, so that nothing is left of it even
#' when the process is killed.
#'
#' @section Errors: `sdc_error_input` when an option is not what it must be, or the folder cannot be
#'   written to; `sdc_error_too_large`, with the size, when a table has no room within the limit, or
#'   the disk none for the runs.
#' @section Complexity: An external merge sort: each cell is written once (and once more for each
#'   64-fold of the runs) and read twice. See `system.file("bench", "large.R", package =
#'   "sdcLattice")`.
#' @name sdcLattice-memory
#' @family table
#' @examples
#' old <- options(sdcLattice.memory = 100)
#' limited <- sdc_table(Titanic)
#' options(old)
#' identical(limited, sdc_table(Titanic))
NULL

# For work that takes `need` bytes: NULL when there is as much, else what the core needs to know. A
# sixteenth of the limit is for reading the runs.
memory_plan <- function(need) {
  limit <- memory_limit(need)
  if (need <= limit) {
    return(NULL)
  }
  list(path = tempfile("sdcLattice-", scratch_folder()), bytes = limit, most = limit * 15 / 16)
}

# In bytes. What the system has is not asked for small work.
memory_limit <- function(need) {
  asked <- getOption("sdcLattice.memory")
  if (is.null(asked)) {
    return(if (need < 2^26) Inf else .75 * available_memory())
  }
  check_number(asked, min = 1e-3, max = 1e9, arg = "options(sdcLattice.memory)")
  1e6 * asked
}

# In bytes, as Linux and its control groups say, and at most what addresses of 32 bits reach;
# infinite where nobody does.
available_memory <- function() {
  free <- number_in_file("/proc/meminfo", "^MemAvailable: *([0-9]+) kB$") * 1024
  limit <- number_in_file("/sys/fs/cgroup/memory.max", "^([0-9]+)$")
  used <- number_in_file("/sys/fs/cgroup/memory.current", "^([0-9]+)$")
  reached <- if (.Machine$sizeof.pointer < 8) 2^31
  min(free, max(0, limit - used), reached, na.rm = TRUE)
}

number_in_file <- function(path, pattern) {
  lines <- if (file.exists(path)) tryCatch(readLines(path, warn = FALSE), error = function(e) NULL)
  as.numeric(sub(pattern, "\\1", grep(pattern, lines, value = TRUE)))[1]
}

scratch_folder <- function() {
  folder <- getOption("sdcLattice.scratch")
  if (is.null(folder)) {
    return(tempdir(check = TRUE))
  }
  check_string(folder, "options(sdcLattice.scratch)")
  check_that(
    dir.exists(folder),
    "{.code options(sdcLattice.scratch)} must be a folder.",
    x = "There is no folder {.file {folder}}."
  )
  path.expand(folder)
}

# The bytes of a cell: the words of its key (see layout.hpp) and its count.
cell_bytes <- function(dim) {
  used <- 64
  words <- 0
  for (bits in ceiling(log2(pmax(dim, 1)))) {
    if (bits > 0 && used + bits > 64) {
      words <- words + 1
      used <- 0
    }
    used <- used + bits
  }
  8 * (max(words, 1) + 1)
}

# What counting n records in memory takes at most: sorted cells, rows that wait and are sorted, and
# the cells once more for R.
tabulation_plan <- function(dim, n) {
  memory_plan(5 * cell_bytes(dim) * min(n, prod(dim)))
}

# The rows on their way, once more while they are sorted, and the cells for R; or an array of all.
projection_plan <- function(n, dim, maps) {
  need <- 3 * n * cell_bytes(dim)
  dense <- all(vapply(maps, is.null, NA)) && prod(dim) <= max(4096, n)
  memory_plan(if (dense) min(need, prod(dim) * (8 + 2 * cell_bytes(dim))) else need)
}

# ---- counting and summing ------------------------------------------------------------------------

tabulate_records <- function(columns, n, weights) {
  dimnames <- lapply(columns, function(column) column$levels)
  size <- lengths(dimnames)
  plan <- tabulation_plan(size, n)
  found <- with_core(if (is.null(plan)) {
    cpp_tabulate_records(size, unname(columns), n, weights, default_threads())
  } else {
    cpp_tabulate_in_runs(size, unname(columns), n, weights, plan)
  })
  if (length(found$missing) > 0) {
    abort_missing(found$missing, names(columns))
  }
  new_table(dimnames, found)
}

# ---- fewer variables or levels -------------------------------------------------------------------

# `maps`: for each new variable NULL, or for each old level the new one, 0 for those left out.
project_table <- function(x, keep, maps, dimnames) {
  cells <- with_core(
    cpp_project_table(dim(x), x$keys, x$counts, lengths(dimnames), keep, maps,
                      projection_plan(length(x$counts), lengths(dimnames), maps))
  )
  new_table(dimnames, cells)
}

# `index`: for each variable the levels to keep, in their new order.
select_levels <- function(x, index) {
  maps <- Map(function(i, levels) {
    if (identical(i, seq_along(levels))) {
      return(NULL)
    }
    map <- integer(length(levels))
    map[i] <- seq_along(i)
    map
  }, index, unname(x$dimnames))
  dimnames <- Map(function(levels, i) levels[i], x$dimnames, index)
  project_table(x, seq_along(index), unname(maps), dimnames)
}

# ---- margins ------------------------------------------------------------------------------------

# For each variable the numbers of the levels that have a cell.
levels_in_use <- function(x) with_core(cpp_levels_in_use(dim(x), x$keys, x$counts))

# The table of the cells with counts from 1 to maxN.
small_cells <- function(x, maxN) {
  new_table(x$dimnames, with_core(cpp_cells_up_to(dim(x), x$keys, x$counts, maxN)))
}

# ---- which cells a user means --------------------------------------------------------------------

# Which cells a user means: numbers (first variable fastest), a logical array of the table's shape,
# or a data frame that names levels. Returns cell numbers.
resolve_cells <- function(cells, dimnames, arg = "cells") {
  n <- prod(lengths(dimnames))
  if (is.null(cells)) {
    return(seq_len(n))
  }
  if (is.data.frame(cells)) {
    return(combine_codes(label_codes(cells, dimnames, arg), lengths(dimnames), nrow(cells)))
  }
  if (is.matrix(cells) && is.numeric(cells)) {
    return(combine_codes(index_codes(cells, dimnames, arg), lengths(dimnames), nrow(cells)))
  }
  if (is.logical(cells) && length(cells) == n && !anyNA(cells)) {
    return(which(as.vector(cells)))
  }
  whole <- is.numeric(cells)
  ok <- if (whole) !is.na(cells) & cells == floor(cells) & cells >= 1 & cells <= n
  check_that(
    whole && all(ok),
    "{.arg {arg}} must be cell numbers from 1 to {n}, a logical array of the table's shape, a matrix
     with a column of level numbers for each variable, or a data frame with a column of labels for
     each variable.",
    x = "{if (whole) describe_first(cells, ok, arg) else describe(cells, arg)}"
  )
  as.integer(cells)
}

# The same as a vector for each variable.
index_codes <- function(cells, dimnames, arg) {
  size <- lengths(dimnames)
  ok <- ncol(cells) == length(size) && !anyNA(cells) && all(cells == floor(cells)) &&
    all(cells >= 1) && all(t(cells) <= size)
  check_that(
    ok,
    "A matrix for {.arg {arg}} must have a column of level numbers for each variable.",
    x = "It has {ncol(cells)} column{?s}; there are {length(size)} variable{?s} with
         {paste(size, collapse = ', ')} levels."
  )
  lapply(seq_along(size), function(v) as.integer(cells[, v]))
}

# The levels that the rows of a data frame name, a vector for each variable.
label_codes <- function(cells, dimnames, arg) {
  missing <- setdiff(names(dimnames), names(cells))
  check_that(
    length(missing) == 0,
    "{.arg {arg}} must have a column for each variable.",
    x = "Missing: {.val {missing}}.",
    i = did_you_mean(missing, names(cells), "column")
  )
  lapply(names(dimnames), function(variable) {
    column <- cells[[variable]]
    code <- if (is.factor(column)) {
      match(levels(column), dimnames[[variable]])[as.integer(column)]
    } else {
      match(as.character(column), dimnames[[variable]])
    }
    if (anyNA(code)) {
      at <- which(is.na(code))[1]
      abort_sdc("input", c(
        "{.arg {arg}} must name levels of the table.",
        x = "Row {at} has {.val {as.character(column)[at]}}, which is not a level of
             {.val {variable}}.",
        i = did_you_mean(as.character(column)[at], dimnames[[variable]], "level")
      ))
    }
    code
  })
}

# A variable must not bear the name of a column that the result has of its own.
check_free_names <- function(labels, columns) {
  clash <- intersect(names(labels), columns)
  check_that(
    length(clash) == 0,
    "No variable may have the name of a column that the result has itself: {.field {columns}}.",
    x = "The table has {cli::qty(clash)}{?a variable/variables} {.field {clash}}.",
    i = "Give {cli::qty(clash)}{?it another name/them other names} when the table is made."
  )
}

# For each cell of an array the number of its level in the margin of the dimensions `kept`.
level_numbers <- function(dim, kept) {
  n <- prod(dim)
  combine_codes(split_codes(seq_len(n), dim)[kept], dim[kept], n)
}

# ---- levels in use ------------------------------------------------------------------------------

# Leaves out levels without any count.
drop_unused_levels <- function(x) {
  select_levels(x, levels_in_use(x))
}


cell_numbers <- function(codes, dimnames) {
  n <- if (length(codes) > 0) length(codes[[1]]) else 1
  as.integer(combine_codes(codes, lengths(dimnames, FALSE), n))
}


one_cell <- function(cell, dimnames) {
  check_given(cell, "cell")
  at <- if (!is.null(cell)) resolve_cells(as_cell(cell), dimnames, "cell")
  if (length(at) == 1) {
    return(at)
  }
  abort_sdc("input", c(
    "{.arg cell} must be one cell.", x = "{length(at)} cells were given."
  ))
}


# A named list or vector with one label for each variable is a frame of one row.
as_cell <- function(cell) {
  named <- (is.list(cell) || is.character(cell)) && !is.data.frame(cell) && !is.null(names(cell)) &&
    all(lengths(cell) == 1)
  if (named) list2data_frame(as.list(cell), 1) else cell
}


# "row 2, column 4"
cell_words <- function(at, dimnames) {
  if (length(dimnames) == 0) {
    return("the one cell")
  }
  codes <- split_codes(at, lengths(dimnames, FALSE))
  paste(names(dimnames), Map(`[`, dimnames, codes), collapse = ", ")
}


lists_zeros <- function(cells, variables) nrow(cells) == prod(node_numbers(cells, variables))


node_numbers <- function(cells, variables) {
  vapply(unclass(cells)[variables], nlevels, 0L, USE.NAMES = FALSE)
}
