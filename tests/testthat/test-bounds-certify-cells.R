# Certificates of tables with trees and of linked tables: proofs in cells and relations, tables in
# finest cells.

certified <- function(...) bounds_margins(..., certificates = TRUE, progress = FALSE)

levels_below <- list(
  A = list(Total = c("a1", "a2", "a3"), n = c("a1", "a2"), a1 = "a1", a2 = "a2", a3 = "a3"),
  B = list(Total = c("b1", "b2", "b3"), west = c("b1", "b2"), coast = c("b2", "b3"), b1 = "b1",
           b2 = "b2", b3 = "b3"),
  C = list(Total = c("c1", "c2"), c1 = "c1", c2 = "c2")
)
trees_here <- list(
  A = data.frame(parent = c("Total", "Total", "n", "n"), child = c("n", "a3", "a1", "a2")),
  B = list(data.frame(parent = c("Total", "Total", "west", "west"),
                      child = c("west", "b3", "b1", "b2")),
           data.frame(parent = c("Total", "Total", "coast", "coast"),
                      child = c("b1", "coast", "b2", "b3")))
)
leaves_of <- function(variables) {
  expand.grid(lapply(levels_below[variables], function(nodes) unique(unlist(nodes))),
              stringsAsFactors = FALSE)
}

# The sum of each row of a frame in each table, a row for each.
sums_of_nodes <- function(frame, leaves, tables) {
  sums <- vapply(seq_len(nrow(frame)), function(i) {
    held <- rep(TRUE, nrow(leaves))
    for (v in intersect(names(leaves), names(frame))) {
      held <- held & leaves[[v]] %in% levels_below[[v]][[as.character(frame[[v]][i])]]
    }
    colSums(tables[held, , drop = FALSE])
  }, numeric(ncol(tables)))
  matrix(sums, nrow(frame), byrow = TRUE)
}

# A frame of nodes of a table: some counts are suppressed, some are intervals.
frame_of_nodes <- function(x, variables, leaves, keep = 1) {
  frame <- expand.grid(lapply(levels_below[variables], names), stringsAsFactors = FALSE)
  known <- sums_of_nodes(frame, leaves, cbind(x))[, 1]
  kind <- sample(3, nrow(frame), TRUE, c(1, 4, 1))
  frame$freq <- ifelse(kind == 1, known, NA)
  frame$lower <- ifelse(kind == 3, pmax(0, known - 1), NA)
  frame$upper <- ifelse(kind == 3, known + sample(0:1, nrow(frame), TRUE), NA)
  whole <- rowSums(frame[variables] == "Total") == length(variables)
  frame$freq[whole] <- known[whole]
  frame[c("lower", "upper")][whole, ] <- NA
  frame[whole | runif(nrow(frame)) < keep, ]
}

tables_that_fit <- function(frames, leaves, tables) {
  for (frame in frames) {
    shown <- sums_of_nodes(frame, leaves, tables)
    least <- ifelse(is.na(frame$freq), pmax(0, frame$lower, na.rm = TRUE), frame$freq)
    most <- ifelse(is.na(frame$freq), ifelse(is.na(frame$upper), Inf, frame$upper), frame$freq)
    tables <- tables[, colSums(shown < least | shown > most) == 0, drop = FALSE]
  }
  tables
}

random_case <- function(case) {
  sets <- list(list(c("A", "C")), list(c("A", "B")), list(c("A", "C"), "A"),
               list(c("A", "C"), c("B", "C")))[[case %% 4 + 1]]
  variables <- unique(unlist(sets))
  leaves <- leaves_of(variables)
  tables <- all_with_total(nrow(leaves), if (nrow(leaves) > 12) 2 else 4)
  x <- tables[, sample(ncol(tables), 1)]
  frames <- lapply(sets, frame_of_nodes, x = x, leaves = leaves, keep = if (case %% 3) 1 else .7)
  asked <- do.call(rbind, lapply(seq_along(sets), function(k) {
    rows <- frames[[k]][sample(nrow(frames[[k]]), min(4, nrow(frames[[k]]))), sets[[k]], drop = FALSE]
    rows[setdiff(variables, sets[[k]])] <- "Total"
    rows[variables]
  }))
  list(frames = frames, asked = unique(asked), trees = trees_here[intersect(variables, c("A", "B"))],
       leaves = leaves, fits = tables_that_fit(frames, leaves, tables))
}

