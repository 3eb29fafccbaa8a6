# A one-way margin.
plain_margin <- function(variable, counts) {
  labels <- rlang::set_names(list(as.character(seq_along(counts))), variable)
  sdc_table(as.table(array(counts, length(counts), labels)))
}
