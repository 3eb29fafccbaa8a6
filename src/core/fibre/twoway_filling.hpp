// The numbers of ways to fill the first lines of a two-way table, line by line.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/fixed_uint.hpp"
#include "base/tick.hpp"
#include "fibre/twoway_sweep.hpp"
#include "fibre/twoway_triangle.hpp"

namespace sdclattice::twoway {

// The ways of the column that is not carried, where they are not all 1.
template <class T>
std::vector<T> rest_ways(const CellGroup& group) {
  std::vector<T> out;
  if (group.cell.size() < 2) return out;
  for (const BigCount& w : shares(group, group.most, kNone)) out.push_back(from_big<T>(w));
  return out;
}

// Numbers of ways to fill the first lines.
template <class T>
class Filling {
 public:
  explicit Filling(OrderedLines lines) : lines_(std::move(lines)) {
    for (std::size_t i = 0; i <= lines_.n_lines(); ++i) box_.push_back(box_after(lines_, i));
    states_.resize(box_.size());
    states_[0].assign(1, T(1));
  }

  const OrderedLines& lines() const { return lines_; }
  const Box& box(std::size_t i) const { return box_[i]; }
  const std::vector<T>& states(std::size_t i) const { return states_[i]; }
  bool empty() const {
    return std::any_of(box_.begin(), box_.end(), [](const Box& b) { return b.empty; });
  }

  // Makes the states after line n - 1; earlier ones are dropped unless `keep`.
  void reach(std::size_t n, bool keep, const Tick& tick) {
    for (std::size_t i = 0; i < n; ++i) {
      if (!states_[i + 1].empty()) continue;
      step(i, tick);
      if (!keep && i > 0) std::vector<T>().swap(states_[i]);
    }
  }

 private:
  void step(std::size_t i, const Tick& tick) {
    assert(states_[i].size() == static_cast<std::size_t>(box_[i].n_states()));
    states_[i + 1].assign(static_cast<std::size_t>(box_[i + 1].n_states()), T(0));
    const Box &from = box_[i], &to = box_[i + 1];
    if (triangle_cost(from, to, lines_, i) <= layer_cost(from, to, lines_, i)) {
      report(tick, static_cast<double>(i) / static_cast<double>(lines_.n_lines()));
      TriangleStep<T>(from, to, lines_, i).run(states_[i].data(), states_[i + 1].data());
    } else {
      step_by_layers(i, tick);
    }
  }

  void step_by_layers(std::size_t i, const Tick& tick) {
    const Sweep<T> sweep(box_[i], box_[i + 1], lines_, i);
    const CellGroup& rest = lines_.group[i].back();
    const std::vector<T> ways = rest_ways<T>(rest);
    std::vector<T> work(sweep.n_states());
    for (std::int64_t s = sweep.first_layer(); s <= sweep.last_layer(); ++s) {
      const double layers = static_cast<double>(sweep.last_layer() - sweep.first_layer() + 1);
      report(tick,
             (static_cast<double>(i) + static_cast<double>(s - sweep.first_layer()) / layers) /
                 static_cast<double>(lines_.n_lines()));
      sweep.load(s, states_[i].data(), work.data());
      for (std::size_t j = 0; j < lines_.n_axes(); ++j)
        for (std::int64_t limit : lines_.group[i][j].limit) sweep.pass(s, j, limit, work.data());
      sweep.store(s, work.data(), ways.empty() ? nullptr : ways.data(), rest.most,
                  states_[i + 1].data());
    }
  }

  OrderedLines lines_;
  std::vector<Box> box_;
  std::vector<std::vector<T>> states_;
};

}  // namespace sdclattice::twoway
