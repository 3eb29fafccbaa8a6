# Numbers and texts for people: thousands marks, never E-notation for a whole number. What
# machines read (CSV, JSON, SQL) goes through whole_text().

# Whole numbers, or exact decimal strings of any length. A double above 2^53 may stand for its
# neighbours too, so it is said to be about itself.
format_count <- function(n) {
  if (is.character(n)) {
    return(mark_thousands(n))
  }
  vapply(n, one_count, "", USE.NAMES = FALSE)
}

one_count <- function(k) {
  if (is.na(k) || is.infinite(k)) {
    return(format(k))
  }
  if (abs(k) > 2^53) {
    parts <- strsplit(sprintf("%.2e", k), "e")[[1]]
    return(paste0("about ", parts[1], " x 10^", as.integer(parts[2])))
  }
  format(k, big.mark = ",", digits = 15, scientific = FALSE, trim = TRUE)
}

mark_thousands <- function(digits) gsub("(?<=[0-9])(?=([0-9]{3})+$)", ",", digits, perl = TRUE)

# Numbers in messages stay numbers, by which cli chooses between singular and plural, and are shown
# like those of prints.
for_people <- function(x) {
  if (is.numeric(x) && !is.object(x)) structure(x, class = "sdc_shown_number") else x
}

#' @export
as.character.sdc_shown_number <- function(x, ...) {
  x <- unclass(x)
  whole <- is.finite(x) & x == floor(x)
  ifelse(whole, format_count(x), as.character(x))
}

# cli chooses by whole numbers of R, which end at 2^31.
#' @export
as.integer.sdc_shown_number <- function(x, ...) {
  x <- unclass(x)
  if (is.na(x)) NA_integer_ else if (x %in% 0:1) as.integer(x) else 2L
}

#' @export
format.sdc_shown_number <- function(x, ...) as.character(x)

#' @export
`[.sdc_shown_number` <- function(x, ...) for_people(unclass(x)[...])

# Other numbers, to `digits` significant digits; a large one in full.
format_number <- function(x, digits = 3) {
  vapply(x, function(v) {
    if (is.na(v) || is.infinite(v) || abs(v) < 1e4) {
      return(format(v, digits = digits))
    }
    format(v, digits = digits, big.mark = ",", scientific = FALSE, trim = TRUE)
  }, "", USE.NAMES = FALSE)
}

# At most two decimals: 4, 4.5, 1,234.25
format_mean <- function(x) {
  sub("[.]?0+$", "", formatC(round(x, 2), format = "f", digits = 2, big.mark = ","))
}

# The value as its user wrote it, without marks.
plain_number <- function(x) format(x, digits = 15, scientific = FALSE, trim = TRUE)

# Whole numbers for files, databases and addresses.
whole_text <- function(x) sprintf("%.0f", x)

# Numbers of a frame as prints show them; quantiles likewise.
print_frame <- function(frame, digits = 7, row.names = FALSE) {
  number <- vapply(frame, function(v) is.numeric(v) && !is.object(v), NA)
  frame[number] <- lapply(frame[number], show_column, digits)
  print(frame, row.names = row.names)
}

show_column <- function(v, digits) {
  if (all(is.na(v) | v == floor(v))) {
    return(format_count(v))
  }
  large <- max(abs(v), na.rm = TRUE) >= 1e4
  format(v, digits = digits, big.mark = ",", scientific = if (large) FALSE else 0)
}

print_quantiles <- function(q, digits = 7) {
  print(rlang::set_names(show_column(q, digits), names(q)), quote = FALSE)
}

print_means <- function(table) {
  table <- round(table, 2)
  table[] <- show_column(as.vector(table), 15)
  print(table, quote = FALSE, right = TRUE)
}

percent <- function(share, digits = 2) paste0(format_number(100 * share, digits), "%")

plural <- function(n, one, many = paste0(one, "s")) {
  paste(format_count(n), ifelse(n == 1, one, many))
}

first_capital <- function(text) paste0(toupper(substr(text, 1, 1)), substring(text, 2))

# A call in one line.
call_text <- function(call) paste(deparse(call, 500), collapse = " ")

count_of <- function(n, whole, one) paste(format_count(n), "of", plural(whole, one))

and_words <- function(words) {
  n <- length(words)
  if (n < 2) words else paste(paste(words[-n], collapse = ", "), "and", words[n])
}

quoted_names <- function(names) paste0("\"", names, "\"", collapse = ", ")

is_are <- function(n) if (n == 1) "is" else "are"

