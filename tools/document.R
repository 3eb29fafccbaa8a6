# Regenerates what is made from the sources: RcppExports, NAMESPACE and man. Run from the top level:
# Rscript tools/document.R
Rcpp::compileAttributes()
roxygen2::roxygenise(load_code = roxygen2::load_source)
