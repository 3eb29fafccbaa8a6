# A table server by level: which levels of variables may be had.

skip_if_no_server()

test_that("oracle: with levels the judge decides as listing all tables over the leaves does", {
  set.seed(25)
  for (case in level_cases()) {
    x <- table_with_ladders(case$counts, case$ladders)
    server <- local_server(x, server_policy(risk_width(3), rule = "myopic", time_limit_s = 60))
    out <- case$one_way
    refused <- list()
    above <- function(a, b) all(a >= b)
    choices <- as.matrix(expand.grid(lapply(case$finest, function(n) 0:n)))
    for (i in sample(nrow(choices))[seq_len(min(20, nrow(choices)))]) {
      choice <- unname(choices[i, ])
      if (sum(choice > 0) == 0) next
      is_out <- any(vapply(out, above, NA, b = choice))
      is_refused <- any(vapply(refused, function(part) above(choice, part), NA))
      wanted <- if (is_out) "already" else if (is_refused) "refused" else
        if (case$width(c(out, list(choice))) >= 3) "released" else "refused"
      label <- choice_label(choice, names(case$dim), case$ladders)
      expect_identical(request_table(server, label)$outcome, wanted)
      if (wanted == "released") out <- c(out, list(choice))
      if (wanted == "refused") refused <- c(refused, list(choice))
    }
    expect_true(audit(server)$verified)
    close(server)
  }
})

test_that("oracle: a released table has the sums of its categories, and its own trees", {
  set.seed(3)
  case <- level_cases(3)[[1]]
  x <- table_with_ladders(case$counts, case$ladders)
  server <- local_server(x, server_policy(risk_n(1), rule = "myopic"))
  request_table(server, c(a = "two", b = "pair"))
  found <- released_table(server, "a@two:b@pair")
  sums <- rowsum(t(rowsum(case$counts, paste0("two", c(1, 2, 2)))), paste0("pair", c(1, 1, 2)))
  expect_equal(unname(as.array(found)), unname(t(sums)))
  expect_identical(dimnames(found), list(a = c("two1", "two2"), b = c("pair1", "pair2")))
  expect_identical(dimnames(released_table(server, "a")), dimnames(case$counts)["a"])
  frame <- as.data.frame(released_table(server, "a"), totals = TRUE)
  expect_true(all(c("two1", "two2") %in% frame$a))
  expect_identical(as.array(found), as.array(released_table(server, c(b = "pair", a = "two"))))
})

test_that("property: with one level for each variable nothing differs from a server without", {
  set.seed(11)
  same <- c("outcome", "reason", "variables", "parts", "table_hash", "release_no")
  bare <- function(view) view[setdiff(names(view), c("levels", "coarser"))]
  all <- unlist(lapply(1:6, function(n) utils::combn(LETTERS[1:6], n, simplify = FALSE)), FALSE)
  for (rule in c("one_step", "myopic", "guarded")) {
    policy <- server_policy(risk_width(6), rule = rule, time_limit_s = 60, max_closed = 1,
                            max_dimension = 5)
    one <- local_server(czech_workers, policy)
    two <- local_server(in_single_steps(czech_workers), policy)
    expect_false(is.null(two$steps))
    for (set in sample(all, 25)) {
      answers <- lapply(list(one, two), request_table, set, if_refused = "projected")
      expect_identical(unclass(answers[[1]])[same], unclass(answers[[2]])[same])
    }
    for (set in list(integer(), 2L, c(1L, 4L))) {
      expect_identical(view_levels(one, set, TRUE), view_levels(two, set, TRUE))
      card <- view_card(two, set, NULL)
      expect_identical(names(card), c(names(view_card(one, set, NULL)), "levels", "coarser")[
        match(names(card), c(names(view_card(one, set, NULL)), "levels", "coarser"))])
      expect_identical(card$status, view_card(one, set, NULL)$status)
      expect_identical(card$can_add, view_card(one, set, NULL)$can_add)
    }
    expect_identical(view_lattice(one, TRUE), view_lattice(two, TRUE))
    expect_identical(as.data.frame(one)[c("sub_table", "reason_private", "mask")],
                     as.data.frame(two)[c("sub_table", "reason_private", "mask")])
    expect_identical(format(one)[-1], format(two)[-1])
  }
})

