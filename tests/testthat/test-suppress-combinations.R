# Combinations of categories that are judged like categories, against all tables that agree.

# Sets of two levels or more of B, and sometimes of A.
draw_sets <- function(dimnames, groups) {
  sets <- lapply(rlang::set_names(groups), function(v) {
    levels <- dimnames[[v]]
    sizes <- setdiff(seq_along(levels), c(1, length(levels)))
    if (length(sizes) == 0) {
      return(NULL)
    }
    some <- lapply(seq_len(sample(2, 1)), function(i) sample(levels, one_of_list(sizes)))
    rlang::set_names(some, paste0("s", seq_along(some)))
  })
}

test_that("oracle: no reader and no coalition learns that the others of a row belong to a combination", {
  set.seed(431)
  tried <- c(tables = 0, rows = 0, sets = 0, closed = 0, lacking = 0, told = 0)
  for (k in seq_len(rounds(60, 2000))) {
    x <- draw_few(list(c(2, 3), c(3, 3), c(3, 4), c(4, 3), c(2, 3, 2))[[k %% 5 + 1]])
    few <- k %% 4
    groups <- draw_sets(dimnames(x), if (k %% 5 == 0) c("A", "B") else "B")
    asked <- list(x, maxN = sample(0:2, 1), small_groups = sample(c(0, 0, 2), 1), published = published_totals(x, 8))
    asked <- c(asked, if (few > 1) list(coalition = few) else if (few == 0) list(readers = "outsider"))
    su <- do.call(certify_groups, c(asked, list(groups = groups)))
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = k)
    tried["lacking"] <- tried["lacking"] + (nrow(su$lacking) > 0)
    inner <- inner_rows(su$cells, su$original$dimnames)
    mine <- cbind(numeric(length(inner)), if (few > 0) choices_by_hand(su$cells$freq[inner], few))
    all_told <- function(made) {
      tables <- if (nrow(made$lacking) == 0) tables_of_groups(made, made$small_groups)
      if (is.null(tables) || ncol(tables) > 5000) {
        return(NULL)
      }
      made$combinations <- su$combinations
      do.call(rbind, lapply(seq_len(ncol(mine)), function(i) told_to(made, tables, inner, mine[, i])))
    }
    found <- all_told(su)
    expect_false(any(found$told), info = k)
    # the choice for single categories is not enough
    less <- all_told(do.call(certify_groups, c(asked, list(groups = names(groups)))))
    tried <- tried + c(!is.null(found), NROW(found), sum(found$combination), sum(found$closed), 0, any(less$told))
  }
  expect_true(all(tried > rounds(c(25, 1000, 300, 40, 4, 5), c(500, 20000, 5000, 500, 50, 100))))
})

test_that("oracle: no reader and no coalition learns the category of others in rows of linked tables", {
  set.seed(432)
  formulas <- list(~ A * B + A:C, ~ A:B + B:C, ~ A:B + A:C, ~ A * B + B * C, ~ A:B + C, ~ B:C + A:B:C, ~ A + B + A:B:C)
  tried <- c(tables = 0, rows = 0, sets = 0, closed = 0, lacking = 0, told = 0, unseen = 0)
  for (k in seq_len(rounds(60, 2000))) {
    x <- draw_few(list(c(2, 3, 2), c(3, 3, 2), c(2, 2, 2))[[k %% 3 + 1]])
    data <- as.data.frame(as.table(x), responseName = "n")
    x <- sdc_table(data, names(dimnames(x)), freqVar = "n", formula = formulas[[k %% 7 + 1]])
    few <- (k %/% 3) %% 4
    groups <- if (k %% 2 == 0) draw_sets(x$dimnames, "B") else list(B = NULL)
    asked <- list(x, maxN = sample(0:2, 1), small_groups = sample(c(0, 0, 2), 1), published = published_totals(x, 6))
    asked <- c(asked, if (few > 1) list(coalition = few) else if (few == 0) list(readers = "outsider"))
    su <- do.call(certify_groups, c(asked, list(groups = groups)))
    expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0, info = k)
    tried["lacking"] <- tried["lacking"] + (nrow(su$lacking) > 0)
    inner <- inner_rows(su$cells, su$original$dimnames)
    mine <- cbind(numeric(length(inner)), if (few > 0) choices_by_hand(su$cells$freq[inner], few))
    all_told <- function(made) {
      tables <- if (nrow(made$lacking) == 0) tables_of_groups(made, made$small_groups %||% 0)
      if (is.null(tables) || ncol(tables) > 5000) {
        return(NULL)
      }
      made$groups <- "B"
      made$combinations <- su$combinations
      do.call(rbind, lapply(seq_len(ncol(mine)), function(i) told_to(made, tables, inner, mine[, i])))
    }
    found <- all_told(su)
    expect_false(any(found$told), info = k)
    less <- all_told(certify_groups(x, published = asked$published))
    tried <- tried + c(!is.null(found), NROW(found), sum(found$combination), sum(found$closed), 0, any(less$told),
                       any(su$cells$sdcStatus[inner] == "n"))
  }
  expect_true(all(tried > rounds(c(15, 500, 100, 30, 3, 10, 20), c(400, 10000, 2000, 300, 50, 200, 500))))
})

