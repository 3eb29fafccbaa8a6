# Cells that are chosen without a look at counts: readers who know the method and its key.

for_method <- function(x, maxN, ..., readers = c("outsider", "contributor", "method"), time_limit_s = 5) {
  suppressWarnings(
    suppress(x, maxN = maxN, method = "certified", readers = readers, time_limit_s = time_limit_s, ...),
    classes = "sdc_warning_unsafe"
  )
}

# A column for each table that agrees with the publication and has the same zeros and the same small
# counts, a row for each suppressed cell; NULL where they are too many.
same_status_tables <- function(su) {
  public <- public_suppression(su)
  tables <- tryCatch(
    enumerate_tables(reader_system(public), limit = 1e5, max_states = 1e6, max_steps = 2e7),
    sdc_error = function(cnd) NULL
  )
  if (is.null(tables)) {
    return(NULL)
  }
  freq <- su$cells$freq[public$cells$suppressed]
  tables <- matrix(tables, length(freq))
  small <- function(v) v %in% seq_len(su$maxN)
  tables[, apply(tables, 2, function(v) all(v > 0) && identical(small(v), small(freq))), drop = FALSE]
}

# The table of a column.
table_of_column <- function(su, column) {
  freq <- replace(su$cells$freq, is_withheld(su), column)
  array(freq[inner_rows(su$cells, su$original$dimnames)], lengths(su$original$dimnames), su$original$dimnames)
}

# The same call with the key, for another table.
answer_again <- function(su, column) {
  for_method(table_of_column(su, column), su$maxN, key = su$further$key, readers = su$readers,
             published = su$further$published)
}

same_answer <- function(su, again) {
  identical(again$cells$sdcStatus, su$cells$sdcStatus) && identical(again$level, su$level)
}

# A column for each table of a certificate that counts for this reader.
keeping_tables <- function(su) {
  changed <- changed_cells(su)
  freq <- su$cells$freq[is_withheld(su)]
  vapply(keeps_status(su, changed), function(k) {
    own <- changed[changed$certificate == k, ]
    replace(su$cells$freq, own$row, su$cells$freq[own$row] + own$change)[is_withheld(su)]
  }, freq)
}

# The tables of certificates have the same answer, and at a level the same certainty.
expect_same_choice <- function(su, n, info) {
  tables <- matrix(keeping_tables(su), sum(is_withheld(su)))
  for (k in utils::head(seq_len(ncol(tables)), n)) {
    again <- answer_again(su, tables[, k])
    expect_true(same_answer(su, again), info = paste(info, k))
    if (su$level > 0) expect_identical(nrow(again$lacking), 0L, info = paste(info, k))
  }
}

# What a reader knows who runs the method with its key on all of these tables is listed.
expect_lacking_as_listed <- function(su, tables, info) {
  hidden <- which(is_withheld(su))
  primary <- which(su$cells$sdcStatus == "u")
  known <- function(kept) primary[apply(tables[match(primary, hidden), kept, drop = FALSE], 1,
                                        function(v) diff(range(v)) < su$width)]
  open <- function(who) {
    su$lacking$row[su$lacking$reader == "outsider" | is.na(su$lacking$who) | su$lacking$who %in% who]
  }
  remain <- rep(TRUE, ncol(tables))
  if (ncol(tables) <= rounds(8, 100)) {
    remain <- apply(tables, 2, function(column) same_answer(su, answer_again(su, column)))
  }
  expect_true(all(known(remain) %in% open(NULL)), info = info)
  single <- if ("contributor" %in% su$readers) single_contributors(su)
  for (i in seq_along(single$who)) {
    own <- single$known$row[single$known$reader == i]
    kept <- remain & colSums(tables[match(own, hidden), , drop = FALSE] != 1) == 0
    expect_true(all(setdiff(known(kept), own) %in% open(single$who[i])), info = paste(info, i))
  }
  sum(remain) < ncol(tables)
}

test_that("oracle: no table of the same status contradicts a count that this reader knows, Titanic", {
  tried <- 0
  margins <- c(list(c(1, 2, 4), c(1, 2, 3)), if (is_long()) list(1:4))
  for (margin in margins) {
    su <- for_method(margin.table(Titanic, margin), 3, seed = 1)
    expect_identical(nrow(su$lacking), 0L)
    expect_true(verify_suppression(su)$verified)
    expect_s3_class(publish(su), "sdc_suppressed")
    tables <- if (any(su$cells$sdcStatus == "u")) same_status_tables(su)
    if (is.null(tables)) next
    tried <- tried + 1
    expect_lacking_as_listed(su, tables, length(margin))
    expect_same_choice(su, 2, length(margin))
  }
  expect_identical(tried, rounds(2, 3))
})

