# The page as the public sees it: a server with metadata, in two languages, by one browser.

czech_words <- function() {
  file <- system.file("extdata", "czech-workers.yml", package = "sdcLattice")
  server_metadata(file, czech_workers)
}

given <- "You can have this table now"
lost <- "This table cannot be given"

# Two users and an operator; at this width some tables are refused.
public_server <- function(frame = parent.frame()) {
  policy <- server_policy(risk_width(30), time_limit_s = 1, tick_s = 1.2)
  local_page_server(czech_workers, policy, c(bob = "user", ann = "operator"), czech_words(),
                    frame = frame)
}

# Without a token the page asks who looks and is told 401; what the browser says of that is over when
# the form is there, and is forgotten.
local_form <- function(server, frame = parent.frame()) {
  page <- local_page(server, frame = frame)
  wait_in_page(page, "document.activeElement.id === 'token'")
  until <- Sys.time() + 20
  while (length(page_errors(page)) == 0 && Sys.time() < until) Sys.sleep(.02)
  expect_match(page_errors(page), "401")
  page$events <- list()
  page
}

# Signed in without the form, at an address below the page.
come_as <- function(page, server, user, address) {
  js(page, "sessionStorage.setItem('sdc-token', %s)", server$tokens[[user]])
  visit(page, "about:blank")
  visit(page, paste0(server$address, address))
  wait_in_page(page, "!document.querySelector('#main').hidden")
  wait_for_settled(page)
}

wait_for_settled <- function(page) {
  wait_in_page(page, "document.querySelector('#card .reason')?.textContent &&
    !document.querySelector('[aria-busy]')")
}

# Both checks find nothing, and nothing is wider than the page.
expect_accessible <- function(page, state) {
  expect_null(axe_faults(page), info = state)
  expect_null(page_faults(page), info = state)
  expect_equal(overflow(page), 0, info = state)
}

open_all <- function(page) {
  js(page, "document.querySelectorAll('details').forEach((details) => (details.open = true))")
  wait_for_settled(page)
}

published_hash_of <- function(x, variables) {
  sdcLattice:::table_fingerprint(margin(sdc_table(x), variables))
}

choose_option <- function(page, id, value) {
  js(page, "(() => { const s = document.getElementById(%s); s.value = %s;
    s.dispatchEvent(new Event('change')); })()", id, value)
}

test_that("property: all states of the page are accessible, in both languages and on a phone", {
  skip_without_page()
  skip_if_not_installed("yaml")
  skip_without_axe()
  server <- public_server()
  page <- local_page(server, "?lang=en")
  wait_in_page(page, "document.activeElement.id === 'token'")
  expect_accessible(page, "sign in")

  come_as(page, server, "bob", "?lang=en")
  expect_equal(js(page, "document.documentElement.lang"), "en")
  open_all(page)
  expect_accessible(page, "start, all drawers open")
  to_hash(page, "#s=v1,v4,v5")
  card_says(page, "Heart disease in the family × Hard physical work × Hard mental work",
            "You can ask for this table step by step")
  click(page, "#card button.primary")
  wait_in_page(page, "document.querySelector('#card .result').textContent.startsWith('Stopped')")
  wait_for_settled(page)
  expect_accessible(page, "refused after a step")
  to_hash(page, "#s=v1,v4")
  wait_for_some(page, "#table tfoot")
  open_all(page)
  choose_option(page, "chart", "pyramid")
  expect_accessible(page, "a table with a pyramid, all drawers open")

  set_screen(page, 360, 740, dark = TRUE)
  come_as(page, server, "bob", "?lang=de#s=v1,v4&tab=lattice")
  expect_equal(js(page, "document.documentElement.lang"), "de")
  wait_for_some(page, "#table tfoot")
  open_all(page)
  expect_accessible(page, "German, narrow and dark")

  set_screen(page)
  for (tab in c("what-if", "history", "policy", "frontier", "levels")) {
    come_as(page, server, "ann", paste0("?lang=de#s=v1,v2&tab=", tab))
    wait_for_some(page, "[role=tabpanel]:not([hidden]):not([aria-busy]) > div > *")
    expect_accessible(page, paste("operator,", tab))
    if (tab == "policy") {
      expect_match(text_of(page, "#panel-policy dl"),
                   "Jede Zelle mit der Anzahl 1 oder 2 behält ein Intervall der Breite 30 oder mehr.")
    }
  }
  # but for the first visit, without a token
  expect_match(page_errors(page), "401")
})

