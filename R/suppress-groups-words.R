# What is said of rows that give their people away as a group (suppress-groups.R).

# What the rule says of groups of people.
people_group_words <- function(x) {
  if (is.null(x$groups)) {
    return(NULL)
  }
  of <- paste(x$groups, collapse = " or ")
  c(
    paste0("one zero of each group of people who all",
           if (group_room(x) > 0) paste0(", or ", all_but_words(x), ","), " have the same ", of),
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
  box <- node_box(x, x$cells)
  all <- chosen_of_groups(x, box)
  closed <- lapply(all, function(rows) rowSums(rows$chosen | rows$small) == 0)
  # of other cells something else is lacking
  kept <- Map(function(rows, closed) {
    open <- rows$of[x$lacking$row]
    !seq_along(rows$n) %in% open[x$cells$freq[x$lacking$row] == closed[open]]
  }, all, closed)
  count <- function(which, some) {
    n <- sum(unlist(which))
    fine <- sum(unlist(which) & unlist(kept))
    if (n > 0) paste0(if (fine < n) "FAILS: ", count_of(fine, n, "group"), " of people ", some)
  }
  same <- paste0(" have the same ", paste(x$groups, collapse = " or "))
  near <- lapply(all, `[[`, "near")
  but_few <- paste0("where ", all_but_words(x), same)
  one <- group_room(x) == 1
  them <- if (one) "certified for that one" else "certified for these"
  know <- if (one) "she knows that she is alone" else "they know that nobody else is like them"
  sure <- if (one) ", who knows that she is alone" else ", who know that nobody else is like them"
  c(count(lapply(all, `[[`, "alike"), paste0("where all", same, ": certified for everybody")),
    count(Map(function(near, closed) near & !closed, near, closed),
          paste0(but_few, ": ", them, sure)),
    count(Map(`&`, near, closed),
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
    if (rows$alike[row]) {
      paste0("Primary: with all zeros published everybody would know that all ", people,
             " have ", label_words(lapply(box$dimnames[v], `[`, rows$count[row, ] > 0)), ".")
    } else if (rows$near[row]) {
      paste0("Primary: if it were published ", if (group_room(x) == 1) "one of the " else
        "some of the ", people, " would know", if (group_room(x) > 1) " together", " that ",
             "all others have the same ", names(box$dimnames)[v], ".")
    } else if (rows$few[row]) {
      paste0("Primary: if it were published everybody would know that none of the ", people,
             " has ", label_words(labels[v]), ".")
    }
  }))
}
