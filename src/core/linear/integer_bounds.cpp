#include "linear/integer_bounds.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/shared_end.hpp"
#include "base/work_clock.hpp"
#include "linear/part_bounds.hpp"
#include "linear/presolve.hpp"
#include "linear/programme_search.hpp"
#include "linear/safe_bound.hpp"
#include "linear/sparse_simplex.hpp"

namespace sdclattice {

namespace {

constexpr SearchLevel kLevels[] = {SearchLevel::walks, SearchLevel::near,  SearchLevel::wide,
                                   SearchLevel::whole, SearchLevel::dives, SearchLevel::complete};

// ---- parts -------------------------------------------------------------------------------------

std::vector<std::vector<std::uint32_t>> asked_by_part(const Presolved& small,
                                                      const std::vector<std::uint32_t>& asked) {
  std::vector<std::vector<std::uint32_t>> out(small.parts.size());
  for (std::uint32_t i : asked)
    if (small.home[i].sign != 0) out[small.home[i].part].push_back(small.home[i].place);
  for (std::vector<std::uint32_t>& places : out) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }
  return out;
}

// The unknowns of a solution of the system, by part; nothing where it is none of a part.
std::vector<std::vector<std::int64_t>> truth_by_part(const Presolved& small,
                                                     const std::vector<std::int64_t>& truth) {
  std::vector<std::vector<std::int64_t>> out(small.parts.size());
  if (truth.size() != small.home.size()) return out;
  for (std::size_t g = 0; g < out.size(); ++g) out[g].resize(small.parts[g].system.n_cells());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const CellHome& home = small.home[i];
    if (home.sign != 0) out[home.part][home.place] = home.sign * (truth[i] - home.shift);
  }
  return out;
}

// Unknowns of parts that one thread takes at a time; smaller systems are not shared.
constexpr std::size_t kBatchCells = 300;

std::size_t n_unknowns(const Presolved& small) {
  std::size_t out = 0;
  for (const PresolvedPart& part : small.parts) out += part.system.n_cells();
  return out;
}

class Driver {
 public:
  Driver(const Presolved& small, const std::vector<std::uint32_t>& asked,
         const BoundsLimits& limits, WorkClock& watch, const std::vector<std::int64_t>& truth)
      : small_(small), watch_(watch) {
    if (limits.threads > 0 && n_unknowns(small) >= kBatchCells) pool_.emplace(limits.threads);
    if (pool_) crew_ = {&*pool_, &end_};
    std::vector<std::vector<std::uint32_t>> wanted = asked_by_part(small, asked);
    std::vector<std::vector<std::int64_t>> known = truth_by_part(small, truth);
    for (std::size_t g = 0; g < small.parts.size(); ++g) add_to_batch(g, !wanted[g].empty());
    parts_.resize(small.parts.size());
    for (const Batch& batch : batches_)
      for (const std::size_t g : batch.parts)
        parts_[g] = std::make_unique<PartBounds>(small.parts[g], std::move(wanted[g]),
                                                 std::move(known[g]), limits, *batch.watch, crew_);
  }

  IntegerBounds run() {
    try {
      for (const SearchLevel level : kLevels) work(level);
    } catch (const WorkTimeUp&) {
      out_.stopped = out_.late = true;
    } catch (const WorkInterrupted&) {
      out_.stopped = out_.interrupted = true;
    }
    collect();
    return std::move(out_);
  }

 private:
  // Parts that one thread works on, one after the other, or a part that shares its own work.
  struct Batch {
    bool is_asked, is_shared;
    WorkClock* watch;
    std::vector<std::size_t> parts;
    std::size_t n_cells = 0;
  };

  void add_to_batch(std::size_t g, bool is_asked) {
    const PresolvedPart& part = small_.parts[g];
    const bool is_shared = PartBounds::is_shared(part, crew_);
    const auto takes = [&](const Batch& batch) {
      return !is_shared && !batch.is_shared && batch.is_asked == is_asked &&
             (!pool_ || batch.n_cells < kBatchCells);
    };
    auto batch = std::find_if(batches_.rbegin(), batches_.rend(), takes);
    if (batch == batches_.rend()) {
      const bool has_clock = pool_ && !is_shared;
      if (has_clock) clocks_.emplace_back(watch_, end_);
      batches_.push_back(
          {is_asked, is_shared, has_clock ? &clocks_.back().watch() : &watch_, {}, 0});
      batch = batches_.rbegin();
    }
    batch->parts.push_back(g);
    batch->n_cells += part.system.n_cells();
  }

