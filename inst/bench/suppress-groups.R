# Groups of people beside SuppressKDisclosure() of GaussSuppression, on the tables of its help page:
#   Rscript inst/bench/suppress-groups.R
# The same sensitive variables, combinations and coalitions; no count is primary by itself. A row of
# people and a category, or a combination, that all but at most k of them are in is given away where
# those few know that nobody outside it is beside them: in every table that agrees with the
# publication and has at least themselves there. "Who know": and nobody else in their cells of the
# table itself. An integer programme a row says so, without the package.
# Wanted: SSBtools, GaussSuppression, lpSolve.

suppressPackageStartupMessages(library(sdcLattice))

quietly <- function(value) {
  utils::capture.output(out <- suppressWarnings(suppressMessages(value)))
  out
}

# Which leaves (rows of `leaves`, a data frame of labels) a published cell has: a matrix of flags.
# `held`: of each variable the leaves of its totals, by label.
holds <- function(cells, leaves, held) {
  flags <- lapply(names(held), function(v) {
    labels <- unique(as.character(cells[[v]]))
    own <- t(vapply(labels, function(label) {
      leaves[[v]] %in% (held[[v]][[label]] %||% label)
    }, logical(nrow(leaves))))
    own[match(as.character(cells[[v]]), labels), , drop = FALSE]
  })
  Reduce(`&`, flags)
}

`%||%` <- function(x, y) if (is.null(x)) y else x

# How many pairs of a row and a category or combination concern at most k people, and how many are
# given away. `p`: the table; `cells`: what is published of it, `hidden`: flags for these.
leaks <- function(p, cells, hidden, k, know) {
  sums <- holds(cells, p$leaves, p$held) + 0
  n <- p$leaves$n
  shown <- which(!hidden)
  out <- c(rows = 0, given = 0)
  for (v in p$groups) {
    levels <- unique(p$leaves[[v]])
    others <- setdiff(names(p$held), v)
    key <- do.call(paste, c(unname(lapply(cells[others], as.character)), sep = "\r"))
    own <- as.character(cells[[v]]) %in% levels
    # rows that are published with all categories
    full <- names(which(table(key[own]) == length(levels)))
    for (row in full) {
      inside_row <- colSums(sums[own & key == row, , drop = FALSE]) > 0
      for (set in c(as.list(levels), p$sets[[v]])) {
        inside <- p$leaves[[v]] %in% set
        beside <- inside_row & !inside
        few <- sum(n[beside])
        if (sum(n[inside_row & inside]) == 0 || few > k) next
        own_cells <- which(beside & n > 0)
        unit <- diag(length(n))[own_cells, , drop = FALSE]
        best <- lpSolve::lp(
          "max", beside + 0, rbind(sums[shown, ], unit),
          c(rep("=", length(shown)), rep(if (know) "=" else ">=", length(own_cells))),
          c(drop(sums[shown, ] %*% n), n[own_cells]), all.int = TRUE
        )
        stopifnot(best$status == 0)
        out <- out + c(1, best$objval <= few + 1e-6)
      }
    }
  }
  out
}

