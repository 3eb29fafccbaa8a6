quiet_audit <- function(...) audit(..., progress = FALSE)

counts <- function(d, mean) array(stats::rpois(prod(d), mean), d)

region <- data.frame(
  parent = c("all", "all", "north", "north", "south", "south"),
  child = c("north", "south", "a", "b", "c", "d")
)
coast <- data.frame(
  parent = c("all", "all", "sea", "sea", "sea"), child = c("sea", "d", "a", "b", "c")
)

region_table <- function(x) {
  others <- lapply(dim(x)[-1], function(k) LETTERS[seq_len(k)])
  names(others) <- paste0("v", seq_along(others))
  dimnames(x) <- c(list(place = c("a", "b", "c", "d")), others)
  x
}

test_that("published: the slides' pattern leaves three tables", {
  su <- suppress(roehrig, maxN = 1, pattern = slides_mask())
  expect_identical(as.character(su$audit$tables), "3")
  found <- as.data.frame(su$audit)
  expect_identical(found$lower, c(0, 13, 0, 1))
  expect_identical(found$upper, c(2, 15, 2, 3))
  expect_true(all(found$sharp & found$known == "nearly"))
  expect_identical(found$primary, c(TRUE, FALSE, TRUE, FALSE))
  for (rows in list(c(1, 2), c(1, 3), c(1, 4))) {
    pub <- publish(suppress(roehrig, maxN = 1, pattern = slides_mask(rows)), insist = TRUE)
    expect_identical(as.character(count_tables(pub)), "3")
    expect_identical(as.character(quiet_audit(pub)$tables), "3")
  }
  tables <- enumerate_tables(publish(su, insist = TRUE))
  expect_identical(dim(tables), c(4L, 4L, 3L))
  expect_setequal(tables[1, 2, ], 0:2)
})

test_that("oracle: intervals and numbers of tables are those of brute force", {
  set.seed(51)
  for (i in seq_len(rounds(15, 60))) {
    d <- list(3, c(2, 3), c(3, 3), c(2, 2, 2), c(4, 2))[[i %% 5 + 1]]
    x <- counts(d, 1.5)
    trees <- NULL
    if (i %% 5 == 4) {
      x <- region_table(x)
      trees <- list(place = if (i %% 2) region else list(region, coast))
    }
    table <- as_sdc_table(x)
    cells <- as.data.frame(table, totals = TRUE, hierarchies = trees, zeros = TRUE)
    hidden <- sample(nrow(cells) - 1, sample(0:(2 + 2 * (length(d) > 1)), 1))
    cells$suppressed <- seq_len(nrow(cells)) %in% hidden
    su <- suppress(x, 1, pattern = cells, hierarchies = trees, audit = FALSE)
    pub <- publish(su, insist = TRUE)
    labels <- dimnames(table)
    held <- Map(function(levels, v) held_by_label(levels, trees[[v]]), labels, names(labels))
    all <- all_agreeing(pub, held)[, cells$suppressed, drop = FALSE]
    found <- quiet_audit(pub)
    expect_identical(as.character(found$tables), as.character(nrow(all)))
    expect_equal(found$cells$lower, unname(apply(all, 2, min)))
    expect_equal(found$cells$upper, unname(apply(all, 2, max)))
    expect_true(all(found$cells$sharp))
    single <- apply(all, 2, function(v) length(unique(v)) == 1)
    expect_identical(found$cells$known == "exactly", as.logical(single))
  }
})