test_that("oracle: one click asks for all steps; a refusal is said wherever its table is named", {
  skip_without_page()
  skip_if_not_installed("yaml")
  server <- public_server()
  page <- local_form(server)
  come_as(page, server, "bob", "?lang=en#s=v1,v2,v3,v4")
  expect_match(text_of(page, "#card .reason"), "It takes 3 steps")
  # by the keyboard alone
  js(page, "document.querySelector('#card button.primary').focus()")
  press(page, "Enter")
  wait_for_text(page, "#card .result", "Released. The table is below.")
  expect_equal(n_of(page, ".steps li .icon-released"), 3)
  expect_equal(js(page, "document.querySelector('progress').value"), 3)
  wait_for_some(page, "#table tfoot")

  to_hash(page, "#s=v1,v4,v5")
  wait_for_settled(page)
  wait_in_page(page, "document.querySelector('#card .status').dataset.status === 'open'")
  expect_match(request_by_click(page), "^Refused")
  refused <- "This table cannot be given"
  name <- "Heart disease in the family × Hard physical work × Hard mental work"
  card_says(page, name, refused)
  expect_true(all(c("released", "can be asked for") %in%
    sub(".*: ", "", texts_of(page, "#card .block .pill"))))
  # the card again, after a reload; the list by size; the requests
  come_as(page, server, "bob", "?lang=en#s=v1,v4,v5&tab=levels")
  card_says(page, name, refused)
  wait_for_some(page, ".levels tbody tr button")
  click(page, ".levels tbody tr:first-child button")
  wait_in_page(page, "document.querySelector('.levels .list li')?.textContent === %s",
               paste0(name, ": refused"))
  click(page, "#requests > summary")
  wait_for_some(page, "#requests tbody tr")
  expect_match(text_of(page, "#requests tbody tr:first-child"), "Refused: it cannot be given")
  expect_equal(page_errors(page), character())
})

