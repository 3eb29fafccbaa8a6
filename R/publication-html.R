# Pages in HTML that need no other file.

html_page <- function(title, body) {
  c(
    "<!DOCTYPE html>",
    "<html lang=\"en\">",
    "<head>",
    "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    paste0("<title>", escape_html(title), "</title>"),
    "<style>", report_style(), "</style>",
    "</head>",
    "<body>",
    "<main>",
    paste0("<h1>", escape_html(title), "</h1>"),
    body,
    "</main>",
    "</body>",
    "</html>"
  )
}

html_heading <- function(text) paste0("<h2>", escape_html(text), "</h2>")

html_subheading <- function(text) paste0("<h3>", escape_html(text), "</h3>")

html_text <- function(...) paste0("<p>", escape_html(paste0(...)), "</p>")

html_code <- function(lines) {
  c("<pre><code>", escape_html(lines), "</code></pre>")
}

escape_html <- function(x) {
  x <- gsub("&", "&amp;", as.character(x), fixed = TRUE)
  x <- gsub("<", "&lt;", x, fixed = TRUE)
  x <- gsub(">", "&gt;", x, fixed = TRUE)
  gsub("\"", "&quot;", x, fixed = TRUE)
}

html_list <- function(items) {
  c("<ul>", paste0("<li>", escape_html(items), "</li>"), "</ul>")
}

html_figure <- function(file, alt, caption) {
  paste0("<figure><img src=\"", file, "\" alt=\"", alt, "\"><figcaption>", caption,
         "</figcaption></figure>")
}

# A picture that is a part of the page. `svg`: its lines.
html_picture <- function(svg, caption) {
  c("<figure>", svg, paste0("<figcaption>", escape_html(caption), "</figcaption></figure>"))
}

# The first column heads its rows.
html_table <- function(columns, header, caption) {
  body <- lapply(columns, escape_html)
  body[[1]] <- paste0("<th scope=\"row\">", body[[1]], "</th>")
  body[-1] <- lapply(body[-1], function(cell) paste0("<td>", cell, "</td>"))
  c(
    "<div class=\"scroll\"><table>",
    paste0("<caption>", escape_html(caption), "</caption>"),
    paste0("<thead><tr>", paste0("<th scope=\"col\">", escape_html(header), "</th>", collapse = ""),
           "</tr></thead>"),
    "<tbody>",
    paste0("<tr>", do.call(paste0, unname(body)), "</tr>"),
    "</tbody></table></div>"
  )
}

report_style <- function() {
  c(
    ":root { color-scheme: light dark; --line: #8886; }",
    "body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }",
    "main { max-width: 60rem; margin: 0 auto; padding: 1rem; }",
    "img { max-width: 100%; height: auto; background: white; }",
    "svg { max-width: 100%; height: auto; } svg text { fill: currentColor; font-size: 12px; }",
    "@media print { figure { break-inside: avoid; } }",
    "figure { margin: 1.5rem 0; } figcaption, caption { text-align: left; opacity: .8; }",
    ".scroll { overflow-x: auto; } table { border-collapse: collapse; margin: 1rem 0; }",
    "th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: left; }",
    "td { font-variant-numeric: tabular-nums; } .changed { font-weight: bold; }",
    ".hidden { background: #8883; } .warning { border: 2px solid #b00; padding: .5rem; }"
  )
}
