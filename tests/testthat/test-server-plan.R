# Sparse tables that are too large for exact bounds.
sparse_table <- function(seed, levels = c(4, 3, 5, 3, 4, 3, 4, 4)) {
  set.seed(seed)
  n <- 30000
  kind <- sample(3, n, TRUE)
  codes <- lapply(levels, function(k) pmin(k, 1 + stats::rpois(n, kind / 4)))
  data <- as.data.frame(codes, col.names = paste0("v", seq_along(levels)))
  data[] <- Map(function(code, k) factor(code, seq_len(k)), data, levels)
  sdc_table(data, dimVar = names(data))
}

test_that("oracle: what a plan releases is verified by code that shares nothing with it", {
  skip_if_no_server()
  x <- sparse_table(1)
  place <- local_place()
  policy <- server_policy(risk_width(3), plan_time_s = .5)
  server <- local_server(x, policy, store = place)
  expect_identical(server$now$plan$kind, "plan")
  set.seed(2)
  answers <- ask_until_none(server, 60)
  expect_gt(sum(answers$outcome == "released"), 10)
  check <- verify_release(server_release(server))
  expect_true(check$verified)
  expect_identical(check$how, "certificates")
  # another process has the same plan, and the same answers
  other <- local_server(x, server_policy(risk_width(3), plan_time_s = 0), store = place, seed = 9)
  expect_identical(other$now$plan, server$now$plan)
})

test_that("property: a plan that is damaged in the store is not believed", {
  skip_if_no_server()
  x <- sparse_table(1)
  place <- local_place()
  policy <- server_policy(risk_width(3), plan_time_s = .5)
  server <- local_server(x, policy, store = place)
  kept <- sdcLattice:::read_certificate(server$store, server$now$plan$hash)
  # a plan that would let everything out, under a hash of its own
  all <- sub("\"sets\":\\[[^]]*\\]", "\"sets\":[\"ff\"]", kept$body)
  expect_false(identical(all, kept$body))
  hash <- sdcLattice:::write_certificate(server$store, "plan", all)
  DBI::dbExecute(server$store$con, "UPDATE meta SET value = $1 WHERE key = 'note_plan_0'",
                 params = list(hash))
  expect_null(sdcLattice:::read_plan(server, server$now, hash))
  # whoever starts next makes another
  other <- local_server(x, policy, store = place)
  expect_true(other$now$planned)
  expect_false(other$now$plan$hash == hash)
  expect_true(verify_release(server_release(other))$verified)
  DBI::dbExecute(server$store$con, "UPDATE certificate SET body = 'x'")
  expect_null(sdcLattice:::read_plan(server, server$now, server$now$plan$hash))
})

test_that("oracle: what was released outside of the plan is part of the next one", {
  skip_if_no_server()
  x <- sparse_table(2, c(4, 3, 5, 3, 4, 3, 4, 3, 5, 3))
  place <- local_place()
  policy <- server_policy(risk_width(3), plan_time_s = .2)
  server <- local_server(x, policy, store = place)
  other <- local_server(x, policy, store = place)
  set.seed(3)
  released <- Filter(function(answer) answer$outcome == "released",
                     lapply(sample(open_requests(server), 4), function(set) {
                       request_table(server, server$variables[set])
                     }))
  expect_gt(length(released), 0)
  before <- server$now$plan$sets
  outside <- Filter(function(set) {
    !sdcLattice:::fits_plan(server$now$plan, list(set)) &&
      sdcLattice:::is_safe_alone(server$problem, set)
  }, utils::combn(10, 2, simplify = FALSE))
  expect_gt(length(outside), 0)
  found <- NULL
  for (set in outside) {
    found <- tryCatch(
      release_reducible(x, risk_width(3), seed = 1, time_limit_s = .2, progress = FALSE,
                        forced = c(server_release(server)$frontier,
                                   sdcLattice:::set_labels(list(set), server$variables))),
      sdc_error_infeasible = function(cnd) NULL
    )
    if (!is.null(found)) break
  }
  expect_s3_class(found, "sdc_release")
  expect_no_warning(record_release(server, list(server$variables[set])))
  expect_true(server$now$planned)
  expect_false(identical(server$now$plan$sets, before))
  # the other process follows, and so does one that starts later
  answers <- ask_until_none(other, 20)
  expect_identical(other$now$plan, server$now$plan)
  expect_gt(sum(answers$outcome == "released"), 0)
  last <- local_server(x, policy, store = place)
  expect_identical(last$now$plan, server$now$plan)
  for (at in list(other, last)) {
    check <- verify_release(server_release(at))
    expect_true(check$verified)
    expect_identical(check$how, "certificates")
  }
})

test_that("property: what cannot be certified with what is out ends the use of plans", {
  skip_if_no_server()
  x <- sparse_table(1)
  server <- local_server(x, server_policy(risk_width(3), plan_time_s = .5))
  expect_true(server$now$planned)
  unsafe <- Filter(function(set) !sdcLattice:::is_safe_alone(server$problem, set),
                   utils::combn(8, 5, simplify = FALSE))[[1]]
  expect_warning(record_release(server, list(server$variables[unsafe])),
                 class = "sdc_warning_unsafe")
  expect_false(server$now$planned)
  for (set in utils::head(open_requests(server), 5)) {
    expect_identical(request_table(server, server$variables[set])$outcome, "refused")
  }
})

test_that("property: what lies outside of a plan is not released undecided while it can be refuted",
          {
  skip_if_no_server()
  # of A:B and C all bounds are known in closed form; only a plan was asked before
  local_mocked_bindings_store(max_exact_cells = 6)
  x <- lettered_table(c(0, 2, 6, 0, 0, 0, 0, 0), c(2, 2, 2))
  server <- local_server(x, server_policy(risk_width(2), rule = "myopic", undecided = "release",
                                          time_limit_s = 5, plan_time_s = .5))
  expect_false(is.null(server$now$plan))
  expect_false(sdcLattice:::fits_plan(server$now$plan, list(1:2)))
  expect_lt(every_table(x)$width(list(1:2, 3)), 2)
  expect_identical(request_table(server, c("A", "B"))$outcome, "refused")
  expect_match(as.data.frame(server)$reason_private, "refuted")
})
