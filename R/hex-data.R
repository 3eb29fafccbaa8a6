#' Data that put residuals on a map
#'
#' The three simulated data sets with which redistribution on a map of hexagons was first shown: 500
#' cases, a straight line fitted to data that are not straight, and the residuals drawn against the
#' predictor.
#'
#' @details The predictor `x1` is normal with mean 5 and variance 1, and the error is standard
#' normal.
#'
#' * `"piecewise"`: `x2` is 20 below `x1 = 4.5`, `10 + 8 x1` up to 5.5, and `-4 + 14 x1` above, plus
#'   error.
#' * `"outliers"`: `x2 = 10 x1`, plus 30 for one case with `x1 = 3.8`, less 25 for one with
#'   `x1 = 5.8`, plus error. These are the first and the second case.
#' * `"curvilinear"`: `x2 = 10 (x1 - 5) - 5 (x1 - 5)^2`, plus error.
#'
#' The source does not print the variance of the error nor the number of hexagons. Standard normal
#' errors and hexbin's default of 30 hexagons agree with its figures: the deficit, the number of
#' cells that give, the largest count; `standardised` residuals with its axes.
#'
#' @param model (string) Which of the three.
#' @param n (whole number from 3 to 1e7) Number of cases.
#' @param seed (whole number or `NULL`) With a seed the data are the same everywhere, and your
#'   random stream stays where it is; `NULL` draws from your stream.
#' @return A data frame with `x1`, `x2`, `residual` and `standardised` (residual by its estimated
#'   standard error, the internally studentised residual).
#' @section Errors: `sdc_error_input` for bad arguments.
#' @template ref-hexagons
#' @references Reiter, J. P. (2003). Model diagnostics for remote access regression servers.
#'   *Statistics and Computing* 13, 371-380.
#' @family hex
#' @export
#' @examplesIf requireNamespace("hexbin", quietly = TRUE)
#' d <- reiter_data("piecewise", seed = 1)
#' head(d, 3)
#' hex_table(d, dimVar = c("x1", "residual"))
reiter_data <- function(model = c("piecewise", "outliers", "curvilinear"), n = 500, seed = NULL) {
  model <- check_choice(model, c("piecewise", "outliers", "curvilinear"))
  check_whole(n, min = 3, max = 1e7)
  drawn <- with_seed_kept(seed, list(x1 = stats::rnorm(n, 5), error = stats::rnorm(n)))$value
  x1 <- drawn$x1
  if (model == "outliers") x1[1:2] <- c(3.8, 5.8)
  mean <- switch(model,
    piecewise = ifelse(x1 < 4.5, 20, ifelse(x1 < 5.5, 10 + 8 * x1, -4 + 14 * x1)),
    outliers = 10 * x1 + c(30, -25, rep(0, n - 2)),
    curvilinear = 10 * (x1 - 5) - 5 * (x1 - 5)^2
  )
  x2 <- mean + drawn$error
  centred <- x1 - mean(x1)
  residual <- x2 - mean(x2) - centred * sum(centred * x2) / sum(centred^2)
  leverage <- 1 / n + centred^2 / sum(centred^2)
  error <- sqrt(sum(residual^2) / (n - 2) * (1 - leverage))
  data.frame(x1 = x1, x2 = x2, residual = residual, standardised = residual / error)
}
