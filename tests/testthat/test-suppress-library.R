# What passes between suppress() and the libraries that choose secondary cells.

every_name <- function() {
  spaces <- lapply(c("GaussSuppression", "SSBtools"), asNamespace)
  functions <- unlist(lapply(spaces, function(space) {
    Filter(is.function, mget(ls(space), space))
  }))
  setdiff(unique(unlist(lapply(functions, function(f) names(formals(f))))), "...")
}

hidden_of <- function(..., table = leaky_block) {
  su <- gauss(table, 3, audit = FALSE, ...)
  su$cells$sdcStatus
}

test_that("property: no argument of any function of the libraries is swallowed", {
  skip_if_not_installed("GaussSuppression")
  names <- every_name()
  expect_gt(length(names), 500)
  passing <- c("maxN", "protectZeros", "dimList", "method", "pattern", "hierarchies", "x",
               "lpPackage", "secondaryZeros", "singletonMethod")
  taken <- function(name, method) {
    further <- rlang::set_names(list(1), name)
    tryCatch(
      {
        check_names_in_full(name, names(formals(suppress.default)))
        check_library_arguments(further, method, FALSE)
        TRUE
      },
      sdc_error_input = function(cnd) FALSE
    )
  }
  # refusals alone count here: to write a thousand sentences takes half a minute
  in_few_words <- function(code) {
    local_own("abort_sdc", function(kind, ...) {
      stop(structure(class = c(paste0("sdc_error_", kind), "error", "condition"),
                     list(message = "", call = NULL)))
    })
    code
  }
  let <- in_few_words(list(
    GaussSuppression = Filter(function(name) taken(name, "GaussSuppression"),
                              setdiff(names, passing)),
    sdcTable = setdiff(Filter(function(name) taken(name, "sdcTable"), names), passing)
  ))
  expect_identical(let, list(GaussSuppression = character(), sdcTable = "threshold"))
  # a handful through the user's own call, among them those that 0.1.0 ignored
  for (name in c("threshold", "type", "k", "n", "limit", "weights", "seed", "m", "max", "primary",
                 "forced", "hidden", "extend0", "spec", "output", "candidates", "pPercent",
                 "rangeMin", "allInt", "protectionLimit", "action_unused_dots")) {
    call <- c(list(roehrig), rlang::set_names(list(1), name))
    expect_error(do.call(gauss, call), class = "sdc_error_input", info = name)
  }
  expect_error(suppress(roehrig, 3, NULL, "GaussSuppression", NULL, NULL, "Total", FALSE, TRUE, 5),
               class = "sdc_error_input")
  expect_error(gauss(roehrig, lpPackage = "lpSolve", lpPackage = "highs"),
               class = "sdc_error_input")
})

test_that("property: what passes is read by the library", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("lpSolve")
  tables <- list(leaky_block, leaky)
  usual <- lapply(tables, function(table) hidden_of(table = table))
  # the library's own strict mode is on: an argument that no function reads would be an error
  limits <- list(
    list(rangeMin = 3), list(rangePercent = 200), list(protectionIntervals = TRUE),
    list(protectionLimit = 3), list(protectionPercent = 200),
    list(loProtectionLimit = 2), list(loProtectionPercent = 100)
  )
  for (limit in limits) {
    # in the small table these two change nothing
    at <- if (names(limit) %in% c("rangeMin", "protectionIntervals")) 1 else 2
    changed <- do.call(hidden_of, c(list(lpPackage = "lpSolve", table = tables[[at]]), limit))
    expect_true(any(changed != usual[[at]]), info = names(limit))
  }
  expect_true(any(hidden_of(secondaryZeros = TRUE, table = leaky) != usual[[2]]))
  expect_length(hidden_of(lpPackage = "lpSolve", rangeMin = 1, allInt = TRUE, table = leaky),
                length(usual[[2]]))
  expect_error(hidden_of(singletonMethod = "magic"), "wrong singletonMethod",
               class = "sdc_error_infeasible")
})

test_that("property: the options of the session stay as they are", {
  skip_if_not_installed("GaussSuppression")
  before <- options()
  gauss(roehrig, audit = FALSE)
  expect_identical(options()[names(before)], before)
})

test_that("property: warnings of a library are warnings, and kept; their numbers are not shown", {
  skip_if_not_installed("GaussSuppression")
  talk <- function(words) {
    force(words)
    function(data, trees, rule, further) {
      warning(words)
      cells <- expand.grid(v1 = c(paste0("L", 1:4), "T1"), v2 = c(paste0("L", 1:4), "T1"))
      cells$primary <- cells$suppressed <- FALSE
      cells
    }
  }
  local_own("run_gauss_suppression", talk("Some cells are risky."))
  expect_warning(su <- gauss(roehrig, audit = FALSE), "Some cells are risky",
                 class = "sdc_warning_library")
  expect_identical(su$notes, "Some cells are risky.")
  local_own("run_gauss_suppression", talk("Still 17 risky."))
  told <- tryCatch(gauss(roehrig, audit = FALSE), warning = identity)
  expect_s3_class(told, "sdc_warning_library")
  expect_false(grepl("17", conditionMessage(told)))
  su <- suppressWarnings(gauss(roehrig, audit = FALSE))
  expect_identical(su$notes, "Still 17 risky.")
})

test_that("property: errors of a library are shown when they hold no number", {
  skip_if_not_installed("GaussSuppression")
  fail <- function(words) function(...) stop(words)
  local_own("run_gauss_suppression", fail("No {solution} exists."))
  expect_error(gauss(roehrig), "No {solution} exists.", fixed = TRUE,
               class = "sdc_error_infeasible")
  for (words in c("Cell has 12345.", "Cell has \u0663.", "Half: \u00bd")) {
    local_own("run_gauss_suppression", fail(words))
    told <- tryCatch(gauss(roehrig), error = identity)
    expect_s3_class(told, "sdc_error_infeasible")
    expect_false(grepl("Cell|Half", conditionMessage(told)))
    expect_null(told$parent)
  }
})

test_that("property: the private object keeps the further arguments", {
  skip_if_not_installed("GaussSuppression")
  su <- gauss(roehrig, audit = FALSE, singletonMethod = "none")
  expect_identical(su$further, list(singletonMethod = "none"))
  expect_identical(suppress(roehrig, 1, pattern = slides_mask())$further, list())
})
