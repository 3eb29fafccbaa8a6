#include "suppress/vertex_programme.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "linear/best_parts.hpp"
#include "linear/dive.hpp"
#include "linear/safe_bound.hpp"
#include "linear/sparse_simplex.hpp"

namespace sdclattice {

namespace {

constexpr double kWhole = 1e-6;
constexpr std::int64_t kMostTimes = 6;       // by which a vertex is multiplied
constexpr std::int64_t kFarthest = 1 << 20;  // branch and bound looks at no larger changes
constexpr double kCheap = .05;               // of a price: the dive may use these cells freely
constexpr std::size_t kDiveNodes = 60, kBranchNodes = 30;
constexpr std::size_t kRepairs = 60;
constexpr std::size_t kRepairSteps = 100;
constexpr std::size_t kMostBranched = 600;  // cells
constexpr double kPriceUnits = 4096;        // of prices in whole numbers

bool is_near(double x) {
  return std::fabs(x - std::round(x)) <= kWhole;
}

}  // namespace

VertexProgramme::VertexProgramme(const SuppressionProblem& problem, const std::vector<char>& usable,
                                 WorkClock& clock)
    : problem_(problem),
      clock_(clock),
      rows_(problem.system),
      hidden_(problem.n_cells(), 0),
      place_(problem.n_cells(), kNone) {
  list_cells(usable);
  for (std::size_t k = 0; k < cell_.size(); ++k) {
    const std::uint32_t i = cell_[k];
    place_[i] = static_cast<std::uint32_t>(k);
    const std::int64_t y = problem.value[i];
    const std::int64_t fall = y - problem.system.lower[i];
    const std::int64_t rise =
        problem.system.upper[i] >= kNoLimit ? kNoLimit : problem.system.upper[i] - y;
    change_.lower.push_back(-fall);
    change_.upper.push_back(rise);
    both_.lower.insert(both_.lower.end(), {0, 0});
    both_.upper.insert(both_.upper.end(), {rise, fall});
  }
  for (std::size_t r = 0; r < problem.system.n_rows(); ++r) add_row(problem.system, r);
  seen_.assign(cell_.size(), 0);
  walk_ = std::make_unique<RepairWalk>(change_);
}

// Cells that are alone in a row cannot change, and leave others alone.
void VertexProgramme::list_cells(const std::vector<char>& usable) {
  const LinearSystem& system = problem_.system;
  std::vector<std::uint32_t> count(system.n_rows(), 0), alone;
  std::vector<char> can(usable);
  for (std::size_t i = 0; i < can.size(); ++i) {
    hidden_[i] = can[i] && problem_.role[i] != CellRole::unseen;
    if (!can[i]) continue;
    for (std::size_t e = rows_.at[i]; e < rows_.at[i + 1]; ++e) ++count[rows_.row[e]];
  }
  for (std::uint32_t r = 0; r < count.size(); ++r)
    if (count[r] == 1) alone.push_back(r);
  while (!alone.empty()) {
    const std::uint32_t r = alone.back();
    alone.pop_back();
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      if (!can[i]) continue;
      can[i] = 0;
      for (std::size_t k = rows_.at[i]; k < rows_.at[i + 1]; ++k)
        if (--count[rows_.row[k]] == 1) alone.push_back(rows_.row[k]);
    }
  }
  for (std::uint32_t i = 0; i < can.size(); ++i)
    if (can[i]) cell_.push_back(i);
}

void VertexProgramme::add_row(const LinearSystem& system, std::size_t row) {
  const std::size_t before = change_.cell.size();
  for (std::size_t e = system.start[row]; e < system.start[row + 1]; ++e) {
    const std::uint32_t k = place_[system.cell[e]];
    if (k == kNone) continue;
    const std::int64_t a = system.coefficient[e];
    change_.cell.push_back(k);
    change_.coefficient.push_back(a);
    both_.cell.insert(both_.cell.end(), {2 * k, 2 * k + 1});
    both_.coefficient.insert(both_.coefficient.end(), {a, -a});
  }
  if (change_.cell.size() == before) return;
  for (LinearSystem* s : {&change_, &both_}) {
    s->start.push_back(s->cell.size());
    s->row_lower.push_back(0);
    s->row_upper.push_back(0);
  }
}

