#include "linear/reader_search.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/network_flow.hpp"
#include "linear/whole_search.hpp"

namespace sdclattice {

namespace {

using Pool = std::vector<std::uint32_t>;

enum class Verdict { open, closed, unsure };  // open: the pool cannot tell

// A table that agrees with the publication: values over a common denominator.
struct Witness {
  std::vector<WideInt> value;
  std::int64_t denominator;

  bool between(std::size_t cell, std::int64_t lower, std::int64_t upper) const {
    return value[cell] >= static_cast<WideInt>(lower) * denominator &&
           (upper >= kNoLimit || value[cell] <= static_cast<WideInt>(upper) * denominator);
  }
  bool meets(std::size_t cell, const ReaderNeed& need) const {
    return value[cell] >= static_cast<WideInt>(need.high) * denominator ||
           value[cell] <= static_cast<WideInt>(need.low) * denominator;
  }
};

constexpr std::size_t kMostWitnesses = 300;

const char* const kContradiction = "What a reader knows contradicts the table.";

// One component of the system, with the limits of readers in its own cells.
class ComponentSearch {
 public:
  ComponentSearch(const LinearSystem& part, std::vector<std::vector<ReaderLimit>> readers,
                  const ReaderSearchLimits& limits, WorkClock& clock, ReaderFindings& out)
      : part_(part),
        readers_(std::move(readers)),
        limits_(limits),
        clock_(clock),
        out_(out),
        lower_(part.lower),
        upper_(part.upper) {
    if (FlowNetwork::from(part_)) {
      is_network_ = true;
      return;
    }
    try {
      simplex_ = std::make_unique<ExactSimplex>(part_, limits_.max_entries, check());
    } catch (const TooLargeError&) {
    }
  }

  // `target` has the component's own number of the cell.
  void settle(const ReaderTarget& target, std::uint32_t place, const Pool& readers) {
    target_ = &target;
    place_ = place;
    loosest_ = target.need;
    for (const OwnNeed& own : target.own)
      loosest_ = {std::max(loosest_.low, own.need.low), std::min(loosest_.high, own.need.high)};
    Pool pool;
    for (std::uint32_t r : readers) {
      const OwnNeed* own = own_need(r);
      if (own == nullptr || own->asked) pool.push_back(r);
    }
    out_.n_asked += pool.size();
    settle_pool(pool, true);
  }

 private:
  std::function<void()> check() {
    return [this] { clock_.check(); };
  }

  const OwnNeed* own_need(std::uint32_t reader) const {
    const auto before = [](const OwnNeed& own, std::uint32_t r) { return own.reader < r; };
    const auto at = std::lower_bound(target_->own.begin(), target_->own.end(), reader, before);
    return at != target_->own.end() && at->reader == reader ? &*at : nullptr;
  }
  ReaderNeed need_of(std::uint32_t reader) const {
    const OwnNeed* own = own_need(reader);
    return own == nullptr ? target_->need : own->need;
  }

  void settle_pool(Pool& pool, bool first) {
    drop_settled(pool);
    if (pool.empty()) return;
    const Verdict verdict = ask(pool);
    if (verdict == Verdict::open) return;
    if (pool.size() == 1) {
      if (verdict == Verdict::closed)
        learned(pool[0]);
      else
        out_.unsure.push_back(place_);
      return;
    }
    // a table that nobody's limits restrict settles many questions
    if (first) ask({}, need_of(pool[0]));
    drop_settled(pool);
    const auto middle = pool.begin() + static_cast<std::ptrdiff_t>(pool.size() / 2);
    Pool half(pool.begin(), middle), rest(middle, pool.end());
    settle_pool(half, false);
    settle_pool(rest, false);
  }

  // Readers that some witness settles.
  void drop_settled(Pool& pool) const {
    for (const Witness& witness : witnesses_) {
      if (pool.empty()) return;
      if (!witness.meets(target_->cell, loosest_)) continue;
      pool.erase(std::remove_if(pool.begin(), pool.end(),
                                [&](std::uint32_t r) {
                                  return witness.meets(target_->cell, need_of(r)) &&
                                         agrees(witness, readers_[r]);
                                }),
                 pool.end());
    }
  }
  static bool agrees(const Witness& witness, const std::vector<ReaderLimit>& known) {
    return std::all_of(known.begin(), known.end(), [&](const ReaderLimit& limit) {
      return witness.between(limit.cell, limit.lower, limit.upper);
    });
  }

  // The strictest need of the pool is that of all.
  Verdict ask(const Pool& pool) {
    ReaderNeed need = need_of(pool[0]);
    for (std::uint32_t r : pool) {
      const ReaderNeed own = need_of(r);
      need = {std::min(need.low, own.low), std::max(need.high, own.high)};
    }
    return ask(pool, need);
  }