test_that("property: coarser instead of refused gives the finest that is safe, twice the same", {
  set.seed(8)
  n_coarser <- 0
  for (case in level_cases()) {
    x <- table_with_ladders(case$counts, case$ladders)
    server <- local_server(x, server_policy(risk_width(3), rule = "myopic", time_limit_s = 60))
    asked <- request_table(server, names(case$dim), request_id = "all", if_refused = "coarser")
    if (asked$outcome != "coarser") next
    n_coarser <- n_coarser + 1
    tried <- asked$tried
    granted <- tried[[length(tried)]]
    expect_identical(asked$parts, list(granted$variables))
    expect_true(all(vapply(tried[-length(tried)], function(t) t$outcome, "") == "refused"))
    # each coarsening that holds what is granted was refused before it
    got <- set_named(server, granted$variables)
    choices <- as.matrix(expand.grid(lapply(case$finest, function(n) 0:n)))
    labels <- apply(choices, 1, choice_label, names(case$dim), case$ladders)
    sets <- sub_table_sets(as.list(labels[labels != ""]), server$variables, "labels", server$steps)
    finer <- Filter(function(set) length(set) > length(got) && all(got %in% set), sets)
    refused <- lapply(c(list(asked), tried[-length(tried)]), function(t) {
      set_named(server, t$variables)
    })
    expect_true(all(vapply(finer, holds_any, NA, sets = refused)))
    again <- request_table(server, names(case$dim), request_id = "all", if_refused = "coarser")
    expect_true(again$replayed && all(vapply(again$tried, function(t) t$replayed, NA)))
    expect_identical(again$parts, asked$parts)
    # what is near is what anybody knows: it is out, or may be asked for
    near <- request_table(server, names(case$dim))$coarser
    expect_true(all(near$status[-nrow(near)] == "open"))
    expect_identical(near$sub_table[nrow(near)], margin_label(granted$variables))
  }
  expect_gte(n_coarser, 2)
})

test_that("property: under an envelope by level all of it may be had, and no judgement is made", {
  counts <- array(c(5, 4, 3, 6, 1, 7, 9, 2, 4, 8, 3, 7), c(3, 2, 2),
                  list(a = c("a1", "a2", "a3"), b = c("b1", "b2"), c = c("c1", "c2")))
  x <- table_with_ladders(counts, list(a = list(two = c(1, 1, 2))))
  envelope <- list("a@two:b", "b:c")
  server <- local_server(x, server_policy(risk_width(3), rule = "envelope", envelope = envelope))
  asked <- request_table(server, "a:b:c", if_refused = "coarser")
  expect_identical(asked[c("outcome", "reason")], list(outcome = "coarser", reason = "structural"))
  expect_identical(asked$parts, list(c("a@two", "b")))
  expect_identical(length(asked$tried), 1L)
  expect_identical(request_table(server, c(a = "two", "c"))$outcome, "refused")
})