test_that("property: combinations are certified, said, refused where they are edited, and kept in files", {
  sets <- list(B = list(low = c("b1", "b2"), high = c("b3", "b4")))
  x <- rbind(a1 = c(3, 4, 0, 0), a2 = c(2, 1, 4, 6), a3 = c(5, 2, 6, 3), a4 = c(4, 0, 5, 1))
  dimnames(x) <- list(A = rownames(x), B = paste0("b", 1:4))
  su <- certify_groups(x, sets, maxN = 0)
  expect_true(verify_suppression(su)$verified)
  expect_identical(su$groups, "B")
  expect_identical(su$combinations, sets)
  expect_match(format(su), "have the same B, or belong to low or high", all = FALSE, fixed = TRUE)
  expect_match(format(su), "1 of 1 group of people where all are in one combination of B: certified for everybody",
               all = FALSE, fixed = TRUE)
  # single categories alone ask for nothing
  expect_identical(sum(is_withheld(certify_groups(x, "B", maxN = 0))), 0L)
  at <- which(su$cells$A == "a1" & hides_zero(su) & su$cells$sdcStatus == "u")
  words <- format(explain(su, data.frame(A = "a1", B = as.character(su$cells$B[at]))))
  expect_match(paste(trimws(words), collapse = " "), "all people of A = a1 (7) have B = b1 or b2", fixed = TRUE)
  expect_identical(publish(su), public_suppression(su))
  expect_null(publish(su)$combinations)
  told <- publish(su, rule = TRUE)
  expect_identical(told$combinations, sets)
  path <- file.path(withr::local_tempdir(), "p")
  write_publication(told, path)
  expect_identical(read_publication(path), told)
  odd <- c("b1", "b2", as.character(su$cells$B[at]))
  edits <- list(
    none = function(su) within_list(su, combinations = NULL),
    other = function(su) within_list(su, combinations = list(B = list(low = c("b1", "b2", "b3")))),
    more = function(su) within_list(su, combinations = list(B = c(sets$B, list(odd = odd)))),
    unknown = function(su) within_list(su, combinations = list(B = list(low = c("b1", "b9")))),
    all = function(su) within_list(su, combinations = list(B = list(low = paste0("b", 1:4)))),
    variable = function(su) within_list(su, combinations = list(A = list(low = c("a1", "a2")))),
    nameless = function(su) within_list(su, combinations = list(B = unname(sets$B))),
    words = function(su) within_list(su, combinations = "low"),
    shown = function(su) within_list(su, cells = within(su$cells, sdcStatus[at] <- "z"))
  )
  for (name in names(edits)) {
    edited <- edits[[name]](su)
    for (one in list(edited, tryCatch(resealed(edited), error = function(cnd) edited))) {
      expect_false(verify_suppression(one)$verified, info = name)
      expect_error(publish(one), class = "sdc_error_refused", info = name)
    }
  }
})