test_that("oracle: the reader's system says what constraints() of the publication say", {
  set.seed(52)
  for (i in 1:12) {
    x <- region_table(counts(c(4, 3, 2)[seq_len(2 + i %% 2)], 3))
    trees <- if (i %% 3 > 0) list(place = list(region, list(region, coast))[[i %% 3]])
    cells <- as.data.frame(as_sdc_table(x), totals = TRUE, hierarchies = trees, zeros = TRUE,
                           total_label = "any")
    cells$suppressed <- runif(nrow(cells)) < .3
    cells$suppressed[cells$freq == sum(x)] <- FALSE
    su <- suppress(x, pattern = cells, hierarchies = trees, total_label = "any", audit = FALSE)
    pub <- publish(su, insist = TRUE)
    inner <- as.data.frame(pub, totals = FALSE)
    by_cell <- as.data.frame(bounds_margins(pub, inner[inner$suppressed, ], progress = FALSE))
    found <- quiet_audit(pub)$cells
    words <- function(frame) do.call(paste, frame[names(dimnames(x))])
    at <- match(words(by_cell), words(found))
    expect_identical(found$lower[at], by_cell$lower)
    expect_identical(found$upper[at], by_cell$upper)
    expect_identical(as.character(quiet_audit(pub)$tables), as.character(count_tables(pub)))
    expect_identical(constraints(one = pub)$sets[1], "one published cells")
  }
})

test_that("oracle: an audit by lpSolve finds the same", {
  skip_if_not_installed("lpSolve")
  set.seed(53)
  for (i in 1:5) {
    x <- counts(c(3, 3, 2), 3)
    pub <- publish(suppress(x, pattern = x < 4, audit = FALSE), insist = TRUE)
    inner <- as.data.frame(pub, totals = FALSE)
    other <- bounds_margins(pub, inner[inner$suppressed, ], "ip", solver = "lpSolve",
                            progress = FALSE)
    found <- quiet_audit(pub, count = FALSE)
    expect_equal(found$cells$lower, other$lower)
    expect_equal(found$cells$upper, other$upper)
    expect_identical(found$no_count, "not asked for")
  }
})

# A suppression of which the rule's cells are hidden, and the audit says what is known.
expect_sound <- function(su, x) {
  frame <- as.data.frame(su)
  small <- frame$freq <= su$maxN & (frame$freq > 0 | su$protectZeros)
  expect_true(all(frame$sdcStatus[small] == "u"))
  expect_false(any(frame$sdcStatus[!small] == "u"))
  expect_true(all(frame$freq[frame$sdcStatus == "z"] == 0))
  found <- su$audit$cells
  truth <- frame$freq[frame$sdcStatus %in% c("u", "x")]
  expect_true(all(found$lower <= truth & truth <= found$upper))
  expect_identical(su$audit$shown, 0L)
  pub <- if (any(found$primary & found$known == "exactly") || nrow(su$audit$learned) > 0) {
    expect_error(publish(su), class = "sdc_error_refused")
    publish(su, insist = TRUE)
  } else {
    publish(su)
  }
  expect_identical(as.data.frame(pub)$suppressed, frame$sdcStatus %in% c("u", "x"))
}

