# The slides on cyclic perturbation (Roehrig): the 4 x 4 table and the table of 4 x 4 x 3 cells.

two_lines <- list("row", "column")

# The published table of the slides.
slides_published <- function() {
  x <- roehrig
  x[] <- c(16, 21, 2, 11, 0, 11, 11, 13, 2, 9, 11, 8, 2, 14, 1, 3)
  x
}
slides_mechanism <- function(...) mechanism(cycles_bidiagonal(roehrig), .25, .25, ...)
slides_publication <- function(...) publication(slides_published(), slides_mechanism(...))

# A rounding of the table to base 3, with rounded margins.
slides_rounded <- function() {
  x <- roehrig
  x[] <- c(15, 21, 3, 12, 3, 9, 9, 15, 3, 12, 9, 6, 0, 15, 3, 0)
  margins(x, list(c("row", "column"), "row", "column", character()))
}

slides_hidden <- function() {
  cells <- as.data.frame(sdc_table(roehrig), totals = TRUE, zeros = TRUE)
  cells$suppressed <- cells$row %in% c("1", "4") & cells$column %in% c("2", "4")
  constraints(cells)
}

small_cells <- function() {
  found <- sensitive(roehrig, threshold = 3)
  found <- found[order(found$row), ]
  paste(paste(found$row, found$column, sep = ","), collapse = " ")
}

# Columns 3 and 4 become one; the other methods work on the table itself.
all_methods_keep_total <- function() {
  cells <- as.data.frame(sdc_table(roehrig))
  cells$column <- c("1", "2", "3 and 4", "3 and 4")[as.integer(cells$column)]
  coarse <- sdc_table(cells, dimVar = c("row", "column"), freqVar = "freq",
                      duplicates = "sum")
  moved <- as.table(perturb(roehrig, slides_mechanism(), seed = 1, insist = TRUE)$published)
  round <- as.table(round_controlled(roehrig, base = 3, seed = 1))
  hidden <- sum(enumerate_tables(slides_hidden())[, , 1])
  same <- c(sum(coarse), sum(moved), sum(table_margin(sdc_table(roehrig), "row")), hidden) == 135
  all(same, abs(sum(round) - 135) < 3, identical(rowSums(as.table(coarse)), rowSums(roehrig)))
}

# Cells with a dominant contributor get safe values, and the others make the table add up.
adjusted_table_adds_up <- function() {
  region <- data.frame(
    region = rep(c("north", "middle", "south"), c(3, 4, 4)),
    turnover = c(132, 99, 12, 40, 35, 30, 20, 50, 45, 33, 20)
  )
  x <- magnitude_table(region, "region", "turnover")
  adjusted <- redistribute(x, rule_p_percent(10), directions = "up", seed = 1)
  unsafe <- as.data.frame(sensitive(x, rule_p_percent(10)))
  fired <- unsafe$sdcStatus == "u"
  change <- adjusted$cells$change
  sum(change) == 0 && sum(fired) == 1 && all(change[fired] >= unsafe$upper[fired])
}

fitted_is_independence <- function() {
  fit <- as.numeric(estimate_table(margins(roehrig, two_lines))$table)
  near(fit, outer(rowSums(roehrig), colSums(roehrig)) / sum(roehrig), 1e-6)
}

hidden_laws <- function() {
  law <- as.data.frame(fibre_distribution(slides_hidden()))
  open <- law[law$probability < 1, ]
  plain(sort(unique(half_up(open$probability, 6))), 3)
}

# The ends of every cell of the rounded table, as distances from the rounded count.
rounded_intervals <- function() {
  b <- as.data.frame(bounds_margins(constraints(intervals(slides_rounded(), 2))))
  cells <- as.data.frame(roehrig, responseName = "freq")
  cells$freq <- c(15, 21, 3, 12, 3, 9, 9, 15, 3, 12, 9, 6, 0, 15, 3, 0)
  shown <- cells$freq[match(paste(b$row, b$column), paste(cells$row, cells$column))]
  all(b$upper == shown + 2, b$lower == pmax(shown - 2, 0))
}

