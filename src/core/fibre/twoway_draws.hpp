// Draws of one line of a two-way table, and of the cells that share what a line gives to a column.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fixed_uint.hpp"
#include "base/random.hpp"
#include "fibre/twoway_lines.hpp"

namespace sdclattice::twoway {

// One filling of a line, drawn from those that lead to a known state after it.
template <class T>
class LineDraw {
 public:
  LineDraw(const OrderedLines& lines, std::size_t line, const Box& from,
           const std::vector<T>& before)
      : from_(from), before_(before), sum_(lines.sum[line]) {
    for (const CellGroup& group : lines.group[line]) {
      ways_.emplace_back();
      for (const BigCount& w : shares(group, group.most, kNone))
        ways_.back().push_back(from_big<T>(w));
    }
  }

  // `v`: the state after the line, which becomes the one before it; `x`: what each column gets.
  void draw(const T& chosen, std::vector<std::int64_t>& v, std::vector<std::int64_t>& x) {
    chosen_ = chosen;
    [[maybe_unused]] const bool found = walk(ways_.size() - 1, sum_, T(1), v, x);
    assert(found);
  }

 private:
  // Columns j - 1, ..., 0 are open, with `left` to share among them and the one not carried.
  bool walk(std::size_t j, std::int64_t left, const T& ways, std::vector<std::int64_t>& v,
            std::vector<std::int64_t>& x) {
    if (j == 0) {
      const std::vector<T>& rest = ways_.back();
      if (left >= static_cast<std::int64_t>(rest.size())) return false;
      const T here = before_[from_.index(v.data())] * ways * rest[static_cast<std::size_t>(left)];
      if (here <= chosen_) {
        chosen_ -= here;
        return false;
      }
      x.back() = left;
      return true;
    }
    --j;
    const std::int64_t end = v[j];
    const auto most = static_cast<std::int64_t>(ways_[j].size()) - 1;
    for (std::int64_t k = 0; k <= std::min({most, left, end - from_.low[j]}); ++k) {
      if (!from_.holds(j, end - k)) continue;
      v[j] = end - k;
      x[j] = k;
      if (walk(j, left - k, ways * ways_[j][static_cast<std::size_t>(k)], v, x)) return true;
    }
    v[j] = end;
    return false;
  }

  const Box& from_;
  const std::vector<T>& before_;
  std::int64_t sum_;
  std::vector<std::vector<T>> ways_;
  T chosen_{};
};

// Shares a sum among the cells of a group, each way as likely as the others, and writes what the
// first `n_cells` cells of the table hold into x.
void share_out(CellGroup group, std::int64_t sum, std::size_t n_cells, PublicRandom& random,
               std::vector<std::int64_t>& x);

}  // namespace sdclattice::twoway
