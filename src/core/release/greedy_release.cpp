#include "release/greedy_release.hpp"

#include <algorithm>

namespace sdclattice {

namespace {

class GreedySearch {
 public:
  GreedySearch(const RiskCells& risk, const std::vector<SubTable>& order, std::int64_t beta,
               const GreedyLimits& limits, const Tick& tick)
      : risk_(risk),
        steps_(limits.levels.empty() ? LevelSteps(risk.n_variables()) : LevelSteps(limits.levels)),
        order_(order),
        beta_(beta),
        limits_(limits),
        clock_(limits.seconds, tick) {
    for (std::size_t v = 0; v < steps_.n_variables(); ++v)
      if (steps_.n_levels(v) > 1) shown_.push_back(steps_.steps_of(v));
  }

  GreedyRelease run() {
    bisect();
    out_.frontier = maximal_masks(prefix(out_.prefix));
    add_one_way();
    if (limits_.first_fit || !limits_.assured) fill();
    return std::move(out_);
  }

 private:
  std::vector<SubTable> prefix(std::size_t length) const {
    std::vector<SubTable> out(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(length));
    out.insert(out.end(), shown_.begin(), shown_.end());
    return out;
  }

  void bisect() {
    if (!limits_.assured) out_.prefix = 0;
    std::size_t refused = order_.size() + (limits_.assured ? 0 : 1);
    while (refused > out_.prefix + 1) {
      const std::size_t middle = (out_.prefix + refused) / 2;
      std::size_t steps = 1;
      while (std::size_t{1} << steps < refused - out_.prefix) ++steps;
      const bool safe = check(prefix(middle), middle - 1, false, steps);
      (safe ? out_.prefix : refused) = middle;
    }
  }

  // The list may end before the one-way tables of some variables, which belong to every release.
  void add_one_way() {
    if (!limits_.assured) return;  // they are in the list, as far as they are safe
    std::vector<SubTable> more = out_.frontier;
    for (std::size_t v = 0; v < steps_.n_variables(); ++v) more.push_back(steps_.steps_of(v));
    more = maximal_masks(more);
    if (more.size() == out_.frontier.size()) return;
    const auto last = std::find(order_.begin(), order_.end(), more.back());
    const auto at = static_cast<std::size_t>(last - order_.begin());
    if (check(more, at, true, 1)) out_.frontier = more;
  }

  // What the whole table tells, and all that holds a refused sub-table, need no check.
  void fill() {
    std::vector<SubTable> refused;
    const std::size_t end = order_.size() - (limits_.assured ? 1 : 0);
    for (std::size_t at = out_.prefix; at < end; ++at) {
      const SubTable set = order_[at];
      const auto below = [&](SubTable whole) { return holds(whole, set); };
      if (std::any_of(out_.frontier.begin(), out_.frontier.end(), below)) continue;
      if (std::any_of(refused.begin(), refused.end(), [&](SubTable r) { return holds(set, r); }))
        continue;
      std::vector<SubTable> more = out_.frontier;
      more.push_back(set);
      more = maximal_masks(more);
      if (check(more, at, true, std::min<std::size_t>(order_.size() - at, 20)))
        out_.frontier = more;
      else
        refused.push_back(set);
    }
  }

  // `share`: how many checks the time left is for.
  bool check(const std::vector<SubTable>& sets, std::size_t at, bool in_fill, std::size_t share) {
    GreedyCheck found;
    found.at = at;
    found.in_fill = in_fill;
    const double before = clock_.seconds_left();
    WidthLimits limits = limits_.width;
    limits.seconds = before / static_cast<double>(share);
    limits.target = beta_;
    const ReleaseWidth width = release_width(risk_, sets, limits, clock_.tick());
    found.inner = width.inner;
    found.outer = width.outer;
    found.safe = width.inner >= beta_;
    found.decided = found.safe || width.outer < beta_;
    found.seconds = before - clock_.seconds_left();
    out_.stopped = out_.stopped || (!found.decided && width.stopped);
    out_.checks.push_back(found);
    return found.safe;
  }

  const RiskCells& risk_;
  LevelSteps steps_;
  std::vector<SubTable> shown_;
  const std::vector<SubTable>& order_;
  std::int64_t beta_;
  const GreedyLimits& limits_;
  WorkClock clock_;
  GreedyRelease out_;
};

}  // namespace

GreedyRelease release_greedily(const RiskCells& risk, const std::vector<SubTable>& order,
                               std::int64_t beta, const GreedyLimits& limits, const Tick& tick) {
  return GreedySearch(risk, order, beta, limits, tick).run();
}

}  // namespace sdclattice
