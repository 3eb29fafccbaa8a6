#include "suppress/protection_oracle.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "linear/best_table.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/whole_search.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kQuickPivots = 2000, kFullPivots = 20000;  // of one search
// How far cells may go in a search for tables that are near, beside a multiple of what is asked.
constexpr std::int64_t kNear = 8;
constexpr double kSeconds = 2;  // for each of the other engines

}  // namespace

class ProtectionOracle::Programme : public ExactSimplex {
 public:
  using ExactSimplex::ExactSimplex;

  // How much the sign times cell, which is at its largest, rises with each unit of a cell that is
  // not basic: visit(cell, price) where that is not 0.
  template <class Visit>
  void each_price(std::size_t cell, int sign, Visit&& visit) const {
    if (!is_basic_[cell]) return visit(cell, sign);
    const Row& row = table_[place_[cell]];
    for (std::size_t c = 0; c < free_.size(); ++c)
      if (row[c] != 0 && free_[c] < n_cells()) visit(free_[c], sign * row[c] > 0 ? 1 : -1);
  }
  // The largest whole number that is not above sign times the cell.
  std::int64_t floor_of_signed(std::size_t cell, int sign) const {
    const std::int64_t floor = floor_of(cell);
    if (sign > 0) return floor;
    return is_whole(cell) ? -floor : -floor - 1;
  }
};

ProtectionOracle::ProtectionOracle(const SuppressionProblem& problem, CertificatePool& pool,
                                   std::size_t max_entries, std::function<void()> check)
    : problem_(problem),
      pool_(pool),
      max_entries_(max_entries),
      check_(std::move(check)),
      free_(problem.n_cells()),
      scratch_(problem.n_cells()) {
  start();
}

// A programme whose work was broken off is of no more use.
void ProtectionOracle::start() {
  programme_ =
      std::make_unique<Programme>(problem_.system, max_entries_, [this] { count_pivot(); });
  for (std::size_t i = 0; i < problem_.n_cells(); ++i)
    if (!free_.has(i)) programme_->set_limits(i, problem_.value[i], problem_.value[i]);
}

ProtectionOracle::~ProtectionOracle() = default;

void ProtectionOracle::count_pivot() {
  check_();
  if (pivots_left_ != SIZE_MAX && pivots_left_-- == 0)
    throw TooLargeError("The search for a table takes too many steps.");
}

void ProtectionOracle::set_free(const CellBits& free) {
  for (std::size_t i = 0; i < problem_.n_cells(); ++i) {
    if (free.has(i) == free_.has(i)) continue;
    if (free.has(i))
      programme_->set_limits(i, problem_.system.lower[i], problem_.system.upper[i]);
    else
      programme_->set_limits(i, problem_.value[i], problem_.value[i]);
  }
  free_ = free;
}

ProtectionAnswer ProtectionOracle::ask(const Demand& demand, const CellBits& free,
                                       OracleEffort effort) {
  ProtectionAnswer out;
  effort_ = effort;
  out.met = pool_.reach(demand.cell, free).meets(demand);
  if (out.met) return out;
  ++n_searched_;
  set_free(free);
  const std::int64_t most_up = std::max(demand.up, demand.slide - demand.down);
  const Way up = go(demand.cell, 1, most_up, free);
  const bool is_up = up.found >= demand.up;
  const std::int64_t most_down = std::max(demand.down, demand.slide - up.found);
  const Way down = is_up ? go(demand.cell, -1, most_down, free) : Way();
  if (is_up && down.found >= most_down) {
    out.met = true;
  } else if (up.limit < demand.up) {
    out.blockers = up.blockers;
  } else if (is_up && down.limit < demand.down) {
    out.blockers = down.blockers;
  } else if (is_up && up.limit + down.limit < demand.slide) {
    std::set_union(up.blockers.begin(), up.blockers.end(), down.blockers.begin(),
                   down.blockers.end(), std::back_inserter(out.blockers));
  } else if (up.open || down.open) {
    out.open = true;
  } else {
    out.blockers = all_known();
  }
  return out;
}

ProtectionOracle::Way ProtectionOracle::go(std::uint32_t cell, int sign, std::int64_t wanted,
                                           const CellBits& free) {
  Way out;
  const CertificatePool::Reach known = pool_.reach(cell, free);
  out.found = std::min(wanted, sign > 0 ? known.up : known.down);
  out.limit = wanted;
  if (out.found >= wanted) return out;
  programme_->restore();
  const bool ends = programme_->climb(cell, sign);
  const std::int64_t at = programme_->floor_of_signed(cell, sign) - sign * problem_.value[cell];
  if (ends && at < wanted) {
    out.limit = at;
    out.blockers = blockers(cell, sign);
  }
  if (programme_->first_fractional() == programme_->n_cells()) {
    keep_table();
    out.found = std::max(out.found, std::min(wanted, at));
  }
  find_farthest(cell, sign, out);
  return out;
}