  Verdict ask(const Pool& pool, const ReaderNeed& need) {
    ++out_.n_programmes;
    set_pool(pool);
    Verdict verdict = Verdict::unsure;
    try {
      if (is_network_)
        verdict = ask_network(need);
      else if (simplex_)
        verdict = ask_programme(need);
    } catch (const TooLargeError&) {
      // the limits of the programme may be narrowed still
      simplex_.reset();
    }
    if (verdict == Verdict::unsure && !clock_.is_up()) verdict = ask_bounds(need);
    unset_pool(pool);
    return verdict;
  }

  // The limits of all readers of the pool together, in lower_ and upper_.
  void set_pool(const Pool& pool) {
    for (std::uint32_t r : pool)
      for (const ReaderLimit& limit : readers_[r]) {
        lower_[limit.cell] = std::max(lower_[limit.cell], limit.lower);
        upper_[limit.cell] = std::min(upper_[limit.cell], limit.upper);
        if (lower_[limit.cell] > upper_[limit.cell]) throw InfeasibleError(kContradiction);
      }
    pass_limits(pool);
  }
  void unset_pool(const Pool& pool) {
    for (std::uint32_t r : pool)
      for (const ReaderLimit& limit : readers_[r]) {
        lower_[limit.cell] = part_.lower[limit.cell];
        upper_[limit.cell] = part_.upper[limit.cell];
      }
    pass_limits(pool);
  }
  void pass_limits(const Pool& pool) {
    if (!simplex_) return;
    for (std::uint32_t r : pool)
      for (const ReaderLimit& limit : readers_[r])
        simplex_->set_limits(limit.cell, lower_[limit.cell], upper_[limit.cell]);
  }
  LinearSystem narrowed() const {
    LinearSystem out = part_;
    out.lower = lower_;
    out.upper = upper_;
    return out;
  }

  bool can_rise(const ReaderNeed& need) const {
    return need.high < kNoLimit && need.high <= upper_[target_->cell];
  }
  bool can_fall(const ReaderNeed& need) const { return need.low >= lower_[target_->cell]; }

  Verdict ask_network(const ReaderNeed& need) {
    std::optional<FlowNetwork> network = FlowNetwork::from(narrowed());
    if (!network) return Verdict::unsure;
    if (!network->solve(check())) throw InfeasibleError(kContradiction);
    for (const int sign : {1, -1}) {
      if (!(sign > 0 ? can_rise(need) : can_fall(need))) continue;
      if (!network->push(target_->cell, sign, check())) return Verdict::open;
      if (keep_if_meets(
              need, [&](std::size_t i) { return static_cast<WideInt>(network->flow(i)); }, 1))
        return Verdict::open;
    }
    return Verdict::closed;
  }

  Verdict ask_programme(const ReaderNeed& need) {
    ExactSimplex& simplex = *simplex_;
    const std::size_t cell = target_->cell;
    if (!simplex.restore()) throw InfeasibleError(kContradiction);
    for (const int sign : {1, -1}) {
      if (!(sign > 0 ? can_rise(need) : can_fall(need))) continue;
      if (!simplex.climb(cell, sign)) return Verdict::open;
      const WideInt most = simplex.numerator(cell);
      const WideInt den = simplex.denominator();
      if (sign > 0 ? most < need.high * den : most > need.low * den) continue;
      if (keep_vertex(need)) return Verdict::open;
      // only part of a unit reaches so far: is there a table of whole numbers?
      simplex.set_limits(cell, sign > 0 ? std::max(need.high, lower_[cell]) : lower_[cell],
                         sign > 0 ? upper_[cell] : std::min(need.low, upper_[cell]));
      const bool found = WholeSearch(simplex).find() && keep_vertex(need);
      simplex.set_limits(cell, lower_[cell], upper_[cell]);
      if (found) return Verdict::open;
      if (!simplex.restore()) throw InfeasibleError(kContradiction);
    }
    return Verdict::closed;
  }

  // Where the numbers of the programme grow too large: the bounds of the target by themselves.
  Verdict ask_bounds(const ReaderNeed& need) {
    BoundsLimits limits;
    limits.seconds = clock_.seconds_left();
    limits.max_entries = limits_.max_entries;
    const std::size_t cell = target_->cell;
    const IntegerBounds found =
        integer_bounds(narrowed(), {static_cast<std::uint32_t>(cell)}, limits, clock_.tick());
    const bool reaches =
        (need.high < kNoLimit && found.upper[cell] >= need.high) || found.lower[cell] <= need.low;
    if (!reaches) return Verdict::closed;
    return found.sharp[cell] ? Verdict::open : Verdict::unsure;
  }

