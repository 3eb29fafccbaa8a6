// The numbers of two-way tables by what each cell group of one line holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/tick.hpp"
#include "fibre/twoway_filling.hpp"

namespace sdclattice::twoway {

// For one line: the numbers of tables by what each column of it holds, not counting the ways to
// share this among the cells of the column.
template <class T>
class LineLaws {
 public:
  LineLaws(const OrderedLines& lines, std::size_t line, const Box& from, const Box& to,
           const T* before, const T* after, std::vector<bool> wanted)
      : lines_(lines),
        line_(line),
        sweep_(from, to, lines, line),
        before_(before),
        after_(after),
        wanted_(std::move(wanted)),
        plain_(lines.group[line].back().cell.size() == 1 &&
               lines.group[line].back().most >= lines.sum[line]),
        ways_(rest_ways<T>(lines.group[line].back())) {
    const CellGroup& rest = lines.group[line].back();
    if (ways_.empty()) ways_.assign(static_cast<std::size_t>(rest.most) + 1, T(1));
    for (const CellGroup& group : lines.group[line])
      law_.emplace_back(static_cast<std::size_t>(group.most) + 1, T(0));
    so_far_.resize(lines.n_axes());
    for (std::size_t j = 0; plain_ && j < lines.n_axes(); ++j)
      if (wanted_[j]) so_far_[j].assign(sweep_.n_states(), T(0));
  }

  const std::vector<std::vector<T>>& run(const Tick& tick) {
    std::vector<T> work(sweep_.n_states());
    for (std::int64_t s = sweep_.last_layer(); s >= sweep_.first_layer(); --s) {
      report(tick, 0);
      sweep_.load(s, before_, work.data());
      divide(s, 0, lines_.n_axes() + 1, work.data(), 0);
    }
    if (plain_) finish_plain(tick);
    return law_;
  }

 private:
  // `work` has the windows of all columns but first, ..., last - 1.
  void divide(std::int64_t s, std::size_t first, std::size_t last, T* work, std::size_t depth) {
    if (std::none_of(wanted_.begin() + static_cast<std::ptrdiff_t>(first),
                     wanted_.begin() + static_cast<std::ptrdiff_t>(last), [](bool w) { return w; }))
      return;
    if (last - first == 1) {
      if (first == lines_.n_axes())
        add_rest(s, work);
      else if (plain_)
        add_plain(s, first, work);
      else
        add_any(s, first, work);
      return;
    }
    if (stack_.size() <= depth) stack_.emplace_back(sweep_.n_states());
    const std::size_t middle = (first + last) / 2;
    T* next = stack_[depth].data();
    sweep_.copy(s, work, next);
    windows(s, middle, last, next);
    divide(s, first, middle, next, depth + 1);
    sweep_.copy(s, work, next);
    windows(s, first, middle, next);
    divide(s, middle, last, next, depth + 1);
  }
  void windows(std::int64_t s, std::size_t first, std::size_t last, T* work) const {
    for (std::size_t j = first; j < last && j < lines_.n_axes(); ++j)
      for (std::int64_t limit : lines_.group[line_][j].limit) sweep_.pass(s, j, limit, work);
  }

  // The number of endings from the state at `v` on the innermost axis of row `o`, k further on
  // along axis j, where the line then ends.
  const T* ending(std::size_t o, std::int64_t v, std::size_t j, std::int64_t k) const {
    const std::size_t row = sweep_.to_row(o, j, k);
    if (j == 0) v += k;
    v -= sweep_.inner_low();
    if (row == kNone || v < 0 || v >= static_cast<std::int64_t>(sweep_.to_inner())) return nullptr;
    return after_ + row * sweep_.to_inner() + v;
  }

  void add_rest(std::int64_t s, const T* work) {
    const std::int64_t sum = lines_.sum[line_];
    std::vector<T>& law = law_.back();
    sweep_.visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      for (std::int64_t v = a; v <= b; ++v) {
        const std::int64_t x = sum - (sweep_.total(o) + v - s);
        const T* end = x < static_cast<std::int64_t>(law.size()) ? ending(o, v, 0, 0) : nullptr;
        if (end) law[static_cast<std::size_t>(x)] += work[o * sweep_.inner() + v] * *end;
      }
    });
  }

  // Below the first layer nothing begins, but what began above may still end there.
  void finish_plain(const Tick& tick) {
    const std::int64_t first = sweep_.first_layer();
    for (std::int64_t s = first - 1; s >= first - lines_.sum[line_]; --s) {
      report(tick, 0);
      for (std::size_t j = 0; j < lines_.n_axes(); ++j)
        if (wanted_[j]) add_plain(s, j, nullptr);
    }
  }

  // Any amount may go to the column that is not carried, in one way: then what the carried cell
  // holds follows from the layer, and states of the layers above end in the same way.
  void add_plain(std::int64_t s, std::size_t j, const T* work) {
    const std::int64_t sum = lines_.sum[line_];
    std::vector<T>& law = law_[j];
    std::vector<T>& so_far = so_far_[j];
    sweep_.visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      for (std::int64_t v = a; v <= b; ++v) {
        const std::size_t at = o * sweep_.inner() + static_cast<std::size_t>(v);
        if (work) so_far[at] += work[at];
        const std::int64_t k = sum - (sweep_.total(o) + v - s);
        const T* end = k < static_cast<std::int64_t>(law.size()) ? ending(o, v, j, k) : nullptr;
        if (end) law[static_cast<std::size_t>(k)] += so_far[at] * *end;
      }
    });
  }

  void add_any(std::int64_t s, std::size_t j, const T* work) {
    const std::int64_t sum = lines_.sum[line_], rest = static_cast<std::int64_t>(ways_.size()) - 1;
    std::vector<T>& law = law_[j];
    const std::int64_t most = static_cast<std::int64_t>(law.size()) - 1;
    sweep_.visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      for (std::int64_t v = a; v <= b; ++v) {
        const T& here = work[o * sweep_.inner() + static_cast<std::size_t>(v)];
        if (here == 0) continue;
        const std::int64_t left = sum - (sweep_.total(o) + v - s);
        for (std::int64_t k = std::max<std::int64_t>(0, left - rest); k <= std::min(most, left);
             ++k)
          if (const T* end = ending(o, v, j, k))
            law[static_cast<std::size_t>(k)] +=
                here * ways_[static_cast<std::size_t>(left - k)] * *end;
      }
    });
  }

  const OrderedLines& lines_;
  std::size_t line_;
  Sweep<T> sweep_;
  const T *before_, *after_;
  std::vector<bool> wanted_;
  bool plain_;
  std::vector<T> ways_;
  std::vector<std::vector<T>> law_, so_far_, stack_;
};

}  // namespace sdclattice::twoway
