#include "suppress/capacity_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kParts = 1 << 16;  // of a unit of change in the programme
constexpr std::int64_t kDenominators[] = {1, 2, 3, 4, 6, 12, 60};
constexpr double kNothing = 1e-7;  // smaller multipliers are rounding errors
constexpr double kLargest = 1 << 24;
constexpr std::int64_t kLargestSide = std::int64_t{1} << 40;  // of what a cut asks for
constexpr double kExcluded = 1 - 1e-3;                        // smaller shares are

// Cells of changes: all relations keep their sums.
LinearSystem changes_of(const SuppressionProblem& problem) {
  LinearSystem out = problem.system;
  const std::size_t n = out.n_cells();
  out.lower.assign(n, 0);
  out.upper.assign(n, 0);
  for (std::size_t r = 0; r < out.n_rows(); ++r) {
    const bool is_relation = out.row_lower[r] == out.row_upper[r];
    out.row_lower[r] = is_relation ? 0 : -kNoLimit;
    out.row_upper[r] = is_relation ? 0 : kNoLimit;
  }
  return out;
}

void make_small(CapacityCut& cut) {
  std::int64_t common = 0;
  for (const std::int64_t times : cut.times) common = std::gcd(common, times);
  if (common == 0) return;
  cut.least = (cut.least + common - 1) / common;
  for (std::int64_t& times : cut.times) times = std::min(times / common, cut.least);
}

}  // namespace

double CapacityCut::share(const std::vector<double>& x) const {
  double sum = 0;
  for (std::size_t k = 0; k < cell.size(); ++k) sum += static_cast<double>(times[k]) * x[cell[k]];
  return sum / static_cast<double>(least);
}

CapacityCuts::CapacityCuts(const SuppressionProblem& problem, std::function<void()> check)
    : problem_(problem),
      changes_(changes_of(problem)),
      simplex_(changes_, 0, std::move(check)),
      x_(problem.n_cells(), 0.0),
      is_shut_(problem.n_cells(), 0),
      rate_(problem.n_cells(), 0) {}

// ---- the programme -----------------------------------------------------------------------------

std::int64_t CapacityCuts::room(std::size_t cell, bool up) const {
  if (is_shut_[cell] != 0) return 0;
  const std::int64_t limit = up ? problem_.system.upper[cell] : problem_.system.lower[cell];
  if (limit >= kNoLimit || limit <= -kNoLimit) return kNoLimit;
  return up ? limit - problem_.value[cell] : problem_.value[cell] - limit;
}

void CapacityCuts::move_to(const std::vector<double>& x) {
  x_ = x;
  cap_ = 0;
}

// No candidate needs more room than what is asked for.
void CapacityCuts::set_limits(std::int64_t cap, const std::vector<std::uint32_t>& known) {
  if (cap == cap_ && known == shut_) return;
  for (const std::uint32_t i : shut_) is_shut_[i] = 0;
  for (const std::uint32_t i : known) is_shut_[i] = 1;
  shut_ = known;
  cap_ = cap;
  const auto parts = [&](std::size_t i, bool up) {
    const std::int64_t has = room(i, up);
    if (problem_.role[i] == CellRole::open) return std::int64_t{0};
    if (problem_.role[i] != CellRole::candidate)
      return has < kLargestSide / kParts ? has * kParts : kNoLimit;
    const auto most = static_cast<double>(std::min(has, cap) * kParts);
    return static_cast<std::int64_t>(most * x_[i]);
  };
  for (std::size_t i = 0; i < problem_.n_cells(); ++i)
    simplex_.set_limits(i, -parts(i, false), parts(i, true));
  simplex_.load(std::vector<std::int64_t>(problem_.n_cells(), 0));
}

// ---- one way -----------------------------------------------------------------------------------

// The best by the duals, rounded to several denominators. False where nothing limits the cell.
bool CapacityCuts::reach(std::uint32_t cell, int sign, Reach& out) {
  if (simplex_.climb(cell, sign) == ClimbEnd::endless) return false;
  const std::vector<double>& duals = simplex_.duals();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = 0; r < duals.size(); ++r)
    if (std::fabs(duals[r]) > kNothing && changes_.row_lower[r] == 0) rows.push_back(r);
  bool has_one = false;
  for (const std::int64_t denominator : kDenominators) {
    Reach found;
    if (!combine(rows, cell, sign, denominator, found)) continue;
    if (!has_one || real_size(found) < real_size(out) - 1e-9) out = std::move(found);
    has_one = true;
  }
  return has_one;
}

bool CapacityCuts::combine(const std::vector<std::uint32_t>& rows, std::uint32_t cell, int sign,
                           std::int64_t denominator, Reach& out) {
  out.denominator = denominator;
  const auto rate = [&](std::uint32_t i, WideInt by) {
    if (rate_[i] == 0) rated_.push_back(i);
    rate_[i] += by;
  };
  rate(cell, sign * denominator);
  bool is_small = true;
  for (const std::uint32_t r : rows) {
    const double y = simplex_.duals()[r] * static_cast<double>(denominator);
    is_small = is_small && std::fabs(y) < kLargest;
    if (!is_small) break;
    const std::int64_t times = std::llround(y);
    if (times == 0) continue;
    for (std::size_t e = changes_.start[r]; e < changes_.start[r + 1]; ++e)
      rate(changes_.cell[e], -wide_product(times, changes_.coefficient[e]));
  }
  std::sort(rated_.begin(), rated_.end());
  rated_.erase(std::unique(rated_.begin(), rated_.end()), rated_.end());
  for (const std::uint32_t i : rated_) is_small = add_cell(i, out) && is_small;
  for (const std::uint32_t i : rated_) rate_[i] = 0;
  rated_.clear();
  return is_small;
}

