#include "suppress/pattern_state.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "base/error.hpp"
#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

// Among moves of equal cost those with few cells are better, and those without cells that a knower
// knows, as they serve against her too. Where costs leave no room for that it does not count.
constexpr std::int64_t kCellTick = 1, kKnownTick = 16;
constexpr std::int64_t kLeastScale = 1 << 10, kLargestScale = 1 << 14;

}  // namespace

template <class Each>
PatternState::CellNumbers::CellNumbers(std::size_t n_cells, Each each) : start(n_cells + 1, 0) {
  std::size_t n = 0;
  each([&](std::uint32_t cell, std::uint32_t) { ++start[cell + std::size_t{1}], ++n; });
  if (n > UINT32_MAX) throw TooLargeError("The cells have more than 2^32 readers.");
  for (std::size_t i = 0; i < n_cells; ++i) start[i + 1] += start[i];
  number.resize(n);
  each([&](std::uint32_t cell, std::uint32_t of) { number[start[cell]++] = of; });
  for (std::size_t i = n_cells; i > 0; --i) start[i] = start[i - 1];
  start[0] = 0;
}

PatternState::Index::Index(const SuppressionProblem& problem)
    : demands(problem.n_cells(),
              [&](auto visit) {
                for (std::uint32_t d = 0; d < problem.demands.size(); ++d)
                  visit(problem.demands[d].cell, d);
              }),
      knowers(problem.n_cells(), [&](auto visit) {
        for (std::uint32_t k = 0; k < problem.knowers.size(); ++k)
          for (const std::uint32_t cell : problem.knowers[k]) visit(cell, k);
      }) {}

PatternState::PatternState(const SuppressionProblem& problem)
    : problem_(problem),
      index_(std::make_shared<const Index>(problem)),
      use_(problem.n_cells(), 0),
      users_(problem.n_cells()),
      through_(problem.demands.size()) {
  std::int64_t total = 0, n_candidates = 0;
  table_.slack.reserve(problem.n_cells());
  for (std::size_t i = 0; i < problem.n_cells(); ++i) {
    const bool counts = problem.role[i] == CellRole::candidate;
    total += counts ? problem.cost[i] : 0;
    n_candidates += counts;
    table_.slack.push_back(problem.value[i] - problem.system.lower[i]);
  }
  while (scale_ < kLargestScale && total < (std::int64_t{1} << 58) / (2 * scale_)) scale_ *= 2;
  usual_price_ = total / std::max<std::int64_t>(1, n_candidates) * scale_ + 1;
  set_prices(false, 0);
}

// ---- forks -------------------------------------------------------------------------------------

PatternState::PatternState(const PatternState& base, AsFork)
    : problem_(base.problem_),
      index_(base.index_),
      base_(&base),
      n_base_(base.changes_.size()),
      table_(base.table_),
      scale_(base.scale_),
      usual_price_(base.usual_price_),
      cost_(base.cost_),
      unrest_(base.unrest_),
      seed_(base.seed_),
      n_alive_(base.n_alive_),
      use_(base.use_),
      users_(base.problem_.n_cells()),
      through_(base.problem_.demands.size()) {
  assert(base.base_ == nullptr);
}

std::unique_ptr<PatternState> PatternState::fork() const {
  return std::unique_ptr<PatternState>(new PatternState(*this, AsFork{}));
}

void PatternState::reset() {
  std::vector<std::uint32_t> demands, cells;
  for (std::uint32_t number = static_cast<std::uint32_t>(n_base_); number < n_numbers(); ++number) {
    if (is_alive(number)) remove(number);
    add_demands_of(number, demands);
    const std::vector<std::uint32_t>& own = change(number).cell;
    cells.insert(cells.end(), own.begin(), own.end());
  }
  for (const std::uint32_t number : gone()) put_back(number);
  users_.clear(cells);
  through_.clear(demands);
  changes_.clear();
}

std::vector<ScaledChange> PatternState::added() const {
  std::vector<ScaledChange> out;
  for (const Entry& own : changes_)
    if (own.is_alive) out.push_back(own.change);
  return out;
}

void PatternState::follow(const std::vector<std::uint32_t>& cells) {
  assert(changes_.empty() && gone_.empty());
  n_base_ = base_->changes_.size();
  n_alive_ = base_->n_alive_;
  cost_ = base_->cost_;
  for (const std::uint32_t cell : cells) {
    use_[cell] = base_->use_[cell];
    allow(cell);
  }
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
  const bool is_known = index_->knowers.begin(cell) != index_->knowers.end(cell);
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
  const auto number = static_cast<std::uint32_t>(n_numbers());
  std::vector<std::uint32_t> touched;
  for (const std::uint32_t cell : change.cell)
    touched.insert(touched.end(), index_->knowers.begin(cell), index_->knowers.end(cell));
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  changes_.emplace_back();
  changes_.back().change = std::move(change);
  changes_.back().touched.assign(touched.begin(), touched.end());  // without room for more
  list(number);
  changes_.back().is_alive = false;
  put_back(number);
  return number;
}

void PatternState::list(std::uint32_t number) {
  for (const std::uint32_t cell : entry(number).change.cell) {
    if (problem_.role[cell] == CellRole::candidate) users_.push_back(cell, number);
    std::for_each(index_->demands.begin(cell), index_->demands.end(cell),
                  [&](std::uint32_t demand) { through_.push_back(demand, number); });
  }
}

void PatternState::put_back(std::uint32_t number) {
  if (number < n_base_)
    gone_.erase(number);
  else
    changes_[number - n_base_].is_alive = true;
  ++n_alive_;
  for (const std::uint32_t cell : change(number).cell) {
    if (use_[cell]++ > 0 || problem_.role[cell] != CellRole::candidate) continue;
    cost_ += problem_.cost[cell];
    allow(cell);
  }
}

