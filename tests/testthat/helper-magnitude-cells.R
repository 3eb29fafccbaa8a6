# Ready cells by brute force: a row for each cell and total, zeros too. `held`: for each variable
# the levels that each node holds, as held_levels() lists them; `firm`: whose a record is.
ready_frame <- function(data, held, k, firm = seq_len(nrow(data)), value = "value") {
  grid <- expand.grid(lapply(held, names), stringsAsFactors = FALSE)
  rows <- lapply(seq_len(nrow(grid)), function(i) {
    inside <- Reduce(`&`, lapply(names(held), function(v) {
      as.character(data[[v]]) %in% held[[v]][[grid[[v]][i]]]
    }))
    owned <- sort(as.vector(rowsum(data[[value]][inside], firm[inside])), decreasing = TRUE)
    top <- c(owned, rep(0, k))[seq_len(k)]
    c(total = sum(owned), n = length(owned), people = sum(inside),
      rlang::set_names(top, paste0("max", seq_len(k))))
  })
  cbind(grid, do.call(rbind, rows))
}

ready_of_firms <- function(data, k, trees = NULL, firm = seq_len(nrow(data))) {
  held <- list(region = held_levels(levels(data$region), trees),
               branch = held_levels(levels(data$branch), NULL))
  ready_frame(data, held, k, firm)
}

ready_table_of <- function(frame, k, ..., countVar = "n", totalVar = "total",
                           dimVar = c("region", "branch")) {
  magnitude_cells(frame, dimVar, totalVar, countVar, paste0("max", seq_len(k)), ...)
}

# In one order, with labels as texts.
in_order_of_labels <- function(frame, variables = c("region", "branch")) {
  frame <- as.data.frame(frame)
  frame[variables] <- lapply(frame[variables], as.character)
  frame <- frame[do.call(order, unname(frame[variables])), ]
  rownames(frame) <- NULL
  frame
}

# The value of an expression of a library, without its printing and messages.
quietly_made <- function(expr) {
  utils::capture.output(value <- suppressMessages(suppressWarnings(expr)))
  value
}
