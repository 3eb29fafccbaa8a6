# Regenerates what is made from the sources: RcppExports, NAMESPACE and man. Run from the top level:
# Rscript tools/document.R
Rcpp::compileAttributes()
roxygen2::roxygenise(load_code = function(path) {
  sources <- roxygen2::load_source(path)
  for (file in list.files(file.path(path, "data"), full.names = TRUE)) load(file, sources)
  sources
})
