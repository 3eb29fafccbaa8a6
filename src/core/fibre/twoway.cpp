#include "fibre/twoway.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

namespace {

__extension__ typedef unsigned __int128 UInt128;

template <unsigned bits>
using Fixed = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<bits, bits, boost::multiprecision::unsigned_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

template <class T>
BigCount to_big(const T& x) {
  return BigCount(x);
}
template <>
BigCount to_big(const UInt128& x) {
  return (BigCount(static_cast<std::uint64_t>(x >> 64)) << 64) | static_cast<std::uint64_t>(x);
}

// The cells that lie in one row and one column, and the ways to share out what they hold.
struct CellGroup {
  std::vector<std::uint32_t> cell;
  std::vector<std::int64_t> limit;
  std::int64_t most = 0;  // of their sum
};

// The ways to share k among the cells of a group, k = 0, ..., most, without cell `but`.
std::vector<BigCount> shares(const CellGroup& group, std::int64_t most, std::size_t but) {
  std::vector<BigCount> ways(static_cast<std::size_t>(most) + 1);
  ways[0] = 1;
  for (std::size_t c = 0; c < group.cell.size(); ++c) {
    if (c == but) continue;
    for (std::size_t k = 1; k < ways.size(); ++k) ways[k] += ways[k - 1];
    const auto wide = static_cast<std::size_t>(group.limit[c]) + 1;
    for (std::size_t k = ways.size(); k-- > wide;) ways[k] -= ways[k - wide];
  }
  return ways;
}

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A table with its lines in order, seen from one end.
struct Lines {
  std::vector<std::int64_t> sum;              // a line each
  std::vector<std::vector<CellGroup>> group;  // a line and a column each; the last is the rest
  std::vector<std::int64_t> total;            // of each carried column
  std::int64_t rest_total = 0;

  std::size_t n_lines() const { return sum.size(); }
  std::size_t n_axes() const { return total.size(); }

  Lines reversed() const {
    Lines out = *this;
    std::reverse(out.sum.begin(), out.sum.end());
    std::reverse(out.group.begin(), out.group.end());
    return out;
  }
};

// The states after some lines: low_j <= v_j < low_j + size_j for each axis, and the range of |v|.
struct Box {
  std::vector<std::int64_t> low;
  std::vector<std::size_t> size;
  std::int64_t least = 0, most = 0;
  bool empty = false;

