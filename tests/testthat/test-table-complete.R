# Complete frames: cells with their totals.

# A random table of two or three variables, of which the first has one tree or two.
complete_case <- function(i) {
  trees <- list(list(nation), list(nation, coast))[[i %% 2 + 1]]
  dim <- c(3, sample(1:4, sample(1:2, 1), TRUE))
  dimnames <- rlang::set_names(lapply(dim, function(n) letters[seq_len(n)]),
                               c("region", "v", "w")[seq_along(dim)])
  counts <- rpois(prod(dim), sample(c(.3, 3, 40), 1))
  x <- suppressWarnings(sdc_table(array(counts, dim, dimnames), hierarchies = list(region = trees),
                                  total = FALSE))
  list(x = x, trees = list(region = trees), variables = names(dimnames))
}

made_of <- function(frame, case, ...) {
  suppressWarnings(
    sdc_table(frame, case$variables, "freq", hierarchies = case$trees, ...),
    classes = c("sdc_warning_nested", "sdc_warning_total")
  )
}

test_that("oracle: a complete frame gives the table back, whatever is listed of its totals", {
  withr::local_seed(701)
  for (i in seq_len(rounds(12, 30))) {
    case <- complete_case(i)
    frame <- as.data.frame(case$x, totals = TRUE, zeros = i %% 3 == 0)
    frame <- frame[sample(nrow(frame)), ]
    levels <- lapply(case$variables, function(v) levels(frame[[v]]))
    expect_equal(made_of(frame, case, total = "Total"), case$x)
    # some totals only, and as texts
    some <- frame
    some[case$variables] <- lapply(some[case$variables], as.character)
    cell <- Reduce(`&`, Map(`%in%`, some[case$variables], dimnames(case$x)))
    some <- some[cell | runif(nrow(some)) < .3, ]
    named <- intersect("Total", unlist(some[case$variables[-1]]))
    y <- made_of(some, case, total = if (length(named) > 0) named else FALSE)
    ours <- as.data.frame(y)
    theirs <- as.data.frame(case$x)
    expect_equal(y$layout$trees, case$x$layout$trees)
    expect_equal(nrow(ours), nrow(theirs))
    key <- function(f) do.call(paste, lapply(f[case$variables], as.character))
    expect_equal(ours$freq[match(key(theirs), key(ours))], theirs$freq)
  }
})

test_that("property: one total that is wrong is found, and its figures are in the condition", {
  withr::local_seed(702)
  for (i in seq_len(rounds(5, 30))) {
    case <- complete_case(i)
    frame <- as.data.frame(case$x, totals = TRUE, zeros = TRUE)
    cell <- Reduce(`&`, Map(function(v, l) as.character(v) %in% l, frame[case$variables],
                            dimnames(case$x)))
    at <- sample(which(!cell), 1)
    right <- frame$freq[at]
    frame$freq[at] <- right + 71234
    cnd <- tryCatch(made_of(frame, case, total = "Total"), sdc_error_input = identity)
    expect_s3_class(cnd, "sdc_error_input")
    found <- cnd$contradictions
    expect_equal(nrow(found), 1)
    expect_equal(lapply(found[case$variables], as.character),
                 lapply(frame[at, case$variables], as.character))
    expect_equal(c(found$shown, found$summed, found$difference), c(right + 71234, right, 71234))
    expect_false(grepl("71[,]?234", conditionMessage(cnd)))
    expect_message(y <- made_of(frame, case, total = "Total", tolerance = 71234),
                   class = "sdc_message_tolerance")
    expect_equal(y, case$x)
    expect_error(made_of(frame, case, total = "Total", tolerance = 71233),
                 class = "sdc_error_input")
  }
})

test_that("property: a cell without a row is zero only if the totals agree", {
  withr::local_seed(703)
  gaps <- 0
  for (i in seq_len(rounds(7, 30))) {
    case <- complete_case(i)
    frame <- as.data.frame(case$x, totals = TRUE, zeros = TRUE)
    cell <- which(Reduce(`&`, Map(function(v, l) as.character(v) %in% l, frame[case$variables],
                                  dimnames(case$x))))
    at <- sample(cell, 1)
    if (frame$freq[at] == 0) {
      expect_equal(made_of(frame[-at, ], case, total = "Total"), case$x)
    } else {
      cnd <- tryCatch(made_of(frame[-at, ], case, total = "Total"), sdc_error_input = identity)
      expect_match(conditionMessage(cnd), "constraints")
      expect_true(all(cnd$contradictions$difference == frame$freq[at]))
      gaps <- gaps + 1
    }
    frame$freq[at] <- NA
    expect_error(made_of(frame, case, total = "Total"), "constraints", class = "sdc_error_input")
  }
  expect_gt(gaps, rounds(5, 10))
})

test_that("property: arrays with the nodes of trees are tables too", {
  tree <- data.frame(parent = c("T", "T", "n", "n"), child = c("n", "c", "a", "b"))
  cells <- matrix(c(4, 0, 7, 1, 2, 3), 3, dimnames = list(r = letters[1:3], s = c("m", "f")))
  whole <- rbind(cells, n = colSums(cells[1:2, ]), T = colSums(cells))
  names(dimnames(whole)) <- c("r", "s")
  x <- sdc_table(cells, hierarchies = list(r = tree))
  expect_equal(sdc_table(whole, hierarchies = list(r = tree)), x)
  with_sums <- cbind(whole, Sum = rowSums(whole))
  names(dimnames(with_sums)) <- c("r", "s")
  expect_equal(sdc_table(with_sums, hierarchies = list(r = tree), total = "Sum"), x)
  expect_error(sdc_table(with_sums, hierarchies = list(r = tree)), class = "sdc_error_input")
  with_sums["n", "Sum"] <- 0
  expect_error(sdc_table(with_sums, hierarchies = list(r = tree), total = "Sum"),
               class = "sdc_error_input")
})

