#include "release/critical_widths.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "base/work_clock.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kMaxSteps = 30;

// More than any count, and far enough from the end of the range to add to it.
constexpr std::int64_t kNever = std::int64_t{1} << 62;

// What a step tells: the count of the cells that agree with a cell in the coarser steps of its
// variable, less that of those which agree in the step too.
class StepLosses {
 public:
  StepLosses(const RiskCells& cells, const LevelSteps& steps)
      : layout_(cells.layout()), firsts_(steps.first_steps()) {
    const CellsView& stored = cells.cells();
    std::vector<std::int64_t> coarser;
    for (std::size_t s = 0; s < steps.n_steps(); ++s) {
      if (is_first(s)) coarser.assign(stored.n, cells.total());
      add_step(stored, s, coarser);
    }
  }

  // Only the fields of the step and of the coarser ones are looked at.
  std::int64_t loss(const std::uint64_t* key, std::size_t step) const {
    return losses_[step][place(key, step)];
  }

 private:
  // `coarser`: for each stored cell the count before, and then with the step.
  void add_step(const CellsView& stored, std::size_t step, std::vector<std::int64_t>& coarser) {
    const std::size_t n_words = layout_.n_words();
    const std::size_t n_parents = is_first(step) ? 1 : n_nodes_;
    const std::size_t n = n_parents * layout_.n_levels(step);
    std::vector<std::int64_t> counts(n, 0);
    for (std::size_t i = 0; i < stored.n; ++i)
      counts[place(stored.keys + i * n_words, step)] += static_cast<std::int64_t>(stored.counts[i]);
    std::vector<std::size_t> node(n, 0);
    n_nodes_ = 0;
    for (std::size_t p = 0; p < n; ++p)
      if (counts[p] > 0) node[p] = n_nodes_++;
    std::vector<std::int64_t> losses(n, 0);
    for (std::size_t i = 0; i < stored.n; ++i) {
      const std::size_t p = place(stored.keys + i * n_words, step);
      losses[p] = coarser[i] - counts[p];
      coarser[i] = counts[p];
    }
    nodes_.push_back(std::move(node));
    losses_.push_back(std::move(losses));
  }

  bool is_first(std::size_t step) const { return (firsts_ >> step & 1) != 0; }
  // Of the node that the coarser steps lead to and the step's own level.
  std::size_t place(const std::uint64_t* key, std::size_t step) const {
    const std::size_t parent = is_first(step) ? 0 : nodes_[step - 1][place(key, step - 1)];
    return parent * layout_.n_levels(step) + layout_.level(key, step);
  }

  const Layout& layout_;
  SubTable firsts_;
  std::size_t n_nodes_ = 0;
  std::vector<std::vector<std::size_t>> nodes_;
  std::vector<std::vector<std::int64_t>> losses_;
};

// A sub-table T as rows, the steps outside of T masked out of the keys. For the cells x at risk
// that a row holds, `rest` is the least R(x) = sum of n_c(x) - n_v(x) over the variables v that T
// does not have at their finest level, n_v(x) being the one-way count of x and n_c(x) that at the
// level which T has, or the total; and `both` the least R(x) + M(x), where M(x) is the least
// one-way count of x; kNever when it holds none.
template <class Width>
struct Rows {
  KeyNumbers<Width> keys;
  std::vector<std::int64_t> count, rest, both;

  explicit Rows(Width n_words) : keys(n_words) {}
  std::size_t size() const { return count.size(); }
  void clear(std::size_t n_expected) {
    keys.clear(n_expected);
    count.clear();
    rest.clear();
    both.clear();
  }
  // The row of a key, a new one when there is none yet.
  std::size_t find(const std::uint64_t* key) {
    const std::size_t at = keys.number(key);
    if (at == size()) {
      count.push_back(0);
      rest.push_back(kNever);
      both.push_back(kNever);
    }
    return at;
  }
};

