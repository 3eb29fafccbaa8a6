# Tables, and what records make of their publications.

three_way <- function(seed) {
  set.seed(seed)
  labels <- list(A = paste0("a", 1:4), B = paste0("b", 1:4), C = paste0("c", 1:3))
  as_sdc_table(array(rpois(48, 2.5), c(4, 4, 3), labels))
}

# The primary cells of a suppression that all publications together leave one count, by the bounds of
# other code, from publications alone.
known_primary <- function(su, ...) {
  cells <- su$cells[su$cells$sdcStatus == "u", names(su$original$dimnames)]
  found <- as.data.frame(suppressWarnings(bounds_margins(constraints(...), cells)))
  sum(found$lower == found$upper)
}

entered <- function(x, record) {
  tryCatch(publish(x, record = record), sdc_error_refused = function(cnd) NULL)
}
