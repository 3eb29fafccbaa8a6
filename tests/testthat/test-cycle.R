cases <- read_fixture("posterior_cases.json", simplifyVector = FALSE)$cases
names(cases) <- vapply(cases, `[[`, "", "name")
zeros <- function(name) array(0, unlist(cases[[name]]$dim))

test_that("published: rectangular chains are those of the reference", {
  for (name in c("rect_4x3", "rect_2x5_r2", "rect_6x4_r2")) {
    expect_identical(bare_moves(cycles_bidiagonal(zeros(name), "chain")),
                     reference_moves(cases[[name]]))
  }
})

test_that("published: Lenz's bands are those of the reference", {
  for (name in c("lenz_3x4", "lenz_2x4_r2")) {
    expect_identical(bare_moves(cycles_bidiagonal(zeros(name))), reference_moves(cases[[name]]))
  }
})

test_that("published: bands are those of the reference", {
  expect_same <- function(set, name) expect_identical(bare_moves(set),
                                                      reference_moves(cases[[name]]))
  expect_same(cycles_banded(zeros("triple_3x5_r2"), group = 2, shuffle = FALSE), "triple_3x5_r2")
  expect_same(cycles_banded(zeros("band_2x5_r2"), group = 2, groups = list(1:2),
                            rings = c(1, 3, 2, 4, 5)), "band_2x5_r2")
  expect_same(cycles_banded(zeros("band_2x2_r3"), group = 2, groups = list(1:2), rings = 1:2),
              "band_2x2_r3")
  groups <- list(c(1, 3), c(4, 2))
  expect_same(cycles_banded(zeros("band_4x2_r2"), group = 2, groups = groups, rings = 1:2),
              "band_4x2_r2")
})

test_that("published: every set of the reference is a set of user's moves", {
  for (name in names(cases)) {
    moves <- reference_moves(cases[[name]])
    expect_identical(bare_moves(cycles(moves, zeros(name))), moves)
  }
})

test_that("published: the square cycles of the erratum", {
  for (n in 2:6) {
    moves <- bare_moves(cycles_bidiagonal(matrix(0, n, n)))
    for (i in seq_len(n) - 1) {
      wanted <- matrix(0L, n, n)
      for (k in seq_len(n) - 1) {
        wanted[k + 1, (k + i) %% n + 1] <- 1L
        wanted[k + 1, (k + 1 + i) %% n + 1] <- -1L
      }
      expect_identical(moves[[i + 1]], wanted)
    }
    expect_true(all(Reduce(`+`, moves) == 0))
    expect_identical(bare_moves(cycles_bidiagonal(matrix(0, n, n), "chain")), moves)
  }
})

test_that("property: all shapes keep their margins and give each cell a plus and a minus", {
  for (m in 2:8) {
    for (n in 2:8) {
      x <- matrix(0, m, n)
      for (set in list(cycles_bidiagonal(x), cycles_bidiagonal(x, "chain"),
                       cycles_banded(x, group = 2, seed = m * n))) {
        moves <- bare_moves(set)
        expect_true(all(vapply(moves, function(a) all(rowSums(a) == 0) && all(colSums(a) == 0),
                               NA)))
        expect_true(all(Reduce(`+`, lapply(moves, pmax, 0)) == 1))
        expect_true(all(Reduce(`+`, lapply(moves, pmin, 0)) == -1))
        expect_identical(length(set), length(moves))
      }
    }
  }
})

test_that("property: bands cut the lines into pairs and one three", {
  for (m in 2:9) {
    p <- cycles_banded(matrix(0, m, 4), group = 2, seed = 3)$parameters
    expect_identical(sort(unlist(p$groups)), seq_len(m))
    expect_identical(sum(lengths(p$groups) == 3), as.integer(m %% 2))
    expect_true(all(lengths(p$groups) %in% 2:3))
    expect_true(all(vapply(p$rings, function(r) identical(sort(r), 1:4), NA)))
  }
  expect_true(cycles_banded(matrix(0, 5, 2), group = 2, seed = 1)$parameters$transposed)
  expect_false(cycles_banded(matrix(0, 2, 5), group = 2, seed = 1)$parameters$transposed)
})

