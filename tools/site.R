# Builds the site: the home page, the book and the help, with pkgdown. No page loads anything from
# the network: the look, the search and the formulas come with the site, which works from files.
# The last step checks that. Run it from the checkout, with the present package installed:
#   Rscript tools/site.R [folder] [quick]
# "quick" runs no examples and builds one chapter.

arguments <- commandArgs(trailingOnly = TRUE)
quick <- "quick" %in% arguments
folder <- c(setdiff(arguments, "quick"), "docs")[[1]]
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
folder <- normalizePath(folder)
options(pkgdown.internet = FALSE)

# A copy of the checkout, in which the chapters keep their own format (formulas in MathML) and the
# tutorials are left out: pkgdown looks for them on a public server.
copy_checkout <- function() {
  copy <- tempfile("site")
  dir.create(copy)
  known <- c("ls-files", "--cached", "--others", "--exclude-standard")
  files <- system2("git", known, stdout = TRUE)
  files <- files[file.exists(files) & !grepl("^(inst/tutorials|tests|src)/", files)]
  for (place in unique(dirname(files))) dir.create(file.path(copy, place), FALSE, TRUE)
  file.copy(files, file.path(copy, files))
  for (file in list.files(file.path(copy, "vignettes"), "[.]Rmd$", full.names = TRUE)) {
    lines <- readLines(file, encoding = "UTF-8")
    writeLines(append(lines, c("pkgdown:", "  as_is: true"), after = 1), file, useBytes = TRUE)
  }
  copy
}

build_pages <- function(copy) {
  package <- pkgdown::as_pkgdown(copy, override = list(destination = folder))
  pkgdown::init_site(package)
  pkgdown::build_home(package, preview = FALSE)
  pkgdown::build_reference(package, examples = !quick, preview = FALSE, devel = FALSE)
  pkgdown::build_news(package, preview = FALSE)
  if (quick) {
    pkgdown::build_articles_index(package)
    pkgdown::build_article("start-here", package)
  } else {
    pkgdown::build_articles(package, preview = FALSE)
  }
  # The page for wrong addresses exists on a server only, under the address of the site.
  unlink(file.path(folder, c("pkgdown.js", "sitemap.xml", "404.html")))
}

# ---- after pkgdown ------------------------------------------------------------------------------

read_text <- function(file) {
  paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
}

# All pages but the explorer, which pkgdown has not made.
pages <- function() setdiff(list.files(folder, "[.]html$", recursive = TRUE), "explorer.html")

# Links of R's own functions lead to a public server: the words stay, the links go.
without_outer_help <- function() {
  for (page in file.path(folder, pages())) {
    text <- gsub("<a href=['\"]https://(rdrr[.]io|pkgdown[.]r-lib[.]org)[^>]*>(.*?)</a>", "\\2",
                 read_text(page), perl = TRUE)
    writeLines(text, page, useBytes = TRUE)
  }
}

# One entry for each heading of each page, with the text below it.
write_index <- function() {
  entries <- do.call(rbind, lapply(pages(), function(page) {
    html <- xml2::read_html(file.path(folder, page))
    title <- xml2::xml_text(xml2::xml_find_first(html, "//h1"))
    heads <- xml2::xml_find_all(html, "//main//*[self::h1 or self::h2 or self::h3]")
    if (length(heads) == 0) return(NULL)
    # What follows is found by the section around it, or by the paragraphs up to the next heading.
    text <- vapply(heads, function(head) {
      near <- xml2::xml_find_all(head, "following-sibling::*[position() <= 6]")
      substr(paste(xml2::xml_text(near), collapse = " "), 1, 400)
    }, "")
    id <- vapply(heads, function(head) {
      own <- xml2::xml_attr(head, "id")
      if (is.na(own)) own <- xml2::xml_attr(xml2::xml_parent(head), "id")
      own
    }, "")
    data.frame(page = title, head = trimws(xml2::xml_text(heads)), text = gsub("\\s+", " ", text),
               path = paste0(page, ifelse(is.na(id), "", paste0("#", id))))
  }))
  json <- jsonlite::toJSON(entries, dataframe = "rows")
  writeLines(paste0("window.searchIndex = ", json, ";"), file.path(folder, "search-index.js"),
             useBytes = TRUE)
  unlink(file.path(folder, "search.json"))
  nrow(entries)
}

# What a browser loads when it shows a page: scripts, styles, pictures, frames.
network_loads <- function(file) {
  text <- read_text(file)
  loads <- "<(script|img|iframe|source|embed)[^>]*\\ssrc=[\"']?(https?:)?//[^\"' >]*"
  styles <- "<link[^>]*href=[\"']?(https?:)?//[^\"' >]*|@import[^;]*|url\\([\"']?(https?:)?//[^)]*"
  unlist(regmatches(text, gregexpr(paste(loads, styles, sep = "|"), text, perl = TRUE)))
}

check_site <- function() {
  files <- list.files(folder, "[.](html|css)$", recursive = TRUE)
  loads <- lapply(file.path(folder, files), network_loads)
  bad <- lengths(loads) > 0
  for (i in which(bad)) cat(files[[i]], ":", unique(loads[[i]]), "\n")
  cat(sum(!bad), " passed, ", sum(bad), " failed\n", sep = "")
  quit(status = as.integer(any(bad) || length(files) < 10))
}

build_pages(copy_checkout())
sdcLattice::explore(file = file.path(folder, "explorer.html"), open = FALSE)
without_outer_help()
cat(write_index(), "headings can be searched for\n")
check_site()
