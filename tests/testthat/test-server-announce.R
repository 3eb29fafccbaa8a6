# Of each table of a class, a row each: what a reader sees, by the test's own margins.
seen <- function(tables, found, size) {
  key <- character(nrow(tables))
  for (e in unique(found$envelope)) {
    of <- found$envelope == e
    sets <- if (e > 0) found$sets[[e]]
    margins <- lapply(sets, function(set) margin_key(tables[of, , drop = FALSE], set, size))
    key[of] <- do.call(paste, c(list(rep(e, sum(of))), margins))
  }
  key
}

# Which tables have a cell at risk that is narrower than `beta` among the tables with its key?
broken_in <- function(tables, key, beta, at_risk = 1:2) {
  out <- logical(nrow(tables))
  for (same in split(seq_along(key), key)) {
    group <- tables[same, , drop = FALSE]
    narrow <- apply(group, 2, max) - apply(group, 2, min) < beta
    out[same] <- apply(group, 1, function(t) any(narrow & t %in% at_risk))
  }
  out
}

# The least one of the cells at risk, in closed form; 2 at most.
width_of_one_way <- function(counts, size) {
  cell <- arrayInd(seq_along(counts), size)
  sums <- vapply(1:3, function(v) as.vector(rowsum(counts, cell[, v]))[cell[, v]], counts)
  width <- apply(sums, 1, min) - pmax(0, rowSums(sums) - 2 * sum(counts))
  min(width[counts %in% 1:2], 2)
}

pairs_in <- function(sets) {
  sum(vapply(list(1:2, c(1, 3), 2:3), function(pair) covers(sets, pair), NA))
}
covers <- asNamespace("sdcLattice")$covers
announce_class <- asNamespace("sdcLattice")$announce_class

# Sums over all 2 x 2 x 2 tables of some classes that are not hopeless.
figures <- function(classes, beta, steps, check = TRUE) {
  size <- c(2, 2, 2)
  total <- c(start = 0, broken = 0, out = 0)
  for (own in classes) {
    found <- announce_class(t(own), size, risk_width(beta), steps = steps)
    hopeless <- if (check) broken_in(own, rep("", nrow(own)), beta) else found$hopeless
    if (check) {
      expect_identical(hopeless, found$hopeless)
      key <- seen(own, found, size)
      # blocks are what a reader tells apart
      expect_identical(match(key, unique(key)), match(found$block, unique(found$block)))
      total["broken"] <- total[["broken"]] + sum(broken_in(own, key, beta) & !hopeless)
    }
    out <- c(0, vapply(found$sets, pairs_in, 1))[found$envelope + 1]
    total[c("start", "out")] <- total[c("start", "out")] + c(sum(!hopeless), sum(out[!hopeless]))
  }
  total
}

listed_classes <- function(n) {
  tables <- tables_of_total(n, 8)
  lapply(classes_of(tables, c(2, 2, 2)), function(class) tables[class, , drop = FALSE])
}

test_that("oracle: who knows how envelopes are announced breaks no promise", {
  for (n in 4:5) expect_identical(figures(listed_classes(n), 2, 3)[["broken"]], 0)
  classes <- listed_classes(6)
  told <- figures(classes, 2, 3)
  before <- figures(classes, 2, 2)
  expect_identical(c(told[["broken"]], before[["broken"]]), c(0, 0))
  expect_gt(before[["out"]], 0)
  expect_gte(told[["out"]], before[["out"]])
  # the envelopes that are largest without regard to what is left break it
  expect_gt(figures(classes, 2, 1)[["broken"]], 0)
})

test_that("published: two-way tables that are released of 9 records", {
  classes <- listed_classes(9)
  told <- figures(classes, 2, 2, check = FALSE)
  expect_identical(told[["start"]], 8016)
  expect_identical(round(told[["out"]] / told[["start"]], 2), 0.66)
  told <- figures(classes, 3, 2, check = FALSE)
  expect_identical(told[["start"]], 3736)
  expect_identical(round(told[["out"]] / told[["start"]], 2), 0.35)
})

