# Rows of people that would be given away to some who act together, against all tables that agree.

test_that("oracle: no coalition learns what the others of a row are, in all tables that agree", {
  set.seed(421)
  tried <- c(tables = 0, rows = 0, alone = 0, closed = 0, lacking = 0, told = 0)
  for (k in seq_len(rounds(60, 2000))) {
    x <- draw_few(list(c(2, 2), c(3, 2), c(2, 3), c(3, 3), c(4, 3), c(2, 3, 2))[[k %% 6 + 1]])
    few <- k %% 2 + 2
    su <- certify_groups(x, if (k %% 5 == 0) c("A", "B") else "B", maxN = sample(0:2, 1), coalition = few,
                         small_groups = sample(c(0, 0, 2), 1), published = published_totals(x, 8))
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = k)
    tried["lacking"] <- tried["lacking"] + (nrow(su$lacking) > 0)
    tables <- if (nrow(su$lacking) == 0) tables_of_groups(su, su$small_groups)
    if (is.null(tables) || ncol(tables) > 5000) next
    inner <- inner_rows(su$cells, su$original$dimnames)
    mine <- choices_by_hand(su$cells$freq[inner], few)
    all_told <- function(su, tables) {
      do.call(rbind, lapply(seq_len(ncol(mine)), function(i) told_to(su, tables, inner, mine[, i])))
    }
    found <- all_told(su, tables)
    expect_false(any(found$told), info = k)
    tried <- tried + c(1, NROW(found), sum(!(found$own %||% TRUE)), sum(found$closed), 0, 0)
    # the choice for single people is not enough
    less <- certify_groups(x, su$groups, maxN = su$maxN, small_groups = su$small_groups)
    tables <- if (nrow(less$lacking) == 0) tables_of_groups(less, su$small_groups)
    if (!is.null(tables) && ncol(tables) <= 5000) {
      tried["told"] <- tried["told"] + any(all_told(less, tables)$told)
    }
  }
  expect_true(all(tried > rounds(c(25, 1000, 500, 40, 8, 5), c(500, 20000, 1000, 200, 100, 100))))
})

test_that("oracle: sets of cells with few people are all there, each once", {
  set.seed(422)
  for (k in 1:40) {
    count <- sample(0:4, sample(1:7, 1), replace = TRUE)
    most <- sample(2:5, 1)
    cell <- sample(100, length(count))
    found <- sets_of_people(cell[count > 0], count[count > 0], most)
    flags <- as.matrix(expand.grid(lapply(ifelse(count > 0, 1, 0), function(n) 0:n)))
    n <- drop(flags %*% count)
    expected <- lapply(which(n > 1 & n <= most), function(i) sort(cell[flags[i, ] == 1]))
    got <- unname(lapply(split(found$cell, found$set), as.integer))
    expect_setequal(got, expected)
    expect_identical(number_of_sets(count, most), as.numeric(length(expected)))
  }
})

injured <- cbind(none = c(0, 2, 1, 4, 6), serious = c(4, 5, 7, 4, 1), light = c(0, 0, 1, 1, 3),
                 unknown = c(1, 0, 0, 3, 2))
dimnames(injured) <- list(town = paste0("k", 1:5), hurt = colnames(injured))

