#include "conditional/rate_bounds.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "conditional/rate_rows.hpp"
#include "linear/bounds_knowledge.hpp"

namespace sdclattice {

namespace {

// The share of the time that the search for all ends together may take before each end is looked at
// by itself, which is for small systems: large ones have too many ends.
constexpr std::size_t kFewCells = 150;
constexpr double kShareOfFew = .3, kShareOfMany = .9;

class RateSearch {
 public:
  RateSearch(const LinearSystem& table, const std::vector<RateSet>& sets,
             const std::vector<std::uint32_t>& asked, const BoundsLimits& limits, const Tick& tick,
             const NarrowLimits& narrow)
      : n_cells_(table.n_cells()),
        asked_(asked),
        limits_(limits),
        narrow_(narrow),
        tick_(tick),
        watch_(limits.seconds, tick),
        rates_(rate_system(table, sets)) {}

  IntegerBounds run() {
    RateSystem all = rates_;
    narrow(all, watch_);
    for (std::size_t i = 0; i < rates_.system.n_cells(); ++i) {
      rates_.system.lower[i] = all.system.lower[i];
      rates_.system.upper[i] = all.system.upper[i];
    }
    const double share = asked_.empty() ? 1 : n_cells_ > kFewCells ? kShareOfMany : kShareOfFew;
    out_ = search(all.system, asked_, share * watch_.seconds_left());
    keep_cells();
    close_ends();
    return std::move(out_);
  }

 private:
  struct End {
    std::uint32_t cell;
    int sign;
  };

  // Limits, and rows of the rates.
  void narrow(RateSystem& rates, WorkClock& watch) {
    RateNarrowing narrowing(rates, narrow_, watch);
    narrowing.run();
    for (std::size_t s = 0; s < rates.sets.size(); ++s)
      for (std::size_t r = 0; r < rates.sets[s].size(); ++r)
        if (narrowing.domain(s, r))
          add_hull_rows(rates.system, rates.sets[s][r], *narrowing.domain(s, r));
  }
  IntegerBounds search(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                       double seconds) const {
    BoundsLimits limits = limits_;
    limits.seconds = seconds;
    return integer_bounds(system, asked, limits, tick_);
  }

  void keep_cells() {
    for (auto* ends : {&out_.lower, &out_.upper, &out_.least, &out_.most}) ends->resize(n_cells_);
    out_.sharp.resize(n_cells_);
  }

  // Ends that the search for all left open: with the cell at its end the totals narrow again, and
  // the rows with them. Each has its share of the time that is left, round after round.
  void close_ends() {
    std::vector<End> open = open_ends();
    if (open.empty() || out_.interrupted) return;
    try {
      while (!open.empty() && !is_over()) {
        const double share = watch_.seconds_left() / (2 * static_cast<double>(open.size()));
        for (const End& end : open)
          if (is_open(end) && !is_over()) try_end(end, std::max(share, .01));
        open = open_ends();
      }
    } catch (const WorkInterrupted&) {
      out_.interrupted = true;
    }
    out_.stopped = !open.empty() || !out_.proved_feasible;
    out_.late = out_.stopped && !out_.interrupted;
  }

  bool is_over() const { return out_.interrupted || watch_.is_up(); }

  std::vector<End> open_ends() const {
    std::vector<End> out;
    for (const std::uint32_t i : asked_)
      for (const int sign : {1, -1})
        if (is_open({i, sign})) out.push_back({i, sign});
    return out;
  }
  bool is_open(const End& end) const {
    const std::size_t i = end.cell;
    if (out_.sharp[i]) return false;
    return end.sign > 0 ? out_.upper[i] < kNoLimit && out_.most[i] < out_.upper[i]
                        : out_.least[i] > out_.lower[i];
  }

  // A table with the cell at its end, or a proof that there is none.
  void try_end(const End& end, double seconds) {
    RateSystem part = rates_;
    std::int64_t& bound = end.sign > 0 ? out_.upper[end.cell] : out_.lower[end.cell];
    part.system.lower[end.cell] = part.system.upper[end.cell] = bound;
    try {
      WorkClock watch(seconds, tick_);
      narrow(part, watch);
      keep_found(search(part.system, {}, watch.seconds_left()));
    } catch (const InfeasibleError&) {
      bound -= end.sign;
      if (out_.lower[end.cell] > out_.upper[end.cell]) throw InfeasibleError(kNoTable);
      rates_.system.lower[end.cell] = out_.lower[end.cell];
      rates_.system.upper[end.cell] = out_.upper[end.cell];
    }
    settle(end.cell);
  }

  void keep_found(const IntegerBounds& found) {
    ++out_.n_programmes;
    out_.n_branches += found.n_branches;
    if (found.interrupted) out_.interrupted = true;
    if (!found.proved_feasible) return;
    out_.proved_feasible = true;
    ++out_.n_witnesses;
    for (std::size_t i = 0; i < n_cells_; ++i) {
      out_.least[i] = std::min(out_.least[i], found.least[i]);
      out_.most[i] = std::max(out_.most[i], found.most[i]);
      settle(i);
    }
  }
  void settle(std::size_t i) {
    const bool is_attained = out_.least[i] == out_.lower[i] && out_.most[i] == out_.upper[i];
    if (is_attained || out_.lower[i] == out_.upper[i]) out_.sharp[i] = true;
  }

  std::size_t n_cells_;
  const std::vector<std::uint32_t>& asked_;
  const BoundsLimits& limits_;
  const NarrowLimits& narrow_;
  const Tick& tick_;
  WorkClock watch_;
  RateSystem rates_;
  IntegerBounds out_;
};

}  // namespace

IntegerBounds rate_bounds(const LinearSystem& table, const std::vector<RateSet>& sets,
                          const std::vector<std::uint32_t>& asked, const BoundsLimits& limits,
                          const Tick& tick, const NarrowLimits& narrow) {
  return RateSearch(table, sets, asked, limits, tick, narrow).run();
}

}  // namespace sdclattice