for (method in c("GaussSuppression", "sdcTable")) {
  test_that(paste0("property: patterns of ", method, " hide every primary cell"), {
    skip_if_not_installed(method)
    set.seed(54)
    for (i in seq_len(rounds(5, 10))) {
      d <- list(5, c(4, 5), c(4, 3, 3), c(4, 4))[[i %% 4 + 1]]
      x <- counts(d, 4)
      trees <- NULL
      if (i %% 4 == 3) {
        x <- region_table(x)
        trees <- list(place = region)
      }
      su <- suppress(x, maxN = sample(1:4, 1), method = method, hierarchies = trees,
                     protectZeros = i %% 5 == 0)
      expect_sound(su, x)
      expect_identical(su$method, method)
    }
  })

  test_that(paste0("oracle: ", method, " called by hand gives the same pattern"), {
    skip_if_not_installed(method)
    cells <- as.data.frame(as_sdc_table(roehrig), zeros = TRUE)
    cells[1:2] <- lapply(cells[1:2], function(v) paste0("l", v))
    flat <- data.frame(level = c("@", rep("@@", 4)), code = c("all", paste0("l", 1:4)))
    trees <- list(row = flat, column = flat)
    direct <- if (method == "sdcTable") {
      problem <- sdcTable::makeProblem(cells, trees, freqVarInd = "freq")
      problem <- sdcTable::primarySuppression(problem, "freq", maxN = 2)
      problem <- sdcTable::protectTable(problem, "SIMPLEHEURISTIC")
      out <- sdcTable::sdcProb2df(problem, dimCodes = "original")
      as.data.frame(out)[out$sdcStatus %in% c("u", "x"), ]
    } else {
      out <- GaussSuppression::SuppressSmallCounts(
        cells, maxN = 2, freqVar = "freq", hierarchies = trees, protectZeros = FALSE,
        printInc = FALSE
      )
      out[out$suppressed, ]
    }
    su <- suppress(roehrig, 2, method = method, audit = FALSE)
    own <- as.data.frame(su)
    own <- own[own$sdcStatus %in% c("u", "x"), ]
    expect_setequal(paste(direct$row, direct$column), paste0("l", own$row, " l", own$column))
    # and what it returned is read as a pattern
    names <- function(x) sub("^l", "", x)
    direct[c("row", "column")] <- lapply(direct[c("row", "column")], names)
    again <- suppress(roehrig, 2, pattern = direct, audit = FALSE)
    expect_identical(as.data.frame(again), as.data.frame(su))
  })

  test_that(paste0("property: strange labels do not confuse ", method), {
    skip_if_not_installed(method)
    plain <- as_sdc_table(roehrig)
    strange <- structure(roehrig, dimnames = list(
      freq2 = c("Total ", "", "T1", " L1"), `a b` = c("10", "2", "NA", NA)
    ))
    expected <- suppress(plain, 2, method = method)$cells$sdcStatus
    su <- suppress(sdc_table(strange, total = FALSE), 2, method = method, total_label = "@@")
    expect_identical(su$cells$sdcStatus, expected)
    expect_identical(levels(su$cells$`a b`), c("10", "2", "NA", NA, "@@"))
    # sdcTable does not ask what people who are alone in a cell learn
    pub <- publish(su, insist = method == "sdcTable")
    expect_identical(as.character(count_tables(pub)), as.character(su$audit$tables))
    # unused levels are zeros like others
    frame <- data.frame(f = factor(c("u", "w"), levels = c("u", "v", "w")), g = 1:2, n = c(9, 2))
    su <- suppress(sdc_table(frame, c("f", "g"), freqVar = "n"), 2, method = method)
    expect_sound(su, NULL)
  })
}

test_that("oracle: cells that are protected over the reals and known over whole numbers", {
  cases <- list(
    list(x = leaky, hidden = leaky_hidden, maxN = 2, zeros = TRUE),
    list(x = leaky_block, hidden = leaky_block_hidden, maxN = 3, zeros = FALSE)
  )
  for (case in cases) {
    su <- suppress(case$x, case$maxN, pattern = case$hidden)
    expect_identical(as.character(su$audit$tables), "1")
    expect_true(all(su$audit$cells$known == "exactly"))
    expect_equal(su$audit$cells$lower, case$x[case$hidden])
    pub <- publish(su, insist = TRUE)
    real <- as.data.frame(bounds_margins(pub, case$hidden, "lp", progress = FALSE))
    expect_true(all(real$upper_real - real$lower_real > .4))
    if (requireNamespace("lpSolve", quietly = TRUE)) {
      whole <- bounds_margins(pub, case$hidden, "ip", solver = "lpSolve", progress = FALSE)
      expect_equal(whole$lower, whole$upper)
    }
    if (requireNamespace("GaussSuppression", quietly = TRUE)) {
      found <- gauss(case$x, case$maxN, protectZeros = case$zeros)
      # another version of the library may choose another pattern
      if (identical(as.vector(is.na(as.table(found))), as.vector(case$hidden))) {
        expect_error(publish(found), class = "sdc_error_refused")
      }
    }
  }
})

test_that("property: arguments of the library mend a pattern that fails", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  su <- gauss(leaky_block, 3, lpPackage = "lpSolve", rangeMin = 3)
  expect_false(any(su$audit$cells$known == "exactly"))
  expect_s3_class(publish(su), "sdc_suppressed")
})

test_that("property: several trees of a variable, by GaussSuppression", {
  skip_if_not_installed("GaussSuppression")
  set.seed(55)
  for (i in seq_len(rounds(3, 6))) {
    su <- gauss(region_table(counts(c(4, 4), 5)), 2, dimList = list(place = list(region, coast)))
    expect_sound(su)
  }
  expect_setequal(levels(su$cells$place), c("a", "b", "c", "d", "all", "north", "south", "sea"))
  skip_if_not_installed("sdcTable")
  both <- list(place = list(region, coast))
  expect_error(
    suppress(region_table(counts(c(4, 4), 3)), dimList = both, method = "sdcTable"),
    class = "sdc_error_input"
  )
})

