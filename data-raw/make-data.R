# Makes the files of data/ from the published tables and the prepared survey files.
# Run from the root of the package with the package installed; the survey files are expected in
# ../shared/data: one row for each non-zero cell, codes of the variables and a count, and a
# codebook.
library(sdcLattice)

shared <- Sys.getenv("SDC_SHARED", file.path("..", "shared"))

save_data <- function(name, value) {
  assign(name, value)
  save(list = name, file = file.path("data", paste0(name, ".rda")), compress = "xz", version = 3)
}

roehrig <- as.table(matrix(
  as.integer(c(15, 1, 3, 1, 20, 10, 10, 15, 3, 10, 10, 2, 12, 14, 7, 2)),
  nrow = 4, byrow = TRUE, dimnames = list(row = 1:4, column = 1:4)
))
save_data("roehrig", roehrig)

downloads <- as.table(matrix(
  c(15L, 5L, 10L, 20L), nrow = 2,
  dimnames = list(Sex = c("Male", "Female"), Download = c("Yes", "No"))
))
save_data("downloads", downloads)

# Printed with Recovery across, then Treatment, Status and Center, the last slowest.
koch_printed <- array(
  as.integer(c(
    3, 20, 5, 11, 14, 8, 3, 14, 12, 6, 13, 5,
    12, 12, 0, 11, 10, 0, 3, 9, 4, 6, 9, 3
  )),
  c(3, 2, 2, 2),
  list(
    Recovery = c("Poor", "Modest", "Excellent"), Treatment = 1:2, Status = 1:2, Center = 1:2
  )
)
save_data("koch", as.table(aperm(koch_printed, 4:1)))

# Table 2 of the report, whose letters run the other way round: there A is smoking and F is family
# history. Here the letters are those of Table 3 and section 5.2.
yes_no <- c("no", "yes")
czech_printed <- array(
  as.integer(c(
    44, 40, 112, 67, 129, 145, 12, 23, 35, 12, 80, 33, 109, 67, 7, 9,
    23, 32, 70, 66, 50, 80, 7, 13, 24, 25, 73, 57, 51, 63, 7, 16,
    5, 7, 21, 9, 9, 17, 1, 4, 4, 3, 11, 8, 14, 17, 5, 2,
    7, 3, 14, 14, 9, 16, 2, 3, 4, 0, 13, 11, 5, 14, 4, 4
  )),
  rep(2, 6),
  list(F = yes_no, E = yes_no, D = yes_no, C = c("< 140", ">= 140"), B = c("< 3", ">= 3"),
       A = c("negative", "positive"))
)
save_data("czech_workers", as.table(aperm(czech_printed, 6:1)))

read_survey <- function(name) {
  book <- jsonlite::fromJSON(file.path(shared, "data", paste0(name, "_codebook.json")),
                             simplifyVector = FALSE)
  cells <- utils::read.csv(gzfile(file.path(shared, "data", paste0(name, ".csv.gz"))))
  for (variable in book$variables) {
    labels <- unlist(variable$labels)
    stopifnot(length(labels) == variable$categories)
    cells[[variable$name]] <- factor(labels[cells[[variable$name]]], labels)
  }
  x <- sdc_table(cells, freqVar = "count")
  stopifnot(sum(x) == book$records, length(x) == book$cells,
            identical(names(dimnames(x)), vapply(book$variables, function(v) v$name, "")))
  x
}
save_data("cps13", read_survey("cps13"))
save_data("cps14", read_survey("cps14"))

# Trees of our own over four of its variables, from coarse to fine; the last column has the levels.
trees_of_survey <- function() {
  trees <- list(
    age = list(stage = rep(c("under 25", "25-54", "55 and over"), c(1, 3, 1))),
    education = list(
      school = rep(c("up to high school", "beyond high school"), c(4, 5)),
      degree = rep(c("no diploma", "high school graduate", "some college or associate degree",
                     "bachelor degree", "higher degree"), c(3, 1, 2, 1, 2))
    ),
    industry = list(sector = rep(c("goods", "services", "public, or none"), c(1, 3, 1))),
    occupation = list(
      work = rep(c("none or armed forces", "civilian occupation"), c(1, 7)),
      group = rep(c("none or armed forces", "managers and professionals", "sales and office",
                    "service and manual"), c(1, 3, 2, 2))
    )
  )
  levels <- dimnames(read_survey("cps14"))[names(trees)]
  Map(function(tree, leaves, name) {
    tree[[name]] <- leaves
    as.data.frame(tree)
  }, trees, levels, names(trees))
}
save_data("cps14_trees", trees_of_survey())

# Firms of invented towns: what an office tabulates, small enough to be read.
set.seed(21)
towns <- data.frame(
  region = rep(c("North", "South"), c(5, 6)),
  county = rep(c("Coast", "Hills", "Plain", "River"), c(3, 2, 4, 2)),
  town = c("Arden", "Bray", "Corby", "Dale", "Elm", "Ford", "Glen", "Hythe", "Ives", "Jarrow",
           "Kirk")
)
branches <- data.frame(
  sector = rep(c("industry", "services"), c(3, 4)),
  branch = c("food", "metal", "wood", "finance", "hotels", "retail", "transport")
)
n_firms <- 160
at <- sample(11, n_firms, TRUE, c(9, 3, 2, 6, 2, 8, 5, 1, 4, 3, 2))
what <- sample(7, n_firms, TRUE, c(3, 4, 2, 1, 3, 6, 4))
town_firms <- cbind(towns[at, ], branches[what, ])
town_firms$firm <- sprintf("f%03d", seq_len(n_firms))
town_firms$turnover <- round(exp(rnorm(n_firms, 3.5, 1.1))) + 1
town_firms$weight <- ifelse(town_firms$turnover > 60, 1, sample(c(2, 2.5, 4), n_firms, TRUE))
rownames(town_firms) <- NULL
save_data("town_firms", town_firms)