planned <- function(x, beta = 2, ..., limit = 1e5, threads = 1) {
  policy <- server_policy(risk_width(beta), rule = "envelope", ...)
  plan_server(x, policy, limit = limit, threads = threads, progress = FALSE)
}
block_key <- function(plan) sort(apply(plan$block, 2, paste, collapse = " "))

test_that("property: all tables of a block have the same plan, with any number of threads", {
  set.seed(1)
  sizes <- list(c(2, 2, 2), c(3, 2), c(2, 3, 2))
  released <- 0
  for (trial in seq_len(rounds(6, 9))) {
    size <- sizes[[1 + trial %% 3]]
    counts <- as.vector(rmultinom(1, 11 - 2 * (trial %% 3 == 2), rep(1, prod(size))))
    plan <- planned(small_table(counts, size))
    expect_identical(plan$guarantee, "self-consistent")
    released <- released + plan$n_sub_tables - length(size)
    others <- sample(ncol(plan$block), min(3, ncol(plan$block)))
    for (i in others) {
      other <- planned(small_table(plan$block[, i], size), threads = 2)
      expect_identical(other$frontier, plan$frontier)
      expect_identical(block_key(other), block_key(plan))
    }
  }
  expect_gt(released, rounds(1, 2))
})

test_that("property: what is announced is safe to release, and passes the check of releases", {
  set.seed(2)
  size <- c(2, 2, 2)
  n <- c(safe = 0, hopeless = 0, calm = 0)
  for (trial in 1:25) {
    counts <- as.vector(rmultinom(1, 5 + trial %% 6, rep(1, 8)))
    beta <- 1 + trial %% 3
    plan <- planned(small_table(counts, size), beta)
    if (!any(counts %in% 1:2)) {
      n["calm"] <- n["calm"] + 1
      next
    }
    one_way <- width(c("A", "B", "C"), small_table(counts, size), risk_width(beta))$inner
    if (one_way < beta) {
      expect_identical(plan$frontier, c("A", "B", "C"))
      n["hopeless"] <- n["hopeless"] + 1
    } else {
      check <- verify_release(plan$release)
      expect_true(check$verified)
      n["safe"] <- n["safe"] + 1
    }
  }
  expect_gt(n["safe"], 5)
  expect_gt(n["hopeless"], 2)
})

test_that("oracle: a planned server starts for every table, and its audit finds its block", {
  skip_if_no_server()
  set.seed(3)
  size <- c(2, 2, 2)
  cases <- list(c(9, 0, 1, 0, 0, 0, 0, 0), c(3, 3, 0, 3, 0, 4, 3, 3), c(0, 0, 1, 1, 1, 2, 2, 2),
                c(2, 3, 1, 0, 4, 1, 2, 3), as.vector(rmultinom(1, 9, rep(1, 8))))
  for (counts in cases) {
    x <- small_table(counts, size)
    policy <- server_policy(risk_width(2), rule = "envelope")
    plan <- plan_server(x, policy, progress = FALSE)
    server <- local_server(x, policy, plan = plan)
    audited <- audit(server, policy_aware = TRUE)$policy_aware
    expect_identical(audited$n_policy_aware, ncol(plan$block))
    for (set in c("A:B", "A:C", "B:C", "A:B:C")) {
      inside <- covers(plan$sets, utf8ToInt(gsub(":", "", set)) - 64L)
      answer <- request_table(server, set)
      expect_identical(answer$outcome, if (inside) "released" else "refused")
      expect_identical(answer$reason, if (inside) NA_character_ else "structural")
    }
    audited <- audit(server, policy_aware = TRUE)$policy_aware
    # who had seen the announcement learns no more from the tables than what was promised
    expect_identical(audited$n_policy_aware, ncol(plan$block))
    expect_identical(any(audited$cells$broken), width_of_one_way(counts, size) < 2)
  }
})

