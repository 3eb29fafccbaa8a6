# Smucker, Slavkovic and Zhu (2008): bounds from conditional frequencies.

download_rates <- function() conditionals(downloads, "Download", "Sex")
koch_given <- c("Center", "Status", "Treatment")
koch_rates <- function(...) conditionals(koch, "Recovery", koch_given, ...)

# The frame of a result in the order of the paper: rows of the printed table, then its columns.
as_printed <- function(b, co) {
  frame <- as.data.frame(b)
  frame[do.call(order, unname(as.list(frame[c(co$given, co$response)]))), ]
}

intervals_of <- function(co, n, method = "sharp", most = Inf, ...) {
  b <- as_printed(bounds_conditional(co, n, method = method, ...), co)
  real <- method == "lp"
  ends <- if (real) b[c("lower_real", "upper_real")] else b[c("lower", "upper")]
  ends <- utils::head(ends, most)
  shown <- if (real) lapply(ends, function(x) as.character(half_up(x))) else ends
  paste0("[", shown[[1]], ",", shown[[2]], "]")
}

counts_in_order <- function(x, given, response) {
  x <- as.data.frame(as.table(x), responseName = "freq")
  x$freq[do.call(order, unname(as.list(x[c(given, response)])))]
}

three_probabilities <- function() {
  shares <- proportions(downloads)
  rate <- as.data.frame(download_rates())
  c(shares["Male", "Yes"], sum(shares["Female", ]),
    rate$rate[rate$Sex == "Male" & rate$Download == "Yes"])
}

frechet_bounds <- function() {
  release <- margins(downloads, list("Sex", "Download"))
  b <- as.data.frame(bounds_margins(release, method = "frechet"))
  b <- b[order(b$Sex, b$Download), ]
  paste0("[", b$lower, ",", b$upper, "]")
}

# d_ij = o_ij / o_i. for every cell, and R, the rows that are not empty.
definition_of_rates <- function() {
  rate <- as.data.frame(koch_rates())
  sums <- apply(koch, koch_given, sum)
  rates <- sweep(koch, match(koch_given, names(dimnames(koch))), sums, "/")
  observed <- as.data.frame(as.table(rates))
  key <- function(frame) do.call(paste, frame[names(dimnames(koch))])
  if (!near(rate$rate, observed$Freq[match(key(rate), key(observed))])) return("fails")
  paste("R =", sum(sums > 0))
}

# Least and largest n_ij by going through all whole numbers that meet the constraints.
solved_by_trying <- function() {
  n <- expand.grid(n11 = 0:50, n12 = 0:50, n21 = 0:50)
  n$n22 <- 50 - n$n11 - n$n12 - n$n21
  ok <- near_each(.4 * n$n11, .6 * n$n12) & near_each(.8 * n$n21, .2 * n$n22) &
    n$n11 + n$n12 >= 1 & n$n21 + n$n22 >= 1 & n$n22 >= 0
  ends <- vapply(n[ok, ], range, numeric(2))
  paste0("[", ends[1, ], ",", ends[2, ], "]")
}
near_each <- function(x, y) abs(x - y) < 1e-9

closed_form <- function(co, n) {
  rate <- as_printed(co, co)$rate
  rows <- length(co$scale)
  b <- as_printed(bounds_conditional(co, n, method = "lp"), co)
  near(b$lower_real, rate) && near(b$upper_real, (n - (rows - 1)) * rate)
}

# The table of proportions as the paper prints it.
koch_printed <- function() {
  printed <- c(
    ".107 .714 .179 .333 .424 .243 .103 .483 .414 .25 .542 .208",
    ".5 .5 0 .524 .476 0 .188 .562 .25 .333 .5 .167"
  )
  rates <- as_printed(koch_rates(), koch_rates())[c(koch_given, "Recovery")]
  rates$rate <- as.numeric(unlist(strsplit(printed, " ")))
  conditionals(rates, "Recovery", koch_given, digits = 3)
}

