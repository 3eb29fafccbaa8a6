// How the bridge reads the crossings of nodes that a table publishes.
#pragma once

#include "base_vectors.h"
#include "table/published.hpp"

// A list of crossings, each a list over the variables of the 0-based starts and nodes of struct
// NodesOfLeaves (table.cpp).
std::vector<sdclattice::Crossing> as_crossings(const Rcpp::List& crossings,
                                               const Rcpp::IntegerVector& dim,
                                               const Rcpp::IntegerVector& n_nodes);