# Seven odd cells of a table of 3 x 2 x 2 cells. Wherever two of them share a line, one must go up
# and the other down; going round, an odd number of steps comes back to the first cell.
no_rounding_in_three_ways <- function() {
  x <- array(0, c(3, 2, 2))
  x[rbind(c(1, 1, 1), c(2, 1, 1), c(2, 2, 1), c(3, 2, 1), c(3, 2, 2), c(1, 2, 2), c(1, 1, 2))] <- 1
  odd <- which(x == 1)
  ups <- as.matrix(expand.grid(rep(list(c(0, 2)), length(odd))))
  fits <- apply(ups, 1, function(up) {
    y <- replace(x, odd, up)
    sums <- list(1:2, c(1, 3), 2:3, 1, 2, 3)
    all(vapply(sums, function(m) all(abs(apply(y - x, m, sum)) < 2), NA), abs(sum(y - x)) < 2)
  })
  c(two_ways = nrow(all_roundings(roehrig, 3)), three_ways = sum(fits))
}

# All zero-restricted roundings of a matrix to a base, by trying all.
all_roundings <- function(x, base) {
  down <- base * (x %/% base)
  loose <- which(x %% base > 0)
  ups <- as.matrix(expand.grid(rep(list(0:1), length(loose))))
  change <- function(sums_to) {
    index <- matrix(0, length(loose), length(sums_to))
    index[cbind(seq_along(loose), sums_to[loose])] <- 1
    index
  }
  near_enough <- function(of, sums) {
    index <- matrix(0, length(loose), length(sums))
    index[cbind(seq_along(loose), of[loose])] <- 1
    low <- as.vector(tapply(down, of, sum))
    moved <- sweep(base * (ups %*% index), 2, low - sums, "+")
    rowSums(abs(moved) >= base) == 0
  }
  ok <- near_enough(row(x), rowSums(x)) & near_enough(col(x), colSums(x)) &
    abs(base * rowSums(ups) + sum(down) - sum(x)) < base
  ups[ok, , drop = FALSE]
}

# Adding the printed cycle keeps the margins and gives the printed table.
first_picture <- function() {
  move <- rbind(c(1, 0, -1, 0), c(-1, 0, 1, 0), 0, 0)
  one <- cycles(list(move), unclass(roehrig))
  rows_in_words(roehrig + as.list(one)[[1]])
}

# The number of cycles, and on how many of them the cells are.
chances <- function(set) {
  moves <- as.list(set)
  c(length(moves), unique(as.vector(Reduce(`+`, lapply(moves, abs)))))
}

# All results of one cover of the cycles, by the rule of the slides, and their probabilities.
flip_coins <- function(original, moves, alpha = .25, beta = .25) {
  states <- list(list(table = unclass(original), weight = 1))
  for (move in moves) {
    states <- unlist(lapply(states, function(s) {
      if (any(s$table[move != 0] == 0)) return(list(s))
      Map(function(step, p) list(table = s$table + step * move, weight = s$weight * p),
          c(1, -1, 0), c(alpha, beta, 1 - alpha - beta))
    }), recursive = FALSE)
  }
  weight <- vapply(states, `[[`, 0, "weight")
  name <- vapply(states, function(s) paste(s$table, collapse = " "), "")
  merged <- tapply(weight, name, sum)
  list(tables = do.call(rbind, lapply(strsplit(names(merged), " "), as.numeric)),
       weight = as.vector(merged))
}

# The package's tables are those that the coins of the slides can give.
coins_as_in_slides <- function() {
  all <- flip_coins(roehrig, as.list(cycles_bidiagonal(roehrig)))
  drawn <- lapply(1:20, function(seed) {
    perturb(roehrig, slides_mechanism(), seed = seed, insist = TRUE)$published
  })
  key <- vapply(drawn, function(x) paste(as.vector(as.table(x)), collapse = " "), "")
  all(key %in% apply(all$tables, 1, paste, collapse = " "))
}

# Of the tables that the coins can give, those with the two rows that the copy shows legibly.
perturbed_example <- function() {
  all <- flip_coins(roehrig, as.list(cycles_bidiagonal(roehrig)))$tables
  rows <- apply(all, 1, function(x) rows_in_words(matrix(x, 4)))
  rows[grepl("/ 21 11 9 14 / .* / 11 13 8 3$", rows)]
}

changes_of_one_cover <- function() {
  all <- flip_coins(matrix(30, 4, 4), as.list(cycles_bidiagonal(roehrig)))$tables
  c(nrow(all), range(all - 30))
}

