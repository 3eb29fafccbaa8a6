# A table server in a process of its own, and the page in a browser.

page_server_script <- function() {
  c(
    "job <- readRDS(commandArgs(TRUE))",
    ".libPaths(job$paths)",
    "library(sdcLattice)",
    "server <- table_server(job$x, job$policy, store = job$store, metadata = job$metadata,",
    "                       progress = FALSE)",
    "tokens <- vapply(names(job$users), function(user) {",
    "  add_server_user(server, user, job$users[[user]])",
    "  issue_server_token(server, user)",
    "}, '')",
    "saveRDS(tokens, file.path(job$folder, 'part'))",
    "file.rename(file.path(job$folder, 'part'), file.path(job$folder, 'tokens'))",
    "writeLines(as.character(Sys.getpid()), file.path(job$folder, 'pid'))",
    "serve(server, port = job$port, open = job$open, quiet = TRUE)"
  )
}

is_served <- function(address) {
  isTRUE(tryCatch({
    con <- url(paste0(address, "v1/health"))
    on.exit(close(con))
    open(con, "rb")
    length(readLines(con, warn = FALSE)) > 0
  }, error = function(e) FALSE, warning = function(w) FALSE))
}

# `users` are roles named by users; with none, everybody is a guest.
start_page_server <- function(x, policy, users = character(), metadata = NULL, wait_s = 60) {
  folder <- tempfile("server")
  dir.create(folder)
  port <- httpuv::randomPort()
  job <- list(
    x = x, policy = policy, users = users, metadata = metadata, open = length(users) == 0,
    port = port, folder = folder,
    paths = .libPaths(), store = file.path(folder, "releases.sqlite")
  )
  saveRDS(job, file.path(folder, "job.rds"))
  script <- file.path(folder, "serve.R")
  writeLines(page_server_script(), script)
  arguments <- c("--vanilla", script, file.path(folder, "job.rds"))
  system2(file.path(R.home("bin"), "Rscript"), shQuote(arguments), wait = FALSE,
          stdout = file.path(folder, "log"), stderr = file.path(folder, "errors"))
  server <- list(address = sprintf("http://127.0.0.1:%d/", port), folder = folder)
  deadline <- Sys.time() + wait_s
  while (!is_served(server$address)) {
    if (Sys.time() > deadline) stop(readLines(file.path(folder, "errors")))
    Sys.sleep(.1)
  }
  server$tokens <- readRDS(file.path(folder, "tokens"))
  server
}

stop_page_server <- function(server) {
  tools::pskill(as.integer(readLines(file.path(server$folder, "pid"))), tools::SIGKILL)
  unlink(server$folder, recursive = TRUE)
}

local_page_server <- function(..., frame = parent.frame()) {
  server <- start_page_server(...)
  withr::defer(stop_page_server(server), envir = frame)
  server
}

# One browser for all tests of a file, and one server for those that ask for different things.
shared <- new.env()

shared_page_server <- function() {
  if (is.null(shared$server)) {
    policy <- server_policy(risk_width(3), time_limit_s = .7, tick_s = .9)
    shared$server <- start_page_server(czech_workers, policy)
    withr::defer(stop_page_server(shared$server), envir = teardown_env())
  }
  shared$server
}

shared_browser <- function() {
  if (is.null(shared$browser)) {
    shared$browser <- start_browser()
    withr::defer(stop_browser(shared$browser), envir = teardown_env())
  }
  shared$browser
}

# A tab at the page, for one test.
local_page <- function(server, hash = "", ..., frame = parent.frame()) {
  browser <- shared_browser()
  open_tab(browser, ...)
  withr::defer(close_tab(browser), envir = frame)
  visit(browser, paste0(server$address, hash))
  browser
}

skip_without_page <- function() {
  skip_without_browser()
  for (package in c("httpuv", "RSQLite", "withr")) skip_if_not_installed(package)
}

to_hash <- function(browser, hash) js(browser, "void (location.hash = %s)", hash)

card_says <- function(browser, title, status) {
  wait_in_page(browser, "document.querySelector('#card-title')?.textContent === %s &&
    document.querySelector('#card .status').textContent === %s", title, status)
}

request_by_click <- function(browser) {
  click(browser, "#card button.primary")
  wait_in_page(browser, "document.querySelector('#card .result').textContent.length > 12 &&
    !document.querySelector('#card button.primary').textContent.startsWith('Asking')")
  text_of(browser, "#card .result")
}

# The shown table: rows of texts.
shown_table <- function(browser, part = "tbody") {
  rows <- paste0("#table table ", part, " tr")
  lapply(js(browser, "[...document.querySelectorAll(%s)].map(
    (row) => [...row.children].map((cell) => cell.textContent))", rows), unlist)
}

numbers_of <- function(texts) as.numeric(gsub(",", "", texts, fixed = TRUE))

# What the page asked for, with the sizes of the answers.
resources <- function(browser) {
  found <- js(browser, "performance.getEntriesByType('resource').map(
    (entry) => [entry.name, String(entry.decodedBodySize)])")
  data.frame(
    address = vapply(found, `[[`, "", 1), bytes = as.numeric(vapply(found, `[[`, "", 2))
  )
}

expect_same_origin <- function(browser, server) {
  asked <- requested_addresses(browser)
  asked <- asked[!grepl("^(data|blob|about|chrome)", asked)]
  expect_gt(length(asked), 5)
  expect_true(all(startsWith(asked, server$address)))
}

expect_small_views <- function(browser) {
  views <- resources(browser)
  views <- views[grepl("/v1/", views$address) & !grepl("/data", views$address), ]
  expect_gt(nrow(views), 3)
  expect_lt(max(views$bytes), 1e4)
}

# What is hard to read, or to reach with a screen reader; NULL when nothing is.
page_faults <- function(browser) {
  check <- readLines(test_path("fixtures", "page-checks.js"))
  unlist(js(browser, paste(check, collapse = "\n")))
}

text_of <- function(browser, selector) {
  js(browser, "document.querySelector(%s).textContent", selector)
}

texts_of <- function(browser, selector) {
  unlist(js(browser, "[...document.querySelectorAll(%s)].map((e) => e.textContent)", selector))
}

wait_for_text <- function(browser, selector, text) {
  wait_in_page(browser, "document.querySelector(%s).textContent === %s", selector, text)
}

n_of <- function(browser, selector) js(browser, "document.querySelectorAll(%s).length", selector)

wait_for_n <- function(browser, selector, n) {
  wait_in_page(browser, "document.querySelectorAll(%s).length === %s", selector, n)
}

wait_for_some <- function(browser, selector) {
  wait_in_page(browser, "document.querySelector(%s)", selector)
}

overflow <- function(browser) js(browser, "document.documentElement.scrollWidth - innerWidth")
