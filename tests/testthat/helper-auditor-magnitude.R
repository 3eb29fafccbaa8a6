# Magnitudes for the program in inst/checker: its file is written here from the records, the rules and
# the public data of a publication. See helper-auditor.R.

# `one`: what draw_magnitudes() draws, `records` as the program counts them: `leaf`, `who`, `value` in
# whole units of `unit`, and `weight` where these stand for others.
case_of_magnitudes <- function(name, one, pub = one$pub, readers = one$su$readers %||% c("outsider", "contributor"),
                               more = character()) {
  held <- one$su$original
  cells <- as.data.frame(pub)
  by_label <- lapply(rlang::set_names(names(held$dimnames)), function(v) {
    held_by_label(held$dimnames[[v]], held$hierarchies[[v]], held$total_label)
  })
  leaves <- leaves_of_rows(cells, held$dimnames, by_label)
  parts <- one$records
  truth <- as.vector(rowsum(c(parts$value, rep(0, prod(lengths(held$dimnames)))),
                            c(parts$leaf, seq_len(prod(lengths(held$dimnames))))))
  marked <- rep(FALSE, nrow(cells))
  if (!is.null(one$status)) {
    named <- do.call(paste, unname(lapply(one$status[one$status$sdcStatus == "u", names(held$dimnames)], as.character)))
    marked <- do.call(paste, unname(lapply(cells[names(held$dimnames)], as.character))) %in% named
  }
  # totals of no crossing, which somebody may know all the same
  unseen <- one$su$cells[one$su$cells$sdcStatus == "n", ]
  unseen <- leaves_of_rows(unseen, held$dimnames, by_label)
  number <- function(x) format(x, scientific = FALSE, trim = TRUE)
  state <- ifelse(cells$suppressed, paste(ifelse(marked, "primary", "hidden"), 0),
                  paste("is", number(round(cells$total / one$unit))))
  c(
    paste("case", name), "kind magnitude", paste(c("truth", number(truth)), collapse = " "),
    paste(c("readers", readers), collapse = " "), one$rule_lines,
    if (!is.null(one$lowest)) paste("lowest", if (is.finite(one$lowest)) number(one$lowest) else "none"),
    if (!is.null(parts$weight)) paste("weights", one$whole),
    paste("part", parts$leaf, ":", parts$who, number(parts$value), number(parts$weight %||% "")),
    paste("sum", state, ":", vapply(leaves, paste, "", collapse = " ")),
    sprintf("sum unseen 0 : %s", vapply(unseen, paste, "", collapse = " ")), more, "end"
  )
}

# Rules, and their lines.
auditor_rules <- function() {
  p <- one_of_list(list(5, 10, 12.5, 20, 120))
  kinds <- list(
    list(rule_p_percent(p), paste("rule p_percent", p)),
    list(rule_nk(2, 80), "rule nk 2 80"),
    list(rule_threshold(3), "rule threshold 3"),
    list(c(rule_threshold(3), rule_p_percent(p)), c("rule threshold 3", paste("rule p_percent", p))),
    list(c(rule_np(2, 70), rule_p_percent(p)), c("rule threshold 2", "rule nk 1 70", paste("rule p_percent", p)))
  )
  out <- one_of_list(kinds)
  list(rules = out[[1]], lines = out[[2]])
}

# The leaf of each record, by the labels of all variables.
leaf_numbers <- function(data, dimnames) {
  at <- Map(function(v, labels) match(as.character(data[[v]]), labels), names(dimnames), dimnames)
  as.vector(Reduce(`+`, Map(function(k, by) (k - 1) * by, at, cumprod(c(1, lengths(dimnames)))[seq_along(at)]))) + 1
}

auditor_firms <- function(n = sample(c(10, 16, 25), 1), branches = sample(2:3, 1)) {
  data <- firm_records(n, 2.5, one_of_list(c(.8, 1.4)), 3, branches)
  data$size <- factor(sample(c("s", "l"), n, TRUE), c("s", "l"))
  # some firms are in several cells
  if (stats::runif(1) < .7) data$firm <- sample(ceiling(n / 2), n, TRUE)
  data
}

