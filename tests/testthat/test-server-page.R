# The page of the table server, in a real browser against a real server.

# The words of the card.
given <- "You can have this table now"
lost <- "This table cannot be given"

# Quick ticks: the tests wait for them.
czech_policy <- function() server_policy(risk_width(3), time_limit_s = .4, tick_s = .5)

# Names and levels that would like to be markup.
hostile <- "<img src=x onerror=\"document.title='harm'\">"
hostile_level <- "</td><script>document.title='harm'</script>"

hostile_table <- function(k, n = 4000, stem = "Variable_") {
  withr::local_seed(40 + k)
  data <- as.data.frame(lapply(seq_len(k), function(i) {
    sample(paste0("level ", seq_len(2 + i %% 3)), n, replace = TRUE)
  }))
  names(data) <- paste0(stem, seq_len(k))
  names(data)[[2]] <- hostile
  data[[2]][seq_len(n / 2)] <- hostile_level
  sdc_table(data, dimVar = names(data))
}

# What R answers when it is asked for the same in the same order.
reference_outcomes <- function(x, policy, sets) {
  server <- table_server(x, policy, progress = FALSE)
  on.exit(close(server))
  vapply(sets, function(set) request_table(server, set)$outcome, "")
}

test_that("oracle: the page releases, refuses and shows what R does", {
  skip_without_page()
  policy <- server_policy(risk_width(30), time_limit_s = .9, tick_s = 1.5)
  server <- local_page_server(czech_workers, policy)
  page <- local_page(server)
  wait_for_n(page, ".variable", 6)

  # by the mouse
  click(page, ".variable:nth-child(1) label")
  wait_in_page(page, "document.querySelector('#card-title')?.textContent === 'A'")
  click(page, ".variable:nth-child(2) label")
  card_says(page, "A × B", "You can ask for this table")
  expect_match(request_by_click(page), "^Released")
  expect_true(js(page, "document.activeElement === document.querySelector('#card button.primary')"))
  wait_for_some(page, "#table tfoot")
  truth <- stats::addmargins(as.table(margin(czech_workers, c("A", "B"))))
  rows <- c(shown_table(page), shown_table(page, "tfoot"))
  expect_equal(t(vapply(rows, function(row) numbers_of(row[-1]), numeric(3))),
               matrix(as.numeric(truth), nrow = 3))

  # by the address
  sets <- strsplit(c("AB", "AD", "AE", "DE", "ADE", "BD", "ABD", "BE", "ABE", "ABDE", "ABCDE"), "")
  expected <- reference_outcomes(czech_workers, policy, sets)
  expect_true(any(expected == "released"))
  expect_true(any(expected == "refused"))
  said <- vapply(sets[-1], function(set) {
    to_hash(page, paste0("#s=", paste0("v", match(set, LETTERS), collapse = ",")))
    wait_in_page(page, "document.querySelector('#card-title').textContent === %s &&
      !document.querySelector('#card').hasAttribute('aria-busy')", paste(set, collapse = " × "))
    status <- text_of(page, "#card .status")
    if (status == "You can ask for this table") request_by_click(page) else status
  }, "")
  expect_equal(grepl("^Released", said), expected[-1] == "released")
  expect_equal(grepl("^Refused|step by step$", said), expected[-1] == "refused")

  # the parts, if the whole is refused
  to_hash(page, "#s=v1,v4,v5")
  card_says(page, "A × D × E", lost)
  expect_match(text_of(page, ".reason"), "You asked for it before: it was refused")
  wait_for_text(page, "#card button.primary", "Ask again")
  expect_match(request_by_click(page), "^Refused. What is near is listed below")
  expect_equal(texts_of(page, "#card .block:first-child .pill"),
               c("A × D: released", "A × E: released", "D × E: released"))

  expect_same_origin(page, server)
  expect_small_views(page)
  expect_equal(page_errors(page), character())
})

test_that("property: tables are sorted by each column, and hold the same counts in each layout", {
  skip_without_page()
  policy <- server_policy(risk_width(3), rule = "envelope", envelope = list(c("A", "B", "C"), "D"),
                          tick_s = .5)
  server <- local_page_server(czech_workers, policy)
  page <- local_page(server, "#s=v1,v2,v3")
  card_says(page, "A × B × C", "You can ask for this table")
  expect_match(request_by_click(page), "^Released")
  wait_for_some(page, "#table tfoot")
  truth <- as.table(margin(czech_workers, c("A", "B", "C")))
  totals <- function() numbers_of(vapply(shown_table(page), function(row) row[[length(row)]], ""))
  order_of <- function(nth) js(page, "document.querySelector(%s)?.ariaSort ?? null", nth)

  # C is across: A, B, C1, C2, total
  expect_equal(sort(totals()), sort(as.numeric(apply(truth, 1:2, sum))))
  last <- "#table thead tr:last-child th:last-child"
  click(page, paste(last, "button"))
  expect_equal(order_of(last), "descending")
  expect_false(is.unsorted(-totals()))
  click(page, paste(last, "button"))
  expect_equal(order_of(last), "ascending")
  expect_false(is.unsorted(totals()))
  expect_match(text_of(page, "#announcer"), "Sorted by Total")
  click(page, "#table thead th:nth-child(2) button")
  expect_null(order_of(last))
  keys <- vapply(shown_table(page), `[[`, "", 2)
  expect_equal(keys, sort(keys))

  for (across in c("0", "1", "long")) {
    js(page, "(() => { const s = document.querySelector('#layout'); s.value = %s;
      s.dispatchEvent(new Event('change')); })()", across)
    foot <- shown_table(page, "tfoot")[[1]]
    expect_equal(numbers_of(foot[[length(foot)]]), sum(truth))
    expect_length(shown_table(page), if (across == "long") 8 else 4)
  }
  expect_equal(totals(), as.numeric(aperm(truth)))

  # what lies outside of the envelope, and the envelope itself
  to_hash(page, "#s=v1,v4&tab=policy")
  card_says(page, "A × D", lost)
  expect_match(text_of(page, "#card .reason"), "not among the tables that were announced")
  wait_for_some(page, "#panel-policy .crosses tbody")
  expect_equal(sum(texts_of(page, "#panel-policy .crosses tbody tr:first-child td") == "×yes"), 3)
  expect_null(page_faults(page))
})