# A table of a and b by level: the categories of a lie in two.
coarse_a <- list(a = list(two = c(1, 1, 2)))
table_of_leaves <- function(counts) {
  table_with_ladders(array(counts, c(3, 2), list(a = c("a1", "a2", "a3"), b = c("b1", "b2"))), coarse_a)
}

test_that("oracle: who knows how envelopes by level are announced breaks no promise", {
  set.seed(9)
  finer <- coarser <- 0
  for (trial in seq_len(rounds(5, 30))) {
    one <- as.vector(rmultinom(1, 9 + trial %% 3, rep(1, 6)))
    leaf <- arrayInd(1:6, c(3, 2))
    all <- tables_of_total(sum(one), 6)
    same <- function(group) {
      own <- rowsum(one, group)[, 1]
      colSums(rowsum(t(all), group) != own) == 0
    }
    class <- all[same(leaf[, 1]) & same(leaf[, 2]), , drop = FALSE]
    plans <- apply(class, 1, function(counts) planned(table_of_leaves(counts)), simplify = FALSE)
    key <- vapply(seq_along(plans), function(i) {
      told <- plans[[i]]$frontier
      half <- rowsum(class[i, ], paste(coarse_a$a$two[leaf[, 1]], leaf[, 2]))
      paste(c(told, if ("a@two:b" %in% told) half, if ("a:b" %in% told) class[i, ]), collapse = " ")
    }, "")
    hopeless <- broken_in(class, rep("", nrow(class)), 2)
    expect_false(any(broken_in(class, key, 2) & !hopeless))
    expect_identical(unique(vapply(plans, `[[`, "", "guarantee")), "self-consistent")
    expect_identical(vapply(plans, function(plan) ncol(plan$block), 1L),
                     as.vector(table(key)[key]))
    finer <- finer + sum(grepl("^a:b", key))
    coarser <- coarser + sum(grepl("a@two:b", key))
  }
  expect_gt(coarser, 0)
})

test_that("oracle: a planned server by level gives what was announced, and its audit finds the block", {
  skip_if_no_server()
  for (counts in list(c(2, 1, 3, 1, 2, 3), c(4, 3, 1, 2, 5, 3), c(1, 1, 4, 1, 2, 3))) {
    x <- table_of_leaves(counts)
    plan <- planned(x)
    policy <- server_policy(risk_width(2), rule = "envelope")
    place <- local_place()
    server <- local_server(x, policy, plan = plan, store = place)
    for (label in c("a@two:b", "a:b")) {
      set <- sub_table_sets(label, server$variables, "x", server$steps)[[1]]
      answer <- request_table(server, label)
      expect_identical(answer$outcome, if (covers(plan$sets, set)) "released" else "refused")
    }
    audited <- audit(server, policy_aware = TRUE)$policy_aware
    expect_identical(audited$n_policy_aware, ncol(plan$block))
    close(server)
    expect_identical(local_server(x, policy, store = place)$envelope, plan$sets)
  }
})

test_that("property: a server starts again from its store, without the plan", {
  skip_if_no_server()
  x <- small_table(c(2, 3, 1, 0, 4, 1, 2, 3), c(2, 2, 2))
  policy <- server_policy(risk_width(2), rule = "envelope")
  plan <- plan_server(x, policy, progress = FALSE)
  expect_gt(plan$n_sub_tables, 3)
  place <- local_place()
  expect_error(table_server(x, policy, store = place), class = "sdc_error_input")
  close(table_server(x, policy, store = place, plan = plan))
  # nothing is planned again
  local_mocked_bindings_store(made_again = function(...) stop("planned again"))
  server <- local_server(x, policy, store = place)
  expect_identical(server$envelope, plan$sets)
  expect_identical(server$now$plan$block, plan$block)
  expect_identical(request_table(server, plan$frontier[1])$outcome, "released")
  expect_identical(server$policy$origin, "self_consistent")
  # not under another envelope
  other <- server_policy(risk_width(2), rule = "envelope", envelope = "A:B")
  expect_error(table_server(x, server_policy(risk_width(2)), store = place),
               class = "sdc_error_server")
  expect_error(table_server(x, other, store = place, plan = plan), class = "sdc_error_input")
})

