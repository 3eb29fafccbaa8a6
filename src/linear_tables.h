// What bridge files share that give tables to R: those that differ from a base, in one list.
#pragma once

#include <vector>

#include "base_vectors.h"
#include "linear/end_table.hpp"

// `start` of each table, and `cell` and `value` of its cells (linear_proof.cpp).
Rcpp::List from_tables(const std::vector<sdclattice::TableChange>& tables);