// With U = min(n_T, M) and L = max(0, n_T - R) as bounds of a cell at risk, U - L is the least of
// n_T, M, R and M + R - n_T: when R >= n_T the last two are not the least, and else the first two
// are not. So the least width over the cells of a row is had from the row's own numbers, and no
// cell needs to be looked at again below the full table.
//
// The sets are walked from the full table down, each made from one with one step more: the
// variables leave in ascending order, each from fine to coarse, so that each closed set is made
// once. That costs O(rows of the larger table), and there are as many tables in memory as steps.
// Where only sets of at most d variables are asked for, a branch ends as soon as more than d
// variables can no longer leave.
// Agrees with the bounds of each most parsimonious release in the tests.
template <class Width>
class WidthWalk {
 public:
  WidthWalk(const RiskCells& cells, const LevelSteps& steps, Width n_words, double seconds,
            CriticalWidths& found, const Tick& tick)
      : cells_(cells),
        steps_(steps),
        losses_(cells, steps),
        n_words_(n_words),
        found_(found),
        tick_(tick),
        clock_(seconds, tick_) {
    by_depth_.assign(steps.n_steps() + 1, Rows<Width>(n_words));
    for (std::size_t v = 0, s = 0; v < steps.n_variables(); ++v) {
      s += steps.n_levels(v);
      for (std::size_t up = 1; up <= steps.n_levels(v); ++up) order_.push_back(s - up);
    }
    least_one_way_ = fill_full_table();
  }

  // The sets of more than `known` and at most `dimension` variables, of the part that the limits
  // name; WorkTimeUp when time is over.
  void run(const CriticalLimits& part, std::size_t known, std::size_t dimension) {
    known_ = known;
    dimension_ = dimension;
    n_walked_ = 0;
    n_walks_ = std::ldexp(critical_steps(steps_, dimension), -static_cast<int>(part.split));
    SubTable set = steps_.all();
    std::size_t depth = 0, fixed = 0;
    for (std::size_t p = 0; p < part.split; ++p) {
      const SubTable step = SubTable{1} << order_[p];
      if ((part.left >> p & 1) == 0) {
        fixed += (step & steps_.first_steps()) != 0;
      } else {
        set ^= step;
        if (!steps_.is_closed(set)) return;
        project(by_depth_[depth], order_[p], by_depth_[depth + 1]);
        ++depth;
      }
    }
    if (fixed <= dimension) descend(set, part.split, fixed);
  }

 private:
  std::int64_t fill_full_table() {
    const CellsView& stored = cells_.cells();
    Rows<Width>& rows = by_depth_[0];
    rows.clear(stored.n);
    for (std::size_t i = 0; i < stored.n; ++i)
      rows.count[rows.find(stored.keys + i * n_words_)] =
          static_cast<std::int64_t>(stored.counts[i]);
    assert(rows.size() == stored.n);
    std::int64_t least = cells_.total();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const std::uint64_t* key = stored.keys + cells_.at_risk()[i] * n_words_;
      std::int64_t one_way = cells_.total();
      for (std::size_t v = 0, s = 0; v < steps_.n_variables(); ++v) {
        std::int64_t count = cells_.total();
        for (std::size_t end = s + steps_.n_levels(v); s < end; ++s) count -= losses_.loss(key, s);
        one_way = std::min(one_way, count);
      }
      rows.rest[cells_.at_risk()[i]] = 0;
      rows.both[cells_.at_risk()[i]] = one_way;
      least = std::min(least, one_way);
    }
    return least;
  }

  // `fixed`: how many variables of the set stay, of those all of whose steps come before `first`.
  void descend(SubTable set, std::size_t first, std::size_t fixed) {
    const std::size_t depth = order_.size() - set_size(set), size = steps_.n_variables_in(set);
    if (clock_.is_up()) throw WorkTimeUp();
    if (++n_walked_ % 64 == 0) report(tick_, static_cast<double>(n_walked_) / n_walks_);
    if (size <= dimension_ && (size > known_ || known_ == 0)) add(set, width(by_depth_[depth]));
    for (std::size_t p = first; p < order_.size() && fixed <= dimension_; ++p) {
      const SubTable step = SubTable{1} << order_[p];
      if (steps_.is_closed(set ^ step)) {
        project(by_depth_[depth], order_[p], by_depth_[depth + 1]);
        descend(set ^ step, p + 1, fixed);
      }
      fixed += (step & steps_.first_steps()) != 0;
    }
  }

  void add(SubTable set, std::int64_t width) {
    found_.set.push_back(set);
    found_.width.push_back(width);
  }

  std::int64_t width(const Rows<Width>& rows) const {
    std::int64_t least = least_one_way_;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows.rest[r] >= kNever) continue;
      least = std::min({least, rows.count[r], rows.rest[r], rows.both[r] - rows.count[r]});
    }
    return least;
  }

  void project(const Rows<Width>& from, std::size_t step, Rows<Width>& to) {
    const KeyField& field = cells_.layout().field(step);
    const std::uint64_t keep = ~(field.mask << field.shift);
    to.clear(from.size());
    std::vector<std::uint64_t> key(n_words_);
    for (std::size_t r = 0; r < from.size(); ++r) {
      std::copy_n(from.keys.key(r), std::size_t{n_words_}, key.data());
      const std::int64_t missing = losses_.loss(key.data(), step);
      key[field.word] &= keep;
      const std::size_t at = to.find(key.data());
      to.count[at] += from.count[r];
      to.rest[at] = std::min(to.rest[at], from.rest[r] + missing);
      to.both[at] = std::min(to.both[at], from.both[r] + missing);
    }
  }

  const RiskCells& cells_;
  const LevelSteps& steps_;
  StepLosses losses_;
  Width n_words_;
  CriticalWidths& found_;
  const Tick& tick_;
  WorkClock clock_;
  std::vector<std::size_t> order_;  // in which the steps leave
  std::int64_t least_one_way_ = 0;
  std::vector<Rows<Width>> by_depth_;
  std::size_t known_ = 0, dimension_ = 0, n_walked_ = 0;
  double n_walks_ = 1;
};

