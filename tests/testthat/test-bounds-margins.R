fixture <- function(file) read.csv(test_path("fixtures", file))

czech_at_risk <- function() {
  cells <- as.data.frame(sdc_table(czech_workers))
  sdc_table(cells[cells$freq <= 2, ], names(dimnames(czech_workers)), freqVar = "freq")
}

test_that("published: bounds and widths of all 62 greedy releases of the Czech table", {
  curve <- fixture("czech_greedy_curve.csv")
  risk <- czech_at_risk()
  labels <- strsplit(curve$subtable_report_label, "")
  for (l in seq_len(nrow(curve))) {
    released <- margins(czech_workers, labels[seq_len(l)])
    bound <- function(method) {
      bounds_margins(released, risk, method, dimnames = dimnames(czech_workers), progress = FALSE)
    }
    ip <- bound("ip")
    lp <- bound("lp")
    shuttle <- bound("shuttle")
    expect_setequal(paste0(ip$lower, ":", ip$upper), strsplit(curve$ip_bounds_3cells[l], " ")[[1]])
    expect_true(all(ip$sharp))
    expect_equal(min(ip$upper - ip$lower), curve$ip_width[l])
    expect_equal(min(lp$real$upper - lp$real$lower), curve$lp_width[l], tolerance = 1e-4)
    expect_equal(min(shuttle$upper - shuttle$lower), curve$shuttle_width[l])
    auto <- bound("auto")
    expect_equal(auto[c("lower", "upper", "sharp")], ip[c("lower", "upper", "sharp")])
  }
})

test_that("published: the 63 critical widths, each of one table and the other variables alone", {
  widths <- fixture("czech_critical_widths.csv")
  risk <- czech_at_risk()
  variables <- names(dimnames(czech_workers))
  got <- vapply(strsplit(widths$subtable_report_label, ""), function(set) {
    released <- margins(czech_workers, c(list(set), as.list(setdiff(variables, set))))
    b <- bounds_margins(released, risk, "decomposable", dimnames = dimnames(czech_workers))
    min(b$upper - b$lower)
  }, 1)
  expect_equal(got, widths$critical_width)
})

test_that("published: two-way bounds of Frechet", {
  b <- bounds_frame(margins(roehrig, list("row", "column")), method = "frechet")
  rows <- rowSums(roehrig)[b$row]
  columns <- colSums(roehrig)[b$column]
  expect_equal(b$upper, as.vector(pmin(rows, columns)))
  expect_equal(b$lower, as.vector(pmax(0, rows + columns - sum(roehrig))))
  expect_true(all(b$sharp))
})

test_that("oracle: whole-number bounds are the range over all tables, enumerated", {
  set.seed(1)
  for (case in seq_len(rounds(30, 60))) {
    dim <- list(c(2, 2, 2), c(3, 2, 2), c(2, 3), c(1, 3, 2), c(4, 2), c(2, 2, 1, 2), 3)[[case %% 7 +
                                                                                        1]]
    x <- lettered_table(rpois(prod(dim), sample(c(.4, 1.2), 1)), dim)
    k <- length(dim)
    sets <- if (case %% 2 && k == 3) combn(3, 2,
                                           simplify = FALSE) else if (k > 1) random_release(k) else list(integer())
    all <- enumerate_by_margins(x, sets)
    released <- margins(x, named_sets(x, sets))
    for (method in c("ip", "auto")) {
      b <- bounds_margins(released, method = method, dimnames = dimnames(x), progress = FALSE)
      expect_equal(b$lower, apply(all, 1, min), info = paste(case, method))
      expect_equal(b$upper, apply(all, 1, max), info = paste(case, method))
      expect_true(all(b$sharp))
    }
  }
})

test_that("oracle: lpSolve agrees, with and without whole numbers", {
  skip_if_not_installed("lpSolve")
  set.seed(2)
  for (case in 1:12) {
    dim <- list(c(3, 3, 3), c(2, 3, 2, 2), c(4, 5), c(2, 2, 2, 2))[[case %% 4 + 1]]
    x <- lettered_table(rpois(prod(dim), 2), dim)
    pairs <- if (length(dim) > 2) combn(length(dim), 2, simplify = FALSE) else list(1, 2)
    released <- margins(x, named_sets(x, pairs))
    some <- sample(length(x), 4)
    for (method in c("lp", "ip")) {
      ours <- bounds_margins(released, some, method, progress = FALSE)
      theirs <- bounds_margins(released, some, method, solver = "lpSolve", progress = FALSE)
      expect_equal(ours$lower, theirs$lower)
      expect_equal(ours$upper, theirs$upper)
      if (method == "lp") expect_equal(ours$real, theirs$real, tolerance = 1e-6)
    }
  }
})

