# The same totals, primary cells and statuses as sdcTable 0.34, on its data sets and on the examples
# of its help pages and its vignette. Statuses are those of protectTable(method =
# "SIMPLEHEURISTIC"), the method that suppress() calls. Its method "GAUSS" runs the algorithm of
# GaussSuppression on the cells in another order, which decides between patterns of equal size.

region_tree <- data.frame(levels = c("@", "@@", "@@", "@@", "@@"),
                          codes = c("Total", "A", "B", "C", "D"))

small_dims <- function() {
  list(region = region_tree,
       gender = sdcHierarchies::hier_create(root = "Total", nodes = c("male", "female")))
}

# sdcTable's answer for a count of at most maxN, before and after its protection.
sdctable_counts <- function(problem, maxN, zeros = FALSE) {
  silent({
    problem <- sdcTable::primarySuppression(problem, type = "freq", maxN = maxN,
                                            allowZeros = zeros)
    problem <- sdcTable::protectTable(problem, method = "SIMPLEHEURISTIC")
    sdctable_cells(problem)
  })
}

test_that("oracle: counts of microdata1, by microdata and by its complete frame", {
  skip_without_sdctable()
  data <- sdctable_data("microdata1")
  problem <- silent(sdcTable::makeProblem(data, small_dims(), numVarInd = "val"))
  x <- sdc_table(data, c("region", "gender"), dimList = small_dims())
  complete <- silent(sdctable_cells(problem, addNumVars = TRUE))
  y <- sdc_table(complete[c("region", "gender", "freq")], c("region", "gender"), "freq",
                 hierarchies = small_dims())
  expect_identical(as.data.frame(y, totals = TRUE), as.data.frame(sdc_table(
    transform(data, region = factor(region, dimnames(y)$region),
              gender = factor(gender, dimnames(y)$gender)),
    c("region", "gender"), dimList = small_dims()
  ), totals = TRUE))
  for (maxN in c(2, 10, 12, 14)) {
    peer <- sdctable_counts(problem, maxN)
    expect_same_cells(chosen(x, maxN, method = "sdcTable"), peer, "freq", paste("maxN", maxN))
    expect_same_cells(chosen(y, maxN, method = "sdcTable"), peer, "freq", paste("frame", maxN))
  }
})

test_that("oracle: totals of a numeric variable, and the rules of dominance (microdata1)", {
  skip_without_sdctable()
  data <- sdctable_data("microdata1")
  x <- magnitude_table(data, c("region", "gender"), "val", dimList = small_dims())
  problem <- silent(sdcTable::makeProblem(data, small_dims(), numVarInd = "val"))
  total <- silent(sdctable_cells(problem, addNumVars = TRUE))
  rules <- list(
    list(rule_p_percent(30), list(type = "p", p = 30)),
    list(rule_p_percent(80), list(type = "p", p = 80)),
    list(rule_nk(2, 30), list(type = "nk", n = 2, k = 30)),
    list(rule_nk(1, 20), list(type = "nk", n = 1, k = 20))
  )
  for (rule in rules) {
    told <- silent(do.call(sdcTable::primarySuppression,
                           c(list(problem, numVarName = "val"), rule[[2]])))
    peer <- sdctable_cells(told)
    judged <- sensitive(x, rule[[1]], totals = TRUE)
    variables <- c("region", "gender")
    at <- match(cell_keys(judged, variables), cell_keys(peer, variables))
    expect_false(anyNA(at))
    expect_equal(judged$total, as.numeric(total$val[at]))
    expect_identical(judged$sdcStatus == "u", peer$primary[at], info = rule[[1]]$label)
    expect_true(any(peer$primary))
  }
})

# The table of the examples of protect_linked_tables().
eco_dims <- function() {
  tree <- function(root, groups) {
    out <- sdcHierarchies::hier_create(root = root, nodes = names(groups))
    for (g in names(groups)) out <- sdcHierarchies::hier_add(out, root = g, nodes = groups[[g]])
    out
  }
  list(
    region = sdcHierarchies::hier_create(root = "Tot", nodes = c("R1", "R2")),
    gender = sdcHierarchies::hier_create(root = "Tot", nodes = c("m", "f")),
    ecoOld = tree("Tot", list(A = c("Aa", "Ab"), B = c("Ba", "Bb"))),
    ecoNew = tree("Tot", list(C = c("Ca", "Cb", "Cc"), D = c("Da", "Db", "Dc")))
  )
}

