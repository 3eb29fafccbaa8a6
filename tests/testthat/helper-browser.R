# A headless Chromium, driven over a pair of named pipes by the protocol of its developer tools: no
# package and no port is needed for it.

browser_path <- function() {
  named <- Sys.getenv("CHROMOTE_CHROME")
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome", "chrome"))
  c(named[nzchar(named)], found[nzchar(found)], NA)[[1]]
}

skip_without_browser <- function() {
  skip_on_cran()
  skip_on_os("windows")
  skip_if(is.na(browser_path()), "there is no Chromium on the PATH, nor named in CHROMOTE_CHROME")
}

# Debian's Chromium is a script that execs the program, so the process is the one that we start.
# As root there is no sandbox; in containers /dev/shm may be too small.
browser_arguments <- function(profile) {
  c("--headless=new", "--remote-debugging-pipe", paste0("--user-data-dir=", profile),
    "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--force-color-profile=srgb", "--hide-scrollbars", "--lang=en",
    # else each window loads pages of the browser's own, which takes longer than ours
    "--no-startup-window", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    if (identical(Sys.info()[["user"]], "root")) "--no-sandbox")
}

start_browser <- function(folder = tempfile("browser")) {
  dir.create(folder)
  pipes <- file.path(folder, c("to", "from"))
  system2("mkfifo", shQuote(pipes))
  command <- paste(
    "echo $$ >", shQuote(file.path(folder, "pid")), "; exec", shQuote(browser_path()),
    paste(shQuote(browser_arguments(file.path(folder, "profile"))), collapse = " "),
    "3<", shQuote(pipes[[1]]), "4>", shQuote(pipes[[2]]), "2>", shQuote(file.path(folder, "log"))
  )
  system2("sh", c("-c", shQuote(command)), wait = FALSE, stdout = FALSE)
  browser <- new.env()
  browser$folder <- folder
  browser$from <- fifo(pipes[[2]], "rb", blocking = FALSE)
  browser$to <- fifo(pipes[[1]], "wb", blocking = TRUE)
  browser$rest <- raw()
  browser$messages <- list()
  browser$events <- list()
  browser$last <- 0L
  browser
}

stop_browser <- function(browser) {
  try(browser_send(browser, "Browser.close"), silent = TRUE)
  close(browser$to)
  close(browser$from)
  pid <- as.integer(readLines(file.path(browser$folder, "pid")))
  for (i in 1:50) {
    if (!dir.exists(file.path("/proc", pid))) break
    Sys.sleep(.05)
  }
  tools::pskill(pid, tools::SIGKILL)
  unlink(browser$folder, recursive = TRUE)
}

# R reports an error, rather than no bytes, for a pipe in which nothing waits.
read_bytes <- function(con) tryCatch(readBin(con, "raw", 65536L), error = function(e) raw())

# Messages are JSON texts, each ended by a zero byte.
read_messages <- function(browser) {
  while (length(bytes <- read_bytes(browser$from)) > 0) {
    browser$rest <- c(browser$rest, bytes)
  }
  ends <- which(browser$rest == 0)
  if (length(ends) == 0) return(invisible())
  starts <- c(1L, ends[-length(ends)] + 1L)
  for (i in seq_along(ends)) {
    text <- rawToChar(browser$rest[seq(starts[[i]], length.out = ends[[i]] - starts[[i]])])
    Encoding(text) <- "UTF-8"
    message <- jsonlite::fromJSON(text, simplifyVector = FALSE)
    if (is.null(message$id)) {
      browser$events <- c(browser$events, list(message))
    } else {
      browser$messages[[as.character(message$id)]] <- message
    }
  }
  browser$rest <- browser$rest[-seq_len(max(ends))]
}

browser_send <- function(browser, method, params = list(), wait_s = 20) {
  browser$last <- id <- browser$last + 1L
  message <- list(id = id, method = method)
  if (length(params) > 0) message$params <- params
  if (!is.null(browser$session)) message$sessionId <- browser$session
  text <- jsonlite::toJSON(message, auto_unbox = TRUE, null = "null", digits = 15)
  writeBin(c(charToRaw(enc2utf8(as.character(text))), as.raw(0)), browser$to)
  answer <- await_answer(browser, as.character(id), wait_s)
  if (is.null(answer)) stop("the browser does not answer ", method, last_words(browser))
  browser$messages[[as.character(id)]] <- NULL
  if (!is.null(answer$error)) stop(method, ": ", answer$error$message)
  answer$result
}

