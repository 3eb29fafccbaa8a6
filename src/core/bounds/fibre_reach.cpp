#include "bounds/fibre_reach.hpp"

#include <algorithm>
#include <utility>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "linear/integer_bounds.hpp"
#include "sets/sub_tables.hpp"

namespace sdclattice {

namespace {

constexpr std::uint32_t kFixedCell = UINT32_MAX;
// Choices upon choices of a search; each takes a frame of the stack.
constexpr std::size_t kDeepestChoice = 2000;
// Cells up to which the search over values of integer_bounds() is asked as a last resort.
constexpr std::size_t kMostFallBack = 5000;
constexpr std::size_t kMostFailed = 3;  // times in vain
// Cells up to which the exact tableau comes before the search for sparse systems.
constexpr std::size_t kTableauCells = 150;
// Cells up to which a programme is quicker than a walk with debts.
constexpr std::size_t kQuickCells = 400;
// Entries of the equations that are laid out.
constexpr std::size_t kMostEntries = 50000000;

// The equations of the margins over the cells that none of them shows to be zero.
LinearSystem margin_equations(const PartTable& table, const std::vector<SubTable>& frontier,
                              std::vector<std::size_t>& cells) {
  std::vector<std::vector<std::int64_t>> margins;
  for (SubTable set : frontier) margins.push_back(table.margin(set));
  std::vector<std::vector<std::vector<std::uint32_t>>> rows;
  for (const auto& margin : margins) rows.emplace_back(margin.size());
  LinearSystem out;
  for (std::size_t cell = 0; cell < table.counts().size(); ++cell) {
    poll_at(16 * cell);
    std::int64_t upper = kNoLimit;
    std::vector<std::size_t> places;
    for (std::size_t m = 0; m < margins.size() && upper > 0; ++m) {
      places.push_back(table.place_in(frontier[m], cell));
      upper = std::min(upper, margins[m][places[m]]);
    }
    if (upper == 0) continue;
    for (std::size_t m = 0; m < margins.size(); ++m)
      rows[m][places[m]].push_back(static_cast<std::uint32_t>(cells.size()));
    cells.push_back(cell);
    out.lower.push_back(0);
    out.upper.push_back(upper);
  }
  for (std::size_t m = 0; m < margins.size(); ++m)
    for (std::size_t place = 0; place < margins[m].size(); ++place) {
      if (rows[m][place].empty()) continue;
      out.cell.insert(out.cell.end(), rows[m][place].begin(), rows[m][place].end());
      out.start.push_back(out.cell.size());
      out.row_lower.push_back(margins[m][place]);
      out.row_upper.push_back(margins[m][place]);
    }
  out.coefficient.assign(out.cell.size(), 1);
  return out;
}

}  // namespace

FibreReach::FibreReach(const PartTable& table, std::vector<SubTable> frontier,
                       const ReachLimits& limits, WorkClock& clock)
    : table_(table),
      frontier_(std::move(frontier)),
      limits_(limits),
      clock_(clock),
      reach_(table.asked().size()),
      walked_(table.asked().size(), 0) {
  for (std::size_t k = 0; k < reach_.size(); ++k) {
    reach_[k].upper = kAnyWidth;
    reach_[k].least = reach_[k].most = table.counts()[table.asked()[k]];
  }
  for (SubTable set : frontier_) {
    const std::vector<std::int64_t> values = table.margin_at_asked(set);
    for (std::size_t k = 0; k < reach_.size(); ++k)
      reach_[k].upper = std::min(reach_[k].upper, values[k]);
  }
}

FibreReach::~FibreReach() = default;

void FibreReach::add_outer(std::size_t k, std::int64_t lower, std::int64_t upper) {
  reach_[k].lower = std::max(reach_[k].lower, lower);
  reach_[k].upper = std::min(reach_[k].upper, upper);
}

void FibreReach::add_attained(std::size_t k, std::int64_t least, std::int64_t most) {
  reach_[k].least = std::min(reach_[k].least, least);
  reach_[k].most = std::max(reach_[k].most, most);
}

void FibreReach::record(const std::vector<CountChange>& changes) {
  if (on_table) on_table(changes);
  const std::vector<std::size_t>& asked = table_.asked();
  for (const CountChange& change : changes) {
    const auto at = std::lower_bound(asked.begin(), asked.end(), change.cell);
    if (at == asked.end() || *at != change.cell) continue;
    const std::int64_t value = table_.counts()[change.cell] + change.by;
    add_attained(static_cast<std::size_t>(at - asked.begin()), value, value);
  }
}

bool FibreReach::settle(std::size_t k, std::int64_t target, bool programmes) {
  const CellReach& reach = reach_[k];
  if (reach.decided(target)) return true;
  walk(k, target);
  if (reach.decided(target)) return true;
  if (!limits_.programmes || !programmes) return false;
  if (system_ == nullptr && !too_large_) narrow();
  if (reach.decided(target)) return true;
  if (system_ != nullptr && settle_whole(k, target)) return true;
  return fall_back(k, target);
}

// The exact tableau where it is small, or where nothing else decides.
bool FibreReach::settle_whole(std::size_t k, std::int64_t target) {
  const bool small = system_->n_cells() <= kTableauCells;
  if (!small && search_sparse(k, target)) return true;
  if (!no_tableau_ && solve(k, target)) return true;
  return small && search_sparse(k, target);
}

// ---- walks --------------------------------------------------------------------------------------

void FibreReach::prepare_walks() {
  std::vector<VariableSet> faces;
  for (SubTable set : frontier_) faces.push_back(as_set(set));
  std::vector<SubTable> non_faces;
  try {
    for (const VariableSet& set :
         minimal_outside(table_.n_variables(), faces, limits_.max_non_faces, clock_.tick()))
      non_faces.push_back(as_mask(set));
  } catch (const TooLargeError&) {
    non_faces.clear();
  }
  moves_.emplace(table_, std::move(non_faces), limits_.max_choices);
}

// Once for each cell, and again when more is asked after all that was asked was found.
void FibreReach::walk(std::size_t k, std::int64_t target) {
  const std::int64_t enough = std::min(target, reach_[k].outer());
  if (walked_[k] >= enough || (walked_[k] > 0 && reach_[k].attained() < walked_[k])) return;
  walked_[k] = enough;
  clock_.check();
  if (!moves_) prepare_walks();
  const std::size_t cell = table_.asked()[k];
  const std::int64_t own = table_.counts()[cell];
  const bool quick = limits_.programmes && !too_large_ && table_.counts().size() <= kQuickCells;
  const bool debts = limits_.debts && !quick;
  record(moves_->walk(cell, -1, std::min(enough, own - reach_[k].lower), debts));
  const std::int64_t rest = enough - (own - reach_[k].least);
  if (!reach_[k].decided(target)) record(moves_->walk(cell, 1, rest, debts));
}

// ---- programmes ---------------------------------------------------------------------------------

// The equations, and what they say of the limits by themselves.
void FibreReach::narrow() {
  if (table_.counts().size() * frontier_.size() > kMostEntries) {
    too_large_ = true;
    return;
  }
  std::vector<std::size_t> cells;
  LinearSystem whole = margin_equations(table_, frontier_, cells);
  too_large_ = cells.size() > limits_.max_programme_cells;
  if (!tighten(whole, clock_.tick())) throw InfeasibleError("No table has these margins.");
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < whole.n_cells(); ++i)
    if (!whole.is_fixed(i)) open.push_back(i);
  in_system_.assign(reach_.size(), kFixedCell);
  for (std::size_t k = 0; k < reach_.size(); ++k) {
    const auto at = std::lower_bound(cells.begin(), cells.end(), table_.asked()[k]);
    const auto i = static_cast<std::uint32_t>(at - cells.begin());
    add_outer(k, whole.lower[i], whole.upper[i]);
    const auto found = std::lower_bound(open.begin(), open.end(), i);
    if (found != open.end() && *found == i)
      in_system_[k] = static_cast<std::uint32_t>(found - open.begin());
  }
  if (too_large_) return;
  for (std::uint32_t i : open) cells_.push_back(cells[i]);
  system_ = std::make_unique<LinearSystem>(std::move(split(whole, {open}).front()));
}

