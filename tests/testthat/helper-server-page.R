# A table server in a process of its own, and the page in a browser.

page_server_script <- function() {
  c(
    "job <- readRDS(commandArgs(TRUE))",
    ".libPaths(job$paths)",
    "library(sdcLattice)",
    "server <- table_server(job$x, job$policy, store = job$store, progress = FALSE)",
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
start_page_server <- function(x, policy, users = character(), wait_s = 60) {
  folder <- tempfile("server")
  dir.create(folder)
  port <- httpuv::randomPort()
  job <- list(
    x = x, policy = policy, users = users, open = length(users) == 0, port = port, folder = folder,
    paths = .libPaths(), store = file.path(folder, "releases.sqlite")
  )
  saveRDS(job, file.path(folder, "job.rds"))
  script <- file.path(folder, "serve.R")
  writeLines(page_server_script(), script)
  system2(file.path(R.home("bin"), "Rscript"), shQuote(c("--vanilla", script, file.path(folder, "job.rds"))),
          wait = FALSE, stdout = file.path(folder, "log"), stderr = file.path(folder, "errors"))
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

# One browser for all tests of a file.
shared <- new.env()

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
  for (package in c("plumber", "httpuv", "RSQLite", "withr")) skip_if_not_installed(package)
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
  js(browser, "document.querySelector('#card .result').textContent")
}

# The shown table: rows of texts.
shown_table <- function(browser, part = "tbody") {
  rows <- js(browser, "[...document.querySelectorAll(%s)].map(
    (row) => [...row.children].map((cell) => cell.textContent))", paste0("#table table ", part, " tr"))
  lapply(rows, unlist)
}

numbers_of <- function(texts) as.numeric(gsub(",", "", texts, fixed = TRUE))

# What the page asked for, with the sizes of the answers.
resources <- function(browser) {
  found <- js(browser, "performance.getEntriesByType('resource').map((e) => [e.name, String(e.decodedBodySize)])")
  data.frame(
    address = vapply(found, `[[`, "", 1), bytes = as.numeric(vapply(found, `[[`, "", 2))
  )
}

expect_same_origin <- function(browser, server) {
  asked <- grep("^(data|blob|about|chrome)", requested_addresses(browser), value = TRUE, invert = TRUE)
  expect_gt(length(asked), 5)
  expect_true(all(startsWith(asked, server$address)))
}

expect_small_views <- function(browser) {
  views <- resources(browser)
  views <- views[grepl("/v1/", views$address, fixed = TRUE) & !grepl("/data", views$address, fixed = TRUE), ]
  expect_gt(nrow(views), 3)
  expect_lt(max(views$bytes), 1e4)
}

# All that has text, whose contrast with the ground beneath it is less than WCAG's 4.5.
low_contrast <- function(browser) {
  unlist(js(browser, "(() => {
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const part = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    const ground = (e) => {
      for (; e; e = e.parentElement) {
        const c = numbers(getComputedStyle(e).backgroundColor);
        if (c.length === 3 || c[3] === 1) return c;
      }
      return [255, 255, 255];
    };
    const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const shown = (e) => e.checkVisibility() && !e.closest('svg, [aria-disabled=true], .unseen, .skip, option');
    return [...document.querySelectorAll('body *')].filter((e) => own(e) && shown(e)).map((e) => {
      const [a, b] = [light(numbers(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), `${e.tagName}.${e.className}: ${e.textContent.slice(0, 30)}`];
    }).filter(([ratio]) => ratio < 4.5).map(([ratio, what]) => `${ratio.toFixed(2)} ${what}`);
  })()"))
}

# What a screen reader would stumble over.
access_faults <- function(browser) {
  unlist(js(browser, "(() => {
    const all = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
    const label = (e) => [...(e.labels ?? [])].map((l) => l.textContent).join('');
    const name = (e) => (e.getAttribute('aria-label') ?? '') + label(e) + (e.matches('button, a') ? e.textContent : '');
    const what = (e) => e.outerHTML.slice(0, 80);
    const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
    const refers = ['aria-labelledby', 'aria-describedby', 'aria-controls'];
    return [
      ...all('button, input, select, a, [tabindex=\"0\"]').filter((e) => !name(e).trim()).map((e) => 'no name: ' + what(e)),
      ...all('th').filter((e) => !e.scope).map((e) => 'no scope: ' + what(e)),
      ...all('table').filter((e) => !e.caption).map((e) => 'no caption: ' + what(e)),
      ...all('svg').filter((e) => !e.closest('[aria-hidden=true]')).map((e) => 'a picture without words: ' + what(e)),
      ...all('[aria-hidden=true]').filter((e) => e.querySelector('button, a, input, [tabindex]')).map((e) => 'focus in the dark: ' + what(e)),
      ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => 'id twice: ' + id),
      ...refers.flatMap((a) => all(`[${a}]`).filter((e) => !document.getElementById(e.getAttribute(a))).map((e) => a + ' of nothing: ' + what(e))),
      ...(document.querySelectorAll('main:not([hidden])').length === 1 ? [] : ['not one main']),
      ...(document.documentElement.lang ? [] : ['no language']),
    ];
  })()"))
}

overflow <- function(browser) js(browser, "document.documentElement.scrollWidth - innerWidth")
