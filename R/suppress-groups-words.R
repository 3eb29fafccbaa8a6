# What is said of rows that give their people away as a group (suppress-groups.R).

# What the rule says of groups of people.
people_group_words <- function(x) {
  if (is.null(x$groups)) {
    return(NULL)
  }
  of <- paste(x$groups, collapse = " or ")
  sets <- unlist(lapply(x$combinations, names), use.names = FALSE)
  c(
    paste0("one zero of each group of people who all",
           if (group_room(x) > 0) paste0(", or ", all_but_words(x), ","), " have the same ", of,
           if (length(sets) > 0) paste0(", or belong to ", paste(sets, collapse = " or "))),
    if (x$small_groups > 0) {
      paste0("zeros of ", of, " in groups of at most ", plural(x$small_groups, "person", "people"))
    }
  )
}

# Of whom the others of a row would know each other's category.
all_but_words <- function(x) {
  n <- group_room(x)
  paste("all but", if (n == 1) "one" else paste("at most", format_count(n)))
}

# What print() says of them: how many groups of each kind are there, and of how many is nothing
# lacking?
certified_group_words <- function(x) {
  if (is.null(x$groups)) {
    return(NULL)
  }
  all <- chosen_of_groups(x, node_box(x, x$cells))
  kinds <- unlist(lapply(all, function(rows) lapply(rows$kinds, certified_kind, rows, x)),
                  recursive = FALSE)
  sets <- vapply(kinds, `[[`, NA, "set")
  c(kind_words(kinds[!sets], paste(" have the same", paste(x$groups, collapse = " or ")), x),
    kind_words(kinds[sets], paste(" are in one combination of",
                                  paste(names(x$combinations), collapse = " or ")), x))
}

# Of each row of people: is it `alike`, or `near`, can no zero outside the kind rise (`closed`), and
# is nothing of what protects it lacking (`kept`)?
certified_kind <- function(kind, rows, x) {
  out <- beyond(kind, rows$count)
  closed <- rowSums((rows$chosen | rows$small) & out) == 0
  # of other cells something else is lacking
  lacks <- matrix(rows$cell %in% x$lacking$row, nrow(out)) & out & (rows$count > 0) == closed
  list(alike = kind$alike, near = kind$near, closed = closed, kept = rowSums(lacks) == 0,
       set = is_combination(kind))
}

kind_words <- function(kinds, same, x) {
  count <- function(which, some) {
    flags <- unlist(lapply(kinds, which))
    n <- sum(flags)
    fine <- sum(flags & unlist(lapply(kinds, `[[`, "kept")))
    if (n > 0) paste0(if (fine < n) "FAILS: ", count_of(fine, n, "group"), " of people ", some)
  }
  but_few <- paste0("where ", all_but_words(x), same)
  one <- group_room(x) == 1
  them <- if (one) "certified for that one" else "certified for these"
  know <- if (one) "she knows that she is alone" else "they know that nobody else is like them"
  sure <- if (one) ", who knows that she is alone" else ", who know that nobody else is like them"
  c(count(function(kind) kind$alike, paste0("where all", same, ": certified for everybody")),
    count(function(kind) kind$near & !kind$closed, paste0(but_few, ": ", them, sure)),
    count(function(kind) kind$near & kind$closed,
          paste0(but_few, ", and no zero can rise: ", them, ", unless ", know)))
}

# Of a suppressed zero, or of the count of somebody who is alone: what it would tell.
group_sentences <- function(x, at) {
  box <- node_box(x, x$cells)
  labels <- lapply(unclass(x$cells)[names(box$dimnames)], function(column) as.character(column[at]))
  unlist(lapply(rows_of_groups(x, box), function(rows) {
    v <- rows$v
    row <- rows$of[at]
    where <- if (length(labels) > 1) label_words(labels[-v]) else "the table"
    people <- paste0("people of ", where, " (", format_count(rows$n[row]), ")")
    own <- match(labels[[v]], box$dimnames[[v]])
    fits <- vapply(rows$kinds, function(kind) is.na(own) || kind$outside[own], NA)
    # the last kind, of single categories, says most
    alike <- which(fits & vapply(rows$kinds, function(kind) kind$alike[row], NA))
    near <- which(fits & vapply(rows$kinds, function(kind) kind$near[row], NA))
    if (length(alike) > 0) {
      paste0("Primary: with all zeros published everybody would know that all ", people,
             " have ", kind_labels(rows, row, max(alike), box), ".")
    } else if (length(near) > 0) {
      one <- !is_combination(rows$kinds[[max(near)]])
      paste0("Primary: if it were published ", if (group_room(x) == 1) "one of the " else
        "some of the ", people, " would know", if (group_room(x) > 1) " together", " that ",
             "all others have ", if (one) paste("the same", names(box$dimnames)[v]) else
               kind_labels(rows, row, max(near), box), ".")
    } else if (rows$few[row]) {
      paste0("Primary: if it were published everybody would know that none of the ", people,
             " has ", label_words(labels[v]), ".")
    }
  }))
}

# What all are, or all others: the categories of a combination, or the one that they have.
kind_labels <- function(rows, row, kind, box) {
  kind <- rows$kinds[[kind]]
  has <- if (is_combination(kind)) !kind$outside else rows$count[row, ] > 0
  name <- names(box$dimnames)[rows$v]
  paste(name, "=", paste(box$dimnames[[rows$v]][has], collapse = " or "))
}
