# Computes the risk-utility maps of the vignette designs, some minutes of one processor, and
# stores them. Run it from the checkout with the present package installed:
#   Rscript data-raw/vignette-maps.R
library(sdcLattice)

some_margins <- function(total) {
  spread <- function(n, label) {
    share <- seq(1, 2, length.out = n)
    counts <- floor(total * share / sum(share))
    counts[[n]] <- counts[[n]] + total - sum(counts)
    setNames(counts, paste0(label, seq_len(n)))
  }
  list(row = spread(12, "r"), column = spread(12, "c"))
}
dense <- synthetic_table(some_margins(1440), seed = 1)
small_counts <- synthetic_table(some_margins(430), seed = 1)
sparse <- synthetic_table(some_margins(150), seed = 1)
whole <- list(
  bidiagonal = cycles_bidiagonal(dense), pairs = cycles_banded(dense, group = 2, seed = 1)
)
swept <- list(triads = cycles_banded(dense, seed = 1, open = TRUE))
skipping <- list(`skipping triads` = cycles_banded(dense, seed = 1, skip_zeros = TRUE))
compare <- function(x, small) {
  rules <- c("blocked", "nonnegative")
  one <- tune(x, whole, covers = 2, zero_rule = rules, replicates = 12, small = small)
  two <- tune(x, swept, zero_rule = rules, replicates = 12, small = small)
  three <- tune(x, skipping, replicates = 12, small = small)
  columns <- c("set", "zero_rule", "guess_small", "insider_cell", "abs_change", "bias_zero")
  out <- do.call(rbind, lapply(list(one, two, three), function(t) as.data.frame(t)[columns]))
  out[order(out$guess_small), ]
}
maps <- rbind(
  cbind(table = "small counts", compare(small_counts, 1:2)),
  cbind(table = "sparse", compare(sparse, 1:2)),
  cbind(table = "dense (counts 1 to 5)", compare(dense, 1:5))
)
rownames(maps) <- NULL
place <- file.path("inst", "extdata", "vignette-maps.rds")
dir.create(dirname(place), showWarnings = FALSE)
saveRDS(maps, place, version = 2)
print(maps, digits = 2)
