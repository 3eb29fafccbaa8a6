# Controls of magnitudes: publications and private objects with one edit each must be refused, or caught
# by the program in inst/checker; where nothing is given away the program says why.

certified_kinds <- c("firms", "tree", "trees", "cube", "linked", "negative", "weights", "sample", "respondents")

# Verdicts of edited publications. What is safe is explained: a line for each total that is kept.
audit_magnitudes <- function(drawn, pubs) {
  cases <- Map(function(one, pub) case_of_magnitudes("x", one, pub), drawn, pubs)
  found <- run_auditor(cases, explain = TRUE)
  for (k in which(vapply(found, `[[`, "", "verdict") == "safe")) {
    said <- found[[k]]$said
    expect_true(all(grepl("^safe (outsider|contributor) (-|[0-9]+) : [0-9]+ (-|-?[0-9]+) (-|-?[0-9]+)$", said)))
    hidden <- which(as.data.frame(pubs[[k]])$suppressed)
    named <- as.numeric(sub("^safe outsider - : ([0-9]+) .*", "\\1", grep("outsider", said, value = TRUE)))
    expect_identical(named, as.numeric(intersect(hidden, which(is_kept_total(drawn[[k]])))))
  }
  vapply(found, `[[`, "", "verdict")
}

is_kept_total <- function(one) one$su$cells$sdcStatus[one$su$cells$sdcStatus != "n"] == "u"

with_total <- function(one, row, total, hidden = FALSE) {
  pub <- one$pub
  pub$cells$total[row] <- total
  pub$cells$suppressed[row] <- hidden
  pub
}

test_that("property: one more total that is published is caught, or nobody learns from it", {
  set.seed(493)
  drawn <- lapply(rep(certified_kinds, rounds(5, 150)), draw_magnitudes)
  rows <- lapply(drawn, function(one) {
    hidden <- which(one$pub$cells$suppressed[one$su$cells$sdcStatus != "n"])
    hidden[sample.int(length(hidden), 1)]
  })
  pubs <- Map(function(one, row) {
    at <- which(one$su$cells$sdcStatus != "n")[row]
    with_total(one, at, one$su$cells$total[at])
  }, drawn, rows)
  verdicts <- audit_magnitudes(drawn, pubs)
  kept <- mapply(function(one, row) is_kept_total(one)[row], drawn, rows)
  expect_true(all(verdicts[kept] == "open"))
  expect_true(all(verdicts %in% c("open", "safe")))
  expect_gt(mean(verdicts[!kept] == "open"), .5)
})

test_that("property: a published total that is changed is caught", {
  set.seed(494)
  drawn <- lapply(rep(certified_kinds, rounds(3, 100)), draw_magnitudes)
  pubs <- lapply(drawn, function(one) {
    shown <- which(!one$pub$cells$suppressed & one$su$cells$sdcStatus != "n")
    at <- shown[sample.int(length(shown), 1)]
    with_total(one, at, one$su$cells$total[at] + sample(c(-1, 1), 1))
  })
  expect_true(all(audit_magnitudes(drawn, pubs) == "wrong"))
})

test_that("property: the pattern of another table is caught, or nobody learns from it", {
  set.seed(495)
  drawn <- lapply(rep("firms", rounds(16, 400)), function(kind) {
    repeat {
      one <- draw_magnitudes(kind)
      if (nrow(one$pub$cells) == 16) return(one)
    }
  })
  others <- drawn[c(2:length(drawn), 1)]
  pubs <- Map(function(one, other) {
    # zeros stay published
    hidden <- other$pub$cells$suppressed & one$su$cells$total > 0
    with_total(one, seq_along(hidden), ifelse(hidden, NA, one$su$cells$total), hidden)
  }, drawn, others)
  verdicts <- audit_magnitudes(drawn, pubs)
  expect_true(all(verdicts %in% c("open", "safe")))
  expect_gt(mean(verdicts == "open"), .6)
})

