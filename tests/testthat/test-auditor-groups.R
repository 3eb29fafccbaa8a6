# Groups of people: nobody learns that all people of a row are in one category.

draw_groups <- function(n) {
  drawn <- lapply(rep("groups", n), draw_publication)
  Filter(function(one) length(one$su$groups) > 0, drawn)
}

case_of_groups <- function(one, more = character()) {
  case_of_suppression("x", one$su, one$pub, c("limit 5000", more))
}

test_that("property: nobody learns from outside that a row of people is all alike", {
  set.seed(481)
  drawn <- draw_groups(rounds(24, 2000))
  found <- run_auditor(lapply(drawn, case_of_groups))
  verdicts <- vapply(found, `[[`, "", "verdict")
  listed <- !is.na(vapply(found, `[[`, 0, "tables"))
  expect_gt(mean(listed), .9)
  expect_identical(unique(verdicts[listed]), "safe")
  # without the promise such rows are told
  plain <- lapply(drawn, function(one) {
    su <- quietly_suppress(one$arguments$counts, maxN = one$arguments$maxN, readers = "outsider")
    pub <- publish(su, insist = TRUE)
    su$groups <- one$su$groups
    c("case x", grep("^truth", case_of_groups(one), value = TRUE),
      grep("^sum", case_of_counts("x", pub, as.array(su$original), held_labels(su), list(
        maxN = 0, protectZeros = FALSE, width = 1, readers = "outsider", known_zeros = TRUE
      )), value = TRUE), row_lines(su, as.data.frame(pub)), "limit 5000", "end")
  })
  said <- unlist(lapply(run_auditor(plain), `[[`, "said"))
  expect_gt(sum(grepl("^row outsider", said)), 1)
})

test_that("oracle: whoever is alone in her category learns that of all others of her row", {
  # a row of one and five, published as it is; another one, of which two cells are not
  case <- c(
    "case x", "truth 0 1 5 0 4 1 5 2", "readers contributor", "sum is 0 : 1", "sum is 5 : 3", "sum is 0 : 4",
    "sum is 1 : 2", "sum is 6 : 1 2 3 4", "sum hidden 1 : 5", "sum hidden 1 : 6", "sum is 5 : 7", "sum is 2 : 8",
    "sum is 12 : 5 6 7 8", "sum is 5 : 5 6", "row 5 : 1 2 3 4", "row 10 : 6 7 8 9"
  )
  said <- function(...) run_auditor(list(c(case, ..., "end")))[[1]]$said
  expect_identical(said(), character())
  expect_identical(said("insiders"), "row contributor 2 : 5 2")
  # of a row of two categories she knows how many are in the other
  expect_identical(said("row 11 : 6 7"), character())
  expect_identical(said("row 11 : 6 7", "insiders"), c("row contributor 2 : 5 2", "row contributor 6 : 11 6"))
  alike <- c("case x", "truth 0 3", "sum is 0 : 1", "sum is 3 : 2", "sum is 3 : 1 2", "row 3 : 1 2", "end")
  expect_identical(run_auditor(list(alike))[[1]]$said, "row outsider - : 3 2")
})

test_that("oracle: she knows the zeros of a row that she is alone in where she can tell that she is", {
  # she is alone in leaf 1, and in sum 4; of its zeros sum 2 is needed for another row, 14
  case <- c(
    "case x", "truth 1 0 0 5 1 3 3 2 4", "small 3", "readers outsider contributor", "together 1",
    paste("sum primary", c(1, 0, 0, 1), ":", c("1", "2", "3", "1 2 3")), "sum hidden 1 : 4", "sum primary 1 : 5",
    "sum primary 1 : 6", "sum is 9 : 4 5 6", "sum primary 1 : 7", "sum primary 1 : 8", "sum is 4 : 9",
    "sum hidden 1 : 7 8 9", "sum hidden 1 : 1 4 7", "sum primary 1 : 2 5 8", "sum is 7 : 3 6 9",
    "sum is 19 : 1 2 3 4 5 6 7 8 9", paste("zero", 2:3, ": 2 : 4 : 1 2 3 : 1"), "zero 2 : 2 : 14 : 2 6 10 : 1", "end"
  )
  both <- run_auditor(list(case, setdiff(case, "zero 2 : 2 : 14 : 2 6 10 : 1")), explain = TRUE)
  said <- lapply(both, function(one) grep("contributor 1 ", one$said, value = TRUE))
  expect_identical(both[[1]]$verdict, "safe")
  expect_match(said[[1]], "^safe contributor 1 : 3 0 [12]$", all = FALSE)
  # without the other row both zeros are hers, and she knows sum 7 by that of leaves 3, 6 and 9
  expect_false(any(grepl(" : [234] ", said[[2]])))
  expect_match(said[[2]], "^open contributor 1 : 7 3 3$", all = FALSE)
})

