# Certified suppression with protected zeros, against all tables that agree.

certify_zeros <- function(x, maxN, ..., method = "certified", time_limit_s = 2) {
  suppressWarnings(
    suppress(x, maxN = maxN, protectZeros = TRUE, method = method, time_limit_s = time_limit_s, ...),
    classes = "sdc_warning_unsafe"
  )
}

# All tables that agree with the publication: a row for each suppressed cell; NULL where they are too
# many.
agreeing <- function(su) {
  public <- public_suppression(su)
  tables <- tryCatch(
    enumerate_tables(reader_system(public), limit = 2e5, max_states = 1e7, max_steps = 1e8),
    sdc_error = function(cnd) NULL
  )
  if (!is.null(tables)) matrix(tables, sum(public$cells$suppressed))
}

# The grand total and large margins stay published, so that the listing ends.
large_totals <- function(x, maxN) {
  totals <- rbind(data.frame(A = dimnames(x)$A, B = "Total"), data.frame(A = "Total", B = c(dimnames(x)$B, "Total")))
  totals[c(rowSums(x), colSums(x), sum(x)) > maxN, ]
}

test_that("oracle: protected zeros have the interval claimed for every reader, by all tables that agree", {
  set.seed(311)
  tried <- c(tables = 0, zeros = 0, people = 0, lacking = 0)
  for (k in seq_len(if (is_long()) 400 else 20)) {
    x <- matrix(rpois(12, sample(c(.7, 1.5, 3), 1)), 3, dimnames = list(A = 1:3, B = 1:4))
    if (sum(x) < 5) next
    maxN <- sample(0:2, 1)
    width <- sample(1:2, 1)
    su <- certify_zeros(x, maxN, method = sample(c("certified", "optimal"), 1), width = width, seed = k,
                        published = large_totals(x, maxN))
    expect_true(all(su$cells$sdcStatus[su$cells$freq <= maxN] == "u"), info = k)
    primary <- which(su$cells$sdcStatus == "u")
    tables <- if (length(primary) > 0) agreeing(su)
    if (is.null(tables)) next
    hidden <- which(is_withheld(su))
    reach <- function(kept) apply(tables[match(primary, hidden), kept, drop = FALSE], 1, function(v) diff(range(v)))
    outside <- su$lacking$row[su$lacking$reader == "outsider"]
    expect_true(all((reach(TRUE) >= width)[!primary %in% outside]), info = k)
    inner <- inner_rows(su$cells, su$original$dimnames)
    for (who in inner[su$cells$freq[inner] == 1 & is_withheld(su)[inner]]) {
      open <- c(outside, su$lacking$row[su$lacking$who %in% who], who)
      kept <- tables[match(who, hidden), ] == 1
      expect_true(all((reach(kept) >= width)[!primary %in% open]), info = paste(k, who))
      tried["people"] <- tried["people"] + 1
    }
    # what is said to be impossible, or exposed, is known
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = k)
    tried["tables"] <- tried["tables"] + 1
    tried["zeros"] <- tried["zeros"] + sum(su$cells$freq == 0)
    tried["lacking"] <- tried["lacking"] + (nrow(su$lacking) > 0)
  }
  expect_true(all(tried[c("tables", "zeros", "people")] > 8))
})

test_that("oracle: a proved optimum with protected zeros is that of all sets of cells", {
  set.seed(312)
  proved <- 0
  for (k in seq_len(rounds(5, 7))) {
    x <- matrix(rpois(9, 4), 3, dimnames = list(A = 1:3, B = 1:3))
    x[sample(9, 1)] <- 0
    if (any(rowSums(x) == 0, colSums(x) == 0)) next
    totals <- large_totals(x, 0)
    su <- certify_zeros(x, 0, method = "optimal", readers = "outsider", seed = k, published = totals)
    candidates <- which(x > 0)
    if (!su$optimal || nrow(su$lacking) > 0 || length(candidates) > 8) next
    protects <- function(set) {
      pattern <- x == 0
      pattern[set] <- TRUE
      tables <- agreeing(suppress(x, maxN = 0, protectZeros = TRUE, pattern = pattern, audit = FALSE))
      inner <- inner_rows(su$cells, su$original$dimnames)
      hidden <- inner[as.vector(pattern)]
      all(apply(tables[su$cells$freq[hidden] == 0, , drop = FALSE], 1, max) > 0)
    }
    cheaper <- if (su$cost > 0) utils::combn(seq_along(candidates), su$cost - 1, simplify = FALSE)
    expect_false(any(vapply(cheaper, function(at) protects(candidates[at]), NA)), info = k)
    proved <- proved + 1
  }
  expect_gt(proved, rounds(1, 2))
})