test_that("oracle: what is certified for who knows the method is so by all tables of the same status", {
  set.seed(236)
  tried <- c(tables = 0, lacking = 0, certified = 0, excluded = 0)
  levels <- numeric()
  for (k in seq_len(rounds(8, 18))) {
    x <- matrix(rpois(12, sample(3:5, 1)), 3, dimnames = list(A = 1:3, B = 1:4))
    # the listing needs an end
    totals <- rbind(data.frame(A = 1:3, B = "Total"), data.frame(A = "Total", B = c(1:4, "Total")))
    totals <- totals[c(rowSums(x), colSums(x), sum(x)) > 3, ]
    su <- for_method(x, sample(2:3, 1), published = if (k %% 4) totals, seed = k,
                     readers = c("outsider", if (k %% 3) "contributor", "method"))
    if (!any(su$cells$sdcStatus == "u")) next
    tables <- same_status_tables(su)
    if (is.null(tables)) next
    excluded <- expect_lacking_as_listed(su, tables, k)
    expect_same_choice(su, rounds(2, 3), k)
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0)
    rows <- unique(su$lacking$row)
    tried <- tried + c(1, length(rows), sum(su$cells$sdcStatus == "u") - length(rows), excluded)
    levels <- c(levels, su$level)
  }
  expect_true(all(tried > c(3, 3, 3, 0)))
  expect_true(all(0:2 %in% levels))
})

test_that("oracle: an audit that runs the method again with its key learns nothing that is certified", {
  set.seed(237)
  tried <- 0
  for (k in seq_len(rounds(2, 5))) {
    x <- matrix(rpois(9, 4), 3, dimnames = list(A = 1:3, B = 1:3))
    totals <- rbind(data.frame(A = 1:3, B = "Total"), data.frame(A = "Total", B = c(1:3, "Total")))
    totals <- totals[c(rowSums(x), colSums(x), sum(x)) > 2, ]
    su <- for_method(x, 2, published = totals, seed = k, readers = c("outsider", "method"))
    found <- tryCatch(audit(su, readers = "method", count = FALSE, max_tables = 60),
                      sdc_error_too_large = function(cnd) NULL)
    if (is.null(found)) next
    tried <- tried + 1
    label <- function(frame) paste(frame$A, frame$B)
    lacking <- label(su$cells[unique(su$lacking$row), ])
    expect_true(all(label(found$learned) %in% lacking), info = k)
    if (nrow(su$lacking) == 0) expect_gt(found$reader_counts$method[["tables_after"]], 1)
  }
  expect_gt(tried, 1)
})

test_that("property: a key leads to the same cells, and stays inside", {
  x <- certified_cases()$two$original
  su <- for_method(x, 3)
  expect_length(su$further$key, 32)
  expect_identical(for_method(x, 3, key = su$further$key), su)
  # secret costs matter
  titanic <- margin.table(Titanic, c(1, 2, 4))
  by_seed <- lapply(1:3, function(k) for_method(titanic, 3, seed = k))
  expect_identical(for_method(titanic, 3, seed = 1), by_seed[[1]])
  expect_false(identical(by_seed[[1]]$further$key, su$further$key))
  expect_gt(length(unique(lapply(by_seed, function(su) su$cells$sdcStatus))), 1)
  public <- publish(su, insist = TRUE)
  bytes <- function(x) paste(as.character(x), collapse = "")
  expect_false(grepl(bytes(su$further$key), bytes(serialize(public, NULL)), fixed = TRUE))
  expect_false(any(c("key", "further", "value_free") %in% names(public)))
  expect_identical(range(key_numbers(su$further$key, 1000)$factor), c(1, 4))
})

test_that("property: only who was asked for is refused, and with maxN = 1 nothing is left", {
  x <- Titanic
  others <- for_method(x, 1, seed = 1, readers = c("outsider", "contributor"))
  expect_identical(nrow(others$lacking), 0L)
  expect_s3_class(publish(others), "sdc_suppressed")
  expect_warning(su <- suppress(x, maxN = 1, method = "certified", seed = 1, readers = c("outsider", "method")),
                 "only be from 1 to", class = "sdc_warning_unsafe")
  primary <- which(su$cells$sdcStatus == "u")
  expect_setequal(su$lacking$row, primary)
  expect_setequal(su$lacking$reader, "method")
  expect_error(publish(su), "not certified for readers who know the method", class = "sdc_error_refused")
  expect_match(format(su), "FAILS: certified for readers who know the method: 0 of", all = FALSE)
  expect_match(format(explain(su, su$cells[primary[1], names(dimnames(Titanic))])), "FAILS: no certificate that keeps",
               all = FALSE)
  expect_no_match(format(su), "not covered.*know the method")
  expect_match(format(others), "not covered.*know the method", all = FALSE)
})