# Readers' intervals: no cell is known better than within 2 of what is published, but for zeros.
intervals_of_cycles <- function() {
  big <- matrix(30, 4, 4)
  pub <- publication(big, mechanism(cycles_bidiagonal(big)))
  b <- as.data.frame(bounds_margins(constraints(pub)))
  unique(c(b$lower, b$upper)) - 30
}

# Bayes' formula by hand: every table that one cover could have changed, run forward; the largest
# difference of the means from the package's.
bayes_by_hand <- function(published, set) {
  moves <- as.list(set)
  coins <- as.matrix(expand.grid(rep(list(-1:1), length(moves))))
  changes <- unique(coins %*% t(vapply(moves, as.vector, numeric(length(published)))))
  originals <- sweep(-changes, 2, as.vector(published), "+")
  originals <- originals[rowSums(originals < 0) == 0, ]
  weight <- apply(originals, 1, function(x) {
    all <- flip_coins(array(x, dim(published)), moves)
    sum(all$weight[colSums(t(all$tables) != as.vector(published)) == 0])
  })
  by_hand <- colSums(originals * weight) / sum(weight)
  po <- posterior(publication(published, mechanism(set, .25, .25)))
  near(as.vector(mean(po)), by_hand)
}

four_cells <- function() data.frame(row = c("1", "1", "3", "4"), column = c("2", "4", "4", "4"))

printed_posterior <- function(po) {
  long <- as.data.frame(po, cells = four_cells())
  law <- function(row, column) {
    one <- long[long$row == row & long$column == column, ]
    p <- one$probability[match(0:5, one$value)]
    plain(replace(p, is.na(p), 0), 2)
  }
  paste(unlist(Map(law, four_cells()$row, four_cells()$column)), collapse = " ")
}

# The probability that cell (1, 2), published as 0, was 0, 1, 2.
exact_posterior <- function(rule) {
  pub <- publication(slides_published(), slides_mechanism(zero_rule = rule))
  po <- posterior(pub, method = "enumeration")
  law <- as.data.frame(po, cells = four_cells()[1, ])
  paste0(po$n_originals, ": ", paste(plain(law$probability, 4), collapse = " "))
}

# Three readers: one knows that the cell holds at least 1, one knows it, one has older figures.
priors_differ <- function() {
  cell <- four_cells()[1, ]
  law <- function(prior) as.data.frame(posterior(slides_publication(), prior), cells = cell)
  own <- law(prior_at_least(1, cell))
  insider <- law(prior_known(1, cell))
  history <- law(prior_poisson(roehrig + .5))
  near(own$probability, c(82, 11) / 93) && identical(insider$value, 1) &&
    history$probability[[2]] > 82 / 333
}

law_where_mode_fails <- function() {
  x <- table_of(c(1, 1, 2, 7, 6, 6, 11, 12, 11), 3)
  po <- posterior(publication(x, mechanism(cycles_bidiagonal(x), .25, .25)))
  law <- as.data.frame(po, cells = 7)
  law <- law[law$probability > 0, ]
  paste(law$value, plain(law$probability, 2), sep = ": ", collapse = ", ")
}

# Analysis of a table of 20 x 20 cells: all laws sum to 1, and the means keep the margins.
twenty_by_twenty <- function() {
  set.seed(1)
  x <- table_of(rpois(400, 5), 20)
  po <- posterior(publication(x, mechanism(cycles_bidiagonal(x))))
  laws <- as.data.frame(po)
  means <- as.matrix(mean(po))
  near(sum(laws$probability), 400, 1e-6) && near(rowSums(means), rowSums(x), 1e-6)
}

mean_after_coins <- function(alpha, beta) {
  all <- flip_coins(roehrig, as.list(cycles_bidiagonal(roehrig)), alpha, beta)
  max(abs(colSums(all$tables * all$weight) - as.vector(roehrig)))
}

interval_widths <- function() {
  big <- matrix(30, 4, 4)
  vapply(1:3, function(covers) {
    pub <- publication(big, mechanism(cycles_bidiagonal(big), covers = covers))
    b <- as.data.frame(bounds_margins(constraints(pub)))
    unique(b$upper - b$lower)
  }, 0)
}

