# Files of a publication: a CSV with the counts and a JSON document with everything else. They are
# made from the publication alone, byte for byte the same for the same publication.

#' Write and read a publication
#'
#' `write_publication()` writes two files into a folder: `table.csv` with what is published and
#' `mechanism.json` (of a perturbed table) or `publication.json` (of all others) with everything that
#' a reader needs to know, in words and in exact numbers.
#' `read_publication()` checks them and gives the identical object back. `saveRDS()` and `readRDS()`
#' work too.
#'
#' @details
#' Publications of suppressed, rounded and redistributed tables, of counts or magnitudes, and of maps
#' can be written, besides those of perturbed tables.
#'
#' **`table.csv`**: UTF-8, lines end in a line feed. The header has the variables, then `count`. One
#' line for each cell, zeros included, the first variable running fastest; labels in double quotes,
#' a double quote in a label doubled, and a missing level (`NA`) as an empty field without quotes;
#' counts as plain digits.
#'
#' **`mechanism.json`** (format version 1): `table` (file, number of cells, total, SHA-256 of its
#' bytes), `variables` (name and levels in their order, `null` for a missing level), `cycles` (rule,
#' version, parameters and the rule in words; the cells and coefficients of each cycle where they
#' are the user's own; the margins kept), `mechanism` (`alpha` and `beta`, one for all cycles or one
#' for each, each as a decimal and as an exact fraction; covers; zero rule, also in words; sign
#' convention; `drawn`; the cycle number of every step in the order of application). Levels and
#' cycles are numbered from 1 on. The last member, `sha256`, is the SHA-256 of all bytes before its
#' line.
#'
#' **`publication.json`** (format version 1): `kind` (the class), `what` (in words), `table` (file,
#' number of rows, layout, what the columns hold, SHA-256), `variables` (name, levels, for tables with
#' suppressed cells the labels of totals, trees), `parameters` (with words for what they mean) and
#' `sha256`. A suppressed count is an empty field. Numbers have as many digits as identify them.
#'
#' @param x (sdc_publication, sdc_suppressed, sdc_rounded_publication, sdc_magnitude_publication,
#'   sdc_magnitude_suppressed or sdc_hex_publication) What [publish()] or [publication()] returned.
#' @param path (string) The folder. It is made when it is not there.
#' @param overwrite (flag) Whether files of these names may be replaced.
#' @return `write_publication()`: the folder, invisibly. `read_publication()`: the
#'   publication.
#' @section Errors:
#' `sdc_error_input` when files are there already, cannot be written, are missing, or have been
#' changed in any byte; when they do not describe a publication; when `x` is another object (the
#' error names what can be written) or was changed by hand; when a variable is itself called
#' `count`, or a label holds a control character such as a line break (such tables can go through
#' `saveRDS()`).
#' @section Guarantee:
#' `read_publication(write_publication(x, path))` is identical to `x`, including every bit of the
#' probabilities. The checksums detect accidents, not forgers.
#' @family perturb
#' @examples
#' x <- as_sdc_table(matrix(c(3, 1, 2, 5, 1, 4, 2, 2, 6, 1, 3, 3), nrow = 4))
#' pub <- publication(x, mechanism(cycles_banded(x, seed = 11)))
#' folder <- write_publication(pub, tempfile())
#' writeLines(head(readLines(file.path(folder, "table.csv")), 3))
#' identical(read_publication(folder), pub)
#' @export
write_publication <- function(x, path, overwrite = FALSE) {
  check_writable(x)
  check_string(path)
  check_flag(overwrite)
  perturbed <- inherits(x, "sdc_publication")
  texts <- if (perturbed) perturbed_texts(x) else described_texts(x)
  files <- if (perturbed) publication_files(path) else described_files(path)
  others <- setdiff(c(publication_files(path), described_files(path)), files)
  if (!overwrite) {
    check_not_there(c(files, others))
  }
  if (!dir.exists(path) && !dir.create(path, recursive = TRUE, showWarnings = FALSE)) {
    abort_sdc("input", c("{.arg path} must be a folder that can be made.", x = "{.file {path}} cannot."))
  }
  unlink(others)
  write_bytes(texts$csv, files[[1]])
  write_bytes(texts$json, files[[2]])
  invisible(path)
}

