# Secondary suppression by other packages. They get plain codes instead of names and labels: "L3" is
# the third level of a variable, "T1" its first total. So no label can confuse them, and what comes
# back is matched by code, never by position.

# `extra`: rows to hide besides.
suppress_by_library <- function(method, measure, extra, further) {
  given <- measure$rule$given
  primary <- measure$primary
  if (!all(measure$open)) check_takes_links(method)
  check_library_arguments(further, method, given)
  check_installed(method, "to choose the cells to suppress")
  version <- as.character(utils::packageVersion(method))
  if (!any(primary)) {
    return(list(suppressed = primary, primary = primary, version = version))
  }
  labels <- measure$table$dimnames
  code <- library_codes(measure$cells, labels)
  rule <- c(measure$rule, list(extra = extra, code = code))
  data <- library_data(measure$absolute %||% measure$cells, labels, code)
  if (all(measure$open)) {
    asked <- list(hierarchies = library_trees(method, measure$cells, labels, measure$trees, code))
  } else {
    asked <- c(linked_model(measure, code), extend0 = FALSE)
  }
  run <- switch(method, GaussSuppression = if (given) run_gauss_given else run_gauss_suppression,
                sdcTable = if (given) run_sdctable_given else run_sdctable)
  answer <- quietly(run(data, asked, rule, further), method)
  out <- read_answer(answer$value, code, measure$open, method)
  list(
    suppressed = out$suppressed | primary, primary = primary, version = version,
    notes = answer$warnings
  )
}

check_takes_links <- function(method) {
  if (method == "GaussSuppression") {
    return(invisible(method))
  }
  abort_sdc("input", c(
    "{.arg method} must be one that takes linked tables.",
    x = "{.pkg {method}} takes one table, and the crossings of this one are several.",
    i = "{.code method = \"GaussSuppression\"} takes several."
  ))
}

# Both libraries take any argument and drop what they do not use. So only those pass that this very
# call uses, and that leave the rule as this package believes it to be.
check_library_arguments <- function(further, method, given) {
  named <- rlang::names2(further)
  fits <- library_arguments(method, given)
  wrong <- setdiff(named, c(fits$always, fits$with_solver))
  if (length(wrong) > 0) {
    wrong[!nzchar(wrong)] <- "(without a name)"
    abort_sdc("input", c(
      "{.arg ...} must be arguments of {.pkg {method}} that {.fn suppress} hands on:
       {.arg {c(fits$always, fits$with_solver)}}.",
      x = "{cli::qty(wrong)}The argument{?s} {.arg {wrong}} would be ignored or would change the
           rule.",
      i = did_you_mean(wrong, c(suppress_arguments(given), unlist(fits)), style = "arg")
    ))
  }
  twice <- unique(named[duplicated(named)])
  if (length(twice) > 0) {
    abort_sdc("input", c(
      "{.arg ...} must name each argument once.",
      x = "{.arg {twice}} {cli::qty(twice)}{?appears/appear} more than once."
    ))
  }
  check_not_idle(further, named, fits$with_solver, given, method)
  for (name in intersect(named, library_amounts)) {
    if (!is.null(further[[name]])) check_number(further[[name]], min = 0, arg = name)
  }
}

# `given`: are the primary cells given, as for magnitudes?
suppress_arguments <- function(given) {
  method <- utils::getS3method("suppress", if (given) "sdc_magnitude" else "default")
  setdiff(names(formals(method)), "...")
}

# What is a width, a distance or a percentage.
library_amounts <- c(
  "rangeMin", "rangePercent", "protectionLimit", "protectionPercent", "loProtectionLimit",
  "loProtectionPercent", "threshold"
)

# Arguments about intervals are read by a solver only, and `allInt` only when there is a limit.
check_not_idle <- function(further, named, with_solver, given, method) {
  idle <- intersect(named, with_solver)
  lacks <- "lpPackage"
  if (!is.null(further$lpPackage)) {
    idle <- if (!given && all(idle == "allInt")) idle
    lacks <- "rangeMin"
  }
  if (length(idle) == 0) {
    return(invisible(further))
  }
  abort_sdc("input", c(
    "{.arg {idle}} {cli::qty(idle)}{?is/are} read only together with {.arg {lacks}}.",
    x = "{.arg {lacks}} is missing, so {.pkg {method}} would ignore {?it/them}.",
    i = "Add it, as in {.code lpPackage = \"lpSolve\", rangeMin = 3}."
  ))
}

