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
  learned <- c(contributor = 0, coalition = 0)
  for (i in 1:24) {
    trees <- if (i %% 2) tree
    su <- random_hidden(trees)
    cells <- as.data.frame(su)
    held <- list(a = held_by_label(letters[1:3], trees), b = held_by_label(LETTERS[1:3]))
    tables <- all_agreeing(publish(su, insist = TRUE), held)
    hidden <- which(su$cells$sdcStatus %in% c("u", "x"))
    primary <- which(su$cells$sdcStatus == "u")
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
    alone <- expected(as.list(seq_along(people)))
    expect_setequal(got[known$reader == "contributor"], alone)
    # pairs learn what neither of the two learns alone
    both <- expected(if (length(people) > 1) utils::combn(length(people), 2, simplify = FALSE))
    expect_setequal(got[known$reader == "coalition"], both)
    learned <- learned + c(length(alone), length(both))
  }
  expect_true(all(learned > 5))
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