test_that("property: tables in which nothing, everything or a single cell is small", {
  skip_if_not_installed("GaussSuppression")
  none <- gauss(matrix(5:8, 2), 3)
  expect_identical(nrow(as.data.frame(none$audit)), 0L)
  expect_identical(as.character(none$audit$tables), "1")
  expect_identical(unique(none$cells$sdcStatus), "s")
  zero <- gauss(matrix(0, 2, 2), 3)
  expect_identical(unique(zero$cells$sdcStatus), "z")
  all <- gauss(matrix(1, 1, 2), 3)
  expect_true(all(all$cells$sdcStatus == "u"))
  expect_identical(all$audit$cells$upper, rep(Inf, 6))
  expect_match(all$audit$no_count, "no upper limit")
  one <- gauss(array(2, 1), 3)
  expect_identical(one$cells$sdcStatus, c("u", "u"))
  hidden <- gauss(matrix(0, 2, 2), 0, protectZeros = TRUE)
  expect_true(all(hidden$cells$sdcStatus == "u"))
})

test_that("property: patterns in all their forms", {
  mask <- slides_mask()
  by_array <- suppress(roehrig, 1, pattern = mask)
  expect_identical(suppress(roehrig, 1, pattern = as.table(mask)), by_array)
  expect_identical(suppress(roehrig, 1, pattern = unname(mask)), by_array)
  long <- as.data.frame(by_array)
  expect_identical(suppress(roehrig, 1, pattern = long), by_array)
  expect_identical(suppress(roehrig, 1, pattern = long[sample(25), ]), by_array)
  few <- long[long$sdcStatus %in% c("u", "x"), ]
  expect_identical(suppress(roehrig, 1, pattern = few), by_array)
  long$suppressed <- long$sdcStatus %in% c("u", "x")
  long$primary <- long$sdcStatus == "u"
  long$sdcStatus <- NULL
  long$freq <- NA
  expect_identical(suppress(roehrig, 1, pattern = long), by_array)
  long$primary <- long$row == "4" & long$suppressed
  long$row <- as.character(long$row)
  su <- suppress(roehrig, 1, pattern = long)
  small <- long$suppressed & su$cells$freq == 1
  expect_identical(su$cells$sdcStatus == "u", long$primary | small)
  long$primary[1] <- TRUE
  expect_error(suppress(roehrig, 1, pattern = long), class = "sdc_error_input")
  long$primary <- NULL
  long$sdcStatus <- "s"
  expect_error(suppress(roehrig, 1, pattern = long), class = "sdc_error_input")
  expect_error(suppress(roehrig, patern = roehrig < 3), class = "sdc_error_input")
  expect_output(str(by_array), "PRIVATE")
  line <- suppress(array(c(1, 2, 9), 3), 2, pattern = c(TRUE, TRUE, FALSE))
  expect_identical(as.data.frame(line$audit)$upper, c(3, 3))
})

