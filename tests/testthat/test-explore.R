# The explorer: its figures against those of the package, what its pages hold, and its errors.

slides_published <- function() {
  published <- roehrig
  published[] <- c(16, 21, 2, 11, 0, 11, 11, 13, 2, 9, 11, 8, 2, 14, 1, 3)
  published
}

# ---- figures ------------------------------------------------------------------------------------

page_posteriors <- function(published, set, order, rule, pairs) {
  run_script(
    "(() => { const terms = posteriorTerms(counts, cycles, order, rule);
      return pairs.map(([a, b]) => posteriorOf(terms, a, b)); })()",
    counts = as.vector(published), cycles = script_cycles(set), order = order - 1, rule = rule,
    pairs = pairs
  )
}

package_posterior <- function(published, set, covers, rule, pair) {
  own <- if (rule == "nonnegative") rule else "blocked"
  me <- mechanism(set, pair[[1]], pair[[2]], covers = covers, zero_rule = own)
  tryCatch(posterior(publication(published, me), zero_rule = rule),
           sdc_error_infeasible = function(cnd) NULL)
}

expect_same_posterior <- function(found, wanted) {
  if (is.null(wanted)) {
    return(expect_equal(found$evidence, 0))
  }
  long <- as.data.frame(wanted)
  pairs <- matrix(page_numbers(found$laws), ncol = 2, byrow = TRUE)
  expect_equal(pairs[, 1], long$value)
  expect_lt(max(abs(pairs[, 2] - long$probability)), 1e-12)
  expect_lt(abs(log(found$evidence) - wanted$log_evidence), 1e-11)
}

test_that("oracle: probabilities of the page are those of posterior()", {
  skip_without_script()
  pairs <- list(c(.25, .25), c(.1, .3), c(.5, .5), c(.37, .11), c(.05, .9), c(1, 0), c(0, 0))
  small <- table(a = 1:3, b = 1:3)
  small[] <- c(2, 0, 1, 1, 3, 1, 4, 2, 0)
  cases <- list(list(slides_published(), 1), list(small, 2))
  for (case in cases) {
    set <- cycles_bidiagonal(case[[1]])
    order <- rep(seq_along(as.list(set)), case[[2]])
    for (rule in c("blocked", "nonnegative", "roehrig")) {
      found <- page_posteriors(case[[1]], set, order, rule, pairs)
      for (k in seq_along(pairs)) {
        wanted <- package_posterior(case[[1]], set, case[[2]], rule, pairs[[k]])
        expect_same_posterior(found[[k]], wanted)
      }
    }
  }
})

test_that("oracle: the page's coins lead from the original to the published table", {
  skip_without_script()
  set <- cycles_bidiagonal(roehrig)
  for (rule in c("blocked", "nonnegative")) {
    me <- mechanism(set, .4, .4, covers = 5, zero_rule = rule)
    runs <- lapply(1:5, function(seed) perturb(roehrig, me, seed = seed, insist = TRUE))
    found <- run_script(
      "runs.map((coins) => coins.reduce(({ table, blocked }, coin, i) => {
        const cycle = cycles[i % cycles.length];
        return { table: moved(table, cycle, coin),
                 blocked: blocked + blockers(table, cycle, coin, rule).length };
      }, { table: counts, blocked: 0 }))",
      runs = lapply(runs, function(run) run$coefficients), cycles = script_cycles(set), rule = rule,
      counts = as.vector(roehrig)
    )
    for (k in seq_along(runs)) {
      expect_equal(page_numbers(found[[k]]$table), as.vector(as.table(runs[[k]]$published)))
      expect_equal(found[[k]]$blocked, 0)
    }
  }
})

expect_same_intervals <- function(x, families) {
  cells <- seq(1, length(as.table(x)), by = 3)
  variables <- names(dimnames(x))
  bits <- 2^(seq_along(variables) - 1)
  found <- run_script(
    "families.map((family) => marginIntervals(dims, counts, family, cells))", dims = dim(x),
    counts = as.vector(as.table(x)), families = lapply(families, I), cells = cells - 1
  )
  for (k in seq_along(families)) {
    sets <- lapply(families[[k]], function(set) variables[bitwAnd(set, bits) > 0])
    wanted <- as.data.frame(bounds_margins(margins(x, sets), cells, dimnames = dimnames(x)))
    expect_true(all(unlist(found[[k]]$sharp)))
    expect_equal(page_numbers(found[[k]]$lower), wanted$lower)
    expect_equal(page_numbers(found[[k]]$upper), wanted$upper)
  }
}

