# The table of a statistics office: areas in 3 tiers by occupation, sector, age group and sex, with
# the totals of all trees. Each package builds it from records, lists all published cells, and takes
# those below a threshold; all in the same run, at the sizes that they can do. The cells, their sum
# and the small ones must be the same.
#   Rscript office-table.R [records, 1e7 unless given]
# Seconds of processor time, for each package works in one thread; and the peak memory of a fresh
# process with its data (Linux only), one for each package.
# Packages that hold a matrix of all published cells, or an object for each, get a smaller table of
# 300 areas by sector and sex, from 1e5 records.

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) > 0) as.numeric(args[1]) else 1e7
one_package <- args[2]
one_case <- args[3]
if (!is.na(one_case) && one_case == "small") n <- 1e5

# A tree with a column for each level, from the coarsest to the finest, from its numbers of nodes.
wide_tree <- function(...) {
  size <- c(...)
  finest <- seq_len(size[length(size)])
  columns <- lapply(size, function(k) (finest - 1) %/% ceiling(length(finest) / k) + 1)
  as.data.frame(Map(function(code, name) paste0(name, code), columns, names(size)))
}
# Parent-child form, with a root "Total".
long_tree <- function(wide) {
  nodes <- c(list(rep("Total", nrow(wide))), unclass(wide))
  rows <- lapply(seq_along(wide), function(k) {
    unique(data.frame(parent = nodes[[k]], child = nodes[[k + 1]], level = names(wide)[k]))
  })
  do.call(rbind, c(list(data.frame(parent = NA, child = "Total", level = "total")), rows))
}
# Depth and code, each node after its parent.
at_frame <- function(wide) {
  paths <- unique(do.call(rbind, lapply(seq_along(wide), function(k) {
    data.frame(levels = strrep("@", k + 1), codes = wide[[k]], row = match(wide[[k]], wide[[k]]))
  })))
  paths <- paths[order(paths$row, nchar(paths$levels)), c("levels", "codes")]
  rbind(data.frame(levels = "@", codes = "Total"), paths)
}
wide <- list(
  area = wide_tree(region = 30, county = 300, area = 3000),
  occupation = wide_tree(major = 5, minor = 15, occupation = 75),
  sector = wide_tree(branch = 3, sector = 10), age = wide_tree(band = 4, age = 10),
  sex = data.frame(sex = c("f", "m"))
)
power <- c(area = 1.3, occupation = 1.5, sector = 1.5, age = 1, sex = 0)
if (identical(one_case, "small")) {
  wide <- c(list(area = wide_tree(region = 3, county = 30, area = 300)), wide[c("sector", "sex")])
}
trees <- lapply(wide[names(wide) != "sex"], long_tree)

# Skewed, so that most cells are small and few are large.
make_data <- function(n) {
  set.seed(1)
  out <- Map(function(tree, p) {
    levels <- tree[[ncol(tree)]]
    k <- length(levels)
    structure(sample.int(k, n, TRUE, seq_len(k)^-p), levels = levels, class = "factor")
  }, wide, power[names(wide)])
  as.data.frame(out)
}

