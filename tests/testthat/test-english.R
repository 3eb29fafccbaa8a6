# Turns of phrase that leave the reader to guess what was found, who acts or what goes on. Comments
# of the code may be terse; what users read may not: errors and prints of R and the core, and help.
stumbling <- paste(
  c(
    "\\bIt is not[.]", "\\bIt has not\\b", "\\b[Tt]hey have not\\b", "\\bIt is none\\b", "\\bIt does not[.]",
    "\\bIt is missing[.]", "\\bIt is not (there|given)\\b", "stands? there\\b", "\\bgoe?s? on from (here|there)\\b",
    "\\bthe dearest\\b", "\\bis there for the asking\\b", "\\bsays it[.]", "\\bWho (asks|has|takes|publishes) ",
    "\\b(Some|One|One of them|Element [0-9}]+|None) (is|are) not[.]", "\\bThose of \\{[^}]*\\}? (is|are) not[.]",
    "\\bThat of \\{", "\\bThose (of|with) \\{", "\\bis none[.]", "\\bThere is none[.]", "\\bNone is[.]",
    "\\b(Neither is|Both are) there\\b", "\\bshall (do|be) (both|more)", "\\bhas not[.]", "\\bhave not[.]",
    "\\bis no level\\b", "\\bwithout number\\b", "\\bgone through for\\b", "\\bgoes on all the same\\b",
    "\\bmust speak of\\b", "\\bis other:"
  ),
  collapse = "|"
)

# What users read in R files: strings, and roxygen.
read_by_users <- function(lines) {
  code <- !grepl("^\\s*#", lines)
  c(lines[grepl("^\\s*#'", lines)], lines[code & grepl("[\"']", lines)])
}

test_that("property: messages and help have none of the turns that readers stumble over", {
  lines <- read_by_users(source_lines("R", "[.]R$"))
  expect_gt(length(lines), 5000)
  expect_identical(lines[grepl(stumbling, lines)], rlang::set_names(character(), character()))
})

test_that("property: the core's errors have none of them either", {
  lines <- c(source_lines("src/core", "[.][ch]pp$"), source_lines("src", "[.]cpp$"))
  strings <- lines[grepl("\"[^\"]{10,}\"", lines) & !grepl("^\\s*//", lines)]
  expect_gt(length(strings), 100)
  expect_identical(strings[grepl(stumbling, strings)], rlang::set_names(character(), character()))
})

test_that("property: the pattern finds the sentences that it was made for", {
  bad <- c(
    "It is not.", "\"A\" stands there more than once.", "It has not.", "Ring 2 is none.",
    "Both are there.",
    "Those with {x} sum to", "All chordal graphs are gone through for at most 7 variables.",
    "The tables are without number.", "Element 1 is not.", "One of them is not.", "There is none."
  )
  expect_true(all(grepl(stumbling, bad)))
  good <- c("It is not certified that the width is 3.", "The store has no such user.",
            "`x` is NULL.")
  expect_false(any(grepl(stumbling, good)))
})

test_that("property: what was found is said with the argument's name", {
  expect_identical(describe(3.5, "beta"), "`beta` is 3.5.")
  expect_identical(describe(1e5, "n"), "`n` is 100,000.")
  expect_identical(describe("a", "x"), "`x` is \"a\".")
  expect_identical(describe(NULL, "x"), "`x` is NULL.")
  expect_identical(describe(NA, "x"), "`x` is NA.")
  expect_identical(describe(1:3, "x"), "`x` has length 3.")
  expect_identical(describe(list(1), "x"), "`x` is a list.")
  expect_identical(describe(TRUE, "x"), "`x` is TRUE.")
  small <- c(1, 2.5, NA)
  expect_identical(describe_first(small, small == floor(small)), "`small[2]` is 2.5.")
  expect_identical(describe_first(small, small > 0), "`small[3]` is NA.")
  expect_identical(names_fault(list(a = 1, 2), "sets"), "Element 2 of `sets` has no name.")
  expect_identical(names_fault(list(a = 1, a = 2), "sets"),
                   "The name \"a\" is used more than once in `sets`.")
  expect_null(names_fault(list(a = 1, b = 2)))
})
