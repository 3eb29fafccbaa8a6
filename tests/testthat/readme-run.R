# Types the lines of a README, with packages attached whose names clash, and prints what differs.
#   Rscript readme-run.R <README.md> <helper-lines.R>
# Each line of the output that begins with "differs:" is a failure; the last one is "end".
arguments <- commandArgs(trailingOnly = TRUE)
library(sdcLattice)
source(arguments[[2]])
invisible(attach_rivals())
options(width = 80)

# What asks for the network, or waits for a browser.
not_here <- "^(install[.]packages|remotes::install_local|serve)\\("

page <- new.env(parent = globalenv())
for (block in shown_blocks(arguments[[1]])) {
  for (step in shown_steps(block)) {
    code <- paste(deparse(step$code), collapse = " ")
    if (grepl(not_here, code)) next
    printed <- tryCatch(suppressMessages(printed_by(step$code, page)),
                        error = function(cnd) structure(conditionMessage(cnd), class = "failed"))
    if (inherits(printed, "failed")) {
      cat("differs:", code, "fails:", printed, "\n")
    } else if (length(step$said) > 0 && !says_the_same(printed, step$said)) {
      cat("differs:", code, "prints\n", paste0(printed, "\n"))
    }
  }
}
cat("end\n")
