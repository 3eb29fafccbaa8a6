# The files for systemd, containers and proxies name what there is.

shipped <- function(...) system.file(..., package = "sdcLattice")

test_that("property: the example configuration is read, and names arguments that there are", {
  skip_if_not_installed("yaml")
  config <- read_config(shipped("server", "server.yml"))
  expect_s3_class(config_policy(config$policy), "sdc_server_policy")
  expect_identical(config$serve$workers, 2L)
})

test_that("property: units and container start commands that there are", {
  lines <- unlist(lapply(list.files(shipped("server"), full.names = TRUE), readLines))
  calls <- regmatches(lines, regexpr("sdclattice-server (user|token) [a-z]+|/sdclattice-server [a-z]+",
                                     lines))
  calls <- sub(".*sdclattice-server ", "", calls)
  expect_true(length(calls) >= 4)
  expect_true(all(calls %in% names(server_commands)))
  expect_true(file.exists(shipped("exec", "sdclattice-server")))
})

test_that("property: the steps of the container are shell, and copy the package", {
  skip_on_os("windows")
  lines <- readLines(shipped("server", "Containerfile"))
  text <- gsub("\\\\\n", "", paste(lines[!startsWith(lines, "#")], collapse = "\n"))
  steps <- strsplit(text, "\n")[[1]]
  expect_true(all(grepl("^(FROM|RUN|COPY|USER|ENV|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) ",
                        steps)))
  for (step in sub("^RUN ", "", steps[startsWith(steps, "RUN")])) {
    expect_identical(system2("sh", c("-n", "-c", shQuote(step))), 0L)
  }
  needed <- tools::package_dependencies("sdcLattice", matrix(
    c("sdcLattice", utils::packageDescription("sdcLattice")$Imports,
      utils::packageDescription("sdcLattice")$LinkingTo), 1,
    dimnames = list(NULL, c("Package", "Imports", "LinkingTo"))
  ), which = c("Imports", "LinkingTo"))[[1]]
  needed <- setdiff(needed, c("compiler", "stats", "utils"))
  expect_true(all(vapply(needed, function(package) {
    grepl(paste0("r-cran-", tolower(package), "\\b"), text)
  }, NA)))
})

test_that("property: systemd takes the units", {
  analyse <- Sys.which("systemd-analyze")
  skip_if_not(nzchar(analyse), "no systemd")
  folder <- withr::local_tempdir()
  for (name in c("sdclattice-server.service", "sdclattice-backup.service",
                 "sdclattice-backup.timer")) {
    lines <- gsub("/usr/local/bin/sdclattice-server", "/bin/true", readLines(shipped("server", name)))
    writeLines(lines, file.path(folder, name))
  }
  said <- suppressWarnings(system2(analyse, c("verify", list.files(folder, full.names = TRUE)),
                                   stdout = TRUE, stderr = TRUE))
  expect_identical(grep(folder, said, value = TRUE, fixed = TRUE), character())
  expect_null(attr(said, "status"))
})

test_that("property: the units may read the configuration, and keep the group of the store's files", {
  for (name in c("sdclattice-server.service", "sdclattice-backup.service")) {
    lines <- readLines(shipped("server", name))
    expect_true(all(c("User=sdclattice", "Group=www-data", "SupplementaryGroups=sdclattice",
                      "StateDirectoryMode=0700") %in% lines))
  }
})

test_that("property: no directive of the proxy stands twice in a block", {
  lines <- trimws(sub("#.*", "", readLines(shipped("nginx", "table-server.conf"))))
  block <- cumsum(grepl("{", lines, fixed = TRUE) | lines == "}")
  directive <- sub(" .*", "", lines)
  # of these each line says something of its own
  several <- c("", "}", "listen", "server", "proxy_set_header", "limit_conn_zone")
  named <- paste(block, directive)[!directive %in% several]
  expect_identical(named[duplicated(named)], character())
})
