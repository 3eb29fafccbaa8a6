# The command of operators: what it does, what it refuses, and with which status.

skip_if_no_store()
skip_if_not_installed("yaml")

local_config <- function(..., frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  saveRDS(czech_workers, file.path(folder, "table.rds"))
  config <- file.path(folder, "server.yml")
  writeLines(c(
    paste0("table: ", folder, "/table.rds"), "policy:", "  risk: {kind: width, beta: 3}",
    "  rule: value", paste0("store: ", folder, "/store.sqlite"), ...
  ), config)
  list(folder = folder, path = config)
}

# The status, and what was written.
run <- function(config, ...) {
  status <- NULL
  said <- character()
  out <- utils::capture.output(withCallingHandlers(
    status <- server_command(c(..., "--config", config$path)),
    message = function(cnd) {
      said <<- c(said, conditionMessage(cnd))
      rlang::cnd_muffle(cnd)
    }
  ))
  list(status = status, out = out, said = paste(said, collapse = "\n"))
}

test_that("property: the command does what the functions do", {
  config <- local_config()
  expect_identical(run(config, "user", "add", "ann", "--role", "operator")$status, 0L)
  expect_match(run(config, "user", "list")$out[2], "^ann\toperator\t")
  token <- run(config, "token", "issue", "ann", "--days=1")$out
  expect_match(token, "^sdc_[0-9a-f]{16}_[0-9a-f]{64}$")
  file <- file.path(config$folder, "token")
  expect_identical(run(config, "token", "issue", "ann", "--out", file)$out, character())
  expect_match(readLines(file), "^sdc_")
  expect_identical(as.character(file.info(file)$mode), "600")
  expect_identical(run(config, "token", "revoke", sub("_[^_]*$", "", sub("sdc_", "", token)))$status,
                   0L)
  # one of the two is revoked: its last column is a time
  expect_identical(sum(grepl("Z$", run(config, "token", "list")$out)), 1L)
  recorded <- run(config, "release", "A,B", "--note", "yearbook")
  expect_match(recorded$out[1], "A:B is recorded as released")
  expect_identical(run(config, "decide", "--n", "2")$status, 0L)
  folder <- file.path(config$folder, "out")
  dir.create(folder)
  expect_length(run(config, "export", folder, "--format", "json")$out, 5)
  expect_true("table_A_B-03.json" %in% list.files(folder))
  verified <- run(config, "verify")
  expect_identical(verified$status, 0L)
  expect_match(verified$out[length(verified$out)], "^newest: 1:[0-9a-f]{64}$")
  # a format that needs a package asks for it
  asked <- NULL
  local_mocked_bindings_store(check_installed = function(package, why) {
    if (package == "openxlsx") {
      asked <<- package
      abort_sdc("input", paste("without", package))
    }
  })
  expect_identical(run(config, "export", folder, "--format", "xlsx")$status, 2L)
  expect_identical(asked, "openxlsx")
})

test_that("property: words of the shell are UTF-8, also where the locale is C", {
  raw <- rawToChar(as.raw(c(0x6a, 0xc3, 0xb6, 0x72, 0x67)))
  expect_identical(Encoding(check_words(raw)), "UTF-8")
  expect_identical(check_words(raw), "j\u00f6rg")
  expect_identical(check_words(c("A", "\xff")), c("A", "\xff"))
  expect_identical(check_words(character()), character())
})

test_that("property: a token is made only where it can be written", {
  config <- local_config()
  run(config, "user", "add", "ann")
  for (out in c("/nowhere/token", config$path)) {
    expect_identical(run(config, "token", "issue", "ann", "--out", out)$status, 2L)
  }
  expect_length(run(config, "token", "list")$out, 1)
})

test_that("property: a log that cannot be written is a fault of the configuration", {
  skip_if_not_installed("httpuv")
  config <- local_config("serve:", "  workers: 1", "  log: /nowhere/log.jsonl")
  found <- run(config, "serve")
  expect_identical(found$status, 2L)
  expect_match(found$said, "/nowhere/log.jsonl", fixed = TRUE)
})

test_that("property: a backup is restored with what was noted, and not without", {
  config <- local_config()
  run(config, "release", "A,B", "--note", "x")
  copy <- file.path(config$folder, "copy.sqlite")
  noted <- run(config, "backup", copy)$out
  run(config, "release", "B,C", "--note", "y")
  newer <- sub("newest: ", "", utils::tail(run(config, "verify")$out, 1))
  store <- file.path(config$folder, "store.sqlite")
  unlink(paste0(store, c("", "-wal", "-shm", "-anchor", "-anchor-wal", "-anchor-shm")))
  file.copy(copy, store)
  expect_identical(run(config, "verify")$status, 3L)
  # the backup is older than what is known
  expect_identical(run(config, "verify", "--new-anchor", newer)$status, 3L)
  unlink(paste0(store, c("-anchor", "-anchor-wal", "-anchor-shm")))
  expect_identical(run(config, "verify", "--new-anchor", noted)$status, 0L)
  expect_identical(run(config, "verify")$status, 0L)
})

test_that("property: an envelope is planned by the command, and served from the store", {
  config <- local_config()
  lines <- readLines(config$path)
  writeLines(sub("rule: value", "rule: envelope", lines), config$path)
  # nothing is planned yet
  expect_identical(run(config, "verify")$status, 2L)
  planned <- run(config, "plan")
  expect_identical(planned$status, 0L)
  expect_match(planned$out, "envelope: ", all = FALSE)
  expect_identical(run(config, "verify")$status, 0L)
})

test_that("property: what is wrong is said, with status 2", {
  config <- local_config()
  wrong <- list(
    "nonsense", c("user", "add"), c("user", "add", "a", "b"), c("user", "list", "--x", "1"),
    c("release", "A,B"), c("token", "issue", "nobody"), c("verify", "--new-anchor", "x"),
    c("token", "issue", "a", "--days", "x"), c("export", "/nowhere"), "verify --help"
  )
  for (words in wrong) {
    found <- do.call(run, c(list(config), as.list(words)))
    expect_identical(found$status, 2L)
    expect_match(found$said, "^sdclattice-server: ")
  }
  lines <- c("nonsense: 1", "serve: {prot: 1}", "serve: {port: 1, port: 2}", "metadata: [")
  for (line in lines) expect_identical(run(local_config(line), "verify")$status, 2L)
  expect_identical(run(list(path = "/nowhere.yml"), "verify")$status, 2L)
  expect_identical(run(config, "help")$status, 0L)
  help <- run(config, "user", "add", "--help")
  expect_match(help$out[1], "sdclattice-server user add NAME [--role user|operator]", fixed = TRUE)
})

test_that("property: all commands say what they are for", {
  for (command in server_commands) expect_true(nchar(command$help) > 10)
  help <- utils::capture.output(server_command("help"))
  for (name in names(server_commands)) expect_true(any(grepl(paste("sdclattice-server", name), help)))
})
