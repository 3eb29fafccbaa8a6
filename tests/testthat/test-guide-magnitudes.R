# Plans for magnitudes and maps: three of each, with figures from audits and from intruders.

pay_of <- function(seed, n = 40) {
  set.seed(seed)
  data.frame(town = sample(letters[1:4], n, TRUE), branch = sample(c("x", "y", "z"), n, TRUE),
             pay = round(exp(stats::rnorm(n, 4, 1.3))))
}

county <- c(a = "N", b = "N", c = "S", d = "S")
rules <- c(rule_p_percent(10), rule_threshold(3))

test_that("oracle: figures of magnitudes are those of audits, and of what a user takes for cells", {
  mg <- magnitude_table(pay_of(4), c("town", "branch"), "pay", hierarchies = list(town = county))
  proposal <- protect(mg, rules = rules)
  figures <- proposal$figures
  expect_identical(figures$plan, c("suppression", "redistribution", "coarser"))
  expect_identical(figures$known, c(0, 0, 0))
  expect_identical(proposal$proposed, "suppression")
  expect_match(proposal$reason, "By its audit nobody")
  # 6 towns and counties and 3 branches, each with a total, of which the coarser table has 3 and 4
  expect_identical(proposal$plans$coarser$settings$over, "town")
  coarse <- suppress(coarser_table(mg, "town"), rules)
  shown <- sum(!as.data.frame(coarse)$sdcStatus %in% c("u", "x"))
  expect_equal(figures$hidden[3], 1 - shown / 28)
  # each part of a merged cell is taken for as large as the others
  cells <- as.data.frame(coarse)
  ends <- as.data.frame(audit(coarse))
  value <- cells$total
  open <- match(paste(cells$town, cells$branch), paste(ends$town, ends$branch))
  value[!is.na(open)] <- ((ends$lower + ends$upper) / 2)[open[!is.na(open)]]
  firms <- as.data.frame(mg)
  true <- tapply(firms$value, paste(firms$town, firms$branch), sum)
  merged <- paste(county[substr(names(true), 1, 1)], substring(names(true), 3))
  taken <- value[match(merged, paste(cells$town, cells$branch))]
  taken <- taken / as.vector(table(merged)[merged])
  expect_equal(figures$loss[3], sqrt(1 - sum(sqrt(true / sum(true) * taken / sum(taken)))))
})

test_that("property: the variable that is merged leaves most cells that are not sensitive", {
  for (seed in 1:3) {
    mg <- magnitude_table(pay_of(seed), c("town", "branch"), "pay")
    safe <- vapply(c("branch", "town"), function(v) {
      marks <- sensitive(magnitude_table(pay_of(seed), v, "pay"), rules, totals = TRUE)$rules
      sum(as.character(marks) == "")
    }, 0L)
    # without the branch the towns are left
    expect_identical(plans_for(mg, rules = rules)$coarser$settings$over,
                     if (safe[["town"]] > safe[["branch"]]) "branch" else "town")
  }
})

test_that("property: a coarser table is published with reports, and repeats itself", {
  mg <- magnitude_table(pay_of(2), c("town", "branch"), "pay", hierarchies = list(town = county))
  done <- protect(mg, plan = "coarser")
  room <- environment()
  for (line in done$code) eval(parse(text = line), room)
  expect_identical(done$published, room$published)
  expect_identical(protect(mg, plan = done$plan)$published, done$published)
  for (audience in c("private", "public")) {
    page <- write_report(done, withr::local_tempdir(), audience = audience, overwrite = TRUE)
    expect_identical(any(grepl("What single contributors learn", readLines(page))),
                     audience == "private")
  }
})

test_that("oracle: suppressed maps are suppressed tables of their hexagons", {
  x <- hex_table(data.frame(q = 0:5, r = c(0, 0, 0, 1, 1, 1), n = c(7, 1, 2, 4, 6, 9)),
                 c("q", "r"), freqVar = "n")
  counts <- array(x$count, length(x$count), list(hexagon = paste(x$q, x$r)))
  expect_identical(as_sdc_table(x), as_sdc_table(counts))
  done <- protect(x, plan = "suppression")
  expect_identical(done$published, publish(suppress(counts, maxN = 2)))
  proposal <- protect(x)
  expect_identical(proposal$figures$plan, c("redistribution", "emptying", "suppression"))
  found <- summary(compare_methods(x, method_suppression(2, label = "suppression")))
  expect_equal(proposal$figures$guess[3], found$suppression[found$measure == "guess_small"])
  # emptied maps are not listed, so that nothing is known of their reader
  expect_identical(is.na(proposal$figures$guess), c(FALSE, TRUE, FALSE))
  expect_match(proposal$reason, "Of the others it is not known")
})

test_that("snapshot: what is proposed for magnitudes, and which plans there are not", {
  firms <- pay_of(4)
  # changes are drawn with secret coins
  hide <- function(lines) gsub("is [1-9][0-9.]* off", "is <x> off", lines)
  expect_snapshot(protect(magnitude_table(firms, c("town", "branch"), "pay")), transform = hide)
  one <- magnitude_table(firms, "branch", "pay")
  expect_snapshot(protect(one, rules = rule_threshold(17)), transform = hide)
  several <- protect(firms, formula = ~ town + branch, dimVar = c("town", "branch"),
                     numVar = "pay")
  expect_snapshot(several)
  expect_snapshot(error = TRUE, protect(one, plan = "coarser"))
})