test_that("property: the keyboard reaches everything", {
  skip_without_page()
  server <- shared_page_server()
  page <- local_page(server)
  wait_for_n(page, ".variable", 6)
  focus <- function() js(page, "document.activeElement.id || document.activeElement.textContent")

  press(page, c("Tab", "Enter"))
  expect_equal(focus(), "card")
  press(page, "/")
  expect_equal(focus(), "search")
  type_text(page, "d")
  expect_equal(n_of(page, ".variable:not([hidden])"), 1)
  expect_equal(text_of(page, "output"), "1 of 6 shown")
  press(page, c("ArrowDown", " "))
  card_says(page, "D", given)
  press(page, "ArrowUp")
  js(page, "document.querySelector('#search').select()")
  type_text(page, "e")
  press(page, c("ArrowDown", " "))
  card_says(page, "D × E", "You can ask for this table")

  # from the boxes past the categories on to the card: the two chips, then the question
  press(page, c("Tab", "Tab"))
  expect_equal(js(page, "document.activeElement.ariaLabel"), "Remove D")
  press(page, c("Tab", "Tab"))
  expect_equal(focus(), "Ask for this table")
  press(page, "Enter")
  wait_for_some(page, "#table tfoot")
  expect_equal(focus(), "Given")

  js(page, "document.querySelector('#experts summary').focus()")
  press(page, "Enter")
  press(page, "Tab")
  expect_equal(focus(), "tab-levels")
  press(page, "ArrowRight")
  expect_equal(focus(), "tab-lattice")
  wait_for_some(page, ".lattice svg")
  press(page, "Tab")
  expect_equal(js(page, "document.activeElement.ariaLabel"), "Lattice of sub-tables")
  press(page, "ArrowUp")
  card_says(page, "D × E × F", "You can ask for this table")
  press(page, "ArrowDown")
  card_says(page, "D × E", given)
  press(page, "ArrowLeft")
  card_says(page, "C × D", "You can ask for this table")
  press(page, "ArrowRight")
  card_says(page, "D × E", given)
  expect_equal(js(page, "document.activeElement.ariaLabel"), "Lattice of sub-tables")

  # a pill that goes leaves the focus to its neighbour
  js(page, "document.querySelector('.chip').focus()")
  press(page, "Enter")
  card_says(page, "E", given)
  wait_in_page(page, "document.activeElement.ariaLabel === 'Remove E'")
  press(page, "Enter")
  wait_in_page(page, "document.activeElement.id === 'search'")
  js(page, "history.back()")
  card_says(page, "E", given)
  expect_equal(page_errors(page), character())
})

