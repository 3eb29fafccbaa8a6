# Controls: publications and private objects with one edit each. What gives a promised cell away must
# be refused by publish(), or caught by the program in inst/checker; where nothing is given away the
# program says why.

promised <- function(kinds, n) lapply(rep(kinds, n), draw_publication)

# Every row that is promised has counts enough for everybody, in the words of the program.
expect_explained <- function(found, case) {
  primary <- which(startsWith(grep("^sum ", case, value = TRUE), "sum primary"))
  # a row of people that is all alike has a line of its own, where somebody might learn that
  expect_true(all(grepl("^safe (row )?(outsider|contributor|coalition) [-0-9,*]+ : [0-9]+ [0-9]+", found$said)))
  said <- strsplit(grep("^safe outsider", found$said, value = TRUE), "[ :]+")
  expect_identical(vapply(said, function(one) as.numeric(one[4]), 0), as.numeric(primary))
  width <- as.numeric(sub("width ", "", grep("^width", case, value = TRUE)))
  expect_true(all(vapply(said, function(one) diff(as.numeric(one[5:6])) >= width, NA)))
  expect_false(any(grepl("^(open|undecided|shown|wrong)", found$said)))
}

# Audits of edited publications: `drawn` and `pubs`. A verdict for each; what is safe is explained.
audit_edited <- function(drawn, pubs) {
  cases <- Map(function(one, pub) case_of_suppression("x", one$su, pub, "limit 5000"), drawn, pubs)
  found <- run_auditor(cases, explain = TRUE)
  verdicts <- vapply(found, `[[`, "", "verdict")
  for (k in which(verdicts == "safe")) expect_explained(found[[k]], cases[[k]])
  verdicts
}

test_that("property: one cell more that is published is caught, or nobody learns from it", {
  set.seed(461)
  drawn <- promised(c("plain", "tree", "trees", "groupings", "linked", "zeros", "repaired", "together"), rounds(6, 300))
  rows <- lapply(drawn, function(one) {
    hidden <- which(one$pub$cells$suppressed & one$su$cells$sdcStatus != "n")
    hidden[sample.int(length(hidden), 1)]
  })
  pubs <- Map(with_shown, drawn, rows)
  verdicts <- audit_edited(drawn, pubs)
  primary <- mapply(function(one, row) one$su$cells$sdcStatus[row] == "u", drawn, rows)
  # of rows of people a count that is not small, or a zero, may have others beside it that are enough
  beside <- mapply(function(one, row) {
    length(one$su$groups) > 0 && !one$su$cells$freq[row] %in% seq_len(one$su$maxN)
  }, drawn, rows)
  expect_true(all(verdicts[primary & !beside] == "open"))
  expect_true(all(verdicts %in% c("open", "safe", "undecided")))
  expect_gt(mean(verdicts[!primary] == "open"), .5)
  expect_true(any(verdicts == "safe"))
})

test_that("property: a published count that is changed is caught", {
  set.seed(462)
  drawn <- promised(c("plain", "trees", "linked", "groups"), rounds(6, 200))
  pubs <- lapply(drawn, function(one) {
    shown <- which(!one$pub$cells$suppressed & one$su$cells$sdcStatus != "n")
    at <- shown[sample.int(length(shown), 1)]
    one$pub$cells$freq[at] <- one$pub$cells$freq[at] + 1
    one$pub
  })
  expect_true(all(audit_edited(drawn, pubs) == "wrong"))
})

test_that("property: the pattern of another table is caught, or nobody learns from it", {
  set.seed(463)
  drawn <- Map(function(dim) {
    repeat {
      counts <- auditor_table(dim, 2.5)
      su <- quietly_suppress(counts, maxN = 2)
      pub <- tryCatch(publish(su), sdc_error_refused = function(cnd) NULL)
      if (!is.null(pub) && any(pub$cells$suppressed)) return(list(su = su, pub = pub))
    }
  }, rep(list(c(3, 4), c(3, 3)), rounds(5, 300)))
  other <- drawn[c(seq_along(drawn)[-(1:2)], 1:2)]
  pubs <- Map(function(one, other) {
    # zeros stay published
    hidden <- other$pub$cells$suppressed & one$su$cells$freq > 0
    one$pub$cells$suppressed <- hidden
    one$pub$cells$freq <- ifelse(hidden, NA, one$su$cells$freq)
    one$pub
  }, drawn, other)
  verdicts <- audit_edited(drawn, pubs)
  expect_gt(mean(verdicts == "open"), .6)
})

