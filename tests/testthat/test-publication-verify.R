# publish() refuses results that were changed by hand, and passes what changes nothing that leaves.

# Each change as it is, and with a seal made anew, so that what is recomputed must find it. `only`:
# changes that the seal alone can find.
expect_refused <- function(x, changes, reseal, only = character(), ...) {
  for (name in names(changes)) {
    changed <- changes[[name]](x)
    told <- tryCatch(publish(changed, ...), error = identity)
    expect_true(inherits(told, "sdc_error_refused"), info = name)
    expect_false(inherits(told, "error") && grepl("[0-9]", conditionMessage(told)), info = name)
    if (!name %in% only) {
      expect_error(publish(reseal(changed), ...), class = "sdc_error_refused", info = name)
    }
  }
}

expect_passes <- function(x, changes, ...) {
  pub <- publish(x, ...)
  for (name in names(changes)) {
    expect_identical(publish(changes[[name]](x), ...), pub, info = name)
  }
}

relabel <- function(table) {
  labels <- table$dimnames
  labels[[1]][1:2] <- rev(labels[[1]][1:2])
  table_from_dense(dense_counts(table), labels)
}

# Secret as far as publish() knows, and the same each time.
fixed_key <- as.raw(1:16)

some_counts <- matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4)

test_that("property: tampered perturbations are refused", {
  x <- as_sdc_table(some_counts)
  me <- mechanism(cycles_banded(x, seed = 11))
  pe <- perturb(x, me, key = fixed_key, insist = TRUE)
  mine <- perturb(x, me, seed = 1, insist = TRUE)
  reseal <- function(x) {
    x$seal <- seal_of("perturbation", perturbation_parts(x))
    x
  }
  moved <- function(by) {
    function(x) {
      step <- which(x$coefficients == by)[1]
      x$coefficients[step] <- 0L
      x
    }
  }
  expect_refused(pe, list(
    published = function(x) within_list(x, published = edit(x$published, 1, 2)),
    one_cell = function(x) within_list(x, published = raise(x$published, 1)),
    original_out = function(x) within_list(x, published = x$original),
    original_and_no_moves = function(x) {
      within_list(x, published = x$original, coefficients = 0L * x$coefficients)
    },
    other_original = function(x) within_list(x, original = edit(x$original, 3, 4)),
    no_plus = moved(1), no_minus = moved(-1),
    too_few = function(x) within_list(x, coefficients = x$coefficients[-1]),
    alpha = function(x) {
      x$mechanism$alpha <- 0
      x
    },
    beta = function(x) {
      x$mechanism$beta <- .1
      x
    },
    order = function(x) {
      x$mechanism$order <- rev(x$mechanism$order)
      x
    },
    covers = function(x) {
      x$mechanism$covers <- 2
      x
    },
    levels = function(x) within_list(x, published = relabel(x$published)),
    no_seal = function(x) within_list(x, seal = NULL)
  ), reseal, only = c("original_and_no_moves", "beta", "order", "levels", "no_seal"))
  expect_refused(mine, list(secret = function(x) within_list(x, reproducible = FALSE)), reseal,
                 only = "secret")
  expect_passes(pe, list(
    protection = function(x) within_list(x, expected_protection = NULL),
    note = function(x) within_list(x, note = "kept"),
    storage = function(x) within_list(x, coefficients = as.double(x$coefficients)),
    rebuilt = function(x) within_list(x, published = as_sdc_table(as.table(x$published))),
    stored = function(x) {
      file <- withr::local_tempfile()
      saveRDS(x, file)
      readRDS(file)
    }
  ))
})

test_that("property: a replay is what was drawn, whatever the mechanism", {
  set.seed(91)
  x <- as_sdc_table(some_counts)
  sets <- list(
    mechanism(cycles_banded(x, seed = 2), .5, .5), mechanism(cycles_banded(x, seed = 3), 0, .6, 3),
    mechanism(cycles_bidiagonal(x), .3, .4, zero_rule = "nonnegative"),
    mechanism(cycles_banded(x, skip_zeros = TRUE, seed = 4), .25, .25, 2)
  )
  for (me in sets) {
    pe <- perturb(x, me, key = fixed_key, insist = TRUE, min_protection = 0)
    expect_identical(publish(pe)$table, pe$published)
  }
})

