#include "linear/sparse_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "linear/dive.hpp"
#include "linear/endless.hpp"
#include "linear/inner_point.hpp"
#include "linear/safe_bound.hpp"

namespace sdclattice {

namespace {

// Ends that are looked at before a dive; the open ones are tried.
constexpr std::size_t kWishes = 300;
constexpr std::size_t kTables = 40;  // of the pool
constexpr std::size_t kNews = 40;
// Rows up to which neighbourhoods do not pay: a step on all of them costs little more.
constexpr std::size_t kRowsAtOnce = 100000;
constexpr std::size_t kNearRows = 150;  // of the first neighbourhood
constexpr std::size_t kStepsOfClimb = 20000;
constexpr std::size_t kVertices = 8;        // whose mean is a start
constexpr std::size_t kRoundings = 10;      // of that mean
constexpr std::size_t kRoundsInside = 300;  // of the way to a point inside
constexpr std::size_t kCellsAWitness = 10;
constexpr double kNearRow = .01;      // of a row's sum, where that way ends
constexpr std::size_t kVisits = 300;  // of rows, after an end was narrowed

std::size_t nodes_of(SearchLevel level) {
  if (level == SearchLevel::complete) return SIZE_MAX;
  return level == SearchLevel::dives ? 1000 : 60;
}

// Twice as many in each round.
std::size_t nodes_of_round(std::size_t round) {
  return std::size_t{200} << round;
}

}  // namespace

SparseSearch::SparseSearch(const LinearSystem& part, const LinearSystem& implied, Knowledge& known,
                           Effort& effort, WorkClock& watch)
    : system_(part),
      implied_(implied),
      known_(known),
      effort_(effort),
      watch_(watch),
      rows_(system_),
      implied_rows_(implied_),
      neighbourhoods_(system_, rows_),
      walk_(system_),
      pool_(part.n_cells(), kTables) {}

// ---- what is asked -----------------------------------------------------------------------------

std::int64_t SparseSearch::proved(const Question& q) const {
  return q.sign > 0 ? known_.upper[q.cell] : -known_.lower[q.cell];
}

std::int64_t SparseSearch::attained(const Question& q) const {
  return q.sign > 0 ? known_.most[q.cell] : -known_.least[q.cell];
}

bool SparseSearch::settled(const Question& q) const {
  if (q.sign > 0 && known_.endless[q.cell]) return true;
  if (known_.n_witnesses > 0 && attained(q) >= std::min(proved(q), q.target)) return true;
  return q.target < kNoLimit && proved(q) < q.target;
}

// The value to try: the last one that is not excluded, in the direction of sign.
std::int64_t SparseSearch::aim(const Question& q) const {
  return std::min(proved(q), q.target);
}

PublicRandom SparseSearch::stream(const Question& q) {
  return PublicRandom(2 * static_cast<std::uint64_t>(q.cell) + (q.sign > 0 ? 1 : 0));
}

void SparseSearch::close(std::uint32_t cell, int sign, SearchLevel level) {
  const Question q{cell, sign, kNoLimit};
  if (!settled(q)) work(q, level);
}

Reach SparseSearch::reaches(std::uint32_t cell, int sign, std::int64_t target, SearchLevel last) {
  const Question q{cell, sign, sign * target};
  for (int level = 0; level <= static_cast<int>(last) && !settled(q); ++level)
    work(q, static_cast<SearchLevel>(level));
  if (q.sign > 0 && known_.endless[cell]) return Reach::yes;
  if (known_.n_witnesses > 0 && attained(q) >= q.target) return Reach::yes;
  return proved(q) < q.target ? Reach::no : Reach::unsure;
}

void SparseSearch::work(const Question& q, SearchLevel level) {
  watch_.check();
  PublicRandom random = stream(q);
  if (level == SearchLevel::walks && q.sign > 0 && grows_without_end(system_, q.cell, watch_)) {
    known_.endless[q.cell] = true;
    return;
  }
  const bool small = system_.n_rows() <= kRowsAtOnce;
  switch (level) {
    case SearchLevel::walks:
      walk(q, 3, random);
      break;
    case SearchLevel::near:
      if (small) {
        bound_whole(q, random);
      } else {
        bound_near(q, kNearRows);
        walk(q, 8, random);
      }
      break;
    case SearchLevel::wide:
      if (small) break;
      bound_near(q, 3 * kNearRows);
      walk(q, 4, random);
      if (!settled(q)) bound_near(q, 10 * kNearRows);
      walk(q, 4, random);
      break;
    case SearchLevel::whole:
      if (!small) bound_whole(q, random);
      walk(q, 4, random);
      dive_for(q, nodes_of(level), random);
      break;
    case SearchLevel::dives:
      dive_for(q, nodes_of(level), random);
      break;
    case SearchLevel::complete:
      for (std::size_t round = 0; round < kRounds && !settled(q); ++round) dive_anew(q, round);
      break;
  }
}

// ---- from inside -------------------------------------------------------------------------------

// In turn to the end and to the next value that is not attained; what succeeds is not counted.
void SparseSearch::walk(const Question& q, std::size_t tries, PublicRandom& random) {
  for (std::size_t failed = 0; failed < tries && has_table() && !settled(q);) {
    const std::int64_t goal = failed % 2 == 0 ? aim(q) : attained(q) + 1;
    if (proved(q) >= kNoLimit) return;
    std::vector<std::int64_t> x = pool_[pool_.best(q.cell, q.sign)];
    const bool found = walk_.move(x, q.cell, q.sign * goal, system_.lower, system_.upper, random) &&
                       record_changes(x);
    if (!found) ++failed;
    watch_.check();
  }
}

bool SparseSearch::meets_implied(const std::vector<std::int64_t>& x, std::uint32_t cell) const {
  for (std::size_t k = implied_rows_.at[cell]; k < implied_rows_.at[cell + 1]; ++k) {
    const std::uint32_t r = implied_rows_.row[k];
    WideInt sum = 0;
    for (std::size_t e = implied_.start[r]; e < implied_.start[r + 1]; ++e)
      sum += wide_product(implied_.coefficient[e], x[implied_.cell[e]]);
    if (sum < implied_.row_lower[r] || sum > implied_.row_upper[r]) return false;
  }
  return true;
}

// A table that the walk reached from another one.
bool SparseSearch::record_changes(const std::vector<std::int64_t>& x) {
  for (const RepairWalk::Change& change : walk_.changes())
    if (!meets_implied(x, change.cell)) return false;
  ++known_.n_witnesses;
  bool is_news = false;
  for (const RepairWalk::Change& change : walk_.changes())
    is_news = known_.attain(change.cell, x[change.cell]) || is_news;
  add_table(x, is_news);
  return true;
}

void SparseSearch::add_table(const std::vector<std::int64_t>& x, bool is_news) {
  pool_.add(x);
  if (!is_news) return;
  news_.push_back(x);
  if (news_.size() > kNews) news_.pop_front();
}

std::vector<std::vector<std::int64_t>> SparseSearch::give_news() {
  std::vector<std::vector<std::int64_t>> out(std::make_move_iterator(news_.begin()),
                                             std::make_move_iterator(news_.end()));
  news_.clear();
  return out;
}

void SparseSearch::learn(const Knowledge& all) {
  known_ = all;
  for (std::uint32_t i = 0; i < system_.n_cells(); ++i) {
    if (system_.lower[i] == all.lower[i] && system_.upper[i] == all.upper[i]) continue;
    system_.lower[i] = all.lower[i];
    system_.upper[i] = all.upper[i];
    if (programme_) narrowed_.push_back(i);
  }
}

bool SparseSearch::record(const std::vector<std::int64_t>& x) {
  if (!satisfies(system_, x)) return false;
  for (std::uint32_t i = 0; i < x.size(); ++i)
    if (!meets_implied(x, i)) return false;
  ++known_.n_witnesses;
  bool is_news = false;
  for (std::size_t i = 0; i < x.size(); ++i) is_news = known_.attain(i, x[i]) || is_news;
  add_table(x, is_news);
  return true;
}

void SparseSearch::dive_for(const Question& q, std::size_t nodes, PublicRandom& random) {
  while (!settled(q) && aim(q) < kNoLimit) {
    const std::int64_t goal = q.sign * aim(q);
    std::vector<std::int64_t> lower = system_.lower, upper = system_.upper, x;
    if (has_table()) x = pool_[pool_.best(q.cell, q.sign)];
    refresh_limits();
    (q.sign > 0 ? lower : upper)[q.cell] = goal;
    DiveLimits limits;
    limits.nodes = nodes;
    std::size_t used = 0;
    if (!shared_) shared_ = std::make_unique<SharedDive>(system_, programme(), walk_);
    const DiveEnd end = shared_->run(lower, upper, wishes(random), random, limits, x, &used);
    effort_.branches += used;
    if (end == DiveEnd::unknown) return;
    if (end == DiveEnd::empty) narrow(q, aim(q) - 1);
    if (end == DiveEnd::found && !record(x)) return;
  }
}

void SparseSearch::dive_anew(const Question& q, std::size_t round) {
  watch_.check();
  PublicRandom random(2 * static_cast<std::uint64_t>(q.cell) + (q.sign > 0 ? 1 : 0) +
                      (static_cast<std::uint64_t>(round + 1) << 40));
  dive_for(q, nodes_of_round(round), random);
}

void SparseSearch::close_in_round(std::uint32_t cell, int sign, std::size_t round) {
  const Question q{cell, sign, kNoLimit};
  if (!settled(q) && aim(q) < kNoLimit) dive_anew(q, round);
}

// Some of the other ends that are open, at what is proved of them.
std::vector<Wish> SparseSearch::wishes(PublicRandom& random) const {
  std::vector<Wish> out;
  for (std::size_t k = 0; k < kWishes && has_table() && !wanted_.empty(); ++k) {
    const std::uint32_t i = wanted_[random.below(wanted_.size())];
    const int sign = random.below(2) == 0 ? 1 : -1;
    const std::int64_t value = sign > 0 ? known_.upper[i] : known_.lower[i];
    if (known_.open(i, sign) && value < kNoLimit) out.push_back({i, value});
  }
  return out;
}

// ---- from outside ------------------------------------------------------------------------------

void SparseSearch::narrow(const Question& q, std::int64_t bound) {
  if (bound >= proved(q)) return;
  assert(known_.n_witnesses == 0 || bound >= attained(q));
  (q.sign > 0 ? system_.upper : system_.lower)[q.cell] = q.sign * bound;
  std::vector<std::uint32_t> narrowed{q.cell};
  if (system_.lower[q.cell] > system_.upper[q.cell] ||
      !tighten_from(system_, rows_, narrowed, kVisits))
    throw InfeasibleError(kNoTable);
  for (std::uint32_t i : narrowed) {
    known_.lower[i] = system_.lower[i];
    known_.upper[i] = system_.upper[i];
  }
  if (programme_) narrowed_.insert(narrowed_.end(), narrowed.begin(), narrowed.end());
}

void SparseSearch::bound_near(const Question& q, std::size_t most_rows) {
  if (settled(q)) return;
  ++effort_.programmes;
  const Neighbourhood near = neighbourhoods_.around(q.cell, most_rows);
  SparseSimplex programme(near.system, q.cell, [this] { watch_.check(); });
  if (has_table())
    programme.load(near.pick(pool_[pool_.best(q.cell, q.sign)]));
  else if (!programme.restore(kStepsOfClimb))
    return;
  programme.climb(0, q.sign, kStepsOfClimb);
  narrow(q, safe_bound(near.system, near.system.lower, near.system.upper, 0, q.sign,
                       programme.duals()));
}

// A known table saves the way to a first point within all limits.
SparseSimplex& SparseSearch::programme() {
  if (programme_) return *programme_;
  programme_ = std::make_unique<SparseSimplex>(system_, 0, [this] { watch_.check(); });
  if (has_table()) programme_->load(pool_[0]);
  return *programme_;
}

// Every known table lies within the proved limits, so that none of them cuts off what is loaded.
void SparseSearch::refresh_limits() {
  SparseSimplex& simplex = programme();
  for (std::uint32_t i : narrowed_) simplex.set_limits(i, system_.lower[i], system_.upper[i]);
  narrowed_.clear();
}

// Whether a known table is a better start than where the programme stands. Where walks find few
// tables, none of them is near the end that is sought, and the last vertex serves as well.
bool SparseSearch::is_ahead(const Question& q) {
  if (!has_table() || known_.n_witnesses * kCellsAWitness < system_.n_cells()) return false;
  return static_cast<double>(attained(q)) > q.sign * programme().value(q.cell);
}

void SparseSearch::bound_whole(const Question& q, PublicRandom& random) {
  if (settled(q)) return;
  ++effort_.programmes;
  SparseSimplex& simplex = programme();
  if (is_ahead(q)) simplex.load(pool_[pool_.best(q.cell, q.sign)]);
  refresh_limits();
  if (!simplex.restore(kStepsOfClimb)) return;
  simplex.climb(q.cell, q.sign, kStepsOfClimb);
  narrow(q, safe_bound(system_, system_.lower, system_.upper, q.cell, q.sign, simplex.duals()));
  std::vector<std::int64_t> x = simplex.rounded();
  if (record(x)) return;
  if (settled(q) || aim(q) >= kNoLimit) return;
  x[q.cell] = q.sign * aim(q);
  if (walk_.repair(x, {q.cell}, system_.lower, system_.upper, random)) record(x);
}

// ---- the first table ---------------------------------------------------------------------------

bool SparseSearch::start(const std::vector<std::int64_t>& truth, SearchLevel level) {
  if (truth.size() == system_.n_cells() && record(truth)) return true;
  return has_table() || first_table(level);
}

// From inside of what the rows allow, where most cells have room on either side: a point of it, or
// the mean of some vertices, rounded at random and repaired.
bool SparseSearch::table_from_point(PublicRandom& random) {
  const auto check = [this](double) { watch_.check(); };
  return round_and_repair(inner_point(system_, kNearRow, kRoundsInside, check), random);
}

bool SparseSearch::table_from_vertices(PublicRandom& random) {
  if (!programme().restore()) return false;
  const std::size_t n = system_.n_cells();
  std::vector<double> mean(n, 0.0);
  std::vector<SparseSimplex::Term> objective(n);
  for (std::size_t k = 0; k < kVertices; ++k) {
    for (std::uint32_t i = 0; i < n; ++i) objective[i] = {i, random.uniform() - .5};
    if (programme().climb(objective, kStepsOfClimb) == ClimbEnd::endless) return false;
    for (std::uint32_t i = 0; i < n; ++i) mean[i] += programme().value(i) / kVertices;
  }
  return round_and_repair(mean, random);
}

bool SparseSearch::round_and_repair(const std::vector<double>& point, PublicRandom& random) {
  const std::size_t n = point.size();
  std::vector<std::int64_t> x(n);
  for (std::size_t k = 0; k < kRoundings; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      x[i] = static_cast<std::int64_t>(std::floor(point[i] + random.uniform()));
    if (walk_.repair(x, {}, system_.lower, system_.upper, random, 20 * n) && record(x)) return true;
    watch_.check();
  }
  return false;
}

bool SparseSearch::first_table(SearchLevel level) {
  ++effort_.programmes;
  PublicRandom random(static_cast<std::uint64_t>(level));
  if (table_from_point(random)) return true;
  if (!programme().restore()) {
    if (proves_empty(system_, system_.lower, system_.upper, programme().duals()))
      throw InfeasibleError(kNoTable);
    return false;
  }
  if (record(programme().rounded())) return true;
  if (dive_for_table(nodes_of(SearchLevel::walks), random) || table_from_vertices(random))
    return true;
  if (level != SearchLevel::complete) return dive_for_table(nodes_of(level), random);
  for (std::size_t round = 0; round < kRounds; ++round)
    if (dive_for_table(nodes_of_round(round), random)) return true;
  return false;
}

bool SparseSearch::dive_for_table(std::size_t nodes, PublicRandom& random) {
  DiveLimits limits;
  limits.nodes = nodes;
  std::size_t used = 0;
  std::vector<std::int64_t> x;
  const DiveEnd end =
      dive(system_, programme(), walk_, system_.lower, system_.upper, random, limits, x, &used);
  effort_.branches += used;
  if (end == DiveEnd::empty) throw InfeasibleError(kNoTable);
  return end == DiveEnd::found && record(x);
}

}  // namespace sdclattice
