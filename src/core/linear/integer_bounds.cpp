#include "linear/integer_bounds.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "linear/bounds_knowledge.hpp"
#include "linear/depth.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/network_flow.hpp"
#include "linear/whole_search.hpp"

namespace sdclattice {

namespace {

// Cells up to which a search over values is tried when the programme is too large.
constexpr std::size_t kMostSearched = 5000;

const char* const kNoSolution = "No table of whole numbers satisfies all constraints.";

// ---- flows -------------------------------------------------------------------------------------

class FlowSearch {
 public:
  FlowSearch(FlowNetwork& network, Knowledge& known, Effort& effort, WorkClock& watch)
      : network_(network), known_(known), effort_(effort), check_([&watch] { watch.check(); }) {}

  void start() {
    if (!network_.solve(check_)) throw InfeasibleError(kNoSolution);
    record();
  }
  void close(std::size_t cell, int sign) {
    if (!known_.open(cell, sign)) return;
    ++effort_.programmes;
    if (!network_.push(cell, sign, check_)) {
      known_.endless[cell] = true;
      return;
    }
    record();
    known_.narrow(cell, sign, sign * network_.flow(cell));
  }

 private:
  void record() {
    known_.witness([&](std::size_t i) { return network_.flow(i); });
  }
  FlowNetwork& network_;
  Knowledge& known_;
  Effort& effort_;
  std::function<void()> check_;
};

// ---- programmes --------------------------------------------------------------------------------

class ProgrammeSearch {
 public:
  ProgrammeSearch(const LinearSystem& part, std::size_t max_entries, Knowledge& known,
                  Effort& effort, WorkClock& watch)
      : simplex_(part, max_entries, [&watch] { watch.check(); }), known_(known), effort_(effort) {}

  void start() {
    if (!simplex_.restore() || !search()) throw InfeasibleError(kNoSolution);
  }

  // The bound of the linear programme is tried first, then what is next to it, and so on, down to
  // what a witness attains.
  void close(std::size_t cell, int sign) {
    if (!known_.open(cell, sign)) return;
    ++effort_.programmes;
    simplex_.restore();
    if (!climb(cell, sign)) return;
    while (known_.open(cell, sign)) {
      const std::int64_t end = sign > 0 ? known_.upper[cell] : known_.lower[cell];
      simplex_.set_limits(cell, end, end);
      if (!search()) known_.narrow(cell, sign, sign * end - 1);
    }
    simplex_.set_limits(cell, known_.lower[cell], known_.upper[cell]);
  }

  // The optimum of the linear programme, and what it says of whole numbers.
  double relax(std::size_t cell, int sign) {
    ++effort_.programmes;
    if (!climb(cell, sign)) return std::numeric_limits<double>::infinity();
    return static_cast<double>(simplex_.numerator(cell)) /
           static_cast<double>(simplex_.denominator());
  }
  void start_relaxed() {
    if (!simplex_.restore()) throw InfeasibleError(kNoSolution);
  }

 private:
  // To the optimum, which bounds the largest whole number that sign times the cell may still be.
  bool climb(std::size_t cell, int sign) {
    if (!simplex_.climb(cell, sign)) {
      known_.endless[cell] = true;
      return false;
    }
    const std::int64_t floor = simplex_.floor_of(cell);
    known_.narrow(cell, sign, sign > 0 ? floor : -(floor + !simplex_.is_whole(cell)));
    record_if_whole();
    return true;
  }
  bool record_if_whole() {
    if (simplex_.first_fractional() < simplex_.n_cells()) return false;
    known_.witness([&](std::size_t i) {
      return static_cast<std::int64_t>(simplex_.numerator(i) / simplex_.denominator());
    });
    return true;
  }

  bool search() {
    const std::size_t before = whole_.n_branches();
    const bool found = whole_.find();
    effort_.branches += whole_.n_branches() - before;
    return found && record_if_whole();
  }

  ExactSimplex simplex_;
  WholeSearch whole_{simplex_};
  Knowledge& known_;
  Effort& effort_;
};

// ---- values ------------------------------------------------------------------------------------

// Where the numbers of the exact programme grow too large: depth first over halves of the cells'
// intervals, each choice carried through the rows to its fixed point. This is the branch and bound
// that goes with the shuttle algorithm. It ends with a solution or with the proof of none, and
// takes exponential time at worst.
class ValueSearch {
 public:
  ValueSearch(const LinearSystem& part, Knowledge& known, Effort& effort, WorkClock& watch)
      : system_(part), known_(known), effort_(effort), watch_(watch) {}