  double n_states() const {
    double n = 1;
    for (std::size_t s : size) n *= static_cast<double>(s);
    return n;
  }
  std::size_t index(const std::int64_t* v) const {
    std::size_t out = 0;
    for (std::size_t j = size.size(); j-- > 0;)
      out = out * size[j] + static_cast<std::size_t>(v[j] - low[j]);
    return out;
  }
  bool holds(std::size_t j, std::int64_t v) const {
    return v >= low[j] && v < low[j] + static_cast<std::int64_t>(size[j]);
  }
};

// What a column can hold after i lines: no more than these lines give, no less than the others
// leave.
std::pair<std::int64_t, std::int64_t> column_range(const Lines& of, std::size_t column,
                                                   std::int64_t total, std::size_t i) {
  std::int64_t before = 0, after = 0;
  for (std::size_t l = 0; l < of.n_lines(); ++l)
    (l < i ? before : after) += of.group[l][column].most;
  return {std::max<std::int64_t>(0, total - after), std::min(total, before)};
}

Box box_after(const Lines& of, std::size_t i) {
  Box out;
  const std::int64_t done = std::accumulate(
      of.sum.begin(), of.sum.begin() + static_cast<std::ptrdiff_t>(i), std::int64_t{0});
  std::int64_t low_sum = 0, high_sum = 0;
  for (std::size_t j = 0; j < of.n_axes(); ++j) {
    const auto [low, high] = column_range(of, j, of.total[j], i);
    out.empty = out.empty || low > high;
    out.low.push_back(low);
    out.size.push_back(static_cast<std::size_t>(std::max<std::int64_t>(0, high - low + 1)));
    low_sum += low;
    high_sum += high;
  }
  const auto [low, high] = column_range(of, of.n_axes(), of.rest_total, i);
  out.least = std::max(low_sum, done - high);
  out.most = std::min(high_sum, done - low);
  out.empty = out.empty || low > high || out.least > out.most;
  return out;
}

// Both boxes of a step together.
Box hull(const Box& from, const Box& to) {
  Box out = from;
  for (std::size_t j = 0; j < out.size.size(); ++j)
    out.size[j] = static_cast<std::size_t>(to.low[j] - from.low[j]) + to.size[j];
  return out;
}

double step_cost(const Box& from, const Box& to, const Lines& of, std::size_t line) {
  if (from.empty || to.empty) return 0;
  double passes = 2;
  for (std::size_t j = 0; j < of.n_axes(); ++j)
    for (std::int64_t limit : of.group[line][j].limit) passes += limit < of.sum[line] ? 2 : 1;
  const double layers = static_cast<double>(from.most - from.least + 1);
  const Box both = hull(from, to);
  const double outer = both.n_states() / static_cast<double>(both.size[0]);
  const double wide =
      std::min(static_cast<double>(of.sum[line] + 1) * both.n_states(), layers * both.n_states());
  return passes * (wide + 2 * outer * layers);  // bookkeeping for each row of the innermost axis
}

// The states of one step, by layers: those that line `line` reaches from states of the same |w|.
template <class T>
class Sweep {
 public:
  Sweep(const Box& from, const Box& to, const Lines& of, std::size_t line)
      : from_(from), to_(to), sum_(of.sum[line]), box_(hull(from, to)), shift_(0) {
    for (std::size_t j = 0; j < box_.size.size(); ++j) shift_ += from.low[j];
    const std::size_t n_axes = box_.size.size();
    n_outer_ = 1;
    for (std::size_t j = 1; j < n_axes; ++j) {
      stride_.push_back(n_outer_);
      n_outer_ *= box_.size[j];
    }
    at_.resize(n_axes - 1, std::vector<std::uint32_t>(n_outer_));
    total_.resize(n_outer_);
    from_outer_.assign(n_outer_, kNone);
    to_outer_.assign(n_outer_, kNone);
    for (std::size_t o = 0; o < n_outer_; ++o) place(o);
  }

  std::size_t n_states() const { return n_outer_ * box_.size[0]; }
  std::int64_t first_layer() const { return from_.least - shift_; }
  std::int64_t last_layer() const { return from_.most - shift_; }

  // Puts layer s of `states` into `work` and clears what the line can reach from it.
  void load(std::int64_t s, const T* states, T* work) const {
    for (std::size_t o = 0; o < n_outer_; ++o) {
      const auto [a, b] = range(o, s);
      if (a > b) continue;
      T* row = work + o * box_.size[0];
      std::fill(row + a, row + b + 1, T(0));
      const std::int64_t own = s - total_[o];
      if (from_outer_[o] != kNone && own >= 0 && own < static_cast<std::int64_t>(from_.size[0]))
        row[own] = states[from_outer_[o] * from_.size[0] + static_cast<std::size_t>(own)];
    }
  }