test_that("property: a row of all but a few is certified for these, and said to be", {
  su <- certify_groups(injured, "hurt", maxN = 0, coalition = 2)
  expect_true(verify_suppression(su)$verified)
  expect_identical(su$readers, c("outsider", "contributor", "coalition"))
  expect_identical(su$coalition, 2)
  pairs <- certify_groups(injured, "hurt", maxN = 0, readers = "coalition")
  expect_identical(pairs[c("cells", "certificates", "coalition")], su[c("cells", "certificates", "coalition")])
  words <- format(su)
  expect_match(words, "all, or all but at most 2, have the same hurt", all = FALSE, fixed = TRUE)
  expect_match(words, "certified for any 2 people who act together: ", all = FALSE, fixed = TRUE)
  expect_match(words, "3 of 3 groups of people where all but at most 2 have the same hurt: certified for these, who",
               all = FALSE, fixed = TRUE)
  expect_match(words, "not covered: more than 2 people who act together", all = FALSE, fixed = TRUE)
  expect_match(format(verify_suppression(su)), "sets of cells of people who act together", all = FALSE, fixed = TRUE)
  at <- which(su$cells$town == "k2" & hides_zero(su))
  expect_match(paste(trimws(format(explain(su, data.frame(town = "k2", hurt = as.character(su$cells$hurt[at]))))),
                     collapse = " "),
               "some of the people of town = k2 (7) would know together that all others have the same hurt",
               fixed = TRUE)
  expect_identical(publish(su), public_suppression(su))
  # what pairs learn by an audit is not what is certified
  told <- audit(su, readers = "coalition", count = FALSE, progress = FALSE)
  expect_identical(nrow(told$learned), 0L)
  # as with one person
  alone <- certify_groups(injured, "hurt", maxN = 0)
  expect_null(alone$coalition)
  expect_false(any(hides_zero(alone) & alone$cells$town == "k2"))
})

test_that("property: where no other category is possible those few are not told that nobody else is like them", {
  x <- cbind(no = c(5, 9, 4, 7), yes = c(2, 6, 8, 5))
  dimnames(x) <- list(town = 1:4, ill = colnames(x))
  su <- certify_groups(x, "ill", maxN = 0, coalition = 2)
  at <- which(su$cells$town == "1" & su$cells$ill == "yes")
  expect_identical(which(su$cells$sdcStatus == "u"), at)
  expect_true(verify_suppression(su)$verified)
  # the two know that they are two, so that only a table with more is news to them
  changed <- changed_cells(su)
  expect_true(all(changed$change[changed$row == at] > 0))
  fewer <- within_list(su, certificates = within(su$certificates, change <- -change))
  expect_false(verify_suppression(resealed(fewer))$verified)
  expect_match(format(su), "and no zero can rise: certified for these, unless they know", all = FALSE, fixed = TRUE)
})

test_that("property: what does not hold for coalitions is refused, sealed again or not", {
  su <- certify_groups(injured, "hurt", maxN = 0, coalition = 2)
  edits <- list(
    none = function(su) within_list(su, coalition = NULL), more = function(su) within_list(su, coalition = 3),
    many = function(su) within_list(su, coalition = 40), one = function(su) within_list(su, coalition = 1),
    half = function(su) within_list(su, coalition = 2.5), words = function(su) within_list(su, coalition = "2"),
    readers = function(su) within_list(su, readers = c("outsider", "contributor")),
    contributor = function(su) within_list(su, readers = c("outsider", "coalition")),
    groups = function(su) within_list(su, groups = NULL, small_groups = NULL),
    shown = function(su) within_list(su, cells = within(su$cells, sdcStatus[which(hides_zero(su))[1]] <- "z")),
    fewer = function(su) within_list(su, certificates = su$certificates[su$certificates$certificate == 1, ])
  )
  for (name in names(edits)) {
    edited <- edits[[name]](su)
    for (one in list(edited, tryCatch(resealed(edited), error = function(cnd) edited))) {
      expect_false(verify_suppression(one)$verified, info = name)
      expect_error(publish(one), class = "sdc_error_refused", info = name)
    }
  }
  # made for single people, it does not hold for two
  alone <- certify_groups(injured, "hurt", maxN = 0)
  two <- within_list(alone, readers = c("outsider", "contributor", "coalition"), coalition = 2)
  expect_false(verify_suppression(resealed(two))$verified)
})

test_that("property: what cannot be asked of coalitions is an error", {
  fails <- function(words, ..., class = "sdc_error_input") {
    expect_error(suppress(injured, maxN = 1, seed = 1, ...), words, class = class)
  }
  fails("groups", coalition = 2)
  fails("whole number", groups = "hurt", coalition = 1)
  fails("whole number", groups = "hurt", coalition = 2.5)
  fails("method", groups = "hurt", coalition = 2, readers = c("outsider", "method"))
  many <- matrix(1, 20, 20, dimnames = list(A = 1:20, B = 1:20))
  expect_error(suppress(many, maxN = 0, groups = "A", coalition = 2), "50,000 sets", class = "sdc_error_too_large")
})