void PatternState::remove(std::uint32_t number) {
  if (number < n_base_)
    gone_.insert(number);
  else
    changes_[number - n_base_].is_alive = false;
  --n_alive_;
  for (const std::uint32_t cell : change(number).cell) {
    if (--use_[cell] > 0 || problem_.role[cell] != CellRole::candidate) continue;
    cost_ -= problem_.cost[cell];
    allow(cell);
  }
}

void PatternState::compact() {
  assert(base_ == nullptr);
  const auto dead = [](const Entry& entry) { return !entry.is_alive; };
  changes_.erase(std::remove_if(changes_.begin(), changes_.end(), dead), changes_.end());
  users_.clear();
  through_.clear();
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
  const auto take = [&](std::uint32_t number) {
    if (is_alive(number)) out.push_back(number);
    return true;
  };
  if (base_ != nullptr) base_->users_.each(cell, take);
  users_.each(cell, take);
  return out;
}

void PatternState::add_demands_of(std::uint32_t number, std::vector<std::uint32_t>& out) const {
  for (const std::uint32_t cell : change(number).cell)
    out.insert(out.end(), index_->demands.begin(cell), index_->demands.end(cell));
}

// ---- demands -----------------------------------------------------------------------------------

DemandReach PatternState::reach(const Entry& entry, std::uint32_t cell) const {
  const ScaledChange& change = entry.change;
  const auto at = std::lower_bound(change.cell.begin(), change.cell.end(), cell);
  const std::int64_t by = change.by[static_cast<std::size_t>(at - change.cell.begin())];
  if (by < 0) return {-by * change.minus, -by * change.plus};
  return {by * change.plus, by * change.minus};
}

// The knowers of a change's cells who do not know this one.
std::vector<std::uint32_t> PatternState::ignorant(const Entry& entry, std::uint32_t cell) const {
  std::vector<std::uint32_t> out;
  std::set_difference(entry.touched.begin(), entry.touched.end(), index_->knowers.begin(cell),
                      index_->knowers.end(cell), std::back_inserter(out));
  return out;
}

// The changes through the cell of a demand, until visit(entry) returns false.
template <class Visit>
void PatternState::each_through(std::uint32_t demand, Visit visit) const {
  const auto see = [&](std::uint32_t number) { return !is_alive(number) || visit(entry(number)); };
  if (base_ == nullptr || base_->through_.each(demand, see)) through_.each(demand, see);
}

DemandReach PatternState::joint_reach(std::uint32_t demand,
                                      const std::vector<std::uint32_t>& without) const {
  DemandReach out;
  each_through(demand, [&](const Entry& entry) {
    const bool touches = std::any_of(without.begin(), without.end(), [&](std::uint32_t knower) {
      return std::binary_search(entry.touched.begin(), entry.touched.end(), knower);
    });
    if (touches) return true;
    const DemandReach found = reach(entry, problem_.demands[demand].cell);
    out.up = std::max(out.up, found.up);
    out.down = std::max(out.down, found.down);
    return true;
  });
  return out;
}

// Only a knower who touches every change that meets the demand alone may have it open.
DemandGap PatternState::gap(std::uint32_t number) const {
  const Demand& demand = problem_.demands[number];
  std::vector<std::uint32_t> doubtful, both, all;
  bool any_alone = false;
  each_through(number, [&](const Entry& entry) {
    const std::vector<std::uint32_t> others = ignorant(entry, demand.cell);
    all.insert(all.end(), others.begin(), others.end());
    if (!reach(entry, demand.cell).meets(demand)) return true;
    both.clear();
    std::set_intersection(doubtful.begin(), doubtful.end(), others.begin(), others.end(),
                          std::back_inserter(both));
    doubtful = any_alone ? both : others;
    any_alone = true;
    return !doubtful.empty();
  });
  if (any_alone && doubtful.empty()) return {};
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
    for (const std::uint32_t* d = index_->demands.begin(change.cell[i]);
         d != index_->demands.end(change.cell[i]); ++d) {
      const Demand& demand = problem_.demands[*d];
      const std::int64_t size = change.by[i] < 0 ? -change.by[i] : change.by[i];
      const std::int64_t wanted = std::max({demand.up, demand.down, demand.slide});
      most = std::max(most, (wanted + size - 1) / size);
      one_way = one_way && demand.up == 0 && demand.down == 0 && demand.slide <= size;
    }
  for (std::int64_t times : {std::min(most, change.plus), -std::min(most, change.minus)}) {
    if (times == 0) continue;
    Certificate certificate{change.cell, {}};
    certificate.change.reserve(change.by.size());
    for (const std::int32_t by : change.by) certificate.change.push_back(times * by);
    out.push_back(std::move(certificate));
    if (one_way) return;
  }
}

std::vector<Certificate> PatternState::certificates() const {
  std::vector<Certificate> out;
  for (std::uint32_t number = 0; number < n_numbers(); ++number)
    if (is_alive(number)) write(entry(number), out);
  return out;
}

// What is written is freed at once.
std::vector<Certificate> PatternState::take_certificates() {
  assert(base_ == nullptr);
  users_ = NumberLists(problem_.n_cells());
  through_ = NumberLists(problem_.demands.size());
  std::vector<Certificate> out;
  out.reserve(n_alive_);
  for (Entry& entry : changes_) {
    if (entry.is_alive) write(entry, out);
    entry = Entry();
  }
  changes_.clear();
  std::fill(use_.begin(), use_.end(), 0);
  n_alive_ = 0;
  cost_ = 0;
  set_prices(unrest_, seed_);
  return out;
}

}  // namespace sdclattice