# By function: what GaussSuppressionFromData() and the functions to which it passes `...` read in
# these calls, or protectTable(method = "SIMPLEHEURISTIC") documents. Left out is what names other
# primary cells or data, what publishes cells, what only prints, and what no call of this kind
# reads.
library_arguments <- function(method, given) {
  if (method == "sdcTable") {
    return(list(always = c("detectSingletons", "threshold")))
  }
  limits <- c("rangeMin", "rangePercent")
  # the rules of a table of magnitudes say themselves how far intervals must reach
  if (!given) {
    limits <- c(
      limits, "protectionIntervals", "protectionLimit", "protectionPercent", "loProtectionLimit",
      "loProtectionPercent"
    )
  }
  list(
    always = c("lpPackage", "secondaryZeros", "singletonMethod"),
    with_solver = c(limits, "allInt")
  )
}

# For each variable the codes of its levels and totals, under the names v1, v2, ...
library_codes <- function(cells, dimnames) {
  code <- Map(function(v, levels) {
    n <- nlevels(cells[[v]])
    c(paste0("L", seq_along(levels)), paste0("T", seq_len(n - length(levels))))
  }, names(dimnames), dimnames)
  rlang::set_names(code, paste0("v", seq_along(code)))
}

library_data <- function(cells, dimnames, code) {
  inner <- inner_rows(cells, dimnames)
  columns <- Map(function(v, code) code[as.integer(cells[[v]])[inner]], names(dimnames), code)
  names(columns) <- names(code)
  list2data_frame(c(columns, list(freq = cells$freq[inner])), length(inner))
}

# Runs a library without its printing. What it warns of becomes a warning of this package.
quietly <- function(expr, method) {
  warnings <- character()
  # a second guard: GaussSuppression itself then stops at an argument that no function has read
  before <- options(GaussSuppression.action_unused_dots = "abort")
  on.exit(options(before))
  utils::capture.output(
    value <- withCallingHandlers(
      tryCatch(expr, error = function(cnd) abort_library(method, library_error(cnd))),
      warning = function(cnd) {
        warnings <<- c(warnings, conditionMessage(cnd))
        tryInvokeRestart("muffleWarning")
      },
      message = function(cnd) tryInvokeRestart("muffleMessage")
    )
  )
  warnings <- unique(warnings)
  for (words in warnings) warn_library(method, words)
  list(value = value, warnings = warnings)
}

# The words of a library may hold counts: only those without any number are passed on.
library_error <- function(cnd) {
  words <- conditionMessage(cnd)
  if (holds_number(words)) "It ended with an error." else paste("It ended with an error:", words)
}

warn_library <- function(method, words) {
  shown <- !holds_number(words)
  warn_sdc("library", c(
    "{.pkg {method}} warned while it chose the cells to suppress.",
    "!" = if (shown) "{words}" else "Its words hold numbers, which may be counts.",
    i = if (!shown) "They are in {.field notes} of the result, which is confidential."
  ))
}

holds_number <- function(words) grepl("\\p{N}", enc2utf8(words), perl = TRUE)

abort_library <- function(method, what) {
  abort_sdc("infeasible", c(
    "{.pkg {method}} must find a pattern.",
    x = "{what}",
    i = "Try the other {.arg method}, or give a {.arg pattern}."
  ))
}

# A flag for each cell, from a frame with the codes of all cells, `suppressed` and `primary`.
read_answer <- function(answer, code, open, method) {
  ok <- is.data.frame(answer) && all(c(names(code), "suppressed", "primary") %in% names(answer))
  row <- if (ok) coded_rows(answer, code)
  if (!ok || !setequal(row, which(open))) {
    abort_library(method, "Its answer does not cover every cell.")
  }
  flags <- function(given) {
    out <- logical(length(open))
    out[row[given %in% TRUE]] <- TRUE
    out
  }
  list(suppressed = flags(answer$suppressed), primary = flags(answer$primary))
}

# The rows of the cells that a frame names by codes.
coded_rows <- function(frame, code) {
  at <- Map(function(v, code) match(as.character(frame[[v]]), code), names(code), code)
  combine_codes(at, lengths(code, FALSE), nrow(frame))
}

library_trees <- function(method, cells, dimnames, trees, code) {
  make <- switch(method, GaussSuppression = tree_sums, sdcTable = tree_frame)
  out <- Map(function(v, code) {
    labels <- levels(cells[[v]])
    make(family_tree(labels, length(dimnames[[v]]), trees[[v]]), code, v)
  }, names(dimnames), code)
  rlang::set_names(out, names(code))
}

# ---- GaussSuppression ---------------------------------------------------------------------------

