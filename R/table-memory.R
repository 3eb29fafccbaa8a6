# How much memory making a table may take, and where the rest is kept meanwhile.

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
  if (!dir.exists(folder)) {
    abort_sdc("input", c(
      "{.code options(sdcLattice.scratch)} must be a folder.",
      x = "There is no folder {.file {folder}}."
    ))
  }
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

# ---- groups that come in chunks ------------------------------------------------------------------

# What a stream holds in R: for each variable its distinct values so far, and how many records miss
# it. With `repeats` a cell may come more than once.
new_cell_stream <- function(variables, repeats) {
  stream <- new.env(parent = emptyenv())
  stream$variables <- variables
  stream$cells <- cpp_open_cells(length(variables), repeats, memory_plan(Inf))
  stream$known <- lapply(variables, function(name) list(kind = "unknown", values = logical()))
  stream$missing <- numeric(length(variables))
  stream
}

# Adds a chunk: a column of values for each variable, the number of records of each row, and its
# count, which is that number unless records have weights.
add_chunk <- function(stream, columns, n, counts = n) {
  codes <- lapply(seq_along(columns), function(v) {
    x <- bare_column(columns[[v]], stream$variables[v])
    stream$missing[v] <- stream$missing[v] + sum(n[is.na(x$values)])
    stream$known[[v]] <- join_values(stream$known[[v]], x, stream$variables[v])
    match(x$values, stream$known[[v]]$values)
  })
  with_core(cpp_add_cells(stream$cells, codes, counts))
}

# The table of all chunks. Values become levels as those of a column of a data frame do.
stream_table <- function(stream, na) {
  if (na == "error" && any(stream$missing > 0)) abort_missing(stream$missing, stream$variables)
  columns <- rlang::set_names(Map(encode_known, stream$known, stream$variables, na),
                              stream$variables)
  maps <- Map(function(column, code) ifelse(code < 0, column$level_of_missing, code) + 1L, columns,
              record_codes(columns))
  dimnames <- lapply(columns, `[[`, "levels")
  new_table(dimnames, with_core(cpp_take_cells(stream$cells, lengths(dimnames), unname(maps))))
}

# ---- values -------------------------------------------------------------------------------------

# The values of a column without their class, which would be in the way of comparing them, and what
# puts it on again: `like`, no values of that class, or `levels`.
bare_column <- function(x, name) {
  if (inherits(x, "integer64")) {
    return(list(kind = "whole", values = whole_levels(x, name)))
  }
  like <- x[0]
  encode_column(like, name, "error")
  if (is.factor(x)) {
    return(list(kind = "factor", values = as.character(x), levels = levels(x)))
  }
  if (is.object(x)) {
    return(list(kind = class(x)[1], values = as.vector(unclass(x)), like = like))
  }
  kind <- if (is.numeric(x)) "number" else if (is.logical(x) && all(is.na(x))) "unknown" else
    typeof(x)
  list(kind = kind, values = x)
}

# What is known with the values of a chunk after them, so that codes stay. A column without a value
# has no type yet, and whole numbers may turn out to need more room.
join_values <- function(known, x, name) {
  kinds <- setdiff(unique(c(known$kind, x$kind)), "unknown")
  if (setequal(kinds, c("number", "whole"))) kinds <- "whole"
  same_class <- is.null(known$like) || is.null(x$like) ||
    identical(attributes(known$like), attributes(x$like))
  if (length(kinds) > 1 || !same_class) abort_value_types(name)
  values <- unique(x$values)
  values <- c(known$values, values[is.na(match(values, known$values))])
  if (identical(kinds, "whole") && any(values != floor(values), na.rm = TRUE)) {
    abort_value_types(name)
  }
  list(kind = if (length(kinds) == 0) "unknown" else kinds, values = values,
       like = known$like %||% x$like, levels = union(known$levels, x$levels))
}

abort_value_types <- function(name) {
  abort_sdc("input", c(
    "The values of a column in the database must be of one type.",
    x = "Column {.val {name}} has values of several types.",
    i = "Cast the column in a {.arg query}."
  ))
}

encode_known <- function(known, name, na) {
  values <- known$values
  if (known$kind == "whole") {
    values <- as.double(values)
    return(with_missing_level(encode_whole(values), values, na))
  }
  if (known$kind == "factor") values <- factor(values, known$levels)
  if (!is.null(known$like)) attributes(values) <- attributes(known$like)
  # the type of no values is unknown
  encode_column(if (length(values) == 0 && known$kind == "unknown") numeric() else values, name, na)
}
