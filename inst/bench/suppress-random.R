# Certified suppression beside GaussSuppression on small random tables: flat ones with two to four
# variables, with a tree, and linked ones:
#   Rscript inst/bench/suppress-random.R 1 300     # seeds from and to, some ten minutes
# GaussSuppression protects the same primary cells over real numbers. Where its pattern is safe over
# whole numbers, with all suppressed counts at least 1, ours must not hide more cells.

suppressPackageStartupMessages(library(sdcLattice))

# Not too small and not large.
random_shape <- function() {
  k <- sample(2:4, 1)
  repeat {
    d <- sample(2:c(28, 12, 6)[k - 1], k, TRUE)
    if (prod(d + 1) >= 20 && prod(d + 1) <= 500) return(d)
  }
}

tree_over <- function(levels) {
  group <- paste0("g", (seq_along(levels) - 1) %/% 3 + 1)
  data.frame(parent = c(rep("all", length(unique(group))), group), child = c(unique(group), levels))
}

random_case <- function(seed) {
  set.seed(seed)
  d <- random_shape()
  mean <- sample(c(0.5, 1, 2, 4, 8), 1)
  maxN <- sample(2:3, 1)
  names <- LETTERS[seq_along(d)]
  labels <- Map(function(k, name) paste0(tolower(name), seq_len(k)), d, names)
  names(labels) <- names
  counts <- as.table(array(rpois(prod(d), mean * rgamma(prod(d), 1.5) / 1.5), d, labels))
  if (length(d) == 3 && seed %% 4 == 1) {
    formula <- if (seed %% 8 == 1) ~ A * B + A * C else ~ A * B + A * C + B * C
    return(list(kind = "linked", maxN = maxN,
                table = sdc_table(as.data.frame(counts), formula = formula, freqVar = "Freq")))
  }
  tree <- if (seed %% 3 == 0 && d[1] >= 5) list(A = tree_over(labels$A))
  list(kind = if (is.null(tree)) paste0(length(d), "-way") else "tree", maxN = maxN,
       table = as_sdc_table(counts), trees = tree)
}

certified <- function(case, ...) {
  suppressWarnings(suppress(
    case$table, case$maxN, hierarchies = case$trees, method = "certified", readers = "outsider",
    total_cost = 1, progress = FALSE, seed = 1, ...
  ))
}

# `NULL` where the library ends with an error; cells of both where its pattern is safe.
compared <- function(case) {
  theirs <- tryCatch(suppressWarnings(suppress(
    case$table, case$maxN, hierarchies = case$trees, method = "GaussSuppression", audit = FALSE,
    repair = FALSE, singletonMethod = "none"
  )), sdc_error_infeasible = function(cnd) NULL)
  if (is.null(theirs)) {
    return(NULL)
  }
  judged <- certified(case, pattern = as.data.frame(theirs))
  safe <- nrow(judged$lacking) == 0
  cells <- function(su) sum(as.data.frame(su)$sdcStatus == "x")
  data.frame(kind = case$kind, safe = safe, theirs = cells(theirs),
             ours = if (safe) cells(certified(case, time_limit_s = 2)) else NA)
}

asked <- as.numeric(commandArgs(TRUE))
if (length(asked) == 0) asked <- c(1, 300)
found <- do.call(rbind, lapply(asked[1]:asked[2], function(seed) compared(random_case(seed))))
by_kind <- split(found, found$kind)
print(do.call(rbind, lapply(by_kind, function(of) {
  safe <- of[of$safe, ]
  data.frame(tables = nrow(of), safe = nrow(safe), theirs = sum(safe$theirs), ours = sum(safe$ours),
             fewer = sum(safe$ours < safe$theirs), more = sum(safe$ours > safe$theirs))
})))