test_that("property: a question is decided once, however often its answer is lost", {
  skip_without_page()
  server <- shared_page_server()
  page <- local_page(server, "#s=v1,v2")
  card_says(page, "A × B", "You can ask for this table")

  # the server hears the question and decides; the answer does not reach the page
  browser_send(page, "Fetch.enable", list(patterns = list(
    list(urlPattern = "*/v1/requests", requestStage = "Response")
  )))
  click(page, "#card button.primary")
  lose <- function(n) {
    deadline <- Sys.time() + 10
    repeat {
      paused <- events_of(page, "Fetch.requestPaused")
      if (length(paused) >= n || Sys.time() > deadline) break
      Sys.sleep(.02)
    }
    browser_send(page, "Fetch.failRequest", list(
      requestId = paused[[n]]$params$requestId, errorReason = "ConnectionReset"
    ))
    paused[[n]]$params$request$headers
  }
  first <- lose(1)
  wait_for_text(page, "#card .result", "No answer yet, asking again …")
  second <- lose(2)
  expect_equal(first[["Idempotency-Key"]], second[["Idempotency-Key"]])
  browser_send(page, "Fetch.disable")
  wait_for_text(page, "#card .result", "Released. The table is below.")
  click(page, "#requests summary")
  wait_for_some(page, "#requests tbody tr")
  expect_equal(sum(texts_of(page, "#requests tbody th") == "A × B"), 1)
  expect_equal(js(page, "sessionStorage.length"), 0)
})

expect_no_harm <- function(k) {
  x <- hostile_table(k)
  policy <- server_policy(risk_width(2), rule = "myopic", plan = FALSE, tick_s = .6,
                          time_limit_s = .5)
  server <- local_page_server(x, policy)
  page <- local_page(server, "#s=v1,v2")
  card_says(page, paste0("Variable_1 × ", hostile), "You can ask for this table")
  expect_match(request_by_click(page), "^Released")
  wait_for_some(page, "#table tfoot")
  expect_true(hostile_level %in% unlist(shown_table(page, "thead")))
  click(page, "#experts > summary")
  tabs <- unlist(js(page, "[...document.querySelectorAll('[role=tab]')].map((tab) => tab.id)"))
  expect_equal("tab-lattice" %in% tabs, k == 8)
  for (tab in tabs) {
    click(page, paste0("#", tab))
    wait_for_some(page, "[role=tabpanel]:not([hidden]):not([aria-busy]) > div > *")
    expect_null(page_faults(page))
  }
  expect_equal(js(page, "document.title"), "Tables on request")
  expect_equal(n_of(page, "img, body script"), 0)

  # a level's list, of those that hold both variables
  click(page, "#tab-levels")
  js(page, "location.hash = 's=v2&tab=levels'")
  wait_in_page(page, "document.querySelector('#panel-levels caption').textContent === %s",
               paste0("Sub-tables that hold ", hostile, ", by number of variables"))
  wait_in_page(page, "document.querySelectorAll('.levels tbody tr').length === %s", 2 * k)
  card_says(page, hostile, given)
  click(page, ".levels tbody tr:nth-child(5) button")
  wait_for_some(page, ".levels .list li")
  expect_lte(n_of(page, ".levels .list li"), 50)
  expect_true(all(grepl(hostile, texts_of(page, ".levels .list li"), fixed = TRUE)))

  for (dark in c(FALSE, TRUE)) {
    set_screen(page, 360, 740, dark)
    expect_equal(overflow(page), 0)
    expect_null(page_faults(page))
  }
  # zoomed to 200 % on a screen of 1280
  set_screen(page, 640, 450)
  expect_equal(overflow(page), 0)
  expect_same_origin(page, server)
  expect_small_views(page)
  expect_equal(page_errors(page), character())
}

