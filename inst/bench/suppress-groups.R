# Groups of people beside SuppressKDisclosure() of GaussSuppression, on the tables of its help page:
#   Rscript inst/bench/suppress-groups.R
# The same sensitive variables and coalitions; no count is primary by itself. A row of people and a
# category that all but at most k of them are in is given away where those few know that nobody
# outside it is beside them: in every table that agrees with the publication and has at least
# themselves there. "Who know": and nobody else in their cells of the table itself.
# An integer programme a row says so, without the package.
# Wanted: SSBtools, GaussSuppression, lpSolve.

suppressPackageStartupMessages(library(sdcLattice))

quietly <- function(value) {
  utils::capture.output(out <- suppressWarnings(suppressMessages(value)))
  out
}

# The equations of a table with totals, whose cells are numbered by `at`.
equations <- function(at) {
  n <- dim(at)
  one <- function(parts, total) {
    replace(numeric(length(at)), c(parts, total), c(rep(1, length(parts)), -1))
  }
  rbind(
    t(vapply(seq_len(n[1]), function(i) one(at[i, -n[2]], at[i, n[2]]), numeric(length(at)))),
    t(vapply(seq_len(n[2]), function(j) one(at[-n[1], j], at[n[1], j]), numeric(length(at))))
  )
}

# How many pairs of a row and a category concern at most k people, and how many are given away.
# `hidden`: a flag for each cell and total; people are in the rows, categories in the columns.
given_away <- function(x, hidden, k, know) {
  full <- rbind(cbind(x, rowSums(x)), c(colSums(x), sum(x)))
  at <- matrix(seq_along(full), nrow(full))
  sums <- equations(at)
  shown <- at[!hidden]
  out <- c(rows = 0, given = 0)
  for (i in seq_len(nrow(full))) for (j in seq_len(ncol(x))) {
    few <- full[i, ncol(full)] - full[i, j]
    if (full[i, j] == 0 || few > k) next
    beside <- at[i, setdiff(seq_len(ncol(x)), j)]
    cells <- if (i <= nrow(x)) beside else at[seq_len(nrow(x)), setdiff(seq_len(ncol(x)), j)]
    cells <- cells[full[cells] > 0]
    unit <- function(some) diag(length(full))[some, , drop = FALSE]
    best <- lpSolve::lp(
      "max", replace(numeric(length(full)), beside, 1), rbind(sums, unit(shown), unit(cells)),
      c(rep("=", nrow(sums) + length(shown)), rep(if (know) "=" else ">=", length(cells))),
      c(numeric(nrow(sums)), full[shown], full[cells]), all.int = TRUE
    )
    out <- out + c(1, best$objval <= few + 1e-6)
  }
  out
}

flags <- function(x, cells, hidden) {
  labels <- names(dimnames(x))
  out <- matrix(FALSE, nrow(x) + 1, ncol(x) + 1)
  rows <- match(as.character(cells[[labels[1]]]), rownames(x), nomatch = nrow(x) + 1)
  columns <- match(as.character(cells[[labels[2]]]), colnames(x), nomatch = ncol(x) + 1)
  out[cbind(rows, columns)] <- hidden
  out
}

leaks <- function(x, hidden, groups, k, know) {
  each <- lapply(groups, function(v) {
    if (v == names(dimnames(x))[2]) given_away(x, hidden, k, know) else
      given_away(t(x), t(hidden), k, know)
  })
  Reduce(`+`, each)
}

compare <- function(name, x, groups, k) {
  data <- as.data.frame(as.table(x), responseName = "freq", stringsAsFactors = FALSE)
  formula <- stats::reformulate(paste(names(dimnames(x)), collapse = "*"))
  theirs <- quietly(GaussSuppression::SuppressKDisclosure(
    data, coalition = k, freqVar = "freq", formula = formula, sensitive = groups
  ))
  asked <- list(x, maxN = 0, groups = groups)
  asked <- c(asked, if (k == 0) list(readers = "outsider"), if (k > 1) list(coalition = k))
  ours <- lapply(c("cells", "counts"), function(cost) {
    quietly(do.call(suppress, c(asked, list(cost = cost))))
  })
  stopifnot(vapply(ours, function(su) verify_suppression(su)$verified, NA))
  line <- function(cells, hidden) {
    flags <- flags(x, cells, hidden)
    c(sum(hidden), sum(cells$freq[hidden]), leaks(x, flags, groups, k, FALSE)[["given"]],
      leaks(x, flags, groups, k, TRUE)[["given"]])
  }
  numbers <- c(line(theirs, theirs$suppressed), unlist(lapply(ours, function(su) {
    line(su$cells, su$cells$sdcStatus %in% c("u", "x"))
  })))
  rows <- leaks(x, matrix(FALSE, nrow(x) + 1, ncol(x) + 1), groups, k, FALSE)[["rows"]]
  cat("|", paste(c(name, paste(groups, collapse = ", "), k, rows, numbers), collapse = " | "),
      "|\n")
}

accidents <- SSBtools::SSBtoolsData("mun_accidents")
changed <- accidents
changed$freq <- c(0, 5, 3, 4, 1, 0, 0, 0, 2, 0, 0, 6, 4, 1, 0, 4, 0, 0, numeric(6))
income <- SSBtools::SSBtoolsData("d3")
a <- stats::xtabs(freq ~ mun + inj, accidents)
b <- stats::xtabs(freq ~ mun + inj, changed)
d <- stats::xtabs(freq ~ region + main_income, income)
of <- function(which) paste(which, c("cells", "sum", "given away", "to who know"))
cat("|", paste(c("table", "sensitive", "k", "rows", of("GS"), of("ours"), of("ours, counts")),
               collapse = " | "), "|\n")
for (k in 0:3) {
  compare("mun_accidents", a, "inj", k)
  compare("mun_accidents", a, c("mun", "inj"), k)
  compare("the unsafe one", b, "inj", k)
}
for (k in c(0, 1, 2, 7)) compare("d3", d, "main_income", k)