  bool keep_vertex(const ReaderNeed& need) {
    if (!limits_.relaxed && simplex_->first_fractional() < simplex_->n_cells()) return false;
    return keep_if_meets(
        need, [this](std::size_t i) { return simplex_->numerator(i); }, simplex_->denominator());
  }
  template <class Value>
  bool keep_if_meets(const ReaderNeed& need, const Value& value, std::int64_t denominator) {
    Witness witness{std::vector<WideInt>(part_.n_cells()), denominator};
    for (std::size_t i = 0; i < witness.value.size(); ++i) witness.value[i] = value(i);
    const bool meets = witness.meets(target_->cell, need);
    ++out_.n_witnesses;
    if (witnesses_.size() < kMostWitnesses)
      witnesses_.push_back(std::move(witness));
    else
      witnesses_[out_.n_witnesses % kMostWitnesses] = std::move(witness);
    return meets;
  }

  // The interval that the reader has, outer when time runs out.
  void learned(std::uint32_t reader) {
    set_pool({reader});
    const LinearSystem known = narrowed();
    unset_pool({reader});
    const std::size_t cell = target_->cell;
    BoundsLimits limits;
    limits.seconds = clock_.seconds_left();
    limits.max_entries = limits_.max_entries;
    const std::vector<std::uint32_t> asked{static_cast<std::uint32_t>(cell)};
    const IntegerBounds found = limits_.relaxed
                                    ? relaxed_bounds(known, asked, limits, clock_.tick()).whole
                                    : integer_bounds(known, asked, limits, clock_.tick());
    out_.learned.push_back({reader, place_, found.lower[cell], found.upper[cell]});
  }

  const LinearSystem& part_;
  std::vector<std::vector<ReaderLimit>> readers_;
  const ReaderSearchLimits& limits_;
  WorkClock& clock_;
  ReaderFindings& out_;
  std::vector<std::int64_t> lower_, upper_;
  bool is_network_ = false;
  std::unique_ptr<ExactSimplex> simplex_;
  std::vector<Witness> witnesses_;
  const ReaderTarget* target_ = nullptr;
  ReaderNeed loosest_{};
  std::uint32_t place_ = 0;
};

// For each cell its component and its place there; cells that are fixed have none.
struct Places {
  std::vector<std::size_t> group, place;

  Places(std::size_t n, const std::vector<std::vector<std::uint32_t>>& groups)
      : group(n, groups.size()), place(n, 0) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t k = 0; k < groups[g].size(); ++k) {
        group[groups[g][k]] = g;
        place[groups[g][k]] = k;
      }
  }
};

}  // namespace

ReaderFindings search_readers(const LinearSystem& system,
                              const std::vector<std::vector<ReaderLimit>>& readers,
                              const std::vector<ReaderTarget>& targets,
                              const ReaderSearchLimits& limits, const Tick& tick) {
  WorkClock clock(limits.seconds, tick);
  LinearSystem narrowed = system;
  if (!tighten(narrowed, tick)) throw InfeasibleError("No table satisfies all constraints.");
  const auto groups = components(narrowed);
  const std::vector<LinearSystem> parts = split(narrowed, groups);
  const Places places(system.n_cells(), groups);

  ReaderFindings out;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<std::uint32_t> own;
    for (std::size_t t = 0; t < targets.size(); ++t)
      if (places.group[targets[t].cell] == g) own.push_back(static_cast<std::uint32_t>(t));
    if (own.empty()) continue;
    std::vector<std::vector<ReaderLimit>> known(readers.size());
    Pool pool;
    for (std::uint32_t r = 0; r < readers.size(); ++r) {
      for (const ReaderLimit& limit : readers[r]) {
        if (places.group[limit.cell] != g) continue;
        const bool narrows =
            limit.lower > narrowed.lower[limit.cell] || limit.upper < narrowed.upper[limit.cell];
        if (narrows)
          known[r].push_back(
              {static_cast<std::uint32_t>(places.place[limit.cell]), limit.lower, limit.upper});
      }
      if (!known[r].empty()) pool.push_back(r);
    }
    try {
      ComponentSearch search(parts[g], known, limits, clock, out);
      while (!own.empty()) {
        const std::uint32_t t = own.back();
        ReaderTarget target = targets[t];
        target.cell = static_cast<std::uint32_t>(places.place[target.cell]);
        if (clock.is_up()) throw WorkTimeUp();
        search.settle(target, t, pool);
        own.pop_back();
        clock.done = 1 - static_cast<double>(own.size()) / static_cast<double>(targets.size());
      }
    } catch (const WorkTimeUp&) {
      out.unsure.insert(out.unsure.end(), own.begin(), own.end());
    }
  }
  std::sort(out.unsure.begin(), out.unsure.end());
  out.unsure.erase(std::unique(out.unsure.begin(), out.unsure.end()), out.unsure.end());
  return out;
}

}  // namespace sdclattice
