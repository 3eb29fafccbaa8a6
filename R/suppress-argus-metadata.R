# The metadata file of tau-ARGUS for tabular data (.rda, a text): its keywords, read strictly.

# Keywords before the first variable, each with one word.
argus_file_keywords <- c("<SEPARATOR>", "<SAFE>", "<UNSAFE>", "<PROTECT>")

# What a keyword makes of a variable.
argus_roles <- c(
  "<RECODEABLE>" = "code", "<RECODABLE>" = "code", "<NUMERIC>" = "value", "<FREQUENCY>" = "freq",
  "<MAXSCORE>" = "top", "<STATUS>" = "status", "<SHADOW>" = "shadow", "<COST>" = "cost",
  "<COSTVAR>" = "cost", "<LOWERPL>" = "lower_pl", "<UPPERPL>" = "upper_pl"
)

# Properties of a variable that are kept as they are.
argus_properties <- c(
  "<TOTCODE>" = "total", "<HIERLEVELS>" = "levels", "<HIERCODELIST>" = "hrc",
  "<HIERLEADSTRING>" = "lead", "<CODELIST>" = "codelist", "<DISTANCE>" = "distance",
  "<DECIMALS>" = "decimals"
)

# Those of microdata, named in the error.
argus_micro_keywords <- c(
  "<WEIGHT>", "<HOLDING>", "<REQUEST>", "<TRUNCABLE>", "<RECORDKEY>", "<SPSS>"
)

# A list: `separator`, `safe`, `unsafe`, `protect`, and `variables`, each a list of `name`,
# `missing`, `role` and its properties.
read_argus_metadata <- function(file) {
  lines <- argus_text_lines(file)
  out <- list(separator = ";", safe = "S", unsafe = "U", protect = "P", variables = list())
  fail <- function(line, what, ...) abort_argus(file, line, what, list(...))
  for (i in which(nzchar(lines) & !startsWith(lines, "//"))) {
    words <- argus_words(lines[[i]])
    if (!startsWith(words[1], "<")) {
      out$variables <- c(out$variables, list(list(name = words[1], missing = words[-1])))
      next
    }
    words[1] <- toupper(words[1])
    if (words[1] %in% argus_file_keywords) {
      if (length(words) != 2) fail(i, "{.val {word}} must have one value.", word = words[1])
      out[[tolower(gsub("[<>]", "", words[1]))]] <- words[2]
      next
    }
    n <- length(out$variables)
    if (n == 0) fail(i, "{.val {word}} stands before the first variable.", word = words[1])
    out$variables[[n]] <- with_keyword(out$variables[[n]], words, function(...) fail(i, ...))
  }
  check_argus_variables(out, file)
}

# Words are parted by spaces; what stands in double quotes is one word.
argus_words <- function(line) {
  words <- regmatches(line, gregexpr("\"[^\"]*\"|<[^>]*>|[^ <]+", line))[[1]]
  gsub("^\"|\"$", "", words)
}

with_keyword <- function(variable, words, fail) {
  key <- words[1]
  if (key %in% c("<HIERARCHICAL>", names(argus_properties))) {
    name <- if (key == "<HIERARCHICAL>") "hierarchical" else argus_properties[[key]]
    variable[[name]] <- if (name == "hierarchical") TRUE else words[-1]
    return(variable)
  }
  if (key == "<NUMERIC>" && length(words) == 2) key <- toupper(words[2])
  if (key %in% names(argus_roles) && length(words) <= 2) {
    if (!is.null(variable$role)) {
      fail("{.val {name}} has two roles.", name = variable$name)
    }
    variable$role <- argus_roles[[key]]
    return(variable)
  }
  fail(if (key %in% argus_micro_keywords) {
    "{.val {word}} is a keyword of microdata."
  } else {
    "{.val {word}} is no keyword of tabular data."
  }, word = key)
}

