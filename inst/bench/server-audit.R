# What a reader who knows the policy learns from refusals: all 2 x 2 x 2 tables with N records whose
# one-way tables are safe, the requests AB, AC, BC in this order, any of them allowed.
#   Rscript server-audit.R [records, 9 and 12 unless given]
# Exchanging the two levels of a variable changes nothing: one table of each such class is judged.

args <- commandArgs(trailingOnly = TRUE)
records <- if (length(args) > 0) as.numeric(args) else c(9, 12)
suppressPackageStartupMessages(library(sdcLattice))
learn <- asNamespace("sdcLattice")$policy_learns

all_tables <- function(n, cells) {
  if (cells == 1) {
    return(matrix(n))
  }
  do.call(rbind, lapply(0:n, function(i) cbind(i, all_tables(n - i, cells - 1), deparse.level = 0)))
}

# One table of each class, and how many it stands for.
classes <- function(n) {
  tables <- all_tables(n, 8)
  cell <- array(1:8, c(2, 2, 2))
  flips <- expand.grid(rep(list(list(1:2, 2:1)), 3))
  number <- function(t) as.vector(t %*% (n + 1)^(0:7))
  least <- do.call(pmin, lapply(seq_len(nrow(flips)), function(f) {
    number(tables[, cell[flips[[1]][[f]], flips[[2]][[f]], flips[[3]][[f]]]])
  }))
  first <- which(number(tables) == least)
  list(tables = tables[first, ], weight = as.vector(table(least)[as.character(least[first])]))
}

names <- list(A = 1:2, B = 1:2, C = 1:2)
for (n in records) {
  all <- classes(n)
  for (beta in 2:3) {
    told <- lapply(seq_len(nrow(all$tables)), function(i) {
      counts <- all$tables[i, ]
      # nothing at risk: the server starts, and everything is released
      if (!any(counts %in% 1:2)) {
        return(list(broken = FALSE, exact = FALSE, out = 3, refused = FALSE))
      }
      x <- sdc_table(array(counts, c(2, 2, 2), names))
      found <- tryCatch(learn(x, list(1:2, c(1, 3), 2:3), beta, rule = "myopic", needs_risk = FALSE),
                        sdc_error_infeasible = function(e) NULL)
      if (is.null(found)) {
        return(NULL)
      }
      cells <- found$cells
      list(broken = any(cells$broken), exact = any(cells$lower_aware == cells$upper_aware),
           out = sum(found$answers == "released"), refused = any(found$answers == "refused"))
    })
    starts <- !vapply(told, is.null, NA)
    weight <- all$weight[starts]
    share <- function(what) {
      value <- vapply(told[starts], function(t) as.numeric(t[[what]]), 1)
      sum(value * weight) / sum(weight)
    }
    quiet <- !vapply(told[starts], `[[`, NA, "refused")
    broken <- vapply(told[starts], `[[`, NA, "broken")
    cat(sprintf(paste0("N = %d, beta = %d: %d of %d tables start; promise broken in %.1f %%, a cell exactly ",
                       "known in %.1f %%; %.2f of 3 released; broken without a refusal: %d\n"),
                n, beta, sum(weight), sum(all$weight), 100 * share("broken"), 100 * share("exact"),
                share("out"), sum(broken & quiet)))
  }
}