# Made again of its parts, an object that was changed by hand differs or is none.
perturbed_texts <- function(x) {
  check_free_names(dimnames(x$table), "count")
  check_writable_labels(dimnames(x$table))
  check_class(x$mechanism, "sdc_mechanism", "x$mechanism")
  if (!identical(new_sdc_publication(x$table, x$mechanism), x)) abort_changed()
  csv <- publication_csv(x)
  list(csv = csv, json = publication_json(x, csv))
}

publication_files <- function(path) {
  c(table = file.path(path, "table.csv"), mechanism = file.path(path, "mechanism.json"))
}

check_not_there <- function(files) {
  there <- basename(files[file.exists(files)])
  if (length(there) == 0) {
    return(invisible(files))
  }
  abort_sdc("input", c(
    "The files must not be there yet.",
    x = "{.arg path} holds {.file {there}}.",
    i = "{.code overwrite = TRUE} replaces {cli::qty(there)}{?it/them}."
  ))
}

check_writable_labels <- function(labels) {
  text <- c(names(labels), unlist(labels))
  bad <- grep("[[:cntrl:]]", text, value = TRUE)
  if (length(bad) == 0) {
    return(invisible(labels))
  }
  abort_sdc("input", c(
    "Names and labels must hold no control characters, such as line breaks, to be written.",
    x = "One is {encodeString(bad[[1]], quote = '\"')}.",
    i = "{.fn saveRDS} takes any label."
  ))
}