test_that("oracle: two people who act together learn that of all others of their row", {
  # the two of one cell, and two who are alone in theirs
  case <- c(
    "case x", "truth 0 2 5 1 1 4", "readers contributor coalition", "sum is 0 : 1", "sum hidden 1 : 2",
    "sum hidden 1 : 3", "sum is 7 : 1 2 3", "sum hidden 1 : 4", "sum hidden 1 : 5", "sum hidden 1 : 6",
    "sum is 6 : 4 5 6", "row 4 : 1 2 3", "row 8 : 5 6 7"
  )
  said <- function(case, ...) run_auditor(list(c(case, ..., "end")))[[1]]$said
  expect_identical(said(case), character())
  expect_identical(said(case, "insiders"), c("row coalition 2 : 4 3", "row coalition 4,5 : 8 7"))
  expect_identical(said(sub(" coalition", "", case), "insiders"), character())
  # somebody else may be in the first category
  open <- sub("sum is 0 : 1", "sum hidden 0 : 1", case)
  expect_identical(said(open, "insiders"), "row coalition 4,5 : 8 7")
})

test_that("property: no coalition learns more than is certified for as many people", {
  set.seed(482)
  drawn <- lapply(rep("together", rounds(24, 1200)), draw_publication)
  cases <- lapply(drawn, case_of_groups)
  found <- run_auditor(cases)
  verdicts <- vapply(found, `[[`, "", "verdict")
  # what is not settled is a table of which too many agree
  ok <- verdicts == "safe" | verdicts == "undecided" & is.na(vapply(found, `[[`, 0, "tables"))
  expect_true(all(ok), info = paste(unlist(lapply(found[!ok], `[[`, "said")), collapse = "\n"))
  expect_gt(mean(verdicts == "safe"), .9)
  # questions by searches have the answers of the list
  searched <- run_auditor(lapply(cases, sub, pattern = "^limit .*", replacement = "limit 0"))
  expect_true(all(vapply(searched, `[[`, "", "verdict") %in% c("safe", "undecided")))
  expect_gt(mean(vapply(searched, `[[`, "", "verdict") == "safe"), .8)
  # certificates for two are not enough for five
  few <- drawn[vapply(drawn, function(one) one$su$coalition < 4, NA)]
  more <- run_auditor(lapply(few, function(one) sub("^together .*", "together 5", case_of_groups(one))))
  said <- unlist(lapply(more, `[[`, "said"))
  expect_match(said, "^open coalition [0-9*]+(,[0-9*]+)+ :", all = FALSE)
  expect_match(said, "^row coalition", all = FALSE)
})

test_that("property: a zero of a row of people that is published is caught, or others of the row can rise", {
  set.seed(484)
  drawn <- lapply(rep(c("groups", "together"), rounds(12, 300)), draw_publication)
  # the zeros of small groups are another promise
  drawn <- Filter(function(one) one$su$small_groups == 0, drawn)
  zeros <- lapply(drawn, function(one) which(one$pub$cells$suppressed & one$su$cells$freq == 0))
  drawn <- drawn[lengths(zeros) > 0]
  # all of them: nothing protects the rows any more
  pubs <- Map(with_shown, drawn, zeros[lengths(zeros) > 0])
  found <- run_auditor(Map(function(one, pub) case_of_suppression("x", one$su, pub, "limit 5000"), drawn, pubs),
                       explain = TRUE)
  verdicts <- vapply(found, `[[`, "", "verdict")
  expect_gt(mean(verdicts == "open"), .8)
  told <- vapply(found, function(one) any(grepl("^row outsider", one$said)), NA)
  expect_gt(sum(told), length(told) / 3)
  # what is safe is a row of all but some people, who are possibly more
  rows <- unlist(lapply(found[verdicts == "safe"], function(one) grep("^safe row", one$said, value = TRUE)))
  expect_false(any(grepl("outsider", rows)))
})