test_that("property: a publication holds no hidden count, and equal ones are equal in bytes", {
  x <- matrix(c(1001, 1013, 3011, 4057, 5059, 6067, 7069, 8081, 9091), 3)
  hidden <- matrix(c(TRUE, TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE), 3)
  su <- suppress(x, 1100, pattern = hidden)
  pub <- publish(su)
  holds <- function(object, value) {
    bytes <- paste(serialize(object, NULL, xdr = TRUE), collapse = "")
    forms <- list(as.double(value), as.integer(value), paste0(value))
    any(vapply(forms, function(v) {
      pattern <- utils::tail(serialize(v, NULL), if (is.double(v)) 8 else 4)
      grepl(paste(pattern, collapse = ""), bytes, fixed = TRUE)
    }, NA))
  }
  for (value in x[hidden]) {
    expect_true(holds(su, value))
    expect_false(holds(pub, value))
    words <- capture.output(print(su), print(summary(su)), print(audit(su)), print(pub))
    expect_false(any(grepl(format(value, big.mark = ","), words, fixed = TRUE)))
  }
  expect_false("sdcStatus" %in% names(as.data.frame(pub)))
  expect_null(pub$maxN)
  other <- x
  other[hidden] <- x[hidden] + c(1, -1, -1, 1)
  again <- publish(suppress(other, 3, pattern = hidden, audit = FALSE), insist = TRUE)
  expect_identical(serialize(again, NULL), serialize(pub, NULL))
  # the same by a pattern with a status that calls other cells primary
  frame <- as.data.frame(su)
  frame$sdcStatus[frame$sdcStatus == "u"] <- "x"
  third <- publish(suppress(x, 5, pattern = frame, audit = FALSE), insist = TRUE)
  expect_identical(serialize(third, NULL), serialize(pub, NULL))
  expect_identical(publish(su, rule = TRUE)$maxN, 1100)
  trees <- function(x) {
    su <- suppress(region_table(x), 2, pattern = x < 3, audit = FALSE,
                   hierarchies = list(place = region))
    publish(su, insist = TRUE)
  }
  a <- trees(matrix(c(1, 2, 5, 6, 2, 1, 7, 8), 4))
  b <- trees(matrix(c(2, 1, 5, 6, 1, 2, 7, 8), 4))
  expect_identical(serialize(a, NULL), serialize(b, NULL))
})

test_that("property: publish() refuses what does not protect", {
  x <- matrix(c(1, 5, 6, 7), 2)
  alone <- x == 1
  su <- suppress(x, 1, pattern = alone)
  expect_identical(as.data.frame(su$audit)$lower, 1)
  expect_error(publish(su), class = "sdc_error_refused")
  expect_error(publish(suppress(x, 1, pattern = alone, audit = FALSE)), class = "sdc_error_refused")
  expect_error(publish(suppress(x, 5, pattern = alone)), class = "sdc_error_refused")
  expect_s3_class(publish(su, insist = TRUE), "sdc_suppressed")
})

test_that("property: nearly known, relative and absolute", {
  su <- suppress(roehrig, 1, pattern = slides_mask(), audit = FALSE)
  expect_identical(as.character(quiet_audit(su, within = 1)$cells$known), rep("no", 4))
  near <- quiet_audit(su, within = 0, relative = .2)$cells
  expect_identical(as.character(near$known), c("no", "nearly", "no", "no"))
  few <- quiet_audit(suppress(leaky, pattern = leaky < 100, audit = FALSE), max_states = 1)
  expect_null(few$tables)
  expect_match(few$no_count, "too many|limits")
})

test_that("property: publications go together with other releases", {
  su <- suppress(roehrig, 1, pattern = slides_mask())
  pub <- publish(su, insist = TRUE)
  both <- constraints(pub, data.frame(row = "1", column = "2", freq = 1))
  expect_identical(as.character(count_tables(both)), "1")
  expect_identical(dim(sample_tables(pub, 5, seed = 1)), c(4L, 4L, 5L))
  d <- disclosed(bounds_margins(pub, slides_mask(), progress = FALSE), width = 2)
  expect_identical(nrow(d), 4L)
})

test_that("property: frames, tables and pictures", {
  su <- suppress(roehrig, 1, pattern = slides_mask())
  pub <- publish(su, insist = TRUE)
  shown <- roehrig
  shown[slides_mask()] <- NA
  expect_equal(unclass(as.table(pub)), unclass(shown), ignore_attr = TRUE)
  expect_identical(as.table(su), as.table(pub))
  expect_identical(dim(as.table(pub, totals = TRUE)), c(5L, 5L))
  expect_identical(as.table(pub, totals = TRUE)["Total", "Total"], 135)
  expect_identical(nrow(as.data.frame(pub, totals = FALSE)), 16L)
  expect_identical(summary(pub)$suppressed, c(4L, 0L))
  expect_identical(sum(summary(su$audit)$cells), 4L)
  expect_marks(su, pub, 4)
})

