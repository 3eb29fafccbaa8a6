# Rows of people that would be given away as a group, against all tables that agree.

# Does the row hold the cell of somebody?
holds_person <- function(su, row, who, v) {
  all(vapply(setdiff(names(su$original$dimnames), v), function(o) {
    as.character(su$cells[[o]][row[1]]) %in% c("Total", as.character(su$cells[[o]][who]))
  }, NA))
}

# Zeros of which no table says otherwise, in rows that need one. `who`: the row of a person's cell.
open_zeros <- function(su, tables, small, who = NULL) {
  out <- numeric()
  for (v in su$groups) for (r in rows_by_hand(su, v)) {
    freq <- su$cells$freq[r]
    # of herself alone she learns nothing
    if (!is_given(freq, small) || sum(freq) == 1 && !is.null(who) && holds_person(su, r, who, v)) next
    zeros <- r[freq == 0]
    can <- rowSums(tables[zeros, , drop = FALSE] > 0) > 0
    # what larger rows tell is not asked of small rows
    told <- su$cells$sdcStatus[zeros] == "z"
    if (sum(freq > 0) == 1 && !any(can)) out <- c(out, if (all(told)) -1 else zeros[!told])
    if (sum(freq) <= small) out <- c(out, zeros[!can & !told])
  }
  unique(out)
}

test_that("oracle: rows that would be given away are open for every reader, in all tables that agree", {
  set.seed(411)
  tried <- c(rows = 0, people = 0, small = 0, two = 0, lacking = 0)
  for (k in seq_len(rounds(10, 600))) {
    dim <- if (k %% 4 == 0) c(2, 3, 2) else c(4, 3)
    names <- list(A = 1:4, B = 1:3, C = 1:2)[seq_along(dim)]
    x <- array(rpois(prod(dim), sample(c(1, 3), 1)) * rbinom(prod(dim), 1, .6), dim,
               Map(function(level, n) level[seq_len(n)], names, dim))
    groups <- if (k %% 5 == 0) c("A", "B") else sample(names(names)[1:2], 1)
    small <- sample(c(0, 0, 2, 3), 1)
    if (sum(x) < 8) next
    su <- certify_groups(x, groups, small_groups = small, maxN = sample(0:2, 1),
                         method = if (k %% 3 == 0) "optimal" else "certified", published = published_totals(x))
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = k)
    tables <- tables_of_groups(su, small)
    if (is.null(tables)) next
    outside <- su$lacking$row[su$lacking$reader == "outsider"]
    expect_length(setdiff(open_zeros(su, tables, small), outside), 0)
    inner <- inner_rows(su$cells, su$original$dimnames)
    for (who in inner[su$cells$freq[inner] == 1]) {
      open <- open_zeros(su, tables[, tables[who, ] == 1, drop = FALSE], small, who)
      expect_length(setdiff(open, c(outside, su$lacking$row[su$lacking$who %in% who])), 0)
      tried["people"] <- tried["people"] + 1
    }
    given <- sum(vapply(su$groups, function(v) {
      sum(vapply(rows_by_hand(su, v), function(r) is_given(su$cells$freq[r], small), NA))
    }, 0))
    tried <- tried + c(given, 0, small > 0, length(groups) > 1, nrow(su$lacking) > 0)
  }
  expect_true(all(tried > rounds(c(10, 2, 1, 0, -1), c(20, 5, 3, 1, -1))))
})

# Of whom in a row all others are in one category (`who`, the row of the person's cell), and can she
# tell? `knows`: as she knows that she is alone, where the publication leaves that to her.
insiders_of <- function(su, tables) {
  inner <- inner_rows(su$cells, su$original$dimnames)
  variables <- names(su$original$dimnames)
  below <- function(cell, at) {
    Reduce(`&`, lapply(su$cells[variables], function(col) {
      col[cell] == "Total" | as.character(col[at]) == as.character(col[cell])
    }))
  }
  out <- NULL
  for (v in su$groups) for (r in rows_by_hand(su, v)) {
    freq <- su$cells$freq[r]
    if (!is_near(freq)) next
    for (i in which(freq == 1)) {
      who <- Filter(function(at) su$cells$freq[at] == 1 && below(r[i], at), inner)
      sure <- !any(hides_zero(su)[inner] & below(r[i], inner))
      own <- tables[, tables[who, ] == 1 & (!sure | tables[r[i], ] == 1), drop = FALSE]
      j <- setdiff(which(freq == max(freq)), i)[1]
      others <- function(all) max(colSums(all[r[-j], , drop = FALSE]))
      out <- rbind(out, data.frame(who, closed = !any(hides_zero(su)[r]), knows = others(own) < 2,
                                   told = others(tables) < 2, zeros = I(list(r[freq == 0])), own = r[i]))
    }
  }
  out
}

