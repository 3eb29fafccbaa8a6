#include "table/cell_counts.hpp"

#include <algorithm>
#include <utility>

#include "base/flat_map.hpp"

namespace sdclattice {

Cells cells_up_to(const Layout& layout, const CellsView& cells, double most) {
  Cells out(layout.n_words());
  for (std::size_t i = 0; i < cells.n; ++i)
    if (cells.counts[i] <= most)
      out.add(cells.keys + i * layout.n_words(), static_cast<std::uint64_t>(cells.counts[i]));
  return out;
}

std::vector<std::vector<bool>> levels_in_use(const Layout& layout, const CellsView& cells) {
  std::vector<std::vector<bool>> out;
  constexpr std::size_t block = 4096;  // between two looks at whether all levels are found
  for (std::size_t v = 0; v < layout.n_variables(); ++v) {
    std::vector<char> used(layout.n_levels(v), 0);
    for (std::size_t from = 0; from < cells.n; from += block) {
      for (std::size_t i = from; i < std::min(cells.n, from + block); ++i)
        used[layout.level(cells.keys + i * layout.n_words(), v)] = 1;
      if (std::find(used.begin(), used.end(), 0) == used.end()) break;
    }
    out.emplace_back(used.begin(), used.end());
  }
  return out;
}

// One pass, with a hash table of the groups, which are few. O(cells variables).
GroupCounts count_in_groups(const Layout& layout, const CellsView& cells, const Layout& groups,
                            const std::vector<std::vector<std::uint32_t>>& group_of,
                            std::size_t most, const Tick& tick) {
  GroupCounts out{groups.n_words() + 1 + most, {}};
  with_width(groups.n_words(), [&](auto width) {
    KeyNumbers<decltype(width)> found(width, 1 + most);
    std::vector<std::uint64_t> key(width);
    for (std::size_t i = 0; i < cells.n; ++i) {
      if (i % (std::size_t{1} << 18) == 0)
        report(tick, static_cast<double>(i) / static_cast<double>(cells.n));
      std::fill(key.begin(), key.end(), 0);
      for (std::size_t v = 0; v < group_of.size(); ++v) {
        const KeyField& f = groups.field(v);
        const std::uint32_t level = layout.level(cells.keys + i * layout.n_words(), v);
        key[f.word] |= std::uint64_t{group_of[v][level]} << f.shift;
      }
      std::uint64_t* counts = found.extra(found.number(key.data()));
      ++counts[0];
      if (cells.counts[i] <= static_cast<double>(most))
        ++counts[static_cast<std::size_t>(cells.counts[i])];
    }
    out.rows = found.take();
  });
  return out;
}

}  // namespace sdclattice
