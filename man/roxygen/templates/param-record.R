#' @param record (sdc_record or `NULL`) What is out, see [publication_record()]: a result that
#'   would give something away together with it is refused. It is entered by [publish()].