test_that("oracle: cells of trees and of linked tables are certified, against all tables", {
  withr::local_seed(1)
  widths <- numeric()
  for (case in seq_len(rounds(16, 32))) {
    made <- random_case(case)
    b <- certified(made$frames, made$asked, hierarchies = made$trees)
    expect_false(is.null(b$certificates$relations))
    all <- sums_of_nodes(made$asked, made$leaves, made$fits)
    expect_equal(b$lower, apply(all, 1, min), info = case)
    expect_equal(b$upper, apply(all, 1, max), info = case)
    expect_true(all(b$sharp), info = case)
    expect_true(verify_bounds(b)$verified, info = case)
    expect_true(verify_bounds(b, made$frames, hierarchies = made$trees)$verified, info = case)
    widths <- c(widths, b$upper - b$lower)
  }
  expect_gt(sum(widths > 0), rounds(25, 50))
})

test_that("property: all finest cells of constraints with trees are certified", {
  withr::local_seed(2)
  for (case in c(2, 5, 6)) {
    made <- random_case(case)
    release <- do.call(constraints, c(made$frames, list(hierarchies = made$trees)))
    b <- certified(release)
    expect_true(all(b$sharp))
    expect_true(verify_bounds(b, release)$verified)
    all <- sums_of_nodes(as.data.frame(b)[names(made$leaves)], made$leaves, made$fits)
    expect_equal(b$lower, apply(all, 1, min))
    expect_equal(b$upper, apply(all, 1, max))
    expect_error(verify_bounds(b, release, hierarchies = made$trees), class = "sdc_error_input")
  }
})

test_that("property: another release is not the one that was certified", {
  withr::local_seed(3)
  refused <- 0
  for (case in 1:12) {
    made <- random_case(case)
    b <- certified(made$frames, made$asked, hierarchies = made$trees)
    other <- made$frames
    shown <- which(!is.na(other[[1]]$freq))
    at <- shown[sample(length(shown), 1)]
    other[[1]]$freq[at] <- other[[1]]$freq[at] + 1
    checked <- verify_bounds(b, other, dimList = made$trees)
    expect_false(checked$verified)
    refused <- refused + !any(checked$ends$attained)
  }
  expect_gt(refused, 10)
})

# ---- forgers ----------------------------------------------------------------------------------

resealed <- function(b) {
  b$certificates$seal <- seal_of_bounds(b)
  b
}

# A case with proofs by sums, several relations and intervals that are not points.
forged_case <- function() {
  withr::local_seed(5)
  repeat {
    made <- random_case(4 * sample(10, 1) + 1)
    b <- certified(made$frames, made$asked, hierarchies = made$trees)
    if (sum(proof_kinds(b$certificates) == "sums") > 3 && sum(b$upper > b$lower) > 2) return(b)
  }
}

test_that("property: relations that the trees do not have are refused", {
  b <- forged_case()
  made <- b$certificates$relations
  refuse <- function(relations) {
    b$certificates$relations <- relations
    checked <- verify_bounds(resealed(b))
    expect_false(checked$verified)
    expect_match(checked$faults, "relation", all = FALSE)
  }
  n <- length(b$certificates$cells[[1]])
  for (k in seq_along(made$cell)) {
    others <- setdiff(seq_len(n), made$cell[k])
    for (other in others[seq(1 + k %% 3, length(others), rounds(3, 1))]) {
      refuse(replace(made, "cell", list(replace(made$cell, k, other))))
    }
  }
  for (r in seq_along(made$variable)) {
    refuse(replace(made, "variable", list(replace(made$variable, r, 3 - made$variable[r]))))
    # a part is left out, or comes twice
    at <- made$start[r] + 2
    shorter <- made$start - (seq_along(made$start) > r)
    refuse(list(variable = made$variable, start = shorter, cell = made$cell[-at]))
    twice <- append(made$cell, made$cell[at], at)
    refuse(list(variable = made$variable, start = made$start + (seq_along(made$start) > r),
                cell = twice))
  }
})