test_that("property: the network asks for levels, shows them, and knows no set without them", {
  set.seed(5)
  case <- level_cases(3)[[1]]
  x <- table_with_ladders(case$counts, case$ladders)
  service <- local_service(local_server(x, server_policy(risk_n(1), rule = "myopic")))
  wish <- function(...) {
    api(service, "POST", "/v1/requests", headers = list(`content-type` = "application/json"),
        body = to_json(list(...)))
  }
  answer <- wish(variables = list("a", "b"), levels = list(a = "two"))
  expect_equal(answer$status, 201)
  expect_identical(answer$json$variables, list("a@two", "b"))
  expect_identical(answer$json$levels, list(a = "two", b = "b"))
  expect_identical(wish(variables = list("a"), levels = list(a = "none"))$status, 422)
  expect_identical(wish(variables = list("a@two", "a"))$status, 422)
  structure <- api_get(service, "/v1/structure")$json$variables
  expect_identical(vapply(structure, function(v) v$name, ""), c("a@two", "a", "b@pair", "b"))
  expect_identical(structure[[2]][c("variable", "level", "coarser")],
                   list(variable = "a", level = "a", coarser = "v1"))
  data <- api_get(service, paste0("/v1/tables/", answer$json$table$id, "/data"))
  expect_match(data$text, "two1", fixed = TRUE)
  # without the coarser level
  open <- encode_masks(list(c(2L, 3L)), 4)
  expect_identical(api_get(service, paste0("/v1/tables/", open))$status, 404)
  card <- api_get(service, "/v1/card?variables=a,b")$json
  expect_identical(card$dimension, 2L)
  expect_identical(lapply(card$coarser, function(near) near[["status"]]),
                   list("open", "released"))
  expect_identical(lapply(card$coarser, function(near) near[["variables"]]),
                   list(list("a", "b@pair"), list("a@two", "b")))
  levels <- api_get(service, "/v1/levels")$json$levels
  expect_identical(vapply(levels, function(l) l$total, 1L), c(1L, 4L, 4L))
  space <- api_get(service, "/v1/space?dimension=2&limit=2")$json
  rest <- api_get(service, paste0("/v1/space?dimension=2&cursor=", space[["next"]]))$json
  expect_identical(length(space$items) + length(rest$items), 4L)
  expect_identical(api_get(service, "/v1/lattice")$status, 404)
})

test_that("property: in SDMX an id stands for the same in all messages, at each level", {
  skip_if_not_installed("xml2")
  set.seed(5)
  case <- level_cases(3)[[1]]
  x <- table_with_ladders(case$counts, case$ladders)
  file <- withr::local_tempfile(fileext = ".yml")
  write_metadata(x, file, languages = c("en", "de"))
  nodes <- function(of, name) xml2::xml_find_all(of, sprintf(".//*[local-name()='%s']", name))
  for (metadata in list(NULL, server_metadata(file, x))) {
    server <- local_server(x, server_policy(risk_n(1), rule = "myopic"), metadata = metadata)
    service <- local_service(server)
    for (label in c("a@two:b", "a:b@pair")) request_table(server, label)
    sets <- c("a", "a@two", "b", "b@pair", "a@two:b@pair", "a@two:b", "a:b@pair")
    ids <- vapply(sets, function(label) set_id(server, set_named(server, strsplit(label, ":")[[1]])), "")
    addresses <- c("/v1/structure", paste0("/v1/tables/", ids, "/structure"))
    messages <- lapply(addresses, function(address) {
      found <- api_get(service, address, headers = list(accept = structure_media_type))
      xml2::read_xml(found$text)
    })
    lists <- unlist(lapply(messages, function(message) {
      found <- c(nodes(message, "Codelist"), nodes(message, "ConceptScheme"))
      stats::setNames(vapply(found, as.character, ""), vapply(found, xml2::xml_attr, "", "id"))
    }))
    contents <- lengths(lapply(split(lists, names(lists)), unique))
    expect_true(all(contents == 1))
    expect_setequal(names(contents), c("CS_SDC", "CL_V1_a_two", "CL_V2_a", "CL_V3_b_pair", "CL_V4_b"))
    # the messages of data have these dimensions, in this order, and codes of their lists
    for (k in seq_along(sets)) {
      structure <- messages[[k + 1]]
      dimensions <- xml2::xml_attr(nodes(structure, "Dimension"), "id")
      csv <- api_get(service, paste0("/v1/tables/", ids[k], "/data?format=sdmx-csv"))
      cells <- utils::read.csv(text = csv$text, colClasses = "character")
      expect_identical(names(cells), c("DATAFLOW", dimensions, "OBS_VALUE"))
      for (id in dimensions) {
        own <- Filter(function(list) xml2::xml_attr(list, "id") == paste0("CL_", id), nodes(structure, "Codelist"))
        expect_setequal(cells[[id]], xml2::xml_attr(nodes(own[[1]], "Code"), "id"))
      }
      ml <- api_get(service, paste0("/v1/tables/", ids[k], "/data?format=sdmx-ml"))$text
      values <- nodes(nodes(xml2::read_xml(ml), "ObsKey"), "Value")
      expect_setequal(xml2::xml_attr(values, "id"), dimensions)
    }
  }
})