test_that("property: the truth inside ip, ip inside lp and shuttle, these inside Frechet; auto is ip", {
  set.seed(3)
  for (case in seq_len(rounds(15, 120))) {
    k <- sample(2:6, 1)
    dim <- sample(1:3, k, replace = TRUE)
    if (prod(dim) > 80) next
    x <- lettered_table(rpois(prod(dim), sample(c(.3, 2, 20), 1)), dim)
    sets <- if (case %% 4 == 0 && k > 2) combn(k, 2, simplify = FALSE) else random_release(k)
    released <- margins(x, named_sets(x, sets))
    bound <- function(m) bounds_margins(released, method = m, dimnames = dimnames(x),
                                        progress = FALSE)
    got <- lapply(c(ip = "ip", auto = "auto", lp = "lp", shuttle = "shuttle", frechet = "frechet"),
                  bound)
    inside <- function(a, b) all(got[[a]]$lower >= got[[b]]$lower &
      got[[a]]$upper <= got[[b]]$upper)
    expect_true(all(got$ip$lower <= x & x <= got$ip$upper))
    expect_true(inside("ip", "lp") && inside("ip", "shuttle"))
    expect_true(inside("lp", "frechet") && inside("shuttle", "frechet"))
    expect_equal(got$auto[c("lower", "upper", "sharp")], got$ip[c("lower", "upper", "sharp")])
    if (release_structure(released)$decomposable) {
      expect_equal(bound("decomposable")[c("lower", "upper")], got$ip[c("lower", "upper")])
      expect_equal(got$frechet[c("lower", "upper", "sharp")], got$ip[c("lower", "upper", "sharp")])
    }
    sharp <- got$lp$sharp
    expect_equal(got$lp$lower[sharp], got$ip$lower[sharp])
    expect_equal(got$lp$upper[sharp], got$ip$upper[sharp])
  }
})

test_that("property: a reducible release component by component is the whole by whole numbers", {
  set.seed(4)
  releases <- list(
    list(1:2, 2:3, c(1, 3), 3:4),
    list(1:2, 2:3, c(1, 3), 3:4, 4:5, c(3, 5)),
    list(1:2, 2:3, c(1, 3), c(2, 4), 3:4),
    list(1:2, 2:3, 3:4, c(1, 4), 4:5),
    list(c(1, 2), c(2, 3), c(1, 3), 4, 5)
  )
  for (case in seq_len(rounds(20, 40))) {
    sets <- releases[[case %% 5 + 1]]
    k <- max(unlist(sets))
    x <- lettered_table(rpois(2^(k - 1) * 3, 1.5), c(3, rep(2, k - 1)))
    released <- margins(x, named_sets(x, sets))
    structure <- release_structure(released)
    expect_true(structure$reducible && !structure$decomposable)
    auto <- bounds_margins(released, progress = FALSE)
    ip <- bounds_margins(released, method = "ip", progress = FALSE)
    expect_equal(auto[c("lower", "upper", "sharp")], ip[c("lower", "upper", "sharp")])
  }
})

test_that("property: the relaxation misses what whole numbers disclose", {
  missed <- vapply(c(4, 13), function(seed) {
    set.seed(seed)
    x <- lettered_table(rbinom(36, 1, .2), c(3, 3, 2, 2))
    released <- margins(x, combn(LETTERS[1:4], 2, simplify = FALSE))
    lp <- bounds_margins(released, method = "lp", progress = FALSE)
    ip <- bounds_margins(released, method = "ip", progress = FALSE)
    expect_true(all(lp$real$lower <= lp$lower & lp$upper <= lp$real$upper))
    all <- enumerate_by_margins(x, combn(4, 2, simplify = FALSE))
    expect_equal(ip$lower, apply(all, 1, min))
    expect_equal(ip$upper, apply(all, 1, max))
    base::sum(ip$upper - ip$lower < lp$upper - lp$lower)
  }, 1)
  expect_true(all(missed > 0))
})

