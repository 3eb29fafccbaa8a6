#' Priors: what is known of the cells before the publication
#'
#' A prior is a product of weights, one for each cell. Weights need not sum to one; they are used
#' as given, so the log evidence of a [posterior()] refers to exactly these weights. Priors are
#' multiplied with `*`: `prior_poisson(2) * prior_at_least(1)`.
#'
#' * `prior_uniform()`: every non-negative table has weight 1.
#' * `prior_poisson()`: a cell with rate \eqn{\lambda} has weight \eqn{\lambda^v / v!} at value
#'   \eqn{v}. With a historical table as `lambda` this is the natural prior of a reader who knows
#'   last year's figures; cells that were 0 then need a small positive rate, or they are excluded.
#' * `prior_at_least()`: values below the bound have weight 0 (a respondent knows that their own
#'   cell is at least 1).
#' * `prior_known()`: a cell is known; all other values have weight 0 (an insider).
#' * `prior_weights()`: any weights, cell by cell.
#'
#' @param lambda (number, or array of the table's shape, or [sdc_table()]) Poisson rates, not
#'   negative.
#' @param value (whole numbers) the bound or the known values: one number for all cells, an array of
#'   the table's shape (`NA`: nothing is known of the cell), or one number for each of `cells`.
#' @template param-cells
#' @param weights (matrix, cells x values, not negative) row `i` has the weights of the values 0, 1,
#'   ... of cell `i`, first variable fastest; values beyond the last column have weight 0.
#' @return An object of class `sdc_prior`.
#' @family posterior
#' @examples
#' pub <- publication(roehrig, mechanism(cycles_bidiagonal(roehrig)))
#' cell <- data.frame(row = "1", column = "2") # published as 1
#' believed <- function(prior) {
#'   as.data.frame(summary(posterior(pub, prior), cells = cell))[c("lower", "upper", "mean")]
#' }
#' # a reader who knows nothing else: the original was 1 to 3, on average 1.5
#' believed(prior_uniform())
#' # one who expects large counts believes that the original was larger
#' believed(prior_poisson(20))
#' # one who knows that at least two people are in the cell, and one who knows the count
#' believed(prior_at_least(2, cells = cell))
#' believed(prior_known(2, cells = cell))
#' # priors multiply
#' prior_poisson(4) * prior_at_least(1, cells = cell)
#' @name prior
NULL

new_prior <- function(factors = list()) {
  structure(list(factors = factors), class = sdc_class("sdc_prior"))
}

prior_factor <- function(kind, value, cells = NULL) {
  new_prior(list(list(kind = kind, value = value, cells = cells)))
}

#' @rdname prior
#' @export
prior_uniform <- function() {
  new_prior()
}

#' @rdname prior
#' @export
prior_poisson <- function(lambda) {
  lambda <- numbers_of(lambda)
  check_cell_numbers(lambda, "lambda", whole = FALSE)
  prior_factor("poisson", lambda)
}

#' @rdname prior
#' @export
prior_at_least <- function(value, cells = NULL) {
  value <- numbers_of(value)
  check_cell_numbers(value, "value", na = TRUE)
  prior_factor("at_least", value, cells)
}

#' @rdname prior
#' @export
prior_known <- function(value, cells = NULL) {
  value <- numbers_of(value)
  check_cell_numbers(value, "value", na = TRUE)
  prior_factor("known", value, cells)
}

#' @rdname prior
#' @export
prior_weights <- function(weights) {
  if (!is.numeric(weights) || !is.matrix(weights)) {
    abort_sdc("input", c(
      "{.arg weights} must be a numeric matrix, a row for each cell and a column for each value.",
      x = "{.arg weights} is {.obj_type_friendly {weights}}."
    ))
  }
  check_cell_numbers(weights, "weights", whole = FALSE)
  prior_factor("weights", weights)
}

# The counts of a table object, or the thing itself.
numbers_of <- function(x) {
  if (inherits(x, "sdc_table")) as.table(x) else x
}

