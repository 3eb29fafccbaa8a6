# Which cells a reader learns who knows some counts, from all tables that agree.
learned_by_listing <- function(tables, hidden, truth, known, targets) {
  fits <- colSums(t(tables[, known, drop = FALSE]) == truth[known]) == length(known)
  left <- tables[rep(fits, length.out = nrow(tables)), , drop = FALSE]
  targets[vapply(targets, function(p) length(unique(left[, p])) == 1, NA)]
}

random_hidden <- function(trees = NULL) {
  x <- array(sample(c(0, 1, 1, 2, 3, 5), 9, TRUE), c(3, 3), list(a = letters[1:3], b = LETTERS[1:3]))
  su <- suppress(x, 2, pattern = x < 0, audit = FALSE,
                 hierarchies = if (!is.null(trees)) list(a = trees))
  frame <- as.data.frame(su)
  frame$suppressed <- FALSE
  inner <- frame$a %in% letters & frame$b %in% LETTERS
  frame$suppressed[sample(which(inner), 6)] <- TRUE
  others <- setdiff(which(!inner), nrow(frame))
  frame$suppressed[sample(others, 2)] <- TRUE
  frame$sdcStatus <- NULL
  suppress(x, 2, pattern = frame, hierarchies = if (!is.null(trees)) list(a = trees),
           audit = FALSE)
}

test_that("oracle: what contributors and pairs of them learn, by listing all tables", {
  set.seed(181)
  tree <- data.frame(parent = c("all", "all", "ab", "ab"), child = c("ab", "c", "a", "b"))
  learned <- c(outsider = 0, contributor = 0, coalition = 0)
  for (i in seq_len(rounds(8, 24))) {
    trees <- if (i %% 2) tree
    su <- random_hidden(trees)
    cells <- as.data.frame(su)
    held <- list(a = held_by_label(letters[1:3], trees), b = held_by_label(LETTERS[1:3]))
    tables <- all_agreeing(publish(su, insist = TRUE), held)
    hidden <- which(su$cells$sdcStatus %in% c("u", "x"))
    primary <- which(su$cells$sdcStatus == "u")
    told <- primary[vapply(primary, function(p) length(unique(tables[, p])) == 1, NA)]
    # whoever knows that no zero is suppressed, where that is so
    if (all(cells$freq[hidden] > 0)) {
      tables <- tables[rowSums(tables[, hidden] == 0) == 0, , drop = FALSE]
    }
    outsider <- primary[vapply(primary, function(p) length(unique(tables[, p])) == 1, NA)]
    words <- paste(cells$a, cells$b)
    inside <- function(row, leaf) {
      cells$a[leaf] %in% held$a[[as.character(cells$a[row])]] &&
        cells$b[leaf] %in% held$b[[as.character(cells$b[row])]]
    }
    leaves <- which(cells$a %in% letters & cells$b %in% LETTERS & cells$freq > 0)
    # people: the cell of each
    people <- rep(leaves, cells$freq[leaves])
    knows <- function(who) {
      rows <- hidden[vapply(hidden, function(row) {
        all(vapply(who, function(w) inside(row, people[w]), NA)) && cells$freq[row] == length(who)
      }, NA)]
      if (length(who) == 2) rows <- union(rows, union(knows(who[1]), knows(who[2])))
      rows
    }
    expected <- function(groups) {
      out <- lapply(groups, function(who) {
        known <- knows(who)
        if (length(known) == 0) return(NULL)
        found <- learned_by_listing(tables, hidden, cells$freq, known, setdiff(primary, known))
        found <- setdiff(found, outsider)
        for (w in if (length(who) == 2) who) {
          if (length(knows(w)) == 0) next
          found <- setdiff(found, learned_by_listing(tables, hidden, cells$freq, knows(w),
                                                     setdiff(primary, knows(w))))
        }
        who <- paste0("a = ", cells$a[people[who]], ", b = ", cells$b[people[who]])
        if (length(found) > 0) paste(paste(unique(who), collapse = " and "), words[found])
      })
      as.character(sort(unique(unlist(out))))
    }
    found <- quiet_audit(su, readers = c("contributor", "coalition"), count = FALSE)
    expect_true(all(found$unsure == 0))
    known <- found$learned
    expect_true(all(known$lower == known$upper))
    got <- paste(known$who, known$a, known$b)
    by_all <- words[setdiff(outsider, told)]
    expect_setequal(paste(known$a, known$b)[known$reader == "outsider"], by_all)
    alone <- expected(as.list(seq_along(people)))
    expect_setequal(got[known$reader == "contributor"], alone)
    # pairs learn what neither of the two learns alone
    both <- expected(if (length(people) > 1) utils::combn(length(people), 2, simplify = FALSE))
    expect_setequal(got[known$reader == "coalition"], both)
    learned <- learned + c(length(by_all), length(alone), length(both))
  }
  expect_true(all(learned > 0))
})

test_that("property: the verb follows who learns, and what shows", {
  expect_identical(reader_words(c("contributor", "coalition", "method"), c("B", "B and D", "")),
                   c("contributor B learns", "B and D together learn",
                     "a reader who knows the method learns"))
  expect_identical(
    set_shows(c("rounded cells", "a published totals", "rounded total", "my cells", "row")),
    c("rounded cells show", "a published totals show", "rounded total shows", "my cells shows",
      "row shows")
  )
})

test_that("property: what the time or an interrupt leaves open is named cell by cell", {
  set.seed(182)
  su <- random_hidden()
  while (sum(su$cells$sdcStatus == "u" & su$cells$freq > 0) < 2 ||
           nrow(quiet_audit(su, count = FALSE)$learned) == 0) su <- random_hidden()
  all <- quiet_audit(su, count = FALSE)
  expect_identical(nrow(all$open), 0L)
  expect_warning(none <- quiet_audit(su, count = FALSE, time_limit_s = 0),
                 class = "sdc_warning_outer")
  expect_identical(names(none$open), c("reader", "a", "b"))
  expect_equal(nrow(none$open), sum(none$unsure))
  cells <- function(frame) paste(frame$a, frame$b)
  expect_true(all(cells(all$learned) %in% cells(none$open)))
  expect_true(all(cells(none$open) %in% cells(none$cells[none$cells$primary, ])))
})

test_that("property: a search of readers that is interrupted keeps what it has", {
  # blocks of three that nothing connects, and a reader for each
  n <- 200
  rows <- list(start = 3 * (0:n), cell = seq_len(3 * n), coefficient = rep(1, 3 * n),
               lower = rep(3, n), upper = rep(3, n), set = rep(1L, n), label = rep("sum", n))
  system <- sums_system(rows, 3 * n)
  known <- list(reader = seq_len(n), cell = 3 * seq_len(n) - 2L, lower = rep(1, n),
                upper = rep(1, n))
  targets <- list(cell = 3 * seq_len(n) - 1L, low = rep(0, n), high = rep(2, n))
  own <- list(target = integer(), reader = integer(), low = 0, high = 0, asked = FALSE)
  truth <- rep(1, 3 * n)
  search <- function(progress) {
    cpp_search_readers(system, n, known, targets, lapply(own, rep_len, 0), FALSE, 60, 1e6, truth,
                       progress)
  }
  whole <- search(NULL)
  expect_false(whole$interrupted)
  expect_length(whole$unsure, 0)
  expect_length(whole$reader, 0)
  cut <- search(function(done) TRUE)
  expect_true(cut$interrupted)
  expect_gt(length(cut$unsure), 0)
})