# Who learns which sum, as the list of tables says: the numbers of leaves of the people, one for each,
# and the sum. Those that hold nobody who is not needed for it.
learned_by_three <- function(case, tables) {
  lines <- strsplit(grep("^sum ", case, value = TRUE), "[ :]+")
  leaves <- lapply(lines, function(words) as.numeric(words[-(1:3)]))
  state <- vapply(lines, `[[`, "", 2)
  truth <- as.numeric(strsplit(grep("^truth", case, value = TRUE), " ")[[1]][-1])
  width <- as.numeric(sub("width ", "", grep("^width", case, value = TRUE)))
  values <- vapply(leaves, function(at) rowSums(tables[, at, drop = FALSE]), numeric(nrow(tables)))
  values <- matrix(values, nrow(tables))
  down <- t(tables)
  sums <- t(values)
  count <- vapply(leaves, function(at) sum(truth[at]), 0)
  secret <- "zeros hidden" %in% case
  people <- rep(seq_along(truth), pmin(truth, 3))
  sets <- unlist(lapply(0:min(3, length(people)), function(n) {
    utils::combn(seq_along(people), n, function(at) people[at], simplify = FALSE)
  }), recursive = FALSE)
  sets <- unique(sets)
  out <- unlist(lapply(sets, function(set) {
    some <- tabulate(set, length(truth))
    all <- which(some > 0 & some == truth)
    own <- which(state != "is" & vapply(leaves, function(at) {
      any(some[at] > 0) && sum(some[at]) == sum(truth[at]) && !(secret && any(truth[at] == 0))
    }, NA))
    left <- colSums(down < some) == 0 & colSums(down[all, , drop = FALSE] != truth[all]) == 0 &
      colSums(sums[own, , drop = FALSE] != count[own]) == 0
    asked <- setdiff(which(state == "primary"), own)
    open <- Filter(function(k) diff(range(values[left, k])) < width, asked)
    if (length(open) > 0) lapply(open, function(k) list(set = set, sum = k))
  }), recursive = FALSE)
  words_of_least(out)
}

# The same of what the program says.
least_learned <- function(said, truth) {
  words <- strsplit(grep("^open", said, value = TRUE), " : ")
  words_of_least(lapply(words, function(one) {
    who <- strsplit(sub(".* ", "", one[1]), ",")[[1]]
    leaf <- as.numeric(sub("[*].*", "", setdiff(who, "-")))
    n <- suppressWarnings(as.numeric(sub(".*[*]", "", setdiff(who, "-"))))
    n[!grepl("*", setdiff(who, "-"), fixed = TRUE)] <- truth[leaf[!grepl("*", setdiff(who, "-"), fixed = TRUE)]]
    list(set = rep(leaf, n), sum = as.numeric(sub(" .*", "", one[2])))
  }))
}

words_of_least <- function(found) {
  holds <- function(one, other) {
    one$sum == other$sum && length(other$set) < length(one$set) &&
      all(tabulate(other$set, 100) <= tabulate(one$set, 100))
  }
  least <- Filter(function(one) !any(vapply(found, function(other) holds(one, other), NA)), found)
  vapply(least, function(one) paste(c(one$set, one$sum), collapse = " "), "")
}

test_that("oracle: three people learn what is the same in all tables that they cannot exclude", {
  set.seed(483)
  drawn <- lapply(rep(c("plain", "tree", "zeros"), rounds(3, 60)), draw_publication)
  cases <- lapply(drawn, function(one) {
    sub("^readers.*", "readers outsider contributor coalition",
        case_of_suppression("x", one$su, partly_shown(one, .1), c("limit 400", "list", "together 3")))
  })
  found <- run_auditor(cases)
  listed <- which(lengths(lapply(found, `[[`, "listed")) > 0)
  expect_gt(length(listed), length(drawn) / 3)
  n <- 0
  for (k in listed) {
    learned <- learned_by_three(cases[[k]], do.call(rbind, found[[k]]$listed))
    expect_setequal(least_learned(found[[k]]$said, drawn[[k]]$arguments$counts), learned)
    n <- n + any(lengths(strsplit(learned, " ")) == 4)
  }
  # some sums are learned by three people alone
  expect_gt(n, rounds(0, 10))
})

test_that("property: the program says how many sets of people it asked where these are too many", {
  case <- c("case x", "truth 2 3 4 5", "readers outsider contributor coalition", "together 4", "sum primary 0 : 1",
            "sum primary 0 : 2", "sum hidden 0 : 3", "sum hidden 0 : 4", "sum is 14 : 1 2 3 4", "end")
  expect_identical(run_auditor(list(case))[[1]]$verdict, "safe")
  cut <- run_auditor(list(append(case, "coalitions 20", 3)))[[1]]
  expect_identical(cut$verdict, "undecided")
  expect_identical(cut$said, "undecided coalition - : only the first 20 sets of people were asked")
  # none of at most two people is left out
  expect_identical(run_auditor(list(append(sub("together 4", "together 2", case), "coalitions 20", 3)))[[1]]$verdict,
                   "safe")
})

test_that("oracle: three contributors know a total that is theirs, and what is left of a sum", {
  case <- c("case x", "kind magnitude", "truth 150 30", "readers outsider contributor coalition", "rule p_percent 10",
            "part 1 : 1 100", "part 1 : 2 50", paste("part 2 :", 3:5, 10), "sum hidden 0 : 1", "sum hidden 0 : 2",
            "sum is 180 : 1 2", "end")
  said <- function(...) run_auditor(list(append(case, c(...), 4)))[[1]]
  expect_identical(said()$verdict, "safe")
  expect_identical(said("together 3")$said, "open coalition 3,4,5 : 1 150 150")
  expect_identical(said("together 3", "coalitions 10")$said,
                   "undecided coalition - : only the first 10 sets of people were asked")
})
