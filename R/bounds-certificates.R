# Certificates of bounds: for each end of an asked cell a table that attains it, and a proof that no
# table goes beyond. The help page of verify_bounds() says what they hold.

# Bounds `x` with the certificates of both ends of each cell. `system`: constraints, or what has
# their fields lower, upper and rows; `at`: the asked cells in it.
add_certificates <- function(x, system, at, style, release = NULL) {
  made <- find_certificates(x, system, at, style)
  hold_certificates(x, made, list(at = as.numeric(at)), release)
}

# It takes what is left of the time.
find_certificates <- function(x, system, at, style) {
  n <- length(at)
  value <- c(x$lower, x$upper)
  made <- with_progress("Certificates", function(tick) {
    with_core(cpp_certify_ends(
      system, as.integer(c(at, at)), rep(c(FALSE, TRUE), each = n), value,
      max(0, style$until - work_seconds()), max_tableau(), tick
    ))
  }, style$progress)
  made$ends <- list2data_frame(list(
    cell = rep(seq_len(n), 2), end = factor(rep(c("lower", "upper"), each = n)), value = value,
    table = made$table, direction = made$direction, proof = made$proof
  ), 2 * n)
  made
}

# An interval that turns out to be attained and proved at both ends is sharp, whatever found it.
# `fields`: what the numbers in the certificates refer to.
hold_certificates <- function(x, made, fields, release) {
  ends <- made$ends
  n <- length(x$lower)
  certain <- !is.na(ends$table) & !is.na(ends$proof) | !is.na(ends$direction)
  x$sharp <- x$sharp | certain[seq_len(n)] & certain[n + seq_len(n)]
  x$certificates <- structure(
    c(made["ends"], fields, made[c("base", "tables", "directions", "proofs", "late")],
      list(release = release)),
    class = sdc_class("sdc_bounds_certificates")
  )
  x$certificates$seal <- seal_of_bounds(x)
  warn_of_open(x)
  x
}

# Ends that no proof was found for.
open_ends <- function(x) {
  ends <- x$certificates$ends
  base::sum(is.na(ends$proof) & is.finite(ends$value))
}

warn_of_open <- function(x) {
  open <- open_ends(x)
  if (open == 0) {
    return(invisible())
  }
  warn_sdc("open", c(
    "{open} of {2 * length(x$lower)} ends have no proof: {if (x$certificates$late) 'the time limit
     was reached' else 'none was found'}.",
    i = "Their bounds are those of the search. {.fn verify_bounds} calls them open.",
    i = if (x$certificates$late) "Raise {.arg time_limit_s}, or ask for fewer {.arg cells}."
  ))
}

# The same for bounds of cells and sums of a release in parts: over its leaves, with a column for
# each asked sum of several.
certify_leaves <- function(x, release, held, style) {
  if (!isTRUE(style$certificates)) {
    return(x)
  }
  if (!is_sdc_constraints(release)) release <- compose_leaves(held, style$max_cells)
  system <- with_asked_sums(release, held$labels, x$codes, length(x$lower))
  add_certificates(x, system, system$asked, style, if (is.null(x$release)) release)
}

full_cross <- function(labels) prod(lengths(lapply(labels, `[[`, "levels")))

compose_leaves <- function(held, max_cells) {
  n <- full_cross(held$labels)
  if (n > max_cells) {
    abort_sdc("too_large", c(
      "Certificates are given where the full cross of the variables has at most {max_cells} cells.",
      x = "It has {n}.",
      i = "Raise {.arg max_cells}, or bound a part of the tables."
    ))
  }
  compose_constraints(held$parts, held$labels, max(max_cells, 5e7))
}