# Edits of what publish() takes.
edited_magnitudes <- function(su, other) {
  at <- function(n) sample.int(n, 1)
  edit <- function(change) change(su)
  with_status <- function(from) edit(function(x) {
    rows <- which(x$cells$sdcStatus == from)
    if (length(rows) > 0) x$cells$sdcStatus[rows[at(length(rows))]] <- "s"
    x
  })
  list(
    status = with_status("x"), primary = with_status("u"),
    certificate = edit(function(x) {
      row <- at(nrow(x$certificates))
      x$certificates$change[row] <- x$certificates$change[row] + sample(c(-1, 1), 1)
      x
    }),
    dropped = edit(function(x) {
      x$certificates <- x$certificates[x$certificates$certificate != x$certificates$certificate[1], ]
      x
    }),
    total = edit(function(x) {
      row <- at(nrow(x$cells))
      x$cells$total[row] <- x$cells$total[row] + 1
      x
    }),
    value = edit(function(x) {
      row <- at(length(x$original$value))
      x$original$value[row] <- x$original$value[row] + 1
      x
    }),
    pattern = edit(function(x) {
      x$cells$sdcStatus <- other$cells$sdcStatus
      x
    }),
    proofs = edit(function(x) {
      x[c("cells", "certificates")] <- other[c("cells", "certificates")]
      x
    }),
    table = edit(function(x) {
      x$original <- other$original
      x
    }),
    whole = edit(function(x) other),
    rules = edit(function(x) {
      x$rules <- rule_p_percent(1)
      x
    }),
    readers = edit(function(x) {
      x$readers <- character()
      x
    }),
    class = edit(function(x) {
      class(x) <- rev(class(x))
      x
    }),
    labels = edit(function(x) {
      levels(x$cells$region) <- rev(levels(x$cells$region))
      x
    }),
    attributes = edit(function(x) {
      attr(x$cells$total, "truth") <- x$cells$total
      attr(x, "truth") <- x$cells
      x
    })
  )
}

test_that("property: no edit of private magnitudes is published that gives a total away", {
  set.seed(496)
  refused <- character()
  passed <- list()
  draw_one <- function() {
    repeat {
      one <- draw_magnitudes("firms")
      if (nrow(one$su$cells) == 16 && length(one$su$readers) == 2 && any(one$su$cells$sdcStatus == "x")) return(one)
    }
  }
  for (k in seq_len(rounds(4, 100))) {
    two <- list(draw_one(), draw_one())
    edits <- edited_magnitudes(two[[1]]$su, two[[2]]$su)
    # the one who edits may seal the object again
    sealed <- lapply(edits, function(x) {
      tryCatch(replace(x, "seal", list(seal_of(suppression_kind(x), suppression_parts(x)))), error = function(cnd) x)
    })
    for (name in names(edits)) {
      for (su in list(edits[[name]], sealed[[name]])) {
        pub <- tryCatch(publish(su), sdc_error = function(cnd) NULL)
        if (is.null(pub)) refused <- c(refused, name) else {
          one <- if (name == "whole") two[[2]] else two[[1]]
          one$name <- name
          passed <- c(passed, list(replace(one, "pub", list(pub))))
        }
      }
    }
  }
  # each of the others is refused, but for edits that leave the object sound, which are audited
  expect_true(all(setdiff(names(edits), c("whole", "class", "attributes")) %in% refused))
  expect_true("whole" %in% vapply(passed, `[[`, "", "name"))
  verdicts <- audit_magnitudes(passed, lapply(passed, `[[`, "pub"))
  expect_identical(unique(verdicts), "safe", info = paste(vapply(passed, `[[`, "", "name"), verdicts, collapse = "\n"))
  # nothing private comes along
  for (one in passed) {
    expect_identical(names(attributes(one$pub)), c("names", "class"))
    expect_null(attributes(one$pub$cells$total))
    expect_true(all(is.na(one$pub$cells$total) == one$pub$cells$suppressed))
  }
})
