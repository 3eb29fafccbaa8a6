# The JavaScript of the explorer's page, without a page: under node, or in a browser.

explorer_page_of <- function(...) {
  file <- withr::local_tempfile(fileext = ".html", .local_envir = parent.frame())
  suppressMessages(explore(..., file = file, open = FALSE))
}

skip_without_script <- function() {
  skip_on_cran()
  skip_if_not_installed("withr")
  if (!nzchar(Sys.which("node"))) skip_without_browser()
}

# The value of an expression that uses the page's calculations; `...` are its constants.
run_script <- function(expression, ...) {
  values <- list(...)
  constants <- vapply(names(values), function(name) {
    value <- jsonlite::toJSON(values[[name]], auto_unbox = TRUE, digits = NA)
    sprintf("const %s = %s;", name, value)
  }, "")
  code <- c(sdcLattice:::explorer_text(c("calc-coins.js", "calc-intervals.js")), constants)
  text <- if (nzchar(Sys.which("node"))) in_node(code, expression) else in_browser(code, expression)
  jsonlite::fromJSON(text, simplifyVector = FALSE)
}

in_node <- function(code, expression) {
  file <- withr::local_tempfile(fileext = ".js")
  writeLines(c(code, sprintf("console.log(JSON.stringify(%s));", expression)), file, useBytes = TRUE)
  system2("node", shQuote(file), stdout = TRUE)
}

in_browser <- function(code, expression) {
  browser <- explorer_browser()
  open_tab(browser)
  on.exit(close_tab(browser))
  body <- c("(() => {", code, sprintf("return JSON.stringify(%s);", expression), "})()")
  js(browser, paste(body, collapse = "\n"))
}

explorer_shared <- new.env()

explorer_browser <- function() {
  if (is.null(explorer_shared$browser)) {
    explorer_shared$browser <- start_browser()
    withr::defer(stop_browser(explorer_shared$browser), envir = teardown_env())
  }
  explorer_shared$browser
}

local_explorer <- function(file, width = 1200, hash = "", frame = parent.frame()) {
  browser <- explorer_browser()
  open_tab(browser, width, 800)
  withr::defer(close_tab(browser), envir = frame)
  visit(browser, paste0("file://", normalizePath(file), hash))
  browser
}

# Cycles as the page has them.
script_cycles <- function(set) {
  lapply(as.list(set), function(move) {
    lapply(which(move != 0), function(cell) list(cell - 1, move[[cell]]))
  })
}

page_numbers <- function(x) as.numeric(unlist(x))

scene_said <- function(page, scene) {
  js(page, "document.querySelector(%s).textContent", paste0("#", scene, " .said"))
}
