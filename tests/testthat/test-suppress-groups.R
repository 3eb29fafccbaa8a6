# Rows of people that would be given away as a group, against all tables that agree.

certify_groups <- function(x, groups, ..., maxN = 1, method = "certified", time_limit_s = 1) {
  suppressWarnings(
    suppress(x, maxN = maxN, groups = groups, method = method, time_limit_s = time_limit_s, seed = 1, ...),
    classes = "sdc_warning_unsafe"
  )
}

# The people of each row by variable `v`, label by label: the rows of its categories.
rows_by_hand <- function(su, v) {
  others <- setdiff(names(su$original$dimnames), v)
  key <- do.call(paste, c(lapply(su$cells[others], as.character), list(rep("", nrow(su$cells)))))
  own <- which(as.character(su$cells[[v]]) %in% su$original$dimnames[[v]])
  unname(split(own, key[own]))
}

is_given <- function(freq, small) sum(freq > 0) == 1 || (sum(freq) > 0 && sum(freq) <= small)

# All tables that agree, a column each with all cells; a reader knows that counts are suppressed, and
# that zeros are in rows that would be given away.
tables_of_groups <- function(su, small) {
  public <- public_suppression(su)
  hidden <- which(public$cells$suppressed)
  found <- tryCatch(
    enumerate_tables(reader_system(public), limit = 3e4, max_states = 1e6, max_steps = 1e7),
    sdc_error = function(cnd) NULL
  )
  if (length(hidden) == 0) {
    return(matrix(su$cells$freq))
  }
  if (is.null(found)) {
    return(NULL)
  }
  all <- matrix(su$cells$freq, nrow(su$cells), length(found) / length(hidden))
  all[hidden, ] <- matrix(found, length(hidden))
  rows <- lapply(su$groups, function(v) rows_by_hand(su, v))
  of <- lapply(su$groups, function(v) {
    others <- setdiff(names(su$original$dimnames), v)
    row_of <- function(at) do.call(paste, c(lapply(su$cells[others], function(col) as.character(col[at])), ""))
    match(row_of(seq_len(nrow(su$cells))), vapply(rows_by_hand(su, v), function(r) row_of(r[1]), ""))
  })
  fits <- apply(all, 2, function(freq) {
    given <- lapply(rows, function(some) vapply(some, function(r) is_given(freq[r], small), NA))
    all(vapply(hidden[freq[hidden] == 0], function(at) any(mapply(function(g, o) g[o[at]], given, of)), NA))
  })
  all[, fits, drop = FALSE]
}

# Large totals are published, so that the listing ends.
published_totals <- function(x, least = 3) {
  whole <- as.data.frame(with_totals(as_sdc_table(x), NULL, "Total", 1e4), zeros = TRUE)
  variables <- names(dimnames(x))
  is_total <- Reduce(`|`, lapply(whole[variables], function(col) col == "Total"))
  whole[is_total & whole$freq > least, variables]
}

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
  change["west", ] <- c(1, 0, 0)
  expect_equal(ruled_out(change), 1)
  change["west", ] <- c(1, 0, 1)
  expect_length(ruled_out(change), 0)
})

test_that("property: publications, words and files tell no zero, and the rule where asked", {
  su <- certify_groups(jobs, "job", small_groups = 5)
  expect_match(format(su), "one zero of each group of people who all have the same job and zeros of job in groups",
               all = FALSE, fixed = TRUE)
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
  linked <- as.data.frame(as.table(array(1:8, c(2, 2, 2), list(A = 1:2, B = 1:2, C = 1:2))))
  linked <- sdc_table(linked, c("A", "B", "C"), freqVar = "Freq", formula = ~ A:B + A:C)
  expect_error(suppress(linked, groups = "B"), "formula", class = "sdc_error_input")
  withr::local_options(sdcLattice.full_cells = 10)
  fails("all zeros of tables with more than 10", groups = "job")
})
