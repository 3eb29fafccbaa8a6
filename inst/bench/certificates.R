# The files of certified releases of the two survey tables: their size, and what writing, reading and
# checking them takes. From the source package, with a compiler.
# Rscript inst/bench/certificates.R [looks]
library(sdcLattice)

arguments <- commandArgs(TRUE)
looks <- if (length(arguments) > 0) as.numeric(arguments[1]) else 3e9
program <- tempfile()
stopifnot(system2("sh", c("inst/checker/build.sh", program)) == 0)
seconds <- function(expr) sum(system.time(expr)[c("user.self", "sys.self", "user.child", "sys.child")])
for (name in c("cps13", "cps14")) {
  release <- release_reducible(get(name), risk_width(3, at_risk = 1:3), seed = 1, max_looks = looks,
                               time_limit_s = Inf, progress = FALSE)
  file <- tempfile()
  folder <- write_publication(publish(release), tempfile())
  verify <- seconds(verify_release(release, threads = 1))
  write <- seconds(write_certificates(release, file))
  read <- seconds(read_certificates(file))
  check <- seconds(code <- system2(program, file, stdout = FALSE))
  csv <- file.path(folder, "table.csv")
  both <- seconds(both_code <- system2(program, c(file, csv), stdout = FALSE))
  cat(sprintf(paste("%s: %d sub-tables, %d cells at risk, %.1f MB, exit codes %d and %d; seconds:",
                    "verify_release %.2f, write %.2f, read %.2f, check %.2f, with %.0f MB of published",
                    "tables %.2f\n"),
              name, as.integer(release$n_sub_tables), length(release$problem$at_risk),
              file.size(file) / 1e6, code, both_code, verify, write, read, check, file.size(csv) / 1e6,
              both))
}
