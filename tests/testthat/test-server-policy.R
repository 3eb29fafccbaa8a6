test_that("a policy says what it is", {
  expect_snapshot({
    server_policy(risk_width(3))
    server_policy(risk_n(5), rule = "guarded", step = "frontier", max_closed = 3,
                  max_risk_refusals = 20, max_dimension = 4, undecided = "release")
    server_policy(risk_width(3), rule = "envelope", envelope = c("A:B", "C"), origin = "data_free")
  })
})

test_that("snapshot: bad policies", {
  expect_snapshot(error = TRUE, {
    server_policy()
    server_policy(3)
    server_policy(risk_np(3))
    server_policy(risk_width(3), rule = "two_step")
    server_policy(risk_width(3), rule = "envelope")
    server_policy(risk_width(3), envelope = 5)
    server_policy(risk_width(3), envelope = NA_character_)
    server_policy(risk_width(3), envelope = character())
    server_policy(risk_width(3), max_risk_refusals = -1)
    server_policy(risk_width(3), max_risk_refusals = NA)
    server_policy(risk_width(3), max_dimension = 0)
    server_policy(risk_width(3), time_limit_s = -1)
    server_policy(risk_width(3), tick_s = Inf)
    server_policy(risk_width(3), plan = NA)
    server_policy(risk_width(3), levels = 2)
  })
})

test_that("what the store's first row holds of it: all but times", {
  identity <- function(...) {
    sdcLattice:::canonical_json(sdcLattice:::policy_identity(server_policy(risk_width(3), ...), NULL))
  }
  expect_identical(identity(), identity(time_limit_s = 1, tick_s = 1, plan = FALSE))
  others <- c(identity(), identity(rule = "myopic"), identity(step = "frontier"),
              identity(undecided = "release"), identity(max_closed = 1),
              identity(max_risk_refusals = 1), identity(max_dimension = 3))
  expect_false(anyDuplicated(others) > 0)
  by_cells <- function(cells) {
    policy <- server_policy(risk_width(3, cells = cells))
    sdcLattice:::canonical_json(sdcLattice:::policy_identity(policy, NULL))
  }
  one <- by_cells(data.frame(A = "negative", B = "< 3"))
  expect_false(one == by_cells(data.frame(A = "positive", B = "< 3")))
  expect_no_match(one, "negative")
})
