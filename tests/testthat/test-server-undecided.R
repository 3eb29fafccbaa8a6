skip_if_no_store()

outcomes_of <- function(server, sets) {
  vapply(sets, function(set) request_table(server, set)$outcome, "")
}
private_reasons <- function(server) as.data.frame(server)$reason_private

test_that("property: what was refused for want of time may be asked again under a longer limit", {
  place <- local_place()
  policy <- function(limit) server_policy(risk_width(3), rule = "myopic", time_limit_s = limit)
  full <- local_server(policy = policy(5))
  sets <- list(c("A", "B"), c("B", "C", "D"), LETTERS[1:5])
  exact <- outcomes_of(full, sets)
  expect_identical(exact[1:2], c("released", "released"))

  server <- local_server(policy = policy(0), store = place)
  expect_identical(outcomes_of(server, sets), rep("refused", 3))
  expect_match(private_reasons(server)[1], "^undecided: time [(]0 s[)]$")
  # at the same limit it is refused without a look
  expect_identical(outcomes_of(server, sets), rep("refused", 3))
  expect_identical(private_reasons(server)[4:6], rep("holds a refused sub-table", 3))
  close(server)

  server <- local_server(policy = policy(5), store = place)
  expect_identical(outcomes_of(server, sets), exact)
  history <- as.data.frame(server)
  expect_identical(history$outcome, c(rep("refused", 6), exact))
  expect_identical(server$now$frontier, full$now$frontier)
  expect_true(verify_server(server)$verified)
  close(server)
  # a shorter limit takes nothing back, and closes nothing that is out
  server <- local_server(policy = policy(0), store = place)
  expect_identical(outcomes_of(server, sets[1:2]), rep("already", 2))
  expect_identical(server$now$frontier, full$now$frontier)
})

test_that("property: what was proved to be too risky stays refused under any limit", {
  place <- local_place()
  policy <- function(limit) server_policy(risk_width(20), rule = "myopic", time_limit_s = limit)
  server <- local_server(policy = policy(5), store = place)
  expect_identical(request_table(server, LETTERS[1:6])$outcome, "refused")
  expect_identical(private_reasons(server), "refuted")
  close(server)
  server <- local_server(policy = policy(60), store = place)
  expect_identical(request_table(server, LETTERS[1:6])$outcome, "refused")
  expect_identical(server$store$refuted, "3f")
  expect_identical(private_reasons(server), c("refuted", "holds a refused sub-table"))
})

test_that("property: what a busy machine left undecided may be asked again at once", {
  server <- local_server(policy = server_policy(risk_width(3), rule = "myopic", time_limit_s = 5))
  server$left_s <- function() 0
  expect_identical(request_table(server, c("A", "B"))$outcome, "refused")
  expect_identical(private_reasons(server), "undecided: busy")
  server$left_s <- NULL
  expect_identical(request_table(server, c("A", "B"))$outcome, "released")
})

test_that("property: another plan opens what one plan left undecided, the same plan does not", {
  server <- local_server()
  reasons <- c("undecided: time (5 s)", "undecided: time (1 s)", "undecided: busy",
               "undecided: no certificate",
               "undecided: time", "undecided: not refuted; plan 01234567",
               "undecided: no certificate; plan 89abcdef")
  expect_identical(may_ask_again(server, server$now, reasons),
                   c(FALSE, TRUE, TRUE, FALSE, TRUE, TRUE, TRUE))
  server$now$plan <- list(hash = paste0("01234567", strrep("f", 56)))
  server$now$planned <- TRUE
  expect_identical(may_ask_again(server, server$now, reasons),
                   c(TRUE, TRUE, TRUE, TRUE, TRUE, FALSE, TRUE))
  expect_identical(undecided_reason(server, server$now, "not refuted"), reasons[6])
  expect_identical(undecided_reason(server, server$now, "time"),
                   "undecided: time (5 s); plan 01234567")
})

test_that("property: a reader who knows the policy learns nothing from being refused first", {
  x <- sdc_table(as.table(array(c(5, 4, 6, 1, 7, 5, 4, 6), c(2, 2, 2),
                                dimnames = list(a = 1:2, b = 1:2, c = 1:2))))
  place <- local_place()
  policy <- function(limit) server_policy(risk_width(2), rule = "myopic", time_limit_s = limit)
  once <- local_server(x, policy(5))
  request_table(once, c("a", "b"))
  expect_true(is_released(once, 1:2))
  server <- local_server(x, policy(0), store = place)
  request_table(server, c("a", "b"))
  close(server)
  twice <- local_server(x, policy(5), store = place)
  request_table(twice, c("a", "b"))
  expect_identical(twice$now$frontier, once$now$frontier)
  aware <- function(server) audit(server, policy_aware = TRUE)$policy_aware
  expect_gte(aware(twice)$n_policy_aware, aware(once)$n_policy_aware)
  expect_identical(aware(twice)$n_margins_only, aware(once)$n_margins_only)
})
