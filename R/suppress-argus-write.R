# Files for tau-ARGUS: a table in its tabular format, and what describes it.

#' Write a table for tau-ARGUS
#'
#' Writes a table with its totals as the files that tau-ARGUS reads as tabular data: the cells
#' (`.tab`), the description of their columns (`.rda`, which is a text and no file of R), the trees
#' (`.hrc`), and the statuses of a suppression as an a priori file (`.hst`). The files hold the
#' original and are **confidential**.
#'
#' @details
#' * **`<name>.tab`**: a line for each cell and total, the codes in double quotes, a decimal point.
#' * **`<name>.rda`**: `<SEPARATOR>`, `<SAFE>`, `<UNSAFE>`, `<PROTECT>`; for each variable
#'   `<RECODEABLE>` and `<TOTCODE>`, with a tree `<HIERARCHICAL>`, `<HIERCODELIST>` and
#'   `<HIERLEADSTRING>`; `<FREQUENCY>` for counts; of magnitudes `<NUMERIC>` with `<DECIMALS>`, and
#'   `<MAXSCORE>` for each of the largest contributions; maybe `<STATUS>`.
#' * **`<name>_<number>.hrc`**: the tree of the variable with this number, without its root, which
#'   is the total.
#' * **`<name>.hst`**, of a suppression: the codes of a cell, then `u` (primary), `m` (secondary) or
#'   `p` (must be published).
#'
#' A table of counts has one column, `freq`. In tau-ARGUS its response is the frequency. The cells
#' that are zero have no line, unless `zeros = TRUE` or they are suppressed; tau-ARGUS takes them
#' for empty.
#'
#' With `status = "column"` the statuses of a suppression are a column of the `.tab` file instead of
#' an a priori file: `S` (safe), `U` (primary), `M` (secondary), `P` (must be published). With
#' `secondary = FALSE` the secondary cells are safe, so that tau-ARGUS chooses its own.
#'
#' A batch file opens them by `<OPENTABLEDATA>`, `<OPENMETADATA>` and, after `<READTABLE>`,
#' `<APRIORI> "<name>.hst",1,";",0,0`.
#'
#' @param x (sdc_table, sdc_magnitude, or the result of [suppress()]) The table. Of a magnitude
#'   table the contributions are needed; weights of a sample and negative values are an error.
#' @param path (string) The folder. It is made when it is not there.
#' @param name (string) The name of the files: letters, digits, `_` and `-`.
#' @param top (whole number from 0 to 5) How many of the largest contributions of a cell of
#'   magnitudes are written. The p percent rule of tau-ARGUS needs two.
#' @param status (string) Where the statuses of a suppression go: `"hst"` or `"column"`.
#' @param secondary (flag) Write the status of secondary cells?
#' @param zeros (flag) Write the cells with a count of zero?
#' @param separator (string) The character between the fields.
#' @param overwrite (flag) Whether files of these names may be replaced.
#' @param ... Must be empty.
#' @return The paths of the files, invisibly: a character vector with the names `tab`, `rda`, `hst`
#'   where it is written, and the names of the variables with trees for the `.hrc` files.
#' @section Errors:
#' `sdc_error_input` when files are there already or cannot be written; for several trees of a
#' variable, and a table of which only some crossings are published, as tau-ARGUS reads one tree and
#' all crossings; for labels that tau-ARGUS cannot read back: empty or missing ones, labels with the
#' separator, a double quote, a control character or spaces at the ends, and labels that differ from
#' the total in capitals only.
#' @section Guarantee:
#' [read_tau_argus()] reads the same cells, statuses and trees.
#' @source The formats are those of tau-ARGUS 4.2 (Statistics Netherlands, \emph{User's manual},
#'   sections 5.1 and 5.2).
#' @family suppress
#' @seealso [read_tau_argus()]
#' @export
#' @examples
#' tree <- data.frame(parent = c(NA, "All", "All", "A", "A"), child = c("All", "A", "c", "a", "b"))
#' x <- sdc_table(data.frame(v = c("a", "a", "b", "c", "c", "c")), hierarchies = list(v = tree))
#' files <- write_tau_argus(x, tempfile())
#' writeLines(readLines(files[["tab"]]))
#' writeLines(readLines(files[["rda"]]))
#' writeLines(readLines(files[["v"]]))
write_tau_argus <- function(x, path, name = "table", top = 2, status = c("hst", "column"),
                            secondary = TRUE, zeros = FALSE, separator = ";",
                            overwrite = FALSE, ...) {
  check_no_dots(...)
  given <- c(top = !missing(top), status = !missing(status), secondary = !missing(secondary))
  check_given(x)
  check_string(path)
  check_argus_name(name)
  check_whole(top, min = 0, max = 5)
  status <- check_choice(status, c("hst", "column"))
  check_flag(secondary)
  check_flag(zeros)
  check_separator(separator)
  check_flag(overwrite)
  held <- argus_cells(x, top, zeros)
  check_read_here(held, c(given["top"], zeros = zeros), given[c("status", "secondary")])
  if (!secondary) held$status[held$status == "x"] <- "s"
  check_argus_codes(held, separator)
  texts <- argus_texts(held, name, status, separator)
  files <- rlang::set_names(file.path(path, vapply(texts, `[[`, "", 1)), names(texts))
  if (!overwrite) check_not_there(files)
  if (!dir.exists(path) && !dir.create(path, recursive = TRUE, showWarnings = FALSE)) {
    abort_sdc("input", c(
      "{.arg path} must be a folder that can be made.", x = "{.file {path}} cannot."
    ))
  }
  Map(write_beside, lapply(texts, `[[`, 2), files)
  invisible(files)
}