# The law of cell (1, 2) over all 1,025,908,683 tables: a factor of two, and no uniform law.
law_under_rounding <- function() {
  law <- as.data.frame(fibre_distribution(constraints(intervals(slides_rounded(), 2))))
  plain(law$probability[law$row == "1" & law$column == "2"], 3)
}

# The analysis that took three days, for a rounding procedure that is known exactly.
rounding_posterior <- function() {
  x <- table_of(c(1, 4, 7, 2, 5, 3), 2)
  po <- posterior_rounding(publish(round_controlled(x, base = 3, seed = 1), insist = TRUE))
  laws <- as.data.frame(po)
  po$exact && near(tapply(laws$probability, paste(laws[[1]], laws[[2]]), sum), 1)
}

# What one cell becomes: the rows of this matrix are laws, as in models of misclassification.
misclassification <- function() {
  law <- function(n) {
    all <- flip_coins(replace(matrix(30, 4, 4), 6, n), as.list(cycles_bidiagonal(roehrig)))
    tapply(all$weight, factor(all$tables[, 6], 0:12), sum, default = 0)
  }
  rows <- t(vapply(5:7, law, numeric(13)))
  near(rowSums(rows), 1) && near(rows[1, 4:8], c(1, 4, 6, 4, 1) / 16)
}

risk_and_utility <- function() {
  ru <- risk_utility(roehrig, slides_mechanism(), insider = FALSE, replicates = 2)
  cells <- as.data.frame(ru)
  draws <- simulate(posterior(slides_publication()), nsim = 20, seed = 1)
  kept <- vapply(draws, function(x) identical(rowSums(as.table(x)), rowSums(roehrig)), NA)
  all(cells$guess >= 0, cells$guess <= 1, cells$variance > 0, kept)
}

# ---- three variables --------------------------------------------------------------------------

slides_cycles <- function() cycles_margin(array(0, c(4, 4, 3)), set = "diagonal")

# Level k of cycle c holds the diagonals s = j - i of a_k + c and of a_(k + 1) + c, a = (0, 1, 2).
diagonals_by_hand <- function() {
  moves <- as.list(slides_cycles())
  same <- vapply(0:3, function(c) {
    s <- outer(0:3, 0:3, function(i, j) j - i - c) %% 4
    wanted <- vapply(0:2, function(k) (s == k) - (s == (k + 1) %% 3), matrix(0, 4, 4))
    all(moves[[c + 1]] == wanted)
  }, NA)
  c(all(same), near(lengths(lapply(moves, function(move) which(move != 0))), 24))
}

three_way_properties <- function() {
  moves <- as.list(slides_cycles())
  pairs <- list(1:2, c(1, 3), 2:3)
  kept <- vapply(moves, function(move) {
    all(vapply(pairs, function(m) all(apply(unclass(move), m, sum) == 0), NA))
  }, NA)
  two <- Reduce(`+`, lapply(moves, abs)) == 2
  same <- all.equal(as.list(cycles_margin(replacement_table(), set = "diagonal")), moves,
                    check.attributes = FALSE)
  c(all(kept), all(two), isTRUE(same))
}

# Stands for the table that the copy does not show legibly: large counts among small ones.
replacement_table <- function() {
  array(c(1, 2, 4, 2, 4, 3, 4, 10, 66, 12, 3, 3, 3, 7, 1, 10,
          2, 28, 5, 3, 3, 4, 6, 12, 2, 78, 61, 6, 68, 3, 3, 13,
          4, 4, 4, 55, 80, 2, 45, 4, 2, 2, 9, 8, 11, 3, 7, 6), c(4, 4, 3))
}

perturbed_three_way <- function() {
  x <- replacement_table()
  set <- cycles_margin(x, set = "diagonal")
  y <- as.table(publish(perturb(x, mechanism(set), seed = 1, insist = TRUE), insist = TRUE))
  kept <- vapply(list(1:2, c(1, 3), 2:3), function(m) {
    all(apply(y, m, sum) == apply(x, m, sum))
  }, NA)
  c(all(kept), bayes_by_hand(unclass(y), set))
}

count_three_way <- function() {
  x <- array(30, c(4, 4, 3))
  pub <- publication(x, mechanism(cycles_margin(x, set = "diagonal"), 1 / 3, 1 / 3))
  as.character(count_originals(posterior(pub)))
}
