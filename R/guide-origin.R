# Where the table of a guide came from: the line of R that makes it, and the names of its tables.

# Puts the line before the others, in place of one that was there.
with_origin <- function(done, line, sets = NULL) {
  replaced <- length(done$made)
  put <- function(lines) c(line, lines[seq_along(lines) > replaced])
  if (!is.null(line)) {
    done$code <- if (is.list(done$code)) lapply(done$code, put) else put(done$code)
    done$made <- line
  }
  if (!is.null(sets)) done$titles <- sets[nzchar(rlang::names2(sets))]
  done
}

# "x <- sdc_table(people, dimVar = c("region", "sex"))". `written`: the arguments as the user wrote
# them.
made_line <- function(make, data, written = NULL) {
  call <- as.call(c(list(as.name(make), short_name(data)), written))
  paste("x <-", call_text(call))
}

# Values that a program passed in place of names would fill pages.
short_name <- function(data) {
  if (is.symbol(data) || is.call(data) && nchar(call_text(data)) <= 60) data else quote(data)
}

call_text <- function(call) paste(deparse(call, 500), collapse = " ")

# NULL where the table has the name that all lines use.
same_line <- function(data) {
  if (is.symbol(data) && !identical(data, quote(x))) paste("x <-", as.character(data))
}

linked_lines <- function(data, has_frames, written) {
  name <- short_name(data)
  if (has_frames) {
    call <- as.call(c(list(quote(lapply), name, quote(sdc_table)), written))
    return(c(paste("tables <-", call_text(call)), "x <- link_tables(tables)"))
  }
  made_line("link_tables", name)
}

# Where `dimVar` is a list of sets, the arguments with the formula that it means.
sets_in_arguments <- function(given, written, data) {
  names <- rlang::names2(given)
  at <- c(which(names == "dimVar"), which(names == ""))[1]
  is_list <- !is.na(at) && is.list(given[[at]]) && !is.object(given[[at]])
  if (!is_list) {
    return(list(given = given, written = written))
  }
  if (!is.null(given$formula)) {
    abort_sdc("input", c(
      "{.arg dimVar} must be no list where {.arg formula} is given.",
      x = "Both say which tables are published.", i = "Leave one of them out."
    ))
  }
  sets <- checked_sets(given[[at]], given, data)
  formula <- formula_of_sets(sets)
  text <- formula
  attributes(text) <- NULL
  list(given = c(given[-at], list(formula = formula)),
       written = c(written[-at], list(formula = text)), sets = sets)
}

checked_sets <- function(sets, given, data) {
  if (length(sets) == 0) {
    abort_sdc("input", c("{.arg dimVar} must name the variables of each table.",
                         x = "{.arg dimVar} is an empty list."))
  }
  trees <- c(given$hierarchies, given$dimList)
  for (i in seq_along(sets)) {
    arg <- paste0("dimVar[[", i, "]]")
    sets[i] <- list(variable_names(sets[[i]], arg))
    check_names_given(sets[[i]], arg)
    if (length(sets[[i]]) == 0) {
      abort_sdc("input", c("{.arg {arg}} must name a variable.", x = "It is empty."))
    }
    if (is.null(trees)) resolve_columns(sets[[i]], data, arg)
  }
  check_other_variables(unname(sets), paste0("dimVar[[", seq_along(sets), "]]"))
  sets
}
