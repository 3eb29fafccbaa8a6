# Calls of version 0.1.0 still work, or say what to write instead.

test_that("property: what is deprecated works, and says so once in a session", {
  skip_if_not_installed("ggplot2")
  rm(list = ls(deprecations_said), envir = deprecations_said)
  set <- cycles_banded(roehrig)
  expect_warning(drawn <- ggplot2::autoplot(set, 2), "Name it: `n = `",
                 class = "sdc_warning_deprecated")
  expect_no_warning(again <- ggplot2::autoplot(set, 2))
  wanted <- ggplot2::autoplot(set, n = 2)
  expect_identical(drawn$data, wanted$data)
  expect_identical(again$data, wanted$data)
})

test_that("property: arguments of all functions of 0.1.0 are still there, with the same names", {
  # exported functions of 0.1.0 and their arguments, as its NAMESPACE and R/ had them
  old <- utils::read.csv(test_path("fixtures", "arguments-0.1.0.csv"))
  space <- asNamespace("sdcLattice")
  gone <- Map(function(name, arguments) {
    if (!name %in% getNamespaceExports(space)) return("*")
    # a generic may leave arguments to its methods
    methods <- ls(space, pattern = paste0("^", name, "[.]"))
    here <- unlist(lapply(c(name, methods), function(f) names(formals(get(f, space)))))
    setdiff(strsplit(arguments, " ")[[1]], here)
  }, rlang::set_names(old$name), old$arguments)
  expect_identical(names(Filter(length, gone)), character())
})

test_that("property: data.frame() takes a suppression", {
  su <- suppress(roehrig, maxN = 2)
  expect_identical(data.frame(su), as.data.frame(su))
})