test_that("snapshot: prints", {
  su <- suppress(roehrig, 1, pattern = slides_mask())
  expect_snapshot({
    su
    summary(su)
    su$audit
    publish(su, insist = TRUE, rule = TRUE)
    summary(publish(su, insist = TRUE))
    audit(publish(su, insist = TRUE), within = 0)
    suppress(roehrig, 2, pattern = roehrig == 1)
    x <- region_table(roehrig)
    audit(suppress(x, 3, pattern = x == 3, hierarchies = list(place = region)))
    suppress(matrix(4:7, 2), 1, pattern = matrix(FALSE, 2, 2))
  })
})

test_that("snapshot: a package that is not installed", {
  missing_all <- check_installed
  none <- list(requireNamespace = function(...) FALSE)
  environment(missing_all) <- list2env(none, parent = environment(missing_all))
  local_own("check_installed", missing_all)
  expect_snapshot(error = TRUE, {
    suppress(roehrig, method = "GaussSuppression")
    suppress(roehrig, method = "sdcTable")
  })
  expect_s3_class(publish(suppress(roehrig)), "sdc_suppressed")
  expect_s3_class(suppress(roehrig, 1, pattern = slides_mask()), "sdc_suppression")
})

test_that("snapshot: a library that fails shows none of its words", {
  answer <- function(...) abort_sdc("input", "The count is 12345.")
  skip_if_not_installed("GaussSuppression")
  local_own("run_gauss_suppression", answer)
  expect_snapshot(error = TRUE, gauss(roehrig))
  local_own("run_gauss_suppression", function(...) data.frame(v1 = "L1"))
  expect_snapshot(error = TRUE, gauss(roehrig))
  local_own("run_gauss_suppression", function(data, trees, rule, further) {
    warning("something")
    print("noise")
    cells <- expand.grid(v1 = c(paste0("L", 1:4), "T1"), v2 = c(paste0("L", 1:4), "T1"))
    cells$primary <- cells$suppressed <- FALSE
    cells
  })
  expect_warning(su <- gauss(roehrig, audit = FALSE), class = "sdc_warning_library")
  expect_identical(su$notes, "something")
  # what the rule hides stays hidden whatever the library says
  expect_identical(su$cells$sdcStatus == "u", su$cells$freq <= 3)
})

test_that("snapshot: input: arguments", {
  input <- function(...) expect_error(suppress(...), class = "sdc_error_input")
  expect_snapshot(error = TRUE, {
    suppress()
    suppress(roehrig, -1)
    suppress(roehrig, 1.5)
    suppress(roehrig, method = "magic")
    suppress(roehrig, pattern = roehrig)
    suppress(roehrig, pattern = matrix(TRUE, 2, 2))
    suppress(roehrig, pattern = matrix(NA, 4, 4))
    suppress(roehrig, pattern = data.frame(row = "1", column = "2"))
    suppress(roehrig, pattern = data.frame(row = "1", suppressed = TRUE))
    suppress(roehrig, pattern = data.frame(row = "9", column = "2", suppressed = TRUE))
    suppress(roehrig, pattern = data.frame(row = "1", column = c("2", "2"), suppressed = TRUE))
    suppress(roehrig, pattern = data.frame(row = "1", column = "2", suppressed = NA))
    suppress(roehrig, pattern = data.frame(row = "1", column = "2", sdcStatus = "q"))
    suppress(roehrig, pattern = slides_mask(), what = 1)
    suppress(roehrig, total_label = "4")
    suppress(margin(sdc_table(roehrig), character(0)))
    suppress(sdc_table(data.frame(lower = 1:2)))
    publish(suppress(matrix(c(1, 5, 6, 7), 2), 1, pattern = matrix(1:4 == 1, 2)))
  })
  input(roehrig, NA)
  input(roehrig, Inf)
  input(roehrig, c(1, 2))
  input(roehrig, audit = NA)
  input(roehrig, protectZeros = "yes")
  input(matrix(c(1, NA), 1))
  input(matrix(c(1, -1), 1))
  input(matrix(c(1, .5), 1))
  input(matrix(2^54, 1))
  input("table")
  input(roehrig, hierarchies = list(row = region))
  input(roehrig, hierarchies = list(row = region), dimList = list(row = region))
  input(roehrig, pattern = list())
  input(roehrig, pattern = structure(slides_mask(), dimnames = list(row = 4:1, column = 1:4)))
  input(roehrig, pattern = data.frame(row = "1", column = "2", suppressed = TRUE, primary = NA))
  input(sdc_table(data.frame(a = factor(character(), levels = character())), "a"))
  su <- suppress(roehrig, 1, pattern = slides_mask())
  for (wrong in list(
    list(within = -1), list(relative = NA), list(count = 1), list(time_limit_s = -1),
    list(max_states = 0), list(max_steps = "many"), list(progress = 2), list(what = 1)
  )) {
    expect_error(do.call(audit, c(list(su), wrong)), class = "sdc_error_input")
    expect_error(do.call(audit, c(list(publish(su, insist = TRUE)), wrong)), class = "sdc_error_input")
  }
  expect_error(publish(su, 1), class = "sdc_error_input")
  expect_error(publish(su, rule = NA), class = "sdc_error_input")
  expect_error(publish(su, what = 1), class = "sdc_error_input")
  expect_error(as.table(su, totals = NA), class = "sdc_error_input")
  expect_error(as.data.frame(publish(su, insist = TRUE), totals = NA), class = "sdc_error_input")
  skip_if_not_installed("GaussSuppression")
  input(roehrig, 3, NULL, "GaussSuppression", NULL, NULL, "Total", FALSE, TRUE, 5)
  input(roehrig, method = "GaussSuppression", output = "inner")
})

