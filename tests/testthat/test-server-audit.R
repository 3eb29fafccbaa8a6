# The slow twin: the tables of one class of one-way tables, all of them as originals at once. Gives
# for each: does who knows the policy hold a cell at risk in less than beta, exactly, and how many
# tables are left.
twin <- function(tables, size, requests, beta, at_risk, needs_risk, may_ask) {
  safe_in <- function(agree, set) {
    safe <- logical(length(agree))
    for (same in split(seq_along(agree), margin_key(tables[agree, , drop = FALSE], set, size))) {
      group <- tables[agree[same], , drop = FALSE]
      width <- apply(group, 2, max) - apply(group, 2, min)
      safe[same] <- apply(group, 1, function(t) all(width[t %in% at_risk] >= beta))
    }
    safe
  }
  found <- data.frame(table = seq_len(nrow(tables)), passes = FALSE, broken = NA, exact = NA,
                      left = NA, agree = NA, said = NA)
  walk <- function(agree, aware, out, i, said) {
    if (length(aware) == 0) {
      return(invisible())
    }
    if (i > length(requests)) {
      range <- apply(tables[aware, , drop = FALSE], 2, range)
      width <- range[2, ] - range[1, ]
      for (t in aware) {
        mine <- width[tables[t, ] %in% at_risk]
        found[t, -1] <<- list(TRUE, any(mine < beta), any(mine == 0), length(aware), length(agree),
                              said)
      }
      return(invisible())
    }
    set <- requests[[i]]
    if (any(vapply(out, function(s) all(set %in% s), NA))) {
      return(walk(agree, aware, out, i + 1, paste0(said, "a")))
    }
    if (!may_ask(set, out)) {
      return(walk(agree, aware, out, i + 1, paste0(said, "s")))
    }
    safe <- safe_in(agree, set)
    walk(agree, intersect(aware, agree[!safe]), out, i + 1, paste0(said, "r"))
    for (group in split(agree, margin_key(tables[agree, , drop = FALSE], set, size))) {
      walk(group, intersect(aware, agree[safe & agree %in% group]), c(out, list(set)), i + 1,
           paste0(said, "o"))
    }
  }
  all <- seq_len(nrow(tables))
  start <- safe_in(all, integer())
  if (needs_risk) start <- start & apply(tables, 1, function(t) any(t %in% at_risk))
  walk(all, all[start], as.list(seq_along(size)), 1, "")
  found
}

any_step <- function(set, out) {
  any(vapply(set, function(v) {
    any(vapply(out, function(s) all(setdiff(set, v) %in% s), NA))
  }, NA))
}
always <- function(set, out) TRUE
said_letters <- function(answers) {
  paste(c(already = "a", structural = "s", refused = "r", released = "o")[answers], collapse = "")
}

test_that("published: two refusals make two small cells exact", {
  x <- small_table(c(0, 0, 1, 1, 1, 2, 2, 2), c(2, 2, 2))
  told <- policy_learns(x, c("A:B", "A:C", "B:C"), beta = 2, rule = "myopic")
  expect_identical(told$answers, c("refused", "refused", "released"))
  expect_identical(c(told$n_margins_only, told$n_policy_aware), c(11L, 3L))
  cells <- as.data.frame(told)
  ones <- cells$B == "l2" & cells$C == "l1"
  expect_equal(cells[ones, c("lower", "upper", "lower_aware", "upper_aware")],
               data.frame(lower = 0, upper = 2, lower_aware = 1, upper_aware = 1)[c(1, 1), ],
               ignore_attr = "row.names")
  expect_identical(cells$broken, ones)
  expect_identical(policy_learns(x, list(1:2, c("A", "C"), 2:3), 2, rule = "one_step")$answers,
                   told$answers)
  expect_identical(nrow(policy_learns(x, list(), 2, at_risk = 1)$cells), 3L)
})

