# Certified suppressions with one edit each, drawn for every field: those that matter, by a judgement
# that adds everything up label by label, are refused, sealed again or not; the others are not.

# ---- the judge ----------------------------------------------------------------------------------

# Which certificates are whole, as a matrix: a column for each, a row for each cell and total.
changes_by_hand <- function(su, held) {
  made <- su$certificates
  inner <- inner_rows(su$cells, su$original$dimnames)
  whole <- function(x) is.numeric(x) && all(is.finite(x)) && all(x == round(x))
  stopifnot(
    identical(names(made), c("certificate", "row", "change")),
    all(vapply(made, whole, NA)),
    made$row %in% inner, made$change != 0, !duplicated(made[c("certificate", "row")]),
    identical(unique(made$certificate), as.numeric(seq_len(max(made$certificate, 0)))),
    !is.unsorted(made$certificate)
  )
  vapply(unique(made$certificate), function(k) {
    values <- array(0, lengths(su$original$dimnames))
    own <- made[made$certificate == k, ]
    values[match(own$row, inner)] <- own$change
    naive_totals(values, su$original$dimnames, su$cells, held)
  }, numeric(nrow(su$cells)))
}

# Whose count 1 it is, and the rows that tell her nothing new.
people_by_hand <- function(su, held) {
  hidden <- su$cells$sdcStatus %in% c("u", "x", "n")
  withheld <- su$cells$sdcStatus %in% c("u", "x")
  inner <- inner_rows(su$cells, su$original$dimnames)
  lapply(inner[su$cells$freq[inner] == 1 & hidden[inner]], function(at) {
    above <- Reduce(`&`, lapply(names(held), function(v) {
      level <- as.character(su$cells[[v]][at])
      vapply(as.character(su$cells[[v]]), function(l) level %in% held[[v]][[l]], NA)
    }))
    unname(which(above & su$cells$freq == 1 & hidden & (withheld | seq_along(above) == at)))
  })
}

# The rows that two people know: who are alone in cells, or are the two of one.
pairs_by_hand <- function(su, held) {
  hidden <- su$cells$sdcStatus %in% c("u", "x", "n")
  withheld <- su$cells$sdcStatus %in% c("u", "x")
  inner <- inner_rows(su$cells, su$original$dimnames)
  holds <- function(at) {
    Reduce(`&`, lapply(names(held), function(v) {
      level <- as.character(su$cells[[v]][at])
      vapply(as.character(su$cells[[v]]), function(l) level %in% held[[v]][[l]], NA)
    }))
  }
  know <- function(cells) {
    inside <- Reduce(`&`, lapply(cells, holds))
    all <- inside & su$cells$freq == sum(su$cells$freq[cells]) & hidden
    which(all & (withheld | seq_along(all) %in% cells))
  }
  one <- inner[su$cells$freq[inner] == 1 & hidden[inner]]
  two <- if (length(one) > 1) utils::combn(one, 2, simplify = FALSE)
  c(lapply(two, function(pair) unique(c(know(pair[1]), know(pair[2]), know(pair)))),
    lapply(inner[su$cells$freq[inner] == 2 & hidden[inner]], know))
}

protects <- function(su, d, people) {
  wide <- function(row, kept) diff(range(0, d[row, kept])) >= su$width
  all(vapply(which(su$cells$sdcStatus == "u"), function(row) {
    wide(row, rep(TRUE, ncol(d))) && all(vapply(people, function(own) {
      row %in% own || wide(row, colSums(d[own, , drop = FALSE] != 0) == 0)
    }, NA))
  }, NA))
}

# Is all that the object says true, and every primary cell protected?
is_sound <- function(su, truth) {
  tryCatch({
    variables <- names(truth$original$dimnames)
    held <- held_labels(truth)
    freq <- naive_totals(as.array(su$original), truth$original$dimnames, truth$cells, held)
    status <- su$cells$sdcStatus
    primary <- freq >= 1 & freq <= su$maxN
    unseen <- truth$cells$sdcStatus == "n"
    d <- changes_by_hand(su, held)
    least <- ifelse(unseen, 0, 1)
    keeps <- apply((freq > 0) == (freq + d > 0) &
                     primary == (freq + d >= 1 & freq + d <= su$maxN), 2, all)
    people <- c(if ("contributor" %in% su$readers) people_by_hand(su, held),
                if ("coalition" %in% su$readers) pairs_by_hand(su, held))
    stopifnot(
      identical(su$cells[variables], truth$cells[variables]), identical(su$cells$freq, freq),
      identical(status == "n", unseen), identical(status == "u", primary & !unseen),
      identical(status == "z", freq == 0 & !unseen), status %in% c("u", "x", "s", "z", "n"),
      d[status %in% c("s", "z"), ] == 0, (freq + d >= least)[d != 0],
      length(su$width) == 1, su$width >= 1, su$width == round(su$width), nrow(su$lacking) == 0,
      "outsider" %in% su$readers,
      su$readers %in% c("outsider", "contributor", "coalition", "method"),
      !"coalition" %in% su$readers || "contributor" %in% su$readers && !"method" %in% su$readers,
      !anyDuplicated(su$readers),
      # where there are no zeros, it is true that they are protected
      !su$protectZeros || all(freq[!unseen] > 0), su$cost == sum(status == "x"), su$bound <= su$cost,
      protects(su, d, people),
      !"method" %in% su$readers || su$value_free && protects(su, d[, keeps, drop = FALSE], people)
    )
    TRUE
  }, error = function(cnd) FALSE)
}

