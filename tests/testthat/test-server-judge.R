# A table with cells at risk whose one-way tables may be released; NULL when it is none.
startable <- function(x, beta) {
  if (!any(x %in% 1:2)) {
    return(NULL)
  }
  start <- every_table(x)$width(as.list(seq_along(dim(x))))
  if (start >= beta) lettered_table(as.vector(x), dim(x))
}

said_by <- function(server, set) {
  request_table(server, server$variables[set])
  row <- utils::tail(as.data.frame(server), 1)
  c(outcome = row$outcome, public = row$reason_public,
    private = sub(":.*", "", row$reason_private))
}

test_that("oracle: every answer is that of a judge in plain R that lists all tables", {
  skip_if_no_server()
  withr::local_seed(1)
  policies <- list(
    list(), list(step = "frontier"), list(rule = "myopic"), list(rule = "guarded", max_closed = 0),
    list(rule = "guarded", max_closed = 1), list(rule = "myopic", max_risk_refusals = 1),
    list(rule = "myopic", max_dimension = 2)
  )
  heard <- character()
  n_tables <- 0
  n_wanted <- rounds(7, 210)
  while (n_tables < n_wanted) {
    dim <- list(c(2, 2, 2), c(2, 3), c(3, 2, 1))[[sample(3, 1)]]
    beta <- sample(1:3, 1)
    x <- startable(array(sample(0:3, prod(dim), TRUE, prob = c(.3, .3, .2, .2)), dim), beta)
    if (is.null(x) || sum(x) > 9) next
    n_tables <- n_tables + 1
    policy <- do.call(server_policy, c(list(risk_width(beta), time_limit_s = 60),
                                       policies[[n_tables %% length(policies) + 1]]))
    server <- local_server(x, policy)
    slow <- slow_judge(x, policy)
    k <- length(dim)
    sets <- lapply(sample(2^k - 1, 12, TRUE),
                   function(mask) which(bitwAnd(mask, 2^(seq_len(k) - 1)) > 0))
    for (set in sets) {
      wanted <- slow(set)
      expect_identical(said_by(server, set), wanted)
      heard <- c(heard, paste(wanted[-1], collapse = " "))
    }
  }
  expect_setequal(heard, c("NA NA", "NA certified", "structural NA", "risk refuted", "risk guarded",
                           "risk holds a refused sub-table", "structural refusals are spent"))
})

test_that("property: a judgement changes nothing, and the same state gives the same one", {
  skip_if_no_server()
  for (rule in c("one_step", "myopic", "guarded")) {
    server <- local_server(policy = server_policy(risk_width(20), rule = rule, time_limit_s = 60))
    request_table(server, c("A", "B"))
    before <- as.list.environment(server, all.names = TRUE)
    state <- store_state(server$store)
    sets <- utils::combn(6, 2, simplify = FALSE)
    first <- lapply(sets, function(set) judge_request(server, set, "nothing")(state))
    expect_identical(as.list.environment(server, all.names = TRUE), before)
    expect_identical(store_state(server$store), state)
    again <- lapply(rev(sets), function(set) judge_request(server, set, "nothing")(state))
    expect_identical(rev(again), first)
    expect_true("released" %in% vapply(first, `[[`, "", "outcome"))
  }
})

test_that("oracle: a state carried on is the state made at once", {
  skip_if_no_server()
  server <- local_server(policy = server_policy(risk_width(45), rule = "myopic", time_limit_s = 60))
  withr::local_seed(3)
  for (i in 1:30) {
    request_table(server, server$variables[sort(sample(6, sample(2:6, 1)))])
    at_once <- follow_state(server, store_state(server$store), first_state(6))
    for (part in c("frontier", "refused", "closed")) {
      expect_setequal(at_once[[part]], server$now[[part]])
    }
    expect_identical(at_once[c("n_released", "n_closed", "n_refused", "undecided")],
                     server$now[c("n_released", "n_closed", "n_refused", "undecided")])
  }
  expect_gt(server$now$n_refused, 2)
  expect_gt(server$now$n_released, 2)
})

test_that("property: a mistake of the package is no refusal: the API answers 500", {
  cnd <- expect_error(abort_sdc("internal", "It must hold."), class = "sdc_error_internal")
  expect_s3_class(cnd, "sdc_error")
  expect_identical(problems[[failure_problem(cnd)$kind]][[1]], 500)
})