test_that("property: what would break the promise is not verified", {
  su <- for_method(Titanic, 3, seed = 1)
  expect_identical(verify_suppression(su)$readers$lacking, c(0, 0, 0))
  refused <- function(edited) {
    edited <- resealed(edited)
    expect_false(verify_suppression(edited)$verified)
    expect_error(publish(edited), class = "sdc_error_refused")
  }
  late <- su
  late$value_free <- FALSE
  refused(late)
  late$value_free <- NULL
  refused(late)
  other <- su
  other$method <- "optimal"
  refused(other)
  # a table in which a small count is no longer small proves nothing to this reader
  kept <- su
  far <- kept$certificates$change * 3
  kept$certificates$change <- far
  refused(kept)
  plain <- certified_cases()$outsider
  plain$readers <- c("outsider", "method")
  refused(plain)
  plain$value_free <- FALSE
  refused(plain)
})

test_that("property: a choice that time cuts short is certified for nobody who knows the method", {
  su <- for_method(certified_cases()$three$original, 3, seed = 1, time_limit_s = 0)
  if (!su$value_free) {
    expect_setequal(su$lacking$row, which(su$cells$sdcStatus == "u"))
    expect_match(method_hint(su), "time limit")
  } else {
    expect_false(su$stopped)
  }
})

test_that("property: the hint speaks of maxN where counts up to it are too few", {
  told <- function(maxN, width, zeros) {
    grepl("not wide enough", method_hint(list(value_free = TRUE, maxN = maxN, width = width, protectZeros = zeros)))
  }
  expect_identical(c(told(3, 1, FALSE), told(2, 1, FALSE), told(3, 2, FALSE), told(1, 1, TRUE)), rep(FALSE, 4))
  expect_identical(c(told(1, 1, FALSE), told(3, 3, FALSE), told(1, 2, TRUE)), rep(TRUE, 3))
})

test_that("property: what cannot be promised is an error", {
  x <- certified_cases()$two$original
  fails <- function(words, ..., table = x, method = "certified", readers = "method") {
    expect_error(suppress(table, maxN = 2, method = method, readers = readers, ...), words,
                 class = "sdc_error_input")
  }
  fails("alone", method = "optimal")
  fails("pattern", pattern = as.array(x) < 3)
  fails("counts", cost = "counts")
  fails("counts", cost = "log")
  fails("function", cost = function(cells) cells$freq)
  fails("cost", cost = 1)
  fails("formula", table = certified_cases()$linked$original)
  fails("key", key = as.raw(1:32), readers = "outsider")
  fails("16 bytes", key = as.raw(1:3))
  fails("Only one", key = as.raw(1:32), seed = 1)
  expect_error(suppress(x, key = as.raw(1:32)), "key", class = "sdc_error_input")
  # the default seed is no secret, and makes no key
  keys <- lapply(1:2, function(i) for_method(matrix(c(1, 7, 6, 9), 2), 2)$further$key)
  expect_length(unique(keys), 2)
  expect_identical(lengths(keys), c(32L, 32L))
})

test_that("property: trees are chosen for without a look at counts, too", {
  x <- certified_cases()$tree$original
  su <- for_method(x, 3, seed = 1)
  expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0)
  tried <- 0
  kept <- keeps_status(su, changed_cells(su))
  inner <- inner_rows(su$cells, x$dimnames)
  for (k in utils::head(kept, rounds(1, 5))) {
    own <- su$certificates[su$certificates$certificate == k, ]
    freq <- su$cells$freq
    freq[own$row] <- freq[own$row] + own$change
    other <- set_layout(table_from_dense(freq[inner], x$dimnames), x$layout)
    expect_identical(for_method(other, 3, seed = 1)$cells$sdcStatus, su$cells$sdcStatus)
    tried <- tried + 1
  }
  expect_gt(tried, 0)
})

test_that("oracle: by default no table of the same status contradicts a count of Titanic that this reader knows", {
  su <- suppress(Titanic)
  expect_identical(su$readers, offered_readers)
  expect_identical(nrow(su$lacking), 0L)
  expect_null(su$further$key)
  expect_match(format(su), "certified for readers who know the method: 4 of 4 primary cells", all = FALSE)
  expect_no_match(format(su), "not covered.*know the method")
  # tables of the same status remain, and each primary count differs in them
  tables <- same_status_tables(su)
  primary <- su$cells$sdcStatus[is_withheld(su)] == "u"
  remain <- apply(tables, 2, function(column) {
    again <- rerun_method(su, as_sdc_table(table_of_column(su, column)))
    identical(rerun_outcome(su, again, which(is_hidden(su))), "same")
  })
  expect_true(all(remain))
  expect_true(all(apply(tables[primary, ], 1, function(v) diff(range(v))) > 0))
  # the reader with all arguments, on all tables that agree
  margins <- if (is_long()) list(1:4, c(1, 2, 4)) else list(c(1, 2, 4))
  for (margin in margins) {
    found <- audit(suppress(margin.table(Titanic, margin)), readers = "method", count = FALSE)
    expect_identical(nrow(found$learned), 0L)
    expect_true(all(found$method_cells$known[found$method_cells$primary] != "exactly"))
    expect_gt(found$reader_counts$method[["tables_after"]], 1)
  }
})

