// What a reader of a filled map can work out: all originals on the same hexagons that lead to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "hex/hex_grid.hpp"

namespace sdclattice {

// Fills a map in place.
using HexFill = std::function<void(HexMap&)>;

// The counts of each original, one after another. A filled cell that shows t was sensitive, or gave
// what it had above t, or stayed; any other gave or stayed. With `no_outliers` originals that have
// an outlier are left out: they show fewer hexagons. Throws TooLargeError beyond `most` candidates.
std::vector<std::int64_t> find_hex_originals(const HexMap& published, std::int64_t t,
                                             bool no_outliers, const HexFill& fill,
                                             std::size_t most, const Tick& tick);

}  // namespace sdclattice