test_that("oracle: the two tables of microdata2, with trees", {
  skip_without_sdctable()
  data <- sdctable_data("microdata2")
  for (variables in list(c("gender", "ecoOld"), c("region", "gender", "ecoNew"))) {
    dims <- eco_dims()[variables]
    problem <- silent(sdcTable::makeProblem(data[c(variables, "numVal")], dims,
                                            numVarInd = "numVal"))
    x <- sdc_table(data, variables, dimList = dims)
    for (maxN in c(3, 10)) {
      peer <- sdctable_counts(problem, maxN)
      if (any(peer$primary)) {
        expect_same_cells(chosen(x, maxN, method = "sdcTable"), peer, "freq",
                          paste(variables, collapse = ", "))
      }
    }
    mg <- magnitude_table(data, variables, "numVal", dimList = dims)
    judged <- sensitive(mg, rule_threshold(1), totals = TRUE)
    total <- silent(sdctable_cells(problem, addNumVars = TRUE))
    at <- match(cell_keys(judged, variables), cell_keys(total, variables))
    expect_equal(judged$total, as.numeric(total$numVal[at]))
  }
})

test_that("oracle: the two tables of microdata2 as one object, with common cells", {
  skip_without_sdctable()
  data <- sdctable_data("microdata2")
  # A of the old classification is C of the new one, and B is D
  data$eco <- paste(data$ecoOld, data$ecoNew)
  codes <- unique(data[c("ecoOld", "ecoNew", "eco")])
  codes$sector <- ifelse(substr(codes$ecoOld, 1, 1) == "A", "A = C", "B = D")
  trees <- list(codes[c("sector", "ecoOld", "eco")], codes[c("sector", "ecoNew", "eco")])
  x <- sdc_table(data, c("region", "gender", "eco"), hierarchies = list(eco = trees),
                 formula = ~ gender * (sector + ecoOld) + region * gender * (sector + ecoNew))
  cells <- as.data.frame(x, totals = TRUE, zeros = TRUE)
  found <- integer()
  for (variables in list(c("gender", "ecoOld"), c("region", "gender", "ecoNew"))) {
    peer <- silent(sdctable_cells(sdcTable::makeProblem(data[variables], eco_dims()[variables])))
    if (is.null(peer$region)) peer$region <- "Total"
    eco <- peer[[variables[length(variables)]]]
    peer$eco <- ifelse(eco %in% c("A", "C"), "A = C", ifelse(eco %in% c("B", "D"), "B = D", eco))
    peer[peer == "Tot"] <- "Total"
    at <- match(cell_keys(peer, names(dimnames(x))), cell_keys(cells, names(dimnames(x))))
    expect_false(anyNA(at))
    expect_equal(cells$freq[at], as.numeric(peer$freq))
    found <- c(found, at)
  }
  # 21 cells and 81, nine of which are the same
  expect_setequal(found, seq_len(nrow(cells)))
  expect_identical(nrow(cells), 93L)
})

# The trees of the vignette: V1 with Ba, Bb, Bc below B, V2 and V3 flat. Its data files are not
# installed with the package; the records are ours.
vignette_dims <- function() {
  v1 <- sdcHierarchies::hier_create(root = "Tot", nodes = LETTERS[1:4])
  v1 <- sdcHierarchies::hier_add(v1, root = "B", nodes = c("Ba", "Bb", "Bc"))
  list(V1 = v1, V2 = sdcHierarchies::hier_create(root = "Tot", nodes = c("m", "w")),
       V3 = sdcHierarchies::hier_create(root = "Tot", nodes = letters[1:6]))
}

test_that("oracle: the table of sdcTable's vignette, by records and by a complete frame", {
  skip_without_sdctable()
  withr::local_seed(7)
  data <- data.frame(
    V1 = sample(c("A", "Ba", "Bb", "Bc", "C", "D"), 600, TRUE, c(5, 4, 2, 1, 1, 5)),
    V2 = sample(c("m", "w"), 600, TRUE),
    V3 = sample(letters[1:6], 600, TRUE, c(6, 5, 4, 2, 1, 1))
  )
  x <- sdc_table(data, c("V1", "V2", "V3"), dimList = vignette_dims())
  problem <- silent(sdcTable::makeProblem(data, vignette_dims()))
  complete <- silent(sdctable_cells(problem))
  frame <- sdc_table(complete[c("V1", "V2", "V3", "freq")], c("V1", "V2", "V3"), "freq",
                     hierarchies = vignette_dims())
  expect_equal(sum(frame), 600)
  for (maxN in c(3, 10)) {
    peer <- sdctable_counts(problem, maxN)
    expect_same_cells(chosen(x, maxN, method = "sdcTable"), peer, "freq", paste("records", maxN))
    expect_same_cells(chosen(frame, maxN, method = "sdcTable"), peer, "freq", paste("frame", maxN))
  }
})

test_that("oracle: what sdcTable protects is read as a pattern, under its own labels", {
  skip_without_sdctable()
  data <- sdctable_data("microdata1")
  problem <- silent(sdcTable::makeProblem(data, small_dims(), numVarInd = "val"))
  peer <- sdctable_counts(problem, 10)
  x <- sdc_table(data, c("region", "gender"), dimList = small_dims())
  su <- suppress(x, 10, pattern = peer[c("region", "gender", "sdcStatus")], audit = FALSE)
  expect_same_cells(su, peer, "freq", "pattern")
})
