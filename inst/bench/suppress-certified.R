# Certified suppression beside GaussSuppression, in the same run:
#   Rscript inst/bench/suppress-certified.R           # all cases, some twenty minutes
#   Rscript inst/bench/suppress-certified.R 10^3      # those whose names have this in them
# Both protect the same primary cells against readers of the publication, and publish zeros.
# GaussSuppression protects over real numbers, and is told to look at no single contributors; its
# pattern is then certified, or what it gives away is proved, over whole numbers with all suppressed
# counts at least 1. All times are processor times.

suppressPackageStartupMessages(library(sdcLattice))

counts <- function(d, mean) {
  names <- LETTERS[seq_along(d)]
  labels <- Map(function(k, name) paste0(tolower(name), seq_len(k)), d, names)
  as.table(array(stats::rpois(prod(d), mean), d, stats::setNames(labels, names)))
}
labelled <- function(d, mean) as_sdc_table(counts(d, mean))
linked <- function(d, mean, formula) {
  sdc_table(as.data.frame(counts(d, mean)), formula = formula, freqVar = "Freq")
}
# A tree over the levels of a variable with groups of `size`.
grouped <- function(levels, size) {
  group <- paste0("g", (seq_along(levels) - 1) %/% size + 1)
  data.frame(parent = c(rep("all", length(unique(group))), group), child = c(unique(group), levels))
}
persons <- function(k) margin(cps13, names(dimnames(cps13))[seq_len(k)])

set.seed(1)
cases <- list(
  "20 x 20, mean 0.7" = list(labelled(c(20, 20), 0.7), 3),
  "30 x 30, mean 3" = list(labelled(c(30, 30), 3), 3),
  "10^3, mean 0.8" = list(labelled(c(10, 10, 10), 0.8), 3),
  "10^3, mean 6" = list(labelled(c(10, 10, 10), 6), 3),
  "6^4, mean 2" = list(labelled(c(6, 6, 6, 6), 2), 3),
  "trees 5 x 6 by 4 x 5, mean 3" = list(labelled(c(30, 20), 3), 3, c(6, 5)),
  "region tree (12 of 10) x 12 x 10, mean 3" = list(labelled(c(120, 12, 10), 3), 3, c(10, NA, NA)),
  "cps13, 5 variables" = list(persons(5), 5),
  "cps13, 6 variables" = list(persons(6), 3),
  "cps13, 7 variables" = list(persons(7), 3),
  "linked AB, AC: 8 x 6, 8 x 7" = list(linked(c(8, 6, 7), 1, ~ A * B + A * C), 3),
  "linked AB, AC, BC: 8 x 8 each" = list(linked(c(8, 8, 8), 1, ~ A * B + A * C + B * C), 3)
)
if (requireNamespace("SSBtools", quietly = TRUE)) {
  areas <- SSBtools::SSBtoolsData("d4")
  tree_by <- function(group) {
    pairs <- unique(data.frame(parent = paste0(substr(group, 1, 1), areas[[group]]),
                               child = areas$region))
    rbind(data.frame(parent = "all", child = unique(pairs$parent)), pairs)
  }
  regions <- sdc_table(areas, c("region", "main_income", "months"), freqVar = "freq")
  cases[["SSBtools d4, one region tree"]] <- list(regions, 3, list(region = tree_by("county")))
  cases[["SSBtools d4, two region trees"]] <-
    list(regions, 3, list(region = list(tree_by("county"), tree_by("k_group"))))
}
peer_cells <- 13000 # beyond, the peer takes long
tenth_cells <- 4000 # from here on the package is given a tenth of the peer's time, too

# `sizes`: of groups of each variable, or the trees themselves.
trees_of <- function(x, sizes) {
  if (is.list(sizes)) {
    return(sizes)
  }
  named <- dimnames(x)[!is.na(sizes)]
  if (length(named) > 0) Map(grouped, named, sizes[!is.na(sizes)])
}
seconds <- function(code) sum(system.time(code)[c("user.self", "sys.self")])
n_secondary <- function(su) sum(as.data.frame(su)$sdcStatus == "x")

peer_columns <- function(x, maxN, trees) {
  if (!requireNamespace("GaussSuppression", quietly = TRUE)) {
    return(rep("-", 4))
  }
  time <- seconds(su <- suppress(x, maxN, hierarchies = trees, method = "GaussSuppression",
                                 audit = FALSE, repair = FALSE, singletonMethod = "none"))
  pattern <- as.data.frame(su)
  judged <- suppressWarnings(suppress(
    x, maxN, pattern = pattern, hierarchies = trees, method = "certified", readers = "outsider",
    audit = FALSE, time_limit_s = 60, progress = FALSE, seed = 1
  ))
  open <- judged$lacking
  tenth <- if (nrow(pattern) >= tenth_cells) n_secondary(suppress(
    x, maxN, hierarchies = trees, readers = "outsider", total_cost = 1, time_limit_s = time / 10,
    progress = FALSE, seed = 1
  ))
  c(n_secondary(su), sprintf("%.2f s", time), if (is.null(tenth)) "-" else tenth,
    sprintf("%d, %d proved, of %d", length(unique(open$row)),
            length(unique(open$row[open$exposed])), sum(pattern$sdcStatus == "u")))
}

row_of <- function(name, case) {
  x <- case[[1]]
  trees <- trees_of(x, if (length(case) > 2) case[[3]] else rep(NA, length(dim(x))))
  time <- seconds(su <- suppressWarnings(suppress(
    x, case[[2]], hierarchies = trees, readers = "outsider", total_cost = 1,
    time_limit_s = 40, progress = FALSE, seed = 1
  )))
  cells <- as.data.frame(su)
  both <- seconds(two <- suppressWarnings(suppress(
    x, case[[2]], hierarchies = trees, total_cost = 1, time_limit_s = 40, progress = FALSE,
    seed = 1
  )))
  peer <- if (sum(cells$freq > 0) <= peer_cells) peer_columns(x, case[[2]], trees) else
    rep("-", 4)
  open <- function(su) length(unique(su$lacking$row))
  cat("|", paste(c(
    name, format(sum(cells$freq > 0), big.mark = ","), sum(cells$sdcStatus == "u"),
    n_secondary(su), ceiling(su$bound), open(su), sprintf("%.1f s", time),
    n_secondary(two), open(two), sprintf("%.1f s", both), peer
  ), collapse = " | "), "|\n")
}

cat("| table | non-zero cells | primary | secondary | necessary | not certified | time |",
    "secondary, with contributors | not certified | time |",
    "GaussSuppression: secondary | time | secondary of the package in a tenth of this time |",
    "its primary cells that are not certified, proved to be known |\n")
cat("|", paste(rep("---", 14), collapse = "|"), "|\n", sep = "")
asked <- commandArgs(TRUE)
for (name in names(cases)) {
  if (length(asked) == 0 || any(vapply(asked, grepl, NA, name, fixed = TRUE))) {
    row_of(name, cases[[name]])
  }
}
