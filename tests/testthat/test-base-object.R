# The base class of all objects: its methods, and that nothing of ours goes without it.

marks <- c("sdc_confidential", "sdc_private", "sdc_object")

test_that("property: each object ends its classes with the base class, before those of R itself", {
  for (x in objects_of_all_kinds()) {
    own <- setdiff(class(x), "data.frame")
    expect_identical(own[length(own)], "sdc_object")
    flags <- match(intersect(own, marks), own)
    expect_identical(flags, seq(length(own) - length(flags) + 1, length(own)))
    if ("sdc_confidential" %in% own) expect_true("sdc_private" %in% own)
  }
})

# Calls structure(..., class = "sdc_...") and class(x) <- "sdc_..." anywhere in a function.
bare_classes <- function(e) {
  if (!is.call(e) || !"structure" %in% all.names(e)) {
    return(character())
  }
  named <- if (identical(e[[1]], quote(structure))) e$class
  inner <- unlist(lapply(as.list(e)[-1], function(part) if (!missing(part)) bare_classes(part)))
  texts <- if (is.character(named)) named else if (is.call(named) && identical(named[[1]],
                                                   quote(c))) {
    unlist(Filter(is.character, as.list(named)))
  }
  c(grep("^sdc_", texts, value = TRUE), inner)
}

test_that("property: no function of the package makes an object without the base class", {
  expect_identical(bare_classes(quote({ x <- structure(1, class = "sdc_a"); x })), "sdc_a")
  home <- asNamespace("sdcLattice")
  functions <- Filter(is.function, mget(ls(home, all.names = TRUE), home))
  found <- unlist(lapply(functions, function(f) {
    if ("structure" %in% all.names(body(f))) bare_classes(body(f))
  }))
  # conditions and numbers in messages are no objects of users
  expect_identical(setdiff(found, c("sdc_shown_number", "sdc_damaged", "sdc_problem")), character())
})

test_that("property: prints and structures of private objects say so, those of public ones do not",
          {
  said <- function(f, x) any(grepl("PRIVATE|CONFIDENTIAL", capture.output(f(x))))
  all <- objects_of_all_kinds()
  private <- vapply(all, inherits, NA, "sdc_private")
  expect_true(all(c("perturbation", "rounding", "map", "moved", "magnitude", "suppression",
                    "release",
                    "sensitive", "critical", "width", "disclosed", "protection") %in%
                    names(all)[private]))
  public <- c("publication", "rounded", "map_publication", "suppressed", "release_publication",
              "posterior", "bounds", "mechanism", "cycles")
  expect_false(any(private[public]))
  for (x in all[private]) {
    expect_true(said(print, x))
    expect_true(said(str, x))
    expect_identical(capture.output(str(x)), capture.output(print(x)))
  }
  for (x in all[public]) expect_false(said(print, x))
})

test_that("property: a private class whose words forget it is marked by its header", {
  forgetful <- function(...) structure(list(cells = 1), class = sdc_class("sdc_forgetful", ...))
  expect_output(print(forgetful(mark = "private")), "<sdc_forgetful> PRIVATE", fixed = TRUE)
  expect_output(print(forgetful(mark = "confidential")), "<sdc_forgetful> CONFIDENTIAL",
                fixed = TRUE)
  expect_output(print(forgetful()), "<sdc_forgetful> holds cells", fixed = TRUE)
  expect_output(str(list(1, forgetful(mark = "private"))), "PRIVATE")
})

test_that("property: plot() draws what autoplot() makes, or says what has a picture; never columns",
          {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  all <- objects_of_all_kinds()
  has <- vapply(all, function(x) !is.null(picture_of(x)), NA)
  for (x in all[has]) expect_s3_class(plot(x), "ggplot")
  for (x in all[!has]) {
    cnd <- expect_error(plot(x), class = "sdc_error_input")
    expect_match(conditionMessage(cnd), class(x)[1], fixed = TRUE)
    expect_identical(rlang::call_name(cnd$call), "plot")
    expect_error(ggplot2::autoplot(x), "`autoplot()` needs an object", fixed = TRUE,
                 class = "sdc_error_input")
  }
  none <- c("suppression_audit", "mechanism", "margins", "verification", "estimate", "protection",
            "disclosed")
  expect_false(any(has[none]))
  # pictures of original counts and contributors say that they are confidential
  for (name in c("sensitive", "magnitude", "map")) {
    expect_match(ggplot2::autoplot(all[[name]])$labels$title, "confidential", ignore.case = TRUE)
  }
})

test_that("snapshot: plot() without a picture", {
  expect_snapshot(error = TRUE, {
    plot(verify_release(c("A:B", "C", "D", "E", "F"), czech_workers, risk = risk_width(3)))
    plot(disclosed(bounds_margins(margins(roehrig, list("row", "column")))))
    plot(mechanism(cycles_bidiagonal(roehrig)))
    plot(margins(roehrig, list("row")))
    plot(rule_p_percent(10))
  })
})

test_that("property: the data frame of an object is its cells, without its class and notes", {
  all <- objects_of_all_kinds()
  for (x in all[c("suppression", "suppression_audit")]) {
    expect_identical(as.data.frame(x), x$cells)
    expect_error(as.data.frame(x, others = TRUE), class = "sdc_error_input")
  }
  for (x in Filter(is.data.frame, all)) {
    frame <- as.data.frame(x)
    expect_identical(class(frame), "data.frame")
    expect_identical(sort(names(attributes(frame))), c("class", "names", "row.names"))
    expect_identical(lapply(frame, identity), lapply(unclass(x), identity)[names(x)])
  }
  expect_error(as.data.frame(all$mechanism), class = "sdc_error_input")
})

test_that("property: what has no summary of its own is its summary", {
  all <- objects_of_all_kinds()
  for (x in all[c("verification", "rules", "estimate", "width")]) {
    expect_identical(summary(x), x)
    expect_error(summary(x, 1), class = "sdc_error_input")
  }
})

test_that("published: nothing private is written, and the message names publish()", {
  folder <- withr::local_tempdir()
  all <- objects_of_all_kinds()
  for (x in Filter(function(x) inherits(x, "sdc_private"), all)) {
    cnd <- expect_error(write_publication(x, file.path(folder, "out")), class = "sdc_error_input")
    expect_match(conditionMessage(cnd), "publish()", fixed = TRUE)
    expect_match(conditionMessage(cnd), "which is private", fixed = TRUE)
    expect_false(file.exists(file.path(folder, "out")))
  }
})