test_that("property: names and levels that are markup do no harm, with 8 variables", {
  skip_without_page()
  expect_no_harm(8)
})

test_that("property: names and levels that are markup do no harm, with 40 variables", {
  skip_without_page()
  expect_no_harm(40)
})

sign_in <- function(page, token) {
  wait_in_page(page, "document.activeElement.id === 'token'")
  # again, where the page is just loading anew
  wait_in_page(page, "(document.querySelector('#token').value = '') === ''")
  type_text(page, token)
  press(page, "Enter")
}

test_that("property: operators sign in and see more than users; who signs out leaves nothing", {
  skip_without_page()
  server <- local_page_server(czech_workers, czech_policy(), c(ann = "operator", bob = "user"))
  page <- local_page(server, "#s=v1,v2")
  tabs <- function() texts_of(page, "[role=tab]")

  sign_in(page, "sdc_nobody_nothing")
  # a wrong token is said to be wrong, by the form that it was typed into
  wait_for_text(page, "#sign-in .result",
                "This token is wrong, or it has been revoked or has expired.")
  expect_equal(js(page, "sessionStorage.length"), 0)
  sign_in(page, server$tokens[["bob"]])
  card_says(page, "A × B", "You can ask for this table")
  expect_false(any(c("What if", "History") %in% tabs()))
  expect_match(request_by_click(page), "^Released")
  to_hash(page, "#s=v1,v2,v3,v4,v5,v6")
  card_says(page, "A × B × C × D × E × F", "You can ask for this table step by step")
  click(page, "#account > button")
  wait_in_page(page, "document.activeElement.id === 'token'")
  expect_equal(js(page, "sessionStorage.length"), 0)
  expect_false(js(page, "document.body.textContent.includes('Choose variables')"))

  sign_in(page, server$tokens[["ann"]])
  wait_in_page(page, "document.querySelector('#who')?.textContent === 'ann (operator)'")
  expect_true(all(c("What if", "History") %in% tabs()))
  to_hash(page, "#s=v1,v3&tab=what-if")
  wait_for_text(page, "#panel-what-if h3", "If A × C were requested")
  expect_null(page_faults(page))
  click(page, "#tab-history")
  wait_for_n(page, "#panel-history .crosses tbody tr", 5)
  expect_equal(sum(texts_of(page, "#panel-history .crosses .cross") == "×yes"), 6)
  expect_match(text_of(page, "#panel-history"), "A × B.*released.*bob")
  js(page, "document.querySelector('#upto').focus()")
  press(page, "ArrowLeft")
  wait_for_n(page, "#panel-history .crosses tbody tr", 6)
  expect_equal(text_of(page, "#panel-history output"), "0 of 1")
  expect_null(page_faults(page))
})

test_that("property: a past frontier that is too long for a view says so", {
  skip_without_page()
  wide <- hostile_table(40, stem = strrep("long name ", 30))
  server <- local_page_server(wide, server_policy(risk_width(3), plan = FALSE, time_limit_s = .4, tick_s = .5),
                              c(ann = "operator"))
  page <- local_page(server, "#tab=history")
  sign_in(page, server$tokens[["ann"]])
  wait_in_page(page, "document.querySelector('#panel-history caption') !== null")
  n <- js(page, "document.querySelectorAll('#panel-history .crosses tbody tr').length")
  expect_lt(n, 40)
  expect_equal(text_of(page, "#panel-history caption"),
               paste("The released frontier as of then: the first", n, "of 40"))
})