test_that("property: tampered roundings are refused", {
  reseal <- function(x) {
    x$seal <- seal_of("rounding", rounding_parts(x))
    x
  }
  ro <- round_controlled(roehrig, base = 3, key = fixed_key)
  changes <- list(
    no_multiple = function(x) within_list(x, rounded = edit(x$rounded, 1, 2)),
    far = function(x) within_list(x, rounded = edit(x$rounded,
                                                    which(dense_counts(x$rounded) > 5)[1], 2, 6)),
    original = function(x) within_list(x, rounded = x$original),
    sums = function(x) within_list(x, rounded = raise(x$rounded, 1, 3)),
    base = function(x) within_list(x, base = 5),
    one = function(x) within_list(x, base = 1),
    reach = function(x) within_list(x, reach = 1),
    other_original = function(x) within_list(x, original = edit(x$original, 2, 3, 1)),
    fewer_margins = function(x) within_list(x, margins = x$margins[1]),
    rule = function(x) within_list(x, method = "nearest", distance = "cells")
  )
  expect_refused(ro, changes, reseal,
                 only = c("fewer_margins", "other_original", "sums", "far", "rule"))
  mine <- round_controlled(roehrig, base = 3, seed = 1)
  expect_refused(mine, list(secret = function(x) within_list(x, reproducible = FALSE)), reseal,
                 only = "secret")
  expect_passes(ro, list(
    note = function(x) within_list(x, note = 1),
    violations = function(x) within_list(x, violations = NULL)
  ))
  near <- round_controlled(some_counts, base = 5, method = "nearest")
  other <- round_controlled(some_counts, base = 5, seed = 4)
  expect_false(identical(near$rounded, other$rounded))
  expect_refused(near, list(
    random = function(x) within_list(x, rounded = other$rounded)
  ), reseal)
  expect_passes(near, list())
})

hex_example <- function(...) {
  map <- data.frame(q = c(0, 1, 2, 0, 1, 9, 5), r = c(0, 0, 0, 1, 1, 9, 1),
                    n = c(9, 1, 2, 8, 7, 1, 6))
  redistribute(hex_table(map, c("q", "r"), freqVar = "n"), threshold = 3, progress = FALSE, ...)
}

test_that("property: tampered maps are refused", {
  reseal <- function(x) {
    x$seal <- seal_of("map", hex_parts(x))
    x
  }
  for (outliers in c("suppress", "redistribute", "keep")) {
    for (method in c("optimal", "local", "global")) {
      h <- hex_example(outliers = outliers, method = method)
      expect_s3_class(publish(h), "sdc_hex_publication")
    }
  }
  h <- hex_example()
  count <- function(change) {
    function(x) {
      x$map$count <- x$map$count + change
      x
    }
  }
  expect_refused(h, list(
    counts = count(c(1, -1, 0, 0, 0, 0)), more = count(c(1, 0, 0, 0, 0, 0)),
    original = function(x) within_list(x, map = x$original),
    place = function(x) {
      x$map$q[1] <- x$map$q[1] - 1
      x
    },
    lattice = function(x) {
      x$map$geometry$dx <- 2
      x
    },
    secret_bounds = function(x) {
      x$map$geometry$from_data <- TRUE
      x
    },
    fewer_moves = function(x) within_list(x, moves = x$moves[-1, ]),
    outlier = function(x) within_list(x, suppressed = x$suppressed[0, ]),
    kept_outliers = function(x) within_list(x, outliers = "keep"),
    threshold = function(x) within_list(x, threshold = 5),
    method = function(x) within_list(x, method = "local"),
    other_original = function(x) {
      x$original$count[1] <- x$original$count[1] + 1
      x
    }
  ), reseal, only = "method")
  expect_passes(h, list(
    mu = function(x) within_list(x, mu = 0), gap = function(x) within_list(x, gap = 1)
  ))
  empty <- hex_example(empty = TRUE, empty_cost = 0)
  expect_s3_class(publish(empty), "sdc_hex_publication")
  if (empty$lost_cells > 0) {
    expect_refused(empty, list(filled = function(x) within_list(x, empty = FALSE)), reseal)
  }
})

test_that("property: tampered tables of magnitudes are refused", {
  skip_if_not_installed("lpSolve")
  firms <- data.frame(
    region = rep(c("north", "middle", "south"), c(3, 4, 4)),
    turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
  )
  mg <- magnitude_table(firms, "region", "turnover")
  reseal <- function(x) {
    x$seal <- seal_of("magnitudes", redistribution_parts(x))
    x
  }
  put <- function(x, units) {
    x$units <- units
    x$cells$published <- in_values(units, x$original)
    x
  }
  re <- redistribute(mg, rule_p_percent(10), key = fixed_key)
  true <- cell_totals(mg)
  changes <- list(
    published = function(x) {
      x$cells$published[1] <- x$cells$published[1] + 1
      x
    },
    original = function(x) put(x, true),
    grand_total = function(x) put(x, x$units + c(1, 0, 0)),
    part_of_a_unit = function(x) put(x, x$units + c(.5, -.5, 0)),
    audit = function(x) {
      x <- put(x, true)
      x$audit$failures <- 0
      x
    },
    max_change = function(x) within_list(x, max_change = 1),
    cells = function(x) {
      x$cells$cell <- rev(x$cells$cell)
      x
    },
    rules = function(x) within_list(put(x, true), rules = rule_p_percent(1))
  )
  expect_refused(re, changes, reseal, only = "rules")
  steps <- redistribute(mg, rule_p_percent(10), method = "iterative")
  expect_refused(steps, list(
    contributors = function(x) {
      x$contributors$value[1] <- x$contributors$value[1] + 1
      x
    },
    settled = function(x) within_list(x, settled = FALSE)
  ), reseal, insist = FALSE)
  mine <- redistribute(mg, rule_p_percent(10), seed = 1)
  expect_refused(mine, list(secret = function(x) within_list(x, reproducible = FALSE)), reseal,
                 only = "secret")
  expect_passes(re, list(
    audit = function(x) within_list(x, audit = NULL),
    moves = function(x) within_list(x, moves = NULL),
    change = function(x) {
      x$cells$change <- 0
      x
    }
  ))
})