  void start() {
    if (known_.n_witnesses == 0 && !search()) throw InfeasibleError(kNoSolution);
  }

  // The better half of what is still open: a witness there, or the proof that there is none. Values
  // without a limit have no halves.
  void close(std::size_t cell, int sign) {
    if (!known_.open(cell, sign)) return;
    if (known_.upper[cell] >= kNoLimit) {
      leaves_open_ = true;
      return;
    }
    ++effort_.programmes;
    while (known_.open(cell, sign)) {
      const std::int64_t end = sign > 0 ? known_.upper[cell] : known_.lower[cell];
      const std::int64_t seen = sign > 0 ? known_.most[cell] : known_.least[cell];
      const std::int64_t middle = seen + (end - seen + sign) / 2;
      system_.lower = known_.lower;
      system_.upper = known_.upper;
      system_.lower[cell] = std::min(middle, end);
      system_.upper[cell] = std::max(middle, end);
      if (!search()) known_.narrow(cell, sign, sign * middle - 1);
    }
  }
  bool leaves_open() const { return leaves_open_; }

 private:
  bool search() {
    watch_.check();
    if (!tighten(system_, {})) return false;
    const std::size_t v = narrowest();
    if (v == system_.n_cells()) {
      known_.witness([&](std::size_t i) { return system_.lower[i]; });
      return true;
    }
    ++effort_.branches;
    const Depth deeper(depth_);
    const std::vector<std::int64_t> lower = system_.lower, upper = system_.upper;
    const std::int64_t middle =
        upper[v] >= kNoLimit ? 2 * lower[v] + 1 : lower[v] + (upper[v] - lower[v]) / 2;
    system_.upper[v] = middle;
    if (search()) return true;
    system_.lower = lower;
    system_.upper = upper;
    system_.lower[v] = middle + 1;
    return search();
  }

  // The cell with the fewest values but one; n_cells() when all are fixed.
  std::size_t narrowest() const {
    std::size_t best = system_.n_cells();
    std::int64_t width = 0;
    for (std::size_t i = 0; i < system_.n_cells(); ++i) {
      const std::int64_t own = system_.upper[i] - system_.lower[i];
      if (own == 0 || (best < system_.n_cells() && own >= width)) continue;
      best = i;
      width = own;
    }
    return best;
  }

  LinearSystem system_;
  Knowledge& known_;
  Effort& effort_;
  WorkClock& watch_;
  std::size_t depth_ = 0;
  bool leaves_open_ = false;
};

// ---- components --------------------------------------------------------------------------------

std::vector<std::vector<std::size_t>> asked_by_group(
    const LinearSystem& system, const std::vector<std::vector<std::uint32_t>>& groups,
    const std::vector<std::uint32_t>& asked) {
  std::vector<std::size_t> group(system.n_cells(), groups.size()), place(system.n_cells());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t k = 0; k < groups[g].size(); ++k) {
      group[groups[g][k]] = g;
      place[groups[g][k]] = k;
    }
  std::vector<std::vector<std::size_t>> out(groups.size());
  for (std::uint32_t i : asked)
    if (group[i] < groups.size()) out[group[i]].push_back(place[i]);
  return out;
}

class Driver {
 public:
  Driver(const LinearSystem& system, const BoundsLimits& limits, WorkClock& watch)
      : limits_(limits),
        watch_(watch),
        groups_(components(system)),
        parts_(split(system, groups_)) {
    out_.lower = system.lower;
    out_.upper = system.upper;
    out_.sharp.assign(system.n_cells(), true);
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      if (system.lower[i] != system.upper[i]) out_.sharp[i] = false;
  }

  // `work(part, known, effort, asked, group)` searches; its time may run out.
  template <class Work>
  IntegerBounds run(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                    const Work& work) {
    const auto wanted = asked_by_group(system, groups_, asked);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Knowledge known(parts_[g]);
      Effort effort;
      try {
        if (watch_.is_up()) throw WorkTimeUp();
        work(parts_[g], known, effort, wanted[g], g);
      } catch (const WorkTimeUp&) {
        out_.stopped = out_.late = true;
      } catch (const TooLargeError&) {
        out_.stopped = true;
      }
      keep(g, known, effort);
      watch_.done = static_cast<double>(g + 1) / static_cast<double>(groups_.size());
    }
    return std::move(out_);
  }