# NULL when none comes. Turns are counted, not the time: a machine that stands still, or gives this
# process no turn, gives none to the browser either.
await_answer <- function(browser, id, wait_s, turn_s = .004) {
  for (turn in seq_len(ceiling(wait_s / turn_s))) {
    read_messages(browser)
    if (!is.null(browser$messages[[id]])) break
    Sys.sleep(turn_s)
  }
  browser$messages[[id]]
}

# What a browser that does not answer told last, by its protocol and in its log, and whether a page
# keeps it busy.
last_words <- function(browser) {
  events <- vapply(browser$events, function(event) event$method, "")
  log <- readLines(file.path(browser$folder, "log"), warn = FALSE)
  processes <- tryCatch(system2("ps", c("-eo", "stat,pcpu,time,args"), stdout = TRUE),
                        error = function(cnd) "")
  pages <- substr(grep("type=renderer", processes, value = TRUE), 1, 24)
  paste0("; its last events: ", paste(utils::tail(events, 8), collapse = ", "),
         "; its log: ", paste(utils::tail(log, 8), collapse = " | "),
         "; processes of pages (state, %, time): ", paste(pages, collapse = " | "))
}

# A new tab, in which all later commands act. Each has a storage of its own.
open_tab <- function(browser, width = 1280, height = 900, dark = FALSE) {
  browser$session <- NULL
  browser$context <- browser_send(browser, "Target.createBrowserContext")$browserContextId
  target <- browser_send(browser, "Target.createTarget", list(
    url = "about:blank", browserContextId = browser$context
  ))$targetId
  browser$session <- browser_send(
    browser, "Target.attachToTarget", list(targetId = target, flatten = TRUE)
  )$sessionId
  for (domain in c("Page", "Runtime", "Network", "Log")) {
    browser_send(browser, paste0(domain, ".enable"))
  }
  browser$events <- list()
  set_screen(browser, width, height, dark)
}

close_tab <- function(browser) {
  browser$session <- NULL
  browser_send(browser, "Target.disposeBrowserContext", list(browserContextId = browser$context))
}

set_screen <- function(browser, width = 1280, height = 900, dark = FALSE) {
  browser_send(browser, "Emulation.setDeviceMetricsOverride", list(
    width = width, height = height, deviceScaleFactor = 1, mobile = width < 500
  ))
  browser_send(browser, "Emulation.setEmulatedMedia", list(features = list(
    list(name = "prefers-color-scheme", value = if (dark) "dark" else "light"),
    list(name = "prefers-reduced-motion", value = "reduce")
  )))
}

# The value of a JavaScript expression, which may be a promise; `...` fills it as sprintf() does by
# %s, with strings quoted.
js <- function(browser, expression, ...) {
  fill <- lapply(list(...), function(x) as.character(jsonlite::toJSON(x, auto_unbox = TRUE)))
  if (length(fill) > 0) expression <- do.call(sprintf, c(list(expression), fill))
  answer <- browser_send(browser, "Runtime.evaluate", list(
    expression = expression, returnByValue = TRUE, awaitPromise = TRUE, userGesture = TRUE
  ))
  if (!is.null(answer$exceptionDetails)) {
    stop(answer$exceptionDetails$exception$description, " in ", expression)
  }
  answer$result$value
}

# Waits until the expression is true; one that fails, since something is not there yet, is not.
wait_in_page <- function(browser, expression, ..., wait_s = 40) {
  trying <- paste0("(() => { try { return Boolean(", expression, "); }",
                   " catch { return false; } })()")
  for (turn in seq_len(ceiling(wait_s / .02))) {
    # a page that loads anew has no answer yet
    came_true <- tryCatch(js(browser, trying, ...), error = function(cnd) {
      if (grepl("navigated or closed", conditionMessage(cnd))) FALSE else stop(cnd)
    })
    if (isTRUE(came_true)) return(invisible(TRUE))
    Sys.sleep(.02)
  }
  stop("this did not come true in the page: ", expression)
}

visit <- function(browser, address) {
  browser_send(browser, "Page.navigate", list(url = address))
  wait_in_page(browser, "document.readyState === 'complete'")
}

key_codes <- c(
  Tab = 9, Enter = 13, " " = 32, ArrowLeft = 37, ArrowUp = 38, ArrowRight = 39, ArrowDown = 40
)

# A real key, through the browser's input, so that focus and default actions are real too.
press <- function(browser, keys) {
  for (key in keys) {
    text <- if (key == "Enter") "\r" else if (nchar(key) == 1) key else ""
    code <- if (key %in% names(key_codes)) key_codes[[key]] else utf8ToInt(toupper(key))
    event <- list(key = key, windowsVirtualKeyCode = code)
    down <- c(list(type = "keyDown", text = text), event)
    browser_send(browser, "Input.dispatchKeyEvent", down)
    browser_send(browser, "Input.dispatchKeyEvent", c(list(type = "keyUp"), event))
  }
}