test_that("published: how often the promise breaks for tables of 9 records, and the same one by one", {
  size <- c(2, 2, 2)
  requests <- list(1:2, c(1, 3), 2:3)
  tables <- tables_of_total(9, 8)
  # 9 is odd: exchanging the levels of variables leads from one class to 7 others
  small <- rowSums(tables[, c(1, 3, 5, 7)]) < 5 & rowSums(tables[, c(1, 2, 5, 6)]) < 5 &
    rowSums(tables[, 1:4]) < 5
  tables <- tables[small, ]
  found <- lapply(classes_of(tables, size), function(rows) {
    class <- twin(tables[rows, , drop = FALSE], size, requests, 2, 1:2, FALSE, always)
    class$table <- rows
    class
  })
  found <- do.call(rbind, found)
  ok <- found[found$passes, ]
  expect_identical(8L * c(nrow(found), nrow(ok)), c(11440L, 8016L))
  expect_identical(round(100 * mean(ok$broken)), 31)
  expect_identical(round(100 * mean(ok$exact), 1), 6.7)
  expect_false(any(ok$broken[!grepl("r", ok$said)]))

  set.seed(7)
  at_risk <- apply(tables[ok$table, ], 1, function(t) any(t %in% 1:2))
  for (i in sample(which(at_risk), 60)) {
    told <- policy_learns(small_table(tables[ok$table[i], ], size), requests, 2, rule = "myopic",
                          needs_risk = FALSE)
    expect_identical(
      c(any(told$cells$broken), any(told$cells$lower_aware == told$cells$upper_aware)),
      c(ok$broken[i], ok$exact[i])
    )
    expect_identical(c(told$n_policy_aware, told$n_margins_only), c(ok$left[i], ok$agree[i]))
    expect_identical(said_letters(told$answers), ok$said[i])
  }
})

test_that("oracle: any table, rule and order of requests", {
  set.seed(8)
  for (trial in seq_len(rounds(13, 25))) {
    size <- list(c(2, 2), c(2, 3), c(2, 2, 2), c(3, 2, 1))[[sample(4, 1)]]
    tables <- tables_of_total(sample(2:4, 1), prod(size))
    rows <- sample(classes_of(tables, size), 1)[[1]]
    sets <- unlist(lapply(2:length(size),
                          function(d) utils::combn(length(size), d, simplify = FALSE)), FALSE)
    requests <- sample(sets, sample(0:4, 1), TRUE)
    beta <- sample(1:2, 1)
    at_risk <- sort(sample(1:3, sample(2, 1)))
    rule <- sample(c("one_step", "myopic"), 1)
    needs <- sample(c(TRUE, FALSE), 1)
    found <- twin(tables[rows, , drop = FALSE], size, requests, beta, at_risk, needs,
                  if (rule == "myopic") always else any_step)
    for (i in utils::head(sample(seq_along(rows)), 4)) {
      counts <- tables[rows[i], ]
      if (!any(counts %in% at_risk)) next
      ask <- function() {
        policy_learns(small_table(counts, size), requests, beta, at_risk, rule = rule,
                      needs_risk = needs)
      }
      if (!found$passes[i]) {
        expect_error(ask(), class = "sdc_error_infeasible")
        next
      }
      told <- ask()
      expect_identical(said_letters(told$answers), found$said[i])
      expect_identical(c(told$n_policy_aware, told$n_margins_only),
                       c(found$left[i], found$agree[i]))
      expect_identical(any(told$cells$broken), found$broken[i])
    }
  }
})

test_that("property: the original is among what is left, and the rule is kept by what is out", {
  set.seed(9)
  for (trial in 1:10) {
    counts <- sample(0:3, 12, TRUE)
    x <- small_table(counts, c(2, 3, 2))
    told <- tryCatch(policy_learns(x, list(1:2, 2:3, 1:3), beta = 1), sdc_error = function(e) NULL)
    if (is.null(told)) next
    cells <- told$cells
    truth <- as.array(x)[as.matrix(cells[1:3])]
    expect_true(all(cells$lower <= cells$lower_aware & cells$lower_aware <= truth))
    expect_true(all(cells$upper >= cells$upper_aware & cells$upper_aware >= truth))
    expect_true(all(cells$upper - cells$lower >= 1))
  }
})