  void solve(const LinearSystem& part, Knowledge& known, Effort& effort,
             const std::vector<std::size_t>& wanted) {
    std::optional<FlowNetwork> network;
    if (limits_.engine != BoundsEngine::simplex) network = FlowNetwork::from(part);
    if (limits_.engine == BoundsEngine::network && !network)
      throw InputError("The constraints are not those of a network.");
    ++(network ? out_.n_network : out_.n_simplex);
    if (network) {
      FlowSearch search(*network, known, effort, watch_);
      close_all(search, wanted);
    } else {
      close_by_programmes(part, known, effort, wanted);
    }
  }

  const std::vector<std::uint32_t>& group(std::size_t g) const { return groups_[g]; }

 private:
  void close_by_programmes(const LinearSystem& part, Knowledge& known, Effort& effort,
                           const std::vector<std::size_t>& wanted) {
    try {
      ProgrammeSearch search(part, limits_.max_entries, known, effort, watch_);
      close_all(search, wanted);
    } catch (const TooLargeError&) {
      if (part.n_cells() > kMostSearched) throw;
      ValueSearch search(part, known, effort, watch_);
      close_all(search, wanted);
      if (search.leaves_open()) out_.stopped = true;
    }
  }

  template <class Search>
  void close_all(Search& search, const std::vector<std::size_t>& wanted) {
    search.start();
    const double before = watch_.done, share = 1.0 / static_cast<double>(groups_.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      search.close(wanted[k], 1);
      search.close(wanted[k], -1);
      watch_.done =
          before + share * static_cast<double>(k + 1) / static_cast<double>(wanted.size());
    }
  }

  void keep(std::size_t g, const Knowledge& known, const Effort& effort) {
    out_.n_programmes += effort.programmes;
    out_.n_branches += effort.branches;
    out_.n_witnesses += known.n_witnesses;
    if (known.n_witnesses == 0) out_.proved_feasible = false;
    for (std::size_t k = 0; k < groups_[g].size(); ++k) {
      const std::uint32_t i = groups_[g][k];
      out_.lower[i] = known.lower[k];
      out_.upper[i] = known.upper[k];
      // A single value is that of every table there is, found or not.
      out_.sharp[i] =
          known.lower[k] == known.upper[k] ||
          (known.n_witnesses > 0 && !known.open(k, -1) && (known.endless[k] || !known.open(k, 1)));
    }
  }

  const BoundsLimits& limits_;
  WorkClock& watch_;
  std::vector<std::vector<std::uint32_t>> groups_;
  std::vector<LinearSystem> parts_;
  IntegerBounds out_;
};

}  // namespace

IntegerBounds integer_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick) {
  WorkClock watch(limits.seconds, tick);
  LinearSystem narrowed = system;
  if (!tighten(narrowed, tick)) throw InfeasibleError(kNoSolution);
  Driver driver(narrowed, limits, watch);
  return driver.run(narrowed, asked,
                    [&](const LinearSystem& part, Knowledge& known, Effort& effort,
                        const std::vector<std::size_t>& wanted,
                        std::size_t) { driver.solve(part, known, effort, wanted); });
}

RelaxedBounds relaxed_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick) {
  WorkClock watch(limits.seconds, tick);
  LinearSystem narrowed = system;
  if (!tighten(narrowed, tick)) throw InfeasibleError(kNoSolution);
  RelaxedBounds out;
  out.real_lower.assign(narrowed.lower.begin(), narrowed.lower.end());
  out.real_upper.assign(narrowed.upper.begin(), narrowed.upper.end());
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    if (narrowed.upper[i] >= kNoLimit) out.real_upper[i] = std::numeric_limits<double>::infinity();
  Driver driver(system, limits, watch);
  out.whole = driver.run(system, asked,
                         [&](const LinearSystem& part, Knowledge& known, Effort& effort,
                             const std::vector<std::size_t>& wanted, std::size_t g) {
                           ProgrammeSearch search(part, limits.max_entries, known, effort, watch);
                           search.start_relaxed();
                           for (std::size_t k : wanted) {
                             const std::size_t i = driver.group(g)[k];
                             out.real_upper[i] = search.relax(k, 1);
                             out.real_lower[i] = search.relax(k, -1);
                           }
                         });
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    if (out.whole.lower[i] > out.whole.upper[i]) throw InfeasibleError(kNoSolution);
    if (!out.whole.stopped) continue;
    out.whole.lower[i] = std::max(out.whole.lower[i], narrowed.lower[i]);
    out.whole.upper[i] = std::min(out.whole.upper[i], narrowed.upper[i]);
  }
  return out;
}

}  // namespace sdclattice