# Texts of at most `width` columns; what is cut shows it.
cut_text <- function(text, width) {
  text <- enc2utf8(text)
  long <- nchar(text, "width") > width
  text[long] <- paste0(strtrim(text[long], width - 3), "...")
  text
}

shown_levels <- function(levels) ifelse(is.na(levels), "<NA>", levels)

# Bytes that are no text, as <ff>: functions of strings stop at them.
readable <- function(text) iconv(enc2utf8(text), "UTF-8", "UTF-8", sub = "byte")

escape_braces <- function(text) gsub("}", "}}", gsub("{", "{{", text, fixed = TRUE), fixed = TRUE)

mean_or_na <- function(x) if (length(x)) mean(x) else NA_real_

# "1 to 3", "1, 2 and 7".
range_words <- function(counts) {
  run <- length(counts) > 2 && all(diff(counts) == 1)
  if (run) counts <- range(counts)
  text <- format_count(counts)
  if (length(text) == 1) {
    return(text)
  }
  paste(paste(text[-length(text)], collapse = ", "), if (run) "to" else "or", text[length(text)])
}

# "4 x 4 (row, column)".
shape_words <- function(dimnames) {
  if (length(dimnames) == 0) {
    return("a table without variables")
  }
  paste0(cut_text(paste(lengths(dimnames), collapse = " x "), 60), " (",
         cut_text(paste(names(dimnames), collapse = ", "), 60), ")")
}

seconds_text <- function(x) format(x, digits = 4, scientific = FALSE)

span <- function(p) {
  paste(unique(format_number(range(p), 4)), collapse = " to ")
}

# The words for the type of an object name its own class alone.
without_marks <- function(x) {
  if (!inherits(x, "sdc_object")) {
    return(x)
  }
  # the class of an environment would change for all who hold it
  structure(if (is.environment(x)) list() else x, class = class(x)[1])
}

# A name that none of `taken` is.
free_name <- function(name, taken) {
  if (!name %in% taken) {
    return(name)
  }
  again <- paste0(name, ".", seq_len(length(taken) + 1))
  again[!again %in% taken][1]
}

# ---- names that were probably meant -------------------------------------------------------------

# A line of advice after unknown names: the known ones that look like them, or else all of them when
# they are few and `what`, such as "column", says what they are. For names that are no secret.
did_you_mean <- function(unknown, known, what = NULL, style = "val") {
  known <- unique(known[!is.na(known) & nzchar(known)])
  meant <- unique(unlist(lapply(unknown, nearest_name, known)))
  if (length(meant) > 0) {
    return(listed_names("Did you mean", meant, style, "?", "or"))
  }
  if (!is.null(what) && length(known) > 0 && length(known) <= 12) {
    one <- length(known) == 1
    before <- if (one) paste("The only", what, "is") else paste0("The ", what, "s are")
    listed_names(before, known, style, ".", "and")
  }
}

listed_names <- function(before, names, style, mark, last) {
  shown <- cli::cli_vec(cut_text(readable(names), 60), list(
    "vec-last" = paste0(", ", last, " "), "vec-sep2" = paste0(" ", last, " ")
  ))
  escape_braces(cli::format_inline(paste0("{before} {.", style, " {shown}}", mark)))
}

# The known names that differ from an unknown one by case, punctuation, the order of letters, or a
# few letters; or that begin with the same letters.
nearest_name <- function(unknown, known) {
  if (is.na(unknown) || !nzchar(unknown) || length(known) > 1e5) {
    return(NULL)
  }
  bare <- function(names) tolower(gsub("[[:space:][:punct:]]+", "", readable(names)))
  a <- bare(unknown)
  b <- bare(known)
  apart <- as.vector(utils::adist(a, b))
  longer <- pmax(nchar(a), nchar(b))
  sorted <- function(names) lapply(strsplit(names, ""), sort)
  alike <- apart <= pmin(3, longer %/% 3) | shared_start(a, b) >= pmax(4, .6 * longer) |
    vapply(sorted(b), identical, NA, sorted(a)[[1]])
  best <- which(alike & apart == min(apart[alike], Inf))
  if (length(best) <= 3) known[best]
}

# The number of letters that a name has in common with each of others before the first difference.
shared_start <- function(a, b) {
  letters <- strsplit(a, "")[[1]]
  vapply(strsplit(b, ""), function(other) {
    n <- min(length(letters), length(other))
    same <- letters[seq_len(n)] == other[seq_len(n)]
    if (all(same)) n else which(!same)[1] - 1L
  }, 0L)
}

# "none of 6 cells is known" -> "None of 6 cells is known."
as_sentences <- function(lines) {
  paste0(first_capital(lines), ifelse(grepl("[.]$", lines), "", "."))
}
