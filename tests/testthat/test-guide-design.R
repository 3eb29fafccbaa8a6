# Which design the plan "perturbation" takes where perturb() refuses the usual one.

passes <- function(x, me) {
  tryCatch(inherits(perturb(x, me, seed = 1), "sdc_perturbation"),
           sdc_error_refused = function(cnd) FALSE)
}

test_that("oracle: protect() takes the first design that perturb() takes, and refuses where none passes", {
  local_mocked_bindings_store(named_other_design = function(...) NULL) # which takes long
  set.seed(51)
  seen <- character()
  for (case in 1:24) {
    x <- random_table(sample(3:6, 1), sample(3:5, 1), sample(c(.9, 1.6, 3), 1))
    if (!any(x %in% 1:2)) next
    usual <- mechanism(cycles_banded(x, seed = 1), covers = 2)
    others <- lapply(other_designs(x, usual, list(quote(x), quote(usual))), function(call) {
      tryCatch(eval(call), sdc_error = function(cnd) NULL)
    })
    designs <- c(list(usual), Filter(Negate(is.null), others))
    fits <- vapply(designs, function(me) passes(x, me), NA)
    done <- tryCatch(protect(x, plan = "perturbation"), sdc_error_refused = function(cnd) NULL)
    expect_identical(is.null(done), !any(fits))
    if (is.null(done)) {
      seen <- c(seen, "none")
      next
    }
    expect_identical(done$protected$mechanism, designs[[which(fits)[1]]])
    expect_identical(any(grepl("refuses the usual design", format(done))), !fits[1])
    cycles <- eval(str2lang(sub(".*cycles <- ", "", grep("^cycles <- ", done$code, value = TRUE))))
    line <- str2lang(grep("^protected <- ", done$code, value = TRUE))
    expect_identical(eval(line[[3]][[3]]), done$protected$mechanism)
    seen <- c(seen, if (fits[1]) "usual" else "other")
  }
  expect_true(all(c("none", "usual", "other") %in% seen))
})

test_that("property: tables of the same people take other designs one by one, and agree in what they share", {
  set.seed(52)
  seen <- 0
  for (case in 1:8) {
    people <- data.frame(region = sample(c("N", "S", "W", "E"), 90, TRUE),
                         age = sample(c("a", "b", "c"), 90, TRUE),
                         work = sample(c("x", "y", "z"), 90, TRUE, c(5, 4, .6)))
    done <- tryCatch(
      protect(people, dimVar = list(c("region", "age"), c("region", "work")), plan = "perturbation"),
      sdc_error_refused = function(cnd) NULL
    )
    if (is.null(done)) next
    for (i in 1:2) {
      expect_true(passes(done$protected[[i]]$original, done$protected[[i]]$mechanism))
    }
    shared <- lapply(done$published, function(one) apply(as.table(one), 1, sum))
    expect_identical(shared[[1]], shared[[2]])
    room <- list2env(list(people = people))
    for (line in done$code) eval(str2lang(line), room)
    expect_identical(lapply(room$published, `[[`, "mechanism"),
                     lapply(done$published, `[[`, "mechanism"))
    seen <- seen + any(grepl("refuses the usual design", format(done)))
  }
  expect_gt(seen, 2)
})

test_that("property: a proposal compares the design that would be taken, or says that none passes", {
  none <- protect(roehrig, replicates = 1)$figures
  expect_match(none$note[none$plan == "perturbation"], "may be known for certain")
  expect_error(protect(roehrig, plan = "perturbation"), class = "sdc_error_refused")
  set.seed(53)
  done <- NULL
  while (is.null(done)) {
    x <- random_table(5, 5, 3)
    done <- tryCatch(protect(x, plan = "perturbation"), sdc_error_refused = function(cnd) NULL)
  }
  proposal <- protect(x, replicates = 2, seed = 5)
  found <- summary(compare_methods(x, list(method_cyclic(done$protected$mechanism, label = "m")),
                                   replicates = 2, seed = 5))
  figures <- proposal$figures[proposal$figures$plan == "perturbation", ]
  expect_equal(figures$guess, found$m[found$measure == "guess_small"])
})
