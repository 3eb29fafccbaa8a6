# What files of tau-ARGUS hold: an object, and the table that it is made into.

new_tau_argus <- function(columns, meta, rda, file) {
  trees <- argus_trees(meta, rda, columns$codes)
  totals <- argus_totals(meta)
  levels <- lapply(rlang::set_names(names(totals)), function(v) {
    argus_levels(columns$codes[[v]], trees[[v]], totals[[v]], file, columns$rows)
  })
  codes <- Map(function(code, all) match(code, all), columns$codes, levels)
  number <- combine_codes(unname(codes), lengths(levels, FALSE), length(codes[[1]]))
  again <- anyDuplicated(number)
  if (again > 0) abort_argus(file, columns$rows[again], "Its cell stands in an earlier line.")
  status <- columns$status
  names(columns$values) <- argus_value_names(columns$values, names(totals))
  frame <- c(Map(as_level_factor, codes, levels), columns$values,
             if (!is.null(status)) list(sdcStatus = status))
  structure(
    list(
      cells = list2data_frame(frame, length(codes[[1]])),
      roles = split(names(columns$values), factor(columns$roles, unique(columns$roles))),
      hierarchies = if (length(trees) > 0) trees, total_codes = totals, metadata = meta
    ),
    class = sdc_class("sdc_tau_argus", mark = "private")
  )
}

argus_value_names <- function(values, taken) {
  names <- names(values)
  for (i in seq_along(names)) {
    names[i] <- free_name(names[i], c(taken, names[seq_len(i - 1)], "sdcStatus"))
  }
  names
}

# Leaves in the order of the tree or of the file, then the inner nodes, the total last.
argus_levels <- function(codes, tree, total, file, rows) {
  if (is.null(tree)) {
    return(c(setdiff(unique(codes), total), total))
  }
  bad <- which(!codes %in% tree$child)[1]
  if (!is.na(bad)) {
    abort_argus(file, rows[bad], "The tree has no code {.val {code}}.", list(code = codes[bad]))
  }
  inner <- unique(tree$child[tree$child %in% tree$parent])
  c(setdiff(tree$child, inner), setdiff(inner, total), total)
}

#' @export
format.sdc_tau_argus <- function(x, ...) {
  status <- table(factor(x$cells$sdcStatus, c("u", "x", "z", "s")))
  c(
    "PRIVATE: holds the cells of the files",
    paste0(plural(nrow(x$cells), "cell"), " and totals of ",
           paste(names(x$total_codes), collapse = " x "),
           if (length(x$hierarchies) > 0) {
             paste0("; trees over ", paste(names(x$hierarchies), collapse = ", "))
           }),
    paste0("columns: ", paste0(names(x$roles), " ", vapply(x$roles, paste, "", collapse = ", "),
                               collapse = "; ")),
    if (!is.null(x$cells$sdcStatus)) {
      paste0("cells by status: ", paste(names(status), status, collapse = ", "))
    }
  )
}

#' @rdname read_tau_argus
#' @export
tau_argus_table <- function(x, ...) {
  check_no_dots(...)
  check_class(x, "sdc_tau_argus", make = "read_tau_argus")
  values <- unlist(x$roles[c("value", "freq", "top")])
  if (anyNA(x$cells[values][x$cells$sdcStatus %in% c("u", "x"), ])) {
    abort_sdc("input", c(
      "A table needs the value of each cell.",
      x = "Suppressed cells of the file have none.",
      i = "{.fn as_publication} makes a publication of it."
    ))
  }
  if (is.null(x$roles$value)) argus_counts(x) else argus_magnitudes(x)
}