# The words of the rule, cycle by cycle.
slow_triads <- function(m, n, p) {
  move <- function(x, y, from, to) {
    out <- matrix(0L, m, n)
    out[x, c(from, to)] <- c(1L, -1L)
    out[y, c(from, to)] <- c(-1L, 1L)
    out
  }
  out <- list()
  for (g in seq_along(p$groups)) {
    lines <- p$groups[[g]]
    ring <- p$rings[[g]]
    bands <- if (length(lines) == 3) list(lines[1:2], lines[2:3], lines[c(3, 1)]) else list(lines)
    for (band in bands) {
      for (s in seq_len(n - p$open)) {
        out <- c(out, list(move(band[[1]], band[[2]], ring[[s]], ring[[s %% n + 1]])))
      }
    }
  }
  out
}

test_that("published: triads are those of the reference", {
  for (case in read_fixture("posterior_extra.json", simplifyVector = FALSE)$cases) {
    if (case$kind != "triad") next
    dim <- unlist(case$dim)
    set <- cycles_banded(matrix(0, dim[[1]], dim[[2]]), shuffle = FALSE, open = case$open)
    expect_identical(bare_moves(set), reference_moves(case))
  }
})

test_that("oracle: triads and pairs are those of the words, open and closed", {
  for (m in 2:8) {
    for (n in 2:6) {
      for (open in c(FALSE, TRUE)) {
        x <- plain_table(matrix(0, m, n))
        set <- cycles_banded(x, seed = m * n, open = open)
        expect_identical(bare_moves(set), slow_triads(m, n, set$parameters))
        turned <- cycles_banded(x, seed = m, open = open, transposed = TRUE)
        expect_identical(bare_moves(turned), lapply(slow_triads(n, m, turned$parameters), t))
        if (m %% 2 == 0) {
          pairs <- cycles_banded(x, group = 2, seed = m * n, open = open)
          expect_identical(bare_moves(pairs), slow_triads(m, n, pairs$parameters))
        }
      }
    }
  }
})

test_that("property: triads and pairs keep margins and give each cell four chances in a cover", {
  for (m in 2:9) {
    for (n in 2:6) {
      set <- cycles_banded(matrix(0, m, n), seed = m + n)
      moves <- bare_moves(set)[cover_order(set)]
      expect_true(all(vapply(moves, function(a) all(rowSums(a) == 0) && all(colSums(a) == 0), NA)))
      expect_true(all(Reduce(`+`, lapply(moves, pmax, 0)) == 2))
      expect_true(all(Reduce(`+`, lapply(moves, pmin, 0)) == -2))
      expect_identical(length(moves), as.integer(cover_length(set)))
      expect_true(all(as.data.frame(summary(set))$chances == 4))
      open <- as.data.frame(summary(cycles_banded(matrix(0, m, n), open = TRUE, shuffle = FALSE)))
      expect_identical(open$chances, ifelse(open$Var2 %in% c(1, n), 2L, 4L))
    }
  }
})

test_that("property: skipping zeros shows the moves of open rings", {
  open <- cycles_banded(matrix(0, 5, 4), seed = 2, open = TRUE)
  skipping <- cycles_banded(matrix(0, 5, 4), seed = 2, skip_zeros = TRUE)
  expect_identical(as.list(skipping), as.list(open))
  expect_identical(cover_order(skipping), cover_order(open))
  expect_true(skipping$parameters$open)
})

test_that("property: lines are cut into triads and at most two pairs", {
  for (m in 2:13) {
    size <- lengths(cycles_banded(matrix(0, m, 3), seed = m)$parameters$groups)
    expect_identical(sum(size), m)
    expect_true(all(size %in% 2:3))
    expect_identical(sum(size == 2), if (m == 4) 2L else as.integer((3 - m %% 3) %% 3))
    expect_false(is.unsorted(rev(size)))
  }
})

test_that("property: one cover sweeps pairs twice in a set of triads, group after group", {
  set <- cycles_banded(matrix(0, 7, 3), groups = list(c(1, 2), c(3, 4, 5), c(6, 7)), rings = 1:3)
  expect_identical(length(set), 15L)
  expect_identical(cover_order(set), c(1:3, 1:3, 4:12, 13:15, 13:15))
  expect_identical(cover_order(cycles_banded(matrix(0, 6, 3))), 1:18)
  expect_identical(cover_order(cycles_banded(matrix(0, 4, 3), group = 2)), 1:6)
  expect_identical(nrow(as.data.frame(set)), as.integer(count_entries(set)))
})

