# Large tables of magnitudes: branches of four levels by regions of three by size classes, p percent,
# and enterprises with several units each. Processor times of suppression, of its check with the
# question about sums of suppressed cells, and of publication.
#   Rscript inst/bench/suppress-enterprises.R 12000 60   # records, time limit of the search

suppressPackageStartupMessages(library(sdcLattice))

nested <- function(sizes, top) {
  nodes <- top
  out <- NULL
  for (size in sizes) {
    parts <- as.vector(t(outer(nodes, seq_len(size), paste, sep = ".")))
    out <- rbind(out, data.frame(parent = rep(nodes, each = size), child = parts))
    nodes <- parts
  }
  list(tree = out, leaves = nodes)
}

enterprises <- function(n) {
  breadth <- round(3 * (n / 12000)^(1 / 3))
  branch <- nested(c(2 * breadth, 3, 3), "all")
  region <- nested(c(breadth + 1, 4), "country")
  share <- function(leaves, spread) exp(stats::rnorm(length(leaves), 0, spread))
  size <- sample(5, n, TRUE, .4^(1:5))
  records <- data.frame(
    branch = sample(branch$leaves, n, TRUE, share(branch$leaves, 1.2)),
    region = sample(region$leaves, n, TRUE, share(region$leaves, .7)),
    size = paste0("s", size), turnover = ceiling(exp(stats::rnorm(n, 3 + size))),
    firm = sample(ceiling(.95 * n), n, TRUE)
  )
  magnitude_table(records, c("branch", "region", "size"), "turnover", contributorVar = "firm",
                  hierarchies = list(branch = branch$tree, region = region$tree))
}

seconds <- function(code) sprintf("%.1f s", sum(system.time(code)[c("user.self", "sys.self")]))
asked <- as.numeric(commandArgs(TRUE))
set.seed(1)
table <- enterprises(asked[1])
searched <- seconds(su <- suppress(table, rule_p_percent(10), total_cost = 1,
                                   time_limit_s = asked[2], progress = FALSE))
print(su)
cat("cells and totals:", sum(su$cells$total != 0), "\nsuppress():", searched, "\n")
cat("verify_suppression():", seconds(checked <- verify_suppression(su)), "\n")
cat("certified:", checked$verified, "\n")
if (checked$verified) cat("publish():", seconds(publish(su)), "\n")
