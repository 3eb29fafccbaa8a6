# The words of conditions without colours, against cli's.

test_that("oracle: messages have the words that cli finds by its theme", {
  one <- "height"
  many <- c("a", "b c", "d`e")
  lots <- letters
  odd <- c("a \"b\"", "c\nd", "\u00e4\u00df", "with {braces}")
  n <- 1234567
  counts <- c(1, 2500, .25)
  whole <- c(3L, 5000L)
  yes <- c(TRUE, NA)
  none <- character()
  gone <- NA_character_
  kinds <- factor(c("u", "v"))
  styles <- c("arg", "code", "envvar", "var", "fn", "val", "field", "pkg", "file", "path", "cls")
  values <- c("one", "many", "lots", "odd", "n", "counts", "whole", "yes", "none", "gone", "kinds",
              "many[1:2]", "paste0(one, '-', n)", "list(1)", "NULL")
  lines <- c(
    "Plain.", "Two {one} and {many}.", "Text with {{braces}}.", "{n} row{?s} of {one}.",
    "{.arg a b} and {.fn f} and {.cls x}", "Either {.or {.val {many}}} or {.or {many}}.",
    "{.code f({one})}, {.val {one} x}", "{.code {n}:{n}}", "{.code ?{one}}", "{.arg ...}",
    "{.cls a{many}}",
    "{.field {.val {one}}}", "{.code x{many}}", "a\nb  c ", " {.val  {one}}", "", "\u00e4 {one}",
    sprintf("See {%s}.", values),
    sprintf("{.%s {%s}}", rep(styles, each = length(values)), values)
  )
  lines <- sdcLattice:::mark_numbers(lines)
  known <- sdcLattice:::speaking(environment())
  quick <- lapply(lines, sdcLattice:::quick_words, known)
  found <- !vapply(quick, is.null, NA)
  for (k in which(found)) {
    slow <- as.vector(cli::format_inline(lines[k], .envir = known))
    expect_identical(quick[[k]], slow, info = lines[k])
  }
  # what messages use most is among it
  expect_gt(sum(found), 110)
  expect_true(all(found[1:2]))
  some <- c(x = "{one}", "{n} row{?s}")
  expect_identical(sdcLattice:::in_words(some, known), c(x = "height", "1234567 rows"))
})

test_that("oracle: types have cli's names", {
  values <- list(
    1, 1L, 1:3, "a", "", c("a", ""), TRUE, FALSE, NA, NA_character_, NA_real_, c(TRUE, NA), NULL,
    list(), list(1), list(NA), list(1, 2), character(), raw(1), 1i, matrix(1:4, 2), matrix("a"),
    array(1, c(1, 1, 1)), mtcars, factor("a"), quote(a), quote(f(x)), mean, sum, globalenv(),
    Sys.Date(), sdc_table(matrix(1:4, 2))
  )
  for (again in 1:2) {
    for (x in values) {
      expect_identical(
        sdcLattice:::in_words("It is {.obj_type_friendly {x}}.", environment()),
        as.vector(cli::format_inline("It is {.obj_type_friendly {x}}."))
      )
    }
  }
})

test_that("oracle: errors have the lines that rlang and cli lay out", {
  long <- strrep("Many words stand here, one after the other. ", 5)
  messages <- list(
    "Short.", long, c("Short.", x = "Found.", i = "Do {.fn this}."),
    c(long, x = long, i = long, long), c("Short.", `!` = "{.val {3}} \u00e4", `*` = "A star."),
    c("Goes\n         on.", x = paste0(long, "\n and on"), i = "Three\n   \n  lines."),
    c("Goes\n         on.", x = paste0("And\n    on: ", long)),
    c(x = "First."), c("One.", i = "Two \n lines.")
  )
  for (unicode in c(TRUE, FALSE)) {
    withr::local_options(cli.unicode = unicode)
    for (width in c(30, 80, Inf)) {
      withr::local_options(cli.width = width)
      for (message in messages) {
        cnd <- tryCatch(sdcLattice:::abort_sdc("input", message), error = identity)
        expect_identical(conditionMessage(cnd), as.vector(rlang::cnd_message(cnd)))
      }
      expect_identical(is.null(sdcLattice:::quick_lines(cnd)), TRUE)
    }
  }
  # and so is what is no text, or none that can be read
  for (lines in list(NULL, "not \xff valid\n  text", list("a", "b"))) {
    odd <- rlang::error_cnd("sdc_error", message = "A.", use_cli_format = TRUE)
    odd["message"] <- list(lines)
    expect_null(sdcLattice:::quick_lines(odd))
  }
  # colours are left to cli
  withr::local_options(cli.num_colors = 256L)
  cnd <- tryCatch(sdcLattice:::abort_sdc("input", "{.val {1}} is not {.arg it}."), error = identity)
  expect_match(conditionMessage(cnd), "\033[34m1\033[39m is not", fixed = TRUE)
  expect_identical(conditionMessage(cnd), as.vector(rlang::cnd_message(cnd)))
})