# Arguments that this kind of table does not read.
check_read_here <- function(held, values, statuses) {
  magnitude <- "<NUMERIC>" %in% held$roles
  idle <- c(names(values)[values & c(!magnitude, magnitude)],
            names(statuses)[statuses & is.null(held$status)])
  if (length(idle) > 0) {
    abort_sdc("input", c(
      "{.arg top} is for magnitudes, {.arg zeros} for counts, {.arg status} and {.arg secondary}
       are for suppressions.",
      x = "{.arg {idle[1]}} is given, and {.arg x} is of another kind."
    ))
  }
}

check_argus_name <- function(name) {
  check_string(name)
  if (!grepl("^[A-Za-z0-9_-]+$", name)) {
    abort_sdc("input", c(
      "{.arg name} must have letters, digits, `_` and `-` only.", x = "It is {.val {name}}."
    ))
  }
}

check_separator <- function(separator) {
  check_string(separator)
  if (nchar(separator) != 1 || grepl("[[:alnum:]\"<>.@ -]", separator)) {
    abort_sdc("input", c(
      "{.arg separator} must be one character that no number or code has, such as {.val {';'}}.",
      x = "It is {.val {separator}}."
    ))
  }
}

# ---- the cells of each kind of table ------------------------------------------------------------

# `codes`: a factor for each variable; `trees`: a tree or NULL for each; `roots`: the codes of the
# totals; `values`: the columns of numbers, in their order; `roles`: their keywords; `status`: as
# sdcStatus, or NULL.
argus_cells <- function(x, top, zeros) UseMethod("argus_cells")

#' @export
argus_cells.default <- function(x, top, zeros) {
  argus_cells(table_argument(x, "x", "an {.cls sdc_table}, a magnitude table, a suppression,"),
              top, zeros)
}

#' @export
argus_cells.sdc_table <- function(x, top, zeros) {
  check_one_level(x)
  check_all_crossings(table_crossings(x))
  if (length(x$dimnames) == 0) {
    abort_sdc("input", c("A table for tau-ARGUS must have variables.", x = "{.arg x} has none."))
  }
  frame <- published_rows(x, zeros, free_name("freq", names(x$dimnames)))
  new_argus_cells(frame, x$dimnames, table_trees(x), table_total_label(x),
                  list(freq = frame[[length(frame)]]), "<FREQUENCY>")
}

check_all_crossings <- function(crossings) {
  if (!is.null(crossings)) {
    abort_sdc("input", c(
      "tau-ARGUS reads tables of which all crossings are published.",
      x = "{.arg x} publishes some of them.",
      i = "Write each linked table by itself, as a {.fn margin}."
    ))
  }
}

#' @export
argus_cells.sdc_suppression <- function(x, top, zeros) {
  check_all_crossings(x$crossings)
  if (zeros) check_lists_zeros(x, x$original$dimnames, "to write zeros, too")
  kept <- zeros | x$cells$freq > 0 | x$cells$sdcStatus %in% c("u", "x")
  cells <- x$cells[kept, ]
  new_argus_cells(cells, x$original$dimnames, x$hierarchies, x$total_label,
                  list(freq = cells$freq), "<FREQUENCY>", cells$sdcStatus)
}

#' @export
argus_cells.sdc_magnitude <- function(x, top, zeros) {
  validate_sdc_magnitude(x)
  if (is_sampled(x) || has_negative(x)) {
    abort_sdc("input", c(
      "The contributions of {.arg x} must be positive, and without weights of a sample.",
      x = if (is_sampled(x)) "They have weights." else "Some are negative."
    ))
  }
  if (!is.null(x$top)) top <- min(top, x$top)
  frame <- magnitude_rows(x, top)
  value <- c(frame["total"], frame["count"], frame[seq_len(top) + length(frame) - top])
  names(value)[1] <- x$variable
  new_argus_cells(frame, x$dimnames, x$hierarchies, x$total_label, value,
                  c("<NUMERIC>", "<FREQUENCY>", rep("<MAXSCORE>", top)))
}

