# Publications of rounded counts, judged by the program in inst/checker: the limits that they tell are
# true, and no small count is known.

# A rounded table, with the options of both functions: what is published, and the table itself.
draw_rounding <- function(method, tiny = FALSE) {
  linked <- method != "stochastic" && !tiny && stats::runif(1) < .3
  sizes <- if (tiny) list(c(2, 2), c(2, 3), 4) else list(c(3, 3), c(2, 4), c(2, 3), 6)
  counts <- auditor_table(if (linked) c(2, 3, 2) else one_of_list(sizes), 2.5)
  base <- if (tiny) 2 else sample(2:5, 1)
  tree <- data.frame(parent = c("all", "all", "p", "p"), child = c("p", "b1", "b2", "b3"))
  trees <- if (length(dim(counts)) > 1 && ncol(counts) == 3 && stats::runif(1) < .5) list(B = tree)
  seed <- sample.int(1e6, 1)
  again <- function(counts) {
    x <- sdc_table(as.data.frame(as.table(counts)), names(dimnames(counts)), "Freq", hierarchies = trees,
                   formula = if (linked) ~ A:B + A:C)
    switch(method,
      small = round_small(x, base), nearest = round_controlled(x, base, method = "nearest", violation = "least"),
      round_controlled(x, base, seed = seed)
    )
  }
  held <- lapply(rlang::set_names(names(dimnames(counts))), function(v) {
    held_by_label(dimnames(counts)[[v]], trees[[v]])
  })
  list(counts = counts, base = base, held = held, again = again, pub = publish(again(counts), insist = TRUE))
}

# What the help pages say that a reader knows.
case_of_rounding <- function(one) {
  cells <- as.data.frame(one$pub, totals = TRUE, zeros = TRUE)
  leaves <- leaves_of_rows(cells, dimnames(one$counts), one$held)
  at <- cells$count
  low <- pmax(0, at - one$pub$reach)
  high <- at + one$pub$reach
  if (one$pub$method == "small") {
    leaf <- lengths(leaves) == 1
    low[leaf] <- ifelse(at == 0, 0, ifelse(at == one$base, 1, at))[leaf]
    high[leaf] <- ifelse(at == 0, one$base - 1, at)[leaf]
  }
  c("case rounded", "kind rounding", paste(c("truth", one$counts), collapse = " "),
    paste("small", one$base - 1), "zeros hidden", "limit 5000",
    paste("sum within", low, high, ":", vapply(leaves, paste, "", collapse = " ")), "end")
}

# Nothing is promised about people who are alone in a cell: to base 2 somebody who is alone in a total
# that was rounded to 0 knows that she is.
test_that("property: the limits of rounded tables are true, and no small count is known", {
  set.seed(471)
  drawn <- lapply(rep(c("stochastic", "nearest", "small"), rounds(20, 1000)), draw_rounding)
  found <- run_auditor(lapply(drawn, case_of_rounding))
  expect_identical(unique(vapply(found, `[[`, "", "verdict")), "safe")
})

test_that("oracle: whoever rounds all tables again that agree knows what those have that lead there", {
  set.seed(473)
  drawn <- lapply(rep(c("nearest", "small"), rounds(12, 100)), draw_rounding, tiny = TRUE)
  cases <- lapply(drawn, function(one) append(case_of_rounding(one), "list", 1))
  listed <- lapply(run_auditor(cases), `[[`, "listed")
  few <- which(lengths(listed) > 0 & lengths(listed) <= rounds(60, 500))
  expect_gt(length(few), 2)
  asked <- excluded <- 0
  for (k in few) {
    one <- drawn[[k]]
    rounded <- function(of) as.data.frame(publish(of, insist = TRUE), totals = TRUE, zeros = TRUE)$count
    leads <- vapply(listed[[k]], function(values) {
      again <- tryCatch(one$again(replace(one$counts, TRUE, values)), sdc_error = function(cnd) NULL)
      !is.null(again) && identical(rounded(again), as.data.frame(one$pub, totals = TRUE, zeros = TRUE)$count)
    }, NA)
    kept <- do.call(rbind, listed[[k]][leads])
    expect_true(any(colSums(t(kept) != as.vector(one$counts)) == 0))
    case <- append(cases[[k]], c("readers method", paste(c("kept", which(leads)), collapse = " ")), 1)
    said <- grep("^(open|safe) method", run_auditor(list(case), explain = TRUE)[[1]]$said, value = TRUE)
    leaves <- leaves_of_rows(as.data.frame(one$pub, totals = TRUE, zeros = TRUE), dimnames(one$counts), one$held)
    for (words in strsplit(said, "[ :]+")) {
      limits <- range(rowSums(kept[, leaves[[as.numeric(words[4])]], drop = FALSE]))
      expect_equal(as.numeric(words[5:6]), limits)
      expect_identical(words[1], if (limits[1] == limits[2]) "open" else "safe")
      asked <- asked + 1
    }
    excluded <- excluded + sum(!leads)
  }
  # limits of the numbers are all that is promised: who has the program excludes tables
  expect_gt(asked, 5)
  expect_gt(excluded, 5)
})

