# Certified suppression on the tables with which other packages explain theirs, in the same run:
#   Rscript inst/bench/suppress-peers.R        # all tables, some ten minutes
#   Rscript inst/bench/suppress-peers.R z1     # those whose names have this in them
# Both protect the same primary counts and publish zeros. GaussSuppression is asked twice: for readers
# of the publication (singleton = "none"), and with its default, which looks at single contributors.
# Its patterns are then certified, or what they give away is proved, over whole numbers with all
# suppressed counts at least 1. All times are processor times. Wanted: SSBtools and
# GaussSuppression; sdcMicro for EIA.

suppressPackageStartupMessages(library(sdcLattice))

# One tree: levels in groups, groups in the total.
tree_of <- function(level, group) {
  pairs <- unique(data.frame(parent = as.character(group), child = as.character(level)))
  rbind(data.frame(parent = "all", child = unique(pairs$parent)), pairs)
}

ssb <- function(name) SSBtools::SSBtoolsData(name)

counted <- function(data, variables, freq, maxN, trees = NULL) {
  cells <- stats::aggregate(data[freq], data[variables], sum)
  list(table = sdc_table(cells, variables, freqVar = freq), maxN = maxN, trees = trees)
}

# The tables that the packages bring. Contributors are counted where they bring magnitudes.
ssb_cases <- function() {
  example <- ssb("example1")
  accidents <- ssb("mun_accidents")
  firms <- ssb("magnitude1")
  firms$n <- 1
  z2 <- ssb("z2")
  z3 <- ssb("d3")
  z4 <- ssb("d4")
  areas <- function(data, ...) {
    list(region = lapply(list(...), function(group) tree_of(data$region, paste0("_", group))))
  }
  europe <- function(data) list(geo = tree_of(data$geo, data$eu))
  list(
    "example1" = counted(example, c("age", "geo", "year"), "freq", 3, europe(example)),
    "mun_accidents" = counted(accidents, c("mun", "inj"), "freq", 5),
    "magnitude1, contributors" = counted(firms, c("sector4", "geo"), "n", 1, c(
      europe(firms), list(sector4 = tree_of(firms$sector4, firms$sector2)))),
    "z1" = counted(ssb("z1"), c("region", "hovedint"), "ant", 5),
    "z2" = counted(z2, c("region", "hovedint"), "ant", 5,
                   areas(z2, paste0("f", z2$fylke), paste0("k", z2$kostragr))),
    "z3" = counted(z3, c("region", "main_income", "months"), "freq", 3, c(
      areas(z3, paste0("f", z3$county), paste0("k", z3$k_group)),
      list(months = tree_of(z3$months, z3$months2)))),
    "sosialFiktiv" = counted(z4, c("region", "main_income", "months"), "freq", 3, c(
      areas(z4, paste0("f", z4$county), paste0("k", z4$k_group)),
      list(months = tree_of(z4$months, z4$months2))))
  )
}

# The counts of the vignette of sdcTable, of which those up to 10 are primary. It reports 27
# secondary cells by its method OPT, 24 by HITAS and 23 by GAUSS; OPT makes the sum of counts small.
sdctable_case <- function() {
  counts <- c(
    12, 18, 18, 10, 11, 13, 19, 12, 12, 18, 16, 19, 16, 15, 10, 17, 12, 10, 21, 12, 6, 12, 12, 16,
    11, 26, 15, 7, 11, 14, 15, 10, 21, 21, 15, 11, 13, 7, 15, 13, 8, 14, 11, 13, 12, 16, 14, 8,
    6, 13, 9, 14, 10, 12, 13, 15, 21, 11, 17, 9, 22, 18, 18, 19, 14, 16, 10, 16, 16, 18, 10, 15
  )
  labels <- list(V1 = c("A", "Ba", "Bb", "Bc", "C", "D"), V2 = c("m", "w"), V3 = letters[1:6])
  tree <- data.frame(parent = rep(c("Tot", "B"), 4:3),
                     child = c("A", "B", "C", "D", "Ba", "Bb", "Bc"))
  list(table = as_sdc_table(as.table(array(counts, lengths(labels), labels))), maxN = 10,
       trees = list(V1 = tree))
}

# Utilities of one month, by state, the size of their sales and whether industry buys from them.
eia_case <- function() {
  firms <- subset(sdcMicro::EIA, MONTH == 1)
  sizes <- c("least", "small", "large", "most")
  firms$size <- cut(firms$TOTSALES, c(-Inf, 1e4, 1e5, 5e5, Inf), sizes)
  firms$industry <- ifelse(firms$INDSALES > 0, "some", "none")
  firms$n <- 1
  counted(firms, c("STATE", "size", "industry"), "n", 3)
}

seconds <- function(code) sum(system.time(code)[c("user.self", "sys.self")])
secondary <- function(su) sum(as.data.frame(su)$sdcStatus == "x")

certified <- function(case, readers, ...) {
  suppressWarnings(suppress(
    case$table, case$maxN, hierarchies = case$trees, method = "certified", readers = readers,
    total_cost = 1, audit = FALSE, time_limit_s = 40, progress = FALSE, seed = 1, ...
  ))
}

peer <- function(case, ...) {
  suppressWarnings(suppressMessages(suppress(
    case$table, case$maxN, hierarchies = case$trees, method = "GaussSuppression", audit = FALSE,
    repair = FALSE, ...
  )))
}

# What these readers learn of a pattern: primary cells without a certificate, and those of them that
# are proved to be known.
judged <- function(case, pattern, readers) {
  open <- certified(case, readers, pattern = as.data.frame(pattern))$lacking
  sprintf("%d, %d", length(unique(open$row)), length(unique(open$row[open$exposed])))
}

compared <- function(case, readers, ...) {
  ours <- seconds(own <- certified(case, readers))
  theirs <- seconds(other <- peer(case, ...))
  c(secondary(own), ceiling(own$bound), length(unique(own$lacking$row)), sprintf("%.2f s", ours),
    secondary(other), sprintf("%.2f s", theirs), judged(case, other, readers))
}

row_of <- function(name, case) {
  cells <- as.data.frame(certified(case, "outsider"))
  shown <- c(name, sum(cells$freq > 0), sum(cells$sdcStatus == "u"))
  both <- c("outsider", "contributor")
  for (readers in list("outsider", both)) {
    found <- if (length(readers) == 1) compared(case, readers, singletonMethod = "none") else
      compared(case, readers)
    cat("|", paste(c(shown, paste(readers, collapse = " and "), found), collapse = " | "), "|\n")
  }
}

cat("| table | non-zero cells | primary | readers | secondary | necessary | not certified | time |",
    "GaussSuppression: secondary | time | its primary cells not certified, proved to be known |\n")
cat("|", paste(rep("---", 11), collapse = "|"), "|\n", sep = "")
asked <- commandArgs(TRUE)
cases <- c(ssb_cases(), list("sdcTable vignette" = sdctable_case()),
           if (requireNamespace("sdcMicro", quietly = TRUE)) list("EIA" = eia_case()))
for (name in names(cases)) {
  if (length(asked) == 0 || any(vapply(asked, grepl, NA, name, fixed = TRUE))) {
    row_of(name, cases[[name]])
  }
}