test_that("oracle: an audit finds no reader who learns a protected zero, with trees, links and single levels", {
  set.seed(313)
  draw <- function(dim, mean) {
    names <- LETTERS[seq_along(dim)]
    array(rpois(prod(dim), mean), dim, stats::setNames(lapply(dim, function(n) paste0("a", seq_len(n))), names))
  }
  tree <- data.frame(parent = c("all", "all", "p", "p", "q", "q"), child = c("p", "q", "a1", "a2", "a3", "a4"))
  frame <- as.data.frame(as.table(draw(c(3, 3, 2), 2)))
  linked <- sdc_table(frame, c("A", "B", "C"), freqVar = "Freq", formula = ~ A:B + A:C)
  cases <- list(
    tree = certify_zeros(draw(c(4, 4), 2), 1, hierarchies = list(A = tree), seed = 1),
    linked = certify_zeros(linked, 1, seed = 1),
    three = certify_zeros(draw(c(3, 3, 2), 1), 2, seed = 1),
    one_level = certify_zeros(draw(c(4, 1), 2), 1, seed = 1),
    one_way = certify_zeros(draw(6, 1), 0, seed = 1)
  )
  for (name in names(cases)) {
    su <- cases[[name]]
    zeros <- su$cells$freq == 0 & in_crossings(su)
    expect_true(all(su$cells$sdcStatus[zeros] == "u"), info = name)
    found <- audit(su, count = FALSE)
    known <- which(is_withheld(su))[found$cells$primary & found$cells$known == "exactly"]
    expect_true(all(known %in% su$lacking$row), info = name)
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = name)
    if (nrow(su$lacking) > 0) next
    expect_true(all(faults_of(found) == 0), info = name)
    expect_false(any(public_suppression(su)$cells$freq %in% 0), info = name)
    expect_identical(publish(su), public_suppression(su))
  }
  expect_gt(sum(vapply(cases, function(su) nrow(su$lacking) == 0, NA)), 2)
})

test_that("oracle: for who knows the method zeros are certified by all tables with the same small counts", {
  set.seed(314)
  tried <- 0
  for (k in seq_len(rounds(4, 7))) {
    x <- matrix(rpois(12, 2), 3, dimnames = list(A = 1:3, B = 1:4))
    maxN <- sample(1:2, 1)
    choose <- function(x, ...) {
      certify_zeros(x, maxN, readers = c("outsider", "method"), published = large_totals(x, maxN), ...)
    }
    su <- choose(x, seed = k)
    tables <- agreeing(su)
    if (is.null(tables)) next
    hidden <- which(is_withheld(su))
    small <- su$cells$freq[hidden] <= maxN
    tables <- tables[, apply(tables, 2, function(v) identical(v <= maxN, small)), drop = FALSE]
    known <- hidden[apply(tables, 1, function(v) diff(range(v)) == 0)]
    expect_setequal(unique(su$lacking$row), known[su$cells$sdcStatus[known] == "u"])
    # the same cells are chosen for them, although other cells are zero
    for (i in utils::head(seq_len(ncol(tables)), 3)) {
      freq <- replace(su$cells$freq, hidden, tables[, i])
      y <- array(freq[inner_rows(su$cells, su$original$dimnames)], dim(x), dimnames(x))
      expect_identical(choose(y, key = su$further$key)$cells$sdcStatus, su$cells$sdcStatus, info = paste(k, i))
    }
    tried <- tried + 1
  }
  expect_gt(tried, rounds(1, 3))
})

test_that("property: edits of the rule or of a zero are refused", {
  x <- matrix(c(5, 0, 8, 4, 7, 9, 6, 1, 3), 3, dimnames = list(A = 1:3, B = 1:3))
  hidden <- certify_zeros(x, 1, seed = 1)
  expect_true(verify_suppression(hidden)$verified)
  shown <- suppress(x, maxN = 1, method = "certified", seed = 1)
  refused <- function(su) {
    expect_false(verify_suppression(resealed(su))$verified)
    expect_error(publish(resealed(su)), class = "sdc_error_refused")
  }
  # a zero that is published after all; a suppressed count that could be zero
  edited <- hidden
  edited$cells$sdcStatus[edited$cells$freq == 0] <- "s"
  refused(edited)
  edited$protectZeros <- FALSE
  refused(edited)
  edited <- shown
  edited$protectZeros <- TRUE
  refused(edited)
  for (word in list(NULL, NA, "TRUE", c(TRUE, TRUE))) {
    edited <- hidden
    edited["protectZeros"] <- list(word)
    expect_false(verify_suppression(edited)$verified)
    expect_error(publish(edited), class = "sdc_error_refused")
  }
  # a certificate below zero
  low <- hidden
  low$certificates$change <- -low$certificates$change
  refused(low)
})

test_that("property: patterns with zeros are certified and repaired, and user costs are told of zeros as well", {
  x <- matrix(c(5, 0, 8, 4, 7, 9, 6, 1, 3), 3, dimnames = list(A = 1:3, B = 1:3))
  su <- certify_zeros(x, 0, pattern = x == 0, repair = TRUE, seed = 1)
  expect_true(verify_suppression(su)$verified)
  expect_gte(su$added, 3)
  open <- certify_zeros(x, 0, pattern = x == 0, seed = 1)
  expect_identical(open$lacking$exposed, TRUE)
  # a zero costs nothing: it is primary
  counts <- certify_zeros(x, 0, cost = "counts", seed = 1)
  expect_equal(counts$cost, sum(counts$cells$freq[counts$cells$sdcStatus == "x"]))
  expect_error(certify_zeros(x, 0, published = x == 0), "primary", class = "sdc_error_input")
})

test_that("property: too large a cross of all levels is refused, and words speak of zeros", {
  wide <- data.frame(A = factor("1", 1:800), B = factor("1", 1:800))
  wide <- sdc_table(wide, c("A", "B"), drop_unused = FALSE)
  expect_error(certify_zeros(wide, 1), "500,000 cells", class = "sdc_error_too_large")
  x <- matrix(c(5, 0, 8, 4, 7, 9, 6, 1, 3), 3, dimnames = list(A = 1:3, B = 1:3))
  su <- certify_zeros(x, 1, seed = 1)
  expect_match(format(su), "zeros and counts of 1", all = FALSE)
  expect_match(format(explain(su, data.frame(A = 2, B = 1))), "its count, 0, is withheld", all = FALSE)
  expect_warning(suppress(x, maxN = 0, protectZeros = TRUE, method = "certified", seed = 1,
                          readers = c("outsider", "method")), "from 0 to")
})