# The least tolerance, in units of the last digit, at which the printed rates belong to a table.
printed_tolerance <- function() {
  tryCatch(bounds_conditional(koch_printed(), 193), sdc_error_infeasible = function(e) e$tolerance)
}

partial_formula <- function() {
  co <- conditionals(koch, "Recovery", c("Center", "Status"))
  b <- as.data.frame(bounds_conditional(co, 193, method = "lp"))
  sums <- apply(koch, c("Center", "Status", "Recovery"), sum)
  rate <- proportions(sums, c("Center", "Status"))
  at <- cbind(as.character(b$Center), as.character(b$Status), as.character(b$Recovery))
  near(b$lower_real, 0) && near(b$upper_real, (193 - (4 - 1)) * rate[at])
}

# Formula (2) by hand, against the package's.
formula_2 <- function(co, n) {
  rate <- as_printed(co, co)$rate
  row <- rep(seq_along(co$scale), each = length(rate) / length(co$scale))
  least <- tapply(rate, row, function(d) min(d[d > 0]))
  others <- sum(1 / least) - 1 / least
  lower <- ceiling(rate / least[row] - 1e-9)
  upper <- floor((n - others[row]) * rate + 1e-9)
  b <- as_printed(bounds_conditional(co, n, method = "formula2"), co)
  near(b$lower, lower) && near(b$upper, upper)
}

# The upper bound of the cell of 20 by formula (2), by the words, and the sharp one.
three_upper_bounds <- function() {
  co <- download_rates()
  vapply(c("formula2", "improved", "sharp"), function(method) {
    as_printed(bounds_conditional(co, 50, method = method), co)$upper[[4]]
  }, 0)
}

# The smallest rate is .1; the lower bound of the cell with .25.
example_in_words <- function() {
  rates <- data.frame(row = "a", column = c("x", "y", "z"), rate = c(.1, .25, .65))
  co <- conditionals(rates, "column", "row", digits = 2)
  b <- bounds_conditional(co, 40, method = "improved")
  as_printed(b, co)$lower[[2]]
}

many_variables <- c("age", "workclass", "education", "industry", "race", "sex", "employment")

# Mean width of the sharp intervals of small cells: a small table, then tables of six and eight
# variables.
widths_of_small_cells <- function() {
  x8 <- table_margin(cps13, c(many_variables, "salary"))
  x6 <- table_margin(cps13, c("education", "race", "sex", "employment", "tax", "salary"))
  mean_width <- function(x, response) {
    co <- conditionals(x, response, setdiff(names(dimnames(x)), response))
    b <- bounds_conditional(co, sum(x), count = FALSE)
    frame <- as.data.frame(b)
    mean(frame$upper - frame$lower)
  }
  c(mean_width(koch, "Recovery"), mean_width(x6, "salary"), mean_width(x8, "salary"))
}

# Tables that agree with the rates rounded to some digits, and with the exact rates.
tables_by_digits <- function(digits) {
  rounding_uncertainty(koch, "Recovery", koch_given, digits = digits)$n_tables
}

widths_by_digits <- function() {
  found <- rounding_uncertainty(koch, "Recovery", koch_given, digits = 1:3)
  all(diff(found$mean_width) <= 0, found$mean_width[[1]] > found$mean_width[[4]],
      found$mean_width[[3]] == found$mean_width[[4]])
}

ratio_of_widths <- function() {
  co <- koch_rates()
  real <- as_printed(bounds_conditional(co, 193, method = "lp"), co)
  whole <- as_printed(bounds_conditional(co, 193), co)
  ratio <- (real$upper_real - real$lower_real) / pmax(whole$upper - whole$lower, 1)
  max(ratio) > 10
}

# What is left when every row has its least total: the less, the more is disclosed.
slack <- function() {
  x <- table_margin(cps13, c(many_variables, "salary"))
  co <- conditionals(x, "salary", many_variables)
  c(Koch = 193 - sum(koch_rates()$scale), cps = sum(x) - sum(co$scale))
}
