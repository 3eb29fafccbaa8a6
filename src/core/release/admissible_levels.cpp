#include "release/admissible_levels.hpp"

#include <algorithm>
#include <array>

#include "base/flat_map.hpp"
#include "release/cell_groups.hpp"
#include "table/part_table.hpp"
#include "table/small_counts.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kMostSets = kMaxSubTableVariables;

// C(n, r) up to n = 64, all of which fit.
const std::array<std::array<std::uint64_t, kMostSets + 2>, kMostSets + 1>& binomials() {
  static const auto table = [] {
    std::array<std::array<std::uint64_t, kMostSets + 2>, kMostSets + 1> out{};
    for (std::size_t n = 0; n <= kMostSets; ++n) {
      out[n][0] = 1;
      for (std::size_t r = 1; r <= n; ++r) out[n][r] = out[n - 1][r - 1] + out[n - 1][r];
    }
    return out;
  }();
  return table;
}

std::uint64_t add_up(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// Sets of one size: those that are admissible for certain, and those that may be, with how many of
// these hold each variable.
struct Level {
  std::uint64_t least = 0, most = 0;
  std::vector<std::uint64_t> holding;
  bool counted = true;  // all that may be admissible were looked at

  explicit Level(std::size_t n_variables) : holding(n_variables, 0) {}
  void may_have(SubTable set) {
    ++most;
    for (std::size_t v = 0; v < holding.size(); ++v) holding[v] += has_variable(set, v);
  }
};

// Depth first along sets that are known to be admissible; the groups of a set are made when one
// that extends it is judged.
class LevelSearch {
 public:
  LevelSearch(const RiskCells& cells, std::int64_t beta, const std::vector<SubTable>& forbidden,
              double max_looks, const Tick& tick)
      : cells_(cells),
        beta_(beta),
        forbidden_(forbidden),
        looks_left_(max_looks),
        tick_(tick),
        small_(cells, beta),
        groups_(cells) {}

  bool is_spent() const { return looks_left_ <= 0; }

  // Of so many variables; all smaller ones were counted.
  Level count(std::size_t size) {
    Level level(cells_.n_variables());
    size_ = size;
    path_.clear();
    n_grouped_ = 0;
    found_.clear();
    if (cells_.total() >= beta_) visit(level, 0, cells_.n_variables());
    for (SubTable set : found_) known_.insert(set);
    return level;
  }

 private:
  void visit(Level& level, SubTable set, std::size_t end) {
    for (std::size_t v = 0; v < end && level.counted; ++v) {
      const SubTable next = set | SubTable{1} << v;
      if (path_.size() + 1 == size_) {
        judge(level, next, v);
      } else if (known_.contains(next)) {
        path_.push_back(v);
        visit(level, next, v);
        path_.pop_back();
        n_grouped_ = std::min(n_grouped_, path_.size());
      }
    }
  }

  void judge(Level& level, SubTable set, std::size_t last) {
    looks_left_ -= 20;
    if (!may_be_admissible(set)) return;
    if (!is_spent()) {
      if (!is_admissible(set, last)) return;
      found_.push_back(set);
      ++level.least;
    }
    level.may_have(set);
    // Sets that are not judged are counted as long as that takes less than judging has.
    looks_left_ -= 20;
    if (looks_left_ < -kMostUnjudged) level.counted = false;
  }

  bool may_be_admissible(SubTable set) const {
    if (size_ > 1)
      for (SubTable left = set; left != 0; left &= left - 1)
        if (!known_.contains(set ^ (left & -left))) return false;
    return std::none_of(forbidden_.begin(), forbidden_.end(),
                        [set](SubTable f) { return holds(set, f); });
  }

  bool is_admissible(SubTable set, std::size_t last) {
    const auto n = static_cast<double>(cells_.cells().n);
    if (++n_judged_ % 64 == 0) report(tick_, 0);
    looks_left_ -= n / 8 + kJudgeLooks;
    if (small_.found_in(set)) return false;
    looks_left_ -= n;
    for (; n_grouped_ < path_.size(); ++n_grouped_) {
      looks_left_ -= n;
      groups_.split(n_grouped_, path_[n_grouped_]);
    }
    groups_.split(path_.size(), last);
    const std::size_t small = groups_.first_small(beta_);
    if (small == cells_.size()) return true;
    small_.remember(small);
    return false;
  }

  static constexpr double kMostUnjudged = 2e8;
  static constexpr double kJudgeLooks = 200;  // so that few cells do not mean many sets in memory

  const RiskCells& cells_;
  std::int64_t beta_;
  const std::vector<SubTable>& forbidden_;
  double looks_left_;
  const Tick& tick_;
  SmallCounts small_;
  CellGroups groups_;
  std::size_t size_ = 0, n_grouped_ = 0, n_judged_ = 0;
  std::vector<std::size_t> path_;  // the variables of the set at hand, the highest first
  std::vector<SubTable> found_;    // of this size
  FlatSet known_;                  // of smaller ones
};

// What may be above a level, as far as is known of it.
void bound_next(Level& level, std::size_t size) {
  const std::uint64_t most = most_of_next_size(level.most, size);
  const auto held = static_cast<std::uint64_t>(size + 1);
  std::uint64_t whole = 0, rest = 0;
  for (std::uint64_t& n : level.holding) {
    // beside one variable: sets with one element less
    if (size == 1 && n > 0) n = level.most - std::min<std::uint64_t>(level.most, 1);
    if (size > 1) n = most_of_next_size(n, size - 1);
    n = std::min(n, most);
    whole = add_up(whole, n / held);
    rest += n % held;
  }
  level.least = 0;
  level.most = std::min(most, add_up(whole, rest / held));
}

std::uint64_t inside_cover(const std::vector<SubTable>& cover, std::size_t size) {
  std::uint64_t out = 0;
  for (SubTable set : cover) out = add_up(out, binomials()[set_size(set)][size]);
  return out;
}

}  // namespace

std::uint64_t most_of_next_size(std::uint64_t count, std::size_t size) {
  const auto& choose = binomials();
  std::uint64_t out = 0;
  for (std::size_t i = size; i > 0 && count > 0; --i) {
    std::size_t n = i;
    while (n < kMostSets && choose[n + 1][i] <= count) ++n;
    count -= std::min(count, choose[n][i]);
    out = add_up(out, choose[n][i + 1]);
  }
  return out;
}

AdmissibleLevels count_admissible(const RiskCells& cells, std::int64_t beta,
                                  const std::vector<SubTable>& forbidden,
                                  const std::vector<SubTable>& cover, double max_looks,
                                  const Tick& tick) {
  LevelSearch search(cells, beta, forbidden, max_looks, tick);
  AdmissibleLevels out;
  Level level(cells.n_variables());
  bool counting = true;
  for (std::size_t size = 1; size <= cells.n_variables(); ++size) {
    Level found(cells.n_variables());
    if (counting) found = search.count(size);
    if (counting && found.counted) {
      level = found;
    } else if (size == 1) {
      level.most = cells.n_variables();
      level.least = found.least;
      std::fill(level.holding.begin(), level.holding.end(), 1);
    } else {
      bound_next(level, size - 1);
      level.least = found.least;
    }
    counting = counting && !search.is_spent();
    if (!cover.empty()) level.most = std::min(level.most, inside_cover(cover, size));
    out.least.push_back(level.least);
    out.most.push_back(level.most);
  }
  return out;
}

}  // namespace sdclattice
