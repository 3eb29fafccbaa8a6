# What all objects of this package share: their class vector, plain values, one print, one
# plot(), one str(). The class "sdc_object" ends the class vector of each, but before
# "data.frame", whose pictures would show every column.

# `mark`: "private" of what holds an original table, "confidential" of what was computed from one.
# Neither can be printed or looked into without saying so. `of`: a class of R itself.
sdc_class <- function(..., mark = NULL, of = NULL) {
  flag <- if (!is.null(mark)) c(if (mark == "confidential") "sdc_confidential", "sdc_private")
  c(..., flag, "sdc_object", of)
}

is_private <- function(x) inherits(x, "sdc_private")

# Lines of format() under a header; a single one stands beside it where there is room. A format()
# whose first line is a header keeps it.
object_lines <- function(x) {
  lines <- format(x)
  said <- any(grepl("PRIVATE|CONFIDENTIAL", lines))
  mark <- if (is_private(x) && !said) {
    if (inherits(x, "sdc_confidential")) " CONFIDENTIAL: computed from the original table" else
      " PRIVATE"
  }
  if (startsWith(lines[1], "<")) {
    return(c(paste0(lines[1], mark), lines[-1]))
  }
  class <- class(x)[1]
  if (endsWith(class, "_summary")) class <- paste("summary of", sub("_summary$", "", class))
  header <- paste0("<", class, ">", mark)
  beside <- length(lines) == 1 && is.null(mark) && nchar(header) + nchar(lines) < 100
  if (beside) paste(header, lines) else c(header, paste0("  ", lines))
}

own_method <- function(generic, class) {
  get0(paste0(generic, ".", class), topenv(environment()), mode = "function", inherits = FALSE)
}

# What is for the package alone has no words of its own.
#' @export
format.sdc_object <- function(x, ...) paste("holds", paste(names(x), collapse = ", "))

#' @export
print.sdc_object <- function(x, ...) {
  cat(object_lines(x), sep = "\n")
  invisible(x)
}

# The structure of a private object would show what its print hides.
#' @importFrom utils str
#' @export
str.sdc_object <- function(object, ...) {
  if (!is_private(object)) {
    return(NextMethod())
  }
  print(object)
  invisible()
}

#' @export
summary.sdc_object <- function(object, ...) {
  check_no_dots(...)
  object
}

# An object with a row for each cell keeps them as `cells`.
#' @export
as.data.frame.sdc_object <- function(x, row.names = NULL, optional = FALSE, ...,
                                     stringsAsFactors = FALSE) {
  check_no_dots(...)
  if (is.data.frame(x)) {
    return(list2data_frame(unclass(x)[names(x)], nrow(x)))
  }
  if (is.list(x) && is.data.frame(x$cells)) {
    return(x$cells)
  }
  abort_sdc("input", c(
    "Only an object with a row for each of its parts can become a data frame.",
    x = "An object of class {.cls {class(x)[1]}} has none."
  ))
}

# Base R would draw all columns or fields against each other, counts of the original among them.
#' @export
plot.sdc_object <- function(x, ...) {
  draw <- picture_of(x)
  if (is.null(draw)) abort_no_picture(x, "plot")
  picture <- draw(x, ...)
  print(picture)
  invisible(picture)
}

# Classes with a picture have a method of their own.
#' @exportS3Method ggplot2::autoplot
autoplot.sdc_object <- function(object, ...) abort_no_picture(object, "autoplot")

abort_no_picture <- function(x, drawing) {
  abort_sdc("input", c(
    "{.fn {drawing}} needs an object that has a picture.",
    x = "There is none of class {.cls {class(x)[1]}}.",
    i = instead_of_picture(x)
  ))
}

# The autoplot() method of a class, without loading ggplot2 for it.
picture_of <- function(x) {
  own <- setdiff(class(x), "sdc_object")
  Find(Negate(is.null), lapply(own, function(class) own_method("autoplot", class)))
}

instead_of_picture <- function(x) {
  told <- c(
    sdc_suppression_audit = "Draw the suppressed table.",
    sdc_magnitude_suppression_audit = "Draw the suppressed table.",
    sdc_suppression_verification = "Draw the suppressed table.",
    sdc_years_audit = "Draw one of the suppressed tables.",
    sdc_magnitude_audit = "Draw the redistributed table.",
    sdc_mechanism = "Draw its {.code $cycles}.",
    sdc_rules = "Draw a magnitude table with them: {.code plot(x, rules = rules)}.",
    sdc_constraints = "Draw their {.fn bounds_margins}.",
    sdc_disclosed = "Draw the bounds that it was found from.",
    sdc_conditionals = "Draw their {.fn bounds_conditional}.",
    sdc_count = "List the tables and draw them: {.code plot(enumerate_tables(release))}.",
    sdc_width = "Draw the release, or its {.fn critical_widths}.",
    sdc_release_structure = "Draw the release: {.code plot(release, \"tree\")}.",
    sdc_certificates = "Draw the release that has them: {.code plot(release, \"certificate\")}.",
    sdc_hex_attack = "Draw the published map.",
    sdc_method = "Draw what {.fn compare_methods} finds.",
    sdc_margins = "Draw one of the margins: {.code plot(x[[1]])}.",
    sdc_release_verification = paste(
      "Draw the release: {.code plot(release)}, or, where it has certificates,",
      "{.code plot(release, \"certificate\")}."
    ),
    sdc_estimate = "Draw its {.code $table}, which is an array.",
    sdc_server_audit = "Draw the server."
  )
  c(told[intersect(class(x), names(told))],
    "Tables, bounds, posteriors, releases, publications and comparisons have pictures.")[[1]]
}

