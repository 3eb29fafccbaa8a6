#include "suppress/pattern_state.hpp"

#include <algorithm>

#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

// Among moves of equal cost those with few cells are better, and those without cells that a knower
// knows, as they serve against her too. Where costs leave no room for that it does not count.
constexpr std::int64_t kCellTick = 1, kKnownTick = 16;
constexpr std::int64_t kLeastScale = 1 << 10, kLargestScale = 1 << 14;

}  // namespace

PatternState::PatternState(const SuppressionProblem& problem)
    : problem_(problem),
      use_(problem.n_cells(), 0),
      users_(problem.n_cells()),
      through_(problem.demands.size()),
      demand_slot_(problem.n_cells(), 0),
      demands_of_cell_(1),
      knowers_at_(problem.n_cells() + 1, 0) {
  std::int64_t total = 0, n_candidates = 0;
  for (std::size_t i = 0; i < problem.n_cells(); ++i) {
    const bool counts = problem.role[i] == CellRole::candidate;
    total += counts ? problem.cost[i] : 0;
    n_candidates += counts;
    table_.slack.push_back(problem.value[i] - problem.system.lower[i]);
  }
  while (scale_ < kLargestScale && total < (std::int64_t{1} << 58) / (2 * scale_)) scale_ *= 2;
  usual_price_ = total / std::max<std::int64_t>(1, n_candidates) * scale_ + 1;
  for (std::uint32_t d = 0; d < problem.demands.size(); ++d) {
    std::uint32_t& slot = demand_slot_[problem.demands[d].cell];
    if (slot == 0) {
      slot = static_cast<std::uint32_t>(demands_of_cell_.size());
      demands_of_cell_.emplace_back();
    }
    demands_of_cell_[slot].push_back(d);
  }
  for (const auto& known : problem.knowers)
    for (const std::uint32_t cell : known) ++knowers_at_[cell + std::size_t{1}];
  for (std::size_t i = 0; i < problem.n_cells(); ++i) knowers_at_[i + 1] += knowers_at_[i];
  knowers_.resize(knowers_at_.back());
  std::vector<std::size_t> next = knowers_at_;
  for (std::uint32_t k = 0; k < problem.knowers.size(); ++k)
    for (const std::uint32_t cell : problem.knowers[k]) knowers_[next[cell]++] = k;
  set_prices(false, 0);
}

// ---- prices ------------------------------------------------------------------------------------

void PatternState::set_prices(bool unrest, std::uint64_t seed) {
  unrest_ = unrest;
  seed_ = seed;
  table_.price.resize(problem_.n_cells());
  for (std::uint32_t cell = 0; cell < problem_.n_cells(); ++cell) allow(cell);
}

std::int64_t PatternState::price_of(std::uint32_t cell) const {
  if (problem_.role[cell] == CellRole::open) return MoveTable::kForbidden;
  const bool is_known = knowers_at_[cell + std::size_t{1}] > knowers_at_[cell];
  const std::int64_t tick = scale_ < kLeastScale ? 0 : is_known ? kKnownTick : kCellTick;
  if (problem_.role[cell] == CellRole::unseen || is_hidden(cell)) return tick;
  const std::int64_t price = problem_.cost[cell] * scale_;
  if (!unrest_) return price + tick;
  const auto share = static_cast<std::int64_t>(hash_word(seed_ ^ cell) >> 56);
  return price + price / 512 * share + tick;
}

// ---- changes -----------------------------------------------------------------------------------

void PatternState::set_range(ScaledChange& change) const {
  change.plus = change.minus = kMaxRange;
  for (std::size_t i = 0; i < change.cell.size(); ++i) {
    const std::uint32_t cell = change.cell[i];
    const std::int64_t by = change.by[i], size = by < 0 ? -by : by;
    const std::int64_t fall = table_.slack[cell] / size;
    const std::int64_t rise = (problem_.system.upper[cell] - problem_.value[cell]) / size;
    change.plus = std::min(change.plus, by < 0 ? fall : rise);
    change.minus = std::min(change.minus, by < 0 ? rise : fall);
  }
}

std::uint32_t PatternState::add(ScaledChange change) {
  const auto number = static_cast<std::uint32_t>(changes_.size());
  changes_.emplace_back();
  Entry& entry = changes_.back();
  entry.change = std::move(change);
  for (const std::uint32_t cell : entry.change.cell)
    entry.touched.insert(entry.touched.end(),
                         knowers_.begin() + static_cast<std::ptrdiff_t>(knowers_at_[cell]),
                         knowers_.begin() + static_cast<std::ptrdiff_t>(knowers_at_[cell + 1]));
  std::sort(entry.touched.begin(), entry.touched.end());
  entry.touched.erase(std::unique(entry.touched.begin(), entry.touched.end()), entry.touched.end());
  list(number);
  entry.is_alive = false;
  put_back(number);
  return number;
}

void PatternState::list(std::uint32_t number) {
  for (const std::uint32_t cell : changes_[number].change.cell) {
    if (problem_.role[cell] == CellRole::candidate) users_[cell].push_back(number);
    for (const std::uint32_t demand : demands_of(cell)) through_[demand].push_back(number);
  }
}

void PatternState::put_back(std::uint32_t number) {
  changes_[number].is_alive = true;
  ++n_alive_;
  for (const std::uint32_t cell : changes_[number].change.cell) {
    if (use_[cell]++ > 0 || problem_.role[cell] != CellRole::candidate) continue;
    cost_ += problem_.cost[cell];
    allow(cell);
  }
}