# SuppressSmallCounts() calls a cell with a count of at most maxN primary, zeros by protectZeros.
run_gauss_suppression <- function(data, asked, rule, further) {
  if (length(rule$extra) > 0) {
    extra <- function(crossTable, ...) coded_rows(crossTable, rule$code) %in% rule$extra
    further$primary <- c(GaussSuppression::PrimaryDefault, extra)
  }
  do.call(GaussSuppression::SuppressSmallCounts, c(
    list(data = data, maxN = rule$maxN, freqVar = "freq", protectZeros = rule$protectZeros,
         printInc = FALSE),
    asked, further
  ))
}

# Primary cells that are given: `rule` has `primary`, `holder` (whose the inner cells of one
# contributor are) and the ends that intervals shall reach, which the library reads when it has
# linear programmes. "numttHTT" is the method for single contributors that the library's own
# functions for tables of magnitudes use: it knows who is alone in several cells, and sees to it
# that no one, and no two, compute a primary cell from what they know.
run_gauss_given <- function(data, asked, rule, further) {
  primary <- function(crossTable, ...) {
    row <- coded_rows(crossTable, rule$code)
    ends <- data.frame(lomax_freq = rule$lowest[row], upmin_freq = rule$highest[row])
    ends[!rule$primary[row], ] <- NA
    flags <- rule$primary[row] | row %in% rule$extra
    if (is.null(further$lpPackage)) flags else list(primary = flags, numExtra = ends)
  }
  if (is.null(further$singletonMethod)) further$singletonMethod <- "numttHTT"
  do.call(GaussSuppression::GaussSuppressionFromData, c(
    list(data = data, freqVar = "freq", primary = primary, singleton = rule$holder,
         protectZeros = FALSE, printInc = FALSE),
    asked, further
  ))
}

# Each total as a sum of levels: several trees of a variable are one such list.
tree_sums <- function(tree, code, variable) {
  held <- data.frame(from = seq_along(code)[startsWith(code, "L")])
  held$to <- held$from
  up <- data.frame(to = tree$child, above = tree$parent)
  out <- NULL
  repeat {
    held <- merge(held, up)
    if (nrow(held) == 0) break
    held <- unique(data.frame(from = held$from, to = held$above))
    out <- unique(rbind(out, held))
  }
  out <- out[order(out$to, out$from), ]
  data.frame(mapsFrom = code[out$from], mapsTo = code[out$to], sign = 1, level = 1)
}

# ---- sdcTable -----------------------------------------------------------------------------------

run_sdctable <- function(data, asked, rule, further) {
  problem <- sdcTable::makeProblem(data, asked$hierarchies, freqVarInd = "freq")
  problem <- sdcTable::primarySuppression(
    problem, type = "freq", maxN = rule$maxN, allowZeros = rule$protectZeros
  )
  sdctable_answer(problem, further)
}

# Zeros first, so that they are no candidates. A total of one part is no cell of its own there.
run_sdctable_given <- function(data, asked, rule, further) {
  problem <- sdcTable::makeProblem(data, asked$hierarchies, freqVarInd = "freq")
  problem <- sdcTable::primarySuppression(problem, type = "freq", maxN = 0, allowZeros = FALSE)
  own <- as.data.frame(sdcTable::sdcProb2df(problem, addDups = FALSE, dimCodes = "original"))
  for (row in which(rule$primary[coded_rows(own, rule$code)])) {
    cell <- vapply(own[names(rule$code)], function(column) as.character(column[row]), "")
    problem <- sdcTable::change_cellstatus(problem, cell, rule = "u")
  }
  sdctable_answer(problem, further)
}

sdctable_answer <- function(problem, further) {
  problem <- do.call(sdcTable::protectTable, c(
    list(problem, method = "SIMPLEHEURISTIC"), further
  ))
  cells <- as.data.frame(sdcTable::sdcProb2df(problem, addDups = TRUE, dimCodes = "original"))
  cells$suppressed <- cells$sdcStatus %in% c("u", "x")
  cells$primary <- cells$sdcStatus %in% "u"
  cells
}

# The tree as a list of nodes by depth, each after its parent.
tree_frame <- function(tree, code, variable) {
  if (any(tree$tree > 1)) {
    abort_sdc("input", c(
      "{.pkg sdcTable} takes one tree for a variable.",
      x = "There are {max(tree$tree)} for {.val {variable}}.",
      i = "{.code method = \"GaussSuppression\"} takes several."
    ))
  }
  walk <- function(node, depth) {
    below <- tree$child[tree$parent == node]
    rbind(c(node, depth), do.call(rbind, lapply(below, walk, depth = depth + 1)))
  }
  nodes <- walk(setdiff(tree$parent, tree$child), 1)
  data.frame(level = strrep("@", nodes[, 2]), code = code[nodes[, 1]])
}
