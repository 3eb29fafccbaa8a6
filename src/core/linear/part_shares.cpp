#include "linear/part_shares.hpp"

#include <algorithm>
#include <numeric>

#include "linear/presolve.hpp"

namespace sdclattice {

PartShares part_shares(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                       std::size_t n_shares, const Tick& tick) {
  const Presolved small = presolve(system, tick);
  std::vector<double> work(small.parts.size(), 0);
  for (std::uint32_t i : asked) {
    const CellHome& home = small.home[i];
    if (home.sign != 0)
      work[home.part] += static_cast<double>(small.parts[home.part].system.n_cells());
  }
  std::vector<std::uint32_t> by_work(work.size());
  std::iota(by_work.begin(), by_work.end(), std::uint32_t{0});
  std::stable_sort(by_work.begin(), by_work.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return work[a] > work[b]; });
  PartShares out;
  out.work.assign(std::max<std::size_t>(n_shares, 1), 0);
  std::vector<std::uint32_t> share_of(work.size(), 0);
  for (std::uint32_t part : by_work) {
    const auto least = std::min_element(out.work.begin(), out.work.end());
    *least += work[part];
    share_of[part] = static_cast<std::uint32_t>(least - out.work.begin());
  }
  for (std::uint32_t i : asked)
    out.share.push_back(small.home[i].sign == 0 ? 0 : share_of[small.home[i].part]);
  return out;
}

}  // namespace sdclattice