test_that("property: no edit of cells, relations, counts or proofs proves a false interval", {
  withr::local_seed(6)
  b <- forged_case()
  fields <- list(c("proofs", "times"), c("proofs", "row"), c("tables", "value"),
                 c("tables", "cell"), "base", "at", c("relations", "cell"),
                 c("leaves", "A"), c("leaves", "B"), c("cells", "A"), c("cells", "B"))
  refused <- 0
  for (i in seq_len(rounds(125, 250))) {
    changed <- b
    k <- sample(length(b$lower), 1)
    end <- sample(c("lower", "upper"), 1)
    changed[[end]][k] <- changed[[end]][k] + sample(c(-1, 1), 1)
    ends <- changed$certificates$ends
    at <- ends$cell == k & ends$end == end
    changed$certificates$ends$value[at] <- changed[[end]][k]
    changed$sharp <- sample(c(TRUE, FALSE), length(b$sharp), TRUE)
    for (field in fields[sample(length(fields), sample(0:2, 1))]) {
      v <- changed$certificates[[field]]
      if (length(v) == 0) next
      j <- sample(length(v), 1)
      changed$certificates[[field]][j] <- v[j] + sample(c(-1, 1), 1)
    }
    checked <- verify_bounds(resealed(changed))
    false <- changed$lower > b$lower | changed$upper < b$upper
    expect_false(any(checked$cells & false))
    sharp <- checked$cells & changed$sharp
    expect_true(all((changed$lower == b$lower & changed$upper == b$upper)[sharp]))
    refused <- refused + !checked$verified
  }
  expect_gt(refused, rounds(118, 240))
})

test_that("property: every edit of any field of certificates in cells is noticed", {
  withr::local_seed(7)
  b <- forged_case()
  made <- b$certificates
  for (name in setdiff(names(made), "release")) {
    inner <- if (is.list(made[[name]])) seq_along(made[[name]]) else 0
    for (k in inner) {
      v <- if (k == 0) made[[name]] else made[[name]][[k]]
      if (length(v) == 0) next
      edits <- list(v[-1], replace(v, 1, NA), as.character(v), list(v), rev(v), c(v, v))
      for (edited in edits) {
        if (identical(edited, v)) next
        changed <- b
        if (k == 0) {
          changed$certificates[[name]] <- edited
        } else {
          changed$certificates[[name]] <- unclass(changed$certificates[[name]])
          changed$certificates[[name]][[k]] <- edited
        }
        expect_no_warning(checked <- verify_bounds(changed))
        expect_false(checked$verified, info = paste(name, k))
      }
    }
  }
})

# ---- size, and what is not proved -------------------------------------------------------------

linked_nodes <- function(n) {
  leaf <- function(v) paste0(v, seq_len(n))
  tree <- function(v) {
    data.frame(parent = c(rep("Total", 5), paste0(v, "n", rep(1:5, each = n / 5))),
               child = c(paste0(v, "n", 1:5), leaf(v)))
  }
  part <- function(v) {
    x <- as.table(array(1 + seq_len(n * n) %% 5, c(n, n), rlang::set_names(
      list(leaf("a"), leaf(v)), c("A", v)
    )))
    x <- sdc_table(x, hierarchies = rlang::set_names(list(tree("a"), tree(v)), c("A", v)))
    out <- as.data.frame(x, totals = TRUE, zeros = TRUE)
    out$suppressed <- out$A %in% c("a1", "a2") & out[[v]] %in% paste0(v, 1:2)
    out
  }
  list(frames = list(part("b"), part("c")),
       trees = list(A = tree("a"), b = tree("b"), c = tree("c")))
}