test_that("property: combinations can be written as sets, sums and trees", {
  x <- as_sdc_table(array(1:12, c(3, 4), list(A = 1:3, B = paste0("b", 1:4))))
  read <- function(given) read_people_groups(list(B = given), list(original = x, total_label = "Total"))$combinations$B
  sets <- list(three = c("b1", "b2", "b3"), low = c("b1", "b2"))
  pairs <- data.frame(parent = c("all", "all", "three", "three", "low", "low"),
                      child = c("b4", "three", "b3", "low", "b1", "b2"))
  at <- data.frame(levels = c("@", "@@", "@@@", "@@@@", "@@@@", "@@@", "@@"),
                   codes = c("all", "three", "low", "b1", "b2", "b3", "b4"))
  for (given in list(sets, rev(sets), c(sets, list(all = paste0("b", 1:4), one = "b1", again = c("b2", "b1"))),
                     c("low = b1 + b2", "three = b1+b2+b3"), pairs, at, list(pairs))) {
    expect_identical(read(given), sets)
  }
  expect_null(read(NULL))
  # the levels of a variable may be numbers
  expect_identical(read_people_groups(list(A = list(odd = c(1, 3))), list(original = x))$combinations,
                   list(A = list(odd = c("1", "3"))))
  expect_identical(read_people_groups("B", list(original = x)), list(groups = "B"))
  fails <- function(words, groups) {
    expect_error(suppress(x, maxN = 1, seed = 1, groups = groups), words, class = "sdc_error_input")
  }
  fails("b9", list(B = list(low = c("b1", "b9"))))
  fails("several times", list(B = list(low = c("b1", "b2"), low = c("b3", "b2"))))
  fails("two levels", list(C = NULL))
  fails("two levels", list(list(low = c("b1", "b2"))))
  fails("leaf|level", list(B = data.frame(parent = "all", child = c("b1", "b2"))))
})

test_that("property: linked tables with groups are certified, and what they show is not edited", {
  set.seed(433)
  x <- array(rpois(24, 4) + 1, c(3, 4, 2), list(A = 1:3, B = 1:4, C = 1:2))
  x[1, -2, ] <- 0
  data <- as.data.frame(as.table(x), responseName = "n")
  linked <- sdc_table(data, c("A", "B", "C"), freqVar = "n", formula = ~ A * B + B:C + A:C)
  su <- certify_groups(linked, "B", maxN = 0, coalition = 2)
  expect_true(verify_suppression(su)$verified)
  expect_identical(sum(hides_zero(su) & su$cells$A == "1" & su$cells$B != "Total"), 1L)
  expect_identical(publish(su), public_suppression(su))
  expect_identical(nrow(audit(su, readers = "coalition", count = FALSE, progress = FALSE)$learned), 0L)
  zero <- which(hides_zero(su))[1]
  shown <- within_list(su, cells = within(su$cells, sdcStatus[zero] <- "z"))
  expect_false(verify_suppression(resealed(shown))$verified)
  # where no crossing shows all categories nothing is asked
  apart <- certify_groups(sdc_table(data, c("A", "B", "C"), freqVar = "n", formula = ~ A:C), "B", maxN = 0)
  expect_false(any(is_withheld(apart)))
  # a tree over the groups, and one over the categories
  tree <- data.frame(parent = c("all", "all", "N", "N"), child = c("N", "3", "1", "2"))
  work <- data.frame(parent = c("any", "any", "any", "w", "w"), child = c("w", "2", "4", "1", "3"))
  trees <- sdc_table(data, c("A", "B", "C"), freqVar = "n", hierarchies = list(A = tree, B = work),
                     formula = ~ A:B + B:C)
  su <- certify_groups(trees, list(B = work), maxN = 0)
  expect_identical(verify_suppression(su)$verified, nrow(su$lacking) == 0)
  expect_true(any(hides_zero(su)))
})
