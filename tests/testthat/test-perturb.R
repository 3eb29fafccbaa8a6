slide <- matrix(c(15, 1, 3, 1, 20, 10, 10, 15, 3, 10, 10, 2, 12, 14, 7, 2), 4, byrow = TRUE)

test_that("published: the forward run of the slides' example, over all 81 coin sequences", {
  reference <- read_fixture("A_forward_4x4.json")
  published <- read_fixture("A_posterior_4x4.json")$published
  rules <- c(zero = "blocked", neg = "nonnegative")
  for (name in names(reference)) {
    wanted <- reference[[name]]
    part <- strsplit(name, ",")[[1]]
    me <- mechanism(cycles_bidiagonal(slide), fraction(part[1]), fraction(part[2]),
                    zero_rule = rules[[part[3]]])
    all <- all_results(slide, me)
    key <- apply(all$tables, 2, paste, collapse = " ")
    law <- tapply(all$probability, key, sum)
    expect_identical(length(law), wanted$n_published)
    expect_equal(law[[paste(slide, collapse = " ")]], fraction(wanted$P_unchanged))
    expect_equal(law[[paste(published, collapse = " ")]], fraction(wanted$P_published_example))
    bias <- matrix(all$tables %*% all$probability - as.vector(slide), 4)
    expect_equal(as.vector(t(bias)), fraction(wanted$bias))
  }
})

test_that("published: blocked with alpha = beta is exactly unbiased", {
  set.seed(12)
  for (i in 1:12) {
    x <- random_table(sample(2:3, 1), 3, 1.5)
    me <- mechanism(if (i %% 2) cycles_bidiagonal(x) else cycles_banded(x, group = 2, seed = i), .3,
                    .3, covers = 1 + (i %% 3 == 0))
    if (length(me$cycles) * me$covers > 6) me$covers <- 1L
    all <- all_results(x, me)
    expect_equal(as.vector(all$tables %*% all$probability), as.vector(x))
    expect_true(all(all$tables[x == 0, ] == 0))
  }
})

test_that("oracle: the core agrees with the slow twin", {
  set.seed(31)
  for (i in seq_len(rounds(40, 150))) {
    x <- random_table(sample(2:6, 1), sample(2:6, 1), sample(c(1, 3), 1))
    set <- switch(i %% 4 + 1,
      cycles_bidiagonal(x), cycles_bidiagonal(x, "chain"), cycles_banded(x, group = 2, seed = i),
      cycles_banded(x, seed = i, open = i %% 8 == 3)
    )
    n <- length(set)
    cover <- cover_order(set)
    alpha <- if (i %% 2) runif(n) else sample(c(0, .25, .5, 1), 1)
    me <- mechanism(set, alpha, (1 - alpha) * sample(c(0, .5, 1), 1),
      covers = 2,
      order = if (i %% 5) c(sample(cover), sample(cover)),
      zero_rule = sample(c("blocked", "nonnegative"), 1)
    )
    bytes <- as.raw(sample(0:255, 8 * step_count(me), replace = TRUE))
    expect_identical(cpp_perturb_counts(as.double(x), me, bytes),
                     twin_perturb(as.double(x), me, bytes))
  }
})

test_that("oracle: sweeps that skip zeros agree with the slow twin", {
  set.seed(33)
  for (i in seq_len(rounds(50, 200))) {
    x <- random_table(sample(2:6, 1), sample(2:7, 1), sample(c(.5, 1, 3), 1))
    group <- if (i %% 3 == 0 && nrow(x) %% 2 == 0) 2 else 3
    set <- cycles_banded(x, group = group, seed = i, skip_zeros = TRUE, transposed = group == 3 &&
                         i %% 2 == 0)
    alpha <- sample(c(0, .25, .5, .9, 1), 1)
    me <- mechanism(set, alpha, (1 - alpha) * sample(c(0, .5, 1), 1), covers = sample(2, 1))
    bytes <- as.raw(sample(0:255, 8 * step_count(me), replace = TRUE))
    expect_identical(cpp_perturb_counts(as.double(x), me, bytes),
                     twin_sweep(as.double(x), me, bytes))
  }
})