# ---- data frames, codes and labels of cells ------------------------------------------------------

# A data frame that keeps the names of its columns, whatever they are.
list2data_frame <- function(columns, n) {
  structure(columns, class = "data.frame", row.names = .set_row_names(n))
}

# A deep copy without attributes other than names, without compact or growing vectors: equal values
# give equal bytes.
plain <- function(x) {
  x <- unclass(x)
  out <- vector(typeof(x), length(x))
  if (is.list(x)) {
    for (i in seq_along(x)) out[[i]] <- plain(x[[i]])
  } else {
    out[] <- if (is.character(x)) enc2utf8(as.vector(x)) else as.vector(x)
  }
  if (!is.null(names(x))) {
    names(out) <- plain(names(x))
  }
  out
}

# ---- codes and labels of cells -------------------------------------------------------------------

# The numbers of n cells from their levels, a vector for each variable, the first variable fastest.
combine_codes <- function(codes, size, n) {
  stride <- cumprod(c(1, size))
  out <- rep(1, n)
  for (v in seq_along(codes)) out <- out + (codes[[v]] - 1) * stride[[v]]
  out
}

# Numbers of cells given by levels, or texts where doubles do not hold the numbers.
cell_keys <- function(codes, size) {
  if (length(codes) == 0) {
    return(numeric())
  }
  if (prod(size) > 2^53) {
    return(do.call(paste, unname(codes)))
  }
  combine_codes(codes, size, length(codes[[1]]))
}

# The levels of cells from their numbers: the inverse.
split_codes <- function(at, size) {
  stride <- cumprod(c(1, size))
  lapply(seq_along(size), function(v) as.integer((at - 1) %/% stride[[v]] %% size[[v]] + 1))
}

as_level_factor <- function(codes, levels) {
  structure(codes, levels = levels, class = "factor")
}

# One factor for each variable: the labels of the cells.
cell_factors <- function(cells, labels) {
  codes <- split_codes(cells, lengths(labels, FALSE))
  rlang::set_names(Map(as_level_factor, codes, labels), names(labels))
}

# The labels of cells, a data frame with a factor for each variable.
cell_labels <- function(cells, dimnames) {
  list2data_frame(cell_factors(cells, dimnames), length(cells))
}

# "A = a1, B = all" from a column of labels for each variable.
label_words <- function(columns) {
  words <- Map(function(labels, name) {
    paste(name, "=", labels, recycle0 = TRUE)
  }, columns, names(columns))
  do.call(paste, c(unname(words), sep = ", "))
}

# ---- seals ---------------------------------------------------------------------------------------

# ---- seals ---------------------------------------------------------------------------------------

# Seals of private results: a checksum of all fields that publish() reads, so that it finds out when
# one of them was changed by hand. A seal is no secret: it stops accidents and shortcuts, not
# forgers, who have the original anyway. What can be recomputed is recomputed besides.

# `parts`: what publish() reads, in any storage: numbers are compared as doubles, text as UTF-8. The
# first 14 bytes name the version of R: a result that was kept is whole after an update of R, too.
seal_of <- function(kind, parts) {
  bytes <- serialize(list(kind, sealed_form(parts)), NULL, version = 2)[-(1:14)]
  paste(as.character(as.vector(unclass(openssl::sha256(bytes)))), collapse = "")
}

# Values, names and levels, and nothing of how R keeps them.
sealed_form <- function(x) {
  if (is.null(x)) {
    return(list())
  }
  if (is.function(x)) {
    # a function that was called may hold what R compiled of it
    x <- deparse(x, control = c("keepInteger", "keepNA", "digits17"))
  } else if (is.factor(x)) {
    x <- list(levels = levels(x), codes = as.integer(x))
  }
  names <- if (is.null(names(x))) list() else enc2utf8(names(x))
  values <- if (is.list(x)) {
    lapply(unname(unclass(x)), sealed_form)
  } else if (is.numeric(x)) {
    sealed_numbers(x)
  } else if (is.character(x)) {
    enc2utf8(as.vector(x))
  } else {
    as.vector(x)
  }
  attributes(values) <- NULL
  list(names, values)
}

