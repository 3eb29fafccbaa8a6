#include "table/small_counts.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"

namespace sdclattice {

bool SmallCounts::found_in(SubTable set) {
  for (std::size_t i = 0; i < remembered_.size(); ++i) {
    if (!is_small(remembered_[i], set)) continue;
    std::rotate(remembered_.begin(), remembered_.begin() + static_cast<std::ptrdiff_t>(i),
                remembered_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return true;
  }
  return false;
}

void SmallCounts::remember(std::size_t at) {
  if (bytes_ > kMostBytes) return;
  Cell cell;
  for (std::size_t v = 0; v < cells_.n_variables(); ++v)
    cell.push_back(cells_with(v, cells_.level(at, v)));
  if (remembered_.size() == kMostCells) remembered_.pop_back();
  remembered_.insert(remembered_.begin(), std::move(cell));
}

const SmallCounts::Bits* SmallCounts::cells_with(std::size_t variable, std::uint32_t level) {
  Bits& bits = bits_[std::uint64_t{level} << 8 | variable];
  if (!bits.empty()) return &bits;
  const CellsView& stored = cells_.cells();
  const std::size_t words = cells_.layout().n_words();
  bits.assign(stored.n / 64 + 1, 0);
  bytes_ += 8 * bits.size();
  for (std::size_t i = 0; i < stored.n; ++i)
    if (cells_.layout().level(stored.keys + i * words, variable) == level)
      bits[i / 64] |= std::uint64_t{1} << i % 64;
  return &bits;
}

bool SmallCounts::is_small(const Cell& cell, SubTable set) const {
  std::int64_t count = 0;
  const std::size_t n = cells_.cells().n / 64 + 1;
  const std::uint64_t last = (std::uint64_t{1} << cells_.cells().n % 64) - 1;
  for (std::size_t w = 0; w < n; ++w) {
    // All stored cells agree with one that no variable is asked of: no bits beyond them.
    std::uint64_t agree = w + 1 < n ? ~std::uint64_t{0} : last;
    for (SubTable left = set; left != 0 && agree != 0; left &= left - 1)
      agree &= (*cell[static_cast<std::size_t>(lowest_bit(left))])[w];
    for (; agree != 0; agree &= agree - 1)
      count += static_cast<std::int64_t>(
          cells_.cells().counts[64 * w + static_cast<std::size_t>(lowest_bit(agree))]);
    if (count >= beta_) return false;
  }
  return true;
}

}  // namespace sdclattice
