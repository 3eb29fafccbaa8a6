# The exercises of a chapter are in one file, inst/exercises/<chapter>.Rmd, and are shown in two
# places: at the end of the chapter, with their solutions folded away, and as an interactive
# tutorial (package learnr), in inst/tutorials. Such a file looks like this:
#
#   ```{r setup}
#   x <- sdc_table(roehrig)        what all exercises of the chapter start from
#   ```
#
#   ## The title of the first exercise
#
#   The question.
#
#   ```{r}
#   sum(x)                         the solution: its last value is the answer
#   ```
#
#   What there is to say about the answer, with numbers computed: `r sum(x)`.
#
# tools/tutorials.R writes the tutorials.

exercise_chapters <- function() {
  tools::file_path_sans_ext(list.files(exercise_file(), "[.]Rmd$"))
}

exercise_file <- function(...) system.file("exercises", ..., package = "sdcLattice")

# A list with `setup`, lines of code, and `exercises`, each with title, question, code and answer.
read_exercises <- function(chapter) {
  lines <- readLines(exercise_file(paste0(chapter, ".Rmd")), encoding = "UTF-8")
  part <- cumsum(grepl("^## ", lines))
  setup <- chunk_of(lines[part == 0], chapter)
  list(setup = setup$code, exercises = lapply(seq_len(max(part)), function(i) {
    read_exercise(lines[part == i], paste(chapter, i))
  }))
}

read_exercise <- function(lines, name) {
  found <- chunk_of(lines[-1], name)
  list(title = sub("^## ", "", lines[[1]]), question = found$before, code = found$code,
       answer = found$after)
}

# The one chunk among the lines, and the text before and after it.
chunk_of <- function(lines, name) {
  fence <- grep("^```", lines)
  if (length(fence) != 2) stop("Exercise ", name, " must have one chunk of code.")
  list(before = without_margin(lines[seq_len(fence[[1]] - 1)]),
       code = lines[seq_len(diff(fence) - 1) + fence[[1]]],
       after = without_margin(lines[-seq_len(fence[[2]])]))
}

# Without the empty lines at both ends.
without_margin <- function(lines) {
  full <- which(nzchar(trimws(lines)))
  if (length(full) == 0) character() else lines[min(full):max(full)]
}

# ---- in the chapter -----------------------------------------------------------------------------

# The exercises as Markdown, in which knitr has run all solutions: for a chunk with
# results = "asis".
exercises <- function(chapter) {
  all <- read_exercises(chapter)
  lines <- c("```{r}", all$setup, "```", "")
  for (i in seq_along(all$exercises)) lines <- c(lines, exercise_lines(all$exercises[[i]], i))
  cat(knitr::knit_child(text = lines, envir = knitr::knit_global(), quiet = TRUE), sep = "\n")
}

exercise_lines <- function(exercise, number) {
  c(sprintf("**Exercise %d: %s.**", number, sub("[.]$", "", exercise$title)), exercise$question, "",
    "<details><summary>Solution</summary>", "", "```{r}", exercise$code, "```", "",
    exercise$answer, "", "</details>", "")
}

# ---- as a tutorial ------------------------------------------------------------------------------

# The lines of a tutorial for learnr::run_tutorial().
tutorial_lines <- function(chapter, title) {
  all <- read_exercises(chapter)
  head <- c(
    "---", sprintf("title: \"Exercises: %s\"", title), "output:",
    "  learnr::tutorial:", "    mathjax: null", "    pandoc_args: \"--mathml\"",
    "runtime: shiny_prerendered", sprintf("description: \"Exercises of the chapter %s\"", chapter),
    "---", "", "```{r setup, include = FALSE}", "library(learnr)", "library(sdcLattice)",
    "source(system.file(\"scripts\", \"exercises.R\", package = \"sdcLattice\"))",
    "tutorial_options(exercise.checker = check_exercise)", "```", "",
    sprintf("These exercises belong to `vignette(\"%s\", package = \"sdcLattice\")`.", chapter),
    "Each starts from these objects:", "",
    "```{r start}", all$setup, "```", ""
  )
  c(head, unlist(lapply(seq_along(all$exercises), function(i) {
    tutorial_exercise(all$exercises[[i]], sprintf("%s-%d", chapter, i), i)
  })))
}

tutorial_exercise <- function(exercise, label, number) {
  c(sprintf("## %d. %s", number, exercise$title), "", exercise$question, "",
    sprintf("```{r %s, exercise = TRUE, exercise.setup = \"start\"}", label), "", "```", "",
    sprintf("```{r %s-solution}", label), exercise$code, "```", "",
    sprintf("```{r %s-check}", label), exercise$code, "```", "")
}

# Compares the last value of a reader's code with that of the solution. What the book says about the
# answer is shown with the verdict.
check_exercise <- function(label = NULL, check_code = NULL, envir_prep = globalenv(),
                           last_value = NULL, ...) {
  if (is.null(check_code)) return(list(message = "", correct = TRUE, location = "append"))
  inside <- new.env(parent = envir_prep)
  expected <- eval(parse(text = check_code), inside)
  correct <- same_answer(last_value, expected)
  said <- if (correct) answer_text(label, inside) else "The solution gives another value."
  list(message = said, correct = correct, type = if (correct) "success" else "error",
       location = "append")
}

same_answer <- function(found, expected) {
  isTRUE(all.equal(plain_answer(found), plain_answer(expected), check.attributes = FALSE))
}

# Results of the package are compared as data frames, numbers without their names.
plain_answer <- function(x) {
  if (inherits(x, "sdc_object")) x <- tryCatch(as.data.frame(x), error = function(e) format(x))
  if (is.data.frame(x)) as.list(x) else if (is.atomic(x)) as.vector(x) else x
}

answer_text <- function(label, envir) {
  chapter <- sub("-[0-9]+$", "", label)
  number <- as.integer(sub("^.*-", "", label))
  answer <- read_exercises(chapter)$exercises[[number]]$answer
  paste(c("Correct.", knitr::knit(text = answer, envir = envir, quiet = TRUE)), collapse = " ")
}
