# The words of conditions where output has no colours or links, as in scripts, servers and tests.
# cli finds the style of each part of a message in a theme, which takes it some 10 ms for each line.
# Here are the parts of its markup that our messages use; what else occurs is left to cli.
# tests/testthat/test-base-inline.R compares both.

# A message in words, with its markup resolved in `envir`.
in_words <- function(message, envir) {
  plain <- is_output_plain()
  message[] <- vapply(message, function(line) {
    quick <- if (plain) quick_words(line, envir)
    if (is.null(quick)) cli::format_inline(line, .envir = envir) else quick
  }, "")
  message
}

is_output_plain <- function() cli::num_ansi_colors() == 1 && !cli::ansi_has_hyperlink_support()

# What cli turns into something else: escapes, form feeds and spaces that do not break.
is_odd_text <- function(text) !validEnc(text) || grepl("[\f\u001b\u00a0]", text)

# NULL for what is left to cli: plurals, doubled braces, styles and classes that are not known here.
quick_words <- function(line, envir) {
  if (is_odd_text(line) || grepl("{{", line, fixed = TRUE)) {
    return(NULL)
  }
  at <- gregexpr("\\{(?:[^{}]++|(?R))*\\}", line, perl = TRUE)
  between <- regmatches(line, at, invert = TRUE)[[1]]
  marks <- lapply(regmatches(line, at)[[1]], quick_mark, envir)
  if (any(grepl("[{}]", between)) || any(vapply(marks, is.null, NA))) {
    return(NULL)
  }
  words <- enc2utf8(paste0(c(rbind(between, c(unlist(marks), ""))), collapse = ""))
  if (!is_odd_text(words)) words
}

# One `{expression}`, `{.style text}` or `{.style {expression}}`.
quick_mark <- function(mark, envir, last = "and") {
  code <- substr(mark, 2, nchar(mark) - 1)
  if (startsWith(code, "?")) {
    return(NULL)
  }
  if (!startsWith(code, ".")) {
    return(quick_value(code, envir, NULL, last))
  }
  parts <- regmatches(code, regexec("^[.]([a-z_]+) ([^ ].*)$", code))[[1]]
  if (length(parts) == 0) {
    return(NULL)
  }
  style <- parts[[2]]
  text <- parts[[3]]
  if (style == "obj_type_friendly") {
    return(friendly_type(eval(parse(text = text, keep.source = FALSE), envir)))
  }
  if (style == "or") {
    return(if (grepl("^[{][.][a-z]+ [{][^{}]*[}][}]$", text)) quick_mark(text, envir, "or"))
  }
  if (grepl("^[{][^{}.?][^{}]*[}]$", text)) {
    return(quick_value(substr(text, 2, nchar(text) - 1), envir, style, last))
  }
  if (grepl("{.", text, fixed = TRUE) || style == "cls" && grepl("{", text, fixed = TRUE)) {
    return(NULL)
  }
  words <- quick_words(text, envir)
  if (!is.null(words)) styled(words, style)
}

# The value of an expression, each of its elements in a style, as a list in words.
quick_value <- function(code, envir, style, last) {
  value <- eval(parse(text = code, keep.source = FALSE), envir)
  own <- attr(value, "cli_style") # of listed_names()
  known <- is.atomic(value) && length(value) > 0 &&
    (!is.object(value) || inherits(value, "sdc_shown_number"))
  words <- if (known) styled(value, style)
  if (length(words) < 2) {
    return(words)
  }
  two <- length(words) == 2
  if (is.null(own)) {
    own <- list("vec-sep2" = paste0(" ", last, " "), "vec-last" = paste0(", ", last, " "))
  }
  cli::ansi_collapse(words, last = own[[if (two) "vec-sep2" else "vec-last"]], trunc = 20)
}

# By what cli's own theme does without colours. NULL for a style that is not known.
styled <- function(x, style) {
  if (is.character(x)) x <- gsub("\n", " ", x, fixed = TRUE)
  if (is.null(style)) {
    return(paste0(x))
  }
  switch(style,
    arg = ,
    code = ,
    envvar = ,
    var = quoted_code(x),
    fn = if (!any(grepl("`", x, fixed = TRUE))) paste0("`", x, "()`"),
    val = if (is.character(x)) encodeString(x, quote = "\"") else paste0(x),
    field = ,
    pkg = paste0(x),
    file = ,
    path = if (is.character(x)) paste0("'", x, "'"),
    cls = paste0("<", paste(x, collapse = "/"), ">")
  )
}

# What cli calls the type of a value: "a string", "an integer vector". It looks at
# no more than what is the key here.
friendly_type <- function(x) {
  if (is.object(x)) {
    key <- paste(class(x), collapse = " ")
  } else if (is.atomic(x) || is.list(x) && length(x) != 1) {
    key <- paste(c(
      typeof(x), min(length(x), 2), length(dim(x)),
      if (length(x) == 1) c(is.na(x), is.logical(x) && x, is.character(x) && !nzchar(x))
    ), collapse = " ")
  } else {
    return(cli::format_inline("{.obj_type_friendly {x}}"))
  }
  if (is.null(friendly_types[[key]])) {
    assign(key, cli::format_inline("{.obj_type_friendly {x}}"), friendly_types)
  }
  friendly_types[[key]]
}

friendly_types <- new.env(parent = emptyenv())

quoted_code <- function(x) {
  inside <- grepl("`", x, fixed = TRUE)
  paste0(ifelse(inside, "`` ", "`"), x, ifelse(inside, " ``", "`"))
}

# The lines of an error, as rlang and cli lay them out; NULL for what is left to them.
quick_lines <- function(cnd) {
  lines <- c(cnd$message, cnd$body)
  kinds <- rlang::names2(lines)
  known <- isTRUE(cnd$use_cli_format) && is.character(lines) && is.null(cnd$parent) &&
    is.null(cnd$header) && is.null(cnd$footer) && is.null(cnd$rlang$internal) &&
    kinds[1] == "" && all(kinds %in% c("", "x", "i", "!")) && is_output_plain()
  if (!known || any(vapply(lines, is_odd_text, NA))) {
    return(NULL)
  }
  # a message that goes on in the next line of its source
  lines[] <- gsub("(?<=[^ \n])\n *(?=[^ \n])", " ", lines, perl = TRUE)
  if (any(grepl("\n|^ | $|^$", lines))) {
    return(NULL)
  }
  width <- getOption("cli.condition_width")
  if (is.null(width)) width <- cli::console_width()
  bullets <- c("", vapply(kinds[-1], bullet, "", USE.NAMES = FALSE))
  # cli wraps the first line behind a word that rlang puts before it
  lines[1] <- paste("Error:", lines[1])
  width <- min(width, .Machine$integer.max)
  wrapped <- Map(function(line, bullet) {
    cli::ansi_strwrap(paste0(bullet, line), width, exdent = nchar(bullet))
  }, lines, bullets)
  text <- paste(unlist(wrapped), collapse = "\n")
  sub("Error:[ ]?", "", gsub("\u00a0", " ", text, fixed = TRUE))
}

# With a space that does not break.
bullet <- function(kind) {
  unicode <- getOption("cli.condition_unicode_bullets", cli::is_utf8_output())
  signs <- c(x = "x", i = "i", `!` = "!")
  if (isTRUE(unicode)) signs[c("x", "i")] <- c("\u2716", "\u2139")
  if (kind == "") "" else paste0(signs[[kind]], "\u00a0")
}

#' @export
conditionMessage.sdc_error <- function(c) {
  text <- quick_lines(c)
  if (is.null(text)) NextMethod() else text
}