test_that("oracle: intervals from margins are those of bounds_margins()", {
  skip_without_script()
  withr::local_seed(5)
  czech <- sdc_table(czech_workers)
  sizes <- vapply(1:63, function(set) sum(bitwAnd(set, 2^(0:5)) > 0), 0)
  drawn <- lapply(1:14, function(i) sample(which(sizes %in% 1:4), sample(2:9, 1)))
  expect_same_intervals(czech, c(list(which(sizes == 2), c(34, 23, 25)), drawn))
  cube <- sdc_table(table(a = gl(3, 16), b = gl(4, 4, 48), c = gl(4, 1, 48)))
  cube <- sdc_table(as.table(array(stats::rpois(48, 1), c(3, 4, 4), dimnames(cube))))
  expect_same_intervals(cube, list(c(3, 5, 6), c(3, 5), c(1, 6), 7))
})

test_that("oracle: intervals are those of an enumeration where linear programmes are too wide", {
  skip_without_script()
  withr::local_seed(7)
  all <- as.matrix(expand.grid(rep(list(0:6), 5)))
  all <- all[rowSums(all) == 6, ]
  systems <- lapply(1:40, function(i) {
    row <- sample(0:5, 5, replace = TRUE)
    known <- all[sample(nrow(all), 1), ]
    list(row = row, known = unname(known), sum = sum(row * known))
  })
  found <- run_script(
    "systems.map(({ row, known, sum }) => intervals({ n: 5, sums: [6, sum],
      rows: [known.map((_, k) => [k, 1]), row.map((c, k) => [k, c])] }, known))",
    systems = systems
  )
  for (k in seq_along(systems)) {
    agree <- all[all %*% systems[[k]]$row == systems[[k]]$sum, , drop = FALSE]
    expect_equal(page_numbers(found[[k]]$lower), unname(apply(agree, 2, min)))
    expect_equal(page_numbers(found[[k]]$upper), unname(apply(agree, 2, max)))
  }
})

test_that("oracle: intervals of suppressed cells are those of audit()", {
  skip_without_script()
  withr::local_seed(6)
  for (size in list(c(4, 4), c(5, 3), c(3, 6))) {
    x <- as.table(matrix(stats::rpois(prod(size), 3), size[[1]]))
    names(dimnames(x)) <- c("a", "b")
    patterns <- lapply(1:4, function(i) array(stats::runif(prod(size)) < .2 + i / 8, size))
    found <- run_script(
      "patterns.map((hidden) => hiddenIntervals(dims, counts, hidden))", dims = size,
      counts = as.vector(x), patterns = lapply(patterns, as.vector)
    )
    for (k in seq_along(patterns)) {
      hidden <- suppress(x, maxN = 0, pattern = patterns[[k]], audit = FALSE)
      wanted <- as.data.frame(audit(hidden, readers = "outsider", count = FALSE))
      cells <- cbind(match(wanted$a, rownames(x)), match(wanted$b, colnames(x)))
      at <- match(page_numbers(found[[k]]$cells) + 1, cells[, 1] + size[[1]] * (cells[, 2] - 1))
      expect_false(anyNA(at))
      expect_equal(page_numbers(found[[k]]$lower), wanted$lower[at])
      expect_equal(page_numbers(found[[k]]$upper), wanted$upper[at])
    }
  }
})

# ---- what a page holds --------------------------------------------------------------------------

read_page <- function(file) readChar(file, file.size(file), useBytes = TRUE)

page_data <- function(file) {
  data <- sub(".*<script type=\"application/json\" id=\"data\">(.*?)</script>.*", "\\1",
              read_page(file), perl = FALSE)
  jsonlite::fromJSON(sub("</script>.*", "", data), simplifyVector = FALSE)
}

test_that("property: a page is one small file that names no network address", {
  skip_if_not_installed("withr")
  file <- explorer_page_of()
  expect_lt(file.size(file), 1e6)
  text <- read_page(file)
  expect_no_match(text, "https?:", ignore.case = TRUE)
  expect_no_match(text, "(fetch|XMLHttpRequest|WebSocket|sendBeacon|import) *\\(")
  links <- regmatches(text, gregexpr("(src|href)=[\"'`][^\"'`]*", text))[[1]]
  expect_gt(length(links), 0)
  expect_true(all(grepl("=[\"'`](#|data:)", links)))
  expect_no_match(text, "@(style|data|script)@")
  expect_identical(read_page(explorer_page_of()), text)
  expect_named(page_data(file)$scenes, c("coins", "map", "margins", "posterior", "suppress"),
               ignore.order = TRUE)
})

