# What follows a certified suppression: estimates and numbers of tables for the reader, pictures,
# files and frames with status.

# Small tables with a tree and with links, so that all tables that agree can be listed.
small_cases <- function() {
  tree <- data.frame(parent = c("all", "all", "p", "p"), child = c("p", "a3", "a1", "a2"))
  x <- matrix(c(1, 5, 4, 2, 3, 6), 3, dimnames = list(A = c("a1", "a2", "a3"), B = c("b1", "b2")))
  totals <- data.frame(A = c("a1", "a2", "a3", "all"), B = "Total")
  frame <- expand.grid(A = c("a1", "a2"), B = c("b1", "b2"), C = c("c1", "c2"))
  frame$n <- c(1, 2, 1, 0, 0, 2, 1, 1)
  linked <- sdc_table(frame, c("A", "B", "C"), freqVar = "n", formula = ~ A * B + A * C)
  certify <- function(x, ...) suppress(x, method = "certified", readers = "outsider", seed = 1, ...)
  list(
    flat = certify(x, maxN = 2, published = transform(totals, A = sub("all", "Total", A))),
    tree = certify(x, maxN = 2, hierarchies = list(A = tree), published = totals),
    linked = certify(linked, maxN = 2,
                     published = data.frame(A = c("a1", "a2", "Total"), B = "Total", C = "Total"))
  )
}

# All tables that agree with what is published, by trying every count of every inner cell: a row for
# each table. `sums`: which cells and totals hold which inner cells.
listed_tables <- function(su) {
  cells <- su$cells
  d <- su$original$dimnames
  size <- prod(lengths(d))
  sums <- vapply(seq_len(size), function(k) {
    naive_totals(replace(array(0, lengths(d)), k, 1), d, cells, held_labels(su))
  }, numeric(nrow(cells)))
  shown <- !cells$sdcStatus %in% c("u", "x", "n")
  most <- vapply(seq_len(size), function(k) min(cells$freq[shown & sums[, k] > 0]), 0)
  tables <- matrix(0, 1, 0)
  for (k in seq_len(size)) {
    tables <- cbind(tables[rep(seq_len(nrow(tables)), each = most[k] + 1), , drop = FALSE], 0:most[k])
    reached <- tables %*% t(sums[shown, seq_len(k), drop = FALSE])
    tables <- tables[colSums(t(reached) > cells$freq[shown]) == 0, , drop = FALSE]
  }
  fits <- colSums(t(tables %*% t(sums[shown, , drop = FALSE])) != cells$freq[shown]) == 0
  list(tables = tables[fits, , drop = FALSE], sums = sums, shown = shown)
}

test_that("oracle: counts, bounds and estimates of a publication are those of all tables that agree with it", {
  cases <- small_cases()
  for (name in names(cases)) {
    su <- cases[[name]]
    expect_true(any(is_withheld(su)), info = name)
    pub <- publish(su)
    all <- listed_tables(su)
    n <- nrow(all$tables)
    expect_gt(n, 1)
    expect_identical(as.numeric(as.character(count_tables(pub))), as.double(n), info = name)
    tables <- enumerate_tables(constraints(pub))
    as_text <- function(rows) sort(apply(rows, 1, paste, collapse = " "))
    expect_identical(as_text(t(matrix(tables, ncol = n))), as_text(all$tables), info = name)
    bounds <- as.data.frame(bounds_margins(constraints(pub)))
    expect_equal(bounds$lower, apply(all$tables, 2, min))
    expect_equal(bounds$upper, apply(all$tables, 2, max))
    # the estimate has all published sums, and no larger entropy in any direction that they leave
    estimate <- as.vector(as.table(estimate_table(pub, tolerance = 1e-9)))
    expect_equal(as.vector(all$sums %*% estimate)[all$shown], su$cells$freq[all$shown], tolerance = 1e-6)
    inside <- estimate > 1e-6
    directions <- sweep(all$tables[-1, , drop = FALSE], 2, all$tables[1, ])
    directions <- directions[rowSums(directions[, !inside, drop = FALSE] != 0) == 0, inside, drop = FALSE]
    expect_lt(max(abs(directions %*% log(estimate[inside])), 0), 1e-4)
  }
})