# Each draws records, and arguments of magnitude_table() (`table`) and of suppress().
magnitude_kinds <- list(
  firms = function() list(data = auditor_firms()),
  optimal = function() list(data = auditor_firms(12), method = "optimal", time_limit_s = 1),
  costs = function() {
    list(data = auditor_firms(), cost = one_of_list(c("totals", "log")), total_cost = one_of_list(c(.5, 1, 3)))
  },
  tree = function() list(data = auditor_firms(), table = list(hierarchies = list(region = nation))),
  trees = function() list(data = auditor_firms(), table = list(hierarchies = list(region = list(nation, coast)))),
  cube = function() list(data = auditor_firms(16, 2), variables = c("region", "branch", "size")),
  linked = function() {
    form <- one_of_list(list(~ region * size + branch * size, ~ region:branch + size, ~ region + branch))
    list(data = auditor_firms(16, 2), variables = c("region", "branch", "size"), table = list(formula = form))
  },
  status = function() {
    list(data = auditor_firms(), status = data.frame(
      region = sample(letters[1:3], 2), branch = sample(c("A", "B", "Total"), 2), sdcStatus = "u"
    ))
  },
  pattern = function() {
    data <- auditor_firms()
    how <- one_of_list(list(list(), list(method = "certified"), list(method = "certified", repair = TRUE)))
    c(list(data = data, pattern = matrix(stats::runif(3 * nlevels(data$branch)) < .6, 3)), how)
  },
  negative = function() {
    data <- auditor_firms()
    data$value <- data$value * ifelse(stats::runif(nrow(data)) < .2, -1, 1)
    list(data = data, table = list(negative = "absolute"), lowest = one_of_list(c(-Inf, 0, 50)))
  },
  weights = function() {
    data <- auditor_firms()
    data$w <- sample(c(1, 1.5, 2, 4), nrow(data), TRUE)
    list(data = data, table = list(weightVar = "w"))
  },
  sample = function() {
    data <- auditor_firms()
    data$w <- sample(c(1, 1.5, 2, 4), max(data$firm), TRUE)[data$firm]
    list(data = data, table = list(weightVar = "w", weights = "sample"))
  },
  # weighted counts of respondents
  respondents = function() {
    data <- auditor_firms()
    data$w <- sample(c(1, 1.5, 2, 4), nrow(data), TRUE)
    data$firm <- seq_len(nrow(data))
    list(data = data, pattern = matrix(stats::runif(3 * nlevels(data$branch)) < .6, 3))
  },
  library = function() {
    list(data = auditor_firms(), method = "GaussSuppression")
  }
)

# A kind, with its table and rules: what suppress() shall be asked, and the records in whole units.
draw_magnitude_table <- function(kind) {
  drawn <- magnitude_kinds[[kind]]()
  data <- drawn$data
  variables <- drawn$variables %||% c("region", "branch")
  if (kind == "respondents") {
    data$value <- 1
    mg <- weighted_table(data, variables, "w")
    few <- sample(1:3, 1)
    # a cell of at most so many respondents is sensitive
    rules <- list(rules = few, lines = c(paste("rule threshold", few + 1), "percent 10"))
  } else {
    mg <- do.call(magnitude_table, c(list(data, variables, "value", "firm"), drawn$table))
    rules <- auditor_rules()
  }
  leaf <- leaf_numbers(data, mg$dimnames)
  # a limit below the least total of a cell
  if (is.finite(drawn$lowest %||% -Inf)) drawn$lowest <- min(0, rowsum(data$value, leaf)) - drawn$lowest
  weight <- data$w %||% 1
  # weights are multiples of a half
  unit <- if (is.null(data$w)) 1 else .5
  records <- data.frame(leaf = leaf, who = data$firm, value = data$value * weight / unit)
  if (identical(drawn$table$weights, "sample")) records$weight <- weight / unit
  list(kind = kind, mg = mg, rules = rules$rules, rule_lines = rules$lines, records = records, unit = unit, whole = 2,
       lowest = drawn$lowest, status = drawn$status,
       asked = drawn[setdiff(names(drawn), c("data", "table", "variables", "lowest"))])
}

suppress_drawn <- function(one, asked) {
  given <- c(list(one$mg, one$rules), asked, if (!is.null(one$lowest)) list(lowest = one$lowest))
  suppressWarnings(do.call(suppress, given))
}

# Draws until a table is published.
draw_magnitudes <- function(kind, hides = TRUE) {
  for (tries in 1:200) {
    one <- draw_magnitude_table(kind)
    asked <- one$asked
    if (!kind %in% c("pattern", "library", "respondents")) {
      asked$readers <- one_of_list(list("outsider", c("outsider", "contributor")))
    }
    # codes may contradict each other
    one$su <- tryCatch(suppress_drawn(one, asked), sdc_error_input = function(cnd) NULL)
    one$pub <- if (!is.null(one$su)) tryCatch(publish(one$su), sdc_error_refused = function(cnd) NULL)
    if (!is.null(one$pub) && (!hides || any(as.data.frame(one$pub)$suppressed))) {
      return(one)
    }
  }
  stop("nothing of this kind is published: ", kind)
}

# The same with a pattern of any quality: most sensitive cells, and others.
draw_any_pattern <- function(kind) {
  one <- draw_magnitude_table(kind)
  one$status <- NULL
  frame <- as.data.frame(suppress_drawn(one, list(pattern = array(FALSE, dim(one$mg)), audit = FALSE)))
  shares <- sample(c(.1, .3, .6), 1)
  frame$suppressed <- nzchar(frame$rules) & stats::runif(nrow(frame)) < .97 |
    frame$total != 0 & stats::runif(nrow(frame)) < shares
  frame$sdcStatus <- NULL
  one$su <- suppress_drawn(one, list(pattern = frame, audit = FALSE))
  one$pub <- publish(one$su, insist = TRUE)
  one
}