test_that("oracle: what the page saves is what R counts; large tables are saved only", {
  skip_without_page()
  x <- sdc_table(data.frame(A = rep(c("a", "b"), c(9000, 1000)), big = rep(1:2500, 4)),
                 dimVar = c("A", "big"))
  server <- local_page_server(x, czech_policy())
  page <- local_page(server, "#s=v1")
  folder <- withr::local_tempdir()
  save_to(page, folder)
  n_saved <- function() length(list.files(folder, "(csv|json|xml)$"))
  save <- function(label, n) {
    js(page, "[...document.querySelectorAll('.downloads button')].find(
      (button) => button.textContent === %s).click()", label)
    deadline <- Sys.time() + 10
    while (n_saved() < n && Sys.time() < deadline) Sys.sleep(.05)
  }
  wait_for_some(page, ".downloads button")
  formats <- c("CSV with labels", "plain CSV", "JSON-stat", "SDMX-CSV", "SDMX-ML")
  for (i in seq_along(formats)) save(formats[i], i)
  expect_setequal(list.files(folder),
                  paste0("table-A-1.", c("sheet.csv", "csv", "json", "sdmx.csv", "xml")))
  saved <- utils::read.csv(file.path(folder, "table-A-1.csv"))
  expect_equal(saved[[ncol(saved)]], c(9000, 1000))
  expect_match(readLines(file.path(folder, "table-A-1.sdmx.csv"), n = 1), "^DATAFLOW,")
  xml <- readLines(file.path(folder, "table-A-1.xml"), warn = FALSE)
  expect_match(paste(xml, collapse = ""), "GenericData")

  to_hash(page, "#s=v2")
  wait_for_text(page, "#table h2", "big")
  wait_in_page(page, "document.querySelector('#table').textContent.includes(
    'With 2,500 cells, this table is for download only.')")
  save("plain CSV", 6)
  expect_equal(nrow(utils::read.csv(file.path(folder, "table-big-2.csv"))), 2500)
  expect_small_views(page)
  expect_equal(page_errors(page), character())
})

test_that("property: votes are seen and decided on the page, and outside releases recorded", {
  skip_without_page()
  policy <- server_policy(risk_width(3), rule = "value", time_limit_s = .4, tick_s = .5)
  server <- local_page_server(czech_workers, policy, c(ann = "operator", bob = "user"))
  page <- local_page(server, "#s=v1,v2")
  sign_in(page, server$tokens[["bob"]])
  card_says(page, "A × B", "You can ask for this table")
  request_by_click(page)
  card_says(page, "A × B", "This table has your vote")
  to_hash(page, "#s=v1,v2&tab=votes")
  wait_for_text(page, "#panel-votes tbody td", " has your vote")
  expect_false("Outside releases" %in% texts_of(page, "[role=tab]"))
  expect_null(page_faults(page))
  click(page, "#account > button")

  sign_in(page, server$tokens[["ann"]])
  wait_in_page(page, "document.querySelector('#who')?.textContent === 'ann (operator)'")
  to_hash(page, "#s=v1,v2&tab=votes")
  wait_for_some(page, "#panel-votes caption")
  first <- "#panel-votes tbody:first-of-type tr:first-child > *"
  expect_equal(unlist(js(page, "[...document.querySelectorAll(%s)].map((c) => c.textContent)",
                         first))[1:2], c("A × B", "1"))
  expect_null(page_faults(page))
  click(page, "#panel-votes button[type=submit]")
  wait_for_text(page, "#panel-votes .result", "Decided: 1 table. Still waiting: 0 tables.")
  card_says(page, "A × B", given)
  to_hash(page, "#s=v3,v4,v5&tab=record")
  wait_for_text(page, "#record-which", "The table of C × D × E was published elsewhere.")
  js(page, "document.querySelector('#record-note').focus()")
  type_text(page, "yearbook")
  click(page, "#record-sure")
  click(page, "#panel-record button")
  wait_for_text(page, "#panel-record .result", "C × D × E is written down as released.")
  card_says(page, "C × D × E", given)
  expect_null(page_faults(page))
  set_screen(page, 360, 740, FALSE)
  expect_equal(overflow(page), 0)
})