test_that("published: sweeps that skip zeros are unbiased, by enumeration of the coins", {
  set.seed(34)
  for (i in 1:12) {
    x <- if (i %% 2) random_table(2, sample(3:6, 1), 1) else random_table(3, 3, 1.5)
    set <- if (i %% 2) cycles_banded(x, group = 2, skip_zeros = TRUE,
                                     seed = i) else cycles_banded(x, skip_zeros = TRUE, seed = i)
    me <- mechanism(set, .3, .3)
    all <- all_results(x, me)
    expect_equal(as.vector(all$tables %*% all$probability), as.vector(x))
    expect_true(all(all$tables[x == 0, ] == 0))
    expect_true(all(all$tables >= 0))
    moved <- all$tables != as.vector(x)
    expect_identical(as.data.frame(summary(set, x))$movable, apply(moved, 1, any))
  }
})

# P(published | original), which the reference calls the evidence of each original.
test_that("published: sweeps that skip zeros lead to the reference's tables with its probabilities",
          {
  to_matrix <- function(rows) plain_table(matrix(as.numeric(unlist(rows)), length(rows),
                                                 byrow = TRUE))
  for (case in read_fixture("posterior_extra.json", simplifyVector = FALSE)$cases) {
    if (case$kind != "zero-skipping sweep") next
    published <- to_matrix(case$published)
    set <- cycles_banded(published, group = 2, skip_zeros = TRUE, groups = list(1:2),
                         rings = seq_len(case$n))
    me <- mechanism(set, fraction(case$alpha), fraction(case$beta), covers = length(case$sweeps))
    total <- 0
    for (original in case$originals) {
      all <- all_results(to_matrix(original[[1]]), me)
      hit <- apply(all$tables == as.vector(published), 2, all)
      expect_equal(sum(all$probability[hit]), fraction(original[[2]]))
      total <- total + sum(all$probability[hit])
    }
    expect_equal(total, fraction(case$evidence))
  }
})

test_that("property: sweeps that skip zeros keep margins, zeros and signs", {
  set.seed(35)
  for (i in seq_len(rounds(50, 1000))) {
    x <- random_table(sample(2:7, 1), sample(2:9, 1), sample(c(.3, 1, 4), 1))
    me <- mechanism(cycles_banded(x, seed = i, skip_zeros = TRUE), .4, .3, covers = 2)
    out <- cpp_perturb_counts(as.double(x), me,
                              as.raw(sample(0:255, 8 * step_count(me), replace = TRUE)))
    y <- matrix(out$counts, nrow(x))
    fine <- all(y >= 0) && all(rowSums(y) == rowSums(x)) && all(colSums(y) == colSums(x)) &&
      all(y[x == 0] == 0)
    reach <- as.data.frame(summary(me$cycles, x, covers = 2))
    if (!fine || any(y < reach$lower | y > reach$upper)) fail("a margin or a cell is wrong")
  }
  succeed()
})

test_that("published: where half the cells are zero, skipping zeros changes more small cells", {
  set.seed(36)
  x <- random_table(20, 20, .7)
  fixed <- expected_protection(x, mechanism(cycles_banded(x, seed = 1)), insist = TRUE)
  skipping <- expected_protection(x, mechanism(cycles_banded(x, seed = 1, skip_zeros = TRUE)))
  expect_gt(skipping["small", "expected"], fixed["small", "expected"] + .1)
})

test_that("oracle: coefficients of any size and overlapping moves agree with the slow twin", {
  set.seed(32)
  for (i in 1:60) {
    x <- random_table(3, 4, 4)
    moves <- lapply(1:5, function(j) {
      move <- matrix(0, 3, 4)
      move[sample(3, 2), sample(4, 2)] <- sample(1:3, 1) * c(1, -1, -1, 1)
      move
    })
    me <- mechanism(cycles(moves, x), runif(5) / 2, .4, covers = 2,
                    zero_rule = sample(c("blocked", "nonnegative"), 1))
    bytes <- as.raw(sample(0:255, 80, replace = TRUE))
    expect_identical(cpp_perturb_counts(as.double(x), me, bytes),
                     twin_perturb(as.double(x), me, bytes))
  }
})

test_that("property: margins stay and no cell is negative, over thousands of tables", {
  set.seed(2)
  for (i in seq_len(rounds(125, 2500))) {
    x <- random_table(sample(2:6, 1), sample(2:6, 1), sample(c(.5, 2, 10), 1))
    set <- switch(i %% 3 + 1, cycles_bidiagonal(x), cycles_bidiagonal(x, "chain"),
                  cycles_banded(x, seed = i))
    me <- mechanism(set, .3, .4, covers = 2, zero_rule = c("blocked", "nonnegative")[i %% 2 + 1])
    out <- cpp_perturb_counts(as.double(x), me,
                              as.raw(sample(0:255, 8 * step_count(me), replace = TRUE)))
    y <- matrix(out$counts, nrow(x))
    fine <- all(y >= 0) && all(rowSums(y) == rowSums(x)) && all(colSums(y) == colSums(x))
    if (me$zero_rule == "blocked") fine <- fine && all(y[x == 0] == 0)
    if (!fine) fail("a margin or a cell is wrong")
  }
  succeed()
})

