library(testthat)
library(sdcLattice)

test_check("sdcLattice")