test_that("oracle: what is offered by default is so for all tables of its certificates", {
  set.seed(238)
  tried <- c(offered = 0, dear = 0, open = 0)
  default <- function(x) suppressWarnings(suppress(x, maxN = 3), classes = "sdc_warning_unsafe")
  for (k in 1:14) {
    x <- matrix(rpois(12, sample(c(4, 8), 1)), 3, dimnames = list(A = 1:3, B = 1:4))
    su <- default(x)
    if (!any(su$cells$sdcStatus == "u")) next
    if (is.null(su$left_out)) {
      tried[["offered"]] <- tried[["offered"]] + 1
      expect_identical(nrow(su$lacking), 0L)
      expect_true(verify_suppression(su)$verified)
      expect_lte(su$bound, su$cost)
      tables <- matrix(keeping_tables(su), sum(is_withheld(su)))
      for (j in utils::head(seq_len(ncol(tables)), 3)) {
        again <- default(table_of_column(su, tables[, j]))
        expect_true(same_answer(su, again), info = paste(k, j))
        expect_identical(again$readers, su$readers)
      }
    } else {
      tried[[su$left_out$reason]] <- tried[[su$left_out$reason]] + 1
      expect_identical(su$readers, usual_readers)
      # as it would be if nobody had asked
      named <- suppressWarnings(suppress(x, maxN = 3, readers = usual_readers), classes = "sdc_warning_unsafe")
      expect_identical(named$cells, su$cells)
    }
  }
  expect_true(all(tried[c("offered", "dear")] > 1))
})

test_that("property: why readers who know the method are left out is said", {
  why <- function(words, ..., x = roehrig) {
    su <- suppressWarnings(suppress(x, ...), classes = "sdc_warning_unsafe")
    expect_identical(su$readers, usual_readers)
    expect_match(format(su), paste0("not covered: .*readers who know the method", words), all = FALSE)
    expect_true(left_out_fits(su$left_out))
    su$left_out$reason
  }
  expect_identical(why(", other", method = "optimal"), "chosen")
  expect_identical(why(" \\(for them `maxN` must be above `width`", maxN = 1), "narrow")
  expect_identical(why(" \\(for them", maxN = 3, width = 3), "narrow")
  expect_identical(why(" \\(where zeros", protectZeros = TRUE), "zeros")
  expect_identical(why(" \\(an argument", cost = "log"), "arguments")
  expect_identical(why(" \\(of more than 300", x = czech_workers, time_limit_s = 1), "large")
  expect_identical(why(" \\(it is not offered for linked", x = certified_cases()$linked$original), "linked")
  expect_identical(why(" \\(the time", x = Titanic, time_limit_s = 0), "time")
  x <- matrix(c(1, 2, 3, 1, 7, 2, 9, 3, 1, 2, 8, 9, 1, 2, 3, 12), 4)
  su <- suppress(x)
  expect_identical(su$left_out$reason, "dear")
  expect_gt(su$left_out$cost, most_price * su$left_out$usual)
  expect_match(format(su), "would cost [0-9]+ or more where [0-9]+ is usual", all = FALSE)
  # named readers are taken at their word
  expect_null(suppress(roehrig, readers = usual_readers)$left_out)
  edited <- su
  edited$left_out$reason <- "because"
  expect_false(verify_suppression(resealed(edited))$verified)
})

test_that("property: where no level suffices the print says what is promised of the decision", {
  x <- matrix(c(2, 2, 1, 4, 2, 2, 4, 2, 4, 9, 7, 0), 3, dimnames = list(A = 1:3, B = 1:4))
  said <- "primary cells, by the choice of cells, not by the decision to publish$"
  su <- suppress(x, 3, readers = c("outsider", "method"), protectZeros = TRUE)
  expect_identical(su$level, 0)
  expect_match(format(su), paste("readers who know the method: 7 of 7", said), all = FALSE)
  su <- suppress(x, 3, readers = c("outsider", "method"))
  expect_gt(su$level, 0)
  expect_no_match(format(su), said)
})