#' @export
argus_cells.sdc_magnitude_suppression <- function(x, top, zeros) {
  held <- argus_cells(x$original, top, zeros)
  names <- names(x$original$dimnames)
  size <- lengths(lapply(unclass(x$cells)[names], levels), FALSE)
  number <- function(columns, n) {
    combine_codes(Map(function(column, v) match(as.character(column), levels(x$cells[[v]])),
                      columns, names), size, n)
  }
  at <- match(number(held$codes, length(held$codes[[1]])),
              number(unclass(x$cells)[names], nrow(x$cells)))
  held$status <- x$cells$sdcStatus[at]
  held
}

# The total, the number of contributors and the largest contributions of each cell and total that
# has some.
magnitude_rows <- function(x, top) {
  families <- total_families(x)
  labels <- family_labels(x, families)
  parts <- lapply(families, function(family) {
    held <- family_contributors(x, family)
    count <- diff(held$start)
    largest <- lapply(seq_len(top), function(k) {
      value <- held$value[held$start[-length(held$start)] + pmin(k, count)]
      in_values(ifelse(k <= count, value, 0), x)
    })
    names(largest) <- if (top > 0) paste0("top", seq_len(top))
    list2data_frame(c(family_factors(held$cell, family, labels),
                      list(total = in_values(cell_totals(held), x), count = as.double(count)),
                      largest), length(held$cell))
  })
  bind_frames(parts)
}

new_argus_cells <- function(frame, dimnames, trees, total_label, values, roles, status = NULL) {
  variables <- names(dimnames)
  trees <- plain_trees(trees, dimnames, total_label)
  trees <- lapply(rlang::set_names(variables), function(v) one_argus_tree(trees[[v]], v))
  roots <- vapply(trees, function(tree) {
    if (is.null(tree)) total_label else tree$child[is.na(tree$parent)][1]
  }, "")
  for (i in seq_along(values)) {
    names(values)[i] <- free_name(names(values)[i], c(variables, names(values)[seq_len(i - 1)]))
  }
  list(codes = lapply(variables, function(v) frame[[v]]), trees = trees, roots = roots,
       values = values, roles = roles, status = status)
}

one_argus_tree <- function(trees, variable) {
  if (length(trees) > 1) {
    abort_sdc("input", c(
      "tau-ARGUS takes one tree for a variable.",
      x = "There are {length(trees)} for {.val {variable}}.",
      i = "Write a table for each tree, and protect them as linked tables."
    ))
  }
  if (length(trees) == 1) unclass(trees[[1]])[c("parent", "child")]
}

# What tau-ARGUS would read as something else.
check_argus_codes <- function(held, separator) {
  for (v in names(held$roots)) {
    codes <- c(levels(held$codes[[match(v, names(held$roots))]]), held$trees[[v]]$child)
    bad <- is.na(codes) | !nzchar(codes) | codes != trimws(codes) |
      grepl("[\"[:cntrl:]]", codes) | grepl(separator, codes, fixed = TRUE) |
      (tolower(codes) == tolower(held$roots[[v]]) & codes != held$roots[[v]])
    if (any(bad)) {
      abort_sdc("input", c(
        "The labels of {.val {v}} must be codes that tau-ARGUS can read: not empty, without the
         separator {.val {separator}}, quotes, control characters and spaces at the ends, and no
         second spelling of the total.",
        x = "One is {.val {codes[bad][1]}}."
      ))
    }
  }
  names <- c(names(held$roots), names(held$values))
  odd <- grepl("[\"[:cntrl:]]|^<|^//", names)
  if (any(odd)) {
    abort_sdc("input", c(
      "The names of variables must not hold quotes or begin with {.val {'<'}} or {.val //}.",
      x = "One is {.val {names[odd][1]}}."
    ))
  }
}

# ---- texts --------------------------------------------------------------------------------------

# For each file its name and its text.
argus_texts <- function(held, name, status, separator) {
  k <- length(held$roots)
  trees <- which(!vapply(held$trees, is.null, NA))
  leads <- lapply(held$trees[trees], lead_string)
  hrc <- Map(function(tree, lead, i) {
    list(paste0(name, "_", i, ".hrc"), hrc_text(tree, lead))
  }, held$trees[trees], leads, trees)
  column <- if (status == "column") argus_status[held$status]
  tab <- argus_lines(held, column, separator)
  rda <- rda_text(held, vapply(hrc, `[[`, "", 1), leads, !is.null(column), separator)
  hst <- if (status == "hst" && !is.null(held$status)) hst_text(held, separator)
  c(list(tab = list(paste0(name, ".tab"), tab), rda = list(paste0(name, ".rda"), rda)),
    if (!is.null(hst)) list(hst = list(paste0(name, ".hst"), hst)), hrc)
}

