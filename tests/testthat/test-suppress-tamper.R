# Suppressions whose parts were taken apart by hand, in ways that an assignment of R does not allow.

# A column of $cells that has another length than the frame says.
put_column <- function(x, name, value, class = "data.frame") {
  rows <- attr(x$cells, "row.names")
  cells <- unclass(x$cells)
  cells[name] <- list(value)
  attr(cells, "row.names") <- rows
  class(cells) <- class
  x$cells <- cells
  x
}

small_suppression <- function() {
  hidden <- roehrig < 0
  hidden[c(1, 3, 4), c(2, 3, 4)] <- TRUE
  suppress(roehrig, maxN = 1, pattern = hidden)
}

few_firms <- data.frame(
  region = rep(c("north", "middle", "south"), c(3, 4, 4)),
  turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
)

small_magnitudes <- function() {
  suppress(magnitude_table(few_firms, "region", "turnover"), rule_p_percent(10),
           pattern = c(TRUE, TRUE, FALSE))
}

refused_both <- function(x, info) {
  for (insist in c(FALSE, TRUE)) {
    told <- tryCatch(publish(x, insist = insist), error = identity)
    expect_true(inherits(told, "sdc_error_refused"), info = paste(info, insist))
    expect_false(inherits(told, "error") && grepl("[0-9]", conditionMessage(told)), info = info)
  }
}

test_that("property: no column of $cells may be short, long, double or of another type", {
  for (su in list(small_suppression(), small_magnitudes())) {
    expect_no_error(publish(su, insist = TRUE))
    status <- su$cells$sdcStatus
    n <- length(status)
    edits <- list(
      empty = put_column(su, "sdcStatus", character()),
      short = put_column(su, "sdcStatus", status[-n]),
      one = put_column(su, "sdcStatus", "s"),
      long = put_column(su, "sdcStatus", c(status, "s")),
      none = put_column(su, "sdcStatus", NULL),
      factor = put_column(su, "sdcStatus", factor(status)),
      list = put_column(su, "sdcStatus", as.list(status)),
      na = put_column(su, "sdcStatus", rep(NA_character_, n)),
      of_class = put_column(su, "sdcStatus", structure(status, class = "mine")),
      frame_of_class = put_column(su, "sdcStatus", status, c("mine", "data.frame")),
      first = put_column(su, 1, su$cells[[1]][0]),
      number = put_column(su, intersect(c("freq", "total"), names(su$cells)), numeric())
    )
    double <- su
    double$cells <- su$cells[c(seq_along(su$cells), length(su$cells))]
    names(double$cells)[length(double$cells)] <- "sdcStatus"
    edits$double <- double
    no_rows <- su
    attr(no_rows$cells, "row.names") <- integer()
    edits$no_rows <- no_rows
    for (name in names(edits)) refused_both(edits[[name]], name)
  }
})

# Edits of the fields of a table of magnitudes that leave it no table.
damaged_magnitudes <- function(mg) {
  edit <- function(...) within_list(mg, ...)
  list(
    holder_twice = edit(holder = rep(mg$holder, 2)), holder_short = edit(holder = mg$holder[-1]),
    holder_none = edit(holder = integer()), holder_zero = edit(holder = 0L * mg$holder),
    holder_same = edit(holder = rep(1L, length(mg$holder))),
    holder_text = edit(holder = as.character(mg$holder)), no_holder = edit(holder = NULL),
    value_short = edit(value = mg$value[-1]), value_long = edit(value = rep(mg$value, 2)),
    value_na = edit(value = replace(mg$value, 1, NA)), value_order = edit(value = rev(mg$value)),
    value_part = edit(value = mg$value + .5), value_large = edit(value = mg$value * 2^60),
    start_short = edit(start = mg$start[-1]), start_order = edit(start = rev(mg$start)),
    start_far = edit(start = mg$start * 1000), start_negative = edit(start = mg$start - 1),
    cell_far = edit(cell = mg$cell + 1000), cell_order = edit(cell = rev(mg$cell)),
    cell_short = edit(cell = mg$cell[-1]), cell_list = edit(cell = as.list(mg$cell)),
    levels = edit(dimnames = lapply(mg$dimnames, `[`, 1)),
    no_names = edit(dimnames = unname(mg$dimnames)),
    factor = edit(dimnames = lapply(mg$dimnames, factor)), no_levels = edit(dimnames = NULL),
    unit = edit(unit = 0), unit_text = edit(unit = "1"), per_unit = edit(per_unit = c(1, 1)),
    per_unit_other = edit(per_unit = 10), divides = edit(divides = NA),
    variable = edit(variable = c("turnover", "secret")), variable_list = edit(variable = list("a")),
    variable_raw = edit(variable = as.raw(1:9)), variable_na = edit(variable = NA_character_),
    no_variable = edit(variable = NULL), total_label = edit(total_label = list("Total")),
    tree = edit(hierarchies = list(region = data.frame(parent = "all", child = "nowhere"))),
    other_tree = edit(hierarchies = list(colour = data.frame(parent = "all", child = "red"))),
    holders = edit(holders = "one"), holders_list = edit(holders = as.list(letters))
  )
}