test_that("property: the public seed repeats the set and leaves the user's stream alone", {
  x <- matrix(0, 7, 5)
  set.seed(99)
  before <- .Random.seed
  a <- cycles_banded(x, group = 2, seed = 5)
  cycles_banded(x)
  expect_identical(.Random.seed, before)
  expect_true(identical(a, cycles_banded(x, group = 2, seed = 5)))
  expect_false(identical(a, cycles_banded(x, group = 2, seed = 6)))
  withr::with_seed(1, .rng_sample_kind = "Rounding",
                   expect_true(identical(a, cycles_banded(x, group = 2, seed = 5)))) |>
    suppressWarnings()
})

test_that("published: the groups of seed 11, on every platform", {
  expect_snapshot({
    str(cycles_banded(matrix(0, 5, 4), group = 2, seed = 11)$parameters)
    str(cycles_banded(matrix(0, 5, 4), seed = 11)$parameters)
  })
})

test_that("property: counts play no part", {
  set.seed(4)
  for (i in seq_len(rounds(10, 20))) {
    a <- random_table(5, 4)
    b <- random_table(5, 4)
    expect_true(identical(cycles_banded(a, group = 2, seed = 1),
                          cycles_banded(b, group = 2, seed = 1)))
    expect_true(identical(cycles_bidiagonal(a), cycles_bidiagonal(b)))
  }
})

test_that("property: arrays and data frames give the same set", {
  x <- plain_table(array(0, c(2, 3, 2)))
  move <- array(0, c(2, 3, 2))
  move[1:2, 1:2, 1] <- c(1, -1, -1, 1)
  other <- array(0, c(2, 3, 2))
  other[1:2, 2:3, 2] <- c(-2, 2, 2, -2)
  set <- cycles(list(move, other), x, margins = list(c("A", "C"), c("B", "C")))
  expect_true(identical(set, cycles(as.data.frame(set), x, margins = set$preserves)))
  expect_true(identical(set, cycles(as.list(set), x, margins = set$preserves)))
  frame <- as.data.frame(set)
  expect_identical(data.frame(set), frame)
  frame[2:4] <- lapply(frame[2:4], as.character)
  expect_true(identical(set, cycles(frame[sample(nrow(frame)), ], x, margins = set$preserves)))
  expect_identical(names(frame), c("cycle", "A", "B", "C", "coefficient"))
})

test_that("property: one cycle, and some, by their numbers", {
  set <- cycles_banded(matrix(0, 5, 4), group = 2, seed = 2)
  all <- as.list(set)
  expect_identical(set[[3]], all[[3]])
  expect_identical(set[c(2, 5)], all[c(2, 5)])
  expect_identical(set[-1], all[-1])
  expect_identical(set[], all)
  expect_identical(set[integer()], list())
  flags <- seq_along(all) > 4
  expect_identical(set[flags], all[flags])
  expect_identical(set[["rule"]], set$rule)
  expect_identical(set$rule, "banded")
})

test_that("snapshot: numbers of no cycle", {
  set <- cycles_bidiagonal(matrix(0, 3, 3))
  expect_snapshot(error = TRUE, {
    set[[4]]
    set[[1.5]]
    set[[1, 2]]
    set[0]
    set[c(1, 7)]
    set[c(1, -2)]
    set[c(TRUE, FALSE)]
    set[NA]
    set["rule"]
    set[1, 2]
  })
  expect_error(set[[0]], class = "sdc_error_input")
  expect_error(set[c(1, -2)], class = "sdc_error_input")
})

test_that("property: tables with one variable keep their total", {
  x <- plain_table(array(0, 3))
  set <- cycles(list(c(1, -1, 0), array(c(0, 2, -2), 3)), x)
  expect_identical(set$preserves, list(character()))
  expect_error(cycles(list(c(1, 1, 0)), x), class = "sdc_error_input")
  expect_identical(length(cycles(list(c(1, 1, 0)), x, margins = list())), 1L)
})