test_that("property: what a server said counts, not what the exact judge would have said", {
  x <- small_table(c(0, 0, 1, 1, 1, 2, 2, 2), c(2, 2, 2))
  ask <- function(...) policy_learns(x, list(1:2, c(1, 3), 2:3), 2, rule = "myopic", ...)
  exact <- ask()
  expect_identical(ask(answers = exact$answers), exact)

  # a proof that was not found tells nothing
  refused <- ask(answers = c("refused", "refused", "refused"))
  expect_identical(refused$unproved, c(FALSE, FALSE, TRUE))
  expect_identical(refused$answers, rep("refused", 3))
  # what came out otherwise is no decision of the judge
  recorded <- ask(answers = c("recorded", "structural", "structural"))
  expect_identical(recorded$answers[1], "recorded")
  expect_identical(recorded$n_policy_aware, recorded$n_margins_only)
  expect_identical(ask(answers = c("already", "structural", "structural")), recorded)
  # nor is what was released undecided
  undecided <- ask(answers = c("released", "structural", "structural"))
  expect_identical(undecided$unproved, c(TRUE, FALSE, FALSE))
  expect_identical(undecided$n_policy_aware, undecided$n_margins_only)
})

# For which tables of a class is each of their cells at risk wide enough, among those that agree in
# `sets`?
safe_tables <- function(tables, sets, size, beta, at_risk) {
  keys <- lapply(c(list(integer()), sets), function(set) margin_key(tables, set, size))
  key <- do.call(paste, keys)
  safe <- logical(nrow(tables))
  for (same in split(seq_len(nrow(tables)), key)) {
    group <- tables[same, , drop = FALSE]
    width <- apply(group, 2, max) - apply(group, 2, min)
    safe[same] <- apply(group, 1, function(t) all(width[t %in% at_risk] >= beta))
  }
  list(safe = safe, key = key)
}

test_that("oracle: an envelope tells that it was accepted, and its tables when they come out", {
  skip_if_no_store()
  set.seed(10)
  n <- c(servers = 0, told = 0, judged = 0)
  size <- c(2, 2, 2)
  first <- arrayInd(1:8, size) == 1
  sets <- list(1:2, c(1, 3), 2:3)
  for (trial in seq_len(rounds(14, 28))) {
    tables <- tables_of_total(5 + trial %% 2, 8)
    counts <- tables[sample(nrow(tables), 1), ]
    beta <- sample(2, 1)
    at_risk <- sample(2, 1)
    envelope <- sample(sets, sample(2, 1))
    label <- function(sets) lapply(sets, function(set) LETTERS[set])
    policy <- server_policy(risk_width(beta, at_risk), rule = "envelope",
                            envelope = label(envelope), origin = "data_free", time_limit_s = 30)
    x <- small_table(counts, size)
    server <- tryCatch(table_server(x, policy), sdc_error = function(e) NULL)
    if (is.null(server)) next
    one_way <- t(tables %*% first)
    tables <- tables[colSums(one_way == c(counts %*% first)) == 3, , drop = FALSE]
    me <- which(colSums(t(tables) == counts) == 8)
    judge <- function(sets) safe_tables(tables, sets, size, beta, at_risk)
    agree <- rep(TRUE, nrow(tables))
    at <- apply(tables, 1, function(t) any(t %in% at_risk))
    aware <- at & judge(list())$safe & judge(envelope)$safe
    n[1:2] <- n[1:2] + c(1, any(!aware))
    out <- list()
    outside <- setdiff(sets, envelope)
    requests <- if (trial %% 2 == 0) c(outside[1], envelope) else envelope[-1]
    for (set in requests) {
      if (!list(set) %in% envelope) {
        suppressWarnings(record_release(server, label(list(set))))
      } else {
        # after what was recorded from outside the envelope, it is judged
        foreseen <- all(out %in% envelope)
        judged <- judge(c(out, list(set)))$safe
        given <- request_table(server, LETTERS[set])$outcome
        expect_identical(given, if (foreseen || judged[me]) "released" else "refused")
        if (!foreseen) aware <- aware & judged == judged[me]
        n["judged"] <- n["judged"] + !foreseen
        if (given == "refused") next
      }
      out <- c(out, list(set))
      key <- judge(out)$key
      agree <- key == key[me]
    }
    aware <- aware & agree
    told <- audit(server, policy_aware = TRUE)$policy_aware
    close(server)
    expect_identical(c(told$n_margins_only, told$n_policy_aware), c(sum(agree), sum(aware)))
    left <- tables[aware, which(counts %in% at_risk), drop = FALSE]
    expect_identical(told$cells$broken, apply(left, 2, max) - apply(left, 2, min) < beta)
  }
  expect_gt(min(n), rounds(1, 3))
})