// Few variables first, so that all sub-tables of these are known when time ends: each pass takes at
// least four times the steps of the one before, so that together they take at most a third more
// than the last one.
template <class Walk>
void walk_by_passes(Walk& walk, const LevelSteps& steps, const CriticalLimits& limits,
                    CriticalWidths& found) {
  const std::size_t dimension = std::min(steps.n_variables(), limits.max_dimension);
  const bool timed = limits.seconds < 1e8;
  while (found.complete < dimension) {
    std::size_t next = timed ? found.complete + 1 : dimension;
    const double least = found.complete == 0 ? 0 : 4 * critical_steps(steps, found.complete);
    while (next < dimension && critical_steps(steps, next) < least) ++next;
    if (critical_steps(steps, dimension) < 4 * critical_steps(steps, next)) next = dimension;
    walk.run(limits, found.complete, next);
    found.complete = next;
  }
}

}  // namespace

// A walk for each set of steps that have left: with one of v as the last of them, the variables
// before v that stay are at most `dimension`. `choices`: how many ways there are for so many of
// them to stay, each at some level.
double critical_steps(const LevelSteps& steps, std::size_t dimension) {
  double all = 1;
  std::vector<double> choices(dimension + 1, 0);
  choices[0] = 1;
  for (std::size_t v = 0; v < steps.n_variables(); ++v) {
    const auto n = static_cast<double>(steps.n_levels(v));
    all += n * std::accumulate(choices.begin(), choices.end(), 0.0);
    for (std::size_t j = dimension; j > 0; --j) choices[j] += n * choices[j - 1];
  }
  return all;
}

void critical_widths(const RiskCells& cells, const CriticalLimits& limits, CriticalWidths& found,
                     const Tick& tick) {
  const LevelSteps steps =
      limits.levels.empty() ? LevelSteps(cells.n_variables()) : LevelSteps(limits.levels);
  assert(steps.n_steps() == cells.n_variables());
  if (steps.n_steps() > kMaxSteps)
    throw TooLargeError("Critical widths are computed for at most 30 variables or levels.");
  assert(cells.size() > 0);
  assert(limits.split <= steps.n_steps() && limits.left >> limits.split == 0);
  found = {};
  with_width(cells.layout().n_words(), [&](auto n_words) {
    WidthWalk<decltype(n_words)> walk(cells, steps, n_words, limits.seconds, found, tick);
    try {
      walk_by_passes(walk, steps, limits, found);
    } catch (const WorkTimeUp&) {
      found.late = true;
    }
  });
}

}  // namespace sdclattice
