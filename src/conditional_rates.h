// Rates as a part of constraints, for the bridge files that take constraints.
#pragma once

#include <vector>

#include "base_vectors.h"
#include "conditional/rate_system.hpp"

// The sets of rates of an sdc_constraints object (conditional.cpp), none where it has none.
std::vector<sdclattice::RateSet> as_rate_sets(const Rcpp::List& constraints);