# Through a file beside it, so that a broken write leaves no half of a publication.
write_bytes <- function(text, file) {
  beside <- paste0(file, ".part")
  ok <- tryCatch(
    {
      writeBin(charToRaw(text), beside)
      file.rename(beside, file)
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
  if (!ok) {
    abort_sdc("input", c("The folder must be writable.", x = "{.file {file}} cannot be written."))
  }
}

sha256_of <- function(text) paste(as.character(as.vector(unclass(openssl::sha256(charToRaw(text))))), collapse = "")

# NA is an empty field: no label, as every label is in quotes.
quoted <- function(x) {
  ifelse(is.na(x), "", paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\""))
}

csv_header <- function(labels) {
  paste(c(quoted(names(labels)), "\"count\""), collapse = ",")
}

# The lines of the CSV up to the counts: what a reader can expect from the labels alone.
csv_cells <- function(labels) {
  out <- ""
  for (l in labels) {
    cell <- paste0(quoted(l), ",")
    out <- paste0(rep(out, times = length(cell)), rep(cell, each = length(out)))
  }
  enc2utf8(out)
}

publication_csv <- function(x) {
  labels <- dimnames(x$table)
  lines <- paste0(csv_cells(labels), sprintf("%.0f", dense_counts(x$table)))
  paste0(paste(c(csv_header(labels), lines), collapse = "\n"), "\n")
}

publication_json <- function(x, csv) {
  text <- jsonlite::toJSON(
    publication_document(x, csv),
    auto_unbox = TRUE, digits = NA, pretty = TRUE, json_verbatim = TRUE
  )
  open <- paste0(sub("\n}$", "", enc2utf8(as.character(text))), ",\n")
  paste0(open, checksum_line(sha256_of(open)))
}

checksum_line <- function(sum) paste0("  \"sha256\": \"", sum, "\"\n}\n")

publication_document <- function(x, csv) {
  me <- x$mechanism
  list(
    format = "sdcLattice publication",
    format_version = 1L,
    what = paste(
      "A table of counts, perturbed once by a random mechanism along cycles that keep its margins.",
      "This document and the table are all that is needed to compute what the table tells."
    ),
    table = list(
      file = "table.csv",
      cells = sprintf("%.0f", prod(dim(x$table))),
      total = sprintf("%.0f", sum(dense_counts(x$table))),
      layout = "one line for each cell, zeros included; the first variable runs fastest",
      sha256 = sha256_of(csv)
    ),
    variables = unname(Map(
      function(name, levels) list(name = name, levels = I(levels)),
      names(dimnames(x$table)), dimnames(x$table)
    )),
    cycles = cycles_document(me$cycles),
    mechanism = mechanism_document(me)
  )
}

cycles_document <- function(set) {
  list(
    rule = set$rule,
    version = set$version,
    number = length(set),
    rule_in_words = rule_in_words(set),
    numbers = "lines, positions, levels and cycles are numbered from 1, in the order of 'variables'",
    parameters = parameters_document(set),
    margins_kept = I(lapply(set$preserves, I))
  )
}

parameters_document <- function(set) {
  p <- set$parameters
  switch(set$rule,
    bidiagonal = p,
    banded = list(
      group = p$group, groups = I(lapply(p$groups, I)), rings = I(lapply(p$rings, I)),
      transposed = p$transposed, open = p$open, skip_zeros = p$skip_zeros
    ),
    user = list(cycles = moves_json(p, dim(set))),
    data = data_document(set),
    margin = p,
    merged = merged_document(set)
  )
}

# [{"cells": [[1,1],[2,1]], "coefficients": [1,-1]}, ...], one line for each cycle.
moves_json <- function(p, dim) {
  at <- arrayInd(p$cell, dim)
  cell <- paste0("[", do.call(paste, c(lapply(seq_along(dim), function(v) at[, v]), sep = ",")), "]")
  cycle <- rep(seq_len(length(p$start) - 1), diff(p$start))
  join <- function(x) vapply(split(x, cycle), paste, "", collapse = ",", USE.NAMES = FALSE)
  moves <- paste0("{\"cells\": [", join(cell), "], \"coefficients\": [", join(p$coefficient), "]}")
  structure(paste0("[\n", paste(moves, collapse = ",\n"), "\n]"), class = "json")
}

rule_in_words <- function(set) {
  turned <- isTRUE(set$parameters$transposed)
  line <- if (turned) "column" else "row"
  position <- if (turned) "row" else "column"
  switch(set$rule,
    bidiagonal = paste0(
      "Number the ", line, "s k = 0..h-1 and the ", position, "s 0..n-1. Cycle i (i = 0..n-1, published as number i + 1) ",
      "has +1 in ", line, " k at ", position, " (a_k + i) mod n and -1 in ", line, " k at ", position,
      " (a_{k+1} + i) mod n, where a_h = a_0. ",
      if (set$parameters$walk == "lenz") {
        "The walk is a_k = k mod n."
      } else {
        paste(
          "The walk is a_k = k mod 2 when h is even and h != n; else a_k = k for k < n and",
          "a_k = (k - n) mod 2 for k >= n."
        )
      }
    ),
    banded = paste(c(
      groups_in_words(line, position), bands_in_words(set$parameters, line, position),
      sweeps_in_words(set$parameters, line, position)
    ), collapse = " "),
    user = "Every cycle is listed: its cells, each as one level number for each variable, and their coefficients.",
    data = data_in_words(),
    margin = margin_in_words(set),
    merged = merged_in_words(set)
  )
}

# Nothing where zeros are not skipped.
sweeps_in_words <- function(p, line, position) {
  if (!p$skip_zeros) {
    return(NULL)
  }
  paste0(
    "The set skips zeros: these are its moves where no cell is 0. In general the step of cycle s of a band of the ",
    line, "s x and y (a group of two is the band of its first and its second ", line, ") is skipped, whatever its coin,",
    " unless both cells of ", position, " p_s are at that time at least 1, and both cells of some ", position,
    " p_k with k > s; with the least such k the move is +1 in ", line, " x at ", position, " p_s, -1 in ", line,
    " y at ", position, " p_s, -1 in ", line, " x at ", position, " p_k and +1 in ", line, " y at ", position, " p_k."
  )
}

groups_in_words <- function(line, position) {
  paste0("Groups hold ", line, "s, rings hold ", position, "s.")
}

# Bands of two and of three lines in one formula; then, for triads, how groups are made of bands.
bands_in_words <- function(p, line, position) {
  last <- if (p$open) "n-1" else "n"
  around <- if (!p$open) "; indices of p are taken modulo n in 1..n"
  if (p$group == 2) {
    return(paste0(
      "For a group (g_1..g_h) with the ring (p_1..p_n), cycle s ",
      "(s = 1..", last, ") has +1 in ", line, " g_k at ", position, " p_{s+k-1} and -1 in ", line, " g_k at ", position,
      " p_{s+k} for k < h, and, for k = h, +1 in ", line, " g_h at ", position, " p_{s+h-1} and -1 in ", line,
      " g_h at ", position, " p_s", around, ". Cycles are numbered along the ring within a group, group after group."
    ))
  }
  paste0(
    "A band (x,y) with the ring (p_1..p_n) has the cycles s = 1..", last, ": +1 in ", line, " x at ", position,
    " p_s, -1 in ", line, " y at ", position, " p_s, -1 in ", line, " x at ", position, " p_{s+1} and +1 in ", line,
    " y at ", position, " p_{s+1}", around, ". A group of three (a,b,c) is the bands (a,b), (b,c) and (c,a) on its ring,",
    " a group of two (a,b) is the band (a,b). Cycles are numbered along the ring within a band, band after band,",
    " group after group. One cover applies each band of a group of three once and the band of a group of two twice."
  )
}

mechanism_document <- function(me) {
  list(
    alpha = probability_document(me$alpha),
    beta = probability_document(me$beta),
    sign_convention = paste(
      "+1 adds the cycle (its coefficients) to the table and has probability alpha;",
      "-1 subtracts it and has probability beta; else the table stays as it is."
    ),
    zero_rule = me$zero_rule,
    zero_rule_in_words = zero_rule_in_words(me),
    covers = me$covers,
    order_of_application = I(steps_of(me)),
    drawn = paste(
      "once: each step has one coin of its own, independent of the table and of the other coins,",
      "used whether or not the step is skipped; nothing was drawn again, and nothing was changed after the draw"
    )
  )
}

zero_rule_in_words <- function(me) {
  if (skips_zeros(me$cycles)) {
    return("A step is skipped, whatever its coin, when the rule of the cycles says so: no other step is.")
  }
  switch(me$zero_rule,
    blocked = paste(
      "A step is skipped, whatever its coin, when any cell on its cycle is at that time smaller than",
      "the absolute value of its coefficient."
    ),
    nonnegative = "A step is skipped when a cell would become negative.",
    none = "No step is ever skipped. For analysis only.",
    roehrig = "An improper recursion behind a published example; no probability model. For analysis only."
  )
}

probability_document <- function(p) {
  list(
    applies_to = if (length(p) == 1) "all cycles" else "each cycle, by number",
    decimal = I(sprintf("%.17g", p)),
    exact = I(exact_fraction(p))
  )
}

# "1/2^2": a double is a whole number over a power of two.
exact_fraction <- function(p) {
  power <- integer(length(p))
  while (any(part <- p != floor(p))) {
    p[part] <- 2 * p[part]
    power[part] <- power[part] + 1L
  }
  sprintf("%.0f/2^%d", p, power)
}

# Two factors where 2^-power alone would round to 0.
exact_number <- function(text) {
  if (!all(grepl("^[0-9]{1,16}/2\\^[0-9]{1,4}$", text))) {
    damaged("a probability is no exact fraction")
  }
  top <- as.numeric(sub("/.*", "", text))
  power <- as.numeric(sub(".*\\^", "", text))
  top * 2^-(power %/% 2) * 2^-(power - power %/% 2)
}

#' @rdname write_publication
#' @export
read_publication <- function(path) {
  check_string(path)
  check_is_folder(path)
  tryCatch(
    read_any_files(path),
    error = function(cnd) refuse_files(path, cnd),
    warning = function(cnd) refuse_files(path, cnd)
  )
}

check_is_folder <- function(path) {
  if (dir.exists(path)) {
    return(invisible(path))
  }
  abort_sdc("input", c(
    "{.arg path} must be a folder that {.fn write_publication} has written.",
    x = if (file.exists(path)) "{.file {path}} is not a folder." else "There is no folder {.file {path}}."
  ))
}

refuse_files <- function(path, cnd) {
  ours <- inherits(cnd, "sdc_error")
  why <- if (inherits(cnd, "sdc_damaged")) {
    conditionMessage(cnd)
  } else if (ours) {
    "the content is not valid"
  } else {
    "the files cannot be understood"
  }
  abort_sdc("input", c(
    "{.arg path} must be a folder with the files of a publication, unchanged.",
    x = "In {.file {basename(path)}}: {why}."
  ), parent = if (ours) cnd)
}

damaged <- function(why) {
  stop(structure(class = c("sdc_damaged", "error", "condition"), list(message = why, call = NULL)))
}

need <- function(ok, why) if (!isTRUE(ok)) damaged(why)

read_any_files <- function(path) {
  files <- publication_files(path)
  described <- described_files(path)
  if (!file.exists(described[["publication"]])) {
    return(read_both_files(files))
  }
  need(!file.exists(files[["mechanism"]]), "it has both mechanism.json and publication.json")
  read_described_files(described)
}

read_both_files <- function(files) {
  json <- read_text(files[["mechanism"]])
  document <- checked_document(json, "mechanism.json", "sdcLattice publication")
  labels <- read_variables(document$variables)
  csv <- read_text(files[["table"]])
  need(identical(document$table$sha256, sha256_of(csv)), "table.csv is not the file that mechanism.json describes")
  counts <- read_counts(csv, labels)
  need(identical(document$table$total, sprintf("%.0f", sum(counts))), "the counts do not add up to the total")
  set <- read_cycles(document$cycles, labels)
  publication(table_from_dense(counts, labels), read_mechanism(document$mechanism, set))
}

read_text <- function(file) {
  need(file.exists(file), paste(basename(file), "is missing"))
  bytes <- readBin(file, "raw", file.size(file))
  need(!any(bytes == 0), paste(basename(file), "is no text"))
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  need(validUTF8(text), paste(basename(file), "is not in UTF-8"))
  text
}

# The checksum stands in the last line but one; it is that of all bytes before its line.
checked_document <- function(text, file, format) {
  bytes <- charToRaw(text)
  open <- length(bytes) - nchar(checksum_line(strrep("0", 64)))
  need(open > 0, paste(file, "is cut short"))
  head <- rawToChar(bytes[seq_len(open)])
  need(
    identical(rawToChar(bytes[-seq_len(open)]), checksum_line(sha256_of(head))),
    paste(file, "has been changed: its checksum does not fit")
  )
  document <- jsonlite::parse_json(text)
  need(identical(document$format, format), paste(file, "describes something else"))
  need(identical(document$format_version, 1L), "this version of the format is not known")
  document
}

read_variables <- function(variables) {
  labels <- lapply(variables, function(v) read_levels(v$levels))
  names(labels) <- vapply(variables, function(v) strings(list(v$name)), "")
  need(length(labels) > 0 && all(lengths(labels) > 0), "there are no variables or levels")
  need(!anyDuplicated(names(labels)), "a variable is given twice")
  need(!any(vapply(labels, anyDuplicated, 0L)), "a level is given twice")
  labels
}

# Strings, or null for a missing level.
read_levels <- function(x) {
  need(is.list(x), "the levels are no list")
  out <- rep(NA_character_, length(x))
  given <- !vapply(x, is.null, NA)
  out[given] <- strings(x[given])
  out
}

strings <- function(x) {
  need(is.list(x) && all(vapply(x, function(s) is.character(s) && length(s) == 1, NA)), "a label is no string")
  out <- as.character(unlist(x))
  Encoding(out) <- "UTF-8"
  enc2utf8(out)
}

whole_numbers <- function(x) {
  out <- unlist(x)
  need(is.numeric(out) && length(out) == length(x) && is_whole_vector(out), "a number is not whole")
  as.integer(out)
}

read_counts <- function(csv, labels) {
  lines <- strsplit(csv, "\n", fixed = TRUE)[[1]]
  need(length(lines) == prod(lengths(labels)) + 1, "table.csv has not one line for each cell")
  cells <- csv_cells(labels)
  need(identical(lines[[1]], csv_header(labels)), "the header of table.csv has other variables")
  lines <- lines[-1]
  need(all(startsWith(lines, cells)), "table.csv has other cells or another order")
  digits <- substring(lines, nchar(cells) + 1)
  need(all(grepl("^(0|[1-9][0-9]{0,15})$", digits)), "a count is no plain whole number")
  counts <- as.numeric(digits)
  need(all(counts <= 2^53), "a count is too large")
  counts
}

read_cycles <- function(document, labels) {
  need(identical(document$version, 1L), "this version of the cycles' rule is not known")
  p <- document$parameters
  set <- switch(document$rule,
    bidiagonal = cycles_bidiagonal(labels_only(labels), walk = p$walk),
    banded = read_banded(p, labels),
    user = read_moves(p$cycles, labels, document$margins_kept),
    data = read_data(p, labels, document$margins_kept),
    margin = read_margin(p, labels),
    merged = read_merged(p, labels),
    damaged("the cycles' rule is not known")
  )
  kept <- lapply(document$margins_kept, strings)
  need(identical(kept, set$preserves), "the margins are not those of the rule")
  need(identical(isTRUE(p$transposed), isTRUE(set$parameters$transposed)), "rows and columns are exchanged")
  need(identical(document$rule_in_words, rule_in_words(set)), "the words and the codes of the cycles differ")
  need(identical(document$number, length(set)), "the number of cycles does not fit")
  set
}

read_banded <- function(p, labels) {
  cycles_banded(
    labels_only(labels),
    group = whole_numbers(list(p$group)), groups = lapply(p$groups, whole_numbers),
    rings = lapply(p$rings, whole_numbers), transposed = p$transposed, open = p$open, skip_zeros = p$skip_zeros
  )
}

# A table of zeros: the makers of cycles look at shape and labels only.
labels_only <- function(labels) table_from_dense(numeric(prod(lengths(labels))), labels)

read_moves <- function(moves, labels, margins) {
  need(is.list(moves) && length(moves) > 0, "there are no cycles")
  size <- lengths(lapply(moves, `[[`, "cells"))
  at <- lapply(moves, function(move) {
    need(length(move$cells) == length(move$coefficients), "cells and coefficients of a cycle differ in number")
    vapply(move$cells, whole_numbers, integer(length(labels)))
  })
  at <- matrix(unlist(at), nrow = length(labels))
  need(all(at >= 1 & at <= lengths(labels)), "a cell of a cycle is not in the table")
  stride <- c(1, cumprod(lengths(labels)))[seq_along(labels)]
  coefficient <- whole_numbers(unlist(lapply(moves, `[[`, "coefficients"), recursive = FALSE))
  entries <- pack_entries(size, colSums((at - 1) * stride) + 1, coefficient)
  new_sdc_cycles("user", labels, entries, lapply(margins, strings))
}

read_mechanism <- function(document, set) {
  covers <- whole_numbers(list(document$covers))
  steps <- whole_numbers(document$order_of_application)
  need(length(steps) == cover_length(set) * covers, "the order of application has not one number for each step")
  rule <- strings(list(document$zero_rule))
  me <- mechanism(set, read_probability(document$alpha), read_probability(document$beta), covers, steps, rule)
  same <- c("zero_rule_in_words", "sign_convention", "drawn")
  need(identical(document[same], mechanism_document(me)[same]), "the words and the codes differ")
  me
}

read_probability <- function(document) {
  p <- exact_number(strings(document$exact))
  need(identical(sprintf("%.17g", p), strings(document$decimal)), "decimal and exact probabilities differ")
  all_cycles <- identical(document$applies_to, "all cycles")
  need(!all_cycles || length(p) == 1, "the number of probabilities does not fit")
  p
}