# ---- the edits ----------------------------------------------------------------------------------

one_of <- function(x) x[[sample.int(length(x), 1)]]

edit_cells <- function(su, name, edit) {
  su$cells[[name]] <- edit(su$cells[[name]])
  su
}

edit_certificates <- function(su, edit) {
  made <- edit(su$certificates)
  rownames(made) <- NULL
  su$certificates <- made
  su
}

renumbered <- function(made) {
  made$certificate <- match(made$certificate, unique(made$certificate)) + 0
  made
}

# One count of the table, and all totals of $cells when they are to follow.
edit_table <- function(su, follow) {
  counts <- as.array(su$original)
  at <- sample(length(counts), 1)
  counts[at] <- counts[at] + one_of(if (counts[at] > 0) list(-1, 1, 5) else list(1, 5))
  su$original <- set_layout(as_sdc_table(counts), su$original$layout)
  if (follow) {
    su$cells$freq <- naive_totals(counts, su$original$dimnames, su$cells, held_labels(su))
  }
  su
}

# Each draws one edit of its kind.
tamperings <- list(
  status = function(su) {
    at <- sample(nrow(su$cells), 1)
    edit_cells(su, "sdcStatus", function(x) {
      replace(x, at, one_of(setdiff(c("u", "x", "s", "z"), x[at])))
    })
  },
  exchange = function(su) {
    edit_cells(su, "sdcStatus", function(x) {
      at <- c(one_of(which(x == "x")), one_of(which(x %in% c("s", "u"))))
      replace(x, at, x[rev(at)])
    })
  },
  publish = function(su) {
    su$cost <- su$cost - 1
    edit_cells(su, "sdcStatus", function(x) replace(x, one_of(which(x == "x")), "s"))
  },
  hide = function(su) {
    su$cost <- su$cost + 1
    edit_cells(su, "sdcStatus", function(x) replace(x, one_of(which(x == "s")), "x"))
  },
  freq = function(su) {
    at <- sample(nrow(su$cells), 1)
    edit_cells(su, "freq", function(x) replace(x, at, x[at] + one_of(c(-1, 1))))
  },
  label = function(su) {
    edit_cells(su, one_of(names(su$original$dimnames)), function(x) {
      at <- c(1, which(x != x[1])[1])
      replace(x, at, x[rev(at)])
    })
  },
  change = function(su) {
    edit_certificates(su, function(made) {
      at <- sample(nrow(made), 1)
      made$change[at] <- made$change[at] + one_of(c(-1, 1))
      made
    })
  },
  sign = function(su) {
    edit_certificates(su, function(made) {
      own <- made$certificate == one_of(made$certificate)
      made$change[own] <- -made$change[own]
      made
    })
  },
  multiple = function(su) {
    edit_certificates(su, function(made) {
      own <- made$certificate == one_of(made$certificate)
      made$change[own] <- made$change[own] * one_of(c(.5, 2, 3))
      made
    })
  },
  place = function(su) {
    edit_certificates(su, function(made) {
      at <- sample(nrow(made), 1)
      made$row[at] <- one_of(setdiff(seq_len(nrow(su$cells)), made$row[at]))
      made
    })
  },
  less = function(su) edit_certificates(su, function(made) made[-sample(nrow(made), 1), ]),
  more = function(su) {
    edit_certificates(su, function(made) {
      row <- one_of(inner_rows(su$cells, su$original$dimnames))
      added <- data.frame(certificate = max(made$certificate), row = row, change = one_of(c(-1, 1)))
      rbind(made, added)
    })
  },
  drop = function(su) {
    edit_certificates(su, function(made) {
      renumbered(made[made$certificate != one_of(made$certificate), ])
    })
  },
  copy = function(su) {
    edit_certificates(su, function(made) {
      own <- made[made$certificate == one_of(made$certificate), ]
      own$certificate <- max(made$certificate) + 1
      rbind(made, own)
    })
  },
  merge = function(su) {
    edit_certificates(su, function(made) {
      made$certificate <- pmax(1, made$certificate - 1)
      made
    })
  },
  order = function(su) edit_certificates(su, function(made) made[sample(nrow(made)), ]),
  width = function(su) within_list(su, width = one_of(list(0, .5, 2, 3, NA_real_, 1e6, "1", NULL))),
  readers = function(su) {
    all <- c("outsider", "contributor", "method", "coalition")
    within_list(su, readers = sample(all, sample(0:3, 1)))
  },
  lacking = function(su) {
    su$lacking <- data.frame(
      row = sample(nrow(su$cells), 1) + 0, reader = one_of(su$readers), who = NA_real_,
      impossible = one_of(c(TRUE, FALSE)), exposed = one_of(c(TRUE, FALSE))
    )
    su
  },
  cost = function(su) within_list(su, cost = su$cost + one_of(c(-1, 1, .5, NA))),
  bound = function(su) within_list(su, bound = su$bound + one_of(c(-1, su$cost - su$bound + 1, NA))),
  small = function(su) within_list(su, maxN = su$maxN + one_of(c(-1, 1, 2, 100))),
  table = function(su) edit_table(su, FALSE),
  tables = function(su) edit_table(su, TRUE),
  zeros = function(su) within_list(su, protectZeros = TRUE),
  looked = function(su) within_list(su, value_free = !isTRUE(su$value_free))
)

