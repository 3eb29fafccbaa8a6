# What would follow if a secondary cell were published, against trying every pattern.

# All differences between two-way tables with entries -1, 0 and 1 that keep each hidden count at
# least 1: a row for each, a column for each cell and total in the order of `cells`. Where two-way
# tables differ at all in a cell, such a difference shows it.
unit_differences <- function(x, cells) {
  moves <- as.matrix(expand.grid(rep(list(-1:1), length(x))))
  moves <- moves[colSums(t(moves) + as.vector(x) < (as.vector(x) > 0)) == 0, ]
  moves <- moves[colSums(t(moves) != 0 & as.vector(x) == 0) == 0, , drop = FALSE]
  rows <- as.character(cells[[1]])
  columns <- as.character(cells[[2]])
  holds <- outer(seq_along(rows), seq_along(x), function(i, k) {
    rows[i] %in% c("Total") & TRUE | rows[i] == rownames(x)[row(x)[k]]
  }) & outer(seq_along(columns), seq_along(x), function(i, k) {
    columns[i] == "Total" | columns[i] == colnames(x)[col(x)[k]]
  })
  moves %*% t(holds)
}

# Of which primary cells the count is known to a reader of the other cells.
known_by_moves <- function(moves, hidden, primary) {
  kept <- moves[rowSums(moves[, !hidden, drop = FALSE] != 0) == 0, , drop = FALSE]
  primary[colSums(kept[, primary, drop = FALSE] != 0) == 0]
}

# The least number of secondary cells without `never`, by sets of growing size; Inf where none does.
fewest_by_sets <- function(moves, primary, candidates, never) {
  candidates <- setdiff(candidates, never)
  for (size in 0:length(candidates)) {
    sets <- utils::combn(length(candidates), size, simplify = FALSE)
    for (set in sets) {
      hidden <- seq_len(ncol(moves)) %in% c(primary, candidates[set])
      if (length(known_by_moves(moves, hidden, primary)) == 0) return(size)
    }
  }
  Inf
}

# The numbers that a sentence has after some words.
number_after <- function(lines, words) {
  line <- grep(words, lines, value = TRUE)
  if (length(line) == 0) NA else as.numeric(sub("^([0-9]+).*", "\\1", sub(paste0(".*?", words), "", line, perl = TRUE)))
}

test_that("oracle: what follows without a secondary cell is what trying every pattern gives", {
  set.seed(2301)
  asked <- 0
  refused <- 0
  for (k in seq_len(rounds(6, 12))) {
    x <- matrix(rpois(6, 4), 2, dimnames = list(A = c("a", "b"), B = c("u", "v", "w")))
    margins <- rbind(data.frame(A = c("a", "b", "Total"), B = "Total"), data.frame(A = "Total", B = c("u", "v", "w")))
    if (k %% 3 > 0) margins <- margins[c(rowSums(x), sum(x), colSums(x)) > 100 * (k %% 3 - 1) + 2, ]
    su <- suppressWarnings(suppress(x, maxN = 2, method = "optimal", readers = "outsider", seed = k, total_cost = 1,
                                    published = if (k %% 3 > 0) margins), classes = "sdc_warning_unsafe")
    if (!any(su$cells$sdcStatus == "x") || nrow(su$lacking) > 0) next
    moves <- unit_differences(x, su$cells)
    primary <- which(su$cells$sdcStatus == "u")
    stay <- if (k %% 3 > 0) paste(margins$A, margins$B)
    candidates <- which(su$cells$sdcStatus %in% c("x", "s") & !paste(su$cells$A, su$cells$B) %in% stay)
    for (at in which(su$cells$sdcStatus == "x")) {
      asked <- asked + 1
      lines <- as.character(explain(su, su$cells[at, c("A", "B")], without = TRUE))
      lines <- gsub("\\s+", " ", lines)
      known <- known_by_moves(moves, is_withheld(su) & seq_along(su$cells$freq) != at, primary)
      lost <- number_after(lines, "no certificates were found for ")
      expect_identical(if (is.na(lost)) 0 else lost, as.double(length(known)), info = paste(k, at))
      fewest <- fewest_by_sets(moves, primary, candidates, at)
      if (is.infinite(fewest)) {
        refused <- refused + 1
        expect_match(lines, "It is proved that there is none", all = FALSE)
      } else {
        expect_identical(number_after(lines, "publishes this cell has "), as.double(fewest))
        expect_match(lines, "no pattern that publishes it is better", all = FALSE)
      }
    }
  }
  expect_gt(asked, rounds(8, 20))
  expect_gt(refused, 0)
})

test_that("property: whom a secondary cell serves is what is lost when its certificates go", {
  for (name in names(certified_cases())) {
    su <- certified_cases()[[name]]
    for (at in utils::head(which(su$cells$sdcStatus == "x"), 3)) {
      cell <- su$cells[at, names(su$original$dimnames)]
      lines <- as.character(explain(su, cell))
      served <- number_after(gsub("protects? ", "PROTECT ", lines), "PROTECT ")
      changed <- changed_cells(su)
      uses <- changed$certificate[changed$row == at]
      met <- unique(changed$row[changed$certificate %in% uses])
      expect_identical(served, as.double(sum(su$cells$sdcStatus[met] == "u")), info = name)
      # without these certificates the verifier misses some, or others do
      less <- su
      less$certificates <- subset(su$certificates, !certificate %in% uses)
      less$certificates$certificate <- match(less$certificates$certificate, unique(less$certificates$certificate))
      rownames(less$certificates) <- NULL
      missed <- !verify_suppression(resealed(less))$verified
      expect_identical(!any(grepl("Other certificates, which leave", lines)), missed, info = name)
    }
  }
})

test_that("property: the question has an answer with trees, links, costs of all kinds and secret ones", {
  cases <- certified_cases()[c("trees", "linked", "wide")]
  cases$pattern <- suppress(cases$wide$original, maxN = 3, method = "certified", seed = 1, width = 3,
                            pattern = cases$wide$cells[c("A", "B", "sdcStatus")])
  x <- cases$wide$original
  cases$counts <- suppress(x, maxN = 3, method = "certified", seed = 1, cost = function(cells) cells$freq)
  cases$frame <- suppress(x, maxN = 3, method = "certified", seed = 1, cost = data.frame(A = "a1", B = "b1", cost = 5),
                          published = data.frame(A = "Total", B = "Total"))
  cases$method <- suppressWarnings(suppress(x, maxN = 3, method = "certified", seed = 1,
                                            readers = c("outsider", "method")), classes = "sdc_warning_unsafe")
  for (name in names(cases)) {
    su <- cases[[name]]
    at <- which(su$cells$sdcStatus == "x")[1]
    if (is.na(at)) next
    cell <- su$cells[at, names(su$original$dimnames)]
    lines <- as.character(explain(su, cell, without = TRUE, time_limit_s = 1))
    expect_match(lines, "publishes this cell", all = FALSE, info = name)
    expect_identical(any(grepl("If this cell were published", gsub("\\s+", " ", lines))), name != "method", info = name)
    expect_identical(su, cases[[name]])
  }
})

test_that("property: only secondary cells of certified suppressions have an answer", {
  su <- certified_cases()$two
  primary <- su$cells[su$cells$sdcStatus == "u", c("A", "B")][1, ]
  for (code in expression(
    explain(su, without = TRUE), explain(su, primary, without = TRUE), explain(su, primary, without = NA),
    explain(su, primary, time_limit_s = -1),
    explain(suppress(roehrig, 1, pattern = slides_mask()), 13, without = TRUE)
  )) {
    expect_error(eval(code), class = "sdc_error_input")
  }
})
