# Cases of large releases for bounds-scale.R and threads-bounds.R: made by bounds_cases.cpp, which is
# compiled in the top of the source tree, and read as R objects.

compile_program <- function(bench, folder, name, flags) {
  program <- file.path(folder, name)
  status <- suppressWarnings(system2(
    "g++", c("-std=c++17", "-O2", shQuote(file.path(bench, paste0(name, ".cpp"))), "-o",
             shQuote(program), flags), stdout = FALSE, stderr = FALSE
  ))
  if (status == 0) program
}

case_maker <- function(bench, folder) {
  top <- dirname(dirname(bench))
  maker <- compile_program(bench, folder, "bounds_cases", c(
    paste0("-I", shQuote(file.path(top, "src", "core"))),
    paste0("-I", shQuote(file.path(top, "tests", "core")))
  ))
  if (is.null(maker)) stop("bounds_cases.cpp does not compile: run this from the source tree.")
  maker
}

read_table <- function(file) {
  variables <- setdiff(strsplit(readLines(file, 1), ",")[[1]],
                       c("freq", "lower", "upper", "suppressed"))
  utils::read.csv(file, colClasses = c(
    rlang::set_names(rep("factor", length(variables)), variables),
    freq = "numeric", lower = "numeric", upper = "numeric", suppressed = "logical"
  ))
}

# Tables without trees are given by their 2-way margins, all others as their cells. `asked`: the
# suppressed cells, each once, in the order of the system.
read_case <- function(case, folder) {
  path <- function(...) file.path(folder, paste0(case, ...))
  tables <- lapply(Sys.glob(path("_[0-9].csv")), read_table)
  said <- c("freq", "lower", "upper", "suppressed")
  variables <- unique(unlist(lapply(tables, function(t) setdiff(names(t), said))))
  asked <- unique(do.call(rbind, lapply(tables, function(t) {
    t[setdiff(variables, names(t))] <- "Total"
    t[c(variables, "suppressed")]
  })))
  asked$cell <- seq_len(nrow(asked)) - 1
  asked <- asked[asked$suppressed, ]
  list(asked = asked, variables = variables, release = if (startsWith(case, "d")) {
    two_way_margins(tables[[1]], variables)
  } else {
    hierarchical(tables, variables, function(v) path("_", v, "_tree.csv"), case == "h2c")
  })
}

two_way_margins <- function(cells, variables) {
  inner <- sapply(cells[variables], function(v) v != "Total")
  tables <- lapply(utils::combn(variables, 2, simplify = FALSE), function(pair) {
    used <- cells[inner[, pair[1]] & inner[, pair[2]] & rowSums(inner) == 2, c(pair, "freq")]
    for (v in pair) used[[v]] <- factor(used[[v]], unique(as.character(used[[v]])))
    stats::xtabs(freq ~ ., used)
  })
  list(tables)
}

hierarchical <- function(tables, variables, tree_file, intervals) {
  trees <- lapply(rlang::set_names(variables), function(v) utils::read.csv(tree_file(v)))
  parts <- if (intervals) tables else lapply(tables, function(t) {
    t[setdiff(names(t), c("lower", "upper"))]
  })
  list(parts, hierarchies = trees)
}
