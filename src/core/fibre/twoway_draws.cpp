#include "fibre/twoway_draws.hpp"

#include <cassert>

namespace sdclattice::twoway {

void share_out(CellGroup left, std::int64_t sum, std::size_t n_cells, PublicRandom& random,
               std::vector<std::int64_t>& x) {
  while (!left.cell.empty()) {
    std::int64_t own = sum;
    if (left.cell.size() > 1) {
      const std::vector<BigCount> others = shares(left, sum, left.cell.size() - 1);
      BigCount n = 0;
      const std::int64_t most = std::min(left.limit.back(), sum);
      for (std::int64_t k = 0; k <= most; ++k) n += others[static_cast<std::size_t>(sum - k)];
      BigCount chosen = draw_below(n, random);
      for (own = 0; chosen >= others[static_cast<std::size_t>(sum - own)]; ++own)
        chosen -= others[static_cast<std::size_t>(sum - own)];
    }
    if (left.cell.back() < n_cells) x[left.cell.back()] = own;
    sum -= own;
    left.cell.pop_back();
    left.limit.pop_back();
  }
  assert(sum == 0);
}

}  // namespace sdclattice::twoway