# Many numbers by the checksums of their pieces: the seal of a table of millions of cells takes no
# copies of it.
sealed_numbers <- function(x, piece = 2^18) {
  if (length(x) <= piece) {
    return(as.double(x))
  }
  first <- seq(1, length(x), by = piece)
  sums <- vapply(first, function(i) {
    some <- as.double(x[i:min(length(x), i + piece - 1)])
    as.character(openssl::sha256(writeBin(some, raw(), endian = "little")))
  }, "")
  c(as.character(length(x)), sums)
}

check_seal <- function(x, kind, parts, make) {
  check_that(
    identical(x$seal, seal_of(kind, parts)),
    "Only a result as {.fn {make}} returned it can be published.",
    x = "This one was changed afterwards, or comes from another version of the package.",
    i = "Run {.fn {make}} again.", .kind = "refused"
  )
}

# Runs a verification. What was taken apart by hand may fail anywhere, with errors of R itself;
# their words are shown when they hold no number, as numbers may be counts, and their calls never.
verified <- function(make, expr) {
  tryCatch(expr, error = function(cnd) {
    if (inherits(cnd, "sdc_error")) rlang::cnd_signal(cnd)
    said <- conditionMessage(cnd)
    abort_sdc("refused", c(
      "Only a result as {.or {.fn {make}}} returned it can be published.",
      x = "A part of this one cannot be read.",
      i = "Run {.or {.fn {make}}} again."
    ), parent = if (!grepl("[0-9]", said)) simpleError(said))
  })
}

# What the fields of a private result say does not follow from each other.
abort_untrue <- function(what, make) {
  abort_sdc("refused", c(
    "Only a result whose parts fit together can be published.",
    x = "{what}",
    i = "Run {.fn {make}} again."
  ))
}

# ---- random choices ------------------------------------------------------------------------------

# ---- random choices ------------------------------------------------------------------------------

# Evaluates `code` with R's generator seeded by `seed` (a fixed kind of generator, whatever the
# user's), and puts the user's stream back; with `seed = NULL` the user's stream goes on. Returns
# the value and the seed that led to it, as stats::simulate() has it.
with_seed_kept <- function(seed, code) {
  if (is.null(seed)) {
    if (!exists(".Random.seed", globalenv(), inherits = FALSE)) stats::runif(1)
    state <- get(".Random.seed", globalenv())
    return(list(value = code, seed = state))
  }
  check_seed(seed)
  before <- globalenv()$.Random.seed
  on.exit(if (is.null(before)) rm(".Random.seed", envir = globalenv()) else
    assign(".Random.seed", before, envir = globalenv()))
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  list(value = code, seed = structure(seed, kind = as.list(RNGkind())))
}

# Also where the method that runs draws nothing.
check_seed <- function(seed) {
  limit <- .Machine$integer.max
  if (!is.null(seed)) check_whole(seed, min = -limit, max = limit)
}

# Public random choices: `seed`, or a seed from the operating system; never the user's stream.
with_public_seed <- function(seed, code) {
  if (is.null(seed)) {
    seed <- sum(as.integer(openssl::rand_bytes(3)) * c(1, 256, 65536))
  }
  with_seed_kept(seed, code)$value
}

# ---- relations between the cells of a frame that do not hold -----------------------------------

# A message may not show a confidential count, so that it names cells and relations; the figures
# stay in the condition.

# `labels`: a column for each variable. `shown`: what the frame says; `summed`: what its other cells
# say.
new_contradictions <- function(labels, relation, shown, summed) {
  list2data_frame(c(labels, list(
    relation = rep_len(relation, length(shown)), shown = shown, summed = summed,
    difference = shown - summed
  )), length(shown))
}

contradiction_columns <- c("relation", "shown", "summed", "difference")

# `advice`: further lines of the message.
abort_contradictions <- function(found, must, advice = NULL) {
  n <- nrow(found)
  first <- utils::head(found, 5)
  labels <- first[setdiff(names(first), contradiction_columns)]
  words <- paste0(label_words(lapply(unclass(labels), as.character)), ": ", first$relation, ".")
  abort_sdc("input", c(
    must,
    x = "{n} {cli::qty(n)}contradiction{?s} {?was/were} found{if (n > 5) ', of which these are the
         first five' else ''}.",
    rlang::set_names(escape_braces(words), rep("*", length(words))),
    i = "The figures are in the condition, which is confidential:
         {.code tryCatch(..., sdc_error_input = function(cnd) cnd$contradictions)}.",
    advice
  ), contradictions = found)
}

tell_accepted <- function(n, tolerance) {
  if (n == 0 || tolerance == 0) {
    return(invisible())
  }
  inform_sdc("tolerance", c(i = paste0(
    plural(n, "total differs", "totals differ"), " from the sum of the cells, by at most ",
    plain_number(tolerance), ", which `tolerance` accepts. The sums of the cells count."
  )))
}
