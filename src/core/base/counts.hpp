// Counts of cells, whatever the cells are.
#pragma once

#include <cstdint>
#include <vector>

namespace sdclattice {

using Counts = std::vector<std::int64_t>;

}  // namespace sdclattice
