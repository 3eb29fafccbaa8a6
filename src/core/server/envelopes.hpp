// Envelopes that a server may announce: sets of sub-tables that hold all sub-tables of their own,
// and at least all tables of one variable, at each level, which are public. By level variables are
// steps, and sub-tables closed sets of them.
#pragma once

#include <cstddef>
#include <vector>

#include "table/level_steps.hpp"

namespace sdclattice {

struct Envelope {
  std::vector<SubTable> sets;    // the maximal ones of two variables or more, ascending
  std::size_t n_sub_tables = 0;  // of two variables or more
};

// With more variables there are millions of them.
constexpr std::size_t kEnvelopeVariables = 5;

// Every envelope but the one without any sub-table of two variables: first those with most
// sub-tables; of equally many, the numbers whose bits are the sub-tables that they hold, sub-tables
// in the order of their own numbers, decide: the smaller first. Sub-tables have up to
// `max_dimension` variables. TooLargeError above kEnvelopeVariables steps.
std::vector<Envelope> all_envelopes(const LevelSteps& steps, std::size_t max_dimension);

}  // namespace sdclattice
