// The bands of an sdc_cycles object by groups that share no line, for the bridge of the mechanism.
#pragma once

#include <optional>

#include "base_vectors.h"
#include "perturb/band_walk.hpp"

// None where the set is no bands, or skips zeros (cycle.cpp).
std::optional<sdclattice::BandGroups> as_band_groups(const Rcpp::List& cycles);