test_that("property: a rounded number that is changed is caught where its limits are left", {
  set.seed(472)
  drawn <- lapply(rep(c("stochastic", "nearest"), rounds(10, 200)), draw_rounding)
  edited <- lapply(drawn, function(one) {
    case <- case_of_rounding(one)
    lines <- which(startsWith(case, "sum within"))
    at <- lines[sample.int(length(lines), 1)]
    words <- strsplit(case[at], " ")[[1]]
    # none of these limits holds the true count
    words[3:4] <- as.numeric(words[3:4]) + 2 * one$pub$reach + 1
    replace(case, at, paste(words, collapse = " "))
  })
  verdicts <- vapply(run_auditor(edited), `[[`, "", "verdict")
  expect_true(all(verdicts == "wrong"))
})

test_that("property: one exact count more beside rounded ones is caught, or nobody learns a small one", {
  set.seed(474)
  drawn <- lapply(rep(c("stochastic", "nearest", "small"), rounds(8, 200)), draw_rounding)
  cases <- lapply(drawn, case_of_rounding)
  plain <- run_auditor(cases, explain = TRUE)
  # with --explain each small count has a line that says what is possible
  for (k in seq_along(drawn)) {
    sums <- grep("^sum ", cases[[k]], value = TRUE)
    count <- vapply(strsplit(sub(".*: ", "", sums), " "), function(at) sum(drawn[[k]]$counts[as.numeric(at)]), 0)
    named <- as.numeric(sub("^safe outsider - : ([0-9]+) .*", "\\1", plain[[k]]$said))
    expect_identical(named, as.numeric(which(count %in% seq_len(drawn[[k]]$base - 1))))
  }
  leaf <- vapply(drawn, function(one) sample.int(length(one$counts), 1), 1L)
  told <- run_auditor(Map(function(one, case, at) {
    append(case, paste("sum is", one$counts[at], ":", at), length(case) - 1)
  }, drawn, cases, leaf), explain = TRUE)
  small <- mapply(function(one, at) one$counts[at] %in% seq_len(one$base - 1), drawn, leaf)
  verdicts <- vapply(told, `[[`, "", "verdict")
  expect_true(all(verdicts[small] == "open"))
  expect_true(all(vapply(told[small], function(one) any(grepl("^shown", one$said)), NA)))
  expect_true("safe" %in% verdicts[!small])
  for (one in told[verdicts == "safe"]) expect_true(all(grepl("^safe outsider", one$said)))
})

test_that("property: no edit of a private rounding is published that tells other limits than are true", {
  set.seed(475)
  refused <- character()
  passed <- list()
  for (k in seq_len(rounds(9, 200))) {
    method <- c("stochastic", "nearest", "small")[k %% 3 + 1]
    two <- list(draw_rounding(method))
    repeat {
      two[[2]] <- draw_rounding(method)
      if (identical(two[[1]]$held, two[[2]]$held)) break
    }
    made <- lapply(two, function(one) one$again(one$counts))
    x <- made[[1]]
    moved <- function(table, by) {
      counts <- dense_counts(table)
      at <- sample.int(length(counts), 1)
      counts[at] <- counts[at] + by
      table_from_dense(counts, table$dimnames)
    }
    edits <- list(
      count = replace(x, "rounded", list(moved(x$rounded, x$base))),
      by_one = replace(x, "rounded", list(moved(x$rounded, 1))),
      original = replace(x, "original", list(moved(x$original, x$base + 1))),
      both = replace(x, c("original", "rounded"), unclass(made[[2]])[c("original", "rounded")]),
      base = replace(x, "base", x$base + 1), reach = replace(x, "reach", 0),
      margins = replace(x, "margins", list(list())),
      method = replace(x, "method", setdiff(c("nearest", "small"), method)[1]),
      pattern = replace(x, "rounded", list(made[[2]]$rounded)), whole = made[[2]],
      class = structure(x, class = rev(class(x))), attributes = structure(x, truth = x$original)
    )
    for (name in names(edits)) {
      edited <- edits[[name]]
      sealed <- tryCatch(replace(edited, "seal", list(seal_of("rounding", rounding_parts(edited)))),
                         error = function(cnd) edited)
      for (one in list(edited, sealed)) {
        pub <- tryCatch(publish(one, insist = TRUE), sdc_error = function(cnd) NULL)
        if (is.null(pub)) refused <- c(refused, name) else {
          from <- two[[if (name %in% c("whole", "both")) 2 else 1]]
          from[c("name", "base", "pub")] <- list(name, pub$base, pub)
          passed <- c(passed, list(from))
        }
      }
    }
  }
  expect_true(all(c("count", "by_one", "original", "both", "base", "reach", "method", "pattern") %in% refused))
  said <- vapply(passed, `[[`, "", "name")
  expect_true(all(c("whole", "attributes") %in% said))
  verdicts <- vapply(run_auditor(lapply(passed, case_of_rounding)), `[[`, "", "verdict")
  expect_identical(unique(verdicts), "safe", info = paste(said, verdicts, collapse = "\n"))
  # nothing private comes along
  for (one in passed) expect_identical(names(attributes(one$pub)), c("names", "class"))
})
