skip_if_no_store()

# Servers of all rules, after some requests; with names that could be taken for ids.
servers_of_all_rules <- function(frame = parent.frame()) {
  policies <- list(
    server_policy(risk_width(3)), server_policy(risk_width(3), step = "frontier"),
    server_policy(risk_width(3), rule = "myopic"), server_policy(risk_width(3), rule = "myopic", max_dimension = 3),
    server_policy(risk_width(3), rule = "guarded", max_dimension = 2),
    server_policy(risk_width(3), rule = "value"),
    server_policy(risk_width(3), rule = "envelope", envelope = c("A:B:C", "D:E")),
    server_policy(risk_width(3), envelope = c("A:B:C", "D:E", "C:D"), origin = "data_free"),
    server_policy(risk_width(3), step = "frontier", envelope = c("A:B:C", "D:E", "C:D"))
  )
  lapply(policies, function(policy) {
    server <- server_of(policy, frame = frame)
    for (set in c("A:B", "B:C", "A:C", "A:B:C", "D:E", "B:F", "A:B:C:D", "B:C:F", "A:B:C:D:E:F")) {
      request_table(server, set)
    }
    if (policy$rule == "value") decide_votes(server, 3)
    refresh_server(server)
  })
}

all_sets <- function(k) lapply(seq_len(2^k) - 1, function(mask) which(bitwAnd(mask, 2^(seq_len(k) - 1)) > 0))

test_that("oracle: states of many sub-tables are those that the server says of each", {
  sets <- all_sets(6)
  for (server in servers_of_all_rules()) {
    states <- set_states(server, sets)
    expect_identical(states == "released", vapply(sets, is_released, NA, server = server))
    expect_identical(states == "open", vapply(sets, is_eligible, NA, server = server))
    for_operators <- set_states(server, sets, operator = TRUE)
    refused <- states != "released" & vapply(sets, holds_any, NA, sets = server_refused(server))
    expect_identical(for_operators, ifelse(refused, "refused", states))
    letters <- c(released = "r", open = "o", closed = "c", refused = "u")
    expect_identical(view_lattice(server, FALSE)$status, paste(letters[states], collapse = ""))
    expect_identical(view_lattice(server, TRUE)$status,
                     paste(letters[for_operators], collapse = ""))
  }
})

# All pages of a list, of few items each.
walked <- function(server, chips, dimension, status, operator, limit = 4) {
  ids <- character()
  after <- NULL
  repeat {
    page <- view_space(server, chips, dimension, status, after, limit, operator)
    ids <- c(ids, vapply(page$items, `[[`, "", "id"))
    if (is.null(page$`next`)) break
    after <- id_set(server, page$`next`)
  }
  expect_false(anyDuplicated(ids) > 0)
  ids
}

test_that("oracle: levels and lists agree with the states of all sub-tables", {
  sets <- all_sets(6)
  size <- lengths(sets)
  for (server in servers_of_all_rules()) {
    for (operator in c(FALSE, TRUE)) {
      states <- set_states(server, sets, operator)
      for (chips in rounds(list(integer(), c(2L, 3L)), list(integer(), 2L, c(2L, 3L), 1:6))) {
        holds <- vapply(sets, function(set) all(chips %in% set), NA)
        levels <- view_levels(server, chips, operator)$levels
        expect_identical(vapply(levels, `[[`, 0, "dimension"), as.numeric(length(chips):6))
        for (level in levels) {
          here <- holds & size == level$dimension
          expect_equal(level$total, sum(here))
          expect_equal(level$released, sum(states[here] == "released"))
          expect_equal(level$open, sum(states[here] == "open"))
          expect_identical(is.null(level$refused), !operator)
          if (operator) expect_equal(level$refused, sum(states[here] == "refused"))
        }
        if (!operator) {
          counted <- count_levels(server, chips, FALSE, laid_out = FALSE)
          expect_equal(counted$released, tabulate(size[holds & states == "released"] + 1, 7))
          expect_equal(as.numeric(counted$open), tabulate(size[holds & states == "open"] + 1, 7))
        }
        for (dimension in rounds(3, c(2, 3, 6))) {
          for (status in c(space_states, if (operator) "refused")) {
            here <- holds & size == dimension & (status == "all" | states == status)
            expect_setequal(walked(server, chips, dimension, status, operator),
                            encode_masks(sets[here], 6))
          }
        }
      }
    }
  }
})

