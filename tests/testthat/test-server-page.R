# The page of the table server, in a real browser against a real server.

czech_policy <- list(risk = quote(risk_width(3)), tick_s = .02)

# Some 8 and 40 variables, with names and levels that would like to be markup.
hostile <- "<img src=x onerror=\"document.title='harm'\">"
hostile_level <- "</td><script>document.title='harm'</script>"

wide_table <- function(k, n = 4000) {
  withr::local_seed(40 + k)
  data <- as.data.frame(lapply(seq_len(k), function(i) {
    sample(paste0("level ", seq_len(2 + i %% 3)), n, replace = TRUE)
  }))
  names(data) <- paste0("Variable_", seq_len(k))
  names(data)[[2]] <- hostile
  data[[2]][1:2000] <- hostile_level
  sdc_table(data, dimVar = names(data))
}

test_that("oracle: the page releases, refuses and shows what R does", {
  skip_without_page()
  server <- local_page_server(czech_workers, czech_policy)
  reference <- table_server(czech_workers, server_policy(risk_width(3)))
  withr::defer(close(reference))
  page <- local_page(server)
  wait_for(page, "document.querySelectorAll('.variable').length === 6")

  click(page, ".variable:nth-child(1)")
  click(page, ".variable:nth-child(2)")
  card_says(page, "A × B", "May be requested")
  expect_equal(request_table(reference, c("A", "B"))$outcome, "released")
  expect_match(request_by_click(page), "^Released")
  expect_true(js(page, "document.activeElement === document.querySelector('#card button.primary')"))
  wait_for(page, "document.querySelector('#table tfoot')")
  truth <- stats::addmargins(as.table(margin(czech_workers, c("A", "B"))))
  rows <- c(shown_table(page), shown_table(page, "tfoot"))
  expect_equal(unname(t(vapply(rows, function(row) numbers_of(row[-1]), numeric(3)))), unname(unclass(truth)),
               ignore_attr = TRUE)
})
