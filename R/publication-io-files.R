# Files of all publications but perturbed tables: table.csv and publication.json, which describes it.
#
# A kind of publication is two functions (publication-io-cells.R): one describes an object as text
# columns and parameters, the other builds an object of them. Whatever is read is described again and
# must give the same bytes, and whatever is written is read before: so files and objects cannot
# differ in anything, and an object that was changed by hand is not written.

publication_kind <- function(x) {
  known <- intersect(class(x), names(publication_kinds()))
  if (length(known) > 0) known[[1]]
}

check_writable <- function(x) {
  check_given(x, "x")
  if (inherits(x, "sdc_publication") || !is.null(publication_kind(x))) {
    return(invisible(x))
  }
  classes <- c("sdc_publication", names(publication_kinds()))
  abort_sdc("input", c(
    "{.arg x} must be a publication of class {.or {.val {classes}}}.",
    x = "{.arg x} is {.obj_type_friendly {x}}.",
    i = "{.fn publish} makes one of a perturbed, suppressed, rounded or redistributed table."
  ))
}

# The two texts of a publication; `build` gives it back.
publication_texts <- function(x) {
  kind <- publication_kind(x)
  described <- publication_kinds()[[kind]]$describe(x)
  csv <- rows_csv(described)
  list(csv = csv, json = described_json(kind, described, csv))
}

# `columns`: text by name; `labels`: the start of each line, with its comma.
rows_csv <- function(described) {
  header <- paste(quoted(c(described$label_names, names(described$columns))), collapse = ",")
  rows <- do.call(paste, c(unname(described$columns), sep = ","))
  paste0(paste(c(header, paste0(described$labels, rows)), collapse = "\n"), "\n")
}

described_json <- function(kind, described, csv) {
  document <- list(
    format = "sdcLattice published table", format_version = 1L, kind = kind, what = described$what,
    table = list(
      file = "table.csv", rows = verbatim_number(length(described$columns[[1]])),
      layout = described$layout, columns = described$words, sha256 = sha256_of(csv)
    ),
    variables = described$variables, parameters = described$parameters
  )
  text <- jsonlite::toJSON(document, auto_unbox = TRUE, digits = NA, pretty = TRUE,
                           json_verbatim = TRUE, null = "null")
  open <- paste0(sub("\n}$", "", enc2utf8(as.character(text))), ",\n")
  paste0(open, checksum_line(sha256_of(open)))
}

# ---- numbers ------------------------------------------------------------------------------------

# The shortest decimal that is read as the same double; "" for NA.
exact_decimal <- function(x) {
  out <- sprintf("%.0f", x)
  open <- which(!is.na(x) & (x != floor(x) | abs(x) >= 2^53))
  for (i in open) {
    tries <- c(sprintf("%.15g", x[i]), sprintf("%.16g", x[i]), sprintf("%.17g", x[i]),
               sprintf("%a", x[i]))
    out[i] <- tries[as.numeric(tries) == x[i]][1]
  }
  out[is.na(x)] <- ""
  out
}

# A JSON number of all digits.
verbatim_number <- function(x) structure(exact_decimal(as.double(x)), class = "json")

read_number <- function(x) {
  if (!is.null(x)) as.numeric(x)
}

# The last fields of each line, which hold no quotes and no commas.
last_fields <- function(lines, names) {
  out <- list()
  for (name in rev(names)) {
    at <- regexpr(",?[^,\"]*$", lines)
    out[[name]] <- sub("^,", "", regmatches(lines, at))
    lines <- substring(lines, 1, at - 1)
  }
  out[names]
}

decimal_fields <- function(text) {
  out <- suppressWarnings(as.numeric(text))
  need(!any(is.na(out) & nzchar(text)), "a value of table.csv is no number")
  out
}

# ---- variables ----------------------------------------------------------------------------------

# `totals`: for each variable the labels of its totals that table.csv names besides its levels.
variables_document <- function(dimnames, hierarchies, totals = NULL) {
  unname(lapply(names(dimnames), function(v) {
    trees <- lapply(hierarchies[[v]], function(tree) {
      list(parent = I(tree$parent), child = I(tree$child))
    })
    c(
      list(name = v, levels = I(dimnames[[v]])), if (!is.null(totals)) list(totals = I(totals[[v]])),
      if (length(trees) > 0) list(trees = I(unname(trees)))
    )
  }))
}

read_trees <- function(variables) {
  trees <- lapply(variables, function(v) {
    lapply(v$trees, function(tree) {
      list2data_frame(list(parent = read_levels(tree$parent), child = read_levels(tree$child)),
                      length(tree$child))
    })
  })
  names(trees) <- vapply(variables, function(v) strings(list(v$name)), "")
  trees <- trees[lengths(trees) > 0]
  if (length(trees) > 0) trees
}

# The start of the line of each of some cells.
label_starts <- function(labels, cells) {
  codes <- split_codes(cells, lengths(labels, FALSE))
  enc2utf8(do.call(paste0, c(list(character(length(cells))), unname(Map(function(l, code) {
    paste0(quoted(l), ",")[code]
  }, labels, codes)))))
}

# ---- files --------------------------------------------------------------------------------------

described_files <- function(path) {
  c(table = file.path(path, "table.csv"), publication = file.path(path, "publication.json"))
}

described_texts <- function(x) {
  check_described_labels(x)
  texts <- tryCatch(publication_texts(x), error = function(cnd) abort_changed())
  check_written(x, texts)
  texts
}

check_described_labels <- function(x) {
  labels <- if (inherits(x, "sdc_rounded_publication")) x$table$dimnames else x$dimnames
  own <- switch(
    publication_kind(x), sdc_suppressed = c("count", "suppressed"), sdc_rounded_publication = "count",
    sdc_magnitude_publication = c("total", "count"),
    sdc_magnitude_suppressed = c("total", "count", "suppressed"), sdc_hex_publication = c("q", "r")
  )
  check_free_names(labels, own)
  check_writable_labels(labels)
  check_writable_labels(as.list(x$total_label))
}

# Reads what would be written, and compares: fields that the files do not tell, or that contradict
# each other, are found before anything is there.
check_written <- function(x, texts) {
  read <- tryCatch(built_publication(texts), error = function(cnd) NULL,
                   warning = function(cnd) NULL)
  if (!identical(read, x)) abort_changed()
}

abort_changed <- function() {
  abort_sdc("input", c(
    "{.arg x} must be a publication as {.fn publish} returned it.",
    x = "This one was changed afterwards, or its parts contradict each other.",
    i = "Run {.fn publish} again."
  ))
}

read_described_files <- function(files) {
  texts <- list(csv = read_text(files[["table"]]), json = read_text(files[["publication"]]))
  built_publication(texts)
}

built_publication <- function(texts) {
  document <- checked_document(texts$json, "publication.json", "sdcLattice published table")
  kind <- publication_kinds()[[strings(list(document$kind))]]
  need(!is.null(kind), "this kind of publication is not known")
  need(identical(document$table$sha256, sha256_of(texts$csv)),
       "table.csv is not the file that publication.json describes")
  lines <- strsplit(texts$csv, "\n", fixed = TRUE)[[1]][-1]
  labels <- if (length(document$variables) > 0) read_variables(document$variables)
  out <- kind$build(document, lines, labels)
  need(identical(publication_texts(out), texts), "the files contradict themselves")
  out
}