# The best of three in the small case, where loading code counts.
clock <- function(expr) {
  expr <- substitute(expr)
  envir <- parent.frame()
  min(vapply(seq_len(if (identical(one_case, "small")) 3 else 1), function(i) {
    sum(system.time(eval(expr, envir), gcFirst = TRUE)[c("user.self", "sys.self")])
  }, 1))
}
peak <- function() {
  if (!file.exists("/proc/self/status")) return(NA)
  line <- grep("VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}
report <- function(...) cat(deparse1(list(...)), "\n")

packages <- list(
  sdcLattice = function(n) {
    suppressPackageStartupMessages(library(sdcLattice))
    data <- make_data(n)
    build <- clock(x <- sdc_table(data, names(wide), hierarchies = trees))
    small <- clock(primary <- sensitive(x, 4))
    levels <- clock(sdcLattice:::count_by_level(x))
    list <- clock(cells <- as.data.frame(x, totals = TRUE))
    report(build = build, list = list, small = small, levels = levels, memory = peak(),
           leaves = length(x$counts), cells = nrow(cells), primary = nrow(primary),
           check = sum(cells$freq))
  },
  # Tabulates, adds columns for the nodes above the leaves, and aggregates each combination.
  data.table = function(n) {
    suppressPackageStartupMessages(library(data.table))
    setDTthreads(1)
    data <- setDT(make_data(n))
    build <- clock(x <- data[, .N, by = c(names(wide))])
    list <- clock({
      for (v in names(wide)) {
        above <- setdiff(names(wide[[v]]), v)
        at <- match(levels(x[[v]]), wide[[v]][[v]])[as.integer(x[[v]])]
        for (level in above) set(x, j = level, value = factor(wide[[v]][[level]])[at])
      }
      choices <- lapply(wide, function(tree) c(list(NULL), as.list(names(tree))))
      sets <- do.call(expand.grid, lapply(choices, seq_along))
      sets <- lapply(seq_len(nrow(sets)), function(i) {
        as.character(unlist(Map(function(choice, k) choice[[k]], choices, sets[i, ])))
      })
      all <- unlist(lapply(wide, names), use.names = FALSE)
      cells <- groupingsets(x, sum(N), by = all, sets = sets)
    })
    small <- clock(primary <- cells[V1 < 4])
    report(build = build, list = list, small = small, memory = peak(), leaves = nrow(x),
           cells = nrow(cells), primary = nrow(primary), check = sum(cells$V1))
  },
  SSBtools = function(n) {
    suppressPackageStartupMessages(library(SSBtools))
    data <- make_data(n)
    build <- clock(x <- aggregate(list(freq = rep(1, n)), data, sum))
    list <- clock({
      m <- ModelMatrix(x, hierarchies = AutoHierarchies(lapply(wide, at_frame)), crossTable = TRUE)
      count <- as.vector(Matrix::crossprod(m$modelMatrix, x$freq))
      cells <- data.frame(m$crossTable, freq = count)[count > 0, ]
    })
    small <- clock(primary <- cells[cells$freq < 4, ])
    report(build = build, list = list, small = small, memory = peak(), leaves = nrow(x),
           cells = nrow(cells), primary = nrow(primary), check = sum(cells$freq))
  },
  sdcTable = function(n) {
    suppressPackageStartupMessages(library(sdcTable))
    data <- make_data(n)
    build <- clock(x <- makeProblem(data, dimList = lapply(wide, at_frame)))
    list <- clock({
      cells <- sdcProb2df(x, addDups = FALSE)
      cells <- cells[cells$freq > 0, ]
    })
    small <- clock(primary <- primarySuppression(x, type = "freq", maxN = 3))
    report(build = build, list = list, small = small, memory = peak(),
           leaves = NA, cells = nrow(cells), primary = sum(sdcProb2df(primary)$sdcStatus == "u"),
           check = sum(cells$freq))
  }
)

if (!is.na(one_package)) {
  packages[[one_package]](n)
  quit(status = 0)
}

this_file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
in_child <- function(package, case) {
  if (!requireNamespace(package, quietly = TRUE)) return(NULL)
  command <- file.path(R.home("bin"), "Rscript")
  said <- system2(command, c(shQuote(this_file), n, package, case), stdout = TRUE)
  eval(str2lang(said[length(said)]))
}
cases <- list(national = c("sdcLattice", "data.table"), small = names(packages))
for (case in names(cases)) {
  size <- if (case == "small") 1e5 else n
  cat("\n", case, ": ", format(size, big.mark = ",", scientific = FALSE), " records\n", sep = "")
  found <- Filter(Negate(is.null), sapply(cases[[case]], in_child, case, simplify = FALSE))
  cat(sprintf("%-11s %10s %10s %10s %9s %10s %8s %12s %12s\n", "package", "build s", "list s",
              "small s", "levels s", "total s", "peak MB", "cells", "small cells"))
  for (p in names(found)) {
    f <- found[[p]]
    levels <- if (is.null(f$levels)) "" else sprintf("%.2f", f$levels)
    cat(sprintf("%-11s %10.3f %10.3f %10.3f %9s %10.3f %8.0f %12s %12s\n", p, f$build, f$list,
                f$small, levels, f$build + f$list + f$small, f$memory,
                format(f$cells, big.mark = ","), format(f$primary, big.mark = ",")))
    stopifnot(f$cells == found[[1]]$cells, f$primary == found[[1]]$primary,
              f$check == found[[1]]$check)
  }
}
