#include "release/conflict_limit.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "bounds/part_shuttle.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

namespace {

using SetIndex = std::unordered_set<SubTable>;

std::vector<SubTable> facets(SubTable set) {
  std::vector<SubTable> out;
  for (std::uint32_t v : as_set(set)) out.push_back(set & ~(SubTable{1} << v));
  return out;
}

// The maximal admissible sub-tables inside a set.
std::vector<SubTable> frontier_inside(SubTable set, const SetIndex& is_admissible) {
  std::vector<SubTable> found, open{set};
  SetIndex seen;
  while (!open.empty()) {
    const SubTable s = open.back();
    open.pop_back();
    if (s == 0 || !seen.insert(s).second) continue;
    if (is_admissible.count(s) > 0) {
      found.push_back(s);
      continue;
    }
    for (SubTable facet : facets(s)) open.push_back(facet);
  }
  return maximal_masks(found);
}

// Sets with one variable more than an admissible one: those all of whose facets are admissible
// first, then small ones.
std::vector<SubTable> candidates(const std::vector<SubTable>& admissible, std::size_t n,
                                 const SetIndex& is_admissible) {
  std::vector<std::tuple<bool, std::size_t, SubTable>> found;
  SetIndex seen;
  for (SubTable s : admissible)
    for (std::size_t v = 0; v < n; ++v) {
      const SubTable w = s | SubTable{1} << v;
      if (is_admissible.count(w) > 0 || !seen.insert(w).second) continue;
      const std::vector<SubTable> parts = facets(w);
      const bool minimal = std::all_of(parts.begin(), parts.end(),
                                       [&](SubTable f) { return is_admissible.count(f) > 0; });
      found.emplace_back(!minimal, set_size(w), w);
    }
  std::sort(found.begin(), found.end());
  std::vector<SubTable> out;
  for (const auto& [later, size, w] : found) out.push_back(w);
  return out;
}

// Of the shuttle's table over a set.
double super_cells(const RiskCells& risk, SubTable set) {
  double out = 1;
  for (std::uint32_t v : as_set(set)) out *= risk.layout().n_levels(v) + 1.0;
  return out;
}

// Is a cell at risk known to have a count below beta, once the sets are released?
bool is_conflict(const RiskCells& risk, SubTable whole, const std::vector<SubTable>& released,
                 std::int64_t beta, double cells, const Tick& tick) {
  const auto room = static_cast<std::size_t>(cells);
  const PartTable table(risk, whole, room);
  std::vector<SubTable> margins;
  for (SubTable set : released) margins.push_back(table.local(set));
  const ShuttleBounds found = shuttle_part(table, margins, room, tick);
  return std::any_of(found.upper.begin(), found.upper.end(),
                     [beta](std::int64_t u) { return u < beta; });
}

using Conflict = std::vector<SubTable>;

std::vector<Conflict> find_conflicts(const RiskCells& risk, const std::vector<SubTable>& admissible,
                                     std::int64_t beta, double left, const Tick& tick) {
  const SetIndex is_admissible(admissible.begin(), admissible.end());
  std::vector<SubTable> refuted;
  std::vector<Conflict> out;
  for (SubTable w : candidates(admissible, risk.n_variables(), is_admissible)) {
    const double cells = super_cells(risk, w);
    const double looks = 10 * cells + static_cast<double>(risk.cells().n * set_size(w));
    const auto inside = [w](SubTable r) { return holds(w, r); };
    if (looks > left || std::any_of(refuted.begin(), refuted.end(), inside)) continue;
    report(tick, 0);
    left -= looks;
    Conflict released = frontier_inside(w, is_admissible);
    if (!is_conflict(risk, w, released, beta, cells, tick)) continue;
    refuted.push_back(w);
    out.push_back(std::move(released));
  }
  return out;
}

// The fewest sub-tables whose loss repairs the first conflicts of a list.
class Repair {
 public:
  Repair(const std::vector<SubTable>& admissible, const std::vector<Conflict>& conflicts,
         std::size_t max_branches)
      : admissible_(admissible),
        conflicts_(conflicts),
        max_branches_(max_branches),
        lost_(admissible.size(), 0),
        best_lost_(lost_) {}

  // One conflict more at a time, as long as there are branches; each result holds for all.
  std::size_t least_loss() {
    std::size_t proved = 0;
    for (n_ = 1; n_ <= conflicts_.size(); ++n_) {
      if (is_repaired(conflicts_[n_ - 1], best_lost_)) continue;
      best_ = admissible_.size() + 1;
      branches_ = 0;
      branch(0);
      if (branches_ > max_branches_) break;
      proved = best_;
    }
    return proved;
  }

 private:
  bool is_repaired(const Conflict& conflict, const std::vector<char>& lost) const {
    return std::any_of(conflict.begin(), conflict.end(), [&](SubTable s) {
      const auto at = std::lower_bound(admissible_.begin(), admissible_.end(), s);
      return lost[static_cast<std::size_t>(at - admissible_.begin())] != 0;
    });
  }

  // What goes with a sub-table and is still there.
  std::vector<std::size_t> above(SubTable set) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < admissible_.size(); ++i)
      if (lost_[i] == 0 && holds(admissible_[i], set)) out.push_back(i);
    return out;
  }

  // `n_lost`: so far.
  void branch(std::size_t n_lost) {
    if (++branches_ > max_branches_ || n_lost >= best_) return;
    const Conflict* open = nullptr;
    for (std::size_t c = 0; c < n_; ++c)
      if (!is_repaired(conflicts_[c], lost_) &&
          (open == nullptr || conflicts_[c].size() < open->size()))
        open = &conflicts_[c];
    if (open == nullptr) {
      best_ = n_lost;
      best_lost_ = lost_;
      return;
    }
    std::vector<std::vector<std::size_t>> ways;
    for (SubTable set : *open) ways.push_back(above(set));
    std::sort(ways.begin(), ways.end(),
              [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (const auto& way : ways) {
      for (std::size_t i : way) lost_[i] = 1;
      branch(n_lost + way.size());
      for (std::size_t i : way) lost_[i] = 0;
    }
  }

  const std::vector<SubTable>& admissible_;
  const std::vector<Conflict>& conflicts_;
  std::size_t max_branches_, branches_ = 0, n_ = 0, best_ = 0;
  std::vector<char> lost_, best_lost_;
};

}  // namespace

ConflictLimit conflict_limit(const RiskCells& risk, const std::vector<SubTable>& admissible,
                             std::int64_t beta, const ConflictWork& work, const Tick& tick) {
  ConflictLimit out;
  out.n_sets = admissible.size();
  if (admissible.size() > work.max_sets) return out;
  const std::vector<Conflict> conflicts =
      find_conflicts(risk, admissible, beta, work.max_looks, tick);
  out.n_conflicts = conflicts.size();
  out.n_sets -= Repair(admissible, conflicts, work.max_branches).least_loss();
  return out;
}

}  // namespace sdclattice