check_argus_variables <- function(meta, file) {
  roles <- lapply(meta$variables, `[[`, "role")
  bare <- which(vapply(roles, is.null, NA))[1]
  if (!is.na(bare)) {
    abort_argus(file, NA, "{.val {name}} has no role.", list(name = meta$variables[[bare]]$name))
  }
  roles <- vapply(roles, identity, "")
  names <- vapply(meta$variables, `[[`, "", "name")
  if (anyDuplicated(names)) {
    abort_argus(file, NA, "{.val {name}} stands in it twice.",
                list(name = names[anyDuplicated(names)]))
  }
  if (!any(roles == "code") || !any(roles %in% c("value", "freq"))) {
    abort_argus(file, NA, "It has no variable that is <RECODEABLE>, or none with values.", list())
  }
  single <- setdiff(roles[duplicated(roles)], c("code", "top"))
  if (length(single) > 0) {
    abort_argus(file, NA, "Several columns have one role: {.val {role}}.", list(role = single[1]))
  }
  meta
}

abort_argus <- function(file, line, what, values = list(), above = baseenv()) {
  envir <- list2env(c(list(file = file, line = line), values), parent = above)
  abort_sdc("input", c(
    "{.file {basename(file)}} must be a file of tau-ARGUS.",
    x = paste0(if (!is.na(line)) "Line {line}: ", what)
  ), .envir = envir)
}

# Lines without spaces at their ends, in UTF-8; what is none is taken for Latin-1.
argus_text_lines <- function(file) {
  if (!file.exists(file) || dir.exists(file)) {
    abort_sdc("input", c("A file of tau-ARGUS must be there.", x = "There is no {.file {file}}."))
  }
  lines <- readLines(file, warn = FALSE, skipNul = TRUE)
  lines <- sub("^\ufeff", "", lines)
  valid <- validUTF8(lines)
  lines[!valid] <- iconv(lines[!valid], "latin1", "UTF-8")
  Encoding(lines) <- "UTF-8"
  trimws(gsub("\t", " ", lines, fixed = TRUE))
}

# ---- trees --------------------------------------------------------------------------------------

# Total codes, by variable; tau-ARGUS says Total where none is given.
argus_totals <- function(meta) {
  variables <- Filter(function(v) v$role == "code", meta$variables)
  totals <- vapply(variables, function(v) {
    if (length(v$total) == 0 || !nzchar(v$total[1])) "Total" else v$total[1]
  }, "")
  rlang::set_names(totals, vapply(variables, `[[`, "", "name"))
}

# A frame with the columns parent and child for each variable with a tree.
argus_trees <- function(meta, file, codes) {
  totals <- argus_totals(meta)
  trees <- lapply(Filter(function(v) v$role == "code", meta$variables), function(v) {
    if (!is.null(v$hrc)) {
      return(hrc_tree(beside_file(v$hrc[1], file), c(v$lead, ".")[1], totals[[v$name]]))
    }
    if (!is.null(v$levels)) digit_tree(v, codes[[v$name]], totals[[v$name]], file)
  })
  names(trees) <- names(totals)
  Filter(Negate(is.null), trees)
}

# Paths are often those of another machine: the file beside the metadata comes first.
beside_file <- function(path, file) {
  own <- file.path(dirname(file), basename(gsub("\\", "/", path, fixed = TRUE)))
  if (file.exists(own)) own else path
}

hrc_tree <- function(file, lead, total) {
  fail <- function(what, hint = NULL, .envir = parent.frame()) {
    abort_argus(file, NA, what, above = .envir)
  }
  plain_tree(hrc_nodes(argus_text_lines(file), lead, total, fail))
}

# A level of the tree for each number of digits.
digit_tree <- function(variable, codes, total, file) {
  digits <- suppressWarnings(as.integer(variable$levels))
  ends <- cumsum(digits[digits > 0])
  if (anyNA(digits) || length(ends) == 0) {
    abort_argus(file, NA, "The <HIERLEVELS> of {.val {name}} are no whole numbers.",
                list(name = variable$name))
  }
  full <- unique(codes[nchar(codes) == ends[length(ends)] & codes != total])
  nodes <- lapply(ends, function(end) substr(full, 1, end))
  above <- c(list(rep(total, length(full))), nodes[-length(nodes)])
  pairs <- unique(cbind(parent = unlist(above), child = unlist(nodes)))
  list2data_frame(list(parent = c(NA, unname(pairs[, 1])), child = c(total, unname(pairs[, 2]))),
                  nrow(pairs) + 1)
}
