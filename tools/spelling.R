# Spells the words of help, vignettes, README and the other pages, and of the texts in R/ and in the
# core, in British English. Words of the field and names are in inst/WORDLIST.
#   Rscript tools/spelling.R        prints the words that it does not know, and where they are
# Exits with 1 when there are any.

pages <- c(
  list.files("man", "[.]Rd$", full.names = TRUE),
  list.files("vignettes", "[.]Rmd$", full.names = TRUE), list.files(pattern = "[.]md$")
)
known <- readLines(file.path("inst", "WORDLIST"), encoding = "UTF-8")

# What users read of an R file: its strings of several words, without code in them.
texts_of_r <- function(file) {
  data <- utils::getParseData(parse(file, keep.source = TRUE, encoding = "UTF-8"))
  texts <- utils::getParseText(data, data$id[data$token == "STR_CONST"])
  texts[lengths(strsplit(texts, " ", fixed = TRUE)) >= 3]
}

texts_of_core <- function(file) {
  lines <- grep("^\\s*(//|#)", readLines(file, encoding = "UTF-8"), invert = TRUE, value = TRUE)
  texts <- unlist(regmatches(lines, gregexpr("\"[^\"]*\"", lines)))
  texts[lengths(strsplit(texts, " ", fixed = TRUE)) >= 3]
}

without_code <- function(text) {
  text <- gsub("\\{[.][a-z]+ [^{}]*(\\{[^{}]*\\})?[^{}]*\\}|\\{[^{}]*\\}", " ", text)
  gsub("`[^`]*`|\\[[^]]*\\]|https?:[^ ]*|\\\\[nt]", " ", text)
}

unknown_in <- function(files, texts_of) {
  found <- lapply(files, function(file) {
    words <- unlist(hunspell::hunspell(without_code(texts_of(file)), dict = "en_GB", ignore = known))
    if (length(words)) data.frame(word = unique(words), found = file)
  })
  do.call(rbind, found)
}

in_pages <- spelling::spell_check_files(pages, ignore = known, lang = "en_GB")
in_pages <- data.frame(
  word = in_pages$word, found = vapply(in_pages$found, paste, "", collapse = ", ")
)
code <- setdiff(list.files("R", "[.]R$", full.names = TRUE), "R/RcppExports.R")
core <- list.files("src", "[.][ch]pp$", recursive = TRUE, full.names = TRUE)
core <- grep("^src/(RcppExports|bundles/)", core, invert = TRUE, value = TRUE)
all <- rbind(in_pages, unknown_in(code, texts_of_r), unknown_in(core, texts_of_core))
if (NROW(all) > 0) cat(paste0(all$word, ": ", all$found), sep = "\n")
cat(NROW(all), "unknown words\n")
quit(status = as.integer(NROW(all) > 0))