test_that("oracle: nobody who is alone in a category learns that all others of the row are in one", {
  set.seed(413)
  tried <- c(rows = 0, open = 0, closed = 0, lacking = 0, secondary = 0)
  for (k in seq_len(rounds(12, 600))) {
    dim <- list(c(4, 3), c(3, 4), c(2, 3, 3))[[k %% 3 + 1]]
    names <- list(A = 1:4, B = 1:4, C = 1:3)[seq_along(dim)]
    x <- array(rpois(prod(dim), 3) * rbinom(prod(dim), 1, .5), dim,
               Map(function(level, n) level[seq_len(n)], names, dim))
    # two rows of which all but one are alike
    rows <- as.matrix(expand.grid(lapply(dim[-2], seq_len)))
    for (row in sample(nrow(rows), 2)) {
      at <- function(b) if (length(dim) == 2) cbind(rows[row, 1], b) else cbind(rows[row, 1], b, rows[row, 2])
      x[at(seq_len(dim[2]))] <- 0
      x[at(sample(dim[2], 2))] <- c(1, sample(1:4, 1))
    }
    su <- certify_groups(x, "B", maxN = sample(0:2, 1), small_groups = sample(c(0, 0, 3), 1),
                         published = published_totals(x))
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = k)
    tables <- tables_of_groups(su, su$small_groups)
    if (is.null(tables)) next
    found <- insiders_of(su, tables)
    for (n in seq_len(NROW(found))) {
      one <- found[n, ]
      said <- su$lacking$row[su$lacking$reader == "outsider" | su$lacking$who %in% one$who]
      lacks <- any(c(one$zeros[[1]], one$own) %in% said)
      # where no zero can rise she is not told that she is alone
      expect_false(if (one$closed) one$told && !lacks else one$knows && !lacks, info = paste(k, n))
      tried <- tried + c(1, !one$closed, one$closed, lacks, one$own %in% which(is_hidden(su)))
    }
  }
  expect_true(all(tried > rounds(c(10, 5, 1, -1, 1), c(100, 50, 10, 5, 10))))
})

# Six towns by how people were hurt: of the second town five are seriously hurt, and one is not hurt.
hurt <- cbind(none = c(0, 1, 1, 4, 0, 0), serious = c(4, 5, 3, 4, 1, 6), light = c(0, 0, 2, 1, 0, 0))
dimnames(hurt) <- list(town = paste0("k", 1:6), hurt = colnames(hurt))

test_that("property: a row of all but one is certified for that one, and said to be", {
  su <- certify_groups(hurt, "hurt", maxN = 0)
  expect_true(verify_suppression(su)$verified)
  expect_identical(sum(hides_zero(su) & su$cells$town == "k2"), 1L)
  expect_match(format(su), "3 of 3 groups of people where all have the same hurt: certified for everybody",
               all = FALSE, fixed = TRUE)
  expect_match(format(su), "1 of 1 group of people where all but one have the same hurt: certified for that one, who",
               all = FALSE, fixed = TRUE)
  expect_match(paste(trimws(format(explain(su, data.frame(town = "k2", hurt = "light")))), collapse = " "),
               "one of the people of town = k2 (6) would know that all others have the same hurt", fixed = TRUE)
  expect_identical(publish(su), public_suppression(su))
  # without the reader nobody asks, and she can tell
  alone <- certify_groups(hurt, "hurt", maxN = 0, readers = "outsider")
  expect_true(verify_suppression(alone)$verified)
  expect_false(any(hides_zero(alone) & alone$cells$town == "k2"))
  expect_false(any(grepl("all but one", format(alone), fixed = TRUE)))
  found <- insiders_of(alone, tables_of_groups(alone, 0))
  expect_true(any(found$told))
  for (one in list(within_list(alone, readers = c("outsider", "contributor")), within_list(su, readers = "outsider"))) {
    expect_false(verify_suppression(resealed(one))$verified)
  }
  # small counts that are primary vary together with the zero
  many <- certify_groups(hurt, "hurt", maxN = 3, cost = "counts", pattern = su$cells[c("town", "hurt", "sdcStatus")],
                         repair = TRUE)
  expect_identical(verify_suppression(many)$verified, nrow(many$lacking) == 0)
})

