# The audit of a private suppression starts its search from the true counts. It says the same as the
# audit of the publication, which has none.

region_of <- data.frame(parent = c("all", "all", "north", "north"),
                        child = c("north", "c", "a", "b"))

# Suppressed at random: inner cells and totals alike.
random_suppression <- function(size, trees = NULL) {
  x <- array(stats::rpois(prod(size), 2), size,
             lapply(seq_along(size), function(v) letters[seq_len(size[v])]))
  names(dimnames(x)) <- paste0("v", seq_along(size))
  trees <- if (!is.null(trees)) list(v1 = trees)
  frame <- as.data.frame(suppress(x, 1, pattern = x < 0, hierarchies = trees, audit = FALSE))
  frame$suppressed <- stats::runif(nrow(frame)) < .55
  frame$sdcStatus <- NULL
  suppress(x, 1, pattern = frame, hierarchies = trees, audit = FALSE)
}

# A region x sector2 and a county x sector4 table, of the same people.
random_linked <- function(n = 50, hidden = 14) {
  data <- data.frame(region = sample(c("n1", "n2", "s1", "s2"), n, TRUE, c(4, 2, 3, 1)),
                     sector4 = sample(c("agri", "ind", "pub"), n, TRUE))
  data$county <- substr(data$region, 1, 1)
  data$sector2 <- ifelse(data$sector4 == "pub", "state", "priv")
  x <- sdc_table(data, formula = ~ region * sector2 + county * sector4)
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$freq > 0 & seq_len(nrow(cells)) %in% sample(nrow(cells), hidden)
  suppress(x, maxN = 2, pattern = cells, audit = FALSE)
}

test_that("property: true counts change no interval", {
  set.seed(221)
  for (i in seq_len(rounds(12, 24))) {
    su <- switch(1 + i %% 4, random_suppression(c(3, 4)), random_suppression(c(3, 3), region_of),
                 random_suppression(c(3, 3, 3)), random_linked())
    private <- audit(su, count = FALSE, progress = FALSE)$cells
    public <- audit(public_suppression(su), count = FALSE, progress = FALSE)$cells
    expect_true(all(private$sharp))
    expect_null(private$least)
    private$primary <- NULL
    expect_equal(private, public)
  }
})

test_that("property: the counts of linked cells are those of the table", {
  set.seed(222)
  for (i in 1:12) {
    su <- random_linked()
    found <- linked_cells(public_suppression(su), su$cells$freq)
    rows <- found$rows
    expect_true(all(is.finite(found$truth)))
    row <- rep(seq_along(rows$lower), diff(rows$start))
    sums <- as.vector(rowsum(rows$coefficient * found$truth[rows$cell], row))
    expect_equal(sums, rows$lower)
    hidden <- which(is_hidden(su))[found$at]
    told <- found$asked > 0
    expect_equal(found$truth[found$asked[told]], su$cells$freq[hidden[told]])
    expect_equal(found$value[!told], su$cells$freq[hidden[!told]])
  }
})

test_that("oracle: readers of linked tables learn what they learn from the full cross", {
  whole <- function(x, public) {
    list(system = reader_system(public), unknown = seq_len(sum(is_hidden(x))),
         truth = x$cells$freq[is_hidden(x)])
  }
  look <- function(su) {
    found <- audit(su, count = FALSE, progress = FALSE, readers = c("contributor", "coalition"))
    list(learned = found$learned[do.call(order, unname(as.list(found$learned))), ],
         unsure = found$unsure)
  }
  set.seed(223)
  cases <- replicate(10, random_linked(12, 20), simplify = FALSE)
  cells <- lapply(cases, look)
  local_own("count_view", whole)
  cross <- lapply(cases, look)
  expect_equal(cells, cross, ignore_attr = "row.names")
  expect_gt(sum(vapply(cells, function(found) nrow(found$learned), 0L)), 5)
})

test_that("property: what time leaves open lies between what is proved and what is attained", {
  set.seed(224)
  su <- random_suppression(c(5, 5, 5))
  sharp <- audit(su, count = FALSE, progress = FALSE)$cells
  expect_warning(cut <- audit(su, count = FALSE, progress = FALSE, time_limit_s = 0)$cells,
                 class = "sdc_warning_outer")
  expect_false(all(cut$sharp))
  expect_named(cut, c("v1", "v2", "v3", "lower", "upper", "width", "sharp", "least", "most",
                      "known", "primary"))
  expect_true(all(cut$lower <= sharp$lower & sharp$lower <= cut$least))
  expect_true(all(cut$upper >= sharp$upper & sharp$upper >= cut$most))
  expect_equal(cut$least[cut$sharp], sharp$lower[cut$sharp])
})

test_that("property: no message shows how far a true count is from the ends", {
  set.seed(225)
  su <- random_suppression(c(5, 5, 5))
  words <- function(x) {
    told <- NULL
    withCallingHandlers(audit(x, count = FALSE, progress = FALSE, time_limit_s = 0),
                        sdc_warning_outer = function(cnd) {
                          told <<- c(told, conditionMessage(cnd))
                          rlang::cnd_muffle(cnd)
                        })
    told
  }
  expect_match(words(su), "time limit")
  expect_no_match(words(su), "may move")
})
