#include "release/release_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sdclattice {

namespace {

// A minimal unsafe set, and what holds each of its maximal sub-tables.
struct FoundConflict {
  Lattice down;
  std::vector<SubTable> frontier;
};

class ReleaseSearch {
 public:
  ReleaseSearch(const RiskCells& risk, std::int64_t beta, const std::vector<std::int64_t>& values,
                const ReleaseSearchLimits& limits, const Tick& tick)
      : clock_(limits.seconds, tick),
        oracle_(risk, beta, limits.max_cells, limits.fibre, clock_),
        values_(values),
        limits_(limits),
        beta_(beta),
        random_(limits.seed),
        n_(risk.n_variables()),
        steps_(limits.levels.empty() ? LevelSteps(n_) : LevelSteps(limits.levels)) {
    for (SubTable m = 0; m < values_.size(); ++m) {
      all_.set(m);
      above_.push_back(lattice_above(m, n_));
    }
    for (std::size_t v = 0; v < steps_.n_variables(); ++v)
      if (steps_.n_levels(v) > 1) shown_ |= lattice_below(steps_.steps_of(v));
    best_ = shown_;
    best_.set(0);
  }

  ReleaseSearchResult run() {
    try {
      start();
    } catch (const WorkTimeUp&) {
      out_.stopped = true;
    }
    const std::int64_t upper = out_.stopped ? bound_of(all_) : explore(all_, shown_);
    out_.frontier = lattice_frontier(best_, n_);
    out_.value = value_of(best_);
    out_.upper = std::max(upper, out_.value);
    out_.n_conflicts = conflicts_.size();
    out_.n_asked = oracle_.n_asked;
    out_.n_searched = oracle_.n_searched;
    out_.n_undecided = oracle_.n_undecided;
    if (out_.n_undecided > 0) out_.upper = value_of(all_);
    out_.optimal = out_.upper == out_.value;
    return std::move(out_);
  }

 private:
  // A conflict that nothing left out resolves yet, and which of its sub-tables may be left out.
  struct Open {
    std::vector<SubTable> choices;
  };

  std::int64_t value_of(const Lattice& down) const {
    std::int64_t sum = 0;
    for (std::size_t m = 0; m < values_.size(); ++m)
      if (down[m]) sum += values_[m];
    return sum;
  }

  void offer(const Lattice& down) {
    const std::int64_t value = value_of(down);
    if (value <= value_of(best_)) return;
    best_ = down;
    out_.steps.push_back({value, limits_.seconds - clock_.seconds_left(), out_.n_nodes});
  }

  void learn(const Lattice& unsafe) {
    FoundConflict found;
    found.down = oracle_.minimal_unsafe(unsafe, random_);
    for (SubTable m : lattice_frontier(found.down, n_))
      found.down |= lattice_below(steps_.closure(m));
    found.frontier = lattice_frontier(found.down, n_);
    conflicts_.push_back(std::move(found));
  }

  // What lies inside of the closed sets of a release.
  Lattice closed_part(const Lattice& down) const {
    if (steps_.are_variables()) return down;
    Lattice out;
    for (SubTable m = 0; m < values_.size(); ++m)
      if (down[m] && steps_.is_closed(m)) out |= lattice_below(m);
    return out;
  }

  // ---- before the search ------------------------------------------------------------------------

  // First the sub-tables that are too narrow by themselves, then releases grown at random,
  // dimension after dimension and freely in turn.
  void start() {
    for (SubTable m = 1; m < values_.size(); ++m)
      if (!holds_conflict(lattice_below(m)) && oracle_.least_count(m) < beta_)
        learn(lattice_below(m));
    for (std::size_t g = 0; g < limits_.growths; ++g) grow(g % 2 == 0);
  }

  bool holds_conflict(const Lattice& down) const {
    return std::any_of(conflicts_.begin(), conflicts_.end(),
                       [&](const FoundConflict& c) { return (c.down & ~down).none(); });
  }

  void grow(bool by_dimension) {
    std::vector<SubTable> order(values_.size() - 1);
    std::iota(order.begin(), order.end(), SubTable{1});
    random_.shuffle(order.begin(), order.end());
    if (by_dimension)
      std::stable_sort(order.begin(), order.end(), [](SubTable a, SubTable b) {
        return Lattice(a).count() < Lattice(b).count();
      });
    Lattice down = shown_;
    down.set(0);
    try {
      for (SubTable m : order) add(down, m);
    } catch (const WorkTimeUp&) {
      offer(down);
      throw;
    }
    offer(down);
  }

  void add(Lattice& down, SubTable set) {
    clock_.check();
    if (!steps_.is_closed(set)) return;
    const Lattice more = down | lattice_below(set);
    if (more == down || holds_conflict(more)) return;
    if (oracle_.is_safe(more))
      down = more;
    else
      learn(more);
  }

  // ---- the search -------------------------------------------------------------------------------

  // Returns an upper bound of what the releases inside `down` that hold `kept` are worth; at most
  // the best value when all were searched.
  std::int64_t explore(Lattice down, const Lattice& kept) {
    ++out_.n_nodes;
    for (;;) {
      std::vector<Open> open;
      if (!propagate(down, kept, open)) return -1;
      const std::int64_t bound = value_of(down) - given_up(down, open);
      if (bound <= value_of(best_)) return bound;
      try {
        clock_.check();
        if (open.empty()) {
          if (!ask(down)) continue;
          return value_of(down);
        }
      } catch (const WorkTimeUp&) {
        out_.stopped = true;
        return bound;
      }
      return std::min(bound, branch(down, kept, open));
    }
  }

