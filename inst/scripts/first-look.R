# The first look: a real confidential table protected by cyclic perturbation, published, and
# analysed with exact posteriors. Usage: Rscript first-look.R <folder>
library(sdcLattice)

folder <- commandArgs(trailingOnly = TRUE)
folder <- if (length(folder) > 0) folder[[1]] else "sdcLattice-first-look"

headline <- function(...) cat("\n== ", ..., " ==\n", sep = "")

headline("The confidential table: high school graduates who earn over 50,000")
cells <- as.data.frame(margin(cps13, c("occupation", "household", "education", "salary")))
cells <- cells[cells$education == "high school graduate" & cells$salary == "over 50000", ]
x <- sdc_table(cells, dimVar = c("occupation", "household"), freqVar = "freq")
print(as.table(x))

headline("The cycles and the mechanism; both will be published")
me <- mechanism(cycles_banded(x, seed = 11), alpha = .25, beta = .25)
print(me)

headline("The protection to expect, before anything is drawn (confidential)")
print(expected_protection(x, me))

headline("Perturbed once, with secret coins from the operating system, and published")
pub <- publish(perturb(x, me))
print(as.table(pub$table))

headline("What a reader learns: the exact posterior of every original count")
po <- posterior(pub)
print(summary(po))

headline("The cells that an intruder knows best, among published counts of 1 and 2")
known <- as.data.frame(summary(po))
known <- known[known$published %in% 1:2, ]
columns <- c("occupation", "household", "published", "lower", "upper", "mode", "p_mode")
known <- known[order(-known$p_mode), columns]
print(utils::head(known, 10), row.names = FALSE, digits = 3)

page <- write_report(po, file.path(folder, "report"),
                     title = "High earners with a high school diploma, by occupation and household",
                     overwrite = TRUE)
headline("Done")
files <- file.path(folder, "report", "publication")
cat("Report with pictures: ", normalizePath(page), "\n", sep = "")
cat("Published files:      ", normalizePath(files), "\n", sep = "")