test_that("property: k-way margins stay", {
  set.seed(5)
  move <- array(c(1, -1, -1, 1, -1, 1, 1, -1), c(2, 2, 2))
  for (i in seq_len(rounds(50, 200))) {
    x <- plain_table(array(rpois(8, 2) + 1, c(2, 2, 2)))
    pe <- perturb(x, mechanism(cycles(list(move, -move), x), covers = 2), insist = TRUE)
    y <- array(dense_counts(pe$published), c(2, 2, 2))
    for (v in list(1:2, c(1, 3), 2:3)) expect_equal(apply(y, v, sum), unname(apply(x, v, sum)),
                                                    ignore_attr = TRUE)
    expect_true(all(y >= 0))
  }
})

test_that("published: the format of the coins (AES-256 in counter mode, key hashed by SHA-256)", {
  # Both streams were made with the command line of OpenSSL as well.
  hex <- function(bytes) paste(bytes, collapse = "")
  expect_identical(hex(coin_bytes(as.raw(1:16), 4)),
                   "92443db77e666883d6b21d094427198ef1ab9fe319af69f0b1a892109619d26b")
  expect_identical(hex(coin_bytes(check_key(NULL, 1), 4)),
                   "c7c4be27e090bb6dcc97d487d4138dabaf452751f0b1c227942ad45d6b8f69d0")
  expect_identical(coin_bytes(as.raw(1:16), 1000)[1:32], coin_bytes(as.raw(1:16), 4))
})

test_that("published: the same key gives the same table on every platform", {
  x <- plain_table(slide)
  me <- mechanism(cycles_bidiagonal(x), covers = 2)
  pe <- perturb(x, me, key = as.raw(1:16), insist = TRUE)
  expect_identical(pe$coefficients,
                   twin_perturb(as.double(slide), me, coin_bytes(as.raw(1:16), 8))$applied)
  expect_snapshot(matrix(dense_counts(pe$published), 4))
  expect_identical(perturb(x, me, key = as.raw(1:16), insist = TRUE), pe)
  expect_snapshot(matrix(dense_counts(perturb(x, me, seed = 1, insist = TRUE)$published), 4))
})

test_that("property: keys differ from call to call, and are kept nowhere", {
  set.seed(1)
  x <- random_table(6, 8, 5)
  me <- mechanism(cycles_banded(x, group = 2, seed = 1), covers = 2)
  key <- as.raw(c(17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 250, 251))
  pe <- perturb(x, me, key = key, insist = TRUE)
  held <- as.character(serialize(pe, NULL))
  expect_false(grepl(paste(key, collapse = ""), paste(held, collapse = ""), fixed = TRUE))
  expect_false(pe$reproducible)
  before <- .Random.seed
  a <- perturb(x, me, insist = TRUE)
  b <- perturb(x, me, insist = TRUE)
  expect_false(identical(a$coefficients, b$coefficients))
  expect_identical(.Random.seed, before)
  expect_true(perturb(x, me, seed = 3, insist = TRUE)$reproducible)
})

test_that("oracle: expected protection agrees with enumeration", {
  set.seed(6)
  for (i in 1:6) {
    x <- random_table(3, 3, 1.7) + (i %% 2)
    me <- mechanism(cycles_bidiagonal(x), .3, .2,
                    zero_rule = c("blocked", "nonnegative")[i %% 2 + 1])
    all <- all_results(x, me)
    changed <- all$tables != as.vector(x)
    share <- function(which) if (any(which)) sum(colMeans(changed[which, ,
                                                                  drop = FALSE]) * all$probability) else NA_real_
    found <- expected_protection(x, me, replicates = 4000, insist = TRUE)
    expect_equal(found["small", "expected"], share(x %in% 1:2), tolerance = .1)
    expect_equal(found["nonzero", "expected"], share(x > 0), tolerance = .1)
  }
  expect_identical(found, expected_protection(x, me, replicates = 4000, insist = TRUE))
})