test_that("property: damaged tables of magnitudes are errors wherever they come in, not crashes", {
  mg <- magnitude_table(few_firms, "region", "turnover")
  expect_no_error(validate_sdc_magnitude(mg))
  su <- small_magnitudes()
  re <- redistribute(mg, rule_p_percent(10), method = "iterative")
  edits <- damaged_magnitudes(mg)
  rule <- rule_p_percent(10)
  doors <- list(
    function(bad) sensitive(bad, rule), function(bad) suppress(bad, rule),
    function(bad) redistribute(bad, rule), function(bad) audit(within_list(su, original = bad)),
    function(bad) audit(within_list(re, original = bad))
  )
  for (i in seq_along(edits)) {
    bad <- edits[[i]]
    # one door after another in the short form
    for (door in rounds(doors[i %% length(doors) + 1], doors)) {
      expect_error(door(bad), class = "sdc_error_input", info = names(edits)[i])
    }
    refused_both(within_list(su, original = bad), names(edits)[i])
  }
})

test_that("property: tables of magnitudes of all kinds are valid", {
  set.seed(7)
  records <- firm_records(80)
  records$value <- records$value - 3
  tree <- list(region = nation)
  tables <- list(
    firm_table(records, negative = "absolute"),
    firm_table(records, hierarchies = tree, negative = "absolute"),
    firm_table(within_list(records, value = log(7 + records$value))),
    firm_table(within_list(records, value = records$value / 4), negative = "absolute"),
    firm_table(records, unit = 7, round = TRUE, negative = "absolute"),
    firm_table(records, contributorVar = NULL, negative = "absolute"),
    magnitude_table(data.frame(r = c("a", NA, "b"), v = 1:3), "r", "v", na = "level"),
    magnitude_table(data.frame(r = "a", v = 0), "r", "v")
  )
  for (mg in tables) expect_null(magnitude_fault(mg))
})

test_that("property: the bridge refuses numbers of readers and cells that do not exist", {
  system <- list(lower = c(0, 0), upper = c(9, 9), rows = list(
    start = c(0, 2), cell = 1:2, coefficient = c(1, 1), lower = 9, upper = 9
  ))
  known <- list(reader = 1L, cell = 1L, lower = 2, upper = 9)
  targets <- list(cell = 2L, low = 1, high = 8)
  own <- list(target = 1L, reader = 1L, low = 1, high = 8, asked = TRUE)
  search <- function(system, known, targets, own, n = 1) {
    cpp_search_readers(system, n, known, targets, own, FALSE, 10, 1e6, numeric(), NULL)
  }
  expect_no_error(search(system, known, targets, own))
  with <- function(x, name, value) replace(x, name, list(value))
  for (bad in list(0L, 3L, NA_integer_, -5L, 1:2, integer())) {
    expect_error(search(system, with(known, "reader", bad), targets, own))
    expect_error(search(system, with(known, "cell", bad), targets, own))
    expect_error(search(system, known, with(targets, "cell", bad), own))
    expect_error(search(system, known, targets, with(own, "reader", bad)))
    expect_error(search(system, known, targets, with(own, "target", bad)))
  }
  expect_error(search(system, with(known, "lower", NA_real_), targets, own))
  expect_error(search(system, with(known, "upper", numeric()), targets, own))
  expect_error(search(system, known, targets, own, n = -1))
  for (rows in list(
    with(system$rows, "cell", 2:3), with(system$rows, "start", c(0, 9)),
    with(system$rows, "start", 0), with(system$rows, "coefficient", 1),
    with(system$rows, "upper", c(9, 9))
  )) {
    expect_error(search(within_list(system, rows = rows), known, targets, own), "damaged")
  }
  expect_error(cpp_group_contributors(c(1, 2), 1L, c(1, 2)), "must have")
  held <- list(cell = 1, start = c(0, 2), value = c(3, 2), holder = 1:2)
  rule <- unclass(rule_p_percent(10))
  expect_no_error(cpp_judge_cells(held, rule, 0))
  for (bad in list(with(held, "start", c(0, 900)), with(held, "start", c(0, 1)),
                   with(held, "holder", 1L),
                   with(held, "value", 1), with(held, "start", c(2, 0)),
                   with(held, "start", numeric()))) {
    expect_error(cpp_judge_cells(bad, rule, 0), "damaged")
  }
})

