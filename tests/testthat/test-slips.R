# What people type by mistake, and what they are told: none of it is silent, and none of it ends in
# an error without a class.

slip_data <- function() {
  people <- data.frame(
    region = rep(c("north", "north", "south", "east"), 5), county = rep(c("A", "A", "B", "B"), 5),
    sex = rep(c("f", "m"), 10), age = rep(c("young", "old", "middle", "old", "old"), 4),
    weight = rep(1:4, 5), fraction = rep(c(1.5, 2, 3.25, 1), 5)
  )
  counted <- table(region = people$region, sex = people$sex)
  cells <- as.data.frame(counted, responseName = "n", stringsAsFactors = FALSE)
  tree <- data.frame(parent = c("All", "All", "A", "B", "B"),
                     child = c("A", "B", "north", "south", "east"))
  firms <- data.frame(
    region = rep(c("north", "south", "east"), c(3, 4, 5)), sector = rep(c("i", "j"), 6),
    firm = c(1, 1, 2:8, 9, 9, 10), turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20, 30),
    weight = rep(1:3, 4)
  )
  ready <- data.frame(region = c("north", "south"), turnover = c(100, 200), n = c(3, 5))
  list(
    people = people, counted = counted, cells = cells, firms = firms, ready = ready, tree = tree,
    tree_of_swapped = stats::setNames(tree, c("child", "parent")),
    with_sums = stats::addmargins(counted), x = sdc_table(people, c("region", "sex")),
    with_trees = sdc_table(people, c("region", "sex"), hierarchies = list(region = tree)),
    magnitudes = magnitude_table(firms, "region", "turnover", "firm"),
    # the second tree puts "south" below "A"
    contradiction = list(tree, transform(tree, parent = c("All", "All", "A", "A", "B")))
  )
}

# Each: what went wrong, the call, the class of the condition, what the message must say.
slip <- function(what, call, class, says) {
  list(what = what, call = substitute(call), class = class, says = says)
}
input <- "sdc_error_input"
warned <- "sdc_warning_input"