test_that("property: a card says what is near", {
  server <- server_of()
  for (set in c("A:B", "B:C", "A:C", "A:B:C")) request_table(server, set)
  refresh_server(server)
  card <- view_card(server, c(1, 4, 5), NULL)
  expect_identical(card[c("id", "status", "dimension", "cells")],
                   list(id = "19", status = "closed", dimension = 3L, cells = 8))
  expect_match(card$reason, "one variable")
  expect_identical(vapply(card$parts, `[[`, "", "id"), c("01", "08", "10"))
  expect_identical(card$out_with, list())
  expect_identical(card$can_add, list())
  # what leads there, one step after the other
  steps <- function(set) vapply(view_card(server, set, NULL)$steps, `[[`, "", "id")
  expect_identical(steps(c(1, 4, 5)), c("09", "11", "18"))
  expect_identical(steps(1:5), c("0f", "17"))
  expect_identical(view_card(server, c(1, 2, 4), NULL)$steps, list())
  out <- view_card(server, c(1, 2), NULL)
  expect_identical(out$status, "released")
  expect_identical(vapply(out$out_with, `[[`, "", "id"), "07")
  expect_identical(vapply(out$can_add, `[[`, "", "name"), c("C", "D", "E", "F"))
  expect_identical(vapply(out$can_add, `[[`, "", "status"), c("released", "open", "open", "open"))
  open <- view_card(server, c(1, 4), NULL)
  expect_identical(open$status, "open")
  expect_null(open$reason)
})

test_that("property: a user's own last answer is on the card, and nobody else's", {
  service <- local_service(server_of(server_policy(risk_width(6), rule = "myopic")))
  expect_identical(post_wish(service, LETTERS[1:6])$json$reason, "risk")
  own <- api_get(service, "/v1/card?variables=A,B,C,D,E,F")$json
  expect_identical(own$asked[c("outcome", "reason")], list(outcome = "refused", reason = "risk"))
  other <- api_get(service, "/v1/card?variables=A,B,C,D,E,F", as = "bob")$json
  expect_null(other$asked)
  expect_identical(other$status, "open")
  expect_identical(api_get(service, "/v1/card?variables=A,B,C,D,E,F", as = "olga")$json$status,
                   "open")
})

test_that("property: users see the same whatever was refused to others", {
  policy <- server_policy(risk_width(6), rule = "myopic")
  told <- lapply(c(FALSE, TRUE), function(refused) {
    service <- local_service(server_of(policy))
    post_wish(service, c("A", "B"), as = "bob")
    if (refused) post_wish(service, LETTERS[1:6], as = "bob")
    expect_identical(length(service$server$now$refused) > 0, refused)
    addresses <- c("/v1/policy", "/v1/structure", "/v1/levels", "/v1/levels?variables=A",
                   "/v1/lattice", "/v1/frontier",
                   "/v1/card?variables=A,B,C,D,E,F", "/v1/card?variables=A,B,C,D,E", "/v1/requests",
                   paste0("/v1/space?dimension=", 0:6), "/v1/space?dimension=5&status=open")
    lapply(addresses, function(address) api_get(service, address)$text)
  })
  expect_identical(told[[1]], told[[2]])
})

test_that("property: every table that any route shows is in the ledger, or one-way", {
  service <- local_service()
  for (set in list(c("A", "B"), c("B", "C"), c("A", "B", "C"), c("D", "E"),
                   LETTERS[1:4])) post_wish(service, set)
  ledger <- as.data.frame(service$server)
  out <- c(as.list(1:6), decode_masks(ledger$mask[ledger$outcome == "released"], 6))
  shown <- c(
    vapply(all_items(service, "/v1/tables?limit=3"), `[[`, "", "id"),
    vapply(all_items(service, "/v1/frontier?limit=2"), `[[`, "", "id"),
    unlist(lapply(0:6, function(d) {
      vapply(all_items(service, paste0("/v1/space?status=released&limit=2&dimension=", d)), `[[`,
             "", "id")
    }))
  )
  for (set in c("A", "A,B", "A,B,D", "C,F")) {
    card <- api_get(service, paste0("/v1/card?variables=", set))$json
    shown <- c(shown, vapply(c(card$out_with, card$parts), `[[`, "", "id"))
  }
  expect_true(all(vapply(decode_masks(shown, 6), is_inside, NA, sets = out)))
  can_be_had <- vapply(encode_masks(all_sets(6), 6), function(id) {
    api_get(service, paste0("/v1/tables/", id, "/data"))$status == 200
  }, NA)
  expect_identical(unname(can_be_had), vapply(all_sets(6), is_inside, NA, sets = out))
  expect_setequal(vapply(all_items(service, "/v1/tables"), `[[`, "", "id"), encode_masks(out, 6))
})