  void copy(std::int64_t s, const T* from, T* to) const {
    visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      const T* row = from + o * box_.size[0];
      std::copy(row + a, row + b + 1, to + o * box_.size[0] + a);
    });
  }

  // One cell of axis j that adds 0, ..., limit.
  void pass(std::int64_t s, std::size_t j, std::int64_t limit, T* work) const {
    if (j == 0)
      pass_inner(s, limit, work);
    else
      pass_outer(s, j - 1, limit, work);
  }

  // f(row of the innermost axis, first, last) over what the line can reach from layer s.
  template <class F>
  void visit(std::int64_t s, F f) const {
    for (std::size_t o = 0; o < n_outer_; ++o) {
      const auto [a, b] = range(o, s);
      if (a <= b) f(o, a, b);
    }
  }

  // Adds what layer s gives to the states after the line. The rest of the line goes to the column
  // that is not carried, in ways[rest] ways: once each for all up to `limit` where `ways` is null.
  void store(std::int64_t s, const T* work, const T* ways, std::int64_t limit, T* out) const {
    const std::int64_t low = to_.low[0] - from_.low[0];
    visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      if (to_outer_[o] == kNone) return;
      const std::int64_t held = total_[o] - s;  // by the line, at 0 on the innermost axis
      a = std::max({a, low, sum_ - limit - held});
      const T* row = work + o * box_.size[0];
      T* to = out + to_outer_[o] * to_.size[0];
      if (ways == nullptr) {
        for (std::int64_t v = a; v <= b; ++v) to[v - low] += row[v];
      } else {
        for (std::int64_t v = a; v <= b; ++v) to[v - low] += row[v] * ways[sum_ - held - v];
      }
    });
  }

  // The row of the innermost axis in the box after the line, k further on along axis j; kNone if it
  // is outside.
  std::size_t to_row(std::size_t o, std::size_t j, std::int64_t k) const {
    if (j == 0) return to_outer_[o];
    const std::size_t there = static_cast<std::size_t>(k) * stride_[j - 1];
    if (at_[j - 1][o] + static_cast<std::size_t>(k) >= box_.size[j]) return kNone;
    return to_outer_[o + there];
  }
  std::int64_t total(std::size_t o) const { return total_[o]; }
  std::size_t inner() const { return box_.size[0]; }
  std::int64_t inner_low() const { return to_.low[0] - from_.low[0]; }
  std::size_t to_inner() const { return to_.size[0]; }

 private:
  void place(std::size_t o) {
    std::size_t left = o, from = 0, to = 0, from_stride = 1, to_stride = 1;
    bool in_from = true, in_to = true;
    for (std::size_t j = 1; j < box_.size.size(); ++j) {
      const std::size_t w = left % box_.size[j];
      left /= box_.size[j];
      at_[j - 1][o] = static_cast<std::uint32_t>(w);
      total_[o] += static_cast<std::int64_t>(w);
      const auto low = static_cast<std::size_t>(to_.low[j] - from_.low[j]);
      in_from = in_from && w < from_.size[j];
      in_to = in_to && w >= low;
      from += from_stride * w;
      to += in_to ? to_stride * (w - low) : 0;
      from_stride *= from_.size[j];
      to_stride *= to_.size[j];
    }
    if (in_from) from_outer_[o] = from;
    if (in_to) to_outer_[o] = to;
  }

  std::pair<std::int64_t, std::int64_t> range(std::size_t o, std::int64_t s) const {
    return {
        std::max<std::int64_t>(0, s - total_[o]),
        std::min<std::int64_t>(static_cast<std::int64_t>(box_.size[0]) - 1, s + sum_ - total_[o])};
  }

  void pass_inner(std::int64_t s, std::int64_t limit, T* work) const {
    const bool all = limit >= sum_ || limit >= static_cast<std::int64_t>(box_.size[0]) - 1;
    visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      T* row = work + o * box_.size[0];
      for (std::int64_t v = a + 1; v <= b; ++v) row[v] += row[v - 1];
      if (all) return;
      for (std::int64_t v = b; v > a + limit; --v) row[v] -= row[v - limit - 1];
    });
  }

  void pass_outer(std::int64_t s, std::size_t j, std::int64_t limit, T* work) const {
    const std::size_t inner = box_.size[0];
    for (std::size_t o = stride_[j]; o < n_outer_; ++o) {
      if (at_[j][o] == 0) continue;
      auto [a, b] = range(o, s);
      a = std::max<std::int64_t>(0, s + 1 - total_[o]);
      T* row = work + o * inner;
      const T* before = row - stride_[j] * inner;
      for (std::int64_t v = a; v <= b; ++v) row[v] += before[v];
    }
    if (limit >= sum_ || limit >= static_cast<std::int64_t>(box_.size[j + 1]) - 1) return;
    const std::size_t back = static_cast<std::size_t>(limit + 1) * stride_[j];
    for (std::size_t o = n_outer_; o-- > back;) {
      if (at_[j][o] <= static_cast<std::size_t>(limit)) continue;
      auto [a, b] = range(o, s);
      a = std::max<std::int64_t>(0, s + limit + 1 - total_[o]);
      T* row = work + o * inner;
      const T* before = row - back * inner;
      for (std::int64_t v = a; v <= b; ++v) row[v] -= before[v];
    }
  }

  const Box &from_, &to_;
  std::int64_t sum_;
  Box box_;
  std::int64_t shift_;  // |v| - |w|
  std::size_t n_outer_;
  std::vector<std::size_t> stride_, from_outer_, to_outer_;
  std::vector<std::vector<std::uint32_t>> at_;
  std::vector<std::int64_t> total_;
};