test_that("property: steps and dimensions that may not be asked for tell nothing", {
  x <- small_table(c(3, 3, 3, 3, 3, 1, 3, 3), c(2, 2, 2))
  ask <- function(...) policy_learns(x, ..., beta = 1)
  expect_identical(ask(list(1:3))$answers, "structural")
  expect_identical(ask(list(1:2, 1:3), max_dimension = 2)$answers, c("released", "structural"))
  # A is inside of A:B then, and no longer on the frontier
  steps <- list(1:2, c(1, 3))
  expect_identical(ask(steps, step = "frontier")$answers, c("released", "released"))
  expect_identical(ask(list(1:2, c(1, 3), 2:3), step = "frontier")$answers[3], "structural")
  expect_identical(ask(list(1:2, c(1, 3), 2:3))$answers[3] == "structural", FALSE)
  expect_identical(ask(list(1:2, 2, integer(), 1:2))$answers, c("released", rep("already", 3)))
})

test_that("property: cells at risk may be named", {
  x <- small_table(c(3, 1, 2, 4), c(2, 2))
  told <- policy_learns(x, list(1:2), beta = 2, cells = 2)
  expect_identical(told$answers, "refused")
  expect_identical(nrow(told$cells), 1L)
  # a refusal that every table would have had tells nothing
  expect_identical(told$n_policy_aware,
                   sum(enumerate_tables(margins(x, list("A", "B")))[2, 1, ] > 0))
})

test_that("property: bad arguments and large tables are refused", {
  x <- small_table(c(3, 1, 2, 4), c(2, 2))
  expect_error(policy_learns(x, list("Z"), 2), class = "sdc_error_input")
  expect_error(policy_learns(x, list(1:2), 2, answers = "maybe"), class = "sdc_error_input")
  expect_error(policy_learns(x, list(1:2), 2, answers = character()), class = "sdc_error_input")
  expect_error(policy_learns(x, list(1:2), 2, limit = 0), class = "sdc_error_input")
  expect_error(policy_learns(x, list(1:2), 2, at_risk = 9), class = "sdc_error_input")
  expect_error(policy_learns(x, list(1:2), 2, limit = 3), class = "sdc_error_too_large")
  expect_error(policy_learns(czech_workers, list(1:2), 3), class = "sdc_error_too_large")
})

test_that("snapshot: what a policy tells", {
  x <- small_table(c(0, 0, 1, 1, 1, 2, 2, 2), c(2, 2, 2))
  expect_snapshot({
    policy_learns(x, list(1:2, c(1, 3), 2:3), 2, rule = "myopic")
    str(policy_learns(x, list(), 2))
  })
  expect_snapshot(policy_learns(czech_workers, list(1:2), 3), error = TRUE)
})
