# Sparse tables that are too large for exact bounds.
sparse_table <- function(seed) {
  set.seed(seed)
  n <- 30000
  levels <- c(4, 3, 5, 3, 4, 3, 4, 4)
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
  policy <- server_policy(risk_width(3), plan_time_s = 2)
  server <- local_server(x, policy, store = place)
  expect_identical(server$plan$kind, "plan")
  set.seed(2)
  answers <- ask_until_none(server, 60)
  expect_gt(sum(answers$outcome == "released"), 10)
  check <- verify_release(server_release(server))
  expect_true(check$verified)
  expect_identical(check$how, "certificates")
  # another process has the same plan, and the same answers
  other <- local_server(x, server_policy(risk_width(3), plan_time_s = 0), store = place, seed = 9)
  expect_identical(other$plan, server$plan)
})

test_that("a plan that is damaged in the store is not believed", {
  skip_if_no_server()
  x <- sparse_table(1)
  place <- local_place()
  policy <- server_policy(risk_width(3), plan_time_s = 2)
  server <- local_server(x, policy, store = place)
  kept <- sdcLattice:::read_certificate(server$store, server$plan$hash)
  # a plan that would let everything out, under a hash of its own
  all <- sub("\"sets\":\\[[^]]*\\]", "\"sets\":[\"ff\"]", kept$body)
  expect_false(identical(all, kept$body))
  hash <- sdcLattice:::write_certificate(server$store, "plan", all)
  DBI::dbExecute(server$store$con, "UPDATE meta SET value = $1 WHERE key = 'note_plan'",
                 params = list(hash))
  expect_null(sdcLattice:::read_plan(server, rlang::current_env()))
  DBI::dbExecute(server$store$con, "UPDATE certificate SET body = 'x'")
  expect_null(sdcLattice:::read_plan(server, rlang::current_env()))
})

test_that("what was released outside of the plan ends its use", {
  skip_if_no_server()
  x <- sparse_table(1)
  server <- local_server(x, server_policy(risk_width(3), plan_time_s = 2))
  expect_true(server$planned)
  outside <- Filter(function(set) !sdcLattice:::is_planned(server, set),
                    utils::combn(8, 4, simplify = FALSE))[[1]]
  suppressWarnings(record_release(server, list(names(dimnames(as.table(x)))[outside])))
  expect_false(server$planned)
  for (set in utils::head(open_requests(server), 5)) {
    answer <- request_table(server, server$variables[set])
    if (answer$outcome == "released") expect_true(sdcLattice:::verify_server(server)$verified)
  }
})