// The ways of the column that is not carried, where they are not all 1.
template <class T>
std::vector<T> rest_ways(const CellGroup& group) {
  std::vector<T> out;
  if (group.cell.size() < 2) return out;
  for (const BigCount& w : shares(group, group.most, kNone)) out.push_back(static_cast<T>(w));
  return out;
}

// Numbers of ways to fill the first lines.
template <class T>
class Filling {
 public:
  explicit Filling(Lines lines) : lines_(std::move(lines)) {
    for (std::size_t i = 0; i <= lines_.n_lines(); ++i) box_.push_back(box_after(lines_, i));
    states_.resize(box_.size());
    states_[0].assign(1, T(1));
  }

  const Lines& lines() const { return lines_; }
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
    const Sweep<T> sweep(box_[i], box_[i + 1], lines_, i);
    const CellGroup& rest = lines_.group[i].back();
    const std::vector<T> ways = rest_ways<T>(rest);
    std::vector<T> work(sweep.n_states());
    states_[i + 1].assign(static_cast<std::size_t>(box_[i + 1].n_states()), T(0));
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

  Lines lines_;
  std::vector<Box> box_;
  std::vector<std::vector<T>> states_;
};

// For one line: the numbers of tables by what each column of it holds, not counting the ways to
// share this among the cells of the column.
template <class T>
class LineLaws {
 public:
  LineLaws(const Lines& lines, std::size_t line, const Box& from, const Box& to, const T* before,
           const T* after, std::vector<bool> wanted)
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

  const Lines& lines_;
  std::size_t line_;
  Sweep<T> sweep_;
  const T *before_, *after_;
  std::vector<bool> wanted_;
  bool plain_;
  std::vector<T> ways_;
  std::vector<std::vector<T>> law_, so_far_, stack_;
};

// One filling of a line, drawn from those that lead to a known state after it.
template <class T>
class LineDraw {
 public:
  LineDraw(const Lines& lines, std::size_t line, const Box& from, const std::vector<T>& before)
      : from_(from), before_(before), sum_(lines.sum[line]) {
    for (const CellGroup& group : lines.group[line]) {
      ways_.emplace_back();
      for (const BigCount& w : shares(group, group.most, kNone))
        ways_.back().push_back(static_cast<T>(w));
    }
  }