all_items_of <- function(service, address, name) {
  items <- list()
  cursor <- 0
  while (!is.null(cursor)) {
    page <- api_get(service, paste0(address, "&cursor=", cursor))$json
    items <- c(items, page[[name]])
    cursor <- page$`next`
  }
  items
}

test_that("property: lists go on by their cursors, while more is released", {
  service <- local_service()
  for (set in list(c("A", "B"), c("B", "C"))) post_wish(service, set)
  first <- api_get(service, "/v1/tables?limit=7")
  expect_match(first$headers[["Link"]], "^<[?]limit=7&cursor=7>; rel=\"next\"$")
  post_wish(service, c("C", "D"))
  second <- api_get(service, "/v1/tables?limit=7&cursor=7")$json
  expect_identical(vapply(second$items, `[[`, "", "id"), c("06", "0c"))
  expect_null(second$`next`)
  expect_identical(vapply(c(first$json$items, second$items), `[[`, 0L, "release_no"),
                   c(rep(0L, 6), 1:3))
  expect_identical(api_get(service, "/v1/tables?cursor=50")$json,
                   list(items = list(), `next` = NULL))
  for (i in 1:5) post_wish(service, c("A", "F"), key = paste0("k", i))
  own <- all_items(service, "/v1/requests?limit=2")
  expect_identical(vapply(own, `[[`, 0L, "seq"), 8:1)
  all <- all_items(service, "/v1/decisions?limit=3", as = "olga")
  expect_identical(vapply(all, `[[`, 0L, "seq"), 8:1)
  levels <- all_items_of(service, "/v1/structure/v1?limit=1", "levels")
  expect_identical(unlist(levels), dimnames(as.table(czech_workers))[[1]])
})

test_that("property: operators see decisions, what-if, history, audit and metrics", {
  service <- local_service(server_of(server_policy(risk_width(6), rule = "myopic")))
  post_wish(service, c("A", "B"))
  post_wish(service, LETTERS[1:6])
  decisions <- api_get(service, "/v1/decisions", as = "olga")$json$items
  expect_identical(vapply(decisions, `[[`, "", "outcome"), c("refused", "released"))
  expect_identical(decisions[[1]]$user, "ann")
  what <- api_get(service, "/v1/what-if?variables=A,C", as = "olga")$json
  expect_identical(what$verdict, "certified")
  expect_identical(vapply(what$released, `[[`, "", "id"), "05")
  expect_identical(service$server$store$seq, 2)
  then <- api_get(service, "/v1/history?upto=0", as = "olga")$json
  expect_identical(then[c("upto", "last")], list(upto = 0L, last = 2L))
  expect_identical(length(then$frontier), 6L)
  now <- api_get(service, "/v1/history", as = "olga")$json
  expect_identical(now$counts, list(decisions = 2L, releases = 1L, refused_for_risk = 1L,
                                    maximal_sub_tables = 5L,
                                    released_sub_tables = 7L))
  audit <- api_get(service, "/v1/audit", as = "olga")$json
  expect_true(audit$verified)
  expect_identical(audit$ledger$hash, service$server$store$hash)
  expect_true(api_get(service, "/v1/metrics", as = "olga")$json$resident_bytes > 1e6)
})

test_that("property: ids of variables are never the name of another", {
  expect_identical(variable_ids(c("A", "B")), c("v1", "v2"))
  expect_identical(variable_ids(c("v1", "v2")), c("v1", "v2"))
  expect_identical(variable_ids(c("v2", "v1")), c("v_1", "v_2"))
  expect_identical(variable_ids(c("v2", "v_1", "v_3")), c("v__1", "v__2", "v__3"))
})

test_that("property: tables about one release, and their parts", {
  service <- local_service()
  for (set in list(c("A", "B"), c("B", "C"), c("A", "C"), c("A", "B", "C"))) post_wish(service, set)
  expect_identical(api_get(service, "/v1/tables/01")$json$release_no, 0L)
  expect_null(api_get(service, "/v1/tables/01")$json$at)
  expect_identical(api_get(service, "/v1/tables/06")$json$release_no, 2L)
  whole <- api_get(service, "/v1/tables/07")$json
  expect_identical(whole$release_no, 4L)
  expect_identical(whole$table_hash, table_fingerprint(margin(czech_workers, c("A", "B", "C"))))
  total <- api_get(service, "/v1/tables/00/data?format=json")$json
  expect_identical(total$value, list(1841L))
  expect_identical(api_get(service, "/v1/tables/00/data?format=sdmx-ml")$status, 200)
})

