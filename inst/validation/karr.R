# Karr, Dobra, Sanil and Fienberg (2002): table servers and optimal tabular releases.

few <- function(beta) risk_width(beta, at_risk = 1:2)
numbered <- function(...) paste0("v", c(...))

# The frontiers of section 5.1 as printed.
frontier_3 <- function() {
  list(numbered(1, 7, 8, 11:13), numbered(7, 8, 11:13), numbered(2, 3, 7, 8, 11:13),
       numbered(2:4, 7, 8, 11, 13), numbered(2, 5, 7, 8, 11, 13), numbered(5:8, 11, 13),
       numbered(2, 4, 7, 9, 11, 13), numbered(2, 7, 8, 10, 11, 13))
}
frontier_4 <- function() {
  list(numbered(1, 2, 8, 11, 13), numbered(2:4, 7, 8, 11, 13), numbered(2, 3, 7, 8, 11:13),
       numbered(3:5, 7, 8, 13), numbered(3, 7:9, 11, 13), numbered(2, 7, 8, 10, 11, 13),
       numbered(3, 6, 8, 12, 13))
}
frontier_5 <- function(last = c(7, 8, 10:12)) {
  list(numbered(1, 2, 7, 9, 13), numbered(2, 7:9, 11, 13), numbered(2, 3, 7, 8, 11, 13),
       numbered(2:4, 7, 11, 13), numbered(5, 7, 8, 11:13), numbered(3, 6, 8, 11, 13),
       numbered(last))
}

released_by_dimension <- function(frontier, k = 13) {
  by_dimension <- sub_tables(numbered(seq_len(k)), frontier)$by_dimension
  by_dimension$released[by_dimension$dimension > 0]
}
n_released <- function(frontier) sum(released_by_dimension(frontier))
share_released <- function(frontier) plain(100 * n_released(frontier) / (2^13 - 1), 2)

# Equation (1): counting records by the levels of some variables.
counts_of_records <- function() {
  cells <- as.data.frame(sdc_table(czech_workers))
  records <- cells[rep(seq_len(nrow(cells)), cells$freq), 1:6]
  by_package <- as.table(table_margin(czech_workers, c("A", "C", "F")))
  all(by_package == table(records[c("A", "C", "F")])) && nrow(records) == 1841
}

count_of_sub_tables <- function() {
  space <- sub_tables(czech_workers)
  sum(space$by_dimension$total)
}

# Sub-tables whose least count that is not zero is at least 3, counted one by one.
n_rule <- function() {
  variables <- names(dimnames(czech_workers))
  sets <- unlist(lapply(1:6, function(k) utils::combn(variables, k, simplify = FALSE)), FALSE)
  safe <- vapply(sets, function(set) {
    counts <- apply(czech_workers, set, sum)
    min(counts[counts > 0]) >= 3
  }, NA)
  release_exact(czech_workers, risk_n(3))$n_sub_tables == sum(safe)
}

# Too few contributors, or one of them above 60 %.
np_rule <- function() {
  values <- list(c(1, 1), c(61, 20, 19), c(60, 20, 20), c(5, 5, 5, 5))
  d <- data.frame(cell = rep(1:4, lengths(values)), value = unlist(values))
  found <- as.data.frame(sensitive(magnitude_table(d, "cell", "value"), rule_np(3, 60)))
  by_hand <- vapply(values, function(v) length(v) < 3 || max(v) > .6 * sum(v), NA)
  identical(found$sdcStatus == "u", by_hand)
}

# The share of the sample's uniques that are uniques of the population, for two sampling fractions,
# in samples that are drawn here, and as the package expects it.
uniques_in_samples <- function() {
  counts <- as.data.frame(cps13)$freq
  set.seed(1)
  person <- rep(seq_along(counts), counts)
  drawn <- vapply(c(.05, .5), function(fraction) {
    sampled <- tabulate(sample(person, round(fraction * length(person))), length(counts))
    mean(counts[sampled == 1] == 1)
  }, 0)
  expected <- vapply(c(.05, .5), function(f) sample_uniques(cps13, fraction = f)[["share"]], 0)
  c(drawn[[1]] < drawn[[2]], near(drawn, expected, .02))
}