  // Parts that nobody asks about stand last: they only have to have a solution.
  void work(SearchLevel level) {
    for (const bool is_asked : {true, false}) {
      std::vector<const Batch*> apart, shared;
      for (const Batch& batch : batches_)
        if (batch.is_asked == is_asked) (batch.is_shared ? shared : apart).push_back(&batch);
      if (pool_)
        end_.run(
            *pool_, apart.size(), [&](std::size_t k) { work(*apart[k], level); },
            [this] { report(watch_.tick(), watch_.done); });
      else
        for (const Batch* batch : apart) work(*batch, level);
      note_done(apart.size());
      for (const Batch* batch : shared) {
        work(*batch, level);
        note_done(1);
      }
    }
  }
  void work(const Batch& batch, SearchLevel level) {
    for (const std::size_t g : batch.parts) {
      if (batch.watch->is_up() || end_.has_come()) throw WorkTimeUp();
      parts_[g]->work(level);
    }
  }
  void note_done(std::size_t n) {
    n_done_ += n;
    const auto all = static_cast<double>(std::size(kLevels) * batches_.size() + 1);
    watch_.done = static_cast<double>(n_done_) / all;
  }

  void collect() {
    for (const std::unique_ptr<PartBounds>& part : parts_) {
      switch (part->engine()) {
        case PartEngine::network:
          ++out_.n_network;
          break;
        case PartEngine::tableau:
          ++out_.n_simplex;
          break;
        case PartEngine::sparse:
          ++out_.n_sparse;
          break;
      }
      out_.n_programmes += part->effort().programmes;
      out_.n_branches += part->effort().branches;
      out_.n_witnesses += part->known().n_witnesses;
      if (part->known().n_witnesses == 0) out_.proved_feasible = false;
      if (!part->done()) out_.stopped = true;
    }
    for (const CellHome& home : small_.home) add_cell(home);
  }

  static std::int64_t shifted(std::int64_t x, const CellHome& home) {
    if (x >= kNoLimit || x <= -kNoLimit) return home.sign * x;
    return home.shift + home.sign * x;
  }
  void add_cell(const CellHome& home) {
    if (home.sign == 0) {
      for (auto* end : {&out_.lower, &out_.upper, &out_.least, &out_.most})
        end->push_back(home.shift);
      out_.sharp.push_back(true);
      return;
    }
    const PartBounds& part = *parts_[home.part];
    const Knowledge& known = part.known();
    const std::size_t k = home.place;
    const bool turned = home.sign < 0;
    out_.lower.push_back(shifted(turned ? known.upper[k] : known.lower[k], home));
    out_.upper.push_back(shifted(turned ? known.lower[k] : known.upper[k], home));
    const bool found = known.n_witnesses > 0;
    out_.least.push_back(found ? shifted(turned ? known.most[k] : known.least[k], home) : kNoLimit);
    out_.most.push_back(found ? shifted(turned ? known.least[k] : known.most[k], home) : -kNoLimit);
    out_.sharp.push_back(part.is_sharp(k));
  }

  const Presolved& small_;
  WorkClock& watch_;
  std::optional<WorkerPool> pool_;
  SharedEnd end_;
  BoundsCrew crew_;
  std::deque<SharedClock> clocks_;  // of batches that are shared out
  std::vector<Batch> batches_;
  std::vector<std::unique_ptr<PartBounds>> parts_;
  std::size_t n_done_ = 0;
  IntegerBounds out_;
};

// ---- over the real numbers ---------------------------------------------------------------------

// Cells up to which the exact tableau is tried.
constexpr std::size_t kTableauCells = 400;

class RelaxedDriver {
 public:
  RelaxedDriver(const LinearSystem& system, LinearSystem narrowed, const BoundsLimits& limits,
                WorkClock& watch)
      : groups_(components(system)),
        parts_(split(system, groups_)),
        narrowed_(std::move(narrowed)),
        limits_(limits),
        watch_(watch) {
    out_.whole.lower = system.lower;
    out_.whole.upper = system.upper;
    out_.real_lower.assign(narrowed_.lower.begin(), narrowed_.lower.end());
    out_.real_upper.assign(narrowed_.upper.begin(), narrowed_.upper.end());
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      if (narrowed_.upper[i] >= kNoLimit)
        out_.real_upper[i] = std::numeric_limits<double>::infinity();
  }

