// How many sub-tables may be released at all, by dimension, where there are too many to list.
//
// What is computed. The admissible sub-tables (admissible.hpp) are counted level by level, those of
// one variable first: a set is judged when all its parts with one variable less are admissible, as
// in Apriori (Agrawal and Srikant). When the work is spent, the sets of the last level that were
// not judged count as admissible, and larger ones are bounded by what can be above so many: by the
// theorem of Kruskal and Katona, for all sets together and for those that hold one variable, and by
// the sets of a cover (admissible_cover.hpp).
// What it guarantees. `least` and `most` hold for each dimension; equal where a level was counted.
// No release whatever has more sub-tables of a dimension than `most`. The same work gives the same
// bounds.
// What it costs. O(stored cells) for each set that is judged; eight bytes a set in memory.
// Agrees with admissible_sets().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct AdmissibleLevels {
  std::vector<std::uint64_t> least, most;  // of dimension 1, 2, ..., the number of variables
};

// `cover`: sets in one of which each admissible sub-table lies; none when that is not known.
// `max_looks`: at stored cells, some 10^9 in a second or two.
AdmissibleLevels count_admissible(const RiskCells& cells, std::int64_t beta,
                                  const std::vector<SubTable>& forbidden,
                                  const std::vector<SubTable>& cover, double max_looks,
                                  const Tick& tick = {});

// Of a family with `count` sets of `size` elements that holds all parts of its sets: how many sets
// of size + 1 elements it has at most. Up to 64 elements.
std::uint64_t most_of_next_size(std::uint64_t count, std::size_t size);

}  // namespace sdclattice
