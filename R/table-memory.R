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