test_that("property: where no other category is possible nobody is told that she is alone", {
  x <- cbind(no = c(5, 9, 4, 7), yes = c(1, 6, 8, 5))
  dimnames(x) <- list(town = 1:4, ill = colnames(x))
  su <- certify_groups(x, "ill", maxN = 0)
  at <- which(su$cells$town == "1" & su$cells$ill == "yes")
  expect_identical(which(su$cells$sdcStatus == "u"), at)
  expect_true(verify_suppression(su)$verified)
  found <- insiders_of(su, tables_of_groups(su, 0))
  expect_true(nrow(found) == 1 && found$closed && !found$told)
  expect_match(format(su), "1 of 1 group of people where all but one have the same ill, and no zero can rise",
               all = FALSE, fixed = TRUE)
  expect_match(paste(trimws(format(explain(su, data.frame(town = "1", ill = "yes")))), collapse = " "),
               "if it were published one of the people", fixed = TRUE)
  for (status in c("s", "x")) {
    edited <- within_list(su, cells = within(su$cells, sdcStatus[at] <- status))
    expect_false(verify_suppression(resealed(edited))$verified)
    expect_error(publish(resealed(edited)), class = "sdc_error_refused")
  }
  # a third category that nobody has anywhere changes nothing
  more <- cbind(x, never = 0)
  names(dimnames(more)) <- names(dimnames(x))
  more <- certify_groups(more, "ill", maxN = 0)
  expect_true(verify_suppression(more)$verified)
})

jobs <- rbind(north = c(factory = 12, office = 0, none = 0), east = c(5, 7, 4), south = c(3, 9, 6), west = c(0, 3, 2))
names(dimnames(jobs)) <- c("area", "job")

test_that("property: rows with trees, patterns, widths and other methods are certified", {
  set.seed(412)
  tree <- data.frame(parent = c("all", "all", "N", "N", "S", "S"), child = c("N", "S", 1:4))
  work <- data.frame(parent = c("any", "any", "work", "work"), child = c("work", "3", "1", "2"))
  n <- 0
  for (k in 1:4) {
    x <- array(rpois(24, 4) * rbinom(24, 1, .7), c(4, 2, 3), list(A = 1:4, B = 1:2, C = 1:3))
    x[2, 1, ] <- c(0, 0, 7)
    su <- certify_groups(x, "C", small_groups = 2, hierarchies = list(A = tree, C = work), width = k %% 2 + 1)
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0)
    # a group of categories is empty with the category, and suppressed with it
    row <- function(A, B, C) which(su$cells$A == A & su$cells$B == B & su$cells$C == C)
    expect_true("u" %in% su$cells$sdcStatus[c(row(2, 1, 1), row(2, 1, 2))])
    expect_identical(su$cells$sdcStatus[row(2, 1, "work")], "u")
    found <- audit(su, count = FALSE)
    known <- which(is_withheld(su))[found$cells$primary & found$cells$known == "exactly"]
    expect_true(all(known %in% su$lacking$row))
    again <- certify_groups(x, "C", small_groups = 2, hierarchies = list(A = tree, C = work), width = k %% 2 + 1,
                            method = "certified", pattern = su$cells[c("A", "B", "C", "sdcStatus")])
    expect_identical(again$cells, su$cells)
    n <- n + (nrow(su$lacking) == 0)
  }
  expect_gt(n, 1)
  exact <- certify_groups(jobs, "job", method = "optimal", small_groups = 5)
  expect_true(exact$optimal && verify_suppression(exact)$verified)
  expect_lte(exact$cost, certify_groups(jobs, "job", small_groups = 5)$cost)
  # of a table with one variable the row is the table
  one <- certify_groups(array(c(0, 9, 0), 3, list(A = 1:3)), "A", maxN = 0)
  expect_true(verify_suppression(one)$verified)
  expect_identical(sum(one$cells$sdcStatus == "u"), 1L)
})

