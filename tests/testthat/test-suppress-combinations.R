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
  expect_true(all(tried > rounds(c(25, 500, 100, 20, 3, 10, 20), c(500, 10000, 2000, 300, 50, 200, 500))))
})