# `p`: `data` with the counts `freq`, `formula`, `groups`, the combinations as they are written
# (`mc`) and as `sets` of labels, and `held`, the leaves of totals by variable.
compare <- function(name, p, k) {
  variables <- names(p$held)
  p$leaves <- stats::aggregate(list(n = p$data$freq), p$data[variables], sum)
  p$leaves[variables] <- lapply(p$leaves[variables], as.character)
  theirs <- quietly(GaussSuppression::SuppressKDisclosure(
    p$data, coalition = k, freqVar = "freq", formula = p$formula, mc_hierarchies = p$mc,
    sensitive = p$groups
  ))
  x <- sdc_table(p$data, variables, freqVar = "freq", formula = p$formula, hierarchies = p$trees,
                 duplicates = "sum")
  groups <- if (is.null(p$mc)) p$groups else p$mc
  asked <- list(x, maxN = 0, groups = groups)
  asked <- c(asked, if (k == 0) list(readers = "outsider"), if (k > 1) list(coalition = k))
  ours <- lapply(c("cells", "counts"), function(cost) {
    quietly(do.call(suppress, c(asked, list(cost = cost))))
  })
  stopifnot(vapply(ours, function(su) verify_suppression(su)$verified, NA))
  line <- function(cells, hidden) {
    c(sum(hidden), sum(cells$freq[hidden]), leaks(p, cells, hidden, k, FALSE)[["given"]],
      leaks(p, cells, hidden, k, TRUE)[["given"]])
  }
  numbers <- c(line(theirs, theirs$suppressed), unlist(lapply(ours, function(su) {
    cells <- su$cells[su$cells$sdcStatus != "n", ]
    line(cells, cells$sdcStatus %in% c("u", "x"))
  })))
  rows <- leaks(p, theirs, logical(nrow(theirs)), k, FALSE)[["rows"]]
  cat("|", paste(c(name, paste(p$groups, collapse = ", "), k, rows, numbers), collapse = " | "),
      "|\n")
}

two_way <- function(data, variables, groups, mc = NULL, sets = NULL) {
  held <- lapply(data[variables], function(column) list(Total = unique(column)))
  list(data = data, formula = stats::reformulate(paste(variables, collapse = "*")),
       groups = groups, mc = mc, sets = sets, held = held)
}

accidents <- SSBtools::SSBtoolsData("mun_accidents")
changed <- accidents
changed$freq <- c(0, 5, 3, 4, 1, 0, 0, 0, 2, 0, 0, 6, 4, 1, 0, 4, 0, 0, numeric(6))
income <- SSBtools::SSBtoolsData("d3")
of_two <- c("mun", "inj")
of <- function(which) paste(which, c("cells", "sum", "given away", "to who know"))
header <- c("table", "sensitive", "k", "rows", of("GS"), of("ours"), of("ours, counts"))
cat("|", paste(header, collapse = " | "), "|\n")
for (k in 0:3) {
  compare("mun_accidents", two_way(accidents, of_two, "inj"), k)
  compare("mun_accidents", two_way(accidents, of_two, of_two), k)
  compare("the unsafe one", two_way(changed, of_two, "inj"), k)
}
of_income <- c("region", "main_income")
for (k in c(0, 1, 2, 7)) compare("d3", two_way(income, of_income, "main_income"), k)

# Combinations, as its examples have them: people who are injured; special and ordinary incomes.
injured <- data.frame(levels = c("@", "@@", "@@@", "@@@", "@@", "@@"),
                      codes = c("Total", "injured", "serious", "light", "none", "unknown"))
injured <- two_way(accidents, of_two, "inj", list(inj = injured),
                   list(inj = list(c("serious", "light"))))
unsafe <- injured
unsafe$data <- changed
kinds <- list(main_income = c("special = assistance + other", "ordinary = pensions + wages"))
sets <- list(main_income = list(c("assistance", "other"), c("pensions", "wages")))
for (k in 0:3) {
  compare("mun_accidents, injured", injured, k)
  compare("the unsafe one, injured", unsafe, k)
}
for (k in c(0, 1, 2, 7)) {
  compare("d3, special and ordinary", two_way(income, of_income, "main_income", kinds, sets), k)
}

# Linked tables: the formula of its examples.
tree <- unique(income[c("county", "region")])
linked <- two_way(income, c(of_income, "months"), "main_income")
linked$formula <- ~ (region + county) * main_income + region * months +
  county * main_income * months
linked$trees <- list(region = tree)
linked$held$region <- c(linked$held$region, split(tree$region, tree$county))
for (k in 0:2) compare("d3, linked", linked, k)
linked[c("mc", "sets")] <- list(kinds, sets)
for (k in 0:2) compare("d3, linked, special and ordinary", linked, k)