  RelaxedBounds run(const std::vector<std::uint32_t>& asked) {
    std::vector<char> is_asked(narrowed_.n_cells(), false);
    for (std::uint32_t i : asked) is_asked[i] = true;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Knowledge known(parts_[g]);
      Effort effort;
      try {
        if (watch_.is_up()) throw WorkTimeUp();
        search(g, is_asked, known, effort);
      } catch (const WorkTimeUp&) {
        out_.whole.stopped = out_.whole.late = true;
      } catch (const WorkInterrupted&) {
        out_.whole.stopped = out_.whole.interrupted = true;
      }
      keep(g, known, effort);
      watch_.done = static_cast<double>(g + 1) / static_cast<double>(groups_.size());
    }
    finish();
    return std::move(out_);
  }

 private:
  void search(std::size_t g, const std::vector<char>& is_asked, Knowledge& known, Effort& effort) {
    if (parts_[g].n_cells() <= kTableauCells) {
      try {
        search_tableau(g, is_asked, known, effort);
        ++out_.whole.n_simplex;
        return;
      } catch (const TooLargeError&) {
      }
    }
    search_sparse(g, is_asked, known, effort);
    ++out_.whole.n_sparse;
  }

  void search_tableau(std::size_t g, const std::vector<char>& is_asked, Knowledge& known,
                      Effort& effort) {
    ProgrammeSearch search(parts_[g], limits_.max_entries, known, effort, watch_);
    search.start_relaxed();
    for (std::size_t k = 0; k < groups_[g].size(); ++k) {
      const std::uint32_t i = groups_[g][k];
      if (!is_asked[i]) continue;
      out_.real_upper[i] = search.relax(k, 1);
      out_.real_lower[i] = search.relax(k, -1);
    }
  }

  // The programme proposes multipliers, and exact sums of rows give the bounds.
  void search_sparse(std::size_t g, const std::vector<char>& is_asked, Knowledge& known,
                     Effort& effort) {
    const LinearSystem& part = parts_[g];
    SparseSimplex simplex(part, g, [this] { watch_.check(); });
    if (!simplex.restore()) {
      if (proves_empty(part, part.lower, part.upper, simplex.duals()))
        throw InfeasibleError(kNoTable);
      out_.whole.stopped = true;
      return;
    }
    for (std::size_t k = 0; k < groups_[g].size(); ++k) {
      const std::uint32_t i = groups_[g][k];
      if (!is_asked[i]) continue;
      out_.real_upper[i] = relax(part, simplex, k, 1, known, effort);
      out_.real_lower[i] = -relax(part, simplex, k, -1, known, effort);
    }
  }
  double relax(const LinearSystem& part, SparseSimplex& simplex, std::size_t cell, int sign,
               Knowledge& known, Effort& effort) {
    ++effort.programmes;
    if (simplex.climb(cell, sign) == ClimbEnd::cut) out_.whole.stopped = true;
    known.narrow(cell, sign, safe_bound(part, part.lower, part.upper, cell, sign, simplex.duals()));
    if (simplex.is_whole()) {
      const std::vector<std::int64_t> x = simplex.rounded();
      if (satisfies(part, x)) known.witness([&](std::size_t i) { return x[i]; });
    }
    return safe_real_bound(part, part.lower, part.upper, cell, sign, simplex.duals());
  }

  void keep(std::size_t g, const Knowledge& known, const Effort& effort) {
    out_.whole.n_programmes += effort.programmes;
    out_.whole.n_witnesses += known.n_witnesses;
    if (known.n_witnesses == 0) out_.whole.proved_feasible = false;
    for (std::size_t k = 0; k < groups_[g].size(); ++k) {
      out_.whole.lower[groups_[g][k]] = known.lower[k];
      out_.whole.upper[groups_[g][k]] = known.upper[k];
    }
  }

  void finish() {
    IntegerBounds& whole = out_.whole;
    const std::size_t n = narrowed_.n_cells();
    whole.sharp.assign(n, false);
    whole.least.assign(n, kNoLimit);
    whole.most.assign(n, -kNoLimit);
    for (std::size_t i = 0; i < n; ++i) {
      if (whole.lower[i] > whole.upper[i]) throw InfeasibleError(kNoTable);
      if (whole.stopped) {
        whole.lower[i] = std::max(whole.lower[i], narrowed_.lower[i]);
        whole.upper[i] = std::min(whole.upper[i], narrowed_.upper[i]);
      }
      if (whole.lower[i] == whole.upper[i]) whole.sharp[i] = true;
    }
  }

  std::vector<std::vector<std::uint32_t>> groups_;
  std::vector<LinearSystem> parts_;
  LinearSystem narrowed_;
  const BoundsLimits& limits_;
  WorkClock& watch_;
  RelaxedBounds out_;
};

// What is left of work that was interrupted before it began.
IntegerBounds nothing_proved(const LinearSystem& system) {
  IntegerBounds out;
  out.lower = system.lower;
  out.upper = system.upper;
  out.least.assign(system.n_cells(), kNoLimit);
  out.most.assign(system.n_cells(), -kNoLimit);
  for (std::size_t i = 0; i < system.n_cells(); ++i) out.sharp.push_back(system.is_fixed(i));
  out.proved_feasible = false;
  out.stopped = out.interrupted = true;
  return out;
}

}  // namespace

IntegerBounds integer_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick,
                             const std::vector<std::int64_t>& truth) {
  WorkClock watch(limits.seconds, tick);
  Presolved small;
  try {
    small = presolve(system, tick);
  } catch (const WorkInterrupted&) {
    return nothing_proved(system);
  }
  return Driver(small, asked, limits, watch, truth).run();
}

RelaxedBounds relaxed_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick) {
  WorkClock watch(limits.seconds, tick);
  LinearSystem narrowed = system;
  if (!tighten(narrowed, tick)) throw InfeasibleError(kNoTable);
  return RelaxedDriver(system, std::move(narrowed), limits, watch).run(asked);
}

}  // namespace sdclattice