void FibreReach::start_programme() {
  if (simplex_ != nullptr) return;
  simplex_ =
      std::make_unique<ExactSimplex>(*system_, limits_.max_entries, [this] { clock_.check(); });
}

// First the two programmes without whole numbers, then the ends of what is open, one after the
// other: each is attained by some table, or the interval shrinks.
bool FibreReach::solve(std::size_t k, std::int64_t target) {
  const CellReach& reach = reach_[k];
  try {
    start_programme();
    for (const int sign : {1, -1})
      if (!reach.decided(target)) relax(k, sign);
    for (int sign = 1; !reach.decided(target); sign = -sign) try_end(k, sign);
  } catch (const TooLargeError&) {
    simplex_.reset();
    no_tableau_ = true;
    return false;
  }
  return true;
}

void FibreReach::relax(std::size_t k, int sign) {
  CellReach& reach = reach_[k];
  const std::size_t i = in_system_[k];
  ++n_programmes_;
  simplex_->restore();
  if (!simplex_->climb(i, sign)) return;
  const std::int64_t floor = simplex_->floor_of(i);
  if (sign > 0)
    reach.upper = std::min(reach.upper, floor);
  else
    reach.lower = std::max(reach.lower, floor + !simplex_->is_whole(i));
  record_if_whole();
}