// False where a cell that is hidden anyway lets the other one go as far as it likes.
bool CapacityCuts::add_cell(std::uint32_t i, Reach& out) const {
  if (rate_[i] == 0 || problem_.role[i] == CellRole::open) return true;
  const std::int64_t has = room(i, rate_[i] > 0);
  if (has == 0) return true;
  const WideInt size = magnitude(rate_[i]);
  const bool is_limited = has < kNoLimit && size < kLargestSide && has < kLargestSide / size;
  const std::int64_t by = is_limited ? static_cast<std::int64_t>(size * has) : kNoLimit;
  if (problem_.role[i] == CellRole::candidate) {
    out.cell.push_back(i);
    out.times.push_back(by);
    return true;
  }
  out.fixed += is_limited ? by : 0;
  return is_limited && out.fixed < kLargestSide;
}

double CapacityCuts::real_size(const Reach& of) const {
  auto sum = static_cast<double>(of.fixed);
  const auto most = static_cast<double>(cap_ * of.denominator);
  for (std::size_t k = 0; k < of.cell.size(); ++k)
    sum += std::min(static_cast<double>(of.times[k]), most) * x_[of.cell[k]];
  return sum / static_cast<double>(of.denominator);
}

// ---- cuts --------------------------------------------------------------------------------------

// The cell changes by what is needed, or more. False where the room of others suffices.
bool CapacityCuts::one_way(const Reach& by, std::int64_t need, CapacityCut& out) {
  if (need >= kLargestSide / by.denominator) return false;
  out.least = need * by.denominator - by.fixed;
  if (out.least <= 0) return false;
  out.cell = by.cell;
  out.times = by.times;
  for (std::int64_t& times : out.times) times = std::min(times, out.least);
  make_small(out);
  return true;
}

// One of two inequalities holds.
bool CapacityCuts::either(const CapacityCut& a, const CapacityCut& b, CapacityCut& out) {
  if (a.least >= (1 << 20) || b.least >= (1 << 20)) return false;
  out = {{}, {}, a.least * b.least};
  for (std::size_t i = 0, j = 0; i < a.cell.size() || j < b.cell.size();) {
    const std::uint32_t of_a = i < a.cell.size() ? a.cell[i] : UINT32_MAX;
    const std::uint32_t of_b = j < b.cell.size() ? b.cell[j] : UINT32_MAX;
    const std::int64_t by_a = of_a <= of_b ? a.times[i++] * b.least : 0;
    const std::int64_t by_b = of_b <= of_a ? b.times[j++] * a.least : 0;
    out.cell.push_back(std::min(of_a, of_b));
    out.times.push_back(std::max(by_a, by_b));
  }
  make_small(out);
  return true;
}

// What the cell can do both ways together, in the common denominator.
CapacityCuts::Reach CapacityCuts::sum(const Reach& a, const Reach& b) {
  Reach out;
  out.denominator = a.denominator * b.denominator;
  out.fixed = a.fixed * b.denominator + b.fixed * a.denominator;
  const auto scaled = [](std::int64_t times, std::int64_t by) {
    return times >= kLargestSide ? kNoLimit : times * by;
  };
  for (std::size_t i = 0, j = 0; i < a.cell.size() || j < b.cell.size();) {
    const std::uint32_t of_a = i < a.cell.size() ? a.cell[i] : UINT32_MAX;
    const std::uint32_t of_b = j < b.cell.size() ? b.cell[j] : UINT32_MAX;
    const std::int64_t by_a = of_a <= of_b ? scaled(a.times[i++], b.denominator) : 0;
    const std::int64_t by_b = of_b <= of_a ? scaled(b.times[j++], a.denominator) : 0;
    out.cell.push_back(std::min(of_a, of_b));
    out.times.push_back(std::min(by_a + by_b, kNoLimit));
  }
  return out;
}

void CapacityCuts::keep(CapacityCut&& cut, CapacityCut& best) const {
  const double own = cut.share(x_);
  if (own >= kExcluded) return;
  if (best.least == 0 || own < best.share(x_)) best = std::move(cut);
}

bool CapacityCuts::find(const ReaderDemand& reader, CapacityCut& out) {
  const Demand& demand = problem_.demands[reader.demand];
  set_limits(std::max({demand.up, demand.down, demand.slide}), reader.known);
  out = {};
  Reach up, down;
  CapacityCut to_up, to_down, cut;
  const bool ends_up = reach(demand.cell, 1, up);
  if (ends_up && demand.up > 0 && one_way(up, demand.up, cut)) keep(std::move(cut), out);
  const bool is_asked = demand.slide > demand.up + demand.down || demand.down > 0;
  if (!is_asked || (!ends_up && demand.down <= 0)) return out.least > 0;
  const bool ends_down = reach(demand.cell, -1, down);
  if (ends_down && demand.down > 0 && one_way(down, demand.down, cut)) keep(std::move(cut), out);
  if (!ends_up || !ends_down) return out.least > 0;
  if (demand.slide == 1 && demand.up <= 0 && demand.down <= 0) {
    if (one_way(up, 1, to_up) && one_way(down, 1, to_down) && either(to_up, to_down, cut))
      keep(std::move(cut), out);
  } else if (one_way(sum(up, down), demand.slide, cut)) {
    keep(std::move(cut), out);
  }
  return out.least > 0;
}

}  // namespace sdclattice
