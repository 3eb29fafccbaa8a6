# Pieces of text that the formats of tables have in common.

# One text for each chunk of cells: `labels` has, for each variable, what its levels become, `ends`
# what follows, from the values.
rows_piece <- function(source, labels, before, ends) {
  function(from, to) {
    cells <- source$cells(from:to)
    columns <- Map(function(label, code) label[code], labels, cells$codes)
    paste0(do.call(paste0, c(list(before), unname(columns), list(ends(cells$values)))),
           collapse = "")
  }
}

# Text that UTF-8 can have; bytes that are none become the sign for that.
utf8_text <- function(x) {
  x <- enc2utf8(as.character(x))
  bad <- !is.na(x) & !validUTF8(x)
  # by its bytes: iconv() would write "\ufffd" in the locale's encoding
  x[bad] <- iconv(x[bad], "UTF-8", "UTF-8", sub = rawToChar(as.raw(c(0xef, 0xbf, 0xbd))))
  x
}

# The levels of a variable as texts; a missing one gets a name of its own.
level_texts <- function(levels) {
  levels <- utf8_text(levels)
  levels[is.na(levels)] <- free_name("(missing)", levels)
  levels
}

# What the formats say about a table besides its cells, all of it given and in order.
format_meta <- function(meta, names) {
  known <- c("id", "title", "agency", "prepared", "variables", "dimensions", "note",
             "measure", "labels", "source")
  if (!is.list(meta) || length(setdiff(names(meta), known)) > 0 ||
        length(meta) != length(names(meta))) {
    abort_sdc("input", c(
      "{.arg meta} must be a list with some of {.val {known}}.",
      x = "{meta_fault(meta, known)}"
    ))
  }
  meta$id <- meta$id %||% "table"
  meta$agency <- meta$agency %||% "SDC"
  meta$prepared <- meta$prepared %||% utc_now()
  meta$measure <- meta$measure %||% "Count"
  meta$title <- meta$title %||%
    if (length(names) == 0) "Total" else paste(names, collapse = " x ")
  meta$variables <- meta$variables %||% names
  meta$dimensions <- meta$dimensions %||% names
  meta$labels <- meta$labels %||% own_labels(meta)
  for (part in c("id", "title", "agency", "prepared", "measure")) {
    check_string(meta[[part]], paste0("meta$", part))
  }
  check_format_text(meta$id, "^[A-Za-z0-9_-]{1,64}$", "id")
  check_format_text(meta$agency, "^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z][A-Za-z0-9_-]*)*$", "agency")
  check_format_text(meta$prepared, "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$", "prepared")
  check_names_given(meta$variables, "meta$variables")
  if (!all(meta$dimensions %in% meta$variables)) {
    abort_sdc("input", c(
      "{.arg meta$variables} must name all variables of the table.",
      x = "{.val {setdiff(meta$dimensions, meta$variables)}} {?is/are} missing."
    ))
  }
  meta
}

# Without other labels, names and levels are their own, in the language of this package.
own_labels <- function(meta) {
  list(en = list(title = meta$title, variables = rlang::set_names(meta$variables)))
}

# The label of each level of a variable in the first language.
labels_of_levels <- function(meta, name, levels) {
  meta$labels[[1]]$levels[[name]] %||% level_texts(levels)
}

# Letters and digits of ASCII, the rest as "_", not too long.
id_text <- function(x) {
  text <- gsub("[^A-Za-z0-9]+", "_", utf8_text(x), perl = TRUE)
  gsub("^_+|_+$", "", substr(gsub("^_+", "", text), 1, 30))
}

# The number of sets of k variables, exactly, with or without the empty one: a power of two ends in
# 2, 4, 6 or 8, so one less differs in the last digit alone.
format_sets <- function(k, empty = FALSE) {
  digits <- sprintf("%.0f", 2^k)
  if (!empty) {
    last <- nchar(digits)
    substr(digits, last, last) <- as.character(as.integer(substr(digits, last, last)) - 1L)
  }
  mark_thousands(digits)
}

check_format_text <- function(x, pattern, part) {
  if (grepl(pattern, x)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg meta${part}} must match {.val {pattern}}.",
    x = "{describe(x, paste0('meta$', part))}"
  ))
}
