# Perturbed tables in a record: judged by all originals that can have led to them.

sparse_four_by_three <- function(seed) {
  set.seed(seed)
  labels <- list(r = paste0("r", 1:4), c = paste0("c", 1:3))
  as_sdc_table(matrix(sample(c(0:4, 1, 1, 2), 12, TRUE), 4, dimnames = labels))
}

# A perturbed table and a suppressed one of the same counts, both as they would leave.
both_kinds <- function(seed, transposed = TRUE) {
  x <- sparse_four_by_three(seed)
  rule <- c("blocked", "nonnegative")[1 + seed %% 2]
  me <- mechanism(cycles_banded(x, seed = seed, transposed = transposed), zero_rule = rule)
  pe <- perturb(x, me, seed = seed, insist = TRUE)
  counts <- as.array(x)
  hidden <- array(counts > 0 & (stats::runif(12) < .7 | counts == 1), dim(counts))
  su <- suppress(x, 1, pattern = hidden, audit = FALSE)
  list(x = x, pe = pe, su = su, perturbed = publish(pe, insist = TRUE),
       suppressed = publish(su, insist = TRUE))
}

leaves_of <- function(x) {
  cbind(expand.grid(dimnames(x), stringsAsFactors = FALSE), freq = as.vector(as.array(x)),
        width = 1, alone = FALSE)
}

test_that("oracle: a perturbed table tells what its originals say, which are listed, also beside a suppressed one", {
  skip_if_not_installed("RSQLite")
  certain <- open <- 0
  for (seed in if (is_long()) 1:60 else 1:8) {
    made <- both_kinds(seed)
    cells <- leaves_of(made$x)
    originals <- originals_of(made$perturbed)
    expect_true(any(apply(originals, 1, function(counts) all(counts == cells$freq))))
    said <- bound_together(list(open_entry(made$perturbed)), cells)$bounds
    expect_true(all(said$sharp))
    expect_identical(said$lower, as.numeric(apply(originals, 2, min)))
    expect_identical(said$upper, as.numeric(apply(originals, 2, max)))
    # and both together
    entry <- suppression_entry(made$su, made$suppressed)
    kept <- originals[apply(originals, 1, agrees_with, made$suppressed), , drop = FALSE]
    said <- bound_together(list(open_entry(made$perturbed), entry), cells)$bounds
    expect_identical(said$lower, as.numeric(apply(kept, 2, min)))
    expect_identical(said$upper, as.numeric(apply(kept, 2, max)))
    constant <- apply(kept, 2, function(v) all(v == v[1]))
    certain <- certain + any(constant & cells$freq == 1)
    open <- open + !any(constant & cells$freq == 1)
  }
  expect_gt(certain, 2)
  expect_gt(open, 1)
})

test_that("oracle: of single people, too, what they know beside both publications is what listed tables say", {
  skip_if_not_installed("RSQLite")
  told <- untold <- 0
  for (seed in if (is_long()) 1:60 else 1:8) {
    made <- both_kinds(seed + 200)
    entries <- list(perturbation_entry(made$pe, made$perturbed),
                    suppression_entry(made$su, made$suppressed))
    # the leaf cells of the suppression alone
    guarded <- entries[[2]]$guarded
    guarded <- guarded[guarded$r != "Total" & guarded$c != "Total", ]
    entries[[1]]$guarded <- NULL
    entries[[2]]$guarded <- guarded
    originals <- originals_of(made$perturbed)
    kept <- originals[apply(originals, 1, agrees_with, made$suppressed), , drop = FALSE]
    cells <- leaves_of(made$x)
    primary <- match(label_words(guarded[c("r", "c")]), label_words(cells[c("r", "c")]))
    readers <- c(0, which(cells$freq == 1))
    known <- unique(unlist(lapply(readers, function(own) {
      mine <- if (own == 0) kept else kept[kept[, own] == 1, , drop = FALSE]
      constant <- which(apply(mine, 2, function(v) all(v == v[1])))
      setdiff(intersect(constant, primary), own)
    })))
    found <- known_together(entries)
    expect_setequal(found$cells, label_words(cells[c("r", "c")])[known])
    told <- told + (length(known) > 0)
    untold <- untold + (length(known) == 0)
  }
  expect_gt(told, 2)
  expect_gt(untold, 0)
})

test_that("property: the people of a record are perturbed once, and what is refused changes nothing", {
  skip_if_not_installed("RSQLite")
  path <- withr::local_tempfile(fileext = ".sqlite")
  record <- publication_record(path)
  x <- sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), 4,
                        dimnames = list(r = 1:4, c = 1:3)))
  me <- mechanism(cycles_banded(x, seed = 11, transposed = TRUE), zero_rule = "nonnegative")
  pe <- perturb(x, me)
  first <- publish(pe, record = record)
  expect_s3_class(first, "sdc_publication")
  expect_identical(as.data.frame(record)$kind, "sdc_publication")
  # the same once more is out already, other coins are not
  expect_identical(publish(pe, record = record), first)
  held <- as.data.frame(record)
  bytes <- readBin(path, "raw", 1e6)
  again <- perturb(x, me)
  while (identical(publish(again)$table, first$table)) again <- perturb(x, me)
  expect_error(publish(again, record = record), "averages out", class = "sdc_error_refused")
  expect_error(publish(margins(x, list(c("r", "c"))), record = record), "Together with",
               class = "sdc_error_refused")
  expect_identical(as.data.frame(record), held)
  expect_identical(readBin(path, "raw", 1e6), bytes)
  # what the cycles keep is no news
  expect_error(publish(margins(x, list("r", "c")), record = record), NA)
})

test_that("property: perturbed tables that cannot be judged are refused", {
  skip_if_not_installed("RSQLite")
  record <- publication_record()
  x <- as_sdc_table(HairEyeColor[, , 1])
  skips <- mechanism(cycles_banded(x, seed = 1, skip_zeros = TRUE))
  sure <- mechanism(cycles_banded(x, seed = 1), alpha = .5, beta = .5)
  for (me in list(skips, sure)) {
    pe <- perturb(x, me, seed = 1, insist = TRUE)
    expect_error(publish(pe, insist = TRUE, record = record), "not judged|add up to 1",
                 class = "sdc_error_refused")
  }
  expect_identical(nrow(as.data.frame(record)), 0L)
})

test_that("property: perturb() refuses before it draws what no coins make right", {
  skip_if_not_installed("RSQLite")
  x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), 4,
                           dimnames = list(r = 1:4, c = 1:3)))
  me <- mechanism(cycles_banded(x, seed = 11, transposed = TRUE), zero_rule = "nonnegative")
  record <- publication_record()
  # a total of one row is secret, and the cycles keep it
  rows <- margin(x, "r")
  publish(suppress(rows, 7, pattern = as.array(rows) <= 7, audit = FALSE), record = record)
  expect_error(perturb(x, me, record = record), "Together with", class = "sdc_error_refused")
  expect_identical(nrow(as.data.frame(record)), 1L)
  record <- publication_record()
  pe <- perturb(x, me, record = record)
  publish(pe, record = record)
  expect_error(perturb(x, me, record = record), "averages out", class = "sdc_error_refused")
  skips <- mechanism(cycles_banded(x, seed = 1, skip_zeros = TRUE))
  expect_error(perturb(x, skips, record = publication_record()), "not judged",
               class = "sdc_error_refused")
})
