test_that("snapshot: a policy says what it is", {
  expect_snapshot({
    server_policy(risk_width(3))
    server_policy(risk_n(5), rule = "guarded", step = "frontier", max_closed = 3,
                  max_risk_refusals = 20, max_dimension = 4, undecided = "release")
    server_policy(risk_width(3), rule = "envelope", envelope = c("A:B", "C"), origin = "data_free")
    server_policy(risk_width(3), rule = "envelope")
  })
})

test_that("snapshot: bad policies", {
  expect_snapshot(error = TRUE, {
    server_policy()
    server_policy(3)
    server_policy(risk_np(3))
    server_policy(risk_width(3), rule = "two_step")
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

test_that("property: what the store's first row holds of it: all but times", {
  identity <- function(...) {
    sdcLattice:::canonical_json(sdcLattice:::policy_identity(server_policy(risk_width(3), ...),
                                                             NULL))
  }
  expect_identical(identity(), identity(time_limit_s = 1, tick_s = 2, plan = FALSE))
  others <- c(identity(), identity(rule = "myopic"), identity(step = "frontier"),
              identity(undecided = "release"), identity(max_closed = 1),
              identity(max_risk_refusals = 1), identity(max_dimension = 3))
  expect_false(anyDuplicated(others) > 0)
  by_cells <- function(at) {
    policy <- server_policy(risk_width(3, cells = data.frame(A = "negative", B = "< 3")))
    sdcLattice:::canonical_json(sdcLattice:::policy_identity(policy, NULL, at))
  }
  expect_false(by_cells(1:2) == by_cells(2:3))
  expect_no_match(by_cells(1:2), "negative")
})

test_that("property: a store is opened again with the same cells, however they are named", {
  skip_if_no_server()
  x <- lettered_table(c(3, 1, 2, 4, 2, 3, 3, 2), c(2, 2, 2))
  place <- local_place()
  open <- function(cells) {
    close(table_server(x, server_policy(risk_width(1, cells = cells)), store = place))
  }
  cells <- matrix(c(1, 2, 2, 1, 1, 2), 2)
  open(cells)
  expect_silent(open(cells[2:1, ]))
  expect_silent(open(data.frame(C = factor(c("c2", "c1")), A = c("a2", "a1"), B = c("b1", "b2"))))
  expect_error(open(cells[1, , drop = FALSE]), class = "sdc_error_server")
})