test_that("property: cells are named in any way, in any number, beyond 2^31 too", {
  x <- sdc_table(czech_workers)
  released <- margins(x, list(c("A", "B", "C"), c("C", "D", "E"), "F"))
  all <- bounds_frame(released, dimnames = dimnames(x))
  expect_equal(nrow(all), 64)
  some <- c(3, 64, 17)
  by <- function(cells) bounds_frame(released, cells, dimnames = dimnames(x))
  expect_equal(by(some), all[some, ], ignore_attr = TRUE)
  expect_equal(by(arrayInd(some, dim(x))), all[some, ], ignore_attr = TRUE)
  expect_equal(by(all[some, 6:1]), all[some, ], ignore_attr = TRUE)
  mask <- array(FALSE, dim(x))
  mask[some] <- TRUE
  expect_equal(by(mask), all[sort(some), ], ignore_attr = TRUE)
  expect_equal(nrow(by(x)), length(x$counts))
  expect_equal(nrow(by(numeric())), 0)

  big <- sdc_table(as.data.frame(lapply(1:8, function(v) factor(c(1, 20, 3), levels = 1:20))) |>
                     rlang::set_names(letters[1:8]))
  released <- margins(big, list(letters[1:4], letters[4:8]))
  last <- bounds_margins(released, 20^8)
  expect_equal(vapply(last$codes, identity, 1L), rep(20L, 8))
  expect_equal(c(last$lower, last$upper), c(1, 1))
  expect_equal(bounds_margins(released, 20^8 - 1)$upper, 0)
})

test_that("property: one level, no variable, empty tables, the whole table itself", {
  one <- lettered_table(7, c(1, 1))
  b <- bounds_frame(margins(one, list("A", "B")))
  expect_equal(c(b$lower, b$upper), c(7, 7))
  x <- lettered_table(c(2, 0, 1, 3), c(2, 2))
  total <- bounds_margins(margins(x, list(character())), dimnames = dimnames(x))
  expect_equal(total$upper, rep(6, 4))
  expect_equal(total$lower, rep(0, 4))
  expect_true(all(total$sharp))
  expect_equal(bounds_frame(sdc_table(x))$lower, as.vector(x))
  none <- lettered_table(rep(0, 8), c(2, 2, 2))
  for (method in setdiff(bounding_methods, "decomposable")) {
    b <- bounds_margins(margins(none, combn(LETTERS[1:3], 2, simplify = FALSE)), method = method)
    expect_equal(b$upper, rep(0, 8))
  }
  grand <- bounds_margins(margins(x, list(character())))
  expect_equal(c(grand$lower, grand$upper), c(6, 6))
})

test_that("property: margins in any order, some inside others, as a list of plain tables", {
  x <- sdc_table(czech_workers)
  sets <- list(c("A", "B"), c("B", "C"), c("C", "A"), c("D", "E", "F"))
  a <- bounds_margins(margins(x, sets), dimnames = dimnames(x))
  more <- c(list("A", character(), c("E", "D")), rev(lapply(sets, rev)))
  b <- bounds_margins(margins(x, more), dimnames = dimnames(x))
  expect_equal(a[c("codes", "lower", "upper")], b[c("codes", "lower", "upper")])
  plain <- lapply(sets, function(set) as.table(margin(x, set)))
  d <- bounds_margins(plain, dimnames = dimnames(x))
  expect_equal(a[c("codes", "lower", "upper")], d[c("codes", "lower", "upper")])
})

test_that("property: why the bounds are as they are", {
  x <- sdc_table(czech_workers)
  b <- bounds_margins(margins(x, list(c("A", "B", "C"), c("C", "D", "E", "F"))))
  frame <- as.data.frame(b)
  for (i in c(1, 20, 64)) {
    pin <- b$pins$variables[[b$pins$upper[i]]]
    cells <- as.data.frame(margin(x, pin), zeros = TRUE)
    at <- Reduce(`&`, lapply(pin, function(v) cells[[v]] == frame[[v]][i]))
    expect_equal(cells$freq[at], b$upper[i])
  }
  expect_true(all(b$pins$lower %in% c("zero", "margins")))
  whole <- bounds_margins(margins(x, combn(LETTERS[1:6], 4, simplify = FALSE)))
  expect_true(all(whole$pins$upper[whole$pins$upper > 0] <= 15))
})