# sdcStatus in tau-ARGUS.
argus_status <- c(s = "S", u = "U", x = "M", z = "P", w = "S")
apriori_status <- c(u = "u", x = "m", z = "p")

text_of_lines <- function(lines) paste0(paste0(lines, "\n", recycle0 = TRUE), collapse = "")

argus_lines <- function(held, status, separator) {
  if (length(held$codes[[1]]) == 0) {
    return("")
  }
  codes <- lapply(held$codes, function(code) paste0("\"", levels(code), "\"")[as.integer(code)])
  values <- Map(decimals_text, held$values, value_decimals(held$values))
  columns <- c(codes, unname(values), if (!is.null(status)) list(unname(status)))
  text_of_lines(do.call(paste, c(columns, sep = separator)))
}

# How many decimals a column needs; at most 15 digits are exact in decimals.
value_decimals <- function(values) {
  vapply(values, function(value) {
    texts <- exact_decimal(value)
    max(0, nchar(sub("^[^.]*[.]?", "", texts[!grepl("[ex]", texts)])))
  }, 0)
}

decimals_text <- function(value, decimals) sprintf("%.*f", as.integer(decimals), value)

rda_text <- function(held, hrc, leads, has_status, separator) {
  quote <- function(x) paste0("\"", x, "\"")
  named <- function(x) ifelse(grepl("^[A-Za-z][A-Za-z0-9_.]*$", x), x, quote(x))
  variables <- lapply(names(held$roots), function(v) {
    tree <- c("  <HIERARCHICAL>", paste("  <HIERCODELIST>", quote(hrc[v])),
              paste("  <HIERLEADSTRING>", quote(leads[v])))
    c(named(v), "  <RECODEABLE>", paste("  <TOTCODE>", quote(held$roots[[v]])),
      if (!is.null(held$trees[[v]])) tree)
  })
  decimals <- value_decimals(held$values)
  values <- lapply(seq_along(held$values), function(i) {
    c(named(names(held$values)[i]), paste0("  ", held$roles[i]),
      if (held$roles[i] != "<FREQUENCY>") paste("  <DECIMALS>", decimals[[i]]))
  })
  status <- free_name("status", c(names(held$roots), names(held$values)))
  text_of_lines(c(
    paste("  <SEPARATOR>", quote(separator)), "  <SAFE> \"S\"", "  <UNSAFE> \"U\"",
    "  <PROTECT> \"P\"", unlist(variables), unlist(values),
    if (has_status) c(status, "  <STATUS>")
  ))
}

# A sign that no code of the tree begins with.
lead_string <- function(tree) {
  signs <- c("@", ":", "!", "#", "$", "%", "&", "*", "+")
  free <- signs[!signs %in% substr(tree$child, 1, 1)]
  if (length(free) > 0) {
    return(free[[1]])
  }
  abort_sdc("input", c(
    "Some sign must be free to show the levels of a tree in a file.",
    x = "Codes begin with each of {.val {signs}}."
  ))
}

# Each node below the root, after its parent.
hrc_text <- function(tree, lead) {
  depth <- tree_depths(tree)
  sorted <- tree_order(tree)
  sorted <- sorted[depth[sorted] > 0]
  text_of_lines(paste0(strrep(lead, depth[sorted] - 1), tree$child[sorted]))
}

tree_depths <- function(tree) {
  up <- match(tree$parent, tree$child)
  at <- seq_along(up)
  depth <- numeric(length(up))
  repeat {
    at <- up[at]
    if (all(is.na(at))) break
    depth <- depth + !is.na(at)
  }
  depth
}

# The nodes in the order of a walk: by the places of all nodes from the root down.
tree_order <- function(tree) {
  up <- match(tree$parent, tree$child)
  depth <- tree_depths(tree)
  path <- matrix(0, length(up), max(depth) + 1)
  at <- seq_along(up)
  for (d in rev(seq_len(max(depth) + 1))) {
    here <- depth >= d - 1
    path[here, d] <- at[here]
    at[here] <- up[at[here]]
  }
  do.call(order, lapply(seq_len(ncol(path)), function(j) path[, j]))
}

hst_text <- function(held, separator) {
  at <- which(held$status %in% names(apriori_status))
  if (length(at) == 0) {
    return("")
  }
  codes <- lapply(held$codes, function(code) paste0("\"", as.character(code[at]), "\""))
  text_of_lines(do.call(paste, c(codes, list(apriori_status[held$status[at]]), sep = separator)))
}
