# Files of certificates by level. A table by level has, behind the coarsest level of a variable, the
# numbers of children (table-level.R); a file has the categories themselves, as auditors know them.

# Of a release as a file shows it: names and labels, what is coarser than what, the keys of the
# cells, and the certificates.
shown_cells_of <- function(release) {
  x <- release$problem$x
  steps <- table_steps(x)
  if (is.null(steps)) {
    return(list(dimnames = x$dimnames, coarser = list(), keys = x$keys,
                certificates = release$certificates))
  }
  dimnames <- rlang::set_names(steps$categories, steps$names)
  keys <- function(codes) cpp_pack_keys(lengths(dimnames), codes)
  c(list(dimnames = dimnames, coarser = coarser_levels(steps),
         keys = keys(categories_at(steps, stored_codes(x)))),
    list(certificates = show_certificates(release$certificates, x, keys)))
}

# For each step that has a finer one: its category for each category of that.
coarser_levels <- function(steps) {
  finer <- next_steps(steps, length(steps$variable))
  lapply(seq_along(finer), function(step) {
    if (is.na(finer[step])) return(NULL)
    first <- match(seq_along(steps$categories[[finer[step]]]), steps$maps[[finer[step]]])
    steps$maps[[step]][first]
  })
}

# Of cells the category at each level; NA for combinations of steps that stand for none.
categories_at <- function(steps, codes) {
  lapply(seq_along(codes), function(step) {
    own <- which(steps$variable == steps$variable[step] & seq_along(codes) <= step)
    category_codes(steps, own, codes[own])
  })
}

# Certificates that hold leave combinations that stand for no category at 0: what a search noted
# there adds up to nothing.
show_certificates <- function(certificates, x, keys) {
  held <- unclass(certificates)
  codes <- categories_at(table_steps(x), key_codes(x, held$keys))
  real <- Reduce(`&`, lapply(codes, Negate(is.na)))
  number <- cumsum(real) - 1L
  kept <- real[held$cell + 1]
  list(keys = keys(lapply(codes, `[`, real)), start = c(0, cumsum(kept))[held$start + 1],
       target = number[held$target + 1], cell = number[held$cell[kept] + 1], by = held$by[kept])
}

# The levels of keys that are laid out as those of the table.
key_codes <- function(x, keys) {
  n <- length(keys) / length(x$keys) * length(x$counts)
  lapply(seq_along(x$dimnames), function(v) cpp_unpack_levels(dim(x), keys, numeric(n), v))
}

# ---- reading ------------------------------------------------------------------------------------

# What a file has, as the table, sets and certificates of a release.
parts_by_level <- function(parts) {
  x <- new_table(parts$dimnames, parts$cells)
  if (all(vapply(parts$coarser, is.null, NA))) {
    return(c(parts, list(x = x)))
  }
  steps <- steps_of_file(parts$dimnames, parts$coarser)
  finest <- which(is.na(next_steps(steps, length(steps$variable))))
  leaves <- project_table(x, finest, vector("list", length(finest)), x$dimnames[finest])
  parts$x <- step_table(leaves, steps)
  parts$sets <- lapply(parts$sets, close_set, steps = steps)
  need(is.null(level_sets_fault(parts$sets, steps)), "A variable is not released at its finest.")
  codes <- key_codes(x, parts$certificates$keys)
  codes <- lapply(seq_along(codes), function(step) {
    step_codes(step, steps)[codes[[finest[steps$variable[step]]]]]
  })
  parts$certificates$keys <- cpp_pack_keys(dim(parts$x), codes)
  parts$at_cells <- parts$at_cells[, finest, drop = FALSE]
  parts
}

# The names of levels stand behind the names of the variables; the finest has none.
steps_of_file <- function(dimnames, coarser) {
  k <- length(dimnames)
  is_coarser <- lengths(coarser) > 0
  variable <- cumsum(c(TRUE, !is_coarser[-k]))
  maps <- vector("list", k)
  for (step in rev(seq_len(k))) {
    maps[[step]] <- if (is_coarser[step]) coarser[[step]][maps[[step + 1]]] else
      seq_along(dimnames[[step]])
  }
  finest <- names(dimnames)[!is_coarser][variable]
  need(all(startsWith(names(dimnames), ifelse(is_coarser, paste0(finest, "@"), finest))),
       "A level is not called by its variable.")
  level <- ifelse(is_coarser, substring(names(dimnames), nchar(finest) + 2), "finest")
  list(variable = variable, level = level, names = names(dimnames),
       categories = unname(dimnames), maps = maps, trees = vector("list", k),
       total_label = "Total")
}