test_that("property: a failing audit is found whatever the object says", {
  firms <- data.frame(region = rep(c("north", "south"), c(3, 4)),
                      turnover = c(132, 99, 12, 40, 35, 30, 20))
  mg <- magnitude_table(firms, "region", "turnover")
  re <- redistribute(mg, rule_p_percent(10), method = "contributors")
  failing <- re$audit$failures > 0
  re$audit$failures <- 0
  re$audit$cells <- re$audit$cells[0, ]
  re$remaining <- re$remaining[0, ]
  if (failing) expect_error(publish(re), class = "sdc_error_refused")
  expect_s3_class(publish(re, insist = TRUE), "sdc_magnitude_publication")
})

test_that("property: margins that contradict each other are refused", {
  m <- margins(Titanic, list(c("Class", "Sex"), c("Sex", "Age"), "Survived"))
  changed <- m
  changed[[1]] <- edit(m[[1]], 1, 5)
  expect_error(publish(new_margins(unclass(changed))), class = "sdc_error_refused")
  changed <- m
  changed[[3]] <- raise(m[[3]], 1)
  expect_error(publish(new_margins(unclass(changed))), class = "sdc_error_refused")
  changed <- m
  changed[[2]] <- relabel(m[[2]])
  expect_error(publish(new_margins(unclass(changed))), class = "sdc_error_refused")
  expect_identical(publish(m), publish(publish(m)))
  expect_identical(publish(m)[1:2], publish(m[1:2]))
})

test_that("property: margins whose levels were changed are refused", {
  m <- margins(HairEyeColor, list(c("Hair", "Eye"), "Sex", c("Sex", "Hair")))
  reseal <- function(x) structure(x, seal = seal_of("margins", margins_parts(x)))
  hair <- m[[1]]$dimnames$Hair
  put <- function(m, labels, also = 3) {
    out <- unclass(m)
    for (i in c(1, also)) {
      table <- unclass(out[[i]])
      table$dimnames$Hair <- labels
      out[[i]] <- structure(table, class = "sdc_table")
    }
    structure(out, class = "sdc_margins")
  }
  fits <- list(reversed = rev(hair), renamed = c("WAGES", hair[-1]))
  broken <- list(cut = hair[1], none = character(), twice = rep(hair[1], 4), list = as.list(hair),
                 raw = as.raw(1:4), number = 1:4, environment = new.env())
  for (name in c(names(fits), names(broken))) {
    # in all margins alike, and in one of them
    labels <- c(fits, broken)[[name]]
    for (also in list(3, NULL)) {
      changed <- put(m, labels, also)
      expect_error(publish(changed), class = "sdc_error_refused", info = name)
      expect_error(publish(changed[1:2]), class = "sdc_error_refused", info = name)
      if (name %in% setdiff(names(broken), "environment") || is.null(also) && name %in%
          names(fits)) {
        expect_error(publish(reseal(changed)), class = "sdc_error_refused", info = name)
      }
    }
  }
  counts <- m
  counts[[2]] <- m[[3]]
  expect_error(publish(counts), class = "sdc_error_refused")
})

# The number was computed once, with R 4.2: every version must find the same.
test_that("property: seals depend on values alone, not on the version of R or on how it keeps them", {
  parts <- list(a = 1:3, b = "\u00e4", c = list(TRUE, NULL, factor("x")))
  seal <- "2c83381c7df96fb3ecea3d89c9cc510bcb542d5a69629bb0999fd2b1458f403c"
  expect_identical(seal_of("kind", parts), seal)
  parts$a <- c(1, 2, 3)
  parts$b <- iconv("\u00e4", "UTF-8", "latin1")
  expect_identical(seal_of("kind", parts), seal)
  parts$a[3] <- 4
  expect_false(seal_of("kind", parts) == seal)
})
