# The first look: a real confidential table protected by cyclic perturbation, published, and
# analysed with exact posteriors. Usage: Rscript first-look.R <folder>
library(sdcLattice)

folder <- commandArgs(trailingOnly = TRUE)
folder <- if (length(folder) > 0) folder[[1]] else "sdcLattice-first-look"

headline <- function(...) cat("\n== ", ..., " ==\n", sep = "")

headline("The confidential table: people who earn over 50,000 without a high school diploma")
cells <- as.data.frame(margin(cps13, c("occupation", "age", "education", "salary")))
cells <- cells[cells$education == "no high school diploma (incl. children)" &
                 cells$salary == "over 50000", ]
x <- sdc_table(cells, dimVar = c("occupation", "age"), freqVar = "freq")
print(as.table(x))

headline("The cycles and the mechanism; both will be published")
me <- mechanism(cycles_banded(x, seed = 11), alpha = .25, beta = .25, covers = 2)
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
known <- known[order(-known$p_mode), c("occupation", "age", "published", "lower", "upper", "mode", "p_mode")]
print(utils::head(known, 10), row.names = FALSE, digits = 3)

page <- write_report(po, file.path(folder, "report"),
                     title = "High earners without a high school diploma, by occupation and age",
                     overwrite = TRUE)
headline("Done")
cat("Report with pictures: ", normalizePath(page), "\n",
    "Published files:      ", normalizePath(file.path(folder, "report", "publication")), "\n", sep = "")
