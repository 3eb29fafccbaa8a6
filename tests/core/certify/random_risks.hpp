// Random tables whose small counts are at risk.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "table/layout.hpp"
#include "table/risk_cells.hpp"
#include "table/table.hpp"

namespace random_risks {

using namespace sdclattice;

// A random table and its cells with a count of at most 2.
struct Case {
  Layout layout;
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  std::vector<std::uint32_t> at_risk;
  CellsView view() const { return {keys.data(), counts.data(), counts.size()}; }
};

inline Case random_case(PublicRandom& random, const std::vector<std::uint32_t>& levels,
                        std::size_t most) {
  Case out{Layout(levels), {}, {}, {}};
  std::size_t n = 1;
  for (std::uint32_t k : levels) n *= k;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t count = random.below(3) == 0 ? 0 : random.below(most + 1);
    if (count == 0) continue;
    std::vector<std::uint64_t> key(out.layout.n_words(), 0);
    std::size_t rest = i;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      out.layout.put(key.data(), v, static_cast<std::uint32_t>(rest % levels[v]));
      rest /= levels[v];
    }
    out.keys.insert(out.keys.end(), key.begin(), key.end());
    if (count <= 2) out.at_risk.push_back(static_cast<std::uint32_t>(out.counts.size()));
    out.counts.push_back(static_cast<double>(count));
  }
  return out;
}

}  // namespace random_risks