slips <- list(
  # ---- names of columns, levels and variables ----
  slip("misspelled column", sdc_table(people, c("regoin", "sex")), input, "mean \"region\""),
  slip("wrong case", sdc_table(people, c("Region", "sex")), input, "mean \"region\""),
  slip("misspelled in a formula", sdc_table(people, ~ regoin + sex), input, "mean \"region\""),
  slip("a column that is not there", sdc_table(people, "income"), input, "columns are .*\"age\""),
  slip("misspelled freqVar", sdc_table(cells, c("region", "sex"), freqVar = "N"), input,
       "mean \"n\""),
  slip("misspelled in formula =", sdc_table(people, formula = ~ region * sxe), input,
       "mean \"sex\""),
  slip("misspelled margin", margin(x, "sxe"), input, "mean \"sex\""),
  slip("level for a variable", margin(x, "north"), input, "\"north\" is a level of \"region\""),
  slip("misspelled level", x["nort", ], input, "mean \"north\""),
  slip("variable for a level", x["sex", ], input, "\"sex\", which is not a level"),
  slip("total for a level", x["Total", ], input, "not a level"),
  slip("misspelled level of a cell", explain(x, list(region = "nrth", sex = "f")), input,
       "mean \"north\""),
  slip("misspelled variable of a cell", explain(x, list(regoin = "north", sex = "f")), input,
       "mean \"regoin\""),
  slip("misspelled margin of several", margins(x, list("region", "Sex")), input, "mean \"sex\""),
  slip("misspelled column of magnitudes", magnitude_table(firms, "regions", "turnover"), input,
       "mean \"region\""),
  slip("misspelled contributorVar", magnitude_table(firms, "region", "turnover", "firms"), input,
       "mean \"firm\""),
  # ---- names of arguments ----
  slip("misspelled freqVar =", sdc_table(cells, c("region", "sex"), freqvar = "n"), input,
       "mean `freqVar`"),
  slip("dim_var =", sdc_table(people, dim_var = c("region", "sex")), input, "mean `dimVar`"),
  slip("an argument too many", sdc_table(cells, c("region", "sex"), "n", NULL, "sum"), input,
       "1 argument without a name"),
  slip("misspelled numVar =", magnitude_table(firms, "region", numvar = "turnover"), input,
       "mean `numVar`"),
  slip("misspelled contributorVar =",
       magnitude_table(firms, "region", "turnover", contributor_var = "firm"), input,
       "mean `contributorVar`"),
  slip("maxn =", suppress(x, maxn = 3), input, "mean `maxN`"),
  slip("max =", suppress(x, max = 3), input, "written in full"),
  slip("threshold = in suppress()", suppress(x, threshold = 3), input,
       "`method = \"sdcTable\"`"),
  slip("maxN = in sensitive()", sensitive(x, maxN = 3), input, "no argument `maxN`"),
  slip("capitals in a rule", rule_nk(N = 2, K = 85), input, "mean `n` or `k`"),
  slip("pPercent = in a rule", rule_p_percent(10, pPercent = 10), input, "`pPercent`"),
  slip("Base =", round_controlled(x, Base = 3), input, "mean `base`"),
  slip("totals misspelled", as.data.frame(x, total = TRUE), input, "mean `totals`"),
  slip("hierarchy =", sdc_table(people, c("region", "sex"), hierarchy = list(region = tree)), input,
       "mean `hierarchies`"),
  slip("misspelled topVar", magnitude_cells(ready, "region", "turnover", "n", topvar = "x"), input,
       "mean `topVar`"),
  slip("misspelled lead", read_hrc("region.hrc", leads = "#"), input, "mean `lead`"),
  # ---- values of arguments ----
  slip("names without quotes", sdc_table(people, dimVar = c(region, sex)), input,
       "dimVar = c\\(\"region\", \"sex\"\\)"),
  slip("one name without quotes", magnitude_table(firms, "region", turnover), input,
       "numVar = \"turnover\""),
  slip("columns by position", sdc_table(people, c(1, 3)), input, "c\\(\"region\", \"sex\"\\)"),
  slip("a column twice", sdc_table(people, c("sex", "sex")), input, "\"sex\" appears more than"),
  slip("counts on the left of a formula", sdc_table(cells, n ~ region + sex), input, "`freqVar`"),
  slip("crossings in dimVar", sdc_table(people, ~ region * sex), input, "like `~ ?A \\+ B`"),
  slip("a formula as a string", sdc_table(people, formula = "region * sex"), input,
       "one-sided formula"),
  slip("misspelled method", suppress(x, method = "gausssuppression"), input,
       "mean \"GaussSuppression\""),
  slip("another program's method", suppress(x, method = "HITAS"), input, "\"HITAS\""),
  slip("na = \"drop\"", sdc_table(people, "region", na = "drop"), input, "\"error\" or \"level\""),
  slip("a word for a flag", suppress(x, protectZeros = "no"), input, "`TRUE` or `FALSE`"),
  slip("a share for maxN", suppress(x, maxN = .05), input, "whole number"),
  slip("a negative maxN", suppress(x, maxN = -1), input, "`maxN` is -1"),
  slip("maxN as text", suppress(x, maxN = "3"), input, "`maxN` is \"3\""),
  slip("maxN = 0", suppress(x, maxN = 0), warned, "nothing is suppressed"),
  slip("a threshold of 1", sensitive(x, threshold = 1), input, "from 2 to"),
  slip("a share for a threshold", sensitive(x, threshold = .05), input, "whole number"),
  slip("a fractional base", round_controlled(x, base = 2.5), input, "`base` is 2.5"),
  # ---- rules ----
  slip("a share for p percent", rule_p_percent(.1), input, "Then write 10"),
  slip("a share for k", rule_nk(2, .85), input, "Then write 85"),
  slip("n and k swapped", rule_nk(85, 2), warned, "swapped\\? Then write `n = 2, k = 85`"),
  slip("a number of contributors for a share", rule_max_share(3), warned, "almost every cell"),
  slip("a share for a number", rule_threshold(.05), input, "whole number"),
  slip("rules in a list", sensitive(magnitudes, list(rule_p_percent(10))), input,
       "c\\(rule_threshold"),
  slip("a rule as text", sensitive(magnitudes, "p%"), input, "is a string"),
  slip("a rule for counts", suppress(x, rule_p_percent(10)), input, "table of counts"),
  slip("a rule for small counts", sensitive(x, rule_threshold(3)), input, "table of counts"),
  slip("a threshold for magnitudes", suppress(magnitudes, maxN = 3), input, "`rules` is missing"),
  slip("a number for rules", suppress(magnitudes, 3), input, "is a number"),
  # ---- which column is what ----
  slip("cells without freqVar", sdc_table(cells), warned, "freqVar"),
  slip("freqVar among dimVar", sdc_table(cells, c("region", "sex", "n")), warned,
       "freqVar = \"n\""),
  slip("freqVar also a variable", sdc_table(cells, c("region", "n"), freqVar = "n"), input,
       "\"n\" is used for both"),
  slip("dimVar and freqVar swapped", sdc_table(cells, "n", "region"), input, "character vector"),
  slip("weights for counts", sdc_table(people, c("region", "sex"), freqVar = "weight"), input,
       "weightVar"),
  slip("counts for weights", sdc_table(cells, c("region", "sex"), weightVar = "n"), warned,
       "freqVar = \"n\""),
  slip("counts and weights", sdc_table(cells, "region", freqVar = "n", weightVar = "n"), input,
       "Both are given"),
  slip("several columns of counts", sdc_table(cells, "region", freqVar = c("n", "sex")), input,
       "length 2"),
  slip("numVar among dimVar", magnitude_table(firms, c("region", "turnover"), "turnover"), input,
       "\"turnover\" is used for more"),
  slip("contributorVar for numVar", magnitude_table(firms, "region", "firm", "turnover"), warned,
       "\"firm\" as `numVar`"),
  slip("text as numVar", magnitude_table(firms, "region", "sector"), input, "column of numbers"),
  slip("numVar left out", magnitude_table(firms, "region"), input, "`numVar` is missing"),
  slip("a variable inside another", sdc_table(people[rep(1:20, 5), ], c("region", "county")),
       "sdc_warning_nested", "nested_tree"),
  # ---- the data ----
  slip("a path", sdc_table("cells.csv", "region"), input, "Read a file first"),
  slip("a frame for a table", suppress(cells), input, "sdc_table"),
  slip("a table for microdata", magnitude_table(x, "region", "n"), input, "data.frame"),
  slip("missing level", sdc_table(transform(people, sex = c(NA, sex[-1])), "sex"), input,
       "missing in 1 row"),
  slip("missing count", sdc_table(transform(cells, n = c(NA, n[-1])), c("region", "sex"), "n"),
       input, "Row 1 is missing"),
  slip("negative count", sdc_table(transform(cells, n = n - 1), c("region", "sex"), "n"), input,
       "is negative"),
  slip("fractional count", sdc_table(transform(cells, n = n / 2), c("region", "sex"), "n"), input,
       "is fractional"),
  slip("counts as text", sdc_table(transform(cells, n = paste(n)), c("region", "sex"), "n"), input,
       "character vector"),
  slip("shares for counts", sdc_table(proportions(counted)), input, "fractional"),
  slip("cells twice", sdc_table(rbind(cells, cells), c("region", "sex"), "n"), input,
       "duplicates = \"sum\""),
  slip("levels without records", sdc_table(transform(people, sex = factor(sex, c("f", "m", "x"))),
                                           "sex"), "sdc_message_unused", "\"sex\": \"x\""),
  slip("negative values", magnitude_table(transform(firms, turnover = -turnover), "region",
                                          "turnover"), input, "negative = \"absolute\""),
  slip("negative weights", magnitude_table(transform(firms, weight = -weight), "region", "turnover",
                                           weightVar = "weight"), input, "at least 0"),
  slip("ready cells as records", magnitude_table(ready, "region", "turnover"), input,
       "number of its contributors"),
  # ---- totals ----
  slip("totals as levels", sdc_table(with_sums), input, "total = \"Sum\""),
  slip("totals of cells", sdc_table(as.data.frame(with_sums), freqVar = "Freq"), input,
       "total = \"Sum\""),
  slip("another name of the total", sdc_table(with_sums, total = "Total"), input,
       "No variable has a level"),
  slip("misspelled total", sdc_table(with_sums, total = "Sums"), input, "mean \"Sum\""),
  slip("totals of records", sdc_table(people, "sex", total = "Total"), input, "are records"),
  slip("a total called like a level", as.data.frame(x, totals = TRUE, total_label = "f"), input,
       "name of a level"),
  slip("totals of magnitudes",
       magnitude_table(data.frame(region = c("a", "b", "All"), v = c(1, 2, 3)), "region", "v"),
       input, "total = \"All\""),
  # ---- trees ----
  slip("a tree without a list", sdc_table(people, "region", hierarchies = tree), input,
       "list with the name of a variable"),
  slip("trees by position", sdc_table(people, "region", hierarchies = list(tree)), input,
       "list with the name of a variable"),
  slip("misspelled variable of a tree",
       sdc_table(people, "region", hierarchies = list(regoin = tree)), input, "mean \"region\""),
  slip("tree of another variable",
       sdc_table(people, c("region", "sex"), hierarchies = list(sex = tree)), input,
       "leaves are levels of \"region\""),
  slip("hierarchies and dimList",
       sdc_table(people, "region", hierarchies = list(region = tree), dimList = list()), input,
       "Both are given"),
  slip("parent and child swapped",
       sdc_table(people, "region", hierarchies = list(region = tree_of_swapped)), input, "swapped"),
  slip("a level is missing in the tree",
       sdc_table(people, "region", hierarchies = list(region = tree[-5, ])), input,
       "\"east\" is no leaf"),
  slip("misspelled leaf",
       sdc_table(people, "region",
                 hierarchies = list(region = transform(tree, child = sub("north", "norht", child)))),
       input, "mean \"norht\""),
  slip("a tree with two roots", sdc_table(people, "region", hierarchies = list(region = tree[-1, ])),
       input, "2 roots"),
  slip("a node below itself",
       sdc_table(people, "region", hierarchies = list(region = rbind(tree, c("north", "A")))), input,
       "more than one parent"),
  slip("two trees that contradict each other",
       sdc_table(people, "region", hierarchies = list(region = contradiction)), input,
       "hold different levels in two trees"),
  slip("trees given twice", as.data.frame(with_trees, hierarchies = list(region = tree)), input,
       "not both"),
  slip("nested variables from fine to coarse", nested_tree(people, c("region", "county")), input,
       "from the coarsest"),
  # ---- patterns and publications ----
  slip("a pattern of another shape", suppress(x, pattern = matrix(TRUE, 2, 3)), input,
       "of shape 2 x 3"),
  slip("a pattern of numbers", suppress(x, pattern = as.array(x)), input, "logical array"),
  slip("a pattern and a method", suppress(x, pattern = as.array(x) < 2, method = "sdcTable"), input,
       "Leave one of the two out"),
  slip("a table for publication", publish(x), input, "Make one with"),
  slip("cycles for a mechanism", perturb(x, cycles_margin(x), seed = 1), input, "mechanism")
)

