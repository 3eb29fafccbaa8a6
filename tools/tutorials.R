# Writes the tutorials in inst/tutorials from the exercises in inst/exercises, with the titles of
# the chapters. Run it from the checkout, with the present package installed:
#   Rscript tools/tutorials.R
source(system.file("scripts", "exercises.R", package = "sdcLattice"))
exercise_file <- function(...) file.path("inst", "exercises", ...)

title_of <- function(chapter) {
  lines <- readLines(file.path("vignettes", paste0(chapter, ".Rmd")), n = 10)
  line <- grep("^title:", lines, value = TRUE)[[1]]
  gsub("^title: *\"|\" *$", "", line)
}

for (chapter in exercise_chapters()) {
  place <- file.path("inst", "tutorials", chapter)
  dir.create(place, showWarnings = FALSE, recursive = TRUE)
  writeLines(tutorial_lines(chapter, title_of(chapter)), file.path(place, paste0(chapter, ".Rmd")))
  cat(chapter, "\n")
}