# ---- the trial ----------------------------------------------------------------------------------

tampered_suppressions <- function() {
  flat <- matrix(c(5, 1, 8, 4, 7, 9, 2, 6, 3, 8, 7, 4), 3, dimnames = list(A = 1:3, B = 1:4))
  tall <- matrix(c(2, 6, 0, 8, 5, 9, 7, 1, 1, 4, 6, 8), 4, dimnames = list(A = 1:4, B = 1:3))
  tree <- data.frame(parent = c("all", "all", "p", "p", "q", "q"), child = c("p", "q", 1:4))
  frame <- data.frame(A = rep(1:4, 4), B = rep(rep(1:2, each = 4), 2), C = rep(1:2, each = 8),
                      n = c(5, 3, 3, 5, 5, 0, 0, 7, 1, 5, 1, 1, 2, 1, 2, 1))
  linked <- sdc_table(frame, c("A", "B", "C"), freqVar = "n", formula = ~ A:B + A:C)
  certify <- function(...) suppress(..., seed = 1, total_cost = 1, time_limit_s = 5)
  list(
    flat = certify(flat, maxN = 2),
    tree = certify(tall, maxN = 2, hierarchies = list(A = tree), readers = "coalition"),
    linked = certify(linked, maxN = 2), wide = certify(flat, maxN = 2, width = 3),
    method = certify(flat, maxN = 3, readers = c("outsider", "contributor", "method"))
  )
}

verdict_of <- function(su, ...) {
  tryCatch(verify_suppression(su, ...)$verified, sdc_error_input = function(cnd) FALSE)
}

is_released <- function(su) {
  out <- tryCatch(publish(su), sdc_error_refused = function(cnd) NULL)
  withheld <- su$cells$sdcStatus %in% c("u", "x", "n")
  if (!is.null(out)) expect_identical(out$cells$suppressed, withheld)
  !is.null(out)
}

try_edit <- function(truth, kind, both) {
  edited <- tamperings[[kind]](truth)
  changed <- !identical(edited, truth)
  # as it was edited: its seal is that of another object
  unsealed <- if (both) c(verdict_of(edited), is_released(edited)) else c(FALSE, FALSE)
  sealed <- tryCatch(resealed(edited), error = function(cnd) edited)
  sound <- is_sound(sealed, truth)
  list(
    kind = kind, changed = changed, sound = sound, unsealed = unsealed,
    sealed = c(verdict_of(sealed), is_released(sealed)),
    own = identical(sealed$original$counts, truth$original$counts) ||
      !verdict_of(sealed, truth$original)
  )
}

test_that("oracle: of edits drawn for each field those that matter are refused, and no others", {
  set.seed(2317)
  long <- is_long()
  made <- tampered_suppressions()
  for (su in made) expect_true(is_sound(su, su) && verdict_of(su) && is_released(su))
  kinds <- names(tamperings)
  # the numbers of kinds and of suppressions have no divisor in common
  tried <- lapply(seq_len(if (long) 1560 else 52), function(k) {
    try_edit(made[[1 + k %% length(made)]], kinds[1 + k %% length(kinds)], long || k %% 3 == 0)
  })
  for (one in Filter(function(one) one$changed, tried)) {
    expect_identical(one$unsealed, c(FALSE, FALSE), info = one$kind)
    expect_identical(one$sealed, c(one$sound, one$sound), info = one$kind)
    expect_true(one$own, info = one$kind)
  }
  sound <- vapply(tried, function(one) one$changed && one$sound, NA)
  expect_gt(sum(sound), length(tried) / 20)
  expect_gt(sum(!sound), length(tried) / 2)
  if (long) cat(length(tried), "edits,", sum(!sound), "matter\n")
})

test_that("property: what is not part of a suppression may be edited, and a seal may not", {
  su <- tampered_suppressions()$flat
  for (same in list(within_list(su, audit = NULL), within_list(su, note = 1))) {
    expect_identical(publish(same), publish(su))
  }
  other <- tampered_suppressions()$tree
  for (seal in list(NULL, other$seal, toupper(su$seal), NA_character_, 1, rep(su$seal, 2))) {
    expect_false(verdict_of(within_list(su, seal = seal)))
    expect_false(is_released(within_list(su, seal = seal)))
  }
})
