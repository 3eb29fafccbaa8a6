// What bridge files share that choose cells to hide: what is asked of a table, and the answer.
#pragma once

#include <cstdint>
#include <vector>

#include "base/whole_values.hpp"
#include "base_vectors.h"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

// Larger tables are left to product moves, which need no rows.
constexpr std::size_t kCellsWithRows = 500000;

std::vector<std::uint32_t> nodes_from_one(const Rcpp::IntegerVector& x);

// See cpp_certified_pattern().
struct PatternQuestion {
  sdclattice::StoredCells cells;
  Rcpp::IntegerVector size, role;
  std::vector<std::uint32_t> cell;  // of each row
  sdclattice::WholeValues cost;
  sdclattice::SuppressionProblem problem;

  // Without demands and knowers; `floor` of published cells.
  PatternQuestion(const Rcpp::List& table, const Rcpp::List& rows, std::int64_t floor);
  PatternQuestion(const Rcpp::List& table, const Rcpp::List& rows, const Rcpp::List& ask);

  // The cells that a given pattern hides.
  std::vector<char> given() const;
  Rcpp::List answer(const sdclattice::SuppressionPattern& found,
                    const std::vector<char>& exposed) const;
};

// Those that are not among all yet.
void add_certificates(std::vector<sdclattice::Certificate>& all,
                      const std::vector<sdclattice::Certificate>& more);

std::uint64_t as_seed(const Rcpp::List& ask);
