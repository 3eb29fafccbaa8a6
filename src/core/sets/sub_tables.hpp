// The query space: all sub-tables of a table, ordered by inclusion of their variables.
//
// A release is a set of sub-tables that holds all sub-tables of each of its own, so that its
// maximal ones, the frontier, say everything. Up to kEnumerated variables a release is laid out, a
// byte for each of the 2^n sub-tables; beyond, it is counted through the intersections of the
// frontier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "sets/chordal.hpp"

namespace sdclattice {

constexpr std::size_t kEnumerated = 25;

// Position m of the result says of the sub-table with the bits of m: does some set hold it? And:
// does it hold some set? At most kEnumerated variables.
std::vector<char> lay_out_below(std::size_t n, const std::vector<VariableSet>& sets);
std::vector<char> lay_out_above(std::size_t n, const std::vector<VariableSet>& sets);

// How many sub-tables of each dimension 0, ..., n lie inside one of the sets. TooLargeError when
// there are too many intersections.
std::vector<double> count_below(std::size_t n, const std::vector<VariableSet>& sets,
                                const Tick& tick);

// Adds up a measure over the union of the power sets of some sets: calls `measure` with sets and
// signs, such that the measures of these sets' power sets, with these signs, sum to it.
// TooLargeError when there are too many intersections.
using SetMeasure = std::function<void(const VariableSet&, double)>;
void measure_below(const std::vector<VariableSet>& sets, const SetMeasure& measure,
                   const Tick& tick);

// The sum over the same sub-tables, the empty one left out, of the product of their variables'
// factors.
double sum_below(std::size_t n, const std::vector<VariableSet>& sets,
                 const std::vector<double>& factors, const Tick& tick);

// The minimal sets of variables that lie inside none of the sets, in order of size: what Berge's
// algorithm finds as the minimal transversals of the complements. TooLargeError above `limit`.
std::vector<VariableSet> minimal_outside(std::size_t n, const std::vector<VariableSet>& sets,
                                         std::size_t limit, const Tick& tick);

}  // namespace sdclattice