test_that("property: frames and files keep each status, and a publication tells no kinds apart", {
  for (name in names(certified_cases())) {
    su <- certified_cases()[[name]]
    frame <- as.data.frame(su)
    expect_identical(frame$sdcStatus, su$cells$sdcStatus[su$cells$sdcStatus != "n"], info = name)
    expect_true(all(frame$sdcStatus %in% c("u", "x", "s", "z")), info = name)
    # as a pattern of sdcTable the frame leads to the same cells
    again <- suppress(su$original, su$maxN, pattern = frame, audit = FALSE)
    expect_identical(again$cells, su$cells, info = name)
    if (is.null(su$crossings) && name != "trees") {
      files <- write_tau_argus(su, withr::local_tempfile(), status = "column")
      back <- read_tau_argus(files[["tab"]], rda = files[["rda"]])$cells
      key <- function(cells) do.call(paste, lapply(cells[names(su$original$dimnames)], as.character))
      kept <- match(key(back), key(frame))
      expect_identical(tabulate(match(back$sdcStatus, c("u", "x")), 2),
                       tabulate(match(frame$sdcStatus, c("u", "x")), 2), info = name)
      if (!anyNA(kept)) expect_identical(back$sdcStatus, frame$sdcStatus[kept], info = name)
    }
    pub <- publish(su, insist = TRUE)
    shown <- as.data.frame(pub)
    expect_identical(shown$suppressed, frame$sdcStatus %in% c("u", "x"), info = name)
    expect_identical(is.na(shown$freq), shown$suppressed, info = name)
    expect_false("sdcStatus" %in% names(shown))
    folder <- withr::local_tempfile()
    write_publication(pub, folder)
    expect_identical(as.data.frame(read_publication(folder)), shown, info = name)
    words <- unlist(lapply(list.files(folder, full.names = TRUE), readLines))
    expect_false(any(grepl("primary|secondary|sdcStatus", words)), info = name)
  }
})

test_that("property: pictures mark primary and secondary cells of trees and links, and say what marks mean", {
  skip_if_not_installed("ggplot2")
  for (name in c("two", "tree", "trees", "linked")) {
    su <- certified_cases()[[name]]
    picture <- ggplot2::autoplot(su)
    expect_match(picture$labels$caption, "u: primary.*x: secondary", info = name)
    expect_match(picture$labels$title, "CONFIDENTIAL")
    marks <- picture$data$.label
    shown <- if (name == "two") inner_rows(su$cells, su$original$dimnames) else {
      if (name == "linked") su$cells$C == "Total" else TRUE
    }
    of <- function(what) sum(su$cells$sdcStatus[shown] == what)
    expect_identical(c(sum(marks == "u"), sum(marks == "x")), c(of("u"), of("x")), info = name)
    public <- ggplot2::autoplot(publish(su, insist = TRUE))
    expect_match(public$labels$caption, "x: suppressed")
    expect_identical(sum(public$data$.label == "x"), of("u") + of("x"), info = name)
    expect_false("u" %in% public$data$.label)
  }
  # another crossing, and variables that no crossing shows
  su <- certified_cases()$linked
  picture <- ggplot2::autoplot(su, variables = c("A", "C"))
  at <- which(su$cells$B == "Total")
  expect_identical(sum(picture$data$.label == "u"), sum(su$cells$sdcStatus[at] == "u"))
  tile <- match(paste(su$cells$A, su$cells$C)[at], paste(picture$data$.row, picture$data$.column))
  withheld <- su$cells$sdcStatus[at] %in% c("u", "x")
  expect_identical(picture$data$.label[tile][withheld], su$cells$sdcStatus[at][withheld])
  none <- ggplot2::autoplot(su, variables = c("B", "C"))
  expect_false(any(none$data$.label %in% c("u", "x")))
  expect_error(ggplot2::autoplot(su, variables = "D"), "variables", class = "sdc_error_input")
  expect_error(ggplot2::autoplot(publish(su), variables = c("A", "A")), class = "sdc_error_input")
})

test_that("property: how the cells were chosen is under the seal, functions too", {
  x <- certified_cases()$two$original
  cost <- function(cells) cells$freq + 0.5
  su <- suppress(x, maxN = 2, method = "certified", seed = 1, time_limit_s = 1, cost = cost)
  for (k in 1:3) cost(su$cells)
  file <- withr::local_tempfile()
  saveRDS(su, file)
  expect_s3_class(publish(readRDS(file)), "sdc_suppressed")
  edits <- list(
    cost = function(su) su$further$cost <- function(cells) cells$freq,
    readers = function(su) su$further$readers <- "outsider",
    seed = function(su) su$further$seed <- 2,
    none = function(su) su$further <- list(),
    added = function(su) su$added <- 3,
    notes = function(su) su$notes <- "all is well",
    version = function(su) su$version <- "9.9"
  )
  for (name in names(edits)) {
    edited <- su
    body(edits[[name]]) <- call("{", body(edits[[name]]), quote(su))
    edited <- edits[[name]](edited)
    expect_error(publish(edited), "changed afterwards", class = "sdc_error_refused", info = name)
    expect_match(verify_suppression(edited)$faults, "changed after it was made", all = FALSE, info = name)
  }
})