void FibreReach::try_end(std::size_t k, int sign) {
  CellReach& reach = reach_[k];
  if (sign > 0 ? reach.most == reach.upper : reach.least == reach.lower) return;
  const std::size_t i = in_system_[k];
  const std::int64_t end = sign > 0 ? reach.upper : reach.lower;
  ++n_programmes_;
  simplex_->set_limits(i, end, end);
  const bool found = search();
  if (!found) (sign > 0 ? reach.upper : reach.lower) -= sign;
  simplex_->set_limits(i, reach.lower, reach.upper);
}

// Whether there is a table within the limits: depth first, each time into the nearer half.
bool FibreReach::search() {
  if (!simplex_->restore()) return false;
  if (record_if_whole()) return true;
  if (depth_ >= kDeepestChoice) {
    depth_ = 0;
    throw TooLargeError("The search makes too many choices at a time.");
  }
  ++depth_;
  const std::size_t v = simplex_->first_fractional();
  const std::int64_t low = simplex_->lower(v), high = simplex_->upper(v);
  const std::int64_t floor = simplex_->floor_of(v);
  const WideInt rest =
      simplex_->numerator(v) - static_cast<WideInt>(floor) * simplex_->denominator();
  const bool up_first = 2 * rest > simplex_->denominator();
  bool found = false;
  for (const bool up : {up_first, !up_first}) {
    simplex_->set_limits(v, up ? floor + 1 : low, up ? high : floor);
    found = search();
    simplex_->set_limits(v, low, high);
    if (found) break;
  }
  --depth_;
  return found;
}

bool FibreReach::record_if_whole() {
  if (simplex_->first_fractional() < simplex_->n_cells()) return false;
  std::vector<CountChange> changes;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const auto value = static_cast<std::int64_t>(simplex_->numerator(i) / simplex_->denominator());
    if (value != table_.counts()[cells_[i]])
      changes.push_back({cells_[i], value - table_.counts()[cells_[i]]});
  }
  record(changes);
  return true;
}

// ---- sparse systems -----------------------------------------------------------------------------

std::vector<std::int64_t> FibreReach::own_counts() const {
  std::vector<std::int64_t> out;
  for (std::size_t cell : cells_) out.push_back(table_.counts()[cell]);
  return out;
}

// Both ends by what is quick, then by more and more.
bool FibreReach::search_sparse(std::size_t k, std::int64_t target) {
  const CellReach& reach = reach_[k];
  const std::uint32_t i = in_system_[k];
  if (sparse_ == nullptr) {
    sparse_ = std::make_unique<TableReach>(*system_, own_counts(), clock_);
  }
  for (const SearchLevel level : kSearchLevels)
    for (const int sign : {1, -1}) {
      if (level == SearchLevel::complete) break;
      if (reach.decided(target)) return true;
      poll();
      sparse_->close(i, sign, level);
      const TableReach::Ends ends = sparse_->ends(i);
      add_outer(k, ends.lower, ends.upper);
      take_table(sparse_->table(i, sign));
    }
  return reach.decided(target);
}

// A table as changes of the true one.
void FibreReach::take_table(const std::vector<std::int64_t>& values) {
  std::vector<CountChange> changes;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::int64_t by = values[i] - table_.counts()[cells_[i]];
    if (by != 0) changes.push_back({cells_[i], by});
  }
  if (!changes.empty()) record(changes);
}

// Where nothing of this decides: the search for the bounds of a single cell.
bool FibreReach::fall_back(std::size_t k, std::int64_t target) {
  gave_up_ = true;
  if (system_ == nullptr || system_->n_cells() > kMostFallBack || n_failed_ >= kMostFailed)
    return false;
  BoundsLimits limits;
  limits.seconds = clock_.seconds_left() / 10;
  limits.max_entries = limits_.max_entries;
  limits.enough = target;
  const std::uint32_t i = in_system_[k];
  const IntegerBounds found = integer_bounds(*system_, {i}, limits, clock_.tick(), own_counts());
  add_outer(k, found.lower[i], found.upper[i]);
  if (found.least[i] <= found.most[i]) add_attained(k, found.least[i], found.most[i]);
  if (!reach_[k].decided(target)) {
    ++n_failed_;
    return false;
  }
  gave_up_ = false;
  return true;
}

}  // namespace sdclattice