test_that("property: totals of some levels, and of several kinds", {
  frame <- data.frame(geo = c("a", "b", "c", "ab", "Total"), n = c(3, 4, 5, 7, 12))
  x <- sdc_table(frame[1:3, ], "geo", "n")
  expect_equal(sdc_table(frame, "geo", "n", total = c("ab", "Total")), x)
  expect_equal(sdc_table(frame[1:4, ], "geo", "n", total = "ab"), x)
  expect_error(sdc_table(frame[c(1:2, 4:5), ], "geo", "n", total = c("ab", "Total")),
               class = "sdc_error_input")
})

test_that("property: slips are errors", {
  tree <- data.frame(parent = c("T", "T", "n", "n"), child = c("n", "c", "a", "b"))
  frame <- data.frame(r = c("a", "b", "c", "n", "T"), n = c(1, 2, 3, 3, 6))
  slip <- function(..., f = frame) {
    expect_error(sdc_table(f, "r", "n", ...), class = "sdc_error_input")
  }
  slip(hierarchies = list(r = tree), total = "a")
  slip(hierarchies = list(r = tree), tolerance = -1)
  slip(hierarchies = list(r = tree), tolerance = .5)
  slip(hierarchies = list(r = tree), f = transform(frame, r = replace(r, 4, "north")))
  slip(hierarchies = list(q = tree))
  slip(hierarchies = list(r = tree), total = "nowhere")
  expect_error(sdc_table(frame, "r", hierarchies = list(r = tree)), class = "sdc_error_input")
  expect_error(sdc_table(frame["r"], "r", tolerance = 1), class = "sdc_error_input")
  # names of totals in a tree may be said again
  expect_equal(sdc_table(frame, "r", "n", hierarchies = list(r = tree), total = "T"),
               sdc_table(frame, "r", "n", hierarchies = list(r = tree)))
})

test_that("oracle: trees may be written in any form that is read", {
  counts <- data.frame(r = rep(c("a", "b", "c"), 2), s = rep(c("m", "f"), each = 3),
                       n = c(4, 0, 7, 1, 2, 3))
  hrc <- withr::local_tempfile(fileext = ".hrc", lines = c("n", "@a", "@b", "z", "@c"))
  forms <- list(
    data.frame(parent = c("Total", "Total", "n", "n", "z"), child = c("n", "z", "a", "b", "c")),
    data.frame(c("@", "@@", "@@@", "@@@", "@@", "@@@"), c("Total", "n", "a", "b", "z", "c")),
    data.frame(big = c("n", "n", "z"), r = c("a", "b", "c")),
    hrc
  )
  for (form in forms) {
    trees <- list(r = form)
    x <- suppressMessages(sdc_table(counts, c("r", "s"), "n", hierarchies = trees))
    frame <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    expect_true(all(c("n", "z", "Total") %in% frame$r))
    y <- suppressMessages(sdc_table(frame, c("r", "s"), "freq", hierarchies = trees,
                                    total = "Total"))
    expect_equal(y, x)
    ready <- cbind(frame, n = as.numeric(frame$freq > 0), max1 = frame$freq)
    ready <- ready[ready$r %in% letters[1:3] & ready$s != "Total" & ready$n > 0, ]
    mg <- suppressMessages(magnitude_cells(ready, c("r", "s"), "freq", "n", "max1",
                                           hierarchies = trees))
    expect_equal(mg$hierarchies, x$layout$trees)
  }
})

test_that("oracle: sdcTable's complete data are read, with its hierarchies", {
  skip_if_not_installed("sdcTable")
  utils::data("microdata1", package = "sdcTable", envir = environment())
  trees <- list(
    region = sdcHierarchies::hier_create("Total", sort(unique(microdata1$region))),
    gender = sdcHierarchies::hier_create("Total", sort(unique(microdata1$gender)))
  )
  problem <- quietly_made(sdcTable::makeProblem(microdata1, trees))
  theirs <- as.data.frame(sdcTable::sdcProb2df(problem, addDups = TRUE, dimCodes = "original"))
  whole <- data.frame(region = theirs$region_o %||% theirs$region,
                      gender = theirs$gender_o %||% theirs$gender, freq = theirs$freq)
  x <- sdc_table(whole, c("region", "gender"), "freq", hierarchies = trees)
  y <- sdc_table(microdata1, c("region", "gender"), hierarchies = trees)
  expect_equal(as.data.frame(x, totals = TRUE), as.data.frame(y, totals = TRUE))
})

test_that("snapshot: what is said of totals that do not agree", {
  tree <- data.frame(parent = c("T", "T", "n", "n"), child = c("n", "c", "a", "b"))
  frame <- data.frame(r = c("a", "b", "c", "n", "T"), n = c(1, 2, 3, 3, 6))
  made <- function(n, ..., rows = TRUE) {
    frame$n <- n
    sdc_table(frame[rows, ], "r", "n", hierarchies = list(r = tree), ...)
  }
  expect_snapshot({
    made(c(1, 2, 3, 3, 6))
    made(c(1, 2, 3, 4, 6))
    made(c(1, 2, 3, 4, 6), tolerance = 1)
    made(c(1, 2, 3, 3, 6), rows = -2)
    made(c(1, 2, 3, NA, 6))
    made(c(1, 2, 3, 3, 6), total = "a")
  }, error = TRUE)
})