test_that("property: constraints take every method but the closed form", {
  x <- lettered_table(c(3, 0, 2, 5, 1, 4, 2, 2, 6), c(3, 3))
  released <- margins(x, list("A", "B"))
  system <- constraints(released)
  ip <- bounds_margins(released, method = "ip")
  for (method in c("auto", "ip", "lp")) {
    b <- bounds_margins(system, method = method)
    expect_equal(b[c("lower", "upper")], ip[c("lower", "upper")])
  }
  for (method in c("frechet", "shuttle")) {
    b <- bounds_margins(system, c(2, 5), method)
    expect_true(all(b$lower <= ip$lower[c(2, 5)] & b$upper >= ip$upper[c(2, 5)]))
    expect_identical(b$sharp, b$lower == b$upper)
  }
  expect_error(bounds_margins(system, method = "decomposable"), class = "sdc_error_input")
  cells <- as.data.frame(sdc_table(x), totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$A %in% c("a1", "a2") & cells$B %in% c("b1", "b2")
  b <- bounds_margins(constraints(cells))
  # the suppressed square 3 5 / 0 1 moves along its diagonals
  expect_equal(b$lower, c(2, 0, 2, 5, 0, 4, 2, 2, 6))
  expect_equal(b$upper, c(3, 1, 2, 6, 1, 4, 2, 2, 6))
  expect_true(all(b$sharp))
  expect_gt(b$effort$networks, 0)
})

test_that("property: without time the bounds are outer, and a warning says so", {
  set.seed(6)
  x <- lettered_table(rpois(81, 3), c(3, 3, 3, 3))
  released <- margins(x, combn(LETTERS[1:4], 2, simplify = FALSE))
  expect_warning(b <- bounds_margins(released, time_limit_s = 0), class = "sdc_warning_outer")
  ip <- bounds_margins(released, method = "ip")
  expect_true(all(b$lower <= ip$lower & ip$upper <= b$upper))
  expect_false(any(b$sharp & (b$lower < ip$lower | b$upper > ip$upper)))
  expect_false(all(b$sharp))
  expect_warning(bounds_margins(constraints(released), time_limit_s = 0),
                 class = "sdc_warning_outer")
})

test_that("oracle: a single value is sharp although the time has run out", {
  set.seed(7)
  x <- lettered_table(rpois(81, .7), c(3, 3, 3, 3))
  two <- combn(LETTERS[1:4], 2, simplify = FALSE)
  released <- margins(x, c(two, list(LETTERS[1:3])))
  ip <- bounds_margins(released, method = "ip")
  start <- bounds_margins(released, method = "frechet")
  for (asked in list(released, constraints(released))) {
    b <- suppressWarnings(bounds_margins(asked, time_limit_s = 0))
    points <- b$lower == b$upper
    expect_gt(sum(points), 10)
    expect_true(all(b$sharp[points]))
    expect_equal(b$lower[b$sharp], ip$lower[b$sharp])
    expect_equal(b$upper[b$sharp], ip$upper[b$sharp])
    expect_true(all(b$lower >= start$lower & b$upper <= start$upper))
    expect_match(format(b), "the time limit ended the search", all = FALSE)
  }
  # published cells are known, whatever the time
  cells <- as.data.frame(sdc_table(x), zeros = TRUE)
  cells$suppressed <- cells$freq %in% 1:2
  cells <- rbind(cells, transform(as.data.frame(margin(x, c("A", "B"))), C = "Total", D = "Total",
                                  suppressed = FALSE)[names(cells)])
  b <- suppressWarnings(bounds_margins(constraints(cells), time_limit_s = 0))
  expect_true(all(b$sharp[!cells$suppressed[1:81]]))
})

test_that("snapshot: margins that contradict each other, and what is no release", {
  x <- lettered_table(c(2, 0, 1, 3, 4, 1, 0, 5), c(2, 2, 2))
  ab <- margin(x, c("A", "B"))
  changed <- x
  changed[1, 1, 1] <- 3
  changed[2, 2, 1] <- 4
  expect_snapshot(error = TRUE, {
    bounds_margins(list(ab, margin(changed, c("B", "C"))))
    bounds_margins(list(ab, margin(changed, "C")))
    bounds_margins(list(ab, margin(changed, "B")))
    other <- x
    dimnames(other)$B <- c("b2", "b1")
    bounds_margins(list(ab, margin(other, c("B", "C"))))
    bounds_margins(margins(x, list(c("A", "B"), c("B", "C"), c("A", "C"))), method = "decomposable")
    bounds_margins(ab, dimnames = list(A = c("a1", "a2")))
    release_structure(3)
  })
  expect_error(bounds_margins(list(ab, margin(changed, c("B", "C")))), class = "sdc_error_infeasible")
})

test_that("oracle: margins that agree in pairs and have no table", {
  pick <- function(cells) {
    counts <- numeric(8)
    counts[cells] <- 1
    lettered_table(counts, c(2, 2, 2))
  }
  release <- list(margin(pick(c(1, 4)), c("A", "B")), margin(pick(c(1, 7)), c("B", "C")),
                  margin(pick(c(2, 5)), c("A", "C")))
  for (method in c("auto", "ip", "lp", "shuttle")) {
    expect_error(bounds_margins(release, method = method), class = "sdc_error_infeasible")
  }
})

test_that("property: input: what is wrong is refused", {
  x <- lettered_table(c(2, 0, 1, 3, 4, 1, 0, 5), c(2, 2, 2))
  released <- margins(x, list(c("A", "B"), "C"))
  wrong <- function(...) expect_error(bounds_margins(...), class = "sdc_error_input")
  wrong()
  wrong(released, 9)
  wrong(released, 0)
  wrong(released, 1.5)
  wrong(released, NA_real_)
  wrong(released, c(2, 2))
  wrong(released, "a1")
  wrong(released, matrix(1, 1, 2))
  wrong(released, matrix(3, 1, 3))
  wrong(released, data.frame(A = "a1", B = "b9"))
  wrong(released, data.frame(A = "a1", B = "b1", C = "c9"))
  wrong(released, data.frame(A = "a1", B = "b1", C = NA))
  wrong(released, sdc_table(roehrig))
  wrong(released, method = "simplex")
  wrong(released, solver = "glpk")
  wrong(released, time_limit_s = -1)
  wrong(released, time_limit_s = NA)
  wrong(released, max_cells = 0)
  wrong(released, progress = NA)
  wrong(released, whatever = 1)
  wrong(released, dimnames = list("a"))
  wrong(list(as.table(c(a = 1.5)), x))
  wrong(list(as.table(c(a = -1)), x))
  wrong(list(array(NA_real_, 1, list(A = "a1")), x))
  expect_error(bounds_margins(released, max_cells = 7), class = "sdc_error_too_large")
  expect_error(bounds_margins(margins(x, combn(LETTERS[1:3], 2, simplify = FALSE)), 1, "ip",
                              max_cells = 7),
               class = "sdc_error_too_large")
})

test_that("property: input: a solver that is not installed", {
  skip_if(requireNamespace("lpSolve", quietly = TRUE))
  expect_error(bounds_margins(margins(roehrig, list("row")), method = "ip", solver = "lpSolve"),
               "lpSolve", class = "sdc_error_input")
})

test_that("snapshot: the structure of releases", {
  x <- sdc_table(czech_workers)
  expect_snapshot({
    release_structure(margins(x, list(c("B", "F"), c("A", "B", "C", "E"), c("A", "D", "E"))))
    release_structure(margins(x, list(c("A", "B"), c("B", "C"), c("A", "C"), c("C", "D"))))
    release_structure(margins(x, list(c("A", "B"), c("B", "C"), c("C", "D"), c("A", "D"))))
    bounds_margins(margins(x, list(c("A", "B"), c("B", "C"), c("A", "C"), c("C", "D"))))
  })
})

test_that("property: a search that would go too deep leaves outer bounds instead of ending R", {
  set.seed(4)
  dim <- c(16, 8, 4)
  x <- array(round(exp(rnorm(prod(dim), 10, 1))), dim)
  hidden <- array(runif(prod(dim)) < .6, dim)
  pub <- publish(suppress(x, 0, pattern = hidden, audit = FALSE), insist = TRUE)
  found <- suppressWarnings(audit(pub, count = FALSE, time_limit_s = 2))
  inside <- found$cells$lower <= 2^53 & found$cells$upper >= 0
  expect_true(all(inside))
})