test_that("property: a plan that is damaged in the store is made again", {
  skip_if_no_server()
  x <- small_table(c(2, 3, 1, 0, 4, 1, 2, 3), c(2, 2, 2))
  policy <- server_policy(risk_width(2), rule = "envelope")
  plan <- plan_server(x, policy, progress = FALSE)
  place <- local_place()
  server <- local_server(x, policy, store = place, plan = plan)
  kept <- sdcLattice:::read_certificate(server$store, server$now$plan$hash)
  wrong <- plan
  wrong$block <- plan$block[, -which(colSums(plan$block != c(2, 3, 1, 0, 4, 1, 2, 3)) == 0)]
  body <- sdcLattice:::encode_plan(list(sets = plan$sets, block = wrong$block), server)
  hash <- sdcLattice:::write_certificate(server$store, "plan", body)
  DBI::dbExecute(server$store$con, "UPDATE meta SET value = $1 WHERE key = 'note_plan_0'",
                 params = list(hash))
  expect_null(sdcLattice:::kept_envelope(server, hash, FALSE))
  again <- local_server(x, policy, store = place)
  expect_identical(again$envelope, plan$sets)
  expect_identical(block_key(again$now$plan), block_key(plan))
  DBI::dbExecute(server$store$con, "UPDATE certificate SET body = 'x'")
  again <- local_server(x, policy, store = place)
  expect_identical(block_key(again$now$plan), block_key(plan))
  # an altered envelope is found by the chain
  DBI::dbExecute(server$store$con, "UPDATE meta SET value = replace(value, $1, $2)
                                    WHERE key = 'policy'",
                 params = list(paste0("\"", sdcLattice:::encode_masks(plan$sets[1], 3), "\""),
                               "\"7\""))
  expect_error(table_server(x, policy, store = place, progress = FALSE), class = "sdc_error_server")
})

test_that("property: plans of another table or policy, or changed by hand, are refused", {
  skip_if_no_server()
  x <- small_table(c(2, 3, 1, 0, 4, 1, 2, 3), c(2, 2, 2))
  policy <- server_policy(risk_width(2), rule = "envelope")
  plan <- plan_server(x, policy, progress = FALSE)
  refused <- function(...) expect_error(table_server(...), class = "sdc_error_input")
  refused(small_table(c(3, 2, 1, 0, 4, 1, 2, 3), c(2, 2, 2)), policy, plan = plan)
  refused(x, server_policy(risk_width(1), rule = "envelope"), plan = plan)
  refused(x, server_policy(risk_width(2)), plan = plan)
  refused(x, policy, plan = "A:B")
  more <- plan
  more$sets <- list(1:3)
  refused(x, policy, plan = more)
  more <- plan
  more$block <- more$block[, 1, drop = FALSE]
  refused(x, policy, plan = more)
})

test_that("property: an envelope named beforehand is announced for a whole block, or not at all", {
  skip_if_no_server()
  set.seed(4)
  size <- c(2, 2, 2)
  said <- character()
  for (trial in 1:12) {
    x <- small_table(as.vector(rmultinom(1, 10, rep(1, 8))), size)
    plan <- planned(x, envelope = c("A:B", "B:C"), origin = "data_free")
    expect_true(setequal(plan$frontier, c("A:B", "B:C")) || setequal(plan$frontier, LETTERS[1:3]))
    said <- union(said, plan$frontier)
    if (plan$n_sub_tables > 3 && length(plan$block) > 8) {
      policy <- server_policy(risk_width(2), rule = "envelope", envelope = c("A:B", "B:C"),
                              origin = "data_free")
      server <- local_server(x, policy, plan = plan)
      audited <- audit(server, policy_aware = TRUE)$policy_aware
      expect_identical(audited$n_policy_aware, ncol(plan$block))
      expect_false(any(audited$cells$broken))
      # that it was named is part of what the store begins with
      place <- local_place()
      close(table_server(x, policy, plan = plan, store = place))
      expect_identical(local_server(x, policy, store = place)$envelope, plan$sets)
      expect_error(table_server(x, server_policy(risk_width(2), rule = "envelope"), store = place),
                   class = "sdc_error_server")
    }
  }
  expect_setequal(said, c("A:B", "B:C", "A", "B", "C"))
  pairs <- planned(small_table(c(3, 3, 0, 3, 0, 4, 3, 3), size), max_dimension = 2)
  expect_setequal(pairs$frontier, c("A:B", "A:C", "B:C"))
})