// The limits of `both_` with what is wanted; false when that is out of reach.
bool VertexProgramme::narrow(const WantedChange& wanted, Limits& limits) const {
  limits = {both_.lower, both_.upper};
  for (const std::uint32_t i : wanted.shut)
    if (has(i)) limits.upper[2 * place_[i]] = limits.upper[2 * place_[i] + 1] = 0;
  const std::size_t rise = 2 * place_[wanted.cell], fall = rise + 1;
  const std::size_t to = wanted.sign > 0 ? rise : fall, from = wanted.sign > 0 ? fall : rise;
  limits.lower[to] = wanted.amount;
  limits.upper[from] = 0;
  return limits.upper[to] >= wanted.amount;
}

VertexEnd VertexProgramme::find(const WantedChange& wanted, const std::vector<double>& price,
                                bool thorough, Certificate& out) {
  if (!has(wanted.cell)) return VertexEnd::none;
  Limits limits;
  if (!narrow(wanted, limits)) return VertexEnd::none;
  SparseSimplex simplex(both_, 0, [this] { clock_.check(); });
  for (std::size_t k = 0; k < limits.lower.size(); ++k)
    if (limits.lower[k] != both_.lower[k] || limits.upper[k] != both_.upper[k])
      simplex.set_limits(k, limits.lower[k], limits.upper[k]);
  std::vector<SparseSimplex::Term> objective;
  for (std::uint32_t k = 0; k < limits.lower.size(); ++k)
    objective.push_back({k, -price[cell_[k / 2]]});
  const ClimbEnd end = simplex.climb_again(objective);
  if (end == ClimbEnd::empty)
    return proves_empty(both_, limits.lower, limits.upper, simplex.duals()) ? VertexEnd::none
                                                                            : VertexEnd::unknown;
  if (end != ClimbEnd::optimal) return VertexEnd::unknown;
  std::vector<double> change;
  for (std::size_t k = 0; k < cell_.size(); ++k)
    change.push_back(simplex.value(2 * k) - simplex.value(2 * k + 1));
  if (multiply(change, wanted, out)) return VertexEnd::found;
  for (std::size_t k = 0; k < cell_.size(); ++k)
    if (std::fabs(change[k]) > kWhole) seen_[k] = 1;
  Limits cheap = limits;
  narrow_to_cheap(wanted, price, cheap);
  if (repair(change, wanted, cheap, out) || dive_for(wanted, cheap, out)) return VertexEnd::found;
  return thorough ? find_anyhow(wanted, price, limits, out) : VertexEnd::unknown;
}

// The cheapest difference where the system is small, else any.
VertexEnd VertexProgramme::find_anyhow(const WantedChange& wanted, const std::vector<double>& price,
                                       const Limits& limits, Certificate& out) {
  if (cell_.size() <= kMostBranched) {
    const VertexEnd end = branch(wanted, limits, price, out);
    if (end != VertexEnd::unknown) return end;
  }
  Limits all = limits;
  narrow_to_cheap(wanted, std::vector<double>(price.size(), 0.0), all);
  return dive_for(wanted, all, out) ? VertexEnd::found : VertexEnd::unknown;
}

bool VertexProgramme::accept(const std::vector<std::int64_t>& change, const WantedChange& wanted,
                             Certificate& out) const {
  if (wanted.sign * change[place_[wanted.cell]] < wanted.amount) return false;
  for (const std::uint32_t i : wanted.shut)
    if (has(i) && change[place_[i]] != 0) return false;
  Certificate found;
  for (std::size_t k = 0; k < change.size(); ++k) {
    if (change[k] == 0) continue;
    found.cell.push_back(cell_[k]);
    found.change.push_back(change[k]);
  }
  if (!certifies(problem_, rows_, hidden_, found)) return false;
  out = std::move(found);
  return true;
}

// The smallest multiple that is whole.
bool VertexProgramme::multiply(const std::vector<double>& change, const WantedChange& wanted,
                               Certificate& out) const {
  for (std::int64_t times = 1; times <= kMostTimes; ++times) {
    const auto t = static_cast<double>(times);
    if (!std::all_of(change.begin(), change.end(), [t](double d) { return is_near(t * d); }))
      continue;
    std::vector<std::int64_t> whole;
    for (const double d : change) whole.push_back(std::llround(t * d));
    return accept(whole, wanted, out);
  }
  return false;
}

