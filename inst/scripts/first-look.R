# The first look: a real confidential table protected by cyclic perturbation, published, and
# analysed with exact posteriors. Usage: Rscript first-look.R <folder>
library(sdcLattice)
options(width = 100)

folder <- commandArgs(trailingOnly = TRUE)
folder <- if (length(folder) > 0) folder[[1]] else "sdcLattice-first-look"

headline <- function(...) cat("\n== ", ..., " ==\n", sep = "")
explain_words <- function(...) cat("\n", paste0("  ", c(...), "\n"), sep = "")

headline("The confidential table: high school graduates who earn over 50,000")
cells <- as.data.frame(table_margin(cps13, c("occupation", "household", "education", "salary")))
cells <- cells[cells$education == "high school graduate" & cells$salary == "over 50000", ]
levels(cells$occupation) <- c("none or army", "executive", "professional", "technician", "sales",
                              "administration", "service", "farm, craft, transport")
levels(cells$household) <- c("householder", "spouse", "child", "other relative", "no relative")
x <- sdc_table(cells, dimVar = c("occupation", "household"), freqVar = "freq")
original <- as.table(x)
print(addmargins(original))
explain_words(
  "Counts of 1 and 2 point at single persons. The last row and column are the margins: the sums",
  "over each variable, which are to be published exactly."
)

headline("The cycles and the mechanism; both will be published")
me <- mechanism(cycles_banded(x, seed = 11), alpha = .25, beta = .25)
print(me)
explain_words(
  "cycle: some cells get +1, as many in the same rows and columns get -1, so that no margin changes",
  "alpha, beta: the probabilities with which a cycle is added or subtracted; otherwise nothing moves",
  "zero rule blocked: a cycle that contains a zero is skipped, so that no count becomes negative",
  "cover, steps: a cover is one round in which each step of the set comes up once",
  "triad: three rows whose cells share cycles; the whole is described in ?mechanism"
)

headline("The protection to expect, before anything is drawn (confidential)")
print(expected_protection(x, me))
explain_words("s.e.: standard error of the simulation; prevented: steps that were skipped because of a zero")

headline("Perturbed once, with secret coins from the operating system, and published")
pub <- publish(perturb(x, me))
published <- as.table(pub$table)
print(addmargins(published))

headline("What moved: published minus original (confidential; 0 in every margin)")
print(addmargins(published - original))
moved <- published != original
exact <- all(rowSums(published) == rowSums(original), colSums(published) == colSums(original))
cat("  ", sum(moved), " of ", length(moved), " cells moved; all margins are ",
    if (exact) "exact" else "NOT exact: please report this", "\n", sep = "")
stopifnot(exact)

headline("What a reader learns: the exact posterior of every original count")
po <- posterior(pub)
print(summary(po))
explain_words(
  "posterior: the probability of every possible original count, given all that was published",
  "prior uniform: before that, the reader takes all tables as equally likely",
  "exact, by elimination: computed, not simulated; log evidence: the normalising constant",
  "entropy: uncertainty in bits; 0 is certainty, 1 a coin, 2 four equally likely counts",
  "95 % interval: holds the original count with probability .95 or more"
)

headline("Published counts of 0, 1 and 2: those that an intruder knows best come first")
known <- as.data.frame(summary(po))
known <- known[known$published <= 2, ]
columns <- c("occupation", "household", "published", "lower", "upper", "mode", "p_mode")
known <- known[order(-known$p_mode), columns]
print(known, row.names = FALSE, digits = 3)
explain_words(
  "lower, upper: the 95 % interval; mode: the best guess; p_mode: the probability that it is right"
)

page <- write_report(po, file.path(folder, "report"),
                     title = "High earners with a high school diploma, by occupation and household",
                     overwrite = TRUE)
headline("Done")
files <- file.path(folder, "report", "publication")
cat("Report with pictures: ", normalizePath(page), "\n", sep = "")
cat("Published files:      ", normalizePath(files), "\n", sep = "")