# The first condition of the package, or of R, that a slip meets.
# Each slip is made once: two tests look at what it is told.
first_condition <- local({
  found <- list()
  function(slip, data) {
    if (is.null(found[[slip$what]])) {
      found[[slip$what]] <<- tryCatch({
        force(eval(slip$call, data, environment(sdc_table)))
        NULL
      }, condition = identity)
    }
    found[[slip$what]]
  }
})

message_of <- function(cnd) {
  gsub("[[:space:]]+", " ", cli::ansi_strip(conditionMessage(cnd)))
}

test_that("property: no slip is silent, and none ends without a class", {
  data <- slip_data()
  expect_gte(length(slips), 75)
  expect_false(anyDuplicated(vapply(slips, `[[`, "", "what")) > 0)
  for (slip in slips) {
    cnd <- first_condition(slip, data)
    expect_true(inherits(cnd, slip$class), info = slip$what)
    expect_match(if (is.null(cnd)) "" else message_of(cnd), slip$says, info = slip$what)
  }
})

test_that("snapshot: what each slip is told", {
  data <- slip_data()
  local_reproducible_output(width = 80)
  expect_snapshot(for (slip in slips) {
    cnd <- first_condition(slip, data)
    cat("* ", slip$what, "\n", cli::ansi_strip(conditionMessage(cnd)), "\n", sep = "")
  })
})

test_that("oracle: names are near when few letters differ", {
  near <- function(name, known) nearest_name(name, known)
  expect_identical(near("sectr4", c("sector2", "sector4", "geo")), "sector4")
  expect_identical(near("DIM_VAR", c("dimVar", "numVar")), "dimVar")
  expect_identical(near("weights", c("weightVar", "freqVar")), "weightVar")
  expect_identical(near("sxe", c("age", "sex")), "sex")
  expect_length(near("income", c("sex", "age", "region")), 0)
  expect_null(near("", "a"))
  expect_null(near(NA_character_, "a"))
  # a name is never proposed for itself alone, and braces are no code
  expect_match(did_you_mean("{od}", "{odd}"), "{{odd}}", fixed = TRUE)
  expect_null(did_you_mean("income", letters, "column"))
  expect_match(did_you_mean("income", "sex", "column"), "only column is \"sex\"")
})