# States of all sub-tables by the definitions, for the release of the demographic example.
query_space <- function() {
  variables <- c("Age", "Education", "EmployerType", "Race", "SalaryLevel")
  space <- as.data.frame(sub_tables(variables, list(c("Age", "Education", "Race"), "SalaryLevel"),
                                    unreleasable = list(c("Race", "SalaryLevel"))))
  state <- function(name) as.character(space$state)[space$sub_table == name]
  c(nrow(space), state("Age:Education:Race"), state("Age:Race"), state("Age:Race:SalaryLevel"))
}

# The answers of a server to some requests in turn.
answers <- function(rule, requests, beta = 20) {
  server <- table_server(czech_workers, server_policy(few(beta), rule = rule))
  on.exit(close(server))
  vapply(requests, function(set) request_table(server, set)$outcome, "")
}

# Nothing is released that would make a cell at risk narrower than the threshold, seen by exact
# bounds after each answer.
server_keeps_promise <- function() {
  server <- table_server(czech_workers, server_policy(few(20), rule = "myopic"))
  on.exit(close(server))
  sets <- strsplit(c("ABC", "DE", "ADE", "ABCE", "BCDF", "CDE", "ABCDE"), "")
  for (set in sets) {
    request_table(server, set)
    out <- strsplit(server_release(server)$frontier, ":")
    if (least_width(out) < 20) return(FALSE)
  }
  TRUE
}

least_width <- function(sets, method = "ip") {
  at_risk <- which(czech_workers %in% 1:2)
  b <- as.data.frame(bounds_margins(margins(czech_workers, sets), cells = at_risk, method = method,
                                    dimnames = dimnames(czech_workers)))
  min(b$upper - b$lower)
}

# Two users want A with B, one wants C with D: votes are counted before anything is released.
votes <- function() {
  server <- table_server(czech_workers, server_policy(few(6), rule = "value"))
  on.exit(close(server))
  request_table(server, c("C", "D"), user = "paul")
  request_table(server, c("A", "B"), user = "mary")
  request_table(server, c("A", "B"), user = "jane")
  decide_votes(server, n = 1)
  released <- server_release(server)$frontier
  "A:B" %in% released && !"C:D" %in% released
}

# Utilities of one release, by their definitions.
utilities <- function() {
  sets <- list(c("A", "B", "C"), c("C", "D"))
  n <- function(utility) utility(sets, utility, czech_workers)
  below <- c(A = 2, B = 2, C = 2, D = 2, AB = 4, AC = 4, BC = 4, CD = 4, ABC = 8)
  release <- constraints(margins(czech_workers, sets), dimnames = dimnames(czech_workers))
  fit <- as.numeric(estimate_table(release)$table)
  c(n(utility_tables()) == length(below), n(utility_cells()) == sum(below),
    n(utility_df()) == length(below),
    near(n(utility_accuracy()), -mean((fit - as.numeric(czech_workers))^2), 1e-3))
}

# A table as SDMX-ML: its observations and their sum.
xml_output <- function() {
  to_text <- utils::getFromNamespace("write_table_format", "sdcLattice")
  meta <- list(id = "1", title = "Workers", agency = "A", prepared = "2026-01-01T00:00:00Z")
  xml <- to_text(table_margin(sdc_table(czech_workers), c("A", "B", "C")), "sdmx-ml", meta = meta)
  values <- regmatches(xml, gregexpr("ObsValue value=\"[0-9]+\"", xml))[[1]]
  values <- as.numeric(gsub("[^0-9]", "", values))
  c(length(values), sum(values))
}

# Each request is a row of the history, whatever the answer.
query_history <- function() {
  server <- table_server(czech_workers, server_policy(few(20), rule = "myopic"))
  on.exit(close(server))
  request_table(server, c("A", "B"), user = "mary")
  request_table(server, c("A", "C", "D", "E", "F"), user = "paul")
  history <- as.data.frame(server)
  identical(history$user_id, c("mary", "paul")) &&
    identical(history$outcome, c("released", "refused"))
}

# The page of the server lets users choose variables.
is_input_screen <- function() {
  folder <- system.file("www", package = "sdcLattice")
  page <- readLines(file.path(folder, "index.html"))
  script <- readLines(file.path(folder, "variables.js"))
  any(grepl("main.js", page)) && any(grepl("variables", page)) && any(grepl("checkbox", script))
}

# The seven rows of the display as far as the copy lets one read them.
legible_frontier <- function() {
  rows <- list(1:3, 2:4, c(2, 3, 5, 6), 2:4, 2:4, c(2, 3, 5, 7), c(2, 4))
  length(sub_tables(numbered(1:14), lapply(rows, numbered))$released)
}