argus_counts <- function(x) {
  variables <- names(x$total_codes)
  cells <- argus_filled(x)
  leaves <- argus_leaves(x, cells)
  data <- cells[leaves, c(variables, x$roles$freq)]
  for (v in variables) {
    tree <- x$hierarchies[[v]]
    all <- levels(cells[[v]])
    data[[v]] <- factor(data[[v]], setdiff(all, c(x$total_codes[[v]], tree$parent)))
  }
  flat <- setdiff(variables, names(x$hierarchies))
  label <- unique(x$total_codes[flat])
  if (length(label) > 1) {
    abort_sdc("input", c(
      "The totals of all variables without a tree must have one code.",
      x = "They are {.val {label}}."
    ))
  }
  out <- sdc_table(data, variables, x$roles$freq, hierarchies = x$hierarchies,
                   total_label = if (length(label) == 1) label, total = FALSE, drop_unused = FALSE)
  check_argus_sums(out, cells, x)
  out
}

# The columns of values with 0 where a cell is empty.
argus_filled <- function(x) {
  cells <- x$cells
  for (v in unlist(x$roles[c("value", "freq", "top")])) cells[[v]][is.na(cells[[v]])] <- 0
  cells
}

argus_leaves <- function(x, cells) {
  leaf <- lapply(names(x$total_codes), function(v) {
    inner <- c(x$total_codes[[v]], x$hierarchies[[v]]$parent)
    !levels(cells[[v]])[cells[[v]]] %in% inner
  })
  Reduce(`&`, leaf)
}

# Each row of the file must be what its cells add up to.
check_argus_sums <- function(table, cells, x) {
  published <- published_table(table)
  labels <- published$dimnames
  codes <- lapply(names(labels), function(v) match(as.character(cells[[v]]), labels[[v]]))
  at <- combine_codes(codes, lengths(labels, FALSE), nrow(cells))
  held <- combine_codes(stored_codes(published), dim(published), length(published$counts))
  sum <- published$counts[match(at, held)]
  sum[is.na(sum)] <- 0
  bad <- which(sum != cells[[x$roles$freq]])[1]
  if (is.na(bad)) {
    return(invisible(table))
  }
  words <- label_words(lapply(unclass(cells)[names(labels)], function(f) as.character(f[bad])))
  abort_sdc("input", c(
    "The totals of the file must be the sums of its cells.",
    x = "The total of {words} differs from the sum of its cells.",
    i = "A cell that is not listed counts as empty."
  ))
}

argus_magnitudes <- function(x) {
  if (is.null(x$roles$freq) || is.null(x$roles$top)) {
    abort_sdc("input", c(
      "A magnitude table needs numbers of contributors and the largest contributions.",
      x = "The file has no {.val {c('<FREQUENCY>', '<MAXSCORE>')[c(is.null(x$roles$freq),
           is.null(x$roles$top))]}}."
    ))
  }
  flat <- setdiff(names(x$total_codes), names(x$hierarchies))
  label <- unique(c(x$total_codes[flat], if (length(flat) == 0) "Total"))
  cells <- argus_filled(x)
  magnitude_cells(cells[cells[[x$roles$freq]] > 0, ], names(x$total_codes), x$roles$value,
                  x$roles$freq, x$roles$top, hierarchies = x$hierarchies, total_label = label)
}

# A part of a release: the counts that the file shows.
#' @export
as_parts.sdc_tau_argus <- function(x, name, arg, style) {
  if (is.null(x$roles$freq) || !is.null(x$roles$value)) {
    abort_sdc("input", c(
      "A release of constraints must be of counts.",
      x = "The values of the file are of {.val {x$roles$value}}."
    ))
  }
  style$dimVar <- names(x$total_codes)
  style$freqVar <- x$roles$freq
  cells <- x$cells
  empty <- is.na(cells[[style$freqVar]]) & !cells$sdcStatus %in% c("u", "x")
  cells[[style$freqVar]][empty] <- 0
  part <- frame_part(cells, if (nzchar(name)) name else arg, style)
  flat <- setdiff(style$dimVar, names(x$hierarchies))
  trees <- lapply(rlang::set_names(flat), function(v) {
    leaves <- setdiff(levels(cells[[v]]), x$total_codes[[v]])
    data.frame(parent = c(NA, rep(x$total_codes[[v]], length(leaves))),
               child = c(x$total_codes[[v]], leaves))
  })
  part$hierarchies <- c(x$hierarchies, trees)
  list(part)
}