test_that("oracle: filters, percentages and pictures are those of the released counts", {
  skip_without_page()
  skip_if_not_installed("yaml")
  server <- public_server()
  page <- local_form(server)
  come_as(page, server, "bob", "?lang=de#s=v4,v6")
  expect_match(request_by_click(page), "^Freigegeben")
  wait_for_some(page, "#table tfoot")
  truth <- stats::addmargins(as.table(margin(czech_workers, c("D", "F"))))
  shown <- function() {
    rows <- c(shown_table(page), shown_table(page, "tfoot"))
    texts <- unlist(lapply(rows, `[`, -1))
    as.numeric(gsub("[^0-9,]", "", texts) |> sub(pattern = ",", replacement = "."))
  }
  by_row <- function(x) as.numeric(t(x))
  expect_equal(shown(), by_row(truth))
  expect_match(text_of(page, "#table tfoot"), "1.841", fixed = TRUE)
  total <- truth[3, 3]
  choose_option(page, "shares", "row")
  expect_equal(shown(), by_row(round(100 * truth / truth[, 3], 1)))
  choose_option(page, "shares", "column")
  expect_equal(shown(), by_row(round(100 * t(t(truth) / truth[3, ]), 1)))
  choose_option(page, "shares", "all")
  expect_equal(shown(), by_row(round(100 * truth / total, 1)))

  # bars are as long as the counts say; the picture has a name and a description
  lengths <- function() {
    unlist(js(page, "[...document.querySelectorAll('.chart rect')].map(
      (bar) => Number(bar.getAttribute('width')))"))
  }
  counts <- by_row(truth[1:2, 1:2])
  expect_equal(lengths() / max(lengths()), counts / max(counts), tolerance = 1e-6)
  choose_option(page, "chart", "pyramid")
  counts <- by_row(truth[2:1, 1:2])
  expect_equal(lengths() / max(lengths()), counts / max(counts), tolerance = 1e-6)
  expect_equal(text_of(page, "#chart-title"), "Pyramide: Schwere körperliche Arbeit und Rauchen")

  choose_option(page, "shares", "counts")
  click(page, ".filters summary")
  click(page, ".filter:first-child .filter-item:nth-of-type(1)")
  rows <- stats::addmargins(truth[2, 1:2, drop = FALSE], 1)
  expect_equal(shown(), by_row(cbind(rows, rowSums(rows))))
  expect_match(text_of(page, "#table caption"), "Nur einige Kategorien")

  # the citation has what tells the table from all others
  text <- js(page, "document.querySelector('#citation').value")
  hash <- published_hash_of(czech_workers, c("D", "F"))
  expect_match(text, hash, fixed = TRUE)
  expect_match(text, "Herzrisiken von Automobilarbeitern: Schwere körperliche Arbeit × Rauchen")
  link <- js(page, "document.querySelector('#permanent').href")
  expect_equal(link, paste0(server$address, "#s=v4,v6"))
  visit(page, link)
  wait_for_some(page, "#table tfoot")
  expect_equal(page_errors(page), character())
})

test_that("property: topics and search find variables; categories are shown before asking", {
  skip_without_page()
  skip_if_not_installed("yaml")
  server <- local_page_server(czech_workers, server_policy(risk_width(3), tick_s = .5),
                              metadata = czech_words())
  page <- local_page(server, "?lang=de")
  wait_for_n(page, ".variable", 6)
  expect_equal(js(page, "document.title"), "Herzrisiken von Automobilarbeitern")
  choose_option(page, "topic", "1")
  expect_equal(texts_of(page, ".variable:not([hidden]) .variable-name"),
               c("Schwere körperliche Arbeit", "Schwere geistige Arbeit"))
  choose_option(page, "topic", "")
  js(page, "document.querySelector('#search').focus()")
  type_text(page, "blut")
  expect_equal(text_of(page, "output"), "2 von 6 gezeigt")
  press(page, c("ArrowDown", "Tab", "Enter"))
  wait_for_n(page, ".categories li", 2)
  expect_equal(texts_of(page, ".categories li"), c("unter 3", "3 und mehr"))
  # the other language, with the selection
  to_hash(page, "#s=v6")
  click(page, ".languages button:first-child")
  card_says(page, "Smoking", "You can have this table now")
  expect_equal(js(page, "document.documentElement.lang"), "en")
  wait_for_some(page, "#table tfoot")
  # what has the focus shows it
  press(page, "Tab")
  expect_true(js(page, "getComputedStyle(document.activeElement).outlineStyle !== 'none'"))
  expect_equal(page_errors(page), character())
})

test_that("oracle: variables have levels to choose; one click takes the finest table near", {
  skip_without_page()
  skip_if_not_installed("yaml")
  withr::local_seed(1)
  groups <- c(a1 = "10-19", a2 = "10-19", a3 = "20-29", a4 = "20-29")
  people <- data.frame(
    age = sample(names(groups), 400, TRUE), sex = sample(c("f", "m"), 400, TRUE),
    job = sample(letters[1:4], 400, TRUE, c(.6, .3, .08, .02))
  )
  x <- sdc_table(people, c("age", "sex", "job"), hierarchies = list(age = groups))
  file <- withr::local_tempfile(fileext = ".yml", lines = c(
    "title: People", "variables:", "  age:", "    label: Age", "    levels: {level 1: decades}"
  ))
  policy <- server_policy(risk_width(3), rule = "myopic", time_limit_s = 1, tick_s = 1.2)
  server <- local_page_server(x, policy, metadata = server_metadata(file, x))
  page <- local_page(server, "?lang=en")
  wait_for_n(page, ".variable", 3)
  expect_equal(texts_of(page, ".level option"), c("as fine as possible", "decades"))
  click(page, ".variable:nth-child(1) input")
  card_says(page, "Age", given)
  choose_option(page, "level-of-v2", "v1")
  card_says(page, "Age (decades)", given)
  wait_in_page(page, "document.querySelector('#table tbody')?.textContent.includes('10-19')")
  truth <- table(groups[people$age])
  rows <- shown_table(page)
  expect_equal(numbers_of(vapply(rows, `[[`, "", 2)), as.numeric(truth))

  to_hash(page, "#s=v2,v3,v4")
  card_says(page, "Age × sex × job", "You can ask for this table")
  expect_match(request_by_click(page), "^Refused")
  card_says(page, "Age × sex × job", lost)
  if (!is.null(axe_file())) expect_accessible(page, "coarser tables")
  # what R takes for the same request, in the same order
  reference <- local_server(x, server_policy(risk_width(3), rule = "myopic"))
  taken <- request_table(reference, c("age", "sex", "job"), if_refused = "coarser")
  click(page, ".asking button:not(.primary)")
  names <- sub("^age$", "Age", sub("^age@level 1$", "Age (decades)", taken$parts[[1]]))
  card_says(page, paste(names, collapse = " × "), given)
  expect_equal(page_errors(page), character())
})