void PatternState::remove(std::uint32_t number) {
  changes_[number].is_alive = false;
  --n_alive_;
  for (const std::uint32_t cell : changes_[number].change.cell) {
    if (--use_[cell] > 0 || problem_.role[cell] != CellRole::candidate) continue;
    cost_ -= problem_.cost[cell];
    allow(cell);
  }
}

void PatternState::compact() {
  std::vector<Entry> kept;
  for (Entry& entry : changes_)
    if (entry.is_alive) kept.push_back(std::move(entry));
  changes_ = std::move(kept);
  for (auto& list : users_) list.clear();
  for (auto& list : through_) list.clear();
  for (std::uint32_t number = 0; number < changes_.size(); ++number) list(number);
}

std::vector<std::uint32_t> PatternState::secondary() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t cell = 0; cell < problem_.n_cells(); ++cell)
    if (problem_.role[cell] == CellRole::candidate && use_[cell] > 0) out.push_back(cell);
  return out;
}

std::vector<std::uint32_t> PatternState::users(std::uint32_t cell) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t number : users_[cell])
    if (changes_[number].is_alive) out.push_back(number);
  return out;
}

void PatternState::add_demands_of(std::uint32_t change, std::vector<std::uint32_t>& out) const {
  for (const std::uint32_t cell : changes_[change].change.cell)
    out.insert(out.end(), demands_of(cell).begin(), demands_of(cell).end());
}

// ---- demands -----------------------------------------------------------------------------------

DemandReach PatternState::reach(const Entry& entry, std::uint32_t cell) const {
  const ScaledChange& change = entry.change;
  const auto at = std::lower_bound(change.cell.begin(), change.cell.end(), cell);
  const std::int64_t by = change.by[static_cast<std::size_t>(at - change.cell.begin())];
  if (by < 0) return {-by * change.minus, -by * change.plus};
  return {by * change.plus, by * change.minus};
}

bool PatternState::knows(std::uint32_t knower, std::uint32_t cell) const {
  const auto from = knowers_.begin() + static_cast<std::ptrdiff_t>(knowers_at_[cell]);
  const auto to =
      knowers_.begin() + static_cast<std::ptrdiff_t>(knowers_at_[cell + std::size_t{1}]);
  return std::binary_search(from, to, knower);
}

// The knowers of a change's cells who do not know this one.
std::vector<std::uint32_t> PatternState::ignorant(const Entry& entry, std::uint32_t cell) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t knower : entry.touched)
    if (!knows(knower, cell)) out.push_back(knower);
  return out;
}

DemandReach PatternState::joint_reach(std::uint32_t demand,
                                      const std::vector<std::uint32_t>& without) const {
  DemandReach out;
  for (const std::uint32_t number : through_[demand]) {
    const Entry& entry = changes_[number];
    if (!entry.is_alive) continue;
    const bool touches = std::any_of(without.begin(), without.end(), [&](std::uint32_t knower) {
      return std::binary_search(entry.touched.begin(), entry.touched.end(), knower);
    });
    if (touches) continue;
    const DemandReach found = reach(entry, problem_.demands[demand].cell);
    out.up = std::max(out.up, found.up);
    out.down = std::max(out.down, found.down);
  }
  return out;
}

// Only a knower who touches every change that meets the demand alone may have it open.
DemandGap PatternState::gap(std::uint32_t number) const {
  const Demand& demand = problem_.demands[number];
  std::vector<std::uint32_t> doubtful, both, all;
  bool any_alone = false;
  for (const std::uint32_t through : through_[number]) {
    const Entry& entry = changes_[through];
    if (!entry.is_alive) continue;
    const std::vector<std::uint32_t> others = ignorant(entry, demand.cell);
    all.insert(all.end(), others.begin(), others.end());
    if (!reach(entry, demand.cell).meets(demand)) continue;
    both.clear();
    std::set_intersection(doubtful.begin(), doubtful.end(), others.begin(), others.end(),
                          std::back_inserter(both));
    doubtful = any_alone ? both : others;
    any_alone = true;
    if (doubtful.empty()) return {};
  }
  DemandGap out;
  if (!any_alone) {
    out.is_open = !joint_reach(number, {}).meets(demand);
    if (out.is_open) return out;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    doubtful = std::move(all);
  }
  for (const std::uint32_t knower : doubtful)
    if (!joint_reach(number, {knower}).meets(demand)) out.knowers.push_back(knower);
  out.is_open = !out.knowers.empty();
  return out;
}

// ---- certificates ------------------------------------------------------------------------------

// The multiples that its demands ask for.
void PatternState::write(const Entry& entry, std::vector<Certificate>& out) const {
  const ScaledChange& change = entry.change;
  std::int64_t most = 1;
  bool one_way = true;
  for (std::size_t i = 0; i < change.cell.size(); ++i)
    for (const std::uint32_t d : demands_of(change.cell[i])) {
      const Demand& demand = problem_.demands[d];
      const std::int64_t size = change.by[i] < 0 ? -change.by[i] : change.by[i];
      const std::int64_t wanted = std::max({demand.up, demand.down, demand.slide});
      most = std::max(most, (wanted + size - 1) / size);
      one_way = one_way && demand.up == 0 && demand.down == 0 && demand.slide <= size;
    }
  for (std::int64_t times : {std::min(most, change.plus), -std::min(most, change.minus)}) {
    if (times == 0) continue;
    Certificate certificate{change.cell, {}};
    for (const std::int32_t by : change.by) certificate.change.push_back(times * by);
    out.push_back(std::move(certificate));
    if (one_way) return;
  }
}

std::vector<Certificate> PatternState::certificates() const {
  std::vector<Certificate> out;
  for (const Entry& entry : changes_)
    if (entry.is_alive) write(entry, out);
  return out;
}

}  // namespace sdclattice