  // `v`: the state after the line, which becomes the one before it; `x`: what each column gets.
  void draw(const T& chosen, std::vector<std::int64_t>& v, std::vector<std::int64_t>& x) {
    chosen_ = chosen;
    walk(ways_.size() - 1, sum_, T(1), v, x);
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

// Shares a sum among the cells of a group, each way as likely as the others.
void share_out(const CellGroup& group, std::int64_t sum, std::size_t n_cells, PublicRandom& random,
               std::vector<std::int64_t>& x) {
  CellGroup left = group;
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
}

template <class T>
class TwoWayProgramme : public FibrePart {
 public:
  TwoWayProgramme(const Lines& lines, const TwoWayPlan& plan, std::size_t n_cells,
                  const FibreLimits& limits)
      : n_cells_(n_cells),
        states_(plan.all_states),
        limit_(limits.states),
        front_(lines),
        back_(lines.reversed()) {
    check_memory(plan.states);
  }

  BigCount count(const Tick& tick) override {
    if (front_.empty()) return 0;
    const std::size_t m = front_.lines().n_lines(), half = m / 2;
    front_.reach(half, false, tick);
    back_.reach(m - half, false, tick);
    const std::vector<T>&a = front_.states(half), &b = back_.states(m - half);
    T sum(0);
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[a.size() - 1 - k];
    return to_big(sum);
  }

  std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick& tick) override {
    const std::size_t m = front_.lines().n_lines();
    std::vector<std::size_t> asked(n_cells_, kNone);
    for (std::size_t q = 0; q < cells.size(); ++q) asked[cells[q]] = q;
    std::vector<CellWays> out(cells.size());
    if (front_.empty()) return out;
    check_memory(2 * states_);
    front_.reach(m - 1, true, tick);
    back_.reach(m - 1, true, tick);
    for (std::size_t i = 0; i < m; ++i) line_laws(i, asked, out, tick);
    return out;
  }

  void draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) override {
    const Lines& lines = front_.lines();
    const std::size_t m = lines.n_lines();
    if (draws_.empty()) prepare_draws(tick);
    std::vector<std::int64_t> v = lines.total, held(lines.n_axes() + 1);
    for (std::size_t i = m; i-- > 0;) {
      const T& n = front_.states(i + 1)[front_.box(i + 1).index(v.data())];
      draws_[i].draw(static_cast<T>(draw_below(to_big(n), random)), v, held);
      for (std::size_t j = 0; j < held.size(); ++j)
        share_out(lines.group[i][j], held[j], n_cells_, random, x);
    }
  }

 private:
  // States count in words of 8 bytes.
  void check_memory(double n_states) const {
    if (n_states * static_cast<double>(sizeof(T)) / 8 > limit_)
      throw TooLargeError("The programme over two-way tables would exceed the limit of states.");
  }

  void prepare_draws(const Tick& tick) {
    check_memory(states_);
    const Lines& lines = front_.lines();
    front_ = Filling<T>(lines);
    front_.reach(lines.n_lines(), true, tick);
    draws_.clear();
    for (std::size_t i = 0; i < lines.n_lines(); ++i)
      draws_.emplace_back(front_.lines(), i, front_.box(i), front_.states(i));
  }

  void line_laws(std::size_t i, const std::vector<std::size_t>& asked, std::vector<CellWays>& out,
                 const Tick& tick) {
    const Lines& lines = front_.lines();
    const std::vector<CellGroup>& groups = lines.group[i];
    std::vector<bool> wanted;
    for (const CellGroup& group : groups)
      wanted.push_back(std::any_of(group.cell.begin(), group.cell.end(), [&](std::uint32_t c) {
        return c < n_cells_ && asked[c] != kNone;
      }));
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
    std::vector<T> after = back_.states(lines.n_lines() - 1 - i);
    std::reverse(after.begin(), after.end());
    LineLaws<T> laws(lines, i, front_.box(i), front_.box(i + 1), front_.states(i).data(),
                     after.data(), wanted);
    const std::vector<std::vector<T>>& found = laws.run(tick);
    for (std::size_t j = 0; j < groups.size(); ++j)
      for (std::size_t c = 0; c < groups[j].cell.size(); ++c) {
        const std::uint32_t cell = groups[j].cell[c];
        if (cell < n_cells_ && asked[cell] != kNone)
          out[asked[cell]] = cell_ways(groups[j], c, found[j]);
      }
  }