test_that("published: bidiagonal sets on a sparse table are refused, bands of pairs are not", {
  # Poisson mean 3, 20 x 20, two covers: 13 and 70 percent of the small cells change.
  set.seed(20)
  x <- random_table(20, 20, 3)
  wide <- mechanism(cycles_bidiagonal(x), covers = 2)
  pairs <- mechanism(cycles_banded(x, group = 2, seed = 1), covers = 2)
  expect_lt(expected_protection(x, wide)["small", "expected"], .2)
  expect_gt(expected_protection(x, pairs)["small", "expected"], .6)
  expect_lt(expected_protection(x, pairs)["prevented", "expected"], .45)
  expect_error(perturb(x, wide), class = "sdc_error_refused")
  expect_s3_class(perturb(x, wide, insist = TRUE), "sdc_perturbation")
  expect_s3_class(perturb(x, pairs, insist = TRUE), "sdc_perturbation")
})

test_that("property: a table without small cells is judged by its non-zero cells", {
  x <- plain_table(matrix(c(9, 0, 7, 8), 2))
  me <- mechanism(cycles_bidiagonal(x))
  expect_true(is.na(expected_protection(x, me, insist = TRUE)["small", "expected"]))
  x[2, 1] <- 3
  stuck <- mechanism(cycles_bidiagonal(x), alpha = 0, beta = 0)
  expect_error(perturb(x, stuck), "expected to change", class = "sdc_error_refused")
  expect_s3_class(perturb(x + 5, mechanism(cycles_bidiagonal(x))), "sdc_perturbation")
})

test_that("property: many zeros are refused under blocked, fixed cycles, and nowhere else", {
  x <- plain_table(matrix(c(0, 3, 4, 3, 0, 5, 5, 6, 0, 0, 7, 8, 5, 5, 9, 9), 4))
  set <- cycles_banded(x, seed = 1)
  me <- mechanism(set)
  expect_error(perturb(x, me), "More than a fifth", class = "sdc_error_refused")
  expect_error(expected_protection(x, me), "More than a fifth", class = "sdc_error_refused")
  expect_error(mechanism(set, x = x), "More than a fifth", class = "sdc_error_refused")
  expect_s3_class(perturb(x, me, insist = TRUE), "sdc_perturbation")
  expect_s3_class(expected_protection(x, me, insist = TRUE), "sdc_protection")
  ways_on <- list(
    mechanism(cycles_banded(x, seed = 1, skip_zeros = TRUE), x = x),
    mechanism(set, zero_rule = "nonnegative", x = x)
  )
  for (way in ways_on) {
    expect_s3_class(expected_protection(x, way), "sdc_protection")
    expect_s3_class(perturb(x, way, min_protection = 0), "sdc_perturbation")
  }
  x[1, 1] <- 2
  expect_s3_class(expected_protection(x, me), "sdc_protection")
  expect_identical(mechanism(set, x = x), me)
})

test_that("property: zeros that the margins or the cycles settle are not counted", {
  x <- random_table(6, 6, 3) + 1
  x[2:3, ] <- 0
  x[, 5] <- 0
  me <- mechanism(cycles_banded(x, seed = 1))
  expect_no_error(expected_protection(x, me))
  y <- replace(x, x == 1 | x == 2, 0)
  expect_error(expected_protection(y, me), class = "sdc_error_refused")
  move <- matrix(0, 6, 6)
  move[c(1, 4), c(1, 2)] <- c(1, -1, -1, 1)
  y[c(1, 4), c(1, 2)] <- 5
  own <- cycles(list(move), y)
  expect_no_error(expected_protection(y, mechanism(own)))
  expect_no_error(expected_protection(y, mechanism(cycles(list(move), y, margins = list()))))
  expect_error(expected_protection(replace(y, 1, 0), mechanism(own)), class = "sdc_error_refused")
})

test_that("oracle: level numbers are those of array margins", {
  dim <- c(3, 2, 4)
  at <- arrayInd(1:24, dim)
  expect_identical(level_numbers(dim, integer()), rep(1, 24))
  expect_equal(level_numbers(dim, 2), at[, 2])
  expect_equal(level_numbers(dim, c(1, 3)), at[, 1] + 3 * (at[, 3] - 1))
})

test_that("property: printing shows no count of the original", {
  x <- plain_table(matrix(c(987651, 876541, 765431, 654321), 2))
  pe <- perturb(x, mechanism(cycles_bidiagonal(x)), seed = 1)
  shown <- capture.output(print(pe), print(summary(pe)), print(format(pe)))
  expect_false(any(grepl("987|876|765|654|3284", shown)))
})

