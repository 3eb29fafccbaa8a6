# What is wrong with bounds and certificates before any proof is read: fields that are missing, of
# another length, or that refer to what is not there.

# Do bounds speak of cells of this release, and are their fields what they should be?
bounds_faults <- function(x, said) {
  n <- length(x$lower)
  names <- lapply(said$names, as.character)
  ok <- is.numeric(x$lower) && is.numeric(x$upper) && length(x$upper) == n &&
    all(is_whole(x$lower)) && all(is_whole(x$upper) | x$upper == Inf) && all(x$lower <= x$upper)
  codes <- length(x$codes) == length(x$dimnames) && all(lengths(x$codes) == n) &&
    !anyNA(said$asked)
  c(
    if (!ok) "Fields `lower` and `upper` are not whole numbers with lower <= upper.",
    if (!is.logical(x$sharp) || length(x$sharp) != n || anyNA(x$sharp)) {
      "Field `sharp` is not a flag for each cell."
    },
    if (!codes) "Field `codes` does not name a cell for each interval.",
    if (!labels_fit(x$dimnames, said)) "Field `dimnames` differs from the release."
  )
}

# The labels of levels, or where sums were asked for, those of levels and totals.
labels_fit <- function(dimnames, said) {
  plain <- function(labels) lapply(as.list(labels), as.character)
  identical(plain(dimnames), plain(said$names)) || identical(plain(dimnames), plain(said$dimnames))
}

certificate_faults <- function(x, said) {
  made <- x$certificates
  n_counts <- length((said$counts %||% said)$least)
  c(
    if (!ends_fit(x, made)) "The ends of the certificates are not those of the bounds.",
    if (!is.numeric(made$at) || !identical(as.numeric(made$at), as.numeric(said$asked))) {
      "The certificates are about other cells."
    },
    if (!base_fits(made, n_counts)) "There is no table that all others are compared with.",
    if (!changes_fit(made$tables, n_counts, made$base, made$ends$table)) {
      "The tables of the certificates are damaged."
    },
    if (!changes_fit(made$directions, n_counts, numeric(n_counts), made$ends$direction)) {
      "The directions of the certificates are damaged."
    },
    if (!proofs_fit(made$proofs, length(said$least), length(said$lower), made$ends$proof)) {
      "The proofs of the certificates are damaged."
    },
    if (!isTRUE(made$late) && !isFALSE(made$late)) "Field `late` is not a flag."
  )
}

# Where no table was found there is none to compare with.
base_fits <- function(made, n) {
  is.numeric(made$base) && all(is_whole(made$base)) &&
    (length(made$base) == n || (length(made$base) == 0 && length(made$tables$start) == 1))
}

ends_fit <- function(x, made) {
  n <- length(x$lower)
  ends <- made$ends
  is.data.frame(ends) && nrow(ends) == 2 * n && all(lengths(ends) == 2 * n) &&
    is.numeric(ends$value) && is.numeric(ends$cell) &&
    all(is_whole(ends$value) | ends$value == Inf) %in% TRUE &&
    identical(as.numeric(ends$cell), as.numeric(rep(seq_len(n), 2))) &&
    identical(as.character(ends$end), rep(c("lower", "upper"), each = n))
}

# Starts of groups, from 0 to the number of their members.
starts_fit <- function(start, n) {
  is.numeric(start) && length(start) > 0 && all(is_whole(start)) && start[1] == 0 &&
    !is.unsorted(start) && start[length(start)] == n
}

# Whole numbers from 1 to n, ascending in each group.
places_fit <- function(place, n, start) {
  ok <- is.numeric(place) && all(is_whole(place)) && all(place >= 1 & place <= n)
  if (!ok || length(place) < 2) {
    return(ok)
  }
  first <- seq_along(place) %in% (start + 1)
  all(diff(place) > 0 | first[-1])
}

# Each group has an end that refers to it.
references_fit <- function(reference, n) {
  is.numeric(reference) && all(is.na(reference) | reference %in% seq_len(n)) &&
    all(seq_len(n) %in% reference)
}

changes_fit <- function(changes, n_unknown, base, reference) {
  is.list(changes) && length(changes$value) == length(changes$cell) &&
    starts_fit(changes$start, length(changes$cell)) &&
    places_fit(changes$cell, n_unknown, changes$start) && all(is_whole(changes$value)) &&
    all(changes$value != base[changes$cell]) &&
    references_fit(reference, length(changes$start) - 1)
}

proofs_fit <- function(proofs, n_unknown, n_rows, reference) {
  is.list(proofs) && length(proofs$at) == length(proofs$cell) &&
    length(proofs$times) == length(proofs$row) &&
    starts_fit(proofs$start, length(proofs$cell)) &&
    all(proofs$cell %in% 0:n_unknown) && all(is_whole(proofs$at)) &&
    all(proofs$at[proofs$cell == 0] == 0) &&
    starts_fit(proofs$row_start, length(proofs$row)) &&
    length(proofs$row_start) == base::sum(proofs$cell == 0) + 1 &&
    places_fit(proofs$row, n_rows, proofs$row_start) && all(is_whole(proofs$times)) &&
    all(proofs$times != 0) && !anyDuplicated(reference[!is.na(reference)]) &&
    references_fit(reference, length(proofs$start) - 1)
}

# ---- the checksum -----------------------------------------------------------------------------

# Of all fields; of the release what it says, for it may hold functions.
seal_of_bounds <- function(x) {
  made <- x$certificates
  parts <- unclass(x)[setdiff(names(x), c("release", "certificates"))]
  parts$certificates <- unclass(made)[setdiff(names(made), c("seal", "release"))]
  parts$release <- lapply(list(x$release, made$release), sealed_release)
  seal_of("bounds", parts)
}

sealed_release <- function(release) {
  if (is.null(release)) {
    return(NULL)
  }
  if (is_sdc_constraints(release)) {
    return(unclass(release)[c("dimnames", "lower", "upper", "rows", "sets")])
  }
  if (!is.null(release$parts)) {
    fields <- c("set", "columns", "lower", "upper")
    return(list(lapply(release$parts, `[`, fields), release$labels))
  }
  lapply(unclass(release), function(table) list(dimnames(table), table$keys, table$counts))
}

seal_faults <- function(x) {
  if (!identical(x$certificates$seal, seal_of_bounds(x))) {
    "The object was changed after it was made."
  }
}
