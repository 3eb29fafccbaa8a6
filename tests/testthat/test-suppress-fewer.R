# Certified suppression of the tables with which GaussSuppression and SSBtools explain theirs: never
# more secondary cells than theirs, asked for the same, where theirs is safe over whole numbers.

# One tree: levels in groups, groups in the total.
two_tiers <- function(level, group) {
  pairs <- unique(data.frame(parent = as.character(group), child = as.character(level)))
  rbind(data.frame(parent = "all", child = unique(pairs$parent)), pairs)
}

peer_tables <- function() {
  example <- ssb_data("example1")
  firms <- ssb_data("magnitude1")
  firms$n <- 1
  europe <- function(data) list(geo = two_tiers(data$geo, data$eu))
  counted <- function(data, variables, freq, maxN, trees = NULL) {
    cells <- stats::aggregate(data[freq], data[variables], sum)
    list(x = sdc_table(cells, variables, freqVar = freq), maxN = maxN, hierarchies = trees)
  }
  list(
    example1 = counted(example, c("age", "geo", "year"), "freq", 3, europe(example)),
    mun_accidents = counted(ssb_data("mun_accidents"), c("mun", "inj"), "freq", 5),
    magnitude1 = counted(firms, c("sector4", "geo"), "n", 1, c(
      europe(firms), list(sector4 = two_tiers(firms$sector4, firms$sector2)))),
    z1 = counted(ssb_data("z1"), c("region", "hovedint"), "ant", 5)
  )
}

test_that("oracle: no more cells than GaussSuppression wherever its pattern is safe", {
  skip_if_not_installed("GaussSuppression")
  skip_if_not_installed("SSBtools")
  secondary <- function(su) sum(su$cells$sdcStatus == "x")
  n_safe <- 0
  for (name in names(peer_tables())) {
    case <- peer_tables()[[name]]
    certify <- function(...) {
      suppressWarnings(classes = "sdc_warning_unsafe", do.call(suppress, c(case, list(
        ..., method = "certified", total_cost = 1, time_limit_s = .5
      ))))
    }
    # for readers of the publication, and by its default for single contributors, too
    for (readers in list("outsider", c("outsider", "contributor"))) {
      own <- certify(readers = readers)
      expect_identical(nrow(own$lacking), 0L, info = name)
      other <- silent(do.call(chosen, c(case, if (length(readers) == 1) list(singletonMethod = "none"))))
      expect_identical(own$cells$sdcStatus == "u", other$cells$sdcStatus == "u", info = name)
      judged <- certify(readers = readers, pattern = as.data.frame(other))
      if (nrow(judged$lacking) > 0) next
      n_safe <- n_safe + 1
      expect_lte(secondary(own), secondary(other))
      expect_lte(own$bound, secondary(other))
    }
  }
  expect_gte(n_safe, 4)
})