  std::int64_t bound_of(Lattice down) const {
    std::vector<Open> open;
    return propagate(down, shown_, open) ? value_of(down) - given_up(down, open) : -1;
  }

  bool ask(const Lattice& down) {
    if (!oracle_.is_safe(down)) {
      learn(down);
      return false;
    }
    offer(down);
    return true;
  }

  // Leaves out what every choice leaves out, until nothing changes. False: some conflict is kept.
  bool propagate(Lattice& down, const Lattice& kept, std::vector<Open>& open) const {
    for (bool changed = true; changed;) {
      changed = false;
      open.clear();
      for (const FoundConflict& conflict : conflicts_) {
        if ((conflict.down & ~down).any()) continue;
        Open found;
        Lattice common = down;
        for (SubTable m : conflict.frontier)
          if (!kept[m]) {
            found.choices.push_back(m);
            common &= above_[m];
          }
        if (found.choices.empty()) return false;
        if (common.any()) {
          if ((common & kept).any()) return false;
          down = closed_part(down & ~common);
          changed = true;
        }
        if ((conflict.down & ~down).none()) open.push_back(std::move(found));
      }
    }
    return true;
  }

  // A lower bound of what resolving the open conflicts costs. Each conflict charges as much as its
  // cheapest choice still holds, on sub-tables above every choice: first on those that many choices
  // share. No sub-table is charged more than its value.
  std::int64_t given_up(const Lattice& down, const std::vector<Open>& open) const {
    std::vector<std::int64_t> left(values_.size());
    for (std::size_t m = 0; m < left.size(); ++m) left[m] = down[m] ? values_[m] : 0;
    std::vector<std::size_t> order(open.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return open[a].choices.size() < open[b].choices.size();
    });
    std::int64_t sum = 0;
    for (std::size_t at : order) sum += charge(open[at].choices, left);
    return sum;
  }

  std::int64_t charge(const std::vector<SubTable>& choices, std::vector<std::int64_t>& left) const {
    std::vector<std::int64_t> need(choices.size(), 0);
    std::int64_t least = INT64_MAX;
    for (std::size_t c = 0; c < choices.size(); ++c) {
      for (std::size_t m = 0; m < left.size(); ++m)
        if (left[m] > 0 && above_[choices[c]][m]) need[c] += left[m];
      least = std::min(least, need[c]);
    }
    if (least == 0) return 0;
    std::fill(need.begin(), need.end(), least);
    for (std::size_t share = choices.size(); share > 0; --share)
      for (std::size_t m = 0; m < left.size(); ++m) {
        if (left[m] == 0 || shared_by(m, choices) != share) continue;
        // No choice may be charged beyond its need.
        std::int64_t by = left[m];
        std::int64_t most = 0;
        for (std::size_t c = 0; c < choices.size(); ++c)
          if (above_[choices[c]][m]) most = std::max(most, need[c]);
        by = std::min(by, most);
        left[m] -= by;
        for (std::size_t c = 0; c < choices.size(); ++c)
          if (above_[choices[c]][m]) need[c] = std::max<std::int64_t>(0, need[c] - by);
      }
    return least;
  }

  std::size_t shared_by(std::size_t m, const std::vector<SubTable>& choices) const {
    return static_cast<std::size_t>(std::count_if(
        choices.begin(), choices.end(), [&](SubTable choice) { return above_[choice][m]; }));
  }

  std::int64_t branch(const Lattice& down, Lattice kept, std::vector<Open>& open) {
    std::vector<SubTable> choices =
        std::min_element(open.begin(), open.end(), [](const Open& a, const Open& b) {
          return a.choices.size() < b.choices.size();
        })->choices;
    std::stable_sort(choices.begin(), choices.end(), [&](SubTable a, SubTable b) {
      return value_of(down & above_[a]) < value_of(down & above_[b]);
    });
    std::int64_t upper = -1;
    for (SubTable choice : choices) {
      const Lattice rest = closed_part(down & ~above_[choice]);
      if ((kept & above_[choice]).none())
        upper = std::max(upper, out_.stopped ? value_of(rest) : explore(rest, kept));
      kept |= lattice_below(choice);
    }
    return upper;
  }

  WorkClock clock_;
  ReleaseOracle oracle_;
  const std::vector<std::int64_t>& values_;
  const ReleaseSearchLimits& limits_;
  std::int64_t beta_;
  PublicRandom random_;
  std::size_t n_;
  LevelSteps steps_;
  Lattice all_, best_, shown_;
  std::vector<Lattice> above_;
  std::vector<FoundConflict> conflicts_;
  ReleaseSearchResult out_;
};

}  // namespace

ReleaseSearchResult search_releases(const RiskCells& risk, std::int64_t beta,
                                    const std::vector<std::int64_t>& values,
                                    const ReleaseSearchLimits& limits, const Tick& tick) {
  return ReleaseSearch(risk, beta, values, limits, tick).run();
}

}  // namespace sdclattice