  // From what a group holds to what one of its cells holds.
  static CellWays cell_ways(const CellGroup& group, std::size_t c, const std::vector<T>& law) {
    CellWays out(static_cast<std::size_t>(std::min(group.limit[c], group.most)) + 1);
    if (group.cell.size() == 1) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = to_big(law[k]);
      return out;
    }
    const std::vector<BigCount> others = shares(group, group.most, c);
    for (std::size_t k = 0; k < out.size(); ++k)
      for (std::size_t sum = k; sum < law.size(); ++sum)
        out[k] += to_big(law[sum]) * others[sum - k];
    return out;
  }

  std::size_t n_cells_;
  double states_, limit_;
  Filling<T> front_, back_;
  std::vector<LineDraw<T>> draws_;
};

// ---- the plan -----------------------------------------------------------------------------------

Lines arrange(const TwoWayTable& given, const TwoWayPlan& plan) {
  const TwoWayTable table = plan.transposed ? given.transposed() : given;
  std::vector<std::size_t> line_at(table.row.size()), column_at(table.column.size());
  for (std::size_t i = 0; i < plan.line.size(); ++i) line_at[plan.line[i]] = i;
  for (std::size_t j = 0; j < plan.axis.size(); ++j) column_at[plan.axis[j]] = j;
  column_at[plan.rest] = plan.axis.size();
  Lines out;
  for (std::uint32_t i : plan.line) out.sum.push_back(table.row[i]);
  for (std::uint32_t j : plan.axis) out.total.push_back(table.column[j]);
  out.rest_total = table.column[plan.rest];
  out.group.assign(plan.line.size(), std::vector<CellGroup>(plan.axis.size() + 1));
  for (std::uint32_t c = 0; c < table.cell.size(); ++c) {
    const TwoWayCell& cell = table.cell[c];
    CellGroup& group = out.group[line_at[cell.row]][column_at[cell.column]];
    const std::int64_t most = std::min(table.row[cell.row], table.column[cell.column]);
    group.cell.push_back(c);
    group.limit.push_back(std::min(cell.limit, most));
    group.most = std::min(most, group.most + group.limit.back());
  }
  if (out.total.empty()) {  // one column: an axis of one state
    out.total.push_back(0);
    for (auto& groups : out.group) groups.insert(groups.begin(), CellGroup());
  }
  return out;
}

void estimate(const TwoWayTable& table, TwoWayPlan& plan) {
  const Lines lines = arrange(table, plan);
  const std::size_t m = lines.n_lines();
  std::vector<Box> box;
  for (std::size_t i = 0; i <= m; ++i) box.push_back(box_after(lines, i));
  plan.states = plan.steps = plan.all_states = 0;
  for (std::size_t i = 0; i < m; ++i) {
    plan.states = std::max(plan.states, hull(box[i], box[i + 1]).n_states());
    plan.all_states += box[i + 1].n_states();
    Box mirrored = box[i + 1];  // from the other end, where the layers are others
    mirrored.low = box[i].low;
    plan.steps += i < m / 2 ? step_cost(box[i], box[i + 1], lines, i)
                            : step_cost(mirrored, hull(box[i], box[i + 1]), lines, i);
  }
}

// The largest line at either end, where a step has one layer only.
std::vector<std::uint32_t> order_lines(const std::vector<std::int64_t>& sum) {
  std::vector<std::uint32_t> out(sum.size());
  std::iota(out.begin(), out.end(), 0u);
  std::stable_sort(out.begin(), out.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sum[a] > sum[b]; });
  if (out.size() > 2) std::rotate(out.begin() + 1, out.begin() + 2, out.end());
  return out;
}

