# What explain() says of whole objects.

# Beside objects_of_all_kinds(): results that take longer, each cheap here.
further_objects <- function() {
  x <- objects_of_all_kinds()$table
  release <- margins(x, list("A", "B"))
  me <- mechanism(cycles_bidiagonal(x))
  pub <- publication(x, me)
  rounded <- publish(round_controlled(x, 3, seed = 1), insist = TRUE)
  map <- hex_table(data.frame(q = 0:2, r = 0, n = c(5, 2, 9)), c("q", "r"), "n")
  rates <- conditionals(x, "A", "B")
  values <- data.frame(A = rep(c("a", "b", "c"), each = 4),
                       v = c(90, 5, 4, 3, 20, 21, 22, 23, 9, 8, 7, 60))
  moved <- redistribute(magnitude_table(values, "A", "v"), rule_p_percent(10), method = "iterative")
  left <- publish(moved, insist = TRUE)
  reducible <- release_reducible(czech_workers, risk_width(3), seed = 1, progress = FALSE)
  risk <- risk_utility(x, me, replicates = 3)
  posterior <- posterior(pub)
  three <- posterior_rounding(rounded, reader = "intervals")
  list(
    constraints = constraints(release), fibre = fibre_distribution(release),
    tables = enumerate_tables(release), drawn = sample_tables(release, 3, seed = 1),
    guess = count_tables(release, method = "importance", n_draws = 200, seed = 1),
    intervals = intervals(x, 2), rates_summary = summary(rates), risk_utility = risk,
    risk_summary = summary(risk), readers = compare_readers(one = posterior, two = posterior),
    posterior_summary = summary(posterior),
    tuning = tune(x, cycles_bidiagonal(x), alpha = c(.1, .3), replicates = 2),
    rounding_posterior = three, rounding_summary = summary(round_controlled(x, 3, seed = 1)),
    three_summary = summary(three),
    comparison = compare_methods(x, list(method_margins()), replicates = 2),
    attack = attack(publish(redistribute(map, 3))), moved_values = moved,
    moved_values_summary = summary(moved), audit_values = audit(moved), left = left,
    left_summary = summary(left),
    judged_summary = summary(sensitive(magnitude_table(values, "A", "v"), rule_p_percent(10))),
    certified = reducible, certificates = reducible$certificates,
    structure = release_structure(release), critical_summary = summary(critical_widths(x)),
    sub_tables_summary = summary(sub_tables(reducible)), table_summary = summary(x),
    utility = utility_tables(), policy = server_policy(risk_width(3)),
    argus = argus_cells_of(objects_of_all_kinds()$suppression),
    weighted = weighted_table(data.frame(A = c("a", "a", "b"), w = c(1.5, 2, 4)), "A", "w")
  )
}

argus_cells_of <- function(x) {
  files <- write_tau_argus(x, tempfile(), status = "column")
  on.exit(unlink(dirname(files[["tab"]]), recursive = TRUE))
  read_tau_argus(files[["tab"]])
}

server_objects <- function() {
  server <- local_server(x = objects_of_all_kinds()$table,
                         policy = server_policy(risk_width(2), time_limit_s = 5),
                         frame = parent.frame())
  answer <- request_table(server, c("A", "B"))
  audit <- audit(server, policy_aware = TRUE)
  words <- withr::local_tempfile(fileext = ".yml", lines = "title: A table")
  list(server = server, answer = answer, metadata = server_metadata(words, server$problem$x),
       what_if = what_if(server, c("A", "B")),
       server_audit = audit, answers_audit = audit$policy_aware, store = server$store,
       plan = plan_server(objects_of_all_kinds()$table,
                          server_policy(risk_width(2), rule = "envelope"), limit = 100))
}

# Of no user: parts of other objects, the explanation itself, and numbers in messages.
inner_classes <- c("sdc_object", "sdc_explanation", "sdc_shown_number",
                   "sdc_db_records", "sdc_file_records", "sdc_plan", "sdc_proposal",
                   "sdc_protected")

test_that("property: every class with a print method is explained, in sentences", {
  skip_if_no_server()
  all <- c(objects_of_all_kinds(), further_objects(), server_objects(), list(record = publication_record()))
  home <- asNamespace("sdcLattice")
  printed <- sub("^(print|format)[.]", "", grep("^(print|format)[.](sdc_|summary)",
                                                ls(home, all.names = TRUE), value = TRUE))
  expect_identical(setdiff(printed, c(unlist(lapply(all, class)), inner_classes)), character())
  for (name in setdiff(names(all), "explanation")) {
    said <- explain(all[[name]])
    expect_s3_class(said, "sdc_explanation")
    expect_gt(nchar(paste(as.character(said), collapse = " ")), 60)
    expect_match(as.character(said)[1], "^[A-Z0-9]", info = name)
    expect_identical(said$private, is_private(all[[name]]), info = name)
    # only summaries do without sentences of their own
    own <- !is.null(Find(Negate(is.null), lapply(class(all[[name]]), function(class) {
      own_method("story", class)
    })))
    expect_true(own || grepl("summary", class(all[[name]])[1]), info = name)
  }
  for (class in setdiff(unlist(lapply(all, function(x) class(x)[1])), inner_classes)) {
    if (!grepl("summary", class)) expect_false(is.null(own_method("story", class)) &&
      !any(startsWith(class, c("sdc_risk_", "sdc_magnitude_supp"))), info = class)
  }
})