test_that("property: what tells of rows is refused, sealed again or not", {
  su <- certify_groups(jobs, "job", small_groups = 5)
  expect_true(verify_suppression(su)$verified)
  zeros <- which(hides_zero(su))
  edits <- list(
    shown = function(su) within_list(su, cells = within(su$cells, sdcStatus[zeros[1]] <- "z")),
    secondary = function(su) within_list(su, cells = within(su$cells, sdcStatus[zeros[1]] <- "x")),
    none = function(su) within_list(su, groups = NULL, small_groups = NULL),
    other = function(su) within_list(su, groups = "area"), unknown = function(su) within_list(su, groups = "age"),
    twice = function(su) within_list(su, groups = c("job", "job")), number = function(su) within_list(su, groups = 1),
    larger = function(su) within_list(su, small_groups = 40), smaller = function(su) within_list(su, small_groups = 0),
    damaged = function(su) within_list(su, small_groups = NA), lost = function(su) within_list(su, small_groups = NULL),
    fewer = function(su) {
      of <- su$certificates$certificate[su$certificates$row %in% zeros]
      made <- su$certificates[!su$certificates$certificate %in% of, ]
      made$certificate <- match(made$certificate, unique(made$certificate)) + 0
      within_list(su, certificates = made)
    },
    below = function(su) within_list(su, certificates = within(su$certificates, change <- -change))
  )
  for (name in names(edits)) {
    edited <- edits[[name]](su)
    for (one in list(edited, tryCatch(resealed(edited), error = function(cnd) edited))) {
      expect_false(verify_suppression(one)$verified, info = name)
      expect_error(publish(one), class = "sdc_error_refused", info = name)
    }
  }
  # without a rule for rows a suppressed zero is no primary cell
  plain <- certify_groups(jobs, NULL)
  expect_false(verify_suppression(resealed(within_list(plain, groups = "job", small_groups = 0)))$verified)
})

test_that("oracle: tables that a reader rules out are no certificates", {
  # both zeros of the west are suppressed; with 6 people it is no small group, and only one rises
  x <- jobs
  x["west", ] <- c(0, 5, 0)
  x["north", ] <- c(7, 3, 2)
  su <- certify_groups(x, "job", small_groups = 5, maxN = 0)
  ruled_out <- function(change) {
    rows <- inner_rows(su$cells, su$original$dimnames)
    su$certificates <- data.frame(certificate = 1, row = rows[change != 0], change = change[change != 0])
    ruled_out_by_groups(su, changed_cells(su))
  }
  change <- 0 * x
  change["west", ] <- c(1, -1, 0)
  expect_length(ruled_out(change), 0)
  # all but one are in one category still
  change["west", ] <- c(1, 0, 0)
  expect_length(ruled_out(change), 0)
  change["west", ] <- c(2, 0, 0)
  expect_equal(ruled_out(change), 1)
  change["west", ] <- c(2, 0, 1)
  expect_length(ruled_out(change), 0)
  change["west", ] <- c(1, 0, 0)
  su$readers <- "outsider"
  expect_equal(ruled_out(change), 1)
})

test_that("property: publications, words and files tell no zero, and the rule where asked", {
  su <- certify_groups(jobs, "job", small_groups = 5)
  rule <- "one zero of each group of people who all, or all but one, have the same job and zeros of job in groups"
  expect_match(format(su), rule, all = FALSE, fixed = TRUE)
  expect_identical(publish(su), public_suppression(su))
  expect_null(publish(su)$groups)
  told <- publish(su, rule = TRUE)
  expect_identical(told[c("groups", "small_groups")], list(groups = "job", small_groups = 5))
  path <- withr::local_tempdir()
  write_publication(told, file.path(path, "p"))
  expect_identical(read_publication(file.path(path, "p")), told)
  zero <- function(area) {
    at <- which(su$cells$area == area & hides_zero(su))[1]
    paste(trimws(format(explain(su, data.frame(area = area, job = as.character(su$cells$job[at]))))), collapse = " ")
  }
  expect_match(zero("north"), "all people of area = north (12) have job = factory", fixed = TRUE)
  expect_match(zero("west"), "none of the people of area = west (5) has job", fixed = TRUE)
  # who repeats the call does so with these rows
  expect_s3_class(audit(su, readers = c("outsider", "method"), max_tables = 2000, count = FALSE),
                  "sdc_suppression_audit")
})

test_that("property: what cannot be asked is an error", {
  fails <- function(words, ...) {
    expect_error(suppress(jobs, maxN = 1, seed = 1, ...), words, class = "sdc_error_input")
  }
  fails("two levels", groups = "age")
  fails("two levels", groups = 1)
  fails("two levels", groups = c("job", NA))
  fails("come with", small_groups = 3)
  fails("whole number", groups = "job", small_groups = 1.5)
  fails("protectZeros", groups = "job", protectZeros = TRUE)
  fails("method", groups = "job", readers = c("outsider", "method"))
  fails("certified", groups = "job", method = "GaussSuppression")
  withr::local_options(sdcLattice.full_cells = 10)
  fails("all zeros of tables with more than 10", groups = "job")
})