test_that("property: linked tables are certified without their full cross", {
  made <- linked_nodes(25)
  hidden <- lapply(made$frames, function(frame) frame[frame$suppressed, 1:2])
  asked <- data.frame(A = c(as.character(hidden[[1]]$A), as.character(hidden[[2]]$A)),
                      b = c(as.character(hidden[[1]]$b), rep("Total", 4)),
                      c = c(rep("Total", 4), as.character(hidden[[2]]$c)))
  b <- certified(made$frames, asked, hierarchies = made$trees, max_cells = 5000)
  expect_lt(5000, 25^3)
  expect_true(all(b$sharp))
  expect_true(any(b$upper > b$lower))
  checked <- verify_bounds(b, made$frames, hierarchies = made$trees)
  expect_true(checked$verified)
})

test_that("property: what the certificates do not prove is not called proved", {
  made <- linked_nodes(25)
  asked <- made$frames[[1]][made$frames[[1]]$suppressed, c("A", "b")]
  expect_warning(
    b <- suppressWarnings(certified(made$frames, asked, hierarchies = made$trees,
                                    time_limit_s = 0), classes = "sdc_warning_outer"),
    class = "sdc_warning_open"
  )
  expect_true(b$certificates$late)
  checked <- verify_bounds(b)
  expect_false(checked$verified)
  expect_false(any(checked$ends$proved))
  # what is not given is open, and nothing is false
  expect_identical(checked$verdict, "open")
  expect_identical(unique(checked$verdicts), "open")
  expect_identical(unique(as.data.frame(checked)$verdict), "open")
  expect_match(format(checked)[1], "OPEN", fixed = TRUE)
  expect_match(format(b), paste("without a proof:", 2 * length(b$lower), "of"),
               all = FALSE)
  changed <- b
  changed$upper[1] <- changed$upper[1] - 1
  expect_identical(verify_bounds(changed)$verdict, "false")
  expect_match(format(b$certificates), "without a proof", all = FALSE)
  words <- as.character(explain(b, data.frame(A = "a1", b = "b1", c = "Total")))
  expect_match(words, "The certificates hold no proof of it", all = FALSE)
  expect_match(words, "no table that attains the bounds", all = FALSE)
})

test_that("snapshot: a total less its published parts, in words", {
  cells <- data.frame(
    region = rep(c("Total", "north", "n1", "n2", "n3", "south"), 3),
    sex = rep(c("Total", "f", "m"), each = 6),
    freq = c(60, 41, NA, 12, NA, 19, 33, 22, NA, 7, NA, 11, 27, 19, NA, 5, NA, 8)
  )
  trees <- list(region = data.frame(parent = c("Total", "Total", "north", "north", "north"),
                                    child = c("north", "south", "n1", "n2", "n3")))
  b <- certified(list(cells), cells[c("region", "sex")], hierarchies = trees)
  expect_snapshot({
    b$certificates
    verify_bounds(b, list(cells), hierarchies = trees)
    explain(b, data.frame(region = "n1", sex = "f"))
    explain(b, data.frame(region = "n1", sex = "Total"))
    explain(b, data.frame(region = "north", sex = "f"))
  })
})

test_that("property: damaged certificates are said to be damaged, by classed errors", {
  b <- forged_case()
  for (field in c("ends", "at", "cells", "relations", "leaves", "tables", "proofs")) {
    changed <- b
    changed$certificates[[field]] <- list("x")
    at <- lapply(seq_along(b$dimnames), function(v) b$dimnames[[v]][b$codes[[v]][1]])
    cell <- list2data_frame(rlang::set_names(at, names(b$dimnames)), 1)
    expect_error(explain(changed, cell), class = "sdc_error_input")
  }
  for (field in c("ends", "at", "tables", "directions", "proofs", "late")) {
    changed <- b$certificates
    changed[[field]] <- NULL
    expect_error(print(changed), class = "sdc_error_input")
    expect_error(explain(changed), class = "sdc_error_input")
  }
})