test_that("oracle: an explanation names the main number of its object", {
  all <- c(objects_of_all_kinds(), further_objects())
  says <- function(name, ...) {
    text <- paste(as.character(explain(all[[name]])), collapse = " ")
    for (words in c(...)) expect_match(text, words, fixed = TRUE, info = name)
  }
  # the table has the rows 5 1 8 and 4 7 9
  says("table", "34 units", "6 cells", "1 has a count of 1 or 2")
  zeros <- as.character(explain(sdc_table(matrix(c(0, 3, 1, 0, 0, 2), 2))))
  expect_match(zeros[2], "3 cells are zero, and 2 have a count of 1 or 2", fixed = TRUE)
  says("cycles", paste(length(all$cycles), "cycles"))
  says("mechanism", "with probability 0.25")
  says("fibre", paste("all", format(all$fibre$count), "tables"))
  n <- dim(unclass(all$tables))[3]
  expect_identical(format(count_tables(margins(all$table, list("A", "B")))), format_count(n))
  says("count", paste("number is", format_count(n)))
  says("tables", paste(format_count(n), "tables"))
  says("drawn", "3 tables")
  says("bounds", "6 cells")
  changed <- sum(as.table(all$perturbation$published) != as.table(all$table))
  says("perturbation", paste(changed, "of 6 cells"))
  says("rounding", "multiples of 3")
  says("map", "3 hexagons", "16 points")
  says("moved", "at least 3", paste0("mu = ", all$moved$mu, " step"))
  says("magnitude", "3 cells", "12 contributions")
  says("rules", "less than 10 %")
  says("sensitive", paste(sum(all$sensitive$sdcStatus == "u"), "of 3 cells"))
  says("release", paste(all$release$n_sub_tables, "of 3"))
  says("certificates", paste(length(all$certificates$target), "cells at risk"))
  says("verification", "VERIFIED")
  says("policy", "width of at least 3")
  says("suppression", paste(sum(all$suppression$cells$sdcStatus == "u"), "cell"))
  says("risk", "width of at least 2")
  says("readers", "The distance of their laws is 0 on average")
})

test_that("property: explanations follow what is special about an object", {
  says <- function(x, words) {
    expect_match(paste(as.character(explain(x)), collapse = " "), words, fixed = TRUE)
  }
  x <- sdc_table(matrix(c(5, 1, 0, 4, 7, 9, 2, 3), 2))
  says(mechanism(cycles_bidiagonal(x), alpha = .3, beta = .1), "not equally likely")
  says(mechanism(cycles_bidiagonal(x), zero_rule = "nonnegative"), "would make a count negative")
  says(mechanism(cycles_banded(x, seed = 3, skip_zeros = TRUE)), "reach over zeros")
  says(mechanism(cycles_bidiagonal(x), zero_rule = "roehrig"), "for analysis only")
  pairs <- list(c("A", "B"), c("B", "C"), c("A", "C"))
  says(release_structure(margins(czech_workers, pairs)), "the release is irreducible")
  says(release_structure(margins(czech_workers, c(pairs, list(c("C", "D"))))),
       "the release is reducible")
  unsafe <- verify_release(c("A:B:C:D:E", "F"), czech_workers, risk = risk_width(30))
  says(unsafe, "NOT SAFE")
  says(unsafe, paste("fails for", unsafe$n_failed))
  map <- hex_table(data.frame(q = c(0:4, 40), r = 0, n = c(2, 5, 1, 7, 3, 1)), c("q", "r"), "n")
  says(redistribute(map, 3), "1 outlier was suppressed, with 1 count")
  expect_match(as.character(explain(map, 6))[2], "36 steps away")
  says(bounds_margins(margins(roehrig, list("row")), cells = integer()), "bounds of 0 cells")
  says(prior_poisson(3), "combines it")
})

test_that("oracle: cells of laws, cycles and risks", {
  x <- sdc_table(lettered_table(c(5, 1, 8, 4, 7, 9), c(2, 3)))
  release <- margins(x, list("A", "B"))
  f <- fibre_distribution(release)
  b <- bounds_margins(release)
  set <- cycles_bidiagonal(x)
  for (at in 1:6) {
    said <- as.character(explain(f, at))
    expect_match(said[1], interval_words(b$lower[at], b$upper[at]), fixed = TRUE)
    through <- sum(vapply(as.list(set), function(move) move[at] != 0, NA))
    expect_match(as.character(explain(set, at))[1], paste0("^", plural(through, "cycle")))
    expect_match(as.character(explain(x, at))[1], paste0("is ", as.vector(as.table(x))[at], ","))
  }
  ru <- risk_utility(x, mechanism(set), replicates = 3)
  expect_match(as.character(explain(ru, 2))[1], "The count 1 is published unchanged")
  expect_true(explain(ru, 2)$private)
})

test_that("snapshot: explanations of whole objects", {
  all <- objects_of_all_kinds()
  expect_snapshot({
    explain(all$cycles)
    explain(all$mechanism, 1)
    explain(all$critical)
    explain(all$verification)
    explain(all$bounds_summary)
  })
  expect_snapshot(explain(rule_p_percent(10), 1), error = TRUE)
})