test_that("oracle: summary counts chances, reach and cells that zeros hold", {
  set.seed(8)
  for (i in seq_len(rounds(30, 60))) {
    x <- random_table(sample(2:6, 1), sample(2:6, 1), 1)
    set <- if (i %% 2) cycles_banded(x, group = 2, seed = i) else cycles_bidiagonal(x)
    moves <- bare_moves(set)
    touched <- lapply(moves, function(a) a != 0)
    free <- Reduce(`|`, lapply(touched, function(a) a & all(x[a] > 0)))
    found <- as.data.frame(summary(set, x, covers = 2))
    expect_identical(found$chances, as.integer(Reduce(`+`, touched)))
    expect_identical(found$movable, as.vector(free))
    expect_equal(found$upper, as.vector(ifelse(free, x + 4, x)))
    expect_equal(found$lower, as.vector(ifelse(free, pmax(0, x - 4), x)))
  }
})

test_that("snapshot: print, summary and data frame", {
  x <- plain_table(matrix(c(0, 1, 2, 5, 3, 4, 1, 1, 6, 2, 2, 2), 4))
  set <- cycles_banded(x, group = 2, groups = list(c(1, 4), 2:3), rings = 1:3)
  expect_snapshot({
    set
    summary(set)
    summary(set, x)
    head(as.data.frame(set), 4)
    str(set)
    cycles_banded(matrix(0, 5, 2), group = 2, seed = 1)
    cycles_bidiagonal(matrix(0, 4, 3))
    cycles_banded(matrix(0, 3, 3), group = 2, shuffle = FALSE)
    cycles_banded(matrix(0, 6, 3), group = 2, groups = list(1:3, 4:6))
    cycles_banded(matrix(0, 7, 3), group = 2, seed = 1)
    cycles_banded(matrix(0, 6, 3), seed = 1, open = TRUE)
    cycles_banded(matrix(0, 3, 5), seed = 1, transposed = TRUE)
    cycles_banded(matrix(0, 5, 3), seed = 1, skip_zeros = TRUE)
  })
})

test_that("property: pictures are made", {
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(cycles_bidiagonal(matrix(0, 4, 4))), "ggplot")
  x <- plain_table(array(0, c(2, 2, 2)))
  move <- array(c(1, -1, -1, 1, -1, 1, 1, -1), c(2, 2, 2))
  picture <- ggplot2::autoplot(cycles(list(move), x))
  expect_identical(levels(picture$data$.panel), c("cycle 1, 1", "cycle 1, 2"))
  expect_no_error(ggplot2::ggplot_build(picture))
  expect_identical(picture$data$.ink == "white", picture$data$.move != 0)
})

test_that("snapshot: errors of the rules", {
  x <- matrix(0, 4, 3)
  expect_snapshot(error = TRUE, {
    cycles_bidiagonal(array(0, c(2, 2, 2)))
    cycles_bidiagonal(matrix(0, 1, 5))
    cycles_banded(matrix(0, 5, 1))
    cycles_bidiagonal(x, walk = "knight")
    cycles_banded(x, group = 4)
    cycles_banded(x, group = 2:3)
    cycles_banded(x, open = NA)
    cycles_banded(matrix(0, 5, 4), group = 2, open = TRUE)
    cycles_banded(x, groups = list(1:4))
    cycles_banded(x, group = NA)
    cycles_banded(x, group = 2, seed = 1.5)
    cycles_banded(x, group = 2, shuffle = NA)
    cycles_banded(x, group = 2, groups = list(1:2))
    cycles_banded(x, group = 2, groups = list(1:2, 2:3))
    cycles_banded(x, group = 2, groups = list(1:4))
    cycles_banded(x, group = 2, groups = 1:4)
    cycles_banded(x, group = 2, groups = list())
    cycles_banded(x, group = 2, groups = list(1:2, 3:5))
    cycles_banded(x, group = 2, groups = list(c("1", "2"), c("3", "4")))
    cycles_banded(x, group = 2, groups = list(c(1, 2.5), 3:4))
    cycles_banded(matrix(0, 3, 2), group = 2, transposed = FALSE)
    cycles_banded(x, rings = c(1, 2, 2))
    cycles_banded(x, rings = list(1:3))
    cycles_banded(x, rings = "a")
  })
  expect_error(cycles_bidiagonal(matrix(0, 1, 5)), class = "sdc_error_input")
  expect_error(cycles_bidiagonal(matrix(0, 0, 5)), class = "sdc_error_input")
})

