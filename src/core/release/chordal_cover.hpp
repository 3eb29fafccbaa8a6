// Decomposable releases that hold a given one: chordal graphs over its independence graph.
//
// Whoever releases more tells more, so that each table with the margins of a cover has those of the
// release: the closed form of a cover, which is sharp for it, is attained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "table/part_table.hpp"

namespace sdclattice {

// The elimination order of a chordal graph, as the sets that enter its closed form: upper bounds
// are the least margin over v and later neighbours; lower bounds total + sum of (that margin less
// the margin over the later neighbours).
struct ChordalCover {
  std::vector<SubTable> with, without;  // a pair for each variable
};

// Up to `tries` different ones of a graph on n variables, given as the neighbours of each: by
// elimination of a vertex with the least fill-in, ties at random. Not the complete graph.
std::vector<ChordalCover> chordal_covers(const std::vector<SubTable>& neighbours, std::size_t tries,
                                         std::uint64_t seed);

// The neighbours of each of n variables in the independence graph of some sets.
std::vector<SubTable> independence_neighbours(std::size_t n, const std::vector<SubTable>& sets);

// The closed form at n cells; `margin` gives the counts of a set of variables there.
using MarginAtCells = std::function<const std::vector<std::int64_t>&(SubTable)>;
struct ClosedForm {
  std::vector<std::int64_t> lower, upper;
};
ClosedForm closed_form(const ChordalCover& cover, const MarginAtCells& margin, std::int64_t total,
                       std::size_t n);

}  // namespace sdclattice
