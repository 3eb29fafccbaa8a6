# Records in PostgreSQL: ten margins in one pass against one, and the memory of R meanwhile.
#   Rscript database.R [records, 2e7 unless given]
# Sets up a PostgreSQL of its own in a temporary folder (see inst/cluster/postgres-servers.sh), and
# needs some 60 bytes of disk for each record. Time is on the wall, for the work is the database's.

args <- commandArgs(trailingOnly = TRUE)
n <- if (length(args) > 0) as.numeric(args[1]) else 2e7
suppressPackageStartupMessages(library(sdcLattice))

script <- system.file("cluster", "postgres-servers.sh", package = "sdcLattice")
folder <- tempfile("postgres", tmpdir = "/tmp")
socket <- system2("sh", c(script, "start", folder, "0"), stdout = TRUE)
con <- DBI::dbConnect(RPostgres::Postgres(), dbname = "postgres", host = socket, user = "postgres")

# Eight variables; those of the margins have 9,600 cells together, all have 2.3 million.
levels <- c(region = 8, sex = 2, age = 10, industry = 12, education = 5, status = 4, month = 12,
            size = 5)
columns <- sprintf("((hashint8extended(i, %d) & 1073741823) %% %d)::smallint AS %s",
                   seq_along(levels), levels, names(levels))
sql <- sprintf("CREATE UNLOGGED TABLE people AS SELECT %s FROM generate_series(1, %.0f) AS s(i)",
               paste(columns, collapse = ", "), n)
made <- system.time(DBI::dbExecute(con, sql))[["elapsed"]]
invisible(DBI::dbExecute(con, "ANALYZE people"))
invisible(DBI::dbExecute(con, "SET work_mem = '64MB'"))
cat(sprintf("%.0f records, made in %.0f s\n", n, made))

status <- function(what) {
  lines <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep(what, lines, value = TRUE))) / 1024
}
records <- db_records(con, "people")
loaded <- status("VmRSS")
sets <- utils::combn(names(levels)[1:5], 3, simplify = FALSE)
seconds <- function(expr) system.time(expr)[["elapsed"]]

invisible(sdc_table(records, sets[[1]])) # the table is read once before
one <- ten <- numeric()
for (i in 1:3) {
  one[i] <- seconds(sdc_table(records, sets[[3 * i]]))
  ten[i] <- seconds(found <- margins(records, sets))
}
stopifnot(identical(found[[9]], sdc_table(records, sets[[9]])), sum(found[[1]]) == n)
cat(sprintf("one margin of three variables: %s s\n", paste(sprintf("%.1f", one), collapse = ", ")))
cat(sprintf("ten of them in one pass: %s s, %.2f times one\n",
            paste(sprintf("%.1f", ten), collapse = ", "), stats::median(ten) / stats::median(one)))

all <- seconds(x <- sdc_table(records, names(levels)))
cat(sprintf("table of all eight variables: %.0f cells in %.1f s\n", length(x$counts), all))
cat(sprintf("memory of R: %.0f MB at most, %.0f MB with the package loaded\n", status("VmHWM"),
            loaded))

DBI::dbDisconnect(con)
invisible(system2("sh", c(script, "stop", folder)))
