# What is at risk in a table before anything is done: a row for each kind of risk, with a number of
# cells or groups and a sentence that says why it matters.

risks_of <- function(x, ...) UseMethod("risks_of")

#' @export
risks_of.sdc_table <- function(x, maxN, ...) {
  shown <- published_table(x)
  small <- small_cells(shown, maxN)$counts
  cells <- length(shown$counts)
  groups <- alike_groups(x)
  hide <- function(x, pattern = NULL) {
    suppress(x, maxN = maxN, pattern = pattern, method = "certified", readers = "outsider")
  }
  rbind(new_risks(
    c("small counts", "single people", "groups of one kind"),
    c(length(small), sum(small == 1), groups$alike), c(cells, cells, groups$all),
    c(
      paste0("Whoever knows one of the people in a cell or total of at most ", format_count(maxN),
             " can find them in the table, and each can find the others."),
      "A count of 1 is one person. Whoever recognises this person learns all that the table says.",
      paste("All people of a group (the levels of all variables but one) are in a single category",
            "of the last variable, so that nobody in the group needs to be recognised.")
    )
  ), risks_of_differences(x, tables_of(x), hide, maxN))
}

# How many groups of people, by all variables but one, are in a single category of that one; of
# several tables in each of them.
alike_groups <- function(x) {
  crossings <- unlist(lapply(tables_of(x), `[[`, "crossings"), recursive = FALSE)
  parts <- if (is.null(crossings)) list(list(codes = stored_codes(x), size = dim(x),
                                             n = length(x$counts))) else
    lapply(crossings, crossing_codes, x = x)
  each <- vapply(parts, function(part) unlist(alike_in(part)), c(alike = 0, all = 0))
  as.list(rowSums(each))
}

alike_in <- function(part) {
  cell <- combine_codes(part$codes, part$size, part$n)
  first <- !duplicated(cell)
  codes <- lapply(part$codes, `[`, first)
  each <- vapply(seq_along(codes), function(v) {
    group <- combine_codes(codes[-v], part$size[-v], sum(first))
    held <- tabulate(match(group, unique(group)))
    c(alike = sum(held == 1), all = length(held))
  }, c(alike = 0, all = 0))
  as.list(rowSums(each))
}

#' @export
risks_of.sdc_magnitude <- function(x, rules, ...) {
  judged <- sensitive(x, rules, totals = TRUE)
  fired <- unlist(strsplit(as.character(judged$rules), ", ?"))
  hide <- function(x, pattern = NULL) {
    suppress(x, rules, pattern = pattern, method = "certified", readers = "outsider")
  }
  rbind(new_risks(
    paste("rule", rules$label), tabulate(match(fired, rules$label), length(rules$label)),
    nrow(judged), unname(rule_reasons[rules$kind])
  ), risks_of_differences(x, tables_of(x), hide))
}

rule_reasons <- c(
  threshold = "So few contributors know each other, or each other's values.",
  nk = "The largest contributors make up so much of the total that it estimates them closely.",
  p_percent = "The second largest contributor can estimate the largest one too closely."
)

#' @export
risks_of.sdc_hex <- function(x, maxN, ...) {
  small <- x$count > 0 & x$count <= maxN
  new_risks(
    c("small counts", "single people"), c(sum(small), sum(x$count == 1)), sum(x$count > 0),
    c(paste("A hexagon with so few people shows where they are, to whoever knows that they are on",
            "the map."),
      "A count of 1 shows where one person is.")
  )
}