test_that("snapshot: errors of user's moves", {
  x <- plain_table(matrix(0, 2, 3))
  move <- matrix(c(1, -1, -1, 1, 0, 0), 2)
  frame <- as.data.frame(cycles(list(move), x))
  expect_snapshot(error = TRUE, {
    cycles(list(), x)
    cycles(move, x)
    cycles(list(move, t(move)), x)
    cycles(list(move, "a"), x)
    cycles(list(NULL), x)
    cycles(list(move * 0), x)
    cycles(list(move, move * 200), x)
    cycles(list(move / 2), x)
    cycles(list(replace(move, 1, NA)), x)
    cycles(list(replace(move, 1, Inf)), x)
    cycles(list(move, replace(move, 1, 2)), x)
    cycles(list(plain_table(move)[2:1, ]), x)
    cycles(list(move), x, margins = list("A", "D"))
    cycles(list(move), x, margins = "A")
    cycles(list(move), x, margins = list(c("A", "B")))
    cycles(frame[-1], x)
    cycles(transform(frame, cycle = 2), x)
    cycles(transform(frame, cycle = 1.5), x)
    cycles(transform(frame, A = "z"), x)
    cycles(transform(frame, coefficient = 0), x)
    cycles(rbind(frame, frame[1, ]), x)
    cycles(frame[0, ], x)
  })
  x <- plain_table(matrix(0, 2, 2))
  names(dimnames(x)) <- c("cycle", "B")
  expect_snapshot(as.data.frame(cycles_bidiagonal(x)), error = TRUE)
})

test_that("snapshot: variables with the names of columns, and arguments that are not there", {
  x <- plain_table(matrix(1, 2, 2))
  set <- cycles_bidiagonal(x)
  names(dimnames(x)) <- c("lower", "reach")
  expect_snapshot(error = TRUE, {
    as.data.frame(summary(cycles_bidiagonal(x), x))
    as.data.frame(summary(cycles_bidiagonal(x)))
    as.data.frame(set, max_row = 1)
    as.data.frame(summary(set), zeros = TRUE)
    as.list(set, max_row = 1)
    summary(set, cover = 2, insist = TRUE)
    plot(set, number = 3)
  })
})

test_that("snapshot: sizes that are refused", {
  set <- cycles_bidiagonal(matrix(0, 20, 20))
  x <- plain_table(matrix(c(3, 1, 2, 5), 2))
  expect_snapshot(error = TRUE, {
    as.data.frame(set, max_rows = 100)
    as.list(set, max_rows = 100)
    summary(set, x)
  })
})

test_that("property: an object that was changed by hand is refused, not obeyed", {
  set <- cycles_banded(matrix(0, 4, 3), group = 2, seed = 1)
  broken <- function(...) {
    fields <- list(...)
    structure(replace(unclass(set), names(fields), fields), class = "sdc_cycles")
  }
  expect_error(as.data.frame(broken(rule = "other")), class = "sdc_error_input")
  p <- set$parameters
  for (groups in list(list(1:2, 9:10), list(1:2, 2:3), list(1:2), list(1L, 2:4))) {
    expect_error(summary(broken(parameters = replace(p, "groups", list(groups)))),
                 class = "sdc_error_input")
  }
  for (ring in list(c(1L, 1L, 2L), 1:2, 2:4)) {
    expect_error(summary(broken(parameters = replace(p, "rings", list(list(1:3, ring))))),
                 class = "sdc_error_input")
  }
  for (lost in names(p)) {
    expect_error(summary(broken(parameters = p[names(p) != lost])), class = "sdc_error_input")
  }
  expect_error(summary(broken(parameters = replace(p, "group", 4L))), class = "sdc_error_input")
  wide <- unclass(cycles_bidiagonal(matrix(0, 4, 3)))
  wide$parameters$walk <- "knight"
  expect_error(summary(structure(wide, class = "sdc_cycles")), class = "sdc_error_input")
})