test_that("property: the structure, also as SDMX", {
  service <- local_service()
  structure <- api_get(service, "/v1/structure")$json
  expect_identical(structure$n_cells, 64L)
  expect_identical(vapply(structure$variables, `[[`, "", "id"), paste0("v", 1:6))
  sdmx <- api_get(service, "/v1/structure", headers = list(accept = structure_media_type))
  expect_identical(sdmx$headers[["Content-Type"]], structure_media_type)
  expect_match(sdmx$text, "Structure")
  expect_problem(api_get(service, "/v1/structure", headers = list(accept = "text/html")), 406,
                 "not_acceptable")
})

test_that("property: what is offered follows the Accept header", {
  pick <- function(accept) negotiate(accept, table_formats)
  expect_identical(pick(NULL), "csv")
  expect_identical(pick("*/*"), "csv")
  expect_identical(pick("application/*"), "json")
  expect_identical(pick("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), "csv")
  expect_identical(pick("application/json;q=0.5, text/csv;q=0.4"), "json")
  expect_identical(pick("text/csv;q=0, */*"), "json")
  expect_identical(pick("APPLICATION/VND.SDMX.GENERICDATA+XML; version=2.1"), "sdmx-ml")
  expect_error(pick("image/png"), class = "sdc_problem")
  expect_error(pick("text/csv;q=0"), class = "sdc_problem")
})

test_that("property: forty variables: no view weighs more than 10 kB, nor takes long", {
  k <- 40
  names <- paste("A variable with a name of some length", 1:k)
  set.seed(1)
  data <- as.data.frame(matrix(sample(1:3, 400 * k, TRUE), 400, k))
  names(data) <- names
  x <- sdc_table(data, dimVar = names)
  service <- local_service(server_of(server_policy(risk_n(1)), x), burst = 1e5)
  server <- service$server
  set.seed(2)
  for (i in seq_len(rounds(8, 40))) {
    open <- api_get(service,
                    paste0("/v1/space?status=open&limit=50&dimension=", sample(2:4, 1)))$json$items
    if (length(open) > 0) post_wish(service, open[[sample(length(open), 1)]]$variables)
  }
  set <- paste0("v", c(1, 2), collapse = ",")
  addresses <- c(
    "/v1/policy", "/v1/structure", "/v1/structure/v1", "/v1/frontier", "/v1/tables?limit=200",
    "/v1/levels",
    "/v1/requests?limit=200",
    paste0("/v1/card?variables=", c("v1", set, paste0("v", 1:40, collapse = ","))),
    paste0("/v1/levels?variables=", set), paste0("/v1/space?status=open&dimension=", c(2, 3, 20)),
    "/v1/space?status=released&dimension=2", "/v1/space?dimension=20",
    paste0("/v1/space?dimension=4&variables=", set)
  )
  for (address in addresses) {
    took <- system.time(answer <- api_get(service, address))[["elapsed"]]
    expect_identical(answer$status, 200, info = address)
    expect_lt(nchar(answer$text, "bytes"), 10000)
    expect_lt(took, 2)
  }
  levels <- api_get(service, "/v1/levels")$json$levels
  expect_equal(levels[[21]]$total, choose(40, 20))
  expect_problem(api_get(service, "/v1/lattice"), 404, "not_found")
  expect_identical(length(all_items(service, "/v1/tables?limit=200")), 40L +
                   as.integer(server$store$release_no))
  for (address in c("/v1/decisions?limit=200", "/v1/history")) {
    expect_lt(nchar(api_get(service, address, as = "olga")$text, "bytes"), 10000)
  }
})

test_that("property: with 40 variables operators see refusals and what-if too", {
  skip_if_no_server()
  set.seed(1)
  rows <- as.data.frame(matrix(sample(1:3, 40 * 500, TRUE), 500))
  policy <- server_policy(risk_width(3), rule = "guarded", plan = FALSE, time_limit_s = 0.01)
  server <- local_server(sdc_table(rows), policy)
  server$now$refused <- list(1:3)
  levels <- view_levels(server, integer(), operator = TRUE)$levels
  expect_identical(vapply(levels, `[[`, 0, "refused"), c(0, 0, 0, choose(37, 0:37)))
  expect_s3_class(what_if(server, c("V1", "V30")), "sdc_what_if")
  expect_s3_class(request_table(server, c("V1", "V30")), "sdc_answer")
})
