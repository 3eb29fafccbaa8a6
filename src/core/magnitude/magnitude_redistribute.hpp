// Moving contributors and value out of sensitive cells of a magnitude table, cell by cell.
//
// First contributors: a cell with fewer than the rules need gets the smallest ones of the nearest
// cells that can spare them. Then value: in a cell that is sensitive by a rule of dominance, values
// above the largest level at which no such rule fires are lowered to that level (cap), or the
// largest are scaled by one rule after the other (the source's way), and the excess is spread over
// the nearest cell that holds the smallest contributor, in proportion to its values.
//
// Why capping ends: spreading in proportion leaves the shares of the receiving cell as they are, so
// a safe cell stays safe, but for rounding to whole units: where whole units leave no solution, two
// cells can pass single units to and fro, so that capping has a limit on steps too. Scaling can
// lower a value below the next largest, which then is the largest: it need not end at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "magnitude/cell_search.hpp"
#include "magnitude/sensitivity.hpp"

namespace sdclattice {

struct MagnitudeMove {
  bool contributor;  // a contributor with its value, or value alone
  std::uint32_t from, to;
  std::int64_t value;
  std::int64_t distance;
};

struct RedistributedMagnitude {
  Contributors contributors;
  std::vector<MagnitudeMove> moves;
  bool settled = true;  // false: stopped by the limit on steps
};

// `max_distance`: how far a move may go; `max_steps`: how many cells are capped or scaled. Values
// must not be negative.
RedistributedMagnitude redistribute_magnitude(const Contributors& x,
                                              const std::vector<SensitivityRule>& rules,
                                              const CellMap& map, bool cap,
                                              std::int64_t max_distance, std::int64_t max_steps,
                                              const Tick& tick);

}  // namespace sdclattice
