#include "release/critical_widths.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "base/work_clock.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kMaxVariables = 30;

// More than any count, and far enough from the end of the range to add to it.
constexpr std::int64_t kNever = std::int64_t{1} << 62;

// A sub-table T as rows, the variables outside of T masked out of the keys. For the cells x at risk
// that a row holds, `rest` is the least R(x) = sum of N - n_v(x) over the variables v outside of T,
// and `both` the least R(x) + M(x), where M(x) is the least one-way count of x; kNever when it
// holds none.
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
// The sets are walked from the full table down, each made from one with one variable more: the
// variables leave in ascending order, so that each set is made once. A step costs O(rows of the
// larger table), and there are as many tables in memory as variables. Where only sets of at most d
// variables are asked for, a branch ends as soon as more than d variables can no longer leave.
// Agrees with the bounds of each most parsimonious release in the tests.
template <class Width>
class WidthWalk {
 public:
  WidthWalk(const RiskCells& cells, Width n_words, double seconds, CriticalWidths& found,
            const Tick& tick)
      : cells_(cells), n_words_(n_words), found_(found), tick_(tick), clock_(seconds, tick_) {
    const std::size_t k = cells.n_variables();
    by_depth_.assign(k + 1, Rows<Width>(n_words));
    for (std::size_t v = 0; v < k; ++v) missing_.push_back(counts_elsewhere(v));
    least_one_way_ = fill_full_table();
  }

  // The sets of more than `known` and at most `dimension` variables, of the part that the limits
  // name; WorkTimeUp when time is over.
  void run(const CriticalLimits& part, std::size_t known, std::size_t dimension) {
    known_ = known;
    dimension_ = dimension;
    n_walked_ = 0;
    n_steps_ = critical_steps(cells_.n_variables() - part.split, dimension);
    const std::size_t gone = set_size(part.left), fixed = part.split - gone;
    if (fixed > dimension) return;
    for (std::size_t v = 0, depth = 0; v < part.split; ++v)
      if (part.left >> v & 1) {
        project(by_depth_[depth], v, by_depth_[depth + 1]);
        ++depth;
      }
    descend(cells_.all_variables() ^ part.left, part.split, fixed);
  }

 private:
  // N - n_v for each level.
  std::vector<std::int64_t> counts_elsewhere(std::size_t variable) const {
    const Layout& layout = cells_.layout();
    const CellsView& stored = cells_.cells();
    std::vector<std::int64_t> out(layout.n_levels(variable), cells_.total());
    for (std::size_t i = 0; i < stored.n; ++i)
      out[layout.level(stored.keys + i * layout.n_words(), variable)] -=
          static_cast<std::int64_t>(stored.counts[i]);
    return out;
  }

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
      std::int64_t one_way = cells_.total();
      for (std::size_t v = 0; v < missing_.size(); ++v)
        one_way = std::min(one_way, cells_.total() - missing_[v][cells_.level(i, v)]);
      rows.rest[cells_.at_risk()[i]] = 0;
      rows.both[cells_.at_risk()[i]] = one_way;
      least = std::min(least, one_way);
    }
    return least;
  }

  // `fixed`: how many variables of the set stay, those before `first`.
  void descend(SubTable set, std::size_t first, std::size_t fixed) {
    const std::size_t k = cells_.n_variables(), size = set_size(set), depth = k - size;
    if (clock_.is_up()) throw WorkTimeUp();
    if (++n_walked_ % 64 == 0) report(tick_, static_cast<double>(n_walked_) / n_steps_);
    if (size <= dimension_ && (size > known_ || known_ == 0)) add(set, width(by_depth_[depth]));
    for (std::size_t v = first; v < k && fixed <= dimension_; ++v, ++fixed) {
      project(by_depth_[depth], v, by_depth_[depth + 1]);
      descend(set ^ SubTable{1} << v, v + 1, fixed);
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

  void project(const Rows<Width>& from, std::size_t variable, Rows<Width>& to) {
    const Layout& layout = cells_.layout();
    const KeyField& field = layout.field(variable);
    const std::uint64_t keep = ~(field.mask << field.shift);
    to.clear(from.size());
    std::vector<std::uint64_t> key(n_words_);
    for (std::size_t r = 0; r < from.size(); ++r) {
      std::copy_n(from.keys.key(r), std::size_t{n_words_}, key.data());
      const std::int64_t missing = missing_[variable][layout.level(key.data(), variable)];
      key[field.word] &= keep;
      const std::size_t at = to.find(key.data());
      to.count[at] += from.count[r];
      to.rest[at] = std::min(to.rest[at], from.rest[r] + missing);
      to.both[at] = std::min(to.both[at], from.both[r] + missing);
    }
  }

  const RiskCells& cells_;
  Width n_words_;
  CriticalWidths& found_;
  const Tick& tick_;
  WorkClock clock_;
  std::vector<std::vector<std::int64_t>> missing_;
  std::int64_t least_one_way_ = 0;
  std::vector<Rows<Width>> by_depth_;
  std::size_t known_ = 0, dimension_ = 0, n_walked_ = 0;
  double n_steps_ = 1;
};

// Few variables first, so that all sub-tables of these are known when time ends: each pass takes at
// least four times the steps of the one before, so that together they take at most a third more
// than the last one.
template <class Walk>
void walk_by_passes(Walk& walk, std::size_t n, const CriticalLimits& limits,
                    CriticalWidths& found) {
  const std::size_t dimension = std::min(n, limits.max_dimension);
  const bool timed = limits.seconds < 1e8;
  while (found.complete < dimension) {
    std::size_t next = timed ? found.complete + 1 : dimension;
    const double least = found.complete == 0 ? 0 : 4 * critical_steps(n, found.complete);
    while (next < dimension && critical_steps(n, next) < least) ++next;
    if (critical_steps(n, dimension) < 4 * critical_steps(n, next)) next = dimension;
    walk.run(limits, found.complete, next);
    found.complete = next;
  }
}

}  // namespace

// A step for each set of variables that have left: with v as the last of them, those before v that
// stay are at most `dimension`.
double critical_steps(std::size_t n, std::size_t dimension) {
  double all = 1;
  for (std::size_t v = 0; v < n; ++v) {
    double choices = 1;
    for (std::size_t j = 0; j <= std::min(v, dimension); ++j) {
      all += choices;
      choices *= static_cast<double>(v - j) / static_cast<double>(j + 1);
    }
  }
  return all;
}

void critical_widths(const RiskCells& cells, const CriticalLimits& limits, CriticalWidths& found,
                     const Tick& tick) {
  const std::size_t n = cells.n_variables();
  if (n > kMaxVariables)
    throw TooLargeError("Critical widths are computed for at most 30 variables.");
  assert(cells.size() > 0);
  assert(limits.split <= n && limits.left >> limits.split == 0);
  found = {};
  with_width(cells.layout().n_words(), [&](auto n_words) {
    WidthWalk<decltype(n_words)> walk(cells, n_words, limits.seconds, found, tick);
    try {
      walk_by_passes(walk, n, limits, found);
    } catch (const WorkTimeUp&) {
      found.late = true;
    }
  });
}

}  // namespace sdclattice