full_table_of_server <- function() {
  cells <- prod(dim(cps14))
  paste(length(dim(cps14)), "variables,", round(cells / 1e6), "million cells")
}

figure_5 <- function() {
  sets <- list(c("B", "F"), c("A", "B", "C", "E"), c("A", "D", "E"))
  release_structure(margins(czech_workers, sets))$decomposable
}

annealing <- function() {
  release_anneal(czech_workers, few(6), utility = utility_tables(empty = TRUE), seed = 1,
                 progress = FALSE)
}

# Rule (8) for a loss of 3 tables at temperature 2, by the definition of the sampler of (7).
acceptance <- function() {
  ratio <- exp(10 / 2) / exp(13 / 2)
  near(min(exp((10 - 13) / 2), 1), ratio)
}

table_1 <- function() {
  n <- released_by_dimension(frontier_3())[1:7]
  paste0(n, " (", plain(100 * n / choose(13, 1:7), 2), ")")
}

compared_with_three_way <- function() {
  mine <- released_by_dimension(frontier_3())
  common <- sum(choose(13, 1:3))
  larger <- sum(mine[-(1:3)])
  c(common - sum(mine), larger, plain(100 * larger / sum(mine), 1))
}

# MPR([DE]) = {[DE], [A], [B], [C], [F]}, and its width by whole-number bounds.
most_parsimonious <- function(set) {
  least_width(c(list(set), as.list(setdiff(LETTERS[1:6], set))))
}

bisection <- function() release_greedy(czech_workers, few(6))$log$place

# Table 2, row by row, with the letters reversed against Table 3.
table_2 <- function() {
  x <- as.table(aperm(czech_workers, c("F", "E", "D", "C", "B", "A")))
  paste(as.vector(x), collapse = " ")
}
names_of_levels <- function() {
  vapply(dimnames(czech_workers)[c("A", "B", "C")], paste, "", collapse = "/")
}

# The 35 widths of Table 3, typed.
table_3 <- function() {
  c(ACDEF = 3, ABCDE = 5, ABDEF = 6, BCDEF = 9, ACDE = 10, ABCEF = 10, ABCDF = 10, ADEF = 12,
    ABDE = 12, BDEF = 20, ABDF = 20, ACDF = 21, CDEF = 22, BCDE = 23, ABEF = 23, ADE = 25,
    ACEF = 25, ABCE = 26, ABCF = 30, ABCD = 30, DEF = 45, ADF = 49, BCEF = 52, CDE = 54, AEF = 55,
    BDE = 56, ABD = 57, ACE = 58, ABF = 58, ACF = 59, ACD = 61, ABE = 61, ABC = 64, BCDF = 68,
    DE = 119)
}

# How many of the 35 printed widths are the package's.
widths_as_printed <- function() {
  cw <- as.data.frame(critical_widths(czech_workers, at_risk = 1:2))
  width <- stats::setNames(cw$width, gsub(":", "", cw$sub_table))
  sum(width[names(table_3())] == table_3())
}

most_dangerous <- function(x) {
  worst <- summary(critical_widths(x))$most_dangerous
  paste0("[", gsub(":", "", worst$sub_table[-c(1, nrow(worst))]), "] ",
         worst$width[-c(1, nrow(worst))], collapse = ", ")
}

no_chain <- function() {
  counts <- c(34, 35, 15, 28, 18, 13, 42, 34, 29, 12, 3, 41, 20, 2, 26, 25)
  array(counts, rep(2, 4), list(A = 1:2, B = 1:2, C = 1:2, D = 1:2))
}

widths_by_dimension <- function() {
  cw <- as.data.frame(critical_widths(czech_workers, at_risk = 1:2))
  as.vector(table(cw$dimension))
}

# The release that the shuttle would take for safe at 15: its width by exact bounds.
shuttle_as_judge <- function() {
  cw <- as.data.frame(critical_widths(czech_workers, at_risk = 1:2))
  cw <- cw[order(-cw$width, -cw$dimension), ]
  sets <- strsplit(cw$sub_table, ":")
  for (n in rev(seq_along(sets))) {
    if (least_width(sets[seq_len(n)], "shuttle") >= 15) break
  }
  c(shuttle = least_width(sets[seq_len(n)], "shuttle"), exact = least_width(sets[seq_len(n)]))
}