test_that("property: a store remembers what its levels stand for", {
  set.seed(6)
  case <- level_cases(1)[[1]]
  x <- table_with_ladders(case$counts, case$ladders)
  file <- withr::local_tempfile(fileext = ".sqlite")
  policy <- server_policy(risk_n(1), rule = "myopic")
  server <- table_server(x, policy, file, progress = FALSE)
  request_table(server, c(a = "half", "b"))
  close(server)
  again <- local_server(x, policy, file)
  expect_identical(again$now$frontier, list(c(1L, 2L), c(1L, 3L)))
  expect_identical(as.data.frame(again)$sub_table, "a@half:b")
  other <- table_with_ladders(case$counts, list(a = list(half = c(1, 2, 2, 2))))
  expect_error(table_server(other, policy, file, progress = FALSE), class = "sdc_error_server")
  expect_error(table_server(x, policy, file, levels = list(), progress = FALSE),
               class = "sdc_error_server")
})

test_that("snapshot: what a server by level says, and its errors", {
  counts <- array(c(5, 4, 3, 6, 1, 7, 9, 2), c(4, 2),
                  list(age = c("a1", "a2", "a3", "a4"), sex = c("f", "m")))
  x <- table_with_ladders(counts, list(age = list(decade = c(1, 1, 2, 2))))
  server <- local_server(x, server_policy(risk_width(3, at_risk = 1:2), time_limit_s = 60))
  shown <- function(answer) writeLines(format(answer)[-(2:3)])
  expect_snapshot({
    server
    shown(request_table(server, "age:sex", request_id = "q"))
    shown(request_table(server, "age:sex", request_id = "r", if_refused = "coarser"))
    sub_tables(server)
    what_if(server, "age:sex")
  })
  expect_snapshot(error = TRUE, {
    request_table(server, c(age = "year"))
    request_table(server, c(years = "decade"))
    table_server(x, server_policy(risk_width(3)), levels = list(age = "year"))
  })
  plain <- local_server(czech_workers)
  expect_snapshot(request_table(plain, "A:B", if_refused = "coarser"), error = TRUE)
})

test_that("oracle: votes by level are worth what a release adds, coarser tables included", {
  set.seed(7)
  case <- level_cases(2)[[1]]
  x <- table_with_ladders(case$counts, case$ladders)
  policy <- server_policy(risk_width(2), rule = "value", time_limit_s = 60)
  service <- local_service(local_server(x, policy))
  wishes <- c("a:b", "a@two:b", "b:c", "a:c")
  votes <- c(1, 2, 2, 1)
  for (i in seq_along(wishes)) {
    for (user in c("ann", "bob")[seq_len(votes[i])]) {
      request_table(service$server, wishes[i], user = user)
    }
  }
  y <- level_table(x)
  cells <- function(sets) utility(sets, utility_cells(), y)
  out <- c("a", "b", "c")
  worth <- votes * (vapply(wishes, function(set) cells(c(out, set)), 1) - cells(out))
  tally <- all_items(service, "/v1/tally?worth=cells", as = "olga")
  shown <- vapply(tally, function(item) as.numeric(item$worth), 0)
  expect_equal(shown, sort(unname(worth), decreasing = TRUE))
  round <- decide_votes(service$server, 4, utility_cells())
  expect_equal(round$worth[1], max(worth))
  for (i in seq_len(nrow(round))) {
    at <- match(round$sub_table[i], wishes)
    expect_equal(round$worth[i], unname(votes[at] * (cells(c(out, wishes[at])) - cells(out))))
    if (round$outcome[i] == "released") out <- c(out, wishes[at])
  }

  by_accuracy <- local_server(x, policy)
  for (wish in wishes) request_table(by_accuracy, wish)
  accuracy <- function(sets) utility(sets, utility_accuracy(), y)
  out <- c("a", "b", "c")
  worth <- vapply(wishes, function(set) accuracy(c(out, set)), 1) - accuracy(out)
  best <- decide_votes(by_accuracy, 1, utility_accuracy())
  expect_identical(best$sub_table, wishes[which.max(worth)])
  expect_equal(best$worth, max(worth))
})
