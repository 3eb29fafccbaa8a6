#include "round/cell_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sdclattice {
namespace {

constexpr std::size_t kSumsPerTick = std::size_t{1} << 16;

// The last word is the most significant.
int compare_keys(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_words) {
  for (std::size_t w = n_words; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

void add_pair(PublishedDistance& to, std::int64_t from, std::int64_t now, std::int64_t base) {
  const std::int64_t apart = std::abs(now - from);
  const double x = static_cast<double>(apart);
  const double root = std::sqrt(static_cast<double>(from)) - std::sqrt(static_cast<double>(now));
  to.greatest = std::max(to.greatest, apart);
  to.absolute += x;
  to.squares += x * x;
  to.roots += root * root;
  to.original += static_cast<double>(from);
  to.changed += apart != 0;
  to.small_left += now > 0 && now < base;
  to.far += from > 0 && from < base && now != 0 && now != base;
}

}  // namespace

CellSums::CellSums(const Layout& from, const CellsView& cells, const Layout& to,
                   const std::vector<Crossing>& crossings, std::size_t max_cells, const Tick& tick)
    : from_(from),
      cells_(cells),
      to_(to),
      crossings_(crossings),
      numbers_(to.n_words(), 1),
      key_(to.n_words(), 0) {
  const Cells sums = published_cells(from, cells, to, crossings, max_cells, tick);
  numbers_.clear(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (i % kSumsPerTick == 0) report(tick, 0);
    *numbers_.extra(numbers_.number(sums.row(i))) = sums.count(i);
  }
}

const std::vector<std::uint32_t>& CellSums::above(std::size_t cell) {
  above_.clear();
  for (const Crossing& crossing : crossings_)
    add_above(crossing, 0, cells_.keys + cell * from_.n_words());
  if (crossings_.size() > 1) {
    std::sort(above_.begin(), above_.end());
    above_.erase(std::unique(above_.begin(), above_.end()), above_.end());
  }
  return above_;
}

void CellSums::add_above(const Crossing& crossing, std::size_t variable,
                         const std::uint64_t* leaf) {
  if (variable == crossing.size()) {
    above_.push_back(numbers_.find(key_.data()));
    return;
  }
  const NodesOfLeaves& nodes = crossing[variable];
  const std::uint32_t level = from_.level(leaf, variable);
  for (std::size_t e = nodes.start[level]; e < nodes.start[level + 1]; ++e) {
    to_.put(key_.data(), variable, nodes.node[e]);
    add_above(crossing, variable + 1, leaf);
  }
}

std::vector<std::size_t> match_cells(const Layout& layout, const CellsView& x, const CellsView& y) {
  const std::size_t width = layout.n_words();
  std::vector<std::size_t> out(x.n, kNoCell);
  for (std::size_t i = 0, j = 0; i < x.n && j < y.n;) {
    const int order = compare_keys(x.keys + i * width, y.keys + j * width, width);
    if (order == 0) out[i] = j;
    i += order <= 0;
    j += order >= 0;
  }
  return out;
}

PublishedDistance published_distance(const Cells& original, const Cells& rounded,
                                     std::int64_t base) {
  PublishedDistance out;
  const auto count = [](const Cells& cells, std::size_t i) {
    return static_cast<std::int64_t>(cells.count(i));
  };
  std::size_t i = 0, j = 0;
  while (i < original.size() || j < rounded.size()) {
    const int order = i == original.size() ? 1
                      : j == rounded.size()
                          ? -1
                          : compare_keys(original.row(i), rounded.row(j), original.stride - 1);
    add_pair(out, order <= 0 ? count(original, i) : 0, order >= 0 ? count(rounded, j) : 0, base);
    i += order <= 0;
    j += order >= 0;
  }
  return out;
}

}  // namespace sdclattice