test_that("property: the seal of a suppression covers what publish() reads", {
  su <- small_suppression()
  mg <- small_magnitudes()
  for (same in list(within_list(su, audit = NULL), within_list(su, note = 1),
                    unserialize(serialize(su, NULL)))) {
    expect_identical(publish(same), publish(su))
  }
  for (name in c("total_label", "maxN", "protectZeros", "method", "seal")) {
    changed <- su
    changed[[name]] <- if (is.logical(su[[name]])) !su[[name]] else paste(su[[name]], "changed")
    refused_both(changed, name)
  }
  for (change in list("WAGES4711", c("a", "b"), NA_character_, list("turnover"), as.raw(1:9))) {
    changed <- mg
    changed$original$variable <- change
    refused_both(changed, "variable")
    changed <- mg
    changed$original$total_label <- change
    refused_both(changed, "total_label")
  }
  changed <- mg
  changed$original$total_label <- list("Total")
  refused_both(changed, "total_label")
  changed$seal <- seal_of("suppressed magnitudes", suppression_parts(changed))
  refused_both(changed, "total_label")
})

test_that("property: whatever takes the place of a part, publish() says that it refuses", {
  x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
  me <- mechanism(cycles_banded(x, seed = 11))
  made <- list(
    small_suppression(), small_magnitudes(), perturb(x, me, seed = 1, insist = TRUE),
    round_controlled(roehrig, base = 3, seed = 1),
    redistribute(magnitude_table(few_firms, "region", "turnover"), rule_p_percent(10),
                 method = "iterative")
  )
  parts <- list("text", as.raw(1:9), new.env(), list(1), list(new.env()), sum)
  at <- 0
  for (result in made) {
    kept <- c("original", "cells", "mechanism", "rules", "published", "rounded", "units")
    for (name in intersect(kept, names(result))) {
      # two after another in the short form
      at <- (max(at) + 0:1) %% length(parts) + 1
      for (part in rounds(parts[at], parts)) {
        changed <- unclass(result)
        changed[[name]] <- part
        class(changed) <- class(result)
        refused_both(changed, paste(class(result)[1], name, class(part)))
      }
    }
  }
})

test_that("property: what an audit of counts did not find in time counts as failing", {
  skip_if_not_installed("GaussSuppression")
  su <- gauss(HairEyeColor, maxN = 3, audit = FALSE, repair = FALSE)
  in_time <- audit(su, count = FALSE)
  late <- suppressWarnings(audit(su, count = FALSE, time_limit_s = 0))
  expect_no_match(format(in_time), "not found in time")
  expect_match(format(late), "FAILS: what .* was not found in time", all = FALSE)
  # the outsider alone, for whom one primary cell was left open
  one <- audit(su, count = FALSE, readers = "outsider")
  at <- which(one$cells$primary & one$cells$known == "no")[1]
  one$cells$sharp[at] <- FALSE
  expect_match(format(one), "FAILS: what everybody knows of 1 primary cell was not found in time",
               fixed = TRUE, all = FALSE)
})

test_that("property: an audit of counts refuses cells that are not those of the original", {
  su <- small_suppression()
  s <- which(su$cells$sdcStatus == "s")[1]
  edits <- list(
    function(o) { o$cells$freq[s] <- o$cells$freq[s] + 1; o },
    function(o) { o$cells$sdcStatus[s] <- "z"; o },
    function(o) { o$cells <- o$cells[-s, ]; o },
    function(o) { levels(o$cells$row)[1] <- "7"; o },
    function(o) { o$original <- as_sdc_table(roehrig + 1); o },
    function(o) { o$maxN <- 20; o }
  )
  for (edit in edits) expect_error(audit(edit(su)), "can be audited", class = "sdc_error_refused")
  expect_identical(audit(su), su$audit)
  # another pattern of one's own is a suppression like others
  su$cells$sdcStatus[s] <- "x"
  expect_identical(nrow(audit(su)$cells), sum(su$cells$sdcStatus %in% c("u", "x")))
})