test_that("snapshot: print, summary, protection", {
  x <- plain_table(slide)
  pe <- perturb(x, mechanism(cycles_bidiagonal(x)), seed = 1, insist = TRUE)
  expect_snapshot({
    pe
    summary(pe)
    expected_protection(x, mechanism(cycles_bidiagonal(x)), replicates = 100)
    expected_protection(x + 5, mechanism(cycles_bidiagonal(x), alpha = 0, beta = 0), replicates = 10)
  })
  expect_identical(names(as.data.frame(pe)), c("A", "B", "original", "published"))
  expect_equal(as.data.frame(pe)$original, as.vector(slide))
  expect_identical(data.frame(pe), as.data.frame(pe))
})

test_that("property: pictures show the perturbed table", {
  skip_if_not_installed("ggplot2")
  pe <- perturb(slide, mechanism(cycles_bidiagonal(slide)), seed = 1, insist = TRUE)
  picture <- ggplot2::autoplot(pe)
  expect_equal(picture$data$.amount, dense_counts(pe$published))
  expect_no_error(ggplot2::ggplot_build(picture))
})

test_that("snapshot: errors", {
  x <- plain_table(slide)
  me <- mechanism(cycles_bidiagonal(x))
  sparse <- plain_table(matrix(c(0, 1, 1, 1, 2, 0, 1, 1, 0), 3))
  other <- x
  dimnames(other)$A[1] <- "one"
  moved <- x[, c(1, 3, 2, 4)]
  renamed <- x
  names(dimnames(renamed)) <- c("A", "C")
  expect_snapshot(error = TRUE, {
    perturb(x[1:3, ], me)
    perturb(other, me)
    perturb(moved, me)
    perturb(renamed, me)
    perturb(x, cycles_bidiagonal(x))
    perturb(x, me, key = as.raw(1:8))
    perturb(x, me, key = "secret")
    perturb(x, me, key = as.raw(1:16), seed = 1)
    perturb(x, me, seed = 1.5)
    perturb(x, me, seed = -1)
    perturb(x, me, seed = NA)
    perturb(x, me, insist = NA)
    perturb(x, me, min_protection = 2)
    perturb(x * 0, me)
    perturb(x, mechanism(cycles_bidiagonal(x), zero_rule = "none"))
    perturb(x, mechanism(cycles_bidiagonal(x), zero_rule = "roehrig"))
    perturb(sparse, mechanism(cycles_bidiagonal(sparse)))
    mechanism(cycles_bidiagonal(sparse), x = sparse)
    mechanism(cycles_bidiagonal(x), x = sparse)
    mechanism(cycles_bidiagonal(x), x = "x")
    perturb(x, mechanism(cycles_bidiagonal(x), alpha = 0, beta = 0))
    expected_protection(x, me, insist = NA)
    expected_protection(x, me, replicates = 1)
    expected_protection(x[1:3, ], me)
    expected_protection(x, "me")
  })
  pe <- perturb(x, me, seed = 1, insist = TRUE)
  names(dimnames(x)) <- c("original", "B")
  clash <- perturb(x, mechanism(cycles_bidiagonal(x)), seed = 1, insist = TRUE)
  expect_snapshot(error = TRUE, {
    as.data.frame(clash)
    as.data.frame(pe, zeros = TRUE)
    summary(pe, 3)
    plot(pe, n = 3)
  })
  names(dimnames(x)) <- c("A", "B")
  expect_snapshot(error = TRUE, {
    perturb(replace(x, 2, NA), me)
    perturb(replace(x, 2, -1), me)
    perturb(replace(x, 2, .5), me)
    perturb(replace(x, 2, Inf), me)
    perturb(x[0, ], me)
    perturb(x[1, , drop = FALSE], me)
    perturb("x", me)
  })
})

test_that("property: conditions hold no argument, also when the table is passed by value", {
  x <- plain_table(matrix(c(987654, 1, 2, 876543), 2))
  me <- mechanism(cycles_bidiagonal(x))
  cnd <- tryCatch(do.call(perturb, list(x, me, min_protection = 1)), error = identity)
  expect_s3_class(cnd, "sdc_error_refused")
  shown <- c(deparse(conditionCall(cnd)), format(cnd), utils::capture.output(print(cnd)))
  expect_false(any(grepl("987654|876543", shown)))
  named <- tryCatch(perturb(x, me, min_protection = 1), error = identity)
  expect_identical(conditionCall(named), quote(perturb()))
})