// From limits of rises and falls to those of changes: only the cells that the vertex changes and
// the cheap ones may change.
void VertexProgramme::narrow_to_cheap(const WantedChange& wanted, const std::vector<double>& price,
                                      Limits& limits) const {
  for (std::size_t k = 0; k < cell_.size(); ++k) {
    const bool may = seen_[k] != 0 || price[cell_[k]] < kCheap;
    const std::int64_t least = cell_[k] == wanted.cell ? wanted.amount : 0;
    const std::int64_t rise = may ? limits.upper[2 * k] : 0,
                       fall = may ? limits.upper[2 * k + 1] : 0;
    limits.lower[k] = wanted.sign > 0 && least > 0 ? least : -fall;
    limits.upper[k] = wanted.sign < 0 && least > 0 ? -least : rise;
  }
  limits.lower.resize(cell_.size());
  limits.upper.resize(cell_.size());
}

// Each change to one of the two whole numbers around it, by chance, and what then does not add up
// is repaired.
bool VertexProgramme::repair(const std::vector<double>& change, const WantedChange& wanted,
                             const Limits& limits, Certificate& out) {
  for (std::size_t n = 0; n < kRepairs; ++n) {
    clock_.check();
    std::vector<std::int64_t> x;
    for (const double d : change)
      x.push_back(static_cast<std::int64_t>(
          std::floor(d + (is_near(d) || n == 0 ? .5 : random_.uniform()))));
    if (walk_->repair(x, {place_[wanted.cell]}, limits.lower, limits.upper, random_,
                      kRepairSteps) &&
        accept(x, wanted, out))
      return true;
  }
  return false;
}

// Over the cells that may change, which are few where most are shut.
bool VertexProgramme::dive_for(const WantedChange& wanted, const Limits& limits, Certificate& out) {
  LinearSystem narrowed = change_;
  narrowed.lower = limits.lower;
  narrowed.upper = limits.upper;
  std::vector<std::uint32_t> cells;
  for (std::uint32_t k = 0; k < cell_.size(); ++k)
    if (!narrowed.is_fixed(k)) cells.push_back(k);
  if (cells.empty()) return accept(limits.lower, wanted, out);
  const LinearSystem part = std::move(split(narrowed, {cells})[0]);
  SparseSimplex simplex(part, 0, [this] { clock_.check(); });
  RepairWalk walk(part);
  DiveLimits most;
  most.nodes = kDiveNodes;
  std::vector<std::int64_t> x, change = limits.lower;
  if (dive(part, simplex, walk, part.lower, part.upper, random_, most, x) != DiveEnd::found)
    return false;
  for (std::size_t k = 0; k < cells.size(); ++k) change[cells[k]] = x[k];
  return accept(change, wanted, out);
}

VertexEnd VertexProgramme::branch(const WantedChange& wanted, const Limits& limits,
                                  const std::vector<double>& price, Certificate& out) {
  LinearSystem system = both_;
  system.lower = limits.lower;
  system.upper = limits.upper;
  bool is_capped = false;
  for (std::int64_t& most : system.upper) {
    is_capped = is_capped || most > kFarthest;
    most = std::min(most, kFarthest);
  }
  if (wanted.amount > kFarthest) return VertexEnd::unknown;
  std::vector<std::int64_t> weight, table;
  for (std::size_t k = 0; k < system.n_cells(); ++k)
    weight.push_back(1 + std::llround(std::min(price[cell_[k / 2]], 100.0) * kPriceUnits));
  try {
    BestParts parts(system, weight, std::vector<char>(weight.size(), 0), clock_, false);
    parts.advance(kBranchNodes);
    table = parts.table();
  } catch (const InfeasibleError&) {
    return is_capped ? VertexEnd::unknown : VertexEnd::none;
  }
  if (table.empty()) return VertexEnd::unknown;
  std::vector<std::int64_t> change;
  for (std::size_t k = 0; k < cell_.size(); ++k) change.push_back(table[2 * k] - table[2 * k + 1]);
  return accept(change, wanted, out) ? VertexEnd::found : VertexEnd::unknown;
}

}  // namespace sdclattice