test_that("property: arguments that would have no effect are refused", {
  hidden <- roehrig < 0
  hidden[c(1, 4), c(2, 4)] <- TRUE
  input <- function(...) expect_error(suppress(roehrig, ...), class = "sdc_error_input")
  input(maxN = 1, pattern = hidden, method = "sdcTable")
  input(maxN = 1, pattern = hidden, method = "GaussSuppression")
  input(maxN = 1, pattern = hidden, repair = TRUE)
  input(maxN = 1, method = "sdcTable", repair = TRUE)
  expect_null(suppress(roehrig, maxN = 1, pattern = hidden, repair = FALSE)$repair)
  skip_if_not_installed("GaussSuppression")
  for (name in c("rangeMin", "rangePercent", "protectionLimit", "loProtectionPercent")) {
    further <- c(list(roehrig, lpPackage = "lpSolve"), stats::setNames(list(-3), name))
    expect_error(do.call(gauss, further), name, class = "sdc_error_input")
  }
})

test_that("property: repair works without a kept audit, and the print says that it passed", {
  skip_if_not_installed("GaussSuppression")
  kept <- gauss(roehrig, maxN = 1)
  other <- gauss(roehrig, maxN = 1, audit = FALSE, repair = TRUE)
  expect_null(other$audit)
  expect_identical(other$repair, kept$repair)
  expect_identical(other$cells, kept$cells)
  expect_true(other$repair$passed)
  expect_match(format(other), "the audit of the repair passed", all = FALSE)
  expect_match(format(gauss(roehrig, maxN = 1, audit = FALSE)), "not audited", all = FALSE)
})

test_that("snapshot: a pattern that publishes primary cells is told to withhold them", {
  shown <- suppress(roehrig, maxN = 2, pattern = roehrig < 0)
  expect_match(format(shown), "0 of [0-9]+ primary cells withheld, 0 secondary", all = FALSE)
  expect_snapshot(publish(shown), error = TRUE)
  listed <- subset(as.data.frame(shown), sdcStatus == "s" & freq <= 2)
  expect_identical(nrow(listed), shown$audit$shown)
  pattern <- cbind(listed[c("row", "column")], suppressed = TRUE)
  expect_identical(suppress(roehrig, maxN = 2, pattern = pattern)$audit$shown, 0L)
})

test_that("property: a problem of sdcTable is told where its attack() is", {
  expect_error(attack(structure(list(), class = "sdcProblem")), "sdcTable::attack",
               class = "sdc_error_input")
  expect_error(attack(3), "publish", class = "sdc_error_input")
})
