skip_if_no_store()

test_that("property: the slot has room for what the judge may take, or the policy is refused", {
  risk <- risk_width(3)
  for (limit in c(0, .01, .1, 1, 30)) {
    for (rule in c("one_step", "guarded")) {
      policy <- server_policy(risk, rule = rule, time_limit_s = limit)
      judgements <- if (rule == "guarded") 11 else 1
      expect_gte(policy$tick_s, 1.05 * judgements * limit + .05)
      least <- 1.05 * judgements * limit + .05
      expect_identical(server_policy(risk, rule = rule, time_limit_s = limit,
                                     tick_s = least)$tick_s, least)
      expect_error(server_policy(risk, rule = rule, time_limit_s = limit, tick_s = least - 1e-6),
                   "must leave room", class = "sdc_error_input")
    }
  }
  expect_error(server_policy(risk, tick_s = .1), "0.155 s at least")
  expect_error(server_policy(risk, tick_s = 0), class = "sdc_error_input")
  expect_error(server_policy(risk, tick_s = NA), class = "sdc_error_input")
})

# A server whose clock moves only while it judges, as long as each verdict takes; and the slots in
# which its answers leave.
leave_times <- function(takes, verdicts, policy = server_policy(risk_width(3), rule = "myopic")) {
  now <- 0
  service <- local_service(server_of(policy), clock = function() now)
  local_mocked_bindings_store(cpp_judge = function(problem, policy, limits, ...) {
    verdict <- verdicts[[1]]
    verdicts <<- verdicts[-1]
    now <<- now + min(takes[[verdict]], limits$seconds, limits$passing)
    list(answer = if (verdict == "certified") "released" else "refused", reason = verdict,
         risk = list(verdict = verdict, how = "so"))
  })
  sets <- utils::combn(LETTERS[1:6], 2, simplify = FALSE)
  vapply(seq_along(verdicts), function(i) {
    arrival <- now
    leaves <- post_wish(service, sets[[i]])$leave_at
    now <<- now + 10
    leaves - arrival
  }, 0)
}

test_that("property: refuted, undecided and certified requests leave at the same moment", {
  kinds <- c("refuted", "undecided", "certified")
  policy <- server_policy(risk_width(3), rule = "myopic")
  for (seed in seq_len(rounds(3, 5))) {
    withr::local_seed(seed)
    takes <- c(refuted = stats::runif(1, 0, .02), certified = stats::runif(1, 0, .1),
               undecided = Inf)
    times <- leave_times(takes, sample(rep(kinds, 5)))
    expect_equal(times, rep(policy$tick_s, 15))
  }
  # what takes longer than a slot beside the judge leaves at the end of a later one
  expect_equal(cpp_slot_end(10, 10.01, .25), 10.25)
  expect_equal(cpp_slot_end(10, 10.25, .25), 10.25)
  expect_equal(cpp_slot_end(10, 10.26, .25), 10.5)
})

test_that("property: on a machine that stands still the judge ends before its slot does", {
  # each look at the clock finds that a tenth of a second has passed
  now <- 0
  service <- local_service(server_of(server_policy(risk_width(3), rule = "myopic",
                                                   time_limit_s = 1)), clock = function() {
    now <<- now + .1
    now
  })
  given <- NULL
  local_mocked_bindings_store(cpp_judge = function(problem, policy, limits, ...) {
    given <<- c(given, limits$passing)
    list(answer = "refused", reason = "undecided", risk = list(verdict = "undecided", how = "time"))
  })
  answer <- post_wish(service, c("A", "B"))
  expect_identical(answer$json$outcome, "refused")
  expect_lt(given, service$server$policy$tick_s - .05)
  expect_null(service$server$left_s)
  # who asks from R waits as long as it takes
  request_table(service$server, c("A", "C"))
  expect_identical(given[2], Inf)
})

test_that("property: without time on either clock nothing is certified", {
  server <- local_server(policy = server_policy(risk_width(3), rule = "myopic"))
  expect_identical(judge_risk(server, server$now, 1:2)$verdict, "certified")
  server$left_s <- function() 0
  expect_identical(judge_risk(server, server$now, 1:2)[1:2],
                   list(verdict = "undecided", how = "busy"))
  server$left_s <- NULL
  server$policy$time_limit_s <- 0
  expect_identical(judge_risk(server, server$now, 1:2)[1:2],
                   list(verdict = "undecided", how = "time"))
})