# ---- edits of what publish() takes --------------------------------------------------------------

edited_objects <- function(su, other) {
  at <- function(n) sample.int(n, 1)
  edit <- function(change) change(su)
  withheld <- which(su$cells$sdcStatus == "x")
  list(
    status = edit(function(x) {
      if (length(withheld) > 0) x$cells$sdcStatus[withheld[at(length(withheld))]] <- "s"
      x
    }),
    primary = edit(function(x) {
      primary <- which(x$cells$sdcStatus == "u")
      x$cells$sdcStatus[primary[at(length(primary))]] <- "s"
      x
    }),
    certificate = edit(function(x) {
      row <- at(nrow(x$certificates))
      x$certificates$change[row] <- x$certificates$change[row] + sample(c(-1, 1), 1)
      x
    }),
    dropped = edit(function(x) {
      x$certificates <- x$certificates[x$certificates$certificate != x$certificates$certificate[1], ]
      x
    }),
    count = edit(function(x) {
      row <- at(nrow(x$cells))
      x$cells$freq[row] <- x$cells$freq[row] + 1
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
    rule = edit(function(x) {
      x$maxN <- 0
      x
    }),
    width = edit(function(x) {
      x$width <- 0
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
      levels(x$cells$A) <- rev(levels(x$cells$A))
      x
    }),
    attributes = edit(function(x) {
      attr(x$cells$freq, "truth") <- x$cells$freq
      attr(x, "truth") <- x$cells
      names(x$cells$freq) <- x$cells$freq
      x
    })
  )
}

# What publish() makes of an edited object, or its refusal.
published_edit <- function(su) {
  tryCatch(publish(su), sdc_error = function(cnd) NULL)
}

# Besides, of groups of people.
edited_groups <- function(su) {
  list(
    # the row that the zero protects is told
    zero = {
      x <- su
      empty <- which(x$cells$freq == 0 & x$cells$sdcStatus %in% c("u", "x"))
      if (length(empty) > 0) x$cells$sdcStatus[empty[sample.int(length(empty), 1)]] <- "s"
      x
    },
    groups = replace(su, "groups", "A"), small_groups = replace(su, "small_groups", 3),
    coalition = replace(su, "coalition", su$coalition + 2), fewer = replace(su, "coalition", 2),
    nobody = replace(su, c("groups", "coalition"), list(NULL))
  )
}

test_that("property: no edit of a private suppression is published that gives a cell or a row away", {
  set.seed(464)
  refused <- character()
  passed <- list()
  for (k in seq_len(rounds(8, 200))) {
    two <- replicate(2, simplify = FALSE, {
      repeat {
        counts <- auditor_table(c(3, 4), if (k %% 2 == 0) 2 else 2.5)
        su <- if (k %% 2 == 0) {
          quietly_suppress(counts, maxN = 1, groups = "B", coalition = 3)
        } else {
          quietly_suppress(counts, maxN = 2, readers = c("outsider", "contributor"))
        }
        if (!is.null(published_edit(su)) && any(su$cells$sdcStatus == "u")) break
      }
      su
    })
    edits <- c(edited_objects(two[[1]], two[[2]]), if (k %% 2 == 0) edited_groups(two[[1]]))
    # the one who edits may seal the object again
    sealed <- lapply(edits, function(x) tryCatch(resealed(x), error = function(cnd) x))
    for (name in names(edits)) {
      for (one in list(edits[[name]], sealed[[name]])) {
        pub <- published_edit(one)
        if (is.null(pub)) refused <- c(refused, name) else {
          truth <- if (name == "whole") two[[2]] else two[[1]]
          passed <- c(passed, list(list(name = name, su = truth, pub = pub)))
        }
      }
    }
  }
  # with fewer people, or none, who act together less is promised
  harmless <- c("whole", "class", "attributes", "fewer", "nobody")
  # each of the others is refused, but for edits that leave the object sound, which are audited
  expect_true(all(setdiff(names(edits), harmless) %in% refused))
  expect_true("whole" %in% vapply(passed, `[[`, "", "name"))
  verdicts <- audit_edited(passed, lapply(passed, `[[`, "pub"))
  expect_identical(unique(verdicts), "safe", info = paste(vapply(passed, `[[`, "", "name"), verdicts, collapse = "\n"))
  # nothing private comes along
  for (one in passed) {
    expect_identical(names(attributes(one$pub)), c("names", "class"))
    expect_null(attributes(one$pub$cells$freq))
    expect_true(all(is.na(one$pub$cells$freq) == one$pub$cells$suppressed))
  }
})