type_text <- function(browser, text) browser_send(browser, "Input.insertText", list(text = text))

# A click in the middle of an element, by the mouse: once nothing is loading that could move it.
# Where an element is, once it stays there: what is still being drawn moves others.
place_of <- function(browser, selector) {
  read <- function() js(browser, "(() => {
    const element = document.querySelector(%s);
    element.scrollIntoView({ block: 'center' });
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  })()", selector)
  at <- read()
  repeat {
    Sys.sleep(.03)
    now <- read()
    if (identical(now, at)) return(at)
    at <- now
  }
}

click <- function(browser, selector) {
  wait_in_page(browser, "!document.querySelector('[aria-busy]')")
  at <- place_of(browser, selector)
  for (type in c("mousePressed", "mouseReleased")) {
    browser_send(browser, "Input.dispatchMouseEvent", list(
      type = type, x = at[[1]], y = at[[2]], button = "left", clickCount = 1
    ))
  }
}

screenshot <- function(browser, file, height = NULL, width = NULL, scale = 1) {
  size <- browser_send(browser, "Page.getLayoutMetrics")$cssContentSize
  clip <- list(x = 0, y = 0, width = width %||% size$width, height = height %||% size$height,
               scale = scale)
  answer <- browser_send(browser, "Page.captureScreenshot", list(
    format = "png", captureBeyondViewport = TRUE, clip = clip
  ))
  writeBin(jsonlite::base64_dec(answer$data), file)
}

# Where downloads go: a command to the browser, not to its tab.
save_to <- function(browser, folder) {
  session <- browser$session
  browser$session <- NULL
  browser_send(browser, "Browser.setDownloadBehavior", list(
    behavior = "allow", downloadPath = folder, browserContextId = browser$context
  ))
  browser$session <- session
}

`%||%` <- function(x, y) if (is.null(x)) y else x

events_of <- function(browser, method) {
  read_messages(browser)
  Filter(function(event) identical(event$method, method), browser$events)
}

# What went wrong in the page: exceptions, errors on the console, and in the browser's own log.
page_errors <- function(browser) {
  thrown <- vapply(events_of(browser, "Runtime.exceptionThrown"), function(event) {
    event$params$exceptionDetails$exception$description %||% event$params$exceptionDetails$text
  }, "")
  said <- events_of(browser, "Runtime.consoleAPICalled")
  said <- Filter(function(event) event$params$type == "error", said)
  logged <- lapply(events_of(browser, "Log.entryAdded"), function(event) event$params$entry)
  logged <- Filter(function(entry) entry$level == "error", logged)
  c(thrown, rep("console.error", length(said)),
    vapply(logged, function(entry) paste(entry$text, entry$url), ""))
}

requested_addresses <- function(browser) {
  asked <- events_of(browser, "Network.requestWillBeSent")
  vapply(asked, function(event) event$params$request$url, "")
}

# ---- axe-core -----------------------------------------------------------------------------------

# Rules of accessibility, checked by another program: from the file that SDCLATTICE_AXE names, or
# got by npm, of one version, once for a run. NULL when there is neither.
axe_version <- "4.10.3"

axe_file <- function() {
  named <- Sys.getenv("SDCLATTICE_AXE")
  if (nzchar(named)) {
    return(if (file.exists(named)) named)
  }
  if (!nzchar(Sys.which("npm"))) {
    return(NULL)
  }
  folder <- file.path(tempdir(), "axe")
  file <- file.path(folder, "node_modules", "axe-core", "axe.min.js")
  if (!file.exists(file)) {
    dir.create(folder, showWarnings = FALSE)
    suppressWarnings(system2(
      "npm", c("install", "--prefix", shQuote(folder), "--no-audit", "--no-fund",
               "--ignore-scripts", "--fetch-retries=0", "--fetch-timeout=20000", paste0("axe-core@", axe_version)),
      stdout = FALSE, stderr = FALSE, timeout = 40
    ))
  }
  if (file.exists(file)) file
}

skip_without_axe <- function() {
  skip_if(is.null(axe_file()), "axe-core is not there, and npm cannot get it")
}

# What it finds, a line for each; NULL when it finds nothing.
axe_faults <- function(browser) {
  if (!js(browser, "Boolean(window.axe)")) {
    source <- paste(readLines(axe_file(), warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    js(browser, paste0(source, "\nvoid 0"))
  }
  unlist(js(browser, "axe.run(document, { resultTypes: ['violations'] }).then((found) =>
    found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)))"))
}