check_cell_numbers <- function(x, arg, whole = TRUE, na = FALSE) {
  what <- if (whole) "whole numbers" else "finite numbers"
  bad <- if (!is.numeric(x)) {
    TRUE
  } else {
    is.nan(x) | is.infinite(x) | (!is.na(x) & x < 0) | (is.na(x) & !na) |
      (!is.na(x) & whole & x != floor(x))
  }
  if (length(x) > 0 && !any(bad)) {
    return(invisible(x))
  }
  abort_sdc("input", c(
    "{.arg {arg}} must be {what} of at least 0{if (na) ', or NA' else ''}.",
    x = if (!is.numeric(x)) {
      "{.arg {arg}} is {.obj_type_friendly {x}}."
    } else if (length(x) == 0) {
      "{.arg {arg}} is empty."
    } else {
      "{.arg {arg}[{which(bad)[1]}]} is {x[which(bad)[1]]}."
    }
  ))
}

#' @export
Ops.sdc_prior <- function(e1, e2) {
  if (.Generic != "*" || missing(e2) || !is_prior(e1) || !is_prior(e2)) {
    abort_sdc("input", "Priors can be multiplied by priors with {.code *}, and nothing else.")
  }
  new_prior(c(e1$factors, e2$factors))
}

is_prior <- function(x) inherits(x, "sdc_prior")

is_uniform <- function(prior) length(prior$factors) == 0

#' @export
format.sdc_prior <- function(x, ...) {
  if (is_uniform(x)) {
    return("uniform")
  }
  paste(vapply(x$factors, format_factor, ""), collapse = " x ")
}

format_factor <- function(factor) {
  of <- if (factor$kind == "weights") "one row a cell" else span_words(factor$value)
  where <- if (!is.null(factor$cells)) " in chosen cells" else ""
  paste0(gsub("_", " ", factor$kind), " (", of, where, ")")
}

span_words <- function(value) {
  paste(format(unique(range(value, na.rm = TRUE)), digits = 4, trim = TRUE), collapse = " to ")
}

# The factors as the core takes them: `value` of length 1 or one number per cell, NaN for cells of
# which nothing is known.
resolve_prior <- function(prior, dimnames) {
  lapply(prior$factors, resolve_factor, dimnames = dimnames)
}

resolve_factor <- function(factor, dimnames) {
  n <- prod(lengths(dimnames))
  if (factor$kind == "weights") {
    check_prior_length(nrow(factor$value), n, "rows of {.arg weights}")
    return(list(kind = "weights", value = as.numeric(t(factor$value)), width = ncol(factor$value)))
  }
  value <- factor$value
  check_prior_shape(value, dimnames)
  if (!is.null(factor$cells)) {
    value <- spread_value(value, resolve_cells(factor$cells, dimnames), n)
  } else if (length(value) != 1) {
    check_prior_length(length(value), n, "values of the prior")
  }
  value <- as.numeric(value)
  value[is.na(value)] <- if (factor$kind == "at_least") 0 else NaN
  list(kind = factor$kind, value = value, width = 0)
}

spread_value <- function(value, cells, n) {
  if (!length(value) %in% c(1, length(cells))) {
    abort_sdc("input", c(
      "A prior for chosen cells needs one value, or one for each of them.",
      x = "There are {length(cells)} cell{?s} and {length(value)} values."
    ))
  }
  twice <- anyDuplicated(cells)
  if (twice > 0) {
    abort_sdc("input", c(
      "A prior for chosen cells names each of them once.",
      x = "Cell {cells[twice]} is given twice.",
      i = "Multiply two priors to say two things of one cell."
    ))
  }
  all <- rep(NA_real_, n)
  all[cells] <- value
  all
}

check_prior_length <- function(found, n, what) {
  if (found == n) {
    return(invisible())
  }
  abort_sdc("input", c(
    paste0("The number of ", what, " must be the number of cells of the table."),
    x = "{found} {?was/were} given; the table has {n} cell{?s}."
  ))
}

# An array given for the prior has the table's shape and, where it has labels, its labels.
check_prior_shape <- function(value, dimnames) {
  if (is.null(dim(value))) {
    return(invisible())
  }
  labels <- dimnames(value)
  same <- identical(dim(value), unname(lengths(dimnames))) &&
    (is.null(labels) || identical(unname(labels), unname(dimnames)))
  if (same) {
    return(invisible())
  }
  abort_sdc("input", c(
    "An array given for the prior must have the shape and the level labels of the table.",
    x = "The array is {paste(dim(value), collapse = ' x ')}; the table is
         {paste(lengths(dimnames), collapse = ' x ')}.",
    i = "Put its levels in the order of the table's."
  ))
}