test_that("property: without a list of tables the envelope is one message, and says so", {
  skip_if_no_server()
  x <- small_table(c(20, 13, 1, 10, 14, 12, 9, 8), c(2, 2, 2))
  plan <- planned(x, 3, limit = 10)
  expect_identical(plan$guarantee, "one message")
  expect_identical(plan$origin, "data_dependent")
  expect_null(plan$block)
  expect_true(verify_release(plan$release)$verified)
  expect_gt(plan$n_sub_tables, 3)
  expect_identical(nrow(as.data.frame(plan)), as.integer(plan$n_sub_tables))
  policy <- server_policy(risk_width(3), rule = "envelope")
  place <- local_place()
  server <- local_server(x, policy, plan = plan, store = place)
  for (set in plan$frontier) expect_identical(request_table(server, set)$outcome, "released")
  expect_identical(local_server(x, policy, store = place)$envelope, plan$sets)
  expect_true(audit(server)$verified)
  # then the start tells that the one-way tables are safe
  risky <- small_table(c(9, 0, 1, 0, 0, 0, 0, 0), c(2, 2, 2))
  cells <- data.frame(A = "l1", B = "l2", C = "l1")
  expect_error(plan_server(risky, server_policy(risk_width(2, cells = cells), rule = "envelope")),
               class = "sdc_error_infeasible")
  expect_error(plan_server(x, server_policy(risk_n(60), rule = "envelope"), progress = FALSE),
               class = "sdc_error_infeasible")
  alone <- plan_server(x, server_policy(risk_n(13), rule = "envelope"), progress = FALSE)
  expect_identical(alone$guarantee, "one message")
})

test_that("property: plans of large tables have certificates, which the store keeps", {
  skip_if_no_server()
  set.seed(5)
  data <- as.data.frame(lapply(c(5, 6, 5, 6, 5, 6), function(k) {
    factor(pmin(k, 1 + stats::rpois(8000, 1.2)), seq_len(k))
  }), col.names = paste0("v", 1:6))
  x <- sdc_table(data, dimVar = names(data))
  policy <- server_policy(risk_width(3), rule = "envelope")
  plan <- plan_server(x, policy, time_limit_s = 1, progress = FALSE)
  expect_identical(plan$guarantee, "one message")
  expect_gt(plan$n_sub_tables, 6)
  place <- local_place()
  close(table_server(x, policy, store = place, plan = plan, progress = FALSE))
  server <- local_server(x, policy, store = place)
  expect_identical(server$envelope, plan$sets)
  expect_identical(server$now$plan$kind, "envelope")
  expect_identical(is.null(server$now$plan$certificates), is.null(plan$release$certificates))
})

test_that("snapshot: plans say what their announcement tells", {
  x <- small_table(c(2, 3, 1, 0, 4, 1, 2, 3), c(2, 2, 2))
  plan <- planned(x)
  expect_snapshot({
    plan
    summary(plan)
    explain(plan)
    planned(x, 2, limit = 10)
    planned(x, 1, limit = 10, envelope = "A:B", origin = "data_free")
  })
  expect_snapshot({
    plan_server(x, server_policy(risk_width(2)))
    table_server(x, server_policy(risk_width(2), rule = "envelope"))
    table_server(x, server_policy(risk_width(3), rule = "envelope"), plan = plan)
    plan_server(x, server_policy(risk_width(2), rule = "envelope"), time_limit_s = 0,
                progress = FALSE)
  }, error = TRUE)
})