TwoWayPlan best_rest(const TwoWayTable& given, bool transposed) {
  const TwoWayTable table = transposed ? given.transposed() : given;
  TwoWayPlan best;
  best.steps = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> by_sum(table.column.size());
  std::iota(by_sum.begin(), by_sum.end(), 0u);
  std::stable_sort(by_sum.begin(), by_sum.end(), [&](std::uint32_t a, std::uint32_t b) {
    return table.column[a] > table.column[b];
  });
  // Limits of cells seldom make another column than one of the widest the best.
  for (std::size_t r = 0; r < std::min<std::size_t>(by_sum.size(), 4); ++r) {
    TwoWayPlan plan;
    plan.transposed = transposed;
    plan.line = order_lines(table.row);
    plan.rest = by_sum[r];
    plan.axis = by_sum;
    plan.axis.erase(plan.axis.begin() + static_cast<std::ptrdiff_t>(r));
    estimate(given, plan);
    if (plan.steps < best.steps) best = plan;
  }
  return best;
}

template <class T>
std::unique_ptr<FibrePart> make_programme(const Lines& lines, const TwoWayPlan& plan,
                                          std::size_t n_cells, const FibreLimits& limits) {
  return std::make_unique<TwoWayProgramme<T>>(lines, plan, n_cells, limits);
}

// The product over the rows of the ways to share their sums; where no cells lie in parallel the
// last row, here the largest, follows from the others.
double log2_rows_bound(const TwoWayTable& table, bool parallel) {
  std::vector<double> cells(table.row.size(), 0), by_limits(table.row.size(), 0);
  for (const TwoWayCell& c : table.cell) {
    ++cells[c.row];
    by_limits[c.row] += std::log2(static_cast<double>(std::min(c.limit, table.row[c.row])) + 1);
  }
  double all = 0, largest = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] < 1) continue;
    const double shares = log2_shares(static_cast<double>(table.row[i]), cells[i]);
    const double one = std::max(0.0, std::min(shares, by_limits[i]));
    all += one;
    largest = std::max(largest, one);
  }
  return parallel ? all : all - largest;
}

bool has_parallel(const TwoWayTable& table) {
  std::vector<std::uint64_t> place;
  for (const TwoWayCell& c : table.cell)
    place.push_back((static_cast<std::uint64_t>(c.row) << 32) | c.column);
  std::sort(place.begin(), place.end());
  return std::adjacent_find(place.begin(), place.end()) != place.end();
}

}  // namespace

TwoWayTable TwoWayTable::transposed() const {
  TwoWayTable out{column, row, cell, impossible};
  for (TwoWayCell& c : out.cell) std::swap(c.row, c.column);
  return out;
}

TwoWayPlan plan_two_way(const TwoWayTable& table) {
  const TwoWayPlan upright = best_rest(table, false), across = best_rest(table, true);
  return across.steps < upright.steps ? across : upright;
}

double log2_bound(const TwoWayTable& table) {
  const bool parallel = has_parallel(table);
  return std::min(log2_rows_bound(table, parallel), log2_rows_bound(table.transposed(), parallel));
}

std::unique_ptr<FibrePart> make_two_way(const TwoWayTable& table, const TwoWayPlan& plan,
                                        std::size_t n_cells, const FibreLimits& limits) {
  if (plan.states > limits.states || plan.steps > limits.steps)
    throw TooLargeError("The programme over two-way tables would exceed the limit.");
  const Lines lines = arrange(table, plan);
  const double bits = log2_bound(table) * (1 + 1e-9) + 2;
  if (bits <= 64) return make_programme<std::uint64_t>(lines, plan, n_cells, limits);
  if (bits <= 128) return make_programme<UInt128>(lines, plan, n_cells, limits);
  if (bits <= 256) return make_programme<Fixed<256>>(lines, plan, n_cells, limits);
  if (bits <= 512) return make_programme<Fixed<512>>(lines, plan, n_cells, limits);
  if (bits <= 1024) return make_programme<Fixed<1024>>(lines, plan, n_cells, limits);
  if (bits <= 4096) return make_programme<Fixed<4096>>(lines, plan, n_cells, limits);
  throw TooLargeError("The number of two-way tables has too many digits for the programme.");
}

}  // namespace sdclattice