// The largest change from `found` to `limit` that a table has.
void ProtectionOracle::find_farthest(std::uint32_t cell, int sign, Way& way) {
  std::int64_t most = way.limit;
  for (std::int64_t by = most; way.found < most; by = way.found + (most - way.found + 1) / 2) {
    const Found found = attain(cell, sign, by);
    way.open = way.open || found == Found::open;
    (found == Found::yes ? way.found : most) = found == Found::yes ? by : by - 1;
  }
}

ProtectionOracle::Found ProtectionOracle::attain(std::uint32_t cell, int sign, std::int64_t by) {
  const std::int64_t low = programme_->lower(cell), high = programme_->upper(cell);
  const std::int64_t end = problem_.value[cell] + sign * by;
  if (end < low || end > high) return Found::no;
  programme_->set_limits(cell, sign > 0 ? end : low, sign > 0 ? high : end);
  Found out = Found::open;
  pivots_left_ = effort_ == OracleEffort::quick ? kQuickPivots : kFullPivots;
  try {
    out = WholeSearch(*programme_).find() ? Found::yes : Found::no;
  } catch (const TooLargeError&) {
  }
  pivots_left_ = SIZE_MAX;
  if (out == Found::open) {
    start();
    return effort_ == OracleEffort::quick ? out : attain_far(cell, sign, by);
  }
  if (out == Found::yes) keep_table();
  programme_->set_limits(cell, low, high);
  return out;
}

// For what branch and bound in the tableau leaves open.
ProtectionOracle::Found ProtectionOracle::attain_far(std::uint32_t cell, int sign,
                                                     std::int64_t by) {
  LinearSystem system = problem_.system;
  for (std::size_t i = 0; i < problem_.n_cells(); ++i)
    if (!free_.has(i)) system.lower[i] = system.upper[i] = problem_.value[i];
  (sign > 0 ? system.lower : system.upper)[cell] = problem_.value[cell] + sign * by;
  if (find_near(system, 4 * by + kNear)) return Found::yes;
  return is_proved_empty(system) ? Found::no : Found::open;
}

// Looks for a table that is not far from the one that there is.
bool ProtectionOracle::find_near(LinearSystem system, std::int64_t far) {
  for (std::size_t i = 0; i < problem_.n_cells(); ++i) {
    system.lower[i] = std::max(system.lower[i], problem_.value[i] - far);
    system.upper[i] = std::min(system.upper[i], problem_.value[i] + far);
  }
  try {
    const std::vector<std::int64_t> nothing(problem_.n_cells(), 0);
    const BestTable near = best_table(system, nothing, kSeconds, [this](double) { check_(); });
    if (near.interrupted) throw WorkTimeUp();
    if (near.values.empty()) return false;
    pool_.add_difference(problem_.value, near.values);
    return true;
  } catch (const InfeasibleError&) {
    return false;
  }
}

bool ProtectionOracle::is_proved_empty(const LinearSystem& system) const {
  BoundsLimits limits;
  limits.seconds = kSeconds;
  try {
    if (integer_bounds(system, {}, limits, [this](double) { check_(); }).interrupted)
      throw WorkTimeUp();
  } catch (const InfeasibleError&) {
    return true;
  } catch (const TooLargeError&) {
  }
  return false;
}

void ProtectionOracle::keep_table() {
  for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = programme_->floor_of(i);
  pool_.add_difference(problem_.value, scratch_);
}

std::vector<std::uint32_t> ProtectionOracle::blockers(std::uint32_t cell, int sign) const {
  std::vector<std::uint32_t> out;
  programme_->each_price(cell, sign, [&](std::size_t i, int price) {
    if (problem_.role[i] != CellRole::candidate || free_.has(i)) return;
    const LinearSystem& system = problem_.system;
    const bool has_room =
        price > 0 ? problem_.value[i] < system.upper[i] : problem_.value[i] > system.lower[i];
    if (has_room) out.push_back(static_cast<std::uint32_t>(i));
  });
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::uint32_t> ProtectionOracle::all_known() const {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < problem_.n_cells(); ++i)
    if (problem_.role[i] == CellRole::candidate && !free_.has(i))
      out.push_back(static_cast<std::uint32_t>(i));
  return out;
}

}  // namespace sdclattice