test_that("property: a page of a publication holds what is published, and nothing else", {
  skip_if_not_installed("withr")
  me <- mechanism(cycles_bidiagonal(roehrig), .3, .3)
  private <- perturb(roehrig, me, seed = 8, insist = TRUE)
  public <- publish(private, insist = TRUE)
  reader <- publication(as.table(private$published), me)
  expect_identical(read_page(explorer_page_of(public)), read_page(explorer_page_of(reader)))
  # another original that leads to the same publication
  for (seed in 1:500) {
    other <- perturb(private$published, me, seed = seed, insist = TRUE)
    if (all(other$coefficients == 0)) break
  }
  other <- publish(other, insist = TRUE)
  expect_identical(read_page(explorer_page_of(other)), read_page(explorer_page_of(public)))
  expect_false(identical(as.vector(as.table(private$published)), as.vector(roehrig)))
  data <- page_data(explorer_page_of(public))
  expect_equal(data$kind, "public")
  expect_named(data$scenes, c("coins", "posterior"))
  published <- as.vector(as.table(private$published))
  expect_equal(page_numbers(data$scenes$coins$table$counts), published)
  expect_equal(page_numbers(data$scenes$posterior$table$counts), published)
  expect_false(data$scenes$coins$drawn)
  expect_message(explore(public, file = withr::local_tempfile(), open = FALSE), "only what is pub")
})

test_that("property: pages of private objects say so, and show the scenes that apply", {
  skip_if_not_installed("withr")
  scenes_of <- function(x, ...) {
    data <- page_data(explorer_page_of(x, ...))
    expect_equal(data$kind, "private")
    names(data$scenes)
  }
  me <- mechanism(cycles_bidiagonal(roehrig), .3, .3)
  map <- hex_table(data.frame(q = 0:4, r = c(0, 1, 0, 1, 0), n = c(9, 1, 4, 2, 6)), c("q", "r"), freqVar = "n")
  expect_setequal(scenes_of(roehrig), c("coins", "posterior", "margins", "suppress"))
  expect_setequal(scenes_of(sdc_table(czech_workers)), "margins")
  expect_setequal(scenes_of(perturb(roehrig, me, seed = 2, insist = TRUE)), c("coins", "posterior"))
  expect_setequal(scenes_of(map), "map")
  expect_setequal(scenes_of(redistribute(map, 3, outliers = "keep")), "map")
  expect_message(explore(roehrig, file = withr::local_tempfile(), open = FALSE), "confidential")
  wide <- as.table(matrix(1, 3, 30))
  data <- page_data(explorer_page_of(wide))
  expect_named(data$scenes, c("margins", "suppress"))
  expect_match(unlist(data$left_out), "at most 64 cells; here: 3 x 30 cells", fixed = TRUE)
  data <- page_data(explorer_page_of(as.table(matrix(0, 3, 3))))
  expect_named(data$scenes, c("coins", "posterior", "suppress"))
  expect_match(unlist(data$left_out), "at least one count")
})

test_that("property: a table with a level for missing values has a page", {
  skip_if_not_installed("withr")
  records <- data.frame(a = c("x", NA, "y"), b = c("u", "w", "w"), n = 1:3)
  x <- sdc_table(records, c("a", "b"), "n", na = "level")
  data <- page_data(explorer_page_of(x))
  expect_setequal(unlist(data$scenes$coins$table$levels[[1]]), c("x", "y", "NA"))
  # what cannot be written into a page is no fault of the file
  expect_error(sdcLattice:::write_page(stop("no text"), tempfile()), "no text")
})

test_that("property: explore() says what was found in a table of one variable", {
  e <- expect_error(explore(table(a = c(1, 1, 2)), open = FALSE), class = "sdc_error_too_large")
  expect_match(gsub("\\s+", " ", conditionMessage(e)), "here: 1 variable with 2 levels.",
               fixed = TRUE)
})

test_that("snapshot: errors of explore()", {
  skip_if_not_installed("withr")
  large <- table(a = 1:30, b = 1:30)
  expect_snapshot(error = TRUE, {
    explore(large, open = FALSE)
    explore(publication(large, mechanism(cycles_bidiagonal(large))), open = FALSE)
    explore("a table", open = FALSE)
    explore(open = NA)
    explore(open = FALSE, threshold = 1)
  })
  expect_error(explore(large, open = FALSE), class = "sdc_error_too_large")
  expect_error(explore(file = file.path(withr::local_tempdir(), "no", "page.html"), open = FALSE),
               class = "sdc_error_input")
})

test_that("property: the page is made where the package is not attached", {
  file <- withr::local_tempfile(fileext = ".html")
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  code <- sprintf("sdcLattice::explore(file = %s, open = FALSE)", deparse(file))
  script <- file.path(R.home("bin"), "Rscript")
  status <- system2(script, c("-e", shQuote(code)), stdout = FALSE, stderr = FALSE)
  expect_identical(status, 0L)
  expect_true(file.exists(file))
})
