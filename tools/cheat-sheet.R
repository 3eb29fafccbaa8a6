# Draws the cheat sheet, inst/book/cheat-sheet.csv, on one page: inst/book/cheat-sheet.svg and .pdf.
# Run it from the checkout:
#   Rscript tools/cheat-sheet.R

book <- file.path("inst", "book")
sheet <- utils::read.csv(file.path(book, "cheat-sheet.csv"))
page <- c(width = 842, height = 595)
columns <- 2
colour <- c(title = "#1f5a96", part = "#1f5a96", task = "#444444", call = "#111111")
size <- c(title = 20, part = 12, task = 8.5, call = 8.5)

# Where each text stands, in points from the upper left corner: one row each.
layout <- function() {
  out <- data.frame(kind = "title", x = 30, y = 36, text = "sdcLattice: one page")
  parts <- split(seq_len(nrow(sheet)), factor(sheet$part, unique(sheet$part)))
  height <- 24 + 23 * lengths(parts)
  column <- ceiling(cumsum(height) / (sum(height) / columns + 30))
  column <- pmin(column, columns)
  for (k in seq_len(columns)) {
    y <- 62
    x <- 30 + (k - 1) * (page[["width"]] - 40) / columns
    for (part in names(parts)[column == k]) {
      out <- rbind(out, data.frame(kind = "part", x = x, y = y, text = part))
      for (i in parts[[part]]) {
        y <- y + 23
        out <- rbind(out, data.frame(kind = c("task", "call"), x = x, y = y + c(-9, 1),
                                     text = c(sheet$task[[i]], sheet$call[[i]])))
      }
      y <- y + 24
    }
  }
  out
}

escape <- function(text) {
  text <- gsub("&", "&amp;", text, fixed = TRUE)
  gsub("<", "&lt;", gsub(">", "&gt;", text, fixed = TRUE), fixed = TRUE)
}

write_svg <- function(texts, path) {
  family <- ifelse(texts$kind == "call", "monospace", "sans-serif")
  weight <- ifelse(texts$kind %in% c("title", "part"), "bold", "normal")
  lines <- sprintf(
    paste0("<text x=\"%.0f\" y=\"%.0f\" font-family=\"%s\" font-weight=\"%s\" ",
           "font-size=\"%.1f\" fill=\"%s\">%s</text>"),
    texts$x, texts$y, family, weight, size[texts$kind], colour[texts$kind], escape(texts$text)
  )
  head <- "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">"
  head <- sprintf(head, page[["width"]], page[["height"]])
  writeLines(c(head, "<title>sdcLattice: the calls of daily work on one page</title>",
               "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>", lines, "</svg>"), path)
}

write_pdf <- function(texts, path) {
  grDevices::pdf(path, page[["width"]] / 72, page[["height"]] / 72, title = "sdcLattice: one page")
  graphics::par(mar = c(0, 0, 0, 0), xaxs = "i", yaxs = "i")
  graphics::plot.new()
  graphics::plot.window(c(0, page[["width"]]), c(page[["height"]], 0))
  for (kind in names(size)) {
    some <- texts[texts$kind == kind, ]
    graphics::text(some$x, some$y, some$text, adj = c(0, 0), cex = size[[kind]] / 12,
                   col = colour[[kind]], family = if (kind == "call") "mono" else "sans",
                   font = if (kind %in% c("title", "part")) 2 else 1)
  }
  invisible(grDevices::dev.off())
}

texts <- layout()
stopifnot(all(texts$y < page[["height"]] - 10))
write_svg(texts, file.path(book, "cheat-sheet.svg"))
write_pdf(texts, file.path(book, "cheat-sheet.pdf"))