# `codes`: for each variable the label of each asked sum. Its cells less its column make 0.
with_asked_sums <- function(release, labels, codes, n) {
  size <- lengths(lapply(labels, `[[`, "levels"), use.names = FALSE)
  found <- cpp_expand_groups(unname(lapply(labels, `[[`, "held")), size,
                             lapply(unname(codes), as.integer), n)
  several <- diff(found$start) != 1
  sums <- select_rows(c(found, list(
    coefficient = rep(1, length(found$cell)), lower = numeric(n), upper = numeric(n), label = ""
  )), which(several))
  own <- length(release$lower) + seq_len(base::sum(several))
  row <- c(rep(seq_along(own), diff(sums$start)), seq_along(own))
  by <- order(row)
  rows <- release$rows
  list(
    lower = c(release$lower, numeric(length(own))), upper = c(release$upper, rep(Inf, length(own))),
    rows = list(
      start = c(rows$start, rows$start[length(rows$start)] + cumsum(diff(sums$start) + 1)),
      cell = c(rows$cell, as.integer(c(sums$cell, own)[by])),
      coefficient = c(rows$coefficient, rep(c(1, -1), c(length(sums$cell), length(own)))[by]),
      set = c(rows$set, rep(0, length(own))),
      lower = c(rows$lower, numeric(length(own))), upper = c(rows$upper, numeric(length(own)))
    ),
    rates = release$rates,
    asked = replace(found$cell[found$start[-length(found$start)] + 1], several, own)
  )
}

# The system of margins: one row for each published count, margin after margin.
margin_system <- function(release, style) {
  do.call(constraints, list(
    structure(release$tables, class = sdc_class("sdc_margins")), dimnames = release$dimnames,
    max_entries = style$max_cells
  ))
}

# How each end was proved.
proof_kinds <- function(certificates) {
  proofs <- certificates$proofs
  nodes <- diff(proofs$start)
  leaf <- cumsum(c(0, proofs$cell == 0))
  first <- leaf[utils::head(proofs$start, -1) + 1] + 1
  rows <- diff(proofs$row_start)[first]
  kind <- ifelse(nodes > 1, "cases", ifelse(rows == 0, "limit", "sums"))
  ends <- certificates$ends
  ifelse(!is.na(ends$direction), "direction", ifelse(is.na(ends$proof), "none", kind[ends$proof]))
}

# With an error for certificates that were damaged.
read_kinds <- function(x) {
  n <- length(x$at)
  ok <- tryCatch(kinds_fit(x, n), error = function(cnd) FALSE)
  if (!isTRUE(ok)) abort_damaged("Their ends do not match their tables and proofs.")
  proof_kinds(x)
}

abort_damaged <- function(fault) {
  abort_sdc("input", c(
    "The certificates of {.arg x} must be as {.fn bounds_margins} made them.",
    x = "{fault}",
    i = "{.fn verify_bounds} says what still holds. Make the bounds anew."
  ))
}

kinds_fit <- function(x, n) {
  ends <- x$ends
  of <- function(field, start) references_fit(ends[[field]], length(start) - 1)
  is.data.frame(ends) && nrow(ends) == 2 * n && is.logical(x$late) && length(x$late) == 1 &&
    !is.na(x$late) && starts_fit(x$proofs$start, length(x$proofs$cell)) &&
    starts_fit(x$proofs$row_start, length(x$proofs$row)) && is.numeric(x$proofs$cell) &&
    length(x$proofs$row_start) == base::sum(x$proofs$cell == 0) + 1 &&
    of("table", x$tables$start) && of("direction", x$directions$start) &&
    of("proof", x$proofs$start)
}

#' @export
format.sdc_bounds_certificates <- function(x, ...) {
  kind <- read_kinds(x)
  n <- nrow(x$ends)
  of <- function(what) base::sum(kind == what)
  attained <- base::sum(!is.na(x$ends$table))
  said <- function(k, words) if (k > 0) paste0("  ", format_count(k), " ", words)
  c(
    paste0("<sdc_bounds_certificates> both ends of ", plural(length(x$at), "cell")),
    paste0("  attained: ", format_count(attained), " of ", format_count(n), " ends, by ",
           plural(length(x$tables$start) - 1, "table")),
    said(of("limit"), "proved by the limit that was published of the cell"),
    said(of("sums"), "proved by one combination of published sums"),
    said(of("cases"), "proved by several cases, each by a combination of published sums"),
    said(of("direction"), "without a limit: a direction in which tables go on for ever"),
    said(of("none"), "without a proof"),
    if (x$late) "  the time limit ended the work"
  )
}
